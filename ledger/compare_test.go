package ledger_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/ledger"
	"github.com/ibid-dev/ibid/text"
)

// sentences are those of a text, whichever way they are broken into lines.
func sentences(s string) (out []string) {
	for _, at := range text.Sentences(s) {
		if words := strings.Fields(at.In(s)); len(words) > 0 {
			out = append(out, strings.Join(words, " "))
		}
	}
	return out
}

// FuzzCompare: a cited passage is gone exactly where its words stand nowhere any more, and is else where it is said to be, which of several places
// tells what stands around it; what
// went and what came, taken out and put in, leave the same sentences in the same order; no more of them than need be; and the way
// back is as long as the way there.
func FuzzCompare(f *testing.F) {
	f.Add("The cable was laid. It worked. It failed.", "It worked. The cable was laid. It rotted.", 20, 30)
	f.Add("Yes. A. Yes. B.", "Yes. X. ", 8, 12)
	f.Add("Ä. B. C.", "Ä.\n\nB. C.", 0, 3)
	f.Add("One. Two. Three. Four. Five. Six.", "Six. Four.", 0, 1)
	f.Add("a\x00\xff", "", -1, 9)
	f.Add("It worked.", "It failed.", 3, 3)
	f.Fuzz(func(t *testing.T, before, now string, start, end int) {
		cited := ibid.Span{Start: start, End: end}
		got := ledger.Compare(before, now, []ibid.Span{cited})
		if (got.Drift == ledger.Same) != (before == now) {
			t.Fatalf("%q and %q: %s", before, now, got.Drift)
		}
		if before == now {
			return
		}
		if proper := start >= 0 && start < end && end <= len(before); proper != (len(got.Quotes) == 1) {
			t.Fatalf("%v of %d bytes: %+v", cited, len(before), got.Quotes)
		}
		stands := false
		for _, q := range got.Quotes {
			stands = q.Drift != ledger.Gone
			if q.Quote != cited.In(before) || stands != strings.Contains(now, q.Quote) || stands && q.Now.In(now) != q.Quote || (q.Drift == ledger.Same) != (q.Now == q.Was) {
				t.Fatalf("%+v of %q in %q", q, before, now)
			}
		}
		if (got.Drift == ledger.Moved) != stands {
			t.Fatalf("%s, and it stands there: %v", got.Drift, stands)
		}
		if len(got.Quotes) > 0 && len(before) < 256 { // with something before it, the same words are elsewhere
			later := now + before
			place, _ := ledger.Follow(before, later, cited)
			if moved := place.Start - start; moved < 0 || !strings.HasPrefix(later[moved:], before) {
				t.Fatalf("%v of %q is %v of %q", cited, before, place, later)
			}
		}
		was, is := sentences(before), sentences(now)
		back := ledger.Compare(now, before, nil)
		if len(back.Changes) != len(got.Changes) {
			t.Fatalf("%q to %q is %q, and back %q", before, now, shownChanges(got.Changes), shownChanges(back.Changes))
		}
		if !leads(was, is, got.Changes) || !leads(is, was, back.Changes) {
			t.Fatalf("%q to %q is %q", was, is, shownChanges(got.Changes))
		}
		var left []string // where every third is taken out, that is all that went
		for i, s := range was {
			if i%3 != 1 {
				left = append(left, s)
			}
		}
		if less := strings.Join(left, " "); slices.Equal(sentences(less), left) {
			if gone := ledger.Compare(before, less, nil).Changes; len(gone) != len(was)-len(left) {
				t.Fatalf("%q to %q is %q", was, left, shownChanges(gone))
			}
		}
	})
}

// leads reports whether the changes, made one after the other between sentences that stay, turn one list into the other.
func leads(was, is []string, changes []ledger.Change) bool {
	type place struct{ was, is int }
	places := map[place]bool{{}: true}
	step := func(move func(place) (place, bool)) {
		next := map[place]bool{}
		for p := range places {
			for {
				if to, ok := move(p); ok {
					next[to] = true
				}
				if p.was == len(was) || p.is == len(is) || was[p.was] != is[p.is] {
					break
				}
				p = place{p.was + 1, p.is + 1}
			}
		}
		places = next
	}
	for _, c := range changes {
		step(func(p place) (place, bool) {
			if c.Added {
				return place{p.was, p.is + 1}, p.is < len(is) && is[p.is] == c.Text
			}
			return place{p.was + 1, p.is}, p.was < len(was) && was[p.was] == c.Text
		})
	}
	step(func(p place) (place, bool) { return p, p == place{len(was), len(is)} })
	return len(places) > 0
}
