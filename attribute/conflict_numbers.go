package attribute

import (
	"math"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid/internal/listing"
)

func (c *comparison) numbers() {
	for k, tok := range c.s.tokens {
		if !tok.kind.has(number) && !tok.kind.has(ordinal) || tok.kind.has(stop) && tok.num == 1 {
			continue
		}
		if p, ok := c.place[k]; ok {
			if !c.measured[k] {
				c.units(k, p)
				c.bounds(k)
				c.counted(k, p)
				c.rates(k, p)
			}
			continue
		}
		if c.elsewhere(k) || isPower(tok.num) && (vague[c.mine.key(k-1)] || c.mine.key(k-1) == "of" && c.mine.key(k-2) == couple) {
			continue // several hundred is no number
		}
		reach := 10
		if tok.kind.has(year) {
			reach = farYear
		}
		j := c.nearest(k, reach, func(w word32) bool {
			tm := &c.t.terms[w.term]
			return tm.kind&(number|ordinal) == tok.kind&(number|ordinal) && w.kind&year == tok.kind&year && !(w.kind.has(stop) && tm.num == 1)
		})
		if j < 0 {
			continue
		}
		if !c.sameKind(k, j) || isPower(tok.num) && c.mine.key(k-1) == "per" {
			continue // parts per million
		}
		theirs := c.t.terms[c.t.tokens[j].term].num
		if share, ok := c.mine.share(k); ok && off(share.inWhole(), theirs) < 1e-6 {
			continue // one in four is 1/4
		}
		if a, b := math.Abs(tok.num), math.Abs(theirs); c.place[k+1] != j+1 && max(a, b) > 2000*min(a, b) {
			continue // millions are not counted in place of a handful, unless it is of the same thing
		}
		mine, first, _ := c.mine.unit(k)
		other, _, _ := c.theirs.unit(j)
		if c.sameBound(k, j) {
			continue // who is under twelve is eleven at the most
		}
		if hedge, at := c.mine.hedge(first); hedge.allows(tok.num, theirs) || hedge.holds(tok.num, theirs) && c.mine.key(at-1) != "by" || mine != other && !degrees(mine, other) && (mine != "" && other != "" || c.place[k+1] != j+1) {
			continue // weeks are not counted in messages
		}
		from, to := c.withUnit(k)
		left, right := c.withUnitAt(j)
		sameMonth := !tok.kind.has(year) && c.mine.monthIn(from, to) != "" && c.mine.monthIn(from, to) == c.theirs.monthIn(left, right)
		if tok.kind.has(number) && !c.agree(k, j) || mine == "" && c.value(j) && !(c.theirs.clock(j) && c.mine.hour(k)) && !sameMonth {
			continue
		}
		if c.mine.clock(k) && !c.theirs.hour(j) || c.theirs.clock(j) && !c.mine.hour(k) {
			continue // nine people are not said in place of 21:00
		}
		if !tok.kind.has(year) && (c.mine.monthIn(from, to) == "") != (c.theirs.monthIn(left, right) == "") {
			continue // the third of February is no other number than a band's
		}
		if tok.kind.has(ordinal) && c.mine.monthIn(from, to) == "" && !c.besideTheSame(k, j) {
			continue // first published in 1951 is not said in place of the second edition
		}
		if c.mine.differs(to) != c.theirs.differs(right) {
			continue // nine hours are not said in place of three hours less
		}
		if c.adds(k, j) || c.sumsUp(k, j) || c.shifted(k, j) {
			continue
		}
		if c.inWords() < 0.5 || !tok.kind.has(year) && c.mine.monthIn(from, to) == "" && !c.ofTheSame(k, j, from, to, left, right) {
			continue // 85 percent of those who came are not denied by a loss of 0.8 percent
		}
		c.used[j] = true
		kind := "number"
		if tok.kind.has(year) {
			kind = "date"
		}
		c.add(kind, from, to, left, right, c.instead(from, to, left, right))
		if n := len(c.found); n > 0 && c.found[n-1].from == from && c.theirs.clock(j) && c.namesValue(j) {
			c.found[n-1].plain = true // times that data gives are reckoned from nothing
		}
	}
}

// namesValue reports whether the segment has all the words by which data names the value that begins at j.
func (c *comparison) namesValue(j int) bool {
	if _, data := c.t.data[c.a.passage]; !data || !c.value(j) {
		return false
	}
	l, said := c.around(j), false
	for i := j - 1; i >= l.start; i-- {
		if l.at(i).content() && !untils[l.at(i).key] {
			if said = c.mine.names(l.at(i).key); !said {
				return false
			}
		}
		if l.at(i).kind.has(comma) {
			break
		}
	}
	return said
}

// ratios compares what the only ratio of either side comes to: 3:1, 2 to 1, equal parts. The same the other way round may be said of two things that
// changed places.
func (c *comparison) ratios() {
	a, mine, to := c.mine.ratio()
	b, theirs, right := c.theirs.ratio()
	if a == 0 || b == 0 {
		return
	}
	if off(a, b) > 1e-6 && off(a*b, 1) > 1e-6 && c.tells(theirs, mine, to, 0.5) {
		c.add("number", mine, to, theirs, right, c.instead(mine, to, theirs, right))
	}
}

// ratio reads the only ratio of a line that calls it one, 0 where there is none: a 2:1 ratio, a ratio of two to one, equal parts.
func (l line) ratio() (value float64, from, to int) {
	for i := l.start; i+1 < l.end; i++ {
		end, is := i+2, 0.0
		if l.key(i+1) == "to" {
			end++
		}
		switch {
		case l.sharesEqually(i):
			is = 1
		case end > l.end || end == i+2 && (!l.at(i+1).kind.has(comma) || !l.colon(i)):
		case l.at(i).kind.has(number) && l.at(end-1).kind.has(number) && l.at(end-1).num != 0 && l.near(i, end, ratioKey):
			is = l.at(i).num / l.at(end-1).num
		}
		if is != 0 && value != 0 {
			return 0, 0, 0
		}
		if is != 0 {
			value, from, to = is, i, end
		}
	}
	return value, from, to
}

// sharesEqually reports whether equal parts stand at i.
func (l line) sharesEqually(i int) bool { return l.key(i) == equal && portions[l.key(i+1)] }

// equalParts finds where a line speaks of equal parts, and whether it does so by a ratio: equal parts, a 1:1 ratio, 1:1. to is 0 where it does not.
func (l line) equalParts() (from, to int, ratio bool) {
	for i := l.start; i+1 < l.end; i++ {
		if l.sharesEqually(i) {
			return i, i + 2, false
		}
		if l.at(i).num == 1 && l.colon(i) && l.at(i+1).num == 1 {
			from, to = i, i+2
			if l.key(to) == ratioKey {
				to++
			}
			if l.key(from-1) == "a" {
				from--
			}
			return from, to, true
		}
	}
	return 0, 0, false
}

var equal, portions = plainKey("equal"), keys(`part amount quantity measure portion`)

// near reports whether a word stands among the four before a run of tokens or the two behind it.
func (l line) near(from, to int, key string) bool {
	for i := max(l.start, from-4); i < min(l.end, to+2); i++ {
		if l.key(i) == key {
			return true
		}
	}
	return false
}

var ratioKey = plainKey("ratio")

// sameKind reports whether the numbers at k and j are of one kind. Three quarters are not denied by 60, 27 percent not by a 95% confidence interval, thirty years of age not by
// seven in prison; a five-star reviewer is none of two guests, and the 19 of covid-19 not said in place of the 2 of SARS-CoV-2.
func (c *comparison) sameKind(k, j int) bool {
	mine, theirs := c.mine, c.theirs
	return !(mine.part(k+1) && !theirs.part(j+1)) && !(theirs.certainty(j) && !mine.certainty(k)) && mine.age(k) == theirs.age(j) &&
		(mine.key(k+1) == star) == (theirs.key(j+1) == star) && !(mine.labels(k) && theirs.labels(j) && mine.key(k-1) != theirs.key(j-1))
}

// inWords is the cover of what the segment says without its numbers.
func (c *comparison) inWords() float64 {
	return c.s.coverOf(c.a, func(i int) bool { return c.s.tokens[c.s.content[i]].kind&(number|unit) == 0 })
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
	return i > l.start && l.at(i).kind.has(glued) && l.at(i-1).kind&(number|unit|month) == 0
}

// age reports whether the number at i is how old someone is: 30 years old, aged 30, at the age of 30.
func (l line) age(i int) bool {
	_, from, to := l.unit(i)
	_, at := l.hedge(from)
	return l.key(to) == old || aging[l.key(at-1)] || l.key(at-1) == "of" && aging[l.key(at-2)]
}

var old, aging = plainKey("old"), keys(`age aged`)

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

// part reports whether the word at i is one for parts of a whole: quarters, thirds.
func (l line) part(i int) bool {
	return parts[l.key(i)] > 0 || i < l.end && l.at(i).kind.has(ordinal) && strings.HasSuffix(l.text(i), "s")
}

// certainty reports whether the number at i says how sure a figure is: 95% CI, 95 percent confidence.
func (l line) certainty(i int) bool {
	_, _, to := l.unit(i)
	return sureness[l.key(to)]
}

var sureness = keys(`ci confidence`)

// multiplied finds a word for how many times as much something became that the source's numbers before and after deny.
func (c *comparison) multiplied() {
	for k, tok := range c.s.tokens {
		if _, ok := c.place[k]; ok || multiples[tok.key] == 0 || changing[strings.ToLower(c.mine.text(k))] == "" {
			continue
		}
		var all []change
		for l := range c.lines() {
			all = append(all, l.changes()...)
		}
		if len(all) != 1 {
			continue // which of them is meant is not told
		}
		left, right := min(all[0].before.from, all[0].now.from), max(all[0].before.to, all[0].now.to)
		if c.tells(left, k, k+1, 0.5) {
			c.add("number", k, k+1, left, right, c.instead(k, k+1, left, right))
		}
	}
}

// shares compares shares of the same thing: a third of its weight where the source says a quarter of its body weight.
func (c *comparison) shares() {
	for k := range c.s.tokens {
		mine, ok := c.mine.share(k)
		if !ok || mine.to != k+1 || c.measured[k] {
			continue
		}
		p, ok := c.whole(mine.to)
		if !ok {
			continue
		}
		hedge, _ := c.mine.hedge(mine.from)
		have, ok := c.shareOf(p)
		if !ok || mine.says(have, hedge) > 0 || have.says(mine, exact) > 0 || off(mine.inWhole()+have.inWhole(), 1) < 1e-6 {
			continue // two thirds are what a third leaves
		}
		if c.tells(have.from, mine.from, mine.to, 0.5) {
			c.add("number", mine.from, mine.to, have.from, have.to, c.instead(mine.from, mine.to, have.from, have.to))
		}
	}
}

// whole is where the window has the last word of what a share is said to be of, which begins at k: of their weight.
func (c *comparison) whole(k int) (p int, ok bool) {
	if c.mine.key(k) != "of" {
		return 0, false
	}
	for k++; k < len(c.s.tokens) && !c.s.tokens[k].content(); k++ {
	}
	for ; k < len(c.s.tokens) && c.s.tokens[k].content() && !c.s.tokens[k].kind.has(comma); k++ {
		if at, there := c.place[k]; there {
			p, ok = at, true
		}
	}
	return p, ok
}

// vague are the words that make a hundred or a thousand any number of them.
var vague = map[string]bool{plainKey("several"): true, plainKey("few"): true, many: true}

var many = plainKey("many")

var couple = plainKey("couple")

// elsewhere reports whether another window has the number at k with what it counts, or where nothing follows it, with the word
// before, and half of the clause around it: an answer joins what its sources say apart.
func (c *comparison) elsewhere(k int) bool {
	i, ok := slices.BinarySearch(c.s.content, k)
	if !ok {
		return false
	}
	n := i + 1
	if n == len(c.s.content) || c.s.content[n] > k+2 || c.s.tokens[c.s.content[n]].kind.has(comma) {
		n = i - 1
	}
	if n < 0 || c.s.tokens[c.s.content[n]].kind.has(number) {
		return false
	}
	clauses := c.s.clauses()
	at := slices.IndexFunc(clauses, func(clause [2]int) bool { return i < clause[1] })
	says := func(a alignment) bool {
		return len(a.pos) > 0 && a.pos[i] >= 0 && a.pos[n] >= 0 && max(a.pos[i]-a.pos[n], a.pos[n]-a.pos[i]) <= 3 &&
			c.s.coverOf(&a, func(w int) bool {
				return w >= clauses[at][0] && w < clauses[at][1] && c.s.tokens[c.s.content[w]].kind&(number|unit) == 0
			}) >= 0.5
	}
	return says(c.e.second) || slices.ContainsFunc(c.e.others, says)
}

// counted finds three doses beside two doses where the source has three of something else.
func (c *comparison) counted(k, p int) {
	q, ok := c.place[k+1]
	if !ok || c.s.tokens[k+1].kind&(unit|number|name|comma|glued) != 0 || c.s.tokens[k].kind.has(ordinal|year) || q > p && q-p <= 4 {
		return
	}
	if q < p && c.sentence(q) == c.sentence(p) {
		return // 54 novels, seven of them under another name
	}
	j := q - 1
	if j < c.start || c.sentence(j) != c.sentence(q) || c.used[j] || c.theirs.at(q).kind.has(comma) {
		return
	}
	theirs := c.theirs.at(j)
	if !theirs.kind.has(number) || theirs.kind.has(year) || theirs.num == c.s.tokens[k].num || theirs.num == 1 || c.mine.upTo(k) >= 0 || c.theirs.rangeEnds(j) {
		return
	}
	if hedge, _ := c.mine.hedge(k); hedge.allows(c.s.tokens[k].num, theirs.num) || !c.tells(j, k, k+1, 0.5) {
		return
	}
	c.add("number", k, k+2, j, q+1, c.instead(k, k+2, j, q+1))
}

// rates finds an amount for each span of time beside the same one for another: $50 a year where the source says $50 for four years, or $50 a
// month.
func (c *comparison) rates(k, p int) {
	mine, ok := c.mine.rate(k)
	have, same := c.theirs.amount(p)
	if !ok || !same || have.value != mine.value || have.unit != mine.unit {
		return
	}
	for l := range c.lines() {
		if _, _, ok := c.mine.sameRate(k, l); ok || l.any(func(i int) bool { r, ok := l.rate(i); return ok && r.value == mine.value && r.per == mine.per }) {
			return
		}
	}
	l := c.around(p)
	to := have.to
	if r, ok := l.rate(p); ok {
		to = r.to
	} else if span, ok := l.lasts(have.to); ok && span.says(amount{value: 1, unit: mine.per}, exact) == 0 {
		to = span.to
	}
	if to > have.to && c.tells(p, mine.from, mine.to, 0.5) {
		c.add("number", mine.from, mine.to, have.from, to, c.instead(mine.from, mine.to, have.from, to))
	}
}

// lasts reads the span of time at i: for four years.
func (l line) lasts(i int) (amount, bool) {
	if i+1 >= l.end || l.key(i) != "for" && l.key(i) != "over" {
		return amount{}, false
	}
	a, ok := l.amount(i + 1)
	return a, ok && a.from == i+1 && measures[a.unit].of == "time"
}

// rangeEnds reports whether the number at i is the last of a range.
func (l line) rangeEnds(i int) bool {
	for j := i - 1; j >= max(l.start, i-3); j-- {
		if l.upTo(j) == i {
			return true
		}
	}
	return false
}

// bounds finds more than 10 beside under 10.
func (c *comparison) bounds(k int) {
	mine, at, to := c.mine.bound(k)
	if mine == exact {
		return
	}
	found, from, end := -1, 0, 0
	for j := c.start; j < c.end; j++ {
		if c.theirs.at(j).key != c.s.tokens[k].key {
			continue
		}
		theirs, first, last := c.theirs.bound(j)
		if theirs == exact || theirs == mine {
			return // the source has the number in another place too
		}
		found, from, end = j, first, last
	}
	if found >= 0 && c.oneDenies() {
		c.converse = true // no visa up to 90 days is what a visa beyond 90 days comes to
		return
	}
	if found >= 0 && c.tells(found, at, to, 0.5) {
		c.add("number", at, to, from, end, c.instead(at, to, from, end))
	}
}

// bound reads whether the number at i is the least or the most of an amount, and the tokens that say so. What is denied is left open.
func (l line) bound(i int) (h hedge, from, to int) {
	_, first, _ := l.unit(i)
	h, from = l.hedge(first)
	if h == exact {
		return l.boundBehind(i)
	}
	for j := from - 1; j >= max(l.start, from-3); j-- {
		if l.at(j).key == "not" {
			return exact, i, i + 1
		}
	}
	switch h {
	case about:
		h = exact
	case upTo:
		h = atMost
	}
	return h, from, i + 1
}

// boundBehind reads a bound from the words behind the number at i: 10 or more, 65 and over, from 10 pieces on.
func (l line) boundBehind(i int) (h hedge, from, to int) {
	_, from, to = l.unit(i)
	if key := l.key(to); (key == "or" || key == "and") && to+1 < l.end {
		return behind[strings.ToLower(l.text(to+1))], from, to + 2
	}
	for j := to; j < min(l.end, to+2) && l.key(from-1) == "from"; j++ {
		if onwards[strings.ToLower(l.text(j))] {
			return atLeast, from - 1, j + 1
		}
	}
	return exact, i, i + 1
}

var onwards = wordSet(`on onward onwards upward upwards`)

// behind are the words that make a bound of the number before them and "or".
var behind = map[string]hedge{"more": atLeast, "over": atLeast, "above": atLeast, "older": atLeast, "longer": atLeast, "higher": atLeast, "up": atLeast, "upwards": atLeast,
	"less": atMost, "fewer": atMost, "under": atMost, "below": atMost, "younger": atMost, "shorter": atMost, "lower": atMost}

var star = plainKey("star")

// value reports whether a value of data begins or ends with the token at j. What stands beside it says nothing of it: four beers are denied
// neither by a strength of 4.7 nor by a house number.
func (c *comparison) value(j int) bool {
	if _, data := c.t.data[c.a.passage]; !data {
		return false
	}
	l, text := c.around(j), c.t.passages[c.a.passage].Chunk.Text
	return j+1 == l.end || l.at(j+1).kind.has(comma) || strings.HasSuffix(text[:c.t.tokens[j].start], ": ")
}

// agree reports whether a word beside the number is the same on both sides: what is counted must be the same thing. A year dates all that is said, so
// that it may stand further off where most of the rest agrees.
func (c *comparison) agree(k, j int) bool {
	near, dates := c.near(k, j), c.plainYear(k, j)
	return near <= 8 || dates && near <= farYear && c.rest(k, k+1) >= 0.7
}

// farYear is how far from its place in the segment a year is looked for.
const farYear = 14

// plainYear reports whether a year stands on both sides, and no decade.
func (c *comparison) plainYear(k, j int) bool {
	a, b := c.s.tokens[k], c.theirs.at(j)
	return a.kind.has(year) && b.kind.has(year) && !strings.HasSuffix(a.key, "s") && !strings.HasSuffix(b.key, "s")
}

// withUnit widens a number of the segment to what people read as one: "23 %", "6 August 1858".
func (c *comparison) withUnit(k int) (from, to int) {
	if l, r := dated(k, 0, len(c.s.tokens), func(i int) kind { return c.s.tokens[i].kind }); r-l > 1 {
		return l, r
	}
	_, from, to = c.mine.unit(k)
	return from, to
}

func (c *comparison) withUnitAt(j int) (left, right int) {
	if l, r := dated(j, c.start, c.end, func(i int) kind { return c.t.tokens[i].kind }); r-l > 1 {
		return l, r
	}
	_, left, right = c.theirs.unit(j)
	return left, right
}

// dated widens a number to the date it is part of: a month beside it, and the year or day beside that.
func dated(at, first, end int, kindOf func(int) kind) (from, to int) {
	from, to = at, at+1
	is := func(i int, k kind) bool { return i >= first && i < end && kindOf(i).has(k) }
	switch {
	case is(at+1, month): // 6 August (1858)
		to = at + 2
		if is(to, year) || is(at, year) && is(to, number) && !is(at+1, comma) { // or 1858-08-06
			to++
		}
	case is(at-1, month): // August 6 (1858), or (6) August 1858
		from = at - 1
		if is(at, year) && is(from-1, number) {
			from--
		} else if is(to, year) {
			to++
		} else if is(from-1, year) && !is(from, comma) { // 1858-08-06
			from--
		}
	case is(at, year) && is(at-1, number) && is(at-2, month): // August 6, 1858
		from = at - 2
	}
	return from, to
}

// monthIn is the month that stands among the tokens [from, to), empty where none does.
func (l line) monthIn(from, to int) string {
	for i := from; i < to; i++ {
		if l.at(i).kind.has(month) {
			return l.at(i).key
		}
	}
	return ""
}

// differs reports whether the amount that ends at i is a difference: three hours less. A percentage is one without saying so.
func (l line) differs(i int) bool {
	return i < l.end && differing[l.at(i).key] && l.at(i-1).key != "percent"
}

var differing = keys(`more less fewer longer shorter older younger taller higher lower deeper wider heavier lighter cheaper faster slower`)

// units compares the units of a number that both sides have.
func (c *comparison) units(k, p int) {
	mine, from, to := c.mine.beside(k)
	theirs, left, right := c.theirs.beside(p)
	points := c.mine.points(k)
	if mine == "" || theirs == "" || mine == theirs && points == c.theirs.points(p) || degrees(mine, theirs) {
		return
	}
	for j := c.start; j < c.end; j++ {
		if c.theirs.at(j).key == c.s.tokens[k].key && c.theirs.counts(j, mine) && points == c.theirs.points(j) {
			return // in 3 days and 3 hours the 3 days are said too
		}
	}
	for _, m := range []string{"minute", "mile", "month"} { // what else "m" stands for
		if m = normal(m); mine == meter && theirs == m || mine == m && theirs == meter {
			return
		}
	}
	if c.theirs.key(right) == "per" && c.theirs.key(right+1) == mine {
		return // three kilometres away after nine seconds, at 3 seconds per kilometre
	}
	if a, b := quantity(mine), quantity(theirs); a != b && c.near(k, p) > 2 {
		return // 3 feet or acres elsewhere are not said in place of 3 years, nor $3 in place of 3 hours: the number is the same by chance
	}
	if a, ok := c.mine.amount(k); ok && c.mine.setsApart(a) {
		if _, _, ok := a.reckoned(c.theirs.amounts(), difference); ok {
			return // at 11 months and four months later, where the source says at 11 and at 15 months, four weeks apart
		}
	}
	if whole, ok := c.mine.partOfTime(k); ok && slices.ContainsFunc(c.theirs.amounts(), func(a amount) bool { return whole.says(a, exact) > 0 }) {
		return // 4:05 minutes are four minutes and five seconds
	}
	if c.inOtherUnit(k) {
		return // more than three weeks are said by 23 days, and not denied by three days
	}
	c.add("unit", from, to, left, right, c.instead(from, to, left, right))
}

// sameBound reports whether both sides name the same whole numbers by their bounds: under 12 and up to 11, over 64 and at least 65.
func (c *comparison) sameBound(k, j int) bool {
	mine, up, ok := c.mine.lastWithin(k)
	theirs, too, is := c.theirs.lastWithin(j)
	return ok && is && up == too && mine == theirs
}

// lastWithin reads the last whole number that a bound lets stand, and whether it is the highest. It is not ok where there is none.
func (l line) lastWithin(i int) (last float64, highest, ok bool) {
	h, at := l.hedge(i)
	last = l.at(i).num
	strict := beyondBound[l.key(at)]
	switch {
	case last != math.Trunc(last), h == exact, h == about:
		return 0, false, false
	case h == atLeast && strict:
		last++
	case h == atMost && strict:
		last--
	}
	return last, h != atLeast, true
}

// beyondBound begin bounds that leave out their own number.
var beyondBound = keys(`under below less fewer over above more exceed`)

// fews finds a few of one unit of time where the source says a few of another: a few weeks for a few days. It has no number that could differ. Who says
// both, or a number of the unit, says something of each.
func (c *comparison) fews() {
	for k := range c.s.tokens {
		from, ok := c.mine.few(k)
		if !ok || c.theirs.any(func(i int) bool { return c.theirs.at(i).key == c.s.tokens[k].key }) {
			continue
		}
		for j := c.start; j < c.end; j++ {
			left, ok := c.theirs.few(j)
			if ok && c.near(k, j) <= 8 && !c.mine.any(func(i int) bool { return c.mine.at(i).key == c.theirs.at(j).key }) && c.tells(j, from, k+1, 0.5) {
				c.add("unit", from, k+1, left, j+1, c.instead(from, k+1, left, j+1))
				break
			}
		}
	}
}

// few finds where a few, several or a couple of the unit of time at i begin.
func (l line) few(i int) (from int, ok bool) {
	if l.at(i).key == "" || measures[l.at(i).key].of != "time" {
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

// points reports whether the number at i is of percentage points: from 50 to 55 percent it is 5 of them, and 10 percent.
func (l line) points(i int) bool {
	return l.key(i+1) == signs['%'] && l.key(i+2) == point
}

// partOfTime finds the amount of a larger unit that goes on with the number at k: four minutes and five seconds.
func (l line) partOfTime(k int) (amount, bool) {
	for i := k - 2; i >= max(l.start, k-3); i-- {
		if a, ok := l.amount(i); ok && l.at(i).kind.has(number) && a.from <= i && k < a.to {
			return a, true
		}
	}
	return amount{}, false
}

// inOtherUnit reports whether the window says the amount at k in another unit.
func (c *comparison) inOtherUnit(k int) bool {
	mine, ok := c.mine.amount(k)
	hedge, _ := c.mine.hedge(mine.from)
	return ok && c.theirs.any(func(j int) bool {
		have, ok := c.theirs.amount(j)
		return ok && have.unit != mine.unit && mine.says(have, hedge) > 0
	})
}

var cent = normal("cent")

// quantity is what a unit measures: time, weight, money; empty where that is not known.
func quantity(unit string) string {
	if unit == signs['$'] || unit == signs['€'] || unit == signs['¥'] || unit == cent {
		return "money"
	}
	return measures[unit].of
}

// counts reports whether the number at i is of a unit.
func (l line) counts(i int, key string) bool {
	u, _, _ := l.unit(i)
	return u == key
}

// degrees reports whether one of two units is the degrees of the other's scale.
func degrees(a, b string) bool {
	scale := func(s string) bool { return s == celsius || s == fahrenheit }
	return a == signs['°'] && scale(b) || b == signs['°'] && scale(a)
}

// dates compares months and days of the week.
func (c *comparison) dates() {
	for k, tok := range c.s.tokens {
		if _, ok := c.place[k]; ok || !tok.kind.has(month) && weekday(tok.key) < 0 {
			continue
		}
		j := c.nearest(k, 12, func(w word32) bool {
			if tok.kind.has(month) {
				return w.kind.has(month)
			}
			return weekday(c.t.terms[w.term].key) >= 0
		})
		if j >= 0 && !c.restDay(k) && !c.theirs.spansMonth(j, tok.key) && !c.shifted(k, j) {
			c.used[j] = true
			c.add("date", k, k+1, j, j+1, c.instead(k, k+1, j, j+1))
		}
	}
}

// spansMonth reports whether the month at j begins or ends a stretch of months that another one lies in: May is one of April to September.
func (l line) spansMonth(j int, other string) bool {
	for first := j; first >= max(l.start, j-2); first-- {
		last := first + 1
		if key := l.key(last); key == "to" || key == "until" || key == "till" || key == "through" || key == "and" && l.key(first-1) == "between" {
			last++
		} else if last < l.end && !l.at(last).kind.has(glued) {
			continue
		}
		if last >= l.end || j != first && j != last || !l.at(first).kind.has(month) || !l.at(last).kind.has(month) {
			continue
		}
		from, to, at := slices.Index(monthKeys[:], l.key(first)), slices.Index(monthKeys[:], l.key(last)), slices.Index(monthKeys[:], other)
		return (at-from+12)%12 <= (to-from+12)%12
	}
	return false
}

// restDay reports whether a token of the segment is a day of the week, and only one side says that something is closed: what is closed
// on Sundays opens on other days.
func (c *comparison) restDay(k int) bool {
	closes := func(l line) bool { return l.any(func(i int) bool { return l.at(i).key == "close" }) }
	return weekday(c.s.tokens[k].key) >= 0 && closes(c.mine) != closes(c.theirs)
}

func weekday(key string) int {
	return slices.Index(listing.Weekdays, key)
}
