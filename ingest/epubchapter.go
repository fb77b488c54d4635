package ingest

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html/atom"

	"github.com/ibid-dev/ibid"
)

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
	page, err := htmlParser{xml: true, book: true, want: want, lifts: e.lifts}.parse(e.a.in.ctx, src, e.a.in.limits)
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
