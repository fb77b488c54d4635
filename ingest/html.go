package ingest

import (
	"bytes"
	"context"
	"io"
	"maps"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/ibid-dev/ibid"
)

// readHTML takes the main text of a page. The tree it works on is its own: blocks only, built in one pass over the
// tokens. A browser's tree repairs misnested markup by copying elements, which a hostile page turns into gigabytes.
func readHTML(in input) (Result, error) {
	enc, err := textEncoding(in.bytes, false, in.hint)
	if err != nil {
		return Result{}, err
	}
	src, warnings := enc.reader(in.bytes)
	page, err := htmlParser{xml: isXHTML(in)}.parse(in.ctx, src, in.limits)
	if err != nil {
		return Result{}, err
	}
	b := newBuilder(in.limits, len(page.text))
	page.render(b, page.mainBlocks())
	res, err := b.result()
	if err != nil {
		return Result{}, err
	}
	res.Warnings = warnings
	res.Reference = page.meta.reference(page.firstHeading())
	return res, nil
}

// isXHTML reports whether <p/> is a whole paragraph, and <title/> or <script/> does not swallow what follows.
func isXHTML(in input) bool {
	return nameEnding(in.hint) == ".xhtml" || strings.HasPrefix(in.hint.MediaType, "application/xhtml") || bytes.HasPrefix(bytes.TrimPrefix(in.bytes, []byte("\ufeff")), []byte("<?xml"))
}

// stripTags gives the text of a piece of HTML, all of it, on one line per block.
func stripTags(src []byte) string {
	page, err := htmlParser{}.parse(context.Background(), bytes.NewReader(src), Limits{})
	if err != nil {
		return ""
	}
	b := newBuilder(Limits{}, len(page.text))
	page.render(b, []*block{page.root})
	return string(b.text)
}

// block is an element that stands on lines of its own. Inline elements leave no trace but their text.
type block struct {
	tag    atom.Atom
	hint   hint
	parent *block
	items  []item

	cols, rows int    // that a cell spans, 0 for one
	number     int    // of an item, or of the first one of a list
	numbered   bool   // it says so
	reversed   bool   // a list whose numbers count down
	format     string // of a list's numbers, in Word's words

	// Filled by measure.
	chars int // text beneath it
	links int // how much of that text is in links
	prose int // text of paragraphs that read like prose
	drop  bool
}

// item is a run of text or a block within a block.
type item struct {
	child      *block
	start, end int32 // into htmlPage.text, where child is nil
	links      int32 // bytes of it that are links
}

// hint is what tag, class, id and role say of a block's purpose.
type hint int8

const (
	unknown    hint = iota
	mainText        // <main>, <article>, role=main, itemprop=articleBody
	decoration      // menus, banners, footers, share buttons, cookie notices
)

type htmlPage struct {
	text []byte
	root *block
	meta htmlMeta

	ids   map[string]int32 // where the elements stand that were asked for
	pages []printedPage
	alt   int // bytes of text that describe pictures
}

// printedPage is where a page of the printed book begins.
type printedPage struct {
	at     int32 // into htmlPage.text
	number int
}

const (
	// maxDepth bounds nesting: deeper blocks are read, as part of the deepest one kept.
	maxDepth = 400
	// maxBlocks bounds the tree. Beyond it paragraphs stay parted, but nothing more is learned of the page's structure.
	maxBlocks = 1 << 19
)

// element is an open tag.
type element struct {
	tag  atom.Atom
	name string // of tags without an atom
	node *block // nil for inline elements
	drop bool   // nothing in it is text
	link bool

	note   noteKind
	raised bool
	at     int32 // into htmlPage.text, where a note or raised text begins
	kids   int   // elements within it so far
}

// htmlParser reads one page. The zero value reads HTML.
type htmlParser struct {
	xml   bool            // tags close themselves, as in XHTML
	book  bool            // all of it is text
	want  map[string]bool // ids whose places are asked for
	lifts map[string]bool // classes that are raised by a style sheet

	page  *htmlPage
	open  []element
	count int // blocks made
	max   int

	// beyond counts blocks that were opened below maxDepth and not pushed, so that their end tags close nothing else.
	beyond int

	pre    int  // <pre> elements open
	space  bool // white space waits to be written
	anchor int  // links open
	run    item // the run of text being written

	raised []ibid.Span // of the run, into htmlPage.text
	placed []string    // ids that stand in the run
}

func (p htmlParser) parse(ctx context.Context, src io.Reader, l Limits) (*htmlPage, error) {
	page := &htmlPage{root: &block{tag: atom.Body}, ids: map[string]int32{}}
	p.page, p.max = page, min(l.text()+l.text()/2, 1<<30)
	if p.lifts = maps.Clone(p.lifts); p.lifts == nil {
		p.lifts = map[string]bool{}
	}
	p.open = []element{{tag: atom.Body, node: page.root}}
	z := html.NewTokenizer(src)
	z.SetMaxBuf(l.text() + 1<<16)
	z.AllowCDATA(p.xml)
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		switch z.Next() {
		case html.ErrorToken:
			p.flush()
			switch err := z.Err(); err {
			case io.EOF:
				return page, nil
			default:
				return nil, tooMuchText(l.text())
			}
		case html.TextToken:
			p.addText(z)
		case html.StartTagToken:
			p.start(z, false)
		case html.SelfClosingTagToken:
			p.start(z, true)
		case html.EndTagToken:
			name, _ := z.TagName()
			p.end(atom.Lookup(name), string(name))
		}
		if len(page.text) > p.max {
			return nil, tooMuchText(l.text())
		}
	}
}

func (p *htmlParser) top() *element { return &p.open[len(p.open)-1] }

// current is the innermost open block.
func (p *htmlParser) current() *block {
	for i := len(p.open) - 1; i > 0; i-- {
		if n := p.open[i].node; n != nil {
			return n
		}
	}
	return p.page.root
}

func (p *htmlParser) addText(z *html.Tokenizer) {
	top := p.top()
	switch top.tag {
	case atom.Title:
		if p.page.meta.title == "" {
			p.page.meta.title = collapse(string(z.Text()))
		}
		return
	case atom.Script:
		if top.name == jsonLD {
			p.page.meta.addJSONLD(z.Text())
		}
		return
	case atom.Style:
		addLifts(p.lifts, string(z.Text()))
		return
	}
	if !top.drop {
		p.write(z.Text())
	}
}

// write adds text to the current run. Outside of <pre>, white space is one space.
func (p *htmlParser) write(s []byte) {
	if p.pre > 0 {
		p.page.text = append(p.page.text, s...)
		p.run.end = int32(len(p.page.text))
		return
	}
	for len(s) > 0 {
		r, size := rune(s[0]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(s)
		}
		switch {
		case r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == '\f' || r == '\u00a0':
			p.space = true
		case dropped(r) || r == utf8.RuneError && size == 1:
		default:
			p.ink(s[:size])
		}
		s = s[size:]
	}
}

func (p *htmlParser) ink(c []byte) {
	if p.space && p.run.end > p.run.start && p.page.text[len(p.page.text)-1] != '\n' {
		p.page.text = append(p.page.text, ' ')
	}
	p.space = false
	p.page.text = append(p.page.text, c...)
	if p.anchor > 0 {
		p.run.links += int32(len(c))
	}
	p.run.end = int32(len(p.page.text))
}

// flush ends the run of text and gives it to the current block.
func (p *htmlParser) flush() {
	p.bracketRaised()
	if p.run.end > p.run.start {
		cur := p.current()
		if n := len(cur.items); p.count >= maxBlocks && n > 0 && cur.items[n-1].end == p.run.start {
			// The tree is full: paragraphs are lines of one run from here on.
			cur.items[n-1].end = p.run.end
			cur.items[n-1].links += p.run.links
		} else {
			cur.items = append(cur.items, p.run)
		}
		if p.count >= maxBlocks {
			p.page.text = append(p.page.text, '\n')
			cur.items[len(cur.items)-1].end++
		}
	}
	at := int32(len(p.page.text))
	p.run = item{start: at, end: at}
	p.raised, p.placed = p.raised[:0], p.placed[:0]
	p.space = false
}

func (p *htmlParser) start(z *html.Tokenizer, selfClosing bool) {
	raw, more := z.TagName()
	tag := atom.Lookup(raw)
	e := element{tag: tag}
	if tag == 0 {
		e.name = string(raw)
	}
	var a attributes
	if more {
		a.read(z)
	}
	p.place(a)
	switch tag {
	case atom.Html:
		p.page.meta.language = a.lang
		return
	case atom.Body:
		return
	case atom.Head:
		return
	case atom.Meta:
		p.page.meta.addMeta(a)
		return
	case atom.Link:
		p.page.meta.addLink(a)
		return
	case atom.Time:
		p.page.meta.addTime(a)
	case atom.Br:
		p.lineBreak()
		return
	case atom.Hr:
		p.flush()
		return
	case atom.Img:
		if !p.top().drop && a.alt != "" && p.anchor == 0 && !a.hidden {
			before := len(p.page.text)
			p.write([]byte(" " + a.alt + " "))
			p.page.alt += len(p.page.text) - before
		}
		return
	case atom.Script:
		if strings.EqualFold(strings.TrimSpace(a.typ), jsonLD) {
			e.name = jsonLD
		}
	}
	if voidTag(tag) {
		return
	}
	// HTML knows no self-closing tags, but foreign content (SVG, MathML) does.
	if selfClosing && (tag == 0 || p.xml) {
		if isBlock(tag) {
			p.flush()
		}
		z.NextIsNotRawText()
		return
	}
	if p.book && a.means("footnote", "endnote", "rearnote", "footnotes", "endnotes") {
		a.hidden = false // until its number is touched
	}
	e.drop = p.top().drop || a.hidden || droppedTag(tag) && !(p.book && tag == atom.Math) || tag == atom.Annotation || tag == atom.AnnotationXml || a.citationMark(tag)
	e.link = tag == atom.A && a.href
	if isBlock(tag) {
		p.startBlock(e, a)
		return
	}
	if top := p.top(); !e.drop && top.tag == 0 {
		top.kids++
		p.write([]byte(mathSign(top.name, top.kids)))
	}
	if tag == atom.Q && !e.drop {
		p.write([]byte("“"))
	}
	p.beginNote(&e, a)
	if len(p.open) < maxDepth {
		p.push(e)
	}
}

// place remembers where an element stands that is asked for, or that begins a printed page.
func (p *htmlParser) place(a attributes) {
	at := int32(len(p.page.text))
	for _, id := range []string{a.id, a.name} {
		if _, seen := p.page.ids[id]; p.want[id] && !seen {
			p.page.ids[id] = at
			p.placed = append(p.placed, id)
		}
	}
	if n := a.pageBreak(); p.book && n > 0 {
		p.page.pages = append(p.page.pages, printedPage{at, n})
	}
}

func (p *htmlParser) push(e element) {
	p.open = append(p.open, e)
	if e.link {
		p.anchor++
	}
}

func (p *htmlParser) startBlock(e element, a attributes) {
	p.flush()
	p.impliedEnd(e.tag)
	if len(p.open) >= maxDepth {
		// Inline elements that were never closed must not shut out the blocks that follow.
		for len(p.open) > 1 && p.top().node == nil {
			p.pop()
		}
	}
	if len(p.open) >= maxDepth {
		p.beyond++
		return
	}
	if p.count < maxBlocks && !e.drop {
		p.count++
		parent := p.current()
		e.node = &block{tag: e.tag, hint: hintOf(e.tag, a), parent: parent, cols: a.cols, rows: a.rows, number: a.number, numbered: a.numbered, reversed: a.reversed, format: listFormats[a.typ]}
		if e.tag == atom.Footer && parent.tag == atom.Blockquote {
			e.node.hint = unknown // who said it
		}
		parent.items = append(parent.items, item{child: e.node})
	}
	if e.tag == atom.Pre {
		p.pre++
	}
	p.push(e)
}

// impliedEnd closes what a new block ends without saying so: a paragraph, an item, a cell.
func (p *htmlParser) impliedEnd(tag atom.Atom) {
	closes := func(inner ...atom.Atom) {
		for i := len(p.open) - 1; i > 0; i-- {
			t := p.open[i].tag
			for _, c := range inner {
				if t == c {
					p.popTo(i)
					return
				}
			}
			if isBlock(t) {
				return
			}
		}
	}
	closes(atom.P)
	switch tag {
	case atom.Li:
		closes(atom.Li)
	case atom.Dt, atom.Dd:
		closes(atom.Dt, atom.Dd)
	case atom.Td, atom.Th:
		closes(atom.Td, atom.Th)
	case atom.Tr:
		closes(atom.Td, atom.Th)
		closes(atom.Tr)
	case atom.Tbody, atom.Thead, atom.Tfoot:
		closes(atom.Td, atom.Th)
		closes(atom.Tr)
		closes(atom.Tbody, atom.Thead, atom.Tfoot)
	}
}

func (p *htmlParser) end(tag atom.Atom, name string) {
	if tag == atom.P || isBlock(tag) {
		p.flush()
		if p.beyond > 0 {
			p.beyond--
			return
		}
	}
	for i := len(p.open) - 1; i > 0; i-- {
		e := p.open[i]
		if e.tag == tag && (tag != 0 || e.name == name) {
			if tag == atom.Q && !e.drop {
				p.write([]byte("”"))
			}
			p.popTo(i)
			return
		}
		// An inline end tag reaches no further than its block, and nothing reaches out of a table's cell but the table.
		if e.node != nil && !isBlock(tag) {
			return
		}
		if (e.tag == atom.Td || e.tag == atom.Th) && tag != atom.Table && tag != atom.Tr && tag != atom.Tbody {
			return
		}
	}
}

func (p *htmlParser) popTo(i int) {
	if i < len(p.open) {
		for _, e := range p.open[i:] {
			if e.node != nil {
				p.flush()
				break
			}
		}
	}
	for len(p.open) > i {
		p.pop()
	}
}

func (p *htmlParser) pop() {
	e := p.top()
	p.endNote(e)
	if e.link {
		p.anchor--
	}
	if e.tag == atom.Pre {
		p.pre--
	}
	p.open = p.open[:len(p.open)-1]
}

func (p *htmlParser) lineBreak() {
	if p.top().drop || p.run.end == p.run.start {
		return
	}
	p.page.text = append(p.page.text, '\n')
	p.run.end = int32(len(p.page.text))
	p.space = false
}

func voidTag(t atom.Atom) bool {
	switch t {
	case atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input, atom.Link, atom.Meta, atom.Param,
		atom.Source, atom.Track, atom.Wbr:
		return true
	}
	return false
}

// droppedTag are elements whose content is no text of the page.
func droppedTag(t atom.Atom) bool {
	switch t {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Svg, atom.Math, atom.Iframe, atom.Object, atom.Canvas,
		atom.Select, atom.Button, atom.Textarea, atom.Datalist, atom.Dialog, atom.Video, atom.Audio, atom.Title, atom.Noframes,
		atom.Noembed, atom.Rt, atom.Rp, atom.Del:
		return true
	}
	return false
}

func isBlock(t atom.Atom) bool {
	switch t {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Caption, atom.Center, atom.Dd, atom.Details, atom.Dialog,
		atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Form, atom.H1, atom.H2, atom.H3,
		atom.H4, atom.H5, atom.H6, atom.Header, atom.Hgroup, atom.Hr, atom.Legend, atom.Li, atom.Main, atom.Menu, atom.Nav, atom.Ol,
		atom.P, atom.Pre, atom.Section, atom.Summary, atom.Table, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr, atom.Ul:
		return true
	}
	return false
}
