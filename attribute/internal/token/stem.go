package token

import (
	"github.com/blevesearch/snowballstem"
	porter "github.com/blevesearch/snowballstem/english"
	"github.com/kljensen/snowball/english"
)

// stem is the stem of an English word in lower case, small words as they are. Words in plain letters, as most are, go by the faster of two stemmers, which
// does to them what the other one does.
func stem(low string) string {
	if english.IsStopWord(low) || !Letters(low) {
		return english.Stem(low, false)
	}
	env := snowballstem.NewEnv(low)
	porter.Stem(env)
	return env.Current()
}
