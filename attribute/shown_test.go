package attribute

import (
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
)

// People point at the sentence that says it, not at the one with the most of its names.
func TestTheSentenceThatSaysItIsShown(t *testing.T) {
	for _, c := range []struct{ name, claim, source, want string }{
		{
			"the subject's name stands in every sentence",
			"Clara Venn declined the offer because she wanted to stay with the Harbour Choir.",
			"# The Harbour Choir and Clara Venn: a look back\n\nClara Venn joined the Harbour Choir in 1921. Critics praised Clara Venn and the Harbour Choir. She declined the offer and stayed with the choir. Ten replies to Clara Venn of the Harbour Choir.",
			"She declined the offer and stayed with the choir.",
		},
		{
			"words in the same order",
			"The bridge over the Orla was closed to lorries in March.",
			"Lorries over the bridge, closed in a March: the Orla. In March the bridge over the Orla was closed to lorries. The Orla is long.",
			"In March the bridge over the Orla was closed to lorries.",
		},
		{
			"one sentence where its neighbour adds nothing",
			"The mill burned down in 1887.",
			"It stood by the river. The mill burned down in 1887. It was the largest mill of the valley.",
			"The mill burned down in 1887.",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := one(t, c.claim, "Bees sleep in winter.", c.source)
			if len(f.Attributions) == 0 {
				t.Fatalf("nothing is cited: %+v", f.Segment)
			}
			if got := f.Attributions[0].To.Span.Shift(-100).In(c.source); got != c.want {
				t.Errorf("shown is %q", got)
			}
		})
	}
}

func TestTheSourceThatHasTheNumbersComesFirst(t *testing.T) {
	f := one(t, "The pay of a glass blower ranges from 57,200 to 95,870 crowns.",
		"Glass blowers say that their pay was 50,017 crowns in the mean, ranging from 36,000 to 77,000.", "Glass blower: 57,200 crowns a year.")
	if len(f.Segment.Refs) == 0 || f.Segment.Refs[0] != 2 {
		t.Errorf("cited are %v, want 2 first", f.Segment.Refs)
	}
}

func TestWhatDeniesIsCited(t *testing.T) {
	source := "The tower is 300 metres high. It was built in 1889. Millions visit it."
	f := one(t, "The tower was built in 1890.", source)
	if len(f.Segment.Contradicted) == 0 {
		t.Fatalf("nothing is denied: %+v", f.Segment)
	}
	for _, x := range f.Segment.Contradicted {
		if !slices.ContainsFunc(f.Attributions, func(a ibid.Attribution) bool { return a.To.Span.Overlaps(x.To.Span) }) {
			t.Errorf("%s, which nothing that is cited has: %+v", x.Reason, f.Attributions)
		}
	}
	for _, a := range one(t, "The tower was built in 1889.", source).Attributions[1:] {
		t.Errorf("cited too is %q", a.To.Span.Shift(-100).In(source))
	}
}

// What denies something is cited of a source that is cited anyway: it brings no source of its own.
func TestADenialBringsNoSource(t *testing.T) {
	v := verdict{found: true, ev: evidence{
		shown:   []alignment{{window: window{passage: 1, from: 3, to: 4}}},
		denying: alignment{window: window{passage: 1, from: 5, to: 6}, pos: []int32{9}},
	}}
	if n := len((&turn{}).cited(v)); n != 2 {
		t.Errorf("of the cited source %d places are cited, want 2", n)
	}
	v.ev.denying.passage = 0
	if n := len((&turn{}).cited(v)); n != 1 {
		t.Errorf("beside another source %d places are cited, want 1", n)
	}
}

func TestASentenceThatCompletesIsCitedToo(t *testing.T) {
	source := "Anna Weller sold the orchard in 1931. The town was small. With the money her brother built a school in Ostby."
	f := one(t, "Anna Weller sold the orchard in 1931, and her brother built a school in Ostby with the money.", source)
	var got []string
	for _, a := range f.Attributions {
		got = append(got, a.To.Span.Shift(-100).In(source))
	}
	for _, want := range []string{"Anna Weller sold the orchard in 1931.", "With the money her brother built a school in Ostby."} {
		if !slices.Contains(got, want) {
			t.Errorf("cited are %q, without %q", got, want)
		}
	}
}

// TestTheSentenceOfANumberIsCited: where the sentence that says most of a segment lacks its number, the one that has it is cited, too.
func TestTheSentenceOfANumberIsCited(t *testing.T) {
	source := "The county charges owners a fee to register a boat, a trailer or a car that they bring from another state. It has many lakes. Since May the fee of the county is $6."
	f := one(t, "The county charges owners who bring a boat, a trailer or a car from another state a fee of $6 to register it.", source)
	if !slices.ContainsFunc(f.Attributions, func(a ibid.Attribution) bool { return strings.Contains(a.To.Span.Shift(-100).In(source), "$6") }) {
		t.Errorf("the sentence with the number is not among the %d that are cited", len(f.Attributions))
	}
}

func TestAQuotedQuestionIsTheSources(t *testing.T) {
	source := `He looked back on those years. "Before the harbour, before the railway: were the fishermen of Ostby happy?" he asked.`
	quoted := one(t, "Before the harbour, before the railway: were the fishermen of Ostby happy?", source)
	if quoted.Segment.Origin != ibid.RAG || len(quoted.Attributions) == 0 {
		t.Errorf("a question that a source asks: %s, %d citations", quoted.Segment.Origin, len(quoted.Attributions))
	}
	if own := one(t, "Were the fishermen of the harbour happy before the railway?", source); own.Segment.Origin != ibid.NONE {
		t.Errorf("a question of the writer's own: %s", own.Segment.Origin)
	}
	if short := one(t, "I hope this helps!", "I hope this helps! Write to us."); short.Segment.Origin != ibid.NONE {
		t.Errorf("a courtesy that stands anywhere: %s", short.Segment.Origin)
	}
}
