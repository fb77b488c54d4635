package ingest

import (
	"strconv"
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
}

func (r *htmlRenderer) block(b *block) {
	if b.drop {
		return
	}
	switch b.tag {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		r.sign = ""
		r.b.heading(r.page.flat(b), int(b.tag.String()[1]-'0'))
	case atom.Pre:
		r.b.block(r.takeSign() + strings.Trim(tidy(r.page.rawText(b)), "\n"))
	case atom.Ul, atom.Ol, atom.Menu:
		r.list(b)
	case atom.Table:
		r.b.loose()
		r.children(b)
		r.b.loose()
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
			continue
		}
		s := lines(string(r.page.text[it.start:it.end]))
		if sign := r.takeSign(); sign != "" {
			r.b.line(sign + s)
		} else {
			r.b.block(s)
		}
	}
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
	n := 0
	for _, it := range b.items {
		c := it.child
		if c == nil || c.drop {
			continue
		}
		if c.tag != atom.Li {
			r.block(c)
			continue
		}
		n++
		r.sign = "- "
		if b.tag == atom.Ol {
			r.sign = strconv.Itoa(n) + ". "
		}
		r.block(c)
		r.sign = ""
	}
	if !nested {
		r.b.loose()
	}
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
	for _, it := range b.items {
		if c := it.child; c != nil && !c.drop && (c.tag == atom.Td || c.tag == atom.Th) {
			cells = append(cells, collapse(r.page.flat(c)))
		}
	}
	r.b.line(joinCells(cells))
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
			out.WriteString(p.rawText(it.child) + "\n")
			continue
		}
		out.Write(p.text[it.start:it.end])
	}
	return out.String()
}
