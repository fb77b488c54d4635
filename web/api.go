package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/cite"
	"github.com/ibid-dev/ibid/gate"
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
		DefaultStatus: o.status, MaxBodyBytes: -1, BodyReadTimeout: s.Patience, Metadata: map[string]any{"operation": o}, Responses: o.answers}
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
		err := notThere("the API has no such address; /docs lists what it has")
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
