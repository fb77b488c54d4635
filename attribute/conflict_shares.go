package attribute

import (
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// ratios compares what the only ratio of either side comes to: 3:1, 2 to 1, equal parts. The same the other way round may be said of two things that
// changed places.
func (c *comparison) ratios() {
	a, mine, to := c.mine.ratio()
	if a == 0 {
		return
	}
	b, theirs, right := c.theirs.ratio()
	if b == 0 {
		return
	}
	if off(a, b) > 1e-6 && off(a*b, 1) > 1e-6 && c.tells(theirs, mine, to, 0.5) {
		c.add("number", mine, to, theirs, right, c.instead(mine, to, theirs, right))
	}
}

// ratio reads the only ratio of a line that calls it one, 0 where there is none: a 2:1 ratio, a ratio of two to one, equal parts.
func (l line) ratio() (value float64, from, to int) {
	for i := l.start; i+1 < l.end; i++ {
		end, is := i+2, 0.0
		if l.key(i+1) == "to" {
			end++
		}
		switch {
		case l.sharesEqually(i):
			is = 1
		case end > l.end || end == i+2 && (!l.at(i+1).Kind.Has(token.Comma) || !l.colon(i)):
		case l.at(i).Kind.Has(token.Number) && l.at(end-1).Kind.Has(token.Number) && l.at(end-1).Num != 0 && l.near(i, end, ratioKey):
			is = l.at(i).Num / l.at(end-1).Num
		}
		if is != 0 && value != 0 {
			return 0, 0, 0
		}
		if is != 0 {
			value, from, to = is, i, end
		}
	}
	return value, from, to
}

// sharesEqually reports whether equal parts stand at i.
func (l line) sharesEqually(i int) bool { return l.key(i) == equal && portions[l.key(i+1)] }

// equalParts finds where a line speaks of equal parts, and whether it does so by a ratio: equal parts, a 1:1 ratio, 1:1. to is 0 where it does not.
func (l line) equalParts() (from, to int, ratio bool) {
	for i := l.start; i+1 < l.end; i++ {
		if l.sharesEqually(i) {
			return i, i + 2, false
		}
		if l.at(i).Num == 1 && l.colon(i) && l.at(i+1).Num == 1 {
			from, to = i, i+2
			if l.key(to) == ratioKey {
				to++
			}
			if l.key(from-1) == "a" {
				from--
			}
			return from, to, true
		}
	}
	return 0, 0, false
}

var equal, portions = token.Key("equal"), token.Keys(`part amount quantity measure portion`)

// near reports whether a word stands among the four before a run of tokens or the two behind it.
func (l line) near(from, to int, key string) bool {
	for i := max(l.start, from-4); i < min(l.end, to+2); i++ {
		if l.key(i) == key {
			return true
		}
	}
	return false
}

var ratioKey = token.Key("ratio")

// part reports whether the word at i is one for parts of a whole: quarters, thirds.
func (l line) part(i int) bool {
	return token.Parts[l.key(i)] > 0 || i < l.end && l.at(i).Kind.Has(token.Ordinal) && strings.HasSuffix(l.text(i), "s")
}

// certainty reports whether the number at i says how sure a figure is: 95% CI, 95 percent confidence.
func (l line) certainty(i int) bool {
	_, _, to := l.unit(i)
	return sureness[l.key(to)]
}

var sureness = token.Keys(`ci confidence`)

// multiplied finds a word for how many times as much something became that the source's numbers before and after deny.
func (c *comparison) multiplied() {
	for k, tok := range c.s.tokens {
		if _, ok := c.place[k]; ok || multiples[tok.Key] == 0 || changing[strings.ToLower(c.mine.text(k))] == "" {
			continue
		}
		var all []change
		for l := range c.lines() {
			all = append(all, l.changes()...)
		}
		if len(all) != 1 {
			continue // which of them is meant is not told
		}
		left, right := min(all[0].before.from, all[0].now.from), max(all[0].before.to, all[0].now.to)
		if c.tells(left, k, k+1, 0.5) {
			c.add("number", k, k+1, left, right, c.instead(k, k+1, left, right))
		}
	}
}

// shares compares shares of the same thing: a third of its weight where the source says a quarter of its body weight.
func (c *comparison) shares() {
	for k := range c.s.tokens {
		mine, ok := c.mine.share(k)
		if !ok || mine.to != k+1 || c.measured[k] {
			continue
		}
		p, ok := c.whole(mine.to)
		if !ok {
			continue
		}
		hedge, _ := c.mine.hedge(mine.from)
		have, ok := c.shareOf(p)
		if !ok || mine.says(have, hedge) > 0 || have.says(mine, exact) > 0 || off(mine.inWhole()+have.inWhole(), 1) < 1e-6 {
			continue // two thirds are what a third leaves
		}
		if c.tells(have.from, mine.from, mine.to, 0.5) {
			c.add("number", mine.from, mine.to, have.from, have.to, c.instead(mine.from, mine.to, have.from, have.to))
		}
	}
}

// whole is where the window has the last word of what a share is said to be of, which begins at k: of their weight.
func (c *comparison) whole(k int) (p int, ok bool) {
	if c.mine.key(k) != "of" {
		return 0, false
	}
	for k++; k < len(c.s.tokens) && !c.s.tokens[k].Content(); k++ {
	}
	for ; k < len(c.s.tokens) && c.s.tokens[k].Content() && !c.s.tokens[k].Kind.Has(token.Comma); k++ {
		if at, there := c.place[k]; there {
			p, ok = at, true
		}
	}
	return p, ok
}

// points reports whether the number at i is of percentage points: from 50 to 55 percent it is 5 of them, and 10 percent.
func (l line) points(i int) bool {
	return l.key(i+1) == token.Signs['%'] && l.key(i+2) == point
}
