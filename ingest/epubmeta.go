package ingest

import (
	"encoding/xml"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
)

// epubMeta is what the package says of the book: elements of Dublin Core, which EPUB 2 explains by attributes and EPUB 3 by
// <meta refines="#id">.
type epubMeta struct {
	fields []epubField
	metas  []epubField // <meta>
	cur    epubField
	buf    strings.Builder
	open   bool
}

type epubField struct {
	name, value                 string
	id, role, scheme, event, as string // of EPUB 2
	refines, property           string // of <meta>
}

// start begins an element of the metadata.
func (m *epubMeta) start(t xml.StartElement) {
	if len(m.fields)+len(m.metas) > maxMeta {
		return
	}
	m.cur = epubField{name: t.Name.Local, id: attr(t, "id"), role: strings.ToLower(attr(t, "role")), scheme: strings.ToLower(attr(t, "scheme")),
		event: strings.ToLower(attr(t, "event")), as: attr(t, "file-as")}
	m.buf.Reset()
	m.open = true
	if t.Name.Local == "meta" {
		m.cur.refines, m.cur.property = strings.TrimPrefix(attr(t, "refines"), "#"), attr(t, "property")
		if name := attr(t, "name"); name != "" { // EPUB 2: <meta name content>
			m.cur.property, m.cur.value = name, collapse(attr(t, "content"))
		}
	}
}

func (m *epubMeta) text(b []byte) {
	if m.open && m.buf.Len() < maxMetaValue {
		m.buf.Write(b[:min(len(b), maxMetaValue)])
	}
}

func (m *epubMeta) end(name string) {
	if !m.open || name != m.cur.name {
		return
	}
	m.open = false
	if v := collapse(strings.ToValidUTF8(m.buf.String(), "\ufffd")); v != "" {
		m.cur.value = v
	}
	if m.cur.value == "" {
		return
	}
	if name == "meta" {
		m.metas = append(m.metas, m.cur)
	} else {
		m.fields = append(m.fields, m.cur)
	}
}

// of is what a <meta> says of a field.
func (m *epubMeta) of(f epubField, property string) string {
	for _, x := range m.metas {
		if f.id != "" && x.refines == f.id && x.property == property {
			return x.value
		}
	}
	return ""
}

// about is what a <meta> says of the book.
func (m *epubMeta) about(property string) epubField {
	for _, x := range m.metas {
		if x.refines == "" && x.property == property {
			return x
		}
	}
	return epubField{}
}

func (m *epubMeta) all(name string) []epubField {
	var out []epubField
	for _, f := range m.fields {
		if f.name == name {
			out = append(out, f)
		}
	}
	return out
}

func (m *epubMeta) first(name string) string {
	if all := m.all(name); len(all) > 0 {
		return all[0].value
	}
	return ""
}

func (m *epubMeta) reference() ibid.Reference {
	r := ibid.Reference{Type: "book"}
	r.Set("title", m.title())
	r.Set("publisher", m.first("publisher"))
	if language := m.first("language"); !strings.EqualFold(language, "und") { // which stands for one that is not known
		r.Set("language", language)
	}
	if d := m.first("description"); d != "" {
		r.Set("abstract", collapse(stripTags([]byte(d))))
	}
	m.setNames(&r)
	m.setDates(&r)
	m.setIdentifiers(&r)
	series := m.about("belongs-to-collection")
	if kind := m.of(series, "collection-type"); series.value != "" && kind != "set" {
		r.Set("collection-title", series.value)
		r.Set("collection-number", m.of(series, "group-position"))
	} else if s := m.about("calibre:series"); s.value != "" {
		r.Set("collection-title", s.value)
		r.Set("collection-number", strings.TrimSuffix(m.about("calibre:series_index").value, ".0"))
	}
	return r
}

// title is the main one, with its subtitle.
func (m *epubMeta) title() string {
	main, sub := "", ""
	for _, f := range m.all("title") {
		switch kind := m.of(f, "title-type"); {
		case kind == "main":
			main = f.value
		case kind == "subtitle":
			sub = f.value
		case main == "" && kind == "":
			main = f.value
		}
	}
	if main == "" {
		main = m.first("title")
	}
	main = goodTitle(main)
	if sub != "" && main != "" && main != sub && !strings.Contains(main, sub) {
		main += ": " + sub
	}
	return main
}

// epubRoles are the roles that a reference has a place for, by the codes of the Library of Congress.
var epubRoles = map[string]string{
	"aut": "author", "author": "author", "editor": "editor", "translator": "translator", "illustrator": "illustrator", "edt": "editor", "edc": "editor", "trl": "translator", "ill": "illustrator", "cmp": "composer", "com": "compiler",
	"aui": "introduction", "win": "introduction", "nrt": "narrator", "ctb": "contributor", "ivr": "interviewer", "drt": "director",
}

func (m *epubMeta) setNames(r *ibid.Reference) {
	names := map[string][]ibid.Name{}
	for _, f := range m.fields {
		kind := ""
		switch f.name {
		case "creator":
			kind = "author"
		case "contributor": // a book's maker is mostly a program, where nothing is said of its part
		default:
			continue
		}
		role := f.role
		if refined := m.of(f, "role"); refined != "" {
			role = strings.ToLower(refined)
		}
		if role != "" {
			role = role[strings.LastIndexAny(role, ":/")+1:] // "marc:aut", or the address of the role
			known := epubRoles[role]
			if known == "" && kind == "author" {
				known = otherCreator
			}
			kind = known
		}
		if kind == "" {
			continue
		}
		as := m.of(f, "file-as")
		if as == "" {
			as = f.as
		}
		names[kind] = append(names[kind], epubNames(f.value, as)...)
	}
	if len(names["author"]) == 0 { // who made it in a part that a reference has no place for
		names["author"] = names[otherCreator]
	}
	delete(names, otherCreator)
	for kind, list := range names {
		r.SetNames(kind, list...)
	}
}

const otherCreator = "other"

// epubNames reads a name. The form it is filed under says which word is the family's, where it is of the same words.
func epubNames(name, as string) []ibid.Name {
	words := func(s string) []string {
		w := strings.Fields(strings.ToLower(strings.ReplaceAll(s, ",", " ")))
		slices.Sort(w)
		return w
	}
	if strings.Count(as, ",") == 1 && slices.Equal(words(name), words(as)) {
		if n, ok := parseName(as); ok {
			return []ibid.Name{n}
		}
	}
	return goodAuthors(name)
}

// setDates finds the date of publication. EPUB 2 may give those of other events as well.
func (m *epubMeta) setDates(r *ibid.Reference) {
	var issued, other, original ibid.Date
	first := func(into *ibid.Date, d ibid.Date) {
		if into.IsZero() {
			*into = d
		}
	}
	for _, f := range m.all("date") {
		d := parseDate(f.value)
		switch {
		case d.IsZero() || strings.HasPrefix(f.value, "0101-01-01"): // which a well-known program writes for "not known"
		case strings.Contains(f.event, "original"):
			first(&original, d)
		case strings.Contains(f.event, "publication"):
			first(&issued, d)
		case f.event == "":
			first(&other, d)
		}
	}
	first(&issued, other)
	first(&issued, parseDate(m.about("dcterms:issued").value))
	if issued.IsZero() {
		issued, original = original, ibid.Date{}
	}
	r.SetDate("issued", issued)
	r.SetDate("original-date", original)
}

func (m *epubMeta) setIdentifiers(r *ibid.Reference) {
	for _, f := range m.all("identifier") {
		v := f.value
		lower := strings.ToLower(v)
		switch {
		case strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://"):
			if doi := findDOI(v); doi != "" && strings.Contains(lower, "doi.org/") {
				r.Set("DOI", doi)
			} else if r.URL() == "" {
				r.Set("URL", v)
			}
		case strings.Contains(lower, "doi:") || strings.HasPrefix(v, "10."):
			r.Set("DOI", findDOI(v))
		}
		if isbn := isbnOf(v); isbn != "" && r.Text["ISBN"] == "" {
			r.Set("ISBN", isbn)
		}
	}
}

// isbnOf reads an ISBN, with its hyphens where it has them, and its check digit held against the others.
func isbnOf(s string) string {
	lower := strings.ToLower(s)
	for _, lead := range []string{"urn:isbn:", "isbn:", "isbn-13:", "isbn-10:", "isbn"} {
		if strings.HasPrefix(lower, lead) {
			s = s[len(lead):]
			break
		}
	}
	s = strings.TrimSpace(s)
	digits := strings.ToUpper(strings.NewReplacer("-", "", " ", "").Replace(s))
	if len(s) > 20 || strings.Trim(digits[:max(0, len(digits)-1)], "0123456789") != "" {
		return ""
	}
	sum := 0
	switch len(digits) {
	case 13:
		if !strings.HasPrefix(digits, "978") && !strings.HasPrefix(digits, "979") || strings.HasSuffix(digits, "X") {
			return ""
		}
		for i, c := range []byte(digits) {
			sum += int(c-'0') * (1 + 2*(i%2))
		}
		if sum%10 != 0 {
			return ""
		}
	case 10:
		for i, c := range []byte(digits) {
			n := int(c - '0')
			if c == 'X' && i == 9 {
				n = 10
			} else if n < 0 || n > 9 {
				return ""
			}
			sum += n * (10 - i)
		}
		if sum%11 != 0 {
			return ""
		}
	default:
		return ""
	}
	return s
}
