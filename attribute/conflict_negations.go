package attribute

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// deniedWord is a word that one side denies and the other does not: the i-th that counts, at k of the segment and p of the turn. The negation
// stands at mine or theirs, which is -1 for the other side.
type deniedWord struct{ i, k, p, mine, theirs int }

// negations finds a word that one side denies and the other does not.
func (c *comparison) negations() {
	if c.crossed != nil || c.converse {
		return // no other planet has more moons than Saturn
	}
	var all []deniedWord
	here, there := map[int]bool{}, map[int]bool{} // negations that the other side has in other words
	denies := func(l line) bool {
		return l.any(func(i int) bool { return l.at(i).Kind&(token.Negation|token.TurnsBack) != 0 })
	}
	none := !denies(c.mine) && !denies(c.theirs)
	for i, k := range c.s.content {
		p, ok := c.place[k]
		if !ok {
			c.prefixed(k)
			continue
		}
		if none || c.s.tokens[k].Kind&(token.Number|token.Name|token.Month|token.Unit) != 0 || c.a.strength[i] < 0.6 || bounding[c.s.tokens[k].Key] {
			continue
		}
		d := deniedWord{i, k, p, c.mine.denied(k), c.around(p).denied(p)} // a negation ends with its sentence
		if (d.mine >= 0) == (d.theirs >= 0) || c.isExempt(p) || d.mine >= 0 && c.onlyOther(p) {
			continue
		}
		if d.mine >= 0 && c.around(p).undoes(c.s.tokens[k].Key) {
			continue // who does not sign it leaves it unsigned
		}
		if d.mine >= 0 && c.around(p).distancedBefore(p) || d.theirs >= 0 && c.around(p).beyond(p) {
			continue // a myth is what is not so; not for more than two hours is for two hours at most
		}
		if l := c.around(p); d.mine >= 0 && c.mine.beyond(k) && !l.any(l.exceeds) {
			continue // what does not last longer than two weeks ends within them
		}
		if d.mine >= 0 && c.around(p).countsNone(p) {
			continue // open recalls: 0
		}
		if d.theirs >= 0 && k > 0 && strings.EqualFold(c.mine.text(k-1), "no") {
			continue // no more than half is not more than half
		}
		if d.mine >= 0 && c.deniesFirst(d.mine) || c.comesToTheSame(d) {
			continue
		}
		all = append(all, d)
		if g := c.around(p).doubted(p); d.mine >= 0 && g >= 0 && !c.used[g] {
			here[d.mine] = true
		}
		if g := c.mine.doubted(k); d.theirs >= 0 && g >= 0 && !c.placed(g) {
			there[d.theirs] = true
		}
	}
	rest := map[int]bool{} // sentences of the window that count the others: where 37 of 40 finished, three did not
	var stand []deniedWord
	for _, d := range all {
		n := c.sentence(d.p)
		if _, asked := rest[n]; !asked {
			rest[n] = c.leavesShare(d.p) || slices.ContainsFunc(c.mine.amounts(), func(a amount) bool { return c.remains(a, d.p) })
		}
		if rest[n] {
			continue
		}
		if here[d.mine] || there[d.theirs] || c.undoes[d.theirs] || c.deniedElsewhere(d.theirs >= 0) || !c.tells(d.p, d.k, d.k, 0.5) {
			continue
		}
		if d.mine >= 0 && c.mine.excepts(d.k) || d.theirs >= 0 && c.around(d.p).excepts(d.p) {
			continue
		}
		if d.mine >= 0 && c.mine.says(c.s.tokens[d.k].Key) || d.theirs >= 0 && c.around(d.p).says(c.theirs.at(d.p).Key) {
			continue
		}
		if d.theirs >= 0 && c.a.via[d.i] > derived {
			continue // what is denied of a word is not denied of its synonyms
		}
		stand = append(stand, d)
	}
	for _, d := range c.oneOfEach(stand) {
		if d.mine >= 0 {
			from, to := min(d.mine, d.k), max(d.mine, d.k)+1
			c.add("negation", from, to, d.p, d.p+1, fmt.Sprintf("says %q, the source says %q without a negation", c.said(from, to), c.source(d.p, d.p+1)))
		} else {
			from, to := min(d.theirs, d.p), max(d.theirs, d.p)+1
			c.add("negation", d.k, d.k+1, from, to, fmt.Sprintf("the source says: %s", c.source(from, to)))
		}
	}
}

// countsNone reports whether a zero without a unit counts what the word at i is of: 0 open recalls, open recalls: 0.
func (l line) countsNone(i int) bool {
	zero := func(k int) bool {
		a, ok := l.amount(k)
		return ok && a.value == 0 && a.unit == ""
	}
	for k := i - 1; k >= max(l.start, i-2) && !l.at(k+1).Kind.Has(token.Comma); k-- {
		if l.at(k).Kind.Has(token.Number) {
			return zero(k)
		}
	}
	for k := i + 1; k < min(l.end, i+3); k++ {
		_, from := l.span(k - 1)
		to, _ := l.span(k)
		if l.at(k).Kind.Has(token.Comma) && !strings.Contains(l.from[from:to], ":") {
			return false
		}
		if l.at(k).Kind.Has(token.Number) {
			return zero(k)
		}
	}
	return false
}

// oneDenies reports whether one side denies a word that the other says. Negations that are part of a bound, [from, to) of the segment or [left, right) of
// the window, deny none.
func (c *comparison) oneDenies(from, to, left, right int) bool {
	denies := func(at, first, last int) bool { return at >= 0 && (at < first || at >= last) }
	for k, p := range c.place {
		if c.s.tokens[k].Kind&(token.Number|token.Unit) == 0 && denies(c.mine.denied(k), from, to) != denies(c.around(p).denied(p), left, right) {
			return true
		}
	}
	return false
}

// oneOfEach leaves of the words that one negation denies on both of its sides, as it may in other languages, the first one behind it, else the first
// one before: "nicht erlaubt", "öffnet am Sonntag nicht".
func (c *comparison) oneOfEach(all []deniedWord) []deniedWord {
	type denial struct {
		mine bool
		at   int
	}
	first := map[denial]int{}
	rank := func(d deniedWord) (of denial, rank int, both bool) {
		l, n, at := c.mine, d.mine, d.k
		if n < 0 {
			l, n, at = c.around(d.p), d.theirs, d.p
		}
		if at < n {
			at += l.end
		}
		return denial{d.mine >= 0, n}, at, l.at(n).Kind.Has(token.TurnsBack)
	}
	for _, d := range all {
		of, at, _ := rank(d)
		if old, ok := first[of]; !ok || at < old {
			first[of] = at
		}
	}
	return slices.DeleteFunc(all, func(d deniedWord) bool {
		of, at, both := rank(d)
		return both && at > first[of]
	})
}

// placed reports whether the source has a token of the segment.
func (c *comparison) placed(k int) bool {
	_, ok := c.place[k]
	return ok
}

// denied finds the negation that governs the word at n, -1 where there is none. Who does not rule out a murder denies the
// ruling out, not the murder; what does not mean that the honey has spoiled denies no honey.
func (l line) denied(n int) int {
	at := l.governs(n, func(i int) bool {
		return l.at(i).Kind.Has(token.Negation) && (!failing[l.at(i).Key] || l.at(i+1).Key == "to") && (i+1 == n || !strings.EqualFold(l.text(i), "non"))
	})
	if at < 0 {
		at = l.deniedBehind(n)
	}
	if at >= 0 && n+1 < l.end && l.at(n+1).Key == "free" {
		return -1 // what is not caffeine free has caffeine
	}
	if at >= 0 && at+1 < n && (l.at(at+1).Key == "all" || l.at(at+1).Key == every) {
		return -1 // what is not so of all damage is so of some
	}
	for i := at + 1; at >= 0 && i < n; i++ {
		if key := l.at(i).Key; key == rule && l.at(i+1).Key == "out" || key == exclude || key == preclude || key == mean || unmoved[key] {
			return -1
		}
	}
	return at
}

// deniedBehind finds a negation behind the word at n that denies it, -1 where there is none, as in languages that say "opens on Mondays not".
func (l line) deniedBehind(n int) int {
	for i, words := n+1, 0; i < min(l.end, n+6) && words < 3 && !l.at(i).Kind.Has(token.Comma); i++ {
		switch tok := l.at(i); {
		case tok.Kind.Has(token.TurnsBack):
			return i
		case tok.Key == "and" || tok.Key == "but":
			return -1
		case tok.Content():
			words++
		}
	}
	return -1
}

var every = token.Key("every")

// unmoved are what one does not do about what is so: who need not worry about swelling has some, and who does not forget the salt adds it.
var unmoved = token.Keys(`worry worried alarmed surprised panic afraid hesitate forget forgot overlook`)

var rule, exclude, preclude, mean = token.Key("rule"), token.Key("exclude"), token.Key("preclude"), token.Key("mean")

// says reports whether the line has a word without a negation too: who speaks of runners and of non-runners denies neither.
func (l line) says(key string) bool {
	return l.any(func(i int) bool { return l.at(i).Key == key && l.denied(i) < 0 })
}

// denying finds the negation of a word, -1 where the line has none.
func (l line) denying(key string) int {
	for i := l.start; i < l.end; i++ {
		if l.at(i).Key == key {
			if n := l.denied(i); n >= 0 {
				return n
			}
		}
	}
	return -1
}

// excepts reports whether a condition follows the word at n by which what is denied holds after all: not needed unless.
func (l line) excepts(n int) bool {
	for i := n + 1; i < min(l.end, n+12); i++ {
		if key := l.at(i).Key; key == "unless" || key == "except" || key == "until" {
			return true
		}
	}
	return false
}

// beyond reports whether what a negation denies of the word at n is only what goes beyond an amount: not left out for more than two
// hours, not stored above 8 °C.
func (l line) beyond(n int) bool {
	for i := n + 1; i+1 < min(l.end, n+8); i++ {
		if l.exceeds(i) || passing[l.at(i).Key] && l.at(i+1).Kind.Has(token.Number) {
			return true
		}
	}
	return false
}

var passing = token.Keys(`above over beyond below under`)

// exceeds reports whether "more than" or the like stands at i.
func (l line) exceeds(i int) bool {
	key := l.at(i).Key
	return (key == "more" || key == longer || key == later) && l.key(i+1) == "than"
}

var longer, later = token.Key("longer"), token.Key("later")

// doubted finds the word that denies the one at n by its meaning, -1 where there is none: free of charge, unlikely to return, keep it
// from freezing.
func (l line) doubted(n int) int {
	if l.key(n-1) == "from" {
		for i := n - 2; i >= max(l.start, n-6); i-- {
			if l.at(i).Key == "keep" {
				return i
			}
		}
	}
	if l.at(n).Key == "keep" {
		for i := n + 1; i+1 < min(l.end, n+5); i++ {
			if l.at(i).Key == "out" && l.at(i+1).Key == "of" { // keep milk out of the door
				return i
			}
		}
	}
	if n+1 < l.end && l.key(n+1) == "free" && l.at(n+1).Kind.Has(token.Glued) || l.key(n+1) == "be" && l.key(n+2) == "free" && l.key(n+3) != "to" {
		return n + 1 // gluten-free; admission is free
	}
	if n+1 < l.end && hardly[l.at(n+1).Key] && !l.at(n+1).Kind.Has(token.Comma) {
		return n + 1 // who drives little hardly drives
	}
	return l.governs(n, func(i int) bool { return doubting[l.at(i).Key] })
}

// hardly are words that deny what they stand behind, or most of it.
var hardly = token.Keys(`little rarely seldom`)

// governs finds the word that governs the one at n: up to two content words before it, not across a comma or an "and".
func (l line) governs(n int, is func(int) bool) int {
	words := 0
	for i := n - 1; i >= n-5 && i >= l.start; i-- {
		tok := l.at(i)
		if l.at(i+1).Kind.Has(token.Comma) || tok.Key == "and" || tok.Key == "but" || l.closed(i) {
			return -1 // hot (not boiling) water is hot water
		}
		if is(i) {
			if i+2 == n && l.at(i+1).Content() && l.key(i-1) == "but" && !l.at(i-1).Kind.Has(token.Comma) && i-2 >= l.start && l.at(i-2).Content() {
				return -1 // cool but not freezing nights are nights
			}
			return i
		}
		if tok.Content() {
			if words++; words > 1 {
				return -1
			}
		}
	}
	return -1
}

// bounding are words that no negation before them denies: who does not mow until May mows then.
var bounding = map[string]bool{token.Key("until"): true, token.Key("unless"): true, token.Key("except"): true, token.Key("before"): true, token.Key("after"): true}

// doubting are words that deny what they govern, or most of it, without a negation.
var doubting = token.Keys(`free exempt zero unlikely impossible impractical difficult hard lose loss miss absence absent little less few rarely seldom
		barely avoid prevent stop cease quit end prohibit forbid ban reject eliminate remove waive exclude except unless instead rather doubt plus drop discontinue`)

// failing are verbs that deny what they fail to do, and nothing else: what failed after three weeks lasted them.
var failing = map[string]bool{token.Key("fail"): true, token.Key("refuse"): true, token.Key("unable"): true}

// deniedElsewhere reports whether the other side has a negation too, which may say the same in another place: avoid sharks is do not eat
// sharks.
func (c *comparison) deniedElsewhere(segment bool) bool {
	l, both := c.theirs, func(i int) bool { return c.used[i] }
	if segment {
		l, both = c.mine, c.placed
	}
	return l.any(func(i int) bool {
		return l.at(i).Kind.Has(token.Negation) || forbidding[l.at(i).Key] || leavingOut[l.at(i).Key] && !both(i)
	})
}

// forbidding are verbs by which others say "do not", or that something is no longer there.
var forbidding = token.Keys(`avoid prohibit forbid refrain disable deactivate omit`)

// leavingOut say "not" in another word, where the other side does not have it, too.
var leavingOut = token.Keys(`exclude optional`)

// prefixed finds possible beside impossible.
func (c *comparison) prefixed(k int) {
	key := c.s.tokens[k].Key
	if k > 0 && c.s.tokens[k-1].Kind.Has(token.Negation) {
		return // non-profit, not possible
	}
	for j := c.start; j < c.end; j++ {
		other := c.t.terms[c.t.tokens[j].term].key
		if len(other) < 4 || len(key) < 4 || c.used[j] {
			continue
		}
		if undone(key, other) || undone(other, key) {
			if t := c.theirs.denying(other); t >= 0 {
				c.undoes[t] = true
				return // unpaid is what was not paid
			}
			c.used[j] = true
			c.add("negation", k, k+1, j, j+1, c.instead(k, k+1, j, j+1))
			return
		}
	}
}

// undoes reports whether the line has the word that denies another by how it begins.
func (l line) undoes(key string) bool {
	return l.any(func(i int) bool { return undone(l.at(i).Key, key) })
}

func undone(long, short string) bool {
	if long == "unless" {
		return false // a condition, and no opposite of less
	}
	for _, p := range []string{"un", "in", "im", "il", "ir", "dis", "non"} {
		if strings.HasPrefix(long, p) && long[len(p):] == short {
			return true
		}
	}
	return false
}
