package attribute

import (
	"slices"
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// opposites finds more beside less, rise beside fall, before beside after.
func (c *comparison) opposites() {
	turned := c.orders()
	for k, tok := range c.s.tokens {
		if _, ok := c.place[k]; ok || c.mine.counterpart(k) != 0 {
			continue
		}
		against := slices.Clone(comparatives[tok.Key])
		if !tok.Kind.Has(token.Stop) || amounts[tok.Key] == amountAll {
			against = append(against, known().opposite[tok.Key]...)
		}
		if len(against) == 0 || tok.Kind.Has(token.Name) || tok.Key == "not" || k+1 < len(c.s.tokens) && c.s.tokens[k+1].Kind.Has(token.Negation) {
			continue // who has none lacks it
		}
		j := c.nearest(k, 6, func(w word32) bool {
			key := c.t.terms[w.term].key
			return slices.Contains(against, key) && (key != "good" || bad[tok.Key]) && (key != "other" || tok.Key == "same") // of the lexicon's many opposites of these few are plain
		})
		if j < 0 || c.crossed != nil || turned != nil && turned.at == k && turned.mine == turned.theirs {
			continue // worse than baits is what baits are better than
		}
		if t := c.theirs.denying(c.theirs.at(j).Key); t >= 0 && !c.s.deniedAt(k) {
			c.undoes[t] = true
			continue // unpaid is what was not paid
		}
		if c.theirs.at(j).Key == "few" && c.theirs.key(j-1) == "a" || amounts[tok.Key] == amountAll && c.around(j).any(c.around(j).exceeds) {
			continue // a few are some; no more than 150 for each is what no one has more of
		}
		if stays[tok.Key] && c.mine.lets(k) && c.theirs.lets(j) {
			continue // what is let stand is let sit
		}
		if (c.mine.key(k) == shut || c.theirs.key(j) == shut) && (c.mine.timed(k) || c.theirs.timed(j)) {
			continue // what closes at six is open until six
		}
		if c.mine.key(k+1) == "than" && !c.theirs.compares(j) {
			continue // smaller than another large one
		}
		if !c.tells(j, k, k+1, 0.4) || c.s.deniedAt(k) != c.deniedAt(j) {
			continue // not small is no opposite of big
		}
		if c.agreesNearer(k, j) || c.swapped(k, j) || c.takenOut(j) {
			continue // one thing fell, and another rose; notice before entering is entering after notice
		}
		if k > 0 && c.s.tokens[k-1].Key == "not" || j > c.start && c.theirs.at(j-1).Key == "not" {
			continue // no more than 10 is no opposite of less than 10
		}
		if c.t.tokens[j].kind.Has(token.Negation) && !c.t.tokens[j].kind.Has(token.Verbal) && (amounts[tok.Key] != amountAll || !c.sameNext(k, j)) {
			continue // "not" turns a statement, and is the opposite of no word in it
		}
		c.used[j] = true
		c.add("comparative", k, k+1, j, j+1, c.instead(k, k+1, j, j+1))
	}
}

// swapped reports whether what stands behind the "before" at k stands in front of the "after" at j, or the other way round. orders tells it of more, but of no
// sentence with other words.
func (c *comparison) swapped(k, j int) bool {
	n := c.mine.next(k)
	p, ok := c.place[n]
	return ok && inTime[c.s.tokens[k].Key] && p < j && c.sentence(p) == c.sentence(j)
}

var inTime = token.Keys(`before after`)

var shut = token.Key("close")

// timed reports whether a time stands behind the word at i: closes at 6 pm, open from nine.
func (l line) timed(i int) bool {
	for j := i + 1; j < min(l.end, i+5) && !l.at(j).Kind.Has(token.Comma); j++ {
		if l.at(j).Kind.Has(token.Number) && !l.at(j).Kind.Has(token.Year) {
			return untils[l.key(j-1)] || untils[l.key(j-2)]
		}
	}
	return false
}

// untils lead to a time of opening or of closing.
var untils = token.Keys(`at by from until till around about before after`)

// bad are the plain opposites of good.
var bad = token.Keys(`bad worse worst evil terrible`)

// stays are what something does that is let be, by words that are opposites otherwise.
var stays, letting = token.Keys(`sit stand lie rest`), token.Keys(`let leave`)

// lets reports whether the word at i is what something is let or left to do: let it stand.
func (l line) lets(i int) bool {
	for j := i - 1; j >= max(l.start, i-3) && !l.at(j+1).Kind.Has(token.Comma); j-- {
		if letting[l.at(j).Key] {
			return true
		}
	}
	return false
}

// compares reports whether the word at i is one of comparison, as far as its letters tell: smaller, smallest.
func (l line) compares(i int) bool {
	return l.at(i).Kind.Has(token.Compare) || strings.HasSuffix(l.text(i), "er") || strings.HasSuffix(l.text(i), "est")
}

// particles finds the other one of two small words behind the same word: turn the heat down, turn the heat up.
func (c *comparison) particles() {
	for k := 1; k < len(c.s.tokens); k++ {
		p, ok := c.place[k-1]
		if !ok {
			continue
		}
		other := opposed[strings.ToLower(c.mine.text(k))]
		if other == "" || p+1 >= c.end || c.theirs.at(p).Key != c.s.tokens[k-1].Key || c.t.tokens[p+1].kind.Has(token.Comma) || strings.ToLower(c.theirs.text(p+1)) != other || c.s.tokens[k].Kind.Has(token.Comma) {
			continue
		}
		key, small := c.s.tokens[k-1].Key, strings.ToLower(c.mine.text(k))
		if c.theirs.followed(key, small) || c.mine.any(func(i int) bool { return strings.EqualFold(c.mine.text(i), other) }) || c.mine.key(k+1) == "of" || articles[c.mine.key(k+1)] != articles[c.theirs.key(p+2)] {
			continue // pull-ups and pull-downs, going up and coming down; based off of; take the entry off, remove the entry on their own
		}
		if c.tells(p, k, k+1, 0.5) {
			c.add("exchange", k-1, k+1, p, p+2, c.instead(k-1, k+1, p, p+2))
		}
	}
}

// within finds what is in something where the source says that it is outside of it: sales in Europe, sales outside Europe. Who says "outside" may say it of
// what the source leaves out.
func (c *comparison) within() {
	for k, tok := range c.s.tokens {
		p, ok := c.place[k]
		if !ok || !tok.Content() || c.theirs.at(p).Key != tok.Key {
			continue
		}
		mine, at := c.mine.enclosed(k)
		if mine != 1 {
			continue
		}
		theirs, left := c.around(p).enclosed(p)
		if theirs != -1 || c.crossed != nil || c.rest(at, k+1) < restAgrees || c.mine.denies() != c.around(p).denies() {
			continue
		}
		if n := p + 1; n < c.end && c.theirs.at(n).Content() && !c.theirs.at(n).Kind.Has(token.Comma) && !c.placed(k+1) {
			continue // outside the Beijing hospital is in Beijing
		}
		if !c.mine.any(func(i int) bool { return strings.EqualFold(c.mine.text(i), "outside") }) {
			c.add("exchange", at, k+1, left, p+1, c.instead(at, k+1, left, p+1))
		}
	}
}

// enclosed reads whether what stands at i has something in it, 1, or outside of it, -1, and where the word for it stands.
func (l line) enclosed(i int) (side, at int) {
	for j := i - 1; j >= max(l.start, i-3) && !l.at(j+1).Kind.Has(token.Comma); j-- {
		switch key := strings.ToLower(l.text(j)); {
		case key == "in" || key == "within" || key == "inside":
			return 1, j
		case key == "outside":
			return -1, j
		case key != "of" && !articles[l.at(j).Key]:
			return 0, 0
		}
	}
	return 0, 0
}

// followed reports whether the line has a word by its normal form with another one behind it.
func (l line) followed(key, by string) bool {
	return l.any(func(i int) bool { return l.at(i).Key == key && i+1 < l.end && strings.EqualFold(l.text(i+1), by) })
}

// included finds what comes in addition in place of what is part of it: including tolls, plus tolls; damage with, damage beyond normal wear.
func (c *comparison) included() {
	for k, tok := range c.s.tokens {
		p, ok := c.place[k]
		if !ok || !tok.Content() {
			continue
		}
		mine, at := c.mine.addition(k)
		if mine == 0 {
			continue
		}
		theirs, left := c.around(p).addition(p)
		if mine*theirs == -1 && c.tells(p, at, at+1, 0.5) {
			c.add("exchange", at, k+1, left, p+1, c.instead(at, k+1, left, p+1))
			return
		}
	}
}

// addition reads whether what stands at i is part of what was said before, 1, or comes in addition to it, -1, and where the word for it
// stands. Plus joins much else: it must be to a sum of money.
func (l line) addition(i int) (side, at int) {
	for j := i - 1; j >= max(l.start, i-3); j-- {
		switch word := strings.ToLower(l.text(j)); {
		case l.at(j + 1).Kind.Has(token.Comma), l.at(j).Kind.Has(token.Number | token.Negation), l.key(j-1) == "not":
			return 0, 0
		case word == "including" || word == "includes":
			return 1, j
		case word == "beyond" || word == "excluding" || word == "plus" && j > l.start && l.priced(j-1):
			return -1, j
		}
	}
	return 0, 0
}

// priced reports whether a sum of money ends at i: 52 dollars, $52.
func (l line) priced(i int) bool {
	for k := i; k >= max(l.start, i-1); k-- {
		if u, _, to := l.unit(k); l.at(k).Kind.Has(token.Number) && to == i+1 {
			return quantity(u) == "money"
		}
	}
	return false
}

// articles and the like begin what stands behind a preposition, and not behind a particle.
var articles = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`the a an this that these those its his her their our my your each every any`) {
		m[token.Key(w)] = true
	}
	return m
}()

// opposed are small words that say the opposite of each other behind a noun or a verb.
var opposed = map[string]string{"up": "down", "down": "up", "on": "off", "off": "on", "left": "right", "right": "left"}

// agreesNearer reports whether the window has a word of the same direction as the one at k, nearer to its place than the opposite at j.
func (c *comparison) agreesNearer(k, j int) bool {
	with := comparatives[c.s.tokens[k].Key]
	if len(with) == 0 {
		return false
	}
	reach := min(c.near(k, j), 8)
	for i := c.start; i < c.end; i++ {
		if slices.Contains(comparatives[c.theirs.at(i).Key], with[0]) && c.near(k, i) <= reach {
			return true
		}
	}
	return false
}

// sameNext reports whether the same word follows a token of the segment and one of the window, small words left out.
func (c *comparison) sameNext(k, j int) bool {
	for n := k + 1; n < min(k+4, len(c.s.tokens)); n++ {
		if p, ok := c.place[n]; ok {
			return p > j && p < j+4
		}
	}
	return false
}

func (s *segment) deniedAt(k int) bool {
	return slices.ContainsFunc(s.tokens[max(0, k-3):k], func(t token.Token) bool { return t.Kind.Has(token.Negation) })
}

func (c *comparison) deniedAt(j int) bool {
	return slices.ContainsFunc(c.t.tokens[max(c.start, j-3):j], func(w word32) bool { return w.kind.Has(token.Negation) })
}

// comparatives are opposites in comparisons and changes, by their normal forms. Each line is read in both directions.
var comparatives = func() map[string][]string {
	m := map[string][]string{}
	for line := range strings.Lines(`more|less fewer
higher high highest|lower low lowest
greater larger bigger|smaller
largest biggest|smallest
older oldest|younger youngest newer
longer longest|shorter shortest
earlier before|later after
faster fastest|slower slowest
increase rise raise grow climb gain|decrease fall decline drop reduce shrink lose cut lessen
closer nearer|away farther further
above over exceed|below under
most|least
first|last
better good best|worse bad worst
stronger strengthen|weaker weaken
warmer hotter|colder cooler
louder|quieter
heavier|lighter
richer|poorer
maximum|minimum
win|lose
accept approve|reject refuse
open|close
begin start|end finish stop
cheap cheaper|expensive costly
north northern|south southern
east eastern|west western
`) {
		a, b, _ := strings.Cut(strings.TrimSpace(line), "|")
		for _, x := range strings.Fields(a) {
			for _, y := range strings.Fields(b) {
				x, y := token.Key(x), token.Key(y)
				m[x], m[y] = append(m[x], y), append(m[y], x)
			}
		}
	}
	return m
}()
