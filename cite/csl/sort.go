package csl

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"github.com/ibid-dev/ibid"
	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// collation makes sort keys for a language, and remembers them.
type collation struct {
	c   *collate.Collator
	buf collate.Buffer
}

func newCollation(lang string) *collation {
	tag, err := language.Parse(lang)
	if err != nil {
		tag = language.Und
	}
	return &collation{c: collate.New(tag)}
}

func (k *collation) key(s string) []byte {
	k.buf.Reset()
	return bytes.Clone(k.c.KeyFromString(&k.buf, sortable(s)))
}

// sortable drops what does not count in sorting: markup, quotation marks and leading punctuation.
func sortable(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && r != ' ' && !unicode.IsDigit(r) }) < 0 {
		return s
	}
	s = strings.TrimLeft(s, "'’‘`ʿʾ[]")
	return strings.Map(func(r rune) rune {
		switch r {
		case '"', '“', '”', '«', '»', '[', ']', '(', ')', ',':
			return -1
		}
		return r
	}, s)
}

// keyValue is one key of an item: bytes to compare, or nothing, which sorts last.
type keyValue struct {
	bytes []byte
	empty bool
}

// sorter compares by keys that are made only where the ones before are equal.
type sorter[T comparable] struct {
	keys   []sortKey
	make   func(T, *sortKey) keyValue
	values map[T][]keyValue
}

func newSorter[T comparable](keys []sortKey, n int, fresh func(T, *sortKey) keyValue) *sorter[T] {
	return &sorter[T]{keys, fresh, make(map[T][]keyValue, n)}
}

func (s *sorter[T]) value(x T, i int) keyValue {
	v := s.values[x]
	for len(v) <= i {
		v = append(v, s.make(x, &s.keys[len(v)]))
		s.values[x] = v
	}
	return v[i]
}

func (s *sorter[T]) compare(a, b T) int {
	for i := range s.keys {
		x, y := s.value(a, i), s.value(b, i)
		switch {
		case x.empty && y.empty:
			continue
		case x.empty:
			return 1
		case y.empty:
			return -1
		}
		if c := bytes.Compare(x.bytes, y.bytes); c != 0 {
			if s.keys[i].descending {
				return -c
			}
			return c
		}
	}
	return 0
}

func (d *Document) sortValue(it *item, ci *cite, area int, k *sortKey) keyValue {
	d.mem.reset()
	c := d.newContext(it, area)
	c.cite, c.sort = ci, true
	if k.macro != nil {
		c.sortNames = k
		kids, _ := c.evalAll(k.macro.kids)
		s := (c.mem.new(node{kids: kids})).String()
		if s == "" {
			return keyValue{empty: true}
		}
		return keyValue{bytes: d.keys.key(s)}
	}
	switch {
	case ibid.IsDateVariable(k.variable):
		s := it.dates[k.variable].sortKey("")
		return keyValue{bytes: []byte(s), empty: s == ""}
	case ibid.IsNameVariable(k.variable):
		c.sortNames = k
		e := &namesEl{variables: []string{k.variable}, name: &nameEl{}, etAl: &etAlEl{term: "et-al"}}
		e.opts[area] = flattenNames(nil, nil)
		n := c.namesNode(e)
		if n == nil {
			return keyValue{empty: true}
		}
		return keyValue{bytes: d.keys.key(n.String())}
	}
	v := c.lookup(k.variable, "long")
	if v == "" {
		return keyValue{empty: true}
	}
	if numberVariables[k.variable] || k.variable == "page" {
		if s := sortableNumber(v); s != "" && s[0] >= '0' && s[0] <= '9' {
			return keyValue{bytes: []byte(s)}
		}
	}
	return keyValue{bytes: d.keys.key(c.rich(v).String())}
}

// sortOptions are the name options in force while a sort key is made.
func (c *context) sortOptions(o *nameOptions) *nameOptions {
	c.sortOpts = *o
	s := &c.sortOpts
	s.sortOrder = "all"
	if k := c.sortNames; k != nil {
		if k.namesMin > 0 {
			s.etAlMin, s.subMin = k.namesMin, 0
		}
		if k.namesFirst > 0 {
			s.etAlFirst, s.subFirst = k.namesFirst, 0
		}
		if k.namesLast != "" {
			s.etAlLast = k.namesLast == "true"
		}
	}
	return s
}

// sortBibliography puts the items in the order of the bibliography and numbers them.
func (d *Document) sortBibliography() {
	d.sorted = slices.Clone(d.order)
	for i, it := range d.order {
		it.number = i + 1
	}
	if d.style.bibliography == nil || len(d.style.bibliography.sort) == 0 {
		return
	}
	d.sortItems()
}

func (d *Document) sortItems() {
	keys := d.style.bibliography.sort
	s := newSorter(keys, len(d.order), func(it *item, k *sortKey) keyValue { return d.sortValue(it, nil, inBibliography, k) })
	slices.SortStableFunc(d.sorted, s.compare)
	for i, it := range d.sorted {
		it.number = i + 1
	}
}

// resortAfterDisambiguation sorts again where keys may depend on year suffixes; it reports whether cites must be too.
func (d *Document) resortAfterDisambiguation() bool {
	return d.style.citation.addYearSuffix && len(d.style.citation.sort) > 0
}

// sortCites puts the cites of a citation in the style's order.
func (d *Document) sortCites(cl *clusterState) {
	keys := d.style.citation.sort
	if len(keys) == 0 || len(cl.cites) < 2 {
		return
	}
	s := newSorter(keys, len(cl.cites), func(ci *cite, k *sortKey) keyValue {
		if it := d.items[ci.ID]; it != nil {
			return d.sortValue(it, ci, inCitation, k)
		}
		return keyValue{empty: true}
	})
	slices.SortStableFunc(cl.cites, s.compare)
}
