package pdf

import "strconv"

// The values of a PDF are nil, bool, float64, str, name, array, dict, ref and *stream. Integers are float64 too: every
// offset that fits a file fits one exactly.
type (
	str   string
	name  string
	array []any
	dict  map[name]any
	ref   struct{ num, gen int }
	// keyword is an operator, or a word of the syntax such as "obj".
	keyword string
)

// stream is a dictionary with data behind it, still encoded.
type stream struct {
	dict dict
	data []byte
	id   ref // of the object it stands in, which decryption needs
}

// maxNesting bounds arrays and dictionaries within each other.
const maxNesting = 64

// eof is what the lexer gives at the end.
type eof struct{}

// lexer reads values from bytes. It never fails: what makes no sense is skipped or read as a keyword, and the end comes
// after at most len(b) steps.
type lexer struct {
	b   []byte
	pos int
}

func (l *lexer) space() {
	for l.pos < len(l.b) {
		switch c := l.b[l.pos]; {
		case isSpace(c):
			l.pos++
		case c == '%':
			for l.pos < len(l.b) && l.b[l.pos] != '\n' && l.b[l.pos] != '\r' {
				l.pos++
			}
		default:
			return
		}
	}
}

// value reads the next value or keyword. References are joined by the caller, as only files have them.
func (l *lexer) value(depth int) any {
	l.space()
	if l.pos >= len(l.b) {
		return eof{}
	}
	switch c := l.b[l.pos]; {
	case c == '/':
		return l.name()
	case c == '(':
		return l.literal()
	case c == '<':
		if l.pos+1 < len(l.b) && l.b[l.pos+1] == '<' {
			l.pos += 2
			if depth >= maxNesting {
				return keyword("<<")
			}
			return l.dict(depth)
		}
		return l.hex()
	case c == '[':
		l.pos++
		if depth >= maxNesting {
			return keyword("[")
		}
		return l.array(depth)
	case c == ']' || c == '{' || c == '}' || c == ')':
		l.pos++
		return keyword(c)
	case c == '>':
		l.pos++
		if l.pos < len(l.b) && l.b[l.pos] == '>' {
			l.pos++
			return keyword(">>")
		}
		return keyword(">")
	}
	return l.word()
}

func (l *lexer) array(depth int) any {
	var out array
	for {
		v := l.value(depth + 1)
		switch k := v.(type) {
		case eof:
			return out
		case keyword:
			if k == "]" {
				return out
			}
			if k == "R" && len(out) >= 2 {
				if r, ok := makeRef(out[len(out)-2], out[len(out)-1]); ok {
					out = append(out[:len(out)-2], r)
				}
				continue
			}
			if k == "endobj" || k == ">>" || k == "stream" {
				return out // never closed
			}
			if k == "null" { // it holds a place, as in [null <<…>>]
				out = append(out, nil)
			}
			continue
		}
		out = append(out, v)
	}
}

func (l *lexer) dict(depth int) any {
	out := dict{}
	var key name
	var have []any // values since the key: more than one only for references
	store := func() {
		switch {
		case key == "" || len(have) == 0:
		case len(have) == 1:
			out[key] = have[0]
		default:
			out[key] = have[len(have)-1]
		}
		have = have[:0]
	}
	for {
		v := l.value(depth + 1)
		switch k := v.(type) {
		case eof:
			store()
			return out
		case name:
			// A name is a key where a value was seen, and else the value.
			if key == "" || len(have) > 0 {
				store()
				key = k
				continue
			}
			have = append(have, v)
			continue
		case keyword:
			switch k {
			case ">>":
				store()
				return out
			case "R":
				if n := len(have); n >= 2 {
					if r, ok := makeRef(have[n-2], have[n-1]); ok {
						have = append(have[:n-2], r)
					}
				}
			case "null":
				have = append(have, nil)
			case "endobj", "stream":
				store()
				l.pos -= len(k)
				return out
			}
			continue
		}
		if len(have) < 4 {
			have = append(have, v)
		}
	}
}

func makeRef(num, gen any) (ref, bool) {
	n, ok1 := num.(float64)
	g, ok2 := gen.(float64)
	if !ok1 || !ok2 || n < 0 || n > 1<<31 || g < 0 || g > 1<<20 {
		return ref{}, false
	}
	return ref{int(n), int(g)}, true
}

func (l *lexer) name() name {
	l.pos++
	start := l.pos
	escaped := false
	for l.pos < len(l.b) && !isSpace(l.b[l.pos]) && !isDelim(l.b[l.pos]) {
		if l.b[l.pos] == '#' {
			escaped = true
		}
		l.pos++
	}
	raw := l.b[start:l.pos]
	if !escaped {
		return name(raw)
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] == '#' && i+2 < len(raw) {
			if h, l := unhex(raw[i+1]), unhex(raw[i+2]); h >= 0 && l >= 0 {
				out = append(out, byte(h<<4|l))
				i += 2
				continue
			}
		}
		out = append(out, raw[i])
	}
	return name(out)
}

func (l *lexer) literal() str {
	l.pos++
	depth := 1
	var out []byte
	for l.pos < len(l.b) {
		c := l.b[l.pos]
		l.pos++
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return str(out)
			}
		case '\\':
			out = l.escape(out)
			continue
		case '\r':
			if l.pos < len(l.b) && l.b[l.pos] == '\n' {
				l.pos++
			}
			c = '\n'
		}
		out = append(out, c)
	}
	return str(out)
}

func (l *lexer) escape(out []byte) []byte {
	if l.pos >= len(l.b) {
		return out
	}
	c := l.b[l.pos]
	l.pos++
	switch c {
	case 'n':
		return append(out, '\n')
	case 'r':
		return append(out, '\r')
	case 't':
		return append(out, '\t')
	case 'b':
		return append(out, '\b')
	case 'f':
		return append(out, '\f')
	case '\n':
		return out
	case '\r':
		if l.pos < len(l.b) && l.b[l.pos] == '\n' {
			l.pos++
		}
		return out
	}
	if c < '0' || c > '7' {
		return append(out, c)
	}
	x := int(c - '0')
	for i := 0; i < 2 && l.pos < len(l.b) && l.b[l.pos] >= '0' && l.b[l.pos] <= '7'; i++ {
		x = x<<3 | int(l.b[l.pos]-'0')
		l.pos++
	}
	return append(out, byte(x))
}

func (l *lexer) hex() str {
	l.pos++
	var out []byte
	high := -1
	for l.pos < len(l.b) {
		c := l.b[l.pos]
		l.pos++
		if c == '>' {
			break
		}
		n := unhex(c)
		switch {
		case n < 0:
		case high < 0:
			high = n
		default:
			out = append(out, byte(high<<4|n))
			high = -1
		}
	}
	if high >= 0 {
		out = append(out, byte(high<<4))
	}
	return str(out)
}

// word reads a number, true, false, null or a keyword.
func (l *lexer) word() any {
	start := l.pos
	for l.pos < len(l.b) && !isSpace(l.b[l.pos]) && !isDelim(l.b[l.pos]) {
		l.pos++
	}
	raw := l.b[start:l.pos]
	if c := raw[0]; c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.' {
		if n, ok := number(raw); ok {
			return n
		}
	}
	switch string(raw) {
	case "true":
		return true
	case "false":
		return false
	}
	return keyword(raw)
}

func number(b []byte) (float64, bool) {
	neg := false
	i := 0
	for i < len(b) && (b[i] == '-' || b[i] == '+') {
		neg = b[i] == '-'
		i++
	}
	if i == len(b) || len(b) > 40 {
		return 0, false
	}
	v, scale, dot := 0.0, 1.0, false
	for ; i < len(b); i++ {
		switch c := b[i]; {
		case c >= '0' && c <= '9':
			v = v*10 + float64(c-'0')
			if dot {
				scale *= 10
			}
		case c == '.' && !dot:
			dot = true
		case c == '-': // "12-34" is written by some; the rest is dropped
			i = len(b)
		case c == 'e' || c == 'E':
			f, err := strconv.ParseFloat(string(b), 64)
			return f, err == nil
		default:
			return 0, false
		}
	}
	v /= scale
	if neg {
		v = -v
	}
	return v, true
}

func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func isDelim(c byte) bool {
	switch c {
	case '(', ')', '<', '>', '[', ']', '{', '}', '/', '%':
		return true
	}
	return false
}
