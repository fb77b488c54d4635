package index

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/ingest"
)

// fakeRecord is a record in memory.
type fakeRecord struct {
	identity string

	mu      sync.Mutex
	seq     int64
	changed map[ibid.SourceID]int64
	sources map[ibid.SourceID]ibid.Source
	docs    map[ibid.SourceID][]ibid.Document // oldest first
	chunks  map[ibid.DocumentID][]ibid.Chunk
	locked  bool
	reads   int // of chunks
}

func newRecord() *fakeRecord {
	return &fakeRecord{
		identity: "one", changed: map[ibid.SourceID]int64{}, sources: map[ibid.SourceID]ibid.Source{},
		docs: map[ibid.SourceID][]ibid.Document{}, chunks: map[ibid.DocumentID][]ibid.Chunk{},
	}
}

var morning = time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)

// add stores a text as the next version of a source, a day after the one before.
func (r *fakeRecord) add(collection, uri, title, text string) ibid.SourceID {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := ibid.Source{ID: ibid.IdentifySource(collection, uri), Collection: collection, URI: uri}
	s.Reference.Set("title", title)
	r.sources[s.ID] = s
	n := len(r.docs[s.ID])
	d := ibid.Document{ID: ibid.HashText(text), Source: s.ID, Version: n + 1, Text: text, FetchedAt: morning.AddDate(0, 0, n)}
	r.docs[s.ID] = append(r.docs[s.ID], d)
	if r.chunks[d.ID] == nil {
		r.chunks[d.ID] = ingest.Chunks(d)
	}
	r.seq++
	r.changed[s.ID] = r.seq
	return s.ID
}

func (r *fakeRecord) remove(id ibid.SourceID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.sources, id)
	delete(r.docs, id)
	r.seq++
	r.changed[id] = r.seq
}

func (r *fakeRecord) Identity() string { return r.identity }

func (r *fakeRecord) Sequence(context.Context) (int64, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.seq, nil
}

func (r *fakeRecord) Changed(ctx context.Context, after int64, limit int) ([]ibid.SourceID, int64, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	bySeq := map[int64]ibid.SourceID{}
	for id, seq := range r.changed {
		bySeq[seq] = id
	}
	var ids []ibid.SourceID
	for seq := after + 1; seq <= r.seq && len(ids) < limit; seq++ {
		if id, ok := bySeq[seq]; ok {
			ids = append(ids, id)
			after = seq
		}
	}
	return ids, after, ctx.Err()
}

func (r *fakeRecord) Snapshots(_ context.Context, id ibid.SourceID) (ibid.Source, []ibid.Document, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var docs []ibid.Document
	for _, d := range r.docs[id] {
		docs = append([]ibid.Document{d}, docs...)
	}
	return r.sources[id], docs, nil
}

func (r *fakeRecord) Chunks(_ context.Context, id ibid.DocumentID) ([]ibid.Chunk, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reads++
	return r.chunks[id], nil
}

func (r *fakeRecord) Passage(_ context.Context, id ibid.SourceID, version, ordinal int) (ibid.Source, ibid.Chunk, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, d := range r.docs[id] {
		if d.Version == version && ordinal < len(r.chunks[d.ID]) {
			return r.sources[id], r.chunks[d.ID][ordinal], nil
		}
	}
	return ibid.Source{}, ibid.Chunk{}, fmt.Errorf("passage: %w", ibid.ErrNotFound)
}

func (r *fakeRecord) TryLock(string) (func() error, bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.locked {
		return nil, false, nil
	}
	r.locked = true
	return func() error {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.locked = false
		return nil
	}, true, nil
}

func mustOpen(t testing.TB, dir string, r Record) *Index {
	t.Helper()
	x, err := Open(t.Context(), dir, r, Config{})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func mustRetrieve(t testing.TB, x *Index, q ibid.Query) []ibid.Passage {
	t.Helper()
	p, err := x.Retrieve(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
