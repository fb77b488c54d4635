package ingest

import (
	"bytes"
	"io"
	"mime"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// Text gives the words of bytes that are text and nothing else, as a model's answer is: decoded as Read decodes, without the
// byte-order mark, and with every sign, blank and line end kept. A warning says what was lost. The error wraps ibid.ErrInvalid
// and ErrBinary where the bytes are no text.
func Text(b []byte) (text, warning string, err error) {
	if isPDF(b) {
		return "", "", refuse(ErrBinary, "a PDF; give its text")
	}
	enc, err := textEncoding(b, false, Hint{})
	if err != nil {
		return "", "", err
	}
	text, warning = enc.decode(b)
	return text, warning, nil
}

// decoder turns bytes into valid UTF-8. The zero value takes them as UTF-8.
type decoder struct {
	enc  encoding.Encoding // nil for UTF-8
	name string
	skip int // bytes of the byte-order mark
}

// decode gives the text and, where something was lost, a warning.
func (d decoder) decode(b []byte) (string, string) {
	b = b[min(d.skip, len(b)):]
	if d.enc == nil {
		if utf8.Valid(b) {
			return string(b), ""
		}
		return strings.ToValidUTF8(string(b), "\ufffd"), damagedUTF8
	}
	out, err := d.enc.NewDecoder().Bytes(b)
	if err != nil {
		return strings.ToValidUTF8(string(b), "\ufffd"), "some bytes are not " + d.name + " and are shown as \ufffd"
	}
	return string(out), ""
}

// reader gives the text piece by piece, for those that need not hold it whole.
func (d decoder) reader(b []byte) (io.Reader, []string) {
	b = b[min(d.skip, len(b)):]
	switch {
	case d.enc != nil:
		return d.enc.NewDecoder().Reader(bytes.NewReader(b)), nil
	case utf8.Valid(b):
		return bytes.NewReader(b), nil
	}
	return unicode.UTF8.NewDecoder().Reader(bytes.NewReader(b)), []string{damagedUTF8}
}

const damagedUTF8 = "some bytes are not UTF-8 and are shown as \ufffd"

var (
	utf16LE = unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	utf16BE = unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
)

// textEncoding finds out how the text is written: by its mark, by what the server said, by what the page says, by what
// the bytes allow. The error says why they are not text. A part may end within a character.
func textEncoding(b []byte, part bool, h Hint) (decoder, error) {
	switch {
	case bytes.HasPrefix(b, []byte("\xef\xbb\xbf")):
		return decoder{skip: 3}, controls(b)
	case bytes.HasPrefix(b, []byte("\xff\xfe\x00\x00")), bytes.HasPrefix(b, []byte("\x00\x00\xfe\xff")):
		return decoder{}, refuse(ErrBinary, "text in UTF-32; save it as UTF-8")
	case bytes.HasPrefix(b, []byte("\xff\xfe")):
		return decoder{enc: utf16LE, name: "UTF-16", skip: 2}, nil
	case bytes.HasPrefix(b, []byte("\xfe\xff")):
		return decoder{enc: utf16BE, name: "UTF-16", skip: 2}, nil
	}
	if enc := bareUTF16(b); enc != nil {
		return decoder{enc: enc, name: "UTF-16"}, nil
	}
	if err := controls(b); err != nil {
		return decoder{}, err
	}
	good, bad, high := countUTF8(b, part)
	if bad == 0 {
		return decoder{}, nil
	}
	if enc, name := declared(b, h); enc != nil {
		return decoder{enc: enc, name: name}, nil
	}
	// Where most of the bytes above ASCII form proper UTF-8, the text is UTF-8 with damage.
	if good >= 3*bad {
		return decoder{}, nil
	}
	// Western text has few letters beyond ASCII. Where they are many it is Cyrillic, Greek, Chinese … in an encoding that
	// cannot be told, and a wrong guess would be stored as nonsense.
	if high*10 > len(b)*3 {
		return decoder{}, refuse(ErrBinary, "the bytes are not UTF-8 and their encoding is not known; save the file as UTF-8")
	}
	return decoder{enc: charmap.Windows1252, name: "Windows-1252"}, nil
}

// controls refuses bytes that no text holds.
func controls(b []byte) error {
	n := 0
	for _, c := range b {
		switch {
		case c == 0:
			return refuse(ErrBinary, "the bytes hold zeros, as programs, pictures and databases do")
		case c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != 0x1b && c != '\b' && c != '\v':
			n++
		}
	}
	if n*100 > len(b) && n > 3 || n > 0 && n*4 > len(b) {
		return refuse(ErrBinary, "%d of the first %d bytes are control characters", n, len(b))
	}
	return nil
}

// bareUTF16 recognises UTF-16 without a mark: every second byte of a Latin text is zero.
func bareUTF16(b []byte) encoding.Encoding {
	b = b[:min(len(b), 4096)&^1]
	if len(b) < 8 {
		return nil
	}
	var zero [2]int
	for i, c := range b {
		if c == 0 {
			zero[i&1]++
		}
	}
	half := len(b) / 2
	switch {
	case zero[1]*10 > half*7 && zero[0] == 0:
		return utf16LE
	case zero[0]*10 > half*7 && zero[1] == 0:
		return utf16BE
	}
	return nil
}

// countUTF8 counts proper characters beyond ASCII, bytes that belong to none, and all bytes beyond ASCII.
func countUTF8(b []byte, part bool) (good, bad, high int) {
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			if part && !utf8.FullRune(b[i:]) {
				break
			}
			bad++
		} else {
			good++
		}
		high += size
		i += size
	}
	return good, bad, high
}

// declared is the encoding that the server or the page itself names. UTF-8 is not an answer here: the bytes are not.
func declared(b []byte, h Hint) (encoding.Encoding, string) {
	label := ""
	if _, params, err := mime.ParseMediaType(h.MediaType); err == nil {
		label = params["charset"]
	}
	if label == "" {
		if i := bytes.Index(b[:min(len(b), 4096)], []byte("charset=")); i >= 0 {
			rest := strings.TrimLeft(string(b[i+8:min(len(b), i+48)]), `"' `)
			label = rest[:len(rest)-len(strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_:"))]
		}
	}
	enc, name := charset.Lookup(label)
	if enc == nil || name == "utf-8" || name == "replacement" || name == "x-user-defined" {
		return nil, ""
	}
	return enc, name
}
