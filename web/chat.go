package web

import (
	"context"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/workflow"
)

func (s *Server) mountChat() {
	add(s, operation{id: "chat", method: "POST", path: "/api/chat", tag: "chat", summary: "Answer a message", scope: api.Read, stream: true,
		doc: "As JSON, or as a stream of events where Accept is text/event-stream.", answers: s.streamed(reflect.TypeFor[replyForm]())}, s.chat)
	add(s, operation{id: "chatAttributed", method: "POST", path: "/api/chat/attributed", tag: "chat", summary: "Answer a message, with where its words come from", scope: api.Read, stream: true,
		doc:     "As JSON, or as a stream of events where Accept is text/event-stream. Indices of segments count UTF-16 units.",
		answers: s.streamed(reflect.TypeFor[attributedForm]())}, s.chatAttributed)
}

type messageForm struct {
	Message      string `json:"message" minLength:"1" maxLength:"20000"`
	Conversation string `json:"conversation,omitempty" maxLength:"200"`
	Debug        bool   `json:"debug,omitempty" doc:"Adds debugInfo to an attributed response."`
}

type replyForm struct {
	ID         ibid.AnswerID `json:"id" doc:"Of the recorded answer."`
	Response   string        `json:"response"`
	Incomplete string        `json:"incomplete,omitempty" doc:"Why it ended before its end."`
}

// attributedForm is an attribute.AttributedResponse, which has no place for what an answer lacks.
type attributedForm struct {
	Response   string                     `json:"response"`
	Metadata   attribute.ResponseMetadata `json:"metadata"`
	Incomplete string                     `json:"incomplete,omitempty" doc:"Why it ended before its end."`
}

func (m messageForm) asked(c *caller) (workflow.Question, error) {
	if strings.TrimSpace(m.Message) == "" {
		return workflow.Question{}, invalid("body.message", "the message is empty")
	}
	return workflow.Question{Text: m.Message, Conversation: ibid.ConversationID(m.Conversation), Where: c.where()}, nil
}

func (s *Server) chat(ctx context.Context, in *body[messageForm]) (*huma.StreamResponse, error) {
	c := callerOf(ctx)
	q, err := in.Body.asked(c)
	if err != nil {
		return nil, err
	}
	return s.answering(ctx, c, s.asker(c).Ask, q, func(a ibid.Answer) any { return replyForm{a.ID, a.Text, api.Public(a).Incomplete} })
}

func (s *Server) chatAttributed(ctx context.Context, in *body[messageForm]) (*huma.StreamResponse, error) {
	c := callerOf(ctx)
	q, err := in.Body.asked(c)
	if err != nil {
		return nil, err
	}
	debug := attribute.Strategy("")
	if in.Body.Debug {
		debug = attribute.Full
	}
	return s.answering(ctx, c, s.asker(c).Ask, q, func(a ibid.Answer) any {
		a = api.Public(a)
		r := attribute.Respond(a, debug)
		return attributedForm{r.Response, r.Metadata, a.Incomplete}
	})
}
