package experiment_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ibid-dev/ibid/experiment"
)

// Two settings that are the same are told apart in at most 5 % of the experiments, though each is looked at after every
// pair.
func TestNoWinnerWhereThereIsNone(t *testing.T) {
	for name, draw := range map[string]func(*rand.Rand) experiment.Pair{
		"yes or no": func(r *rand.Rand) experiment.Pair {
			return experiment.Pair{A: float64(r.IntN(2)), B: float64(r.IntN(2))}
		},
		"shares": func(r *rand.Rand) experiment.Pair { return experiment.Pair{A: r.Float64(), B: r.Float64()} },
		"seldom off": func(r *rand.Rand) experiment.Pair {
			return experiment.Pair{A: b2f(r.IntN(20) == 0), B: b2f(r.IntN(20) == 0)}
		},
	} {
		r := rand.New(rand.NewPCG(1, 2))
		const runs = 2000
		alarms := 0
		for range runs {
			pairs := make([]experiment.Pair, 500)
			for i := range pairs {
				pairs[i] = draw(r)
			}
			if d := experiment.Compare(pairs, experiment.Rule{}).Decision; d == experiment.WinsA || d == experiment.WinsB {
				alarms++
			}
		}
		share := float64(alarms) / runs
		t.Logf("%s: %.1f %% false alarms in %d A/A experiments", name, 100*share, runs)
		if share > 0.05 {
			t.Errorf("%s: %.1f %% false alarms", name, 100*share)
		}
	}
}

func b2f(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func TestWinnerIsFound(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	found, pairsNeeded := 0, 0
	for range 200 {
		var pairs []experiment.Pair
		for range 1000 {
			a := r.Float64() * 0.8
			pairs = append(pairs, experiment.Pair{A: a, B: min(a+0.3*r.Float64(), 1)})
		}
		res := experiment.Compare(pairs, experiment.Rule{})
		if res.Decision == experiment.WinsB {
			found++
			pairsNeeded += res.DecidedAt
		}
		if res.Interval.Low < 0.12 || res.Interval.High > 0.18 || res.SignTest > 0.001 {
			t.Fatalf("result %+v", res)
		}
	}
	if found != 200 {
		t.Errorf("found %d of 200", found)
	}
	t.Logf("decided after %d pairs on average", pairsNeeded/max(found, 1))
}

// What was decided stays decided, and the order in which it is asked does not matter: the first n pairs say the same.
func TestDecisionStays(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var pairs []experiment.Pair
	decided := experiment.Result{Decision: experiment.Running}
	for range 400 {
		pairs = append(pairs, experiment.Pair{A: r.Float64(), B: min(1, r.Float64()+0.3)})
		now := experiment.Compare(pairs, experiment.Rule{})
		if decided.Decision != experiment.Running && (now.Decision != decided.Decision || now.DecidedAt != decided.DecidedAt) {
			t.Fatalf("decided %+v, then %+v", decided, now)
		}
		decided = now
	}
	if decided.Decision != experiment.WinsB {
		t.Errorf("got %+v", decided)
	}
	if d := experiment.Compare(make([]experiment.Pair, 2000), experiment.Rule{}).Decision; d != experiment.None {
		t.Errorf("no difference in 2,000 pairs is %s", d)
	}
}

// near holds a number against one that was computed elsewhere.
func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > within {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// The figures of a few pairs, by hand: differences of .3, .1, -.1 and .8.
func TestFiguresOfAFewPairs(t *testing.T) {
	pairs := []experiment.Pair{{A: 0.2, B: 0.5}, {A: 0.4, B: 0.5}, {A: 0.6, B: 0.5}, {A: 0.1, B: 0.9}}
	r := experiment.Compare(pairs, experiment.Rule{})
	near(t, "mean of A", r.MeanA, 0.325, 1e-9)
	near(t, "mean of B", r.MeanB, 0.6, 1e-9)
	near(t, "difference", r.Difference, 0.275, 1e-9)
	near(t, "low", r.Interval.Low, 0.275-3.182*0.193111, 1e-4)
	near(t, "high", r.Interval.High, 0.275+3.182*0.193111, 1e-4)
	near(t, "sign test", r.SignTest, 10./16, 1e-9)
	near(t, "sign test with a tie", experiment.Compare(append(pairs, experiment.Pair{}), experiment.Rule{}).SignTest, 10./16, 1e-9)
	if r.Pairs != 4 || r.Decision != experiment.Running || r.DecidedAt != 0 {
		t.Errorf("%+v", r)
	}
	if r := experiment.Compare(nil, experiment.Rule{}); r.SignTest != 1 || r.Interval != (experiment.Interval{}) {
		t.Errorf("of none: %+v", r)
	}
	if r := experiment.Compare(pairs[:1], experiment.Rule{}); r.Interval != (experiment.Interval{Low: -1, High: 1}) {
		t.Errorf("of one: %+v", r)
	}
}

// An interval is as many times the spread wide as tables of Student's distribution say.
func TestIntervalOfADifference(t *testing.T) {
	for n, want := range map[int]float64{2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 11: 2.228, 31: 2.042, 101: 1.984} {
		var pairs []experiment.Pair
		squares, mean := 0.0, float64(n/2)/float64(n)
		for i := range n {
			d := float64(i % 2)
			pairs = append(pairs, experiment.Pair{B: d})
			squares += (d - mean) * (d - mean)
		}
		r := experiment.Compare(pairs, experiment.Rule{})
		spread := math.Sqrt(squares / float64(n-1) / float64(n))
		near(t, fmt.Sprint(n, " pairs"), (r.Interval.High-r.Interval.Low)/2/spread, want, 0.02*want)
	}
}

// With the settings in each other's place all is the other way round, and nothing else.
func TestSwappedSettings(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 50 {
		var pairs, swapped []experiment.Pair
		shift := r.Float64() - 0.5
		for range 60 {
			p := experiment.Pair{A: r.Float64(), B: min(1, max(0, r.Float64()+shift))}
			pairs, swapped = append(pairs, p), append(swapped, experiment.Pair{A: p.B, B: p.A})
		}
		one, other := experiment.Compare(pairs, experiment.Rule{}), experiment.Compare(swapped, experiment.Rule{})
		turned := map[experiment.Decision]experiment.Decision{experiment.WinsA: experiment.WinsB, experiment.WinsB: experiment.WinsA, experiment.Running: experiment.Running}
		if other.Decision != turned[one.Decision] || other.DecidedAt != one.DecidedAt {
			t.Fatalf("%+v, and %+v", one, other)
		}
		near(t, "means", one.MeanA-other.MeanB, 0, 1e-9)
		near(t, "difference", one.Difference+other.Difference, 0, 1e-9)
		near(t, "interval", one.Interval.Low+other.Interval.High, 0, 1e-9)
		near(t, "sign test", one.SignTest-other.SignTest, 0, 1e-9)
		near(t, "evidence", one.Evidence/other.Evidence, 1, 1e-9)
	}
}

// Nobody wins before there are enough pairs, or with less evidence than the rule asks for, and what was most of it is told.
func TestRuleSaysWhenItEnds(t *testing.T) {
	clear := make([]experiment.Pair, 40)
	for i := range clear {
		clear[i].B = 1
	}
	for _, c := range []struct {
		rule     experiment.Rule
		at       int // the pair at which B wins
		evidence float64
	}{
		{experiment.Rule{}, 20, 20},
		{experiment.Rule{Least: 30}, 30, 20},
		{experiment.Rule{Least: 1}, 10, 20}, // a twelfth of 1.8^9 and the like is less
		{experiment.Rule{Least: 1, Alpha: 1e-4}, 20, 1e4},
	} {
		r := experiment.Compare(clear, c.rule)
		if r.Decision != experiment.WinsB || r.DecidedAt != c.at || r.Evidence < c.evidence {
			t.Errorf("%+v: %s at %d, evidence %v", c.rule, r.Decision, r.DecidedAt, r.Evidence)
		}
	}
	if r := experiment.Compare(clear, experiment.Rule{Most: 10}); r.Decision != experiment.None || r.DecidedAt != 10 {
		t.Errorf("ended by the most pairs: %+v", r)
	}
	early := experiment.Compare(clear[:15], experiment.Rule{})
	turned := append(append([]experiment.Pair{}, clear[:15]...), experiment.Pair{A: 1}, experiment.Pair{A: 1})
	if r := experiment.Compare(turned, experiment.Rule{}); r.Decision != experiment.Running || r.Evidence != early.Evidence {
		t.Errorf("%+v, after %+v", r, early)
	}
}

func TestAssignmentIsEvenAndStable(t *testing.T) {
	n := map[experiment.Arm]int{}
	both := 0
	for i := range 10_000 {
		unit := fmt.Sprint("unit ", i)
		arm := experiment.Assign("x", unit)
		n[arm]++
		if arm != experiment.Assign("x", unit) {
			t.Fatal("the same unit changes its arm")
		}
		if arm == experiment.Assign("y", unit) {
			both++
		}
	}
	if math.Abs(float64(n[experiment.A])-5000) > 200 || math.Abs(float64(both)-5000) > 200 {
		t.Errorf("%v, %d the same in another experiment", n, both)
	}
}

func TestIntervalsHoldAsOftenAsTheySay(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, p := range []float64{0.1, 0.5, 0.9} {
		held := 0
		for range 2000 {
			k := 0
			for range 60 {
				if r.Float64() < p {
					k++
				}
			}
			if i := experiment.Wilson(k, 60); i.Low <= p && p <= i.High {
				held++
			}
		}
		if share := float64(held) / 2000; share < 0.93 {
			t.Errorf("share %.1f lies in %.1f %% of the intervals", p, 100*share)
		}
	}
	for _, c := range []struct {
		k, n int
		want experiment.Interval
	}{{8, 10, experiment.Interval{Low: 0.4902, High: 0.9433}}, {0, 10, experiment.Interval{High: 0.2775}}, {10, 10, experiment.Interval{Low: 0.7225, High: 1}}} {
		i := experiment.Wilson(c.k, c.n)
		near(t, fmt.Sprint("low of ", c.k, " in ", c.n), i.Low, c.want.Low, 1e-4)
		near(t, fmt.Sprint("high of ", c.k, " in ", c.n), i.High, c.want.High, 1e-4)
	}
	if i := experiment.Wilson(0, 0); i.Low != 0 || i.High != 1 {
		t.Errorf("nothing seen: %v", i)
	}
}

// Every judgement is in one of the ten ranges, one of full confidence in the last.
func TestReliabilityOfAllConfidences(t *testing.T) {
	var all []experiment.Judged
	for i := range 101 {
		all = append(all, experiment.Judged{Confidence: float64(i) / 100, Right: i%2 == 0})
	}
	bins, _ := experiment.Reliability(all)
	count := 0
	for i, b := range bins {
		near(t, "low", b.Low, float64(i)/10, 1e-9)
		near(t, "high", b.High, float64(i+1)/10, 1e-9)
		if b.Confidence < b.Low || b.Confidence > b.High || b.Interval.Low > b.Right || b.Interval.High < b.Right {
			t.Errorf("%+v", b)
		}
		count += b.Count
	}
	if len(bins) != 10 || count != 101 {
		t.Errorf("%d in %d ranges", count, len(bins))
	}
}

func ExampleReliability() {
	bins, off := experiment.Reliability([]experiment.Judged{{0.95, true}, {0.95, true}, {0.95, false}, {0.95, true}, {0.45, false}, {0.45, true}})
	for _, b := range bins {
		fmt.Printf("said %.2f, held %.2f of %d\n", b.Confidence, b.Right, b.Count)
	}
	fmt.Printf("off by %.2f\n", off)
	// Output:
	// said 0.45, held 0.50 of 2
	// said 0.95, held 0.75 of 4
	// off by 0.15
}

func ExampleTrust() {
	fmt.Printf("%.2f %.2f %.2f\n", experiment.Trust(0, 0), experiment.Trust(8, 0), experiment.Trust(3, 5))
	// Output: 0.50 0.90 0.40
}
