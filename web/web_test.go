package web_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/llm/llmtest"
	"github.com/ibid-dev/ibid/web"
	"github.com/ibid-dev/ibid/workflow"
)

const hostile = `<script>alert(1)</script><img src=x onerror=alert(2)> {{.}} "quoted" 'single' </blockquote>`

// world is a server over one passage, whose model says what it is told to.
type world struct {
	answers map[ibid.AnswerID]ibid.Answer
	text    string
}

func (w *world) PutAnswer(_ context.Context, a ibid.Answer) error { w.answers[a.ID] = a; return nil }
func (w *world) Conversation(context.Context, ibid.ConversationID) ([]ibid.Answer, error) {
	return nil, nil
}
func (w *world) Answer(_ context.Context, id ibid.AnswerID) (ibid.Answer, error) {
	if a, ok := w.answers[id]; ok {
		return a, nil
	}
	return ibid.Answer{}, ibid.ErrNotFound
}
func (w *world) source() ibid.Source {
	return ibid.Source{ID: "s", URI: "file:///home/secret/papers/cable.md", Reference: ibid.Reference{Text: map[string]string{"title": "Cable " + hostile}}}
}
func (w *world) Titles(context.Context, string) ([]ibid.Source, error) {
	return []ibid.Source{w.source()}, nil
}
func (w *world) Retrieve(context.Context, ibid.Query) ([]ibid.Passage, error) {
	return []ibid.Passage{{Rank: 1, Score: 0.123456, Source: w.source(), Chunk: ibid.Chunk{Text: w.text,
		At: ibid.Anchor{Document: ibid.HashText(w.text), Span: ibid.Span{End: len(w.text)}}}}}, nil
}

// Attribute finds every segment in the whole passage.
func (w *world) Attribute(_ context.Context, ps []ibid.Passage, drafts iter.Seq2[ibid.Draft, error]) iter.Seq2[ibid.Finding, error] {
	return func(yield func(ibid.Finding, error) bool) {
		for d := range drafts {
			f := ibid.Finding{Segment: ibid.Segment{At: d.At, Origin: ibid.RAG, Refs: []int{1}, Support: 0.98765, Confidence: 0.98765},
				Attributions: []ibid.Attribution{{Of: d.At, To: ps[0].Chunk.At, Ref: 1, Score: 17.5, Confidence: 0.98765}}}
			if !yield(f, nil) {
				return
			}
		}
	}
}

func serve(t *testing.T, says ...string) (*httptest.Server, *world) {
	t.Helper()
	w := &world{answers: map[ibid.AnswerID]ibid.Answer{}, text: "The passage. " + hostile}
	asker := &workflow.Asker{Retriever: w, Model: llmtest.Says(says...), Attributor: w, Record: w,
		Now: func() time.Time { return time.Unix(0, 0) }, NewID: func() ibid.AnswerID { return "a1" }}
	h, err := web.New(web.Config{Asker: asker, Record: w, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s, w
}

func body(t *testing.T, res *http.Response, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestStreamAndStoredAnswerAreTheSame(t *testing.T) {
	s, _ := serve(t, "One. ", "Two is lon", "ger. Three.")
	req, _ := http.NewRequest("POST", s.URL+"/api/v1/ask", strings.NewReader(`{"question":"What?"}`))
	req.Header.Set("Accept", "text/event-stream")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var kind, text, done string
	var segments []json.RawMessage
	for scan := bufio.NewScanner(res.Body); scan.Scan(); {
		field, value, _ := strings.Cut(scan.Text(), ": ")
		switch {
		case field == "event":
			kind = value
		case field == "data" && kind == "text":
			var d struct{ Text string }
			json.Unmarshal([]byte(value), &d)
			text += d.Text
		case field == "data" && kind == "segment":
			var d struct{ Segment json.RawMessage }
			json.Unmarshal([]byte(value), &d)
			segments = append(segments, d.Segment)
		case field == "data" && kind == "done":
			done = value
		}
	}
	get, err := http.Get(s.URL + "/api/v1/answers/a1")
	stored := body(t, get, err)
	if stored != done {
		t.Errorf("stored\n%s\nstreamed\n%s", stored, done)
	}
	var a ibid.Answer
	if err := json.Unmarshal([]byte(stored), &a); err != nil {
		t.Fatal(err)
	}
	if text != a.Text || text != "One. Two is longer. Three." || len(segments) != 3 {
		t.Errorf("streamed %q in %d segments, stored %q in %d", text, len(segments), a.Text, len(a.Segments))
	}
	var record struct{ Segments []json.RawMessage }
	if err := json.Unmarshal([]byte(stored), &record); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(record.Segments, segments) {
		t.Errorf("streamed segments\n%s\nstored\n%s", segments, record.Segments)
	}
}

func TestNothingInternalLeaves(t *testing.T) {
	s, _ := serve(t, "One.")
	post, err := http.Post(s.URL+"/api/v1/ask", "application/json", strings.NewReader(`{"question":"What?"}`))
	b := body(t, post, err)
	for _, leak := range []string{"secret", "/home", "17.5", "0.987", "0.1234"} {
		if strings.Contains(b, leak) {
			t.Errorf("%q leaves in %s", leak, b)
		}
	}
	if !strings.Contains(b, `"confidence":0.99`) || !strings.Contains(b, "cable.md") {
		t.Errorf("the answer lacks its confidence or its file: %s", b)
	}
}

func TestDocumentTextIsNeverHTML(t *testing.T) {
	s, _ := serve(t, hostile)
	res, err := http.PostForm(s.URL+"/ask", url.Values{"question": {hostile}})
	pages := body(t, res, err)
	res, err = http.Get(s.URL + "/")
	pages += body(t, res, err)
	for _, bad := range []string{"<script", "<img"} {
		if strings.Contains(pages, bad) {
			t.Errorf("the page holds %s", bad)
		}
	}
	if !strings.Contains(pages, "&lt;script&gt;") {
		t.Error("the page lacks the text")
	}
	if csp := res.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "script") {
		t.Errorf("content security policy %q", csp)
	}
}

func TestBadRequestsGetTheRightStatus(t *testing.T) {
	s, _ := serve(t, "One.")
	for _, c := range []struct {
		name, method, path, body string
		header                   [2]string
		host                     string
		want                     int
	}{
		{"not JSON", "POST", "/api/v1/ask", "question", [2]string{}, "", 400},
		{"unknown field", "POST", "/api/v1/ask", `{"question":"x","colour":"red"}`, [2]string{}, "", 400},
		{"empty question", "POST", "/api/v1/ask", `{"question":" "}`, [2]string{}, "", 400},
		{"two megabytes", "POST", "/api/v1/ask", `{"question":"` + strings.Repeat("x", 2<<20) + `"}`, [2]string{}, "", 413},
		{"no such answer", "GET", "/api/v1/answers/ffff", "", [2]string{}, "", 404},
		{"no such page", "GET", "/nowhere", "", [2]string{}, "", 404},
		{"wrong method", "GET", "/api/v1/ask", "", [2]string{}, "", 405},
		{"a form of another site", "POST", "/ask", "question=x", [2]string{"Sec-Fetch-Site", "cross-site"}, "", 403},
		{"a name of another site", "GET", "/", "", [2]string{}, "evil.example", 421},
	} {
		req, _ := http.NewRequest(c.method, s.URL+c.path, bytes.NewReader([]byte(c.body)))
		if c.header[0] != "" {
			req.Header.Set(c.header[0], c.header[1])
		}
		if c.host != "" {
			req.Host = c.host
		}
		res, err := http.DefaultClient.Do(req)
		if b := body(t, res, err); res.StatusCode != c.want {
			t.Errorf("%s: status %d, want %d: %s", c.name, res.StatusCode, c.want, b)
		}
	}
}

func TestStreamAlwaysEnds(t *testing.T) {
	w := &world{answers: map[ibid.AnswerID]ibid.Answer{}, text: "x"}
	asker := &workflow.Asker{Retriever: w, Model: llmtest.Fails(io.ErrUnexpectedEOF, "One."), Attributor: w, Record: w,
		Now: time.Now, NewID: func() ibid.AnswerID { return "a2" }}
	h, err := web.New(web.Config{Asker: asker, Record: w, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h)
	defer s.Close()
	req, _ := http.NewRequest("POST", s.URL+"/api/v1/ask", strings.NewReader(`{"question":"What?"}`))
	req.Header.Set("Accept", "text/event-stream")
	res, err := http.DefaultClient.Do(req)
	b := body(t, res, err)
	if !strings.Contains(b, "event: done") || !strings.Contains(b, "event: error") || !strings.Contains(b, `"incomplete":"unexpected EOF"`) {
		t.Errorf("got %s", b)
	}
}
