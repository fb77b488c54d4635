package reason

import (
	"strings"
	"unicode"

	"github.com/ibid-dev/ibid"
)

// Chain is a chain of thought in the form for exchange.
type Chain struct {
	OriginalQuestion string          `json:"original_question"`
	FinalAnswer      string          `json:"final_answer"`
	ReasoningSteps   []ReasoningStep `json:"reasoning_steps"`
	SourceSummary    SourceSummary   `json:"source_summary"`
	TotalConfidence  float64         `json:"total_confidence"`
}

// Search is a chain as the reply to a search.
type Search struct {
	Answer          string              `json:"answer"`
	Sources         []SourceAttribution `json:"sources"` // the primary ones
	ReasoningTrace  []ReasoningStep     `json:"reasoning_trace"`
	SourceBreakdown map[int][]string    `json:"source_breakdown"`
}

// ChainOf gives an answer that was made in steps the form for exchange. The sources of a step are the passages that were
// really given for it. With byConfidence their relevance is weighed by the step's confidence. The error wraps
// ibid.ErrInvalid.
func ChainOf(a ibid.Answer, byConfidence bool) (Chain, error) {
	c := Chain{OriginalQuestion: a.Question, FinalAnswer: a.Text, ReasoningSteps: []ReasoningStep{}, TotalConfidence: Confidence(a.Text, a.Segments)}
	sources := &Sources{ByConfidence: byConfidence}
	for _, s := range a.Steps {
		step := ReasoningStep{StepNumber: s.Number, Question: s.Question, ContextUsed: []string{}, IntermediateAnswer: s.Text,
			ConfidenceScore: s.Confidence, ReasoningTrace: strings.TrimSpace(s.Trace + incomplete(s)), ExecutionTime: s.Seconds}
		var results []Result
		for _, p := range s.Passages {
			if len(step.ContextUsed) < contextUsed {
				step.ContextUsed = append(step.ContextUsed, p.Chunk.Text)
			}
			results = append(results, Result{"document_id": string(p.Chunk.At.Document), "title": p.Source.Title(), "score": p.Score, "content": p.Chunk.Text, "chunk_index": p.Chunk.Ordinal})
		}
		step, err := sources.Enhance(step, results)
		if err != nil {
			return Chain{}, err
		}
		c.ReasoningSteps = append(c.ReasoningSteps, step)
	}
	c.SourceSummary = Aggregate(c.ReasoningSteps)
	return c, nil
}

func incomplete(s ibid.Step) string {
	if s.Incomplete == "" {
		return ""
	}
	return "; " + s.Incomplete
}

// Search gives the chain as the reply to a search.
func (c Chain) Search() Search {
	return Search{Answer: c.FinalAnswer, Sources: c.SourceSummary.PrimarySources, ReasoningTrace: c.ReasoningSteps, SourceBreakdown: c.SourceSummary.SourceUsageByStep}
}

// Confidence says how well a text is supported: the calibrated support of its claims, weighed by their length. It is 0
// where nothing is claimed.
func Confidence(text string, segments []ibid.Segment) float64 {
	var sum, all float64
	for _, s := range segments {
		if s.Origin == ibid.NONE {
			continue
		}
		n := 0.0
		for _, r := range s.At.In(text) {
			if !unicode.IsSpace(r) {
				n++
			}
		}
		sum += n * s.Support
		all += n
	}
	if all == 0 {
		return 0
	}
	return sum / all
}
