package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/eval"
)

// explainSegments shows how the decision on each segment, or on one, came about.
func (a *app) explainSegments(ctx context.Context, engine *attribute.Engine, task eval.Task, only int) error {
	if only < 0 || only > len(task.Drafts) {
		return usagef("--segment %d: the answer has %s", only, count(len(task.Drafts), "segment", "segments"))
	}
	for i, d := range task.Drafts {
		if only > 0 && only != i+1 {
			continue
		}
		x, err := engine.Explain(ctx, task.InOrder(), d)
		if err != nil {
			return err
		}
		a.printExplanation(i+1, task, x)
	}
	return nil
}

func (a *app) printExplanation(n int, task eval.Task, x attribute.Explanation) {
	s := x.Finding.Segment
	p := a.paint()
	fmt.Fprintln(a.out, p.wrapped(fmt.Sprintf("%d. ", n), bold, harmless(s.At.In(task.Text))))
	fmt.Fprintf(a.out, "   %s, support %.4f, confidence %.4f\n", s.Origin, s.Support, s.Confidence)
	for _, r := range s.Reasons {
		fmt.Fprintf(a.out, "   · %s\n", harmless(r))
	}
	if len(x.Candidates) > 0 {
		fmt.Fprintln(a.out, "   candidates, the best first")
	}
	for _, c := range x.Candidates {
		fmt.Fprintf(a.out, "     source %d [%d,%d) own %.2f with context %.2f  %s\n", c.Ref, c.At.Span.Start, c.At.Span.End, c.Own, c.Cover, harmless(excerpt(c.Quote, 90)))
	}
	if len(x.Words) > 0 {
		fmt.Fprintln(a.out, "   words")
	}
	for _, w := range x.Words {
		fmt.Fprintf(a.out, "     %-24s weight %.2f covered %.2f %s\n", harmless(w.Form), w.Weight, w.Cover, w.How)
	}
	fmt.Fprintln(a.out, "   features, those that moved the decision most first")
	slices.SortStableFunc(x.Features, func(a, b attribute.Feature) int {
		return cmp.Compare(math.Abs(b.Moved), math.Abs(a.Moved))
	})
	for _, f := range x.Features {
		fmt.Fprintf(a.out, "     %-24s %8.3f %s\n", f.Name, f.Value, moved(f.Moved))
	}
	fmt.Fprintln(a.out)
}

// moved shows how far a feature moved the log odds.
func moved(x float64) string {
	if math.Abs(x) < 0.005 {
		return ""
	}
	return strings.TrimSpace(fmt.Sprintf("%+.2f", x))
}
