package index

import (
	"math"
	"slices"
	"sync"
	"time"

	"github.com/ibid-dev/ibid"
)

// view is the index at one moment. It never changes, so that a question is answered from one state of the library.
type view struct {
	seq      int64 // of the record
	segments []*segment
	files    *catalog // of the segments in files
	memory   *catalog // of those that came since

	mu          sync.Mutex
	populations map[string]*population // by collection, of what is current
}

// catalog is what segments know of sources. That of the files is large, and kept while it stays the same.
type catalog struct {
	sources map[ibid.SourceID]state // the last of each
	have    map[snapshotKey]bool    // indexed, seen or not
}

func newCatalog(segments []*segment) *catalog {
	c := &catalog{sources: map[ibid.SourceID]state{}, have: map[snapshotKey]bool{}}
	for _, s := range segments {
		for _, t := range s.states {
			if last, ok := c.sources[t.source]; !ok || t.seq > last.seq {
				c.sources[t.source] = t
			}
		}
		for _, n := range s.snapshots {
			c.have[n.snapshotKey] = true
		}
	}
	return c
}

// newView makes a view of segments in files.
func newView(seq int64, segments []*segment) *view {
	return &view{seq: seq, segments: segments, files: newCatalog(segments), memory: newCatalog(nil), populations: map[string]*population{}}
}

// with gives a view with one more segment, in memory.
func (v *view) with(seq int64, s *segment) *view {
	segments := append(slices.Clip(v.segments), s)
	_, memory := (&view{segments: segments}).split()
	return &view{seq: seq, segments: segments, files: v.files, memory: newCatalog(memory), populations: map[string]*population{}}
}

// split gives the segments in files and those in memory.
func (v *view) split() (files, memory []*segment) {
	for _, s := range v.segments {
		if s.name == "" {
			memory = append(memory, s)
		} else {
			files = append(files, s)
		}
	}
	return files, memory
}

// unwritten is how many chunks are in memory only.
func (v *view) unwritten() int {
	n := 0
	_, memory := v.split()
	for _, s := range memory {
		n += len(s.chunks) + len(s.states)
	}
	return n
}

// source is the last state of a source.
func (v *view) source(id ibid.SourceID) state {
	if t, ok := v.memory.sources[id]; ok { // later than any in a file
		return t
	}
	return v.files.sources[id]
}

func (v *view) has(key snapshotKey) bool { return v.memory.have[key] || v.files.have[key] }

// seen reports whether the record has a snapshot of a segment as it was indexed.
func (v *view) seen(s *segment, i int) bool {
	_, ok := v.version(s.snapshots[i].snapshotKey)
	return ok
}

// version is what the last state of the source says of a snapshot.
func (v *view) version(key snapshotKey) (version, bool) {
	t := v.source(key.source)
	if t.title != key.title {
		return version{}, false
	}
	for _, n := range t.versions {
		if n.number == key.version && n.document == key.document {
			return n, true
		}
	}
	return version{}, false
}

// population is the part of the library that a question is put to. How rare a word is, and how long a chunk, is measured
// against it: what others keep, and what a source once said, leaves no trace in the ranking.
type population struct {
	in     [][]bool // by segment and snapshot
	chunks int
	words  [fields]int
}

// population gives the newest snapshots of a collection's sources within a range of time.
func (v *view) population(collection string, after, before time.Time) *population {
	always := after.IsZero() && before.IsZero()
	if always {
		v.mu.Lock()
		defer v.mu.Unlock()
		if p := v.populations[collection]; p != nil {
			return p
		}
	}
	p := &population{in: make([][]bool, len(v.segments))}
	for i, s := range v.segments {
		p.in[i] = make([]bool, len(s.snapshots))
		for j, n := range s.snapshots {
			t := v.source(n.source)
			if t.collection != collection || !v.seen(s, j) || t.newest(after, before) != n.version {
				continue
			}
			p.in[i][j] = true
			p.chunks += n.count
			for f, w := range n.words {
				p.words[f] += w
			}
		}
	}
	if always {
		v.populations[collection] = p
	}
	return p
}

// newest is the number of the last version that was taken within a range of time, 0 where there is none.
func (t state) newest(after, before time.Time) int {
	for _, n := range t.versions {
		if (after.IsZero() || !n.fetchedAt.Before(after)) && (before.IsZero() || n.fetchedAt.Before(before)) {
			return n.number
		}
	}
	return 0
}

// idf is high for a term that few chunks hold.
func (p *population) idf(chunks int) float64 {
	return math.Log(1 + (float64(p.chunks-chunks)+0.5)/(float64(chunks)+0.5))
}

// length is how long a field is on average, never 0.
func (p *population) length(f field) float64 {
	return max(1, float64(p.words[f])/float64(max(1, p.chunks)))
}
