package attribute

import (
	"math"

	"github.com/ibid-dev/ibid"
)

// Reader reads a claim against texts for what they deny, by words alone. It has no state of its own and may be used by
// many at once.
type Reader struct{}

// Contradiction gives the probability that the passages deny the claim, the text that was compared with it, and the words
// that are denied, with spans into the claim. Words that no passage has are not denied by that. Where the passages say
// nothing of the claim, the anchor is empty.
func (Reader) Contradiction(passages []ibid.Passage, claim string) (float64, ibid.Anchor, []ibid.Contradiction) {
	t := newTurn(passages)
	var sc scratch
	s := t.read(claim)
	e, found := t.measure(s, &sc)
	if !found {
		return noContradiction, ibid.Anchor{}, nil
	}
	return contradiction(&e.value), t.anchor(e.best.passage, t.span(e.best.window)), t.contradictions(s, &e, 0)
}

// noContradiction is the probability where no word of the claim stands in any passage.
const noContradiction = 0.02

func contradiction(v *vector) float64 {
	return 1 / (1 + math.Exp(2.2-2.2*math.Min(2, v[fConflict])))
}
