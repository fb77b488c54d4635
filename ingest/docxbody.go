package ingest

import (
	"encoding/xml"
	"strconv"
	"strings"
)

// docxReader turns the body of a Word document into text: paragraphs, headings by their style, items of lists, rows of
// tables. Deleted text, field codes and the table of contents are left out.
type docxReader struct {
	b         *builder
	styles    docxStyles
	numbering docxNumbering
	notes     map[string]int // number of each note that is referred to, by kind and id
	title     string         // the paragraph that has the style "Title"

	para   paragraph
	outer  []paragraph // open around it: it stands in a box
	boxes  []paragraph // of boxes, behind the paragraph they are fixed to
	hidden int         // elements open whose text is not shown
	change int         // records of tracked changes open
	props  string      // "pPr" or "trPr" within those of a paragraph or row
	tables tables
	run    bool // the current run is hidden text
	up     bool // and this one is raised
	inText bool // within <w:t>
	math   docxMath
}

// paragraph is one <w:p>.
type paragraph struct {
	text    strings.Builder
	style   string
	outline int // level of the heading, where the paragraph says so itself
	list    string
	level   int
	isList  bool
	begun   bool // <w:p> was read
	goesOn  bool // its end was deleted with changes tracked
}

func (d *docxReader) body(x *xmlReader) error {
	for {
		t, err := x.next()
		if err != nil {
			d.finish() // nothing goes on with it
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			d.start(t)
		case xml.EndElement:
			d.end(t.Name.Local)
		case xml.CharData:
			if d.inText {
				text := strings.ToValidUTF8(string(t), "\ufffd")
				if d.up && text != "" {
					text = raised(text)
				}
				d.write(text)
			}
		}
		if d.b.full {
			return nil
		}
	}
}

// write adds text to the paragraph where it is shown.
func (d *docxReader) write(s string) {
	if d.hidden == 0 && !d.run {
		d.para.text.WriteString(s)
	}
}

func (d *docxReader) start(t xml.StartElement) {
	p := &d.para
	if strings.HasSuffix(t.Name.Local, "PrChange") {
		d.change++
	}
	if d.change > 0 {
		return // what a tracked change says the style once was
	}
	switch t.Name.Local {
	case "r":
		d.run, d.up = false, false
	case "rStyle":
		d.up = d.styles.of(attr(t, "val")).raised
	case "vertAlign", "position":
		d.up = isRaised(t, d.up)
	case "t":
		d.inText = true
	case "pPr", "trPr":
		d.props = t.Name.Local
	case "Fallback", "del", "moveFrom", "instrText", "rt":
		d.hidden++
		if t.Name.Local != "del" {
			break
		}
		if d.props == "pPr" {
			p.goesOn = true
		} else if d.props == "trPr" {
			d.tables.dropRow()
		}
	case "vanish":
		d.run = attr(t, "val") != "0" && attr(t, "val") != "false"
	case "tab":
		d.write("\t")
	case "br", "cr":
		d.write("\n")
	case "noBreakHyphen":
		d.write("-")
	case "sym":
		if n, err := strconv.ParseUint(attr(t, "char"), 16, 16); err == nil {
			d.write(symbolSign(byte(n), attr(t, "font") == "Symbol"))
		}
	case "pStyle":
		p.style = attr(t, "val")
	case "outlineLvl":
		if n, err := strconv.Atoi(attr(t, "val")); err == nil && n >= 0 && n < 9 {
			p.outline = n + 1
		}
	case "numId":
		p.list = attr(t, "val")
		p.isList = p.list != "0"
	case "ilvl":
		p.level, _ = strconv.Atoi(attr(t, "val"))
	case "footnoteReference", "endnoteReference":
		d.reference(strings.TrimSuffix(t.Name.Local, "Reference"), attr(t, "id"))
	case "p":
		d.begin()
	case "tbl":
		d.finish()
		d.tables.begin(d.b)
	case "tr":
		d.tables.beginRow()
	case "tc":
		d.tables.beginCell()
	case "gridSpan":
		d.tables.span(number(attr(t, "val")))
	default:
		d.write(d.math.start(t))
	}
}

func (d *docxReader) end(name string) {
	if strings.HasSuffix(name, "PrChange") {
		d.change = max(0, d.change-1)
	}
	if d.change > 0 {
		return
	}
	switch name {
	case "t":
		d.inText = false
	case "pPr", "trPr":
		d.props = ""
	case "Fallback", "del", "moveFrom", "instrText", "rt":
		d.hidden = max(0, d.hidden-1)
	case "r":
		d.run = false
	case "p":
		d.endParagraph()
	case "tc":
		d.tables.endCell()
	case "tr":
		d.tables.endRow(d.b)
	case "tbl":
		d.tables.end(d.b)
	default:
		d.write(d.math.end(name))
	}
}

// begin opens a paragraph. Text boxes nest them, and one whose end was deleted goes on.
func (d *docxReader) begin() {
	switch {
	case d.para.begun && len(d.outer) < maxOpen:
		d.outer = append(d.outer, d.para)
	case d.para.goesOn:
		d.para = paragraph{text: d.para.text, begun: true}
		return
	default:
		d.finish()
	}
	d.para = paragraph{begun: true}
}

// endParagraph writes a paragraph, and what stands in its boxes behind it.
func (d *docxReader) endParagraph() {
	if n := len(d.outer); n > 0 {
		d.boxes = append(d.boxes, d.para)
		d.para, d.outer = d.outer[n-1], d.outer[:n-1]
		return
	}
	if d.para.goesOn {
		d.para.begun = false
	} else {
		d.finish()
	}
	for _, p := range d.boxes {
		d.writeParagraph(p)
	}
	d.boxes = d.boxes[:0]
}

// isRaised reads what a property says of the height of its text; was is what was said before.
func isRaised(t xml.StartElement, was bool) bool {
	if t.Name.Local == "position" { // in half points
		return was || number(attr(t, "val")) > 0
	}
	return attr(t, "val") == "superscript"
}

// reference puts the number of a note where it is referred to.
func (d *docxReader) reference(kind, id string) {
	if d.hidden > 0 || d.run {
		return
	}
	key := kind + id
	if d.notes[key] == 0 && len(d.notes) < 100000 {
		d.notes[key] = len(d.notes) + 1
	}
	d.para.text.WriteString("[" + strconv.Itoa(d.notes[key]) + "]")
}

// finish writes the paragraph that was being read.
func (d *docxReader) finish() {
	p := d.para
	d.para = paragraph{}
	d.writeParagraph(p)
}

func (d *docxReader) writeParagraph(p paragraph) {
	text := lines(bracketNotes(p.text.String()))
	if text == "" {
		return
	}
	if d.tables.open > 0 {
		d.tables.cell.WriteString(text + " ")
		return
	}
	style := d.styles.of(p.style)
	level := p.outline
	if level == 0 {
		level = style.level
	}
	if !p.isList && p.list == "" && style.list != "" && level == 0 {
		p.list, p.isList, p.level = style.list, true, style.listLevel
	}
	switch {
	case style.toc:
	case style.title:
		if d.title == "" {
			d.title = withoutNotes(collapse(text))
		}
		d.b.heading(text, 1)
	case level > 0:
		d.b.heading(d.headingNumber(p, style)+text, level)
	case p.isList:
		d.b.line(d.numbering.sign(p.list, p.level) + text)
	default:
		d.b.block(text)
	}
}

// headingNumber is the number that Word shows before a heading.
func (d *docxReader) headingNumber(p paragraph, style docxStyle) string {
	if p.list == "" {
		p.list, p.level, p.isList = style.list, style.listLevel, style.list != "" && style.list != "0"
	}
	if !p.isList {
		return ""
	}
	if sign := d.numbering.sign(p.list, p.level); sign != "- " {
		return sign
	}
	return ""
}

// appendNotes adds the notes behind the text, by their numbers.
func (d *docxReader) appendNotes(pkg *archive, dir string) error {
	texts := make([]string, len(d.notes)+1)
	for _, kind := range []string{"footnote", "endnote"} {
		n := noteReader{kind: kind, notes: d.notes, texts: texts}
		if err := pkg.read(dir+"/"+kind+"s.xml", n.read); err != nil {
			return err
		}
	}
	d.b.loose()
	for i, t := range texts {
		if t = collapse(t); t != "" {
			d.b.line("[" + strconv.Itoa(i) + "] " + t)
		}
	}
	return nil
}

type noteReader struct {
	kind  string
	notes map[string]int
	texts []string
}

func (n noteReader) read(x *xmlReader) error {
	number, inText, up := 0, false, false
	var text strings.Builder
	for {
		t, err := x.next()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case n.kind:
				number = n.notes[n.kind+attr(t, "id")]
				text.Reset()
			case "r":
				up = false
			case "vertAlign":
				up = isRaised(t, up)
			case "t":
				inText = true
			case "p", "tab", "br":
				text.WriteByte(' ')
			case "noBreakHyphen":
				text.WriteByte('-')
			}
		case xml.EndElement:
			switch t.Name.Local {
			case n.kind:
				if number > 0 {
					n.texts[number] = bracketWithin(text.String())
				}
				number = 0
			case "t":
				inText = false
			}
		case xml.CharData:
			if inText && number > 0 {
				said := strings.ToValidUTF8(string(t), "\ufffd")
				if up {
					said = raised(said)
				}
				text.WriteString(said)
			}
		}
	}
}
