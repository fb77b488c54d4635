package main

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid/attribute"
)

// contrast are passages with claims about them, as train/contrast holds them.
type contrast struct {
	name     string
	passages map[string]bool // the words
	claims   map[bool][]string
	marked   int // claims in which the wrong words are marked
}

// wrongWords are the words that make a claim wrong.
var wrongWords = regexp.MustCompile(`\[\[([^\[\]]+)\]\]`)

func readContrast(t *testing.T, file string) (out []contrast) {
	text, err := os.ReadFile(filepath.Clean(file))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		mark, rest, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
		switch mark {
		case "##":
			out = append(out, contrast{name: rest, passages: map[string]bool{}, claims: map[bool][]string{}})
		case "P:":
			for _, k := range attribute.Keys(rest) {
				out[len(out)-1].passages[k] = true
			}
		case "+", "-", "x":
			c := &out[len(out)-1]
			claim := wrongWords.ReplaceAllString(rest, "$1")
			if claim != rest {
				c.marked++
			}
			if strings.Contains(claim, "[[") || strings.Contains(claim, "]]") || mark == "+" && claim != rest {
				t.Errorf("%s: marks without an end, or in a claim that is right: %s", file, line)
			}
			c.claims[mark == "+"] = append(c.claims[mark == "+"], claim)
		case "Q:", "":
		default:
			t.Errorf("%s: neither passage, question nor claim: %s", file, line)
		}
	}
	return out
}

// cover is the share of a claim's words that stand in the passages.
func (c contrast) cover(claim string) float64 {
	keys := attribute.Keys(claim)
	absent := slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return c.passages[k] })
	return 1 - float64(len(absent))/float64(max(1, len(keys)))
}

// Contrast claims teach nothing if their words give the label away: in each kind of text about half of them are supported,
// and supported ones have as many of their words in the passages as the others. Wrong words are marked in all or in none of a
// kind's claims.
func TestContrastClaimsGiveNothingAway(t *testing.T) {
	files, err := filepath.Glob("../../train/contrast/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no contrast claims", err)
	}
	for _, file := range files {
		count, cover, seen := map[bool]float64{}, map[bool]float64{}, map[string]bool{}
		marked := 0
		for _, c := range readContrast(t, file) {
			if len(c.passages) == 0 || len(c.claims) != 2 {
				t.Errorf("%s: without passages, or with claims of one label alone: %s", file, c.name)
			}
			marked += c.marked
			for supported, claims := range c.claims {
				for _, claim := range claims {
					if seen[claim] {
						t.Errorf("%s: twice: %s", file, claim)
					}
					seen[claim] = true
					count[supported]++
					cover[supported] += c.cover(claim)
				}
			}
		}
		if marked != 0 && marked != int(count[false]) {
			t.Errorf("%s: in %d of %.0f wrong claims the wrong words are marked", file, marked, count[false])
		}
		share, gap := count[true]/(count[true]+count[false]), cover[true]/count[true]-cover[false]/count[false]
		t.Logf("%s: %.0f claims, %.2f supported, %.3f more of their words in the passages", filepath.Base(file), count[true]+count[false], share, gap)
		if math.Abs(share-0.5) > 0.08 || math.Abs(gap) > 0.05 {
			t.Errorf("%s: %.2f are supported, and have %.3f more of their words in the passages", file, share, gap)
		}
	}
}
