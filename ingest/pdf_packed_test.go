package ingest_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/ascii85"
	"encoding/hex"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid/ingest"
)

// A page says the same however its stream is packed, and whatever was taken off its bytes before.
func TestPDFPacked(t *testing.T) {
	var lines []string
	random := rand.New(rand.NewSource(1)) // words that do not pack well, so that the table of LZW fills
	for range 60 {
		b := make([]byte, 80)
		for i := range b {
			b[i] = "abcdefghijklmnopqrstuvwxyz     "[random.Intn(31)]
		}
		lines = append(lines, string(b))
	}
	page := []byte(show(50, 790, 10, lines...))
	want, err := ingest.Read(context.Background(), pdfFile("<<>>", string(page)), ingest.Hint{})
	if err != nil || len(want.Text) < 3000 {
		t.Fatalf("%d bytes, %v", len(want.Text), err)
	}
	for _, c := range []struct {
		dict string
		data []byte
	}{
		{"/Filter/FlateDecode", deflated(page)},
		{"/Filter[/Fl]", deflated(page)[:len(deflated(page))-4]}, // without its checksum
		{"/Filter/ASCIIHexDecode", []byte(hex.EncodeToString(page) + ">")},
		{"/Filter/AHx", []byte(strings.ToUpper(hex.EncodeToString(page)))},
		{"/Filter/ASCII85Decode", in85(page, "", "~>")},
		{"/Filter/A85", in85(page, "<~", "~>\n")},
		{"/Filter/RunLengthDecode", runs(page)},
		{"/Filter/LZWDecode", lzw(page, 1)},
		{"/Filter/LZW/DecodeParms<</EarlyChange 0>>", lzw(page, 0)},
		{"/Filter[/ASCII85Decode/FlateDecode]/DecodeParms[null<</Predictor 15/Columns 20>>]", in85(deflated(pngRows(page, 20, 1)), "", "~>")},
		{"/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 7/Colors 3>>", deflated(pngRows(page, 21, 3))},
		{"/Filter/FlateDecode/DecodeParms<</Predictor 2/Columns 7/Colors 3>>", deflated(tiffRows(page, 21, 3))},
		{"/Filter/LZWDecode/DecodeParms<</Predictor 2/Columns 20>>", lzw(tiffRows(page, 20, 1), 1)},
		{"/Filter/FlateDecode/DecodeParms<</Predictor 1>>", deflated(page)},
	} {
		b := bytes.Replace(pdfFile("<<>>", string(c.data)), []byte("<</Length"), []byte("<<"+c.dict+"/Length"), 1)
		head, _, _ := bytes.Cut(b, []byte("startxref"))
		b = fmt.Appendf(slices.Clone(head), "startxref\n%d\n%%%%EOF\n", bytes.LastIndex(head, []byte("xref\n0 ")))
		if got, err := ingest.Read(context.Background(), b, ingest.Hint{}); err != nil || got.Text != want.Text {
			t.Errorf("%s: %.80q, %v", c.dict, got.Text, err)
		}
	}
	// Rows of no width have no end.
	for _, width := range []string{"0.5", "-7", "0"} {
		b := bytes.Replace(pdfFile("<<>>", string(deflated(page))), []byte("<</Length"), []byte("<</Filter/FlateDecode/DecodeParms<</Predictor 2/Columns "+width+">>/Length"), 1)
		lawful(t, b, ingest.Hint{})
	}
}

func deflated(b []byte) []byte {
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func in85(b []byte, before, behind string) []byte {
	out := make([]byte, ascii85.MaxEncodedLen(len(b)))
	return []byte(before + string(out[:ascii85.Encode(out, b)]) + behind)
}

// runs packs pairs of equal bytes, and copies the others.
func runs(b []byte) (out []byte) {
	for len(b) > 0 {
		if len(b) > 1 && b[0] == b[1] {
			out, b = append(out, 255, b[0]), b[2:]
			continue
		}
		n := 1
		for n < len(b) && n < 128 && b[n] != b[n-1] {
			n++
		}
		out, b = append(append(out, byte(n-1)), b[:n]...), b[n:]
	}
	return append(out, 128, 'x')
}

// lzw packs with codes of 9 to 12 bits, which widen as many codes early as is said.
func lzw(b []byte, early int) []byte {
	var out []byte
	acc, bits, width := 0, 0, 9
	put := func(code int) {
		acc, bits = acc<<width|code, bits+width
		for ; bits >= 8; bits -= 8 {
			out = append(out, byte(acc>>(bits-8)))
		}
		acc &= 1<<bits - 1
	}
	table := map[string]int{}
	code := func(s string) (int, bool) {
		if len(s) == 1 {
			return int(s[0]), true
		}
		n, ok := table[s]
		return n, ok
	}
	next, word := 258, ""
	put(256)
	for _, c := range b {
		longer := word + string([]byte{c})
		if _, ok := code(longer); ok {
			word = longer
			continue
		}
		n, _ := code(word)
		put(n)
		table[longer] = next
		if next++; next+early > 1<<width { // the reader is one code behind
			width++
		}
		if next == 4094 {
			put(256)
			clear(table)
			next, width = 258, 9
		}
		word = string([]byte{c})
	}
	n, _ := code(word)
	put(n)
	if next++; next+early > 1<<width {
		width++
	}
	put(257)
	return append(out, byte(acc<<(8-bits)))
}

// pngRows stores rows by the five ways of PNG in turn: as they are, by the byte at the left, above, their mean, and the nearest of three.
func pngRows(b []byte, row, pixel int) (out []byte) {
	above := make([]byte, row)
	for n := 0; len(b) > 0; n++ {
		line := make([]byte, row)
		b = b[copy(line, b):]
		out = append(out, byte(n%5))
		for i := range line {
			var left, corner int
			if i >= pixel {
				left, corner = int(line[i-pixel]), int(above[i-pixel])
			}
			up := int(above[i])
			near := left
			for _, v := range []int{up, corner} {
				if p := left + up - corner; max(p-v, v-p) < max(p-near, near-p) {
					near = v
				}
			}
			out = append(out, line[i]-byte([]int{0, left, up, (left + up) / 2, near}[n%5]))
		}
		above = line
	}
	return out
}

// tiffRows stores each byte as what it differs by from the one at its left.
func tiffRows(b []byte, row, pixel int) []byte {
	out := slices.Clone(b)
	for i := range b {
		if i%row >= pixel {
			out[i] -= b[i-pixel]
		}
	}
	return out
}
