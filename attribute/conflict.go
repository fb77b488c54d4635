package attribute

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
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
	names, numbers := same || s.agreesBut(&e.best, name), same || s.agreesBut(&e.best, number|month)
	if !names && !numbers && len(t.data[e.best.passage].Hours) == 0 && t.table(e.best.passage) == nil {
		return nil // too little in common to speak of the same thing
	}
	c := t.compare(s, e)
	c.hours()
	c.rows()
	if same {
		c.setAside()
	}
	if numbers {
		c.ratios()
		c.numbers()
		c.multiplied()
		c.shares()
		c.dates()
	}
	if same {
		c.counterparts()
		c.opposites()
		c.particles()
		c.included()
		c.sides()
		c.roles()
		c.doers()
		c.posts()
		c.exchanged()
		c.within()
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
	undoes     map[int]bool // negations of the window that the segment says by an opposite
	crossed    *crossing    // nil where no comparison stands the other way round
	converse   bool         // one side denies within a bound what the other says beyond it
	settled    [2]int       // tokens of the segment that have been compared with data
	found      []conflict
}

func (c *comparison) add(kind string, from, to, left, right int, reason string) {
	if c.settled[0] <= from && to <= c.settled[1] {
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

// said gives the words of a run of the segment, and source those of a run of the turn.
func (c *comparison) said(from, to int) string {
	return strings.Join(strings.Fields(c.s.text[c.s.tokens[from].at.Start:c.s.tokens[to-1].at.End]), " ")
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
				if p := c.a.pos[i]; p < 0 || c.sentence(int(p)) == n || c.s.tokens[k].kind.has(name) {
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
func (s *segment) agreesBut(a *alignment, k kind) bool {
	return s.coverOf(a, func(i int) bool { return a.strength[i] > 0 || s.tokens[s.content[i]].kind&k == 0 }) >= restAgrees
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

// opposites finds more beside less, rise beside fall, before beside after.
func (c *comparison) opposites() {
	for k, tok := range c.s.tokens {
		if _, ok := c.place[k]; ok || c.mine.counterpart(k) != 0 {
			continue
		}
		against := slices.Clone(comparatives[tok.key])
		if !tok.kind.has(stop) || amounts[tok.key] == amountAll {
			against = append(against, known().opposite[tok.key]...)
		}
		if len(against) == 0 || tok.kind.has(name) || tok.key == "not" || k+1 < len(c.s.tokens) && c.s.tokens[k+1].kind.has(negation) {
			continue // who has none lacks it
		}
		j := c.nearest(k, 6, func(w word32) bool {
			key := c.t.terms[w.term].key
			return slices.Contains(against, key) && (key != "good" || bad[tok.key]) // of the lexicon's many opposites of good few are plain
		})
		if j < 0 || c.crossed != nil {
			continue // worse than baits is what baits are better than
		}
		if t := c.theirs.denying(c.theirs.at(j).key); t >= 0 && !c.s.deniedAt(k) {
			c.undoes[t] = true
			continue // unpaid is what was not paid
		}
		if stays[tok.key] && c.mine.lets(k) && c.theirs.lets(j) {
			continue // what is let stand is let sit
		}
		if c.mine.key(k+1) == "than" && !c.theirs.compares(j) {
			continue // smaller than another large one
		}
		if !c.tells(j, k, k+1, 0.4) || c.s.deniedAt(k) != c.deniedAt(j) {
			continue // not small is no opposite of big
		}
		if c.agreesNearer(k, j) || c.swapped(k, j) {
			continue // one thing fell, and another rose; notice before entering is entering after notice
		}
		if k > 0 && c.s.tokens[k-1].key == "not" || j > c.start && c.theirs.at(j-1).key == "not" {
			continue // no more than 10 is no opposite of less than 10
		}
		if c.t.tokens[j].kind.has(negation) && !c.t.tokens[j].kind.has(verbal) && (amounts[tok.key] != amountAll || !c.sameNext(k, j)) {
			continue // "not" turns a statement, and is the opposite of no word in it
		}
		c.used[j] = true
		c.add("comparative", k, k+1, j, j+1, c.instead(k, k+1, j, j+1))
	}
}

// swapped reports whether what stands behind the "before" at k stands in front of the "after" at j, or the other way round.
func (c *comparison) swapped(k, j int) bool {
	n := c.mine.next(k)
	p, ok := c.place[n]
	return ok && inTime[c.s.tokens[k].key] && p < j && c.sentence(p) == c.sentence(j)
}

var inTime = keys(`before after`)

// bad are the plain opposites of good.
var bad = keys(`bad worse worst evil terrible`)

// stays are what something does that is let be, by words that are opposites otherwise.
var stays, letting = keys(`sit stand lie rest`), keys(`let leave`)

// lets reports whether the word at i is what something is let or left to do: let it stand.
func (l line) lets(i int) bool {
	for j := i - 1; j >= max(l.start, i-3) && !l.at(j+1).kind.has(comma); j-- {
		if letting[l.at(j).key] {
			return true
		}
	}
	return false
}

// compares reports whether the word at i is one of comparison, as far as its letters tell: smaller, smallest.
func (l line) compares(i int) bool {
	return l.at(i).kind.has(compare) || strings.HasSuffix(l.text(i), "er") || strings.HasSuffix(l.text(i), "est")
}

// particles finds the other one of two small words behind the same word: turn the heat down, turn the heat up.
func (c *comparison) particles() {
	for k := 1; k < len(c.s.tokens); k++ {
		p, ok := c.place[k-1]
		other := opposed[strings.ToLower(c.mine.text(k))]
		if !ok || other == "" || p+1 >= c.end || c.theirs.at(p).key != c.s.tokens[k-1].key || c.t.tokens[p+1].kind.has(comma) || strings.ToLower(c.theirs.text(p+1)) != other || c.s.tokens[k].kind.has(comma) {
			continue
		}
		key, small := c.s.tokens[k-1].key, strings.ToLower(c.mine.text(k))
		if c.theirs.followed(key, small) || c.mine.followed(key, other) || c.mine.key(k+1) == "of" || articles[c.mine.key(k+1)] != articles[c.theirs.key(p+2)] {
			continue // pull-ups and pull-downs; based off of; take the entry off, remove the entry on their own
		}
		if c.tells(p, k, k+1, 0.5) {
			c.add("exchange", k-1, k+1, p, p+2, c.instead(k-1, k+1, p, p+2))
		}
	}
}

// within finds what is in something where the source says that it is outside of it: sales in Europe, sales outside Europe. Who says "outside" may say it of
// what the source leaves out.
func (c *comparison) within() {
	for k, tok := range c.s.tokens {
		p, ok := c.place[k]
		if !ok || !tok.content() || c.theirs.at(p).key != tok.key {
			continue
		}
		mine, at := c.mine.enclosed(k)
		theirs, left := c.around(p).enclosed(p)
		if mine != 1 || theirs != -1 || c.crossed != nil || c.rest(at, k+1) < restAgrees || c.mine.denies() != c.around(p).denies() {
			continue
		}
		if n := p + 1; n < c.end && c.theirs.at(n).content() && !c.theirs.at(n).kind.has(comma) && !c.placed(k+1) {
			continue // outside the Beijing hospital is in Beijing
		}
		if !c.mine.any(func(i int) bool { return strings.EqualFold(c.mine.text(i), "outside") }) {
			c.add("exchange", at, k+1, left, p+1, c.instead(at, k+1, left, p+1))
		}
	}
}

// enclosed reads whether what stands at i has something in it, 1, or outside of it, -1, and where the word for it stands.
func (l line) enclosed(i int) (side, at int) {
	for j := i - 1; j >= max(l.start, i-3) && !l.at(j+1).kind.has(comma); j-- {
		switch key := strings.ToLower(l.text(j)); {
		case key == "in" || key == "within" || key == "inside":
			return 1, j
		case key == "outside":
			return -1, j
		case key != "of" && !articles[l.at(j).key]:
			return 0, 0
		}
	}
	return 0, 0
}

// followed reports whether the line has a word by its normal form with another one behind it.
func (l line) followed(key, by string) bool {
	return l.any(func(i int) bool { return l.at(i).key == key && i+1 < l.end && strings.EqualFold(l.text(i+1), by) })
}

// included finds what comes in addition in place of what is part of it: including tolls, plus tolls; damage with, damage beyond normal wear.
func (c *comparison) included() {
	for k, tok := range c.s.tokens {
		p, ok := c.place[k]
		if !ok || !tok.content() {
			continue
		}
		mine, at := c.mine.addition(k)
		theirs, left := c.around(p).addition(p)
		if mine*theirs == -1 && c.tells(p, at, at+1, 0.5) {
			c.add("exchange", at, k+1, left, p+1, c.instead(at, k+1, left, p+1))
			return
		}
	}
}

// addition reads whether what stands at i is part of what was said before, 1, or comes in addition to it, -1, and where the word for it
// stands. Plus joins much else: it must be to a sum of money.
func (l line) addition(i int) (side, at int) {
	for j := i - 1; j >= max(l.start, i-3); j-- {
		switch word := strings.ToLower(l.text(j)); {
		case l.at(j + 1).kind.has(comma), l.at(j).kind.has(number | negation), l.key(j-1) == "not":
			return 0, 0
		case word == "including" || word == "includes":
			return 1, j
		case word == "beyond" || word == "excluding" || word == "plus" && j > l.start && l.priced(j-1):
			return -1, j
		}
	}
	return 0, 0
}

// priced reports whether a sum of money ends at i: 52 dollars, $52.
func (l line) priced(i int) bool {
	for k := i; k >= max(l.start, i-1); k-- {
		if u, _, to := l.unit(k); l.at(k).kind.has(number) && to == i+1 {
			return quantity(u) == "money"
		}
	}
	return false
}

// articles and the like begin what stands behind a preposition, and not behind a particle.
var articles = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`the a an this that these those its his her their our my your each every any`) {
		m[plainKey(w)] = true
	}
	return m
}()

// opposed are small words that say the opposite of each other behind a noun or a verb.
var opposed = map[string]string{"up": "down", "down": "up", "on": "off", "off": "on", "left": "right", "right": "left"}

// agreesNearer reports whether the window has a word of the same direction as the one at k, nearer to its place than the opposite at j.
func (c *comparison) agreesNearer(k, j int) bool {
	with := comparatives[c.s.tokens[k].key]
	if len(with) == 0 {
		return false
	}
	reach := min(c.near(k, j), 8)
	for i := c.start; i < c.end; i++ {
		if slices.Contains(comparatives[c.theirs.at(i).key], with[0]) && c.near(k, i) <= reach {
			return true
		}
	}
	return false
}

// sameNext reports whether the same word follows a token of the segment and one of the window, small words left out.
func (c *comparison) sameNext(k, j int) bool {
	for n := k + 1; n < min(k+4, len(c.s.tokens)); n++ {
		if p, ok := c.place[n]; ok {
			return p > j && p < j+4
		}
	}
	return false
}

func (s *segment) deniedAt(k int) bool {
	return slices.ContainsFunc(s.tokens[max(0, k-3):k], func(t token) bool { return t.kind.has(negation) })
}

func (c *comparison) deniedAt(j int) bool {
	return slices.ContainsFunc(c.t.tokens[max(c.start, j-3):j], func(w word32) bool { return w.kind.has(negation) })
}

// quantifiers compares all, most, some and none before the same word.
func (c *comparison) quantifiers() {
	for k, tok := range c.s.tokens {
		mine, ok := amounts[tok.key]
		if !ok || k > 0 && c.s.tokens[k-1].kind.has(negation) {
			continue // not all may be some
		}
		if c.mine.often(k) {
			continue // every week is how often, not how many weeks
		}
		if frequencies[tok.key] && k+1 < len(c.s.tokens) && c.s.tokens[k+1].content() && !c.placed(k+1) {
			continue // who rarely goes far usually stays near
		}
		for _, d := range []int{1, 2, 3, 4, -1} {
			p, matched := c.place[k+d]
			if !matched {
				continue
			}
			if j := c.amountBefore(p, tok.key); j >= 0 && !c.theirs.often(j) {
				theirs := amounts[c.t.terms[c.t.tokens[j].term].key]
				if clash(mine, theirs) {
					c.add("quantifier", k, k+1, j, j+1, c.instead(k, k+1, j, j+1))
				}
			} else if a, ok := c.shareOf(p); ok && d > 0 && a.unit != whole && (mine == amountMost && a.value < 50 || mine == amountFew && a.value > 50) {
				c.add("quantifier", k, k+1, a.from, a.to, c.instead(k, k+1, a.from, a.to))
			}
			break
		}
	}
}

// minority finds most of something that the source gives less than half of: digital items made up most of it where 31 % were digital, more women than
// men where 38 % were women.
func (c *comparison) minority() {
	for k, tok := range c.s.tokens {
		from, to := k+1, k+2 // what is said to be most
		switch {
		case tok.key == "more" && c.mine.key(k+2) == "than":
		case (tok.key == "most" || tok.key == major) && c.mine.key(k+1) == "of" && (making[c.mine.key(k-1)] || making[c.mine.key(k-2)]):
			from, to = max(0, k-5), k-1
		default:
			continue
		}
		for i := from; i < min(to, len(c.s.tokens)); i++ {
			p, ok := c.place[i]
			if !ok || c.mine.denies() || c.around(p).denies() {
				continue
			}
			if a, ok := c.around(p).percentBe(p); ok && a.value < 50 && c.tells(p, k, k+1, 0.3) {
				c.add("quantifier", min(k, i), max(k, i)+1, a.from, p+1, c.instead(min(k, i), max(k, i)+1, a.from, p+1))
				break
			}
		}
	}
}

// percentBe finds how many percent are what the word at p says: 38 percent of them were women.
func (l line) percentBe(p int) (amount, bool) {
	for i := p - 2; i >= max(l.start, p-8) && l.key(p-1) == "be"; i-- {
		if a, ok := l.amount(i); ok && l.at(i).kind.has(number) && a.unit == signs['%'] {
			return a, true
		}
	}
	return amount{}, false
}

var major = plainKey("majority")

// making are verbs of what a whole is made of.
var making = keys(`make account constitute form represent`)

// amountBefore finds a quantifier at most four words before a token of the window or just behind it, -1 where the same one stands there.
func (c *comparison) amountBefore(p int, mine string) int {
	at := -1
	within := c.around(p)
	for j := max(within.start, p-5); j < min(within.end, p+3); j++ {
		key := c.t.terms[c.t.tokens[j].term].key
		if key == mine {
			return -1
		}
		if _, ok := amounts[key]; ok && j != p && (at < 0 || j < p) {
			at = j
		}
	}
	return at
}

// shareOf finds the share of what a token of the window names: 2 percent of (the older) patients, a quarter of its body weight.
func (c *comparison) shareOf(p int) (amount, bool) {
	within := c.around(p)
	for j := p - 1; j >= max(within.start, p-4); j-- {
		if within.key(j) != "of" {
			continue
		}
		for i := j - 1; i >= max(within.start, j-4); i-- {
			if a, ok := within.amount(i); ok && (a.unit == "percent" || a.unit == whole) && a.to == j {
				return a, true
			}
		}
	}
	return amount{}, false
}

// clash reports whether the source's amount denies the segment's. Some follows from all, but not the other way round.
func clash(mine, theirs int) bool {
	switch {
	case mine == theirs:
		return false
	case mine == amountAll || mine == amountNone || theirs == amountNone:
		return true
	case mine == amountMost:
		return theirs == amountSome || theirs == amountFew
	case mine == amountFew:
		return theirs == amountMost || theirs == amountAll || theirs == amountMany
	case mine == amountMany:
		return theirs == amountFew
	}
	return false
}

const (
	amountNone = iota
	amountFew
	amountSome
	amountMany
	amountMost
	amountAll
)

// amounts orders the quantifiers by their normal forms.
var amounts = map[string]int{
	"all": amountAll, "everi": amountAll, "alway": amountAll, "each": amountAll, "entir": amountAll, "everyon": amountAll, "whole": amountAll, "complet": amountAll, "both": amountAll,
	"most": amountMost, "major": amountMost, "usual": amountMost, "most of": amountMost,
	"mani": amountMany, "often": amountMany, "frequent": amountMany,
	"some": amountSome, "sever": amountSome, "sometim": amountSome, "part": amountSome, "occasion": amountSome, "half": amountSome,
	"few": amountFew, "rare": amountFew, "seldom": amountFew, "minor": amountFew,
	"none": amountNone, "neither": amountNone,
}

// often reports whether the quantifier at i tells how often by a unit of time: every week, each day.
func (l line) often(i int) bool {
	key := l.at(i).key
	return (key == "everi" || key == "each") && i+1 < l.end && measures[l.at(i+1).key].of == "time"
}

// frequencies are the amounts that say how often the next word holds.
var frequencies = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range []string{"always", "usually", "often", "frequently", "sometimes", "occasionally", "rarely", "seldom"} {
		m[plainKey(w)] = true
	}
	return m
}()

// comparatives are opposites in comparisons and changes, by their normal forms. Each line is read in both directions.
var comparatives = func() map[string][]string {
	m := map[string][]string{}
	for line := range strings.Lines(`more|less fewer
higher high highest|lower low lowest
greater larger bigger|smaller
largest biggest|smallest
older oldest|younger youngest newer
longer longest|shorter shortest
earlier before|later after
faster fastest|slower slowest
increase rise raise grow climb gain|decrease fall decline drop reduce shrink lose cut lessen
closer nearer|away farther further
above over exceed|below under
most|least
first|last
better good best|worse bad worst
stronger strengthen|weaker weaken
warmer hotter|colder cooler
richer|poorer
maximum|minimum
win|lose
accept approve|reject refuse
open|close
begin start|end finish stop
cheap cheaper|expensive costly
north northern|south southern
east eastern|west western
`) {
		a, b, _ := strings.Cut(strings.TrimSpace(line), "|")
		for _, x := range strings.Fields(a) {
			for _, y := range strings.Fields(b) {
				x, y := plainKey(x), plainKey(y)
				m[x], m[y] = append(m[x], y), append(m[y], x)
			}
		}
	}
	return m
}()

// plainKey is the normal form of a word as scan gives it.
func plainKey(w string) string {
	if v, ok := ordinalWords[w]; ok {
		return ordinalKey(v)
	}
	return normal(w)
}

// keys are the normal forms of words, and wordSet the words as they are.
func keys(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[plainKey(w)] = true
	}
	return m
}

func wordSet(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
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
		of := ibid.Span{Start: s.tokens[c.from].at.Start, End: s.tokens[c.to-1].at.End}
		to := ibid.Span{Start: int(t.tokens[c.left].start), End: int(t.tokens[c.right-1].end)}
		out = append(out, ibid.Contradiction{Of: of.Shift(base), To: t.anchor(e.best.passage, to), Kind: c.kind, Reason: c.reason})
	}
	return out
}
