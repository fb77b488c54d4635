package pdf

import (
	"strconv"
	"strings"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
)

// glyphText gives the characters that a glyph's name stands for, "" where the name says nothing. Names follow Adobe's
// rules: "f_i" is two letters, "a.sc" a small capital, "uni20AC" and "u1F600" code points, "eacute" a letter and its
// accent.
func glyphText(n string) string {
	if n == "" || n == ".notdef" {
		return ""
	}
	if i := strings.IndexByte(n, '.'); i > 0 {
		n = n[:i]
	}
	if strings.Contains(n, "_") && len(n) < 40 {
		var out strings.Builder
		for _, part := range strings.Split(n, "_") {
			out.WriteString(glyphText(part))
		}
		return out.String()
	}
	if len(n) == 1 {
		return n
	}
	if s, ok := glyphNames[n]; ok {
		return s
	}
	if hex, ok := strings.CutPrefix(n, "uni"); ok && len(hex) >= 4 && len(hex)%4 == 0 {
		return hexRunes(hex, 4)
	}
	if hex, ok := strings.CutPrefix(n, "u"); ok && len(hex) >= 4 && len(hex) <= 6 {
		if s := hexRunes(hex, len(hex)); s != "" {
			return s
		}
	}
	for accent, mark := range accents {
		if base, ok := strings.CutSuffix(n, accent); ok && base != "" {
			if base == "dotlessi" {
				base = "i"
			}
			if len(base) == 1 || base == "ae" || base == "AE" || base == "oslash" || base == "Oslash" {
				if s, ok := glyphNames[base]; ok {
					base = s
				}
				return norm.NFC.String(base + mark)
			}
		}
	}
	return ""
}

func hexRunes(hex string, size int) string {
	var out strings.Builder
	for ; len(hex) >= size; hex = hex[size:] {
		n, err := strconv.ParseUint(hex[:size], 16, 32)
		if err != nil || n > 0x10ffff || n >= 0xd800 && n < 0xe000 {
			return ""
		}
		out.WriteRune(rune(n))
	}
	return out.String()
}

var accents = map[string]string{
	"acute": "\u0301", "grave": "\u0300", "circumflex": "\u0302", "dieresis": "\u0308", "tilde": "\u0303", "ring": "\u030a",
	"cedilla": "\u0327", "caron": "\u030c", "macron": "\u0304", "breve": "\u0306", "ogonek": "\u0328", "dotaccent": "\u0307",
	"hungarumlaut": "\u030b", "commaaccent": "\u0326",
}

var glyphNames = map[string]string{
	"space": " ", "nbspace": " ", "exclam": "!", "quotedbl": "\"", "numbersign": "#", "dollar": "$", "percent": "%", "ampersand": "&",
	"quotesingle": "'", "quoteright": "’", "quoteleft": "‘", "parenleft": "(", "parenright": ")", "asterisk": "*", "plus": "+", "comma": ",", "hyphen": "-",
	"minus": "−", "period": ".", "slash": "/", "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
	"seven": "7", "eight": "8", "nine": "9", "colon": ":", "semicolon": ";", "less": "<", "equal": "=", "greater": ">", "question": "?",
	"at": "@", "bracketleft": "[", "backslash": "\\", "bracketright": "]", "asciicircum": "^", "underscore": "_", "grave": "`",
	"braceleft": "{", "bar": "|", "braceright": "}", "asciitilde": "~", "exclamdown": "¡", "cent": "¢", "sterling": "£",
	"currency": "¤", "yen": "¥", "brokenbar": "¦", "section": "§", "dieresis": "¨", "copyright": "©", "ordfeminine": "ª",
	"guillemotleft": "«", "guillemotright": "»", "guilsinglleft": "‹", "guilsinglright": "›", "logicalnot": "¬", "registered": "®", "macron": "¯",
	"degree": "°", "plusminus": "±", "twosuperior": "²", "threesuperior": "³", "onesuperior": "¹", "acute": "´", "mu": "µ",
	"paragraph": "¶", "periodcentered": "·", "cedilla": "¸", "ordmasculine": "º", "onequarter": "¼", "onehalf": "½",
	"threequarters": "¾", "questiondown": "¿", "AE": "Æ", "ae": "æ", "Oslash": "Ø", "oslash": "ø", "OE": "Œ", "oe": "œ", "germandbls": "ß",
	"Eth": "Ð", "eth": "ð", "Thorn": "Þ", "thorn": "þ", "Lslash": "Ł", "lslash": "ł", "Dcroat": "Đ", "dcroat": "đ", "dotlessi": "ı", "dotlessj": "ȷ", "Hbar": "Ħ", "hbar": "ħ",
	"multiply": "×", "divide": "÷", "endash": "–", "emdash": "—", "quotedblleft": "“", "quotedblright": "”", "quotedblbase": "„", "quotesinglbase": "‚",
	"dagger": "†", "daggerdbl": "‡", "bullet": "•", "ellipsis": "…", "perthousand": "‰", "fraction": "⁄", "Euro": "€", "euro": "€",
	"trademark": "™", "florin": "ƒ", "ff": "ff", "fi": "fi", "fl": "fl", "ffi": "ffi", "ffl": "ffl", "ft": "ft", "st": "st", "tt": "tt", "ti": "ti", "Th": "Th",
	"circumflex": "ˆ", "tilde": "˜", "breve": "˘", "ring": "˚", "caron": "ˇ", "ogonek": "˛", "dotaccent": "˙", "hungarumlaut": "˝",
	"sfthyphen": "\u00ad", "softhyphen": "\u00ad", "visiblespace": " ", "nonbreakingspace": " ", "compwordmark": "", "cwm": "",
	"Alpha": "Α", "Beta": "Β", "Gamma": "Γ", "Delta": "Δ", "Epsilon": "Ε", "Zeta": "Ζ", "Eta": "Η", "Theta": "Θ", "Iota": "Ι", "Kappa": "Κ",
	"Lambda": "Λ", "Mu": "Μ", "Nu": "Ν", "Xi": "Ξ", "Omicron": "Ο", "Pi": "Π", "Rho": "Ρ", "Sigma": "Σ", "Tau": "Τ", "Upsilon": "Υ", "Phi": "Φ",
	"Chi": "Χ", "Psi": "Ψ", "Omega": "Ω", "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "epsilon1": "ε", "zeta": "ζ", "eta": "η", "theta": "θ",
	"theta1": "ϑ", "iota": "ι", "kappa": "κ", "lambda": "λ", "nu": "ν", "xi": "ξ", "omicron": "ο", "pi": "π", "rho": "ρ", "sigma": "σ", "sigma1": "ς", "tau": "τ",
	"upsilon": "υ", "phi": "φ", "phi1": "ϕ", "chi": "χ", "psi": "ψ", "omega": "ω", "infinity": "∞", "lessequal": "≤", "greaterequal": "≥", "notequal": "≠",
	"approxequal": "≈", "equivalence": "≡", "similar": "∼", "proportional": "∝", "summation": "∑", "product": "∏", "integral": "∫", "radical": "√",
	"partialdiff": "∂", "gradient": "∇", "element": "∈", "notelement": "∉", "intersection": "∩", "union": "∪", "propersubset": "⊂", "reflexsubset": "⊆",
	"arrowleft": "←", "arrowright": "→", "arrowup": "↑", "arrowdown": "↓", "arrowboth": "↔", "arrowdblright": "⇒", "arrowdblleft": "⇐", "arrowdblboth": "⇔",
	"logicaland": "∧", "logicalor": "∨", "universal": "∀", "existential": "∃", "emptyset": "∅", "asteriskmath": "∗", "dotmath": "⋅", "minute": "′", "second": "″", "prime": "′",
	"checkmark": "✓", "lozenge": "◊", "heart": "♥", "circle": "○", "square": "□", "filledbox": "■", "triangleright": "▷", "H18533": "■", "a73": "■", "a71": "●", "a20": "✔",
	"angbracketleft": "⟨", "angbracketright": "⟩", "vextendsingle": "|", "bardbl": "‖", "openbullet": "◦", "circlecopyrt": "©", "afii61352": "№",
	"afii00208": "―", "nbhyphen": "‑", "figuredash": "‒", "parenleftbig": "(", "parenrightbig": ")", "parenleftBig": "(", "parenrightBig": ")",
}

// standardUpper is the upper half of Adobe's standard encoding, where it has characters.
var standardUpper = map[byte]string{
	0xa1: "exclamdown", 0xa2: "cent", 0xa3: "sterling", 0xa4: "fraction", 0xa5: "yen", 0xa6: "florin", 0xa7: "section", 0xa8: "currency",
	0xa9: "quotesingle", 0xaa: "quotedblleft", 0xab: "guillemotleft", 0xac: "guilsinglleft", 0xad: "guilsinglright", 0xae: "fi", 0xaf: "fl",
	0xb1: "endash", 0xb2: "dagger", 0xb3: "daggerdbl", 0xb4: "periodcentered", 0xb6: "paragraph", 0xb7: "bullet", 0xb8: "quotesinglbase",
	0xb9: "quotedblbase", 0xba: "quotedblright", 0xbb: "guillemotright", 0xbc: "ellipsis", 0xbd: "perthousand", 0xbf: "questiondown",
	0xc1: "grave", 0xc2: "acute", 0xc3: "circumflex", 0xc4: "tilde", 0xc5: "macron", 0xc6: "breve", 0xc7: "dotaccent", 0xc8: "dieresis",
	0xca: "ring", 0xcb: "cedilla", 0xcd: "hungarumlaut", 0xce: "ogonek", 0xcf: "caron", 0xd0: "emdash", 0xe1: "AE", 0xe3: "ordfeminine",
	0xe8: "Lslash", 0xe9: "Oslash", 0xea: "OE", 0xeb: "ordmasculine", 0xf1: "ae", 0xf5: "dotlessi", 0xf8: "lslash", 0xf9: "oslash", 0xfa: "oe", 0xfb: "germandbls",
}

// baseEncoding gives the characters of the 256 codes.
func baseEncoding(n name) [256]string {
	var out [256]string
	var table *charmap.Charmap
	switch n {
	case "WinAnsiEncoding":
		table = charmap.Windows1252
	case "MacRomanEncoding":
		table = charmap.Macintosh
	}
	for i := range out {
		switch {
		case i < 0x20:
		case table != nil:
			if r := table.DecodeByte(byte(i)); r != 0xfffd {
				out[i] = string(r)
			}
		case i == '\'':
			out[i] = "’"
		case i == '`':
			out[i] = "‘"
		case i < 0x7f:
			out[i] = string(rune(i))
		default:
			out[i] = glyphText(standardUpper[byte(i)])
		}
	}
	if n == "WinAnsiEncoding" {
		out[0xad] = "-" // a hyphen that is written, not a soft one
		for _, i := range []int{0x7f, 0x81, 0x8d, 0x8f, 0x90, 0x95, 0x9d} {
			out[i] = "•" // as the format says of codes without a character
		}
	}
	return out
}

// The widths of the fonts that every viewer has and files need not describe, for codes 32 to 126.
var (
	helveticaWidths = [95]int16{278, 278, 355, 556, 556, 889, 667, 222, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556, 556, 556,
		278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611,
		278, 278, 278, 469, 556, 222, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584}
	timesWidths = [95]int16{250, 333, 408, 500, 500, 833, 778, 333, 333, 333, 500, 564, 250, 333, 250, 278, 500, 500, 500, 500, 500, 500, 500, 500, 500, 500,
		278, 278, 564, 564, 564, 444, 921, 722, 667, 667, 722, 611, 556, 722, 722, 333, 389, 722, 611, 889, 722, 722, 556, 722, 667, 556, 611, 722, 722, 944, 722, 722, 611,
		333, 278, 333, 469, 500, 333, 444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500, 278, 778, 500, 500, 500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541}
)
