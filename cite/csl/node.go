package csl

import (
	"slices"
	"strings"
)

// outcome says what a piece of a style gave, which decides whether the group around it is shown.
type outcome uint8

const (
	plain     outcome = iota // no variable was asked for: terms and fixed text
	missing                  // variables were asked for and all were empty
	important                // a variable gave text
)

func (o outcome) and(other outcome) outcome { return max(o, other) }

type nodeKind uint8

const (
	kSeq     nodeKind = iota // kids, joined by delim
	kText                    // text
	kRich                    // the content of a field: its own marks flip against those around them
	kQuote                   // a quotation written inside a field
	kNoCase                  // keeps its capitals
	kNoDecor                 // keeps clear of the marks around it
)

// Tag says what a part of the output is, for those who show it in a structured form.
type Tag string

// The tags of output.
const (
	TagText     Tag = ""
	TagNames    Tag = "names"
	TagName     Tag = "name"
	TagDate     Tag = "date"
	TagYear     Tag = "year"
	TagSuffix   Tag = "year-suffix"
	TagNumber   Tag = "number"
	TagTerm     Tag = "term"
	TagLabel    Tag = "label"
	TagVariable Tag = "variable"
	TagLocator  Tag = "locator"
	TagCiteNum  Tag = "citation-number"
	TagCite     Tag = "cite"
	TagEntry    Tag = "entry"
	TagBlock    Tag = "block"
)

// node is a part of the output before punctuation is settled.
type node struct {
	kind    nodeKind
	quoted  bool // in quotation marks, by the style
	inner   bool // of kQuote: written with inner marks
	etAl    bool // of names: shortened
	rich    bool // of kText: the whole content of a field
	tag     Tag
	name    string // of the variable
	text    string
	kids    []*node
	format  *formatting
	prefix  string
	suffix  string
	delim   string
	display string
}

// arena hands out nodes and lists of them, and takes them all back at once. A rendering needs hundreds, for a moment.
type arena struct {
	nodes    [][]node
	lists    [][]*node
	n, l     int // the chunk in use
	used, at int // in that chunk
	scratch  []*node
}

const chunk = 256

func (mem *arena) reset() { mem.n, mem.l, mem.used, mem.at = 0, 0, 0, 0 }

func (mem *arena) new(n node) *node {
	if mem.n == len(mem.nodes) {
		mem.nodes = append(mem.nodes, make([]node, chunk))
	}
	p := &mem.nodes[mem.n][mem.used]
	*p = n
	if mem.used++; mem.used == chunk {
		mem.n, mem.used = mem.n+1, 0
	}
	return p
}

func (mem *arena) text(s string) *node { return mem.new(node{kind: kText, text: s}) }

// list copies nodes into a list of their own. Appending to it makes a new one.
func (mem *arena) list(kids ...*node) []*node {
	n := len(kids)
	if n == 0 {
		return nil
	}
	if n > chunk {
		return slices.Clone(kids)
	}
	if mem.l < len(mem.lists) && mem.at+n > chunk {
		mem.l, mem.at = mem.l+1, 0
	}
	if mem.l == len(mem.lists) {
		mem.lists = append(mem.lists, make([]*node, chunk))
	}
	out := mem.lists[mem.l][mem.at : mem.at+n : mem.at+n]
	copy(out, kids)
	mem.at += n
	return out
}

// seq joins what there is; nil where there is nothing.
func (mem *arena) seq(kids []*node, delim string) *node {
	switch len(kids) {
	case 0:
		return nil
	case 1:
		return kids[0]
	}
	return mem.new(node{kids: kids, delim: delim})
}

// dress gives a node the look of its element. What already has a look is wrapped.
func (mem *arena) dress(n *node, l *look) *node {
	if n == nil {
		return nil
	}
	if l.format == nil && l.prefix == "" && l.suffix == "" && l.display == "" && !l.quotes {
		return n
	}
	if n.kind != kSeq || n.format != nil || n.prefix != "" || n.suffix != "" || n.display != "" || n.quoted {
		n = mem.new(node{kids: mem.list(n), tag: n.tag, name: n.name})
	}
	n.format, n.prefix, n.suffix, n.display, n.quoted = l.format, l.prefix, l.suffix, l.display, l.quotes
	return n
}

// plainText gives the text without marks and without settled punctuation: for comparing, not for showing.
func (n *node) plainText(b *strings.Builder) {
	if n == nil {
		return
	}
	b.WriteString(n.prefix)
	if n.kind == kText {
		b.WriteString(n.text)
	}
	for i, k := range n.kids {
		if i > 0 {
			b.WriteString(n.delim)
		}
		k.plainText(b)
	}
	b.WriteString(n.suffix)
}

func (n *node) String() string {
	var b strings.Builder
	n.plainText(&b)
	return b.String()
}

// find gives the first node for which ok holds, depth first.
func (n *node) find(ok func(*node) bool) *node {
	if n == nil || ok(n) {
		return n
	}
	for _, k := range n.kids {
		if f := k.find(ok); f != nil {
			return f
		}
	}
	return nil
}
