package csl

import (
	"slices"
	"strconv"
	"strings"
)

// tagList marks the list of names proper inside of a names node, without its label.
const tagList Tag = "name-list"

func (e *namesEl) eval(c *context) (*node, outcome) {
	if n := c.namesNode(e); n != nil {
		return n, important
	}
	for _, s := range e.substitute {
		// What stands in for the names is not shown again: each variable is suppressed as it is read.
		mark := len(c.suppressed)
		c.inSubstitute++
		n, out := s.eval(c)
		c.inSubstitute--
		if n == nil || out != important && n.String() == "" {
			if t, ok := s.(*textEl); ok && t.source == fromTerm {
				return nil, missing // a term that is empty on purpose
			}
			c.suppressed = c.suppressed[:mark]
			continue
		}
		sub := c.mem.new(node{kids: c.mem.list(n), tag: TagNames, name: "substitute"})
		if n.tag == TagNames {
			sub = n
		}
		return c.substituteLook(sub, e), important
	}
	return nil, missing
}

// substituteLook gives a substitute the affixes and font of the names it stands in for.
func (c *context) substituteLook(n *node, e *namesEl) *node {
	l := e.look
	l.textCase, l.delimiter = "", ""
	if l.format == nil && l.prefix == "" && l.suffix == "" && l.display == "" {
		return n
	}
	return c.mem.new(node{kids: c.mem.list(n), tag: TagNames, name: n.name, format: l.format, prefix: l.prefix, suffix: l.suffix, display: l.display})
}

// nameSet is one variable's names, to be rendered together.
type nameSet struct {
	variable string
	term     string
	names    []*name
}

// sets gives the names of an element's variables. Editors who are also the translators are one set, if the locale
// has a word for it.
func (e *namesEl) sets(c *context) []nameSet {
	var out []nameSet
	for _, v := range e.variables {
		if list := c.names(v); len(list) > 0 {
			out = append(out, nameSet{v, v, list})
		}
	}
	if len(out) == 2 && isRole(out[0].variable) && isRole(out[1].variable) && sameNames(out[0].names, out[1].names) {
		form := "long"
		if e.label != nil {
			form = e.label.form
		}
		if t, ok := c.locale.term("editortranslator", form, false); ok && t != "" {
			out = []nameSet{{out[0].variable, "editortranslator", out[0].names}}
		}
	}
	return out
}

func isRole(variable string) bool { return variable == "editor" || variable == "translator" }

func sameNames(a, b []*name) bool {
	return slices.EqualFunc(a, b, func(x, y *name) bool { return x.full() == y.full() })
}

func (c *context) namesNode(e *namesEl) *node {
	sets := e.sets(c)
	if len(sets) == 0 {
		return nil
	}
	o := &e.opts[c.area]
	if c.sortNames != nil {
		o = c.sortOptions(o)
	}
	if o.form == "count" {
		return c.countNode(e, sets, o)
	}
	if c.inSubstitute > 0 {
		c.suppressed = append(c.suppressed, e.variables...)
	}
	var kids []*node
	for _, s := range sets {
		list := c.listNode(e, s, o)
		if len(list.kids) == 0 {
			continue
		}
		kids = append(kids, c.labelled(e, s, list))
	}
	if len(kids) == 0 {
		return nil
	}
	delim := e.delimiter
	if !e.hasDelim {
		delim = o.namesDelimiter
	}
	n := c.mem.new(node{kids: kids, delim: delim, tag: TagNames, name: sets[0].variable})
	if e.stripPeriods {
		stripPeriods(n)
	}
	applyCase(n, e.textCase, c.english(), c.locale.Lang)
	if l := e.look; l.format != nil || l.prefix != "" || l.suffix != "" || l.display != "" {
		n.format, n.prefix, n.suffix, n.display = l.format, l.prefix, l.suffix, l.display
	}
	return n
}

// labelled puts the word for the role ("eds.") before or after the names.
func (c *context) labelled(e *namesEl, s nameSet, list *node) *node {
	if e.label == nil || c.sort {
		return list
	}
	plural := len(s.names) > 1
	if e.label.plural == "always" {
		plural = true
	} else if e.label.plural == "never" {
		plural = false
	}
	t, _ := c.locale.term(s.term, e.label.form, plural)
	if t == "" {
		return list
	}
	l := c.finish(c.mem.text(t), &e.label.look)
	l.tag, l.name = TagLabel, s.term
	if e.labelBefore {
		return c.mem.new(node{kids: c.mem.list(l, list)})
	}
	return c.mem.new(node{kids: c.mem.list(list, l)})
}

func (c *context) countNode(e *namesEl, sets []nameSet, o *nameOptions) *node {
	total := 0
	for _, s := range sets {
		shown, _ := c.shown(o, len(s.names), -1)
		total += shown
	}
	if c.sort {
		return c.mem.text(padNumber(total))
	}
	return c.finish(c.mem.new(node{kids: c.mem.list(c.mem.text(strconv.Itoa(total))), tag: TagNumber}), &e.look)
}

// shown gives how many names are given before et al. (or before the last, if that is to follow).
func (c *context) shown(o *nameOptions, total, index int) (n int, etAl bool) {
	minimum, first := o.etAlMin, o.etAlFirst
	if c.subsequent() {
		if o.subMin > 0 {
			minimum = o.subMin
		}
		if o.subFirst > 0 {
			first = o.subFirst
		}
	}
	n = total
	if minimum > 0 && total >= minimum && first < total {
		n = first
	}
	if c.config != nil && index >= 0 && index < len(c.config.names) && c.config.names[index] > n {
		n = min(c.config.names[index], total)
	}
	return n, n < total
}

// listNode renders the names of one variable, joined, with et al. where they are many.
func (c *context) listNode(e *namesEl, s nameSet, o *nameOptions) *node {
	index := c.nameIndex
	c.nameIndex++
	n, etAl := c.shown(o, len(s.names), index)
	last := len(s.names) - 1
	others := last > 0 && s.names[last].literal == "others" // as BibTeX says et al.
	if others {
		n, etAl = min(n, last), true
	}
	c.noteNames(index, s, n, o)
	kids := make([]*node, 0, n+3)
	for i := range n {
		if i > 0 {
			kids = append(kids, c.mem.text(c.between(o, s.names[i-1], i, n, etAl)))
		}
		kids = append(kids, c.nameNode(e, o, s.names[i], i, index))
	}
	list := c.mem.new(node{kids: kids, tag: tagList, name: s.variable, etAl: etAl})
	if !etAl {
		return list
	}
	if o.etAlLast && !others && len(s.names)-n >= 2 {
		list.kids = append(list.kids, c.mem.text(o.delimiter+"… "), c.nameNode(e, o, s.names[last], last, index))
		return list
	}
	if c.sort {
		return list // et al. does not take part in sorting
	}
	term, _ := c.locale.term(e.etAl.term, "long", false)
	if term == "" || n == 0 {
		if n == 0 {
			return c.mem.new(node{tag: tagList})
		}
		return list
	}
	lead := " "
	if eastAsian(term) {
		lead = ""
	}
	switch o.delimiterBeforeEtAl {
	case "always":
		lead = o.delimiter
	case "contextual":
		if n > 1 {
			lead = o.delimiter
		}
	case "after-inverted-name":
		if inverted(o, s.names[n-1], n-1) {
			lead = o.delimiter
		}
	}
	list.kids = append(list.kids, c.mem.text(lead), c.mem.dress(c.mem.new(node{kids: c.mem.list(c.mem.text(term)), tag: TagTerm, name: "et-al"}), &look{format: e.etAl.format, prefix: e.etAl.prefix, suffix: e.etAl.suffix}))
	return list
}

// inverted reports whether the family name of the i-th name comes first and apart.
func inverted(o *nameOptions, n *name, i int) bool {
	return (o.sortOrder == "all" || o.sortOrder == "first" && i == 0) && n.literal == "" && !n.static && o.form != "short" && n.given != ""
}

// between is what stands in front of the i-th of n names.
func (c *context) between(o *nameOptions, before *name, i, n int, etAl bool) string {
	if i < n-1 || o.and == "" || etAl || c.sort {
		return o.delimiter
	}
	and := "&"
	if o.and == "text" {
		and = c.locale.or("and", "and")
	} else if t, ok := c.locale.term("and", "symbol", false); ok && o.and == "symbol" && t != "" && t != c.locale.or("and", "and") {
		and = t
	}
	delim := false
	switch o.delimiterBeforeLast {
	case "always":
		delim = true
	case "contextual":
		delim = n > 2
	case "after-inverted-name":
		delim = inverted(o, before, i-1)
	}
	if strings.HasSuffix(and, "\u2008") {
		return and // written onto the word, as in Hebrew
	}
	if delim {
		return o.delimiter + and + " "
	}
	return " " + and + " "
}

// levels of how much of a given name is shown
const (
	levelFamily = iota
	levelInitials
	levelFull
)

func baseLevel(o *nameOptions) int {
	switch {
	case o.form == "short":
		return levelFamily
	case o.hasInitialWith && o.initialize:
		return levelInitials
	}
	return levelFull
}

func (c *context) nameNode(e *namesEl, o *nameOptions, n *name, i, index int) *node {
	out := c.mem.new(node{tag: TagName, kids: c.nameParts(e, o, n, i, c.level(o, n, i, index))})
	el := e.name
	if n.literal != "" && e.institution != nil {
		return c.mem.dress(out, e.institution)
	}
	if el.format != nil || el.prefix != "" || el.suffix != "" {
		out.format, out.prefix, out.suffix = el.format, el.prefix, el.suffix
	}
	if el.textCase != "" {
		applyCase(out, el.textCase, c.english(), c.locale.Lang)
	}
	return out
}

// nameParts puts the parts of a name into order.
func (c *context) nameParts(e *namesEl, o *nameOptions, n *name, i, level int) []*node {
	if n.literal != "" {
		lit := c.rich(n.literal)
		return c.mem.list(c.part(lit, e.name.family))
	}
	given := c.givenText(o, n, level)
	fp, gp := e.name.family, e.name.given
	family := func(withParticle bool) *node {
		f := c.styled(c.rich(n.family), fp)
		if withParticle && n.nonDropping != "" {
			f = c.glue(c.styled(c.rich(n.nonDropping), fp), f)
		}
		return f
	}
	demote := c.style.demoteParticle
	if n.static {
		if level == levelFamily || given == "" {
			return c.mem.list(c.affixes(family(true), fp))
		}
		sep := ""
		if !eastAsian(n.family) {
			sep = " "
		}
		return c.mem.list(c.mem.new(node{kids: c.mem.list(c.affixes(family(true), fp), c.part(c.rich(given), gp)), delim: sep}))
	}
	if level == levelFamily {
		if c.sort && demote != "never" {
			return c.mem.list(c.affixes(family(false), fp))
		}
		return c.mem.list(c.affixes(family(true), fp))
	}
	invert := o.sortOrder == "all" || o.sortOrder == "first" && i == 0
	if !invert {
		return c.plainOrder(n, given, family(true), fp, gp)
	}
	demoted := demote == "display-and-sort" || c.sort && demote == "sort-only"
	var tail *node
	if given != "" {
		tail = c.styled(c.rich(given), gp)
	}
	if n.dropping != "" {
		sep := " "
		if n.commaParticle {
			sep = ", "
		}
		particle := c.styled(c.rich(n.dropping), gp)
		if tail == nil {
			tail = particle
		} else {
			tail = c.mem.new(node{kids: c.mem.list(tail, particle), delim: sep})
		}
	}
	if demoted && n.nonDropping != "" {
		particle := c.rich(n.nonDropping)
		if fp != nil && fp.format != nil {
			particle = c.mem.new(node{kids: c.mem.list(particle), format: fp.format})
		}
		if tail == nil {
			tail = particle
		} else {
			sep := " "
			if strings.HasSuffix(n.dropping, "'") || strings.HasSuffix(n.dropping, "’") {
				sep = ""
			}
			tail = c.mem.new(node{kids: c.mem.list(tail, particle), delim: sep})
		}
	}
	parts := c.mem.list(c.affixes(family(!demoted), fp))
	if tail != nil {
		parts = append(parts, c.affixes(tail, gp))
	}
	if n.suffix != "" {
		parts = append(parts, c.rich(n.suffix))
	}
	if len(parts) == 1 {
		return parts
	}
	return c.mem.list(c.mem.new(node{kids: parts, delim: o.sortSeparator}))
}

func (c *context) plainOrder(n *name, given string, family *node, fp, gp *namePart) []*node {
	if n.dropping != "" && !n.commaParticle {
		// The particle is not dressed as the family name is, but stands inside of its affixes.
		family = c.glue(c.styled(c.rich(n.dropping), gp), family)
	}
	if n.suffix != "" && fp != nil && (fp.prefix != "" || fp.suffix != "") {
		sep := " "
		if n.commaSuffix {
			sep = ", "
		}
		family = c.mem.new(node{kids: c.mem.list(family, c.rich(n.suffix)), delim: sep})
	}
	if fp != nil && (fp.prefix != "" || fp.suffix != "") {
		family = c.mem.new(node{kids: c.mem.list(family), prefix: fp.prefix, suffix: fp.suffix})
	}
	parts := make([]*node, 0, 3)
	if given != "" {
		parts = append(parts, c.part(c.rich(given), gp))
	}
	parts = append(parts, family)
	out := c.mem.new(node{kids: parts, delim: " "})
	if n.suffix != "" && (fp == nil || fp.prefix == "" && fp.suffix == "") {
		sep := " "
		if n.commaSuffix {
			sep = ", "
		}
		out = c.mem.new(node{kids: c.mem.list(out, c.rich(n.suffix)), delim: sep})
	}
	if n.commaParticle {
		out = c.mem.new(node{kids: c.mem.list(out, c.rich(n.dropping)), delim: ", "})
	}
	return c.mem.list(out)
}

// glue joins a particle to a name, with a space unless it ends in an apostrophe or hyphen.
func (c *context) glue(particle, n *node) *node {
	s := particle.String()
	for _, end := range []string{"’", "'", "-", "‘", "\u2010"} {
		if strings.HasSuffix(s, end) {
			return c.mem.new(node{kids: c.mem.list(particle, n)})
		}
	}
	return c.mem.new(node{kids: c.mem.list(particle, n), delim: " "})
}

// styled gives a name part its font and case, part its affixes too.
func (c *context) styled(n *node, p *namePart) *node {
	if p == nil {
		return n
	}
	applyCase(n, p.textCase, c.english(), c.locale.Lang)
	if p.format == nil {
		return n
	}
	return c.mem.new(node{kids: c.mem.list(n), format: p.format})
}

func (c *context) part(n *node, p *namePart) *node { return c.affixes(c.styled(n, p), p) }

func (c *context) affixes(n *node, p *namePart) *node {
	if p == nil {
		return n
	}
	if p.prefix == "" && p.suffix == "" {
		return n
	}
	return c.mem.new(node{kids: c.mem.list(n), prefix: p.prefix, suffix: p.suffix})
}

func (c *context) givenText(o *nameOptions, n *name, level int) string {
	if n.given == "" || !o.hasInitialWith {
		return n.given
	}
	if n.static && eastAsian(n.family) {
		return n.given
	}
	initialize := o.initialize && level <= levelInitials
	// The same form is asked for again and again: in sorting, comparing, and at last in showing.
	i := 0
	if initialize {
		i = 1
	}
	if s := &n.short[i]; !s.ok || s.with != o.initialWith {
		*s = shortened{initialsOf(n.given, o.initialWith, initialize, c.style.initializeWithHyphen), o.initialWith, true}
	}
	return n.short[i].text
}
