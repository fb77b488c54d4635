package entail

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/ibid-dev/ibid"
)

// others are the machines of this processor beside the portable one. What it lacks is skipped by name.
func others(t *testing.T) []machine {
	t.Helper()
	var out []machine
	for _, name := range []string{"amx", "avx512", "avx2"} {
		found := false
		for _, m := range machines() {
			if m.name() == name {
				out, found = append(out, m), true
			}
		}
		if !found {
			t.Run(name, func(t *testing.T) { t.Skipf("this processor has no %s", name) })
		}
	}
	return out
}

// randomRows gives values with a row of zeros and one of a single large value among them.
func randomRows(r *rand.Rand, rows, n int) []float32 {
	x := make([]float32, (rows+rowSlack)*n)
	for i := range x[:rows*n] {
		x[i] = float32(r.NormFloat64() * math.Exp(2*r.NormFloat64()))
	}
	if rows > 2 {
		clear(x[n : 2*n])
		clear(x[2*n : 3*n])
		x[2*n+5] = -1e6
	}
	return x
}

func randomLinear(r *rand.Rand, out, in int) *linear {
	w := &linear{out: out, in: in, q: make([]int8, out*in), scale: make([]float32, out), bias: make([]float32, out)}
	for i := range w.q {
		w.q[i] = int8(r.IntN(255) - 127)
	}
	for i := range in { // the largest sums that there can be
		w.q[i], w.q[in+i] = 127, -127
	}
	for i := range w.scale {
		w.scale[i], w.bias[i] = float32(r.Float64()*.01), float32(r.NormFloat64())
	}
	return w
}

func newQuantized(rows, n int) *quantized {
	return &quantized{data: make([]byte, 2*(rows+rowSlack)*n), scale: make([]float32, rows+rowSlack)}
}

// sameBits fails where two rows of floats differ at all.
func sameBits(t *testing.T, what string, got, want []float32) {
	t.Helper()
	for i := range want {
		if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
			t.Errorf("%s: value %d is %v, portable %v", what, i, got[i], want[i])
			return
		}
	}
}

// TestMachinesAgree holds every operation of every machine against the portable one, to the bit.
func TestMachinesAgree(t *testing.T) {
	for _, run := range others(t) {
		t.Run(run.name(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			var ref portable
			var used scratch // what stands in it from before must not count
			for _, rows := range []int{1, 2, 5, 6, 7, 12, 17, 33, 48, 70} {
				for _, shape := range [][2]int{{64, 64}, {128, 192}, {192, 128}, {384, 384}, {768, 1408}, {1408, 768}} {
					out, in := shape[0], shape[1]
					x := randomRows(r, rows, in)
					a, b := newQuantized(rows, in), newQuantized(rows, in)
					w := randomLinear(r, out, in)
					packed := *w
					packed.q = make([]int8, len(w.q))
					run.pack(&packed, w.q)
					ref.quantize(a, x, 0, rows, in)
					run.quantize(b, x, 0, rows, in)
					sameBits(t, "scale", b.scale[:rows], a.scale[:rows])
					y, z := make([]float32, (rows+rowSlack)*out), make([]float32, (rows+rowSlack)*out)
					ref.linear(y, a, w, rows)
					run.linear(z, b, &packed, rows)
					sameBits(t, "linear", z[:rows*out], y[:rows*out])

					add := randomRows(r, rows, in)
					x2 := append([]float32(nil), x...)
					by := &layerNorm{w.q2f(in), w.q2f(in)}
					ref.norm(x, add, by, rows, in)
					run.norm(x2, add, by, rows, in)
					sameBits(t, "norm", x2[:rows*in], x[:rows*in])
				}
				for _, heads := range []int{2, 4, 12} {
					n := heads * headDim
					qkv := randomHeads(r, rows)
					by := make([]float32, heads*(2*rows-1))
					for i := range by {
						by[i] = float32(r.NormFloat64())
					}
					near := newNearness(by, rows, heads)
					y, z := make([]float32, (rows+rowSlack)*n), make([]float32, (rows+rowSlack)*n)
					for h := range heads {
						ref.attend(y, qkv, near, rows, gap{}, heads, h, &scratch{})
						run.attend(z, qkv, near, rows, gap{}, heads, h, &used)
					}
					sameBits(t, "attend", z[:rows*n], y[:rows*n])
				}
			}
			x := make([]float32, 1<<14)
			for i := range x {
				x[i] = float32(i-1<<13) / 700
			}
			x[0], x[1], x[2], x[3] = 0, float32(math.Copysign(0, -1)), 1e30, -1e30
			y := append([]float32(nil), x...)
			ref.gelu(x)
			run.gelu(y)
			sameBits(t, "gelu", y, x)
			a, b := randomRows(r, 1, 384), randomRows(r, 1, 384)
			sameBits(t, "dot", []float32{run.dot(a, b)}, []float32{ref.dot(a, b)})
		})
	}
}

// randomHeads gives rows of a query, a key and a value each, without numbers behind the last. Some are zero, one key is looked at by
// many rows and has next to no value, and one value is far larger than the others.
func randomHeads(r *rand.Rand, rows int) []float32 {
	x := make([]float32, (rows+rowSlack)*3*headDim)
	for i := range x {
		x[i] = float32(r.NormFloat64() * 2)
		if i >= rows*3*headDim {
			x[i] = float32(math.NaN())
		}
	}
	part := func(row, kind int) []float32 { return x[(row*3+kind)*headDim:][:headDim] }
	if rows > 4 {
		clear(part(1, 0))
		clear(part(2, 1))
		clear(part(3, 2))
		for i := range headDim {
			part(4, 1)[i] = part(0, 0)[i]
			part(4, 2)[i] *= 1e-4
			part(2, 2)[i] *= 100
		}
	}
	return x
}

// TestAttend holds attention in eight bits against that of the textbook.
func TestAttend(t *testing.T) {
	const rows, heads, h = 50, 2, 1
	r := rand.New(rand.NewPCG(7, 8))
	x := make([]float32, (rows+rowSlack)*3*headDim)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	by := make([]float32, heads*(2*rows-1))
	for i := range by {
		by[i] = float32(r.NormFloat64())
	}
	part := func(row, kind int) []float32 { return x[(row*3+kind)*headDim:][:headDim] }
	for _, run := range machines() {
		out := make([]float32, (rows+rowSlack)*heads*headDim)
		run.attend(out, x, newNearness(by, rows, heads), rows, gap{}, heads, h, &scratch{})
		worst := 0.0
		for i := range rows {
			var mean [headDim]float64
			sum := 0.0
			for j := range rows {
				score := 0.0
				for d, v := range part(i, 0) {
					score += float64(v) * float64(part(j, 1)[d])
				}
				p := math.Exp(score/8 + float64(by[h*(2*rows-1)+rows-1+j-i]))
				sum += p
				for d, v := range part(j, 2) {
					mean[d] += p * float64(v)
				}
			}
			for d, v := range mean {
				worst = max(worst, math.Abs(v/sum-float64(out[(i*heads+h)*headDim+d])))
			}
		}
		if worst > .03 { // of values up to about 3
			t.Errorf("%s: off by %g", run.name(), worst)
		}
	}
}

// q2f are some floats.
func (w *linear) q2f(n int) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(w.q[i+n]) / 50
	}
	return out
}

// TestMachinesDecideAlike runs whole models on every machine: not one bit of a logit differs.
func TestMachinesDecideAlike(t *testing.T) {
	pairs := somePairs()
	want, err := tinyModel(t, portable{}).Logits(t.Context(), pairs)
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range others(t) {
		got, err := tinyModel(t, run).Logits(t.Context(), pairs)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			sameBits(t, run.name()+": logits", got[i].Logits[:], want[i].Logits[:])
			for k := range want[i].Pieces {
				if got[i].Pieces[k] != want[i].Pieces[k] {
					t.Errorf("%s: pair %d: piece %d: %v, portable %v", run.name(), i, k, got[i].Pieces[k], want[i].Pieces[k])
				}
			}
		}
	}
}

// TestFma holds the portable fused product against exact sums that fall between two floats.
func TestFma(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200_000 {
		a, b := float32(r.NormFloat64()), float32(r.NormFloat64())
		c := float32(r.NormFloat64()) * float32(math.Exp2(float64(r.IntN(60)-30)))
		if r.IntN(2) == 0 { // near a tie: few bits in a and b, c of another size
			a, b = float32(1+r.IntN(1<<12))*(1<<12)+1, float32(1+r.IntN(1<<12))
			c = float32(math.Exp2(float64(-r.IntN(80))))
			if r.IntN(2) == 0 {
				c = -c
			}
		}
		// The sum in more bits than it can need, rounded once.
		want := exactFMA(a, b, c)
		if got := fma(a, b, c); math.Float32bits(got) != math.Float32bits(want) {
			t.Fatalf("fma(%v, %v, %v) = %v, not %v", a, b, c, got, want)
		}
	}
}

// TestGelu holds GELU against its definition.
func TestGelu(t *testing.T) {
	worst := 0.0
	for i := -90_000; i <= 90_000; i++ {
		x := float32(i) / 10_000
		v := []float32{x}
		portable{}.gelu(v)
		worst = max(worst, math.Abs(float64(v[0])-float64(x)*math.Erfc(-float64(x)/math.Sqrt2)/2))
	}
	if worst > 1e-6 {
		t.Errorf("off by %g", worst)
	}
}

// somePairs are pairs of all lengths.
func somePairs() []ibid.Pair {
	r := rand.New(rand.NewPCG(5, 6))
	vocab := tinyVocab()
	sentence := func(n int) string {
		s := ""
		for range n {
			s += vocab[4+r.IntN(len(vocab)-4)] + " "
			if r.IntN(9) == 0 {
				s += ". "
			}
		}
		return s
	}
	var out []ibid.Pair
	for i := range 24 {
		out = append(out, ibid.Pair{Evidence: sentence(1 + 2*i), Claim: sentence(1 + r.IntN(12+i/2))})
	}
	return out
}

func exactFMA(a, b, c float32) float32 {
	x := new(big.Float).SetPrec(400).Mul(new(big.Float).SetPrec(400).SetFloat64(float64(a)), new(big.Float).SetFloat64(float64(b)))
	f, _ := x.Add(x, new(big.Float).SetFloat64(float64(c))).Float32()
	return f
}
