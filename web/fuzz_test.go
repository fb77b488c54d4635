package web_test

import (
	"bytes"
	"encoding/json"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ibid-dev/ibid/web"
)

// gatewayForms are the forms of requests that the gateway takes, and where an answer of each has its text.
var gatewayForms = []struct{ path, text string }{
	{"/v1/chat/completions", `"content":`},
	{"/v1/messages", `"text":`},
	{"/v1/responses", `"text":`},
}

// FuzzGatewayRequest: whatever is asked, the server does not fail. It is refused in the form that the provider's clients read, or
// goes on to the provider as it came, but for what is said to us; and what is found in the answer points into its text.
func FuzzGatewayRequest(f *testing.F) {
	p := provider(f, said)
	opened := open(f, through(p), func(c *web.Config) { c.Limits.PerSecond = -1 })
	for _, s := range []string{
		`{}`, `{"messages":[{"role":"user","content":"Why?"}]}`, `{"messages":[{"content":[{"type":"text","text":"[CTX 1] ` + context1 + `\n\nWhy?"}]}],"stream":true,"model":"m"}`,
		`{"messages":[{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f"}}]},{"role":"tool","tool_call_id":"c","content":"` + context1 + `"}]}`,
		`{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":[{"type":"search_result","source":"https://a.org","content":[{"type":"text","text":"x"}]}]}]}],"system":[{"text":"y"}]}`,
		`{"messages":[{"role":"user","content":[{"type":"document","source":{"type":"base64","media_type":"text/plain","data":"eA=="},"title":"t"},{"type":"file","file":{"filename":"a","file_data":"data:;base64,eA=="}}]}]}`,
		`{"messages":[null,{"content":null},{"role":7,"content":{}}],"ibid":{"sources":[{"id":"a","title":"t","url":"u","text":"x"}],"library":true},"n":2}`,
		`{"messages":[{"content":"<document title=\"t\"><document_content>a</document_content></document>"}],"ibid":null}`, `{"model":"broken","messages":[{}]}`,
		`{"input":"x"}`, `{"input":[{}]}`, `{"input":[{"role":"user","content":[{"type":"input_file","file_data":"x"}]}]}`, `{"input":[7,null,[],{"type":"_output","output":[[]]}]}`,
		`{"input":"x","conversation":{"id":7},"previous_response_id":[],"store":"no","stream":1,"instructions":{}}`, `{"prompt":{},"input":{"a":1}}`,
		`{"input":[{"type":"file_search_call","results":[{"text":"x"},7]},{"type":"code_interpreter_call","outputs":[{"logs":"y"}]},{"type":"mcp_call","output":null}]}`, `{"background":true}`,
	} {
		for i := range gatewayForms {
			f.Add(uint8(i), []byte(s))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, body []byte) {
		w := *opened
		w.t = t
		p.got.Store(nil)
		form := gatewayForms[int(which)%len(gatewayForms)]
		r := w.send("POST", form.path, bytes.NewReader(body))
		var answer struct {
			Type  string
			Error struct{ Message, Type string }
			Ibid  note
		}
		json.Unmarshal(r.body, &answer)
		got := p.got.Load()
		if got == nil {
			if r.status < 400 || r.status >= 500 || answer.Error.Message == "" || answer.Error.Type == "" || (form.path == "/v1/messages") != (answer.Type == "error") {
				t.Fatalf("%s of %q: status %d: %s", form.path, body, r.status, r.body)
			}
			return
		}
		if r.status != 200 && answer.Error.Message != "slow down" { // the provider's own
			t.Fatalf("%s of %q: status %d: %s", form.path, body, r.status, r.body)
		}
		var asked, sent map[string]any
		if err := json.Unmarshal(body, &asked); err != nil {
			t.Fatalf("%q went on: %v", body, err)
		}
		json.Unmarshal(*got, &sent)
		_, ours := asked["ibid"]
		if delete(asked, "ibid"); !ours && string(*got) != string(body) || !reflect.DeepEqual(sent, asked) {
			t.Fatalf("%q became %q", body, *got)
		}
		if r.status == 200 && strings.HasPrefix(r.header.Get("Content-Type"), "application/json") {
			if !strings.Contains(string(r.body), form.text+quoted(said)) {
				t.Fatalf("%s of %q: what was said is harmed: %s", form.path, body, r.body)
			}
			answer.Ibid.inside(t, said)
		}
	})
}

// inside holds that the segments stand in the text, one behind the other.
func (n note) inside(t testing.TB, text string) {
	t.Helper()
	for _, found := range n.Texts {
		end := 0
		for _, s := range found.Segments {
			if s.Start < end || s.End <= s.Start || s.End > utf8.RuneCountInString(text) {
				t.Fatalf("a segment from %d to %d, behind one to %d", s.Start, s.End, end)
			}
			end = s.End
		}
	}
}

// FuzzQuery: whatever stands behind the question mark, the server answers as its document says or says what is wrong with it;
// and neither the order of the parameters nor the spelling of their signs makes a difference.
func FuzzQuery(f *testing.F) {
	opened := open(f, func(c *web.Config) { c.Limits.PerSecond = -1 })
	source := opened.ingest("notes.md", "# Notes on cables\n\nThe cable of 1858 failed after three weeks.\n\n# Größe\n\nAnd so on.")
	opened.ingest("notes.md", "# Notes on cables\n\nThe cable of 1858 failed after four weeks.")
	var answer struct {
		ID       string
		Passages []struct {
			Chunk struct {
				At struct{ Document string }
			}
		}
	}
	opened.post("/api/v1/ask", map[string]any{"question": "When did the cable fail?", "conversation": "c"}).want(200).into(&answer)
	paths := []string{"/answers", "/conversations/c", "/answers/" + answer.ID + "/bibliography", "/answers/" + answer.ID + "/export", "/answers/" + answer.ID + "/graph",
		"/answers/" + answer.ID + "/argument", "/styles", "/feedback", "/insights", "/runs", "/reviews", "/audit/entries", "/sources", "/sources/" + source + "/citations", "/sources/" + source + "/diff",
		"/documents/" + answer.Passages[0].Chunk.At.Document, "/studies", "/studies/none/export", "/jobs"}
	for i := range paths {
		for _, s := range []string{"", "limit=1&cursor=%20", "q=%22cable&source=" + source, "start=3&end=9&unit=utf16&context=7", "to=markdown&style=apa&locale=de", "from=1&to=2", "from=2020-01-01T00:00:00Z&to=2030-01-01T00:00:00Z", "all=true&limit=200", "limit=0&limit=2;x=%zz&=&q=%ff", "format=html&style=ieee&locale=xx-%00"} {
			f.Add(uint8(i), s)
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, query string) {
		if strings.ContainsFunc(query, func(r rune) bool { return r <= ' ' || r == '#' || r > '~' }) {
			return // no address has these
		}
		w := *opened
		w.t = t
		path := "/api/v1" + paths[int(which)%len(paths)]
		r := w.get(path + "?" + query)
		var problem struct {
			Detail string
			Errors []struct{ Location, Message string }
		}
		switch {
		case r.status >= 500:
			t.Fatalf("%s: status %d: %s", r.what, r.status, r.body)
		case r.status >= 400:
			if r.into(&problem); problem.Detail == "" || r.status == 422 && (len(problem.Errors) == 0 || problem.Errors[0].Location == "" || problem.Errors[0].Message == "") {
				t.Fatalf("%s: what is wrong is not said: %s", r.what, r.body)
			}
		}
		values, err := url.ParseQuery(query)
		if err != nil || slices.ContainsFunc(strings.Split(query, "&"), func(p string) bool { return p != "" && !strings.Contains(p, "=") }) {
			return // a name alone is taken for a yes
		}
		if other := w.get(path + "?" + values.Encode()); other.status != r.status || r.status == 200 && len(other.body) != len(r.body) {
			t.Fatalf("%s: status %d, and with %s %d\n%s\n%s", r.what, r.status, values.Encode(), other.status, r.body, other.body)
		}
	})
}
