package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite"
	"github.com/ibid-dev/ibid/cite/bib"
	"github.com/ibid-dev/ibid/cite/csl"
	"github.com/ibid-dev/ibid/cite/export"
	"github.com/ibid-dev/ibid/fetch"
	"github.com/ibid-dev/ibid/ingest"
)

type citeFlags struct {
	style, locale, format, mode string
	resolver                    string
	lookup, dedupe, coins       bool
	library                     bool
	allowPrivate                bool
	allowPorts                  []int
}

func citeCmd(a *app) *cobra.Command {
	var f citeFlags
	cmd := &cobra.Command{
		Use:   "cite [--style NAME|FILE.csl] (--library | FILE|URL|DOI|ARXIV|ISBN…)",
		Short: "Write references in a citation style",
		Long: `Cite writes a bibliography, or the citations in running text, in any style of
the Citation Style Language. It takes files of references (BibTeX, BibLaTeX,
RIS, EndNote XML, CSL-JSON, and the tags of EndNote and PubMed, .enw and
.nbib), documents that say what they are (PDF, EPUB, HTML, DOCX, PPTX, ODT,
RTF, Markdown), addresses, DOIs, arXiv ids, ISBNs and "PMID 123". "-" reads
standard input.

Documents and files of references need no network. A DOI, arXiv id, ISBN or
PMID is looked up, an address is fetched; what could not be is said, and the
code is 1. With --lookup a document that names its DOI is looked up too.

With --library it cites all sources of the library, or of the --collection that
is named, before what else is given. ibid export --library writes them for a
reference manager.

In text form each entry is one line. In mode citation each reference is one
citation.`,
		Example: `  ibid cite --style ieee library.bib
  ibid cite --style chicago-notes --mode citation paper.pdf
  ibid cite --style apa --library --dedupe
  ibid cite --style nature --locale de-DE 10.1056/NEJMc2103740`,
		Args: func(cmd *cobra.Command, args []string) error {
			if f.library {
				return nil
			}
			return cobra.MinimumNArgs(1)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			a.conf.Fetch.AllowPrivate = a.conf.Fetch.AllowPrivate || f.allowPrivate
			a.conf.Fetch.AllowPorts = append(a.conf.Fetch.AllowPorts, f.allowPorts...)
			return a.cite(cmd, args, f)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.style, "style", "s", "apa", "style, by name or file (ibid styles lists them)")
	flags.StringVar(&f.locale, "locale", "", "language of the words between, such as de-AT (default: the style's, else en-US); built in: "+strings.Join(csl.Languages(), ", "))
	flags.StringVar(&f.format, "format", "text", "text, html, markdown or latex")
	flags.StringVar(&f.mode, "mode", "bibliography", "bibliography or citation")
	flags.BoolVar(&f.lookup, "lookup", false, "look up the DOI that a document names")
	flags.BoolVar(&f.dedupe, "dedupe", false, "merge records of the same work")
	flags.BoolVar(&f.library, "library", false, "cite all sources of the library")
	flags.BoolVar(&f.coins, "coins", false, "with --format html: add COinS, which reference managers read")
	flags.StringVar(&f.resolver, "resolver", "", "where DOIs are looked up (default https://doi.org, or IBID_DOI_RESOLVER)")
	flags.BoolVar(&f.allowPrivate, "allow-private", false, "fetch from private and loopback addresses too")
	flags.IntSliceVar(&f.allowPorts, "allow-port", nil, "fetch from this port too, beside 80 and 443")
	return cmd
}

func (a *app) cite(cmd *cobra.Command, args []string, f citeFlags) error {
	format, ok := csl.ParseFormat(f.format)
	if !ok {
		return usagef("--format %q: choose text, html, markdown or latex", f.format)
	}
	if f.mode != "bibliography" && f.mode != "citation" {
		return usagef("--mode %q: choose bibliography or citation", f.mode)
	}
	lib := a.styles()
	style, err := a.style(lib, f.style)
	if err != nil {
		return err
	}
	refs, failed := a.gather(cmd, args, f)
	if f.library {
		sources, err := a.librarySources(cmd.Context())
		if err != nil {
			return err
		}
		own := make([]ibid.Reference, len(sources), len(sources)+len(refs))
		for i, s := range sources {
			own[i] = export.Record(s)
		}
		refs = append(own, refs...)
	}
	refs = bib.UniqueIDs(refs) // before: what was merged is named by them
	if f.dedupe {
		if refs, err = a.dedupe(refs, ""); err != nil {
			return err
		}
	}
	doc, err := csl.NewDocument(style, csl.Options{Locale: f.locale, Locales: lib.Locale, Items: refs})
	if err != nil {
		return err
	}
	if err := a.printCited(doc, refs, format, f, style); err != nil {
		return err
	}
	for _, w := range doc.Warnings() {
		a.notice("%s", harmless(w))
	}
	if failed {
		return exitCode(1)
	}
	return nil
}

func (a *app) printCited(doc *csl.Document, refs []ibid.Reference, format csl.Format, f citeFlags, style *csl.Style) error {
	if f.mode == "citation" {
		for i, r := range refs {
			c := csl.Cluster{Items: []csl.CiteItem{{ID: r.ID}}}
			if style.Class == "note" {
				c.Note = i + 1
			}
			doc.Cite(c)
		}
		for _, s := range doc.Citations(format) {
			a.printEntry(s, format)
		}
		return nil
	}
	doc.Nocite()
	b, err := doc.Bibliography(format)
	if errors.Is(err, csl.ErrNoBibliography) {
		return hint(fmt.Errorf("style %s: %w", f.style, err), "use --mode citation")
	}
	if err != nil {
		return err
	}
	if format == csl.HTML {
		fmt.Fprintln(a.out, `<div class="csl-bib-body">`)
		defer fmt.Fprintln(a.out, "</div>")
	}
	for _, e := range b.Entries {
		if format == csl.HTML {
			e.Text = `<div class="csl-entry">` + strings.TrimSpace(e.Text) + "</div>"
		}
		a.printEntry(e.Text, format)
		if i := slices.IndexFunc(refs, func(r ibid.Reference) bool { return r.ID == e.ID }); f.coins && format == csl.HTML && i >= 0 {
			fmt.Fprintln(a.out, cite.COinS(refs[i]))
		}
	}
	return nil
}

// printEntry prints one entry a line.
func (a *app) printEntry(s string, format csl.Format) {
	if format == csl.Text {
		s = oneLine(s)
	}
	fmt.Fprintln(a.out, harmless(strings.TrimRight(s, "\n")))
}

// librarySources gives all sources of the collection, and says so where there are none.
func (a *app) librarySources(ctx context.Context) ([]ibid.Source, error) {
	listed, err := a.listedSources(ctx)
	if err != nil {
		return nil, err
	}
	if len(listed) == 0 {
		a.noticeEmpty(ctx)
	}
	sources := make([]ibid.Source, len(listed))
	for i, l := range listed {
		sources[i] = l.Source
	}
	return sources, nil
}

// gather reads all arguments, and goes on where one fails.
func (a *app) gather(cmd *cobra.Command, args []string, f citeFlags) (refs []ibid.Reference, failed bool) {
	for _, arg := range args {
		found, faults, err := a.recordsOf(cmd, arg, f)
		refs = append(refs, found...)
		failed = failed || faults || err != nil
		if err != nil {
			a.complain(err)
		}
	}
	return refs, failed
}

// recordsOf finds the records that an argument stands for.
func (a *app) recordsOf(cmd *cobra.Command, arg string, f citeFlags) (refs []ibid.Reference, faults bool, err error) {
	ctx := cmd.Context()
	_, missing := os.Stat(arg)
	if arg == "-" || missing == nil {
		b, err := a.readWhole(cmd, arg)
		if err != nil {
			return nil, false, err
		}
		return a.recordsIn(ctx, b, ingest.Hint{Name: filepath.Base(inputName(arg))}, f)
	}
	r, err := a.lookup(f).Lookup(ctx, arg)
	if err == nil {
		return []ibid.Reference{r}, false, nil
	}
	if isIdentifier(arg) {
		if errors.Is(err, ibid.ErrNotFound) || errors.Is(err, ibid.ErrInvalid) {
			return nil, true, err
		}
		return nil, true, hint(err, "a look-up needs the network; a file of references does not")
	}
	if _, err := cite.ParseISBN(arg); err != nil && strings.Trim(arg, "0123456789- xX") == "" {
		return nil, true, err
	}
	if !hasScheme(arg) {
		return nil, true, hint(fmt.Errorf("%s: no such file, and not an address, DOI, arXiv id, ISBN or PMID", arg), "quote an argument that has spaces")
	}
	page, err := a.fetcher().Get(ctx, fetch.Request{URL: arg})
	if err != nil {
		return nil, true, err
	}
	refs, faults, err = a.recordsIn(ctx, page.Body, ingest.Hint{Name: arg, MediaType: page.MediaType, URI: page.URL}, f)
	for i := range refs {
		if refs[i].URL() == "" {
			refs[i].Set("URL", page.URL)
		}
		if _, has := refs[i].Dates["accessed"]; !has {
			now := a.now()
			refs[i].SetDate("accessed", ibid.NewDate(now.Year(), int(now.Month()), now.Day()))
		}
	}
	return refs, faults, err
}

func isIdentifier(s string) bool {
	switch cite.Classify(s) {
	case cite.KindDOI, cite.KindArXiv, cite.KindISBN:
		return true
	}
	_, err := cite.ParsePMID(s)
	return err == nil
}

// recordsIn reads a file of references, or what a document says of itself.
func (a *app) recordsIn(ctx context.Context, b []byte, h ingest.Hint, f citeFlags) ([]ibid.Reference, bool, error) {
	if refs := exchanged(b); len(refs) > 0 {
		return refs, false, nil
	}
	if _, err := bib.Detect(b); err == nil {
		file, err := bib.Read(b)
		faults, err := a.faults(h.Name, file, err)
		if err == nil && len(file.References) == 0 && !faults {
			err = fmt.Errorf("%s: no references in it: %w", h.Name, ibid.ErrInvalid)
		}
		return file.References, faults, err
	}
	res, err := ingest.Read(ctx, b, h)
	if err != nil {
		return nil, true, fmt.Errorf("%s: %w", h.Name, err)
	}
	r := res.Reference
	if r.DOI() == "" {
		r.Set("DOI", cite.FindDOI(firstPage(res)))
	}
	if r.DOI() != "" && f.lookup {
		found, err := a.lookup(f).Lookup(ctx, r.DOI())
		if err == nil {
			return []ibid.Reference{found}, false, nil
		}
		a.complain(fmt.Errorf("%s: %w; what the document says of itself is used", h.Name, err))
	} else if r.DOI() != "" && (r.Title() == "" || len(r.Names["author"]) == 0) {
		a.notice("%s: names its DOI %s; --lookup gets the whole record", shown(h.Name), r.DOI())
	}
	if r.Title() == "" && h.Name == inputName("-") {
		return nil, true, hint(fmt.Errorf("%s holds no references, and does not say what it is", h.Name), "name the file, which it can be cited by")
	}
	if r.Title() == "" {
		r.Set("title", strings.TrimSuffix(filepath.Base(h.Name), filepath.Ext(h.Name)))
	}
	if r.Type == "" {
		r.Type = "document"
	}
	return []ibid.Reference{r}, false, nil
}

// exchanged reads citations in the form that ibid check takes, nil where it is another.
func exchanged(b []byte) (refs []ibid.Reference) {
	// Reading a large file of references twice would take as long as rendering it.
	head := b[:min(len(b), 64<<10)]
	if !bytes.Contains(head, []byte(`"source"`)) || !bytes.Contains(head, []byte(`"confidence"`)) {
		return nil
	}
	in, err := cite.ReadInput(b)
	if err != nil {
		return nil
	}
	for _, item := range in.Items {
		citations := []cite.Citation{}
		if item.Map != nil {
			citations = item.Map.Citations
		} else {
			citations = append(citations, *item.Citation)
		}
		for _, c := range citations {
			if c.Source == "" || math.IsNaN(c.Confidence) {
				return nil // no reference has these two
			}
			refs = append(refs, c.ToReference())
		}
	}
	return refs
}

// firstPage is where a paper names its own DOI; further on stand those of others.
func firstPage(res ingest.Result) string {
	end := min(len(res.Text), 4000)
	for _, m := range res.Outline {
		if m.Page == 2 {
			end = min(end, m.At)
		}
	}
	return res.Text[:end]
}

// lookup asks the directories of identifiers, whose addresses the environment may change.
func (a *app) lookup(f citeFlags) fetch.Lookup {
	return fetch.NewLookup(a.fetcher(), fetch.Directories{
		DOI: first(f.resolver, a.env("IBID_DOI_RESOLVER")), Crossref: a.env("IBID_CROSSREF"), PubMed: a.env("IBID_PUBMED"),
		OpenLibrary: a.env("IBID_OPENLIBRARY"), ArXiv: a.env("IBID_ARXIV"),
	})
}
