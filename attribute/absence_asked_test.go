package attribute

import (
	"testing"

	"github.com/ibid-dev/ibid"
)

// TestAbsenceOfAnAnswer: what the passages are said not to tell is told where an amount or a date stands beside the words of the question. Whatever else is asked is left alone.
func TestAbsenceOfAnAnswer(t *testing.T) {
	const source = "A debt can stay on your credit report for seven years. An adult ticket for the tram costs $4. The east wing has 42 guest rooms. The stone bridge was opened in May 1931. " +
		"The harbour is deep, and parking is available. Repairs of the roof took a while. The trial ran for six weeks; the jury was paid."
	for s, denied := range map[string]bool{
		"The passages do not mention how long debt stays on a credit report.":          true,
		"However, the given passages don't specify how much a tram ticket costs.":      true,
		"None of the passages say how many guest rooms there are in the east wing.":    true,
		"It is not stated in the passages when the stone bridge was opened.":           true,
		"The passages do not mention how long the repairs of the roof took.":           false,
		"The passages do not mention how much parking costs.":                          false,
		"The passages do not mention how much the jury was paid for the trial.":        false,
		"The passages do not mention how deep the harbour is.":                         false,
		"The passages do not say when the east wing was built.":                        false,
		"The passages do not say how many harbour pilots there are.":                   false,
		"The passages do not mention how long it takes.":                               false,
		"The passages do not specify how long a late debt stays on a Canadian report.": false,
	} {
		f := one(t, s, source)
		if got := len(f.Segment.Contradicted) == 1 && f.Segment.Contradicted[0].Kind == "absence" && f.Segment.Support < 0.5; got != denied || !denied && f.Segment.Origin != ibid.NONE {
			t.Errorf("%q: denied %v, %s %v", s, got, f.Segment.Origin, f.Segment.Contradicted)
		}
	}
}

func FuzzAbsenceOfAnAnswer(f *testing.F) {
	for _, s := range []string{"", "The passages do not say how long it lasts.", "None of the sources mention when  x", "It's not clear how many, or how much."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if asks, at := saidNotToAnswer(s); asks != "" && (at.Empty() || at.Start < 0 || at.End > len(s)) {
			t.Fatalf("%q: topic at %v", s, at)
		}
	})
}
