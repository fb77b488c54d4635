package web

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/workflow"
)

func (s *Server) mountAnswers() {
	add(s, operation{id: "ask", method: "POST", path: "/api/v1/ask", tag: "answers", summary: "Answer a question from the library", scope: api.Read, stream: true,
		doc:     "As JSON, or as a stream of events where Accept is text/event-stream. The answer is recorded.",
		answers: s.streamed(reflect.TypeFor[ibid.Answer]())}, s.ask)
	add(s, operation{id: "listAnswers", method: "GET", path: "/api/v1/answers", tag: "answers", summary: "List recorded answers, the latest first", scope: api.Read, doc: "All of them, or those that have the words (q) and rest on the source (source). Of an answer whose entry of the log was erased the words are not looked at."}, s.listAnswers)
	add(s, operation{id: "getAnswer", method: "GET", path: "/api/v1/answers/{id}", tag: "answers", summary: "A recorded answer", scope: api.Read}, s.answer)
	add(s, operation{id: "listSegments", method: "GET", path: "/api/v1/answers/{id}/segments", tag: "answers", summary: "The segments of an answer, each with its evidence", scope: api.Read}, s.segments)
	add(s, operation{id: "getSegment", method: "GET", path: "/api/v1/answers/{id}/segments/{number}", tag: "answers", summary: "One segment with its evidence in context", scope: api.Read}, s.segment)
	add(s, operation{id: "getConversation", method: "GET", path: "/api/v1/conversations/{id}", tag: "answers", summary: "The answers of a conversation, the oldest first", scope: api.Read}, s.conversation)
	s.mountStreams()
}

type questionForm struct {
	Question     string   `json:"question" minLength:"1" maxLength:"20000"`
	Conversation string   `json:"conversation,omitempty" maxLength:"200" doc:"Makes it a follow-up of the questions asked under the same name."`
	Sources      []string `json:"sources,omitempty" maxItems:"1000" doc:"Only these sources, by id."`
}

func (q questionForm) asked(ctx context.Context, c *caller) (workflow.Question, error) {
	out := workflow.Question{Text: q.Question, Conversation: ibid.ConversationID(q.Conversation), Where: c.where()}
	if workflow.Blank(q.Question) {
		return out, invalid("body.question", "the question is empty")
	}
	for i, id := range q.Sources {
		src, err := c.record().Source(ctx, ibid.SourceID(id))
		if err != nil {
			return out, &fieldError{fmt.Sprintf("body.sources[%d]", i), err}
		}
		out.Where.Sources = append(out.Where.Sources, src.ID)
	}
	return out, nil
}

// ask answers as JSON, or as events where the client accepts them.
func (s *Server) ask(ctx context.Context, in *body[questionForm]) (*huma.StreamResponse, error) {
	c := callerOf(ctx)
	q, err := in.Body.asked(ctx, c)
	if err != nil {
		return nil, err
	}
	run, err := s.inTrial(ctx, c, q)
	if err != nil {
		return nil, err
	}
	return s.answering(ctx, c, run, q, func(a ibid.Answer) any { return out(a) })
}

// answering runs a workflow to its end, streamed or whole.
func (s *Server) answering(ctx context.Context, c *caller, run asking, q workflow.Question, whole func(ibid.Answer) any) (*huma.StreamResponse, error) {
	run = s.traced("chat", run)
	if accepts(ctx, "text/event-stream") {
		return s.serveStream(ctx, c, func(ctx context.Context, send func(string, any) error) error {
			return s.tell(ctx, run(ctx, q), whole, send)
		}), nil
	}
	answer, err := last(run(ctx, q))
	if err != nil {
		return nil, err
	}
	return s.sendJSON(whole(answer)), nil
}

type (
	asking   = func(context.Context, workflow.Question) iter.Seq2[workflow.Event, error]
	eventSeq = iter.Seq2[workflow.Event, error]
)

// sendJSON gives a value as the one answer of an operation that could have streamed.
func (s *Server) sendJSON(v any) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		r, w := unwrap(hc)
		w.Header().Set("Content-Type", "application/json")
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(s.Patience))
		if err := writeJSON(w, v); err != nil && r.Context().Err() == nil {
			s.Log.Error("answer not sent", "error", err)
		}
	}}
}

func unwrap(hc huma.Context) (*http.Request, http.ResponseWriter) { return humago.Unwrap(hc) }

// last runs an answer to its end. An answer that was cut is given: it says so itself.
func last(events iter.Seq2[workflow.Event, error]) (ibid.Answer, error) {
	var answer ibid.Answer
	var failed error
	for e, err := range events {
		if err != nil {
			failed = err
		} else if e.Kind == workflow.Done {
			answer = e.Answer
		}
	}
	if answer.ID == "" {
		return ibid.Answer{}, failed
	}
	return answer, nil
}

// tell sends the events of an answer. What went wrong is said before done, which ends the stream.
func (s *Server) tell(ctx context.Context, events eventSeq, whole func(ibid.Answer) any, send func(string, any) error) error {
	tellers := map[int]*teller{}
	var answer *ibid.Answer
	var failed error
	for e, err := range events {
		if err != nil {
			failed = err
			break
		}
		if e.Kind == workflow.Done {
			answer = &e.Answer
			continue
		}
		so := tellers[e.Step]
		if so == nil {
			so = &teller{step: e.Step}
			tellers[e.Step] = so
		}
		kind, data, err := so.far(e)
		if err != nil {
			return err
		}
		if err := send(kind, data); err != nil {
			return err
		}
	}
	if answer == nil || answer.ID == "" {
		return failed
	}
	if v := answer.Verdict; v != nil {
		if err := send("gate", api.PublicVerdict(v)); err != nil {
			return err
		}
	}
	if answer.Entry != nil {
		if err := send("receipt", receiptEvent{*answer.Entry, "/api/v1/answers/" + string(answer.ID) + "/receipt"}); err != nil {
			return err
		}
	}
	if failed != nil {
		if err := send("error", s.problem(ctx, failed)); err != nil {
			return err
		}
	}
	return send("done", whole(*answer))
}

// teller turns the events of an answer, or of one of its steps, into what a client is told. It keeps the text and passages
// so far, by which offsets are measured.
type teller struct {
	step     int
	text     strings.Builder
	passages []ibid.Passage
	segments int
}

func (t *teller) far(e workflow.Event) (kind string, data any, err error) {
	kind = string(e.Kind)
	switch e.Kind {
	case workflow.Retrieved:
		t.passages = e.Passages
		return kind, retrievedEvent{t.step, listed(api.Public(ibid.Answer{Passages: e.Passages}).Passages)}, nil
	case workflow.Text:
		t.text.WriteString(e.Text)
		return kind, textEvent{t.step, e.Text}, nil
	case workflow.Referred:
		return kind, citationEvent{t.step, spanForm{Start: e.Of.Start, End: e.Of.End}, listed(e.Refs)}, nil
	case workflow.Decided:
		data, err = t.segment(e)
		return kind, data, err
	case workflow.Planned:
		plan := planEvent{Kind: string(e.Plan.Kind), Strategy: string(e.Plan.Strategy), Parts: []string{}, Note: e.Plan.Note}
		for _, p := range e.Plan.Parts {
			plan.Parts = append(plan.Parts, p.Question)
		}
		return kind, plan, nil
	case workflow.Begun:
		return kind, stepEvent{e.Taken.Number, e.Taken.Question, e.Taken.Trace}, nil
	case workflow.Stepped:
		data, err = stepOf(e.Taken)
		return kind, data, err
	}
	return "", nil, fmt.Errorf("event %q is not known", e.Kind)
}

// stepOf writes a step as the answer does.
func stepOf(st ibid.Step) (stepForm, error) {
	b, err := json.Marshal(api.Public(ibid.Answer{Steps: []ibid.Step{st}}))
	if err != nil {
		return stepForm{}, err
	}
	var out struct{ Steps []stepForm }
	err = json.Unmarshal(b, &out)
	return out.Steps[0], err
}

// segment is written as a part of the answer is, so that a client reads the same form in the stream and in the record.
func (t *teller) segment(e workflow.Event) (any, error) {
	t.segments++
	part, err := partsOf(api.Public(ibid.Answer{Text: t.text.String(), Passages: t.passages,
		Segments: []ibid.Segment{e.Finding.Segment}, Attributions: e.Finding.Attributions, Citations: e.Citations}))
	if err != nil {
		return nil, err
	}
	return segmentEvent{t.step, t.segments, part.Segments[0], part.Attributions, part.Citations}, nil
}

// parts are the lists of an answer as its own JSON writes them.
type parts struct {
	Segments     []segmentForm     `json:"segments"`
	Attributions []attributionForm `json:"attributions"`
	Citations    []citationForm    `json:"citations"`
}

func partsOf(a ibid.Answer) (parts, error) {
	var p parts
	b, err := json.Marshal(a)
	if err != nil {
		return p, err
	}
	return p, json.Unmarshal(b, &p)
}

// listed gives an empty list for nil, as a list in JSON is never null.
func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// paging is how lists are gone through.
type paging struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"How many at most."`
	Cursor string `query:"cursor" maxLength:"500" doc:"The next of the page before."`
}

// after reads the cursor.
func (p paging) after() (string, error) {
	b, err := base64.RawURLEncoding.DecodeString(p.Cursor)
	if err != nil || len(b) > 0 && (!utf8.Valid(b) || workflow.Blank(string(b))) {
		return "", invalid("query.cursor", "not a cursor that a list gave")
	}
	return string(b), nil
}

// paged cuts a list that was asked for with one more than is shown.
func paged[T any](list []T, limit int, id func(T) string) api.Page[T] {
	page := api.Page[T]{Items: listed(list)}
	if len(list) > limit {
		page.Items = list[:limit]
		page.Next = base64.RawURLEncoding.EncodeToString([]byte(id(list[limit-1])))
	}
	return page
}

type answersParams struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"How many at most."`
	Cursor string `query:"cursor" maxLength:"500" doc:"The next of the page before."`
	Words  string `query:"q" maxLength:"500" doc:"Only those whose question or text has all of these words, in any case and with or without accents: \"words in quotes\" together, others whole, the last one as a beginning."`
	Source string `query:"source" maxLength:"200" doc:"Only those that rest on this source, in whichever version: an attribution leads to it. That it was retrieved is not enough."`

	Conversation string `query:"conversation" maxLength:"200" doc:"Only those of this conversation."`
}

func (s *Server) listAnswers(ctx context.Context, in *answersParams) (*body[api.Page[api.AnswerHead]], error) {
	before, err := paging{in.Limit, in.Cursor}.after()
	if err != nil {
		return nil, err
	}
	find := api.Find{Words: in.Words, Source: ibid.SourceID(in.Source), Conversation: ibid.ConversationID(in.Conversation)}
	list, err := callerOf(ctx).record().FindAnswers(ctx, find, ibid.AnswerID(before), in.Limit+1)
	switch {
	case errors.Is(err, ibid.ErrNotFound): // said as of a field: an empty list would be taken for "no answer rests on it"
		return nil, invalid("query.source", "there is no source %q", shortened(in.Source))
	case errors.Is(err, ibid.ErrInvalid):
		return nil, &fieldError{"query.q", err}
	}
	return &body[api.Page[api.AnswerHead]]{paged(list, in.Limit, func(h api.AnswerHead) string { return string(h.ID) })}, err
}

func (s *Server) answer(ctx context.Context, in *idParam) (*body[outgoing], error) {
	a, err := callerOf(ctx).record().Answer(ctx, ibid.AnswerID(in.ID))
	return &body[outgoing]{out(a)}, err
}

func (s *Server) conversation(ctx context.Context, in *idParam) (*body[api.Page[outgoing]], error) {
	turns, err := callerOf(ctx).record().Conversation(ctx, ibid.ConversationID(in.ID))
	if err != nil {
		return nil, err
	}
	page := api.Page[outgoing]{Items: []outgoing{}}
	for _, a := range turns {
		page.Items = append(page.Items, out(a))
	}
	return &body[api.Page[outgoing]]{page}, nil
}

// evidenced is a segment with what it rests on.
type evidenced struct {
	Number   int         `json:"number" doc:"1 for the first."`
	Text     string      `json:"text"`
	InWords  string      `json:"in_words" doc:"Where it comes from, for people."`
	Strength string      `json:"strength" enum:"strong,fair,weak"`
	Segment  segmentForm `json:"segment"`
	Numbers  []int       `json:"numbers" doc:"Of its citations."`
	Evidence []evidence  `json:"evidence" doc:"Best first."`
}

// evidence is one attribution with the words around it.
type evidence struct {
	Attribution attributionForm `json:"attribution"`
	Source      ibid.SourceID   `json:"source"`
	Title       string          `json:"title"`
	Name        string          `json:"name" doc:"Of the file or page."`
	Locator     string          `json:"locator,omitempty" doc:"Page or heading."`
	Heading     []string        `json:"heading,omitempty"`
	Strength    string          `json:"strength" enum:"strong,fair,weak"`
	Number      int             `json:"number,omitempty" doc:"Of the citation."`
	Before      string          `json:"before" doc:"The passage before the words."`
	Quote       string          `json:"quote" doc:"The words."`
	After       string          `json:"after"`
}

// evidencedOf opens the segments of an answer as it may leave.
func evidencedOf(a ibid.Answer) ([]evidenced, error) {
	p, err := partsOf(a)
	if err != nil {
		return nil, err
	}
	out := make([]evidenced, len(a.Segments))
	for i, s := range a.Segments {
		out[i] = evidenced{Number: i + 1, Text: s.At.In(a.Text), InWords: s.InWords(), Strength: ibid.Strength(s.Confidence), Segment: p.Segments[i],
			Numbers: listed(a.Numbers(s)), Evidence: []evidence{}}
		for k, at := range a.Attributions {
			if s.At.Contains(at.Of) {
				out[i].Evidence = append(out[i].Evidence, evidenceOf(a, at, p.Attributions[k]))
			}
		}
	}
	return out, nil
}

func evidenceOf(a ibid.Answer, at ibid.Attribution, form attributionForm) evidence {
	e := evidence{Attribution: form, Strength: ibid.Strength(at.Confidence)}
	for _, c := range a.Citations {
		if c.At == at.To {
			e.Number = c.Number
		}
	}
	p, ok := a.Passage(at.Ref)
	if !ok {
		return e
	}
	in := at.To.Span.Shift(-p.Chunk.At.Span.Start)
	e.Source, e.Title, e.Name, e.Locator, e.Heading = p.Source.ID, p.Source.Title(), p.Source.Name(), p.Locator(at.To.Span.Start), p.Chunk.Heading
	e.Before, e.Quote, e.After = p.Chunk.Text[:in.Start], in.In(p.Chunk.Text), p.Chunk.Text[in.End:]
	return e
}

func (s *Server) segments(ctx context.Context, in *idParam) (*body[api.Page[evidenced]], error) {
	a, err := callerOf(ctx).record().Answer(ctx, ibid.AnswerID(in.ID))
	if err != nil {
		return nil, err
	}
	all, err := evidencedOf(api.Public(a))
	return &body[api.Page[evidenced]]{api.Page[evidenced]{Items: all}}, err
}

type segmentParams struct {
	ID     string `path:"id" maxLength:"200"`
	Number int    `path:"number" minimum:"1" doc:"1 for the first."`
}

func (s *Server) segment(ctx context.Context, in *segmentParams) (*body[evidenced], error) {
	a, err := callerOf(ctx).record().Answer(ctx, ibid.AnswerID(in.ID))
	if err != nil {
		return nil, err
	}
	all, err := evidencedOf(api.Public(a))
	if err == nil && in.Number > len(all) {
		err = fmt.Errorf("segment %d: %w", in.Number, ibid.ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	return &body[evidenced]{all[in.Number-1]}, nil
}
