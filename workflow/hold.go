package workflow

import (
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/gate"
)

// holder keeps back what is not decided yet, and lets out what is: by segment or by answer. What is taken out leaves no
// hole: the offsets of what follows are those of the text that is really shown.
type holder struct {
	turn   *turn
	policy gate.Policy
	stream *gate.Stream // by segment
	upTo   *gate.Stream // as it stood before the first that is held

	claims []gate.Claim    // of all segments, as the model wrote them
	held   []heldSegment   // the last of them
	anew   bool            // citations came for what is held by segment, which is to be decided anew
	past   int             // bytes of the model's text that were looked at
	shown  strings.Builder // what was let out
	gap    string          // what stood around segments that were taken out
	hole   bool            // the segment before was taken out
	shifts []shift
	mended int
}

// heldSegment is a segment that waits. One that was taken out has no text.
type heldSegment struct {
	lead, text string
	finding    ibid.Finding
	out        bool // taken out
	mended     bool // taken out or put into other words, and not counted
}

// shift says where words of the model's text stand in what is shown.
type shift struct {
	of ibid.Span
	by int
}

func newHolder(t *turn, p gate.Policy) *holder {
	h := &holder{turn: t, policy: p}
	if p.Hold == gate.HoldSegment {
		h.stream, h.upTo = p.Stream(), p.Stream()
	}
	return h
}

// take looks at the next segment.
func (h *holder) take(f ibid.Finding) error {
	text := h.turn.text.String()
	s := heldSegment{lead: text[h.past:f.Segment.At.Start], text: f.Segment.At.In(text), finding: f}
	h.past = f.Segment.At.End
	claim := gate.OfSegment(text, f.Segment, f.Attributions)
	h.claims, h.held = append(h.claims, claim), append(h.held, s)
	if h.stream == nil || !h.next(len(h.held)-1, len(h.held) > 1) {
		return nil
	}
	h.upTo = h.stream.Clone()
	return h.release()
}

// next decides by segment on one that is held, and reports whether it may be shown with those before it, some of which may wait.
func (h *holder) next(i int, waits bool) bool {
	switch h.stream.Next(h.claims[len(h.claims)-len(h.held)+i]) {
	case gate.Block:
		return false
	case gate.Repair:
		h.held[i] = h.mend(h.held[i])
		return !waits
	}
	return true
}

// decideAnew decides by segment on all that is held, and shows what may be shown now. What was mended stays so.
func (h *holder) decideAnew() error {
	h.stream, h.anew = h.upTo.Clone(), false
	may := 0
	for i, s := range h.held {
		if s.mended && i == may || !s.mended && h.next(i, i > may) {
			may = i + 1
			h.upTo = h.stream.Clone()
		}
	}
	waiting := slices.Clone(h.held[may:])
	h.held = h.held[:may]
	err := h.release()
	h.held = waiting
	return err
}

// finish decides what is still held, and says what was found and done.
func (h *holder) finish() (gate.Report, gate.Outcome, error) {
	if h.anew {
		if err := h.decideAnew(); err != nil {
			return gate.Report{}, gate.Block, err
		}
	}
	report := h.policy.Decide(h.claims)
	done := report.Outcome
	switch {
	case h.stream != nil && (len(h.held) > 0 || h.mended > 0 && !claims(h.turn.answer.Segments)):
		done = gate.Block
	case h.stream != nil && h.mended > 0:
		done = gate.Repair
	case h.stream != nil, report.Outcome == gate.Block:
	default:
		if report.Outcome == gate.Repair {
			for _, i := range report.Uncovered {
				h.held[i] = h.mend(h.held[i])
			}
			if !h.left() { // an answer of which nothing is left says nothing
				return report, gate.Block, nil
			}
		}
		if err := h.release(); err != nil {
			return report, done, err
		}
	}
	if done == gate.Block || h.shown.Len() == 0 {
		return report, done, nil
	}
	rest := h.turn.text.String()[h.past:]
	h.shown.WriteString(rest)
	if rest == "" {
		return report, done, nil
	}
	return report, done, h.turn.show(Event{Kind: Text, Text: rest})
}

// left reports whether a claim is left of what is held.
func (h *holder) left() bool {
	var kept []ibid.Segment
	for _, s := range h.held {
		if !s.out {
			kept = append(kept, s.finding.Segment)
		}
	}
	return claims(kept)
}

func claims(segments []ibid.Segment) bool {
	return slices.ContainsFunc(segments, func(s ibid.Segment) bool { return s.Origin != ibid.NONE })
}

// release shows all that is held.
func (h *holder) release() error {
	for _, s := range h.held {
		if s.out {
			h.gap, h.hole = wider(h.gap, s.lead), true
			continue
		}
		lead := wider(h.gap, s.lead)
		if h.shown.Len() == 0 && h.hole { // what stood first was taken out
			lead = ""
		}
		h.gap, h.hole = "", false
		by := h.shown.Len() + len(lead) - s.finding.Segment.At.Start
		h.shifts = append(h.shifts, shift{s.finding.Segment.At, by})
		h.shown.WriteString(lead + s.text)
		if err := h.turn.show(Event{Kind: Text, Text: lead + s.text}); err != nil {
			return err
		}
		if err := h.turn.decide(moved(s.finding, by)); err != nil {
			return err
		}
	}
	h.held = h.held[:0]
	return nil
}

// wider is the one of two gaps that parts paragraphs, so that taking a sentence out does not join what stood apart.
func wider(a, b string) string {
	if strings.Count(a, "\n") > strings.Count(b, "\n") {
		return a
	}
	return b
}

// mend repairs a segment: puts it into the words of the source that comes nearest, or takes it out.
func (h *holder) mend(s heldSegment) heldSegment {
	h.mended++
	s.mended = true
	if h.policy.Mend == gate.Rewrite && len(s.finding.Attributions) > 0 {
		at := s.finding.Attributions[0]
		if p, ok := h.turn.answer.Passage(at.Ref); ok && p.Chunk.At.Span.Contains(at.To.Span) {
			if mended := rewritten(s, at, p); h.policy.Decide([]gate.Claim{mended.claim()}).Compliant { // else the source's words are not enough either
				return mended
			}
		}
	}
	s.out = true
	return s
}

// rewritten puts a segment into the words of a passage.
func rewritten(s heldSegment, at ibid.Attribution, p ibid.Passage) heldSegment {
	s.text = strings.TrimSpace(at.To.Span.Shift(-p.Chunk.At.Span.Start).In(p.Chunk.Text))
	of := ibid.Span{Start: s.finding.Segment.At.Start, End: s.finding.Segment.At.Start + len(s.text)}
	s.finding = ibid.Finding{
		Segment: ibid.Segment{At: of, Origin: ibid.RAG, Kind: s.finding.Segment.Kind, Refs: []int{at.Ref}, Support: 1, Confidence: 1,
			Reasons: []string{"the gate put it into the source's own words"}},
		Attributions: []ibid.Attribution{{Of: of, To: at.To, Ref: at.Ref, Score: 1, Confidence: 1, Method: "quote", Trust: ibid.Quoted}},
	}
	return s
}

// claim is what the gate looks at of a segment that was rewritten.
func (s heldSegment) claim() gate.Claim {
	segment := s.finding.Segment
	segment.At = ibid.Span{End: len(s.text)}
	return gate.OfSegment(s.text, segment, s.finding.Attributions)
}

// moved gives a finding whose segment stands elsewhere.
func moved(f ibid.Finding, by int) ibid.Finding {
	s := f.Segment
	s.At = s.At.Shift(by)
	s.Unsupported = append([]ibid.Span(nil), s.Unsupported...)
	for i := range s.Unsupported {
		s.Unsupported[i] = s.Unsupported[i].Shift(by)
	}
	s.Contradicted = append([]ibid.Contradiction(nil), s.Contradicted...)
	for i := range s.Contradicted {
		s.Contradicted[i].Of = s.Contradicted[i].Of.Shift(by)
	}
	links := append([]ibid.Attribution(nil), f.Attributions...)
	for i := range links {
		links[i].Of = links[i].Of.Shift(by)
	}
	return ibid.Finding{Segment: s, Attributions: links}
}

// place says where words of the model's text stand in what is shown, if they do.
func (h *holder) place(of ibid.Span) (ibid.Span, bool) {
	for _, s := range h.shifts {
		if s.of.Contains(of) {
			return of.Shift(s.by), true
		}
	}
	return ibid.Span{}, false
}

// gated puts the gate's holder, where the policy has one, before what the turn shows.
func (t *turn) gated() {
	if g := t.asker.Gate; g.holds() {
		t.holder = newHolder(t, *g.Policy)
	}
}

// show gives an event to the reader at once, or once the answer is in the record where the gate holds the whole of it.
func (t *turn) show(e Event) error {
	if t.holder != nil && t.holder.stream == nil {
		t.waiting = append(t.waiting, e)
		return nil
	}
	return t.emit(e)
}

// deliver gives what waited for the record, and the end.
func (t *turn) deliver() error {
	for _, e := range append(t.waiting, t.placed()...) {
		if err := t.emit(e); err != nil {
			return err
		}
	}
	return t.emit(Event{Kind: Done, Answer: t.answer})
}

// placed gives what footnotes meant, of the words that are shown, where they are shown.
func (t *turn) placed() []Event {
	var out []Event
	for _, e := range t.late {
		if of, ok := t.holder.place(e.Of); ok {
			e.Of = of
			out = append(out, e)
		}
	}
	return out
}

// holdSteps keeps back what the steps of a chain say until the answer is decided: what is refused as an answer must not
// have been shown as a step.
func (c *chain) holdSteps() {
	if !c.Asker.Gate.holds() {
		return
	}
	c.pass = c.emit
	c.emit = func(e Event) error {
		if e.Step > 0 && e.Kind != Begun {
			c.held = append(c.held, e)
			return nil
		}
		return c.pass(e)
	}
}

// deliver gives the steps that were held, unless the gate refused, and then the answer.
func (c *chain) deliver(t *turn) error {
	for _, e := range c.held {
		if t.refused != nil {
			break
		}
		if err := c.pass(e); err != nil {
			return err
		}
	}
	return t.deliver()
}
