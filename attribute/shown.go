package attribute

import (
	"cmp"
	"math"
	"slices"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// Which window is shown as evidence is a question of its own, apart from how well the words are covered: people point at
// the one sentence that says it. These are the facts that decide.
const (
	sDistinct  = iota // words that are rare among the turn's sentences, as they are
	sLent             // words that title and context lend
	sTogether         // neighbouring words that are near each other in the window
	sSentences        // sentences after the first: each must say much of its own
	sPairs            // pairs of words that stand side by side in both, function words too
	sAround           // words that only the sentences around the window have
	sClause           // a clause that is covered better than the whole
	sPassage          // cover by the whole passage, which decides between passages
	sNumbers          // numbers that the passage has: one with others in their place is hardly the source
	numShown
)

// facts of a window as evidence.
type facts [numShown]float64

// shownWeights say how much each fact counts. `go run ./attribute/train shown` fits those of windows beside the first; the
// two of passages were chosen by leaving families out.
var shownWeights = facts{1, 0.05, 0.25, -0.5, 0.35, 0.25, 0.15, 0.7, 0.7}

var shownNames = [numShown]string{
	"rare words", "lent words", "words near each other", "further sentences", "words side by side", "words around", "best clause",
	"the whole passage", "numbers in the passage",
}

func (f *facts) score() float64 {
	sum := 0.0
	for i, w := range shownWeights {
		sum += w * f[i]
	}
	return sum
}

// near is how many sentences on either side count as around a window.
const near = 2

// closely bounds the windows for which the dearer facts are measured.
const closely = 12

// shown keeps of each passage the window that says the segment best, best first.
func (t *turn) shown(s *segment, all []alignment, sc *scratch) []alignment {
	var out []alignment
	for _, a := range t.fit(s, all, closely, sc) {
		if !of(out, a.passage) {
			out = append(out, *a)
		}
	}
	return out
}

// fit measures how well each window serves as evidence, the best first. The dearer facts are measured for the first few by
// the others, and for the first of every passage.
func (t *turn) fit(s *segment, all []alignment, closely int, sc *scratch) []*alignment {
	rare := t.rareHere(s)
	out := sc.fits[:0]
	for i := range all {
		a := &all[i]
		if of := slices.IndexFunc(all[:i], func(b alignment) bool { return b.passage == a.passage }); of >= 0 {
			a.facts[sPassage], a.facts[sNumbers] = all[of].facts[sPassage], all[of].facts[sNumbers]
		} else {
			lo, hi := t.firsts[a.passage], t.firsts[a.passage+1]
			a.facts[sPassage], a.facts[sNumbers] = t.coverBy(s, a, lo, hi), t.numbersIn(s, lo, hi)
		}
		a.facts[sDistinct], a.facts[sLent], a.facts[sTogether], a.facts[sSentences] = a.distinct(rare), a.cover-a.strict, a.together(), float64(a.to-a.from-1)
		a.fit = a.facts.score()
		out = append(out, a)
	}
	sc.fits = out
	t.sortByFit(out)
	clauses := s.clauses()
	sc.neighbours.read(t, s)
	for i, a := range out {
		if i >= closely && slices.ContainsFunc(out[:i], func(b *alignment) bool { return b.passage == a.passage }) {
			continue
		}
		lo, hi := max(t.firsts[a.passage], a.from-near), min(t.firsts[a.passage+1], a.to+near)
		a.facts[sPairs] = t.sideBySide(s, a.window, i+1, sc)
		a.facts[sAround] = t.coverBy(s, a, lo, hi) - a.cover
		a.facts[sClause] = a.bestClause(s, clauses) - a.strict
		a.fit = a.facts.score()
	}
	t.sortByFit(out)
	return out
}

func (t *turn) sortByFit(all []*alignment) {
	slices.SortStableFunc(all, func(a, b *alignment) int {
		switch x, y := a.to-a.from, b.to-b.from; {
		case a.fit != b.fit:
			return cmp.Compare(b.fit, a.fit)
		case x != y:
			return x - y
		}
		return cmp.Compare(t.sentences[a.from].hash, t.sentences[b.from].hash)
	})
}

// rareHere weighs each content word by how few sentences of the turn have it: the words of the subject stand everywhere
// and tell no sentence from another. A word that no source has weighs nothing, and all of them together 1.
func (t *turn) rareHere(s *segment) []float64 {
	n := float64(len(t.sentences))
	out := make([]float64, len(s.weight))
	sum := 0.0
	for i, w := range s.weight {
		if len(s.options[i]) == 0 {
			continue
		}
		if have := len(t.terms[s.options[i][0].term].postings); have > 0 {
			out[i] = w * math.Log((n+1)/(float64(have)+0.5))
			sum += out[i]
		}
	}
	for i := range out {
		out[i] /= max(sum, 1e-9)
	}
	return out
}

// distinct is the share of the rare words that the window has as they are.
func (a *alignment) distinct(rare []float64) float64 {
	sum := 0.0
	for i, w := range rare {
		if a.pos[i] >= 0 && a.via[i] <= derived {
			sum += w * a.strength[i]
		}
	}
	return sum
}

// together is the share of neighbouring words that are near each other in the window too.
func (a *alignment) together() float64 {
	n := 0.0
	for i := 1; i < len(a.pos); i++ {
		if d := a.pos[i] - a.pos[i-1]; a.pos[i] >= 0 && a.pos[i-1] >= 0 && d >= 1 && d <= 4 {
			n++
		}
	}
	return n / float64(len(a.pos))
}

// coverBy is the share of the weight that the window covers together with the sentences [from, to).
func (t *turn) coverBy(s *segment, a *alignment, from, to int) float64 {
	sum := 0.0
	for i, w := range s.weight {
		best := a.strength[i]
		for _, o := range s.options[i] {
			if best < o.strength && t.holds(o.term, from, to) {
				best = o.strength
			}
		}
		sum += w * best
	}
	return sum / max(s.total, 1e-9)
}

// numbersIn is the share of the weight that numbers of the segment have which stand in the sentences [from, to).
func (t *turn) numbersIn(s *segment, from, to int) float64 {
	sum := 0.0
	for i, w := range s.weight {
		if s.tokens[s.content[i]].Kind.Has(token.Number) && len(s.options[i]) > 0 && t.holds(s.options[i][0].term, from, to) {
			sum += w
		}
	}
	return sum / max(s.total, 1e-9)
}

// neighbours are the pairs of words that stand side by side in a segment, function words too.
type neighbours struct {
	all   []pair
	slots [1024]int16 // 1 + the pair that hashes there or to a slot before it, 0 for none; there are more than twice maxWords
}

// pair is two words by their terms.
type pair struct {
	first, second int32
	count         float64 // how often the segment has it
	seen          int     // in which window it was found last
}

// slot is where a pair stands or would.
func (p *neighbours) slot(first, second int32) *int16 {
	for at := (uint32(first)*0x9E3779B1 + uint32(second)*0x85EBCA77) >> 22; ; at++ {
		n := &p.slots[at%uint32(len(p.slots))]
		if *n == 0 || p.all[*n-1].first == first && p.all[*n-1].second == second {
			return n
		}
	}
}

// read notes the pairs of a segment in place of those of the one before.
func (p *neighbours) read(t *turn, s *segment) {
	clear(p.slots[:])
	p.all = p.all[:0]
	last := int32(-1)
	for _, tok := range s.tokens[:min(len(s.tokens), maxWords)] {
		id, ok := t.byKey[tok.Key]
		if !ok {
			id = -1
		}
		if id >= 0 && last >= 0 {
			n := p.slot(last, id)
			if *n == 0 {
				p.all = append(p.all, pair{first: last, second: id})
				*n = int16(len(p.all))
			}
			p.all[*n-1].count++
		}
		last = id
	}
}

// sideBySide is the share of the segment's pairs that stand in a window, of which each has a number of its own.
func (t *turn) sideBySide(s *segment, w window, number int, sc *scratch) float64 {
	sum := 0.0
	start, end := t.sentences[w.from].start, t.sentences[w.to-1].end
	for j := start + 1; j < end; j++ {
		n := *sc.neighbours.slot(t.tokens[j-1].term, t.tokens[j].term)
		if n == 0 {
			continue
		}
		if p := &sc.neighbours.all[n-1]; p.seen != number {
			p.seen = number
			sum += p.count
		}
	}
	t.operations += end - start
	return sum / float64(max(1, min(len(s.tokens), maxWords)-1))
}

// bestClause is the cover by the window's own words of the clause that they cover best.
func (a *alignment) bestClause(s *segment, clauses [][2]int) float64 {
	best := 0.0
	for _, c := range clauses {
		got, total := 0.0, 0.0
		for i := c[0]; i < c[1]; i++ {
			total += s.weight[i]
			if a.pos[i] >= 0 {
				got += s.weight[i] * a.strength[i]
			}
		}
		if total > 0 {
			best = max(best, got/total)
		}
	}
	return best
}

// Shown is a window that could be shown as evidence, for the training command.
type Shown struct {
	Ref   int
	At    ibid.Span // within the passage's text
	Facts []float64 // in the order of ShownWeights
}

// ShownWeights are the names of the facts that decide which window is shown and how much each counts.
func ShownWeights() (names []string, weights []float64) {
	return shownNames[:], slices.Clone(shownWeights[:])
}

// Windows gives for each segment all windows that could be shown, with their facts.
func Windows(passages []ibid.Passage, drafts []ibid.Draft) [][]Shown {
	t := newTurn(passages)
	var sc scratch
	out := make([][]Shown, len(drafts))
	for i, d := range drafts {
		s := t.read(d.Text)
		top := t.search(s, &sc)
		if len(top) == 0 {
			continue
		}
		all := t.alignAll(s, top, &sc)
		for _, a := range t.fit(s, all, len(all), &sc) {
			out[i] = append(out[i], Shown{t.passages[a.passage].Rank, t.span(a.window), slices.Clone(a.facts[:])})
		}
	}
	return out
}
