package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	sdkanthropic "github.com/anthropics/anthropic-sdk-go"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/option"
	sdkopenai "github.com/openai/openai-go/v3"
	openaioption "github.com/openai/openai-go/v3/option"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/llm/llmtest"
	"github.com/ibid-dev/ibid/web"
)

// forms are the forms of the gateway: an address, and how a provider says a piece of a text and its end.
var forms = []struct{ name, path, begin, piece, end string }{
	{"OpenAI", "/v1/chat/completions", "", "data: {\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":%s}}]}\n\n",
		"data: {\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"},
	{"Anthropic", "/v1/messages", "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m1\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"m\",\"content\":[],\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}\n\n" +
		"event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n",
		"event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":%s}}\n\n",
		"event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\nevent: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":9}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"},
	{"Responses", "/v1/responses", "event: response.created\ndata: {\"type\":\"response.created\",\"sequence_number\":0,\"response\":{\"id\":\"r1\",\"object\":\"response\",\"status\":\"in_progress\",\"model\":\"m\",\"output\":[]}}\n\n" +
		"event: response.output_item.added\ndata: {\"type\":\"response.output_item.added\",\"sequence_number\":1,\"output_index\":0,\"item\":{\"id\":\"i1\",\"type\":\"message\",\"role\":\"assistant\",\"content\":[]}}\n\n" +
		"event: response.content_part.added\ndata: {\"type\":\"response.content_part.added\",\"sequence_number\":2,\"item_id\":\"i1\",\"output_index\":0,\"content_index\":0,\"part\":{\"type\":\"output_text\",\"text\":\"\",\"annotations\":[]}}\n\n",
		"event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"sequence_number\":3,\"item_id\":\"i1\",\"output_index\":0,\"content_index\":0,\"delta\":%s}\n\n",
		"event: response.output_text.done\ndata: {\"type\":\"response.output_text.done\",\"sequence_number\":4,\"item_id\":\"i1\",\"output_index\":0,\"content_index\":0,\"text\":\"\"}\n\n" +
			"event: response.completed\ndata: {\"type\":\"response.completed\",\"sequence_number\":5,\"response\":{\"id\":\"r1\",\"object\":\"response\",\"status\":\"completed\",\"model\":\"m\",\"output\":[]}}\n\n"},
}

// halting is a provider that says some words, then waits to be told to go on.
type halting struct {
	*httptest.Server
	goOn chan struct{}
	left chan struct{} // closed when the one who asked went away
}

func newHalting(t testing.TB, form int, first, then string) *halting {
	h := &halting{goOn: make(chan struct{}), left: make(chan struct{})}
	f := forms[form]
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		say := func(text string) {
			q, _ := json.Marshal(text)
			fmt.Fprintf(w, f.piece, q)
			w.(http.Flusher).Flush()
		}
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, f.begin)
		say(first)
		select {
		case <-h.goOn:
		case <-r.Context().Done():
			close(h.left)
			return
		}
		say(then)
		io.WriteString(w, f.end)
	}))
	t.Cleanup(h.Close)
	return h
}

func (h *halting) config(c *web.Config) {
	own := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	c.OpenAI, c.Anthropic = web.Provider{BaseURL: h.URL, Client: own}, web.Provider{BaseURL: h.URL, Client: own}
}

// begin sends a request whose answer streams. What it gives ends the reading.
func begin(t *testing.T, w *world, path, body string) (lines *bufio.Reader, leave func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	req, _ := http.NewRequestWithContext(ctx, "POST", w.URL+path, strings.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	res, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if res.StatusCode != 200 {
		b, _ := io.ReadAll(res.Body)
		t.Fatalf("status %d: %s", res.StatusCode, b)
	}
	t.Cleanup(cancel)
	return bufio.NewReader(res.Body), func() { cancel(); res.Body.Close() }
}

// until reads lines up to the one that holds the words.
func until(t *testing.T, in *bufio.Reader, words string) (read string) {
	t.Helper()
	for {
		line, err := in.ReadString('\n')
		read += line
		if strings.Contains(line, words) {
			return read
		}
		if err != nil {
			t.Fatalf("%q did not come: %v: %s", words, err, read)
		}
	}
}

// soon waits for what is about to hold.
func soon(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("in vain: " + what)
		}
	}
}

// atWork gives the stacks of goroutines that work on answers.
func atWork() (out []string) {
	b := make([]byte, 4<<20)
	for _, g := range strings.Split(string(b[:runtime.Stack(b, true)]), "\n\n") {
		if strings.Contains(g, "ibid/workflow.") || strings.Contains(g, "ibid/web.(*") {
			out = append(out, g)
		}
	}
	return out
}

// askedOf asks the same in every form.
const (
	messages = `[{"role":"user","content":"<document title=\"Log\">` + context1 + `</document> Why did it fail?"}]`
	askedOf  = `{"model":"asked-for","max_tokens":9,"stream":true,"messages":` + messages + `,"input":` + messages + `}`
)

// Who leaves in the middle leaves nothing behind but the record of what came: the provider is told to stop, and nobody goes on
// working.
func TestGatewayWhenTheClientLeaves(t *testing.T) {
	for i, f := range forms {
		t.Run(f.name, func(t *testing.T) {
			h := newHalting(t, i, "The cable failed after three weeks. It", "")
			w := open(t, h.config, gated(t, "internal"))
			in, leave := begin(t, w, f.path, askedOf)
			until(t, in, "The cable")
			leave()
			select {
			case <-h.left:
			case <-time.After(20 * time.Second):
				t.Fatal("the provider goes on for nobody")
			}
			var list struct{ Items []struct{ ID string } }
			soon(t, "a record", func() bool { w.get("/api/v1/answers").want(200).into(&list); return len(list.Items) > 0 })
			w.get("/api/v1/answers/" + list.Items[0].ID).want(200).says(`"incomplete":"interrupted before its end"`).says("The cable failed after three weeks. It")
			soon(t, "an end of all work", func() bool { return len(atWork()) == 0 })
		})
	}
}

// Where the server is stopped in the middle, the client is told: what is half does not look whole.
func TestGatewayWhenTheServerStops(t *testing.T) {
	for i, f := range forms {
		for _, stream := range []bool{true, false} {
			name := f.name + " whole"
			if stream {
				name = f.name + " streamed"
			}
			t.Run(name, func(t *testing.T) {
				h := newHalting(t, i, "The cable failed after three weeks. It", "")
				asked := make(chan struct{}, 1)
				silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
					io.Copy(io.Discard, r.Body)
					asked <- struct{}{}
					<-r.Context().Done()
				}))
				t.Cleanup(silent.Close)
				w := open(t, h.config, gated(t, "internal"), func(c *web.Config) {
					if !stream {
						c.OpenAI.BaseURL, c.Anthropic.BaseURL = silent.URL, silent.URL
					}
				})
				answering, stop := context.WithCancelCause(t.Context())
				stopped := httptest.NewUnstartedServer(w.server)
				stopped.Config.BaseContext = func(net.Listener) context.Context { return answering }
				stopped.Start()
				t.Cleanup(stopped.Close)
				here := &world{Server: stopped, t: t}
				if !stream {
					go func() { <-asked; stop(http.ErrServerClosed) }()
					res, err := http.Post(here.URL+f.path, "application/json", strings.NewReader(strings.Replace(askedOf, `"stream":true`, `"stream":false`, 1)))
					if err != nil {
						t.Fatal(err)
					}
					defer res.Body.Close()
					if b, _ := io.ReadAll(res.Body); res.StatusCode != http.StatusServiceUnavailable || !strings.Contains(string(b), "the server was stopped") {
						t.Errorf("status %d: %s", res.StatusCode, b)
					}
					return
				}
				in, _ := begin(t, here, f.path, askedOf)
				until(t, in, "The cable")
				stop(http.ErrServerClosed)
				rest, err := io.ReadAll(in)
				if err != nil || !strings.Contains(string(rest), "the server was stopped; what came is on record as answer") || !strings.Contains(string(rest), `"error"`) {
					t.Errorf("%v, %s", err, rest)
				}
				var list struct{ Items []struct{ ID string } }
				w.get("/api/v1/answers").want(200).into(&list)
				if len(list.Items) != 1 {
					t.Fatalf("%d answers on record", len(list.Items))
				}
				w.get("/api/v1/answers/" + list.Items[0].ID).want(200).says(`"incomplete":"the server was stopped"`)
			})
		}
	}
}

// The same of the server's own answers, once nobody came back for them.
func TestNobodyWorksForAClientThatLeft(t *testing.T) {
	w := open(t, script(delta("The cable was laid in 1858. "), llmtest.Step{Delay: time.Hour}), func(c *web.Config) { c.Linger = 10 * time.Millisecond }).cables()
	for _, path := range []string{"/api/v1/ask", "/api/v1/think"} {
		in, leave := begin(t, w, path, `{"question":"When?"}`)
		until(t, in, "1858")
		leave()
	}
	in, leave := begin(t, w, "/api/chat", `{"message":"When?"}`)
	until(t, in, "1858")
	leave()
	soon(t, "an end of all work", func() bool { return len(atWork()) == 0 })
	var list struct{ Items []struct{ ID string } }
	w.get("/api/v1/answers").want(200).into(&list)
	if len(list.Items) != 3 {
		t.Fatalf("%d answers on record", len(list.Items))
	}
	for _, a := range list.Items {
		w.get("/api/v1/answers/" + a.ID).want(200).says(`"incomplete":"interrupted before its end"`)
	}
}

// The record names the model that answered, not the one that was asked for, and counts its tokens; the caller gets the
// provider's counts as they came.
func TestGatewayRecordsModelAndUsage(t *testing.T) {
	w := open(t, through(provider(t, said)), gated(t, "internal"))
	hold := open(t, through(provider(t, said)), gated(t, "production", func(p *gate.Policy) { p.Default.Outcome, p.Kinds = gate.Repair, nil }))
	for _, w := range []*world{w, hold} {
		for _, c := range []struct {
			path   string
			stream bool
			want   ibid.Usage
			passed string
		}{
			{"/v1/chat/completions", false, ibid.Usage{Input: 1, Output: 2}, `"total_tokens":3`},
			{"/v1/chat/completions", true, ibid.Usage{Input: 11, Output: 12}, `"total_tokens":23`},
			{"/v1/responses", false, ibid.Usage{Input: 3, Output: 4}, `"total_tokens":7`},
			{"/v1/responses", true, ibid.Usage{Input: 3, Output: 4}, `"total_tokens":7`},
			{"/v1/messages", false, ibid.Usage{Input: 1, Output: 2}, `"output_tokens":2`},
			{"/v1/messages", true, ibid.Usage{Input: 1 + 5, Output: 9}, `"output_tokens":9`},
		} {
			t.Run(fmt.Sprint(c.path, " ", c.stream), func(t *testing.T) {
				w.t = t
				r := w.post(c.path, map[string]any{"model": "asked-for", "max_tokens": 9, "stream": c.stream, "stream_options": map[string]any{"include_usage": true},
					"messages": json.RawMessage(messages), "input": json.RawMessage(messages)}).want(200).says(c.passed)
				var a ibid.Answer
				w.get("/api/v1/answers/" + recordOf(t, r).Answer).want(200).into(&a)
				if a.Model != "m" || a.Usage != c.want {
					t.Errorf("on record are the model %q and %+v", a.Model, a.Usage)
				}
			})
		}
	}
}

// Where the policy holds by segment, a sentence is out as soon as the gate has decided on it; where by answer, not a word is
// before the end.
func TestGatewayHoldsAsConfigured(t *testing.T) {
	for i, f := range forms {
		t.Run(f.name+" by segment", func(t *testing.T) {
			h := newHalting(t, i, "The cable failed after three weeks. [1] It was", " eaten by forty whales.")
			w := open(t, h.config, gated(t, "production", func(p *gate.Policy) { p.Hold = gate.HoldSegment }))
			in, leave := begin(t, w, f.path, askedOf)
			defer leave()
			if early := until(t, in, "The cable failed after three weeks."); strings.Contains(early, "It was") {
				t.Errorf("not decided: %s", early)
			}
			close(h.goOn)
			rest, err := io.ReadAll(in)
			if err != nil || strings.Contains(string(rest), "whales\"") || strings.Contains(string(rest), "eaten by") || !strings.Contains(string(rest), "below threshold") {
				t.Errorf("%v: %s", err, rest)
			}
			var list struct{ Items []struct{ ID string } }
			w.get("/api/v1/answers").want(200).into(&list)
			w.get("/api/v1/answers/" + list.Items[0].ID).want(200).says(`"text":"The cable failed after three weeks."`).says(`"incomplete":"held back by the gate`)
		})
		t.Run(f.name+" by answer", func(t *testing.T) {
			h := newHalting(t, i, "The cable failed after three weeks. [1] The cable", " failed after three weeks.")
			w := open(t, h.config, gated(t, "production"))
			in, leave := begin(t, w, f.path, askedOf)
			defer leave()
			until(t, in, "data: ") // the beginning is out
			got := make(chan string, 1)
			go func() { b, _ := io.ReadAll(in); got <- string(b) }()
			select {
			case early := <-got:
				t.Fatalf("it ended early: %s", early)
			case <-time.After(100 * time.Millisecond):
			}
			close(h.goOn)
			rest := <-got
			words, end := strings.Index(rest, "The cable failed"), strings.Index(rest, "finish_reason\":\"stop")
			switch i {
			case 1:
				end = strings.Index(rest, "content_block_stop")
			case 2:
				end = strings.Index(rest, "event: response.output_text.done")
				rest = rest[:max(0, end)] // behind it they are said again
			}
			if words < 0 || end < words || strings.Count(rest, "The cable failed after three weeks. [1] The cable failed") != 1 {
				t.Errorf("got %s", rest)
			}
		})
	}
}

// Blocks that stand behind a text that is held come after it, whole and in order, as the provider's own client wants them.
func TestGatewayHoldsBlocksInOrder(t *testing.T) {
	const stream = `message_start {"message":{"id":"m1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}
content_block_start {"index":0,"content_block":{"type":"text","text":""}}
content_block_delta {"index":0,"delta":{"type":"text_delta","text":"The cable failed after three weeks."}}
content_block_stop {"index":0}
content_block_start {"index":1,"content_block":{"type":"tool_use","id":"t1","name":"f","input":{}}}
content_block_delta {"index":1,"delta":{"type":"input_json_delta","partial_json":"{\"x\":1}"}}
content_block_stop {"index":1}
content_block_start {"index":2,"content_block":{"type":"text","text":""}}
content_block_delta {"index":2,"delta":{"type":"text_delta","text":"In the end the cable failed. The cable failed"}}
content_block_delta {"index":2,"delta":{"type":"text_delta","text":" after three weeks."}}
content_block_stop {"index":2}
message_delta {"delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":9}}
message_stop {}`
	p := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, line := range strings.Split(stream, "\n") {
			kind, data, _ := strings.Cut(line, " ")
			fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, strings.Replace(strings.Replace(data, "{", `{"type":"`+kind+`",`, 1), ",}", "}", 1))
			w.(http.Flusher).Flush()
			time.Sleep(time.Millisecond)
		}
	}))
	t.Cleanup(p.Close)
	for _, hold := range []gate.Hold{gate.HoldNothing, gate.HoldSegment, gate.HoldAnswer} {
		t.Run(string(hold), func(t *testing.T) {
			w := open(t, func(c *web.Config) { c.Anthropic = web.Provider{BaseURL: p.URL} }, gated(t, "production", func(p *gate.Policy) { p.Hold = hold }))
			client := sdkanthropic.NewClient(anthropicoption.WithBaseURL(w.URL), anthropicoption.WithAPIKey("sk-mine"), anthropicoption.WithMaxRetries(0))
			got := client.Messages.NewStreaming(t.Context(), sdkanthropic.MessageNewParams{Model: "m", MaxTokens: 9, Messages: []sdkanthropic.MessageParam{
				sdkanthropic.NewUserMessage(sdkanthropic.NewDocumentBlock(sdkanthropic.PlainTextSourceParam{Data: context1}), sdkanthropic.NewTextBlock("Why did it fail?"))}})
			var acc sdkanthropic.Message
			opened, last := -1, int64(-1) // the block that is open, and the one before
			for got.Next() {
				e := got.Current()
				switch e.Type {
				case "content_block_start":
					if opened >= 0 || e.Index != last+1 {
						t.Errorf("block %d begins in block %d after %d", e.Index, opened, last)
					}
					opened = int(e.Index)
				case "content_block_delta":
					if int(e.Index) != opened {
						t.Errorf("a piece of block %d in block %d", e.Index, opened)
					}
				case "content_block_stop":
					opened, last = -1, e.Index
				}
				if err := acc.Accumulate(e); err != nil {
					t.Fatal(err)
				}
			}
			if got.Err() != nil || len(acc.Content) != 3 || acc.Content[0].Text != "The cable failed after three weeks." || string(acc.Content[1].Input) != `{"x":1}` ||
				acc.Content[2].Text != "In the end the cable failed. The cable failed after three weeks." || len(acc.Content[0].Citations) == 0 || len(acc.Content[2].Citations) == 0 || acc.Usage.OutputTokens != 9 {
				t.Errorf("%v: %s", got.Err(), acc.RawJSON())
			}
		})
	}
}

// A provider that ends its texts and leaves out the line that ends the stream has ended it.
func TestGatewayStreamWithoutDone(t *testing.T) {
	p := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"The cable failed after three weeks.\"}}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n")
	}))
	t.Cleanup(p.Close)
	for _, preset := range []string{"internal", "production"} {
		w := open(t, func(c *web.Config) { c.OpenAI = web.Provider{BaseURL: p.URL} }, gated(t, preset))
		client := sdkopenai.NewClient(openaioption.WithBaseURL(w.URL+"/v1"), openaioption.WithAPIKey("sk-mine"), openaioption.WithMaxRetries(0))
		got := client.Chat.Completions.NewStreaming(t.Context(), sdkopenai.ChatCompletionNewParams{Model: "m", Messages: []sdkopenai.ChatCompletionMessageParamUnion{
			sdkopenai.SystemMessage("[CTX 1] " + context1), sdkopenai.UserMessage("Why?")}})
		var acc sdkopenai.ChatCompletionAccumulator
		last := ""
		for got.Next() {
			acc.AddChunk(got.Current())
			last += got.Current().RawJSON()
		}
		if got.Err() != nil || acc.Choices[0].Message.Content != "The cable failed after three weeks." || acc.Choices[0].FinishReason != "stop" || !strings.Contains(last, `"ibid":{`) {
			t.Errorf("%v: %s, %+v", got.Err(), last, acc.Choices)
		}
		var list struct{ Items []struct{ ID string } }
		w.get("/api/v1/answers").want(200).into(&list)
		if a := w.get("/api/v1/answers/" + list.Items[0].ID).want(200); strings.Contains(string(a.body), `"incomplete"`) {
			t.Errorf("on record is %s", clip(a.body))
		}
	}
}

// Whatever a provider sends in the place of a chunk, no word of it gets past a gate that holds.
func TestGatewayLetsNothingAround(t *testing.T) {
	var provider dictated
	opened := map[gate.Hold]*world{}
	for _, hold := range []gate.Hold{gate.HoldSegment, gate.HoldAnswer} {
		opened[hold] = open(t, behind(t, &provider), gated(t, "production", func(p *gate.Policy) { p.Hold = hold }))
	}
	for name, sent := range map[string]string{
		"not JSON":                       "data: whales {\n\n",
		"content of parts":               "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":[{\"type\":\"text\",\"text\":\"whales\"}]}}]}\n\n",
		"a message":                      "data: {\"choices\":[{\"index\":0,\"message\":{\"content\":\"whales\"},\"delta\":{}}]}\n\n",
		"many choices":                   "data: {\"choices\":[{\"index\":9000,\"delta\":{\"content\":\"whales\"}}]}\n\n",
		"words one by one":               "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x\"},\"logprobs\":{\"content\":[{\"token\":\"whales\"}]}}]}\n\n",
		"words to be heard":              "data: {\"choices\":[{\"index\":0,\"delta\":{\"audio\":{\"transcript\":\"whales\"}}}]}\n\n",
		"no data":                        "whales\n\n",
		"a comment":                      ": whales\n\n",
		"odd usage":                      "data: {\"usage\":\"many\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"whales\"}}]}\n\n",
		"a block far away":               "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":5000,\"delta\":{\"type\":\"text_delta\",\"text\":\"whales\"}}\n\n",
		"an unnamed event":               "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"whales\"}}\n\n",
		"words of a response, spoken":    "event: response.audio.transcript.delta\ndata: {\"type\":\"response.audio.transcript.delta\",\"delta\":\"whales\"}\n\n",
		"an event of tomorrow":           "data: {\"type\":\"response.tomorrow\",\"text\":\"whales\"}\n\n",
		"an event of no kind":            "data: {\"text\":\"whales\"}\n\n",
		"words in an event's name":       "data: {\"type\":\"response.refusal.\\ndata: whales\"}\n\n",
		"words before the beginning":     "data: {\"type\":\"response.created\",\"response\":{\"output_text\":\"whales\",\"output\":[{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"whales\"}]}]}}\n\n",
		"an item with words":             "data: {\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"whales\"}]}}\n\n",
		"an item of tomorrow":            "data: {\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":{\"type\":\"poem\",\"text\":\"whales\"}}\n\n",
		"a part with words":              "data: {\"type\":\"response.content_part.added\",\"output_index\":0,\"content_index\":0,\"part\":{\"type\":\"output_text\",\"text\":\"whales\"}}\n\n",
		"a part to be heard":             "data: {\"type\":\"response.content_part.done\",\"output_index\":0,\"content_index\":0,\"part\":{\"type\":\"output_audio\",\"transcript\":\"whales\"}}\n\n",
		"a part beside an item":          "data: {\"type\":\"response.content_part.done\",\"output_index\":0,\"content_index\":0,\"item\":{\"type\":\"message\",\"content\":[]},\"part\":{\"type\":\"output_text\",\"text\":\"whales\"}}\n\n",
		"a part beside a text":           "data: {\"type\":\"response.content_part.done\",\"output_index\":0,\"content_index\":0,\"text\":\"x\",\"part\":{\"type\":\"output_text\",\"text\":\"whales\"}}\n\n",
		"words beside a part":            "data: {\"type\":\"response.content_part.added\",\"output_index\":0,\"content_index\":0,\"text\":\"whales\",\"part\":{\"type\":\"output_text\",\"text\":\"\"}}\n\n",
		"an end without pieces":          "data: {\"type\":\"response.output_text.done\",\"output_index\":0,\"content_index\":0,\"text\":\"whales\"}\n\n",
		"an end far away":                "data: {\"type\":\"response.output_text.done\",\"output_index\":9000,\"content_index\":0,\"text\":\"whales\"}\n\n",
		"a piece far away":               "data: {\"type\":\"response.output_text.delta\",\"output_index\":-1,\"content_index\":0,\"delta\":\"whales\"}\n\n",
		"a piece of another form":        "data: {\"type\":\"response.output_text.delta\",\"output_index\":0,\"content_index\":0,\"delta\":{\"text\":\"whales\"}}\n\n",
		"a piece with its words apart":   "data: {\"type\":\"response.output_text.delta\",\"output_index\":0,\"content_index\":0,\"delta\":\"x\",\"logprobs\":[{\"token\":\"whales\"}]}\n\n",
		"a response in one event":        "data: {\"type\":\"response.completed\",\"response\":{\"id\":\"r\",\"output_text\":\"forty whales\",\"output\":[{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"It was eaten by forty whales.\"}]}]}}\n\n",
		"a response of a form unknown":   "data: {\"type\":\"response.completed\",\"response\":{\"id\":\"r\",\"output\":\"whales\"}}\n\n",
		"a response that is no object":   "data: {\"type\":\"response.completed\",\"response\":\"whales\"}\n\n",
		"words in a response that fails": "data: {\"type\":\"response.failed\",\"response\":{\"id\":\"r\",\"output_text\":\"whales\",\"output\":[{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"whales\"}]}]}}\n\n",
		"words beside an error":          "data: {\"type\":\"error\",\"message\":\"no\",\"text\":\"whales\"}\n\n",
		"words behind the end":           "data: {\"type\":\"response.completed\",\"response\":{\"id\":\"r\",\"output\":[]}}\n\ndata: {\"type\":\"response.output_text.delta\",\"output_index\":0,\"content_index\":0,\"delta\":\"whales\"}\n\n",
		"words at the start":             "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"whales\"}}\n\n",
	} {
		provider = dictated{"text/event-stream", sent, false}
		for hold, w := range opened {
			for _, f := range forms {
				if r := w.send("POST", f.path, strings.NewReader(askedOf)); strings.Contains(string(r.body), "whales") {
					t.Errorf("%s, %s, %s: %s", name, f.name, hold, r.body)
				}
			}
		}
	}
}

// Nor does it where the answer comes whole.
func TestGatewayLetsNoWholeAnswerAround(t *testing.T) {
	var provider dictated
	w := open(t, behind(t, &provider), gated(t, "production"))
	for name, sent := range map[string]string{
		"not JSON":               "It was eaten by forty whales.",
		"a list":                 `["whales"]`,
		"content of parts":       `{"choices":[{"index":0,"message":{"content":[{"type":"text","text":"It was eaten by "},{"type":"text","text":"forty whales."}]}}]}`,
		"parts of another kind":  `{"choices":[{"index":0,"message":{"content":[{"type":"output_text","text":"whales"}]}}]}`,
		"content of its own":     `{"choices":[{"index":0,"message":{"content":{"words":"whales"}}}]}`,
		"words to be heard":      `{"choices":[{"index":0,"message":{"content":null,"audio":{"transcript":"whales"}}}]}`,
		"a completion of before": `{"choices":[{"index":0,"text":"whales"}]}`,
		"another provider's":     `{"message":{"content":"whales"}}`,
		"a stream by its words":  "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"whales\"}}]}\n\n",
		"a text for blocks":      `{"type":"message","content":"whales"}`,
		"a block of no kind":     `{"type":"message","content":[{"text":"whales"}]}`,
		"a part to be heard":     `{"output":[{"type":"message","content":[{"type":"output_audio","transcript":"whales"}]}]}`,
		"a part of no kind":      `{"output":[{"type":"message","content":[{"text":"whales"}]}]}`,
		"an item of tomorrow":    `{"output":[{"type":"poem","text":"whales"}]}`,
		"a text for items":       `{"output":"whales"}`,
		"a message of words":     `{"output":[{"type":"message","content":"whales"}]}`,
		"words beside a message": `{"output":[{"type":"message","text":"whales","content":[]}]}`,
		"a response beside":      `{"output_text":"It was eaten by forty whales.","output":[{"type":"message","content":[{"type":"output_text","text":"It was eaten by forty whales.","logprobs":[{"token":"whales"}]}]}]}`,
	} {
		provider = dictated{"application/json", sent, false}
		for _, f := range forms {
			r := w.send("POST", f.path, strings.NewReader(askedOf))
			if strings.Contains(string(r.body), "whales") || r.status == 200 {
				t.Errorf("%s, %s: status %d: %s", name, f.name, r.status, r.body)
			}
			if r.status == 502 || name == "not JSON" {
				r.want(502).says(`"message":"the provider's answer has a form that the gate cannot read, and the policy holds back what it has not decided on`)
			}
		}
	}
}

// There are providers that give the content of a message as a list of parts, that end no chunk with an empty reason, and that
// number what others name. All of it is words that came, and on record.
func TestGatewayReadsWhatProvidersMakeOfTheForm(t *testing.T) {
	const end = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
	for name, sent := range map[string]string{
		"parts":         `{"choices":[{"index":0,"message":{"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"It was eaten "},{"type":"text","text":"by forty whales."}]}}]}`,
		"streamed":      "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":[{\"type\":\"thinking\",\"thinking\":\"hm\"}]}}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":[{\"type\":\"text\",\"text\":\"It was eaten by forty whales.\"}]}}]}\n\n" + end,
		"no reason yet": "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"It was eaten by forty whales.\"},\"finish_reason\":\"\"}]}\n\n" + end,
		"one by one":    `{"choices":[{"index":0,"message":{"content":"It was eaten by forty whales."},"logprobs":{"content":[{"token":"whales"}]}}]}`,
		"numbered":      "data: {\"id\":7,\"choices\":[{\"index\":0,\"delta\":{\"content\":\"It was eaten by forty whales.\"}}]}\n\n" + end,
	} {
		p := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if strings.HasPrefix(sent, "data:") {
				w.Header().Set("Content-Type", "text/event-stream")
			}
			io.WriteString(w, sent)
		}))
		provided := func(c *web.Config) { c.OpenAI = web.Provider{BaseURL: p.URL} }
		w := open(t, provided, gated(t, "development"))
		r := w.send("POST", "/v1/chat/completions", strings.NewReader(askedOf)).want(200)
		var a ibid.Answer
		w.get("/api/v1/answers/" + recordOf(t, r).Answer).want(200).into(&a)
		if a.Text != "It was eaten by forty whales." || a.Incomplete != "" {
			t.Errorf("%s: on record is %q, incomplete %q", name, a.Text, a.Incomplete)
		}
		if at := strings.Index(string(r.body), "whales"); at < 0 || strings.HasPrefix(sent, "data:") && at > strings.Index(string(r.body), `"ibid":{`) {
			t.Errorf("%s: the words do not come before the end: %s", name, r.body)
		}

		w = open(t, provided, gated(t, "production", func(p *gate.Policy) { p.Default.Outcome, p.Mend, p.Kinds = gate.Repair, gate.Drop, nil }))
		r = w.send("POST", "/v1/chat/completions", strings.NewReader(askedOf))
		if strings.Contains(string(r.body), "whales") {
			t.Errorf("%s: not repaired: %s", name, r.body)
		}
		p.Close()
	}
}

// Who takes the stream in too slowly is not waited for.
func TestGatewayDoesNotWaitForASlowReader(t *testing.T) {
	junk := strings.Repeat("x", 100<<10)
	left := make(chan struct{})
	p := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(left)
		w.Header().Set("Content-Type", "text/event-stream")
		for r.Context().Err() == nil {
			if _, err := fmt.Fprintf(w, "data: {\"junk\":%q,\"choices\":[{\"index\":0,\"delta\":{\"content\":\"word \"}}]}\n\n", junk); err != nil {
				return
			}
			w.(http.Flusher).Flush()
		}
	}))
	t.Cleanup(p.Close)
	w := open(t, func(c *web.Config) { c.OpenAI, c.Patience = web.Provider{BaseURL: p.URL}, 100*time.Millisecond })
	in, leave := begin(t, w, "/v1/chat/completions", askedOf)
	defer leave()
	until(t, in, "word ")
	select {
	case <-left:
	case <-time.After(20 * time.Second):
		t.Fatal("the provider is kept waiting")
	}
	var list struct{ Items []struct{ ID string } }
	soon(t, "a record", func() bool { w.get("/api/v1/answers").want(200).into(&list); return len(list.Items) > 0 })
	w.get("/api/v1/answers/" + list.Items[0].ID).want(200).says(`"incomplete":"interrupted before its end"`)
}

// The question is found wherever a prompt puts it, and is no part of a source.
func TestGatewayFindsTheQuestion(t *testing.T) {
	w := open(t, through(provider(t, said)))
	user := func(parts ...string) []any {
		var out []any
		for _, p := range parts {
			role, text, _ := strings.Cut(p, "|")
			out = append(out, map[string]any{"role": role, "content": text})
		}
		return out
	}
	for name, c := range map[string]struct {
		messages []any
		want     string
	}{
		"alone":                 {user("user|Why did it fail?"), "Why did it fail?"},
		"before contexts":       {user("user|Why did it fail?\n\n[CTX 1] " + context1 + "\n\n[CTX 2] Other words."), "Why did it fail?"},
		"behind contexts":       {user("user|[CTX 1] " + context1 + "\n[CTX 2] Other words.\n\nWhy did it fail?"), "Why did it fail?"},
		"behind, named":         {user("user|Use these.\n[CTX 1] " + context1 + "\n\nQuestion: Say why\nit failed."), "Use these.\n\nSay why\nit failed."},
		"no question behind":    {user("user|Say why.\n[CTX 1] " + context1 + "\n\nIt was a sad day."), "Say why."},
		"contexts in system":    {user("system|[CTX 1] "+context1, "user|Why?"), "Why?"},
		"the last that has one": {user("user|Why?", "assistant|Let me see.", "user|<document>"+context1+"</document>"), "Why?"},
	} {
		t.Run(name, func(t *testing.T) {
			w.t = t
			r := w.post("/v1/chat/completions", map[string]any{"model": "m", "messages": c.messages}).want(200)
			var a ibid.Answer
			w.get("/api/v1/answers/" + recordOf(t, r).Answer).want(200).into(&a)
			if a.Question != c.want {
				t.Errorf("the question is %q", a.Question)
			}
			for _, p := range a.Passages {
				if strings.Contains(p.Chunk.Text, "Why") || strings.Contains(p.Chunk.Text, "Say why") {
					t.Errorf("the question is in a source: %q", p.Chunk.Text)
				}
			}
		})
	}
}
