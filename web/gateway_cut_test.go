package web_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	sdkanthropic "github.com/anthropics/anthropic-sdk-go"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/option"
	sdkopenai "github.com/openai/openai-go/v3"
	openaioption "github.com/openai/openai-go/v3/option"
	sdkresponses "github.com/openai/openai-go/v3/responses"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/web"
)

// dictated is a provider that sends what it is to send next, and no more; as one whose connection breaks, where it aborts.
type dictated struct {
	media  string // its type; none where it is empty
	sent   string
	aborts bool
}

func (p *dictated) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	now := *p // who has the answer may dictate the next one before this is over
	io.Copy(io.Discard, r.Body)
	if w.Header()["Content-Type"] = nil; now.media != "" {
		w.Header().Set("Content-Type", now.media)
	}
	io.WriteString(w, now.sent)
	w.(http.Flusher).Flush()
	if now.aborts {
		panic(http.ErrAbortHandler)
	}
}

// behind puts the gateway before a provider.
func behind(t testing.TB, provider http.Handler) func(*web.Config) {
	p := httptest.NewServer(provider)
	t.Cleanup(p.Close)
	return func(c *web.Config) {
		c.OpenAI, c.Anthropic, c.Limits.PerSecond = web.Provider{BaseURL: p.URL}, web.Provider{BaseURL: p.URL}, -1
	}
}

// breaking is a provider that sends some of a stream and no more; as one whose connection breaks, where it aborts.
func breaking(t testing.TB, sent string, aborts bool) func(*web.Config) {
	return behind(t, &dictated{"text/event-stream", sent, aborts})
}

// streamed is how the official client of a form takes the stream: its error, or nil.
func streamed(t *testing.T, w *world, form string) error {
	if form == "OpenAI" {
		client := sdkopenai.NewClient(openaioption.WithBaseURL(w.URL+"/v1"), openaioption.WithAPIKey("sk-mine"), openaioption.WithMaxRetries(0))
		got := client.Chat.Completions.NewStreaming(t.Context(), sdkopenai.ChatCompletionNewParams{Model: "m", Messages: []sdkopenai.ChatCompletionMessageParamUnion{
			sdkopenai.SystemMessage("[CTX 1] " + context1), sdkopenai.UserMessage("Why?")}})
		for got.Next() {
		}
		return got.Err()
	}
	if form == "Responses" {
		client := sdkopenai.NewClient(openaioption.WithBaseURL(w.URL+"/v1"), openaioption.WithAPIKey("sk-mine"), openaioption.WithMaxRetries(0))
		got := client.Responses.NewStreaming(t.Context(), sdkresponses.ResponseNewParams{Model: "m", Instructions: sdkopenai.String("[CTX 1] " + context1),
			Input: sdkresponses.ResponseNewParamsInputUnion{OfString: sdkopenai.String("Why?")}})
		for got.Next() {
		}
		return got.Err()
	}
	client := sdkanthropic.NewClient(anthropicoption.WithBaseURL(w.URL), anthropicoption.WithAPIKey("sk-mine"), anthropicoption.WithMaxRetries(0))
	got := client.Messages.NewStreaming(t.Context(), sdkanthropic.MessageNewParams{Model: "m", MaxTokens: 9, Messages: []sdkanthropic.MessageParam{
		sdkanthropic.NewUserMessage(sdkanthropic.NewDocumentBlock(sdkanthropic.PlainTextSourceParam{Data: context1}), sdkanthropic.NewTextBlock("Why?"))}})
	for got.Next() {
	}
	return got.Err()
}

// recorded gives the answers on record.
func recorded(t *testing.T, w *world) (out []ibid.Answer) {
	t.Helper()
	var list struct{ Items []struct{ ID ibid.AnswerID } }
	w.get("/api/v1/answers").want(200).into(&list)
	for _, item := range list.Items {
		out = append(out, answerOf(w, item.ID))
	}
	return out
}

func answerOf(w *world, id ibid.AnswerID) (a ibid.Answer) {
	w.t.Helper()
	w.get("/api/v1/answers/" + string(id)).want(200).into(&a)
	return a
}

// came gives the answers that came on record since it was last asked.
func came(t *testing.T, w *world) (out []ibid.Answer) {
	t.Helper()
	var list struct{ Items []struct{ ID ibid.AnswerID } }
	w.get("/api/v1/answers").want(200).into(&list) // the newest first
	for _, item := range list.Items {
		if !w.seen[item.ID] {
			w.seen[item.ID] = true
			out = append(out, answerOf(w, item.ID))
		}
	}
	return out
}

// gatedByHold has a gateway before the provider for each way in which the gate holds an answer back.
func gatedByHold(t testing.TB, provider http.Handler) map[gate.Hold]*world {
	out := map[gate.Hold]*world{}
	for _, hold := range []gate.Hold{gate.HoldNothing, gate.HoldSegment, gate.HoldAnswer} {
		out[hold] = open(t, behind(t, provider), gated(t, "internal", func(p *gate.Policy) { p.Hold = hold }))
	}
	return out
}

// A stream that the provider breaks off has an error in the place of its end, in the form that the clients read, once and as an
// event of its own; and what came is on record as cut.
func TestGatewayTellsOfAStreamThatWasCut(t *testing.T) {
	var provider dictated
	opened := gatedByHold(t, &provider)
	for _, f := range forms {
		words := f.begin + fmt.Sprintf(f.piece, `"The cable failed after three weeks. It was"`)
		ends := strings.SplitAfter(f.end, "\n\n")
		cases := map[string]string{
			"before a word":           f.begin,
			"after some words":        words,
			"in an event":             words + f.piece[:len(f.piece)/2],
			"behind the name of data": words + "data:",
			"within":                  words + f.piece[:len(f.piece)/2] + "\n\n" + fmt.Sprintf(f.piece, `" mended."`) + f.end,
		}
		if f.name == "Responses" {
			cases["behind a text"] = words + ends[0]
			cases["in the last event"] = words + ends[0] + "event: response.completed\n"
			cases["at a line that is no end"] = words + ends[0] + "data: [DONE]\n\n"
		}
		if f.name == "Anthropic" {
			cases["behind a block"] = words + ends[0]
			cases["before the last event"] = words + ends[0] + ends[1]
			cases["in the last event"] = words + ends[0] + ends[1] + "event: message_stop\n"
		}
		for name, sent := range cases {
			for _, aborts := range []bool{false, true} {
				for hold, opened := range opened {
					t.Run(fmt.Sprint(f.name, " ", name, " ", aborts, " ", hold), func(t *testing.T) {
						w := opened.of(t)
						provider = dictated{"text/event-stream", sent, aborts}
						r := w.send("POST", f.path, strings.NewReader(askedOf)).want(200)
						said := string(r.body)
						if strings.Count(said, "\"error\":{\"") != map[string]int{"OpenAI": 1, "Anthropic": 1, "Responses": 2}[f.name] || strings.Contains(said, "event: error\n") != (f.name != "OpenAI") ||
							strings.Contains(said, "[DONE]") || strings.Contains(said, "event: message_stop") || strings.Contains(said, "response.completed") || !strings.Contains(said, "the provider's stream was cut") {
							t.Errorf("the caller gets %s", said)
						}
						for _, event := range strings.Split(strings.TrimSuffix(said, "\n\n"), "\n\n") {
							if strings.Count(event, "data:") != 1 {
								t.Errorf("no event: %q", event)
							}
						}
						all := came(t, w)
						if name == "before a word" {
							if len(all) != 0 {
								t.Errorf("on record are %d answers", len(all))
							}
						} else if len(all) != 1 || all[0].Incomplete != "the provider's stream was cut" || !strings.HasPrefix(all[0].Text, "The cable failed after three weeks.") || !strings.Contains(said, string(all[0].ID)) {
							t.Errorf("on record is %+v; the caller gets %s", all, said)
						}
						if err := streamed(t, w, f.name); err == nil || !strings.Contains(err.Error(), "the provider's stream was cut") {
							t.Errorf("the official client reads: %v", err)
						}
						if again := came(t, w); len(again) != len(all) {
							t.Errorf("of what the official client got, on record is %+v", again)
						}
					})
				}
			}
		}
	}
}

// A whole answer of which the provider gave half is an error in the form that the clients read, however its connection ended. What
// nobody got is not on record.
func TestGatewayTellsOfAWholeAnswerThatWasCut(t *testing.T) {
	var provider dictated
	opened := gatedByHold(t, &provider)
	for _, f := range forms {
		whole := `{"id":"c1","object":"chat.completion","model":"m","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"The cable failed after three weeks."}}]}`
		kind := `"type":"server_error"`
		if f.name == "Anthropic" {
			whole = `{"id":"m1","type":"message","role":"assistant","model":"m","stop_reason":"end_turn","content":[{"type":"text","text":"The cable failed after three weeks."}]}`
			kind = `"type":"api_error"`
		}
		if f.name == "Responses" {
			whole = respondedWith("The cable failed after three weeks.")
		}
		for _, media := range []string{"application/json", "application/json; charset=utf-8", ""} {
			for _, sent := range []string{"", " ", whole[:len(whole)/2], whole[:len(whole)-1]} {
				for _, aborts := range []bool{false, true} {
					for hold, w := range opened {
						provider = dictated{media, sent, aborts}
						r := w.send("POST", f.path, strings.NewReader(strings.Replace(askedOf, `"stream":true`, `"stream":false`, 1))).want(502).
							says(`"message":"the provider's answer was cut; ask again"`).says(kind)
						if got := r.header.Get("Content-Type"); got != "application/json" {
							t.Errorf("%s, %q, aborts %v, %s: the error is of type %s", f.name, sent, aborts, hold, got)
						}
						if all := came(t, w); len(all) != 0 {
							t.Errorf("%s, %q, aborts %v, %s: on record is %+v", f.name, sent, aborts, hold, all)
						}
					}
				}
			}
		}
	}
}

// An error that the provider tells of itself goes on as it came, and stands alone.
func TestGatewayPassesTheProvidersErrorInAStream(t *testing.T) {
	var provider dictated
	opened := gatedByHold(t, &provider)
	openai := "data: {\"error\":{\"message\":\"out of engines\",\"type\":\"server_error\",\"param\":null,\"code\":null}}\n\n"
	for _, c := range []struct {
		form int
		told string
	}{
		{0, openai},
		{0, openai + "data: [DONE]\n\n"},
		{0, "data: {\"error\":{\"message\":\"out of engines\"},\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\"},\"finish_reason\":\"error\"}]}\n\n"},
		{1, "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"out of engines\"}}\n\n"},
		{1, "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n" +
			"event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"out of engines\"}}\n\n"},
		{2, openai},
		{2, "event: error\ndata: {\"type\":\"error\",\"code\":\"server_error\",\"message\":\"out of engines\",\"param\":null}\n\n"},
		{2, "event: response.failed\ndata: {\"type\":\"response.failed\",\"response\":{\"id\":\"r1\",\"status\":\"failed\",\"error\":{\"code\":\"server_error\",\"message\":\"out of engines\"}}}\n\n"},
		{2, strings.SplitAfter(forms[2].end, "\n\n")[0] + "event: error\ndata: {\"type\":\"error\",\"message\":\"out of engines\"}\n\n"},
	} {
		f := forms[c.form]
		for hold, w := range opened {
			provider = dictated{"text/event-stream", f.begin + fmt.Sprintf(f.piece, `"The cable failed after three weeks."`) + c.told, false}
			r := w.send("POST", f.path, strings.NewReader(askedOf)).want(200)
			if said := string(r.body); strings.Count(said, "out of engines") != 1 || strings.Contains(said, "was cut;") {
				t.Errorf("%s, %s: the caller gets %s", c.told, hold, said)
			}
			if all := came(t, w); len(all) != 1 || all[0].Incomplete == "" {
				t.Errorf("%s, %s: on record is %+v", c.told, hold, all)
			}
		}
	}
}

// There are providers whose every chunk has a field for errors, with none in it.
func TestGatewayTakesNoErrorForNone(t *testing.T) {
	for _, none := range []string{"null", "{}", `""`} {
		sent := strings.ReplaceAll(fmt.Sprintf(forms[0].piece, `"The cable failed after three weeks."`)+forms[0].end, `{"model"`, `{"error":`+none+`,"model"`)
		w := open(t, breaking(t, sent, false), gated(t, "internal"))
		w.send("POST", forms[0].path, strings.NewReader(askedOf)).want(200).says(`"finish_reason":"stop"`).says("[DONE]")
		if all := recorded(t, w); len(all) != 1 || all[0].Incomplete != "" || all[0].Text != "The cable failed after three weeks." {
			t.Errorf("%s: on record is %+v", none, all)
		}
	}
}

// What is whole is no less so for how its connection ends.
func TestGatewayTakesAWholeStreamForWhole(t *testing.T) {
	var provider dictated
	w := open(t, behind(t, &provider), gated(t, "internal"))
	for _, f := range forms {
		words := f.begin + fmt.Sprintf(f.piece, `"The cable failed after three weeks."`)
		for name, sent := range map[string]string{
			"to its end":               words + f.end,
			"without the last line":    words + strings.TrimSuffix(f.end, "\n"),
			"without the last newline": words + strings.TrimSuffix(f.end, "\n\n"),
		} {
			for _, aborts := range []bool{false, true} {
				provider = dictated{"text/event-stream", sent, aborts}
				r := w.send("POST", f.path, strings.NewReader(askedOf)).want(200)
				said := string(r.body)
				if strings.Contains(said, `"error":{`) || strings.Count(said, "[DONE]")+strings.Count(said, "event: message_stop")+strings.Count(said, "event: response.completed") != 1 || !strings.HasSuffix(said, "\n\n") || !strings.Contains(said, `"ibid":{`) {
					t.Errorf("%s %s, aborts %v: the caller gets %s", f.name, name, aborts, said)
				}
				if err := streamed(t, w, f.name); err != nil {
					t.Errorf("%s %s, aborts %v: the official client reads: %v", f.name, name, aborts, err)
				}
				if all := came(t, w); len(all) != 2 || all[0].Incomplete != "" || all[1].Incomplete != "" {
					t.Errorf("%s %s, aborts %v: on record is %+v", f.name, name, aborts, all)
				}
			}
		}
	}
}

// Whatever a provider sends, its readers are told how the stream ended: by its end, or by an error.
func FuzzGatewayStream(f *testing.F) {
	var sent []byte
	p := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		w.Write(sent)
	}))
	f.Cleanup(p.Close)
	opened := open(f, gated(f, "internal", func(p *gate.Policy) { p.Hold = gate.HoldSegment }), func(c *web.Config) {
		c.OpenAI, c.Anthropic, c.Limits.PerSecond = web.Provider{BaseURL: p.URL}, web.Provider{BaseURL: p.URL}, -1
	})
	for i, form := range forms {
		words := form.begin + fmt.Sprintf(form.piece, `"The cable failed after three weeks. It was"`)
		for _, s := range []string{"", words, words + form.end, words + form.end + words, words + "data: {\"error\":{\"message\":\"x\"}}\n\n", "data:\ndata: [DONE]\n\n", "\r\n:ping\r\n\r\n" + words} {
			f.Add(byte(i), []byte(s))
		}
	}
	f.Fuzz(func(t *testing.T, which byte, b []byte) {
		w, form := opened.of(t), forms[int(which)%len(forms)]
		sent = b
		r := w.send("POST", form.path, strings.NewReader(askedOf)).want(200)
		for _, line := range strings.FieldsFunc(string(r.body), func(c rune) bool { return c == '\n' || c == '\r' }) {
			data, ok := strings.CutPrefix(line, "data:")
			var v struct {
				Type  string
				Error json.RawMessage
			}
			if ok && (strings.TrimSpace(data) == "[DONE]" || json.Unmarshal([]byte(data), &v) == nil && (v.Type == "message_stop" || v.Type == "response.completed" || v.Type == "response.incomplete" || v.Type == "response.failed" || v.Type == "error" || v.Error != nil)) {
				return
			}
		}
		t.Errorf("nobody knows how it ended: %q", r.body)
	})
}

// A reference that is a word of its sentence has words in its place: what is found of them is told of the reference as it came.
func TestWordsInPlaceOfAReferenceAreAligned(t *testing.T) {
	const raw = "According to [CTX 1], it failed [CTX 2]. So  it was."
	a := ibid.Answer{Text: "According to the source, it failed. So it was.", Passages: make([]ibid.Passage, 2)}
	for words, want := range map[string]string{
		"According to the source, it failed.": "According to [CTX 1], it failed [CTX 2].",
		"the source":                          "[CTX 1]",
		"to the source":                       "to [CTX 1]",
		", it failed":                         ", it failed",
		"So it was.":                          "So  it was.",
	} {
		i := strings.Index(a.Text, words)
		if got := web.Aligned(raw, a, ibid.Span{Start: i, End: i + len(words)}).In(raw); got != want {
			t.Errorf("%q stands at %q, want %q", words, got, want)
		}
	}
}

// An answer that the provider ended for its length, or by a filter, is delivered as it came, and is on record as incomplete with the
// reason; the reply says so beside what the provider says.
func TestGatewayRecordsWhatEndedEarly(t *testing.T) {
	var provider dictated
	opened := gatedByHold(t, &provider)
	const (
		text   = "The cable failed after three weeks. It was"
		length = "the answer reached its limit of tokens"
		filter = "a filter of the provider ended the answer"
	)
	chat := func(reason string) (whole, stream string) {
		return fmt.Sprintf(`{"id":"c1","object":"chat.completion","model":"m","choices":[{"index":0,"finish_reason":%q,"message":{"role":"assistant","content":%q}}]}`, reason, text),
			forms[0].begin + fmt.Sprintf(forms[0].piece, quoted(text)) + strings.Replace(forms[0].end, `"stop"`, quoted(reason), 1)
	}
	messages := func(reason string) (whole, stream string) {
		return fmt.Sprintf(`{"id":"m1","type":"message","role":"assistant","model":"m","stop_reason":%q,"content":[{"type":"text","text":%q},{"type":"tool_use","id":"t1","name":"f","input":{}}]}`, reason, text),
			forms[1].begin + fmt.Sprintf(forms[1].piece, quoted(text)) + strings.Replace(forms[1].end, `"end_turn"`, quoted(reason), 1)
	}
	responses := func(status, details string) (whole, stream string) {
		told := fmt.Sprintf(`"status":%q,"incomplete_details":%s`, status, details)
		kind := "response.completed"
		if status == "incomplete" {
			kind = "response.incomplete"
		}
		return strings.Replace(respondedWith(text), `"status":"completed","model":"m","error":null,"incomplete_details":null`, told+`,"model":"m"`, 1),
			forms[2].begin + fmt.Sprintf(forms[2].piece, quoted(text)) + strings.ReplaceAll(strings.Replace(forms[2].end, `"status":"completed"`, told, 1), "response.completed", kind)
	}
	type answer struct{ whole, stream string }
	made := func(whole, stream string) answer { return answer{whole, stream} }
	for _, c := range []struct {
		form  int
		name  string
		gives answer
		why   string
	}{
		{0, "length", made(chat("length")), length},
		{0, "filter", made(chat("content_filter")), filter},
		{0, "context", made(chat("model_length")), "the answer reached the end of the model's context"},
		{0, "whole", made(chat("stop")), ""},
		{0, "calls a tool", made(chat("tool_calls")), ""},
		{1, "length", made(messages("max_tokens")), length},
		{1, "refusal", made(messages("refusal")), "the model or its provider refused to go on"},
		{1, "pause", made(messages("pause_turn")), "the provider paused the answer before its end"},
		{1, "whole", made(messages("end_turn")), ""},
		{1, "calls a tool", made(messages("tool_use")), ""},
		{2, "length", made(responses("incomplete", `{"reason":"max_output_tokens"}`)), length},
		{2, "filter", made(responses("incomplete", `{"reason":"content_filter"}`)), filter},
		{2, "without a reason", made(responses("incomplete", "null")), "the provider ended the answer early: it does not say why"},
		{2, "with another", made(responses("incomplete", `{"reason":"tea time"}`)), "the provider ended the answer early: tea time"},
		{2, "cancelled", made(responses("cancelled", "null")), "the server broke off"},
		{2, "whole", made(responses("completed", "null")), ""},
	} {
		f := forms[c.form]
		for hold, opened := range opened {
			for _, stream := range []bool{false, true} {
				t.Run(fmt.Sprint(f.name, " ", c.name, " ", hold, " ", stream), func(t *testing.T) {
					w := opened.of(t)
					asked := askedOf
					provider = dictated{"text/event-stream", c.gives.stream, false}
					if !stream {
						provider = dictated{"application/json", c.gives.whole, false}
						asked = strings.Replace(askedOf, `"stream":true`, `"stream":false`, 1)
					}
					r := w.send("POST", f.path, strings.NewReader(asked)).want(200)
					if got := recordOf(t, r).Incomplete; got != c.why {
						t.Errorf("the reply says incomplete %q: %s", got, clip(r.body))
					}
					all := came(t, w)
					if len(all) != 1 || all[0].Incomplete != c.why || all[0].Text != text {
						t.Errorf("on record is %+v", all)
					}
				})
			}
		}
	}
}

// Of several choices each has its own end; of several blocks only the last can be without one.
func TestGatewayTellsWhichTextEndedEarly(t *testing.T) {
	const (
		one = "The cable failed after three weeks."
		two = "It was"
	)
	block := func(n int, text string) string {
		return fmt.Sprintf("event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":%d,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n"+
			"event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":%d,\"delta\":{\"type\":\"text_delta\",\"text\":%q}}\n\nevent: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":%d}\n\n", n, n, text, n)
	}
	choice := func(n int, text, reason string) string {
		return fmt.Sprintf("data: {\"model\":\"m\",\"choices\":[{\"index\":%d,\"delta\":{\"content\":%q}}]}\n\ndata: {\"model\":\"m\",\"choices\":[{\"index\":%d,\"delta\":{},\"finish_reason\":%q}]}\n\n", n, text, n, reason)
	}
	ends := strings.SplitAfter(strings.Replace(forms[1].end, "end_turn", "max_tokens", 1), "\n\n")
	for name, c := range map[string]struct {
		form    int
		media   string
		sent    string
		reasons map[string]string
	}{
		"choices": {0, "application/json", fmt.Sprintf(`{"id":"c1","model":"m","choices":[{"index":0,"finish_reason":"length","message":{"content":%q}},{"index":1,"finish_reason":"stop","message":{"content":%q}}]}`, two, one),
			map[string]string{one: "", two: "the answer reached its limit of tokens"}},
		"choices of a stream": {0, "text/event-stream", choice(0, two, "length") + choice(1, one, "stop") + "data: [DONE]\n\n", map[string]string{one: "", two: "the answer reached its limit of tokens"}},
		"blocks": {1, "application/json", fmt.Sprintf(`{"id":"m1","type":"message","model":"m","stop_reason":"max_tokens","content":[{"type":"text","text":%q},{"type":"text","text":%q}]}`, one, two),
			map[string]string{one: "", two: "the answer reached its limit of tokens"}},
		"blocks of a stream": {1, "text/event-stream", strings.SplitAfter(forms[1].begin, "\n\n")[0] + block(0, one) + block(1, two) + ends[1] + ends[2],
			map[string]string{one: "", two: "the answer reached its limit of tokens"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				w.Header().Set("Content-Type", c.media)
				io.WriteString(w, c.sent)
			}))
			defer p.Close()
			w := open(t, func(c *web.Config) {
				c.OpenAI, c.Anthropic = web.Provider{BaseURL: p.URL}, web.Provider{BaseURL: p.URL}
			})
			w.send("POST", forms[c.form].path, strings.NewReader(askedOf)).want(200)
			got := map[string]string{}
			for _, a := range recorded(t, w) {
				got[a.Text] = a.Incomplete
			}
			if !maps.Equal(got, c.reasons) {
				t.Errorf("on record is %v", got)
			}
		})
	}
}
