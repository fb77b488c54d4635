package web_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/web"
)

// whole is a stream in a form, from its beginning to its end.
func whole(form int, text string) string {
	f := forms[form]
	return f.begin + fmt.Sprintf(f.piece, quoted(text)) + f.end
}

// ends are how the streams of the forms end.
var ends = []string{"data: [DONE]\n\n", "event: message_stop\n", "event: response.completed\n"}

// A provider that has told the end and does not hang up keeps nobody waiting.
func TestGatewayDoesNotWaitBehindTheEnd(t *testing.T) {
	t.Parallel()
	for i, f := range forms {
		p := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, whole(i, "The cable failed after three weeks."))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}))
		w := open(t, gated(t, "internal"), func(c *web.Config) {
			c.OpenAI, c.Anthropic = web.Provider{BaseURL: p.URL}, web.Provider{BaseURL: p.URL}
		})
		done := make(chan string, 1)
		go func() { done <- string(w.send("POST", f.path, strings.NewReader(askedOf)).want(200).body) }()
		select {
		case body := <-done:
			if strings.Count(body, ends[i]) != 1 || strings.Contains(body, `"error":{`) {
				t.Errorf("%s: %s", f.name, body)
			}
		case <-time.After(20 * time.Second):
			t.Errorf("%s: it waits", f.name)
		}
		p.Close()
	}
}

// What comes behind the end is no part of the answer: nobody gets it, and the end comes once.
func TestGatewayEndsOnce(t *testing.T) {
	for i, f := range forms {
		once := whole(i, "The cable failed after three weeks.")
		w := open(t, breaking(t, once+whole(i, "It was eaten by forty whales.")+once, false), gated(t, "internal"))
		body := string(w.send("POST", f.path, strings.NewReader(askedOf)).want(200).body)
		if strings.Contains(body, "whales") || strings.Count(body, ends[i]) != 1 {
			t.Errorf("%s: %s", f.name, body)
		}
		if all := recorded(t, w); len(all) != 1 || all[0].Text != "The cable failed after three weeks." || all[0].Incomplete != "" {
			t.Errorf("%s: on record is %+v", f.name, all)
		}
	}
}

// A stream is read whatever its type is written like, with the mark that some put before a text, and byte by byte.
func TestGatewayReadsAnyStream(t *testing.T) {
	for i, f := range forms {
		for _, media := range []string{"text/event-stream", "Text/Event-Stream; charset=UTF-8"} {
			p := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				w.Header().Set("Content-Type", media)
				for _, b := range []byte("\ufeff" + whole(i, "The cable failed after three weeks.")) {
					w.Write([]byte{b})
					w.(http.Flusher).Flush()
				}
			}))
			w := open(t, gated(t, "internal"), func(c *web.Config) {
				c.OpenAI, c.Anthropic = web.Provider{BaseURL: p.URL}, web.Provider{BaseURL: p.URL}
			})
			body := string(w.send("POST", f.path, strings.NewReader(askedOf)).want(200).body)
			if all := recorded(t, w); len(all) != 1 || all[0].Text != "The cable failed after three weeks." || all[0].Incomplete != "" || strings.Count(body, ends[i]) != 1 {
				t.Errorf("%s, %s: on record is %+v: %s", f.name, media, all, body)
			}
			p.Close()
		}
	}
}

// What waits behind a text that the gate holds is kept in memory, and so it has a bound.
func TestGatewayBoundsWhatWaits(t *testing.T) {
	t.Parallel()
	junk := strings.Repeat("x", 1<<20)
	for i, waits := range map[int]string{
		0: "data: {\"choices\":[],\"junk\":\"" + junk + "\"}\n\n",
		1: "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"" + junk + "\"}}\n\n",
		2: "event: response.function_call_arguments.delta\ndata: {\"type\":\"response.function_call_arguments.delta\",\"output_index\":1,\"delta\":\"" + junk + "\"}\n\n",
	} {
		f, left := forms[i], make(chan struct{})
		p := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			defer close(left)
			io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, f.begin+fmt.Sprintf(f.piece, quoted("The cable failed after three weeks."))+strings.SplitAfter(f.end, "\n\n")[0])
			for n := 0; n < 1000; n++ {
				if _, err := io.WriteString(w, waits); err != nil {
					return
				}
			}
		}))
		w := open(t, gated(t, "production"), func(c *web.Config) {
			c.OpenAI, c.Anthropic = web.Provider{BaseURL: p.URL}, web.Provider{BaseURL: p.URL}
		})
		body := string(w.send("POST", f.path, strings.NewReader(askedOf)).want(200).body)
		if !strings.Contains(body, "the provider's answer is too long") || len(body) > 1<<20 {
			t.Errorf("%s: %d bytes: %s", f.name, len(body), clip([]byte(body)))
		}
		select {
		case <-left:
		case <-time.After(20 * time.Second):
			t.Errorf("%s: the provider goes on", f.name)
		}
		p.Close()
	}
}

// There are providers that call an item by another name in each event. Its text is one all the same.
func TestResponsesWithNamesThatChange(t *testing.T) {
	for _, hold := range []gate.Hold{gate.HoldNothing, gate.HoldAnswer} {
		n := 0
		var sent strings.Builder
		for _, e := range respondedIn([]string{"The cable ", "failed after three weeks."}) {
			for strings.Contains(e, `"i1"`) {
				n++
				e = strings.Replace(e, `"i1"`, fmt.Sprintf(`"name%d"`, n), 1)
			}
			sent.WriteString(e)
		}
		w := open(t, breaking(t, sent.String(), false), gated(t, "production", func(p *gate.Policy) {
			if p.Hold = hold; hold == gate.HoldNothing {
				p.Default.Outcome, p.Kinds = gate.Warn, nil
			}
		}))
		body := string(w.send("POST", "/v1/responses", strings.NewReader(askedOf)).want(200).body)
		if all := recorded(t, w); len(all) != 1 || all[0].Text != "The cable failed after three weeks." || strings.Count(body, "event: response.output_text.done") != 1 {
			t.Errorf("%s: on record is %+v: %s", hold, all, body)
		}
		if words := contentOf(t, reply{t: t, body: []byte(body)}); words != "The cable failed after three weeks." {
			t.Errorf("%s: the words are %q", hold, words)
		}
	}
}

// What the gate cannot read is named as that, also at the end of a stream.
func TestResponsesThatCannotBeRead(t *testing.T) {
	w := open(t, breaking(t, forms[2].begin+"data: {\"type\":\"response.completed\",\"response\":{\"id\":\"r1\",\"output\":[{\"type\":\"poem\",\"text\":\"whales\"}]}}\n\n", false), gated(t, "production"))
	w.send("POST", "/v1/responses", strings.NewReader(askedOf)).want(200).says("a form that the gate cannot read").says("event: response.failed").says("event: error")
}
