package workflow

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/gate"
)

// Gate is what stands between an answer or a run and those who asked for it, and the record of what was let out. The zero
// value lets all out and keeps no log.
type Gate struct {
	// Policy says what must have a source. Where it is nil or off, nothing is looked at.
	Policy *gate.Policy
	// Book takes the entries of the log, of every decision and every answer, before anything is stored or delivered. May
	// be nil for an Asker, which then keeps answers in its Record alone.
	Book Book
}

// Book writes pages: all that is written by one call is on disk when it returns, or nothing of it is.
type Book interface {
	Write(ctx context.Context, f func(Page) error) error
}

// Pages makes a Book of a store's transactions: workflow.Pages(store.Update).
func Pages[P Page](update func(context.Context, func(P) error) error) Book { return pages[P](update) }

type pages[P Page] func(context.Context, func(P) error) error

func (update pages[P]) Write(ctx context.Context, f func(Page) error) error {
	return update(ctx, func(p P) error { return f(p) })
}

// Pen writes entries into the log.
type Pen interface {
	Append(kind string, data []byte) (ibid.Entry, error)
}

// Page is what belongs together: a run, the decision on a run or an answer, and their entries in the log.
type Page interface {
	Pen
	// PutRun adds sources, claims and snapshots to a run, each once; the run is begun where it is new. The error wraps
	// ibid.ErrInvalid where the run is finished and something would be new.
	PutRun(r ibid.Run, snapshots map[ibid.DocumentID][]byte) error
	// Run gives the whole record of a run. The error wraps ibid.ErrNotFound.
	Run(id ibid.RunID) (ibid.Run, error)
	// Snapshot gives what a retrieval of a run returned. The error wraps ibid.ErrNotFound.
	Snapshot(id ibid.DocumentID) ([]byte, error)
	FinishRun(id ibid.RunID, at time.Time, v ibid.Verdict) error
	// UsePolicy keeps a policy by its version, and reports whether another one, or none, was in use before.
	UsePolicy(version string, body []byte) (changed bool, err error)
	// Policy gives a policy that was used, by its version. The error wraps ibid.ErrNotFound.
	Policy(version string) (gate.Policy, error)
	AddReview(r gate.Review) error
}

// The kinds of entries that workflow writes into the log.
const (
	EntryAnswer = "answer" // what was delivered: an AnswerEntry
	EntryGate   = "gate"   // a gate.Decision, the refusals above all
	EntryPolicy = "policy" // a gate.Policy that came into use
	EntryRun    = "run"    // that a run began
	EntryClaims = "claims" // the sources and claims of a run: an ibid.Run
	EntryReview = "review" // a gate.Review that a person decided
)

// SubjectOf gives what an entry speaks of, as gate.Decision names it: "answer" or "run" and its id; "" where it is neither, and where
// the payload was erased.
func SubjectOf(e ibid.Entry) string {
	var said struct {
		Subject string `json:"subject"`
		Answer  string `json:"answer"`
		Run     string `json:"run"`
		ID      string `json:"id"`
	}
	switch e.Kind {
	case EntryAnswer, EntryGate, EntryReview, EntryRun, EntryClaims:
		if json.Unmarshal(e.Data, &said) != nil {
			return ""
		}
	}
	switch e.Kind {
	case EntryAnswer:
		return "answer " + said.Answer
	case EntryRun:
		return "run " + said.Run
	case EntryClaims:
		return "run " + said.ID
	}
	return said.Subject
}

func (g Gate) on() bool { return g.Policy != nil && !g.Policy.Off }

func (g Gate) holds() bool { return g.on() && g.Policy.Hold != gate.HoldNothing }

// decided is a decision on its way into the record.
type decided struct {
	subject string
	title   string
	at      time.Time
	claims  []gate.Claim
	report  gate.Report
	done    gate.Outcome
	left    *gate.Report // as gate.Decision has it
}

// keep writes the decision into the log, after the policy where that is new, and puts what was flagged where people look.
// It gives the index of the entry.
func (g Gate) keep(p Page, d decided) (*int64, error) {
	body, err := json.Marshal(g.Policy)
	if err != nil {
		return nil, fmt.Errorf("policy %s: %w", g.Policy.Name, err)
	}
	changed, err := p.UsePolicy(g.Policy.Version(), body)
	if err != nil {
		return nil, err
	}
	if changed {
		if _, err := p.Append(EntryPolicy, body); err != nil {
			return nil, err
		}
	}
	decision := gate.Decision{Subject: d.subject, At: d.at, Policy: g.Policy.Name, Version: g.Policy.Version(),
		Claims: d.claims, Report: d.report, Done: d.done, Left: d.left}
	entry, err := enter(p, EntryGate, decision)
	flagged := decision.Flagged()
	if err != nil || flagged == nil {
		return entry, err
	}
	return entry, p.AddReview(gate.Review{ID: reviewID(d.subject), Subject: d.subject, Title: d.title, Summary: flagged.Summary(),
		Uncited: flagged.Uncited, Reasons: flagged.Reasons, Entry: entry, At: d.at})
}

// enter writes an entry and gives its index.
func enter(p Pen, kind string, v any) (*int64, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("log: %s: %w", kind, err)
	}
	e, err := p.Append(kind, data)
	if err != nil {
		return nil, fmt.Errorf("log: %s: %w", kind, err)
	}
	return &e.Index, nil
}

// reviewID is the same for the same subject: it is flagged once.
func reviewID(subject string) string { return string(ibid.HashText("review " + subject))[:16] }

// EnterReview writes what a person decided into the log, and gives the index of the entry.
func EnterReview(p Pen, r gate.Review) (*int64, error) { return enter(p, EntryReview, r) }
