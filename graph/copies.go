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
	prints := make([]map[uint64]bool, len(sources))
	holders := map[uint64][]int32{}
	for i, s := range sources {
		prints[i] = shingles(s.Text, run, sample)
		for h := range prints[i] {
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
	for pair, n := range shared {
		a, b := pair[0], pair[1]
		if share := float64(n) / float64(min(len(prints[a]), len(prints[b]))); share >= copied && n > 1 {
			out = append(out, Copy{sources[a].ID, sources[b].ID, share})
		}
	}
	slices.SortFunc(out, func(x, y Copy) int {
		return cmp.Or(cmp.Compare(y.Share, x.Share), cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B))
	})
	return out
}

// shingles are the hashes of all runs of n words, of which a long text keeps one in every, always the same.
func shingles(s string, n int, every uint64) map[uint64]bool {
	words := keys(s)
	if len(words) < everyRun {
		every = 1
	}
	out := map[uint64]bool{}
	for i := 0; i+n <= len(words); i++ {
		h := fnv.New64a()
		for _, w := range words[i : i+n] {
			h.Write([]byte(w))
			h.Write([]byte{0})
		}
		if sum := h.Sum64(); sum%every == 0 || every == 1 {
			out[sum] = true
		}
	}
	return out
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
