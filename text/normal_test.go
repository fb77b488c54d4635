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
		there, back := borders(s), borders(n.Text())
		last := ibid.Span{}
		for i, r := range n.Text() {
			at := n.Original(ibid.Span{Start: i, End: i + utf8.RuneLen(r)})
			if at.Start < last.Start || at.End < last.End || at.End > len(s) || at.Empty() {
				t.Fatalf("%q: rune at %d of %q comes from %v after %v", s, i, n.Text(), at, last)
			}
			if !there[at.Start] || !there[at.End] {
				t.Fatalf("%v is within a rune of %q", at, s)
			}
			if again := n.Normal(at); !again.Contains(ibid.Span{Start: i, End: i + utf8.RuneLen(r)}) {
				t.Fatalf("%q: rune at %d of %q is %v, and that is %v", s, i, n.Text(), at, again)
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
			if !back[at.Start] || !back[at.End] {
				t.Fatalf("%v is within a rune of %q", at, n.Text())
			}
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

// borders says of each offset whether a rune begins or the text ends there.
func borders(s string) []bool {
	out := make([]bool, len(s)+1)
	out[len(s)] = true
	for i := range s {
		out[i] = true
	}
	return out
}
