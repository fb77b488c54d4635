package ingest

import "strings"

// tables writes those of a document row by row, as their elements begin and end. One within a cell is text of that cell.
type tables struct {
	open  int
	cells []string // of the row being read
	cell  strings.Builder
	spans int  // columns that the cell spans beside its own
	empty int  // of the cell before: cells that come before the next
	gone  bool // the row was deleted
}

func (t *tables) begin(b *builder) {
	if t.open++; t.open == 1 {
		b.loose()
	}
}

func (t *tables) end(b *builder) {
	if t.open = max(0, t.open-1); t.open == 0 {
		b.loose()
	}
}

func (t *tables) beginRow() {
	if t.open == 1 {
		t.cells, t.empty, t.gone = nil, 0, false
	}
}

func (t *tables) endRow(b *builder) {
	if t.open == 1 {
		if !t.gone {
			b.line(joinCells(t.cells))
		}
		t.cells = nil
	}
}

// dropRow forgets the row that is read.
func (t *tables) dropRow() { t.gone = t.gone || t.open == 1 }

func (t *tables) beginCell() {
	if t.open == 1 {
		t.cell.Reset()
		t.spans = 0
	}
}

// span says how many columns the cell has. Those below stay in theirs, as empty cells come behind it.
func (t *tables) span(columns int) {
	if t.open == 1 {
		t.spans = min(max(columns, 1), maxColumns) - 1
	}
}

// cover says that columns are empty because another cell spans them.
func (t *tables) cover(columns int) {
	if t.open == 1 && len(t.cells) < maxColumns {
		t.empty = min(t.empty+max(columns, 1), maxColumns)
	}
}

func (t *tables) endCell() {
	if t.open == 1 {
		t.cells = append(append(t.cells, make([]string, t.empty)...), collapse(t.cell.String()))
		if t.empty = 0; len(t.cells) < maxColumns {
			t.empty = t.spans
		}
	}
}
