package attribute

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// reckons finds the word by which a statement says that it adds, or that it takes off, and which of them; -1 and 0 where there is none.
func (l line) reckons() (at int, how reckoning) {
	for i := l.start; i < l.end; i++ {
		switch {
		case l.totals(i):
			return i, sum
		case l.at(i).Key == takingOff:
			return i, difference
		}
	}
	return -1, 0
}

// totals reports whether the word at i says that a statement adds.
func (l line) totals(i int) bool {
	key := l.at(i).Key
	return adding[key] || key == "add" && l.key(i+1) == "up" || l.comesTo(i) || key == "all" && l.key(i-1) == "in" && (i+1 == l.end || !l.at(i+1).Kind.Has(token.Number))
}

// comesTo reports whether the word at i says what an amount is made up to: comes to about $35.
func (l line) comesTo(i int) bool {
	if l.key(i) != "come" || l.key(i+1) != "to" {
		return false
	}
	at := i + 2
	if hedges[l.key(at)].rough() {
		at++
	}
	return at < l.end && (l.at(at).Kind.Has(token.Number) || l.sign(at))
}

// reckoning is what amounts may be made into.
type reckoning int

const (
	sum reckoning = 1 << iota
	difference
	average
)

var (
	adding    = map[string]bool{token.Key("total"): true, token.Key("sum"): true, token.Key("altogether"): true, token.Key("together"): true, token.Key("combined"): true}
	takingOff = token.Key("difference")
)

// apart reports whether an amount says by how much two others differ: by 45 seconds, $3 more, an extra 10 grams.
func (l line) apart(a amount) bool {
	if k := a.from - 1; k >= l.start && (l.at(k).Key == "by" || l.at(k).Key == extra || l.at(k).Key == additional) {
		return true
	}
	return a.to < l.end && (l.at(a.to).Kind.Has(token.Compare) || l.at(a.to).Key == extra || l.at(a.to).Key == "off")
}

var extra, additional = token.Key("extra"), token.Key("additional")

// onTop reports whether an amount comes on top of another: adds $60, an extra $60. What is $60 more may be said of either.
func (l line) onTop(a amount) bool {
	_, at := l.hedge(a.from)
	return topping[l.key(at-1)] || l.key(a.to) == extra
}

var topping = token.Keys(`add plus another further extra additional`)

// distances are words for what two amounts differ by: a gap of 350 miles.
var distances = token.Keys(`gap difference lead margin`)

// peculiar reports whether an amount has three digits of its own: smaller and rounder ones are sums of others by chance.
func (a amount) peculiar() bool {
	digits := strings.Trim(strconv.FormatFloat(math.Abs(a.value), 'f', -1, 64), "0.")
	return len(strings.ReplaceAll(digits, ".", "")) >= 3 && !a.kind.Has(token.Year)
}

// maxAmounts bounds the pairs of numbers that are added.
const maxAmounts = 16

// numbers reports whether a number that is reckoned with stands at i.
func (l line) numbers(i int) bool {
	k := l.at(i).Kind
	return k.Has(token.Number) && k&(token.Year|token.Stop) == 0
}

// amounts are the first numbers of a line, years left out.
func (l line) amounts() []amount {
	var out []amount
	for i := l.start; i < l.end && len(out) < maxAmounts; i++ {
		if l.numbers(i) {
			a, _ := l.amount(i)
			out = append(out, a)
		}
	}
	return out
}

// reckoned finds two amounts of the same unit whose sum or difference is the amount.
func (mine amount) reckoned(all []amount, how reckoning) (a, b amount, ok bool) {
	return mine.reckonedBy(all, how, exact)
}

// reckonedBy finds them as far as a hedge makes room.
func (mine amount) reckonedBy(all []amount, how reckoning, hedge hedge) (a, b amount, ok bool) {
	for i, a := range all {
		for _, b := range all[i+1:] {
			if a.unit != mine.unit && a.unit != "" || b.unit != mine.unit && b.unit != "" {
				continue
			}
			if how&sum != 0 && mine.reckonedAs(a.value+b.value, hedge) || how&difference != 0 && mine.reckonedAs(math.Abs(a.value-b.value), hedge) {
				return a, b, true
			}
		}
	}
	return amount{}, amount{}, false
}

// spanned finds two years that lie as many years apart as the amount counts, with the words that join them: from 1990 to 2000. right
// is 0 where there are none.
func (mine amount) spanned(l line) (left, right int) {
	if mine.unit != years || mine.value < 2 {
		return 0, 0
	}
	if _, most, from, to := l.begunToEnded(); to > 0 && most == mine.value {
		return from, to
	}
	for i := l.start + 1; i+1 < l.end; i++ {
		if !l.at(i).Kind.Has(token.Year) {
			continue
		}
		j := i + 1
		if key := l.key(j); key == "to" || key == "until" || key == "till" || key == "and" && l.key(i-1) == "between" {
			j++
		} else if key == "" || !l.at(j).Kind.Has(token.Glued) {
			continue
		}
		if j < l.end && l.at(j).Kind.Has(token.Year) && math.Abs(l.at(j).Num-l.at(i).Num) == mine.value {
			return i - 1, j + 1
		}
	}
	return 0, 0
}

// ownWords is the cover of all other words up to which a segment is put in words of its own: what is copied but for a number was not worked out.
const ownWords = 0.75

// worksOut finds an amount of the window from which that of the segment can be worked out with another one: as their sum, difference, product or quotient, or by percent.
// The segment must be in words of its own, and the amount none that others make by chance. The numbers are those of the window and of the segment.
func (q *measurable) worksOut(s *segment, a *alignment, theirs, mine []amount) (amount, bool) {
	want := q.amount
	if !q.alone || s.coverOf(a, func(i int) bool { return s.content[i] < want.from || s.content[i] >= want.to }) >= ownWords {
		return amount{}, false
	}
	if one, _, ok := want.reckoned(theirs, sum|difference); ok {
		return one, true
	}
	return want.multiplied(theirs, append(theirs, mine...))
}

// multiplied finds an amount that another one makes into this one, as often, as a part, or by so many percent more or less.
func (mine amount) multiplied(all, by []amount) (amount, bool) {
	is := func(v float64) bool { return math.Abs(v-mine.value) <= mine.place/2 }
	for i, a := range all {
		for j, b := range by {
			share := b.value / 100
			switch {
			case i == j || b.value == mine.value || a.value == 1 || b.value == 1:
			case is(a.value * b.value), b.value != 0 && is(a.value/b.value):
				return a, true
			case b.unit != token.Signs['%']:
			case is(a.value * share), is(a.value * (1 + share)), is(a.value * (1 - share)), is(a.value / (1 + share)), share != 1 && is(a.value/(1-share)):
				return a, true
			}
		}
	}
	return amount{}, false
}

// reckoner looks for numbers of which a value of a unit is made.
type reckoner struct {
	is   func(float64) bool
	unit string // empty where the value has none
}

// fits reports whether a number may be added to make the value: percent are made of percent alone.
func (r reckoner) fits(a amount) bool {
	return a.unit == r.unit || a.unit == "" && r.unit != token.Signs['%'] || r.unit == ""
}

// between reports whether the value lies in a range: from 500 to 999.
func (r reckoner) between(v float64, place []amount) bool {
	for i := 1; i < len(place); i++ {
		if a, b := place[i-1], place[i]; b.unit == r.unit && b.from-a.to <= 1 && a.value < v && v < b.value {
			return true
		}
	}
	return false
}

// inARow reports whether numbers that follow each other add up to the value.
func (r reckoner) inARow(place []amount) bool {
	for i := range place {
		sum := 0.0
		for _, a := range place[i:] {
			if !r.fits(a) || a.kind.Has(token.Year) {
				break
			}
			if sum += a.value; r.is(sum) {
				return true
			}
		}
	}
	return false
}

// makes reports whether the value is made of two of some numbers in one step, with percentages and averages in two, or of three. Years are no part of it, and what is
// added or taken off is of the value's unit.
func (r reckoner) makes(all []amount, steps int) bool {
	is := r.is
	all = slices.DeleteFunc(slices.Clone(all), func(a amount) bool { return a.kind.Has(token.Year) })
	all = all[:min(len(all), maxNumbers)]
	percent := func(unit string) bool { return unit == "" || unit == token.Signs['%'] }
	for i, x := range all {
		a := x.value
		if r.fits(x) && steps > 1 && (is(a-1) || is(a+1) || percent(r.unit) && is(100-a)) {
			return true
		}
		for j, y := range all {
			if i == j {
				continue
			}
			b := y.value
			if r.fits(x) && (is(a*b) || is(a/b) || r.fits(y) && (is(a+b) || is(a-b))) || x.unit == y.unit && is(a/b) {
				return true
			}
			if steps == 1 {
				continue
			}
			share := b / 100
			if r.fits(x) && (r.fits(y) && is((a+b)/2) || percent(y.unit) && (is(a*share) || is(a+a*share) || is(a-a*share) || is(a/share) || is(a/(1+share)) || is(a/(1-share)))) ||
				percent(r.unit) && x.unit == y.unit && (is(a/share) || is((a-b)/share)) {
				return true
			}
			for k := 0; r.fits(x) && k < len(all) && len(all) <= maxAmounts; k++ {
				c := all[k].value
				switch {
				case k == i:
				case r.fits(y) && (r.fits(all[k]) && (is(a+b+c) || is(a+b-c)) || is((a+b)*c) || is((a-b)*c) || is((a+b)/c) || is((a-b)/c)):
					return true
				case (r.fits(y) || r.fits(all[k])) && (is(a+b*c) || is(a-b*c)), percent(y.unit) && (is(a*share*c) || is((a-a*share)*c)), is(a * b * c), is(a * b / c):
					return true
				}
				for m := range all[:min(k, fewAmounts)] {
					if d := all[m].value; len(all) <= fewAmounts && m != i && (is(a*b+c*d) || is(a*b-c*d)) {
						return true // 400 sacks at 12 and 100 at 9
					}
				}
			}
		}
	}
	return false
}

// fewAmounts is how many numbers two products are looked for among.
const fewAmounts = 8
