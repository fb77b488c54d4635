package eval

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"golang.org/x/sync/errgroup"

	"github.com/ibid-dev/ibid"
)

// Denier says whether passages deny a claim: the probability, and how many findings it would show people.
type Denier func(ctx context.Context, passages []ibid.Passage, claim string) (probability float64, findings int, err error)

// ConflictReport holds how well what sources deny is told from all else.
type ConflictReport struct {
	Sets []ConflictFigures `json:"sets"`
	// All are the figures of all segments together, of all sets that have denied ones.
	All ConflictFigures `json:"all"`
	// Mean is the mean of the sets' AUROC: a large set counts no more than a small one.
	Mean float64 `json:"mean_auroc"`
}

// ConflictFigures are the measures of one set.
type ConflictFigures struct {
	Name      string `json:"name"`
	Segments  int    `json:"segments"`
	Denied    int    `json:"contradicted"`
	Supported int    `json:"supported"`
	// AUROC is the probability that a contradicted segment gets the greater probability than another; nil where the set has
	// only one class.
	AUROC *Figure `json:"auroc,omitempty"`
	// Found is the share of the contradicted that a finding is shown for, Alarms that of the supported.
	Found  *float64 `json:"found,omitempty"`
	Alarms *float64 `json:"false_alarms,omitempty"`
}

// denied is one judged segment.
type denied struct {
	response int
	p        float64
	shown    bool
	label    Label
}

// MeasureConflict judges every set by the denier made for it: one that learned nothing from it.
func MeasureConflict(ctx context.Context, by func(set string) Denier, sets []Set, o Options) (ConflictReport, error) {
	var r ConflictReport
	var all []denied
	offset, counted := 0, 0
	for _, set := range sets {
		got, n, err := deniedIn(ctx, by(set.Name), set, max(1, o.Workers))
		if err != nil {
			return ConflictReport{}, fmt.Errorf("%s: %w", set.Name, err)
		}
		f := conflictFigures(set.Name, got, n, o.Draws)
		r.Sets = append(r.Sets, f)
		if f.AUROC == nil {
			continue
		}
		r.Mean += f.AUROC.Value
		counted++
		for _, d := range got {
			d.response += offset
			all = append(all, d)
		}
		offset += n
	}
	if counted == 0 {
		if len(r.Sets) == 0 {
			return ConflictReport{}, fmt.Errorf("no sets to measure: %w", ibid.ErrInvalid)
		}
		return r, nil
	}
	r.Mean /= float64(counted)
	r.All = conflictFigures("all", all, offset, o.Draws)
	return r, nil
}

func deniedIn(ctx context.Context, by Denier, set Set, workers int) ([]denied, int, error) {
	in, err := set.Open()
	if err != nil {
		return nil, 0, err
	}
	defer in.Close()
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(workers)
	var parts []*[]denied
	for rec, err := range Read(in) {
		if err != nil || ctx.Err() != nil {
			if waited := g.Wait(); waited != nil {
				return nil, 0, waited
			}
			return nil, 0, cmp.Or(err, ctx.Err())
		}
		i, out := len(parts), new([]denied)
		parts = append(parts, out)
		g.Go(func() error {
			task, err := Prepare(rec.Line, Runes)
			if err != nil {
				return fmt.Errorf("%s: %w", rec.ID, err)
			}
			for j, d := range task.Drafts {
				p, n, err := by(ctx, task.InOrder(), d.Text)
				if err != nil {
					return fmt.Errorf("%s: %w", rec.ID, err)
				}
				*out = append(*out, denied{i, p, n > 0, rec.Segments[j].Label})
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, 0, err
	}
	var all []denied
	for _, p := range parts {
		all = append(all, *p...)
	}
	if len(all) == 0 {
		return nil, 0, fmt.Errorf("no answers in it: %w", ibid.ErrInvalid)
	}
	return all, len(parts), nil
}

func conflictFigures(name string, of []denied, responses, draws int) ConflictFigures {
	f := ConflictFigures{Name: name, Segments: len(of)}
	samples := make([]sample, len(of))
	found, alarms := 0, 0
	for i, d := range of {
		// The figures of support are about one class against the rest; here that class is the contradicted.
		samples[i] = sample{response: d.response, support: d.p, label: Unsupported, sources: -1}
		switch d.label {
		case Contradicted:
			f.Denied++
			samples[i].label = Supported
			if d.shown {
				found++
			}
		case Supported:
			f.Supported++
			if d.shown {
				alarms++
			}
		}
	}
	if f.Denied > 0 && f.Denied < len(of) {
		f.AUROC = newData(samples, make([]characters, responses), make([]bool, responses)).figures(name, cmp.Or(draws, 1000)).AUROC
	}
	f.Found, f.Alarms = share(found, f.Denied), share(alarms, f.Supported)
	return f
}

func share(n, of int) *float64 {
	if of == 0 {
		return nil
	}
	x := math.Round(1e4*float64(n)/float64(of)) / 1e4
	return &x
}

// WriteText prints the figures as a table.
func (r ConflictReport) WriteText(w io.Writer) error {
	width := len("mean of sets")
	rows := r.Sets
	if r.All.AUROC != nil {
		rows = append(rows[:len(rows):len(rows)], r.All)
	}
	for _, f := range rows {
		width = max(width, len(f.Name))
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "%-*s\tsegments\tcontradicted\tAUROC\tfound\tfalse alarms\t\n", width, "set")
	for _, f := range rows {
		fmt.Fprintf(t, "%-*s\t%d\t%d\t%s\t%s\t%s\t\n", width, f.Name, f.Segments, f.Denied, f.AUROC, percent(f.Found), percent(f.Alarms))
	}
	if r.All.AUROC != nil {
		fmt.Fprintf(t, "%-*s\t\t\t%s\t\t\t\n", width, "mean of sets", bare(r.Mean))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, "\ncontradicted against all else · ± half of the 95 % interval, answers drawn anew · found: contradicted that a finding is shown for; false alarms: supported ones")
	return err
}

func percent(x *float64) string {
	if x == nil {
		return "–"
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", 100**x), ".0") + " %"
}
