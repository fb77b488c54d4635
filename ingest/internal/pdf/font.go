package pdf

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// font is what is needed to read text that is set in it: characters and widths of its codes.
type font struct {
	bold      bool
	composite bool // codes of two bytes or as the cmap says
	unicode   *cmap
	spaces    *cmap // code space of a composite font, nil for two bytes
	ucs2      bool  // the codes are UTF-16
	encoding  [256]string
	widths    map[uint32]float64
	width     float64 // where widths says nothing
}

// font reads a font once.
func (f *File) font(v any) *font {
	id, isRef := v.(ref)
	if isRef {
		if fn, ok := f.fonts[id]; ok {
			return fn
		}
	}
	d, ok := f.dict(v)
	if !ok {
		d = dict{}
	}
	fn := f.readFont(d)
	if isRef && len(f.fonts) < 20000 {
		f.fonts[id] = fn
	}
	return fn
}

func (f *File) readFont(d dict) *font {
	fn := &font{widths: map[uint32]float64{}, width: 500}
	base := string(f.name(d["BaseFont"]))
	fn.unicode = f.readCmap(d["ToUnicode"])
	if f.name(d["Subtype"]) == "Type0" {
		f.readComposite(fn, d)
		return fn
	}
	desc, _ := f.dict(d["FontDescriptor"])
	fn.bold = isBold(base, f, desc)
	f.readEncoding(fn, d, desc, base)
	first, _ := f.number(d["FirstChar"])
	scale := 1.0
	if m := f.array(d["FontMatrix"]); f.name(d["Subtype"]) == "Type3" && len(m) > 0 {
		// Widths of a Type 3 font are in its own units.
		if a, ok := f.number(m[0]); ok && a != 0 {
			scale = a * 1000
		}
	}
	widths := f.array(d["Widths"])
	for i, v := range widths[:min(len(widths), 256)] {
		if w, ok := f.number(v); ok {
			fn.widths[uint32(first)+uint32(i)] = w * scale
		}
	}
	if len(widths) == 0 {
		standardWidths(fn, base)
	} else if w, ok := f.number(desc["MissingWidth"]); ok && w > 0 {
		fn.width = w
	}
	return fn
}

func standardWidths(fn *font, base string) {
	base = strings.ToLower(base)
	switch {
	case strings.Contains(base, "cour") || strings.Contains(base, "mono"):
		fn.width = 600
		return
	case strings.Contains(base, "helv") || strings.Contains(base, "arial") || strings.Contains(base, "sans"):
		for i, w := range helveticaWidths {
			fn.widths[uint32(i+32)] = float64(w)
		}
		fn.width = 556
		return
	}
	for i, w := range timesWidths {
		fn.widths[uint32(i+32)] = float64(w)
	}
}

func isBold(base string, f *File, desc dict) bool {
	base = strings.ToLower(base)
	for _, w := range []string{"bold", "black", "heavy", "demi", "cmbx", "sfbx", "-medi", "cmb10"} {
		if strings.Contains(base, w) {
			return true
		}
	}
	flags, _ := f.number(desc["Flags"])
	weight, _ := f.number(desc["FontWeight"])
	return int(flags)&(1<<18) != 0 || weight >= 600
}

func (f *File) readCmap(v any) *cmap {
	s, ok := f.resolve(v).(*stream)
	if !ok {
		return nil
	}
	data, err := f.decode(s, true)
	if err != nil {
		return nil
	}
	return parseCmap(data)
}

func (f *File) readEncoding(fn *font, d, desc dict, base string) {
	enc := f.resolve(d["Encoding"])
	var differences array
	switch e := enc.(type) {
	case name:
		fn.encoding = baseEncoding(e)
	case dict:
		if b := f.name(e["BaseEncoding"]); b != "" {
			fn.encoding = baseEncoding(b)
		} else {
			fn.encoding = f.builtinEncoding(desc, base)
		}
		differences = f.array(e["Differences"])
	default:
		fn.encoding = f.builtinEncoding(desc, base)
	}
	code := 0
	for _, v := range differences {
		switch v := f.resolve(v).(type) {
		case float64:
			code = int(v)
		case name:
			if code >= 0 && code < 256 {
				fn.encoding[code] = glyphText(string(v))
				if fn.encoding[code] == "" || numbered(string(v), code) {
					fn.encoding[code] = numberedGlyph(string(v), code)
				}
			}
			code++
		}
	}
}

// numbered reports whether a glyph is named by its own code: "a65", "c65". TeX's bitmap fonts are.
func numbered(n string, code int) bool {
	digits := strings.TrimLeft(n, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	return len(digits) > 0 && len(n)-len(digits) <= 2 && digits == strconv.Itoa(code)
}

func numberedGlyph(n string, code int) string {
	if !numbered(n, code) {
		return ""
	}
	if s, ok := texGlyphs[code]; ok {
		return s
	}
	return baseEncoding("")[code&0x7f]
}

// texGlyphs is where TeX's own encodings have what others have elsewhere. The old and the new one do not collide.
var texGlyphs = map[int]string{
	11: "ff", 12: "fi", 13: "fl", 14: "ffi", 15: "ffl", 16: "“", 17: "”", 21: "–", 22: "—", 27: "ff", 28: "fi", 29: "fl", 30: "ffi", 31: "ffl", 136: "•",
}

// builtinEncoding reads the encoding that a Type 1 font program carries in the clear: "dup 11 /ff put". TeX's fonts have
// their ligatures where others have control characters.
func (f *File) builtinEncoding(desc dict, base string) [256]string {
	out := baseEncoding("")
	switch lower := strings.ToLower(base); {
	case strings.Contains(lower, "symbol"):
		out[0xb7] = "•"
	case strings.Contains(lower, "dingbat"):
		for i := range out {
			out[i] = "•"
		}
	}
	s, ok := f.resolve(desc["FontFile"]).(*stream)
	if !ok {
		return out
	}
	data, err := f.decode(s, true)
	if err != nil {
		return out
	}
	data = data[:min(len(data), 64<<10)]
	if i := bytes.Index(data, []byte("eexec")); i >= 0 {
		data = data[:i]
	}
	i := bytes.Index(data, []byte("/Encoding"))
	if i < 0 || bytes.HasPrefix(bytes.TrimSpace(data[i+9:]), []byte("StandardEncoding")) {
		return out
	}
	l := lexer{data, i + 9}
	for {
		switch v := l.value(0).(type) {
		case eof:
			return out
		case keyword:
			if v == "def" || v == "readonly" {
				return out
			}
			if v != "dup" {
				continue
			}
			code, ok1 := l.value(0).(float64)
			n, ok2 := l.value(0).(name)
			if ok1 && ok2 && code >= 0 && code < 256 {
				if s := glyphText(string(n)); s != "" {
					out[int(code)] = s
				}
			}
		}
	}
}

func (f *File) readComposite(fn *font, d dict) {
	fn.composite = true
	fn.width = 1000
	switch enc := f.resolve(d["Encoding"]).(type) {
	case name:
		fn.ucs2 = strings.Contains(string(enc), "UCS2") || strings.Contains(string(enc), "UTF16")
	case *stream:
		if data, err := f.decode(enc, true); err == nil {
			fn.spaces = parseCmap(data)
		}
	}
	kids := f.array(d["DescendantFonts"])
	if len(kids) == 0 {
		return
	}
	cid, _ := f.dict(kids[0])
	desc, _ := f.dict(cid["FontDescriptor"])
	fn.bold = isBold(string(f.name(d["BaseFont"])), f, desc)
	if w, ok := f.number(cid["DW"]); ok {
		fn.width = w
	}
	f.readCIDWidths(fn, f.array(cid["W"]))
}

// readCIDWidths reads "first [w w w]" and "first last w".
func (f *File) readCIDWidths(fn *font, w array) {
	for i := 0; i+1 < len(w) && len(fn.widths) < 1<<17; {
		first, ok := f.number(w[i])
		if !ok || first < 0 || first > 1<<16 {
			i++
			continue
		}
		switch v := f.resolve(w[i+1]).(type) {
		case array:
			for j, x := range v {
				if n, ok := f.number(x); ok {
					fn.widths[uint32(first)+uint32(j)] = n
				}
			}
			i += 2
		case float64:
			if i+2 >= len(w) {
				return
			}
			n, _ := f.number(w[i+2])
			for c := first; c <= min(v, 1<<16) && v-first < 1<<16; c++ {
				fn.widths[uint32(c)] = n
			}
			i += 3
		default:
			i++
		}
	}
}

// next reads one code off a string: its characters, its width in thousandths, and how many bytes it has.
func (fn *font) next(s str) (text string, width float64, size int) {
	if !fn.composite {
		code := uint32(s[0])
		if fn.unicode != nil {
			text = fn.unicode.text(code)
		}
		if text == "" {
			text = fn.encoding[s[0]]
		}
		return text, fn.widthOf(code), 1
	}
	size = min(2, len(s))
	if fn.spaces != nil && len(fn.spaces.spaces) > 0 {
		size = fn.spaces.size(s, 2)
	} else if fn.unicode != nil && len(fn.unicode.spaces) > 0 && fn.spaces == nil {
		size = fn.unicode.size(s, 2)
	}
	size = max(1, size)
	code := codeOf(s[:size])
	switch {
	case fn.unicode != nil:
		text = fn.unicode.text(code)
	case fn.ucs2:
		text = utf16Text(s[:size])
	}
	if text == "" {
		text = string(utf8.RuneError)
	}
	return text, fn.widthOf(code), size
}

func (fn *font) widthOf(code uint32) float64 {
	if w, ok := fn.widths[code]; ok {
		return w
	}
	return fn.width
}
