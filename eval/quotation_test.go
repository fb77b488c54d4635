package eval_test

import (
	"os"
	"testing"

	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/eval"
	"github.com/ibid-dev/ibid/internal/testdata"
)

// What stands in a source to the letter has a support of at least 0.97. This prints how often people say so too, and
// fails where the probability promises more than that.
func TestQuotationsAreSupported(t *testing.T) {
	const quotation = 0.9695 // 0.97 as it is after rounding
	engine := attribute.New(attribute.Config{Claims: attribute.IsClaim})
	all, held := 0, 0
	for _, file := range []string{"eval/lfqa", "eval/factscore", "eval/aggrefact", "train/attributionbench_nolfqa", "train/gensearch"} {
		f, err := os.Open(testdata.Path(t, "attribution/"+file+".dev.jsonl.gz"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for rec, err := range eval.Read(f) {
			if err != nil {
				t.Fatal(err)
			}
			task, err := eval.Prepare(rec.Line, eval.Runes)
			if err != nil {
				t.Fatal(err)
			}
			findings, err := task.Findings(t.Context(), engine)
			if err != nil {
				t.Fatal(err)
			}
			for i, s := range eval.NewResult(rec.Line, task, findings, eval.Runes).Segments {
				if s.Support < quotation {
					continue
				}
				all++
				if rec.Segments[i].Label == eval.Supported {
					held++
				}
			}
		}
	}
	t.Logf("%d quotations to the letter, %d labelled supported", all, held)
	if all < 350 || float64(held) < 0.97*float64(all) {
		t.Error("a probability of 0.97 promises too much")
	}
}
