package attribute

import (
	"slices"
	"strings"
)

// farYear is how far from its place in the segment a year is looked for.
const farYear = 14

// plainYear reports whether a year stands on both sides, and no decade.
func (c *comparison) plainYear(k, j int) bool {
	a, b := c.s.tokens[k], c.theirs.at(j)
	return a.kind.has(year) && b.kind.has(year) && !strings.HasSuffix(a.key, "s") && !strings.HasSuffix(b.key, "s")
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
