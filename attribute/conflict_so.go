package attribute

import (
	"regexp"
	"slices"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// soOf compares what a segment says that one of several objects has, or has not, with what data says of it: the Standard room has no balcony, though the Deluxe room has.
func (c *comparison) soOf(r record) {
	if r.row == 0 {
		c.deniedSo(r)
		return
	}
	if len(c.found) > 0 || unlike.MatchString(c.s.text) {
		return
	}
	denied := 0
	for _, tok := range c.s.tokens {
		if tok.Kind.Has(token.Negation) || saysNot[tok.Key] {
			denied++
		}
	}
	if denied > 1 {
		return
	}
	var spoken []field
	var by []int
	for _, f := range r.fields {
		if f.kind != ofSo || len(f.Rows) == 0 || f.Rows[0] != r.row {
			continue
		}
		if tokens, ok := c.namesAll(f); ok {
			spoken, by = append(spoken, f), append(by, tokens...)
		}
	}
	if len(spoken) == 0 || denied == 1 && len(spoken) > 1 {
		return
	}
	for _, f := range spoken {
		if f.so == (denied == 0) {
			continue
		}
		tokens, _ := c.namesAll(f)
		if left, right := c.t.covering(c.a.passage, f.At); left < right {
			from, to := slices.Min(tokens), slices.Max(tokens)+1
			c.addPlain("negation", from, to, left, right)
		}
		return
	}
	for _, k := range by {
		c.e.agreed = append(c.e.agreed, c.s.tokens[k].At)
	}
}

// deniedSo finds that a segment says in plain words that there is none of what data says that there is: it does not take reservations.
func (c *comparison) deniedSo(r record) {
	if len(c.found) > 0 {
		return
	}
	for _, f := range r.fields {
		if f.kind != ofSo || !f.so || len(f.Rows) > 0 {
			continue
		}
		tokens, ok := c.namesAll(f)
		if !ok {
			continue
		}
		k := tokens[len(tokens)-1]
		for c.mine.key(k-1) != "" && slices.Contains(tokens, k-1) {
			k--
		}
		from := k - 1
		for from >= 0 && amid[c.mine.key(from)] {
			from--
		}
		if from < 0 || !c.s.tokens[from].Kind.Has(token.Negation) {
			continue
		}
		if left, right := c.t.covering(c.a.passage, f.At); left < right {
			c.addPlain("negation", from, k+1, left, right)
			return
		}
	}
}

// amid are words that stand between "not" and what there is none of.
var amid = token.Keys(`take accept offer have provide allow feature support any a the serve include come with make`)

// namesAll reports whether a segment has all words of a field's name but those that only say that it is so, or of what, with their tokens.
func (c *comparison) namesAll(f field) (by []int, ok bool) {
	for _, key := range f.keys {
		if onlySo[key] {
			continue
		}
		tellers := c.tellers(key)
		if len(tellers) == 0 {
			return nil, false
		}
		by = append(by, tellers[0].token)
	}
	return by, len(by) > 0
}

var (
	unlike  = regexp.MustCompile(`(?i)\b(?:only|unlike|while|whereas|but|except|both|all|other|others|if|unless|instead|than|neither|nor|either|or)\b`)
	saysNot = token.Keys(`lack lacks without exclude excludes excluded unavailable disabled prohibited forbidden`)
	onlySo  = token.Keys(`included include allowed allow available is has enabled supported support offered accept accepts restaurant restaurants business`)
)
