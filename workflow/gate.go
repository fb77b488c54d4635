package workflow

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/gate"
)

// Gate is what stands between an answer or a run and those who asked for it, and the log of what was let out. The zero
// value lets all out and keeps no log.
type Gate struct {
	// Policy says what must have a source. Where it is nil or off, nothing is looked at.
	Policy *gate.Policy
	// Log takes every decision and every answer before it is delivered. May be nil.
	Log ibid.Log
	// Desk keeps policies and what waits for a person. May be nil.
	Desk Desk
}

// Desk keeps the policies that decisions were made by, and what was flagged.
type Desk interface {
	// UsePolicy keeps a policy by its version, and reports whether another one, or none, was in use before.
	UsePolicy(ctx context.Context, version string, body []byte) (changed bool, err error)
	AddReview(ctx context.Context, r gate.Review) error
}

// The kinds of entries that workflow writes into the log.
const (
	EntryAnswer  = "answer"  // what was delivered: an AnswerEntry
	EntryGate    = "gate"    // a gate.Decision, the refusals above all
	EntryPolicy  = "policy"  // a gate.Policy that came into use
	EntryClaims  = "claims"  // the sources and claims of a run: an ibid.Run
	EntryReview  = "review"  // a gate.Review that a person decided
	EntryVersion = "version" // a new version of a source: a VersionEntry
)

func (g Gate) on() bool { return g.Policy != nil && !g.Policy.Off }

// decided is a decision on its way into the record.
type decided struct {
	subject string
	title   string
	at      time.Time
	claims  []gate.Claim
	report  gate.Report
	done    gate.Outcome
}

// keep writes the decision into the log, after the policy where that is new, and puts what was flagged on the desk. It
// gives the index of the entry.
func (g Gate) keep(ctx context.Context, d decided) (*int64, error) {
	if err := g.usePolicy(ctx); err != nil {
		return nil, err
	}
	entry, err := g.append(ctx, EntryGate, gate.Decision{Subject: d.subject, At: d.at, Policy: g.Policy.Name, Version: g.Policy.Version(),
		Claims: d.claims, Report: d.report, Done: d.done})
	if err != nil || d.done != gate.Flag || g.Desk == nil {
		return entry, err
	}
	return entry, g.Desk.AddReview(ctx, gate.Review{ID: reviewID(d.subject), Subject: d.subject, Title: d.title, Summary: d.report.Summary(),
		Uncited: d.report.Uncited, Reasons: d.report.Reasons, Entry: entry, At: d.at})
}

func (g Gate) usePolicy(ctx context.Context) error {
	if g.Desk == nil {
		return nil
	}
	body, err := json.Marshal(g.Policy)
	if err != nil {
		return fmt.Errorf("policy %s: %w", g.Policy.Name, err)
	}
	changed, err := g.Desk.UsePolicy(ctx, g.Policy.Version(), body)
	if err != nil || !changed {
		return err
	}
	_, err = g.append(ctx, EntryPolicy, g.Policy)
	return err
}

// append writes an entry and gives its index, nil where no log is kept.
func (g Gate) append(ctx context.Context, kind string, v any) (*int64, error) {
	if g.Log == nil {
		return nil, nil
	}
	data, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("log: %s: %w", kind, err)
	}
	e, err := g.Log.Append(ctx, kind, data)
	if err != nil {
		return nil, fmt.Errorf("log: %s: %w", kind, err)
	}
	return &e.Index, nil
}

// reviewID is the same for the same subject: it is flagged once.
func reviewID(subject string) string { return string(ibid.HashText("review " + subject))[:16] }

// Decide rules on a review. The ruling is an entry of the log before it is anything else.
func (g Gate) Decide(ctx context.Context, r gate.Review) (*int64, error) {
	return g.append(ctx, EntryReview, r)
}
