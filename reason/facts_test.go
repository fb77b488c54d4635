package reason_test

import (
	"reflect"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/reason"
)

// An answer of two passes: the first lists what a document says, one line of its own idea, and one that makes no claim; the second
// uses one fact twice, leaves one out, says one thing of its own and one that a document denies.
func TestTwoPassesAreHeldAgainstEachOther(t *testing.T) {
	at := func(start, end int) ibid.Span { return ibid.Span{Start: start, End: end} }
	to := func(start, end int) ibid.Anchor { return ibid.Anchor{Document: "doc", Span: at(start, end)} }
	listed := "Field paid. Everett built. An idea. List:"
	step := ibid.Step{Question: reason.FactsQuestion, Text: listed,
		Passages: []ibid.Passage{{Rank: 1, Source: ibid.Source{ID: "one"}}, {Rank: 2, Source: ibid.Source{ID: "two", URI: "file:///two.md"}}},
		Segments: []ibid.Segment{
			{At: at(0, 11), Origin: ibid.RAG}, {At: at(12, 26), Origin: ibid.RAG}, {At: at(27, 35), Origin: ibid.LLM}, {At: at(36, 41), Origin: ibid.NONE},
		},
		Attributions: []ibid.Attribution{
			{Of: at(12, 26), To: to(50, 60), Ref: 2}, {Of: at(0, 11), To: to(10, 20), Ref: 2}, {Of: at(0, 11), To: to(30, 40), Ref: 1}, {Of: at(27, 35), To: to(70, 80), Ref: 1},
		},
	}
	facts := reason.FactsOf(step)
	title := step.Passages[1].Source.Title()
	want := []reason.Fact{
		{Text: "Field paid.", At: to(10, 20), Source: "two", Title: title, Segments: []int{}},
		{Text: "Everett built.", At: to(50, 60), Source: "two", Title: title, Segments: []int{}},
	}
	if !reflect.DeepEqual(facts, want) {
		t.Fatalf("facts\n got %+v\nwant %+v", facts, want)
	}

	a := ibid.Answer{Text: "Well. It was Field. Field, yes. Mine. Not so.", Steps: []ibid.Step{step},
		Segments: []ibid.Segment{
			{At: at(0, 5), Origin: ibid.NONE}, {At: at(6, 19), Origin: ibid.RAG}, {At: at(20, 31), Origin: ibid.HYBRID}, {At: at(32, 37), Origin: ibid.LLM},
			{At: at(38, 45), Origin: ibid.RAG, Contradicted: []ibid.Contradiction{{}}},
		},
		Attributions: []ibid.Attribution{
			{Of: at(0, 5), To: to(10, 20)}, {Of: at(6, 19), To: to(12, 18)}, {Of: at(6, 19), To: to(15, 25)}, {Of: at(20, 31), To: to(5, 11)},
			{Of: at(32, 37), To: to(10, 20)}, {Of: at(38, 45), To: ibid.Anchor{Document: "other", Span: at(10, 20)}}, {Of: at(38, 45), To: to(20, 50)},
		},
	}
	held := reason.Compare(a)
	if held == nil || len(held.Facts) != 2 || !reflect.DeepEqual(held.Facts[0].Segments, []int{2, 3}) || !reflect.DeepEqual(held.Facts[1].Segments, []int{}) {
		t.Fatalf("%+v", held)
	}
	if !reflect.DeepEqual(held.Without, []int{4, 5}) || !reflect.DeepEqual(held.Against, []int{5}) {
		t.Errorf("without %v, against %v", held.Without, held.Against)
	}

	other := a
	other.Steps = []ibid.Step{{Question: "Who paid?"}}
	if reason.Compare(other) != nil || reason.Compare(ibid.Answer{}) != nil {
		t.Error("an answer of another kind has two passes")
	}
	other.Steps = []ibid.Step{step, step}
	if reason.Compare(other) != nil {
		t.Error("a chain of two steps is taken for two passes")
	}
}
