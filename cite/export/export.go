// Package export writes an answer with its citations for others to read: as a page, a paper, or a file that a reference
// manager takes.
package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite"
	"github.com/ibid-dev/ibid/cite/bib"
	"github.com/ibid-dev/ibid/cite/csl"
)

// Formats lists what an answer can be written as.
func Formats() []string { return append(RecordFormats(), "markdown", "html", "docx", "json") }

// RecordFormats lists those that reference managers take.
func RecordFormats() []string { return []string{"bibtex", "biblatex", "ris", "endnote", "csljson"} }

// DefaultStyle is the name of the built-in style that stands where none is named.
const DefaultStyle = "ieee"

// Style is how citations are set. The zero value is the built-in IEEE style.
type Style struct {
	Style   *csl.Style
	Locale  string                        // "" is the style's, else en-US
	Locales func(lang string) *csl.Locale // may be nil
}

// File is an answer as others take it.
type File struct {
	Body      []byte
	MediaType string
	Extension string     // ".bib"
	Losses    []bib.Loss // what the format could not carry
}

// Export writes an answer. The sources are those of its citations; one that is missing is taken from the passages. Only
// what is cited is listed. The error wraps ibid.ErrInvalid where there is no such format.
func Export(a ibid.Answer, sources []ibid.Source, format string, style Style) (File, error) {
	cited := newCited(a, sources)
	switch format {
	case "markdown", "md":
		p, err := newPaper(cited, style, csl.Markdown)
		return File{Body: p.markdown(), MediaType: "text/markdown; charset=utf-8", Extension: ".md"}, err
	case "html":
		p, err := newPaper(cited, style, csl.HTML)
		return File{Body: p.html(), MediaType: "text/html; charset=utf-8", Extension: ".html"}, err
	case "docx":
		p, err := newPaper(cited, style, csl.HTML)
		if err != nil {
			return File{}, err
		}
		body, err := p.docx()
		return File{Body: body, MediaType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document", Extension: ".docx"}, err
	case "json":
		body, err := cited.json()
		return File{Body: body, MediaType: "application/json", Extension: ".json"}, err
	}
	return records(cited.refs, format, Formats())
}

// Records writes sources for a reference manager, all that there are, in one of RecordFormats. The error wraps ibid.ErrInvalid
// where there is no such format.
func Records(sources []ibid.Source, format string) (File, error) {
	refs := make([]ibid.Reference, len(sources))
	for i, s := range sources {
		refs[i] = Record(s)
	}
	return records(refs, format, RecordFormats())
}

func records(refs []ibid.Reference, format string, choices []string) (File, error) {
	f, err := bib.ParseFormat(format)
	if err != nil {
		return File{}, fmt.Errorf("export to %q: choose one of %s: %w", format, strings.Join(choices, ", "), ibid.ErrInvalid)
	}
	var b bytes.Buffer
	losses, err := bib.Write(&b, f, refs)
	return File{Body: b.Bytes(), MediaType: f.MediaType(), Extension: f.Extension(), Losses: losses}, err
}

// Entry is a reference as a style writes it. Styles have an order of their own, and most write no number: Number says which it is.
type Entry struct {
	Number int
	Text   string
}

// Numbered reports whether the style writes the number itself, as in "[1] …" and "1. …".
func (e Entry) Numbered() bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(e.Text, "[("), strconv.Itoa(e.Number))
	return ok && !strings.ContainsAny(rest[:min(1, len(rest))], "0123456789")
}

// Bibliography writes the cited sources in a style, one entry for each, with the numbers that they have in the answer.
func Bibliography(a ibid.Answer, sources []ibid.Source, style Style, f csl.Format) ([]Entry, error) {
	c := newCited(a, sources)
	p, err := newPaper(c, style, f)
	if err != nil {
		return nil, err
	}
	numbers := map[string]int{}
	for _, one := range a.Citations {
		numbers[c.ids[one.Source]] = one.Number
	}
	var out []Entry
	for _, e := range p.entries {
		out = append(out, Entry{numbers[e.ID], e.Text})
	}
	return out, nil
}

// Cited gives the sources that an answer cites, each once, by their numbers. One that is missing among those given is taken from
// the passages.
func Cited(a ibid.Answer, sources []ibid.Source) []ibid.Source { return newCited(a, sources).sources }

// cited is an answer with the records of what it cites, in the order of their numbers.
type cited struct {
	answer  ibid.Answer
	sources []ibid.Source
	refs    []ibid.Reference
	ids     map[ibid.SourceID]string // of the records
}

func newCited(a ibid.Answer, sources []ibid.Source) *cited {
	c := &cited{answer: a, ids: map[ibid.SourceID]string{}}
	byID := map[ibid.SourceID]ibid.Source{}
	steps := a.Passages
	for _, s := range a.Steps {
		steps = append(slices.Clone(steps), s.Passages...)
	}
	for _, p := range steps {
		byID[p.Source.ID] = p.Source
	}
	for _, s := range sources {
		byID[s.ID] = s
	}
	citations := slices.Clone(a.Citations)
	slices.SortStableFunc(citations, func(x, y ibid.Citation) int { return x.Number - y.Number })
	for _, one := range citations {
		s, ok := byID[one.Source]
		if _, seen := c.ids[one.Source]; seen || !ok {
			continue
		}
		c.ids[one.Source] = ""
		c.sources = append(c.sources, s)
		c.refs = append(c.refs, Record(s))
	}
	c.refs = bib.UniqueIDs(c.refs)
	for i, s := range c.sources {
		c.ids[s.ID] = c.refs[i].ID
	}
	return c
}

// References writes references in a style, each once, with their places among those given, from 1: as a bibliography, or each as it
// stands in running text. Warnings tell what they lacked, also of those that the style lists nothing of. The error wraps
// csl.ErrNoBibliography where the style has none.
func References(refs []ibid.Reference, style Style, f csl.Format, inText bool) (entries []Entry, warnings []string, err error) {
	refs = bib.UniqueIDs(refs)
	doc, err := csl.NewDocument(style.Style, csl.Options{Locale: style.Locale, Locales: style.Locales, Items: refs})
	if err != nil {
		return nil, nil, err
	}
	if inText {
		for i, r := range refs {
			c := csl.Cluster{Items: []csl.CiteItem{{ID: r.ID}}}
			if style.Style.Class == "note" {
				c.Note = i + 1
			}
			doc.Cite(c)
		}
		for i, text := range doc.Citations(f) {
			entries = append(entries, Entry{i + 1, text})
		}
		return entries, doc.Warnings(), nil
	}
	doc.Nocite()
	list, err := doc.Bibliography(f)
	if err != nil {
		return nil, nil, err
	}
	places := map[string]int{}
	for i, r := range refs {
		places[r.ID] = i + 1
	}
	for _, e := range list.Entries {
		entries = append(entries, Entry{places[e.ID], strings.TrimRight(e.Text, "\n")})
	}
	return entries, doc.Warnings(), nil
}

// Record is the bibliographic record of a source, fit to be shown to others: it has a title and a type, a DOI without
// the resolver that styles put before it, a page of the web has its address and the day it was read, and a file has no path.
func Record(s ibid.Source) ibid.Reference {
	r := s.Reference.Clone()
	r.Set("DOI", r.DOI())
	if r.Title() == "" {
		r.Set("title", s.Title())
	}
	web := strings.HasPrefix(s.URI, "http://") || strings.HasPrefix(s.URI, "https://")
	if r.URL() == "" && web {
		r.Set("URL", s.URI)
	}
	if strings.HasPrefix(r.URL(), "file:") {
		r.Set("URL", "")
	}
	if r.Type == "" {
		r.Type = "document"
		if web {
			r.Type = "webpage"
		}
	}
	if _, has := r.Dates["accessed"]; web && !has && !s.AddedAt.IsZero() {
		at := s.AddedAt.UTC()
		r.SetDate("accessed", ibid.NewDate(at.Year(), int(at.Month()), at.Day()))
	}
	return r
}

// citations are those of a segment, in the order of their numbers, each place once.
func (c *cited) citations(s ibid.Segment) []ibid.Citation {
	var out []ibid.Citation
	links := c.answer.Evidence(s)
	for _, one := range c.answer.Citations {
		if c.ids[one.Source] != "" && slices.ContainsFunc(links, func(l ibid.Attribution) bool { return l.To == one.At }) {
			out = append(out, one)
		}
	}
	slices.SortStableFunc(out, func(x, y ibid.Citation) int { return x.Number - y.Number })
	return out
}

// Cluster makes the citation of a segment for a style: several sources in one, the places in a source as its locators.
func (c *cited) cluster(all []ibid.Citation) csl.Cluster {
	var out csl.Cluster
	for _, one := range all {
		label, locator := splitLocator(oneLine(one.Locator))
		item := csl.CiteItem{ID: c.ids[one.Source], Label: label, Locator: locator}
		i := slices.IndexFunc(out.Items, func(x csl.CiteItem) bool { return x.ID == item.ID && x.Label == item.Label })
		switch {
		case i < 0:
			out.Items = append(out.Items, item)
		case locator != "" && !slices.Contains(strings.Split(out.Items[i].Locator, ", "), locator):
			out.Items[i].Locator += ", " + locator
		}
	}
	return out
}

// splitLocator takes "p. 3" and "§ September" apart.
func splitLocator(s string) (label, locator string) {
	if page, ok := strings.CutPrefix(s, "p. "); ok {
		return "page", page
	}
	if section, ok := strings.CutPrefix(s, "§ "); ok {
		return "section", section
	}
	return "", ""
}

// json gives the whole record: the answer, the map of its claims to citations, and the works cited.
func (c *cited) json() ([]byte, error) {
	refs := c.refs
	if refs == nil {
		refs = []ibid.Reference{}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(struct {
		Answer     ibid.Answer        `json:"answer"`
		Maps       []cite.CitationMap `json:"citation_maps"`
		References []ibid.Reference   `json:"references"`
	}{c.answer, Maps(c.answer, c.sources), refs})
	return b.Bytes(), err
}

// Maps gives the claims of an answer, each with its citations in the form for exchange. The strength of a map is the
// calibrated support of the claim.
func Maps(a ibid.Answer, sources []ibid.Source) []cite.CitationMap {
	c := newCited(a, sources)
	byID := map[ibid.SourceID]ibid.Source{}
	for _, s := range c.sources {
		byID[s.ID] = s
	}
	out := []cite.CitationMap{}
	for i, s := range a.Segments {
		if s.Origin == ibid.NONE {
			continue
		}
		m := cite.CitationMap{
			ClaimID: fmt.Sprintf("%s-%d", a.ID, i+1), ClaimText: s.At.In(a.Text), Citations: []cite.Citation{}, Strength: s.Support,
			Metadata: map[string]any{"origin": string(s.Origin)},
		}
		for _, one := range c.citations(s) {
			m.Citations = append(m.Citations, cite.FromAnswer(one, byID[one.Source]))
		}
		out = append(out, m)
	}
	return out
}
