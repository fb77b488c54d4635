// Package api holds the forms that leave the server beside the nouns of the root package: what a list, a job, a key or an
// experiment looks like to who calls. The store keeps them, the server writes them, the client reads them, so that they
// cannot differ.
//
// Tags named doc, enum, minimum and so on go into the OpenAPI document.
package api

import (
	"time"

	"github.com/ibid-dev/ibid"
)

// Page is a part of a list.
type Page[T any] struct {
	Items []T `json:"items" doc:"In the order of the list."`
	// Next is given back as cursor to get what follows.
	Next string `json:"next,omitempty" doc:"Cursor of the next page; absent on the last one."`
}

// Source is a source as a list shows it, with its newest version.
type Source struct {
	ID         ibid.SourceID  `json:"id"`
	Collection string         `json:"collection,omitempty"`
	URI        string         `json:"uri" doc:"Where it was found. A file is known by its name alone."`
	Title      string         `json:"title"`
	Reference  ibid.Reference `json:"reference" doc:"The bibliographic record, as CSL-JSON."`
	AddedAt    time.Time      `json:"added_at"`
	Newest     *Version       `json:"newest,omitempty"`
	Versions   int            `json:"versions" doc:"How many there are."`
}

// Version is a snapshot of a source, without its text.
type Version struct {
	Document  ibid.DocumentID `json:"document" doc:"The hash of its text, by which it is opened."`
	Version   int             `json:"version" doc:"1 for the first."`
	MediaType string          `json:"media_type"`
	FetchedAt time.Time       `json:"fetched_at"`
	Bytes     int             `json:"bytes,omitempty" doc:"Of its text; where it is known."`
	Chunks    int             `json:"chunks,omitempty"`
}

// Job is work that takes longer than a request.
type Job struct {
	ID        string    `json:"id"`
	Kind      string    `json:"kind" enum:"ingest"`
	State     string    `json:"state" enum:"running,done,failed" doc:"failed: it was broken off; what was taken in until then stays."`
	Total     int       `json:"total"`
	Done      int       `json:"done" doc:"Inputs that are through, those that failed among them."`
	Failed    int       `json:"failed"`
	Outcomes  []Outcome `json:"outcomes" doc:"One for each input that is through, in their order."`
	Error     string    `json:"error,omitempty"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// Outcome is what became of one input.
type Outcome struct {
	Name     string          `json:"name"`
	Source   ibid.SourceID   `json:"source,omitempty"`
	Document ibid.DocumentID `json:"document,omitempty"`
	Version  int             `json:"version,omitempty"`
	New      bool            `json:"new" doc:"false: the library had it already."`
	Chunks   int             `json:"chunks,omitempty"`
	Warnings []string        `json:"warnings,omitempty"`
	Error    string          `json:"error,omitempty" doc:"Why it was left out."`
}

// Scope is what a key may do. Each includes the one before it.
type Scope string

// The scopes, least first.
const (
	Read  Scope = "read"
	Write Scope = "write"
	Admin Scope = "admin"
)

// Allows reports whether the scope includes another.
func (s Scope) Allows(need Scope) bool { return s.rank() >= need.rank() }

func (s Scope) rank() int {
	switch s {
	case Read:
		return 1
	case Write:
		return 2
	case Admin:
		return 3
	}
	return 0
}

// Key is what is known of an API key. Its secret is shown once, when it is made.
type Key struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Collection is the only one that the key reaches; nil for all.
	Collection *string    `json:"collection,omitempty" doc:"The only collection it reaches; absent for all."`
	Scope      Scope      `json:"scope" enum:"read,write,admin"`
	CreatedAt  time.Time  `json:"created_at"`
	RevokedAt  *time.Time `json:"revoked_at,omitempty"`
}

// Verdict is what people say of the link between a segment and its source.
type Verdict string

// The verdicts on a link.
const (
	Right   Verdict = "right"   // the source says so
	Wrong   Verdict = "wrong"   // it does not
	Missing Verdict = "missing" // a source that says so is not cited
)

// Feedback is one verdict on a segment of a recorded answer, or on one source of it.
type Feedback struct {
	ID        string        `json:"id"`
	Answer    ibid.AnswerID `json:"answer"`
	Segment   int           `json:"segment" doc:"1 for the first."`
	Source    ibid.SourceID `json:"source,omitempty" doc:"The source it speaks of; absent where it speaks of the segment as a whole."`
	Verdict   Verdict       `json:"verdict" enum:"right,wrong,missing"`
	Note      string        `json:"note,omitempty"`
	By        string        `json:"by,omitempty" doc:"The id of the key that gave it."`
	CreatedAt time.Time     `json:"created_at"`
}

// CitedPlace is a place of a document that an answer cites.
type CitedPlace struct {
	Answer     ibid.AnswerID `json:"answer"`
	Question   string        `json:"question"`
	Number     int           `json:"number" doc:"Of the citation, as the answer shows it."`
	At         ibid.Anchor   `json:"at"`
	Confidence float64       `json:"confidence"`
	CreatedAt  time.Time     `json:"created_at"`
}
