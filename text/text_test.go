package text_test

import (
	"reflect"
	"strings"
	"testing"
	"unicode"

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

// FuzzWords holds the fast way against UAX #29 itself.
func FuzzWords(f *testing.F) {
	for _, s := range []string{"a.b 1.2 a.1 1.a", "it's 'tis a:b 1:2 1;2 a;b", "a_b _a_ _.a a._", "e\u0301a é.b a.é", "\xffa", "第1一", "a\u200db", "🇬🇧🇫🇷a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var want []ibid.Span
		pos := 0
		for it := words.FromString(s); it.Next(); {
			at := ibid.Span{Start: pos, End: pos + len(it.Value())}
			if strings.ContainsFunc(it.Value(), func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
				want = append(want, at)
			}
			pos = at.End
		}
		got := text.Words(s)
		if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: got %v, want %v", s, got, want)
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
