// Package bib reads and writes files of references: BibTeX, BibLaTeX, RIS, EndNote XML and CSL-JSON. It also reads EndNote's
// tags (.enw) and PubMed's (.nbib).
//
// Reading never stops at the first fault: what is whole is given, and the rest is named with its line. Writing lists
// what the format has no place for. What is unknown to a format's reader is kept beside the record, under "x-bibtex",
// "x-ris" or "x-endnote", and written again to the same format.
package bib

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/ibid-dev/ibid"
)

// Format is the format of a file of references.
type Format string

// The formats. RIS is written as EndNote and Zotero do today; RIS2001 with the tags of its first specification. Both
// are read as one.
const (
	BibTeX   Format = "bibtex"
	BibLaTeX Format = "biblatex"
	RIS      Format = "ris"
	RIS2001  Format = "ris2001"
	EndNote  Format = "endnote"
	CSLJSON  Format = "csljson"

	// These two are read alone.
	Refer   Format = "enw"  // EndNote's tags
	MEDLINE Format = "nbib" // PubMed's tags
)

// Formats lists all formats that can be written.
func Formats() []Format { return []Format{BibTeX, BibLaTeX, RIS, RIS2001, EndNote, CSLJSON} }

// ParseFormat finds a format by its name or by the ending of its files. The error lists the names and wraps
// ibid.ErrInvalid.
func ParseFormat(name string) (Format, error) {
	f := Format(strings.ToLower(strings.TrimSpace(name)))
	if slices.Contains(Formats(), f) {
		return f, nil
	}
	switch f {
	case "bib", "tex":
		return BibTeX, nil
	case "endnote-xml", "endnotexml", "xml", "enl":
		return EndNote, nil
	case "csl-json", "csl", "json":
		return CSLJSON, nil
	case "refman":
		return RIS2001, nil
	}
	return "", fmt.Errorf("format %q: choose one of bibtex, biblatex, ris, ris2001, endnote, csljson: %w", name, ibid.ErrInvalid)
}

// MediaType is the type under which reference managers take a download of the format.
func (f Format) MediaType() string {
	switch f {
	case BibTeX, BibLaTeX:
		return "application/x-bibtex"
	case RIS, RIS2001:
		return "application/x-research-info-systems"
	case EndNote:
		return "application/xml"
	}
	return "application/vnd.citationstyles.csl+json"
}

// Extension is how the names of files in the format end.
func (f Format) Extension() string {
	switch f {
	case BibTeX, BibLaTeX:
		return ".bib"
	case RIS, RIS2001:
		return ".ris"
	case EndNote:
		return ".xml"
	}
	return ".json"
}

// File is what a reader found.
type File struct {
	Format     Format
	References []ibid.Reference
	// Notes name what is not part of any reference and is not carried over: comments, preambles; and keys that stand twice, of
	// which the second is changed.
	Notes []Problem
}

// Problem is a fault of a file, at a line from 1.
type Problem struct {
	Line int
	What string
}

func (p Problem) String() string {
	if p.Line == 0 {
		return p.What
	}
	return fmt.Sprintf("line %d: %s", p.Line, p.What)
}

// Problems are all faults of a file. As an error they wrap ibid.ErrInvalid.
type Problems []Problem

func (p Problems) Error() string {
	var lines []string
	for i, one := range p {
		if i == 10 {
			lines = append(lines, fmt.Sprintf("and %d more", len(p)-i))
			break
		}
		lines = append(lines, one.String())
	}
	return strings.Join(lines, "\n")
}

// Unwrap makes errors.Is(err, ibid.ErrInvalid) hold.
func (p Problems) Unwrap() error { return ibid.ErrInvalid }

func (p Problems) err() error {
	if len(p) == 0 {
		return nil
	}
	return p
}

// Loss is a field of a reference that a format has no place for.
type Loss struct {
	ID    string // of the reference
	Field string
	Why   string
}

func (l Loss) String() string { return fmt.Sprintf("%s: %s: %s", l.ID, l.Field, l.Why) }

// Read finds out the format by the content and reads the file. Where parts of it are at fault the error is of type
// Problems, and the whole references are returned all the same.
func Read(b []byte) (File, error) {
	f, err := Detect(b)
	if err != nil {
		return File{}, err
	}
	return ReadAs(b, f)
}

// ReadAs reads a file whose format is known.
func ReadAs(b []byte, f Format) (out File, err error) {
	text := decode(b)
	switch f {
	case BibTeX, BibLaTeX:
		out, err = readTeX(text)
	case RIS, RIS2001:
		out, err = readRIS(text)
	case EndNote:
		out, err = readEndNote(text)
	case CSLJSON:
		out, err = readJSON(text)
	case Refer:
		out = readRefer(text)
	case MEDLINE:
		out = readMEDLINE(text)
	default:
		return File{}, fmt.Errorf("format %q: %w", f, ibid.ErrInvalid)
	}
	for i := range out.References {
		withoutEntities(&out.References[i])
	}
	return out, err
}

// Write writes references and lists what the format could not carry.
func Write(w io.Writer, f Format, refs []ibid.Reference) ([]Loss, error) {
	refs = UniqueIDs(refs)
	switch f {
	case BibTeX, BibLaTeX:
		return writeTeX(w, f, refs)
	case RIS, RIS2001:
		return writeRIS(w, f, refs)
	case EndNote:
		return writeEndNote(w, refs)
	case CSLJSON:
		return writeJSON(w, refs)
	}
	return nil, fmt.Errorf("format %q: %w", f, ibid.ErrInvalid)
}

var (
	texStart = regexp.MustCompile(`(?m)^[^%\n]{0,200}?@\s*([A-Za-z]+)\s*[{(]`)
	// EndNote's own XML, not a page of the web, however much of a head stands before it.
	endNoteStart = regexp.MustCompile(`^(?:<\?xml[^>]*>|<!--(?s:.*?)-->|<!DOCTYPE[^>\[]*(?:\[(?s:.*?)\])?\s*>|\s+)*<(?:xml|records|record)[\s>/]`)

	risStart = regexp.MustCompile(`(?m)^\s*TY\s{1,3}-`)
	onlyTeX  = regexp.MustCompile(`(?mi)^\s*@\s*(?:online|report|thesis|collection|mvbook|mvcollection|inreference|periodical|xdata|dataset|software|patent|suppbook)\s*[{(]|[,\n]\s*(?:journaltitle|date|eprinttype|langid|eventtitle|eventdate|origdate)\s*=`)
)

// Detect tells the formats apart by what a file begins with. BibLaTeX is BibTeX with entry types or fields of its own.
// The error wraps ibid.ErrInvalid.
func Detect(b []byte) (Format, error) {
	text := strings.TrimSpace(decode(b[:min(len(b), 1<<20)]))
	switch {
	case text == "":
		return "", fmt.Errorf("an empty file holds no references: %w", ibid.ErrInvalid)
	case endNoteStart.MatchString(text):
		return EndNote, nil
	case referStart.MatchString(text):
		return Refer, nil
	case medlineStart.MatchString(text):
		return MEDLINE, nil
	case text == "null", text[0] == '[' || text[0] == '{' && !texStart.MatchString(text):
		return CSLJSON, nil // null is what a program writes that found nothing, and no words of anyone
	}
	ris, tex := risStart.FindStringIndex(text), texStart.FindStringIndex(text)
	switch {
	case ris != nil && (tex == nil || ris[0] <= tex[0]):
		return RIS, nil
	case tex != nil && onlyTeX.MatchString(text):
		return BibLaTeX, nil
	case tex != nil:
		return BibTeX, nil
	}
	return "", fmt.Errorf("line 1: expected BibTeX (@article{…), RIS (TY  - …), EndNote XML (<xml>), EndNote's tags (%%0 …), PubMed's (PMID- …) or CSL-JSON ([{…): %w", ibid.ErrInvalid)
}

// decode gives the text of a file: UTF-8 with or without a byte-order mark, UTF-16 with one, or else Windows-1252, which
// old files of reference managers are in.
func decode(b []byte) string {
	switch {
	case bytes.HasPrefix(b, []byte("\xef\xbb\xbf")):
		b = b[3:]
	case bytes.HasPrefix(b, []byte("\xff\xfe")), bytes.HasPrefix(b, []byte("\xfe\xff")):
		b = fromUTF16(b)
	}
	if utf8.Valid(b) {
		return newlines(string(b))
	}
	var s strings.Builder
	s.Grow(len(b) + len(b)/8)
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			r = charmap.Windows1252.DecodeByte(b[0])
		}
		s.WriteRune(r)
		b = b[n:]
	}
	return newlines(s.String())
}

// newlines makes all line ends one character and takes out control characters, which no format may hold.
func newlines(s string) string {
	if strings.Contains(s, "\r") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, s)
}

func fromUTF16(b []byte) []byte {
	big := b[0] == 0xfe
	var out []byte
	var high rune
	for i := 2; i+1 < len(b); i += 2 {
		u := rune(b[i]) | rune(b[i+1])<<8
		if big {
			u = rune(b[i+1]) | rune(b[i])<<8
		}
		switch {
		case u >= 0xd800 && u < 0xdc00:
			high = u
		case u >= 0xdc00 && u < 0xe000 && high != 0:
			out = utf8.AppendRune(out, (high-0xd800)<<10+(u-0xdc00)+0x10000)
			high = 0
		default:
			out = utf8.AppendRune(out, u)
		}
	}
	return out
}

// UniqueIDs gives every reference an id, none twice, without changing those that are fine.
func UniqueIDs(refs []ibid.Reference) []ibid.Reference {
	out := slices.Clone(refs)
	taken := make(map[string]bool, len(refs))
	for _, r := range refs {
		taken[r.ID] = true
	}
	seen := make(map[string]bool, len(refs))
	tries := map[string]int{}
	for i := range out {
		id := out[i].ID
		if id != "" && !seen[id] {
			seen[id] = true
			continue
		}
		if id == "" {
			id = suggestKey(out[i])
		}
		base := id
		for seen[id] || taken[id] {
			tries[base]++
			id = fmt.Sprintf("%s-%d", base, tries[base]+1)
		}
		seen[id] = true
		out[i].ID = id
	}
	return out
}

// nameAll makes the ids unique and notes which of them were changed, by the line of each reference: what cites the key
// means another one now.
func (f *File) nameAll(lines []int) {
	named := UniqueIDs(f.References)
	for i, r := range f.References {
		if r.ID != "" && r.ID != named[i].ID {
			f.Notes = append(f.Notes, Problem{lines[i], fmt.Sprintf("the key %q stands here again: read as %q", r.ID, named[i].ID)})
		}
	}
	f.References = named
}

// suggestKey makes a key of the first name, the year and the first word of the title: "shen2021neutralization".
func suggestKey(r ibid.Reference) string {
	var key strings.Builder
	if a := r.Names["author"]; len(a) > 0 {
		key.WriteString(keyWord(first(a[0].Family, a[0].Literal)))
	}
	if y := r.Year(); y != 0 {
		fmt.Fprint(&key, y)
	}
	for word := range strings.FieldsSeq(plainText(r.Title())) {
		if w := keyWord(word); len(w) > 3 {
			key.WriteString(w)
			break
		}
	}
	if key.Len() == 0 {
		return "item"
	}
	return key.String()
}

func keyWord(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(asciiFold(s)) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			b.WriteRune(r)
		}
	}
	if b.Len() > 30 {
		return b.String()[:30]
	}
	return b.String()
}

func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}
