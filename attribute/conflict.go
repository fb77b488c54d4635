package attribute

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// conflict is a particular of the segment that the source denies. Both sides are runs of tokens, [from, to).
type conflict struct {
	kind        string // number, date, name, unit, negation, comparative, quantifier, exchange, role, distance
	from, to    int    // tokens of the segment
	left, right int    // tokens of the turn
	reason      string
	plain       bool // nothing else differs: no judge overrules it
}

// particulars compares numbers, dates, names, units, negations, comparisons and quantifiers with the best window. Words
// that merely lack support are no conflict: the source must have something else in their place.
func (t *turn) particulars(s *segment, e *evidence) []conflict {
	same := e.best.cover >= 0.4
	names, numbers := same || s.agreesBut(&e.best, token.Name), same || s.agreesBut(&e.best, token.Number|token.Month)
	lasts := numbers || s.agreesButTime(&e.best)
	if !names && !lasts && len(t.data[e.best.passage].Values) == 0 && t.table(e.best.passage) == nil {
		return nil // too little in common to speak of the same thing
	}
	c := t.compare(s, e)
	c.hours()
	c.stars()
	c.rows()
	c.houseNumbers()
	c.fields()
	c.addresses()
	if same {
		c.setAside()
		c.exempted()
	}
	c.otherTimes()
	if numbers {
		c.ratios()
		c.conversions()
	}
	if lasts {
		c.spans()
	}
	if numbers {
		c.numbers()
		c.multiplied()
		c.shares()
		c.dates()
	}
	if same {
		c.counterparts()
		c.sequence()
		c.duties()
		c.standing()
		c.certainties()
		c.lessening()
		c.optionals()
		c.loneOnes()
		c.opposites()
		c.particles()
		c.included()
		c.sides()
		c.inTurn()
		c.placesInTurn()
		c.compared()
		c.roles()
		c.doers()
		c.posts()
		c.exchanged()
		c.crosswise()
		c.within()
		c.fews()
		c.ranks()
		c.quantifiers()
		c.minority()
	}
	if names {
		c.names()
	}
	if e.best.cover >= 0.5 {
		c.negations()
		c.distances()
	}
	return c.found
}

// compare puts a segment beside its best window.
func (t *turn) compare(s *segment, e *evidence) comparison {
	c := comparison{t: t, s: s, a: &e.best, e: e, start: t.sentences[e.best.from].start, end: t.sentences[e.best.to-1].end}
	c.mine, c.theirs = s.line(), t.line(e.best.passage, c.start, c.end)
	c.place, c.measured, c.used, c.undoes = make(map[int]int, len(s.content)), map[int]bool{}, make(map[int]bool, len(s.content)), map[int]bool{}
	for i, k := range s.content {
		if p := int(e.best.pos[i]); p >= 0 {
			c.place[k], c.used[p] = p, true
			c.measured[k] = e.best.via[i] == measured
		}
	}
	c.crossed = c.cross()
	return c
}

// conflictWeights is what each kind of conflict takes off the log odds. A number that differs is next to always wrong; a
// name or a negation often differs because the sentence is built otherwise. The shares of supported segments among those
// with a conflict, on training sets: numbers and dates .11, comparisons .15, negations .35, names .38.
var conflictWeights = map[string]float64{"number": 1.6, "date": 1.6, "unit": 1.6, "comparative": 1.2, "quantifier": 1.2, "negation": 0.8, "name": 0.3, "distance": 1.2, "exchange": 1.2, "role": 0.8}

// comparison is one segment beside one window.
type comparison struct {
	t          *turn
	s          *segment
	a          *alignment
	e          *evidence
	start, end int // tokens of the window
	mine       line
	theirs     line
	place      map[int]int  // token of the segment -> token of the turn
	measured   map[int]bool // tokens of the segment that another amount stands for
	used       map[int]bool
	undoes     map[int]bool        // negations of the window that the segment says by an opposite
	crossed    *crossing           // nil where no comparison stands the other way round
	converse   bool                // one side denies within a bound what the other says beyond it
	elsewhen   [][2]int            // times and cases of the segment of which it denies what the source says of others, or says what it denies
	exempt     [][2]int            // sentences of the window that take out what the segment speaks of, as it does
	settled    [2]int              // tokens of the segment that have been compared with data
	telling    map[string][]teller // words of the segment that tell of fields with a word in their name
	found      []conflict
}

func (c *comparison) add(kind string, from, to, left, right int, reason string) {
	if c.settled[0] <= from && to <= c.settled[1] {
		return
	}
	if slices.ContainsFunc(c.elsewhen, func(at [2]int) bool { return at[0] <= from && to <= at[1] }) {
		return
	}
	for _, f := range c.found {
		if f.from < to && from < f.to {
			return // one finding for one place
		}
	}
	plain := !reckonable[kind] || c.rest(from, to) >= nothingElse
	c.found = append(c.found, conflict{kind, from, to, left, right, reason, plain})
}

// reckonable are the kinds of conflicts that a judge may overrule who is sure: a statement may say what follows from the source's numbers and
// dates, unless it says all else in the source's words.
var reckonable = map[string]bool{"number": true, "date": true}

// nothingElse is the cover of all other words from which a number is the only thing that differs.
const nothingElse = 0.9

// otherTongues reports whether the segment or the passage is in another language than English, whose small words say what a list here cannot know.
func (c *comparison) otherTongues() bool {
	return c.s.tongue != nil || c.t.tongues[c.a.passage] != nil
}

// said gives the words of a run of the segment, and source those of a run of the turn.
func (c *comparison) said(from, to int) string {
	return strings.Join(strings.Fields(c.s.text[c.s.tokens[from].At.Start:c.s.tokens[to-1].At.End]), " ")
}

func (c *comparison) source(left, right int) string {
	text := c.t.passages[c.a.passage].Chunk.Text
	return text[c.t.tokens[left].start:c.t.tokens[right-1].end]
}

func (c *comparison) instead(from, to, left, right int) string {
	return fmt.Sprintf("says %q, the source says %q", c.said(from, to), c.source(left, right))
}

// near is how far a token of the window stands from where the segment's token would be: the distance to the matched
// neighbours on both sides.
func (c *comparison) near(k, j int) int {
	best := math.MaxInt32
	seen := 0
	for d := 1; d <= 8 && seen < 2; d++ {
		for _, n := range []int{k - d, k + d} {
			if p, ok := c.place[n]; ok && c.sentence(p) == c.sentence(j) {
				gap := p - j
				if gap < 0 {
					gap = -gap
				}
				best = min(best, gap+d-1)
				seen++
			}
		}
	}
	return best
}

// sentence is the one of the window's sentences that holds a token.
func (c *comparison) sentence(j int) int {
	i := c.a.from
	for i+1 < c.a.to && c.t.sentences[i+1].start <= j {
		i++
	}
	return i
}

// around is the line of that sentence.
func (c *comparison) around(j int) line {
	l, s := c.theirs, c.t.sentences[c.sentence(j)]
	l.start, l.end = s.start, s.end
	return l
}

// lines are those of the window's sentences, as far as they are compared.
func (c *comparison) lines() iter.Seq[line] {
	return func(yield func(line) bool) {
		for _, s := range c.t.sentences[c.a.from:c.a.to] {
			if !yield(c.t.line(c.a.passage, s.start, min(s.end, c.start+maxWords))) {
				return
			}
		}
	}
}

// tells reports whether the sentence around a token of the window tells enough of the segment by itself to speak of the same
// thing, or still more of the clause around the words [from, to), for an answer joins what its sources say apart. These words
// are left aside. What other sentences tell does not count, but for names: a sentence seldom repeats of whom it speaks.
func (c *comparison) tells(j, from, to int, enough float64) bool {
	n := c.sentence(j)
	share := func(left, right int) float64 {
		got, all := 0.0, 0.0
		for i := left; i < right; i++ {
			if k := c.s.content[i]; k < from || k >= to {
				all += c.s.weight[i]
				if p := c.a.pos[i]; p < 0 || c.sentence(int(p)) == n || c.s.tokens[k].Kind.Has(token.Name) {
					got += c.s.weight[i] * c.a.strength[i]
				}
			}
		}
		if all == 0 {
			return 0
		}
		return got / all
	}
	if share(0, len(c.s.content)) >= enough {
		return true
	}
	return slices.ContainsFunc(c.s.clauses(), func(clause [2]int) bool {
		return c.s.content[clause[0]] <= from && from <= c.s.content[clause[1]-1] && share(clause[0], clause[1]) >= enough+0.2
	})
}

// nearest finds the free token of the window that fits and stands nearest to the place of token k. It looks only around the
// matched neighbours of k, for a sentence may have no end.
func (c *comparison) nearest(k, reach int, fits func(word32) bool) int {
	var around []int
	for n := k - 8; n <= k+8; n++ {
		if p, ok := c.place[n]; ok && n != k {
			around = append(around, p)
		}
	}
	slices.Sort(around)
	best, at, j := reach+1, -1, c.start
	for _, p := range around {
		for j = max(j, p-reach); j < min(c.end, p+reach+1); j++ {
			c.t.operations++
			if c.used[j] || !fits(c.t.tokens[j]) {
				continue
			}
			if d := c.near(k, j); d < best {
				best, at = d, j
			}
		}
	}
	return at
}

// restAgrees is the cover from which all agrees but a name or a number. These weigh much: of a short sentence the rest may be less
// than half.
const restAgrees = 0.8

// agreesBut reports whether all agrees but words of a kind.
func (s *segment) agreesBut(a *alignment, k token.Kind) bool {
	return s.coverOf(a, func(i int) bool { return a.strength[i] > 0 || s.tokens[s.content[i]].Kind&k == 0 }) >= restAgrees
}

// agreesButTime reports whether all agrees but how long something took.
func (s *segment) agreesButTime(a *alignment) bool {
	return s.tells(takingTime) && s.coverOf(a, func(i int) bool {
		tok := s.tokens[s.content[i]]
		return a.strength[i] > 0 || tok.Kind&(token.Number|token.Unit) == 0 && !takingTime[strings.ToLower(tok.At.In(s.text))]
	}) >= restAgrees
}

// rest is the cover of the segment without the tokens [from, to).
func (c *comparison) rest(from, to int) float64 {
	return c.s.coverOf(c.a, func(i int) bool { return c.s.content[i] < from || c.s.content[i] >= to })
}

// coverOf is the cover of some of the content words.
func (s *segment) coverOf(a *alignment, counts func(i int) bool) float64 {
	got, all := 0.0, 0.0
	for i := range s.content {
		if counts(i) {
			got, all = got+s.weight[i]*a.strength[i], all+s.weight[i]
		}
	}
	if all == 0 {
		return 0
	}
	return got / all
}

// holding is the part of a window in which the conflicts stand.
func (t *turn) holding(all []conflict, w window) window {
	from, to := w.to, w.from
	for _, c := range all {
		for i := w.from; i < w.to; i++ {
			if t.sentences[i].start < c.right && c.left < t.sentences[i].end {
				from, to = min(from, i), max(to, i+1)
			}
		}
	}
	if from >= to {
		return w
	}
	return window{w.passage, from, to}
}

// contradictions puts conflicts into the form of the record.
func (t *turn) contradictions(s *segment, e *evidence, base int) []ibid.Contradiction {
	var out []ibid.Contradiction
	for i, c := range e.conflicts {
		if c.kind == "negation" && slices.ContainsFunc(e.conflicts[:i], func(b conflict) bool { return b.kind == c.kind && b.left == c.left }) {
			continue // one negation is named once, however many words it denies
		}
		of := ibid.Span{Start: s.tokens[c.from].At.Start, End: s.tokens[c.to-1].At.End}
		to := ibid.Span{Start: int(t.tokens[c.left].start), End: int(t.tokens[c.right-1].end)}
		out = append(out, ibid.Contradiction{Of: of.Shift(base), To: t.anchor(e.best.passage, to), Kind: c.kind, Reason: c.reason})
	}
	return out
}
