package attribute

import "github.com/ibid-dev/ibid/attribute/internal/token"

// disagree looks for what speaks against the segment: a negation on one side only, an opposite, another word, name or
// number in the place where the segment has its own.
func (t *turn) disagree(s *segment, e *evidence) {
	t.negations(s, e)
	t.opposites(s, e)
	t.substitutions(s, e)
}

// negations compares, word by word, whether the segment and the source say it with a negation shortly before.
func (t *turn) negations(s *segment, e *evidence) {
	differ, total := 0.0, 0.0
	start := t.sentences[e.best.from].start
	for i, c := range s.content {
		p := e.best.pos[i]
		if p < 0 {
			continue
		}
		w := s.weight[i]
		total += w
		here := false
		for k := c - 1; k >= max(0, c-4); k-- {
			here = here || s.tokens[k].Kind.Has(token.Negation)
		}
		there := false
		for k := int(p) - 1; k >= max(start, int(p)-4); k-- {
			there = there || t.tokens[k].kind.Has(token.Negation)
		}
		if here != there && !t.tokens[p].kind.Has(token.Number) {
			differ += w
		}
	}
	if total > 0 {
		e.value[fNegation] = differ / total
	}
}

// opposites counts words of the segment whose opposite stands in the window.
func (t *turn) opposites(s *segment, e *evidence) {
	start, end := t.sentences[e.best.from].start, t.sentences[e.best.to-1].end
	for i, c := range s.content {
		if e.best.pos[i] >= 0 {
			continue
		}
		for _, key := range known().opposite[s.tokens[c].Key] {
			if id, ok := t.byKey[key]; ok && t.nearest(id, start, end, -1) >= 0 {
				e.value[fAntonym]++
				break
			}
		}
	}
}

// substitutions finds names and numbers that the source replaces: the neighbours match, the word between them does not.
func (t *turn) substitutions(s *segment, e *evidence) {
	a := &e.best
	used := map[int32]bool{}
	for _, p := range a.pos {
		if p >= 0 {
			used[p] = true
		}
	}
	start, end := int32(t.sentences[a.from].start), int32(t.sentences[a.to-1].end)
	for i, c := range s.content {
		k := s.tokens[c].Kind
		if k&(token.Name|token.Number) == 0 || a.pos[i] >= 0 || a.strength[i] >= 0.5 {
			continue
		}
		lo, hi := start, end
		l, r := prevMatched(a, i), nextMatched(a, i)
		if l < 0 && r < 0 {
			continue
		}
		if l >= 0 {
			lo = a.pos[l] + 1
			hi = min(hi, lo+6)
		}
		if r >= 0 {
			if l < 0 {
				lo = max(lo, a.pos[r]-6)
			}
			hi = min(hi, a.pos[r])
		}
		for j := lo; j < hi; j++ {
			o := t.tokens[j]
			tm := &t.terms[o.term]
			if used[j] || o.kind.Has(token.Stop) {
				continue
			}
			switch {
			case k.Has(token.Number) && tm.kind.Has(token.Number):
				e.value[fSwapNumber]++
			case k.Has(token.Name) && o.kind.Has(token.Name):
				e.value[fSwapName]++
			default:
				continue
			}
			used[j] = true
			break
		}
	}
}

func prevMatched(a *alignment, i int) int {
	for i--; i >= 0; i-- {
		if a.pos[i] >= 0 {
			return i
		}
	}
	return -1
}

func nextMatched(a *alignment, i int) int {
	for i++; i < len(a.pos); i++ {
		if a.pos[i] >= 0 {
			return i
		}
	}
	return -1
}
