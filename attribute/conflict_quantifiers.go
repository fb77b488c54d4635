package attribute

import "github.com/ibid-dev/ibid/attribute/internal/token"

// quantifiers compares all, most, some and none before the same word.
func (c *comparison) quantifiers() {
	for k, tok := range c.s.tokens {
		mine, ok := amounts[tok.Key]
		if !ok || k > 0 && c.s.tokens[k-1].Kind.Has(token.Negation) {
			continue // not all may be some
		}
		if c.mine.often(k) {
			continue // every week is how often, not how many weeks
		}
		if frequencies[tok.Key] && k+1 < len(c.s.tokens) && c.s.tokens[k+1].Content() && !c.placed(k+1) {
			continue // who rarely goes far usually stays near
		}
		for _, d := range []int{1, 2, 3, 4, -1} {
			p, matched := c.place[k+d]
			if !matched || c.isExempt(p) {
				continue
			}
			if j := c.amountBefore(p, tok.Key); j >= 0 && !c.theirs.often(j) {
				theirs := amounts[c.t.terms[c.t.tokens[j].term].key]
				if clash(mine, theirs) {
					c.add("quantifier", k, k+1, j, j+1, c.instead(k, k+1, j, j+1))
				}
			} else if a, ok := c.shareOf(p); ok && d > 0 && a.unit != whole && (mine == amountMost && a.value < 50 || mine == amountFew && a.value > 50) {
				c.add("quantifier", k, k+1, a.from, a.to, c.instead(k, k+1, a.from, a.to))
			}
			break
		}
	}
}

// minority finds most of something that the source gives less than half of: digital items made up most of it where 31 % were digital, more women than
// men where 38 % were women.
func (c *comparison) minority() {
	for k, tok := range c.s.tokens {
		from, to := k+1, k+2 // what is said to be most
		switch {
		case tok.Key == "more" && c.mine.key(k+2) == "than":
		case (tok.Key == "most" || tok.Key == major) && c.mine.key(k+1) == "of" && (making[c.mine.key(k-1)] || making[c.mine.key(k-2)]):
			from, to = max(0, k-5), k-1
		default:
			continue
		}
		for i := from; i < min(to, len(c.s.tokens)); i++ {
			p, ok := c.place[i]
			if !ok || c.mine.denies() || c.around(p).denies() {
				continue
			}
			if a, ok := c.around(p).percentBe(p); ok && a.value < 50 && c.tells(p, k, k+1, 0.3) {
				c.add("quantifier", min(k, i), max(k, i)+1, a.from, p+1, c.instead(min(k, i), max(k, i)+1, a.from, p+1))
				break
			}
		}
	}
}

// percentBe finds how many percent are what the word at p says: 38 percent of them were women.
func (l line) percentBe(p int) (amount, bool) {
	for i := p - 2; i >= max(l.start, p-8) && l.key(p-1) == "be"; i-- {
		if a, ok := l.amount(i); ok && l.at(i).Kind.Has(token.Number) && a.unit == token.Signs['%'] {
			return a, true
		}
	}
	return amount{}, false
}

var major = token.Key("majority")

// making are verbs of what a whole is made of.
var making = token.Keys(`make account constitute form represent`)

// amountBefore finds a quantifier at most four words before a token of the window or just behind it, -1 where the same one stands there.
func (c *comparison) amountBefore(p int, mine string) int {
	at := -1
	within := c.around(p)
	for j := max(within.start, p-5); j < min(within.end, p+3); j++ {
		key := c.t.terms[c.t.tokens[j].term].key
		if key == mine {
			return -1
		}
		if _, ok := amounts[key]; ok && j != p && (at < 0 || j < p) {
			at = j
		}
	}
	return at
}

// shareOf finds the share of what a token of the window names: 2 percent of (the older) patients, a quarter of its body weight.
func (c *comparison) shareOf(p int) (amount, bool) {
	within := c.around(p)
	for j := p - 1; j >= max(within.start, p-4); j-- {
		if within.key(j) != "of" {
			continue
		}
		for i := j - 1; i >= max(within.start, j-4); i-- {
			if a, ok := within.amount(i); ok && (a.unit == "percent" || a.unit == whole) && a.to == j {
				return a, true
			}
		}
	}
	return amount{}, false
}

// clash reports whether the source's amount denies the segment's. Some follows from all, but not the other way round.
func clash(mine, theirs int) bool {
	switch {
	case mine == theirs:
		return false
	case mine == amountAll || mine == amountNone || theirs == amountNone:
		return true
	case mine == amountMost:
		return theirs == amountSome || theirs == amountFew
	case mine == amountFew:
		return theirs == amountMost || theirs == amountAll || theirs == amountMany
	case mine == amountMany:
		return theirs == amountFew
	}
	return false
}

const (
	amountNone = iota
	amountFew
	amountSome
	amountMany
	amountMost
	amountAll
)

// amounts orders the quantifiers by their normal forms.
var amounts = map[string]int{
	"all": amountAll, "everi": amountAll, "alway": amountAll, "each": amountAll, "entir": amountAll, "everyon": amountAll, "whole": amountAll, "complet": amountAll, "both": amountAll,
	"most": amountMost, "major": amountMost, "usual": amountMost, "most of": amountMost,
	"mani": amountMany, "often": amountMany, "frequent": amountMany,
	"some": amountSome, "sever": amountSome, "sometim": amountSome, "part": amountSome, "occasion": amountSome, "half": amountSome,
	"few": amountFew, "rare": amountFew, "seldom": amountFew, "minor": amountFew,
	"none": amountNone, "neither": amountNone,
}

// often reports whether the quantifier at i tells how often by a unit of time: every week, each day.
func (l line) often(i int) bool {
	key := l.at(i).Key
	return (key == "everi" || key == "each") && i+1 < l.end && measures[l.at(i+1).Key].of == "time"
}

// frequencies are the amounts that say how often the next word holds.
var frequencies = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range []string{"always", "usually", "often", "frequently", "sometimes", "occasionally", "rarely", "seldom"} {
		m[token.Key(w)] = true
	}
	return m
}()
