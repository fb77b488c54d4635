package mcp

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/cite/csl"
	"github.com/ibid-dev/ibid/cite/export"
	"github.com/ibid-dev/ibid/workflow"
)

var exportTool = tool{name: "export", title: "Write a recorded answer for others", doc: `Write a recorded answer as a text to hand on: as Markdown or a page with footnotes and a bibliography in any CSL style, its sources for a reference manager (BibTeX, RIS, CSL-JSON ...), its citations as Web Annotations, or all of it as JSON. Only what is cited is listed. For the references alone, in a style, or those of the whole library, call cite.`}

type exportIn struct {
	Answer string `json:"answer" jsonschema:"the recorded answer, by its id"`
	To     string `json:"to,omitempty" jsonschema:"the format; markdown where it is left out"`
	Style  string `json:"style,omitempty" jsonschema:"name of a CSL style for notes and bibliography; ieee where it is left out"`
	Locale string `json:"locale,omitempty" jsonschema:"language of the words between, such as de-DE"`
}

type exportOut struct {
	To        string   `json:"to" jsonschema:"the format"`
	MediaType string   `json:"media_type"`
	Name      string   `json:"name" jsonschema:"what a file of it would be called"`
	Text      string   `json:"text" jsonschema:"what the file holds"`
	Losses    []string `json:"losses" jsonschema:"what the format has no place for"`
}

// textFormats are the formats without those that are no text: what a tool gives, a model reads.
func textFormats(formats []string) []string {
	return slices.DeleteFunc(slices.Clone(formats), func(f string) bool { return f == "docx" })
}

func (d *desk) export(ctx context.Context, in exportIn) (exportOut, error) {
	if in.To == "" {
		in.To = "markdown"
	}
	if formats := textFormats(workflow.ExportFormats()); !slices.Contains(formats, in.To) {
		return exportOut{}, invalid("to is %q; choose one of %s", shortened(in.To), strings.Join(formats, ", "))
	}
	a, err := d.answer(ctx, in.Answer)
	if err != nil {
		return exportOut{}, err
	}
	var set export.Style
	if in.Style != "" || in.Locale != "" {
		if set, err = d.style(or(in.Style, "ieee"), in.Locale); err != nil {
			return exportOut{}, err
		}
	}
	file, err := workflow.Export(ctx, a, d.source, in.To, set)
	if err != nil {
		return exportOut{}, err
	}
	return exported(file, in.To, "answer-"+string(a.ID)), nil
}

func exported(f export.File, to, name string) exportOut {
	out := exportOut{To: to, MediaType: f.MediaType, Name: name + f.Extension, Text: string(f.Body), Losses: []string{}}
	for _, l := range f.Losses {
		out.Losses = append(out.Losses, "not carried over: "+l.String())
	}
	return out
}

func (o exportOut) words() string {
	out := o.Text
	for _, l := range o.Losses {
		out += "(" + l + ")\n"
	}
	return out
}

// answer gives a recorded answer of the caller's collection as it may be shown.
func (d *desk) answer(ctx context.Context, id string) (ibid.Answer, error) {
	a, err := d.record.Answer(ctx, ibid.AnswerID(strings.ToLower(id)))
	if errors.Is(err, ibid.ErrNotFound) || errors.Is(err, ibid.ErrAmbiguous) {
		return a, invalid("there is no answer %q; find, ask and record give the whole id", shortened(id))
	}
	return api.Public(a), err
}

// source gives a source of the caller's collection as it may be shown.
func (d *desk) source(ctx context.Context, id ibid.SourceID) (ibid.Source, error) {
	src, err := d.record.Source(ctx, id)
	return api.PublicSource(src), err
}

// style gives a citation style. Only names are taken: a path would open files of this machine.
func (d *desk) style(name, locale string) (export.Style, error) {
	s, err := d.Styles.Style(name)
	if errors.Is(err, ibid.ErrNotFound) || errors.Is(err, ibid.ErrInvalid) {
		return export.Style{}, invalid("there is no style %q; built in are %s", shortened(name), strings.Join(csl.BuiltIn(), ", "))
	}
	return export.Style{Style: s, Locale: locale, Locales: d.Styles.Locale}, err
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
