package workflow

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/marker"
	"github.com/ibid-dev/ibid/reason"
)

// Asker answers questions from a library. All fields but those with a default must be set.
type Asker struct {
	Retriever  ibid.Retriever
	Model      ibid.Model
	Attributor ibid.Attributor
	Record     Record
	Now        func() time.Time
	NewID      func() ibid.AnswerID

	// Gate decides what goes out, and keeps the log. By default all does, and none is kept.
	Gate Gate
	// Passages is how many passages are retrieved at most. Defaults to 8.
	Passages int
	// Budget bounds the passages given to the model, in characters: a passage that does not fit is left out whole, and
	// what was left out cannot be cited. Defaults to 24,000.
	Budget int
	// Memory is how many earlier turns of a conversation the model sees. Defaults to 6.
	Memory int
}

// Record keeps answers.
type Record interface {
	PutAnswer(ctx context.Context, a ibid.Answer) error
	// Conversation gives the answers of a conversation, the oldest first. The error wraps ibid.ErrNotFound where there is
	// no such conversation yet.
	Conversation(ctx context.Context, id ibid.ConversationID) ([]ibid.Answer, error)
}

// Question is what a user asks, of which part of the library, and as part of which conversation.
type Question struct {
	Text         string
	Conversation ibid.ConversationID // "" for a question of its own
	Where        ibid.Query          // its Text and Limit are filled by Ask
}

// Event is one step of an answer on its way. Which fields are set follows from the kind.
type Event struct {
	Kind      EventKind
	Passages  []ibid.Passage  // Retrieved
	Text      string          // Text: clean, without markers
	Finding   ibid.Finding    // Decided
	Citations []ibid.Citation // Decided: all that the segment rests on, with their numbers
	Of        ibid.Span       // Referred: the words that a footnote or link speaks of
	Refs      []int           // Referred: the passages that it names
	Answer    ibid.Answer     // Done
	Step      int             // of a chain of thought: the step that the event belongs to, 0 for the answer itself
	Plan      reason.Plan     // Planned
	Taken     ibid.Step       // Begun: its number, question and trace; Stepped: all of it
}

// EventKind names an event.
type EventKind string

// The events of an answer: Retrieved once, Text and Decided as they come or as the gate lets them out, Done once at the
// end. Referred tells what a footnote meant whose definition came after its text; the segment it belongs to was decided
// without it and stays as it is.
const (
	Retrieved EventKind = "retrieved"
	Text      EventKind = "text"
	Decided   EventKind = "segment"
	Referred  EventKind = "citation"
	Done      EventKind = "done"
)

// errLeft says that the reader of the events left the loop.
var errLeft = errors.New("the reader left")

// Ask answers a question. The last event is Done and carries the answer as it was recorded. Where the model fails in the
// middle or the context ends, what came until then is recorded as incomplete and given as Done, and the error follows:
// what was shown can be opened later. Where the gate refuses, Done carries what was let out before, which may be nothing,
// and a *gate.RefusedError follows.
func (a *Asker) Ask(ctx context.Context, q Question) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		t := &turn{asker: a, question: q, emit: func(e Event) error {
			if !yield(e, nil) {
				return errLeft
			}
			return nil
		}}
		if err := t.run(ctx); err != nil && !errors.Is(err, errLeft) {
			yield(Event{}, err)
		}
	}
}

// turn is one question on its way to an answer.
type turn struct {
	asker    *Asker
	question Question
	emit     func(Event) error
	dictated *dictation // what someone else writes, in the place of the model

	answer   ibid.Answer
	text     strings.Builder // clean text so far
	cites    []ibid.Cite
	drafted  int     // bytes of the clean text whose segments went on to attribution
	behind   []Named // citations that came when a segment that they speak of was past
	numbers  numbering
	holder   *holder // where the gate keeps back what is not decided
	waiting  []Event // for the record
	late     []Event // what footnotes meant, while their words are held
	modelErr error
	refused  error // by the gate
	kept     bool  // on the page of its entries
}

func (t *turn) run(ctx context.Context) error {
	prompt, err := t.retrieve(ctx)
	if err != nil {
		return err
	}
	if err := t.emit(Event{Kind: Retrieved, Passages: t.answer.Passages}); err != nil {
		return err
	}
	t.gated()
	if err := t.generate(ctx, prompt); err != nil {
		return err
	}
	if t.modelErr != nil && t.text.Len() == 0 {
		return t.modelErr
	}
	if err := t.record(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	if err := t.deliver(); err != nil {
		return err
	}
	return errors.Join(t.modelErr, t.refused)
}

// retrieve finds the passages and makes the prompt of those that fit.
func (t *turn) retrieve(ctx context.Context) (ibid.Prompt, error) {
	q, err := asked(t.question.Text)
	if err != nil {
		return ibid.Prompt{}, err
	}
	t.answer.Question = q
	t.answer.Conversation = t.question.Conversation
	var earlier []ibid.Answer
	if t.question.Conversation != "" {
		if earlier, err = t.asker.Record.Conversation(ctx, t.question.Conversation); err != nil && !errors.Is(err, ibid.ErrNotFound) {
			return ibid.Prompt{}, err
		}
	}
	where := t.question.Where
	where.Text = standalone(q, earlier)
	where.Limit = or(t.asker.Passages, 8)
	found, err := t.asker.Retriever.Retrieve(ctx, where)
	if err != nil {
		return ibid.Prompt{}, fmt.Errorf("retrieving: %w", err)
	}
	t.answer.Passages = fitting(found, or(t.asker.Budget, 24_000))
	return ibid.Prompt{
		System:   marker.Prompt(t.answer.Passages),
		Messages: append(remembered(earlier, or(t.asker.Memory, 6)), ibid.Message{Role: "user", Text: q}),
		Question: answerable(q, where.Text),
		Passages: t.answer.Passages,
	}, nil
}

// Blank reports whether a text shows nothing: it is empty, or of blanks and characters without a form.
func Blank(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) })
}

// asked gives the words of a question, or says what is wrong with them.
func asked(question string) (string, error) {
	q := strings.TrimSpace(question)
	if Blank(q) {
		return "", fmt.Errorf("the question is empty: %w", ibid.ErrInvalid)
	}
	if !utf8.ValidString(q) {
		return "", fmt.Errorf("the question is not valid UTF-8: %w", ibid.ErrInvalid)
	}
	return q, nil
}

// generate runs the model, and attributes each segment as soon as it is complete.
func (t *turn) generate(ctx context.Context, prompt ibid.Prompt) error {
	t.numbers = newNumbering(t.answer.Passages)
	var left error
	drafts := func(yield func(ibid.Draft, error) bool) {
		left = t.drafts(ctx, prompt, func(d ibid.Draft) bool { return yield(d, nil) })
	}
	for f, err := range t.asker.Attributor.Attribute(ctx, t.answer.Passages, drafts) {
		if err != nil && ctx.Err() != nil {
			t.cut(ctx.Err())
			return nil
		}
		if err != nil {
			return fmt.Errorf("attributing: %w", err)
		}
		if t.holder != nil {
			err = t.holder.take(f)
		} else {
			err = t.decide(f)
		}
		if err != nil {
			return err
		}
	}
	if t.holder != nil && len(t.behind) > 0 {
		t.holder.cited(t.behind)
	}
	return left
}

// decide takes a segment into the answer and shows it.
func (t *turn) decide(f ibid.Finding) error {
	cited := t.numbers.cite(f)
	t.answer.Segments = append(t.answer.Segments, f.Segment)
	t.answer.Attributions = append(t.answer.Attributions, f.Attributions...)
	return t.show(Event{Kind: Decided, Finding: f, Citations: cited})
}

// answerBytes is how long an answer may grow: a model that does not end is ended.
const answerBytes = 1 << 20

// drafts reads the model's deltas and yields each segment of the clean text when it is complete.
func (t *turn) drafts(ctx context.Context, prompt ibid.Prompt, yield func(ibid.Draft) bool) error {
	segmenter := marker.NewSegmenter(marker.Config{Passages: len(t.answer.Passages), Sources: marker.Known(t.answer.Passages)})
	var model ibid.Model = guarded{t.asker.Model, answerBytes}
	if t.dictated != nil {
		model = t.dictated
	}
	for d, err := range model.Generate(ctx, prompt) {
		if err != nil {
			t.cut(err)
			break
		}
		if d.Model != "" {
			t.answer.Model = d.Model
		}
		if d.Usage != (ibid.Usage{}) {
			t.answer.Usage = d.Usage
		}
		t.cites = append(t.cites, d.Cites...)
		for _, c := range d.Cites {
			if c.Of.Start < t.drafted {
				t.behind = append(t.behind, Named{c.Of, []ibid.Anchor{c.To}})
			}
		}
		if err := t.absorb(segmenter.Write(d.Text), yield); err != nil {
			return err
		}
	}
	return t.absorb(segmenter.Close(), yield)
}

// cut notes why the answer has no end.
func (t *turn) cut(err error) {
	t.modelErr = err
	t.answer.Incomplete = message(err)
}

// absorb takes in what became certain: clean text is shown at once, unless the gate holds it back; complete segments go on
// to attribution.
func (t *turn) absorb(s marker.Segmented, yield func(ibid.Draft) bool) error {
	t.text.WriteString(s.Text)
	if s.Text != "" && t.holder == nil {
		if err := t.emit(Event{Kind: Text, Text: s.Text}); err != nil {
			return err
		}
	}
	for _, d := range s.Drafts {
		// A provider that returns citations is not asked for markers, so its offsets are those of the clean text.
		for _, c := range t.cites {
			if c.Of.Overlaps(d.At) {
				d.Cites = append(d.Cites, c)
			}
		}
		t.drafted = d.At.End
		if !yield(d) {
			return errLeft
		}
	}
	for _, m := range s.Late {
		e := Event{Kind: Referred, Of: m.At, Refs: m.Refs}
		if t.holder != nil {
			t.late = append(t.late, e)
			continue
		}
		if err := t.emit(e); err != nil {
			return err
		}
	}
	return nil
}

// fitting keeps the best passages that fit into the budget of characters, and numbers them anew. The first is always
// kept: an answer from half of the evidence is better than one from none.
func fitting(passages []ibid.Passage, budget int) []ibid.Passage {
	var out []ibid.Passage
	for _, p := range passages {
		budget -= len(p.Chunk.Text)
		if budget < 0 && len(out) > 0 {
			break
		}
		p.Rank = len(out) + 1
		out = append(out, p)
	}
	return out
}

// remembered gives the last turns of a conversation as messages. Their answers are context and never sources.
func remembered(earlier []ibid.Answer, turns int) []ibid.Message {
	if len(earlier) > turns {
		earlier = earlier[len(earlier)-turns:]
	}
	var out []ibid.Message
	for _, a := range earlier {
		out = append(out, ibid.Message{Role: "user", Text: a.Question}, ibid.Message{Role: "assistant", Text: a.Text})
	}
	return out
}

func or(n, fallback int) int {
	if n > 0 {
		return n
	}
	return fallback
}
