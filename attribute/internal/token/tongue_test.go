package token

import (
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// inTongues is a sentence or two of each language.
var inTongues = func() map[string]string {
	file, err := os.ReadFile("testdata/tongues.txt")
	if err != nil {
		panic(err)
	}
	m := map[string]string{}
	for line := range strings.Lines(string(file)) {
		code, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		m[code] = text
	}
	return m
}()

func TestALanguageIsToldByItsSmallWords(t *testing.T) {
	for code, text := range inTongues {
		if g, sure := TongueOf(text); g == nil || g.code != code || !sure {
			t.Errorf("%q is %s, told as %s (sure: %v)", text, code, g.Title(), sure)
		}
		if g, _ := TongueOf("From: the office\nTo: a friend\nSubject: to the keys in the hall\n\n" + text); g == nil || g.code != code {
			t.Errorf("a letter in %s under English lines is told as %s", code, g.Title())
		}
	}
	for _, text := range []string{
		"The library is open from Tuesday to Saturday.",
		"Carlos de la Cruz y García was born in Santiago de los Caballeros.",
		"Ludwig van Beethoven and Wolfgang von der Goethe met at Teplitz in 1812.",
		"In the die casting, no man is an island.",
		"Total: $25 | Team: $12",
		"The Stele Forest, or Beilin Museum (碑林), is a museum for sculptures in Xi'an.",
		"To Heart 2 (トゥハート２) is a visual novel.",
	} {
		if g, sure := TongueOf(text); g != nil && sure {
			t.Errorf("%q is English, told as %s", text, g.Title())
		}
	}
}

func TestNumbersInCharactersAreRead(t *testing.T) {
	for s, want := range map[string]float64{"十": 10, "十二": 12, "二十": 20, "三百一十二": 312, "八千万": 8e7, "二〇二四": 2024, "一九五五": 1955, "一万二千": 12000, "两": 2, "一百零五": 105, "三亿": 3e8} {
		if v, ok := hanNumber(s); !ok || v != want {
			t.Errorf("%s is %v, want %v", s, v, want)
		}
	}
	if _, ok := hanNumber("图书"); ok {
		t.Error("books are no number")
	}
}

// The lists are read by people: each line has an English word and what says it, no word stands twice under different ones in a file, and what the rules
// know by name they know.
func TestTheListsOfWordsAreInOrder(t *testing.T) {
	for _, g := range tongues().all {
		for _, file := range []string{g.code + ".txt", g.code + ".words"} {
			lines, err := tongueFiles.ReadFile("tongues/" + file)
			if err != nil {
				t.Fatal(err)
			}
			under := map[string]string{}
			for line := range strings.Lines(string(lines)) {
				f := strings.Fields(line)
				if len(f) == 0 || f[0] == "#" {
					continue
				}
				if len(f) < 2 {
					t.Errorf("%s: %q has an English word alone", file, f[0])
				}
				for _, w := range f[1:] {
					if old, ok := under[w]; ok && old != f[0] && strings.HasSuffix(file, ".words") {
						t.Errorf("%s: %s stands under %s and under %s", file, w, old, f[0])
					}
					under[w] = f[0]
				}
			}
			if len(under) < 200 {
				t.Errorf("%s has %d words", file, len(under))
			}
		}
	}
}

// TestSizesAreTold: small, smaller and long are words of every language, each of its own.
func TestSizesAreTold(t *testing.T) {
	for code, words := range map[string]map[string]string{
		"de": {"klein": "small", "kleinen": "small", "kleiner": "smaller", "kleinste": "smallest", "lang": "long", "langen": "long", "länger": "longer", "alt": "old", "älter": "older"},
		"es": {"pequeño": "small", "menor": "smaller"},
		"fr": {"petit": "small", "petite": "small"},
		"it": {"piccolo": "small", "minore": "smaller"},
		"nl": {"klein": "small", "kleine": "small", "kleiner": "smaller", "kleinste": "smallest"},
		"pl": {"mały": "small", "mniejszy": "smaller", "najmniejszy": "smallest"},
		"pt": {"pequeno": "small", "menor": "smaller"},
		"ru": {"маленький": "small", "меньшей": "smaller"},
		"sv": {"små": "small", "minsta": "smallest"},
		"tr": {"küçük": "small"},
		"ja": {"小さい": "small", "最小": "smallest"},
		"zh": {"小": "small", "最小": "smallest"},
	} {
		g := tongues().all[slices.IndexFunc(tongues().all, func(g *Tongue) bool { return g.code == code })].learn()
		for w, want := range words {
			if says, ok := g.says(w); !ok || says != want {
				t.Errorf("%s: %s says %q, not %q", code, w, says, want)
			}
		}
	}
}

// FuzzTongues holds for any text in any language: tokens stand in their order at whole characters.
func FuzzTongues(f *testing.F) {
	for _, text := range inTongues {
		f.Add(text)
	}
	f.Add("L'eau d'Évian coûte 1 500,50 €; Ankara'da 7月3日、三百一十二起。Jahresausweisgebührenordnung")
	f.Fuzz(func(t *testing.T, s string) {
		s = Clip(s, 500)
		for _, g := range append([]*Tongue{nil}, tongues().all...) {
			if g != nil {
				g.learn()
			}
			ts, _ := g.Scan(s, 0, nil)
			last := 0
			for _, tok := range ts {
				if tok.At.Start < last || tok.At.End <= tok.At.Start || tok.At.End > len(s) {
					t.Fatalf("%s: %q: %v behind %d", g.Title(), s, tok.At, last)
				}
				if utf8.ValidString(s) && !utf8.ValidString(tok.At.In(s)) {
					t.Fatalf("%s: %q: %v cuts a character", g.Title(), s, tok.At)
				}
				last = tok.At.Start
			}
		}
	})
}
