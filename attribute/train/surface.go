package main

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/text"
)

// surfaces prints for each word of the background the spelling in which it occurs most.
func surfaces(root string) error {
	sets, err := readSets(root, "train", "pairs")
	if err != nil {
		return err
	}
	known := knownKeys()
	counts := map[string]map[string]int{}
	cache := map[string]string{}
	for _, s := range sets {
		seen := map[string]bool{}
		for _, r := range s.records {
			for _, src := range r.Sources {
				if seen[src.Text] {
					continue
				}
				seen[src.Text] = true
				for _, at := range text.Words(src.Text) {
					w := strings.ToLower(at.In(src.Text))
					k, ok := cache[w]
					if !ok {
						if ks := attribute.Keys(w); len(ks) == 1 {
							k = ks[0]
						}
						cache[w] = k
					}
					if known[k] {
						if counts[k] == nil {
							counts[k] = map[string]int{}
						}
						counts[k][w]++
					}
				}
			}
		}
	}
	out := bufio.NewWriter(os.Stdout)
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		best := ""
		for _, w := range slices.Sorted(maps.Keys(counts[k])) {
			if best == "" || counts[k][w] > counts[k][best] {
				best = w
			}
		}
		fmt.Fprintln(out, k, best)
	}
	return out.Flush()
}
