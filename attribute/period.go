package attribute

import (
	"math"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// A period is a stretch of time that a source names by its first and its last date: from 1961 to 1975, between January and June 2005, since 1939. What
// lasted so long was so in each year of it.
type period struct {
	first, last yearMonth
	open        bool // it has no end: since 1939
	single      bool // it is one date, and no stretch
	lead        int  // the token of "from" and the like, or that of the first date
	from, to    int  // tokens
}

// yearMonth is a date without its day. What is not said is zero.
type yearMonth struct{ year, month int }

// yearMonth reads the date that begins at i, and where it ends: 1961, May 1961, 2 May 1961, May 2, 1961, May.
func (l line) yearMonth(i int) (d yearMonth, to int, ok bool) {
	is := func(i int, k token.Kind) bool { return i >= l.start && i < l.end && l.at(i).Kind.Has(k) }
	day := func(i int) bool {
		return is(i, token.Number) && !is(i, token.Year) && l.at(i).Num <= 31 || is(i, token.Ordinal)
	}
	if day(i) && is(i+1, token.Month) {
		i++
	}
	if is(i, token.Month) {
		d.month = slices.Index(token.MonthKeys[:], l.key(i)) + 1
		if i++; day(i) && is(i+1, token.Year) {
			i++
		}
		if !is(i, token.Year) {
			return d, i, d.month > 0
		}
	}
	if !is(i, token.Year) || strings.HasSuffix(l.key(i), "s") {
		return d, i, false
	}
	d.year = int(l.at(i).Num)
	return d, i + 1, true
}

// period reads the one that begins at i, or the single date.
func (l line) period(i int) (period, bool) {
	word := l.key(i)
	led := word == "from" || word == "between" || word == sinceKey
	at := i
	if led {
		at++
	}
	first, to, ok := l.yearMonth(at)
	if !ok {
		return period{}, false
	}
	p := period{first: first, last: first, open: word == sinceKey, single: word != sinceKey, lead: i, from: at, to: to}
	joined, next := l.key(to), to+1
	if to < l.end && l.at(to).Kind.Has(token.Glued) && !l.at(to).Kind.Has(token.Comma) {
		joined, next = "to", to // 1961–1975
	}
	last, end, ok := l.yearMonth(next)
	switch {
	case !ok || joined != "to" && joined != "until" && joined != "till" && joined != throughKey && !(joined == "and" && word == "between"):
		return p, true
	case !led && at > l.start && l.at(at-1).Kind.Has(token.Capital) && l.at(at).Kind.Has(token.Comma) && l.closed(end-1):
		p.to = end // a life: Anna Berg (1898–1964)
		return p, true
	}
	if first.year == 0 {
		first.year = last.year // from January to June 2005
	}
	return period{first: first, last: last, lead: i, from: at, to: end}, true
}

var sinceKey, throughKey = token.Key("since"), token.Key("through")

// holds reports whether a date lies within a period. A month of its first or last year does where the period says from which month on.
func (p period) holds(d yearMonth) bool {
	switch {
	case p.single, (d.year == 0) != (p.first.year == 0):
		return false
	case d.year == 0:
		return !p.open && d.month > 0 && (d.month-p.first.month+12)%12 <= (p.last.month-p.first.month+12)%12
	}
	after := d.year > p.first.year || d.year == p.first.year && (d.month == 0 || p.first.month > 0 && d.month >= p.first.month)
	before := d.year < p.last.year || d.year == p.last.year && (d.month == 0 || p.last.month > 0 && d.month <= p.last.month)
	return after && (before || p.open)
}

// periods are all that a line names, single dates among them, in their order.
func (l line) periods() []period {
	var out []period
	for i := l.start; i < l.end; i++ {
		if p, ok := l.period(i); ok {
			out = append(out, p)
			i = p.to - 1
		}
	}
	return out
}

// lasting is the year or month of a segment that dates what lasts, by its place among the words that count, with the date around it.
type lasting struct {
	i        int
	date     yearMonth
	from, to int
}

// expandPeriods lets a period of the window stand for the years and months of the segment that lie in it: in 1968, from 1961 to 1975. It must be the
// nearest of the window's dates, and what the segment says no event of one day, as who was director for years did not become it each year.
func (s *segment) expandPeriods(a *alignment, theirs line) {
	var all []period
	for _, d := range s.lasting {
		if a.pos[d.i] >= 0 {
			continue
		}
		if all == nil {
			all = theirs.periods()
		}
		if p, ok := s.nearestPeriod(a, d.from, d.to, all); ok && p.holds(d.date) {
			s.stands(a, d.from, d.to, p.from, .9, measured)
		}
	}
}

// during reads the date around the year or month at i that dates what lasts: in 1968, during May 1968, in early 1968. at is where the words before it
// begin, and [from, to) the date.
func (l line) during(i int) (d yearMonth, at, from, to int, ok bool) {
	from = i
	if l.at(i).Kind.Has(token.Year) && i > l.start && l.at(i-1).Kind.Has(token.Month) {
		from--
	}
	if d, to, ok = l.yearMonth(from); !ok {
		return d, at, from, to, false
	}
	if next := l.key(to); next == "to" || next == "until" || next == throughKey || to < l.end && l.at(to).Kind.Has(token.Number) {
		return d, at, from, to, false // a stretch, or a day
	}
	for at = from - 1; at >= l.start && partOfYear[l.key(at)]; at-- {
	}
	return d, at, from, to, l.key(at) == "in" || l.key(at) == duringKey
}

var duringKey = token.Key("during")

// withinPeriod gives the place of the date at c that a period of the window stands for, which begins at p, and how the source says it.
func (l line) withinPeriod(c int, theirs line, p int) (at, to, left, right int, ok bool) {
	d, at, _, to, ok := l.during(c)
	if !ok {
		return 0, 0, 0, 0, false
	}
	for _, x := range theirs.periods() {
		if x.from == p && x.holds(d) {
			return at, to, x.lead, x.to, true
		}
	}
	return 0, 0, 0, 0, false
}

var partOfYear = token.Keys(`the year early late mid of month`)

// nearestPeriod is the period, or the single date, that stands nearest to the matched word beside the tokens [from, to) of the segment.
func (s *segment) nearestPeriod(a *alignment, from, to int, all []period) (period, bool) {
	beside := s.besideOf(a, from, to)
	best, least := -1, math.MaxInt
	for n, p := range all {
		if far := max(p.from-beside, beside-p.to+1, 0); far < least {
			best, least = n, far
		}
	}
	if best < 0 || beside < 0 {
		return period{}, false
	}
	return all[best], true
}

// besideOf is the place of the matched word beside the tokens [from, to) of the segment, -1 where it has none.
func (s *segment) besideOf(a *alignment, from, to int) int {
	for d := 1; d <= len(s.tokens); d++ {
		for _, k := range [...]int{from - d, to - 1 + d} { // the one before goes first
			if i, ok := slices.BinarySearch(s.content, k); ok && a.pos[i] >= 0 {
				return int(a.pos[i])
			}
		}
	}
	return -1
}

// tells reports whether the segment has one of some words.
func (s *segment) tells(words map[string]bool) bool {
	return slices.ContainsFunc(s.tokens, func(t token.Token) bool { return words[strings.ToLower(t.At.In(s.text))] })
}

// momentary are words for what is done within a day or that ends or begins something.
var momentary = token.Words(`became become becomes becoming begins starts opens closes ends leaves arrives departs began begun start started founded founding established born birth died death dies killed ended finished finishing completed opened opening reopened built erected
	constructed moved joined left leaving appointed elected retired resigned resigning married divorced graduated published released launched introduced created invented discovered signed adopted dissolved abolished
	destroyed demolished sold bought acquired purchased won received awarded named renamed arrived returned replaced succeeded closing ceased stopped first last finally only`)
