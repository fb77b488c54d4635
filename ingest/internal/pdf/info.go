package pdf

import (
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Info gives the entries of the document's information dictionary that are text.
func (f *File) Info() map[string]string {
	d, _ := f.dict(f.trailer["Info"])
	out := map[string]string{}
	for k, v := range d {
		if s, ok := f.resolve(v).(str); ok && len(s) < 10000 {
			out[string(k)] = Text(string(s))
		}
	}
	return out
}

// Metadata gives the XMP packet, nil where there is none.
func (f *File) Metadata() []byte {
	root, _ := f.dict(f.trailer["Root"])
	s, ok := f.resolve(root["Metadata"]).(*stream)
	if !ok || len(s.data) > 1<<20 {
		return nil
	}
	data, err := f.decode(s, true)
	if err != nil || len(data) > 4<<20 {
		return nil
	}
	return data
}

// Text reads a text string: UTF-16 or UTF-8 with their marks, else the old encoding, which is near enough to
// Windows-1252.
func Text(s string) string {
	switch {
	case len(s) >= 2 && (s[:2] == "\xfe\xff" || s[:2] == "\xff\xfe"):
		u := make([]uint16, 0, len(s)/2)
		hi, lo := 0, 1
		if s[0] == 0xff {
			hi, lo = 1, 0
		}
		for i := 2; i+1 < len(s); i += 2 {
			u = append(u, uint16(s[i+hi])<<8|uint16(s[i+lo]))
		}
		return string(utf16.Decode(u))
	case len(s) >= 3 && s[:3] == "\xef\xbb\xbf" && utf8.ValidString(s[3:]):
		return s[3:]
	}
	// Some write UTF-8 without its mark. Text in the old encoding is hardly ever proper UTF-8 by chance.
	if utf8.ValidString(s) {
		return s
	}
	out := make([]rune, 0, len(s))
	for i := range len(s) {
		out = append(out, charmap.Windows1252.DecodeByte(s[i]))
	}
	return string(out)
}
