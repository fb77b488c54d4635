package attribute

import (
	"math"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

func (c *comparison) numbers() {
	for k, tok := range c.s.tokens {
		if !tok.Kind.Has(token.Number) && !tok.Kind.Has(token.Ordinal) || tok.Kind.Has(token.Stop) && tok.Num == 1 {
			continue
		}
		if p, ok := c.place[k]; ok {
			if !c.measured[k] {
				c.units(k, p)
				c.bounds(k)
				c.counted(k, p)
				c.rates(k, p)
				c.apiece(k, p)
			}
			continue
		}
		if c.elsewhere(k) || token.IsPower(tok.Num) && (vague[c.mine.key(k-1)] || c.mine.key(k-1) == "of" && c.mine.key(k-2) == couple) {
			continue // several hundred is no number
		}
		reach := 10
		if tok.Kind.Has(token.Year) {
			reach = farYear
		}
		j := c.nearest(k, reach, func(w word32) bool {
			tm := &c.t.terms[w.term]
			return tm.kind&(token.Number|token.Ordinal) == tok.Kind&(token.Number|token.Ordinal) && w.kind&token.Year == tok.Kind&token.Year && !(w.kind.Has(token.Stop) && tm.num == 1)
		})
		if j < 0 {
			continue
		}
		if c.mine.key(k+1) == times && c.mine.key(k+2) == "as" && c.theirs.key(j+1) != times {
			continue // three times as many are no three
		}
		if !c.sameKind(k, j) || token.IsPower(tok.Num) && c.mine.key(k-1) == "per" {
			continue // parts per million
		}
		theirs := c.t.terms[c.t.tokens[j].term].num
		if share, ok := c.mine.share(k); ok && off(share.inWhole(), theirs) < 1e-6 {
			continue // one in four is 1/4
		}
		if a, b := math.Abs(tok.Num), math.Abs(theirs); c.place[k+1] != j+1 && max(a, b) > 2000*min(a, b) {
			continue // millions are not counted in place of a handful, unless it is of the same thing
		}
		mine, first, _ := c.mine.unit(k)
		other, _, _ := c.theirs.unit(j)
		if c.sameBound(k, j) {
			continue // who is under twelve is eleven at the most
		}
		if hedge, at := c.mine.hedge(first); hedge.allows(tok.Num, theirs) || hedge.holds(tok.Num, theirs) && c.mine.key(at-1) != "by" || mine != other && !degrees(mine, other) && (mine != "" && other != "" || c.place[k+1] != j+1) {
			continue // weeks are not counted in messages
		}
		from, to := c.withUnit(k)
		left, right := c.withUnitAt(j)
		sameMonth := !tok.Kind.Has(token.Year) && c.mine.monthIn(from, to) != "" && c.mine.monthIn(from, to) == c.theirs.monthIn(left, right)
		if tok.Kind.Has(token.Number) && !c.agree(k, j) || mine == "" && c.value(j) && !(c.theirs.clock(j) && c.mine.hour(k)) && !sameMonth {
			continue
		}
		if c.mine.clock(k) && !c.theirs.hour(j) || c.theirs.clock(j) && !c.mine.hour(k) {
			continue // nine people are not said in place of 21:00
		}
		if !tok.Kind.Has(token.Year) && (c.mine.monthIn(from, to) == "") != (c.theirs.monthIn(left, right) == "") {
			continue // the third of February is no other number than a band's
		}
		if tok.Kind.Has(token.Ordinal) && c.mine.monthIn(from, to) == "" && !c.besideTheSame(k, j) {
			continue // first published in 1951 is not said in place of the second edition
		}
		if c.mine.differs(to) != c.theirs.differs(right) {
			continue // nine hours are not said in place of three hours less
		}
		if c.adds(k, j) || c.sumsUp(k, j) || c.shifted(k, j) || c.yearsOff(k, j) {
			continue
		}
		if c.inWords() < 0.5 || !tok.Kind.Has(token.Year) && c.mine.monthIn(from, to) == "" && !c.ofTheSame(k, j, from, to, left, right) {
			continue // 85 percent of those who came are not denied by a loss of 0.8 percent
		}
		c.used[j] = true
		kind := "number"
		if tok.Kind.Has(token.Year) {
			kind = "date"
		}
		c.add(kind, from, to, left, right, c.instead(from, to, left, right))
		if n := len(c.found); n > 0 && c.found[n-1].from == from && (c.theirs.clock(j) && c.namesValue(j) || c.closeBy(k, j)) {
			c.found[n-1].plain = true // times that data gives are reckoned from nothing
		}
	}
}

// closeBy reports whether the number of the segment at k is said to be about so much and is nearly what the source has at j: it was rounded from that and no other, and to a judge the two look
// alike.
func (c *comparison) closeBy(k, j int) bool {
	mine, ok := c.mine.amount(k)
	theirs, is := c.theirs.amount(j)
	hedge, _ := c.mine.hedge(mine.from)
	return ok && is && hedge.rough() && mine.unit == theirs.unit && off(mine.value, theirs.value) <= .15
}

// houseNumbers compares the numbers before the same street: 12 Main Street, 21 Main St. Elsewhere in the source the number may well stand.
func (c *comparison) houseNumbers() {
	for k, tok := range c.s.tokens {
		p, ok := c.place[k+1]
		if !ok || !tok.Kind.Has(token.Number) || p == c.start || !c.s.tokens[k+1].Kind.Has(token.Capital) || !c.mine.street(k+1) || !c.theirs.street(p) {
			continue
		}
		if other := c.theirs.at(p - 1); other.Kind.Has(token.Number) && other.Num != tok.Num {
			c.add("number", k, k+1, p-1, p, c.instead(k, k+1, p-1, p))
		}
	}
}

// street reports whether a street is named from i on.
func (l line) street(i int) bool {
	return streets[l.key(i)] || streets[l.key(i+1)] || streets[l.key(i+2)]
}

var streets = token.Keys(`st street avenue road boulevard highway parkway drive dr lane ln way place pl court ct square terrace plaza route`)

// namesValue reports whether the segment has all the words by which data names the value that begins at j.
func (c *comparison) namesValue(j int) bool {
	if _, data := c.t.data[c.a.passage]; !data || !c.value(j) {
		return false
	}
	l, said := c.around(j), false
	for i := j - 1; i >= l.start; i-- {
		if l.at(i).Content() && !untils[l.at(i).Key] {
			if said = c.mine.names(l.at(i).Key); !said {
				return false
			}
		}
		if l.at(i).Kind.Has(token.Comma) {
			break
		}
	}
	return said
}

// sameKind reports whether the numbers at k and j are of one kind. Three quarters are not denied by 60, 27 percent not by a 95% confidence interval, thirty years of age not by
// seven in prison; a five-star reviewer is none of two guests, and the 19 of covid-19 not said in place of the 2 of SARS-CoV-2.
func (c *comparison) sameKind(k, j int) bool {
	mine, theirs := c.mine, c.theirs
	return !(mine.part(k+1) && !theirs.part(j+1)) && !(theirs.certainty(j) && !mine.certainty(k)) && mine.age(k) == theirs.age(j) &&
		(mine.key(k+1) == star) == (theirs.key(j+1) == star) && !(mine.labels(k) && theirs.labels(j) && mine.key(k-1) != theirs.key(j-1))
}

// inWords is the cover of what the segment says without its numbers.
func (c *comparison) inWords() float64 {
	return c.s.coverOf(c.a, func(i int) bool { return c.s.tokens[c.s.content[i]].Kind&(token.Number|token.Unit) == 0 })
}

// ofTheSame reports whether the number of the segment at k, [from, to) with its unit, and that of the window at j, [left, right), are said of the same thing. The sentence
// around j must tell something of the segment; and where no word beside them is the same, most of it.
func (c *comparison) ofTheSame(k, j, from, to, left, right int) bool {
	if !c.tells(j, from, to, 0.3) {
		return false
	}
	if c.rest(from, to) >= nothingElse {
		return true
	}
	if p, ok := c.place[c.mine.next(to-1)]; ok && (p >= right && p <= right+3 || c.mine.key(to) == "of" && c.sentence(p) == c.sentence(j)) {
		return true // of the 40 testers five, of the 40 testers 37
	}
	if p, ok := c.place[c.mine.previous(from)]; ok && p < left && p >= left-4 {
		return true
	}
	mine, _ := c.mine.amount(k)
	theirs, _ := c.theirs.amount(j)
	if c.mine.setsApart(mine) || c.mine.summed(k) != 0 || c.mine.counting(mine) == people && c.theirs.counting(theirs) == people {
		return true // what is reckoned is reckoned from this
	}
	if c.near(k, j) < 3 {
		return c.tells(j, from, to, 0.5)
	}
	return c.tells(j, from, to, 0.8)
}

// labels reports whether the number at i is part of a name that it is tied to: covid-19, F-16.
func (l line) labels(i int) bool {
	return i > l.start && l.at(i).Kind.Has(token.Glued) && l.at(i-1).Kind&(token.Number|token.Unit|token.Month) == 0
}

// age reports whether the number at i is how old someone is: 30 years old, aged 30, at the age of 30.
func (l line) age(i int) bool {
	_, from, to := l.unit(i)
	_, at := l.hedge(from)
	return l.key(to) == old || aging[l.key(at-1)] || l.key(at-1) == "of" && aging[l.key(at-2)]
}

var old, aging = token.Key("old"), token.Keys(`age aged`)

// besideTheSame reports whether one of the next two words that count, or the one before, is the same for a token of the segment and one of the window: the
// second album, the third studio album; Henry VII, Henry VIII.
func (c *comparison) besideTheSame(k, j int) bool {
	for n, i := c.mine.next(k), 0; n >= 0 && i < 2; n, i = c.mine.next(n), i+1 {
		if p, ok := c.place[n]; ok && p > j && (p == c.theirs.next(j) || p == c.theirs.next(c.theirs.next(j))) {
			return true
		}
	}
	p, ok := c.place[c.mine.previous(k)]
	return ok && c.theirs.previous(j) == p
}

// vague are the words that make a hundred or a thousand any number of them.
var vague = map[string]bool{token.Key("several"): true, token.Key("few"): true, many: true}

var many = token.Key("many")

var couple = token.Key("couple")

// elsewhere reports whether another window has the number at k with what it counts, or where nothing follows it, with the word
// before, and half of the clause around it: an answer joins what its sources say apart.
func (c *comparison) elsewhere(k int) bool {
	i, ok := slices.BinarySearch(c.s.content, k)
	if !ok {
		return false
	}
	n := i + 1
	if n == len(c.s.content) || c.s.content[n] > k+2 || c.s.tokens[c.s.content[n]].Kind.Has(token.Comma) {
		n = i - 1
	}
	if n < 0 || c.s.tokens[c.s.content[n]].Kind.Has(token.Number) {
		return false
	}
	clauses := c.s.clauses()
	at := slices.IndexFunc(clauses, func(clause [2]int) bool { return i < clause[1] })
	says := func(a alignment) bool {
		return len(a.pos) > 0 && a.pos[i] >= 0 && a.pos[n] >= 0 && max(a.pos[i]-a.pos[n], a.pos[n]-a.pos[i]) <= 3 &&
			c.s.coverOf(&a, func(w int) bool {
				return w >= clauses[at][0] && w < clauses[at][1] && c.s.tokens[c.s.content[w]].Kind&(token.Number|token.Unit) == 0
			}) >= 0.5
	}
	return says(c.e.second) || slices.ContainsFunc(c.e.others, says)
}

// value reports whether a value of data begins or ends with the token at j. What stands beside it says nothing of it: four beers are denied
// neither by a strength of 4.7 nor by a house number.
func (c *comparison) value(j int) bool {
	if _, data := c.t.data[c.a.passage]; !data {
		return false
	}
	l, text := c.around(j), c.t.passages[c.a.passage].Chunk.Text
	return j+1 == l.end || l.at(j+1).Kind.Has(token.Comma) || strings.HasSuffix(text[:c.t.tokens[j].start], ": ")
}

// agree reports whether a word beside the number is the same on both sides: what is counted must be the same thing. A year dates all that is said, so
// that it may stand further off where most of the rest agrees.
func (c *comparison) agree(k, j int) bool {
	near, dates := c.near(k, j), c.plainYear(k, j)
	return near <= 8 || dates && near <= farYear && c.rest(k, k+1) >= 0.7
}

// differs reports whether the amount that ends at i is a difference: three hours less. A percentage is one without saying so.
func (l line) differs(i int) bool {
	return i < l.end && differing[l.at(i).Key] && l.at(i-1).Key != "percent"
}

var differing = token.Keys(`more less fewer longer shorter older younger taller higher lower deeper wider heavier lighter cheaper faster slower`)

// fews finds a few of one unit of time where the source says a few of another: a few weeks for a few days. It has no number that could differ. Who says
// both, or a number of the unit, says something of each.
func (c *comparison) fews() {
	for k := range c.s.tokens {
		from, ok := c.mine.few(k)
		if !ok || c.theirs.any(func(i int) bool { return c.theirs.at(i).Key == c.s.tokens[k].Key }) {
			continue
		}
		for j := c.start; j < c.end; j++ {
			left, ok := c.theirs.few(j)
			if ok && c.near(k, j) <= 8 && !c.mine.any(func(i int) bool { return c.mine.at(i).Key == c.theirs.at(j).Key }) && c.tells(j, from, k+1, 0.5) {
				c.add("unit", from, k+1, left, j+1, c.instead(from, k+1, left, j+1))
				break
			}
		}
	}
}

// few finds where a few, several or a couple of the unit of time at i begin.
func (l line) few(i int) (from int, ok bool) {
	if l.at(i).Key == "" || measures[l.at(i).Key].of != "time" {
		return 0, false
	}
	switch key := l.key(i - 1); {
	case vague[key]:
		return i - 1, key != many
	case key == couple:
		return i - 1, true
	case key == "of" && l.key(i-2) == couple:
		return i - 2, true
	}
	return 0, false
}
