package web_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdkanthropic "github.com/anthropics/anthropic-sdk-go"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/option"
	sdkopenai "github.com/openai/openai-go/v3"
	openaioption "github.com/openai/openai-go/v3/option"
	sdkresponses "github.com/openai/openai-go/v3/responses"

	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/web"
)

const (
	said     = "The cable failed after three weeks. [1] It was eaten by forty whales."
	context1 = "In the end the cable failed after three weeks, to the sorrow of all."
)

// scripted is a provider that speaks all forms and says the same each time, and keeps what it was sent.
type scripted struct {
	*httptest.Server
	got   atomic.Pointer[[]byte]
	key   atomic.Pointer[string]
	pace  time.Duration
	words []string
}

func provider(t testing.TB, text string) *scripted {
	p := &scripted{words: strings.SplitAfter(text, " ")}
	p.Server = httptest.NewServer(http.HandlerFunc(p.serve))
	t.Cleanup(p.Close)
	return p
}

func (p *scripted) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	p.got.Store(&body)
	key := r.Header.Get("Authorization") + r.Header.Get("X-Api-Key")
	p.key.Store(&key)
	began := time.Now() // words come by the clock, whatever becomes of the ones before
	var req struct {
		Stream        bool
		Model         string
		StreamOptions struct {
			IncludeUsage bool `json:"include_usage"`
		} `json:"stream_options"`
	}
	json.Unmarshal(body, &req)
	text := strings.Join(p.words, "")
	quoted, _ := json.Marshal(text)
	switch {
	case req.Model == "broken":
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(429)
		io.WriteString(w, `{"error":{"message":"slow down","type":"rate_limit"}}`)
	case strings.HasSuffix(r.URL.Path, "/chat/completions") && !req.Stream:
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id":"c1","object":"chat.completion","created":12345678901234567,"model":"m","choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","content":%s,"tool_calls":[{"id":"t1","type":"function","function":{"name":"f","arguments":"{}"}}]}}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3},"strange":{"kept":[1.50,2]}}`, quoted)
	case strings.HasSuffix(r.URL.Path, "/chat/completions"):
		w.Header().Set("Content-Type", "text/event-stream")
		for i, word := range p.words {
			q, _ := json.Marshal(word)
			time.Sleep(time.Until(began.Add(time.Duration(i+1) * p.pace)))
			fmt.Fprintf(w, "data: {\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"strange\":1,\"choices\":[{\"index\":0,\"delta\":{\"content\":%s}}]}\n\n", q)
			w.(http.Flusher).Flush()
		}
		io.WriteString(w, "data: {\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n")
		if req.StreamOptions.IncludeUsage {
			io.WriteString(w, "data: {\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[],\"usage\":{\"prompt_tokens\":11,\"completion_tokens\":12,\"total_tokens\":23}}\n\n")
		}
		io.WriteString(w, "data: [DONE]\n\n")
	case strings.HasSuffix(r.URL.Path, "/responses") && !req.Stream:
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, respondedWith(text))
	case strings.HasSuffix(r.URL.Path, "/responses"):
		w.Header().Set("Content-Type", "text/event-stream")
		for i, e := range respondedIn(p.words) {
			time.Sleep(time.Until(began.Add(time.Duration(i+1) * p.pace)))
			io.WriteString(w, e)
			w.(http.Flusher).Flush()
		}
	case !req.Stream:
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id":"m1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":%s},{"type":"tool_use","id":"t1","name":"f","input":{"x":1}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":2}}`, quoted)
	default:
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m1\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"m\",\"content\":[],\"stop_reason\":null,\"stop_sequence\":null,\"usage\":{\"input_tokens\":1,\"cache_read_input_tokens\":5,\"output_tokens\":1}}}\n\n")
		io.WriteString(w, "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n")
		for i, word := range p.words {
			q, _ := json.Marshal(word)
			time.Sleep(time.Until(began.Add(time.Duration(i+1) * p.pace)))
			fmt.Fprintf(w, "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":%s}}\n\n", q)
			w.(http.Flusher).Flush()
		}
		io.WriteString(w, "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\nevent: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\",\"stop_sequence\":null},\"usage\":{\"output_tokens\":9}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n")
	}
}

func through(p *scripted) func(*web.Config) {
	return func(c *web.Config) {
		c.OpenAI = web.Provider{BaseURL: p.URL + "/v1", Key: "sk-upstream"}
		c.Anthropic = web.Provider{BaseURL: p.URL, Key: "sk-upstream"}
	}
}

type note struct {
	Attributed bool
	From       string
	Error      string
	Sources    []struct{ Kind, Title, URL string }
	Texts      []struct {
		RAG      float64 `json:"ragContribution"`
		Segments []struct {
			Start     int `json:"start_index"`
			End       int `json:"end_index"`
			Origin    string
			Citations []struct{ Quote string }
		}
	}
}

// found holds that the first sentence is cited, with its marker, and the second is the model's own.
func (n note) found(t testing.TB) {
	t.Helper()
	if !n.Attributed || len(n.Texts) != 1 || len(n.Texts[0].Segments) != 2 {
		t.Fatalf("the note is %+v", n)
	}
	first, second := n.Texts[0].Segments[0], n.Texts[0].Segments[1]
	if first.Origin != "RAG" || len(first.Citations) == 0 || second.Origin != "LLM" || len(second.Citations) != 0 {
		t.Errorf("segments %+v", n.Texts[0].Segments)
	}
	if got := said[first.Start:first.End]; got != "The cable failed after three weeks." {
		t.Errorf("the first segment is %q of what was said", got)
	}
	if got := said[second.Start:second.End]; got != "It was eaten by forty whales." {
		t.Errorf("the second segment is %q of what was said", got)
	}
}

// The official client of OpenAI, with another base URL and nothing else, gets the answer with annotations.
func TestOpenAIClient(t *testing.T) {
	p := provider(t, said)
	w := open(t, through(p))
	client := sdkopenai.NewClient(openaioption.WithBaseURL(w.URL+"/v1"), openaioption.WithAPIKey("sk-mine"))
	params := sdkopenai.ChatCompletionNewParams{Model: "m", Messages: []sdkopenai.ChatCompletionMessageParamUnion{
		sdkopenai.SystemMessage("Answer from these.\n\n[CTX 1] " + context1), sdkopenai.UserMessage("Why did it fail?")}}
	whole, err := client.Chat.Completions.New(t.Context(), params)
	if err != nil {
		t.Fatal(err)
	}
	msg := whole.Choices[0].Message
	if msg.Content != said || len(msg.ToolCalls) != 1 || msg.ToolCalls[0].Function.Name != "f" || whole.Usage.TotalTokens != 3 || len(msg.Annotations) == 0 {
		t.Errorf("got %+v", whole)
	}
	for _, kept := range []string{`"strange":{"kept":[1.50,2]}`, `12345678901234567`} {
		if !strings.Contains(whole.RawJSON(), kept) {
			t.Errorf("%s was harmed: %s", kept, whole.RawJSON())
		}
	}
	var n struct{ Ibid note }
	json.Unmarshal([]byte(whole.RawJSON()), &n)
	n.Ibid.found(t)
	if n.Ibid.From != "request" || n.Ibid.Sources[0].Kind != "context" {
		t.Errorf("sources %+v", n.Ibid)
	}
	if key := *p.key.Load(); key != "Bearer sk-upstream" {
		t.Errorf("the provider got the key %q", key)
	}

	stream := client.Chat.Completions.NewStreaming(t.Context(), params)
	var acc sdkopenai.ChatCompletionAccumulator
	last := ""
	for stream.Next() {
		if !acc.AddChunk(stream.Current()) {
			t.Errorf("the client does not want %s", stream.Current().RawJSON())
		}
		if raw := stream.Current().RawJSON(); strings.Contains(raw, `"ibid":{`) {
			last = raw
		}
	}
	if stream.Err() != nil || acc.Choices[0].Message.Content != said || acc.Choices[0].FinishReason != "stop" {
		t.Errorf("streamed %+v, %v", acc.Choices, stream.Err())
	}
	n.Ibid = note{}
	json.Unmarshal([]byte(last), &n)
	n.Ibid.found(t)
	if !strings.Contains(last, `"file_citation"`) {
		t.Errorf("the last chunk has no annotation: %s", last)
	}
}

func TestAnthropicClient(t *testing.T) {
	p := provider(t, said)
	w := open(t, through(p))
	client := sdkanthropic.NewClient(anthropicoption.WithBaseURL(w.URL), anthropicoption.WithAPIKey("sk-mine"))
	params := sdkanthropic.MessageNewParams{Model: "m", MaxTokens: 100, Messages: []sdkanthropic.MessageParam{sdkanthropic.NewUserMessage(
		sdkanthropic.NewDocumentBlock(sdkanthropic.PlainTextSourceParam{Data: context1}), sdkanthropic.NewTextBlock("Why did it fail?"))}}
	whole, err := client.Messages.New(t.Context(), params)
	if err != nil {
		t.Fatal(err)
	}
	if whole.Content[0].Text != said || whole.Content[1].Name != "f" || len(whole.Content[0].Citations) == 0 {
		t.Fatalf("got %s", whole.RawJSON())
	}
	c := whole.Content[0].Citations[0]
	if c.Type != "char_location" || c.DocumentIndex != 0 || context1[c.StartCharIndex:c.EndCharIndex] != c.CitedText {
		t.Errorf("citation %+v", c)
	}
	var n struct{ Ibid note }
	json.Unmarshal([]byte(whole.RawJSON()), &n)
	n.Ibid.found(t)
	if key := *p.key.Load(); key != "sk-upstream" {
		t.Errorf("the provider got the key %q", key)
	}

	stream := client.Messages.NewStreaming(t.Context(), params)
	var acc sdkanthropic.Message
	last := ""
	for stream.Next() {
		if err := acc.Accumulate(stream.Current()); err != nil {
			t.Fatal(err)
		}
		last = stream.Current().RawJSON()
	}
	if stream.Err() != nil || acc.Content[0].Text != said || len(acc.Content[0].Citations) == 0 {
		t.Errorf("streamed %s, %v", acc.RawJSON(), stream.Err())
	}
	n.Ibid = note{}
	json.Unmarshal([]byte(last), &n)
	n.Ibid.found(t)
}

func TestGatewayFindsSources(t *testing.T) {
	p := provider(t, said)
	w := open(t, through(p)).cables()
	for name, c := range map[string]struct {
		path string
		body map[string]any
		kind string
	}{
		"tool result of OpenAI": {"/v1/chat/completions", map[string]any{"messages": []any{map[string]any{"role": "user", "content": "Why?"},
			map[string]any{"role": "assistant", "tool_calls": []any{map[string]any{"id": "c", "type": "function", "function": map[string]any{"name": "search", "arguments": "{}"}}}},
			map[string]any{"role": "tool", "tool_call_id": "c", "content": context1}}}, "tool"},
		"tool that has no name": {"/v1/chat/completions", map[string]any{"messages": []any{map[string]any{"role": "user", "content": "Why?"}, map[string]any{"role": "tool", "tool_call_id": "c", "content": context1}}}, "tool"},
		"tagged context":        {"/v1/chat/completions", map[string]any{"messages": []any{map[string]any{"role": "user", "content": []any{map[string]any{"type": "text", "text": "<document title=\"Log\">" + context1 + "</document> Why?"}}}}}, "context"},
		"given beside":          {"/v1/chat/completions", map[string]any{"messages": []any{map[string]any{"role": "user", "content": "Why?"}}, "ibid": map[string]any{"sources": []any{map[string]any{"title": "Log", "url": "https://example.org/log", "text": context1}}}}, "given"},
		"tool result of both":   {"/v1/messages", map[string]any{"max_tokens": 9, "messages": []any{map[string]any{"role": "user", "content": []any{map[string]any{"type": "tool_result", "tool_use_id": "x", "content": context1}}}}}, "tool"},
		"search result":         {"/v1/messages", map[string]any{"max_tokens": 9, "messages": []any{map[string]any{"role": "user", "content": []any{map[string]any{"type": "search_result", "source": "https://example.org/log", "title": "Log", "content": []any{map[string]any{"type": "text", "text": context1}}}}}}}, "search_result"},
	} {
		t.Run(name, func(t *testing.T) {
			w.t = t
			c.body["model"] = "m"
			r := w.post(c.path, c.body).want(200)
			var n struct{ Ibid note }
			r.into(&n)
			n.Ibid.found(t)
			if n.Ibid.Sources[0].Kind != c.kind {
				t.Errorf("sources %+v", n.Ibid.Sources)
			}
			if strings.Contains(string(*p.got.Load()), "ibid") {
				t.Errorf("the provider was sent %s", *p.got.Load())
			}
			if strings.Contains(string(r.body), `"filename":""`) {
				t.Errorf("a file without a name in %s", r.body)
			}
			if (name == "given beside") != strings.Contains(string(r.body), "url_citation") {
				t.Errorf("annotations in %s", r.body)
			}
		})
	}
	var n struct{ Ibid note }
	w.t = t
	w.post("/v1/chat/completions", map[string]any{"model": "m", "messages": []any{map[string]any{"role": "user", "content": when}}}).want(200).into(&n)
	if n.Ibid.From != "library" || len(n.Ibid.Sources) == 0 {
		t.Errorf("without sources of its own: %+v", n.Ibid)
	}
}

// Without a provider the gateway answers from the sources, in either form, streamed or not.
func TestGatewayWithoutProvider(t *testing.T) {
	w := open(t).cables()
	client := sdkopenai.NewClient(openaioption.WithBaseURL(w.URL+"/v1"), openaioption.WithAPIKey("any"))
	params := sdkopenai.ChatCompletionNewParams{Model: "m", Messages: []sdkopenai.ChatCompletionMessageParamUnion{sdkopenai.UserMessage(when)}}
	whole, err := client.Chat.Completions.New(t.Context(), params)
	if err != nil || !strings.Contains(whole.Choices[0].Message.Content, "1858") || len(whole.Choices[0].Message.Annotations) == 0 {
		t.Fatalf("%v: %+v", err, whole)
	}
	stream := client.Chat.Completions.NewStreaming(t.Context(), params)
	var acc sdkopenai.ChatCompletionAccumulator
	for stream.Next() {
		acc.AddChunk(stream.Current())
	}
	if stream.Err() != nil || acc.Choices[0].Message.Content != whole.Choices[0].Message.Content {
		t.Errorf("streamed %q, %v", acc.Choices[0].Message.Content, stream.Err())
	}
	claude := sdkanthropic.NewClient(anthropicoption.WithBaseURL(w.URL), anthropicoption.WithAPIKey("any"))
	msg, err := claude.Messages.New(t.Context(), sdkanthropic.MessageNewParams{Model: "m", MaxTokens: 100, Messages: []sdkanthropic.MessageParam{sdkanthropic.NewUserMessage(sdkanthropic.NewTextBlock(when))}})
	if err != nil || msg.Content[0].Text != whole.Choices[0].Message.Content || len(msg.Content[0].Citations) == 0 {
		t.Errorf("%v: %+v", err, msg)
	}
}

// Who asks in a form whose provider is not there is told why no model answered, and where one does.
func TestGatewaySaysWhyNoModelWasAsked(t *testing.T) {
	p := provider(t, said)
	none := open(t).cables()
	for i, f := range forms {
		other, at := forms[1], forms[1].path
		if i == 1 {
			other, at = forms[0], "/v1/chat/completions and /v1/responses"
		}
		w := open(t, func(c *web.Config) {
			if through(p)(c); f.name != "Anthropic" {
				c.OpenAI = web.Provider{}
			} else {
				c.Anthropic = web.Provider{}
			}
		}).cables()
		for _, stream := range []bool{false, true} {
			body := fmt.Sprintf(`{"model":"m","max_tokens":9,"stream":%v,"messages":[{"role":"user","content":%q}],"input":%q}`, stream, when, when)
			w.send("POST", f.path, strings.NewReader(body)).want(200).says(`"model":"extractive"`).
				says(`"notice":"no model was asked: the provider of this server takes requests in the form of ` + other.name + `, at ` + at + `; the answer is made of sentences of the sources"`)
			none.send("POST", f.path, strings.NewReader(body)).want(200).
				says(`"notice":"no model was asked: this server has no provider; the answer is made of sentences of the sources"`)
			if r := w.send("POST", other.path, strings.NewReader(body)).want(200); strings.Contains(string(r.body), "notice") {
				t.Errorf("of an answer of the provider it says %s", r.body)
			}
		}
	}
}

func TestGatewayPassesErrorsOn(t *testing.T) {
	p := provider(t, said)
	w := open(t, through(p))
	r := w.post("/v1/chat/completions", map[string]any{"model": "broken", "messages": []any{map[string]any{"role": "user", "content": "x"}}}).want(429)
	if !strings.Contains(string(r.body), "slow down") || r.header.Get("Retry-After") != "7" {
		t.Errorf("got %s", r.body)
	}
	p.Close()
	for _, r := range []reply{
		w.post("/v1/chat/completions", map[string]any{"model": "m", "messages": []any{map[string]any{"role": "user", "content": "x"}}}, "Authorization", "Bearer sk-theirs"),
		w.post("/v1/messages", map[string]any{"model": "m", "max_tokens": 9, "messages": []any{map[string]any{"role": "user", "content": "x"}}}, "X-Api-Key", "sk-theirs"),
		w.send("GET", "/v1/models", nil),
	} {
		r.want(502).says(`"message":"the provider was not reached; the server's log says why"`)
		if s := string(r.body); strings.Contains(s, "127.0.0.1") || strings.Contains(s, "sk-theirs") {
			t.Errorf("it tells of the provider: %s", s)
		}
	}
	if log := w.log.String(); !strings.Contains(log, "connection refused") {
		t.Errorf("the log does not say why: %s", log)
	}
	w.post("/v1/chat/completions", map[string]any{"model": "m"}).want(422).says(`"param":"messages"`)
	w.send("POST", "/v1/messages", strings.NewReader("[1]")).want(400)
	w.post("/v1/messages", map[string]any{"messages": []any{map[string]any{"role": "user", "content": "x"}}, "ibid": 7}).want(422).says(`"type":"invalid_request_error"`)
}

// Where attribution fails the answer passes all the same, and says so.
func TestGatewayPassesWhatCannotBeAttributed(t *testing.T) {
	p := provider(t, said)
	w := open(t, through(p), func(c *web.Config) { c.Asker.Retriever = failing{} })
	for _, stream := range []bool{false, true} {
		r := w.post("/v1/chat/completions", map[string]any{"model": "m", "stream": stream, "messages": []any{map[string]any{"role": "user", "content": "Why?"}}}).want(200)
		if !strings.Contains(string(r.body), "whales") || !strings.Contains(string(r.body), `"attributed":false`) || strings.Contains(string(r.body), "secret") {
			t.Errorf("got %s", r.body)
		}
	}
}

// Clients of providers ask for more than the gateway has. They are told in a form that they read.
func TestGatewayRefusesWhatItHasNot(t *testing.T) {
	w := open(t)
	const which = "it takes POST /v1/chat/completions, /v1/responses and /v1/messages, and passes on /v1/models,"
	w.post("/v1/responses/r1/cancel", map[string]any{}).want(404).says(`"code":"unknown_url"`).says(which)
	w.post("/v1/messages/batches", map[string]any{"model": "m"}).want(404).says(`"type":"not_found_error"`).says(which)
	client := sdkopenai.NewClient(openaioption.WithBaseURL(w.URL+"/v1"), openaioption.WithAPIKey("any"))
	var refused *sdkopenai.Error
	bare := sdkopenai.NewClient(openaioption.WithBaseURL(w.URL), openaioption.WithAPIKey("any"))
	if _, err := bare.Chat.Completions.New(t.Context(), sdkopenai.ChatCompletionNewParams{Model: "m"}); !errors.As(err, &refused) || !strings.Contains(refused.Message, "end the base URL with /v1") {
		t.Errorf("the client reads %v", err)
	}
	if _, err := bare.Responses.New(t.Context(), sdkresponses.ResponseNewParams{Model: "m"}); !errors.As(err, &refused) || !strings.Contains(refused.Message, "end the base URL with /v1") {
		t.Errorf("the client reads %v", err)
	}
	if _, err := client.Responses.Get(t.Context(), "r1", sdkresponses.ResponseGetParams{}); !errors.As(err, &refused) || !strings.Contains(refused.Message, which) { // its words would come around the gate
		t.Errorf("the client reads %v", err)
	}
	if _, err := client.Embeddings.New(t.Context(), sdkopenai.EmbeddingNewParams{Model: "m"}); !errors.As(err, &refused) || !strings.Contains(refused.Message, "this needs a provider") {
		t.Errorf("the client reads %v", err)
	}
	claude := sdkanthropic.NewClient(anthropicoption.WithBaseURL(w.URL), anthropicoption.WithAPIKey("any"))
	if _, err := claude.Messages.Batches.List(t.Context(), sdkanthropic.MessageBatchListParams{}); err == nil || !strings.Contains(err.Error(), "not_found_error") {
		t.Errorf("the client reads %v", err)
	}
}

// What is said to the gateway itself is understood or refused: sources by a name that it does not know would be lost, and the answer
// held against others.
func TestGatewayRefusesWhatItDoesNotUnderstand(t *testing.T) {
	w := open(t)
	for _, path := range []string{"/v1/chat/completions", "/v1/responses", "/v1/messages"} {
		for said, why := range map[string]string{
			`{"source":[{"text":"The cable failed."}]}`:     `name \"source\" is not known; it takes sources`,
			`{"sources":[{"content":"The cable failed."}]}`: `name \"content\" is not known; it takes sources`,
			`{"sources":{"text":"The cable failed."}}`:      `\"sources\": an object in the place of a list; it takes sources`,
			`7`: "a number in the place of an object; it takes sources",
		} {
			w.send("POST", path, strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"Why?"}],"input":"Why?","ibid":`+said+`}`)).want(422).says(why)
		}
		w.send("POST", path, strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"Why?"}],"input":"Why?","ibid":{"sources":[{"id":"a","title":"t","url":"https://example.org","text":"x"}],"library":true}}`)).want(200)
		w.send("POST", path, strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"Why?"}],"input":"Why?","ibid":null}`)).want(200)
	}
}

// What the gateway answers itself bears its time, whole and as a stream: clients sort by it.
func TestGatewayTellsTheTime(t *testing.T) {
	w := open(t)
	before := time.Now().Unix()
	for _, stream := range []bool{false, true} {
		for path, field := range map[string]string{"/v1/chat/completions": "created", "/v1/responses": "created_at"} {
			r := w.post(path, map[string]any{"model": "m", "stream": stream, "input": "Why?", "messages": []any{map[string]any{"role": "user", "content": "Why?"}}}).want(200)
			all := regexp.MustCompile(`"`+field+`":(\d+)`).FindAllStringSubmatch(string(r.body), -1)
			if len(all) == 0 {
				t.Fatalf("no time in %s", r.body)
			}
			for _, m := range all {
				if at, err := strconv.ParseInt(m[1], 10, 64); err != nil || at < before {
					t.Errorf("stream %v: created %s", stream, m[1])
				}
			}
		}
	}
}

// Chat applications list the models before they ask. They get the provider's list, or the name of what answers without one.
func TestGatewayListsModels(t *testing.T) {
	list := func(w *world) (openAI, anthropic string) {
		t.Helper()
		client := sdkopenai.NewClient(openaioption.WithBaseURL(w.URL+"/v1"), openaioption.WithAPIKey("any"))
		page, err := client.Models.List(t.Context())
		if err != nil || len(page.Data) != 1 {
			t.Fatalf("%v: %+v", err, page)
		}
		claude := sdkanthropic.NewClient(anthropicoption.WithBaseURL(w.URL), anthropicoption.WithAPIKey("any"))
		infos, err := claude.Models.List(t.Context(), sdkanthropic.ModelListParams{Limit: sdkanthropic.Int(7)})
		if err != nil || len(infos.Data) != 1 {
			t.Fatalf("%v: %+v", err, infos)
		}
		return page.Data[0].ID, infos.Data[0].ID
	}
	if a, b := list(open(t)); a != "extractive" || b != "extractive" {
		t.Errorf("without a provider %q and %q", a, b)
	}
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch r.Method + " " + r.URL.String() + " " + r.Header.Get("Authorization") + r.Header.Get("X-Api-Key") {
		case "GET /v1/models Bearer theirs":
			io.WriteString(w, `{"object":"list","data":[{"id":"gpt","object":"model","created":1,"owned_by":"x"}]}`)
		case "GET /v1/models?limit=7 theirs":
			io.WriteString(w, `{"data":[{"type":"model","id":"claude","display_name":"C","created_at":"2026-01-01T00:00:00Z"}],"has_more":false,"first_id":"claude","last_id":"claude"}`)
		default:
			t.Errorf("the provider was asked %s %s with %v", r.Method, r.URL, r.Header)
			w.WriteHeader(http.StatusTeapot)
		}
	}))
	defer provider.Close()
	w := open(t, func(c *web.Config) {
		c.OpenAI = web.Provider{BaseURL: provider.URL + "/v1", Key: "theirs"}
		c.Anthropic = web.Provider{BaseURL: provider.URL, Key: "theirs"}
	})
	if a, b := list(w); a != "gpt" || b != "claude" {
		t.Errorf("through the gateway %q and %q", a, b)
	}
	provider.Close()
	w.send("GET", "/v1/models", nil).want(502).says(`"type":"server_error"`)
}

// What an application asks its provider for beside answers goes to it and comes back, through the same base URL.
func TestGatewayPassesOnWhatHoldsNoWords(t *testing.T) {
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		body, _ := io.ReadAll(r.Body)
		switch r.Method + " " + r.URL.EscapedPath() + " " + r.Header.Get("Authorization") + r.Header.Get("X-Api-Key") {
		case "POST /v1/embeddings Bearer theirs":
			if !strings.Contains(string(body), `"of":"the cable"`) {
				t.Errorf("the provider was given %s", body)
			}
			io.WriteString(w, `{"object":"list","model":"e","data":[{"object":"embedding","index":0,"embedding":[0.1234567890123456789,-1e-7]}],"usage":{"prompt_tokens":2,"total_tokens":2}}`)
		case "POST /v1/moderations Bearer theirs":
			io.WriteString(w, `{"id":"m1","model":"m","results":[{"flagged":true}]}`)
		case "POST /v1/responses/input_tokens Bearer theirs":
			io.WriteString(w, `{"object":"response.input_tokens","input_tokens":8}`)
		case "POST /v1/messages/count_tokens theirs":
			io.WriteString(w, `{"input_tokens":7}`)
		case "GET /v1/models/meta%2Fllama Bearer theirs":
			io.WriteString(w, `{"id":"meta/llama","object":"model","created":1,"owned_by":"x"}`)
		case "GET /v1/models/claude theirs":
			io.WriteString(w, `{"type":"model","id":"claude","display_name":"C","created_at":"2026-01-01T00:00:00Z"}`)
		case "GET /v1/models/none Bearer theirs":
			w.Header().Set("Retry-After", "9")
			w.WriteHeader(http.StatusTooManyRequests)
			io.WriteString(w, `{"error":{"message":"theirs"}}`)
		default:
			t.Errorf("the provider was asked %s %s with %v", r.Method, r.URL, r.Header)
		}
	}))
	defer provider.Close()
	w := open(t, func(c *web.Config) {
		c.OpenAI = web.Provider{BaseURL: provider.URL + "/v1", Key: "theirs"}
		c.Anthropic = web.Provider{BaseURL: provider.URL, Key: "theirs"}
	})
	w.post("/v1/embeddings", map[string]any{"model": "e", "input": []string{"x"}, "of": "the cable"}).want(200).says("0.1234567890123456789,-1e-7")
	w.post("/v1/moderations", map[string]any{"input": "x"}).want(200).says("flagged")
	w.post("/v1/responses/input_tokens", map[string]any{"model": "m", "input": "x", "of": "the cable"}).want(200).says(`"input_tokens":8`)
	w.post("/v1/messages/count_tokens", map[string]any{"model": "claude", "messages": []any{}}).want(200).says("input_tokens")
	client := sdkopenai.NewClient(openaioption.WithBaseURL(w.URL+"/v1"), openaioption.WithAPIKey("any"))
	if m, err := client.Moderations.New(t.Context(), sdkopenai.ModerationNewParams{Input: sdkopenai.ModerationNewParamsInputUnion{OfString: sdkopenai.String("x")}}); err != nil || !m.Results[0].Flagged {
		t.Errorf("moderation %+v, %v", m, err)
	}
	if m, err := client.Models.Get(t.Context(), "meta/llama"); err != nil || m.ID != "meta/llama" {
		t.Errorf("model %+v, %v", m, err)
	}
	claude := sdkanthropic.NewClient(anthropicoption.WithBaseURL(w.URL), anthropicoption.WithAPIKey("any"))
	counted, err := claude.Messages.CountTokens(t.Context(), sdkanthropic.MessageCountTokensParams{Model: "claude", Messages: []sdkanthropic.MessageParam{sdkanthropic.NewUserMessage(sdkanthropic.NewTextBlock("x"))}})
	if err != nil || counted.InputTokens != 7 {
		t.Errorf("counted %+v, %v", counted, err)
	}
	if m, err := claude.Models.Get(t.Context(), "claude", sdkanthropic.ModelGetParams{}); err != nil || m.ID != "claude" {
		t.Errorf("model %+v, %v", m, err)
	}
	for _, out := range []string{"%2e%2e", "..%2f..%2fadmin", "a%2f%2e%2e%5cb"} { // with the provider's key it must not lead elsewhere
		w.get("/v1/models/" + out).want(404).says("there is no such model")
	}
	if r := w.get("/v1/models/none").want(429).says("theirs"); r.header.Get("Retry-After") != "9" {
		t.Errorf("it is not told when to come back: %v", r.header)
	}
	if n := len(w.all("/api/v1/answers", 50)); n != 0 {
		t.Errorf("%d answers are on record", n)
	}

	alone := open(t)
	alone.get("/v1/models/extractive").want(200).says(`"id":"extractive"`)
	alone.get("/v1/models/extractive", "Anthropic-Version", "2023-06-01").want(200).says(`"type":"model"`)
	alone.get("/v1/models/gpt").want(404).says("there is no such model")
	alone.post("/v1/messages/count_tokens", map[string]any{"model": "m"}).want(404).says(`"type":"not_found_error"`).says("this needs a provider")
	locked := open(t, locked)
	locked.post("/v1/embeddings", map[string]any{"input": "x"}).want(401).says("invalid_api_key")
}

// Keys go where they are meant to go: a provider that leads elsewhere is not followed there, and a key of ours is never passed on,
// whichever way its scheme is written.
func TestKeysGoNowhereElse(t *testing.T) {
	elsewhere := provider(t, said)
	leads := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, strings.Replace(elsewhere.URL, "127.0.0.1", "localhost", 1)+r.URL.Path, http.StatusTemporaryRedirect)
	}))
	defer leads.Close()
	body := map[string]any{"model": "m", "max_tokens": 9, "messages": []any{map[string]any{"role": "user", "content": "Why did it fail?"}}}
	w := open(t, func(c *web.Config) {
		c.OpenAI = web.Provider{BaseURL: leads.URL + "/v1", Key: "sk-upstream"}
		c.Anthropic = web.Provider{BaseURL: leads.URL, Key: "sk-upstream"}
	})
	for _, path := range []string{"/v1/chat/completions", "/v1/messages"} {
		w.post(path, body).want(502)
	}
	if key := elsewhere.key.Load(); key != nil {
		t.Errorf("another host got %q", *key)
	}

	p := provider(t, said)
	w = open(t, func(c *web.Config) {
		c.OpenAI, c.Anthropic = web.Provider{BaseURL: p.URL + "/v1"}, web.Provider{BaseURL: p.URL}
	})
	ours, _ := w.key(api.Write)
	secret := strings.TrimPrefix(ours, "Bearer ")
	for _, header := range [][]string{{"Authorization", "Bearer " + secret}, {"Authorization", "bearer " + secret}, {"Authorization", "BEARER  " + secret}, {"X-Api-Key", secret}} {
		for _, path := range []string{"/v1/chat/completions", "/v1/messages"} {
			w.post(path, body, header...).want(200)
			if key := *p.key.Load(); key != "" {
				t.Errorf("with %s: %.10s… the provider got %q", header[0], header[1], key)
			}
		}
	}
}

// A file of which no text can be read is named: the answer is held against the library, and who sent the file would think otherwise.
func TestGatewayNamesFilesThatCannotBeRead(t *testing.T) {
	w := open(t).cables()
	file := func(name, data string) any {
		return map[string]any{"type": "document", "title": name, "source": map[string]any{"type": "base64", "media_type": "application/pdf", "data": data}}
	}
	ask := func(parts ...any) reply {
		parts = append(parts, map[string]any{"type": "text", "text": "When did the cable of 1858 fail?"})
		return w.post("/v1/messages", map[string]any{"model": "m", "max_tokens": 9, "messages": []any{map[string]any{"role": "user", "content": parts}}}).want(200)
	}
	ask(file("report.pdf", "!!!"), file("", "JVBERi0x")).says(`"from":"library"`).says(`"unread":["report.pdf","a file without a name"]`)
	if r := ask(); strings.Contains(string(r.body), "unread") {
		t.Errorf("nothing was sent along: %s", r.body)
	}
}
