package bib

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/ibid-dev/ibid"
)

func writeTeX(w io.Writer, f Format, refs []ibid.Reference) ([]Loss, error) {
	var b bytes.Buffer
	var losses []Loss
	keys := texKeys(refs)
	for i, r := range refs {
		e := newTeXWriter(r, f)
		e.all()
		if keys[i] != r.ID {
			e.lose("id", "written as the key "+keys[i])
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		e.print(&b, keys[i])
		losses = append(losses, e.losses...)
	}
	_, err := w.Write(b.Bytes())
	return losses, err
}

// texKeys makes the ids into keys, of which none comes twice.
func texKeys(refs []ibid.Reference) []string {
	clean := make([]ibid.Reference, len(refs))
	for i, r := range refs {
		clean[i] = ibid.Reference{ID: cleanKey(r.ID)}
	}
	keys := make([]string, len(refs))
	for i, r := range UniqueIDs(clean) {
		keys[i] = r.ID
	}
	return keys
}

// texWriter writes one entry. What it has not taken of the reference at the end is lost, and said to be.
type texWriter struct {
	leftovers
	r      ibid.Reference
	f      Format
	kind   string
	fields []texField
}

// leftovers knows which variables of a reference still wait to be written.
type leftovers struct {
	id     string
	text   map[string]string
	names  map[string][]ibid.Name
	dates  map[string]ibid.Date
	losses []Loss
}

func newLeftovers(r ibid.Reference) leftovers {
	c := r.Clone()
	for k, v := range c.Text {
		if strings.TrimSpace(v) == "" {
			delete(c.Text, k)
		}
	}
	if e, ok := c.Text["edition"]; ok {
		c.Text["edition"] = readEdition(e)
	}
	return leftovers{id: r.ID, text: c.Text, names: c.Names, dates: c.Dates}
}

func (l *leftovers) take(variables ...string) string {
	for _, v := range variables {
		if s, ok := l.text[v]; ok {
			delete(l.text, v)
			return s
		}
	}
	return ""
}

func (l *leftovers) takeNames(variable string) []ibid.Name {
	names := l.names[variable]
	delete(l.names, variable)
	for _, n := range names {
		if n.StaticOrdering {
			l.lose(variable, "that the family name of "+clip(n.String())+" always comes first")
		}
		if n.CommaSuffix {
			l.lose(variable, "the comma before the suffix of "+clip(n.String()))
		}
	}
	return names
}

func (l *leftovers) takeDate(variable string) ibid.Date {
	d := l.dates[variable]
	delete(l.dates, variable)
	d, lost := settle(d)
	if lost != "" {
		l.lose(variable, lost)
	}
	return d
}

func (l *leftovers) lose(field, why string) { l.losses = append(l.losses, Loss{l.id, field, why}) }

// loseRest lists what nobody took.
func (l *leftovers) loseRest(r ibid.Reference, why string, extra ...string) {
	for _, m := range [][]string{sortedKeys(l.text), sortedKeys(l.names), sortedKeys(l.dates)} {
		for _, k := range m {
			l.lose(k, why)
		}
	}
	for _, k := range sortedKeys(r.Extra) {
		if slices.Contains(extra, k) {
			continue
		}
		for _, field := range keptFields(k, r.Extra[k]) {
			l.lose(field, why)
		}
	}
}

// keptFields names what a reader of another format kept beside the record: its fields or tags, else the whole.
func keptFields(key string, raw json.RawMessage) (out []string) {
	var tex unreadTeX
	var tags [][2]string
	switch {
	case key == texExtra && json.Unmarshal(raw, &tex) == nil:
		if tex.Type != "" {
			out = append(out, "@"+tex.Type)
		}
		out = append(out, sortedKeys(tex.Fields)...)
	case strings.HasPrefix(key, "x-") && json.Unmarshal(raw, &tags) == nil:
		for _, p := range tags {
			out = append(out, p[0])
		}
	}
	if len(out) == 0 {
		return []string{key}
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

func newTeXWriter(r ibid.Reference, f Format) *texWriter {
	return &texWriter{leftovers: newLeftovers(r), r: r, f: f}
}

func (e *texWriter) add(name, value string) {
	if value != "" {
		e.fields = append(e.fields, texField{name, "{" + value + "}"})
	}
}

func (e *texWriter) pick(biblatex, bibtex string) string {
	if e.f == BibLaTeX {
		return biblatex
	}
	return bibtex
}

func (e *texWriter) text(field string, variables ...string) {
	e.add(field, encodeTeX(e.take(variables...), false))
}

// list writes a field in which BibLaTeX reads "and" as the end of a list's item.
func (e *texWriter) list(field string, variables ...string) {
	v := encodeTeX(e.take(variables...), false)
	if len(splitAnd(" "+v+" ")) > 1 {
		v = "{" + v + "}"
	}
	e.add(field, v)
}

// texKind is the entry type for a type of CSL.
func texKind(cslType string, r ibid.Reference, f Format) string {
	kinds, ok := texKinds[cslType]
	if !ok {
		return "misc"
	}
	if f == BibLaTeX {
		return kinds[0]
	}
	if kinds[1] == "phdthesis" && strings.Contains(strings.ToLower(r.Text["genre"]), "master") {
		return "mastersthesis"
	}
	return kinds[1]
}

var classicTypes = strings.Fields("article book booklet conference inbook incollection inproceedings manual mastersthesis misc phdthesis proceedings techreport unpublished")

func (e *texWriter) all() {
	var keep unreadTeX
	if raw, ok := e.r.Extra[texExtra]; ok && json.Unmarshal(raw, &keep) != nil {
		e.lose(texExtra, "not in the form that the reader of BibTeX keeps")
	}
	e.kind = texKind(e.r.Type, e.r, e.f)
	if keep.Type != "" {
		if fieldName.MatchString(keep.Type) && (e.f == BibLaTeX || slices.Contains(classicTypes, keep.Type)) {
			e.kind = strings.ToLower(keep.Type)
		} else {
			e.lose(texExtra, "there is no entry type "+keep.Type)
		}
	}
	if e.r.Type != "" && typeOf(e.kind, "", e.r.URL() != "", preprintID(e.r) != "" || strings.EqualFold(e.r.Text["archive"], "arXiv") && e.r.Text["archive_location"] != "") != e.r.Type {
		e.subtype()
	}
	e.people()
	e.titles()
	e.date()
	e.details(keep)
	e.identifiers()
	e.own(keep)
	e.loseRest(e.r, "has no place in "+string(e.f), texExtra)
}

func (e *texWriter) subtype() {
	if !slices.Contains(cslTypes, e.r.Type) {
		e.lose("type", e.r.Type+" is not a type of CSL")
		return
	}
	switch e.r.Type {
	case "article-newspaper", "article-magazine":
		e.add("entrysubtype", strings.TrimPrefix(e.r.Type, "article-"))
	default:
		e.add("entrysubtype", e.r.Type)
	}
}

func (e *texWriter) people() {
	drops, keeps := false, false
	for _, n := range texNames {
		for _, name := range e.names[n[0]] {
			keeps = keeps || name.NonDroppingParticle != "" && name.DroppingParticle == ""
			drops = drops || plainParticle(name, name.DroppingParticle, squeeze(name.Family), false) && name.DroppingParticle != ""
		}
	}
	usePrefix := keeps
	for _, n := range texNames {
		names := e.takeNames(n[0])
		e.checkParticles(n[0], names, usePrefix)
		e.add(n[1], writeNames(names, e.f, usePrefix))
	}
	if keeps || drops { // said, as not every entry shows whether it is BibTeX's or BibLaTeX's
		e.add("options", "useprefix="+strconv.FormatBool(usePrefix))
	}
}

func (e *texWriter) checkParticles(variable string, names []ibid.Name, usePrefix bool) {
	for _, n := range names {
		if e.f == BibLaTeX && n.Literal == "" && n.DroppingParticle != "" && n.NonDroppingParticle != "" {
			e.lose(variable, "the two particles of "+n.String()+" are written as one")
		}
		p := squeeze(n.DroppingParticle + " " + n.NonDroppingParticle)
		if p != "" && n.Literal == "" && e.f == BibTeX && !plainParticle(n, p, squeeze(n.Family), usePrefix) {
			e.lose(variable, "the particle of "+n.String()+" is written as part of the family name")
		}
	}
}

func (e *texWriter) titles() {
	e.add("title", encodeTeX(e.take("title"), true))
	e.add("shorttitle", encodeTeX(e.take("title-short", "shortTitle"), true))
	t := e.r.Type
	switch {
	case periodical(t):
		e.text(e.pick("journaltitle", "journal"), "container-title")
	case chapterLike(t):
		e.add("booktitle", encodeTeX(e.take("container-title"), true))
	case webLike(t):
		e.list(e.pick("organization", "howpublished"), "container-title")
	default:
		e.text("howpublished", "container-title")
	}
	e.text("shortjournal", "container-title-short", "journalAbbreviation")
	e.text("series", "collection-title")
}

func (e *texWriter) date() {
	d := e.takeDate("issued")
	if s, ok := writeDate(d, astronomical); ok && e.f == BibLaTeX {
		e.add("date", s)
	} else if ok {
		e.classicDate(d)
	} else if !d.IsZero() {
		e.add("year", encodeTeX(dateText(d, historical), false))
	}
	for _, n := range texDates {
		d := e.takeDate(n[0])
		if s, ok := writeDate(d, astronomical); ok {
			e.add(n[1], s)
		} else if !d.IsZero() {
			e.add(n[1], encodeTeX(dateText(d, astronomical), false))
		}
	}
}

// dateText says in words a date that has no other form.
func dateText(d ibid.Date, c calendar) string {
	if d.Literal != "" {
		return d.Literal
	}
	var ends []string
	for _, p := range d.Parts {
		if s, ok := isoDate(p, c); ok {
			ends = append(ends, s)
		}
	}
	return squeeze(d.Season + " " + strings.Join(ends, "/"))
}

// classicYears writes a range over years: "1914--1918", and with months as BibLaTeX does.
func (e *texWriter) classicYears(d ibid.Date) string {
	from, to := d.Parts[0], d.Parts[1]
	if from.Year > 0 && to.Year > 0 && from.Month == 0 && to.Month == 0 {
		return itoa(from.Year) + "--" + itoa(to.Year)
	}
	d.Circa = false
	s, _ := writeDate(d, historical)
	return s
}

// classicDate writes year, month and day.
func (e *texWriter) classicDate(d ibid.Date) {
	p := d.Parts[0]
	year := itoa(p.Year) // styles show it as it stands
	sameYear := len(d.Parts) == 2 && d.Parts[1].Year == p.Year
	if len(d.Parts) == 2 && !sameYear {
		year = e.classicYears(d)
		p = ibid.DateParts{}
	}
	if d.Circa {
		year = "ca. " + year
	}
	e.add("year", year)
	switch {
	case d.Season != "":
		e.add("month", []string{"", "spring", "summer", "autumn", "winter"}[atoi(d.Season)])
	case p.Month > 12 || sameYear && d.Parts[1].Month > 12:
		e.lose("issued", "the seasons of the range")
		return
	case sameYear && p.Day != 0 && d.Parts[1].Day != 0:
		to := d.Parts[1]
		e.fields = append(e.fields, texField{"month", `"` + itoa(p.Day) + `~" # ` + monthNames[p.Month-1] + ` # "--` + itoa(to.Day) + `~" # ` + monthNames[to.Month-1]})
	case sameYear && (p.Month == 0 || d.Parts[1].Month == 0 || p.Day != 0 || d.Parts[1].Day != 0):
		e.lose("issued", "the end of the range")
		sameYear = false
		if p.Month != 0 {
			e.fields = append(e.fields, texField{"month", monthNames[p.Month-1]})
		}
	case sameYear:
		e.fields = append(e.fields, texField{"month", monthNames[p.Month-1] + ` # "--" # ` + monthNames[d.Parts[1].Month-1]})
	case p.Month != 0:
		e.fields = append(e.fields, texField{"month", monthNames[p.Month-1]})
	}
	if p.Day != 0 && !sameYear {
		e.fields = append(e.fields, texField{"day", itoa(p.Day)})
	}
}

func (e *texWriter) details(keep unreadTeX) {
	t := e.r.Type
	if id := preprintID(e.r); id != "" {
		for _, v := range []string{"publisher", "number", "archive", "archive_location"} {
			e.take(v)
		}
		e.eprint(id, "arXiv")
	}
	switch {
	case t == "thesis":
		e.list(e.pick("institution", "school"), "publisher")
	case t == "report":
		e.list("institution", "publisher")
	case e.kind == "manual" && keep.Fields["organization"] == "": // whose publisher BibTeX's styles do not show
		e.list("organization", "publisher")
	default:
		e.list("publisher", "publisher")
	}
	e.list(e.pick("location", "address"), "publisher-place")
	e.text("volume", "volume")
	switch {
	case periodical(t) || t == "periodical":
		e.text("number", "issue")
		e.text("eid", "number")
	case bookLike(t) && e.r.Text["collection-title"] != "":
		e.text("number", "collection-number")
		e.text("issue", "issue")
	default:
		e.text("number", "number")
		e.text("issue", "issue")
	}
	e.add("pages", strings.ReplaceAll(encodeTeX(pageRange(e.take("page")), false), "-", "--"))
	for _, v := range [][2]string{
		{"edition", "edition"}, {"pagetotal", "number-of-pages"}, {"volumes", "number-of-volumes"}, {"chapter", "chapter-number"}, {"version", "version"},
		{"eventtitle", "event-title"}, {"type", "genre"}, {"pubstate", "status"}, {"library", "call-number"}, {"origtitle", "original-title"},
		{"origpublisher", "original-publisher"}, {"origlocation", "original-publisher-place"}, {"note", "note"}, {"abstract", "abstract"},
	} {
		e.text(v[0], v[1])
	}
	e.keywords()
	if t == "thesis" && e.f == BibTeX && e.r.Text["genre"] == "" {
		e.add("type", "thesis") // else BibTeX says "PhD thesis"
	}
	e.text("eventtitle", "event")
	e.list("venue", "event-place")
	e.text(e.pick("annotation", "annote"), "annote")
	e.language()
}

// keywords are parted by commas, unless one of them holds a comma.
func (e *texWriter) keywords() {
	words := splitKeywords(e.take("keyword"))
	sep := ", "
	if strings.Contains(strings.Join(words, ""), ",") {
		sep = "; "
	}
	all := encodeTeX(strings.Join(words, sep), false)
	if len(words) == 1 && sep == "; " {
		all = "{" + all + "}"
	}
	e.add("keywords", all)
}

func (e *texWriter) language() {
	code := e.waiting("language")
	if c, ok := babel[strings.ToLower(code)]; ok {
		code = c
		e.leftovers.text["language"] = c
	}
	if name, ok := babelNames[code]; ok && e.f == BibLaTeX {
		e.take("language")
		e.add("langid", name)
	}
	e.list("language", "language")
}

func (e *texWriter) waiting(variable string) string { return e.leftovers.text[variable] }

func (e *texWriter) identifiers() {
	e.add("doi", encodeVerbatim(e.take("DOI")))
	e.text("isbn", "ISBN")
	e.text("issn", "ISSN")
	e.text("pmid", "PMID")
	e.text("pmcid", "PMCID")
	if a := strings.ToLower(e.waiting("archive")); (a == "arxiv" || a == "jstor") && e.waiting("archive_location") != "" {
		e.take("archive")
		e.eprint(e.take("archive_location"), map[string]string{"arxiv": "arXiv", "jstor": "JSTOR"}[a])
	}
	e.add("url", encodeVerbatim(e.take("URL")))
}

func (e *texWriter) eprint(id, archive string) {
	e.add("eprint", encodeVerbatim(id))
	e.add(e.pick("eprinttype", "archiveprefix"), archive)
}

var fieldName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_+:.-]*$`)

// own writes what has no field under a name of its own, and what the reader kept.
func (e *texWriter) own(keep unreadTeX) {
	for _, k := range sortedKeys(e.leftovers.text) {
		if fieldName.MatchString(k) {
			e.text(cslPrefix+k, k)
		}
	}
	for _, k := range sortedKeys(e.leftovers.names) {
		e.add(cslPrefix+k, writeNames(e.takeNames(k), e.f, true))
	}
	for _, k := range sortedKeys(e.leftovers.dates) {
		d := e.takeDate(k)
		s, ok := writeDate(d, astronomical)
		if !ok {
			s = encodeTeX(dateText(d, astronomical), false)
		}
		e.add(cslPrefix+k, s)
	}
	written := map[string]bool{}
	for _, f := range e.fields {
		written[strings.ToLower(f.name)] = true
	}
	for _, k := range sortedKeys(keep.Fields) {
		if fieldName.MatchString(k) && balanced(keep.Fields[k]) && !written[strings.ToLower(k)] {
			e.add(strings.ToLower(k), squeeze(keep.Fields[k]))
		} else {
			e.lose(texExtra, "field "+k+" cannot be written")
		}
	}
}

func (e *texWriter) print(b *bytes.Buffer, key string) {
	b.WriteString("@" + e.kind + "{" + key)
	width := 0
	for _, f := range e.fields {
		width = max(width, min(len(f.name), 12))
	}
	for _, f := range e.fields {
		b.WriteString(",\n  " + f.name + strings.Repeat(" ", max(0, width-len(f.name))) + " = " + f.value)
	}
	b.WriteString("\n}\n")
}
