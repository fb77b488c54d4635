package ingest

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// alignCells makes cells of what stands between thin gaps, where the gaps of other rows of the table stand at the same place. All other
// thin gaps are spaces.
func alignCells(lines []pdfLine) []pdfLine {
	joinSpread(lines)
	for i := 0; i < len(lines); {
		n := i + 1
		for n < len(lines) && sameTable(lines[i], lines[n-1], lines[n]) {
			n++
		}
		alignRows(lines[i:n])
		i = n
	}
	for i := range lines {
		lines[i].text, lines[i].thin = strings.ReplaceAll(lines[i].text, thinGap, " "), nil
	}
	return lines
}

// joinSpread makes words of what was spread to fill its column: lines between two of running text that have the same edges, and lines that
// look so with one above or below them.
func joinSpread(lines []pdfLine) {
	alike := func(a, b pdfLine) bool {
		return math.Abs(a.y-b.y) < 1.7*a.size && math.Abs(a.size-b.size) < 0.08*a.size && math.Abs(a.x0-b.x0) < 0.2*a.size && math.Abs(a.x1-b.x1) < 0.2*a.size
	}
	text := func(of, i int) bool {
		return i >= 0 && i < len(lines) && len(lines[i].gaps) == 0 && alike(lines[of], lines[i])
	}
	for i := 0; i < len(lines); {
		n, looks := i, true
		for n < len(lines) && len(lines[n].gaps) > 0 && (n == i || alike(lines[n-1], lines[n])) {
			looks = looks && lines[n].spread()
			n++
		}
		if n > i && (text(i, i-1) && text(n-1, n) || looks && (text(i, i-1) || text(n-1, n))) {
			for k := i; k < n; k++ {
				lines[k].text = strings.NewReplacer(cellGap, " ", thinGap, " ").Replace(lines[k].text)
				lines[k].gaps, lines[k].thin = nil, nil
			}
		}
		i = max(n, i+1)
	}
}

// spread reports whether a line may be one of running text that was spread: words alone, and all gaps between them alike.
func (l pdfLine) spread() bool {
	gaps := slices.Concat(l.gaps, l.thin)
	words := strings.FieldsFunc(l.text, func(r rune) bool { return r == rune(cellGap[0]) || r == rune(thinGap[0]) })
	if len(gaps) < 2 || len(words) != len(gaps)+1 || strings.Contains(l.text, " ") || utf8.RuneCountInString(l.text) < 5*len(words) {
		return false
	}
	for _, g := range gaps[1:] {
		if math.Abs(g.to-g.from-(gaps[0].to-gaps[0].from)) > 0.1*l.size {
			return false
		}
	}
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.ContainsFunc(w, unicode.IsLetter) })
}

// sameTable reports whether a line may be one of the table that another begins: it has gaps, or goes on below a cell that is not the first.
func sameTable(first, above, l pdfLine) bool {
	if dy := above.y - l.y; dy < 0.5*l.size || dy > 3*l.size || math.Abs(l.size-above.size) > 0.2*l.size || len(first.gaps)+len(first.thin) == 0 || len(first.gaps)+len(first.thin) >= maxColumns {
		return false
	}
	n := len(l.gaps) + len(l.thin)
	return n > 0 && n < maxColumns || n == 0 && l.x0 > first.x0+2*l.size
}

// maxColumns is how many columns a table can have. More of them are letters that are set apart.
const maxColumns = 64

func alignRows(rows []pdfLine) {
	const near = 8 // rows that are looked at on each side
	if len(rows) < 2 {
		return
	}
	wide := 0
	for _, r := range rows {
		if len(r.gaps) > 0 {
			wide++
		}
	}
	for range 2 { // what was found helps to find more
		for i := range rows {
			rows[i].widen(func(g pdfGap) bool {
				around := rows[max(0, i-near):min(len(rows), i+near+1)]
				return wide > 1 && gapAt(around, g) || isGutter(around, g, wide > 1)
			})
		}
	}
}

// gapAt reports whether one of the rows has a wide gap where a thin one is.
func gapAt(rows []pdfLine, thin pdfGap) bool {
	for _, r := range rows {
		if overlap(gapOver(r.gaps, thin), thin) > 0.3*r.size {
			return true
		}
	}
	return false
}

// isGutter reports whether a strip goes through all rows, at least three of them, that no word stands in. Where nothing else says that
// they are a table there must be more of them, and the strip wider.
func isGutter(rows []pdfLine, strip pdfGap, table bool) bool {
	n, least, width := 0, 3, 0.3
	if !table {
		least, width = 4, 0.9
	}
	for _, r := range rows {
		if strip.from >= r.x1 || strip.to <= r.x0 {
			continue // it ends before, or goes on below another cell
		}
		cut := gapOver(r.gaps, strip)
		if g := gapOver(r.thin, strip); overlap(g, strip) > overlap(cut, strip) {
			cut = g
		}
		strip = pdfGap{math.Max(strip.from, cut.from), math.Min(strip.to, cut.to)}
		if strip.to-strip.from < width*r.size {
			return false
		}
		n++
	}
	return n >= least
}

// gapOver is the gap of a line that has most in common with a strip. They stand in order.
func gapOver(gaps []pdfGap, strip pdfGap) pdfGap {
	best := pdfGap{}
	i, _ := slices.BinarySearchFunc(gaps, strip.from, func(g pdfGap, x float64) int { return cmpFloat(g.to, x) })
	for ; i < len(gaps) && gaps[i].from < strip.to; i++ {
		if overlap(gaps[i], strip) > overlap(best, strip) {
			best = gaps[i]
		}
	}
	return best
}

func overlap(a, b pdfGap) float64 { return math.Min(a.to, b.to) - math.Max(a.from, b.from) }

// widen makes wide gaps of those thin ones that part cells.
func (l *pdfLine) widen(parts func(pdfGap) bool) {
	pieces := strings.Split(l.text, thinGap)
	if len(l.thin) == 0 || len(pieces) != len(l.thin)+1 {
		return
	}
	var thin []pdfGap
	text := pieces[0]
	for i, g := range l.thin {
		if parts(g) {
			text += cellGap
			l.gaps = append(l.gaps, g)
		} else {
			text += thinGap
			thin = append(thin, g)
		}
		text += pieces[i+1]
	}
	l.text, l.thin = text, thin
	slices.SortFunc(l.gaps, func(a, b pdfGap) int { return cmpFloat(a.from, b.from) })
}

// findRows keeps wide gaps where lines stand together that have them. A single one is a line that was spread to fill its
// column.
func findRows(lines []pdfLine) {
	row := func(i int) bool { return strings.Contains(lines[i].text, cellGap) }
	beside := func(i, step int) bool { // another row, with what goes on below cells between them
		const most = 12
		for j := i + step; j >= 0 && j < len(lines) && abs(j-i) < most; j += step {
			if row(j) {
				return true
			}
			if lines[j].x0 < lines[i].x0+2*lines[i].size || math.Abs(lines[j].y-lines[j-step].y) > 3*lines[i].size {
				return false
			}
		}
		return false
	}
	for i := range lines {
		lines[i].cells = row(i) && (beside(i, 1) || beside(i, -1))
	}
	for i := 0; i < len(lines); {
		if !lines[i].cells {
			lines[i].text = strings.ReplaceAll(lines[i].text, cellGap, " ")
			i++
			continue
		}
		n := i + 1
		for n < len(lines) && lines[n].cells && lines[n].y < lines[n-1].y {
			n++
		}
		fillRows(lines[i:n])
		i = n
	}
}

// fillRows puts empty cells where a row has none and others of its table do, so that all cells of a column have the same number before them.
func fillRows(rows []pdfLine) {
	var columns []pdfGap // what cells fill in the rows that have most of them
	for _, r := range rows {
		cells := r.cellPlaces()
		switch {
		case len(cells) > len(columns):
			columns = cells
		case len(cells) == len(columns):
			for i, c := range cells {
				columns[i] = pdfGap{math.Min(columns[i].from, c.from), math.Max(columns[i].to, c.to)}
			}
		}
	}
	for i := 1; i < len(columns); i++ {
		if len(columns) > maxColumns || columns[i].from < columns[i-1].to {
			return // not of one table
		}
	}
	for i := range rows {
		rows[i].fill(columns)
	}
}

func (l pdfLine) cellPlaces() []pdfGap {
	var out []pdfGap
	x := l.x0
	for _, g := range l.gaps {
		out = append(out, pdfGap{x, g.from})
		x = g.to
	}
	return append(out, pdfGap{x, l.x1})
}

// fill gives each cell the number of the first column that it stands in.
func (l *pdfLine) fill(columns []pdfGap) {
	cells, places := strings.Split(l.text, cellGap), l.cellPlaces()
	if len(cells) != len(places) || len(cells) >= len(columns) {
		return
	}
	var out []string
	for i, c := range cells {
		n := slices.IndexFunc(columns, func(col pdfGap) bool { return overlap(col, places[i]) > 0 })
		if n < len(out) { // it stands between columns, or in the one of the cell before
			return
		}
		for len(out) < n {
			out = append(out, "")
		}
		out = append(out, c)
	}
	l.text = strings.Join(out, cellGap)
}

// wrapCells brings what a cell says on further lines to its row: words that go on below a column which is not the first, and cells that
// are drawn only behind them.
func wrapCells(lines []pdfLine) []pdfLine {
	var out []pdfLine
	row := false // the last of out is one
	below := 0.0 // where its last line stands
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		if len(out) == 0 {
			out, row, below = append(out, l), len(l.gaps) > 0, l.y
			continue
		}
		r := &out[len(out)-1]
		if row {
			if joined, ok := r.wrap(l, below); ok {
				*r = joined
				below, r.tail = l.y, math.Max(r.tail, r.y-l.y)
				continue
			}
			if r.takes(l) {
				r.text += cellGap + l.text
				r.gaps = append(append(r.gaps, pdfGap{r.x1, l.x0}), l.gaps...)
				r.x1, below = l.x1, l.y
				continue
			}
		}
		if n := r.tallCell(lines[i:]); n > 0 {
			r.addTall(lines[i : i+n])
			row, below = true, r.y
			i += n - 1
			continue
		}
		out = append(out, l)
		row, below = len(l.gaps) > 0, l.y
	}
	return out
}

// tallCell is how many lines are a further cell of a row whose other cells stand beside its middle.
func (r pdfLine) tallCell(lines []pdfLine) int {
	const most = 8
	n := 0
	for n < len(lines) && n <= most {
		l := lines[n]
		if len(l.gaps) > 0 || l.x0 < r.x1+0.5*l.size || math.Abs(l.size-r.size) > 0.08*r.size || len(r.text) > maxCells {
			break
		}
		if n > 0 {
			if dy := lines[n-1].y - l.y; dy < 0.5*l.size || dy > 2.2*l.size {
				break
			}
		}
		n++
	}
	if n < 2 || n > most || math.Abs((lines[0].y+lines[n-1].y)/2-r.y) > 0.35*r.size {
		return 0
	}
	return n
}

func (r *pdfLine) addTall(lines []pdfLine) {
	x0, x1 := lines[0].x0, lines[0].x1
	text := ""
	for _, l := range lines {
		x0, x1 = math.Min(x0, l.x0), math.Max(x1, l.x1)
		text = joinCell(text, l.text)
	}
	r.text += cellGap + text
	r.gaps = append(r.gaps, pdfGap{r.x1, x0})
	r.x1, r.tail, r.head = x1, math.Max(r.tail, r.y-lines[len(lines)-1].y), math.Max(r.head, lines[0].y-r.y)
}

// joinCell goes on with the text of a cell on its next line.
func joinCell(cell, next string) string {
	if cell == "" {
		return next
	}
	if word, cut := strings.CutSuffix(cell, "-"); cut && word != "" && word[len(word)-1] != ' ' && startsLower(next) {
		return word + next
	}
	return cell + " " + next
}

// takes reports whether a line is a further cell of a row, drawn behind the lines of the one before.
func (r pdfLine) takes(l pdfLine) bool {
	return math.Abs(r.y-l.y) < 0.2*l.size && l.x0 > r.x1+0.5*l.size && math.Abs(l.size-r.size) < 0.08*r.size && len(r.text) < maxCells
}

// maxCells is how long a row may be in bytes.
const maxCells = 8 << 10

// wrap adds a line to the cells of a row, where each piece of it goes on with one of them.
func (r pdfLine) wrap(l pdfLine, below float64) (pdfLine, bool) {
	if len(r.text) > maxCells { // no table has such rows
		return r, false
	}
	cells, pieces := strings.Split(r.text, cellGap), strings.Split(l.text, cellGap)
	if dy := below - l.y; dy <= 0 || dy > 1.6*l.size || math.Abs(l.size-r.size) > 0.08*r.size || len(cells) != len(r.gaps)+1 || len(pieces) != len(l.gaps)+1 || len(pieces) > len(cells) {
		return r, false
	}
	places := l.cellPlaces()
	from := 1
	for i, p := range pieces {
		for from < len(cells) && math.Abs(r.gaps[from-1].to-places[i].from) > 0.6*l.size {
			from++
		}
		if from >= len(cells) || !startsLower(p) && (len(pieces) > 1 || !goesOn(cells[from])) {
			return r, false
		}
		cells[from] = joinCell(cells[from], p)
		if from == len(cells)-1 {
			r.x1 = math.Max(r.x1, places[i].to)
		} else {
			r.gaps[from].from = math.Max(r.gaps[from].from, math.Min(places[i].to, r.gaps[from].to))
		}
		from++
	}
	r.text = strings.Join(cells, cellGap)
	return r, true
}

// goesOn reports whether a cell is a sentence that is not at its end, and not a name with another one below it.
func goesOn(cell string) bool { return !ended(cell) && strings.Count(cell, " ") > 2 }
