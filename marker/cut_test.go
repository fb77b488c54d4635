package marker_test

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/ibid-dev/ibid/marker"
)

// cut reads the text in pieces that end at the given places.
func cut(raw string, at []int, c marker.Config) marker.Output {
	s := marker.NewScanner(c)
	var all marker.Output
	add := func(o marker.Output) {
		all.Text += o.Text
		all.Marks = append(all.Marks, o.Marks...)
		all.Cut = append(all.Cut, o.Cut...)
	}
	from := 0
	for _, to := range at {
		add(s.Write(raw[from:to]))
		from = to
	}
	add(s.Write(raw[from:]))
	add(s.Close())
	return all
}

func everyByte(raw string) []int {
	at := make([]int, len(raw))
	for i := range at {
		at[i] = i
	}
	return at
}

func TestCutAnywhereGivesTheSame(t *testing.T) {
	for _, c := range cases {
		whole := marker.Parse(c.raw, five)
		if got := cut(c.raw, everyByte(c.raw), five); !reflect.DeepEqual(got, whole) {
			t.Errorf("%s: byte by byte\n got %q %s\nwant %q %s", c.name, got.Text, show(got), whole.Text, show(whole))
		}
		if len(c.raw) > 200 {
			continue
		}
		for i := range c.raw {
			if got := cut(c.raw, []int{i}, five); !reflect.DeepEqual(got, whole) {
				t.Errorf("%s: cut at %d\n got %q %s\nwant %q %s", c.name, i, got.Text, show(got), whole.Text, show(whole))
			}
		}
	}
}

// pieces are what answers with markers are made of, and what breaks readers of them.
var pieces = []string{
	"{{rag:", "{{llm:", "{{hybrid:", "{{", "}}", "{", "}", "{{rag", "{{ RAG : ", "[CTX 1]", "[CTX 2, 9]", "[1]", "[2][3]", "[1, 2]", "[1-3]", "[9]", "[1], [2]", " and [3]", "; [^1]", "([1])", "([1], [9])", "**[1]**", " **[1]**", "_[CTX 2], [3]_", "*[9]*", "**", "*", "f([1])", "f(", "[[1]]", "[^2^]", "[[",
	"[", "]", "(", ")", "【1】", "【2†a.pdf】", "【", "】", "¹", "²³", "⁻¹", "(Source 2)", "(see ", "(Source: ", "[^1]", "[^a]", "[^1]: ", "[^a]: [CTX 3]",
	"[1]: https://example.org/cable", "[x](https://example.org/cable)", "([x](https://example.org/cable))", "([x](https://example.org/cable), ", "([", "[x](", "<sup>1</sup>", "<sup>", "`", "``", "```", "```go\n", "~~~", "\n~~~\n",
	"\n", "\n\n", "\r\n", " ", "  ", "\t", "\u00a0", ".", ". ", "? ", ",", "word", "a", "Word", "x_y", "1858", "5", "é", "𝔘", "。", "“", "”", "\"", "\\", "- ", "> ", "1. ",
	"According to ", "as noted in ", "See ", "(see ", "while ", " says ", " say ", " states that ", " also ", " and ", ", and ", ", ", "Laut ", "Nach ", " und ", "d’après ", "s",
	"\xff", "\xe3\x80", "\u200b", "\u202e", "<", ":", "|", strings.Repeat(" ", 1030),
}

func genRaw() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 24).Draw(t, "pieces"), "")
	})
}

func TestAnyCutOfAnyTextGivesTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := genRaw().Draw(t, "raw")
		whole := marker.Parse(raw, five)
		if got := cut(raw, everyByte(raw), five); !reflect.DeepEqual(got, whole) {
			t.Fatalf("byte by byte\n got %q %s\nwant %q %s", got.Text, show(got), whole.Text, show(whole))
		}
		var at []int
		for i := range raw {
			if rapid.Bool().Draw(t, "cut") {
				at = append(at, i)
			}
		}
		if got := cut(raw, at, five); !reflect.DeepEqual(got, whole) {
			t.Fatalf("cut at %v\n got %q %s\nwant %q %s", at, got.Text, show(got), whole.Text, show(whole))
		}
	})
}

// laws hold for any input.
func laws(t interface {
	Fatalf(string, ...any)
}, raw string) {
	out := marker.Parse(raw, five)
	put := ""
	for _, c := range out.Cut {
		put += c.Put
	}
	if put == "" && !subsequence(out.Text, raw) {
		t.Fatalf("%q is not made by taking text out of %q", out.Text, raw)
	}
	if utf8.ValidString(raw) && !utf8.ValidString(out.Text) {
		t.Fatalf("broke a character of %q: %q", raw, out.Text)
	}
	if kept := without(raw, out.Cut); squeezed(kept) != squeezed(out.Text) {
		t.Fatalf("%q without what was cut is %q, not %q", raw, kept, out.Text)
	}
	for _, m := range out.Marks {
		if m.At.Start < 0 || m.At.End < m.At.Start || m.At.End > len(out.Text) {
			t.Fatalf("mark %v outside of %q", m.At, out.Text)
		}
		if w := m.At.In(out.Text); strings.TrimSpace(w) != w {
			t.Fatalf("mark of %q has blanks around it: %q", raw, w)
		}
		if m.Raw.Start < 0 || m.Raw.End > len(raw) {
			t.Fatalf("raw span %v outside of %q", m.Raw, raw)
		}
		for _, n := range m.Refs {
			if n < 1 || n > five.Passages {
				t.Fatalf("reference %d of %q does not exist", n, raw)
			}
		}
		for _, n := range m.Dangling {
			if 1 <= n && n <= five.Passages {
				t.Fatalf("reference %d of %q exists, and is called dangling", n, raw)
			}
		}
	}
}

// without takes out of a text what was cut, and puts in its place what was put there.
func without(raw string, cuts []marker.Cut) string {
	var b strings.Builder
	from := 0
	for _, c := range cuts {
		b.WriteString(raw[from:c.At.Start] + c.Put)
		from = c.At.End
	}
	return b.String() + raw[from:]
}

func squeezed(s string) string { return strings.Join(strings.Fields(s), "") }

func subsequence(small, big string) bool {
	i := 0
	for j := 0; i < len(small) && j < len(big); j++ {
		if small[i] == big[j] {
			i++
		}
	}
	return i == len(small)
}

func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { laws(t, genRaw().Draw(t, "raw")) })
	for _, c := range cases {
		laws(t, c.raw)
	}
}

func FuzzScanner(f *testing.F) {
	for _, c := range cases {
		if len(c.raw) < 500 {
			f.Add(c.raw, 3)
		}
	}
	f.Fuzz(func(t *testing.T, raw string, step int) {
		if len(raw) > 6000 {
			return
		}
		laws(t, raw)
		whole := marker.Parse(raw, five)
		var at []int
		for i := max(1, step%17); i < len(raw); i += max(1, step%17) {
			at = append(at, i)
		}
		if got := cut(raw, at, five); !reflect.DeepEqual(got, whole) {
			t.Fatalf("cut in %d\n got %q %s\nwant %q %s", step, got.Text, show(got), whole.Text, show(whole))
		}
	})
}

// The reader never sees half a marker: nothing given out can still turn out to be part of one.
func TestNoHalfMarkerIsShown(t *testing.T) {
	raw := "Start {{rag:Records are immutable[CTX 1]}} and {{llm:so on}} [CTX 2]. End [^1] 【1】¹ (Source 2) done."
	s := marker.NewScanner(five)
	for i := range len(raw) {
		if out := s.Write(raw[i : i+1]); strings.ContainsAny(out.Text, "{}[]【】¹()") {
			t.Fatalf("showed %q after %q", out.Text, raw[:i+1])
		}
	}
}

// A marker that is never closed holds text back for one paragraph or 4 KB, not longer.
func TestNoWaitIsUnbounded(t *testing.T) {
	for name, open := range map[string]string{
		"marker": "{{rag:", "bracket": "[CTX 1", "link": "[x](http://", "paren": "(Source ", "lens": "【1", "code": "`[1", "fence": "```", "sup": "<sup>1", "footnote": "[^", "ticks": "`",
		"raised": "¹", "spaces": " ",
	} {
		for _, fill := range []string{"a ", " ", "`", "¹", "{", "[", "{{rag:", "\n", "~", "1,", "\n ", "é"} {
			s := marker.NewScanner(five)
			given, raw := 0, "x"+open+strings.Repeat(fill, 12000/len(fill))
			for i := 0; i < len(raw); i += 256 {
				given += len(s.Write(raw[i:min(len(raw), i+256)]).Text)
				if i-given > 9000 {
					t.Fatalf("%s, then %q: %d bytes held back", name, fill, i-given)
				}
			}
			if given == 0 {
				t.Errorf("%s, then %q: nothing came", name, fill)
			}
		}
	}
}
