package attribute

import "slices"

// partOf reads half an hour and three quarters of a mile before the unit at i: how much of it, and where that begins.
func (l line) partOf(i int) (float64, int) {
	k := i - 1
	if l.key(k) != "a" && l.key(k) != "an" {
		return 0, i
	}
	if k--; l.key(k) == "of" {
		k--
	}
	of := parts[l.key(k)]
	if of == 0 {
		return 0, i
	}
	switch n := k - 1; {
	case n >= l.start && l.at(n).kind.has(number) && l.at(n).num < of:
		return l.at(n).num / of, n
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
		return amount{value: value, unit: whole, place: value, from: from, to: to, kind: number}, true
	}
	tok := l.at(i)
	of := parts[tok.key]
	if tok.kind&(number|ordinal) == 0 && of == 0 {
		return amount{}, false
	}
	if tok.kind.has(number) && tok.num > 0 && tok.num < 1 && l.key(i+1) == "of" { // 1/3 of
		return made(tok.num, i, i+1)
	}
	for from := i; from >= max(l.start, i-4) && tok.kind.has(number); from-- {
		if to := l.among(from); to > i {
			return made(l.at(from).num/l.at(to-1).num, from, to)
		}
	}
	if tok.kind.has(ordinal) && tok.num >= 3 && tok.num <= 10 {
		of = tok.num
	}
	if of == 0 || i+1 < l.end && (l.at(i+1).kind.has(unit) || l.at(i+1).content() && !l.at(i+1).kind.has(comma)) {
		return amount{}, false // a third party
	}
	if k := i + 1; k+1 < l.end && (l.at(k).key == "of" || l.at(k).key == "a" || l.at(k).key == "an") && (l.at(k+1).kind.has(unit) || k+2 < l.end && l.at(k+2).kind.has(unit)) {
		return amount{}, false // half an hour, a quarter of a mile
	}
	value, from := 0.0, i-1
	switch {
	case from >= l.start && l.at(from).kind.has(number) && l.at(from).num < of && l.at(from).num >= 1:
		value = l.at(from).num / of
	case l.key(from) == "a" || l.key(from) == "an":
		value = 1 / of
	case of == 2 && (from < l.start || !l.at(from).content()):
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
		return k < l.end && l.at(k).kind.has(number) && !l.at(k).kind.has(year) && l.at(k).num >= 1
	}
	k := i + 1
	switch joins := l.key(k); {
	case joins != "out" && joins != "in" || !few(i) || k+1 >= l.end:
		return 0
	case joins == "out" && l.at(k+1).key == "of":
		k += 2
	case joins == "in" && (i == l.start || !l.at(i-1).kind.has(name) && !numbered[l.at(i-1).key]):
		k++
	default:
		return 0
	}
	if k < l.end && l.at(k).key == "every" {
		k++
	}
	if !few(k) || l.at(k).num <= l.at(i).num || l.at(k).num > 1000 {
		return 0
	}
	if unit, _, _ := l.beside(k); unit != "" {
		return 0 // 5 in 12 months
	}
	return k + 1
}

// numbered are words that a number names one of: page 1 in 20 copies is no share.
var numbered = keys(`page windows version chapter section figure table step grade class level part volume score win lose number`)
