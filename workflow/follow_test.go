package workflow_test

import (
	"context"
	"errors"
	"iter"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/workflow"
)

func both(context.Context) ([]ibid.Passage, error) {
	return []ibid.Passage{passage(1, landing), passage(2, spoke)}, nil
}

// cutUp cuts a text at places of chance, also within a character.
func cutUp(rt *rapid.T, text string) (pieces []string) {
	for len(text) > 0 {
		n := rapid.IntRange(1, len(text)).Draw(rt, "piece")
		pieces = append(pieces, text[:n])
		text = text[n:]
	}
	return pieces
}

// An answer that is followed is the one that Ask gives for the same words under the same policy: shown, decided and
// recorded the same, however it is cut.
func TestFollowIsAsk(t *testing.T) {
	text := landing + " [CTX 1] " + unsaid + "\n\n" + spoke + " [CTX 2] Ünd so."
	for _, policy := range []string{"", `name = "strict"`, "threshold = 0.5\nhold = \"segment\"", "outcome = \"repair\"\nhold = \"segment\"", "outcome = \"warn\""} {
		rapid.Check(t, func(rt *rapid.T) {
			pieces := cutUp(rt, text)
			asker, rec := newAsker(script{pieces: pieces}, shelf{passages: []ibid.Passage{passage(1, landing), passage(2, spoke)}})
			log := &journal{}
			if policy != "" {
				p, err := gate.Parse([]byte(policy), "")
				if err != nil {
					rt.Fatal(err)
				}
				asker.Gate = workflow.Gate{Policy: &p, Book: log}
			}
			var want ibid.Answer
			var wantErr error
			shown, wantShown := "", ""
			for e, err := range asker.Ask(t.Context(), workflow.Question{Text: "When?"}) {
				if err != nil {
					wantErr = err
				}
				if e.Kind == workflow.Text {
					wantShown += e.Text
				}
				if e.Kind == workflow.Done {
					want = e.Answer
				}
			}
			f := asker.Follow(t.Context(), both, func(s string) { shown += s })
			for _, p := range pieces {
				f.Write(p)
			}
			got, err := f.Keep(t.Context(), ibid.Answer{Question: "When?", Model: want.Model})
			clearEntries(&got)
			clearEntries(&want)
			if !reflect.DeepEqual(got, want) || (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
				rt.Fatalf("%s: followed:\n%+v, %v\nasked:\n%+v, %v", policy, got, err, want, wantErr)
			}
			if strings.Contains(policy, "segment") && shown != wantShown {
				rt.Fatalf("%s: shown %q, by Ask %q", policy, shown, wantShown)
			}
			if len(rec.answers) != 2 {
				rt.Fatalf("%d answers on record", len(rec.answers))
			}
		})
	}
}

// clearEntries takes out where in the log the answer stands.
func clearEntries(a *ibid.Answer) {
	a.Entry = nil
	if a.Verdict != nil {
		v := *a.Verdict
		v.Entry = nil
		a.Verdict = &v
	}
}

// tiring is an attributor that fails, in one way or another, at a segment.
type tiring struct {
	at     int
	panics bool
}

func (t tiring) Attribute(ctx context.Context, passages []ibid.Passage, drafts iter.Seq2[ibid.Draft, error]) iter.Seq2[ibid.Finding, error] {
	return func(yield func(ibid.Finding, error) bool) {
		n := 0
		for f, err := range (quoting{}).Attribute(ctx, passages, drafts) {
			if n++; n == t.at {
				if t.panics {
					panic("tired")
				}
				yield(ibid.Finding{}, errors.New("tired"))
				return
			}
			if !yield(f, err) {
				return
			}
		}
	}
}

// Where attribution fails, what someone else wrote is on record as a claim without a source; of what the gate holds back by
// segment no more is let out, and the record ends there.
func TestFollowWhereAttributionFails(t *testing.T) {
	for _, panics := range []bool{false, true} {
		for hold, want := range map[string]string{"nothing": landing + " " + spoke, "answer": "", "segment": landing} {
			asker, rec := newAsker(nil, nil)
			asker.Attributor = tiring{2, panics}
			p, err := gate.Parse([]byte("threshold = 1.0\noutcome = \"block\"\nhold = \""+hold+"\""), "")
			if hold == "nothing" {
				p, err = gate.Parse([]byte(`outcome = "warn"`), "")
			}
			if err != nil {
				t.Fatal(err)
			}
			asker.Gate = workflow.Gate{Policy: &p, Book: &journal{}}
			shown := ""
			f := asker.Follow(t.Context(), both, func(s string) { shown += s })
			f.Write(landing + " " + spoke)
			if _, err := f.Attributed(); err == nil {
				t.Error("the failure is not told")
			}
			got, err := f.Keep(t.Context(), ibid.Answer{Question: "When?", Text: landing + " " + spoke})
			if got.Text != want || len(rec.answers) != 1 || (err == nil) != (hold == "nothing") || (got.Incomplete == "") != (hold == "nothing") {
				t.Errorf("%s: %+v, %v", hold, got, err)
			}
			if hold == "segment" && shown != want {
				t.Errorf("shown %q", shown)
			}
		}
	}
}
