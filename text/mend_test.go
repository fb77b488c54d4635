package text_test

import (
	"testing"
	"unicode/utf8"

	"github.com/ibid-dev/ibid/text"
)

// FuzzMender: what comes out is text, the same for every cut, and what was text stays as it was; nothing waits but less than a character.
func FuzzMender(f *testing.F) {
	for _, s := range []string{"", "Zürich 東京 😀", "\xe6\x9d", "a\xe6\x9d b", "\xff\xf0\x9f\x98", "\xed\xa0\xbd", "\xf0\x9f\xe6\x9d\xb1", "\ufffd\xef\xbf"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var runes []rune
		for _, r := range s {
			runes = append(runes, r)
		}
		for step := 1; step <= len(s)+1; step++ {
			if step > 9 {
				step = len(s) + 1 // the whole
			}
			var m text.Mender
			got, last := "", ""
			for i := 0; i < len(s); i += step {
				last = m.Write(s[i:min(len(s), i+step)])
				if got += last; !utf8.ValidString(last) || min(len(s), i+step)-len(got) >= utf8.UTFMax {
					t.Fatalf("%q in pieces of %d: %q after %d", s, step, got, i+step)
				}
			}
			if got += m.Close(); got != string(runes) {
				t.Fatalf("%q in pieces of %d became %q, not %q", s, step, got, string(runes))
			}
		}
	})
}
