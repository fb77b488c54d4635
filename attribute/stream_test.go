package attribute_test

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/internal/testdata"
	"github.com/ibid-dev/ibid/marker"
)

// streamed are answers in all the forms that stream: markers, lists, tables, code, footnotes, other scripts.
var streamed = []string{
	"The first cable was completed on 5 August 1858 [CTX 1]. It carried messages for about three weeks before it failed.[CTX 2] Whitehouse's high voltage is usually blamed.",
	"{{rag:The first cable was completed on 5 August 1858[CTX 1].}} {{llm:It was a sensation.}} {{hybrid:The Queen sent 98 words, which took sixteen hours[CTX 1, 9]}}.",
	"{{rag:The cable failed after three weeks. Nobody knew why. [CTX 2]}}\n\nIs that certain? I hope this helps!",
	"## The cable\n\n- Completed on 5 August 1858 [1]\n- Failed after three weeks [2][3]\n\n1. First item\n2. Second item with `code [1]` in it",
	"| Year | Event |\n|---|---|\n| 1858 | First cable completed [1] |\n| 1866 | Great Eastern |\n\nThe table ends here.",
	"Use this:\n\n```go\nx := a[1] // {{rag:no}}\n```\n\nThe council did not approve it (Source 2). See [the letters](https://example.org/letters).",
	"Dr. Smith of the U.S. Army wrote, e.g. in 1858, that it failed.¹ ² He was right.[^1] Was he?\n\n[^1]: https://example.org/letters",
	"Das Kabel wurde am 5. August 1858 fertig 【1】. Es fiel nach drei Wochen aus. 第一条电缆于1858年完成[1]。它很快失败了。",
	"An unclosed {{rag:marker stays text. It does so even here.\n\nA new paragraph [CTX 1].",
	"It cost $350,000.50 at 3.5 % interest... or so they said! “It failed,” he wrote. ‘Twice.’ (See p. 3.) The end",
	"مرحبا بالعالم [1]. هذا نص. \u200bZero\u200bwidth\u202e text\u202c [2]. 𝔘nicode 👩‍👩‍👧 works.",
	"", " \n\n ", "[CTX 1]", "{{rag:", "One word", "...", "a. b. c. d.",
}

var streamSources = []string{
	"The landing at Knightstown was completed on 5 August 1858, and the first cable joined Ireland and Newfoundland. The Queen sent a message of 98 words, which took sixteen hours.",
	"For three weeks the cable carried messages, then it failed and was silent. It had not been approved by the council. Whitehouse had applied two thousand volts.",
	"The Great Eastern laid a second cable in 1866.",
}

func streamPassages() []ibid.Passage {
	var ps []ibid.Passage
	for i, s := range streamSources {
		p := ibid.Passage{Rank: i + 1, Chunk: ibid.Chunk{Text: s, At: ibid.Anchor{Document: ibid.HashText(s), Span: ibid.Span{End: len(s)}}}}
		p.Source = ibid.Source{ID: ibid.SourceID(fmt.Sprint(i)), URI: []string{"https://example.org/cable", "https://example.org/letters", "file:///eastern.txt"}[i]}
		ps = append(ps, p)
	}
	return ps
}

// stream runs an answer through the whole pipeline, cut at the given places. seen is told of every finding and of how much
// clean text had come when it was given.
func stream(t *testing.T, engine ibid.Attributor, passages []ibid.Passage, answer string, cuts []int, seen func(f ibid.Finding, clean int)) (string, []ibid.Finding) {
	t.Helper()
	var text strings.Builder
	drafts := func(yield func(ibid.Draft, error) bool) {
		s := marker.NewSegmenter(marker.Config{Passages: len(passages), Sources: marker.Known(passages)})
		give := func(o marker.Segmented) bool {
			text.WriteString(o.Text)
			for _, d := range o.Drafts {
				if !yield(d, nil) {
					return false
				}
			}
			return true
		}
		from := 0
		for _, to := range append(cuts[:len(cuts):len(cuts)], len(answer)) {
			if !give(s.Write(answer[from:to])) {
				return
			}
			from = to
		}
		give(s.Close())
	}
	var out []ibid.Finding
	for f, err := range engine.Attribute(context.Background(), passages, iter.Seq2[ibid.Draft, error](drafts)) {
		if err != nil {
			t.Fatal(err)
		}
		if seen != nil {
			seen(f, text.Len())
		}
		out = append(out, f)
	}
	return text.String(), out
}

func randomCuts(rng *rand.Rand, n int) []int {
	var cuts []int
	mean := 1 + rng.IntN(40)
	for at := rng.IntN(mean + 1); at < n; at += 1 + rng.IntN(2*mean) {
		cuts = append(cuts, at)
	}
	return cuts
}

// However an answer is cut, also within a character, the findings are the same to the byte.
func TestAnyCutGivesTheSameFindings(t *testing.T) {
	const all = 10_000
	engine := attribute.New(attribute.Config{Claims: attribute.IsClaim})
	passages := streamPassages()
	rng := rand.New(rand.NewPCG(5, 8))
	done, segments := 0, 0
	for i, answer := range streamed {
		text, want := stream(t, engine, passages, answer, nil, nil)
		for range all/len(streamed) + 1 {
			cuts := randomCuts(rng, len(answer))
			gotText, got := stream(t, engine, passages, answer, cuts, nil)
			if gotText != text || !reflect.DeepEqual(got, want) {
				t.Fatalf("answer %d cut at %v:\n got %+v\nwant %+v", i, cuts, got, want)
			}
			done++
			segments += len(got)
		}
	}
	t.Logf("%d cuts of %d answers, %d segments", done, len(streamed), segments)
	if done < all {
		t.Errorf("%d cuts, want %d", done, all)
	}
}

// A segment is given before the sentence after it ends. The test counts those that are not; text that a marker held back
// and gave out at once counts as come when it was given.
func TestSegmentsComeBeforeTheNextSentenceEnds(t *testing.T) {
	engine := attribute.New(attribute.Config{Claims: attribute.IsClaim})
	passages := streamPassages()
	answers := streamed
	answers = append(answers[:len(answers):len(answers)], dataAnswers(t)...)
	segments, late := 0, 0
	for _, answer := range answers {
		// Each piece of clean text comes in a write of its own, so that "had come" is exact.
		var at []int // how much text had come when segment i was given
		_, findings := stream(t, engine, passages, answer, everyPlace(answer), func(_ ibid.Finding, clean int) { at = append(at, clean) })
		if _, want := stream(t, engine, passages, answer, nil, nil); !reflect.DeepEqual(findings, want) {
			t.Errorf("character by character the findings differ for %q", answer)
		}
		for i := range findings {
			segments++
			if i+1 < len(findings) && at[i] > findings[i+1].Segment.At.End && !heldBack(answer) {
				late++
				t.Logf("%q came only when %d bytes had, the next ends at %d", clip(findings[i].Segment.At, answer), at[i], findings[i+1].Segment.At.End)
			}
		}
	}
	t.Logf("%d segments of %d answers, %d late", segments, len(answers), late)
	if late > 0 {
		t.Errorf("%d segments came after the next sentence had ended", late)
	}
}

// heldBack reports whether a marker in braces gives out several sentences at once.
func heldBack(answer string) bool { return strings.Contains(answer, "{{") }

func clip(at ibid.Span, text string) string {
	return text[min(at.Start, len(text)):min(at.End, len(text))]
}

func everyPlace(s string) []int {
	var at []int
	for i := range s {
		at = append(at, i)
	}
	return at
}

// dataAnswers are answers of the shared data; none where it is absent.
func dataAnswers(t *testing.T) []string {
	var out []string
	for _, a := range readAnswers(t, testdata.Path(t, "attribution/eval/lfqa.dev.jsonl.gz")) {
		out = append(out, a)
	}
	for _, a := range readAnswers(t, testdata.Path(t, "attribution/train/expertqa.dev.jsonl.gz")) {
		out = append(out, a)
	}
	return out
}
