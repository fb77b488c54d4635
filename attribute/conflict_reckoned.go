package attribute

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// adds reports whether the number at k is what the source's at j and another one of the nearest windows make together or differ by.
// Of numbers that others make by chance the statement must say so.
func (c *comparison) adds(k, j int) bool {
	mine, ok := c.mine.amount(k)
	if !ok {
		return false
	}
	if c.times(mine, j) || c.apart(mine, j) || c.remains(mine, j) || c.scales(mine, j) || c.percentOf(mine) || c.covers(mine, k) || c.fold(mine, j) || c.product(mine, k, j) || c.gathers(mine, j) || c.allOf(mine, j) || c.partOfTheirs(mine, j) {
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
	hedge, _ := c.mine.hedge(mine.from)
	for _, a := range append([]alignment{*c.a, c.e.second}, c.e.others...) {
		if len(a.pos) == 0 {
			continue
		}
		l := c.t.line(a.passage, c.t.sentences[a.from].start, c.t.sentences[a.to-1].end)
		c.t.operations += l.end - l.start
		if slices.ContainsFunc(l.amounts(), func(b amount) bool { _, _, ok := mine.reckonedBy([]amount{theirs, b}, how, hedge); return ok }) {
			return true
		}
	}
	return false
}

// gathers reports whether an amount is of people whom the source counts by what they are: five people, where four passengers and one guard were.
func (c *comparison) gathers(mine amount, j int) bool {
	if mine.unit != "" || c.mine.key(mine.to) != "person" {
		return false
	}
	l := c.around(j)
	for i := max(l.start, j-5); i < min(l.end, j+6); i++ {
		between := l.within(min(i, j)+1, max(i, j))
		if l.at(i).Kind.Has(token.Number) && off(l.at(i).Num+l.at(j).Num, mine.value) < 1e-6 && between.any(func(k int) bool { return l.at(k).Key == "and" }) {
			return true
		}
	}
	return false
}

// allOf reports whether an amount is what three and more of the source's sentence make together, one behind the other: 80 voted, where 61 were in favour, 12 against, and 7 abstained.
func (c *comparison) allOf(mine amount, j int) bool {
	if c.mine.any(c.mine.single) {
		return false // on one of three nights
	}
	all := c.around(j).amounts()
	for n := range all {
		total := 0.0
		for i, a := range all[n:] {
			if a.unit != mine.unit && a.unit != "" {
				break
			}
			if total += a.value; i >= 2 && off(total, mine.value) < 1e-6 {
				return true
			}
		}
	}
	return false
}

// partOfTheirs reports whether an amount is as many percent of the source's at j as its sentence says: 34,000 of the 85,000 books of which 40 % are fiction.
func (c *comparison) partOfTheirs(mine amount, j int) bool {
	l := c.around(j)
	theirs, ok := l.amount(j)
	return ok && mine.unit == theirs.unit && slices.ContainsFunc(l.amounts(), func(share amount) bool {
		part := share.value / 100
		return share.unit == token.Signs['%'] && (mine.reckonedAs(theirs.value*part, exact) || mine.reckonedAs(theirs.value*(1-part), exact))
	})
}

// times reports whether an amount is what the source gives for each, as often as the statement says: 12 pounds at 3 minutes per pound.
func (c *comparison) times(mine amount, j int) bool {
	l := c.around(j)
	if !l.any(func(i int) bool { return apiece[l.at(i).Key] }) {
		return false
	}
	factors := c.mine.amounts()
	return slices.ContainsFunc(l.amounts(), func(one amount) bool {
		return slices.ContainsFunc(factors, func(n amount) bool {
			return n.from != mine.from && off(n.value*one.value, mine.value) < 1e-6 && (one.unit == "" || mine.unit == "" || one.unit == mine.unit)
		})
	})
}

var apiece = map[string]bool{"per": true, token.Key("each"): true, token.Key("every"): true, token.Key("apiece"): true}

// apart reports whether an amount is, as far as its hedge makes room, what the source's at j and another one of its sentence differ by.
func (c *comparison) apart(mine amount, j int) bool {
	h, at := c.mine.hedge(mine.from)
	if !(c.mine.key(at-1) == "by" && h != exact || c.mine.key(at-1) == "of" && distances[c.mine.key(at-2)]) {
		return false
	}
	theirs, _ := c.theirs.amount(j)
	l := c.around(j)
	return slices.ContainsFunc(l.amounts(), func(b amount) bool {
		bare := b.unit == "" && (b.to == l.end || !l.at(b.to).Content()) // 17,635 miles and 17,985
		apart := math.Abs(theirs.value - b.value)
		return (b.unit == theirs.unit || bare) && (h.allows(mine.value, apart) || off(mine.value, apart) < 1e-6)
	})
}

// remains reports whether an amount is what is left of another of the statement, or of 100 percent, without one of the source's: 27 of 38 did not
// where 11 did. Where the statement says that it is what is left, or some of them, the source may name the whole: 27 did not, five of the branches
// stay, where 11 of 38 did and two of the seven close.
func (c *comparison) remains(mine amount, j int) bool {
	parts := c.around(j).amounts()
	wholes := c.mine.amounts()
	if mine.unit == token.Signs['%'] {
		wholes = append(wholes, amount{value: 100, unit: mine.unit, from: -1})
	}
	hedge, _ := c.mine.hedge(mine.from)
	left := c.mine.leaves() || mine.unit == "" && c.mine.key(mine.to) == "of"
	if left && mine.value > 2 && !slices.ContainsFunc(parts, func(a amount) bool { return a.value == mine.value }) {
		for _, a := range parts { // one and two are what others differ by, too often
			a.from = -1 // it is of the other line
			wholes = append(wholes, a)
		}
	}
	return slices.ContainsFunc(wholes, func(whole amount) bool {
		return whole.from != mine.from && slices.ContainsFunc(parts, func(part amount) bool { return mine.reckonedAs(whole.value-part.value, hedge) })
	})
}

// reckonedAs reports whether an amount is what others come to, or as close as its hedge lets a number that was reckoned be: about 1,400 did not where 28,604 of 30,000 did.
func (mine amount) reckonedAs(v float64, hedge hedge) bool {
	return off(v, mine.value) < 1e-6 || hedge.rough() && hedge.allows(mine.value, v) && off(v, mine.value) <= .03
}

// leaves reports whether a statement speaks of what is left of a whole: the other ten, 10 are still missing, 10 did not.
func (l line) leaves() bool {
	return l.any(func(i int) bool { return l.at(i).Kind.Has(token.Negation) || leftOver[l.at(i).Key] })
}

var leftOver = token.Keys(`still left remain remaining other others rest`)

// leavesShare reports whether a share of the statement is what one of the sentence around j leaves: a third did not where two thirds did.
func (c *comparison) leavesShare(j int) bool {
	l := c.around(j)
	var theirs []amount
	for i := l.start; i < l.end && len(theirs) < maxAmounts; i++ {
		if a, ok := l.amount(i); ok && quantity(a.unit) == "share" {
			theirs = append(theirs, a)
		}
	}
	return len(theirs) > 0 && c.mine.any(func(k int) bool {
		mine, ok := c.mine.share(k)
		return ok && slices.ContainsFunc(theirs, func(a amount) bool { return off(mine.inWhole()+a.inWhole(), 1) < 1e-6 })
	})
}

// fold reports whether an amount is as many times the source's at j, or such a part of it, as that sentence says: estimated at 400 where it was sold
// for 1,200, three times its estimate.
func (c *comparison) fold(mine amount, j int) bool {
	theirs, ok := c.theirs.amount(j)
	l := c.around(j)
	return ok && theirs.unit == mine.unit && l.any(func(i int) bool {
		n := l.at(i).Num
		if l.key(i) == twice {
			n = 2
		} else if !l.at(i).Kind.Has(token.Number) || l.key(i+1) != times || i == j {
			return false
		}
		return off(mine.value*n, theirs.value) < 1e-6 || off(theirs.value*n, mine.value) < 1e-6
	})
}

var twice, times = token.Key("twice"), token.Key("times")

// product reports whether the number at k is said to be a total, and is as many of the source's amount at j as its sentence counts: 60 m in all where
// two ropes of 30 m are needed.
func (c *comparison) product(mine amount, k, j int) bool {
	theirs, ok := c.theirs.amount(j)
	return ok && theirs.unit == mine.unit && c.mine.summed(k) == sum && slices.ContainsFunc(c.around(j).amounts(), func(n amount) bool {
		return n.unit == "" && n.from != theirs.from && off(n.value*theirs.value, mine.value) < 1e-6
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

// counting is the unit of an amount, or where it has none, the word behind it: 1,000 square feet. What serves four is for four people.
func (l line) counting(a amount) string {
	if a.unit == "" && (serving[l.key(a.from-1)] || eating[l.key(a.to)]) {
		return people
	}
	if a.unit == "" {
		return l.key(a.to)
	}
	return a.unit
}

var serving, eating, people = token.Keys(`serve feed`), token.Keys(`people person serving portion guest`), token.Key("people")

// percentOf reports whether an amount is what the statement itself says in percent of another, or that other one: 1 to 2 percent, or $3,500 to $7,000 on a
// $350,000 house.
func (c *comparison) percentOf(mine amount) bool {
	all := c.mine.amounts()
	return slices.ContainsFunc(all, func(share amount) bool {
		return share.unit == token.Signs['%'] && slices.ContainsFunc(all, func(other amount) bool {
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
		return l.at(i).Kind.Has(token.Number) && (by == "x" || by == "by" || by == "×") && i+2 < l.end && l.at(i+2).Kind.Has(token.Number) && off(l.at(i).Num*l.at(i+2).Num, mine.value) < 1e-3
	})
}

var square = token.Key("square")

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
		for i := k + step; i >= max(l.start, k-8) && i < min(l.end, k+9) && !l.at(i).Kind.Has(token.Number); i += step {
			switch {
			case l.totals(i):
				return sum
			case l.at(i).Key == onAverage:
				return average
			}
		}
	}
	return 0
}

var onAverage = token.Key("average")

var saving = token.Key("save")

// setsApart reports whether an amount is said to be what two others differ by: grew by 28, saved $3, three years older.
func (l line) setsApart(a amount) bool {
	if _, at := l.hedge(a.from); l.key(at-1) == "by" || l.key(at-1) == saving {
		return true
	}
	for i := a.to; i < min(l.end, a.to+4); i++ {
		if l.at(i).Kind.Has(token.Compare) && !l.at(i).Kind.Has(token.Comma) || strings.HasSuffix(l.text(i), "er") && l.key(i+1) == "than" {
			return true
		}
	}
	return false
}

// shifted reports whether the date of the segment at k is the source's at j and a span of time that its sentence names: 14 July for 30 June and two
// weeks. Where the segment names no day, it is its month.
func (c *comparison) shifted(k, j int) bool {
	mine, day := c.mine.calendar(k)
	theirs, known := c.around(j).calendar(j)
	if mine.IsZero() || !known {
		return false
	}
	return slices.ContainsFunc(c.around(j).amounts(), func(span amount) bool {
		if measures[span.unit].of != "time" || span.value > 1000 {
			return false
		}
		n, months := int(span.value*measures[span.unit].much/measures[daily].much+0.5), 0
		if per := measures[span.unit].much / measures[monthly].much; per >= 1 {
			n, months = 0, int(span.value*per+0.5)
		}
		for _, sign := range []int{1, -1} {
			if at := theirs.AddDate(0, sign*months, sign*n); at.Month() == mine.Month() && (!day || at.Day() == mine.Day()) {
				return true
			}
		}
		return false
	})
}

// yearsOff reports whether the year of the segment at k is the source's at j and the years that its sentence names before or behind it: 1862 for two years before 1864, 2022 for year on year
// in 2023, 1971 for who was born in 1952 and moved away at 19.
func (c *comparison) yearsOff(k, j int) bool {
	mine, theirs := c.s.tokens[k], c.theirs.at(j)
	l := c.around(j)
	return c.plainYear(k, j) && (slices.Contains(l.yearSpans(), mine.Num-theirs.Num) || slices.Contains(l.ages(), mine.Num-theirs.Num))
}

// ages are how old someone was at what a line tells: moved away at 19, at the age of 19, aged 19.
func (l line) ages() []float64 {
	var out []float64
	for i := l.start + 1; i < l.end && len(out) < maxAmounts; i++ {
		if l.numbers(i) && !l.clock(i) && (l.age(i) || l.key(i-1) == "at" && (i+1 == l.end || l.at(i+1).Kind.Has(token.Comma) || !l.at(i+1).Content())) {
			out = append(out, l.at(i).Num)
		}
	}
	return out
}

// yearSpans are the years by which something of a line lies before a date, negative, or behind it: two years before, a year earlier, year on year, three years later.
func (l line) yearSpans() []float64 {
	var out []float64
	for i := l.start; i < l.end && len(out) < maxAmounts; i++ {
		if l.key(i) != years {
			continue
		}
		before := l.key(i - 1)
		switch over := l.key(i + 1); {
		case (over == "on" || over == "over") && l.key(i+2) == years, lastYear[before]:
			out = append(out, -1)
			continue
		}
		n := 1.0
		if i > l.start && l.at(i-1).Kind.Has(token.Number) {
			n = l.at(i - 1).Num
		} else if before != "a" && before != "one" && before != "the" {
			continue
		}
		switch word := strings.ToLower(l.text(min(i+1, l.end-1))); {
		case i+1 == l.end:
		case earlierYears[word]:
			out = append(out, -n)
		case laterYears[word]:
			out = append(out, n)
		}
	}
	return out
}

var (
	lastYear                 = token.Keys(`previous prior last preceding`)
	earlierYears, laterYears = token.Words(`before earlier ago prior previously`), token.Words(`after later`)
)

// calendar reads the date at i, in a year of no leap day, and whether it names the day; it is zero where there is no month.
func (l line) calendar(i int) (at time.Time, day bool) {
	for _, m := range []int{i, i + 1, i - 1} {
		if m < l.start || m >= l.end || !l.at(m).Kind.Has(token.Month) {
			continue
		}
		of := time.Month(slices.Index(token.MonthKeys[:], l.key(m)) + 1)
		for _, d := range []int{m - 1, m + 1} {
			if d >= l.start && d < l.end && l.at(d).Kind.Has(token.Number|token.Ordinal) && !l.at(d).Kind.Has(token.Year) && l.at(d).Num >= 1 && l.at(d).Num <= 31 {
				return time.Date(2001, of, int(l.at(d).Num), 0, 0, 0, 0, time.UTC), true
			}
		}
		return time.Date(2001, of, 1, 0, 0, 0, 0, time.UTC), false
	}
	return time.Time{}, false
}
