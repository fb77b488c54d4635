package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/fetch"
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/internal/wording"
	"github.com/ibid-dev/ibid/llm"
	"github.com/ibid-dev/ibid/sqlite"
)

// statusError is an error whose status is known where it arises. Of one above 500 the caller is told the words, so they are our
// own and hold nothing of what another server or its address said.
type statusError struct {
	status int
	error
}

// fieldError is an error of one field of the request.
type fieldError struct {
	field string // body.sources[3].text, query.cursor
	error
}

func (e *fieldError) Unwrap() error { return e.error }

// invalid says what is wrong with a field of the request.
func invalid(field, format string, args ...any) error {
	return &fieldError{field, fmt.Errorf(format+": %w", append(args, ibid.ErrInvalid)...)}
}

// status is the one table that turns errors into statuses.
func status(err error) int {
	var known *statusError
	var tooLarge *http.MaxBytesError
	var field *fieldError
	var asked huma.StatusError
	var refused *gate.RefusedError
	switch {
	case errors.As(err, &known):
		return known.status
	case errors.As(err, &refused):
		return http.StatusUnprocessableEntity
	case errors.As(err, &tooLarge), errors.Is(err, fetch.ErrTooLarge):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, ibid.ErrNotFound):
		return http.StatusNotFound
	case errors.As(err, &field):
		return http.StatusUnprocessableEntity
	case errors.Is(err, sqlite.ErrOtherRequest):
		return http.StatusUnprocessableEntity
	case errors.Is(err, ibid.ErrInvalid), errors.Is(err, ibid.ErrAmbiguous):
		return http.StatusBadRequest
	case errors.Is(err, http.ErrServerClosed):
		return http.StatusServiceUnavailable
	case errors.Is(err, context.Canceled):
		return 499
	case errors.Is(err, llm.ErrOverloaded), errors.Is(err, llm.ErrQuota):
		return http.StatusServiceUnavailable
	case errors.Is(err, llm.ErrTimeout):
		return http.StatusGatewayTimeout
	case errors.Is(err, llm.ErrUnreachable), errors.Is(err, llm.ErrKey), errors.Is(err, llm.ErrModel), errors.Is(err, llm.ErrServer), errors.Is(err, llm.ErrCut),
		errors.Is(err, llm.ErrRefused), errors.Is(err, llm.ErrEmpty), errors.Is(err, llm.ErrContextTooLong):
		return http.StatusBadGateway
	case errors.Is(err, context.DeadlineExceeded):
		return http.StatusServiceUnavailable
	case errors.As(err, &asked):
		return asked.GetStatus()
	}
	return http.StatusInternalServerError
}

// stopping reports whether a request was ended because the server stops, and not by who sent it.
func stopping(ctx context.Context) bool { return errors.Is(context.Cause(ctx), http.ErrServerClosed) }

// told is what a caller may know of an error. What is not the caller's fault is logged and not told.
func (s *Server) told(ctx context.Context, err error) (code int, detail string) {
	if errors.Is(err, context.Canceled) && stopping(ctx) {
		err = http.ErrServerClosed
	}
	if code = status(err); errors.Is(err, http.ErrServerClosed) {
		return code, "the server was stopped; ask again"
	}
	if code >= 500 {
		noted := accountOf(ctx)
		s.Log.Error("request failed", "id", noted.id, "route", noted.route, "error", err)
	}
	var known *statusError
	switch {
	case code == http.StatusNotFound:
		return code, "not found" // whether it is there for others is not told
	case code == http.StatusInternalServerError:
		return code, "the server failed; its log says why"
	case errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, llm.ErrTimeout):
		return code, "the work took too long; send less at once"
	case code > 500 && errors.As(err, &known):
		return code, known.Error()
	case code > 500:
		return code, "the model did not answer; the server's log says why"
	}
	return code, wording.Of(err)
}

// problem gives the error in the form of RFC 9457.
func (s *Server) problem(ctx context.Context, err error) *huma.ErrorModel {
	var ready *huma.ErrorModel
	if errors.As(err, &ready) {
		return ready
	}
	code, detail := s.told(ctx, err)
	p := &huma.ErrorModel{Title: or(http.StatusText(code), "Client Closed Request"), Status: code, Detail: detail}
	var field *fieldError
	if errors.As(err, &field) && (code == http.StatusUnprocessableEntity || code == http.StatusNotFound) {
		p.Errors = []*huma.ErrorDetail{{Message: detail, Location: field.field}}
	}
	return p
}

// fail answers with a page where one is asked for, otherwise with a problem.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	p := s.problem(r.Context(), err)
	if !strings.HasPrefix(r.URL.Path, "/api/") && strings.Contains(r.Header.Get("Accept"), "text/html") {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(p.Status)
		s.pages.templates.ExecuteTemplate(w, "error.html", p)
		return
	}
	if form := providerError(r); form != nil {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(p.Status)
		w.Write(form(p))
		return
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	json.NewEncoder(w).Encode(p)
}

// brief shortens what a problem quotes of the request: it is there to point, not to repeat.
func brief(p *huma.ErrorModel) {
	const most = 20
	if len(p.Errors) > most {
		p.Errors = p.Errors[:most]
	}
	defer func() {
		if p.Detail == "validation failed" && len(p.Errors) > 0 { // say which, for who reads no further
			p.Detail = p.Errors[0].Location + ": " + p.Errors[0].Message
		}
	}()
	for _, e := range p.Errors {
		e.Message = wording.Plain(e.Message)
		if field, ok := missing(e.Message); ok {
			e.Location += "." + field
		}
		switch v := e.Value.(type) {
		case nil, bool, float64:
		case string:
			if r := []rune(v); len(r) > 80 {
				e.Value = string(r[:79]) + "…"
			}
		default:
			e.Value = nil
		}
	}
}

// missing finds the name of a property that a message says is not there, so that the problem can point at it.
func missing(message string) (string, bool) {
	rest, ok := strings.CutPrefix(message, "expected required property ")
	name, ok2 := strings.CutSuffix(rest, " to be present")
	return name, ok && ok2
}
