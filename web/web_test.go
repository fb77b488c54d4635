package web_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"log/slog"
	"net"
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
	return open(t, asker, w), w
}

func open(t *testing.T, asker *workflow.Asker, w *world) *httptest.Server {
	t.Helper()
	h, err := web.New(web.Config{Asker: asker, Record: w, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Patience: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
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
	if !strings.Contains(b, `"confidence":0.98`) || !strings.Contains(b, "cable.md") {
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
		{"two questions", "POST", "/api/v1/ask", `{"question":"x"} {"question":"y"}`, [2]string{}, "", 400},
		{"a form that is not UTF-8", "POST", "/ask", "question=%ff", [2]string{"Content-Type", "application/x-www-form-urlencoded"}, "", 400},
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
	s := open(t, asker, w)
	req, _ := http.NewRequest("POST", s.URL+"/api/v1/ask", strings.NewReader(`{"question":"What?"}`))
	req.Header.Set("Accept", "text/event-stream")
	res, err := http.DefaultClient.Do(req)
	b := body(t, res, err)
	if !strings.Contains(b, "event: done") || !strings.Contains(b, "event: error") || !strings.Contains(b, `"incomplete":"unexpected EOF"`) {
		t.Errorf("got %s", b)
	}
}

// A client that sends half of its request is not waited for.
func TestSlowRequestIsGivenUp(t *testing.T) {
	s, _ := serve(t, "One.")
	conn, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	io.WriteString(conn, "POST /api/v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{\"que")
	conn.SetReadDeadline(time.Now().Add(20 * time.Second))
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil || !strings.Contains(line, "408") {
		t.Errorf("got %q, %v", line, err)
	}
}

// A stream outlives the time in which its request had to arrive.
func TestSlowAnswerIsWaitedFor(t *testing.T) {
	w := &world{answers: map[ibid.AnswerID]ibid.Answer{}, text: "x"}
	slow := &llmtest.Scripted{Steps: []llmtest.Step{{Delta: ibid.Delta{Text: "One. "}}, {Delay: 150 * time.Millisecond, Delta: ibid.Delta{Text: "Two."}}}}
	s := open(t, &workflow.Asker{Retriever: w, Model: slow, Attributor: w, Record: w, Now: time.Now, NewID: func() ibid.AnswerID { return "a3" }}, w)
	res, err := http.Post(s.URL+"/api/v1/ask", "application/json", strings.NewReader(`{"question":"What?"}`))
	if b := body(t, res, err); !strings.Contains(b, `"text":"One. Two."`) {
		t.Errorf("got %s", b)
	}
}

// What a client saw before it left is recorded.
func TestAnswerOfAClientThatLeftIsRecorded(t *testing.T) {
	w := &world{answers: map[ibid.AnswerID]ibid.Answer{}, text: "x"}
	recorded := make(chan ibid.Answer, 1)
	endless := &llmtest.Scripted{Steps: []llmtest.Step{{Delta: ibid.Delta{Text: "One. Two"}}, {Delay: time.Hour}}}
	s := open(t, &workflow.Asker{Retriever: w, Model: endless, Attributor: w, Record: told{w, recorded}, Now: time.Now, NewID: func() ibid.AnswerID { return "a4" }}, w)
	ctx, leave := context.WithCancel(t.Context())
	req, _ := http.NewRequestWithContext(ctx, "POST", s.URL+"/api/v1/ask", strings.NewReader(`{"question":"What?"}`))
	req.Header.Set("Accept", "text/event-stream")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	for scan := bufio.NewScanner(res.Body); scan.Scan() && !strings.Contains(scan.Text(), "One."); {
	}
	leave()
	select {
	case a := <-recorded:
		if a.Incomplete == "" || !strings.HasPrefix(a.Text, "One.") {
			t.Errorf("recorded %+v", a)
		}
	case <-time.After(20 * time.Second):
		t.Error("nothing was recorded")
	}
}

type told struct {
	*world
	answers chan ibid.Answer
}

func (r told) PutAnswer(_ context.Context, a ibid.Answer) error { r.answers <- a; return nil }

// What went wrong inside is for the log; a reader of pages gets a page.
func TestErrorsTellNothingInternal(t *testing.T) {
	w := &world{answers: map[ibid.AnswerID]ibid.Answer{}, text: "x"}
	s := open(t, &workflow.Asker{Retriever: w, Model: llmtest.Fails(errors.New("open /home/secret: no")), Attributor: w, Record: w, Now: time.Now, NewID: func() ibid.AnswerID { return "a5" }}, w)
	for _, accept := range []string{"text/event-stream", "application/json", "text/html"} {
		path, sent := "/api/v1/ask", `{"question":"What?"}`
		if accept == "text/html" {
			path, sent = "/ask", "question=What%3F"
		}
		req, _ := http.NewRequest("POST", s.URL+path, strings.NewReader(sent))
		req.Header.Set("Accept", accept)
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		res, err := http.DefaultClient.Do(req)
		b := body(t, res, err)
		if strings.Contains(b, "secret") || !strings.Contains(b, "its log says why") {
			t.Errorf("%s: got %s", accept, b)
		}
		if page := strings.HasPrefix(b, "<!doctype html>"); page != (accept == "text/html") {
			t.Errorf("%s: got %s", accept, b)
		}
	}
}
