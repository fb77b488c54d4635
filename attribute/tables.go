package attribute

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// What is known of words beforehand, beside how often they occur, stands in two files, both made by the command in attribute/train and
// both in normal form. NOTICE names where they come from.
var (
	// lexicon: word|same meaning|more general|opposite.
	//
	//go:embed lexicon.txt
	lexicon string
	// research: how much a word speaks for research, "word weight" a line, in thousandths; the weight without a
	// word is the bias.
	//
	//go:embed research.txt
	research string
)

// knowledge is the files, read.
type knowledge struct {
	research       map[string]float64
	same, opposite map[string][]string
	general        map[string][]int32 // by the numbers of the more general words
	numbers        map[string]int32   // of these
}

// isGeneral reports whether one word is more general than another.
func (k *knowledge) isGeneral(general, word string) bool {
	n, ok := k.numbers[general]
	return ok && slices.Contains(k.general[word], n)
}

// known reads the files when they are first needed: a program that attributes nothing pays nothing.
var known = sync.OnceValue(func() *knowledge {
	k := &knowledge{token.Weights(research), map[string][]string{}, map[string][]string{}, map[string][]int32{}, map[string]int32{}}
	put := func(m map[string][]string, key, list string) {
		if list != "" {
			m[key] = strings.Fields(list)
		}
	}
	for line := range strings.Lines(lexicon) {
		f := strings.Split(strings.TrimSpace(line), "|")
		if len(f) == 4 {
			put(k.same, f[0], f[1])
			for word := range strings.FieldsSeq(f[2]) {
				n, ok := k.numbers[word]
				if !ok {
					n = int32(len(k.numbers))
					k.numbers[word] = n
				}
				k.general[f[0]] = append(k.general[f[0]], n)
			}
			put(k.opposite, f[0], f[3])
		}
	}
	return k
})
