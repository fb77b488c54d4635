package csl

import (
	"fmt"
	"io"
	"maps"
	"strconv"
	"strings"
)

// ParseStyle reads a CSL style. The error names line and element and wraps ibid.ErrInvalid.
func ParseStyle(r io.Reader) (*Style, error) {
	root, err := readXML(r)
	if err != nil {
		return nil, fmt.Errorf("style: %w", err)
	}
	s, err := parseStyle(root)
	if err != nil {
		return nil, fmt.Errorf("style: %w", err)
	}
	return s, nil
}

// parser carries what is needed while a style is read.
type parser struct {
	style   *Style
	chain   []string // macros being read, to name a loop
	inherit [2]map[string]string
	parent  *namesEl // the names whose substitute is being read
}

func parseStyle(root *xmlNode) (*Style, error) {
	if root.name != "style" {
		return nil, root.errorf("not a CSL style: the root element must be <style>")
	}
	s := &Style{
		Class:                orElse(root.get("class"), "in-text"),
		DefaultLocale:        root.get("default-locale"),
		initializeWithHyphen: root.get("initialize-with-hyphen") != "false",
		pageRangeFormat:      root.get("page-range-format"),
		demoteParticle:       orElse(root.get("demote-non-dropping-particle"), "display-and-sort"),
		macros:               map[string]*macro{},
	}
	parseInfo(&s.Info, root.child("info"))
	p := &parser{style: s}
	var citation, bibliography *xmlNode
	for _, k := range root.kids {
		switch k.name {
		case "macro":
			name := k.get("name")
			if name == "" {
				return nil, k.errorf("a macro needs a name")
			}
			s.macros[name] = &macro{name: name, line: k.line, xml: k}
		case "citation":
			citation = k
		case "bibliography":
			bibliography = k
		case "locale":
			l, err := parseLocaleNode(k)
			if err != nil {
				return nil, err
			}
			s.locales = append(s.locales, l)
		}
	}
	if citation == nil {
		if s.Info.Parent != "" {
			return s, nil // a dependent style: nothing but a pointer
		}
		return nil, root.errorf("no <citation> element, and no independent-parent link")
	}
	p.inherit[inCitation] = merged(root.attr, citation.attr)
	p.inherit[inBibliography] = p.inherit[inCitation]
	if bibliography != nil {
		p.inherit[inBibliography] = merged(root.attr, bibliography.attr)
	}
	for _, k := range root.kids {
		if k.name == "macro" {
			if err := p.readMacro(s.macros[k.get("name")], k); err != nil {
				return nil, err
			}
		}
	}
	var err error
	if s.citation, err = p.area(citation); err != nil {
		return nil, err
	}
	if bibliography != nil {
		if s.bibliography, err = p.area(bibliography); err != nil {
			return nil, err
		}
	}
	for _, m := range s.macros {
		m.xml = nil
	}
	return s, nil
}

func parseInfo(info *Info, n *xmlNode) {
	if n == nil {
		return
	}
	for _, k := range n.kids {
		text := strings.TrimSpace(k.text)
		switch k.name {
		case "id":
			info.ID = text
		case "title":
			info.Title = text
		case "title-short":
			info.ShortTitle = text
		case "summary":
			info.Summary = strings.Join(strings.Fields(text), " ")
		case "updated":
			info.Updated = text
		case "link":
			if k.get("rel") == "independent-parent" {
				info.Parent = k.get("href")
			}
		case "category":
			if f := k.get("citation-format"); f != "" {
				info.Format = f
			}
			if f := k.get("field"); f != "" {
				info.Fields = append(info.Fields, f)
			}
		}
	}
}

func merged(ms ...map[string]string) map[string]string {
	out := map[string]string{}
	for _, m := range ms {
		maps.Copy(out, m)
	}
	return out
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func (p *parser) area(n *xmlNode) (*area, error) {
	a := &area{
		addNames:           n.get("disambiguate-add-names") == "true",
		addGiven:           n.get("disambiguate-add-givenname") == "true",
		addYearSuffix:      n.get("disambiguate-add-year-suffix") == "true",
		givenRule:          orElse(n.get("givenname-disambiguation-rule"), "by-cite"),
		citeGroupDelimiter: ", ",
		collapse:           n.get("collapse"),
		nearNoteDistance:   5,
		hangingIndent:      n.get("hanging-indent") == "true",
		secondFieldAlign:   n.get("second-field-align"),
		subAuthor:          n.get("subsequent-author-substitute"),
		hasSubAuthor:       n.has("subsequent-author-substitute"),
		subAuthorRule:      orElse(n.get("subsequent-author-substitute-rule"), "complete-all"),
		lineSpacing:        1,
		entrySpacing:       1,
	}
	if n.has("cite-group-delimiter") {
		a.citeGroupDelimiter = n.get("cite-group-delimiter")
		a.groups, a.hasGroupDelimiter = true, true
	}
	switch a.collapse {
	case "year", "year-suffix", "year-suffix-ranged":
		a.groups = true
	}
	for name, field := range map[string]*int{"near-note-distance": &a.nearNoteDistance, "line-spacing": &a.lineSpacing, "entry-spacing": &a.entrySpacing} {
		if v, err := strconv.Atoi(n.get(name)); err == nil {
			*field = v
		}
	}
	for _, k := range n.kids {
		switch k.name {
		case "layout":
			if k.has("locale") && a.layout != nil {
				continue
			}
			kids, err := p.elements(k)
			if err != nil {
				return nil, err
			}
			a.layout = &layoutEl{look: parseLook(k), kids: kids}
		case "sort":
			keys, err := p.sortKeys(k)
			if err != nil {
				return nil, err
			}
			a.sort = keys
		}
	}
	if a.layout == nil {
		return nil, n.errorf("no <layout> inside")
	}
	a.yearSuffixDelimiter = a.layout.delimiter
	if a.hasGroupDelimiter {
		a.yearSuffixDelimiter = a.citeGroupDelimiter
	}
	if n.has("year-suffix-delimiter") {
		a.yearSuffixDelimiter = n.get("year-suffix-delimiter")
	}
	a.afterCollapseDelimiter = a.layout.delimiter
	if n.has("after-collapse-delimiter") {
		a.afterCollapseDelimiter, a.hasAfterCollapse = n.get("after-collapse-delimiter"), true
	}
	walk(a.layout.kids, func(e element) {
		if t, ok := e.(*textEl); ok && t.source == fromVariable {
			p.style.placesSuffix = p.style.placesSuffix || t.name == "year-suffix"
			a.usesNumber = a.usesNumber || t.name == "citation-number"
		}
		if t, ok := e.(*numberEl); ok {
			a.usesNumber = a.usesNumber || t.variable == "citation-number"
		}
	})
	return a, nil
}

// walk visits every element that can be reached, macros included.
func walk(kids []element, visit func(element)) {
	for _, e := range kids {
		visit(e)
		switch e := e.(type) {
		case *textEl:
			if e.macro != nil {
				walk(e.macro.kids, visit)
			}
		case *groupEl:
			walk(e.kids, visit)
		case *chooseEl:
			for _, b := range e.branches {
				walk(b.kids, visit)
			}
		case *namesEl:
			walk(e.substitute, visit)
		}
	}
}

func (p *parser) sortKeys(n *xmlNode) ([]sortKey, error) {
	var keys []sortKey
	for _, k := range n.kids {
		if k.name != "key" {
			continue
		}
		key := sortKey{variable: k.get("variable"), descending: k.get("sort") == "descending", namesLast: k.get("names-use-last")}
		key.namesMin, _ = strconv.Atoi(k.get("names-min"))
		key.namesFirst, _ = strconv.Atoi(k.get("names-use-first"))
		if name := k.get("macro"); name != "" {
			m, err := p.macro(k, name)
			if err != nil {
				return nil, err
			}
			key.macro = m
		} else if key.variable == "" {
			return nil, k.errorf("needs a variable or a macro")
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// macro finds a macro by name, reading its body at first use.
func (p *parser) macro(n *xmlNode, name string) (*macro, error) {
	m := p.style.macros[name]
	if m == nil {
		return nil, n.errorf("calls macro %q, which the style does not have", name)
	}
	return m, p.readMacro(m, n)
}

func (p *parser) readMacro(m *macro, caller *xmlNode) error {
	if m.done {
		return nil
	}
	if m.busy {
		return caller.errorf("macro loop: %s", strings.Join(append(p.chain, m.name), " calls "))
	}
	m.busy = true
	p.chain = append(p.chain, m.name)
	parent := p.parent
	p.parent = nil
	kids, err := p.elements(m.xml)
	p.parent = parent
	p.chain = p.chain[:len(p.chain)-1]
	m.kids, m.busy, m.done = kids, false, true
	return err
}

func (p *parser) elements(n *xmlNode) ([]element, error) {
	var out []element
	for _, k := range n.kids {
		e, err := p.element(k)
		if err != nil {
			return nil, err
		}
		if e != nil {
			out = append(out, e)
		}
	}
	return out, nil
}

func (p *parser) element(n *xmlNode) (element, error) {
	switch n.name {
	case "text":
		return p.text(n)
	case "number":
		return &numberEl{look: parseLook(n), variable: n.get("variable"), form: orElse(n.get("form"), "numeric")}, nil
	case "label":
		return p.labelEl(n), nil
	case "group":
		kids, err := p.elements(n)
		return &groupEl{look: parseLook(n), kids: kids}, err
	case "choose":
		return p.choose(n)
	case "names":
		return p.names(n)
	case "date":
		return p.date(n), nil
	}
	return nil, n.errorf("not a CSL rendering element")
}

func (p *parser) text(n *xmlNode) (element, error) {
	t := &textEl{look: parseLook(n), form: orElse(n.get("form"), "long"), plural: n.get("plural") == "true"}
	switch {
	case n.has("variable"):
		t.source, t.name = fromVariable, n.get("variable")
	case n.has("macro"):
		t.source, t.name = fromMacro, n.get("macro")
		m, err := p.macro(n, t.name)
		if err != nil {
			return nil, err
		}
		t.macro = m
	case n.has("term"):
		t.source, t.name = fromTerm, n.get("term")
	case n.has("value"):
		t.source, t.name = fromValue, n.get("value")
	default:
		return nil, n.errorf("needs one of variable, macro, term, value")
	}
	return t, nil
}

func (p *parser) labelEl(n *xmlNode) *labelEl {
	return &labelEl{look: parseLook(n), variable: n.get("variable"), form: orElse(n.get("form"), "long"),
		plural: orElse(n.get("plural"), "contextual")}
}

func (p *parser) choose(n *xmlNode) (element, error) {
	c := &chooseEl{}
	for _, k := range n.kids {
		var b branch
		switch k.name {
		case "if", "else-if":
			b.when = p.condition(k)
		case "else":
		default:
			return nil, k.errorf("not allowed inside <choose>")
		}
		kids, err := p.elements(k)
		if err != nil {
			return nil, err
		}
		b.kids = kids
		c.branches = append(c.branches, b)
	}
	return c, nil
}

func (p *parser) condition(n *xmlNode) *condition {
	c := &condition{match: orElse(n.get("match"), "all")}
	for _, k := range []struct {
		attr string
		kind testKind
	}{
		{"type", testType}, {"variable", testVariable}, {"is-numeric", testNumeric}, {"is-uncertain-date", testUncertain},
		{"locator", testLocator}, {"position", testPosition}, {"disambiguate", testDisambiguate},
	} {
		for _, v := range strings.Fields(n.get(k.attr)) {
			if k.kind == testLocator {
				v = locatorKey(v)
			}
			c.tests = append(c.tests, test{k.kind, v})
			if k.kind == testDisambiguate {
				p.style.usesDisambiguate = true
			}
		}
	}
	return c
}

// locatorKey gives one spelling to locator types: "sub-verbo" and "sub verbo" are the same.
func locatorKey(s string) string { return strings.ReplaceAll(s, " ", "-") }

func parseLook(n *xmlNode) look {
	return look{
		format: parseFormatting(n), prefix: n.get("prefix"), suffix: n.get("suffix"), delimiter: n.get("delimiter"),
		display: n.get("display"), textCase: n.get("text-case"), quotes: n.get("quotes") == "true",
		stripPeriods: n.get("strip-periods") == "true",
	}
}

func parseFormatting(n *xmlNode) *formatting {
	f := formatting{
		style: n.get("font-style"), variant: n.get("font-variant"), weight: n.get("font-weight"),
		decoration: n.get("text-decoration"), align: n.get("vertical-align"),
	}
	if f == (formatting{}) {
		return nil
	}
	return &f
}

func (p *parser) date(n *xmlNode) element {
	d := &dateEl{look: parseLook(n), variable: n.get("variable"), form: n.get("form"), show: n.get("date-parts")}
	for _, k := range n.kids {
		if k.name == "date-part" {
			d.parts = append(d.parts, parseDatePart(k))
		}
	}
	if d.form != "" {
		d.partsOver = map[string]datePart{}
		for _, part := range d.parts {
			d.partsOver[part.name] = part
		}
	}
	return d
}

func parseDatePart(n *xmlNode) datePart {
	part := datePart{look: parseLook(n), name: n.get("name"), form: n.get("form"), rangeDelimiter: "–", hasPrefix: n.has("prefix"), hasSuffix: n.has("suffix")}
	if n.has("range-delimiter") {
		part.rangeDelimiter = n.get("range-delimiter")
	}
	return part
}

func (p *parser) names(n *xmlNode) (element, error) {
	e := &namesEl{look: parseLook(n), variables: strings.Fields(n.get("variable")), hasDelim: n.has("delimiter")}
	var sub *xmlNode
	for _, k := range n.kids {
		switch k.name {
		case "name":
			e.name = p.nameEl(k)
			e.labelBefore = e.label != nil
		case "et-al":
			e.etAl = &etAlEl{format: parseFormatting(k), term: orElse(k.get("term"), "et-al"), prefix: k.get("prefix"), suffix: k.get("suffix")}
		case "label":
			e.label = p.labelEl(k)
		case "institution":
			l := parseLook(k)
			e.institution = &l
		case "substitute":
			sub = k
		default:
			return nil, k.errorf("not allowed inside <names>")
		}
	}
	// Inside substitute, <names variable="editor"/> looks as the names it stands in for.
	if p.parent != nil && e.name == nil && e.label == nil && e.etAl == nil {
		e.name, e.etAl, e.label, e.labelBefore = p.parent.name, p.parent.etAl, p.parent.label, p.parent.labelBefore
		if !e.hasDelim {
			e.delimiter, e.hasDelim = p.parent.delimiter, p.parent.hasDelim
		}
	}
	if e.name == nil {
		e.name = &nameEl{line: n.line}
	}
	if e.etAl == nil {
		e.etAl = &etAlEl{term: "et-al"}
	}
	for i := range e.opts {
		e.opts[i] = flattenNames(p.inherit[i], e.name.attr)
	}
	if sub != nil {
		outer := p.parent
		p.parent = e
		kids, err := p.elements(sub)
		p.parent = outer
		if err != nil {
			return nil, err
		}
		e.substitute = kids
	}
	return e, nil
}

func (p *parser) nameEl(n *xmlNode) *nameEl {
	e := &nameEl{look: parseLook(n), attr: n.attr, line: n.line}
	for _, k := range n.kids {
		if k.name != "name-part" {
			continue
		}
		part := &namePart{parseLook(k)}
		if k.get("name") == "family" {
			e.family = part
		} else {
			e.given = part
		}
	}
	return e
}

// flattenNames gives the options that hold for a name: its own, else those inherited from the area and the style.
func flattenNames(inherited, own map[string]string) nameOptions {
	get := func(name, inheritedName string) (string, bool) {
		if v, ok := own[name]; ok {
			return v, true
		}
		v, ok := inherited[inheritedName]
		return v, ok
	}
	text := func(name, inheritedName, fallback string) string {
		if v, ok := get(name, inheritedName); ok {
			return v
		}
		return fallback
	}
	number := func(name string) int {
		v, _ := get(name, name)
		n, _ := strconv.Atoi(v)
		return n
	}
	o := nameOptions{
		and:                 text("and", "and", ""),
		delimiter:           text("delimiter", "name-delimiter", ", "),
		delimiterBeforeEtAl: text("delimiter-precedes-et-al", "delimiter-precedes-et-al", "contextual"),
		delimiterBeforeLast: text("delimiter-precedes-last", "delimiter-precedes-last", "contextual"),
		etAlMin:             number("et-al-min"),
		etAlFirst:           1,
		subMin:              number("et-al-subsequent-min"),
		subFirst:            number("et-al-subsequent-use-first"),
		etAlLast:            text("et-al-use-last", "et-al-use-last", "") == "true",
		form:                text("form", "name-form", "long"),
		initialize:          text("initialize", "initialize", "true") == "true",
		sortOrder:           text("name-as-sort-order", "name-as-sort-order", ""),
		sortSeparator:       text("sort-separator", "sort-separator", ", "),
	}
	if v, ok := get("et-al-use-first", "et-al-use-first"); ok {
		if n, err := strconv.Atoi(v); err == nil {
			o.etAlFirst = n
		}
	} else {
		o.etAlMin = 0 // without it there is no telling how many to show
	}
	o.initialWith, o.hasInitialWith = get("initialize-with", "initialize-with")
	o.namesDelimiter = inherited["names-delimiter"]
	return o
}
