package attribute

import (
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// sequence finds two events in the other order than the source tells them in: Ben took over before Ada left, where Ada left, and soon after Ben took over.
func (c *comparison) sequence() {
	if o := c.orders(); o != nil && o.mine != o.theirs && !o.oneWord {
		from, to := c.s.content[0], c.s.content[len(c.s.content)-1]+1
		c.add("exchange", from, to, o.left, o.right, c.instead(from, to, o.left, o.right))
	}
}

// events are two events on both sides of "before" or "after": whether the one that the segment names first came first, as it says and as the source does, and
// where the source tells of both.
type events struct {
	mine, theirs bool
	oneWord      bool // nothing but the word between them differs
	at           int  // the word of the segment between them
	left, right  int  // tokens of the turn
}

// orders reads them, nil where all words of the segment do not stand plainly on one side or the other of such a word of the source.
func (c *comparison) orders() *events {
	k := c.mine.joint(false)
	if c.s.tongue != nil || k <= 0 || c.mine.denies() {
		return nil
	}
	o := &events{at: k, mine: c.mine.key(k) == "before", left: c.end, right: c.start}
	firstLow, firstHigh, thenLow, thenHigh := c.end, -1, c.end, -1 // where the source has the words before and behind it
	for i, n := range c.s.content {
		p, ok := c.place[n]
		switch {
		case n == k:
			continue
		case !ok || c.a.via[i] > derived:
			return nil
		case n < k:
			firstLow, firstHigh = min(firstLow, p), max(firstHigh, p)
		default:
			thenLow, thenHigh = min(thenLow, p), max(thenHigh, p)
		}
		o.left, o.right = min(o.left, p), max(o.right, p+1)
	}
	if firstHigh < 0 || thenHigh < 0 || firstHigh >= thenLow && thenHigh >= firstLow {
		return nil
	}
	swapped := firstLow > thenHigh
	between := c.theirs.within(min(firstHigh, thenHigh)+1, max(firstLow, thenLow))
	if swapped == (thenHigh >= firstLow) || c.theirs.within(o.left, o.right).denies() {
		return nil
	}
	j := between.joint(true)
	if j < 0 {
		return nil
	}
	earlier := between.key(j) == "before" != c.theirs.alone(j) // what the source tells first came first
	o.theirs = earlier != swapped
	o.oneWord = !swapped && !c.theirs.alone(j)
	return o
}

// within is a part of the line.
func (l line) within(start, end int) line {
	l.start, l.end = start, end
	return l
}

// joint finds the only "before" or "after" of a line, -1 where there is none or more than one. alone lets it stand by itself, of what was told before.
func (l line) joint(alone bool) int {
	at := -1
	for i := l.start; i < l.end; i++ {
		switch key := l.key(i); {
		case !inTime[key] && !sinceThen[key]:
			continue
		case at >= 0 || sinceThen[key] && !alone || !alone && l.at(i).Kind.Has(token.Comma) || i+1 < l.end && l.at(i+1).Kind.Has(token.Number):
			return -1
		}
		at = i
	}
	return at
}

// sinceThen are words that say "after that".
var sinceThen = token.Keys(`afterwards afterward thereafter`)

// alone reports whether the "before" or "after" at i stands by itself, of what was told before: soon after, he left.
func (l line) alone(i int) bool {
	if sinceThen[l.key(i)] {
		return true
	}
	if i+1 >= l.end {
		return true
	}
	next := strings.ToLower(l.text(i + 1))
	return l.at(i+1).Kind.Has(token.Comma) || next == "that" || next == "this"
}
