package attribute

import (
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// optionals finds what is optional in place of what is required, and the other way round, of the same thing.
func (c *comparison) optionals() {
	if c.otherTongues() || c.mine.choices() != 1 || c.mine.conditional() {
		return
	}
	for k := range c.s.tokens {
		mine, from := c.mine.choice(k)
		if mine == noDuty {
			continue
		}
		subject := c.mine.subjectOf(k)
		p, ok := c.place[subject]
		if !ok {
			continue
		}
		l := c.around(p)
		for j := p + 1; j < min(l.end, p+9); j++ {
			theirs, left := l.choice(j)
			if theirs == noDuty {
				continue
			}
			if s := l.subjectOf(j); mine == theirs || c.mine.word(k) == l.word(j) || l.conditional() || s != p && s != p+1 || l.choices() > 1 || c.rest(k, k+1) < restAgrees-0.1 {
				break
			}
			c.add("exchange", from, k+1, left, j+1, c.instead(from, k+1, left, j+1))
			return
		}
	}
}

// choice reads whether the predicate at i says that something is required or that it is not, and where it begins: is required, is optional, is not required.
func (l line) choice(i int) (duty, int) {
	w := l.word(i)
	if !required[w] && !optional[w] {
		return noDuty, i
	}
	denied, from := false, i
	k := i - 1
	for ; k > l.start && (strings.HasSuffix(l.word(k), "ly") || l.word(k) == "not"); k-- {
		if l.word(k) == "not" {
			denied, from = true, k
		}
	}
	switch be := l.word(k); {
	case be == "isn't" || be == "aren't" || be == "wasn't" || be == "isn’t" || be == "aren’t":
		denied, from = true, k
	case l.key(k) != "be" || l.at(k+1).Kind.Has(token.Comma):
		return noDuty, i
	}
	if optional[w] == denied {
		return must, from
	}
	return needNot, from
}

// choices counts the predicates of that kind in a line.
func (l line) choices() int {
	n := 0
	for i := l.start; i < l.end; i++ {
		if d, _ := l.choice(i); d != noDuty {
			n++
		}
	}
	return n
}

// subjectOf is the last word that counts before the predicate at i, -1 where there is none.
func (l line) subjectOf(i int) int {
	for k := i - 1; k >= max(l.start, i-6); k-- {
		if tok := l.at(k); tok.Content() && tok.Key != "be" && !tok.Kind.Has(token.Negation) && !strings.HasSuffix(l.word(k), "ly") {
			return k
		}
	}
	return -1
}

var required, optional = token.Words(`required mandatory compulsory obligatory`), token.Words(`optional voluntary`)

// loneOnes finds what is said to be the only one of several that the source gives side by side: "only in person" for "online, by mail or in person".
func (c *comparison) loneOnes() {
	if c.otherTongues() || c.mine.denies() {
		return
	}
	for k := range c.s.tokens {
		if !only[c.mine.word(k)] || k > 0 && c.mine.word(k-1) == "not" {
			continue
		}
		for i := k + 1; i < min(len(c.s.tokens), k+7) && !c.mine.at(i).Kind.Has(token.Comma); i++ {
			key := c.mine.key(i)
			if key == "and" || key == "or" || key == "if" || key == "when" || key == "after" || key == "until" {
				break
			}
			p, ok := c.place[i]
			if !ok || !c.mine.at(i).Content() || c.s.tokens[i].Kind.Has(token.Number) || c.theirs.at(p).Key != key {
				continue
			}
			l := c.around(p)
			if q := l.joinedTo(p); q >= 0 && (l.key(min(p, q)+1) != "and" && l.key(max(p, q)-1) != "and" || c.used[max(p, q)+1]) && !c.used[q] && !c.mine.names(l.key(q)) && !l.any(func(i int) bool { return only[l.word(i)] }) && !l.denies() && c.tells(p, k, i+1, 0.4) && !c.passageAny(func(l line, i int) bool { return only[l.word(i)] }) {
				left, right := min(p, q), max(p, q)+1
				c.add("quantifier", k, i+1, left, right, c.instead(k, i+1, left, right))
				return
			}
		}
	}
}

var only = token.Words(`only solely exclusively`)

// joinedTo finds the word that stands beside the one at p in a list: the other one of "by mail or in person", -1 where there is none.
func (l line) joinedTo(p int) int {
	joins := func(i int) bool { return l.key(i) == "or" || l.key(i) == "and" }
	for i := p + 1; i < min(l.end, p+2); i++ {
		if joins(i) {
			return l.next(i)
		}
	}
	for i := p - 1; i >= max(l.start, p-2) && !l.at(i+1).Kind.Has(token.Comma); i-- {
		if joins(i) && i > l.start && l.at(i-1).Content() {
			return i - 1
		}
		if l.at(i).Content() {
			break
		}
	}
	return -1
}
