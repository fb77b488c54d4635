package index

import (
	"math"
	"sync"
	"time"

	"github.com/ibid-dev/ibid"
)

// view is the index at one moment. It never changes, so that a question is answered from one state of the library.
type view struct {
	seq      int64 // of the record
	segments []*segment
	sources  map[ibid.SourceID]state // the last of each
	have     map[snapshotKey]bool    // indexed, seen or not

	mu          sync.Mutex
	populations map[string]*population // by collection, of what is current
}

func newView(seq int64, segments []*segment) *view {
	v := &view{seq: seq, segments: segments, sources: map[ibid.SourceID]state{}, have: map[snapshotKey]bool{}, populations: map[string]*population{}}
	for _, s := range segments {
		for _, t := range s.states {
			if last, ok := v.sources[t.source]; !ok || t.seq > last.seq {
				v.sources[t.source] = t
			}
		}
		for _, n := range s.snapshots {
			v.have[n.snapshotKey] = true
		}
	}
	return v
}

// seen reports whether the record has a snapshot of a segment as it was indexed.
func (v *view) seen(s *segment, i int) bool {
	_, ok := v.version(s.snapshots[i].snapshotKey)
	return ok
}

// version is what the last state of the source says of a snapshot.
func (v *view) version(key snapshotKey) (version, bool) {
	t := v.sources[key.source]
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
			t := v.sources[n.source]
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
