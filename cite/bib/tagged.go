package bib

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/ibid-dev/ibid"
)

// Two formats of tags are read and not written: what EndNote calls its own (.enw), a sign and a letter for each tag, and what
// PubMed gives for citation managers (.nbib). Both say what RIS says under other names.

// tagged is one record: the line that it begins at, and its tags in their order.
type tagged struct {
	line  int
	pairs [][2]string
}

var (
	referStart   = regexp.MustCompile(`^%0[ \t]+\S[^\n]*\n(?:[^\n]*\n)*?%[ATJBD][ \t]`)
	medlineStart = regexp.MustCompile(`^PMID ?- ?[0-9]`)

	referTag   = regexp.MustCompile(`^(%[A-Z0-9@!?~^&>(\[*$#+<=])(?:[ \t]+(.*))?$`)
	medlineTag = regexp.MustCompile(`^([A-Z][A-Z0-9]{1,3}) *- ?(.*)$`)
)

// readTagged takes records apart, each of which begins with the same tag. A line without one goes on with the line before it.
func readTagged(s, begin string, tag *regexp.Regexp) (records []tagged) {
	var more []string
	join := func() {
		if n := len(records); n > 0 && len(more) > 0 {
			last := &records[n-1].pairs[len(records[n-1].pairs)-1]
			last[1] += " " + strings.Join(more, " ")
		}
		more = nil
	}
	n := 0
	for line := range strings.SplitSeq(s, "\n") {
		n++
		m := tag.FindStringSubmatch(strings.TrimRight(line, " \t"))
		switch {
		case m != nil && m[1] == begin:
			join()
			records = append(records, tagged{n, [][2]string{{m[1], m[2]}}})
		case len(records) == 0, strings.TrimSpace(line) == "":
		case m != nil:
			join()
			last := &records[len(records)-1]
			last.pairs = append(last.pairs, [2]string{m[1], m[2]})
		default:
			more = append(more, strings.TrimSpace(line))
		}
	}
	join()
	return records
}

// fileOf makes references of records. What take has no place for is kept under a name of the format.
func fileOf(f Format, records []tagged, extra string, take func(a *risReader, rec tagged) (keep [][2]string)) File {
	out := File{Format: f}
	var lines []int
	for _, rec := range records {
		for i := range rec.pairs {
			rec.pairs[i][1] = squeeze(rec.pairs[i][1])
		}
		var r ibid.Reference
		a := risReader{r: &r}
		keep := take(&a, rec)
		keep = keepPairs(append(keep, a.finish("PY", "DA", "JF")...))
		if f == Refer {
			electronic(&r)
		}
		unJournal(&r)
		if raw, err := json.Marshal(keep); err == nil && len(keep) > 0 {
			r.Extra = map[string]json.RawMessage{extra: raw}
		}
		out.References = append(out.References, r)
		lines = append(lines, rec.line)
	}
	out.nameAll(lines)
	return out
}

// referTags gives RIS's tag for each of EndNote's.
var referTags = map[string]string{
	"%A": "AU", "%E": "ED", "%Y": "A3", "%?": "A4", "%T": "TI", "%!": "ST", "%J": "JF", "%B": "T2", "%S": "T3", "%D": "PY", "%8": "DA", "%V": "VL", "%N": "IS", "%P": "SP", "%I": "PB", "%C": "CY",
	"%@": "SN", "%R": "DO", "%U": "UR", "%X": "AB", "%K": "KW", "%7": "ET", "%6": "NV", "%Z": "N1", "%M": "AN", "%~": "DB", "%G": "LA", "%L": "CN", "%F": "ID", "%9": "M3", "%[": "Y2", "%&": "SE", "%2": "C2",
}

func readRefer(s string) File {
	return fileOf(Refer, readTagged(s, "%0", referTag), "x-enw", func(a *risReader, rec tagged) (keep [][2]string) {
		a.r.Type = first(fromEndNote[strings.ToLower(rec.pairs[0][1])], "document")
		for _, p := range rec.pairs[1:] {
			tag, v := referTags[p[0]], p[1]
			if risNames[tag] != "" {
				v = strings.TrimRight(v, ", ") // which EndNote's users set behind an institution
			}
			if v != "" && !a.tag(tag, v) {
				keep = append(keep, p)
			}
		}
		return keep
	})
}

// medlineTexts gives RIS's tag for each of PubMed's that holds a plain text.
var medlineTexts = map[string]string{"BTI": "T2", "CTI": "T3", "JT": "JF", "TA": "J2", "VI": "VL", "IP": "IS", "PG": "SP", "AB": "AB", "LA": "LA", "PB": "PB", "EN": "ET", "PMC": "C2", "OT": "KW", "ISBN": "SN"}

// medlineSilent are tags that tell of the database and of the people's addresses, not of the work.
var medlineSilent = wordSet("OWN STAT DCOM LR DA EDAT MHDA CRDT PHST PST SO SB JID RN GR PMCR AUID AD PL DEP CI PT IRAD IR FIR COIS CTDT DRDT")

func wordSet(s string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(s) {
		set[word] = true
	}
	return set
}

func readMEDLINE(s string) File {
	return fileOf(MEDLINE, readTagged(s, "PMID", medlineTag), "x-nbib", func(a *risReader, rec tagged) (keep [][2]string) {
		a.r.Type = "article-journal"
		full := map[string]bool{} // the kinds of names that are given in full, too
		for _, p := range rec.pairs {
			full[p[0]] = true
			if t := medlineTypes[p[1]]; p[0] == "PT" && t != "" {
				a.r.Type = t
			}
		}
		for _, p := range rec.pairs {
			if p[1] != "" && !medlineSilent[p[0]] && !a.medline(p[0], p[1], full) {
				keep = append(keep, p)
			}
		}
		return keep
	})
}

var medlineTypes = map[string]string{"Book": "book", "Book Chapter": "chapter", "Preprint": "article"}

// nameSuffix is what PubMed sets behind a name without a comma: "King, Martin L Jr", "King ML Jr".
var nameSuffix = regexp.MustCompile(`\S (Jr|Sr|[2-9](?:nd|rd|th))$`)

// cutSuffix parts a name of PubMed from its suffix, which it gives behind the comma that RIS has there.
func cutSuffix(name string) (rest, suffix string) {
	if m := nameSuffix.FindStringSubmatchIndex(name); m != nil {
		return name[:m[2]-1], ", " + name[m[2]:]
	}
	return name, ""
}

// medline takes one of PubMed's tags, and says whether there was a place for it.
func (a *risReader) medline(tag, v string, full map[string]bool) bool {
	switch tag {
	case "PMID":
		a.database = "PubMed"
		return once(&a.number, v)
	case "TI":
		return a.set("title", strings.TrimSuffix(v, ".")) // which PubMed sets behind every title
	case "FAU", "FED":
		v, suffix := cutSuffix(v)
		a.name(map[string]string{"FAU": "author", "FED": "editor"}[tag], v+suffix)
	case "AU", "ED":
		if full["F"+tag] {
			return true
		}
		v, suffix := cutSuffix(v)
		family, initials := v, ""
		if i := strings.LastIndexByte(v, ' '); i > 0 {
			family, initials = v[:i], v[i+1:]
		}
		a.name(risNames[tag], family+", "+initials+suffix)
	case "CN":
		a.r.SetNames("author", append(a.r.Names["author"], ibid.Name{Literal: v})...)
	case "DP":
		year, rest, _ := strings.Cut(v, " ")
		a.date = rest
		return once(&a.year, year)
	case "IS":
		number, _, _ := strings.Cut(v, " ")
		return a.set("ISSN", number) // one for print and one for the network: the second is kept beside it
	case "LID", "AID":
		doi, ok := strings.CutSuffix(v, " [doi]")
		if ok {
			a.set("DOI", trimDOI(doi))
		}
		return ok
	default:
		to := medlineTexts[tag]
		return to != "" && a.tag(to, v)
	}
	return true
}
