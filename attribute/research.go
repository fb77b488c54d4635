package attribute

import (
	"math"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// Research is judged by a measure of its own: where a claim is held against what one study found, or against an abstract,
// people call it supported that says about the same, and a judge who reads every word finds something that is not said. So
// a source that reads like research counts in favour of a segment beside a judge, as short sources do. Nothing else is known of it
// than its words.

// studied tells how far the source of a turn, of size bytes, reads like research: the probability that its words give. It
// fades from 1,200 bytes on and is 0 from 2,400, as of pages people ask all that a segment says, and so they do of answers to
// which several sources were given.
func (t *turn) studied(size int) float64 {
	fades := min(1, max(0, float64(2*page-size)/page))
	if fades == 0 || len(t.passages) != 1 {
		return 0
	}
	sum, n, told := 0.0, 0.0, false
	for i := range t.terms {
		if spelled(t.terms[i].kind) {
			weight, ok := known().research[t.terms[i].key]
			sum, n, told = sum+weight, n+1, told || ok
		}
	}
	if !told {
		return 0
	}
	// What words say together grows more slowly than their number, as they come in company.
	return fades * sigmoid((known().research[""]+sum/math.Sqrt(max(12, n)))/1000)
}

// spelled reports whether a token is a word, not a number or a word in disguise.
func spelled(k token.Kind) bool { return k&(token.Number|token.Lookalike) == 0 }
