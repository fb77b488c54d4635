package workflow_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/index"
	"github.com/ibid-dev/ibid/llm"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/workflow"
)

const sample = "../examples/library"

// sampleAsker is the whole of Ibid over the sample library, without a language model.
func sampleAsker(t *testing.T) (*workflow.Asker, *sqlite.Store) {
	t.Helper()
	return sampleAskerOn(t, func(*sqlite.Store) {})
}

// sampleAskerOn is sampleAsker on a store that is made ready before anything is in it.
func sampleAskerOn(t *testing.T, ready func(*sqlite.Store)) (*workflow.Asker, *sqlite.Store) {
	t.Helper()
	dir := t.TempDir()
	store, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	ready(store)
	files, err := os.ReadDir(sample)
	if err != nil {
		t.Fatal(err)
	}
	inputs := func(yield func(workflow.Input) bool) {
		for _, f := range files {
			if !yield(workflow.Input{URI: "file:///" + f.Name(), Name: f.Name(), Open: func(context.Context) (workflow.Content, error) {
				file, err := os.Open(filepath.Join(sample, f.Name()))
				return workflow.Content{Body: file}, err
			}}) {
				return
			}
		}
	}
	in := &workflow.Ingester{Library: store, Now: time.Now}
	for out := range in.Ingest(t.Context(), inputs) {
		if out.Err != nil {
			t.Fatalf("%s: %v", out.Input.Name, out.Err)
		}
	}
	ix, err := index.Open(t.Context(), filepath.Join(dir, "index"), store, index.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	id := 0
	return &workflow.Asker{Retriever: ix, Model: llm.Extractive{}, Attributor: attribute.New(attribute.Config{Claims: attribute.IsClaim}), Record: store,
		Now: time.Now, NewID: func() ibid.AnswerID { id++; return ibid.AnswerID(fmt.Sprintf("%016x", id)) }}, store
}

type goldQuestion struct {
	ID, Question, Kind string
	Parts              []struct {
		Question            string
		Documents, Evidence []string
	}
}

// TestSampleLibraryAnswers asks every part of every question of examples/questions.jsonl and prints how often the gold
// document is cited and the gold sentence stands among the first three. The floors are a little under what was reached.
func TestSampleLibraryAnswers(t *testing.T) {
	asker, _ := sampleAsker(t)
	f, err := os.Open("../examples/questions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var asked, document, first, among, said int
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var q goldQuestion
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		for _, p := range q.Parts {
			a := answered(t, asker, p.Question)
			asked++
			said += len(a.Segments)
			if slices.ContainsFunc(a.Citations, func(c ibid.Citation) bool { return slices.Contains(p.Documents, nameOf(a, c.Source)) }) {
				document++
			}
			at := rankOf(a, p.Evidence)
			if at == 0 {
				first++
			}
			if at >= 0 && at < 3 {
				among++
			} else {
				t.Logf("missed (%d): %s\n  want %s: %q\n  got %q", at, p.Question, p.Documents, p.Evidence, a.Text)
			}
		}
	}
	t.Logf("%d questions: gold document cited %.2f, gold sentence first %.2f, among the first three %.2f; %.1f sentences an answer",
		asked, share(document, asked), share(first, asked), share(among, asked), share(said, asked))
	if share(document, asked) < 0.80 || share(among, asked) < 0.70 {
		t.Error("the share fell")
	}
}

func answered(t *testing.T, asker *workflow.Asker, question string) ibid.Answer {
	t.Helper()
	var a ibid.Answer
	for e, err := range asker.Ask(t.Context(), workflow.Question{Text: question}) {
		if err != nil {
			t.Fatalf("%s: %v", question, err)
		}
		a = e.Answer
	}
	return a
}

// rankOf is the place of the first segment that is one of the sentences, -1 where there is none.
func rankOf(a ibid.Answer, sentences []string) int {
	flat := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	for i, s := range a.Segments {
		said := flat(s.At.In(a.Text))
		for _, want := range sentences {
			if w := flat(want); strings.Contains(said, w) || strings.Contains(w, said) && len(said) > len(w)/2 {
				return i
			}
		}
	}
	return -1
}

func nameOf(a ibid.Answer, id ibid.SourceID) string {
	for _, p := range a.Passages {
		if p.Source.ID == id {
			return p.Source.Name()
		}
	}
	return ""
}

func share(n, of int) float64 { return float64(n) / float64(of) }
