package ledger

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
)

// nesting bounds how many strings are looked into that hold JSON themselves, as results of tools within results do.
const nesting = 3

// stands gives where a quote stands in what a tool returned: to the letter, else as a string of JSON holds it, whichever way it
// writes é, quotation marks and ends of lines. The span is always one of the bytes as they came.
func stands(body []byte, quote string) (ibid.Span, bool) {
	written := []byte(quote)
	if i := bytes.Index(body, written); i >= 0 {
		return ibid.Span{Start: i, End: i + len(written)}, true
	}
	if !utf8.ValidString(quote) { // half a character has no place of its own in an escape
		return ibid.Span{}, false
	}
	if at, ok := inStrings(body, written, nesting); ok {
		return at, true
	}
	if b, err := jsonOf(quote); err == nil { // among signs that are no JSON strings are not told apart
		written = b[1 : len(b)-1]
		if i := bytes.Index(body, written); i >= 0 {
			return ibid.Span{Start: i, End: i + len(written)}, true
		}
	}
	return ibid.Span{}, false
}

// inStrings looks for a quote in the strings of a JSON text, as they read. It does not parse: a text that was cut, that is one
// of many lines, or that stands behind "data:" has its strings too. One ends with its line at the latest, as JSON has no ends of
// lines in strings, so a torn line leaves the next ones whole.
func inStrings(body, quote []byte, depth int) (ibid.Span, bool) {
	for i := 0; i < len(body); {
		open := bytes.IndexByte(body[i:], '"')
		if open < 0 {
			break
		}
		start := i + open + 1
		end, escapes := stringEnd(body, start)
		i = end + 1
		if !escapes { // its bytes are its words, and were looked at
			continue
		}
		raw := body[start:end]
		words, ok := unescape(raw)
		if !ok {
			continue
		}
		var at ibid.Span
		if n := bytes.Index(words, quote); n >= 0 {
			at = ibid.Span{Start: n, End: n + len(quote)}
		} else if depth == 0 {
			continue
		} else if at, ok = inStrings(words, quote, depth-1); !ok {
			continue
		}
		return ibid.Span{Start: start + rawOffset(raw, at.Start), End: start + rawOffset(raw, at.End)}, true
	}
	return ibid.Span{}, false
}

// stringEnd finds the end of the string whose words begin at i, and whether it has escapes.
func stringEnd(body []byte, i int) (end int, escapes bool) {
	for ; i < len(body); i++ {
		switch body[i] {
		case '"', '\n':
			return i, escapes
		case '\\':
			escapes = true
			if i++; i < len(body) && body[i] == '\n' {
				return i, escapes
			}
		}
	}
	return len(body), escapes
}

// unescape gives the words of a string, up to an escape that was cut. It is false where the string is none of JSON.
func unescape(raw []byte) ([]byte, bool) {
	words := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		r, n, ok := escape(raw[i:])
		switch {
		case !ok:
			return nil, false
		case n == 0: // cut
			return words, true
		case r < 0:
			words = append(words, raw[i])
		default:
			words = utf8.AppendRune(words, r)
		}
		i += n
	}
	return words, true
}

// rawOffset gives where the first n bytes of a string's words end, as they are written.
func rawOffset(raw []byte, n int) int {
	i := 0
	for n > 0 && i < len(raw) {
		r, size, _ := escape(raw[i:])
		if r < 0 {
			n--
		} else {
			n -= utf8.RuneLen(r)
		}
		i += size
	}
	return i
}

// escape reads one character that is written as an escape, and how many bytes it takes: 0 where the rest of it was cut. A byte
// that stands for itself has no character (-1).
func escape(s []byte) (r rune, n int, ok bool) {
	if s[0] != '\\' {
		return -1, 1, true
	}
	if len(s) == 1 {
		return 0, 0, true
	}
	switch c := s[1]; c {
	case '"', '\\', '/':
		return rune(c), 2, true
	case 'b':
		return '\b', 2, true
	case 'f':
		return '\f', 2, true
	case 'n':
		return '\n', 2, true
	case 'r':
		return '\r', 2, true
	case 't':
		return '\t', 2, true
	case 'u':
		return unicodeEscape(s)
	}
	return 0, 0, false
}

// unicodeEscape reads \u00e9, and \ud83d\ude00 as the one character that they are. A half of such a pair alone is no character.
func unicodeEscape(s []byte) (rune, int, bool) {
	const long = len(`\u0000`)
	if len(s) < long {
		return 0, 0, true
	}
	r, ok := hex4(s[2:long])
	if !utf16.IsSurrogate(r) {
		return r, long, ok
	}
	if len(s) >= 2*long && s[long] == '\\' && s[long+1] == 'u' {
		if low, ok := hex4(s[long+2 : 2*long]); ok {
			if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
				return both, 2 * long, true
			}
		}
	}
	return utf8.RuneError, long, true
}

func hex4(s []byte) (rune, bool) {
	n, err := strconv.ParseUint(string(s), 16, 16)
	return rune(n), err == nil
}
