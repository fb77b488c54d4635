package entail

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
)

// best runs do b.N times and reports the shortest of them: what others on the machine do makes the rest longer.
func best(b *testing.B, do func(i int)) time.Duration {
	b.Helper()
	do(0)
	least := time.Duration(math.MaxInt64)
	b.ResetTimer()
	for i := range b.N {
		start := time.Now()
		do(i)
		least = min(least, time.Since(start))
	}
	b.ReportMetric(float64(least.Nanoseconds())/1000, "best-µs")
	return least
}

// BenchmarkParts measures the parts of a layer for the rows of a pair, each alone, on every machine of this processor but the
// portable one. Matrices change from round to round as they do from layer to layer, so that their weights come from where they
// do in a model.
func BenchmarkParts(b *testing.B) {
	const hidden, heads, wide, rows, layers = 768, 12, 1408, 208, 12
	r := rand.New(rand.NewPCG(1, 2))
	x, add := randomRows(r, rows, wide), randomRows(r, rows, wide)
	y := make([]float32, (rows+rowSlack)*3*hidden)
	q := newQuantized(rows, wide)
	for _, run := range machines() {
		if run == machine(portable{}) {
			continue
		}
		for _, shape := range [][2]int{{3 * headDim, hidden}, {hidden, hidden}, {wide, hidden}, {hidden, wide}} {
			var ws [layers]linear
			size := shape[0] * shape[1]
			all := make([]int8, layers*size)
			for i := range ws {
				from := randomLinear(r, shape[0], shape[1])
				ws[i] = *from
				ws[i].q = all[i*size:][:size]
				run.pack(&ws[i], from.q)
			}
			b.Run(fmt.Sprintf("%s/linear-%dx%d", run.name(), shape[0], shape[1]), func(b *testing.B) {
				run.quantize(q, x, 0, rows, shape[1])
				least := best(b, func(i int) { run.linear(y, q, &ws[i%layers], rows) })
				b.ReportMetric(float64(rows*shape[0]*shape[1])/float64(least.Nanoseconds()), "products/ns")
			})
		}
		b.Run(run.name()+"/attend", func(b *testing.B) {
			qkv := make([]float32, (rows+rowSlack)*3*headDim)
			for i := range qkv {
				qkv[i] = float32(r.NormFloat64())
			}
			near := newNearness(make([]float32, heads*(2*rows-1)), rows, heads)
			var s scratch
			best(b, func(int) {
				for h := range heads {
					run.attend(y, qkv, near, rows, gap{}, heads, h, &s)
				}
			})
		})
		b.Run(run.name()+"/norm", func(b *testing.B) {
			by := &layerNorm{make([]float32, hidden), make([]float32, hidden)}
			best(b, func(int) { run.norm(x, add, by, rows, hidden) })
		})
		b.Run(run.name()+"/gelu", func(b *testing.B) {
			large := slices.Repeat([]float32{7}, rows*wide) // what stays as it is
			best(b, func(int) { run.gelu(large) })
		})
		b.Run(run.name()+"/quantize-768", func(b *testing.B) { best(b, func(int) { run.quantize(q, add, 0, rows, hidden) }) })
		b.Run(run.name()+"/quantize-1408", func(b *testing.B) { best(b, func(int) { run.quantize(q, add, 0, rows, wide) }) })
	}
}

// BenchmarkPair measures one pair as attribution asks for it, on all processors, by its tokens.
func BenchmarkPair(b *testing.B) {
	m, err := Open()
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{150, 200, 250} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := []ibid.Pair{{Evidence: strings.Repeat("the ", n-n/5-3), Claim: strings.Repeat("of ", n/5)}}
			best(b, func(int) {
				if _, err := m.Logits(b.Context(), p); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}
