package storetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
)

func readAsAdded(t *testing.T, s Store) {
	text := "# Cables\n\nThe first one failed.\fIt carried 732 messages 🎉 in all.\n"
	source := NewSource("file:///cables.md", "Cables")
	source.Reference.SetNames("author", ibid.Name{Family: "Field", Given: "Cyrus"})
	source.Reference.SetDate("issued", ibid.NewDate(1866, 7))
	doc := NewDocument(text)
	doc.MediaType = "text/markdown"
	doc.Outline = ibid.Outline{{At: 0, Heading: "Cables", Level: 1}, {At: 32, Page: 2}}
	chunks := Cut(doc, 10, 31)
	chunks[1].Heading = []string{"Cables"}
	chunks[2].Page, chunks[2].Breaks = 1, ibid.Outline{{At: 32, Page: 2}}

	stored, isNew, err := s.Add(t.Context(), source, doc, chunks)
	if err != nil || !isNew {
		t.Fatalf("new %v, error %v", isNew, err)
	}
	doc.Source, doc.Version = source.ID, 1
	wantEqual(t, "added", stored, doc)

	read, err := s.Document(t.Context(), doc.ID)
	wantNoError(t, err)
	wantEqual(t, "document", read, doc)
	readSource, err := s.Source(t.Context(), source.ID)
	wantNoError(t, err)
	wantEqual(t, "source", readSource, source)
	readChunks, err := s.Chunks(t.Context(), doc.ID)
	wantNoError(t, err)
	wantEqual(t, "chunks", readChunks, chunks)
	for i := range chunks {
		from, chunk, err := s.Passage(t.Context(), source.ID, 1, i)
		wantNoError(t, err)
		wantEqual(t, "source of the passage", from, source)
		wantEqual(t, "passage", chunk, chunks[i])
	}
}

func addTwice(t *testing.T, s Store) {
	source := NewSource("file:///a.txt", "A")
	first, _ := mustAdd(t, s, source, "One sentence.")
	seq := mustSequence(t, s)

	again := NewSource("file:///a.txt", "Another title")
	again.AddedAt = noon.Add(time.Hour)
	doc := NewDocument("One sentence.")
	doc.FetchedAt = noon.Add(time.Hour)
	second, isNew, err := s.Add(t.Context(), again, doc, Cut(doc))
	wantNoError(t, err)
	if isNew {
		t.Error("the second add is called new")
	}
	wantEqual(t, "the second add", second, first)
	wantEqual(t, "sequence", mustSequence(t, s), seq)
	read, err := s.Source(t.Context(), source.ID)
	wantNoError(t, err)
	wantEqual(t, "source", read, source)
}

func newVersion(t *testing.T, s Store) {
	source := NewSource("https://example.org/", "Old title")
	one, _ := mustAdd(t, s, source, "The old text.")
	source.Reference.Set("title", "New title")
	two, isNew := mustAdd(t, s, source, "The new text.")
	if !isNew || two.Version != 2 {
		t.Fatalf("new %v, version %d", isNew, two.Version)
	}
	versions, err := s.Versions(t.Context(), source.ID)
	wantNoError(t, err)
	if len(versions) != 2 || versions[0].ID != two.ID || versions[1].ID != one.ID {
		t.Errorf("versions newest first: %+v", versions)
	}
	for _, want := range []ibid.Document{one, two} {
		got, err := s.Version(t.Context(), source.ID, want.Version)
		wantNoError(t, err)
		wantEqual(t, "version", got, want)
	}
	read, err := s.Source(t.Context(), source.ID)
	wantNoError(t, err)
	wantEqual(t, "title", read.Title(), "New title")
}

func changedBack(t *testing.T, s Store) {
	source := NewSource("https://example.org/", "")
	one, _ := mustAdd(t, s, source, "First.")
	mustAdd(t, s, source, "Second.")
	three, isNew := mustAdd(t, s, source, "First.")
	if !isNew || three.Version != 3 || three.ID != one.ID {
		t.Errorf("new %v, version %d, document %s", isNew, three.Version, three.ID)
	}
	if _, isNew := mustAdd(t, s, source, "First."); isNew {
		t.Error("the newest text again is called new")
	}
}

func sharedDocument(t *testing.T, s Store) {
	one, _ := mustAdd(t, s, NewSource("file:///a", "A"), "The same words.")
	two, isNew := mustAdd(t, s, newSource("other", "file:///b", "B"), "The same words.")
	if !isNew || one.ID != two.ID || two.Version != 1 || two.Source == one.Source {
		t.Errorf("new %v: %+v and %+v", isNew, one, two)
	}
	read, err := s.Document(t.Context(), one.ID)
	wantNoError(t, err)
	wantEqual(t, "the document is given as its first source has it", read.Source, one.Source)
}

func noChunks(t *testing.T, s Store) {
	doc, isNew := mustAdd(t, s, NewSource("file:///empty", ""), "")
	if !isNew {
		t.Error("not new")
	}
	chunks, err := s.Chunks(t.Context(), doc.ID)
	wantNoError(t, err)
	wantEqual(t, "chunks", len(chunks), 0)
}

func refused(t *testing.T, s Store) {
	const text = "Eins. Zwei größer. Drei."
	for name, spoil := range map[string]func(*ibid.Source, *ibid.Document, []ibid.Chunk){
		"source id":             func(s *ibid.Source, _ *ibid.Document, _ []ibid.Chunk) { s.ID = "0123456789abcdef" },
		"NUL in the collection": func(s *ibid.Source, _ *ibid.Document, _ []ibid.Chunk) { s.Collection = "a\x00b" },
		"document of another":   func(_ *ibid.Source, d *ibid.Document, _ []ibid.Chunk) { d.Source = "other" },
		"document id":           func(_ *ibid.Source, d *ibid.Document, _ []ibid.Chunk) { d.ID = ibid.HashText("other") },
		"text not UTF-8":        func(_ *ibid.Source, d *ibid.Document, _ []ibid.Chunk) { d.Text = "a\xff"; d.ID = ibid.HashText(d.Text) },
		"outline outside":       func(_ *ibid.Source, d *ibid.Document, _ []ibid.Chunk) { d.Outline = ibid.Outline{{At: 100, Page: 1}} },
		"outline out of order":  func(_ *ibid.Source, d *ibid.Document, _ []ibid.Chunk) { d.Outline = ibid.Outline{{At: 5}, {At: 4}} },
		"chunk text":            func(_ *ibid.Source, _ *ibid.Document, c []ibid.Chunk) { c[2].Text = "DREI." },
		"chunk outside":         func(_ *ibid.Source, _ *ibid.Document, c []ibid.Chunk) { c[2].At.Span.End++ },
		"chunk before the text": func(_ *ibid.Source, _ *ibid.Document, c []ibid.Chunk) { c[0].At.Span.Start = -1 },
		"chunk upside down":     func(_ *ibid.Source, _ *ibid.Document, c []ibid.Chunk) { c[2].At.Span = ibid.Span{Start: 9, End: 3} },
		"chunk of another":      func(_ *ibid.Source, _ *ibid.Document, c []ibid.Chunk) { c[1].At.Document = "other" },
		"chunk ordinal":         func(_ *ibid.Source, _ *ibid.Document, c []ibid.Chunk) { c[1].Ordinal = 7 },
		"units before":          func(_ *ibid.Source, _ *ibid.Document, c []ibid.Chunk) { c[2].Before.Runes++ },
		"break outside":         func(_ *ibid.Source, _ *ibid.Document, c []ibid.Chunk) { c[0].Breaks = ibid.Outline{{At: 20, Page: 2}} },
	} {
		source, doc := NewSource("file:///refused", ""), NewDocument(text)
		chunks := Cut(doc, 6, 20)
		spoil(&source, &doc, chunks)
		if _, _, err := s.Add(t.Context(), source, doc, chunks); !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("%s: error is %v", name, err)
		}
	}
	wantEqual(t, "sequence", mustSequence(t, s), 0)
	if _, err := s.Document(t.Context(), ibid.HashText(text)); !errors.Is(err, ibid.ErrNotFound) {
		t.Errorf("the document of a refused add: %v", err)
	}
	mustAdd(t, s, NewSource("file:///refused", ""), text, 6, 20)
}

// Hostile are strings that break programs which handle them carelessly.
var Hostile = []string{
	"a\x00b", "\x00", "'; DROP TABLE sources; --", `"quoted" 'twice' \ back`, "%_?*[a-z]", "👩‍👩‍👧‍👦 é é \u202e\u200d\ufeff",
	"\u2028\u2029\u0085", "{{rag:x}} [CTX 1]", "<script>alert(1)</script>", "line\r\nbreak\ttab", strings.Repeat("long ", 5000), "\U0010ffff\ufffd",
}

func hostile(t *testing.T, s Store) {
	for i, h := range Hostile {
		source := newSource(strings.ReplaceAll(h, "\x00", "0"), h, h)
		source.Reference.Title()
		source.Reference.Text = map[string]string{"title": h}
		doc := NewDocument(h)
		doc.MediaType = h
		doc.Outline = ibid.Outline{{At: 0, Heading: h, Level: 1}}
		chunks := Cut(doc)
		chunks[0].Heading = []string{h, h}
		if _, _, err := s.Add(t.Context(), source, doc, chunks); err != nil {
			t.Fatalf("string %d: %v", i, err)
		}
		got, chunk, err := s.Passage(t.Context(), source.ID, 1, 0)
		wantNoError(t, err)
		wantEqual(t, fmt.Sprintf("source %d", i), got, source)
		wantEqual(t, fmt.Sprintf("chunk %d", i), chunk, chunks[0])
		read, err := s.Document(t.Context(), doc.ID)
		wantNoError(t, err)
		doc.Source, doc.Version = source.ID, 1
		wantEqual(t, fmt.Sprintf("document %d", i), read, doc)
	}
}

func large(t *testing.T, s Store) {
	text := strings.Repeat("Siebenundzwanzig Bytes, ü. ", 10<<20/28)
	doc := NewDocument(text)
	source := NewSource("file:///large", "")
	chunks := Cut(doc, 27, 2700, 32768, 32795, 65529, 65556, 1<<20) // some within what a store may cut the text into, some across
	_, _, err := s.Add(t.Context(), source, doc, chunks)
	wantNoError(t, err)
	read, err := s.Document(t.Context(), doc.ID)
	wantNoError(t, err)
	if read.Text != text {
		t.Error("the text differs")
	}
	for i := range chunks {
		_, chunk, err := s.Passage(t.Context(), source.ID, 1, i)
		wantNoError(t, err)
		wantEqual(t, "chunk", chunk, chunks[i])
	}
}

func cancelledAdd(t *testing.T, s Store) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	doc := NewDocument("Never stored.")
	if _, _, err := s.Add(ctx, NewSource("file:///never", ""), doc, Cut(doc)); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
	wantEqual(t, "sequence", mustSequence(t, s), 0)
	if err := s.RemoveSource(ctx, "x"); !errors.Is(err, context.Canceled) {
		t.Errorf("remove: error is %v", err)
	}
	if _, err := s.Document(ctx, doc.ID); !errors.Is(err, context.Canceled) {
		t.Errorf("document: error is %v", err)
	}
}

func sameConcurrently(t *testing.T, s Store) {
	source := NewSource("file:///same", "")
	var wg sync.WaitGroup
	var mu sync.Mutex
	news := 0
	for range 16 {
		wg.Go(func() {
			doc := NewDocument("All of us add this.")
			got, isNew, err := s.Add(t.Context(), source, doc, Cut(doc))
			mu.Lock()
			defer mu.Unlock()
			if err != nil || got.Version != 1 {
				t.Errorf("version %d, error %v", got.Version, err)
			}
			if isNew {
				news++
			}
		})
	}
	wg.Wait()
	wantEqual(t, "adds that were new", news, 1)
}

func manyConcurrently(t *testing.T, s Store) {
	const workers, each = 8, 20
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			source := NewSource(fmt.Sprintf("file:///%d", w), "")
			for i := range each {
				doc := NewDocument(fmt.Sprintf("Worker %d says %d. And all say %d.", w, i, i%3))
				if i%5 == 4 { // a bad one among them harms no other
					bad := doc
					bad.ID = "nonsense"
					if _, _, err := s.Add(t.Context(), source, bad, nil); err == nil {
						t.Error("a bad document was stored")
					}
				}
				got, isNew, err := s.Add(t.Context(), source, doc, Cut(doc, 10))
				if err != nil || !isNew || got.Version != i+1 {
					t.Errorf("worker %d: version %d, new %v, error %v", w, got.Version, isNew, err)
				}
			}
		})
	}
	wg.Wait()
	for w := range workers {
		versions, err := s.Versions(t.Context(), ibid.IdentifySource("", fmt.Sprintf("file:///%d", w)))
		wantNoError(t, err)
		wantEqual(t, "versions", len(versions), each)
		for _, v := range versions {
			chunks, err := s.Chunks(t.Context(), v.ID)
			if err != nil || len(chunks) != 2 {
				t.Errorf("version %d has %d chunks, error %v", v.Version, len(chunks), err)
			}
		}
	}
}

func removed(t *testing.T, s Store) {
	source := NewSource("file:///gone", "")
	one, _ := mustAdd(t, s, source, "One.")
	two, _ := mustAdd(t, s, source, "Two.")
	other, _ := mustAdd(t, s, NewSource("file:///stays", ""), "Other.")
	wantNoError(t, s.RemoveSource(t.Context(), source.ID))
	for _, d := range []ibid.Document{one, two} {
		if _, err := s.Document(t.Context(), d.ID); !errors.Is(err, ibid.ErrNotFound) {
			t.Errorf("document: error is %v", err)
		}
		if chunks, err := s.Chunks(t.Context(), d.ID); err != nil || len(chunks) > 0 {
			t.Errorf("%d chunks, error %v", len(chunks), err)
		}
	}
	if _, err := s.Source(t.Context(), source.ID); !errors.Is(err, ibid.ErrNotFound) {
		t.Errorf("source: error is %v", err)
	}
	if _, docs, err := s.Snapshots(t.Context(), source.ID); err != nil || len(docs) > 0 {
		t.Errorf("snapshots %v, error %v", docs, err)
	}
	if err := s.RemoveSource(t.Context(), source.ID); !errors.Is(err, ibid.ErrNotFound) {
		t.Errorf("removed twice: error is %v", err)
	}
	_, err := s.Document(t.Context(), other.ID)
	wantNoError(t, err)
}

func removedShared(t *testing.T, s Store) {
	a, b := NewSource("file:///a", ""), NewSource("file:///b", "")
	doc, _ := mustAdd(t, s, a, "Shared.")
	mustAdd(t, s, b, "Shared.")
	wantNoError(t, s.RemoveSource(t.Context(), a.ID))
	got, err := s.Document(t.Context(), doc.ID)
	wantNoError(t, err)
	wantEqual(t, "source", got.Source, b.ID)
	_, _, err = s.Passage(t.Context(), b.ID, 1, 0)
	wantNoError(t, err)
}

func removedCited(t *testing.T, s Store) {
	source := NewSource("file:///cited", "Cited")
	cited, _ := mustAdd(t, s, source, "This was cited.")
	later, _ := mustAdd(t, s, source, "This was not.")
	a := newAnswer(t, s, "answer-1", "", source, 1)
	wantNoError(t, s.PutAnswer(t.Context(), a))
	wantNoError(t, s.RemoveSource(t.Context(), source.ID))

	got, err := s.Document(t.Context(), cited.ID)
	wantNoError(t, err)
	wantEqual(t, "cited document", got, cited)
	_, err = s.Source(t.Context(), source.ID)
	wantNoError(t, err)
	if _, err := s.Document(t.Context(), later.ID); !errors.Is(err, ibid.ErrNotFound) {
		t.Errorf("document that was not cited: error is %v", err)
	}
	if _, docs, err := s.Snapshots(t.Context(), source.ID); err != nil || len(docs) > 0 {
		t.Errorf("retrieval still sees %v, error %v", docs, err)
	}
	if _, _, err := s.Passage(t.Context(), source.ID, 1, 0); !errors.Is(err, ibid.ErrNotFound) {
		t.Errorf("retrieval still gets the passage: error is %v", err)
	}
	if err := s.RemoveSource(t.Context(), source.ID); !errors.Is(err, ibid.ErrNotFound) {
		t.Errorf("removed twice: error is %v", err)
	}
}

func removedAndBack(t *testing.T, s Store) {
	source := NewSource("file:///back", "")
	mustAdd(t, s, source, "Here I am.")
	wantNoError(t, s.PutAnswer(t.Context(), newAnswer(t, s, "answer-1", "", source, 1)))
	wantNoError(t, s.RemoveSource(t.Context(), source.ID))
	seq := mustSequence(t, s)
	back, isNew := mustAdd(t, s, source, "Here I am.")
	if !isNew {
		t.Error("the return is not called new")
	}
	if mustSequence(t, s) <= seq {
		t.Error("the return is not a change")
	}
	_, docs, err := s.Snapshots(t.Context(), source.ID)
	wantNoError(t, err)
	if len(docs) == 0 || docs[0].Version != back.Version {
		t.Errorf("snapshots %+v", docs)
	}
}

func notFound(t *testing.T, s Store) {
	_, err := s.Document(t.Context(), "none")
	wantNotFound(t, "document", err)
	_, err = s.Source(t.Context(), "none")
	wantNotFound(t, "source", err)
	_, err = s.Source(t.Context(), "")
	wantNotFound(t, "source without id", err)
	_, err = s.Versions(t.Context(), "none")
	wantNotFound(t, "versions", err)
	_, err = s.Version(t.Context(), "none", 1)
	wantNotFound(t, "version", err)
	_, err = s.Answer(t.Context(), "none")
	wantNotFound(t, "answer", err)
	_, err = s.Conversation(t.Context(), "none")
	wantNotFound(t, "conversation", err)
	_, _, err = s.Passage(t.Context(), "none", 1, 0)
	wantNotFound(t, "passage", err)
	wantNotFound(t, "remove", s.RemoveSource(t.Context(), "none"))
}

func shortened(t *testing.T, s Store) {
	source := NewSource("file:///x", "")
	mustAdd(t, s, source, "Text.")
	got, err := s.Source(t.Context(), source.ID[:4])
	wantNoError(t, err)
	wantEqual(t, "source", got.ID, source.ID)
	if _, err := s.Source(t.Context(), source.ID[:3]); !errors.Is(err, ibid.ErrAmbiguous) {
		t.Errorf("3 characters: error is %v", err)
	}
	for _, id := range []ibid.AnswerID{"abcd-1", "abcd-12", "abce", "ab%d"} {
		wantNoError(t, s.PutAnswer(t.Context(), newAnswer(t, s, id, "", source, 1)))
	}
	for give, want := range map[ibid.AnswerID]ibid.AnswerID{"abcd-1": "abcd-1", "abcd-12": "abcd-12", "abce": "abce", "ab%d": "ab%d"} {
		a, err := s.Answer(t.Context(), give)
		wantNoError(t, err)
		wantEqual(t, "answer", a.ID, want)
	}
	if _, err := s.Answer(t.Context(), "abcd"); !errors.Is(err, ibid.ErrAmbiguous) {
		t.Errorf("a prefix of two: error is %v", err)
	}
	_, err = s.Answer(t.Context(), "ABCD-12")
	wantNotFound(t, "other case", err)
	_, err = s.Answer(t.Context(), "abc_")
	wantNotFound(t, "a wildcard", err)
}

func sequence(t *testing.T, s Store) {
	a, b := NewSource("file:///a", ""), NewSource("file:///b", "")
	wantEqual(t, "at first", mustSequence(t, s), 0)
	mustAdd(t, s, a, "A1.")
	first := mustSequence(t, s)
	mustAdd(t, s, b, "B1.")
	mustAdd(t, s, a, "A2.")
	ids, to, err := s.Changed(t.Context(), 0, 10)
	wantNoError(t, err)
	wantEqual(t, "all changes, by the last of each", ids, []ibid.SourceID{b.ID, a.ID})
	wantEqual(t, "up to", to, mustSequence(t, s))
	ids, to, err = s.Changed(t.Context(), first, 1)
	wantNoError(t, err)
	wantEqual(t, "the first page", ids, []ibid.SourceID{b.ID})
	ids, to, err = s.Changed(t.Context(), to, 1)
	wantNoError(t, err)
	wantEqual(t, "the second page", ids, []ibid.SourceID{a.ID})
	ids, _, err = s.Changed(t.Context(), to, 1)
	wantNoError(t, err)
	wantEqual(t, "behind the end", len(ids), 0)
	wantNoError(t, s.RemoveSource(t.Context(), a.ID))
	ids, last, err := s.Changed(t.Context(), to, 10)
	wantNoError(t, err)
	wantEqual(t, "a removal", ids, []ibid.SourceID{a.ID})
	if last <= to {
		t.Errorf("the sequence went from %d to %d", to, last)
	}
}

func wantNoError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantNotFound(t *testing.T, what string, err error) {
	t.Helper()
	if !errors.Is(err, ibid.ErrNotFound) {
		t.Errorf("%s: error is %v", what, err)
	}
}

func wantEqual[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %.500s\nwant %.500s", what, fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want))
	}
}
