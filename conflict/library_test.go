package conflict_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/conflict"
	"github.com/ibid-dev/ibid/ingest"
)

// passage makes a passage of a text, a source of its own.
func passage(name, text string) ibid.Passage {
	p := ibid.Passage{Source: ibid.Source{ID: ibid.SourceID(name), URI: "file:///" + name}}
	p.Chunk = ibid.Chunk{At: ibid.Anchor{Document: ibid.HashText(text), Span: ibid.Span{End: len(text)}}, Text: text}
	return p
}

// sampleLibrary gives each document of the sample library as one passage.
func sampleLibrary(t testing.TB) []ibid.Passage {
	t.Helper()
	files, err := filepath.Glob("../examples/library/*")
	if err != nil || len(files) == 0 {
		t.Fatal("no sample library", err)
	}
	var out []ibid.Passage
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		r, err := ingest.Read(context.Background(), data, ingest.Hint{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		p := passage(name, r.Text)
		p.Source.Reference = r.Reference
		out = append(out, p)
	}
	return out
}

func find(t testing.TB, passages ...ibid.Passage) []conflict.Finding {
	t.Helper()
	found, err := conflict.New(attribute.Reader{}, conflict.Config{}).Passages(context.Background(), passages)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestSampleLibraryDisagrees holds that what the two documents disagree on is found, and that the others, which tell the
// same story with many numbers and dates, raise no alarm.
func TestSampleLibraryDisagrees(t *testing.T) {
	library := sampleLibrary(t)
	found := find(t, library...)
	var got []string
	for _, f := range found {
		got = append(got, fmt.Sprintf("%s %s: %q, %s: %q", f.Kind, f.A.Source, f.A.Says, f.B.Source, f.B.Says))
		t.Logf("%.2f %-6s %s", f.Confidence, f.Severity, got[len(got)-1])
		if f.A.Source != "kerry-almanac.txt" && f.B.Source != "kerry-almanac.txt" {
			t.Errorf("a false alarm: %s\n%s\n%s", got[len(got)-1], f.A.Quote, f.B.Quote)
		}
	}
	for _, want := range []string{
		`number cable-1858.pdf: "732", kerry-almanac.txt: "400"`,
		`number cable-1858.pdf: "98", kerry-almanac.txt: "99"`,
		`number cable-1858.pdf: "16 hours", kerry-almanac.txt: "17 hours"`,
		`date cable-1858.pdf: "1 September 1858", kerry-almanac.txt: "20 October 1858"`,
	} {
		if !slices.Contains(got, want) {
			t.Errorf("not found: %s", want)
		}
	}
	anchored(t, library, found)
}

// anchored holds that every finding points at what it quotes.
func anchored(t testing.TB, passages []ibid.Passage, found []conflict.Finding) {
	t.Helper()
	text := map[ibid.DocumentID]string{}
	for _, p := range passages {
		text[p.Chunk.At.Document] = p.Chunk.Text
	}
	for _, f := range found {
		for _, s := range []conflict.Side{f.A, f.B} {
			if got := s.At.Span.In(text[s.At.Document]); got != s.Quote {
				t.Errorf("quotes %q where the document has %q", s.Quote, got)
			}
			if got := s.Words.In(text[s.At.Document]); !s.Words.Empty() && (got != s.Says || !s.At.Span.Contains(s.Words)) {
				t.Errorf("says %q where the document has %q", s.Says, got)
			}
		}
		if f.Confidence <= 0 || f.Confidence >= 1 || f.Reason == "" || f.Severity == "" {
			t.Errorf("%+v", f)
		}
	}
}

// TestParticulars puts all cases of our own into one library: what disagrees should be found among hundreds of sentences
// on other things, and what agrees should raise no alarm.
func TestParticulars(t *testing.T) {
	data, err := os.ReadFile("../attribute/testdata/particulars.txt")
	if err != nil {
		t.Fatal(err)
	}
	var disagree, agree []ibid.Passage
	cases := 0
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimSpace(line), "|")
		if len(f) != 4 || strings.HasPrefix(line, "#") {
			continue
		}
		cases++
		source := passage(fmt.Sprintf("%s %d", f[0], cases), f[1])
		agree = append(agree, source, passage(fmt.Sprintf("%d agrees", cases), f[2]))
		disagree = append(disagree, source, passage(fmt.Sprintf("%d disagrees", cases), f[3]))
	}
	number := func(f conflict.Finding) (a, b string) {
		one, two := strings.Fields(string(f.A.Source)), strings.Fields(string(f.B.Source))
		a, b = one[1], two[0]
		if one[1] == "disagrees" || one[1] == "agrees" {
			a, b = one[0], two[len(two)-1]
		}
		return a, b
	}
	hits := map[string]bool{}
	strays := 0
	for _, f := range find(t, disagree...) {
		if a, b := number(f); a == b {
			hits[a] = true
		} else {
			strays++
			t.Logf("stray: %s / %s (%s)", f.A.Quote, f.B.Quote, f.Reason)
		}
	}
	alarms := map[string]bool{}
	for _, f := range find(t, agree...) {
		a, _ := number(f)
		alarms[a] = true
		t.Logf("alarm: %s / %s (%s)", f.A.Quote, f.B.Quote, f.Reason)
	}
	t.Logf("%d cases: %.2f found, %.3f raise an alarm though they agree, %d between different cases", cases, float64(len(hits))/float64(cases), float64(len(alarms))/float64(cases), strays)
	if len(hits)*100 < 68*cases || len(alarms)*100 > 1*cases || strays > 0 {
		t.Error("fewer found, or more alarms, than it was")
	}
}

func TestPairs(t *testing.T) {
	for _, c := range []struct {
		rule, a, b string
		kind       conflict.Kind // "" where there is no conflict
	}{
		{"a number of the same thing", "The Mill Lane bakery sold 420 loaves at the fair.", "At the fair the Mill Lane bakery sold 240 loaves.", conflict.Number},
		{"a number of another thing", "The Mill Lane bakery sold 420 loaves at the fair.", "The Mill Lane bakery owns 3 ovens and sold its old van at the fair.", ""},
		{"a number in another year", "In 2019 the bakery on Mill Lane sold 420 loaves.", "In 2020 the bakery on Mill Lane sold 240 loaves.", ""},
		{"a number of someone else", "The Mill Lane bakery sold 420 loaves at the fair.", "The Harbour Street bakery sold 240 loaves at the fair.", ""},
		{"the other of two", "The first bridge has 14 arches of granite.", "The second bridge has 12 arches of granite.", ""},
		{"rounding is no conflict", "The workshop repaired 96 clocks last winter.", "Last winter the workshop repaired nearly 100 clocks.", ""},
		{"a date of the same event", "The lighthouse at Dunmore was lit on 4 May 1871.", "The lighthouse at Dunmore was lit on 9 June 1871.", conflict.Date},
		{"a year of the same event", "The orchestra of Velmark was founded in 1923 by two brothers.", "Two brothers founded the orchestra of Velmark in 1932.", conflict.Date},
		{"opposite direction", "Exports of timber from Velmark rose sharply last spring.", "Exports of timber from Velmark fell sharply last spring.", conflict.Direction},
		{"a negation", "The inspectors found lead in the water of Velmark.", "The inspectors did not find lead in the water of Velmark.", conflict.Negation},
		{"contrast words alone", "The inspectors found lead in the water of Velmark.", "However, the inspectors found lead in the water of Velmark, but said little.", ""},
		{"the same words", "The inspectors found lead in the water of Velmark.", "The inspectors found lead in the water of Velmark.", ""},
		{"a pronoun leans on the sentence before", "The tunnel under the Grauberg opened in spring. It has 14 emergency exits.", "The tunnel under the Grauberg has 40 emergency exits.", conflict.Number},
		{"questions state nothing", "Did the Mill Lane bakery sell 420 loaves at the fair?", "The Mill Lane bakery sold 240 loaves at the fair.", ""},
	} {
		found := find(t, passage("a", c.a), passage("b", c.b))
		switch {
		case c.kind == "" && len(found) > 0:
			t.Errorf("%s: %s %s", c.rule, found[0].Kind, found[0].Reason)
		case c.kind != "" && len(found) == 0:
			t.Errorf("%s: nothing found", c.rule)
		case c.kind != "" && found[0].Kind != c.kind:
			t.Errorf("%s: %s, want %s", c.rule, found[0].Kind, c.kind)
		}
		anchored(t, []ibid.Passage{passage("a", c.a), passage("b", c.b)}, found)
	}
}
