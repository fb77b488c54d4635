// Package storetest is the one suite that every store passes. A store's own test opens a fresh, empty store per case:
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, func(t *testing.T) storetest.Store { … })
//	}
//
// RunLedger is the part of it that holds what is kept of agents' runs, of policies and of reviews.
//
// The cases are laws: what holds for any store, however it keeps its rows.
package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
)

// Store is what a store can do.
type Store interface {
	ibid.Library

	Versions(ctx context.Context, id ibid.SourceID) ([]ibid.Document, error)
	Version(ctx context.Context, id ibid.SourceID, version int) (ibid.Document, error)
	RemoveSource(ctx context.Context, id ibid.SourceID) error

	PutAnswer(ctx context.Context, a ibid.Answer) error
	Answer(ctx context.Context, id ibid.AnswerID) (ibid.Answer, error)
	Answers(ctx context.Context, before ibid.AnswerID, limit int) ([]ibid.Answer, error)
	FindAnswers(ctx context.Context, f api.Find, before ibid.AnswerID, limit int) ([]api.AnswerHead, error)
	Conversation(ctx context.Context, id ibid.ConversationID) ([]ibid.Answer, error)

	Sequence(ctx context.Context) (int64, error)
	Changed(ctx context.Context, after int64, limit int) ([]ibid.SourceID, int64, error)
	Snapshots(ctx context.Context, id ibid.SourceID) (ibid.Source, []ibid.Document, error)
	Chunks(ctx context.Context, id ibid.DocumentID) ([]ibid.Chunk, error)
	Passage(ctx context.Context, id ibid.SourceID, version, ordinal int) (ibid.Source, ibid.Chunk, error)
}

// Run runs the suite. Each case gets a store of its own from open, which also closes it at the end of the test.
func Run(t *testing.T, open func(t *testing.T) Store) {
	for _, c := range cases() {
		t.Run(c.name, func(t *testing.T) { c.run(t, open(t)) })
	}
}

type testCase struct {
	name string
	run  func(*testing.T, Store)
}

func cases() []testCase {
	return []testCase{
		{"a snapshot is read as it was added", readAsAdded},
		{"adding twice changes nothing", addTwice},
		{"a changed text is a new version", newVersion},
		{"a text changed back is a new version of the old document", changedBack},
		{"two sources with one text share a document", sharedDocument},
		{"a text may have no chunks", noChunks},
		{"an inconsistent snapshot is refused whole", refused},
		{"hostile strings are kept as they are", hostile},
		{"a text of 10 MB is kept as it is", large},
		{"a cancelled add changes nothing", cancelledAdd},
		{"concurrent adds of one snapshot are one version", sameConcurrently},
		{"concurrent adds of many snapshots lose none", manyConcurrently},
		{"a removed source is gone", removed},
		{"a removed source leaves what others share", removedShared},
		{"a removed source leaves what answers rest on", removedCited},
		{"a removed source can come back", removedAndBack},
		{"what is not there is not found", notFound},
		{"ids can be shortened while unambiguous", shortened},
		{"the sequence tells what changed", sequence},
		{"an answer is read as it was recorded", answerThereAndBack},
		{"an answer is recorded once", answerOnce},
		{"an answer that points nowhere is refused", answerRefused},
		{"answers are listed newest first", answersListed},
		{"answers are found by their words", foundByWords},
		{"an excerpt shows where the words stand", foundExcerpt},
		{"answers are found by what they rest on", foundBySource},
		{"an answer is found once", foundOnce},
		{"a conversation keeps its order", conversation},
	}
}

// noon is the time of everything that needs one.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 123456000, time.UTC)

// NewSource makes a source of the collection without a name.
func NewSource(uri, title string) ibid.Source {
	return newSource("", uri, title)
}

func newSource(collection, uri, title string) ibid.Source {
	s := ibid.Source{ID: ibid.IdentifySource(collection, uri), Collection: collection, URI: uri, AddedAt: noon}
	s.Reference.Type = "webpage"
	s.Reference.Set("title", title)
	return s
}

// NewDocument makes a snapshot of a text.
func NewDocument(text string) ibid.Document {
	return ibid.Document{ID: ibid.HashText(text), MediaType: "text/plain", Text: text, FetchedAt: noon}
}

// Cut makes chunks of the pieces of a document that end where cuts say; the rest is the last.
func Cut(d ibid.Document, cuts ...int) []ibid.Chunk {
	var chunks []ibid.Chunk
	var before ibid.Units
	start := 0
	for _, end := range append(cuts, len(d.Text)) {
		if end <= start {
			continue
		}
		at := ibid.Span{Start: start, End: end}
		chunks = append(chunks, ibid.Chunk{At: ibid.Anchor{Document: d.ID, Span: at}, Ordinal: len(chunks), Text: at.In(d.Text), Before: before})
		for _, r := range at.In(d.Text) {
			before.Runes++
			before.UTF16++
			if r > 0xffff {
				before.UTF16++
			}
		}
		start = end
	}
	return chunks
}

// mustAdd adds a text of one chunk per cut.
func mustAdd(t *testing.T, s Store, source ibid.Source, text string, cuts ...int) (ibid.Document, bool) {
	t.Helper()
	d := NewDocument(text)
	stored, isNew, err := s.Add(t.Context(), source, d, Cut(d, cuts...))
	if err != nil {
		t.Fatalf("add %q: %v", source.URI, err)
	}
	return stored, isNew
}

func mustSequence(t *testing.T, s Store) int64 {
	t.Helper()
	seq, err := s.Sequence(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return seq
}
