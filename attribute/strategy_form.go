package attribute

import (
	"math"
	"slices"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/text"
)

// EnrichedContent is one segment with the confidence in either origin, as it is exchanged.
type EnrichedContent struct {
	Text          string          `json:"text"`
	RAGConfidence float64         `json:"ragConfidence"`
	LLMConfidence float64         `json:"llmConfidence"`
	PrimarySource ibid.Origin     `json:"primarySource"`
	Citations     []CitedSource   `json:"citations"`
	Metadata      ContentMetadata `json:"metadata"`
}

// ContentMetadata is what else is known of a segment.
type ContentMetadata struct {
	Kind         ibid.Kind     `json:"kind,omitempty"`
	Strength     string        `json:"strength"`
	Claimed      *ibid.Claimed `json:"claimed,omitempty"`
	Contradicted []string      `json:"contradicted,omitempty"`
	Reasons      []string      `json:"reasons,omitempty"`
}

// CitedSource is a citation as it is exchanged: no path, no key of a store, no raw score.
type CitedSource struct {
	Number     int     `json:"number"`
	Title      string  `json:"title"`
	Locator    string  `json:"locator,omitempty"`
	Quote      string  `json:"quote"`
	Confidence float64 `json:"confidence"`
}

// AttributedResponse is a whole answer with its attribution, as it is exchanged.
type AttributedResponse struct {
	Response string           `json:"response"`
	Metadata ResponseMetadata `json:"metadata"`
}

// ResponseMetadata says how much of a response comes from where.
type ResponseMetadata struct {
	RAGContribution float64          `json:"ragContribution"`
	LLMContribution float64          `json:"llmContribution"`
	Citations       []CitedSource    `json:"citations"`
	Segments        []ContentSegment `json:"segments"`
	DebugInfo       *DebugInfo       `json:"debugInfo,omitempty"` // only where it is asked for
}

// ContentSegment is a segment of a response. The indices count UTF-16 units, as strings of browsers and of Java do.
type ContentSegment struct {
	StartIndex int         `json:"startIndex"`
	EndIndex   int         `json:"endIndex"`
	Source     ibid.Origin `json:"source"`
	ContextRef *int        `json:"contextRef"` // the passage it rests on most; null where it rests on none
	Confidence float64     `json:"confidence"`
}

// DebugInfo tells how the decisions came about.
type DebugInfo struct {
	Strategy Strategy          `json:"strategy"`
	Passages int               `json:"passages"`
	Segments []ContentMetadata `json:"segments"`
}

// Enrich gives the segments of an answer that claim something or not, in order.
func Enrich(a ibid.Answer) []EnrichedContent {
	out := make([]EnrichedContent, 0, len(a.Segments))
	for _, s := range a.Segments {
		e := EnrichedContent{Text: s.At.In(a.Text), PrimarySource: s.Origin, Citations: []CitedSource{}, Metadata: metadataOf(s)}
		if s.Origin != ibid.NONE {
			e.RAGConfidence = twoPlaces(s.Support)
			e.LLMConfidence = twoPlaces(1 - e.RAGConfidence)
		}
		for _, at := range a.Evidence(s) {
			if i := slices.IndexFunc(a.Citations, func(c ibid.Citation) bool { return c.At == at.To }); i >= 0 {
				e.Citations = append(e.Citations, citedSource(a, a.Citations[i]))
			}
		}
		out = append(out, e)
	}
	return out
}

// Respond gives an answer with its attribution. Debugging information is added for the strategy that is named.
func Respond(a ibid.Answer, debug Strategy) AttributedResponse {
	shares := a.Shares()
	r := AttributedResponse{Response: a.Text, Metadata: ResponseMetadata{
		RAGContribution: twoPlaces(shares.Sources),
		Citations:       make([]CitedSource, 0, len(a.Citations)), Segments: make([]ContentSegment, 0, len(a.Segments)),
	}}
	if shares.Sources+shares.Model > 0 {
		r.Metadata.LLMContribution = twoPlaces(1 - r.Metadata.RAGContribution) // so that both sum to 1
	}
	for _, c := range a.Citations {
		r.Metadata.Citations = append(r.Metadata.Citations, citedSource(a, c))
	}
	offsets := text.NewOffsets(a.Text)
	for _, s := range a.Segments {
		seg := ContentSegment{StartIndex: offsets.FromByte(s.At.Start).UTF16, EndIndex: offsets.FromByte(s.At.End).UTF16, Source: s.Origin, Confidence: twoPlaces(s.Confidence)}
		if len(s.Refs) > 0 {
			seg.ContextRef = &s.Refs[0]
		}
		r.Metadata.Segments = append(r.Metadata.Segments, seg)
	}
	if debug != "" {
		r.Metadata.DebugInfo = &DebugInfo{Strategy: debug, Passages: len(a.Passages)}
		for _, s := range a.Segments {
			r.Metadata.DebugInfo.Segments = append(r.Metadata.DebugInfo.Segments, metadataOf(s))
		}
	}
	return r
}

func metadataOf(s ibid.Segment) ContentMetadata {
	m := ContentMetadata{Kind: s.Kind, Strength: ibid.Strength(s.Confidence), Claimed: s.Claimed, Reasons: s.Reasons}
	for _, c := range s.Contradicted {
		m.Contradicted = append(m.Contradicted, c.Reason)
	}
	return m
}

func citedSource(a ibid.Answer, c ibid.Citation) CitedSource {
	title := string(c.Source)
	if i := slices.IndexFunc(a.Passages, func(p ibid.Passage) bool { return p.Source.ID == c.Source }); i >= 0 && a.Passages[i].Source.Title() != "" {
		title = a.Passages[i].Source.Title()
	}
	return CitedSource{Number: c.Number, Title: title, Locator: c.Locator, Quote: c.Quote, Confidence: twoPlaces(c.Confidence)}
}

// twoPlaces is what people are shown of a probability.
func twoPlaces(x float64) float64 { return math.Round(x*100) / 100 }
