package ingest

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// isCSV reports whether a text that is named as a table is one: its first rows have as many cells each, two or more.
func isCSV(s string, h Hint) bool {
	switch nameEnding(h) {
	case ".csv", ".tsv":
	default:
		if !strings.HasPrefix(h.MediaType, CSV) && !strings.HasPrefix(h.MediaType, "text/tab-separated-values") {
			return false
		}
	}
	sign, _ := separator(s)
	return sign != 0
}

// separator is the sign between the cells of a table, 0 where it is none, and the table without the line that names the sign.
// Spreadsheets write what their country does, and may say so in a first line: sep=;
func separator(s string) (rune, string) {
	const rows = 5
	s = strings.TrimPrefix(s, "\ufeff")
	signs := "\t;,|"
	if line, rest, _ := strings.Cut(s, "\n"); len(line) > 4 && strings.EqualFold(line[:4], "sep=") {
		if said := strings.TrimRight(line[4:], "\r"); len(said) == 1 && strings.Contains(signs, said) {
			s, signs = rest, said
		}
	}
	for _, sign := range signs {
		r := rowsOf(s, sign)
		width, n := 0, 0
		for ; n < rows; n++ {
			cells, err := r.Read()
			if err != nil || n > 0 && len(cells) != width {
				break
			}
			width = len(cells)
		}
		if width >= 2 && (n == rows || n >= 2 && n >= strings.Count(strings.TrimSpace(s), "\n")) {
			return sign, s
		}
	}
	return 0, s
}

func rowsOf(s string, sign rune) *csv.Reader {
	r := csv.NewReader(strings.NewReader(s))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord, r.ReuseRecord = sign, true, -1, true
	return r
}

// readCSV gives a table a paragraph for each row. Each cell carries the name of its column, so that a row says all of it wherever the
// table is cut.
func readCSV(in input) (Result, error) {
	s, warnings, err := decodeAll(in)
	if err != nil {
		return Result{}, err
	}
	sign, s := separator(s)
	if sign == 0 { // its beginning looked like one
		return readPlain(in)
	}
	r := rowsOf(s, sign)
	b := newBuilder(in.limits, len(in.bytes))
	columns := twoLevels(s, sign)
	heads := 0 // rows that name the columns
	if columns != nil {
		heads = 2
	}
	open := 0 // quotation marks that nothing closes
	for n := 0; ; n++ {
		start := r.InputOffset()
		cells, err := r.Read()
		if err == nil && open < maxUnclosed && swallowed(s[start:r.InputOffset()], cells, s[r.InputOffset():]) {
			// The mark would make one cell of all rows behind it: its line is read without, and the others as they are.
			open++
			line, rest, _ := strings.Cut(strings.TrimLeft(s[start:], "\r\n"), "\n")
			cells, err = rowsOf(strings.ReplaceAll(line, `"`, ""), sign).Read()
			s, r = rest, rowsOf(rest, sign)
			if errors.Is(err, io.EOF) {
				continue
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return Result{}, refuse(ErrBroken, "the table cannot be read (%v)", err)
		}
		if n%1000 == 0 && in.ctx.Err() != nil {
			return Result{}, in.ctx.Err()
		}
		if n < heads {
			continue
		}
		if n == 0 && namesColumns(cells) {
			for _, c := range cells {
				columns = append(columns, collapse(c))
			}
			continue
		}
		b.block(row(columns, cells))
	}
	if len(b.text) == 0 { // names of columns and nothing below them
		b.line(strings.Join(columns, " | "))
	}
	res, err := b.result()
	if open > 0 {
		warnings = append(warnings, "a quotation mark in the table is not closed: its line was read without it")
	}
	res.Warnings = warnings
	res.Reference.Type = "document"
	return res, err
}

// maxUnclosed bounds how many quotation marks are looked for that nothing closes, as each search goes to the end.
const maxUnclosed = 16

// swallowed reports whether a row is the last one because a quotation mark that opens its last cell is never closed.
func swallowed(raw string, cells []string, rest string) bool {
	raw = strings.TrimRight(raw, "\r\n")
	return rest == "" && len(cells) > 0 && strings.Contains(strings.TrimRight(cells[len(cells)-1], "\r\n"), "\n") && !strings.HasSuffix(raw, `"`)
}

// row is a row as a paragraph; cells without words are left out where the others are named.
func row(columns, cells []string) string {
	var out []string
	for i, c := range cells {
		c = collapse(strings.ToValidUTF8(c, "\ufffd"))
		switch {
		case i >= len(columns):
			out = append(out, c)
		case c != "" && columns[i] == "":
			out = append(out, c)
		case c != "":
			out = append(out, columns[i]+": "+c)
		}
	}
	return strings.Join(out, " | ")
}

// namesColumns reports whether the first row says what stands below: words, no two the same, and no values but years that follow each
// other. Where years or words stand over the rest, the first column may have no name.
func namesColumns(cells []string) bool {
	seen := map[string]bool{}
	var years []int
	for i, c := range cells {
		c = collapse(c)
		if c == "" && i == 0 && len(cells) > 2 {
			continue
		}
		if c == "" || seen[c] || len(c) > 60 {
			return false
		}
		seen[c] = true
		if y := yearOf(c); y > 0 {
			years = append(years, y)
		} else if !unicode.IsLetter([]rune(c)[0]) {
			return false
		}
	}
	if len(years) == len(cells) || len(years) == 1 {
		return false // a row of values
	}
	for i := 2; i < len(years); i++ {
		if years[i]-years[i-1] != years[1]-years[0] {
			return false
		}
	}
	return true
}

// twoLevels gives the names of the columns where the first two rows of a table name them together, nil where they do not. A first row
// that names all columns by itself leaves none empty and is none of two; and below groups stand values alone, so that rows of words
// are not taken for names.
func twoLevels(s string, sign rune) []string {
	r := rowsOf(s, sign)
	var rows [3][]string
	for i := range rows {
		cells, err := r.Read()
		if err != nil || i > 0 && len(cells) != len(rows[0]) {
			return nil
		}
		for _, c := range cells {
			c = collapse(c)
			if i < 2 && c != "" && !mayName(c) {
				return nil
			}
			rows[i] = append(rows[i], c)
		}
	}
	names, grouped := joinNames(rows[0], rows[1])
	values := 0
	for i, c := range rows[2] {
		if names == nil || !grouped[i] || c == "" {
			continue
		}
		if !strings.ContainsFunc(c, unicode.IsDigit) || strings.ContainsFunc(c, unicode.IsLetter) {
			return nil
		}
		values++
	}
	if values == 0 {
		return nil
	}
	return names
}

// joinNames joins two rows that name the columns together, and says which columns stand below a group:
//
//	Ship | 1858  |      | 1866  |
//	     | Miles | Cost | Miles | Cost      Ship · 1858, Miles · 1858, Cost · 1866, Miles · 1866, Cost
//
// A group stands over several columns, and the same names stand below several groups, or a column has a name in one of the rows alone.
// The names are nil where that is not so, where a column has none, or where two have the same.
func joinNames(upper, lower []string) (names []string, grouped []bool) {
	group, wide, single := "", false, false
	seen := map[string]bool{}
	for i, over := range upper {
		under := lower[i]
		single = single || under != "" && slices.Contains(lower[:i], under)
		switch {
		case over != "" && under != "":
			group = over
		case over != "":
			group, single = "", true
		case under != "" && group != "":
			over, wide = group, true
		case under != "":
			single = true
		default:
			return nil, nil
		}
		name := strings.TrimPrefix(strings.TrimSuffix(over+", "+under, ", "), ", ")
		if seen[name] {
			return nil, nil
		}
		seen[name] = true
		names, grouped = append(names, name), append(grouped, over != "" && under != "")
	}
	if !wide || !single {
		return nil, nil
	}
	return names, grouped
}

// mayName reports whether a cell may be the name of a column: words, or a year.
func mayName(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return len(s) <= 60 && (yearOf(s) > 0 || unicode.IsLetter(first))
}

// yearOf is the year that a cell is, 0 where it is none.
func yearOf(s string) int {
	if len(s) != 4 || !isDigits(s) || s < "1700" || s > "2199" {
		return 0
	}
	return number(s)
}
