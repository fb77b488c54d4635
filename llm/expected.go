package llm

import (
	"strings"
	"unicode"

	"github.com/ibid-dev/ibid"
)

// fits says how well a sentence holds the kind of thing that a question asks for, within [0,1]. What the question itself
// says does not count, and what stands near the question's words counts more.
func fits(q *question, c *candidate) float64 {
	if q.want == wantList {
		return listing(c)
	}
	if q.want == wantPerson && named(q, c) {
		return 1
	}
	near := nearAsked(q, c)
	best := 0.0
	for i, w := range c.words {
		if q.has[w.root] {
			continue
		}
		s := q.suits(c.words, i)
		if s > 0 && !near[i] {
			s *= 0.7
		}
		best = max(best, s)
	}
	return best
}

// nearAsked marks the words that stand within six words of one of the question's.
func nearAsked(q *question, c *candidate) []bool {
	out := make([]bool, len(c.words))
	for i, w := range c.words {
		if !q.has[w.root] {
			continue
		}
		for k := max(0, i-6); k < min(len(out), i+7); k++ {
			out[k] = true
		}
	}
	return out
}

// listing says how much a sentence reads as a list.
func listing(c *candidate) float64 {
	commas := strings.Count(c.text, ",") + strings.Count(c.text, ";")
	s := min(1, float64(commas)/3)
	if c.kind == ibid.ListItem {
		s = max(s, 0.8)
	}
	return s
}

// suits says how well the word at i, with its neighbours, is what the question wants.
func (q *question) suits(words []word, i int) float64 {
	w := words[i]
	prev, next := neighbour(words, i-1), neighbour(words, i+1)
	if q.hints[w.lower] {
		return 1
	}
	switch q.want {
	case wantTime:
		return suitsTime(w.lower, prev, next)
	case wantNumber:
		return suitsNumber(w.lower, prev, next)
	case wantDuration:
		return suitsDuration(w.lower, prev, next)
	case wantPerson:
		return suitsPerson(words, i)
	case wantPlace:
		return suitsPlace(w, prev)
	case wantReason:
		return suitsReason(w.lower, prev, next)
	case wantMethod:
		return suitsMethod(w.lower, i)
	}
	return 0
}

func neighbour(words []word, i int) string {
	if i < 0 || i >= len(words) {
		return ""
	}
	return words[i].lower
}

func suitsTime(w, prev, next string) float64 {
	switch {
	case isYear(w):
		return 1
	case months[w] && (isNumber(prev) || isNumber(next)):
		return 1
	case months[w] && w != "may" && w != "march", timeWords[w]:
		return 0.7
	case w == "ago" || w == "century" || w == "centuries":
		return 0.8
	case conditions[w]:
		return 0.4
	}
	return 0
}

func suitsNumber(w, prev, next string) float64 {
	number := isNumber(w) || numberWords[w] && w != "one"
	switch {
	case !number:
		return 0
	case unitWords[next] || prev == "usd" || prev == "chf":
		return 1
	case isYear(w) || months[prev] || months[next]:
		return 0.2
	}
	return 0.8
}

func suitsDuration(w, prev, next string) float64 {
	switch {
	case durationWords[w] && (isNumber(prev) || numberWords[prev] || vague[prev]):
		return 1
	case durationWords[w]:
		return 0.4
	case w == "until" || w == "overnight":
		return 0.6
	}
	return 0
}

// suitsPerson looks for two names in a row, as most people have; a single capital may be anything.
func suitsPerson(words []word, i int) float64 {
	if !isName(words, i) {
		return 0
	}
	switch twice := i+1 < len(words) && words[i+1].near && isName(words, i+1); {
	case titles[neighbour(words, i-1)], twice && i > 0:
		return 1
	case twice:
		return 0.9
	case i == 0:
		return 0.2
	}
	return 0.4
}

func isName(words []word, i int) bool {
	w := words[i]
	return isCapital(w.text) && !stopWords[w.lower] && !connectives[w.lower] && !notPeople[w.lower] && !months[w.lower] && len(w.text) > 1
}

// named reports whether the sentence begins with a person's name and goes on to say what the question asks about:
// "Ada Byron (born 1815) was the first to write a program".
func named(q *question, c *candidate) bool {
	if len(c.words) < 4 || !isName(c.words, 0) || !isName(c.words, 1) || q.has[c.words[0].root] || q.has[c.words[1].root] {
		return false
	}
	verb := false
	for _, w := range c.words[2:] {
		verb = verb || smallVerbs[w.lower]
		if verb && q.has[w.root] {
			return true
		}
	}
	return false
}

func suitsPlace(w word, prev string) float64 {
	switch {
	case placePrepositions[prev] && isCapital(w.text) && !months[w.lower] && !stopWords[w.lower]:
		return 1
	case placeWords[w.lower]:
		return 0.6
	}
	return 0
}

func suitsReason(w, prev, next string) float64 {
	switch {
	case w == "because", w == "due" && next == "to", w == "owing" && next == "to", w == "so" && next == "that", w == "since" && !isNumber(next), w == "therefore":
		return 1
	case reasonWords[w]:
		return 0.6
	case w == "as" && !stopWords[prev] && prev != "well" && prev != "much" && prev != "such" && prev != "known":
		return 0.5
	}
	return 0
}

func suitsMethod(w string, i int) float64 {
	switch {
	case i == 0 && methodVerbs[w]:
		return 1
	case w == "by" || w == "using" || w == "via":
		return 0.8
	case methodVerbs[w]:
		return 0.5
	}
	return 0
}

func isYear(s string) bool {
	s = strings.TrimSuffix(s, "s")
	return len(s) == 4 && isNumber(s) && (s[0] == '1' || s[0] == '2')
}

func isNumber(s string) bool {
	digits := false
	for _, r := range s {
		if unicode.IsDigit(r) {
			digits = true
		} else if r != ',' && r != '.' {
			return false
		}
	}
	return digits
}
