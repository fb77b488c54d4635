package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid/attribute"
)

// Contrast claims teach nothing if their words give the label away: in each kind of text about half of them are supported,
// and supported ones have as many of their words in the passages as the others.
func TestContrastClaimsGiveNothingAway(t *testing.T) {
	files, err := filepath.Glob("../../train/contrast/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no contrast claims", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var count, cover [2]float64 // not supported, supported
		seen := map[string]bool{}
		for _, one := range strings.Split(string(text), "\n## ") {
			words := map[string]bool{}
			var inside [2]bool
			for _, line := range strings.Split(one, "\n")[1:] {
				mark, rest, _ := strings.Cut(line, " ")
				switch mark {
				case "P:":
					for _, k := range attribute.Keys(rest) {
						words[k] = true
					}
				case "+", "-", "x":
					if seen[rest] {
						t.Errorf("%s: twice: %s", file, rest)
					}
					seen[rest] = true
					label := 0
					if mark == "+" {
						label = 1
					}
					inside[label] = true
					keys, found := attribute.Keys(rest), 0
					for _, k := range keys {
						if words[k] {
							found++
						}
					}
					count[label]++
					cover[label] += float64(found) / float64(max(1, len(keys)))
				case "Q:", "":
				default:
					t.Errorf("%s: neither passage, question nor claim: %s", file, line)
				}
			}
			if len(words) == 0 || !inside[0] || !inside[1] {
				t.Errorf("%s: a case without passages, or with claims of one label alone: %.60s", file, one)
			}
		}
		share, gap := count[1]/(count[0]+count[1]), cover[1]/count[1]-cover[0]/count[0]
		t.Logf("%s: %.0f claims, %.2f supported, %.3f more of their words in the passages", filepath.Base(file), count[0]+count[1], share, gap)
		if math.Abs(share-0.5) > 0.05 || math.Abs(gap) > 0.05 {
			t.Errorf("%s: %.2f are supported, and have %.3f more of their words in the passages", file, share, gap)
		}
	}
}
