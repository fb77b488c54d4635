package ibid_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
)

// cable makes an answer with all that an answer can hold, over texts in which bytes, runes and UTF-16 units differ.
func cable() ibid.Answer {
	doc := "Prélude 🎼. " + "The landing at Knightstown was completed on 5 August 1858. It spoke for three weeks."
	start := strings.Index(doc, "The landing")
	quote := "The landing at Knightstown was completed on 5 August 1858."
	id := ibid.HashText(doc)
	src := ibid.Source{ID: ibid.IdentifySource("", "file:///cable.md"), URI: "file:///cable.md",
		Reference: ibid.Reference{Type: "book", Text: map[string]string{"title": "The Cable"}}}
	at := ibid.Anchor{Document: id, Span: ibid.Span{Start: start, End: start + len(quote)}}
	text := "💡 The cable was completed on 5 August 1858. Whitehouse is blamed."
	first := ibid.Span{Start: 0, End: strings.Index(text, " Whitehouse")}
	second := ibid.Span{Start: first.End + 1, End: len(text)}
	return ibid.Answer{
		ID: "4f2a", Question: "When?", Text: text, Model: "extractive", CreatedAt: time.Date(2026, 5, 3, 1, 2, 3, 0, time.UTC),
		Passages: []ibid.Passage{{Rank: 1, Score: 0.5, Source: src, Chunk: ibid.Chunk{
			At: ibid.Anchor{Document: id, Span: ibid.Span{Start: start, End: len(doc)}}, Text: doc[start:],
			Before: ibid.Units{Runes: 11, UTF16: 12}}}},
		Segments: []ibid.Segment{
			{At: first, Origin: ibid.RAG, Kind: ibid.Sentence, Refs: []int{1}, Support: 0.9, Confidence: 0.9},
			{At: second, Origin: ibid.LLM, Kind: ibid.Sentence, Support: 0.1, Confidence: 0.8, Unsupported: []ibid.Span{second}},
		},
		Attributions: []ibid.Attribution{{Of: first, To: at, Ref: 1, Score: 0.8, Confidence: 0.9, Method: "words", Trust: ibid.Judged,
			Words: []ibid.Span{{Start: start, End: start + 3}}}},
		Citations: []ibid.Citation{{Number: 1, Key: "s1", Source: src.ID, At: at, Quote: quote, Confidence: 0.9}},
	}
}

func TestAnswerJSONThereAndBack(t *testing.T) {
	want := cable()
	b, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got ibid.Answer
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read back:\n%+v\nwant:\n%+v", got, want)
	}
}

// Offsets in the wrong unit put the highlight on the wrong words. Each of the three must cut out the same ones.
func TestAnswerJSONGivesEveryUnit(t *testing.T) {
	b, _ := json.Marshal(cable())
	var got struct {
		Segments []struct {
			At struct {
				Start, End   int
				Runes, UTF16 [2]int
			}
		}
		Citations []struct {
			At struct {
				Span struct {
					Start, End   int
					Runes, UTF16 [2]int
				}
			}
		}
		Shares struct{ RAGContribution, LLMContribution float64 }
	}
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	text := cable().Text
	s := got.Segments[1].At
	if w := string([]rune(text)[s.Runes[0]:s.Runes[1]]); w != "Whitehouse is blamed." {
		t.Errorf("runes cut out %q", w)
	}
	if s.Start != 47 || s.Runes != [2]int{44, 65} || s.UTF16 != [2]int{45, 66} {
		t.Errorf("segment 2 at %+v", s)
	}
	c := got.Citations[0].At.Span
	if c.Runes[0] != 11 || c.UTF16[0] != 12 || c.Start != 15 {
		t.Errorf("citation at %+v: want byte 15, rune 11, UTF-16 unit 12", c)
	}
	if sum := got.Shares.RAGContribution + got.Shares.LLMContribution; sum < 0.999 || sum > 1.001 {
		t.Errorf("shares sum to %v", sum)
	}
}

func TestCheckFindsEveryBrokenLink(t *testing.T) {
	if err := cable().Check(); err != nil {
		t.Fatalf("a sound answer: %v", err)
	}
	for name, spoil := range map[string]func(*ibid.Answer){
		"segment outside of the text":     func(a *ibid.Answer) { a.Segments[1].At.End++ },
		"segments out of order":           func(a *ibid.Answer) { a.Segments[0], a.Segments[1] = a.Segments[1], a.Segments[0] },
		"ref without a passage":           func(a *ibid.Answer) { a.Segments[0].Refs = []int{9} },
		"unsupported words elsewhere":     func(a *ibid.Answer) { a.Segments[0].Unsupported = []ibid.Span{{Start: 50, End: 52}} },
		"attribution to another document": func(a *ibid.Answer) { a.Attributions[0].To.Document = "x" },
		"attribution outside the chunk":   func(a *ibid.Answer) { a.Attributions[0].To.Span.Start = 0 },
		"altered quote":                   func(a *ibid.Answer) { a.Citations[0].Quote += " " },
		"citation of nothing":             func(a *ibid.Answer) { a.Citations[0].At.Span.End = a.Citations[0].At.Span.Start },
		"contradicted by nothing": func(a *ibid.Answer) {
			a.Segments[0].Contradicted = []ibid.Contradiction{{Of: a.Segments[0].At}}
		},
	} {
		a := cable()
		spoil(&a)
		if err := a.Check(); !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// A step rests on its own passages: what the answer or another step had is not what it was given.
func TestCheckFindsEveryBrokenLinkOfAStep(t *testing.T) {
	thought := func() ibid.Answer {
		a := cable()
		given := ibid.Step{Number: 1, Text: a.Text, Passages: a.Passages, Segments: cable().Segments, Attributions: cable().Attributions}
		a.Steps = []ibid.Step{given, {Number: 2, Text: "Nothing was found.", Saw: []int{1}}}
		a.Segments[0].Steps = []int{1, 2}
		return a
	}
	if err := thought().Check(); err != nil {
		t.Fatalf("a sound chain: %v", err)
	}
	for name, spoil := range map[string]func(*ibid.Answer){
		"a link to a passage of another step": func(a *ibid.Answer) {
			a.Steps[1].Attributions = []ibid.Attribution{{Of: ibid.Span{End: 7}, To: a.Attributions[0].To, Ref: 1}}
		},
		"a rank that the step did not have":     func(a *ibid.Answer) { a.Steps[0].Segments[0].Refs = []int{7} },
		"a segment outside of the step":         func(a *ibid.Answer) { a.Steps[1].Segments = a.Segments },
		"steps out of order":                    func(a *ibid.Answer) { a.Steps[0].Number = 2 },
		"a step that saw a later one":           func(a *ibid.Answer) { a.Steps[0].Saw = []int{2} },
		"a segment of a step that is not":       func(a *ibid.Answer) { a.Segments[0].Steps = []int{3} },
		"a step's segment that takes up itself": func(a *ibid.Answer) { a.Steps[0].Segments[0].Steps = []int{1} },
	} {
		a := thought()
		spoil(&a)
		if err := a.Check(); !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// Segments that were cut elsewhere may overlap: a character is counted once, and for the sources if one segment finds it there.
func TestSharesCountACharacterOnce(t *testing.T) {
	at := func(start, end int) ibid.Span { return ibid.Span{Start: start, End: end} }
	for _, c := range []struct {
		name     string
		segments []ibid.Segment
		sources  float64
	}{
		{"a part of it is found", []ibid.Segment{{At: at(0, 11), Origin: ibid.LLM}, {At: at(0, 5), Origin: ibid.RAG}}, 0.5},
		{"the part comes first", []ibid.Segment{{At: at(0, 5), Origin: ibid.RAG}, {At: at(0, 11), Origin: ibid.LLM}}, 0.5},
		{"two cross", []ibid.Segment{{At: at(4, 11), Origin: ibid.LLM}, {At: at(0, 7), Origin: ibid.RAG}}, 0.6},
		{"words without support of one are found by the other", []ibid.Segment{{At: at(0, 11), Origin: ibid.HYBRID, Unsupported: []ibid.Span{at(6, 11)}}, {At: at(6, 8), Origin: ibid.RAG}}, 0.7},
		{"no claim in the one, a claim in the other", []ibid.Segment{{At: at(0, 11), Origin: ibid.NONE}, {At: at(0, 5), Origin: ibid.LLM}}, 0},
	} {
		got := ibid.Answer{Text: "aaaaa bbbbb", Segments: c.segments}.Shares()
		if got.Sources != c.sources || got.Sources+got.Model != 1 {
			t.Errorf("%s: got %+v, want %g from sources", c.name, got, c.sources)
		}
	}
}

func TestSharesLeaveOutWhatClaimsNothing(t *testing.T) {
	a := ibid.Answer{Text: "aaaa bbbb cc dd", Segments: []ibid.Segment{
		{At: ibid.Span{Start: 0, End: 4}, Origin: ibid.RAG},
		{At: ibid.Span{Start: 5, End: 9}, Origin: ibid.NONE},
		{At: ibid.Span{Start: 10, End: 15}, Origin: ibid.HYBRID, Unsupported: []ibid.Span{{Start: 13, End: 15}}},
	}}
	if got := a.Shares(); got.Sources != 0.75 || got.Model != 0.25 {
		t.Errorf("got %+v, want 0.75 and 0.25", got)
	}
	a.Segments = append(a.Segments, a.Segments...)
	if got := a.Shares(); got.Sources != 0.75 || got.Model != 0.25 {
		t.Errorf("the same segments twice: got %+v, want 0.75 and 0.25", got)
	}
	if got := (ibid.Answer{Text: "Hello!"}).Shares(); got != (ibid.Shares{}) {
		t.Errorf("nothing claimed: got %+v", got)
	}
}

func TestOutline(t *testing.T) {
	o := ibid.Outline{{At: 0, Page: 1}, {At: 5, Heading: "Letters", Level: 1}, {At: 20, Heading: "September", Level: 2},
		{At: 30, Page: 2}, {At: 40, Heading: "Notes", Level: 1}}
	for _, c := range []struct {
		at       int
		page     int
		headings string
	}{{0, 1, ""}, {5, 1, "Letters"}, {25, 1, "Letters/September"}, {30, 2, "Letters/September"}, {99, 2, "Notes"}} {
		if got := o.Page(c.at); got != c.page {
			t.Errorf("page at %d: got %d, want %d", c.at, got, c.page)
		}
		if got := strings.Join(o.Headings(c.at), "/"); got != c.headings {
			t.Errorf("headings at %d: got %q, want %q", c.at, got, c.headings)
		}
	}
}

// A quote may stand behind a page break inside its chunk: its page is not the chunk's.
func TestChunkLocatorFollowsBreaks(t *testing.T) {
	c := ibid.Chunk{Page: 3, Heading: []string{"A"}, Breaks: ibid.Outline{{At: 100, Page: 4}}}
	if got := c.Locator(99) + ", " + c.Locator(100); got != "p. 3, p. 4" {
		t.Errorf("got %s", got)
	}
	c = ibid.Chunk{Heading: []string{"A", "B"}}
	if got := c.Locator(7); got != "§ B" {
		t.Errorf("got %s", got)
	}
}

func TestReferenceReadsLenientCSLJSON(t *testing.T) {
	in := `{"id": 7, "type":"article-journal","title":"Wires","volume":12,"author":[{"family":"Field","given":"C. W."},{"literal":"Telegraph Office"}],
		"issued":{"date-parts":[["1858","8",5]]},"accessed":{"raw":"2024-01-02"},"custom":{"a":[1]},"note":null}`
	var r ibid.Reference
	if err := json.Unmarshal([]byte(in), &r); err != nil {
		t.Fatal(err)
	}
	if r.ID != "7" || r.Text["volume"] != "12" || r.Year() != 1858 || r.Names["author"][0].String() != "C. W. Field" || r.Dates["accessed"].Raw != "2024-01-02" {
		t.Errorf("read %+v", r)
	}
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var again ibid.Reference
	if err := json.Unmarshal(b, &again); err != nil || !reflect.DeepEqual(r, again) {
		t.Errorf("there and back: %+v, %v", again, err)
	}
	for _, bad := range []string{`[]`, `{"author":3.5e}`, `{"author":{"family":"x"}}`, `{"issued":{"date-parts":[["x"]]}}`} {
		if err := json.Unmarshal([]byte(bad), &r); err == nil {
			t.Errorf("%s: read without an error", bad)
		}
	}
}

func TestReferenceDOIHasNoResolver(t *testing.T) {
	for given, want := range map[string]string{
		"10.1000/xyz_123":                         "10.1000/xyz_123",
		"https://doi.org/10.1000/ABC":             "10.1000/ABC",
		"http://dx.doi.org/10.1000/abc":           "10.1000/abc",
		"doi.org/10.1000/abc":                     "10.1000/abc",
		"doi: 10.1000/abc":                        "10.1000/abc",
		"DOI 10.1000/abc":                         "10.1000/abc",
		"doi:https://doi.org/10.1000/abc":         "10.1000/abc",
		"https://doi.org/10.1002/(SICI)1%3C1::2>": "10.1002/(SICI)1<1::2>",
		"10.1000/50%25":                           "10.1000/50%25",
		"":                                        "",
		"doitall":                                 "doitall",
	} {
		if got := (ibid.Reference{Text: map[string]string{"DOI": given}}).DOI(); got != want {
			t.Errorf("%q gives %q, want %q", given, got, want)
		}
	}
}

func TestSourceName(t *testing.T) {
	for uri, want := range map[string]string{
		"file:///home/u/a%20b.md": "a b.md", "https://example.org/x/page.html?q=1#f": "page.html", "https://example.org/x/": "x", "plain": "plain",
	} {
		if got := (ibid.Source{URI: uri}).Name(); got != want {
			t.Errorf("%s: got %q, want %q", uri, got, want)
		}
	}
}
