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

// Words gives the words and numbers of s, without the space and punctuation between them: "it's", "1,000" and "3.14" are
// one word each, and so is each ideograph. They are the words of UAX #29 that hold a letter or a digit.
func Words(s string) []ibid.Span {
	out := make([]ibid.Span, 0, len(s)/6)
	for i := 0; i < len(s); {
		n := asciiWord(s[i:])
		if n == 0 && s[i] < utf8.RuneSelf && !isAlnum(s[i]) && s[i] != '_' && (i+1 == len(s) || s[i+1] < utf8.RuneSelf) {
			i++
			continue
		}
		if n > 0 {
			out = append(out, ibid.Span{Start: i, End: i + n})
			i += n
			continue
		}
		it := words.FromString(s[i:])
		it.Next()
		w := it.Value()
		if strings.ContainsFunc(w, wordly) {
			out = append(out, ibid.Span{Start: i, End: i + len(w)})
		}
		i += len(w)
	}
	return out
}

// asciiWord gives the length of the word at the start of s where all of it, and the character behind it, is ASCII; else 0.
// It is the fast way for most words of most texts, and gives what UAX #29 says.
func asciiWord(s string) int {
	if s[0] == '_' || !isAlnum(s[0]) {
		return 0
	}
	i := 1
	for ; i < len(s); i++ {
		c := s[i]
		if isAlnum(c) || c == '_' {
			continue
		}
		if c >= utf8.RuneSelf {
			return 0
		}
		if i+1 == len(s) || !joinsWord(s[i-1], c) {
			return i
		}
		next := s[i+1]
		if next >= utf8.RuneSelf {
			return 0
		}
		if !isAlnum(next) || isDigit(next) != isDigit(s[i-1]) {
			return i
		}
	}
	return i
}

// joinsWord reports whether c may stand between two letters or two digits of a word, of which the first is before.
func joinsWord(before, c byte) bool {
	switch c {
	case '.', '\'':
		return before != '_'
	case ':':
		return !isDigit(before) && before != '_'
	case ',', ';':
		return isDigit(before)
	}
	return false
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

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
