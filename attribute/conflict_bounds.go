package attribute

import (
	"math"
	"strings"
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
		if c.theirs.at(j).key != c.s.tokens[k].key {
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
	if unit, _, _ := c.mine.unit(k); ranged && (unit == "" || c.rest(at, to) < nothingElse) {
		return // those over 65 pay other prices than those between 18 and 65
	}
	if !c.tells(found, at, to, 0.5) {
		return
	}
	before := len(c.found)
	if c.add("number", at, to, from, end, c.instead(at, to, from, end)); len(c.found) > before && c.rest(at, to) >= boundsDiffer {
		c.found[before].plain = true // a bound the wrong way round follows from no other number
	}
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
	if h == exact {
		return l.boundBehind(i)
	}
	for j := from - 1; j >= max(l.start, from-3); j-- {
		if l.at(j).key == "not" {
			if l.deniesMore(j, from) {
				return h.turned(), j, i + 1
			}
			return exact, i, i + 1
		}
	}
	switch h {
	case about:
		h = exact
	case upTo:
		h = atMost
	}
	return h, from, i + 1
}

// deniesMore reports whether the negation at i denies the comparison at j with nothing but what is done between them: not take more than, must not be less than.
func (l line) deniesMore(i, j int) bool {
	if key := l.key(j); !l.at(i).kind.has(negation) || key != "more" && key != "less" && key != "fewer" || l.key(j+1) != "than" {
		return false
	}
	for k := i + 1; k < j; k++ {
		if tok := l.at(k); tok.key != "be" && tok.key != "have" && (!tok.content() || tok.kind&(quantifier|number|name|compare) != 0) {
			return false
		}
	}
	return true
}

// boundBehind reads a bound from the words behind the number at i: 10 or more, 65 and over, from 10 pieces on.
func (l line) boundBehind(i int) (h hedge, from, to int) {
	_, from, to = l.unit(i)
	if key := l.key(to); (key == "or" || key == "and") && to+1 < l.end {
		return behind[strings.ToLower(l.text(to+1))], from, to + 2
	}
	for j := to; j < min(l.end, to+2) && l.key(from-1) == "from"; j++ {
		if onwards[strings.ToLower(l.text(j))] {
			return atLeast, from - 1, j + 1
		}
	}
	return exact, i, i + 1
}

var onwards = wordSet(`on onward onwards upward upwards`)

// behind are the words that make a bound of the number before them and "or".
var behind = map[string]hedge{"more": atLeast, "over": atLeast, "above": atLeast, "older": atLeast, "longer": atLeast, "higher": atLeast, "up": atLeast, "upwards": atLeast,
	"less": atMost, "fewer": atMost, "under": atMost, "below": atMost, "younger": atMost, "shorter": atMost, "lower": atMost}

var star = plainKey("star")

// sameBound reports whether both sides name the same whole numbers by their bounds: under 12 and up to 11, over 64 and at least 65.
func (c *comparison) sameBound(k, j int) bool {
	mine, up, ok := c.mine.lastWithin(k)
	theirs, too, is := c.theirs.lastWithin(j)
	return ok && is && up == too && mine == theirs
}

// lastWithin reads the last whole number that a bound lets stand, and whether it is the highest. It is not ok where there is none.
func (l line) lastWithin(i int) (last float64, highest, ok bool) {
	h, at := l.hedge(i)
	last = l.at(i).num
	strict := beyondBound[l.key(at)]
	switch {
	case last != math.Trunc(last), h == exact, h == about:
		return 0, false, false
	case h == atLeast && strict:
		last++
	case h == atMost && strict:
		last--
	}
	return last, h != atLeast, true
}

// beyondBound begin bounds that leave out their own number.
var beyondBound = keys(`under below less fewer over above more exceed`)
