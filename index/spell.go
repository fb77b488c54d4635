package index

import (
	"slices"
	"sort"
	"strings"

	"github.com/ibid-dev/ibid/text"
)

const (
	// maxSpelled bounds the words of a question that are looked for in another spelling.
	maxSpelled = 8
	// spelled is what a word in another spelling counts of the word itself.
	spelled = 0.8
)

// spell puts, for each word of a question that no chunk of the population has in any form, the one of which it may be a slip.
// Of several it is the one that most chunks have.
func (v *view) spell(q question, p *population) (question, error) {
	terms, tried := slices.Clone(q.terms), 0
	for i, t := range q.terms {
		word, exact := strings.CutPrefix(t.text, exactMark)
		if !exact || tried == maxSpelled || !text.MayBeSlip(word) {
			continue
		}
		_, n, err := v.postings(stem(word), p)
		if err != nil {
			return q, err
		}
		if n > 0 {
			continue
		}
		tried++
		near, err := v.near(word, p)
		if err != nil {
			return q, err
		}
		if near == "" {
			continue
		}
		terms[i] = term{exactMark + near, spelled * t.weight}
		if j := slices.IndexFunc(q.terms, func(o term) bool { return o.text == stem(word) }); j >= 0 {
			terms[j] = term{stem(near), spelled * q.terms[j].weight}
		}
	}
	q.terms = nil
	for _, t := range terms { // a slip for a word that the question has, too, says nothing more
		if !slices.ContainsFunc(q.terms, func(o term) bool { return o.text == t.text }) {
			q.terms = append(q.terms, t)
		}
	}
	return q, nil
}

// near finds the word of which another may be a slip, "" where there is none.
func (v *view) near(word string, p *population) (string, error) {
	from := exactMark + word[:1]
	found := map[string]bool{}
	for _, s := range v.segments {
		first := sort.Search(len(s.blocks), func(i int) bool { return s.termAt(i) > from }) - 1
		for w := s.walk(max(first, 0)); w.next() && (string(w.term) < from || strings.HasPrefix(string(w.term), from)); {
			if other, ok := strings.CutPrefix(string(w.term), exactMark); ok && text.Misspelt(word, other) {
				found[other] = true
			}
		}
	}
	best, most := "", 0
	for other := range found {
		_, n, err := v.postings(exactMark+other, p)
		if err != nil {
			return "", err
		}
		if n > most || n == most && n > 0 && other < best {
			best, most = other, n
		}
	}
	return best, nil
}
