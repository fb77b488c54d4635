// Package text finds sentences and words, brings texts into a form for comparing, and measures positions. All that it
// finds is a span of bytes, so nothing is ever searched for again to learn where it stands.
//
// # Sentences and pieces
//
// A text is read as an answer of a model or the plain text of a document is written: paragraphs, headings, lists, tables,
// quotes and code, with the marks of Markdown or without any. [Blocks] gives this structure, [Pieces] the segments
// within it: one per sentence, list item, table row, heading, block of code. [Sentences] is the same, as spans that
// tile the text. A line's end within a paragraph is a space; a blank line ends a sentence always.
//
// The rules for sentences are those of UAX #29, but for what these get wrong: abbreviations, initials, ordinals, numbers
// of items and notes, code, who said what. They know the abbreviations of English best, then German, French, Spanish
// and some of others, and the marks of all scripts.
//
// A [Splitter] does the same while the text comes in, and gives the same pieces however it was cut. That holds because
// nothing is decided by more than a bounded look ahead, and both read through one machine.
//
// # Comparing
//
// [Normalize] gives a normal form in which texts that read the same are the same, and maps each position there and back.
// [Fold] is the key of a text without case, [Stem] that of an English word without its ending. [Terms] are the words by which
// a text is found. Letters of other scripts that look alike stay what they are: [Confusable] reports them.
//
// # Measuring
//
// [Offsets] converts between bytes, runes and UTF-16 units.
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
// one word each, and so is each ideograph. They are the words of UAX #29 that hold a letter or a digit, but that the
// marks of Markdown and the narrow spaces of French, which it counts to a word, are left out.
func Words(s string) []ibid.Span {
	if !utf8.ValidString(s) {
		s = blankInvalid(s) // UAX #29 has no rules for it, and libraries disagree
	}
	out := make([]ibid.Span, 0, len(s)/6)
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf && !isAlnum(s[i]) && (i+1 == len(s) || s[i+1] < utf8.RuneSelf) {
			i++
			continue
		}
		if n := asciiWord(s[i:]); n > 0 {
			out = append(out, ibid.Span{Start: i, End: i + len(strings.TrimRight(s[i:i+n], "_"))})
			i += n
			continue
		}
		it := words.FromString(s[i:])
		it.Next()
		end := i + len(it.Value())
		out = appendWords(out, s, ibid.Span{Start: i, End: end})
		i = end
	}
	return out
}

// blankInvalid puts a space in the place of each invalid byte, so that all positions stay.
func blankInvalid(s string) string {
	b := []byte(s)
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			b[i] = ' '
		}
		i += n
	}
	return string(b)
}

// appendWords takes apart what UAX #29 keeps together at narrow spaces, but for those between digits: 1 000.
func appendWords(out []ibid.Span, s string, at ibid.Span) []ibid.Span {
	const narrow = "\u202f"
	for from := at.Start; from < at.End; {
		end, next := at.End, at.End
		for i := from; ; {
			k := strings.Index(s[i:at.End], narrow)
			if k < 0 {
				break
			}
			i += k + len(narrow)
			before, _ := utf8.DecodeLastRuneInString(s[from : i-len(narrow)])
			after, _ := utf8.DecodeRuneInString(s[i:at.End])
			if !unicode.IsDigit(before) || !unicode.IsDigit(after) {
				end, next = i-len(narrow), i
				break
			}
		}
		w := strings.Trim(s[from:end], "_")
		if strings.ContainsFunc(w, wordly) {
			start := from + strings.Index(s[from:end], w)
			out = append(out, ibid.Span{Start: start, End: start + len(w)})
		}
		from = next
	}
	return out
}

// asciiWord gives the length of the word at the start of s where all of it, and the character behind it, is ASCII; else 0.
// It is the fast way for most words of most texts, and gives what UAX #29 says.
func asciiWord(s string) int {
	if !isAlnum(s[0]) {
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
