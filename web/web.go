// Package web serves the library over HTTP: a page to ask on, and the same verbs as JSON and server-sent events.
//
// Nothing that leaves holds a path of the file system or a raw score; confidences are rounded to two places. Text of
// documents and answers is never HTML: the templates escape it, and the content security policy allows no script.
package web

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/workflow"
)

//go:embed page
var page embed.FS

// Config is what a server stands on.
type Config struct {
	Asker  *workflow.Asker
	Record Record
	Log    *slog.Logger
	// Collection is the one that is served. Defaults to the one without a name.
	Collection string
	// AnyHost answers requests for any host name. By default only localhost and loopback addresses are answered, so that
	// a page elsewhere cannot reach a local server through a name of its own.
	AnyHost bool
}

// Record is what the server reads of the store.
type Record interface {
	Answer(ctx context.Context, id ibid.AnswerID) (ibid.Answer, error)
	Titles(ctx context.Context, collection string) ([]ibid.Source, error)
}

// maxBody bounds a request's body.
const maxBody = 1 << 20

type server struct {
	Config
	templates *template.Template
}

// New makes the handler.
func New(c Config) (http.Handler, error) {
	t, err := template.New("").Funcs(template.FuncMap{"percent": percent}).ParseFS(page, "page/*.html")
	if err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	static, err := fs.Sub(page, "page")
	if err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	s := &server{c, t}
	mux := http.NewServeMux()
	mux.Handle("GET /{$}", s.handle(s.home))
	mux.Handle("POST /ask", s.handle(s.askForm))
	mux.Handle("GET /answers/{id}", s.handle(s.answerPage))
	mux.Handle("POST /api/v1/ask", s.handle(s.ask))
	mux.Handle("GET /api/v1/answers/{id}", s.handle(s.answer))
	mux.Handle("GET /style.css", http.FileServerFS(static))
	mux.Handle("GET /healthz", s.handle(func(w http.ResponseWriter, _ *http.Request) error { _, err := fmt.Fprintln(w, "ok"); return err }))
	return s.guard(http.NewCrossOriginProtection().Handler(mux)), nil
}

// guard sets the headers of every answer and refuses names that are not ours.
func (s *server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		if !s.AnyHost && !loopback(r.Host) {
			s.fail(w, r, &statusError{http.StatusMisdirectedRequest, fmt.Errorf("this server answers for localhost only; start it with another --addr to open it")})
			return
		}
		next.ServeHTTP(w, r)
	})
}

func loopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func (s *server) handle(f func(http.ResponseWriter, *http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		if err := f(w, r); err != nil {
			s.fail(w, r, err)
		}
	})
}

// statusError is an error whose status is known where it arises.
type statusError struct {
	status int
	error
}

// status is the one table that turns errors into statuses.
func status(err error) int {
	var known *statusError
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &known):
		return known.status
	case errors.As(err, &tooLarge):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, ibid.ErrNotFound):
		return http.StatusNotFound
	case errors.Is(err, ibid.ErrInvalid), errors.Is(err, ibid.ErrAmbiguous):
		return http.StatusBadRequest
	case errors.Is(err, context.Canceled):
		return 499
	}
	return http.StatusInternalServerError
}

// fail answers with a problem in the form of RFC 9457. What is not the caller's fault is logged and not told.
func (s *server) fail(w http.ResponseWriter, r *http.Request, err error) {
	code := status(err)
	detail := err.Error()
	if code >= 500 && code != http.StatusMisdirectedRequest {
		s.Log.Error("request failed", "path", r.URL.Path, "error", err)
		detail = "the server failed; its log says why"
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(code)
	json.NewEncoder(w).Encode(map[string]any{"type": "about:blank", "title": http.StatusText(code), "status": code, "detail": detail})
}

type question struct {
	Question     string              `json:"question"`
	Conversation ibid.ConversationID `json:"conversation,omitempty"`
}

// ask answers as JSON, or as server-sent events where the client accepts them.
func (s *server) ask(w http.ResponseWriter, r *http.Request) error {
	var q question
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	if err := d.Decode(&q); err != nil {
		return fmt.Errorf("the body is not a question (%w); send {\"question\": \"…\"}", &statusError{bodyStatus(err), err})
	}
	events := s.Asker.Ask(r.Context(), s.asked(q))
	if strings.Contains(r.Header.Get("Accept"), "text/event-stream") {
		return stream(w, events)
	}
	answer, err := last(events)
	if err != nil {
		return err
	}
	return writeJSON(w, public(answer))
}

func bodyStatus(err error) int {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusBadRequest
}

func (s *server) asked(q question) workflow.Question {
	return workflow.Question{Text: q.Question, Conversation: q.Conversation, Where: ibid.Query{Collection: s.Collection}}
}

// last runs an answer to its end. An answer that was cut is given: it says so itself.
func last(events func(func(workflow.Event, error) bool)) (ibid.Answer, error) {
	var answer ibid.Answer
	var failed error
	for e, err := range events {
		if err != nil {
			failed = err
		} else if e.Kind == workflow.Done {
			answer = e.Answer
		}
	}
	if answer.ID == "" {
		return ibid.Answer{}, failed
	}
	return answer, nil
}

func (s *server) answer(w http.ResponseWriter, r *http.Request) error {
	a, err := s.Record.Answer(r.Context(), ibid.AnswerID(r.PathValue("id")))
	if err != nil {
		return err
	}
	return writeJSON(w, public(a))
}

func writeJSON(w http.ResponseWriter, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	_, err = w.Write(b)
	return err
}

// render makes the whole page before the first byte leaves, so that a failure is still a clean error.
func (s *server) render(w http.ResponseWriter, name string, data any) error {
	var b bytes.Buffer
	if err := s.templates.ExecuteTemplate(&b, name, data); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, err := b.WriteTo(w)
	return err
}
