package entail

import (
	"context"
	"math"
)

// Embed implements [ibid.Embedder]: the mean of a text's final states, through the head for it where the model has one,
// at unit length. A text longer than a window is read in several, and the mean runs over all of them.
func (m *Model) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	type window struct {
		text int
		seq  sequence
	}
	n, room := m.config.Hidden, m.config.MaxTokens-2
	var all []window
	for i, s := range texts {
		for _, p := range parts(m.tokens.pieces(s), room) {
			all = append(all, window{i, m.sequence(p, nil)})
		}
		if len(all) == 0 || all[len(all)-1].text != i {
			all = append(all, window{i, m.sequence(nil, nil)})
		}
	}
	sums := make([][]float32, len(all))
	if err := m.parallel(ctx, len(all), func(a *arena, i int) error {
		sums[i] = make([]float32, n)
		states := m.encode(a, []sequence{all[i].seq})
		for ; len(states) > 0; states = states[n:] {
			for k, v := range states[:n] {
				sums[i][k] += v
			}
		}
		return nil
	}); err != nil {
		return nil, err
	}
	out := make([][]float32, len(texts))
	for i, w := range all {
		if out[w.text] == nil {
			out[w.text] = sums[i]
			continue
		}
		for k, v := range sums[i] {
			out[w.text][k] += v
		}
	}
	tokens := make([]int, len(texts))
	for _, w := range all {
		tokens[w.text] += len(w.seq.ids)
	}
	for i, sum := range out {
		for k := range sum {
			sum[k] /= float32(tokens[i])
		}
		if m.embed.w != nil {
			out[i] = make([]float32, m.embed.out)
			m.apply(&m.embed, out[i], sum)
		}
		normalize(out[i])
	}
	return out, nil
}

// normalize brings a vector to length 1. One without a direction, which no text is known to give, becomes the first axis.
func normalize(v []float32) {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	length := math.Sqrt(sum)
	if length == 0 || math.IsInf(length, 0) || math.IsNaN(length) {
		clear(v)
		v[0] = 1
		return
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / length)
	}
}
