package ingest

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/ibid-dev/ibid"
)

// readODT reads an OpenDocument text: an archive of XML parts.
func readODT(in input) (Result, error) {
	a, err := openArchive(in)
	if err != nil {
		return Result{}, err
	}
	locked := a.files["encrypted-package"] != nil
	err = a.read("META-INF/manifest.xml", func(x *xmlReader) error {
		return x.each(func(t xml.StartElement) { locked = locked || t.Name.Local == "encryption-data" })
	})
	if locked {
		return Result{}, refuse(ErrEncrypted, "the OpenDocument file needs a password; save it without one")
	}
	if err = softly(err); err != nil {
		return Result{}, err
	}
	if a.files["content.xml"] == nil {
		return Result{}, refuse(ErrBroken, "the archive has no part content.xml")
	}
	d := newODTReader(in)
	d.a = a
	for _, part := range []string{"styles.xml", "content.xml"} {
		if err := a.read(part, d.read); err != nil {
			return Result{}, err
		}
	}
	if err := a.read("meta.xml", d.meta.read); err != nil && !errors.Is(err, ErrBroken) {
		return Result{}, err
	}
	return d.result()
}

// readFlatODT reads the same in one file of XML.
func readFlatODT(in input) (Result, error) {
	a := newArchive(in)
	d := newODTReader(in)
	for _, read := range []func(*xmlReader) error{d.read, d.meta.read} {
		if err := a.parse("office:document", bytes.NewReader(in.bytes), read); err != nil {
			return Result{}, err
		}
	}
	if !bytes.Contains(in.bytes[max(0, len(in.bytes)-200):], []byte(":document>")) {
		return Result{}, refuse(ErrTruncated, "the OpenDocument file ends before its end; fetch it again")
	}
	return d.result()
}

// odtReader turns the body of a text document into text, by the same rules as that of Word's.
type odtReader struct {
	b      *builder
	styles map[string]odtStyle
	lists  map[string]*[10]odtLevel // by style
	meta   odtMeta

	inBody bool
	hidden int            // elements open whose text is not shown
	spans  []odtSpan      // open
	up     int            // of them those that are raised
	para   []odtParagraph // open: frames and notes nest them
	after  []odtParagraph // of frames, behind the paragraph they are fixed to
	framed int            // bytes of those

	list   []odtList // open
	counts map[string]int
	sign   string // of the item whose first line is still to come
	tables tables

	a        *archive
	boxes    []int             // frames and notes open: how many paragraphs were then
	math     int               // formulas open
	signs    mathSigns         // of those
	formulas map[string]string // of parts of their own
	shown    int               // bytes of those, as often as they are shown

	notes [][]byte
	noted int // bytes of all notes
	note  int // note being read, 0 outside
	depth int // paragraphs open when it began

	style string // being defined
	title string
}

type odtParagraph struct {
	text    []byte
	style   string
	level   int
	heading bool
	sign    string
}

type odtSpan struct{ hides, raised bool }

type odtStyle struct {
	parent  string
	level   int
	hidden  bool
	raised  bool
	title   bool
	defined bool
}

// odtLevel is how the items of one level of a list are counted.
type odtLevel struct {
	format string // in Word's words
	start  int
}

type odtList struct {
	style string
	count int
}

func newODTReader(in input) *odtReader {
	return &odtReader{b: newBuilder(in.limits, len(in.bytes)), styles: map[string]odtStyle{}, lists: map[string]*[10]odtLevel{}, counts: map[string]int{}, formulas: map[string]string{}}
}

func (d *odtReader) result() (Result, error) {
	d.b.loose()
	for i, n := range d.notes {
		if s := collapse(string(n)); s != "" {
			d.b.line("[" + strconv.Itoa(i+1) + "] " + s)
		}
	}
	res, err := d.b.result()
	if err != nil {
		return Result{}, err
	}
	res.Reference = d.meta.reference()
	for _, t := range []string{d.title, firstTitle(res.Outline)} {
		if res.Reference.Title() == "" {
			res.Reference.Set("title", t)
		}
	}
	return res, nil
}

// maxOpen bounds what may be open at a time of each kind.
const maxOpen = 1000

func (d *odtReader) read(x *xmlReader) error {
	for {
		t, err := x.next()
		if err != nil {
			if errors.Is(err, io.EOF) {
				for len(d.para) > 0 {
					d.finish()
				}
			}
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			d.start(t)
		case xml.EndElement:
			d.end(t.Name)
		case xml.CharData:
			d.chars(oneLine(t))
		}
		if d.b.full {
			return nil
		}
	}
}

// chars adds what stands in a paragraph. Between the elements of a frame or a note are line breaks only.
func (d *odtReader) chars(s string) {
	switch n := len(d.para); {
	case n == 0 || d.hidden > 0:
	case d.math > 0:
		d.write(strings.TrimSpace(s))
	case len(d.boxes) == 0 || n > d.boxes[len(d.boxes)-1]:
		if d.up > 0 && s != "" {
			s = raised(s)
		}
		d.write(s)
	}
}

var lineEnds = strings.NewReplacer("\n", " ", "\r", " ")

// oneLine: a line break in the file is a space.
func oneLine(b []byte) string {
	return lineEnds.Replace(strings.ToValidUTF8(string(b), "\ufffd"))
}

// odtHidden are elements whose text is no text of the document: what was deleted, remarks, tables of contents, what frames
// hold beside text.
func odtHidden(n xml.Name) bool {
	switch n.Local {
	case "tracked-changes", "annotation", "annotation-end", "table-of-content", "document", "object-ole", "image", "binary-data", "forms", "ruby-text", "note-citation",
		"hidden-text", "script", "event-listeners", "number", "desc":
		return true
	case "title":
		return n.Space == "svg"
	}
	return strings.HasSuffix(n.Local, "-source") // of an index: how it is made
}

func (d *odtReader) start(t xml.StartElement) {
	if !d.inBody {
		d.define(t)
		return
	}
	if odtHidden(t.Name) || t.Name.Local == "section" && attr(t, "display") == "none" {
		d.hidden++
	} else if d.hidden > 0 && t.Name.Local == "section" {
		d.hidden++ // its end is like the one that began to hide
	}
	if d.hidden > 0 {
		return
	}
	if isBox(t.Name) && len(d.boxes) < maxOpen {
		d.boxes = append(d.boxes, len(d.para))
	}
	if d.math > 0 {
		d.write(d.signs.start(t.Name.Local))
	}
	switch t.Name.Local {
	case "p", "h":
		d.begin(t)
	case "math":
		d.math++
	case "object":
		d.formula(attr(t, "href"))
	case "span":
		style := d.styleOf(attr(t, "style-name"))
		if len(d.spans) < maxOpen {
			d.spans = append(d.spans, odtSpan{style.hidden, style.raised})
			if style.hidden {
				d.hidden++
			}
			if style.raised {
				d.up++
			}
		}
	case "s":
		d.write(strings.Repeat(" ", min(max(1, number(attr(t, "c"))), 100)))
	case "tab":
		d.write("\t")
	case "line-break":
		d.write("\n")
	case "note":
		if d.note == 0 && len(d.notes) < 100000 {
			d.notes = append(d.notes, nil)
			d.note, d.depth = len(d.notes), len(d.para)
			d.write("[" + strconv.Itoa(d.note) + "]")
		}
	case "list":
		d.openList(t)
	case "list-item":
		if n := len(d.list); n > 0 && d.note == 0 {
			if v := attr(t, "start-value"); v != "" {
				d.list[n-1].count = number(v) - 1
			}
			d.list[n-1].count++
			d.sign = d.signOf()
		}
	case "table":
		d.tables.begin(d.b)
	case "table-row":
		d.tables.beginRow()
	case "table-cell":
		d.tables.beginCell()
	case "covered-table-cell":
		d.tables.cover(number(attr(t, "number-columns-repeated")))
	}
}

func (d *odtReader) end(n xml.Name) {
	if !d.inBody {
		return
	}
	if n.Local == "span" && len(d.spans) > 0 && (d.hidden == 0 || d.hidden == 1 && d.spans[len(d.spans)-1].hides) {
		span := d.spans[len(d.spans)-1]
		if span.hides {
			d.hidden--
		}
		if span.raised {
			d.up--
		}
		d.spans = d.spans[:len(d.spans)-1]
		return
	}
	if d.hidden > 0 {
		if odtHidden(n) || n.Local == "section" {
			d.hidden--
		}
		return
	}
	if isBox(n) && len(d.boxes) > 0 {
		d.boxes = d.boxes[:len(d.boxes)-1]
	}
	if d.math > 0 {
		d.signs.end()
	}
	switch n.Local {
	case "p", "h":
		d.finish()
	case "math":
		d.math = max(0, d.math-1)
	case "note":
		d.note = 0
	case "list":
		d.closeList()
	case "table-cell":
		d.tables.endCell()
	case "table-row":
		d.tables.endRow(d.b)
	case "table":
		d.tables.end(d.b)
	case "body":
		d.inBody = false
	}
}

// isBox: a note, or anything that is drawn.
func isBox(n xml.Name) bool { return n.Local == "note" || n.Space == "draw" }

// formula writes a formula that is a part of its own. Each part is read once, however often it is shown.
func (d *odtReader) formula(href string) {
	if href == "" || d.a == nil || len(d.para) == 0 {
		return
	}
	part := path.Join(href, "content.xml")
	if d.a.files[part] == nil {
		return
	}
	text, known := d.formulas[part]
	if !known {
		text = d.readFormula(part)
		d.formulas[part] = text
	}
	d.shown += len(text)
	if d.b.full = d.b.full || d.shown > d.b.max; !d.b.full {
		d.write(text)
	}
}

func (d *odtReader) readFormula(part string) string {
	var out strings.Builder
	// What cannot be read is a picture to us.
	_ = d.a.read(part, func(x *xmlReader) error {
		inside, hidden := false, 0
		var signs mathSigns
		for {
			t, err := x.next()
			if err != nil {
				return err
			}
			switch t := t.(type) {
			case xml.StartElement:
				if !inside && t.Name.Local != "math" {
					return nil // a table or a chart
				}
				inside = true
				if t.Name.Local == "annotation" {
					hidden++
				}
				out.WriteString(signs.start(t.Name.Local))
			case xml.EndElement:
				signs.end()
				if t.Name.Local == "annotation" {
					hidden--
				}
			case xml.CharData:
				if inside && hidden == 0 {
					out.WriteString(collapse(oneLine(t)))
				}
			}
		}
	})
	return out.String()
}

func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

func (d *odtReader) write(s string) {
	if n := len(d.para); n > 0 {
		d.para[n-1].text = append(d.para[n-1].text, s...)
	}
}

func (d *odtReader) begin(t xml.StartElement) {
	if len(d.para) >= maxOpen {
		return
	}
	p := odtParagraph{style: attr(t, "style-name"), heading: t.Name.Local == "h", level: min(number(attr(t, "outline-level")), 9)}
	p.sign, d.sign = d.sign, ""
	if d.styleOf(p.style).hidden {
		p.style = hiddenParagraph
	}
	d.para = append(d.para, p)
}

const hiddenParagraph = "\x00hidden"

// finish ends the innermost paragraph. What stands in a frame comes behind the paragraph that holds the frame.
func (d *odtReader) finish() {
	n := len(d.para) - 1
	if n < 0 {
		return
	}
	p := &d.para[n]
	bracket := bracketNotes
	if d.note > 0 && n >= d.depth {
		bracket = bracketWithin
	}
	text := lines(bracket(string(p.text)))
	switch {
	case p.style == hiddenParagraph:
	case d.note > 0 && n >= d.depth:
		d.notes[d.note-1] = append(append(d.notes[d.note-1], ' '), text...)
		d.noted += 1 + len(text)
		d.b.full = d.b.full || d.noted > d.b.max
	case d.tables.open > 0:
		d.tables.cell.WriteString(text + " ")
	case n > 0:
		if text != "" { // however many there are: together they are bounded as all text is
			p.text = []byte(text)
			d.after = append(d.after, *p)
			d.framed += len(text)
			d.b.full = d.b.full || d.framed > d.b.max
		}
	default:
		d.paragraph(p, text)
		for i := range d.after {
			d.paragraph(&d.after[i], string(d.after[i].text))
		}
		d.after, d.framed = d.after[:0], 0
	}
	d.para = d.para[:n]
}

func (d *odtReader) paragraph(p *odtParagraph, text string) {
	if text == "" {
		d.sign = p.sign // a sign waits for words
		return
	}
	style := d.styleOf(p.style)
	switch {
	case style.title:
		if d.title == "" {
			d.title = withoutNotes(collapse(text))
		}
		d.b.heading(text, 1)
	case p.heading || style.level > 0:
		level := p.level
		if level == 0 {
			level = style.level
		}
		d.b.heading(text, max(1, level))
	case p.sign != "":
		d.b.line(p.sign + text)
	default:
		d.b.block(text)
	}
}

func (d *odtReader) openList(t xml.StartElement) {
	if len(d.list) >= maxOpen {
		return
	}
	l := odtList{style: attr(t, "style-name")}
	if l.style == "" && len(d.list) > 0 {
		l.style = d.list[len(d.list)-1].style
	}
	l.count = max(0, d.levelOf(l.style, len(d.list)+1).start-1)
	if len(d.list) == 0 {
		d.parted()
		if attr(t, "continue-numbering") == "true" || attr(t, "continue-list") != "" {
			l.count = d.counts[l.style]
		}
	}
	d.list = append(d.list, l)
}

// parted keeps lists apart. In a cell they are text of its row.
func (d *odtReader) parted() {
	if d.tables.open == 0 {
		d.b.loose()
	}
}

func (d *odtReader) closeList() {
	n := len(d.list) - 1
	if n < 0 {
		return
	}
	if n == 0 {
		d.parted()
		if len(d.counts) < 10000 {
			d.counts[d.list[0].style] = d.list[0].count
		}
	}
	d.list = d.list[:n]
	d.sign = ""
}

func (d *odtReader) signOf() string {
	l := d.list[len(d.list)-1]
	return numberSign(d.levelOf(l.style, len(d.list)).format, l.count)
}

// levelOf is how a list counts at a depth. Some programs define the first level only.
func (d *odtReader) levelOf(style string, depth int) odtLevel {
	levels := d.lists[style]
	if levels == nil {
		return odtLevel{}
	}
	if l := levels[min(depth, 10)-1]; l.format != "" {
		return l
	}
	return levels[0]
}

// define reads styles, up to the body.
func (d *odtReader) define(t xml.StartElement) {
	switch t.Name.Local {
	case "body":
		d.inBody = true
	case "style":
		d.style = attr(t, "name")
		level := number(attr(t, "default-outline-level"))
		name := strings.ToLower(strings.ReplaceAll(attr(t, "display-name")+d.style, "_20_", " "))
		d.setStyle(odtStyle{parent: attr(t, "parent-style-name"), level: min(max(0, level), 9), title: name == "title" || name == "titletitle", defined: true})
	case "text-properties":
		s := d.styles[d.style]
		height, _, _ := strings.Cut(attr(t, "text-position"), " ")
		s.hidden = s.hidden || attr(t, "display") == "none"
		s.raised = s.raised || height == "super" || number(strings.TrimSuffix(height, "%")) > 0
		if s != d.styles[d.style] {
			d.setStyle(s)
		}
	case "list-style":
		d.style = attr(t, "name")
		if len(d.lists) < 10000 {
			d.lists[d.style] = new([10]odtLevel)
		}
	case "list-level-style-number", "list-level-style-bullet", "list-level-style-image":
		if n := number(attr(t, "level")); d.lists[d.style] != nil && n >= 1 && n <= 10 {
			format := map[string]string{"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}[attr(t, "num-format")]
			if format == "" {
				format = "bullet"
			}
			d.lists[d.style][n-1] = odtLevel{format, number(attr(t, "start-value"))}
		}
	}
}

func (d *odtReader) setStyle(s odtStyle) {
	if d.style != "" && len(d.styles) < 10000 {
		d.styles[d.style] = s
	}
}

// styleOf follows a style to those it is made from.
func (d *odtReader) styleOf(name string) odtStyle {
	s := d.styles[name]
	if !s.defined {
		s.title = name == "Title"
	}
	parent := s.parent
	for range 10 {
		if parent == "" || s.level > 0 || s.title {
			break
		}
		p := d.styles[parent]
		s.level, s.title, s.hidden, s.raised = p.level, p.title || !p.defined && parent == "Title", s.hidden || p.hidden, s.raised || p.raised
		parent = p.parent
	}
	return s
}

// odtMeta is meta.xml, or the part of it in a flat file.
type odtMeta struct {
	in    bool
	first string // who began it
	coreProperties
}

func (m *odtMeta) read(x *xmlReader) error {
	name := ""
	var text []byte
	for {
		t, err := x.next()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if t.Name.Local == "meta" && t.Name.Space == "office" {
				m.in = true
			}
			if t.Name.Local == "body" {
				return nil
			}
			name, text = t.Name.Space+":"+t.Name.Local, text[:0]
		case xml.CharData:
			if m.in && len(text) < maxMetaValue {
				text = append(text, t[:min(len(t), maxMetaValue)]...)
			}
		case xml.EndElement:
			if m.in && t.Name.Space+":"+t.Name.Local == name {
				m.put(name, collapse(strings.ToValidUTF8(string(text), "")))
			}
			if t.Name.Local == "meta" && t.Name.Space == "office" {
				return nil
			}
			name = ""
		}
	}
}

func (m *odtMeta) put(name, v string) {
	switch name {
	case "meta:initial-creator":
		m.first = v
	case "meta:creation-date":
		m.created = v
	case "dc:title", "dc:creator", "dc:language", "dc:description":
		m.set(strings.TrimPrefix(name, "dc:"), v)
	}
}

func (m *odtMeta) reference() ibid.Reference {
	c := m.coreProperties
	if m.first != "" { // the other is who saved it last
		c.creator = m.first
	}
	return c.reference()
}
