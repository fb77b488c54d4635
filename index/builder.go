package index

import (
	"io"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
)

// exactMark begins the terms that are words as they stand; the others are stems.
const exactMark = "="

// builder gathers chunks in memory and writes them as one segment.
type builder struct {
	stop      map[string]bool
	words     map[string]wordTerms
	ids       map[string]uint32
	terms     []string
	lists     []postingList
	snapshots []snapshot
	chunks    []chunkEntry
	states    []state
	bytes     int // of text
	english   func(text, around string) string

	seen []uint32 // terms of the chunk at hand
}

// wordTerms are the terms under which a word is found.
type wordTerms struct{ stem, exact uint32 }

const noTerm = ^uint32(0)

type postingList struct {
	b     []byte
	last  int // chunk, -1 for none
	chunk int // to which times belongs, -1 for none
	times [fields]uint16
}

func newBuilder(english func(text, around string) string) *builder {
	return &builder{english: english, stop: stopWords(), words: map[string]wordTerms{}, ids: map[string]uint32{}}
}

// snapshot adds a version of a source with all its chunks.
func (b *builder) snapshot(key snapshotKey, chunks []ibid.Chunk) {
	n := snapshot{snapshotKey: key, first: len(b.chunks), count: len(chunks)}
	for _, c := range chunks {
		entry := chunkEntry{snapshot: uint32(len(b.snapshots)), ordinal: uint32(c.Ordinal)}
		for f, text := range [fields]string{body: c.Text, heading: strings.Join(c.Heading, "\n"), title: key.title} {
			b.field(&entry, field(f), text)
			b.inEnglish(field(f), b.english(text, c.Text))
		}
		b.closeChunk()
		b.chunks = append(b.chunks, entry)
		b.bytes += len(c.Text)
	}
	b.snapshots = append(b.snapshots, n)
}

func (b *builder) field(entry *chunkEntry, f field, text string) {
	chunk := len(b.chunks)
	eachWord(text, func(word []byte) {
		entry.words[f]++
		terms, ok := b.words[string(word)]
		if !ok {
			terms = b.learn(string(word))
		}
		b.count(terms.stem, chunk, f)
		if terms.exact != noTerm {
			b.count(terms.exact, chunk, f)
		}
	})
}

// inEnglish adds the words that say the same in English. They make no text longer, and are not found as they stand.
func (b *builder) inEnglish(f field, text string) {
	eachWord(text, func(word []byte) {
		if w := string(word); !b.stop[w] {
			b.count(b.id(stem(w)), len(b.chunks), f)
		}
	})
}

// learn decides under which terms a word is found: its stem and itself. A stop word is not worth the second.
func (b *builder) learn(word string) wordTerms {
	t := wordTerms{stem: b.id(stem(word)), exact: noTerm}
	if !b.stop[word] {
		t.exact = b.id(exactMark + word)
	}
	b.words[word] = t
	return t
}

func (b *builder) id(term string) uint32 {
	id, ok := b.ids[term]
	if !ok {
		id = uint32(len(b.terms))
		b.ids[term] = id
		b.terms = append(b.terms, term)
		b.lists = append(b.lists, postingList{last: -1, chunk: -1})
	}
	return id
}

func (b *builder) count(term uint32, chunk int, f field) {
	l := &b.lists[term]
	if l.chunk != chunk {
		l.chunk, l.times = chunk, [fields]uint16{}
		b.seen = append(b.seen, term)
	}
	if l.times[f] < 1<<16-1 {
		l.times[f]++
	}
}

// closeChunk appends the chunk at hand to the lists of its terms.
func (b *builder) closeChunk() {
	for _, term := range b.seen {
		l := &b.lists[term]
		l.b = appendPosting(l.b, uint32(l.chunk-l.last-1), l.times)
		l.last = l.chunk
	}
	b.seen = b.seen[:0]
}

// write writes all of it as a segment.
func (b *builder) write(out io.Writer) error {
	w := &segmentWriter{w: out}
	order := make([]uint32, len(b.terms))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(x, y uint32) int { return strings.Compare(b.terms[x], b.terms[y]) })
	for _, id := range order {
		w.term([]byte(b.terms[id]), b.lists[id].b)
	}
	return w.finish(b.snapshots, b.chunks, b.states)
}

// merge writes the snapshots that are still seen, and the last states, of several segments as one. Where all is set, no
// other segments exist, and the states of removed sources can be forgotten.
func merge(out io.Writer, segments []*segment, v *view, all bool) error {
	w := &segmentWriter{w: out}
	var snapshots []snapshot
	var chunks []chunkEntry
	var states []state
	moved := make([][]int, len(segments)) // chunk -> new chunk, -1 where it is dropped
	for i, s := range segments {
		moved[i] = make([]int, len(s.chunks))
		for j, n := range s.snapshots {
			keep := v.seen(s, j)
			for k := n.first; k < n.first+n.count; k++ {
				moved[i][k] = -1
				if keep {
					moved[i][k] = len(chunks)
					c := s.chunks[k]
					c.snapshot = uint32(len(snapshots))
					chunks = append(chunks, c)
				}
			}
			if keep {
				snapshots = append(snapshots, n)
			}
		}
		for _, t := range s.states {
			if last := v.source(t.source); last.seq == t.seq && (len(t.versions) > 0 || !all) {
				states = append(states, t)
			}
		}
	}
	if err := mergeTerms(w, segments, moved); err != nil {
		return err
	}
	return w.finish(snapshots, chunks, states)
}

// mergeTerms walks the terms of all segments in step.
func mergeTerms(w *segmentWriter, segments []*segment, moved [][]int) error {
	var walks []*mergeWalk
	for i, s := range segments {
		data, err := s.read(0, s.postings)
		if err != nil {
			return err
		}
		m := &mergeWalk{segment: s, data: data, moved: moved[i], terms: s.walk(0)}
		if m.terms.next() {
			walks = append(walks, m)
		}
	}
	var postings []byte
	for len(walks) > 0 && w.err == nil {
		term := walks[0].terms.term
		for _, m := range walks[1:] {
			if slices.Compare(m.terms.term, term) < 0 {
				term = m.terms.term
			}
		}
		term = slices.Clone(term)
		postings = postings[:0]
		last := -1
		rest := walks[:0]
		for _, m := range walks {
			more := true
			if slices.Equal(m.terms.term, term) {
				var err error
				if postings, last, err = m.appendTo(postings, last); err != nil {
					return err
				}
				more = m.terms.next()
			}
			if more {
				rest = append(rest, m)
			}
		}
		walks = rest
		if len(postings) > 0 {
			w.term(term, postings)
		}
	}
	return w.err
}

type mergeWalk struct {
	segment *segment
	data    []byte
	moved   []int
	terms   *termWalk
}

// appendTo appends the postings of the term at hand, as they stand in the merged segment.
func (m *mergeWalk) appendTo(b []byte, last int) ([]byte, int, error) {
	if m.terms.end > int64(len(m.data)) {
		return nil, 0, errBroken
	}
	list, err := m.segment.decodePostings(m.data[m.terms.at:m.terms.end])
	if err != nil {
		return nil, 0, err
	}
	for _, p := range list {
		if to := m.moved[p.chunk]; to >= 0 {
			b = appendPosting(b, uint32(to-last-1), p.times)
			last = to
		}
	}
	return b, last, nil
}
