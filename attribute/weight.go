package attribute

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
)

// background holds how common each normal form is in general text: "key count" a line, most common first. It makes the
// rarity of a word independent of how many passages a turn has. The command in attribute/train writes it.
//
//go:embed background.txt
var background string

var rarity = func() map[string]float64 {
	m := map[string]float64{}
	for line := range strings.Lines(background) {
		key, count, ok := strings.Cut(strings.TrimSpace(line), " ")
		if n, err := strconv.ParseFloat(count, 64); ok && err == nil {
			m[key] = n
		}
	}
	return m
}()

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
	n, ok := rarity[t.key]
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
