package index

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/ibid-dev/ibid"
)

const (
	vectorsPrefix = "vectors-"
	vectorsMark   = "ibidvec1"
	embedBatch    = 64         // texts per call of the Embedder
	maxDimension  = 1 << 16    // of a vector
	fusion        = 60         // what is added to a rank before it is turned around: the usual value
	fused         = 100        // how deep the two rankings are fused
	noScale       = float32(0) // marks a chunk that has no vector yet
)

// vectors are those of a segment's chunks, a byte per dimension: a flat scan of them is fast enough, and finds the true
// neighbours. They stand in a file of their own, as they come later than the words and cost more.
type vectors struct {
	dimension int
	scales    []float32 // by chunk
	values    []int8    // by chunk and dimension
}

func newVectors(chunks, dimension int) *vectors {
	return &vectors{dimension: dimension, scales: make([]float32, chunks), values: make([]int8, chunks*dimension)}
}

// set stores a vector, scaled so that its greatest part fills a byte.
func (v *vectors) set(chunk int, vector []float32) {
	greatest := float32(0)
	for _, x := range vector {
		greatest = max(greatest, x, -x)
	}
	v.scales[chunk] = max(greatest/127, math.SmallestNonzeroFloat32)
	row := v.row(chunk)
	for i, x := range vector {
		row[i] = int8(min(max(math.RoundToEven(float64(x/v.scales[chunk])), -127), 127)) // the least scales are coarse
	}
}

func (v *vectors) row(chunk int) []int8 { return v.values[chunk*v.dimension : (chunk+1)*v.dimension] }

// dot multiplies rows of the same length. Whole numbers add up to the same in every order.
func dot(a, b []int8) int32 {
	var s0, s1, s2, s3 int32
	b = b[:len(a)]
	for ; len(a) >= 8 && len(b) >= 8; a, b = a[8:], b[8:] {
		s0 += int32(a[0])*int32(b[0]) + int32(a[4])*int32(b[4])
		s1 += int32(a[1])*int32(b[1]) + int32(a[5])*int32(b[5])
		s2 += int32(a[2])*int32(b[2]) + int32(a[6])*int32(b[6])
		s3 += int32(a[3])*int32(b[3]) + int32(a[7])*int32(b[7])
	}
	for i := range a {
		s0 += int32(a[i]) * int32(b[i])
	}
	return s0 + s1 + s2 + s3
}

func (v *vectors) write(w io.Writer) error {
	b := make([]byte, 0, 16+4*len(v.scales)+len(v.values)+4)
	b = append(b, vectorsMark...)
	b = binary.LittleEndian.AppendUint32(b, uint32(v.dimension))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(v.scales)))
	for _, s := range v.scales {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(s))
	}
	for _, x := range v.values {
		b = append(b, byte(x))
	}
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
	_, err := w.Write(b)
	return err
}

// loadVectors reads the vectors of so many chunks. A file that is not whole gives errBroken.
func loadVectors(dir, name string, chunks int) (*vectors, error) {
	if name != filepath.Base(name) || !strings.HasPrefix(name, vectorsPrefix) {
		return nil, fmt.Errorf("vectors %q: %w", name, errBroken)
	}
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return nil, fmt.Errorf("vectors %s: %w: %w", name, err, errBroken)
	}
	v, ok := decodeVectors(b)
	if !ok || len(v.scales) != chunks {
		return nil, fmt.Errorf("vectors %s: %w", name, errBroken)
	}
	return v, nil
}

func decodeVectors(b []byte) (*vectors, bool) {
	const head = len(vectorsMark) + 8
	if len(b) < head+4 || string(b[:len(vectorsMark)]) != vectorsMark {
		return nil, false
	}
	end := len(b) - 4
	if crc32.Checksum(b[:end], castagnoli) != binary.LittleEndian.Uint32(b[end:]) {
		return nil, false
	}
	dimension, chunks := int(binary.LittleEndian.Uint32(b[8:])), int(binary.LittleEndian.Uint32(b[12:]))
	if dimension > maxDimension || chunks > end || end != head+chunks*(4+dimension) {
		return nil, false
	}
	v := newVectors(chunks, dimension)
	for i := range v.scales {
		v.scales[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[head+4*i:]))
	}
	for i, x := range b[head+4*chunks : end] {
		v.values[i] = int8(x)
	}
	return v, true
}

// mergeVectors gives the vectors of a merged segment, nil where none of its parts has any.
func (x *Index) mergeVectors(segments []*segment, v *view) *vectors {
	parts := make([]*vectors, len(segments))
	dimension, chunks := 0, 0
	for i, s := range segments {
		parts[i] = s.vectors
		if parts[i] == nil && s.vectorsName != "" { // another process asks for them
			parts[i], _ = loadVectors(x.dir, s.vectorsName, len(s.chunks))
		}
		if parts[i] != nil {
			dimension = parts[i].dimension
		}
		for j, n := range s.snapshots {
			if v.seen(s, j) {
				chunks += n.count
			}
		}
	}
	if dimension == 0 {
		return nil
	}
	out := newVectors(chunks, dimension)
	at := 0
	for i, s := range segments {
		for j, n := range s.snapshots {
			if !v.seen(s, j) {
				continue
			}
			for c := n.first; c < n.first+n.count; c++ {
				if p := parts[i]; p != nil && p.dimension == dimension {
					out.scales[at] = p.scales[c]
					copy(out.row(at), p.row(c))
				}
				at++
			}
		}
	}
	return out
}

// embed makes the vectors that are missing, and writes them. What the Embedder did before it failed is kept.
func (x *Index) embed(ctx context.Context) error {
	v := x.now.Load()
	done, total := int64(0), int64(0)
	for _, s := range v.segments {
		for i, n := range s.snapshots {
			if v.seen(s, i) && !s.vectors.whole(n) {
				total += int64(n.count)
			}
		}
	}
	progress := func(n int) {
		if done += int64(n); x.config.Progress != nil {
			x.config.Progress(done, total)
		}
	}
	segments := make([]*segment, len(v.segments))
	changed := false
	var failed error
	for i, s := range v.segments {
		segments[i] = s
		if failed != nil {
			continue
		}
		var made *vectors
		if made, failed = x.embedSegment(ctx, v, s, progress); made == nil {
			continue
		}
		name, err := x.writeFile(vectorsPrefix, made.write)
		if err != nil {
			return err
		}
		with := *s
		with.vectorsName, with.vectors = name, made
		segments[i], changed = &with, true
	}
	if changed {
		if err := x.list(v.seq, segments); err != nil {
			return err
		}
	}
	return failed
}

// embedSegment gives the vectors of a segment with those that were missing, nil where none was or none could be made.
func (x *Index) embedSegment(ctx context.Context, v *view, s *segment, progress func(int)) (*vectors, error) {
	var out *vectors
	var texts []string
	var waiting []int // chunks
	flush := func() error {
		if len(texts) == 0 {
			return nil
		}
		made, err := x.config.Embedder.Embed(ctx, texts)
		if err == nil {
			err = checkVectors(made, len(texts))
		}
		if err != nil {
			return fmt.Errorf("embed %d passages: %w", len(texts), err)
		}
		if out == nil {
			out = newVectors(len(s.chunks), len(made[0]))
			if old := s.vectors; old != nil && old.dimension == out.dimension {
				copy(out.scales, old.scales)
				copy(out.values, old.values)
			}
		}
		if len(made[0]) != out.dimension {
			return fmt.Errorf("embed: vectors of %d and of %d numbers: %w", out.dimension, len(made[0]), ibid.ErrInvalid)
		}
		for i, chunk := range waiting {
			out.set(chunk, made[i])
		}
		progress(len(texts))
		texts, waiting = texts[:0], waiting[:0]
		return nil
	}
	for i, n := range s.snapshots {
		if !v.seen(s, i) || s.vectors.whole(n) {
			continue
		}
		chunks, err := x.record.Chunks(ctx, n.document)
		if err != nil {
			return out, err
		}
		for _, c := range chunks[:min(len(chunks), n.count)] {
			texts, waiting = append(texts, x.config.readable(c.Text)), append(waiting, n.first+c.Ordinal)
			if len(texts) == embedBatch {
				if err := flush(); err != nil {
					return out, err
				}
			}
		}
	}
	return out, flush()
}

// whole reports whether every chunk of a snapshot has its vector.
func (v *vectors) whole(n snapshot) bool {
	if v == nil {
		return false
	}
	for _, s := range v.scales[n.first : n.first+n.count] {
		if s == noScale {
			return false
		}
	}
	return true
}

func checkVectors(vectors [][]float32, texts int) error {
	if len(vectors) != texts {
		return fmt.Errorf("%d vectors for %d texts: %w", len(vectors), texts, ibid.ErrInvalid)
	}
	for i, v := range vectors {
		if len(v) == 0 || len(v) > maxDimension || len(v) != len(vectors[0]) {
			return fmt.Errorf("vector %d has %d numbers: %w", i+1, len(v), ibid.ErrInvalid)
		}
		for _, x := range v {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return fmt.Errorf("vector %d holds %v: %w", i+1, x, ibid.ErrInvalid)
			}
		}
	}
	return nil
}

// neighbours gives the chunks whose vectors are nearest to the question's, best first.
func (v *view) neighbours(vector []float32, q question, p *population, limit int) []hit {
	asked := newVectors(1, len(vector))
	asked.set(0, vector)
	var hits topHits
	for j, s := range v.segments {
		if s.vectors == nil || s.vectors.dimension != len(vector) {
			continue
		}
		for i := range s.snapshots {
			n := &s.snapshots[i]
			if !p.in[j][i] || q.sources != nil && !q.sources[n.source] {
				continue
			}
			for c := n.first; c < n.first+n.count; c++ {
				if scale := s.vectors.scales[c]; scale != noScale {
					near := float64(scale) * float64(asked.scales[0]) * float64(dot(s.vectors.row(c), asked.values))
					hits.add(hit{j, c, n, int(s.chunks[c].ordinal), near}, limit)
				}
			}
		}
	}
	return hits.sorted()
}

// fuse makes one ranking of two: a chunk counts by its rank in each.
func fuse(lists ...[]hit) []hit {
	type place struct{ segment, chunk int }
	best := float64(len(lists)) / (fusion + 1)
	sum := map[place]hit{}
	for _, list := range lists {
		for rank, h := range list {
			at := place{h.segment, h.chunk}
			s, ok := sum[at]
			if !ok {
				s = h
				s.score = 0
			}
			s.score += 1 / (fusion + float64(rank+1)) / best
			sum[at] = s
		}
	}
	var hits topHits
	for _, h := range sum {
		hits.add(h, len(sum))
	}
	return hits.sorted()
}
