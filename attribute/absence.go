package attribute

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute/internal/claim"
	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// That the passages do not mention something is no claim about the subject, but it can be wrong: a passage may speak of it in plain
// words. Only what is said of mention can be held against words; whether something is explained, specified or enough cannot.
var absences = sync.OnceValue(func() []*regexp.Regexp {
	const (
		lead    = `^[^\w"“]*(?:(?:however|unfortunately|also|additionally|but|that said|note that|please note that),? )*`
		all     = `(?:(?:any|none|each|all) of )?(?:(?:the|these|those|your|both|all) )?(?:(?:given|provided|above|available|supplied|retrieved) ){0,2}`
		after   = `(?: (?:you )?(?:provided|given|supplied|above))?`
		about   = `(?:information|mention) (?:of|about|on|regarding|concerning)`
		lacking = `(?:mentions?|refers? to|speaks? of|talks? about|(?:contains?|provides?|includes?|gives?|has|have) (?:any )?` + about + `)`
		topic   = `(?:any )?(?P<topic>\S.{1,80}?)`
		end     = `[.!*_ ]*$`
	)
	given := all + `(?:` + strings.Join(claim.Materials, "|") + `)s?` + after
	var out []*regexp.Regexp
	for _, p := range []string{
		given + ` (?:do|does|did)(?: not|n['’]t) (?:even )?` + lacking + ` ` + topic,
		given + ` (?:contains?|provides?|includes?|gives?|has|have|makes?) no ` + about + ` ` + topic,
		`(?:there(?: is|['’]s) )?no ` + about + ` ` + topic + `(?: (?:in|within|from|by) ` + given + `)?`,
		`no (?:` + strings.Join(claim.Materials, "|") + `) ` + lacking + ` ` + topic,
		`none of ` + given + ` ` + lacking + ` ` + topic,
		topic + ` (?:is|are|was|were) not (?:even )?mentioned (?:anywhere )?(?:in|by) ` + given,
	} {
		out = append(out, regexp.MustCompile(`(?i)`+strings.ReplaceAll(lead+`(?:`+p+`)`+end, " ", `\s+`)))
	}
	return out
})

// undecided are words by which a topic asks for more than to be spoken of, or leaves open what it is.
var undecided = regexp.MustCompile(`(?i)\b(?:how|what|whether|why|when|where|who|whom|whose|which|if|that|as|specific\w*|explicit\w*|direct\w*|exact\w*|precise\w*|other|further|additional|more|another|else|clear\w*|enough|complete\w*|` +
	`detail\w*|particular\w*|recent\w*|current\w*|such|it|its|this|these|those|their|them|they|he|she|his|her|you|your|one|passage \d)\b`)

// maxAbsence is how long a sentence about what the passages lack may be.
const maxAbsence = 400

// between stands between topics, of which the passages are said to lack each.
var between = regexp.MustCompile(`,\s+(?:or\s+|nor\s+)?|\s+n?or\s+`)

// saidToLack gives the places of what a sentence says that the passages do not mention, each of which words can decide.
func saidToLack(s string) []ibid.Span {
	if len(s) > maxAbsence || !strings.Contains(s, "no") && !strings.Contains(s, "No") && !strings.Contains(s, "n't") && !strings.Contains(s, "n’t") {
		return nil // most have none, and need no search
	}
	for _, p := range absences() {
		at := p.FindStringSubmatchIndex(s)
		if at == nil {
			continue
		}
		i := 2 * p.SubexpIndex("topic")
		topic := ibid.Span{Start: at[i], End: at[i+1]}
		if undecided.MatchString(topic.In(s)) {
			return nil
		}
		var out []ibid.Span
		from := topic.Start
		for _, b := range append(between.FindAllStringIndex(topic.In(s), -1), []int{topic.Len(), topic.Len()}) {
			if part := (ibid.Span{Start: from, End: topic.Start + b[0]}); !part.Empty() {
				out = append(out, part)
			}
			from = topic.Start + b[1]
		}
		return out
	}
	return nil
}

// deniedAbsence finds a sentence that speaks of what a segment says that no passage mentions.
func (t *turn) deniedAbsence(s *segment, d ibid.Draft) (ibid.Contradiction, bool) {
	for _, topic := range saidToLack(d.Text) {
		words, ok := t.plainly(s, topic, nil)
		if !ok {
			continue
		}
		if w, at, ok := t.speaksOf(words, nil); ok {
			return t.absence(d, topic, w, at), true
		}
	}
	return t.deniedUnasked(s, d)
}

// absence is the contradiction of a topic that is said to lack, by the place of a source that speaks of it.
func (t *turn) absence(d ibid.Draft, topic ibid.Span, in sentence, at ibid.Span) ibid.Contradiction {
	reason := fmt.Sprintf("says that it is not mentioned, the source speaks of %q", token.Clip(at.In(t.passages[in.passage].Chunk.Text), 80))
	return ibid.Contradiction{Of: topic.Shift(d.At.Start), To: t.anchor(in.passage, at), Kind: "absence", Reason: reason}
}

// plainly gives the turn's terms for the words of a topic, where each stands in some passage as it is. A word alone with an article may be
// anything's: "The passages do not mention the cost." Light words are left out.
func (t *turn) plainly(s *segment, topic ibid.Span, light map[string]bool) (terms []int32, ok bool) {
	article, capitals := false, false
	for i, tok := range s.tokens {
		if !topic.Contains(tok.At) || light[tok.Key] {
			continue
		}
		article = article || tok.Key == "the" || tok.Key == "a" || tok.Key == "an"
		at, counts := slices.BinarySearch(s.content, i)
		if !counts {
			continue
		}
		of := slices.IndexFunc(s.options[at], func(o option) bool { return o.via == same })
		if of < 0 {
			return nil, false
		}
		capitals = capitals || tok.Kind.Has(token.Capital)
		terms = append(terms, s.options[at][of].term)
	}
	return terms, len(terms) > 1 || len(terms) == 1 && (!article || capitals)
}

// speaksOf finds the shortest stretch of a sentence that has all of the terms, near each other. A sentence that tells itself what is
// mentioned somewhere says nothing of it, nor does one that does not tell what is asked, where something is.
func (t *turn) speaksOf(terms []int32, tells func(l line, from, to int) bool) (in sentence, at ibid.Span, found bool) {
	rarest := slices.MinFunc(terms, func(a, b int32) int { return len(t.terms[a].heads) - len(t.terms[b].heads) })
	shortest := 2*len(terms) + 3
	for _, id := range slices.SortedFunc(slices.Values(t.terms[rarest].heads), t.byText) {
		s := t.sentences[id]
		words := t.tokens[s.start:s.end]
		if slices.ContainsFunc(words, func(w word32) bool { return slices.Contains(ofMention, t.terms[w.term].key) }) {
			continue
		}
		if from, to := together(words, terms, shortest); to > from && (tells == nil || tells(t.line(s.passage, s.start, s.end), s.start+from, s.start+to)) {
			in, shortest, found = s, to-from, true
			at = ibid.Span{Start: int(words[from].start), End: int(words[to-1].end)}
		}
	}
	return in, at, found
}

// ofMention are the normal forms of words about what is told.
var ofMention = []string{"mention", "inform", "refer"}

// together is the shortest run of fewer than limit words that has all of the terms.
func together(words []word32, terms []int32, limit int) (from, to int) {
	for i := range words {
		if !slices.Contains(terms, words[i].term) {
			continue
		}
		missing := slices.Clone(terms)
		for k := i; k < len(words) && k-i+1 < limit; k++ {
			missing = slices.DeleteFunc(missing, func(term int32) bool { return term == words[k].term })
			if len(missing) == 0 {
				from, to, limit = i, k+1, k+1-i
			}
		}
	}
	return from, to
}
