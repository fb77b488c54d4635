package attribute

import "slices"

// portion is an amount that a sentence gives to something: $15 for children, 1.8 million in 2021.
type portion struct {
	amount
	by, to string // the preposition, and what it is given to
	at     int    // of what it is given to
}

// inTurn finds a number that a sentence gives to one of several things in turn, said of another of them: 100 km/h in towns, where the source says 50 km/h in
// towns and 100 km/h in the country. The segment must have this number alone, the thing that has another one, and not the thing that it is of.
func (c *comparison) inTurn() {
	if c.mine.denies() || c.mine.than() >= 0 {
		return
	}
	for k, tok := range c.s.tokens {
		p, ok := c.place[k]
		mine, is := c.mine.amount(k)
		if !ok || !is || !tok.kind.has(number) || tok.kind&(year|stop) != 0 || c.measured[k] {
			continue
		}
		if h, _ := c.mine.hedge(mine.from); h != exact || slices.ContainsFunc(c.mine.amounts(), func(a amount) bool { return a.from != mine.from }) {
			return
		}
		all := c.around(p).portions()
		of := slices.IndexFunc(all, func(g portion) bool { return g.is(mine) })
		if of < 0 || c.mine.names(all[of].to) {
			return
		}
		by := all[of].by
		all = slices.DeleteFunc(all, func(g portion) bool { return g.unit != mine.unit || g.by != by })
		instead := -1
		for i, g := range all {
			if !c.mine.names(g.to) {
				continue
			}
			if instead >= 0 || g.is(mine) {
				return // it is said of both
			}
			instead = i
		}
		if instead < 0 {
			return
		}
		if own := all[instead]; !c.givesTo(mine, own.to, c.sentence(p)) && c.tells(p, mine.from, mine.to, 0.5) {
			c.add("exchange", mine.from, mine.to, own.from, own.at+1, c.instead(mine.from, mine.to, own.from, own.at+1))
		}
		return
	}
}

func (g portion) is(a amount) bool { return g.value == a.value && g.unit == a.unit }

// givesTo reports whether another sentence of the turn has the amount beside the word for what it is given to.
func (c *comparison) givesTo(a amount, to string, but int) bool {
	for _, l := range append([]alignment{*c.a, c.e.second}, c.e.others...) {
		if len(l.pos) == 0 {
			continue
		}
		for n := l.from; n < l.to; n++ {
			line := c.t.line(l.passage, c.t.sentences[n].start, c.t.sentences[n].end)
			if n != but && line.names(to) && slices.ContainsFunc(line.amounts(), func(b amount) bool { return a.value == b.value && a.unit == b.unit }) {
				return true
			}
		}
	}
	return false
}

// names reports whether a word of the line has this normal form.
func (l line) names(key string) bool {
	return l.any(func(i int) bool { return l.at(i).key == key })
}

// portions reads the amounts that a line gives to things by a preposition.
func (l line) portions() []portion {
	var out []portion
	for _, a := range l.amounts() {
		n := a.to + 1
		for n < l.end && articles[l.at(n).key] {
			n++
		}
		if giving[l.key(a.to)] && n < l.end && (l.at(n).kind.has(year) || l.at(n).content() && !l.at(n).kind.has(number)) {
			out = append(out, portion{a, l.key(a.to), l.at(n).key, n})
		}
	}
	return out
}

// giving are the prepositions by which amounts are given to things.
var giving = keys(`for in on among`)
