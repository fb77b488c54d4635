package attribute

import (
	"math"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// alignment says which word of a window stands for each content word of a segment.
type alignment struct {
	window
	pos      []int32 // index into turn.tokens, -1 where there is none
	strength []float64
	via      []via
	strict   float64 // share of the weight that the window's own words cover
	cover    float64 // with the words that title and context lend
	facts    facts
	fit      float64 // how well it serves as evidence to be shown: what the facts come to
}

// align matches a segment with a window.
func (t *turn) align(s *segment, w window, sc *scratch) alignment {
	r := rooms(1, len(s.content))
	a := r.alignment(w)
	t.match(s, &a, sc)
	return a
}

// room is where alignments are written that are made together.
type room struct {
	words    int // of each
	pos      []int32
	strength []float64
	via      []via
}

func rooms(alignments, words int) room {
	n := alignments * words
	return room{words, make([]int32, n), make([]float64, n), make([]via, n)}
}

// alignment is one of nothing yet, in what is left of the room.
func (r *room) alignment(w window) alignment {
	n := r.words
	a := alignment{window: w, pos: r.pos[:n:n], strength: r.strength[:n:n], via: r.via[:n:n]}
	r.pos, r.strength, r.via = r.pos[n:], r.strength[n:], r.via[n:]
	return a
}

// match finds what stands for each word of a segment in an alignment's window. Of the places of a word it takes the strongest match, and of equals
// the one that best goes on after the word before.
func (t *turn) match(s *segment, a *alignment, sc *scratch) {
	w := a.window
	start, end := t.sentences[w.from].start, t.sentences[w.to-1].end
	sc.collect(t, start, end)
	prev := int32(-1)
	for i := range s.content {
		a.pos[i] = -1
		cost := int32(0)
		for _, o := range s.options[i] {
			places := sc.of(o.slot)
			if len(places) == 0 || o.strength < a.strength[i] {
				continue
			}
			t.operations++
			p := after(places, prev)
			d := distance(p, prev)
			if o.strength > a.strength[i] || d < cost || d == cost && p < a.pos[i] {
				a.pos[i], a.strength[i], a.via[i], cost = p, o.strength, o.via, d
			}
		}
		if a.pos[i] >= 0 {
			prev = a.pos[i]
		}
	}
	t.expandAliases(s, a, start, end)
	near := min(end, start+maxWords) // a sentence without an end
	kinds := t.kinds(w)
	t.expandInitials(s, a, kinds, start, near)
	t.expandAmounts(s, a, sc, start, near)
	t.expandTurned(s, a, start, near)
	t.lend(s, a)
	if kinds.Has(token.Pronoun) {
		t.lendSubject(s, a)
	}
	if s.total > 0 {
		for i, w := range s.weight {
			a.cover += w * a.strength[i]
			if a.pos[i] >= 0 {
				a.strict += w * a.strength[i]
			}
		}
		a.cover /= s.total
		a.strict /= s.total
	}
}

// kinds are those of a window's tokens.
func (t *turn) kinds(w window) token.Kind {
	all := token.Kind(0)
	for _, s := range t.sentences[w.from:w.to] {
		all |= s.kinds
	}
	return all
}

// after finds of some places in order the one that best goes on after prev, and of equals the first. It is next to prev, on one
// side or the other.
func after(places []int32, prev int32) int32 {
	i, _ := slices.BinarySearch(places, prev+1)
	switch {
	case i == len(places):
		return places[i-1]
	case i > 0 && distance(places[i-1], prev) <= distance(places[i], prev):
		return places[i-1]
	}
	return places[i]
}

// distance says how badly a place goes on after another: backwards is worse than forwards.
func distance(pos, prev int32) int32 {
	if prev < 0 {
		return 0
	}
	if d := pos - prev - 1; d >= 0 {
		return d
	}
	return prev - pos + 3
}

// nearest finds the place of a term in [start, end) that best goes on after prev, -1 where there is none.
func (t *turn) nearest(id int32, start, end int, prev int32) int32 {
	best, cost := int32(-1), math.MaxInt32
	for j := start; j < end; j++ {
		if t.tokens[j].term != id {
			continue
		}
		d := 0
		if prev >= 0 {
			if d = j - int(prev) - 1; d < 0 {
				d = 2 - d
			}
		}
		if d < cost {
			best, cost = int32(j), d
		}
	}
	t.operations += end - start
	return best
}

// expandAliases lets a short form stand for its long form and the other way round, where a source defines it.
func (t *turn) expandAliases(s *segment, a *alignment, start, end int) {
	if len(t.aliases) == 0 {
		return
	}
	for i, c := range s.content {
		if a.pos[i] >= 0 {
			continue
		}
		if long, ok := t.aliases[s.tokens[c].Key]; ok {
			at := int32(-1)
			for _, key := range long {
				id, ok := t.byKey[key]
				if !ok {
					at = -1
					break
				}
				if at = t.nearest(id, start, end, at); at < 0 {
					break
				}
			}
			if at >= 0 {
				a.pos[i], a.strength[i], a.via[i] = at, 1, alias
			}
		}
	}
	for j := start; j < end; j++ {
		long := t.terms[t.tokens[j].term].long
		if long == nil {
			continue
		}
		for i, c := range s.content {
			if a.pos[i] < 0 {
				for _, key := range long {
					if key == s.tokens[c].Key {
						a.pos[i], a.strength[i], a.via[i] = int32(j), 1, alias
					}
				}
			}
		}
	}
}

// expandInitials lets EU stand for European Union and the other way round, though no source says so.
func (t *turn) expandInitials(s *segment, a *alignment, kinds token.Kind, start, end int) {
	if kinds&(token.Capital|token.Acronym) == 0 {
		return
	}
	mine, theirs := s.line(), t.line(a.passage, start, end)
	for i, c := range s.content {
		tok := &s.tokens[c]
		if a.pos[i] >= 0 || !tok.Kind.Has(token.Capital) || tok.Kind.Has(token.Lookalike) || !tok.Kind.Has(token.Acronym) && !kinds.Has(token.Acronym) {
			continue
		}
		t.operations += end - start
		for j := start; j < end; j++ {
			switch k := t.tokens[j].kind; {
			case tok.Kind.Has(token.Acronym) && k.Has(token.Capital) && theirs.spells(j, mine.text(c)) > 0:
				a.pos[i], a.strength[i], a.via[i] = int32(j), 1, alias
			case k.Has(token.Acronym):
				s.stands(a, c, mine.spells(c, theirs.text(j)), j, 1, alias)
			}
		}
	}
}

// spells reports where the words end that begin with the letters of an acronym, from the one at i on, small words between
// them left out; 0 where they do not.
func (l line) spells(i int, short string) int {
	short = strings.TrimSuffix(strings.ReplaceAll(short, ".", ""), "s") // MCQs
	for n := 0; i < l.end; i++ {
		switch w := l.text(i); {
		case w[0] == short[n] && len(w) > 1 && l.at(i).Kind.Has(token.Capital):
			if n++; n == len(short) {
				return i + 1
			}
		case n == 0 || !l.at(i).Kind.Has(token.Stop):
			return 0
		}
	}
	return 0
}

// lend covers words that the window leaves out because they were said before: the title, the rest of a name of which a
// part stands there, a word of the sentences just before.
func (t *turn) lend(s *segment, a *alignment) {
	lo := max(t.firsts[a.passage], a.from-6)
	for i, c := range s.content {
		if a.pos[i] >= 0 {
			continue
		}
		tok := &s.tokens[c]
		if tok.Kind.Has(token.Number) || tok.Kind.Has(token.Lookalike) {
			continue
		}
		for _, o := range s.options[i] {
			for _, id := range t.titles[a.passage] {
				if id == o.term {
					a.strength[i], a.via[i] = 0.8*o.strength, titled
				}
			}
		}
		if a.via[i] == unmatched && len(s.options[i]) > 0 && lo < a.from && t.holds(s.options[i][0].term, lo, a.from) {
			a.strength[i], a.via[i] = 0.5*s.options[i][0].strength, earlier
		}
		if a.via[i] == unmatched && tok.Kind.Has(token.Name) && t.partOfName(s, a, i) {
			a.strength[i], a.via[i] = 0.7, named
		}
	}
}

// partOfName reports whether a neighbour in the same name is matched, and the source has no other name in its place.
func (t *turn) partOfName(s *segment, a *alignment, i int) bool {
	for _, d := range []int{1, -1, 2, -2} {
		j := i + d
		if j < 0 || j >= len(s.content) || a.pos[j] < 0 || !s.tokens[s.content[j]].Kind.Has(token.Name) {
			continue
		}
		lo, hi := min(i, j), max(i, j)
		if s.content[hi]-s.content[lo] != hi-lo || s.tokens[s.content[hi]].Kind.Has(token.Comma) {
			continue // not one run of names
		}
		place := int(a.pos[j]) - d
		if place < t.sentences[a.from].start || place >= t.sentences[a.to-1].end {
			return true
		}
		if w := t.tokens[place]; !w.kind.Has(token.Capital) || w.kind.Has(token.Stop) {
			return true
		}
	}
	return false
}

// lendSubject forgives names at the head of the segment that the whole passage lacks where a pronoun stands for them, as
// in evidence that was cut out of an article about them.
func (t *turn) lendSubject(s *segment, a *alignment) {
	for i, c := range s.content {
		if !s.tokens[c].Kind.Has(token.Name) && !(i == 0 && s.tokens[c].Kind.Has(token.Capital)) {
			return
		}
		if a.via[i] == unmatched && len(s.options[i]) == 0 {
			a.strength[i], a.via[i] = 0.5, referred
		}
	}
}
