package ingest

import (
	"bytes"

	"golang.org/x/net/html/atom"
)

// mainBlocks finds the text of the page among what stands around it. It would rather keep a menu than lose a paragraph:
// what is not in the text cannot be cited.
//
//  1. Blocks whose tag, role or class says that they are decoration go, and so do blocks that are mostly links.
//  2. The page's own <main>, <article> and the like are taken at their word where they hold most of what is left.
//  3. Else the tree is followed down as long as one child holds nearly all of the prose.
//
// A page that is short or has no prose, as a list of links is, is taken whole.
func (p *htmlPage) mainBlocks() []*block {
	p.measure(p.root)
	all := p.root.chars
	p.prune(p.root, all)
	p.measure(p.root)
	if kept := p.root.chars; kept < all/10 && p.root.prose < 250 {
		// Hardly anything was kept. It was a page of another kind than the rules are for.
		p.keepAll(p.root)
		p.measure(p.root)
		return []*block{p.root}
	}
	main := p.declaredMain()
	if main == nil {
		main = densest(p.root)
	}
	// The page's heading often stands above the element that holds the text.
	if h := p.find(p.root, atom.H1); h != nil && p.find(main, atom.H1) == nil {
		return []*block{h, main}
	}
	return []*block{main}
}

// measure sums up text, links and prose from the leaves.
func (p *htmlPage) measure(b *block) {
	b.chars, b.links, b.prose = 0, 0, 0
	for _, it := range b.items {
		if it.child == nil {
			n, links := int(it.end-it.start), int(it.links)
			b.chars += n
			b.links += links
			if b.tag != atom.Pre && isProse(p.text[it.start:it.end], links) {
				b.prose += n
			}
			continue
		}
		if it.child.drop {
			continue
		}
		p.measure(it.child)
		b.chars += it.child.chars
		b.links += it.child.links
		b.prose += it.child.prose
	}
}

// isProse tells a sentence or two from labels and menus.
func isProse(s []byte, links int) bool {
	if len(s) < 60 || links*2 > len(s) {
		return false
	}
	return bytes.ContainsAny(s, ".,;:!?。、،।") && bytes.Count(s, []byte(" ")) >= 5 || len(s) > 200
}

// prune marks decoration. A block that holds most of the page's prose is none, whatever it is called; and within what
// declares itself the text, names count for less.
func (p *htmlPage) prune(b *block, all int) {
	for _, it := range b.items {
		c := it.child
		if c == nil {
			continue
		}
		switch {
		case c.hint == decoration && p.decorative(c, all):
			c.drop = true
		case linkList(c) && c.chars*2 < all:
			c.drop = true
		case c.tag == atom.Header && c.prose == 0 && p.find(c, atom.H1) == nil && b.tag != atom.Article:
			c.drop = true
		default:
			p.prune(c, all)
		}
	}
}

func (p *htmlPage) decorative(c *block, all int) bool {
	if c.prose*2 > p.root.prose && c.prose > 0 {
		return false
	}
	switch c.tag {
	case atom.Nav, atom.Menu:
		return true
	}
	if inside(c, mainText) {
		// A note beside the text belongs to it; links to other articles do not.
		return c.prose*2 < c.chars
	}
	return c.chars*2 < all || c.prose == 0
}

func inside(b *block, h hint) bool {
	for b = b.parent; b != nil; b = b.parent {
		if b.hint == h {
			return true
		}
	}
	return false
}

// linkList recognises menus that no name gives away: short links and little else.
func linkList(b *block) bool {
	switch b.tag {
	case atom.Ul, atom.Ol, atom.Div, atom.Section, atom.Table, atom.Form, atom.Dl:
	default:
		return false
	}
	return b.prose == 0 && b.chars > 20 && b.links*10 > b.chars*7
}

func (p *htmlPage) keepAll(b *block) {
	for _, it := range b.items {
		if c := it.child; c != nil {
			// What is a menu by its tag stays one.
			c.drop = c.tag == atom.Nav && p.root.prose > 0
			p.keepAll(c)
		}
	}
}

// declaredMain is the element that says it holds the text, where it holds most of the prose that is left. Of several
// articles none is the text of the page.
func (p *htmlPage) declaredMain() *block {
	var found []*block
	var walk func(b *block)
	walk = func(b *block) {
		if b.drop {
			return
		}
		if b.hint == mainText {
			found = append(found, b)
		}
		for _, it := range b.items {
			if it.child != nil {
				walk(it.child)
			}
		}
	}
	walk(p.root)
	var best *block
	for _, b := range found {
		// The innermost that still holds nearly all: <main> is often <main><article>.
		if b.prose*10 >= p.root.prose*6 && b.chars*10 >= p.root.chars*3 && b.chars > 0 {
			if best == nil || b.prose*10 >= best.prose*9 && b.chars*10 >= best.chars*7 {
				best = b
			}
		}
	}
	return best
}

// densest goes down while one child holds nearly all prose, so that what stands beside it on the way is left behind.
func densest(b *block) *block {
	for {
		var best *block
		for _, it := range b.items {
			if c := it.child; c != nil && !c.drop && (best == nil || c.prose > best.prose) {
				best = c
			}
		}
		if best == nil || b.prose < 500 || best.prose*20 < b.prose*19 || best.chars*10 < b.chars*6 {
			return b
		}
		switch best.tag {
		case atom.Div, atom.Section, atom.Article, atom.Main, atom.Form, atom.Center, atom.Table, atom.Tbody, atom.Tr, atom.Td, atom.Body:
			b = best
		default:
			return b
		}
	}
}

// find gives the first block of a kind with text in it.
func (p *htmlPage) find(b *block, tag atom.Atom) *block {
	if b.drop {
		return nil
	}
	if b.tag == tag && b.chars > 0 {
		return b
	}
	for _, it := range b.items {
		if it.child == nil {
			continue
		}
		if f := p.find(it.child, tag); f != nil {
			return f
		}
	}
	return nil
}

func (p *htmlPage) firstHeading() string {
	if h := p.find(p.root, atom.H1); h != nil {
		return withoutNotes(collapse(p.flat(h)))
	}
	return ""
}
