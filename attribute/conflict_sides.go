package attribute

import (
	"slices"
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// sides finds what stands on the other side of a comparison: tea is stronger than coffee beside coffee is stronger than tea.
func (c *comparison) sides() {
	x := c.crossed
	if x == nil {
		return
	}
	if more := c.mine.more(x.than); more != "" && more == c.around(x.theirs).more(x.theirs) {
		c.add("exchange", x.left, x.left+1, x.theirs, c.place[x.left]+1, c.instead(x.than, x.right+1, x.theirs, c.place[x.left]+1))
	}
}

// crossing is a comparison whose sides stand the other way round in the source: the word between them here and there, and a word of
// each side.
type crossing struct{ than, theirs, left, right int }

// cross finds it, nil where there is none.
func (c *comparison) cross() *crossing {
	k := c.mine.than()
	if k < 0 {
		return nil
	}
	for l := range c.lines() {
		j := l.than()
		if j < 0 {
			continue
		}
		right, other := c.mine.behindThan(k), l.behindThan(j)
		if right < 0 || other < 0 {
			continue
		}
		p, ok := c.place[right]
		left := slices.IndexFunc(c.s.content, func(n int) bool { q, ok := c.place[n]; return ok && q == other })
		if ok && p >= l.start && p < j && left >= 0 && c.s.content[left] < k {
			return &crossing{k, j, c.s.content[left], right}
		}
	}
	return nil
}

// next is the first word that counts behind the one at i, -1 where there is none near.
func (l line) next(i int) int {
	for k := i + 1; k < min(l.end, i+sideReach); k++ {
		if l.at(k).Content() {
			return k
		}
	}
	return -1
}

// behindThan is the first word that counts behind the "than" at i and is none of those before it: of "Mount Besk is lower than Mount Arlen" it is Arlen. It is
// -1 where there is none near.
func (l line) behindThan(i int) int {
	before := map[string]bool{}
	for k := l.start; k < i; k++ {
		before[l.at(k).Key] = true
	}
	for k := i + 1; k < min(l.end, i+1+sideReach); k++ {
		if l.at(k).Content() && !before[l.at(k).Key] {
			return k
		}
	}
	return -1
}

// previous is the last word that counts before the one at i, -1 where there is none near.
func (l line) previous(i int) int {
	for k := i - 1; k >= max(l.start, i-sideReach); k-- {
		if l.at(k).Content() {
			return k
		}
	}
	return -1
}

// more is the comparative before the word at i, and "" where it is denied or there is none: no other has more.
func (l line) more(i int) string {
	if at := l.moreAt(i); at >= 0 {
		return strings.ToLower(l.text(at))
	}
	return ""
}

// moreAt is where that comparative stands, -1 where there is none.
func (l line) moreAt(i int) int {
	found := -1
	for k := i - 1; k >= l.start; k-- {
		switch tok := l.at(k); {
		case tok.Kind.Has(token.Negation) || tok.Key == "few":
			return -1
		case found < 0 && (tok.Kind.Has(token.Compare) || strings.HasSuffix(l.text(k), "er")) && i-k <= sideReach:
			found = k
		}
	}
	return found
}

// expandTurned lets a comparative of the window stand for its opposite in the segment where their sides stand the other way round: who is louder than one is
// what that one is quieter than.
func (t *turn) expandTurned(s *segment, a *alignment, start, end int) {
	if at, _, j, ok := t.turnedRound(s, a, start, end); ok {
		s.stands(a, at, at+1, j, .9, derived)
	}
}

// turnedRound finds the comparative of the segment, its "than", and the opposite in the window whose sides stand the other way round.
func (t *turn) turnedRound(s *segment, a *alignment, start, end int) (at, than, theirs int, ok bool) {
	if than = s.than; s.tongue != nil || than < 0 {
		return 0, 0, 0, false
	}
	mine := s.line()
	if at = mine.moreAt(than); at < 0 {
		return 0, 0, 0, false
	}
	c := comparison{t: t, s: s, a: a, start: start, end: end, mine: mine, theirs: t.line(a.passage, start, end), place: places(s, a)}
	t.operations += end - start
	x := c.cross()
	if x == nil {
		return 0, 0, 0, false
	}
	theirs = c.around(x.theirs).moreAt(x.theirs)
	return at, than, theirs, theirs >= 0 && opposite(s.tokens[at].Key, c.theirs.at(theirs).Key)
}

// sidesTurned puts the sides of a comparison that is turned round into the order in which the source has them, for a judge: "Besk is lower than Arlen" reads
// "Arlen is higher than Besk". It does so where nothing else stands around them.
func (t *turn) sidesTurned(s *segment, a *alignment, theirs line, put func(from, to int, with string)) {
	at, than, j, ok := t.turnedRound(s, a, theirs.start, theirs.end)
	mine, n := s.line(), len(s.tokens)
	if !ok || at < 2 || than+1 >= n || mine.key(at-1) != "be" || than != at+1 || mine.any(func(i int) bool { return mine.at(i).Kind.Has(token.Comma) }) {
		return
	}
	said := func(from, to int) string { return s.text[s.tokens[from].At.Start:s.tokens[to-1].At.End] }
	put(0, at-1, said(than+1, n))
	put(at, than, theirs.text(j))
	put(than+1, n, said(0, at-1))
}

// opposite reports whether one of two words says the opposite of the other.
func opposite(a, b string) bool {
	return slices.Contains(comparatives[a], b) || slices.Contains(known().opposite[a], b) || slices.Contains(known().opposite[b], a)
}

// places are the tokens of the turn by those of the segment that they stand for.
func places(s *segment, a *alignment) map[int]int {
	out := make(map[int]int, len(s.content))
	for i, k := range s.content {
		if p := int(a.pos[i]); p >= 0 {
			out[k] = p
		}
	}
	return out
}

// sideReach is how many words behind "than" name what is compared.
const sideReach = 5

// than finds the word between two sides, -1 where there is none or more than one, and where a number follows or nothing is more:
// more than 20, rather than.
func (l line) than() int {
	at := -1
	for i := l.start + 1; i+1 < l.end; i++ {
		if l.at(i).Key != "than" {
			continue
		}
		if before := strings.ToLower(l.text(i - 1)); at >= 0 || l.at(i+1).Kind.Has(token.Number) || before == "rather" || before == "other" {
			return -1
		}
		at = i
	}
	return at
}

// roles finds two names that have changed places: Rome defeated Carthage beside Carthage defeated Rome. All of the segment must
// stand in one sentence, and no word that turns a sentence round between the two.
func (c *comparison) roles() {
	if c.rest(0, 0) < 0.95 || c.crossed != nil {
		return // the sides of a comparison are compared as such
	}
	for i, a := range c.s.content {
		if !c.named(i) {
			continue
		}
		for j := i + 2; j < len(c.s.content); j++ {
			b := c.s.content[j]
			p, q := int(c.a.pos[i]), int(c.a.pos[j])
			if b-a > roleReach {
				break
			}
			if !c.named(j) || q >= p || c.sentence(p) != c.sentence(q) || p-q > roleReach {
				continue
			}
			doing := false
			for m := i + 1; m < j; m++ {
				k, r := c.s.content[m], int(c.a.pos[m])
				doing = doing || r > q && r < p && c.a.via[m] == same && !c.theirs.at(r).Kind.Has(token.Glued) && !mutual[c.s.tokens[k].Key] && c.s.tokens[k].Kind&(token.Name|token.Number|token.Unit|token.Month|token.Year) == 0
			}
			if !doing || c.mine.turns(a, b) || c.theirs.turns(q, p) || c.mine.passive(a, b) != c.theirs.passive(q, p) {
				continue
			}
			c.add("role", a, b+1, q, p+1, c.instead(a, b+1, q, p+1))
			return
		}
	}
}

const roleReach = 9

// named reports whether the i-th content word is a name that stands in the window as it is.
func (c *comparison) named(i int) bool {
	k := c.s.content[i]
	if p := int(c.a.pos[i]); p >= 0 && c.a.via[i] == same && c.s.tokens[k].Kind.Has(token.Name) {
		return strings.EqualFold(possessor(c.mine.text(k)), possessor(c.theirs.text(p)))
	}
	return false
}

func possessor(w string) string { return strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s") }

// mutual are words that say the same from both sides.
var mutual = token.Keys(`marry meet near next border neighbor join partner separate differ born fight divorce rival play face debate wed connect link merge tie draw share`)

// passive reports whether a form of "be" stands between two words.
func (l line) passive(from, to int) bool {
	for i := from + 1; i < to; i++ {
		if l.at(i).Key == "be" {
			return true
		}
	}
	return false
}

// turns reports whether a word stands from one place to another behind which the other is meant, or both are.
func (l line) turns(from, to int) bool {
	for i := from; i <= to; i++ {
		switch l.at(i).Key {
		case "by", "and", "or", "with", "of", "between", "from", "which", "who", "whom", "that", "whose", "as":
			return true
		}
		if i > from && l.at(i).Kind.Has(token.Comma) || i < to && possessor(l.text(i)) != l.text(i) {
			return true
		}
	}
	return false
}

// doers finds a deed whose doer and whom it is done to have changed places, in the active or the passive: Star was bought by Lines where Lines was acquired
// by Star, Lines bought Star.
func (c *comparison) doers() {
	for i, k := range c.s.content {
		p := int(c.a.pos[i])
		if p < 0 || c.s.tokens[k].Kind&(token.Name|token.Number|token.Unit|token.Month) != 0 || mutual[c.s.tokens[k].Key] {
			continue
		}
		doer, done, here := c.mine.deed(k)
		if doer < 0 || done < 0 {
			continue
		}
		l := c.around(p)
		theirDoer, theirDone, there := l.deed(p)
		if !here && !there || theirDoer < 0 || theirDone < 0 {
			continue // two active sentences are compared whole
		}
		is := func(k, p int) bool {
			q, ok := c.place[k]
			return ok && c.s.tokens[k].Key == l.at(p).Key && c.theirs.at(q).Key == l.at(p).Key
		}
		if is(doer, theirDone) && is(done, theirDoer) && c.s.tokens[doer].Key != c.s.tokens[done].Key {
			from, to := min(doer, done), max(doer, done)+1
			left, right := min(theirDoer, theirDone), max(theirDoer, theirDone)+1
			kind := "role"
			if here != there && c.a.via[i] == same && c.rest(0, 0) >= 0.95 && !c.saysOfBoth(k, doer, done) {
				kind = "exchange" // nothing is put otherwise but who did it
			}
			c.add(kind, from, to, left, right, c.instead(from, to, left, right))
			return
		}
	}
}

// saysOfBoth reports whether the passage says in another place what the segment says of the verb at k: that the one did it to the other.
func (c *comparison) saysOfBoth(k, doer, done int) bool {
	is := func(l line, i, mine int) bool { return i >= 0 && l.at(i).Key == c.s.tokens[mine].Key }
	return c.passageAny(func(l line, j int) bool {
		if l.at(j).Key != c.s.tokens[k].Key {
			return false
		}
		who, whom, _ := l.deed(j)
		return is(l, who, doer) && is(l, whom, done)
	})
}

// deed finds the names of who does what the verb at v says, and whom it is done to, -1 where they are not plain, and whether it says so in the passive.
func (l line) deed(v int) (doer, done int, passive bool) {
	named := func(i int) bool {
		return i >= l.start && i < l.end && (l.at(i).Kind.Has(token.Name) || i == l.start && l.at(i).Kind.Has(token.Capital) && l.at(i).Content())
	}
	before, behind := -1, -1
	for i := v - 1; i >= max(l.start, v-5) && !l.at(i+1).Kind.Has(token.Comma); i-- {
		if key := l.at(i).Key; key == "be" {
			passive = true
		} else if key == "and" || key == "or" || key == "by" || l.at(i).Kind.Has(token.Negation) {
			break
		}
		if named(i) {
			before = i
			break
		}
	}
	at := v + 1
	if passive {
		by := l.agent(v)
		if passive = by >= 0; passive {
			at = by + 1
		}
	}
	if l.key(at) == "the" {
		at++
	}
	for ; named(at) && !l.at(at).Kind.Has(token.Comma); at++ {
		behind = at
	}
	if passive {
		return behind, before, true
	}
	return before, behind, false
}

// agent finds the "by" of the passive verb at v, behind a few words that belong to it, -1 where there is none: accused of plagiarism by.
func (l line) agent(v int) int {
	for i := v + 1; i < min(l.end, v+5) && !l.at(i).Kind.Has(token.Comma); i++ {
		word := strings.ToLower(l.text(i))
		if word == "by" {
			return i
		}
		if word == "and" || word == "or" || strings.HasSuffix(word, "ed") || strings.HasSuffix(word, "en") {
			return -1 // of patents held by others
		}
	}
	return -1
}

// exchanged finds two words that have changed places before what they are said of: 60 seconds of running and 90 of walking, smooth
// stones and rough planks.
func (c *comparison) exchanged() {
	type pair struct{ k, of, theirs int } // a word and what it is said of, here and in the source
	var all []pair
	for i, k := range c.s.content {
		if p, ok := c.place[k]; ok && len(all) < maxPairs && c.a.via[i] == same {
			if of, theirs := c.mine.head(k), c.around(p).head(p); of >= 0 && theirs >= 0 {
				all = append(all, pair{k, of, theirs})
			}
		}
	}
	says := func(k, p int) bool { q, ok := c.place[k]; return ok && p == q }
	for i, a := range all {
		if c.crossed != nil {
			break // the sides of a comparison are compared as such
		}
		for _, b := range all[i+1:] {
			if !says(a.of, b.theirs) || !says(b.of, a.theirs) || !c.mine.differ(a.k, a.of, b.k, b.of) || c.mine.kindOf(a.k, b.k) || c.mine.kindOf(a.of, b.of) || c.compounds(a.of) || c.compounds(b.of) {
				continue // the octopus swims and the animal tires
			}
			kind := "exchange"
			if c.s.tokens[a.k].Kind&c.s.tokens[b.k].Kind&token.Number != 0 {
				kind = "number"
			}
			left, right := c.place[b.k], c.place[a.of]
			c.add(kind, a.k, a.of+1, left, right+1, c.instead(a.k, a.of+1, left, right+1))
			return
		}
	}
}

// compounds reports whether the word at k is joined to the one before it, which the source has behind a preposition: shelter-run clinics are clinics run by
// shelters.
func (c *comparison) compounds(k int) bool {
	p, ok := c.place[k]
	return ok && c.s.tokens[k].Kind.Has(token.Glued) && p+1 < c.end && !c.theirs.at(p+1).Content()
}

// maxPairs bounds the words that are compared with each other.
const maxPairs = 40

// head finds the word that the one at i is said of: the next one, and of a number what it counts, behind its unit; -1 where there
// is none.
func (l line) head(i int) int {
	counts := l.at(i).Kind.Has(token.Number) && !l.at(i).Kind.Has(token.Year)
	for k := i + 1; k < min(l.end, i+6) && !l.at(k).Kind.Has(token.Comma); k++ {
		switch tok := l.at(k); {
		case counts && tok.Kind.Has(token.Number):
			return -1
		case tok.Content() && (!counts || tok.Kind&(token.Unit|token.Month|token.Compare) == 0):
			return k
		case !counts:
			return -1
		}
	}
	return -1
}

// kindOf reports whether one of two words is more general than the other, and may stand for it.
func (l line) kindOf(i, j int) bool {
	a, b := l.at(i).Key, l.at(j).Key
	return anything[a] || anything[b] || known().isGeneral(b, a) || known().isGeneral(a, b)
}

// anything are words that stand for what was named before.
var anything = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`animal creature species plant person company firm organization place city country device machine product substance material drug disease condition process method group thing`) {
		m[token.Key(w)] = true
	}
	return m
}()

// differ reports whether no two of these tokens are the same word.
func (l line) differ(tokens ...int) bool {
	seen := map[string]bool{}
	for _, i := range tokens {
		seen[l.at(i).Key] = true
	}
	return len(seen) == len(tokens)
}
