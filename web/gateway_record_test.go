package web_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	sdkanthropic "github.com/anthropics/anthropic-sdk-go"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/option"
	sdkopenai "github.com/openai/openai-go/v3"
	openaioption "github.com/openai/openai-go/v3/option"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/web"
)

const cleaned = "The cable failed after three weeks. It was eaten by forty whales."

// gated puts a log and a gate behind the gateway.
func gated(t testing.TB, preset string, change ...func(*gate.Policy)) func(*web.Config) {
	return func(c *web.Config) {
		log, err := c.Store.Log(t.Context(), sqlite.LogConfig{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := gate.Preset(preset)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range change {
			f(&p)
		}
		c.AuditLog, c.Asker.Gate.Policy = log, &p
	}
}

// throughAll sends the same request in all forms, whole and streamed.
func throughAll(t *testing.T, w *world, f func(t *testing.T, r reply)) {
	for _, path := range []string{"/v1/chat/completions", "/v1/messages", "/v1/responses"} {
		for _, stream := range []bool{false, true} {
			name := strings.TrimPrefix(path, "/v1/") + " whole"
			if stream {
				name = strings.TrimPrefix(path, "/v1/") + " streamed"
			}
			t.Run(name, func(t *testing.T) {
				w.t = t
				f(t, w.post(path, map[string]any{"model": "m", "max_tokens": 9, "stream": stream, "messages": json.RawMessage(messages), "input": json.RawMessage(messages)}))
			})
		}
	}
}

type record struct {
	Answer, Receipt string
	Incomplete      string
	Entry           *int64
	Verdict         *ibid.Verdict
}

// recordOf reads the field ibid of a reply, whole or streamed.
func recordOf(t *testing.T, r reply) record {
	t.Helper()
	var n struct {
		Ibid     record
		Response struct{ Ibid record }
	}
	for _, line := range strings.Split(string(r.body), "\n") {
		if line = strings.TrimPrefix(line, "data: "); strings.Contains(line, `"ibid":{`) {
			if err := json.Unmarshal([]byte(line), &n); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n.Response.Ibid.Answer != "" {
		return n.Response.Ibid
	}
	return n.Ibid
}

// What went through the gateway can be opened, was judged, and is proved by the log.
func TestGatewayAnswersAreRecorded(t *testing.T) {
	w := open(t, through(provider(t, said)), gated(t, "internal"))
	throughAll(t, w, func(t *testing.T, r reply) {
		n := recordOf(t, r.want(200))
		if n.Answer == "" || n.Entry == nil || n.Verdict == nil || n.Receipt == "" {
			t.Fatalf("the reply names %+v: %s", n, clip(r.body))
		}
		var a ibid.Answer
		w.get("/api/v1/answers/" + n.Answer).want(200).into(&a)
		if a.Text != cleaned || a.Question != "Why did it fail?" || a.Model != "m" || len(a.Citations) == 0 || a.Citations[0].Quote == "" || *a.Entry != *n.Entry || a.Verdict == nil {
			t.Errorf("on record is %+v", a)
		}
		receipt := w.get(n.Receipt).want(200)
		if !strings.Contains(string(receipt.body), "forty whales") {
			t.Errorf("the entry does not hold the answer: %s", clip(receipt.body))
		}
		var checked struct{ Valid bool }
		w.post("/api/v1/audit/check", map[string]any{"receipt": json.RawMessage(receipt.body)}).want(200).into(&checked)
		if !checked.Valid {
			t.Error("its receipt is refused")
		}
		w.get("/api/v1/answers/" + n.Answer + "/segments").want(200)
		w.get("/api/v1/answers/" + n.Answer + "/bibliography?style=apa").want(200)
		w.get("/api/v1/answers/" + n.Answer + "/drift").want(200).says(`"state":"same"`)
		w.post("/api/v1/answers/"+n.Answer+"/feedback", map[string]any{"segment": 1, "source": a.Citations[0].Source, "verdict": "right"}).want(201)
		w.post("/api/v1/answers/"+n.Answer+"/versions", map[string]any{"cause": "sources"}).want(201).says(`"changes":[]`)
	})
}

// contentOf puts together the words of a reply, whole or streamed.
func contentOf(t *testing.T, r reply) string {
	t.Helper()
	var out strings.Builder
	for _, line := range strings.Split(string(r.body), "\n") {
		line = strings.TrimPrefix(line, "data: ")
		if !strings.HasPrefix(line, "{") {
			continue
		}
		var part struct {
			Choices []struct{ Message, Delta struct{ Content string } }
			Content []struct{ Text string }
			Delta   any
			Type    string
			Output  []struct{ Content []struct{ Text string } }
		}
		if err := json.Unmarshal([]byte(line), &part); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		for _, c := range part.Choices {
			out.WriteString(c.Message.Content + c.Delta.Content)
		}
		for _, c := range part.Content {
			out.WriteString(c.Text)
		}
		for _, item := range part.Output {
			for _, c := range item.Content {
				out.WriteString(c.Text)
			}
		}
		switch delta := part.Delta.(type) {
		case string:
			if part.Type == "response.output_text.delta" {
				out.WriteString(delta)
			}
		case map[string]any:
			text, _ := delta["text"].(string)
			out.WriteString(text)
		}
	}
	return out.String()
}

// What the gate finds uncovered is counted in the text that the client has, as its segments are; on record it stays in the
// recorded text.
func TestGatewayUncoveredInTheClientsText(t *testing.T) {
	const whales, squid = "It was eaten by forty whales 🐳.", "Later a squid bit the émigré ship 🦑."
	for name, text := range map[string]string{
		"markers":     "{{rag:😀 The cable failed after three weeks.}} {{llm:" + whales + "}} [1]\n\n{{hybrid:" + squid + "}} {{rag:The cable failed after three weeks.}}",
		"no markers":  "😀 The cable failed after three weeks. " + whales + " " + squid,
		"white space": "\n 😀 The cable failed after three weeks. [1]  " + whales + "\n\n\n" + squid + " \n",
	} {
		for _, hold := range []gate.Hold{gate.HoldNothing, gate.HoldSegment, gate.HoldAnswer} {
			t.Run(name+", hold "+string(hold), func(t *testing.T) {
				w := open(t, through(provider(t, text)), gated(t, "internal", func(p *gate.Policy) { p.Hold = hold }))
				throughAll(t, w, func(t *testing.T, r reply) {
					content := []rune(contentOf(t, r.want(200)))
					if hold == gate.HoldNothing && string(content) != text {
						t.Fatalf("the client has %q", string(content))
					}
					n := recordOf(t, r)
					var a ibid.Answer
					w.get("/api/v1/answers/" + n.Answer).want(200).into(&a)
					var got, kept []string
					for _, s := range n.Verdict.Uncovered {
						if s.Start < 0 || s.End < s.Start || s.End > len(content) {
							t.Fatalf("%v of %d characters", s, len(content))
						}
						got = append(got, string(content[s.Start:s.End]))
					}
					for _, s := range a.Verdict.Uncovered {
						kept = append(kept, s.In(a.Text))
					}
					if want := []string{whales, squid}; !slices.Equal(got, want) || !slices.Equal(kept, want) {
						t.Errorf("uncovered are %q of %q, on record %q", got, string(content), kept)
					}
				})
			})
		}
	}
}

// What a strict gate refuses leaves in no form, and its refusal is on record.
func TestGatewayHoldsBack(t *testing.T) {
	for _, hold := range []gate.Hold{gate.HoldAnswer, gate.HoldSegment} {
		w := open(t, through(provider(t, said)), gated(t, "production", func(p *gate.Policy) { p.Hold = hold }))
		refused := 0
		throughAll(t, w, func(t *testing.T, r reply) {
			refused++
			if strings.Contains(string(r.body), "whales") || !strings.Contains(string(r.body), "below threshold") || !strings.Contains(string(r.body), "invalid_request_error") {
				t.Errorf("status %d: %s", r.status, clip(r.body))
			}
			if stream := strings.HasPrefix(r.header.Get("Content-Type"), "text/event-stream"); !stream && r.status != 422 {
				t.Errorf("status %d", r.status)
			}
			var list struct{ Items []struct{ ID string } }
			w.get("/api/v1/answers").want(200).into(&list)
			if len(list.Items) != refused {
				t.Errorf("%d answers on record after %d were refused", len(list.Items), refused)
			}
		})
	}
}

// What the gate repairs leaves repaired, and its citations speak of what is left.
func TestGatewayGivesWhatTheGateRepaired(t *testing.T) {
	w := open(t, through(provider(t, said)), gated(t, "production", func(p *gate.Policy) { p.Default.Outcome, p.Mend, p.Kinds = gate.Repair, gate.Drop, nil }))
	throughAll(t, w, func(t *testing.T, r reply) {
		if strings.Contains(string(r.want(200).body), "whales") || !strings.Contains(string(r.body), "The cable failed after three weeks.") || !strings.Contains(string(r.body), "citation") {
			t.Errorf("got %s", clip(r.body))
		}
		var a ibid.Answer
		w.get("/api/v1/answers/" + recordOf(t, r).Answer).want(200).into(&a)
		if a.Text != "The cable failed after three weeks." {
			t.Errorf("on record is %q", a.Text)
		}
	})
}

// What cannot be recorded is not delivered; where it is out already, its end says so to the provider's own client.
func TestGatewaySaysWhatIsNotRecorded(t *testing.T) {
	p := provider(t, said)
	w := open(t, through(p), gated(t, "internal"), func(c *web.Config) { c.Asker.NewID = func() ibid.AnswerID { return "the-same" } })
	ask := func(text string) reply {
		return w.post("/v1/chat/completions", map[string]any{"model": "m", "messages": []any{map[string]any{"role": "user", "content": text}}})
	}
	ask("Why?").want(200)
	if r := ask("Why not?").want(500); strings.Contains(string(r.body), "whales") {
		t.Errorf("delivered: %s", r.body)
	}
	openai := sdkopenai.NewClient(openaioption.WithBaseURL(w.URL+"/v1"), openaioption.WithAPIKey("sk-mine"), openaioption.WithMaxRetries(0))
	one := openai.Chat.Completions.NewStreaming(t.Context(), sdkopenai.ChatCompletionNewParams{Model: "m", Messages: []sdkopenai.ChatCompletionMessageParamUnion{sdkopenai.UserMessage("Why so?")}})
	for one.Next() {
	}
	if one.Err() == nil {
		t.Error("the client of OpenAI was told of a good end")
	}
	claude := sdkanthropic.NewClient(anthropicoption.WithBaseURL(w.URL), anthropicoption.WithAPIKey("sk-mine"), anthropicoption.WithMaxRetries(0))
	two := claude.Messages.NewStreaming(t.Context(), sdkanthropic.MessageNewParams{Model: "m", MaxTokens: 9, Messages: []sdkanthropic.MessageParam{sdkanthropic.NewUserMessage(sdkanthropic.NewTextBlock("Why so?"))}})
	for two.Next() {
	}
	if two.Err() == nil {
		t.Error("the client of Anthropic was told of a good end")
	}
}

// A stream that its provider cuts is on record as far as it came.
func TestGatewayRecordsWhatWasCut(t *testing.T) {
	cut := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.Write([]byte("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"The cable failed\"}}]}\n\n"))
	}))
	t.Cleanup(cut.Close)
	w := open(t, func(c *web.Config) { c.OpenAI = web.Provider{BaseURL: cut.URL} })
	w.post("/v1/chat/completions", map[string]any{"model": "m", "stream": true, "messages": []any{map[string]any{"role": "user", "content": "Why?"}}}).want(200)
	var list struct{ Items []struct{ ID string } }
	for until := time.Now().Add(10 * time.Second); len(list.Items) == 0 && time.Now().Before(until); time.Sleep(10 * time.Millisecond) {
		w.get("/api/v1/answers").want(200).into(&list)
	}
	if len(list.Items) != 1 {
		t.Fatal("it is not on record")
	}
	w.get("/api/v1/answers/" + list.Items[0].ID).want(200).says(`"incomplete":"the provider's stream was cut"`).says("The cable failed")
}

// The official clients read the server's own refusals as they read their provider's.
func TestGatewayErrorsInTheProvidersForm(t *testing.T) {
	for name, c := range map[string]struct {
		change       func(*web.Config)
		status       int
		code, openAI string
		anthropic    string
	}{
		"a wrong key":       {func(c *web.Config) { c.Open = false }, 401, "invalid_api_key", "invalid_request_error", "authentication_error"},
		"too many requests": {func(c *web.Config) { c.Limits = web.Limits{PerSecond: 0.001, Burst: 1} }, 429, "rate_limit_exceeded", "rate_limit_error", "rate_limit_error"},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t, through(provider(t, said)), c.change)
			w.send("GET", "/api/v1/me", nil) // takes what the limit allows
			openai := sdkopenai.NewClient(openaioption.WithBaseURL(w.URL+"/v1"), openaioption.WithAPIKey("sk-wrong"), openaioption.WithMaxRetries(0))
			_, err := openai.Chat.Completions.New(t.Context(), sdkopenai.ChatCompletionNewParams{Model: "m", Messages: []sdkopenai.ChatCompletionMessageParamUnion{sdkopenai.UserMessage("Why?")}})
			var one *sdkopenai.Error
			if !errors.As(err, &one) || one.StatusCode != c.status || one.Code != c.code || one.Type != c.openAI || one.Message == "" {
				t.Errorf("OpenAI's client got %v", err)
			}
			claude := sdkanthropic.NewClient(anthropicoption.WithBaseURL(w.URL), anthropicoption.WithAPIKey("sk-wrong"), anthropicoption.WithMaxRetries(0))
			_, err = claude.Messages.New(t.Context(), sdkanthropic.MessageNewParams{Model: "m", MaxTokens: 9, Messages: []sdkanthropic.MessageParam{sdkanthropic.NewUserMessage(sdkanthropic.NewTextBlock("Why?"))}})
			var two *sdkanthropic.Error
			if !errors.As(err, &two) || two.StatusCode != c.status || !strings.Contains(two.RawJSON(), `"type":"`+c.anthropic+`"`) || !strings.Contains(two.RawJSON(), `"type":"error"`) {
				t.Errorf("Anthropic's client got %v", err)
			}
		})
	}
}
