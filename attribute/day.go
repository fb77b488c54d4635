package attribute

import (
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// A day is a date with what is said of it; what is not said is zero.
type day struct {
	year  int
	month time.Month
	day   int
}

func date(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

func (d day) full() bool { return d.year > 0 && d.month > 0 && d.day > 0 }

// dayAt reports whether a number of the month stands at i.
func (l line) dayAt(i int) bool {
	return i >= l.start && i < l.end && l.at(i).Kind.Has(token.Number|token.Ordinal) && !l.at(i).Kind.Has(token.Year) && l.at(i).Num >= 1 && l.at(i).Num <= 31
}

// dateAt reads the date whose month stands at i, with its tokens. It is nothing where no month stands there.
func (l line) dateAt(i int) (d day, from, to int) {
	from, to = i, i+1
	if !l.at(i).Kind.Has(token.Month) {
		return d, from, to
	}
	isYear := func(i int) bool { return i >= l.start && i < l.end && l.at(i).Kind.Has(token.Year) }
	d.month = time.Month(slices.Index(token.MonthKeys[:], l.key(i)) + 1)
	switch {
	case isYear(i-1) && l.dayAt(i+1) && l.at(i).Kind.Has(token.Glued): // 2024-07-09
		return day{int(l.at(i - 1).Num), d.month, int(l.at(i + 1).Num)}, i - 1, i + 2
	case l.dayAt(i-1) && !l.at(i).Kind.Has(token.Comma):
		d.day, from = int(l.at(i-1).Num), i-1
	case l.key(i-1) == "of" && l.dayAt(i-2):
		d.day, from = int(l.at(i-2).Num), i-2
	case l.dayAt(i+1) && !l.at(i+1).Kind.Has(token.Comma):
		d.day, to = int(l.at(i+1).Num), i+2
	}
	if isYear(to) {
		d.year, to = int(l.at(to).Num), to+1
	}
	return d, from, to
}

// dates are all of a line that name a day, and of those that may be read in two ways, 07/09/2024, both.
func (l line) dates() []day {
	var out []day
	for i := l.start; i < l.end; i++ {
		switch k := l.at(i).Kind; {
		case k.Has(token.Month):
			if d, _, _ := l.dateAt(i); d.day > 0 {
				out = append(out, d)
			}
		case k.Has(token.Year) && k.Has(token.Glued) && l.dayAt(i-1) && l.dayAt(i-2) && l.at(i-1).Num <= 12 && l.at(i-2).Num <= 12:
			y, a, b := int(l.at(i).Num), int(l.at(i-1).Num), int(l.at(i-2).Num)
			out = append(out, day{y, time.Month(a), b}, day{y, time.Month(b), a})
		}
	}
	return out
}

// daysUnsaid are the months of a segment's full dates that no source has and that follow from none of its spans of time.
func (t *turn) daysUnsaid(s *segment, e *evidence, near func() *nearby) []int {
	var out []int
	l := s.line()
	for i, c := range s.content {
		if !l.at(c).Kind.Has(token.Month) {
			continue
		}
		d, from, to := l.dateAt(c)
		if !d.full() || int(date(d.year, d.month, d.day).Day()) != d.day || e.coversAll(s, i, from, to) || t.hasDay(d) || t.leadsTo(d, append(slices.Clone(s.numbers), near().all...)) {
			continue
		}
		out = append(out, c)
	}
	return out
}

// coversAll reports whether one window that was found has all words that count of the date [from, to), the i-th of the segment's among them.
func (e *evidence) coversAll(s *segment, i, from, to int) bool {
	first := i
	for first > 0 && s.content[first-1] >= from {
		first--
	}
	return slices.ContainsFunc(e.found(), func(a alignment) bool {
		for n := first; n < len(s.content) && s.content[n] < to; n++ {
			if a.strength[n] == 0 {
				return false
			}
		}
		return true
	})
}

// sourceDays are the dates of all sources, those that name no year with none.
type sourceDays struct {
	said map[day]bool
	rows [][]day // of each sentence that has some, with the days between 3 and 5 June
}

// days reads the dates of the sources when they are first asked for.
func (t *turn) days() *sourceDays {
	if t.sourceDays != nil {
		return t.sourceDays
	}
	out := &sourceDays{said: map[day]bool{}}
	t.sourceDays = out
	for _, s := range t.sentences {
		l := t.line(s.passage, s.start, s.end)
		t.operations += l.end - l.start
		row := l.dates()
		for i := l.start; i < l.end; i++ {
			if !l.at(i).Kind.Has(token.Month) {
				continue
			}
			d, _, _ := l.dateAt(i)
			for j := max(l.start, i-4); j < min(l.end, i+5); j++ {
				if l.dayAt(j) {
					out.said[day{d.year, d.month, int(l.at(j).Num)}] = true
				}
				if k := l.upTo(j); j >= i-2 && j <= i+1 && k >= 0 && l.dayAt(j) && l.dayAt(k) {
					for n := int(l.at(j).Num); n <= int(l.at(k).Num); n++ {
						row = append(row, day{d.year, d.month, n})
					}
				}
			}
		}
		for _, d := range row {
			out.said[d] = true
		}
		if len(row) > 0 {
			out.rows = append(out.rows, row)
		}
	}
	for p := range t.passages {
		for _, m := range dayDigits.FindAllStringSubmatch(t.passages[p].Chunk.Text, -1) {
			out.digits(m)
		}
		for _, id := range t.titles[p] {
			m := slices.Index(token.MonthKeys[:], t.terms[id].key)
			for n := 0; m >= 0 && n < len(t.titles[p]); n++ {
				if d := &t.terms[t.titles[p][n]]; d.kind&(token.Number|token.Ordinal) != 0 && d.num <= 31 {
					out.said[day{0, time.Month(m + 1), int(d.num)}] = true
				}
			}
		}
	}
	return out
}

// dayDigits are dates in digits, within longer runs of them, too: 2024-07-09T10:30:00Z, 20240709, 07/09/24.
var dayDigits = regexp.MustCompile(`(\d{4})-?(\d\d)-?(\d\d)|(\d{1,2})[/.](\d{1,2})[/.](\d{4}|\d\d)`)

// digits adds a date in digits, in both ways where it may be read in two.
func (s *sourceDays) digits(m []string) {
	n := func(i int) int { v, _ := strconv.Atoi(m[i]); return v }
	if m[1] != "" {
		s.said[day{n(1), time.Month(n(2)), n(3)}] = true
		return
	}
	y := n(6)
	if y < 100 {
		y += 2000
	}
	for range 2 {
		s.said[day{y, time.Month(n(4)), n(5)}], s.said[day{y, time.Month(n(5)), n(4)}] = true, true
		y -= 100
	}
}

// hasDay reports whether a source has a date: its month with the day near it and no other year, or its digits in whatever order.
func (t *turn) hasDay(d day) bool {
	said := t.days().said
	return said[d] || said[day{0, d.month, d.day}]
}

// leadsTo reports whether a date lies between two of a sentence that are less than a month apart, or as far from one of the sources' as a span of time.
func (t *turn) leadsTo(d day, spans []amount) bool {
	mine := date(d.year, d.month, d.day)
	for _, row := range t.days().rows {
		for i, have := range row {
			at := have.in(d.year)
			if i > 0 {
				if before := row[i-1].in(d.year); before.Before(mine) && mine.Before(at) && at.Sub(before) < 31*24*time.Hour {
					return true
				}
			}
			if slices.ContainsFunc(spans, func(a amount) bool { return a.spans(at, mine) }) {
				return true
			}
		}
	}
	return false
}

// in is the date in its year, or where it names none, in the given one.
func (d day) in(y int) time.Time {
	if d.year > 0 {
		y = d.year
	}
	return date(y, d.month, d.day)
}

// spans reports whether an amount is the time from one date to another, in days or in months.
func (a amount) spans(from, to time.Time) bool {
	per := measures[a.unit]
	if per.of != "time" || a.value > 1000 || per.much < measures[daily].much {
		return false
	}
	for _, sign := range []float64{1, -1} {
		at := from.AddDate(0, 0, int(sign*a.value*per.much/measures[daily].much))
		if per.much >= measures[monthly].much {
			at = from.AddDate(0, int(sign*a.value*per.much/measures[monthly].much), 0)
		}
		if at.Equal(to) {
			return true
		}
	}
	return false
}

// dated reports whether one of some months of a segment is of a date with the tokens [from, to).
func (s *segment) dated(from, to int, months []int) bool {
	l := s.line()
	return slices.ContainsFunc(months, func(m int) bool {
		d, first, end := l.dateAt(m)
		return d.full() && first < to && from < end
	})
}

// whole is the place of the number or date at a token.
func (s *segment) whole(k int) ibid.Span {
	_, from, to := s.line().dateAt(k)
	return ibid.Span{Start: s.tokens[from].At.Start, End: s.tokens[to-1].At.End}
}
