package offsets_test

import (
	"math/rand"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/ibid-dev/ibid/internal/offsets"
)

func TestPositions(t *testing.T) {
	s := "aé😀\xffz"
	table := offsets.New(s)
	for _, want := range []offsets.Position{
		{0, 0, 0}, {1, 1, 1}, {3, 2, 2}, {7, 3, 4}, {8, 4, 5}, {9, 5, 6},
	} {
		if got := table.FromByte(want.Byte); got != want {
			t.Errorf("FromByte(%d) = %v, want %v", want.Byte, got, want)
		}
		if got := table.FromRune(want.Rune); got != want {
			t.Errorf("FromRune(%d) = %v, want %v", want.Rune, got, want)
		}
		if got := table.FromUTF16(want.UTF16); got != want {
			t.Errorf("FromUTF16(%d) = %v, want %v", want.UTF16, got, want)
		}
	}
	for name, got := range map[string]offsets.Position{
		"byte within a character":      table.FromByte(5),
		"between surrogates":           table.FromUTF16(3),
		"rune before the character":    table.FromRune(2),
		"position of the emoji itself": table.FromByte(3),
	} {
		if want := (offsets.Position{Byte: 3, Rune: 2, UTF16: 2}); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	for _, n := range []int{-1, -1 << 62} {
		if got := table.FromByte(n); got != (offsets.Position{}) {
			t.Errorf("FromByte(%d) = %v, want the start", n, got)
		}
	}
	if got := table.FromUTF16(1 << 62); got != table.End() {
		t.Errorf("behind the end: %v, want %v", got, table.End())
	}
}

// FuzzOffsets holds the table against counting from the start, for each border of a rune, there and back.
func FuzzOffsets(f *testing.F) {
	f.Add("")
	f.Add("plain")
	f.Add("\uffff\U00010000") // the last of one unit, and the first of two
	f.Add("aé😀\xff\xf0\x9f\x98z")
	f.Add(strings.Repeat("é", 300) + strings.Repeat("😀a", 200))
	f.Fuzz(func(t *testing.T, s string) {
		table := offsets.New(s)
		p := offsets.Position{}
		check := func() {
			if table.FromByte(p.Byte) != p || table.FromRune(p.Rune) != p || table.FromUTF16(p.UTF16) != p {
				t.Fatalf("%q: %v is %v, %v and %v", s, p, table.FromByte(p.Byte), table.FromRune(p.Rune), table.FromUTF16(p.UTF16))
			}
		}
		for i, r := range s {
			p.Byte = i
			check()
			p.Rune++
			p.UTF16 += utf16.RuneLen(r)
		}
		p.Byte = len(s)
		check()
		if table.End() != p {
			t.Fatalf("%q ends at %v, want %v", s, table.End(), p)
		}
	})
}

func BenchmarkNew(b *testing.B) {
	s := strings.Repeat("The “cable” of 1858 – déjà vu 😀. ", 1<<15)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		offsets.New(s)
	}
}

// BenchmarkFromUTF16 shows that a look-up hardly grows with the text.
func BenchmarkFromUTF16(b *testing.B) {
	for _, c := range []struct {
		name   string
		repeat int
	}{{"30kB", 1 << 10}, {"30MB", 1 << 20}} {
		b.Run(c.name, func(b *testing.B) {
			table := offsets.New(strings.Repeat("The “cable” of 1858 – vu 😀. ", c.repeat))
			r := rand.New(rand.NewSource(1))
			for b.Loop() {
				table.FromUTF16(r.Intn(table.End().UTF16))
			}
		})
	}
}
