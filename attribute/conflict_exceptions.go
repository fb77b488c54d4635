package attribute

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// exemption is what a sentence takes out of what it says of all or of none: the Mini of "All models but the Mini have Bluetooth". What it takes out is named from
// from on, up to to.
type exemption struct {
	mark, from, to int
	of             []string // what is taken out, by the normal forms of its first words
	denies         bool     // of the rest
}

// exempted finds a segment that says of what the source takes out what it says of the rest, and notes where it says the opposite, as the source does: all else that is found between
// two such sentences would be a negation of the one and not of the other.
func (c *comparison) exempted() {
	denied, ok := c.mine.denials()
	if !ok {
		return
	}
	subject, some := c.subject(), c.mine.notAll()
	if !some && c.mine.any(func(i int) bool {
		_, is := amounts[c.mine.key(i)]
		no := c.mine.word(i) == "no" && subject >= 0 && i > subject // the Mini has no camera
		return is || allBut[c.mine.word(i)] && !no || exceptions[c.mine.word(i)] > 0 || c.mine.word(i) == "only"
	}) {
		return
	}
	for l := range c.lines() {
		x, ok := l.exemption()
		if !ok {
			continue
		}
		if some && !x.denies || denied != x.denies && c.s.namesOneOf(x.of) && (subject < 0 || !slices.Contains(x.of, c.s.tokens[subject].Key) || c.sharesPredicate(l, x, subject)) {
			c.exempt = append(c.exempt, [2]int{l.start, l.end})
			continue
		}
		if some || denied != x.denies || subject < 0 || !slices.Contains(x.of, c.s.tokens[subject].Key) || !c.sharesPredicate(l, x, subject) {
			continue
		}
		to := subject + 1
		c.add("exchange", subject, to, x.mark, x.to, fmt.Sprintf("says it of %q, the source takes this out: %s", c.said(subject, to), c.source(x.mark, x.to)))
	}
}

// notAll reports whether a line denies of all what may be so of most: not all models have a camera.
func (l line) notAll() bool {
	return l.any(func(i int) bool {
		return l.word(i) == "not" && (l.word(i+1) == "all" || l.word(i+1) == "every" || l.word(i+1) == "everyone" || l.word(i+1) == "everything")
	})
}

// namesOneOf reports whether the segment has one of some words among those that count.
func (s *segment) namesOneOf(keys []string) bool {
	return slices.ContainsFunc(s.content, func(k int) bool { return slices.Contains(keys, s.tokens[k].Key) })
}

// isExempt reports whether a word of the window stands in a sentence that takes out what the segment speaks of, and denies of it what the segment denies.
func (c *comparison) isExempt(p int) bool {
	return slices.ContainsFunc(c.exempt, func(l [2]int) bool { return l[0] <= p && p < l[1] })
}

// takenOut reports whether the sentence around a word of the window takes out what the segment speaks of: closed on holidays, open daily except on holidays.
func (c *comparison) takenOut(p int) bool {
	x, ok := c.around(p).exemption()
	return ok && c.s.namesOneOf(x.of)
}

// subject is the first word of the segment that counts, where it stands at its beginning, else -1.
func (c *comparison) subject() int {
	if len(c.s.content) == 0 || c.s.content[0] > 2 {
		return -1
	}
	return c.s.content[0]
}

// sharesPredicate reports whether all that the segment says of its subject stands in the part of the source's sentence that holds for the rest: before an exception
// behind the sentence ("… are not permitted, except for birds"), behind one in its subject.
func (c *comparison) sharesPredicate(l line, x exemption, subject int) bool {
	trailing := l.at(x.mark).Kind.Has(token.Comma) || !l.any(func(i int) bool { return i >= x.to && l.at(i).Content() && !l.at(i).Kind.Has(token.Comma) })
	if !trailing && l.word(x.mark) == "but" && l.within(l.start, x.mark).contents() > 1 {
		return false // dogs may enter all rooms but cats may not
	}
	some := false
	for i, k := range c.s.content {
		if k == subject {
			continue
		}
		p, ok := c.place[k]
		if !ok || c.a.strength[i] < 0.6 || p < l.start || p >= l.end || trailing != (p < x.mark) || !trailing && p < x.to {
			if slices.Contains(x.of, c.s.tokens[k].Key) || c.s.tokens[k].Kind.Has(token.Negation) {
				continue
			}
			return false
		}
		some = true
	}
	return some
}

// exemption reads the exception of a line that speaks of all or of none. Only a line that denies once or not at all is certain.
func (l line) exemption() (exemption, bool) {
	denied, ok := l.denials()
	if !ok {
		return exemption{}, false
	}
	for i := l.start; i < l.end; i++ {
		n := l.excepting(i)
		if n == 0 {
			continue
		}
		x := exemption{mark: i, denies: denied}
		for j := i + n; j < min(l.end, i+n+8); j++ {
			tok := l.at(j)
			switch {
			case len(x.of) > 0 && i <= l.start+2 && tok.Kind.Has(token.Comma):
				return x, true // with the exception of the Mini, all models
			case len(x.of) > 0 && l.word(j) != "and" && l.word(j) != "or" && l.word(j-1) != "and" && l.word(j-1) != "or" && !tok.Kind.Has(token.Comma):
				return x, true
			case tok.Kind&(token.Number|token.Month|token.Unit|token.Negation) != 0 || token.Weekday(tok.Key) >= 0 || sometimes[l.word(j)]:
				return exemption{}, false
			case tok.Content():
				if len(x.of) == 0 {
					x.from = j
				}
				x.of, x.to = append(x.of, tok.Key), j+1
			}
		}
		return x, len(x.of) > 0
	}
	return exemption{}, false
}

// sometimes are the words behind an exception that make it a condition: except when it rains.
var sometimes = map[string]bool{"when": true, "if": true, "where": true, "that": true, "to": true, "as": true, "by": true, "during": true, "at": true, "after": true, "before": true, "until": true, "unless": true, "between": true, "also": true, "not": true, "while": true}

// exceptions begin an exception, with the number of their words.
var exceptions = map[string]int{"except": 1, "excepting": 1, "other": 2, "apart": 2, "aside": 2, "exception": 2, "but": 1, "excluding": 1}

// allBut are what an exception is taken out of, by words that stand for all or for none of it.
var allBut = map[string]bool{"all": true, "every": true, "everyone": true, "everybody": true, "everything": true, "each": true, "no": true, "none": true, "nobody": true, "nothing": true, "any": true, "anyone": true, "neither": true}

// excepting gives the number of words that begin an exception at i, 0 where none does. All but "except" need a word for all or none right before what they are taken out of.
func (l line) excepting(i int) int {
	n := exceptions[l.word(i)]
	switch w := l.word(i); {
	case n == 0:
		return 0
	case w == "except" || w == "excepting":
		return n
	case w == "other" && l.word(i+1) != "than", (w == "apart" || w == "aside") && l.word(i+1) != "from", w == "exception" && l.word(i+1) != "of", l.at(i).Kind.Has(token.Comma):
		return 0
	}
	if i <= l.start+2 && l.fronts(i) {
		return n
	}
	words := 0
	for j := i - 1; j >= max(l.start, i-6) && words < 2; j-- {
		switch w := l.word(j); {
		case allBut[w] && (words == 0 || w != "all" && w != "none" || strings.HasSuffix(l.word(j+1), "s") || l.word(j+1) == "of" || l.word(j+1) == "the"):
			return n // everyone but Tom, all models but the Mini; not "all left but Tom stayed"
		case w == "one" && l.word(j-1) == "no" && words == 0:
			return n
		case w == "of" || w == "the" || w == "with":
		case l.at(j).Content():
			words++
		default:
			return 0
		}
	}
	return 0
}

// fronts reports whether the exception at i, with which a line begins, is taken out of all or none of what follows its comma: with the exception of the Mini, all models have a camera.
func (l line) fronts(i int) bool {
	for j := i + 1; j < min(l.end, i+10); j++ {
		if l.at(j).Kind.Has(token.Comma) {
			return allBut[l.word(j)]
		}
	}
	return false
}

// denials reports whether a line denies what it says: once, or not at all. It is not ok where it does so twice.
func (l line) denials() (denied, ok bool) {
	n := 0
	for i := l.start; i < l.end; i++ {
		switch w := l.word(i); {
		case w == "none" || w == "nobody" || w == "nothing" || w == "neither":
			n++
		case l.at(i).Kind.Has(token.Negation) && exceptions[w] == 0:
			n++
		}
	}
	return n == 1, n < 2
}

// contents counts the words of a line that count, but for those that stand for all or none.
func (l line) contents() int {
	n := 0
	for i := l.start; i < l.end; i++ {
		if l.at(i).Content() && !allBut[l.word(i)] {
			n++
		}
	}
	return n
}

// word is the word at i in small letters, empty where there is none.
func (l line) word(i int) string {
	if i < l.start || i >= l.end {
		return ""
	}
	return strings.ToLower(l.text(i))
}

// onlyOther reports whether the sentence around a word of the window says what it says of one thing only, which the segment does not name, while the segment denies it: the X200 has none
// where only the X300 has one.
func (c *comparison) onlyOther(p int) bool {
	if denied, ok := c.mine.denials(); !denied || !ok {
		return false
	}
	l := c.around(p)
	return !l.denies() && l.any(func(i int) bool {
		j := i + 1
		for j < l.end && articles[l.key(j)] {
			j++
		}
		return l.word(i) == "only" && (i == l.start || l.at(i).Kind.Has(token.Comma) || l.word(i-1) == "but" || l.word(i-1) == "and") && j < l.end && l.at(j).Content() && !c.used[j] && !c.mine.names(l.key(j))
	})
}
