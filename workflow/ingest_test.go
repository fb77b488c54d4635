package workflow_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/ingest"
	"github.com/ibid-dev/ibid/workflow"
)

// kept is a library that counts.
type kept struct {
	mu   sync.Mutex
	docs map[ibid.SourceID]ibid.Document
}

func (k *kept) Add(_ context.Context, s ibid.Source, d ibid.Document, chunks []ibid.Chunk) (ibid.Document, bool, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if old, ok := k.docs[s.ID]; ok && old.ID == d.ID {
		return old, false, nil
	}
	d.Version = k.docs[s.ID].Version + 1
	k.docs[s.ID] = d
	return d, true, nil
}
func (k *kept) Document(context.Context, ibid.DocumentID) (ibid.Document, error) {
	return ibid.Document{}, ibid.ErrNotFound
}
func (k *kept) Source(context.Context, ibid.SourceID) (ibid.Source, error) {
	return ibid.Source{}, ibid.ErrNotFound
}

func input(name, body string) workflow.Input {
	return workflow.Input{URI: "file:///" + name, Name: name, Size: int64(len(body)), Open: func(context.Context) (workflow.Content, error) {
		return workflow.Content{Body: io.NopCloser(strings.NewReader(body))}, nil
	}}
}

func ingester() (*workflow.Ingester, *kept) {
	k := &kept{docs: map[ibid.SourceID]ibid.Document{}}
	return &workflow.Ingester{Library: k, Now: func() time.Time { return time.Unix(0, 0) }}, k
}

func TestIngestGivesOneOutcomeEachInOrder(t *testing.T) {
	in, k := ingester()
	unreadable := errors.New("permission denied")
	inputs := func(yield func(workflow.Input) bool) {
		for i := range 300 {
			body := fmt.Sprintf("Note %d says something of its own.", i)
			switch i {
			case 50:
				body = ""
			case 60:
				body = "\x00\x01\x02\xff\xfe\x00"
			}
			next := input(fmt.Sprintf("%d.md", i), body)
			if i == 70 {
				next.Open = func(context.Context) (workflow.Content, error) { return workflow.Content{}, unreadable }
			}
			if !yield(next) {
				return
			}
		}
	}
	i, failed := 0, 0
	for out := range in.Ingest(t.Context(), inputs) {
		if want := fmt.Sprintf("%d.md", i); out.Input.Name != want {
			t.Fatalf("outcome %d is of %s", i, out.Input.Name)
		}
		if out.Err != nil {
			failed++
		} else if !out.New || out.Chunks == 0 || out.Document.Version != 1 {
			t.Errorf("%s: %+v", out.Input.Name, out)
		}
		i++
	}
	if i != 300 || failed != 3 || len(k.docs) != 297 {
		t.Errorf("%d outcomes, %d failed, %d stored", i, failed, len(k.docs))
	}
	for out := range in.Ingest(t.Context(), inputs) {
		if out.New {
			t.Errorf("%s is new the second time", out.Input.Name)
		}
	}
}

// A file may be larger than it says: a pipe has no size, and a log grows.
// Of texts that are sent together under one name the last is the newest version, however long the others take to be read.
func TestIngestKeepsTheOrderOfVersions(t *testing.T) {
	in, k := ingester()
	const n = 20
	inputs := func(yield func(workflow.Input) bool) {
		for i := range n {
			next := input("notes.md", fmt.Sprintf("This is version %d.", i+1))
			open := next.Open
			next.Open = func(ctx context.Context) (workflow.Content, error) {
				time.Sleep(time.Duration(n-i) * time.Millisecond) // the first takes longest
				return open(ctx)
			}
			if !yield(next) || !yield(input(fmt.Sprint(i), "Another note.")) {
				return
			}
		}
	}
	want := 0
	for out := range in.Ingest(t.Context(), inputs) {
		if out.Input.Name != "notes.md" {
			continue
		}
		if want++; out.Err != nil || out.Document.Version != want {
			t.Fatalf("input %d became version %d: %v", want, out.Document.Version, out.Err)
		}
	}
	if last := k.docs[ibid.IdentifySource("", "file:///notes.md")]; last.Text != fmt.Sprintf("This is version %d.", n) {
		t.Errorf("the newest says %q", last.Text)
	}
}

func TestIngestRefusesWhatGrowsPastTheLimit(t *testing.T) {
	in, k := ingester()
	in.Limits = ingest.Limits{File: 1000}
	endless := input("endless", "")
	endless.Size = -1
	endless.Open = func(context.Context) (workflow.Content, error) {
		return workflow.Content{Body: io.NopCloser(endlessReader{})}, nil
	}
	for out := range in.Ingest(t.Context(), list(endless)) {
		if !errors.Is(out.Err, ingest.ErrTooLarge) {
			t.Errorf("got %v", out.Err)
		}
	}
	if len(k.docs) != 0 {
		t.Error("something was stored")
	}
}

type endlessReader struct{}

func (endlessReader) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

func TestIngestBeginsNothingAfterTheReaderLeft(t *testing.T) {
	in, _ := ingester()
	in.Workers = 2
	var begun atomic.Int64
	inputs := func(yield func(workflow.Input) bool) {
		for i := 0; ; i++ {
			next := input(fmt.Sprint(i), "words of some kind")
			open := next.Open
			next.Open = func(ctx context.Context) (workflow.Content, error) { begun.Add(1); return open(ctx) }
			if !yield(next) {
				return
			}
		}
	}
	for range in.Ingest(t.Context(), inputs) {
		break
	}
	if n := begun.Load(); n > 20 {
		t.Errorf("%d inputs were begun", n)
	}
}

func list(inputs ...workflow.Input) iter.Seq[workflow.Input] {
	return func(yield func(workflow.Input) bool) {
		for _, in := range inputs {
			if !yield(in) {
				return
			}
		}
	}
}

// crowd is a library that counts the bytes which are added at the same time.
type crowd struct {
	kept
	now, most atomic.Int64
}

func (c *crowd) Add(ctx context.Context, s ibid.Source, d ibid.Document, chunks []ibid.Chunk) (ibid.Document, bool, error) {
	now := c.now.Add(int64(len(d.Text)))
	defer c.now.Add(-int64(len(d.Text)))
	for most := c.most.Load(); now > most && !c.most.CompareAndSwap(most, now); most = c.most.Load() {
	}
	time.Sleep(300 * time.Millisecond) // for the others to come
	return c.kept.Add(ctx, s, d, chunks)
}

func TestIngestCountsPagesAsWhatTheyAre(t *testing.T) {
	c := &crowd{kept: kept{docs: map[ibid.SourceID]ibid.Document{}}}
	in := &workflow.Ingester{Library: c, Now: func() time.Time { return time.Unix(0, 0) }}
	inputs := func(yield func(workflow.Input) bool) {
		for i := range 8 {
			page := input(fmt.Sprint(i), fmt.Sprint(i)+strings.Repeat(" a line of the page\n", 5<<20/20))
			page.Size = -1
			if !yield(page) {
				return
			}
		}
	}
	n := 0
	for out := range in.Ingest(context.Background(), inputs) {
		if n++; out.Err != nil {
			t.Error(out.Err)
		}
	}
	if most := c.most.Load(); n != 8 || most > 16<<20 {
		t.Errorf("%d pages, %d MB of them at the same time", n, most>>20)
	}
}

// startled is a library that panics at one text.
type startled struct{ *kept }

func (s startled) Add(ctx context.Context, src ibid.Source, d ibid.Document, chunks []ibid.Chunk) (ibid.Document, bool, error) {
	if strings.Contains(d.Text, "whale") {
		panic("startled by a whale")
	}
	return s.kept.Add(ctx, src, d, chunks)
}

// A panic over one input is its outcome, and the others are taken in.
func TestIngestOutlivesAPanic(t *testing.T) {
	in, k := ingester()
	in.Library, in.Workers = startled{k}, 1
	inputs := []workflow.Input{input("a", "The cable failed."), input("b", "It was eaten by a whale."), input("b", "It was not eaten."), input("c", "It was mended.")}
	inputs = append(inputs, workflow.Input{URI: "file:///d", Name: "d", Open: func(context.Context) (workflow.Content, error) { panic("startled by a file") }})
	var said []string
	for out := range in.Ingest(t.Context(), slices.Values(inputs)) {
		said = append(said, fmt.Sprintf("%s: %v", out.Input.Name, out.Err))
	}
	if want := "a: <nil>, b: panic: startled by a whale, b: <nil>, c: <nil>, d: panic: startled by a file"; strings.Join(said, ", ") != want || len(k.docs) != 3 {
		t.Errorf("%q, %d documents", said, len(k.docs))
	}
}
