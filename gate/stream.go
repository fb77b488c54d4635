package gate

import (
	"maps"
	"slices"
)

// Stream decides on claims as they come, so that what is shown passes the policy at every moment.
type Stream struct{ tally *tally }

// Stream begins a decision by segment.
func (p Policy) Stream() *Stream { return &Stream{p.tally()} }

// Clone gives a decision that stands where this one does, and goes on apart from it.
func (s *Stream) Clone() *Stream {
	t := *s.tally
	t.counts, t.byKind, t.views = maps.Clone(t.counts), maps.Clone(t.byKind), slices.Clip(t.views)
	return &Stream{&t}
}

// Next takes the next claim in and says what is to be done with all that is shown or held so far: Pass where it may be
// shown, Block where it must be held back until more claims with sources follow. On Repair this claim, which lacks its source, is
// to be mended and is not counted.
func (s *Stream) Next(c Claim) Outcome {
	if s.tally.policy.Off {
		return Pass
	}
	v := s.tally.add(c)
	out, _ := s.tally.outcome()
	switch {
	case !v.covered && s.tally.failsBy(v, Repair) && (out == Repair || s.mends(v)):
		s.forget(v)
		return Repair
	case out == Repair: // of one before, which is held for another rule: nothing in this one is to be repaired
		return Block
	}
	return out
}

// mends reports whether all rules that speak of the claim would have it repaired.
func (s *Stream) mends(v view) bool {
	for _, g := range v.groups {
		if s.tally.rule(g).Outcome != Repair {
			return false
		}
	}
	return true
}

// forget takes the last claim out of the counts.
func (s *Stream) forget(v view) {
	for _, g := range v.groups {
		c := s.tally.counts[g]
		c.required--
		s.tally.counts[g] = c
	}
}
