package attribute

import (
	"slices"
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// What speaks for a denial is measured apart from what speaks for support: a claim that no source mentions is not
// supported, and yet nobody denies it.
const (
	dNegationThere = iota // the window denies something, the claim nothing
	dNegationHere
	dTurned    // a word of direction or worth has its opposite at the same place
	dTurnedAll // all such words of the window go the other way
	dAgreed    // a word of direction or worth has its like at the same place
	dAbsolute  // only, all, never, first: the claim says it, the window does not
	dOtherSize // the claim's number is nowhere in the window, and others of its kind are
	dOtherYear // likewise its year
	dOtherName // the claim names someone whom no passage knows, and the window names others
	numDenials
)

var denialNames = [numDenials]string{
	"the window denies something, the claim nothing",
	"the claim denies something, the window nothing",
	"words of direction or worth turned round",
	"all words of direction or worth turned round",
	"words of direction or worth that agree",
	"only, all, never, first, which the window does not say",
	"another number in the window",
	"another year in the window",
	"another name in the window",
}

// poles give words of direction and of worth their sign, by their normal forms.
var poles = func() map[string]int {
	m := map[string]int{}
	for sign, words := range map[int]string{
		1: `increase rise grow gain climb raise elevate enhance improve boost promote more higher greater larger high accelerate stimulate induce activate exceed expand
			strengthen amplify above major strong`,
		-1: `decrease fall decline drop reduce lower less fewer diminish lessen inhibit suppress prevent block low shrink weaken attenuate slow limit cut restrict smaller below
			minor weak impair`,
		2:  `benefit beneficial safe effective success successful protect protective support help recommend good positive useful win accept approve cure efficacious agree like love`,
		-2: `harm harmful danger dangerous ineffective fail failure worsen bad toxic threat lose damage negative unsafe adverse useless reject refuse oppose dislike hate criticize`,
	} {
		for _, w := range strings.Fields(words) {
			m[token.Key(w)] = sign
		}
	}
	return m
}()

// absolutes are words that leave no room, by their normal forms.
var absolutes = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`only all every never always none first last sole solely entire entirely exclusively completely any same both`) {
		m[token.Key(w)] = true
	}
	return m
}()

// denials measures what speaks for a denial of the segment by its best window.
func (t *turn) denials(s *segment, e *evidence) [numDenials]float64 {
	var d [numDenials]float64
	c := t.compare(s, e)
	here, there := 0.0, 0.0
	for _, tok := range s.tokens {
		if tok.Kind.Has(token.Negation) {
			here++
		}
	}
	inWindow := map[string]bool{}
	numbers, years, names := false, false, false
	for j := c.start; j < c.end; j++ {
		w := t.tokens[j]
		inWindow[t.terms[w.term].key] = true
		if w.kind.Has(token.Negation) {
			there++
		}
		if c.used[j] {
			continue
		}
		numbers = numbers || w.kind.Has(token.Number) && !w.kind.Has(token.Year) && !w.kind.Has(token.Stop)
		years = years || w.kind.Has(token.Year)
		names = names || w.kind.Has(token.Name) && w.kind&(token.Number|token.Month) == 0
	}
	if there > 0 && here == 0 {
		d[dNegationThere] = 1
	}
	if here > 0 && there == 0 {
		d[dNegationHere] = 1
	}
	c.turned(&d)
	for i, k := range s.content {
		tok := s.tokens[k]
		if e.best.pos[i] >= 0 {
			continue
		}
		switch {
		case tok.Kind.Has(token.Year):
			if years && !inWindow[tok.Key] {
				d[dOtherYear]++
			}
		case tok.Kind.Has(token.Number):
			if numbers && !inWindow[tok.Key] {
				d[dOtherSize]++
			}
		case tok.Kind.Has(token.Name):
			if names && e.turn[i] < 0.5 {
				d[dOtherName]++
			}
		}
	}
	for _, tok := range s.tokens {
		if absolutes[tok.Key] && !inWindow[tok.Key] {
			d[dAbsolute]++
		}
	}
	return d
}

// turned compares the signs of words of direction and worth on both sides. A negation shortly before turns a sign.
func (c *comparison) turned(d *[numDenials]float64) {
	type pole struct{ at, sign int }
	var there []pole
	for j := c.start; j < c.end; j++ {
		if sign := poles[c.t.terms[c.t.tokens[j].term].key]; sign != 0 {
			if c.deniedAt(j) {
				sign = -sign
			}
			there = append(there, pole{j, sign})
		}
	}
	if len(there) == 0 {
		return
	}
	for k, tok := range c.s.tokens {
		sign := poles[tok.Key]
		if sign == 0 {
			continue
		}
		if c.s.deniedAt(k) {
			sign = -sign
		}
		best, found := 9, 0
		for _, p := range there {
			if p.sign != sign && p.sign != -sign {
				continue
			}
			if n := c.near(k, p.at); n < best {
				best, found = n, p.sign
			}
		}
		switch found {
		case sign:
			d[dAgreed]++
		case -sign:
			d[dTurned]++
		}
		same := slices.ContainsFunc(there, func(p pole) bool { return p.sign == sign })
		other := slices.ContainsFunc(there, func(p pole) bool { return p.sign == -sign })
		if other && !same {
			d[dTurnedAll]++
		}
	}
}
