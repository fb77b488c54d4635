package llm_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/llm"
)

// passage makes a passage that stands at an offset of its document.
func passage(rank, offset int, title, text string) ibid.Passage {
	p := ibid.Passage{Rank: rank, Chunk: ibid.Chunk{Text: text}}
	p.Chunk.At = ibid.Anchor{Document: ibid.HashText(text), Span: ibid.Span{Start: offset, End: offset + len(text)}}
	p.Source.Reference.Set("title", title)
	return p
}

// Scripted, as all traffic here: two blocks of an answer, the second with citations in the API's forms.
func TestProviderCitationsBecomeAnchors(t *testing.T) {
	a := apis[1]
	first := passage(1, 100, "Städte", "Zürich liegt am See. Die Limmat fließt durch 👩‍🚀 Zürich. ")
	second := passage(2, 0, "Cables", "Où ? The cable failed. It was laid in 1858. The cable failed.")
	cite := func(index int, body string) string {
		return "event: content_block_delta\n" + fmt.Sprintf(`data: {"type":"content_block_delta","index":%d,"delta":{"type":"citations_delta","citation":%s}}`, index, body) + "\n\n"
	}
	event := func(s string) string {
		var e struct{ Type string }
		json.Unmarshal([]byte(s), &e)
		return "event: " + e.Type + "\ndata: " + s + "\n\n"
	}
	s := serve(t, []step{
		send(a.begin + a.word("Yes. ")),
		send(event(`{"type":"content_block_stop","index":0}`) + event(`{"type":"content_block_start","index":1,"content_block":{"type":"text","text":"","citations":[]}}`)),
		send(event(`{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Ganz "}}`)),
		// The second sentence with the space behind it.
		send(cite(1, `{"type":"char_location","cited_text":"Die Limmat fließt durch 👩‍🚀 Zürich. ","document_index":0,"document_title":"Städte","start_char_index":21,"end_char_index":57}`)),
		send(cite(1, `{"type":"char_location","cited_text":"The cable failed.","document_index":1,"document_title":"Cables","start_char_index":44,"end_char_index":61}`)),
		send(cite(1, `{"type":"char_location","cited_text":"It was laid in 1858.","document_index":1,"start_char_index":0,"end_char_index":5}`)),
		send(cite(1, `{"type":"page_location","cited_text":"It was laid in 1858.","document_index":1,"start_page_number":1,"end_page_number":2}`)),
		send(cite(1, `{"type":"content_block_location","cited_text":"no such words","document_index":1,"start_block_index":0,"end_block_index":1}`)),
		send(cite(1, `{"type":"char_location","cited_text":"","document_index":1,"start_char_index":18,"end_char_index":9999}`)),
		send(cite(1, `{"type":"char_location","cited_text":"The cable failed.","document_index":7,"start_char_index":0,"end_char_index":5}`)),
		send(cite(1, `{"type":"char_location","cited_text":"The cable failed.","document_index":-1,"start_char_index":-3,"end_char_index":5}`)),
		send(event(`{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"sicher."}}`) + a.end),
	})
	m, err := llm.NewAnthropic("small-1", llm.AnthropicConfig{Key: "k", BaseURL: s.URL, Citations: true})
	if err != nil {
		t.Fatal(err)
	}
	passages := []ibid.Passage{first, second}
	h := listen(t.Context(), m, ibid.Prompt{System: "Use markers [CTX n].", Question: "Ist das sicher?", Passages: passages})
	if h.err != nil || h.text != "Yes. Ganz sicher." {
		t.Fatalf("got %q, %v", h.text, h.err)
	}
	want := []string{"Die Limmat fließt durch 👩‍🚀 Zürich.", "The cable failed.", "It was laid in 1858.", "It was laid in 1858.", second.Chunk.Text, second.Chunk.Text}
	if len(h.cites) != len(want) {
		t.Fatalf("%d citations: %v", len(h.cites), h.cites)
	}
	for i, c := range h.cites {
		if got := c.Of.In(h.text); got != "Ganz sicher." {
			t.Errorf("citation %d is of %q", i, got)
		}
		for _, p := range passages {
			if p.Chunk.At.Document != c.To.Document {
				continue
			}
			if got := c.To.Span.Shift(-p.Chunk.At.Span.Start).In(p.Chunk.Text); got != want[i] {
				t.Errorf("citation %d points to %q, want %q", i, got, want[i])
			}
		}
	}
	// Character 44 is byte 45.
	if c := h.cites[1]; c.To.Span.Start != 45 {
		t.Errorf("of two equal sentences the first is cited: %v", c)
	}
}

func TestPassagesGoAsDocuments(t *testing.T) {
	a := apis[1]
	s := serve(t, []step{send(a.begin + a.word("Yes.") + a.end)})
	m, err := llm.NewAnthropic("small-1", llm.AnthropicConfig{Key: "k", BaseURL: s.URL, Citations: true})
	if err != nil {
		t.Fatal(err)
	}
	listen(t.Context(), m, ibid.Prompt{System: "Use markers [CTX n].", Question: "When?", Passages: []ibid.Passage{passage(1, 0, "One", "First text."), passage(2, 0, "Two", "Second text.")}})
	var body struct {
		Messages []struct {
			Content []struct {
				Type, Text, Title string
				Source            struct {
					Type, Data string
					MediaType  string `json:"media_type"`
				}
				Citations struct{ Enabled bool }
			}
		}
	}
	if err := json.Unmarshal([]byte(s.bodies[0]), &body); err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintf("%+v", body.Messages)
	want := "[{Content:[{Type:document Text: Title:One Source:{Type:text Data:First text. MediaType:text/plain} Citations:{Enabled:true}} " +
		"{Type:document Text: Title:Two Source:{Type:text Data:Second text. MediaType:text/plain} Citations:{Enabled:true}} " +
		"{Type:text Text:When? Title: Source:{Type: Data: MediaType:} Citations:{Enabled:false}}]}]"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if strings.Contains(s.bodies[0], "[CTX") {
		t.Error("the API cites; markers are not asked for")
	}
}
