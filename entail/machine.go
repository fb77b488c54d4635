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
	// pack brings the matrix into the machine's order.
	pack(w *linear)
	// quantize gives each of the rows of x, n wide, in eight bits, and the scale of each.
	quantize(q *quantized, x []float32, rows, n int)
	// linear gives y = x·wᵀ + b. It is exact up to the integer product.
	linear(y []float32, x *quantized, w *linear, rows int)
	// attend gives for each of the n rows of one sequence, in qkv, the mean of its values by the attention of the heads
	// from..to.
	attend(out, qkv []float32, n, heads, from, to int, s *scratch)
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
	n     int
}

// scratch is what attention of one sequence needs besides.
type scratch struct {
	keys   []float32 // of one head, transposed
	values []float32 // of one head
	mask   []float32
	scores []float32
}

const normEps = 1e-12

// The steps of a power of two on [-0.5, 0.5], with a relative error below 8e-8.
var exp2Poly = [...]float32{1.0000001, 0.69314694, 0.2402212, 0.05550713, 0.009675542, 0.0013276472}

// GELU is max(x,0) - |x|·Φ(-|x|); the steps of -log2 Φ(-a) on [0, 6], with which the error of GELU stays below 3e-7.
var geluPoly = [...]float32{0.9999931, 1.1512017, 0.45877096, 0.053412102, -0.008080715, 0.0007692194, -3.3092787e-05}

const (
	geluEnd  = 6
	exp2Low  = -64 // below, the power is that of the end: small enough to count as nothing, large enough for full speed
	lanes    = 16
	maskedBy = -1e30
)

// attentionScale turns scores into exponents of two.
var attentionScale = float32(math.Log2E / math.Sqrt(headDim))
