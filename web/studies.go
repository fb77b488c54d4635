package web

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/cite/dossier"
	"github.com/ibid-dev/ibid/cite/export"
	"github.com/ibid-dev/ibid/workflow"
)

func (s *Server) mountStudies() {
	add(s, operation{id: "beginStudy", method: "POST", path: "/api/v1/studies", tag: "research", summary: "Research a topic: take it apart into questions and answer each", scope: api.Write, status: 202,
		doc: "The work goes on behind the answer; the study tells how far it is. Each question becomes a recorded answer."}, s.beginStudy)
	add(s, operation{id: "listStudies", method: "GET", path: "/api/v1/studies", tag: "research", summary: "List studies, the latest first", scope: api.Read}, s.listStudies)
	add(s, operation{id: "getStudy", method: "GET", path: "/api/v1/studies/{id}", tag: "research", summary: "A study with its evidence, done or under way", scope: api.Read}, s.study)
	add(s, operation{id: "resumeStudy", method: "POST", path: "/api/v1/studies/{id}/resume", tag: "research", summary: "Go on with a study that was stopped, or whose questions failed", scope: api.Write, status: 202}, s.resumeStudy)
	add(s, operation{id: "exportStudy", method: "GET", path: "/api/v1/studies/{id}/export", tag: "research", summary: "The dossier of a study, as a file", scope: api.Read, working: true,
		answers: map[string]*huma.Response{"200": {Description: "The file.", Content: map[string]*huma.MediaType{"*/*": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}}}}}, s.exportStudy)
}

type topicForm struct {
	Topic   string        `json:"topic" minLength:"1" maxLength:"20000"`
	Depth   dossier.Depth `json:"depth,omitempty" enum:"shallow,moderate,thorough,comprehensive" doc:"How many questions; moderate where it is left out."`
	Sources []string      `json:"sources,omitempty" maxItems:"1000" doc:"Only these sources, by id."`
}

// dossierForm is a study as it leaves.
type dossierForm struct {
	api.Study
	Model          string              `json:"model,omitempty"`
	Asked          []studyQuestion     `json:"asked" doc:"Its questions with what was found."`
	Summary        []string            `json:"summary" doc:"Ids of the best-supported statement of each question."`
	Sources        []studySource       `json:"sources" doc:"Those of high credibility first."`
	Contradictions []studyDisagreement `json:"contradictions" doc:"Places to look at, not verdicts."`
	Metrics        dossier.Metrics     `json:"metrics"`
}

type studyQuestion struct {
	Number   int             `json:"number"`
	Text     string          `json:"question"`
	Why      string          `json:"why,omitempty"`
	State    dossier.State   `json:"state" enum:"open,answered,unanswered,failed"`
	Note     string          `json:"note,omitempty"`
	Answer   ibid.AnswerID   `json:"answer,omitempty" doc:"As it is recorded."`
	Evidence []studyEvidence `json:"statements"`
}

type studyEvidence struct {
	ID         string             `json:"id"`
	Statement  string             `json:"statement"`
	Segment    int                `json:"segment" doc:"Of the answer; 1 for the first."`
	Category   dossier.Category   `json:"category" enum:"figure,event,quotation,cause,definition,statement"`
	Confidence float64            `json:"confidence"`
	Validation dossier.Validation `json:"validation" enum:"verified,supported,disputed,unsupported"`
	Places     []placeForm        `json:"places"`
}

type studySource struct {
	ID          ibid.SourceID       `json:"id"`
	Title       string              `json:"title"`
	Name        string              `json:"name,omitempty"`
	Type        string              `json:"type,omitempty"`
	Credibility dossier.Credibility `json:"credibility" enum:"high,medium,low"`
	Quality     float64             `json:"quality,omitempty" doc:"How far it can be leaned on, within 0 and 1."`
	Why         []string            `json:"why,omitempty"`
}

type studyDisagreement struct {
	Kind       string    `json:"kind"`
	Severity   string    `json:"severity"`
	Confidence float64   `json:"confidence"`
	Reason     string    `json:"reason"`
	A          placeForm `json:"a"`
	B          placeForm `json:"b"`
}

type studyAnswer struct {
	Location string `header:"Location" doc:"Where the study is."`
	Body     dossierForm
}

func (s *Server) researcher(c *caller) *workflow.Researcher {
	r := workflow.Researcher{Conflicts: s.conflicts}
	if s.Researcher != nil {
		r = *s.Researcher
	}
	r.Asker, r.Studies, r.NewID = s.asker(c), c.record(), newID
	return &r
}

func (s *Server) beginStudy(ctx context.Context, in *body[topicForm]) (*studyAnswer, error) {
	c := callerOf(ctx)
	q, err := questionForm{Question: in.Body.Topic, Sources: in.Body.Sources}.asked(ctx, c)
	if err != nil {
		return nil, renamed(err, "body.question", "body.topic")
	}
	if s.Studies.Full() {
		return nil, tooMany(10*time.Second, "too many studies are being worked on")
	}
	st, err := s.researcher(c).Begin(ctx, workflow.Topic{Text: q.Text, Depth: in.Body.Depth, Where: q.Where})
	if err != nil {
		return nil, err
	}
	return s.workOn(ctx, c, st)
}

// workOn asks the open questions of a study behind the request.
func (s *Server) workOn(ctx context.Context, c *caller, st dossier.Study) (*studyAnswer, error) {
	if s.Studies.Begin(st.ID) {
		researcher := s.researcher(c)
		working, cut := context.WithCancel(context.WithoutCancel(ctx))
		stop := context.AfterFunc(s.background, cut)
		s.working.Go(func() {
			defer s.Studies.End(st.ID)
			defer cut()
			defer stop()
			for _, err := range researcher.Work(working, st) {
				if err != nil && working.Err() == nil { // what the server's end stops is kept, and can be taken up again
					s.Log.Error("a study was stopped", "study", st.ID, "error", err)
				}
			}
		})
	} else if !slices.Contains(s.Studies.List(), st.ID) {
		return nil, tooMany(10*time.Second, "too many studies are being worked on")
	}
	out, err := s.studyOut(ctx, c, st, true)
	return &studyAnswer{"/api/v1/studies/" + st.ID, out}, err
}

type studyParams struct {
	ID string `path:"id" maxLength:"200"`
}

func (s *Server) study(ctx context.Context, in *studyParams) (*body[dossierForm], error) {
	c := callerOf(ctx)
	working := slices.Contains(s.Studies.List(), in.ID)
	st, err := c.record().Study(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	out, err := s.studyOut(ctx, c, st, working)
	return &body[dossierForm]{out}, err
}

func (s *Server) resumeStudy(ctx context.Context, in *studyParams) (*studyAnswer, error) {
	c := callerOf(ctx)
	st, err := c.record().Study(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return s.workOn(ctx, c, st)
}

func (s *Server) listStudies(ctx context.Context, in *paging) (*body[api.Page[api.Study]], error) {
	before, err := in.after()
	if err != nil {
		return nil, err
	}
	working := s.Studies.List()
	list, err := callerOf(ctx).record().Studies(ctx, before, in.Limit+1)
	if err != nil {
		return nil, err
	}
	heads := make([]api.Study, len(list))
	for i, st := range list {
		heads[i] = headOf(st, slices.Contains(working, st.ID))
	}
	return &body[api.Page[api.Study]]{paged(heads, in.Limit, func(h api.Study) string { return h.ID })}, nil
}

// headOf gives a study as lists show it. Whether it is being worked on is asked before it is read: what is at rest by then is
// read as it ended.
func headOf(st dossier.Study, working bool) api.Study {
	return api.Study{ID: st.ID, Topic: st.Topic, Depth: string(st.Depth), Questions: len(st.Questions), Open: st.Open(), Done: st.Done, Working: working,
		CreatedAt: st.CreatedAt, UpdatedAt: st.UpdatedAt}
}

func (s *Server) studyOut(ctx context.Context, c *caller, st dossier.Study, working bool) (dossierForm, error) {
	st = st.Given(api.PublicSource)
	out := dossierForm{Study: headOf(st, working), Model: st.Model, Asked: []studyQuestion{}, Summary: []string{}, Sources: []studySource{}, Contradictions: []studyDisagreement{}, Metrics: st.Measure()}
	out.Metrics.Mean, out.Metrics.AverageCitation = api.Near(out.Metrics.Mean), api.Near(out.Metrics.AverageCitation)
	var passages []ibid.Passage
	for _, q := range st.Questions {
		f := studyQuestion{Number: q.Number, Text: q.Text, Why: q.Why, State: q.State, Note: q.Note, Answer: q.Answer, Evidence: []studyEvidence{}}
		if q.Answer != "" {
			a, err := c.record().Answer(ctx, q.Answer)
			if err != nil && !errors.Is(err, ibid.ErrNotFound) { // one that was erased; the study still holds what it took
				return out, err
			}
			passages = append(passages, a.Passages...)
		}
		for _, e := range q.Evidence {
			ev := studyEvidence{ID: e.ID, Statement: e.Statement, Segment: e.Segment, Category: e.Category, Confidence: api.Round(e.Confidence), Validation: e.Validation, Places: []placeForm{}}
			for _, p := range e.Places {
				ev.Places = append(ev.Places, placeOf(p, passages))
			}
			f.Evidence = append(f.Evidence, ev)
		}
		out.Asked = append(out.Asked, f)
	}
	for _, e := range st.Summary() {
		out.Summary = append(out.Summary, e.ID)
	}
	for _, src := range st.Sources {
		out.Sources = append(out.Sources, studySource{ID: src.Source.ID, Title: src.Source.Title(), Name: src.Source.Name(), Type: src.Type, Credibility: src.Rated(), Quality: api.Near(src.Quality), Why: src.Why})
	}
	for _, d := range st.Contradictions {
		out.Contradictions = append(out.Contradictions, studyDisagreement{d.Kind, d.Severity, api.Round(d.Confidence), d.Reason, placeOf(d.A, passages), placeOf(d.B, passages)})
	}
	return out, nil
}

func placeOf(p dossier.Place, passages []ibid.Passage) placeForm {
	return placeForm{Source: p.Source, At: anchored(p.At, passages), Quote: p.Quote, Locator: p.Locator}
}

type studyExport struct {
	ID     string `path:"id" maxLength:"200"`
	To     string `query:"to" enum:"html,markdown,json,docx" default:"markdown" doc:"The format of the file."`
	Style  string `query:"style" maxLength:"300" doc:"informal, academic, technical, or a citation style by its name; informal where it is left out."`
	Locale string `query:"locale" maxLength:"20"`
}

func (s *Server) exportStudy(ctx context.Context, in *studyExport) (*fileAnswer, error) {
	st, err := callerOf(ctx).record().Study(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	form, named := dossier.FormOf(or(in.Style, "informal"))
	var set export.Style
	if named != "" {
		if set, err = s.set(named, in.Locale, "query.style"); err != nil {
			return nil, err
		}
	}
	file, err := dossier.Write(st.Given(api.PublicSource), in.To, form, set)
	return &fileAnswer{file.MediaType, `attachment; filename="dossier-` + st.ID + file.Extension + `"`, file.Body}, err
}

// renamed points an error of a field at the field that the caller knows it by.
func renamed(err error, from, to string) error {
	var f *fieldError
	if errors.As(err, &f) && f.field == from {
		return invalid(to, "it is empty")
	}
	return err
}
