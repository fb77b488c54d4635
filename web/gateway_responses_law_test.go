package web_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/web"
)

// told is what a stream of a response says of one text, in each place that says it.
type told struct {
	pieces string
	cited  []any // as they came, one by one
	wholes []string
	cites  [][]any
	open   bool // its part was begun, and has no end yet
}

// readStream is what a reader knows of a response when its stream has ended.
type readStream struct {
	kinds []string
	texts map[string]*told // by item and part
	other []string         // what is no text, and no end, as it came
	final map[string]any
	end   string
}

// readResponse reads a stream as a client does that trusts each event, and holds the laws that every stream keeps: events are
// JSON, numbered from 0 without a gap, pieces of a text come between its beginning and its end, and one event ends it all.
func readResponse(t testing.TB, body string) readStream {
	t.Helper()
	s := readStream{texts: map[string]*told{}}
	at := func(item, content any) *told {
		key := fmt.Sprint(item, ".", content)
		if s.texts[key] == nil {
			s.texts[key] = &told{}
		}
		return s.texts[key]
	}
	part := func(item, content any, v any) {
		p, _ := v.(map[string]any)
		if text, ok := p["text"].(string); ok && p["type"] == "output_text" {
			w := at(item, content)
			w.open = false
			list, _ := p["annotations"].([]any)
			w.wholes, w.cites = append(w.wholes, text), append(w.cites, list)
		}
	}
	whole := func(v any) {
		item, _ := v.(map[string]any)
		content, _ := item["content"].([]any)
		for i, c := range content {
			if item["type"] == "message" {
				part(item["id"], i, c)
			}
		}
	}
	for _, block := range strings.Split(strings.TrimSuffix(body, "\n\n"), "\n\n") {
		name, data, ok := strings.Cut(block, "\ndata: ")
		var e map[string]any
		if err := json.Unmarshal([]byte(data), &e); !ok || err != nil {
			t.Fatalf("no event: %q: %v", block, err)
		}
		kind, _ := e["type"].(string)
		if name != "event: "+kind || e["sequence_number"] != float64(len(s.kinds)) {
			t.Fatalf("event %d is %s", len(s.kinds), block)
		}
		if s.end != "" && (s.end != "response.failed" || kind != "error") {
			t.Fatalf("behind %s comes %s", s.end, block)
		}
		s.kinds = append(s.kinds, kind)
		switch kind {
		case "response.content_part.added":
			at(e["item_id"], e["content_index"]).open = true
		case "response.output_text.delta":
			w := at(e["item_id"], e["content_index"])
			if w.pieces += e["delta"].(string); !w.open {
				t.Errorf("a piece of what is not begun, or has ended: %s", body)
			}
		case "response.output_text.annotation.added":
			w := at(e["item_id"], e["content_index"])
			if e["annotation_index"] != float64(len(w.cited)) {
				t.Errorf("citation %d is %s", len(w.cited), block)
			}
			w.cited = append(w.cited, e["annotation"])
		case "response.output_text.done":
			w := at(e["item_id"], e["content_index"])
			w.open = false
			w.wholes = append(w.wholes, e["text"].(string))
		case "response.content_part.done":
			part(e["item_id"], e["content_index"], e["part"])
		case "response.output_item.done":
			whole(e["item"])
			if item, _ := e["item"].(map[string]any); item["type"] != "message" {
				s.other = append(s.other, quoted(item))
			}
		case "response.completed", "response.incomplete", "response.failed", "error":
			s.end = kind
			if s.final, _ = e["response"].(map[string]any); s.final != nil {
				output, _ := s.final["output"].([]any)
				for _, item := range output {
					whole(item)
				}
			}
		}
	}
	return s
}

// scriptedResponse is a response by chance: thoughts, calls, searches and messages of several parts, as events that are cut at
// any place. Some providers leave events out, or say the whole only at the end.
type scriptedResponse struct {
	events []string
	texts  map[string]string
	other  []string
	status string
}

func drawResponse(t *rapid.T, sentences []string) scriptedResponse {
	s := scriptedResponse{texts: map[string]string{}, status: rapid.SampledFrom([]string{"completed", "incomplete"}).Draw(t, "status")}
	say := func(kind string, rest map[string]any) {
		rest["type"], rest["sequence_number"] = kind, 100+len(s.events)
		s.events = append(s.events, fmt.Sprintf("event: %s\ndata: %s\n\n", kind, quoted(rest)))
	}
	leaves := func(what string) bool { return rapid.IntRange(0, 5).Draw(t, "leaves out "+what) == 0 }
	head := func(status string, output []any) map[string]any {
		return map[string]any{"id": "r1", "object": "response", "status": status, "model": "m", "output": output, "usage": map[string]any{"input_tokens": 1, "output_tokens": 2}}
	}
	say("response.created", map[string]any{"response": head("in_progress", []any{})})
	var output []any
	for i := range rapid.IntRange(1, 4).Draw(t, "items") {
		id := fmt.Sprint("item", i)
		item := map[string]any{"id": id}
		switch kind := rapid.SampledFrom([]string{"message", "message", "message", "reasoning", "function_call", "web_search_call", "refusal"}).Draw(t, "kind"); kind {
		default:
			item["type"], item["call_id"], item["name"], item["arguments"], item["extra"] = kind, "c", "f", `{"x":1}`, map[string]any{"y": []any{1, "z"}}
			say("response.output_item.added", map[string]any{"output_index": i, "item": item})
			say("response.output_item.done", map[string]any{"output_index": i, "item": item})
			s.other = append(s.other, quoted(item))
		case "refusal":
			item["type"], item["content"] = "message", []any{map[string]any{"type": "refusal", "refusal": "I will not."}}
			say("response.output_item.added", map[string]any{"output_index": i, "item": map[string]any{"id": id, "type": "message", "content": []any{}}})
			say("response.refusal.delta", map[string]any{"item_id": id, "output_index": i, "content_index": 0, "delta": "I will not."})
			say("response.output_item.done", map[string]any{"output_index": i, "item": item})
		case "message":
			item["type"], item["role"] = "message", "assistant"
			say("response.output_item.added", map[string]any{"output_index": i, "item": map[string]any{"id": id, "type": "message", "role": "assistant", "content": []any{}}})
			var content []any
			for j := range rapid.IntRange(1, 2).Draw(t, "parts") {
				at := func(rest map[string]any) map[string]any {
					rest["item_id"], rest["output_index"], rest["content_index"] = id, i, j
					return rest
				}
				text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(sentences), 1, 4).Draw(t, "text"), " ")
				s.texts[fmt.Sprint(id, ".", j)] = text
				native := []any{}
				begins := ""
				if rapid.IntRange(0, 5).Draw(t, "begins with words") == 0 {
					begins = text[:3]
				}
				say("response.content_part.added", at(map[string]any{"part": map[string]any{"type": "output_text", "text": begins, "annotations": []any{}}}))
				for rest := []rune(text[len(begins):]); len(rest) > 0; {
					n := rapid.IntRange(1, len(rest)).Draw(t, "cut")
					say("response.output_text.delta", at(map[string]any{"delta": string(rest[:n]), "logprobs": []any{}}))
					rest = rest[n:]
				}
				if rapid.Bool().Draw(t, "cites") {
					cite := map[string]any{"type": "url_citation", "start_index": 0, "end_index": 3, "url": "https://example.org", "title": "x"}
					native = append(native, cite)
					say("response.output_text.annotation.added", at(map[string]any{"annotation_index": 0, "annotation": cite}))
				}
				part := map[string]any{"type": "output_text", "text": text, "annotations": native}
				if !leaves("the end of a text") {
					end := text
					if rapid.IntRange(0, 5).Draw(t, "says another") == 0 {
						end = "Something else was eaten by whales."
					}
					say("response.output_text.done", at(map[string]any{"text": end}))
				}
				if !leaves("the end of a part") {
					say("response.content_part.done", at(map[string]any{"part": part}))
				}
				content = append(content, part)
			}
			item["content"] = content
			if !leaves("the end of an item") {
				say("response.output_item.done", map[string]any{"output_index": i, "item": item})
			}
		}
		output = append(output, item)
	}
	if leaves("the items at the end") {
		output = []any{}
	}
	say("response."+s.status, map[string]any{"response": head(s.status, output)})
	return s
}

// However a response is made and cut, and whatever the gate does to it, its stream says one thing: the pieces of a text are its
// end, the end of its part and of its item, and what the last event has; so are its citations. What is no text comes as it
// came, and in order. No word that the gate holds back is on the wire, in any event.
func TestResponsesSayOneThing(t *testing.T) {
	t.Parallel()
	const covered, uncovered = "The cable failed after three weeks.", "It was eaten by forty whales."
	var sent []string
	p := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range sent {
			io.WriteString(w, e)
			w.(http.Flusher).Flush()
		}
	}))
	t.Cleanup(p.Close)
	for _, hold := range []gate.Hold{gate.HoldNothing, gate.HoldSegment, gate.HoldAnswer} {
		for _, outcome := range []gate.Outcome{gate.Block, gate.Repair, gate.Warn} {
			if hold == gate.HoldNothing && outcome != gate.Warn {
				continue // what is out cannot be kept back: there is no such policy
			}
			t.Run(fmt.Sprint(hold, " ", outcome), func(t *testing.T) {
				opened := open(t, func(c *web.Config) {
					c.OpenAI, c.Limits.PerSecond = web.Provider{BaseURL: p.URL}, -1
				}, gated(t, "production", func(p *gate.Policy) { p.Hold, p.Default.Outcome, p.Mend, p.Kinds = hold, outcome, gate.Drop, nil }))
				rapid.Check(t, func(rt *rapid.T) {
					s := drawResponse(rt, []string{covered, uncovered, "{{rag:" + covered + "}} [CTX 1]", "The cable failed after three weeks 🐳. [1]", "Why?"})
					sent = s.events
					w := opened.of(t)
					body := string(w.send("POST", "/v1/responses", strings.NewReader(askedOf)).want(200).body)
					got := readResponse(t, body)
					holds := hold != gate.HoldNothing
					if holds && outcome != gate.Warn && strings.Contains(body, "whales") {
						rt.Fatalf("what the gate holds is out: %s", body)
					}
					if got.end == "error" { // in the place of the end
						if !holds || outcome == gate.Warn || got.kinds[len(got.kinds)-2] != "response.failed" {
							rt.Fatalf("it failed: %s", body)
						}
						return
					}
					if got.end != "response."+s.status || got.final["ibid"] == nil {
						rt.Fatalf("it ends with %s: %s", got.end, body)
					}
					if !reflect.DeepEqual(got.other, s.other) {
						rt.Fatalf("what is no text was harmed: %v, want %v", got.other, s.other)
					}
					for key, text := range s.texts {
						w := got.texts[key]
						if w == nil {
							w = &told{}
						}
						if !holds && w.pieces != text {
							rt.Fatalf("%s is %q, want %q", key, w.pieces, text)
						}
						for i, whole := range w.wholes {
							if whole != w.pieces {
								rt.Fatalf("%s is %q in pieces, and %q the %d. time: %s", key, w.pieces, whole, i, body)
							}
						}
						for _, list := range w.cites {
							if len(list) != len(w.cited) || len(list) > 0 && !reflect.DeepEqual(list, w.cited) {
								rt.Fatalf("%s has the citations %v, and one by one %v: %s", key, list, w.cited, body)
							}
						}
					}
				})
			})
		}
	}
}
