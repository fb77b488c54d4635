package attribute

import (
	"cmp"
	"slices"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// rank says how good a window is for the measures: what it covers, and how short it is.
func rank(a *alignment) float64 {
	return a.strict + 0.5*(a.cover-a.strict) - 0.02*float64(a.to-a.from-1)
}

// ranked is an alignment by its place among those to be sorted.
type ranked struct {
	score float64
	size  int
	first int32
	i     int32
}

// sorted gives what was aligned, the best first. Equals are ordered by their text, so that the order of the sources does not matter.
func (t *turn) sorted(sc *scratch) []alignment {
	sc.ranked, sc.sorted = sc.ranked[:0], sc.sorted[:0]
	for i := range sc.aligned {
		a := &sc.aligned[i]
		sc.ranked = append(sc.ranked, ranked{rank(a), a.to - a.from, int32(a.from), int32(i)})
	}
	slices.SortFunc(sc.ranked, func(a, b ranked) int {
		switch {
		case a.score != b.score:
			return cmp.Compare(b.score, a.score)
		case a.size != b.size:
			return a.size - b.size
		}
		return t.byText(a.first, b.first)
	})
	for _, k := range sc.ranked {
		sc.sorted = append(sc.sorted, sc.aligned[k.i])
	}
	return sc.sorted
}

// perPassage keeps the best window of each passage but the first's.
func perPassage(all []alignment) []alignment {
	var out []alignment
	for i := range all {
		if a := &all[i]; a.passage != all[0].passage && !of(out, a.passage) {
			out = append(out, *a)
		}
	}
	return out
}

// of reports whether some alignments have a passage's.
func of(all []alignment, passage int) bool {
	return slices.ContainsFunc(all, func(a alignment) bool { return a.passage == passage })
}

// complement finds the window of at most size sentences that covers most of what the best one leaves, and how much.
func (t *turn) complement(s *segment, best *alignment, all []alignment, size int) (out alignment, gain float64) {
	most := -1
	for i := range all {
		a := &all[i]
		if a.to-a.from > size {
			continue
		}
		if g := s.gain(best, a); g > gain {
			gain, most = g, i
		}
	}
	if most >= 0 {
		out = all[most]
	}
	return out, gain
}

// gain is the share of the segment's weight that another window adds to the best.
func (s *segment) gain(best, a *alignment) float64 {
	g := 0.0
	for i, w := range s.weight {
		if a.pos[i] >= 0 && a.strength[i] > best.strength[i] {
			g += w * (a.strength[i] - best.strength[i])
		}
	}
	return g / max(s.total, 1e-9)
}

// numberAdded reports whether another window has a number of the segment that the best lacks, beside two more of its words: whoever
// checks the number looks for that sentence.
func (s *segment) numberAdded(best, a *alignment) bool {
	adds, shared := false, 0
	for i, c := range s.content {
		switch {
		case exactly(a, i) < 0.9:
		case s.tokens[c].Kind.Has(token.Number):
			adds = adds || best.strength[i] < 0.5
		default:
			shared++
		}
	}
	return adds && shared >= 2
}

// order measures how often the words of the segment stand the other way round in the source.
func (t *turn) order(s *segment, e *evidence) {
	back, steps := 0.0, 0.0
	last := int32(-1)
	for _, p := range e.best.pos {
		if p < 0 {
			continue
		}
		if last >= 0 {
			steps++
			if p < last {
				back++
			}
		}
		last = p
	}
	if steps > 0 {
		e.value[fOrder] = back / steps
	}
}

// common compares all words, function words too, with the window: what was copied shows here.
func (t *turn) common(s *segment, e *evidence) {
	start, end := t.sentences[e.best.from].start, t.sentences[e.best.to-1].end
	toks := s.tokens[:min(len(s.tokens), maxWords)]
	if len(toks) == 0 {
		return
	}
	end = min(end, start+maxWords) // a sentence without an end
	n := end - start
	run := make([]int16, n+1)
	threes := make([]bool, len(toks))
	longest := 0
	for i, tok := range toks {
		id, ok := t.byKey[tok.Key]
		if !ok {
			clear(run)
			continue
		}
		before := int16(0)
		for j := 1; j <= n; j++ {
			up := run[j]
			run[j] = 0
			if t.tokens[start+j-1].term == id {
				run[j] = before + 1
				longest = max(longest, int(run[j]))
				if run[j] >= 3 {
					threes[i], threes[i-1], threes[i-2] = true, true, true
				}
			}
			before = up
		}
	}
	t.operations += n * len(toks)
	three := 0.0
	for _, in := range threes {
		if in {
			three++
		}
	}
	e.value[fRun] = float64(longest) / float64(len(toks))
	e.value[fVerbatim3] = three / float64(len(toks))
}
