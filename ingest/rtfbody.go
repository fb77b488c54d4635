package ingest

import (
	"fmt"
	"regexp"
	"strings"
)

type rtfStyle struct {
	name  string
	level int
	based int
}

// rtfParagraph is what \pard takes back.
type rtfParagraph struct {
	style, level int
	table        bool
}

// layout carries out what shapes paragraphs and tables, and the fields of metadata.
func (r *rtfReader) layout(word string, n int, has bool) {
	switch r.group.to {
	case toInfo:
		r.infoWord(word, n)
		return
	case toStyle:
		s := r.style(r.group.number)
		switch {
		case word == "s" && has:
			r.group.number = n
			r.style(n)
		case s != nil && word == "sbasedon":
			s.based = n
		case s != nil && word == "outlinelevel":
			s.level = n + 1
		}
		return
	case toFonts, toNone, toLabel:
		return
	}
	switch word {
	case "par", "sect", "page", "column":
		switch {
		case r.group.to == toNote:
			r.text(" ")
		case r.group.to == toBox:
			r.text("\n")
		default:
			r.paragraph(r.para.table)
		}
	case "line", "softline", "lbr":
		r.text("\n")
	case "pard":
		r.para = rtfParagraph{}
	case "s":
		r.para.style = n
	case "outlinelevel":
		r.para.level = n + 1
	case "intbl":
		r.para.table = true
	case "trowd":
		r.edges = nil
	case "cellx":
		if len(r.edges) < maxColumns {
			r.edges = append(r.edges, n)
		}
	case "cell":
		if r.group.to == toBody {
			r.cells = append(r.cells, collapse(bracketNotes(string(r.body))))
			r.body, r.label = r.body[:0], r.label[:0]
		} else {
			r.text(" ")
		}
	case "nestcell", "nestrow":
		r.text(" ")
	case "row":
		r.row()
	}
}

// describe ends the description of a font or a style: its name stands last.
func (r *rtfReader) describe(g rtfGroup) {
	name := strings.TrimSuffix(collapse(string(r.entry)), ";")
	r.entry = r.entry[:0]
	switch g.to {
	case toStyle:
		if s := r.styles[g.number]; s != nil && name != "" {
			s.name = name
		}
	case toFonts:
		f := r.fonts[g.number]
		f.greek = strings.EqualFold(name, "Symbol")
		if f.symbol {
			r.fonts[g.number] = f
		}
	}
}

func (r *rtfReader) style(n int) *rtfStyle {
	s := r.styles[n]
	if s == nil && r.group.to == toStyle && len(r.styles) < 10000 {
		s = &rtfStyle{based: -1}
		r.styles[n] = s
	}
	return s
}

// looks follows a style to those it is based on.
func (r *rtfReader) looks() docxStyle {
	n := r.para.style
	for range 10 {
		s := r.styles[n]
		if s == nil {
			break
		}
		st := styleByName(s.name)
		if st.level == 0 && s.level > 0 && s.level < 10 {
			st.level = s.level
		}
		if st.level > 0 || st.title || st.toc {
			return st
		}
		n = s.based
	}
	return docxStyle{}
}

// note begins the text of a note, and puts its number where it is referred to.
func (r *rtfReader) note() {
	if r.group.to == toNote { // a note of a note is read as part of it
		return
	}
	if r.silent() || r.group.to != toBody && r.group.to != toBox {
		r.to(toNone)
		return
	}
	r.text(fmt.Sprintf("[%d]", len(r.notes)+1))
	r.to(toNote)
}

// paragraph ends a paragraph. In a table it is a line of its cell.
func (r *rtfReader) paragraph(inCell bool) {
	if inCell {
		r.body = append(r.body, ' ')
		return
	}
	if len(r.cells) > 0 { // a row that was not ended
		body := r.body
		r.body = nil
		r.row()
		r.body = body
	}
	label, raw := collapse(string(r.label)), bracketNotes(string(r.body))
	if m := rtfItem.FindString(raw); m != "" && label == "" { // a sign that was written by hand
		label, raw = collapse(m), raw[len(m):]
	}
	text := lines(strings.ToValidUTF8(raw, "\ufffd"))
	r.body, r.label = r.body[:0], r.label[:0]
	defer r.writeBoxes()
	if text == "" {
		return
	}
	r.table.write(r.b)
	style := r.looks()
	level := style.level
	if r.para.level > 0 && r.para.level < 10 {
		level = r.para.level
	}
	switch {
	case style.toc:
	case style.title:
		if r.title == "" {
			r.title = withoutNotes(collapse(text))
		}
		r.b.heading(text, 1)
	case level > 0:
		r.b.heading(text, level)
	case label != "":
		r.b.line(rtfSign(label) + text)
	default:
		r.b.block(text)
	}
}

var rtfItem = regexp.MustCompile(`^\s*(?:•|[0-9]{1,3}[.)]|[a-zA-Z][.)])\t`)

// rtfSign is the sign of an item as other formats have it: a bullet of any font is a dash.
func rtfSign(label string) string {
	if strings.ContainsFunc(label, func(r rune) bool { return r >= '0' && r <= '9' || isLetter(r) && r != 'o' }) {
		return label + " "
	}
	return "- "
}

func (r *rtfReader) row() {
	if r.group.to != toBody {
		return
	}
	if rest := collapse(bracketNotes(string(r.body))); rest != "" {
		r.cells = append(r.cells, rest)
	}
	r.table.add(r.b, r.cells, r.edges)
	r.cells, r.body, r.label = nil, r.body[:0], r.label[:0]
	r.writeBoxes()
}

func (r *rtfReader) writeBoxes() {
	if len(r.boxes) > 0 {
		r.table.write(r.b)
	}
	for _, s := range r.boxes {
		r.b.block(s)
	}
	r.boxes = r.boxes[:0]
}

func (r *rtfReader) appendNotes() {
	r.table.write(r.b)
	r.b.loose()
	for i, n := range r.notes {
		if n != "" {
			r.b.line(fmt.Sprintf("[%d] %s", i+1, strings.ToValidUTF8(n, "\ufffd")))
		}
	}
}

// infoWord begins a field of the metadata, or gives a part of a date.
func (r *rtfReader) infoWord(word string, n int) {
	switch word {
	case "title", "author", "doccomm", "creatim":
		r.group.field = word
		r.entry = r.entry[:0]
	case "yr", "mo", "dy":
		if r.group.field != "creatim" || n < 1 || n > 9999 {
			return
		}
		if word != "yr" {
			r.info.created += "-"
		}
		r.info.created += fmt.Sprintf("%02d", n)
	}
}

// setInfo ends a field.
func (r *rtfReader) setInfo(field string) {
	v := collapse(strings.ToValidUTF8(string(r.entry), ""))
	r.entry = r.entry[:0]
	switch field {
	case "title":
		r.info.title = v
	case "author":
		r.info.creator = v
	case "doccomm":
		r.info.description = v
	}
}
