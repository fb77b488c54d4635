package bib

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
)

func readTeX(s string) (File, error) {
	p := parseTeX(s)
	p.inherit()
	out := File{Format: BibTeX, Notes: p.notes}
	if onlyTeX.MatchString(s[:min(len(s), 1<<20)]) {
		out.Format = BibLaTeX
	}
	var lines []int
	for i := range p.entries {
		e := &p.entries[i]
		if e.kind == "xdata" {
			continue
		}
		lines = append(lines, e.line)
		out.References = append(out.References, reference(e, out.Format))
	}
	out.nameAll(lines)
	return out, p.problems.err()
}

// notInherited are fields that belong to one entry alone.
var notInherited = []string{"title", "subtitle", "titleaddon", "shorttitle", "sorttitle", "indextitle", "indexsorttitle", "crossref", "xref", "xdata", "ids", "options", "entryset", "entrysubtype", "execute",
	"label", "presort", "related", "relatedoptions", "relatedstring", "relatedtype", "shorthand", "shorthandintro", "sortkey", "key", "keywords", "file"}

// inherit gives entries the fields of those that they name in crossref or xdata, each once and from any place of the
// file.
func (p *texParser) inherit() {
	byKey := map[string]*texEntry{}
	for i := range p.entries {
		if e := &p.entries[i]; e.key != "" && byKey[strings.ToLower(e.key)] == nil {
			byKey[strings.ToLower(e.key)] = e
		}
	}
	state := map[*texEntry]int{} // 1 being filled, 2 done
	var fill func(e *texEntry, depth int)
	fill = func(e *texEntry, depth int) {
		if state[e] != 0 || depth > deepest {
			return
		}
		state[e] = 1
		for _, name := range []string{"xdata", "crossref"} {
			keys, _ := e.get(name)
			for key := range strings.SplitSeq(keys, ",") {
				key = strings.ToLower(cleanKey(key))
				parent := byKey[key]
				switch {
				case key == "":
				case parent == nil:
					p.notes = append(p.notes, Problem{e.line, fmt.Sprintf("@%s{%s: there is no entry %q to take fields from", e.kind, e.key, key)})
				case parent != e && state[parent] != 1:
					fill(parent, depth+1)
					p.take(e, parent, name == "xdata")
				}
			}
		}
		state[e] = 2
	}
	for i := range p.entries {
		fill(&p.entries[i], 0)
	}
}

// take copies fields. By crossref, the title of a book is the book title of what stands in it.
func (p *texParser) take(e, parent *texEntry, all bool) {
	dated := hasDate(e)
	inBook := strings.HasPrefix(e.kind, "in") || e.kind == "conference" || strings.HasPrefix(e.kind, "supp")
	for _, f := range parent.fields {
		name := strings.ToLower(f.name)
		if !all && strings.HasPrefix(parent.kind, "mv") && !inBook && (name == "title" || name == "subtitle") {
			name = "main" + name
		} else if !all && inBook && (name == "title" || name == "subtitle" || name == "titleaddon") {
			name = "book" + name
		} else if !all && slices.Contains(notInherited, name) {
			continue
		}
		if _, has := e.get(name); has || isDateField(name) && dated {
			continue
		}
		if p.budget -= len(f.value); p.budget < 0 {
			return
		}
		e.add(name, f.value)
	}
}

func isDateField(name string) bool {
	return name == "year" || name == "date" || name == "month" || name == "day"
}

func hasDate(e *texEntry) bool {
	_, year := e.get("year")
	_, date := e.get("date")
	return year || date
}

// texTypes says what the entry types of BibTeX and BibLaTeX are in CSL.
var texTypes = map[string]string{
	"article": "article-journal", "book": "book", "mvbook": "book", "inbook": "chapter", "bookinbook": "chapter", "suppbook": "chapter", "booklet": "pamphlet",
	"collection": "book", "mvcollection": "book", "incollection": "chapter", "suppcollection": "chapter", "dataset": "dataset", "manual": "book",
	"misc": "document", "online": "webpage", "electronic": "webpage", "www": "webpage", "patent": "patent", "periodical": "periodical", "suppperiodical": "article-journal",
	"proceedings": "book", "mvproceedings": "book", "inproceedings": "paper-conference", "conference": "paper-conference",
	"reference": "book", "mvreference": "book", "inreference": "entry-encyclopedia", "report": "report", "techreport": "report", "software": "software", "standard": "standard",
	"thesis": "thesis", "phdthesis": "thesis", "mastersthesis": "thesis", "unpublished": "manuscript", "artwork": "graphic", "audio": "song", "image": "figure",
	"jurisdiction": "legal_case", "legislation": "legislation", "legal": "treaty", "letter": "personal_communication", "movie": "motion_picture", "music": "musical_score",
	"performance": "performance", "review": "review", "video": "motion_picture",
}

// typeOf finds the CSL type of an entry, which may have an address and be a preprint.
func typeOf(kind, subtype string, hasURL, preprint bool) string {
	base, ok := texTypes[kind]
	if !ok {
		base = "document"
	}
	switch {
	case preprint && (kind == "misc" || webLike(base) || base == "manuscript"):
		base = "article"
	case kind == "misc" && hasURL:
		base = "webpage"
	}
	switch subtype {
	case "newspaper", "magazine":
		return "article-" + subtype
	}
	if slices.Contains(cslTypes, subtype) {
		return subtype
	}
	return base
}

// fieldTaker hands out the fields of an entry and knows which are left.
type fieldTaker struct {
	e    *texEntry
	f    Format
	used map[string]bool
	r    ibid.Reference
}

// take gives the first of the named fields that has a value, raw.
func (t *fieldTaker) take(names ...string) string {
	for _, name := range names {
		if v, ok := t.e.get(name); ok && !t.used[name] && strings.TrimSpace(v) != "" {
			t.used[name] = true
			return v
		}
	}
	return ""
}

func (t *fieldTaker) text(variable string, names ...string) {
	if t.r.Text[variable] == "" {
		t.r.Set(variable, decodeTeX(t.take(names...), false))
	}
}

// list reads a field in which BibLaTeX, and not BibTeX, takes "and" for the end of an item.
func (t *fieldTaker) list(variable string, names ...string) {
	if t.f != BibLaTeX {
		t.text(variable, names...)
		return
	}
	var items []string
	for _, one := range splitAnd(t.take(names...)) {
		if s := decodeTeX(one, false); s != "" {
			items = append(items, s)
		}
	}
	t.r.Set(variable, strings.Join(items, "; "))
}

func (t *fieldTaker) verbatim(variable string, names ...string) {
	t.r.Set(variable, decodeVerbatim(t.take(names...)))
}

// title joins a title and its subtitle.
func (t *fieldTaker) title(variable, prefix string) {
	t.r.Set(variable, withSubtitle(decodeTeX(t.take(prefix+"title"), true), decodeTeX(t.take(prefix+"subtitle"), true)))
}

func withSubtitle(title, under string) string {
	switch {
	case title == "":
		return under
	case under == "":
		return title
	case strings.ContainsAny(title[len(title)-1:], "?!.:"):
		return title + " " + under
	}
	return title + ": " + under
}

func reference(e *texEntry, f Format) ibid.Reference {
	t := &fieldTaker{e: e, f: f, used: map[string]bool{}}
	t.r.ID = e.key
	t.verbatim("URL", "url")
	if t.r.URL() == "" {
		t.urlIn("howpublished")
	}
	subtype := strings.TrimSpace(t.take("entrysubtype"))
	arxiv := arXivID(fieldOf(e, "eprint"), first(fieldOf(e, "eprinttype"), fieldOf(e, "archiveprefix")))
	t.r.Type = typeOf(e.kind, subtype, t.r.URL() != "", arxiv != "")
	if subtype != "" && subtype != strings.TrimPrefix(t.r.Type, "article-") && subtype != t.r.Type {
		delete(t.used, "entrysubtype")
	}
	t.texts()
	t.names()
	t.dates()
	t.eprint()
	if unJournal(&t.r) {
		e.kind = "misc"
	}
	t.rest()
	return t.r
}

var urlCommand = regexp.MustCompile(`^\s*(?:[A-Za-z ]*:?\s*)?\\url\{([^{}]*)\}\s*$|^\s*(https?://\S+)\s*$`)

// urlIn takes an address out of a field that holds nothing else, as was the habit before there was a url field.
func (t *fieldTaker) urlIn(name string) {
	v, _ := t.e.get(name)
	if m := urlCommand.FindStringSubmatch(v); m != nil {
		t.used[name] = true
		t.r.Set("URL", decodeVerbatim(m[1]+m[2]))
	}
}

var texThesis = map[string]string{"phdthesis": "PhD thesis", "mastersthesis": "Master’s thesis", "mathesis": "Master’s thesis", "candthesis": "Candidate thesis", "bathesis": "Bachelor’s thesis",
	"techreport": "technical report", "resreport": "research report"}

func (t *fieldTaker) texts() {
	t.title("title", "")
	t.r.Set("title-short", decodeTeX(t.take("shorttitle"), true))
	t.container()
	t.text("container-title-short", "shortjournal")
	if webLike(t.r.Type) {
		t.list("publisher", "publisher", "institution", "school")
	} else {
		t.list("publisher", "publisher", "institution", "school", "organization")
	}
	t.list("publisher-place", "location", "address")
	t.text("collection-title", "series")
	t.text("volume", "volume")
	t.numbers()
	t.r.Set("edition", readEdition(decodeTeX(t.take("edition"), false)))
	t.r.Set("page", pageRange(decodeTeX(t.take("pages"), false)))
	t.text("number-of-pages", "pagetotal")
	t.text("number-of-volumes", "volumes")
	t.text("chapter-number", "chapter")
	t.text("version", "version")
	t.text("event-title", "eventtitle")
	t.text("event-place", "venue")
	t.text("note", "note")
	t.text("annote", "annotation", "annote")
	t.text("abstract", "abstract")
	t.r.Set("keyword", readKeywords(t.take("keywords")))
	t.text("status", "pubstate")
	t.text("call-number", "library")
	t.text("original-title", "origtitle")
	t.text("original-publisher", "origpublisher")
	t.text("original-publisher-place", "origlocation")
	t.verbatim("DOI", "doi")
	t.r.Set("DOI", t.r.DOI())
	t.text("ISBN", "isbn")
	t.text("ISSN", "issn")
	t.text("PMID", "pmid")
	t.text("PMCID", "pmcid", "pmc")
	t.genre()
	t.language()
}

// readKeywords reads keywords that commas or semicolons part, and parts them by semicolons, as other formats do.
func readKeywords(s string) string {
	if strings.Contains(s, ";") {
		return decodeTeX(s, false)
	}
	var out []string
	for _, k := range splitTop(s, func(c byte) bool { return c == ',' }) {
		if k = decodeTeX(k, false); k != "" {
			out = append(out, k)
		}
	}
	return strings.Join(out, "; ")
}

func (t *fieldTaker) genre() {
	g := decodeTeX(t.take("type"), false)
	if g == "" && t.r.Type == "thesis" {
		g = t.e.kind
	}
	if full, ok := texThesis[g]; ok {
		g = full
	}
	if g != "thesis" {
		t.r.Set("genre", g)
	}
}

func (t *fieldTaker) language() {
	for _, name := range []string{"langid", "language", "hyphenation"} {
		v, _ := t.e.get(name)
		v = decodeTeX(v, false)
		if v == "" || t.r.Text["language"] != "" {
			continue
		}
		t.used[name] = true
		if code, ok := babel[strings.ToLower(v)]; ok {
			v = code
		}
		t.r.Set("language", v)
	}
}

// numbers: what "number" counts depends on the kind of work.
func (t *fieldTaker) numbers() {
	switch {
	case periodical(t.r.Type) || t.r.Type == "periodical":
		t.text("issue", "number", "issue")
		t.text("number", "eid")
	case t.r.Text["collection-title"] != "" && bookLike(t.r.Type):
		t.text("collection-number", "number")
		t.text("issue", "issue")
	default:
		t.text("number", "number")
		t.text("issue", "issue")
	}
}

func (t *fieldTaker) container() {
	set := func(names ...string) {
		if t.r.Text["container-title"] == "" {
			t.r.Set("container-title", decodeTeX(t.take(names...), false))
		}
	}
	switch {
	case periodical(t.r.Type):
		set("journaltitle", "journal")
	case chapterLike(t.r.Type):
		t.title("container-title", "book")
	case webLike(t.r.Type):
		set("organization", "howpublished")
	default:
		set("howpublished")
	}
	set("journaltitle", "journal", "howpublished")
	switch {
	case t.r.Text["container-title"] != "":
	case texTypes[t.e.kind] != "book":
		t.title("container-title", "book")
	case t.r.Title() == "": // the booktitle of a whole book is there for what names it in crossref
		t.title("title", "book")
	}
}

// pageDash is any dash, or several, with the space around it.
var pageDash = regexp.MustCompile(`\s*[-–—‐‑−](?:[\s–—‐‑−-]*[-–—‐‑−])?\s*`)

// pageRange writes ranges with one hyphen, as CSL does.
func pageRange(s string) string { return pageDash.ReplaceAllString(s, "-") }

func (t *fieldTaker) names() {
	usePrefix := keepsPrefix(t.f)
	options := strings.Split(strings.ReplaceAll(fieldOf(t.e, "options"), " ", ""), ",")
	for _, o := range options {
		switch o {
		case "useprefix", "useprefix=true":
			usePrefix = true
		case "useprefix=false":
			usePrefix = false
		}
	}
	if len(options) == 1 && strings.HasPrefix(options[0], "useprefix") {
		t.used["options"] = true
	}
	for _, n := range texNames {
		t.r.SetNames(n[0], readNames(t.take(n[1]), usePrefix)...)
	}
}

// keepsPrefix says what becomes of a "von" where an entry does not say so: BibTeX's styles cite "van Gogh" and sort under v,
// those of BibLaTeX cite "Gogh".
func keepsPrefix(f Format) bool { return f == BibTeX }

func fieldOf(e *texEntry, name string) string { v, _ := e.get(name); return v }

// texNames pairs the names of CSL with the fields of BibLaTeX.
var texNames = [][2]string{{"author", "author"}, {"editor", "editor"}, {"translator", "translator"}, {"container-author", "bookauthor"}}

func (t *fieldTaker) dates() {
	d := readDate(decodeDate(t.take("date")), astronomical)
	if d.Literal != "" { // as people write a year: ca. 1858, 1857--1858
		d = texYear(d.Literal, "", "")
	}
	if d.IsZero() {
		d = texYear(decodeTeX(t.take("year"), false), decodeTeX(t.take("month"), false), decodeTeX(t.take("day"), false))
		t.used["month"] = hasMonth(d) // else it is in no form that is known, and kept
		t.used["day"] = len(d.Parts) > 0 && d.Parts[0].Day != 0
	}
	t.r.SetDate("issued", d)
	for _, n := range texDates {
		t.r.SetDate(n[0], readDate(decodeDate(t.take(n[1])), astronomical))
	}
}

// decodeDate reads the text of a date, in which ~ says that it is not certain.
func decodeDate(s string) string {
	if d := squeeze(s); edtf.MatchString(d) || strings.HasSuffix(d, "~") {
		return d
	}
	return decodeTeX(s, false)
}

var texDates = [][2]string{{"accessed", "urldate"}, {"event-date", "eventdate"}, {"original-date", "origdate"}}

var circa = regexp.MustCompile(`(?i)^(?:c|ca|circa)\.?\s*([0-9/–-]+)$`)

func texYear(year, month, day string) ibid.Date {
	if m := circa.FindStringSubmatch(year); m != nil {
		if d := texYear(m[1], month, day); len(d.Parts) > 0 {
			d.Circa = true
			return d
		}
	}
	if from, to, ok := strings.Cut(year, "–"); ok && isNumber(from) && isNumber(to) {
		return readDate(from+"/"+to, historical)
	}
	return yearMonth(year, month, day)
}

// eprint: what an archive calls the work.
func (t *fieldTaker) eprint() {
	id := decodeVerbatim(fieldOf(t.e, "eprint"))
	kind := decodeTeX(first(fieldOf(t.e, "eprinttype"), fieldOf(t.e, "archiveprefix")), false)
	if id == "" {
		return
	}
	switch strings.ToLower(kind) {
	case "pubmed":
		t.r.Set("PMID", id)
	case "arxiv":
		id = arXivID(id, kind)
		if t.r.URL() == "" { // most styles show an address, few an archive
			t.r.Set("URL", arXivAddress+id)
		}
		if t.r.Type == "article" && t.r.Text["publisher"] == "" && t.r.Text["number"] == "" {
			setPreprint(&t.r, id)
			break
		}
		t.r.Set("archive", "arXiv")
		t.r.Set("archive_location", id)
	case "jstor":
		t.r.Set("archive", "JSTOR")
		t.r.Set("archive_location", id)
	default:
		return
	}
	t.used["eprint"], t.used["eprinttype"], t.used["archiveprefix"] = true, true, true
}

// unread is what a reader of BibTeX or BibLaTeX keeps of fields that it does not know.
type unreadTeX struct {
	Type   string            `json:"entrytype,omitempty"`
	Fields map[string]string `json:"fields,omitempty"`
}

const texExtra = "x-bibtex"

// rest keeps what no variable of CSL was found for.
func (t *fieldTaker) rest() {
	keep := unreadTeX{Fields: map[string]string{}}
	for _, f := range t.e.fields {
		name := strings.ToLower(f.name)
		switch {
		case t.used[name], name == "crossref", name == "xdata", strings.TrimSpace(f.value) == "":
			continue
		case strings.HasPrefix(name, cslPrefix):
			t.csl(f.name[len(cslPrefix):], f.value)
		default:
			keep.Fields[name] = squeeze(f.value)
		}
		t.used[name] = true
	}
	if t.e.kind != texKind(t.r.Type, t.r, BibLaTeX) && t.e.kind != texKind(t.r.Type, t.r, BibTeX) {
		keep.Type = t.e.kind
	}
	if keep.Type == "" && len(keep.Fields) == 0 {
		return
	}
	if raw, err := json.Marshal(keep); err == nil {
		t.r.Extra = map[string]json.RawMessage{texExtra: raw}
	}
}

// cslPrefix leads fields that hold a variable of CSL which has no field of its own.
const cslPrefix = "csl-"

func (t *fieldTaker) csl(variable, value string) {
	switch {
	case ibid.IsNameVariable(variable):
		t.r.SetNames(variable, readNames(value, true)...)
	case ibid.IsDateVariable(variable):
		t.r.SetDate(variable, readDate(decodeDate(value), astronomical))
	case t.r.Text[variable] == "" && variable != "id" && variable != "type":
		t.r.Set(variable, decodeTeX(value, false))
	}
}
