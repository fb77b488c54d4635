package attribute

import (
	"math"
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// spans finds an age or a number of years that the source's two dates deny: died at the age of 60, where he was born in 1915 and died in 1985; led it for fifteen
// years, where she did so from 1950 to 1962; eight years later, beside 1990 and 1993.
func (c *comparison) spans() {
	if c.s.tongue != nil {
		return
	}
	for k, tok := range c.s.tokens {
		if !tok.Kind.Has(token.Number) || tok.Kind.Has(token.Year) || c.placed(k) {
			continue
		}
		a, ok := c.mine.amount(k)
		if !ok || a.value != math.Trunc(a.value) {
			continue
		}
		from, to := a.from, a.to
		var fits func(l line) (least, most float64, left, right int)
		_, at := c.mine.hedge(a.from)
		switch {
		case at != a.from:
			continue
		case c.mine.age(k) && c.mine.names(dying):
			for from > 0 && (c.mine.key(from-1) == "of" || aging[c.mine.key(from-1)] || c.mine.key(from-1) == "at" || c.mine.key(from-1) == "the") {
				from--
			}
			if c.mine.key(to) == old {
				to++
			}
			fits = line.lifetime
		case a.unit == years && c.mine.key(a.from-1) == "for":
			from--
			fits = func(l line) (least, most float64, left, right int) { return c.term(l) }
		case a.unit == years && takingTime[c.mine.word(a.from-1)]:
			from--
			fits = line.begunToEnded
		case a.unit == years && strings.EqualFold(c.mine.textAt(a.to), "later") && c.mine.key(a.to+1) != "than":
			to++
			fits = func(l line) (least, most float64, left, right int) { return c.gap(l) }
		default:
			continue
		}
		if c.rest(from, to) < restAgrees {
			continue
		}
		for l := range c.lines() {
			least, most, left, right := fits(l)
			if right == 0 || a.value >= least && a.value <= most || !c.allWithin(l, from, to) {
				continue
			}
			n := len(c.found)
			c.add("number", from, to, left, right, c.instead(from, to, left, right))
			if len(c.found) > n {
				c.found[n].plain = true // it is reckoned, and no judge does that
			}
			return
		}
	}
}

var dying, bearing = token.Key("die"), token.Key("born")

// textAt is the text of the token at i, empty where there is none.
func (l line) textAt(i int) string {
	if i < l.start || i >= l.end {
		return ""
	}
	return l.text(i)
}

// allWithin reports whether all words of the segment that the window has, but for those of [from, to), stand in one sentence of it.
func (c *comparison) allWithin(l line, from, to int) bool {
	for _, k := range c.s.content {
		if p, ok := c.place[k]; ok && (k < from || k >= to) && (p < l.start || p >= l.end) {
			return false
		}
	}
	return true
}

// lifetime reads how old at least and at most someone was who was born on one date of a sentence and died on another. right is 0 where it does not say so, or
// says how old.
func (l line) lifetime() (least, most float64, left, right int) {
	born, died := l.only(bearing), l.only(dying)
	if born < 0 || died < born || l.any(l.age) {
		return 0, 0, 0, 0
	}
	first, second := l.yearIn(born, died), l.yearIn(died, l.end)
	if first < 0 || second < 0 {
		return 0, 0, 0, 0
	}
	most = l.at(second).Num - l.at(first).Num
	least = most - 1
	from, day := l.calendar(first - 1)
	until, days := l.calendar(second - 1)
	if day && days {
		if until.Before(from) {
			most = least
		} else {
			least = most
		}
	}
	return least, most, born, second + 1
}

// only finds the one word of a line with this normal form, -1 where there is none or more than one.
func (l line) only(key string) int {
	at := -1
	for i := l.start; i < l.end; i++ {
		if l.at(i).Key == key {
			if at >= 0 {
				return -1
			}
			at = i
		}
	}
	return at
}

// yearIn finds the one year between two words, -1 where there is none or more than one.
func (l line) yearIn(from, to int) int {
	at := -1
	for i := from; i < to; i++ {
		if l.at(i).Kind.Has(token.Year) {
			if at >= 0 {
				return -1
			}
			at = i
		}
	}
	return at
}

// twoYears are the years of a line that has two, in their order.
func (l line) twoYears() (first, second int, ok bool) {
	first, second = -1, -1
	for i := l.start; i < l.end; i++ {
		switch {
		case !l.at(i).Kind.Has(token.Year):
		case strings.HasSuffix(l.at(i).Key, "s") || second >= 0:
			return 0, 0, false
		case first < 0:
			first = i
		default:
			second = i
		}
	}
	return first, second, second >= 0 && l.at(first).Num < l.at(second).Num
}

// term reads how many years something lasted from one year of a sentence to another, of which a word of the segment stands just before. It may be one
// more or less, as parts of years are counted.
func (c *comparison) term(l line) (least, most float64, left, right int) {
	first, second, ok := l.twoYears()
	if !ok || second != first+2 || !enduring[l.key(first+1)] || !(l.key(first-1) == "from" || l.key(first-1) == "between") || c.mine.any(func(i int) bool { return c.mine.at(i).Kind.Has(token.Year) }) {
		return 0, 0, 0, 0
	}
	if l.any(func(i int) bool { return l.at(i).Key == years }) {
		return 0, 0, 0, 0 // it counts years itself
	}
	said := false
	for i := first - 2; i >= max(l.start, first-5) && !l.at(i+1).Kind.Has(token.Comma) && l.key(i) != "and"; i-- {
		said = said || c.used[i] && l.at(i).Content()
	}
	if !said {
		return 0, 0, 0, 0
	}
	apart := l.at(second).Num - l.at(first).Num
	return apart - 1, apart + 1, first - 1, second + 1
}

var enduring = token.Keys(`to until till and`)

// gap reads how many years lie between the two years of a sentence, where the passage has no other to count from. A year of the segment must be one of them.
func (c *comparison) gap(l line) (least, most float64, left, right int) {
	first, second, ok := l.twoYears()
	if !ok || l.any(func(i int) bool { return l.at(i).Key == years }) {
		return 0, 0, 0, 0
	}
	other := func(of line, i int) bool {
		return of.at(i).Kind.Has(token.Year) && of.at(i).Num != l.at(first).Num && of.at(i).Num != l.at(second).Num
	}
	if c.mine.any(func(i int) bool { return other(c.mine, i) }) || c.passageAny(other) {
		return 0, 0, 0, 0
	}
	apart := l.at(second).Num - l.at(first).Num
	return apart - 1, apart + 1, first, second + 1
}

// begunToEnded reads how many years something took that began in one year of a sentence and ended in another: from one less than lie between them, as parts of years are counted.
func (l line) begunToEnded() (least, most float64, left, right int) {
	first, second, ok := l.twoYears()
	if !ok || l.any(func(i int) bool { return l.at(i).Key == years }) {
		return 0, 0, 0, 0
	}
	begins, ends := -1, -1
	for i := l.start; i < second; i++ {
		switch {
		case i < first && beginning[l.key(i)]:
			begins = i
		case i > first && finishing[l.key(i)]:
			ends = i
		}
	}
	if begins < 0 || ends < 0 {
		return 0, 0, 0, 0
	}
	apart := l.at(second).Num - l.at(first).Num
	return apart - 1, apart, begins, second + 1
}

var (
	takingTime = token.Words(`take takes took taken last lasts lasted`)
	beginning  = token.Keys(`begin began begun start started`)
	finishing  = token.Keys(`end ended finish finished complete completed conclude concluded`)
)
