package conflict

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/text"
)

// Most pairs of sentences on one topic that differ in a number speak of different things: another ship, another year,
// another of the two cables. What follows is what a reader checks before calling it a disagreement.

// word is a word of a statement.
type word struct {
	at   ibid.Span // within the text
	says string    // in English
	stem string
	sort sort
}

type sort uint8

const (
	plain sort = iota
	function
	name
	digits
	month
	weekday
	marked // tells one of several from the others: second, old, lost
)

// reading is a statement with what it leans on, word by word.
type reading struct {
	words   []word
	own     int // index of the first word of the statement itself
	years   []string
	days    []string // "5 august"
	stems   map[string]bool
	title   []string // stems of the document's title
	text    string
	base    int // where the text begins in the passage
	weights map[string]float64
}

// read cuts the text into words. own is where the statement itself begins in it.
func (ix *index) reading(s *statement) *reading {
	whole := ix.passages[s.passage].Chunk.Text
	r := &reading{weights: map[string]float64{}, stems: map[string]bool{}, own: -1}
	part := s.around.In(whole)
	r.text, r.base = part, s.around.Start
	begins := true
	for _, said := range ix.wordsIn(s.passage, s.around) {
		w := word{at: said.at, says: said.says, stem: text.Stem(strings.ToLower(said.says))}
		if r.own < 0 && w.at.Start >= s.at.Start {
			r.own = len(r.words)
			begins = true
		}
		w.sort = sortOf(w.says)
		if begins && w.sort == name {
			if _, known := ix.lower[w.stem]; known {
				w.sort = plain
			}
		}
		begins = false
		r.words = append(r.words, w)
		r.stems[w.stem] = true
		if id, ok := ix.ids[w.stem]; ok && w.sort != function {
			r.weights[w.stem] = ix.weight[id]
		}
	}
	r.own = max(0, r.own)
	for _, w := range ix.titles[s.passage] {
		if sortOf(w.says) == plain || sortOf(w.says) == name {
			r.title = append(r.title, text.Stem(strings.ToLower(w.says)))
		}
	}
	r.dates()
	return r
}

func sortOf(raw string) sort {
	low := strings.ToLower(raw)
	switch {
	case raw == "":
		return function
	case raw[0] >= '0' && raw[0] <= '9':
		switch strings.TrimLeft(low, "0123456789") {
		case "st", "nd", "rd", "th":
			return marked
		}
		return digits
	case months[low] && raw != low:
		return month
	case weekdays[low]:
		return weekday
	case markers[low]:
		return marked
	case numerals[low]:
		return digits
	case common[low] || utf8.RuneCountInString(low) < 3:
		return function
	}
	if r, _ := utf8.DecodeRuneInString(raw); unicode.IsUpper(r) {
		return name
	}
	return plain
}

// dates collects years, and days with their months.
func (r *reading) dates() {
	for i, w := range r.words {
		if w.sort == digits && len(w.says) == 4 && (w.says[0] == '1' || w.says[0] == '2') {
			r.years = append(r.years, w.says)
		}
		if w.sort != month {
			continue
		}
		for _, j := range []int{i - 1, i + 1} {
			if j >= 0 && j < len(r.words) && r.words[j].sort == digits && len(r.words[j].says) <= 2 {
				r.days = append(r.days, r.words[j].says+" "+w.stem)
			}
		}
	}
}

// has reports whether a word stands in the reading.
func (r *reading) has(stem string) bool { return r.stems[stem] }

// sameThing reports whether two statements that differ in the words at x and y are about the same thing, so that the
// difference is one of fact.
func sameThing(kind Kind, a, b *reading, x, y ibid.Span) bool {
	if kind == Number && (a.is(x, marked) || b.is(y, marked)) {
		return false // the first and the second are two things
	}
	if !sameTopic(a, b) {
		return false
	}
	if !sameMarks(a, b, x) || !sameMarks(b, a, y) || !subject(a, b) || !subject(b, a) {
		return false
	}
	cover, both := shared(a, b, x, y)
	mine, theirs := strangers(a, b, x), strangers(b, a, y)
	names := max(mine, theirs)
	if min(mine, theirs) > 0 && kind != Value || names > 1 && cover < 0.75 || names > 0 && cover < 0.5 {
		return false
	}
	switch kind {
	case Number, Unit:
		if apart(a.years, b.years) || apart(a.days, b.days) {
			return false
		}
		if makesRoom(a, b, x, y) || makesRoom(b, a, y, x) || a.partOfMore(x) || b.partOfMore(y) {
			return false
		}
		if h, k := a.counted(x), b.counted(y); kind == Number && h != "" && k != "" && !b.has(h) && !a.has(k) {
			return false // 39 years, 5 times
		}
		beside := besides(a, b, x, y)
		return beside >= 1 && (cover >= 0.7 || beside >= 2 && cover >= 0.4)
	case Date:
		if apart(a.years, b.years) && apart(a.days, b.days) {
			return false // another day of another year is another event
		}
		// Where the amounts differ with the date, each holds at its time.
		return a.date(x) && b.date(y) && cover >= 0.7 && !apart(a.amounts(x), b.amounts(y))
	}
	if apart(a.years, b.years) || apart(a.days, b.days) || cover < 0.7 || both < 0.5 {
		return false
	}
	if kind == Value && (a.is(x, function) || b.is(y, function)) {
		return false // "all" and "not" are no two things in one place
	}
	return kind == Negation || kind == Direction || names == 0 && besides(a, b, x, y) > 0
}

// sameTopic reports whether there is more than common words to tie two statements together: a name that both have, or
// titles of their documents that share a word.
func sameTopic(a, b *reading) bool {
	if slices.ContainsFunc(a.words, func(w word) bool { return w.sort == name && b.has(w.stem) }) {
		return true
	}
	return len(a.title) == 0 || len(b.title) == 0 || slices.ContainsFunc(a.title, func(s string) bool { return slices.Contains(b.title, s) })
}

// is reports whether a word of the sort stands at a place.
func (r *reading) is(at ibid.Span, s sort) bool {
	return slices.ContainsFunc(r.words, func(w word) bool { return w.at.Overlaps(at) && w.sort == s })
}

// amounts are the numbers of the statement that are no dates, but for those at a place.
func (r *reading) amounts(not ibid.Span) []string {
	var out []string
	for i, w := range r.words[r.own:] {
		i += r.own
		beside := i > 0 && r.words[i-1].sort == month || i+1 < len(r.words) && r.words[i+1].sort == month
		if w.sort == digits && !w.at.Overlaps(not) && !slices.Contains(r.years, w.stem) && !beside {
			out = append(out, w.stem)
		}
	}
	return out
}

// makesRoom reports whether the words before the number at x allow the number at y: nearly 100 allows 96, more than 20
// allows 25.
func makesRoom(a, b *reading, x, y ibid.Span) bool {
	mine, ok := a.value(x)
	theirs, also := b.value(y)
	if !ok || !also {
		return false
	}
	at := slices.IndexFunc(a.words, func(w word) bool { return w.at.Overlaps(x) })
	for _, w := range a.words[max(0, at-3):at] {
		switch w.stem {
		case "about", "around", "approxim", "rough", "near", "almost", "circa", "some", "estim":
			if math.Abs(mine-theirs) <= 0.1*math.Max(mine, theirs) {
				return true
			}
		case "more", "over", "least", "exceed", "abov":
			if theirs >= mine && theirs <= 3*mine {
				return true
			}
		case "less", "under", "fewer", "most", "below", "up":
			if theirs <= mine && 3*theirs >= mine {
				return true
			}
		}
	}
	return false
}

// counted is the word behind the number at a place, which says what is counted; "" where none follows, and for a unit that
// stands at the place too, as the reader compared those: metres, meters.
func (r *reading) counted(at ibid.Span) string {
	i := slices.IndexFunc(r.words, func(w word) bool { return w.at.Overlaps(at) && w.sort == digits })
	for i >= 0 && i+1 < len(r.words) && r.words[i+1].sort == digits {
		i++ // 1.2 million
	}
	if i < 0 || i+1 >= len(r.words) || r.words[i+1].sort != plain || at.Contains(r.words[i+1].at) {
		return ""
	}
	return r.words[i+1].stem
}

// partOfMore reports whether the number at a place is one end of a range (19–31) or part of a word (40-bit): alone it says
// nothing.
func (r *reading) partOfMore(at ibid.Span) bool {
	i := slices.IndexFunc(r.words, func(w word) bool { return w.at.Overlaps(at) && w.sort == digits })
	if i < 0 {
		return false
	}
	w := r.words[i]
	if after := r.after(w.at.End); strings.HasPrefix(after, "-") || strings.HasPrefix(after, "–") || strings.HasPrefix(after, " to ") && i+2 < len(r.words) && r.words[i+2].sort == digits {
		return true
	}
	if i == 0 {
		return false
	}
	before := r.text[r.words[i-1].at.End-r.base : w.at.Start-r.base]
	return before == "-" || before == "–" || i > 1 && r.words[i-1].stem == "to" && r.words[i-2].sort == digits
}

// after is the text behind a place.
func (r *reading) after(at int) string { return r.text[at-r.base:] }

// value reads the number in digits at a place.
func (r *reading) value(at ibid.Span) (float64, bool) {
	at = at.Shift(-r.base)
	if whole := (ibid.Span{End: len(r.text)}); !whole.Contains(at) {
		return 0, false
	}
	return value(at.In(r.text))
}

// date reports whether the words at a place are a date: they hold a year, a month or a day of the week.
func (r *reading) date(at ibid.Span) bool {
	return slices.ContainsFunc(r.words, func(w word) bool {
		return w.at.Overlaps(at) && (w.sort == month || w.sort == weekday || w.sort == digits && slices.Contains(r.years, w.stem))
	})
}

// shared is the weight of the words that both have, as a share of what the statement with fewer of its own says. The words
// that differ are left out, and so are numbers and months: they are what is in question. The second result is the same
// share of the statement that has more of its own.
func shared(a, b *reading, x, y ibid.Span) (most, least float64) {
	part := func(r, o *reading, not ibid.Span) (both, all float64) {
		seen := map[string]bool{}
		for _, w := range r.words[r.own:] {
			weight := r.weights[w.stem]
			if weight == 0 || w.sort != plain && w.sort != name || w.at.Overlaps(not) || seen[w.stem] {
				continue
			}
			seen[w.stem] = true
			all += weight
			if o.has(w.stem) {
				both += weight
			}
		}
		return both, all
	}
	bothA, allA := part(a, b, x)
	bothB, allB := part(b, a, y)
	if allA == 0 || allB == 0 {
		return 0, 0
	}
	return max(bothA/allA, bothB/allB), min(bothA/allA, bothB/allB)
}

// subject reports whether the other statement knows what this one is about: the first word that says something, or a name
// among the first.
func subject(r, o *reading) bool {
	if w := r.words; len(w) > 1 && w[0].sort != function && w[0].sort != digits && auxiliaries[w[1].stem] && !o.has(w[0].stem) {
		return false // "Cooper was elected": a name, even where it is a common word too
	}
	looked := 0
	for _, w := range r.words {
		if w.sort != plain && w.sort != name {
			continue
		}
		if o.has(w.stem) {
			return true
		}
		if looked++; looked == 2 {
			return false
		}
	}
	return looked == 0
}

// strangers counts the names of a statement that the other does not know.
func strangers(r, o *reading, not ibid.Span) int {
	seen := map[string]bool{}
	for _, w := range r.words[r.own:] {
		if w.sort == name && !w.at.Overlaps(not) && !o.has(w.stem) {
			seen[w.stem] = true
		}
	}
	return len(seen)
}

// sameMarks reports whether every word that tells one of several from the others stands on the other side too.
func sameMarks(r, o *reading, not ibid.Span) bool {
	for _, w := range r.words[r.own:] {
		if w.sort == marked && !w.at.Overlaps(not) && !o.has(w.stem) {
			return false
		}
	}
	return true
}

// besides counts the words next to the differing ones that are the same on both sides: what is counted, and what of it.
// Units inside the differing words count too: 16 hours, 17 hours.
func besides(a, b *reading, x, y ibid.Span) int {
	near := func(r *reading, at ibid.Span) map[string]bool {
		out := map[string]bool{}
		first, last := -1, -1
		for i, w := range r.words {
			if w.at.Overlaps(at) {
				if first < 0 {
					first = i
				}
				last = i
			}
		}
		for i := max(0, first-3); first >= 0 && i <= min(len(r.words)-1, last+3); i++ {
			if w := r.words[i]; w.sort == plain || w.sort == name {
				out[w.stem] = true
			}
		}
		return out
	}
	n := 0
	there := near(b, y)
	for w := range near(a, x) {
		if there[w] {
			n++
		}
	}
	return n
}

// apart reports whether both sides name some, and none is the same.
func apart(a, b []string) bool {
	return len(a) > 0 && len(b) > 0 && !slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

func setOf(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

var (
	months = setOf(`january february march april may june july august september october november december
		jan feb mar apr jun jul aug sept sep oct nov dec`)
	auxiliaries = setOf(`was were is are has had have wa`)
	weekdays    = setOf(`monday tuesday wednesday thursday friday saturday sunday`)
	markers     = setOf(`first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth last next previous former latter new old older newer lost best worst largest smallest longest
		shortest heaviest oldest youngest highest lowest northern southern eastern western`)
	numerals = setOf(`two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty
		sixty seventy eighty ninety hundred thousand million billion dozen`)
)
