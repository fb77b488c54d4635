package ingest

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid/ingest/internal/pdf"
)

// pdfText gathers the lines of all pages before it writes any: what is a running head, how large the body is set, and
// whether "paying-out" is one word or two is only known at the end.
type pdfText struct {
	size    int // bytes of text so far
	pages   []pdfPage
	letters int // letters and digits seen
	unknown int // glyphs whose character is not known
	body    float64

	keepArtifacts bool
	artifacts     bool // some were left out

	gutters []float64 // that parted the page before
}

type pdfPage struct {
	number int
	lines  []pdfLine
}

// pdfLine is a line of text on a page.
type pdfLine struct {
	text   string
	x0, x1 float64
	y      float64
	size   float64
	bold   bool
	cells  bool // holds wide gaps, as rows of tables do
	gaps   []pdfGap
	thin   []pdfGap
	head   float64 // how far above it the first line of its cells stands
	tail   float64 // how far below it the last one does
}

// pdfGap is a gap within a line that is wider than one between words. They stand in the order of its cellGaps or thinGaps.
type pdfGap struct{ from, to float64 }

// cellGap stands for a wide gap within a line until it is known whether the line is a row of a table, and thinGap for one that
// parts cells only if other lines have a gap at the same place.
const cellGap, thinGap = "\x1f", "\x1e"

// Those gaps, in sizes of the type. Cells of a crowded row stand closer than the words of a line that was spread to fill its column.
const cellGapLeast, thinGapLeast = 1.8, 0.7

// wordGap is the least distance between words, in sizes of the type. Letters stand closer, and kerning brings words as
// near as this.
const wordGap = 0.1

func (d *pdfText) addPage(number int, glyphs []pdf.Glyph) {
	if !d.keepArtifacts {
		all := len(glyphs)
		glyphs = slices.DeleteFunc(glyphs, func(g pdf.Glyph) bool { return g.Artifact })
		d.artifacts = d.artifacts || len(glyphs) < all
	}
	lines := joinCapitals(d.columns(dropLineNumbers(makeLines(upright(glyphs)))))
	lines = wrapCells(alignCells(lines))
	findRows(lines)
	for _, l := range lines {
		d.size += len(l.text) + 1
		for _, r := range l.text {
			switch {
			case r == utf8.RuneError:
				d.unknown++
			case unicode.IsLetter(r) || unicode.IsDigit(r):
				d.letters++
			}
		}
	}
	if len(lines) > 0 {
		d.pages = append(d.pages, pdfPage{number, lines})
	}
}

// upright keeps the text that is set the way most of the page is, turned so that it reads from left to right. A stamp
// up the margin is not part of the text; a table printed sideways is.
func upright(glyphs []pdf.Glyph) []pdf.Glyph {
	var count [4]int
	for _, g := range glyphs {
		count[g.Turn]++
	}
	main := 0
	for t := range count {
		if count[t] > count[main] {
			main = t
		}
	}
	if count[main] == len(glyphs) && main == 0 {
		return glyphs
	}
	out := glyphs[:0]
	for _, g := range glyphs {
		if g.Turn != main {
			continue
		}
		switch main {
		case 1:
			g.X, g.Y = g.Y, -g.X
		case 2:
			g.X, g.Y = -g.X, -g.Y
		case 3:
			g.X, g.Y = -g.Y, g.X
		}
		out = append(out, g)
	}
	return out
}

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

// readingOrder trusts the order in which the page is drawn, which with nearly all programs is the order of reading,
// unless it jumps about. Then lines are ordered by where they stand, columns one after the other.
func readingOrder(lines []pdfLine) []pdfLine {
	jumps := 0
	for i := 1; i < len(lines); i++ {
		a, b := lines[i-1], lines[i]
		up := b.y > a.y+0.5*b.size
		right := b.x0 > a.x0+5*b.size
		if up && !right || !up && math.Abs(a.y-b.y) < 0.2*b.size && b.x0 < a.x0 {
			jumps++
		}
	}
	if jumps <= 2 || jumps*8 < len(lines) {
		if gutter, ok := findGutter(lines); ok && backwards(lines, gutter) {
			return inColumns(byPlace(lines), []float64{gutter})
		}
		return lines
	}
	sorted := byPlace(lines)
	if gutter, ok := findGutter(lines); ok {
		return inColumns(sorted, []float64{gutter})
	}
	return joinRows(sorted)
}

// joinRows joins pieces that stand on one line.
func joinRows(lines []pdfLine) []pdfLine {
	var out []pdfLine
	for _, l := range lines {
		n := len(out)
		if n == 0 || math.Abs(out[n-1].y-l.y) > 0.4*l.size || l.x0 < out[n-1].x1-l.size {
			out = append(out, l)
			continue
		}
		p := &out[n-1]
		sep := ""
		switch gap := l.x0 - p.x1; {
		case gap > cellGapLeast*l.size:
			sep = cellGap
			p.gaps = append(p.gaps, pdfGap{p.x1, l.x0})
		case gap > thinGapLeast*l.size && !isSign(p.text):
			sep = thinGap
			p.thin = append(p.thin, pdfGap{p.x1, l.x0})
		case gap > wordGap*l.size:
			sep = " "
		}
		p.text += sep + l.text
		p.gaps, p.thin = append(p.gaps, l.gaps...), append(p.thin, l.thin...)
		p.x1 = l.x1
		p.bold = p.bold && l.bold
	}
	return out
}

// findGutter looks for an upright strip in the middle third that nearly no line crosses.
func findGutter(lines []pdfLine) (float64, bool) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, l := range lines {
		lo, hi = math.Min(lo, l.x0), math.Max(hi, l.x1)
	}
	best, bestCross := 0.0, len(lines)
	for i := 0; i <= 40; i++ {
		x := lo + (hi-lo)*(0.3+0.4*float64(i)/40)
		cross, left, right := 0, 0, 0
		for _, l := range lines {
			switch {
			case l.x1 <= x:
				left++
			case l.x0 >= x:
				right++
			default:
				cross++
			}
		}
		if left*5 > len(lines) && right*5 > len(lines) && cross < bestCross {
			best, bestCross = x, cross
		}
	}
	return best, bestCross*10 < len(lines)
}

func cmpFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// bodySize is the size in which most of the text is set.
func (d *pdfText) bodySize() float64 {
	if d.body > 0 {
		return d.body
	}
	count := map[float64]int{}
	for _, p := range d.pages {
		for _, l := range p.lines {
			count[math.Round(l.size*2)/2] += len(l.text)
		}
	}
	most := 0
	for s, n := range count {
		if n > most || n == most && s < d.body {
			most, d.body = n, s
		}
	}
	return d.body
}

// dropRunningHeads removes what stands at the head or foot of page after page: the same words, or the same but for a
// number. Only the outermost two lines of a page can be such, and only where at least three pages agree, or where they
// count the pages.
func (d *pdfText) dropRunningHeads() {
	if len(d.pages) < 2 {
		return
	}
	count := map[string]int{}
	for _, p := range d.pages {
		seen := map[string]bool{}
		for _, i := range edgeLines(p.lines) {
			if k := headKey(p.lines[i].text); !seen[k] {
				seen[k] = true
				count[k]++
			}
		}
	}
	offset, numbered := d.pageNumbers()
	dropped := make([]map[int]bool, len(d.pages))
	lines, gone := 0, 0
	for pi, p := range d.pages {
		drop := map[int]bool{}
		edges := edgeLines(p.lines)
		for _, i := range edges {
			text := p.lines[i].text
			n := count[headKey(text)]
			counts := numbered && slices.Contains(numbersIn(text), p.number+offset)
			switch {
			case n >= 3 && n*5 >= len(d.pages)*2: // left and right pages may have different heads
				drop[i] = true
			case n == 2 && len(d.pages) == 2 && (p.lines[i].size < 0.92*d.bodySize() || d.samePlace(text, i == edges[0] || i == edges[len(edges)-1])): // small or at the very edge, and on both
				drop[i] = true
			case counts && (n >= 2 || isPageNumber(text)):
				drop[i] = true
			case isPageNumber(text) && !isDigits(text) && slices.Contains(numbersIn(text), p.number): // "- 2 -"
				drop[i] = true
			}
		}
		dropped[pi] = drop
		lines += len(p.lines)
		gone += len(drop)
	}
	if gone*2 > lines {
		return // slides or labels: what is alike on all pages is all there is
	}
	for pi := range d.pages {
		p := &d.pages[pi]
		kept := p.lines[:0]
		for i, l := range p.lines {
			if !dropped[pi][i] {
				kept = append(kept, l)
			}
		}
		p.lines = kept
	}
}

// samePlace reports whether a line at the edge of one of two pages stands at the same place of both.
func (d *pdfText) samePlace(text string, edge bool) bool {
	if !edge {
		return false
	}
	var at []pdfLine
	for _, p := range d.pages {
		for _, i := range edgeLines(p.lines) {
			if p.lines[i].text == text {
				at = append(at, p.lines[i])
				break
			}
		}
	}
	return len(at) == 2 && math.Abs(at[0].y-at[1].y) < 1 && math.Abs(at[0].x0-at[1].x0) < 1
}

// pageNumbers finds out whether the pages carry numbers at their edges, and how far those are from the count of pages.
func (d *pdfText) pageNumbers() (offset int, ok bool) {
	count := map[int]int{}
	for _, p := range d.pages {
		seen := map[int]bool{}
		for _, i := range edgeLines(p.lines) {
			if len(p.lines[i].text) > 200 {
				continue
			}
			for _, n := range numbersIn(p.lines[i].text) {
				if o := n - p.number; !seen[o] {
					seen[o] = true
					count[o]++
				}
			}
		}
	}
	best := 0
	for o, n := range count {
		if n > best || n == best && (abs(o) < abs(offset) || abs(o) == abs(offset) && o > offset) {
			best, offset = n, o
		}
	}
	return offset, best >= 2 && best*5 >= len(d.pages)*3
}

// numbersIn gives the whole numbers of up to five digits in a line.
func numbersIn(s string) []int {
	var out []int
	for _, f := range strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' }) {
		if n, err := strconv.Atoi(f); err == nil && len(f) <= 5 && len(out) < 10 {
			out = append(out, n)
		}
	}
	return out
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// edgeLines are the two topmost and the two lowest lines of a page, or fewer where the page has few.
func edgeLines(lines []pdfLine) []int {
	order := make([]int, len(lines))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmpFloat(lines[b].y, lines[a].y) })
	n := max(1, min(2, (len(order)+1)/3))
	if len(order) <= 2*n {
		return order
	}
	return append(order[:n:n], order[len(order)-n:]...)
}

// headKey is a line with its numbers made alike.
func headKey(s string) string {
	var out strings.Builder
	digit := false
	for _, r := range s {
		if unicode.IsDigit(r) {
			if !digit {
				out.WriteByte('#')
			}
			digit = true
			continue
		}
		digit = false
		out.WriteRune(r)
	}
	return collapse(strings.ReplaceAll(out.String(), cellGap, " "))
}

func isPageNumber(s string) bool {
	s = strings.ToLower(strings.Trim(s, " -–—|•"))
	s = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(s, "page"), "p."))
	if i := strings.IndexAny(s, "/o"); i > 0 { // 3/10, 3 of 10
		s = strings.TrimSpace(s[:i])
	}
	if s == "" || len(s) > 6 {
		return false
	}
	if _, err := strconv.Atoi(s); err == nil {
		return true
	}
	return strings.Trim(s, "ivxlc") == ""
}

func isDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

func itoa(n int) string { return strconv.Itoa(n) }
