package main

import (
	"bufio"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid/attribute"
)

// genre is a collection of texts of one kind, research or not.
type genre struct {
	research bool
	texts    [][]string // the normal forms of their words
}

// studies are the contrast claims' kinds that tell of research, and between those that tell of it among other things.
var (
	studies = []string{"studies", "science", "findings", "health"}
	between = []string{"factcheck", "expert", "figures", "advice"}
)

// genres reads the texts that tell research from the rest: citation_integrity's abstracts and the contrast claims' passages
// about studies on one side, encyclopedias, news, talk and all other passages on the other. No label of a claim is looked at.
func genres(root string) (map[string]genre, error) {
	out := map[string]genre{}
	files, err := filepath.Glob("train/contrast/*.txt")
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, errors.New("no texts in train/contrast: run this in the repository's folder")
	}
	for _, f := range files {
		kind := strings.TrimSuffix(filepath.Base(f), ".txt")
		if slices.Contains(between, kind) {
			continue
		}
		b, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		g := genre{research: slices.Contains(studies, kind)}
		for line := range strings.Lines(string(b)) {
			if p, ok := strings.CutPrefix(line, "P: "); ok {
				g.texts = append(g.texts, attribute.Keys(p))
			}
		}
		out["contrast."+kind] = g
	}
	sets, err := readSets(root, "train", "pairs")
	if err != nil {
		return nil, err
	}
	for _, s := range sets {
		switch s.family() {
		case "attributionbench", "hans", "wnli", "sts": // of all kinds, or made
			continue
		}
		g := genre{research: s.name == citations}
		seen := map[string]bool{}
		for _, r := range s.records {
			for _, src := range r.Sources {
				if len(g.texts) < enough && !seen[src.Text] {
					seen[src.Text] = true
					g.texts = append(g.texts, attribute.Keys(src.Text))
				}
			}
		}
		out[s.name] = g
	}
	return out, nil
}

// citations is the set of sentences that cite research, with abstracts of what they cite.
const citations = "citation_integrity.all"

// makeResearch writes how much each word speaks for research: the logarithm of how much more often texts about research have
// it, kinds of texts counted alike, scaled so that their sum gives log odds.
func makeResearch(root string) error {
	all, err := genres(root)
	if err != nil {
		return err
	}
	names := slices.Sorted(maps.Keys(all))
	kinds := [2]float64{}
	for _, n := range names {
		kinds[side(all[n])]++
	}
	type count struct {
		share [2]float64 // of the texts that have it, in the mean of the kinds
		texts int
		kinds int
	}
	counts := map[string]*count{}
	var pieces []piece
	for _, n := range names {
		g := all[n]
		k := side(g)
		mine := map[string]int{}
		for i, text := range g.texts {
			words := distinct(part(text, i))
			pieces = append(pieces, piece{words: words, y: float64(k), w: 1 / kinds[k] / float64(len(g.texts))})
			for _, w := range words {
				mine[w]++
			}
		}
		for w, c := range mine {
			if counts[w] == nil {
				counts[w] = &count{}
			}
			counts[w].share[k] += float64(c) / float64(len(g.texts)) / kinds[k]
			counts[w].texts += c
			counts[w].kinds++
		}
	}
	weights := map[string]float64{}
	for w, c := range counts {
		if c.texts >= 12 && c.kinds >= 3 {
			weights[w] = math.Log((c.share[1] + rare) / (c.share[0] + rare))
		}
	}
	scale, bias := calibrate(pieces, weights)
	f, err := os.Create("attribute/research.txt")
	if err != nil {
		return err
	}
	out := bufio.NewWriter(f)
	fmt.Fprintf(out, " %.0f\n", 1000*bias)
	for _, w := range slices.Sorted(maps.Keys(weights)) {
		if v := scale * weights[w]; math.Abs(v) >= 0.5 {
			fmt.Fprintf(out, "%s %.0f\n", w, 100*math.Round(10*v))
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// rare is a share of texts below which a word tells little.
const rare = 0.002

func side(g genre) int {
	if g.research {
		return 1
	}
	return 0
}

// part is the piece of a text that is learned from: of short evidence as of pages, by turns.
func part(text []string, i int) []string {
	n := []int{12, 25, 40, 80, 200}[i%5]
	from := max(0, (len(text)-n)/2)
	return text[from:min(len(text), from+n)]
}

func distinct(words []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(words)))
}

// piece is a part of a text with its side and its weight.
type piece struct {
	words []string
	y, w  float64
}

// calibrate fits the factor and the bias that make log odds of the weights' sums.
func calibrate(pieces []piece, weights map[string]float64) (scale, bias float64) {
	for range 50 {
		var g0, g1, h00, h01, h11 float64
		for _, p := range pieces {
			x := 0.0
			for _, w := range p.words {
				x += weights[w]
			}
			x /= math.Sqrt(max(12, float64(len(p.words))))
			q := sigmoid(scale*x + bias)
			g0, g1 = g0+p.w*(p.y-q)*x, g1+p.w*(p.y-q)
			h00, h01, h11 = h00+p.w*q*(1-q)*x*x, h01+p.w*q*(1-q)*x, h11+p.w*q*(1-q)
		}
		d := h00*h11 - h01*h01
		scale, bias = scale+(g0*h11-g1*h01)/d, bias+(g1*h00-g0*h01)/d
	}
	return scale, bias
}
