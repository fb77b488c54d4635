package ingest

import (
	"cmp"
	"encoding/xml"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html/atom"

	"github.com/ibid-dev/ibid"
)

// readEPUB reads a book: the parts of its spine in order, each through the reader of HTML. Its table of contents names the
// sections, and is itself left out; where it knows the pages of the printed book, so does the outline.
func readEPUB(in input) (Result, error) {
	a, err := openArchive(in)
	if err != nil {
		return Result{}, err
	}
	e := epubReader{a: a, b: newBuilder(in.limits, len(in.bytes)), items: map[string]epubItem{}, wanted: map[string][]epubPoint{}}
	for _, step := range []func() error{e.findPackage, e.readPackage, e.refuseDRM, e.readContents, e.readSpine} {
		if err := step(); err != nil {
			return Result{}, err
		}
	}
	res, err := e.b.result()
	if err != nil {
		return Result{}, err
	}
	res.Reference = e.meta.reference()
	if res.Reference.Title() == "" {
		res.Reference.Set("title", firstTitle(res.Outline))
	}
	if len(e.missing) > 0 {
		res.Warnings = append(res.Warnings, "the book has no part "+strings.Join(e.missing, ", "))
	}
	return res, nil
}

type epubReader struct {
	a    *archive
	b    *builder
	root string // the part that lists the others

	meta    epubMeta
	items   map[string]epubItem // by id
	spine   []string            // ids
	ncx     string              // id, where the spine names one
	cover   map[string]bool     // parts that the book calls its cover or table of contents
	wanted  map[string][]epubPoint
	level   epubLevel
	missing []string
}

type epubItem struct{ part, href, kind, properties, fallback string }

// epubPoint is an entry of the table of contents or of the list of pages.
type epubPoint struct {
	id    string // of the element within the part, or ""
	label string
	depth int // in the table of contents
	page  int // of the printed book; then it is no section

	at int // in the text of the part, -1 where nothing follows
}

// maxPoints bounds the table of contents.
const maxPoints = 50000

func (e *epubReader) findPackage() error {
	const container = "META-INF/container.xml"
	var roots []string
	err := e.a.read(container, func(x *xmlReader) error {
		return x.each(func(t xml.StartElement) {
			if t.Name.Local == "rootfile" && len(roots) < 100 {
				roots = append(roots, strings.TrimPrefix(path.Clean("/"+attr(t, "full-path")), "/"))
			}
		})
	})
	if err != nil {
		return err
	}
	for _, r := range roots { // several are several editions of the same book
		if e.a.files[r] != nil {
			e.root = r
			return nil
		}
	}
	for name := range e.a.files { // an archive packed by hand
		if strings.HasSuffix(name, ".opf") && (e.root == "" || name < e.root) {
			e.root = name
		}
	}
	if e.root == "" {
		return refuse(ErrBroken, "the EPUB's part %s names no book; pack it again, or convert it to HTML", container)
	}
	return nil
}

// readPackage reads metadata, the list of parts, and their order.
func (e *epubReader) readPackage() error {
	e.cover = map[string]bool{}
	err := e.a.read(e.root, func(x *xmlReader) error {
		inMeta := false
		for {
			t, err := x.next()
			if err != nil {
				return err
			}
			switch t := t.(type) {
			case xml.StartElement:
				if t.Name.Local == "metadata" {
					inMeta = true
				}
				if inMeta {
					e.meta.start(t)
				} else {
					e.list(t)
				}
			case xml.CharData:
				e.meta.text(t)
			case xml.EndElement:
				e.meta.end(t.Name.Local)
				inMeta = inMeta && t.Name.Local != "metadata"
			}
		}
	})
	if err == nil && len(e.spine) == 0 {
		return refuse(ErrBroken, "the EPUB's part %s gives no order of reading", e.root)
	}
	return err
}

func (e *epubReader) list(t xml.StartElement) {
	switch t.Name.Local {
	case "item":
		if len(e.items) < maxParts {
			e.items[attr(t, "id")] = epubItem{part: e.a.part(e.root, attr(t, "href")), href: attr(t, "href"), kind: strings.ToLower(attr(t, "media-type")),
				properties: attr(t, "properties"), fallback: attr(t, "fallback")}
		}
	case "spine":
		e.ncx = attr(t, "toc")
	case "itemref":
		if len(e.spine) < maxParts {
			e.spine = append(e.spine, attr(t, "idref"))
		}
	case "reference":
		if kind := attr(t, "type"); kind == "toc" || kind == "cover" {
			e.cover[e.a.part(e.root, attr(t, "href"))] = true
		}
	}
}

// refuseDRM refuses a book whose text is locked. Fonts are often locked, and no text.
func (e *epubReader) refuseDRM() error {
	locked := map[string]bool{}
	err := e.a.read("META-INF/encryption.xml", func(x *xmlReader) error {
		return x.each(func(t xml.StartElement) {
			if t.Name.Local == "CipherReference" {
				locked[e.a.part("x", attr(t, "URI"))] = true
			}
		})
	})
	if err != nil {
		return err
	}
	for _, id := range e.spine {
		if part := e.items[id].part; part == "" || !locked[part] {
			continue
		}
		by := ""
		switch {
		case e.a.files["META-INF/license.lcpl"] != nil:
			by = " (Readium LCP)"
		case e.a.files["META-INF/rights.xml"] != nil:
			by = " (Adobe)"
		case e.a.files["META-INF/sinf.xml"] != nil:
			by = " (Apple)"
		}
		return refuse(ErrEncrypted, "the book is locked by DRM%s; only a copy without it can be read, which some shops and publishers give", by)
	}
	return nil
}

// readContents reads the table of contents: that of EPUB 3, else that of EPUB 2.
func (e *epubReader) readContents() error {
	nav, ncx := "", e.items[e.ncx].part
	for _, id := range slices.Sorted(maps.Keys(e.items)) {
		it := e.items[id]
		if hasWord(it.properties, "nav") && nav == "" {
			nav = it.part
		}
		if it.kind == "application/x-dtbncx+xml" && ncx == "" {
			ncx = it.part
		}
	}
	n := navReader{e: e, from: nav}
	if err := e.a.read(nav, n.read); err != nil || n.count > 0 {
		e.cover[nav] = true
		return softly(err)
	}
	n = navReader{e: e, from: ncx}
	return softly(e.a.read(ncx, n.readNCX))
}

// softly lets a book without its table of contents be read, where that is broken, but no bomb.
func softly(err error) error {
	if errors.Is(err, ErrBroken) {
		return nil
	}
	return err
}

// navReader reads a table of contents. Targets become points of the parts they lie in.
type navReader struct {
	e     *epubReader
	from  string
	count int

	label strings.Builder
	href  string
	above []epubPoint // entries without an address, which begin where the next one does
}

func (n *navReader) add(depth, page int) {
	label := collapse(strings.ToValidUTF8(n.label.String(), "\ufffd"))
	href := n.href
	n.href = ""
	n.label.Reset()
	if n.count >= maxPoints || label == "" || len(label) > 1000 {
		return
	}
	n.count++
	if href == "" {
		n.above = append(n.above, epubPoint{label: label, depth: max(1, depth), at: -1})
		return
	}
	part := n.e.a.part(n.from, href)
	_, id, _ := strings.Cut(href, "#")
	if page < 0 {
		if page = pageNumber(label); page == 0 {
			return
		}
	}
	if part == "" {
		return
	}
	for _, p := range n.above {
		p.id = id
		n.e.wanted[part] = append(n.e.wanted[part], p)
	}
	n.above = nil
	n.e.wanted[part] = append(n.e.wanted[part], epubPoint{id: id, label: label, depth: max(1, depth), page: page, at: -1})
}

// read reads the lists of EPUB 3: <nav epub:type="toc"><ol><li><a href="…">.
func (n *navReader) read(x *xmlReader) error {
	kind, depth, inLabel, text := "", 0, false, false
	for {
		t, err := x.next()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "nav":
				kind, depth = "", 0
				if k := attr(t, "type"); hasWord(k, "toc") || hasWord(k, "page-list") {
					kind = k
				}
			case "ol":
				depth++
			case "li":
				text = hasWord(kind, "toc")
			case "a":
				inLabel, text = kind != "", false
				n.label.Reset()
				n.href = attr(t, "href")
			case "span":
				if text { // an entry without an address
					inLabel = true
					n.label.Reset()
				}
			}
		case xml.CharData:
			if inLabel && n.label.Len() < maxMetaValue {
				n.label.Write(t)
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "nav":
				kind = ""
			case "ol":
				depth--
			case "span":
				if inLabel && text {
					n.add(depth, 0)
					inLabel, text = false, false
				}
			case "a":
				if inLabel && hasWord(kind, "toc") {
					n.add(depth, 0)
				} else if inLabel {
					n.add(0, -1)
				}
				inLabel = false
			}
		}
	}
}

// readNCX reads EPUB 2's: <navPoint><navLabel><text>…</text></navLabel><content src="…"/>.
func (n *navReader) readNCX(x *xmlReader) error {
	depth, inText, inPages := 0, false, false
	for {
		t, err := x.next()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "navPoint":
				depth++
				n.label.Reset()
			case "pageTarget":
				inPages = true
				n.label.Reset()
			case "text":
				inText = depth > 0 || inPages
			case "content":
				n.href = attr(t, "src")
				switch {
				case inPages:
					n.add(0, -1)
				case depth > 0:
					n.add(depth, 0)
				}
			}
		case xml.CharData:
			if inText && n.label.Len() < maxMetaValue {
				n.label.Write(t)
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "navPoint":
				depth--
			case "pageTarget":
				inPages = false
			case "text":
				inText = false
			}
		}
	}
}

func (e *epubReader) readSpine() error {
	for _, id := range e.spine {
		part, ok := e.readable(id)
		if !ok {
			continue
		}
		if part == "" {
			if len(e.missing) < 10 {
				e.missing = append(e.missing, collapse(strings.ToValidUTF8(e.items[id].href, "\ufffd")))
			}
			continue
		}
		if err := e.chapter(part); err != nil {
			return err
		}
		if e.b.full {
			return nil
		}
	}
	return nil
}

// readable is the part that stands for an entry of the spine, which may be a picture with a text to fall back to.
func (e *epubReader) readable(id string) (string, bool) {
	for range 10 {
		it, ok := e.items[id]
		if !ok {
			return "", false
		}
		switch it.kind {
		case "application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document", "application/xml", "text/xml", "":
			return it.part, true
		}
		id = it.fallback
	}
	return "", false
}

// chapter reads one part of the spine.
func (e *epubReader) chapter(part string) error {
	raw, err := e.a.bytes(part)
	if err != nil || len(raw) == 0 {
		return err
	}
	enc, err := textEncoding(raw, false, Hint{})
	if err != nil {
		return refuse(ErrBroken, "the book's part %s is no text", part)
	}
	points := e.wanted[part]
	want := map[string]bool{}
	for _, p := range points {
		want[p.id] = true
	}
	delete(want, "")
	src, _ := enc.reader(raw)
	page, err := htmlParser{xml: true, book: true, want: want}.parse(e.a.in.ctx, src, e.a.in.limits)
	if err != nil {
		return err
	}
	page.measure(page.root)
	if page.alt >= len(page.text) || e.cover[part] && page.contents() {
		return nil // a picture, or the table of contents
	}
	text := newBuilder(e.a.in.limits, len(page.text))
	r := htmlRenderer{page: page, b: text}
	points = page.locate(&r, points)
	r.block(page.root)
	if text.full {
		e.b.full = true
		return nil
	}
	for i := range points {
		points[i].at = r.places[i].out
	}
	e.write(text, points)
	return nil
}

// contents reports whether a page that is said to be a cover or table of contents is one: hardly anything but links.
func (p *htmlPage) contents() bool {
	for _, it := range p.root.items {
		if it.child != nil {
			p.dropNav(it.child)
		}
	}
	p.measure(p.root)
	return p.root.prose == 0 && (p.root.links*2 > p.root.chars || p.root.chars < 40)
}

func (p *htmlPage) dropNav(b *block) {
	b.drop = b.drop || b.tag == atom.Nav
	for _, it := range b.items {
		if it.child != nil {
			p.dropNav(it.child)
		}
	}
}

// locate puts points in the order of the page, with the printed pages that the page knows of itself, and asks the renderer
// to follow them.
func (p *htmlPage) locate(r *htmlRenderer, points []epubPoint) []epubPoint {
	type located struct {
		point epubPoint
		at    int32
	}
	var all []located
	for _, pt := range points {
		if pt.page > 0 && len(p.pages) > 0 {
			continue
		}
		at, ok := p.ids[pt.id]
		if !ok && pt.id != "" && pt.page > 0 {
			continue
		}
		all = append(all, located{pt, at})
	}
	for _, pg := range p.pages {
		all = append(all, located{epubPoint{page: pg.number}, pg.at})
	}
	slices.SortStableFunc(all, func(a, b located) int { return int(a.at) - int(b.at) })
	out := make([]epubPoint, len(all))
	for i, l := range all {
		out[i] = l.point
		r.places = append(r.places, place{at: l.at, exact: l.point.page > 0, out: -1})
	}
	return out
}

// epubLevel is how the levels of headings within a chapter lie below that of its entry in the table of contents.
type epubLevel struct {
	depth int // of the entry, 0 before the first
	from  int // level of its heading in the part
}

func (l epubLevel) of(level int) int {
	if l.depth == 0 {
		return level
	}
	return min(6, l.depth+max(1, level-l.from))
}

// chapterMark is a heading or page of one part.
type chapterMark struct {
	ibid.Mark
	depth  int  // in the table of contents, 0 for a heading that has no entry there
	insert bool // stands in the table of contents only
}

// write adds a part's text to the book's: its headings on the levels of the table of contents, and entries of that table that
// no heading stands for as headings.
func (e *epubReader) write(text *builder, points []epubPoint) {
	c := chapter{text: string(text.text)}
	for _, m := range text.outline {
		c.marks = append(c.marks, chapterMark{Mark: m})
	}
	ends := sectionEnds(points, len(c.text))
	free := 0
	for i, p := range points {
		if p.at < 0 {
			continue
		}
		if p.page > 0 {
			c.add(chapterMark{Mark: ibid.Mark{At: p.at, Page: p.page}})
			continue
		}
		if at := c.find(p, max(p.at, free), ends[i].at, ends[i].alone); at >= 0 {
			free = at + 1
		} else {
			c.add(chapterMark{Mark: ibid.Mark{At: p.at, Heading: p.label}, depth: p.depth, insert: true})
		}
	}
	c.sort()
	e.copy(c)
}

type sectionEnd struct {
	at    int
	alone bool // no entry behind it is of the same place
}

// sectionEnds gives where the section of each entry ends: where the next entry of another place begins.
func sectionEnds(points []epubPoint, end int) []sectionEnd {
	ends := make([]sectionEnd, len(points))
	next := -1
	for i := len(points) - 1; i >= 0; i-- {
		p := points[i]
		if p.page > 0 {
			continue
		}
		switch {
		case next < 0:
			ends[i] = sectionEnd{end, true}
		case points[next].at > p.at:
			ends[i] = sectionEnd{points[next].at, true}
		default:
			ends[i] = sectionEnd{ends[next].at, false}
		}
		next = i
	}
	return ends
}

// copy writes the text between the marks, and the marks.
func (e *epubReader) copy(c chapter) {
	var pending []chapterMark
	from := 0
	flush := func(to int) {
		before := len(e.b.text)
		e.b.block(c.text[from:to])
		if len(e.b.text) == before {
			return
		}
		for _, m := range pending {
			m.At += e.b.last - from
			e.b.outline = append(e.b.outline, m.Mark)
		}
		pending, from = pending[:0], to
	}
	for i, m := range c.marks {
		switch {
		case m.insert:
			e.level = epubLevel{m.depth, c.levelBehind(i) - 1}
		case m.depth > 0:
			e.level = epubLevel{m.depth, m.Level}
		case m.Heading != "":
			m.Level = e.level.of(m.Level)
		}
		if m.depth > 0 {
			m.Level = min(6, m.depth)
		}
		if !m.insert {
			pending = append(pending, m)
			continue
		}
		pages := len(pending) // those that begin with this heading
		for pages > 0 && pending[pages-1].At == m.At && pending[pages-1].Page > 0 {
			pages--
		}
		begin := slices.Clone(pending[pages:])
		pending = pending[:pages]
		flush(m.At)
		before := len(e.b.text)
		e.b.heading(m.Heading, m.Level)
		if len(e.b.text) == before {
			return // full
		}
		for _, p := range begin {
			p.At = e.b.last
			e.b.outline = append(e.b.outline, p.Mark)
		}
	}
	flush(len(c.text))
}

// chapter is the text of one part, and what is marked in it.
type chapter struct {
	text  string
	marks []chapterMark // in order; at one place pages come first, then what is inserted
	added []chapterMark // to be sorted into them
}

func (c *chapter) add(m chapterMark) { c.added = append(c.added, m) }

// sort puts what was added into its place.
func (c *chapter) sort() {
	rank := func(m chapterMark) int {
		switch {
		case m.Page > 0:
			return 0
		case m.insert:
			return 1
		}
		return 2
	}
	c.marks = append(c.marks, c.added...)
	c.added = nil
	slices.SortStableFunc(c.marks, func(a, b chapterMark) int { return cmp.Or(a.At-b.At, rank(a)-rank(b)) })
}

// headingAt is the mark of the heading that the part has at a place, -1 where it has none.
func (c *chapter) headingAt(at int) int {
	i, ok := slices.BinarySearchFunc(c.marks, at, func(m chapterMark, at int) int { return m.At - at })
	if !ok {
		return -1
	}
	return i
}

// levelBehind is the level of the first heading behind a mark that has no entry of its own.
func (c *chapter) levelBehind(i int) int {
	for _, m := range c.marks[i+1:] {
		if m.depth > 0 {
			break
		}
		if m.Heading != "" {
			return m.Level
		}
	}
	return 1
}

// find looks for the words of an entry at the beginning of its section, and makes them its heading. Numbers are often set
// apart ("Chapter 1", "The Cable"), or left out of the table. A heading that stands there is one, whatever it says, where it is
// the only entry of the place.
func (c *chapter) find(p epubPoint, at, end int, alone bool) int {
	label := letters(p.label)
	joined := ""
	first := -1
	for n := 0; n < 4 && at < end; n++ {
		const long = 300
		block := c.text[at:min(end, at+long+2)]
		if i := strings.Index(block, "\n\n"); i >= 0 {
			block = block[:i]
		}
		if len(block) > long {
			break
		}
		mark := c.headingAt(at)
		own := letters(block)
		heading := mark >= 0 && c.marks[mark].depth == 0 && own != ""
		part := len(own) > 2 && (strings.Contains(label, own) || strings.Contains(own, label))
		joined += own
		switch {
		case own != "" && own == label, heading && (part || n == 0 && alone):
			c.promote(at, mark, block, p.depth)
			return at
		case joined == label && first >= 0:
			c.promote(first, c.headingAt(first), c.text[first:], p.depth)
			return first
		}
		if first < 0 {
			first = at
		}
		at += len(block) + 2
	}
	return -1
}

// promote makes the heading of a section of a block that may be one already.
func (c *chapter) promote(at, mark int, block string, depth int) {
	if mark >= 0 {
		c.marks[mark].depth = depth
		return
	}
	block, _, _ = strings.Cut(block, "\n")
	c.add(chapterMark{Mark: ibid.Mark{At: at, Heading: block, Level: 1}, depth: depth})
}

// letters are what two forms of a title have in common.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
