package attribute

import (
	"slices"
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// crosswise finds two things of a segment that its source tells of in two parts of one sentence, each with another thing: Nils Berg leads Sales, where Sales is led by Rosa Diaz
// and IT by Nils Berg; 32 metres long, where it is 1,280 metres long and 32 metres wide.
func (c *comparison) crosswise() {
	if c.s.tongue != nil || slices.ContainsFunc(c.found, func(f conflict) bool { return f.kind == "role" || firm[f.kind] }) || c.mine.denies() || c.mine.than() >= 0 || c.mine.any(func(k int) bool { return looksBack[c.mine.key(k)] }) {
		return
	}
	units := c.mine.members()
	if len(units) < 2 {
		units = []member{{c.mine.start, c.mine.end}}
	}
	for l := range c.lines() {
		if l.end-l.start > longestMembers || l.denies() || l.markedUp() {
			continue
		}
		all := l.members()
		if len(all) < 2 || len(all) > mostMembers {
			continue
		}
		own := l.owns(all)
		for _, u := range units {
			if !c.known(u, l) {
				continue
			}
			if x := c.joins(u, l, all, own); x != nil {
				kind := "role"
				if x.firm {
					kind = "exchange"
				}
				c.add(kind, x.at, x.at+1, x.left, x.right, c.instead(x.at, x.at+1, x.left, x.right))
			}
		}
	}
}

// looksBack are words by which a statement speaks of what was before or elsewhere, or that leave room.
var looksBack = token.Keys(`from compare previous previously earlier against before after last versus instead unlike until since up least most over under within maximum minimum`)

// markedUp reports whether a line has a wiki's marks, where no stop tells what one sentence is.
func (l line) markedUp() bool {
	from, _ := l.span(l.start)
	_, to := l.span(l.end - 1)
	return strings.Contains(l.from[from:to], "{{")
}

// longestMembers bounds the words of a sentence that is read in parts, and mostMembers the parts.
const (
	longestMembers = 80
	mostMembers    = 8
)

// member is a part of a line that says one thing of something, as others say the same of other things: the tokens [from, to).
type member struct{ from, to int }

// members cuts a line at its commas and conjunctions. What is a single word or name there goes with what stands on both sides: it is one of a list.
func (l line) members() []member {
	var cut []member
	from := l.start
	for i := l.start + 1; i <= l.end; i++ {
		if i == l.end || l.parts(i) {
			cut = append(cut, member{from, i})
			from = i
		}
	}
	var out []member
	glue := false
	for _, part := range cut {
		single := l.items(part) < 2
		if (glue || single) && len(out) > 0 {
			out[len(out)-1].to = part.to
		} else {
			out = append(out, part)
		}
		glue = single
	}
	return out
}

// parts reports whether another part of the line begins at i.
func (l line) parts(i int) bool {
	switch {
	case joinsParts[l.key(i)]:
		return !l.ranges(i)
	case l.at(i).Kind.Has(token.Comma) || l.at(i-1).Kind.Has(token.Unit) && l.at(i-1).Kind.Has(token.Comma):
		start, _ := l.span(i)
		return !bracketed(l.from[:start])
	}
	return l.closed(i - 1)
}

// bracketed reports whether a text ends with a bracket that opens, but for a sign.
func bracketed(s string) bool {
	for i := len(s) - 1; i >= max(0, len(s)-4); i-- {
		if s[i] == '(' {
			return true
		}
	}
	return false
}

// ranges reports whether the "and" at i joins the ends of a range: between 1931 and 1936.
func (l line) ranges(i int) bool {
	for k := i - 1; k >= max(l.start, i-5); k-- {
		if l.key(k) == "between" || l.key(k) == "both" {
			return true
		}
	}
	return false
}

// items counts what stands side by side in a part: names, numbers with their units, runs of other words.
func (l line) items(part member) int {
	n, before := 0, 0
	for i := part.from; i < part.to; i++ {
		sort := l.sortOf(i)
		if sort != 0 && sort != before {
			n++
		}
		before = sort
	}
	return n
}

// sortOf is 0 for a word that tells nothing by itself, 1 for a number or its unit, 2 for a name, 3 for any other.
func (l line) sortOf(i int) int {
	switch k := l.at(i).Kind; {
	case k&(token.Number|token.Ordinal|token.Unit|token.Month) != 0:
		return 1
	case !l.at(i).Content():
		return 0
	case k.Has(token.Name):
		return 2
	}
	return 3
}

// owns are the tokens of each part that no other part has.
func (l line) owns(all []member) [][]int {
	in := map[string]int{}
	for n, part := range all {
		for i := part.from; i < part.to; i++ {
			if key := l.at(i).Key; in[key] == 0 {
				in[key] = n + 1
			} else if in[key] != n+1 {
				in[key] = -1
			}
		}
	}
	out := make([][]int, len(all))
	for n, part := range all {
		for i := part.from; i < part.to; i++ {
			if l.sortOf(i) != 0 && in[l.at(i).Key] > 0 {
				out[n] = append(out[n], i)
			}
		}
	}
	return out
}

// crossed is where a segment joins what its source has apart: a token of the segment, and the tokens of the source that say it of something else.
type crossed struct {
	at, left, right int
	firm            bool // numbers or names alone have changed places
}

// joins finds two parts of a sentence of which a part of the segment has one thing each, and neither what the sentence has in place of the other.
func (c *comparison) joins(u member, l line, all []member, own [][]int) *crossed {
	for a := range all {
		for b := range all {
			if a == b {
				continue
			}
			here, there, ok := c.halves(u, l, all, own, a, b)
			if !ok {
				continue
			}
			if x := c.otherDoing(u, l, own, a, b, all[b], here); x != nil {
				return x
			}
			if !l.parallel(all, own, a, b) {
				continue
			}
			for _, x := range here {
				for _, y := range there {
					if (l.value(x[0]) || l.value(y[0])) && !l.oneItem(x[0], y[0]) && !l.oneItem(x[1], y[1]) && !c.together(l, x[0], y[1]) {
						return &crossed{c.saying(u, l, x[0]), min(x[0], y[0]), max(x[0], y[0]) + 1, l.sortOf(x[0]) == 1 || l.sortOf(y[0]) == 1 || l.capitals(x) && l.capitals(y)}
					}
				}
			}
		}
	}
	return nil
}

// halves pairs the words of two parts that say different things in the same place: those of which the segment has that of a, and those of which it has that of b. Where it has
// both of a pair, it speaks of both parts.
func (c *comparison) halves(u member, l line, all []member, own [][]int, a, b int) (here, there [][2]int, ok bool) {
	for _, i := range own[a] {
		for _, j := range own[b] {
			if c.t.operations++; !l.swaps(all[a], i, all[b], j) {
				continue
			}
			switch mine, theirs := c.saying(u, l, i) >= 0, c.saying(u, l, j) >= 0; {
			case mine && theirs:
				return nil, nil, false
			case mine:
				here = append(here, [2]int{i, j})
			case theirs:
				there = append(there, [2]int{i, j})
			}
		}
	}
	return here, there, true
}

// parallel reports whether two parts have hardly a word but those in whose place the other one has another.
func (l line) parallel(all []member, own [][]int, a, b int) bool {
	alone := func(a, b int) int {
		n := 0
		for _, i := range own[a] {
			if !slices.ContainsFunc(own[b], func(j int) bool { return l.swaps(all[a], i, all[b], j) }) && !(i > all[a].from && l.oneItem(i-1, i)) && !(i+1 < all[a].to && l.oneItem(i, i+1)) {
				n++
			}
		}
		return n
	}
	return alone(a, b)+alone(b, a) <= 2
}

// capitals reports whether two tokens begin with capital letters.
func (l line) capitals(pair [2]int) bool {
	return l.at(pair[0]).Kind.Has(token.Capital) && l.at(pair[1]).Kind.Has(token.Capital)
}

// value reports whether the token at i is a number or a name.
func (l line) value(i int) bool { s := l.sortOf(i); return s == 1 || s == 2 }

// otherDoing finds a number or date of one part, and nothing else of it, said of what another part tells of with a verb of its own: signed in March, where it was signed in October
// and entered into force in March.
func (c *comparison) otherDoing(u member, l line, own [][]int, a, b int, part member, here [][2]int) *crossed {
	for _, x := range here {
		i := x[0]
		if l.sortOf(i) != 1 {
			continue
		}
		done := slices.IndexFunc(own[b], func(j int) bool { return l.doing(j) && c.saying(u, l, j) >= 0 })
		if done < 0 {
			return nil
		}
		done = own[b][done]
		doing := false // what the number is of, which stands on the same side of it
		for _, j := range own[a] {
			if l.oneItem(i, j) {
				continue
			}
			if c.saying(u, l, j) >= 0 {
				return nil
			}
			doing = doing || l.doing(j) && (j < i) == (done < x[1])
		}
		if doing && c.tellsOf(u, l, part, i) && !c.together(l, i, done) {
			return &crossed{c.saying(u, l, i), min(x[1], done), max(x[1], done) + 1, true}
		}
	}
	return nil
}

// tellsOf reports whether all that the source has of a part of the segment stands in one part of its sentence, but for the number at i.
func (c *comparison) tellsOf(u member, l line, part member, i int) bool {
	for k := u.from; k < u.to; k++ {
		p, ok := c.place[k]
		if ok && c.s.tokens[k].Content() && !(p >= part.from && p < part.to) && !l.within(part.from, part.to).names(c.s.tokens[k].Key) && !l.oneItem(i, min(max(p, l.start), l.end-1)) {
			return false
		}
	}
	return true
}

// doing reports whether the word at i is a verb that tells what was done or happens.
func (l line) doing(i int) bool {
	word := strings.ToLower(l.text(i))
	return l.sortOf(i) == 3 && (len(word) > 4 && strings.HasSuffix(word, "ed") || doings[word])
}

var doings = token.Words(`began came went took won left became fell rose grew made ran sold bought built met held lost wrote gave led paid sent spent opens closes starts ends begins finishes arrives departs leaves`)

// saying is the token of a part of the segment that says what the source's at j does, -1 where none does.
func (c *comparison) saying(u member, l line, j int) int {
	for k := u.from; k < u.to; k++ {
		p, ok := c.place[k]
		if (ok && p == j || c.s.tokens[k].Key == l.at(j).Key && c.s.tokens[k].Kind&token.Number == l.at(j).Kind&token.Number) && c.wholeName(k, l, j) {
			return k
		}
	}
	return -1
}

// wholeName reports whether all of the name that the token at k is part of stands around the source's at j: West Virginia is not Virginia.
func (c *comparison) wholeName(k int, l line, j int) bool {
	if c.mine.sortOf(k) != 2 {
		return true
	}
	for _, step := range []int{-1, 1} {
		for n, m := k+step, j+step; c.mine.key(n) != "" && c.mine.sortOf(n) == 2; n, m = n+step, m+step {
			if step > 0 && c.mine.at(n).Kind.Has(token.Comma) || step < 0 && c.mine.at(n+1).Kind.Has(token.Comma) {
				break
			}
			if c.mine.key(n) != l.key(m) {
				return false
			}
		}
	}
	return true
}

// together reports whether another sentence of the passages that were found has what the tokens at i and j of the line say.
func (c *comparison) together(l line, i, j int) bool {
	for _, a := range append([]alignment{*c.a, c.e.second}, c.e.others...) {
		if len(a.pos) == 0 {
			continue
		}
		first, last := max(c.t.firsts[a.passage], a.from-longestPosts), min(c.t.firsts[a.passage+1], a.to+longestPosts)
		for _, s := range c.t.sentences[first:last] {
			other := c.t.line(a.passage, s.start, min(s.end, s.start+maxWords))
			c.t.operations += other.end - other.start
			if s.start != l.start && other.names(l.at(i).Key) && other.names(l.at(j).Key) {
				return true
			}
		}
	}
	return false
}

// known reports whether a sentence has nearly all that a part of the segment says: words of its own may say what it leaves out.
func (c *comparison) known(u member, l line) bool {
	return c.s.coverOf(c.a, func(i int) bool { return u.from <= c.s.content[i] && c.s.content[i] < u.to }) >= 0.8 &&
		!slices.ContainsFunc(c.s.content, func(k int) bool {
			p, ok := c.place[k]
			return u.from <= k && k < u.to && ok && (p < l.start || p >= l.end) && !l.names(c.s.tokens[k].Key)
		})
}

// oneItem reports whether two tokens are of one name or amount.
func (l line) oneItem(i, j int) bool {
	for k := min(i, j); k <= max(i, j); k++ {
		if l.sortOf(k) != l.sortOf(i) {
			return false
		}
	}
	return true
}

// swaps reports whether the tokens at i of one part and at j of another say different things in the same place: both are numbers of one unit, or the words before or behind
// them are the same, or they are names with which the parts begin.
func (l line) swaps(a member, i int, b member, j int) bool {
	x, y := l.sortOf(i), l.sortOf(j)
	if x != y && (x == 1 || y == 1 || i > l.start && j > l.start) {
		return false // what begins a sentence may look like a name
	}
	if x == 1 {
		m, n := l.at(i), l.at(j)
		if m.Kind&(token.Ordinal|token.Year|token.Month) != n.Kind&(token.Ordinal|token.Year|token.Month) || m.Kind.Has(token.Number) != n.Kind.Has(token.Number) || m.Kind&(token.Number|token.Ordinal|token.Month) == 0 {
			return false
		}
		p, _ := l.amount(i)
		q, _ := l.amount(j)
		return p.unit == q.unit && l.onlyOne(a, i) && l.onlyOne(b, j)
	}
	if before := l.before(a, i); before != "" && before == l.before(b, j) {
		return true
	}
	if behind := l.behind(a, i); behind != "" && behind == l.behind(b, j) {
		return true
	}
	return l.at(i).Kind.Has(token.Capital) && l.at(j).Kind.Has(token.Capital) && l.begins(a, i) && l.begins(b, j)
}

// onlyOne reports whether a part has no other number of the sort of that at i: an ordinal, a year or none of these, with its unit.
func (l line) onlyOne(part member, i int) bool {
	mine, _ := l.amount(i)
	for k := part.from; k < part.to; k++ {
		if a, ok := l.amount(k); k != i && l.at(k).Kind.Has(token.Number) && ok && a.unit == mine.unit && l.at(k).Kind&(token.Ordinal|token.Year) == l.at(i).Kind&(token.Ordinal|token.Year) {
			return false
		}
	}
	return true
}

// before and behind are the words beside the token at i within its part, articles left out.
func (l line) before(part member, i int) string {
	for i--; i >= part.from && articles[l.key(i)]; i-- {
	}
	if i < part.from || joinsParts[l.key(i)] {
		return ""
	}
	return l.key(i)
}

func (l line) behind(part member, i int) string {
	if i+1 >= part.to {
		return ""
	}
	return l.key(i + 1)
}

// begins reports whether nothing that tells stands before the token at i in its part.
func (l line) begins(part member, i int) bool {
	for k := part.from; k < i; k++ {
		if !joinsParts[l.key(k)] && !articles[l.key(k)] {
			return false
		}
	}
	return true
}

// joinsParts are the words that join parts.
var joinsParts = token.Keys(`and but while whereas`)
