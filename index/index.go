// Package index finds the passages that may answer a question: by their words (BM25 over text, headings and title, with
// English stems and pairs of characters for scripts without spaces), where Config.English is given by their words in English, too,
// and where an Embedder is configured by vectors.
//
//	ix, err := index.Open(ctx, dir, store, index.Config{})  // catches up with the record, or builds it again
//	passages, err := ix.Retrieve(ctx, ibid.Query{Text: "When was the first transatlantic cable laid?"})
//	err = ix.Update(ctx)                                     // after a load of adds
//	err = ix.Close()
//
// The index follows from the record and holds nothing of its own. It knows up to which change of which record it has
// seen; what is missing is added before a question is answered, whichever process wrote it. What is lost, broken, of
// another record or of another version is built again. Each passage is read from the record before it is given out.
//
// The ranking is a function of what the collection's sources say now: it does not depend on the order in which they were
// added, on how the index is cut into files, on other collections or on former versions.
//
// Several processes can use one folder. One at a time writes; a question that needs what is not written yet adds it in
// memory, so it waits for no lock and for no disk.
package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/ibid-dev/ibid"
)

// Record is the system of record, as the index follows it.
type Record interface {
	// Identity tells this record from any other.
	Identity() string
	// Sequence is the number of the last change.
	Sequence(ctx context.Context) (int64, error)
	// Changed gives at most limit of the sources that changed after a number of the sequence, in order, and the number up
	// to which the list goes; none where there are no more.
	Changed(ctx context.Context, after int64, limit int) ([]ibid.SourceID, int64, error)
	// Snapshots gives a source and its versions, newest first, without texts; none where the source was removed.
	Snapshots(ctx context.Context, id ibid.SourceID) (ibid.Source, []ibid.Document, error)
	// Chunks gives the chunks of a document in order; none where it is not stored.
	Chunks(ctx context.Context, id ibid.DocumentID) ([]ibid.Chunk, error)
	// Passage gives a chunk of a version of a source. The error wraps ibid.ErrNotFound.
	Passage(ctx context.Context, id ibid.SourceID, version, ordinal int) (ibid.Source, ibid.Chunk, error)
	// TryLock takes a lock that no other process holds, and reports whether it could. It does not wait.
	TryLock(name string) (unlock func() error, ok bool, err error)
}

// Config is what an index can do without.
type Config struct {
	// Progress is told how far it is while it catches up with the record: changes done and in all, then, with an Embedder,
	// passages done and in all. May be nil.
	Progress func(done, total int64)
	// Embedder adds retrieval by vectors: the ranking by words and that by vectors are fused by rank. May be nil.
	Embedder ibid.Embedder
	// EmbedderName tells one Embedder's vectors from another's: those of another are made again.
	EmbedderName string
	// English gives a text of another language in English, "" where there is nothing to give: passages are found by these words, too, and questions ask for them.
	// In doubt about a short text, as a title, the one it belongs to tells the language. May be nil.
	English func(text, around string) string
	// EnglishName tells one English from another: an index that was made with another is built again.
	EnglishName string
	// Warn is told why the Embedder could not be used; passages are found by their words then. May be nil.
	Warn func(error)
}

// english is a text in English, "" where nothing can be given.
func (c Config) english(text, around string) string {
	if c.English == nil {
		return ""
	}
	return c.English(text, around)
}

// readable is a text as an Embedder reads it: in English, where that can be given.
func (c Config) readable(text string) string {
	if in := c.english(text, ""); in != "" {
		return in
	}
	return text
}

// Index is a Retriever. It is safe for use by several goroutines.
type Index struct {
	dir    string
	record Record
	config Config
	stop   map[string]bool
	tuned  weights

	now atomic.Pointer[view]

	mu     sync.Mutex // held by who catches up
	disk   manifest   // the files that now is made of
	failed error      // why they could not be written
}

var _ ibid.Retriever = (*Index)(nil)

// Open opens the index of a record in a folder, and brings it up to date.
func Open(ctx context.Context, dir string, record Record, c Config) (*Index, error) {
	x := &Index{dir: dir, record: record, config: c, stop: stopWords(), tuned: defaultWeights()}
	x.now.Store(newView(0, nil))
	if err := x.Update(ctx); err != nil {
		return nil, err
	}
	return x, nil
}

// Retrieve finds the passages that may answer a question, best first. Only the newest snapshot of each source is asked,
// or the newest within the range of time that the query gives. A text that several sources have comes once.
func (x *Index) Retrieve(ctx context.Context, q ibid.Query) ([]ibid.Passage, error) {
	v, err := x.fresh(ctx)
	if err != nil {
		return nil, fmt.Errorf("retrieve: %w", err)
	}
	passages, err := x.retrieve(ctx, v, q)
	if errors.Is(err, errBroken) {
		if v, err = x.catchUp(ctx, catchUp{anew: true}); err == nil {
			passages, err = x.retrieve(ctx, v, q)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("retrieve: %w", err)
	}
	return passages, nil
}

func (x *Index) retrieve(ctx context.Context, v *view, q ibid.Query) ([]ibid.Passage, error) {
	if q.Limit <= 0 {
		q.Limit = 8
	}
	asked := ask(q.Text+"\n"+x.config.english(q.Text, ""), x.stop, x.tuned)
	if q.Sources != nil {
		asked.sources = map[ibid.SourceID]bool{}
		for _, id := range q.Sources {
			asked.sources[id] = true
		}
	}
	part := v.population(q.Collection, q.After, q.Before)
	asked, err := v.spell(asked, part)
	if err != nil {
		return nil, err
	}
	vector, err := x.vector(ctx, q.Text)
	if err != nil {
		return nil, err
	}
	// The same text under several sources takes several hits, so look for more where that left too few.
	for limit := max(2*q.Limit, fused); ; limit *= 4 {
		hits, err := v.search(asked, part, x.tuned, limit)
		if err != nil {
			return nil, err
		}
		if vector != nil {
			hits = fuse(hits, v.neighbours(vector, asked, part, limit))
		}
		passages, err := x.passages(ctx, v, hits, q.Limit)
		if err != nil || len(passages) == q.Limit || len(hits) < limit {
			return passages, err
		}
	}
}

// vector is that of a question, nil where there is no Embedder or it fails.
func (x *Index) vector(ctx context.Context, text string) ([]float32, error) {
	if x.config.Embedder == nil {
		return nil, nil
	}
	made, err := x.config.Embedder.Embed(ctx, []string{x.config.readable(text)})
	if err == nil {
		err = checkVectors(made, 1)
	}
	if err == nil {
		return made[0], nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	x.warn(fmt.Errorf("retrieve by words only: %w", err))
	return nil, nil
}

// passages reads hits from the record. What was removed just now is left out; what the record does not have though
// nothing changed means that the index is wrong.
func (x *Index) passages(ctx context.Context, v *view, hits []hit, limit int) ([]ibid.Passage, error) {
	type place struct {
		document ibid.DocumentID
		ordinal  int
	}
	given := map[place]bool{}
	var passages []ibid.Passage
	for _, h := range spread(hits, limit) {
		at := place{h.key.document, h.ordinal}
		if len(passages) == limit || given[at] {
			continue
		}
		source, chunk, err := x.record.Passage(ctx, h.key.source, h.key.version, h.ordinal)
		if errors.Is(err, ibid.ErrNotFound) || err == nil && chunk.At.Document != h.key.document {
			seq, err := x.record.Sequence(ctx)
			if err == nil && seq == v.seq {
				err = fmt.Errorf("source %s version %d chunk %d is not in the record: %w", h.key.source, h.key.version, h.ordinal, errBroken)
			}
			if err != nil {
				return nil, err
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		given[at] = true
		passages = append(passages, ibid.Passage{Chunk: chunk, Source: source, Score: h.score})
	}
	slices.SortStableFunc(passages, func(a, b ibid.Passage) int { return cmp.Compare(b.Score, a.Score) })
	for i := range passages {
		passages[i].Rank = i + 1
	}
	return passages, nil
}

// spread lets no document take more than three quarters of the places while others wait: where the question stands in a title,
// every chunk below it has the words.
func spread(hits []hit, limit int) []hit {
	most := limit - limit/4
	count := map[ibid.DocumentID]int{}
	var first, later []hit
	for _, h := range hits {
		if count[h.key.document]++; count[h.key.document] > most {
			later = append(later, h)
		} else {
			first = append(first, h)
		}
	}
	return append(first, later...)
}
