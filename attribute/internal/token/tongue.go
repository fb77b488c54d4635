package token

import (
	"embed"
	"iter"
	"strings"
	"sync"
	"unicode"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/turkish"
)

// Tongue is what is known of a language other than English; nil stands for English. Its words are read as the English ones that say the same, so
// that one set of rules compares numbers, dates, negations and opposites in every language, what is said in one is found in another, and a
// judge who reads English is asked word by word. Words that no list has are compared by their stems.
type Tongue struct {
	code      string
	name      string // in English
	stem      func(*snowballstem.Env) bool
	compounds bool // are written as one word
	comma     bool // stands before decimals
	blanks    bool // group the digits of numbers: 5 724
	behind    bool // its negations may stand behind what they deny
	numerals

	learned sync.Once
	words   map[string]string // what each says in English, "" for those that say nothing by themselves; by its form with and without accents
	stems   map[string]string // the same by their stems
	longest int               // of its words, in bytes
}

// English is the language whose words the rules speak of.
var English *Tongue

// A language has two files by its two letters, whose lines have an English word and the words that say it. The first has what its grammar is
// made of, small words among it, by which a language is told, the second its common words. All are ours.
//
//go:embed tongues
var tongueFiles embed.FS

// tongues are the languages that are known, and heard tells in which of them a word is a small one, a bit for each.
var tongues = sync.OnceValue(func() (known struct {
	all   []*Tongue
	heard map[string]uint32
}) {
	known.all = []*Tongue{
		{code: "de", name: "German", stem: german.Stem, compounds: true, comma: true, behind: true},
		{code: "es", name: "Spanish", stem: spanish.Stem, comma: true},
		{code: "fr", name: "French", stem: french.Stem, comma: true, blanks: true},
		{code: "it", name: "Italian", stem: italian.Stem, comma: true},
		{code: "nl", name: "Dutch", stem: dutch.Stem, compounds: true, comma: true, behind: true},
		{code: "pl", name: "Polish", stem: shortened, comma: true, blanks: true},
		{code: "pt", name: "Portuguese", stem: portuguese.Stem, comma: true},
		{code: "ru", name: "Russian", stem: russian.Stem, comma: true, blanks: true},
		{code: "sv", name: "Swedish", stem: swedish.Stem, compounds: true, comma: true, blanks: true, behind: true},
		{code: "tr", name: "Turkish", stem: turkish.Stem, comma: true, behind: true},
		{code: "ja", name: "Japanese", behind: true},
		{code: "zh", name: "Chinese"},
	}
	known.heard = map[string]uint32{}
	for i, g := range known.all {
		g.numerals = inWords[g.code]
		g.words, g.stems = map[string]string{}, map[string]string{}
		g.read(g.code + ".txt")
		for w, says := range g.words {
			if says == "" || classes[says].Has(Stop) {
				known.heard[w] |= 1 << i
			}
		}
	}
	return known
})

// Tongues are the languages other than English that are known, always in the same order.
func Tongues() []*Tongue { return tongues().all }

// learn reads the common words of the language, once.
func (g *Tongue) learn() *Tongue {
	g.learned.Do(func() {
		g.read(g.code + ".words")
		for _, file := range []string{g.code + ".txt", g.code + ".words"} {
			for w, says := range listed(file) {
				low, _, _ := fold(w)
				if key := g.key(w, low); g.stems[key] == "" && says != "" && !classes[says].Has(Stop) && !countsSome(says) && !graded[says] {
					g.stems[key] = says
				}
			}
		}
	})
	return g
}

// countsSome reports whether an English word is a number, of which no other form is taken: Portuguese nova is no nine.
func countsSome(says string) bool {
	_, n := numberWords[says]
	_, nth := ordinalWords[says]
	return n || nth || says != "" && IsDigit(rune(says[0]))
}

// graded are comparatives and superlatives, of which no other form is taken: German lang is not longer.
var graded = Words(`more less further higher lower larger smaller better worse older younger longer shorter earlier later faster slower
	highest lowest largest smallest best worst oldest youngest longest shortest least most earliest latest fastest slowest`)

// read adds the words of a file to those that are known, which stay as they are but for small ones: what these say the second file tells. Without its
// marks a word is read where no other is written so: lange is not Länge.
func (g *Tongue) read(file string) {
	for w, says := range listed(file) {
		if old := g.words[w]; old == "" || old == "it" {
			g.words[w] = says
		}
		g.longest = max(g.longest, len(w))
	}
	for w, says := range listed(file) {
		low, _, _ := fold(w)
		if _, ok := g.words[low]; !ok {
			g.words[low] = says
		}
	}
}

// listed gives the words of a file and what each says in English; those behind "-" say nothing by themselves.
func listed(file string) iter.Seq2[string, string] {
	lines, err := tongueFiles.ReadFile("tongues/" + file)
	if err != nil {
		panic(err) // a test rules it out
	}
	return func(yield func(word, says string) bool) {
		for line := range strings.Lines(string(lines)) {
			f := strings.Fields(line)
			if len(f) == 0 || f[0] == "#" {
				continue
			}
			for _, w := range f[1:] {
				if !yield(w, strings.TrimPrefix(f[0], "-")) {
					return
				}
			}
		}
	}
}

// ContentKeys are the words of a text that count.
func (g *Tongue) ContentKeys(s string) (keys []string) {
	ts, _ := g.Scan(s, 0, nil)
	for _, tok := range ts {
		if tok.Content() {
			keys = append(keys, tok.Key)
		}
	}
	return keys
}

// Script is the one that the names of the language are written in.
func (g *Tongue) Script() *unicode.RangeTable {
	switch {
	case g == nil:
		return unicode.Latin
	case g.code == "ru":
		return unicode.Cyrillic
	case g.stem == nil:
		return unicode.Han
	default:
		return unicode.Latin
	}
}
