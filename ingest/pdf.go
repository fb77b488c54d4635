package ingest

import (
	"bytes"
	"encoding/xml"
	"errors"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/ingest/internal/pdf"
)

// readPDF takes the text of a PDF in reading order, with a mark where each page begins. Sentences that run over a page
// stay joined, words that were parted at a line's end are whole again, and what stands at the head or foot of every page
// is left out.
func readPDF(in input) (Result, error) {
	f, err := pdf.Open(in.ctx, in.bytes)
	if err != nil {
		return Result{}, pdfError(in, err)
	}
	d, pictures, err := pdfLines(in, f, false)
	if err == nil && d.letters == 0 && d.artifacts {
		// A file that calls all of its text an artifact says nothing with it.
		d, pictures, err = pdfLines(in, f, true)
	}
	if err != nil {
		return Result{}, err
	}
	if err := d.readable(pictures); err != nil {
		return Result{}, err
	}
	b := newBuilder(in.limits, d.size)
	d.dropRunningHeads()
	d.write(b)
	res, err := b.result()
	if err != nil {
		return Result{}, err
	}
	if pictures > 0 {
		res.Warnings = append(res.Warnings, plural(pictures, "page is a picture", "pages are pictures")+" without text")
	}
	if d.unknown > 0 {
		res.Warnings = append(res.Warnings, plural(d.unknown, "character is", "characters are")+" not named by the file's fonts and shown as \ufffd")
	}
	res.Reference = pdfReference(f, d)
	return res, nil
}

// pdfLines reads all pages, and counts those that are pictures only.
func pdfLines(in input, f *pdf.File, artifacts bool) (*pdfText, int, error) {
	d := &pdfText{keepArtifacts: artifacts}
	pictures := 0
	for i, p := range f.Pages() {
		if err := in.ctx.Err(); err != nil {
			return nil, 0, err
		}
		glyphs, err := p.Glyphs()
		if err != nil {
			return nil, 0, pdfError(in, err)
		}
		if len(glyphs) == 0 && p.Pictures() {
			pictures++
		}
		d.addPage(i+1, glyphs)
		if d.size > in.limits.text() {
			return nil, 0, tooMuchText(in.limits.text())
		}
	}
	return d, pictures, nil
}

func pdfError(in input, err error) error {
	switch {
	case in.ctx.Err() != nil:
		return in.ctx.Err()
	case errors.Is(err, pdf.ErrEncrypted):
		return refuse(ErrEncrypted, "the PDF %v; save it without one", err)
	case errors.Is(err, pdf.ErrTruncated):
		return refuse(ErrTruncated, "the PDF %v; fetch the file again", err)
	case errors.Is(err, pdf.ErrTooLarge):
		return refuse(ErrTooLarge, "the PDF %v", err)
	}
	return refuse(ErrBroken, "the PDF %v", err)
}

// readable refuses what has pages and no words.
func (d *pdfText) readable(pictures int) error {
	switch {
	case d.letters == 0 && pictures > 0:
		return refuse(ErrNoText, "%s; run text recognition (OCR) over the PDF first", plural(pictures, "page is a picture", "pages are pictures"))
	case d.letters == 0 && d.unknown == 0:
		return refuse(ErrNoText, "the PDF has no words on its pages")
	case d.unknown > d.letters/2:
		return refuse(ErrNoText, "the PDF's fonts do not say which characters they show; run text recognition (OCR) over it first")
	}
	return nil
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return itoa(n) + " " + many
}

func pdfReference(f *pdf.File, d *pdfText) ibid.Reference {
	var r ibid.Reference
	info := f.Info()
	x := readXMP(f.Metadata())
	first := d.opening(1)
	title := d.title()
	for _, t := range []string{x.title, info["Title"]} {
		if t = goodTitle(t); t != "" && (title == "" || wordsWithin(t, d.opening(3))) {
			title = t
			break
		}
	}
	r.Set("title", title)
	authors := goodAuthors(strings.Join(x.creators, ";"))
	if len(authors) == 0 {
		authors = goodAuthors(info["Author"])
	}
	r.SetNames("author", authors...)
	r.Set("DOI", x.doi)
	if r.DOI() == "" {
		r.Set("DOI", statedDOI(first))
	}
	r.Set("container-title", x.publication)
	date := parseDate(x.date)
	if date.IsZero() {
		date = parseDate(info["CreationDate"])
	}
	r.SetDate("issued", date)
	if r.Type = guessType(r); r.Type == "" {
		r.Type = "document"
	}
	return r
}

var doiStated = regexp.MustCompile(`(?i)(?:doi\.org/|\bdoi:?\s*)(10\.\d{4,9}/\S+)`)

// statedDOI is the DOI that the first page gives as its own: introduced as one, not cited in passing.
func statedDOI(s string) string {
	if m := doiStated.FindStringSubmatch(s); m != nil {
		return findDOI(m[1])
	}
	return ""
}

// wordsWithin reports whether most words of a title stand in a text.
func wordsWithin(title, s string) bool {
	words := strings.Fields(strings.ToLower(title))
	s = strings.ToLower(s)
	n := 0
	for _, w := range words {
		if strings.Contains(s, w) {
			n++
		}
	}
	return n*3 >= len(words)*2
}

// xmp is what matters of the metadata packet.
type xmp struct {
	title, doi, publication, date string
	creators                      []string
}

func readXMP(b []byte) xmp {
	var x xmp
	dec := xml.NewDecoder(bytes.NewReader(b))
	dec.Strict = false
	dec.CharsetReader = nil
	field := ""
	for range 20000 {
		t, err := dec.RawToken()
		if err != nil {
			break
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "li", "Alt", "Seq", "Bag":
			default:
				field = t.Name.Space + ":" + t.Name.Local
			}
		case xml.EndElement:
			if t.Name.Local != "li" && t.Name.Local != "Alt" && t.Name.Local != "Seq" && t.Name.Local != "Bag" {
				field = ""
			}
		case xml.CharData:
			x.set(field, collapse(strings.ToValidUTF8(string(t[:min(len(t), maxMetaValue)]), "")))
		}
	}
	return x
}

func (x *xmp) set(field, v string) {
	if v == "" {
		return
	}
	switch field {
	case "dc:title":
		if x.title == "" {
			x.title = v
		}
	case "dc:creator":
		if len(x.creators) < 500 {
			x.creators = append(x.creators, v)
		}
	case "prism:doi", "crossmark:DOI", "pdfx:doi":
		x.doi = findDOI(v)
	case "dc:identifier":
		if x.doi == "" {
			x.doi = findDOI(v)
		}
	case "prism:publicationName":
		x.publication = v
	case "prism:coverDate", "prism:publicationDate":
		x.date = v
	}
}

// opening is the text of the first pages.
func (d *pdfText) opening(pages int) string {
	var out strings.Builder
	for _, p := range d.pages[:min(pages, len(d.pages))] {
		for _, l := range p.lines {
			out.WriteString(l.text + "\n")
		}
	}
	return out.String()
}

// title is what is set largest on the first page, where that is clearly larger than the text.
func (d *pdfText) title() string {
	if len(d.pages) == 0 {
		return ""
	}
	lines := d.pages[0].lines
	best := -1
	for i, l := range lines {
		if i > 40 {
			break
		}
		if utf8.RuneCountInString(l.text) > 3 && strings.ContainsFunc(l.text, unicode.IsLetter) && (best < 0 || l.size > lines[best].size*1.02) {
			best = i
		}
	}
	if best < 0 || lines[best].size < d.bodySize()*1.15 {
		return ""
	}
	var parts []string
	for _, l := range lines[best:] {
		if l.size < lines[best].size*0.97 || len(parts) == 5 {
			break
		}
		parts = append(parts, l.text)
	}
	title := collapse(strings.Join(parts, " "))
	if len(title) < 5 || len(title) > 300 || strings.HasPrefix(title, "arXiv:") {
		return ""
	}
	return title
}
