package attribute

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

// What is known of words beforehand stands in three files, all made by the command in attribute/train and all in normal
// form. NOTICE names where they come from.
var (
	// background: how often a word occurs in general text, "word count" a line, the most common first. It makes the rarity
	// of a word independent of how many passages a turn has.
	//
	//go:embed background.txt
	background string
	// lexicon: word|same meaning|more general|opposite.
	//
	//go:embed lexicon.txt
	lexicon string
	// neighbours: a word, and those that are used alike with their nearness in hundredths.
	//
	//go:embed near.txt
	neighbours string
)

// knowledge is the three files, read.
type knowledge struct {
	rarity                  map[string]float64
	same, general, opposite map[string][]string
	near                    map[string][]neighbour
}

type neighbour struct {
	key      string
	nearness float64
}

// known reads the files when they are first needed: a program that attributes nothing pays nothing.
var known = sync.OnceValue(func() knowledge {
	k := knowledge{map[string]float64{}, map[string][]string{}, map[string][]string{}, map[string][]string{}, map[string][]neighbour{}}
	for line := range strings.Lines(background) {
		key, count, ok := strings.Cut(strings.TrimSpace(line), " ")
		if n, err := strconv.ParseFloat(count, 64); ok && err == nil {
			k.rarity[key] = n
		}
	}
	put := func(m map[string][]string, key, list string) {
		if list != "" {
			m[key] = strings.Fields(list)
		}
	}
	for line := range strings.Lines(lexicon) {
		f := strings.Split(strings.TrimSpace(line), "|")
		if len(f) == 4 {
			put(k.same, f[0], f[1])
			put(k.general, f[0], f[2])
			put(k.opposite, f[0], f[3])
		}
	}
	for line := range strings.Lines(neighbours) {
		f := strings.Fields(line)
		for i := 1; i+1 < len(f); i += 2 {
			n, _ := strconv.Atoi(f[i+1])
			k.near[f[0]] = append(k.near[f[0]], neighbour{f[i], float64(n) / 100})
		}
	}
	return k
})
