package workflow_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/workflow"
)

// journal is a book in memory: a log, policies, reviews and runs.
type journal struct {
	entries []ibid.Entry
	fail    error
	version string
	used    map[string]gate.Policy
	reviews []gate.Review
	runs    map[ibid.RunID]ibid.Run

	snapshots map[ibid.DocumentID][]byte
}

func (j *journal) Write(_ context.Context, f func(workflow.Page) error) error { return f(page{j}) }

// page is the journal as it is written to.
type page struct{ j *journal }

func (p page) Append(kind string, data []byte) (ibid.Entry, error) {
	if p.j.fail != nil {
		return ibid.Entry{}, p.j.fail
	}
	e := ibid.Entry{Index: int64(len(p.j.entries)), Kind: kind, Data: data}
	p.j.entries = append(p.j.entries, e)
	return e, nil
}

func (p page) UsePolicy(version string, body []byte) (bool, error) {
	var used gate.Policy
	if err := json.Unmarshal(body, &used); err != nil {
		return false, err
	}
	if p.j.used == nil {
		p.j.used = map[string]gate.Policy{}
	}
	p.j.used[version] = used
	changed := p.j.version != version
	p.j.version = version
	return changed, nil
}

func (p page) Policy(version string) (gate.Policy, error) {
	used, ok := p.j.used[version]
	if !ok {
		return used, fmt.Errorf("policy %s: %w", version, ibid.ErrNotFound)
	}
	return used, nil
}

func (p page) AddReview(r gate.Review) error {
	p.j.reviews = append(p.j.reviews, r)
	return nil
}

func (p page) PutRun(r ibid.Run, snapshots map[ibid.DocumentID][]byte) error {
	if p.j.snapshots == nil {
		p.j.snapshots = map[ibid.DocumentID][]byte{}
	}
	maps.Copy(p.j.snapshots, snapshots)
	if old, ok := p.j.runs[r.ID]; ok && old.Verdict != nil {
		return nil // the ledgers are closed: nothing of it is new
	}
	if p.j.runs == nil {
		p.j.runs = map[ibid.RunID]ibid.Run{}
	}
	r.Sources = append(p.j.runs[r.ID].Sources, r.Sources...)
	r.Claims = append(p.j.runs[r.ID].Claims, r.Claims...)
	p.j.runs[r.ID] = r
	return nil
}

func (p page) Run(id ibid.RunID) (ibid.Run, error) {
	r, ok := p.j.runs[id]
	if !ok {
		return r, ibid.ErrNotFound
	}
	return r, nil
}

func (p page) Snapshot(id ibid.DocumentID) ([]byte, error) {
	b, ok := p.j.snapshots[id]
	if !ok {
		return nil, ibid.ErrNotFound
	}
	return b, nil
}

func (p page) FinishRun(id ibid.RunID, at time.Time, v ibid.Verdict) error {
	r := p.j.runs[id]
	r.FinishedAt, r.Verdict = at, &v
	p.j.runs[id] = r
	return nil
}

func (j *journal) kinds() string {
	var out []string
	for _, e := range j.entries {
		out = append(out, e.Kind)
	}
	return strings.Join(out, " ")
}

func (j *journal) decision(t *testing.T) gate.Decision {
	t.Helper()
	for _, e := range j.entries {
		if e.Kind == workflow.EntryGate {
			var d gate.Decision
			if err := json.Unmarshal(e.Data, &d); err != nil {
				t.Fatal(err)
			}
			return d
		}
	}
	t.Fatal("no decision in the log")
	return gate.Decision{}
}

// shown is what a reader of the events saw.
type shown struct {
	text   string
	before int // bytes of text shown when the first entry was in the log
	done   *ibid.Answer
	err    error
	cited  []int
}

func askThrough(t *testing.T, policy string, says ...string) (shown, *journal) {
	t.Helper()
	asker, rec := newAsker(script{pieces: says}, shelf{passages: []ibid.Passage{passage(1, landing), passage(2, spoke)}})
	p, err := gate.Parse([]byte(policy), "")
	if err != nil {
		t.Fatal(err)
	}
	log := &journal{}
	asker.Gate = workflow.Gate{Policy: &p, Book: log}
	var got shown
	for e, err := range asker.Ask(t.Context(), workflow.Question{Text: "When?"}) {
		if err != nil {
			got.err = err
			continue
		}
		switch e.Kind {
		case workflow.Text:
			if len(log.entries) == 0 {
				got.before += len(e.Text)
			}
			got.text += e.Text
		case workflow.Decided:
			if e.Finding.Segment.At.End > len(got.text) {
				t.Errorf("a segment at %v of %d bytes", e.Finding.Segment.At, len(got.text))
			}
			for _, c := range e.Citations {
				got.cited = append(got.cited, c.Number)
			}
		case workflow.Done:
			got.done = &e.Answer
		}
	}
	if got.done == nil {
		t.Fatalf("no end: %v", got.err)
	}
	if got.done.Text != got.text || len(rec.answers) != 1 || !reflect.DeepEqual(rec.answers[0], *got.done) {
		t.Errorf("shown %q, recorded %+v", got.text, rec.answers)
	}
	if err := got.done.Check(); err != nil {
		t.Error(err)
	}
	return got, log
}

const unsaid = "Whitehouse burned it out."

func TestBlockedAnswerIsNotShown(t *testing.T) {
	got, log := askThrough(t, `name = "strict"`, landing+" ", unsaid, " "+spoke)
	var refused *gate.RefusedError
	if got.text != "" || !errors.As(got.err, &refused) || got.err.Error() != "Attribution coverage 66.67% below threshold 100%" {
		t.Errorf("shown %q, error %v", got.text, got.err)
	}
	v := got.done.Verdict
	if v == nil || v.Pass || v.Outcome != "block" || v.Coverage != 2./3 || v.Entry == nil || v.Policy == "" || got.done.Entry == nil || !strings.Contains(got.done.Incomplete, "held back by the gate") {
		t.Errorf("verdict %+v of %+v", v, got.done)
	}
	// What was refused is in the log: nothing is judged unseen.
	if log.kinds() != "policy gate answer" {
		t.Error(log.kinds())
	}
	if d := log.decision(t); len(d.Claims) != 3 || d.Claims[1].Text != unsaid || d.Done != gate.Block {
		t.Errorf("%+v", d)
	}
}

func TestPassedAnswerIsInTheLogBeforeItIsShown(t *testing.T) {
	got, log := askThrough(t, `name = "strict"`, landing+" "+spoke)
	if got.err != nil || got.text != landing+" "+spoke || got.before != 0 || !got.done.Verdict.Pass || log.kinds() != "policy gate answer" {
		t.Errorf("%+v after %s", got, log.kinds())
	}
	var e workflow.AnswerEntry
	if err := json.Unmarshal(log.entries[2].Data, &e); err != nil || e.Text != got.text || len(e.Citations) != 2 || e.Citations[0].Quote != landing || e.Verdict == nil {
		t.Errorf("%+v, %v", e, err)
	}
	if strings.Contains(string(log.entries[2].Data), "file:") {
		t.Error("the entry holds a path")
	}
}

func TestSegmentsAreHeldUntilTheyMayBeShown(t *testing.T) {
	got, _ := askThrough(t, "threshold = 1.0\nhold = \"segment\"", landing+" ", unsaid, " "+spoke)
	if got.text != landing || got.err == nil || got.done.Verdict.Outcome != "block" {
		t.Errorf("%+v", got)
	}
	// With a threshold of a half, the bare claim is let out by the one behind it.
	got, _ = askThrough(t, "threshold = 0.5\nhold = \"segment\"", unsaid+" ", landing, " "+spoke)
	if got.text != unsaid+" "+landing+" "+spoke || got.err != nil {
		t.Errorf("%+v", got)
	}
}

func TestRepairTakesOutWhatHasNoSource(t *testing.T) {
	for _, hold := range []string{"answer", "segment"} {
		got, log := askThrough(t, "outcome = \"repair\"\nhold = \""+hold+"\"", unsaid+" ", spoke+"\n\n", unsaid, " "+landing, " "+unsaid)
		if got.err != nil || got.text != spoke+"\n\n"+landing || !got.done.Verdict.Pass || got.done.Verdict.Outcome != "repair" || got.done.Verdict.Coverage != 1 {
			t.Errorf("%s: %q, %+v, %v", hold, got.text, got.done.Verdict, got.err)
		}
		if !reflect.DeepEqual(got.cited, []int{1, 2}) || got.done.Segments[1].At.In(got.text) != landing {
			t.Errorf("%s: cited %v, segments %+v", hold, got.cited, got.done.Segments)
		}
		if d := log.decision(t); d.Report.Coverage != 0.4 || d.Done != gate.Repair || len(d.Claims) != 5 {
			t.Errorf("%s: %+v", hold, d)
		}
	}
}

// near finds a source for all, though not for the whole of it.
type near struct{ quoting }

func (n near) Attribute(ctx context.Context, passages []ibid.Passage, drafts iter.Seq2[ibid.Draft, error]) iter.Seq2[ibid.Finding, error] {
	return func(yield func(ibid.Finding, error) bool) {
		for f, err := range n.quoting.Attribute(ctx, passages, drafts) {
			if f.Segment.Origin == ibid.LLM {
				f.Segment.Origin, f.Segment.Unsupported = ibid.HYBRID, []ibid.Span{f.Segment.At}
				f.Attributions = []ibid.Attribution{{Of: f.Segment.At, To: passages[1].Chunk.At, Ref: 2, Trust: ibid.Judged}}
			}
			if !yield(f, err) {
				return
			}
		}
	}
}

func TestRepairRewritesInTheSourcesWords(t *testing.T) {
	asker, rec := newAsker(script{pieces: []string{landing + " It spoke for months on end. And then it stopped."}}, shelf{passages: []ibid.Passage{passage(1, landing), passage(2, spoke)}})
	p, err := gate.Parse([]byte("outcome = \"repair\"\nmend = \"rewrite\""), "")
	if err != nil {
		t.Fatal(err)
	}
	asker.Attributor, asker.Gate = near{}, workflow.Gate{Policy: &p}
	run(t, asker, workflow.Question{Text: "When?"})
	got := rec.answers[0]
	if got.Text != landing+" "+spoke+" "+spoke || !got.Verdict.Pass || got.Verdict.Entry != nil || got.Check() != nil {
		t.Errorf("%q, %+v", got.Text, got.Verdict)
	}
}

func TestFlaggedAnswerWaitsForAPerson(t *testing.T) {
	got, log := askThrough(t, "base = \"internal\"", landing+" "+unsaid)
	if got.err != nil || got.text != landing+" "+unsaid || got.done.Verdict.Outcome != "flag" || len(got.done.Verdict.Uncovered) != 1 {
		t.Errorf("%+v", got)
	}
	if len(log.reviews) != 1 || log.reviews[0].Title != "When?" || !reflect.DeepEqual(log.reviews[0].Uncited, []string{unsaid}) || log.reviews[0].Entry == nil {
		t.Errorf("%+v of %s", log.reviews, log.kinds())
	}
}

// What goes out by segment and is flagged waits for a person, though something beside it was repaired or held back.
func TestFlaggedBesideRepairedWaitsForAPerson(t *testing.T) {
	const view = "You should read it."
	for name, c := range map[string]struct {
		outcome string
		done    gate.Outcome
		says    []string
		shown   string
	}{
		"flagged before":          {"repair", gate.Repair, []string{landing + " ", view, " " + unsaid}, landing + " " + view},
		"flagged behind":          {"repair", gate.Repair, []string{landing + " ", unsaid, " " + view}, landing + " " + view},
		"beside what is refused":  {"block", gate.Block, []string{landing + " ", view, " " + unsaid}, landing + " " + view},
		"nothing that is flagged": {"repair", gate.Repair, []string{landing + " ", unsaid}, landing},
	} {
		t.Run(name, func(t *testing.T) {
			got, log := askThrough(t, "outcome = \""+c.outcome+"\"\nhold = \"segment\"\n[kinds.opinion]\noutcome = \"flag\"\n", c.says...)
			if got.text != c.shown || got.done.Verdict.Outcome != string(c.done) {
				t.Errorf("%q, %+v", got.text, got.done.Verdict)
			}
			if !strings.Contains(c.shown, view) {
				if len(log.reviews) != 0 || log.decision(t).Left != nil {
					t.Errorf("%+v", log.reviews)
				}
				return
			}
			if len(log.reviews) != 1 || !reflect.DeepEqual(log.reviews[0].Uncited, []string{view}) || log.reviews[0].Entry == nil {
				t.Fatalf("%+v of %s", log.reviews, log.kinds())
			}
			if d := log.decision(t); d.Done != c.done || d.Left == nil || d.Left.Summary() != log.reviews[0].Summary {
				t.Errorf("%+v", d)
			}
		})
	}
}

// Words of a source that the policy would not take either are no repair.
func TestRewrittenPassesOrIsTakenOut(t *testing.T) {
	const copper = "The wire was of copper."
	asker, rec := newAsker(script{pieces: []string{copper + " It spoke on and on."}}, shelf{passages: []ibid.Passage{passage(1, copper), passage(2, spoke)}})
	p, err := gate.Parse([]byte("outcome = \"repair\"\nmend = \"rewrite\"\n[kinds.number]\ntrust = \"provider\"\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	asker.Attributor, asker.Gate = near{}, workflow.Gate{Policy: &p}
	run(t, asker, workflow.Question{Text: "When?"})
	if got := rec.answers[0]; got.Text != copper || !got.Verdict.Pass {
		t.Errorf("%q went out, %+v", got.Text, got.Verdict)
	}
}

func TestCreativeIsNotLookedAt(t *testing.T) {
	got, log := askThrough(t, "base = \"creative\"", unsaid)
	if got.text != unsaid || got.done.Verdict != nil || log.kinds() != "answer" {
		t.Errorf("%+v after %s", got, log.kinds())
	}
}

// What cannot be logged is not delivered.
func TestNoAnswerWithoutItsEntry(t *testing.T) {
	asker, rec := newAsker(script{pieces: []string{landing}}, shelf{passages: []ibid.Passage{passage(1, landing)}})
	p, _ := gate.Preset("production")
	full := errors.New("no space left")
	asker.Gate = workflow.Gate{Policy: &p, Book: &journal{fail: full}}
	var last error
	for e, err := range asker.Ask(t.Context(), workflow.Question{Text: "When?"}) {
		if e.Kind == workflow.Text || e.Kind == workflow.Done {
			t.Errorf("delivered %+v", e)
		}
		last = err
	}
	if !errors.Is(last, full) || len(rec.answers) != 0 {
		t.Errorf("error %v, %d recorded", last, len(rec.answers))
	}
}

// The decision made again from the log is the same.
func TestDecisionsReplay(t *testing.T) {
	for _, policy := range []string{`name = "strict"`, "outcome = \"repair\"", "base = \"internal\"", "base = \"regulated\""} {
		_, log := askThrough(t, policy, landing+" "+unsaid+" "+spoke)
		p, _ := gate.Parse([]byte(policy), "")
		d := log.decision(t)
		if diff, err := d.Replay(p); err != nil || len(diff) > 0 {
			t.Errorf("%s: %v, %v", policy, diff, err)
		}
		d.Report.Cited++
		if diff, _ := d.Replay(p); len(diff) != 1 {
			t.Errorf("%s: a forged report differs in %v", policy, diff)
		}
		p.Name = "another"
		if _, err := d.Replay(p); !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("another policy: %v", err)
		}
	}
}

// What is refused as an answer was not shown as a step either.
func TestRefusedChainShowsNothing(t *testing.T) {
	for _, dual := range []bool{false, true} {
		th, rec := newThinker(script{pieces: []string{unsaid}}, shelf{passages: []ibid.Passage{passage(1, landing)}})
		p, _ := gate.Preset("production")
		th.Asker.Gate, th.Planner = workflow.Gate{Policy: &p, Book: &journal{}}, script{pieces: []string{unsaid}}
		events := th.Think(t.Context(), workflow.Thought{Question: workflow.Question{Text: twoParts}})
		if dual {
			events = th.Dual(t.Context(), workflow.Question{Text: "When?"})
		}
		var last error
		for e, err := range events {
			if last = err; strings.Contains(e.Text+e.Taken.Text+e.Answer.Text, unsaid) {
				t.Errorf("shown: %+v", e)
			}
			for _, s := range e.Answer.Steps {
				t.Errorf("the answer holds step %+v", s)
			}
		}
		if _, refused := workflow.Refused(last); !refused || len(rec.answers) != 1 || rec.answers[0].Text != "" {
			t.Errorf("%v, %+v", last, rec.answers)
		}
	}
	// And what passes is shown with its steps.
	th, rec := newThinker(script{pieces: []string{landing}}, shelf{passages: []ibid.Passage{passage(1, landing)}})
	p, _ := gate.Preset("production")
	th.Asker.Gate = workflow.Gate{Policy: &p, Book: &journal{}}
	if a, err := thought(t, th, workflow.Thought{Question: workflow.Question{Text: twoParts}}, rec); err != nil || len(a.Steps) == 0 || !a.Verdict.Pass {
		t.Errorf("%v, %+v", err, a)
	}
}
