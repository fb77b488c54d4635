package llm_test

// All traffic in these tests is scripted: local servers speak the wire forms of the two APIs as their makers document
// them. No test here talks to a real model.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/llm"
	"github.com/ibid-dev/ibid/llm/llmtest"
)

// step is one thing that a scripted server does with its answer.
type step func(w http.ResponseWriter, r *http.Request)

// send writes bytes and pushes them onto the wire.
func send(s string) step {
	return func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, s)
		w.(http.Flusher).Flush()
	}
}

// bytewise sends one byte at a time, so that characters, lines and events are cut everywhere.
func bytewise(s string) step {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := range len(s) {
			io.WriteString(w, s[i:i+1])
			w.(http.Flusher).Flush()
		}
	}
}

// cut breaks the connection.
func cut(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// status answers with an error.
func status(code int, body string, header ...string) step {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		if w.Header().Get("Content-Type") == "" {
			w.Header().Set("Content-Type", "application/json")
		}
		w.WriteHeader(code)
		io.WriteString(w, body)
	}
}

// scripted is a server that plays one script per request, the last one again and again, and keeps what it was sent.
type scripted struct {
	*httptest.Server
	mu       sync.Mutex
	requests []*http.Request
	bodies   []string
}

func serve(t *testing.T, scripts ...[]step) *scripted {
	t.Helper()
	s := &scripted{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		n := len(s.requests)
		s.requests = append(s.requests, r)
		s.bodies = append(s.bodies, string(body))
		s.mu.Unlock()
		w.Header().Set("Content-Type", "text/event-stream")
		for _, do := range scripts[min(n, len(scripts)-1)] {
			if do == nil {
				continue
			}
			do(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *scripted) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests)
}

// heard is what a reader of a model gets.
type heard struct {
	text   string
	deltas int
	model  string
	usage  ibid.Usage
	cites  []ibid.Cite
	err    error
}

func listen(ctx context.Context, m ibid.Model, p ibid.Prompt) heard {
	var h heard
	for d, err := range m.Generate(ctx, p) {
		if err != nil {
			h.err = err
			continue
		}
		h.deltas++
		h.text += d.Text
		h.cites = append(h.cites, d.Cites...)
		if d.Model != "" {
			h.model = d.Model
		}
		if d.Usage != (ibid.Usage{}) {
			h.usage = d.Usage
		}
	}
	return h
}

// api is one of the two wire forms.
type api struct {
	name  string
	model func(t *testing.T, base string) ibid.Model
	word  func(text string) string // an event with text
	begin string
	end   string // the events of a good end, with usage of 11 and 7 tokens
	fail  string // an error event: overloaded
	limit string // an end by the limit of tokens
	deny  string // an end by refusal
	junk  string // an event that is no JSON
}

func quoted(s string) string { b, _ := json.Marshal(s); return string(b) }

var apis = []api{
	{
		name: "openai",
		model: func(t *testing.T, base string) ibid.Model {
			m, err := llm.NewOpenAI("small-1", llm.OpenAIConfig{Key: "sk-secret", BaseURL: base + "/v1"})
			if err != nil {
				t.Fatal(err)
			}
			return m
		},
		begin: `data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"small-1-0125","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}` + "\n\n",
		word: func(s string) string {
			return `data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"small-1-0125","choices":[{"index":0,"delta":{"content":` + quoted(s) + `},"finish_reason":null}]}` + "\n\n"
		},
		end: `data: {"id":"c1","object":"chat.completion.chunk","model":"small-1-0125","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n" +
			`data: {"id":"c1","object":"chat.completion.chunk","model":"small-1-0125","choices":[],"usage":{"prompt_tokens":11,"completion_tokens":7,"total_tokens":18}}` + "\n\ndata: [DONE]\n\n",
		fail:  `data: {"error":{"message":"The server is overloaded","type":"server_error","code":"overloaded"}}` + "\n\n",
		limit: `data: {"id":"c1","model":"small-1-0125","choices":[{"index":0,"delta":{},"finish_reason":"length"}]}` + "\n\ndata: [DONE]\n\n",
		deny:  `data: {"id":"c1","model":"small-1-0125","choices":[{"index":0,"delta":{},"finish_reason":"content_filter"}]}` + "\n\ndata: [DONE]\n\n",
		junk:  "data: {\"id\":\"c1\",\"choices\":[{{{\n\n",
	},
	{
		name: "anthropic",
		model: func(t *testing.T, base string) ibid.Model {
			m, err := llm.NewAnthropic("small-1", llm.AnthropicConfig{Key: "sk-secret", BaseURL: base})
			if err != nil {
				t.Fatal(err)
			}
			return m
		},
		begin: "event: message_start\n" + `data: {"type":"message_start","message":{"id":"m1","type":"message","role":"assistant","model":"small-1-0125","content":[],"stop_reason":null,"usage":{"input_tokens":11,"output_tokens":1}}}` + "\n\n" +
			"event: ping\n" + `data: {"type":"ping"}` + "\n\n" +
			"event: content_block_start\n" + `data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}` + "\n\n",
		word: func(s string) string {
			return "event: content_block_delta\n" + `data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":` + quoted(s) + `}}` + "\n\n"
		},
		end: "event: content_block_stop\n" + `data: {"type":"content_block_stop","index":0}` + "\n\n" +
			"event: message_delta\n" + `data: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":7}}` + "\n\n" +
			"event: message_stop\n" + `data: {"type":"message_stop"}` + "\n\n",
		fail:  "event: error\n" + `data: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}` + "\n\n",
		limit: "event: message_delta\n" + `data: {"type":"message_delta","delta":{"stop_reason":"max_tokens"},"usage":{"output_tokens":7}}` + "\n\n" + "event: message_stop\n" + `data: {"type":"message_stop"}` + "\n\n",
		deny:  "event: message_delta\n" + `data: {"type":"message_delta","delta":{"stop_reason":"refusal"},"usage":{"output_tokens":0}}` + "\n\n" + "event: message_stop\n" + `data: {"type":"message_stop"}` + "\n\n",
		junk:  "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",[[[\n\n",
	},
}

func each(t *testing.T, test func(t *testing.T, a api)) {
	for _, a := range apis {
		t.Run(a.name, func(t *testing.T) { test(t, a) })
	}
}

var ask = ibid.Prompt{System: "Be brief.", Question: "When?", MaxTokens: 99}

func TestAnswerStreams(t *testing.T) {
	each(t, func(t *testing.T, a api) {
		s := serve(t, []step{send(a.begin), send(a.word("On 5 ")), send(a.word("August.")), send(a.end)})
		h := listen(t.Context(), a.model(t, s.URL), ask)
		if h.err != nil || h.text != "On 5 August." {
			t.Fatalf("got %q, %v", h.text, h.err)
		}
		if h.model != "small-1-0125" || h.usage != (ibid.Usage{Input: 11, Output: 7}) {
			t.Errorf("model %q usage %+v", h.model, h.usage)
		}
		if n := s.count(); n != 1 {
			t.Errorf("%d requests", n)
		}
	})
}

func TestRequestCarriesPromptAndKey(t *testing.T) {
	each(t, func(t *testing.T, a api) {
		s := serve(t, []step{send(a.begin), send(a.word("x")), send(a.end)})
		listen(t.Context(), a.model(t, s.URL), ibid.Prompt{System: "Be brief.", MaxTokens: 99, Messages: []ibid.Message{
			{Role: "user", Text: "first"}, {Role: "assistant", Text: "second"}, {Role: "user", Text: "third"}}})
		var body struct {
			Model     string
			Stream    bool
			MaxTokens int             `json:"max_tokens"`
			System    json.RawMessage `json:"system"`
			Messages  []struct {
				Role    string
				Content json.RawMessage
			}
		}
		if err := json.Unmarshal([]byte(s.bodies[0]), &body); err != nil {
			t.Fatal(err)
		}
		if body.Model != "small-1" || !body.Stream || body.MaxTokens != 99 {
			t.Errorf("body %s", s.bodies[0])
		}
		var roles []string
		for _, m := range body.Messages {
			roles = append(roles, m.Role)
		}
		want := "system user assistant user"
		path, key := "/v1/chat/completions", s.requests[0].Header.Get("Authorization")
		if a.name == "anthropic" {
			want, path, key = "user assistant user", "/v1/messages", "Bearer "+s.requests[0].Header.Get("X-Api-Key")
		}
		if got := strings.Join(roles, " "); got != want {
			t.Errorf("roles %q", got)
		}
		if !strings.Contains(s.bodies[0], "Be brief.") || !strings.Contains(s.bodies[0], "third") {
			t.Errorf("prompt is not in %s", s.bodies[0])
		}
		if s.requests[0].URL.Path != path || key != "Bearer sk-secret" {
			t.Errorf("asked %s with %q", s.requests[0].URL.Path, key)
		}
	})
}

func TestTextIsTheSameHoweverTheWireCutsIt(t *testing.T) {
	each(t, func(t *testing.T, a api) {
		text := "Zürich — 東京 👩‍🚀 naïve"
		s := serve(t, []step{bytewise(": keep-alive\n\n" + a.begin + a.word(text[:8]) + ": keep-alive\n\n" + a.word(text[8:]) + a.end)})
		h := listen(t.Context(), a.model(t, s.URL), ask)
		if h.err != nil || h.text != text {
			t.Fatalf("got %q, %v", h.text, h.err)
		}
	})
}

func TestCarriageReturnsEndLines(t *testing.T) {
	each(t, func(t *testing.T, a api) {
		s := serve(t, []step{send(strings.ReplaceAll(a.begin+a.word("Yes.")+a.end, "\n", "\r\n"))})
		if h := listen(t.Context(), a.model(t, s.URL), ask); h.err != nil || h.text != "Yes." {
			t.Fatalf("got %q, %v", h.text, h.err)
		}
	})
}

// Content may be a list of parts: those of text are the words, and what is thought is none.
func TestWordsInParts(t *testing.T) {
	a := apis[0]
	part := func(list string) string {
		return `data: {"id":"c1","model":"small-1-0125","choices":[{"index":0,"delta":{"content":` + list + `},"finish_reason":null}]}` + "\n\n"
	}
	s := serve(t, []step{send(a.begin), send(part(`[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}]`)), send(part(`[{"type":"text","text":"On "},{"type":"text","text":"5 "}]`)),
		send(a.word("[August]")), send(part(`[]`)), send(a.end)})
	if h := listen(t.Context(), a.model(t, s.URL), ask); h.err != nil || h.text != "On 5 [August]" {
		t.Fatalf("got %q, %v", h.text, h.err)
	}
}

func TestLongTokensPass(t *testing.T) {
	each(t, func(t *testing.T, a api) {
		long := strings.Repeat("a long word ", 100_000/12)
		s := serve(t, []step{send(a.begin), send(a.word(long)), send(a.word(long)), send(a.end)})
		h := listen(t.Context(), a.model(t, s.URL), ask)
		if h.err != nil || h.text != long+long {
			t.Fatalf("got %d bytes, %v", len(h.text), h.err)
		}
	})
}

func TestCutStreamKeepsWhatCame(t *testing.T) {
	for name, last := range map[string]func(a api) []step{
		"connection broken": func(a api) []step { return []step{cut} },
		"stream just ends":  func(a api) []step { return nil },
		"no JSON":           func(a api) []step { return []step{send(a.junk), send(a.word("never")), send(a.end)} },
		"error event":       func(a api) []step { return []step{send(a.fail), send(a.word("never"))} },
		"limit of tokens":   func(a api) []step { return []step{send(a.limit)} },
		"half an event":     func(a api) []step { w := a.word("never"); return []step{send(w[:len(w)/2])} },
		"half then broken":  func(a api) []step { w := a.word("never"); return []step{send(w[:len(w)/2]), cut} },
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, a api) {
				s := serve(t, append([]step{send(a.begin), send(a.word("half an "))}, last(a)...))
				h := listen(t.Context(), llm.Retry(a.model(t, s.URL), llm.RetryConfig{Wait: noWait}), ask)
				if h.text != "half an " {
					t.Errorf("text %q", h.text)
				}
				if !errors.Is(h.err, llm.ErrCut) || !strings.Contains(h.err.Error(), "kept") {
					t.Errorf("error %v", h.err)
				}
				if s.count() != 1 {
					t.Errorf("%d requests: an answer that has begun is not asked for again", s.count())
				}
			})
		})
	}
}

func TestFinishedAnswerSurvivesABrokenConnection(t *testing.T) {
	each(t, func(t *testing.T, a api) {
		end := a.end
		if a.name == "openai" {
			end = strings.SplitAfter(a.end, "\n\n")[0]
		}
		s := serve(t, []step{send(a.begin), send(a.word("All of it.")), send(end), cut})
		if h := listen(t.Context(), a.model(t, s.URL), ask); h.err != nil || h.text != "All of it." {
			t.Fatalf("got %q, %v", h.text, h.err)
		}
	})
}

func TestFailuresAreNamed(t *testing.T) {
	openaiModel := `{"error":{"message":"The model 'small-1' does not exist","type":"invalid_request_error","code":"model_not_found"}}`
	tests := []struct {
		name   string
		script func(a api) []step
		kind   error
		says   []string
	}{
		{"key refused", func(api) []step {
			return []step{status(401, `{"error":{"message":"bad key sk-secret","type":"authentication_error"}}`)}
		}, llm.ErrKey, []string{"_API_KEY", "HTTP 401", "without a language model"}},
		{"model unknown", func(api) []step { return []step{status(404, openaiModel)} }, llm.ErrModel, []string{"small-1", "/v1/models", "HTTP 404"}},
		{"model unknown to Anthropic", func(api) []step {
			return []step{status(404, `{"type":"error","error":{"type":"not_found_error","message":"model: small-1"}}`)}
		}, llm.ErrModel, []string{"small-1"}},
		{"model unknown to Ollama", func(api) []step {
			return []step{status(404, `{"error":{"message":"model \"small-1\" not found, try pulling it first","type":"api_error","param":null,"code":null}}`)}
		}, llm.ErrModel, []string{"try pulling it first"}},
		{"model unknown to vLLM", func(api) []step {
			return []step{status(404, `{"object":"error","message":"The model `+"`small-1`"+` does not exist.","type":"NotFoundError","param":null,"code":404}`)}
		}, llm.ErrModel, []string{"small-1"}},
		{"wrong path", func(api) []step { return []step{status(404, "404 page not found", "Content-Type", "text/plain")} }, llm.ErrServer, []string{"base URL", "/v1"}},
		{"too many requests", func(api) []step {
			return []step{status(429, `{"error":{"message":"slow down","type":"rate_limit_error"}}`)}
		}, llm.ErrOverloaded, []string{"slow down"}},
		{"nothing left to spend", func(api) []step {
			return []step{status(429, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}`)}
		}, llm.ErrQuota, []string{"quota"}},
		{"overloaded", func(api) []step {
			return []step{status(529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`)}
		}, llm.ErrOverloaded, nil},
		{"overloaded after status 200", func(a api) []step { return []step{send(a.fail)} }, llm.ErrOverloaded, nil},
		{"server failed", func(api) []step { return []step{status(500, "oops", "Content-Type", "text/plain")} }, llm.ErrServer, []string{"HTTP 500", "oops"}},
		{"too long", func(api) []step {
			return []step{status(400, `{"error":{"message":"This model's maximum context length is 8192 tokens","type":"invalid_request_error","code":"context_length_exceeded"}}`)}
		}, llm.ErrContextTooLong, []string{"fewer passages", "8192"}},
		{"too long for Anthropic", func(api) []step {
			return []step{status(400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 209999 tokens > 200000 maximum"}}`)}
		}, llm.ErrContextTooLong, nil},
		{"bad request", func(api) []step {
			return []step{status(400, `{"error":{"message":"temperature: must be at most 1","type":"invalid_request_error"}}`)}
		}, ibid.ErrInvalid, []string{"temperature"}},
		{"refused", func(a api) []step { return []step{send(a.begin), send(a.deny)} }, llm.ErrRefused, nil},
		{"empty answer", func(a api) []step { return []step{send(a.begin), send(a.end)} }, llm.ErrEmpty, []string{"small-1"}},
		{"web page", func(api) []step {
			return []step{status(200, "<html>login</html>", "Content-Type", "text/html; charset=utf-8")}
		}, llm.ErrServer, []string{"text/html"}},
		{"nothing at all", func(api) []step { return nil }, llm.ErrCut, nil},
		{"broken before the first word", func(api) []step { return []step{cut} }, llm.ErrUnreachable, nil},
		{"error as text", func(api) []step { return []step{status(500, `{"error":"out of memory"}`)} }, llm.ErrServer, []string{"out of memory"}},
		{"huge error body", func(api) []step { return []step{status(500, strings.Repeat("x", 1<<20))} }, llm.ErrServer, []string{"xxx…"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			each(t, func(t *testing.T, a api) {
				s := serve(t, tt.script(a))
				h := listen(t.Context(), a.model(t, s.URL), ask)
				if !errors.Is(h.err, tt.kind) {
					t.Fatalf("error %v, want %v", h.err, tt.kind)
				}
				var e *llm.Error
				if !errors.As(h.err, &e) || e.Provider != a.name || e.Model != "small-1" {
					t.Fatalf("no facts in %#v", h.err)
				}
				for _, w := range tt.says {
					if !strings.Contains(h.err.Error(), w) {
						t.Errorf("%q does not say %q", h.err, w)
					}
				}
				if strings.Contains(h.err.Error(), "sk-secret") {
					t.Errorf("the key is in %q", h.err)
				}
				if s.count() != 1 {
					t.Errorf("%d requests: the library retried by itself", s.count())
				}
			})
		})
	}
}

func TestServerThatIsNotThere(t *testing.T) {
	each(t, func(t *testing.T, a api) {
		s := serve(t, nil)
		s.Close()
		h := listen(t.Context(), a.model(t, s.URL), ask)
		if !errors.Is(h.err, llm.ErrUnreachable) || !strings.Contains(h.err.Error(), s.URL) {
			t.Fatalf("error %v", h.err)
		}
	})
}

func TestMissingKeyOrModelIsSaidAtOnce(t *testing.T) {
	_, err := llm.NewOpenAI("small-1", llm.OpenAIConfig{})
	const want = "openai: OPENAI_API_KEY is not set: set it, or leave the model out to answer from your documents without a language model"
	if !errors.Is(err, llm.ErrKey) || err.Error() != want {
		t.Errorf("got %v", err)
	}
	if _, err = llm.NewAnthropic("small-1", llm.AnthropicConfig{}); !errors.Is(err, llm.ErrKey) || !strings.Contains(err.Error(), "ANTHROPIC_API_KEY") {
		t.Errorf("got %v", err)
	}
	if _, err = llm.NewOpenAI(" ", llm.OpenAIConfig{Key: "k"}); !errors.Is(err, llm.ErrModel) {
		t.Errorf("got %v", err)
	}
	if _, err = llm.NewOpenAI("m", llm.OpenAIConfig{Key: "a\nb"}); !errors.Is(err, llm.ErrKey) || strings.Contains(err.Error(), "a\nb") {
		t.Errorf("got %v", err)
	}
	for _, base := range []string{"localhost:11434", "ftp://x/v1", "http://", "http://u:pw\x7f@h"} {
		if _, err = llm.NewOpenAI("m", llm.OpenAIConfig{BaseURL: base}); !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("%q: got %v", base, err)
		}
	}
	if _, err = llm.NewOpenAI("m", llm.OpenAIConfig{BaseURL: "http://localhost:11434/v1"}); err != nil {
		t.Errorf("a server of one's own needs no key: %v", err)
	}
}

// TestLeavingClosesTheConnection: the server must see that nobody listens any more, or it goes on writing, and billing.
func TestLeavingClosesTheConnection(t *testing.T) {
	each(t, func(t *testing.T, a api) {
		for _, how := range []string{"leaving the loop", "ending the context"} {
			t.Run(how, func(t *testing.T) {
				gone := make(chan struct{})
				s := serve(t, []step{send(a.begin), send(a.word("one ")), func(_ http.ResponseWriter, r *http.Request) {
					<-r.Context().Done()
					close(gone)
				}})
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				var last error
				for d, err := range a.model(t, s.URL).Generate(ctx, ask) {
					if err != nil {
						last = err
						break
					}
					if d.Text == "" {
						continue
					}
					if how == "leaving the loop" {
						break
					}
					cancel()
				}
				if how == "ending the context" && !errors.Is(last, context.Canceled) {
					t.Errorf("error %v", last)
				}
				select {
				case <-gone:
				case <-time.After(10 * time.Second):
					t.Fatal("the server was not told")
				}
			})
		}
	})
}

func noWait(ctx context.Context, _ time.Duration) error { return ctx.Err() }

func TestRetry(t *testing.T) {
	each(t, func(t *testing.T, a api) {
		good := []step{send(a.begin), send(a.word("Yes.")), send(a.end)}
		tests := []struct {
			name     string
			scripts  [][]step
			requests int
			kind     error
		}{
			{"500 then success", [][]step{{status(500, "")}, good}, 2, nil},
			{"429 and 408 then success", [][]step{{status(429, "")}, {status(408, "")}, good}, 3, nil},
			{"overloaded event then success", [][]step{{send(a.fail)}, good}, 2, nil},
			{"broken connection then success", [][]step{{cut}, good}, 2, nil},
			{"gives up after three", [][]step{{status(503, "")}}, 3, llm.ErrOverloaded},
			{"a refused key stays refused", [][]step{{status(401, "")}, good}, 1, llm.ErrKey},
			{"a bad request stays bad", [][]step{{status(400, "")}, good}, 1, ibid.ErrInvalid},
			{"an empty account stays empty", [][]step{{status(429, `{"error":{"code":"insufficient_quota"}}`)}, good}, 1, llm.ErrQuota},
			{"an empty answer stands", [][]step{{send(a.begin), send(a.end)}, good}, 1, llm.ErrEmpty},
			{"a wait that is too long is not waited", [][]step{{status(429, "", "Retry-After", "3600")}, good}, 1, llm.ErrOverloaded},
		}
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				s := serve(t, tt.scripts...)
				h := listen(t.Context(), llm.Retry(a.model(t, s.URL), llm.RetryConfig{Wait: noWait}), ask)
				if s.count() != tt.requests || !errors.Is(h.err, tt.kind) {
					t.Fatalf("%d requests, error %v", s.count(), h.err)
				}
				if tt.kind == nil && h.text != "Yes." {
					t.Errorf("text %q", h.text)
				}
			})
		}
	})
}

func TestRetryWaits(t *testing.T) {
	a := apis[0]
	s := serve(t, []step{status(500, "")}, []step{status(500, "")}, []step{status(429, "", "Retry-After", "7")}, []step{status(429, "", "Retry-After-Ms", "250")}, []step{send(a.begin), send(a.word("Yes.")), send(a.end)})
	var waits []string
	c := llm.RetryConfig{Attempts: 9, Base: time.Second, Jitter: func() float64 { return 0.5 }, Wait: func(_ context.Context, d time.Duration) error {
		waits = append(waits, d.String())
		return nil
	}}
	if h := listen(t.Context(), llm.Retry(a.model(t, s.URL), c), ask); h.err != nil {
		t.Fatal(h.err)
	}
	if got := fmt.Sprint(waits); got != "[750ms 1.5s 7s 250ms]" {
		t.Errorf("waits %s", got)
	}
}

func TestRetryEndsWithTheContext(t *testing.T) {
	a := apis[0]
	s := serve(t, []step{status(500, "")})
	ctx, cancel := context.WithCancel(t.Context())
	h := listen(ctx, llm.Retry(a.model(t, s.URL), llm.RetryConfig{Wait: func(ctx context.Context, _ time.Duration) error {
		cancel()
		return ctx.Err()
	}}), ask)
	if s.count() != 1 || !errors.Is(h.err, context.Canceled) {
		t.Fatalf("%d requests, error %v", s.count(), h.err)
	}
}

func TestTimeouts(t *testing.T) {
	stall := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	each(t, func(t *testing.T, a api) {
		tests := []struct {
			name   string
			limits llm.Limits
			script []step
			text   string
			says   string
		}{
			{"before the headers", llm.Limits{First: 30 * time.Millisecond}, []step{stall}, "", "first words"},
			{"before the first word", llm.Limits{First: 30 * time.Millisecond}, []step{send(a.begin), stall}, "", "first words"},
			{"between words", llm.Limits{First: time.Minute, Between: 30 * time.Millisecond}, []step{send(a.begin), send(a.word("one ")), stall}, "one ", "next words"},
			{"the whole", llm.Limits{Whole: 500 * time.Millisecond, Between: time.Minute}, []step{send(a.begin), send(a.word("one ")), stall}, "one ", "whole answer"},
			{"keep-alives are not words", llm.Limits{First: 50 * time.Millisecond}, []step{send(a.begin), func(w http.ResponseWriter, r *http.Request) {
				for r.Context().Err() == nil {
					send(": keep-alive\n\n")(w, r)
					time.Sleep(5 * time.Millisecond)
				}
			}}, "", "first words"},
		}
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				s := serve(t, tt.script)
				h := listen(t.Context(), llm.Timeouts(a.model(t, s.URL), tt.limits), ask)
				if !errors.Is(h.err, llm.ErrTimeout) || !strings.Contains(h.err.Error(), tt.says) || h.text != tt.text {
					t.Fatalf("got %q, %v", h.text, h.err)
				}
				if errors.Is(h.err, llm.ErrCut) != (tt.text != "") {
					t.Errorf("cut or not: %v", h.err)
				}
			})
		}
		t.Run("a good answer passes", func(t *testing.T) {
			s := serve(t, []step{send(a.begin), send(a.word("Yes.")), send(a.end)})
			h := listen(t.Context(), llm.Timeouts(a.model(t, s.URL), llm.Limits{Whole: time.Minute, First: time.Minute, Between: time.Minute}), ask)
			if h.err != nil || h.text != "Yes." {
				t.Fatalf("got %q, %v", h.text, h.err)
			}
		})
		t.Run("the caller's own deadline is its own", func(t *testing.T) {
			s := serve(t, []step{stall})
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
			defer cancel()
			h := listen(ctx, llm.Timeouts(a.model(t, s.URL), llm.Limits{Whole: time.Minute}), ask)
			if !errors.Is(h.err, context.DeadlineExceeded) || errors.Is(h.err, llm.ErrTimeout) {
				t.Fatalf("error %v", h.err)
			}
		})
	})
}

// A slow reader must not look like a slow model.
func TestTimeBetweenWordsIsTheModelsOwn(t *testing.T) {
	text := ""
	m := llm.Timeouts(llmtest.Says("a ", "b ", "c "), llm.Limits{First: 200 * time.Millisecond, Between: 200 * time.Millisecond})
	for d, err := range m.Generate(t.Context(), ask) {
		if err != nil {
			t.Fatal(err)
		}
		if text != "b " {
			time.Sleep(250 * time.Millisecond)
		}
		text += d.Text
	}
	if text != "a b c " {
		t.Errorf("text %q", text)
	}
}

// A model that ends quietly when its context ends must not pass for one that has finished.
func TestLateIsLateEvenIfTheModelIsQuiet(t *testing.T) {
	quiet := &llmtest.Scripted{Reply: func(ibid.Prompt) []llmtest.Step {
		time.Sleep(40 * time.Millisecond)
		return nil
	}}
	if h := listen(t.Context(), llm.Timeouts(quiet, llm.Limits{Whole: 10 * time.Millisecond}), ask); !errors.Is(h.err, llm.ErrTimeout) {
		t.Errorf("error %v", h.err)
	}
}
