package llm_test

import (
	"errors"
	"math"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/llm"
	"github.com/ibid-dev/ibid/llm/llmtest"
)

// TestJudgeByModel: whatever a model replies, the judgement holds probabilities that sum to 1, or there is an error.
func TestJudgeByModel(t *testing.T) {
	for reply, want := range map[string]float64{
		"supported 0.9 contradicted 0.05":     0.9,
		"Supported: 0.2, contradicted: 0.7\n": 0.2,
		"Sure!\nsupported .4 contradicted 0":  0.4,
		"supported 1 contradicted 1":          0.5,
		"Yes, it is supported.":               -1,
		"":                                    -1,
		"supported 0,9 contradicted 0,1":      -1,
	} {
		got, err := llm.Judge{Model: llmtest.Says(reply)}.Judge(t.Context(), []ibid.Pair{{Evidence: "e", Claim: "c"}})
		if want < 0 {
			if !errors.Is(err, ibid.ErrInvalid) {
				t.Errorf("%q: got %v, %v; want ErrInvalid", reply, got, err)
			}
			continue
		}
		if err != nil || len(got) != 1 || math.Abs(got[0].Supported-want) > 1e-9 || math.Abs(got[0].Supported+got[0].Unsupported+got[0].Contradicted-1) > 1e-9 {
			t.Errorf("%q: got %v, %v; want supported %v", reply, got, err, want)
		}
	}
}
