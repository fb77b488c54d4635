package ingest

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

// out is where text goes.
func (r *rtfReader) out() *[]byte {
	switch r.group.to {
	case toBody:
		return &r.body
	case toNote:
		return &r.noteText
	case toBox:
		return &r.box
	case toLabel:
		return &r.label
	}
	return &r.entry
}

// byte takes a character of the text, in the encoding of its font.
func (r *rtfReader) byte(c byte) {
	if r.skip > 0 {
		r.skip--
		return
	}
	if r.silent() {
		return
	}
	if c < 0x80 && !r.half && !r.font().symbol {
		r.flush()
		if out := r.out(); r.group.to == toBody || len(*out) < maxMetaValue || r.group.to == toNote || r.group.to == toBox {
			if c != raisedFrom[0] && c != raisedTo[0] {
				*out = append(*out, r.lifted(string(rune(c)))...)
			}
		}
		return
	}
	r.wait(c)
}

// wait keeps a byte until those of its encoding are together.
func (r *rtfReader) wait(c byte) {
	if len(r.pending) > 1000 && !r.half && (r.encoding() != unicode.UTF8 || utf8.RuneStart(c)) {
		r.flush()
	}
	r.pending = append(r.pending, c)
	r.half = !r.half && r.opens(c)
}

// hex takes a byte that is written as \'e9. It is no ASCII even where it could be.
func (r *rtfReader) hex(c byte) {
	switch {
	case r.skip > 0:
		r.skip--
	case !r.silent():
		r.wait(c)
	}
}

// silent reports whether the text of the group is not read.
func (r *rtfReader) silent() bool {
	return r.group.to == toNone || r.group.hidden || r.group.deleted
}

// opens reports whether a byte is the first of a character of two.
func (r *rtfReader) opens(c byte) bool {
	switch r.encoding() {
	case japanese.ShiftJIS:
		return c >= 0x81 && c != 0xff && (c < 0xa0 || c >= 0xe0)
	case simplifiedchinese.GBK, simplifiedchinese.GB18030, korean.EUCKR, traditionalchinese.Big5:
		return c >= 0x81 && c != 0xff
	}
	return false
}

// font is the font of the text. The tables of fonts and styles are in none.
func (r *rtfReader) font() rtfFont {
	if r.group.to == toFonts || r.group.to == toStyle {
		return rtfFont{}
	}
	return r.fonts[r.group.font]
}

func (r *rtfReader) encoding() encoding.Encoding {
	if f := r.font(); f.page != nil {
		return f.page
	}
	return r.page
}

// flush decodes the bytes that wait.
func (r *rtfReader) flush() {
	if r.high != 0 {
		r.high = 0
		r.text("\ufffd")
	}
	if len(r.pending) == 0 {
		return
	}
	if f := r.font(); f.symbol {
		for _, c := range r.pending {
			r.text(symbolSign(c, f.greek))
		}
	} else if s, err := r.encoding().NewDecoder().Bytes(r.pending); err == nil {
		r.text(string(s))
	} else {
		r.text(strings.ToValidUTF8(string(r.pending), "\ufffd"))
	}
	r.pending, r.half = r.pending[:0], false
}

func (r *rtfReader) unicode(n int) {
	c := rune(n)
	if n < 0 {
		c = rune(n + 1<<16)
	}
	// Fallbacks of the character before are over.
	r.skip = 0
	if len(r.pending) > 0 {
		r.flush()
	}
	switch {
	case utf16.IsSurrogate(c) && r.high == 0 && c < 0xdc00:
		r.high = c
	case r.high != 0:
		c = utf16.DecodeRune(r.high, c)
		r.high = 0
		r.rune(c)
	case c >= 0xf020 && c <= 0xf0ff: // how fonts of signs are written
		r.text(symbolSign(byte(c), r.font().greek))
	case c < 0 || c > 0x10ffff || utf16.IsSurrogate(c):
		r.rune(utf8.RuneError)
	default:
		r.rune(c)
	}
	r.skip = r.group.unicode
}

func (r *rtfReader) rune(c rune) { r.text(string(c)) }

func (r *rtfReader) text(s string) {
	if !r.silent() {
		out := r.out()
		*out = append(*out, r.lifted(noRaised.Replace(s))...)
	}
}

// lifted marks text as raised where it is, and its paragraph will look at that.
func (r *rtfReader) lifted(s string) string {
	if to := r.group.to; !r.group.raised || s == "" || to != toBody && to != toNote && to != toBox {
		return s
	}
	return raised(s)
}

// symbolSign is a character of a font of signs. In Symbol Greek letters stand where Latin ones do; what others show is mostly a
// bullet.
func symbolSign(c byte, greek bool) string {
	const small, large = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ", "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ"
	switch {
	case c <= ' ':
		return string(rune(c))
	case !greek:
		return "•"
	case c >= 'a' && c <= 'z':
		return string([]rune(small)[c-'a'])
	case c >= 'A' && c <= 'Z':
		return string([]rune(large)[c-'A'])
	}
	for _, s := range []struct {
		c    byte
		sign string
	}{{0x22, "∀"}, {0x24, "∃"}, {0x40, "≅"}, {0x5c, "∴"}, {0x5e, "⊥"}, {0xa2, "′"}, {0xb2, "″"}, {0xab, "↔"}, {0xac, "←"}, {0xb5, "∝"}, {0xba, "≡"}, {0xbc, "…"}, {0xc6, "∅"}, {0xc7, "∩"}, {0xc8, "∪"}, {0xce, "∈"}, {0xcf, "∉"},
		{0xd1, "∇"}, {0xd5, "∏"}, {0xd7, "⋅"}, {0xdb, "⇔"}, {0xde, "⇒"}, {0xb0, "°"}, {0xb1, "±"}, {0xb4, "×"}, {0xb8, "÷"}, {0xa3, "≤"}, {0xb3, "≥"}, {0xb9, "≠"}, {0xbb, "≈"}, {0xae, "→"}, {0xa5, "∞"}, {0xd6, "√"}, {0xe5, "∑"}, {0xf2, "∫"}, {0xb6, "∂"}} {
		if s.c == c {
			return s.sign
		}
	}
	if c < 0x80 {
		return string(rune(c))
	}
	return "•"
}

// rtfSigns are the words that stand for characters.
var rtfSigns = map[string]string{
	"tab": "\t", "emdash": "—", "endash": "–", "emspace": " ", "enspace": " ", "qmspace": " ", "bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
	"zwj": "\u200d", "zwnj": "\u200c",
}

func (r *rtfReader) charset(word string, n int) {
	if r.group.to != toFonts || len(r.fonts) >= 10000 {
		return
	}
	f := r.fonts[r.group.number]
	if word == "cpg" {
		f.page = codePage(n)
	} else if n == 2 {
		f.symbol = true
	} else {
		f.page = charsetPage(n)
	}
	r.fonts[r.group.number] = f
}

// codePage is one of Windows' code pages, nil where it is not known.
func codePage(n int) encoding.Encoding {
	switch n {
	case 437:
		return charmap.CodePage437
	case 850:
		return charmap.CodePage850
	case 852:
		return charmap.CodePage852
	case 855:
		return charmap.CodePage855
	case 858:
		return charmap.CodePage858
	case 860:
		return charmap.CodePage860
	case 862:
		return charmap.CodePage862
	case 863:
		return charmap.CodePage863
	case 865:
		return charmap.CodePage865
	case 866:
		return charmap.CodePage866
	case 874:
		return charmap.Windows874
	case 932:
		return japanese.ShiftJIS
	case 936:
		return simplifiedchinese.GBK
	case 949:
		return korean.EUCKR
	case 950:
		return traditionalchinese.Big5
	case 1250:
		return charmap.Windows1250
	case 1251:
		return charmap.Windows1251
	case 1252:
		return charmap.Windows1252
	case 1253:
		return charmap.Windows1253
	case 1254:
		return charmap.Windows1254
	case 1255:
		return charmap.Windows1255
	case 1256:
		return charmap.Windows1256
	case 1257:
		return charmap.Windows1257
	case 1258:
		return charmap.Windows1258
	case 10000:
		return charmap.Macintosh
	case 10007:
		return charmap.MacintoshCyrillic
	case 28591:
		return charmap.Windows1252 // Latin 1, and what programs mean by it
	case 54936:
		return simplifiedchinese.GB18030
	case 65001:
		return unicode.UTF8
	}
	return nil
}

// charsetPage is the code page of a font's set of characters. 0 and 1 are the document's own.
func charsetPage(n int) encoding.Encoding {
	return codePage(map[int]int{77: 10000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250, 254: 437, 255: 850}[n])
}
