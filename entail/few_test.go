package entail

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestFewBits: what a code stands for, whether it is read as a float or in eight bits, is its distance from the middle one
// times its group's scale.
func TestFewBits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, bits := range []int{3, 4} {
		const rows, in = 3, 3 * group
		codes := make([]int, rows*in)
		f := few{codes: make([]byte, rows*in*bits/8), in: in}
		for i := range codes {
			if i%group == 0 {
				f.scale = append(f.scale, asHalf(.01*(1+r.Float64())*float64(1-2*r.IntN(2))))
			}
			codes[i] = r.IntN(1 << bits)
			for k := range bits {
				f.codes[(i*bits+k)/8] |= byte(codes[i]>>k&1) << ((i*bits + k) % 8)
			}
		}
		for row := range rows {
			want := func(i int) float32 {
				return float32(codes[row*in+i]-1<<(bits-1)) * half(f.scale[(row*in+i)/group])
			}
			if bits == 3 {
				got := make([]float32, in)
				f.row(got, row)
				for i, v := range got {
					if v != want(i) {
						t.Fatalf("row %d, weight %d is %v, not %v", row, i, v, want(i))
					}
				}
				continue
			}
			got := make([]int8, in)
			scale, least, most := f.eight(got, row), 0, 0
			for i, v := range got {
				if abs(float32(v)*scale-want(i)) > scale*.5001 {
					t.Fatalf("row %d, weight %d is %v, not %v", row, i, float32(v)*scale, want(i))
				}
				least, most = min(least, int(v)), max(most, int(v))
			}
			if max(-least, most) != 127 {
				t.Errorf("row %d reaches from %d to %d", row, least, most)
			}
		}
	}
	f := few{codes: make([]byte, group/2), scale: make([]uint16, 1), in: group}
	got := make([]int8, group)
	if scale := f.eight(got, 0); scale != 0 || slices.Max(got) != 0 || slices.Min(got) != 0 {
		t.Errorf("a row of zeros is %v times %v", got, scale)
	}
}

// TestHalf holds every float of 16 bits against its definition.
func TestHalf(t *testing.T) {
	for b := range 1 << 16 {
		exponent, rest := b>>10&31, float64(b&0x3ff)
		want := math.Ldexp(1+rest/1024, exponent-15)
		switch exponent {
		case 0:
			want = math.Ldexp(rest, -24)
		case 31:
			want = math.Inf(1)
			if rest != 0 {
				want = math.NaN()
			}
		}
		if b>>15 == 1 {
			want = -want
		}
		got := float64(half(uint16(b)))
		if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Fatalf("%#x is %v, not %v", b, got, want)
		}
	}
}
