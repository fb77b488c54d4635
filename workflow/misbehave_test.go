package workflow_test

import (
	"encoding/json"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/cite/dossier"
	"github.com/ibid-dev/ibid/conflict"
	"github.com/ibid-dev/ibid/llm"
	"github.com/ibid-dev/ibid/llm/llmtest"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/workflow"
)

// wire writes the events of a model's server, one by one.
type wire struct{ w http.ResponseWriter }

func (w wire) raw(s string) {
	io.WriteString(w.w, s)
	w.w.(http.Flusher).Flush()
}

func (w wire) event(delta map[string]any, finish any) {
	b, _ := json.Marshal(map[string]any{"id": "1", "object": "chat.completion.chunk", "model": "naughty", "choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}})
	w.raw("data: " + string(b) + "\n\n")
}

func (w wire) say(texts ...string) {
	for _, t := range texts {
		w.event(map[string]any{"content": t}, nil)
	}
}

func (w wire) stop() { w.event(map[string]any{}, "stop"); w.raw("data: [DONE]\n\n") }

// naughty are ways in which a model's server misbehaves. Each plays at every request: the plan, every step, the answer.
var naughty = map[string]func(w wire, asked string){
	"invents a passage":              func(w wire, q string) { w.say("{{rag:It was laid in 1858[CTX 9].}}"); w.stop() },
	"cites the wrong passage":        func(w wire, q string) { w.say("{{rag:The moon is made of green cheese[CTX 1].}}"); w.stop() },
	"opens markers and never closes": func(w wire, q string) { w.say("{{rag:The cable {{hybrid:was {{llm:laid [CTX 1"); w.stop() },
	"closes markers it never opened": func(w wire, q string) { w.say("The cable}} was }} laid ]] }} CTX 1] in 1858."); w.stop() },
	"numbers from hell": func(w wire, q string) {
		w.say("Laid in 1858 [CTX -1] [CTX 0] [CTX 99999999999999999999] [CTX 1e3] [CTX ,].")
		w.stop()
	},
	"is cut in the middle of a word": func(w wire, q string) { w.say("The cable was la"); panic(http.ErrAbortHandler) },
	"is cut in the middle of a event": func(w wire, q string) {
		w.say("The cable. ")
		w.raw(`data: {"choices":[{"de`)
		panic(http.ErrAbortHandler)
	},
	"calls a tool": func(w wire, q string) {
		w.event(map[string]any{"tool_calls": []any{map[string]any{"index": 0, "id": "c", "type": "function", "function": map[string]any{"name": "search", "arguments": `{"q":"cable"}`}}}}, nil)
		w.event(map[string]any{}, "tool_calls")
		w.raw("data: [DONE]\n\n")
	},
	"refuses": func(w wire, q string) {
		w.event(map[string]any{"refusal": "I can't help with that."}, nil)
		w.stop()
	},
	"is filtered": func(w wire, q string) {
		w.say("The ")
		w.event(map[string]any{}, "content_filter")
		w.raw("data: [DONE]\n\n")
	},
	"says nothing":            func(w wire, q string) { w.stop() },
	"says blanks":             func(w wire, q string) { w.say(" \n\t ", "\n\n"); w.stop() },
	"says 100 kB in one word": func(w wire, q string) { w.say(strings.Repeat("cable", 20_000)); w.stop() },
	"goes round in circles": func(w wire, q string) {
		for range 3000 {
			w.say("The cable was laid and the cable was lost. ")
		}
		w.stop()
	},
	"answers another question": func(w wire, q string) { w.say("1. What is the capital of France?\n2. Paris.\n"); w.stop() },
	"gives half a step": func(w wire, q string) {
		w.say("1. When was the cable of 1858 laid?\n2. When did the cable of 1858")
		w.event(map[string]any{}, "length")
		w.raw("data: [DONE]\n\n")
	},
	"speaks nonsense": func(w wire, q string) {
		w.say("\u202e\u0000\ufffd🙂🙂 asdf ;;; {{{{}}}} [[[[ ]]]] ```", "go\nfunc")
		w.stop()
	},
	"sends what is no JSON": func(w wire, q string) { w.raw("data: <html>502</html>\n\n") },
	"fails": func(w wire, q string) {
		w.w.WriteHeader(500)
		w.raw(`{"error":{"message":"boom"}}`)
	},
	"asks for patience":    func(w wire, q string) { w.w.WriteHeader(429); w.raw(`{"error":{"message":"slow down"}}`) },
	"does not know itself": func(w wire, q string) { w.w.WriteHeader(404); w.raw(`{"error":{"message":"model not found"}}`) },
	"repeats the question": func(w wire, q string) { w.say(q, "? ", q, "?"); w.stop() },
	"quotes its instructions": func(w wire, q string) {
		w.say("Wrap every statement in one of three markers: {{rag:…}} {{llm:…}} [CTX 1, 3]. {{rag:The first cable was completed on 5 August 1858[CTX 1].}}")
		w.stop()
	},
	"sends bytes that are no text": func(w wire, q string) {
		w.raw("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"The cable \xe6\x9d failed \xff\xe6\"}}]}\n\n")
		w.stop()
	},
	"half a character a piece": func(w wire, q string) {
		w.say("Heart", "\u2019", "s Content e", "\u0301", "😀 was the place [", "CT", "X 1", "].")
		w.stop()
	},
}

// With a model's server that misbehaves in every way, the laws hold: every link resolves, nothing is attributed to what was
// not given, the record is complete and loads as it was stored.
func TestThinkHoldsWhateverTheModelDoes(t *testing.T) {
	asker, store := sampleAsker(t)
	question := "When was the cable of 1858 laid, and when did it stop?"
	if len(naughty) < 20 {
		t.Fatalf("%d ways", len(naughty))
	}
	for name, misbehave := range naughty {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				var sent struct {
					Messages []struct{ Content string }
				}
				json.Unmarshal(body, &sent)
				w.Header().Set("Content-Type", "text/event-stream")
				misbehave(wire{w}, sent.Messages[len(sent.Messages)-1].Content)
			}))
			defer server.Close()
			model, err := llm.NewOpenAI("naughty", llm.OpenAIConfig{BaseURL: server.URL})
			if err != nil {
				t.Fatal(err)
			}
			own := *asker
			own.Model = model
			th := &workflow.Thinker{Asker: &own, Planner: model}
			before, err := store.Answers(t.Context(), "", 10_000)
			if err != nil {
				t.Fatal(err)
			}
			for e, err := range th.Think(t.Context(), workflow.Thought{Question: workflow.Question{Text: question}}) {
				if err == nil && e.Kind == workflow.Done {
					holds(t, store, e.Answer)
				}
			}
			for e, err := range th.Dual(t.Context(), workflow.Question{Text: question}) {
				if err == nil && e.Kind == workflow.Done {
					holds(t, store, e.Answer)
				}
			}
			arguer := &workflow.Arguer{Thinker: th, Conflicts: conflict.New(attribute.Reader{}, conflict.Config{})}
			for e, err := range arguer.Argue(t.Context(), workflow.Question{Text: "The cable of 1858 carried 732 messages"}) {
				if err != nil || e.Kind != workflow.Done {
					continue
				}
				holds(t, store, e.Answer)
				arg, err := arguer.Map(t.Context(), e.Answer)
				if err != nil {
					t.Error(err)
				}
				for _, st := range arg.Statements {
					for _, p := range st.Places {
						stands(t, store, dossier.Place{At: p.At, Quote: p.Quote})
					}
				}
			}
			r := &workflow.Researcher{Asker: &own, Planner: model, Studies: store, NewID: func() string { return name + " study" }}
			study, err := r.Begin(t.Context(), workflow.Topic{Text: "the cable of 1858", Depth: dossier.Shallow})
			if err != nil || len(study.Questions) < 3 || len(study.Questions) > 5 {
				t.Fatalf("%v: %d questions", err, len(study.Questions))
			}
			if study, _, err = worked(t.Context(), r, study); err != nil || study.Open() != 0 {
				t.Errorf("%v: %d questions stayed open", err, study.Open())
			}
			for _, q := range study.Questions {
				for _, e := range q.Evidence {
					opens(t, store, q, e)
				}
			}
			after, err := store.Answers(t.Context(), "", 10_000)
			if err != nil || len(after) == len(before) {
				t.Errorf("no record was left: %v", err)
			}
		})
	}
}

// An answer that its model ended for its length, or by a filter, is on record as incomplete, with the reason in plain words, whichever
// way it was asked for; so is each of its steps.
func TestWhatEndsEarlyIsOnRecordAsSuch(t *testing.T) {
	asker, store := sampleAsker(t)
	const half = "The first cable was completed on 5 August 1858 [CTX 1]. It was"
	openai := func(w wire, reason string) {
		w.say(half)
		w.event(map[string]any{}, reason)
		w.raw("data: [DONE]\n\n")
	}
	anthropic := func(w wire, reason string) {
		for kind, data := range ordered(
			"message_start", `{"type":"message_start","message":{"id":"m1","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}`,
			"content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
			"content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"`+half+`"}}`,
			"content_block_stop", `{"type":"content_block_stop","index":0}`,
			"message_delta", `{"type":"message_delta","delta":{"stop_reason":"`+reason+`"},"usage":{"output_tokens":7}}`,
			"message_stop", `{"type":"message_stop"}`) {
			w.raw("event: " + kind + "\ndata: " + data + "\n\n")
		}
	}
	for _, c := range []struct {
		provider, reason, why string
		says                  func(w wire, reason string)
	}{
		{"openai", "length", "the answer reached its limit of tokens", openai},
		{"openai", "content_filter", "a filter of the provider ended the answer", openai},
		{"anthropic", "max_tokens", "the answer reached its limit of tokens", anthropic},
		{"anthropic", "refusal", "the model or its provider refused to go on", anthropic},
	} {
		t.Run(c.provider+" "+c.reason, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				w.Header().Set("Content-Type", "text/event-stream")
				c.says(wire{w}, c.reason)
			}))
			defer server.Close()
			var model ibid.Model
			var err error
			if c.provider == "openai" {
				model, err = llm.NewOpenAI("m", llm.OpenAIConfig{BaseURL: server.URL})
			} else {
				model, err = llm.NewAnthropic("m", llm.AnthropicConfig{BaseURL: server.URL})
			}
			if err != nil {
				t.Fatal(err)
			}
			own := *asker
			own.Model = model
			th := &workflow.Thinker{Asker: &own, Planner: model}
			arguer := &workflow.Arguer{Thinker: th, Conflicts: conflict.New(attribute.Reader{}, conflict.Config{})}
			q := workflow.Question{Text: "When was the cable of 1858 laid, and when did it stop?"}
			for name, events := range map[string]iter.Seq2[workflow.Event, error]{
				"ask":   own.Ask(t.Context(), q),
				"think": th.Think(t.Context(), workflow.Thought{Question: q}),
				"dual":  th.Dual(t.Context(), q),
				"argue": arguer.Argue(t.Context(), workflow.Question{Text: "The cable of 1858 carried 732 messages"}),
			} {
				done := false
				for e, err := range events {
					if err != nil || e.Kind != workflow.Done {
						continue
					}
					done = true
					kept, err := store.Answer(t.Context(), e.Answer.ID)
					if err != nil {
						t.Fatal(err)
					}
					why := c.provider + ": " + c.why + ": "
					if !strings.HasPrefix(kept.Incomplete, why) || !strings.Contains(kept.Text, "It was") {
						t.Errorf("%s: on record is %q, incomplete %q", name, kept.Text, kept.Incomplete)
					}
					for _, s := range kept.Steps {
						if !strings.HasPrefix(s.Incomplete, why) {
							t.Errorf("%s: step %d, incomplete %q", name, s.Number, s.Incomplete)
						}
					}
				}
				if !done {
					t.Errorf("%s leaves no record", name)
				}
			}
		})
	}
}

// ordered gives pairs in the order in which they are written.
func ordered(pairs ...string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for i := 0; i+1 < len(pairs); i += 2 {
			if !yield(pairs[i], pairs[i+1]) {
				return
			}
		}
	}
}

var wholeMarker = regexp.MustCompile(`\[CTX [0-9]{1,3}\]|\{\{rag:[^{}]*\}\}`)

// holds checks the laws on an answer and on what the store gives for it.
func holds(t *testing.T, store *sqlite.Store, a ibid.Answer) {
	t.Helper()
	if err := a.Check(); err != nil {
		t.Errorf("the answer: %v", err)
	}
	stored, err := store.Answer(t.Context(), a.ID)
	if err != nil {
		t.Fatal(err)
	}
	if x, y := asJSON(t, stored), asJSON(t, a); x != y {
		t.Errorf("stored and loaded it is another:\n%.400s\n%.400s", x, y)
	}
	if len(a.Steps) == 0 {
		t.Error("the record has no steps")
	}
	for _, s := range a.Steps {
		if s.Text == "" && s.Incomplete == "" {
			t.Errorf("step %d is empty and does not say why", s.Number)
		}
		if s.Question == "" || s.Trace == "" {
			t.Errorf("step %d does not say what it asked and why", s.Number)
		}
	}
	// What a link points at was given, and stands in the library.
	links := a.Attributions
	for _, s := range a.Steps {
		links = append(links[:len(links):len(links)], s.Attributions...)
	}
	for _, l := range links {
		doc, err := store.Document(t.Context(), l.To.Document)
		if err != nil || l.To.Span.End > len(doc.Text) {
			t.Errorf("a link to %v: %v", l.To, err)
		}
	}
	for _, c := range a.Citations {
		doc, err := store.Document(t.Context(), c.At.Document)
		if err != nil || c.At.Span.In(doc.Text) != c.Quote {
			t.Errorf("a quote that does not stand in its document: %q", c.Quote)
		}
	}
	if wholeMarker.MatchString(a.Text) {
		t.Errorf("the reader sees a marker: %.200q", a.Text)
	}
}

func asJSON(t *testing.T, a ibid.Answer) string {
	t.Helper()
	a.CreatedAt = a.CreatedAt.Truncate(time.Microsecond)
	b, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A model of one's own may cut characters, and may say what is none: nothing of it is lost for that.
func TestWordsThatAreNoTextAreMended(t *testing.T) {
	asker, store := sampleAsker(t)
	own := *asker
	own.Model = llmtest.Says("The cable \xe6", "\x9d\xb1 failed \xff after ", "three weeks. \xe6")
	for e, err := range own.Ask(t.Context(), workflow.Question{Text: "When did the cable fail?"}) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind != workflow.Done {
			continue
		}
		kept, err := store.Answer(t.Context(), e.Answer.ID)
		if want := "The cable 東 failed \ufffd after three weeks. \ufffd"; err != nil || kept.Text != want || e.Answer.Text != want {
			t.Errorf("%q is kept as %q, %v", e.Answer.Text, kept.Text, err)
		}
	}
}
