package listing

import (
	"strings"
	"unicode"

	"github.com/ibid-dev/ibid"
)

// separators set the cells of a table apart, the surest first. Bars are left alone: such a table reads well as it stands.
const separators = "\t;,"

// table reads rows under a line that names their columns, as spreadsheets and databases write them, nothing beside: each row is one of a list of objects.
// It reports false for what is none.
func (r *reader) table() bool {
	for i := range separators {
		if lines, ok := cells(r.s, separators[i]); ok {
			r.under(lines[0], lines[1:])
			return true
		}
	}
	return false
}

// cells cuts a text into the cells of its lines; false where these are no table.
func cells(s string, separator byte) ([][]ibid.Span, bool) {
	var lines [][]ibid.Span
	start := 0
	for line := range strings.Lines(s) {
		at := trimmed(s, ibid.Span{Start: start, End: start + len(line)})
		start += len(line)
		if at.Empty() {
			continue
		}
		row := cut(s, at, separator)
		if len(row) < 2 || len(lines) > 0 && len(row) != len(lines[0]) {
			return nil, false
		}
		lines = append(lines, row)
	}
	return lines, len(lines) > 1 && names(s, lines[0]) && measured(s, lines[1:])
}

// cut gives the cells of a line, those in quotes without them.
func cut(s string, line ibid.Span, separator byte) []ibid.Span {
	var out []ibid.Span
	quoted, start := false, line.Start
	for i := line.Start; i <= line.End; i++ {
		if i < line.End && s[i] == '"' {
			quoted = !quoted
		}
		if i < line.End && (s[i] != separator || quoted) {
			continue
		}
		cell := trimmed(s, ibid.Span{Start: start, End: i})
		if n := cell.Len(); n > 1 && s[cell.Start] == '"' && s[cell.End-1] == '"' {
			cell = ibid.Span{Start: cell.Start + 1, End: cell.End - 1}
		}
		out, start = append(out, cell), i+1
	}
	return out
}

func trimmed(s string, at ibid.Span) ibid.Span {
	text := at.In(s)
	at.Start += len(text) - len(strings.TrimLeftFunc(text, unicode.IsSpace))
	return ibid.Span{Start: at.Start, End: at.Start + len(strings.TrimSpace(text))}
}

// maxName is the length up to which the first line's cells are names, in bytes.
const maxName = 30

// names reports whether the cells of a line may name columns: each another one, short, and none a number or a sentence.
func names(s string, row []ibid.Span) bool {
	seen := map[string]bool{}
	for _, at := range row {
		name := strings.ToLower(at.In(s))
		if seen[name] || name == "" || len(name) > maxName || strings.ContainsAny(name, ".?!:") || len(strings.Fields(name)) > 4 || !strings.ContainsFunc(name, unicode.IsLetter) {
			return false
		}
		seen[name] = true
	}
	return true
}

// measured reports whether a column has nothing but values with digits, and at least one: lines of prose with as many commas have not.
func measured(s string, rows [][]ibid.Span) bool {
	for column := range rows[0] {
		all := true
		for _, row := range rows {
			all = all && strings.ContainsFunc(row[column].In(s), unicode.IsDigit)
		}
		if all {
			return true
		}
	}
	return false
}

// under makes an object of each row, by the names of the columns.
func (r *reader) under(columns []ibid.Span, rows [][]ibid.Span) {
	var list []int
	for _, row := range rows {
		r.objects++
		r.within = append(r.within, 0)
		list = append(list, r.objects)
		r.rows[r.objects] = len(rows) > 1
		for i, at := range row {
			if at.Empty() {
				continue
			}
			name := words(r.s, columns[i])
			for k := range name.of {
				name.of[k] = ibid.Span{Start: at.Start, End: at.Start} // what is cited is the cell
			}
			r.leaves = append(r.leaves, leaf{own: name, of: r.objects, at: []ibid.Span{at}})
		}
	}
	r.lists = append(r.lists, List{nil, list})
}
