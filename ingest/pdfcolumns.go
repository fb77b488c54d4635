package ingest

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// columns puts the lines of a page in the order of reading. Where columns are drawn side by side, line by line, as some programs
// do, each line of the page is one of every column with a gap between: those are parted first, or they would be rows of a table.
func (d *pdfText) columns(lines []pdfLine) []pdfLine {
	gutters := findGutters(lines, d.gutters)
	if len(gutters) == 0 {
		return readingOrder(lines)
	}
	d.gutters = gutters
	var parts []pdfLine
	for _, l := range lines {
		parts = append(parts, l.cut(gutters)...)
	}
	return inColumns(byPlace(parts), gutters)
}

// cut parts a line at the gaps that lie on a gutter.
func (l pdfLine) cut(gutters []float64) []pdfLine {
	var out []pdfLine
	texts := strings.Split(l.text, cellGap)
	if len(texts) != len(l.gaps)+1 {
		return []pdfLine{l}
	}
	piece := l
	piece.text, piece.gaps = texts[0], nil
	for i, g := range l.gaps {
		if slices.ContainsFunc(gutters, func(x float64) bool { return g.from <= x && x <= g.to }) {
			piece.x1 = g.from
			piece.thin = piece.thinWithin()
			out = append(out, piece)
			piece = l
			piece.text, piece.gaps, piece.x0 = texts[i+1], nil, g.to
			continue
		}
		piece.text += cellGap + texts[i+1]
		piece.gaps = append(piece.gaps, g)
	}
	piece.thin = piece.thinWithin()
	return append(out, piece)
}

// thinWithin is what is left of the thin gaps of a line that was cut off it.
func (l pdfLine) thinWithin() []pdfGap {
	var out []pdfGap
	for _, g := range l.thin {
		if g.from >= l.x0 && g.to <= l.x1 {
			out = append(out, g)
		}
	}
	return out
}

// maxGutters is how many columns a page can have, less one.
const maxGutters = 4

// findGutters looks for gaps that stand above each other in line after line, with prose on both sides: the lines of a column are
// full and go on within sentences, those of a table's cells are neither.
func findGutters(lines []pdfLine, known []float64) []float64 {
	type edge struct{ x, size float64 }
	var edges []edge
	for _, l := range lines {
		for _, g := range l.gaps {
			edges = append(edges, edge{g.to, l.size})
		}
	}
	if len(edges) > 20000 {
		return nil
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmpFloat(a.x, b.x) })
	var out []float64
	for i := 0; i < len(edges) && len(out) < maxGutters; {
		n := i + 1 // whatever the size: text may have none
		for n < len(edges) && edges[n].x-edges[i].x < 0.5*edges[i].size {
			n++
		}
		// The left edge of a column is straight. A paragraph's first line may be set in.
		x := edges[i].x - 0.2*edges[i].size
		before := slices.ContainsFunc(known, func(k float64) bool { return math.Abs(k-x) < edges[i].size })
		if least := 5; n-i >= least || before && n-i >= 2 {
			if columnsAt(lines, x, before) {
				out = append(out, x)
			}
		}
		i = n
	}
	return out
}

// columnsAt reports whether prose stands on both sides of a gutter.
func columnsAt(lines []pdfLine, x float64, known bool) bool {
	var left, right []pdfLine
	cross := 0
	for _, l := range lines {
		i := slices.IndexFunc(l.gaps, func(g pdfGap) bool { return g.from <= x && x <= g.to })
		texts := strings.Split(l.text, cellGap)
		switch {
		case i >= 0 && len(texts) == len(l.gaps)+1:
			a, b := l, l
			a.text, a.x1 = texts[i], l.gaps[i].from
			if i > 0 {
				a.x0 = l.gaps[i-1].to
			}
			b.text, b.x0 = texts[i+1], l.gaps[i].to
			if i+1 < len(l.gaps) {
				b.x1 = l.gaps[i+1].from
			}
			left, right = append(left, a), append(right, b)
		case l.x0 < x && l.x1 > x:
			cross++
		}
	}
	if known {
		return cross <= len(left) && letterCount(left) >= 12*len(left)
	}
	return cross <= len(left) && isColumn(left) && isColumn(right)
}

func letterCount(lines []pdfLine) int {
	n := 0
	for _, l := range lines {
		n += utf8.RuneCountInString(l.text)
	}
	return n
}

// isColumn reports whether lines are those of running text: long, nearly all full, and many begin within a sentence.
func isColumn(lines []pdfLine) bool {
	widths := make([]float64, len(lines))
	for i, l := range lines {
		widths[i] = l.x1 - l.x0
	}
	slices.Sort(widths)
	wide := widths[len(widths)*9/10]
	full, within := 0, 0
	for _, l := range lines {
		if l.x1-l.x0 >= 0.75*wide {
			full++
		}
		if r, _ := utf8.DecodeRuneInString(l.text); unicode.IsLetter(r) && !unicode.IsUpper(r) {
			within++
		}
	}
	return letterCount(lines) >= 20*len(lines) && full*10 >= len(lines)*6 && within*10 >= len(lines)*4
}

// byPlace orders lines from the top, and from the left where they stand side by side.
func byPlace(lines []pdfLine) []pdfLine {
	sorted := slices.Clone(lines)
	slices.SortStableFunc(sorted, func(a, b pdfLine) int {
		if math.Abs(a.y-b.y) > 0.4*math.Min(a.size, b.size) {
			return cmpFloat(b.y, a.y)
		}
		return cmpFloat(a.x0, b.x0)
	})
	return sorted
}

// inColumns reads columns one after the other. Lines that cross a gutter part the page into bands; in each band the left column
// comes first.
func inColumns(sorted []pdfLine, gutters []float64) []pdfLine {
	var out []pdfLine
	columns := make([][]pdfLine, len(gutters)+1)
	flush := func() {
		for i := range columns {
			out = append(out, joinRows(columns[i])...)
			columns[i] = nil
		}
	}
	for _, l := range sorted {
		i := 0
		for i < len(gutters) && l.x0 >= gutters[i] {
			i++
		}
		if i < len(gutters) && l.x1 > gutters[i] {
			flush()
			out = append(out, l)
			continue
		}
		columns[i] = append(columns[i], l)
	}
	flush()
	return out
}

// backwards reports whether a right column was drawn before the left one that stands beside it.
func backwards(lines []pdfLine, gutter float64) bool {
	top, bottom, late := math.Inf(-1), math.Inf(1), 0
	for _, l := range lines {
		switch {
		case l.x0 >= gutter:
			top, bottom = math.Max(top, l.y), math.Min(bottom, l.y)
		case l.x1 > gutter:
			top, bottom = math.Inf(-1), math.Inf(1)
		case l.y <= top && l.y >= bottom:
			late++
		}
	}
	return late > 2
}

// dropLineNumbers takes off what reviewers refer to: numbers beside the text that count its lines.
func dropLineNumbers(lines []pdfLine) []pdfLine {
	const least = 5
	var found []int
	last, edge := 0, 0.0
	for i, l := range lines {
		n, ok := leadingNumber(l)
		if !ok {
			continue
		}
		if len(found) > 0 && (n <= last || n > last+5 || math.Abs(l.x0-edge) > 2*l.size) {
			continue
		}
		found = append(found, i)
		last, edge = n, l.x0
	}
	// All lines, or every fifth one.
	if len(found) < least || len(found)*6 < len(lines) || !countsUp(lines, found) {
		return lines
	}
	var out []pdfLine
	at := 0
	for i, l := range lines {
		if at < len(found) && found[at] == i {
			at++
			_, rest, _ := strings.Cut(l.text, cellGap)
			if rest == "" {
				continue
			}
			l.text, l.x0, l.gaps = rest, l.gaps[0].to, l.gaps[1:]
			l.thin = l.thinWithin()
		}
		out = append(out, l)
	}
	return out
}

// leadingNumber is a number that stands alone, or before a gap with text behind it.
func leadingNumber(l pdfLine) (int, bool) {
	head, rest, more := strings.Cut(l.text, cellGap)
	n, err := strconv.Atoi(head)
	if err != nil || n < 1 || more && (len(l.gaps) == 0 || !strings.ContainsFunc(rest, unicode.IsLetter)) {
		return 0, false
	}
	return n, true
}

// countsUp reports whether the numbers go up by one or by five, and stand beside running text: those of a table's rows or a list's
// items do not, as hardly any of these begin within a sentence.
func countsUp(lines []pdfLine, found []int) bool {
	step, within := 0, 0
	for i, at := range found {
		n, _ := leadingNumber(lines[at])
		if i > 0 {
			before, _ := leadingNumber(lines[found[i-1]])
			if step == 0 {
				step = n - before
			}
			if n-before != step {
				return false
			}
		}
		if text := textBeside(lines, at); len(text) > 25 && startsLower(text) {
			within++
		}
	}
	return (step == 1 || step == 5) && within*10 >= len(found)*3
}

// textBeside is what stands to the right of a number, in its line or drawn apart from it.
func textBeside(lines []pdfLine, at int) string {
	n := lines[at]
	if _, rest, ok := strings.Cut(n.text, cellGap); ok {
		return rest
	}
	for _, l := range lines[:min(len(lines), 2000)] {
		if math.Abs(l.y-n.y) < 0.4*l.size && l.x0 > n.x1 {
			return l.text
		}
	}
	return ""
}

// joinCapitals puts the large first letter of a chapter before its word.
func joinCapitals(lines []pdfLine) []pdfLine {
	out := lines[:0]
	for i, l := range lines {
		if i+1 == len(lines) {
			return append(out, l)
		}
		next := &lines[i+1]
		if utf8.RuneCountInString(l.text) != 1 || l.size < 1.8*next.size || next.x0 < l.x0 || next.x0-l.x1 > next.size {
			out = append(out, l)
			continue
		}
		r, _ := utf8.DecodeRuneInString(l.text)
		if first, _ := utf8.DecodeRuneInString(next.text); unicode.IsUpper(r) && unicode.IsLower(first) {
			next.text = l.text + next.text
			continue
		}
		out = append(out, l)
	}
	return out
}
