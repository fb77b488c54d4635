package bib

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
)

// endNoteType is a type of EndNote by name and number.
type endNoteType struct {
	name   string
	number int
}

var endNoteTypes = map[string]endNoteType{
	"article": {"Electronic Article", 43}, "article-journal": {"Journal Article", 17}, "article-magazine": {"Magazine Article", 19}, "article-newspaper": {"Newspaper Article", 23},
	"bill": {"Bill", 4}, "book": {"Book", 6}, "broadcast": {"Audiovisual Material", 3}, "chapter": {"Book Section", 5}, "classic": {"Classical Work", 49}, "collection": {"Serial", 57},
	"dataset": {"Dataset", 59}, "document": {"Generic", 13}, "entry": {"Book Section", 5}, "entry-dictionary": {"Dictionary", 52}, "entry-encyclopedia": {"Encyclopedia", 53},
	"event": {"Generic", 13}, "figure": {"Figure", 37}, "graphic": {"Artwork", 2}, "hearing": {"Hearing", 14}, "interview": {"Generic", 13}, "legal_case": {"Case", 7},
	"legislation": {"Statute", 31}, "manuscript": {"Manuscript", 36}, "map": {"Map", 20}, "motion_picture": {"Film or Broadcast", 21}, "musical_score": {"Music", 61},
	"pamphlet": {"Pamphlet", 24}, "paper-conference": {"Conference Paper", 47}, "patent": {"Patent", 25}, "performance": {"Generic", 13}, "periodical": {"Serial", 57},
	"personal_communication": {"Personal Communication", 26}, "post": {"Web Page", 12}, "post-weblog": {"Blog", 56}, "regulation": {"Legal Rule or Regulation", 50}, "report": {"Report", 27},
	"review": {"Journal Article", 17}, "review-book": {"Journal Article", 17}, "software": {"Computer Program", 9}, "song": {"Music", 61}, "speech": {"Conference Paper", 47},
	"standard": {"Standard", 58}, "thesis": {"Thesis", 32}, "treaty": {"Legal Rule or Regulation", 50}, "webpage": {"Web Page", 12},
}

var fromEndNote = map[string]string{
	"electronic article": "article", "journal article": "article-journal", "magazine article": "article-magazine", "newspaper article": "article-newspaper", "bill": "bill", "book": "book",
	"edited book": "book", "catalog": "book", "electronic book": "book", "audiovisual material": "broadcast", "book section": "chapter", "electronic book section": "chapter", "classical work": "classic", "ancient text": "classic",
	"serial": "collection", "dataset": "dataset", "online database": "dataset", "aggregated database": "dataset", "generic": "document", "dictionary": "entry-dictionary", "encyclopedia": "entry-encyclopedia",
	"figure": "figure", "chart or table": "figure", "equation": "figure", "artwork": "graphic", "hearing": "hearing", "case": "legal_case", "statute": "legislation", "manuscript": "manuscript",
	"unpublished work": "manuscript", "map": "map", "film or broadcast": "motion_picture", "music": "musical_score", "pamphlet": "pamphlet", "conference paper": "paper-conference",
	"conference proceedings": "paper-conference", "patent": "patent", "personal communication": "personal_communication", "blog": "post-weblog", "legal rule or regulation": "regulation", "report": "report",
	"government document": "report", "computer program": "software", "standard": "standard", "thesis": "thesis", "web page": "webpage", "online multimedia": "webpage",
}

// endNoteNumbers name the types that a record gives by number alone.
var endNoteNumbers = func() map[string]string {
	out := map[string]string{"8": "Catalog", "10": "Conference Proceedings", "28": "Edited Book", "34": "Unpublished Work", "38": "Chart or Table", "39": "Equation", "44": "Electronic Book", "45": "Online Database",
		"46": "Government Document", "48": "Online Multimedia", "51": "Ancient Text", "55": "Aggregated Database", "60": "Electronic Book Section"}
	for _, t := range endNoteTypes {
		out[itoa(t.number)] = t.name
	}
	return out
}()

// electronic tells EndNote's electronic articles apart: with a journal one is an article of it, and without one a preprint.
func electronic(r *ibid.Reference) {
	if r.Type == "article" && r.Text["container-title"] != "" {
		r.Type = "article-journal"
	}
}

const endNoteExtra = "x-endnote"

// element is one element of a record: its path below the record and its text.
type element struct{ path, text string }

// readEndNote reads the records of EndNote's XML. Entities of a document type are not expanded, and depth is bounded.
func readEndNote(s string) (out File, err error) {
	out.Format = EndNote
	var lines []int // where each record begins
	defer func() { out.nameAll(lines) }()
	d := xml.NewDecoder(strings.NewReader(s))
	d.Entity = xml.HTMLEntity
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // decoded before
	problems := func(what string) Problems {
		line, _ := d.InputPos()
		return Problems{{line, what}}
	}
	depth, seen := 0, false
	for {
		t, err := d.Token()
		if err == io.EOF && depth == 0 && seen {
			break
		}
		if err != nil {
			if !seen && err == io.EOF {
				return out, problems("expected EndNote XML: <xml><records><record>…")
			}
			return out, problems(xmlWhat(err))
		}
		switch t := t.(type) {
		case xml.StartElement:
			depth++
			if t.Name.Local == "records" {
				seen = true
			}
			if t.Name.Local != "record" {
				if depth > deepest {
					return out, problems("elements are nested too deep")
				}
				continue
			}
			seen = true
			line, _ := d.InputPos()
			r, err := readEndNoteRecord(d, t)
			if err != nil {
				return out, problems("record " + itoa(len(out.References)+1) + " is left out: " + xmlWhat(err))
			}
			depth--
			out.References = append(out.References, r)
			lines = append(lines, line)
		case xml.EndElement:
			depth--
		}
	}
	return out, nil
}

func xmlWhat(err error) string {
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		return "expected well-formed XML: " + syntax.Msg
	}
	if err == io.EOF {
		return "expected the end of the elements that are open: the file ends here"
	}
	return err.Error()
}

// readEndNoteRecord gathers the texts of a record, with the marks of its styles.
func readEndNoteRecord(d *xml.Decoder, start xml.StartElement) (ibid.Reference, error) {
	var elements []element
	var path []string
	var marks []kind
	var b strings.Builder
	kind := ""
	for depth := 1; depth > 0; {
		t, err := d.Token()
		if err != nil {
			return ibid.Reference{}, err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if depth++; depth > deepest {
				return ibid.Reference{}, errors.New("elements are nested too deep")
			}
			if t.Name.Local == "style" {
				k := faceKind(attribute(t, "face"))
				b.WriteString(tags[k][0])
				marks = append(marks, k)
				continue
			}
			path = append(path, t.Name.Local)
			b.Reset()
			if t.Name.Local == "ref-type" {
				kind = cleanLine(attribute(t, "name"))
			}
		case xml.EndElement:
			depth--
			if t.Name.Local == "style" && len(marks) > 0 {
				b.WriteString(tags[marks[len(marks)-1]][1])
				marks = marks[:len(marks)-1]
				continue
			}
			if depth > 0 && len(path) > 0 {
				if v := squeeze(renderRich(parseRich(b.String()))); v != "" {
					elements = append(elements, element{strings.Join(path, "/"), v})
				}
				path = path[:len(path)-1]
				b.Reset()
			}
		case xml.CharData:
			b.Write(t)
		}
	}
	return endNoteReference(kind, elements), nil
}

func attribute(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func faceKind(face string) kind {
	for _, f := range strings.Fields(face) {
		switch f {
		case "italic":
			return italic
		case "bold":
			return bold
		case "superscript":
			return sup
		case "subscript":
			return sub
		}
	}
	return text
}

var endNoteTexts = map[string]string{
	"titles/title": "title", "titles/short-title": "title-short", "titles/secondary-title": "container-title", "titles/tertiary-title": "collection-title",
	"periodical/abbr-1": "container-title-short", "titles/alt-title": "container-title-short", "volume": "volume", "number": "issue", "edition": "edition",
	"publisher": "publisher", "pub-location": "publisher-place", "language": "language", "call-num": "call-number", "num-vols": "number-of-volumes", "section": "section",
	"work-type": "genre", "urls/related-urls/url": "URL", "custom2": "PMCID", "label": "id",
}

var endNoteNames = map[string]string{
	"contributors/authors/author": "author", "contributors/secondary-authors/author": "editor", "contributors/tertiary-authors/author": "collection-editor",
	"contributors/subsidiary-authors/author": "translator",
}

// silentElements carry no knowledge about the work: they belong to the database that wrote the file.
var silentElements = map[string]bool{"database": true, "source-app": true, "rec-number": true, "ref-type": true, "foreign-keys/key": true, "modified-date": true, "added-date": true}

func endNoteReference(kind string, elements []element) ibid.Reference {
	var r ibid.Reference
	var keep [][2]string
	a := risReader{r: &r}
	if i := slices.IndexFunc(elements, func(e element) bool { return e.path == "ref-type" }); kind == "" && i >= 0 {
		kind = endNoteNumbers[elements[i].text]
	}
	if t, ok := fromEndNote[strings.ToLower(kind)]; ok {
		r.Type = t
	} else {
		r.Type = "document"
		if kind != "" {
			keep = append(keep, [2]string{"ref-type", kind})
		}
	}
	for _, e := range elements {
		if !silentElements[e.path] && !a.element(e.path, e.text) {
			keep = append(keep, [2]string{e.path, e.text})
		}
	}
	keep = append(keep, a.finish("dates/year", "dates/pub-dates/date", "periodical/full-title")...)
	electronic(&r)
	unJournal(&r)
	if raw, err := json.Marshal(keep); err == nil && len(keep) > 0 {
		r.Extra = map[string]json.RawMessage{endNoteExtra: raw}
	}
	return r
}

func (a *risReader) element(path, v string) bool {
	if variable, ok := endNoteNames[path]; ok {
		a.name(variable, plainText(v))
		return true
	}
	switch path {
	case "label":
		return once(&a.r.ID, v)
	case "pages":
		return a.set("page", pageRange(v))
	case "dates/year":
		return once(&a.year, v)
	case "dates/pub-dates/date":
		return once(&a.date, v)
	case "access-date":
		return once(&a.access, v)
	case "periodical/full-title":
		return once(&a.journal, v)
	case "electronic-resource-num":
		return a.set("DOI", trimDOI(v))
	case "isbn":
		if isSerialNumber(v) {
			return a.set("ISSN", v)
		}
		return a.set("ISBN", v)
	case "report-number":
		return a.set("number", v)
	case "abstract":
		return a.gather("abstract", v)
	case "notes":
		return a.gather("note", v)
	case "keywords/keyword":
		return a.gather("keyword", splitKeywords(v)...)
	case "remote-database-name":
		return once(&a.database, v)
	case "accession-num":
		return once(&a.number, v)
	case "custom2":
		if !strings.HasPrefix(v, "PMC") {
			return false
		}
	}
	if variable, ok := endNoteTexts[path]; ok {
		return a.set(placeOf(a.r.Type, variable), v)
	}
	return false
}

// endNoteWriter writes one record.
type endNoteWriter struct {
	leftovers
	b *bytes.Buffer
}

func writeEndNote(w io.Writer, refs []ibid.Reference) ([]Loss, error) {
	var b bytes.Buffer
	var losses []Loss
	b.WriteString(xml.Header + "<xml><records>\n")
	for i, r := range refs {
		ew := &endNoteWriter{leftovers: newLeftovers(r), b: &b}
		ew.record(r, i+1)
		losses = append(losses, ew.losses...)
	}
	b.WriteString("</records></xml>\n")
	_, err := w.Write(b.Bytes())
	return losses, err
}

var faces = map[kind]string{text: "normal", italic: "italic", bold: "bold", sup: "superscript", sub: "subscript"}

// styled writes text as EndNote does, each run with its face.
func (w *endNoteWriter) styled(nodes []node, face string) {
	for _, n := range nodes {
		if n.kind != text {
			inner := face
			if f, ok := faces[n.kind]; ok {
				inner = f
			}
			w.styled(n.kids, inner)
			continue
		}
		fmt.Fprintf(w.b, `<style face="%s" font="default" size="100%%">`, face)
		xml.EscapeText(w.b, []byte(n.text))
		w.b.WriteString("</style>")
	}
}

// element writes a path of elements around a value.
func (w *endNoteWriter) element(path, value string) {
	if value = cleanLine(value); value == "" {
		return
	}
	names := strings.Split(path, "/")
	for _, n := range names {
		w.b.WriteString("<" + n + ">")
	}
	nodes := parseRich(value)
	if mark := unmarked(nodes); mark != "" {
		w.lose(path, mark+" have no mark in EndNote XML")
	}
	w.styled(nodes, "normal")
	for i := len(names) - 1; i >= 0; i-- {
		w.b.WriteString("</" + names[i] + ">")
	}
}

// unmarked names what a text has that no face of EndNote shows.
func unmarked(nodes []node) string {
	for _, n := range nodes {
		switch n.kind {
		case noCase:
			return "protected capitals"
		case smallCaps:
			return "small capitals"
		}
		if s := unmarked(n.kids); s != "" {
			return s
		}
	}
	return ""
}

func (w *endNoteWriter) text(path string, variables ...string) { w.element(path, w.take(variables...)) }

// group writes an element around others, unless they are none.
func (w *endNoteWriter) group(name string, inside func()) {
	from := w.b.Len()
	w.b.WriteString("<" + name + ">")
	open := w.b.Len()
	inside()
	if w.b.Len() == open {
		w.b.Truncate(from)
		return
	}
	w.b.WriteString("</" + name + ">")
}

func (w *endNoteWriter) record(r ibid.Reference, number int) {
	keep := w.kept(r)
	fmt.Fprintf(w.b, "<record><rec-number>%d</rec-number>", number)
	kind := w.kind(r, keep)
	w.group("contributors", func() {
		for _, n := range [][2]string{{"authors", "author"}, {"secondary-authors", "editor"}, {"tertiary-authors", "collection-editor"}, {"subsidiary-authors", "translator"}} {
			w.group(n[0], func() {
				for _, name := range w.plainNames(n[1]) {
					w.element("author", name)
				}
			})
		}
	})
	container := w.take("container-title")
	w.group("titles", func() {
		w.text("title", "title")
		w.element("secondary-title", container)
		w.text("tertiary-title", "collection-title")
		w.text("short-title", "title-short", "shortTitle")
	})
	short := w.take("container-title-short", "journalAbbreviation")
	w.group("periodical", func() {
		if periodical(r.Type) {
			w.element("full-title", container)
		}
		w.element("abbr-1", short)
	})
	w.element("pages", pageRange(w.take("page")))
	for _, v := range [][2]string{{"volume", "volume"}, {"number", "issue"}, {"num-vols", "number-of-volumes"}, {"edition", "edition"}, {"section", "section"}, {"report-number", "number"}} {
		w.text(v[0], placeOf(kind, v[1]))
	}
	w.group("keywords", func() {
		for _, k := range splitKeywords(w.take("keyword")) {
			w.element("keyword", k)
		}
	})
	w.dates()
	for _, v := range [][2]string{{"pub-location", "publisher-place"}, {"publisher", "publisher"}, {"isbn", "ISSN"}, {"isbn", "ISBN"}, {"work-type", "genre"}, {"abstract", "abstract"}, {"notes", "note"}, {"call-num", "call-number"}, {"language", "language"}, {"electronic-resource-num", "DOI"}} {
		w.text(v[0], v[1])
	}
	w.archive()
	w.group("urls", func() { w.text("related-urls/url", "URL") })
	w.accessed()
	w.element("label", r.ID)
	for _, p := range keep {
		w.element(p[0], p[1])
	}
	w.b.WriteString("</record>\n")
	w.loseRest(r, "has no place in EndNote XML", endNoteExtra)
}

var elementPath = regexp.MustCompile(`^[a-z][a-z0-9-]*(?:/[a-z][a-z0-9-]*){0,8}$`)

func (w *endNoteWriter) kept(r ibid.Reference) [][2]string {
	var pairs [][2]string
	if raw, ok := r.Extra[endNoteExtra]; ok && json.Unmarshal(raw, &pairs) != nil {
		w.lose(endNoteExtra, "not in the form that the reader of EndNote XML keeps")
	}
	var out [][2]string
	for _, p := range pairs {
		if !elementPath.MatchString(p[0]) {
			w.lose(endNoteExtra, "there is no element "+p[0])
			continue
		}
		out = append(out, p)
	}
	return keepPairs(out)
}

// kind writes the type, and gives the one that it will be read as.
func (w *endNoteWriter) kind(r ibid.Reference, keep [][2]string) string {
	t, ok := endNoteTypes[r.Type]
	if !ok {
		t = endNoteType{"Generic", 13}
	}
	for i, p := range keep {
		if p[0] == "ref-type" {
			if r.Type == "document" && fromEndNote[strings.ToLower(p[1])] == "" {
				t = endNoteType{cleanLine(p[1]), 13}
			}
			keep[i][1] = ""
		}
	}
	w.b.WriteString(`<ref-type name="`)
	xml.EscapeText(w.b, []byte(t.name))
	fmt.Fprintf(w.b, `">%d</ref-type>`, t.number)
	read := ibid.Reference{Type: fromEndNote[strings.ToLower(t.name)], Text: r.Text}
	electronic(&read)
	if back := read.Type; r.Type != "" && back != r.Type && !(back == "" && r.Type == "document") {
		w.lose("type", r.Type+" is written as "+t.name)
	}
	return read.Type
}

func (w *endNoteWriter) dates() {
	d := w.takeDate("issued")
	s, ok := writeDate(d, historical)
	if ok && d.Circa {
		w.lose("issued", "that it is not certain")
		d.Circa = false
		s, _ = writeDate(d, historical)
	}
	w.group("dates", func() {
		switch {
		case ok:
			w.element("year", itoa(d.Parts[0].Year))
			if s != fmt.Sprintf("%04d", d.Parts[0].Year) {
				w.element("pub-dates/date", s)
			}
		case d.Literal != "":
			w.element("year", d.Literal)
		}
	})
}

func (w *endNoteWriter) archive() {
	if strings.HasPrefix(w.leftovers.text["PMCID"], "PMC") {
		w.text("custom2", "PMCID")
	}
	if w.leftovers.text["PMID"] != "" {
		w.text("accession-num", "PMID")
		w.element("remote-database-name", "PubMed")
		return
	}
	if !strings.EqualFold(w.leftovers.text["archive"], "PubMed") {
		w.text("accession-num", "archive_location")
		w.text("remote-database-name", "archive")
	}
}

func (w *endNoteWriter) accessed() {
	d := w.takeDate("accessed")
	if s, ok := writeDate(d, historical); ok {
		w.element("access-date", s)
	} else if !d.IsZero() {
		w.element("access-date", dateText(d, historical))
	}
}
