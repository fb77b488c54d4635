package attribute_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/internal/testdata"
)

const marked = "{{rag:The first cable was completed on 5 August 1858[CTX 1].}} {{rag:It was made of gold and silver[CTX 2].}} " +
	"{{llm:For three weeks the cable carried messages.}} Bananas grow in warm countries. {{hybrid:Crowds in Lisbon danced until morning[CTX 9].}} I hope this helps!"

func attributed(t *testing.T, s attribute.Strategy, answer string) ibid.Answer {
	t.Helper()
	by, err := attribute.With(s, attribute.New(attribute.Config{Claims: attribute.IsClaim}))
	if err != nil {
		t.Fatal(err)
	}
	return attributedBy(t, by, answer, streamPassages())
}

func attributedBy(t *testing.T, by ibid.Attributor, answer string, passages []ibid.Passage) ibid.Answer {
	t.Helper()
	text, findings := stream(t, by, passages, answer, nil, nil)
	a := ibid.Answer{Text: text, Passages: passages}
	for _, f := range findings {
		a.Segments = append(a.Segments, f.Segment)
		a.Attributions = append(a.Attributions, f.Attributions...)
		for _, at := range f.Attributions {
			a.Citations = append(a.Citations, ibid.Citation{Number: at.Ref, Source: passages[at.Ref-1].Source.ID, At: at.To, Quote: at.To.Span.In(passages[at.Ref-1].Chunk.Text), Confidence: at.Confidence})
		}
	}
	return a
}

func originsOf(a ibid.Answer) string {
	var out []string
	for _, s := range a.Segments {
		out = append(out, string(s.Origin))
	}
	return strings.Join(out, " ")
}

// What each strategy makes of the same answer. The second sentence is claimed from a source and is not there; the third is
// claimed as the model's own and stands in a source.
func TestStrategiesDiffer(t *testing.T) {
	for s, want := range map[attribute.Strategy]string{
		attribute.Markers:  "RAG RAG LLM LLM HYBRID NONE",
		attribute.Stream:   "RAG LLM RAG LLM LLM NONE",
		attribute.DualPass: "RAG LLM RAG LLM LLM NONE",
	} {
		if got := originsOf(attributed(t, s, marked)); got != want {
			t.Errorf("%s: %s, want %s", s, got, want)
		}
	}
	full := attributed(t, attribute.Full, marked)
	if s := full.Segments[1]; s.Origin != ibid.LLM || !strings.Contains(strings.Join(s.Reasons, "; "), "claimed RAG, found unsupported") {
		t.Errorf("full: %s because %v", s.Origin, s.Reasons)
	}
	if s := full.Segments[2]; s.Origin != ibid.RAG || s.Claimed.Origin != ibid.LLM {
		t.Errorf("full: %s, claimed %+v", s.Origin, s.Claimed)
	}
}

// Every strategy keeps the law of the record and gives one finding per segment.
func TestStrategiesKeepTheRecord(t *testing.T) {
	for _, s := range attribute.Strategies() {
		for _, answer := range append(streamed, marked) {
			a := attributed(t, s, answer)
			if err := a.Check(); err != nil {
				t.Errorf("%s of %q: %v", s, answer, err)
			}
			if want := attributed(t, attribute.Full, answer); len(want.Segments) != len(a.Segments) {
				t.Errorf("%s: %d segments, want %d", s, len(a.Segments), len(want.Segments))
			}
			for _, seg := range a.Segments {
				if seg.Origin == ibid.LLM && len(seg.Refs) > 0 {
					t.Errorf("%s: the model's own words cite %v", s, seg.Refs)
				}
			}
		}
	}
}

func TestUnknownStrategy(t *testing.T) {
	if _, err := attribute.With("guess", nil); !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), "dual-pass") {
		t.Errorf("got %v", err)
	}
}

// A strategy stops when its reader does, and passes errors on.
func TestStrategiesStopAndFail(t *testing.T) {
	broken := errors.New("the model broke off")
	for _, s := range attribute.Strategies() {
		by, _ := attribute.With(s, attribute.New(attribute.Config{}))
		drafts := func(yield func(ibid.Draft, error) bool) {
			_ = yield(ibid.Draft{At: ibid.Span{End: 1}, Kind: ibid.Sentence, Text: "x"}, nil) && yield(ibid.Draft{}, broken)
		}
		var last error
		for _, err := range by.Attribute(context.Background(), nil, iter.Seq2[ibid.Draft, error](drafts)) {
			last = err
		}
		if !errors.Is(last, broken) {
			t.Errorf("%s: the error became %v", s, last)
		}
		for range by.Attribute(context.Background(), nil, iter.Seq2[ibid.Draft, error](drafts)) {
			break
		}
	}
}

func keysOf(t *testing.T, v any) map[string]any {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func names(m map[string]any) map[string]bool {
	out := map[string]bool{}
	for k := range m {
		out[k] = true
	}
	return out
}

func set(keys ...string) map[string]bool {
	out := map[string]bool{}
	for _, k := range keys {
		out[k] = true
	}
	return out
}

func TestExchangeFormsHaveTheirNames(t *testing.T) {
	a := attributed(t, attribute.Full, "𝔘nder the sea. "+marked)
	e := keysOf(t, attribute.Enrich(a)[1])
	if got, want := names(e), set("text", "ragConfidence", "llmConfidence", "primarySource", "citations", "metadata"); !reflect.DeepEqual(got, want) {
		t.Errorf("EnrichedContent has %v, want %v", got, want)
	}
	r := keysOf(t, attribute.Respond(a, ""))
	if got, want := names(r), set("response", "metadata"); !reflect.DeepEqual(got, want) {
		t.Errorf("AttributedResponse has %v, want %v", got, want)
	}
	meta := r["metadata"].(map[string]any)
	if got, want := names(meta), set("ragContribution", "llmContribution", "citations", "segments"); !reflect.DeepEqual(got, want) {
		t.Errorf("its metadata has %v, want %v", got, want)
	}
	segment := meta["segments"].([]any)[1].(map[string]any)
	if got, want := names(segment), set("startIndex", "endIndex", "source", "contextRef", "confidence"); !reflect.DeepEqual(got, want) {
		t.Errorf("its segments have %v, want %v", got, want)
	}
	if debug := keysOf(t, attribute.Respond(a, attribute.Full))["metadata"].(map[string]any); debug["debugInfo"] == nil {
		t.Error("no debugInfo where it was asked for")
	}
	// 𝔘 is two UTF-16 units: "𝔘nder the sea. " is 16 of them.
	if got := segment["startIndex"].(float64); got != 16 {
		t.Errorf("startIndex %v, want 16", got)
	}
	if segment["contextRef"].(float64) != 1 || segment["source"] != "RAG" {
		t.Errorf("segment %v", segment)
	}
	if rag, llm := meta["ragContribution"].(float64), meta["llmContribution"].(float64); rag+llm != 1 {
		t.Errorf("shares %v and %v do not sum to 1", rag, llm)
	}
}

// TestStorageOverhead measures what attribution adds to an answer that is stored, on answers of the shared data with the
// sources they had. The seed expects a fifth more text for markers and 1 to 2 KB of metadata.
func TestStorageOverhead(t *testing.T) {
	engine := attribute.New(attribute.Config{Claims: attribute.IsClaim})
	var plain, marks, record, response, quotes, debug, answers int
	readLines(t, testdata.Path(t, "attribution/eval/lfqa.dev.jsonl.gz"), func(line []byte) {
		var x struct {
			Answer  string
			Sources []struct{ Text string }
		}
		if err := json.Unmarshal(line, &x); err != nil {
			t.Fatal(err)
		}
		if answers++; answers > 100 {
			return
		}
		var passages []ibid.Passage
		for i, s := range x.Sources {
			passages = append(passages, ibid.Passage{Rank: i + 1, Chunk: ibid.Chunk{Text: s.Text, At: ibid.Anchor{Document: ibid.HashText(s.Text), Span: ibid.Span{End: len(s.Text)}}}})
		}
		a := attributedBy(t, engine, x.Answer, passages)
		plain += len(a.Text)
		marks += len(withMarkers(a)) - len(a.Text)
		record += size(t, a) - size(t, ibid.Answer{Text: a.Text, Passages: a.Passages})
		response += size(t, attribute.Respond(a, "")) - size(t, attribute.AttributedResponse{Response: a.Text})
		for _, c := range a.Citations {
			quotes += len(c.Quote)
		}
		debug += size(t, attribute.Respond(a, attribute.Full)) - size(t, attribute.AttributedResponse{Response: a.Text})
	})
	answers = min(answers, 100)
	show := func(what string, bytes int) {
		t.Logf("%-48s %5d bytes an answer, %3.0f %% of its text", what, bytes/answers, 100*float64(bytes)/float64(plain))
	}
	t.Logf("%d answers of %d bytes on average", answers, plain/answers)
	show("markers in the text", marks)
	show("AttributedResponse without its quotes", response-quotes)
	show("AttributedResponse", response)
	show("AttributedResponse with debugInfo", debug)
	show("the record: three units, evidence, words, reasons", record)
	if marks*5 > plain {
		t.Errorf("markers add %d bytes to %d, more than a fifth", marks, plain)
	}
}

func size(t *testing.T, v any) int {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return len(b)
}

// withMarkers writes an answer as a model would that marks it.
func withMarkers(a ibid.Answer) string {
	var b strings.Builder
	at := 0
	for _, s := range a.Segments {
		b.WriteString(a.Text[at:s.At.Start])
		at = s.At.End
		if s.Origin == ibid.NONE {
			b.WriteString(s.At.In(a.Text))
			continue
		}
		b.WriteString("{{" + strings.ToLower(string(s.Origin)) + ":" + s.At.In(a.Text))
		if len(s.Refs) > 0 {
			b.WriteString(fmt.Sprintf("[CTX %s]", strings.Trim(strings.ReplaceAll(fmt.Sprint(s.Refs), " ", ", "), "[]")))
		}
		b.WriteString("}}")
	}
	return b.String() + a.Text[at:]
}
