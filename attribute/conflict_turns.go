package attribute

import (
	"slices"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

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
		if !ok || !is || !tok.Kind.Has(token.Number) || tok.Kind&(token.Year|token.Stop) != 0 || c.measured[k] {
			continue
		}
		all := c.around(p).respective()
		paired := len(all) > 0 // years may be the things, too
		if !paired {
			all = c.around(p).elided()
		}
		if len(all) == 0 {
			all = c.around(p).portions()
		}
		if h, _ := c.mine.hedge(mine.from); h != exact || slices.ContainsFunc(c.mine.amounts(), func(a amount) bool { return a.from != mine.from && !(paired && a.kind&(token.Year|token.Ordinal) != 0) }) {
			return
		}
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
			left, right := min(own.from, own.at), max(own.amount.to, own.at+1)
			c.add("exchange", mine.from, mine.to, left, right, c.instead(mine.from, mine.to, left, right))
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
	return l.any(func(i int) bool { return l.at(i).Key == key })
}

// portions reads the amounts that a line gives to things by a preposition.
func (l line) portions() []portion {
	var out []portion
	for _, a := range l.amounts() {
		n := a.to + 1
		for n < l.end && articles[l.at(n).Key] {
			n++
		}
		if giving[l.key(a.to)] && n < l.end && (l.at(n).Kind.Has(token.Year) || l.at(n).Content() && !l.at(n).Kind.Has(token.Number)) {
			out = append(out, portion{a, l.key(a.to), l.at(n).Key, n})
		}
	}
	return out
}

// giving are the prepositions by which amounts are given to things.
var giving = token.Keys(`for in on among`)

// respective pairs the amounts or places of a list with the things of another one that is as long, in a line that says "respectively": 14.2 and 9.8 months in the treatment and
// control groups. Of three and more it need not say so. Where there is more than one list of either, nothing is certain.
func (l line) respective() []portion {
	given := l.listed()
	if len(given) == 0 {
		given = l.listedPlaces()
	}
	if len(given) < 2 || len(given) == 2 && !l.any(func(i int) bool { return l.word(i) == "respectively" }) {
		return nil
	}
	from, to := given[0].from, given[len(given)-1].to
	var things []int
	for i := l.start + 1; i < l.end; i++ {
		if l.key(i) != "and" || from <= i && i < to {
			continue
		}
		list := l.things(i, len(given))
		if list == nil {
			continue
		}
		if things != nil {
			return nil
		}
		things = list
	}
	if things == nil {
		return nil
	}
	out := make([]portion, len(given))
	for i, a := range given {
		a.unit = given[len(given)-1].unit
		out[i] = portion{a, "respectively", l.key(things[i]), things[i]}
	}
	return out
}

// listed are the amounts of the one list of a line: 14.2 and 9.8 months; $2, $3 and $4. They have one unit, which may stand behind the last one only.
func (l line) listed() []amount {
	var list, run []amount
	lists := 0
	for _, a := range append(l.amounts(), amount{from: l.end + 2}) {
		if a.kind.Has(token.Year) || a.kind.Has(token.Ordinal) {
			continue
		}
		if n := len(run); n > 0 && a.from < l.end && (a.from == run[n-1].to && (l.at(a.from).Kind.Has(token.Comma) || l.sign(a.from) && l.at(a.from+1).Kind.Has(token.Comma)) || a.from == run[n-1].to+1 && l.key(run[n-1].to) == "and") {
			run = append(run, a)
			continue
		}
		if len(run) > 1 {
			list = run
			lists++
		}
		run = []amount{a}
	}
	if lists != 1 || slices.ContainsFunc(list, func(a amount) bool { return a.unit != "" && a.unit != list[len(list)-1].unit }) {
		return nil
	}
	return list
}

// listedPlaces are the ordinals of the one list of a line: first, second and third.
func (l line) listedPlaces() []amount {
	var out []amount
	for i := l.start; i < l.end; i++ {
		if !l.at(i).Kind.Has(token.Ordinal) {
			continue
		}
		if n := len(out); n > 0 && !(out[n-1].to == i && l.at(i).Kind.Has(token.Comma)) && !(out[n-1].to == i-1 && l.key(i-1) == "and") {
			return nil
		}
		out = append(out, amount{value: l.at(i).Num, from: i, to: i + 1, kind: token.Ordinal})
	}
	return out
}

// placesInTurn finds the place of one in a list said of another: second place went to Lind, where first, second and third place went to Lopez, Novak and Lind.
func (c *comparison) placesInTurn() {
	if c.mine.denies() || c.mine.than() >= 0 || c.s.tongue != nil {
		return
	}
	at := -1
	for k, tok := range c.s.tokens {
		if _, ok := c.place[k]; !ok || !tok.Kind.Has(token.Ordinal) {
			continue
		}
		if at >= 0 {
			return
		}
		at = k
	}
	if at < 0 {
		return
	}
	all := c.around(c.place[at]).respective()
	named := slices.DeleteFunc(slices.Clone(all), func(g portion) bool { return !c.mine.names(g.to) })
	if len(named) != 1 || !named[0].kind.Has(token.Ordinal) || named[0].value == c.s.tokens[at].Num || !slices.ContainsFunc(all, func(g portion) bool { return g.value == c.s.tokens[at].Num }) {
		return
	}
	left, right := min(named[0].from, named[0].at), max(named[0].amount.to, named[0].at+1)
	c.add("exchange", at, at+1, left, right, c.instead(at, at+1, left, right))
}

// things are where the n things of a list stand whose last one the "and" joins on: Apples, pears and plums; 2019 and 2020. It is nil where they are not so many, or some are no words or years.
func (l line) things(and, n int) []int {
	last := and + 1
	for last < l.end && articles[l.key(last)] {
		last++
	}
	list := []int{last}
	for i := and - 1; len(list) < n; i-- {
		list = append(list, i)
		for words := 0; len(list) < n && (i <= l.start || !l.at(i).Kind.Has(token.Comma)); i-- {
			if words++; i <= l.start || words > 3 {
				return nil
			}
		}
	}
	slices.Reverse(list)
	for _, i := range list {
		if i < l.start || i >= l.end || !l.at(i).Content() && !l.at(i).Kind.Has(token.Year|token.Ordinal) || l.at(i).Kind.Has(token.Number) && !l.at(i).Kind.Has(token.Year|token.Ordinal) || l.at(i).Kind.Has(token.Unit) {
			return nil
		}
	}
	if l.key(list[n-2]-1) == l.key(last) {
		return nil // arm A and arm B
	}
	if before := list[0] - 1; before >= l.start && l.at(list[0]).Kind.Has(token.Comma) && l.at(before).Content() && !l.at(before).Kind.Has(token.Year) {
		return nil // one of the list has no amount
	}
	return list
}

// elided are the amounts of a line whose second clause leaves out the verb of the first: Adults pay 120 kr, students 80 kr and children 40 kr.
func (l line) elided() []portion {
	var out []portion
	all := l.amounts()
	for n, a := range all {
		if a.kind.Has(token.Year) {
			continue
		}
		first := -1
		for i := a.from - 1; i >= max(l.start, a.from-3); i-- {
			if l.at(i).Kind.Has(token.Number) || !l.at(i).Content() && !articles[l.key(i)] {
				break
			}
			if l.at(i).Content() {
				first = i
			}
			if i > l.start && (l.at(i).Kind.Has(token.Comma) || l.key(i-1) == "and") {
				if first >= 0 && n > 0 && len(out) == n {
					out = append(out, portion{a, "elided", l.key(first), first})
				}
				break
			}
		}
		if n == 0 {
			subject := l.start
			for subject < a.from && articles[l.key(subject)] {
				subject++
			}
			if subject < a.from-1 && a.from-subject <= 4 && l.at(subject).Content() && !l.at(subject).Kind.Has(token.Number) && !l.any(func(i int) bool { return i > subject && i < a.from && l.at(i).Kind.Has(token.Comma) }) {
				out = append(out, portion{a, "elided", l.key(subject), subject})
			}
		}
	}
	if len(out) < 2 || len(out) != len(all) {
		return nil
	}
	return out
}
