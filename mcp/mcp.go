// Package mcp gives the verbs of Ibid to assistants over the Model Context Protocol: tools that say where an answer comes
// from, whether it may be shown, and that search, cite and record; documents and answers as resources.
//
//	arguments ─▶ strict JSON ─▶ turn (bounded work) ─▶ tool ─▶ form + words, or an error that says what to do
//
// What leaves is as it is in package web: no path of the file system, no raw score, confidences to two places. A tool that
// fails says so in its result, where the assistant reads it; the protocol's own errors are for what is no call of a tool.
package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/sync/semaphore"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/cite/bib"
	"github.com/ibid-dev/ibid/cite/csl"
	"github.com/ibid-dev/ibid/cite/dossier"
	"github.com/ibid-dev/ibid/conflict"
	"github.com/ibid-dev/ibid/fetch"
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/internal/wording"
	"github.com/ibid-dev/ibid/llm"
	"github.com/ibid-dev/ibid/reason"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/workflow"
)

// Config is what the tools stand on. Asker and Store must be set; the Asker's Record is not used, as each caller has a
// collection.
type Config struct {
	Asker *workflow.Asker
	Store *sqlite.Store
	// AuditLog is the log that the store keeps. Without it nothing is proven.
	AuditLog *sqlite.Log
	// Styles are the citation styles that can be named. Defaults to the built-in ones.
	Styles *csl.Library
	// Fetch opens a page of the web for ingestion. Without it addresses are refused.
	Fetch func(ctx context.Context, url string) (workflow.Content, error)
	// File finds a file for ingestion by the name that the assistant gives, and refuses those that it may not read. Without
	// it files are refused.
	File func(name string) (workflow.Input, error)
	// Updated is called when something was ingested, so that the next search need not wait for the index.
	Updated func(ctx context.Context) error
	// Turn waits for a place to work at and gives what frees it. Defaults to one place for each core.
	Turn func(ctx context.Context) (release func(), err error)
	// Thinker says how questions are taken apart; its Asker is not used. Defaults to one that does it by rules.
	Thinker *workflow.Thinker
	// Researcher works on studies, and its Conflicts weigh arguments; its Asker, Studies and NewID are not used. Defaults to one
	// without a planner that reads words alone.
	Researcher *workflow.Researcher
	// Studies are those that are being worked on, by the tools and beside them. Defaults to a set of its own.
	Studies *workflow.Underway
	// Conflicts finds what cannot both hold. Defaults to one that reads words alone.
	Conflicts *conflict.Finder
	// Finished passes on a run that has ended, as to a file beside the record. May be nil.
	Finished func(ctx context.Context, done workflow.Finished) error
	// Longest is how long one call may work; an answer that a model writes may take longer. Defaults to a minute.
	Longest time.Duration
	// Beat is how often a client that asked for it hears that a call goes on, where nothing else is to be told. Defaults to 5
	// seconds.
	Beat    time.Duration
	Log     *slog.Logger // Defaults to none.
	Version string
}

// Service gives each caller a server.
type Service struct {
	Config
	engine   *attribute.Engine
	compared int // bytes of text that are compared at once
	// schemas are kept by the name of their tool: there is a server for each request over HTTP, and inferring them takes longer
	// than most calls do.
	schemas sync.Map
}

// New makes a service.
func New(c Config) (*Service, error) {
	if c.Asker == nil || c.Store == nil {
		return nil, errors.New("the tools need an asker and a store")
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Styles == nil {
		c.Styles = csl.NewLibrary()
	}
	if c.Longest == 0 {
		c.Longest = time.Minute
	}
	if c.Beat <= 0 {
		c.Beat = 5 * time.Second
	}
	if c.Conflicts == nil {
		c.Conflicts = conflict.New(attribute.Reader{}, conflict.Config{})
	}
	if c.Researcher == nil {
		c.Researcher = &workflow.Researcher{Conflicts: conflict.New(attribute.Reader{}, conflict.Config{})}
	}
	if c.Studies == nil {
		c.Studies = &workflow.Underway{}
	}
	if c.Turn == nil {
		places := semaphore.NewWeighted(int64(runtime.GOMAXPROCS(0)))
		c.Turn = func(ctx context.Context) (func(), error) {
			err := places.Acquire(ctx, 1)
			return func() { places.Release(1) }, err
		}
	}
	engine, ok := c.Asker.Attributor.(*attribute.Engine)
	if !ok {
		engine = attribute.New(attribute.Config{Claims: attribute.IsClaim})
	}
	return &Service{Config: c, engine: engine, compared: maxCompared}, nil
}

// Run serves one client over a pair of streams until it leaves or the context ends. Nothing but the protocol is written.
func (s *Service) Run(ctx context.Context, c api.Caller, in io.ReadCloser, out io.WriteCloser) error {
	back := &turns{WriteCloser: out}
	err := s.server(c).Run(ctx, &sdk.IOTransport{Reader: newLines(in, back), Writer: back, MaxLineLength: maxMessage + 1024})
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// Handler serves a caller over the streamable HTTP transport. Each request stands for itself: there are no sessions that one
// server would have to find again, and who calls is asked each time.
func (s *Service) Handler(c api.Caller) http.Handler {
	server := s.server(c)
	handler := func(json bool) http.Handler {
		return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, &sdk.StreamableHTTPOptions{
			Stateless: true, JSONResponse: json, MaxRequestBodyBytes: maxMessage, PropagateRequestCancellation: true,
			DisableLocalhostProtection: true, // who mounts it knows which hosts are meant
		})
	}
	whole, stream := handler(true), handler(false)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if wantsProgress(w, r) { // which a single result has no place for
			stream.ServeHTTP(w, r)
			return
		}
		whole.ServeHTTP(w, r)
	})
}

// maxMessage bounds one message of a client.
const maxMessage = 8 << 20

const instructions = `Ibid keeps the record of where answers come from. To answer from the user's library: search, write the answer from the passages, then call attribute with the answer and the passages you used, and correct or mark what has no support or is contradicted. Name the n-th source as [n]. gate says whether an answer may be shown; cite writes its bibliography; conflicts finds where sources disagree. Attribution says where a claim comes from, not whether it is true.`

// desk is one caller's view of the service.
type desk struct {
	*Service
	caller api.Caller
	record sqlite.Collection
}

func (s *Service) server(c api.Caller) *sdk.Server {
	d := &desk{s, c, s.Store.In(c.Collection)}
	var log *slog.Logger
	if s.Log.Enabled(context.Background(), slog.LevelInfo) { // that a client left is no error of ours
		log = s.Log
	}
	server := sdk.NewServer(&sdk.Implementation{Name: "ibid", Title: "Ibid", Version: s.Version}, &sdk.ServerOptions{
		Instructions: instructions, Logger: log,
		SetCacheable: func(_ context.Context, _ sdk.Request, c *sdk.Cacheable) { c.CacheScope = "private" }, // who calls decides what is there
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}, Resources: &sdk.ResourceCapabilities{}, Prompts: &sdk.PromptCapabilities{}},
	})
	d.addTools(server)
	d.addResources(server)
	addPrompts(server)
	server.AddReceivingMiddleware(d.unharmed) // the last one added is asked first
	return server
}

// unharmed makes an error of a panic in what reads resources and lists them. The SDK does its work beside the request that it is for,
// where nothing catches it: it would end the program with everyone's work. Tools catch their own, and say it in their result.
func (d *desk) unharmed(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (res sdk.Result, err error) {
		defer func() {
			if p := recover(); p != nil {
				d.Log.Error("panic", "method", method, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
				res, err = nil, errors.New(ourFault)
			}
		}()
		return next(ctx, method, req)
	}
}

// tool is what a client is told of a verb beside its schemas.
type tool struct {
	name, title, doc string

	writes bool // changes the library or the log, by adding to it
	open   bool // may reach beyond the library: the network, or a model
	slow   bool // may wait for a model or a page: it takes no place to work at and is not cut after a while
}

// addTools lists what assistants can do. Each verb stands in the file of what it is about.
func (d *desk) addTools(s *sdk.Server) {
	add(d, s, attributeTool, d.attribute)
	add(d, s, gateTool, d.gate)
	add(d, s, searchTool, d.search)
	add(d, s, askTool, d.ask)
	add(d, s, thinkTool, d.think)
	add(d, s, argueTool, d.argue)
	add(d, s, findTool, d.find)
	add(d, s, conflictsTool, d.conflicts)
	add(d, s, citeTool, d.cite)
	add(d, s, exportTool, d.export)
	add(d, s, checkTool, d.check)
	add(d, s, studiesTool, d.studies)
	add(d, s, runsTool, d.runs)
	if d.AuditLog != nil {
		add(d, s, proveTool, d.prove)
		add(d, s, verifyTool, d.verify)
	}
	if d.caller.Scope.Allows(api.Write) {
		add(d, s, recordTool, d.keep)
		add(d, s, ingestTool, d.ingest)
		add(d, s, researchTool, d.research)
		add(d, s, runClaimTool, d.runClaim)
		add(d, s, runFinishTool, d.runFinish)
	}
}

// add puts a verb before a client. What it returns stands in the result as a form, and in words for clients that read no
// forms.
func add[In any, Out interface{ words() string }](d *desk, s *sdk.Server, t tool, f func(ctx context.Context, in In) (Out, error)) {
	destroys := false // nothing is overwritten or removed: a changed text is a new version
	s.AddTool(&sdk.Tool{Name: t.name, Title: t.title, Description: t.doc, InputSchema: schemaOf[In](d, t.name, "in"), OutputSchema: schemaOf[Out](d, t.name, "out"),
		Annotations: &sdk.ToolAnnotations{Title: t.title, ReadOnlyHint: !t.writes, DestructiveHint: &destroys, OpenWorldHint: &t.open},
	}, func(ctx context.Context, req *sdk.CallToolRequest) (res *sdk.CallToolResult, err error) {
		defer func() {
			if p := recover(); p != nil {
				d.Log.Error("panic", "tool", t.name, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
				res, err = failed(errors.New(ourFault)), nil
			}
		}()
		ctx, end := d.telling(ctx, req)
		defer end() // nothing is told of a call that is answered
		out, err := call(ctx, d, t, req.Params.Arguments, f)
		if err != nil {
			return failed(errors.New(d.told(t.name, err))), nil
		}
		form, err := json.Marshal(out)
		if err != nil {
			return failed(errors.New(d.told(t.name, err))), nil
		}
		return &sdk.CallToolResult{StructuredContent: json.RawMessage(form), Content: []sdk.Content{&sdk.TextContent{Text: out.words()}}}, nil
	})
}

func failed(err error) *sdk.CallToolResult {
	res := &sdk.CallToolResult{}
	res.SetError(err)
	return res
}

func call[In, Out any](ctx context.Context, d *desk, t tool, arguments json.RawMessage, f func(context.Context, In) (Out, error)) (out Out, err error) {
	in, err := read[In](arguments)
	if err != nil {
		return out, err
	}
	if t.slow {
		return f(ctx, in)
	}
	ctx, cancel := context.WithTimeout(ctx, d.Longest)
	defer cancel()
	tell(ctx, 0, 0, "waiting for a place to work at")
	release, err := d.Turn(ctx)
	if err != nil {
		return out, err
	}
	defer release()
	return f(ctx, in)
}

// read reads arguments that are what they should be all through: an argument that is spelled otherwise would be left out
// unseen, and bytes that are not UTF-8 would move every offset behind them.
func read[In any](b json.RawMessage) (in In, err error) {
	if len(b) == 0 || string(b) == "null" {
		return in, nil
	}
	if !utf8.Valid(b) {
		return in, invalid("the arguments are not valid UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
			return in, invalid("there is no argument %s; the tool's input schema lists them", shortened(name))
		}
		return in, invalid("the arguments cannot be read: %s", wording.Of(wording.JSON(err, b)))
	}
	return in, nil
}

// schemaOf infers a schema. A list may be left out, and is never null.
func schemaOf[T any](d *desk, tool, side string) *jsonschema.Schema {
	name := tool + " " + side
	if s, ok := d.schemas.Load(name); ok {
		return s.(*jsonschema.Schema)
	}
	s, err := jsonschema.For[T](nil)
	if err != nil {
		panic(err) // of the type alone: every test that makes a server finds it
	}
	neverNull(s)
	for argument, p := range s.Properties {
		for _, c := range choices(tool, argument) {
			p.Enum = append(p.Enum, c)
		}
	}
	d.schemas.Store(name, s)
	return s
}

// choices are what an argument may be, where that is known.
func choices(tool, argument string) (out []string) {
	switch argument {
	case "policy":
		return gate.Presets()
	case "strategy":
		if tool == thinkTool.name {
			for _, s := range reason.Strategies() {
				out = append(out, string(s))
			}
			return out
		}
		for _, s := range attribute.Strategies() {
			out = append(out, string(s))
		}
	case "format":
		out = []string{"text", "html", "markdown", "latex"}
		for _, f := range bib.Formats() {
			out = append(out, string(f))
		}
	case "to":
		if tool == studiesTool.name {
			return textFormats(dossier.Formats())
		}
		return textFormats(workflow.ExportFormats())
	case "depth":
		for _, d := range dossier.Depths() {
			out = append(out, string(d))
		}
	case "mode":
		return []string{"bibliography", "citation"}
	}
	return out
}

func neverNull(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if len(s.Types) == 2 && s.Types[0] == "null" {
		s.Type, s.Types = s.Types[1], nil
	}
	neverNull(s.Items)
	for _, p := range s.Properties {
		neverNull(p)
	}
}

// invalid says what is wrong with the arguments, and what to do.
func invalid(format string, args ...any) error {
	return fmt.Errorf(format+": %w", append(args, ibid.ErrInvalid)...)
}

const ourFault = "the tool failed; the log of ibid says why"

// told is what an assistant is told of an error. What is not its fault is logged and not told: it may name what is nobody's
// business.
func (d *desk) told(tool string, err error) string {
	var refused *fetch.RefusedError
	var status *fetch.StatusError
	var busy interface{ GetStatus() int } // of who mounts the tools: there is no room
	switch {
	case errors.As(err, &refused):
		return "refused: " + strings.Trim(refused.Reason+"; "+refused.Hint, "; ")
	case errors.As(err, &status), errors.Is(err, fetch.ErrTooLarge), errors.Is(err, ibid.ErrInvalid), errors.Is(err, ibid.ErrAmbiguous):
		return wording.Of(err)
	case errors.Is(err, ibid.ErrNotFound):
		return wording.Of(err) + "; search finds what the library holds"
	case errors.As(err, &busy) && busy.GetStatus() == http.StatusTooManyRequests:
		return err.Error()
	case errors.Is(err, context.Canceled):
		return "cancelled"
	}
	d.Log.Error("tool failed", "tool", tool, "error", err)
	switch {
	case errors.Is(err, llm.ErrOverloaded), errors.Is(err, llm.ErrQuota), errors.Is(err, llm.ErrTimeout), errors.Is(err, llm.ErrUnreachable),
		errors.Is(err, llm.ErrKey), errors.Is(err, llm.ErrModel), errors.Is(err, llm.ErrServer), errors.Is(err, llm.ErrCut),
		errors.Is(err, llm.ErrRefused), errors.Is(err, llm.ErrEmpty), errors.Is(err, llm.ErrContextTooLong):
		return "the model that ibid asks did not answer; the log of ibid says why. search needs no model"
	case errors.Is(err, context.DeadlineExceeded):
		return "the work took too long; send less at once"
	}
	return ourFault
}

// longer reports whether a text has more characters than are taken.
func longer(s string, most int) bool { return len(s) > most && utf8.RuneCountInString(s) > most }

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func shortened(s string) string {
	if r := []rune(s); len(r) > 80 {
		return string(r[:79]) + "…"
	}
	return s
}

// listed gives an empty list for nil, as a list in JSON is never null.
func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
