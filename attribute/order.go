package attribute

import (
	"cmp"
	"math"
	"slices"
)

// rank says how good a window is for the measures: what it covers, and how short it is.
func rank(a alignment) float64 {
	return a.strict + 0.5*(a.cover-a.strict) - 0.02*float64(a.to-a.from-1)
}

func sortAlignments(t *turn, all []alignment, by func(alignment) float64) {
	slices.SortStableFunc(all, func(a, b alignment) int {
		return cmp.Or(cmp.Compare(by(b), by(a)), cmp.Compare(a.to-a.from, b.to-b.from), cmp.Compare(t.sentences[a.from].hash, t.sentences[b.from].hash))
	})
}

// perPassage keeps the best window of each passage but the first's.
func perPassage(all []alignment) []alignment {
	var out []alignment
	seen := map[int]bool{all[0].passage: true}
	for _, a := range all[1:] {
		if !seen[a.passage] {
			seen[a.passage] = true
			out = append(out, a)
		}
	}
	return out
}

// complement finds the window that covers most of what the best one leaves.
func (t *turn) complement(s *segment, best alignment, all []alignment) alignment {
	gain := 0.0
	var out alignment
	for _, a := range all[1:] {
		g := 0.0
		for i, w := range s.weight {
			if a.pos[i] >= 0 && a.strength[i] > best.strength[i] {
				g += w * (a.strength[i] - best.strength[i])
			}
		}
		if g > gain {
			gain, out = g, a
		}
	}
	return out
}

// order measures whether the words of the segment stand in the source as they stand in the segment.
func (t *turn) order(s *segment, e *evidence) {
	v := &e.value
	a := &e.best
	var near, next, total, back, steps float64
	prev := -1
	lo, hi := int32(math.MaxInt32), int32(-1)
	for i := range s.content {
		if a.pos[i] < 0 {
			prev = -1
			continue
		}
		lo, hi = min(lo, a.pos[i]), max(hi, a.pos[i])
		if prev >= 0 {
			d := a.pos[i] - a.pos[prev]
			if d > 0 && d <= int32(s.content[i]-s.content[prev])+1 {
				next++
			}
			if d > -4 && d < 7 && d != 0 {
				near++
			}
		}
		prev = i
	}
	last := -1
	for i := range s.content {
		if a.pos[i] < 0 {
			continue
		}
		if last >= 0 {
			steps++
			if a.pos[i] < a.pos[last] {
				back++
			}
		}
		last = i
	}
	if n := len(s.content); n > 1 {
		total = float64(n - 1)
		v[fBigram], v[fSkip] = next/total, near/total
	}
	if steps > 0 {
		v[fOrder] = back / steps
	}
	if hi >= lo && len(s.tokens) > 0 {
		v[fSpread] = math.Log1p(float64(hi-lo+1)) - math.Log1p(float64(len(s.tokens)))
	}
	t.common(s, e)
}

// common compares all words, function words too, with the window: what was copied shows here.
func (t *turn) common(s *segment, e *evidence) {
	v := &e.value
	start, end := t.sentences[e.best.from].start, t.sentences[e.best.to-1].end
	toks := s.tokens
	if len(toks) > maxWords {
		toks = toks[:maxWords]
	}
	if len(toks) == 0 {
		return
	}
	ids := make([]int32, len(toks))
	for i, tok := range toks {
		ids[i] = -1
		if id, ok := t.byKey[tok.key]; ok {
			ids[i] = id
		}
	}
	if end-start > 400 {
		end = start + 400 // a sentence without an end
	}
	n := end - start
	lcs := make([]int16, n+1)
	run := make([]int16, n+1)
	threes := make([]bool, len(toks))
	longest, chars := 0, 0
	used := make([]bool, n)
	for i, id := range ids {
		diag, diagRun := int16(0), int16(0)
		for j := 1; j <= n; j++ {
			up, upRun := lcs[j], run[j]
			if id >= 0 && t.tokens[start+j-1].term == id {
				lcs[j] = diag + 1
				run[j] = diagRun + 1
				used[j-1] = true
				if int(run[j]) >= 3 {
					threes[i], threes[i-1], threes[i-2] = true, true, true
				}
				if int(run[j]) > longest {
					longest = int(run[j])
					chars = toks[i].at.End - toks[i-longest+1].at.Start
				}
			} else {
				lcs[j] = max(up, lcs[j-1])
				run[j] = 0
			}
			diag, diagRun = up, upRun
		}
	}
	t.operations += n * len(toks)
	v[fLCS] = float64(lcs[n]) / float64(len(toks))
	v[fRun] = float64(longest) / float64(len(toks))
	v[fRunChars] = math.Log1p(float64(chars))
	three, stops, shared := 0.0, 0.0, 0.0
	for i, tok := range toks {
		if threes[i] {
			three++
		}
		if tok.kind.has(stop) {
			stops++
			if ids[i] >= 0 && slices.ContainsFunc(t.tokens[start:end], func(w word32) bool { return w.term == ids[i] }) {
				shared++
			}
		}
	}
	v[fVerbatim3] = three / float64(len(toks))
	if stops > 0 {
		v[fStops] = shared / stops
	}
	// how much of the best sentence the segment says
	weight, got := 0.0, 0.0
	for j := start; j < end; j++ {
		tm := &t.terms[t.tokens[j].term]
		if tm.kind.has(stop) {
			continue
		}
		weight += float64(tm.weight)
		if used[j-start] || slices.Contains(e.best.pos, int32(j)) {
			got += float64(tm.weight)
		}
	}
	if weight > 0 {
		v[fReverse] = got / weight
	}
}
