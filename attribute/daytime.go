package attribute

import (
	"math"
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
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

// daytime reads the time of the day whose hour stands at i.
func (l line) daytime(i int) (daytime, bool) {
	tok := l.at(i)
	d := daytime{from: i, to: i + 1}
	switch {
	case tok.Key == noon:
		d.minutes, d.told = 12*60, true
		return d, true
	case tok.Key == midnight:
		d.told = true
		return d, true
	case !tok.Kind.Has(token.Number) || tok.Kind.Has(token.Year):
		return d, false
	case l.clock(i):
		d.minutes, d.told = int(math.Round(60*tok.Num)), true
	default:
		var ok bool
		if d, ok = l.spoken(i); !ok {
			return d, false
		}
	}
	if later, to, ok := l.daypart(d.to); ok {
		if d.told, d.to = true, to; later && d.minutes < 12*60 {
			d.minutes += 12 * 60
		}
	}
	return d, true
}

// spoken reads the hour at i with what is said before it: half past two. A number alone is one behind "at", "until" and the like where no word
// follows that it could count.
func (l line) spoken(i int) (daytime, bool) {
	hour := l.at(i).Num
	if hour != math.Trunc(hour) || hour < 1 || hour > 12 {
		return daytime{}, false
	}
	d := daytime{minutes: int(hour) % 12 * 60, from: i, to: i + 1}
	switch before, key := l.key(i-2), l.key(i-1); {
	case before == half && key == past:
		d.minutes, d.from = d.minutes+30, i-2
	case before == quarter && key == past:
		d.minutes, d.from = d.minutes+15, i-2
	case before == quarter && key == "to":
		d.minutes, d.from = (d.minutes+12*60-15)%(12*60), i-2
	case !clocked[key] && l.key(i+1) != oclock:
		return d, false
	}
	if l.key(i+1) == oclock {
		d.to++
		return d, true
	}
	return d, i+1 == l.end || l.at(i+1).Kind&(token.Stop|token.Comma) != 0
}

// daypart reads the part of the day at i, in the evening or at night, with its end, and whether it is of the day's second half.
func (l line) daypart(i int) (later bool, to int, ok bool) {
	switch {
	case l.key(i) == "in" && l.key(i+1) == "the":
		to = i + 3
	case l.key(i) == "at":
		to = i + 2
	default:
		return false, i, false
	}
	later, ok = dayparts[l.key(to-1)]
	return later, to, ok
}

// clock reports whether a time stands at i as clocks show it: 14:30, 2:30 pm.
func (l line) clock(i int) bool { return strings.HasSuffix(l.at(i).Key, " h") }

// hour reports whether a time of the day stands at i.
func (l line) hour(i int) bool {
	_, ok := l.daytime(i)
	return ok
}

var (
	noon, midnight, past, half, quarter, oclock = token.Key("noon"), token.Key("midnight"), token.Key("past"), token.Key("half"), token.Key("quarter"), "oclock"
	// clocked stand before an hour of the day.
	clocked = token.Keys(`at until till from around since`)
	// dayparts are the parts of a day, and whether they are of its second half.
	dayparts = map[string]bool{token.Key("morning"): false, token.Key("afternoon"): true, token.Key("evening"): true, token.Key("night"): true}
)
