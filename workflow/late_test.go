package workflow_test

import (
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
