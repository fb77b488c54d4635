package ledger_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/ledger"
)

func TestDrift(t *testing.T) {
	before := "The cable was laid in 1858. It worked for three weeks. Then it failed."
	cited := []ibid.Span{{Start: 28, End: 54}}
	if cited[0].In(before) != "It worked for three weeks." {
		t.Fatal(cited[0].In(before))
	}
	for _, c := range []struct {
		rule, now string
		cited     []ibid.Span
		want      ledger.Drift
		diff      string
	}{
		{"to the letter", before, cited, ledger.Same, ""},
		{"the quote stands elsewhere", "A new first line. " + before, cited, ledger.Moved, "+A new first line."},
		{"something else changed", "The cable was laid in 1859. It worked for three weeks. Then it failed.", cited, ledger.Moved, "-The cable was laid in 1858. +The cable was laid in 1859."},
		{"the quote is gone", "The cable was laid in 1858. It worked for two weeks. Then it failed.", cited, ledger.Changed, "-It worked for three weeks. +It worked for two weeks."},
		{"nothing was cited", "All is new.", nil, ledger.Changed, "-The cable was laid in 1858. -It worked for three weeks. -Then it failed. +All is new."},
		{"what is cited is not of this text", before + " All is new.", []ibid.Span{{Start: -1, End: 4}, {Start: 4, End: 4}, {Start: 60, End: 80}}, ledger.Changed, "+All is new."},
		{"it is empty now", "", cited, ledger.Changed, "-The cable was laid in 1858. -It worked for three weeks. -Then it failed."},
	} {
		got := ledger.Compare(before, c.now, c.cited)
		if got.Drift != c.want || shownChanges(got.Changes) != c.diff {
			t.Errorf("%s: %s, %s", c.rule, got.Drift, shownChanges(got.Changes))
		}
		for _, q := range got.Quotes {
			if q.Drift != ledger.Gone && q.Now.In(c.now) != q.Quote {
				t.Errorf("%s: %+v", c.rule, q)
			}
		}
	}
}

// Of several places with the same words, a passage is at the one among the same neighbours, not at the first nor the nearest.
func TestDriftTellsTheSameWordsApart(t *testing.T) {
	const before = "Was it laid? Yes. Did it last? No. Was it laid again? Yes. It lasted."
	second := ibid.Span{Start: strings.LastIndex(before, "Yes."), End: strings.LastIndex(before, "Yes.") + 4}
	for now, want := range map[string]string{
		"Was it long? Yes. " + before + " Was it paid? Yes.":     " It lasted. Was it paid? Yes.",
		"It was paid. Was it laid again? Yes. Was it laid? Yes.": " Was it laid? Yes.",
		"Yes.": "",
	} {
		place, drift := ledger.Follow(before, now, second)
		if drift != ledger.Moved || now[place.End:] != want {
			t.Errorf("%s: %s, before %q", now, drift, now[place.End:])
		}
	}
}

// Where nothing around them tells places apart, it is the nearest.
func TestDriftTakesTheNearest(t *testing.T) {
	before := strings.Repeat("-", 40) + "Yes." + strings.Repeat("-", 40)
	now := strings.Repeat("Yes.+++++", 9) // at 0, 9, 18, 27, 36, 45 and on
	if place, drift := ledger.Follow(before, now, ibid.Span{Start: 40, End: 44}); drift != ledger.Moved || place.Start != 36 {
		t.Errorf("%+v, %s", place, drift)
	}
}

func shownChanges(all []ledger.Change) string {
	var out []string
	for _, c := range all {
		out = append(out, map[bool]string{true: "+", false: "-"}[c.Added]+c.Text)
	}
	return strings.Join(out, " ")
}

// What went and what came make the one text out of the other, and no fewer changes do.
func TestChangesAreTheFewest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) (out []string) {
			for _, i := range rapid.SliceOfN(rapid.IntRange(1, 4), 0, 8).Draw(t, name) {
				out = append(out, fmt.Sprintf("Sentence number %c stands here.", 'A'+i))
			}
			return out
		}
		was, is := draw("before"), draw("now")
		changes := ledger.Compare(strings.Join(was, " "), strings.Join(is, " "), nil).Changes
		if !leads(was, is, changes) || len(changes) != fewest(was, is) {
			t.Fatalf("%q to %q is %q", was, is, shownChanges(changes))
		}
	})
}

// fewest is how many sentences must go or come, found by trying all ways.
func fewest(was, is []string) int {
	switch {
	case len(was) == 0 || len(is) == 0:
		return len(was) + len(is)
	case was[0] == is[0]:
		return fewest(was[1:], is[1:])
	}
	return 1 + min(fewest(was[1:], is), fewest(was, is[1:]))
}

// Of texts too long to find the fewest changes, it is still told which sentences went and which came, and how often.
func TestChangesOfALongText(t *testing.T) {
	var was, is []string
	for i := range 2100 {
		was = append(was, fmt.Sprintf("Sentence %d.", i))
	}
	is = slices.Clone(was)
	slices.Reverse(is)
	is[5], is[7] = "All is new.", is[8]
	got := shownChanges(ledger.Compare(strings.Join(was, "\n\n"), strings.Join(is, "\n\n"), nil).Changes)
	if want := "-Sentence 2092. -Sentence 2094. +All is new. +Sentence 2091."; got != want {
		t.Errorf("%.200s", got)
	}
}

func TestResumeGoesOn(t *testing.T) {
	led := open("a")
	src := must(led.Source(ibid.SourceReference{Category: "file"}, []byte("words")))
	must(led.Claim("One.", src))
	run := led.Run()
	again, err := ledger.Resume(run, "a", ledger.Config{Now: time.Now, Load: func(id ibid.DocumentID) ([]byte, error) { return led.Snapshots()[id], nil }})
	if err != nil {
		t.Fatal(err)
	}
	found, ok := again.Registered(src.Identifier)
	second := must(again.Claim("Two.", found, "words"))
	next := must(again.Source(ibid.SourceReference{Category: "file"}, nil))
	if !ok || second.Number != 2 || next.Call != 2 || len(again.Run().Claims) != 2 || !again.Run().StartedAt.Equal(run.StartedAt) {
		t.Errorf("%+v, %+v", second, next)
	}
	other, _ := ledger.Resume(run, "b", ledger.Config{Now: time.Now})
	if _, ok := other.Registered(src.Identifier); ok {
		t.Error("another agent's source is taken for one's own")
	}
	run.Verdict = &ibid.Verdict{}
	if _, err := ledger.Resume(run, "a", ledger.Config{Now: time.Now}); !errors.Is(err, ibid.ErrInvalid) {
		t.Error(err)
	}
}
