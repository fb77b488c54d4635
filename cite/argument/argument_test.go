package argument_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite"
	"github.com/ibid-dev/ibid/cite/argument"
	"github.com/ibid-dev/ibid/cite/internal/reading"
)

// What needs a citation, by the seed's three lists.
func TestWhatNeedsACitation(t *testing.T) {
	for s, want := range map[string]argument.Need{
		"TypeScript reduces runtime errors by 15%.":              argument.Always,
		"“Europe and America are united by telegraphy.”":         argument.Always,
		"The committee concluded that the cable was badly made.": argument.Always,
		"The specification requires two keys.":                   argument.Always,
		"A cable is a rope of wires.":                            argument.Consider,
		"Mirrors are better than recorders.":                     argument.Consider,
		"The directors had found out and dismissed the man.":     argument.Consider,
		"Water is wet.":                               argument.NotAtAll,
		"Therefore the makers share the blame.":       argument.NotAtAll,
		"If the storm had come later, it would hold.": argument.NotAtAll,
		"Who paid for it?":                            argument.NotAtAll,
	} {
		if got, why := argument.Needs(s); got != want {
			t.Errorf("%q: %s (%s), want %s", s, got, why, want)
		}
	}
}

// said makes a step or answer of sentences, each with the source that says it; "" is the model's own.
func said(number int, pairs ...string) (ibid.Step, []ibid.Segment) {
	s := ibid.Step{Number: number}
	for i := 0; i < len(pairs); i += 2 {
		if s.Text != "" {
			s.Text += " "
		}
		at := ibid.Span{Start: len(s.Text), End: len(s.Text) + len(pairs[i])}
		s.Text += pairs[i]
		seg := ibid.Segment{At: at, Origin: ibid.LLM, Kind: ibid.Sentence}
		if name := pairs[i+1]; name != "" {
			p := ibid.Passage{Rank: len(s.Passages) + 1, Source: ibid.Source{ID: ibid.SourceID(name), URI: "https://example.org/" + name},
				Chunk: ibid.Chunk{Text: pairs[i], At: ibid.Anchor{Document: ibid.HashText(pairs[i]), Span: ibid.Span{End: len(pairs[i])}}}}
			s.Passages = append(s.Passages, p)
			seg.Origin, seg.Support, seg.Refs = ibid.RAG, 0.9, []int{p.Rank}
			s.Attributions = append(s.Attributions, ibid.Attribution{Of: at, To: p.Chunk.At, Ref: p.Rank, Confidence: 0.9, Trust: ibid.Quoted})
		}
		s.Segments = append(s.Segments, seg)
	}
	return s, s.Segments
}

func built(t *testing.T, pro, con []string, synthesis ...string) argument.Argument {
	t.Helper()
	p, _ := said(1, pro...)
	c, _ := said(2, con...)
	f, _ := said(3, synthesis...)
	a := ibid.Answer{ID: "a", Question: "The cable failed", Steps: []ibid.Step{p, c}, Text: f.Text, Passages: f.Passages, Segments: f.Segments, Attributions: f.Attributions}
	if err := a.Check(); err != nil {
		t.Fatal(err)
	}
	return argument.Build(a, a.Question, func(argument.Stance, string) float64 { return 0.8 })
}

func findings(a argument.Argument, kind string) []argument.Finding {
	var out []argument.Finding
	for _, f := range a.Findings {
		if f.Kind == kind {
			out = append(out, f)
		}
	}
	return out
}

// Every statement maps to its citations, with stance, type and status in the metadata.
func TestEveryStatementMapsToCitations(t *testing.T) {
	a := built(t, []string{"It carried 732 messages.", "kilbride", "I like it.", ""}, []string{"The almanac says 400.", "almanac"}, "Overall the sources differ.", "")
	if len(a.Statements) != 4 || len(a.Sources) != 2 {
		t.Fatalf("%+v", a)
	}
	for _, st := range a.Statements {
		m := st.Map
		if v := m.Validate(); !v.Valid {
			t.Errorf("%s: %v", st.ID, v.Errors)
		}
		if m.ClaimID != st.ID || m.Metadata["stance"] != string(st.Stance) || m.Metadata["argument_type"] == "" || m.Metadata["verification_status"] != string(st.Status) || len(m.Citations) != len(st.Places) {
			t.Errorf("%+v", m)
		}
		b, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var again cite.CitationMap
		if err := json.Unmarshal(b, &again); err != nil || again.ClaimText != m.ClaimText || again.Strength != m.Strength {
			t.Errorf("there and back: %v", err)
		}
		for _, p := range st.Places {
			if p.Quote != st.Text {
				t.Errorf("%s quotes %q", st.ID, p.Quote)
			}
		}
	}
	// Strength comes from the evidence: support times bearing, and nothing without a place.
	if s := a.Statements[0]; s.Strength < 0.71 || s.Strength > 0.73 || s.Status != argument.Verified {
		t.Errorf("%+v", s)
	}
	if s := a.Statements[1]; s.Strength != 0 || s.Status != argument.Unverified {
		t.Errorf("%+v", s)
	}
}

// An item of a list is quoted without its bullet, and the anchor begins behind it: the quote is the document at the anchor.
func TestQuotesHaveNoBullet(t *testing.T) {
	for name, tt := range map[string]struct{ source, statement, quote string }{
		"a bullet":                       {"- The cable failed.", "The cable failed.", "The cable failed."},
		"another":                        {"•\t The cable failed.", "The cable failed.", "The cable failed."},
		"a statement that has it, too":   {"– The cable failed.", "– The cable failed.", "– The cable failed."},
		"no blank behind it":             {"-5 degrees were measured.", "5 degrees were measured.", "-5 degrees were measured."},
		"a number, which may be cited":   {"1. The cable failed.", "The cable failed.", "1. The cable failed."},
		"nothing but a bullet":           {"- ", "The cable failed.", "- "},
		"emphasis":                       {"*The* cable failed.", "The cable failed.", "*The* cable failed."},
		"a bullet that is not the first": {"The cable - it failed.", "The cable - it failed.", "The cable - it failed."},
	} {
		const before = "Minutes\n\n"
		doc := before + tt.source
		at := ibid.Anchor{Document: ibid.HashText(doc), Span: ibid.Span{Start: len(before), End: len(doc)}}
		step, _ := said(1, tt.statement, "a")
		step.Passages[0].Chunk = ibid.Chunk{Text: doc, At: ibid.Anchor{Document: at.Document, Span: ibid.Span{End: len(doc)}}}
		step.Attributions[0].To = at
		places := argument.Build(ibid.Answer{ID: "a", Question: "The cable failed", Steps: []ibid.Step{step}}, "The cable failed", func(argument.Stance, string) float64 { return 1 }).Statements[0].Places
		if len(places) != 1 || places[0].Quote != tt.quote || places[0].At.Span.In(doc) != tt.quote || places[0].At.Document != at.Document {
			t.Errorf("%s: %+v", name, places)
		}
	}
}

func TestGapsAndWeakLinksAreFindings(t *testing.T) {
	a := built(t, []string{"It cost £225,000.", "", "It was widely admired in both countries.", ""}, nil, "Therefore it is so.", "")
	gaps := findings(a, "gap")
	var high, low int
	for _, g := range gaps {
		switch {
		case g.Severity == "high" && g.A.Statement == "pro-1" && g.A.Words == "It cost £225,000.":
			high++
		case g.Severity == "low" && g.A.Statement == "pro-2":
			low++
		}
	}
	if high != 1 || low != 1 {
		t.Errorf("gaps %+v", gaps)
	}
	if c := findings(a, "conclusion"); len(c) != 1 || c[0].A.Words != "Therefore" || c[0].A.Statement != "syn-1" {
		t.Errorf("a conclusion with nothing under it: %+v", c)
	}
	one := built(t, []string{"It failed soon after the landing.", "a", "It failed in a storm.", "a"}, []string{"It worked for weeks on end.", "b", "It did work well.", "c"}, "Therefore both are said.", "")
	if w := findings(one, "weak link"); len(w) != 1 || !strings.Contains(w[0].Reason, "comes from one source") || !strings.Contains(w[0].Reason, "for the claim") {
		t.Errorf("weak links %+v", w)
	}
	if c := findings(one, "conclusion"); len(c) != 0 {
		t.Errorf("a conclusion that rests on what was said: %+v", c)
	}
}

// A source counts once for a side, however often it is quoted.
func TestWeighingCountsASourceOnce(t *testing.T) {
	a := built(t, []string{"One thing is so.", "a", "Another thing is so.", "a", "A third thing is so.", "a"}, []string{"It is not so.", "b", "It is never so.", "c"})
	if a.Weighed.For > 0.73 || a.Weighed.Against < 1.43 || a.Weighed.Share > 0.35 || !strings.Contains(a.Weighed.Words, "more against") {
		t.Errorf("%+v", a.Weighed)
	}
	if none := built(t, nil, nil); none.Weighed.Share != 0.5 || len(findings(none, "gap")) != 2 {
		t.Errorf("nothing on either side: %+v", none)
	}
}

func TestContradictionsHaveBothSpans(t *testing.T) {
	a := built(t, []string{"In all 732 messages passed.", "a"}, []string{"In all about 400 messages passed.", "b"})
	a.Contradict([]argument.Conflict{{A: "pro-1", B: "con-1", WordsA: "732", WordsB: "400", Reason: "732 or 400", Severity: "high"}, {A: "pro-1", B: "nobody"}})
	c := findings(a, "contradiction")
	if len(c) != 1 || c[0].B == nil || c[0].A.At.In(a.Statements[0].Text) != "732" || c[0].B.At.In(a.Statements[1].Text) != "400" {
		t.Fatalf("%+v", c)
	}
}

func TestTheMapIsADrawingWithEveryStatement(t *testing.T) {
	a := built(t, []string{"It <cost> & \x01 \"£225,000\".", "a", strings.Repeat("word", 100) + ".", "b"}, []string{"It cost 400 & more.", "c"})
	a.Contradict([]argument.Conflict{{A: "pro-1", B: "con-1", Reason: "<one> & other"}})
	body, err := argument.Write(a, "svg")
	if err != nil {
		t.Fatal(err)
	}
	d := xml.NewDecoder(bytes.NewReader(body))
	groups, dashed := 0, 0
	for {
		tok, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("no XML: %v", err)
		}
		if e, ok := tok.(xml.StartElement); ok {
			for _, attr := range e.Attr {
				switch {
				case e.Name.Local == "g" && attr.Name.Local == "id":
					groups++
				case attr.Name.Local == "class" && attr.Value == "x":
					dashed++
				}
			}
		}
	}
	if groups != 3 || dashed != 1 {
		t.Errorf("%d statements and %d contradictions are drawn", groups, dashed)
	}
	body, err = argument.Write(a, "json")
	var again argument.Argument
	if err != nil || json.Unmarshal(body, &again) != nil || !reflect.DeepEqual(again.Findings, a.Findings) || len(again.Statements) != 3 {
		t.Errorf("JSON there and back: %v", err)
	}
	if body, err = argument.Write(a, "markdown"); err != nil || !strings.Contains(string(body), "## Against") || !strings.Contains(string(body), "\\<cost\\>") {
		t.Errorf("%v %s", err, body)
	}
	if _, err = argument.Write(a, "png"); !errors.Is(err, ibid.ErrInvalid) {
		t.Errorf("%v", err)
	}
}

// hostileArgument has the words in each of its parts.
func hostileArgument(t *testing.T, words string) argument.Argument {
	a := built(t, []string{"It carried 732 messages.", "kilbride", "I like it, therefore.", ""}, []string{"The almanac says 400.", "almanac"}, "Overall the sources differ.", "")
	a.Claim = words
	a.Statements[0].Text, a.Statements[0].Places[0].Quote, a.Statements[0].Places[0].Locator = words, words, "§ "+words
	a.Statements[0].Places = append(a.Statements[0].Places, argument.Place{Source: a.Sources[1].ID, Number: 2, Quote: "so " + words})
	a.Sources[0].Title, a.Sources[0].Name, a.Sources[1].Name = words, "kilbride.pdf", ""
	a.Findings = []argument.Finding{
		{Kind: "gap", Severity: "medium", Reason: words, A: argument.Spot{Statement: "claim", Words: words}},
		{Kind: "weak link", Severity: "low", Reason: "weak", A: argument.Spot{Statement: "pro-2", Words: "I like it"}},
		{Kind: "conclusion", Severity: "low", Reason: "hasty " + words, A: argument.Spot{Statement: "pro-2", Words: "therefore"}},
	}
	a.Contradict([]argument.Conflict{{A: "pro-1", B: "con-1", WordsB: "400", Reason: words, Severity: "high"}})
	return a
}

// What is written is read again, in order, once, and nothing else, whatever signs of the formats stand in it.
func TestEveryWordIsReadAgain(t *testing.T) {
	for _, words := range reading.Hostile {
		a, line := hostileArgument(t, words), reading.OneLine(words)
		second := reading.OneLine(a.Sources[1].Title)
		said := "[1] " + line + ", § " + line + ": “" + line + "”"
		alsoSaid := "[2] " + second + ": “so " + line + "”"
		want := []string{
			line, "The library is divided. (for 0.72, against 0.72)",
			"For", line + " [1] [2]", "empirical · verified · strength 0.72", said, alsoSaid, "I like it, therefore. ◇", "factual · unverified · strength 0.00",
			"Against", "The almanac says 400. [2]", "empirical · verified · strength 0.72", "[2] " + second + ": “The almanac says 400.”",
			"Weighed", "Overall the sources differ. ◇", "factual · unverified · strength 0.00",
			"Findings", "gap, medium: " + line + " (claim: “" + line + "”)", "weak link, low: weak (pro-2: “I like it”)", "conclusion, low: hasty " + line + " (pro-2: “therefore”)",
			"contradiction, high: " + line + " (pro-1: “" + line + "”; con-1: “400”)", "Sources", line + ", kilbride.pdf", second,
		}
		body, err := argument.Write(a, "markdown")
		if err != nil {
			t.Fatal(err)
		}
		if got := reading.Read(t, "markdown", body).Lines; !slices.Equal(got, want) {
			t.Errorf("Markdown of %q:\n%q, want\n%q", words, got, want)
		}

		if body, err = argument.Write(a, "svg"); err != nil {
			t.Fatal(err)
		}
		shown, hints := readDrawing(t, body)
		wantShown := strings.Join([]string{line, "the library is divided · for 0.72, against 0.72", "For Against",
			line, "[1] [2] · empirical · verified · strength 0.72", "I like it, therefore.", "◇ · factual · unverified · strength 0.00", "! weak link, conclusion",
			"The almanac says 400.", "[2] · empirical · verified · strength 0.72", "✕", "[1] " + line + " · kilbride.pdf", "[2] " + second, "! " + line}, " ")
		wantHints := []string{"Argument map: " + line, said[len("[1] "):] + " " + alsoSaid[len("[2] "):], "weak hasty " + line, second + ": “The almanac says 400.”", line}
		if shown != wantShown || !slices.Equal(hints, wantHints) {
			t.Errorf("the map of %q shows\n%q and tells\n%q, want\n%q\n%q", words, shown, hints, wantShown, wantHints)
		}
	}
}

// readDrawing gives the words that a drawing shows, and those that it tells of its parts.
func readDrawing(t *testing.T, body []byte) (shown string, hints []string) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(body))
	var texts []string
	var open []string
	var now strings.Builder
	for {
		tok, err := d.Token()
		if err == io.EOF {
			return reading.OneLine(strings.Join(texts, " ")), hints
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := tok.(type) {
		case xml.StartElement:
			open = append(open, e.Name.Local)
			now.Reset()
		case xml.CharData:
			now.Write(e)
		case xml.EndElement:
			switch open[len(open)-1] {
			case "text":
				texts = append(texts, now.String())
			case "title":
				hints = append(hints, reading.OneLine(now.String()))
			}
			now.Reset()
			open = open[:len(open)-1]
		}
	}
}

// A map has room for all that it shows: nothing is drawn below its end, and no title is cut.
func TestTheMapHasRoom(t *testing.T) {
	a := hostileArgument(t, strings.Repeat("a long word after the other ", 30))
	body, err := argument.Write(a, "svg")
	if err != nil {
		t.Fatal(err)
	}
	var width, height int
	if _, err := fmt.Sscanf(string(body[strings.Index(string(body), "viewBox="):]), `viewBox="0 0 %d %d"`, &width, &height); err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`<text[^>]* y="(\d+)"`).FindAllSubmatch(body, -1) {
		if y, _ := strconv.Atoi(string(m[1])); y > height {
			t.Errorf("text at %d of %d", y, height)
		}
	}
	if shown, _ := readDrawing(t, body); strings.Contains(shown, "…") || strings.Count(shown, "a long word after the other") != 4*30 {
		t.Errorf("%d of %d: %s", strings.Count(shown, "a long word after the other"), 4*30, shown)
	}
}

// An argument of nothing is written all the same.
func TestNothingArgued(t *testing.T) {
	for _, format := range argument.Formats() {
		if _, err := argument.Write(argument.Argument{}, format); err != nil {
			t.Errorf("%s: %v", format, err)
		}
	}
}
