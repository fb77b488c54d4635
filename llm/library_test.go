package llm

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/index"
	"github.com/ibid-dev/ibid/ingest"
)

// library is documents with the real index over them.
type library struct {
	texts   map[ibid.DocumentID]string
	sources map[ibid.SourceID]ibid.Source
	docs    map[ibid.SourceID]ibid.Document
	chunks  map[ibid.DocumentID][]ibid.Chunk
	order   []ibid.SourceID
	index   *index.Index
}

func newLibrary() *library {
	return &library{texts: map[ibid.DocumentID]string{}, sources: map[ibid.SourceID]ibid.Source{},
		docs: map[ibid.SourceID]ibid.Document{}, chunks: map[ibid.DocumentID][]ibid.Chunk{}}
}

// add takes a plain text, once.
func (l *library) add(title, body string) ibid.DocumentID {
	return l.addDocument(title, ibid.Document{Text: body})
}

// addDocument takes a document, once, cut into chunks as ingestion does.
func (l *library) addDocument(title string, d ibid.Document) ibid.DocumentID {
	body := d.Text
	id := ibid.HashText(body)
	if _, ok := l.texts[id]; ok || strings.TrimSpace(body) == "" {
		return id
	}
	s := ibid.Source{URI: "test:" + string(id[:16])}
	s.ID = ibid.IdentifySource("", s.URI)
	s.Reference.Set("title", title)
	d.ID, d.Source, d.Version = id, s.ID, 1
	l.texts[id], l.sources[s.ID], l.docs[s.ID], l.chunks[id] = body, s, d, ingest.Chunks(d)
	l.order = append(l.order, s.ID)
	return id
}

func (l *library) open(t testing.TB) {
	t.Helper()
	l.openWith(t, index.Config{})
}

func (l *library) openWith(t testing.TB, c index.Config) {
	t.Helper()
	x, err := index.Open(t.Context(), t.TempDir(), record{l}, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	l.index = x
}

// retrieve gives the best eight passages, of some documents only or of all but some where given.
func (l *library) retrieve(t testing.TB, question string, only, without []ibid.DocumentID) []ibid.Passage {
	t.Helper()
	q := ibid.Query{Text: question}
	if only != nil || without != nil {
		q.Sources = []ibid.SourceID{}
		for _, id := range l.order {
			if doc := l.docs[id].ID; (only == nil || slices.Contains(only, doc)) && !slices.Contains(without, doc) {
				q.Sources = append(q.Sources, id)
			}
		}
	}
	out, err := l.index.Retrieve(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// holding lists the documents that hold some words.
func (l *library) holding(words string) []ibid.DocumentID {
	var out []ibid.DocumentID
	for id, body := range l.texts {
		if strings.Contains(body, words) {
			out = append(out, id)
		}
	}
	return out
}

// record shows a library to the index.
type record struct{ l *library }

func (r record) Identity() string                        { return "test" }
func (r record) Sequence(context.Context) (int64, error) { return int64(len(r.l.order)), nil }
func (r record) TryLock(string) (func() error, bool, error) {
	return func() error { return nil }, true, nil
}
func (r record) Changed(_ context.Context, after int64, limit int) ([]ibid.SourceID, int64, error) {
	rest := r.l.order[after:]
	n := min(limit, len(rest))
	return rest[:n], after + int64(n), nil
}
func (r record) Snapshots(_ context.Context, id ibid.SourceID) (ibid.Source, []ibid.Document, error) {
	return r.l.sources[id], []ibid.Document{r.l.docs[id]}, nil
}
func (r record) Chunks(_ context.Context, id ibid.DocumentID) ([]ibid.Chunk, error) {
	return r.l.chunks[id], nil
}
func (r record) Passage(_ context.Context, id ibid.SourceID, _, ordinal int) (ibid.Source, ibid.Chunk, error) {
	return r.l.sources[id], r.l.chunks[r.l.docs[id].ID][ordinal], nil
}
