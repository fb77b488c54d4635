package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/client"
	"github.com/ibid-dev/ibid/index"
	"github.com/ibid-dev/ibid/llm"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/web"
	"github.com/ibid-dev/ibid/workflow"
)

const notes = "The first transatlantic cable was completed on 5 August 1858. It failed after three weeks."

// server runs a whole server, and keeps the paths that were asked for.
func server(t testing.TB, wrap func(http.Handler) http.Handler) (*client.Client, *calls) {
	t.Helper()
	dir := t.TempDir()
	store, err := sqlite.Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	ix, err := index.Open(context.Background(), filepath.Join(dir, "index"), store, index.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	log, err := store.Log(context.Background(), sqlite.LogConfig{})
	if err != nil {
		t.Fatal(err)
	}
	var n atomic.Int64
	s, err := web.New(web.Config{Store: store, AuditLog: log, Open: true, Limits: web.Limits{PerSecond: -1}, Updated: ix.Update, Version: "test", Asker: &workflow.Asker{Retriever: ix, Model: llm.Extractive{},
		Attributor: attribute.New(attribute.Config{}), Now: time.Now, NewID: func() ibid.AnswerID { return ibid.AnswerID(fmt.Sprintf("a%015d", n.Add(1))) }}})
	if err != nil {
		t.Fatal(err)
	}
	seen := &calls{}
	handler := http.Handler(s)
	if wrap != nil {
		handler = wrap(s)
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { seen.add(r); handler.ServeHTTP(w, r) }))
	t.Cleanup(func() { s.Close(); srv.Close() })
	seen.base = srv.URL
	return client.New(srv.URL, client.Config{}), seen
}

type calls struct {
	mu   sync.Mutex
	base string
	list []*http.Request
}

func (c *calls) add(r *http.Request) { c.mu.Lock(); defer c.mu.Unlock(); c.list = append(c.list, r) }

func TestClient(t *testing.T) {
	ctx := t.Context()
	c, seen := server(t, nil)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	job, err := c.Upload(ctx, "notes.md", strings.NewReader(notes))
	must(err)
	if job.State != "done" || job.Failed != 0 {
		t.Fatalf("job %+v", job)
	}
	_, err = c.Job(ctx, job.ID)
	must(err)
	a, err := c.Ask(ctx, client.Question{Question: "When was the first transatlantic cable completed?"})
	must(err)
	must(a.Check())
	again, err := c.Answer(ctx, a.ID)
	must(err)
	if len(a.Citations) == 0 || again.Text != a.Text {
		t.Errorf("asked %+v, stored %+v", a, again)
	}
	text, last := "", client.Event{}
	for e, err := range c.AskStream(ctx, client.Question{Question: "When did the cable fail?"}) {
		must(err)
		if e.Kind == "text" {
			var d struct{ Text string }
			must(json.Unmarshal(e.Data, &d))
			text += d.Text
		}
		last = e
	}
	var done ibid.Answer
	must(json.Unmarshal(last.Data, &done))
	if last.Kind != "done" || done.Text != text || text == "" {
		t.Errorf("streamed %q, then %s", text, last.Data)
	}
	n := 0
	for h, err := range c.Answers(ctx) {
		must(err)
		n++
		_ = h
	}
	for s, err := range c.Sources(ctx) {
		must(err)
		if s.Title == "" {
			t.Errorf("source %+v", s)
		}
	}
	if n != 2 {
		t.Errorf("%d answers", n)
	}
	_, err = c.Think(ctx, client.Question{Question: "When was the cable completed, and when did it fail?"})
	must(err)
	_, err = c.Argue(ctx, "The cable failed after three weeks.")
	must(err)
	study, err := c.BeginStudy(ctx, "the cable of 1858")
	must(err)
	for study.Working {
		study, err = c.Study(ctx, study.ID)
		must(err)
	}
	dossier, err := c.ExportStudy(ctx, study.ID, "markdown")
	must(err)
	if !study.Done || !strings.Contains(string(dossier), "the cable of 1858") {
		t.Errorf("%+v: %s", study, dossier)
	}
	_, err = c.Attribute(ctx, "", "It failed after three weeks.", []client.Source{{Text: notes}})
	must(err)
	_, err = c.Bibliography(ctx, a.ID, "apa")
	must(err)
	_, err = c.Export(ctx, a.ID, "bibtex")
	must(err)
	entries, err := c.LibraryBibliography(ctx, "apa")
	must(err)
	records, err := c.ExportLibrary(ctx, "csljson")
	must(err)
	var refs []ibid.Reference
	must(json.Unmarshal(records, &refs))
	if len(refs) == 0 || len(entries) != len(refs) {
		t.Errorf("%d entries and %d records of the library", len(entries), len(refs))
	}
	_, err = c.Receipt(ctx, a.ID)
	must(err)
	_, err = c.GiveFeedback(ctx, a.ID, 1, a.Citations[0].Source, api.Right, "")
	must(err)
	in, err := c.Insights(ctx)
	must(err)
	if in.Feedback.Right != 1 {
		t.Errorf("insights %+v", in)
	}
	n = 0
	for h, err := range c.FindAnswers(ctx, api.Find{Words: `"` + strings.ToUpper(a.Question) + `" transat`, Source: a.Citations[0].Source}) {
		must(err)
		if n++; h.ID != a.ID || h.Question != a.Question || !strings.Contains(a.Text, h.Excerpt) || h.Excerpt == "" {
			t.Errorf("found %+v", h)
		}
	}
	if n != 1 {
		t.Errorf("%d answers found", n)
	}
	job, err = c.IngestTexts(ctx, client.Text{Name: "more.md", Title: "More", Text: "It was mended."})
	must(err)
	if job.State != "done" || job.Failed != 0 {
		t.Errorf("job %+v", job)
	}
	for e, err := range c.ThinkStream(ctx, client.Question{Question: "When was it completed, and when did it fail?"}) {
		must(err)
		last = e
	}
	if last.Kind != "done" {
		t.Errorf("thinking ends with %+v", last)
	}
	run, err := c.StartRun(ctx)
	must(err)
	_, err = c.AddClaims(ctx, run.ID, client.Claims{Agent: "reader", Sources: []client.ToolResult{{Identifier: "s1", Category: "http", Content: notes}},
		Claims: []client.Claim{{Text: "It failed.", Source: "s1", Quotes: []string{"It failed"}}, {Text: "One page was read.", Exempt: ibid.AboutRun}}})
	must(err)
	run, err = c.FinishRun(ctx, run.ID)
	must(err)
	kept, err := c.Run(ctx, run.ID)
	must(err)
	if run.Verdict == nil || !run.Verdict.Pass || len(kept.Claims) != 2 || kept.Claims[0].Source == nil {
		t.Errorf("run %+v, kept as %+v", run, kept)
	}
	var verified struct{ Whole bool }
	must(c.Call(ctx, "POST", "/api/v1/audit/verify", nil, nil, &verified))
	if !verified.Whole {
		t.Error("the log is not whole")
	}
	must(c.RemoveSource(ctx, a.Citations[0].Source))
	var p *client.Problem
	if _, err := c.IngestURLs(ctx, "ftp://example.org"); !errors.As(err, &p) || p.Status != 422 || !errors.Is(err, ibid.ErrInvalid) || p.Errors[0].Location != "body.urls[0]" {
		t.Errorf("a bad address gives %v", err)
	}
	if _, err := c.Answer(ctx, "none"); !errors.Is(err, ibid.ErrNotFound) {
		t.Errorf("an answer that is not there gives %v", err)
	}
	documented(t, seen)
}

// documented holds that every call is one that the OpenAPI document has, with the parameters it names.
func documented(t *testing.T, seen *calls) {
	res, err := http.Get(seen.base + "/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var doc struct {
		Paths map[string]map[string]struct {
			Parameters []struct{ Name, In string }
		}
	}
	if err := json.NewDecoder(res.Body).Decode(&doc); err != nil {
		t.Fatal(err)
	}
	for _, r := range seen.list {
		if r.URL.Path == "/openapi.json" {
			continue
		}
		found := false
		for pattern, methods := range doc.Paths {
			op, ok := methods[strings.ToLower(r.Method)]
			if !ok || !matches(pattern, r.URL.Path) {
				continue
			}
			found = true
			for name := range r.URL.Query() {
				known := false
				for _, p := range op.Parameters {
					known = known || p.In == "query" && p.Name == name
				}
				if !known {
					t.Errorf("%s %s: the document has no parameter %s", r.Method, pattern, name)
				}
			}
		}
		if !found {
			t.Errorf("%s %s is not in the document", r.Method, r.URL.Path)
		}
	}
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

// A stream that is cut by what lies between is read on, and each event comes once.
func TestStreamIsTakenUpAgain(t *testing.T) {
	cut := 0
	c, _ := server(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if cut < 2 && (r.URL.Path == "/api/v1/ask" || strings.HasPrefix(r.URL.Path, "/api/v1/streams/")) {
				cut++
				next.ServeHTTP(&short{ResponseWriter: w, left: 700}, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	})
	if _, err := c.Upload(t.Context(), "notes.md", strings.NewReader(notes)); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for e, err := range c.AskStream(t.Context(), client.Question{Question: "When was the first transatlantic cable completed?"}) {
		if err != nil {
			t.Fatal(err)
		}
		_, n, _ := strings.Cut(e.ID, ".")
		ids = append(ids, n+" "+e.Kind)
	}
	if cut != 2 || len(ids) < 3 || ids[0] != "1 retrieved" || !strings.HasSuffix(ids[len(ids)-1], " done") {
		t.Errorf("cut %d times, events %v", cut, ids)
	}
	for i, id := range ids {
		if !strings.HasPrefix(id, fmt.Sprint(i+1, " ")) {
			t.Errorf("event %d is %s", i+1, id)
		}
	}
}

// Where the line is down for a while, it is tried again; what the server refuses is not.
func TestStreamIsTakenUpWhenTheLineIsBack(t *testing.T) {
	for _, status := range []int{0, 503, 404} { // of what lies between; 0 where nothing answers
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			down := 0
			c, _ := server(t, func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					switch {
					case r.URL.Path == "/api/v1/ask":
						next.ServeHTTP(&short{ResponseWriter: w, left: 700}, r)
					case strings.HasPrefix(r.URL.Path, "/api/v1/streams/") && down < 2:
						if down++; status == 0 {
							panic(http.ErrAbortHandler)
						}
						w.WriteHeader(status)
					default:
						next.ServeHTTP(w, r)
					}
				})
			})
			if _, err := c.Upload(t.Context(), "notes.md", strings.NewReader(notes)); err != nil {
				t.Fatal(err)
			}
			last, failed := "", error(nil)
			for e, err := range c.AskStream(t.Context(), client.Question{Question: "When was the first transatlantic cable completed?"}) {
				last, failed = e.Kind, errors.Join(failed, err)
			}
			if whole := last == "done" && failed == nil; whole != (status != 404) {
				t.Errorf("the last event is %q, %v", last, failed)
			}
			if want := map[bool]int{true: 1, false: 2}[status == 404]; down != want {
				t.Errorf("tried %d times in vain, want %d", down, want)
			}
		})
	}
}

// short takes so many bytes and then no more.
type short struct {
	http.ResponseWriter
	left int
}

func (s *short) Write(b []byte) (int, error) {
	n := min(len(b), s.left)
	s.left -= n
	s.ResponseWriter.Write(b[:n])
	if n < len(b) {
		return n, errors.New("cut")
	}
	return n, nil
}

func (s *short) Unwrap() http.ResponseWriter { return s.ResponseWriter }
