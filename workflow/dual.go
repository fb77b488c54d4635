package workflow

import (
	"context"
	"errors"
	"iter"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/marker"
	"github.com/ibid-dev/ibid/reason"
)

// Dual answers a question in two passes: first what the documents say is listed, with its places; then the question is
// answered, and each sentence of the answer is held against the listed facts alone. The list is the one step of the
// answer; reason.Compare reads the comparison out of the record. Events and errors are those of Think.
func (t *Thinker) Dual(ctx context.Context, q Question) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		c := &chain{Thinker: t, thought: Thought{Question: q}, emit: emitter(yield)}
		c.holdSteps()
		if err := c.dual(ctx); err != nil && !errors.Is(err, errLeft) {
			yield(Event{}, err)
		}
	}
}

func (c *chain) dual(ctx context.Context) error {
	var err error
	if c.question, err = asked(c.thought.Question.Text); err != nil {
		return err
	}
	part := reason.Part{Question: reason.FactsQuestion, Search: c.question, Why: "the first of two passes: facts with their places"}
	c.plan = reason.Plan{Question: c.question, Kind: reason.Classify(c.question), Strategy: reason.Strategy(attribute.DualPass), Parts: []reason.Part{part}}
	if err := c.emit(Event{Kind: Planned, Plan: c.plan}); err != nil {
		return err
	}
	found, err := c.retrieve(ctx, c.question)
	if err != nil {
		return err
	}
	passages := fitting(found, or(c.Asker.Budget, 24_000))
	step, err := c.facts(ctx, part, passages)
	if err != nil {
		return err
	}
	c.steps = []ibid.Step{step}
	return c.second(ctx, passages)
}

// facts is the first pass.
func (c *chain) facts(ctx context.Context, part reason.Part, passages []ibid.Passage) (ibid.Step, error) {
	step := ibid.Step{Number: 1, Question: part.Question, Trace: part.Why, Passages: passages}
	if err := c.emit(Event{Kind: Begun, Step: 1, Taken: step}); err != nil {
		return step, err
	}
	begun := c.Asker.Now()
	model := c.Facts
	if model == nil {
		model = c.Asker.Model
	}
	t := c.turn(guarded{model, stepTokens * perToken}, 1)
	t.answer.Passages = passages
	if err := t.emit(Event{Kind: Retrieved, Passages: passages}); err != nil {
		return step, err
	}
	prompt := ibid.Prompt{System: marker.Prompt(passages), Question: c.question, Passages: passages,
		Messages: []ibid.Message{{Role: "user", Text: reason.FactsPrompt(c.question)}}}
	t.gated()
	if err := t.generate(ctx, prompt); err != nil {
		return step, err
	}
	c.spend(t.answer.Usage, length(passages)+t.text.Len())
	var err error
	if step.Text, err = t.passed(); err != nil {
		return step, err
	}
	step.Segments, step.Attributions = t.answer.Segments, t.answer.Attributions
	step.Confidence = reason.Confidence(step.Text, step.Segments)
	step.Seconds = max(0, c.Asker.Now().Sub(begun).Seconds())
	c.model = t.answer.Model
	switch {
	case t.refused != nil:
		step.Incomplete = "held back by the gate: " + t.refused.Error()
	case t.modelErr != nil:
		step.Incomplete = message(t.modelErr)
	case len(passages) == 0:
		step.Incomplete = "no passage of the library bears on it"
	}
	return step, c.emit(Event{Kind: Stepped, Step: 1, Taken: step})
}

// second is the answer, attributed to the facts alone.
func (c *chain) second(ctx context.Context, passages []ibid.Passage) error {
	t := c.turn(guarded{c.Asker.Model, stepTokens * perToken}, 0)
	judge, err := attribute.With(attribute.DualPass, t.asker.Attributor)
	if err != nil {
		return err
	}
	t.asker.Attributor = narrowed{stepwise{judge, c.steps}, reason.FactsOf(c.steps[0])}
	t.answer = ibid.Answer{Question: c.question, Conversation: c.thought.Question.Conversation, Steps: c.steps, Passages: passages}
	prompt := ibid.Prompt{System: marker.Prompt(passages), Question: c.question, Passages: passages,
		Messages: append(reason.Earlier(c.steps), ibid.Message{Role: "user", Text: c.question})}
	if err := c.show(ctx, t, prompt); err != nil {
		return err
	}
	c.spend(t.answer.Usage, length(passages)+t.text.Len())
	t.answer.Usage = c.usage
	t.answer.Model = or2(t.answer.Model, c.model)
	if t.modelErr != nil && strings.TrimSpace(t.text.String()) == "" && c.steps[0].Text == "" {
		return t.modelErr
	}
	t.answer.Incomplete = join("; ", t.answer.Incomplete, incomplete(c.steps))
	if err := t.record(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	if err := c.deliver(t); err != nil {
		return err
	}
	return errors.Join(t.modelErr, t.refused)
}

// narrowed attributes to facts: passages cut down to the sentences that a first pass found. A fact keeps its passage's rank.
type narrowed struct {
	by    ibid.Attributor
	facts []reason.Fact
}

func (n narrowed) Attribute(ctx context.Context, passages []ibid.Passage, drafts iter.Seq2[ibid.Draft, error]) iter.Seq2[ibid.Finding, error] {
	var cut []ibid.Passage
	seen := map[ibid.Anchor]bool{}
	for _, f := range n.facts {
		for _, p := range passages {
			if seen[f.At] || p.Chunk.At.Document != f.At.Document || !p.Chunk.At.Span.Contains(f.At.Span) {
				continue
			}
			seen[f.At] = true
			p.Chunk.Text = f.At.Span.Shift(-p.Chunk.At.Span.Start).In(p.Chunk.Text)
			p.Chunk.At = f.At
			cut = append(cut, p)
		}
	}
	return n.by.Attribute(ctx, cut, drafts)
}
