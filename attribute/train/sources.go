package main

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
)

// sources prints how well the engine finds the sources and the evidence that the data names.
func sources(root string) error {
	sets, err := readSets(root, "train")
	if err != nil {
		return err
	}
	engine := attribute.New(attribute.Config{})
	fmt.Printf("%-28s %8s %8s %8s %8s %8s %8s %8s\n", "set", "segments", "top-1", "set F1", "hit@1", "hit@3", "any", "refs")
	for _, s := range sets {
		var n, top, f1, hit1, hit3, withEvidence, any, refs float64
		for _, r := range s.records {
			i := 0
			for f, err := range engine.Attribute(context.Background(), r.passages(), drafts(r)) {
				if err != nil {
					return err
				}
				seg := r.Segments[i]
				i++
				if len(seg.SourceIDs) == 0 {
					continue
				}
				n++
				var got []string
				for _, ref := range f.Segment.Refs {
					got = append(got, r.Sources[ref-1].ID)
				}
				refs += float64(len(got))
				if len(got) > 0 {
					any++
					if slices.Contains(seg.SourceIDs, got[0]) {
						top++
					}
				}
				both := 0.0
				for _, g := range got {
					if slices.Contains(seg.SourceIDs, g) {
						both++
					}
				}
				if both > 0 {
					f1 += 2 * both / float64(len(got)+len(seg.SourceIDs))
				}
				if len(seg.Evidence) > 0 {
					withEvidence++
					for k, a := range f.Attributions {
						if k < 3 && inside(r, seg.Evidence, a) >= 0.5 {
							if k == 0 {
								hit1++
							}
							hit3++
							break
						}
					}
				}
			}
		}
		if n > 0 {
			fmt.Printf("%-28s %8.0f %8.3f %8.3f %8.3f %8.3f %8.3f %8.2f\n", s.name, n, top/n, f1/n, hit1/max(1, withEvidence), hit3/max(1, withEvidence), any/n, refs/n)
		}
	}
	return nil
}

func drafts(r record) iter.Seq2[ibid.Draft, error] {
	return func(yield func(ibid.Draft, error) bool) {
		for _, d := range r.drafts() {
			if !yield(d, nil) {
				return
			}
		}
	}
}

// inside is the share of an attribution's characters that lie in the gold evidence.
func inside(r record, gold []goldSpan, a ibid.Attribution) float64 {
	text := r.Sources[a.Ref-1].Text
	from := len([]rune(text[:a.To.Span.Start]))
	to := from + len([]rune(strings.TrimSpace(text[a.To.Span.Start:a.To.Span.End])))
	covered := make([]bool, max(0, to-from))
	for _, g := range gold {
		if g.SourceID != r.Sources[a.Ref-1].ID {
			continue
		}
		for k := max(from, g.Start); k < min(to, g.End); k++ {
			covered[k-from] = true
		}
	}
	n := 0
	for _, c := range covered {
		if c {
			n++
		}
	}
	return float64(n) / float64(max(1, to-from))
}
