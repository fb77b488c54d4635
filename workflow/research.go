package workflow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite/dossier"
	"github.com/ibid-dev/ibid/conflict"
	"github.com/ibid-dev/ibid/quality"
	"github.com/ibid-dev/ibid/reason"
)

// Researcher works on studies: it takes a topic apart into questions, asks each, gathers the evidence, and finds where the
// sources disagree. It stands on an Asker, and each question becomes a recorded answer.
type Researcher struct {
	Asker   *Asker
	Studies Studies
	NewID   func() string

	// Planner is the language model that makes the questions. Where it is nil they are made by rules.
	Planner ibid.Model
	// Conflicts finds where sources disagree. Where it is nil that is not looked at.
	Conflicts *conflict.Finder
	// Quality rates sources beside their credibility. Where it is nil they have no rating.
	Quality *quality.Rater
}

// Studies keeps studies, and the answers that they rest on.
type Studies interface {
	PutStudy(ctx context.Context, s dossier.Study) error
	Answer(ctx context.Context, id ibid.AnswerID) (ibid.Answer, error)
}

// Topic is what is to be researched, in which part of the library.
type Topic struct {
	Text  string
	Depth dossier.Depth // defaults to moderate
	Where ibid.Query
	// Sources are described by the caller: their type, their credibility. Others are described by their records.
	Sources []dossier.Source
}

// Progress is a study on its way.
type Progress struct {
	Study    dossier.Study
	Question int   // the question that is asked now, from 1; 0 where none is
	Event    Event // of its answer, while it is made
}

// Begin takes a topic apart and keeps the study, with all of its questions open.
func (r *Researcher) Begin(ctx context.Context, t Topic) (dossier.Study, error) {
	text, err := asked(t.Text)
	if err != nil {
		return dossier.Study{}, fmt.Errorf("the topic: %w", err)
	}
	now := r.Asker.Now().UTC()
	s := dossier.Study{ID: r.NewID(), Topic: text, Depth: dossier.Depth(cmp.Or(string(t.Depth), string(dossier.Moderate))), Collection: t.Where.Collection, Only: t.Where.Sources,
		Sources: []dossier.Source{}, Questions: []dossier.Question{}, Contradictions: []dossier.Contradiction{}, CreatedAt: now, UpdatedAt: now}
	for _, src := range t.Sources {
		s.Sources = append(s.Sources, r.rate(src))
	}
	where := t.Where
	where.Text, where.Limit = text, 24
	passages, err := r.Asker.Retriever.Retrieve(ctx, where)
	if err != nil {
		return dossier.Study{}, fmt.Errorf("retrieving: %w", err)
	}
	for i, p := range r.questions(ctx, s, passages) {
		s.Questions = append(s.Questions, dossier.Question{Number: i + 1, Text: p.Question, Why: p.Why, State: dossier.Open, Evidence: []dossier.Evidence{}})
	}
	return s, r.Studies.PutStudy(ctx, s)
}

func (r *Researcher) questions(ctx context.Context, s dossier.Study, passages []ibid.Passage) []reason.Part {
	least, most := s.Depth.Questions()
	if r.Planner == nil {
		return reason.ResearchQuestions(s.Topic, passages, least, most)
	}
	var reply strings.Builder
	for d, err := range (guarded{r.Planner, planBytes}).Generate(ctx, reason.ResearchPrompt(s.Topic, passages, least, most)) {
		if err != nil {
			break // whole lines are whole questions; what is missing is made by rules
		}
		reply.WriteString(d.Text)
	}
	return reason.ParseResearch(reply.String(), s.Topic, passages, least, most)
}

// Work asks the questions that are open, or failed before, and keeps the study after each: it can be stopped at any time
// and goes on where it stopped. The last progress carries the study as it was kept. Where the context ends, the question
// under way stays open and the error follows.
func (r *Researcher) Work(ctx context.Context, s dossier.Study) iter.Seq2[Progress, error] {
	return func(yield func(Progress, error) bool) {
		emit := func(p Progress) error {
			if !yield(p, nil) {
				return errLeft
			}
			return nil
		}
		if err := r.work(ctx, s, emit); err != nil && !errors.Is(err, errLeft) {
			yield(Progress{}, err)
		}
	}
}

func (r *Researcher) work(ctx context.Context, s dossier.Study, emit func(Progress) error) error {
	s.Questions = slices.Clone(s.Questions)
	for i := range s.Questions {
		q := &s.Questions[i]
		if q.State != dossier.Open && q.State != dossier.Failed {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := emit(Progress{Study: s, Question: q.Number}); err != nil {
			return err
		}
		if err := r.ask(ctx, &s, q, emit); err != nil {
			return err
		}
		s.UpdatedAt, s.Done = r.Asker.Now().UTC(), false
		if err := r.Studies.PutStudy(context.WithoutCancel(ctx), s); err != nil {
			return err
		}
	}
	if err := r.finish(ctx, &s); err != nil {
		return err
	}
	if err := r.Studies.PutStudy(context.WithoutCancel(ctx), s); err != nil {
		return err
	}
	return emit(Progress{Study: s})
}

// ask answers one question. A model that fails leaves the question as failed, to be asked again another time.
func (r *Researcher) ask(ctx context.Context, s *dossier.Study, q *dossier.Question, emit func(Progress) error) error {
	ask := Question{Text: q.Text, Where: ibid.Query{Collection: s.Collection, Sources: s.Only}}
	var answer ibid.Answer
	var failed error
	asker := *r.Asker
	asker.Model = guarded{asker.Model, stepTokens * perToken}
	for e, err := range asker.Ask(ctx, ask) {
		if err != nil {
			failed = err
			continue
		}
		answer = e.Answer
		if err := emit(Progress{Study: *s, Question: q.Number, Event: e}); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	q.Note, q.Answer = "", answer.ID
	if failed != nil {
		q.State, q.Note, q.Evidence = dossier.Failed, message(failed), []dossier.Evidence{}
		return nil
	}
	s.Model = cmp.Or(answer.Model, s.Model)
	q.Evidence = dossier.Gather(q.Number, answer)
	q.State = dossier.Unanswered
	if slices.ContainsFunc(q.Evidence, func(e dossier.Evidence) bool { return len(e.Places) > 0 }) {
		q.State = dossier.Answered
	}
	return nil
}

// finish gathers the sources and finds where they disagree.
func (r *Researcher) finish(ctx context.Context, s *dossier.Study) error {
	var passages []ibid.Passage
	for _, q := range s.Questions {
		if q.Answer == "" {
			continue
		}
		a, err := r.Studies.Answer(ctx, q.Answer)
		if errors.Is(err, ibid.ErrNotFound) { // it was erased
			continue
		}
		if err != nil {
			return fmt.Errorf("question %d: %w", q.Number, err)
		}
		for _, p := range a.Passages {
			if !slices.ContainsFunc(passages, func(o ibid.Passage) bool { return o.Chunk.At == p.Chunk.At && o.Source.ID == p.Source.ID }) {
				p.Rank = len(passages) + 1
				passages = append(passages, p)
			}
		}
	}
	for _, p := range passages {
		if !slices.ContainsFunc(s.Sources, func(o dossier.Source) bool { return o.Source.ID == p.Source.ID }) {
			s.Sources = append(s.Sources, r.rate(dossier.Describe(p.Source, "", "")))
		}
	}
	dossier.Order(s.Sources)
	if err := r.disagree(ctx, s, passages); err != nil {
		return err
	}
	s.Dispute()
	s.UpdatedAt, s.Done = r.Asker.Now().UTC(), true
	for _, q := range s.Questions {
		if q.State == dossier.Failed {
			s.Done = false
		}
	}
	return nil
}

// rate gives a source its quality, explained.
func (r *Researcher) rate(s dossier.Source) dossier.Source {
	if r.Quality == nil {
		return s
	}
	score := r.Quality.Rate(s.Source, quality.About{Now: r.Asker.Now()})
	s.Quality, s.Why = score.Value, nil
	for _, p := range score.Parts {
		s.Why = append(s.Why, p.Why)
	}
	return s
}

// mostContradictions bounds how many a dossier lists, the surest first.
const mostContradictions = 20

// disagree finds the contradictions that touch what the study states.
func (r *Researcher) disagree(ctx context.Context, s *dossier.Study, passages []ibid.Passage) error {
	s.Contradictions = []dossier.Contradiction{}
	if r.Conflicts == nil {
		return nil
	}
	found, err := r.Conflicts.Passages(ctx, passages)
	if err != nil {
		return fmt.Errorf("comparing the sources: %w", err)
	}
	for _, f := range found {
		if len(s.Contradictions) == mostContradictions {
			break
		}
		if stated(s, f.A.At) || stated(s, f.B.At) {
			s.Contradictions = append(s.Contradictions, dossier.Contradiction{Kind: string(f.Kind), Severity: string(f.Severity), Confidence: f.Confidence, Reason: f.Reason,
				A: sideOf(f.A, passages), B: sideOf(f.B, passages)})
		}
	}
	return nil
}

func stated(s *dossier.Study, at ibid.Anchor) bool {
	for _, q := range s.Questions {
		for _, e := range q.Evidence {
			for _, p := range e.Places {
				if p.At.Document == at.Document && p.At.Span.Overlaps(at.Span) {
					return true
				}
			}
		}
	}
	return false
}

func sideOf(side conflict.Side, passages []ibid.Passage) dossier.Place {
	p := dossier.Place{Source: side.Source, At: side.At, Quote: side.Quote, Confidence: 1}
	for _, x := range passages {
		if x.Source.ID == side.Source && x.Chunk.At.Document == side.At.Document && x.Chunk.At.Span.Contains(side.At.Span) {
			p.Locator = x.Locator(side.At.Span.Start)
		}
	}
	return p
}
