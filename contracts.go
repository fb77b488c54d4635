package ibid

import (
	"context"
	"iter"
	"time"
)

// Retriever finds the passages that may answer a question, best first, with ranks from 1. The same question to the same
// library gives the same passages in the same order.
type Retriever interface {
	Retrieve(ctx context.Context, q Query) ([]Passage, error)
}

// Query is a question to a Retriever. The zero value of each field but Text leaves it open.
type Query struct {
	Text       string
	Limit      int        // how many passages at most; 0 means 8
	Collection string     // only sources of this collection; "" is the collection without a name
	Sources    []SourceID // only these sources; nil means all of the collection's
	After      time.Time  // only snapshots taken at or after this time
	Before     time.Time  // only snapshots taken before this time
}

// Model writes an answer. It yields deltas as they come; streaming is the only form. After an error nothing more is
// yielded. Leaving the loop or ending the context stops the model.
type Model interface {
	Generate(ctx context.Context, p Prompt) iter.Seq2[Delta, error]
}

// Prompt is all that a model is given. A language model reads System and Messages; a model that works on the passages
// themselves reads Question and Passages.
type Prompt struct {
	System    string
	Messages  []Message
	Question  string
	Passages  []Passage
	MaxTokens int // of the answer; 0 means the model's own limit
}

// Message is one turn of a conversation.
type Message struct {
	Role string // "user" or "assistant"
	Text string
}

// Delta is a piece of an answer as the model gives it.
type Delta struct {
	Text  string // a character may be cut between two deltas
	Cites []Cite // citations of the provider's own for the text so far, where its API returns them
	Usage Usage  // set on the last delta, where the model tells
	Model string // the model that really answered, set on at least one delta
}

// Cite is a citation as a provider's API returned it: a claim to be checked.
type Cite struct {
	Of Span   // into the text of all deltas so far
	To Anchor // the words it points to
}

// Embedder turns texts into vectors of unit length, one per text and all of the same size.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Attributor decides where each segment of an answer comes from. It takes the segments as they are completed and yields
// one finding per segment, in order, each as soon as it is decided; none is revised. It is deterministic: the same
// passages and segments give the same findings, however the answer was cut when it streamed.
type Attributor interface {
	Attribute(ctx context.Context, passages []Passage, segments iter.Seq2[Draft, error]) iter.Seq2[Finding, error]
}

// Draft is a segment that waits for its attribution.
type Draft struct {
	At      Span // into the answer's text
	Kind    Kind
	Text    string   // the answer's text at At
	Claimed *Claimed // what the model's markers say of it
	Cites   []Cite   // what the provider's citations say of it
}

// Finding is what attribution says of one segment.
type Finding struct {
	Segment      Segment
	Attributions []Attribution // best first
}

// Judge says whether evidence supports a claim, one judgement per pair.
type Judge interface {
	Judge(ctx context.Context, pairs []Pair) ([]Judgement, error)
}

// Pair is a claim and the text that may support it.
type Pair struct {
	Evidence string
	Claim    string
}

// Judgement holds probabilities that sum to 1, and the support of each word of the claim.
type Judgement struct {
	Supported    float64
	Unsupported  float64
	Contradicted float64
	Words        []WordSupport // may be nil
}

// WordSupport is the probability that one word of a claim is supported.
type WordSupport struct {
	At      Span // into the claim
	Support float64
}

// Library keeps sources and their snapshots.
type Library interface {
	// Add stores a snapshot with its chunks, all or nothing. A text that the source already has as its newest version
	// changes nothing. It returns the document as stored, with its version, and whether it is new to the source.
	Add(ctx context.Context, s Source, d Document, chunks []Chunk) (Document, bool, error)
	// Document gives a snapshot. The error wraps ErrNotFound.
	Document(ctx context.Context, id DocumentID) (Document, error)
	// Source gives a source. The error wraps ErrNotFound.
	Source(ctx context.Context, id SourceID) (Source, error)
}

// Log is a record to which entries are only ever added.
type Log interface {
	// Append returns once the entry is on disk.
	Append(ctx context.Context, kind string, data []byte) (Entry, error)
	// Entries yields the entries from an index on, in order.
	Entries(ctx context.Context, from int64) iter.Seq2[Entry, error]
}
