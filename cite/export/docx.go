package export

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"html"
	"io"
	"regexp"
	"strings"
	"time"
)

const (
	docxTypes = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/><Override PartName="/word/settings.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.settings+xml"/><Override PartName="/word/footnotes.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`
	docxRels = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`
	docxDocumentRels = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes" Target="footnotes.xml"/><Relationship Id="rId3" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/settings" Target="settings.xml"/></Relationships>`
	docxSettings = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:settings xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:footnotePr><w:footnote w:id="-1"/><w:footnote w:id="0"/></w:footnotePr></w:settings>`
	docxStyles = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Georgia" w:hAnsi="Georgia" w:cs="Georgia"/><w:sz w:val="22"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="120" w:line="276" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults>
<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:pPr><w:keepNext/><w:outlineLvl w:val="0"/></w:pPr><w:rPr><w:b/><w:sz w:val="32"/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="Heading2"><w:name w:val="heading 2"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:pPr><w:keepNext/><w:spacing w:before="360"/><w:outlineLvl w:val="1"/></w:pPr><w:rPr><w:b/><w:sz w:val="26"/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="Bibliography"><w:name w:val="Bibliography"/><w:basedOn w:val="Normal"/><w:pPr><w:ind w:left="720" w:hanging="720"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="FootnoteText"><w:name w:val="footnote text"/><w:basedOn w:val="Normal"/><w:rPr><w:sz w:val="18"/></w:rPr></w:style>
<w:style w:type="character" w:styleId="FootnoteReference"><w:name w:val="footnote reference"/><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style></w:styles>`
	docxOpen     = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n" + `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>`
	docxClose    = `<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr></w:body></w:document>`
	footnoteOpen = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n" + `<w:footnotes xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote><w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>`
)

// docx writes the answer as a document of Word, with real footnotes: the citation in a style of notes, and the words of
// the sources in any style.
func (p *paper) docx() ([]byte, error) {
	var body, notes bytes.Buffer
	d := docxWriter{b: &body}
	if q := oneLine(p.answer.Question); q != "" {
		d.paragraph("Heading1", func() { d.text(q, look{}) })
	}
	p.docxText(&d, &notes)
	for _, l := range p.asides() {
		d.paragraph("", func() { d.text(l, look{italic: true}) })
	}
	if len(p.entries) > 0 {
		d.paragraph("Heading2", func() { d.text("Sources", look{}) })
		for _, e := range p.entries {
			d.paragraph("Bibliography", func() { d.rich(e.Text) })
		}
	}
	return pack(oneLine(p.answer.Question), p.answer.CreatedAt, body.String(), notes.String())
}

// pack puts the parts of a document of Word together.
func pack(title string, at time.Time, body, notes string) ([]byte, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, part := range []struct{ name, text string }{
		{"[Content_Types].xml", docxTypes}, {"_rels/.rels", docxRels}, {"word/_rels/document.xml.rels", docxDocumentRels}, {"word/settings.xml", docxSettings}, {"word/styles.xml", docxStyles},
		{"word/document.xml", docxOpen + body + docxClose}, {"word/footnotes.xml", footnoteOpen + notes + "</w:footnotes>"}, {"docProps/core.xml", core(title, at)},
	} {
		// The time of the answer, not of the export: the same answer gives the same file.
		w, err := z.CreateHeader(&zip.FileHeader{Name: part.name, Method: zip.Deflate, Modified: stamp(at)})
		if err != nil {
			return nil, err
		}
		if _, err := io.WriteString(w, part.text); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Paragraph is one of a document of Word: running text with the little HTML that citation styles give, and the footnotes
// behind it.
type Paragraph struct {
	Style string // "Heading1", "Heading2", "Bibliography", or "" for running text
	HTML  string
	Notes []string // as HTML
}

// Word writes paragraphs as a document of Word, with real footnotes. The time is that of what is written, so that the same
// text gives the same file.
func Word(title string, at time.Time, paragraphs []Paragraph) ([]byte, error) {
	var body, notes bytes.Buffer
	d, n := docxWriter{b: &body}, docxWriter{b: &notes}
	number := 0
	for _, p := range paragraphs {
		d.paragraph(p.Style, func() {
			d.rich(p.HTML)
			for _, note := range p.Notes {
				number++
				d.reference(number)
				n.footnote(number, note)
			}
		})
	}
	return pack(title, at, body.String(), notes.String())
}

func stamp(at time.Time) time.Time {
	if at.Year() < 1980 { // the earliest time that the archive can hold
		return time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return at.UTC().Truncate(2 * time.Second)
}

func core(title string, at time.Time) string {
	var b bytes.Buffer
	b.WriteString(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n" + `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>`)
	xml.EscapeText(&b, []byte(title))
	fmt.Fprintf(&b, `</dc:title><dcterms:created xsi:type="dcterms:W3CDTF">%s</dcterms:created></cp:coreProperties>`, stamp(at).Format(time.RFC3339))
	return b.String()
}

// docxText writes the running text: a paragraph for each line that has words.
func (p *paper) docxText(d *docxWriter, notes *bytes.Buffer) {
	open := false
	breakLine := func() {
		if open {
			d.b.WriteString("</w:p>")
		}
		open = false
	}
	// within writes to the paragraph that is open, or opens one.
	within := func(inside func()) {
		if !open {
			d.b.WriteString("<w:p>")
			open = true
		}
		inside()
	}
	write := func(s string) {
		for i, line := range strings.Split(lineEnds.Replace(s), "\n") {
			if i > 0 {
				breakLine()
			}
			if open || strings.TrimSpace(line) != "" {
				within(func() { d.text(line, look{}) })
			}
		}
	}
	for _, r := range p.runs {
		before, stop, tail := r.split()
		write(before)
		if r.note > 0 && !p.notes {
			within(func() { d.text(r.gap(), look{}); d.rich(r.citation) })
		}
		write(stop)
		if r.note > 0 {
			within(func() { d.reference(r.note) })
			p.footnote(notes, r)
		}
		write(r.sign + tail)
	}
	breakLine()
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// footnote holds the citation, in a style of notes, and the words that it rests on, with their place where the citation does not tell it.
func (p *paper) footnote(notes *bytes.Buffer, r run) {
	var parts []string
	if p.notes {
		parts = append(parts, r.citation)
	}
	for _, c := range r.quotes {
		part := ""
		if !p.notes {
			part = place(p.title(c), c.Locator)
		}
		if c.Quote != "" {
			part = strings.TrimPrefix(part+": "+quoted(c.Quote), ": ")
		}
		if part != "" {
			parts = append(parts, html.EscapeString(part))
		}
	}
	n := docxWriter{b: notes}
	n.footnote(r.note, strings.Join(parts, " "))
}

// look is how a run of text is set.
type look struct {
	italic, bold, caps, underline bool
	align                         string // "superscript", "subscript"
}

type docxWriter struct{ b *bytes.Buffer }

func (d *docxWriter) paragraph(style string, inside func()) {
	d.b.WriteString("<w:p>")
	if style != "" {
		fmt.Fprintf(d.b, `<w:pPr><w:pStyle w:val="%s"/></w:pPr>`, style)
	}
	inside()
	d.b.WriteString("</w:p>")
}

// reference leads to a footnote.
func (d *docxWriter) reference(number int) {
	fmt.Fprintf(d.b, `<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteReference w:id="%d"/></w:r>`, number)
}

// footnote writes one, whose text is HTML.
func (d *docxWriter) footnote(number int, text string) {
	fmt.Fprintf(d.b, `<w:footnote w:id="%d"><w:p><w:pPr><w:pStyle w:val="FootnoteText"/></w:pPr><w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteRef/></w:r>`, number)
	d.text(" ", look{})
	d.rich(text)
	d.b.WriteString("</w:p></w:footnote>")
}

func (d *docxWriter) text(s string, l look) {
	if s == "" {
		return
	}
	d.b.WriteString("<w:r>")
	if l != (look{}) {
		d.b.WriteString("<w:rPr>")
		for _, p := range []struct {
			on   bool
			mark string
		}{{l.bold, "<w:b/>"}, {l.italic, "<w:i/>"}, {l.caps, "<w:smallCaps/>"}, {l.underline, `<w:u w:val="single"/>`}, {l.align != "", `<w:vertAlign w:val="` + l.align + `"/>`}} {
			if p.on {
				d.b.WriteString(p.mark)
			}
		}
		d.b.WriteString("</w:rPr>")
	}
	d.b.WriteString(`<w:t xml:space="preserve">`)
	xml.EscapeText(d.b, []byte(s))
	d.b.WriteString("</w:t></w:r>")
}

var htmlTag = regexp.MustCompile(`<(/?)([a-z]+)([^<>]*)>`)

// rich writes what the styles give as HTML.
func (d *docxWriter) rich(s string) {
	stack := []look{{}}
	last := 0
	write := func(text string) {
		if !strings.Contains(text, "\n") || strings.TrimSpace(text) != "" { // blank lines stand between blocks
			d.text(html.UnescapeString(strings.ReplaceAll(text, "\n", " ")), stack[len(stack)-1])
		}
	}
	for _, m := range htmlTag.FindAllStringSubmatchIndex(s, -1) {
		write(s[last:m[0]])
		last = m[1]
		name, attrs := s[m[4]:m[5]], s[m[6]:m[7]]
		if m[3] > m[2] { // closing
			if len(stack) > 1 {
				stack = stack[:len(stack)-1]
			}
			if name == "div" && strings.TrimSpace(s[last:]) != "" {
				d.text(" ", look{})
			}
			continue
		}
		if name == "br" || strings.HasSuffix(attrs, "/") {
			continue
		}
		stack = append(stack, stack[len(stack)-1].with(name, attrs))
	}
	write(s[last:])
}

func (l look) with(name, attrs string) look {
	switch name {
	case "i", "em":
		l.italic = true
	case "b", "strong":
		l.bold = true
	case "sup":
		l.align = "superscript"
	case "sub":
		l.align = "subscript"
	case "span":
		switch {
		case strings.Contains(attrs, "small-caps"):
			l.caps = true
		case strings.Contains(attrs, "font-style:normal"), strings.Contains(attrs, "font-style: normal"):
			l.italic = false
		case strings.Contains(attrs, "font-weight:normal"), strings.Contains(attrs, "font-weight: normal"):
			l.bold = false
		case strings.Contains(attrs, "underline"):
			l.underline = true
		}
	}
	return l
}
