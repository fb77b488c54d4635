package bib_test

import (
	"bytes"
	"testing"

	"github.com/ibid-dev/ibid/cite/bib"
)

// BenchmarkThereAndBack writes and reads a thousand real references in each format.
func BenchmarkThereAndBack(b *testing.B) {
	refs := real1000(b)
	for _, f := range bib.Formats() {
		var out bytes.Buffer
		if _, err := bib.Write(&out, f, refs); err != nil {
			b.Fatal(err)
		}
		b.Run("write/"+string(f), func(b *testing.B) {
			b.SetBytes(int64(out.Len()))
			for b.Loop() {
				bib.Write(&bytes.Buffer{}, f, refs)
			}
		})
		b.Run("read/"+string(f), func(b *testing.B) {
			b.SetBytes(int64(out.Len()))
			for b.Loop() {
				bib.ReadAs(out.Bytes(), f)
			}
		})
	}
}
