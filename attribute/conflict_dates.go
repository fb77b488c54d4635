package attribute

import (
	"slices"
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// farYear is how far from its place in the segment a year is looked for.
const farYear = 14

// plainYear reports whether a year stands on both sides, and no decade.
func (c *comparison) plainYear(k, j int) bool {
	a, b := c.s.tokens[k], c.theirs.at(j)
	return a.Kind.Has(token.Year) && b.Kind.Has(token.Year) && !strings.HasSuffix(a.Key, "s") && !strings.HasSuffix(b.Key, "s")
}

// dated widens a number to the date it is part of: a month beside it, and the year or day beside that.
func dated(at, first, end int, kindOf func(int) token.Kind) (from, to int) {
	from, to = at, at+1
	is := func(i int, k token.Kind) bool { return i >= first && i < end && kindOf(i).Has(k) }
	switch {
	case is(at+1, token.Month): // 6 August (1858)
		to = at + 2
		if is(to, token.Year) || is(at, token.Year) && is(to, token.Number) && !is(at+1, token.Comma) { // or 1858-08-06
			to++
		}
	case is(at-1, token.Month): // August 6 (1858), or (6) August 1858
		from = at - 1
		if is(at, token.Year) && is(from-1, token.Number) {
			from--
		} else if is(to, token.Year) {
			to++
		} else if is(from-1, token.Year) && !is(from, token.Comma) { // 1858-08-06
			from--
		}
	case is(at, token.Year) && is(at-1, token.Number) && is(at-2, token.Month): // August 6, 1858
		from = at - 2
	}
	return from, to
}

// monthIn is the month that stands among the tokens [from, to), empty where none does.
func (l line) monthIn(from, to int) string {
	for i := from; i < to; i++ {
		if l.at(i).Kind.Has(token.Month) {
			return l.at(i).Key
		}
	}
	return ""
}

// dates compares months and days of the week.
func (c *comparison) dates() {
	for k, tok := range c.s.tokens {
		if _, ok := c.place[k]; ok || !tok.Kind.Has(token.Month) && token.Weekday(tok.Key) < 0 {
			continue
		}
		j := c.nearest(k, 12, func(w word32) bool {
			if tok.Kind.Has(token.Month) {
				return w.kind.Has(token.Month)
			}
			return token.Weekday(c.t.terms[w.term].key) >= 0
		})
		if j >= 0 && !c.restDay(k) && !c.theirs.spansMonth(j, tok.Key) && !c.shifted(k, j) {
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
		} else if last < l.end && !l.at(last).Kind.Has(token.Glued) {
			continue
		}
		if last >= l.end || j != first && j != last || !l.at(first).Kind.Has(token.Month) || !l.at(last).Kind.Has(token.Month) {
			continue
		}
		from, to, at := slices.Index(token.MonthKeys[:], l.key(first)), slices.Index(token.MonthKeys[:], l.key(last)), slices.Index(token.MonthKeys[:], other)
		return (at-from+12)%12 <= (to-from+12)%12
	}
	return false
}

// restDay reports whether a token of the segment is a day of the week, and only one side says that something is closed: what is closed
// on Sundays opens on other days.
func (c *comparison) restDay(k int) bool {
	closes := func(l line) bool { return l.any(func(i int) bool { return l.at(i).Key == "close" }) }
	return token.Weekday(c.s.tokens[k].Key) >= 0 && closes(c.mine) != closes(c.theirs)
}
