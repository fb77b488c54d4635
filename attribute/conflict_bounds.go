package attribute

import (
	"math"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// rangeEnds reports whether the number at i is the last of a range.
func (l line) rangeEnds(i int) bool {
	for j := i - 1; j >= max(l.start, i-3); j-- {
		if l.upTo(j) == i {
			return true
		}
	}
	return false
}

// bounds finds more than 10 beside under 10.
func (c *comparison) bounds(k int) {
	mine, at, to := c.mine.bound(k)
	if mine == exact {
		return
	}
	found, from, end, ranged := -1, 0, 0, false
	for j := c.start; j < c.end; j++ {
		if c.theirs.at(j).Key != c.s.tokens[k].Key {
			continue
		}
		theirs, first, last := c.theirs.bound(j)
		of := theirs == exact
		if of {
			theirs, first, last = c.theirs.rangeBound(j)
		}
		if theirs == exact || theirs == mine {
			return // the source has the number in another place too
		}
		found, from, end, ranged = j, first, last, of
	}
	if found < 0 {
		return
	}
	if c.oneDenies(at, to, from, end) {
		c.converse = true // no visa up to 90 days is what a visa beyond 90 days comes to
		return
	}
	if unit, _, _ := c.mine.unit(k); ranged && !c.mine.limits(at, to) && (unit == "" || c.rest(at, to) < nothingElse) {
		return // those over 65 pay other prices than those between 18 and 65
	}
	alone := !slices.ContainsFunc(c.s.content, func(i int) bool { return i < at || i >= to }) || c.onlyLimit(k, at, from, end)
	if !alone && !c.tells(found, at, to, 0.5) {
		return
	}
	before := len(c.found)
	if c.add("number", at, to, from, end, c.instead(at, to, from, end)); len(c.found) > before && (alone || c.rest(at, to) >= boundsDiffer) {
		c.found[before].plain = true // a bound the wrong way round follows from no other number
	}
}

// onlyLimit reports whether the source names the amount of the segment at k, whose bound begins at the token at, nowhere but as the minimum or the maximum [from, to): who says that
// it is the other one cannot mean anything else. "Over 30 km/h" may be what is forbidden.
func (c *comparison) onlyLimit(k, at, from, to int) bool {
	if unit, _, _ := c.mine.unit(k); unit == "" || !c.theirs.limits(from, to) || beyondBound[c.mine.key(at)] {
		return false
	}
	n := 0
	for _, w := range c.t.tokens {
		if c.t.terms[w.term].key == c.s.tokens[k].Key {
			n++
		}
	}
	return n == 1
}

// boundsDiffer is the cover of all other words from which a bound the other way round stays a contradiction whatever a judge says.
const boundsDiffer = 0.7

// rangeBound reads the end of a range at i as the bound that it is: of 11 to 27 hours 11 is the least and 27 the most.
func (l line) rangeBound(i int) (h hedge, from, to int) {
	if j := l.upTo(i); j >= 0 {
		return atLeast, i, j + 1
	}
	for j := i - 1; j >= max(l.start, i-3); j-- {
		if l.upTo(j) == i {
			return atMost, j, i + 1
		}
	}
	return exact, i, i + 1
}

// bound reads whether the number at i is the least or the most of an amount, and the tokens that say so: at least 10, not take more than 10. What is denied
// in another way is left open.
func (l line) bound(i int) (h hedge, from, to int) {
	_, first, _ := l.unit(i)
	h, from = l.hedge(first)
	if h == exact && l.key(first-1) == "to" && l.key(first-2) == "up" && first-3 >= l.start && presently[strings.ToLower(l.text(first-3))] {
		h, from = upTo, first-2
	}
	if h == exact {
		if h, from, to = l.boundBehind(i); h == exact {
			h, from, to = l.limit(i)
		}
		return h, from, to
	}
	for j := from - 1; j >= max(l.start, from-3); j-- {
		if l.at(j).Key == "not" {
			if l.deniesMore(j, from) {
				return h.turned(), j, i + 1
			}
			return exact, i, i + 1
		}
	}
	switch h {
	case about, nearly:
		h = exact
	case upTo:
		h = atMost
	}
	return h, from, i + 1
}

// limit reads the bound that a minimum or a maximum is, before the number at i and what it is the minimum of, or behind it: a minimum of 12 units, minimum age: 21, the maximum is
// $20, $500 minimum; and that of a time which something must lie before or after another by: no later than 60 days before, within 30 days.
func (l line) limit(i int) (h hedge, from, to int) {
	_, first, end := l.unit(i)
	nouns, tied := 0, true // what stands beside the number ties it to the limit
	for k := first - 1; k >= max(l.start, first-6); k-- {
		tok := l.at(k)
		if h := l.limitAt(k); h != exact {
			if k > l.start && l.at(k-1).Kind.Has(token.Negation) || k-1 > l.start && l.at(k-2).Kind.Has(token.Negation) || !tied || nouns > 2 {
				break
			}
			return h, k, i + 1
		}
		if next := l.at(k + 1); next.Kind.Has(token.Comma) && !(nouns == 0 && l.colonBehind(k)) || tok.Kind&(token.Number|token.Negation|token.Quantifier|token.Compare) != 0 {
			break
		}
		switch key := tok.Key; {
		case limiting[key] || hedges[key].rough():
		case tok.Content() && !tok.Kind.Has(token.Verbal):
			if nouns++; k == first-1 && !l.colonBehind(k) {
				_, from, to := l.unit(i)
				tied = to-from > 1 && l.limitAt(k-1) != exact // maximum load 3.5 t
			}
		case nouns == 0:
			return l.limitBehind(i, first, end)
		}
	}
	return l.limitBehind(i, first, end)
}

// limitBehind reads a limit from the words behind the number at i and before its unit's first token, or from those that say by how much something comes before
// or after another.
func (l line) limitBehind(i, first, end int) (h hedge, from, to int) {
	if j := end; j < l.end && !l.at(j).Kind.Has(token.Comma) {
		if l.key(j) == "per" || l.key(j) == "a" {
			j += 2 // $20 per day maximum
		}
		if l.key(j) == "at" {
			j++ // ten minutes at most
			if h := hedges[l.key(j)]; j < l.end && (l.key(j) == "most" || l.key(j) == "least") {
				return h, first, j + 1
			}
		}
		next := j + 1
		for next < l.end && limiting[l.key(next)] {
			next++
		}
		if j < l.end && !l.at(j).Kind.Has(token.Comma) && l.limitAt(j) != exact && (next >= l.end || !l.at(next).Kind.Has(token.Number) && !l.sign(next)) {
			return l.limitAt(j), first, j + 1
		}
	}
	a, ok := l.amount(i)
	if !ok || measures[a.unit].of != "time" {
		return exact, i, i + 1
	}
	if l.key(first-1) == within {
		return atMost, first - 1, i + 1
	}
	if k := first - 3; k >= l.start && l.key(first-1) == "than" && (l.key(k) == "no" || l.key(k) == "not") {
		before, after := beforehand[l.key(a.to)] || l.key(a.to) == "in" && l.key(a.to+1) == advance, afterwards[l.key(a.to)]
		switch word := strings.ToLower(l.text(k + 1)); {
		case word == "later" && before, (word == "sooner" || word == "earlier") && after:
			return atLeast, k, i + 1
		case word == "later" && after, (word == "sooner" || word == "earlier") && before:
			return atMost, k, i + 1
		}
	}
	return exact, i, i + 1
}

var (
	within, advance        = token.Key("within"), token.Key("advance")
	beforehand, afterwards = token.Keys(`before prior ahead`), token.Keys(`after of from`)
)

// limiting are the small words between a limit and its number: a maximum of 12, the minimum age for it is 21.
var limiting = token.Keys(`of is are be was were will shall should must can at a an the for to`)

// limitAt reads a minimum or a maximum at i. What has a number before it is minutes.
func (l line) limitAt(i int) hedge {
	if i < l.start || i >= l.end {
		return exact
	}
	switch strings.ToLower(l.text(i)) {
	case "minimum":
		return atLeast
	case "maximum", "max":
		return atMost
	case "min":
		if i+1 < l.end && (i == l.start || !l.at(i-1).Kind.Has(token.Number)) {
			return atLeast
		}
	}
	return exact
}

// limits reports whether a minimum or a maximum stands among the tokens [from, to).
func (l line) limits(from, to int) bool {
	for i := from; i < to; i++ {
		if l.limitAt(i) != exact {
			return true
		}
	}
	return false
}

// colonBehind reports whether a colon stands right behind the token at i.
func (l line) colonBehind(i int) bool {
	_, end := l.span(i)
	return strings.HasPrefix(l.from[end:], ":")
}

// presently are the words before an "up to" that is a bound, though they may tell of what climbed, too.
var presently = token.Words(`is are be`)

// deniesMore reports whether the negation at i denies the comparison at j with nothing but what is done between them: not take more than, must not be less than.
func (l line) deniesMore(i, j int) bool {
	if key := l.key(j); !l.at(i).Kind.Has(token.Negation) || key != "more" && key != "less" && key != "fewer" || l.key(j+1) != "than" {
		return false
	}
	for k := i + 1; k < j; k++ {
		if tok := l.at(k); tok.Key != "be" && tok.Key != "have" && (!tok.Content() || tok.Kind&(token.Quantifier|token.Number|token.Name|token.Compare) != 0) {
			return false
		}
	}
	return true
}

// boundBehind reads a bound from the words behind the number at i: 10 or more, 65 and over, from 10 pieces on.
func (l line) boundBehind(i int) (h hedge, from, to int) {
	_, from, to = l.unit(i)
	if key := l.key(to); (key == "or" || key == "and") && to+1 < l.end && behind[strings.ToLower(l.text(to+1))] != exact {
		return behind[strings.ToLower(l.text(to+1))], from, to + 2
	}
	for j := to; j < min(l.end, to+2) && l.key(from-1) == "from"; j++ {
		if onwards[strings.ToLower(l.text(j))] {
			return atLeast, from - 1, j + 1
		}
	}
	return exact, i, i + 1
}

var onwards = token.Words(`on onward onwards upward upwards`)

// behind are the words that make a bound of the number before them and "or".
var behind = map[string]hedge{"more": atLeast, "over": atLeast, "above": atLeast, "older": atLeast, "longer": atLeast, "higher": atLeast, "up": atLeast, "upwards": atLeast,
	"less": atMost, "fewer": atMost, "under": atMost, "below": atMost, "younger": atMost, "shorter": atMost, "lower": atMost}

var star = token.Key("star")

// sameBound reports whether both sides name the same whole numbers by their bounds: under 12 and up to 11, over 64 and at least 65.
func (c *comparison) sameBound(k, j int) bool {
	mine, up, ok := c.mine.lastWithin(k)
	theirs, too, is := c.theirs.lastWithin(j)
	return ok && is && up == too && mine == theirs
}

// lastWithin reads the last whole number that a bound lets stand, and whether it is the highest. It is not ok where there is none.
func (l line) lastWithin(i int) (last float64, highest, ok bool) {
	h, at := l.hedge(i)
	last = l.at(i).Num
	strict := beyondBound[l.key(at)]
	switch {
	case last != math.Trunc(last), h == exact, h.rough():
		return 0, false, false
	case h == atLeast && strict:
		last++
	case h == atMost && strict:
		last--
	}
	return last, h != atLeast, true
}

// beyondBound begin bounds that leave out their own number.
var beyondBound = token.Keys(`under below less fewer over above more exceed`)
