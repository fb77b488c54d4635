package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
)

// newAnswer makes an answer that rests on the first chunk of a version of a source.
func newAnswer(t *testing.T, s Store, id ibid.AnswerID, conversation ibid.ConversationID, source ibid.Source, version int) ibid.Answer {
	t.Helper()
	from, chunk, err := s.Passage(t.Context(), source.ID, version, 0)
	wantNoError(t, err)
	text := "It says so: “" + chunk.Text + "” 🎉 I think."
	start := strings.Index(text, chunk.Text)
	quote := ibid.Span{Start: start, End: start + len(chunk.Text)}
	return ibid.Answer{
		ID: id, Conversation: conversation, Question: "What does it say, 'quoted' \x00 and all?", Text: text, Model: "extractive", CreatedAt: noon,
		Passages: []ibid.Passage{{Chunk: chunk, Source: from, Rank: 1, Score: 0.25}},
		Segments: []ibid.Segment{{
			At: ibid.Span{End: len(text)}, Origin: ibid.HYBRID, Kind: ibid.Sentence, Refs: []int{1}, Support: 0.75, Confidence: 1.0 / 3,
			Claimed:     &ibid.Claimed{Origin: ibid.RAG, Dangling: []int{9}},
			Unsupported: []ibid.Span{{Start: quote.End, End: len(text)}}, Reasons: []string{"the words stand there"},
		}},
		Attributions: []ibid.Attribution{{Of: quote, To: chunk.At, Ref: 1, Score: 1, Confidence: 0.9, Method: "quote", Trust: ibid.Quoted}},
		Citations:    []ibid.Citation{{Number: 1, Key: "1", Source: source.ID, At: chunk.At, Quote: chunk.Text, Confidence: 0.9}},
		Verdict:      &ibid.Verdict{Pass: true, Coverage: 0.5},
		Usage:        ibid.Usage{Input: 3, Output: 4},
	}
}

func answerThereAndBack(t *testing.T, s Store) {
	for i, h := range append([]string{"Plain text."}, Hostile...) {
		source := NewSource(fmt.Sprintf("file:///%d", i), h)
		mustAdd(t, s, source, h)
		a := newAnswer(t, s, ibid.AnswerID(fmt.Sprintf("answer-%d", i)), "", source, 1)
		a.Steps = []ibid.Step{{Number: 1, Question: h, Text: h, Passages: a.Passages}}
		wantNoError(t, s.PutAnswer(t.Context(), a))
		got, err := s.Answer(t.Context(), a.ID)
		wantNoError(t, err)
		wantEqual(t, "as JSON", string(asJSON(t, got)), string(asJSON(t, a)))
		wantEqual(t, "text", got.Text, a.Text)
		wantNoError(t, got.Check())
		for _, c := range got.Citations {
			doc, err := s.Document(t.Context(), c.At.Document)
			wantNoError(t, err)
			wantEqual(t, "quote in the document", c.At.Span.In(doc.Text), c.Quote)
		}
	}
}

func answerOnce(t *testing.T, s Store) {
	source := NewSource("file:///a", "")
	mustAdd(t, s, source, "Text.")
	a := newAnswer(t, s, "answer-1", "talk", source, 1)
	wantNoError(t, s.PutAnswer(t.Context(), a))
	wantNoError(t, s.PutAnswer(t.Context(), a))
	other := a
	other.Question = "Another?"
	if err := s.PutAnswer(t.Context(), other); !errors.Is(err, ibid.ErrInvalid) {
		t.Errorf("another answer under the same id: error is %v", err)
	}
	list, err := s.Answers(t.Context(), "", 10)
	wantNoError(t, err)
	wantEqual(t, "answers", len(list), 1)
}

func answerRefused(t *testing.T, s Store) {
	source := NewSource("file:///a", "")
	mustAdd(t, s, source, "Text of two. Sentences.", 12)
	for name, spoil := range map[string]func(*ibid.Answer){
		"no id":              func(a *ibid.Answer) { a.ID = "" },
		"segment outside":    func(a *ibid.Answer) { a.Segments[0].At.End++ },
		"other quote":        func(a *ibid.Answer) { a.Citations[0].Quote = "Invented." },
		"unknown passage":    func(a *ibid.Answer) { a.Segments[0].Refs = []int{2} },
		"text not UTF-8":     func(a *ibid.Answer) { a.Text = strings.Replace(a.Text, "I think", "I \xffhink", 1) },
		"question not UTF-8": func(a *ibid.Answer) { a.Question = "\xff" },
		"document not stored": func(a *ibid.Answer) {
			a.Passages[0].Chunk.At.Document = "other"
			a.Attributions, a.Citations = nil, nil
		},
		"given, but another text than its hash names": func(a *ibid.Answer) { a.Passages[0].Source.ID = ibid.GivenPrefix + "1" },
		"source not stored":                           func(a *ibid.Answer) { a.Passages[0].Source.ID = "other" },
		"passage that says other words": func(a *ibid.Answer) {
			a.Passages[0].Chunk.Text = strings.ToUpper(a.Passages[0].Chunk.Text)
			a.Attributions, a.Citations = nil, nil
		},
		"passage far outside": func(a *ibid.Answer) {
			a.Passages[0].Chunk.At.Span = ibid.Span{Start: 1 << 60, End: 1<<60 + len(a.Passages[0].Chunk.Text)}
			a.Attributions, a.Citations = nil, nil
		},
		"passage of another length": func(a *ibid.Answer) {
			a.Passages[0].Chunk.At.Span.End = 1 << 62
			a.Attributions, a.Citations = nil, nil
		},
		"passage with an empty span": func(a *ibid.Answer) {
			a.Passages[0].Chunk.Text, a.Passages[0].Chunk.At.Span = "", ibid.Span{Start: 3, End: 3}
			a.Attributions, a.Citations = nil, nil
		},
	} {
		a := newAnswer(t, s, "answer-1", "", source, 1)
		spoil(&a)
		if err := s.PutAnswer(t.Context(), a); !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("%s: error is %v", name, err)
		}
	}
	list, err := s.Answers(t.Context(), "", 10)
	wantNoError(t, err)
	wantEqual(t, "answers", len(list), 0)
}

func answersListed(t *testing.T, s Store) {
	source := NewSource("file:///a", "")
	mustAdd(t, s, source, "Text.")
	var want []ibid.AnswerID
	for _, id := range []ibid.AnswerID{"zebra", "alpha", "mango", "delta", "omega"} {
		wantNoError(t, s.PutAnswer(t.Context(), newAnswer(t, s, id, "talk", source, 1)))
		want = append([]ibid.AnswerID{id}, want...)
	}
	var got []ibid.AnswerID
	before := ibid.AnswerID("")
	for {
		page, err := s.Answers(t.Context(), before, 2)
		wantNoError(t, err)
		if len(page) == 0 {
			break
		}
		for _, a := range page {
			got = append(got, a.ID)
			if a.Question == "" || a.Model != "extractive" || !a.CreatedAt.Equal(noon) || a.Conversation != "talk" {
				t.Errorf("listed as %+v", a)
			}
		}
		before = got[len(got)-1]
	}
	wantEqual(t, "order", got, want)
}

func conversation(t *testing.T, s Store) {
	source := NewSource("file:///a", "")
	mustAdd(t, s, source, "Text.")
	for _, id := range []ibid.AnswerID{"turn-2", "turn-1", "turn-3"} {
		wantNoError(t, s.PutAnswer(t.Context(), newAnswer(t, s, id, "talk", source, 1)))
	}
	wantNoError(t, s.PutAnswer(t.Context(), newAnswer(t, s, "elsewhere", "other talk", source, 1)))
	wantNoError(t, s.PutAnswer(t.Context(), newAnswer(t, s, "alone", "", source, 1)))
	turns, err := s.Conversation(t.Context(), "talk")
	wantNoError(t, err)
	var ids []ibid.AnswerID
	for _, a := range turns {
		ids = append(ids, a.ID)
		wantNoError(t, a.Check())
	}
	wantEqual(t, "turns", ids, []ibid.AnswerID{"turn-2", "turn-1", "turn-3"})
	_, err = s.Conversation(t.Context(), "")
	wantNotFound(t, "the answers of no conversation", err)
}

func asJSON(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	wantNoError(t, err)
	return b
}
