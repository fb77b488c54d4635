package web

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
)

func (s *Server) mountFeedback() {
	add(s, operation{id: "giveFeedback", method: "POST", path: "/api/v1/answers/{id}/feedback", tag: "learning", summary: "Say whether a source of a segment is right, wrong or missing", scope: api.Read, status: 201}, s.giveFeedback)
	add(s, operation{id: "listFeedback", method: "GET", path: "/api/v1/feedback", tag: "learning", summary: "List feedback, the latest first", scope: api.Read}, s.listFeedback)
	add(s, operation{id: "exportFeedback", method: "GET", path: "/api/v1/feedback/export", tag: "learning", summary: "Feedback as labelled answers for evaluation", scope: api.Read,
		doc:     "One answer a line, in the form that ibid eval reads: its text and passages, and the segments that people judged with their labels. Offsets count runes.",
		answers: map[string]*huma.Response{"200": {Description: "JSON lines.", Content: map[string]*huma.MediaType{"application/jsonl": {Schema: &huma.Schema{Type: huma.TypeString}}}}}}, s.exportFeedback)
	add(s, operation{id: "getInsights", method: "GET", path: "/api/v1/insights", tag: "learning", summary: "What many answers say together", scope: api.Read}, s.insights)
}

type newFeedbackForm struct {
	Segment int           `json:"segment" minimum:"1" doc:"1 for the first."`
	Source  ibid.SourceID `json:"source,omitempty" maxLength:"200" doc:"The cited source it speaks of; leave it out for the segment as a whole."`
	Verdict api.Verdict   `json:"verdict" enum:"right,wrong,missing" doc:"missing: a source that says so is not cited."`
	Note    string        `json:"note,omitempty" maxLength:"5000"`
}

type feedbackParams struct {
	ID   string `path:"id" maxLength:"200"`
	Body newFeedbackForm
}

func (s *Server) giveFeedback(ctx context.Context, in *feedbackParams) (*body[api.Feedback], error) {
	c := callerOf(ctx)
	a, err := c.record().Answer(ctx, ibid.AnswerID(in.ID))
	if err != nil {
		return nil, err
	}
	f := api.Feedback{ID: newID(), Answer: a.ID, Segment: in.Body.Segment, Source: in.Body.Source, Verdict: in.Body.Verdict, Note: in.Body.Note, By: c.key,
		CreatedAt: s.Asker.Now().UTC().Truncate(time.Microsecond)}
	if err := f.Fits(a); err != nil {
		field := "body.segment"
		if f.Segment <= len(a.Segments) {
			field = "body.source"
		}
		return nil, &fieldError{field, err}
	}
	return &body[api.Feedback]{f}, c.record().PutFeedback(ctx, f)
}

type feedbackQuery struct {
	Answer string `query:"answer" maxLength:"200" doc:"Only of this answer."`
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"How many at most."`
	Cursor string `query:"cursor" maxLength:"500" doc:"The next of the page before."`
}

func (s *Server) listFeedback(ctx context.Context, in *feedbackQuery) (*body[api.Page[api.Feedback]], error) {
	before, err := paging{in.Limit, in.Cursor}.after()
	if err != nil {
		return nil, err
	}
	list, err := callerOf(ctx).record().Feedback(ctx, ibid.AnswerID(in.Answer), before, in.Limit+1)
	return &body[api.Page[api.Feedback]]{paged(list, in.Limit, func(f api.Feedback) string { return f.ID })}, err
}

type linesAnswer struct {
	Type string `header:"Content-Type"`
	Body []byte
}

// mostExported bounds one export. It is far more than people judge by hand.
const mostExported = 5000

func (s *Server) exportFeedback(ctx context.Context, _ *struct{}) (*linesAnswer, error) {
	record := callerOf(ctx).record()
	all, err := record.Feedback(ctx, "", "", mostExported)
	if err != nil {
		return nil, err
	}
	order, given := api.ByAnswer(all)
	var b bytes.Buffer
	for _, id := range order {
		a, err := record.Answer(ctx, id)
		if err != nil {
			return nil, err
		}
		line, err := json.Marshal(api.Label(api.Public(a), given[id]))
		if err != nil {
			return nil, err
		}
		b.Write(append(line, '\n'))
	}
	return &linesAnswer{"application/jsonl", b.Bytes()}, nil
}

type insightsParams struct {
	From time.Time `query:"from" doc:"Answers at or after this time; 90 days ago where it is left out."`
	To   time.Time `query:"to" doc:"Answers before this time; now where it is left out."`
}

func (s *Server) insights(ctx context.Context, in *insightsParams) (*body[api.Insights], error) {
	to := in.To
	if to.IsZero() {
		to = s.Asker.Now().UTC().Add(time.Minute).Truncate(time.Minute) // the same for a while, so that its tag holds
	}
	from := in.From
	if from.IsZero() {
		from = to.AddDate(0, 0, -90)
	}
	if !from.Before(to) {
		return nil, invalid("query.to", "it is not behind from")
	}
	out, err := callerOf(ctx).record().Insights(ctx, from, to)
	if err != nil {
		return nil, err
	}
	for _, f := range []*float64{&out.Sources, &out.Model, &out.Error, &out.Feedback.Trust} {
		*f = api.Near(*f)
	}
	for i := range out.Days {
		d := &out.Days[i]
		d.Sources, d.Model, d.Coverage = api.Near(d.Sources), api.Near(d.Model), api.Near(d.Coverage)
	}
	for i := range out.Top {
		out.Top[i].Trust = api.Near(out.Top[i].Trust)
	}
	for i := range out.Reliability {
		b := &out.Reliability[i]
		b.Confidence, b.Right, b.RightLow, b.RightHigh = api.Near(b.Confidence), api.Near(b.Right), api.Near(b.RightLow), api.Near(b.RightHigh)
	}
	return &body[api.Insights]{out}, nil
}
