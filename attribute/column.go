package attribute

import (
	"slices"
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// headed reads the rate of an amount that stands in a table or data under a name that says for how long it is: $25 under "Price per month". The segment must name its row. Money whose unit the data
// leaves out is of the segment's.
func (t *turn) headed(passage int, have placed, s *segment, unit string) (rate, bool) {
	set := t.fieldsOf(passage)
	i := slices.IndexFunc(set.all, func(f field) bool {
		return f.kind == ofNumber && f.At.Start <= int(t.tokens[have.at].start) && int(t.tokens[have.at].end) <= f.At.End
	})
	if i < 0 || set.all[i].per == "" || !slices.ContainsFunc(set.ids, func(id int) bool {
		return slices.Equal(set.all[id].Rows, set.all[i].Rows) && s.namesRow(set.all[id])
	}) {
		return rate{}, false
	}
	r := rate{have.amount, set.all[i].per, 1}
	if r.paid(set.all[i].keys) {
		r.unit = unit
	}
	return r, true
}

// paid reports whether a rate has no unit and is called one of money: price_per_month.
func (r rate) paid(keys []string) bool {
	return r.unit == "" && slices.ContainsFunc(keys, func(k string) bool { return moneyKeys[k] })
}

// namesRow reports whether the segment has all words of the name of a row.
func (s *segment) namesRow(id field) bool {
	words := token.English.ContentKeys(id.Text)
	return len(words) > 0 && !slices.ContainsFunc(words, func(key string) bool { return !s.line().names(key) })
}

// ofColumn finds where a column of a table or data begins of which a number of the segment is the total or the average, as the segment says: of all rows, or of those that it names. It must name the
// column, or be of its unit. It is -1 where there is none.
func (t *turn) ofColumn(s *segment, q *measurable, passage int) int {
	l := s.line()
	how := l.summed(q.c)
	if how == 0 {
		how = s.reckoning
	}
	if _, data := t.data[passage]; how != sum && how != average || !data && t.table(passage) == nil {
		return -1
	}
	set := t.fieldsOf(passage)
	var named [][]int // the rows that the segment names
	for _, id := range set.ids {
		if s.namesRow(set.all[id]) {
			named = append(named, set.all[id].Rows)
		}
	}
	columns := map[string][]field{}
	var names []string
	for _, f := range set.all {
		if f.kind != ofNumber || len(f.Rows) == 0 || len(named) > 0 && !slices.ContainsFunc(named, func(rows []int) bool { return slices.Equal(rows, f.Rows) }) {
			continue
		}
		name := strings.Join(f.Name, " ")
		if columns[name] == nil {
			names = append(names, name)
		}
		columns[name] = append(columns[name], f)
	}
	for _, name := range names {
		column := columns[name]
		asked := q.amount.unit != "" && column[0].amount.unit == q.amount.unit || slices.ContainsFunc(column[0].keys, func(key string) bool { return l.names(key) })
		if len(column) < 2 || !asked || q.amount.unit != "" && column[0].amount.unit != "" && q.amount.unit != column[0].amount.unit {
			continue
		}
		total := 0.0
		for _, f := range column {
			total += f.number
		}
		if how == average {
			total /= float64(len(column))
		}
		if q.amount.reckonedAs(total, q.hedge) || how == average && q.amount.place > 0 && total-q.amount.value <= q.amount.place/2 && q.amount.value-total <= q.amount.place/2 {
			if left, right := t.covering(passage, column[0].At); left < right {
				return left
			}
		}
	}
	return -1
}
