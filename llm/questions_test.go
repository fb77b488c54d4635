package llm

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/ingest"
)

// query is a question of testdata/questions.txt with the sentence that answers it, "" where no document does.
type query struct {
	text, gold string
	also       []string // other sentences that answer it
}

// has reports whether a candidate is a sentence that answers the question, or holds one.
func (q query) has(c candidate) bool {
	same := func(gold string) bool {
		gold = strings.Join(strings.Fields(gold), " ")
		return gold != "" && (strings.Contains(c.text, gold) || len(c.words) > 4 && strings.Contains(gold, c.text))
	}
	return same(q.gold) || slices.ContainsFunc(q.also, same)
}

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
			out = append(out, query{text: text, gold: gold})
		}
		lib.add(title, body)
	}
	lib.open(t)
	return out, lib
}

// TestOurQuestions measures Extractive on our own set: how often the right sentence is the first, or among the first
// three, how often it refuses a question that is answered, and how often it answers one that is not. The floors stand
// slightly under what it reached when they were set.
func TestOurQuestions(t *testing.T) {
	queries, lib := readQuestions(t)
	answerable, one, three, refused, none, invented := 0, 0, 0, 0, 0, 0
	for _, q := range queries {
		answer := Extractive{}.choose(ibid.Prompt{Question: q.text, Passages: lib.retrieve(t, q.text, nil, nil)})
		at := 1 + slices.IndexFunc(answer, q.has)
		switch {
		case q.gold == "":
			none++
			if len(answer) > 0 {
				invented++
				t.Logf("answered %q: %s", q.text, answer[0].text)
			}
			continue
		case len(answer) == 0:
			refused++
			t.Logf("refused %q", q.text)
		case at == 1:
			one++
		default:
			t.Logf("right sentence at %d of %d: %q: %s", at, len(answer), q.text, answer[0].text)
		}
		answerable++
		if at >= 1 && at <= 3 {
			three++
		}
	}
	t.Logf("%d questions with an answer: hit@1 %d, hit@3 %d, refused %d; %d without: answered %d", answerable, one, three, refused, none, invented)
	if one < 92 || three < 97 || refused > 2 || invented > 1 {
		t.Error("worse than it was")
	}
}

// readSample reads the sample library as ingestion does, and its questions, those of several parts as one question each.
func readSample(t testing.TB) ([]query, *library) {
	t.Helper()
	files, err := filepath.Glob("../examples/library/*")
	if err != nil || len(files) == 0 {
		t.Skip("needs the sample library")
	}
	lib := newLibrary()
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := ingest.Read(t.Context(), data, ingest.Hint{Name: filepath.Base(file)})
		if err != nil {
			t.Fatal(err)
		}
		lib.addDocument(doc.Reference.Title(), ibid.Document{Text: doc.Text, Outline: doc.Outline})
	}
	lib.open(t)
	raw, err := os.ReadFile("../examples/questions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var out []query
	for line := range strings.Lines(string(raw)) {
		var row struct {
			Parts []struct {
				Question string
				Evidence []string
			}
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		for _, p := range row.Parts {
			out = append(out, query{text: p.Question, gold: p.Evidence[0], also: p.Evidence[1:]})
		}
	}
	return out, lib
}

// notInSample are questions near the sample library's subject that no document of it answers.
var notInSample = []string{
	"Who invented the telephone?", "When was Brunel born?", "How many passengers sailed on the Titanic?",
	"What colour was the outer coat of the cable?", "When did the Suez Canal open?", "Who discovered radio waves?",
	"How does a communications satellite stay in orbit?", "What is the price of copper today?",
	"How many children did William Thomson have?", "Which language did Samuel Morse speak at home?",
	"Who was prime minister of Canada in 1866?", "What did the crew of the Niagara eat on Sundays?",
	"How heavy is an anchor of the Agamemnon?", "Where was Marconi's first station?", "Why is the sky blue?",
	"What does a ticket to Dublin cost?", "Is gutta-percha poisonous to dogs?", "How do I reset my router?",
}

// TestSampleQuestions measures Extractive on the sample library, where every document speaks of the same things. The
// floors stand slightly under what it reached when they were set.
func TestSampleQuestions(t *testing.T) {
	queries, lib := readSample(t)
	n, one, three, refused := 0, 0, 0, 0
	for _, q := range queries {
		passages := lib.retrieve(t, q.text, nil, nil)
		answer := Extractive{}.choose(ibid.Prompt{Question: q.text, Passages: passages})
		at := 1 + slices.IndexFunc(answer, q.has)
		n++
		switch {
		case len(answer) == 0:
			refused++
			t.Logf("refused %q", q.text)
		case at == 1:
			one++
		default:
			t.Logf("right sentence at %d of %d: %q: %s", at, len(answer), q.text, answer[0].text)
		}
		if at >= 1 && at <= 3 {
			three++
		}
	}
	invented := 0
	for _, question := range notInSample {
		if answer := (Extractive{}).choose(ibid.Prompt{Question: question, Passages: lib.retrieve(t, question, nil, nil)}); len(answer) > 0 {
			invented++
			t.Logf("answered %q: %s", question, answer[0].text)
		}
	}
	t.Logf("%d questions with an answer: hit@1 %d, hit@3 %d, refused %d; %d without: answered %d", n, one, three, refused, len(notInSample), invented)
	if one < 34 || three < 41 || refused > 4 || invented > 4 {
		t.Error("worse than it was")
	}
}
