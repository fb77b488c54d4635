package workflow_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/llm"
	"github.com/ibid-dev/ibid/llm/llmtest"
	"github.com/ibid-dev/ibid/reason"
	"github.com/ibid-dev/ibid/workflow"
)

// shelves retrieve by a word of the question: what stands under it, or nothing.
type shelves map[string][]ibid.Passage

func (s shelves) Retrieve(_ context.Context, q ibid.Query) ([]ibid.Passage, error) {
	var keys []string
	for k := range s {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		if strings.Contains(q.Text, k) {
			return s[k], nil
		}
	}
	return nil, nil
}

// quoter answers with the first passage it is given, as the built-in answerer does.
func quoter(p ibid.Prompt) []llmtest.Step {
	if len(p.Passages) == 0 {
		return []llmtest.Step{{Delta: ibid.Delta{Text: "Nothing was found.", Model: "quoter"}}}
	}
	return []llmtest.Step{{Delta: ibid.Delta{Text: p.Passages[0].Chunk.Text + " [CTX 1]", Model: "quoter"}}}
}

var cables = shelves{
	"landing": {passage(1, landing), passage(2, spoke)},
	"speak":   {passage(1, spoke)},
}

const twoParts = "When was the landing completed, and how long did the wire speak?"

func newThinker(m ibid.Model, r ibid.Retriever) (*workflow.Thinker, *memory) {
	asker, rec := newAsker(m, r)
	return &workflow.Thinker{Asker: asker}, rec
}

// thought runs a chain to its end and holds it against the laws of every chain: what was streamed is what was recorded,
// and every link resolves.
func thought(t *testing.T, th *workflow.Thinker, q workflow.Thought, rec *memory) (ibid.Answer, error) {
	t.Helper()
	return followed(t, th.Think(t.Context(), q), rec)
}

func followed(t *testing.T, events func(func(workflow.Event, error) bool), rec *memory) (ibid.Answer, error) {
	t.Helper()
	var failed error
	var done *ibid.Answer
	var text strings.Builder
	var segments []ibid.Segment
	var steps []ibid.Step
	planned, begun := 0, 0
	for e, err := range events {
		if err != nil {
			failed = err
			continue
		}
		if done != nil {
			t.Fatalf("an event after Done: %s", e.Kind)
		}
		switch {
		case e.Kind == workflow.Planned:
			planned++
		case e.Kind == workflow.Begun:
			begun++
			if e.Step != begun || e.Taken.Number != begun || e.Taken.Question == "" {
				t.Errorf("step %d begins as %+v", begun, e.Taken)
			}
		case e.Kind == workflow.Stepped:
			steps = append(steps, e.Taken)
		case e.Kind == workflow.Retrieved && e.Step == 0: // the answer begins, perhaps once more
			text.Reset()
			segments = nil
		case e.Kind == workflow.Text && e.Step == 0:
			text.WriteString(e.Text)
		case e.Kind == workflow.Decided && e.Step == 0:
			segments = append(segments, e.Finding.Segment)
		case e.Kind == workflow.Done:
			done = &e.Answer
		}
	}
	if done == nil {
		return ibid.Answer{}, failed
	}
	got := rec.answers[len(rec.answers)-1]
	if !reflect.DeepEqual(got, *done) || got.Text != text.String() || !reflect.DeepEqual(got.Segments, segments) || !reflect.DeepEqual(got.Steps, steps) || planned != 1 {
		t.Errorf("what was streamed is not what was recorded:\n%+v\n%q\n%+v", got, text.String(), steps)
	}
	if err := got.Check(); err != nil {
		t.Errorf("the record: %v", err)
	}
	return got, failed
}

func TestThinkTakesEachStepWithItsOwnSources(t *testing.T) {
	model := &llmtest.Scripted{Reply: quoter}
	th, rec := newThinker(model, cables)
	a, err := thought(t, th, workflow.Thought{Question: workflow.Question{Text: twoParts}}, rec)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Steps) != 2 || a.Steps[0].Text != landing || a.Steps[1].Text != spoke || a.Incomplete != "" {
		t.Fatalf("%+v", a.Steps)
	}
	if !strings.Contains(a.Text, landing) || !strings.Contains(a.Text, spoke) || len(a.Passages) != 2 || len(a.Citations) != 2 {
		t.Errorf("the answer: %q with %d passages", a.Text, len(a.Passages))
	}
	// The answer is attributed to steps, and through them to sources.
	if !reflect.DeepEqual(a.Segments[0].Steps, []int{1}) || !reflect.DeepEqual(a.Segments[1].Steps, []int{2}) {
		t.Errorf("steps of the segments: %v %v", a.Segments[0].Steps, a.Segments[1].Steps)
	}
	for _, s := range a.Steps {
		if s.Confidence != reason.Confidence(s.Text, s.Segments) || s.Trace == "" || len(s.Attributions) == 0 {
			t.Errorf("step %+v", s)
		}
	}
}

// Earlier answers are context: the second step is shown the first one's words, and they are not among its sources.
func TestEarlierStepsAreContextAndNeverSources(t *testing.T) {
	model := &llmtest.Scripted{Reply: func(p ibid.Prompt) []llmtest.Step {
		if strings.Contains(p.Question, "speak") { // repeats the answer of the step before, with a number of its own
			return []llmtest.Step{{Delta: ibid.Delta{Text: landing + " [CTX 1]", Model: "parrot"}}}
		}
		return quoter(p)
	}}
	th, rec := newThinker(model, cables)
	a, err := thought(t, th, workflow.Thought{Question: workflow.Question{Text: twoParts}}, rec)
	if err != nil {
		t.Fatal(err)
	}
	second := model.Prompts()[1]
	if len(second.Messages) != 3 || second.Messages[1].Text != landing || strings.Contains(second.System, landing) {
		t.Errorf("the second step was shown %+v", second.Messages)
	}
	s := a.Steps[1]
	if len(s.Attributions) != 0 || s.Segments[0].Origin != ibid.LLM || !reflect.DeepEqual(s.Saw, []int{1}) {
		t.Errorf("what step 1 said was taken for a source of step 2: %+v", s)
	}
}

// A step's sources are the passages that were really given, after the cut to the budget.
func TestAStepCitesOnlyWhatItWasGiven(t *testing.T) {
	both := shelves{"landing": {passage(1, landing), passage(2, spoke)}}
	model := &llmtest.Scripted{Reply: func(p ibid.Prompt) []llmtest.Step {
		return []llmtest.Step{{Delta: ibid.Delta{Text: landing + " " + spoke, Model: "m"}}}
	}}
	th, rec := newThinker(model, both)
	th.Asker.Budget = len(landing) + 5
	a, err := thought(t, th, workflow.Thought{Question: workflow.Question{Text: "When was the landing?"}}, rec)
	if err != nil || len(a.Steps) != 1 || len(a.Steps[0].Passages) != 1 || len(a.Steps[0].Attributions) != 1 {
		t.Errorf("%v %+v", err, a.Steps)
	}
}

func TestABudgetThatRunsOutEndsTheChainWithWhatItHas(t *testing.T) {
	long := passage(1, landing+strings.Repeat(" More words of the landing stand here.", 60))
	th, rec := newThinker(&llmtest.Scripted{Reply: quoter}, shelves{"landing": {long}, "speak": {passage(1, spoke)}, "paid": {passage(1, spoke)}})
	a, err := thought(t, th, workflow.Thought{Question: workflow.Question{Text: "When was the landing? How long did it speak? Who paid for it?"}, Budget: 900}, rec)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Steps) != 3 || a.Steps[0].Text == "" || !strings.Contains(a.Steps[2].Incomplete, "the budget of 900 tokens is spent") || a.Steps[2].Passages != nil {
		t.Errorf("%+v", a.Steps)
	}
	if !strings.Contains(a.Incomplete, "step 3: not taken") || !strings.Contains(a.Text, landing) {
		t.Errorf("%q: %s", a.Text, a.Incomplete)
	}
}

func TestAStepWithoutAnyPassageSaysSo(t *testing.T) {
	th, rec := newThinker(&llmtest.Scripted{Reply: quoter}, shelves{"landing": {passage(1, landing)}})
	a, err := thought(t, th, workflow.Thought{Question: workflow.Question{Text: twoParts}}, rec)
	if err != nil || len(a.Steps) != 2 || a.Steps[1].Incomplete != "no passage of the library bears on it" || len(a.Steps[1].Attributions) != 0 {
		t.Errorf("%v %+v", err, a.Steps)
	}
	if a.Text != landing {
		t.Errorf("the answer is %q", a.Text)
	}
}

func TestNothingAtAllIsAnAnswerThatClaimsNothing(t *testing.T) {
	th, rec := newThinker(&llmtest.Scripted{Reply: quoter}, shelves{})
	a, err := thought(t, th, workflow.Thought{Question: workflow.Question{Text: "Cable?"}}, rec)
	if err != nil || len(a.Citations) != 0 || a.Text == "" {
		t.Errorf("%v %+v", err, a)
	}
}

// Where no step got an answer, what the library has is not known, and not told. Nor is where the model's server stands: the record
// is read elsewhere, too.
func TestAChainThatBrokeOffDoesNotSpeakForTheLibrary(t *testing.T) {
	model, err := llm.NewOpenAI("m", llm.OpenAIConfig{BaseURL: "http://127.0.0.1:1/v1"})
	if err != nil {
		t.Fatal(err)
	}
	th, rec := newThinker(model, cables)
	th.Asker.Attributor = attribute.New(attribute.Config{})
	a, err := thought(t, th, workflow.Thought{Question: workflow.Question{Text: twoParts}}, rec)
	if !errors.Is(err, llm.ErrUnreachable) || len(rec.answers) != 1 {
		t.Fatalf("error %v, %d recorded", err, len(rec.answers))
	}
	if a.Text != "Sorry, this could not be answered." || len(a.Segments) != 1 || a.Segments[0].Origin != ibid.NONE {
		t.Errorf("the answer is %q: %+v", a.Text, a.Segments)
	}
	if want := "step 1: openai: server not reached; step 2: openai: server not reached"; a.Incomplete != want {
		t.Errorf("incomplete %q, want %q", a.Incomplete, want)
	}
}

func TestThinkInterruptedKeepsWhatItHas(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	model := &llmtest.Scripted{Reply: func(p ibid.Prompt) []llmtest.Step {
		if strings.Contains(p.Question, "speak") {
			cancel()
			return []llmtest.Step{{Delay: time.Minute}}
		}
		return quoter(p)
	}}
	th, rec := newThinker(model, cables)
	a, err := followed(t, th.Think(ctx, workflow.Thought{Question: workflow.Question{Text: twoParts + " And who paid?"}}), rec)
	if !errors.Is(err, context.Canceled) || len(rec.answers) != 1 {
		t.Fatalf("error %v, %d recorded", err, len(rec.answers))
	}
	if len(a.Steps) != 3 || !strings.Contains(a.Steps[1].Incomplete, "interrupted") || !strings.Contains(a.Steps[2].Incomplete, "not taken") || a.Text != landing {
		t.Errorf("%q %+v", a.Text, a.Steps)
	}
}

func TestThinkStopsWhenTheReaderLeaves(t *testing.T) {
	model := &llmtest.Scripted{Reply: quoter}
	th, rec := newThinker(model, cables)
	for e := range th.Think(t.Context(), workflow.Thought{Question: workflow.Question{Text: twoParts}}) {
		if e.Kind == workflow.Stepped {
			break
		}
	}
	if len(rec.answers) != 0 || len(model.Prompts()) != 1 {
		t.Errorf("%d recorded, %d prompts", len(rec.answers), len(model.Prompts()))
	}
}

func TestThinkWithAPlanner(t *testing.T) {
	planner := &llmtest.Scripted{Reply: func(p ibid.Prompt) []llmtest.Step {
		text := "1. When was the landing completed?\n2. How long did the wire speak?\n"
		if len(p.Passages) > 0 {
			text = "It was done: " + landing + " [CTX 1] I like cables."
		}
		return []llmtest.Step{{Delta: ibid.Delta{Text: text, Model: "planner", Usage: ibid.Usage{Input: 10, Output: 5}}}}
	}}
	th, rec := newThinker(&llmtest.Scripted{Reply: quoter}, cables)
	th.Planner = planner
	a, err := thought(t, th, workflow.Thought{Question: workflow.Question{Text: "Tell me of the landing and the wire's speech"}}, rec)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Steps) != 2 || a.Model != "planner" || !strings.HasPrefix(a.Text, "It was done") || a.Usage.Input != 20 {
		t.Errorf("%+v", a)
	}
	last := planner.Prompts()[len(planner.Prompts())-1]
	if len(last.Messages) != 5 || len(last.Passages) != 2 {
		t.Errorf("the answer was put together from %d messages and %d passages", len(last.Messages), len(last.Passages))
	}
}

func TestIterativeAsksWhatTheAnswersBringUp(t *testing.T) {
	everett := "William Everett built a new machine."
	th, rec := newThinker(&llmtest.Scripted{Reply: quoter}, shelves{"brake": {passage(1, everett)}, "William Everett brake": {passage(1, "He was an engineer of the Niagara.")}})
	a, err := thought(t, th, workflow.Thought{Question: workflow.Question{Text: "Who built the brake?"}, Strategy: reason.Iterative}, rec)
	if err != nil || len(a.Steps) < 2 || a.Steps[1].Question != "What is known of William Everett?" {
		t.Errorf("%v %+v", err, a.Steps)
	}
	if len(a.Steps) > 3 {
		t.Errorf("%d steps: the depth bounds the rounds", len(a.Steps))
	}
}

func TestDualPassListsFactsAndHoldsTheAnswerAgainstThem(t *testing.T) {
	model := &llmtest.Scripted{Reply: func(p ibid.Prompt) []llmtest.Step {
		if strings.Contains(p.Messages[len(p.Messages)-1].Text, "List what the passages say") {
			return []llmtest.Step{{Delta: ibid.Delta{Text: "- " + landing + " [CTX 1]\n- The moon is made of cheese. [CTX 2]\n", Model: "m"}}}
		}
		return []llmtest.Step{{Delta: ibid.Delta{Text: landing + " [CTX 1] " + spoke + " [CTX 2]", Model: "m"}}}
	}}
	th, rec := newThinker(model, cables)
	th.Asker.Attributor = attribute.New(attribute.Config{})
	a, err := followed(t, th.Dual(t.Context(), workflow.Question{Text: "When was the landing?"}), rec)
	if err != nil {
		t.Fatal(err)
	}
	h := reason.Compare(a)
	if h == nil || len(h.Facts) != 1 || h.Facts[0].At.Span.In(landing) != landing || !reflect.DeepEqual(h.Facts[0].Segments, []int{1}) {
		t.Fatalf("facts: %+v", h)
	}
	// The second sentence stands in a passage, but not among the facts of the first pass.
	if !reflect.DeepEqual(h.Without, []int{2}) || a.Segments[1].Origin != ibid.LLM {
		t.Errorf("without a fact: %v, %+v", h.Without, a.Segments[1])
	}
	if reason.Compare(ibid.Answer{}) != nil {
		t.Error("an answer of one pass has a comparison")
	}
}

// What the gate holds back of an answer does not go out through a step.
func TestTheGateHoldsBackWhatAStepMadeUp(t *testing.T) {
	model := &llmtest.Scripted{Reply: func(p ibid.Prompt) []llmtest.Step {
		if strings.Contains(p.Question, "speak") {
			return []llmtest.Step{{Delta: ibid.Delta{Text: "The moon is made of cheese.", Model: "m"}}}
		}
		return quoter(p)
	}}
	th, rec := newThinker(model, cables)
	policy := gate.Policy{Name: "strict", Default: gate.Rule{Threshold: 1, Outcome: gate.Block}, Hold: gate.HoldAnswer}
	th.Asker.Gate = workflow.Gate{Policy: &policy}
	for e, err := range th.Think(t.Context(), workflow.Thought{Question: workflow.Question{Text: twoParts}}) {
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(e.Text, "cheese") || strings.Contains(e.Taken.Text, "cheese") || strings.Contains(e.Answer.Text, "cheese") {
			t.Errorf("%s lets it out: %+v", e.Kind, e)
		}
	}
	a := rec.answers[0]
	if a.Text != landing || !strings.Contains(a.Steps[1].Incomplete, "held back by the gate") || a.Verdict == nil || !a.Verdict.Pass {
		t.Errorf("%q %+v", a.Text, a.Steps[1])
	}
}

func TestThinkRefusesWhatIsNoQuestion(t *testing.T) {
	th, rec := newThinker(&llmtest.Scripted{Reply: quoter}, cables)
	for _, q := range []string{"", " \n ", "\xff?"} {
		if _, err := thought(t, th, workflow.Thought{Question: workflow.Question{Text: q}}, rec); !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("%q: %v", q, err)
		}
	}
	if len(rec.answers) != 0 {
		t.Error("something was recorded")
	}
}
