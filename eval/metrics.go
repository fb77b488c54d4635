package eval

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// sample is one judged segment, reduced to what the figures need.
type sample struct {
	response int // index of its answer
	support  float64
	label    Label
	top1     outcome
	sources  float64 // F1 of the set of sources; -1 where the data names none
	hit1     outcome
	hit3     outcome
}

func (s sample) positive() bool  { return s.label == Supported }
func (s sample) predicted() bool { return s.support >= Threshold }

// Threshold is the probability from which a segment counts as supported.
const Threshold = 0.5

// outcome of a question that the data may not ask.
type outcome int8

const (
	notAsked outcome = iota
	missed
	found
)

// characters counts the characters of one answer that people, the attributor, or both call unsupported.
type characters struct{ both, said, meant int }

// Figures are the measures of one file, or of all.
type Figures struct {
	Name      string `json:"name"`
	Responses int    `json:"responses"`
	Segments  int    `json:"segments"`
	Supported int    `json:"supported"` // segments that people call supported

	BalancedAccuracy *Figure `json:"balanced_accuracy,omitempty"` // mean of the two classes' recalls at 0.5
	F1               *Figure `json:"f1,omitempty"`                // of the supported
	FalsePositives   int     `json:"false_positives"`             // said to be supported, and not
	FalseNegatives   int     `json:"false_negatives"`             // supported, and said not to be
	AUROC            *Figure `json:"auroc,omitempty"`
	ECE              *Figure `json:"ece,omitempty"`          // expected calibration error
	BalancedECE      *Figure `json:"ece_balanced,omitempty"` // with both classes weighted equally
	ResponseF1       *Figure `json:"response_f1,omitempty"`  // of the answers in which something is not supported
	SpanF1           *Figure `json:"span_f1,omitempty"`      // of unsupported characters
	Top1             *Figure `json:"top1_source,omitempty"`
	SourcesF1        *Figure `json:"sources_f1,omitempty"`
	Hit1             *Figure `json:"evidence_hit1,omitempty"`
	Hit3             *Figure `json:"evidence_hit3,omitempty"`
	PerSecond        float64 `json:"segments_per_second,omitempty"` // on one core
	Bins             []Bin   `json:"reliability"`
}

// Figure is a measure with its 95 % interval. A measure that the data does not allow is nil: one class only, no gold
// sources.
type Figure struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	N     int     `json:"n"` // how many segments, answers or characters it is about
}

// Bin is one step of the reliability diagram.
type Bin struct {
	Mean  float64 `json:"mean"`  // of the probabilities that fell into it
	Share float64 `json:"share"` // of those segments that are supported
	Count int     `json:"count"`
}

const binCount = 10

// data is what was judged, with answers as the unit that is drawn again and again for the intervals: segments of one
// answer stand and fall together.
type data struct {
	samples []sample // in order of support, so that every draw is measured in one pass
	chars   []characters
	spanned []bool // whether people marked spans in the answer
	size    int    // answers
}

func newData(samples []sample, chars []characters, spanned []bool) data {
	samples = slices.Clone(samples)
	slices.SortStableFunc(samples, func(a, b sample) int { return cmp.Compare(a.support, b.support) })
	return data{samples, chars, spanned, len(chars)}
}

// measures are the figures of one draw. NaN where a figure is not defined.
type measures struct {
	balanced, f1, auroc, ece, ece2, response, span, top1, sources, hit1, hit3 float64
}

// measure computes all figures where answer i counts weight[i] times.
func (d data) measure(weight []int) measures {
	var m measures
	c := d.count(weight)
	m.balanced = (ratio(c.tp, c.tp+c.fn) + ratio(c.tn, c.tn+c.fp)) / 2
	m.f1 = math.NaN()
	if c.tp+c.fn > 0 {
		m.f1 = f1(c.tp, c.fp, c.fn)
	}
	m.auroc = d.auroc(weight, c)
	m.ece = d.ece(weight, 1, 1)
	pos, neg := float64(c.tp+c.fn), float64(c.tn+c.fp)
	m.ece2 = d.ece(weight, 1/pos, 1/neg)
	m.response = d.responses(weight)
	m.span = d.spans(weight)
	m.top1, m.hit1, m.hit3, m.sources = c.top1.rate(), c.hit1.rate(), c.hit3.rate(), c.sources.mean()
	return m
}

type counts struct {
	tp, fp, fn, tn   int
	top1, hit1, hit3 asked
	sources          average
}

type asked struct{ yes, all int }

func (a *asked) add(o outcome, w int) {
	if o != notAsked {
		a.all += w
	}
	if o == found {
		a.yes += w
	}
}

func (a asked) rate() float64 { return ratio(a.yes, a.all) }

type average struct {
	sum float64
	n   int
}

func (a average) mean() float64 {
	if a.n == 0 {
		return math.NaN()
	}
	return a.sum / float64(a.n)
}

func (d data) count(weight []int) counts {
	var c counts
	for _, s := range d.samples {
		w := weight[s.response]
		switch {
		case s.positive() && s.predicted():
			c.tp += w
		case s.predicted():
			c.fp += w
		case s.positive():
			c.fn += w
		default:
			c.tn += w
		}
		c.top1.add(s.top1, w)
		c.hit1.add(s.hit1, w)
		c.hit3.add(s.hit3, w)
		if s.sources >= 0 {
			c.sources.sum += s.sources * float64(w)
			c.sources.n += w
		}
	}
	return c
}

// auroc is the probability that a supported segment has the greater support than one that is not; equals count half.
func (d data) auroc(weight []int, c counts) float64 {
	pos, neg := float64(c.tp+c.fn), float64(c.tn+c.fp)
	below, sum := 0.0, 0.0
	for i := 0; i < len(d.samples); {
		p, n := 0.0, 0.0
		j := i
		for ; j < len(d.samples) && d.samples[j].support == d.samples[i].support; j++ {
			if w := float64(weight[d.samples[j].response]); d.samples[j].positive() {
				p += w
			} else {
				n += w
			}
		}
		sum += p * (below + n/2)
		below += n
		i = j
	}
	return sum / (pos * neg)
}

// ece is the mean distance between probability and outcome over ten equal steps of probability, with a weight for each
// class. It is NaN where a class that has a weight is empty.
func (d data) ece(weight []int, pos, neg float64) float64 {
	var mass, conf, hold [binCount]float64
	total := 0.0
	for _, s := range d.samples {
		w := float64(weight[s.response])
		if w == 0 {
			continue
		}
		b := binOf(s.support)
		if s.positive() {
			w *= pos
			hold[b] += w
		} else {
			w *= neg
		}
		mass[b] += w
		conf[b] += w * s.support
		total += w
	}
	if total == 0 || math.IsInf(pos, 0) || math.IsInf(neg, 0) {
		return math.NaN()
	}
	sum := 0.0
	for b := range binCount {
		sum += math.Abs(conf[b] - hold[b])
	}
	return sum / total
}

func binOf(p float64) int { return min(binCount-1, max(0, int(p*binCount))) }

// responses is the F1 of finding the answers in which at least one segment is not supported.
func (d data) responses(weight []int) float64 {
	meant, said := make([]bool, d.size), make([]bool, d.size)
	for _, s := range d.samples {
		meant[s.response] = meant[s.response] || !s.positive()
		said[s.response] = said[s.response] || !s.predicted()
	}
	var tp, fp, fn int
	for i, w := range weight {
		switch {
		case meant[i] && said[i]:
			tp += w
		case said[i]:
			fp += w
		case meant[i]:
			fn += w
		}
	}
	if tp+fn == 0 {
		return math.NaN()
	}
	return f1(tp, fp, fn)
}

// spans is the F1 of unsupported characters over the answers in which people marked them.
func (d data) spans(weight []int) float64 {
	var both, said, meant int
	for i, c := range d.chars {
		if d.spanned[i] {
			both += c.both * weight[i]
			said += c.said * weight[i]
			meant += c.meant * weight[i]
		}
	}
	if meant == 0 {
		return math.NaN()
	}
	return f1(both, said-both, meant-both)
}

func ratio(a, b int) float64 {
	if b == 0 {
		return math.NaN()
	}
	return float64(a) / float64(b)
}

func f1(tp, fp, fn int) float64 {
	if tp+fp+fn == 0 {
		return math.NaN()
	}
	return 2 * float64(tp) / float64(2*tp+fp+fn)
}

// figures measures the data and draws its answers anew for the intervals. The draws are the same each time.
func (d data) figures(name string, draws int) Figures {
	ones := make([]int, d.size)
	for i := range ones {
		ones[i] = 1
	}
	whole := d.measure(ones)
	c := d.count(ones)
	f := Figures{
		Name: name, Responses: d.size, Segments: len(d.samples), Supported: c.tp + c.fn,
		FalsePositives: c.fp, FalseNegatives: c.fn, Bins: d.bins(),
	}
	rng := rand.New(rand.NewPCG(1858, 8))
	drawn := make([]measures, draws)
	weight := make([]int, d.size)
	for i := range drawn {
		clear(weight)
		for range d.size {
			weight[rng.IntN(d.size)]++
		}
		drawn[i] = d.measure(weight)
	}
	figure := func(n int, of func(measures) float64) *Figure { return interval(whole, drawn, n, of) }
	n := len(d.samples)
	f.BalancedAccuracy = figure(n, func(m measures) float64 { return m.balanced })
	f.F1 = figure(n, func(m measures) float64 { return m.f1 })
	f.AUROC = figure(n, func(m measures) float64 { return m.auroc })
	f.ECE = figure(n, func(m measures) float64 { return m.ece })
	f.BalancedECE = figure(n, func(m measures) float64 { return m.ece2 })
	f.ResponseF1 = figure(d.size, func(m measures) float64 { return m.response })
	f.SpanF1 = figure(d.marked(), func(m measures) float64 { return m.span })
	f.Top1 = figure(c.top1.all, func(m measures) float64 { return m.top1 })
	f.SourcesF1 = figure(c.sources.n, func(m measures) float64 { return m.sources })
	f.Hit1 = figure(c.hit1.all, func(m measures) float64 { return m.hit1 })
	f.Hit3 = figure(c.hit3.all, func(m measures) float64 { return m.hit3 })
	return f
}

// interval takes the middle 95 % of the draws in which the figure is defined.
func interval(whole measures, drawn []measures, n int, of func(measures) float64) *Figure {
	v := of(whole)
	if math.IsNaN(v) {
		return nil
	}
	var all []float64
	for _, m := range drawn {
		if x := of(m); !math.IsNaN(x) {
			all = append(all, x)
		}
	}
	f := &Figure{Value: v, Low: v, High: v, N: n}
	if len(all) > 0 {
		slices.Sort(all)
		f.Low = all[int(0.025*float64(len(all)-1)+0.5)]
		f.High = all[int(0.975*float64(len(all)-1)+0.5)]
	}
	return f
}

// marked counts the answers in which people marked unsupported words.
func (d data) marked() int {
	n := 0
	for i, ok := range d.spanned {
		if ok && d.chars[i].meant > 0 {
			n++
		}
	}
	return n
}

func (d data) bins() []Bin {
	bins := make([]Bin, binCount)
	for _, s := range d.samples {
		b := &bins[binOf(s.support)]
		b.Count++
		b.Mean += s.support
		if s.positive() {
			b.Share++
		}
	}
	for i := range bins {
		if n := float64(bins[i].Count); n > 0 {
			bins[i].Mean /= n
			bins[i].Share /= n
		}
	}
	return bins
}
