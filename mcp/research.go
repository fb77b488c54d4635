package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/cite/dossier"
	"github.com/ibid-dev/ibid/cite/export"
	"github.com/ibid-dev/ibid/workflow"
)

var (
	researchTool = tool{name: "research", title: "Research a topic", writes: true, open: true, slow: true, doc: `Have Ibid take a topic apart into questions, answer each from the library, gather the evidence with its sources, and find where those disagree. Each question becomes a recorded answer, and the study is kept as it grows: one that was cancelled, or whose questions failed, goes on by its id. It takes long; ask for progress.`}
	studiesTool  = tool{name: "studies", title: "Look at studies", doc: `List the studies that were begun, the latest first, or give one of them with its dossier: the evidence for each question, the sources with their credibility, the contradictions. The dossier is written as Markdown, as a page or as JSON, and cites in an informal, academic or technical form or in any CSL style.`}
)

type researchIn struct {
	Topic   string        `json:"topic,omitempty" jsonschema:"what is to be researched; at most 20000 characters"`
	Depth   dossier.Depth `json:"depth,omitempty" jsonschema:"how many questions: shallow 3 to 5, moderate 5 to 8, thorough 8 to 12, comprehensive 12 to 15; moderate where it is left out"`
	Sources []string      `json:"sources,omitempty" jsonschema:"only these sources, by id"`
	Study   string        `json:"study,omitempty" jsonschema:"in the place of a topic: the study to go on with, by its id"`
}

type studiesIn struct {
	Study  string `json:"study,omitempty" jsonschema:"id of the study to be shown; the studies are listed where it is left out"`
	To     string `json:"to,omitempty" jsonschema:"how its dossier is written; markdown where it is left out"`
	Style  string `json:"style,omitempty" jsonschema:"how it cites: informal, academic, technical, or the name of a CSL style; informal where it is left out"`
	Locale string `json:"locale,omitempty" jsonschema:"language of the words between, such as de-DE"`
	Before string `json:"before,omitempty" jsonschema:"only studies begun before this one, by its id: the last that was listed, to go on behind it"`
	Limit  int    `json:"limit,omitempty" jsonschema:"how many studies at most, 1 to 50; 10 where it is left out"`
}

type studiesOut struct {
	Studies []studyHead `json:"studies" jsonschema:"the latest first; the one that was asked for"`
	More    bool        `json:"more" jsonschema:"whether there are more, begun before the last of these"`
	Dossier *exportOut  `json:"dossier,omitempty" jsonschema:"of the one that was asked for"`
}

type studyHead struct {
	ID        string        `json:"id"`
	Topic     string        `json:"topic"`
	Depth     dossier.Depth `json:"depth"`
	Questions int           `json:"questions"`
	Open      int           `json:"open" jsonschema:"questions that are still to be asked"`
	Failed    int           `json:"failed" jsonschema:"questions that failed; research asks them again"`
	Done      bool          `json:"done"`
	Working   bool          `json:"working" jsonschema:"it is being worked on"`
	CreatedAt time.Time     `json:"created_at"`
	UpdatedAt time.Time     `json:"updated_at"`
}

// researchOut is a study with what was found.
type researchOut struct {
	studyHead
	Asked          []askedOut        `json:"asked" jsonschema:"its questions with what was found"`
	Summary        []string          `json:"summary" jsonschema:"ids of the best-supported statement of each question"`
	Sources        []studySource     `json:"sources" jsonschema:"those of high credibility first"`
	Contradictions []disagreementOut `json:"contradictions" jsonschema:"places to look at, not verdicts"`
	dossier        string
}

type askedOut struct {
	Number     int           `json:"number"`
	Question   string        `json:"question"`
	State      dossier.State `json:"state" jsonschema:"open, answered, unanswered or failed"`
	Note       string        `json:"note,omitempty"`
	Answer     string        `json:"answer,omitempty" jsonschema:"resource that gives the recorded answer"`
	Statements []evidenceOut `json:"statements"`
}

type evidenceOut struct {
	ID         string             `json:"id"`
	Statement  string             `json:"statement"`
	Confidence float64            `json:"confidence" jsonschema:"probability that its places support it"`
	Validation dossier.Validation `json:"validation" jsonschema:"verified, supported, disputed or unsupported"`
	Places     []studyPlace       `json:"places"`
}

type studyPlace struct {
	Source  ibid.SourceID `json:"source"`
	Quote   string        `json:"quote" jsonschema:"its words, to the letter"`
	Locator string        `json:"locator,omitempty" jsonschema:"page or heading"`
}

type studySource struct {
	ID          ibid.SourceID       `json:"id"`
	Title       string              `json:"title"`
	Name        string              `json:"name,omitempty" jsonschema:"of the file or page"`
	Type        string              `json:"type,omitempty"`
	Credibility dossier.Credibility `json:"credibility" jsonschema:"high, medium or low"`
}

type disagreementOut struct {
	Kind     string     `json:"kind"`
	Severity string     `json:"severity"`
	Reason   string     `json:"reason"`
	A        studyPlace `json:"a"`
	B        studyPlace `json:"b"`
}

func (d *desk) research(ctx context.Context, in researchIn) (researchOut, error) {
	r := *d.Researcher
	r.Asker, r.Studies, r.NewID = d.asker(), d.record, func() string { return string(d.Asker.NewID()) }
	study, err := d.begunStudy(ctx, &r, in)
	if err != nil {
		return researchOut{}, err
	}
	if !d.Studies.Begin(study.ID) {
		return researchOut{}, invalid("study %s is being worked on already, or too many others are; studies shows how far it is, and research goes on with it later", study.ID)
	}
	defer d.Studies.End(study.ID)
	for step, err := range r.Work(ctx, study) {
		if err != nil {
			return researchOut{}, err
		}
		if study = step.Study; step.Question > 0 && step.Event.Kind == "" {
			tell(ctx, step.Question-1, len(study.Questions), "question %d of %d: %s", step.Question, len(study.Questions), shortened(oneLine(study.Questions[step.Question-1].Text)))
		}
	}
	return d.researched(study)
}

// begunStudy gives the study that is to be worked on: a new one, or one that was begun before.
func (d *desk) begunStudy(ctx context.Context, r *workflow.Researcher, in researchIn) (dossier.Study, error) {
	switch {
	case in.Study != "" && (in.Topic != "" || in.Depth != "" || len(in.Sources) > 0):
		return dossier.Study{}, invalid("give a topic, or the study to go on with, which has its own")
	case in.Study != "":
		return d.study(ctx, in.Study)
	case workflow.Blank(in.Topic):
		return dossier.Study{}, invalid("the topic is empty")
	case d.Studies.Full():
		return dossier.Study{}, invalid("too many studies are being worked on; begin this one later")
	}
	if in.Depth != "" {
		if _, err := dossier.ParseDepth(string(in.Depth)); err != nil {
			return dossier.Study{}, err
		}
	}
	q, err := d.question(ctx, askIn{Question: in.Topic, Sources: in.Sources})
	if err != nil {
		return dossier.Study{}, err
	}
	return r.Begin(ctx, workflow.Topic{Text: q.Text, Depth: in.Depth, Where: q.Where})
}

// study gives a study of the caller's collection by its whole id.
func (d *desk) study(ctx context.Context, id string) (dossier.Study, error) {
	st, err := d.record.Study(ctx, strings.ToLower(id))
	if errors.Is(err, ibid.ErrNotFound) {
		return dossier.Study{}, invalid("there is no study %q; studies lists them with their ids", shortened(id))
	}
	return st, err
}

func (d *desk) researched(st dossier.Study) (researchOut, error) {
	st = st.Given(api.PublicSource)
	out := researchOut{studyHead: d.headOf(st), Asked: []askedOut{}, Summary: []string{}, Sources: []studySource{}, Contradictions: []disagreementOut{}}
	out.Working = false // by this call, which ends here
	for _, q := range st.Questions {
		asked := askedOut{Number: q.Number, Question: q.Text, State: q.State, Note: q.Note, Statements: []evidenceOut{}}
		if q.Answer != "" {
			asked.Answer = answerURI(q.Answer)
		}
		for _, e := range q.Evidence {
			said := evidenceOut{e.ID, e.Statement, api.Round(e.Confidence), e.Validation, []studyPlace{}}
			for _, p := range e.Places {
				said.Places = append(said.Places, placeOf(p))
			}
			asked.Statements = append(asked.Statements, said)
		}
		out.Asked = append(out.Asked, asked)
	}
	for _, e := range st.Summary() {
		out.Summary = append(out.Summary, e.ID)
	}
	for _, s := range st.Sources {
		out.Sources = append(out.Sources, studySource{s.Source.ID, s.Source.Title(), s.Source.Name(), s.Type, s.Rated()})
	}
	for _, c := range st.Contradictions {
		out.Contradictions = append(out.Contradictions, disagreementOut{c.Kind, c.Severity, c.Reason, placeOf(c.A), placeOf(c.B)})
	}
	file, err := dossier.Write(st, "markdown", "informal", export.Style{})
	out.dossier = string(file.Body)
	return out, err
}

func placeOf(p dossier.Place) studyPlace { return studyPlace{p.Source, p.Quote, p.Locator} }

func (d *desk) headOf(st dossier.Study) studyHead {
	out := studyHead{ID: st.ID, Topic: st.Topic, Depth: st.Depth, Questions: len(st.Questions), Open: st.Open(), Done: st.Done, Working: slices.Contains(d.Studies.List(), st.ID), CreatedAt: st.CreatedAt, UpdatedAt: st.UpdatedAt}
	for _, q := range st.Questions {
		if q.State == dossier.Failed {
			out.Failed++
		}
	}
	return out
}

func (o researchOut) words() string { return "Study " + o.ID + "\n\n" + o.dossier }

func (d *desk) studies(ctx context.Context, in studiesIn) (studiesOut, error) {
	out := studiesOut{Studies: []studyHead{}}
	switch {
	case in.Study != "":
		return d.dossier(ctx, in)
	case in.To != "" || in.Style != "" || in.Locale != "":
		return out, invalid("to, style and locale are of a dossier; name the study")
	case in.Limit < 0 || in.Limit > 50:
		return out, invalid("limit is %d; give a number from 1 to 50", in.Limit)
	case in.Limit == 0:
		in.Limit = 10
	}
	if in.Before != "" {
		if _, err := d.study(ctx, in.Before); err != nil {
			return out, err
		}
	}
	list, err := d.record.Studies(ctx, strings.ToLower(in.Before), in.Limit+1)
	if err != nil {
		return out, err
	}
	if out.More = len(list) > in.Limit; out.More {
		list = list[:in.Limit]
	}
	for _, st := range list {
		out.Studies = append(out.Studies, d.headOf(st))
	}
	return out, nil
}

func (d *desk) dossier(ctx context.Context, in studiesIn) (studiesOut, error) {
	if formats := textFormats(dossier.Formats()); in.To != "" && !slices.Contains(formats, in.To) {
		return studiesOut{}, invalid("to is %q; choose one of %s", shortened(in.To), strings.Join(formats, ", "))
	}
	st, err := d.study(ctx, in.Study)
	if err != nil {
		return studiesOut{}, err
	}
	form, named := dossier.FormOf(or(in.Style, "informal"))
	var set export.Style
	if named != "" {
		if set, err = d.style(named, in.Locale); err != nil {
			return studiesOut{}, err
		}
	}
	to := or(in.To, "markdown")
	file, err := dossier.Write(st.Given(api.PublicSource), to, form, set)
	if err != nil {
		return studiesOut{}, err
	}
	text := exported(file, to, "dossier-"+st.ID)
	return studiesOut{Studies: []studyHead{d.headOf(st)}, Dossier: &text}, nil
}

func (o studiesOut) words() string {
	if o.Dossier != nil {
		return o.Dossier.words()
	}
	if len(o.Studies) == 0 {
		return "There are no studies. research begins one, where you may write.\n"
	}
	var b strings.Builder
	for _, s := range o.Studies {
		state := "done"
		switch {
		case s.Working:
			state = fmt.Sprintf("being worked on, %d of %d", s.Questions-s.Open, s.Questions)
		case !s.Done:
			state = fmt.Sprintf("stopped, %d open and %d failed of %d", s.Open, s.Failed, s.Questions)
		}
		fmt.Fprintf(&b, "%s · %s · %s · %s\n", s.ID, s.UpdatedAt.UTC().Format(time.RFC3339), state, oneLine(s.Topic))
	}
	if o.More {
		fmt.Fprintf(&b, "There are more: before %q.\n", o.Studies[len(o.Studies)-1].ID)
	}
	return b.String()
}
