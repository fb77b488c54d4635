package ingest

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// attributes are the few that say something of a block or of the page.
type attributes struct {
	class, id, role, itemprop string
	name, property, content   string // of <meta>
	rel, typ, lang, alt       string
	datetime, hrefText        string
	epubType, title, label    string
	href, hidden, raised      bool
	numbered, reversed        bool
	cols, rows, number        int
}

// allRows is what rowspan="0" means: all that are left of the table's head, body or foot.
const allRows = 1 << 30

// maxAttributes bounds a single tag; what comes after is not looked at.
const maxAttributes = 100

func (a *attributes) read(z *html.Tokenizer) {
	for range maxAttributes {
		k, v, more := z.TagAttr()
		switch string(k) {
		case "class":
			a.class = string(v)
			a.raised = a.raised || hasWord(a.class, "superscript", "sup")
		case "id":
			a.id = string(v)
		case "role":
			a.role = strings.ToLower(string(v))
		case "itemprop":
			a.itemprop = string(v)
		case "name":
			a.name = string(v)
		case "property":
			a.property = string(v)
		case "content":
			a.content = string(v)
		case "rel":
			a.rel = string(v)
		case "type":
			a.typ = string(v)
		case "lang":
			a.lang = string(v)
		case "alt":
			a.alt = string(v)
		case "colspan":
			a.cols = min(max(number(string(v)), 0), maxColumns)
		case "rowspan":
			a.rows = min(max(number(string(v)), 0), 1000)
			if strings.TrimSpace(string(v)) == "0" {
				a.rows = allRows
			}
		case "start", "value":
			n, err := strconv.Atoi(strings.TrimSpace(string(v)))
			a.number, a.numbered = min(max(n, -1e6), 1e6), err == nil
		case "reversed":
			a.reversed = true
		case "datetime":
			a.datetime = string(v)
		case "href":
			a.href, a.hrefText = true, string(v)
		case "epub:type":
			a.epubType = strings.ToLower(string(v))
		case "title":
			a.title = string(v)
		case "aria-label":
			a.label = string(v)
		case "hidden":
			a.hidden = a.hidden || string(v) != "until-found"
		case "aria-hidden":
			a.hidden = a.hidden || string(v) == "true"
		case "style":
			style := strings.ToLower(strings.ReplaceAll(string(v), " ", ""))
			a.hidden = a.hidden || strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden")
			a.raised = a.raised || strings.Contains(style, "vertical-align:super")
		}
		if !more {
			return
		}
	}
}

// listFormats are the kinds of numbers that <ol type> names.
var listFormats = map[string]string{"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}

// means reports whether the element says that it is one of these, as EPUB's types and ARIA's roles for books do.
func (a attributes) means(words ...string) bool {
	for _, w := range words {
		if hasWord(a.epubType, w) || hasWord(a.role, "doc-"+w) {
			return true
		}
	}
	return false
}

// pageBreak is the number of the printed page that begins here, 0 where none does.
func (a attributes) pageBreak() int {
	if !a.means("pagebreak") {
		return 0
	}
	for _, s := range []string{a.title, a.label} {
		if n := pageNumber(s); n > 0 {
			return n
		}
	}
	return 0
}

// pageNumber reads "42", "p. 42" and "Page 42". Those of a preface (xii) have no place in an outline.
func pageNumber(s string) int {
	s = strings.TrimSpace(strings.ToLower(s))
	s = strings.TrimPrefix(strings.TrimPrefix(s, "page"), "p.")
	n, err := strconv.Atoi(strings.Trim(s, " .[]-"))
	if err != nil || n < 1 || n > 99999 {
		return 0
	}
	return n
}

// citationMark recognises what encyclopaedias put between sentences: [1], [edit], [citation needed]. They are links of
// the page and no words of the text, and they glue sentences together.
func (a attributes) citationMark(tag atom.Atom) bool {
	switch {
	case tag == atom.Sup && hasWord(a.class, "reference", "noprint", "Inline-Template"):
		return true
	case hasWord(a.class, "mw-editsection", "headerlink", "doc-anchor", "hash-link", "permalink", "anchor-link", "anchorjs-link", "mw-jump-link", "sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text"):
		return true
	}
	return false
}

func hasWord(list string, words ...string) bool {
	if list == "" {
		return false
	}
	for _, f := range strings.Fields(list) {
		for _, w := range words {
			if f == w {
				return true
			}
		}
	}
	return false
}

// decorationWords are found in the classes and ids of what stands around the text.
var decorationWords = map[string]bool{
	"nav": true, "navbar": true, "navigation": true, "menu": true, "menubar": true, "sidebar": true, "sidenav": true, "toc": true,
	"footer": true, "cookie": true, "cookies": true, "consent": true, "gdpr": true, "banner": true, "breadcrumb": true,
	"breadcrumbs": true, "share": true, "sharing": true, "social": true, "related": true, "recommended": true, "recommendations": true,
	"promo": true, "advert": true, "advertisement": true, "ads": true, "ad": true, "sponsor": true, "sponsored": true,
	"newsletter": true, "subscribe": true, "subscription": true, "popup": true, "modal": true, "overlay": true, "login": true, "signin": true,
	"signup": true, "skip": true, "toolbar": true, "pagination": true, "pager": true, "masthead": true, "topbar": true,
	"widget": true, "navbox": true, "catlinks": true, "printfooter": true, "siteSub": true, "disqus": true, "comments": true,
	"respond": true, "outbrain": true, "taboola": true, "tags": true, "taglist": true, "copyright": true, "colophon": true,
	"paywall": true, "sitemap": true, "hatnote": true, "metadata": true, "noprint": true,
}

func hintOf(tag atom.Atom, a attributes) hint {
	switch tag {
	case atom.Main, atom.Article:
		return mainText
	case atom.Nav, atom.Footer, atom.Aside, atom.Menu:
		return decoration
	}
	switch a.role {
	case "main", "article":
		return mainText
	case "navigation", "banner", "contentinfo", "search", "complementary", "dialog", "alertdialog", "menu", "menubar", "toolbar":
		return decoration
	}
	if a.itemprop == "articleBody" || a.itemprop == "mainContentOfPage" {
		return mainText
	}
	switch tag {
	case atom.P, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Td, atom.Th, atom.Tr, atom.Tbody, atom.Pre, atom.Blockquote, atom.Li, atom.Body:
		return unknown
	}
	if decorated(a.class) || decorated(a.id) || tag == atom.Div && (a.title == "header" || a.title == "footer") { // as writers of documents name them
		return decoration
	}
	return unknown
}

// decorated looks at the words of a class or id: "site-footer", "cookieBanner", "nav_main".
func decorated(s string) bool {
	if s == "" || len(s) > 1000 {
		return false
	}
	word := 0
	check := func(end int) bool { return end > word && decorationWords[strings.ToLower(s[word:end])] }
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '-' || c == '_' || c == ' ' || c == ':' || c == '\t' || c == '\n':
			if check(i) {
				return true
			}
			word = i + 1
		case c >= 'A' && c <= 'Z' && i > word && s[i-1] >= 'a' && s[i-1] <= 'z':
			if check(i) {
				return true
			}
			word = i
		}
	}
	return check(len(s))
}
