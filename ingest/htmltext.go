package ingest

import (
	"cmp"
	"strings"

	"golang.org/x/net/html/atom"
)

// render writes blocks as text.
func (p *htmlPage) render(b *builder, blocks []*block) {
	r := htmlRenderer{page: p, b: b}
	for _, bl := range blocks {
		r.block(bl)
	}
}

type htmlRenderer struct {
	page *htmlPage
	b    *builder
	sign string // of the list item whose first line is still to come
	held []int  // rows of the table, by column, that a cell above still fills

	places []place // in order; those that are asked for
	next   int     // of them, the first that is not reached yet
}

// place is a place in the page that is followed into the text.
type place struct {
	at    int32 // into htmlPage.text
	exact bool  // within a paragraph, too; else its beginning
	out   int   // into the text, -1 where nothing follows
}

// wrote notes that everything up to an end stands in the block that was just written, unless nothing was.
func (r *htmlRenderer) wrote(end int32, before int) {
	if len(r.b.text) == before {
		return
	}
	for ; r.next < len(r.places) && r.places[r.next].at < end; r.next++ {
		r.places[r.next].out = r.b.last
	}
}

// within notes the places within a paragraph that was just written behind a sign.
func (r *htmlRenderer) within(it item, sign string, before int) {
	const long, most = 64 << 10, 16 // hostile pages have many places in a paragraph without end
	if len(r.b.text) == before || it.end-it.start > long {
		return
	}
	at := r.b.last
	for looked := 0; r.next < len(r.places) && r.places[r.next].at < it.end; r.next++ {
		p := &r.places[r.next]
		p.out = r.b.last
		if p.exact && looked == most {
			p.out = at
		} else if p.exact && p.at > it.start {
			looked++
			p.out = min(len(r.b.text), r.b.last+len(sign)+len(lines(string(r.page.text[it.start:p.at]))))
			for p.out < len(r.b.text)-1 && (r.b.text[p.out] == ' ' || r.b.text[p.out] == '\n') {
				p.out++
			}
			at = p.out
		}
	}
}

// end is where the last text beneath a block ends.
func (b *block) end() int32 {
	end := int32(0)
	for _, it := range b.items {
		if it.child != nil {
			end = max(end, it.child.end())
		} else {
			end = max(end, it.end)
		}
	}
	return end
}

func (r *htmlRenderer) block(b *block) {
	if b.drop {
		return
	}
	before := len(r.b.text)
	switch b.tag {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		r.sign = ""
		r.b.heading(r.page.flat(b), int(b.tag.String()[1]-'0'))
		r.wrote(b.end(), before)
	case atom.Pre:
		r.b.block(r.takeSign() + strings.Trim(tidy(r.page.rawText(b)), "\n"))
		r.wrote(b.end(), before)
	case atom.Ul, atom.Ol, atom.Menu:
		r.list(b)
	case atom.Table:
		held := r.held
		r.held = nil
		r.b.loose()
		r.children(b)
		r.b.loose()
		r.held = held
	case atom.Thead, atom.Tbody, atom.Tfoot:
		r.children(b)
		r.held = nil // no cell reaches over the end of these
	case atom.Tr:
		r.row(b)
	default:
		r.children(b)
	}
}

func (r *htmlRenderer) children(b *block) {
	for _, it := range b.items {
		if it.child != nil {
			r.block(it.child)
		} else {
			r.words(it)
		}
	}
}

// words writes text that stands between blocks.
func (r *htmlRenderer) words(it item) {
	before := len(r.b.text)
	s := lines(string(r.page.text[it.start:it.end]))
	sign := r.takeSign()
	if sign != "" {
		r.b.line(sign + s)
	} else {
		r.b.block(s)
	}
	r.within(it, sign, before)
	r.wrote(it.end, before)
}

func (r *htmlRenderer) takeSign() string {
	s := r.sign
	r.sign = ""
	return s
}

func (r *htmlRenderer) list(b *block) {
	nested := inList(b)
	if !nested {
		r.b.loose()
	}
	n, step := 1, 1
	if b.reversed {
		n, step = b.count(atom.Li), -1
	}
	if b.numbered {
		n = b.number
	}
	for _, it := range b.items {
		c := it.child
		if c == nil { // outside of the items, where it has no place and pages have it all the same
			r.words(it)
			continue
		}
		if c.drop {
			continue
		}
		if c.tag != atom.Li {
			r.block(c)
			continue
		}
		if c.numbered {
			n = c.number
		}
		r.sign = "- "
		if b.tag == atom.Ol {
			format := cmp.Or(b.format, "decimal")
			if n < 1 { // of which there is no letter
				format = "decimal"
			}
			r.sign = numberSign(format, n)
		}
		n += step
		r.block(c)
		r.sign = ""
	}
	if !nested {
		r.b.loose()
	}
}

// count is how many blocks of a kind stand in the block itself.
func (b *block) count(tag atom.Atom) int {
	n := 0
	for _, it := range b.items {
		if it.child != nil && it.child.tag == tag {
			n++
		}
	}
	return n
}

func inList(b *block) bool {
	for b = b.parent; b != nil; b = b.parent {
		switch b.tag {
		case atom.Li:
			return true
		case atom.Td, atom.Th:
			return false
		}
	}
	return false
}

// maxRow is how long a row of a table may be. What is longer is a page laid out in a table.
const maxRow = 1500

func (r *htmlRenderer) row(b *block) {
	if b.chars > maxRow || holds(b, atom.Table, atom.H1, atom.H2, atom.H3, atom.Pre) {
		r.children(b)
		return
	}
	var cells []string
	empty := 0 // cells that come before the next
	for _, it := range b.items {
		c := it.child
		if c == nil { // words that stand in no cell are one of their own
			c = &block{items: []item{it}}
		}
		text := collapse(r.page.flat(c))
		if c.drop || text == "" && c.tag != atom.Td && c.tag != atom.Th {
			continue
		}
		empty += r.filled(len(cells) + empty)
		cells = append(append(cells, make([]string, empty)...), text)
		r.hold(len(cells)-1, max(c.cols, 1), c.rows-1)
		if empty = 0; len(cells) < maxColumns {
			empty = max(c.cols, 1) - 1
		}
	}
	r.filled(len(cells) + empty)
	before := len(r.b.text)
	r.b.line(joinCells(cells))
	r.wrote(b.end(), before)
}

// filled is how many columns from one on a cell of a row above fills. They are one row nearer to its end.
func (r *htmlRenderer) filled(column int) int {
	n := 0
	for i := column; i < len(r.held) && r.held[i] > 0; i++ {
		r.held[i]--
		n++
	}
	return n
}

// hold remembers that a cell fills rows below its own.
func (r *htmlRenderer) hold(column, columns, rows int) {
	if rows < 1 || column+columns > maxColumns {
		return
	}
	for len(r.held) < column+columns {
		r.held = append(r.held, 0)
	}
	for i := column; i < column+columns; i++ {
		r.held[i] = rows
	}
}

func holds(b *block, tags ...atom.Atom) bool {
	for _, it := range b.items {
		c := it.child
		if c == nil {
			continue
		}
		for _, t := range tags {
			if c.tag == t {
				return true
			}
		}
		if holds(c, tags...) {
			return true
		}
	}
	return false
}

// flat is all text beneath a block, on one line.
func (p *htmlPage) flat(b *block) string {
	var out strings.Builder
	p.flatten(&out, b)
	return out.String()
}

func (p *htmlPage) flatten(out *strings.Builder, b *block) {
	for _, it := range b.items {
		switch {
		case it.child == nil:
			out.Write(p.text[it.start:it.end])
			out.WriteByte(' ')
		case !it.child.drop:
			p.flatten(out, it.child)
		}
	}
}

// rawText is all text beneath a block as it was written.
func (p *htmlPage) rawText(b *block) string {
	var out strings.Builder
	for _, it := range b.items {
		if it.child != nil {
			if s := out.String(); s != "" && !strings.HasSuffix(s, "\n") {
				out.WriteByte('\n')
			}
			out.WriteString(p.rawText(it.child) + "\n")
			continue
		}
		out.Write(p.text[it.start:it.end])
	}
	return out.String()
}
