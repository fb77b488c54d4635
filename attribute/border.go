package attribute

import (
	"slices"
	"strings"
	"time"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// A border is a date up to which something holds, or from which on: until 31 March, before April, after 31 December 2022, from 2023 on. It lies between two days, so that the last day
// on one side and the first on the other name the same one.
type border struct {
	onwards  bool        // from it on, not up to it
	days     []time.Time // the first day behind it, two where "until April" leaves open whether April belongs to it; in one of no leap day where no year is named
	year     bool        // a year is named
	inside   bool        // the date that is named ends before the border: until 31 March, not from 1 April
	at       int         // the first of the words before it
	from, to int         // tokens, of the date alone
}

// sides are the words before a date that make a border of it, and whether it leads on from there.
var sides = map[string]bool{
	token.Key("until"): false, token.Key("till"): false, throughKey: false, token.Key("by"): false, token.Key("before"): false, afterKey: true, "from": true, sinceKey: true, token.Key("starting"): true,
}

var afterKey, beforeKey, endKey = token.Key("after"), token.Key("before"), token.Key("end")

// border reads the one whose date has its month at i, or its year where no month stands beside it.
func (l line) border(i int) (border, bool) {
	d, from, to := l.dateAt(i)
	b := border{year: d.year > 0, from: from, to: to}
	m := d.month
	switch beside := func(i int) bool { return i >= l.start && i < l.end && (l.dayAt(i) || l.at(i).Kind.Has(token.Month)) }; {
	case m > 0:
	case l.at(i).Kind.Has(token.Year) && !strings.HasSuffix(l.key(i), "s") && !beside(i-1) && !beside(i+1):
		d.year, b.year = int(l.at(i).Num), true
	default:
		return b, false
	}
	y := d.year
	if !b.year {
		y = 2001
	}
	var first, next time.Time // the first day of the date and the first behind it
	switch {
	case m == 0:
		first, next = date(y, 1, 1), date(y+1, 1, 1)
	case d.day == 0:
		first, next = date(y, m, 1), date(y, m+1, 1)
	default:
		first, next = date(y, m, d.day), date(y, m, d.day+1)
	}
	b.at = b.from - 1
	ends := l.key(b.at) == "of" && (l.key(b.at-1) == endKey || l.key(b.at-1) == "day" && l.key(b.at-2) == "last")
	if ends {
		for b.from = b.at - 1; l.key(b.from-1) == "last" || l.key(b.from-1) == "the"; b.from-- {
		}
		b.at = b.from - 1
	}
	leads, ok := sides[l.key(b.at)]
	if !ok {
		return b, false
	}
	b.onwards = leads
	if leads && b.to < l.end && onwards[strings.ToLower(l.text(b.to))] && (b.to+1 == l.end || l.at(b.to+1).Kind.Has(token.Comma)) {
		b.to++ // from April on
	}
	switch key := l.key(b.at); {
	case key == beforeKey && !ends, leads && key != afterKey && !ends:
		b.days = []time.Time{first}
	case key == throughKey, key == afterKey, ends, d.day > 0:
		b.days, b.inside = []time.Time{next}, true
	default: // until April
		b.days, b.inside = []time.Time{next, first}, true
	}
	return b, true
}

// borders are all of a line, up to a few.
func (l line) borders() []border {
	var out []border
	for i := l.start; i < l.end && len(out) < maxAmounts; i++ {
		if l.at(i).Kind&(token.Month|token.Year) != 0 {
			if b, ok := l.border(i); ok {
				out = append(out, b)
			}
		}
	}
	return out
}

// is reports whether two borders lie between the same days.
func (b border) is(o border) bool {
	return slices.ContainsFunc(b.days, func(x time.Time) bool {
		return slices.ContainsFunc(o.days, func(y time.Time) bool {
			return x.Month() == y.Month() && x.Day() == y.Day() && (!b.year || !o.year || x.Year() == y.Year())
		})
	})
}

// expandBorders lets a border of the window stand for the same one of the segment, which may name the day on its other side: from January 1, 2023, after 31 December 2022. Where one says
// what was up to it and the other what was from it on, the source must say both, or one of them the opposite.
func (s *segment) expandBorders(a *alignment, theirs line) {
	if len(s.borders) == 0 {
		return
	}
	all := theirs.borders()
	if len(all) == 0 {
		return
	}
	for _, mine := range s.borders {
		if have, ok := s.sameBorder(mine, theirs, all); ok {
			s.stands(a, mine.from, mine.to, have.from, .9, measured)
		}
	}
}

// sameBorder finds the border of the segment among those of a window.
func (s *segment) sameBorder(mine border, theirs line, all []border) (border, bool) {
	for _, have := range all {
		if mine.is(have) && (mine.onwards == have.onwards || theirs.goesOn(have.to) || s.line().opposed(theirs)) {
			return have, true
		}
	}
	return border{}, false
}

// goesOn reports whether a line says what is so after what it has said up to i: after that it is €320.
func (l line) goesOn(i int) bool {
	for ; i < l.end; i++ {
		if thereafter[l.key(i)] || l.key(i) == afterKey && (l.key(i+1) == "that" || l.key(i+1) == "thi") {
			return true
		}
	}
	return false
}

var thereafter = token.Keys(`thereafter afterwards afterward then`)

// opposed reports whether one line says open and the other closed.
func (l line) opposed(o line) bool {
	return l.names("close") != o.names("close") && l.names("open") != o.names("open")
}

// told is a border in the words of the source's date, for a judge: until 31 March, from 1 August.
func (b border) told(onwards bool, date string) string {
	switch {
	case b.inside && onwards:
		return "after " + date
	case b.inside:
		return "until " + date
	case onwards:
		return "from " + date
	}
	return "before " + date
}

// borderAt finds the border of the segment whose date has the token at c, where the same one of a window stands for it.
func (s *segment) borderAt(a *alignment, c int, theirs line) (mine, have border, ok bool) {
	i, found := slices.BinarySearch(s.content, c)
	if !found || a.via[i] != measured {
		return mine, have, false
	}
	for _, mine := range s.borders {
		if mine.from <= c && c < mine.to {
			have, ok := s.sameBorder(mine, theirs, theirs.borders())
			return mine, have, ok
		}
	}
	return mine, have, false
}
