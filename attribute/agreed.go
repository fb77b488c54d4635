package attribute

import (
	"slices"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// nothingElse notes whether a segment says nothing but what data gives value by value, and what is said around it.
func (c *comparison) nothingElse() {
	names := c.t.fieldsOf(c.a.passage).names
	c.e.value[fAgreed] = 1
	for i, k := range c.s.content {
		tok := c.s.tokens[k]
		named := tok.Kind.Has(token.Name) && c.e.turn[i] == 1 // of whom the data is
		if !named && !ofListings[tok.Key] && !c.e.agrees(tok.At) && !names[tok.Key] {
			c.e.value[fAgreed] = 0
		}
	}
}

// agrees reports whether a place of the segment was compared with data, and is the same there.
func (e *evidence) agrees(at ibid.Span) bool {
	return slices.ContainsFunc(e.agreed, at.Overlaps)
}

// ofListings are words that sentences about what data gives have around these.
var ofListings = token.Keys(`restaurant establishment business place store shop bar cafe company location station gym salon office clinic hotel bank market museum library pharmacy studio spa bakery diner open opened opening close closed closing operate operates operating operation operations hours hour week day days daily serve serves serving customer customers throughout regular extended
	rating rated average overall star review reviewed reviewer based
	order item record account user customer employee product device event meeting listed given estimated currently according data
	flight train ticket`)
