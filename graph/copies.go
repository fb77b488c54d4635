package graph

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/text"
)

// Source is a work as the graph needs it.
type Source struct {
	ID    ibid.SourceID
	Title string
	Text  string // of its newest version; may be empty where only the graph is wanted
}

// Copy says that two sources share text.
type Copy struct {
	A, B  ibid.SourceID
	Share float64 // of the runs of words of the shorter one that the other has too
}

const (
	run       = 5   // words of a shingle
	sample    = 4   // one in so many shingles is kept, chosen by its hash: the same ones in every text
	everyRun  = 400 // texts of fewer words keep all of theirs
	tooCommon = 64  // a shingle that more sources have is a phrase of the house, not a copy
	copied    = 0.5 // share from which a source counts as a copy
	fewest    = 8   // words that a quotation must have to be told as copied
	alike     = 0.7 // share of a quotation that is most of it
)

// Copies finds the sources that share at least half of the shorter one's text, the greatest share first.
func Copies(sources []Source) []Copy {
	prints := make([]fingerprint, len(sources))
	holders := map[uint64][]int32{}
	for i, s := range sources {
		words := keys(s.Text)
		prints[i] = fingerprint{shingles(words), len(words) < everyRun}
		if !prints[i].whole {
			prints[i].runs = sampled(prints[i].runs)
		}
		for h := range prints[i].runs {
			holders[h] = append(holders[h], int32(i))
		}
	}
	shared := map[[2]int32]int{}
	for _, list := range holders {
		if len(list) < 2 || len(list) > tooCommon {
			continue
		}
		slices.Sort(list)
		for i, a := range list {
			for _, b := range list[i+1:] {
				shared[[2]int32{a, b}]++
			}
		}
	}
	var out []Copy
	whole := map[int32]map[uint64]bool{} // all runs of those of which more than the sample was needed
	for pair, n := range shared {
		a, b := pair[0], pair[1]
		x, y := prints[a].runs, prints[b].runs
		if prints[a].whole != prints[b].whole { // a short text and a long one: the sample of one is not to be held against all of the other
			short, long := a, b
			if prints[b].whole {
				short, long = b, a
			}
			x = prints[short].runs
			if float64(n*sample) < copied/2*float64(len(x)) {
				continue // far from it, whatever the sample left out
			}
			if whole[long] == nil {
				whole[long] = shingles(keys(sources[long].Text))
			}
			y = whole[long]
			n = common(x, y)
		}
		if share := float64(n) / float64(min(len(x), len(y))); share >= copied && n > 1 {
			out = append(out, Copy{sources[a].ID, sources[b].ID, share})
		}
	}
	slices.SortFunc(out, func(x, y Copy) int {
		return cmp.Or(cmp.Compare(y.Share, x.Share), cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B))
	})
	return out
}

// fingerprint is what is kept of a text to find its copies: all of its runs of words, or of a long text a sample.
type fingerprint struct {
	runs  map[uint64]bool
	whole bool
}

// shingles are the hashes of all runs of words.
func shingles(words []string) map[uint64]bool {
	out := map[uint64]bool{}
	for i := 0; i+run <= len(words); i++ {
		h := fnv.New64a()
		for _, w := range words[i : i+run] {
			h.Write([]byte(w))
			h.Write([]byte{0})
		}
		out[h.Sum64()] = true
	}
	return out
}

// sampled keeps one in so many, the same ones of every text.
func sampled(runs map[uint64]bool) map[uint64]bool {
	out := map[uint64]bool{}
	for h := range runs {
		if h%sample == 0 {
			out[h] = true
		}
	}
	return out
}

// common is how many of the runs are in both.
func common(x, y map[uint64]bool) int {
	n := 0
	for h := range x {
		if y[h] {
			n++
		}
	}
	return n
}

// keys are the words of a text without case, and without accents or punctuation that an editor would change.
func keys(s string) []string {
	var out []string
	for _, w := range text.Words(s) {
		out = append(out, strings.ToLower(text.Fold(w.In(s))))
	}
	return out
}

// sameWords reports whether two quotations are one text: most of the shorter one's runs of three words stand in the other, in
// the same order. Who tells of the same day and the same thing has such runs in common, but not their order. Short ones say
// the same by chance, so they are never taken for copies.
func sameWords(a, b string) bool {
	x, y := keys(a), keys(b)
	if len(x) < fewest || len(y) < fewest {
		return false
	}
	x, y = triples(x), triples(y)
	return float64(inOrder(x, y)) >= alike*float64(min(len(x), len(y)))
}

// triples are the runs of three words.
func triples(words []string) []string {
	var out []string
	for i := 0; i+3 <= len(words); i++ {
		out = append(out, strings.Join(words[i:i+3], " "))
	}
	return out
}

// inOrder is the length of the longest common subsequence.
func inOrder(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, w := range a {
		corner := 0
		for j, v := range b {
			above := row[j+1]
			if w == v {
				row[j+1] = corner + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			corner = above
		}
	}
	return row[len(b)]
}
