package attribute

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// names finds a name, or the part of one, that the passage lacks where the source has another name in its place.
func (c *comparison) names() {
	if c.s.tongue.Script() != c.t.tongues[c.a.passage].Script() {
		return // Orlov and Орлов may be one
	}
	for k := 0; k < len(c.s.tokens); k++ {
		if !c.foreign(k) {
			continue
		}
		to := k + 1
		for to < len(c.s.tokens) && c.foreign(to) && !c.s.tokens[to].Kind.Has(token.Comma) {
			to++
		}
		c.otherName(k, to)
		k = to - 1
	}
}

// foreign reports whether a token is part of a name and nothing like it stands in the passage.
func (c *comparison) foreign(k int) bool {
	if !c.s.tokens[k].Kind.Has(token.Name) || c.s.tokens[k].Kind.Has(token.Number|token.Month|token.Unit) || token.Weekday(c.s.tokens[k].Key) >= 0 {
		return false
	}
	if office, _ := c.mine.postAt(k); office != "" || c.shortens(k) {
		return false // a CFO is denied by no name
	}
	i, ok := slices.BinarySearch(c.s.content, k)
	if !ok || c.a.strength[i] > 0 && c.a.via[i] != referred && c.a.via[i] != named {
		return false
	}
	lo, hi := c.t.firsts[c.a.passage], c.t.firsts[c.a.passage+1]
	return !slices.ContainsFunc(c.s.options[i], func(o option) bool { return o.via <= derived && c.t.holds(o.term, lo, hi) })
}

// shortens reports whether a token alone in brackets is short for the words before them: cardiothoracic ratio (CTR). It names
// nothing more than these. Its letters stand in them in this order, the first at the beginning of a word.
func (c *comparison) shortens(k int) bool {
	at, tok := c.s.tokens[k].At, c.s.tokens[k]
	if k == 0 || !tok.Kind.Has(token.Acronym) || at.End >= len(c.s.text) || c.s.text[at.Start-1] != '(' || c.s.text[at.End] != ')' {
		return false
	}
	short := strings.ToLower(strings.TrimSuffix(strings.ReplaceAll(c.said(k, k+1), ".", ""), "s"))
	for i := k - 1; i >= max(0, k-2*len(short)); i-- {
		rest, long := short, strings.ToLower(c.said(i, k))
		if long[0] != short[0] {
			continue
		}
		for n := range len(long) {
			if rest != "" && long[n] == rest[0] {
				rest = rest[1:]
			}
		}
		if rest == "" {
			return true
		}
	}
	return false
}

func (c *comparison) otherName(k, to int) {
	if c.a.cover < 0.5 && c.rest(k, to) < restAgrees {
		return
	}
	isName := func(w word32) bool {
		return w.kind.Has(token.Name) && w.kind&(token.Number|token.Month) == 0 && !c.labels(w)
	}
	fits := func(w word32) bool { return isName(w) && c.sameSort(k, to, w) }
	j := -1
	if p, ok := c.place[k-1]; ok && c.s.tokens[k-1].Kind.Has(token.Name) { // the rest of a name that is matched
		if p+1 >= c.end || c.used[p+1] || !isName(c.t.tokens[p+1]) {
			return
		}
		j = p + 1
	} else if p, ok := c.place[to]; ok && c.s.tokens[to].Kind.Has(token.Name) {
		if p-1 < c.start || c.used[p-1] || !isName(c.t.tokens[p-1]) {
			return
		}
		j = p - 1
	} else if j = c.people(k, to); j < 0 {
		reach := 4
		if c.rest(k, to) >= restAgrees {
			reach = 16 // all else agrees, so the name may stand elsewhere in the sentence
		}
		if j = c.nearest(k, reach, fits); j < 0 {
			j = c.nearest(to-1, reach, fits)
		}
	}
	if j < 0 || !c.tells(j, k, to, 0.4) {
		return
	}
	left, right := j, j+1
	for left > c.start && isName(c.t.tokens[left-1]) && !c.used[left-1] {
		left--
	}
	for right < c.end && isName(c.t.tokens[right]) && !c.used[right] {
		right++
	}
	if c.initials(k, to, left, right) || c.mine.reports(k, to) != c.theirs.reports(left, right) || c.onlyOther(j) {
		return
	}
	if c.otherCode(k, to, left, right) {
		c.addPlain("number", k, to, left, right)
		return
	}
	c.add("name", k, to, left, right, c.instead(k, to, left, right))
}

// otherCode reports whether both names are codes of one form, of letters and digits, and no source has that of the segment: gate G79 for G97. To a judge they look alike.
func (c *comparison) otherCode(k, to, left, right int) bool {
	if to != k+1 || right != left+1 || c.t.has(c.s.tokens[k].Key) {
		return false
	}
	form := func(code string) string {
		return strings.Map(func(r rune) rune {
			switch {
			case token.IsDigit(r):
				return '0'
			case unicode.IsUpper(r):
				return 'A'
			}
			return r
		}, code)
	}
	mine := form(c.mine.text(k))
	return strings.ContainsRune(mine, '0') && strings.ContainsRune(mine, 'A') && mine == form(c.theirs.text(left))
}

// labels reports whether a word of data stands in the name of its line, before the first value: "Title" of "Title: Tide Tables".
func (c *comparison) labels(w word32) bool {
	if _, data := c.t.data[c.a.passage]; !data {
		return false
	}
	text, start, end := c.t.passages[c.a.passage].Chunk.Text, int(w.start), int(w.end)
	before, behind := text[max(0, start-maxLabel):start], text[end:min(len(text), end+maxLabel)]
	line := strings.LastIndexByte(before, '\n')
	at := strings.Index(behind, ": ")
	return at >= 0 && (line >= 0 || start <= maxLabel) && !strings.ContainsAny(behind[:at], "\n.,") && !strings.Contains(before[line+1:], ": ")
}

// maxLabel bounds how long the name of a line of data is, in bytes.
const maxLabel = 100

// people finds another people in the window where the segment names one: a Canadian is denied by an American rather than by
// whichever name stands nearer.
func (c *comparison) people(k, to int) int {
	if to != k+1 || !token.Peoples[strings.ToLower(c.said(k, to))] {
		return -1
	}
	return c.nearest(k, 16, func(w word32) bool { return w.kind.Has(token.Name) && c.isPeople(w) })
}

func (c *comparison) isPeople(w word32) bool {
	return token.Peoples[strings.ToLower(c.t.passages[c.a.passage].Chunk.Text[w.start:w.end])]
}

// sameSort reports whether a name of the window can stand in place of the segment's [k, to): only a country or a people is
// denied by a people, and no people by the place that something is in or from. An Austrian may be from Vienna.
func (c *comparison) sameSort(k, to int, w word32) bool {
	if token.Countries[c.t.terms[w.term].key] {
		return token.Countries[c.s.tokens[k].Key] || !c.isPeople(w)
	}
	if to != k+1 || !token.Peoples[strings.ToLower(c.said(k, to))] {
		return true
	}
	before := c.t.passages[c.a.passage].Chunk.Text[:w.start]
	return !strings.HasSuffix(before, " from ") && !strings.HasSuffix(before, " in ")
}

// initials reports whether two names are the same letters: B.J. and B. J., of which the first may be matched apart. A letter of
// the source may stand for a name too: É. for Émile.
func (c *comparison) initials(from, to, left, right int) bool {
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if !token.WordRune(r) {
				return -1
			}
			return unicode.ToLower(r)
		}, s)
	}
	mine, theirs := letters(c.said(from, to)), letters(c.source(left, right))
	for j := left; j < right; j++ {
		if utf8.RuneCountInString(c.theirs.text(j)) > 1 {
			return mine == theirs
		}
	}
	if c.s.tokens[from].Kind.Has(token.Acronym) {
		return strings.HasSuffix(mine, theirs)
	}
	_, n := utf8.DecodeRuneInString(theirs)
	return strings.HasPrefix(mine, theirs[:n])
}

// reports reports whether a name is of one who tells the rest: "CBS reports", "according to CBS". Whoever tells it stands in
// no place where the sentence itself names others.
func (l line) reports(from, to int) bool {
	for from > l.start && l.at(from-1).Key == "the" {
		from--
	}
	verb := func(i int) bool {
		return i >= l.start && i < l.end && reporting[l.at(i).Key] && !l.at(i).Kind.Has(token.Name)
	}
	before := func(d int, key string) bool { return from-d >= l.start && l.at(from-d).Key == key }
	return verb(to) || verb(from-1) || before(1, "per") || before(1, "to") && before(2, token.Normal("according"))
}

// reporting are verbs of those who tell what others did.
var reporting = token.Keys(`report note say tell point add explain claim argue mention frame`)
