package attribute

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
)

// TestAWordHereAndThereIsNoPart: a segment is part source where one place of a source has two of its words, not where two
// sources have one each.
func TestAWordHereAndThereIsNoPart(t *testing.T) {
	sources := []string{"The Velling octopus lives in cold water off the coast of Norway.", "In the aquarium three animals have been kept since 2019."}
	got := one(t, "Octopuses have three hearts and blue blood.", sources...)
	if got.Segment.Origin != ibid.LLM || len(got.Attributions) > 0 {
		t.Errorf("%s with %d citations: %q", got.Segment.Origin, len(got.Attributions), got.Segment.Reasons)
	}
	if got := one(t, "The octopus lives off Peru and has three hearts.", sources...).Segment; got.Origin != ibid.HYBRID {
		t.Errorf("%s: %q", got.Origin, got.Reasons)
	}
}

// TestReasonsAreOfWhatIsCited: the passage that a reason names is the one that is cited first.
func TestReasonsAreOfWhatIsCited(t *testing.T) {
	const deposit = "The deposit may not exceed three months' rent. It is kept in a separate account in the tenant's name and must be returned within one month after the end of the lease, less what the tenant owes. The landlord bears the bank's fees. Interest belongs to the tenant. Disputes are heard by the rent tribunal."
	got := one(t, "Your deposit must be paid back within one month.",
		"A tenant may terminate an open-ended lease at any time by giving three months' notice in writing. The landlord may terminate only for a lawful reason, such as own use, serious breach or demolition, and must give six months' notice; after five years of tenancy the period is nine months. Notice by e-mail is valid only if both parties have agreed to it. A lease for a fixed term ends without notice.",
		deposit,
		"Before you give notice, read your contract: some contracts require the first day of a month. Send the letter by registered mail and keep the receipt. Offer the landlord a date to view the flat. You need not paint the walls unless you painted them in loud colours. If you leave early, you must pay rent until a new tenant moves in, for three months at most.")
	if len(got.Attributions) == 0 {
		t.Fatal("nothing is cited")
	}
	if want := fmt.Sprintf("stands in passage %d", got.Attributions[0].Ref); !strings.HasSuffix(got.Segment.Reasons[0], want) {
		t.Errorf("passage %d is cited first: %q", got.Attributions[0].Ref, got.Segment.Reasons)
	}
	// The nearest window is passage 1's, which has more of the words: the share is not its own.
	if alone := one(t, "Your deposit must be paid back within one month.", deposit).Segment.Reasons[0]; !strings.HasPrefix(alone, strings.Fields(got.Segment.Reasons[0])[0]+" %") {
		t.Errorf("%q beside other passages, %q alone", got.Segment.Reasons[0], alone)
	}
}

// TestACheckHoldsForTheSourceThatIsCited: a segment that cites a source which does not say it is not confirmed by another
// that does.
func TestACheckHoldsForTheSourceThatIsCited(t *testing.T) {
	passages := []ibid.Passage{passage(1, "The reef was described in 2016 by Marta Eide."), passage(2, "Admission is free on Mondays.")}
	for ref, want := range map[int]string{1: "claimed RAG, and the check holds", 2: "claimed RAG, found in another source than the one it cites"} {
		d := draft("The reef was described by Marta Eide in 2016.")
		d.Claimed = &ibid.Claimed{Origin: ibid.RAG, Refs: []int{ref}}
		for f, err := range engine().Attribute(context.Background(), passages, each(d)) {
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Contains(f.Segment.Reasons, want) {
				t.Errorf("cites %d: %q", ref, f.Segment.Reasons)
			}
		}
	}
}

// TestWordsInDoubtAreNamed: words that no source has are named until the segment is well supported, also where it rests on a
// source already.
func TestWordsInDoubtAreNamed(t *testing.T) {
	ps := []ibid.Passage{passage(1, "The landing was completed on 5 August 1858. The engineers were glad of it.")}
	named := map[ibid.Origin]int{}
	for p := 0.0; p <= 1; p += 0.02 {
		var asked []ibid.Pair
		for f, err := range New(Config{Judge: saying{p, &asked, nil}, Always: true}).Attribute(t.Context(), ps, each(draft("The landing was finished early in August 1858, and engineers rejoiced in Valentia."))) {
			if err != nil {
				t.Fatal(err)
			}
			s := f.Segment
			if got := len(s.Unsupported) > 0; got != (s.Support < doubtful) {
				t.Errorf("support %.2f, words named: %v", s.Support, got)
			}
			if len(s.Unsupported) > 0 {
				named[s.Origin]++
			}
		}
	}
	if named[ibid.RAG] == 0 || named[ibid.HYBRID] == 0 {
		t.Errorf("words were named in segments of these origins: %v", named)
	}
}

// TestSpansEndAtWholeTokens: words without support are named with all that is joined with them.
func TestSpansEndAtWholeTokens(t *testing.T) {
	for _, c := range []struct{ answer, source, span string }{
		{"The Rovers beat the visitors from the coast 8–1 at home.", "The Rovers beat the visitors from the coast 8–0 at home.", "8–1"},
		{"The ferry office in the harbour opens Mon–Wed for visitors.", "The ferry office in the harbour opens Mon–Fri for visitors.", "Mon–Wed"},
		{"The ferry office in the harbour charges $144 for visitors.", "The ferry office in the harbour charges visitors.", "$144"},
	} {
		f := one(t, c.answer, c.source).Segment
		var got []string
		for _, at := range f.Unsupported {
			got = append(got, at.In(c.answer))
		}
		if !slices.Contains(got, c.span) {
			t.Errorf("%q: %q, not %q", c.answer, got, c.span)
		}
	}
	for text, want := range map[string]string{"東京タワー": "京", "so—8 is": "8", "(8)": "8", "at 8, or": "8", "8.": "8", "5–8%": "5–8%"} {
		i := strings.IndexAny(text, "京8")
		_, n := utf8.DecodeRuneInString(text[i:])
		if got := joinedWord(text, ibid.Span{Start: i, End: i + n}).In(text); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}
