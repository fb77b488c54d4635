package eval_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/eval"
)

const labelledDenials = `{"id":"1","answer":"aaa bbb","sources":[{"id":"s","text":"x"}],"segments":[{"start":0,"end":3,"label":"contradicted"},{"start":4,"end":7,"label":"supported"}]}
{"id":"2","answer":"ccc ddd","sources":[{"id":"s","text":"x"}],"segments":[{"start":0,"end":3,"label":"unsupported"},{"start":4,"end":7,"label":"contradicted"}]}
`

func open(s string) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(s)), nil }
}

func TestMeasureConflict(t *testing.T) {
	says := map[string]float64{"aaa": 0.9, "bbb": 0.6, "ccc": 0.7, "ddd": 0.65}
	asked := map[string]bool{}
	by := func(set string) eval.Denier {
		asked[set] = true
		return func(_ context.Context, _ []ibid.Passage, claim string) (float64, int, error) {
			p := says[claim]
			return p, map[bool]int{true: 1}[p > 0.62], nil
		}
	}
	supported := strings.ReplaceAll(labelledDenials, "contradicted", "supported")
	r, err := eval.MeasureConflict(t.Context(), by, []eval.Set{{Name: "a", Open: open(labelledDenials)}, {Name: "b", Open: open(supported)}}, eval.Options{Draws: 20})
	if err != nil {
		t.Fatal(err)
	}
	// Of the pairs aaa and ddd against bbb and ccc, three of four are in order.
	a, b := r.Sets[0], r.Sets[1]
	if a.AUROC.Value != 0.75 || *a.Found != 1 || *a.Alarms != 0 || a.Denied != 2 || !asked["a"] || !asked["b"] {
		t.Errorf("%+v", a)
	}
	// A set without contradictions has no AUROC and counts in neither mean.
	if b.AUROC != nil || b.Found != nil || *b.Alarms != 0.6667 || r.Mean != 0.75 || r.All.Segments != 4 {
		t.Errorf("%+v, mean %v, all %+v", b, r.Mean, r.All)
	}
	var out strings.Builder
	if err := r.WriteText(&out); err != nil || !strings.Contains(out.String(), "mean of sets") || !strings.Contains(out.String(), "66.7 %") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

func TestMeasureConflictNamesWhatIsWrong(t *testing.T) {
	broken := errors.New("out of order")
	by := func(string) eval.Denier {
		return func(context.Context, []ibid.Passage, string) (float64, int, error) { return 0, 0, broken }
	}
	if _, err := eval.MeasureConflict(t.Context(), by, []eval.Set{{Name: "a", Open: open(labelledDenials)}}, eval.Options{}); !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "a: ") {
		t.Error(err)
	}
	if _, err := eval.MeasureConflict(t.Context(), by, []eval.Set{{Name: "a", Open: open("")}}, eval.Options{}); !errors.Is(err, ibid.ErrInvalid) {
		t.Error(err)
	}
	if _, err := eval.MeasureConflict(t.Context(), by, nil, eval.Options{}); !errors.Is(err, ibid.ErrInvalid) {
		t.Error(err)
	}
}
