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
		text[p.Chunk.At.Document] = strings.Repeat(" ", p.Chunk.At.Span.Start) + p.Chunk.Text
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

// TestPairs tries each rule. What two texts disagree on depends neither on which is given first, nor on where in a document they
// stand, nor on what else is said around them.
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
		{"a number with its unit", "The mast of the Niagara was 45ft high above the deck.", "The mast of the Niagara was 60ft high above the deck.", conflict.Number},
		{"another unit", "The mast of the Niagara was 45 metres high.", "The mast of the Niagara was 45 feet high.", conflict.Unit},
		{"a number in words", "The Mill Lane bakery sold 12 loaves at the fair.", "The Mill Lane bakery sold twenty loaves at the fair.", conflict.Number},
		{"the same number in words", "The Mill Lane bakery sold 12 loaves at the fair.", "The Mill Lane bakery sold twelve loaves at the fair.", ""},
		{"more than allows more", "The Mill Lane bakery sold 420 loaves at the fair.", "The Mill Lane bakery sold more than 400 loaves at the fair.", ""},
		{"more than does not allow less", "The Mill Lane bakery sold 420 loaves at the fair.", "The Mill Lane bakery sold more than 500 loaves at the fair.", conflict.Number},
		{"more than is no room for four times as many", "The Mill Lane bakery sold 420 loaves at the fair.", "The Mill Lane bakery sold more than 100 loaves at the fair.", conflict.Number},
		{"fewer than allows fewer", "The Mill Lane bakery sold 420 loaves at the fair.", "The Mill Lane bakery sold fewer than 500 loaves at the fair.", ""},
		{"fewer than does not allow more", "The Mill Lane bakery sold 420 loaves at the fair.", "The Mill Lane bakery sold fewer than 400 loaves at the fair.", conflict.Number},
		{"fewer than is no room for a tenth", "The Mill Lane bakery sold 420 loaves at the fair.", "The Mill Lane bakery sold fewer than 5000 loaves at the fair.", conflict.Number},
		{"about is a tenth at most", "The Mill Lane bakery sold 420 loaves at the fair.", "The Mill Lane bakery sold about 600 loaves at the fair.", conflict.Number},
		{"about, of millions", "The Mill Lane bakery sold about 1.2 million loaves at the fair.", "The Mill Lane bakery sold 1,250,000 loaves at the fair.", ""},
		{"a range", "The Mill Lane bakery sold 420 loaves at the fair.", "The Mill Lane bakery sold 240–500 loaves at the fair.", ""},
		{"a range with a hyphen", "The Mill Lane bakery sold 420 loaves at the fair.", "The Mill Lane bakery sold 240-500 loaves at the fair.", ""},
		{"a range in words", "The Mill Lane bakery sold 420 loaves at the fair.", "The Mill Lane bakery sold 240 to 500 loaves at the fair.", ""},
		{"a number before to is no range", "The Mill Lane bakery sold 420 loaves at the fair.", "The Mill Lane bakery sold 240 to its neighbours at the fair.", conflict.Number},
		{"a number on another day", "The Mill Lane bakery sold 420 loaves at the fair on 4 May.", "The Mill Lane bakery sold 240 loaves at the fair on 5 May.", ""},
		{"a number on another day, month first", "The Mill Lane bakery sold 420 loaves at the fair on May 4.", "The Mill Lane bakery sold 240 loaves at the fair on May 5.", ""},
		{"a number on the same day", "The Mill Lane bakery sold 420 loaves at the fair on May 4.", "The Mill Lane bakery sold 240 loaves at the fair on 4 May.", conflict.Number},
		{"one of several on one side alone", "The old Mill Lane bakery sold 420 loaves at the fair.", "The Mill Lane bakery sold 240 loaves at the fair.", ""},
		{"the same one of several on both", "The old Mill Lane bakery sold 420 loaves at the fair.", "The old Mill Lane bakery sold 240 loaves at the fair.", conflict.Number},
		{"ordinals in digits", "The 2nd bakery on Mill Lane has 14 ovens of iron.", "The 3rd bakery on Mill Lane has 12 ovens of iron.", ""},
		{"things that exclude each other", "The gate of the harbour of Velmark is open at night.", "The gate of the harbour of Velmark is closed at night.", conflict.Value},
		{"amounts in words", "All houses of Velmark have a well in the yard.", "Few houses of Velmark have a well in the yard.", conflict.Amount},
		{"a year of a date", "The lighthouse at Dunmore was lit on 4 May 1871.", "The lighthouse at Dunmore was lit on 4 May 1872.", conflict.Date},
		{"another day of another year is another event", "The lighthouse at Dunmore was lit on 4 May 1871.", "The lighthouse at Dunmore was lit on 9 June 1872.", ""},
		{"the same date in another form", "The lighthouse at Dunmore was lit on 4 May 1871.", "The lighthouse at Dunmore was lit on May 4, 1871.", ""},
		{"each amount at its time", "The lighthouse at Dunmore was lit on 4 May 1871 by 3 men.", "The lighthouse at Dunmore was lit on 9 May 1871 by 5 men.", ""},
		{"the same amount at another time", "The lighthouse at Dunmore was lit on 4 May 1871 by 3 men.", "The lighthouse at Dunmore was lit on 9 May 1871 by 3 men.", conflict.Date},
		{"a day of the week", "The market of Velmark is held on Monday in the square.", "The market of Velmark is held on Friday in the square.", conflict.Date},
		{"sentences that end in other signs", "The Mill Lane bakery sold 420 loaves at the fair!", "“The Mill Lane bakery sold 240 loaves at the fair…”", conflict.Number},
		{"items of a list need no end", "- The Mill Lane bakery sold 420 loaves at the fair", "- The Mill Lane bakery sold 240 loaves at the fair", conflict.Number},
		{"a line without an end is a title", "The Mill Lane bakery sold 420 loaves at the fair", "The Mill Lane bakery sold 240 loaves at the fair.", ""},
		{"headings state nothing", "# The Mill Lane bakery sold 420 loaves at the fair.", "The Mill Lane bakery sold 240 loaves at the fair.", ""},
		{"addresses state nothing", "See https://example.org: the Mill Lane bakery sold 420 loaves at the fair.", "The Mill Lane bakery sold 240 loaves at the fair.", ""},
		{"what they heard", "The bakery on Mill Lane sold 420 loaves at the fair.", "At the fair the bakery on Mill Lane sold 240 loaves as they've heard.", conflict.Number},
		{"what people say of themselves", "The bakery on Mill Lane sold 420 loaves at the fair.", "At the fair the bakery on Mill Lane sold 240 loaves as we've heard.", ""},
		{"and with another apostrophe", "The bakery on Mill Lane sold 420 loaves at the fair.", "At the fair the bakery on Mill Lane sold 240 loaves as you’ve heard.", ""},
		{"what nothing tells of what it speaks", "It has 14 emergency exits under the Grauberg in the north.", "The tunnel has 40 emergency exits under the Grauberg in the north.", ""},
	} {
		a, b := passage("a", c.a), passage("b", c.b)
		for world, passages := range map[string][]ibid.Passage{
			"alone":         {a, b},
			"turned round":  {b, a},
			"further on":    {later(a, 4000), later(b, 17)},
			"among others":  {passage("a", "Bread is old. "+"\n\n"+c.a+"\n\nRain fell there."), passage("b", "Coal smokes.\n\n"+c.b+"\n\nSnow lies.")},
			"and once more": {a, b, b},
		} {
			found := find(t, passages...)
			switch {
			case c.kind == "" && len(found) > 0:
				t.Errorf("%s, %s: %s %s", c.rule, world, found[0].Kind, found[0].Reason)
			case c.kind != "" && len(found) != 1:
				t.Errorf("%s, %s: %d found", c.rule, world, len(found))
			case c.kind != "" && found[0].Kind != c.kind:
				t.Errorf("%s, %s: %s, want %s", c.rule, world, found[0].Kind, c.kind)
			}
			anchored(t, passages, found)
		}
	}
}

// later is a passage that begins so far on in its document.
func later(p ibid.Passage, by int) ibid.Passage {
	p.Chunk.At.Span = p.Chunk.At.Span.Shift(by)
	return p
}
