package attribute

import (
	"math"
	"strings"
)

// daytime is a time of the day with its tokens, as people say it: half past two, nine in the evening, 14:30, noon.
type daytime struct {
	minutes  int
	told     bool // which half of the day it is of
	from, to int
}

// is reports whether two times may be the same: nine is 21:00 where nobody says which half of the day it is.
func (d daytime) is(other daytime) bool {
	if d.told && other.told {
		return d.minutes == other.minutes
	}
	return d.minutes%(12*60) == other.minutes%(12*60)
}

// daytime reads the time of the day whose hour stands at i. A number alone is one behind "at", "until" and the like where no word follows
// that it could count.
func (l line) daytime(i int) (daytime, bool) {
	tok := l.at(i)
	d := daytime{from: i, to: i + 1}
	switch {
	case tok.key == noon:
		d.minutes, d.told = 12*60, true
		return d, true
	case tok.key == midnight:
		d.told = true
		return d, true
	case !tok.kind.has(number) || tok.kind.has(year):
		return d, false
	case l.clock(i):
		d.minutes, d.told = int(math.Round(60*tok.num)), true
	case tok.num != math.Trunc(tok.num) || tok.num < 1 || tok.num > 12:
		return d, false
	default:
		d.minutes = int(tok.num) % 12 * 60
		switch key := l.key(i - 1); {
		case l.key(i-2) == half && key == past:
			d.minutes, d.from = d.minutes+30, i-2
		case l.key(i-2) == quarter && key == past:
			d.minutes, d.from = d.minutes+15, i-2
		case l.key(i-2) == quarter && key == "to":
			d.minutes, d.from = (d.minutes+12*60-15)%(12*60), i-2
		case !clocked[key] && l.key(i+1) != oclock:
			return d, false
		}
		if l.key(i+1) == oclock {
			d.to++
		} else if next := i + 1; next < l.end && l.at(next).kind&(stop|comma) == 0 {
			return d, false
		}
	}
	part, after := l.key(d.to), 1
	if part == "in" && l.key(d.to+1) == "the" || part == "at" {
		for part == "in" || part == "at" || part == "the" {
			part = l.key(d.to + after)
			after++
		}
		if later, ok := dayparts[part]; ok {
			if d.to += after; later && d.minutes < 12*60 {
				d.minutes += 12 * 60
			}
			d.told = true
		}
	}
	return d, true
}

// clock reports whether a time stands at i as clocks show it: 14:30, 2:30 pm.
func (l line) clock(i int) bool { return strings.HasSuffix(l.at(i).key, " h") }

// hour reports whether a time of the day stands at i.
func (l line) hour(i int) bool {
	_, ok := l.daytime(i)
	return ok
}

var (
	noon, midnight, past, half, quarter, oclock = plainKey("noon"), plainKey("midnight"), plainKey("past"), plainKey("half"), plainKey("quarter"), "oclock"
	// clocked stand before an hour of the day.
	clocked = keys(`at until till from around since`)
	// dayparts are the parts of a day, and whether they are of its second half.
	dayparts = map[string]bool{plainKey("morning"): false, plainKey("afternoon"): true, plainKey("evening"): true, plainKey("night"): true}
)
