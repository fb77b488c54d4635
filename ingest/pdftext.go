package ingest

import (
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

func isDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

func itoa(n int) string { return strconv.Itoa(n) }
