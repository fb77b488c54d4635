package attribute

import (
	"context"

	"github.com/ibid-dev/ibid"
)

// Explanation is everything that went into the decision on one segment.
type Explanation struct {
	Finding    ibid.Finding `json:"finding"`
	Features   []Feature    `json:"features"`
	Words      []Word       `json:"words"`
	Candidates []Candidate  `json:"candidates"`
}

// Feature is a measured fact and how far it moved the score, in log odds. With a judge its opinion is one of them; where it
// was not asked, that is the one it usually has beside such words.
type Feature struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Moved float64 `json:"moved"`
}

// Word is a word of the segment as it was compared.
type Word struct {
	At     ibid.Span `json:"at"` // into the answer's text
	Form   string    `json:"form"`
	Weight float64   `json:"weight"`
	Cover  float64   `json:"cover"` // by the best window
	How    string    `json:"how,omitempty"`
}

// Candidate is a window that was considered as evidence, the best first.
type Candidate struct {
	Ref   int         `json:"ref"`
	At    ibid.Anchor `json:"at"`
	Quote string      `json:"quote"`
	Own   float64     `json:"own"`   // share of the segment's weight that its own words cover
	Cover float64     `json:"cover"` // with title and context
}

// Explain decides on one segment and shows every feature, word and candidate of it.
func (e *Engine) Explain(ctx context.Context, passages []ibid.Passage, d ibid.Draft) (Explanation, error) {
	t := newTurn(passages)
	var sc scratch
	v, err := e.verdict(ctx, t, &sc, d, "")
	if err != nil {
		return Explanation{}, err
	}
	x := Explanation{Finding: t.finding(v)}
	moved := e.model.shares(&v.ev.value)
	if m := e.model.Judged; e.config.Judge != nil && v.found {
		for i := range moved {
			moved[i] *= m.Words
		}
		words, more := e.model.score(&v.ev.value), overlooked(&v.ev.value)
		moved[fFirm] -= m.Words * more
		moved[fShort] += m.Words*(e.model.beside(&v.ev.value, words)+more-words) + m.Short*v.ev.value[fShort]
		moved[fResearch] = m.Research * v.ev.value[fResearch]
		x.Features = append(x.Features, Feature{"log odds of a second opinion", v.odds, m.Judge * v.odds})
	}
	for i, n := range featureNames {
		x.Features = append(x.Features, Feature{n, v.ev.value[i], moved[i]})
	}
	for i, c := range v.seg.content {
		w := Word{At: v.seg.tokens[c].At.Shift(d.At.Start), Form: v.seg.tokens[c].Key, Weight: v.seg.weight[i]}
		if v.found {
			w.Cover, w.How = v.ev.best.strength[i], viaNames[v.ev.best.via[i]]
		}
		x.Words = append(x.Words, w)
	}
	if !v.found {
		return x, nil
	}
	for _, a := range t.alignAll(v.seg, t.search(v.seg, &sc), &sc) {
		x.Candidates = append(x.Candidates, Candidate{t.passages[a.passage].Rank, t.anchor(a.passage, t.span(a.window)), t.quote(a.window), a.strict, a.cover})
	}
	return x, nil
}

var viaNames = [...]string{"", "same word", "short form", "the same amount", "derived word", "synonym", "more special word", "said before", "title", "part of a name", "a pronoun stands for it"}
