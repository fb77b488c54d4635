package attribute

import (
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
)

const cornSource = "Add the shucked ears of corn and cook for 5 minutes. Do not add salt to the water. Grilling corn takes longer: soak the ears in their husks, then put them on a medium-hot grill. " +
	"It comes at no extra cost in Lisbon. The leaflet does not mention pepper."

// TestAbsenceIsChecked: that the passages do not mention what stands in one of them is contradicted by it, at the words that name it. What
// asks for more than mention, or may be anything's, is left alone.
func TestAbsenceIsChecked(t *testing.T) {
	for s, topic := range map[string]string{
		"The passages do not mention salt.":                                     "salt",
		"However, the provided passages don't mention any salt.":                "salt",
		"The passages do not mention sugar or salt.":                            "salt",
		"There is no information about grilling corn in the given passages.":    "grilling corn",
		"There's no mention of husks.":                                          "husks",
		"None of the passages mentions a medium-hot grill.":                     "a medium-hot grill",
		"No source mentions Lisbon.":                                            "Lisbon",
		"The sources contain no information on the corn's husks and salt.":      "",
		"The extra cost is not mentioned in the passages.":                      "The extra cost",
		"The passages do not mention sugar.":                                    "",
		"The passages do not mention the cost.":                                 "",
		"The passages do not mention pepper.":                                   "",
		"The passages do not mention whether salt is added.":                    "",
		"The passages do not mention specific corn.":                            "",
		"The passages do not mention that salt is good.":                        "",
		"The passages do not mention them.":                                     "",
		"The passages do not explain salt.":                                     "",
		"Passage 1 does not mention salt.":                                      "",
		"The other passages do not mention salt.":                               "",
		"The passages do not mention corn that was cooked in salt for a while.": "",
		"The passages do not mention corn in Lisbon.":                           "",
	} {
		f := one(t, s, cornSource)
		if topic == "" {
			if f.Segment.Origin != ibid.NONE || len(f.Segment.Contradicted) > 0 {
				t.Errorf("%q: %s, contradicted %v", s, f.Segment.Origin, f.Segment.Contradicted)
			}
			continue
		}
		c := f.Segment.Contradicted
		if len(c) != 1 || c[0].Of.In(s) != topic || c[0].Kind != "absence" || f.Segment.Support >= 0.5 || f.Segment.Origin != ibid.LLM {
			t.Errorf("%q: %s %.2f, contradicted %v, want at %q", s, f.Segment.Origin, f.Segment.Support, c, topic)
			continue
		}
		words := strings.Fields(topic)
		if there := c[0].To.Span.Shift(-100).In(cornSource); !strings.HasSuffix(there, words[len(words)-1]) {
			t.Errorf("%q: the source speaks of %q", s, there)
		}
	}
}

// TestEmptySentencesLackNothing: who leaves out what lacks support keeps courtesies, leads and remarks.
func TestEmptySentencesLackNothing(t *testing.T) {
	for _, s := range []string{
		"I hope this helps!", "Based on the passages, here are the steps:", "The passages do not say who paid.", "I'm unable to answer the question.", "It is best to consult your doctor.",
		"It's up to you.", "Let me know if you have questions.",
	} {
		if f := one(t, s, cornSource); f.Segment.Origin != ibid.NONE || f.Segment.Support < 0.5 {
			t.Errorf("%q: %s %.2f", s, f.Segment.Origin, f.Segment.Support)
		}
	}
	over := draft("Boiling in wine")
	over.Kind = ibid.Heading
	for f, err := range engine().Attribute(t.Context(), []ibid.Passage{passage(1, cornSource)}, each(over)) {
		if err != nil || f.Segment.Support < 0.5 {
			t.Errorf("a heading: %.2f, %v", f.Segment.Support, err)
		}
	}
	if f := one(t, "Is it boiled in wine?", cornSource); f.Segment.Origin != ibid.NONE || f.Segment.Support >= 0.5 {
		t.Errorf("a question may ask for what no source has: %s %.2f", f.Segment.Origin, f.Segment.Support)
	}
}

func FuzzAbsence(f *testing.F) {
	for _, s := range []string{"", "The passages do not mention salt or sugar.", "No information about ,or", "None of the passages mentions a, or b, nor c.", "x is not mentioned in the text."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		last := 0
		for _, at := range saidToLack(s) {
			if at.Empty() || at.Start < last || at.End > len(s) {
				t.Fatalf("%q: topic at %v", s, at)
			}
			last = at.End
		}
	})
}
