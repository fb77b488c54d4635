package csl

import (
	"fmt"
	"strings"
)

// Node is a part of the output in structured form: text, or parts with a tag, a font, or both. As JSON it is what a web
// page needs to show a citation its own way, each part knowing what it is.
type Node struct {
	Tag   Tag      `json:"tag,omitempty"`  // "names", "date", "variable" …
	Name  string   `json:"name,omitempty"` // of the variable, term or cited reference
	Text  string   `json:"text,omitempty"`
	Font  []string `json:"font,omitempty"` // "italic", "bold", "small-caps", "underline", "sup", "sub", or "normal"
	Parts []Node   `json:"parts,omitempty"`
}

// String gives the text of a node without its marks.
func (n Node) String() string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

func (n Node) write(b *strings.Builder) {
	b.WriteString(n.Text)
	for _, p := range n.Parts {
		p.write(b)
	}
}

// Structure gives every citation as a node.
func (d *Document) Structure() []Node {
	d.process()
	out := make([]Node, len(d.clusters))
	for i, cl := range d.clusters {
		d.mem.reset()
		if n := d.citationNode(cl); n != nil {
			out[i] = d.structure(n)
		} else {
			out[i] = Node{Text: noForm}
		}
	}
	return out
}

// BibliographyStructure gives every entry of the bibliography as a node whose Name is the id of the reference.
func (d *Document) BibliographyStructure() ([]Node, error) {
	a := d.style.bibliography
	if a == nil {
		return nil, fmt.Errorf("style %s: %w", d.style.name(), ErrNoBibliography)
	}
	d.process()
	var out []Node
	var last lastNames
	for _, it := range d.sorted {
		d.mem.reset()
		n := d.entryNode(it)
		if n == nil {
			if a.usesNumber {
				out = append(out, Node{Tag: TagEntry, Name: it.id, Text: fmt.Sprintf("%d. %s", it.number, noForm)})
			}
			continue
		}
		if a.hasSubAuthor {
			n = last.substitute(n, a, d.mem)
		}
		node := d.structure(n)
		node.Tag, node.Name = TagEntry, it.id
		out = append(out, node)
	}
	return out, nil
}

func (d *Document) structure(n *node) Node {
	s := stream{tagged: true}
	s.emit(n, false)
	s.settle(d.locale.inQuote())
	w := writer{quotes: d.quotes}
	stack := []Node{{}}
	top := func() *Node { return &stack[len(stack)-1] }
	pop := func() {
		done := *top()
		stack = stack[:len(stack)-1]
		if len(done.Parts) > 0 {
			top().Parts = append(top().Parts, done)
		}
	}
	for i := range s.events {
		e := &s.events[i]
		switch e.op {
		case evText, evOpenQuote, evCloseQuote:
			w.b.Reset()
			w.write(s.events[i : i+1])
			if w.b.Len() > 0 {
				top().Parts = append(top().Parts, Node{Text: w.b.String()})
			}
		case evOpen:
			next := Node{}
			switch {
			case e.node != nil:
				next.Tag, next.Name = e.node.tag, e.node.name
			case e.disp != "":
				next.Tag, next.Name = TagBlock, e.disp
			default:
				next.Font = w.fonts(e)
			}
			stack = append(stack, next)
		case evClose:
			if e.node == nil && e.disp == "" {
				w.now = w.stack[len(w.stack)-1]
				w.stack = w.stack[:len(w.stack)-1]
			}
			pop()
		}
	}
	return stack[0]
}

// fonts gives the names of the fonts that open here, as they come out among those around them.
func (w *writer) fonts(e *event) []string {
	var out []string
	w.stack = append(w.stack, w.now)
	w.eachFont(e, func(_, value string) { out = append(out, value) })
	return out
}
