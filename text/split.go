package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
)

// part is a piece, and whether it is the first of its block.
type part struct {
	Piece
	opens bool
}

// mode is what the machine is in the middle of.
type mode int

const (
	atLine  mode = iota // before a line, with nothing open
	inText              // running text: a paragraph or a list item
	inLine              // a heading, a rule or a table row: all of the line
	inFence             // code between fences
	inCode              // indented code
)

// machine reads a text from its start to its end and gives its parts. Everything that segments a text goes through it,
// at once or as the text comes in, so both give the same. It never goes back: a part is given out once and not
// revised, and what it looks at before it decides is bounded.
type machine struct {
	s     string // the text at hand
	base  int    // where s begins in the whole text
	final bool   // nothing comes behind s
	give  func(part)

	start int // of the open part
	pos   int // read so far
	mode  mode
	kind  ibid.Kind
	depth int  // of block quotes
	opens bool // the open part is the first of its block
	fresh bool // on the first line of a paragraph, and no sentence ended yet: it may turn out a heading or a table
	list  bool // indented text belongs to the list above it
	rows  bool // behind the first row of a table
	bare  bool // in a table whose rows begin without |
	line  int  // where the open line of text begins, in the whole text
	loose bool // a line was too long for wrapped text, so each line is a paragraph
	mid   bool // in the middle of a line of code
	fence byte // the mark of the open fence
	width int  // and its length
}

// run reads as far as it is certain.
func (m *machine) run() {
	for m.step() {
	}
	if m.final {
		m.cut(len(m.s)) // a bold line that nothing follows heads nothing: it is the answer
	}
}

// step reports whether it got on.
func (m *machine) step() bool {
	switch m.mode {
	case inText:
		return m.readText()
	case inLine:
		return m.readLine()
	case inFence:
		return m.readFence()
	case inCode:
		return m.readCode()
	}
	return m.readHead()
}

// cut gives out what is open up to end.
func (m *machine) cut(end int) {
	at := Trim(m.s, ibid.Span{Start: m.start, End: end})
	if !at.Empty() {
		m.give(part{Piece{At: at.Shift(m.base), Kind: m.kind}, m.opens})
		m.opens = false
	}
	m.start = end
	m.fresh = false
}

// end closes the block before the line at i.
func (m *machine) end(i int) bool {
	m.cut(i)
	m.pos = i
	m.mode = atLine
	return true
}

// readHead opens the block that the next line begins.
func (m *machine) readHead() bool {
	if m.pos >= len(m.s) {
		return false
	}
	l, ok := headOf(m.s, m.pos, m.final)
	if !ok {
		return false
	}
	body := m.pos + l.body
	if l.form == blankLine {
		m.rows, m.bare = false, false
		m.kind, m.opens = ibid.Sentence, true // of a lone > that nothing follows
		m.pos = min(body+1, len(m.s))
		if body < len(m.s) && m.s[body] != '\n' {
			m.pos = body // longer than a head may be
		}
		return true
	}
	if l.indent >= 4 && !m.list && l.form != itemLine && l.form != rowLine && l.form != fenceLine {
		code, ok := looksLikeCode(m.s, body, m.final)
		if !ok {
			return false
		}
		if code || l.form == headingLine {
			m.open(l, ibid.Code, inCode)
			m.mid = true
			return true
		}
	}
	m.openBlock(l, body)
	return true
}

func (m *machine) open(l line, kind ibid.Kind, mode mode) {
	m.kind, m.mode = kind, mode
	m.line = m.base + m.pos
	m.depth = l.depth
	m.opens = true
	m.pos += l.body
}

func (m *machine) openBlock(l line, body int) {
	bare := m.bare && l.form == textLine && l.depth == m.depth
	if l.form != rowLine && !bare {
		m.rows, m.bare = false, false
	}
	if l.indent < 2 && l.form != itemLine {
		m.list = false
	}
	switch l.form {
	case headingLine, ruleLine:
		m.open(l, ibid.Heading, inLine)
	case rowLine:
		m.open(l, ibid.TableRow, inLine)
	case fenceLine:
		m.open(l, ibid.Code, inFence)
		m.fence, m.width = m.s[body], l.fence
		m.mid = true
	case itemLine:
		m.list = true
		m.open(l, ibid.ListItem, inText)
		m.pos = body + l.text - l.body
	default:
		switch {
		case bare:
			m.open(l, ibid.TableRow, inLine)
			return
		case m.list:
			m.open(l, ibid.ListItem, inText)
		default:
			m.open(l, ibid.Sentence, inText)
		}
		m.fresh = true
	}
}

// continues reports whether a line goes on with the open paragraph.
func (m *machine) continues(l line) bool {
	if l.form == blankLine || l.depth != m.depth || l.inset {
		return false
	}
	switch l.form {
	case textLine:
		return !m.fresh || l.under == 0 && !l.delim
	case itemLine:
		return !l.first && m.kind != ibid.ListItem
	}
	return false
}

// readText reads running text up to the next place that may end something.
func (m *machine) readText() bool {
	for i := m.pos; i < len(m.s); {
		c := m.s[i]
		if isAlnum(c) || c == ' ' {
			i++
			continue
		}
		switch {
		case c >= utf8.RuneSelf:
			if !m.final && !utf8.FullRuneInString(m.s[i:]) {
				m.pos = i
				return false
			}
			r, n := utf8.DecodeRuneInString(m.s[i:])
			if r == '\u2029' { // paragraph separator
				return m.end(i + n)
			}
			if terminal(r) {
				return m.stop(i)
			}
			i += n
		case c == '\n':
			return m.newline(i)
		case c == '.' || c == '!' || c == '?':
			return m.stop(i)
		case c == '`':
			n, ok := codeSpan(m.s, i, m.final)
			if !ok {
				m.pos = i
				return false
			}
			i += n
		default:
			i++
		}
	}
	m.pos = len(m.s)
	return false
}

// stop decides whether the sentence ends at the mark at i.
func (m *machine) stop(i int) bool {
	n, ends, ok := m.sentenceEnds(i)
	m.pos = i
	if !ok {
		return false
	}
	m.pos += n
	if ends {
		m.cut(m.pos)
	}
	return true
}

// newline decides what the end of a line within running text means.
func (m *machine) newline(i int) bool {
	m.pos = i
	l, ok := headOf(m.s, i+1, m.final)
	if !ok {
		return false
	}
	if m.fresh && l.depth == m.depth {
		above := strings.TrimSpace(m.s[m.start:i])
		switch {
		case l.under != 0 && m.kind == ibid.Sentence:
			m.kind = ibid.Heading
		case l.delim && l.form != rowLine && strings.Contains(above, "|"):
			m.kind, m.rows, m.bare = ibid.TableRow, true, true
		case boldLine(above) && i+1 < len(m.s):
			m.kind = ibid.Heading
			return m.end(i + 1)
		}
		if m.kind == ibid.Heading || m.bare { // the line below is part of it
			m.mode = inLine
			m.pos = i + 1
			return true
		}
	}
	if !m.continues(l) {
		return m.end(i + 1)
	}
	body := i + 1 + l.body
	if m.unwrapped(i) && !lowerAt(m.s, body) {
		return m.end(i + 1)
	}
	above := strings.TrimRight(m.s[m.start:i], " \t\r")
	switch {
	case m.kind == ibid.ListItem && l.indent == 0 && strings.TrimSpace(above) == "":
		return m.end(i + 1) // a new sentence at the margin is not the item's
	case strings.HasSuffix(above, ":") && !lowerAt(m.s, body):
		return m.end(i + 1) // Sources:
	}
	if hardBreak(m.s[m.start:i]) && !lowerAt(m.s, body) {
		m.cut(i)
	}
	m.fresh = false
	m.line = m.base + i + 1
	m.pos = body
	return true
}

// maxWrap is more than any line of wrapped text has, in bytes.
const maxWrap = 200

// unwrapped takes note of the line that ends at i, and reports whether the lines of this text are paragraphs. Pages taken
// from the web often come so. An address may be long in wrapped text too; prose has spaces.
func (m *machine) unwrapped(i int) bool {
	start := m.line - m.base
	if i-start > maxWrap && (start < m.start || strings.Count(m.s[start:i], " ") > 3) {
		m.loose = true
	}
	return m.loose
}

// readLine reads to the end of a line that is a part by itself, and on over the line that divides a table.
func (m *machine) readLine() bool {
	k := strings.IndexByte(m.s[m.pos:], '\n')
	if k < 0 {
		m.pos = len(m.s)
		return false
	}
	i := m.pos + k
	if m.kind == ibid.TableRow && !m.rows {
		l, ok := headOf(m.s, i+1, m.final)
		if !ok {
			m.pos = i
			return false
		}
		m.rows = true
		if l.delim && l.depth == m.depth {
			m.pos = i + 1
			return true
		}
	}
	return m.end(i + 1)
}

// readFence reads code to the line that closes it. A fence that nothing closes reaches to the end, or to the end of
// the quote that it stands in.
func (m *machine) readFence() bool {
	for {
		if m.mid && !m.skipLine() {
			return false
		}
		l, ok := headOf(m.s, m.pos, m.final)
		if !ok || m.pos >= len(m.s) {
			return false
		}
		if l.depth < m.depth {
			return m.end(m.pos)
		}
		m.mid = true
		if l.form == fenceLine && l.closes && l.fence >= m.width && m.s[m.pos+l.body] == m.fence {
			m.mode = inLine
			return true
		}
	}
}

// readCode reads indented code; blank lines belong to it where more of it follows.
func (m *machine) readCode() bool {
	for {
		if m.mid && !m.skipLine() {
			return false
		}
		l, ok := headOf(m.s, m.pos, m.final)
		if !ok || m.pos >= len(m.s) {
			return false
		}
		if l.form != blankLine && (l.indent < 4 || l.depth != m.depth) {
			return m.end(m.pos)
		}
		m.mid = true
	}
}

// skipLine goes on behind the end of the line.
func (m *machine) skipLine() bool {
	k := strings.IndexByte(m.s[m.pos:], '\n')
	if k < 0 {
		m.pos = len(m.s)
		return false
	}
	m.pos += k + 1
	m.mid = false
	return true
}

// maxSpan is how far the end of a code span is looked for.
const maxSpan = 256

// codeSpan gives the length of the code between backticks at i, or of the backticks alone where nothing closes them on
// their line.
func codeSpan(s string, i int, final bool) (n int, ok bool) {
	v := viewOf(s, i, maxSpan, final)
	width := v.run(0, '`')
	for p := width; p < len(v.s) || v.more; {
		if v.at(p) == '\n' || v.starved {
			break
		}
		w := v.run(p, '`')
		if w == width {
			return p + w, !v.starved
		}
		p += max(w, 1)
	}
	return width, !v.starved
}

// looksLikeCode tells indented code from indented prose by the first line: what comes first, a mark of code or of prose.
func looksLikeCode(s string, i int, final bool) (code, ok bool) {
	v := viewOf(s, i, 512, final)
	if c := v.at(0); strings.IndexByte("#/$%@<>{}[-&.;+", c) >= 0 {
		return true, true
	}
	words := 1
	for p := 0; ; p++ {
		switch c := v.at(p); {
		case c == '\n' || p >= len(v.s):
			return words < 4 && !upperAt(s, i), !v.starved
		case strings.IndexByte("{};=<>$\\_`|~^", c) >= 0:
			return true, true
		case c == '(' && p > 0 && isAlnum(v.s[p-1]):
			return true, true
		case strings.IndexByte(".,!?", c) >= 0 && v.spaceAt(p+1):
			return false, !v.starved
		case c == ' ':
			words++
		}
	}
}

// boldLine reports whether all of a line is bold, and it is no sentence: models write headings so. What ends a sentence may stand within more marks: ***It is so.***
func boldLine(s string) bool {
	s = strings.TrimSuffix(s, ":")
	if len(s) > 200 || len(s) < 5 || !strings.HasPrefix(s, "**") || !strings.HasSuffix(s, "**") {
		return false
	}
	s = s[2 : len(s)-2]
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, "*_"))
	return !strings.Contains(s, "**") && last != '.' && !terminal(last)
}

// hardBreak reports whether a line ends with the marks of Markdown for a line break.
func hardBreak(s string) bool {
	s = strings.TrimSuffix(s, "\r")
	return strings.HasSuffix(s, "  ") || strings.HasSuffix(s, `\`)
}

func lowerAt(s string, i int) bool {
	r, _ := utf8.DecodeRuneInString(s[i:])
	return unicode.IsLower(r)
}

func upperAt(s string, i int) bool {
	r, _ := utf8.DecodeRuneInString(s[i:])
	return unicode.IsUpper(r)
}
