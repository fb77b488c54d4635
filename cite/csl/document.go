package csl

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
)

// ErrNoBibliography is given by a style that has citations alone.
var ErrNoBibliography = errors.New("the style has no bibliography")

// Position is where a cite stands among those of the same item before it.
type Position int

// The positions of CSL, each of which includes those before it down to Subsequent.
const (
	First Position = iota
	Subsequent
	Ibid
	IbidWithLocator
)

// Mode says which part of a citation is wanted.
type Mode int

// The modes of a citation.
const (
	Normal         Mode = iota
	AuthorOnly          // "Doe"
	SuppressAuthor      // "(1965)"
	Composite           // "Doe (1965)"
)

// CiteItem is a reference inside of a citation.
type CiteItem struct {
	ID             string
	Locator        string // "12-14"
	Label          string // what the locator counts: "page" if it is "", "chapter", "section" …
	Prefix, Suffix string
	SuppressAuthor bool
	AuthorOnly     bool

	forced     *Position // given by the caller, not by the document
	forcedNear bool
	forcedNote int
}

// Cluster is one citation: the references given together at one place.
type Cluster struct {
	ID    string
	Items []CiteItem
	Note  int // the number of the footnote it stands in, 0 in running text
	Mode  Mode
	Infix string // of Composite: put between author and rest
}

// Options are what a document is made with.
type Options struct {
	// Locale is the language of the output, such as "de-AT". Defaults to the style's, else en-US.
	Locale string
	// Locales gives further locales by tag, nil where there is none. Built in are en-US and en-GB.
	Locales func(lang string) *Locale
	// Items are the references that can be cited.
	Items []ibid.Reference
}

// Document collects citations and renders them together, as numbers, "ibid." and year suffixes depend on the whole.
// It is not safe for use by several goroutines.
type Document struct {
	style  *Style
	locale *Locale
	quotes *quotes

	items     map[string]*item
	order     []*item // registered, in order of first use
	uncited   []string
	clusters  []*clusterState
	all       bool // every item is in the bibliography, cited or not
	listFirst bool // items named by Nocite come before those cited

	dirty    bool
	sorted   []*item // in order of the bibliography
	namer    *nameRegistry
	keys     *collation
	added    int             // how many references came
	unknown  map[string]bool // cited without being given
	unlisted map[string]bool // without a form in the bibliography
	warnings []string
	events   []event // reused between renderings
	mem      *arena  // as are the nodes
}

type clusterState struct {
	Cluster
	cites []*cite // in order of output
	last  string
}

// NewDocument makes an empty document in a style.
func NewDocument(style *Style, o Options) (*Document, error) {
	if style == nil {
		return nil, fmt.Errorf("no style: %w", ibid.ErrInvalid)
	}
	if style.Dependent() {
		return nil, fmt.Errorf("style %s only points to %s: load that one: %w", style.Info.ID, style.Info.Parent, ibid.ErrInvalid)
	}
	lang := languageTag(orElse(o.Locale, orElse(style.DefaultLocale, "en-US")))
	find := func(tag string) *Locale {
		if o.Locales != nil {
			if l := o.Locales(tag); l != nil {
				return l
			}
		}
		return builtInLocale(tag)
	}
	d := &Document{style: style, items: map[string]*item{}, dirty: true, mem: &arena{}, unknown: map[string]bool{}, unlisted: map[string]bool{}}
	if !style.speaks(lang, find) {
		d.warn("locale "+lang, "not found; the words between are English (built in are "+strings.Join(Languages(), ", ")+"; others come as locales-"+lang+".xml from a folder of styles)")
		lang = "en-US"
	}
	d.locale = chain(style, lang, find)
	l := d.locale
	d.quotes = &quotes{l.or("open-quote", "“"), l.or("close-quote", "”"), l.or("open-inner-quote", "‘"), l.or("close-inner-quote", "’")}
	d.keys = newCollation(lang)
	d.Add(o.Items...)
	return d, nil
}

// Add makes further references citable. One with an id seen before takes its place.
func (d *Document) Add(items ...ibid.Reference) {
	for _, ref := range items {
		order := d.added
		d.added++
		if ref.ID == "" {
			ref.ID = fmt.Sprintf("item-%d", order+1)
			d.warn(ref.ID, "has no id; named so by its place")
		}
		if ref.Type == "" {
			d.warn(ref.ID, "has no type; rendered as a plain document")
		}
		if old := d.items[ref.ID]; old != nil {
			order = old.order
			d.warn(ref.ID, "is given twice; the later one counts")
		}
		it := newItem(&ref, order)
		for name, date := range ref.Dates {
			if made := it.dates[name]; made == nil || made.literal == "" && date.Literal == "" && !made.faithful(date) {
				d.warn(ref.ID, name+" is not a date of the calendar; shown as far as it is one")
			}
		}
		d.items[ref.ID] = it
	}
	d.dirty = true
}

func (d *Document) warn(id, text string) { d.warnings = append(d.warnings, id+": "+text) }

// Warnings tells what was missing or unusable in the references.
func (d *Document) Warnings() []string { return d.warnings }

// Cite appends a citation and gives its index.
func (d *Document) Cite(c Cluster) int {
	return d.Insert(len(d.clusters), c)
}

// Insert puts a citation in front of the one at index at.
func (d *Document) Insert(at int, c Cluster) int {
	at = max(0, min(at, len(d.clusters)))
	d.clusters = slices.Insert(d.clusters, at, &clusterState{Cluster: c})
	d.dirty = true
	return at
}

// Replace puts a citation in the place of the one at index at.
func (d *Document) Replace(at int, c Cluster) {
	if at >= 0 && at < len(d.clusters) {
		d.clusters[at].Cluster = c
		d.dirty = true
	}
}

// Remove takes the citation at index at out of the document.
func (d *Document) Remove(at int) {
	if at >= 0 && at < len(d.clusters) {
		d.clusters = slices.Delete(d.clusters, at, at+1)
		d.dirty = true
	}
}

// Nocite puts references into the bibliography that are not cited; without an id, all of them.
func (d *Document) Nocite(ids ...string) {
	d.uncited = append(d.uncited, ids...)
	d.all = d.all || len(ids) == 0
	d.dirty = true
}

// process settles everything that depends on the whole: order, numbers, positions, ambiguity.
func (d *Document) process() {
	if !d.dirty {
		return
	}
	d.dirty = false
	d.register()
	d.sortBibliography()
	d.arrange()
	d.disambiguate()
	if d.resortAfterDisambiguation() {
		d.arrange()
	}
}

// register lists the items in order of first use.
func (d *Document) register() {
	d.order = d.order[:0]
	for _, it := range d.items {
		it.cited, it.number, it.config, it.firstNote = false, 0, nil, 0
	}
	add := func(id string) {
		switch it := d.items[id]; {
		case it == nil:
			if !d.unknown[id] {
				d.unknown[id] = true
				d.warn(id, "is cited but was not given")
			}
		case !it.cited:
			it.cited = true
			d.order = append(d.order, it)
		}
	}
	if d.all {
		rest := make([]*item, 0, len(d.items))
		for _, it := range d.items {
			rest = append(rest, it)
		}
		slices.SortFunc(rest, func(a, b *item) int { return a.order - b.order })
		if len(d.clusters) > 0 {
			for _, cl := range d.clusters {
				for _, ci := range cl.Items {
					add(ci.ID)
				}
			}
		}
		for _, it := range rest {
			add(it.id)
		}
		return
	}
	if d.listFirst {
		for _, id := range d.uncited {
			add(id)
		}
	}
	for _, cl := range d.clusters {
		for _, ci := range cl.Items {
			add(ci.ID)
		}
	}
	for _, id := range d.uncited {
		add(id)
	}
}

func (d *Document) newContext(it *item, area int) *context {
	return &context{style: d.style, locale: d.locale, quotes: d.quotes, it: it, area: area, namer: d.namer, config: it.config, mem: d.mem}
}

// arrange sorts the cites of each citation and gives each its position.
func (d *Document) arrange() {
	for _, cl := range d.clusters {
		cl.cites = cl.cites[:0]
		for _, ci := range cl.Items {
			cl.cites = append(cl.cites, &cite{CiteItem: ci, noteIndex: cl.Note})
		}
		d.sortCites(cl)
	}
	d.positions()
}
