package ibid

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// SourceReference is one retrieval, as code captured it where a tool returned. Two retrievals of one address are two
// references: which of them a claim rests on is never guessed later.
type SourceReference struct {
	Identifier string    `json:"identifier"` // unique within the agent's ledger; empty is no source
	Category   string    `json:"category"`   // "web_search", "http", "sql", "command", "file", "agent"
	Endpoint   string    `json:"endpoint,omitempty"`
	FetchedAt  time.Time `json:"fetched_at"` // UTC
	// QueryHash is the hash of what was asked, so that the same question can be recognised without being kept.
	QueryHash string `json:"query_hash,omitempty"`
	// Snapshot is the hash of what came back. Like the text of a Document it is kept once, and anchors point into it.
	Snapshot DocumentID        `json:"snapshot_hash,omitempty"`
	Metadata map[string]string `json:"metadata,omitempty"`
	Agent    string            `json:"agent,omitempty"`
	Tool     string            `json:"tool,omitempty"`
	Call     int               `json:"call,omitempty"` // of the agent's calls, from 1
	// From is the claim that another agent handed over, with the source it had: the chain goes back to the first tool.
	From *Claim `json:"from,omitempty"`
}

// First is the reference at which the chain of handings-over began: the tool that really returned it.
func (r SourceReference) First() SourceReference {
	for r.From != nil && r.From.Source != nil {
		r = *r.From.Source
	}
	return r
}

// Clone gives a copy that shares nothing with r.
func (r SourceReference) Clone() SourceReference {
	if r.Metadata != nil {
		m := make(map[string]string, len(r.Metadata))
		for k, v := range r.Metadata {
			m[k] = v
		}
		r.Metadata = m
	}
	if r.From != nil {
		from := r.From.Clone()
		r.From = &from
	}
	return r
}

// Hash is the hash of all of the reference: two that are the same to the letter have the same.
func (r SourceReference) Hash() string { return hashJSON(r) }

// Exemption says why a claim needs no source. The empty one means that it needs one.
type Exemption string

// What needs no source.
const (
	Computed   Exemption = "computed"   // the result of code: a sum, a count, a ranking
	Structural Exemption = "structural" // the form of the output: a heading, an order, a transition
	AboutRun   Exemption = "run"        // about the run itself: how many sources it read, how long it took
)

// Claim is what an agent asserted, bound to its source where a tool returned. A registered claim never changes.
type Claim struct {
	ID     ClaimID `json:"id"` // the hash of all the rest: the same claim is the same wherever it is merged
	Run    RunID   `json:"run"`
	Agent  string  `json:"agent,omitempty"`
	Number int     `json:"number"` // in the agent's ledger, from 1
	Text   string  `json:"text"`
	// Source is a copy of the reference that it rests on; nil where it has none.
	Source *SourceReference `json:"source"`
	// Evidence are the words of the snapshot that it rests on, where it names them.
	Evidence []Anchor  `json:"evidence,omitempty"`
	Exempt   Exemption `json:"exempt,omitempty"`
	At       time.Time `json:"at"`
}

// RequiresAttribution reports whether the claim needs a source.
func (c Claim) RequiresAttribution() bool { return c.Exempt == "" }

// Cited reports whether the claim has a source. An empty or blank identifier is none.
func (c Claim) Cited() bool { return c.Source != nil && strings.TrimSpace(c.Source.Identifier) != "" }

// ToldBy is the name in the metadata of a reference under which it says who told of it, where no code captured it: an
// assistant that says what was returned to it. FromLibrary is the category of those whose words the library itself has.
const (
	ToldBy      = "told_by"
	FromLibrary = "library"
)

// Trust is the rung that the claim's link to its source stands on. What code bound to its source where a tool returned stands on
// the highest. A link that an assistant tells of is no more than a marker, unless it quotes words that stand in the library.
func (c Claim) Trust() Trust {
	if !c.Cited() {
		return Unlinked
	}
	t := ToolBoundary
	if c.Source.Metadata[ToldBy] != "" {
		t = Marked
		if c.Source.Category == FromLibrary && len(c.Evidence) > 0 {
			t = Quoted
		}
	}
	if from := c.Source.From; from != nil && from.Cited() { // a chain holds as its weakest link does
		t = min(t, from.Trust())
	}
	return t
}

// Clone gives a copy that shares nothing with c.
func (c Claim) Clone() Claim {
	if c.Source != nil {
		s := c.Source.Clone()
		c.Source = &s
	}
	c.Evidence = append([]Anchor(nil), c.Evidence...)
	return c
}

// Identify gives the ID that the claim must have.
func (c Claim) Identify() ClaimID {
	c.ID = ""
	return ClaimID(hashJSON(c)[:16])
}

// Check returns an error where the claim is not what its id says, has no text, is exempt for a reason that is none or though it
// has a source, or points at words that cannot be or that are not its source's. The error wraps ErrInvalid.
func (c Claim) Check() error {
	switch {
	case c.ID != c.Identify():
		return fmt.Errorf("claim %s is not what was registered under this id: %w", c.ID, ErrInvalid)
	case strings.TrimSpace(c.Text) == "":
		return fmt.Errorf("claim %s is empty: %w", c.ID, ErrInvalid)
	}
	switch c.Exempt {
	case "":
	case Computed, Structural, AboutRun:
		if c.Source != nil {
			return fmt.Errorf("claim %s is exempt and has a source: %w", c.ID, ErrInvalid)
		}
	default:
		return fmt.Errorf("claim %s is exempt as %q: choose computed, structural or run: %w", c.ID, c.Exempt, ErrInvalid)
	}
	for _, at := range c.Evidence {
		switch {
		case at.Span.Start < 0 || at.Span.Empty():
			return fmt.Errorf("claim %s points at %v: %w", c.ID, at.Span, ErrInvalid)
		case c.Source == nil || c.Source.Snapshot != at.Document:
			return fmt.Errorf("claim %s points at words of %s, which is not its source: %w", c.ID, at.Document, ErrInvalid)
		}
	}
	return nil
}

// Run is the record of one run of an agent, or of several that work together.
type Run struct {
	ID         RunID             `json:"id"`
	StartedAt  time.Time         `json:"started_at"`
	FinishedAt time.Time         `json:"finished_at,omitzero"` // zero while it goes on
	Sources    []SourceReference `json:"sources"`              // all that was retrieved, cited or not
	Claims     []Claim           `json:"claims"`
	Verdict    *Verdict          `json:"verdict,omitempty"` // nil until it is finished
}

func hashJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil { // times beyond the year 9999 alone
		b = []byte(err.Error())
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
