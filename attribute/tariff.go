package attribute

import (
	"slices"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// heads are for how many of which an amount of money is, by the words for them: one adult and two children. It is nil for one head alone, whose price is no reckoning, and where another amount of
// money stands beside it.
func (l line) heads(a amount) map[string]float64 {
	if quantity(a.unit) != "money" {
		return nil
	}
	var out map[string]float64
	total := 0.0
	for i := l.start; i+1 < l.end; i++ {
		if a.from <= i && i < a.to {
			continue
		}
		n := 0.0
		switch tok := l.at(i); {
		case tok.Kind.Has(token.Unit) && quantity(tok.Key) == "money":
			return nil
		case tok.Kind.Has(token.Number) && !tok.Kind.Has(token.Year):
			n = tok.Num
		case tok.Key == "a" || tok.Key == "an":
			n = 1
		}
		if next := l.at(i + 1); n <= 0 || !next.Content() || next.Kind&(token.Number|token.Unit) != 0 {
			continue
		}
		if out == nil {
			out = map[string]float64{}
		}
		out[l.key(i+1)] += n
		total += n
	}
	if total < 2 {
		return nil
	}
	return out
}

// tariff are the amounts of money that a line asks of each of some: $25 for adults and $15 for children; adults pay $25; $25 per adult.
func (l line) tariff() []portion {
	out := append(l.portions(), l.elided()...)
	for _, a := range l.amounts() {
		if each, sort, noun := l.each(a.from); sort != "" || noun > 0 && each.value == a.value {
			out = append(out, portion{a, "per", l.key(noun), noun})
			continue
		}
		if apiece[l.key(a.to)] && a.to+1 < l.end {
			out = append(out, portion{a, "per", l.key(a.to + 1), a.to + 1})
		}
	}
	return slices.DeleteFunc(out, func(p portion) bool { return quantity(p.unit) != "money" })
}

// byHead finds a price of a window that with the others makes the amount for so many heads: $40 for one adult and one child, where adults pay $25 and children $15. It is -1 where one of them has no
// price, or two.
func (q *measurable) byHead(a *alignment, theirs line) int {
	if len(q.heads) == 0 {
		return -1
	}
	for _, s := range theirs.t.sentences[a.from:a.to] {
		l := theirs.within(s.start, min(s.end, theirs.end))
		all := l.tariff()
		total, at, known := 0.0, -1, 0
		for _, p := range all {
			n, ok := q.heads[p.to]
			if !ok || p.unit != q.amount.unit || slices.ContainsFunc(all, func(o portion) bool { return o.to == p.to && o.value != p.value }) {
				continue
			}
			if slices.ContainsFunc(all[:known], func(o portion) bool { return o.to == p.to }) {
				continue
			}
			all[known], known = p, known+1
			total, at = total+n*p.value, p.from
		}
		if known > 0 && known == len(q.heads) && q.amount.reckonedAs(total, q.hedge) {
			return at
		}
	}
	return -1
}
