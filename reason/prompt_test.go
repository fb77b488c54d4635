package reason_test

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/reason"
)

// Models number and format as they like. Whatever they put around a question, it is the question that is asked.
func TestSignsAroundAQuestionAreNoPartOfIt(t *testing.T) {
	question := "Who paid for the cable?"
	for _, form := range []string{
		"%s", "1. %s", "1.%s", "2) %s", "(3) %s", "4: %s", "12. %s", "1 - %s", "- %s", "* %s", "• %s", "> %s", "Step 1: %s", "step 2. %s", "STEP 3) %s", "Question 2: %s", "Q1: %s",
		"**1. %s**", "**1.** %s", "1. **%s**", "1. _%s_", "### 1. %s", "- **Q2:** %s", "1. \"%s\"", "\"%s\",", "1. “%s”", "`%s`", "   1.   %s  ",
	} {
		line := fmt.Sprintf(form, question)
		parts, err := reason.ParsePlan("Here they are:\n"+line+"\n", "Who paid for the cable, and when?", "", reason.Limits{})
		if err != nil || len(parts) != 1 || parts[0].Question != question || parts[0].Search != question {
			t.Errorf("%q as a plan: %+v %v", line, parts, err)
		}
		if next, ok := reason.ParseNext("I suggest:\n"+line, nil); !ok || next.Question != question {
			t.Errorf("%q as the next question: %+v", line, next)
		}
	}
	for _, own := range []string{"3.5 miles of cable: who paid?", "1858: who paid for the cable?", "20-year bonds paid for which cable?"} {
		for _, form := range []string{"%s", "1. %s", "- %s"} {
			if parts, err := reason.ParsePlan(fmt.Sprintf(form, own), "Who paid for the cable?", "", reason.Limits{}); err != nil || parts[0].Question != own {
				t.Errorf("a number of the question's own: %+v %v", parts, err)
			}
		}
	}
}

func TestLinesThatAreNoQuestionToLookUp(t *testing.T) {
	for _, line := range []string{
		"Cable?", "The cable was paid for by Field.", "Who paid for the cable [CTX 1]?", "{{rag:Who paid for the cable?}}", "Who paid for the cable\xff?",
		"Who paid for the cable" + strings.Repeat(" of copper", 40) + "?",
	} {
		if parts, err := reason.ParsePlan(line, "Who paid for the cable?", "", reason.Limits{}); err == nil {
			t.Errorf("plan: %+v", parts)
		}
		if next, ok := reason.ParseNext(line, nil); ok {
			t.Errorf("next: %+v", next)
		}
	}
	if parts, err := reason.ParsePlan("1. Is there anything else?", "Who was it?", "", reason.Limits{}); err != nil || len(parts) != 1 {
		t.Errorf("a question without a word of its own takes any: %+v %v", parts, err)
	}
}

// A model that says that it is done is done, whatever it asks then out of courtesy.
func TestDoneEndsTheChain(t *testing.T) {
	for _, reply := range []string{"DONE", "done.", "**DONE**\n\nWould you like to know more?", "DONE. Is there anything else?", "- DONE: what else can I do?"} {
		if next, ok := reason.ParseNext(reply, nil); ok {
			t.Errorf("%q: %+v", reply, next)
		}
	}
}

// What a prompt asks for is what its parser reads: the example that it gives, and as many questions as it allows.
func TestPlanPromptAndParserAgree(t *testing.T) {
	for _, s := range reason.Strategies() {
		p := reason.PlanPrompt("First and second question?", s, reason.Limits{})
		if !strings.Contains(p.System, "at most 6 questions") || p.Messages[0].Text != p.Question || p.MaxTokens == 0 {
			t.Errorf("%s: %+v", s, p)
		}
		example := regexp.MustCompile(`(?m)^\d\. .*$`).FindAllString(p.System, -1)
		parts, err := reason.ParsePlan(strings.Join(example, "\n"), p.Question, s, reason.Limits{})
		want := len(example)
		if s == reason.Iterative {
			want = 1
		}
		if err != nil || want == 0 || len(parts) != want || parts[0].Question != "First question?" {
			t.Errorf("%s: %+v %v", s, parts, err)
		}
	}
	if parts, err := reason.ParsePlan("1. Which cable?\n2. Whose cable?\n3. What cable?", "The cable?", "", reason.Limits{Steps: 2}); err != nil || len(parts) != 2 {
		t.Errorf("%+v %v", parts, err)
	}
}

// What was said before is shown as turns, what was not said is not, and the question comes last.
func TestEarlierStepsAreTurns(t *testing.T) {
	taken := []ibid.Step{{Question: "Who paid?", Text: "Field paid."}, {Question: "Who lost?"}}
	want := []ibid.Message{{Role: "user", Text: "Who paid?"}, {Role: "assistant", Text: "Field paid."}}
	if got := reason.Earlier(taken); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	p := reason.NextPrompt("Who was it?", taken)
	if n := len(p.Messages); n != 3 || !reflect.DeepEqual(p.Messages[:2], want) || !strings.Contains(p.Messages[2].Text, "Who was it?") || p.MaxTokens == 0 {
		t.Errorf("%+v", p)
	}
}
