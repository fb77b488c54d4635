package attribute

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
)

// The model is a sum of small decision trees over the features, each tree a handful of questions such as "is more than
// 80 % of the weight covered". More cover can only raise the result and a disagreement can only lower it: training keeps
// to that, so a decision can be explained feature by feature. The command in attribute/train writes the file.
//
//go:embed model.json
var modelJSON []byte

// Model is the learned combination of features. It is exported for the training command alone.
type Model struct {
	Note     string   `json:"note"`
	Features []string `json:"features"` // the names the trees speak of, by index
	Bias     float64  `json:"bias"`
	Scale    float64  `json:"scale"` // of the sum before it becomes a probability
	// Denied scales what the particulars that the source denies take off the log odds, by kind and up to 2. Sets of pairs of
	// sentences hide their worth from the trees, so they stand apart; it was chosen by leaving families out.
	Denied float64 `json:"denied"`
	Trees  []Tree  `json:"trees"`
	// Judged says how a judge's opinion is weighed beside the words'.
	Judged Judged `json:"judged"`
}

// Judged combines the score of the words with the log odds that a judge gives to full support. It was fitted on judgements
// of models that had not seen the family of sets they judged.
type Judged struct {
	// Words weighs what beside makes of the words' score.
	Words float64 `json:"words"`
	Judge float64 `json:"judge"`
	Bias  float64 `json:"bias"`
	// Short counts what is short in favour of the segment: of a sentence or two that were picked out as evidence people ask
	// less than of a page, in which many words of any claim stand by chance.
	Short float64 `json:"short"`
	// Research counts what reads like research in favour of the segment (research.go).
	Research float64 `json:"research"`
	// Usual and Slope give the judge's log odds as they usually are beside a score of the words: what is assumed where the
	// judge is not asked.
	Usual float64 `json:"usual"`
	Slope float64 `json:"slope"`
}

// judged is the log odds of support, of a segment's features with their own score and a judge's log odds.
func (m *Model) judged(v *vector, words, judge float64) float64 {
	j := m.Judged
	return j.Words*m.beside(v, words) + j.Judge*judge + j.Short*v[fShort] + j.Research*v[fResearch] + j.Bias
}

// beside is what the words' score counts beside a judge: the less, the shorter the sources are, and of a sentence or two that
// were picked out as evidence no more than what they deny. True claims and false ones use the same words there.
func (m *Model) beside(v *vector, words float64) float64 {
	faded := v[fShort] / shortness(0)
	return (1-faded)*words - faded*m.denied(v) - overlooked(v)
}

// heard leaves of a segment's features what a judge leaves of them, and gives the score of the words by these. A judge who finds the segment
// supported overrules what the words call denied: numbers and dates follow from others, the rest is put otherwise. It does not where nothing
// else differs, nor of what was torn out of its sentence. Where a number is denied so, nine in ten are supported (LOG.md).
func (m *Model) heard(v *vector, words, judge float64) float64 {
	if judge < 0 {
		return words
	}
	before := m.denied(v)
	v[fFirm] = v[fPlain]
	if v[fPlain] == 0 && v[fTorn] == 0 {
		v[fOverruled] = v[fConflict]
	}
	return words + before - m.denied(v)
}

// overlooked is what numbers and the like that the source denies for certain take off once more beside a judge, who does not see them.
func overlooked(v *vector) float64 { return math.Min(2, v[fFirm]) }

// denied is what the particulars that the source denies take off the log odds.
func (m *Model) denied(v *vector) float64 { return m.Denied * math.Min(2, v[fConflict]-v[fOverruled]) }

// Tree is a decision tree in arrays: node i asks whether Feature[i] is at most Cut[i] and goes to Left[i] or Right[i]; a
// leaf has no children. Value is the tree's answer at a leaf, and the mean answer below at an inner node.
type Tree struct {
	Feature []int     `json:"f"`
	Cut     []float64 `json:"c"`
	Left    []int     `json:"l"`
	Right   []int     `json:"r"`
	Value   []float64 `json:"v"`
}

// combined is the model with its features bound to this build's.
type combined struct {
	Model
	columns []feature
}

func loadModel(data []byte) (*combined, error) {
	var m Model
	if len(data) > 0 {
		if err := json.Unmarshal(data, &m); err != nil {
			return nil, fmt.Errorf("model: %w", err)
		}
	}
	return bind(m)
}

func bind(m Model) (*combined, error) {
	c := &combined{Model: m}
	byName := map[string]feature{}
	for i, n := range featureNames {
		byName[n] = feature(i)
	}
	for _, n := range m.Features {
		f, ok := byName[n]
		if !ok {
			return nil, fmt.Errorf("model: feature %q is not computed by this build; train again", n)
		}
		c.columns = append(c.columns, f)
	}
	return c, nil
}

// score is the sum of the trees; above 0 the segment is more likely supported than not.
func (m *combined) score(v *vector) float64 {
	sum := m.Bias
	for i := range m.Trees {
		t := &m.Trees[i]
		n := 0
		for t.Left[n] != 0 {
			if v[m.columns[t.Feature[n]]] <= t.Cut[n] {
				n = t.Left[n]
			} else {
				n = t.Right[n]
			}
		}
		sum += t.Value[n]
	}
	return m.Scale*sum - m.denied(v)
}

// probability is the support that words alone give.
func (m *combined) probability(v *vector) float64 { return support(m.score(v), v) }

// support turns log odds into a probability; what stands in a source to the letter has at least that of a quotation, and what
// has another number, date or unit than the source at most that of a doubt. So has what was copied out of a sentence that
// denies it or speaks of something else, and what has a number that no source has.
func support(score float64, v *vector) float64 {
	p := sigmoid(score)
	switch {
	case verbatim(v):
		return max(p, quotation)
	case v[fFirm] > 0, v[fTorn] == 1 && v[fConflict] > 0, v[fOther] == 1, v[fUnsaid] > 0:
		return min(p, doubt)
	case v[fAgreed] == 1 && v[fConflict] == 0:
		return max(p, reckoned)
	}
	return p
}

// verbatim reports whether the segment stands in a source to the letter.
func verbatim(v *vector) bool { return v[fLetters] == 1 && v[fConflict] == 0 }

// quotation is the least support of words that stand in a source to the letter. The trees see few of them in training,
// where people paraphrase; TestQuotationsAreSupported of package eval prints how often people agree.
const quotation = 0.97

// reckoned is the least support of what was compared with data value by value, which judges are poor at.
const reckoned = 0.9

// doubt is the most support of a segment that a source denies for certain, or that has a number of its own making, however sure a judge is of it: what is named as
// contradicted or as said by no source is not shown as supported.
const doubt = 0.4

// shares says how much each feature moved the score, up or down.
func (m *combined) shares(v *vector) vector {
	var out vector
	out[fConflict] = -m.denied(v)
	for i := range m.Trees {
		t := &m.Trees[i]
		for n := 0; t.Left[n] != 0; {
			f := m.columns[t.Feature[n]]
			next := t.Right[n]
			if v[f] <= t.Cut[n] {
				next = t.Left[n]
			}
			out[f] += m.Scale * (t.Value[next] - t.Value[n])
			n = next
		}
	}
	return out
}

// Direction says which way a feature may move the result: 1 only up, -1 only down, 0 unused.
func Direction(name string) int { return directions[name] }

var directions = func() map[string]int {
	m := map[string]int{}
	for _, f := range []feature{fCover, fUnion, fVerbatim3, fHard, fNameCover, fPlainCover, fClause, fClauseTurn, fTail} {
		m[featureNames[f]] = 1
	}
	for _, f := range []feature{fMissMax, fMissFrac, fNegation, fAntonym, fSwapName, fSwapNumber, fConflict, fConflictHard} {
		m[featureNames[f]] = -1
	}
	return m
}()
