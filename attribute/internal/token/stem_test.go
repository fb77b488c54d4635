package token

import (
	"os"
	"strings"
	"testing"

	"github.com/kljensen/snowball/english"
	"pgregory.net/rapid"
)

// Whichever stemmer a word goes by, it comes to the same stem: the files of words were made by one of them.
func TestStemmersAgree(t *testing.T) {
	same := func(t rapid.TB, word string) {
		if got, want := stem(word), english.Stem(word, false); got != want {
			t.Errorf("the stem of %q is %q, by the other stemmer %q", word, got, want)
		}
	}
	lexicon, err := os.ReadFile("../../lexicon.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{background, string(lexicon)} {
		for _, word := range strings.FieldsFunc(file, func(r rune) bool { return r < 'a' || r > 'z' }) {
			same(t, word)
		}
	}
	endings := strings.Fields(`s es ed ing ingly edly eed ies y ly li ation ator alism aliti fulness ousness iveness iviti biliti logi fulli enci anci ization icate ative ical ful ness
		ance ence er able ible ement ment ent ion ism iti ous ive ize e l ll ss us sses yed`)
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[aeiouylstgn]{0,7}|[a-z']{1,7}`).Draw(t, "word")
		for _, ending := range rapid.SliceOfN(rapid.SampledFrom(endings), 0, 3).Draw(t, "endings") {
			word += ending
		}
		same(t, word)
	})
}
