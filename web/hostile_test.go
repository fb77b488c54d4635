package web_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"os"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/llm/llmtest"
	"github.com/ibid-dev/ibid/web"
)

// hostile are strings that want to be more than text. The page's tests use the same.
func hostile(t testing.TB) []string {
	b, err := os.ReadFile("testdata/hostile.txt")
	if err != nil {
		t.Fatal(err)
	}
	list := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	if len(list) != 200 {
		t.Fatalf("%d strings", len(list))
	}
	return list
}

// Every hostile string comes out as it went in, as text, or is refused with a reason; no page or file of ours holds it as
// HTML.
func TestHostileStringsStayText(t *testing.T) {
	list := hostile(t)
	model := &llmtest.Scripted{}
	w := open(t, func(c *web.Config) { c.Asker.Model, c.Limits.PerSecond = model, -1 })
	w.ingest("plain.txt", "A plain sentence stands here.")
	texts := []any{}
	for i, h := range list {
		texts = append(texts, map[string]any{"name": fmt.Sprintf("%03d %s", i, h), "title": h, "url": h, "text": "It says: " + h + " in a sentence."})
	}
	var job struct{ Failed int }
	w.post("/api/v1/ingest?wait=60", map[string]any{"texts": texts}).want(200).into(&job)
	if job.Failed > 0 {
		t.Errorf("%d were refused", job.Failed)
	}
	for i, h := range list {
		model.Reply = func(ibid.Prompt) []llmtest.Step { return []llmtest.Step{delta("It says: " + h + " in a sentence.")} }
		if i%10 == 0 { // each of them through the model would take long, and they all go the same way
			r := w.post("/api/v1/ask", map[string]any{"question": "What is said? " + h}, "Accept", "text/event-stream").want(200)
			done := lastOf(t, events(string(r.body)))
			var a ibid.Answer
			json.Unmarshal([]byte(done.data), &a)
			pages := string(w.get("/answers/" + string(a.ID)).want(200).body)
			inert(t, h, pages)
			for _, to := range []string{"html", "markdown", "bibtex"} {
				file := w.get("/api/v1/answers/" + string(a.ID) + "/export?to=" + to).want(200)
				if to == "html" {
					inert(t, h, string(file.body))
				}
				if !strings.HasPrefix(file.header.Get("Content-Disposition"), "attachment") {
					t.Errorf("%s is opened in the page", to)
				}
			}
		}
		var a ibid.Answer
		w.post("/api/v1/attribute", map[string]any{"question": h, "answer": "It says: " + h + " in a sentence.",
			"sources": []any{map[string]any{"id": h, "title": h, "url": h, "text": "It says: " + h + " in a sentence."}}}).want(200).into(&a)
		if err := a.Check(); err != nil {
			t.Errorf("%q: %v", h, err)
		}
		if title := a.Passages[0].Source.Title(); strings.TrimSpace(h) != "" && title != strings.TrimSpace(h) || a.Passages[0].Chunk.Text != "It says: "+h+" in a sentence." {
			t.Errorf("%q came back as %q, %q", h, a.Passages[0].Source.Title(), a.Passages[0].Chunk.Text)
		}
		if u := a.Passages[0].Source.URI; u != "" && !strings.HasPrefix(u, "http") && !strings.HasPrefix(u, "file:///") {
			t.Errorf("%q leaves as the address %q", h, u)
		}
		r := w.post("/v1/chat/completions", map[string]any{"model": h, "messages": []any{map[string]any{"role": "user", "content": "What is said?"},
			map[string]any{"role": "tool", "tool_call_id": h, "content": "It says: " + h + " in a sentence."}}})
		r.want(200)
	}
	inert(t, "the first page", string(w.get("/").want(200).body))
	var form bytes.Buffer
	m := multipart.NewWriter(&form)
	for _, h := range list {
		if strings.ContainsAny(h, "\x1b\t") {
			continue // no header can hold it
		}
		f, err := m.CreateFormFile("file", h)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(f, "The file is called %s.", h)
	}
	m.Close()
	w.send("POST", "/api/v1/upload?wait=60", &form, "Content-Type", m.FormDataContentType()).want(200)
	next := ""
	for {
		var page struct {
			Items []struct{ URI string }
			Next  string
		}
		w.get("/api/v1/sources?limit=200&cursor=" + next).want(200).into(&page)
		for _, s := range page.Items {
			if strings.HasPrefix(strings.ToLower(s.URI), "javascript") || strings.Contains(s.URI, "etc/") {
				t.Errorf("a source is at %s", s.URI)
			}
		}
		if next = page.Next; next == "" {
			break
		}
	}
}

// inert holds that a page has no markup but its own.
func inert(t *testing.T, what, page string) {
	t.Helper()
	low := strings.ToLower(page)
	for _, bad := range []string{"<script", "<img", "<svg", "<iframe", "<object", "<embed", "<base", "<math", "<video"} {
		if strings.Contains(low, bad) {
			i := strings.Index(low, bad)
			t.Errorf("%q: the page holds %s", what, page[max(0, i-60):min(len(page), i+80)])
		}
	}
}
