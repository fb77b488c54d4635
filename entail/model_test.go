package entail

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// tiny is the shape of the models that tests make up.
var tiny = Config{
	Name: "made up", Layers: 2, Hidden: 128, Heads: 2, FFN: 384, Positions: 64, MaxTokens: 48,
	Labels: []string{"supported", "unsupported", "contradicted"}, EmbedDim: 24,
}

// tinyVocab are a few words, all letters and some pieces, so that most texts have known pieces.
func tinyVocab() []string {
	v := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "cable", "was", "laid", "in", "1858", "land", "##ing", "##s", "un", "##known", "東", "."}
	for c := 'a'; c <= 'z'; c++ {
		v = append(v, string(c), "##"+string(c))
	}
	for c := '0'; c <= '9'; c++ {
		v = append(v, string(c), "##"+string(c))
	}
	return append(v, ",", "!", "-", "'")
}

// tensors of a file to be, by name.
type tensors map[string]any

// makeModel gives random tensors for a shape, the same ones for the same seed.
func makeModel(c *Config, seed uint64) tensors {
	vocab := tinyVocab()
	c.Vocab = len(vocab)
	r := rand.New(rand.NewPCG(seed, 8))
	floats := func(n int, mean, spread float64) []float32 {
		out := make([]float32, n)
		for i := range out {
			out[i] = float32(mean + spread*r.NormFloat64())
		}
		return out
	}
	codes := func(r *rand.Rand, n int) []byte {
		out := make([]byte, n)
		for i := range out {
			out[i] = byte(r.Uint32())
		}
		return out
	}
	scales := func(r *rand.Rand, n int, mean float64) []uint16 {
		out := make([]uint16, n)
		for i := range out {
			out[i] = asHalf(mean * (1 + .2*r.Float64()) * float64(1-2*r.IntN(2)))
		}
		return out
	}
	h := c.Hidden
	t := tensors{
		"emb.word.q3": codes(r, c.Vocab*h*3/8), "emb.word.s": scales(r, c.Vocab*h/group, .2), "emb.near": floats(c.Heads*(2*c.Positions-1), 0, .5), "emb.pos": floats(c.Positions*h, 0, .3), "emb.type": floats(2*h, 0, .3),
		"emb.ln.w": floats(h, 1, .1), "emb.ln.b": floats(h, 0, .1),
		"pair.dense.w": floats(h*h, 0, 1/math.Sqrt(float64(h))), "pair.dense.b": floats(h, 0, .1), "pair.out.w": floats(3*h, 0, .2), "pair.out.b": floats(3, 0, .1),
		"token.w": floats(h, 0, .2), "token.b": floats(1, 0, .1), "embed.w": floats(c.EmbedDim*h, 0, .1), "embed.b": floats(c.EmbedDim, 0, .1),
		"vocab": strings.Join(vocab, "\n") + "\n",
	}
	for i := range c.Layers {
		l := "l" + string(rune('0'+i)) + "."
		for name, shape := range map[string][2]int{"qkv": {3 * h, h}, "out": {h, h}, "up": {c.FFN, h}, "down": {h, c.FFN}} {
			q := rand.New(rand.NewPCG(seed, uint64(len(name)*100+i)))
			t[l+name+".q4"] = codes(q, shape[0]*shape[1]/2)
			t[l+name+".s"] = scales(q, shape[0]*shape[1]/group, .22/math.Sqrt(float64(shape[1])))
			b := make([]float32, shape[0])
			for k := range b {
				b[k] = float32(.1 * q.NormFloat64())
			}
			t[l+name+".b"] = b
		}
		for _, name := range []string{"ln1", "ln2"} {
			t[l+name+".w"], t[l+name+".b"] = floats(h, 1, .1), floats(h, 0, .1)
		}
	}
	return t
}

// shapeOf gives the shape that a tensor of this name must have.
func shapeOf(name string, c Config, n int) []int {
	in := c.Hidden
	if strings.Contains(name, ".down.") {
		in = c.FFN
	}
	switch {
	case name == "vocab":
		return []int{n}
	case name == "emb.near":
		return []int{c.Heads, 2*c.Positions - 1}
	case strings.HasSuffix(name, ".q3"):
		return []int{n / (in * 3 / 8), in * 3 / 8}
	case strings.HasSuffix(name, ".q4"):
		return []int{n / (in / 2), in / 2}
	case strings.HasSuffix(name, ".s"):
		return []int{n / (in / group), in / group}
	case name == "emb.pos", name == "emb.type", name == "pair.dense.w", name == "pair.out.w", name == "token.w", name == "embed.w":
		return []int{n / in, in}
	}
	return []int{n}
}

// asHalf is the float of 16 bits next to a value of ordinary size.
func asHalf(v float64) uint16 {
	bits := math.Float32bits(float32(v))
	return uint16(bits>>16&0x8000 | (bits>>23&255-112)<<10 | bits>>13&0x3ff)
}

// fileOf writes the file of a model.
func fileOf(t testing.TB, c Config, ts tensors) []byte {
	t.Helper()
	header := struct {
		Config  Config            `json:"config"`
		Tensors map[string]tensor `json:"tensors"`
	}{c, map[string]tensor{}}
	var data []byte
	for name, v := range ts {
		var b []byte
		var kind string
		n := 0
		switch v := v.(type) {
		case []float32:
			kind, n = "f32", len(v)
			for _, f := range v {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
			}
		case []uint16:
			kind, n = "f16", len(v)
			for _, q := range v {
				b = binary.LittleEndian.AppendUint16(b, q)
			}
		case []byte:
			kind, n, b = "bytes", len(v), v
		case string:
			kind, n, b = "bytes", len(v), []byte(v)
		}
		for len(data)%64 != 0 {
			data = append(data, 0)
		}
		header.Tensors[name] = tensor{Type: kind, Shape: shapeOf(name, c, n), Offset: len(data), Size: len(b)}
		data = append(data, b...)
	}
	h, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	out := binary.LittleEndian.AppendUint64([]byte(magic), uint64(len(h)))
	out = append(out, h...)
	for len(out)%64 != 0 {
		out = append(out, 0)
	}
	return append(out, data...)
}

// tinyModel is a made-up model on one machine.
func tinyModel(t testing.TB, run machine) *Model {
	t.Helper()
	c := tiny
	ts := makeModel(&c, 1)
	m, err := load(fileOf(t, c, ts), run)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestSharedOutIsTheSame: a sequence whose tokens are shared out among processors has the same states to the bit, on every
// machine, whatever its length and the number of processors.
func TestSharedOutIsTheSame(t *testing.T) {
	c := tiny
	c.Positions, c.MaxTokens = 512, 448
	ts := makeModel(&c, 2)
	for _, run := range append([]machine{portable{}}, others(t)...) {
		m, err := load(fileOf(t, c, ts), run)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(3, 4))
		for _, n := range []int{1, 63, 64, 97, 145, 200, 290, 448} {
			if run.name() == "portable" && n > 200 {
				break // says nothing new, and takes long
			}
			seq := sequence{second: max(1, n/2)}
			for range n {
				seq.ids = append(seq.ids, int32(r.IntN(c.Vocab)))
			}
			want := slices.Clone(m.encode(&arena{}, []sequence{seq}))
			for _, procs := range []int{1, 2, 3, 5} {
				before := runtime.GOMAXPROCS(procs)
				got := m.encodeAlone(&arena{}, seq)
				runtime.GOMAXPROCS(before)
				if len(got) != len(want) {
					t.Fatalf("%s: %d tokens, %d processors: %d values, not %d", run.name(), n, procs, len(got), len(want))
				}
				sameBits(t, fmt.Sprintf("%s: %d tokens, %d processors", run.name(), n, procs), got, want)
			}
		}
	}
}

// TestWhatIsNotReadIsLeftOut: of two texts the last layer goes on with the first token and the second text alone. Their states are those
// that they have where all tokens go through it, on every machine, alone and in company.
func TestWhatIsNotReadIsLeftOut(t *testing.T) {
	c := tiny
	ts := makeModel(&c, 3)
	types := ts["emb.type"].([]float32)
	copy(types[c.Hidden:], types) // which text a token is of tells nothing
	for _, run := range append([]machine{portable{}}, others(t)...) {
		m, err := load(fileOf(t, c, ts), run)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(5, 6))
		var two, one []sequence
		for _, second := range []int{1, 2, 5, 6, 7, 11, 12, 13, 18, 30, 40} {
			ids := make([]int32, 44)
			for i := range ids {
				ids[i] = int32(r.IntN(c.Vocab))
			}
			two, one = append(two, sequence{ids, second}), append(one, sequence{ids, len(ids)})
		}
		var want [][]float32
		n := c.Hidden
		for i, all := 0, m.encode(&arena{}, one); i < len(one); i++ {
			want = append(want, slices.Concat(all[:n], all[two[i].second*n:len(one[i].ids)*n]))
			all = all[len(one[i].ids)*n:]
		}
		for i, s := range two {
			what := fmt.Sprintf("%s: second text from %d on", run.name(), s.second)
			got := m.encode(&arena{}, []sequence{s})
			if len(got) != len(want[i]) {
				t.Fatalf("%s: %d values, not %d", what, len(got), len(want[i]))
			}
			sameBits(t, what, got, want[i])
		}
		sameBits(t, run.name()+": together", m.encode(&arena{}, two), slices.Concat(want...))
	}
}
