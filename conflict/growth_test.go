package conflict

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
)

// made is a library of documents of 40 sentences over a vocabulary that grows with it, as a library's does.
func made(documents int) []ibid.Passage {
	rng := rand.New(rand.NewPCG(1858, uint64(documents)))
	zipf := rand.NewZipf(rng, 1.2, 8, uint64(4000+200*documents))
	var out []ibid.Passage
	for d := range documents {
		var b strings.Builder
		for range 40 {
			fmt.Fprintf(&b, "The %s of %s", word4(zipf.Uint64()), word4(zipf.Uint64()))
			for range 8 {
				b.WriteString(" " + word4(zipf.Uint64()))
			}
			fmt.Fprintf(&b, " had %d parts. ", rng.IntN(900)+2)
		}
		text := b.String()
		out = append(out, ibid.Passage{
			Source: ibid.Source{ID: ibid.SourceID(fmt.Sprint(d))},
			Chunk:  ibid.Chunk{At: ibid.Anchor{Document: ibid.HashText(text), Span: ibid.Span{End: len(text)}}, Text: text},
		})
	}
	return out
}

// word4 writes a number as a word.
func word4(n uint64) string {
	const c, v = "bdfgklmnprstvz", "aeiou"
	var b strings.Builder
	for range 4 {
		b.WriteByte(c[n%uint64(len(c))])
		n /= uint64(len(c))
		b.WriteByte(v[n%uint64(len(v))])
		n /= uint64(len(v))
	}
	return b.String()
}

// TestWorkGrowsWithTheLibrary holds that twice the library costs about twice the work, not four times: what is looked at
// is counted, not timed.
func TestWorkGrowsWithTheLibrary(t *testing.T) {
	small, large := newIndex(attribute.Reader{}, made(50)), newIndex(attribute.Reader{}, made(200))
	few, many := len(small.pairs()), len(large.pairs())
	t.Logf("%d sentences: %d words looked up, %d pairs compared; %d sentences: %d and %d", len(small.statements), small.looked, few, len(large.statements), large.looked, many)
	if many > 8*max(few, 100) || large.looked > 8*small.looked {
		t.Errorf("four times the library costs %d pairs after %d, %d look-ups after %d", many, few, large.looked, small.looked)
	}
	if all := len(large.statements) * (len(large.statements) - 1) / 2; many > all/100 {
		t.Errorf("%d pairs of %d are compared", many, all)
	}
}

// BenchmarkPassages prints what a library costs: sentences, the share of all pairs that is compared, and comparisons per
// sentence.
func BenchmarkPassages(b *testing.B) {
	for _, documents := range []int{25, 100, 400} {
		b.Run(fmt.Sprintf("%d-documents", documents), func(b *testing.B) {
			passages := made(documents)
			finder := New(attribute.Reader{}, Config{})
			for b.Loop() {
				if _, err := finder.Passages(context.Background(), passages); err != nil {
					b.Fatal(err)
				}
			}
			ix := newIndex(attribute.Reader{}, passages)
			n, pairs := float64(len(ix.statements)), float64(len(ix.pairs()))
			b.ReportMetric(n, "sentences")
			b.ReportMetric(pairs/n, "pairs/sentence")
			b.ReportMetric(pairs/(n*(n-1)/2), "of-all-pairs")
		})
	}
}
