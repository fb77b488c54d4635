package csl

import (
	"fmt"
	"strings"
)

// noForm stands for a reference of which the style shows nothing.
const noForm = "[CSL STYLE ERROR: reference with no printed form.]"

// Bibliography is a rendered list of references.
type Bibliography struct {
	Entries []Entry
	Params  Params
}

// Entry is one reference of a bibliography.
type Entry struct {
	ID   string
	Text string
}

// Params is how a bibliography wants to be laid out.
type Params struct {
	HangingIndent    bool
	SecondFieldAlign string // "", "flush", "margin"
	LineSpacing      int
	EntrySpacing     int
}

// Bibliography renders the references that were cited or named by Nocite, in the style's order.
// Where the style has none the error is ErrNoBibliography.
func (d *Document) Bibliography(f Format) (Bibliography, error) {
	a := d.style.bibliography
	if a == nil {
		return Bibliography{}, fmt.Errorf("style %s: %w", d.style.name(), ErrNoBibliography)
	}
	d.process()
	b := Bibliography{Entries: make([]Entry, 0, len(d.sorted)), Params: Params{a.hangingIndent, a.secondFieldAlign, a.lineSpacing, a.entrySpacing}}
	var last lastNames
	for _, it := range d.sorted {
		d.mem.reset()
		n := d.entryNode(it)
		if n == nil && !a.usesNumber {
			if !d.unlisted[it.id] {
				d.unlisted[it.id] = true
				d.warn(it.id, "is not listed: the style has no form for such a work in its bibliography")
			}
			continue
		}
		if a.hasSubAuthor && n != nil {
			n = last.substitute(n, a, d.mem)
		}
		text := fmt.Sprintf("%d. %s", it.number, noForm)
		if n != nil {
			text = d.write(n, f)
		}
		b.Entries = append(b.Entries, Entry{it.id, text})
	}
	return b, nil
}

// Frame puts entries in HTML into the frame that the CSL test-suite gives them. For other formats join the entries.
func (b Bibliography) Frame() string {
	var s strings.Builder
	s.WriteString("<div class=\"csl-bib-body\">\n")
	for _, e := range b.Entries {
		s.WriteString("  <div class=\"csl-entry\">")
		s.WriteString(e.Text)
		s.WriteString("</div>\n")
	}
	s.WriteString("</div>")
	return s.String()
}

func (d *Document) entryNode(it *item) *node {
	a := d.style.bibliography
	c := d.newContext(it, inBibliography)
	kids, _ := c.evalAll(a.layout.kids)
	if len(kids) == 0 {
		return nil
	}
	c.addYearSuffix()
	mem := d.mem
	n := mem.new(node{kids: kids, delim: a.layout.delimiter})
	n.prefix, n.suffix = a.layout.prefix, a.layout.suffix
	if last := kids[len(kids)-1]; n.suffix != "" && last.display != "" {
		// The suffix belongs to the last block, not behind it.
		kids[len(kids)-1] = mem.new(node{kids: mem.list(mem.new(node{kids: last.kids, kind: last.kind, text: last.text, format: last.format, prefix: last.prefix, suffix: last.suffix,
			delim: last.delim, quoted: last.quoted, tag: last.tag, name: last.name})), display: last.display, suffix: n.suffix})
		n.suffix = ""
	}
	if a.secondFieldAlign != "" && len(kids) > 1 {
		rest := mem.new(node{kids: kids[1:], display: "right-inline", suffix: a.layout.suffix})
		first := mem.new(node{kids: kids[:1], display: "left-margin", prefix: a.layout.prefix})
		n = mem.new(node{kids: mem.list(first, rest)})
	}
	if a.layout.format != nil {
		n = mem.new(node{kids: mem.list(n), format: a.layout.format})
	}
	return n
}

// lastNames remembers the names of the entry before, which the style may replace by a dash.
type lastNames struct {
	names []string
	all   string
}

// substitute puts the dash, or nothing, in the place of names that were given in the entry before.
func (l *lastNames) substitute(n *node, a *area, mem *arena) *node {
	lists := nameLists(n)
	var names []string
	var all string
	for _, list := range lists {
		all += list.String() + "\x00"
		for _, k := range list.kids {
			if k.tag == TagName {
				names = append(names, k.String())
			}
		}
	}
	before := *l
	l.names, l.all = names, all
	if len(lists) == 0 || all == "" {
		return n
	}
	if len(names) == 0 { // a title in the place of names
		if all == before.all {
			lists[0].kids = mem.list(mem.text(a.subAuthor))
		}
		return n
	}
	switch a.subAuthorRule {
	case "complete-all":
		if all == before.all {
			if a.subAuthor == "" {
				return n.without(n.find(isNames))
			}
			for i, list := range lists {
				list.kids = nil
				if i == 0 {
					list.kids = mem.list(mem.text(a.subAuthor))
				}
			}
		}
	case "complete-each":
		if all == before.all {
			eachName(mem, lists, len(names), a.subAuthor)
		}
	case "partial-each":
		eachName(mem, lists, commonStart(names, before.names), a.subAuthor)
	case "partial-first":
		eachName(mem, lists, min(1, commonStart(names, before.names)), a.subAuthor)
	}
	return n
}

func commonStart(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func eachName(mem *arena, lists []*node, count int, with string) {
	for _, list := range lists {
		for i, k := range list.kids {
			if k.tag != TagName {
				continue
			}
			if count == 0 {
				return
			}
			count--
			list.kids[i] = mem.new(node{kids: mem.list(mem.text(with)), tag: TagName})
		}
	}
}

// nameLists gives the lists of names of the first names in an entry.
func nameLists(n *node) []*node {
	first := n.find(isNames)
	if first == nil {
		return nil
	}
	var out []*node
	var visit func(*node)
	visit = func(n *node) {
		if n.tag == tagList {
			out = append(out, n)
			return
		}
		for _, k := range n.kids {
			visit(k)
		}
	}
	visit(first)
	if len(out) == 0 && first.name == "substitute" {
		out = []*node{first}
	}
	return out
}
