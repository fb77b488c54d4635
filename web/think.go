package web

import (
	"context"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/reason"
	"github.com/ibid-dev/ibid/workflow"
)

func (s *Server) mountThink() {
	add(s, operation{id: "think", method: "POST", path: "/api/v1/think", tag: "answers", summary: "Answer a question in steps, each with sources of its own", scope: api.Read, stream: true,
		doc:     "As JSON, or as a stream of events where Accept is text/event-stream. The answer is recorded with its steps.",
		answers: s.streamed(reflect.TypeFor[ibid.Answer](), thinkEvents()...)}, s.think)
}

// thinkEvents are the further events of a chain of thought.
func thinkEvents() []eventForm {
	return []eventForm{
		{"plan", reflect.TypeFor[planEvent](), "How the question is taken apart."},
		{"step", reflect.TypeFor[stepEvent](), "A step begins; the events that carry its number are its own."},
		{"stepped", reflect.TypeFor[stepForm](), "A step is done."},
	}
}

type thoughtForm struct {
	Question     string          `json:"question" minLength:"1" maxLength:"20000"`
	Conversation string          `json:"conversation,omitempty" maxLength:"200"`
	Strategy     reason.Strategy `json:"strategy,omitempty" maxLength:"50" doc:"How it is taken apart; what suits its kind where it is left out."`
	Steps        int             `json:"steps,omitempty" minimum:"0" maximum:"20" doc:"At most; 6 where it is left out."`
	Dual         bool            `json:"dual,omitempty" doc:"First the facts of the passages, then the answer from them."`
}

func (s *Server) think(ctx context.Context, in *body[thoughtForm]) (*huma.StreamResponse, error) {
	c := callerOf(ctx)
	if workflow.Blank(in.Body.Question) {
		return nil, invalid("body.question", "the question is empty")
	}
	thought := workflow.Thought{Limits: reason.Limits{Steps: in.Body.Steps}}
	if in.Body.Strategy != "" {
		var err error
		if thought.Strategy, err = reason.ParseStrategy(string(in.Body.Strategy)); err != nil {
			return nil, &fieldError{"body.strategy", err}
		}
	}
	thinker := workflow.Thinker{}
	if s.Thinker != nil {
		thinker = *s.Thinker
	}
	thinker.Asker = s.asker(c)
	run := func(ctx context.Context, q workflow.Question) eventSeq {
		if in.Body.Dual {
			return thinker.Dual(ctx, q)
		}
		thought.Question = q
		return thinker.Think(ctx, thought)
	}
	q := workflow.Question{Text: in.Body.Question, Conversation: ibid.ConversationID(in.Body.Conversation), Where: c.where()}
	return s.answering(ctx, c, run, q, func(a ibid.Answer) any { return out(a) })
}
