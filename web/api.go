package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/cite"
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/internal/wording"
	"github.com/ibid-dev/ibid/sqlite"
)

// mountAPI lists what the server can do. Each group stands in a file of its own.
func (s *Server) mountAPI(mux *http.ServeMux) {
	s.api = humago.New(mux, apiConfig(s.Version))
	s.api.UseMiddleware(s.admit)
	s.mountAnswers()
	s.mountLibrary()
	s.mountSample()
	s.mountAttribute()
	s.mountCitations()
	s.mountGraph()
	s.mountChat()
	s.mountFeedback()
	s.mountExperiments()
	s.mountVersions()
	s.mountThink()
	s.mountArgue()
	s.mountStudies()
	s.mountLedger()
	s.mountAudit()
	s.mountGateway()
	s.mountAccess()
	s.finishAPI()
	mux.HandleFunc("GET /openapi.json", s.openAPI)
	mux.HandleFunc("GET /docs", s.apiDocs)
	mux.HandleFunc("/api/", s.noSuchRoute)
	mux.HandleFunc("/v1/", s.noSuchRoute)
	for _, path := range unrooted {
		mux.HandleFunc(path, s.noSuchRoute) // a base URL without its /v1
	}
}

const about = `Where the words of answers come from: which sentence of which version of which document, and how sure that is.

Offsets count bytes; runes and utf16 stand beside them. Confidences are calibrated probabilities, rounded to two places. Lists are paged by cursor. Errors have the form of RFC 9457. A write may carry an Idempotency-Key: sent again within a day, it is answered the same and done once.

Streams are server-sent events that always end with done. One that was cut is taken up again with GET /api/v1/streams/{id} and Last-Event-ID.`

func apiConfig(version string) huma.Config {
	registry := huma.NewMapRegistry("#/components/schemas/", schemaName)
	registry.RegisterTypeAlias(reflect.TypeFor[ibid.Answer](), reflect.TypeFor[answerForm]())
	registry.RegisterTypeAlias(reflect.TypeFor[outgoing](), reflect.TypeFor[answerForm]())
	registry.RegisterTypeAlias(reflect.TypeFor[ibid.Reference](), reflect.TypeFor[referenceForm]())
	registry.RegisterTypeAlias(reflect.TypeFor[ibid.Span](), reflect.TypeFor[spanForm]())
	registry.RegisterTypeAlias(reflect.TypeFor[ibid.Anchor](), reflect.TypeFor[anchorForm]())
	format := huma.Format{Marshal: writeJSON, Unmarshal: readJSON}
	return huma.Config{
		OpenAPI: &huma.OpenAPI{OpenAPI: "3.1.0",
			Info: &huma.Info{Title: "Ibid", Version: version, Description: about},
			Components: &huma.Components{Schemas: registry, SecuritySchemes: map[string]*huma.SecurityScheme{
				"key": {Type: "http", Scheme: "bearer", Description: "An API key, made with ibid keys create. X-Api-Key takes it too."}}},
		},
		Formats:                      map[string]huma.Format{"application/json": format, "json": format},
		DefaultFormat:                "application/json",
		RejectUnknownQueryParameters: true,
		Transformers: []huma.Transformer{func(_ huma.Context, _ string, v any) (any, error) {
			if p, ok := v.(*huma.ErrorModel); ok {
				brief(p)
			}
			return v, nil
		}},
	}
}

// schemaName names a form in the OpenAPI document by its type: answerForm is Answer.
func schemaName(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	switch {
	case name == "ErrorModel":
		return "Problem"
	case t == reflect.TypeFor[ibid.Source]():
		return "PassageSource"
	case t == reflect.TypeFor[cite.Report]():
		return "CitationReport"
	case t.PkgPath() == reflect.TypeFor[gate.Report]().PkgPath():
		return "Gate" + name
	}
	return strings.TrimSuffix(strings.ReplaceAll(name, "Outgoing", "Answer"), "Form")
}

// writeJSON is the one way in which a value leaves, whole or in a stream, so that both are the same bytes.
func writeJSON(w io.Writer, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}

// maxDepth bounds how deep a body is nested.
const maxDepth = 64

// readJSON reads a body that is what it should be all through: bytes that are not UTF-8 would come in as other text, and
// would move every offset behind them.
func readJSON(b []byte, v any) error {
	if !utf8.Valid(b) {
		return errors.New("the body is not valid UTF-8")
	}
	if deeper(b, maxDepth) {
		return fmt.Errorf("the body is nested more than %d levels deep", maxDepth)
	}
	return wording.JSON(json.Unmarshal(b, v), b)
}

// deeper reports whether JSON is nested deeper than that, without parsing it.
func deeper(b []byte, most int) bool {
	depth, quoted := 0, false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > most {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// operation is one verb of the API.
type operation struct {
	id, method, path, tag, summary, doc string

	scope   api.Scope // what a key must allow; "" lets everyone in
	status  int       // of success; 0 means 200
	also    int       // a second status of success, in the same form
	body    int64     // bytes of the body at most; 0 means 1 MB
	working bool      // costs work: few run at the same time
	stream  bool      // may wait for a model: many run at the same time, and nothing is buffered
	upload  bool      // its body is read as it comes
	free    bool      // its body is any JSON object
	once    string    // its answer holds a secret: what is said in its place where the request comes again
	answers map[string]*huma.Response
}

// writes reports whether the operation changes something, and so can be sent twice by mistake.
func (o operation) writes() bool { return o.method != http.MethodGet }

// add puts an operation into the API. What its function returns as an error goes through the table of statuses.
func add[I, O any](s *Server, o operation, f func(ctx context.Context, in *I) (*O, error)) {
	op := huma.Operation{OperationID: o.id, Method: o.method, Path: o.path, Tags: []string{o.tag}, Summary: o.summary, Description: o.doc,
		DefaultStatus: o.status, MaxBodyBytes: or(o.body, 1<<20), BodyReadTimeout: s.Patience, Metadata: map[string]any{"operation": o}, Responses: o.answers}
	if o.free {
		op.SkipValidateBody = true
		op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"application/json": {Schema: freeForm{}.Schema(nil)}}}
	}
	if o.scope != "" {
		op.Security = []map[string][]string{{"key": {}}}
		op.Parameters = append(op.Parameters, &huma.Param{Name: "Ibid-Collection", In: "header", Schema: &huma.Schema{Type: huma.TypeString, MaxLength: ptr(200)},
			Description: "The collection to work in, for a key that reaches all. A name that is not ASCII may be written as UTF-8'' and its bytes percent-encoded."})
	}
	if o.writes() {
		op.Parameters = append(op.Parameters, &huma.Param{Name: "Idempotency-Key", In: "header", Schema: &huma.Schema{Type: huma.TypeString, MaxLength: ptr(200)},
			Description: "Sent again with the same body within a day, the request is answered the same and done once."})
	} else if !o.stream {
		op.Parameters = append(op.Parameters, &huma.Param{Name: "If-None-Match", In: "header", Schema: &huma.Schema{Type: huma.TypeString},
			Description: "An ETag; where nothing changed the answer is 304."})
	}
	huma.Register(s.api, op, func(ctx context.Context, in *I) (*O, error) {
		heard(ctx)
		out, err := f(ctx, in)
		if err == nil {
			return out, nil
		}
		var headers huma.HeadersError
		if errors.As(err, &headers) {
			return nil, err
		}
		return nil, s.problem(ctx, err)
	})
}

// heard ends the time that a request has to arrive. It would end the answer, too: the server goes on reading for the
// sign that its client has left.
func heard(ctx context.Context) {
	if w := accountOf(ctx).writer; w != nil {
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	}
}

func ptr[T any](v T) *T { return &v }

// finishAPI completes the document: lists are never null, and what the middleware answers is said.
func (s *Server) finishAPI() {
	doc := s.api.OpenAPI()
	for _, schema := range doc.Components.Schemas.Map() {
		neverNull(schema)
	}
	if claim := doc.Components.Schemas.Map()["Claim"]; claim != nil { // huma has no way to say that an object may be null
		claim.Properties["source"] = &huma.Schema{AnyOf: []*huma.Schema{claim.Properties["source"], {Type: "null"}}}
	}
	for _, item := range doc.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Delete} {
			if op == nil {
				continue
			}
			o := op.Metadata["operation"].(operation)
			if o.also != 0 {
				also := *op.Responses[fmt.Sprint(o.status)]
				also.Description = http.StatusText(o.also)
				op.Responses[fmt.Sprint(o.also)] = &also
			}
			if !o.writes() && !o.stream {
				op.Responses["304"] = &huma.Response{Description: "Not Modified"}
			}
			for _, r := range op.Responses {
				for _, m := range r.Content {
					neverNull(m.Schema)
				}
			}
			slices.SortFunc(op.Parameters, func(a, b *huma.Param) int { return strings.Compare(a.In+a.Name, b.In+b.Name) })
		}
	}
}

func neverNull(s *huma.Schema) {
	if s == nil {
		return
	}
	if s.Type == huma.TypeArray {
		s.Nullable = false
	}
	neverNull(s.Items)
	for _, p := range s.Properties {
		neverNull(p)
	}
	if more, ok := s.AdditionalProperties.(*huma.Schema); ok {
		neverNull(more)
	}
	for _, list := range [][]*huma.Schema{s.OneOf, s.AnyOf, s.AllOf} {
		for _, p := range list {
			neverNull(p)
		}
	}
}

func (s *Server) openAPI(w http.ResponseWriter, r *http.Request) {
	accountOf(r.Context()).route = "/openapi.json"
	b, err := json.Marshal(s.api.OpenAPI())
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.tagged(w, r, http.StatusOK, "application/openapi+json", b)
}

func (s *Server) noSuchRoute(w http.ResponseWriter, r *http.Request) {
	accountOf(r.Context()).route = "none"
	allowed := s.methodsOf(r.URL.Path)
	if len(allowed) == 0 {
		err := error(&statusError{http.StatusNotFound, errors.New("no such route")})
		if providerError(r) != nil {
			err = notPassed(r.URL.Path)
		}
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	s.fail(w, r, &statusError{http.StatusMethodNotAllowed, fmt.Errorf("this address takes %s", strings.Join(allowed, ", "))})
}

// methodsOf lists the methods that an address takes. The route for the rest of /api/ hides them from the mux.
func (s *Server) methodsOf(path string) []string {
	var out []string
	for pattern, item := range s.api.OpenAPI().Paths {
		if !matches(pattern, path) {
			continue
		}
		for method, op := range map[string]*huma.Operation{"GET": item.Get, "POST": item.Post, "PUT": item.Put, "DELETE": item.Delete} {
			if op != nil {
				out = append(out, method)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func matches(pattern, path string) bool {
	want, got := strings.Split(pattern, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return false
	}
	for i, w := range want {
		if w != got[i] && !strings.HasPrefix(w, "{") {
			return false
		}
	}
	return true
}

// admit is what every operation goes through: who calls, may they, is there room, was it done before.
func (s *Server) admit(ctx huma.Context, next func(huma.Context)) {
	o := ctx.Operation().Metadata["operation"].(operation)
	r, w := humago.Unwrap(ctx)
	accountOf(r.Context()).route = o.path
	c, err := s.who(r, o.scope)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	accountOf(r.Context()).key = c.key
	if wait, ok := s.limits.allow(c.name); !ok {
		s.refuse(w, r, tooMany(wait, "too many requests"))
		return
	}
	release, err := s.room(w, r, o)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	defer release()
	r = r.WithContext(context.WithValue(r.Context(), callerKey{}, c))
	if o.upload {
		form, err := s.receive(w, r, o.body)
		if err != nil {
			s.refuse(w, r, err)
			return
		}
		defer form.RemoveAll()
	}
	if o.working { // whoever works longer keeps others waiting
		limited, cancel := context.WithTimeout(r.Context(), s.limits.Longest)
		defer cancel()
		r = r.WithContext(limited)
	}
	run := func(w http.ResponseWriter, r *http.Request) { next(humago.NewContext(ctx.Operation(), r, w)) }
	if o.writes() && isGateway(o.path) { // what is wrong with the body is said in the provider's form, too
		body, err := s.readBody(w, r, o.body)
		if err == nil && len(body) == 0 {
			err = &statusError{http.StatusBadRequest, errors.New("the body is empty")}
		}
		if err != nil {
			s.refuse(w, r, err)
			return
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		r.Header.Set("Content-Type", "application/json")
	}
	switch key := r.Header.Get("Idempotency-Key"); {
	case o.writes() && key != "":
		s.once(w, r, o, c, key, run)
	case o.writes() || o.stream:
		run(w, r)
	default:
		kept := &recorder{header: w.Header()}
		run(kept, r)
		s.tagged(w, r, kept.status, "", kept.body.Bytes())
	}
}

// refuse answers before an operation runs.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	var headers huma.HeadersError
	if errors.As(err, &headers) {
		for k, v := range headers.GetHeaders() {
			w.Header()[k] = v
		}
	}
	s.fail(w, r, err)
}

// room waits for room to work in, for a short while, and says when to come back where there is none. What is sent for work is
// read before: who sends it slowly, or never to its end, would keep others from working. An upload takes its turn in its
// operation, or as a job, when its files have come.
func (s *Server) room(w http.ResponseWriter, r *http.Request, o operation) (release func(), err error) {
	var done []func()
	release = func() {
		for _, f := range done {
			f()
		}
	}
	if o.upload {
		if t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || t != "multipart/form-data" {
			return nil, &statusError{http.StatusUnsupportedMediaType, errors.New("send the files as multipart/form-data")}
		}
		if r.ContentLength > o.body {
			return nil, &statusError{http.StatusRequestEntityTooLarge, fmt.Errorf("the upload is larger than %d MB", o.body>>20)}
		}
		if !s.limits.uploads.TryAcquire(1) {
			return nil, tooMany(5*time.Second, "too many uploads are arriving")
		}
		done = append(done, func() { s.limits.uploads.Release(1) })
	}
	if o.writes() && !o.upload {
		n := r.ContentLength
		if n < 0 || n > or(o.body, 1<<20) {
			n = or(o.body, 1<<20)
		}
		n = min(n, s.limits.Bytes)
		if !s.limits.bytes.TryAcquire(n) {
			return nil, tooMany(time.Second, "the server has too much in hand")
		}
		done = append(done, func() { s.limits.bytes.Release(n) })
	}
	switch {
	case o.stream:
		if !s.limits.streams.TryAcquire(1) {
			release()
			return nil, tooMany(time.Second, "too many answers are being written")
		}
		done = append(done, func() { s.limits.streams.Release(1) })
	case o.working && !o.upload:
		if o.writes() {
			body, err := s.readBody(w, r, or(o.body, 1<<20))
			if err != nil {
				release()
				return nil, err
			}
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		}
		if err := s.turn(r.Context()); err != nil {
			release()
			return nil, err
		}
		done = append(done, func() { s.limits.working.Release(1) })
	}
	return release, nil
}

// longestWait is how long a request waits for its turn.
const longestWait = 15 * time.Second

// turn takes a place to work at. Only some may wait for one: a longer queue would only make everyone late.
func (s *Server) turn(ctx context.Context) error {
	if s.limits.working.TryAcquire(1) {
		return nil
	}
	if !s.limits.queue.TryAcquire(1) {
		return tooMany(time.Second, "the server is busy")
	}
	defer s.limits.queue.Release(1)
	wait, cancel := context.WithTimeout(ctx, longestWait)
	defer cancel()
	if s.limits.working.Acquire(wait, 1) != nil {
		return tooMany(time.Second, "the server is busy")
	}
	return nil
}

// once runs a write that carries an idempotency key, or answers as it was answered before.
func (s *Server) once(w http.ResponseWriter, r *http.Request, o operation, c *caller, key string, run func(http.ResponseWriter, *http.Request)) {
	if len(key) > 200 || !utf8.ValidString(key) {
		s.fail(w, r, invalid("header.Idempotency-Key", "the key is longer than 200 bytes or not UTF-8"))
		return
	}
	request, err := s.fingerprint(w, r, o)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	owner := c.name + "\x00" + c.collection
	before, err := s.Store.Claim(r.Context(), owner, key, request, s.Asker.Now())
	switch {
	case err != nil:
		s.fail(w, r, err)
		return
	case before != nil && before.Status == 0:
		w.Header().Set("Retry-After", "1")
		s.fail(w, r, &statusError{http.StatusConflict, errors.New("the same request is still being done; ask again in a moment")})
		return
	case before != nil:
		s.replay(w, r, c, *before)
		return
	}
	kept := &recorder{header: w.Header(), through: w}
	kept.streams = func(id string) { // what a stream says can be read again from its own record
		_ = s.Store.Settle(context.WithoutCancel(r.Context()), owner, key, &sqlite.Replay{Status: http.StatusOK, MediaType: ownStream, Body: []byte(id)})
	}
	settled := false
	defer func() {
		if !settled && kept.stream == "" {
			_ = s.Store.Settle(context.WithoutCancel(r.Context()), owner, key, nil)
		}
	}()
	run(kept, r)
	if kept.stream == "" && !kept.cut && kept.status < 500 && kept.status != http.StatusTooManyRequests && r.Context().Err() == nil {
		answer := &sqlite.Replay{Status: kept.status, MediaType: w.Header().Get("Content-Type"), Body: kept.body.Bytes()}
		if o.once != "" && kept.status < 300 { // what is told once is not kept to be told again
			body, err := json.Marshal(huma.ErrorModel{Title: http.StatusText(http.StatusConflict), Status: http.StatusConflict, Detail: o.once})
			if err != nil {
				return
			}
			answer = &sqlite.Replay{Status: http.StatusConflict, MediaType: "application/problem+json", Body: body}
		}
		settled = s.Store.Settle(context.WithoutCancel(r.Context()), owner, key, answer) == nil
	}
}

// fingerprint tells one request from another. The body is read for it and put back.
func (s *Server) fingerprint(w http.ResponseWriter, r *http.Request, o operation) ([]byte, error) {
	sum := sha256.New()
	if o.upload {
		fmt.Fprintf(sum, "%s %s upload\n%s\n", r.Method, r.URL.RequestURI(), r.Header.Get("Accept"))
		err := addForm(sum, r.MultipartForm)
		return sum.Sum(nil), err
	}
	fmt.Fprintf(sum, "%s %s %s\n%s\n", r.Method, r.URL.RequestURI(), r.Header.Get("Content-Type"), r.Header.Get("Accept"))
	body, err := s.readBody(w, r, or(o.body, 1<<20))
	if err != nil {
		return nil, err
	}
	sum.Write(body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	return sum.Sum(nil), nil
}

// addForm adds the parts of a form to a sum: their names and what they hold, each with its length. The boundary between
// them is left out, as a client that sends a form again draws another one.
func addForm(sum io.Writer, form *multipart.Form) error {
	for _, field := range sortedKeys(form.Value) {
		fmt.Fprintf(sum, "%q %q\n", field, form.Value[field])
	}
	for _, field := range sortedKeys(form.File) {
		for _, f := range form.File[field] {
			file, err := f.Open()
			if err != nil {
				return err
			}
			content := sha256.New()
			n, err := io.Copy(content, file)
			file.Close()
			if err != nil {
				return err
			}
			fmt.Fprintf(sum, "%q %q %q %d %x\n", field, f.Filename, f.Header.Get("Content-Type"), n, content.Sum(nil))
		}
	}
	return nil
}

// receive takes in the files of an upload, large ones into temporary files. They are the caller's to remove.
func (s *Server) receive(w http.ResponseWriter, r *http.Request, most int64) (*multipart.Form, error) {
	control := http.NewResponseController(w)
	r.Body = http.MaxBytesReader(w, &arriving{ReadCloser: r.Body, more: func() { _ = control.SetReadDeadline(time.Now().Add(s.Patience)) }}, most)
	if err := r.ParseMultipartForm(humago.MultipartMaxMemory); err != nil {
		return nil, formError(err)
	}
	return r.MultipartForm, nil
}

// arriving reads an upload as long as it keeps coming: every piece of it has the time that other requests have as a whole.
// Files take minutes over a slow line, and it is only who sends next to nothing that is given up.
type arriving struct {
	io.ReadCloser
	more func() // gives it time for the next piece
	left int    // bytes of this one
}

const pieceOfUpload = 1 << 20

func (a *arriving) Read(b []byte) (int, error) {
	if a.left <= 0 {
		a.left = pieceOfUpload
		a.more()
	}
	n, err := a.ReadCloser.Read(b)
	a.left -= n
	return n, err
}

// formError says why a form could not be read.
func formError(err error) error {
	var tooLarge *http.MaxBytesError
	var ours *fs.PathError // of the temporary files
	switch {
	case errors.As(err, &tooLarge), errors.Is(err, os.ErrDeadlineExceeded):
		return bodyError(err)
	case errors.Is(err, multipart.ErrMessageTooLarge):
		return &statusError{http.StatusRequestEntityTooLarge, errors.New("the fields of the form that are no files are too large")}
	case errors.As(err, &ours):
		return err
	}
	return &statusError{http.StatusBadRequest, fmt.Errorf("the form cannot be read: %w", err)}
}

// readBody reads the whole body. A client that sends it slowly is not waited for.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request, most int64) ([]byte, error) {
	deadline := http.NewResponseController(w)
	_ = deadline.SetReadDeadline(time.Now().Add(s.Patience))
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	if err != nil {
		return nil, bodyError(err) // the deadline stays: the server reads what is left of a body before it answers
	}
	return body, deadline.SetReadDeadline(time.Time{})
}

// bodyError says why a body could not be read.
func bodyError(err error) error {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return &statusError{http.StatusRequestEntityTooLarge, fmt.Errorf("the body is larger than %d MB", tooLarge.Limit>>20)}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &statusError{http.StatusRequestTimeout, errors.New("the request did not arrive in time; send it at once")}
	case status(err) == http.StatusInternalServerError:
		return &statusError{http.StatusBadRequest, fmt.Errorf("the request was cut: %w", err)}
	}
	return err
}

// ownStream marks what is kept of a stream of ours: its id. Those of a provider are kept as they were sent.
const ownStream = "ibid stream"

// replay answers as before.
func (s *Server) replay(w http.ResponseWriter, r *http.Request, c *caller, before sqlite.Replay) {
	w.Header().Set("Idempotent-Replayed", "true")
	if before.MediaType == ownStream {
		if err := s.hub.serve(w, r, c, string(before.Body), 0); err != nil {
			s.fail(w, r, err)
		}
		return
	}
	w.Header().Set("Content-Type", before.MediaType)
	w.WriteHeader(before.Status)
	w.Write(before.Body)
}

// tagged sends an answer with its ETag, or says that nothing changed.
func (s *Server) tagged(w http.ResponseWriter, r *http.Request, code int, mediaType string, body []byte) {
	if mediaType != "" {
		w.Header().Set("Content-Type", mediaType)
	}
	packed := takesPacked(w, r) && len(body) >= worthPacking && packable(w.Header().Get("Content-Type"))
	if code == http.StatusOK || code == 0 {
		sum := sha256.Sum256(body)
		tag := `"` + hex.EncodeToString(sum[:12]) + `"`
		if w.Header().Set("ETag", tag); packed { // the same in other bytes
			w.Header().Set("ETag", "W/"+tag)
		}
		w.Header().Set("Cache-Control", "private, no-cache")
		if matchesTag(r.Header.Get("If-None-Match"), tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	if packed {
		w.Header().Set("Content-Encoding", "gzip")
		body = pack(body, gzip.BestSpeed)
	}
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(s.Patience))
	w.WriteHeader(or(code, http.StatusOK))
	w.Write(body)
	_ = http.NewResponseController(w).SetWriteDeadline(time.Time{})
}

func matchesTag(header, tag string) bool {
	for _, t := range strings.Split(header, ",") {
		if t = strings.TrimPrefix(strings.TrimSpace(t), "W/"); t == tag || t == "*" {
			return true
		}
	}
	return false
}

// recorder keeps what a handler answers, and passes it on where it is told to.
type recorder struct {
	header  http.Header
	status  int
	body    bytes.Buffer
	through http.ResponseWriter // may be nil
	streams func(id string)     // called when the answer turns out to be a stream
	stream  string
	cut     bool // too long to be kept
}

// maxKept bounds an answer that is kept to be given again.
const maxKept = 16 << 20

func (k *recorder) Header() http.Header { return k.header }

func (k *recorder) WriteHeader(code int) {
	if k.status != 0 {
		return
	}
	k.status = code
	if k.stream = k.header.Get("Ibid-Stream"); k.stream != "" && k.streams != nil {
		k.streams(k.stream)
	}
	if k.through != nil {
		k.through.WriteHeader(code)
	}
}

func (k *recorder) Write(b []byte) (int, error) {
	if k.status == 0 {
		k.WriteHeader(http.StatusOK)
	}
	k.cut = k.cut || k.through != nil && k.body.Len()+len(b) > maxKept
	if k.stream == "" && !k.cut {
		k.body.Write(b)
	}
	if k.through != nil {
		return k.through.Write(b)
	}
	return len(b), nil
}

// Unwrap gives http.ResponseController the writer beneath.
func (k *recorder) Unwrap() http.ResponseWriter { return k.through }

// accepts reports whether the caller asks for a media type by name.
func accepts(ctx context.Context, mediaType string) bool {
	r := accountOf(ctx).request
	if r == nil {
		return false
	}
	for _, part := range strings.Split(r.Header.Get("Accept"), ",") {
		if t, _, err := mime.ParseMediaType(part); err == nil && t == mediaType {
			return true
		}
	}
	return false
}
