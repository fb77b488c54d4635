package attribute

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ibid-dev/ibid"
)

// world makes passages of 200 words and segments that mostly paraphrase them. Words follow the background's frequencies.
func world(passages int) ([]ibid.Passage, []ibid.Draft) {
	rng := rand.New(rand.NewPCG(1, 2))
	var words []string
	background, err := os.ReadFile("internal/token/background.txt")
	if err != nil {
		panic(err)
	}
	for line := range strings.Lines(string(background)) {
		w, _, _ := strings.Cut(line, " ")
		if w[0] != '#' {
			words = append(words, w)
		}
	}
	pick := func() string {
		// Zipf's law, about: the square of a uniform number favours the common words
		u := rng.Float64()
		return words[int(u*u*u*float64(len(words)))]
	}
	sentence := func(n int) string {
		var b strings.Builder
		for i := range n {
			w := pick()
			if i == 0 {
				w = strings.ToUpper(w[:1]) + w[1:]
			}
			b.WriteString(w)
			b.WriteByte(' ')
		}
		return strings.TrimSpace(b.String()) + "."
	}
	var ps []ibid.Passage
	var ds []ibid.Draft
	for i := range passages {
		var all []string
		for range 10 {
			all = append(all, sentence(20))
		}
		text := strings.Join(all, " ")
		ps = append(ps, passage(i+1, text))
		if len(ds) < 200 {
			for _, s := range all[:4] {
				f := strings.Fields(s)
				f[3], f[7] = pick(), pick()
				ds = append(ds, draft(strings.Join(f[:16], " ")+"."))
			}
		}
	}
	for len(ds) < 200 {
		ds = append(ds, ds[len(ds)%20])
	}
	return ps, ds[:200]
}

// The cost of a segment grows with its words, not with the passages: five thousand passages cost at most six times what
// five do. It is counted in words and postings visited, not in time.
func TestCostOfASegmentDoesNotGrowWithThePassages(t *testing.T) {
	cost := func(n int) float64 {
		ps, ds := world(n)
		turn := newTurn(ps)
		turn.operations = 0
		var sc scratch
		for _, d := range ds {
			turn.measure(turn.read(d.Text), &sc)
		}
		return float64(turn.operations) / float64(len(ds))
	}
	few, many := cost(5), cost(5000)
	t.Logf("operations a segment: %.0f with 5 passages, %.0f with 5,000 (%.1f times)", few, many, many/few)
	if many > 6*few {
		t.Errorf("a segment costs %.1f times as much with 5,000 passages as with 5", many/few)
	}
}

func BenchmarkSegment(b *testing.B) {
	for _, n := range []int{5, 50, 500, 5000} {
		ps, ds := world(n)
		b.Run(fmt.Sprintf("index/%d", n), func(b *testing.B) {
			for range b.N {
				newTurn(ps)
			}
		})
		b.Run(fmt.Sprintf("segment/%d", n), func(b *testing.B) {
			e := New(Config{})
			t := newTurn(ps)
			var sc scratch
			b.ResetTimer()
			for i := range b.N {
				if _, err := e.decide(context.Background(), t, &sc, ds[i%len(ds)], ""); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "segments/s")
		})
	}
}

// TestParticularsOfLongSentencesGrowSlowly: eight times as long a segment beside eight times as long a sentence costs no more
// than eight times as much to compare.
func TestParticularsOfLongSentencesGrowSlowly(t *testing.T) {
	per := func(n int) float64 {
		text := strings.Repeat("all 30 km of members not 20 more ", n)
		turn := newTurn([]ibid.Passage{passage(1, strings.ReplaceAll(text, "30", "50"))})
		seg := turn.read(text)
		ev, _ := turn.measure(seg, &scratch{})
		turn.operations = 0
		turn.particulars(seg, &ev)
		return float64(turn.operations)
	}
	few, many := per(500), per(4000)
	t.Logf("operations: %.0f for 500 clauses, %.0f for 4,000", few, many)
	if few == 0 || many > 8*few {
		t.Errorf("operations grow from %.0f to %.0f", few, many)
	}
}

// A word that answer and source repeat without an end is kept where it stands, and not for each pair of both: what a segment keeps
// of a window is no more than the window's words.
func TestPlacesAreKeptOnce(t *testing.T) {
	near := "" // other words that one of the source can stand for
	for i := range maxWords {
		near += fmt.Sprintf("cable%c%c ", 'a'+i/20, 'a'+i%20)
	}
	for name, text := range map[string]string{"one word": strings.Repeat("cable ", maxWords), "words like it": near} {
		turn := newTurn([]ibid.Passage{passage(1, strings.Repeat("cable ", 20_000))})
		var sc scratch
		if _, found := turn.measure(turn.read(text), &sc); !found {
			t.Errorf("%s: nothing was found", name)
		}
		if kept, most := cap(sc.places), 2*len(turn.tokens); kept > most {
			t.Errorf("%s: room for %d places of %d words", name, kept, len(turn.tokens))
		}
	}
}

// Of the places of a word the search takes the one that looking at each, in order, would.
func TestAfterIsTheNearestOfAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.SliceOfNDistinct(rapid.Int32Range(0, 30), 1, 12, rapid.ID).Draw(t, "places")
		slices.Sort(places)
		prev := rapid.Int32Range(-1, 30).Draw(t, "prev")
		want := places[0]
		for _, p := range places {
			if distance(p, prev) < distance(want, prev) {
				want = p
			}
		}
		if got := after(places, prev); got != want {
			t.Fatalf("after %d of %v comes %d, want %d", prev, places, got, want)
		}
	})
}
