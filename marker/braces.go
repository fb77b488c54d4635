package marker

import (
	"strings"

	"github.com/ibid-dev/ibid"
)

var origins = []struct {
	name   string
	origin ibid.Origin
}{{"rag", ibid.RAG}, {"llm", ibid.LLM}, {"hybrid", ibid.HYBRID}}

// opening reads "{{rag:", also as "{{ RAG :". It does not look for the end of the marker.
func opening(s string, eof bool) (origin ibid.Origin, n int, v verdict) {
	const spaces = 4 // more are no marker, so that the wait stays short
	if len(s) < 2 {
		return "", 0, end(eof)
	}
	if s[1] != '{' {
		return "", 0, no
	}
	i := skipSpaces(s, 2, spaces)
	if i == len(s) {
		return "", 0, end(eof)
	}
	for _, o := range origins {
		name := s[i:min(len(s), i+len(o.name))]
		if !strings.EqualFold(name, o.name[:len(name)]) {
			continue
		}
		if i+len(name) == len(s) {
			return "", 0, end(eof)
		}
		j := skipSpaces(s, i+len(name), spaces)
		if j == len(s) {
			return "", 0, end(eof)
		}
		return o.origin, j + 1, verdictOf(s[j] == ':')
	}
	return "", 0, no
}

func skipSpaces(s string, i, most int) int {
	for limit := i + most; i < len(s) && i < limit && s[i] == ' '; {
		i++
	}
	return i
}

// closing finds the "}}" that closes a marker: the first that balances the braces between. Code is skipped. from is where
// the content begins. A blank line, or markerLimit bytes, leave the marker unclosed.
func closing(s string, from int, eof bool) (at int, v verdict) {
	depth := 0
	for i := from; i+2 <= markerLimit; {
		if i >= len(s) {
			return 0, end(eof)
		}
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth > 0 {
				depth--
				break
			}
			if i+1 == len(s) {
				return 0, end(eof)
			}
			if s[i+1] == '}' {
				return i, yes
			}
		case '\n':
			blank, v := blankLine(s[i:], eof)
			if v == more {
				return 0, more
			}
			if blank {
				return 0, no
			}
		case '`':
			n, v := codeSpan(s[i:], eof)
			if v == more {
				return 0, more
			}
			i += n
			continue
		}
		i++
	}
	return 0, no
}

// blankLine reports whether the line that follows the line break holds nothing but blanks.
func blankLine(s string, eof bool) (bool, verdict) {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\n':
			return true, yes
		case ' ', '\t', '\r':
			if i > markerLimit {
				return true, yes
			}
		default:
			return false, yes
		}
	}
	return false, endOrYes(eof)
}

func endOrYes(eof bool) verdict {
	if eof {
		return yes
	}
	return more
}

// codeSpan measures the code that begins with backticks: up to a run of the same number of them, in the same paragraph.
// Backticks that are not closed are text; n then counts only them.
func codeSpan(s string, eof bool) (n int, v verdict) {
	ticks := countTicks(s)
	if ticks == maxTicks {
		return ticks, no
	}
	if ticks == len(s) && !eof {
		return 0, more
	}
	n, v = codeEnd(s[ticks:], ticks, markerLimit-ticks, eof)
	if v == yes {
		return ticks + n, yes
	}
	return ticks, v
}

// codeEnd finds the backticks that close a code span of that many, and counts the bytes up to behind them. They must
// begin within the limit and in the same paragraph.
func codeEnd(s string, ticks, limit int, eof bool) (n int, v verdict) {
	for i := 0; i < len(s) && i < limit; {
		switch s[i] {
		case '`':
			run := countTicks(s[i:])
			if i+run == len(s) && run < maxTicks && !eof {
				return 0, more
			}
			i += run
			if run == ticks {
				return i, yes
			}
		case '\n':
			ends, v := endsParagraph(s[i:], ticks, eof)
			if v == more {
				return 0, more
			}
			if ends {
				return 0, no
			}
			i++
		default:
			i++
		}
	}
	if len(s) < limit && !eof {
		return 0, more
	}
	return 0, no
}

// endsParagraph reports whether a line break ends the paragraph: a blank line follows, or a block of code. To code that
// was opened with three backticks the line that looks like a block is the end of it.
func endsParagraph(s string, ticks int, eof bool) (bool, verdict) {
	if blank, v := blankLine(s, eof); blank || v == more {
		return blank, v
	}
	i := 1
	for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '>') {
		if i++; i > markerLimit {
			return true, yes
		}
	}
	if i == len(s) {
		return false, endOrYes(eof)
	}
	if s[i] == '`' && ticks < 3 || s[i] == '~' {
		_, _, v := fenceLine(s[i:], eof)
		if v == more {
			return false, more
		}
		return v == yes, yes
	}
	return false, yes
}

// maxTicks bounds a run of backticks, so that a text of nothing else is not held back.
const maxTicks = 64

func countTicks(s string) int {
	n := 0
	for n < len(s) && n < maxTicks && s[n] == '`' {
		n++
	}
	return n
}

// fenceLine reads a line that opens or closes a block of code. It is given the line from its first sign on. Three
// backticks with another one later in the line are code within a sentence.
func fenceLine(s string, eof bool) (sign byte, length int, v verdict) {
	sign = s[0]
	for length < len(s) && length < maxTicks && s[length] == sign {
		length++
	}
	if length == maxTicks {
		return sign, length, yes
	}
	if length == len(s) && !eof {
		return sign, length, more
	}
	if length < 3 {
		return sign, length, no
	}
	if sign == '~' {
		return sign, length, yes
	}
	for i := length; i < len(s) && i < markerLimit; i++ {
		switch s[i] {
		case '\n':
			return sign, length, yes
		case '`':
			return sign, length, no
		}
	}
	if len(s) < markerLimit && !eof {
		return sign, length, more
	}
	return sign, length, yes
}

// fenceEnd reports whether the line closes a block of code: at least as many signs as opened it, and nothing else.
func fenceEnd(s string, sign byte, length int, eof bool) verdict {
	n := 0
	for n < len(s) && s[n] == sign {
		if n++; n > markerLimit {
			return no
		}
	}
	if n == len(s) && !eof {
		return more
	}
	if n < length {
		return no
	}
	for i := n; i < len(s); i++ {
		switch s[i] {
		case '\n':
			return yes
		case ' ', '\t', '\r':
			if i > markerLimit {
				return yes
			}
		default:
			return no
		}
	}
	return endOrYes(eof)
}
