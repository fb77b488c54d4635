package attribute

import "math"

// weigh says how much a word counts: little for function words, more the rarer it is, up to 1.
func weigh(t token) float64 {
	if t.kind.has(stop) && t.kind&(name|number) == 0 {
		return 0.02
	}
	if t.kind.has(number) || t.kind.has(ordinal) {
		if t.num == 1 || t.kind.has(ordinal) {
			return 0.4
		}
		return 0.8
	}
	n, ok := rarity(t.key)
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
