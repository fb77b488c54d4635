package attribute

import (
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// sorts are nouns by which things are counted out, by what they are for that: who pays for each guest pays for each head. Nouns that may be of two sorts are left out.
var sorts = func() map[string]string {
	out := map[string]string{}
	for sort, words := range map[string]string{
		"person": "person people guest head visitor adult traveler traveller customer passenger participant individual user employee student attendee ticket seat capita",
		"group":  "group party household family team couple",
		"thing":  "item piece product article",
		"order":  "order purchase transaction booking reservation shipment delivery",
		"night":  "night day",
		"stay":   "stay visit trip",
		"room":   "room cabin suite apartment",
		"car":    "car vehicle",
	} {
		for _, w := range strings.Fields(words) {
			out[token.Key(w)] = sort
		}
	}
	return out
}()

// apiece finds an amount for each of one sort of things beside the same one for each of another: $45 per group where the source says $45 per person.
func (c *comparison) apiece(k, p int) {
	mine, sort, noun := c.mine.each(k)
	have, other, right := c.theirs.each(p)
	if sort == "" || other == "" || sort == other || mine.value != have.value || mine.unit != have.unit {
		return
	}
	if c.theirs.any(func(i int) bool { return sorts[c.theirs.key(i)] == sort }) || !c.tells(p, mine.from, noun+1, 0.5) {
		return // the source speaks of groups, too
	}
	before := len(c.found)
	if c.add("number", mine.from, noun+1, have.from, right+1, c.instead(mine.from, noun+1, have.from, right+1)); len(c.found) > before && c.rest(mine.from, noun+1) >= boundsDiffer {
		c.found[before].plain = true
	}
}

// each reads the sort of things for each of which the amount at i is, with the token of its noun: $45 per person, $45/person, 4 guests per room. The sort is empty where it is for none.
func (l line) each(i int) (a amount, sort string, noun int) {
	a, ok := l.amount(i)
	if !ok || a.kind.Has(token.Year) {
		return a, "", 0
	}
	for at := a.to; at < min(l.end, a.to+2) && !l.at(at).Kind.Has(token.Number|token.Comma); at++ {
		switch key := l.key(at); {
		case at == a.to && l.at(at).Kind.Has(token.Glued) && sorts[key] != "":
			return a, sorts[key], at
		case (apiece[key] || (key == "a" || key == "an") && quantity(a.unit) == "money") && at+1 < l.end:
			return a, sorts[l.key(at+1)], at + 1
		}
	}
	return a, "", 0
}
