package reason_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/reason"
)

func TestClassify(t *testing.T) {
	for question, want := range map[string]reason.Kind{
		"When was the first cable laid?":                                              reason.Simple,
		"How long did the Queen's message take?":                                      reason.Simple,
		"How many messages passed through the cable of 1858?":                         reason.Simple,
		"Tell me about the cable.":                                                    reason.Simple,
		"Who was the man who built the brake and paid for it?":                        reason.Simple,
		"Which cable joined Ireland and Newfoundland?":                                reason.Simple,
		"When and where was Field born?":                                              reason.MultiPart,
		"Who dismissed Whitehouse, and what did he do afterwards?":                    reason.MultiPart,
		"What happened? Who was there?":                                               reason.MultiPart,
		"Why did it fail and who was blamed?":                                         reason.MultiPart,
		"How did the core of the cable of 1858 differ from that of 1865?":             reason.Comparison,
		"Which was longer, the Niagara or the Agamemnon?":                             reason.Comparison,
		"Was the Great Eastern longer than the Faraday?":                              reason.Comparison,
		"Compare GraphQL and REST performance":                                        reason.Comparison,
		"What did Thomson and Whitehouse each think a long cable needed?":             reason.Comparison,
		"What is the difference between a mirror galvanometer and a siphon recorder?": reason.Comparison,
		"Why did the cable of 1858 fail?":                                             reason.Causal,
		"Why is a long cable slower than a short one?":                                reason.Causal,
		"What caused the failure of the cable?":                                       reason.Causal,
		"What led to the founding of the company?":                                    reason.Causal,
		"How was the lost cable raised from the bottom?":                              reason.Procedural,
		"How to clean gutta-percha?":                                                  reason.Procedural,
		"What are the steps to join two cables?":                                      reason.Procedural,
		"For what reason did it fail?":                                                reason.Causal,
		"For which reason did it fail?":                                               reason.Causal,
		"How come the cable failed?":                                                  reason.Causal,
		"Wherefore did it fail?":                                                      reason.Causal,
		"Explain why the cable failed.":                                               reason.Causal,
		"Explain the cable.":                                                          reason.Simple,
		"Which events led to the loss?":                                               reason.Causal,
		"What reasons did he give?":                                                   reason.Causal,
		"Which way led from Cork?":                                                    reason.Simple,
		"Which ship led?":                                                             reason.Simple,
		"Who gave a reason?":                                                          reason.Simple,
		"How was it?":                                                                 reason.Procedural,
		"How was?":                                                                    reason.Simple,
		"How is it that ships float?":                                                 reason.Simple,
		"In what way was the cable laid?":                                             reason.Procedural,
		"By what means was the cable laid?":                                           reason.Procedural,
		"Which steps were taken?":                                                     reason.Procedural,
		"What steps were taken?":                                                      reason.Procedural,
		"":                                                                            reason.Simple,
		"???":                                                                         reason.Simple,
	} {
		if got := reason.Classify(question); got != want {
			t.Errorf("%q is %s, want %s", question, got, want)
		}
	}
}

func questions(p reason.Plan) []string {
	var out []string
	for _, x := range p.Parts {
		out = append(out, x.Question)
	}
	return out
}

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		name, question string
		strategy       reason.Strategy
		want           []string
	}{
		{"a simple question is one step", "When was the first cable laid?", "", []string{"When was the first cable laid?"}},
		{"clauses, with names for pronouns", "Who was Cyrus Field and how did he lose his fortune?", "",
			[]string{"Who was Cyrus Field?", "How did Cyrus Field lose his fortune?"}},
		{"a thing takes its pronoun by number", "Which ships laid the first cable, and how much of it did each pay out?", "",
			[]string{"Which ships laid the first cable?", "How much of the first cable did each pay out?"}},
		{"two question words share one clause", "When and where was Cyrus Field born?", "", []string{"When was Cyrus Field born?", "Where was Cyrus Field born?"}},
		{"several sentences", "Who paid for the cable? When did it stop?", "", []string{"Who paid for the cable?", "When did the cable stop?"}},
		{"a lead asks nothing", "I have two questions. Who paid? When did it stop?", "", []string{"Who paid?", "When did it stop?"}},
		{"what was done has no name", "How did New York celebrate, and what did it cost?", "", []string{"How did New York celebrate?", "What did it cost?"}},
		{"in the plural where the things are", "Compare the lengths of the cables of 1858 and 1866", "",
			[]string{"What were the lengths of the cables of 1858?", "What were the lengths of the cables of 1866?"}},
		{"a comparison asks the same of each", "How fast was the cable of 1866 compared with that of 1858 and the best cables of 1900?", "",
			[]string{"How fast was the cable of 1866?", "How fast was the cable of 1858?", "How fast were the best cables of 1900?"}},
		{"that of", "How did the core of the cable of 1858 differ from that of 1865?", "",
			[]string{"What was the core of the cable of 1858?", "What was the core of the cable of 1865?"}},
		{"which was longer", "Which was longer, the cable of 1858 or the cable of 1865?", "", []string{"How long was the cable of 1858?", "How long was the cable of 1865?"}},
		{"each", "What did Thomson and Whitehouse each think a long cable needed?", "",
			[]string{"What did Thomson think a long cable needed?", "What did Whitehouse think a long cable needed?"}},
		{"parts of parts", "Which was longer, the Niagara or the Agamemnon, and who paid for them?", "",
			[]string{"How long was the Niagara?", "How long was the Agamemnon?", "Who paid for the Niagara?"}},
		{"a pronoun that has something", "Who was Victoria, and what was her message?", "", []string{"Who was Victoria?", "What was Victoria's message?"}},
		{"a pronoun that is given something", "Who was Victoria, and who sent her a reply?", "", []string{"Who was Victoria?", "Who sent Victoria a reply?"}},
		{"a pronoun at the end", "Who was Victoria, and who wrote to her?", "", []string{"Who was Victoria?", "Who wrote to Victoria?"}},
		{"a thing that has something", "When was the cable laid, and what was its length?", "", []string{"When was the cable laid?", "What was the cable's length?"}},
		{"things that have something", "How long were the cables, and what was their cost?", "", []string{"How long were the cables?", "What was the cables' cost?"}},
		{"one of several is no antecedent of it", "Which of the ships laid the glass, and who made it?", "", []string{"Which of the ships laid the glass?", "Who made the glass?"}},
		{"a person is a name", "When was the ship of Brunel built, and when did he die?", "", []string{"When was the ship of Brunel built?", "When did Brunel die?"}},
		{"no name, no person", "When was the ship built, and when did he die?", "", []string{"When was the ship built?", "When did he die?"}},
		{"the nearest clause that has a name", "Who was Field, who was Thomson, and when was he born?", "", []string{"Who was Field, who was Thomson?", "When was Thomson born?"}},
		{"an auxiliary behind a comma", "Who was Cyrus Field, and was he rich?", "", []string{"Who was Cyrus Field?", "Was Cyrus Field rich?"}},
		{"an auxiliary without a comma goes on", "Was the cable long and was heavy?", "", []string{"Was the cable long and was heavy?"}},
		{"if so", "Did the cable of 1858 fail, and if so, why did it?", "", []string{"Did the cable of 1858 fail?", "Why did the cable of 1858?"}},
		{"a preposition before the question word", "Who built the ship and for whom did Brunel build?", "", []string{"Who built the ship?", "For whom did Brunel build?"}},
		{"how it is and how many", "How many and which ships sailed?", "", []string{"How many ships sailed?", "Which ships sailed?"}},
		{"which and how many", "Which and how many ships sailed?", "", []string{"Which ships sailed?", "How many ships sailed?"}},
		{"when and how", "When and how was the cable laid?", "", []string{"When was the cable laid?", "How was the cable laid?"}},
		{"a request and a question", "Describe the Great Eastern, and who built her.", "", []string{"Describe the Great Eastern?", "Who built the Great Eastern?"}},
		{"requests that ask nothing are one", "Name the ships. List the crews.", "", []string{"Name the ships. List the crews."}},
		{"a question without its sign", "I have two questions. Who paid for the cable. Was it long.", "", []string{"Who paid for the cable?", "Was the cable long?"}},
		{"the same asked twice is asked once", "Who paid for the cable? WHO paid for the cable?", "", []string{"Who paid for the cable? WHO paid for the cable?"}},
		{"causal: how come", "How come the cable failed?", "", []string{"Is it so that the cable failed?", "How come the cable failed?"}},
		{"causal: explain why", "Explain why the cable failed.", "", []string{"Is it so that the cable failed?", "Explain why the cable failed."}},
		{"causal: why alone", "Why not?", "", []string{"Why not?"}},
		{"causal: whether, then why", "Why did the cable of 1858 fail?", "", []string{"Did the cable of 1858 fail?", "Why did the cable of 1858 fail?"}},
		{"causal: what caused", "What caused the failure of the cable?", "", []string{"What is the failure of the cable?", "What caused the failure of the cable?"}},
		{"causal on another kind", "When did the cable of 1858 stop?", reason.CausalChain, []string{"When did the cable of 1858 stop?", "What led to the cable of 1858?"}},
		{"hierarchical: the parts, then the whole", "Who paid, and who lost?", reason.Hierarchical, []string{"Who paid, and who lost?"}},
		{"hierarchical: what it is done to, then how", "How was raw gutta-percha cleaned for use in cables?", "",
			[]string{"What is raw gutta-percha?", "How was raw gutta-percha cleaned for use in cables?"}},
		{"hierarchical: parts and whole", "When did the cable begin to work and when did it stop?", reason.Hierarchical,
			[]string{"When did the cable begin to work?", "When did the cable stop?", "When did the cable begin to work and when did it stop?"}},
		{"iterative begins with the question", "Who paid, and when did it stop?", reason.Iterative, []string{"Who paid, and when did it stop?"}},
	} {
		p := reason.Split(c.question, c.strategy, reason.Limits{})
		if got := questions(p); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %s\n got %q\nwant %q", c.name, c.question, got, c.want)
		}
	}
}

// A part that leans on others is looked up with their words: "When did it stop?" finds nothing. One that stands alone is not.
func TestWhatIsLookedUpForAPart(t *testing.T) {
	for question, want := range map[string][]string{
		"Who paid for the cable? When did it stop?":                          {"Who paid for the cable?", "When did the cable stop? paid cable"},
		"Who built the Great Eastern, and who paid?":                         {"Who built the Great Eastern?", "Who paid? built Great Eastern"},
		"Who was Cyrus Field, and when was the Great Eastern launched?":      {"Who was Cyrus Field?", "When was the Great Eastern launched?"},
		"How did New York celebrate, and what did it cost?":                  {"How did New York celebrate?", "What did it cost? New York celebrate"},
		"How did New York celebrate, and how long did it take?":              {"How did New York celebrate?", "How long did it take? New York celebrate"},
		"How was the lost cable raised?":                                     {"the lost cable lost cable raised", "How was the lost cable raised?"},
		"What caused the failure of the cable?":                              {"the failure of the cable caused failure cable", "What caused the failure of the cable?"},
		"How come the cable failed?":                                         {"the cable failed?", "How come the cable failed?"},
		"Who said that they and their ships were by the coast but not lost?": {"Who said that they and their ships were by the coast but not lost?"},
	} {
		p := reason.Split(question, "", reason.Limits{})
		var got []string
		for _, x := range p.Parts {
			got = append(got, x.Search)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s\n got %q\nwant %q", question, got, want)
		}
	}
}

func TestEveryPartSaysWhichItIs(t *testing.T) {
	p := reason.Split("Who paid for the cable? When did it stop? Where is it now?", "", reason.Limits{})
	for i, x := range p.Parts {
		if want := fmt.Sprintf("part %d of 3 of the question", i+1); x.Why != want {
			t.Errorf("%q: %q, want %q", x.Question, x.Why, want)
		}
	}
	if len(p.Parts) != 3 || p.Note != "" {
		t.Errorf("%+v", p)
	}
}

func TestParseStrategy(t *testing.T) {
	for _, s := range reason.Strategies() {
		if got, err := reason.ParseStrategy(string(s)); err != nil || got != s {
			t.Errorf("%s: %s %v", s, got, err)
		}
		if p := reason.Split("Why did the cable fail, and who paid?", s, reason.Limits{}); p.Strategy != s {
			t.Errorf("asked for %s, got %s", s, p.Strategy)
		}
	}
	if got, err := reason.ParseStrategy(""); err != nil || got != "" {
		t.Errorf("the choice is left to the question: %q %v", got, err)
	}
	if _, err := reason.ParseStrategy("guess"); !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), "decomposition, iterative, hierarchical, causal") {
		t.Errorf("%v does not say which there are", err)
	}
}

func TestAQuestionThatCannotBeSplitSaysSo(t *testing.T) {
	p := reason.Split("Cable?", reason.Hierarchical, reason.Limits{})
	if len(p.Parts) != 1 || p.Parts[0].Question != "Cable?" || !strings.Contains(p.Note, "can't be taken apart") {
		t.Errorf("%+v", p)
	}
	for _, c := range []struct {
		question string
		strategy reason.Strategy
		says     bool
	}{
		{"How was it?", "", true}, // a kind that has parts
		{"When was the cable laid?", reason.Decomposition, true},
		{"When was the cable laid?", "", false}, // nobody asked for parts
		{"When was the cable laid?", reason.Iterative, false},
	} {
		p := reason.Split(c.question, c.strategy, reason.Limits{})
		if len(p.Parts) != 1 || p.Parts[0].Question != c.question || strings.Contains(p.Note, "can't be taken apart") != c.says {
			t.Errorf("%s, %q: %+v", c.question, c.strategy, p)
		}
	}
}

func TestMorePartsThanStepsAreNamed(t *testing.T) {
	p := reason.Split("Who came? Who left? Who stayed? Who paid?", "", reason.Limits{Steps: 2})
	if len(p.Parts) != 2 || !strings.Contains(p.Note, "4 parts were found, the first 2 are asked") {
		t.Errorf("%+v", p)
	}
	for n, steps := range map[int]int{6: 6, 7: 6} { // six where no number is given
		p := reason.Split(strings.Repeat("Who came to X? ", n), "", reason.Limits{})
		if len(p.Parts) != 1 {
			t.Errorf("the same %d times: %+v", n, p)
		}
		var many string
		for i := range n {
			many += fmt.Sprintf("Who came to Town%d? ", i)
		}
		if p = reason.Split(many, "", reason.Limits{}); len(p.Parts) != steps || (p.Note != "") != (n > steps) {
			t.Errorf("%d questions: %+v", n, p)
		}
	}
}

func TestDepthBoundsHowFarPartsAreTakenApart(t *testing.T) {
	q := "Which was longer, the Niagara or the Agamemnon, and who paid?"
	if got := reason.Split(q, "", reason.Limits{Depth: 1}); len(got.Parts) != 2 {
		t.Errorf("depth 1: %q", questions(got))
	}
	if got := reason.Split(q, "", reason.Limits{Depth: 2}); len(got.Parts) != 3 {
		t.Errorf("depth 2: %q", questions(got))
	}
}

func TestNextAsksForWhatASourceBroughtUp(t *testing.T) {
	said := "William Everett built the machine. Jay Gould is the model's own idea."
	taken := []ibid.Step{{Number: 1, Question: "Who built the brake?", Text: said, Segments: []ibid.Segment{
		{At: ibid.Span{Start: 35, End: len(said)}, Origin: ibid.LLM}, {At: ibid.Span{End: 34}, Origin: ibid.RAG},
	}}}
	next, ok := reason.Next("Who built the brake?", taken)
	if !ok || next.Question != "What is known of William Everett?" {
		t.Errorf("%+v %v", next, ok)
	}
	taken = append(taken, ibid.Step{Number: 2, Question: next.Question, Text: "Everett was an engineer.", Segments: []ibid.Segment{{At: ibid.Span{End: 24}, Origin: ibid.RAG}}})
	if next, ok = reason.Next("Who built the brake?", taken); ok {
		t.Errorf("the chain asks the same again: %+v", next)
	}
}

func TestParsePlanTakesQuestionsAndNothingElse(t *testing.T) {
	question := "Who dismissed Whitehouse, and what did he do afterwards?"
	reply := `Sure! Here is the plan:
1. Who dismissed Whitehouse?
2) **What did Whitehouse do after his dismissal?**
- Who dismissed whitehouse?
3. Whitehouse was dismissed by the directors.
4. What is the capital of France?
5. What did Whitehouse do [CTX 9]?
6. {{rag:Who was Whitehouse?}}
Let me know if you need more!`
	parts, err := reason.ParsePlan(reply, question, reason.Decomposition, reason.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range parts {
		got = append(got, p.Question)
	}
	if want := []string{"Who dismissed Whitehouse?", "What did Whitehouse do after his dismissal?"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q", got)
	}
	for _, nonsense := range []string{"", "I can't help with that.", "lorem ipsum dolor", strings.Repeat("?", 1000), "{\"steps\": []}"} {
		if _, err := reason.ParsePlan(nonsense, question, "", reason.Limits{}); !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("%.20q: %v", nonsense, err)
		}
	}
}

func TestParseNextEndsWhereTheModelRepeatsItself(t *testing.T) {
	taken := []ibid.Step{{Number: 1, Question: "Who paid?"}}
	if p, ok := reason.ParseNext("Next: I think we should ask\n\"Who was Cyrus Field?\"\n", taken); !ok || p.Question != "Who was Cyrus Field?" {
		t.Errorf("%+v %v", p, ok)
	}
	for _, end := range []string{"DONE", "who PAID?", "", "no question here"} {
		if p, ok := reason.ParseNext(end, taken); ok {
			t.Errorf("%q: %+v", end, p)
		}
	}
}

// Whatever is asked, there are parts, no more than allowed, no two the same, and all of them are text.
func FuzzSplit(f *testing.F) {
	for _, q := range []string{"When and where was he born, and why?", "Which is longer, A or B?", "Why?", "How did A differ from that of B and C?", "and and and how", "What did both A and B do?"} {
		for i := range reason.Strategies() {
			f.Add(q, i, 3)
		}
	}
	f.Fuzz(func(t *testing.T, q string, s, steps int) {
		if !utf8.ValidString(q) || strings.TrimSpace(q) == "" || len(q) > 5000 {
			return
		}
		l := reason.Limits{Steps: 1 + abs(steps)%8}
		p := reason.Split(q, reason.Strategies()[abs(s)%4], l)
		if len(p.Parts) == 0 || len(p.Parts) > l.Steps {
			t.Errorf("%d parts of at most %d", len(p.Parts), l.Steps)
		}
		seen := map[string]bool{}
		for _, x := range p.Parts {
			if seen[x.Question] || strings.TrimSpace(x.Question) == "" || strings.TrimSpace(x.Search) == "" || !utf8.ValidString(x.Question) || x.Why == "" || strings.ContainsRune(x.Question, 0) && !strings.ContainsRune(q, 0) {
				t.Errorf("%q gives %+v", q, x)
			}
			seen[x.Question] = true
		}
	})
}

func FuzzParsePlan(f *testing.F) {
	f.Add("1. Who paid for the cable?\n2. When?", "Who paid for the cable?")
	f.Fuzz(func(t *testing.T, reply, q string) {
		parts, err := reason.ParsePlan(reply, q, "", reason.Limits{Steps: 4})
		if err != nil && len(parts) > 0 || err == nil && (len(parts) == 0 || len(parts) > 4) {
			t.Errorf("%d parts, %v", len(parts), err)
		}
		for _, p := range parts {
			if !strings.HasSuffix(p.Question, "?") || len(p.Question) > 400 || strings.Contains(p.Question, "\n") {
				t.Errorf("%q", p.Question)
			}
		}
	})
}

func abs(n int) int {
	if n < 0 {
		return -(n + 1)
	}
	return n
}

func ExampleSplit() {
	plan := reason.Split("Who was Cyrus Field and how did he lose his fortune?", "", reason.Limits{})
	fmt.Println(plan.Kind, plan.Strategy)
	for _, part := range plan.Parts {
		fmt.Println(part.Question)
	}
	// Output:
	// multi-part decomposition
	// Who was Cyrus Field?
	// How did Cyrus Field lose his fortune?
}

func TestResearchAsksAsManyQuestionsAsItsDepthSays(t *testing.T) {
	passage := ibid.Passage{Chunk: ibid.Chunk{Text: "Then William Everett came. William Everett and Cyrus Field spoke."}}
	for _, c := range [][2]int{{3, 5}, {5, 8}, {8, 12}, {12, 15}} {
		for _, topic := range []string{"the Atlantic cable of 1858", "Why did the cable fail, and who paid?", "x", "Cyrus Field"} {
			for _, passages := range [][]ibid.Passage{nil, {passage, passage}} {
				parts := reason.ResearchQuestions(topic, passages, c[0], c[1])
				if n := len(parts); n < c[0] || n > c[1] {
					t.Errorf("%q: %d questions, want %d to %d", topic, n, c[0], c[1])
				}
			}
			for _, reply := range []string{"", "1. What was the Atlantic cable of 1858?\n2. Who paid for the cable?", strings.Repeat("What of the cable of 1858?\n", 50), "no"} {
				if n := len(reason.ParseResearch(reply, topic, nil, c[0], c[1])); n < c[0] || n > c[1] {
					t.Errorf("%q after %.20q: %d questions", topic, reply, n)
				}
			}
		}
	}
}

func TestAStudyAsksAboutItsSubject(t *testing.T) {
	for _, topic := range []string{"history of Atlantic cables", "The history of Atlantic cables", "Atlantic cables"} {
		parts := reason.ResearchQuestions(topic, nil, 3, 5)
		if got := parts[0].Question; !strings.EqualFold(got, "What are Atlantic cables?") {
			t.Errorf("%q: %q", topic, got)
		}
	}
}

// A pasted book is a question too: it is taken apart in time that grows with its length, and into no more parts than asked for.
func TestALongQuestionCostsWhatItIsLong(t *testing.T) {
	for _, unit := range []string{"Who paid for it? ", "who and what did he and she, and when was it, or ", "the cable of the cable of ", "A and B and C, or D compared with "} {
		for _, s := range reason.Strategies() {
			if p := reason.Split(strings.Repeat(unit, 1<<18/len(unit)), s, reason.Limits{}); len(p.Parts) == 0 || len(p.Parts) > 6 {
				t.Errorf("%q, %s: %d parts", unit, s, len(p.Parts))
			}
		}
	}
}
