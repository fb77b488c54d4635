package entail

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:generate go run ./gen

// machines are those that this processor has, best first.
func machines() []machine {
	var out []machine
	if x := &cpu.X86; x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL && x.HasAVX512VNNI {
		if x.HasAMXTile && x.HasAMXInt8 && allowTiles() {
			out = append(out, tiles{vectors{avx512}})
		}
		out = append(out, vectors{avx512})
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		out = append(out, vectors{avx2})
	}
	return append(out, portable{})
}

// blockRows is how many rows the kernels take at a time.
const blockRows = 6

// kernels are the operations of one set of instructions.
type kernels struct {
	name     string
	bytes    int // of an activation
	quantize func(dst *byte, scale, x *float32, rows, n int)
	parts    func(dst *byte, scale, x *float32, fours int) // quantize of rows of 64, four times as many
	linear   func(y *float32, x *byte, xs *float32, w *int8, sum *int32, ws, bias *float32, blocks, in, out int)
	scores   func(s, tops *float32, q *byte, qs *float32, keys *byte, each, near *float32, vectors int)
	softmax  func(p *byte, factor, s, tops, vs *float32, vectors int)
	values   func(out *float32, p, v *byte, factor *float32, vectors, stride int)
	norm     func(x, add, w, b *float32, rows, n int, inverse, eps float32)
	gelu     func(x *float32, n int)
	dot      func(a, b *float32, n int) float32
	turn     func(keys *byte, sums *int32, values, from *byte, vectors int)
}

var (
	avx512 = &kernels{"avx512", 1, quantize512, parts512, linear512, scores512, softmax512, values512, norm512, gelu512, dot512, turn512}
	avx2   = &kernels{"avx2", 2, quantize2, parts2, linear2, scores2, softmax2, values2, norm2, gelu2, dot2, turn2}
)

// vectors is a machine of kernels.
type vectors struct{ k *kernels }

func (v vectors) name() string { return v.k.name }

func (vectors) unit() int { return blockRows }

func (vectors) pack(w *linear, rows []int8) { packPanels(w, rows, 64) }

// packPanels lays the matrix out in panels of so many rows; in a panel, four columns of all its rows stand together. It also adds
// up each row, as VNNI takes its activations 128 too high.
func packPanels(w *linear, rows []int8, high int) {
	to := w.q
	w.sum = make([]int32, w.out)
	quads := w.in / 4
	for o := range w.out {
		from := unsafe.Slice((*[4]int8)(unsafe.Pointer(unsafe.SliceData(rows[o*w.in:]))), quads)
		panel := unsafe.Slice((*[4]int8)(unsafe.Pointer(unsafe.SliceData(to[o/high*high*w.in:]))), quads*high)[o%high:]
		sum := int32(0)
		for i, q := range from {
			panel[i*high] = q
			sum += int32(q[0]) + int32(q[1]) + int32(q[2]) + int32(q[3])
		}
		w.sum[o] = -128 * sum
	}
}

func (v vectors) quantize(q *quantized, x []float32, from, to, n int) {
	v.k.quantize(&q.data[from*n*v.k.bytes], &q.scale[from], &x[from*n], to-from, n)
}

func (v vectors) linear(y []float32, x *quantized, w *linear, rows int) {
	blocks := (rows + blockRows - 1) / blockRows
	_, _ = y[blocks*blockRows*w.out-1], x.data[blocks*blockRows*w.in*v.k.bytes-1]
	for o := 0; o < w.out; o += 64 {
		v.k.linear(&y[o], &x.data[0], &x.scale[0], &w.q[o*w.in], &w.sum[o], &w.scale[o], &w.bias[o], blocks, w.in, w.out)
	}
}

// attend takes six rows at a time. The rows behind the last one may be those of the next sequence: what they get here is
// overwritten when its turn comes. As keys they are masked.
func (v vectors) attend(out, qkv []float32, near *nearness, n int, skip gap, heads, h int, s *scratch) {
	const row = 3 * headDim
	hidden := heads * headDim
	vectors := (n + lanes - 1) / lanes
	padded, wide := vectors*lanes, v.k.bytes
	q := &s.q
	grow(&q.data, (padded+blockRows)*row*wide)
	grow(&q.scale, (padded+blockRows)*3)
	v.k.parts(&q.data[0], &q.scale[0], &qkv[0], (3*n+3)/4)
	keys, values := grow(&s.keys, padded*headDim*wide), grow(&s.values, padded*headDim*wide)
	scores, powers := grow(&s.scores, blockRows*padded), grow(&s.powers, blockRows*padded*wide)

	// Of each key where its products begin, its scale, its mask and the scale of its value; and the scales of queries.
	each, by := grow(&s.each, 4*padded), grow(&s.by, padded+blockRows)
	clear(each[padded:])
	for i := range n {
		scale := q.scale[3*i:][:3]
		by[i], each[padded+i], each[3*padded+i] = float32(scale[0]*attentionScale), scale[1], scale[2]
	}
	for i := n; i < padded; i++ {
		each[2*padded+i] = maskedBy
	}
	clear(by[n:])
	v.k.turn(&keys[0], (*int32)(unsafe.Pointer(&each[0])), &values[0], &q.data[headDim*wide], vectors)
	var tops [blockRows * lanes]float32
	var factor [blockRows]float32
	for r := 0; r < n; r += blockRows {
		if r >= skip.from && r+blockRows <= skip.to {
			continue
		}
		v.k.scores(&scores[0], &tops[0], &q.data[r*row*wide], &by[r], &keys[0], &each[0], near.of(h, r), vectors)
		v.k.softmax(&powers[0], &factor[0], &scores[0], &tops[0], &each[3*padded], vectors)
		v.k.values(&out[r*hidden+h*headDim], &powers[0], &values[0], &factor[0], vectors, hidden)
	}
}

func parts2(dst *byte, scale, x *float32, fours int) { quantize2(dst, scale, x, 4*fours, headDim) }

// turn2 is plain Go: AVX2 has few registers to do it in. Two numbers of a key stand together, and two rows' numbers of a value's column.
func turn2(keys *byte, _ *int32, values, from *byte, vectors int) {
	const row = 3 * headDim
	rows := vectors * lanes
	in := unsafe.Slice((*uint16)(unsafe.Pointer(from)), (rows-1)*row+2*headDim)
	k, v := unsafe.Slice((*uint32)(unsafe.Pointer(keys)), rows*headDim/2), unsafe.Slice((*uint32)(unsafe.Pointer(values)), rows*headDim/2)
	for j := range rows {
		key := in[j*row:][:headDim]
		for d := range headDim / 2 {
			k[d*rows+j] = uint32(key[2*d]) | uint32(key[2*d+1])<<16
		}
	}
	for j := 0; j < rows; j += 2 {
		a, b, to := in[j*row+headDim:][:headDim], in[(j+1)*row+headDim:][:headDim], v[j/2*headDim:][:headDim]
		for d := range to {
			to[d] = uint32(a[d]) | uint32(b[d])<<16
		}
	}
}

func (v vectors) norm(x, add []float32, by *layerNorm, rows, n int) {
	v.k.norm(&x[0], &add[0], &by.w[0], &by.b[0], rows, n, 1/float32(n), normEps)
}

func (v vectors) gelu(x []float32) { v.k.gelu(&x[0], len(x)) }

func (v vectors) dot(a, b []float32) float32 { return v.k.dot(&a[0], &b[0], len(a)) }

// tiles is AVX-512 with the products of matrices by AMX.
type tiles struct{ vectors }

func (tiles) name() string { return "amx" }

func (tiles) unit() int { return 16 }

// pack makes panels as wide as two tiles.
func (tiles) pack(w *linear, rows []int8) { packPanels(w, rows, 32) }

func (tiles) quantize(q *quantized, x []float32, from, to, n int) {
	quantizeAMX(&q.data[from*n], &q.scale[from], &x[from*n], to-from, n)
}

func (tiles) linear(y []float32, x *quantized, w *linear, rows int) {
	sixteens := (rows + 15) / 16
	_, _ = y[sixteens*16*w.out-1], x.data[sixteens*16*w.in-1]
	const line = 64 / 4
	var room [32*32 + line]int32
	at := -(uintptr(unsafe.Pointer(&room)) / 4) % line // tiles are stored line by line
	linearAMX(&y[0], &x.data[0], &x.scale[0], &w.q[0], &w.scale[0], &w.bias[0], sixteens, w.in, w.out, &room[at])
}
