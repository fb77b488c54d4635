package marker_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/marker"
)

func passagesForPrompt() []ibid.Passage {
	var ps []ibid.Passage
	for i, text := range []string{"The landing was completed on 5 August 1858.", "For three weeks the wire spoke.\n"} {
		p := ibid.Passage{Rank: i + 1, Chunk: ibid.Chunk{Text: text, Page: 3 * i, At: ibid.Anchor{Span: ibid.Span{End: len(text)}}}}
		p.Source.Reference.Set("title", "Work\n "+fmt.Sprint(i+1))
		ps = append(ps, p)
	}
	return ps
}

func TestPromptListsEveryPassageByItsNumber(t *testing.T) {
	got := marker.Prompt(passagesForPrompt())
	for _, want := range []string{"{{rag:", "{{llm:", "{{hybrid:", "\n[CTX 1] Work 1\nThe landing was completed on 5 August 1858.\n", "\n[CTX 2] Work 2 · p. 3\nFor three weeks the wire spoke.\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if got := marker.Prompt(nil); !strings.Contains(got, "no passages") {
		t.Errorf("without passages it says\n%s", got)
	}
}

// What the prompt shows as an example is what the parser reads.
func TestPromptAndParserAgree(t *testing.T) {
	_, example, ok := strings.Cut(marker.Prompt(passagesForPrompt()), "Example: ")
	if !ok {
		t.Fatal("the prompt gives no example")
	}
	example, _, _ = strings.Cut(example, "\n")
	out := marker.Parse(example, marker.Config{Passages: 2})
	if got, want := show(out), `RAG "The first cable was completed on 5 August 1858."[1] LLM "It was a sensation in both countries."`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func ExampleParse() {
	out := marker.Parse("{{rag:Java records are immutable[CTX 1]}} {{llm:similar to Kotlin data classes}}", marker.Config{Passages: 1})
	fmt.Println(out.Text)
	for _, m := range out.Marks {
		fmt.Println(m.Origin, m.Refs, m.At.In(out.Text))
	}
	// Output:
	// Java records are immutable similar to Kotlin data classes
	// RAG [1] Java records are immutable
	// LLM [] similar to Kotlin data classes
}

func ExampleScanner() {
	s := marker.NewScanner(marker.Config{Passages: 2})
	for _, delta := range []string{"The cable fai", "led [CT", "X 2]", ". It was men", "ded."} {
		fmt.Printf("%q\n", s.Write(delta).Text)
	}
	fmt.Printf("%q\n", s.Close().Text)
	// Output:
	// "The cable fai"
	// "led"
	// ""
	// ". It was men"
	// "ded."
	// ""
}

func ExampleSegmenter() {
	s := marker.NewSegmenter(marker.Config{Passages: 2})
	for _, delta := range []string{"The cable failed [CT", "X 2]. It was ", "mended [9]. So it goes"} {
		for _, d := range s.Write(delta).Drafts {
			fmt.Println(d.Text, d.Claimed.Refs, d.Claimed.Dangling)
		}
	}
	for _, d := range s.Close().Drafts {
		fmt.Println(d.Text)
	}
	// Output:
	// The cable failed. [2] []
	// It was mended. [] [9]
	// So it goes
}
