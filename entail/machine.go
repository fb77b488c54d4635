package entail

import "math"

// machine is a set of instructions that the encoder runs on. All machines define each value by the same operations in the
// same order: products are added fused, sums run in 16 lanes that are folded by halves. So they agree to the bit. It is not
// enough that they agree to 1e-7: one value that is rounded to the next of its 256 steps makes others do the same in each
// layer above, and logits move by some hundredths. testdata/reference.py defines the same in PyTorch.
//
// Matrices lie row by row. A machine may read and write up to rowSlack rows behind the last one.
type machine interface {
	name() string
	// unit is how many rows linear writes at a time: those that two processors write must be a multiple of it apart.
	unit() int
	// pack gives the matrix its values, which lie row by row, in the machine's order; w.q has room for them.
	pack(w *linear, rows []int8)
	// quantize gives the rows from..to of x, n wide, in eight bits, and the scale of each.
	quantize(q *quantized, x []float32, from, to, n int)
	// linear gives y = x·wᵀ + b. It is exact up to the integer product.
	linear(y []float32, x *quantized, w *linear, rows int)
	// attend gives for each of the n rows of one sequence the mean of its values by the attention of head h, to which near adds
	// what the distance tells. In qkv stand query, key and value of that head alone; out has room for all heads in a row. Rows in skip
	// may be left out.
	attend(out, qkv []float32, near *nearness, n int, skip gap, heads, h int, s *scratch)
	// norm gives LayerNorm(x + add) in x.
	norm(x, add []float32, by *layerNorm, rows, n int)
	gelu(x []float32)
	dot(a, b []float32) float32
}

// rowSlack is how many rows behind the last one buffers must have.
const rowSlack = 32

// quantized are rows of eight-bit values: how they lie in data is the machine's business.
type quantized struct {
	data  []byte // with room for two bytes for each value
	scale []float32
}

// scratch is what attention of one sequence needs besides.
type scratch struct {
	q                    quantized // query, key and value of each row, each with its scale
	keys, values, powers []byte
	each, by, scores     []float32
}

// nearness is what each head adds to the score of a key by its distance from the row that looks: a row for each head, from the
// farthest before to the farthest behind, as an exponent of two.
type nearness struct {
	by     []float32
	middle int // where distance 0 stands
	stride int
}

// newNearness takes what heads add for each distance between positions, as exponents of two, with room around for what machines read
// beside it.
func newNearness(by []float32, positions, heads int) *nearness {
	wide := 2*positions - 1
	n := &nearness{middle: positions - 1 + rowSlack, stride: wide + 2*rowSlack}
	n.by = make([]float32, heads*n.stride)
	for h := range heads {
		for i, v := range by[h*wide:][:wide] {
			n.by[h*n.stride+rowSlack+i] = v * math.Log2E
		}
	}
	return n
}

// of points to what head h adds to the first key's score for a row; that of the next key stands behind it.
func (n *nearness) of(h, row int) *float32 { return &n.by[h*n.stride+n.middle-row] }

const normEps = 1e-5

// The steps of a power of two on [-0.5, 0.5], with a relative error below 8e-8.
var exp2Poly = [...]float32{1.0000001, 0.69314694, 0.2402212, 0.05550713, 0.009675542, 0.0013276472}

// The same with a relative error below 8e-5, for what is rounded to one of 256 steps.
var powerPoly = [...]float32{0.99992806, 0.69326097, 0.24261113, 0.05517167}

// GELU is max(x,0) - |x|·Φ(-|x|); the steps of -log2 Φ(-a) on [0, 6], with which the error of GELU stays below 3e-7.
var geluPoly = [...]float32{0.9999931, 1.1512017, 0.45877096, 0.053412102, -0.008080715, 0.0007692194, -3.3092787e-05}

const (
	geluEnd  = 6
	exp2Low  = -64 // below, the power is that of the end: small enough to count as nothing, large enough for full speed
	lanes    = 16
	maskedBy = -1e30
)

// attentionScale turns products of a query and a key into exponents of two: they are larger than scores by the root of headDim.
const attentionScale = float32(math.Log2E / 8)
