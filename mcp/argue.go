package mcp

import (
	"context"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/cite/argument"
	"github.com/ibid-dev/ibid/workflow"
)

var argueTool = tool{name: "argue", title: "Argue a claim for and against", writes: true, open: true, slow: true, doc: `Have Ibid look up what the library says for a claim and what against it, map every statement to its citations, weigh the sides, and name gaps, weak links and contradictions. It weighs what the library says; it does not say who is right. The answer is recorded; by its id the map of one that was argued before is given again.`}

type argueIn struct {
	Claim   string   `json:"claim,omitempty" jsonschema:"a statement, not a question; at most 20000 characters"`
	Sources []string `json:"sources,omitempty" jsonschema:"only these sources, by id"`
	Answer  string   `json:"answer,omitempty" jsonschema:"in the place of a claim: one that was argued before, by the id of its answer"`
	Draw    bool     `json:"draw,omitempty" jsonschema:"draw the map, too, as SVG"`
}

type argueOut struct {
	ID         ibid.AnswerID  `json:"id" jsonschema:"of the recorded answer"`
	URI        string         `json:"uri" jsonschema:"resource that gives the record"`
	Claim      string         `json:"claim"`
	Weighed    weighedOut     `json:"weighed"`
	Statements []statementOut `json:"statements"`
	Findings   []argueFinding `json:"findings" jsonschema:"gaps, weak links and contradictions: places to look at, not verdicts"`
	Sources    []argueSource  `json:"sources" jsonschema:"by number"`
	Model      string         `json:"model"`
	Incomplete string         `json:"incomplete,omitempty" jsonschema:"why it ended before its end"`
	Entry      *int64         `json:"entry,omitempty" jsonschema:"its line in the log; prove gives the proof"`
	Drawing    string         `json:"svg,omitempty"`
	argument   argument.Argument
}

type weighedOut struct {
	For     float64 `json:"for" jsonschema:"a source counts once for a side, by its strongest statement"`
	Against float64 `json:"against"`
	Share   float64 `json:"share" jsonschema:"of the side for the claim; 0.5 where there is nothing on either"`
	InWords string  `json:"in_words"`
}

type statementOut struct {
	ID       string          `json:"id" jsonschema:"pro-1, con-2 ..."`
	Stance   argument.Stance `json:"stance" jsonschema:"proponent, opponent or synthesis"`
	Text     string          `json:"text"`
	Type     string          `json:"argument_type"`
	Status   argument.Status `json:"verification_status" jsonschema:"verified, supported, disputed or unverified"`
	Support  float64         `json:"support" jsonschema:"probability that its sources say so"`
	Bearing  float64         `json:"bearing" jsonschema:"how strongly it bears on the claim"`
	Strength float64         `json:"strength" jsonschema:"the product of both"`
	Need     argument.Need   `json:"needs_citation" jsonschema:"always, consider or no"`
	Places   []argueQuote    `json:"places" jsonschema:"where sources say so"`
}

type argueQuote struct {
	Source  int    `json:"source" jsonschema:"number of the source"`
	Quote   string `json:"quote" jsonschema:"its words, to the letter"`
	Locator string `json:"locator,omitempty" jsonschema:"page or heading"`
}

type argueFinding struct {
	Kind       string   `json:"kind" jsonschema:"gap, weak link, conclusion or contradiction"`
	Severity   string   `json:"severity"`
	Reason     string   `json:"reason"`
	Statements []string `json:"statements" jsonschema:"ids of those it is about, or claim"`
}

type argueSource struct {
	Number int           `json:"number"`
	ID     ibid.SourceID `json:"id"`
	Title  string        `json:"title"`
	Name   string        `json:"name,omitempty" jsonschema:"of the file or page"`
}

func (d *desk) argue(ctx context.Context, in argueIn) (argueOut, error) {
	arguer := &workflow.Arguer{Thinker: d.thinker(), Conflicts: d.Researcher.Conflicts}
	a, err := d.argued(ctx, arguer, in)
	if err != nil {
		return argueOut{}, err
	}
	arg, err := arguer.Map(ctx, api.Public(a))
	if err != nil {
		return argueOut{}, err
	}
	out := argueOut{ID: a.ID, URI: answerURI(a.ID), Claim: arg.Claim, Weighed: weighedOut{api.Near(arg.Weighed.For), api.Near(arg.Weighed.Against), api.Near(arg.Weighed.Share), arg.Weighed.Words},
		Statements: []statementOut{}, Findings: []argueFinding{}, Sources: []argueSource{}, Model: arg.Model, Incomplete: a.Incomplete, Entry: a.Entry, argument: arg}
	for _, st := range arg.Statements {
		f := statementOut{st.ID, st.Stance, st.Text, st.Type, st.Status, api.Round(st.Support), api.Near(st.Bearing), api.Near(st.Strength), st.Need, []argueQuote{}}
		for _, p := range st.Places {
			f.Places = append(f.Places, argueQuote{p.Number, p.Quote, p.Locator})
		}
		out.Statements = append(out.Statements, f)
	}
	for _, f := range arg.Findings {
		about := []string{f.A.Statement}
		if f.B != nil {
			about = append(about, f.B.Statement)
		}
		out.Findings = append(out.Findings, argueFinding{f.Kind, f.Severity, f.Reason, about})
	}
	for _, s := range arg.Sources {
		out.Sources = append(out.Sources, argueSource(s))
	}
	if in.Draw {
		svg, err := argument.Write(arg, "svg")
		if err != nil {
			return argueOut{}, err
		}
		out.Drawing = string(svg)
	}
	return out, nil
}

// argued gives the answer that argues a claim: a new one, or one on record.
func (d *desk) argued(ctx context.Context, arguer *workflow.Arguer, in argueIn) (ibid.Answer, error) {
	switch {
	case in.Answer != "" && (in.Claim != "" || len(in.Sources) > 0):
		return ibid.Answer{}, invalid("give a claim, or the answer that argues one")
	case in.Answer != "":
		a, err := d.answer(ctx, in.Answer)
		if err == nil && !workflow.Argued(a) {
			err = invalid("answer %s was not made by arguing a claim; give the claim", a.ID)
		}
		return a, err
	case workflow.Blank(in.Claim):
		return ibid.Answer{}, invalid("the claim is empty")
	}
	q, err := d.question(ctx, askIn{Question: in.Claim, Sources: in.Sources})
	if err != nil {
		return ibid.Answer{}, err
	}
	return answered(ctx, arguer.Argue(ctx, q))
}

// words gives the map as Markdown, as the command line writes it.
func (o argueOut) words() string {
	text, err := argument.Write(o.argument, "markdown")
	if err != nil {
		return o.Weighed.InWords
	}
	return string(text)
}
