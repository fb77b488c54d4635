package workflow_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/index"
	"github.com/ibid-dev/ibid/ingest"
	"github.com/ibid-dev/ibid/llm"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/workflow"
)

// From texts to a library, from a question to an answer, and from there to a bibliography.
func ExampleAsker() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "ibid-example-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	store, err := sqlite.Open(ctx, dir)
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()

	text, err := workflow.Given("cable.txt", "The Cable", "https://example.org/cable", "The landing was completed on 5 August 1858. It worked for three weeks.")
	if err != nil {
		log.Fatal(err)
	}
	library := &workflow.Ingester{Library: store, Now: time.Now}
	for outcome := range library.Ingest(ctx, slices.Values([]workflow.Input{text})) {
		if outcome.Err != nil {
			log.Fatal(outcome.Err)
		}
	}

	// English lets questions and sources be in different languages.
	passages, err := index.Open(ctx, filepath.Join(dir, "index"), store, index.Config{English: attribute.English, EnglishName: attribute.EnglishVersion()})
	if err != nil {
		log.Fatal(err)
	}
	defer passages.Close()
	asker := &workflow.Asker{
		Retriever:  passages,
		Model:      llm.Extractive{English: attribute.English},
		Attributor: attribute.New(attribute.Config{}), // with a Judge, as entail.Open gives one, it has a second opinion
		Record:     store,
		Now:        time.Now,
		NewID:      func() ibid.AnswerID { return "a1" },
	}
	var answer ibid.Answer
	for event, err := range asker.Ask(ctx, workflow.Question{Text: "When was the landing completed?"}) {
		if err != nil {
			log.Fatal(err)
		}
		answer = event.Answer // the last event carries it
	}
	for _, s := range answer.Segments {
		fmt.Println(s.Origin, answer.Numbers(s), s.At.In(answer.Text))
	}
	sources, err := workflow.Cited(ctx, answer, store.Source)
	fmt.Println(sources[0].Title(), sources[0].URI, err)
	// Output:
	// RAG [1] The landing was completed on 5 August 1858.
	// The Cable https://example.org/cable <nil>
}

// An answer that was written elsewhere is held against texts of one's own, without a library.
func ExampleAttribute() {
	const uri, text = "https://example.org/cable", "The first transatlantic cable was completed on 5 August 1858."
	source := ibid.Source{ID: ibid.IdentifySource("", uri), URI: uri}
	var passages []ibid.Passage
	for _, c := range ingest.Chunks(ibid.Document{ID: ibid.HashText(text), Text: text}) {
		passages = append(passages, ibid.Passage{Rank: len(passages) + 1, Chunk: c, Source: source})
	}
	answer, err := workflow.Attribute(context.Background(), attribute.New(attribute.Config{}), "The cable was completed on 6 August 1858. Everybody cheered.", passages)
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range answer.Segments {
		fmt.Println(s.Origin, s.At.In(answer.Text))
		for _, c := range s.Contradicted {
			fmt.Println("  ", c.Reason)
		}
	}
	// Output:
	// HYBRID The cable was completed on 6 August 1858.
	//    says "6 August 1858", the source says "5 August 1858"
	// LLM Everybody cheered.
}
