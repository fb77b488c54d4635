package web_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/marker"
	"github.com/ibid-dev/ibid/web"
)

// Traffic of the providers in these tests is scripted: it follows the forms that they document and was not recorded.

// The answer has three claims: the provider cites the same source for the first, which it supports, and for the second,
// which it does not; and for the third one whose text nobody has.
const (
	holds  = "The cable failed after three weeks."
	fails  = "It was eaten by forty whales."
	nobody = "Bananas are cheap."
	link   = " ([log](https://example.org/log?utm_source=openai))"
	greets = "I hope this helps, Jürgen 🎼! "
)

// counted counts characters, as the provider does.
func counted(text, words string) (start, end int) {
	i := strings.Index(text, words)
	return utf8.RuneCountInString(text[:i]), utf8.RuneCountInString(text[:i+len(words)])
}

// citedForm is what a provider says in one form: whole, and as events; and how it is asked.
type citedForm struct {
	path    string
	request map[string]any
	whole   any
	events  []any
	unknown string
}

func citedForms() map[string]citedForm {
	text := greets + holds + link + " " + fails + " " + nobody
	url := func(words, address string) map[string]any {
		start, end := counted(text, words)
		return map[string]any{"type": "url_citation", "start_index": start, "end_index": end, "url": address, "title": "x"}
	}
	pages := []any{url(strings.TrimSpace(link), "https://example.org/log?utm_source=openai"), url(fails, "http://www.example.org/log/"), url(nobody, "https://elsewhere.example/a"), map[string]any{"type": "strange", "start_index": "x"}, 5}
	sources := map[string]any{"sources": []any{map[string]any{"title": "Log", "url": "https://example.org/log", "text": context1}}}
	plain := strings.Replace(text, link, "", 1)
	file := func(words, id, name string) map[string]any {
		_, end := counted(plain, words)
		return map[string]any{"type": "file_citation", "index": end, "file_id": id, "filename": name}
	}
	files := []any{file(holds, "file-1", "log.txt"), file(fails, "file-1", "log.txt"), file(nobody, "file-9", "other.txt")}
	search := map[string]any{"id": "s1", "type": "file_search_call", "status": "completed", "results": []any{map[string]any{"file_id": "file-1", "filename": "log.txt", "text": context1}}}

	out := map[string]citedForm{}
	var nested []any
	for _, p := range pages {
		if m, ok := p.(map[string]any); ok && m["url"] != nil {
			p = map[string]any{"type": "url_citation", "url_citation": m}
		}
		nested = append(nested, p)
	}
	chunk := func(delta map[string]any, finish any) any {
		return map[string]any{"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}}
	}
	chat := citedForm{path: "/v1/chat/completions", unknown: "https://elsewhere.example/a",
		request: map[string]any{"model": "m", "ibid": sources, "messages": []any{map[string]any{"role": "user", "content": "Why?"}}},
		whole: map[string]any{"id": "c1", "object": "chat.completion", "created": 1, "model": "m", "choices": []any{map[string]any{"index": 0, "finish_reason": "stop",
			"message": map[string]any{"role": "assistant", "content": text, "annotations": nested}}}}}
	for _, w := range strings.SplitAfter(text, " ") {
		chat.events = append(chat.events, chunk(map[string]any{"content": w}, nil))
	}
	chat.events = append(chat.events, chunk(map[string]any{"annotations": nested}, nil), chunk(map[string]any{}, "stop"), "[DONE]")
	out["chat completions"] = chat

	responses := func(text string, own, before []any, behind bool) citedForm {
		part := func(text string, own []any) map[string]any {
			return map[string]any{"type": "output_text", "text": text, "annotations": append([]any{}, own...), "logprobs": []any{}}
		}
		message := map[string]any{"id": "i1", "type": "message", "role": "assistant", "status": "completed", "content": []any{part(text, own)}}
		response := map[string]any{"id": "r1", "object": "response", "created_at": 1, "status": "completed", "model": "m", "output": append(slices.Clone(before), message)}
		f := citedForm{path: "/v1/responses", request: map[string]any{"model": "m", "input": "Why?"}, whole: response}
		n := len(before)
		say := func(kind string, said map[string]any) {
			said["type"], said["sequence_number"] = kind, len(f.events)
			f.events = append(f.events, said)
		}
		at := func(said map[string]any) map[string]any {
			said["item_id"], said["output_index"], said["content_index"] = "i1", n, 0
			return said
		}
		say("response.created", map[string]any{"response": map[string]any{"id": "r1", "object": "response", "created_at": 1, "status": "in_progress", "model": "m", "output": []any{}}})
		for i, item := range before {
			say("response.output_item.done", map[string]any{"output_index": i, "item": item})
		}
		say("response.output_item.added", map[string]any{"output_index": n, "item": map[string]any{"id": "i1", "type": "message", "role": "assistant", "status": "in_progress", "content": []any{}}})
		say("response.content_part.added", at(map[string]any{"part": part("", nil)}))
		for _, w := range strings.SplitAfter(text, " ") {
			say("response.output_text.delta", at(map[string]any{"delta": w}))
		}
		for i, c := range own {
			if !behind {
				say("response.output_text.annotation.added", at(map[string]any{"annotation_index": i, "annotation": c}))
			}
		}
		say("response.output_text.done", at(map[string]any{"text": text}))
		say("response.content_part.done", at(map[string]any{"part": part(text, own)}))
		say("response.output_item.done", map[string]any{"output_index": n, "item": message})
		say("response.completed", map[string]any{"response": response})
		return f
	}
	f := responses(text, pages, nil, false)
	f.request["ibid"], f.unknown = sources, "https://elsewhere.example/a"
	out["responses, pages"] = f
	f = responses(plain, files, []any{search}, true)
	f.unknown = "other.txt"
	out["responses, files"] = f

	block := func(text string, c map[string]any) any {
		return map[string]any{"type": "text", "text": text, "citations": []any{c}}
	}
	first := map[string]any{"type": "char_location", "cited_text": "the cable failed after three weeks", "document_index": 0, "document_title": "Log", "start_char_index": 11, "end_char_index": 45}
	web := map[string]any{"type": "web_search_result_location", "url": "https://elsewhere.example/a", "cited_text": "x", "encrypted_index": "y"}
	blocks := []any{block(greets+holds, first), block(fails, first), block(nobody, web)}
	messages := citedForm{path: "/v1/messages", unknown: "https://elsewhere.example/a",
		request: map[string]any{"model": "m", "max_tokens": 100, "messages": []any{map[string]any{"role": "user", "content": []any{
			map[string]any{"type": "document", "title": "Log", "citations": map[string]any{"enabled": true}, "source": map[string]any{"type": "text", "media_type": "text/plain", "data": context1}}, map[string]any{"type": "text", "text": "Why?"}}}}},
		whole: map[string]any{"id": "m1", "type": "message", "role": "assistant", "model": "m", "content": blocks, "stop_reason": "end_turn", "usage": map[string]any{"input_tokens": 1, "output_tokens": 2}}}
	say := func(kind string, said map[string]any) {
		said["type"] = kind
		messages.events = append(messages.events, said)
	}
	say("message_start", map[string]any{"message": map[string]any{"id": "m1", "type": "message", "role": "assistant", "model": "m", "content": []any{}, "usage": map[string]any{"input_tokens": 1}}})
	for i, b := range blocks {
		b := b.(map[string]any)
		say("content_block_start", map[string]any{"index": i, "content_block": map[string]any{"type": "text", "text": "", "citations": []any{}}})
		for _, w := range strings.SplitAfter(b["text"].(string), " ") {
			say("content_block_delta", map[string]any{"index": i, "delta": map[string]any{"type": "text_delta", "text": w}})
		}
		say("content_block_delta", map[string]any{"index": i, "delta": map[string]any{"type": "citations_delta", "citation": b["citations"].([]any)[0]}})
		say("content_block_stop", map[string]any{"index": i})
	}
	say("message_delta", map[string]any{"delta": map[string]any{"stop_reason": "end_turn"}, "usage": map[string]any{"output_tokens": 9}})
	say("message_stop", map[string]any{})
	out["messages"] = messages
	return out
}

func (f citedForm) serve(t *testing.T) *scripted {
	p := &scripted{}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var req struct{ Stream bool }
		json.NewDecoder(r.Body).Decode(&req)
		if !req.Stream {
			w.Header().Set("Content-Type", "application/json")
			json.NewEncoder(w).Encode(f.whole)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range f.events {
			if done, ok := e.(string); ok {
				io.WriteString(w, "data: "+done+"\n\n")
				continue
			}
			if kind, ok := e.(map[string]any)["type"].(string); ok {
				fmt.Fprintf(w, "event: %s\n", kind)
			}
			fmt.Fprintf(w, "data: %s\n\n", quoted(e))
			w.(http.Flusher).Flush()
		}
	}))
	t.Cleanup(p.Close)
	return p
}

// ownNote is the field ibid, as far as it is looked at here.
type ownNote struct {
	Verdict *struct{ Coverage float64 }
	Texts   []struct {
		Answer   ibid.AnswerID
		Segments []struct {
			Origin    string
			Citations []struct {
				Trust string
				Quote string
			}
			Reasons []string
		}
		Unchecked []string
	}
}

// ask gives the note of an answer, whole or streamed.
func (f citedForm) ask(t *testing.T, w *world, stream bool) (n ownNote) {
	t.Helper()
	request := map[string]any{"stream": stream}
	for k, v := range f.request {
		request[k] = v
	}
	r := w.post(f.path, request, "anthropic-version", "2023-06-01").want(200)
	bodies := [][]byte{r.body}
	if stream {
		bodies = nil
		for line := range bytes.Lines(r.body) {
			if data, ok := bytes.CutPrefix(line, []byte("data: ")); ok {
				bodies = append(bodies, data)
			}
		}
	}
	for _, b := range bodies {
		var said struct {
			Ibid     *ownNote
			Response struct{ Ibid *ownNote }
		}
		json.Unmarshal(b, &said)
		if said.Ibid != nil {
			n = *said.Ibid
		}
		if said.Response.Ibid != nil {
			n = *said.Response.Ibid
		}
	}
	if len(n.Texts) == 0 {
		t.Fatalf("no note in %s", r.body)
	}
	return n
}

// A citation that a provider gives by itself is its claim, in whichever form: where the source supports the words the link stands on
// the provider's rung, where it does not the segment says so, and where nobody has the source that is said. The gate counts by
// the rung, whether it holds the answer back or not, and the record has it.
func TestProvidersOwnCitationsAreChecked(t *testing.T) {
	for name, f := range citedForms() {
		for _, hold := range []gate.Hold{gate.HoldNothing, gate.HoldSegment, gate.HoldAnswer} {
			outcome := gate.Warn
			if hold == gate.HoldSegment { // nothing is let out before the citations are there
				outcome = gate.Block
			}
			for _, stream := range []bool{false, true} {
				if hold == gate.HoldSegment && strings.HasPrefix(name, "messages") { // each block is decided apart, and two have no source
					continue
				}
				t.Run(fmt.Sprintf("%s, hold %s, stream %v", name, hold, stream), func(t *testing.T) {
					w := open(t, through(f.serve(t)), func(c *web.Config) {
						c.Asker.Gate.Policy = &gate.Policy{Name: "p", Default: gate.Rule{Threshold: 0.1, Trust: ibid.Provided, Outcome: outcome}, Hold: hold, Mend: gate.Drop}
					})
					n := f.ask(t, w, stream)
					var trust, complaints []string
					var unchecked []string
					for _, text := range n.Texts {
						unchecked = append(unchecked, text.Unchecked...)
						for _, s := range text.Segments {
							if s.Origin == "NONE" {
								continue
							}
							rung := ""
							for _, c := range s.Citations {
								rung += c.Trust
							}
							trust = append(trust, rung)
							complaints = append(complaints, fmt.Sprint(strings.Contains(fmt.Sprint(s.Reasons), "the provider cites source 1 for it, which was not found to support it")))
						}
					}
					if !slices.Equal(trust, []string{"provider", "", ""}) || !slices.Equal(complaints, []string{"false", "true", "false"}) || !slices.Equal(unchecked, []string{f.unknown}) {
						t.Errorf("rungs %v, complaints %v, unchecked %v\n%+v", trust, complaints, unchecked, n)
					}
					var kept ibid.Answer
					w.get("/api/v1/answers/" + string(n.Texts[0].Answer)).want(200).into(&kept)
					if len(kept.Attributions) != 1 || kept.Attributions[0].Trust != ibid.Provided || kept.Verdict.Coverage == 0 {
						t.Errorf("recorded %+v, %+v", kept.Attributions, kept.Verdict)
					}
				})
			}
		}
	}
}

// A document is named by its place among all of the request, also among those whose text only the provider has.
func TestDocumentsAreCountedAsTheProviderDoes(t *testing.T) {
	f := citedForms()["messages"]
	document := func(source map[string]any) map[string]any {
		return map[string]any{"type": "document", "citations": map[string]any{"enabled": true}, "source": source}
	}
	f.request["messages"] = []any{map[string]any{"role": "user", "content": []any{
		document(map[string]any{"type": "file", "file_id": "file_1"}), document(map[string]any{"type": "url", "url": "https://elsewhere.example/a.pdf"}),
		document(map[string]any{"type": "text", "media_type": "text/plain", "data": " "}), document(map[string]any{"type": "base64", "media_type": "application/pdf", "data": ""}),
		document(map[string]any{"type": "text", "media_type": "text/plain", "data": context1}), document(map[string]any{"type": "text", "media_type": "text/plain", "data": "Whales eat krill."}),
		map[string]any{"type": "text", "text": "Why?"}}}}
	cited := map[string]any{"type": "char_location", "cited_text": "the cable failed after three weeks", "document_index": 4, "start_char_index": 11, "end_char_index": 45}
	elsewhere := []any{map[string]any{"type": "page_location", "document_index": 0, "document_title": nil}, map[string]any{"type": "page_location", "document_index": 1, "document_title": "A"}}
	f.whole.(map[string]any)["content"] = []any{map[string]any{"type": "text", "text": holds, "citations": append(elsewhere, cited)}}
	n := f.ask(t, open(t, through(f.serve(t))), false)
	if s := n.Texts[0].Segments; len(s) != 1 || len(s[0].Citations) != 1 || s[0].Citations[0].Trust != "provider" || !slices.Equal(n.Texts[0].Unchecked, []string{"document 1 of the request", "A"}) {
		t.Errorf("the note is %+v", n)
	}
}

// Whatever a citation holds, what it speaks of stands in the text that is on record.
func FuzzCitedSpan(f *testing.F) {
	for _, c := range []string{`{"type":"url_citation","start_index":2,"end_index":9,"url":"https://example.org"}`, `{"type":"url_citation","url_citation":{"start_index":-1,"end_index":1e300}}`,
		`{"type":"file_citation","index":7,"file_id":"f"}`, `{"type":"file_citation","file_citation":[]}`, `{"type":"char_location","document_index":-1,"start_char_index":99999999999}`, `{"type":"url_citation","start_index":"2"}`, `5`, `null`} {
		f.Add("Grüße 🎼! The cable failed. [1] It was {{rag:eaten}}.", c)
	}
	f.Fuzz(func(t *testing.T, raw, citation string) {
		var v any
		if !utf8.ValidString(raw) || json.Unmarshal([]byte(citation), &v) != nil {
			return
		}
		clean := marker.Parse(raw, marker.Config{}).Text
		span, ok := web.CitedSpan(raw, ibid.Answer{Text: clean}, v)
		if !ok {
			return
		}
		if span.Start < 0 || span.End > len(clean) || span.Start > span.End {
			t.Fatalf("%v of %q", span, clean)
		}
	})
}

// What the gate lets out by segment was decided before the provider's citations were known, and is not revised by them.
func TestCitationsDoNotReviseWhatIsOut(t *testing.T) {
	for name, f := range citedForms() {
		t.Run(name, func(t *testing.T) {
			w := open(t, through(f.serve(t)), func(c *web.Config) {
				c.Asker.Gate.Policy = &gate.Policy{Name: "p", Default: gate.Rule{Threshold: 0.1, Outcome: gate.Warn}, Hold: gate.HoldSegment, Mend: gate.Drop}
			})
			n := f.ask(t, w, true)
			links := 0
			for _, text := range n.Texts {
				for _, s := range text.Segments {
					for _, c := range s.Citations {
						if links++; c.Trust == "provider" {
							t.Errorf("revised: %+v", s)
						}
					}
				}
			}
			if links == 0 || !strings.Contains(fmt.Sprint(n), f.unknown) {
				t.Errorf("the note is %+v", n)
			}
		})
	}
}
