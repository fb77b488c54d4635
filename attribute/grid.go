package attribute

import (
	"slices"
	"sort"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// row is one of a table, as Markdown has it (| Pro | $12 |) or as tables are ingested (Plan: Pro | Price: $12). Its first cell is its name.
type row struct {
	cells []cell
	name  []string // the words of the first that count
}

// cell is a value with the name of its column.
type cell struct {
	column string
	at     ibid.Span
}

// table is what the rows of a passage's tables say, to look up.
type table struct {
	rows    []row
	named   map[string][]int    // rows by the word of their name that the fewest others have
	columns map[figure][]string // names of the columns that an amount stands in
}

// figure is an amount whatever its place.
type figure struct {
	value float64
	unit  string
}

// table gives the tables of a passage, which are read when first asked for; nil where it has none.
func (t *turn) table(passage int) *table {
	if x, ok := t.tables[passage]; ok {
		return x
	}
	rows := grid(t.tongues[passage], t.passages[passage].Chunk.Text)
	t.tables[passage] = nil
	if len(rows) == 0 {
		return nil
	}
	x := &table{rows, map[string][]int{}, map[figure][]string{}}
	t.tables[passage] = x
	count := map[string]int{}
	for _, r := range rows {
		for _, key := range r.name {
			count[key]++
		}
	}
	for i, r := range rows {
		if len(r.name) > 0 {
			rarest := slices.MinFunc(r.name, func(a, b string) int { return count[a] - count[b] })
			x.named[rarest] = append(x.named[rarest], i)
		}
		for _, c := range r.cells[1:] {
			t.amountIn(passage, c.at, func(a amount) bool {
				f := figure{a.value, a.unit}
				if !slices.Contains(x.columns[f], c.column) {
					x.columns[f] = append(x.columns[f], c.column)
				}
				return false
			})
		}
	}
	return x
}

// own is the row that a text with such words names, nil where it names none or more than one.
func (x *table) own(said map[string]bool) *row {
	var own *row
	for key := range said {
		for _, i := range x.named[key] {
			if slices.ContainsFunc(x.rows[i].name, func(key string) bool { return !said[key] }) {
				continue
			}
			if own != nil {
				return nil
			}
			own = &x.rows[i]
		}
	}
	return own
}

// grid reads the rows of the tables of a text. A table whose columns have no names gives none.
func grid(g *token.Tongue, text string) []row {
	if !strings.Contains(text, "|") {
		return nil
	}
	var out []row
	var head []string // the names of columns that stand above
	at := 0
	for line := range strings.Lines(text) {
		cells := cellsOf(line, at)
		at += len(line)
		switch {
		case len(cells) < 2:
			head = nil
		case strings.Trim(line, "|-: \t\r\n") == "": // the rule under the head
		case labelled(cells, text):
			for i := range cells {
				name, value, ok := strings.Cut(cells[i].at.In(text), ": ")
				if ok {
					cells[i] = cell{name, ibid.Span{Start: cells[i].at.End - len(value), End: cells[i].at.End}}
				}
			}
			out = append(out, row{cells, g.ContentKeys(cells[0].at.In(text))})
		case head == nil:
			for _, c := range cells {
				head = append(head, c.at.In(text))
			}
		case len(cells) == len(head):
			for i := range cells {
				cells[i].column = head[i]
			}
			out = append(out, row{cells, g.ContentKeys(cells[0].at.In(text))})
		}
	}
	return out
}

// cellsOf cuts a line at its bars.
func cellsOf(line string, at int) []cell {
	if !strings.Contains(line, "|") {
		return nil
	}
	left := len(line) - len(strings.TrimLeft(line, " \t|"))
	right := len(strings.TrimRight(line, " \t\r\n|"))
	var out []cell
	for from := left; from <= right && left < right; {
		to := right
		if n := strings.IndexByte(line[from:right], '|'); n >= 0 {
			to = from + n
		}
		value := line[from:to]
		start := from + len(value) - len(strings.TrimLeft(value, " \t"))
		out = append(out, cell{at: ibid.Span{Start: at + start, End: at + start + len(strings.TrimSpace(value))}})
		from = to + 1
	}
	return out
}

// labelled reports whether all cells but the first name their column.
func labelled(cells []cell, text string) bool {
	return !slices.ContainsFunc(cells[1:], func(c cell) bool { return !strings.Contains(c.at.In(text), ": ") })
}

// rows finds a number that a table has in the row of something else: the price of the Team plan for that of the Pro plan. The segment must name one row
// alone, and the number must stand in one column alone.
func (c *comparison) rows() {
	table := c.t.table(c.a.passage)
	if table == nil || c.mine.denies() {
		return
	}
	said := map[string]bool{}
	for _, k := range c.s.content {
		said[c.s.tokens[k].Key] = true
	}
	own := table.own(said)
	if own == nil {
		return
	}
	for k, tok := range c.s.tokens {
		mine, ok := c.mine.amount(k)
		if h, _ := c.mine.hedge(mine.from); !ok || !tok.Kind.Has(token.Number) || tok.Kind.Has(token.Stop) || h != exact || c.elsewhere(k) {
			continue
		}
		has := func(at ibid.Span) bool {
			_, _, found := c.t.amountIn(c.a.passage, at, func(a amount) bool { return a.value == mine.value && a.unit == mine.unit })
			return found
		}
		if slices.ContainsFunc(own.cells, func(x cell) bool { return has(x.at) }) {
			continue
		}
		var here []cell // the cells of its own row in the columns that have the number elsewhere
		for _, x := range own.cells[1:] {
			named := mine.unit != "" || slices.ContainsFunc(c.t.tongues[c.a.passage].ContentKeys(x.column), func(key string) bool { return said[key] })
			if named && slices.Contains(table.columns[figure{mine.value, mine.unit}], x.column) {
				here = append(here, x)
			}
		}
		if len(here) != 1 {
			continue
		}
		if left, right, ok := c.t.amountIn(c.a.passage, here[0].at, func(a amount) bool { return a.unit == mine.unit }); ok {
			before := len(c.found)
			c.add("number", mine.from, mine.to, left, right, c.instead(mine.from, mine.to, left, right))
			for i := before; i < len(c.found); i++ {
				c.found[i].plain = true // a table leaves nothing to reckon
			}
		}
	}
}

// amountIn finds the tokens of the first amount that fits within a span of a passage.
func (t *turn) amountIn(passage int, at ibid.Span, fits func(amount) bool) (left, right int, ok bool) {
	sentences := t.sentences[t.firsts[passage]:t.firsts[passage+1]]
	first := sort.Search(len(sentences), func(i int) bool { return sentences[i].at.End > at.Start })
	for _, s := range sentences[first:] {
		if s.at.Start >= at.End {
			break
		}
		l := t.line(passage, s.start, s.end)
		i := s.start + sort.Search(s.end-s.start, func(i int) bool { return int(t.tokens[s.start+i].start) >= at.Start })
		for ; i < s.end && int(t.tokens[i].end) <= at.End; i++ {
			t.operations++
			if !l.at(i).Kind.Has(token.Number) {
				continue
			}
			if a, ok := l.amount(i); ok && fits(a) {
				return a.from, a.to, true
			}
		}
	}
	return 0, 0, false
}
