package ibid

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// What callers do about an error decides which of these it wraps.
var (
	// ErrNotFound says that nothing is stored under the id.
	ErrNotFound = errors.New("not found")
	// ErrAmbiguous says that a shortened id fits several things.
	ErrAmbiguous = errors.New("ambiguous")
	// ErrInvalid says that the input is at fault; trying again with the same input fails again.
	ErrInvalid = errors.New("invalid")
)

// Ids have types of their own, so that a call reads as what it does.
type (
	// SourceID names a work. It is the hash of its collection and URI: the same file is the same source each time.
	SourceID string
	// DocumentID names a snapshot. It is the hash of the text: the same words are the same document.
	DocumentID string
	// AnswerID names a recorded answer. People may shorten it as long as it stays unambiguous.
	AnswerID string
	// ConversationID names a row of questions and answers that see each other.
	ConversationID string
	// ClaimID names a claim within its run.
	ClaimID string
	// RunID names one run of an agent or of several that work together.
	RunID string
)

// Span is a half-open range of bytes, [Start, End).
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// In gives the words of the span. It panics where the span lies outside of the text, as slicing does.
func (s Span) In(text string) string { return text[s.Start:s.End] }

// Len is the number of bytes.
func (s Span) Len() int { return s.End - s.Start }

// Empty reports whether the span holds nothing.
func (s Span) Empty() bool { return s.End <= s.Start }

// Contains reports whether o lies within s.
func (s Span) Contains(o Span) bool { return s.Start <= o.Start && o.End <= s.End }

// Overlaps reports whether s and o share at least one byte.
func (s Span) Overlaps(o Span) bool { return s.Start < o.End && o.Start < s.End }

// Shift moves the span by n bytes.
func (s Span) Shift(n int) Span { return Span{s.Start + n, s.End + n} }

func (s Span) String() string { return fmt.Sprintf("[%d,%d)", s.Start, s.End) }

// Anchor points at words: a span of one snapshot of a source. It can be checked by anyone who has the text, and never
// goes stale, as a page that changed is a new Document.
type Anchor struct {
	Document DocumentID `json:"document"`
	Span     Span       `json:"span"`
}

// HashText gives the DocumentID of a text.
func HashText(text string) DocumentID {
	sum := sha256.Sum256([]byte(text))
	return DocumentID(hex.EncodeToString(sum[:]))
}

// IdentifySource gives the SourceID of a work by where it was found.
func IdentifySource(collection, uri string) SourceID {
	sum := sha256.Sum256([]byte(collection + "\x00" + uri))
	return SourceID(hex.EncodeToString(sum[:8]))
}

// Origin says where a run of answer text comes from.
type Origin string

// The origins of the text of an answer.
const (
	RAG    Origin = "RAG"    // a source says so
	LLM    Origin = "LLM"    // the model's own words: no source given to it says so
	HYBRID Origin = "HYBRID" // part of it stands in a source
	NONE   Origin = "NONE"   // makes no claim: a heading, a question, a courtesy, code
)

// Trust says how a link between answer and source came to be. Rungs are ordered: a greater one is the stronger proof.
type Trust int

// The rungs of the ladder, weakest first.
const (
	Unlinked     Trust = iota // no link
	Marked                    // the model's own marker: claimed, unchecked
	Judged                    // words or a model judge that the source supports it
	Quoted                    // the words stand there
	Provided                  // returned as a citation by the model's API, and checked
	ToolBoundary              // captured by code where a tool returned
)

var trustNames = [...]string{"unlinked", "marker", "judged", "quote", "provider", "tool"}

func (t Trust) String() string {
	if t < 0 || int(t) >= len(trustNames) {
		return fmt.Sprintf("Trust(%d)", int(t))
	}
	return trustNames[t]
}

// MarshalText writes the rung's name.
func (t Trust) MarshalText() ([]byte, error) {
	if t < 0 || int(t) >= len(trustNames) {
		return nil, fmt.Errorf("trust %d: %w", int(t), ErrInvalid)
	}
	return []byte(trustNames[t]), nil
}

// UnmarshalText reads a rung by its name. The error wraps ErrInvalid.
func (t *Trust) UnmarshalText(b []byte) error {
	for i, name := range trustNames {
		if name == string(b) {
			*t = Trust(i)
			return nil
		}
	}
	return fmt.Errorf("trust %q: choose one of %s: %w", b, strings.Join(trustNames[1:], ", "), ErrInvalid)
}
