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
// has let out by segment stays as it was decided; what it still holds is decided anew when the answer is kept.
func (f *Follower) Cite(cites []Named) {
	if _, err := f.Attributed(); err != nil {
		return
	}
	t := f.turn
	if t.holder == nil {
		t.cited(t.decided(), cites)
	} else {
		t.holder.cited(cites)
	}
}

// cited holds citations against the segments that are held, none of them shown. Those that were shown may be what a citation
// of several speaks of, and stay as they are.
func (h *holder) cited(cites []Named) {
	found := h.turn.decided()
	for i := range found {
		found[i].at, found[i].shown = h.shifts[i].of, true
	}
	for i := range h.held {
		f := &h.held[i].finding
		c := claimed{at: f.Segment.At, segment: &f.Segment, shown: h.held[i].mended}
		for j := range f.Attributions {
			c.links = append(c.links, &f.Attributions[j])
		}
		found = append(found, c)
	}
	h.turn.cited(found, cites)
	text, past := h.turn.text.String(), len(h.claims)-len(h.held)
	for i, s := range h.held {
		if !s.mended {
			h.claims[past+i] = gate.OfSegment(text, s.finding.Segment, s.finding.Attributions)
		}
	}
	h.anew = h.stream != nil && len(h.held) > 0
}

// claimed is a segment with its links.
type claimed struct {
	at      ibid.Span // into the model's text
	segment *ibid.Segment
	links   []*ibid.Attribution
	shown   bool // it is never revised
}

// decided gives the segments of the answer with their links.
func (t *turn) decided() []claimed {
	var out []claimed
	for i := range t.answer.Segments {
		c := claimed{at: t.answer.Segments[i].At, segment: &t.answer.Segments[i]}
		for j := range t.answer.Attributions {
			if at := &t.answer.Attributions[j]; c.segment.At.Contains(at.Of) {
				c.links = append(c.links, at)
			}
		}
		out = append(out, c)
	}
	return out
}

// cited holds citations against the segments that they speak of.
func (t *turn) cited(found []claimed, cites []Named) {
	for _, c := range cites {
		var of []*ibid.Segment
		holds := false
		for _, s := range found {
			if !c.Of.Overlaps(s.at) || s.segment.Origin == ibid.NONE {
				continue
			}
			if !s.shown {
				of = append(of, s.segment)
			}
			for _, l := range s.links {
				if l.Confidence < heldSupport || !c.names(l.To) {
					continue
				}
				if holds = true; !s.shown {
					l.Trust = max(l.Trust, ibid.Provided)
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
