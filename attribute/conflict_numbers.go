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
		if c.theirs.certainty(j) && !c.mine.certainty(k) {
			continue // by 27 percent is not denied by a 95% confidence interval
		}
		theirs := c.t.terms[c.t.tokens[j].term].num
		if a, b := math.Abs(tok.num), math.Abs(theirs); c.place[k+1] != j+1 && max(a, b) > 2000*min(a, b) {
			continue // millions are not counted in place of a handful, unless it is of the same thing
		}
		mine, first, _ := c.mine.unit(k)
		other, _, _ := c.theirs.unit(j)
		if hedge, _ := c.mine.hedge(first); hedge.allows(tok.num, theirs) || mine != other && !degrees(mine, other) && (mine != "" && other != "" || c.place[k+1] != j+1) {
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
		if (c.mine.key(k+1) == star) != (c.theirs.key(j+1) == star) {
			continue // a five-star reviewer is none of two guests
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
		if c.adds(k, j) || c.sumsUp(k, j) {
			continue
		}
		c.used[j] = true
		kind := "number"
		if tok.kind.has(year) {
			kind = "date"
		}
		c.add(kind, from, to, left, right, c.instead(from, to, left, right))
	}
}

// ratios compares what the only ratio of either side comes to: 3:1, 2 to 1. The same the other way round may be said of two things that changed places.
func (c *comparison) ratios() {
	mine, to, ok := c.mine.ratio()
	if !ok {
		return
	}
	theirs, right, ok := c.theirs.ratio()
	if !ok {
		return
	}
	a, b := c.s.tokens[mine].num/c.s.tokens[to-1].num, c.theirs.at(theirs).num/c.theirs.at(right-1).num
	if off(a, b) > 1e-6 && off(a*b, 1) > 1e-6 && c.tells(theirs, mine, to, 0.5) {
		c.add("number", mine, to, theirs, right, c.instead(mine, to, theirs, right))
	}
}

// ratio finds the two numbers of the only ratio of a line that calls it one: a 2:1 ratio, a ratio of two to one.
func (l line) ratio() (from, to int, ok bool) {
	for i := l.start; i+1 < l.end; i++ {
		end := i + 2
		if l.key(i+1) == "to" {
			end++
		} else if !l.at(i+1).kind.has(comma) || !l.colon(i) {
			continue
		}
		if end > l.end || !l.at(i).kind.has(number) || !l.at(end-1).kind.has(number) || l.at(end-1).num == 0 || !l.near(i, end, ratioKey) {
			continue
		}
		if ok {
			return 0, 0, false
		}
		from, to, ok = i, end, true
	}
	return from, to, ok
}

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

// adds reports whether the number at k is what the source's at j and another one of the nearest windows make together or differ by.
// Of numbers that others make by chance the statement must say so.
func (c *comparison) adds(k, j int) bool {
	mine, ok := c.mine.amount(k)
	if !ok {
		return false
	}
	if c.times(mine, j) || c.apart(mine, j) || c.remains(mine, j) || c.scales(mine, j) || c.percentOf(mine) || c.covers(mine, k) {
		return true
	}
	how := sum | difference
	if !mine.peculiar() {
		if _, how = c.mine.reckons(); mine.unit == "" {
			how = 0
		}
		if mine.unit != "" && slices.ContainsFunc(c.theirs.amounts(), c.theirs.onTop) {
			how |= sum
		}
		if c.mine.setsApart(mine) {
			how |= difference
		}
		if how == 0 {
			return false
		}
	}
	theirs, _ := c.theirs.amount(j)
	for _, a := range append([]alignment{*c.a, c.e.second}, c.e.others...) {
		if len(a.pos) == 0 {
			continue
		}
		l := c.t.line(a.passage, c.t.sentences[a.from].start, c.t.sentences[a.to-1].end)
		c.t.operations += l.end - l.start
		if slices.ContainsFunc(l.amounts(), func(b amount) bool { _, _, ok := mine.reckoned([]amount{theirs, b}, how); return ok }) {
			return true
		}
	}
	return false
}

// times reports whether an amount is what the source gives for each, as often as the statement says: 12 pounds at 3 minutes per pound.
func (c *comparison) times(mine amount, j int) bool {
	l := c.around(j)
	if !l.any(func(i int) bool { return apiece[l.at(i).key] }) {
		return false
	}
	factors := c.mine.amounts()
	return slices.ContainsFunc(l.amounts(), func(one amount) bool {
		return slices.ContainsFunc(factors, func(n amount) bool {
			return n.from != mine.from && off(n.value*one.value, mine.value) < 1e-6 && (one.unit == "" || mine.unit == "" || one.unit == mine.unit)
		})
	})
}

var apiece = map[string]bool{"per": true, plainKey("each"): true, plainKey("every"): true, plainKey("apiece"): true}

// apart reports whether an amount is, as far as its hedge makes room, what the source's at j and another one of its sentence differ by.
func (c *comparison) apart(mine amount, j int) bool {
	h, at := c.mine.hedge(mine.from)
	if !(c.mine.key(at-1) == "by" && h != exact || c.mine.key(at-1) == "of" && distances[c.mine.key(at-2)]) {
		return false
	}
	theirs, _ := c.theirs.amount(j)
	l := c.around(j)
	return slices.ContainsFunc(l.amounts(), func(b amount) bool {
		bare := b.unit == "" && (b.to == l.end || !l.at(b.to).content()) // 17,635 miles and 17,985
		apart := math.Abs(theirs.value - b.value)
		return (b.unit == theirs.unit || bare) && (h.allows(mine.value, apart) || off(mine.value, apart) < 1e-6)
	})
}

// remains reports whether an amount is what is left of another of the statement, or of 100 percent, without one of the source's: 27 of 38 did not
// where 11 did.
func (c *comparison) remains(mine amount, j int) bool {
	wholes := c.mine.amounts()
	if mine.unit == signs['%'] {
		wholes = append(wholes, amount{value: 100, unit: mine.unit, from: -1})
	}
	return slices.ContainsFunc(wholes, func(whole amount) bool {
		return whole.from != mine.from && slices.ContainsFunc(c.around(j).amounts(), func(part amount) bool { return off(whole.value-part.value, mine.value) < 1e-6 })
	})
}

// scales reports whether an amount is to another one of the statement as the source's at j is to one of its sentence: 600 gallons from 1,000 square
// feet where 2,000 give 1,200.
func (c *comparison) scales(mine amount, j int) bool {
	theirs, ok := c.theirs.amount(j)
	of := c.mine.counting(mine)
	if !ok || of == "" || of != c.theirs.counting(theirs) {
		return false
	}
	others := c.around(j).amounts()
	return slices.ContainsFunc(c.mine.amounts(), func(n amount) bool {
		return c.mine.counting(n) != of && slices.ContainsFunc(others, func(o amount) bool {
			return o.from != theirs.from && o.value != n.value && c.mine.counting(n) == c.theirs.counting(o) && off(mine.value*o.value, theirs.value*n.value) < 1e-3
		})
	})
}

// counting is the unit of an amount, or where it has none, the word behind it: 1,000 square feet.
func (l line) counting(a amount) string {
	if a.unit == "" {
		return l.key(a.to)
	}
	return a.unit
}

// percentOf reports whether an amount is what the statement itself says in percent of another, or that other one: 1 to 2 percent, or $3,500 to $7,000 on a
// $350,000 house.
func (c *comparison) percentOf(mine amount) bool {
	all := c.mine.amounts()
	return slices.ContainsFunc(all, func(share amount) bool {
		return share.unit == signs['%'] && slices.ContainsFunc(all, func(other amount) bool {
			is := func(part, whole amount) bool { return off(whole.value*share.value/100, part.value) < 1e-3 }
			return other.from != mine.from && other.unit == mine.unit && (is(mine, other) || is(other, mine))
		})
	})
}

// covers reports whether the number at k is of an area whose sides the source gives: 24 square metres, 6 x 4 metres.
func (c *comparison) covers(mine amount, k int) bool {
	if key := c.mine.key(k + 1); key != square && key != "sq" {
		return false
	}
	l := c.theirs
	return l.any(func(i int) bool {
		by := l.key(i + 1)
		return l.at(i).kind.has(number) && (by == "x" || by == "by" || by == "×") && i+2 < l.end && l.at(i+2).kind.has(number) && off(l.at(i).num*l.at(i+2).num, mine.value) < 1e-3
	})
}

var square = plainKey("square")

// vague are the words that make a hundred or a thousand any number of them.
var vague = map[string]bool{plainKey("several"): true, plainKey("few"): true, plainKey("many"): true}

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
	mine, at := c.mine.bound(k)
	if mine == exact {
		return
	}
	found, from := -1, 0
	for j := c.start; j < c.end; j++ {
		if c.theirs.at(j).key != c.s.tokens[k].key {
			continue
		}
		theirs, first := c.theirs.bound(j)
		if theirs == exact || theirs == mine {
			return // the source has the number in another place too
		}
		found, from = j, first
	}
	if found >= 0 && c.oneDenies() {
		c.converse = true // no visa up to 90 days is what a visa beyond 90 days comes to
		return
	}
	if found >= 0 && c.tells(found, at, k+1, 0.5) {
		c.add("number", at, k+1, from, found+1, c.instead(at, k+1, from, found+1))
	}
}

// bound reads whether the number at i is the least or the most of an amount, and where the words for it begin. What is denied is
// left open.
func (l line) bound(i int) (hedge, int) {
	_, first, _ := l.unit(i)
	h, at := l.hedge(first)
	if h == about || h == exact {
		return exact, i
	}
	for j := at - 1; j >= max(l.start, at-3); j-- {
		if l.at(j).key == "not" {
			return exact, i
		}
	}
	if h == upTo {
		h = atMost
	}
	return h, at
}

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

// sumsUp reports whether the number at k is said to be an average, or a total of more than two of the source's, and the source's at j is not: none
// of the parts denies it.
func (c *comparison) sumsUp(k, j int) bool {
	how := c.mine.summed(k)
	if how == 0 || c.theirs.summed(j) != 0 {
		return false
	}
	mine, _ := c.mine.amount(k)
	parts := 0
	for _, a := range c.theirs.amounts() {
		if a.unit == mine.unit {
			parts++
		}
	}
	return how == average || parts > 2
}

// summed reports whether the number at k is said to be a total or an average: no other number stands between it and the word for that.
func (l line) summed(k int) reckoning {
	for _, step := range []int{-1, 1} {
		for i := k + step; i >= max(l.start, k-8) && i < min(l.end, k+9) && !l.at(i).kind.has(number); i += step {
			switch {
			case l.totals(i):
				return sum
			case l.at(i).key == onAverage:
				return average
			}
		}
	}
	return 0
}

var onAverage = plainKey("average")

var saving = plainKey("save")

// setsApart reports whether an amount is said to be what two others differ by: grew by 28, saved $3, three years older.
func (l line) setsApart(a amount) bool {
	if _, at := l.hedge(a.from); l.key(at-1) == "by" || l.key(at-1) == saving {
		return true
	}
	for i := a.to; i < min(l.end, a.to+4); i++ {
		if l.at(i).kind.has(compare) && !l.at(i).kind.has(comma) || strings.HasSuffix(l.text(i), "er") && l.key(i+1) == "than" {
			return true
		}
	}
	return false
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
	if a, b := quantity(mine), quantity(theirs); a != b && c.near(k, p) > 2 {
		return // 3 feet or acres elsewhere are not said in place of 3 years, nor $3 in place of 3 hours: the number is the same by chance
	}
	if c.inOtherUnit(k) {
		return // more than three weeks are said by 23 days, and not denied by three days
	}
	c.add("unit", from, to, left, right, c.instead(from, to, left, right))
}

// points reports whether the number at i is of percentage points: from 50 to 55 percent it is 5 of them, and 10 percent.
func (l line) points(i int) bool {
	return l.key(i+1) == signs['%'] && l.key(i+2) == point
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
		if j >= 0 && !c.restDay(k) && !c.theirs.spansMonth(j, tok.key) {
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
