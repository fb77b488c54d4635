package attribute

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/ibid-dev/ibid/attribute/internal/token"
	"github.com/ibid-dev/ibid/internal/listing"
)

// measuredValue is the number of a value that is nothing but one with what it counts: $1,450 per month, 870 sq ft, 2 years, 14-inch, 76 bpm. A number that
// begins a name is none: 88 Harbor Lane.
func measuredValue(text string) (float64, bool) {
	if len(text) > maxMeasured || strings.ContainsAny(text, ",;(+") && strings.ContainsAny(strings.ReplaceAll(text, ",", ""), ";(+") || strings.Contains(text, ", ") {
		return 0, false
	}
	ts, _ := token.English.Scan(text, 0, nil)
	l := line{end: len(ts), own: ts, from: text}
	n := 0
	if l.end > 0 && l.at(0).Kind.Has(token.Unit) {
		n++ // the sign of a currency
	}
	if n >= l.end || !l.at(n).Kind.Has(token.Number) || l.at(n).Kind.Has(token.Ordinal) || !token.IsDigit(rune(strings.TrimLeft(l.text(n), "-−")[0])) {
		return 0, false
	}
	a, ok := l.amount(n)
	if !ok || l.end-a.to > maxBehind {
		return 0, false
	}
	for i := a.to; i < l.end; i++ {
		if l.at(i).Kind.Has(token.Number) || a.unit == "" && strings.IndexFunc(l.text(i), unicode.IsUpper) == 0 && !smallUnits[l.key(i)] {
			return 0, false
		}
	}
	return a.value, a.unit != "" || l.end > a.to
}

const (
	maxMeasured = 40 // bytes of a value with what it counts
	maxBehind   = 3  // words behind its unit
)

// smallUnits are words for units that are counted with, but not converted.
var smallUnits = token.Keys(`watt w kw wh kwh mah nm bpm rpm psi dpi fps ghz mhz hz volt amp hp horsepower kcal calorie lumen mmhg decibel db megapixel mp`)

// wholeDate is the date of a value that is nothing else: March 4, 2024.
func wholeDate(text string) (dayOf, bool) {
	m := saidDate.FindStringSubmatchIndex(text)
	if m == nil || m[0] != 0 || m[1] != len(text) {
		return dayOf{}, false
	}
	d := dateOf(text, m)
	return d, d.year > 0
}

// weigh reads the unit of a field's number, and the span of time that it is for, where the lines of the passage have it.
func (t *turn) weigh(passage int, f *field) {
	if f.kind != ofNumber {
		return
	}
	f.amount = amount{value: f.number}
	at, _, ok := t.amountIn(passage, f.At, func(amount) bool { return true })
	if !ok {
		return
	}
	end := at
	for end < len(t.tokens) && int(t.tokens[end].end) <= f.At.End && int(t.tokens[end].start) >= f.At.Start {
		end++
	}
	l := t.line(passage, at, end)
	for i := at; i < end; i++ {
		if l.at(i).Kind.Has(token.Number) {
			if a, ok := l.amount(i); ok {
				f.amount, f.counts = a, l.key(a.to)
				f.amount.kind &^= token.Year // nor need a value of data be one
				if r, ok := l.rateOf(a); ok {
					f.per = r.per
				}
			}
			break
		}
	}
	for _, w := range f.Name {
		if span := spans[w]; span != "" {
			f.per = span
		}
	}
	for i := 0; i+1 < len(f.keys); i++ {
		if f.keys[i] == "per" && measures[f.keys[i+1]].of == "time" {
			f.per = f.keys[i+1]
		}
	}
}

// alikeUnits reports whether two amounts may be of one kind of thing.
func alikeUnits(a, b amount) bool {
	if a.unit == "" || b.unit == "" || a.unit == b.unit {
		return true
	}
	return measures[a.unit].of != "" && measures[a.unit].of == measures[b.unit].of || isDegree[a.unit] && isDegree[b.unit]
}

var isDegree = map[string]bool{celsius: true, fahrenheit: true, token.Signs['°']: true}

// inUnitOf is the value of an amount in the unit of another one.
func (mine amount) inUnitOf(theirs amount) float64 {
	a, b := measures[mine.unit], measures[theirs.unit]
	if mine.unit == theirs.unit || a.of == "" || a.of != b.of {
		return mine.value
	}
	return mine.value * a.much / b.much
}

// sameNumber reports whether a number of the segment may stand for that of a field.
func (c *comparison) sameNumber(v saidValue, f field) bool {
	loose, _ := c.mine.hedge(v.first)
	own, theirs := rate{v.amount, v.per, 1}, rate{f.amount, f.per, 1}
	if before, ok := c.mine.spannedBefore(v.amount); ok && v.per == "" {
		own = before
	}
	if theirs.paid(f.keys) {
		theirs.unit = own.unit
	}
	switch mine := v.amount; {
	case own.per != "" && f.per != "" && (own.per != f.per || own.spans != 1) && own.unit == theirs.unit:
		return own.says(theirs, loose)
	case mine.unit != "" && f.amount.unit != "" && mine.unit != f.amount.unit:
		return mine.says(f.amount, loose) > 0 || alikeUnits(mine, f.amount) && loose.holds(mine.inUnitOf(f.amount), f.amount.value)
	case f.number < 0 && v.number > 0 && (isDegree[mine.unit] || isDegree[f.amount.unit]):
		return v.number == -f.number && (c.mine.key(v.from-1) == "minus" || below.MatchString(c.s.text))
	}
	return v.number == f.number || v.number == math.Abs(f.number) || loose.allows(v.number, f.number) || loose.holds(v.number, f.number) || rounds(v.number, f.number)
}

// otherNumber reports whether a number that is not that of a field denies it: both count the same thing for the same time.
func (c *comparison) otherNumber(v saidValue, f field, r record) bool {
	dated := f.number >= 1800 && f.number <= 2100 && slices.Contains(f.keys, years)
	if !alikeUnits(v.amount, f.amount) || dated && v.amount.unit != "" || v.per != "" && f.per != "" && v.per != f.per {
		return false
	}
	behind := c.mine.key(v.amount.to)
	switch {
	case behind == square && strings.Contains(f.Text, "²"):
	case (smallUnits[behind] || behind == square) && f.counts != behind:
		return false
	case moneyUnits[f.amount.unit] && v.amount.unit == "" && v.to < len(c.s.tokens) && c.s.tokens[v.to].Content():
		return false // two tickets
	}
	said := v.amount.inUnitOf(f.amount)
	return !farOff(said, f.number) && (r.row != 0 || !unlikely(said, f.number)) && !c.follows(v, f.amount, r)
}

// unlikely reports whether a number is so many times another one that something else is meant, where no object is named. Zeros are left out and added by mistake.
func unlikely(a, b float64) bool {
	times := max(math.Abs(a), math.Abs(b)) / max(min(math.Abs(a), math.Abs(b)), 1e-9)
	tens := math.Log10(times)
	return min(math.Abs(a), math.Abs(b)) > 0 && times > 15 && math.Abs(tens-math.Round(tens)) > 0.1
}

// follows reports whether a number may be reckoned from those of a record: a sum, a difference, a product, a share, how many there are, so many times one of them as the
// segment says.
func (c *comparison) follows(v saidValue, in amount, r record) bool {
	said := v.amount.inUnitOf(in)
	near := func(x float64) bool {
		return math.Abs(x-said) <= 0.005*math.Abs(said) && math.Abs(x-said) < 0.006 || x == said
	}
	var all []field
	for _, f := range r.fields {
		if f.kind == ofNumber && len(all) < 40 {
			all = append(all, f)
		}
	}
	percent := v.amount.unit == token.Signs['%']
	few := v.amount.unit == "" && said <= 12 && !ofSeveral.MatchString(c.s.text) // some pair of numbers comes to any of these
	for i, f := range all {
		alike := alikeUnits(v.amount, f.amount)
		if alike && c.timesSaid(v, func(n float64) bool { return near(n * f.number) }) {
			return true
		}
		for k, g := range all {
			a, b, both := f.number, g.number, alike && alikeUnits(v.amount, g.amount)
			switch {
			case i == k, a == 0, b == 0, a == 1, b == 1:
			case both && c.timesSaid(v, func(n float64) bool { return near(n*a + b) }): // two people, and a pitch
				return true
			case both && (near(a+b) || !few && near(a-b)), alike && !few && (near(a*b) || b != 0 && near(a/b)), percent && b != 0 && (near(100*a/b) || near(100*(a-b)/b)):
				return true
			}
		}
	}
	return slices.ContainsFunc(c.t.data[c.a.passage].Lists, func(l listing.List) bool { return float64(len(l.Rows)) == v.number })
}

// ofSeveral stands in segments that may give a count which no field need have.
var ofSeveral = regexp.MustCompile(`(?i)\b(?:per|each|every|average|ratio|times|remain\w*|left|difference|apart|between|gap)\b`)

// timesSaid reports whether something holds for a number of the segment beside v by which an amount may be multiplied: two nights.
func (c *comparison) timesSaid(v saidValue, holds func(float64) bool) bool {
	for k, tok := range c.s.tokens {
		if k != v.from && tok.Kind.Has(token.Number) && tok.Num > 1 && tok.Num < 1000 && holds(tok.Num) {
			return true
		}
	}
	return false
}

// onlyOfKind are the fields that a value is said of though it has no name for them, as the record has one only of its kind: of weight, of volume, of watts.
func onlyOfKind(v saidValue, behind string, r record) []field {
	var out []field
	of := measures[v.amount.unit].of
	for _, f := range r.fields {
		if f.kind != ofNumber {
			continue
		}
		if single[of] && measures[f.amount.unit].of == of || v.amount.unit == "" && f.amount.unit == "" && smallUnits[behind] && f.counts == behind {
			out = append(out, f)
		}
	}
	return out
}

// single are kinds of amounts of which a thing has one: how heavy it is, how much it holds.
var single = token.Words(`weight volume`)

var below = regexp.MustCompile(`(?i)\b(?:minus|negative|below)\b`)
