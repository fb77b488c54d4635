package attribute

import (
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// compared finds a comparison of two things of which one sentence of the source gives the amounts, the other way round or by another difference or multiple: Bolivia sends more
// delegates than Peru, where Peru sends four and Bolivia three; 73 metres higher, where it is 53.
func (c *comparison) compared() {
	if c.s.tongue != nil || c.mine.denies() || c.crossed != nil {
		return
	}
	m, ok := c.mine.comparing()
	if !ok {
		return
	}
	var at *sided
	for l := range c.passageLines() {
		x := c.sided(l, m)
		switch {
		case x == nil:
			continue
		case m.agrees(x.mine, x.theirs):
			return
		case at != nil:
			return // of two amounts each, who knows which is meant
		}
		at = x
	}
	if at != nil {
		left, right := min(at.mine.from, at.theirs.from), max(at.mine.to, at.theirs.to)
		c.add("exchange", m.from, m.than+1, left, right, c.instead(m.from, m.than+1, left, right))
	}
}

// sided are the amounts that a sentence gives of both sides of a comparison.
type sided struct{ mine, theirs amount }

// sided reads them, nil where the sentence does not give them plainly.
func (c *comparison) sided(l line, m compares) *sided {
	if l.end-l.start > longestMembers || l.denies() {
		return nil
	}
	all := l.members()
	if len(all) < 2 || len(all) > mostMembers {
		return nil
	}
	own := l.owns(all)
	a, b, ok := apartFrom(c.sidesOf(member{c.mine.start, m.from}, l, own), c.sidesOf(member{m.than + 1, c.mine.end}, l, own))
	if !ok {
		return nil
	}
	x, y, ok := l.comparable(all[a], all[b], m)
	if !ok {
		return nil
	}
	return &sided{x, y}
}

// passageLines are the first sentences of the passage.
func (c *comparison) passageLines() iter.Seq[line] {
	return func(yield func(line) bool) {
		first := c.t.firsts[c.a.passage]
		for _, s := range c.t.sentences[first:min(c.t.firsts[c.a.passage+1], first+longestPosts)] {
			c.t.operations += int(s.end - s.start)
			if !yield(c.t.line(c.a.passage, s.start, min(s.end, s.start+maxWords))) {
				return
			}
		}
	}
}

// compares is a comparison of a segment: the tokens [from, than] say that the amount of what stands before is greater, or by how much, or as many times as that of what stands behind.
type compares struct {
	from, than int
	of         string // what is compared: money, length; empty for any
	counted    string // what is counted
	greater    bool
	by         amount // where by.value is not 0
	times      float64
	hedge      hedge
}

// comparing reads the only comparison of a line.
func (l line) comparing() (compares, bool) {
	for i := l.start + 1; i+1 < l.end; i++ {
		if l.key(i) == times && l.at(i-1).Kind.Has(token.Number) && l.key(i+1) == "as" {
			return l.comparingTimes(i, i-1, l.at(i-1).Num)
		}
		if l.key(i) == twice && l.key(i+1) == "as" && len(l.amounts()) == 0 {
			return l.comparingTimes(i, i, 2)
		}
	}
	than := l.than()
	if than < 0 {
		return compares{}, false
	}
	for i := max(l.start+1, than-3); i < than; i++ {
		d, ok := degreesOf[strings.ToLower(l.text(i))]
		if !ok {
			continue
		}
		m := compares{from: i, than: than, of: d.of, greater: d.more}
		if d.of == "count" {
			if i+2 != than || !l.at(i+1).Content() {
				return compares{}, false
			}
			m.of, m.counted = "", l.key(i+1)
		} else if i+1 != than && d.of != "" {
			return compares{}, false
		}
		numbers := l.amounts()
		if len(numbers) > 1 || len(numbers) == 1 && numbers[0].to != i {
			return compares{}, false
		}
		if len(numbers) == 1 {
			m.by = numbers[0]
			m.hedge, m.from = l.hedge(m.by.from)
		}
		return m, !l.any(func(k int) bool { return l.at(k).Kind.Has(token.Year) })
	}
	return compares{}, false
}

// comparingTimes reads three times as many delegates as, twice as long as, from the word at i, where the number is that at n.
func (l line) comparingTimes(i, n int, by float64) (compares, bool) {
	for k := i + 3; k < min(l.end, i+6); k++ {
		if l.key(k) != "as" {
			continue
		}
		m := compares{from: n, than: k, times: by}
		m.hedge, m.from = l.hedge(n)
		if strings.ToLower(l.text(i+2)) == "many" && k == i+4 {
			m.counted = l.key(i + 3)
		}
		return m, by > 1 && len(l.amounts()) < 2
	}
	return compares{}, false
}

// degreesOf are the comparatives of what amounts are given of.
var degreesOf = func() map[string]struct {
	of   string
	more bool
} {
	out := map[string]struct {
		of   string
		more bool
	}{}
	for of, words := range map[string][2]string{
		"count":  {"more", "fewer"},
		"length": {"taller deeper wider", "shallower narrower"},
		"weight": {"heavier", "lighter"},
		"money":  {"dearer pricier costlier", "cheaper"},
		"old":    {"older", "younger"},
		"extent": {"longer", "shorter"},
		"":       {"higher larger bigger greater", "lower smaller"},
	} {
		for n, list := range words {
			for _, w := range strings.Fields(list) {
				out[w] = struct {
					of   string
					more bool
				}{of, n == 0}
			}
		}
	}
	return out
}()

// sidesOf are the parts of a sentence that have words of their own in a part of the segment; where these are names, no others count.
func (c *comparison) sidesOf(u member, l line, own [][]int) []int {
	var out, named []int
	for n := range own {
		said := slices.DeleteFunc(slices.Clone(own[n]), func(j int) bool { return l.sortOf(j) == 1 || c.saying(u, l, j) < 0 })
		if len(said) > 0 {
			out = append(out, n)
		}
		if slices.ContainsFunc(said, func(j int) bool { return l.at(j).Kind.Has(token.Capital) }) {
			named = append(named, n)
		}
	}
	if len(named) > 0 {
		return named
	}
	return out
}

// apartFrom tells which part either side of a comparison speaks of. A side may have words of the other one's part, too, as a part leaves out the verb of another.
func apartFrom(a, b []int) (x, y int, ok bool) {
	if len(b) == 1 && len(a) > 1 {
		a = slices.DeleteFunc(a, func(n int) bool { return n == b[0] })
	} else if len(a) == 1 && len(b) > 1 {
		b = slices.DeleteFunc(b, func(n int) bool { return n == a[0] })
	}
	if len(a) != 1 || len(b) != 1 {
		return 0, 0, false
	}
	return a[0], b[0], a[0] != b[0]
}

// comparable are the only amounts of two parts that a comparison may be of.
func (l line) comparable(a, b member, m compares) (x, y amount, ok bool) {
	x, ok = l.soleAmount(a)
	if !ok {
		return x, y, false
	}
	if y, ok = l.soleAmount(b); !ok {
		return x, y, false
	}
	if x.unit == "" {
		x.unit = y.unit
	} else if y.unit == "" {
		y.unit = x.unit
	}
	switch {
	case x.unit != y.unit || x.value == y.value || x.value <= 0 || y.value <= 0:
		return x, y, false
	case m.by.value != 0 && m.by.unit != x.unit:
		return x, y, false
	case m.counted != "" && !(l.names(m.counted) && l.countsOnly(x, m.counted) && l.countsOnly(y, m.counted)):
		return x, y, false
	case m.of == "old":
		return x, y, x.unit == years || x.unit == "" && x.value < 120 && y.value < 120
	case m.of == "extent":
		return x, y, quantity(x.unit) == "length" || quantity(x.unit) == "time"
	case m.of != "" && quantity(x.unit) != m.of:
		return x, y, false
	}
	return x, y, true
}

// countsOnly reports whether an amount counts nothing but this: four delegates, or four and no more.
func (l line) countsOnly(a amount, what string) bool {
	return l.key(a.to) == what || a.to >= l.end || !l.at(a.to).Content() || l.at(a.to).Kind.Has(token.Comma)
}

// soleAmount is the only amount of a part, which is no year, no bound and no range.
func (l line) soleAmount(part member) (amount, bool) {
	all := l.within(part.from, part.to).amounts()
	if len(all) != 1 || l.any(func(i int) bool { return part.from <= i && i < part.to && l.at(i).Kind.Has(token.Year|token.Ordinal) }) {
		return amount{}, false
	}
	h, _ := l.hedge(all[0].from)
	return all[0], h == exact || h.rough()
}

// agrees reports whether two amounts are as a comparison says.
func (m compares) agrees(x, y amount) bool {
	switch {
	case m.times > 0:
		by := x.value / y.value
		return off(by, m.times) <= .06 || m.hedge.allows(m.times, by)
	case m.greater != (x.value > y.value):
		return false
	case m.by.value != 0:
		apart := math.Abs(x.value - y.value)
		return off(apart, m.by.value) < .02 || m.hedge.allows(m.by.value, apart)
	}
	return true
}
