package workflow_test

import (
	"context"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/workflow"
)

// What a footnote meant is told where its words stand in what is shown, also behind a sentence that was taken out.
func TestLateFootnotesFollowTheirWords(t *testing.T) {
	for _, hold := range []string{"nothing", "answer", "segment"} {
		policy := "outcome = \"repair\"\nhold = \"" + hold + "\""
		if hold == "nothing" {
			policy = "outcome = \"warn\"\nhold = \"nothing\""
		}
		asker, _ := newAsker(script{pieces: []string{unsaid + " " + landing + "[^1] ", "More.\n\n", "[^1]: [CTX 1]\n"}}, shelf{passages: []ibid.Passage{passage(1, landing)}})
		p, err := gate.Parse([]byte(policy), "")
		if err != nil {
			t.Fatal(err)
		}
		asker.Gate = workflow.Gate{Policy: &p}
		text, told := "", 0
		var at ibid.Span
		for e, err := range asker.Ask(t.Context(), workflow.Question{Text: "When?"}) {
			if err != nil {
				t.Fatal(err)
			}
			text += e.Text
			if e.Kind == workflow.Referred {
				told, at = told+1, e.Of
			}
		}
		if told != 1 || at.End > len(text) || at.In(text) != landing[len(landing)-at.Len():] {
			t.Errorf("%s: told %d times, of %v in %q", hold, told, at, text)
		}
	}
}

// deltas is a model that gives these.
type deltas []ibid.Delta

func (d deltas) Generate(context.Context, ibid.Prompt) iter.Seq2[ibid.Delta, error] {
	return func(yield func(ibid.Delta, error) bool) {
		for _, one := range d {
			if !yield(one, nil) {
				return
			}
		}
	}
}

// A provider's citation of a whole block comes with the block's end. Where nothing was shown by then, it counts for the first sentence of
// the block, too; a segment that was shown stays as it was decided.
func TestLateCitationsReviseNothingThatWasShown(t *testing.T) {
	given := passage(1, landing)
	text := landing + " " + unsaid + " "
	cite := ibid.Cite{Of: ibid.Span{End: len(text)}, To: given.Chunk.At}
	for hold, want := range map[string]ibid.Trust{"nothing": ibid.Quoted, "segment": ibid.Quoted, "answer": ibid.Provided} {
		outcome := "repair"
		if hold == "nothing" {
			outcome = "warn"
		}
		p, err := gate.Parse([]byte("outcome = \""+outcome+"\"\nhold = \""+hold+"\""), "")
		if err != nil {
			t.Fatal(err)
		}
		asker, _ := newAsker(script{}, shelf{passages: []ibid.Passage{given}})
		asker.Model = deltas{{Text: text, Model: "script"}, {Cites: []ibid.Cite{cite}}, {Text: "More of it."}}
		asker.Gate = workflow.Gate{Policy: &p}
		var shown, kept []ibid.Trust
		for e, err := range asker.Ask(t.Context(), workflow.Question{Text: "When?"}) {
			if err != nil {
				t.Fatal(err)
			}
			if e.Kind == workflow.Decided && len(e.Finding.Attributions) > 0 {
				shown = append(shown, e.Finding.Attributions[0].Trust)
			}
			if e.Kind == workflow.Done {
				for _, a := range e.Answer.Attributions {
					kept = append(kept, a.Trust)
				}
			}
		}
		if len(shown) == 0 || shown[0] != want || len(kept) == 0 || kept[0] != want {
			t.Errorf("%s: shown on %v, kept on %v, want %v", hold, shown, kept, want)
		}
	}
}

// Where the gate holds by segment, a citation that comes late counts for what still waits: it is decided anew, and what passes now is shown.
// What was shown stays, and is no reason to say of the rest that the source does not support it.
func TestLateCitationsCountForWhatIsHeld(t *testing.T) {
	given := passage(1, landing)
	for name, c := range map[string]struct {
		policy, text string
		of           ibid.Span // what is cited, behind all text
		want         string    // what is shown
		refused      bool
		rungs        []ibid.Trust // of what is shown, as it is kept
	}{
		"what waits is let out": {"outcome = \"block\"\nhold = \"segment\"\ntrust = \"provider\"", landing + " " + landing + " ",
			ibid.Span{End: 2*len(landing) + 1}, landing + " " + landing, false, []ibid.Trust{ibid.Provided, ibid.Provided}},
		"what is not cited is not": {"outcome = \"block\"\nhold = \"segment\"\ntrust = \"provider\"", landing + " " + unsaid + " ",
			ibid.Span{End: len(landing)}, landing, true, []ibid.Trust{ibid.Provided}},
		"what the source does not say is not": {"outcome = \"block\"\nhold = \"segment\"\ntrust = \"provider\"", unsaid + " " + landing + " ",
			ibid.Span{End: len(unsaid)}, "", true, nil},
		"what was shown stays": {"outcome = \"block\"\nhold = \"segment\"\nthreshold = 0.5\ntrust = \"quote\"", landing + " " + unsaid + " " + landing + " ",
			ibid.Span{End: 2*len(landing) + len(unsaid) + 2}, landing + " " + unsaid + " " + landing, false, []ibid.Trust{ibid.Quoted, ibid.Quoted}},
	} {
		p, err := gate.Parse([]byte(c.policy), "")
		if err != nil {
			t.Fatal(err)
		}
		asker, _ := newAsker(script{}, shelf{passages: []ibid.Passage{given}})
		asker.Model = deltas{{Text: c.text, Model: "script"}, {Text: "\n\n"}, {Cites: []ibid.Cite{{Of: c.of, To: given.Chunk.At}}}}
		asker.Gate = workflow.Gate{Policy: &p}
		shown, refused := "", false
		var kept ibid.Answer
		for e, err := range asker.Ask(t.Context(), workflow.Question{Text: "When?"}) {
			if err != nil {
				_, refused = workflow.Refused(err)
				if !refused {
					t.Fatal(err)
				}
			}
			switch e.Kind {
			case workflow.Text:
				shown += e.Text
			case workflow.Done:
				kept = e.Answer
			}
		}
		var rungs []ibid.Trust
		for _, a := range kept.Attributions {
			rungs = append(rungs, a.Trust)
		}
		if strings.TrimSpace(shown) != c.want || strings.TrimSpace(kept.Text) != c.want || refused != c.refused || !slices.Equal(rungs, c.rungs) {
			t.Errorf("%s: shown %q, kept %q, refused %v, on %v", name, shown, kept.Text, refused, rungs)
		}
		for _, s := range kept.Segments {
			if s.Origin == ibid.RAG && strings.Contains(strings.Join(s.Reasons, " "), "the provider cites") {
				t.Errorf("%s: %v", name, s.Reasons)
			}
		}
	}
}
