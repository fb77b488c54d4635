package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fmt"

	"github.com/ibid-dev/ibid/entail"
)

// weights are the tensors of a file of package entail.
type weights struct {
	Config  entail.Config `json:"config"`
	Tensors map[string]struct {
		Type   string `json:"dtype"`
		Shape  []int  `json:"shape"`
		Offset int    `json:"offset"`
		Size   int    `json:"size"`
	} `json:"tensors"`
	data []byte
}

func readWeights(path string) (*weights, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(b) < 16 || string(b[:8]) != "IBIDENT1" {
		return nil, errors.New(path + " holds no weights: set MODEL to a file of them")
	}
	n := int(binary.LittleEndian.Uint64(b[8:]))
	w := &weights{}
	if err := json.Unmarshal(b[16:16+n], w); err != nil {
		return nil, err
	}
	w.data = b[(16+n+63)/64*64:]
	return w, nil
}

func (w *weights) raw(name string) []byte {
	t := w.Tensors[name]
	return w.data[t.Offset : t.Offset+t.Size]
}

func (w *weights) floats(name string) []float32 {
	b := w.raw(name)
	if w.Tensors[name].Type == "f16" {
		out := make([]float32, len(b)/2)
		for i := range out {
			out[i] = half(binary.LittleEndian.Uint16(b[2*i:]))
		}
		return out
	}
	out := make([]float32, len(b)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out
}

// half gives the value of an ordinary float of 16 bits.
func half(b uint16) float32 {
	v := math.Ldexp(float64(1024+b&0x3ff), int(b>>10&31)-25)
	if b>>10&31 == 0 {
		v = math.Ldexp(float64(b&0x3ff), -24)
	}
	if b>>15 == 1 {
		v = -v
	}
	return float32(v)
}

// real gives a matrix of few bits as floats, row by row.
func (w *weights) real(name string, bits int) []float32 {
	codes, scales := w.raw(fmt.Sprintf("%s.q%d", name, bits)), w.floats(name+".s")
	out := make([]float32, len(codes)*8/bits)
	each := len(out) / len(scales)
	for i := range out {
		code := 0
		for k := range bits {
			at := i*bits + k
			code |= int(codes[at/8]>>(at%8)&1) << k
		}
		out[i] = float32(code-1<<(bits-1)) * scales[i/each]
	}
	return out
}

// eight gives a matrix of n rows in eight bits, and the scale of each row.
func (w *weights) eight(name string, n int) (q []byte, scale []float32) {
	m, steps := w.real(name, 4), w.floats(name+".s")
	wide, groups := len(m)/n, len(steps)/n
	q, scale = make([]byte, len(m)), make([]float32, n)
	for r := range n {
		for _, s := range steps[r*groups:][:groups] {
			scale[r] = max(scale[r], s, -s)
		}
		scale[r] *= 8. / 127
		for i, v := range m[r*wide:][:wide] {
			q[r*wide+i] = byte(int8(math.RoundToEven(float64(v / scale[r]))))
		}
	}
	return q, scale
}

// turned gives a matrix of n rows column by column.
func turned[T any](m []T, n int) []T {
	out, width := make([]T, len(m)), len(m)/n
	for r := range n {
		for c := range width {
			out[c*n+r] = m[r*width+c]
		}
	}
	return out
}

const ms = "com.microsoft"

// int8Graph is the encoder in the fused operations that ONNX Runtime has for it: the best it can be given.
func (w *weights) int8Graph() []byte {
	g, c := newGraph(), w.Config
	h := c.Hidden
	g.value(11, "input_ids", typeInt64, "batch", "length")
	g.value(11, "token_type_ids", typeInt64, "batch", "length")
	g.value(11, "position_ids", typeInt64, "length")
	g.value(12, "last_hidden_state", typeFloat, "batch", "length", h)
	x := w.embedded(g)
	x = w.layerNorm(g, "emb.ln", x)
	linear := func(name, x string, out, in int) string {
		q, scale := w.eight(name, out)
		return g.node(ms, "DynamicQuantizeMatMul", []string{x, g.tensor(name+".q", typeInt8, turned(q, out), in, out), g.floats(name+".s", scale, out),
			"", g.floats(name+".b", w.floats(name+".b"), out)})
	}
	// What heads add by the distance of a key: one table for all layers.
	distance := g.node("", "Sub", []string{g.node("", "Unsqueeze", []string{"position_ids", g.ints("first", 0)}), g.node("", "Unsqueeze", []string{"position_ids", g.ints("second", 1)})})
	distance = g.node("", "Add", []string{distance, g.ints("middle", int64(c.Positions-1))})
	near := g.node("", "Gather", []string{g.floats("emb.near", w.floats("emb.near"), 1, c.Heads, 2*c.Positions-1), distance}, attr{"axis", 2})
	for i := range c.Layers {
		l := fmt.Sprintf("l%d.", i)
		qkv := g.nodes("", "Split", []string{linear(l+"qkv", x, 3*h, h), g.ints("thirds", int64(h), int64(h), int64(h))}, 3, attr{"axis", -1})
		mean := g.node(ms, "MultiHeadAttention", append(qkv, "", "", near), attr{"num_heads", c.Heads})
		x = w.layerNorm(g, l+"ln1", g.node("", "Add", []string{x, linear(l+"out", mean, h, h)}))
		up := g.node(ms, "Gelu", []string{linear(l+"up", x, c.FFN, h)})
		x = w.layerNorm(g, l+"ln2", g.node("", "Add", []string{x, linear(l+"down", up, h, c.FFN)}))
	}
	g.named("Identity", "last_hidden_state", x)
	return g.model(17)
}

// embedded is the sum of what a token, its place and its text give.
func (w *weights) embedded(g *graph) string {
	c := w.Config
	word := g.node("", "Gather", []string{g.floats("emb.word", w.real("emb.word", 3), c.Vocab, c.Hidden), "input_ids"})
	kind := g.node("", "Gather", []string{g.floats("emb.type", w.floats("emb.type"), 2, c.Hidden), "token_type_ids"})
	place := g.node("", "Gather", []string{g.floats("emb.pos", w.floats("emb.pos"), c.Positions, c.Hidden), "position_ids"})
	return g.node("", "Add", []string{g.node("", "Add", []string{word, kind}), place})
}

func (w *weights) layerNorm(g *graph, name, x string) string {
	h := w.Config.Hidden
	return g.node("", "LayerNormalization", []string{x, g.floats(name+".w", w.floats(name+".w"), h), g.floats(name+".b", w.floats(name+".b"), h)}, attr{"axis", -1}, attr{"epsilon", float32(1e-5)})
}

// floatGraph is the encoder in float32 and the plain operations of ONNX, for backends that have no others. Places are a
// constant, so that it takes texts of one length.
func (w *weights) floatGraph(length int) []byte {
	g, c := newGraph(), w.Config
	h, heads := c.Hidden, c.Heads
	g.value(11, "input_ids", typeInt64, "batch", "length")
	g.value(11, "attention_mask", typeInt64, "batch", "length")
	g.value(11, "token_type_ids", typeInt64, "batch", "length")
	g.value(12, "last_hidden_state", typeFloat, "batch", "length", h)
	word := g.node("", "Gather", []string{g.floats("emb.word", w.real("emb.word", 3), c.Vocab, h), "input_ids"})
	kind := g.node("", "Gather", []string{g.floats("emb.type", w.floats("emb.type"), 2, h), "token_type_ids"})
	x := g.node("", "Add", []string{g.node("", "Add", []string{word, kind}), g.floats("emb.pos", w.floats("emb.pos")[:length*h], length, h)})
	x = w.layerNorm(g, "emb.ln", x)
	linear := func(name, x string, out, in int) string {
		y := g.node("", "MatMul", []string{x, g.floats(name, turned(w.real(name, 4), out), in, out)})
		return g.node("", "Add", []string{y, g.floats(name+".b", w.floats(name+".b"), out)})
	}
	near := make([]float32, 0, heads*length*length)
	for _, by := range slices.Collect(slices.Chunk(w.floats("emb.near"), 2*c.Positions-1)) {
		for row := range length {
			near = append(near, by[c.Positions-1-row:][:length]...)
		}
	}
	nearness := g.floats("near", near, 1, heads, length, length)
	split := func(x string, order ...int) string {
		x = g.node("", "Reshape", []string{x, g.ints("split", 0, int64(length), int64(heads), int64(h/heads))})
		return g.node("", "Transpose", []string{x}, attr{"perm", order})
	}
	for i := range c.Layers {
		l := fmt.Sprintf("l%d.", i)
		qkv := g.nodes("", "Split", []string{linear(l+"qkv", x, 3*h, h), g.ints("thirds", int64(h), int64(h), int64(h))}, 3, attr{"axis", -1})
		s := g.node("", "MatMul", []string{split(qkv[0], 0, 2, 1, 3), split(qkv[1], 0, 2, 3, 1)})
		s = g.node("", "Mul", []string{s, g.floats("scale", []float32{float32(1 / math.Sqrt(float64(h/heads)))}, 1)})
		s = g.node("", "Add", []string{s, nearness})
		s = g.node("", "Softmax", []string{s}, attr{"axis", -1})
		mean := g.node("", "Transpose", []string{g.node("", "MatMul", []string{s, split(qkv[2], 0, 2, 1, 3)})}, attr{"perm", []int{0, 2, 1, 3}})
		mean = g.node("", "Reshape", []string{mean, g.ints("joined", 0, int64(length), int64(h))})
		x = w.layerNorm(g, l+"ln1", g.node("", "Add", []string{x, linear(l+"out", mean, h, h)}))
		up := linear(l+"up", x, c.FFN, h)
		e := g.node("", "Erf", []string{g.node("", "Mul", []string{up, g.floats("root", []float32{float32(1 / math.Sqrt2)}, 1)})})
		e = g.node("", "Add", []string{e, g.floats("one", []float32{1}, 1)})
		up = g.node("", "Mul", []string{g.node("", "Mul", []string{up, g.floats("half", []float32{.5}, 1)}), e})
		x = w.layerNorm(g, l+"ln2", g.node("", "Add", []string{x, linear(l+"down", up, h, c.FFN)}))
	}
	g.named("Identity", "last_hidden_state", x)
	return g.model(17)
}

// tokenizerJSON is the vocabulary in the form that other tokenizers read.
func (w *weights) tokenizerJSON() ([]byte, error) {
	vocab := map[string]int{}
	words := strings.Split(strings.TrimSuffix(string(w.raw("vocab")), "\n"), "\n")
	for i, word := range words {
		vocab[word] = i
	}
	special := func(name string) map[string]any {
		return map[string]any{"id": name, "ids": []int{vocab[name]}, "tokens": []string{name}}
	}
	var added []map[string]any
	for _, name := range []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"} {
		added = append(added, map[string]any{"id": vocab[name], "content": name, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true})
	}
	return json.Marshal(map[string]any{
		"version": "1.0", "truncation": nil, "padding": nil, "added_tokens": added,
		"normalizer":    map[string]any{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"post_processor": map[string]any{"type": "TemplateProcessing",
			"single":         []any{map[string]any{"SpecialToken": map[string]any{"id": "[CLS]", "type_id": 0}}, map[string]any{"Sequence": map[string]any{"id": "A", "type_id": 0}}, map[string]any{"SpecialToken": map[string]any{"id": "[SEP]", "type_id": 0}}},
			"pair":           []any{map[string]any{"SpecialToken": map[string]any{"id": "[CLS]", "type_id": 0}}, map[string]any{"Sequence": map[string]any{"id": "A", "type_id": 0}}, map[string]any{"SpecialToken": map[string]any{"id": "[SEP]", "type_id": 0}}},
			"special_tokens": map[string]any{"[CLS]": special("[CLS]"), "[SEP]": special("[SEP]")}},
		"decoder": map[string]any{"type": "WordPiece", "prefix": "##", "cleanup": true},
		"model":   map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocab},
	})
}

// export writes the graphs into a folder: one for ONNX Runtime, one for each length with its tokenizer for hugot.
func (w *weights) export(dir string) error {
	if err := os.WriteFile(filepath.Join(dir, "int8.onnx"), w.int8Graph(), 0o644); err != nil {
		return err
	}
	tok, err := w.tokenizerJSON()
	if err != nil {
		return err
	}
	for _, n := range lengths {
		sub := filepath.Join(dir, fmt.Sprint("float", n))
		if err := os.MkdirAll(sub, 0o755); err != nil {
			return err
		}
		for name, b := range map[string][]byte{"model.onnx": w.floatGraph(n), "tokenizer.json": tok, "config.json": []byte(`{"max_position_embeddings": 512}`)} {
			if err := os.WriteFile(filepath.Join(sub, name), b, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}
