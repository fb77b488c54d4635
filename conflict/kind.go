package conflict

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/ibid-dev/ibid/text"
)

// kindOf names the kind of a difference by the reader's name for it and the words.
func kindOf(name, a, b string) Kind {
	switch name {
	case "number":
		if dated(a) || dated(b) {
			return Date // the day of a month
		}
		return Number
	case "date":
		return Date
	case "unit":
		return Unit
	case "negation", "distance":
		return Negation
	case "quantifier":
		return Amount
	case "comparative":
		if directed(a) && directed(b) {
			return Direction
		}
	}
	return Value
}

// dated reports whether a month stands among the words.
func dated(words string) bool {
	return slices.ContainsFunc(strings.Fields(words), func(w string) bool { return months[strings.ToLower(strings.Trim(w, ".,"))] })
}

// directions are the stems of words that say which way something goes.
var directions = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`more less fewer higher lower greater smaller larger increase increased rise rose risen grow grew grown climb gain
		decrease decreased fall fell fallen decline drop reduce reduced shrink shrank lose lost exceed above below up down improve worsen strengthen weaken
		earlier later before after faster slower longer shorter`) {
		m[text.Stem(w)] = true
	}
	return m
}()

func directed(words string) bool {
	return slices.ContainsFunc(strings.Fields(words), func(w string) bool {
		return directions[text.Stem(strings.Trim(strings.ToLower(w), ".,;:()"))]
	})
}

// severity says how much a difference would matter: a number that is off by a little matters less than one that is off by
// a lot; a day of the month less than a year.
func severity(k Kind, a, b string) Severity {
	switch k {
	case Number:
		x, okX := value(a)
		y, okY := value(b)
		if !okX || !okY {
			return Medium
		}
		switch far := math.Abs(x-y) / math.Max(math.Abs(x), math.Abs(y)); {
		case far < 0.02:
			return Low
		case far < 0.2:
			return Medium
		}
		return High
	case Date:
		x, y := year(a), year(b)
		if x > 0 && y > 0 && x != y {
			return High
		}
		return Medium
	case Negation, Direction, Unit:
		return High
	case Amount:
		return Low
	}
	return Medium
}

// value reads the first number in digits, with the word behind it that multiplies it: 1.2 million.
func value(words string) (float64, bool) {
	fields := strings.Fields(strings.ToLower(words))
	for i, field := range fields {
		for _, w := range strings.FieldsFunc(field, func(r rune) bool { return (r < '0' || r > '9') && r != '.' && r != ',' }) {
			v, err := strconv.ParseFloat(strings.ReplaceAll(strings.Trim(w, ".,"), ",", ""), 64)
			if err != nil {
				continue
			}
			if i+1 < len(fields) {
				v *= max(1, multiples[fields[i+1]])
			}
			return v, true
		}
	}
	return 0, false
}

var multiples = map[string]float64{"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9}

func year(words string) int {
	for _, w := range strings.FieldsFunc(words, func(r rune) bool { return r < '0' || r > '9' }) {
		if n, err := strconv.Atoi(w); err == nil && len(w) == 4 {
			return n
		}
	}
	return 0
}

// sameValue reports whether two values are one, written in another order: 22 September 1828, September 22,1828.
func sameValue(a, b string) bool {
	split := func(s string) []string {
		f := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
		slices.Sort(f)
		return f
	}
	x, y := split(a), split(b)
	return len(x) > 1 && slices.Equal(x, y)
}

// reason says what differs. It begins in lower case and has no full stop.
func reason(k Kind, a, b string) string {
	if k == Negation {
		return fmt.Sprintf("%q against %q", a, b)
	}
	return fmt.Sprintf("one says %q, the other %q", a, b)
}
