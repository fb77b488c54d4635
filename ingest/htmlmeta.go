package ingest

import (
	"encoding/json"
	"html"
	"regexp"
	"strings"

	"github.com/ibid-dev/ibid"
)

const jsonLD = "application/ld+json"

// htmlMeta collects what a page says of itself. Four vocabularies are asked in turn, field by field: the citation_*
// tags that publishers write for search engines, JSON-LD, Dublin Core, OpenGraph; then the plain tags.
type htmlMeta struct {
	title     string
	language  string
	canonical string
	time      string // of the first <time> with a date
	tags      map[string][]string
	count     int
	ld        []ldWork
}

// maxMeta bounds what is kept of a page that is all metadata.
const (
	maxMeta      = 2000
	maxMetaValue = 10000
)

func (m *htmlMeta) addMeta(a attributes) {
	name := a.name
	if name == "" {
		name = a.property
	}
	if name == "" {
		name = a.itemprop
	}
	value := collapse(a.content)
	if name == "" || value == "" || len(value) > maxMetaValue || m.count >= maxMeta {
		return
	}
	if m.tags == nil {
		m.tags = map[string][]string{}
	}
	m.count++
	key := strings.ToLower(name)
	for _, lead := range []string{"dcterms.", "dcterms:", "dc:"} { // of Dublin Core, in its many spellings
		if rest, ok := strings.CutPrefix(key, lead); ok {
			key = "dc." + rest
		}
	}
	m.tags[key] = append(m.tags[key], value)
}

func (m *htmlMeta) addLink(a attributes) {
	if strings.EqualFold(a.rel, "canonical") && strings.HasPrefix(a.hrefText, "http") && m.canonical == "" {
		m.canonical = a.hrefText
	}
}

func (m *htmlMeta) addTime(a attributes) {
	if m.time == "" && !parseDate(a.datetime).IsZero() {
		m.time = a.datetime
	}
}

func (m *htmlMeta) first(keys ...string) string {
	for _, k := range keys {
		if v := m.tags[k]; len(v) > 0 {
			return v[0]
		}
	}
	return ""
}

func (m *htmlMeta) all(keys ...string) []string {
	for _, k := range keys {
		if v := m.tags[k]; len(v) > 0 {
			return v
		}
	}
	return nil
}

func (m *htmlMeta) reference(heading string) ibid.Reference {
	var r ibid.Reference
	ld := m.work()
	site := m.first("og:site_name")
	set := func(variable string, values ...string) {
		for _, v := range values {
			if v = collapse(v); v != "" {
				r.Set(variable, v)
				return
			}
		}
	}
	set("title", m.first("citation_title"), ld.title, m.first("dc.title"), m.first("og:title", "twitter:title"), pageTitle(m.title, heading, site))
	set("container-title", m.first("citation_journal_title", "citation_conference_title", "citation_inbook_title"), ld.container,
		m.first("dc.relation.ispartof", "dc.ispartof"), site)
	set("publisher", m.first("citation_publisher", "citation_dissertation_institution", "citation_technical_report_institution"),
		ld.publisher, m.first("dc.publisher"))
	set("volume", m.first("citation_volume"), ld.volume)
	set("issue", m.first("citation_issue"), ld.issue)
	set("page", pageRange(m.first("citation_firstpage"), m.first("citation_lastpage")), ld.page)
	set("DOI", findDOI(m.first("citation_doi")), ld.doi, findDOI(m.first("dc.identifier.doi", "dc.identifier", "doi", "prism.doi")))
	set("ISBN", m.first("citation_isbn"), ld.isbn, m.first("og:isbn", "book:isbn"))
	set("ISSN", m.first("citation_issn"), ld.issn)
	set("language", m.first("citation_language"), ld.language, m.first("dc.language"), m.language)
	set("abstract", m.first("citation_abstract"), ld.abstract, m.first("dc.description.abstract", "dc.description"), m.first("og:description"), m.first("description"))
	set("URL", m.first("citation_public_url", "citation_abstract_html_url"), m.canonical, httpOnly(ld.url), httpOnly(m.first("og:url")))
	r.SetNames("author", m.authors(ld)...)
	for _, s := range []string{
		m.first("citation_publication_date", "citation_date", "citation_cover_date", "citation_online_date", "citation_year"), ld.date,
		m.first("dc.date.issued", "dc.issued", "dc.date", "dc.date.created"),
		m.first("article:published_time", "og:article:published_time", "book:release_date", "og:published_time"),
		m.first("datepublished", "date", "pubdate", "publishdate", "parsely-pub-date", "sailthru.date"), m.time,
	} {
		if d := parseDate(s); !d.IsZero() {
			r.SetDate("issued", d)
			break
		}
	}
	r.Type = m.kind(ld, r)
	return r
}

func (m *htmlMeta) authors(ld ldWork) []ibid.Name {
	parse := func(values []string) []ibid.Name {
		var out []ibid.Name
		for _, v := range values {
			out = append(out, parseNames(v)...)
		}
		return out
	}
	if names := parse(m.all("citation_author", "citation_authors")); len(names) > 0 {
		return names
	}
	if len(ld.authors) > 0 {
		return ld.authors
	}
	for _, key := range []string{"dc.creator", "dc.contributor", "article:author", "book:author", "author", "parsely-author"} {
		if names := parse(m.tags[key]); len(names) > 0 {
			return names
		}
	}
	return nil
}

func (m *htmlMeta) kind(ld ldWork, r ibid.Reference) string {
	switch {
	case m.first("citation_journal_title") != "":
		return "article-journal"
	case m.first("citation_conference_title") != "":
		return "paper-conference"
	case m.first("citation_dissertation_institution") != "":
		return "thesis"
	case m.first("citation_technical_report_institution") != "":
		return "report"
	case m.first("citation_inbook_title") != "":
		return "chapter"
	case ld.kind != "":
		return ld.kind
	case m.first("citation_isbn", "book:isbn") != "" || m.first("og:type") == "book":
		return "book"
	case r.DOI() != "":
		return "article-journal"
	}
	return "webpage"
}

// pageTitle takes the site's name off a page's title: "The Cable – Encyclopaedia" is "The Cable" where the heading or
// the site's name says so.
func pageTitle(title, heading, site string) string {
	if title == "" {
		return heading
	}
	for _, sep := range []string{" | ", " – ", " — ", " - ", " · ", " :: ", " » "} {
		i := strings.LastIndex(title, sep)
		if i <= 0 {
			continue
		}
		front, back := title[:i], title[i+len(sep):]
		switch {
		case strings.EqualFold(front, heading), strings.EqualFold(back, site):
			return front
		case strings.EqualFold(back, heading), strings.EqualFold(front, site):
			return back
		case strings.EqualFold(back, "Wikipedia"):
			return front
		}
	}
	return title
}

func pageRange(first, last string) string {
	if first != "" && last != "" && first != last {
		return first + "–" + last
	}
	return first
}

func httpOnly(s string) string {
	if strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://") {
		return s
	}
	return ""
}

// ldWork is what JSON-LD says of a work.
type ldWork struct {
	kind, title, container, publisher, volume, issue, page, doi, isbn, issn, language, abstract, url, date string
	authors                                                                                                []ibid.Name
	rank                                                                                                   int
}

// work is the one that the page is about: an article before a mere page.
func (m *htmlMeta) work() ldWork {
	var best ldWork
	for _, w := range m.ld {
		if w.rank > best.rank {
			best = w
		}
	}
	return best
}

const maxJSONLD = 1 << 20

func (m *htmlMeta) addJSONLD(b []byte) {
	var v any
	if len(b) > maxJSONLD || len(m.ld) > 100 || json.Unmarshal(b, &v) != nil && json.Unmarshal(wrapping.ReplaceAll(b, nil), &v) != nil {
		return
	}
	m.addLD(v, 0)
}

// wrapping is what pages put around a script for readers that know none: comments and CDATA.
var wrapping = regexp.MustCompile(`^\s*(?://|/\*)?\s*<!(?:--|\[CDATA\[)\s*(?:\*/)?|(?://|/\*)?\s*(?:-->|\]\]>)\s*(?:\*/)?\s*$`)

func (m *htmlMeta) addLD(v any, depth int) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			if depth < 4 {
				m.addLD(x, depth+1)
			}
		}
	case map[string]any:
		if g, ok := v["@graph"]; ok && depth < 4 {
			m.addLD(g, depth+1)
		}
		if e, ok := v["mainEntity"].(map[string]any); ok && depth < 4 {
			m.addLD(e, depth+1)
		}
		if kind, rank := ldKind(v["@type"]); rank > 0 && len(m.ld) < 100 {
			m.ld = append(m.ld, readLD(v, kind, rank))
		}
	}
}

func ldKind(v any) (string, int) {
	types, _ := v.([]any)
	if s, ok := v.(string); ok {
		types = []any{s}
	}
	for _, t := range types {
		s, _ := t.(string)
		switch strings.TrimPrefix(strings.TrimPrefix(s, "https://schema.org/"), "http://schema.org/") {
		case "ScholarlyArticle", "MedicalScholarlyArticle":
			return "article-journal", 5
		case "NewsArticle", "ReportageNewsArticle", "AnalysisNewsArticle", "OpinionNewsArticle":
			return "article-newspaper", 5
		case "Article", "TechArticle":
			return "webpage", 4
		case "BlogPosting", "SocialMediaPosting", "LiveBlogPosting":
			return "post-weblog", 5
		case "Report":
			return "report", 5
		case "Book":
			return "book", 5
		case "Chapter":
			return "chapter", 5
		case "Thesis":
			return "thesis", 5
		case "Dataset":
			return "dataset", 5
		case "WebPage", "AboutPage", "ItemPage", "FAQPage", "CreativeWork":
			return "webpage", 1
		}
	}
	return "", 0
}

func readLD(v map[string]any, kind string, rank int) ldWork {
	text := func(keys ...string) string {
		for _, k := range keys {
			if s := ldText(v[k]); s != "" {
				return s
			}
		}
		return ""
	}
	w := ldWork{
		kind: kind, rank: rank,
		title: text("headline", "name"), publisher: text("publisher"), language: text("inLanguage"), abstract: text("abstract", "description"),
		url: text("url"), date: text("datePublished", "dateCreated"), isbn: text("isbn"), issn: text("issn"), page: text("pagination"),
	}
	if start := text("pageStart"); start != "" && w.page == "" {
		w.page = pageRange(start, text("pageEnd"))
	}
	for _, k := range []string{"identifier", "sameAs", "doi", "@id"} {
		if w.doi == "" {
			w.doi = ldDOI(v[k], 0)
		}
	}
	w.readContainer(v["isPartOf"], 0)
	w.authors = ldNames(v["author"])
	if len(w.authors) == 0 {
		w.authors = ldNames(v["creator"])
	}
	return w
}

// readContainer follows article, issue, volume, periodical.
func (w *ldWork) readContainer(v any, depth int) {
	if depth > 3 {
		return
	}
	if list, ok := v.([]any); ok {
		for _, x := range list[:min(len(list), 10)] {
			w.readContainer(x, depth+1)
		}
	}
	part, ok := v.(map[string]any)
	if !ok {
		return
	}
	if n := ldText(part["volumeNumber"]); n != "" {
		w.volume = n
	}
	if n := ldText(part["issueNumber"]); n != "" {
		w.issue = n
	}
	if n := ldText(part["issn"]); n != "" {
		w.issn = n
	}
	if w.container == "" && isContainer(part["@type"]) {
		w.container = ldText(part["name"])
	}
	w.readContainer(part["isPartOf"], depth+1)
}

// isContainer reports whether a thing has a name of its own that a citation gives; an issue or a volume has not.
func isContainer(types any) bool {
	list, ok := types.([]any)
	if !ok {
		list = []any{types}
	}
	for _, t := range list {
		if t != "PublicationIssue" && t != "PublicationVolume" && t != "WebPage" {
			return true
		}
	}
	return false
}

// ldText reads a string, a number, the name of an object, or the first of a list.
func ldText(v any) string {
	switch v := v.(type) {
	case string:
		return collapse(html.UnescapeString(v)) // as many pages write "Tom &amp; Jerry"
	case float64:
		b, _ := json.Marshal(v)
		return string(b)
	case []any:
		if len(v) > 0 {
			if _, nested := v[0].([]any); !nested {
				return ldText(v[0])
			}
		}
	case map[string]any:
		for _, k := range []string{"name", "@value", "value"} {
			if s, ok := v[k].(string); ok {
				return ldText(s)
			}
		}
	}
	return ""
}

// ldDOI finds a DOI among identifiers, which may be a list of things that say what kind of number they hold.
func ldDOI(v any, depth int) string {
	switch v := v.(type) {
	case string:
		return findDOI(v)
	case []any:
		for _, x := range v[:min(len(v), 100)] {
			if doi := ldDOI(x, depth+1); doi != "" && depth < 3 {
				return doi
			}
		}
	case map[string]any:
		for _, k := range []string{"value", "@value", "@id", "name"} {
			if s, ok := v[k].(string); ok && findDOI(s) != "" {
				return findDOI(s)
			}
		}
	}
	return ""
}

func ldNames(v any) []ibid.Name {
	switch v := v.(type) {
	case string:
		return parseNames(ldText(v))
	case []any:
		var out []ibid.Name
		for _, x := range v[:min(len(v), 500)] {
			if _, nested := x.([]any); !nested {
				out = append(out, ldNames(x)...)
			}
		}
		return out
	case map[string]any:
		family, given := ldText(v["familyName"]), ldText(v["givenName"])
		name := ldText(v["name"])
		switch {
		case family != "":
			return []ibid.Name{{Family: family, Given: given}}
		case strings.HasSuffix(ldText(v["@type"]), "Organization") && name != "":
			return []ibid.Name{{Literal: name}}
		}
		return parseNames(name)
	}
	return nil
}
