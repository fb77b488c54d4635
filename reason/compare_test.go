package reason_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid/reason"
)

// However a comparison is worded, the same is asked of each thing.
func TestWordingsOfAComparison(t *testing.T) {
	for _, c := range []struct {
		each   string // %s is the thing
		things []string
		asked  []string
	}{
		{"How long was %s?", []string{"the Niagara", "the Agamemnon"}, []string{
			"Which was longer, the Niagara or the Agamemnon?",
			"Which ship was the longest: the Niagara or the Agamemnon?",
			"Which ship, the Niagara or the Agamemnon, was longer?",
			"Which was longer, was it the Niagara or the Agamemnon?",
			"Was the Niagara longer than the Agamemnon?",
			"Was the Niagara a longer ship than the Agamemnon?",
			"By how much was the Niagara longer than the Agamemnon?",
			"How much longer was the Niagara than the Agamemnon?",
			"How long was the Niagara compared with the Agamemnon?",
			"How long was the Niagara compared to the Agamemnon?",
			"How long was the Niagara, as compared with the Agamemnon?",
			"How long was the Niagara in comparison to the Agamemnon?",
			"How long was the Niagara as opposed to the Agamemnon?",
			"How long was the Niagara versus the Agamemnon?",
			"How long was the Niagara vs. the Agamemnon?",
		}},
		{"What was %s?", []string{"the Niagara", "the Agamemnon"}, []string{
			"Compare the Niagara and the Agamemnon",
			"Please compare the Niagara with the Agamemnon.",
			"Contrast the Niagara to the Agamemnon.",
			"Compare and contrast the Niagara and the Agamemnon!",
			"compare the Niagara against the Agamemnon",
			"What is the difference between the Niagara and the Agamemnon?",
			"What differences are there between the Niagara and the Agamemnon?",
			"What distinction was there between the Niagara and the Agamemnon?",
			"How did the Niagara differ from the Agamemnon?",
			"In what way was the Niagara different from the Agamemnon?",
			"Which was simpler, the Niagara or the Agamemnon?",
		}},
		{"What is %s?", []string{"iron", "copper"}, []string{"How is iron different from copper?", "How does iron differ from copper?"}},
		{"What was the length of %s?", []string{"the Niagara", "the Agamemnon"}, []string{
			"What is the difference in length between the Niagara and the Agamemnon?",
			"What was the difference in the length between the Niagara and the Agamemnon?",
		}},
		{"How much did %s cost?", []string{"the Niagara", "the Agamemnon"}, []string{
			"Which cost more, the Niagara or the Agamemnon?",
			"Which ship cost less, the Niagara or the Agamemnon?",
			"Did the Niagara cost more than the Agamemnon?",
			"Did the Niagara cost less than the Agamemnon?",
		}},
		{"How much cable did %s carry?", []string{"the Niagara", "the Agamemnon"}, []string{"Did the Niagara carry more cable than the Agamemnon?"}},
		{"How much coal did %s have?", []string{"the Niagara", "the Agamemnon"}, []string{"Which had more coal, the Niagara or the Agamemnon?"}},
		{"How expensive was %s?", []string{"the Niagara", "the Agamemnon"}, []string{
			"Was the Niagara more expensive than the Agamemnon?",
			"Was the Niagara less expensive than the Agamemnon?",
		}},
		{"When was %s launched?", []string{"the Niagara", "the Agamemnon"}, []string{
			"Which ship was launched first, the Niagara or the Agamemnon?",
			"Which was launched last, the Niagara or the Agamemnon?",
			"Which was launched earlier, the Niagara or the Agamemnon?",
			"Which was first launched, the Niagara or the Agamemnon?",
		}},
		{"When was %s?", []string{"the Niagara", "the Agamemnon"}, []string{
			"Which came first, the Niagara or the Agamemnon?",
			"Which ship came later, the Niagara or the Agamemnon?",
			"Which was the first ship, the Niagara or the Agamemnon?",
		}},
		{"Where was %s born?", []string{"Field", "Thomson"}, []string{
			"Where were Field and Thomson both born?",
			"Where were both Field and Thomson born?",
			"Where were Field and Thomson each born?",
			"Where were Field and Thomson respectively born?",
		}},
		{"Who was %s?", []string{"Field", "Thomson"}, []string{"Who were Field and Thomson?"}},
		{"What did %s do?", []string{"Field", "Thomson"}, []string{"What did both Field and Thomson do?"}},
		{"How thin was %s?", []string{"the core", "the wire"}, []string{"Which was thinner, the core or the wire?", "Which was the thinnest: the core or the wire?"}},
		{"How good was %s?", []string{"the core", "the wire"}, []string{"Was the core better than the wire?", "Which was best, the core or the wire?"}},
		{"How bad was %s?", []string{"the core", "the wire"}, []string{"Was the core worse than the wire?"}},
		{"How large was %s?", []string{"the core", "the wire"}, []string{"Was the core bigger than the wire?"}},
		{"How heavy was %s?", []string{"the core", "the wire"}, []string{"Was the core heavier than the wire?"}},
		{"How wide was %s?", []string{"the core", "the wire"}, []string{"Was the core wider than the wire?"}},
		{"How fast was %s?", []string{"the Rhine", "the Elbe", "the Oder"}, []string{
			"Which was fastest, the Rhine, the Elbe or the Oder?",
			"Which was faster, the Rhine or the Elbe or the Oder?",
			"How fast was the Rhine compared with the Elbe and the Oder?",
			"How fast was the Rhine compared with the Elbe, and with the Oder?",
		}},
		{"How fast was %s?", []string{"the cable of 1858", "the cable of 1865"}, []string{
			"How fast was the cable of 1858 compared with that of 1865?",
			"How fast was the cable of 1858 compared with the one of 1865?",
			"Was the cable of 1858 faster than that of 1865?",
			"Which was faster, the cable of 1858 or 1865?",
		}},
		{"How fast was %s?", []string{"the cable of Field", "the cable of Morse", "the cable of Bain"}, []string{
			"How fast was the cable of Field compared with that of Morse and that of Bain?",
		}},
		{"Where were %s made?", []string{"the cables", "the ships"}, []string{"Where were both the cables and the ships made?"}},
	} {
		var want []string
		for _, thing := range c.things {
			want = append(want, strings.ReplaceAll(c.each, "%s", thing))
		}
		for _, q := range c.asked {
			p := reason.Split(q, "", reason.Limits{})
			if got := questions(p); p.Kind != reason.Comparison || !reflect.DeepEqual(got, want) {
				t.Errorf("%s is %s\n got %q\nwant %q", q, p.Kind, got, want)
			}
			for i, part := range p.Parts {
				if part.Search != part.Question || !strings.HasSuffix(part.Why, "things compared: "+c.things[min(i, len(c.things)-1)]) {
					t.Errorf("%s: %+v", q, part)
				}
			}
		}
	}
}

// What only looks like a comparison is asked as it is: a question that was made up is worse than none.
func TestNoComparison(t *testing.T) {
	for _, q := range []string{
		"Was the cable longer than 2,000 miles?",
		"Did the cable cost more than 300,000 pounds?",
		"Was the cable longer than planned?",
		"Was the cable heavier than it had to be?",
		"Is it more than ten years old?",
		"What did the engineers say against the method of Whitehouse?",
		"When did the war begin, in 1914 or in 1915?",
		"Where did the ship land, in Ireland or in Newfoundland?",
		"What is the difference between?",
		"What are gutta-percha and rubber?",
		"Has the Niagara more guns than the Agamemnon?",
		"Who was compared with Columbus?",
	} {
		if p := reason.Split(q, "", reason.Limits{}); len(p.Parts) != 1 || p.Parts[0].Question != q {
			t.Errorf("%s\n got %q", q, questions(p))
		}
	}
}
