package index

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/ibid-dev/ibid"
)

const (
	lockName   = "index"
	flushBytes = 8 << 20 // of text, per new segment
	page       = 128     // changes that are asked for at a time
	fanIn      = 4       // segments of one size that are merged
	smallest   = 512     // chunks, below which segments count as one size

	memoryChunks   = 2000 // that questions add in memory before they are written
	memorySegments = 8    // that are merged in memory
)

// Update brings the index up to date with the record and puts its files in order. A question brings up to date what it
// needs by itself; Update after a load of adds spares it the wait.
func (x *Index) Update(ctx context.Context) error {
	_, err := x.catchUp(ctx, catchUp{write: true})
	if errors.Is(err, errBroken) {
		_, err = x.catchUp(ctx, catchUp{write: true, anew: true})
	}
	if err == nil {
		x.mu.Lock()
		err = x.failed
		x.mu.Unlock()
	}
	if err != nil {
		return fmt.Errorf("index: %w", err)
	}
	return nil
}

// Close lets go of the index. Nothing is lost by not calling it.
func (x *Index) Close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	v := x.now.Swap(newView(0, nil))
	var errs []error
	for _, s := range v.segments {
		if c, ok := s.file.(io.Closer); ok {
			errs = append(errs, c.Close())
		}
	}
	x.disk = manifest{}
	return errors.Join(errs...)
}

// fresh gives a view that shows all that the record holds now.
func (x *Index) fresh(ctx context.Context) (*view, error) {
	v := x.now.Load()
	seq, err := x.record.Sequence(ctx)
	if err != nil {
		return nil, err
	}
	if seq == v.seq {
		return v, nil
	}
	// A record that went back was restored from a copy: what the index has seen since never happened.
	return x.catchUp(ctx, catchUp{anew: seq < v.seq})
}

// catchUp says how to catch up.
type catchUp struct {
	write bool // the files, and put them in order
	anew  bool // do not believe what there is
}

// catchUp brings the index to the end of the record. For a question a little is added in memory only, as the disk takes
// its time; much, and what Update adds, goes to the files, unless another process is writing them.
func (x *Index) catchUp(ctx context.Context, how catchUp) (*view, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !how.write && !how.anew {
		if err := x.reload(false); err != nil {
			return nil, err
		}
		if err := x.follow(ctx, false); err != nil {
			return nil, err
		}
		if v := x.now.Load(); v.unwritten() <= memoryChunks {
			return v, nil
		}
	}
	locked, unlock := x.lock()
	defer unlock()
	if how.anew {
		x.startAnew()
	} else if err := x.reload(locked); err != nil {
		return nil, err
	}
	if err := x.follow(ctx, locked); err != nil {
		return nil, err
	}
	if locked && x.failed == nil {
		if err := x.complete(ctx, how.write); err != nil {
			return nil, err
		}
	}
	return x.now.Load(), nil
}

// lock takes the right to write the files, and reports whether it could.
func (x *Index) lock() (locked bool, unlock func()) {
	if x.failed = os.MkdirAll(x.dir, 0o700); x.failed != nil {
		return false, func() {}
	}
	release, locked, err := x.record.TryLock(lockName)
	if x.failed = err; err != nil || !locked {
		return false, func() {}
	}
	return true, func() { _ = release() }
}

// complete does what may come after the words: vectors, and order among the files.
func (x *Index) complete(ctx context.Context, tidy bool) error {
	if x.config.Embedder != nil {
		if err := x.embed(ctx); err != nil {
			if errors.Is(err, errBroken) || ctx.Err() != nil {
				return err
			}
			x.warn(fmt.Errorf("index: some passages are found by their words only: %w", err))
		}
	}
	if tidy {
		return x.tidy()
	}
	return nil
}

func (x *Index) warn(err error) {
	if x.config.Warn != nil {
		x.config.Warn(err)
	}
}

func (x *Index) startAnew() {
	x.disk = manifest{Format: format, Analyzer: analyzer, Record: x.record.Identity(), Next: x.disk.Next, Embedder: x.config.EmbedderName, English: x.config.EnglishName}
	x.now.Store(newView(0, nil))
}

// reload takes over what is on disk, where that is more than we have or where we are about to add to it.
func (x *Index) reload(locked bool) error {
	const tries = 5 // a file may go while we open it, as another process merges
	var err error
	for range tries {
		var m manifest
		if m, err = readManifest(x.dir); err == nil && !m.fits(x.record.Identity(), x.config.EnglishName) {
			err = fmt.Errorf("made from another record or by another version: %w", errBroken)
		}
		if err == nil {
			if err = x.take(m, locked); err == nil {
				return nil
			}
		}
		if !errors.Is(err, errBroken) {
			return err
		}
		if locked { // no one else is changing it: it is broken indeed
			break
		}
	}
	if locked || x.now.Load().seq == 0 {
		x.startAnew()
	}
	return nil
}

// take makes a manifest's segments the view, unless ours shows more and we must not write.
func (x *Index) take(m manifest, locked bool) error {
	v := x.now.Load()
	same := slices.Equal(m.Segments, x.disk.Segments) && m.Sequence == x.disk.Sequence && x.disk.fits(m.Record, m.English)
	if same && locked && v.unwritten() > 0 {
		files, memory := v.split()
		x.failed = x.commit(v.seq, files, func(w io.Writer) error { return merge(w, memory, v, false) }, nil)
		return nil
	}
	if same || !locked && v.seq > m.Sequence {
		return nil
	}
	open := map[string]*segment{}
	for _, s := range v.segments {
		open[s.name] = s
	}
	var segments []*segment
	for _, l := range m.Segments {
		s := open[l.Words]
		if s == nil {
			var err error
			if s, err = load(x.dir, l.Words); err != nil {
				return err
			}
		}
		segments = append(segments, x.withVectors(s, m, l.Vectors))
	}
	x.disk = m
	x.now.Store(newView(m.Sequence, segments))
	return nil
}

// withVectors gives a segment with its vectors, which are only read where someone asks for them. Those of another
// Embedder, and broken ones, are made again.
func (x *Index) withVectors(s *segment, m manifest, name string) *segment {
	if x.config.Embedder != nil && m.Embedder != x.config.EmbedderName {
		name = ""
	}
	if s.vectorsName == name {
		return s
	}
	with := *s
	with.vectorsName, with.vectors = name, nil
	if x.config.Embedder != nil {
		with.vectors, _ = loadVectors(x.dir, name, len(s.chunks))
	}
	return &with
}

// follow adds what the record changed since, one segment per few megabytes of text.
func (x *Index) follow(ctx context.Context, locked bool) error {
	target, err := x.record.Sequence(ctx)
	if err != nil {
		return err
	}
	begin := x.now.Load().seq
	for {
		v := x.now.Load()
		b := newBuilder(x.config.english)
		to, err := x.gather(ctx, b, v, func(seq int64) {
			if x.config.Progress != nil {
				x.config.Progress(seq-begin, max(seq, target)-begin)
			}
		})
		if err != nil {
			return err
		}
		if to == v.seq {
			return nil
		}
		if err := x.append(to, b.write, locked); err != nil {
			return err
		}
	}
}

// gather puts changes into a builder until it is full or there are no more, and says how far it came.
func (x *Index) gather(ctx context.Context, b *builder, v *view, progress func(int64)) (int64, error) {
	have := map[snapshotKey]bool{}
	at := v.seq
	for b.bytes < flushBytes {
		ids, to, err := x.record.Changed(ctx, at, page)
		if err != nil || len(ids) == 0 {
			return at, err
		}
		for _, id := range ids {
			t, err := x.state(ctx, id, to)
			if err != nil {
				return at, err
			}
			b.states = append(b.states, t)
			for _, n := range t.versions {
				key := snapshotKey{t.source, n.number, n.document, t.title}
				if v.has(key) || have[key] {
					continue
				}
				chunks, err := x.record.Chunks(ctx, n.document)
				if err != nil {
					return at, err
				}
				// None may also mean that it was removed just now: do not remember that it was indexed.
				if len(chunks) > 0 {
					have[key] = true
					b.snapshot(key, chunks)
				}
			}
		}
		at = to
		progress(at)
	}
	return at, nil
}

// state asks the record for what it knows of a source now.
func (x *Index) state(ctx context.Context, id ibid.SourceID, seq int64) (state, error) {
	source, docs, err := x.record.Snapshots(ctx, id)
	if err != nil {
		return state{}, err
	}
	t := state{source: id, seq: seq, collection: source.Collection, title: source.Title()}
	for _, d := range docs {
		t.versions = append(t.versions, version{d.Version, d.ID, d.FetchedAt})
	}
	return t, nil
}

// append makes a segment part of the view, and of the files where we may write them. Where they cannot be written, as on a
// full disk, it is kept in memory: questions are still answered.
func (x *Index) append(seq int64, write func(io.Writer) error, locked bool) error {
	if locked && x.failed == nil {
		err := x.commit(seq, x.now.Load().segments, write, nil)
		if err == nil {
			return nil
		}
		x.failed = err
	}
	s, err := inMemory(write)
	if err != nil {
		return err
	}
	v := x.now.Load().with(seq, s)
	if files, memory := v.split(); len(memory) > memorySegments {
		s, err := inMemory(func(w io.Writer) error { return merge(w, memory, v, false) })
		if err != nil {
			return err
		}
		v = (&view{segments: files, files: v.files}).with(seq, s)
	}
	x.now.Store(v)
	return nil
}

// commit writes a segment, and a manifest that lists it behind those that stay.
func (x *Index) commit(seq int64, stay []*segment, write func(io.Writer) error, made *vectors) error {
	name, err := x.writeFile(segmentPrefix, write)
	if err != nil {
		return err
	}
	s, err := load(x.dir, name)
	if err != nil {
		return err
	}
	if made != nil {
		if s.vectorsName, err = x.writeFile(vectorsPrefix, made.write); err != nil {
			return err
		}
		if x.config.Embedder != nil {
			s.vectors = made
		}
	}
	return x.list(seq, append(slices.Clip(stay), s))
}

// writeFile writes a file under a name that no other had.
func (x *Index) writeFile(prefix string, write func(io.Writer) error) (string, error) {
	name, err := writeFile(x.dir, func(sum uint32) string { return fmt.Sprintf("%s%06d-%08x", prefix, x.disk.Next, sum) }, write)
	x.disk.Next++
	return name, err
}

// list makes segments, whose files are written, the index.
func (x *Index) list(seq int64, segments []*segment) error {
	m := x.disk
	m.Sequence = seq
	m.Segments = nil
	if x.config.Embedder != nil {
		m.Embedder = x.config.EmbedderName
	}
	for _, s := range segments {
		m.Segments = append(m.Segments, listed{s.name, s.vectorsName})
	}
	if err := m.save(x.dir); err != nil {
		return err
	}
	x.disk = m
	x.now.Store(newView(seq, segments))
	return nil
}

// tidy merges segments of one size, so that there are few, and deletes what is not used any more.
func (x *Index) tidy() error {
	for {
		v := x.now.Load()
		group := v.group()
		if group == nil {
			break
		}
		stay := slices.DeleteFunc(slices.Clone(v.segments), func(s *segment) bool { return slices.Contains(group, s) })
		err := x.commit(v.seq, stay, func(w io.Writer) error { return merge(w, group, v, len(stay) == 0) }, x.mergeVectors(group, v))
		if err != nil {
			return err
		}
	}
	x.disk.sweep(x.dir)
	return nil
}

// group chooses the segments to merge: all where most of what they hold is not seen any more, else some of one size.
func (v *view) group() []*segment {
	all, dead := 0, 0
	sizes := map[int][]*segment{}
	for _, s := range v.segments {
		for i, n := range s.snapshots {
			all += n.count
			if !v.seen(s, i) {
				dead += n.count
			}
		}
		size := 0
		for n := len(s.chunks); n > smallest; n /= fanIn {
			size++
		}
		sizes[size] = append(sizes[size], s)
	}
	if dead > all/2 && dead > 0 {
		return v.segments
	}
	for size := 0; size < 64; size++ {
		if len(sizes[size]) >= fanIn {
			return sizes[size]
		}
	}
	return nil
}
