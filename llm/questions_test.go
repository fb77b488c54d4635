package llm

import (
	"os"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
)

// query is a question of testdata/questions.txt with the sentence that answers it, "" where no document does.
type query struct{ text, gold string }

// readQuestions reads our own set: documents of our own writing on varied subjects, each with its questions. A paragraph
// is a chunk; all documents are one library, so every question has the others' passages as distractors.
func readQuestions(t testing.TB) ([]query, *library) {
	t.Helper()
	raw, err := os.ReadFile("testdata/questions.txt")
	if err != nil {
		t.Fatal(err)
	}
	lib := &library{texts: map[ibid.DocumentID]string{}, titles: map[ibid.DocumentID]string{}, df: map[string]int{}}
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
		lib.addParagraphs(title, body)
	}
	lib.count()
	return out, lib
}

func (l *library) addParagraphs(title, body string) {
	id := ibid.HashText(body)
	l.texts[id], l.titles[id] = body, title
	source := ibid.Source{ID: ibid.SourceID(id[:16]), URI: "file:///" + string(id[:8])}
	source.Reference.Set("title", title)
	at := 0
	for n, para := range strings.SplitAfter(body, "\n\n") {
		span := ibid.Span{Start: at, End: at + len(strings.TrimRight(para, "\n"))}
		at += len(para)
		c := ibid.Chunk{At: ibid.Anchor{Document: id, Span: span}, Ordinal: n, Text: span.In(body)}
		if head, _, ok := strings.Cut(c.Text, "\n"); ok && strings.HasPrefix(head, "## ") {
			c.Heading = []string{strings.TrimPrefix(head, "## ")}
		}
		l.chunks = append(l.chunks, ibid.Passage{Source: source, Chunk: c})
	}
}

// TestOurQuestions measures the answerer on our own set. The floors stand slightly under what it reached when they were
// set.
func TestOurQuestions(t *testing.T) {
	queries, lib := readQuestions(t)
	answerable, one, three, refused, none, invented := 0, 0, 0, 0, 0, 0
	for _, q := range queries {
		passages := lib.retrieve(q.text, 8, nil)
		answer := Extractive{}.choose(ibid.Prompt{Question: q.text, Passages: passages})
		if q.gold == "" {
			none++
			if len(answer) > 0 {
				invented++
				t.Logf("ANSWERED %.2f %s: %s", answer[0].score, q.text, answer[0].text)
			}
			continue
		}
		answerable++
		if len(answer) == 0 {
			refused++
			all := Extractive{}.rated(ibid.Prompt{Question: q.text, Passages: passages})
			t.Logf("REFUSED %.2f %s: %s", all[0].score, q.text, all[0].text)
			continue
		}
		at := 0
		for i, c := range answer {
			if c.text == q.gold && at == 0 {
				at = i + 1
			}
		}
		if at == 1 {
			one++
		} else {
			t.Logf("MISSED (gold at %d) %s: %.2f %s", at, q.text, answer[0].score, answer[0].text)
		}
		if at >= 1 && at <= 3 {
			three++
		}
	}
	t.Logf("our questions: %d answerable: hit@1 %d, hit@3 %d, refused %d; %d unanswerable: answered %d", answerable, one, three, refused, none, invented)
}
