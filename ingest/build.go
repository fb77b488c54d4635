package ingest

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
)

// builder writes the text of a document and its outline side by side, so that marks are right from birth. Blocks are
// parted by a blank line; lines of one list or table by a line break.
type builder struct {
	text    []byte
	outline ibid.Outline
	max     int
	full    bool // the limit was reached; what came after was dropped and the caller must refuse the file
	tight   bool // the block before was a list item or a table row
	last    int  // where the block before begins
}

func newBuilder(l Limits, guess int) *builder {
	return &builder{max: l.text(), text: make([]byte, 0, min(guess, l.text()))}
}

// block adds a paragraph. What it is given holds no blank lines that matter; surrounding white space is dropped.
func (b *builder) block(s string) {
	if b.open(s, "\n\n") {
		b.tight = false
	}
}

// line adds a list item or a table row, close to the one before it.
func (b *builder) line(s string) {
	sep := "\n\n"
	if b.tight {
		sep = "\n"
	}
	if b.open(s, sep) {
		b.tight = true
	}
}

// loose ends a list or table: the line that comes next belongs to another one.
func (b *builder) loose() { b.tight = false }

// heading adds a heading and its mark.
func (b *builder) heading(s string, level int) {
	s = collapse(s)
	if s == "" {
		return
	}
	if b.open(s, "\n\n") {
		b.tight = false
		b.outline = append(b.outline, ibid.Mark{At: len(b.text) - len(s), Heading: s, Level: level})
	}
}

func (b *builder) open(s, sep string) bool {
	s = strings.TrimSpace(s)
	if s == "" {
		return false
	}
	if len(b.text)+len(sep)+len(s) > b.max {
		b.full = true
		return false
	}
	if len(b.text) > 0 {
		b.text = append(b.text, sep...)
	}
	b.last = len(b.text)
	b.text = append(b.text, s...)
	return true
}

// result gives what was written, or the error that it was too much.
func (b *builder) result() (Result, error) {
	if b.full {
		return Result{}, tooMuchText(b.max)
	}
	return Result{Text: string(b.text), Outline: b.outline}, nil
}

func tooMuchText(limit int) error {
	return refuse(ErrTooLarge, "holds more than %s of text, the most that is read", bytesInWords(int64(limit)))
}

// collapse joins runs of white space to single spaces and drops what has no ink and no meaning: control characters, soft
// hyphens, byte-order marks, zero-width spaces. Joiners stay, as some scripts and emoji need them.
func collapse(s string) string {
	if clean(s) {
		return s
	}
	out := make([]byte, 0, len(s))
	space := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			space = true
			continue
		case dropped(r):
			continue
		}
		if space && len(out) > 0 {
			out = append(out, ' ')
		}
		space = false
		out = utf8.AppendRune(out, r)
	}
	return string(out)
}

// clean reports whether collapse has nothing to do: the usual case for short ASCII.
func clean(s string) bool {
	space := true
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == ' ':
			if space {
				return false
			}
			space = true
		case c < ' ' || c >= 0x7f:
			return false
		default:
			space = false
		}
	}
	return !space || s == ""
}

// dropped are characters that are neither ink nor space. U+FFFD stays: it says that something was lost.
func dropped(r rune) bool {
	switch r {
	case '\u00ad', '\u200b', '\u2060', '\ufeff':
		return true
	}
	return unicode.IsControl(r) || r >= 0xfff9 && r <= 0xfffb
}

// tidy cleans text that keeps its lines, such as code: line ends become \n, tabs stay, control characters go, and no
// line ends in blanks.
func tidy(s string) string {
	var out strings.Builder
	out.Grow(len(s))
	blank := 0 // bytes of blanks that wait for ink
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		switch {
		case r == '\n' || r == '\r':
			if r == '\r' && i+1 < len(s) && s[i+1] == '\n' {
				size = 2
			}
			out.WriteByte('\n')
			blank = 0
		case r == ' ' || r == '\t':
			blank++
		case dropped(r) && r != utf8.RuneError:
			// A dropped character between blanks must not swallow the blanks that were counted before it.
			out.WriteString(s[i-blank : i])
			blank = 0
		default:
			out.WriteString(s[i-blank : i+size])
			blank = 0
		}
		i += size
	}
	return out.String()
}
