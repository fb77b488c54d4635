package csl

import (
	"slices"
	"strconv"
	"strings"
)

// context is what one rendering of one item needs to know.
type context struct {
	mem    *arena
	style  *Style
	locale *Locale
	quotes *quotes
	it     *item
	cite   *cite
	area   int
	config *ambiguity
	namer  *nameRegistry

	sort      bool
	looking   bool     // rendered only to be compared with others
	sortNames *sortKey // the names-min and names-use-first of the key
	sortOpts  nameOptions

	suppressed   []string // variables already shown in place of names
	inSubstitute int
	nameIndex    int

	firstYear     *node
	onNames       func(nameSet)
	record        *ambiguity // filled with what the names could be, for disambiguation
	seenCondition int        // disambiguate conditions met
	depth         int
}

// cite is one reference inside of a citation.
type cite struct {
	CiteItem
	position  Position
	nearNote  bool
	noteIndex int
	firstNote int
}

func (c *context) english() bool {
	if c.it != nil && c.it.lang != "" {
		return isEnglish(c.it.lang)
	}
	lang := c.style.DefaultLocale
	if lang == "" {
		lang = c.locale.Lang
	}
	return isEnglish(lang)
}

func isEnglish(lang string) bool {
	lang = strings.ToLower(lang)
	return lang == "en" || strings.HasPrefix(lang, "en-") || strings.HasPrefix(lang, "en_") || lang == "eng" || lang == "english"
}

func (c *context) subsequent() bool {
	return c.cite != nil && c.area == inCitation && c.cite.position > First
}

// variable gives the text of a variable, "" where the item has none.
func (c *context) variable(name, form string) string {
	if len(c.suppressed) > 0 && slices.Contains(c.suppressed, name) {
		return ""
	}
	v := c.lookup(name, form)
	if v != "" && c.inSubstitute > 0 {
		c.suppressed = append(c.suppressed, name)
	}
	return v
}

func (c *context) lookup(name, form string) string {
	it := c.it
	switch name {
	case "locator":
		if c.cite == nil || c.area == inBibliography {
			return ""
		}
		return c.cite.Locator
	case "citation-number":
		if it.number == 0 {
			return ""
		}
		return strconv.Itoa(it.number)
	case "first-reference-note-number":
		if c.cite == nil || c.cite.firstNote == 0 || c.cite.position == First {
			return ""
		}
		return strconv.Itoa(c.cite.firstNote)
	case "year-suffix":
		return yearSuffix(c.suffix())
	case "citation-label":
		if v := it.text[name]; v != "" {
			return v
		}
		return c.trigraph()
	case "page-first":
		if v := it.text[name]; v != "" {
			return v
		}
		return firstPage(it.text["page"])
	}
	if form == "short" {
		if v := it.text[name+"-short"]; v != "" {
			return v
		}
	}
	return it.text[name]
}

func (c *context) suffix() int {
	if c.config != nil && c.config.suffix > 0 {
		return c.config.suffix
	}
	return 0
}

func firstPage(s string) string {
	for i, r := range s {
		if r == '-' || r == '–' || r == ',' || r == '&' || r == ' ' {
			return strings.TrimSpace(s[:i])
		}
	}
	return s
}

func (c *context) names(variable string) []*name {
	if len(c.suppressed) > 0 && slices.Contains(c.suppressed, variable) {
		return nil
	}
	return c.it.names[variable]
}

func (c *context) date(variable string) *date {
	if len(c.suppressed) > 0 && slices.Contains(c.suppressed, variable) {
		return nil
	}
	d := c.it.dates[variable]
	if d != nil && c.inSubstitute > 0 {
		c.suppressed = append(c.suppressed, variable)
	}
	return d
}

func (c *context) rich(s string) *node { return c.mem.rich(s, c.quotes) }

// finish applies what an element says of its text.
func (c *context) finish(n *node, l *look) *node {
	if l.stripPeriods {
		stripPeriods(n)
	}
	lang := c.locale.Lang
	if c.it != nil && c.it.lang != "" {
		lang = c.it.lang
	}
	applyCase(n, l.textCase, c.english(), lang)
	return c.mem.dress(n, l)
}

func stripPeriods(n *node) {
	for _, r := range leaves(n, false, nil) {
		r.n.text = strings.ReplaceAll(r.n.text, ".", "")
	}
}

func (e *textEl) eval(c *context) (*node, outcome) {
	switch e.source {
	case fromValue:
		if e.name == "" {
			return nil, plain
		}
		return c.finish(c.rich(e.name), &e.look), plain
	case fromTerm:
		t, ok := c.locale.term(e.name, e.form, e.plural)
		if !ok || t == "" {
			return nil, plain
		}
		n := c.mem.new(node{kind: kRich, kids: c.mem.list(c.mem.text(t)), tag: TagTerm, name: e.name})
		if e.name == "no date" {
			// It says what the date is, so it counts as one.
			return c.finish(n, &e.look), important
		}
		return c.finish(n, &e.look), plain
	case fromMacro:
		return e.evalMacro(c)
	}
	v := c.variable(e.name, e.form)
	if v == "" {
		return nil, missing
	}
	if c.sort && e.name == "citation-number" {
		return c.mem.text(sortableNumber(v)), important
	}
	var n *node
	switch e.name {
	case "page":
		if v2, several := c.numbers(v); several {
			v = v2
		}
		n = c.rich(c.pages(v))
	case "locator":
		n = c.locatorNode(v)
	case "citation-number":
		n = c.mem.new(node{kids: c.mem.list(c.mem.text(v)), tag: TagCiteNum})
	case "year-suffix":
		n = c.mem.new(node{kids: c.mem.list(c.mem.text(v)), tag: TagSuffix})
	case "citation-label":
		n = c.mem.new(node{kids: c.mem.list(c.rich(v))})
		c.firstYear = n
	case "URL", "DOI":
		// An address keeps its letters, whatever the case of the text around it.
		n = c.mem.new(node{kind: kNoCase, kids: c.mem.list(c.mem.new(node{kind: kText, rich: true, text: v}))})
	default:
		if numberVariables[e.name] {
			v, _ = c.numbers(v)
		}
		n = c.rich(v)
	}
	if n.tag == TagText {
		n.tag = TagVariable
	}
	n.name = e.name
	return c.finish(n, &e.look), important
}

// pages gives a page range in the style's form.
func (c *context) pages(v string) string {
	delim := "–"
	if t, ok := c.locale.term("page-range-delimiter", "long", false); ok && t != "" {
		delim = t
	}
	return pageRange(v, c.style.pageRangeFormat, delim)
}

func (c *context) locatorNode(v string) *node {
	v, several := c.numbers(v)
	if several && c.cite.label() == "page" {
		v = c.pages(v)
	}
	n := c.rich(v)
	n.tag = TagLocator
	return n
}

func (ci *cite) label() string { return locatorKey(orElse(ci.Label, "page")) }

func (e *textEl) evalMacro(c *context) (*node, outcome) {
	if c.depth > 100 {
		return nil, missing
	}
	c.depth++
	kids, out := c.evalAll(e.macro.kids)
	c.depth--
	// A macro is a group of its own: terms alone do not speak where all variables are empty.
	if len(kids) == 0 || out == missing {
		return nil, out
	}
	if out == plain {
		out = important // as for a group
	}
	n := c.mem.new(node{kids: kids})
	if len(kids) == 1 && e.format == nil && e.prefix == "" && e.suffix == "" && !e.quotes && e.display == "" {
		n = kids[0]
	}
	return c.finish(n, &e.look), out
}

// evalAll renders elements in order.
func (c *context) evalAll(elements []element) ([]*node, outcome) {
	mark := len(c.mem.scratch)
	out := c.evalInto(elements, plain)
	kids := c.mem.list(c.mem.scratch[mark:]...)
	c.mem.scratch = c.mem.scratch[:mark]
	return kids, out
}

// evalInto puts the nodes onto the scratch stack.
func (c *context) evalInto(elements []element, out outcome) outcome {
	for _, e := range elements {
		if ch, ok := e.(*chooseEl); ok {
			// What a condition lets through stands directly in the group around it.
			if b := ch.branch(c); b != nil {
				out = c.evalInto(b.kids, out)
			}
			continue
		}
		n, o := e.eval(c)
		if n != nil {
			c.mem.scratch = append(c.mem.scratch, n)
		}
		out = out.and(o)
	}
	return out
}

func (e *groupEl) eval(c *context) (*node, outcome) {
	kids, out := c.evalAll(e.kids)
	// A group whose variables are all empty is not shown, not even its terms.
	if out == missing || len(kids) == 0 {
		return nil, out
	}
	n := c.mem.new(node{kids: kids, delim: e.delimiter})
	if e.stripPeriods {
		stripPeriods(n)
	}
	applyCase(n, e.textCase, c.english(), c.locale.Lang)
	l := e.look
	n.format, n.prefix, n.suffix, n.display, n.quoted = l.format, l.prefix, l.suffix, l.display, l.quotes
	if out == plain {
		out = important // a group that shows something counts as a variable for the group around it
	}
	return n, out
}

func (e *chooseEl) eval(c *context) (*node, outcome) {
	b := e.branch(c)
	if b == nil {
		return nil, plain
	}
	kids, out := c.evalAll(b.kids)
	return c.mem.seq(kids, ""), out
}

// branch gives the first branch whose condition holds, nil where none does.
func (e *chooseEl) branch(c *context) *branch {
	for i := range e.branches {
		if b := &e.branches[i]; b.when == nil || b.when.holds(c) {
			return b
		}
	}
	return nil
}

func (e *labelEl) eval(c *context) (*node, outcome) {
	variable := e.variable
	var value string
	name := numberTerm(variable)
	if variable == "locator" {
		if c.cite == nil || c.area == inBibliography || c.cite.Locator == "" {
			return nil, missing
		}
		value, name = c.cite.Locator, c.cite.label()
		if word, _, ok := strings.Cut(value, " "); ok && c.embeddedLabel(word) != "" {
			return nil, plain // the locator brings its own: "vol. 1"
		}
	} else if value = c.lookup(variable, "long"); value == "" || c.inSubstitute == 0 && slices.Contains(c.suppressed, variable) {
		return nil, missing
	}
	plural := false
	switch e.plural {
	case "always":
		plural = true
	case "contextual":
		plural = c.isPlural(variable, value)
	}
	t, ok := c.locale.term(name, e.form, plural)
	if !ok || t == "" {
		return nil, plain
	}
	n := c.mem.new(node{kind: kRich, kids: c.mem.list(c.mem.text(t)), tag: TagLabel, name: name})
	return c.finish(n, &e.look), plain
}

// isPlural reports whether a number variable holds several numbers.
func (c *context) isPlural(variable, value string) bool {
	if variable == "number-of-pages" || variable == "number-of-volumes" {
		if n, err := strconv.Atoi(strings.TrimSpace(value)); err == nil {
			return n > 1
		}
	}
	_, several := c.numbers(value)
	return several
}

func (w *condition) holds(c *context) bool {
	if len(w.tests) == 0 {
		return w.match == "none"
	}
	any, all := false, true
	for _, t := range w.tests {
		if t.holds(c) {
			any = true
		} else {
			all = false
		}
	}
	switch w.match {
	case "any":
		return any
	case "none":
		return !any
	case "nand":
		return !all
	}
	return all
}

func (t test) holds(c *context) bool {
	switch t.kind {
	case testType:
		return c.it.ref.Type == t.value
	case testVariable:
		return c.hasVariable(t.value)
	case testNumeric:
		if t.value == "locator" && c.cite != nil && c.area == inCitation {
			return isNumeric(c.cite.Locator)
		}
		return isNumeric(c.lookup(t.value, "long"))
	case testUncertain:
		d := c.it.dates[t.value]
		return d != nil && d.circa
	case testLocator:
		return c.cite != nil && c.area == inCitation && c.cite.Locator != "" && c.cite.label() == t.value
	case testPosition:
		return c.inPosition(t.value)
	case testDisambiguate:
		c.seenCondition++
		return (t.value == "true") == (c.config != nil && c.config.condition >= c.seenCondition)
	}
	return false
}

func (c *context) hasVariable(v string) bool {
	if len(c.suppressed) > 0 && slices.Contains(c.suppressed, v) {
		return false
	}
	if len(c.it.names[v]) > 0 {
		return true
	}
	if d := c.it.dates[v]; d != nil {
		return true
	}
	return c.lookup(v, "long") != ""
}

func (c *context) inPosition(p string) bool {
	if c.cite == nil || c.area == inBibliography {
		return false
	}
	switch p {
	case "first":
		return c.cite.position == First
	case "subsequent":
		return c.cite.position >= Subsequent
	case "ibid":
		return c.cite.position >= Ibid
	case "ibid-with-locator":
		return c.cite.position >= IbidWithLocator
	case "near-note":
		return c.cite.position >= Subsequent && c.cite.nearNote
	}
	return false
}

// yearSuffix writes 1 as "a", 27 as "aa".
func yearSuffix(n int) string {
	s := ""
	for n > 0 {
		n--
		s = string(rune('a'+n%26)) + s
		n /= 26
	}
	return s
}

// trigraph makes a label of the names and the year: "Doe65", "DRN65".
func (c *context) trigraph() string {
	var families []string
	for _, v := range []string{"author", "editor", "translator"} {
		for _, n := range c.it.names[v] {
			f := n.family
			if n.literal != "" {
				f = n.literal
			}
			families = append(families, strings.TrimSpace(f))
		}
		if len(families) > 0 {
			break
		}
	}
	var b strings.Builder
	each := map[int]int{1: 4, 2: 2, 3: 1}[len(families)]
	if len(families) == 3 {
		each = 1
	}
	if len(families) >= 4 {
		families, each = families[:4], 1
	}
	for i, f := range families {
		n := each
		if len(families) == 3 && i == 0 {
			n = 2
		}
		for _, r := range f {
			if n == 0 {
				break
			}
			b.WriteRune(r)
			n--
		}
	}
	if d := c.it.dates["issued"]; d != nil && d.from.hasYear {
		y := strconv.Itoa(d.from.year)
		b.WriteString(y[max(0, len(y)-2):])
	}
	return b.String()
}
