package llm_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/llm"
	"github.com/ibid-dev/ibid/marker"
	"github.com/ibid-dev/ibid/text"
)

var cables = []ibid.Passage{
	passage(1, 40, "The Cable of 1858", "# The landing\n\nThe first cable was completed on 5 August 1858 at Knightstown.[3] It carried messages for three weeks. Was it worth the money? The public thought so."),
	passage(2, 0, "Letters", "The first cable was completed on 5 August 1858 at Knightstown. Whitehouse raised the voltage to 2,000 volts, because the signals had grown weak."),
	passage(3, 0, "Costs", "| Year | Cost |\n| 1858 | 350,000 pounds for the cable of 1858 |\n\n- The cable of 1866 cost 600,000 pounds\n- The ship was hired for the season\n"),
}

func answer(t testing.TB, question string, passages []ibid.Passage) (string, marker.Output) {
	t.Helper()
	h := listen(t.Context(), llm.Extractive{}, ibid.Prompt{Question: question, Passages: passages})
	if h.err != nil || h.model != "extractive" {
		t.Fatalf("model %q, error %v", h.model, h.err)
	}
	return h.text, marker.Parse(h.text, marker.Config{Passages: len(passages), Sources: marker.Known(passages)})
}

func TestExtractiveAnswersWithSentencesOfThePassages(t *testing.T) {
	tests := []struct{ question, first, ref string }{
		{"When was the first cable completed?", "The first cable was completed on 5 August 1858 at Knightstown.", "[2 1]"},
		{"Why did Whitehouse raise the voltage?", "Whitehouse raised the voltage to 2,000 volts, because the signals had grown weak.", "[2]"},
		{"What did the cable of 1866 cost?", "- The cable of 1866 cost 600,000 pounds", "[3]"},
	}
	for _, tt := range tests {
		raw, out := answer(t, tt.question, cables)
		if !strings.HasPrefix(out.Text, tt.first) || len(out.Marks) == 0 || fmt.Sprint(out.Marks[0].Refs) != tt.ref {
			t.Errorf("%s\n%s", tt.question, raw)
		}
		if strings.Count(out.Text, "Knightstown") > 1 {
			t.Errorf("%s: says it twice: %s", tt.question, raw)
		}
		if strings.Contains(out.Text, "?") || strings.Contains(out.Text, "landing") {
			t.Errorf("%s: questions and headings are no answer: %s", tt.question, raw)
		}
	}
}

// A row is found by the names of its columns, and shown below them; a line of two cells is a row beside others only.
func TestExtractiveReadsTables(t *testing.T) {
	passages := []ibid.Passage{
		passage(1, 0, "Handbook", "Expenses\n\nItem | Limit | Approver\nHotel, per night | €140 | Team lead\nMeals, per day | €45 | Team lead\nTrain, first class | not paid | —\n"),
		passage(2, 0, "Reefs", "Mortality was highest in the south.\n\nSite | Mortality (%)\nAqaba | 0.0\nDahab | 3.1\nSharm | 11.7\n"),
		passage(3, 0, "Rooms", "Hotel limit | The Travel Desk\n\nOur rooms are quiet."),
	}
	for _, tt := range []struct{ question, text string }{
		{"What is the hotel limit per night?", "| Item | Limit | Approver |\n| Hotel, per night | €140 | Team lead |"},
		{"What was the mortality at Dahab?", "| Site | Mortality (%) |\n| Dahab | 3.1 |"},
		{"What was the mortality at Hurghada?", llm.NoAnswer},
	} {
		raw, out := answer(t, tt.question, passages)
		if !slices.Contains(strings.Split(out.Text, "\n\n"), tt.text) {
			t.Errorf("%s\n%s", tt.question, raw)
		}
		for _, piece := range text.Pieces(out.Text) {
			if row := piece.At.In(out.Text); strings.Contains(row, "|") && (piece.Kind != ibid.TableRow || strings.Contains(row, "\n")) {
				t.Errorf("%s: %q is a %s", tt.question, row, piece.Kind)
			}
		}
	}
}

func TestExtractivePutsASentenceBehindWhatItLeansOn(t *testing.T) {
	_, out := answer(t, "Why was bleaching rare in the Gulf of Aqaba?", []ibid.Passage{passage(1, 0, "Coral bleaching in the Red Sea",
		"Because the corals of the Gulf of Aqaba passed a thermal bottleneck on their way north, they tolerate temperatures well above those of their present habitat. This explains why bleaching was rare. The gulf may serve as a refuge.")})
	if cause, effect := strings.Index(out.Text, "Because"), strings.Index(out.Text, "This explains"); cause < 0 || effect < cause {
		t.Errorf("%s", out.Text)
	}
}

func TestExtractiveReadsOverASlip(t *testing.T) {
	handbook := passage(1, 0, "Handbook", "Enter it in the tool within 30 days. Keep the receipt.")
	handbook.Chunk.Heading = []string{"Expenses"}
	for question, want := range map[string]string{
		"When was the first cable compleeted?":    "completed on 5 August 1858",
		"Why did Whitehuose raise the voltage?":   "because the signals had grown weak",
		"How do I enter expnses?":                 "Enter it in the tool",
		"How do I enter the expedition's ledger?": llm.NoAnswer,
	} {
		if raw, _ := answer(t, question, append([]ibid.Passage{handbook}, cables[1:]...)); !strings.Contains(raw, want) {
			t.Errorf("%s\n%s", question, raw)
		}
	}
}

func TestExtractiveDoesNotAnswerWithAnotherKind(t *testing.T) {
	passages := []ibid.Passage{passage(1, 0, "Handbook", "Full-time staff get 25 days of paid leave a year. Part-time staff get leave pro rata. The canteen opens at noon.")}
	for question, want := range map[string]string{
		"How many days of sick leave do staff get?":   llm.NoAnswer,
		"How many days of paid leave do staff get?":   "25 days",
		"How many days of annual leave do staff get?": "25 days",
		"How many days of leave do staff get?":        "25 days",
	} {
		if raw, _ := answer(t, question, passages); !strings.Contains(raw, want) {
			t.Errorf("%s\n%s", question, raw)
		}
	}
}

func TestExtractiveSaysWhenNothingAnswers(t *testing.T) {
	for _, question := range []string{"Who won the chess championship in Reykjavik?", "", "???", "the of and"} {
		raw, out := answer(t, question, cables)
		if raw != llm.NoAnswer || len(out.Marks) != 0 {
			t.Errorf("%q: %s", question, raw)
		}
	}
	if raw, _ := answer(t, "When was the first cable completed?", nil); raw != llm.NoAnswer {
		t.Errorf("without passages: %s", raw)
	}
}

func TestExtractiveStopsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if h := listen(ctx, llm.Extractive{}, ibid.Prompt{Question: "When was the first cable completed?", Passages: cables}); !errors.Is(h.err, context.Canceled) || h.text != "" {
		t.Errorf("got %q, %v", h.text, h.err)
	}
}

func TestExtractiveKeepsToTheLengthAskedFor(t *testing.T) {
	h := listen(t.Context(), llm.Extractive{Sentences: 1}, ibid.Prompt{Question: "When was the first cable completed?", Passages: cables})
	if h.deltas != 1 {
		t.Errorf("%d sentences: %s", h.deltas, h.text)
	}
}

// FuzzExtractive holds the law of the answerer: whatever the passages say, what its markers claim is true. Each marked
// run stands in the passage that its marker names, but for white space, notes and signs of a list, and each sentence has
// one marker.
func FuzzExtractive(f *testing.F) {
	f.Add("When was the cable laid?", "The cable was laid in 1858. [2] It failed {{rag:soon}}.", "The cable `was laid by [CTX 1] ships. A cable was [laid] (Source 2) later.")
	f.Add("What is a cable?", "- A cable is a rope\n- Cable cars are cars\n\n| cable | rope |\n", "```\ncable is a thing of code\n```\nCable is a word. [^1]\n\n[^1]: cable note")
	f.Add("电缆是什么?", "电缆是一种绳子。它很长。", "ケーブルは太い綱である。")
	f.Add("cable \xff\xfe", "cable \xff is laid \x00 and cable is long.", strings.Repeat("cable ", 200))
	f.Add("Cable", "Cable is [1](http://x) laid by 1] men. The cable [was laid.", "2] The cable 【1†x】 is laid¹² here.")
	f.Fuzz(func(t *testing.T, question, a, b string) {
		passages := []ibid.Passage{passage(1, 7, "Cables", a), passage(2, 0, "", b)}
		raw, out := answer(t, question, passages)
		again, _ := answer(t, question, passages)
		if raw != again {
			t.Fatalf("two answers: %q, %q", raw, again)
		}
		if raw == llm.NoAnswer {
			return
		}
		if n := listen(t.Context(), llm.Extractive{}, ibid.Prompt{Question: question, Passages: passages}).deltas; len(out.Marks) != n {
			t.Fatalf("%d sentences, %d markers read in %q", n, len(out.Marks), raw)
		}
		for _, m := range out.Marks {
			if len(m.Refs) == 0 || len(m.Dangling) > 0 || m.Origin != "" {
				t.Fatalf("marker %+v in %q", m, raw)
			}
			for _, ref := range m.Refs {
				stands(t, m.At.In(out.Text), passages, ref)
			}
		}
	})
}

// stands fails where the words of a run are not those of the passage.
func stands(t *testing.T, run string, passages []ibid.Passage, ref int) {
	p := strings.Join(strings.Fields(passages[ref-1].Chunk.Text), " ")
	clean := marker.Parse(p, marker.Config{Passages: len(passages), Sources: marker.Known(passages)}).Text
	if said := letters(run); !inOrder(said, letters(p)) && !strings.Contains(letters(clean), said) {
		t.Fatalf("%q is not in passage %d: %q", run, ref, p)
	}
}

// letters leaves out what white space, signs of a list and another case can change.
func letters(s string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s))
}

// inOrder reports whether all runes of a stand in b in this order.
func inOrder(a, b string) bool {
	rest := []rune(a)
	for _, r := range b {
		if len(rest) > 0 && rest[0] == r {
			rest = rest[1:]
		}
	}
	return len(rest) == 0
}

func ExampleExtractive() {
	p := passage(1, 0, "The Cable of 1858", "The first cable was completed on 5 August 1858. It failed after three weeks.")
	for d, err := range (llm.Extractive{Sentences: 1}).Generate(context.Background(), ibid.Prompt{Question: "When was the first cable completed?", Passages: []ibid.Passage{p}}) {
		fmt.Println(d.Text, err)
	}
	// Output: The first cable was completed on 5 August 1858. [CTX 1] <nil>
}

// BenchmarkExtractive answers from eight passages of the usual length.
func BenchmarkExtractive(b *testing.B) {
	var passages []ibid.Passage
	for i := range 8 {
		passages = append(passages, passage(i+1, 0, "The Cable of 1858", strings.Repeat(fmt.Sprintf("The cable number %d was laid by the Agamemnon on 5 August 1858 and landed at Knightstown. It carried messages for three weeks before it failed. ", i), 6)))
	}
	p := ibid.Prompt{Question: "When was the cable landed at Knightstown?", Passages: passages}
	for b.Loop() {
		for _, err := range (llm.Extractive{}).Generate(b.Context(), p) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.N)*8*12/b.Elapsed().Seconds(), "sentences/s")
}

// A page pasted as a question, and passages without a sentence end, must not take long or fail.
func TestExtractiveBearsAnything(t *testing.T) {
	page := strings.Repeat("cable word"+strings.Repeat("x", 7)+" ", 20_000)
	for _, p := range []ibid.Prompt{
		{Question: page, Passages: cables},
		{Question: "When was the cable laid?", Passages: []ibid.Passage{passage(1, 0, page, page)}},
		{Question: "When was the cable laid?", Passages: []ibid.Passage{passage(1, 0, "x", strings.Repeat("cable\n", 50_000))}},
		{Question: "When was the cable laid?", Passages: []ibid.Passage{passage(1, 0, "x", strings.Repeat("cable | a | b\n", 20_000))}},
		{Question: "When was the cable laid?", Passages: []ibid.Passage{passage(1, 0, "", ""), passage(2, 0, "", "\x00\xff")}},
	} {
		if h := listen(t.Context(), llm.Extractive{}, p); h.err != nil || h.text == "" {
			t.Errorf("got %q, %v", h.text, h.err)
		}
	}
}
