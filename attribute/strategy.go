package attribute

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
)

// Strategy is a way to tell where the segments of an answer come from. All stand on one attributor, so that they can be
// compared on the same answer.
type Strategy string

// The strategies.
const (
	// Markers takes the model's own markers at their word, unchecked; text without a marker is attributed.
	Markers Strategy = "markers"
	// DualPass first gathers from the passages the sentences that bear on the answer, then judges each segment by these
	// alone: from a source above 0.7, else the model's own. It needs the whole answer.
	DualPass Strategy = "dual-pass"
	// Confidence goes by the probability of support alone: from a source from 0.65 up, the model's own below 0.35, mixed
	// between.
	Confidence Strategy = "confidence"
	// Stream judges each segment as it comes, markers left aside: from a source above 0.65, else the model's own.
	Stream Strategy = "stream"
	// Full attributes every segment and holds the markers against what was found. It is the default.
	Full Strategy = "full"
)

// Strategies lists all, the default last.
func Strategies() []Strategy { return []Strategy{Markers, DualPass, Confidence, Stream, Full} }

// The thresholds of the strategies.
const (
	dualPassRAG   = 0.7
	streamRAG     = 0.65
	confidenceRAG = 0.65
	confidenceLLM = 0.35
)

// With makes an attributor that follows a strategy. The error wraps ErrInvalid where there is no such strategy.
func With(s Strategy, by ibid.Attributor) (ibid.Attributor, error) {
	switch s {
	case Full:
		return by, nil
	case Markers:
		return &strategist{by: by, decide: byMarker}, nil
	case DualPass:
		return dualPass{by}, nil
	case Confidence:
		return &strategist{by: by, decide: byConfidence}, nil
	case Stream:
		return &strategist{by: by, prepare: withoutMarkers, decide: byThreshold(streamRAG)}, nil
	}
	var names []string
	for _, k := range Strategies() {
		names = append(names, string(k))
	}
	return nil, fmt.Errorf("strategy %q: give one of %s: %w", s, strings.Join(names, ", "), ibid.ErrInvalid)
}

// strategist changes what an attributor is given and how its findings are read, one segment at a time.
type strategist struct {
	by      ibid.Attributor
	prepare func(ibid.Draft) ibid.Draft
	decide  func(ibid.Finding, []ibid.Passage) ibid.Finding
}

func (s *strategist) Attribute(ctx context.Context, passages []ibid.Passage, drafts iter.Seq2[ibid.Draft, error]) iter.Seq2[ibid.Finding, error] {
	prepared := drafts
	if s.prepare != nil {
		prepared = func(yield func(ibid.Draft, error) bool) {
			for d, err := range drafts {
				if !yield(s.prepare(d), err) {
					return
				}
			}
		}
	}
	return s.read(s.by.Attribute(ctx, passages, prepared), passages)
}

// AttributeAll gives the findings of Attribute where all drafts are known.
func (s *strategist) AttributeAll(ctx context.Context, passages []ibid.Passage, drafts []ibid.Draft) iter.Seq2[ibid.Finding, error] {
	prepared := drafts
	if s.prepare != nil {
		prepared = make([]ibid.Draft, len(drafts))
		for i, d := range drafts {
			prepared[i] = s.prepare(d)
		}
	}
	return s.read(All(ctx, s.by, passages, prepared), passages)
}

// read reads findings as the strategy does.
func (s *strategist) read(findings iter.Seq2[ibid.Finding, error], passages []ibid.Passage) iter.Seq2[ibid.Finding, error] {
	return func(yield func(ibid.Finding, error) bool) {
		for f, err := range findings {
			if err == nil && f.Segment.Origin != ibid.NONE {
				f = s.decide(f, passages)
			}
			if !yield(f, err) {
				return
			}
		}
	}
}

func withoutMarkers(d ibid.Draft) ibid.Draft {
	d.Claimed, d.Cites = nil, nil
	return d
}

// byMarker believes the marker. Its links go to whole passages, as the marker names no sentence.
func byMarker(f ibid.Finding, passages []ibid.Passage) ibid.Finding {
	c := f.Segment.Claimed
	if c == nil || c.Origin == "" {
		return f
	}
	s := ibid.Segment{At: f.Segment.At, Kind: f.Segment.Kind, Origin: c.Origin, Refs: slices.Clone(c.Refs), Claimed: c, Confidence: 0.5}
	s.Support = map[ibid.Origin]float64{ibid.RAG: 1, ibid.HYBRID: 0.5}[c.Origin]
	s.Reasons = []string{"the model's marker says " + string(c.Origin) + ", unchecked"}
	for _, r := range c.Dangling {
		s.Reasons = append(s.Reasons, fmt.Sprintf("cites source %d, which does not exist", r))
	}
	if c.Origin == ibid.LLM {
		s.Unsupported = []ibid.Span{s.At}
		s.Refs = nil
	}
	out := ibid.Finding{Segment: s}
	for _, r := range s.Refs {
		if i := slices.IndexFunc(passages, func(p ibid.Passage) bool { return p.Rank == r }); i >= 0 && !passages[i].Chunk.At.Span.Empty() {
			out.Attributions = append(out.Attributions, ibid.Attribution{Of: s.At, To: passages[i].Chunk.At, Ref: r, Confidence: 0.5, Method: "marker", Trust: ibid.Marked})
		}
	}
	return out
}

func byConfidence(f ibid.Finding, _ []ibid.Passage) ibid.Finding {
	switch p := f.Segment.Support; {
	case p >= confidenceRAG:
		return became(f, ibid.RAG, p)
	case p < confidenceLLM || len(f.Attributions) == 0:
		return became(f, ibid.LLM, 1-p)
	default:
		return became(f, ibid.HYBRID, 1-p)
	}
}

func byThreshold(least float64) func(ibid.Finding, []ibid.Passage) ibid.Finding {
	return func(f ibid.Finding, _ []ibid.Passage) ibid.Finding {
		if p := f.Segment.Support; p > least {
			return became(f, ibid.RAG, p)
		}
		return became(f, ibid.LLM, 1-f.Segment.Support)
	}
}

// became gives a finding another origin, and what follows from that: the model's own words rest on nothing.
func became(f ibid.Finding, origin ibid.Origin, confidence float64) ibid.Finding {
	f.Segment.Confidence = confidence
	if origin == f.Segment.Origin {
		return f
	}
	f.Segment.Origin = origin
	switch origin {
	case ibid.LLM:
		f.Segment.Refs, f.Attributions = nil, nil
		f.Segment.Unsupported = []ibid.Span{f.Segment.At}
	case ibid.RAG:
		f.Segment.Unsupported = nil
	}
	return f
}

// dualPass is the strategy of two passes.
type dualPass struct{ by ibid.Attributor }

func (d dualPass) Attribute(ctx context.Context, passages []ibid.Passage, drafts iter.Seq2[ibid.Draft, error]) iter.Seq2[ibid.Finding, error] {
	return func(yield func(ibid.Finding, error) bool) {
		var all []ibid.Draft
		for x, err := range drafts {
			if err != nil {
				yield(ibid.Finding{}, err)
				return
			}
			all = append(all, x)
		}
		var facts []ibid.Attribution
		for f, err := range All(ctx, d.by, passages, all) {
			if err != nil {
				yield(ibid.Finding{}, err)
				return
			}
			facts = append(facts, f.Attributions...)
		}
		second := &strategist{by: d.by, decide: byThreshold(dualPassRAG)}
		second.AttributeAll(ctx, factsOf(passages, facts), all)(yield)
	}
}

// factsOf cuts the passages down to the sentences that the first pass found. A passage keeps its rank, which several pieces of one source may share.
func factsOf(passages []ibid.Passage, facts []ibid.Attribution) []ibid.Passage {
	var out []ibid.Passage
	for _, p := range passages {
		var spans []ibid.Span
		for _, f := range facts {
			if f.Ref == p.Rank && f.To.Document == p.Chunk.At.Document && p.Chunk.At.Span.Contains(f.To.Span) {
				spans = append(spans, f.To.Span)
			}
		}
		slices.SortFunc(spans, func(a, b ibid.Span) int { return a.Start - b.Start })
		end := -1
		for _, at := range spans {
			if n := len(out); at.Start <= end && n > 0 {
				at.Start = out[n-1].Chunk.At.Span.Start
				out = out[:n-1]
			}
			end = max(end, at.End)
			at.End = end
			fact := p
			fact.Chunk.Text = at.Shift(-p.Chunk.At.Span.Start).In(p.Chunk.Text)
			fact.Chunk.At.Span = at
			out = append(out, fact)
		}
	}
	return out
}
