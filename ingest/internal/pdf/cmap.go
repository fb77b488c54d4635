package pdf

import "unicode/utf16"

// cmap maps the codes of a font to characters, and says how many bytes a code has.
type cmap struct {
	spaces []codeRange // code space
	chars  map[uint32]string
	ranges []cmapRange // those too long to be written out
}

type codeRange struct {
	size   int
	lo, hi uint32
}

type cmapRange struct {
	lo, hi uint32
	dst    []rune
}

const (
	maxCmapChars  = 1 << 17
	maxCmapRanges = 256
)

func parseCmap(data []byte) *cmap {
	m := &cmap{chars: map[uint32]string{}}
	l := lexer{data, 0}
	for {
		switch v := l.value(0).(type) {
		case eof:
			return m
		case keyword:
			switch v {
			case "begincodespacerange":
				m.readSpaces(&l)
			case "beginbfchar":
				m.readChars(&l)
			case "beginbfrange":
				m.readRanges(&l)
			}
		}
	}
}

func (m *cmap) readSpaces(l *lexer) {
	for {
		lo, ok1 := l.value(0).(str)
		if !ok1 {
			return
		}
		hi, ok2 := l.value(0).(str)
		if !ok2 {
			return
		}
		if len(lo) >= 1 && len(lo) <= 4 && len(lo) == len(hi) && len(m.spaces) < 100 {
			m.spaces = append(m.spaces, codeRange{len(lo), codeOf(lo), codeOf(hi)})
		}
	}
}

func (m *cmap) readChars(l *lexer) {
	for {
		src, ok := l.value(0).(str)
		if !ok {
			return
		}
		switch dst := l.value(0).(type) {
		case str:
			m.set(codeOf(src), utf16Text(dst))
		case name:
			m.set(codeOf(src), glyphText(string(dst)))
		default:
			return
		}
	}
}

func (m *cmap) readRanges(l *lexer) {
	for {
		lo, ok1 := l.value(0).(str)
		if !ok1 {
			return
		}
		hi, ok2 := l.value(0).(str)
		if !ok2 {
			return
		}
		from, to := codeOf(lo), codeOf(hi)
		switch dst := l.value(0).(type) {
		case array:
			for i, v := range dst {
				if s, ok := v.(str); ok && from+uint32(i) <= to {
					m.set(from+uint32(i), utf16Text(s))
				}
			}
		case str:
			m.setRange(from, to, []rune(utf16Text(dst)))
		default:
			return
		}
	}
}

func (m *cmap) setRange(from, to uint32, dst []rune) {
	if len(dst) == 0 || to < from {
		return
	}
	if to-from > 1024 {
		if len(m.ranges) < maxCmapRanges {
			m.ranges = append(m.ranges, cmapRange{from, to, dst})
		}
		return
	}
	for c := from; c <= to && c >= from; c++ {
		m.set(c, rangeText(dst, c-from))
	}
}

func (m *cmap) set(code uint32, s string) {
	if s != "" && len(m.chars) < maxCmapChars {
		m.chars[code] = s
	}
}

// rangeText counts the last character up.
func rangeText(dst []rune, n uint32) string {
	out := append([]rune(nil), dst...)
	out[len(out)-1] += rune(n)
	return string(out)
}

func (m *cmap) text(code uint32) string {
	if s, ok := m.chars[code]; ok {
		return s
	}
	for _, r := range m.ranges {
		if r.lo <= code && code <= r.hi {
			return rangeText(r.dst, code-r.lo)
		}
	}
	return ""
}

// size says how many bytes the next code has.
func (m *cmap) size(s str, def int) int {
	for n := 1; n <= 4 && n <= len(s); n++ {
		code := codeOf(s[:n])
		for _, r := range m.spaces {
			if r.size == n && r.lo <= code && code <= r.hi {
				return n
			}
		}
	}
	return min(def, len(s))
}

func codeOf(s str) uint32 {
	n := uint32(0)
	for i := 0; i < len(s) && i < 4; i++ {
		n = n<<8 | uint32(s[i])
	}
	return n
}

func utf16Text(s str) string {
	if len(s) == 1 {
		return string(rune(s[0]))
	}
	u := make([]uint16, 0, len(s)/2)
	for i := 0; i+1 < len(s) && i < 128; i += 2 {
		u = append(u, uint16(s[i])<<8|uint16(s[i+1]))
	}
	return string(utf16.Decode(u))
}
