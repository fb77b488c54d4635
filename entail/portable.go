package entail

import (
	"math"
	"unsafe"
)

// portable is plain Go.
type portable struct{}

func (portable) name() string { return "portable" }

func (portable) unit() int { return 1 }

func (portable) pack(w *linear, rows []int8) { copy(w.q, rows) }

func (portable) quantize(q *quantized, x []float32, from, to, n int) {
	for r := from; r < to; r++ {
		row := x[r*n:][:n]
		top := float32(0)
		for _, v := range row {
			top = max(top, abs(v))
		}
		scale, inverse := scaleOf(top, 127)
		q.scale[r] = scale
		for i, v := range row {
			q.data[r*n+i] = byte(int8(math.RoundToEven(float64(v * inverse))))
		}
	}
}

// scaleOf gives the scale of a row whose largest value is top, so that it becomes end, and what to multiply its values by.
func scaleOf(top, end float32) (scale, inverse float32) {
	scale = top / end
	if scale < math.SmallestNonzeroFloat32*(1<<23) { // also what is too small to have an inverse
		return 0, 0
	}
	return scale, 1 / scale
}

// linear multiplies two rows at a time: their values stand in the halves of one integer, and one product serves both.
func (portable) linear(y []float32, x *quantized, w *linear, rows int) {
	in, out := w.in, w.out
	two := make([]int64, in)
	for r := 0; r < rows; r += 2 {
		a, b := x.data[r*in:][:in], x.data[r*in:][:in]
		if r+1 < rows {
			b = x.data[(r+1)*in:][:in]
		}
		for i := range two {
			two[i] = int64(int8(a[i])) + int64(int8(b[i]))<<32
		}
		for o := 0; o < out; o += 4 {
			var sum [4]int64
			w0, w1, w2, w3 := w.q[o*in:][:in], w.q[(o+1)*in:][:in], w.q[(o+2)*in:][:in], w.q[(o+3)*in:][:in]
			for i, v := range two {
				sum[0] += v * int64(w0[i])
				sum[1] += v * int64(w1[i])
				sum[2] += v * int64(w2[i])
				sum[3] += v * int64(w3[i])
			}
			for i, s := range sum {
				low := int32(s)
				y[r*out+o+i] = fma(float32(low)*w.scale[o+i], x.scale[r], w.bias[o+i])
				if r+1 < rows {
					high := int32((s - int64(low)) >> 32)
					y[(r+1)*out+o+i] = fma(float32(high)*w.scale[o+i], x.scale[r+1], w.bias[o+i])
				}
			}
		}
	}
}

func (m portable) attend(out, qkv []float32, near *nearness, n int, skip gap, heads, h int, s *scratch) {
	const row = 3 * headDim
	hidden := heads * headDim
	q, scores := &s.q, grow(&s.scores, n)
	grow(&q.data, n*row)
	grow(&q.scale, 3*n)
	m.quantize(q, qkv, 0, 3*n, headDim)
	for r := range n {
		if r >= skip.from && r < skip.to {
			continue
		}
		query, by := q.data[r*row:][:headDim], float32(q.scale[3*r]*attentionScale)
		far := unsafe.Slice(near.of(h, r), n)
		top := float32(maskedBy)
		for j := range scores {
			key := q.data[j*row+headDim:][:headDim]
			sum := int32(0)
			for d, v := range query {
				sum += int32(int8(v)) * int32(int8(key[d]))
			}
			scores[j] = fma(float32(sum)*q.scale[3*j+1], by, far[j])
			top = max(top, scores[j])
		}
		var sums [lanes]float32
		most := float32(0)
		for j, v := range scores {
			p := power(v - top)
			sums[j%lanes] += p
			scores[j] = float32(p * q.scale[3*j+2])
			most = max(most, scores[j])
		}
		for j := n; j%lanes != 0; j++ { // the vectors' last lanes
			sums[j%lanes] += power(exp2Low)
		}
		scale, inverse := scaleOf(most, 255)
		var mean [headDim]int32
		for j, p := range scores {
			p := int32(math.RoundToEven(float64(p * inverse)))
			if p == 0 {
				continue
			}
			value := q.data[j*row+2*headDim:][:headDim]
			for d, v := range value {
				mean[d] += p * int32(int8(v))
			}
		}
		factor := scale / fold(sums)
		for d, v := range mean {
			out[r*hidden+h*headDim+d] = float32(v) * factor
		}
	}
}

func (portable) norm(x, add []float32, by *layerNorm, rows, n int) {
	inverse := 1 / float32(n)
	for r := range rows {
		row, plus := x[r*n:][:n], add[r*n:][:n]
		var sums, squares [lanes]float32
		for i := range row {
			row[i] += plus[i]
			sums[i%lanes] += row[i]
		}
		mean := float32(fold(sums) * inverse)
		for i := range row {
			row[i] -= mean
			squares[i%lanes] = fma(row[i], row[i], squares[i%lanes])
		}
		variance := float32(fold(squares)*inverse) + normEps
		scale := 1 / float32(math.Sqrt(float64(variance)))
		for i := range row {
			row[i] = fma(row[i]*scale, by.w[i], by.b[i])
		}
	}
}

func (portable) gelu(x []float32) {
	for i, v := range x {
		a := abs(v)
		c := min(a, geluEnd)
		p := geluPoly[len(geluPoly)-1]
		for k := len(geluPoly) - 2; k >= 0; k-- {
			p = fma(p, c, geluPoly[k])
		}
		x[i] = fma(-a, exp2(-p), max(v, 0))
	}
}

func (portable) dot(a, b []float32) float32 {
	var sums [lanes]float32
	for i, v := range a {
		sums[i%lanes] = fma(v, b[i], sums[i%lanes])
	}
	return fold(sums)
}

// fma is a·b + c, rounded once. The product of two float32 is exact in float64, so the sum is right but where it falls, as
// rounded, between two float32: there what was lost decides. Elsewhere a conversion stands around each product that is
// added to, as some processors would fuse it.
func fma(a, b, c float32) float32 {
	s := float64(a)*float64(b) + float64(c)
	if between(s) {
		return fmaBetween(a, b, c)
	}
	return float32(s)
}

// between reports whether a value lies in the middle between two float32.
func between(s float64) bool { return math.Float64bits(s)<<35 == 1<<63 }

//go:noinline
func fmaBetween(a, b, c float32) float32 {
	p, d := float64(a)*float64(b), float64(c)
	s := p + d
	q := s - p
	lost := (p - (s - q)) + (d - q)
	switch bits := math.Float64bits(s); {
	case lost == 0:
		return float32(s)
	case lost > 0 == (s > 0):
		return float32(math.Float64frombits(bits + 1))
	default:
		return float32(math.Float64frombits(bits - 1))
	}
}

// fold adds the lanes up by halves.
func fold(s [lanes]float32) float32 {
	for n := lanes / 2; n > 0; n /= 2 {
		for i := range n {
			s[i] += s[i+n]
		}
	}
	return s[0]
}

// exp2 is 2 to the power of y, for y up to 0.
func exp2(y float32) float32 {
	y = max(y, exp2Low)
	n := float32(math.RoundToEven(float64(y)))
	r := y - n
	p := exp2Poly[len(exp2Poly)-1]
	for k := len(exp2Poly) - 2; k >= 0; k-- {
		p = fma(p, r, exp2Poly[k])
	}
	return float32(p * math.Float32frombits(uint32(int32(n)+127)<<23))
}

// power is 2 to the power of y, for y up to 0, as exactly as numbers of eight bits need it. A float32 has no room for halves beside
// a number as large as magic: the sum is rounded.
func power(y float32) float32 {
	const magic = 3 << 22
	y = max(y, exp2Low)
	n := float32(y + magic)
	r := y - float32(n-magic)
	p := powerPoly[len(powerPoly)-1]
	for k := len(powerPoly) - 2; k >= 0; k-- {
		p = fma(p, r, powerPoly[k])
	}
	return math.Float32frombits(math.Float32bits(p) + math.Float32bits(n)<<23)
}

func abs(v float32) float32 { return math.Float32frombits(math.Float32bits(v) &^ (1 << 31)) }

// grow gives a slice of n values, in the memory of the last one where it is large enough.
func grow[T any](s *[]T, n int) []T {
	if cap(*s) < n {
		*s = make([]T, n)
	}
	*s = (*s)[:n]
	return *s
}
