package csl

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Citations renders all citations, in order.
func (d *Document) Citations(f Format) []string {
	d.process()
	out := make([]string, len(d.clusters))
	for i, cl := range d.clusters {
		out[i] = d.citation(cl, f)
	}
	return out
}

// Update renders what is new or has changed since the last Update: the index of each such citation, and its text.
func (d *Document) Update(f Format) map[int]string {
	d.process()
	changed := map[int]string{}
	for i, cl := range d.clusters {
		if s := d.citation(cl, f); s != cl.last {
			changed[i], cl.last = s, s
		}
	}
	return changed
}

// part is one cite of a citation on its way out.
type part struct {
	ci     *cite
	it     *item
	n      *node
	delim  string // in front of the next part
	names  string // the names it begins with, as text
	hidden bool
	rank   int // the place of the first cite with the same names
	suffix int
	number int
	bare   string // the text without names and year suffix
}

func (d *Document) citation(cl *clusterState, f Format) string {
	d.mem.reset()
	if len(cl.Items) == 0 {
		return ""
	}
	n := d.citationNode(cl)
	if n == nil {
		return noForm
	}
	return strings.TrimSpace(d.write(n, f))
}

func (d *Document) citationNode(cl *clusterState) *node {
	layout := d.style.citation.layout
	parts := d.parts(cl)
	d.collapse(parts)
	out := d.mem.new(node{})
	var previous *part
	for i := range parts {
		p := &parts[i]
		if p.hidden || p.n == nil {
			continue
		}
		if previous != nil {
			delim := previous.delim
			if s := strings.TrimRight(previous.ci.Suffix, " "); s != "" && delim != "" && strings.IndexByte(",.;?!", s[len(s)-1]) >= 0 && strings.IndexByte(",.;?!", delim[0]) >= 0 {
				delim = delim[1:] // the writer has already put a mark there
			}
			if s := p.ci.Prefix; s != "" && strings.IndexByte(",.;?!", s[0]) >= 0 {
				delim = ""
			}
			if delim != "" {
				out.kids = append(out.kids, d.mem.text(delim))
			}
		}
		d.capitalize(p, previous == nil)
		out.kids = append(out.kids, d.affixed(p)...)
		previous = p
	}
	if len(out.kids) == 0 {
		return nil
	}
	if cl.Mode == AuthorOnly || len(parts) == 1 && parts[0].ci.AuthorOnly {
		return out
	}
	full := d.mem.new(node{kids: d.mem.list(out), format: layout.format})
	inner := out
	inner.prefix, inner.suffix = layout.prefix, layout.suffix
	if cl.Mode == Composite {
		return d.composite(cl, parts, full)
	}
	return full
}

// affixed gives the cite with the prefix and suffix that the writer gave it.
func (d *Document) affixed(p *part) []*node {
	var out []*node
	if s := p.ci.Prefix; s != "" {
		if r, _ := utf8.DecodeLastRuneInString(s); unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(".,;:!?”’", r) {
			s += " "
		}
		out = append(out, d.mem.rich(s, d.quotes))
	}
	out = append(out, d.mem.new(node{kids: d.mem.list(p.n), tag: TagCite, name: p.ci.ID}))
	if s := p.ci.Suffix; s != "" {
		if r, _ := utf8.DecodeRuneInString(s); unicode.IsLetter(r) || unicode.IsDigit(r) || r == '(' || r == '[' {
			s = " " + s
		}
		out = append(out, d.mem.rich(s, d.quotes))
	}
	return out
}

// capitalize raises the style's own word at the start of a note: "ibid." becomes "Ibid.".
func (d *Document) capitalize(p *part, first bool) {
	if d.style.Class != "note" {
		return
	}
	if s := p.ci.Prefix; s != "" {
		s = strings.TrimRight(s, " \"”’")
		if s == "" || strings.IndexByte(".!?", s[len(s)-1]) < 0 || !strings.Contains(s, " ") {
			return
		}
	} else if delim := strings.TrimSpace(d.style.citation.layout.delimiter); !first && (delim == "" || strings.IndexByte(".!?", delim[len(delim)-1]) < 0) {
		return
	}
	if t := firstTerm(p.n); t != nil {
		t.text = upperFirst(t.text)
	}
}

// firstTerm gives the first text of a cite, if it is a term or a label.
func firstTerm(n *node) *node {
	term := false
	for n != nil {
		if n.tag == TagTerm {
			term = true
		}
		if n.prefix != "" && hasWord(n.prefix) {
			return nil
		}
		if n.kind == kText {
			if term {
				return n
			}
			return nil
		}
		if len(n.kids) == 0 {
			return nil
		}
		n = n.kids[0]
	}
	return nil
}

// parts renders the cites of a citation one by one.
func (d *Document) parts(cl *clusterState) []part {
	layout := d.style.citation.layout
	parts := make([]part, 0, len(cl.cites))
	for _, ci := range cl.cites {
		it := d.items[ci.ID]
		p := part{ci: ci, it: it, delim: layout.delimiter}
		if it == nil {
			p.n = d.mem.new(node{kids: d.mem.list(d.mem.text(orElse(ci.ID, "?"))), format: fmtBold})
			parts = append(parts, p)
			continue
		}
		p.n = d.citeNode(it, ci)
		if p.n != nil {
			p.number = it.number
			if it.config != nil {
				p.suffix = it.config.suffix
			}
			p.n = d.mode(p.n, cl.Mode, ci)
		}
		parts = append(parts, p)
	}
	return parts
}

// citeNode renders one cite.
func (d *Document) citeNode(it *item, ci *cite) *node {
	c := d.newContext(it, inCitation)
	c.cite = ci
	kids, _ := c.evalAll(d.style.citation.layout.kids)
	if len(kids) == 0 {
		return nil
	}
	c.addYearSuffix()
	return d.mem.new(node{kids: kids})
}

// addYearSuffix puts the year suffix after the first year, where the style does not place it itself.
func (c *context) addYearSuffix() {
	n := c.suffix()
	if n == 0 || c.style.placesSuffix || c.firstYear == nil {
		return
	}
	c.firstYear.kids = append(c.firstYear.kids, c.mem.new(node{kids: c.mem.list(c.mem.text(yearSuffix(n))), tag: TagSuffix}))
}

func isNames(n *node) bool { return n.tag == TagNames }

// mode leaves of a cite what the mode asks for.
func (d *Document) mode(n *node, m Mode, ci *cite) *node {
	names := n.find(isNames)
	switch {
	case m == AuthorOnly || ci.AuthorOnly:
		if names == nil {
			return n
		}
		return names
	case m == SuppressAuthor || m == Composite || ci.SuppressAuthor:
		if names != nil {
			return n.without(names)
		}
	}
	return n
}

func (d *Document) composite(cl *clusterState, parts []part, rest *node) *node {
	if len(parts) == 0 || parts[0].it == nil {
		return rest
	}
	n := d.citeNode(parts[0].it, parts[0].ci)
	names := n.find(isNames)
	if names == nil {
		return rest
	}
	infix := " "
	if cl.Infix != "" {
		infix = " " + strings.TrimSpace(cl.Infix) + " "
	}
	return d.mem.new(node{kids: d.mem.list(names, d.mem.text(infix), rest)})
}

// without gives the tree without one of its nodes; nil where nothing is left.
func (n *node) without(drop *node) *node {
	if n == drop {
		return nil
	}
	if n.kind == kText || len(n.kids) == 0 {
		return n
	}
	c := *n
	c.kids = nil
	for _, k := range n.kids {
		if k = k.without(drop); k != nil {
			c.kids = append(c.kids, k)
		}
	}
	if len(c.kids) == 0 {
		return nil
	}
	return &c
}
