// Package text finds sentences and words, compares and measures texts. Everything it finds is a span of bytes.
package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
	"github.com/kljensen/snowball/english"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/internal/offsets"
)

// Words gives the words and numbers of s, without the space and punctuation between them.
func Words(s string) []ibid.Span {
	var out []ibid.Span
	start := 0
	for it := words.FromString(s); it.Next(); {
		w := it.Value()
		if strings.ContainsFunc(w, wordly) {
			out = append(out, ibid.Span{Start: start, End: start + len(w)})
		}
		start += len(w)
	}
	return out
}

func wordly(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// Trim takes the white space off both ends of a span.
func Trim(s string, at ibid.Span) ibid.Span {
	for at.Start < at.End {
		r, n := utf8.DecodeRuneInString(s[at.Start:at.End])
		if !unicode.IsSpace(r) {
			break
		}
		at.Start += n
	}
	for at.Start < at.End {
		r, n := utf8.DecodeLastRuneInString(s[at.Start:at.End])
		if !unicode.IsSpace(r) {
			break
		}
		at.End -= n
	}
	return at
}

// Stem gives the English stem of a word, in lower case.
func Stem(word string) string { return english.Stem(word, true) }

// Offsets converts positions between bytes, runes and UTF-16 units.
type Offsets = offsets.Table

// NewOffsets makes the table of a text in one pass.
func NewOffsets(s string) *Offsets { return offsets.New(s) }
