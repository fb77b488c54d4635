package attribute

import (
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// duty is whether something must be done, may be, must not be or need not be.
type duty int

const (
	noDuty duty = iota
	must
	may
	mustNot
	needNot
)

// forbids are the duties of which one says what the other does not allow for.
func (d duty) forbids(o duty) bool {
	return d == must && o == may || d == may && o == must || d == mustNot && o == needNot || d == needNot && o == mustNot
}

// duties finds what must be done where the source says that it may, what is not allowed where it is not required, and the other way round, where the rest of the
// clause says the same.
func (c *comparison) duties() {
	if c.otherTongues() {
		return
	}
	for i, k := range c.s.content {
		p, ok := c.place[k]
		if !ok || c.a.via[i] != same {
			continue
		}
		mine, from := c.mine.duty(k)
		if mine == noDuty {
			continue
		}
		if c.mine.conditional() {
			return
		}
		l := c.around(p)
		theirs, left := l.duty(p)
		if !mine.forbids(theirs) || l.conditional() || !c.goesOn(k, p) || c.rest(from, k) < restAgrees {
			continue
		}
		key := c.s.tokens[k].Key
		if c.passageAny(func(l line, j int) bool { d, _ := l.duty(j); return d == mine && l.at(j).Key == key }) {
			continue // it says so of others
		}
		c.add("exchange", from, k+1, left, p+1, c.instead(from, k+1, left, p+1))
	}
}

// standing finds what is not required where the source says that it is not allowed, and the other way round, of a thing and not of what is done: helmets are not required.
func (c *comparison) standing() {
	if c.otherTongues() || c.mine.conditional() {
		return
	}
	for k := range c.s.tokens {
		mine, from := c.mine.standing(k)
		if mine == noDuty || c.rest(from, k+1) < restAgrees {
			continue
		}
		for j := c.start; j < c.end; j++ {
			l := c.around(j)
			theirs, left := l.standing(j)
			if !mine.forbids(theirs) || l.conditional() || !c.tells(j, from, k+1, 0.5) || c.passageAny(func(l line, i int) bool { d, _ := l.standing(i); return d == mine }) {
				continue
			}
			c.add("exchange", from, k+1, left, j+1, c.instead(from, k+1, left, j+1))
			return
		}
	}
}

// standing reads the duty that the word at i says of what it stands behind, where no verb follows, and where the words for it begin: are not required.
func (l line) standing(i int) (d duty, from int) {
	w := l.word(i)
	needed, free := bound[w] || w == "mandatory" || w == "compulsory" || w == "necessary" || w == "needed", allowed[w]
	if next := l.word(i + 1); !needed && !free && !barred[w] || next == "to" || next == "from" || next == "by" {
		return noDuty, i
	}
	k, denied := i-1, false
	for ; k >= l.start && (also[l.word(k)] || strings.HasSuffix(l.word(k), "ly") && l.word(k) != "only"); k-- {
	}
	if l.key(k) == "not" && k >= l.start {
		denied, k = true, k-1
	}
	if l.key(k) != "be" && !denied {
		return noDuty, i
	}
	switch {
	case needed && denied:
		return needNot, k
	case needed:
		return must, k
	case free && denied, barred[w] && !denied:
		return mustNot, k
	case free:
		return may, k
	}
	return noDuty, i
}

// passageAny reports whether something holds for a token of the first sentences of the window's passage.
func (c *comparison) passageAny(holds func(l line, j int) bool) bool {
	first := c.t.firsts[c.a.passage]
	for _, s := range c.t.sentences[first:min(c.t.firsts[c.a.passage+1], first+longestPosts)] {
		l := c.t.line(c.a.passage, s.start, min(s.end, s.start+maxWords))
		c.t.operations += l.end - l.start
		if l.any(func(j int) bool { return holds(l, j) }) {
			return true
		}
	}
	return false
}

// goesOn reports whether what stands behind the word at k up to the end of its clause stands near behind the source's at p, in its sentence.
func (c *comparison) goesOn(k, p int) bool {
	for i := k + 1; i < len(c.s.tokens) && !c.s.tokens[i].Kind.Has(token.Comma) && c.s.tokens[i].Key != "and" && c.s.tokens[i].Key != "but"; i++ {
		if !c.s.tokens[i].Content() {
			continue
		}
		if q, ok := c.place[i]; !ok || q < p || q > p+12 || c.sentence(q) != c.sentence(p) {
			return false
		}
	}
	return true
}

// conditional reports whether a duty of the line holds in some cases alone.
func (l line) conditional() bool {
	return l.any(func(i int) bool { return holdsIf[strings.ToLower(l.text(i))] })
}

var holdsIf = token.Words(`if unless except only when whether until`)

// duty reads that of the verb at i, and where the words for it begin: must pay, is not required to pay, may be paid.
func (l line) duty(i int) (d duty, from int) {
	word := func(k int) string {
		if k < l.start || l.at(k+1).Kind.Has(token.Comma) {
			return ""
		}
		return strings.ToLower(l.text(k))
	}
	back := func(k int) int { // over words that change nothing
		for w := word(k); also[w] || strings.HasSuffix(w, "ly") && w != "only"; w = word(k) {
			k--
		}
		return k
	}
	k := back(i - 1)
	if word(k) == "be" {
		k = back(k - 1)
	}
	denied := false
	if word(k) == "not" || word(k) == "never" {
		denied, k = true, back(k-1)
	}
	switch w := word(k); {
	case w == "must" && denied:
		return mustNot, k
	case w == "must":
		return must, k
	case (w == "may" || w == "can") && !denied:
		return may, k
	case w == "need" && denied, w == "needn't", w == "needn’t":
		return needNot, k
	case w == "mustn't", w == "mustn’t":
		return mustNot, k
	case w == "from" && barred[word(k-1)] && l.key(back(k-2)) == "be":
		return mustNot, back(k - 2)
	case w != "to" || denied:
		return noDuty, i
	}
	k = back(k - 1)
	w, before := word(k), back(k-1)
	if l.key(before) == "not" && before >= l.start && !l.at(before+1).Kind.Has(token.Comma) {
		denied, before = true, back(before-1)
	}
	auxiliary := l.key(before) == "be"
	switch {
	case bound[w] && auxiliary && denied:
		return needNot, before
	case bound[w] && auxiliary:
		return must, before
	case allowed[w] && denied:
		return mustNot, before + 1
	case allowed[w] && auxiliary:
		return may, before
	case barred[w] && auxiliary && !denied:
		return mustNot, before
	case (w == "have" || w == "need") && denied:
		return needNot, before + 1
	case (w == "have" || w == "has" || w == "need" || w == "needs") && !modals[word(before)] && !auxiliary:
		return must, k
	}
	return noDuty, i
}

// The words by which duties are told.
var (
	also    = token.Words(`also always still therefore then now`)
	bound   = token.Words(`required obliged obligated`)
	allowed = token.Words(`allowed permitted`)
	barred  = token.Words(`prohibited forbidden banned barred`)
	modals  = token.Words(`may might can could would should will shall must`)
)
