package gate_test

import (
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/gate"
)

// BenchmarkDecide is a decision on an answer of twenty sentences, and the same where the policy is off.
func BenchmarkDecide(b *testing.B) {
	var claims []gate.Claim
	for range 20 {
		claims = append(claims, cited("The landing at Knightstown was completed on 5 August 1858, in the afternoon.", ibid.Quoted))
	}
	for _, name := range []string{"regulated", "creative"} {
		p := preset(b, name)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p.Decide(claims)
			}
		})
	}
}
