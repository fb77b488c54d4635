package attribute_test

import (
	"fmt"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
)

func text(s string) []ibid.Passage {
	return []ibid.Passage{{Rank: 1, Chunk: ibid.Chunk{At: ibid.Anchor{Document: "d", Span: ibid.Span{Start: 100, End: 100 + len(s)}}, Text: s}}}
}

// TestReaderTellsDenialFromSilence holds the order that matters: a text that denies a claim comes before one that says
// nothing of it, and before one that says the same.
func TestReaderTellsDenialFromSilence(t *testing.T) {
	for _, c := range []struct{ claim, denies, silent, agrees string }{
		{"The tunnel has 40 emergency exits.", "The tunnel has 14 emergency exits.", "The choir sang in the old church.", "The tunnel has 40 emergency exits."},
		{"Exports of timber rose last spring.", "Exports of timber fell last spring.", "A tunnel was dug under the hill.", "Last spring exports of timber rose."},
		{"The inspectors found lead in the water.", "The inspectors did not find lead in the water.", "Timber is sold by the metre.", "In the water the inspectors found lead."},
		{"The treaty was signed in October 1648.", "The treaty was signed in August 1648.", "Inspectors visited the kitchens.", "In October 1648 the treaty was signed."},
	} {
		p := func(evidence string) float64 {
			p, _, _ := attribute.Reader{}.Contradiction(text(evidence), c.claim)
			if p <= 0 || p >= 1 {
				t.Errorf("%s: %v is no probability", c.claim, p)
			}
			return p
		}
		if denies, silent, agrees := p(c.denies), p(c.silent), p(c.agrees); denies <= silent || denies <= agrees {
			t.Errorf("%s: denied %.2f, not mentioned %.2f, said %.2f", c.claim, denies, silent, agrees)
		}
	}
}

func TestReaderPointsAtWhatItRead(t *testing.T) {
	claim, evidence := "The tunnel has 40 emergency exits.", "It rained. The tunnel has 14 emergency exits. It rained again."
	_, at, denied := attribute.Reader{}.Contradiction(text(evidence), claim)
	if got := at.Span.Shift(-100).In(evidence); at.Document != "d" || got != "The tunnel has 14 emergency exits." {
		t.Errorf("read %q", got)
	}
	if len(denied) != 1 || denied[0].Kind != "number" || denied[0].Of.In(claim) != "40" || denied[0].To.Span.Shift(-100).In(evidence) != "14" {
		t.Errorf("%+v", denied)
	}
	if _, at, denied := (attribute.Reader{}).Contradiction(nil, claim); !at.Span.Empty() || denied != nil {
		t.Errorf("denied by nothing: %v %v", at, denied)
	}
}

// TestReaderWithout holds that the sets which the weights were learned from have weights of their own that saw nothing of
// them, and that any other name gives the whole.
func TestReaderWithout(t *testing.T) {
	evidence, claim := text("The firm of Lyngby supplied 14 turbines in spring, and prices fell."), "Prices rose when Ostergaard supplied 41 turbines."
	p := func(without string) float64 {
		p, _, _ := attribute.Reader{Without: without}.Contradiction(evidence, claim)
		return p
	}
	if p("fm2") == p("") || p("summedits") == p("") || p("fm2") == p("summedits") || p("healthver") != p("") {
		t.Errorf("all %v, without fm2 %v, summedits %v, healthver %v", p(""), p("fm2"), p("summedits"), p("healthver"))
	}
}

func ExampleReader_Contradiction() {
	p, _, denied := attribute.Reader{}.Contradiction(text("The tunnel has 14 emergency exits."), "The tunnel has 40 emergency exits.")
	fmt.Println(p > 0.3, denied[0].Kind, denied[0].Reason)
	// Output: true number says "40", the source says "14"
}
