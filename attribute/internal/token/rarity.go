package token

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

// background: how often a word occurs in general text, "word count" a line, the most common first. It makes the rarity of a word independent
// of how many passages a turn has. It is made by the command in attribute/train and is in normal form.
//
//go:embed background.txt
var background string

// counts is background, read when it is first needed: a program that attributes nothing pays nothing.
var counts = sync.OnceValue(func() map[string]float64 { return Weights(background) })

// Rarity is how often a word occurs in general text, by its normal form; ok is false where it is rarer than what is counted.
func Rarity(key string) (n float64, ok bool) {
	n, ok = counts()[key]
	return n, ok
}

// Weights reads a file of words with a number each.
func Weights(file string) map[string]float64 {
	out := map[string]float64{}
	for line := range strings.Lines(file) {
		key, value, ok := strings.Cut(strings.TrimRight(line, "\n"), " ")
		if n, err := strconv.ParseFloat(value, 64); ok && err == nil {
			out[key] = n
		}
	}
	return out
}
