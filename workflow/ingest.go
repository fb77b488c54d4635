package workflow

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net/url"
	"path"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/ingest"
)

// Ingester takes files and pages into a library.
type Ingester struct {
	Library    ibid.Library
	Now        func() time.Time
	Collection string

	// Limits bound one file.
	Limits ingest.Limits
	// Workers is how many files are read at the same time. Defaults to 16: reading takes the cores there are, and adds
	// that wait together share one write to the disk.
	Workers int
}

// inFlight bounds the bytes of the files that are read at the same time, as each costs several times its size in memory.
// A file that is larger is read alone. One of unknown size, as a page is before it was fetched, counts as usualSize until it is
// there, and is read on when there is room for what it is.
const (
	inFlight  = 16 << 20
	usualSize = 1 << 20
)

// Input is a file or page to be ingested.
type Input struct {
	URI  string // names the source
	Name string // for people and for messages
	Size int64  // in bytes; -1 where it is not known
	// Title is what its sender calls it, before what it says of itself; "" where nothing was said.
	Title string
	Open  func(ctx context.Context) (Content, error)
}

// Given is a text that came with a request. Its address names the source where it has one, otherwise its name does: a text of
// the same name is a new version. The error wraps ibid.ErrInvalid.
func Given(name, title, address, text string) (Input, error) {
	if strings.TrimSpace(text) == "" {
		return Input{}, fmt.Errorf("the text is empty: %w", ibid.ErrInvalid)
	}
	media := "text/plain; charset=utf-8"
	if strings.HasSuffix(name, ".md") {
		media = "text/markdown; charset=utf-8"
	}
	uri := address
	if !strings.HasPrefix(uri, "http://") && !strings.HasPrefix(uri, "https://") {
		uri = Uploaded(name)
	}
	return Input{URI: uri, Name: name, Title: title, Size: int64(len(text)), Open: func(context.Context) (Content, error) {
		return Content{Body: io.NopCloser(strings.NewReader(text)), MediaType: media}, nil
	}}, nil
}

// Uploaded names what was sent and not found: an upload has a name and no place.
func Uploaded(name string) string {
	name = path.Base(strings.ReplaceAll(strings.ToValidUTF8(name, "\uFFFD"), `\`, "/"))
	return "upload:///" + url.PathEscape(name)
}

// Content is what an Input opens to.
type Content struct {
	Body      io.ReadCloser
	MediaType string // as the server named it; may be ""
	URI       string // where it was found in the end; "" where that is the Input's
}

// Outcome is what became of an Input.
type Outcome struct {
	Input    Input
	Source   ibid.SourceID
	Document ibid.Document // without its text
	New      bool          // false where the library had it
	Bytes    int64
	Chunks   int
	Warnings []string
	Err      error // the input was left out, and the library is as it was
}

// Ingest reads the inputs and gives one outcome each, in their order. Of those that name one source the later is the later
// version. An input that fails does not stop the others. When the context ends, or the reader of the outcomes leaves, no further
// input is begun.
func (in *Ingester) Ingest(ctx context.Context, inputs iter.Seq[Input]) iter.Seq[Outcome] {
	return func(yield func(Outcome) bool) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		for slot := range in.start(ctx, inputs) {
			if !yield(<-slot) {
				return
			}
		}
	}
}

// start reads inputs on several goroutines. The slots keep their order; each holds one outcome when it is ready.
func (in *Ingester) start(ctx context.Context, inputs iter.Seq[Input]) <-chan chan Outcome {
	workers := or(in.Workers, 16)
	slots := make(chan chan Outcome, 4*workers)
	room := semaphore.NewWeighted(inFlight)
	hands := semaphore.NewWeighted(int64(workers))
	var atWork sources
	go func() {
		defer close(slots)
		var busy sync.WaitGroup
		defer busy.Wait()
		for input := range inputs {
			place := place{room: room, size: min(max(input.Size, 1), inFlight)}
			if input.Size < 0 {
				place.size = usualSize
			}
			// Who waits here holds no room, which the one before may need.
			done, err := atWork.begin(ctx, input.URI)
			if err != nil {
				return
			}
			if hands.Acquire(ctx, 1) != nil || room.Acquire(ctx, place.size) != nil {
				return
			}
			slot := make(chan Outcome, 1)
			select {
			case slots <- slot:
			case <-ctx.Done():
				return
			}
			busy.Go(func() {
				defer done()
				defer hands.Release(1)
				defer place.leave()
				slot <- in.one(ctx, input, &place)
			})
		}
	}()
	return slots
}

// sources are those that are being taken in, by address, each with what is closed at its end.
type sources struct{ busy sync.Map }

// begin waits until no other input names the source. It is called by one goroutine; done by any.
func (s *sources) begin(ctx context.Context, uri string) (done func(), err error) {
	if before, ok := s.busy.Load(uri); ok {
		select {
		case <-before.(chan struct{}):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	end := make(chan struct{})
	s.busy.Store(uri, end)
	return func() {
		s.busy.Delete(uri)
		close(end)
	}, nil
}

// place is what an input takes of the room for all that are read at the same time.
type place struct {
	room *semaphore.Weighted
	size int64
}

// fit makes the place as large as what it is for. Meanwhile it holds none: inputs that wait for each other's would wait for ever.
func (p *place) fit(ctx context.Context, size int64) error {
	if size = min(size, inFlight); size <= p.size {
		return nil
	}
	p.leave()
	if err := p.room.Acquire(ctx, size); err != nil {
		return err
	}
	p.size = size
	return nil
}

func (p *place) leave() {
	p.room.Release(p.size)
	p.size = 0
}

// one takes in one input, whole or not at all.
func (in *Ingester) one(ctx context.Context, input Input, at *place) (out Outcome) {
	out = Outcome{Input: input}
	defer func() { // on a goroutine of its own, where nobody else would catch it: the others are not to be lost with it
		if p := recover(); p != nil {
			out.Err = fmt.Errorf("panic: %v", p)
		}
	}()
	body, content, err := in.read(ctx, input)
	if err == nil {
		err = at.fit(ctx, int64(len(body)))
	}
	if err != nil {
		out.Err = err
		return out
	}
	out.Bytes = int64(len(body))
	// A source is known by the address it was asked for: where that leads to may differ from one time to the next.
	uri, found := input.URI, input.URI
	if content.URI != "" {
		found = content.URI
	}
	res, err := in.Limits.Read(ctx, body, ingest.Hint{Name: input.Name, MediaType: content.MediaType, URI: found})
	if err != nil {
		out.Err = err
		return out
	}
	if input.Title != "" {
		res.Reference = res.Reference.Clone()
		res.Reference.Set("title", input.Title)
	}
	now := in.Now().UTC()
	source := ibid.Source{ID: ibid.IdentifySource(in.Collection, uri), Collection: in.Collection, URI: uri, Reference: res.Reference, AddedAt: now}
	doc := ibid.Document{ID: ibid.HashText(res.Text), Source: source.ID, MediaType: res.MediaType, Text: res.Text, Outline: res.Outline, FetchedAt: now}
	chunks := ingest.Chunks(doc)
	doc, out.New, out.Err = in.Library.Add(ctx, source, doc, chunks)
	doc.Text = ""
	out.Source, out.Document, out.Chunks, out.Warnings = source.ID, doc, len(chunks), res.Warnings
	return out
}

// read gives the bytes of an input, refusing what is too large before it is in memory.
func (in *Ingester) read(ctx context.Context, input Input) ([]byte, Content, error) {
	if err := in.Limits.Check(input.Size); err != nil {
		return nil, Content{}, err
	}
	content, err := input.Open(ctx)
	if err != nil {
		return nil, Content{}, err
	}
	defer content.Body.Close()
	body, err := io.ReadAll(&bounded{r: content.Body, check: in.Limits.Check})
	if err != nil {
		return nil, Content{}, fmt.Errorf("reading: %w", err)
	}
	return body, content, nil
}

// bounded reads until the limits are passed: a file may grow while it is read, and a pipe has no size.
type bounded struct {
	r     io.Reader
	n     int64
	check func(int64) error
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	b.n += int64(n)
	if limit := b.check(b.n); limit != nil {
		return n, limit
	}
	return n, err
}
