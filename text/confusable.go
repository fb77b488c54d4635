package text

import (
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
)

// Confusable gives what does not read as it is written: invisible characters, and words that mix Latin letters with
// Cyrillic or Greek ones. Normalize does not hide the latter, so whoever compares must report them.
func Confusable(s string) []ibid.Span {
	var out []ibid.Span
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if invisible(r) {
			out = append(out, ibid.Span{Start: i, End: i + n})
		}
		i += n
	}
	for _, w := range Words(s) {
		if mixed(w.In(s)) {
			out = append(out, w)
		}
	}
	return out
}

func mixed(word string) bool {
	var latin, other bool
	for _, r := range word {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin = true
		case unicode.In(r, unicode.Cyrillic, unicode.Greek):
			other = true
		}
	}
	return latin && other
}
