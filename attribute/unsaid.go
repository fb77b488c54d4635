package attribute

import (
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// unsaid are the tokens of a segment that are numbers which no source has, in whatever form, and which follow from none. A judge lets a wrong number pass where the
// rest is said in other words. What may have come about in some way is left alone: a small count, a conversion, a bound, a rounding, what is reckoned from the
// numbers of one place.
func (t *turn) unsaid(s *segment, e *evidence) []int {
	var out []int
	if s.tongue != token.English {
		return nil // what is reckoned and rounded there is read too seldom
	}
	near := sync.OnceValue(func() *nearby { return t.numbersNear(e) })
	mine := s.line()
	for n := range s.measurables {
		q := &s.measurables[n]
		if q.yearsTo > 0 {
			if q.years[0] > 2000 || mine.at(q.c).Kind.Has(token.Year) && len(digitsOf(mine.text(q.c))) < 4 || mine.sinceOrSo(q.c) {
				continue // this century, people in their 40s
			}
			if first, last := mine.narrowed(q); !t.dates(first, last, near().all) {
				out = append(out, q.c)
			}
			continue
		}
		if !q.telling(mine) || e.covers(q.i) || t.numeral(q, mine) || t.spelled(q, mine, e) {
			continue
		}
		best := t.line(e.best.passage, t.sentences[e.best.from].start, t.sentences[e.best.to-1].end)
		if !q.follows(mine, s.numbers, near()) && q.beyondLimit(best) < 0 { // a case of which a bound says nothing is named by the bound
			out = append(out, q.c)
		}
	}
	return append(out, t.daysUnsaid(s, e, near)...)
}

// telling reports whether a number is one that a statement rests on, and no count of a few things, bound of time or part of a name.
func (q *measurable) telling(l line) bool {
	tok := l.at(q.c)
	switch {
	case !tok.Kind.Has(token.Number), q.times, l.numbered(q.c):
		return false
	case tok.Kind.Has(token.Year):
		return l.datedBy(q.c)
	case !q.counted, q.timed, q.amount.from > q.c, l.clock(q.c), q.c > l.start && l.clock(q.c-1), strings.HasSuffix(l.text(min(q.c+1, l.end-1)), "ties"): // the nineteen nineties
		return false
	case tok.Num == 100, token.IsPower(tok.Num) && !token.IsDigit(rune(l.text(q.c)[0])):
		return false // hundreds of things
	}
	v := q.amount.value
	if q.amount.unit == "" && v < 100 && v == math.Trunc(v) && (q.amount.to == l.end || !l.at(q.amount.to).Content()) {
		return false // who is about thirty, or may come at seventeen
	}
	return v > 12 || v != math.Trunc(v) || q.amount.unit != "" && v > 2
}

// sinceOrSo reports whether the date at i is the bound of a time: since the late 1960s, by the end of the century.
func (l line) sinceOrSo(i int) bool {
	for k := i - 1; k >= max(l.start, i-4); k-- {
		if boundingTime[l.key(k)] {
			return true
		}
	}
	return false
}

var boundingTime = token.Keys(`since before after until till by than end`)

// narrowed are the years of a decade or a century, of its early, middle or late part where the segment says so.
func (l line) narrowed(q *measurable) (first, last float64) {
	first, last = q.years[0], q.years[1]
	if first == 2000 && l.at(q.c).Kind.Has(token.Year) {
		last = 2009 // the late 1800s are half a century, the late 2000s are not
	}
	tenth := (last - first + 1) / 10
	switch l.key(q.c - 1) {
	case early:
		last -= 5 * tenth
	case "mid":
		first, last = first+3*tenth, last-2*tenth
	case late:
		first += 5 * tenth
	}
	return first, last
}

var early, late = token.Key("early"), token.Key("late")

// dates reports whether a source has one of some years, a decade or century that they are part of, or a period that all of them are part of; or a span of time leads to one.
func (t *turn) dates(first, last float64, near []amount) bool {
	decade, century, short := math.Floor(first/10)*10, math.Ceil(last/100), math.Mod(first, 100)
	if t.hasNumber(first, last) || short >= 10 && t.hasNumber(short, short+last-first) || t.has("#"+strconv.Itoa(int(decade))+"s") || t.has(token.OrdinalKey(century)) {
		return true
	}
	before, after := false, false
	for _, date := range near {
		if !date.kind.Has(token.Year) {
			continue
		}
		before, after = before || date.value < first, after || date.value > last
		for _, a := range near {
			for _, sum := range []float64{date.value + a.inYears(), date.value - a.inYears()} {
				if first <= sum && sum <= last {
					return true
				}
			}
		}
	}
	return before && after
}

// inYears is how many years a span of time has, 0 for what is none.
func (a amount) inYears() float64 {
	if measures[a.unit].of != "time" {
		return 0
	}
	return a.value * measures[a.unit].much / measures[years].much
}

// has reports whether a word stands in any source.
func (t *turn) has(key string) bool {
	_, ok := t.byKey[key]
	return ok
}

// datedBy reports whether the year at i says when something was: in 1966, May of 1399, December 1730. What was before or since a year may be so by any other, and
// the 2008 crisis is called so by whoever knows of it.
func (l line) datedBy(i int) bool {
	if i == l.start || i+1 < l.end && l.at(i+1).Kind.Has(token.Glued) {
		return false
	}
	before := l.at(i - 1)
	return before.Key == "in" || before.Key == "of" || before.Kind.Has(token.Month) || before.Kind.Has(token.Number) && l.start < i-1 && l.at(i-2).Kind.Has(token.Month)
}

// numbered reports whether the number at i is part of a name or stands for a reference: step 3, covid-19, Baja 1000, a word12.
func (l line) numbered(i int) bool {
	if start, _ := l.span(i); start > 0 {
		if r, _ := utf8.DecodeLastRuneInString(l.from[:start]); token.WordRune(r) || r == '.' {
			return true
		}
	}
	if i+1 < l.end && l.at(i+1).Kind.Has(token.Glued) && l.at(i+1).Kind&(token.Unit|token.Number) == 0 {
		return true
	}
	if i == l.start {
		return false
	}
	before := l.at(i - 1)
	return l.labels(i) || numberedBy[before.Key] || i-1 > l.start && before.Kind.Has(token.Capital) && !before.Kind.Has(token.Month) && before.Content()
}

// numberedBy are words for what is told apart by numbers.
var numberedBy = token.Keys(`passage source step section chapter page figure table part option number no version article item appendix paragraph point phase stage day week question rule line
	clause act scene book volume room route highway channel grade class type level tier`)

// covers reports whether a window that was found has the i-th word that counts, or says the same in other numbers.
func (e *evidence) covers(i int) bool {
	has := func(a alignment) bool { return len(a.strength) > 0 && a.strength[i] > 0 }
	return has(e.best) || has(e.second) || slices.ContainsFunc(e.others, has)
}

// found are the windows that were found, the best first.
func (e *evidence) found() []alignment {
	out := []alignment{e.best}
	if len(e.second.pos) > 0 {
		out = append(out, e.second)
	}
	return append(out, e.others[:min(len(e.others), 3)]...)
}

// numeral reports whether any source has a number that may stand for this one: in thousands, in other units, as a part of a hundred.
func (t *turn) numeral(q *measurable, l line) bool {
	is := func(v float64) bool { return t.hasNumber(v, v) }
	v := l.at(q.c).Num
	if is(v) {
		return true
	}
	if l.at(q.c).Kind.Has(token.Year) {
		short := math.Mod(v, 100)
		return short >= 10 && is(short) // 2018-19
	}
	if q.amount.unit == "" && v < 100 && (is(1900+v) || is(2000+v)) {
		return true
	}
	v = q.amount.value
	for _, f := range conversions(q.amount.unit) {
		slack := q.amount.place / 2
		if f < 100 && f > .01 && f != 1 { // months are no whole number of weeks
			slack = max(slack, .02*v)
		}
		from, to := v-slack, v+slack
		switch q.hedge {
		case about, nearly:
			more := min(v+leeway(v), v/.9)
			if q.hedge == nearly {
				more = v + slightly(v)
			}
			from, to = min(from, max(v-leeway(v), v/1.1)), max(to, more)
		case atLeast:
			from, to = v, 3*v
		case atMost, upTo:
			from, to = 0, v
		}
		if t.hasNumber(from/f, to/f) {
			return true
		}
	}
	switch q.amount.unit {
	case celsius, fahrenheit, token.Signs['°']:
		return t.hasNumber((v-32)/1.8-1, (v-32)/1.8+1) || t.hasNumber(v*1.8+31, v*1.8+33)
	case token.Signs['%']:
		return v > 1 && t.hasNumber(100/(v+.5), 100/(v-.5)) // one in four
	}
	return false
}

// conversions are what an amount of a unit may be divided by and say the same in thousands, or in another unit of its kind.
func conversions(unit string) []float64 {
	out := []float64{1, 1e3, 1e6, 1e9, 1e-3, 1e-6, 1e-9, 100, .01}
	mine := measures[unit]
	for _, other := range measures {
		if mine.of != "" && other.of == mine.of && other != mine {
			out = append(out, other.much/mine.much)
		}
	}
	return out
}

// hasNumber reports whether a source has a number from one to another.
func (t *turn) hasNumber(from, to float64) bool {
	all := t.numerals()
	i := sort.SearchFloat64s(all, from-1e-9)
	return i < len(all) && all[i] <= to+1e-9
}

// numerals are the numbers of all sources, with the parts that words name, ascending.
func (t *turn) numerals() []float64 {
	if t.numbers == nil {
		t.numbers = []float64{math.Inf(1)}
		for i := range t.terms {
			tm := &t.terms[i]
			if tm.kind&(token.Number|token.Ordinal) != 0 {
				t.numbers = append(t.numbers, tm.num)
			}
			if n := token.Parts[tm.key]; n > 0 {
				t.numbers = append(t.numbers, 1/n)
			}
		}
		slices.Sort(t.numbers)
	}
	return t.numbers
}

// spelled reports whether the digits of a number stand in a window that was found, by themselves or, where they are many, whatever stands between them: 53 879, 2019/20.
func (t *turn) spelled(q *measurable, l line, e *evidence) bool {
	want := digitsOf(l.text(q.c))
	return want != "" && slices.ContainsFunc(e.found(), func(a alignment) bool {
		text := t.quote(a.window)
		return slices.Contains(strings.FieldsFunc(text, func(r rune) bool { return !token.IsDigit(r) }), want) || len(want) > 2 && strings.Contains(digitsOf(text), want)
	})
}

func digitsOf(s string) string {
	return strings.Map(func(r rune) rune {
		if token.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

// nearby are the numbers that one of a segment may follow from.
type nearby struct {
	places [][]amount // of each window that was found, and none for what follows from the segment's other numbers alone
	apart  []float64  // years by which something lies before or behind a date
	all    []amount   // of all of these, and of the sentences that share most with the segment
}

// numbersNear reads the numbers of the windows that were found, with those that words name. Of data it is all numbers.
func (t *turn) numbersNear(e *evidence) *nearby {
	var out nearby
	seen := map[int]bool{}
	for _, a := range e.found() {
		var place []amount
		if _, data := t.data[a.passage]; data {
			place = t.numbersOf(a.passage, t.firsts[a.passage], t.firsts[a.passage+1], maxNumbers)
		} else {
			place = t.numbersOf(a.passage, a.from, a.to, maxAmounts)
		}
		out.places = append(out.places, place)
		out.add(place, seen)
	}
	for _, id := range e.top {
		if len(out.all) < maxNumbers {
			l := t.line(t.sentences[id].passage, t.sentences[id].start, t.sentences[id].end)
			out.apart = append(append(out.apart, l.yearSpans()...), l.ages()...)
			out.add(t.numbersOf(t.sentences[id].passage, int(id), int(id)+1, maxAmounts), seen)
		}
	}
	out.places = append(out.places, nil)
	return &out
}

// maxNumbers bounds the pairs of numbers of several places.
const maxNumbers = 3 * maxAmounts

func (n *nearby) add(place []amount, seen map[int]bool) {
	for _, a := range place {
		if !seen[a.from] {
			seen[a.from] = true
			n.all = append(n.all, a)
		}
	}
}

// numbersOf are the first numbers of some sentences, days of a month left out. What has a unit is no year, nor need a value of data be one.
func (t *turn) numbersOf(passage, first, last, most int) []amount {
	var out []amount
	_, data := t.data[passage]
	l := t.line(passage, t.sentences[first].start, t.sentences[last-1].end)
	for i := l.start; i < l.end && len(out) < most; i++ {
		t.operations++
		day := l.key(i+1) != "" && l.at(i+1).Kind.Has(token.Month) || i > l.start && l.at(i-1).Kind.Has(token.Month)
		if k := l.at(i).Kind; k.Has(token.Number) && !k.Has(token.Stop) && (!day || k.Has(token.Year)) {
			if a, ok := l.amount(i); ok {
				if a.unit != "" || data {
					a.kind &^= token.Year
				}
				out = append(out, a)
			}
		}
		for _, f := range l.factors(i) {
			out = append(out, amount{value: f, from: i, to: i})
		}
	}
	return out
}

// factors are the numbers that the word at i names: half, three quarters and the quarter that is left, twice.
func (l line) factors(i int) []float64 {
	key := l.key(i)
	switch {
	case token.Parts[key] > 0:
		n := 1.0
		if i > l.start && l.at(i-1).Kind.Has(token.Number) {
			n = l.at(i - 1).Num
		}
		return []float64{n / token.Parts[key], 1 - n/token.Parts[key]}
	case multiples[key] > 0:
		return []float64{multiples[key]}
	case twofold[key]:
		return []float64{2}
	}
	return nil
}

var twofold = token.Keys(`both couple pair twice double`)

// spells are the numbers of a span of time, as a rate has them: 200 a day are 73,000 a year.
var spells = map[string][]float64{years: {365, 12, 52}, monthly: {30, 4}, weekly: {7}, daily: {365, 7}}

// follows reports whether a number is made of those of one place and the others of the segment, lies between two of them, or counts the years between two dates.
func (q *measurable) follows(l line, mine []amount, near *nearby) bool {
	v, slack := l.at(q.c).Num, 0.0
	if q.counted {
		v, slack = q.amount.value, q.amount.place/2
	}
	switch {
	case q.hedge.rough():
		slack = max(slack, min(.03*v, leeway(v)/2))
	case q.hedge != exact:
		slack = max(slack, .03*v)
	}
	is := func(x float64) bool {
		return math.Abs(x-v) <= slack+1e-6 || q.amount.unit == cent && math.Abs(100*x-v) <= slack+1e-6
	}
	dates := slices.DeleteFunc(slices.Clone(near.all), func(a amount) bool { return !a.kind.Has(token.Year) })
	own := slices.DeleteFunc(slices.Clone(mine), func(a amount) bool { return a.from == q.amount.from })
	if l.at(q.c).Kind.Has(token.Year) {
		return slices.ContainsFunc(dates, func(date amount) bool {
			return slices.ContainsFunc(near.apart, func(n float64) bool { return is(date.value + n) }) || slices.ContainsFunc(append(own, near.all...), func(a amount) bool { return is(date.value+a.inYears()) || is(date.value-a.inYears()) })
		})
	}
	age := l.age(q.c) // of whom a year is known nobody can say here how old they are today
	if age && len(dates) > 0 || (q.amount.unit == years || q.hedge.rough()) && slices.ContainsFunc(dates, func(a amount) bool {
		return slices.ContainsFunc(dates, func(b amount) bool { return is(a.value-b.value) || is(a.value-b.value-1) })
	}) {
		return true
	}
	for i := l.start; i < l.end; i++ {
		for _, f := range append(l.factors(i), spells[l.key(i)]...) {
			own = append(own, amount{value: f})
		}
	}
	of := q.amount.unit
	if of == cent {
		of = "" // of dollars and euros
	}
	r := reckoner{is, of}
	if (v >= 100 || q.amount.unit != "") && r.makes(append(own, near.all...), 1) {
		return true
	}
	steps := 2
	if v >= 100 || q.amount.unit != "" {
		steps = 3
	}
	return slices.ContainsFunc(near.places, func(place []amount) bool {
		return r.between(v, place) || r.inARow(place) || r.makes(append(slices.Clone(own), place...), steps)
	})
}
