// Package web serves the library over HTTP: an API described by OpenAPI 3.1, answers as server-sent events, a gateway in
// the forms of OpenAI and Anthropic, and the page.
//
//	request ─▶ guard (host, headers) ─▶ account (log, metrics, trace) ─▶ who (key, scope, collection) ─▶ limits
//	        ─▶ once (idempotency) ─▶ handler ─▶ public form ─▶ tag (ETag)
//
// Nothing that leaves holds a path of the file system or a raw score; confidences are rounded to two places. Text of
// documents and answers is never HTML: it leaves as JSON or is escaped by the templates, and the content security policy
// allows no script but the page's own files.
package web

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"go.opentelemetry.io/otel/trace"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/cite/csl"
	"github.com/ibid-dev/ibid/conflict"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/workflow"
)

// Config is what a server stands on. Asker and Store must be set; its Record is not used, as each request is recorded in
// its own collection.
type Config struct {
	Asker *workflow.Asker
	Store *sqlite.Store
	Log   *slog.Logger // Defaults to none.
	// Thinker answers in steps; its Asker is not used. Defaults to one without a planner.
	Thinker *workflow.Thinker
	// Researcher works on studies; its Asker, Studies and NewID are not used. Defaults to one without a planner.
	Researcher *workflow.Researcher
	// Studies are those that are being worked on, here and by the tools. Defaults to a set of its own.
	Studies *workflow.Underway
	// AuditLog is the log that the store keeps. Without it nothing is told of one.
	AuditLog *sqlite.Log
	// Version names the build: in the OpenAPI document, and as the engine of attributions that are done again.
	Version string
	// Collection is served to who may see all, where the request names none. Defaults to the one without a name.
	Collection string
	// Fetch opens a page of the web for ingestion. Without it addresses are refused.
	Fetch func(ctx context.Context, url string) (workflow.Content, error)
	// Updated is called when something was ingested, so that the next question need not wait for the index.
	Updated func(ctx context.Context) error
	// Finished is called with each run that ends, once it is recorded and among Store.OwedRuns: it passes on the claims of
	// those, and settles them. Where it fails the caller is told, and may ask again: it is called again then, with a run
	// that is not new. May be nil.
	Finished func(ctx context.Context, done workflow.Finished) error
	// Styles are the citation styles that can be named. Defaults to the built-in ones.
	Styles *csl.Library
	// ModelName is shown to people: extractive, or provider and name.
	ModelName string
	// Sample holds documents to try the server on, which one request loads. Without it there is no such request.
	Sample fs.FS
	// ProviderName is that of the model's provider, for traces: openai, anthropic.
	ProviderName string
	// Tracer takes spans. Defaults to none.
	Tracer trace.TracerProvider
	// OIDC lets people sign in to the page. Without it the page needs a key, or an open server.
	OIDC *OIDC
	// Page holds the built page. Without it a page without script is served.
	Page fs.FS

	// Tools serves the Model Context Protocol at /mcp to a caller that the server has let in. Without it nothing is there.
	Tools func(api.Caller) http.Handler

	// OpenAI and Anthropic are where the gateway passes requests on to, by the form in which they come.
	OpenAI, Anthropic Provider

	// Open lets everyone in as administrator, without a key. It is for a server that only its own machine reaches.
	Open bool
	// AnyHost answers requests for any host name. By default only localhost and loopback addresses are answered, so that
	// a page elsewhere cannot reach a local server through a name of its own.
	AnyHost bool
	// Origins may call the API from pages of their own. By default no other origin may.
	Origins []string
	// Patience is how long a client may take to send its request, and to take in what is sent to it at once. Between the
	// two an answer may take as long as it takes. Defaults to 30 seconds.
	Patience time.Duration
	// Linger is how long an answer goes on without a reader, for one who was cut off and comes back. Defaults to 30
	// seconds.
	Linger time.Duration
	// KeepAlive is how long a stream is silent at most. Defaults to 15 seconds.
	KeepAlive time.Duration

	Limits Limits
}

// Server answers requests. Close ends what runs in its background.
type Server struct {
	Config
	engine  *attribute.Engine
	handler http.Handler
	api     huma.API
	pages   pages
	limits  *limits
	hub     *hub
	metrics *metrics
	tracer  trace.Tracer
	signin  *signin
	turns   turns
	// conflicts finds what cannot both hold.
	conflicts *conflict.Finder

	background context.Context
	end        context.CancelFunc
	working    crew
}

// New makes a server.
func New(c Config) (*Server, error) {
	if c.Asker == nil || c.Store == nil {
		return nil, errors.New("a server needs an asker and a store")
	}
	c.setDefaults()
	engine, ok := c.Asker.Attributor.(*attribute.Engine)
	if !ok {
		engine = attribute.New(attribute.Config{Claims: attribute.IsClaim})
	}
	s := &Server{Config: c, engine: engine, limits: newLimits(c.Limits), conflicts: conflict.New(attribute.Reader{}, conflict.Config{})}
	s.background, s.end = context.WithCancel(context.Background())
	s.working.caught = func(p any) { s.panicked("work behind a request", p) }
	s.hub = newHub(s)
	s.metrics, s.tracer, s.signin = newMetrics(s), tracerOf(c.Tracer), newSignin(s)
	if err := s.recover(s.background); err != nil {
		return nil, err
	}
	var err error
	if s.pages, err = newPages(s); err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	s.mountAPI(mux)
	s.mountTools(mux)
	s.mountHealth(mux)
	s.signin.mount(mux)
	s.pages.mount(mux)
	forged := http.NewCrossOriginProtection()
	forged.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, &statusError{http.StatusForbidden, errors.New("pages of other origins may not write here")})
	}))
	s.handler = s.guard(s.account(s.cors(forged.Handler(mux))))
	return s, nil
}

func (c *Config) setDefaults() {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Studies == nil {
		c.Studies = &workflow.Underway{}
	}
	if c.Styles == nil {
		c.Styles = csl.NewLibrary()
	}
	c.Version = or(c.Version, "dev")
	c.Patience = or(c.Patience, 30*time.Second)
	c.Linger = or(c.Linger, 30*time.Second)
	c.KeepAlive = or(c.KeepAlive, 15*time.Second)
}

// recover puts right what a server that was killed left behind.
func (s *Server) recover(ctx context.Context) error {
	return errors.Join(
		s.Store.AbandonJobs(ctx, "the server ended before the work did; send it again", s.Asker.Now()),
		s.Store.AbandonClaims(ctx))
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Close cuts the answers and jobs that still run, and waits until they are recorded. Readers of streams get their end.
func (s *Server) Close() {
	s.end()
	s.working.finish()
}

// crew runs what goes on behind the requests.
type crew struct {
	mu     sync.Mutex
	ending bool
	group  sync.WaitGroup
	caught func(p any) // takes a panic, which would end the server with everyone's work
}

// Go runs f beside the caller. When the end has come it is run at once: its context has ended, so that it is short.
func (c *crew) Go(f func()) {
	safely := func() {
		defer func() {
			if p := recover(); p != nil {
				c.caught(p)
			}
		}()
		f()
	}
	c.mu.Lock()
	if c.ending {
		c.mu.Unlock()
		safely()
		return
	}
	c.group.Go(safely)
	c.mu.Unlock()
}

func (c *crew) finish() {
	c.mu.Lock()
	c.ending = true
	c.mu.Unlock()
	c.group.Wait()
}

// panicked logs a panic with where it arose. It is called by what recovers from it.
func (s *Server) panicked(where string, p any, more ...any) {
	s.Log.Error("panic", append([]any{"in", where, "panic", fmt.Sprint(p), "stack", string(debug.Stack())}, more...)...)
}

// or gives the first value that is not the zero value.
func or[T comparable](v, fallback T) T {
	var zero T
	if v != zero {
		return v
	}
	return fallback
}

func newID() string {
	var b [8]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// asker gives the asker of one request: its answers are recorded in the request's collection.
func (s *Server) asker(c *caller) *workflow.Asker {
	asker := *s.Asker
	record := c.record()
	record.Began = asker.Now()
	asker.Record = record
	if s.AuditLog != nil && asker.Gate.Book == nil {
		asker.Gate.Book = workflow.Pages(s.Store.Update)
	}
	return &asker
}

// where restricts a question to the caller's collection.
func (c *caller) where() ibid.Query { return ibid.Query{Collection: c.collection} }
