package workflow_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/cite/argument"
	"github.com/ibid-dev/ibid/cite/dossier"
	"github.com/ibid-dev/ibid/conflict"
	"github.com/ibid-dev/ibid/llm/llmtest"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/workflow"
)

func newArguer(t *testing.T) (*workflow.Arguer, *sqlite.Store) {
	t.Helper()
	asker, store := sampleAsker(t)
	return &workflow.Arguer{Thinker: &workflow.Thinker{Asker: asker}, Conflicts: conflict.New(attribute.Reader{}, conflict.Config{})}, store
}

func argued(t *testing.T, r *workflow.Arguer, claim string) (ibid.Answer, argument.Argument) {
	t.Helper()
	var a ibid.Answer
	for e, err := range r.Argue(t.Context(), workflow.Question{Text: claim}) {
		if err != nil {
			t.Fatal(err)
		}
		a = e.Answer
	}
	arg, err := r.Map(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	return a, arg
}

// The sample library disagrees on how many messages passed: one source is for the claim, the other against it, and the two
// are a contradiction with both numbers.
func TestArgueFindsBothSides(t *testing.T) {
	r, store := newArguer(t)
	a, arg := argued(t, r, "The cable of 1858 carried 732 messages")
	holds(t, store, a)
	says := func(s argument.Stance, words string) string {
		for _, st := range arg.Side(s) {
			if strings.Contains(st.Text, words) {
				return st.ID
			}
		}
		return ""
	}
	pro, con := says(argument.Proponent, "732 messages"), says(argument.Opponent, "400 messages")
	if pro == "" || con == "" || says(argument.Proponent, "400 messages") != "" || says(argument.Opponent, "732 messages") != "" {
		t.Fatalf("sides: %+v", arg.Statements)
	}
	found := false
	for _, f := range arg.Findings {
		if f.Kind == "contradiction" && f.A.Statement == pro && f.B.Statement == con && f.A.Words == "732" && f.B.Words == "400" {
			found = true
		}
	}
	if !found {
		t.Errorf("the contradiction is no finding: %+v", arg.Findings)
	}
	for _, st := range arg.Statements {
		if st.Stance != argument.Synthesis && len(st.Places) == 0 {
			t.Errorf("%s has no citation: %s", st.ID, st.Text)
		}
		for _, p := range st.Places {
			stands(t, store, dossier.Place{At: p.At, Quote: p.Quote})
		}
		if v := st.Map.Validate(); !v.Valid {
			t.Errorf("%s: %v", st.ID, v.Errors)
		}
	}
}

// What a model makes up for its side is not supported and has no strength, and is a finding where one is needed.
func TestArgueWithAModelThatMakesThingsUp(t *testing.T) {
	r, store := newArguer(t)
	model := &llmtest.Scripted{Reply: func(p ibid.Prompt) []llmtest.Step {
		return []llmtest.Step{{Delta: ibid.Delta{Text: "{{rag:It carried 9,999 messages to the moon[CTX 1].}} In all 732 messages passed through the cable in about three weeks. [CTX 44]", Model: "m"}}}
	}}
	r.Thinker.Planner, r.Thinker.Asker.Model = model, model
	a, arg := argued(t, r, "The cable of 1858 carried 732 messages")
	holds(t, store, a)
	gap := false
	for _, st := range arg.Statements {
		if strings.Contains(st.Text, "9,999") && (st.Status == argument.Supported || st.Status == argument.Verified || st.Strength > 0.5) {
			t.Errorf("what was made up stands: %+v", st)
		}
	}
	for _, f := range arg.Findings {
		gap = gap || f.Kind == "gap" && f.Severity == "high" && strings.Contains(f.A.Words, "9,999") || f.Kind == "weak link" && strings.Contains(f.A.Words, "9,999")
	}
	if !gap {
		t.Errorf("findings %+v", arg.Findings)
	}
}

func TestAnEmptyClaimIsRefused(t *testing.T) {
	r, _ := newArguer(t)
	for _, err := range r.Argue(t.Context(), workflow.Question{Text: "  "}) {
		if !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("%v", err)
		}
	}
}

func TestAClaimOfWhichTheLibraryKnowsNothing(t *testing.T) {
	r, store := newArguer(t)
	a, arg := argued(t, r, "Quarks have colour charge")
	holds(t, store, a)
	if arg.Weighed.For+arg.Weighed.Against != 0 || len(arg.Findings) < 2 {
		t.Errorf("%+v", arg)
	}
}

// A sentence that shares words with a claim says nothing for it or against it, however many they are, and a "not" of which
// the claim knows nothing does not deny it.
func TestWhatOnlyTouchesAClaimIsOnNeitherSide(t *testing.T) {
	r, store := newArguer(t)
	for _, test := range []struct{ claim, pro, con, neither string }{
		{claim: "The moon is made of cheese"},
		{claim: "The cable of 1866 was a failure"},
		{claim: "The cable of 1858 carried 732 messages", con: "400 messages", neither: "words a minute"}, // the cables of other years
		{claim: "The directors dismissed Whitehouse", pro: "The directors dismissed Whitehouse on 17 August"},
		{claim: "Cyrus Field was an engineer", con: "Field was not an engineer", neither: "one of ten children"},
		{claim: "Whitehouse destroyed the cable of 1858", neither: "no training in mathematics"},
		{claim: "The first transatlantic cable was laid in 1866", con: "The first transatlantic cable was completed on 5 August 1858", neither: "The mechanic at the wheel"},
	} {
		a, arg := argued(t, r, test.claim)
		holds(t, store, a)
		pro, con := "", ""
		for _, st := range arg.Side(argument.Proponent) {
			pro += st.Text + "\n"
		}
		for _, st := range arg.Side(argument.Opponent) {
			con += st.Text + "\n"
		}
		if !strings.Contains(pro, test.pro) || !strings.Contains(con, test.con) || test.neither != "" && strings.Contains(pro+con, test.neither) {
			t.Errorf("%s\nfor: %s\nagainst: %s", test.claim, pro, con)
		}
		if test.pro+test.con+test.neither == "" && (arg.Weighed.For != 0 || arg.Weighed.Against != 0) {
			t.Errorf("%s: for %.2f, against %.2f: %s%s", test.claim, arg.Weighed.For, arg.Weighed.Against, pro, con)
		}
	}
}
