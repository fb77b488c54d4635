package attribute

import (
	"slices"
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// comesToTheSame reports whether what one side denies is no more than what the other says in its own way.
func (c *comparison) comesToTheSame(d deniedWord) bool {
	mine, theirs := c.mine, c.around(d.p)
	here := func(k int) bool { return c.placed(k) }
	there := func(j int) bool { return c.used[j] }
	if d.mine >= 0 {
		plainly := func(k int) bool {
			i, ok := slices.BinarySearch(c.s.content, k)
			return ok && c.placed(k) && c.a.via[i] <= derived && c.sentence(c.place[k]) == c.sentence(d.p)
		}
		return mine.contrasts(d.mine, plainly) || comesToTheSame(mine, theirs, d.mine, d.k, d.p, here, there)
	}
	return comesToTheSame(theirs, mine, d.theirs, d.p, d.k, there, here)
}

// comesToTheSame compares the line that denies the word at n, by the negation at not, with the one that says it at m. Each knows which of its words the other has.
func comesToTheSame(denies, says line, not, n, m int, matched, matches func(int) bool) bool {
	if (denies.key(not+1) == "as" || denies.key(not+1) == "so") && says.key(m-1) != "as" {
		return true // who is not as tall may be tall
	}
	if behind := says.exception(m); behind >= 0 && says.anyFrom(behind, matches) {
		return true // no notice in an emergency is notice except in an emergency
	}
	if ahead := denies.exception(n); ahead >= 0 && denies.anyFrom(ahead, matched) {
		return true
	}
	if says.any(func(i int) bool { return says.key(i) == token.OrdinalKey(1) }) && denies.any(func(i int) bool { return former[denies.key(i)] }) {
		return true // of the first woman in office none was there before
	}
	first := denies.next(not)
	return first >= 0 && first < n && !matched(first) && says.any(func(i int) bool { return !matches(i) && turned(denies.key(first), says.key(i)) }) // not open is shut
}

// former are words for what was before.
var former = token.Keys(`before previously until ever earlier yet`)

// turned reports whether two words are opposites.
func turned(a, b string) bool {
	return slices.Contains(comparatives[a], b) || slices.Contains(known().opposite[a], b) || slices.Contains(known().opposite[b], a)
}

// exception finds the word behind the one at n that begins one, -1 where none does.
func (l line) exception(n int) int {
	for i := n + 1; i < min(l.end, n+12); i++ {
		if key := l.at(i).Key; key == "unless" || key == "except" {
			return i
		}
	}
	return -1
}

// anyFrom reports whether something holds for a word that counts behind i.
func (l line) anyFrom(i int, holds func(int) bool) bool {
	for i++; i < l.end; i++ {
		if l.at(i).Content() && holds(i) {
			return true
		}
	}
	return false
}

// contrasts reports whether the negation at i sets aside what stands in place of words that the source has: in Utrecht, not in Rotterdam; not in
// Rotterdam but in Utrecht.
func (l line) contrasts(i int, matched func(int) bool) bool {
	if !strings.EqualFold(l.text(i), "not") {
		return false
	}
	if l.at(i).Kind.Has(token.Comma) {
		for k := i - 1; k >= l.start; k-- {
			if l.at(k).Content() {
				return matched(k)
			}
		}
		return false
	}
	for k := i + 1; k < min(l.end, i+8); k++ {
		if l.key(k) == "but" {
			n := l.next(k)
			return n >= 0 && matched(n)
		}
	}
	return false
}

// particular are the kinds of words of which one stands in the place of another.
const particular = token.Number | token.Month | token.Name

// setAside finds a number, a month or a name that the source has where the segment sets it aside for another: on 31 July, not on 31 May.
func (c *comparison) setAside() {
	for i, tok := range c.s.tokens {
		if !tok.Kind.Has(token.Negation) || !strings.EqualFold(c.mine.text(i), "not") {
			continue
		}
		for y := i + 1; y < min(len(c.s.tokens), i+5) && !c.s.tokens[y].Kind.Has(token.Comma); y++ {
			p, ok := c.place[y]
			x := c.mine.insteadOf(i, y)
			if !ok || x < 0 || c.placed(x) || c.theirs.at(p).Key != c.s.tokens[y].Key || c.around(p).denied(p) >= 0 {
				continue
			}
			from, to := min(x, y), max(x, y)+1
			if c.tells(p, from, to, 0.5) {
				kind := "name"
				if k := c.s.tokens[x].Kind; k.Has(token.Month | token.Year) {
					kind = "date"
				} else if k.Has(token.Number) {
					kind = "number"
				}
				c.add(kind, from, to, p, p+1, c.instead(from, to, p, p+1))
			}
		}
	}
}

// insteadOf finds the word in whose favour the negation at not sets the one at y aside, -1 where there is none: the last one of its sort before a
// comma and the negation, or the first one behind "but".
func (l line) insteadOf(not, y int) int {
	alike := func(k int) bool { return l.at(k).Kind&l.at(y).Kind&particular != 0 }
	if l.at(not).Kind.Has(token.Comma) {
		for k := not - 1; k >= max(l.start, not-3); k-- {
			if alike(k) {
				return k
			}
		}
		return -1
	}
	but := false
	for k := y + 1; k < min(l.end, y+7); k++ {
		if but = but || l.key(k) == "but"; but && alike(k) {
			return k
		}
	}
	return -1
}
