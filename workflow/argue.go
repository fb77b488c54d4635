package workflow

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite/argument"
	"github.com/ibid-dev/ibid/conflict"
	"github.com/ibid-dev/ibid/reason"
	"github.com/ibid-dev/ibid/text"
)

// Arguer argues a claim for and against from a library, and weighs both. It stands on a Thinker: the case for and the case
// against are two steps, each with passages of its own, and the answer puts them together.
type Arguer struct {
	Thinker *Thinker
	// Conflicts finds what denies the claim, and where the sides contradict each other. Where it is nil words alone tell.
	Conflicts *conflict.Finder
}

// Argue argues a claim, which is the text of the question. Events and errors are those of Think; Map makes the argument out
// of the answer.
func (r *Arguer) Argue(ctx context.Context, q Question) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		c := &chain{Thinker: r.Thinker, thought: Thought{Question: q}, emit: emitter(yield)}
		c.holdSteps()
		if err := r.run(ctx, c); err != nil && !errors.Is(err, errLeft) {
			yield(Event{}, err)
		}
	}
}

func (r *Arguer) run(ctx context.Context, c *chain) error {
	var err error
	if c.question, err = asked(c.thought.Question.Text); err != nil {
		return fmt.Errorf("the claim: %w", err)
	}
	pro, con := reason.Sides(c.question)
	c.plan = reason.Plan{Question: c.question, Kind: "claim", Strategy: "argument", Parts: []reason.Part{pro, con}}
	c.closing = reason.Weigh(c.question)
	if err := c.emit(Event{Kind: Planned, Plan: c.plan}); err != nil {
		return err
	}
	bears := bearing{by: r.Thinker.Asker.Attributor, conflicts: r.Conflicts, claim: c.question, alone: r.Thinker.Planner == nil}
	wide := *r.Thinker.Asker
	wide.Passages = max(wide.Passages, 16) // both sides of a matter stand further apart than one answer to a question
	for i, part := range c.plan.Parts {
		if r.Thinker.Planner == nil { // sentences of the documents, by the side that they bear on
			asker, thinker := wide, *r.Thinker
			asker.Model = advocate{bears, i == 1}
			thinker.Asker = &asker
			c.Thinker = &thinker
		}
		if err := c.take(ctx, part, i == 0); err != nil {
			return err
		}
	}
	c.Thinker = r.Thinker
	return c.conclude(ctx)
}

// Argued reports whether an answer was made by Argue, to its end or not: its steps are the two sides of its question.
func Argued(a ibid.Answer) bool {
	pro, con := reason.Sides(a.Question)
	return len(a.Steps) == 2 && a.Steps[0].Question == pro.Question && a.Steps[1].Question == con.Question
}

// Map makes the argument out of a recorded answer of Argue.
func (r *Arguer) Map(ctx context.Context, a ibid.Answer) (argument.Argument, error) {
	var given []ibid.Passage
	for _, s := range a.Steps {
		for _, p := range s.Passages {
			if !slices.ContainsFunc(given, func(o ibid.Passage) bool { return o.Chunk.At == p.Chunk.At }) {
				given = append(given, p)
			}
		}
	}
	bears := bearing{by: r.Thinker.Asker.Attributor, conflicts: r.Conflicts, claim: a.Question, weights: reason.WeightsOf(given), alone: r.Thinker.Planner == nil}
	var failed error
	out := argument.Build(a, a.Question, func(s argument.Stance, statement string) float64 {
		pro, con, err := bears.on(ctx, taken(a, statement))
		if err != nil {
			failed = err
		}
		if s == argument.Opponent {
			return con
		}
		return pro
	})
	if failed != nil {
		return argument.Argument{}, failed
	}
	conflicts, err := r.clashes(ctx, out)
	if err != nil {
		return argument.Argument{}, err
	}
	out.Contradict(conflicts)
	return out, nil
}

// clashes finds statements of the two sides that cannot both hold.
func (r *Arguer) clashes(ctx context.Context, a argument.Argument) ([]argument.Conflict, error) {
	var out []argument.Conflict
	for _, x := range a.Side(argument.Proponent) {
		for _, y := range a.Side(argument.Opponent) {
			if ours, theirs, ok := reason.OtherNumber(x.Text, y.Text); ok {
				out = append(out, argument.Conflict{A: x.ID, B: y.ID, WordsA: ours, WordsB: theirs, Severity: string(conflict.High),
					Reason: fmt.Sprintf("one says %q, the other %q", ours, theirs)})
			}
		}
	}
	if r.Conflicts == nil {
		return out, nil
	}
	var passages []ibid.Passage
	ids := map[ibid.DocumentID]string{}
	for i, st := range a.Statements {
		if st.Stance == argument.Synthesis {
			continue
		}
		p := loose(st.Text)
		p.Rank, p.Source = i+1, ibid.Source{ID: ibid.SourceID(st.ID)}
		ids[p.Chunk.At.Document] = st.ID
		passages = append(passages, p)
	}
	found, err := r.Conflicts.Passages(ctx, passages)
	if err != nil {
		return nil, fmt.Errorf("comparing the statements: %w", err)
	}
	for _, f := range found {
		c := argument.Conflict{A: ids[f.A.At.Document], B: ids[f.B.At.Document], WordsA: f.A.Says, WordsB: f.B.Says, Reason: f.Reason, Severity: string(f.Severity)}
		if !slices.ContainsFunc(out, func(o argument.Conflict) bool { return o.A == c.A && o.B == c.B || o.A == c.B && o.B == c.A }) {
			out = append(out, c)
		}
	}
	return out, nil
}

// taken is a statement as the passage it was taken from has it, with the heading and the title that say what it speaks of.
func taken(a ibid.Answer, statement string) ibid.Passage {
	for _, step := range a.Steps {
		for _, s := range step.Segments {
			if s.At.In(step.Text) != statement {
				continue
			}
			for _, link := range step.Attributions {
				for _, p := range step.Passages {
					if link.Of == s.At && p.Chunk.At.Document == link.To.Document && p.Chunk.At.Span.Contains(link.To.Span) {
						p.Chunk.Text, p.Chunk.At = statement, link.To
						return p
					}
				}
			}
		}
	}
	return loose(statement)
}

// loose is a text as a passage of its own.
func loose(s string) ibid.Passage {
	return ibid.Passage{Rank: 1, Chunk: ibid.Chunk{Text: s, At: ibid.Anchor{Document: ibid.HashText(s), Span: ibid.Span{End: len(s)}}}}
}

// bearing says how strongly a sentence bears on a claim, and on which side.
type bearing struct {
	by        ibid.Attributor
	conflicts *conflict.Finder
	claim     string
	weights   reason.Weights
	// alone says that no language model tells the sides apart. What only touches the claim is on neither of them then: that
	// a cable was landed speaks of it, and not for its having failed.
	alone bool
}

const (
	likely = 0.5 // probability that a sentence says the claim, or denies it, from which it is taken to
	maybe  = 0.3 // the same, where its words speak for it too: a "not", or the claim's number of the same thing
	half   = 0.5 // share of the claim that a sentence must have to deny it
)

// on gives the strength with which a sentence speaks for the claim and against it. What touches the claim without saying it
// counts for less than what says or denies it.
func (b bearing) on(ctx context.Context, sentence ibid.Passage) (pro, con float64, err error) {
	statement := sentence.Chunk.Text
	touches := b.weights.Touches(b.claim, statement)
	_, _, other := reason.OtherNumber(b.claim, statement)
	if !reason.Meet(b.claim, statement) && !other || !b.speaksOf(statement) {
		return 0, 0, nil
	}
	draft := func(yield func(ibid.Draft, error) bool) {
		yield(ibid.Draft{At: ibid.Span{End: len(b.claim)}, Kind: ibid.Sentence, Text: b.claim}, nil)
	}
	said, dated := 0.0, false // dated: it gives another date of the same thing, which has at least half of the claim
	for f, err := range b.by.Attribute(ctx, []ibid.Passage{sentence}, draft) {
		if err != nil {
			return 0, 0, err
		}
		said = f.Segment.Support
		dated = touches >= half && slices.ContainsFunc(f.Segment.Contradicted, func(c ibid.Contradiction) bool { return c.Kind == "date" })
	}
	denied := 0.0
	if b.conflicts != nil {
		if denied, err = b.conflicts.Probability(ctx, []ibid.Passage{sentence}, b.claim); err != nil {
			return 0, 0, err
		}
	}
	says := said >= likely || said >= maybe && reason.SameNumber(b.claim, statement)
	switch not := reason.Denies(b.claim, statement); {
	case reason.OtherYear(b.claim, statement) && !dated:
		return 0, 0, nil // it speaks of something else
	case other, dated:
		return 0, max(denied, 0.6), nil
	case b.alone && touches < half && !says:
		return 0, 0, nil
	case denied > likely && denied > said:
		return 0, denied, nil
	case not && (denied >= maybe || b.conflicts == nil || !b.alone):
		return 0, max(denied, 0.6*touches+0.25), nil
	case b.alone && !says:
		return 0, 0, nil
	case b.alone:
		return said, 0, nil
	}
	return max(said, 0.8*touches), 0, nil
}

// speaksOf reports whether a statement has a name of the claim, where the claim has any.
func (b bearing) speaksOf(statement string) bool {
	names := reason.Names(b.claim)
	return len(names) == 0 || slices.ContainsFunc(names, func(n string) bool { return strings.Contains(statement, n) })
}

// advocate makes the case for one side without a language model: the sentences of the passages that bear on it most, each with
// its passage.
type advocate struct {
	bearing bearing
	against bool
}

const mostArguments = 4

func (a advocate) Generate(ctx context.Context, p ibid.Prompt) iter.Seq2[ibid.Delta, error] {
	return func(yield func(ibid.Delta, error) bool) {
		chosen, err := a.choose(ctx, p.Passages)
		if err != nil {
			yield(ibid.Delta{}, err)
			return
		}
		if len(chosen) == 0 {
			yield(ibid.Delta{Text: nothing, Model: "extractive"}, nil)
			return
		}
		for i, c := range chosen {
			lead := ""
			if i > 0 {
				lead = "\n\n"
			}
			if !yield(ibid.Delta{Text: fmt.Sprintf("%s%s [CTX %d]", lead, c.text, c.rank), Model: "extractive"}, nil) {
				return
			}
		}
	}
}

// ends is how a sentence ends that states something; a title has no such end.
var ends = regexp.MustCompile(`[.!;…][”"’)]*$`)

type advanced struct {
	text   string
	rank   int
	weight float64
}

func (a advocate) choose(ctx context.Context, passages []ibid.Passage) ([]advanced, error) {
	var all []advanced
	a.bearing.weights = reason.WeightsOf(passages)
	for _, p := range passages {
		for _, piece := range text.Pieces(p.Chunk.Text) {
			words := strings.Join(strings.Fields(piece.At.In(p.Chunk.Text)), " ")
			if piece.Kind != ibid.Sentence && piece.Kind != ibid.ListItem || !ends.MatchString(words) || len(strings.Fields(words)) < 5 || strings.ContainsAny(words, "[]{}") {
				continue
			}
			one := p
			one.Chunk.Text, one.Chunk.At.Span = piece.At.In(p.Chunk.Text), piece.At.Shift(p.Chunk.At.Span.Start)
			pro, con, err := a.bearing.on(ctx, one)
			if err != nil {
				return nil, err
			}
			weight := pro
			if a.against {
				weight = con
			}
			if weight > 0 && !slices.ContainsFunc(all, func(o advanced) bool { return o.text == words }) {
				all = append(all, advanced{words, p.Rank, weight})
			}
		}
	}
	slices.SortStableFunc(all, func(x, y advanced) int {
		switch {
		case x.weight > y.weight:
			return -1
		case x.weight < y.weight:
			return 1
		}
		return 0
	})
	return all[:min(len(all), mostArguments)], nil
}
