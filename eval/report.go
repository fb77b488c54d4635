package eval

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// columns of the table, in order. A figure that the data does not allow is shown as "–".
var columns = []struct {
	name string
	of   func(Figures) *Figure
}{
	{"bal.acc", func(f Figures) *Figure { return f.BalancedAccuracy }},
	{"F1", func(f Figures) *Figure { return f.F1 }},
	{"AUROC", func(f Figures) *Figure { return f.AUROC }},
	{"ECE", func(f Figures) *Figure { return f.ECE }},
	{"ECE eq.", func(f Figures) *Figure { return f.BalancedECE }},
	{"resp.F1", func(f Figures) *Figure { return f.ResponseF1 }},
	{"span F1", func(f Figures) *Figure { return f.SpanF1 }},
	{"top-1", func(f Figures) *Figure { return f.Top1 }},
	{"src.F1", func(f Figures) *Figure { return f.SourcesF1 }},
	{"hit@1", func(f Figures) *Figure { return f.Hit1 }},
	{"hit@3", func(f Figures) *Figure { return f.Hit3 }},
}

// WriteText prints the figures as a table, and below it the worst mistakes.
func (r Report) WriteText(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	rows := r.Sets
	if len(rows) != 1 {
		rows = append(rows[:len(rows):len(rows)], r.All)
	}
	width := len("set")
	for _, f := range rows {
		width = max(width, len(f.Name))
	}
	fmt.Fprintf(t, "%-*s\tsegments\tFP\tFN\t", width, "set")
	for _, c := range columns {
		fmt.Fprintf(t, "%s\t", c.name)
	}
	fmt.Fprintln(t, "seg/s\t")
	for _, f := range rows {
		fmt.Fprintf(t, "%-*s\t%d\t%d\t%d\t", width, f.Name, f.Segments, f.FalsePositives, f.FalseNegatives)
		for _, c := range columns {
			fmt.Fprintf(t, "%s\t", c.of(f))
		}
		fmt.Fprintf(t, "%.0f\t\n", f.PerSecond)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nsupported at 0.5 and up · ± half of the 95 % interval, answers drawn anew · ECE in ten steps, eq. with both classes weighted equally")
	fmt.Fprintln(w, "resp.F1 finds answers in which something is not supported · hit: half the characters of the evidence inside the gold")
	return r.writeErrors(w)
}

// String shows a figure as ".843±.014".
func (f *Figure) String() string {
	if f == nil {
		return "–"
	}
	return bare(f.Value) + "±" + bare((f.High-f.Low)/2)
}

// bare writes a share without its leading zero.
func bare(x float64) string { return strings.TrimPrefix(fmt.Sprintf("%.3f", x), "0") }

func (r Report) writeErrors(w io.Writer) error {
	for i, m := range r.Errors {
		fmt.Fprintf(w, "\n%d. %s %s: %s, said %.2f\n   %s\n", i+1, m.Set, m.ID, m.Label, m.Support, oneLine(m.Text))
		if m.Best != "" {
			fmt.Fprintf(w, "   best evidence: %s\n", oneLine(m.Best))
		}
		for _, why := range m.Reasons {
			fmt.Fprintf(w, "   · %s\n", why)
		}
	}
	return nil
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
