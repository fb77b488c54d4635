package index

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
)

// concepts is an Embedder that knows which words mean the same.
type concepts struct {
	texts int // embedded
	err   error
	spoil func([][]float32) [][]float32
}

var meanings = [][]string{{"ship", "vessel", "boat"}, {"cable", "wire"}, {"queen", "monarch"}, {"potatoes", "spuds", "vegetables"}, {"organ", "instrument"}}

func (c *concepts) Embed(_ context.Context, texts []string) ([][]float32, error) {
	if c.err != nil {
		return nil, c.err
	}
	c.texts += len(texts)
	var out [][]float32
	for _, t := range texts {
		v := make([]float32, len(meanings)+8)
		v[len(meanings)+len(t)%8] = 0.1
		eachWord(t, func(word []byte) {
			for i, m := range meanings {
				for _, w := range m {
					if w == string(word) {
						v[i]++
					}
				}
			}
		})
		length := 0.0
		for _, x := range v {
			length += float64(x * x)
		}
		for i := range v {
			v[i] /= float32(math.Sqrt(length))
		}
		out = append(out, v)
	}
	if c.spoil != nil {
		out = c.spoil(out)
	}
	return out, nil
}

func openWith(t *testing.T, dir string, r Record, c *concepts, name string) (*Index, *[]error) {
	t.Helper()
	var warned []error
	config := Config{EmbedderName: name, Warn: func(err error) { warned = append(warned, err) }}
	if c != nil {
		config.Embedder = c
	}
	x, err := Open(t.Context(), dir, r, config)
	if err != nil {
		t.Fatal(err)
	}
	return x, &warned
}

func firstName(p []ibid.Passage) string {
	first, _, _ := strings.Cut(names(p), " ")
	return first
}

func TestVectors(t *testing.T) {
	r := factRecord()
	dir := t.TempDir()
	c := &concepts{}
	x, _ := openWith(t, dir, r, c, "concepts")
	if got := mustRetrieve(t, x, ibid.Query{Text: "vessel"}); firstName(got) != "ship" {
		t.Errorf("a word of the same meaning gives %s", names(got))
	}
	if got := mustRetrieve(t, x, ibid.Query{Text: "Which vessel laid the cable of 1866?"}); firstName(got) != "ship" || got[0].Score > 1 || got[0].Score < 0.9 {
		t.Errorf("first in both rankings: %s, score %v", names(got), got[0].Score)
	}
	if got := mustRetrieve(t, x, ibid.Query{Text: "spuds", Sources: []ibid.SourceID{ibid.IdentifySource("", "file:///ship")}}); names(got) != "ship" {
		t.Errorf("vectors do not heed the filter: %s", names(got))
	}
	if got := mustRetrieve(t, x, ibid.Query{Text: "vessel", Collection: "other"}); len(got) > 0 {
		t.Errorf("vectors do not heed the collection: %s", names(got))
	}
	want := rankings(t, x, []string{"vessel wire", "monarch", "the first cable"})

	before := c.texts
	again, _ := openWith(t, dir, r, c, "concepts")
	if c.texts != before {
		t.Errorf("%d passages were embedded again", c.texts-before)
	}
	compare(t, rankings(t, again, []string{"vessel wire", "monarch", "the first cable"}), want)

	// A process without an Embedder writes to the folder and merges its files: the vectors stay.
	for i := range 3 * fanIn {
		r.add("other", fmt.Sprint("file:///", i), "", fmt.Sprintf("Text number %d.", i))
		mustOpen(t, dir, r)
	}
	before = c.texts
	again, _ = openWith(t, dir, r, c, "concepts")
	if n := c.texts - before; n != 3*fanIn {
		t.Errorf("%d passages were embedded, not %d", n, 3*fanIn)
	}
	compare(t, rankings(t, again, []string{"vessel wire", "monarch", "the first cable"}), want)

	before = c.texts
	openWith(t, dir, r, c, "another")
	if n := c.texts - before; n != len(facts)+3*fanIn {
		t.Errorf("of another Embedder %d vectors were made", n)
	}
}

func TestVectorsOfAFailingEmbedder(t *testing.T) {
	for name, c := range map[string]*concepts{
		"fails":      {err: errors.New("no connection")},
		"too few":    {spoil: func(v [][]float32) [][]float32 { return v[1:] }},
		"empty":      {spoil: func(v [][]float32) [][]float32 { v[0] = nil; return v }},
		"not a size": {spoil: func(v [][]float32) [][]float32 { v[len(v)-1] = v[0][:3]; v[0] = append(v[0], 1); return v }},
		"NaN":        {spoil: func(v [][]float32) [][]float32 { v[0][0] = float32(math.NaN()); return v }},
	} {
		t.Run(name, func(t *testing.T) {
			r := factRecord()
			dir := t.TempDir()
			x, warned := openWith(t, dir, r, c, "concepts")
			got := mustRetrieve(t, x, ibid.Query{Text: "the largest ship"})
			if firstName(got) != "ship" || len(*warned) < 1 {
				t.Errorf("got %s, warned %v", names(got), *warned)
			}
			c.err, c.spoil = nil, nil
			if err := x.Update(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := mustRetrieve(t, x, ibid.Query{Text: "vessel"}); firstName(got) != "ship" {
				t.Errorf("when it works again: %s", names(got))
			}
		})
	}
}

func TestBrokenVectorsAreMadeAgain(t *testing.T) {
	for name, harm := range map[string]func(string, []byte) error{
		"lost":    func(path string, _ []byte) error { return os.Remove(path) },
		"cut":     func(path string, b []byte) error { return os.WriteFile(path, b[:len(b)/2], 0o600) },
		"empty":   func(path string, _ []byte) error { return os.WriteFile(path, nil, 0o600) },
		"flipped": func(path string, b []byte) error { b[len(b)/2] ^= 1; return os.WriteFile(path, b, 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			r := factRecord()
			dir := t.TempDir()
			c := &concepts{}
			openWith(t, dir, r, c, "concepts")
			found, _ := filepath.Glob(filepath.Join(dir, vectorsPrefix+"*"))
			if len(found) != 1 {
				t.Fatalf("files %v", found)
			}
			b, err := os.ReadFile(found[0])
			if err != nil {
				t.Fatal(err)
			}
			if err := harm(found[0], b); err != nil {
				t.Fatal(err)
			}
			x, _ := openWith(t, dir, r, c, "concepts")
			if got := mustRetrieve(t, x, ibid.Query{Text: "vessel"}); firstName(got) != "ship" {
				t.Errorf("got %s", names(got))
			}
		})
	}
}

func TestDot(t *testing.T) {
	for n := range 40 {
		var a, b []int8
		want := int32(0)
		for i := range n {
			a, b = append(a, int8(i*37)), append(b, int8(-i*91))
			want += int32(a[i]) * int32(b[i])
		}
		if got := dot(a, b); got != want {
			t.Errorf("%d numbers: %d, not %d", n, got, want)
		}
	}
}

// BenchmarkNeighbours scans the vectors of 100,000 chunks, 256 numbers each.
func BenchmarkNeighbours(b *testing.B) {
	const chunks, dimension = 100_000, 256
	s := &segment{chunks: make([]chunkEntry, chunks), snapshots: []snapshot{{count: chunks}}, vectors: newVectors(chunks, dimension)}
	state := uint32(1)
	for c := range chunks {
		s.vectors.scales[c] = 1
		for i := range s.vectors.row(c) {
			state = state*1664525 + 1013904223
			s.vectors.row(c)[i] = int8(state >> 24)
		}
	}
	v := &view{segments: []*segment{s}}
	p := &population{in: [][]bool{{true}}, chunks: chunks}
	asked := make([]float32, dimension)
	asked[3], asked[200] = 1, -0.5
	for b.Loop() {
		v.neighbours(asked, question{}, p, fused)
	}
}

// However small or large the numbers of a vector are, none changes its sign, and the greatest fills most of a byte or is one step.
func TestVectorsKeepTheirSigns(t *testing.T) {
	for _, unit := range []float32{math.SmallestNonzeroFloat32, 1e-40, 1, math.MaxFloat32 / 200} {
		for n := float32(1); n <= 190; n++ {
			v := newVectors(1, 3)
			v.set(0, []float32{n * unit, -n * unit, 0})
			if row := v.row(0); row[0] <= 0 || row[1] != -row[0] || row[2] != 0 || v.scales[0] == noScale {
				t.Fatalf("%v times %g is stored as %v", n, unit, row)
			}
		}
	}
}
