package workflow_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/workflow"
)

var errCut = errors.New("the stream was cut")

// script is a model that says what it is told to, in pieces, and remembers what it was given.
type script struct {
	pieces []string
	fail   error // after the pieces
	given  *ibid.Prompt
	read   *int // how many pieces were asked for
}

func (s script) Generate(_ context.Context, p ibid.Prompt) iter.Seq2[ibid.Delta, error] {
	return func(yield func(ibid.Delta, error) bool) {
		if s.given != nil {
			*s.given = p
		}
		for _, t := range s.pieces {
			if s.read != nil {
				*s.read++
			}
			if !yield(ibid.Delta{Text: t, Model: "script"}, nil) {
				return
			}
		}
		if s.fail != nil {
			yield(ibid.Delta{}, s.fail)
		}
	}
}

// shelf retrieves the same passages for every question, and remembers the question.
type shelf struct {
	passages []ibid.Passage
	asked    *ibid.Query
}

func (s shelf) Retrieve(_ context.Context, q ibid.Query) ([]ibid.Passage, error) {
	if s.asked != nil {
		*s.asked = q
	}
	return s.passages, nil
}

func passage(rank int, text string) ibid.Passage {
	uri := fmt.Sprintf("file:///%d.md", rank)
	return ibid.Passage{Rank: rank, Source: ibid.Source{ID: ibid.IdentifySource("", uri), URI: uri},
		Chunk: ibid.Chunk{At: ibid.Anchor{Document: ibid.HashText(text), Span: ibid.Span{End: len(text)}}, Text: text}}
}

// quoting attributes a segment to each passage that holds its words to the letter.
type quoting struct{}

func (quoting) Attribute(_ context.Context, passages []ibid.Passage, drafts iter.Seq2[ibid.Draft, error]) iter.Seq2[ibid.Finding, error] {
	return func(yield func(ibid.Finding, error) bool) {
		for d, err := range drafts {
			if err != nil {
				yield(ibid.Finding{}, err)
				return
			}
			f := ibid.Finding{Segment: ibid.Segment{At: d.At, Origin: ibid.LLM, Kind: d.Kind, Claimed: d.Claimed}}
			for _, p := range passages {
				if i := strings.Index(p.Chunk.Text, d.Text); i >= 0 {
					f.Segment.Origin = ibid.RAG
					f.Segment.Refs = append(f.Segment.Refs, p.Rank)
					f.Attributions = append(f.Attributions, ibid.Attribution{Of: d.At, Ref: p.Rank, Confidence: 0.9, Trust: ibid.Quoted,
						To: ibid.Anchor{Document: p.Chunk.At.Document, Span: ibid.Span{Start: i, End: i + len(d.Text)}.Shift(p.Chunk.At.Span.Start)}})
				}
			}
			if !yield(f, nil) {
				return
			}
		}
	}
}

// memory keeps answers in a list.
type memory struct{ answers []ibid.Answer }

func (m *memory) PutAnswer(_ context.Context, a ibid.Answer) error {
	m.answers = append(m.answers, a)
	return nil
}

func (m *memory) Conversation(_ context.Context, id ibid.ConversationID) ([]ibid.Answer, error) {
	var out []ibid.Answer
	for _, a := range m.answers {
		if a.Conversation == id {
			out = append(out, a)
		}
	}
	if out == nil {
		return nil, ibid.ErrNotFound
	}
	return out, nil
}

func newAsker(m ibid.Model, r ibid.Retriever) (*workflow.Asker, *memory) {
	rec := &memory{}
	return &workflow.Asker{Retriever: r, Model: m, Attributor: quoting{}, Record: rec,
		Now: func() time.Time { return time.Unix(0, 0) }, NewID: func() ibid.AnswerID { return "a1" }}, rec
}

var (
	landing = "The landing was completed on 5 August 1858."
	spoke   = "The wire spoke for three weeks."
)

func TestAskStreamsWhatItRecords(t *testing.T) {
	asker, rec := newAsker(script{pieces: []string{"The landing was comp", "leted on 5 August 1858. [CT", "X 1] Whitehouse is blamed. ", "The wire spoke for three weeks. [CTX 2][CTX 9]"}},
		shelf{passages: []ibid.Passage{passage(1, landing), passage(2, spoke)}})
	var text strings.Builder
	var segments []ibid.Segment
	var attributions []ibid.Attribution
	var done *ibid.Answer
	for e, err := range asker.Ask(t.Context(), workflow.Question{Text: "When?"}) {
		if err != nil {
			t.Fatal(err)
		}
		if done != nil {
			t.Fatal("an event after Done")
		}
		switch e.Kind {
		case workflow.Text:
			text.WriteString(e.Text)
		case workflow.Decided:
			segments = append(segments, e.Finding.Segment)
			attributions = append(attributions, e.Finding.Attributions...)
			for _, c := range e.Citations {
				if c.Quote == "" || c.Number == 0 {
					t.Errorf("citation %+v has no number or quote", c)
				}
			}
		case workflow.Done:
			done = &e.Answer
		}
	}
	if done == nil || len(rec.answers) != 1 {
		t.Fatalf("done %v, %d recorded", done, len(rec.answers))
	}
	got := rec.answers[0]
	if !reflect.DeepEqual(got, *done) || got.Text != text.String() || !reflect.DeepEqual(got.Segments, segments) || !reflect.DeepEqual(got.Attributions, attributions) {
		t.Errorf("what was streamed is not what was recorded: %+v", got)
	}
	if err := got.Check(); err != nil {
		t.Error(err)
	}
	if len(got.Segments) != 3 || len(got.Citations) != 2 || got.Citations[1].Number != 2 || strings.Contains(got.Text, "CTX") {
		t.Errorf("recorded %q with %+v", got.Text, got.Citations)
	}
	if c := got.Segments[2].Claimed; c == nil || !reflect.DeepEqual(c.Dangling, []int{9}) || !reflect.DeepEqual(c.Refs, []int{2}) {
		t.Errorf("the invented [CTX 9] is claimed as %+v", c)
	}
}

// Only passages that stayed in the prompt can be cited.
func TestAskCitesOnlyWhatTheModelWasGiven(t *testing.T) {
	var given ibid.Prompt
	asker, rec := newAsker(script{pieces: []string{landing + " " + spoke}, given: &given}, shelf{passages: []ibid.Passage{passage(1, landing), passage(2, spoke)}})
	asker.Budget = len(landing) + 5
	run(t, asker, workflow.Question{Text: "When?"})
	got := rec.answers[0]
	if len(given.Passages) != 1 || len(got.Passages) != 1 || len(got.Citations) != 1 || strings.Contains(given.System, spoke) {
		t.Errorf("given %d passages, cited %+v", len(given.Passages), got.Citations)
	}
	if got.Segments[1].Origin != ibid.LLM {
		t.Errorf("a sentence of a passage that was left out has origin %s", got.Segments[1].Origin)
	}
}

func TestAskKeepsWhatCameBeforeTheModelFailed(t *testing.T) {
	asker, rec := newAsker(script{pieces: []string{landing, " And th"}, fail: errCut}, shelf{passages: []ibid.Passage{passage(1, landing)}})
	var kinds []workflow.EventKind
	var last error
	for e, err := range asker.Ask(t.Context(), workflow.Question{Text: "When?"}) {
		if last = err; err == nil {
			kinds = append(kinds, e.Kind)
		}
	}
	if !errors.Is(last, errCut) || kinds[len(kinds)-1] != workflow.Done {
		t.Errorf("events %v, then %v", kinds, last)
	}
	if len(rec.answers) != 1 || rec.answers[0].Incomplete == "" || rec.answers[0].Text != landing+" And th" {
		t.Errorf("recorded %+v", rec.answers)
	}
}

// What was shown before an interrupt is in the record, though the context that it was made under has ended.
func TestAskKeepsWhatWasShownBeforeAnInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	asker, rec := newAsker(script{pieces: []string{landing + " ", "And then the", " wire"}, fail: context.Canceled}, shelf{passages: []ibid.Passage{passage(1, landing)}})
	asker.Attributor, asker.Record = heeding{}, strict{rec}
	var kinds []workflow.EventKind
	var last error
	for e, err := range asker.Ask(ctx, workflow.Question{Text: "When?"}) {
		if last = err; err == nil {
			kinds = append(kinds, e.Kind)
		}
		if e.Kind == workflow.Decided {
			cancel()
		}
	}
	if !errors.Is(last, context.Canceled) || kinds[len(kinds)-1] != workflow.Done {
		t.Errorf("events %v, then %v", kinds, last)
	}
	if len(rec.answers) != 1 || rec.answers[0].Incomplete != "interrupted before its end" || len(rec.answers[0].Citations) != 1 {
		t.Errorf("recorded %+v", rec.answers)
	}
}

// heeding stops with the context, as an attributor that asks a judge does.
type heeding struct{}

func (heeding) Attribute(ctx context.Context, passages []ibid.Passage, drafts iter.Seq2[ibid.Draft, error]) iter.Seq2[ibid.Finding, error] {
	return func(yield func(ibid.Finding, error) bool) {
		for f, err := range (quoting{}).Attribute(ctx, passages, drafts) {
			if ctx.Err() != nil {
				f, err = ibid.Finding{}, ctx.Err()
			}
			if !yield(f, err) || err != nil {
				return
			}
		}
	}
}

// strict keeps nothing under a context that has ended, as a database does.
type strict struct{ *memory }

func (s strict) PutAnswer(ctx context.Context, a ibid.Answer) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.memory.PutAnswer(ctx, a)
}

func TestAskRecordsNothingWhereNothingCame(t *testing.T) {
	asker, rec := newAsker(script{fail: errCut}, shelf{})
	var last error
	for _, err := range asker.Ask(t.Context(), workflow.Question{Text: "When?"}) {
		last = err
	}
	if !errors.Is(last, errCut) || len(rec.answers) != 0 {
		t.Errorf("error %v, recorded %+v", last, rec.answers)
	}
}

func TestLeavingTheLoopStopsTheModel(t *testing.T) {
	read := 0
	asker, rec := newAsker(script{pieces: []string{landing, " Two.", " Three.", " Four."}, read: &read}, shelf{})
	for e, err := range asker.Ask(t.Context(), workflow.Question{Text: "When?"}) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == workflow.Text {
			break
		}
	}
	if read != 1 || len(rec.answers) != 0 {
		t.Errorf("%d pieces were read, %d answers recorded", read, len(rec.answers))
	}
}

func TestFollowUpIsLookedUpWithItsSubject(t *testing.T) {
	var q ibid.Query
	var given ibid.Prompt
	asker, _ := newAsker(script{pieces: []string{spoke}, given: &given}, shelf{asked: &q})
	ids := 0
	asker.NewID = func() ibid.AnswerID { ids++; return ibid.AnswerID(fmt.Sprint("a", ids)) }
	for _, c := range []struct{ ask, looked, answered string }{
		{"When was the first cable laid?", "When was the first cable laid?", "When was the first cable laid?"},
		{"And how long did it work?", "And how long did it work? first cable laid", "And how long did it work?"},
		{"Why?", "Why? work first cable laid", "Why? work first cable laid"},
		{"Who designed the ship Great Eastern?", "Who designed the ship Great Eastern?", "Who designed the ship Great Eastern?"},
	} {
		run(t, asker, workflow.Question{Text: c.ask, Conversation: "c"})
		if q.Text != c.looked || given.Question != c.answered {
			t.Errorf("%q was looked up as %q and answered as %q", c.ask, q.Text, given.Question)
		}
		if last := given.Messages[len(given.Messages)-1]; last.Text != c.ask {
			t.Errorf("the model was asked %q", last.Text)
		}
	}
	if n := len(given.Messages); n != 7 || given.Messages[0].Text != "When was the first cable laid?" || given.Messages[1].Role != "assistant" {
		t.Errorf("the model remembers %d messages: %+v", n, given.Messages)
	}
}

func TestQuestionThatCannotBeRecordedIsNotAnswered(t *testing.T) {
	for _, q := range []string{" \n", "bad \xff bytes"} {
		asker, _ := newAsker(script{pieces: []string{"An answer."}}, shelf{})
		events := 0
		for _, err := range asker.Ask(t.Context(), workflow.Question{Text: q}) {
			events++
			if !errors.Is(err, ibid.ErrInvalid) || events > 1 {
				t.Errorf("%q: event %d has error %v", q, events, err)
			}
		}
	}
}

func run(t *testing.T, a *workflow.Asker, q workflow.Question) {
	t.Helper()
	for _, err := range a.Ask(t.Context(), q) {
		if err != nil {
			t.Fatal(err)
		}
	}
}
