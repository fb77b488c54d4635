package ingest

import "strings"

// tables writes those of a document row by row, as their elements begin and end. One within a cell is text of that cell.
type tables struct {
	open  int
	cells []string // of the row being read
	cell  strings.Builder
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
		t.cells = nil
	}
}

func (t *tables) endRow(b *builder) {
	if t.open == 1 {
		b.line(joinCells(t.cells))
		t.cells = nil
	}
}

func (t *tables) beginCell() {
	if t.open == 1 {
		t.cell.Reset()
	}
}

func (t *tables) endCell() {
	if t.open == 1 {
		t.cells = append(t.cells, collapse(t.cell.String()))
	}
}
