package attribute

import (
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute/internal/token"
	"github.com/ibid-dev/ibid/internal/listing"
)

// tableValues are the values of the tables of a passage, as data has them: each row is one of several objects, and where a table has two columns of which the second
// only gives what the first names (Weight | 1.36 kg), each row is a value. A passage has one kind of table, or they are not read.
func (t *turn) tableValues(passage int) ([]listing.Value, []listing.List) {
	x := t.table(passage)
	if x == nil || len(x.rows) > maxFields {
		return nil, nil
	}
	text := t.passages[passage].Chunk.Text
	var out []listing.Value
	var list listing.List
	columns := len(x.rows[0].cells)
	named := columns == 2 && valueColumns[strings.ToLower(strings.Trim(x.rows[0].cells[1].column, " *_"))]
	for i, r := range x.rows {
		if len(r.cells) != columns || r.cells[1].column != x.rows[0].cells[1].column {
			return nil, nil
		}
		if !named {
			list.Rows = append(list.Rows, i+1)
		}
		for k, c := range r.cells {
			v := listing.Value{Text: strings.Trim(c.at.In(text), "*_` "), At: c.at}
			switch {
			case !named:
				v.Name, v.Rows = nameWords(c.column), []int{i + 1}
			case k == 0:
				continue
			default:
				v.Name = nameWords(r.cells[0].at.In(text))
			}
			if so, ok := saysSo[strings.ToLower(v.Text)]; ok {
				v.So, v.Text = true, so
			}
			out = append(out, v)
		}
	}
	if named {
		return out, nil
	}
	return out, []listing.List{list}
}

// saysSo are the words and signs of a cell for what is so or not.
var saysSo = map[string]string{"yes": "yes", "true": "yes", "✓": "yes", "✔": "yes", "✅": "yes", "included": "yes", "no": "no", "false": "no", "✗": "no", "✘": "no", "❌": "no", "not included": "no"}

// valueColumns are names of columns that only say that values stand below.
var valueColumns = token.Words(`value values detail details specification specifications description info information data setting`)

// nameWords are the words of a column's name in small letters, without what stands in brackets.
func nameWords(s string) []string {
	if i := strings.IndexByte(s, '('); i > 0 {
		s = s[:i]
	}
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return strings.ContainsRune(" \t*_`/-:", r) })
}

// tableStart is where the lines with bars begin that lead to a place.
func tableStart(text string, at int) int {
	for {
		start := strings.LastIndexByte(text[:at], '\n') + 1
		if at = start; start == 0 {
			return 0
		}
		if above := text[strings.LastIndexByte(text[:start-1], '\n')+1 : start]; !strings.Contains(above, "|") {
			return start
		}
		at--
	}
}

// tells reports whether the best window lies where the fields do: data is nothing else, but around a table there is prose.
func (f fieldSet) tells(c *comparison) bool {
	if _, data := c.t.data[c.a.passage]; data {
		return true
	}
	return slices.ContainsFunc(c.t.sentences[c.a.from:c.a.to], func(s sentence) bool { return s.at.Overlaps(f.at) })
}

// filter is a column of a list with the one of its values that a segment names, and the objects that have it.
type filter struct {
	column, value string
	rows          []int
}

// filters are the values by which a segment picks some of the objects of the only list, of "North in Q1" the region and the quarter, and the objects that have them all.
// It is not ok where the segment names several values of a column.
func (c *comparison) filters(set fieldSet, has func([]string) bool) (out []filter, rows []int, ok bool) {
	if len(set.lists) != 1 {
		return nil, nil, false
	}
	rows = set.lists[0].Rows
	for _, f := range set.all {
		if f.kind != ofText || len(f.Rows) != 1 || len(f.words) == 0 || len(f.words) > 3 || !has(f.words) {
			continue
		}
		column := strings.Join(f.Name, " ")
		i := slices.IndexFunc(out, func(o filter) bool { return o.column == column })
		switch {
		case i < 0:
			out = append(out, filter{column, f.Text, f.Rows})
		case out[i].value != f.Text:
			return nil, nil, false
		default:
			out[i].rows = append(slices.Clone(out[i].rows), f.Rows[0])
		}
	}
	for _, o := range out {
		rows = slices.DeleteFunc(slices.Clone(rows), func(row int) bool { return !slices.Contains(o.rows, row) })
	}
	return out, rows, true
}

// among are the objects that one is the most of, in each way that it may be meant: those that have all but one of the values by which it was picked. What stands behind
// "in" or "for" is no subject: "In Q1, North had the most" is said of all of Q1, "North had its most in Q1" of the North. Nil is all.
func (c *comparison) among(r record) (out [][]int) {
	for i, o := range r.picked {
		if len(r.picked) > 1 && c.under(o) == !c.mine.names("its") {
			continue
		}
		var rows []int
		for k, o := range r.picked {
			switch {
			case k == i:
			case rows == nil:
				rows = slices.Clone(o.rows)
			default:
				rows = slices.DeleteFunc(rows, func(row int) bool { return !slices.Contains(o.rows, row) })
			}
		}
		out = append(out, rows)
	}
	if len(out) == 0 {
		out = append(out, nil)
	}
	return out
}

// under reports whether the value of a filter stands behind a word for where or when something is.
func (c *comparison) under(o filter) bool {
	keys := token.English.ContentKeys(o.value)
	for k := range c.s.tokens {
		if slices.Contains(keys, c.mine.key(k)) {
			before := c.mine.key(k - 1)
			if before == "the" {
				before = c.mine.key(k - 2)
			}
			return scopes[before]
		}
	}
	return true // the second quarter
}

var scopes = token.Words(`in for during at of within from across`)

// spansOf are the places of the segment where it names the values of filters.
func (c *comparison) spansOf(filters []filter) []ibid.Span {
	var out []ibid.Span
	for _, f := range filters {
		for _, key := range token.English.ContentKeys(f.value) {
			for _, tok := range c.s.tokens {
				if tok.Key == key {
					out = append(out, tok.At)
				}
			}
		}
	}
	return out
}
