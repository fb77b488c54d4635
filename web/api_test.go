package web_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/llm"
	"github.com/ibid-dev/ibid/llm/llmtest"
	"github.com/ibid-dev/ibid/web"
	"github.com/ibid-dev/ibid/workflow"
)

const when = "When was the first transatlantic cable laid?"

func says(texts ...string) func(*web.Config) {
	return func(c *web.Config) { c.Asker.Model = llmtest.Says(texts...) }
}

// What is streamed, what ends the stream and what is read from the record later is one answer, byte for byte.
func TestStreamAndStoredAnswerAreTheSame(t *testing.T) {
	w := open(t, says("The cable was completed on 5 August 1858. [CT", "X 1] It was thought to be ", "made of cheese. Thomson – the 🧪 physicist – was on board.")).cables()
	r := w.post("/api/v1/ask", map[string]any{"question": when}, "Accept", "text/event-stream").want(200)
	all := events(string(r.body))
	done := lastOf(t, all)
	var text string
	var segments []json.RawMessage
	for _, e := range all {
		switch e.kind {
		case "text":
			var d struct{ Text string }
			json.Unmarshal([]byte(e.data), &d)
			text += d.Text
		case "segment":
			var d struct{ Segment json.RawMessage }
			json.Unmarshal([]byte(e.data), &d)
			segments = append(segments, d.Segment)
		}
	}
	var a ibid.Answer
	json.Unmarshal([]byte(done.data), &a)
	stored := w.get("/api/v1/answers/" + string(a.ID)).want(200)
	if string(stored.body) != done.data {
		t.Errorf("stored\n%s\nstreamed\n%s", stored.body, done.data)
	}
	var record struct {
		Text     string
		Segments []json.RawMessage
	}
	stored.into(&record)
	if text != record.Text || len(segments) != 3 {
		t.Errorf("streamed %q in %d segments, stored %q", text, len(segments), record.Text)
	}
	if !reflect.DeepEqual(record.Segments, segments) {
		t.Errorf("streamed segments\n%s\nstored\n%s", segments, record.Segments)
	}
	replayed := w.get("/api/v1/streams/" + r.header.Get("Ibid-Stream"))
	if string(replayed.body) != string(r.body) {
		t.Errorf("read again, the stream is\n%s\nnot\n%s", clip(replayed.body), clip(r.body))
	}
}

func TestAskAndOpenEvidence(t *testing.T) {
	w := open(t).cables()
	var a ibid.Answer
	w.post("/api/v1/ask", map[string]any{"question": when, "conversation": "c1"}).want(200).into(&a)
	if len(a.Segments) == 0 || len(a.Citations) == 0 {
		t.Fatalf("answered %+v", a)
	}
	var page struct {
		Items []struct {
			Evidence []struct{ Before, Quote, After, Title string }
		}
	}
	w.get("/api/v1/answers/" + string(a.ID) + "/segments").want(200).into(&page)
	e := page.Items[0].Evidence[0]
	p := a.Passages[0].Chunk
	if e.Before+e.Quote+e.After != p.Text || e.Quote != a.Citations[0].Quote {
		t.Errorf("evidence %+v of passage %q", e, p.Text)
	}
	w.get("/api/v1/answers/" + string(a.ID) + "/segments/1").want(200)
	w.get("/api/v1/answers/" + string(a.ID) + "/segments/99").want(404)
	at := a.Citations[0].At
	var doc struct{ Text, Before, After, Locator string }
	w.get("/api/v1/documents/" + string(at.Document) + "?context=40&start=" + itoa(at.Span.Start) + "&end=" + itoa(at.Span.End)).want(200).into(&doc)
	if doc.Text != a.Citations[0].Quote || len(doc.After) < 20 {
		t.Errorf("the document says %+v, the citation %q", doc, a.Citations[0].Quote)
	}
	var places struct {
		Items []struct{ Answer ibid.AnswerID }
	}
	w.get("/api/v1/sources/" + string(a.Citations[0].Source) + "/citations").want(200).into(&places)
	if len(places.Items) == 0 || places.Items[0].Answer != a.ID {
		t.Errorf("places %+v", places)
	}
	w.get("/api/v1/conversations/c1").want(200)
	w.get("/api/v1/answers/" + string(a.ID) + "/bibliography?style=apa").want(200)
	for _, to := range workflow.ExportFormats() {
		w.get("/api/v1/answers/" + string(a.ID) + "/export?to=" + to).want(200)
	}
	for _, to := range []string{"json", "graphml", "svg"} {
		if got := w.get("/api/v1/answers/" + string(a.ID) + "/graph?to=" + to).want(200); !strings.Contains(string(got.body), "claim") {
			t.Errorf("graph as %s: %s", to, got.body)
		}
	}
	w.get("/api/v1/answers/" + string(a.ID) + "/graph?to=dot").want(422).points("query.to")
	w.get("/api/v1/answers/" + string(a.ID) + "/export?to=cheese").want(422).points("query.to")
	w.get("/api/v1/answers/" + string(a.ID) + "/bibliography?style=../../etc/passwd").want(422).points("query.style")
	w.get("/api/v1/bibliography?style=../../etc/passwd").want(422).points("query.style")
	w.get("/api/v1/export?to=docx").want(422).points("query.to")
	w.get("/api/v1/styles?q=apa").want(200)
	w.post("/api/v1/cite", map[string]any{"references": []any{map[string]any{"type": "book", "title": "On Cables"}}}).want(200)
}

func itoa(n int) string { b, _ := json.Marshal(n); return string(b) }

func TestAttributeAndCheck(t *testing.T) {
	w := open(t)
	var a ibid.Answer
	w.post("/api/v1/attribute", map[string]any{"answer": "The cable failed after three weeks. [2] It was blue.", "sources": []any{
		map[string]any{"title": "Ships", "text": "The ship was long."},
		map[string]any{"id": "notes", "title": "Notes", "url": "https://example.org/n", "text": "In the end the cable failed after three weeks."}}}).want(200).into(&a)
	if len(a.Segments) != 2 || a.Segments[0].Origin != ibid.RAG || a.Segments[1].Origin != ibid.LLM || a.Citations[0].Source != "notes" {
		t.Errorf("got %+v", a)
	}
	if err := a.Check(); err != nil {
		t.Error(err)
	}
	var c struct {
		Valid bool `json:"is_valid"`
		Items []struct {
			Scores struct {
				Overall float64 `json:"overall_confidence"`
			}
		}
	}
	w.post("/api/v1/check", map[string]any{"items": []any{map[string]any{"source": "https://example.org", "confidence": 0.7}}}).want(200).into(&c)
	if !c.Valid || c.Items[0].Scores.Overall != 0.44 {
		t.Errorf("checked %+v", c)
	}
	w.post("/api/v1/check", map[string]any{"items": []any{17}}).want(422).points("body.items")
}

func TestChat(t *testing.T) {
	w := open(t).cables()
	var r struct {
		Response string
		Metadata struct {
			RAG      float64 `json:"ragContribution"`
			Segments []struct{ StartIndex, EndIndex int }
			Debug    any `json:"debugInfo"`
		}
	}
	w.post("/api/chat/attributed", map[string]any{"message": when}).want(200).into(&r)
	if r.Response == "" || r.Metadata.RAG == 0 || len(r.Metadata.Segments) == 0 || r.Metadata.Debug != nil {
		t.Errorf("got %+v", r)
	}
	s := w.post("/api/chat/attributed", map[string]any{"message": when}, "Accept", "text/event-stream").want(200)
	if done := lastOf(t, events(string(s.body))); !strings.Contains(done.data, `"ragContribution"`) {
		t.Errorf("the stream ends with %s", done.data)
	}
	w.post("/api/chat", map[string]any{"message": when}).want(200)
	w.post("/api/chat", map[string]any{"message": " "}).want(422).points("body.message")
}

// A reply whose model broke off says so in every form, whole or streamed.
func TestChatSaysWhatIsIncomplete(t *testing.T) {
	w := open(t, func(c *web.Config) { c.Asker.Model = llmtest.Fails(io.ErrUnexpectedEOF, "One is a number.") }).cables()
	for _, path := range []string{"/api/chat", "/api/chat/attributed"} {
		w.post(path, map[string]any{"message": when}).want(200).says("One is a number.").says(`"incomplete":"`)
		s := w.post(path, map[string]any{"message": when}, "Accept", "text/event-stream").want(200)
		if done := lastOf(t, events(string(s.body))); !strings.Contains(done.data, `"incomplete":"`) {
			t.Errorf("%s: the stream ends with %s", path, done.data)
		}
	}
}

// That a model gives no answer is not the server's own fault.
func TestModelThatGivesNoAnswer(t *testing.T) {
	for _, why := range []error{llm.ErrRefused, llm.ErrEmpty, llm.ErrContextTooLong, llm.ErrCut} {
		w := open(t, func(c *web.Config) { c.Asker.Model = llmtest.Fails(why) }).cables()
		w.post("/api/v1/ask", map[string]any{"question": when}).want(502).says("the model did not answer")
	}
}

func TestNothingInternalLeaves(t *testing.T) {
	w := open(t, says("The passage is short."))
	text := "The passage is short. It stands in a file."
	src := ibid.Source{ID: ibid.IdentifySource("", "file:///home/secret/papers/cable.md"), URI: "file:///home/secret/papers/cable.md", AddedAt: time.Now()}
	src.Reference.Set("URL", "file:///home/secret/papers/cable.md")
	doc := ibid.Document{ID: ibid.HashText(text), Text: text, MediaType: "text/plain", FetchedAt: time.Now()}
	chunk := ibid.Chunk{At: ibid.Anchor{Document: doc.ID, Span: ibid.Span{End: len(text)}}, Text: text}
	if _, _, err := w.store.Add(t.Context(), src, doc, []ibid.Chunk{chunk}); err != nil {
		t.Fatal(err)
	}
	var a ibid.Answer
	r := w.post("/api/v1/ask", map[string]any{"question": "What is short?"}).want(200)
	r.into(&a)
	all := string(r.body)
	for _, path := range []string{"/api/v1/sources", "/api/v1/sources/" + string(src.ID), "/api/v1/answers/" + string(a.ID) + "/segments",
		"/api/v1/answers/" + string(a.ID) + "/export?to=html", "/api/v1/answers/" + string(a.ID) + "/export?to=csljson", "/api/v1/documents/" + string(doc.ID)} {
		all += string(w.get(path).want(200).body)
	}
	if strings.Contains(all, "secret") || strings.Contains(all, "/home") {
		t.Error("a path leaves")
	}
	if !strings.Contains(all, "cable.md") {
		t.Error("the file's name is lost")
	}
	var v any
	json.Unmarshal(r.body, &v)
	numbers(v, func(f float64) {
		if s, _ := json.Marshal(f); strings.Contains(string(s), ".") && len(s) > len("0.12") {
			t.Errorf("the number %s leaves", s)
		}
	})
}

func numbers(v any, see func(float64)) {
	switch v := v.(type) {
	case float64:
		see(v)
	case map[string]any:
		for _, x := range v {
			numbers(x, see)
		}
	case []any:
		for _, x := range v {
			numbers(x, see)
		}
	}
}

func TestBadRequestsGetTheRightStatus(t *testing.T) {
	w := open(t).cables()
	var list struct {
		Items []struct{ Newest struct{ Document string } }
	}
	w.get("/api/v1/sources").want(200).into(&list)
	id := w.ingest("rune.txt", "é is a letter of two bytes.")
	var src struct{ Newest struct{ Document string } }
	w.get("/api/v1/sources/" + id).into(&src)
	sources := make([]map[string]string, 10_000)
	for i := range sources {
		sources[i] = map[string]string{"text": "x"}
	}
	many, _ := json.Marshal(map[string]any{"answer": "x", "sources": sources})
	for _, c := range []struct {
		name, method, path, body string
		headers                  []string
		want                     int
		points                   string
	}{
		{"not JSON", "POST", "/api/v1/ask", "question", nil, 400, "body"},
		{"not UTF-8", "POST", "/api/v1/ask", "{\"question\":\"\xff\"}", nil, 400, "body"},
		{"unknown field", "POST", "/api/v1/ask", `{"question":"x","colour":"red"}`, nil, 422, "body.colour"},
		{"unknown field inside", "POST", "/api/v1/attribute", `{"answer":"x","sources":[{"text":"a"},{"text":"b","kind":1}]}`, nil, 422, "body.sources[1].kind"},
		{"two questions", "POST", "/api/v1/ask", `{"question":"x"} {"question":"y"}`, nil, 400, "body"},
		{"another type", "POST", "/api/v1/ask", `{"question":7}`, nil, 422, "body.question"},
		{"no question", "POST", "/api/v1/ask", `{}`, nil, 422, "body.question"},
		{"empty question", "POST", "/api/v1/ask", `{"question":" "}`, nil, 422, "body.question"},
		{"no body", "POST", "/api/v1/ask", ``, nil, 400, ""},
		{"a form", "POST", "/api/v1/ask", "question=x", []string{"Content-Type", "application/x-www-form-urlencoded"}, 415, ""},
		{"two megabytes", "POST", "/api/v1/ask", `{"question":"` + strings.Repeat("x", 2<<20) + `"}`, nil, 413, ""},
		{"too deep", "POST", "/api/v1/check", `{"items":` + strings.Repeat("[", 500) + strings.Repeat("]", 500) + `}`, nil, 400, "body"},
		{"ten thousand sources", "POST", "/api/v1/attribute", string(many), nil, 422, "body.sources"},
		{"sources of one id", "POST", "/api/v1/attribute", `{"answer":"x","sources":[{"id":"a","text":"x"},{"id":"a","text":"y"}]}`, nil, 422, "body.sources[1].id"},
		{"no such strategy", "POST", "/api/v1/attribute", `{"answer":"x","sources":[],"strategy":"guess"}`, nil, 422, "body.strategy"},
		{"no such answer", "GET", "/api/v1/answers/ffff", "", nil, 404, ""},
		{"a cursor of nowhere", "GET", "/api/v1/answers?cursor=%25", "", nil, 422, "query.cursor"},
		{"a limit out of range", "GET", "/api/v1/answers?limit=5000", "", nil, 422, "query.limit"},
		{"unknown query", "GET", "/api/v1/answers?colour=red", "", nil, 422, "query.colour"},
		{"inside a rune", "GET", "/api/v1/documents/" + src.Newest.Document + "?start=1", "", nil, 422, "query.start"},
		{"outside", "GET", "/api/v1/documents/" + src.Newest.Document + "?end=99999", "", nil, 422, "query.end"},
		{"backwards", "GET", "/api/v1/documents/" + src.Newest.Document + "?start=9&end=3", "", nil, 422, "query.end"},
		{"not an address", "POST", "/api/v1/ingest", `{"urls":["file:///etc/passwd"]}`, nil, 422, "body.urls[0]"},
		{"nothing to take in", "POST", "/api/v1/ingest", `{}`, nil, 422, "body"},
		{"a style whose name is too long for a file", "POST", "/api/v1/cite", `{"references":[{"title":"x"}],"style":"` + strings.Repeat("a", 280) + `"}`, nil, 422, "body.style"},
		{"no form", "POST", "/api/v1/upload", `{}`, nil, 415, ""},
		{"wrong method", "GET", "/api/v1/ask", "", nil, 405, ""},
		{"no such route", "GET", "/api/v1/nowhere", "", nil, 404, ""},
		{"no such page", "GET", "/nowhere", "", nil, 404, ""},
		{"a form of another site", "POST", "/ask", "question=x", []string{"Sec-Fetch-Site", "cross-site"}, 403, ""},
		{"a name of another site", "GET", "/", "", []string{"Host", "evil.example"}, 421, ""},
		{"a stream of nowhere", "GET", "/api/v1/streams/x", "", nil, 404, ""},
		{"an event of another stream", "GET", "/api/v1/streams/x", "", []string{"Last-Event-ID", "y.3"}, 422, "header.Last-Event-ID"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w.t = t
			r := w.send(c.method, c.path, strings.NewReader(c.body), c.headers...)
			r.want(c.want)
			if c.points != "" {
				r.points(c.points)
			}
			if strings.HasPrefix(c.path, "/api/") && !strings.HasPrefix(r.header.Get("Content-Type"), "application/problem+json") {
				t.Errorf("it is told as %s", r.header.Get("Content-Type"))
			}
			if len(r.body) > 20_000 {
				t.Errorf("the problem has %d bytes", len(r.body))
			}
		})
	}
}

// What is wrong with a body is told in words of JSON, with its place, and not in those of the server's own types.
func TestBodyThatCannotBeReadIsToldInPlainWords(t *testing.T) {
	w := open(t)
	for body, want := range map[string]string{
		"question":                    `body: it is not JSON: invalid character 'q' looking for beginning of value (column 1)`,
		"{\"question\":\n\"x\" 7}":    `body: it is not JSON: invalid character '7' after object key:value pair (line 2, column 5)`,
		`{"question":"x"`:             `body: it breaks off before its end`,
		`{"question":"x","top":1e400`: `body: it breaks off before its end`,
		`{"question":1e400}`:          `body: "question": 1e400 is too large (column 13)`,
	} {
		var problem struct{ Detail string }
		if w.send("POST", "/api/v1/ask", strings.NewReader(body)).into(&problem); problem.Detail != want {
			t.Errorf("%s: %q, want %q", body, problem.Detail, want)
		}
	}
	message := []any{map[string]any{"role": "user", "content": "x"}}
	w.post("/v1/chat/completions", map[string]any{"messages": message, "ibid": map[string]any{"sources": "x"}}).want(422).says(`\"sources\": a string in the place of a list`)
	w.post("/v1/chat/completions", []any{}).want(400).says("the body is not a JSON object: a list in the place of an object")
}

func TestPagesAndTags(t *testing.T) {
	w := open(t).cables()
	var seen []string
	next := ""
	for {
		var page struct {
			Items []struct{ ID string }
			Next  string
		}
		w.get("/api/v1/sources?limit=2&cursor=" + url.QueryEscape(next)).want(200).into(&page)
		for _, s := range page.Items {
			seen = append(seen, s.ID)
		}
		if next = page.Next; next == "" {
			break
		}
	}
	if len(seen) != 4 {
		t.Errorf("saw %v", seen)
	}
	first := w.get("/api/v1/sources/" + seen[0]).want(200)
	again := w.get("/api/v1/sources/"+seen[0], "If-None-Match", first.header.Get("ETag")).want(http.StatusNotModified)
	if len(again.body) > 0 {
		t.Error("304 has a body")
	}
}
