package attribute

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"pgregory.net/rapid"
)

var sentencesForTests = []string{
	"The harvest of apples fell by 32 % in 2021, the ministry said.", "The drought began in April.",
	"It had not been approved by the council of Leeds.", "Clara Venn founded the World Health Society (WHS) in 1923.",
	"The WHS employs 4,200 people.", "Most of the farms grow flax, but some keep bees.", "He moved to Turin after the war.",
	"\u200bInvisible\u200b words stand here.", "Слово не воробей.", "قال الوزير إن الحصاد انخفض.", "東京は日本の首都です。",
	"Café owners paid €38,000.", "", "…", "[1] [2, 3]",
}

func drawText(t *rapid.T, label string, most int) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(sentencesForTests), 0, most).Draw(t, label), " ")
}

// answerOf attributes texts and builds the answer that workflow would record.
func answerOf(t interface{ Fatal(...any) }, passages []ibid.Passage, texts []string) ibid.Answer {
	a := ibid.Answer{Passages: passages}
	var ds []ibid.Draft
	for _, s := range texts {
		ds = append(ds, ibid.Draft{At: ibid.Span{Start: len(a.Text), End: len(a.Text) + len(s)}, Kind: ibid.Sentence, Text: s})
		a.Text += s + " "
	}
	for f, err := range engine().Attribute(context.Background(), passages, each(ds...)) {
		if err != nil {
			t.Fatal(err)
		}
		a.Segments = append(a.Segments, f.Segment)
		a.Attributions = append(a.Attributions, f.Attributions...)
	}
	return a
}

func TestEveryLinkResolves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var ps []ibid.Passage
		for i := range rapid.IntRange(0, 4).Draw(t, "passages") {
			ps = append(ps, passage(i+1, drawText(t, "source", 5)))
		}
		a := answerOf(t, ps, rapid.SliceOfN(rapid.SampledFrom(sentencesForTests), 0, 6).Draw(t, "segments"))
		if err := a.Check(); err != nil {
			t.Fatal(err)
		}
		for _, s := range a.Segments {
			if !(s.Support >= 0 && s.Support <= 1) || !(s.Confidence >= 0 && s.Confidence <= 1) {
				t.Fatalf("support %v, confidence %v", s.Support, s.Confidence)
			}
			end := s.At.Start
			for _, u := range s.Unsupported {
				if u.Start < end {
					t.Fatalf("unsupported spans overlap or are out of order: %v", s.Unsupported)
				}
				end = u.End
			}
		}
		for _, at := range a.Attributions {
			if !slices.IsSortedFunc(at.Words, func(x, y ibid.Span) int { return x.Start - y.Start }) {
				t.Fatalf("words out of order: %v", at.Words)
			}
			for _, w := range at.Words {
				if !at.To.Span.Contains(w) {
					t.Fatalf("word %v outside of %v", w, at.To.Span)
				}
			}
		}
	})
}

// Renaming or reordering the sources changes names and the order of equals, and nothing else.
func TestOrderOfSourcesDoesNotMatter(t *testing.T) {
	check := func(t rapid.TB, texts, order, segments []string) {
		see := func(texts []string) string {
			var ps []ibid.Passage
			for i, s := range texts {
				ps = append(ps, passage(i+1, s))
			}
			a := answerOf(t, ps, segments)
			var out []string
			for _, s := range a.Segments {
				refs := make([]string, 0, len(s.Refs))
				for _, r := range s.Refs {
					refs = append(refs, texts[r-1])
				}
				slices.Sort(refs)
				out = append(out, fmt.Sprintf("%v %s %.12f %q %v %d", s.At, s.Origin, s.Support, refs, s.Unsupported, len(s.Contradicted)))
			}
			return strings.Join(out, "\n")
		}
		if a, b := see(texts), see(order); a != b {
			t.Fatalf("sources %q give\n%s\nsources %q give\n%s", texts, a, order, b)
		}
	}
	// What is a small word in one language is a word in another.
	english, mixed := "The harvest of apples fell by 32 % in 2021, the ministry said.", "The WHS employs 4,200 people. 東京は日本の首都です。"
	check(t, []string{english, mixed}, []string{mixed, english}, []string{"Clara Venn founded the World Health Society (WHS) in 1923."})
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) string { return drawText(t, "source", 4) }), 1, 4, rapid.ID).Draw(t, "sources")
		segments := rapid.SliceOfN(rapid.SampledFrom(sentencesForTests), 1, 4).Draw(t, "segments")
		check(t, texts, rapid.Permutation(texts).Draw(t, "order"), segments)
	})
}

func TestSameInputSameFinding(t *testing.T) {
	ps := []ibid.Passage{passage(1, strings.Join(sentencesForTests, " ")), passage(2, sentencesForTests[0])}
	want, _ := json.Marshal(answerOf(t, ps, sentencesForTests))
	for range 5 {
		if got, _ := json.Marshal(answerOf(t, ps, sentencesForTests)); string(got) != string(want) {
			t.Fatal("two runs differ")
		}
	}
}

// Characters that cannot be seen or that look like others never make a segment more supported, and are reported.
func TestLookalikesNeverHelp(t *testing.T) {
	swap := map[rune]rune{'a': 'а', 'e': 'е', 'o': 'о', 'c': 'с', 'p': 'р', 'x': 'х'}
	source := "The committee did not approve the new runway. The harvest fell by 32 % in 2021. Clara Venn founded the society."
	segments := []string{
		"The committee did not approve the new runway.", "The committee approved the new runway.", "The harvest fell by 23 % in 2021.",
		"Martin Hobbs founded the society.", "Bananas grow on the moon.", "The harvest did not fall.",
	}
	rapid.Check(t, func(t *rapid.T) {
		plain := rapid.SampledFrom(segments).Draw(t, "segment")
		where := rapid.SliceOfN(rapid.Bool(), utf8.RuneCountInString(plain), utf8.RuneCountInString(plain)).Draw(t, "where")
		zero := rapid.Bool().Draw(t, "invisible")
		var b strings.Builder
		changed := false
		for i, r := range []rune(plain) {
			switch {
			case where[i] && zero:
				b.WriteString(string(r) + "\u200b")
				changed = true
			case where[i] && swap[r] != 0:
				b.WriteRune(swap[r])
				changed = true
			default:
				b.WriteRune(r)
			}
		}
		was := answerOf(t, []ibid.Passage{passage(1, source)}, []string{plain}).Segments[0]
		is := answerOf(t, []ibid.Passage{passage(1, source)}, []string{b.String()}).Segments[0]
		if was.Support < 0.5 && is.Support >= 0.5 {
			t.Fatalf("%q has support %.2f, disguised as %q it has %.2f", plain, was.Support, b.String(), is.Support)
		}
		if changed && !slices.ContainsFunc(is.Reasons, func(s string) bool { return strings.Contains(s, "look-alike") }) {
			t.Fatalf("%q is not reported: %v", b.String(), is.Reasons)
		}
	})
}

func TestBadInputHasADefinedResult(t *testing.T) {
	long := strings.Repeat("word ", 200_000)
	for name, c := range map[string]struct{ segment, source string }{
		"no source text":          {"The harvest fell.", ""},
		"empty segment":           {"", "The harvest fell."},
		"only punctuation":        {"… !!! ---", "The harvest fell."},
		"broken rune":             {"The harv\xe2\x82 fell \xff", "The harv\xe2\x82 fell \xff"},
		"a segment without end":   {long, "The harvest fell. " + long[:1000]},
		"a sentence without end":  {"The harvest fell.", long},
		"another language":        {"La récolte a chuté.", "The harvest fell by a third."},
		"right to left":           {"انخفض الحصاد", "قال الوزير: انخفض الحصاد."},
		"a number without end":    {strings.Repeat("9", 400), strings.Repeat("9", 400)},
		"nothing but invisible":   {"\u200b\u200b\u2060", "\u200b"},
		"brackets that never end": {"[[[[[1, 2", "【【"},
	} {
		a := answerOf(t, []ibid.Passage{passage(1, c.source)}, []string{c.segment})
		if err := a.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(a.Segments) != 1 {
			t.Errorf("%s: %d segments", name, len(a.Segments))
		}
	}
	if s := answerOf(t, nil, []string{"The harvest fell."}).Segments[0]; s.Origin != ibid.LLM || s.Support > 0.1 {
		t.Errorf("without sources: %v", s)
	}
}

func FuzzEngine(f *testing.F) {
	for _, s := range sentencesForTests {
		f.Add(s, strings.Join(sentencesForTests, " "))
	}
	f.Fuzz(func(t *testing.T, segment, source string) {
		if err := answerOf(t, []ibid.Passage{passage(1, source)}, []string{segment}).Check(); err != nil {
			t.Fatal(err)
		}
	})
}

func TestClaimedOriginIsChecked(t *testing.T) {
	ps := []ibid.Passage{passage(1, "The harvest of apples fell by 32 % in 2021."), passage(2, "Bees sleep in winter.")}
	for _, c := range []struct {
		text    string
		claimed ibid.Claimed
		want    string
	}{
		{"Bananas grow on the moon.", ibid.Claimed{Origin: ibid.RAG, Refs: []int{1}}, "claimed RAG, found unsupported"},
		{"The harvest of apples fell by 32 % in 2021.", ibid.Claimed{Origin: ibid.LLM}, "claimed LLM, found in the sources"},
		{"The harvest of apples fell by 32 % in 2021.", ibid.Claimed{Origin: ibid.RAG, Refs: []int{2}}, "cites source 2, which was not found to support it"},
		{"The harvest of apples fell by 32 % in 2021.", ibid.Claimed{Origin: ibid.RAG, Dangling: []int{7}}, "cites source 7, which does not exist"},
	} {
		d := draft(c.text)
		d.Claimed = &c.claimed
		for f, err := range engine().Attribute(context.Background(), ps, each(d)) {
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Contains(f.Segment.Reasons, c.want) {
				t.Errorf("%q: reasons %q, want %q", c.text, f.Segment.Reasons, c.want)
			}
		}
	}
}

func TestQuoteIsRecognisedWithItsPlace(t *testing.T) {
	source := "Some say otherwise. The harvest of apples fell by 32 % in 2021, the ministry said. More follows."
	f := one(t, "The harvest of apples fell by 32 % in 2021, the ministry said.", "Nothing here.", source)
	if len(f.Attributions) == 0 || f.Attributions[0].Method != "quote" || f.Attributions[0].Trust != ibid.Quoted {
		t.Fatalf("attributions %+v", f.Attributions)
	}
	if got := f.Attributions[0].To.Span.Shift(-100).In(source); got != "The harvest of apples fell by 32 % in 2021, the ministry said." {
		t.Errorf("quote stands at %q", got)
	}
}

func TestSameFactInTwoSourcesCitesBoth(t *testing.T) {
	f := one(t, "Clara Venn founded the society in 1923.", "Bees sleep in winter.", "The society was founded by Clara Venn in 1923.", "In 1923 Clara Venn founded the society with two friends.")
	slices.Sort(f.Segment.Refs)
	if !slices.Equal(f.Segment.Refs, []int{2, 3}) {
		t.Errorf("refs %v, want 2 and 3", f.Segment.Refs)
	}
}
