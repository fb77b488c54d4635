package attribute

import (
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// certainties finds what is said to be so for sure where the source says that it may be: "will lower the risk" for "may lower the risk". What is told without "will" is
// left alone, as people often leave such a word out.
func (c *comparison) certainties() {
	if c.otherTongues() || c.mine.any(func(i int) bool { return softened[c.mine.word(i)] }) {
		return
	}
	for i, k := range c.s.content {
		p, ok := c.place[k]
		if !ok || c.a.via[i] != same || c.s.tokens[k].Kind&(token.Name|token.Number|token.Month) != 0 {
			continue
		}
		mine, from, will := c.mine.modal(k)
		theirs, left, might := c.around(p).modal(p)
		if mine != certain || theirs != uncertain || will != might || c.rest(from, k) < restAgrees || !c.goesOn(k, p) {
			continue
		}
		key := c.s.tokens[k].Key
		if c.passageAny(func(l line, j int) bool {
			how, _, _ := l.modal(j)
			return l.at(j).Key == key && how != uncertain
		}) {
			continue // it says so for sure in another place
		}
		c.add("exchange", from, k+1, left, p+1, c.instead(from, k+1, left, p+1))
		return
	}
}

// certainty is how sure a verb is told.
type certainty int

const (
	unmarked certainty = iota
	certain
	uncertain
)

// modal reads how sure the verb at i is told, where the words for it begin, and whether it is denied: will lower, may not be lower.
func (l line) modal(i int) (how certainty, from int, denied bool) {
	for k := i - 1; k >= max(l.start, i-4) && !l.at(k+1).Kind.Has(token.Comma); k-- {
		switch w := l.word(k); {
		case w == "will" || w == "definitely" && l.word(k+1) != "not":
			return certain, k, denied
		case w == "may" || w == "might" || w == "could" || w == "can" && effects[l.key(i)]:
			return uncertain, k, denied
		case w == "not":
			denied = true
		case w != "be" && w != "have" && w != "also" && w != "even" && w != "then" && !strings.HasSuffix(w, "ly"):
			return unmarked, i, false
		}
	}
	return unmarked, i, false
}

// effects are what a thing that can do it may do or not. Who can see something will see it, too.
var effects = token.Keys(`cause lead result trigger delay increase reduce lower raise worsen damage harm destroy kill affect weaken prevent irritate stain crack shrink`)

// softened are the words by which what will be so need not be.
var softened = token.Words(`may might could can possible possibly potentially perhaps maybe probably likely usually often sometimes generally typically normally hope hopes believe believes expect expects expected think thinks hopefully should would if`)

// lessening finds what is ended, in place of what becomes less: "eliminates the risk" for "reduces the risk".
func (c *comparison) lessening() {
	if c.mine.any(func(i int) bool {
		return easesIt[c.mine.at(i).Key] || softened[c.mine.word(i)] || nearlyAll[c.mine.word(i)]
	}) {
		return
	}
	for _, k := range c.s.content {
		if !endsIt[c.s.tokens[k].Key] || c.s.deniedAt(k) {
			continue
		}
		n := c.mine.next(k)
		q, ok := c.place[n]
		if !ok {
			continue
		}
		l := c.around(q)
		for j := q - 1; j >= max(l.start, q-4) && !l.at(j+1).Kind.Has(token.Comma); j-- {
			if !easesIt[l.at(j).Key] {
				continue
			}
			if !l.any(func(i int) bool { return endsIt[l.at(i).Key] }) && !c.deniedAt(j) && c.rest(k, k+1) >= restAgrees && !c.passageAny(func(l line, i int) bool { return endsIt[l.at(i).Key] }) {
				c.add("exchange", k, n+1, j, q+1, c.instead(k, n+1, j, q+1))
			}
			break
		}
	}
}

var (
	endsIt    = token.Keys(`eliminate eradicate cure abolish`)
	easesIt   = token.Keys(`reduce lower decrease lessen minimize minimise diminish relieve ease limit alleviate`)
	nearlyAll = token.Words(`almost nearly virtually practically largely partly partially mostly helps help some`)
)
