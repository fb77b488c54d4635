package reason

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ibid-dev/ibid"
)

// SourceAttribution says that a step used a document, and how relevant it was to it.
type SourceAttribution struct {
	DocumentID     string  `json:"document_id"`
	DocumentTitle  string  `json:"document_title,omitempty"`
	RelevanceScore float64 `json:"relevance_score"` // within [0,1]
	Excerpt        string  `json:"excerpt,omitempty"`
	ChunkIndex     *int    `json:"chunk_index,omitempty"`
	RetrievalRank  *int    `json:"retrieval_rank,omitempty"` // from 1
}

// SourceSummary is what a whole chain used.
type SourceSummary struct {
	AllSources        []SourceAttribution `json:"all_sources"`     // each document once, the most relevant first
	PrimarySources    []SourceAttribution `json:"primary_sources"` // three at most
	SourceUsageByStep map[int][]string    `json:"source_usage_by_step"`
}

// ReasoningStep is a step in the form for exchange.
type ReasoningStep struct {
	StepNumber         int                 `json:"step_number"`
	Question           string              `json:"question"`
	ContextUsed        []string            `json:"context_used"` // the first five
	IntermediateAnswer string              `json:"intermediate_answer"`
	ConfidenceScore    float64             `json:"confidence_score"`
	ReasoningTrace     string              `json:"reasoning_trace"`
	ExecutionTime      float64             `json:"execution_time"` // in seconds
	SourceAttributions []SourceAttribution `json:"source_attributions"`
}

// Result is a search result as others give it: document_id, title or document_title, score or relevance_score, content or
// text, chunk_index.
type Result map[string]any

// Sources keeps track of the sources of one chain of thought. Its zero value is ready; it is not for use by several at once.
type Sources struct {
	// ByConfidence multiplies the relevance of a step's sources by the step's confidence.
	ByConfidence bool

	seen map[string]SourceAttribution // by id: a source seen before in the chain is not read again
}

const (
	excerptLength  = 200
	contextUsed    = 5
	unknownScore   = 0.5
	leastRelevance = 0.3
	primaryAbove   = 0.7
	primaryCount   = 3
)

// Create makes an attribution. A relevance outside of [0,1] is an error that wraps ibid.ErrInvalid, and so is one that is
// not a number.
func (s *Sources) Create(a SourceAttribution) (SourceAttribution, error) {
	if !(a.RelevanceScore >= 0 && a.RelevanceScore <= 1) {
		return SourceAttribution{}, fmt.Errorf("relevance_score must be between 0 and 1, is %v: %w", a.RelevanceScore, ibid.ErrInvalid)
	}
	if a.DocumentID == "" {
		return SourceAttribution{}, fmt.Errorf("document_id must not be empty: %w", ibid.ErrInvalid)
	}
	if s.seen == nil {
		s.seen = map[string]SourceAttribution{}
	}
	if _, ok := s.seen[a.DocumentID]; !ok {
		s.seen[a.DocumentID] = a
	}
	return a, nil
}

// Extract makes the attributions of a step out of search results, or out of raw strings where there are no results. The
// error names the item and wraps ibid.ErrInvalid.
func (s *Sources) Extract(context []string, results []Result) ([]SourceAttribution, error) {
	out := []SourceAttribution{}
	for i, r := range results {
		a, err := s.fromResult(i, r)
		if err != nil {
			return nil, fmt.Errorf("search result %d: %w", i+1, err)
		}
		out = append(out, a)
	}
	if len(results) > 0 {
		return out, nil
	}
	for i, c := range context {
		if strings.TrimSpace(c) == "" {
			continue
		}
		a, err := s.Create(SourceAttribution{DocumentID: rawID(i, c), RelevanceScore: rankRelevance(i), Excerpt: firstCharacters(c, excerptLength), RetrievalRank: number(i + 1)})
		if err != nil {
			return nil, fmt.Errorf("context %d: %w", i+1, err)
		}
		out = append(out, a)
	}
	return out, nil
}

func (s *Sources) fromResult(i int, r Result) (SourceAttribution, error) {
	a := SourceAttribution{DocumentID: word(r["document_id"]), RetrievalRank: number(i + 1), RelevanceScore: scoreOf(r), ChunkIndex: index(r["chunk_index"])}
	if a.DocumentID == "" {
		a.DocumentID = fmt.Sprintf("doc_%d", i)
	}
	if before, ok := s.seen[a.DocumentID]; ok && equal(before.ChunkIndex, a.ChunkIndex) {
		a.DocumentTitle, a.Excerpt = before.DocumentTitle, before.Excerpt
		return s.Create(a)
	}
	a.DocumentTitle = either(r["title"], r["document_title"])
	a.Excerpt = firstCharacters(either(r["content"], r["text"]), excerptLength)
	return s.Create(a)
}

// Enhance gives a step its sources: those of the documents retrieved for it, or else of its context.
func (s *Sources) Enhance(step ReasoningStep, retrieved []Result) (ReasoningStep, error) {
	found, err := s.Extract(step.ContextUsed, retrieved)
	if err != nil {
		return step, fmt.Errorf("step %d: %w", step.StepNumber, err)
	}
	if s.ByConfidence {
		for i := range found {
			adjusted, err := Adjusted(found[i].RelevanceScore, step.ConfidenceScore)
			if err != nil {
				return step, fmt.Errorf("step %d: %w", step.StepNumber, err)
			}
			found[i].RelevanceScore = adjusted
		}
	}
	step.SourceAttributions = found
	return step, nil
}

// Adjusted is a relevance weighed by the confidence of the step that used the source. The error wraps ibid.ErrInvalid.
func Adjusted(relevance, confidence float64) (float64, error) {
	if !(confidence >= 0 && confidence <= 1) {
		return 0, fmt.Errorf("confidence_score must be between 0 and 1, is %v: %w", confidence, ibid.ErrInvalid)
	}
	return relevance * confidence, nil
}

// Aggregate sums up the sources of all steps: one entry per document, which only a greater relevance replaces.
func Aggregate(steps []ReasoningStep) SourceSummary {
	sum := SourceSummary{AllSources: []SourceAttribution{}, PrimarySources: []SourceAttribution{}, SourceUsageByStep: map[int][]string{}}
	at := map[string]int{}
	for _, step := range steps {
		used := []string{}
		for _, a := range step.SourceAttributions {
			if !slices.Contains(used, a.DocumentID) {
				used = append(used, a.DocumentID)
			}
			i, ok := at[a.DocumentID]
			switch {
			case !ok:
				at[a.DocumentID] = len(sum.AllSources)
				sum.AllSources = append(sum.AllSources, a)
			case a.RelevanceScore > sum.AllSources[i].RelevanceScore:
				sum.AllSources[i] = a
			}
		}
		sum.SourceUsageByStep[step.StepNumber] = used
	}
	slices.SortStableFunc(sum.AllSources, func(a, b SourceAttribution) int {
		switch {
		case a.RelevanceScore > b.RelevanceScore:
			return -1
		case a.RelevanceScore < b.RelevanceScore:
			return 1
		}
		return 0
	})
	for _, a := range sum.AllSources {
		if a.RelevanceScore > primaryAbove && len(sum.PrimarySources) < primaryCount {
			sum.PrimarySources = append(sum.PrimarySources, a)
		}
	}
	if len(sum.PrimarySources) == 0 {
		sum.PrimarySources = append(sum.PrimarySources, sum.AllSources[:min(primaryCount, len(sum.AllSources))]...)
	}
	return sum
}

// Display is a summary made for people.
type Display struct {
	TotalSources   int                    `json:"total_sources"`
	PrimarySources []DisplaySource        `json:"primary_sources"`
	AllSources     []DisplaySource        `json:"all_sources"`
	StepBreakdown  map[string]DisplayStep `json:"step_breakdown"` // by "step_1"
}

// DisplaySource is a source as it is shown.
type DisplaySource struct {
	DocumentID string  `json:"document_id"`
	Title      string  `json:"title"` // the id where there is none
	Relevance  float64 `json:"relevance"`
	Rank       *int    `json:"rank,omitempty"`
	Excerpt    string  `json:"excerpt,omitempty"` // only where it is asked for
}

// DisplayStep says what one step used.
type DisplayStep struct {
	StepNumber  int      `json:"step_number"`
	SourcesUsed int      `json:"sources_used"`
	DocumentIDs []string `json:"document_ids"`
}

// Format gives a summary the form in which people are shown it.
func Format(sum SourceSummary, excerpts bool) Display {
	shown := func(all []SourceAttribution) []DisplaySource {
		out := []DisplaySource{}
		for _, a := range all {
			d := DisplaySource{DocumentID: a.DocumentID, Title: a.DocumentTitle, Relevance: twoPlaces(a.RelevanceScore), Rank: a.RetrievalRank}
			if d.Title == "" {
				d.Title = a.DocumentID
			}
			if excerpts {
				d.Excerpt = a.Excerpt
			}
			out = append(out, d)
		}
		return out
	}
	d := Display{TotalSources: len(sum.AllSources), PrimarySources: shown(sum.PrimarySources), AllSources: shown(sum.AllSources), StepBreakdown: map[string]DisplayStep{}}
	for n, ids := range sum.SourceUsageByStep {
		d.StepBreakdown[fmt.Sprintf("step_%d", n)] = DisplayStep{StepNumber: n, SourcesUsed: len(ids), DocumentIDs: ids}
	}
	return d
}

// rankRelevance is the relevance of the i-th raw string. Counting in tenths keeps the fourth at 0.7 to the bit.
func rankRelevance(i int) float64 { return max(leastRelevance, float64(10-i)/10) }

// rawID reads the id at the very start of a raw string.
func rawID(i int, s string) string {
	if rest, ok := strings.CutPrefix(s, "id:"); ok {
		if f := strings.Fields(rest); len(f) > 0 {
			return f[0]
		}
	}
	return fmt.Sprintf("context_doc_%d", i)
}

// scoreOf is the score of a result, else its relevance_score; 0.5 where that is no number. Whether it lies within [0,1] is
// for Create to say.
func scoreOf(r Result) float64 {
	v := r["score"]
	if v == nil {
		v = r["relevance_score"]
	}
	if f, ok := float(v); ok {
		return f
	}
	return unknownScore
}

func float(v any) (float64, bool) {
	switch n := v.(type) {
	case float64:
		return n, true
	case float32:
		return float64(n), true
	case int:
		return float64(n), true
	case int64:
		return float64(n), true
	case json.Number:
		f, err := n.Float64()
		return f, err == nil
	}
	return 0, false
}

// index reads a number or a numeric string; nil where it is neither.
func index(v any) *int {
	if s, ok := v.(string); ok {
		if n, err := strconv.Atoi(strings.TrimSpace(s)); err == nil {
			return &n
		}
		return nil
	}
	if f, ok := float(v); ok && f == math.Trunc(f) && math.Abs(f) < 1<<31 {
		return number(int(f))
	}
	return nil
}

func word(v any) string {
	switch s := v.(type) {
	case string:
		return s
	case json.Number:
		return s.String()
	case int, int64:
		return fmt.Sprint(s)
	case float64:
		if s == math.Trunc(s) && math.Abs(s) < 1<<53 {
			return strconv.FormatInt(int64(s), 10)
		}
	}
	return ""
}

func either(a, b any) string {
	if s, ok := a.(string); ok && s != "" {
		return s
	}
	s, _ := b.(string)
	return s
}

// firstCharacters cuts at characters, not at bytes.
func firstCharacters(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

func number(n int) *int { return &n }

func equal(a, b *int) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }

func twoPlaces(f float64) float64 { return math.Round(f*100) / 100 }
