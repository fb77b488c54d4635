package ingest

import (
	"bytes"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid/ingest/internal/pdf"
)

// lineMaker puts glyphs together to lines in the order in which they are drawn.
type lineMaker struct {
	lines  []pdfLine
	text   []byte
	cur    pdfLine
	last   pdf.Glyph
	runes  int
	bold   int
	sizes  map[float64]int
	base   float64               // largest size of the line
	digits map[fontDigit]float64 // how wide they are
	small  int                   // runes at its beginning that may turn out to be raised

	rightward int      // how often a letter of Arabic or Hebrew stands to the right of the one drawn before it, less the other way
	joined    []string // what glyphs show that are several such letters
}

func makeLines(glyphs []pdf.Glyph) []pdfLine {
	m := lineMaker{sizes: map[float64]int{}, digits: digitWidths(glyphs)}
	for _, g := range glyphs {
		m.add(g)
	}
	m.flush()
	return joinSigns(m.lines)
}

// fontDigit is a digit of a font.
type fontDigit struct {
	font int
	text string
}

// digitWidths is how wide each digit of each font is at most, in sizes. A narrower form of the same one is raised or lowered.
func digitWidths(glyphs []pdf.Glyph) map[fontDigit]float64 {
	out := map[fontDigit]float64{}
	for _, g := range glyphs {
		if len(g.Text) == 1 && isDigits(g.Text) {
			k := fontDigit{g.Font, g.Text}
			out[k] = math.Max(out[k], g.Own)
		}
	}
	return out
}

// joinSigns brings the sign of a list item to its line. Some programs draw all of them after the text.
func joinSigns(lines []pdfLine) []pdfLine {
	signs := 0
	out := lines[:0]
	for i, s := range lines {
		if signs < 1000 && marker(s.text+" ") == len(s.text)+1 {
			signs++
			if j := beside(lines, i, len(out)); j >= 0 {
				to := &lines[j]
				to.text, to.x0 = s.text+" "+to.text, s.x0
				continue
			}
		}
		out = append(out, s)
	}
	return out
}

// beside finds the line to the right of a sign. Of the lines before index i, those from kept on were moved away.
func beside(lines []pdfLine, i, kept int) int {
	s := lines[i]
	for j, l := range lines {
		if j >= kept && j <= i || math.Abs(l.y-s.y) > 0.4*l.size || marker(l.text) > 0 {
			continue
		}
		if gap := l.x0 - s.x1; gap > -0.2*l.size && gap < 4*l.size {
			return j
		}
	}
	return -1
}

func (m *lineMaker) add(g pdf.Glyph) {
	if strings.ContainsFunc(g.Text, isOurs) {
		g.Text = strings.Map(func(r rune) rune {
			if isOurs(r) {
				return -1
			}
			return r
		}, g.Text)
	}
	if strings.TrimSpace(g.Text) == "" {
		// A written space counts, unless it was narrowed to nothing: some programs write one within words and take it back.
		if m.runes > 0 && g.W > 0.5*wordGap*g.Size && !m.breaks(g) && !endsBlank(m.text) {
			m.text = append(m.text, ' ')
		}
		return
	}
	switch {
	case m.runes == 0:
		m.begin(g)
	case m.repeated(g):
		return
	case m.breaks(g):
		m.flush()
		m.begin(g)
	default:
		gap := g.X - m.cur.x1
		size := math.Min(g.Size, m.last.Size)
		blank := endsBlank(m.text)
		switch {
		case m.capital(g) && gap < size: // the large first letter of a chapter
			m.cur.y = g.Y
		case gap > thinGapLeast*size && (m.rightward > 0 || !m.rightToLeft()) && !isSign(string(m.text[:min(len(m.text), 10)])):
			m.text = bytes.TrimRight(m.text, " ")
			if gap > cellGapLeast*size {
				m.text = append(m.text, cellGap...)
				m.cur.gaps = append(m.cur.gaps, pdfGap{m.cur.x1, g.X})
			} else {
				m.text = append(m.text, thinGap...)
				m.cur.thin = append(m.cur.thin, pdfGap{m.cur.x1, g.X})
			}
		case gap > wordGap*size && !blank:
			m.text = append(m.text, ' ')
		}
	}
	m.write(g)
	m.cur.x0 = math.Min(m.cur.x0, g.X)
	m.cur.x1 = math.Max(m.cur.x1, g.X+g.W)
	m.runes++
	m.sizes[math.Round(g.Size*10)/10]++
	if g.Bold {
		m.bold++
	}
	m.last = g
}

// write adds the characters of a glyph. Small ones above the line are marked as raised; the number that opens a note is known for one
// when what follows stands lower.
func (m *lineMaker) write(g pdf.Glyph) {
	const small, high = 0.95, 0.15 // of the size of the line
	switch above := g.Y - m.cur.y; {
	case g.Own < 0.75*m.digits[fontDigit{g.Font, g.Text}]: // drawn by the font above the line, or below it
		m.text = append(m.text, raised(g.Text)...)
		return
	case m.small > 0 && m.small == m.runes && g.Size*small > m.last.Size && above < -high*g.Size:
		number := strings.TrimRight(string(m.text), " ")
		m.text = append([]byte(raised(number)), m.text[len(number):]...)
		m.cur.y, m.small = g.Y, 0
	case m.runes == 0:
		m.small = 1
	case m.small == m.runes && g.Size == m.last.Size:
		m.small++
	case above > high*m.base && g.Size < small*m.base:
		m.text = append(m.text, raised(g.Text)...)
		return
	}
	if m.runes == 0 || g.Size > m.base {
		m.base = g.Size
	}
	m.text = append(m.text, m.directed(g)...)
}

// directed is the text of a glyph, and takes note of the way in which Arabic and Hebrew are drawn.
func (m *lineMaker) directed(g pdf.Glyph) string {
	r, size := utf8.DecodeRuneInString(g.Text)
	if !isRightToLeft(r) {
		return g.Text
	}
	if m.runes > 0 && m.rightToLeft() {
		if g.X > m.last.X {
			m.rightward++
		} else if g.X < m.last.X {
			m.rightward--
		}
	}
	if size == len(g.Text) || len(m.joined) == maxJoined {
		return g.Text
	}
	m.joined = append(m.joined, g.Text) // which must not be turned round
	return string(rune(firstJoined + len(m.joined) - 1))
}

// isOurs: characters that stand for something else here, and in no text.
func isOurs(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r >= firstJoined && r < firstJoined+maxJoined
}

// isSign reports whether a line so far is the sign of a list item.
func isSign(s string) bool {
	s = strings.TrimRight(s, " ")
	return s != "" && len(s) < 8 && marker(s+" ") == len(s)+1
}

// capital reports whether the line so far is one large letter, and the glyph goes on with its word.
func (m *lineMaker) capital(g pdf.Glyph) bool {
	first, _ := utf8.DecodeRuneInString(m.last.Text)
	next, _ := utf8.DecodeRuneInString(g.Text)
	return m.runes == 1 && m.last.Size > 1.8*g.Size && unicode.IsUpper(first) && unicode.IsLower(next) && !endsBlank(m.text)
}

func (m *lineMaker) begin(g pdf.Glyph) {
	m.cur = pdfLine{x0: g.X, x1: g.X, y: g.Y, size: g.Size}
	m.last = g
}

// breaks reports whether the glyph stands on another line than the one before it. Raised and lowered characters stay
// on theirs.
func (m *lineMaker) breaks(g pdf.Glyph) bool {
	size := math.Max(g.Size, m.last.Size)
	if math.Abs(g.Y-m.cur.y) > 0.55*size && math.Abs(g.Y-m.last.Y) > 0.3*size {
		return true
	}
	// Far back on the same line: another column, or the same line drawn again.
	return g.X < m.last.X-1.5*size && !m.rightToLeft()
}

// rightToLeft reports whether the line is Arabic or Hebrew, which is drawn from the right by some.
func (m *lineMaker) rightToLeft() bool {
	r, _ := utf8.DecodeLastRuneInString(m.last.Text)
	return isRightToLeft(r)
}

// repeated recognises a glyph drawn twice, a little beside itself, to look bold.
func (m *lineMaker) repeated(g pdf.Glyph) bool {
	return g.Text == m.last.Text && math.Abs(g.X-m.last.X) < 0.15*g.Size && math.Abs(g.Y-m.last.Y) < 0.15*g.Size
}

func (m *lineMaker) flush() {
	text := strings.TrimSpace(bracketNotes(string(m.text)))
	if m.rightward > 0 {
		text = logicalOrder(strings.ReplaceAll(text, thinGap, " "))
		m.cur.thin = nil
	}
	text = m.part(text)
	if text != "" {
		l := m.cur
		l.text = text
		l.bold = m.bold*10 > m.runes*8
		most := 0
		for s, n := range m.sizes {
			if n > most || n == most && s > l.size {
				most, l.size = n, s
			}
		}
		if n := len(m.lines); n == 0 || !sameLine(m.lines[n-1], l) {
			m.lines = append(m.lines, l)
		}
	}
	m.text = m.text[:0]
	m.runes, m.bold, m.base, m.small, m.rightward, m.joined = 0, 0, 0, 0, 0, nil
	clear(m.sizes)
}

// sameLine recognises a line that was drawn a second time, as shadows are.
func sameLine(a, b pdfLine) bool {
	return a.text == b.text && math.Abs(a.x0-b.x0) < 0.3*b.size && math.Abs(a.y-b.y) < 0.3*b.size
}

func endsBlank(s []byte) bool {
	return len(s) == 0 || s[len(s)-1] == ' ' || s[len(s)-1] == cellGap[0] || s[len(s)-1] == thinGap[0]
}
