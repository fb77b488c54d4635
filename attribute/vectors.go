package attribute

import (
	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// FeatureNames are the names of the features, in the order of Vectors.
func FeatureNames() []string { return featureNames[:] }

// Vectors gives the features of each segment: the same code serves training and use.
func Vectors(passages []ibid.Passage, drafts []ibid.Draft) [][]float64 {
	t := newTurn(passages)
	var sc scratch
	out := make([][]float64, 0, len(drafts))
	for _, d := range drafts {
		e, _ := t.measure(t.read(d.Text), &sc)
		out = append(out, e.value[:])
	}
	return out
}

// Beside gives what a score of the words counts beside a judge, how short the sources are and how much they read like research, for
// the training command.
func Beside(m Model, features []float64, words, judge float64) (counts, short, research float64) {
	v := vector(features)
	words = m.heard(&v, words, judge)
	return m.beside(&v, words), v[fShort], v[fResearch]
}

// Keys gives the normal forms of a text's words, as the background of word counts needs them.
func Keys(text string) []string {
	var out []string
	for _, at := range token.Sentences(text) {
		toks, _ := token.English.Scan(at.In(text), 0, nil)
		for _, t := range toks {
			if spelled(t.Kind) {
				out = append(out, t.Key)
			}
		}
	}
	return out
}

// Predict gives the probabilities that a model assigns to vectors, for the training command. judge holds the log odds of a
// judge, or is nil for words alone.
func Predict(m Model, vectors [][]float64, judge []float64) ([]float64, error) {
	scores, err := Scores(m, vectors)
	if err != nil {
		return nil, err
	}
	for i, x := range vectors {
		var v vector
		copy(v[:], x)
		if judge != nil {
			scores[i] = m.judged(&v, m.heard(&v, scores[i], judge[i]), judge[i])
		}
		scores[i] = support(scores[i], &v)
	}
	return scores, nil
}

// Scores gives the log odds that the words alone give, for the training command.
func Scores(m Model, vectors [][]float64) ([]float64, error) {
	c, err := bind(m)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(vectors))
	for i, x := range vectors {
		var v vector
		copy(v[:], x)
		out[i] = c.score(&v)
	}
	return out, nil
}
