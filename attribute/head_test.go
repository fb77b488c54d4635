package attribute

import (
	"testing"

	"github.com/ibid-dev/ibid"
)

// TestHeads: what an item begins with in bold is its head where a sentence of its own follows.
func TestHeads(t *testing.T) {
	for s, want := range map[string]string{
		"* **Scrub:** Use steel wool on the rust.":            "Scrub",
		"1. **Remove the water**: Scoop it out with a cup.":   "Remove the water",
		"3. **Remove their food** – Throw away ripe fruit.":   "Remove their food",
		"**7. Set rules.** Write down how trades are handled": "Set rules",
		"- __Rinse:__ Run clean water through it twice.":      "Rinse",

		"**Aspirin** thins the blood of most people.":  "",
		"* **Minor remodel:** $10,000–$15,000":         "",
		"* **Scrub:** with steel wool until it shines": "",
		"The **cable:** It failed in the autumn.":      "",
		"Scrub: Use steel wool on the rust.":           "",
		"**":                                           "",
	} {
		got := ""
		if at, ok := headOf(s); ok {
			got = at.In(s)
		}
		if got != want {
			t.Errorf("%q: head %q, want %q", s, got, want)
		}
	}
}

// TestHeadsAreLabels: a label of the writer's speaks against no statement, but what the sources tell of something else is not told of what the
// head names.
func TestHeadsAreLabels(t *testing.T) {
	const pan, moons, mars = "Use steel wool to take the rust off the pan.", "Saturn has two moons of ice.", "Mars is red, and the dust is dry."
	bare := one(t, "* Use steel wool to take the rust off the pan.", pan).Segment
	for _, s := range []string{"* **Scrub:** Use steel wool to take the rust off the pan.", "**7. Begin thoroughly.** Use steel wool to take the rust off the pan."} {
		f := one(t, s, pan).Segment
		if f.Origin != ibid.RAG || f.Support < bare.Support-0.05 || len(f.Contradicted) > 0 {
			t.Errorf("%q: %s %.2f, contradicted %v; without a head %.2f", s, f.Origin, f.Support, f.Contradicted, bare.Support)
		}
	}
	for s, label := range map[string]bool{"* **Satellites and orbits:** There are two moons of ice.": true, "* **Mars and its dust:** There are two moons of ice.": false} {
		turn := newTurn([]ibid.Passage{passage(1, moons), passage(2, mars)})
		whole, err := engine().weighUp(t.Context(), turn, new(scratch), draft(s), "")
		if err != nil {
			t.Fatal(err)
		}
		without, err := engine().verdict(t.Context(), turn, new(scratch), draft(s), "")
		if err != nil || (without.support > whole.support+0.1) != label {
			t.Errorf("%q: %.2f, without its head %.2f, %v", s, whole.support, without.support, err)
		}
	}
}

// TestItemNumbers: the number of an item is not compared with what the sources count, wherever the item begins.
func TestItemNumbers(t *testing.T) {
	for s, want := range map[string]string{
		"4. Erase the phone.":       "   Erase the phone.",
		"- 12) Erase the phone.":    "-     Erase the phone.",
		"**3. Erase** the phone.":   "**   Erase** the phone.",
		"2.5 million were sold.":    "2.5 million were sold.",
		"40 phones were sold in 4.": "40 phones were sold in 4.",
		"1846. That was the year.":  "1846. That was the year.",
	} {
		if got := unnumbered(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func FuzzHead(f *testing.F) {
	for _, s := range []string{"", "* **Scrub:** Use steel wool on the rust.", "**7. Set.** Write it all down.", "__1) a__ - B c d e", "****: A b c d"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if at, ok := headOf(s); ok && (at.Empty() || at.End > len(s) || len(blank(s, at)) != len(s)) {
			t.Errorf("%q: head at %v", s, at)
		}
		if len(unnumbered(s)) != len(s) {
			t.Errorf("%q: %q", s, unnumbered(s))
		}
	})
}
