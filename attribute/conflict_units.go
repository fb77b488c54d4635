package attribute

import (
	"slices"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// counted finds three doses beside two doses where the source has three of something else.
func (c *comparison) counted(k, p int) {
	q, ok := c.place[k+1]
	if !ok || c.s.tokens[k+1].Kind&(token.Unit|token.Number|token.Name|token.Comma|token.Glued) != 0 || c.s.tokens[k].Kind.Has(token.Ordinal|token.Year) || q > p && q-p <= 4 {
		return
	}
	if q < p && c.sentence(q) == c.sentence(p) {
		return // 54 novels, seven of them under another name
	}
	j := q - 1
	if j < c.start || c.sentence(j) != c.sentence(q) || c.used[j] || c.theirs.at(q).Kind.Has(token.Comma) {
		return
	}
	theirs := c.theirs.at(j)
	if !theirs.Kind.Has(token.Number) || theirs.Kind.Has(token.Year) || theirs.Num == c.s.tokens[k].Num || theirs.Num == 1 || c.mine.upTo(k) >= 0 || c.theirs.rangeEnds(j) {
		return
	}
	if hedge, _ := c.mine.hedge(k); hedge.allows(c.s.tokens[k].Num, theirs.Num) || !c.tells(j, k, k+1, 0.5) {
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

// withUnit widens a number of the segment to what people read as one: "23 %", "6 August 1858".
func (c *comparison) withUnit(k int) (from, to int) {
	if l, r := dated(k, 0, len(c.s.tokens), func(i int) token.Kind { return c.s.tokens[i].Kind }); r-l > 1 {
		return l, r
	}
	_, from, to = c.mine.unit(k)
	return from, to
}

func (c *comparison) withUnitAt(j int) (left, right int) {
	if l, r := dated(j, c.start, c.end, func(i int) token.Kind { return c.t.tokens[i].kind }); r-l > 1 {
		return l, r
	}
	_, left, right = c.theirs.unit(j)
	return left, right
}

// units compares the units of a number that both sides have.
func (c *comparison) units(k, p int) {
	mine, from, to := c.mine.beside(k)
	theirs, left, right := c.theirs.beside(p)
	points := c.mine.points(k)
	if mine == "" || theirs == "" || mine == theirs && points == c.theirs.points(p) || degrees(mine, theirs) {
		return
	}
	for j := c.start; j < c.end; j++ {
		if c.theirs.at(j).Key == c.s.tokens[k].Key && c.theirs.counts(j, mine) && points == c.theirs.points(j) {
			return // in 3 days and 3 hours the 3 days are said too
		}
	}
	for _, m := range []string{"minute", "mile", "month"} { // what else "m" stands for
		if m = token.Normal(m); mine == meter && theirs == m || mine == m && theirs == meter {
			return
		}
	}
	if c.theirs.key(right) == "per" && c.theirs.key(right+1) == mine {
		return // three kilometres away after nine seconds, at 3 seconds per kilometre
	}
	if a, b := quantity(mine), quantity(theirs); a != b && c.near(k, p) > 2 {
		return // 3 feet or acres elsewhere are not said in place of 3 years, nor $3 in place of 3 hours: the number is the same by chance
	}
	if a, ok := c.mine.amount(k); ok && points == c.theirs.points(p) && c.mine.setsApart(a) {
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

// partOfTime finds the amount of a larger unit that goes on with the number at k: four minutes and five seconds.
func (l line) partOfTime(k int) (amount, bool) {
	for i := k - 2; i >= max(l.start, k-3); i-- {
		if a, ok := l.amount(i); ok && l.at(i).Kind.Has(token.Number) && a.from <= i && k < a.to {
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

var cent = token.Normal("cent")

// quantity is what a unit measures: time, weight, money; empty where that is not known.
func quantity(unit string) string {
	if unit == token.Signs['$'] || unit == token.Signs['€'] || unit == token.Signs['¥'] || unit == cent {
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
	return a == token.Signs['°'] && scale(b) || b == token.Signs['°'] && scale(a)
}
