package llm_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/llm"
	"github.com/ibid-dev/ibid/llm/llmtest"
)

// sent answers every request with a stream, byte by byte or as it is.
type sent struct {
	body     []byte
	bytewise bool
}

func (s sent) RoundTrip(r *http.Request) (*http.Response, error) {
	var body io.Reader = bytes.NewReader(s.body)
	if s.bytewise {
		body = iotest.OneByteReader(body)
	}
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(body), Request: r}, nil
}

// Whatever a server sends, its words are text and the same however the wire cuts them, its citations stand within the words and
// the passages, and what ends the answer is said once, as an *Error.
func fuzzStream(f *testing.F, model func(*http.Client) (ibid.Model, error)) {
	passages := []ibid.Passage{passage(1, 7, "Cables", "Zürich — the cable of 1858. 東京 "), passage(2, 0, "", "")}
	f.Fuzz(func(t *testing.T, body []byte) {
		var heards [2]heard
		for i := range heards {
			m, err := model(&http.Client{Transport: sent{body, i == 1}})
			if err != nil {
				t.Fatal(err)
			}
			h := &heards[i]
			for d, err := range m.Generate(context.Background(), ibid.Prompt{Question: "When?", Passages: passages}) {
				var known *llm.Error
				switch {
				case h.err != nil:
					t.Fatalf("%+v, %v comes behind %v", d, err, h.err)
				case err != nil && (!errors.As(err, &known) || known.Kind == nil || known.Message == ""):
					t.Fatalf("an error without a name: %#v", err)
				}
				if d.Usage.Input < 0 || d.Usage.Output < 0 {
					t.Fatalf("counts %+v", d.Usage)
				}
				h.err = err
				h.text += d.Text
				h.cites = append(h.cites, d.Cites...)
				for _, c := range d.Cites {
					p := passages[0].Chunk
					if c.To.Document != p.At.Document {
						p = passages[1].Chunk
					}
					to := c.To.Span.Shift(-p.At.Span.Start)
					if c.Of.Start < 0 || c.Of.Empty() || c.Of.End > len(h.text) || to.Start < 0 || to.End < to.Start || to.End > len(p.Text) || !utf8.ValidString(to.In(p.Text)) {
						t.Fatalf("cites %+v in %q", c, h.text)
					}
				}
			}
			if !utf8.ValidString(h.text) {
				t.Fatalf("%q is no text", h.text)
			}
		}
		if heards[0].text != heards[1].text || !reflect.DeepEqual(heards[0].cites, heards[1].cites) || (heards[0].err == nil) != (heards[1].err == nil) {
			t.Fatalf("as a whole %+v\nbyte by byte %+v", heards[0], heards[1])
		}
	})
}

func FuzzOpenAI(f *testing.F) {
	a := apis[0]
	for _, s := range []string{a.begin + a.word("Zü") + a.word("rich") + a.end, a.begin + a.fail, a.word("x") + a.limit, a.deny, a.junk, ": ping\r\n\r\n" + a.word("x"),
		strings.Replace(a.word("x"), `"x"`, `[{"type":"text","text":"a\ud83d"},{"type":"thinking"}]`, 1) + a.end, strings.Replace(a.word("xyz"), "xyz", "\xe6\x9d", 1) + a.end,
		strings.Replace(a.word("xyz"), "xyz", `\ud83d`, 1) + a.end, "data: {\"choices\":[{\"delta\":{\"refusal\":\"no\"},\"finish_reason\":\"stop\"}]}\n\n", "data: 7\n\ndata: []\n\ndata: null\n\n",
		a.word("x") + strings.Replace(a.end, `"completion_tokens":7`, `"completion_tokens":-1`, 1)} {
		f.Add([]byte(s))
	}
	fuzzStream(f, func(c *http.Client) (ibid.Model, error) {
		return llm.NewOpenAI("small-1", llm.OpenAIConfig{BaseURL: "http://model.example/v1", Client: c})
	})
}

func FuzzAnthropic(f *testing.F) {
	a := apis[1]
	cites := func(c string) string {
		return "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"citations_delta\",\"citation\":" + c + "}}\n\n"
	}
	for _, s := range []string{a.begin + a.word("Zü") + a.word("rich") + a.end, a.begin + a.fail, a.word("x") + a.limit, a.deny, a.junk, ": ping\r\n\r\n" + a.word("x"),
		a.begin + a.word("So.") + cites(`{"type":"char_location","cited_text":"Zürich —","document_index":0,"start_char_index":0,"end_char_index":8}`) +
			cites(`{"type":"page_location","cited_text":"東京","document_index":0}`) + cites(`{"type":"char_location","document_index":1,"start_char_index":-1,"end_char_index":9}`) + a.end,
		strings.Replace(a.word("xyz"), "xyz", "\xe6\x9d", 1) + a.end, strings.Replace(a.word("xyz"), "xyz", `\ud83d`, 1) + a.end,
		strings.Replace(a.begin, `"input_tokens":11`, `"input_tokens":9223372036854775807,"cache_read_input_tokens":1`, 1) + a.word("x") + a.end} {
		f.Add([]byte(s))
	}
	fuzzStream(f, func(c *http.Client) (ibid.Model, error) {
		return llm.NewAnthropic("small-1", llm.AnthropicConfig{BaseURL: "http://model.example", Client: c, Citations: true})
	})
}

// Whatever a model says of a pair, it is a judgement whose parts are shares of one whole, or an error.
func FuzzJudge(f *testing.F) {
	for _, s := range []string{"supported 0.9 contradicted 0", "Supported: 1, Contradicted: 1", "supported .7\ncontradicted .1", "unsupported 0.9 contradicted 0.1", "supported 1.99 contradicted 0.5", "no"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, reply string) {
		got, err := llm.Judge{Model: llmtest.Says(reply)}.Judge(context.Background(), []ibid.Pair{{Claim: "a", Evidence: "b"}})
		if err != nil {
			if !errors.Is(err, ibid.ErrInvalid) {
				t.Fatalf("%q: %v", reply, err)
			}
			return
		}
		sum := got[0].Supported + got[0].Contradicted + got[0].Unsupported
		if min(got[0].Supported, got[0].Contradicted, got[0].Unsupported) < 0 || !(sum > 0.999999 && sum < 1.000001) {
			t.Fatalf("%q: %+v", reply, got[0])
		}
	})
}
