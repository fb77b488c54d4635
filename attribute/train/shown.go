package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
)

// passageFacts are the last facts of a window, which are the same for all windows of a passage.
const passageFacts = 2

// choice is a passage in parts of which people marked evidence: its windows, and which of them are hits.
type choice struct {
	facts [][]float64
	hit   []bool
}

// shown fits the weights by which one window of a passage is chosen, and prints with the families left out in turn how
// often the chosen one lies in what people marked.
func shown(root string) error {
	sets, err := readSets(root, "train")
	if err != nil {
		return err
	}
	names, shipped := attribute.ShownWeights()
	names, shipped = names[:len(names)-passageFacts], shipped[:len(shipped)-passageFacts]
	choices := map[string][]choice{}
	var order []set
	for _, s := range sets {
		if cs := choicesOf(s, len(names)); len(cs) > 0 {
			choices[s.name] = cs
			order = append(order, s)
		}
	}
	fitted := map[string][]float64{}
	fmt.Printf("%-20s %9s %9s %9s\n", "set", "passages", "left out", "shipped")
	for _, s := range order {
		w, ok := fitted[s.family()]
		if !ok {
			w = fitShown(order, choices, s.family(), len(names))
			fitted[s.family()] = w
		}
		fmt.Printf("%-20s %9d %9.3f %9.3f\n", s.name, len(choices[s.name]), hitRate(choices[s.name], w), hitRate(choices[s.name], shipped))
	}
	w := fitShown(order, choices, "", len(names))
	for f, n := range names {
		fmt.Printf("%-24s fitted %6.2f  shipped %6.2f\n", n, w[f]/w[0], shipped[f])
	}
	return nil
}

func choicesOf(s set, facts int) []choice {
	var out []choice
	for _, r := range s.records {
		for i, windows := range attribute.Windows(r.passages(), r.drafts()) {
			gold := r.Segments[i].Evidence
			byRef := make([]choice, len(r.Sources)+1)
			for _, w := range windows {
				c := &byRef[w.Ref]
				c.facts = append(c.facts, w.Facts[:facts])
				c.hit = append(c.hit, inside(r, gold, ibid.Attribution{Ref: w.Ref, To: ibid.Anchor{Span: w.At}}) >= 0.5)
			}
			for _, c := range byRef {
				if slices.Contains(c.hit, true) && slices.Contains(c.hit, false) {
					out = append(out, c)
				}
			}
		}
	}
	return out
}

// fitShown raises the likelihood that a window drawn by its score is a hit. Each set counts alike.
func fitShown(sets []set, choices map[string][]choice, without string, facts int) []float64 {
	w, square := make([]float64, facts), make([]float64, facts)
	for range 600 {
		slope := make([]float64, facts)
		for _, s := range sets {
			if s.family() == without {
				continue
			}
			for _, c := range choices[s.name] {
				p, good := drawn(c, w)
				for i, x := range c.facts {
					d := -p[i]
					if c.hit[i] {
						d += p[i] / good
					}
					for f := range w {
						slope[f] += d * x[f] / float64(len(choices[s.name]))
					}
				}
			}
		}
		for f := range w { // steps that shrink where the slope was steep
			slope[f] -= 0.004 * w[f]
			square[f] += slope[f] * slope[f]
			w[f] += 0.5 * slope[f] / (math.Sqrt(square[f]) + 1e-9)
		}
	}
	return w
}

// drawn gives the probability of each window and that of all hits together.
func drawn(c choice, w []float64) (p []float64, good float64) {
	p = make([]float64, len(c.facts))
	top := math.Inf(-1)
	for i, x := range c.facts {
		p[i] = dot(w, x)
		top = max(top, p[i])
	}
	sum := 0.0
	for i := range p {
		p[i] = math.Exp(p[i] - top)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
		if c.hit[i] {
			good += p[i]
		}
	}
	return p, max(good, 1e-12)
}

func hitRate(cs []choice, w []float64) float64 {
	hits := 0.0
	for _, c := range cs {
		best := 0
		for i, x := range c.facts {
			if dot(w, x) > dot(w, c.facts[best]) {
				best = i
			}
		}
		if c.hit[best] {
			hits++
		}
	}
	return hits / float64(len(cs))
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}
