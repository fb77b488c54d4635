package ingest

import (
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
)

// readPPTX reads a presentation: its slides in order, each a page with its title as heading, then what it shows, then the notes of
// who speaks. Slides that are hidden are left out, and said.
func readPPTX(in input) (Result, error) {
	a, err := openArchive(in)
	if err != nil {
		return Result{}, err
	}
	main := a.mainPart("ppt/presentation.xml")
	if a.files[main] == nil {
		return Result{}, refuse(ErrBroken, "the archive has no part %s", main)
	}
	rels, err := a.relations(main)
	if err != nil {
		return Result{}, err
	}
	p := pptxReader{a: a, b: newBuilder(in.limits, len(in.bytes)/4)}
	var slides []string
	err = a.read(main, func(x *xmlReader) error {
		return x.each(func(t xml.StartElement) {
			if t.Name.Local == "sldId" && len(slides) < maxParts {
				slides = append(slides, rels[relationID(t)].part)
			}
		})
	})
	if err != nil {
		return Result{}, err
	}
	for i, name := range slides {
		if err := p.slide(name, i+1); err != nil {
			return Result{}, err
		}
		if p.b.full {
			break
		}
	}
	res, err := p.b.result()
	if err != nil {
		return Result{}, err
	}
	if p.hidden > 0 {
		res.Warnings = append(res.Warnings, "left out "+plural(p.hidden, "slide that is hidden", "slides that are hidden"))
	}
	res.Reference, err = officeReference(a)
	if err != nil {
		return Result{}, err
	}
	if res.Reference.Title() == "" {
		res.Reference.Set("title", goodTitle(p.title))
	}
	return res, nil
}

// relationID is the id by which an element names a part.
func relationID(t xml.StartElement) string {
	for _, a := range t.Attr {
		if a.Name.Local == "id" && a.Name.Space != "" {
			return a.Value
		}
	}
	return ""
}

// officeReference is what Word, PowerPoint and Excel say of a file.
func officeReference(a *archive) (ibid.Reference, error) {
	var core coreProperties
	if err := a.read("docProps/core.xml", core.read); err != nil && !errors.Is(err, ErrBroken) {
		return ibid.Reference{}, err
	}
	return core.reference(), nil
}

type pptxReader struct {
	a      *archive
	b      *builder
	title  string // of the first slide
	hidden int
}

func (p *pptxReader) slide(name string, number int) error {
	s := slideReader{}
	if err := p.a.read(name, s.read); err != nil {
		return err
	}
	if s.hidden {
		p.hidden++
		return nil
	}
	rels, err := p.a.relations(name)
	if err != nil {
		return err
	}
	var notes slideReader
	for _, id := range sortedKeys(rels) {
		if rels[id].kind == "notesSlide" {
			if err := p.a.read(rels[id].part, notes.read); err != nil {
				return err
			}
		}
	}
	for i, sh := range s.shapes {
		switch r := rels[sh.rel]; r.kind {
		case "diagramData":
			var d slideReader
			if err := p.a.read(r.part, d.read); err != nil {
				return err
			}
			s.shapes[i].kind = "diagram"
			for _, in := range d.shapes {
				s.shapes[i].paras = append(s.shapes[i].paras, in.paras...)
			}
		case "chart":
			var c chartReader
			if err := p.a.read(r.part, c.read); err != nil {
				return err
			}
			s.shapes[i].rows = c.rows()
		}
	}
	p.write(s.shapes, notes.shapes, number)
	return nil
}

func sortedKeys(m map[string]relation) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// write adds a slide. One without a title is called by its number, so that it is not taken for a part of the one before.
func (p *pptxReader) write(shapes, notes []slideShape, number int) {
	title := ""
	shown := false
	for i := range shapes {
		if sh := &shapes[i]; sh.kind == "title" && title == "" {
			title = collapse(sh.text())
			sh.paras = nil
		}
		shown = shown || len(shapes[i].paras) > 0 || len(shapes[i].rows) > 0
	}
	if p.title == "" {
		p.title = withoutNotes(title)
	}
	notes = slices.DeleteFunc(notes, func(sh slideShape) bool { return sh.kind != "body" || collapse(sh.text()) == "" })
	if title == "" && !shown && len(notes) == 0 {
		return
	}
	if title == "" {
		title = fmt.Sprintf("Slide %d", number)
	}
	at, before := len(p.b.outline), len(p.b.text)
	p.b.heading(title, 1)
	if len(p.b.text) == before {
		return // full
	}
	p.b.outline = slices.Insert(p.b.outline, at, ibid.Mark{At: p.b.last, Page: number})
	for _, sh := range shapes {
		sh.write(p.b)
	}
	for i, sh := range notes {
		for j, para := range sh.paras {
			if i == 0 && j == 0 {
				para.text = "Notes: " + para.text
			}
			p.b.block(para.text)
		}
	}
}

// slideShape is a piece of a slide: text, a table, or a reference to a diagram or chart.
type slideShape struct {
	kind  string // of the placeholder
	paras []slidePara
	rows  []string
	rel   string
}

type slidePara struct {
	text  string
	level int
	list  string // format of its number, "bullet", "none", or "" where it says nothing
	start int    // the first number of its list, 0 where it does not say
}

func (s slideShape) text() string {
	var out []string
	for _, p := range s.paras {
		out = append(out, p.text)
	}
	return strings.Join(out, " ")
}

func (s slideShape) write(b *builder) {
	b.loose()
	var counts [9]int     // of each level, 0 before its first item
	var last [9]slidePara // whose number the next goes on from
	for _, p := range s.paras {
		// The points of a slide's body are items, as its master says, which is not asked.
		item := p.list != "" && p.list != "none" || p.list == "" && (s.kind == "body" || s.kind == "diagram") && len(s.paras) > 1
		if !item {
			b.block(p.text)
			clear(counts[:])
			continue
		}
		if l := last[p.level]; counts[p.level] == 0 || l.list != p.list || l.start != p.start {
			counts[p.level] = max(1, p.start) - 1
		}
		counts[p.level]++
		last[p.level] = p
		clear(counts[p.level+1:])
		b.line(numberSign(p.list, counts[p.level]) + p.text)
	}
	b.loose()
	for _, r := range s.rows {
		b.line(r)
	}
	b.loose()
}

// slideReader reads the shapes of a slide, of its notes, or of a diagram.
type slideReader struct {
	shapes []slideShape
	hidden bool // the slide is

	cur   slideShape
	para  slidePara
	text  strings.Builder
	open  bool // within a shape
	skip  int  // elements open whose text is not shown
	field bool // one of them is a field
	inT   bool
	up    bool // within raised text
	table int
	cells []string
	cell  strings.Builder
}

// maxShapes bounds a slide.
const maxShapes = 100000

func (s *slideReader) read(x *xmlReader) error {
	for {
		t, err := x.next()
		if err != nil {
			s.end("sp")
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			s.start(t)
		case xml.EndElement:
			s.end(t.Name.Local)
		case xml.CharData:
			if s.inT && s.skip == 0 {
				text := strings.ToValidUTF8(string(t), "\ufffd")
				if s.up {
					text = raised(text)
				}
				s.text.WriteString(text)
			}
		}
	}
}

func (s *slideReader) start(t xml.StartElement) {
	switch name := t.Name.Local; name {
	case "sld":
		s.hidden = attr(t, "show") == "0" || attr(t, "show") == "false"
	case "Fallback":
		s.skip++
	case "fld": // the number of the slide, the day it is shown
		if kind := attr(t, "type"); !s.field && (kind == "slidenum" || strings.HasPrefix(kind, "datetime")) {
			s.skip++
			s.field = true
		}
	case "sp", "graphicFrame", "pt":
		s.end("sp")
		s.cur, s.open = slideShape{}, true
		if name == "pt" { // of a diagram
			s.cur.kind = "diagram"
		}
	case "ph":
		switch kind := attr(t, "type"); kind {
		case "title", "ctrTitle":
			s.cur.kind = "title"
		case "", "body", "obj", "subTitle":
			s.cur.kind = "body"
		default:
			s.cur.kind = kind
		}
	case "relIds":
		s.cur.rel = attr(t, "dm")
	case "chart":
		s.cur.rel = relationID(t)
	case "p":
		s.para = slidePara{}
		s.text.Reset()
	case "pPr":
		s.para.level = min(max(0, number(attr(t, "lvl"))), 8)
	case "buNone":
		s.para.list = "none"
	case "buChar", "buBlip":
		s.para.list = "bullet"
	case "buAutoNum":
		s.para.list, s.para.start = autoNumber(attr(t, "type")), number(attr(t, "startAt"))
	case "r":
		s.up = false
	case "rPr":
		s.up = number(strings.TrimSuffix(attr(t, "baseline"), "%")) > 0
	case "t":
		s.inT = true
	case "br":
		s.text.WriteByte('\n')
	case "tab":
		s.text.WriteByte('\t')
	case "tbl":
		s.table++
	case "tr":
		s.cells = nil
	case "tc":
		s.cell.Reset()
	}
}

func autoNumber(kind string) string {
	for prefix, format := range map[string]string{"alphaLc": "lowerLetter", "alphaUc": "upperLetter", "romanLc": "lowerRoman", "romanUc": "upperRoman"} {
		if strings.HasPrefix(kind, prefix) {
			return format
		}
	}
	return "decimal"
}

func (s *slideReader) end(name string) {
	switch name {
	case "Fallback":
		s.skip = max(0, s.skip-1)
	case "fld":
		s.up = false
		if s.field {
			s.skip = max(0, s.skip-1)
			s.field = false
		}
	case "t":
		s.inT = false
	case "r":
		s.up = false
	case "p":
		text := lines(bracketNotes(strings.ReplaceAll(s.text.String(), "\v", "\n")))
		s.text.Reset()
		switch {
		case text == "" || s.skip > 0:
		case s.table > 0:
			s.cell.WriteString(text + " ")
		case s.open:
			s.para.text = text
			s.cur.paras = append(s.cur.paras, s.para)
		}
	case "tc":
		s.cells = append(s.cells, collapse(s.cell.String()))
	case "tr":
		if row := joinCells(s.cells); row != "" {
			s.cur.rows = append(s.cur.rows, row)
		}
		s.cells = nil
	case "tbl":
		s.table = max(0, s.table-1)
	case "sp", "graphicFrame", "pt":
		if !s.open {
			return
		}
		s.open = false
		switch s.cur.kind {
		case "sldNum", "dt", "ftr", "hdr", "sldImg":
			return
		}
		if (len(s.cur.paras) > 0 || len(s.cur.rows) > 0 || s.cur.rel != "") && len(s.shapes) < maxShapes {
			s.shapes = append(s.shapes, s.cur)
		}
	}
}

// chartReader takes the numbers that a chart was drawn from.
type chartReader struct {
	title  strings.Builder
	series []chartSeries
	open   map[string]int // elements of each name
	text   strings.Builder
}

type chartSeries struct {
	name       string
	cats, vals []string
}

// maxChart bounds the points of a chart that are read.
const maxChart = 10000

func (c *chartReader) read(x *xmlReader) error {
	c.open = map[string]int{}
	for {
		t, err := x.next()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if len(c.open) < maxOpen || c.open[t.Name.Local] > 0 {
				c.open[t.Name.Local]++
			}
			if t.Name.Local == "ser" && len(c.series) < maxChart {
				c.series = append(c.series, chartSeries{})
			}
			c.text.Reset()
		case xml.CharData:
			c.text.WriteString(strings.ToValidUTF8(string(t), "\ufffd"))
		case xml.EndElement:
			if t.Name.Local == "v" || t.Name.Local == "t" {
				c.value(t.Name.Local, collapse(c.text.String()))
			}
			if c.open[t.Name.Local]--; c.open[t.Name.Local] <= 0 {
				delete(c.open, t.Name.Local)
			}
		}
	}
}

func (c *chartReader) value(tag, v string) {
	in := func(name string) bool { return c.open[name] > 0 }
	n := len(c.series) - 1
	switch {
	case tag == "t" && in("title"):
		c.title.WriteString(v + " ")
	case tag != "v" || n < 0:
	case in("tx") && in("ser"):
		c.series[n].name = v
	case (in("cat") || in("xVal")) && len(c.series[n].cats) < maxChart:
		c.series[n].cats = append(c.series[n].cats, v)
	case (in("val") || in("yVal")) && len(c.series[n].vals) < maxChart:
		c.series[n].vals = append(c.series[n].vals, plainNumber(v))
	}
}

// rows gives a row for each series: its name, and each value with the word below it.
func (c *chartReader) rows() []string {
	var out []string
	if t := collapse(c.title.String()); t != "" {
		out = append(out, t)
	}
	for _, s := range c.series {
		cells := []string{}
		for i, v := range s.vals {
			if i < len(s.cats) {
				v = s.cats[i] + ": " + v
			}
			cells = append(cells, v)
		}
		if s.name != "" {
			cells = append([]string{s.name}, cells...)
		}
		if row := joinCells(cells); row != "" {
			out = append(out, row)
		}
	}
	return out
}
