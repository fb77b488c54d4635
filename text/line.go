package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// form is what the head of a line says of it.
type form int

const (
	blankLine form = iota
	textLine
	headingLine // # Title
	ruleLine    // ---
	fenceLine   // ```
	itemLine    // - or 1. or a)
	rowLine     // | a | b |
	noteLine    // [1]: or [^1]:
)

// line is what is known of a line from its head alone. Nothing here depends on the lines before it.
type line struct {
	form   form
	depth  int  // of block quotes: how many > stand before it
	indent int  // columns of white space behind them
	body   int  // where what follows them begins, from the start of the line
	text   int  // where the text begins, behind an item's mark
	inset  bool // begins with an ideographic space, as a new paragraph does in Chinese and Japanese
	first  bool // an item that may begin a list in the middle of a paragraph: a bullet, 1. or a)
	under  byte // '=' or '-' where the line is nothing else, so it may underline a heading
	delim  bool // nothing but | - : and space, so it may divide a table's head from its body
	fence  int  // length of the fence
	closes bool // the fence stands alone, so it may close another
}

// How far a line is looked at to tell its form, so that none makes a reader wait without bound. A line that begins with
// more white space than maxIndent counts as blank, and what follows as a line of its own.
const (
	maxHead   = 2048
	maxIndent = 256
)

// view is the text ahead, up to a limit. Where the text at hand ends before the limit and more may come, looking past
// its end starves the view: nothing that was seen counts, and the question is asked again later. As the limit does not
// depend on how much is at hand, the answer does not depend on how the text was cut.
type view struct {
	s       string
	more    bool
	starved bool
}

func viewOf(s string, i, limit int, final bool) view {
	if i+limit <= len(s) {
		return view{s: s[i : i+limit]}
	}
	return view{s: s[i:], more: !final}
}

// at gives a byte, 0 behind the end.
func (v *view) at(i int) byte {
	if i < len(v.s) {
		return v.s[i]
	}
	v.starved = v.starved || v.more
	return 0
}

// rune gives a character and its length, 0 and 0 behind the end.
func (v *view) rune(i int) (rune, int) {
	if b := v.at(i); b < utf8.RuneSelf {
		return rune(b), min(1, len(v.s)-min(i, len(v.s)))
	}
	if v.more && !utf8.FullRuneInString(v.s[i:]) {
		v.starved = true
		return 0, 0
	}
	return utf8.DecodeRuneInString(v.s[i:])
}

// run counts how often b stands at i.
func (v *view) run(i int, b byte) int {
	n := 0
	for v.at(i+n) == b {
		n++
	}
	return n
}

// spaceAt reports white space within a line, or the end of the line, at i.
func (v *view) spaceAt(i int) bool {
	switch v.at(i) {
	case ' ', '\t', '\r', '\n':
		return true
	case 0:
		return i >= len(v.s)
	}
	return false
}

// headOf reads the head of the line at i. It is not ok where s ends too early to tell and more may come.
func headOf(s string, i int, final bool) (l line, ok bool) {
	v := viewOf(s, i, maxHead, final)
	p := 0
	for {
		l.indent = 0
		for p < maxIndent && (v.at(p) <= ' ' || v.at(p) >= utf8.RuneSelf) {
			r, n := v.rune(p)
			if r == '\n' || !unicode.IsSpace(r) {
				break
			}
			l.indent++
			if r == '\t' {
				l.indent += 3 - (l.indent-1)%4
			}
			l.inset = l.inset || r == '\u3000'
			p += n
		}
		if l.indent > 3 || l.depth == 8 || v.at(p) != '>' {
			break
		}
		l.depth++
		p++
		if v.at(p) == ' ' {
			p++
		}
	}
	l.body, l.text = p, p
	if p >= maxIndent {
		return l, true
	}
	if c := v.at(p); c != '\n' && p < len(v.s) {
		l.form = textLine
		l.read(&v, p, c)
	}
	return l, !v.starved
}

// read tells the form of a line whose first character c stands at p.
func (l *line) read(v *view, p int, c byte) {
	switch {
	case c == '#':
		if n := v.run(p, '#'); n <= 6 && v.spaceAt(p+n) {
			l.form = headingLine
		}
	case c == '`' || c == '~':
		l.fence = v.run(p, c)
		if l.fence >= 3 && (c == '~' || !v.lineHas(p+l.fence, '`')) {
			l.form = fenceLine
			l.closes = !v.inked(p + l.fence)
		}
	case c == '=':
		if v.only(p, "=") && v.at(p+1) == '=' {
			l.under = c
		}
	case c == '|':
		l.form = rowLine
		l.delim = v.only(p, "|-: \t") && v.lineHas(p, '-')
	case c == '-' || c == '*' || c == '_' || c == '+' || c == ':':
		l.marks(v, p, c)
	case c == '[':
		if v.label(p) {
			l.form = noteLine
		}
	case c >= utf8.RuneSelf:
		if r, n := v.rune(p); strings.ContainsRune("•‣◦▪●○∙", r) && v.spaceAt(p+n) {
			l.form, l.first, l.text = itemLine, true, p+n
		}
	default:
		l.enumerator(v, p)
	}
}

// marks reads a line that begins with a mark that may be a bullet, a rule, or the line under a heading or a table's head.
func (l *line) marks(v *view, p int, c byte) {
	bullet := (c == '-' || c == '*' || c == '+') && v.spaceAt(p+1)
	if next := v.at(p + 1); !bullet && next != c && !strings.ContainsRune("-:| ", rune(next)) {
		return // **bold**, -5, _x_
	}
	if c != '+' && c != ':' && v.only(p, string(c)+" \t") && v.count(p, c) >= 3 {
		l.form = ruleLine
		if c == '-' && v.only(p, "-") {
			l.under = c
		}
		return
	}
	if v.only(p, "|-: \t") && v.lineHas(p, '|') {
		l.delim = v.lineHas(p, '-')
		return
	}
	if bullet {
		l.form, l.text = itemLine, p+1
		l.first = v.inked(p + 1)
	}
}

// enumerator reads 1. 1) (1) a) (a) a. iv) at the start of a line.
func (l *line) enumerator(v *view, p int) {
	open := v.at(p) == '('
	if open {
		p++
	}
	n := 0
	for n < 5 && isAlnum(v.at(p+n)) {
		n++
	}
	word := v.s[p : p+n]
	end := v.at(p + n)
	if end != ')' && (open || end != '.') || !enumerates(word, end) || !v.spaceAt(p+n+1) || !v.inked(p+n+1) {
		return
	}
	if end == '.' && digits(word) {
		if w, _ := v.word(p + n + 2); months[w] {
			return // 5. August
		}
	}
	l.form, l.text = itemLine, p+n+1
	switch word {
	case "1", "0", "a", "A", "i":
		l.first = true
	}
}

// enumerates reports whether a word before ")" or "." numbers an item rather than being text: "A." begins a name, and
// "1858." a year.
func enumerates(word string, end byte) bool {
	switch {
	case word == "":
		return false
	case digits(word):
		return len(word) <= 3
	case strings.Trim(word, "ivx") == "":
		return len(word) <= 4
	}
	return len(word) == 1 && (end == ')' || word[0] >= 'a')
}

// label reads [1]: or [^note]: at p.
func (v *view) label(p int) bool {
	for n := 1; n < 64; n++ {
		switch v.at(p + n) {
		case ']':
			return n > 1 && v.at(p+n+1) == ':' && v.spaceAt(p+n+2)
		case 0, '\n', '[':
			return false
		}
	}
	return false
}

// only reports whether the line from p on holds nothing but the bytes of set and white space at its end.
func (v *view) only(p int, set string) bool {
	for ; strings.IndexByte(set, v.at(p)) >= 0 && p < len(v.s); p++ {
	}
	for v.at(p) == ' ' || v.at(p) == '\t' || v.at(p) == '\r' {
		p++
	}
	return v.at(p) == '\n' || p >= len(v.s)
}

func (v *view) count(p int, b byte) int {
	n := 0
	for ; v.at(p) != '\n' && p < len(v.s); p++ {
		if v.s[p] == b {
			n++
		}
	}
	return n
}

func (v *view) lineHas(p int, b byte) bool {
	for ; v.at(p) != '\n' && p < len(v.s); p++ {
		if v.s[p] == b {
			return true
		}
	}
	return false
}

// inked reports whether anything but white space is left on the line.
func (v *view) inked(p int) bool {
	for v.at(p) == ' ' || v.at(p) == '\t' || v.at(p) == '\r' {
		p++
	}
	return v.at(p) != '\n' && p < len(v.s)
}

func isAlnum(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}
