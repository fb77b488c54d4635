package attribute

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute/internal/claim"
	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// What the passages are said to leave open can be asked so that an amount or a date answers it: "The passages do not say how long the parts are under
// warranty." Where one stands beside the words of the question, it is answered.
var asked = sync.OnceValue(func() []*regexp.Regexp {
	const (
		lead  = `^[^\w"“]*(?:(?:however|unfortunately|also|additionally|but|that said|note that|please note that),? )*`
		all   = `(?:(?:any|none|each|all) of )?(?:(?:the|these|those|your|both|all) )?(?:(?:given|provided|above|available|supplied|retrieved) ){0,2}`
		after = `(?: (?:you )?(?:provided|given|supplied|above))?`
		say   = `(?:mention|say|state|specify|tell|indicate|explain|(?:provide|give|contain|include) (?:any )?information (?:on|about|regarding))`
		topic = `(?P<asks>how (?:much|long|many)|when) (?P<topic>\S.{1,80}?)[.!*_ ]*$`
	)
	given := all + `(?:` + strings.Join(claim.Materials, "|") + `)s?` + after
	var out []*regexp.Regexp
	for _, p := range []string{
		given + ` (?:do|does|did)(?: not|n['’]t) (?:\w+ly )?` + say + ` ` + topic,
		`no ` + given + ` ` + say + `s? ` + topic, `none of ` + given + ` ` + say + `s? ` + topic,
		`it(?: is|['’]s) not (?:\w+ly )?(?:mentioned|stated|specified|said|clear) (?:(?:in|by|from) ` + given + ` )?` + topic,
	} {
		out = append(out, regexp.MustCompile(`(?i)`+strings.ReplaceAll(lead+p, " ", `\s+`)))
	}
	return out
})

// deniedUnasked finds a sentence that answers what a segment says that no passage does.
func (t *turn) deniedUnasked(s *segment, d ibid.Draft) (ibid.Contradiction, bool) {
	asks, topic := saidNotToAnswer(d.Text)
	if asks == "" || s.tongue != nil || undecided.MatchString(topic.In(d.Text)) {
		return ibid.Contradiction{}, false
	}
	words, ok := t.plainly(s, topic, lightInAsking)
	if !ok || len(words) < 2 {
		return ibid.Contradiction{}, false // of one word alone much may be told
	}
	in, at, ok := t.speaksOf(words, func(l line, from, to int) bool { return l.answers(asks, words[0], from, to) })
	if !ok {
		return ibid.Contradiction{}, false
	}
	return t.absence(d, topic, in, at), true
}

// saidNotToAnswer gives the question word and the topic of what a sentence says that the passages do not tell.
func saidNotToAnswer(s string) (asks string, topic ibid.Span) {
	if len(s) > maxAbsence || !strings.Contains(s, "how ") && !strings.Contains(s, "when ") {
		return "", ibid.Span{} // most have none, and need no search
	}
	for _, p := range asked() {
		if at := p.FindStringSubmatchIndex(s); at != nil {
			q, i := 2*p.SubexpIndex("asks"), 2*p.SubexpIndex("topic")
			return strings.Join(strings.Fields(strings.ToLower(s[at[q]:at[q+1]])), " "), ibid.Span{Start: at[i], End: at[i+1]}
		}
	}
	return "", ibid.Span{}
}

// lightInAsking are words of a question that an answer need not have.
var lightInAsking = token.Keys(`cost price charge pay take last need should can could do money time long be will would must`)

// nearAnswer is how many tokens from the words of a question its answer may stand.
const nearAnswer = 8

// answers reports whether what is asked stands beside the tokens [from, to): an amount of money, a span of time, a number of the things, a date.
func (l line) answers(asks string, things int32, from, to int) bool {
	near := func(i int) bool { return i >= from-nearAnswer && i < to+nearAnswer }
	if asks == "when" {
		return l.any(func(i int) bool { return near(i) && l.at(i).Kind.Has(token.Year|token.Month) })
	}
	return slices.ContainsFunc(l.amounts(), func(a amount) bool {
		switch {
		case !near(a.from):
			return false
		case asks == "how much":
			return quantity(a.unit) == "money"
		case asks == "how long":
			return measures[a.unit].of == "time"
		}
		return a.unit == "" && !l.at(a.from).Kind.Has(token.Year) && (a.to < l.end && l.t.tokens[a.to].term == things || a.to+1 < l.end && l.t.tokens[a.to+1].term == things)
	})
}
