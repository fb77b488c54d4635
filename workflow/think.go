package workflow

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/internal/wording"
	"github.com/ibid-dev/ibid/marker"
	"github.com/ibid-dev/ibid/reason"
)

// Thinker answers hard questions in steps, each of which retrieves for itself and rests on its own passages. It stands on
// an Asker: the same stages, once per step and once for the answer.
type Thinker struct {
	Asker *Asker

	// Planner is the language model that takes questions apart and puts the steps together. Where it is nil both are done by
	// rules, and the answer is made of sentences of the steps.
	Planner ibid.Model
	// Facts lists what the passages say, for the first pass of Dual. Defaults to the Asker's model.
	Facts ibid.Model
	// Budget is how many tokens a whole chain may take, given and written. Defaults to 60,000.
	Budget int
}

// Thought is a question to be answered in steps.
type Thought struct {
	Question Question
	// Strategy is the way the question is taken apart. Defaults to the one that suits its kind.
	Strategy reason.Strategy
	Limits   reason.Limits
	// Budget overrides the Thinker's where it is set.
	Budget int
}

// The further events of a chain of thought: Planned once at the beginning, Begun and Stepped around the events of each
// step, then the events of the answer itself.
const (
	Planned EventKind = "plan"
	Begun   EventKind = "step"
	Stepped EventKind = "stepped"
)

// Think answers a question in steps. The last event is Done and carries the answer with its steps, as it was recorded.
// Whatever goes wrong in a step ends that step, which says so; the chain goes on with what it has. The context's end ends
// the chain: what came until then is recorded, and the error follows Done.
func (t *Thinker) Think(ctx context.Context, th Thought) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		c := &chain{Thinker: t, thought: th, emit: emitter(yield)}
		c.holdSteps()
		if err := c.run(ctx); err != nil && !errors.Is(err, errLeft) {
			yield(Event{}, err)
		}
	}
}

func emitter(yield func(Event, error) bool) func(Event) error {
	return func(e Event) error {
		if !yield(e, nil) {
			return errLeft
		}
		return nil
	}
}

const (
	thinkBudget = 60_000
	// leastStep is what a step needs: a passage and a sentence.
	leastStep = 150
	// stepTokens is how many tokens a step, or the answer, may have. A model that is asked for more than it can write refuses.
	stepTokens = 2000
	// shownSteps is how many earlier answers a step is shown.
	shownSteps = 4
	// planBytes bounds what is read of a plan.
	planBytes = 8 << 10
	// perToken is how many characters a token is taken for where the model does not tell.
	perToken = 4
)

// chain is one question on its way through its steps.
type chain struct {
	*Thinker
	thought Thought
	emit    func(Event) error

	question string
	plan     reason.Plan
	steps    []ibid.Step
	usage    ibid.Usage
	spent    int    // tokens
	model    string // that answered last
	failed   error  // why the first step failed that did
	broken   bool   // a step was not taken, or not to its end
	closing  string // what the model that puts the steps together is asked; "" asks it to answer the question
	held     []Event
	pass     func(Event) error // where steps are held: to the reader
}

func (c *chain) run(ctx context.Context) error {
	var err error
	if c.question, err = asked(c.thought.Question.Text); err != nil {
		return err
	}
	c.makePlan(ctx)
	if err := c.emit(Event{Kind: Planned, Plan: c.plan}); err != nil {
		return err
	}
	if err := c.takeSteps(ctx); err != nil {
		return err
	}
	return c.conclude(ctx)
}

// makePlan takes the question apart: by the language model where there is one and its plan is of use, else by rules.
func (c *chain) makePlan(ctx context.Context) {
	c.plan = reason.Split(c.question, c.thought.Strategy, c.thought.Limits)
	if c.Planner == nil {
		return
	}
	reply, err := c.consult(ctx, reason.PlanPrompt(c.question, c.plan.Strategy, c.thought.Limits))
	parts, unread := reason.ParsePlan(reply, c.question, c.plan.Strategy, c.thought.Limits)
	if unread == nil { // also of a reply that was cut: whole lines are whole questions
		c.plan.Parts, c.plan.Note = parts, ""
		return
	}
	if err == nil {
		err = unread
	}
	c.plan.Note = join("; ", c.plan.Note, "the model gave no plan ("+message(err)+"): taken apart by rules")
}

// consult reads a short reply of the planner.
func (c *chain) consult(ctx context.Context, p ibid.Prompt) (string, error) {
	var b strings.Builder
	var usage ibid.Usage
	var failed error
	for d, err := range (guarded{c.Planner, planBytes}).Generate(ctx, p) {
		if err != nil {
			failed = err
			break
		}
		b.WriteString(d.Text)
		usage = d.Usage
	}
	c.spend(usage, len(p.System)+b.Len())
	return b.String(), failed
}

// spend counts tokens: those that the model tells of, or those that the characters make up for.
func (c *chain) spend(u ibid.Usage, characters int) {
	c.usage.Input += u.Input
	c.usage.Output += u.Output
	c.spent += max(u.Input+u.Output, characters/perToken)
}

func (c *chain) budget() int { return or(c.thought.Budget, or(c.Budget, thinkBudget)) }

// takeSteps asks the parts of the plan one by one, and of an iterative chain what the answers bring up.
func (c *chain) takeSteps(ctx context.Context) error {
	limits := c.thought.Limits.Filled()
	for i := 0; i < len(c.plan.Parts); i++ {
		if err := c.take(ctx, c.plan.Parts[i], i == 0); err != nil {
			return err
		}
		if c.plan.Strategy != reason.Iterative || i+1 < len(c.plan.Parts) || i+1 >= min(limits.Depth+1, limits.Steps) || c.steps[i].Incomplete != "" || ctx.Err() != nil {
			continue
		}
		if next, ok := c.next(ctx); ok {
			c.plan.Parts = append(c.plan.Parts, next)
		}
	}
	return nil
}

func (c *chain) next(ctx context.Context) (reason.Part, bool) {
	if c.Planner == nil {
		return reason.Next(c.question, c.steps)
	}
	reply, err := c.consult(ctx, reason.NextPrompt(c.question, c.steps))
	if part, ok := reason.ParseNext(reply, c.steps); ok || err == nil {
		return part, ok
	}
	return reason.Next(c.question, c.steps)
}

// take takes one step. Only a reader that left, or a library that can't be searched at all, ends the chain.
func (c *chain) take(ctx context.Context, part reason.Part, first bool) error {
	step := ibid.Step{Number: len(c.steps) + 1, Question: part.Question, Trace: part.Why}
	if first {
		step.Trace = join("; ", step.Trace, c.plan.Note)
	}
	if err := c.emit(Event{Kind: Begun, Step: step.Number, Taken: step}); err != nil {
		return err
	}
	begun := c.Asker.Now()
	err := c.answerStep(ctx, part, &step)
	if errors.Is(err, errLeft) || err != nil && len(c.steps) == 0 {
		return err
	}
	if err != nil {
		c.unfinished(&step, message(err))
	}
	step.Seconds = max(0, c.Asker.Now().Sub(begun).Seconds())
	step.Confidence = reason.Confidence(step.Text, step.Segments)
	c.steps = append(c.steps, step)
	return c.emit(Event{Kind: Stepped, Step: step.Number, Taken: step})
}

// unfinished says why a step was not taken, or not to its end.
func (c *chain) unfinished(step *ibid.Step, why string) { step.Incomplete, c.broken = why, true }

// answerStep retrieves for the step, asks the model, and attributes what it says to the passages it was given.
func (c *chain) answerStep(ctx context.Context, part reason.Part, step *ibid.Step) error {
	left := c.budget() - c.spent - c.reserve()
	switch {
	case ctx.Err() != nil:
		c.unfinished(step, "not taken: interrupted before")
		return nil
	case left < leastStep:
		c.unfinished(step, fmt.Sprintf("not taken: the budget of %d tokens is spent", c.budget()))
		return nil
	}
	found, err := c.retrieve(ctx, part.Search)
	if err != nil {
		return err
	}
	characters := left * perToken * 3 / 4 // the rest is for the answer
	passages := fitting(found, min(or(c.Asker.Budget, 24_000), characters))
	if len(passages) > 0 && len(passages[0].Chunk.Text) > characters {
		c.unfinished(step, fmt.Sprintf("not taken: what is left of the budget of %d tokens holds no passage", c.budget()))
		return nil
	}
	earlier := c.shown()
	for _, s := range earlier {
		step.Saw = append(step.Saw, s.Number)
	}
	tokens := max(min(left-length(passages)/perToken, stepTokens), leastStep/2)
	t := c.turn(guarded{c.Asker.Model, tokens * perToken}, step.Number)
	t.answer.Passages = passages
	if err := t.emit(Event{Kind: Retrieved, Passages: passages}); err != nil {
		return err
	}
	prompt := ibid.Prompt{
		System: marker.Prompt(passages), Messages: append(reason.Earlier(earlier), ibid.Message{Role: "user", Text: part.Question}),
		Question: part.Question, Passages: passages, MaxTokens: tokens,
	}
	t.gated()
	if err := t.generate(ctx, prompt); err != nil {
		return err
	}
	c.spend(t.answer.Usage, length(passages)+t.text.Len())
	if step.Text, err = t.passed(); err != nil {
		return err
	}
	step.Passages, step.Segments, step.Attributions = passages, t.answer.Segments, t.answer.Attributions
	switch {
	case t.refused != nil:
		c.unfinished(step, "held back by the gate: "+t.refused.Error())
	case t.modelErr != nil:
		c.unfinished(step, message(t.modelErr))
		if c.failed == nil {
			c.failed = t.modelErr
		}
	case len(passages) == 0:
		step.Incomplete = "no passage of the library bears on it"
	case step.Text == "":
		step.Incomplete = "the model said nothing"
	}
	c.model = or2(t.answer.Model, c.model)
	return nil
}

// passed gives the text of a step as it may be shown: what the gate holds back of an answer it holds back of the steps too.
func (t *turn) passed() (string, error) {
	if t.holder == nil {
		return t.text.String(), nil
	}
	report, done, err := t.holder.finish()
	if err != nil {
		return "", err
	}
	if done == gate.Block {
		t.refused = &gate.RefusedError{Report: report}
	}
	for _, e := range append(t.waiting, t.placed()...) {
		if err := t.emit(e); err != nil {
			return "", err
		}
	}
	return t.holder.shown.String(), nil
}

// turn is a turn of the asker with another model, whose events belong to a step.
func (c *chain) turn(model ibid.Model, step int) *turn {
	asker := *c.Asker
	asker.Model = model
	return &turn{asker: &asker, question: c.thought.Question, emit: func(e Event) error {
		e.Step = step
		return c.emit(e)
	}}
}

func (c *chain) retrieve(ctx context.Context, search string) ([]ibid.Passage, error) {
	where := c.thought.Question.Where
	where.Text = search
	where.Limit = or(c.Asker.Passages, 8)
	found, err := c.Asker.Retriever.Retrieve(ctx, where)
	if err != nil {
		return nil, fmt.Errorf("retrieving: %w", err)
	}
	return found, nil
}

// reserve is what is kept of the budget for putting the steps together, where a model does that.
func (c *chain) reserve() int {
	if c.Planner == nil {
		return 0
	}
	return c.budget() / 6
}

// shown are the earlier steps whose answers the next one sees.
func (c *chain) shown() []ibid.Step {
	var out []ibid.Step
	for _, s := range c.steps {
		if s.Text != "" {
			out = append(out, s)
		}
	}
	return out[max(0, len(out)-shownSteps):]
}

// conclude puts the steps together, attributes the answer to the passages that the steps rest on and so to the steps, and
// records it.
func (c *chain) conclude(ctx context.Context) error {
	passages := fitting(rested(c.steps), or(c.Asker.Budget, 24_000))
	keep := context.WithoutCancel(ctx)
	composed := said{text: compose(c.steps, passages), model: c.model}
	if composed.text == nothing && c.broken {
		composed.text = unanswered
	}
	var t *turn
	if left := c.budget() - c.spent; c.Planner != nil && ctx.Err() == nil && len(c.shown()) > 0 && left-length(passages)/perToken >= leastStep {
		tokens := min(left-length(passages)/perToken, stepTokens)
		t = c.concluding(guarded{c.Planner, tokens * perToken}, passages)
		prompt := ibid.Prompt{
			System: marker.Prompt(passages), Messages: append(reason.Earlier(c.steps), ibid.Message{Role: "user", Text: or2(c.closing, reason.Asked(c.question))}),
			Question: c.question, Passages: passages, MaxTokens: tokens,
		}
		if err := c.show(ctx, t, prompt); err != nil {
			return err
		}
		c.spend(t.answer.Usage, length(passages)+t.text.Len())
	}
	if t == nil || strings.TrimSpace(t.text.String()) == "" {
		why := ""
		if t != nil && t.modelErr != nil {
			why = "put together by rules, as the model failed: " + message(t.modelErr)
		}
		t = c.concluding(composed, passages)
		if err := c.show(keep, t, ibid.Prompt{Question: c.question, Passages: passages}); err != nil {
			return err
		}
		t.answer.Incomplete = why
	}
	t.answer.Model = or2(t.answer.Model, c.model)
	t.answer.Usage = c.usage
	t.answer.Incomplete = join("; ", t.answer.Incomplete, incomplete(c.steps))
	if err := t.record(keep); err != nil {
		return err
	}
	if err := c.deliver(t); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if c.failed != nil && len(c.shown()) == 0 {
		return c.failed
	}
	return t.refused
}

func (c *chain) concluding(model ibid.Model, passages []ibid.Passage) *turn {
	t := c.turn(model, 0)
	t.asker.Attributor = stepwise{t.asker.Attributor, c.steps}
	t.answer = ibid.Answer{Question: c.question, Conversation: c.thought.Question.Conversation, Steps: c.steps, Passages: passages}
	return t
}

func (c *chain) show(ctx context.Context, t *turn, p ibid.Prompt) error {
	if err := t.emit(Event{Kind: Retrieved, Passages: t.answer.Passages}); err != nil {
		return err
	}
	t.gated()
	return t.generate(ctx, p)
}

// incomplete sums up which steps ended early.
func incomplete(steps []ibid.Step) string {
	var out []string
	for _, s := range steps {
		if s.Incomplete != "" {
			out = append(out, fmt.Sprintf("step %d: %s", s.Number, s.Incomplete))
		}
	}
	return strings.Join(out, "; ")
}

// rested gives the passages that the steps rest on, in the order of the steps, each once. Where the steps rest on none, the
// best of each is given, so that the answer can still be held against something.
func rested(steps []ibid.Step) []ibid.Passage {
	var out []ibid.Passage
	add := func(p ibid.Passage) {
		if i := slices.IndexFunc(out, func(o ibid.Passage) bool { return o.Chunk.At == p.Chunk.At && o.Source.ID == p.Source.ID }); i >= 0 {
			out[i].Score = max(out[i].Score, p.Score)
			return
		}
		p.Rank = len(out) + 1
		out = append(out, p)
	}
	for _, s := range steps {
		for _, p := range s.Passages {
			if slices.ContainsFunc(s.Segments, func(g ibid.Segment) bool { return slices.Contains(g.Refs, p.Rank) }) {
				add(p)
			}
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, s := range steps {
		if len(s.Passages) > 0 {
			add(s.Passages[0])
		}
	}
	return out
}

func length(passages []ibid.Passage) int {
	n := 0
	for _, p := range passages {
		n += len(p.Chunk.Text)
	}
	return n
}

// message is an error for a record that people read, not only on this machine: one that knows what others may be told says
// that. That a context ended is said in words.
func message(err error) string {
	var plain interface{ Plain() string }
	switch {
	case errors.Is(err, context.Canceled):
		return "interrupted before its end"
	case errors.Is(err, context.DeadlineExceeded):
		return "out of time before its end"
	case errors.As(err, &plain):
		return plain.Plain()
	}
	return wording.Of(err)
}

func join(sep string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), sep)
}

func or2(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
