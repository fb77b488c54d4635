package text_test

import (
	"iter"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/text"
)

func TestWords(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"punctuation is left out", "The cable, it's said, cost £1,000.50!", []string{"The", "cable", "it's", "said", "cost", "1,000.50"}},
		{"hyphens divide", "gutta-percha", []string{"gutta", "percha"}},
		{"accents and quotes", "l’été “Fünf”", []string{"l’été", "Fünf"}},
		{"ideographs stand alone", "第一条", []string{"第", "一", "条"}},
		{"marks of Markdown", "_The_ __init__ snake_case **bold**", []string{"The", "init", "snake_case", "bold"}},
		{"narrow spaces of French", "Non\u202f! 1\u202f000 fr\u202fa", []string{"Non", "1\u202f000", "fr", "a"}},
		{"nothing to find", " \n—…", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, w := range text.Words(c.text) {
				got = append(got, w.In(c.text))
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// narrowParts gives the words within a word of UAX #29.
func narrowParts(w string) iter.Seq[ibid.Span] {
	return func(yield func(ibid.Span) bool) {
		start, end := -1, 0
		flush := func() bool {
			if start < 0 {
				return true
			}
			at := ibid.Span{Start: start, End: end}
			for at.Start < at.End && w[at.Start] == '_' {
				at.Start++
			}
			for at.Start < at.End && w[at.End-1] == '_' {
				at.End--
			}
			start = -1
			return !strings.ContainsFunc(at.In(w), func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) || yield(at)
		}
		for i := 0; i < len(w); {
			r, n := utf8.DecodeRuneInString(w[i:])
			before, _ := utf8.DecodeLastRuneInString(w[:i])
			after, _ := utf8.DecodeRuneInString(w[i+n:])
			if r == '\u202f' && !(unicode.IsDigit(before) && unicode.IsDigit(after)) {
				if !flush() {
					return
				}
			} else {
				if start < 0 {
					start = i
				}
				end = i + n
			}
			i += n
		}
		flush()
	}
}

// FuzzWords holds the fast way against UAX #29 itself.
func FuzzWords(f *testing.F) {
	for _, s := range []string{"a.b 1.2 a.1 1.a", "it's 'tis a:b 1:2 1;2 a;b", "a_b _a_ _.a a._", "e\u0301a é.b a.é", "\xffa", "第1一", "a\u200db", "🇬🇧🇫🇷a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			for _, w := range text.Words(s) {
				if !utf8.ValidString(w.In(s)) {
					t.Fatalf("%q: the word %q is not valid", s, w.In(s))
				}
			}
			return
		}
		var want []ibid.Span
		pos := 0
		for it := words.FromString(s); it.Next(); {
			for at := range narrowParts(it.Value()) {
				want = append(want, at.Shift(pos))
			}
			pos += len(it.Value())
		}
		got := text.Words(s)
		if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: got %v, want %v", s, got, want)
		}
		for _, w := range got {
			if stem := text.Stem(w.In(s)); strings.ContainsFunc(stem, unicode.IsSpace) {
				t.Fatalf("the stem of %q is %q", w.In(s), stem)
			}
		}
	})
}

func TestStem(t *testing.T) {
	for word, want := range map[string]string{"Cables": "cabl", "laying": "lay", "messages": "messag", "": "", "第": "第"} {
		if got := text.Stem(word); got != want {
			t.Errorf("Stem(%q) = %q, want %q", word, got, want)
		}
	}
}
