package workflow

import (
	"fmt"
	"slices"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/gate"
)

// Named is a citation of the provider's own: it speaks of a part of the answer's text and names a source, any of whose passages
// may be meant. It is a claim to be checked.
type Named struct {
	Of ibid.Span     // into the clean text
	To []ibid.Anchor // none where the source is not known here
}

// heldSupport is the support from which a citation of the provider's own holds, as for those that attribution itself is given.
const heldSupport = 0.5

// Cite holds citations of the provider's own against what was found, when the answer is attributed and before it is kept: a link
// that both make moves up the ladder, and where the source that is cited supports none of the words, they say so. What the gate
// has let out by segment stays as it was decided.
func (f *Follower) Cite(cites []Named) {
	if _, err := f.Attributed(); err != nil {
		return
	}
	t := f.turn
	switch {
	case t.holder == nil:
		var found []claimed
		for i := range t.answer.Segments {
			c := claimed{segment: &t.answer.Segments[i]}
			for j := range t.answer.Attributions {
				if at := &t.answer.Attributions[j]; c.segment.At.Contains(at.Of) {
					c.links = append(c.links, at)
				}
			}
			found = append(found, c)
		}
		t.cited(found, cites)
	case t.holder.stream == nil:
		t.holder.cited(cites)
	}
}

// cited holds citations against segments that are all held, none of them shown or decided.
func (h *holder) cited(cites []Named) {
	var found []claimed
	for i := range h.held {
		f := &h.held[i].finding
		c := claimed{segment: &f.Segment}
		for j := range f.Attributions {
			c.links = append(c.links, &f.Attributions[j])
		}
		found = append(found, c)
	}
	h.turn.cited(found, cites)
	for i, s := range h.held {
		h.claims[i] = gate.OfSegment(h.turn.text.String(), s.finding.Segment, s.finding.Attributions)
	}
}

// claimed is a segment with its links.
type claimed struct {
	segment *ibid.Segment
	links   []*ibid.Attribution
}

// cited holds citations against the segments that they speak of.
func (t *turn) cited(found []claimed, cites []Named) {
	for _, c := range cites {
		var of []*ibid.Segment
		holds := false
		for _, s := range found {
			if !c.Of.Overlaps(s.segment.At) || s.segment.Origin == ibid.NONE {
				continue
			}
			of = append(of, s.segment)
			for _, l := range s.links {
				if l.Confidence >= heldSupport && c.names(l.To) {
					l.Trust, holds = max(l.Trust, ibid.Provided), true
				}
			}
		}
		if holds || len(c.To) == 0 {
			continue // it may speak of several sentences, of which one says what the source does
		}
		why := fmt.Sprintf("the provider cites source %d for it, which was not found to support it", t.rank(c.To[0]))
		for _, s := range of {
			if !slices.Contains(s.Reasons, why) {
				s.Reasons = append(slices.Clip(s.Reasons), why)
			}
		}
	}
}

// names reports whether a place is among those that the citation names.
func (c Named) names(at ibid.Anchor) bool {
	return slices.ContainsFunc(c.To, func(to ibid.Anchor) bool { return to.Document == at.Document && to.Span.Overlaps(at.Span) })
}

// rank gives the passage that a place stands in, 0 where it stands in none.
func (t *turn) rank(at ibid.Anchor) int {
	for _, p := range t.answer.Passages {
		if p.Chunk.At.Document == at.Document && p.Chunk.At.Span.Overlaps(at.Span) {
			return p.Rank
		}
	}
	return 0
}
