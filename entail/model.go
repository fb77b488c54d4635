package entail

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the weights
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/ibid-dev/ibid"
)

// ErrNoWeights says that the program was built without a model.
var ErrNoWeights = errors.New("no weights in this build")

//go:embed weights/model.bin
var embedded string

// magic are the first bytes of a file of weights.
const magic = "IBIDENT1"

// Config describes a model: the shape of its encoder and what its heads say.
type Config struct {
	Name      string   `json:"name"`
	Layers    int      `json:"layers"`
	Hidden    int      `json:"hidden"`
	Heads     int      `json:"heads"`
	FFN       int      `json:"ffn"`
	Vocab     int      `json:"vocab"`
	Positions int      `json:"positions"`
	MaxTokens int      `json:"max_tokens"` // of one window: evidence, claim and three marks
	Labels    []string `json:"labels"`
	EmbedDim  int      `json:"embed_dim"` // of an embedding, where the file has a head for it
}

// headDim is the width of an attention head that the kernels are written for.
const headDim = 64

// block is what all widths must be a multiple of.
const block = group

// minTokens is the least window in which evidence and claim both have room.
const minTokens = 16

func (c Config) check() error {
	for _, n := range []struct {
		name            string
		value, from, to int
	}{
		{"layers", c.Layers, 1, 48}, {"hidden", c.Hidden, block, 4096}, {"heads", c.Heads, 1, 4096 / headDim}, {"ffn", c.FFN, block, 16384},
		{"vocab", c.Vocab, 3, 1 << 20}, {"positions", c.Positions, minTokens, 1 << 14}, {"max_tokens", c.MaxTokens, minTokens, c.Positions},
	} {
		if n.value < n.from || n.value > n.to {
			return fmt.Errorf("%s is %d, not between %d and %d", n.name, n.value, n.from, n.to)
		}
	}
	if c.Hidden != c.Heads*headDim {
		return fmt.Errorf("%d heads over %d are not %d wide each", c.Heads, c.Hidden, headDim)
	}
	if c.Hidden%block != 0 || c.FFN%block != 0 {
		return fmt.Errorf("hidden %d and ffn %d must be multiples of %d", c.Hidden, c.FFN, block)
	}
	if len(c.Labels) != len(labels) {
		return fmt.Errorf("has %d labels where %d are known: %v", len(c.Labels), len(labels), labels)
	}
	for _, l := range labels {
		if !slices.Contains(c.Labels, l) {
			return fmt.Errorf("labels lack %q", l)
		}
	}
	return nil
}

// labels are what the pair's head tells apart, in the order of [Raw].
var labels = [3]string{"supported", "unsupported", "contradicted"}

// Model is a cross-encoder with its weights. It may be used by many at the same time. All its answers depend on the
// input alone, not on what else is judged in the same call.
type Model struct {
	config Config
	tokens *tokenizer
	run    machine
	arenas sync.Pool

	words     few // one row for each piece of the vocabulary
	near      *nearness
	positions []float32
	types     []float32
	norm      layerNorm
	layers    []layer

	dense, pair  head
	token, embed head // embed.w is nil where the mean itself is the embedding
	label        [3]int
}

type layer struct {
	qkv           []linear // query, key and value of each head
	out, up, down linear
	norm1, norm2  layerNorm
}

// linear is a matrix of eight bits, with a scale and a bias for each of its rows.
type linear struct {
	out, in int
	few     []few  // as it is stored, one below the other
	q       []int8 // in the order that the machine wants
	sum     []int32
	scale   []float32
	bias    []float32
}

type layerNorm struct{ w, b []float32 }

// head is a matrix of floats.
type head struct {
	w, b    []float32
	out, in int
}

// Open gives the model that the program was built with. The weights are held against their hash first; a mismatch is an
// error, and so is a build without weights ([ErrNoWeights]).
func Open() (*Model, error) {
	b := unsafe.Slice(unsafe.StringData(embedded), len(embedded))
	var sum [sha256.Size]byte
	var wait sync.WaitGroup
	wait.Go(func() { sum = sha256.Sum256(b) }) // takes as long as the rest
	m, err := Load(b)
	wait.Wait()
	if got := hex.EncodeToString(sum[:]); got != weightsSHA256 {
		return nil, fmt.Errorf("entail: the weights in this program have the SHA-256 %s, not %s: it is damaged, or was built from a damaged checkout", got, weightsSHA256)
	}
	if !bytes.HasPrefix(b, []byte(magic)) {
		return nil, fmt.Errorf("entail: %w", ErrNoWeights)
	}
	return m, err
}

// Load reads a model out of the bytes of its file. They are kept and must not change. An error wraps [ibid.ErrInvalid].
func Load(b []byte) (*Model, error) {
	m, err := load(b, machines()[0])
	if err != nil {
		return nil, fmt.Errorf("entail: weights: %w: %w", err, ibid.ErrInvalid)
	}
	return m, nil
}

// Config tells what the model is.
func (m *Model) Config() Config {
	c := m.config
	c.Labels = slices.Clone(c.Labels)
	return c
}

// Kernel names the instructions that the model runs on here: "amx", "avx512", "avx2" or "portable".
func (m *Model) Kernel() string { return m.run.name() }

func load(b []byte, run machine) (*Model, error) {
	f, err := open(b)
	if err != nil {
		return nil, err
	}
	c := f.Config
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	m := &Model{
		config: c, run: run,
		words:     f.few("emb.word", 3, c.Vocab, c.Hidden),
		positions: f.floats("emb.pos", c.Positions, c.Hidden), types: f.floats("emb.type", 2, c.Hidden),
		norm: f.norm("emb.ln", c.Hidden), layers: make([]layer, c.Layers),
		dense: f.head("pair.dense", c.Hidden, c.Hidden), pair: f.head("pair.out", len(labels), c.Hidden), token: f.head("token", 1, c.Hidden),
	}
	m.arenas.New = func() any { return &arena{} }
	if _, ok := f.Tensors["embed.w"]; ok {
		m.embed = f.head("embed", c.EmbedDim, c.Hidden)
	}
	for i := range m.layers {
		name := fmt.Sprintf("l%d.", i)
		m.layers[i] = layer{
			qkv: f.heads(name+"qkv", c.Heads, c.Hidden), out: f.linear(name+"out", c.Hidden, c.Hidden), norm1: f.norm(name+"ln1", c.Hidden),
			up: f.linear(name+"up", c.FFN, c.Hidden), down: f.linear(name+"down", c.Hidden, c.FFN), norm2: f.norm(name+"ln2", c.Hidden),
		}
	}
	near, vocab := f.floats("emb.near", c.Heads, 2*c.Positions-1), f.tensor("vocab", "bytes", -1)
	if f.err != nil {
		return nil, f.err
	}
	m.near = newNearness(near, c.Positions, c.Heads)
	if m.tokens, err = newTokenizer(vocab, c.Vocab); err != nil {
		return nil, err
	}
	for i, l := range labels {
		m.label[i] = slices.Index(c.Labels, l)
	}
	m.pack()
	return m, nil
}

// pack brings the matrices into eight bits and the machine's order, shared out among the processors by layers. They lie one behind
// the other as they are used: a machine may fetch what stands behind a matrix while it is busy with its end.
func (m *Model) pack() {
	c := &m.config
	each := 4*c.Hidden*c.Hidden + 2*c.Hidden*c.FFN
	all := make([]int8, len(m.layers)*each)
	var wait sync.WaitGroup
	var next atomic.Int64
	for range min(runtime.GOMAXPROCS(0), len(m.layers)) {
		wait.Go(func() {
			var rows []int8
			for i := next.Add(1) - 1; i < int64(len(m.layers)); i = next.Add(1) - 1 {
				l := &m.layers[i]
				ws := make([]*linear, 0, len(l.qkv)+3)
				for h := range l.qkv {
					ws = append(ws, &l.qkv[h])
				}
				place := all[int(i)*each:][:each]
				for _, w := range append(ws, &l.out, &l.up, &l.down) {
					w.q, place = place[:w.out*w.in:w.out*w.in], place[w.out*w.in:]
					w.scale = make([]float32, 0, w.out)
					to := grow(&rows, w.out*w.in)
					for _, f := range w.few {
						for r := range len(f.scale) / (f.in / group) {
							w.scale = append(w.scale, f.eight(to[:w.in], r))
							to = to[w.in:]
						}
					}
					w.few = nil
					m.run.pack(w, rows)
				}
			}
		})
	}
	wait.Wait()
}

// file is a file of weights. The first error of its readers stays in err.
type file struct {
	Config  Config             `json:"config"`
	Tensors map[string]*tensor `json:"tensors"`

	data []byte // behind the header, from the first multiple of 64 on
	err  error
}

type tensor struct {
	Type   string `json:"dtype"`
	Shape  []int  `json:"shape"`
	Offset int    `json:"offset"`
	Size   int    `json:"size"`
}

func open(b []byte) (*file, error) {
	const fixed = len(magic) + 8
	if len(b) < fixed || string(b[:len(magic)]) != magic {
		return nil, fmt.Errorf("do not begin with %q", magic)
	}
	n := binary.LittleEndian.Uint64(b[len(magic):])
	if n > uint64(len(b)-fixed) {
		return nil, fmt.Errorf("header of %d bytes in a file of %d", n, len(b))
	}
	var f file
	if err := json.Unmarshal(b[fixed:fixed+int(n)], &f); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	start := (fixed + int(n) + 63) / 64 * 64
	f.data = b[min(start, len(b)):]
	return &f, nil
}

// tensor gives the bytes of a tensor; width is that of one value, -1 where any size will do.
func (f *file) tensor(name, kind string, width int, shape ...int) []byte {
	if f.err != nil {
		return nil
	}
	t := f.Tensors[name]
	switch {
	case t == nil:
		f.err = fmt.Errorf("tensor %s is missing", name)
	case t.Type != kind:
		f.err = fmt.Errorf("tensor %s is %q, not %q", name, t.Type, kind)
	case width >= 0 && !slices.Equal(t.Shape, shape):
		f.err = fmt.Errorf("tensor %s has the shape %v, not %v", name, t.Shape, shape)
	case t.Offset < 0 || t.Size < 0 || t.Offset > len(f.data) || t.Size > len(f.data)-t.Offset:
		f.err = fmt.Errorf("tensor %s ends outside of the file: cut off?", name)
	case width >= 0 && t.Size != width*product(shape):
		f.err = fmt.Errorf("tensor %s has %d bytes, not %d", name, t.Size, width*product(shape))
	default:
		return f.data[t.Offset : t.Offset+t.Size : t.Offset+t.Size]
	}
	return nil
}

func product(shape []int) int {
	n := 1
	for _, s := range shape {
		n *= s
	}
	return n
}

func (f *file) floats(name string, shape ...int) []float32 {
	var out []float32
	if t := f.Tensors[name]; t != nil && t.Type == "f16" {
		b := halves(f.tensor(name, "f16", 2, shape...))
		out = make([]float32, len(b))
		for i, v := range b {
			out[i] = half(v)
		}
	} else {
		b := f.tensor(name, "f32", 4, shape...)
		out = make([]float32, len(b)/4)
		for i := range out {
			out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		}
	}
	for i, v := range out {
		if f.err == nil && v-v != 0 {
			f.err = fmt.Errorf("tensor %s holds %v at %d", name, v, i)
		}
	}
	return out
}

func (f *file) few(name string, bits, out, in int) few {
	codes := f.tensor(fmt.Sprintf("%s.q%d", name, bits), "bytes", 1, out, in*bits/8)
	scale := halves(f.tensor(name+".s", "f16", 2, out, in/group))
	for i, s := range scale {
		if v := half(s); f.err == nil && v-v != 0 {
			f.err = fmt.Errorf("tensor %s.s holds %v at %d", name, v, i)
		}
	}
	return few{codes: codes, scale: scale, in: in}
}

func (f *file) norm(name string, n int) layerNorm {
	return layerNorm{f.floats(name+".w", n), f.floats(name+".b", n)}
}

func (f *file) linear(name string, out, in int) linear {
	return linear{out: out, in: in, few: []few{f.few(name, 4, out, in)}, bias: f.floats(name+".b", out)}
}

// heads reads a matrix of all queries, then keys, then values, and gives one for each head.
func (f *file) heads(name string, n, in int) []linear {
	all := f.linear(name, 3*n*headDim, in)
	if f.err != nil {
		return nil
	}
	out := make([]linear, n)
	for h := range out {
		out[h] = linear{out: 3 * headDim, in: in}
		for kind := range 3 {
			from, to := (kind*n+h)*headDim, (kind*n+h+1)*headDim
			out[h].few = append(out[h].few, few{all.few[0].codes[from*in/2 : to*in/2], all.few[0].scale[from*in/group : to*in/group], in})
			out[h].bias = append(out[h].bias, all.bias[from:to]...)
		}
	}
	return out
}

func (f *file) head(name string, out, in int) head {
	if f.err == nil && (out < 1 || out > 4096) {
		f.err = fmt.Errorf("head %s is %d wide, not between 1 and 4096", name, out)
	}
	return head{f.floats(name+".w", out, in), f.floats(name+".b", out), out, in}
}
