package entail

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
)

func TestLoadNamesWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		name string
		harm func(*Config, tensors)
		says string
	}{
		{"tensor missing", func(_ *Config, ts tensors) { delete(ts, "l1.up.q4") }, "l1.up.q4 is missing"},
		{"tensor of another type", func(_ *Config, ts tensors) { ts["token.w"] = make([]byte, tiny.Hidden) }, `token.w is "bytes", not "f32"`},
		{"tensor of another shape", func(_ *Config, ts tensors) { ts["emb.pos"] = make([]float32, 64) }, "emb.pos has the shape"},
		{"not a number", func(_ *Config, ts tensors) { ts["emb.ln.w"].([]float32)[3] = float32(math.NaN()) }, "emb.ln.w holds NaN at 3"},
		{"a scale that is none", func(_ *Config, ts tensors) { ts["l0.up.s"].([]uint16)[2] = 0x7c00 }, "l0.up.s holds +Inf at 2"},
		{"too few words", func(_ *Config, ts tensors) { ts["vocab"] = "[CLS]\n[SEP]\n[UNK]\n" }, "vocab has 3 lines"},
		{"no mark", func(_ *Config, ts tensors) { ts["vocab"] = strings.Replace(ts["vocab"].(string), "[SEP]", "[sep]", 1) }, "vocab lacks"},
		{"heads too wide", func(c *Config, _ tensors) { c.Heads = 4 }, "not 64 wide"},
		{"no layers", func(c *Config, _ tensors) { c.Layers = 0 }, "layers is 0"},
		{"more tokens than positions", func(c *Config, _ tensors) { c.MaxTokens = 65 }, "max_tokens is 65"},
		{"unknown label", func(c *Config, _ tensors) { c.Labels = []string{"supported", "unsupported", "neutral"} }, `labels lack "contradicted"`},
	} {
		config := tiny
		ts := makeModel(&config, 1)
		c.harm(&config, ts)
		_, err := Load(fileOf(t, config, ts))
		if !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	config := tiny
	whole := fileOf(t, config, makeModel(&config, 1))
	for _, n := range []int{0, 7, 12, 100, len(whole) / 2, len(whole) - 1} {
		if _, err := Load(whole[:n]); !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("the first %d bytes: %v", n, err)
		}
	}
}

// TestLabelsInAnyOrder: the file says in which order its labels stand.
func TestLabelsInAnyOrder(t *testing.T) {
	a := tinyModel(t, machines()[0])
	c := tiny
	ts := makeModel(&c, 1)
	c.Labels = []string{"contradicted", "supported", "unsupported"}
	b, err := Load(fileOf(t, c, ts))
	if err != nil {
		t.Fatal(err)
	}
	x, _ := a.Logits(t.Context(), somePairs()[:1])
	y, _ := b.Logits(t.Context(), somePairs()[:1])
	if l, m := x[0].Logits, y[0].Logits; m != [3]float32{l[1], l[2], l[0]} {
		t.Errorf("%v and %v", l, m)
	}
}

// TestOpen holds that the weights of this build are those that the source names.
func TestOpen(t *testing.T) {
	m, err := Open()
	if errors.Is(err, ErrNoWeights) {
		t.Skip("no weights in this build")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v on %s", m.Config(), m.Kernel())
}
