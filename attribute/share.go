package attribute

import (
	"slices"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// partOf reads half an hour and three quarters of a mile before the unit at i: how much of it, and where that begins.
func (l line) partOf(i int) (float64, int) {
	k := i - 1
	if l.key(k) != "a" && l.key(k) != "an" {
		return 0, i
	}
	if k--; l.key(k) == "of" {
		k--
	}
	of := token.Parts[l.key(k)]
	if of == 0 {
		return 0, i
	}
	switch n := k - 1; {
	case n >= l.start && l.at(n).Kind.Has(token.Number) && l.at(n).Num < of:
		return l.at(n).Num / of, n
	case l.key(n) == "a":
		return 1 / of, n
	}
	return 1 / of, k
}

// whole is the unit of shares: a third, two thirds, half of, 1 in 20, nine out of ten.
const whole = "whole"

// inWhole is how much of the whole a share is.
func (a amount) inWhole() float64 { return a.value * measures[a.unit].much }

// share reads the one that begins or ends with the token at i.
func (l line) share(i int) (amount, bool) {
	made := func(value float64, from, to int) (amount, bool) {
		return amount{value: value, unit: whole, place: value, from: from, to: to, kind: token.Number}, true
	}
	tok := l.at(i)
	of := token.Parts[tok.Key]
	if tok.Kind&(token.Number|token.Ordinal) == 0 && of == 0 {
		return amount{}, false
	}
	if tok.Kind.Has(token.Number) && tok.Num > 0 && tok.Num < 1 && l.key(i+1) == "of" { // 1/3 of
		return made(tok.Num, i, i+1)
	}
	for from := i; from >= max(l.start, i-4) && tok.Kind.Has(token.Number); from-- {
		if to := l.among(from); to > i {
			return made(l.at(from).Num/l.at(to-1).Num, from, to)
		}
	}
	if tok.Kind.Has(token.Ordinal) && tok.Num >= 3 && tok.Num <= 10 {
		of = tok.Num
	}
	if of == 0 || i+1 < l.end && (l.at(i+1).Kind.Has(token.Unit) || l.at(i+1).Content() && !l.at(i+1).Kind.Has(token.Comma)) {
		return amount{}, false // a third party
	}
	if k := i + 1; k+1 < l.end && (l.at(k).Key == "of" || l.at(k).Key == "a" || l.at(k).Key == "an") && (l.at(k+1).Kind.Has(token.Unit) || k+2 < l.end && l.at(k+2).Kind.Has(token.Unit)) {
		return amount{}, false // half an hour, a quarter of a mile
	}
	value, from := 0.0, i-1
	switch {
	case from >= l.start && l.at(from).Kind.Has(token.Number) && l.at(from).Num < of && l.at(from).Num >= 1:
		value = l.at(from).Num / of
	case l.key(from) == "a" || l.key(from) == "an":
		value = 1 / of
	case of == 2 && (from < l.start || !l.at(from).Content()):
		value, from = .5, i
	}
	if value == 0 || !slices.Contains(ofWhole, l.key(i+1)) && !slices.Contains(measuring, l.key(from-1)) && hedges[l.key(from-1)] == exact {
		return amount{}, false // for three quarters, a third option
	}
	return made(value, from, i+1)
}

// ofWhole stand behind a share, measuring before it.
var ofWhole, measuring = []string{"of", "the"}, []string{"by", "to", "than", "only", "just"}

// among finds the end of a share that begins at i as in 1 in 20 and nine out of ten, 0 where none does.
func (l line) among(i int) int {
	few := func(k int) bool {
		return k < l.end && l.at(k).Kind.Has(token.Number) && !l.at(k).Kind.Has(token.Year) && l.at(k).Num >= 1
	}
	k := i + 1
	switch joins := l.key(k); {
	case joins != "out" && joins != "in" || !few(i) || k+1 >= l.end:
		return 0
	case joins == "out" && l.at(k+1).Key == "of":
		k += 2
	case joins == "in" && (i == l.start || !l.at(i-1).Kind.Has(token.Name) && !numbered[l.at(i-1).Key]):
		k++
	default:
		return 0
	}
	if k < l.end && l.at(k).Key == "every" {
		k++
	}
	if !few(k) || l.at(k).Num <= l.at(i).Num || l.at(k).Num > 1000 {
		return 0
	}
	if unit, _, _ := l.beside(k); unit != "" {
		return 0 // 5 in 12 months
	}
	return k + 1
}

// numbered are words that a number names one of: page 1 in 20 copies is no share.
var numbered = token.Keys(`page windows version chapter section figure table step grade class level part volume score win lose number`)
