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
	if i := experiment.Wilson(0, 0); i.Low != 0 || i.High != 1 {
		t.Errorf("nothing seen: %v", i)
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
