// Package experiment is the arithmetic of learning from use: who sees which of two settings, what may be concluded and
// when, how far feedback says that confidences can be believed. It asks no clock and no chance.
//
//	arm := experiment.Assign("shorter-passages", "conversation-7")
//	result := experiment.Compare(pairs, experiment.Rule{})
//	result.Decision // running, a, b or none
//
// A comparison may be looked at after every answer. That is what the rule is for: a test that is looked at again and again
// until it says something says something in the end. Here the chance of ever naming a winner where there is none is at
// most Alpha, however often and however long it is looked at.
package experiment

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"
)

// Arm is one of the two settings.
type Arm string

// The arms. A is what was there before.
const (
	A Arm = "a"
	B Arm = "b"
)

// Assign gives the arm of a unit: always the same for the same unit, half of them each, and independent from one
// experiment to the next.
func Assign(experiment, unit string) Arm {
	sum := sha256.Sum256([]byte(experiment + "\x00" + unit))
	if binary.BigEndian.Uint64(sum[:])&1 == 0 {
		return A
	}
	return B
}

// Pair is what one unit gave under both settings, each within [0,1].
type Pair struct {
	A, B float64
}

// Rule says when a comparison ends. The zero value of each field is its default.
type Rule struct {
	// Alpha bounds the chance of naming a winner where there is none. Defaults to 0.05.
	Alpha float64
	// Least is how many pairs there must be before a winner is named. Defaults to 20.
	Least int
	// Most is how many pairs are looked at before it ends without a winner. Defaults to 2,000.
	Most int
}

// Decision is what a comparison has come to.
type Decision string

// The decisions.
const (
	Running Decision = "running"
	WinsA   Decision = "a"
	WinsB   Decision = "b"
	None    Decision = "none" // it ended, and no difference was found
)

// Result is what is known of a comparison.
type Result struct {
	Pairs      int      `json:"pairs"`
	MeanA      float64  `json:"mean_a"`
	MeanB      float64  `json:"mean_b"`
	Difference float64  `json:"difference"` // of B over A
	Interval   Interval `json:"interval"`   // of the difference, 95 %, as if it were looked at once
	SignTest   float64  `json:"sign_test"`  // exact, two-sided: the chance of as many pairs on one side where there is no difference
	Evidence   float64  `json:"evidence"`   // the most there was against "no difference"; 20 is enough at 5 %
	Decision   Decision `json:"decision"`
	DecidedAt  int      `json:"decided_at,omitempty"` // the pair at which it was decided
}

// Interval holds a value with a stated chance.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Compare looks at pairs in their order and decides by the rule. What was decided at a pair stays: pairs behind it change
// the means and not the decision.
func Compare(pairs []Pair, rule Rule) Result {
	alpha, least, most := orDefault(rule.Alpha, 0.05), orDefault(rule.Least, 20), orDefault(rule.Most, 2000)
	r := Result{Pairs: len(pairs), Decision: Running, SignTest: 1}
	var bet wager
	bet.begin()
	var sum, squares float64
	up, down := 0, 0
	for i, p := range pairs {
		d := p.B - p.A
		r.MeanA += p.A
		r.MeanB += p.B
		sum += d
		squares += d * d
		switch {
		case d > 0:
			up++
		case d < 0:
			down++
		}
		if r.Decision != Running {
			continue
		}
		worth := bet.add(d)
		r.Evidence = max(r.Evidence, worth)
		switch n := i + 1; {
		case n >= least && worth >= 1/alpha:
			r.Decision, r.DecidedAt = WinsA, n
			if sum > 0 {
				r.Decision = WinsB
			}
		case n >= most:
			r.Decision, r.DecidedAt = None, n
		}
	}
	if n := float64(len(pairs)); n > 0 {
		r.MeanA, r.MeanB, r.Difference = r.MeanA/n, r.MeanB/n, sum/n
		r.SignTest = signTest(up, down)
		r.Interval = Interval{-1, 1}
		if n > 1 {
			spread := math.Sqrt(max(squares-sum*sum/n, 0) / (n - 1) / n)
			r.Interval = Interval{r.Difference - student(len(pairs)-1)*spread, r.Difference + student(len(pairs)-1)*spread}
		}
	}
	return r
}

// stakes are the shares of what it has that a wager puts on each pair.
var stakes = [...]float64{0.02, 0.05, 0.1, 0.2, 0.4, 0.8}

// wager bets, with several stakes on either side, that differences within [-1,1] do not average to 0. Where they do, what
// it has is worth 1 on average at all times, so that the chance of ever having 1/alpha is at most alpha (Ville's
// inequality). That holds whenever it is looked at.
type wager struct {
	up, down [len(stakes)]float64
}

func (w *wager) begin() {
	for i := range stakes {
		w.up[i], w.down[i] = 1, 1
	}
}

func (w *wager) add(d float64) float64 {
	d = min(max(d, -1), 1)
	total := 0.0
	for i, s := range stakes {
		w.up[i] = min(w.up[i]*(1+s*d), math.MaxFloat32)
		w.down[i] = min(w.down[i]*(1-s*d), math.MaxFloat32)
		total += w.up[i] + w.down[i]
	}
	return total / float64(2*len(stakes))
}

// signTest is the two-sided exact test that pairs fall on either side equally often.
func signTest(up, down int) float64 {
	n, k := up+down, min(up, down)
	if n == 0 {
		return 1
	}
	tail := 0.0
	for i := 0; i <= k; i++ {
		tail += math.Exp(choose(n, i) - float64(n)*math.Ln2)
	}
	return min(1, 2*tail)
}

// choose is the logarithm of n over k.
func choose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}

// student is the 97.5 % quantile of Student's distribution, by the expansion of Cornish and Fisher.
func student(df int) float64 {
	const z = 1.959963984540054
	switch n := float64(df); df {
	case 1:
		return 12.706
	case 2:
		return 4.303
	case 3:
		return 3.182
	default:
		return z + (z*z*z+z)/(4*n) + (5*math.Pow(z, 5)+16*z*z*z+3*z)/(96*n*n)
	}
}

func orDefault[T int | float64](v, fallback T) T {
	if v > 0 {
		return v
	}
	return fallback
}

// Wilson is the 95 % interval of a share that was seen k times in n.
func Wilson(k, n int) Interval {
	if n == 0 {
		return Interval{0, 1}
	}
	const z = 1.959963984540054
	N, p := float64(n), float64(k)/float64(n)
	mid := (p + z*z/(2*N)) / (1 + z*z/N)
	half := z / (1 + z*z/N) * math.Sqrt(p*(1-p)/N+z*z/(4*N*N))
	return Interval{max(mid-half, 0), min(mid+half, 1)}
}

// Trust is how far links that people looked at turned out to be right: one half where nobody looked, and moved from there
// by each verdict.
func Trust(right, wrong int) float64 { return (float64(right) + 1) / (float64(right+wrong) + 2) }

// Judged is a confidence, and whether people found that it held.
type Judged struct {
	Confidence float64
	Right      bool
}

// Bin is a range of confidences and how often what was said with them held.
type Bin struct {
	Low        float64  `json:"low"`
	High       float64  `json:"high"`
	Count      int      `json:"count"`
	Confidence float64  `json:"confidence"` // on average
	Right      float64  `json:"right"`      // the share that held
	Interval   Interval `json:"interval"`   // of that share
}

// Reliability puts judgements into ten ranges of confidence, leaving out those without one. The error is the difference
// between what was said and what held, on average over all of them.
func Reliability(all []Judged) (bins []Bin, err float64) {
	sorted := slices.SortedFunc(slices.Values(all), func(a, b Judged) int { return cmp.Compare(a.Confidence, b.Confidence) })
	for low := range 10 {
		b := Bin{Low: float64(low) / 10, High: float64(low+1) / 10}
		right := 0
		for _, j := range sorted {
			if min(int(j.Confidence*10), 9) != low {
				continue
			}
			b.Count++
			b.Confidence += j.Confidence
			if j.Right {
				right++
			}
		}
		if b.Count == 0 {
			continue
		}
		b.Confidence /= float64(b.Count)
		b.Right, b.Interval = float64(right)/float64(b.Count), Wilson(right, b.Count)
		err += math.Abs(b.Confidence-b.Right) * float64(b.Count) / float64(len(all))
		bins = append(bins, b)
	}
	return bins, err
}
