package attribute

import (
	"slices"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// A moment is a day of the week, a day of the year or a time of the day, as a place of its round: Tuesday, 12 June, 10 am.
type moment struct {
	round    int // how many places the round has: of days of the week, of days of the year, of minutes of the day
	at, last int // its first and its last place, which differ for a month
	from, to int // tokens
}

// The rounds of moments. Each month has as many days as the longest.
const (
	weekRound = 7
	yearRound = 12 * 31
	dayRound  = 24 * 60
)

// moment reads the one that begins at i. A date with its year is none, for it comes once.
func (l line) moment(i int) (moment, bool) {
	if i < l.start || i >= l.end {
		return moment{}, false
	}
	if day := token.Weekday(l.key(i)); day >= 0 {
		return moment{weekRound, day, day, i, i + 1}, true
	}
	if m, ok := l.dayOfYear(i); ok {
		return m, m.to >= l.end || !l.at(m.to).Kind.Has(token.Year)
	}
	if d, ok := l.daytime(i); ok && d.told && d.from == i {
		return moment{dayRound, d.minutes, d.minutes, i, d.to}, true
	}
	return moment{}, false
}

// dayOfYear reads the day of a month, or the month, that begins at i: 12 June, June 12, June.
func (l line) dayOfYear(i int) (moment, bool) {
	day := func(i int) bool {
		return i < l.end && l.at(i).Kind.Has(token.Number|token.Ordinal) && !l.at(i).Kind.Has(token.Year) && l.at(i).Num >= 1 && l.at(i).Num <= 31
	}
	m, d := i, -1
	switch {
	case day(i) && i+1 < l.end && l.at(i+1).Kind.Has(token.Month):
		m, d = i+1, i
	case l.at(i).Kind.Has(token.Month) && day(i+1):
		d = i + 1
	}
	month := slices.Index(token.MonthKeys[:], l.key(m))
	if month < 0 || !l.at(m).Kind.Has(token.Month) {
		return moment{}, false
	}
	if d < 0 {
		return moment{yearRound, 31 * month, 31*month + 30, i, i + 1}, true
	}
	at := 31*month + int(l.at(d).Num) - 1
	return moment{yearRound, at, at, i, max(m, d) + 1}, true
}

// stretch reads the moments from one to another that begin at i: from Monday to Thursday, 9 am to 6 pm, between 5 April and 20 September. What is so until a time of the day is so in the hours before
// it. What begins there and does not go on is a single moment.
func (l line) stretch(i int) (m moment, single, ok bool) {
	lead := l.key(i)
	at := i
	if lead == "from" || lead == "between" {
		at++
	}
	if m, ok = l.moment(at); !ok {
		return m, false, false
	}
	if before := l.key(at - 1); m.round == dayRound && (before == "until" || before == "till") {
		m.at = (m.at + dayRound - hoursBefore) % dayRound
		return m, false, true
	}
	next := m.to
	switch key := l.key(next); {
	case next < l.end && l.at(next).Kind.Has(token.Glued) && !l.at(next).Kind.Has(token.Comma): // Mon–Thu
	case key == "to" || key == "until" || key == "till" || key == throughKey || key == "and" && lead == "between":
		next++
	default:
		return m, true, true
	}
	last, ok := l.moment(next)
	if !ok || last.round != m.round {
		return m, true, true
	}
	return moment{m.round, m.at, last.last, m.from, last.to}, false, true
}

// hoursBefore is for how long before its end something is taken to have been so.
const hoursBefore = 6 * 60

// holds reports whether a moment lies within a stretch of its round.
func (m moment) holds(o moment) bool {
	after := func(at int) int { return (at - m.at + m.round) % m.round }
	return m.round == o.round && after(o.at) <= after(o.last) && after(o.last) <= after(m.last)
}

// moments are those at which the segment says that something is so, by their tokens: on Tuesday, at 10 am. What bounds a time or is one end of it is none.
func (s *segment) momentsSaid() []moment {
	if s.tongue != token.English {
		return nil
	}
	l := s.line()
	var out []moment
	for i := 0; i < l.end; i++ {
		m, single, ok := l.stretch(i)
		if !ok {
			continue
		}
		if single && !boundingTime[l.key(m.from-1)] && l.key(m.from-1) != "from" && l.key(m.from-1) != "to" && l.key(m.from-1) != throughKey {
			out = append(out, m)
		}
		i = m.to - 1
	}
	return out
}

// stretchFor is the stretch that a line names for a moment of the segment: the nearest to the words around it of all stretches and moments of its round in
// their sentence. A single moment is one where only
// is asked for and the line says that it is the only one.
func (s *segment) stretchFor(a *alignment, m moment, theirs line, only bool) (moment, bool) {
	beside := s.besideOf(a, m.from, m.to)
	for _, sentence := range theirs.t.sentences[a.from:a.to] {
		if sentence.start <= beside && beside < sentence.end {
			theirs = theirs.within(sentence.start, min(sentence.end, theirs.end))
		}
	}
	var best moment
	least, found := -1, false
	for i := theirs.start; i < theirs.end; i++ {
		o, single, ok := theirs.stretch(i)
		if !ok || o.round != m.round {
			continue
		}
		if far := max(o.from-beside, beside-o.to+1, 0); least < 0 || far < least {
			best, least, found = o, far, !single || only && theirs.onlyAt(o.from)
		}
		i = o.to - 1
	}
	return best, found && beside >= 0
}

// expandStretches lets a stretch of the window stand for the moments of the segment that lie in it: on Tuesday, from Monday to Thursday.
func (s *segment) expandStretches(a *alignment, theirs line) {
	for _, m := range s.moments {
		if i, ok := slices.BinarySearch(s.content, m.from); !ok || a.pos[i] >= 0 {
			continue
		}
		if o, ok := s.stretchFor(a, m, theirs, false); ok && o.holds(m) {
			s.stands(a, m.from, m.to, o.from, .9, measured)
		}
	}
}

// withinStretch gives the moment of the segment around the token c, with the preposition before it, that a stretch of the window stands for, which begins at p, and how the source says it.
func (s *segment) withinStretch(c int, theirs line, p int) (m moment, left, right int, ok bool) {
	i := slices.IndexFunc(s.moments, func(m moment) bool { return m.from <= c && c < m.to })
	if i < 0 {
		return m, 0, 0, false
	}
	m = s.moments[i]
	if key := s.line().key(m.from - 1); key == "on" || key == "at" {
		m.from--
	}
	left = p
	switch theirs.key(p - 1) {
	case "from", "between", "until", "till":
		left--
	}
	o, single, ok := theirs.stretch(max(theirs.start, left))
	if left < p && !(theirs.key(left) == "from" || theirs.key(left) == "between") {
		o, single, ok = theirs.stretch(p)
	}
	return m, left, o.to, ok && !single && o.from == p && o.holds(s.moments[i])
}

// otherTimes notes what a source says of a stretch, a range or a bound and the segment denies of a time or a case outside of it, or the other way round: not frozen in May, frozen from December to
// February. Neither the time nor the negation speaks against it.
func (c *comparison) otherTimes() {
	if c.otherTongues() {
		return
	}
	for _, m := range c.s.momentsSaid() {
		o, ok := c.s.stretchFor(c.a, m, c.theirs, true)
		if ok && !o.holds(m) && !m.overlaps(o) && c.oneDenies(m.from, m.to, o.from, o.to) {
			c.converse = true
			c.elsewhen = append(c.elsewhen, [2]int{m.from, m.to})
		}
	}
	for i := range c.s.measurables {
		q := &c.s.measurables[i]
		if at := q.beyondLimit(c.theirs); at >= 0 && c.oneDenies(q.amount.from, q.amount.to, at, at+1) {
			c.converse = true
			c.elsewhen = append(c.elsewhen, [2]int{q.amount.from, q.amount.to})
		}
	}
	for k, tok := range c.s.tokens {
		d, _, from, to, ok := c.mine.during(k)
		if !ok || !tok.Kind.Has(token.Year) {
			continue
		}
		p, ok := c.s.nearestPeriod(c.a, from, to, c.theirs.periods())
		if ok && !p.single && !p.holds(d) && d.year != p.first.year && d.year != p.last.year && c.oneDenies(from, to, p.from, p.to) {
			c.converse = true
			c.elsewhen = append(c.elsewhen, [2]int{from, to})
		}
	}
}

// overlaps reports whether a part of one lies in the other: of March the last days, in 20 March to 5 May.
func (m moment) overlaps(o moment) bool {
	return o.holds(moment{m.round, m.at, m.at, 0, 0}) || o.holds(moment{m.round, m.last, m.last, 0, 0})
}

// onlyAt reports whether the moment at i is said to be the only one: only on Mondays, on Mondays only.
func (l line) onlyAt(i int) bool {
	m, _ := l.moment(i)
	return l.word(i-1) == "only" || l.word(i-2) == "only" || l.word(m.to) == "only"
}
