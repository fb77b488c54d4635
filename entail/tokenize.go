package entail

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/ibid-dev/ibid"
)

// piece is one token of a text: its number in the vocabulary and the bytes of the text that it stands for.
type piece struct {
	id    int32
	start bool // of a word
	at    ibid.Span
}

// maxWord is how many characters a word may have; a longer one is unknown as a whole.
const maxWord = 100

// tokenizer cuts texts into the pieces of a BERT vocabulary without case: control characters out, ideographs apart,
// accents off, lower case, words at space and punctuation, and of each word the longest piece that is known, from left
// to right. What looks like a special token ("[SEP]") is text like any other.
type tokenizer struct {
	first map[string]int32 // pieces that begin a word
	inner map[string]int32 // pieces within one, without their ##
	long  int              // bytes of the longest piece

	unknown, cls, sep int32
}

func newTokenizer(vocab []byte, size int) (*tokenizer, error) {
	t := &tokenizer{first: make(map[string]int32, size), inner: make(map[string]int32, size/4), unknown: -1, cls: -1, sep: -1}
	text := string(bytes.TrimSuffix(vocab, []byte("\n")))
	n := int32(0)
	for from := 0; from <= len(text); n++ {
		end := from
		for end < len(text) && text[end] != '\n' {
			end++
		}
		line := text[from:end]
		from = end + 1
		if len(line) > 0 && line[len(line)-1] == '\r' {
			line = line[:len(line)-1]
		}
		switch {
		case line == "[UNK]":
			t.unknown = n
		case line == "[CLS]":
			t.cls = n
		case line == "[SEP]":
			t.sep = n
		case len(line) > 2 && line[:2] == "##":
			t.inner[line[2:]] = n
			t.long = max(t.long, len(line)-2)
		case line != "":
			t.first[line] = n
			t.long = max(t.long, len(line))
		}
	}
	if int(n) != size {
		return nil, fmt.Errorf("vocab has %d lines where the config says %d", n, size)
	}
	if t.unknown < 0 || t.cls < 0 || t.sep < 0 {
		return nil, fmt.Errorf("vocab lacks [UNK], [CLS] or [SEP]")
	}
	return t, nil
}

// word is a word in its normal form; ends[i] and starts[i] tell for byte i of it where the character it comes from
// ends and starts in the text.
type word struct {
	form         []byte
	starts, ends []int
	runes        int
}

func (w *word) add(r rune, at ibid.Span) {
	n := len(w.form)
	w.form = utf8.AppendRune(w.form, r)
	for range len(w.form) - n {
		w.starts = append(w.starts, at.Start)
		w.ends = append(w.ends, at.End)
	}
	w.runes++
}

func (w *word) reset() {
	w.form, w.starts, w.ends, w.runes = w.form[:0], w.starts[:0], w.ends[:0], 0
}

// pieces cuts a text. The pieces are in order; their spans begin and end between characters. Only the pieces of one
// character, as a Hangul syllable has, share a span.
func (t *tokenizer) pieces(s string) []piece {
	out := make([]piece, 0, len(s)/4+4)
	var w word
	flush := func() {
		if w.runes > 0 {
			out = t.cut(out, &w)
			w.reset()
		}
	}
	var buf [64]byte
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			at := ibid.Span{Start: i, End: i + 1}
			i++
			switch {
			case 'A' <= c && c <= 'Z':
				w.add(rune(c|0x20), at)
			case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
				w.add(rune(c), at)
			case c == ' ' || c == '\t' || c == '\n' || c == '\r':
				flush()
			case c < ' ' || c == 0x7f: // a control character leaves no trace, also within a word
			default:
				flush()
				w.add(rune(c), at)
				flush()
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		at := ibid.Span{Start: i, End: i + n}
		i += n
		switch {
		case r == utf8.RuneError || isControl(r): // before space: U+0085 is both
			continue
		case unicode.IsSpace(r):
			flush()
			continue
		}
		apart := isIdeograph(r)
		if apart {
			flush()
		}
		// Taking a character apart by itself is what NFD does to the whole text, but for the order of marks, which go.
		for _, d := range string(norm.NFD.AppendString(buf[:0], s[at.Start:at.End])) {
			switch {
			case unicode.Is(unicode.Mn, d):
			case isPunct(d):
				flush()
				w.add(d, at)
				flush()
			default:
				w.add(unicode.ToLower(d), at)
			}
		}
		if apart {
			flush()
		}
	}
	flush()
	return out
}

// cut appends the pieces of a word.
func (t *tokenizer) cut(out []piece, w *word) []piece {
	whole := ibid.Span{Start: w.starts[0], End: w.ends[len(w.ends)-1]}
	if w.runes > maxWord {
		return append(out, piece{t.unknown, true, whole})
	}
	known, mark := t.first, len(out)
	for from := 0; from < len(w.form); {
		end, id := min(len(w.form), from+t.long), int32(-1)
		for ; end > from; end-- {
			if end < len(w.form) && !utf8.RuneStart(w.form[end]) {
				continue
			}
			if n, ok := known[string(w.form[from:end])]; ok {
				id = n
				break
			}
		}
		if id < 0 {
			return append(out[:mark], piece{t.unknown, true, whole})
		}
		out = append(out, piece{id, from == 0, ibid.Span{Start: w.starts[from], End: w.ends[end-1]}})
		known, from = t.inner, end
	}
	return out
}

// isControl reports whether cleaning takes the character out.
func isControl(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co)
}

func isPunct(r rune) bool {
	return unicode.IsPunct(r) || r < utf8.RuneSelf && unicode.IsSymbol(r)
}

// isIdeograph reports whether the character is of the blocks of Chinese ideographs that BERT sets apart.
func isIdeograph(r rune) bool {
	return 0x4E00 <= r && r <= 0x9FFF || 0x3400 <= r && r <= 0x4DBF || 0x20000 <= r && r <= 0x2A6DF ||
		0x2A700 <= r && r <= 0x2CEAF || 0xF900 <= r && r <= 0xFAFF || 0x2F800 <= r && r <= 0x2FA1F
}
