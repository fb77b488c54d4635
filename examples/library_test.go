// Package examples_test holds the sample library to what its README promises.
package examples_test

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid/ingest"
	"github.com/ibid-dev/ibid/text"
)

type question struct {
	ID       string `json:"id"`
	Question string `json:"question"`
	Kind     string `json:"kind"`
	Parts    []part `json:"parts"`
}

// part is a question of its own, with the sentences that answer it.
type part struct {
	Question  string   `json:"question"`
	Documents []string `json:"documents"`
	Evidence  []string `json:"evidence"`
}

func library(t *testing.T) map[string]ingest.Result {
	t.Helper()
	files, err := filepath.Glob("library/*")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]ingest.Result{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > 200_000 {
			t.Errorf("%s: %d bytes, which is more than a sample should have", file, len(data))
		}
		name := filepath.Base(file)
		if out[name], err = ingest.Read(context.Background(), data, ingest.Hint{Name: name}); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	return out
}

func TestLibrary(t *testing.T) {
	formats := map[string]int{}
	for name, doc := range library(t) {
		formats[doc.MediaType]++
		if doc.Reference.Title() == "" {
			t.Errorf("%s: without a title", name)
		}
		if n := len(strings.Fields(doc.Text)); n < 300 || n > 1500 {
			t.Errorf("%s: %d words", name, n)
		}
		for _, clutter := range []string{"Subscribe", "Donate", "Sign in", "Become a member", "Advertisement", "Skip to content"} {
			if strings.Contains(doc.Text, clutter) {
				t.Errorf("%s: the text holds %q of the page around it", name, clutter)
			}
		}
	}
	for _, format := range []string{ingest.PlainText, ingest.Markdown, ingest.HTML, ingest.PDF, ingest.DOCX} {
		if formats[format] < 2 {
			t.Errorf("%d documents of %s, want two or more", formats[format], format)
		}
	}
}

// TestQuestions holds that each piece of gold evidence is a whole sentence of its document.
func TestQuestions(t *testing.T) {
	docs := library(t)
	sentences := map[string]map[string]bool{}
	for name, doc := range docs {
		sentences[name] = map[string]bool{}
		for _, p := range text.Pieces(doc.Text) {
			sentences[name][p.At.In(doc.Text)] = true
		}
	}
	for _, file := range []string{"questions.jsonl", "think-questions.jsonl"} {
		questionsHold(t, file, sentences)
	}
}

func questionsHold(t *testing.T, file string, sentences map[string]map[string]bool) {
	kinds := map[string]int{}
	several := 0
	for _, q := range questions(t, file) {
		kinds[q.Kind]++
		if len(q.Parts) > 1 {
			several++
		}
		for _, p := range q.Parts {
			if p.Question == "" || len(p.Documents) == 0 || len(p.Evidence) == 0 {
				t.Errorf("%s: a part without question, document or evidence", q.ID)
			}
			for _, evidence := range p.Evidence {
				if !in(sentences, p.Documents, evidence) {
					t.Errorf("%s: %q is no sentence of %v", q.ID, evidence, p.Documents)
				}
			}
		}
	}
	for _, kind := range []string{"single", "multi", "comparison", "causal", "procedural"} {
		if kinds[kind] == 0 {
			t.Errorf("no question of the kind %s", kind)
		}
	}
	if len(kinds) != 5 || several < 12 {
		t.Errorf("kinds %v, and %d questions of several parts", kinds, several)
	}
}

func in(sentences map[string]map[string]bool, documents []string, evidence string) bool {
	for _, d := range documents {
		if sentences[d][evidence] {
			return true
		}
	}
	return false
}

func questions(t *testing.T, file string) []question {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []question
	seen := map[string]bool{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			t.Fatalf("line %d: %v", len(out)+1, err)
		}
		if q.ID == "" || seen[q.ID] {
			t.Errorf("line %d: id %q is empty or used before", len(out)+1, q.ID)
		}
		seen[q.ID] = true
		out = append(out, q)
	}
	if len(out) != 40 {
		t.Errorf("%d questions, want 40", len(out))
	}
	return out
}
