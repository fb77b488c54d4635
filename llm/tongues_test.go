package llm

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/index"
)

// inEnglish are questions about the first or the fifth case of a language, in English.
var inEnglish = map[string]string{
	"de-01": "How do I get a resident parking permit and what does it cost?",
	"es-01": "How do young people apply for help with the rent, and how much is it?",
	"fr-01": "How do I register my child for the school canteen, and what does a meal cost?",
	"it-01": "Who can ask for the transport bonus of the municipality?",
	"nl-05": "Is the tent suitable for a family with two children who go camping in May?",
	"pl-05": "What does the report say about remote work in companies?",
	"pt-01": "What discount on water do poor families get?",
	"ru-05": "What did the study of children's reading show?",
	"sv-05": "How do screens affect the sleep of teenagers?",
	"tr-05": "Do high school students eat breakfast?",
	"ja-05": "What are the results of the survey on working at home?",
	"zh-05": "What did the survey of students find about short sight?",
}

// Passages in twelve languages answer questions in their own and in English. This prints, of 120 questions with three passages each among all 360, how many of the first three that
// are found are theirs, with and without words in English, and fails where these do not help.
func TestQuestionsInOtherLanguages(t *testing.T) {
	type asked struct {
		id, text string
		docs     []ibid.DocumentID
	}
	var questions []asked
	l := newLibrary()
	files, err := filepath.Glob("../eval/testdata/tongues/*.jsonl.gz")
	if err != nil || len(files) != 12 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		for d := json.NewDecoder(z); ; {
			var c struct {
				ID, Question string
				Sources      []struct{ Title, Text string }
			}
			if err := d.Decode(&c); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			q := asked{id: c.ID, text: c.Question}
			for _, s := range c.Sources {
				q.docs = append(q.docs, l.add(s.Title, s.Text))
			}
			questions = append(questions, q)
		}
	}
	found := func(text string, docs []ibid.DocumentID) (n int) {
		for i, p := range l.retrieve(t, text, nil, nil) {
			if i < 3 && slices.Contains(docs, p.Chunk.At.Document) {
				n++
			}
		}
		return n
	}
	var own, across [2]int
	for k, c := range []index.Config{{}, {English: attribute.English, EnglishName: "lists"}} {
		l.openWith(t, c)
		for _, q := range questions {
			own[k] += found(q.text, q.docs)
			if e := inEnglish[q.id]; e != "" {
				across[k] += found(e, q.docs)
			}
		}
	}
	t.Logf("in their own language %d of %d without English, %d with it; by questions in English %d and %d of %d", own[0], 3*len(questions), own[1], across[0], across[1], 3*len(inEnglish))
	if own[1] <= own[0] || across[1] < 3*across[0] {
		t.Error("words in English do not help")
	}
}
