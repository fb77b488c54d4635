package csl

// Style is a citation style, parsed and checked. It does not change, so any number of goroutines may share it.
type Style struct {
	Info          Info
	Class         string // "in-text" or "note"
	DefaultLocale string // "" where the style names none

	citation     *area
	bibliography *area // nil where the style has none
	locales      []*Locale
	macros       map[string]*macro

	initializeWithHyphen bool
	pageRangeFormat      string
	demoteParticle       string // "never", "sort-only", "display-and-sort"
	usesDisambiguate     bool   // a condition tests disambiguate
	placesSuffix         bool   // the style shows year-suffix itself
}

// Info is what a style says of itself.
type Info struct {
	ID         string
	Title      string
	ShortTitle string
	Summary    string
	Parent     string // the independent style that a dependent one stands for
	Updated    string
	Format     string // "author-date", "numeric", "note", "label", "author"
	Fields     []string
}

func (s *Style) name() string { return orElse(s.Info.ID, orElse(s.Info.Title, "without a name")) }

// HasBibliography reports whether the style says how to make one. A style of notes alone does not.
func (s *Style) HasBibliography() bool { return s.bibliography != nil }

// Dependent reports whether the style only names another one, its parent.
func (s *Style) Dependent() bool { return s.Info.Parent != "" && s.citation == nil }

// area is cs:citation or cs:bibliography.
type area struct {
	layout *layoutEl
	sort   []sortKey

	addNames, addGiven, addYearSuffix bool
	givenRule                         string
	citeGroupDelimiter                string
	hasGroupDelimiter                 bool
	groups                            bool // cites of one author stand together
	collapse                          string
	yearSuffixDelimiter               string
	afterCollapseDelimiter            string
	hasAfterCollapse                  bool
	nearNoteDistance                  int

	hangingIndent    bool
	secondFieldAlign string
	lineSpacing      int
	entrySpacing     int
	subAuthor        string
	hasSubAuthor     bool
	subAuthorRule    string
	usesNumber       bool // the layout renders citation-number
}

const (
	inCitation = iota
	inBibliography
)

type layoutEl struct {
	look
	kids []element
}

// look is what most elements can say of their output.
type look struct {
	format       *formatting
	prefix       string
	suffix       string
	delimiter    string
	display      string
	textCase     string
	quotes       bool
	stripPeriods bool
}

// formatting is how text looks; "" leaves it as it is around it.
type formatting struct {
	style, variant, weight, decoration, align string
}

type element interface {
	eval(c *context) (*node, outcome)
}

type macro struct {
	name string
	line int
	kids []element
	busy bool // while the macro's own body is parsed: meeting it again is a loop
	done bool
	xml  *xmlNode
}

type textSource uint8

const (
	fromVariable textSource = iota
	fromMacro
	fromTerm
	fromValue
)

type textEl struct {
	look
	source textSource
	name   string // of the variable, macro or term, or the value
	form   string
	plural bool
	macro  *macro
}

type numberEl struct {
	look
	variable string
	form     string
}

type labelEl struct {
	look
	variable string
	form     string
	plural   string
}

type groupEl struct {
	look
	kids []element
}

type chooseEl struct {
	branches []branch
}

type branch struct {
	when *condition // nil: else
	kids []element
}

type condition struct {
	match string // "all", "any", "none", "nand"
	tests []test
}

type testKind uint8

const (
	testType testKind = iota
	testVariable
	testNumeric
	testUncertain
	testLocator
	testPosition
	testDisambiguate
)

type test struct {
	kind  testKind
	value string
}

type dateEl struct {
	look
	variable  string
	form      string // "", "numeric", "text": localized
	show      string // date-parts: "year", "year-month", "year-month-day"
	parts     []datePart
	partsOver map[string]datePart
}

type datePart struct {
	look
	name           string
	form           string
	rangeDelimiter string
	hasPrefix      bool
	hasSuffix      bool
}

type namesEl struct {
	look
	variables   []string
	hasDelim    bool
	name        *nameEl
	etAl        *etAlEl
	label       *labelEl
	labelBefore bool
	institution *look
	substitute  []element
	opts        [2]nameOptions // flattened for citation and bibliography
}

type nameEl struct {
	look
	attr          map[string]string
	family, given *namePart
	line          int
}

type namePart struct {
	look
}

type etAlEl struct {
	format *formatting
	term   string
	prefix string
	suffix string
}

// nameOptions are the inheritable options of names, from style, citation or bibliography, and name.
type nameOptions struct {
	and                 string
	delimiter           string
	delimiterBeforeEtAl string
	delimiterBeforeLast string
	etAlMin, etAlFirst  int
	subMin, subFirst    int
	etAlLast            bool
	form                string
	initialize          bool
	hasInitialWith      bool
	initialWith         string
	sortOrder           string // "", "first", "all"
	sortSeparator       string
	namesDelimiter      string
}

type sortKey struct {
	variable   string
	macro      *macro
	descending bool
	namesMin   int
	namesFirst int
	namesLast  string
}
