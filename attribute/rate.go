package attribute

import (
	"math"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// rate is an amount for each span of time, with the words for it: $10 a month, 40 hours per week.
type rate struct {
	amount
	per   string  // the unit of time
	spans float64 // how many of it the amount is for: 4 in $50 for four years
}

// rate reads the one at i.
func (l line) rate(i int) (rate, bool) {
	a, ok := l.amount(i)
	if !ok {
		return rate{}, false
	}
	return l.rateOf(a)
}

// rateOf reads the one that an amount begins.
func (l line) rateOf(a amount) (rate, bool) {
	if a.kind.Has(token.Year) || a.to >= l.end {
		return rate{}, false
	}
	per, at := "", a.to
	span := spans[strings.ToLower(l.text(at))]
	switch key := l.key(at); {
	case span != "":
		per, a.to = span, at+1
	case l.at(at).Kind.Has(token.Glued): // $10/month
		per, a.to = key, at+1
	case key == "a" || key == "an" || apiece[key]:
		per, a.to = l.key(at+1), at+2
	default:
		for ; at < min(l.end, a.to+6) && !l.at(at).Kind.Has(token.Number); at++ {
			if (l.key(at) == "over" || l.key(at) == "in") && l.key(at+1) == "a" { // $720 for water over a year
				per = l.key(at + 2)
				break
			}
		}
	}
	return rate{a, per, 1}, measures[per].of == "time"
}

// spans are the words for how often, with their unit of time.
var spans = map[string]string{
	"hourly": token.Normal("hour"), "daily": token.Normal("day"), "weekly": token.Normal("week"), "monthly": token.Normal("month"), "yearly": years, "annually": years, "annual": years,
}

// roughTime is by how much spans of time are said to differ that hold a whole number of each other only nearly: 52 weeks are a year.
const roughTime = .015

// says reports whether the source's rate is the same for another span of time, as far as the hedge makes room: $10 a month are $120 a year, and $50 for four years $12.50 a year.
func (mine rate) says(theirs rate, hedge hedge) bool {
	if mine.per == theirs.per && mine.spans == theirs.spans || mine.unit != theirs.unit {
		return false
	}
	value := theirs.value * mine.spans * measures[mine.per].much / (theirs.spans * measures[theirs.per].much)
	return off(mine.value, value) <= roughTime || hedge.allows(mine.value, value)
}

// spread reads the rate at which money is paid for a span of time that stands behind it: $50 for four years.
func (l line) spread(a amount) (rate, bool) {
	span, ok := l.lasts(a.to)
	if !ok || quantity(a.unit) != "money" || span.value <= 0 {
		return rate{}, false
	}
	a.to = span.to
	return rate{a, span.unit, span.value}, true
}

// spannedBefore reads the rate of money that a line is about for its one span of time, which stands before: a year of the Pro plan costs $300.
func (l line) spannedBefore(a amount) (rate, bool) {
	if quantity(a.unit) != "money" {
		return rate{}, false
	}
	var span amount
	for i := l.start; i < l.end; i++ {
		if b, ok := l.amount(i); ok && measures[b.unit].of == "time" && b.value > 0 {
			if span.unit != "" || b.from > a.from {
				return rate{}, false
			}
			span, i = b, b.to-1
		}
	}
	return rate{a, span.unit, span.value}, span.unit != ""
}

// ratesOf are those that an amount may be read as.
func (l line) ratesOf(a amount) []rate {
	var out []rate
	for _, read := range []func(amount) (rate, bool){l.rateOf, l.spread} {
		if r, ok := read(a); ok {
			out = append(out, r)
		}
	}
	return out
}

// sameRate finds the source's rate that is the one at i for another span of time.
func (l line) sameRate(i int, theirs line) (mine, have rate, ok bool) {
	if mine, ok = l.rate(i); !ok {
		return mine, have, false
	}
	hedge, _ := l.hedge(mine.from)
	for j := theirs.start; j < theirs.end; j++ {
		a, ok := theirs.amount(j)
		if !ok {
			continue
		}
		for _, have = range theirs.ratesOf(a) {
			if mine.says(have, hedge) {
				return mine, have, true
			}
		}
	}
	return mine, rate{}, false
}

// change is what an amount was and what it became.
type change struct{ before, now amount }

// changes are those that a line tells: from 70 to 25 seconds, 46 %, up from 32 %.
func (l line) changes() []change {
	if !l.names("from") {
		return nil
	}
	var out []change
	all := l.amounts()
	for i, a := range all {
		for _, b := range all[i+1:] {
			if a.unit != b.unit && a.unit != "" {
				continue
			}
			switch first, then := l.key(a.from-1), l.key(b.from-1); {
			case first == "from" && then == "to":
				out = append(out, change{a, b})
			case a.unit == b.unit && then == "from" && (first == "to" || l.key(b.from-2) == "up" || l.key(b.from-2) == "down"):
				out = append(out, change{b, a})
			}
		}
	}
	return out
}

// changed finds a change that one sentence of a window tells, up to a token.
func (t *turn) changed(a *alignment, end int, fits func(change) bool) (change, bool) {
	for _, s := range t.sentences[a.from:a.to] {
		all := t.line(a.passage, s.start, min(s.end, end)).changes()
		if i := slices.IndexFunc(all, fits); i >= 0 {
			return all[i], true
		}
	}
	return change{}, false
}

// changedBy finds the change by an amount of the segment: by so much where it says that two others differ by it, or by so many percent.
func (t *turn) changedBy(mine line, want amount, a *alignment, end int) (change, bool) {
	apart, percent := mine.apart(want), want.unit == token.Signs['%'] && mine.key(want.from-1) != "to"
	if !apart && !percent {
		return change{}, false
	}
	return t.changed(a, end, func(c change) bool { return apart && c.by(want) || percent && c.percent(want) })
}

// times is how many times as much it became.
func (c change) times() float64 { return c.now.value / c.before.value }

// by reports whether an amount is what it changed by.
func (c change) by(mine amount) bool {
	return mine.unit == c.now.unit && off(math.Abs(c.now.value-c.before.value), mine.value) < 1e-6
}

// percent reports whether an amount is by how many percent of what it was it changed.
func (c change) percent(mine amount) bool {
	return mine.unit == token.Signs['%'] && math.Abs(100*math.Abs(c.times()-1)-mine.value) <= max(mine.place, 1e-6)/2
}

// multiples are the words that say how many times as much something became.
var multiples = map[string]float64{token.Key("doubled"): 2, token.Key("tripled"): 3, token.Key("trebled"): 3, token.Key("quadrupled"): 4, token.Key("halved"): .5}

// multiplies reports whether the word at i says how many times as much it became, as far as the words before make room: more than doubled.
func (l line) multiplies(i int, c change) bool {
	mine, theirs := multiples[l.at(i).Key], c.times()
	if mine < 1 {
		mine, theirs = 1/mine, 1/theirs
	}
	hedge, _ := l.hedge(i)
	return off(mine, theirs) <= .05 || hedge.allows(mine, theirs)
}
