package text_test

import (
	"strings"
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
		start := 0
		for _, at := range text.Confusable(s) {
			if at.Start < start || at.End > len(s) || at.Empty() {
				t.Fatalf("%q: confusable at %v behind %d", s, at, start)
			}
			start = at.Start
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

func TestNormalize(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"white space", " a \t\n b\u00a0\u3000c ", "a b c"},
		{"quotes and dashes", "“it’s” ‘so’ «a» 1857–58 — x−y", `"it's" 'so' "a" 1857-58 - x-y`},
		{"compatibility forms", "ﬁne ½ ① ＡＢＣ x² ㎞", "fine 1/2 1 ABC x2 km"},
		{"combining marks", "e\u0301te\u0301", "été"},
		{"invisible characters", "co\u00adop\u200berate\u2060 \u202ax\u202c\ufeff \u2764\ufe0f", "cooperate x ❤"},
		{"space around what is dropped", "a \u200b b\u200b", "a b"},
		{"control characters", "a\x00\x1bb", "ab"},
		{"invalid bytes", "a\xffb", "a\ufffdb"},
		{"case stays", "Great Eastern", "Great Eastern"},
		{"look-alikes stay", "cаble", "cаble"},
		{"Arabic number sign is drawn", "\u0600١", "\u0600١"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := text.Normalize(c.text).Text(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestNormalPositions(t *testing.T) {
	s := "  The  ﬁrst\u200b  “cable”…"
	n := text.Normalize(s)
	for _, c := range []struct{ normal, original string }{
		{"The first", "The  ﬁrst"},
		{"first", "ﬁrst"},
		{`"cable"`, "“cable”"},
		{"cable", "cable"},
		{"fi", "ﬁ"},
	} {
		at := find(t, n.Text(), c.normal)
		if got := n.Original(at).In(s); got != c.original {
			t.Errorf("%q stands for %q, want %q", c.normal, got, c.original)
		}
		if back := n.Normal(n.Original(at)); back != at {
			t.Errorf("%q: %v became %v", c.normal, at, back)
		}
	}
	if at := n.Normal(find(t, s, "\u200b")); !at.Empty() {
		t.Errorf("what is dropped became %v", at)
	}
}

func TestFold(t *testing.T) {
	for _, pair := range [][2]string{{"Great Eastern", "GREAT  EASTERN"}, {"Straße", "STRASSE"}, {"“A”", `"a"`}, {"ﬁ", "FI"}} {
		if text.Fold(pair[0]) != text.Fold(pair[1]) {
			t.Errorf("%q and %q have different keys %q and %q", pair[0], pair[1], text.Fold(pair[0]), text.Fold(pair[1]))
		}
	}
}

func find(t *testing.T, s, sub string) ibid.Span {
	t.Helper()
	i := strings.Index(s, sub)
	if i < 0 {
		t.Fatalf("%q does not hold %q", s, sub)
	}
	return ibid.Span{Start: i, End: i + len(sub)}
}

func BenchmarkNormalize(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"ascii", "The cable was laid in Aug. 1858, and cost a fortune. "},
		{"typographic", "The “cable” — Field’s — cost £1,000\u00a0a mile; déjà vu. "},
	} {
		s := strings.Repeat(c.text, 1<<20/len(c.text))
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				text.Normalize(s)
			}
		})
	}
}
