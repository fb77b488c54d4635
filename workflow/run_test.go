package workflow_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/ledger"
	"github.com/ibid-dev/ibid/workflow"
)

func midnight() time.Time { return time.Date(2026, 11, 15, 0, 0, 0, 0, time.UTC) }

func newRunner(t *testing.T, policy string) (*workflow.Runner, *journal) {
	t.Helper()
	p, err := gate.Parse([]byte(policy), "")
	if err != nil {
		t.Fatal(err)
	}
	j := &journal{}
	return &workflow.Runner{Gate: workflow.Gate{Policy: &p, Book: j}, Now: midnight}, j
}

// twoOfThree is a run in which one claim has no source.
func twoOfThree(t *testing.T) *ledger.Ledger {
	t.Helper()
	led := ledger.New("r1", "researcher", ledger.Config{Now: midnight})
	for _, text := range []string{"One thing.", "Other thing.", ""} {
		src, err := led.Source(ibid.SourceReference{Category: "http"}, []byte(text))
		if text == "" {
			src, text = ibid.SourceReference{}, "Third thing."
		}
		if err == nil {
			_, err = led.Claim(text, src)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	led.Exempt("Three pages were read.", ibid.AboutRun)
	return led
}

func TestRefusedRunIsOnRecord(t *testing.T) {
	runner, log := newRunner(t, `name = "strict"`)
	led := twoOfThree(t)
	got, err := runner.Finish(t.Context(), led)
	report, refused := workflow.Refused(err)
	if !refused || err.Error() != "Attribution coverage 66.67% below threshold 100%" || report.Summary() != "Coverage: 2/3 | Compliant: false" || got.Entry == nil {
		t.Errorf("%v, %+v", err, got)
	}
	if log.kinds() != "claims policy gate" {
		t.Error(log.kinds())
	}
	if r := log.runs["r1"]; r.Verdict == nil || r.Verdict.Pass || r.Verdict.Policy == "" || r.Verdict.Threshold != 1 || r.FinishedAt != midnight() || len(r.Claims) != 4 {
		t.Errorf("recorded %+v", r)
	}
	// Finishing twice writes nothing new, and refuses again.
	_, again := runner.Finish(t.Context(), led)
	_, third := runner.FinishRecorded(t.Context(), "r1")
	for _, err2 := range []error{again, third} {
		if err2 == nil || err2.Error() != err.Error() {
			t.Errorf("again: %v", err2)
		}
	}
	if log.kinds() != "claims policy gate" {
		t.Error(log.kinds())
	}
}

func TestRepairedRunDeliversWhatHasSources(t *testing.T) {
	runner, log := newRunner(t, `outcome = "repair"`)
	got, err := runner.Finish(t.Context(), twoOfThree(t))
	if err != nil || len(got.Run.Claims) != 3 || !got.Run.Verdict.Pass || got.Run.Verdict.Coverage != 1 || got.Report.Coverage != 2./3 {
		t.Errorf("%v, %+v", err, got)
	}
	if r := log.runs["r1"]; len(r.Claims) != 4 || len(r.Verdict.Dropped) != 1 {
		t.Errorf("the record lost a claim: %+v", r)
	}
}

// A run that is registered bit by bit is the same as one that is kept in one ledger.
func TestRegisterGoesOnWhereItWas(t *testing.T) {
	runner, log := newRunner(t, `name = "strict"`)
	log.runs = map[ibid.RunID]ibid.Run{"r1": {ID: "r1", StartedAt: midnight()}}
	step := func(f func(l *ledger.Ledger) error) error {
		return runner.Register(t.Context(), "r1", "a", func(l *ledger.Ledger, _ ibid.Run) error { return f(l) })
	}
	for range 2 {
		err := step(func(l *ledger.Ledger) error {
			_, err := l.Source(ibid.SourceReference{Category: "http"}, []byte("three weeks"))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	claim := func(l *ledger.Ledger) error {
		src, ok := l.Registered("http-1")
		if !ok {
			return errors.New("the source is forgotten")
		}
		_, err := l.Claim("Three weeks.", src, "three weeks")
		return err
	}
	if err := errors.Join(step(claim), step(claim)); err != nil {
		t.Fatal(err)
	}
	if err := step(func(l *ledger.Ledger) error { l.Claim("Half.", ibid.SourceReference{}); return errCut }); !errors.Is(err, errCut) {
		t.Error(err)
	}
	r := log.runs["r1"]
	if len(r.Sources) != 2 || r.Sources[1].Identifier != "http-2" || len(r.Claims) != 2 || r.Claims[1].Number != 2 {
		t.Errorf("%+v", r)
	}
	if err := runner.Register(t.Context(), "r2", "", nil); !errors.Is(err, ibid.ErrNotFound) {
		t.Error(err)
	}
	if _, err := runner.FinishRecorded(t.Context(), "r1"); err != nil {
		t.Fatal(err)
	}
	if err := step(claim); !errors.Is(err, ibid.ErrInvalid) {
		t.Errorf("after the end: %v", err)
	}
}

// A repair that leaves nothing is a refusal: an empty answer must not pass for one that has its sources.
func TestRepairThatLeavesNothingRefuses(t *testing.T) {
	runner, log := newRunner(t, `outcome = "repair"`)
	led := ledger.New("r1", "", ledger.Config{Now: midnight})
	led.Claim("Bare.", ibid.SourceReference{})
	led.Exempt("One page was read.", ibid.AboutRun)
	_, err := runner.Finish(t.Context(), led)
	if _, refused := workflow.Refused(err); !refused || log.runs["r1"].Verdict.Outcome != "block" || log.runs["r1"].Verdict.Pass {
		t.Errorf("%v, %+v", err, log.runs["r1"])
	}
	for _, hold := range []string{"answer", "segment"} {
		got, log := askThrough(t, "outcome = \"repair\"\nhold = \""+hold+"\"", unsaid)
		if _, refused := workflow.Refused(got.err); !refused || got.text != "" || got.done.Verdict.Pass || log.decision(t).Done != gate.Block {
			t.Errorf("%s: %v, %+v", hold, got.err, got.done.Verdict)
		}
	}
}

func TestFlaggedRunWaitsForAPerson(t *testing.T) {
	runner, log := newRunner(t, `base = "internal"`)
	if _, err := runner.Finish(t.Context(), twoOfThree(t)); err != nil || len(log.reviews) != 1 || log.reviews[0].Subject != "run r1" {
		t.Errorf("%v, %+v", err, log.reviews)
	}
}

func TestRunsAreFinishedOneAtATime(t *testing.T) {
	runner, log := newRunner(t, `name = "strict"`)
	_, err := runner.Finish(t.Context(), ledger.New("a", "", ledger.Config{Now: midnight}), ledger.New("b", "", ledger.Config{Now: midnight}))
	if !errors.Is(err, ibid.ErrInvalid) || len(log.entries) != 0 {
		t.Errorf("%v after %s", err, log.kinds())
	}
	if _, err := runner.Finish(t.Context()); !errors.Is(err, ibid.ErrInvalid) {
		t.Error(err)
	}
}

// Each agent must pass by itself, in one run and one decision.
func TestAgentsOfOneRun(t *testing.T) {
	runner, log := newRunner(t, `base = "multi-agent"`)
	clean := ledger.New("r1", "reader", ledger.Config{Now: midnight})
	src, _ := clean.Source(ibid.SourceReference{Category: "file"}, []byte("x"))
	clean.Claim("A fact.", src)
	_, err := runner.Finish(t.Context(), twoOfThree(t), clean)
	if err == nil || err.Error() != `Attribution coverage by agent "researcher" 66.67% below threshold 100%` {
		t.Error(err)
	}
	var d gate.Decision
	if json.Unmarshal(log.entries[2].Data, &d); len(d.Claims) != 5 || len(d.Report.Agents) != 2 {
		t.Errorf("%+v", d)
	}
}

// What was decided is told as it was decided, by whatever policy: a link that was too weak then does not count as one.
func TestFinishedRunIsToldByItsOwnPolicy(t *testing.T) {
	runner, j := newRunner(t, "name = \"strict\"\ntrust = \"judged\"\noutcome = \"flag\"")
	led := ledger.New("r1", "assistant", ledger.Config{Now: midnight})
	src, err := led.Source(ibid.SourceReference{Category: "told", Metadata: map[string]string{ibid.ToldBy: "assistant"}}, []byte("One thing."))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := led.Claim("One thing.", src); err != nil {
		t.Fatal(err)
	}
	first, err := runner.Finish(t.Context(), led)
	if err != nil || first.Report.Summary() != "Coverage: 0/1 | Compliant: false" {
		t.Fatalf("%v, %+v", err, first.Report)
	}
	lax, err := gate.Preset("development")
	if err != nil {
		t.Fatal(err)
	}
	for name, other := range map[string]*gate.Policy{"none": nil, "another": &lax} {
		again, err := (&workflow.Runner{Gate: workflow.Gate{Policy: other, Book: j}, Now: midnight}).FinishRecorded(t.Context(), "r1")
		if err != nil || !reflect.DeepEqual(again.Report, first.Report) {
			t.Errorf("with %s: %v, %+v\nwant %+v", name, err, again.Report, first.Report)
		}
	}
}

func TestRunWithoutAPolicyIsRecorded(t *testing.T) {
	j := &journal{}
	runner := &workflow.Runner{Gate: workflow.Gate{Book: j}, Now: midnight}
	got, err := runner.Finish(t.Context(), twoOfThree(t))
	if err != nil || got.Entry != nil || j.kinds() != "claims" || j.runs["r1"].Verdict == nil {
		t.Errorf("%v, %+v, %s", err, got, j.kinds())
	}
}

func ExampleRunner_Finish() {
	policy, _ := gate.Preset("production")
	runner := workflow.Runner{Gate: workflow.Gate{Policy: &policy, Book: &journal{}}, Now: midnight}

	led := ledger.New("run-1", "researcher", ledger.Config{Now: midnight})
	page, _ := led.Source(ibid.SourceReference{Category: "http", Endpoint: "https://example.org/"}, []byte("It was completed on 5 August 1858."))
	led.Claim("The cable was completed in 1858.", page)
	led.Claim("Whitehouse is to blame.", ibid.SourceReference{}) // no source: a claim of the model's own

	finished, err := runner.Finish(context.Background(), led)
	fmt.Println(finished.Report.Summary())
	fmt.Println(err)
	// Output:
	// Coverage: 1/2 | Compliant: false
	// Attribution coverage 50.00% below threshold 100%
}
