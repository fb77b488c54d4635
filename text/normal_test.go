package text_test

import (
	"testing"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/text"
)

// FuzzNormalize holds the laws of the normal form: it is idempotent, and its positions map into the original and back, in
// order and on rune borders.
func FuzzNormalize(f *testing.F) {
	for _, s := range []string{"", " a  b ", "ﬁne “quotes”—x", "co\u00adoperate\u200b", "e\u0301 ½ ①", "\xff\xfe", "a\u200b \u0301", "´x", "\u3164", "한글 ㈜"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n := text.Normalize(s)
		if again := text.Normalize(n.Text()).Text(); again != n.Text() {
			t.Fatalf("not idempotent: %q, then %q", n.Text(), again)
		}
		last := ibid.Span{}
		for i, r := range n.Text() {
			at := n.Original(ibid.Span{Start: i, End: i + utf8.RuneLen(r)})
			if at.Start < last.Start || at.End < last.End || at.End > len(s) || at.Empty() {
				t.Fatalf("%q: rune at %d of %q comes from %v after %v", s, i, n.Text(), at, last)
			}
			border(t, s, at)
			if back := n.Normal(at); !back.Contains(ibid.Span{Start: i, End: i + utf8.RuneLen(r)}) {
				t.Fatalf("%q: rune at %d of %q is %v, and that is %v", s, i, n.Text(), at, back)
			}
			last = at
		}
		last = ibid.Span{}
		for i := 0; i < len(s); {
			_, size := utf8.DecodeRuneInString(s[i:])
			at := n.Normal(ibid.Span{Start: i, End: i + size})
			if at.Start < last.Start || at.End < last.End || at.End > len(n.Text()) || at.End < at.Start {
				t.Fatalf("%q: rune at %d became %v of %q after %v", s, i, at, n.Text(), last)
			}
			border(t, n.Text(), at)
			last = at
			i += size
		}
		if all := n.Original(ibid.Span{End: len(n.Text())}); n.Normal(all) != (ibid.Span{End: len(n.Text())}) {
			t.Fatalf("%q: the whole of %q is %v, and that is %v", s, n.Text(), all, n.Normal(all))
		}
		if k := text.Fold(s); text.Fold(k) != k {
			t.Fatalf("folding %q is not idempotent", s)
		}
	})
}

func border(t *testing.T, s string, at ibid.Span) {
	t.Helper()
	borders := map[int]bool{len(s): true}
	for i := 0; i < len(s); {
		borders[i] = true
		_, n := utf8.DecodeRuneInString(s[i:])
		i += n
	}
	if !borders[at.Start] || !borders[at.End] {
		t.Fatalf("%v is within a rune of %q", at, s)
	}
}
