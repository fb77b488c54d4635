package bib

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/ibid-dev/ibid"
)

// risTypes gives the types of RIS today and of its first specification for each type of CSL.
var risTypes = map[string][2]string{
	"article": {"INPR", "INPR"}, "article-journal": {"JOUR", "JOUR"}, "article-magazine": {"MGZN", "MGZN"}, "article-newspaper": {"NEWS", "NEWS"}, "bill": {"BILL", "BILL"},
	"book": {"BOOK", "BOOK"}, "broadcast": {"VIDEO", "VIDEO"}, "chapter": {"CHAP", "CHAP"}, "classic": {"CLSWK", "BOOK"}, "collection": {"SER", "SER"}, "dataset": {"DATA", "DATA"},
	"document": {"GEN", "GEN"}, "entry": {"CHAP", "CHAP"}, "entry-dictionary": {"DICT", "CHAP"}, "entry-encyclopedia": {"ENCYC", "CHAP"}, "event": {"GEN", "GEN"}, "figure": {"FIGURE", "ART"},
	"graphic": {"ART", "ART"}, "hearing": {"HEAR", "HEAR"}, "interview": {"GEN", "GEN"}, "legal_case": {"CASE", "CASE"}, "legislation": {"STAT", "STAT"}, "manuscript": {"UNPB", "UNPB"},
	"map": {"MAP", "MAP"}, "motion_picture": {"MPCT", "MPCT"}, "musical_score": {"MUSIC", "MUSIC"}, "pamphlet": {"PAMP", "PAMP"}, "paper-conference": {"CPAPER", "CONF"},
	"patent": {"PAT", "PAT"}, "performance": {"GEN", "GEN"}, "periodical": {"JFULL", "JFULL"}, "personal_communication": {"PCOMM", "PCOMM"}, "post": {"ICOMM", "ICOMM"},
	"post-weblog": {"BLOG", "ELEC"}, "regulation": {"LEGAL", "STAT"}, "report": {"RPRT", "RPRT"}, "review": {"JOUR", "JOUR"}, "review-book": {"JOUR", "JOUR"}, "software": {"COMP", "COMP"},
	"song": {"SOUND", "SOUND"}, "speech": {"SLIDE", "SLIDE"}, "standard": {"STAND", "RPRT"}, "thesis": {"THES", "THES"}, "treaty": {"GEN", "GEN"}, "webpage": {"ELEC", "ELEC"},
}

// fromRIS gives the type of CSL for each type of RIS.
var fromRIS = map[string]string{
	"ABST": "article-journal", "ADVS": "motion_picture", "AGGR": "dataset", "ANCIENT": "classic", "ART": "graphic", "BILL": "bill", "BLOG": "post-weblog", "BOOK": "book", "CASE": "legal_case",
	"CHAP": "chapter", "CHART": "figure", "CLSWK": "classic", "COMP": "software", "CONF": "paper-conference", "CPAPER": "paper-conference", "CTLG": "book", "DATA": "dataset", "DBASE": "dataset",
	"DICT": "entry-dictionary", "EBOOK": "book", "ECHAP": "chapter", "EDBOOK": "book", "EJOUR": "article-journal", "ELEC": "webpage", "ENCYC": "entry-encyclopedia", "EQUA": "figure",
	"FIGURE": "figure", "GEN": "document", "GOVDOC": "report", "GRANT": "document", "GRNT": "document", "HEAR": "hearing", "ICOMM": "post", "INPR": "article", "JFULL": "periodical", "JOUR": "article-journal",
	"LEGAL": "regulation", "MANSCPT": "manuscript", "MAP": "map", "MGZN": "article-magazine", "MPCT": "motion_picture", "MULTI": "webpage", "MUSIC": "musical_score", "NEWS": "article-newspaper",
	"PAMP": "pamphlet", "PAT": "patent", "PCOMM": "personal_communication", "RPRT": "report", "SER": "collection", "SLIDE": "speech", "SOUND": "song", "STAND": "standard", "STAT": "legislation",
	"STD": "standard", "THES": "thesis", "UNBILL": "bill", "UNPB": "manuscript", "UNPD": "manuscript", "VIDEO": "broadcast", "WEB": "webpage",
}

const risExtra = "x-ris"

type risRecord struct {
	line  int
	kind  string
	pairs [][2]string
	more  []string // lines that go on with the last pair
}

// close joins a value with the lines that it was folded into.
func (rec *risRecord) close() {
	if n := len(rec.pairs); n > 0 && len(rec.more) > 0 {
		rec.pairs[n-1][1] += " " + strings.Join(rec.more, " ")
	}
	rec.more = nil
}

var (
	risTag = regexp.MustCompile(`^\s{0,3}([A-Z][A-Z0-9])(?:\s{2,3}- ?|\s-(?: |$))(.*)$`)
	// A tag and one space may also be words that go on: "IV - results".
	risLooseTag = regexp.MustCompile(`^\s{0,3}(?:TY|ER|AU|A[1-4]|ED|TI|T[1-3]|BT|ST|J[AFO12]|PY|Y[12]|DA|AB|N[12]|KW|SP|EP|VL|IS|PB|CY|SN|UR|DO|LA|M[13]|ID|L[1-4]|ET|DB|AN|C[1-8])\s-`)
)

// readRIS reads records of both dialects. A line without a tag goes on with the one before it.
func readRIS(s string) (File, error) {
	out := File{Format: RIS}
	var problems Problems
	var open *risRecord
	var lines []int
	finish := func(closed bool, line int) {
		if open == nil {
			return
		}
		if !closed {
			problems = append(problems, Problem{open.line, fmt.Sprintf("the record that begins here has no end: expected ER before line %d", line)})
		}
		open.close()
		out.References = append(out.References, open.reference())
		lines = append(lines, open.line)
		open = nil
	}
	n, stray := 0, false
	for line := range strings.SplitSeq(s, "\n") {
		n++
		m := risTag.FindStringSubmatch(strings.TrimRight(line, " \t"))
		if m != nil && open != nil && !strings.Contains(line, "  -") && !risLooseTag.MatchString(line) {
			m = nil
		}
		switch {
		case m == nil && strings.TrimSpace(line) == "":
		case m == nil && open != nil && len(open.pairs) > 0:
			open.more = append(open.more, strings.TrimSpace(line))
		case m != nil && m[1] == "TY":
			finish(false, n)
			open = &risRecord{line: n, kind: strings.ToUpper(squeeze(m[2]))}
		case m != nil && m[1] == "ER":
			finish(true, n)
		case open != nil && m != nil:
			open.close()
			open.pairs = append(open.pairs, [2]string{m[1], strings.TrimSpace(m[2])})
		case !stray:
			stray = true
			problems = append(problems, Problem{n, "expected a record to begin with TY"})
		}
		if m != nil && m[1] == "ER" {
			stray = false
		}
	}
	finish(false, n+1)
	out.nameAll(lines)
	return out, problems.err()
}

func (rec *risRecord) reference() ibid.Reference {
	var r ibid.Reference
	var keep [][2]string
	if t, ok := fromRIS[rec.kind]; ok {
		r.Type = t
	} else {
		r.Type = "document"
		if rec.kind != "" {
			keep = append(keep, [2]string{"TY", rec.kind})
		}
	}
	a := risReader{r: &r}
	pairs := rec.wholeBook()
	left := make([]bool, len(pairs)) // what has no place
	for i := range pairs {
		pairs[i][1] = squeeze(pairs[i][1])
		left[i] = pairs[i][1] != "" && !a.tag(pairs[i][0], pairs[i][1])
	}
	for _, p := range a.finish("PY", "DA", "JF") { // also what it turns out to have none for, where it stands
		same := func(q [2]string) bool { return q[1] == p[1] && first(risSame[q[0]], q[0]) == p[0] }
		left[slices.IndexFunc(pairs, same)] = true
	}
	for i, p := range pairs {
		if left[i] && !saidBefore(keep, p) {
			keep = append(keep, p)
		}
	}
	unJournal(&r)
	if raw, err := json.Marshal(keep); err == nil && len(keep) > 0 {
		r.Extra = map[string]json.RawMessage{risExtra: raw}
	}
	return r
}

// wholeBook gives the tags of the record. Of a book or an unpublished work BT is the title, as the first specification
// has it, unless another tag says that.
func (rec *risRecord) wholeBook() [][2]string {
	is := func(tags ...string) func([2]string) bool {
		return func(p [2]string) bool { return slices.Contains(tags, p[0]) && strings.TrimSpace(p[1]) != "" }
	}
	pairs := slices.Clone(rec.pairs)
	if !slices.Contains([]string{"BOOK", "EBOOK", "EDBOOK", "UNPB", "UNPD"}, rec.kind) {
		return pairs
	}
	title, book := slices.IndexFunc(pairs, is("TI", "T1", "CT")), slices.IndexFunc(pairs, is("BT"))
	if book >= 0 && (title < 0 || squeeze(pairs[title][1]) == squeeze(pairs[book][1])) {
		pairs[book][0] = "TI"
	}
	return pairs
}

// risReader gathers what several tags say together.
type risReader struct {
	r                  *ibid.Reference
	from, to           string
	year, date, access string
	database, number   string
	journal            string
	many               map[string][]string // texts of tags that come several times
}

// set fills a variable once, and says whether it did.
func (a *risReader) set(variable, value string) bool {
	if a.r.Text[variable] != "" {
		return a.r.Text[variable] == value
	}
	a.r.Set(variable, value)
	return true
}

// gather keeps the texts of a tag that may come several times.
func (a *risReader) gather(variable string, values ...string) bool {
	if a.many == nil {
		a.many = map[string][]string{}
	}
	a.many[variable] = append(a.many[variable], values...)
	return true
}

func once(to *string, v string) bool {
	if *to != "" {
		return *to == v
	}
	*to = v
	return true
}

// saidBefore tells a date that what is kept says already: written beside a date of another tag, the two are read as one.
func saidBefore(kept [][2]string, p [2]string) bool {
	tag := first(risSame[p[0]], p[0])
	switch tag {
	case "PY", "DA", "Y2":
	default:
		return false
	}
	return slices.ContainsFunc(kept, func(q [2]string) bool {
		return first(risSame[q[0]], q[0]) == tag && (q[1] == p[1] || reflect.DeepEqual(risDate(q[1]), risDate(p[1])))
	})
}

// onceDate takes another spelling of the same date for the same.
func onceDate(to *string, v string) bool {
	return once(to, v) || reflect.DeepEqual(risDate(*to), risDate(v))
}

var risTexts = map[string]string{
	"TI": "title", "T1": "title", "CT": "title", "ST": "title-short", "T2": "container-title", "BT": "container-title", "T3": "collection-title", "JA": "container-title-short", "J1": "container-title-short", "J2": "container-title-short",
	"PB": "publisher", "CY": "publisher-place", "VL": "volume", "VO": "volume", "IS": "issue", "UR": "URL", "ET": "edition", "LA": "language", "CN": "call-number", "ID": "id",
	"NV": "number-of-volumes", "SE": "section", "M1": "number", "AV": "archive_location", "C2": "PMCID",
}

var risNames = map[string]string{"AU": "author", "A1": "author", "ED": "editor", "A2": "editor", "A3": "collection-editor", "A4": "translator"}

// tag takes one tag, and says whether there was a place for it.
func (a *risReader) tag(tag, v string) bool {
	if variable, ok := risNames[tag]; ok {
		a.name(variable, v)
		return true
	}
	switch tag {
	case "ID":
		return once(&a.r.ID, v)
	case "SP":
		return once(&a.from, v)
	case "EP":
		return once(&a.to, v)
	case "PY", "Y1":
		return onceDate(&a.year, v)
	case "DA":
		return onceDate(&a.date, v)
	case "Y2":
		return onceDate(&a.access, v)
	case "JF", "JO":
		if a.journal == "" {
			a.journal = v
			return true
		}
		return a.set("container-title-short", v)
	case "DO":
		return a.set("DOI", trimDOI(v))
	case "M3":
		if strings.HasPrefix(trimDOI(v), "10.") {
			return a.set("DOI", trimDOI(v))
		}
		return a.set("genre", v)
	case "SN":
		if isSerialNumber(v) {
			return a.set("ISSN", v)
		}
		return a.set("ISBN", v)
	case "AB", "N2":
		return a.gather("abstract", v)
	case "N1":
		return a.gather("note", v)
	case "KW":
		return a.gather("keyword", splitKeywords(v)...)
	case "DB":
		return once(&a.database, v)
	case "AN":
		return once(&a.number, v)
	case "C2":
		if !strings.HasPrefix(v, "PMC") {
			return false
		}
	}
	if variable, ok := risTexts[tag]; ok {
		return a.set(placeOf(a.r.Type, variable), v)
	}
	return false
}

// placeOf gives the variable that RIS and EndNote keep where another type of work has the one named: the chapter in the place of a
// section, and the version of a program or of data in that of an edition.
func placeOf(cslType, variable string) string {
	switch {
	case cslType == "chapter" && variable == "section":
		return "chapter-number"
	case (cslType == "software" || cslType == "dataset") && variable == "edition":
		return "version"
	}
	return variable
}

// name adds the names of a tag, but for those that are nothing but commas.
func (a *risReader) name(variable, v string) {
	for _, n := range readPlainNames(v) {
		if n != (ibid.Name{}) {
			a.r.SetNames(variable, append(a.r.Names[variable], n)...)
		}
	}
}

// trimDOI takes off what stands before a DOI, and nothing else: its letters are as they were given.
func trimDOI(s string) string { return ibid.Reference{Text: map[string]string{"DOI": s}}.DOI() }

// risSame are tags that are read as another one is.
var risSame = map[string]string{"Y1": "PY", "JO": "JF"}

// finish puts together what several tags say, and gives back what it has no place for: a date that another one speaks against or
// says more exactly, a third name of the journal.
func (a *risReader) finish(yearTag, dateTag, journalTag string) (keep [][2]string) {
	r := a.r
	r.Set("edition", readEdition(r.Text["edition"]))
	if pages := pageRange(joinPages(a.from, a.to)); pages != "" {
		a.set("page", pages)
	}
	if a.journal != "" && !a.set("container-title", a.journal) && !a.set("container-title-short", a.journal) {
		keep = append(keep, [2]string{journalTag, a.journal})
	}
	d := risDate(a.date)
	if inYear := yearMonth(a.year, a.date, ""); len(d.Parts) == 0 && hasMonth(inYear) { // "PY  - 2020" and "DA  - NOV 15"
		d = inYear
	}
	if y := risDate(a.year); !y.IsZero() && (len(d.Parts) == 0 || len(y.Parts) > 0 && (y.Parts[0].Year != d.Parts[0].Year || hasMonth(y) && !hasMonth(d))) {
		d = y
		if a.date != "" {
			keep = append(keep, [2]string{dateTag, a.date})
		}
	} else if !y.IsZero() && len(y.Parts) == 0 { // "in press"
		keep = append(keep, [2]string{yearTag, a.year})
	}
	r.SetDate("issued", d)
	r.SetDate("accessed", risDate(a.access))
	switch {
	case a.number != "" && strings.EqualFold(a.database, "PubMed"):
		a.set("PMID", a.number)
	default:
		if a.database != "" {
			a.set("archive", a.database)
		}
		if a.number != "" && !a.set("archive_location", a.number) {
			a.gather("note", a.number)
		}
	}
	a.r.Set("abstract", strings.Join(a.many["abstract"], " "))
	a.r.Set("note", strings.Join(a.many["note"], " "))
	a.r.Set("keyword", strings.Join(a.many["keyword"], "; "))
	return keep
}

// hasMonth says whether a date is more than a year.
func hasMonth(d ibid.Date) bool {
	return len(d.Parts) > 0 && (d.Parts[0].Month != 0 || d.Season != "")
}

var (
	risDateForm = regexp.MustCompile(`^(-?[0-9]{1,6})?(?:/([0-9]{1,2})?(?:/([0-9]{1,2})?(?:/(.*))?)?)?$`)
	// With the month by its name, as in "2018/Mar/15/" and "2018 Mar 15".
	namedMonth = regexp.MustCompile(`^([0-9]{4})(?:/| +)([\p{L}\p{M}]{3,16}\.?)(?:(?:/| +)([0-9]{1,2})?)?/?$`)
)

// risDate reads "2021/06/17/other"; any part but the slashes may be missing. Other programs write ISO dates, or names of months.
func risDate(s string) ibid.Date {
	s = strings.TrimSpace(s)
	if m := namedMonth.FindStringSubmatch(s); m != nil {
		if d := yearMonth(m[1], m[2], m[3]); hasMonth(d) {
			return d
		}
	}
	m := risDateForm.FindStringSubmatch(s)
	if m == nil {
		return readDate(s, historical)
	}
	year, month, day, other := atoi(m[1]), atoi(m[2]), atoi(m[3]), strings.TrimSpace(m[4])
	if year == 0 || month > 12 || day > 31 || month == 0 && day != 0 {
		return ibid.Date{Literal: strings.TrimFunc(s, func(c rune) bool { return c == '/' || unicode.IsSpace(c) })}
	}
	d := ibid.Date{Parts: []ibid.DateParts{{Year: year, Month: month, Day: day}}}
	if season, ok := seasonNames[strings.ToLower(other)]; ok && month == 0 {
		d.Season = season
	}
	return d
}

// risWriter writes one record, each value on one line however long it is.
type risWriter struct {
	leftovers
	b *bytes.Buffer
}

func writeRIS(w io.Writer, f Format, refs []ibid.Reference) ([]Loss, error) {
	var b bytes.Buffer
	var losses []Loss
	for i, r := range refs {
		if i > 0 {
			b.WriteString("\n")
		}
		rw := &risWriter{leftovers: newLeftovers(r), b: &b}
		rw.record(r, f)
		losses = append(losses, rw.losses...)
	}
	_, err := w.Write(b.Bytes())
	return losses, err
}

func (w *risWriter) line(tag, value string) {
	if value = cleanLine(value); value != "" {
		w.b.WriteString(tag + "  - " + value + "\n")
	}
}

// cleanLine makes a value that stands on one line.
func cleanLine(s string) string {
	if !strings.ContainsFunc(s, unicode.IsControl) {
		return squeeze(s)
	}
	s = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, s)
	return squeeze(s)
}

func (w *risWriter) text(tag string, variables ...string) { w.line(tag, w.take(variables...)) }

func (w *risWriter) record(r ibid.Reference, f Format) {
	old := f == RIS2001
	pick := func(today, then string) string {
		if old {
			return then
		}
		return today
	}
	keep := w.kept(r)
	kind := w.kind(r, old, keep)
	w.line("ID", r.ID)
	for _, n := range [][2]string{{pick("AU", "A1"), "author"}, {pick("A2", "ED"), "editor"}, {"A3", "collection-editor"}, {"A4", "translator"}} {
		if old && n[0] == "A4" {
			break
		}
		for _, name := range w.plainNames(n[1]) {
			w.line(n[0], name)
		}
	}
	w.text(pick("TI", "T1"), "title")
	w.text("ST", "title-short", "shortTitle")
	if periodical(r.Type) {
		w.text(pick("T2", "JF"), "container-title")
	} else {
		w.text("T2", "container-title")
	}
	w.text(pick("J2", "JA"), "container-title-short", "journalAbbreviation")
	w.text("T3", "collection-title")
	w.dates(old, keep)
	for _, v := range [][2]string{{"VL", "volume"}, {"IS", "issue"}, {"M1", "number"}, {"PB", "publisher"}, {"CY", "publisher-place"}, {"ET", "edition"}, {"NV", "number-of-volumes"}, {"SE", "section"}} {
		w.text(v[0], placeOf(kind, v[1]))
	}
	from, to := splitPages(w.take("page"))
	if to != "" && slices.Contains(keep, [2]string{"SP", from}) { // the one that was kept would be read as this
		from, to = from+"-"+to, ""
	}
	if to == "" && hasTag(keep, "EP") { // behind a first page the last one that was kept would be read with it
		if i := strings.LastIndexByte(from, '-'); i < 0 {
			from, to = "", from
		} else {
			to = cmp.Or(from[i+1:], "-") // which the first, holding all of the range, ends with
		}
	}
	w.line("SP", from)
	w.line("EP", to)
	w.text("SN", "ISSN")
	w.text("SN", "ISBN")
	if old && w.leftovers.text["genre"] != "" && w.leftovers.text["DOI"] != "" {
		w.lose("genre", "its place holds the DOI")
		w.take("genre")
	}
	if doi := trimDOI(w.leftovers.text["DOI"]); strings.HasPrefix(doi, "10.") {
		w.text(pick("DO", "M3"), "DOI")
	} else {
		w.text("DO", "DOI") // in the other's place it would be a kind of text
	}
	if !strings.HasPrefix(trimDOI(w.leftovers.text["genre"]), "10.") {
		w.text("M3", "genre")
	}
	w.archive()
	w.text("LA", "language")
	w.text("CN", "call-number")
	w.text("UR", "URL")
	w.text(pick("AB", "N2"), "abstract")
	for _, k := range splitKeywords(w.take("keyword")) {
		w.line("KW", k)
	}
	w.text("N1", "note")
	for _, p := range keep {
		w.line(p[0], p[1])
	}
	w.b.WriteString("ER  - \n")
	w.loseRest(r, "has no place in RIS", risExtra)
}

var risTagName = regexp.MustCompile(`^[A-Z][A-Z0-9]$`)

// kept gives what the reader kept of tags it had no place for.
func (w *risWriter) kept(r ibid.Reference) [][2]string {
	var pairs [][2]string
	if raw, ok := r.Extra[risExtra]; ok && json.Unmarshal(raw, &pairs) != nil {
		w.lose(risExtra, "not in the form that the reader of RIS keeps")
	}
	var out [][2]string
	for _, p := range pairs {
		if !risTagName.MatchString(p[0]) || p[0] == "ER" {
			w.lose(risExtra, "there is no tag "+p[0])
			continue
		}
		out = append(out, p)
	}
	return keepPairs(out)
}

func hasTag(pairs [][2]string, tag string) bool {
	return slices.ContainsFunc(pairs, func(p [2]string) bool { return p[0] == tag })
}

// kind writes the type, and gives the one that it will be read as.
func (w *risWriter) kind(r ibid.Reference, old bool, keep [][2]string) string {
	kinds, ok := risTypes[r.Type]
	if !ok {
		kinds = [2]string{"GEN", "GEN"}
	}
	kind := kinds[0]
	if old {
		kind = kinds[1]
	}
	for i, p := range keep {
		if p[0] == "TY" {
			if r.Type == "document" && fromRIS[p[1]] == "" {
				kind = cleanLine(p[1])
			}
			keep[i][1] = ""
		}
	}
	w.b.WriteString("TY  - " + kind + "\n")
	back := fromRIS[kind]
	if r.Type != "" && back != r.Type && !(back == "" && r.Type == "document") {
		w.lose("type", r.Type+" is written as "+kind)
	}
	return back
}

func (w *risWriter) dates(old bool, keep [][2]string) {
	d := w.takeDate("issued")
	full := w.dateOf("issued", d)
	switch {
	case len(d.Parts) == 0 && hasTag(keep, "DA"): // before the one that was kept
		w.line("DA", full)
	case old, len(d.Parts) == 0 && (hasTag(keep, "PY") || hasTag(keep, "Y1")):
		w.line("Y1", full)
	case len(d.Parts) > 0:
		w.line("PY", strconv.Itoa(d.Parts[0].Year))
		if !strings.HasSuffix(full, "///") {
			w.line("DA", full)
		}
	default:
		w.line("DA", full)
	}
	w.line("Y2", w.dateOf("accessed", w.takeDate("accessed")))
}

// dateOf writes "2021/06/17/", and lists what of the date is left out.
func (w *risWriter) dateOf(variable string, d ibid.Date) string {
	if len(d.Parts) == 0 {
		if len(risDate(d.Literal).Parts) > 0 {
			return "///" + d.Literal // words that look like a year
		}
		return d.Literal
	}
	p := d.Parts[0]
	if p.Month > 12 {
		d.Season, p.Month = itoa(p.Month-20), 0
	}
	if len(d.Parts) > 1 {
		w.lose(variable, "the end of the range")
	}
	if d.Circa {
		w.lose(variable, "that it is not certain")
	}
	s := fmt.Sprintf("%04d/", p.Year)
	if p.Month != 0 {
		s += fmt.Sprintf("%02d", p.Month)
	}
	s += "/"
	if p.Day != 0 {
		s += fmt.Sprintf("%02d", p.Day)
	}
	s += "/"
	if n := atoi(d.Season); n >= 1 && n <= 4 && p.Month == 0 {
		s += []string{"", "spring", "summer", "autumn", "winter"}[n]
	}
	return s
}

// archive writes PubMed's numbers, or else the archive of the work.
func (w *risWriter) archive() {
	if strings.HasPrefix(w.leftovers.text["PMCID"], "PMC") {
		w.text("C2", "PMCID")
	}
	if w.leftovers.text["PMID"] != "" {
		w.text("AN", "PMID")
		w.line("DB", "PubMed")
		return
	}
	if !strings.EqualFold(w.leftovers.text["archive"], "PubMed") {
		w.text("AN", "archive_location")
		w.text("DB", "archive")
	}
}
