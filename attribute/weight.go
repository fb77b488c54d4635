package attribute

import (
	"math"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// weigh says how much a word counts: little for function words, more the rarer it is, up to 1.
func weigh(t token.Token) float64 {
	if t.Kind.Has(token.Stop) && t.Kind&(token.Name|token.Number) == 0 {
		return 0.02
	}
	if t.Kind.Has(token.Number) || t.Kind.Has(token.Ordinal) {
		if t.Num == 1 || t.Kind.Has(token.Ordinal) {
			return 0.4
		}
		return 0.8
	}
	n, ok := token.Rarity(t.Key)
	if !ok {
		n = rarityFloor
	}
	// 1 for a word not seen in the background, about 0.2 for the most common content words.
	return math.Max(0.15, 1-math.Log(n/rarityFloor)/math.Log(rarityTop/rarityFloor))
}

const (
	rarityFloor = 2.0     // count given to a word that is not listed
	rarityTop   = 60000.0 // about the count of the most common function words
)
