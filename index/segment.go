package index

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"sort"
	"time"

	"github.com/ibid-dev/ibid"
)

// A segment is one immutable file of the index:
//
//	postings   for each term, the chunks that hold it
//	meta       terms, chunks, snapshots, states of sources, and a checksum per block of the postings
//	footer     lengths, a checksum of meta, and a mark
//
// Meta is in memory; postings are read when a question needs them. All that is read is checked, so that a flipped bit is
// noticed instead of believed.
const (
	footerSize  = 8 + 8 + 4 + 8 // lengths of postings and meta, checksum, mark
	footerMark  = "ibidseg1"
	blockSize   = 16 << 10 // of postings, per checksum
	termsABlock = 32       // terms between two that are written in full
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// field is where in a chunk a word stands.
type field int

const (
	body field = iota
	heading
	title
	fields
)

// snapshot is one version of a source, whose chunks stand next to each other.
type snapshot struct {
	snapshotKey
	first, count int         // chunks
	words        [fields]int // of all its chunks
}

// snapshotKey tells what was indexed. The title is part of it, as its words are indexed with every chunk.
type snapshotKey struct {
	source   ibid.SourceID
	version  int
	document ibid.DocumentID
	title    string
}

// state is what the record said of a source at a number of its sequence. The last state of a source decides which of
// its snapshots are seen. A source without versions was removed.
type state struct {
	source     ibid.SourceID
	seq        int64
	collection string
	title      string
	versions   []version // newest first
}

type version struct {
	number    int
	document  ibid.DocumentID
	fetchedAt time.Time
}

// chunkEntry is a chunk of a segment.
type chunkEntry struct {
	snapshot uint32
	ordinal  uint32
	words    [fields]uint32
}

// posting is a chunk that holds a term, and how often in which field.
type posting struct {
	chunk uint32
	times [fields]uint16
}

type segment struct {
	name      string
	file      io.ReaderAt
	postings  int64 // bytes
	sums      []uint32
	terms     []byte      // front-coded
	blocks    []termBlock // every termsABlock-th term
	chunks    []chunkEntry
	snapshots []snapshot
	states    []state

	vectorsName string   // of their file, "" where there is none
	vectors     *vectors // nil where there are none, or no one asks for them
}

// termBlock is where a term stands that is written in full, and its postings.
type termBlock struct{ at, postings int64 }

// openSegment reads all of a segment but its postings. A file that is not whole gives errBroken.
func openSegment(name string, file io.ReaderAt, size int64) (*segment, error) {
	broken := func(what string) error { return fmt.Errorf("segment %s: %s: %w", name, what, errBroken) }
	var foot [footerSize]byte
	if size < footerSize {
		return nil, broken("too short")
	}
	if _, err := file.ReadAt(foot[:], size-footerSize); err != nil {
		return nil, fmt.Errorf("segment %s: %w", name, err)
	}
	if string(foot[20:]) != footerMark {
		return nil, broken("no footer")
	}
	postings := int64(binary.LittleEndian.Uint64(foot[0:]))
	length := int64(binary.LittleEndian.Uint64(foot[8:]))
	if postings < 0 || length < 0 || postings > size || length > size || postings+length+footerSize != size {
		return nil, broken("lengths do not add up")
	}
	meta := make([]byte, length)
	if _, err := file.ReadAt(meta, postings); err != nil {
		return nil, fmt.Errorf("segment %s: %w", name, err)
	}
	if crc32.Checksum(meta, castagnoli) != binary.LittleEndian.Uint32(foot[16:]) {
		return nil, broken("checksum")
	}
	s := &segment{name: name, file: file, postings: postings}
	if !s.decode(meta) {
		return nil, broken("meta")
	}
	return s, nil
}

// decode reads meta, and reports whether it was whole.
func (s *segment) decode(meta []byte) bool {
	d := &decoder{b: meta}
	s.sums = make([]uint32, (s.postings+blockSize-1)/blockSize)
	for i := range s.sums {
		if b := d.bytes(4); b != nil {
			s.sums[i] = binary.LittleEndian.Uint32(b)
		}
	}
	s.terms = d.bytes(d.int(len(d.b)))
	s.blocks = make([]termBlock, d.int(len(d.b)))
	var last termBlock
	for i := range s.blocks {
		last.at += int64(d.int(len(s.terms)))
		last.postings += int64(d.int(int(s.postings)))
		if last.at > int64(len(s.terms)) || last.postings > s.postings {
			return false
		}
		s.blocks[i] = last
	}
	s.snapshots = make([]snapshot, d.int(len(d.b)))
	first := 0
	for i := range s.snapshots {
		n := &s.snapshots[i]
		n.source, n.version = ibid.SourceID(d.string()), d.int(1<<40)
		n.document, n.title = ibid.DocumentID(d.string()), d.string()
		n.first, n.count = first, d.int(len(d.b))
		first += n.count
	}
	if first > len(d.b) { // each chunk takes a byte or more
		return false
	}
	s.chunks = make([]chunkEntry, first)
	for i := range s.snapshots {
		n := &s.snapshots[i]
		for j := range n.count {
			c := &s.chunks[n.first+j]
			c.snapshot, c.ordinal = uint32(i), uint32(d.int(1<<31))
			for f := range c.words {
				c.words[f] = uint32(d.int(1 << 31))
				n.words[f] += int(c.words[f])
			}
		}
	}
	s.states = make([]state, d.int(len(d.b)))
	for i := range s.states {
		s.states[i] = decodeState(d)
	}
	return !d.broken
}

func decodeState(d *decoder) state {
	t := state{source: ibid.SourceID(d.string()), seq: d.signed(), collection: d.string(), title: d.string()}
	t.versions = make([]version, d.int(len(d.b)))
	for i := range t.versions {
		t.versions[i] = version{d.int(1 << 40), ibid.DocumentID(d.string()), time.UnixMicro(d.signed()).UTC()}
	}
	return t
}

func (t state) encode(e *encoder) {
	e.string(string(t.source))
	e.signed(t.seq)
	e.string(t.collection)
	e.string(t.title)
	e.int(len(t.versions))
	for _, v := range t.versions {
		e.int(v.number)
		e.string(string(v.document))
		e.signed(v.fetchedAt.UnixMicro())
	}
}

// list gives the postings of a term, nil where the segment has none.
func (s *segment) list(term string) ([]posting, error) {
	at, length, ok := s.find(term)
	if !ok {
		return nil, nil
	}
	b, err := s.read(at, length)
	if err != nil {
		return nil, err
	}
	return s.decodePostings(b)
}

// find says where the postings of a term stand.
func (s *segment) find(term string) (at, length int64, ok bool) {
	i := sort.Search(len(s.blocks), func(i int) bool { return s.termAt(i) > term }) - 1
	if i < 0 {
		return 0, 0, false
	}
	w := s.walk(i)
	for range termsABlock {
		if !w.next() || string(w.term) > term {
			return 0, 0, false
		}
		if string(w.term) == term {
			return w.at, w.length, true
		}
	}
	return 0, 0, false
}

// termAt is the first term of a block.
func (s *segment) termAt(i int) string {
	w := s.walk(i)
	if !w.next() {
		return ""
	}
	return string(w.term)
}

// walk goes over the terms from a block on.
func (s *segment) walk(block int) *termWalk {
	if block >= len(s.blocks) {
		return &termWalk{}
	}
	b := s.blocks[block]
	return &termWalk{d: decoder{b: s.terms[b.at:]}, end: b.postings}
}

// termWalk goes over terms in order.
type termWalk struct {
	d          decoder
	term       []byte
	at, length int64 // of its postings
	end        int64
}

func (w *termWalk) next() bool {
	if len(w.d.b) == 0 {
		return false
	}
	shared := w.d.int(len(w.term))
	w.term = append(w.term[:shared], w.d.bytes(w.d.int(len(w.d.b)))...)
	w.at = w.end
	w.length = int64(w.d.int(1 << 40))
	w.end += w.length
	return !w.d.broken
}

// read gives checked bytes of the postings.
func (s *segment) read(at, length int64) ([]byte, error) {
	if at < 0 || length < 0 || at+length > s.postings {
		return nil, fmt.Errorf("segment %s: postings outside: %w", s.name, errBroken)
	}
	first := at / blockSize
	start, end := first*blockSize, min((at+length+blockSize-1)/blockSize*blockSize, s.postings)
	b := make([]byte, end-start)
	if _, err := s.file.ReadAt(b, start); err != nil {
		return nil, fmt.Errorf("segment %s: %w", s.name, err)
	}
	for i := int64(0); i*blockSize < int64(len(b)); i++ {
		block := b[i*blockSize : min((i+1)*blockSize, int64(len(b)))]
		if crc32.Checksum(block, castagnoli) != s.sums[first+i] {
			return nil, fmt.Errorf("segment %s: checksum of postings: %w", s.name, errBroken)
		}
	}
	return b[at-start : at-start+length], nil
}

// A posting is the distance to the chunk before, times two. The last bit says that more follows than "once, in the body".
func (s *segment) decodePostings(b []byte) ([]posting, error) {
	list := make([]posting, 0, len(b))
	d := decoder{b: b}
	chunk := -1
	for len(d.b) > 0 {
		n := d.uint()
		chunk += int(n>>1) + 1
		p := posting{chunk: uint32(chunk), times: [fields]uint16{1}}
		if n&1 == 1 {
			p.times[body] = uint16(d.int(1<<16 - 1))
			more := d.int(255)
			p.times[heading], p.times[title] = uint16(more>>4), uint16(more&15)
		}
		if d.broken || n>>1 > uint64(len(s.chunks)) || chunk >= len(s.chunks) {
			return nil, fmt.Errorf("segment %s: postings: %w", s.name, errBroken)
		}
		list = append(list, p)
	}
	return list, nil
}

func appendPosting(b []byte, distance uint32, times [fields]uint16) []byte {
	if times == [fields]uint16{1} {
		return binary.AppendUvarint(b, uint64(distance)<<1)
	}
	b = binary.AppendUvarint(b, uint64(distance)<<1|1)
	b = binary.AppendUvarint(b, uint64(times[body]))
	return binary.AppendUvarint(b, uint64(min(times[heading], 15)<<4|min(times[title], 15)))
}

// segmentWriter writes a segment: terms in ascending order, then finish.
type segmentWriter struct {
	w      io.Writer
	size   int64
	block  uint32 // checksum of the block that is being filled
	sums   []byte
	terms  encoder
	blocks []termBlock
	count  int
	last   []byte
	err    error
}

func (w *segmentWriter) term(term, postings []byte) {
	at := int64(len(w.terms.b))
	shared := 0
	if w.count%termsABlock == 0 {
		w.blocks = append(w.blocks, termBlock{at, w.size})
	} else {
		for shared < min(len(term), len(w.last)) && term[shared] == w.last[shared] {
			shared++
		}
	}
	w.terms.int(shared)
	w.terms.string(string(term[shared:]))
	w.terms.int(len(postings))
	w.last = append(w.last[:0], term...)
	w.count++
	w.write(postings)
}

func (w *segmentWriter) write(b []byte) {
	for len(b) > 0 && w.err == nil {
		n := min(len(b), int(blockSize-w.size%blockSize))
		w.block = crc32.Update(w.block, castagnoli, b[:n])
		_, w.err = w.w.Write(b[:n])
		w.size += int64(n)
		b = b[n:]
		if w.size%blockSize == 0 {
			w.closeBlock()
		}
	}
}

func (w *segmentWriter) closeBlock() {
	w.sums = binary.LittleEndian.AppendUint32(w.sums, w.block)
	w.block = 0
}

// finish writes what follows the postings. Chunks are in the order of their snapshots.
func (w *segmentWriter) finish(snapshots []snapshot, chunks []chunkEntry, states []state) error {
	postings := w.size
	if postings%blockSize != 0 {
		w.closeBlock()
	}
	var e encoder
	e.b = append(e.b, w.sums...)
	e.int(len(w.terms.b))
	e.b = append(e.b, w.terms.b...)
	e.int(len(w.blocks))
	var last termBlock
	for _, b := range w.blocks {
		e.int(int(b.at - last.at))
		e.int(int(b.postings - last.postings))
		last = b
	}
	e.int(len(snapshots))
	for _, n := range snapshots {
		e.string(string(n.source))
		e.int(n.version)
		e.string(string(n.document))
		e.string(n.title)
		e.int(n.count)
	}
	for _, c := range chunks {
		e.int(int(c.ordinal))
		for _, n := range c.words {
			e.int(int(n))
		}
	}
	e.int(len(states))
	for _, t := range states {
		t.encode(&e)
	}
	foot := make([]byte, 20, footerSize)
	binary.LittleEndian.PutUint64(foot[0:], uint64(postings))
	binary.LittleEndian.PutUint64(foot[8:], uint64(len(e.b)))
	binary.LittleEndian.PutUint32(foot[16:], crc32.Checksum(e.b, castagnoli))
	foot = append(foot, footerMark...)
	for _, b := range [][]byte{e.b, foot} {
		if w.err == nil {
			_, w.err = w.w.Write(b)
		}
	}
	return w.err
}
