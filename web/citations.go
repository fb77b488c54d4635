package web

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/cite/csl"
	"github.com/ibid-dev/ibid/cite/export"
	"github.com/ibid-dev/ibid/workflow"
)

func (s *Server) mountCitations() {
	add(s, operation{id: "listStyles", method: "GET", path: "/api/v1/styles", tag: "citations", summary: "Search the citation styles", scope: api.Read}, s.styles)
	add(s, operation{id: "getBibliography", method: "GET", path: "/api/v1/answers/{id}/bibliography", tag: "citations", summary: "What an answer cites, in any style", scope: api.Read, working: true}, s.bibliography)
	add(s, operation{id: "exportAnswer", method: "GET", path: "/api/v1/answers/{id}/export", tag: "citations", summary: "An answer as a file", scope: api.Read, working: true,
		doc:     "With its notes and bibliography as a page or paper, or its sources for a reference manager. Only what is cited is listed.",
		answers: map[string]*huma.Response{"200": {Description: "The file.", Content: map[string]*huma.MediaType{"*/*": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}}}}}, s.export)
	add(s, operation{id: "getLibraryBibliography", method: "GET", path: "/api/v1/bibliography", tag: "citations", summary: "All sources of the library, in any style", scope: api.Read, working: true,
		doc: "At most 2,000 sources; a larger library is exported for a reference manager."}, s.libraryBibliography)
	add(s, operation{id: "exportLibrary", method: "GET", path: "/api/v1/export", tag: "citations", summary: "All sources of the library as a file for a reference manager", scope: api.Read, working: true,
		answers: map[string]*huma.Response{"200": {Description: "The file.", Content: map[string]*huma.MediaType{"*/*": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}}}}}, s.exportLibrary)
	add(s, operation{id: "cite", method: "POST", path: "/api/v1/cite", tag: "citations", summary: "Write references in any style", scope: api.Read, working: true}, s.cite)
}

type styleForm struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Kind    string `json:"kind,omitempty" doc:"author-date, numeric, note, label or author."`
	BuiltIn bool   `json:"built_in"`
}

type styleParams struct {
	Query string `query:"q" maxLength:"200" doc:"Words that its name, title or field has."`
	Limit int    `query:"limit" minimum:"1" maximum:"500" default:"50"`
}

func (s *Server) styles(_ context.Context, in *styleParams) (*body[api.Page[styleForm]], error) {
	page := api.Page[styleForm]{Items: []styleForm{}}
	for _, i := range s.Styles.List(strings.Fields(in.Query)...) {
		if len(page.Items) == in.Limit {
			break
		}
		page.Items = append(page.Items, styleForm{i.Name, i.Title, i.Format, i.BuiltIn})
	}
	return &body[api.Page[styleForm]]{page}, nil
}

// set loads a style. Only names are taken: a path would open files of the server.
func (s *Server) set(name, locale, field string) (export.Style, error) {
	if strings.ContainsAny(name, "/\\\x00") && !strings.HasPrefix(name, "http") || strings.Contains(name, "..") || len(name) > 250 { // it is looked for as the name of a file
		return export.Style{}, invalid(field, "%q is not the name of a style", shortened(name))
	}
	style, err := s.Styles.Style(name)
	if errors.Is(err, ibid.ErrNotFound) || errors.Is(err, ibid.ErrInvalid) {
		return export.Style{}, invalid(field, "there is no style %q", shortened(name))
	}
	return export.Style{Style: style, Locale: locale, Locales: s.Styles.Locale}, err
}

type bibliographyParams struct {
	ID     string `path:"id" maxLength:"200"`
	Format string `query:"format" enum:"text,html,markdown,latex" default:"text"`
	Style  string `query:"style" maxLength:"300" default:"ieee" doc:"By name; GET /api/v1/styles finds it."`
	Locale string `query:"locale" maxLength:"20" doc:"As de-DE; the style's own where it is left out."`
}

type entriesForm struct {
	Style    string   `json:"style"`
	Format   string   `json:"format"`
	Entries  []string `json:"entries"`
	Numbers  []int    `json:"numbers" doc:"Of each entry, which most styles write without: the number of its source in the answer, or the place of the reference among those that were sent, from 1."`
	Warnings []string `json:"warnings,omitempty" doc:"What references lack, each with its id. One that the style finds nothing to write of is not among the entries, and is named here."`
}

func entriesOf(style, format string, list []export.Entry, warnings []string) *body[entriesForm] {
	form := entriesForm{Style: style, Format: format, Entries: []string{}, Numbers: []int{}, Warnings: warnings}
	for _, e := range list {
		form.Entries, form.Numbers = append(form.Entries, e.Text), append(form.Numbers, e.Number)
	}
	return &body[entriesForm]{form}
}

func (s *Server) bibliography(ctx context.Context, in *bibliographyParams) (*body[entriesForm], error) {
	answer, err := s.shown(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	set, err := s.set(in.Style, in.Locale, "query.style")
	if err != nil {
		return nil, err
	}
	sources, err := workflow.Cited(ctx, answer, shownSource)
	if err != nil {
		return nil, err
	}
	format, _ := csl.ParseFormat(in.Format)
	entries, err := export.Bibliography(answer, sources, set, format)
	if errors.Is(err, csl.ErrNoBibliography) {
		return nil, &fieldError{"query.style", err}
	}
	return entriesOf(in.Style, in.Format, entries, nil), err
}

// shown gives a recorded answer as it may be shown.
func (s *Server) shown(ctx context.Context, id string) (ibid.Answer, error) {
	answer, err := callerOf(ctx).record().Answer(ctx, ibid.AnswerID(id))
	return api.Public(answer), err
}

// shownSource gives a source of the caller's collection as it may be shown.
func shownSource(ctx context.Context, id ibid.SourceID) (ibid.Source, error) {
	src, err := callerOf(ctx).record().Source(ctx, id)
	return api.PublicSource(src), err
}

type exportParams struct {
	ID     string `path:"id" maxLength:"200"`
	To     string `query:"to" required:"true" maxLength:"50" doc:"The format."`
	Style  string `query:"style" maxLength:"300" default:"ieee" doc:"By name; GET /api/v1/styles finds it."`
	Locale string `query:"locale" maxLength:"20" doc:"As de-DE; the style's own where it is left out."`
}

type fileAnswer struct {
	Type        string `header:"Content-Type"`
	Disposition string `header:"Content-Disposition"`
	Body        []byte
}

func (s *Server) export(ctx context.Context, in *exportParams) (*fileAnswer, error) {
	if formats := workflow.ExportFormats(); !slices.Contains(formats, in.To) {
		return nil, invalid("query.to", "choose one of %s", strings.Join(formats, ", "))
	}
	answer, err := s.shown(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	set, err := s.set(in.Style, in.Locale, "query.style")
	if err != nil {
		return nil, err
	}
	file, err := workflow.Export(ctx, answer, shownSource, in.To, set)
	// A page of ours is given as a file to keep: opened here, it would be a page of this server.
	return &fileAnswer{file.MediaType, `attachment; filename="answer-` + string(answer.ID) + file.Extension + `"`, file.Body}, err
}

type libraryBibliographyParams struct {
	Format string `query:"format" enum:"text,html,markdown,latex" default:"text"`
	Style  string `query:"style" maxLength:"300" default:"ieee" doc:"By name; GET /api/v1/styles finds it."`
	Locale string `query:"locale" maxLength:"20" doc:"As de-DE; the style's own where it is left out."`
}

// mostCited bounds the references that are set in a style at once.
const mostCited = 2000

func (s *Server) libraryBibliography(ctx context.Context, in *libraryBibliographyParams) (*body[entriesForm], error) {
	set, err := s.set(in.Style, in.Locale, "query.style")
	if err != nil {
		return nil, err
	}
	sources, err := librarySources(ctx, mostCited+1)
	if err != nil {
		return nil, err
	}
	if len(sources) > mostCited {
		return nil, &statusError{http.StatusConflict, fmt.Errorf("the library holds more than %d sources, too many to be set in a style at once: the files for reference managers hold all of them, as GET /api/v1/export?to=bibtex", mostCited)}
	}
	refs := make([]ibid.Reference, len(sources))
	for i, src := range sources {
		refs[i] = export.Record(src)
	}
	format, _ := csl.ParseFormat(in.Format)
	entries, warnings, err := export.References(refs, set, format, false)
	if errors.Is(err, csl.ErrNoBibliography) {
		return nil, &fieldError{"query.style", err}
	}
	return entriesOf(in.Style, in.Format, entries, warnings), err
}

type exportLibraryParams struct {
	To string `query:"to" required:"true" enum:"bibtex,biblatex,ris,endnote,csljson" doc:"The format."`
}

func (s *Server) exportLibrary(ctx context.Context, in *exportLibraryParams) (*fileAnswer, error) {
	sources, err := librarySources(ctx, math.MaxInt)
	if err != nil {
		return nil, err
	}
	file, err := export.Records(sources, in.To)
	return &fileAnswer{file.MediaType, `attachment; filename="library` + file.Extension + `"`, file.Body}, err
}

// librarySources gives the sources of the caller's collection as they may be shown, by their addresses, and no more than most.
func librarySources(ctx context.Context, most int) ([]ibid.Source, error) {
	var all []ibid.Source
	for after := ibid.SourceID(""); len(all) < most; {
		page, err := callerOf(ctx).record().Sources(ctx, after, min(500, most-len(all)))
		if err != nil || len(page) == 0 {
			return all, err
		}
		for _, l := range page {
			all = append(all, api.PublicSource(l.Source))
			after = l.Source.ID
		}
	}
	return all, nil
}

type citeForm struct {
	References []ibid.Reference `json:"references" minItems:"1" maxItems:"2000" doc:"As CSL-JSON."`
	Style      string           `json:"style,omitempty" maxLength:"300" doc:"apa where it is left out."`
	Locale     string           `json:"locale,omitempty" maxLength:"20"`
	Format     string           `json:"format,omitempty" enum:"text,html,markdown,latex"`
	Mode       string           `json:"mode,omitempty" enum:"bibliography,citation" doc:"citation: as it stands in running text."`
}

func (s *Server) cite(_ context.Context, in *body[citeForm]) (*body[entriesForm], error) {
	b := in.Body
	set, err := s.set(or(b.Style, "apa"), b.Locale, "body.style")
	if err != nil {
		return nil, err
	}
	format, _ := csl.ParseFormat(or(b.Format, "text"))
	entries, warnings, err := export.References(b.References, set, format, b.Mode == "citation")
	if errors.Is(err, csl.ErrNoBibliography) {
		return nil, &fieldError{"body.style", err}
	}
	return entriesOf(or(b.Style, "apa"), or(b.Format, "text"), entries, warnings), err
}
