package eval

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/ibid-dev/ibid"
)

// Options of a measurement.
type Options struct {
	// Workers is how many answers are judged at a time. Defaults to 1.
	Workers int
	// Draws is how many times the answers are drawn anew for the intervals. Defaults to 1,000.
	Draws int
	// Errors is how many of the worst mistakes are kept, over all files.
	Errors int
	// Now tells the time, for the rate. Without it there is none.
	Now func() time.Time
}

// Set is a file of labelled answers.
type Set struct {
	Name string
	Open func() (io.ReadCloser, error)
}

// Report holds the figures of each set and of all together.
type Report struct {
	Sets   []Figures `json:"sets"`
	All    Figures   `json:"all"`
	Errors []Mistake `json:"errors,omitempty"`
}

// Mistake is a segment on which the attributor was wrong.
type Mistake struct {
	Set     string   `json:"set"`
	ID      string   `json:"id"`
	Text    string   `json:"text"`
	Label   Label    `json:"label"`
	Support float64  `json:"support"`
	Best    string   `json:"best,omitempty"` // the evidence it thought best
	Reasons []string `json:"reasons"`
}

// wrongness is how far the support is from the truth.
func (m Mistake) wrongness() float64 {
	if m.Label == Supported {
		return 1 - m.Support
	}
	return m.Support
}

// judgedRecord is all that the figures need of one answer.
type judgedRecord struct {
	samples  []sample
	chars    characters
	spanned  bool
	mistakes []Mistake
	busy     time.Duration
}

// Measure judges every set and computes the figures, per set and over all.
func Measure(ctx context.Context, by ibid.Attributor, sets []Set, o Options) (Report, error) {
	if o.Workers < 1 {
		o.Workers = 1
	}
	if o.Draws == 0 {
		o.Draws = 1000
	}
	var report Report
	var all []judgedRecord
	for _, set := range sets {
		recs, err := judgeSet(ctx, by, set, o)
		if err != nil {
			return Report{}, fmt.Errorf("%s: %w", set.Name, err)
		}
		if len(recs) == 0 {
			return Report{}, fmt.Errorf("%s: no answers in it: %w", set.Name, ibid.ErrInvalid)
		}
		report.Sets = append(report.Sets, figuresOf(set.Name, recs, o))
		all = append(all, recs...)
		report.Errors = worst(report.Errors, recs, o.Errors)
	}
	if len(all) == 0 {
		return Report{}, fmt.Errorf("no sets to measure: %w", ibid.ErrInvalid)
	}
	report.All = figuresOf("all", all, o)
	return report, nil
}

// judgeSet judges the answers of a set, several at a time, and keeps their order.
func judgeSet(ctx context.Context, by ibid.Attributor, set Set, o Options) ([]judgedRecord, error) {
	r, err := set.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(o.Workers)
	var recs []*judgedRecord
	for rec, err := range Read(r) {
		if err != nil || ctx.Err() != nil {
			if waited := g.Wait(); waited != nil {
				return nil, waited
			}
			return nil, cmp.Or(err, ctx.Err())
		}
		out := new(judgedRecord)
		recs = append(recs, out)
		g.Go(func() error {
			var err error
			if *out, err = judge(ctx, by, rec, set.Name, o); err != nil {
				return fmt.Errorf("%s: %w", rec.ID, err)
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	all := make([]judgedRecord, len(recs))
	for i, r := range recs {
		all[i] = *r
	}
	return all, nil
}

func judge(ctx context.Context, by ibid.Attributor, rec Record, set string, o Options) (judgedRecord, error) {
	task, err := Prepare(rec.Line, Runes)
	if err != nil {
		return judgedRecord{}, err
	}
	var begun time.Time
	if o.Now != nil {
		begun = o.Now()
	}
	findings, err := task.Findings(ctx, by)
	if err != nil {
		return judgedRecord{}, err
	}
	out := judgedRecord{spanned: rec.Spans != nil}
	if o.Now != nil {
		out.busy = o.Now().Sub(begun)
	}
	res := NewResult(rec.Line, task, findings, Runes)
	for i, s := range rec.Segments {
		j := res.Segments[i]
		smp := compare(rec, s, findings[i], j)
		out.samples = append(out.samples, smp)
		if o.Errors > 0 && smp.positive() != smp.predicted() {
			m := Mistake{Set: set, ID: rec.ID, Text: j.Text, Label: s.Label, Support: j.Support, Reasons: j.Reasons}
			if len(j.Sources) > 0 {
				m.Best = j.Sources[0].Text
			}
			out.mistakes = append(out.mistakes, m)
		}
	}
	if out.spanned {
		out.chars = compareSpans(rec, res)
	}
	return out, nil
}

// compare holds one judged segment against its labels.
func compare(rec Record, s Segment, f ibid.Finding, j Judged) sample {
	smp := sample{support: f.Segment.Support, label: s.Label, sources: -1}
	if len(s.Sources) > 0 && len(rec.Sources) > 1 {
		var cited []string
		for _, q := range j.Sources {
			if !slices.Contains(cited, q.ID) {
				cited = append(cited, q.ID)
			}
		}
		smp.sources = setF1(cited, s.Sources)
		smp.top1 = outcomeOf(len(cited) > 0 && slices.Contains(s.Sources, cited[0]))
	}
	if len(s.Evidence) > 0 {
		smp.hit1 = outcomeOf(hits(j.Sources, s.Evidence, 1))
		smp.hit3 = outcomeOf(hits(j.Sources, s.Evidence, 3))
	}
	return smp
}

func outcomeOf(ok bool) outcome {
	if ok {
		return found
	}
	return missed
}

// setF1 is the F1 of a set against the right one.
func setF1(got, want []string) float64 {
	both := 0
	for _, g := range got {
		if slices.Contains(want, g) {
			both++
		}
	}
	return 2 * float64(both) / float64(len(got)+len(want))
}

// hits reports whether one of the first k quotes has at least half of its characters inside the evidence.
func hits(quotes []Quote, gold []Evidence, k int) bool {
	for _, q := range quotes[:min(k, len(quotes))] {
		var in []Range
		for _, e := range gold {
			if e.Source == q.ID {
				in = append(in, Range{e.Start, e.End})
			}
		}
		if length := q.End - q.Start; length > 0 && 2*overlap([]Range{{q.Start, q.End}}, in) >= length {
			return true
		}
	}
	return false
}

// overlap counts the positions that lie in both lists of ranges.
func overlap(a, b []Range) int {
	a, b = merged(a), merged(b)
	n := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		n += max(0, min(a[i].End, b[j].End)-max(a[i].Start, b[j].Start))
		if a[i].End < b[j].End {
			i++
		} else {
			j++
		}
	}
	return n
}

// merged puts ranges in order and joins those that touch.
func merged(rs []Range) []Range {
	rs = slices.Clone(rs)
	slices.SortFunc(rs, func(a, b Range) int { return cmp.Compare(a.Start, b.Start) })
	var out []Range
	for _, r := range rs {
		if n := len(out); n > 0 && r.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, r.End)
		} else if r.End > r.Start {
			out = append(out, r)
		}
	}
	return out
}

func size(rs []Range) int {
	n := 0
	for _, r := range merged(rs) {
		n += r.End - r.Start
	}
	return n
}

// compareSpans counts unsupported characters: those that people marked, and those that the attributor names; what it says
// is denied counts in segments that it does not hold to be supported.
func compareSpans(rec Record, res Result) characters {
	var meant, said []Range
	for _, s := range rec.Spans {
		meant = append(meant, Range{s.Start, s.End})
	}
	for _, j := range res.Segments {
		said = append(said, j.Unsupported...)
		if j.Support >= Threshold {
			continue
		}
		for _, c := range j.Contradicted {
			said = append(said, Range{c.Start, c.End})
		}
	}
	return characters{both: overlap(meant, said), said: size(said), meant: size(meant)}
}

func figuresOf(name string, recs []judgedRecord, o Options) Figures {
	var samples []sample
	var chars []characters
	var spanned []bool
	var busy time.Duration
	for i, r := range recs {
		for _, s := range r.samples {
			s.response = i
			samples = append(samples, s)
		}
		chars = append(chars, r.chars)
		spanned = append(spanned, r.spanned)
		busy += r.busy
	}
	f := newData(samples, chars, spanned).figures(name, o.Draws)
	if busy > 0 {
		f.PerSecond = math.Round(float64(len(samples)) / busy.Seconds())
	}
	return f
}

// worst keeps the n worst mistakes.
func worst(so []Mistake, recs []judgedRecord, n int) []Mistake {
	for _, r := range recs {
		so = append(so, r.mistakes...)
	}
	slices.SortStableFunc(so, func(a, b Mistake) int { return cmp.Compare(b.wrongness(), a.wrongness()) })
	return so[:min(n, len(so))]
}
