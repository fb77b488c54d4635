package reason_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/reason"
)

func extract(t *testing.T, context []string, results ...reason.Result) []reason.SourceAttribution {
	t.Helper()
	out, err := new(reason.Sources).Extract(context, results)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The seed's own test.
func TestSourceExtractionFromContext(t *testing.T) {
	got := extract(t, []string{"id:doc_123 Machine learning content...", "Deep learning overview..."})
	if len(got) != 2 || got[0].DocumentID != "doc_123" || got[0].RelevanceScore <= 0.3 {
		t.Errorf("got %+v", got)
	}
}

// The seed's own example of a structured result.
func TestSourceExtractionFromStructuredResults(t *testing.T) {
	got := extract(t, []string{"id:ignored whenever there are results"},
		reason.Result{"document_id": "doc_123", "title": "Introduction to AI", "score": 0.92, "content": "Artificial intelligence involves...", "chunk_index": 0})
	if len(got) != 1 {
		t.Fatalf("got %+v", got)
	}
	a := got[0]
	if a.DocumentID != "doc_123" || a.DocumentTitle != "Introduction to AI" || a.RelevanceScore != 0.92 || a.Excerpt != "Artificial intelligence involves..." || *a.ChunkIndex != 0 || *a.RetrievalRank != 1 {
		t.Errorf("got %+v", a)
	}
}

func TestRelevanceOutsideOfZeroToOneIsAnErrorAndNotAClamp(t *testing.T) {
	for _, r := range []float64{-0.01, 1.01, 18.08, math.NaN(), math.Inf(1)} {
		_, err := new(reason.Sources).Create(reason.SourceAttribution{DocumentID: "d", RelevanceScore: r})
		if !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), "relevance_score must be between 0 and 1") {
			t.Errorf("%v: %v", r, err)
		}
	}
	for _, r := range []float64{0, 0.5, 1} {
		if _, err := new(reason.Sources).Create(reason.SourceAttribution{DocumentID: "d", RelevanceScore: r}); err != nil {
			t.Errorf("%v: %v", r, err)
		}
	}
}

func TestARawScoreOutsideOfZeroToOneNamesTheItem(t *testing.T) {
	_, err := new(reason.Sources).Extract(nil, []reason.Result{{"score": 0.4}, {"score": 12.7}})
	if !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), "search result 2") || !strings.Contains(err.Error(), "relevance_score must be between 0 and 1") {
		t.Errorf("got %v", err)
	}
}

func TestStructuredResultsHaveTheirDefaults(t *testing.T) {
	long := strings.Repeat("é", 300)
	got := extract(t, nil,
		reason.Result{},
		reason.Result{"title": "", "document_title": "Second", "relevance_score": 0.25, "text": long, "chunk_index": "7"},
		reason.Result{"document_id": "x", "title": "T", "document_title": "not this", "score": "high", "content": "c", "text": "not this", "chunk_index": "seven"},
		reason.Result{"document_id": "y", "score": true, "chunk_index": 3.0},
		reason.Result{"document_id": "z", "score": json.Number("1"), "chunk_index": nil},
	)
	if a := got[0]; a.DocumentID != "doc_0" || a.RelevanceScore != 0.5 || a.ChunkIndex != nil || *a.RetrievalRank != 1 || a.Excerpt != "" || a.DocumentTitle != "" {
		t.Errorf("nothing given: %+v", a)
	}
	if a := got[1]; a.DocumentID != "doc_1" || a.DocumentTitle != "Second" || a.RelevanceScore != 0.25 || *a.ChunkIndex != 7 || *a.RetrievalRank != 2 {
		t.Errorf("the second names: %+v", a)
	}
	if e := got[1].Excerpt; utf8.RuneCountInString(e) != 200 || e != strings.Repeat("é", 200) {
		t.Errorf("the excerpt has %d characters and ends in %q", utf8.RuneCountInString(e), e[len(e)-2:])
	}
	if a := got[2]; a.DocumentTitle != "T" || a.RelevanceScore != 0.5 || a.Excerpt != "c" || a.ChunkIndex != nil {
		t.Errorf("a score that is no number: %+v", a)
	}
	if a := got[3]; a.RelevanceScore != 0.5 || *a.ChunkIndex != 3 {
		t.Errorf("a score that is a boolean: %+v", a)
	}
	if a := got[4]; a.RelevanceScore != 1 {
		t.Errorf("a number as JSON has it: %+v", a)
	}
}

func TestRawStringsKeepTheirIndexAndFallByTenths(t *testing.T) {
	context := []string{"first", "  ", "id:doc_9 third", "fourth", "valid: x", "id:", "7", "8", "9", "10", "11", "12"}
	got := extract(t, context)
	if len(got) != 11 {
		t.Fatalf("%d attributions", len(got))
	}
	for i, want := range []struct {
		id        string
		relevance float64
	}{
		{"context_doc_0", 1}, {"doc_9", 0.8}, {"context_doc_3", 0.7}, {"context_doc_4", 0.6}, {"context_doc_5", 0.5}, {"context_doc_6", 0.4},
		{"context_doc_7", 0.3}, {"context_doc_8", 0.3}, {"context_doc_9", 0.3}, {"context_doc_10", 0.3}, {"context_doc_11", 0.3},
	} {
		if got[i].DocumentID != want.id || got[i].RelevanceScore != want.relevance {
			t.Errorf("%d: got %s %v, want %s %v to the bit", i, got[i].DocumentID, got[i].RelevanceScore, want.id, want.relevance)
		}
	}
	if *got[0].RetrievalRank != 1 || *got[1].RetrievalRank != 3 {
		t.Errorf("ranks %d and %d", *got[0].RetrievalRank, *got[1].RetrievalRank)
	}
	if long := extract(t, []string{strings.Repeat("é", 300)}); long[0].Excerpt != strings.Repeat("é", 200) {
		t.Errorf("an excerpt of %d characters", utf8.RuneCountInString(long[0].Excerpt))
	}
}

// Numbers come in many types, and as ids too; what is none is left out.
func TestNumbersOfResults(t *testing.T) {
	got := extract(t, nil,
		reason.Result{"document_id": 7, "score": float32(0.5), "chunk_index": int64(2)},
		reason.Result{"document_id": 8.0, "score": 1, "chunk_index": 2.5},
		reason.Result{"document_id": json.Number("9"), "chunk_index": 1e12},
		reason.Result{"document_id": 1.5, "score": int64(0), "chunk_index": " 4 "},
		reason.Result{"document_id": true},
	)
	var ids []string
	for _, a := range got {
		n := "none"
		if a.ChunkIndex != nil {
			n = fmt.Sprint(*a.ChunkIndex)
		}
		ids = append(ids, fmt.Sprintf("%s %v %s", a.DocumentID, a.RelevanceScore, n))
	}
	if want := []string{"7 0.5 2", "8 1 none", "9 0.5 none", "doc_3 0 4", "doc_4 0.5 none"}; !reflect.DeepEqual(ids, want) {
		t.Errorf("got %q, want %q", ids, want)
	}
}

// Confidence is weighed by what claims say, not by the blanks between them; what makes no claim does not count.
func TestConfidence(t *testing.T) {
	text := "ab    cd  efgh. Well"
	segments := []ibid.Segment{{At: ibid.Span{End: 8}, Origin: ibid.RAG, Support: 1}, {At: ibid.Span{Start: 10, End: 14}, Origin: ibid.LLM, Support: 0.5}, {At: ibid.Span{Start: 16, End: 20}, Origin: ibid.NONE}}
	if got := reason.Confidence(text, segments); got != 0.75 {
		t.Errorf("%v, want 0.75", got)
	}
	if got := reason.Confidence(text, segments[2:]); got != 0 {
		t.Errorf("nothing is claimed: %v", got)
	}
}

func TestAStepThatBrokeOffSaysWhy(t *testing.T) {
	c, err := reason.ChainOf(ibid.Answer{Steps: []ibid.Step{{Trace: "part 1", Incomplete: "no passage"}, {Trace: "part 2"}}}, false)
	if err != nil || c.ReasoningSteps[0].ReasoningTrace != "part 1; no passage" || c.ReasoningSteps[1].ReasoningTrace != "part 2" {
		t.Errorf("%+v %v", c.ReasoningSteps, err)
	}
}

// Two parts of one document are read each for itself: the second has its own words.
func TestAnotherPartOfADocumentSeenBefore(t *testing.T) {
	got := extract(t, nil, reason.Result{"document_id": "a", "chunk_index": 1, "content": "one"}, reason.Result{"document_id": "a", "chunk_index": 2, "content": "two"},
		reason.Result{"document_id": "a", "content": "three"}, reason.Result{"document_id": "a", "chunk_index": 1, "content": "again"})
	if s := got[0].Excerpt + " " + got[1].Excerpt + " " + got[2].Excerpt + " " + got[3].Excerpt; s != "one two three one" {
		t.Errorf("%s", s)
	}
}

func step(n int, sources ...reason.SourceAttribution) reason.ReasoningStep {
	return reason.ReasoningStep{StepNumber: n, SourceAttributions: sources}
}

func src(id string, relevance float64) reason.SourceAttribution {
	return reason.SourceAttribution{DocumentID: id, RelevanceScore: relevance}
}

func TestAggregationKeepsOneEntryPerDocumentAndTheGreaterScore(t *testing.T) {
	first := src("a", 0.6)
	first.DocumentTitle = "first"
	equal := src("a", 0.6)
	equal.DocumentTitle = "not strictly greater"
	sum := reason.Aggregate([]reason.ReasoningStep{
		step(1, first, src("b", 0.9), src("b", 0.1)), step(2), step(3, equal, src("c", 0.9), src("b", 0.95)),
	})
	var ids []string
	for _, a := range sum.AllSources {
		ids = append(ids, fmt.Sprintf("%s %v", a.DocumentID, a.RelevanceScore))
	}
	if !reflect.DeepEqual(ids, []string{"b 0.95", "c 0.9", "a 0.6"}) || sum.AllSources[2].DocumentTitle != "first" {
		t.Errorf("all sources %v, %+v", ids, sum.AllSources[2])
	}
	if want := map[int][]string{1: {"a", "b"}, 2: {}, 3: {"a", "c", "b"}}; !reflect.DeepEqual(sum.SourceUsageByStep, want) {
		t.Errorf("usage %v, want %v", sum.SourceUsageByStep, want)
	}
}

func TestAggregationSortIsStable(t *testing.T) {
	sum := reason.Aggregate([]reason.ReasoningStep{step(1, src("z", 0.5), src("a", 0.5), src("m", 0.5))})
	if got := sum.AllSources[0].DocumentID + sum.AllSources[1].DocumentID + sum.AllSources[2].DocumentID; got != "zam" {
		t.Errorf("equals stand as %s", got)
	}
}

func TestPrimarySourcesAreTheFirstThreeAbovePointSevenElseTheTopThree(t *testing.T) {
	for name, c := range map[string]struct {
		relevance []float64
		want      int
	}{
		"five above":                {[]float64{0.9, 0.8, 0.95, 0.85, 0.75}, 3},
		"one above":                 {[]float64{0.71, 0.7, 0.6, 0.5}, 1},
		"0.7 itself is not above":   {[]float64{0.7, 0.7, 0.7, 0.7}, 3},
		"none above: the top three": {[]float64{0.1, 0.2, 0.3, 0.4}, 3},
		"fewer than three":          {[]float64{0.2}, 1},
	} {
		var all []reason.SourceAttribution
		for i, r := range c.relevance {
			all = append(all, src(fmt.Sprint(i), r))
		}
		sum := reason.Aggregate([]reason.ReasoningStep{step(1, all...)})
		if len(sum.PrimarySources) != c.want || !reflect.DeepEqual(sum.PrimarySources, sum.AllSources[:c.want]) {
			t.Errorf("%s: %v", name, sum.PrimarySources)
		}
	}
}

func TestNoStepsAreThreeEmpties(t *testing.T) {
	b, err := json.Marshal(reason.Aggregate(nil))
	if err != nil || string(b) != `{"all_sources":[],"primary_sources":[],"source_usage_by_step":{}}` {
		t.Errorf("%s %v", b, err)
	}
}

func TestDisplayFormOfTheSeed(t *testing.T) {
	guide := src("ml_guide_ch1", 0.9249)
	guide.DocumentTitle, guide.Excerpt, guide.RetrievalRank = "Machine Learning Guide - Chapter 1", "Machine learning algorithms fall into three main categories...", ptr(2)
	sum := reason.Aggregate([]reason.ReasoningStep{step(1, guide, src("ai_intro", 0.5)), step(2, src("dl_paper_2023", 0.866))})
	b, err := json.MarshalIndent(reason.Format(sum, true), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	want := `{
 "total_sources": 3,
 "primary_sources": [
  {
   "document_id": "ml_guide_ch1",
   "title": "Machine Learning Guide - Chapter 1",
   "relevance": 0.92,
   "rank": 2,
   "excerpt": "Machine learning algorithms fall into three main categories..."
  },
  {
   "document_id": "dl_paper_2023",
   "title": "dl_paper_2023",
   "relevance": 0.87
  }
 ],
 "all_sources": [
  {
   "document_id": "ml_guide_ch1",
   "title": "Machine Learning Guide - Chapter 1",
   "relevance": 0.92,
   "rank": 2,
   "excerpt": "Machine learning algorithms fall into three main categories..."
  },
  {
   "document_id": "dl_paper_2023",
   "title": "dl_paper_2023",
   "relevance": 0.87
  },
  {
   "document_id": "ai_intro",
   "title": "ai_intro",
   "relevance": 0.5
  }
 ],
 "step_breakdown": {
  "step_1": {
   "step_number": 1,
   "sources_used": 2,
   "document_ids": [
    "ml_guide_ch1",
    "ai_intro"
   ]
  },
  "step_2": {
   "step_number": 2,
   "sources_used": 1,
   "document_ids": [
    "dl_paper_2023"
   ]
  }
 }
}`
	if string(b) != want {
		t.Errorf("got %s", b)
	}
	if d := reason.Format(sum, false); d.PrimarySources[0].Excerpt != "" || d.AllSources[0].Excerpt != "" {
		t.Error("an excerpt that was not asked for")
	}
}

func TestEnhanceTakesRetrievedDocumentsElseTheContext(t *testing.T) {
	s := new(reason.Sources)
	plain, err := s.Enhance(reason.ReasoningStep{StepNumber: 1, ContextUsed: []string{"id:a text", "more"}, ConfidenceScore: 0.5}, nil)
	if err != nil || len(plain.SourceAttributions) != 2 || plain.SourceAttributions[0].RelevanceScore != 1 {
		t.Errorf("from the context: %+v %v", plain.SourceAttributions, err)
	}
	given, err := s.Enhance(reason.ReasoningStep{StepNumber: 2, ContextUsed: []string{"id:a text"}}, []reason.Result{{"document_id": "b", "score": 0.4}})
	if err != nil || len(given.SourceAttributions) != 1 || given.SourceAttributions[0].DocumentID != "b" {
		t.Errorf("from what was retrieved: %+v %v", given.SourceAttributions, err)
	}
}

func TestRelevanceAdjustedByStepConfidenceIsAnOption(t *testing.T) {
	s := &reason.Sources{ByConfidence: true}
	got, err := s.Enhance(reason.ReasoningStep{StepNumber: 1, ConfidenceScore: 0.5}, []reason.Result{{"document_id": "b", "score": 0.8}})
	if err != nil || got.SourceAttributions[0].RelevanceScore != 0.4 {
		t.Errorf("0.8 x 0.5: %+v %v", got.SourceAttributions, err)
	}
	if _, err := s.Enhance(reason.ReasoningStep{StepNumber: 4, ConfidenceScore: 1.5}, []reason.Result{{"score": 0.8}}); !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), "step 4") {
		t.Errorf("a confidence of 1.5: %v", err)
	}
}

func TestASourceSeenBeforeIsNotReadAgain(t *testing.T) {
	s := new(reason.Sources)
	if _, err := s.Extract(nil, []reason.Result{{"document_id": "a", "title": "Title", "score": 0.2, "content": "Words."}}); err != nil {
		t.Fatal(err)
	}
	again, err := s.Extract(nil, []reason.Result{{"document_id": "b", "score": 0.3}, {"document_id": "a", "score": 0.9}})
	if err != nil {
		t.Fatal(err)
	}
	if a := again[1]; a.DocumentTitle != "Title" || a.Excerpt != "Words." || a.RelevanceScore != 0.9 || *a.RetrievalRank != 2 {
		t.Errorf("its title and excerpt are known, its relevance and rank are of this step: %+v", a)
	}
}

func TestNamesOfTheSeedAreTheJSONNames(t *testing.T) {
	passage := ibid.Passage{Rank: 1, Score: 0.9, Source: ibid.Source{ID: "s", URI: "file:///a.md"},
		Chunk: ibid.Chunk{Ordinal: 4, Text: "The landing was completed.", At: ibid.Anchor{Document: "d", Span: ibid.Span{End: 26}}}}
	a := ibid.Answer{Question: "Q?", Text: "The landing was completed.", Segments: []ibid.Segment{{At: ibid.Span{End: 26}, Origin: ibid.RAG, Support: 0.75}}}
	for n := range 7 {
		a.Steps = append(a.Steps, ibid.Step{Number: n + 1, Question: "part", Text: "said", Confidence: 0.5, Trace: "why", Seconds: 1.5, Passages: []ibid.Passage{passage, passage, passage, passage, passage, passage}})
	}
	c, err := reason.ChainOf(a, false)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	b, _ := json.Marshal(c)
	json.Unmarshal(b, &got)
	wantKeys(t, got, "original_question", "final_answer", "reasoning_steps", "source_summary", "total_confidence")
	wantKeys(t, got["source_summary"].(map[string]any), "all_sources", "primary_sources", "source_usage_by_step")
	one := got["reasoning_steps"].([]any)[0].(map[string]any)
	wantKeys(t, one, "step_number", "question", "context_used", "intermediate_answer", "confidence_score", "reasoning_trace", "execution_time", "source_attributions")
	wantKeys(t, one["source_attributions"].([]any)[0].(map[string]any), "document_id", "document_title", "relevance_score", "excerpt", "chunk_index", "retrieval_rank")
	if n := len(one["context_used"].([]any)); n != 5 {
		t.Errorf("context_used has %d, want the first five", n)
	}
	b, _ = json.Marshal(c.Search())
	var search map[string]any
	json.Unmarshal(b, &search)
	wantKeys(t, search, "answer", "sources", "reasoning_trace", "source_breakdown")
	if c.TotalConfidence != 0.75 || len(c.SourceSummary.PrimarySources) > 3 || len(c.SourceSummary.AllSources) != 1 {
		t.Errorf("%+v", c)
	}
}

func wantKeys(t *testing.T, m map[string]any, keys ...string) {
	t.Helper()
	for _, k := range keys {
		if _, ok := m[k]; !ok {
			t.Errorf("no %q in %v", k, m)
		}
	}
	if len(m) != len(keys) {
		t.Errorf("%d names, want %d: %v", len(m), len(keys), m)
	}
}

func ptr(n int) *int { return &n }

// Whatever others hand in, what comes out lies within the bounds or is refused.
func FuzzExtract(f *testing.F) {
	f.Add(`[{"document_id":"a","score":0.5,"chunk_index":"3"}]`, "id:x y")
	f.Add(`[{"score":7},{}]`, "")
	f.Fuzz(func(t *testing.T, results, raw string) {
		var rs []reason.Result
		if json.Unmarshal([]byte(results), &rs) != nil {
			rs = nil
		}
		got, err := new(reason.Sources).Extract([]string{raw}, rs)
		if err != nil {
			if !errors.Is(err, ibid.ErrInvalid) {
				t.Errorf("%v", err)
			}
			return
		}
		for _, a := range got {
			if a.DocumentID == "" || !(a.RelevanceScore >= 0 && a.RelevanceScore <= 1) || utf8.RuneCountInString(a.Excerpt) > 200 {
				t.Errorf("%+v", a)
			}
		}
		sum := reason.Aggregate([]reason.ReasoningStep{step(1, got...)})
		if len(sum.AllSources) > len(got) || len(sum.PrimarySources) > 3 || (len(sum.PrimarySources) == 0) != (len(got) == 0) {
			t.Errorf("%+v", sum)
		}
	})
}
