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
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

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
	// Patience is how long a client may take to send its request, and to take in what is sent to it at once. Between the
	// two an answer may take as long as it takes. Defaults to 30 seconds.
	Patience time.Duration
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
	if c.Patience == 0 {
		c.Patience = 30 * time.Second
	}
	s := &server{c, t}
	mux := http.NewServeMux()
	mux.Handle("GET /{$}", s.handle(s.home))
	mux.Handle("POST /ask", s.handle(s.askForm))
	mux.Handle("GET /answers/{id}", s.handle(s.answerPage))
	mux.Handle("POST /api/v1/ask", s.handle(s.ask))
	mux.Handle("GET /api/v1/answers/{id}", s.handle(s.answer))
	mux.Handle("GET /style.css", http.FileServerFS(static))
	mux.Handle("GET /healthz", s.handle(func(w http.ResponseWriter, _ *http.Request) error {
		return s.send(w, "text/plain; charset=utf-8", []byte("ok\n"))
	}))
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

// handle reads the whole body before the handler runs, so that a client that sends it slowly holds nothing but itself.
func (s *server) handle(f func(http.ResponseWriter, *http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := s.readBody(w, r)
		if err == nil {
			r.Body = io.NopCloser(bytes.NewReader(body))
			err = f(w, r)
		}
		if err != nil {
			s.fail(w, r, err)
		}
	})
}

func (s *server) readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	deadline := http.NewResponseController(w)
	if err := deadline.SetReadDeadline(time.Now().Add(s.Patience)); err != nil {
		return nil, err
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	switch {
	case err == nil:
		return body, deadline.SetReadDeadline(time.Time{})
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, &statusError{http.StatusRequestTimeout, errors.New("the request did not arrive in time; send it at once")}
	case status(err) == http.StatusInternalServerError:
		return nil, &statusError{http.StatusBadRequest, fmt.Errorf("the request was cut: %w", err)}
	}
	return nil, err // the deadline stays: the server reads what is left of a body before it answers
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

// told is what a caller may know of an error. What is not the caller's fault is logged and not told.
func (s *server) told(r *http.Request, err error) (code int, detail string) {
	code = status(err)
	if code >= 500 {
		s.Log.Error("request failed", "path", r.URL.Path, "error", err)
		return code, "the server failed; its log says why"
	}
	return code, strings.TrimSuffix(err.Error(), ": "+ibid.ErrInvalid.Error())
}

// fail answers with a page where one is asked for, otherwise with a problem in the form of RFC 9457.
func (s *server) fail(w http.ResponseWriter, r *http.Request, err error) {
	code, detail := s.told(r, err)
	problem := map[string]any{"type": "about:blank", "title": http.StatusText(code), "status": code, "detail": detail}
	if !strings.HasPrefix(r.URL.Path, "/api/") && strings.Contains(r.Header.Get("Accept"), "text/html") {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(code)
		s.templates.ExecuteTemplate(w, "error.html", problem)
		return
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(code)
	json.NewEncoder(w).Encode(problem)
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
	err := d.Decode(&q)
	if err == nil && d.More() {
		err = errors.New("something follows it")
	}
	if err != nil {
		return fmt.Errorf("the body is not a question (%w); send {\"question\": \"…\"}", &statusError{http.StatusBadRequest, err})
	}
	events := s.Asker.Ask(r.Context(), s.asked(q))
	if strings.Contains(r.Header.Get("Accept"), "text/event-stream") {
		return s.stream(w, r, events)
	}
	answer, err := last(events)
	if err != nil {
		return err
	}
	return s.writeJSON(w, public(answer))
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
	return s.writeJSON(w, public(a))
}

func (s *server) writeJSON(w http.ResponseWriter, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return s.send(w, "application/json", b)
}

// send writes a whole answer. That a client went away or is too slow to take it is not an error of ours.
func (s *server) send(w http.ResponseWriter, mediaType string, b []byte) error {
	w.Header().Set("Content-Type", mediaType)
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(s.Patience))
	w.Write(b)
	return nil
}

// render makes the whole page before the first byte leaves, so that a failure is still a clean error.
func (s *server) render(w http.ResponseWriter, name string, data any) error {
	var b bytes.Buffer
	if err := s.templates.ExecuteTemplate(&b, name, data); err != nil {
		return err
	}
	return s.send(w, "text/html; charset=utf-8", b.Bytes())
}
