package attribute

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute/internal/token"
	"github.com/ibid-dev/ibid/internal/listing"
)

// countSaid is what sentences begin with that say how many objects data has.
var countSaid = regexp.MustCompile(`(?i)^\W*(?:in total,? |altogether,? |overall,? )?(?:there (?:are|is)|(?:the|this|your|our) (?:\w+ )?(?:table|data|dataset|list|order|results?|response|file|cart|invoice) (?:contains?|has|have|lists?|includes?|shows?)|you (?:have )?ordered)\b`)

// count compares how many objects a sentence speaks of with how many a list has: that of the name, or the only one.
func (c *comparison) count(values []saidValue) {
	if len(values) != 1 || values[0].kind != ofNumber || !countSaid.MatchString(c.s.text) || loosely.MatchString(c.s.text) {
		return
	}
	v := values[0]
	noun := -1
	for _, k := range c.s.content {
		switch tok := c.s.tokens[k]; {
		case k >= v.from && k < v.to || k < v.from && ofListings[tok.Key] || k < v.from && ofCounts[tok.Key]:
		case noun < 0 && k > v.from:
			noun = k
		case !ofListings[tok.Key] && !ofCounts[tok.Key]:
			return // of those that are somehow
		}
	}
	if noun < 0 {
		return
	}
	var lists []listing.List
	for _, l := range c.t.data[c.a.passage].Lists {
		if len(l.Name) > 0 && token.Normal(l.Name[len(l.Name)-1]) == c.s.tokens[noun].Key {
			lists = []listing.List{l}
			break
		}
		lists = append(lists, l)
	}
	if len(lists) != 1 {
		return
	}
	if n := float64(len(lists[0].Rows)); n == v.number {
		c.e.agreed = append(c.e.agreed, v.at, c.s.tokens[noun].At)
		return
	}
	for _, f := range c.t.fieldsOf(c.a.passage).all {
		if len(f.Rows) == 0 && f.kind == ofNumber && f.number == v.number {
			return // what the data counts itself
		}
	}
	first := c.t.fieldsOf(c.a.passage).all[0]
	if left, right := c.t.covering(c.a.passage, first.At); left < right {
		c.addSure("number", v.from, v.to, left, right, "says "+strconv.Quote(c.said(v.from, v.to))+", the source has "+strconv.Itoa(len(lists[0].Rows)))
	}
}

var ofCounts = token.Keys(`table dataset list result response file cart invoice contain contains include includes show shows total total altogether entry entries row rows record records product item different unique distinct`)

// extremes are words for the one of several that has the most or the least of something: of what the name of a field says, or the sentence.
var extremes = regexp.MustCompile(`(?i)\b(?:(?P<dear>most expensive|priciest|costliest|dearest|highest[- ]priced)|(?P<cheap>cheapest|least expensive|lowest[- ]priced|most affordable)|(?P<best>highest[- ]paid|best[- ]paid)|(?P<worst>lowest[- ]paid)` +
	`|(?P<hot>warmest|hottest)|(?P<cold>coldest|coolest)|(?P<heavy>heaviest)|(?P<light>lightest)|(?P<old>oldest)|(?P<young>youngest)|(?P<long>longest)|(?P<short>shortest|fastest|quickest)|(?P<late>latest)|(?P<early>earliest)|(?P<high>highest|largest|biggest|greatest|maximum)|(?P<low>lowest|smallest|fewest|minimum))\b`)

// ofExtreme are the names of the fields that such a word is of, and whether the most is meant.
var ofExtreme = map[string]struct {
	fields map[string]bool
	most   bool
}{
	"dear": {moneyKeys, true}, "cheap": {moneyKeys, false}, "best": {token.Keys(`salary wage pay`), true}, "worst": {token.Keys(`salary wage pay`), false},
	"hot": {token.Keys(`high max temperature temp`), true}, "cold": {token.Keys(`low min temperature temp`), false}, "heavy": {token.Keys(`weight`), true}, "light": {token.Keys(`weight`), false}, "old": {token.Keys(`age`), true}, "young": {token.Keys(`age`), false},
	"long": {token.Keys(`duration length distance time`), true}, "short": {token.Keys(`duration length distance time`), false},
	"late": {nil, true}, "early": {nil, false}, "high": {nil, true}, "low": {nil, false},
}

var noExtreme = regexp.MustCompile(`(?i)\b(?:second|third|fourth|next|among|one of|than|not|n[o']t|after|except|other)\b`)

// most compares what is said to have the most or the least of something with all of the list.
func (c *comparison) most(r record, all []field) {
	m := extremes.FindStringSubmatchIndex(c.s.text)
	if m == nil || r.row == 0 || noExtreme.MatchString(c.s.text) || len(extremes.FindAllStringIndex(c.s.text, 2)) != 1 {
		return
	}
	word := ""
	for i, n := range extremes.SubexpNames() {
		if n != "" && m[2*i] >= 0 {
			word = n
		}
	}
	of, at := ofExtreme[word], ibid.Span{Start: m[0], End: m[1]}
	dated := word == "late" || word == "early"
	var mine []field
	var by []int
	for _, f := range r.fields {
		if len(f.Rows) == 0 || f.Rows[0] != r.row || f.kind == ofText || dated == (f.kind == ofNumber) {
			continue
		}
		_, tokens := c.speaksOf(f, saidValue{}, nil)
		if of.fields != nil && slices.ContainsFunc(f.keys, func(k string) bool { return of.fields[k] }) || of.fields == nil && (len(tokens) > 0 || dated && len(f.keys) > 0) {
			mine, by = append(mine, f), append(by, tokens...)
		}
	}
	if len(mine) != 1 {
		return
	}
	value := func(f field) float64 {
		if f.kind == ofNumber {
			return f.number
		}
		return float64((f.date.year*12+f.date.month)*31+f.date.day)*24*60 + float64(max(0, f.clock.minutes))
	}
	extreme, others := mine[0], 0
	for i, among := range c.among(r) { // North had the most in Q1: of all of Q1, or of all quarters of the North
		most, n := mine[0], 0
		for _, f := range all {
			if f.kind != most.kind || strings.Join(f.Name, " ") != strings.Join(most.Name, " ") || among != nil && (len(f.Rows) == 0 || !slices.Contains(among, f.Rows[0])) {
				continue
			}
			if n++; of.most && value(f) > value(most) || !of.most && value(f) < value(most) {
				most = f
			}
		}
		if n > 1 && value(most) == value(mine[0]) {
			c.e.agreed = append(c.e.agreed, at)
			for _, k := range by {
				c.e.agreed = append(c.e.agreed, c.s.tokens[k].At)
			}
			return
		}
		if i == 0 {
			extreme, others = most, n
		}
	}
	if others < 2 {
		return
	}
	from, to := c.s.covering(at)
	left, right := c.t.covering(c.a.passage, extreme.At)
	if from < to && left < right {
		kind := "number"
		if mine[0].kind != ofNumber {
			kind = "date"
		}
		c.addPlain(kind, from, to, left, right)
	}
}
