package attribute

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"sync"

	"github.com/ibid-dev/ibid"
)

// Reader reads a claim against texts for what they deny, by words alone. It has no state of its own and may be used by
// many at once.
type Reader struct {
	// Without names a set of labelled data of which the model must have seen nothing, so that what is measured on it holds.
	// Only evaluation needs it; "" is the model that saw all.
	Without string
}

// Contradiction gives the probability that the passages deny the claim, the text that was compared with it, and the words
// that are denied, with spans into the claim. Words that no passage has are not denied by that. Where the passages say
// nothing of the claim, the anchor is empty.
func (r Reader) Contradiction(passages []ibid.Passage, claim string) (float64, ibid.Anchor, []ibid.Contradiction) {
	t := newTurn(passages)
	var sc scratch
	s := t.read(claim)
	e, found := t.measure(s, &sc)
	if !found {
		return noContradiction, ibid.Anchor{}, nil
	}
	return denialModel(r.Without).probability(t.denialVector(s, &e)), t.anchor(e.best.passage, t.span(e.best.window)), t.contradictions(s, &e, 0)
}

// noContradiction is the probability where no word of the claim stands in any passage.
const noContradiction = 0.01

// The model is of the same form as that of support: small trees, most features held to one direction. The file holds the
// one that saw all training sets under "", and for each of those that are measured on, one that saw nothing of its family.
// The command `go run ./attribute/train denial` writes it.
//
//go:embed denial.json
var denialJSON []byte

// denial is the model with its features bound to this build's.
type denial struct {
	Model
	columns []int
}

// denialModel gives the model that saw nothing of a set. A set that no model learned from needs none of its own.
func denialModel(without string) *denial {
	if d, ok := denialModels()[without]; ok {
		return d
	}
	return denialModels()[""]
}

// denialModels reads the file when it is first needed. It panics where the file does not fit the build, which a test
// rules out.
var denialModels = sync.OnceValue(func() map[string]*denial {
	var models map[string]Model
	if err := json.Unmarshal(denialJSON, &models); err != nil {
		panic(fmt.Errorf("denial: %w", err))
	}
	out := map[string]*denial{}
	for without, m := range models {
		d, err := bindDenial(m)
		if err != nil {
			panic(err)
		}
		out[without] = d
	}
	return out
})

func bindDenial(m Model) (*denial, error) {
	d := &denial{Model: m}
	byName := map[string]int{}
	for i, n := range DenialNames() {
		byName[n] = i
	}
	for _, n := range m.Features {
		i, ok := byName[n]
		if !ok {
			return nil, fmt.Errorf("denial: feature %q is not computed by this build; train again", n)
		}
		d.columns = append(d.columns, i)
	}
	return d, nil
}

func (d *denial) probability(v []float64) float64 {
	sum := 0.0
	for i := range d.Trees {
		t := &d.Trees[i]
		n := 0
		for t.Left[n] != 0 {
			if v[d.columns[t.Feature[n]]] <= t.Cut[n] {
				n = t.Left[n]
			} else {
				n = t.Right[n]
			}
		}
		sum += t.Value[n]
	}
	return 1 / (1 + math.Exp(-d.Bias-d.Scale*sum))
}

// denialVector holds the features of support, then those of denial alone.
func (t *turn) denialVector(s *segment, e *evidence) []float64 {
	more := t.denials(s, e)
	return append(append(make([]float64, 0, int(numFeatures)+numDenials), e.value[:]...), more[:]...)
}

// DenialNames are the names of the features of DenialVectors, in their order.
func DenialNames() []string {
	return append(append([]string(nil), featureNames[:]...), denialNames[:]...)
}

// DenialVectors gives what speaks for a denial of each segment, for the training command. It is nil where no word of the
// segment stands in the passages.
func DenialVectors(passages []ibid.Passage, drafts []ibid.Draft) [][]float64 {
	t := newTurn(passages)
	var sc scratch
	out := make([][]float64, len(drafts))
	for i, d := range drafts {
		s := t.read(d.Text)
		if e, ok := t.measure(s, &sc); ok {
			out[i] = t.denialVector(s, &e)
		}
	}
	return out
}

// PredictDenial gives the probabilities that a model assigns to vectors, for the training command.
func PredictDenial(m Model, vectors [][]float64) ([]float64, error) {
	d, err := bindDenial(m)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(vectors))
	for i, v := range vectors {
		out[i] = noContradiction
		if v != nil {
			out[i] = d.probability(v)
		}
	}
	return out, nil
}

// DenialDirection says which way a feature may move the probability of a denial, and whether it is used at all: 1 only
// up, -1 only down, 0 either way.
func DenialDirection(name string) (direction int, used bool) {
	direction, used = denialDirections[name]
	return direction, used
}

var denialDirections = func() map[string]int {
	m := map[string]int{featureNames[fClause]: 0}
	for _, f := range []feature{fConflict, fConflictHard, fNegation, fAntonym, fSwapName, fSwapNumber, fPassage, fPlainCover} {
		m[featureNames[f]] = 1
	}
	m[featureNames[fNameCover]] = -1
	for _, d := range []int{dNegationThere, dNegationHere, dTurned, dTurnedAll, dAbsolute, dOtherSize, dOtherYear, dOtherName} {
		m[denialNames[d]] = 1
	}
	m[denialNames[dAgreed]] = -1
	return m
}()
