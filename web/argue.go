package web

import (
	"context"
	"encoding/json"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/cite/argument"
	"github.com/ibid-dev/ibid/internal/offsets"
	"github.com/ibid-dev/ibid/workflow"
)

func (s *Server) mountArgue() {
	add(s, operation{id: "argue", method: "POST", path: "/api/v1/argue", tag: "answers", summary: "Argue a claim for and against from the library", scope: api.Read, stream: true,
		doc:     "As JSON, or as a stream of events where Accept is text/event-stream. The case for and the case against are the two steps of the answer, which is recorded and weighs them; its argument maps every statement to its citations.",
		answers: s.streamed(reflect.TypeFor[ibid.Answer](), thinkEvents()...)}, s.argue)
	add(s, operation{id: "getArgument", method: "GET", path: "/api/v1/answers/{id}/argument", tag: "answers", summary: "Both sides of a claim that was argued, weighed", scope: api.Read, working: true,
		doc: "It weighs what the library says; it does not say who is right. As JSON, as a picture, or as Markdown.",
		answers: map[string]*huma.Response{"200": {Description: "The argument.", Content: map[string]*huma.MediaType{
			"application/json": {Schema: s.api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[argumentForm](), true, "")},
			"*/*":              {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}}}}}, s.argument)
}

type contestedForm struct {
	Claim   string   `json:"claim" minLength:"1" maxLength:"20000" doc:"A statement, not a question."`
	Sources []string `json:"sources,omitempty" maxItems:"1000" doc:"Only these sources, by id."`
}

func (s *Server) argue(ctx context.Context, in *body[contestedForm]) (*huma.StreamResponse, error) {
	c := callerOf(ctx)
	q, err := questionForm{Question: in.Body.Claim, Sources: in.Body.Sources}.asked(ctx, c)
	if err != nil {
		return nil, renamed(err, "body.question", "body.claim")
	}
	arguer := s.arguer(c)
	return s.answering(ctx, c, arguer.Argue, q, func(a ibid.Answer) any { return out(a) })
}

// arguer gives the arguer of one request.
func (s *Server) arguer(c *caller) *workflow.Arguer {
	thinker := workflow.Thinker{}
	if s.Thinker != nil {
		thinker = *s.Thinker
	}
	thinker.Asker = s.asker(c)
	return &workflow.Arguer{Thinker: &thinker, Conflicts: s.conflicts}
}

// argumentForm is an argument as it leaves.
type argumentForm struct {
	ID         ibid.AnswerID    `json:"id" doc:"Of the recorded answer."`
	Claim      string           `json:"claim"`
	Statements []statementForm  `json:"statements"`
	Weighed    argument.Weighed `json:"weighed"`
	Findings   []findingForm    `json:"findings" doc:"Gaps, weak links and contradictions: places to look at, not verdicts."`
	Sources    []argumentSource `json:"sources"`
	Model      string           `json:"model"`
}

type argumentSource argument.Source

type statementForm struct {
	ID       string          `json:"id" doc:"pro-1, con-2 …"`
	Stance   argument.Stance `json:"stance" enum:"proponent,opponent,synthesis"`
	Text     string          `json:"text"`
	Type     string          `json:"argument_type"`
	Status   argument.Status `json:"verification_status" enum:"verified,supported,disputed,unverified"`
	Support  float64         `json:"support" doc:"Calibrated probability that its sources say so."`
	Bearing  float64         `json:"bearing" doc:"How strongly it bears on the claim."`
	Strength float64         `json:"strength" doc:"The product of both."`
	Need     argument.Need   `json:"needs_citation" enum:"always,consider,no"`
	Step     int             `json:"step" doc:"Of the answer; 0 for its own text."`
	Segment  int             `json:"segment" doc:"1 for the first."`
	Places   []placeForm     `json:"places"`
}

// placeForm is where a source says so.
type placeForm struct {
	Source  ibid.SourceID `json:"source"`
	Number  int           `json:"number,omitempty" doc:"Of the source, within the argument."`
	At      anchorForm    `json:"at"`
	Quote   string        `json:"quote"`
	Locator string        `json:"locator,omitempty"`
}

type findingForm struct {
	Kind     string    `json:"kind" doc:"gap, weak link, conclusion, contradiction"`
	Severity string    `json:"severity"`
	Reason   string    `json:"reason"`
	A        spotForm  `json:"a"`
	B        *spotForm `json:"b,omitempty"`
}

type spotForm struct {
	Statement string   `json:"statement" doc:"Its id, or claim."`
	At        spanForm `json:"at" doc:"Into its text."`
	Words     string   `json:"words"`
}

type argumentParams struct {
	ID string `path:"id" maxLength:"200"`
	To string `query:"to" enum:"json,svg,markdown" default:"json"`
}

func (s *Server) argument(ctx context.Context, in *argumentParams) (*fileAnswer, error) {
	c := callerOf(ctx)
	a, err := c.record().Answer(ctx, ibid.AnswerID(in.ID))
	if err != nil {
		return nil, err
	}
	if !workflow.Argued(a) {
		return nil, invalid("path.id", "the answer was not made by arguing a claim")
	}
	arg, err := s.arguer(c).Map(ctx, api.Public(a))
	if err != nil {
		return nil, err
	}
	if in.To != "json" {
		b, err := argument.Write(arg, in.To)
		media := map[string]string{"svg": "image/svg+xml", "markdown": "text/markdown; charset=utf-8"}[in.To]
		ending := map[string]string{"svg": ".svg", "markdown": ".md"}[in.To]
		return &fileAnswer{media, `attachment; filename="argument-` + string(a.ID) + ending + `"`, b}, err
	}
	b, err := json.Marshal(argumentOut(arg, a))
	return &fileAnswer{"application/json", "inline", b}, err
}

func argumentOut(arg argument.Argument, a ibid.Answer) argumentForm {
	out := argumentForm{ID: arg.ID, Claim: arg.Claim, Statements: []statementForm{}, Weighed: arg.Weighed, Findings: []findingForm{}, Sources: []argumentSource{}, Model: arg.Model}
	for _, f := range []*float64{&out.Weighed.For, &out.Weighed.Against, &out.Weighed.Share} {
		*f = api.Near(*f)
	}
	for _, src := range arg.Sources {
		out.Sources = append(out.Sources, argumentSource(src))
	}
	passages := a.Passages
	for _, step := range a.Steps {
		passages = append(passages[:len(passages):len(passages)], step.Passages...)
	}
	texts := map[string]string{"claim": arg.Claim}
	for _, st := range arg.Statements {
		texts[st.ID] = st.Text
		f := statementForm{ID: st.ID, Stance: st.Stance, Text: st.Text, Type: st.Type, Status: st.Status, Support: api.Round(st.Support), Bearing: api.Near(st.Bearing), Strength: api.Near(st.Strength),
			Need: st.Need, Step: st.Step, Segment: st.Segment, Places: []placeForm{}}
		for _, p := range st.Places {
			f.Places = append(f.Places, placeForm{p.Source, p.Number, anchored(p.At, passages), p.Quote, p.Locator})
		}
		out.Statements = append(out.Statements, f)
	}
	spot := func(s argument.Spot) spotForm {
		return spotForm{s.Statement, spanned(offsets.New(texts[s.Statement]), s.At, ibid.Units{}), s.Words}
	}
	for _, f := range arg.Findings {
		form := findingForm{Kind: f.Kind, Severity: f.Severity, Reason: f.Reason, A: spot(f.A)}
		if f.B != nil {
			b := spot(*f.B)
			form.B = &b
		}
		out.Findings = append(out.Findings, form)
	}
	return out
}

// anchored measures an anchor in all units by a passage that holds it.
func anchored(at ibid.Anchor, passages []ibid.Passage) anchorForm {
	for _, p := range passages {
		if c := p.Chunk; c.At.Document == at.Document && c.At.Span.Contains(at.Span) {
			span := spanned(offsets.New(c.Text), at.Span.Shift(-c.At.Span.Start), c.Before)
			span.Start, span.End = at.Span.Start, at.Span.End
			return anchorForm{string(at.Document), span}
		}
	}
	return anchorForm{string(at.Document), spanForm{Start: at.Span.Start, End: at.Span.End}}
}

// spanned measures a span of a text in all units, behind what stands before the text.
func spanned(t *offsets.Table, s ibid.Span, b ibid.Units) spanForm {
	from, to := t.FromByte(s.Start), t.FromByte(s.End)
	return spanForm{s.Start, s.End, []int{b.Runes + from.Rune, b.Runes + to.Rune}, []int{b.UTF16 + from.UTF16, b.UTF16 + to.UTF16}}
}
