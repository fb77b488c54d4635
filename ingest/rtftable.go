package ingest

import "slices"

// rtfTable keeps the rows of a table until all are known: a cell says where it ends, and only the others tell how many columns it spans.
type rtfTable struct {
	rows []rtfRow
	size int // bytes of text
}

type rtfRow struct {
	cells []string
	edges []int
}

func (t *rtfTable) add(b *builder, cells []string, edges []int) {
	const most = 1000 // rows that are looked at together
	if len(t.rows) == 0 {
		b.loose()
	}
	t.rows = append(t.rows, rtfRow{cells, edges})
	for _, c := range cells {
		t.size += len(c)
	}
	if len(t.rows) == most {
		t.writeRows(b)
	}
}

// write ends the table.
func (t *rtfTable) write(b *builder) {
	if len(t.rows) > 0 {
		t.writeRows(b)
		b.loose()
	}
}

func (t *rtfTable) writeRows(b *builder) {
	edges := t.edges()
	for _, r := range t.rows {
		b.line(joinCells(r.spread(edges)))
	}
	t.rows, t.size = t.rows[:0], 0
}

// rtfNear is how far apart edges of one column may be, in twentieths of a point.
const rtfNear = 30

// edges are those of all columns, in order.
func (t *rtfTable) edges() []int {
	var all []int
	for _, r := range t.rows {
		all = append(all, r.edges...)
	}
	slices.Sort(all)
	return slices.CompactFunc(all, func(a, b int) bool { return abs(b-a) < rtfNear })
}

// spread puts empty cells behind those that span several columns.
func (r rtfRow) spread(edges []int) []string {
	if len(r.cells) != len(r.edges) || len(edges) > maxColumns {
		return r.cells
	}
	var out []string
	column := 0
	for i, c := range r.cells {
		for len(out) < column {
			out = append(out, "")
		}
		out = append(out, c)
		column++
		for column < len(edges) && edges[column] < r.edges[i]+rtfNear {
			column++
		}
	}
	return out
}
