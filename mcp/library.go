package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/cite/bib"
	"github.com/ibid-dev/ibid/cite/csl"
	"github.com/ibid-dev/ibid/cite/export"
	"github.com/ibid-dev/ibid/internal/wording"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/workflow"
)

var (
	searchTool = tool{name: "search", title: "Search the library", doc: `Find the passages of the user's library that may answer a question, best first, with their words, where they stand, and the version of the document. Ask in the words that the text would use. Cite a passage by its number, and hand its address to attribute, gate or record as a source.`}
	citeTool   = tool{name: "cite", title: "Write references in a style", doc: `Write a bibliography, footnotes or the citations in running text in any CSL style (apa, ieee, chicago-notes, nature ...), or the records as BibTeX, RIS and the like. Takes sources of the library by their ids or all of them, all that a recorded answer cites, records as CSL-JSON, or a text of BibTeX, BibLaTeX, RIS or EndNote XML.`}
	ingestTool = tool{name: "ingest", title: "Take something into the library", writes: true, open: true, slow: true, doc: `Take a text, a page of the web or, where files are allowed, a file into the user's library, so that it can be searched and cited. The same text twice is one document; a text of the same name that differs is a new version.`}
)

type searchIn struct {
	Query   string   `json:"query" jsonschema:"the question, or words of what is looked for; at most 20000 characters"`
	Limit   int      `json:"limit,omitempty" jsonschema:"how many passages at most, 1 to 50; 8 where it is left out"`
	Sources []string `json:"sources,omitempty" jsonschema:"only these sources, by id"`
}

type searchOut struct {
	Passages []passageOut `json:"passages" jsonschema:"best first"`
}

type passageOut struct {
	Number   int             `json:"number" jsonschema:"1 for the best"`
	Passage  string          `json:"passage" jsonschema:"its address, by which attribute, gate and record take it as a source"`
	Source   ibid.SourceID   `json:"source" jsonschema:"id of the source"`
	Document ibid.DocumentID `json:"document" jsonschema:"hash of the text of this version"`
	Version  int             `json:"version" jsonschema:"of the source; 1 is the first"`
	Title    string          `json:"title"`
	Name     string          `json:"name" jsonschema:"of the file or page"`
	URL      string          `json:"url,omitempty"`
	Locator  string          `json:"locator,omitempty" jsonschema:"page or heading where it begins"`
	Text     string          `json:"text" jsonschema:"its words, to the letter"`
	Score    float64         `json:"score" jsonschema:"orders the passages; it is no probability"`
}

func (d *desk) search(ctx context.Context, in searchIn) (searchOut, error) {
	out := searchOut{Passages: []passageOut{}}
	switch {
	case workflow.Blank(in.Query):
		return out, invalid("the query is empty")
	case longer(in.Query, maxQuestion):
		return out, invalid("the query is longer than %d characters; ask for one thing at a time", maxQuestion)
	case in.Limit < 0 || in.Limit > 50:
		return out, invalid("limit is %d; give a number from 1 to 50", in.Limit)
	}
	q := ibid.Query{Text: in.Query, Limit: in.Limit, Collection: d.caller.Collection}
	if q.Limit == 0 {
		q.Limit = d.Asker.Passages
	}
	var err error
	if q.Sources, err = d.sources(ctx, in.Sources); err != nil {
		return out, err
	}
	found, err := d.Asker.Retriever.Retrieve(ctx, q)
	if err != nil {
		return out, err
	}
	for _, p := range api.Public(ibid.Answer{Passages: found}).Passages {
		versions, err := d.record.Versions(ctx, p.Source.ID)
		if err != nil && !errors.Is(err, ibid.ErrNotFound) {
			return out, err
		}
		version := 0
		if i := slices.IndexFunc(versions, func(v ibid.Document) bool { return v.ID == p.Chunk.At.Document }); i >= 0 {
			version = versions[i].Version
		}
		c := citedOf(p)
		out.Passages = append(out.Passages, passageOut{p.Rank, c.Passage, p.Source.ID, p.Chunk.At.Document, version, c.Title, c.Name, c.URL,
			p.Locator(p.Chunk.At.Span.Start), p.Chunk.Text, p.Score})
	}
	return out, nil
}

func (o searchOut) words() string {
	if len(o.Passages) == 0 {
		return "Nothing was found. Ask in other words, or see with resources/list what the library holds.\n"
	}
	var b strings.Builder
	for _, p := range o.Passages {
		fmt.Fprintf(&b, "[%d] %s%s · source %s, version %d\n%s\n%s\n\n", p.Number, oneLine(p.Title), beginning(" · ", p.Locator), p.Source, p.Version, p.Passage, p.Text)
	}
	return b.String()
}

// allSources goes through those of the caller's collection.
func (d *desk) allSources(ctx context.Context) iter.Seq2[sqlite.Listed, error] {
	return func(yield func(sqlite.Listed, error) bool) {
		for after := ibid.SourceID(""); ; {
			page, err := d.record.Sources(ctx, after, 500)
			if err != nil {
				yield(sqlite.Listed{}, err)
				return
			}
			if len(page) == 0 {
				return
			}
			for _, l := range page {
				if !yield(l, nil) {
					return
				}
				after = l.Source.ID
			}
		}
	}
}

// sources gives the ids of sources that there are in the caller's collection.
func (d *desk) sources(ctx context.Context, ids []string) ([]ibid.SourceID, error) {
	if len(ids) > maxSources {
		return nil, invalid("there are more than %d sources", maxSources)
	}
	var out []ibid.SourceID
	for _, id := range ids {
		src, err := d.record.Source(ctx, ibid.SourceID(strings.ToLower(id)))
		if errors.Is(err, ibid.ErrNotFound) {
			return nil, invalid("there is no source %q; search gives the whole id of each source", shortened(id))
		}
		if err != nil {
			return nil, err
		}
		out = append(out, src.ID)
	}
	return out, nil
}

type citeIn struct {
	Sources    []string         `json:"sources,omitempty" jsonschema:"sources of the library, by id"`
	Answer     string           `json:"answer,omitempty" jsonschema:"all that this recorded answer cites, by its id"`
	Library    bool             `json:"library,omitempty" jsonschema:"all sources of the library, at most 2000"`
	References []map[string]any `json:"references,omitempty" jsonschema:"records as CSL-JSON"`
	Records    string           `json:"records,omitempty" jsonschema:"a text of BibTeX, BibLaTeX, RIS, EndNote XML or CSL-JSON"`
	Style      string           `json:"style,omitempty" jsonschema:"name of a CSL style; apa where it is left out"`
	Locale     string           `json:"locale,omitempty" jsonschema:"language of the words between, such as de-DE"`
	Format     string           `json:"format,omitempty" jsonschema:"text where it is left out; html, markdown and latex are written in the style, the others are records for a reference manager"`
	Mode       string           `json:"mode,omitempty" jsonschema:"bibliography where it is left out, or citation: each as it stands in running text or in a footnote"`
}

type citeOut struct {
	Style    string   `json:"style,omitempty"`
	Format   string   `json:"format"`
	Entries  []string `json:"entries" jsonschema:"one for each reference, in the order of the style; all records in one entry where the format is one of records"`
	Losses   []string `json:"losses" jsonschema:"what the format has no place for, and what of the records could not be read"`
	Warnings []string `json:"warnings" jsonschema:"what references lack, each with its id; one that the style finds nothing to write of is not among the entries, and is named here"`
}

func (d *desk) cite(ctx context.Context, in citeIn) (citeOut, error) {
	refs, faults, err := d.references(ctx, in)
	if err != nil {
		return citeOut{}, err
	}
	out := citeOut{Style: in.Style, Format: in.Format, Entries: []string{}, Losses: listed(faults), Warnings: []string{}}
	if out.Format == "" {
		out.Format = "text"
	}
	if in.Mode != "" && in.Mode != "bibliography" && in.Mode != "citation" {
		return citeOut{}, invalid("mode is %q; choose bibliography or citation", shortened(in.Mode))
	}
	format, ok := csl.ParseFormat(out.Format)
	if !ok {
		return out.records(refs)
	}
	out.Style = or(out.Style, "apa")
	style, err := d.style(out.Style, in.Locale)
	if err != nil {
		return citeOut{}, err
	}
	entries, warnings, err := export.References(refs, style, format, in.Mode == "citation")
	if errors.Is(err, csl.ErrNoBibliography) {
		return citeOut{}, invalid("style %s: %v; use mode citation", shortened(out.Style), err)
	}
	out.Warnings = listed(warnings)
	for _, e := range entries {
		if format == csl.Text {
			e.Text = oneLine(e.Text)
		}
		out.Entries = append(out.Entries, e.Text)
	}
	return out, err
}

// records writes references for a reference manager.
func (o citeOut) records(refs []ibid.Reference) (citeOut, error) {
	format, err := bib.ParseFormat(o.Format)
	if err != nil {
		return citeOut{}, invalid("format is %q; choose one of %s", shortened(o.Format), strings.Join(choices("cite", "format"), ", "))
	}
	var b bytes.Buffer
	losses, err := bib.Write(&b, format, bib.UniqueIDs(refs))
	for _, l := range losses {
		o.Losses = append(o.Losses, "not carried over: "+l.String())
	}
	o.Style, o.Entries = "", []string{b.String()}
	return o, err
}

// references gathers what is to be cited.
func (d *desk) references(ctx context.Context, in citeIn) (refs []ibid.Reference, faults []string, err error) {
	ids, err := d.sources(ctx, in.Sources)
	if err != nil {
		return nil, nil, err
	}
	for _, id := range ids {
		src, err := d.source(ctx, id)
		if err != nil {
			return nil, nil, err
		}
		refs = append(refs, export.Record(src))
	}
	if in.Answer != "" {
		a, err := d.answer(ctx, in.Answer)
		if err != nil {
			return nil, nil, err
		}
		cited, err := workflow.Cited(ctx, a, d.source)
		if err != nil {
			return nil, nil, err
		}
		for _, src := range cited {
			if !slices.Contains(ids, src.ID) {
				refs = append(refs, export.Record(src))
			}
		}
	}
	if in.Library {
		if len(refs) > 0 {
			return nil, nil, invalid("library means all sources; leave out sources and answer")
		}
		for l, err := range d.allSources(ctx) {
			if err != nil {
				return nil, nil, err
			}
			refs = append(refs, export.Record(api.PublicSource(l.Source)))
		}
	}
	if len(in.References) > 0 {
		b, err := json.Marshal(in.References)
		if err == nil {
			var given []ibid.Reference
			err = json.Unmarshal(b, &given)
			refs = append(refs, given...)
		}
		if err != nil {
			return nil, nil, invalid("references: %v", err)
		}
	}
	if in.Records != "" {
		file, err := bib.Read([]byte(in.Records))
		var problems bib.Problems
		if err != nil && !errors.As(err, &problems) {
			return nil, nil, invalid("records: %s; give BibTeX, BibLaTeX, RIS, EndNote XML or CSL-JSON", wording.Of(err))
		}
		for _, p := range problems {
			faults = append(faults, "records: "+p.String())
		}
		refs = append(refs, file.References...)
	}
	switch {
	case len(refs) == 0:
		return nil, nil, invalid("there is nothing to cite; give sources or library, an answer that cites something, references or records")
	case len(refs) > 2000:
		return nil, nil, invalid("there are more than 2000 references; send fewer at once")
	}
	return refs, faults, nil
}

func (o citeOut) words() string {
	out := strings.Join(o.Entries, "\n") + "\n"
	for _, l := range slices.Concat(o.Losses, o.Warnings) {
		out += "(" + l + ")\n"
	}
	return out
}

type ingestIn struct {
	Text  string `json:"text,omitempty" jsonschema:"the text to take in, with its name"`
	Name  string `json:"name,omitempty" jsonschema:"names the text, such as notes.md: a text of the same name is a new version of it"`
	Title string `json:"title,omitempty" jsonschema:"what people call it"`
	URL   string `json:"url,omitempty" jsonschema:"a page to fetch; or, beside text, where the text can be found"`
	Path  string `json:"path,omitempty" jsonschema:"a file, by its path within the folder that is open to you, where one is"`
}

type ingestOut struct {
	Name     string          `json:"name"`
	Source   ibid.SourceID   `json:"source" jsonschema:"its id"`
	Document ibid.DocumentID `json:"document" jsonschema:"hash of the text of this version"`
	URI      string          `json:"uri" jsonschema:"resource that gives the text"`
	Version  int             `json:"version"`
	New      bool            `json:"new" jsonschema:"false: the library had it already"`
	Passages int             `json:"passages"`
	Warnings []string        `json:"warnings"`
}

func (d *desk) ingest(ctx context.Context, in ingestIn) (ingestOut, error) {
	input, err := d.input(in)
	if err != nil {
		return ingestOut{}, err
	}
	ingester := &workflow.Ingester{Library: d.Store, Now: d.Asker.Now, Collection: d.caller.Collection}
	var got workflow.Outcome
	for o := range ingester.Ingest(ctx, slices.Values([]workflow.Input{input})) {
		got = o
	}
	if got.Err == nil && got.Source == "" { // it was not begun
		got.Err = context.Cause(ctx)
	}
	if got.Err != nil {
		return ingestOut{}, got.Err
	}
	if d.Updated != nil {
		if err := d.Updated(ctx); err != nil {
			d.Log.Error("index not updated", "error", err)
		}
	}
	return ingestOut{input.Name, got.Source, got.Document.ID, documentURI(got.Document.ID), got.Document.Version, got.New, got.Chunks, listed(got.Warnings)}, nil
}

// input is what is to be taken in: one thing, told apart by which arguments name it.
func (d *desk) input(in ingestIn) (workflow.Input, error) {
	if len(in.Name) > 300 || len(in.Title) > 1000 || len(in.URL) > 4000 || len(in.Path) > 4000 {
		return workflow.Input{}, invalid("name, title, url or path is too long")
	}
	switch {
	case in.Path != "" && (in.Text != "" || in.URL != ""):
		return workflow.Input{}, invalid("give a path, or a text, or a url")
	case in.Path != "":
		if d.File == nil {
			return workflow.Input{}, invalid("files are not open to you; send the text, or ask the user to run ibid ingest")
		}
		return d.File(in.Path)
	case in.Text != "":
		if strings.TrimSpace(in.Name) == "" && !api.WebAddress(in.URL) {
			return workflow.Input{}, invalid("the text has no name; give one, such as notes.md, by which a later version is known")
		}
		return workflow.Given(in.Name, in.Title, in.URL, in.Text)
	case in.URL != "":
		u, err := url.Parse(in.URL)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return workflow.Input{}, invalid("%q is not the address of a page: it begins with http:// or https://", shortened(in.URL))
		}
		if d.Fetch == nil {
			return workflow.Input{}, invalid("no pages are fetched here; send the text")
		}
		uri, _, _ := strings.Cut(in.URL, "#") // parts of a page are the same page
		return workflow.Input{URI: uri, Name: uri, Title: in.Title, Size: -1, Open: func(ctx context.Context) (workflow.Content, error) { return d.Fetch(ctx, uri) }}, nil
	}
	return workflow.Input{}, invalid("there is nothing to take in; give a text with its name, or a url")
}

func (o ingestOut) words() string {
	said := "was taken in"
	if !o.New {
		said = "was there already"
	}
	out := fmt.Sprintf("%s %s: source %s, version %d, %s.\n", o.Name, said, o.Source, o.Version, count(o.Passages, "passage", "passages"))
	for _, w := range o.Warnings {
		out += "- " + w + "\n"
	}
	return out
}
