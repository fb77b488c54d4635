package attribute

import (
	"slices"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// misdated are the years of a segment that its window has in one sentence, of something else that was done, and all else that the segment tells in another one, which has no date: born in 1931, by
// "They moved in 1931. Their son was born in Rome." Words alone find all of it there.
func (t *turn) misdated(s *segment, e *evidence) []int {
	if s.tongue != token.English || t.tongues[e.best.passage] != token.English || e.best.to-e.best.from < 2 {
		return nil
	}
	if _, data := t.data[e.best.passage]; data || t.table(e.best.passage) != nil || e.value[fLetters] == 1 {
		return nil
	}
	var out []int
	for i, k := range s.content {
		p := int(e.best.pos[i])
		if p < 0 || e.best.via[i] != same || !s.tokens[k].Kind.Has(token.Year) || !s.line().datedBy(k) {
			continue
		}
		if t.tellsOfOther(s, &e.best, i, p) {
			out = append(out, k)
		}
	}
	return out
}

// tellsOfOther reports whether the sentence around the source's year at p, for the i-th word of the segment, has nothing else of the segment but something done of its own, and one other sentence has
// the rest without a date that ties it to the first.
func (t *turn) tellsOfOther(s *segment, a *alignment, i, p int) bool {
	in := func(p int) int {
		n := slices.IndexFunc(t.sentences[a.from:a.to], func(s sentence) bool { return s.start <= p && p < s.end })
		return a.from + n
	}
	here, rest := in(p), -1
	for w := range s.content {
		if w == i || a.pos[w] < 0 {
			continue
		}
		n := in(int(a.pos[w]))
		if n == here || rest >= 0 && n != rest {
			return false
		}
		rest = n
	}
	if rest < 0 {
		return false
	}
	dated, other := t.line(a.passage, t.sentences[here].start, t.sentences[here].end), t.line(a.passage, t.sentences[rest].start, t.sentences[rest].end)
	done := dated.any(func(j int) bool {
		return dated.at(j).Content() && dated.at(j).Kind&(token.Name|token.Capital|token.Number|token.Unit|token.Month) == 0
	})
	return done && (dated.datedBy(p) || dated.key(p-1) == years) && !other.any(func(j int) bool {
		return other.at(j).Kind&(token.Year|token.Month) != 0 || measures[other.key(j)].of == "time" || sameTimes[other.word(j)]
	})
}

// sameTimes are words that tie a sentence to the time of another one.
var sameTimes = token.Words(`then when there this that it during after before later same since while also meanwhile soon`)
