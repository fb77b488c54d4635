package csl

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/internal/wording"
)

// Messages begin in lower case, have no full stop, and say what to do where that is not plain.

// Message is something to know about a style, with the line and element it is about.
type Message struct {
	Line    int
	Element string
	Text    string
	Error   bool // the style cannot be used as it is
}

func (m Message) String() string {
	kind := "warning"
	if m.Error {
		kind = "error"
	}
	return fmt.Sprintf("line %d: <%s>: %s: %s", m.Line, m.Element, kind, m.Text)
}

// Check reads a style as its author would want it read: it reports everything at once that is wrong or looks wrong, in
// order of lines. A style without a message with Error can be used.
func Check(r io.Reader) []Message {
	data, err := io.ReadAll(io.LimitReader(r, maxXMLBytes+1))
	if err != nil {
		return []Message{{1, "style", err.Error(), true}}
	}
	root, err := readXML(bytes.NewReader(data))
	if err != nil {
		return []Message{errorMessage(err)}
	}
	c := &checker{macros: map[string]int{}, called: map[string]bool{}}
	if root.name == "style" {
		c.style(root)
	}
	if _, err := parseStyle(root); err != nil {
		c.messages = append(c.messages, errorMessage(err))
	}
	slices.SortStableFunc(c.messages, func(a, b Message) int { return a.Line - b.Line })
	return c.messages
}

var errorPlace = regexp.MustCompile(`^line (\d+): (?:<([^>]+)>: )?(.*)$`)

// errorMessage takes line and element out of a parser's error.
func errorMessage(err error) Message {
	text := wording.Of(err)
	m := Message{Line: 1, Element: "style", Text: text, Error: true}
	if p := errorPlace.FindStringSubmatch(text); p != nil {
		m.Line, _ = strconv.Atoi(p[1])
		m.Element, m.Text = orElse(p[2], m.Element), p[3]
	}
	return m
}

type checker struct {
	messages []Message
	macros   map[string]int // name to line
	called   map[string]bool
}

func (c *checker) warn(n *xmlNode, format string, args ...any) {
	c.messages = append(c.messages, Message{n.line, n.name, fmt.Sprintf(format, args...), false})
}

func (c *checker) style(root *xmlNode) {
	if class := root.get("class"); class != "in-text" && class != "note" && root.child("citation") != nil {
		c.warn(root, "class should be in-text or note, not %q", class)
	}
	switch info := root.child("info"); {
	case info == nil:
		c.warn(root, "no <info>: give the style a title and an id")
	default:
		for _, want := range []string{"title", "id", "updated"} {
			if k := info.child(want); k == nil || strings.TrimSpace(k.text) == "" {
				c.warn(info, "no <%s>", want)
			}
		}
	}
	if root.child("bibliography") == nil && root.child("citation") != nil {
		c.warn(root, "no <bibliography>: the style can make citations only")
	}
	for _, k := range root.kids {
		if k.name == "macro" {
			if line, ok := c.macros[k.get("name")]; ok {
				c.warn(k, "macro %q was defined on line %d already; this one counts", k.get("name"), line)
			}
			c.macros[k.get("name")] = k.line
		}
	}
	for _, k := range root.kids {
		if k.name != "info" {
			c.walk(k)
		}
	}
	for _, k := range root.kids {
		if k.name == "macro" && !c.called[k.get("name")] {
			c.warn(k, "macro %q is never called", k.get("name"))
		}
	}
}

func (c *checker) walk(n *xmlNode) {
	allowed, known := attributes[n.name]
	if !known {
		c.warn(n, "CSL has no such element")
	} else {
		for _, name := range sortedKeys(n.attr) {
			if !allowed[name] && !everywhere[name] {
				c.warn(n, "attribute %s does nothing here", name)
			}
		}
	}
	if m := n.get("macro"); m != "" {
		c.called[m] = true
	}
	c.values(n)
	for _, k := range n.kids {
		c.walk(k)
	}
}

// values checks attributes whose values are fixed by CSL.
func (c *checker) values(n *xmlNode) {
	switch n.name {
	case "text", "number", "date", "names", "label", "if", "else-if", "key":
		for _, v := range strings.Fields(n.get("variable")) {
			if !knownVariable(v) {
				c.warn(n, "CSL has no variable %q", v)
			}
		}
	}
	if n.name == "if" || n.name == "else-if" {
		for _, v := range strings.Fields(n.get("type")) {
			if !itemTypes[v] {
				c.warn(n, "CSL has no type %q", v)
			}
		}
		tests := 0
		for name := range conditionTests {
			if n.has(name) {
				tests++
			}
		}
		if tests == 0 {
			c.warn(n, "nothing is tested: needs type, variable, is-numeric, is-uncertain-date, locator, position or disambiguate")
		}
	}
	for _, name := range sortedKeys(n.attr) {
		if allowed, ok := fixedValues[name]; ok && !allowed[n.attr[name]] {
			c.warn(n, "%s cannot be %q", name, n.attr[name])
		}
	}
}

func knownVariable(v string) bool {
	return ibid.IsNameVariable(v) || ibid.IsDateVariable(v) || textVariables[v] || numberVariables[v] || v == "page"
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

var everywhere = makeSet("lang xmlns version base schemaLocation")

const (
	lookAttributes = " font-style font-variant font-weight text-decoration vertical-align prefix suffix display text-case strip-periods quotes"
	nameAttributes = ` and delimiter-precedes-et-al delimiter-precedes-last et-al-min et-al-use-first et-al-subsequent-min et-al-subsequent-use-first
		et-al-use-last initialize initialize-with name-as-sort-order sort-separator`
	inherited = nameAttributes + " name-form name-delimiter names-delimiter"
)

// attributes are those that each element may have.
var attributes = map[string]map[string]bool{
	"style": makeSet("class default-locale initialize-with-hyphen page-range-format demote-non-dropping-particle" + inherited),
	"citation": makeSet(`disambiguate-add-names disambiguate-add-givenname givenname-disambiguation-rule disambiguate-add-year-suffix
		cite-group-delimiter collapse year-suffix-delimiter after-collapse-delimiter near-note-distance` + inherited),
	"bibliography":  makeSet("hanging-indent second-field-align line-spacing entry-spacing subsequent-author-substitute subsequent-author-substitute-rule" + inherited),
	"layout":        makeSet("delimiter locale" + lookAttributes),
	"sort":          {},
	"key":           makeSet("variable macro sort names-min names-use-first names-use-last"),
	"macro":         makeSet("name"),
	"text":          makeSet("variable macro term value form plural" + lookAttributes),
	"number":        makeSet("variable form" + lookAttributes),
	"label":         makeSet("variable form plural" + lookAttributes),
	"group":         makeSet("delimiter" + lookAttributes),
	"choose":        {},
	"if":            makeSet("match type variable is-numeric is-uncertain-date locator position disambiguate"),
	"else-if":       makeSet("match type variable is-numeric is-uncertain-date locator position disambiguate"),
	"else":          {},
	"names":         makeSet("variable delimiter" + lookAttributes),
	"name":          makeSet("form delimiter" + nameAttributes + lookAttributes),
	"name-part":     makeSet("name" + lookAttributes),
	"et-al":         makeSet("term" + lookAttributes),
	"institution":   makeSet("delimiter" + lookAttributes),
	"substitute":    {},
	"date":          makeSet("variable form date-parts delimiter" + lookAttributes),
	"date-part":     makeSet("name form range-delimiter" + lookAttributes),
	"locale":        {},
	"style-options": makeSet("punctuation-in-quote limit-day-ordinals-to-day-1"),
	"terms":         {},
	"term":          makeSet("name form gender gender-form match"),
	"single":        {},
	"multiple":      {},
}

var conditionTests = makeSet("type variable is-numeric is-uncertain-date locator position disambiguate")

var fixedValues = map[string]map[string]bool{
	"text-case":                         makeSet("lowercase uppercase capitalize-first capitalize-all sentence title"),
	"font-style":                        makeSet("normal italic oblique"),
	"font-weight":                       makeSet("normal bold light"),
	"font-variant":                      makeSet("normal small-caps"),
	"text-decoration":                   makeSet("none underline"),
	"vertical-align":                    makeSet("baseline sup sub"),
	"display":                           makeSet("block left-margin right-inline indent"),
	"page-range-format":                 makeSet("expanded minimal minimal-two chicago chicago-15 chicago-16"),
	"collapse":                          makeSet("citation-number year year-suffix year-suffix-ranged"),
	"and":                               makeSet("text symbol"),
	"name-as-sort-order":                makeSet("first all"),
	"delimiter-precedes-last":           makeSet("contextual after-inverted-name always never"),
	"delimiter-precedes-et-al":          makeSet("contextual after-inverted-name always never"),
	"givenname-disambiguation-rule":     makeSet("all-names all-names-with-initials primary-name primary-name-with-initials by-cite"),
	"demote-non-dropping-particle":      makeSet("never sort-only display-and-sort"),
	"second-field-align":                makeSet("flush margin"),
	"subsequent-author-substitute-rule": makeSet("complete-all complete-each partial-each partial-first"),
}

var itemTypes = makeSet(`article article-journal article-magazine article-newspaper bill book broadcast chapter classic collection dataset document entry
entry-dictionary entry-encyclopedia event figure graphic hearing interview legal_case legislation manuscript map motion_picture musical_score
pamphlet paper-conference patent performance periodical personal_communication post post-weblog regulation report review review-book software
song speech standard thesis treaty webpage`)

var textVariables = makeSet(`abstract annote archive archive_collection archive_location archive-place authority call-number citation-key citation-label
collection-title collection-title-short container-title container-title-short dimensions division DOI event event-title event-place genre
ISBN ISSN jurisdiction journalAbbreviation keyword language license medium note original-publisher original-publisher-place original-title part-title PMCID PMID
publisher publisher-place references reviewed-genre reviewed-title scale shortTitle source status title title-short URL volume-title volume-title-short
year-suffix`)
