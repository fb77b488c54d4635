package entail

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

// testTokenizer has the vocabulary of testdata.
func testTokenizer(t testing.TB) (*tokenizer, []string) {
	t.Helper()
	b, err := os.ReadFile("testdata/vocab.txt")
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	tok, err := newTokenizer(b, len(words))
	if err != nil {
		t.Fatal(err)
	}
	return tok, words
}

// TestPiecesAsOthersCutThem holds pieces and offsets against those that Hugging Face's tokenizers gives
// (BertWordPieceTokenizer 0.23, with the same vocabulary).
func TestPiecesAsOthersCutThem(t *testing.T) {
	tok, words := testTokenizer(t)
	f, err := os.Open("testdata/tokens.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var want struct {
			Text    string   `json:"text"`
			Pieces  []string `json:"pieces"`
			Offsets [][2]int `json:"offsets"`
		}
		if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		got := tok.pieces(want.Text)
		if len(got) != len(want.Pieces) {
			t.Errorf("%q: %d pieces, not %d: %q", want.Text, len(got), len(want.Pieces), want.Pieces)
			continue
		}
		for i, p := range got {
			if words[p.id] != want.Pieces[i] || p.at.Start != want.Offsets[i][0] || p.at.End != want.Offsets[i][1] {
				t.Errorf("%q: piece %d is %q at %v, not %q at %v", want.Text, i, words[p.id], p.at, want.Pieces[i], want.Offsets[i])
			}
		}
	}
}

// FuzzPieces: pieces are in order and begin and end between characters; and what a span holds, cut by itself, is the
// piece again where it began a word.
func FuzzPieces(f *testing.F) {
	for _, s := range []string{"The landing at Knightstown.", "Cafe\u0301 Über 각각", "\xff\u0085a\u200bb", "東京 [SEP] ##ing", strings.Repeat("x", 300)} {
		f.Add(s)
	}
	tok, _ := testTokenizer(f)
	f.Fuzz(func(t *testing.T, s string) {
		end, start := 0, 0
		for i, p := range tok.pieces(s) {
			if p.at.Start < start || p.at.End < end || p.at.Start >= p.at.End || p.at.End > len(s) {
				t.Fatalf("piece %d at %v, behind %d and %d", i, p.at, start, end)
			}
			if p.at.Start < end && p.at.Start != start {
				t.Fatalf("piece %d at %v cuts into the one before", i, p.at)
			}
			start, end = p.at.Start, p.at.End
			if !utf8.RuneStart(s[p.at.Start]) && validAt(s, p.at.Start) || end < len(s) && !utf8.RuneStart(s[end]) && validAt(s, end) {
				t.Fatalf("piece %d at %v ends within a character", i, p.at)
			}
			if again := tok.pieces(p.at.In(s)); p.start && p.id != tok.unknown && (len(again) == 0 || again[0].id != p.id) && len(again) < 2 {
				t.Fatalf("piece %d %q by itself is %v, not %v", i, p.at.In(s), again, p)
			}
		}
	})
}

// validAt reports whether the byte at i belongs to a whole character.
func validAt(s string, i int) bool {
	for k := i; k >= 0 && i-k < utf8.UTFMax; k-- {
		if r, n := utf8.DecodeRuneInString(s[k:]); r != utf8.RuneError && k+n > i {
			return true
		}
	}
	return false
}

// FuzzLoad: a damaged file is an error that says what is wrong, or a model that still judges; never a panic.
func FuzzLoad(f *testing.F) {
	c := tiny
	c.Layers, c.FFN, c.Hidden, c.Heads = 1, 128, 128, 2
	good := fileOf(f, c, makeModel(&c, 2))
	f.Add(uint32(0), byte(1), uint32(0))
	f.Add(uint32(9), byte(255), uint32(0))
	f.Add(uint32(100), byte('9'), uint32(0))
	f.Add(uint32(0), byte('I'), uint32(5000))
	header := bytes.IndexByte(good[16:], 0)
	f.Fuzz(func(t *testing.T, at uint32, to byte, cut uint32) {
		b := bytes.Clone(good)
		b[int(at)%(16+header)] = to // the header is where files go wrong; the rest has its hash
		if cut > 0 {
			b = b[:int(cut)%len(b)]
		}
		m, err := load(b, portable{})
		if err == nil {
			if _, err := m.Logits(t.Context(), somePairs()[:1]); err != nil && !strings.Contains(err.Error(), "no number") {
				t.Fatal(err)
			}
		}
	})
}
