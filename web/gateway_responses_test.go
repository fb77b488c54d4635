package web_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	sdkopenai "github.com/openai/openai-go/v3"
	openaioption "github.com/openai/openai-go/v3/option"
	sdkresponses "github.com/openai/openai-go/v3/responses"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/web"
)

// Traffic of the provider in these tests is scripted: it follows the form that OpenAI documents and was not recorded.

func quoted(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// respondedWith is a response with a thought, a text and the call of a tool.
func respondedWith(text string) string {
	return fmt.Sprintf(`{"id":"r1","object":"response","created_at":12345678901234567,"status":"completed","model":"m","error":null,"incomplete_details":null,"parallel_tool_calls":true,"output":[`+
		`{"id":"t1","type":"reasoning","summary":[{"type":"summary_text","text":"It thinks."}]},`+
		`{"id":"i1","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":%s,"annotations":[],"logprobs":[]}]},`+
		`{"id":"f1","type":"function_call","call_id":"c1","name":"f","arguments":"{\"x\":1}","status":"completed"}],`+
		`"usage":{"input_tokens":3,"output_tokens":4,"total_tokens":7},"strange":{"kept":[1.50,2]}}`, quoted(text))
}

// respondedIn is the same as events, a piece of the text in each of some.
func respondedIn(words []string) (out []string) {
	say := func(kind, rest string) {
		out = append(out, fmt.Sprintf("event: %s\ndata: {\"type\":%q,\"sequence_number\":%d,%s}\n\n", kind, kind, len(out), rest))
	}
	text := strings.Join(words, "")
	const at = `"item_id":"i1","output_index":1,"content_index":0,`
	part := func(text string) string {
		return `{"type":"output_text","text":` + quoted(text) + `,"annotations":[],"logprobs":[]}`
	}
	say("response.created", `"response":{"id":"r1","object":"response","created_at":1,"status":"in_progress","model":"m","output":[],"strange":1}`)
	say("response.in_progress", `"response":{"id":"r1","object":"response","created_at":1,"status":"in_progress","model":"m","output":[]}`)
	say("response.output_item.added", `"output_index":0,"item":{"id":"t1","type":"reasoning","summary":[]}`)
	say("response.reasoning_summary_text.delta", `"item_id":"t1","output_index":0,"summary_index":0,"delta":"It thinks."`)
	say("response.output_item.done", `"output_index":0,"item":{"id":"t1","type":"reasoning","summary":[{"type":"summary_text","text":"It thinks."}]}`)
	say("response.output_item.added", `"output_index":1,"item":{"id":"i1","type":"message","role":"assistant","status":"in_progress","content":[]}`)
	say("response.content_part.added", at+`"part":`+part(""))
	for _, w := range words {
		say("response.output_text.delta", at+`"delta":`+quoted(w)+`,"logprobs":[],"obfuscation":"xyz"`)
	}
	say("response.output_text.done", at+`"logprobs":[],"text":`+quoted(text))
	say("response.content_part.done", at+`"part":`+part(text))
	say("response.output_item.done", `"output_index":1,"item":{"id":"i1","type":"message","role":"assistant","status":"completed","content":[`+part(text)+`]}`)
	say("response.output_item.added", `"output_index":2,"item":{"id":"f1","type":"function_call","call_id":"c1","name":"f","arguments":"","status":"in_progress"}`)
	say("response.function_call_arguments.delta", `"item_id":"f1","output_index":2,"delta":"{\"x\":1}"`)
	say("response.function_call_arguments.done", `"item_id":"f1","output_index":2,"arguments":"{\"x\":1}"`)
	say("response.output_item.done", `"output_index":2,"item":{"id":"f1","type":"function_call","call_id":"c1","name":"f","arguments":"{\"x\":1}","status":"completed"}`)
	say("response.completed", `"response":`+respondedWith(text))
	return out
}

// The official client, with another base URL and nothing else, gets the response with annotations; what it has beside its
// words is unharmed.
func TestResponsesClient(t *testing.T) {
	p := provider(t, said)
	w := open(t, through(p))
	client := sdkopenai.NewClient(openaioption.WithBaseURL(w.URL+"/v1"), openaioption.WithAPIKey("sk-mine"))
	params := sdkresponses.ResponseNewParams{Model: "m", Instructions: sdkopenai.String("Answer from these.\n\n[CTX 1] " + context1),
		Input: sdkresponses.ResponseNewParamsInputUnion{OfString: sdkopenai.String("Why did it fail?")}}
	whole, err := client.Responses.New(t.Context(), params)
	if err != nil {
		t.Fatal(err)
	}
	unharmed := func(r sdkresponses.Response) {
		t.Helper()
		if r.OutputText() != said || len(r.Output) != 3 || r.Output[0].Summary[0].Text != "It thinks." || r.Output[2].Arguments.OfString != `{"x":1}` || r.Usage.TotalTokens != 7 || len(r.Output[1].Content[0].Annotations) == 0 {
			t.Errorf("got %s", r.RawJSON())
		}
		for _, kept := range []string{`"strange":{"kept":[1.50,2]}`, `12345678901234567`} {
			if !strings.Contains(r.RawJSON(), kept) {
				t.Errorf("%s was harmed: %s", kept, r.RawJSON())
			}
		}
		c := r.Output[1].Content[0].Annotations[0]
		if c.Type != "file_citation" || c.FileID == "" || c.Index != int64(len("The cable failed after three weeks.")) {
			t.Errorf("cited is %s", c.RawJSON())
		}
		var n struct{ Ibid note }
		json.Unmarshal([]byte(r.RawJSON()), &n)
		n.Ibid.found(t)
		if n.Ibid.From != "request" || n.Ibid.Sources[0].Kind != "context" {
			t.Errorf("sources %+v", n.Ibid)
		}
	}
	unharmed(*whole)
	if key := *p.key.Load(); key != "Bearer sk-upstream" {
		t.Errorf("the provider got the key %q", key)
	}
	stream := client.Responses.NewStreaming(t.Context(), params)
	var last sdkresponses.ResponseStreamEventUnion
	words, arguments := "", ""
	for stream.Next() {
		switch last = stream.Current(); last.Type {
		case "response.output_text.delta":
			words += last.Delta
		case "response.function_call_arguments.delta":
			arguments += last.Delta
		}
	}
	if stream.Err() != nil || last.Type != "response.completed" || words != said || arguments != `{"x":1}` {
		t.Fatalf("%v: %s, %q, %q", stream.Err(), last.Type, words, arguments)
	}
	unharmed(last.Response)

	alone := open(t).cables()
	client = sdkopenai.NewClient(openaioption.WithBaseURL(alone.URL+"/v1"), openaioption.WithAPIKey("any"))
	params = sdkresponses.ResponseNewParams{Model: "m", Input: sdkresponses.ResponseNewParamsInputUnion{OfString: sdkopenai.String(when)}}
	if whole, err = client.Responses.New(t.Context(), params); err != nil || !strings.Contains(whole.OutputText(), "1858") || len(whole.Output[0].Content[0].Annotations) == 0 {
		t.Fatalf("%v: %s", err, whole.RawJSON())
	}
	stream, words = client.Responses.NewStreaming(t.Context(), params), ""
	for stream.Next() {
		words += stream.Current().Delta
		last = stream.Current()
	}
	if stream.Err() != nil || words != whole.OutputText() || last.Response.OutputText() != words {
		t.Errorf("streamed %q, %v", words, stream.Err())
	}
}

// A response is refused where its words would come around the gate, and where nothing is asked.
func TestResponsesRefuses(t *testing.T) {
	w := open(t, through(provider(t, said)))
	w.post("/v1/responses", map[string]any{"input": "x", "background": true}).want(422).says(`"param":"background"`).says("around the gate")
	w.post("/v1/responses", map[string]any{"model": "m"}).want(422).says(`"param":"input"`).says("a text or a list of items is needed")
	w.post("/v1/responses", map[string]any{"model": "m", "input": []any{}}).want(422).says(`"param":"input"`)
	w.post("/v1/responses", map[string]any{"model": "m", "prompt": map[string]any{"id": "p"}}).want(200)
	w.post("/v1/responses", map[string]any{"model": "m", "previous_response_id": "r"}).want(200)
	if r := w.post("/v1/responses", map[string]any{"model": "broken", "input": "x"}).want(429).says("slow down"); r.header.Get("Retry-After") != "7" {
		t.Errorf("headers %v", r.header)
	}
}

// Every kind of item that holds what a tool found is a source, in what is asked and in what is answered; the provider's name of
// a file is the one that is cited.
func TestResponsesFindsSources(t *testing.T) {
	var provider dictated
	opened := open(t, behind(t, &provider)).cables()
	call := `{"type":"function_call","call_id":"c","name":"search","arguments":"{}"},`
	file := base64.StdEncoding.EncodeToString([]byte(context1))
	for name, c := range map[string]struct{ input, output, kind, title, from string }{
		"function":           {call + `{"type":"function_call_output","call_id":"c","output":` + quoted(context1) + `}`, "", "tool", "search", "request"},
		"function, in parts": {call + `{"type":"function_call_output","call_id":"c","output":[{"type":"input_text","text":` + quoted(context1) + `}]}`, "", "tool", "search", "request"},
		"custom tool":        {`{"type":"custom_tool_call","call_id":"c","name":"search","input":"x"},{"type":"custom_tool_call_output","call_id":"c","output":` + quoted(context1) + `}`, "", "tool", "search", "request"},
		"shell":              {`{"type":"shell_call_output","call_id":"c","output":[{"stdout":` + quoted(context1) + `,"stderr":"","outcome":{"type":"exit","exit_code":0}}]}`, "", "tool", "", "request"},
		"file":               {`{"role":"user","content":[{"type":"input_file","filename":"log.txt","file_data":"data:text/plain;base64,` + file + `"}]}`, "", "document", "log.txt", "request"},
		"tagged":             {`{"type":"message","role":"developer","content":[{"type":"input_text","text":` + quoted("<document title=\"Log\">"+context1+"</document>") + `}]}`, "", "context", "Log", "request"},
		"file search before": {`{"type":"file_search_call","id":"s","queries":["x"],"results":[{"file_id":"file-7","filename":"log.md","text":` + quoted(context1) + `}]}`, "", "search_result", "log.md", "request"},
		"file search":        {"", `{"type":"file_search_call","id":"s","status":"completed","queries":["x"],"results":[{"file_id":"file-7","filename":"log.md","score":0.9,"text":` + quoted(context1) + `}]}`, "search_result", "log.md", "answer"},
		"MCP":                {"", `{"type":"mcp_call","id":"s","name":"lookup","server_label":"x","arguments":"{}","output":` + quoted(context1) + `}`, "tool", "lookup", "answer"},
		"code":               {"", `{"type":"code_interpreter_call","id":"s","code":"x","outputs":[{"type":"logs","logs":` + quoted(context1) + `},{"type":"image","url":"x"}]}`, "tool", "code_interpreter", "answer"},
		"both":               {call + `{"type":"function_call_output","call_id":"c","output":"The ship was large."}`, `{"type":"mcp_call","id":"s","name":"lookup","output":` + quoted(context1) + `}`, "tool", "lookup", "request and answer"},
	} {
		for _, stream := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " ", stream), func(t *testing.T) {
				w := opened.of(t)
				message := `{"id":"i1","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":` + quoted(said) + `,"annotations":[]}]}`
				output, before := message, ""
				if c.output != "" {
					output = c.output + "," + message
					before = fmt.Sprintf("data: {\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":%s}\n\n", c.output)
				}
				provider = dictated{"application/json", `{"id":"r1","object":"response","model":"m","status":"completed","output":[` + output + `]}`, false}
				if stream {
					provider = dictated{"text/event-stream", before +
						fmt.Sprintf("data: {\"type\":\"response.output_item.done\",\"output_index\":1,\"item\":%s}\n\n", message) +
						fmt.Sprintf("data: {\"type\":\"response.completed\",\"response\":{\"id\":\"r1\",\"model\":\"m\",\"output\":[%s]}}\n\n", output), false}
				}
				input := `{"role":"user","content":"When was the cable laid?"}`
				if c.input != "" {
					input += "," + c.input
				}
				r := w.send("POST", "/v1/responses", strings.NewReader(fmt.Sprintf(`{"model":"m","stream":%v,"input":[%s]}`, stream, input))).want(200)
				var n struct {
					Ibid     note
					Response struct{ Ibid note }
				}
				for _, line := range strings.Split(string(r.body), "\n") {
					if line = strings.TrimPrefix(line, "data: "); strings.Contains(line, `"ibid":{`) {
						json.Unmarshal([]byte(line), &n)
					}
				}
				if stream {
					n.Ibid = n.Response.Ibid
				}
				n.Ibid.found(t)
				last := n.Ibid.Sources[len(n.Ibid.Sources)-1]
				if n.Ibid.From != c.from || last.Kind != c.kind || last.Title != c.title {
					t.Errorf("from %s: %+v", n.Ibid.From, n.Ibid.Sources)
				}
				if strings.HasPrefix(name, "file search") && !strings.Contains(string(r.body), `"file_id":"file-7"`) {
					t.Errorf("cited is another file: %s", r.body)
				}
				if id := recordOf(t, r).Answer; id == "" {
					t.Error("it is not on record")
				} else {
					w.get("/api/v1/answers/" + id).want(200).says("In the end the cable failed").says("When was the cable laid?")
				}
			})
		}
	}
}

// What was given in the turns before counts for those that name them, in the same collection alone; what stood in their
// instructions does not.
func TestResponsesRemembersTurns(t *testing.T) {
	var turn int
	p := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		turn++
		w.Header().Set("Content-Type", "application/json")
		if turn == 1 {
			io.WriteString(w, `{"id":"r1","model":"m","output":[{"type":"function_call","call_id":"c","name":"search","arguments":"{}"}]}`)
			return
		}
		io.WriteString(w, strings.Replace(respondedWith(said), `"r1"`, fmt.Sprintf(`"r%d"`, turn), 1))
	}))
	t.Cleanup(p.Close)
	w := open(t, func(c *web.Config) { c.OpenAI = web.Provider{BaseURL: p.URL} })
	ask := func(collection, body string) (n note, a ibid.Answer) {
		t.Helper()
		r := w.send("POST", "/v1/responses", strings.NewReader(body), "Ibid-Collection", collection).want(200)
		var got struct{ Ibid note }
		r.into(&got)
		if id := recordOf(t, r).Answer; id != "" {
			w.get("/api/v1/answers/"+id, "Ibid-Collection", collection).want(200).into(&a)
		}
		return got.Ibid, a
	}
	ask("one", `{"model":"m","instructions":"[CTX 1] Words of the first turn alone.","input":"Why did it fail?"}`)
	n, a := ask("one", `{"model":"m","previous_response_id":"r1","input":[{"type":"function_call_output","call_id":"c","output":`+quoted(context1)+`}]}`)
	if n.found(t); a.Question != "Why did it fail?" || a.Conversation != "" || len(n.Sources) != 1 || n.Sources[0].Title != "search" {
		t.Errorf("asked %q of %+v", a.Question, n.Sources)
	}
	n, a = ask("one", `{"model":"m","previous_response_id":"r2","input":"And then?","store":false,"conversation":{"id":"talk"}}`)
	if n.found(t); a.Question != "And then?" || a.Conversation != "talk" || len(n.Sources) != 1 || n.From != "request" {
		t.Errorf("asked %q of %+v", a.Question, n.Sources)
	}
	if n, _ = ask("one", `{"model":"m","conversation":"talk","input":"And then?"}`); len(n.Sources) != 1 {
		t.Errorf("the conversation has %+v", n.Sources)
	}
	if _, a = ask("one", `{"model":"m","conversation":"`+strings.Repeat("long", 51)+`","input":"And then?"}`); a.ID == "" || a.Conversation != "" {
		t.Errorf("under a name that is too long is recorded %+v", a)
	}
	var together struct{ Items []ibid.Answer }
	w.get("/api/v1/conversations/talk", "Ibid-Collection", "one").want(200).into(&together)
	if len(together.Items) != 2 {
		t.Errorf("the conversation has %d answers", len(together.Items))
	}
	if n, _ = ask("one", `{"model":"m","previous_response_id":"r3","input":"And then?"}`); len(n.Sources) != 0 {
		t.Errorf("of what the provider does not keep: %+v", n.Sources)
	}
	if n, a = ask("two", `{"model":"m","previous_response_id":"r2","conversation":"talk","input":[{"type":"function_call_output","call_id":"c","output":"x"}]}`); len(n.Sources) != 1 || n.Sources[0].Title != "" || a.Question != "" {
		t.Errorf("of another collection: asked %q of %+v", a.Question, n.Sources)
	}
}

// What is remembered of turns is bounded by all that a request says, and a short text does not keep the long one that it was cut from.
func TestTurnsKeepLittle(t *testing.T) {
	const turns, size = 4, 9 << 20 // one alone is above what a turn may hold
	var turn atomic.Int64
	p := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id":"r%d","model":"m","output":[{"type":"function_call","call_id":"c","name":"search","arguments":"{}"}]}`, turn.Add(1))
	}))
	t.Cleanup(p.Close)
	long := strings.Repeat("x", size)
	for name, body := range map[string]string{
		"a name of a conversation": `{"model":"m","input":"Why?","conversation":"%d` + long + `"}`,
		"the id of a call":         `{"model":"m","input":[{"type":"function_call_output","call_id":"%d` + long + `","output":"It failed."}]}`,
		"the id of a file":         `{"model":"m","input":[{"type":"file_search_call","results":[{"file_id":"%d` + long + `","text":"It failed."}]}]}`,
		"a question in blanks":     `{"model":"m","input":"Why %d?` + strings.Repeat(" ", size) + `"}`,
		"a context in other words": `{"model":"m","input":[{"role":"developer","content":"<context>It failed %d times.</context>` + long + `"},{"role":"user","content":"Why?"}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t, func(c *web.Config) { c.OpenAI = web.Provider{BaseURL: p.URL} })
			before := heap()
			for i := range turns {
				w.send("POST", "/v1/responses", strings.NewReader(fmt.Sprintf(body, i))).want(200)
			}
			if kept := heap() - before; kept > turns*size/2 {
				t.Errorf("%d turns keep %d MB", turns, kept>>20)
			}
			runtime.KeepAlive(w)
		})
	}
}

// heap is what is in use once the garbage is collected.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // pools let go of what they hold at the second
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
