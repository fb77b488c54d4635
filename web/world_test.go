package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/index"
	"github.com/ibid-dev/ibid/llm"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/web"
	"github.com/ibid-dev/ibid/workflow"
)

// world is a server over a library of its own. Every answer of its API is held against its OpenAPI document.
type world struct {
	*httptest.Server
	t      testing.TB
	store  *sqlite.Store
	dir    string // of the store
	server *web.Server
	config web.Config
	log    *lines
	doc    *document              // of OpenAPI
	seen   map[ibid.AnswerID]bool // answers that were given by [came]
}

// lines collects a log.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) { l.mu.Lock(); defer l.mu.Unlock(); return l.b.Write(p) }
func (l *lines) String() string              { l.mu.Lock(); defer l.mu.Unlock(); return l.b.String() }

// open starts a server with everything open and a model without a network, changed as the test wants it.
func open(t testing.TB, change ...func(*web.Config)) *world {
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
	ids := 0
	var mu sync.Mutex
	w := &world{t: t, store: store, dir: dir, log: &lines{}, seen: map[ibid.AnswerID]bool{}}
	w.config = web.Config{
		Store: store, Log: slog.New(slog.NewTextHandler(w.log, nil)), Open: true, Updated: ix.Update, Version: "test",
		Asker: &workflow.Asker{Retriever: ix, Model: llm.Extractive{}, Attributor: attribute.New(attribute.Config{}), Now: time.Now, NewID: func() ibid.AnswerID {
			mu.Lock()
			defer mu.Unlock()
			ids++
			return ibid.AnswerID(fmt.Sprintf("a%015d", ids))
		}},
	}
	for _, f := range change {
		f(&w.config)
	}
	if w.server, err = web.New(w.config); err != nil {
		t.Fatal(err)
	}
	w.Server = httptest.NewServer(w.server)
	t.Cleanup(func() { w.server.Close(); w.Server.Close() })
	w.doc = readDocument(t, w.URL)
	return w
}

// of is the same server, for a part of a test.
func (w *world) of(t testing.TB) *world {
	out := *w
	out.t = t
	return &out
}

// cables is a small library.
func (w *world) cables() *world {
	w.t.Helper()
	for _, name := range []string{"atlantic-telegraph.md", "letters.md", "timeline.txt", "thomson.md"} {
		b, err := os.ReadFile(filepath.Join("..", "examples", "library", name))
		if err != nil {
			w.t.Fatal(err)
		}
		w.ingest(name, string(b))
	}
	return w
}

// ingest takes a text into the library and gives its source.
func (w *world) ingest(name, text string, headers ...string) string {
	w.t.Helper()
	var job struct {
		State    string
		Outcomes []struct{ Source, Error string }
	}
	w.post("/api/v1/ingest?wait=30", map[string]any{"texts": []any{map[string]any{"name": name, "text": text}}}, headers...).want(200).into(&job)
	if job.State != "done" || job.Outcomes[0].Error != "" {
		w.t.Fatalf("ingesting %s: %+v", name, job)
	}
	return job.Outcomes[0].Source
}

// reply is an answer of the server, read whole.
type reply struct {
	t      testing.TB
	what   string
	status int
	header http.Header
	body   []byte
}

// send sends a request, and holds the answer against the document. Headers are names and values in turn.
func (w *world) send(method, path string, body io.Reader, headers ...string) reply {
	w.t.Helper()
	req, err := http.NewRequest(method, w.URL+path, body)
	if err != nil {
		w.t.Fatal(err)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Host" {
			req.Host = headers[i+1]
			continue
		}
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatalf("%s %s: %v", method, path, err)
	}
	r := reply{w.t, method + " " + path, res.StatusCode, res.Header, b}
	if err := w.doc.check(method, req.URL.Path, r); err != nil {
		w.t.Errorf("%s %s is not what the document says: %v\n%s", method, path, err, clip(b))
	}
	return r
}

func (w *world) get(path string, headers ...string) reply {
	w.t.Helper()
	return w.send("GET", path, nil, headers...)
}

func (w *world) post(path string, v any, headers ...string) reply {
	w.t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.send("POST", path, bytes.NewReader(b), headers...)
}

func (r reply) want(status int) reply {
	r.t.Helper()
	if r.status != status {
		r.t.Fatalf("%s: status %d, want %d: %s", r.what, r.status, status, clip(r.body))
	}
	return r
}

func (r reply) into(v any) {
	r.t.Helper()
	if err := json.Unmarshal(r.body, v); err != nil {
		r.t.Fatalf("%s: %v: %s", r.what, err, clip(r.body))
	}
}

// says holds that the body has the words.
func (r reply) says(words string) reply {
	r.t.Helper()
	if !strings.Contains(string(r.body), words) {
		r.t.Errorf("%s does not say %s: %s", r.what, words, clip(r.body))
	}
	return r
}

// points holds that a problem points at a field.
func (r reply) points(field string) reply {
	r.t.Helper()
	var p struct{ Errors []struct{ Location string } }
	r.into(&p)
	for _, e := range p.Errors {
		if e.Location == field {
			return r
		}
	}
	r.t.Errorf("%s: the problem does not point at %s: %s", r.what, field, clip(r.body))
	return r
}

func clip(b []byte) string {
	if len(b) > 1500 {
		return string(b[:1500]) + "…"
	}
	return string(b)
}

// sent is one event of a stream.
type sent struct{ id, kind, data string }

// events reads a stream.
func events(body string) []sent {
	var out []sent
	for _, block := range strings.Split(body, "\n\n") {
		var e sent
		for _, line := range strings.Split(block, "\n") {
			name, value, _ := strings.Cut(line, ": ")
			switch name {
			case "id":
				e.id = value
			case "event":
				e.kind = value
			case "data":
				e.data += value
			}
		}
		if e.kind != "" {
			out = append(out, e)
		}
	}
	return out
}

// lastOf gives the last event, which must be done.
func lastOf(t testing.TB, all []sent) sent {
	t.Helper()
	if len(all) == 0 || all[len(all)-1].kind != "done" {
		t.Fatalf("the stream does not end with done: %+v", all)
	}
	return all[len(all)-1]
}
