package gate

import (
	"fmt"
	"time"

	"github.com/ibid-dev/ibid"
)

// Decision is the record of one decision: what was looked at, by which policy, and what came of it. From the claims and
// the policy the rest can be made again.
type Decision struct {
	Subject string    `json:"subject"` // "answer 4f2a…" or "run …"
	At      time.Time `json:"at"`
	Policy  string    `json:"policy"` // its name
	Version string    `json:"policy_version"`
	Claims  []Claim   `json:"claims"`
	Report  Report    `json:"report"`
	Done    Outcome   `json:"done"` // what was done with it
	// Left is the report on what went out though the whole was repaired or held back, where a rule flags some of that; else nil.
	Left *Report `json:"left,omitempty"`
}

// Flagged is the report that a person is to look at, nil where nobody is asked to.
func (d Decision) Flagged() *Report {
	if d.Done == Flag {
		return &d.Report
	}
	return d.Left
}

// Replay makes the decision again, from the claims and the policy alone, and says in what it is not the one that was
// recorded; nothing where it is the same. The error wraps ibid.ErrInvalid where the policy is not the one it was made by.
func (d Decision) Replay(p Policy) ([]string, error) {
	if v := p.Version(); v != d.Version {
		return nil, fmt.Errorf("%s was decided by policy version %s, not %s: %w", d.Subject, d.Version, v, ibid.ErrInvalid)
	}
	return Differ(d.Report, p.Decide(d.Claims)), nil
}

// Review is something that was flagged and waits for a person, or what the person decided.
type Review struct {
	ID       string    `json:"id"`
	Subject  string    `json:"subject"`
	Title    string    `json:"title"` // the question, or the first claim
	Summary  string    `json:"summary"`
	Uncited  []string  `json:"uncited_claims"`
	Reasons  []string  `json:"reasons"`
	Entry    *int64    `json:"entry,omitempty"` // of the decision that flagged it
	At       time.Time `json:"at"`
	Decision Ruling    `json:"decision,omitempty"`
	By       string    `json:"by,omitempty"`
	Note     string    `json:"note,omitempty"`
	Decided  time.Time `json:"decided_at,omitzero"`
}

// Ruling is what a person decided on a review; empty while it waits.
type Ruling string

// The rulings.
const (
	Approved Ruling = "approved"
	Rejected Ruling = "rejected"
)
