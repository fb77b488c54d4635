package fetch

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite"
	"github.com/ibid-dev/ibid/cite/bib"
)

// Lookup finds the record of a work by its identifier, in any spelling. The error wraps ibid.ErrNotFound where the
// directory does not know it and ibid.ErrInvalid where it is no identifier of its kind.
type Lookup interface {
	Lookup(ctx context.Context, id string) (ibid.Reference, error)
}

// Directories are the addresses that look-ups ask. An empty one is the public service.
type Directories struct {
	DOI         string // resolver with content negotiation; https://doi.org
	Crossref    string // https://api.crossref.org
	PubMed      string // https://eutils.ncbi.nlm.nih.gov/entrez/eutils
	OpenLibrary string // https://openlibrary.org
	ArXiv       string // https://export.arxiv.org
}

// NewLookup gives a look-up that tells by the identifier whom to ask: a DOI its resolver, then Crossref; an arXiv id, an
// ISBN or a PMID ("PMID 33826819", or its address at PubMed) the directory of their own.
func NewLookup(f *Fetcher, d Directories) Lookup {
	return anyLookup{
		doi: DOI(f, d.DOI), crossref: Crossref(f, d.Crossref), pubmed: PubMed(f, d.PubMed), isbn: ISBN(f, d.OpenLibrary), arxiv: ArXiv(f, d.ArXiv),
	}
}

type anyLookup struct{ doi, crossref, pubmed, isbn, arxiv Lookup }

func (l anyLookup) Lookup(ctx context.Context, id string) (ibid.Reference, error) {
	id = strings.TrimSpace(id)
	if _, err := cite.ParseArXiv(id); err == nil {
		return l.arxiv.Lookup(ctx, id)
	}
	if _, err := cite.ParseDOI(id); err == nil {
		r, err := l.doi.Lookup(ctx, id)
		if err != nil && ctx.Err() == nil {
			if r, second := l.crossref.Lookup(ctx, id); second == nil {
				return r, nil
			}
		}
		return r, err
	}
	if _, err := cite.ParsePMID(id); err == nil && strings.ContainsAny(id, ":/pP") {
		return l.pubmed.Lookup(ctx, id)
	}
	if _, err := cite.ParseISBN(id); err == nil {
		return l.isbn.Lookup(ctx, id)
	}
	return ibid.Reference{}, fmt.Errorf("look up %q: expected a DOI, an arXiv id, an ISBN or a PMID: %w", id, ibid.ErrInvalid)
}

// source is what the look-ups share: whom they ask and how.
type source struct {
	f    *Fetcher
	base string
}

func newSource(f *Fetcher, base, fallback string) source {
	if base == "" {
		base = fallback
	}
	return source{f, strings.TrimRight(base, "/")}
}

// get asks for one media type.
func (s source) get(ctx context.Context, what, path, accept string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, s.f.cfg.Timeout)
	defer cancel()
	u, err := s.f.check(s.base + path)
	if err != nil {
		return nil, fmt.Errorf("look up %s: %w", what, err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, fmt.Errorf("look up %s: %w", what, refuse(u.String(), "it is not a proper address", ""))
	}
	req.Header.Set("User-Agent", s.f.cfg.UserAgent)
	req.Header.Set("Accept", accept)
	resp, err := s.f.client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("could not look up %s: %w", what, s.f.explain(u.String(), err))
	}
	defer resp.Body.Close()
	page, err := s.f.read(Request{URL: u.String()}, resp)
	var status *StatusError
	if errors.As(err, &status) && (status.Code == http.StatusNotFound || status.Code == http.StatusGone) {
		return nil, fmt.Errorf("%s is not known at %s: %w", what, u.Host, ibid.ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("could not look up %s: %w", what, err)
	}
	return page.Body, nil
}

func badAnswer(what, host string) error {
	return fmt.Errorf("look up %s: the answer of %s is not in the form that was expected: %w", what, host, ibid.ErrInvalid)
}

// DOI asks a resolver for the record itself, by content negotiation.
func DOI(f *Fetcher, base string) Lookup { return doiLookup{newSource(f, base, "https://doi.org")} }

type doiLookup struct{ source }

func (l doiLookup) Lookup(ctx context.Context, id string) (ibid.Reference, error) {
	doi, err := cite.ParseDOI(id)
	if err != nil {
		return ibid.Reference{}, err
	}
	b, err := l.get(ctx, "DOI "+doi, "/"+pathOf(doi), "application/vnd.citationstyles.csl+json")
	if err != nil {
		return ibid.Reference{}, err
	}
	r, err := readCrossref(b)
	if err != nil {
		return ibid.Reference{}, badAnswer("DOI "+doi, l.base)
	}
	return withDOI(r, doi), nil
}

// pathOf escapes a DOI but for its slashes.
func pathOf(doi string) string {
	return strings.ReplaceAll(url.PathEscape(doi), "%2F", "/")
}

func withDOI(r ibid.Reference, doi string) ibid.Reference {
	if r.DOI() == "" {
		r.Set("DOI", doi)
	}
	r.ID = r.DOI()
	return r
}

// Crossref asks Crossref's directory of works.
func Crossref(f *Fetcher, base string) Lookup {
	return crossrefLookup{newSource(f, base, "https://api.crossref.org")}
}

type crossrefLookup struct{ source }

func (l crossrefLookup) Lookup(ctx context.Context, id string) (ibid.Reference, error) {
	doi, err := cite.ParseDOI(id)
	if err != nil {
		return ibid.Reference{}, err
	}
	b, err := l.get(ctx, "DOI "+doi, "/works/"+url.PathEscape(doi), "application/json")
	if err != nil {
		return ibid.Reference{}, err
	}
	var answer struct {
		Message json.RawMessage `json:"message"`
	}
	if json.Unmarshal(b, &answer) != nil || answer.Message == nil {
		return ibid.Reference{}, badAnswer("DOI "+doi, l.base)
	}
	r, err := readCrossref(answer.Message)
	if err != nil {
		return ibid.Reference{}, badAnswer("DOI "+doi, l.base)
	}
	return withDOI(r, doi), nil
}

// known are the variables that are taken over; the rest of an answer is about the directory, not the work.
var known = strings.Fields(`title container-title container-title-short title-short original-title publisher publisher-place volume issue page number edition DOI URL ISBN ISSN PMID PMCID language abstract
	collection-title collection-number genre event event-title event-place archive version number-of-pages note`)

// readCrossref reads CSL-JSON as Crossref and DataCite write it: lists where CSL has one value, entities, tags.
func readCrossref(b []byte) (ibid.Reference, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(b, &all); err != nil || all == nil {
		return ibid.Reference{}, fmt.Errorf("not an object: %w", ibid.ErrInvalid)
	}
	kept := map[string]json.RawMessage{}
	for k, raw := range all {
		if ibid.IsNameVariable(k) || ibid.IsDateVariable(k) || k == "type" {
			kept[k] = raw
		}
	}
	for from, to := range map[string]string{"short-container-title": "container-title-short", "article-number": "number", "publisher-location": "publisher-place"} {
		if _, has := all[to]; !has && all[from] != nil {
			all[to] = all[from]
		}
	}
	for _, k := range known {
		if s := cleanText(firstText(all[k])); s != "" {
			kept[k], _ = json.Marshal(s)
		}
	}
	for _, k := range []string{"container-title", "subtitle"} { // of which several tell more than the first
		var list []string
		if json.Unmarshal(all[k], &list) == nil && len(list) > 0 {
			for i, s := range list {
				list[i] = cleanText(s)
			}
			kept[k], _ = json.Marshal(slices.DeleteFunc(list, func(s string) bool { return s == "" }))
		}
	}
	clean, err := json.Marshal(kept)
	if err != nil {
		return ibid.Reference{}, err
	}
	var r ibid.Reference
	if err := json.Unmarshal(clean, &r); err != nil {
		return ibid.Reference{}, err
	}
	bib.Tidy(&r)
	r.Type = cmp.Or(r.Type, "document")
	r.Extra = nil
	r.Set("abstract", "") // of a publisher's own markup, and long
	return r, complete(&r)
}

// complete takes out names that name nobody, and refuses a record that names no work.
func complete(r *ibid.Reference) error {
	for k, names := range r.Names {
		r.SetNames(k, slices.DeleteFunc(names, func(n ibid.Name) bool { return strings.TrimSpace(n.String()) == "" })...)
	}
	if r.Title() == "" && len(r.Names) == 0 {
		return fmt.Errorf("neither title nor names: %w", ibid.ErrInvalid)
	}
	return nil
}

// firstText is a text, a number, or the first of a list of them.
func firstText(raw json.RawMessage) string {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil {
		if len(list) == 0 {
			return ""
		}
		raw = list[0]
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var n json.Number
	if json.Unmarshal(raw, &n) == nil {
		return n.String()
	}
	return ""
}

var (
	otherTags = regexp.MustCompile(`</?(?:jats:|mml:|scp|inf|strong|em\b|title|p\b|sec\b|u\b|tt\b|bold|italic)[^<>]*>`)
	manySpace = regexp.MustCompile(`\s+`)
)

// cleanText resolves entities and takes out tags that CSL does not know.
func cleanText(s string) string {
	s = html.UnescapeString(s)
	s = strings.NewReplacer("<em>", "<i>", "</em>", "</i>", "<italic>", "<i>", "</italic>", "</i>", "<strong>", "<b>", "</strong>", "</b>", "<bold>", "<b>", "</bold>", "</b>", "<inf>", "<sub>", "</inf>", "</sub>").Replace(s)
	s = otherTags.ReplaceAllString(s, "")
	return strings.TrimSpace(manySpace.ReplaceAllString(s, " "))
}
