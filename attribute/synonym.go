package attribute

import (
	_ "embed"
	"strings"
)

// lexicon is an extract of WordNet, a word a line: word|same meaning|more general|opposite, all in normal form. Its licence
// stands in NOTICE. The command in attribute/train writes it.
//
//go:embed lexicon.txt
var lexicon string

var synonyms, generals, antonyms = func() (same, general, opposite map[string][]string) {
	same, general, opposite = map[string][]string{}, map[string][]string{}, map[string][]string{}
	put := func(m map[string][]string, key, list string) {
		if list != "" {
			m[key] = strings.Fields(list)
		}
	}
	for line := range strings.Lines(lexicon) {
		f := strings.Split(strings.TrimSpace(line), "|")
		if len(f) == 4 {
			put(same, f[0], f[1])
			put(general, f[0], f[2])
			put(opposite, f[0], f[3])
		}
	}
	return
}()
