package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"go.opentelemetry.io/otel/trace"
)

// policy allows the page's own files, and nothing else to run or to be asked.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; " +
	"manifest-src 'self'; worker-src 'self' blob:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// guard sets the headers of every answer and refuses names that are not ours.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
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

// cors lets pages of the named origins call the API with a key. Cookies are never taken from them.
func (s *Server) cors(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin := r.Header.Get("Origin")
		if origin == "" || !slices.Contains(s.Origins, origin) || strings.HasPrefix(r.URL.Path, "/auth/") {
			next.ServeHTTP(w, r)
			return
		}
		h := w.Header()
		h.Add("Vary", "Origin")
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Access-Control-Expose-Headers", "ETag, Retry-After, Location, X-Request-Id, Ibid-Stream")
		h.Set("Cross-Origin-Resource-Policy", "cross-origin")
		if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
			h.Set("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE")
			h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, Ibid-Collection, X-Api-Key")
			h.Set("Access-Control-Max-Age", "600")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		// The origin is one of ours: what guards against forged requests of other pages need not look at it. The cookie is
		// taken out, so that the key is all that counts.
		r.Header.Del("Cookie")
		r.Header.Del("Origin")
		r.Header.Del("Sec-Fetch-Site")
		next.ServeHTTP(w, r)
	})
}

type accountKey struct{}

// account is what is noted of a request while it runs, for its line in the log. It holds no payload.
type account struct {
	id      string
	request *http.Request
	writer  http.ResponseWriter
	key     string // the id of the key
	route   string // the pattern, without the ids
}

func accountOf(ctx context.Context) *account {
	a, _ := ctx.Value(accountKey{}).(*account)
	if a == nil {
		a = &account{}
	}
	return a
}

// account logs each request once, counts it, and turns a panic into an error of the server.
func (s *Server) account(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		noted := &account{id: newID(), route: "other"}
		seen := &watched{ResponseWriter: w}
		noted.writer = seen
		ctx, span := s.tracer.Start(context.WithValue(r.Context(), accountKey{}, noted), r.Method, trace.WithSpanKind(trace.SpanKindServer))
		defer span.End()
		r = r.WithContext(ctx)
		noted.request = r
		w.Header().Set("X-Request-Id", noted.id)
		defer func() {
			if p := recover(); p != nil && p != http.ErrAbortHandler {
				s.panicked("a request", p, "id", noted.id, "route", noted.route)
				if seen.status == 0 {
					s.fail(seen, r, errors.New("panic"))
				}
			}
			took := time.Since(began)
			code := or(seen.status, http.StatusOK)
			s.metrics.request(r, noted.route, code, took)
			span.SetName(r.Method + " " + noted.route)
			span.SetAttributes(httpMethod.String(r.Method), httpRoute.String(noted.route), httpStatus.Int(code))
			s.Log.LogAttrs(r.Context(), slog.LevelInfo, "request", slog.String("id", noted.id), slog.String("method", r.Method), slog.String("route", noted.route),
				slog.Int("status", code), slog.Int64("bytes", seen.bytes), slog.Duration("took", took), slog.String("key", noted.key))
		}()
		next.ServeHTTP(seen, r)
	})
}

// watched notes what a handler answers.
type watched struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (w *watched) WriteHeader(code int) {
	if w.status == 0 {
		w.status = code
	}
	w.ResponseWriter.WriteHeader(code)
}

func (w *watched) Write(b []byte) (int, error) {
	w.status = or(w.status, http.StatusOK)
	n, err := w.ResponseWriter.Write(b)
	w.bytes += int64(n)
	return n, err
}

// Unwrap gives http.ResponseController the writer beneath.
func (w *watched) Unwrap() http.ResponseWriter { return w.ResponseWriter }
