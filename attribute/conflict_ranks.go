package attribute

import (
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// ranks finds the first of all where the source says the second or a later one: the largest island, the fourth largest island. Who is one of the largest,
// or the largest after another, may be the second.
func (c *comparison) ranks() {
	if c.mine.any(func(i int) bool { return leavesOthers[c.mine.key(i)] }) {
		return
	}
	for k := range c.s.tokens {
		p, ok := c.place[k]
		if !ok || !c.mine.superlative(k) || c.mine.rank(k) || c.mine.denied(k) >= 0 || c.mine.oneOfThem(k) || !c.theirs.rankedBelow(p) {
			continue
		}
		if c.rest(k, k+1) >= restAgrees && c.tells(p, k, k+1, 0.5) {
			c.add("number", k, k+1, p-1, p+1, c.instead(k, k+1, p-1, p+1))
		}
	}
}

// leavesOthers are words by which the first of all may be one of several, or all but some.
var leavesOthers = token.Keys(`after behind among amongst except besides apart excluding outside other`)

// superlative reports whether the word at i says that something is the first of all in some way: largest, most.
func (l line) superlative(i int) bool {
	w := strings.ToLower(l.text(i))
	return w == "most" && i+1 < l.end && l.at(i+1).Content() || w == "best" || len(w) > 5 && strings.HasSuffix(w, "est") && !restful[w]
}

// restful end as superlatives do, and are none.
var restful = token.Words(`forest forrest interest request harvest honest modest arrest invest suggest contest protest conquest digest midwest northwest southwest tempest inquest everest budapest bucharest bequest latest earnest manifest`)

// rank reports whether an ordinal stands before the superlative at i: second largest.
func (l line) rank(i int) bool {
	return i > l.start && l.at(i-1).Kind.Has(token.Ordinal)
}

// rankedBelow reports whether a window has the superlative at p for the second or a later one, and nowhere for the first.
func (l line) rankedBelow(p int) bool {
	return l.rank(p) && l.at(p-1).Num > 1 && !l.any(func(i int) bool { return l.key(i) == l.key(p) && !(l.rank(i) && l.at(i-1).Num > 1) })
}

// oneOfThem reports whether the superlative at i is said of several: one of the largest.
func (l line) oneOfThem(i int) bool {
	for j := i - 1; j >= max(l.start, i-4); j-- {
		if l.key(j) == "of" {
			return true
		}
	}
	return false
}

// deniesFirst reports whether the segment's negation at n denies only that something is the first of all, where the source has it for the second or a
// later one.
func (c *comparison) deniesFirst(n int) bool {
	for k := n + 1; k < min(c.mine.end, n+6); k++ {
		if p, ok := c.place[k]; ok && c.mine.superlative(k) && !c.mine.rank(k) && c.theirs.rankedBelow(p) {
			return true
		}
	}
	return false
}

// notFirst reads "not the largest" where the window has the fourth largest: the segment's negation is at n, and said is what stands in place of all from there to
// the superlative at k, for a judge takes the one to deny the other.
func (s *segment) notFirst(k int, theirs line, p int) (n int, said string, ok bool) {
	mine := s.line()
	if !mine.superlative(k) || mine.rank(k) || !theirs.rankedBelow(p) {
		return 0, "", false
	}
	if n = mine.denied(k); n < 0 || n > k {
		return 0, "", false
	}
	word := strings.ToLower(mine.text(n))
	verb := strings.TrimSuffix(strings.TrimSuffix(word, "n't"), "n’t")
	if word != "not" && verb == word {
		return 0, "", false
	}
	between := s.text[s.tokens[n].At.End:s.tokens[k].At.Start]
	if word == "not" {
		verb, between = "", strings.TrimLeft(between, " ")
	}
	return n, verb + between + theirs.text(p-1) + " " + theirs.text(p), true
}
