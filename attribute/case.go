package attribute

import (
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// cased reports whether the amount at i is that of one case to which a rule may be applied: a 7 kg parcel, a loan of $3,000, an order for $60. It is neither part of a range nor a bound.
func (l line) cased(i int, a amount) bool {
	if l.counting(a) == "" || l.upTo(i) >= 0 || l.rangeEnds(i) || a.to-a.from > 3 {
		return false
	}
	if h, _, _ := l.bound(i); h != exact {
		return false
	}
	having := l.key(a.from-1) == "with" || aging[l.key(a.from-1)] // a firm with 80 employees
	if singling[l.key(a.from-1)] && a.unit != "" {
		return a.to < l.end && l.at(a.to).Content() && l.at(a.to).Kind&(token.Number|token.Comma|token.Compare|token.Verbal) == 0
	}
	noun := a.from - 2 // a loan of $3,000, a parcel weighing 7 kg
	if !ofCase[l.key(a.from-1)] && !having || noun < l.start || !l.at(noun).Content() || l.at(noun).Kind&(token.Number|token.Unit) != 0 {
		return false
	}
	if (noun <= l.start+1 || having || l.key(noun-1) == "for") && strings.HasSuffix(l.text(noun), "s") {
		return true // parcels of 8 kg
	}
	for k := noun - 1; (a.unit != "" || having) && k >= max(l.start, noun-3); k-- {
		if singling[l.key(k)] {
			return true
		}
		if !l.at(k).Content() {
			return false
		}
	}
	return false
}

var (
	singling = token.Keys(`a an any each every one`)
	ofCase   = token.Keys(`of for worth weighing costing`)
)

// limits finds the one range or bound of a window that the amount of a case lies in: between 5 and 10 kg, up to 50 g. Of several it is not said which one is meant. It is -1 where there is
// none.
func (q *measurable) limits(theirs line, all []placed) int {
	at := -1
	for _, have := range all {
		if !q.cased {
			break
		}
		if have.unit != q.amount.unit || !theirs.at(have.at).Kind.Has(token.Number) {
			continue
		}
		if in, _ := q.in(theirs, have); in {
			if at >= 0 {
				return -1
			}
			at = have.at
		}
	}
	return at
}

// in reports whether the amount of a case lies in the range or the bound that begins with an amount of a window, or outside of it.
func (q *measurable) in(theirs line, have placed) (in, out bool) {
	first, last, of := have.value, have.value, have.amount
	h, _, _ := theirs.bound(have.at)
	if j := theirs.upTo(have.at); j >= 0 {
		of, _ = theirs.amount(j)
		first, last, h = have.value, of.value, exact
	} else if theirs.rangeEnds(have.at) {
		return false, false
	}
	if theirs.counting(of) != q.counting {
		return false, false
	}
	v := q.amount.value
	in = first < v && v < last || h.holds(have.value, v)
	return in, !in && (first < last && (v < first || v > last) || h == atLeast && v < have.value || h == atMost && v > have.value)
}

// beyondLimit finds the one range or bound of a window that the amount of a case lies outside of, -1 where there is none or another one.
func (q *measurable) beyondLimit(theirs line) int {
	at := -1
	for i := theirs.start; q.cased && i < theirs.end; i++ {
		a, ok := theirs.amount(i)
		if !ok || a.unit != q.amount.unit || !theirs.at(i).Kind.Has(token.Number) || theirs.rangeEnds(i) {
			continue
		}
		if _, out := q.in(theirs, placed{a, i}); !out || at >= 0 {
			return -1
		}
		at = i
	}
	return at
}

// rangeOf gives the tokens of the range or the bound that begins with the number at i, right 0 where none does.
func (l line) rangeOf(i int) (left, right int) {
	a, ok := l.amount(i)
	if !ok {
		return 0, 0
	}
	if j := l.upTo(i); j >= 0 {
		last, _ := l.amount(j)
		if left = a.from; l.key(left-1) == "between" {
			left--
		}
		return left, last.to
	}
	if h, from, to := l.bound(i); h != exact {
		return min(from, a.from), max(to, a.to)
	}
	return 0, 0
}
