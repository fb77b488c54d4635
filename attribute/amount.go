package attribute

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// amount is a number with its unit, or a unit that stands for one: 90 minutes, $5m, a decade, half an hour.
type amount struct {
	value    float64
	unit     string  // its normal form, empty where there is none
	place    float64 // what the last written digit counts: .1 million in 8.3 million
	from, to int     // tokens
	kind     token.Kind
}

// measure is how much of its kind a unit is: of seconds, metres, grams, litres, kilometres per hour.
type measure struct {
	of   string
	much float64
}

var measures = func() map[string]measure {
	out := map[string]measure{}
	for of, units := range map[string]map[string]float64{
		"time":   {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 7 * 86400, "month": 2629800, "year": 12 * 2629800, "decade": 120 * 2629800, "century": 1200 * 2629800},
		"weight": {"microgram": 1e-6, "milligram": .001, "gram": 1, "ounce": 28.3495, "pound": 453.592, "kilogram": 1000, "ton": 1e6},
		"volume": {"milliliter": .001, "teaspoon": .00492892, "tablespoon": .0147868, "pint": .473176, "quart": .946353, "liter": 1, "gallon": 3.78541},
		"speed":  {"kmh": 1, "mph": 1.609344},
		"bytes":  {"kilobyte": 1, "megabyte": 1e3, "gigabyte": 1e6, "terabyte": 1e9},
		"bits":   {"kilobit": 1, "megabit": 1e3, "gigabit": 1e6},
		"share":  {"percent": .01, whole: 1},
	} {
		for unit, much := range units {
			out[token.Normal(unit)] = measure{of, much}
		}
	}
	for unit, metres := range token.Lengths {
		out[unit] = measure{"length", metres}
	}
	return out
}()

// amount reads the one at i.
func (l line) amount(i int) (amount, bool) {
	if !l.countable(i) {
		return amount{}, false // as most words
	}
	if a, ok := l.share(i); ok {
		return a, true
	}
	tok := l.at(i)
	switch {
	case token.Parts[tok.Key] > 0 && (l.key(i+1) == "a" || l.key(i+1) == "an" || l.key(i+1) == "of"): // half a teaspoon, a quarter of a mile
		for j := i + 2; j < min(l.end, i+4); j++ {
			if l.at(j).Kind.Has(token.Unit) && measures[l.at(j).Key].of != "" {
				return l.amount(j)
			}
		}
		if l.key(i+1) != "of" && (i == l.start || !l.at(i-1).Kind.Has(token.Number)) { // half a cup
			return amount{value: 1 / token.Parts[tok.Key], from: i, to: i + 1, kind: token.Number}, true
		}
	case tok.Kind.Has(token.Number):
		a := amount{value: tok.Num, kind: tok.Kind, place: lastDigit(l.text(i), tok.Num)}
		a.unit, a.from, a.to = l.unit(i)
		return l.further(a), true
	case tok.Kind.Has(token.Unit) && measures[tok.Key].of != "" && measures[tok.Key].of != "time": // half a teaspoon
		if part, from := l.partOf(i); part > 0 {
			return amount{value: part, unit: tok.Key, from: from, to: i + 1, kind: token.Number}, true
		}
	case tok.Kind.Has(token.Unit) && measures[tok.Key].of == "time" && (i == l.start || !l.at(i-1).Kind.Has(token.Number|token.Ordinal) || l.single(i-1)) && !strings.HasSuffix(l.text(i), "s"):
		a := amount{value: 1, unit: tok.Key, place: 0, from: i, to: i + 1, kind: token.Number}
		if i > l.start && l.single(i-1) {
			a.from--
		}
		if part, from := l.partOf(i); part > 0 {
			a.value, a.from = part, from
		}
		if of := token.Parts[l.key(i+3)]; of > 0 && l.key(i+1) == "and" && l.key(i+2) == "a" { // an hour and a half
			a.value, a.to = a.value+1/of, i+4
			if k := a.from - 1; a.from == i && (l.key(k) == "a" || l.key(k) == "an") {
				a.from = k
			}
		}
		return a, true
	}
	return amount{}, false
}

// countable reports whether an amount may be read at i.
func (l line) countable(i int) bool {
	if l.t != nil {
		w := &l.t.tokens[i]
		return w.kind.Has(token.Unit) || l.t.terms[w.term].countable
	}
	return l.own[i].Kind&(token.Number|token.Ordinal|token.Unit) != 0 || token.Parts[l.own[i].Key] > 0
}

// further adds what goes on in smaller units behind an amount: 2 hours and 30 minutes, 5 feet 10 inches.
func (l line) further(a amount) amount {
	k := a.to
	if l.key(k) == "and" {
		k++
	}
	big := measures[a.unit]
	if big.of == "" || k+1 >= l.end || !l.at(k).Kind.Has(token.Number) || l.at(k).Kind.Has(token.Comma) || !l.at(k+1).Kind.Has(token.Unit) || a.from > l.start && l.key(a.from-1) == "between" {
		return a
	}
	small := measures[l.key(k+1)]
	if part := l.at(k).Num * small.much / big.much; small.of == big.of && small.much < big.much && part < 1 {
		a.value, a.place, a.to = a.value+part, small.much/big.much, k+2
	}
	return a
}

// key is the normal form of the token at i, empty where there is none.
func (l line) key(i int) string {
	if i < l.start || i >= l.end {
		return ""
	}
	return l.at(i).Key
}

// single reports whether the word "one" stands at i. It weighs nothing, so what it counts is looked at in its place: one week.
func (l line) single(i int) bool { return l.at(i).Kind.Has(token.Stop) && l.at(i).Num == 1 }

// lastDigit is what the last digit of a number counts as it is written: .1 in 8.3, 100,000 in 8.3 million. The zeros at the end
// of 10,000 and more are taken for rounded.
func lastDigit(text string, value float64) float64 {
	value = math.Abs(value)
	power, places, digits := token.PowerOf(text, value)
	if places > 0 {
		return power / math.Pow(10, float64(places))
	}
	if digits && value/power >= 10_000 {
		for value >= power && math.Mod(value, power*10) == 0 {
			power *= 10
		}
	}
	return power
}

// says is how well the source's amount stands for the segment's, 0 where it does not: the same in other units, rounded, or
// as far as words like "nearly" make room for it.
func (mine amount) says(theirs amount, hedge hedge) float64 {
	if mine.kind.Has(token.Year) || theirs.kind.Has(token.Year) {
		return 0
	}
	if mine.unit != theirs.unit {
		// "m" may stand for millions.
		if mine.unit == meter && theirs.unit == "" && theirs.value == mine.value*1e6 || theirs.unit == meter && mine.unit == "" && mine.value == theirs.value*1e6 {
			return 1
		}
		if inMonths(mine, theirs) || inMonths(theirs, mine) {
			return .9
		}
		a, b := measures[mine.unit], measures[theirs.unit]
		switch {
		case mine.unit == celsius && theirs.unit == fahrenheit:
			theirs.value = (theirs.value - 32) / 1.8
		case mine.unit == fahrenheit && theirs.unit == celsius:
			theirs.value = theirs.value*1.8 + 32
		case a.of == "" || a.of != b.of:
			return 0
		default:
			theirs.value *= b.much / a.much
		}
		if off(mine.value, theirs.value) <= .006 {
			return 1
		}
	}
	switch {
	case off(mine.value, theirs.value) < 1e-9: // 2 hours and 30 minutes
		return 1
	case hedge.allows(mine.value, theirs.value):
		return .9
	case hedge == exact && mine.place > 0 && off(mine.value, theirs.value) <= .02 && math.Abs(math.Round(theirs.value/mine.place)*mine.place-mine.value) < mine.place/1000:
		return .9
	}
	return 0
}

// inMonths reports whether months are as many weeks or days as people count them: 8 weeks are two months, 90 days three.
func inMonths(months, other amount) bool {
	return months.unit == monthly && (other.unit == weekly && other.value == 4*months.value || other.unit == daily && other.value == 30*months.value)
}

var monthly, weekly, daily = token.Normal("month"), token.Normal("week"), token.Normal("day")

func off(a, b float64) float64 { return math.Abs(a-b) / max(math.Abs(a), math.Abs(b), 1e-12) }

// hedge is how the words before a number make room for others.
type hedge int

const (
	exact hedge = iota
	about
	nearly // no room for more
	atLeast
	atMost
	upTo // no room for less: up to 50 % is more than up to 30 %
)

var hedges = func() map[string]hedge {
	m := map[string]hedge{
		"more": atLeast, "over": atLeast, "least": atLeast, "exceed": atLeast, "abov": atLeast,
		"less": atMost, "under": atMost, "fewer": atMost, "most": atMost, "below": atMost, "up": upTo,
	}
	for key := range token.Rough {
		m[key] = about
	}
	m["almost"] = nearly
	return m
}()

// climbing stand before an "up to" that is no bound: prices went up to $20.
var climbing = token.Keys(`go rise climb grow move jump shoot come bring drive push add set get catch be`)

// hedge reads the words just before the amount at i, as in "more than" and "at least"; at is where it stands. "Over the past"
// is none.
func (l line) hedge(i int) (found hedge, at int) {
	for k := i - 1; k >= max(l.start, i-3); k-- {
		key := l.at(k).Key
		h := hedges[key]
		if key == "near" && strings.EqualFold(l.text(k), "nearly") {
			h = nearly
		}
		if h != exact && (key != "up" || l.key(k+1) == "to" && !climbing[l.key(k-1)]) {
			if k > l.start && l.at(k-1).Key == "not" { // no less than
				return h.turned(), k - 1
			}
			return h, k
		}
		if !slices.Contains([]string{"than", "of", "to", "as", "a", "an"}, key) {
			break
		}
	}
	return exact, i
}

// rough reports whether it makes room on one side or both, and is no bound.
func (h hedge) rough() bool { return h == about || h == nearly }

// turned is what a hedge says behind a negation.
func (h hedge) turned() hedge {
	switch h {
	case atLeast:
		return atMost
	case atMost:
		return atLeast
	}
	return h
}

// allows reports whether the words make room for the source's number: more than 20 allows 25.
func (h hedge) allows(mine, theirs float64) bool {
	switch h {
	case about:
		return math.Abs(mine-theirs) <= min(0.1*math.Abs(theirs), leeway(mine))+1e-9
	case nearly:
		return math.Abs(mine-theirs) <= min(0.1*math.Abs(theirs), leeway(mine))+1e-9 && theirs <= mine+slightly(mine)
	case atLeast:
		return theirs >= mine && theirs <= 3*mine
	case atMost:
		return theirs <= mine && 3*theirs >= mine
	}
	return false
}

// leeway is how far off people call a number "about" so much: by one of what its last digit but zeros counts, 1 of 89 and 100 of 1,400. Numbers that end with a 5 are written where others
// are rounded to tens, 285 and 4,350. A number of many digits was reckoned, a third is.
func leeway(v float64) float64 {
	digits, power, _ := strings.Cut(strconv.FormatFloat(math.Abs(v), 'e', -1, 64), "e")
	n, _ := strconv.Atoi(power)
	places := max(0, len(digits)-2)
	if places > 9 || v == 0 {
		return math.Inf(1)
	}
	unit := math.Pow(10, float64(n-places))
	if strings.HasSuffix(digits, "5") {
		unit *= 5
	}
	return unit
}

// slightly is by how much a number may lie over what is called nearly so much, as it was rounded.
func slightly(v float64) float64 { return min(leeway(v)/2, 0.01*math.Abs(v)) }

// holds reports whether the source's number leaves a bound true, however far it is: four are fewer than sixty. What allows it is near enough to be meant, besides.
func (h hedge) holds(mine, theirs float64) bool {
	return h == atLeast && theirs >= mine || h == atMost && theirs <= mine
}

// years are those that the decade or the century at i covers, with its tokens.
func (l line) years(i int) (first, last float64, to int, ok bool) {
	switch tok := l.at(i); {
	case tok.Kind.Has(token.Year) && strings.HasSuffix(tok.Key, "s"):
		if last = tok.Num + 9; math.Mod(tok.Num, 100) == 0 {
			last = tok.Num + 99 // the 1800s
		}
		return tok.Num, last, i + 1, true
	case tok.Kind.Has(token.Ordinal) && i+1 < l.end && l.at(i+1).Key == century:
		return 100*tok.Num - 99, 100 * tok.Num, i + 2, true
	}
	return 0, 0, 0, false
}

var meter, century, celsius, fahrenheit, years = token.Normal("meter"), token.Normal("century"), token.Normal("celsius"), token.Normal("fahrenheit"), token.Normal("year")

// stands notes that the token at j of the turn says what the tokens [from, to) of the segment say.
func (s *segment) stands(a *alignment, from, to, j int, strength float64, how via) {
	for i, c := range s.content {
		if c >= from && c < to && a.pos[i] < 0 {
			a.pos[i], a.strength[i], a.via[i] = int32(j), strength, how
		}
	}
}
