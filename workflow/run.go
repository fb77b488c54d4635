package workflow

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/ledger"
)

// Runner takes the runs of agents into the record and through the same gate as answers. Its Gate must have a Book; without
// a policy a run is recorded and let out.
type Runner struct {
	Gate Gate
	Now  func() time.Time

	// Owes marks each run that ends as one whose claims are still to be passed on, as to a file beside the record, in the
	// transaction that ends it: whatever befalls who passes them on, it is known which were not. The pages of its Book must
	// be able to (OweRun).
	Owes bool
}

// owing is a Page that marks runs.
type owing interface {
	OweRun(id ibid.RunID) error
}

// Finished is a run at its end.
type Finished struct {
	Run    ibid.Run    // as delivered: without what a repair took out
	Report gate.Report // of all claims
	Entry  *int64      // of the decision; nil where there was none
	New    bool        // it ended now, and not before
}

// Finish ends a run: what its agents' ledgers hold is merged, recorded, and passed through the gate. Where the gate
// refuses, the error is a *gate.RefusedError, and the record of the refusal is on disk before it is returned. Finishing
// twice writes nothing new, and gives what was decided the first time.
func (r *Runner) Finish(ctx context.Context, ledgers ...*ledger.Ledger) (Finished, error) {
	var book ledger.Book
	snapshots := map[ibid.DocumentID][]byte{}
	for _, l := range ledgers {
		l.Close()
		if err := book.Add(l.Run()); err != nil {
			return Finished{}, err
		}
		for id, body := range l.Snapshots() {
			snapshots[id] = body
		}
	}
	runs := book.Runs()
	if len(runs) != 1 {
		return Finished{}, fmt.Errorf("finish: the ledgers are of %d runs: finish one at a time: %w", len(runs), ibid.ErrInvalid)
	}
	var out Finished
	err := r.Gate.Book.Write(ctx, func(p Page) error {
		if err := p.PutRun(runs[0], snapshots); err != nil {
			return err
		}
		var err error
		out, err = r.finish(p, runs[0].ID)
		return err
	})
	return out.delivered(err)
}

// Register takes up an agent's ledger of a run that is on record, lets f add to it, and records what f added, all in one
// transaction: several processes may work on one run at the same time. The error wraps ibid.ErrNotFound where there is no
// such run, and ibid.ErrInvalid where it is finished.
func (r *Runner) Register(ctx context.Context, id ibid.RunID, agent string, f func(l *ledger.Ledger, run ibid.Run) error) error {
	return r.Gate.Book.Write(ctx, func(p Page) error {
		run, err := p.Run(id)
		if err != nil {
			return err
		}
		led, err := ledger.Resume(run, agent, ledger.Config{Now: r.Now, Load: p.Snapshot})
		if err != nil {
			return err
		}
		before := led.Run()
		if err := f(led, run); err != nil {
			return err
		}
		now := led.Run()
		now.Sources, now.Claims = now.Sources[len(before.Sources):], now.Claims[len(before.Claims):]
		return p.PutRun(now, led.Snapshots())
	})
}

// FinishRecorded ends a run whose sources and claims were recorded as they came.
func (r *Runner) FinishRecorded(ctx context.Context, id ibid.RunID) (Finished, error) {
	var out Finished
	err := r.Gate.Book.Write(ctx, func(p Page) (err error) {
		out, err = r.finish(p, id)
		return err
	})
	return out.delivered(err)
}

func (r *Runner) finish(p Page, id ibid.RunID) (Finished, error) {
	run, err := p.Run(id)
	if err != nil {
		return Finished{}, err
	}
	claims := gate.OfRun(run)
	if run.Verdict != nil { // decided before: nothing new is written
		return Finished{Run: run, Report: recorded(p, *run.Verdict, claims), Entry: run.Verdict.Entry}, nil
	}
	now := r.Now().UTC().Truncate(time.Microsecond)
	if _, err := enter(p, EntryClaims, run); err != nil {
		return Finished{}, err
	}
	out := Finished{New: true, Report: gate.Report{Total: len(claims), Coverage: 1, Compliant: true, Outcome: gate.Pass}}
	v := ibid.Verdict{Pass: true, Coverage: 1, Outcome: string(gate.Pass)}
	if r.Gate.on() {
		out.Report = r.Gate.Policy.Decide(claims)
		v = out.Report.Verdict(claims)
		if out.Report.Outcome == gate.Repair {
			v = r.mended(run, claims, out.Report)
		}
		out.Entry, err = r.Gate.keep(p, decided{subject: "run " + string(id), title: title(run), at: now, claims: claims, report: out.Report, done: gate.Outcome(v.Outcome)})
		if err != nil {
			return Finished{}, err
		}
		v.Entry = out.Entry
	}
	if err := p.FinishRun(id, now, v); err != nil {
		return Finished{}, err
	}
	if r.Owes {
		page, ok := p.(owing)
		if !ok {
			return Finished{}, fmt.Errorf("a page of %T does not note what is to be passed on: %w", p, ibid.ErrInvalid)
		}
		if err := page.OweRun(id); err != nil {
			return Finished{}, err
		}
	}
	run.FinishedAt, run.Verdict = now, &v
	out.Run = run
	return out, nil
}

// mended is the verdict on what a repair leaves.
func (r *Runner) mended(run ibid.Run, claims []gate.Claim, report gate.Report) ibid.Verdict {
	var kept []gate.Claim
	var dropped []ibid.ClaimID
	next := 0
	for i, c := range claims {
		if next < len(report.Uncovered) && report.Uncovered[next] == i {
			next++
			dropped = append(dropped, run.Claims[i].ID)
			continue
		}
		kept = append(kept, c)
	}
	left := r.Gate.Policy.Decide(kept)
	if left.Required == 0 { // a run of which nothing is left says nothing
		v := report.Verdict(claims)
		v.Outcome = string(gate.Block)
		return v
	}
	v := left.Verdict(kept)
	v.Outcome, v.Dropped = string(gate.Repair), dropped
	v.Reasons = append(v.Reasons, fmt.Sprintf("%d of %d claims had no source and were taken out", len(dropped), report.Required))
	return v
}

// recorded is the report of a decision that was made before: made again by the policy it was made by, whatever this runner's is,
// else as much of it as the verdict tells.
func recorded(p Page, v ibid.Verdict, claims []gate.Claim) gate.Report {
	if v.Policy != "" {
		if policy, err := p.Policy(v.Policy); err == nil {
			return policy.Decide(claims)
		}
	}
	return told(v, claims)
}

func told(v ibid.Verdict, claims []gate.Claim) gate.Report {
	r := gate.Report{Total: len(claims), Uncited: []string{}, Threshold: v.Threshold, Compliant: v.Outcome == string(gate.Pass),
		Outcome: gate.Outcome(v.Outcome), Reasons: v.Reasons, Policy: v.Policy, Coverage: 1}
	for _, c := range claims {
		switch {
		case c.Exempt != "":
			r.Exempt++
		case c.Source != "":
			r.Required++
			r.Cited++
		default:
			r.Required++
			r.Uncited = append(r.Uncited, c.Text)
		}
	}
	if r.Required > 0 {
		r.Coverage = float64(r.Cited) / float64(r.Required)
	}
	return r
}

// delivered takes out what a repair dropped, and gives the refusal where there is one.
func (f Finished) delivered(err error) (Finished, error) {
	if err != nil {
		return Finished{}, fmt.Errorf("finish run: %w", err)
	}
	f.Run = Delivered(f.Run)
	if v := f.Run.Verdict; v != nil && v.Outcome == string(gate.Block) {
		return f, &gate.RefusedError{Report: f.Report}
	}
	return f, nil
}

// Delivered gives a run without the claims that a repair took out.
func Delivered(r ibid.Run) ibid.Run {
	if r.Verdict == nil || len(r.Verdict.Dropped) == 0 {
		return r
	}
	gone := map[ibid.ClaimID]bool{}
	for _, id := range r.Verdict.Dropped {
		gone[id] = true
	}
	kept := []ibid.Claim{}
	for _, c := range r.Claims {
		if !gone[c.ID] {
			kept = append(kept, c)
		}
	}
	r.Claims = kept
	return r
}

func title(r ibid.Run) string {
	if len(r.Claims) == 0 {
		return "run " + string(r.ID)
	}
	return r.Claims[0].Text
}

// Refused gives the report of a refusal, where the error is one.
func Refused(err error) (gate.Report, bool) {
	var refused *gate.RefusedError
	if errors.As(err, &refused) {
		return refused.Report, true
	}
	return gate.Report{}, false
}

// EnterRun writes into the log that a run began, so that one that is never finished leaves its mark too.
func EnterRun(p Pen, id ibid.RunID, at time.Time) error {
	_, err := enter(p, EntryRun, map[string]any{"run": id, "started_at": at.UTC().Truncate(time.Microsecond)})
	return err
}
