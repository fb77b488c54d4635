package token

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/text"
)

// Sentences cuts a source into its sentences, list items, table rows and headings. Sources are often pages whose lines
// stand alone, so a line break ends a sentence too, unless the text is prose that was broken to a width.
func Sentences(s string) []ibid.Span {
	var out []ibid.Span
	add := func(line string, start int) {
		for _, p := range text.Pieces(line) {
			out = append(out, p.At.Shift(start))
		}
	}
	if wrapped(s) {
		add(s, 0)
		return out
	}
	for start := 0; start < len(s); {
		end := len(s)
		if n := strings.IndexByte(s[start:], '\n'); n >= 0 {
			end = start + n + 1
		}
		add(s[start:end], start)
		start = end
	}
	return out
}

// wrapped reports whether lines go on in the next one: many of them begin with a small letter.
func wrapped(s string) bool {
	breaks, goOn := 0, 0
	for {
		n := strings.IndexByte(s, '\n')
		if n < 0 {
			return goOn*4 >= breaks && goOn > 0
		}
		s = s[n+1:]
		if r, _ := utf8.DecodeRuneInString(s); s != "" && r != '\n' {
			breaks++
			if unicode.IsLower(r) {
				goOn++
			}
		}
	}
}
