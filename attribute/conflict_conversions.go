package attribute

import (
	"math"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// conversions finds an amount of the source with one in brackets behind it, in another unit, that is not the same: 5.4 kg (16.7 lb).
func (c *comparison) conversions() {
	for k := range c.s.tokens {
		a, ok := c.mine.amount(k)
		if !ok || a.from != k || !c.s.tokens[k].Kind.Has(token.Number) || !convertible(a.unit) {
			continue
		}
		b, ok := c.mine.bracketed(a)
		if !ok || a.unit == b.unit || a.converts(b) {
			continue
		}
		p, has := c.placedAmount(a)
		wrong := b
		if q, other := c.placedAmount(b); other && !has {
			p, has, wrong = q, true, a
		} else if other {
			continue // the source says so itself
		}
		if !has {
			continue
		}
		n := len(c.found)
		c.add("number", wrong.from, wrong.to, p.from, p.to, c.instead(wrong.from, wrong.to, p.from, p.to))
		if len(c.found) > n {
			c.found[n].plain = true // it is reckoned, and no judge does that
		}
	}
}

// placedAmount is the source's amount that stands for one of the segment, in the same unit.
func (c *comparison) placedAmount(a amount) (amount, bool) {
	for k := a.from; k < a.to; k++ {
		if p, ok := c.place[k]; ok && c.s.tokens[k].Kind.Has(token.Number) {
			have, is := c.theirs.amount(p)
			return have, is && have.unit == a.unit && off(have.value, a.value) < 1e-6
		}
	}
	return amount{}, false
}

// bracketed is the amount that stands alone in brackets behind another one.
func (l line) bracketed(a amount) (amount, bool) {
	if a.to >= l.end || !l.at(a.to).Kind.Has(token.Comma) || !l.at(a.to).Kind.Has(token.Number) {
		return amount{}, false
	}
	b, ok := l.amount(a.to)
	if !ok || b.from != a.to || !convertible(b.unit) || !l.closed(b.to-1) || l.at(b.to-1).Kind.Has(token.Comma) || l.rangeEnds(a.from) {
		return amount{}, false
	}
	return b, true
}

// convertible reports whether amounts of a unit are given in others in brackets, and the unit is the same wherever it is used: gallons and tons are not.
func convertible(u string) bool {
	return u == celsius || u == fahrenheit || exactUnits[measures[u].of] && !looseUnits[u]
}

var (
	exactUnits = map[string]bool{"length": true, "weight": true, "speed": true}
	looseUnits = token.Keys(`ton ounce`)
)

// converts reports whether two amounts in different units are the same, as far as people round them. What measures something else is left open.
func (a amount) converts(b amount) bool {
	value := 0.0
	x, y := measures[a.unit], measures[b.unit]
	switch {
	case a.unit == celsius && b.unit == fahrenheit:
		value = a.value*1.8 + 32
	case a.unit == fahrenheit && b.unit == celsius:
		value = (a.value - 32) / 1.8
	case x.of == "" || x.of != y.of:
		return true
	default:
		value = a.value * x.much / y.much
	}
	within := .03
	if math.Mod(a.value, 10) == 0 || math.Mod(b.value, 5) == 0 {
		within = .09 // 60 miles are 100 km
	}
	step := max(b.place, 1)
	if math.Mod(b.value, 1) != 0 {
		step = b.place
	}
	return off(value, b.value) <= within || math.Abs(value-b.value) <= step
}
