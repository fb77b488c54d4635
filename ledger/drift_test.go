package ledger_test

import (
	"errors"
	"fmt"
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

func shownChanges(all []ledger.Change) string {
	var out []string
	for _, c := range all {
		out = append(out, map[bool]string{true: "+", false: "-"}[c.Added]+c.Text)
	}
	return strings.Join(out, " ")
}

// What went and what came make the one text out of the other: taken out and put in they leave the same sentences, however
// many.
func TestChangesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) (string, map[string]int) {
			var b strings.Builder
			n := map[string]int{}
			for _, i := range rapid.SliceOfN(rapid.IntRange(1, 5), 0, 12).Draw(t, name) {
				s := fmt.Sprintf("Sentence number %c stands here.", 'A'+i)
				n[s]++
				b.WriteString(s + " ")
			}
			return b.String(), n
		}
		before, a := draw("before")
		now, b := draw("now")
		for _, c := range ledger.Compare(before, now, nil).Changes {
			if c.Added {
				a[c.Text]++
			} else {
				a[c.Text]--
			}
		}
		for s := range b {
			if a[s] != b[s] {
				t.Fatalf("%q: %d, not %d", s, a[s], b[s])
			}
		}
	})
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
