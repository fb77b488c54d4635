package gate

import "github.com/ibid-dev/ibid"

// OfAnswer gives the claims of an answer: its segments. What makes no claim is exempt. A segment has a source where the
// whole of it does: one of which a part is the model's own, or that a source denies, has none.
func OfAnswer(a ibid.Answer) []Claim {
	out := make([]Claim, 0, len(a.Segments))
	for _, s := range a.Segments {
		out = append(out, OfSegment(a.Text, s, a.Evidence(s)))
	}
	return out
}

// NoClaim is why a segment of an answer needs no source: it is a heading, a question, a block of code, or says nothing of the world.
const NoClaim = "no claim"

// OfSegment gives the claim of one segment of a text.
func OfSegment(text string, s ibid.Segment, evidence []ibid.Attribution) Claim {
	c := Claim{Text: s.At.In(text), At: s.At}
	if s.Origin == ibid.NONE {
		c.Exempt = NoClaim
		return c
	}
	if s.Origin != ibid.RAG || len(s.Contradicted) > 0 {
		return c
	}
	for _, at := range evidence {
		if at.Trust > c.Trust {
			c.Trust, c.Source = at.Trust, string(at.To.Document)
		}
	}
	return c
}

// OfRun gives the claims of a run, each on the rung that its link stands on.
func OfRun(r ibid.Run) []Claim {
	out := make([]Claim, 0, len(r.Claims))
	for _, c := range r.Claims {
		g := Claim{Text: c.Text, Agent: c.Agent, Exempt: string(c.Exempt)}
		if c.Cited() {
			g.Source, g.Trust = c.Source.Identifier, c.Trust()
		}
		out = append(out, g)
	}
	return out
}
