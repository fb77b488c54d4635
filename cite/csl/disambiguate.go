package csl

import (
	"slices"
	"strings"
)

// Disambiguation renders every item once as it would be cited, and groups those that come out alike. Only the groups
// of several are worked on: names and given names are added step by step, each step kept if it tells items apart; then
// conditions on disambiguate are turned on; what is left gets year suffixes.

type disMode uint8

const (
	byNames disMode = iota
	byCondition
	byYear
)

func (d *Document) disambiguate() {
	a := d.style.citation
	d.namer = nil
	if a.addGiven {
		d.namer = &nameRegistry{initialsOnly: strings.HasSuffix(a.givenRule, "-with-initials"), families: map[string]map[string]map[string]bool{}}
		for _, it := range d.order {
			d.registerNames(it)
		}
	}
	var modes []disMode
	if a.addNames || a.addGiven && a.givenRule == "by-cite" {
		modes = append(modes, byNames)
	}
	if d.style.usesDisambiguate {
		modes = append(modes, byCondition)
	}
	if a.addYearSuffix {
		modes = append(modes, byYear)
	}
	if len(modes) == 0 {
		return
	}
	groups := map[string][]*item{}
	var keys []string
	records := make(map[*item]*ambiguity, len(d.order))
	for _, it := range d.order {
		rec := &ambiguity{}
		key := d.ambiguous(it, nil, rec)
		records[it] = rec
		if groups[key] == nil {
			keys = append(keys, key)
		}
		groups[key] = append(groups[key], it)
	}
	for _, key := range keys {
		if g := groups[key]; len(g) > 1 {
			r := &resolver{d: d, modes: modes, records: records}
			r.resolve(g)
		}
	}
}

// registerNames enters the names that the citation of an item draws on.
func (d *Document) registerNames(it *item) {
	a := d.style.citation
	primary := strings.HasPrefix(a.givenRule, "primary-name")
	scope := ""
	if a.givenRule == "by-cite" {
		scope = it.id
	}
	d.mem.reset()
	c := d.newContext(it, inCitation)
	c.cite = &cite{position: Subsequent, nearNote: true}
	c.namer = nil
	c.onNames = func(s nameSet) {
		for i, n := range s.names[:min(len(s.names), mostNames)] {
			if i == 0 || !primary {
				d.namer.add(scope, n)
			}
		}
	}
	c.evalAll(a.layout.kids)
}

// ambiguous renders an item as a later cite of it, without marks and year suffix, to compare it with others.
func (d *Document) ambiguous(it *item, config, record *ambiguity) string {
	d.mem.reset()
	c := d.newContext(it, inCitation)
	c.cite = &cite{CiteItem: CiteItem{ID: it.id}, position: Subsequent, nearNote: true}
	c.config, c.record, c.looking = config, record, true
	kids, _ := c.evalAll(d.style.citation.layout.kids)
	if record != nil {
		record.conditions = c.seenCondition
	}
	return (d.mem.new(node{kids: kids})).String()
}

// resolver works on one group of items that look alike.
type resolver struct {
	d       *Document
	modes   []disMode
	records map[*item]*ambiguity

	progress
	queue    []progress // what was parted from the group, to be worked on later
	namesMax int
	setsMax  int

	same, other []*item // the last split, and the list it was of
	split0      []*item
}

// progress is how far the work on a list of items has come.
type progress struct {
	list           []*item
	mode           int
	trial          *ambiguity // goes forward only, one step at a time
	kept           *ambiguity // the steps that told items apart
	set, name      int        // the list of names and the name in it that are worked on
	clashes, after int
	fresh          bool             // scan once before the first step
	keys           map[*item]string // what items look like as trial stands
}

// key gives what an item looks like as trial stands.
func (r *resolver) key(it *item) string {
	k, ok := r.keys[it]
	if !ok {
		k = r.d.ambiguous(it, r.trial, nil)
		if r.keys == nil {
			r.keys = map[*item]string{}
		}
		r.keys[it] = k
	}
	return k
}

// later puts items aside, at the place reached now: what tells the others apart is nothing to them.
func (r *resolver) later(items []*item, mode int) {
	p := r.progress
	p.list, p.mode = items, mode
	p.trial, p.kept = r.trial.clone(), r.kept.clone()
	p.clashes, p.after, p.fresh = len(items), len(items), true
	r.queue = append(r.queue, p)
}

func (r *resolver) resolve(group []*item) {
	group = slices.Clone(group)
	slices.SortStableFunc(group, func(a, b *item) int {
		return slices.Compare(r.records[a].totals, r.records[b].totals)
	})
	r.trial = r.records[group[0]].clone()
	for _, it := range group[1:] {
		rec := r.records[it]
		if len(rec.names) < len(r.trial.names) {
			r.trial = rec.clone()
		}
		for i := range r.trial.names {
			if i < len(rec.names) && rec.names[i] > r.trial.names[i] {
				r.trial.names[i], r.trial.givens[i] = rec.names[i], slices.Clone(rec.givens[i])
			}
		}
	}
	r.kept = r.trial.clone()
	r.setsMax = len(r.trial.names) - 1
	if first := r.records[group[0]]; len(first.totals) > 0 {
		r.namesMax = min(first.totals[0], mostNames)
	}
	r.list, r.fresh, r.clashes = group, true, 1
	for {
		for len(r.list) > 0 {
			switch r.modes[r.mode] {
			case byNames:
				r.byNames()
			case byCondition:
				r.byCondition()
			case byYear:
				r.byYear()
			}
		}
		if len(r.queue) == 0 {
			return
		}
		r.progress, r.queue = r.queue[0], r.queue[1:]
	}
}

func (r *resolver) keep(it *item) {
	c := r.kept.clone()
	if it.config != nil {
		c.suffix = it.config.suffix
	}
	it.config = c
}

// split parts the list into those that look as its first item does, and the others.
func (r *resolver) split() (same, other []*item) {
	list := r.list
	key := r.key(list[0])
	same = append(same, list[0])
	for _, it := range list[1:] {
		if r.key(it) == key {
			same = append(same, it)
		} else {
			other = append(other, it)
		}
	}
	r.clashes, r.after = r.after, len(same)-1
	return same, other
}

// step shows a little more: of a given name, another name, or the next list of names. It reports whether that was all.
func (r *resolver) step() (done bool) {
	if r.fresh {
		r.fresh = false
		return false
	}
	r.keys = nil
	a := r.d.style.citation
	givens := a.addGiven && a.givenRule == "by-cite"
	level := func() int {
		if r.set < len(r.trial.givens) && r.name < len(r.trial.givens[r.set]) {
			return r.trial.givens[r.set][r.name]
		}
		return levelFull
	}
	switch {
	case givens && level() < levelFull:
		r.trial.givens[r.set][r.name]++
	case a.addNames && r.name < r.namesMax && r.set < len(r.trial.names):
		r.trial.names[r.set]++
		r.name++
	case !a.addNames && r.set < len(r.trial.names) && r.name < r.trial.names[r.set]:
		r.name++
	case r.set < r.setsMax:
		r.set++
		r.name = 0
		r.trial.names[r.set] = max(1, r.trial.names[r.set])
	}
	last := r.name >= r.namesMax
	if !a.addNames {
		last = r.set >= len(r.trial.names) || r.name >= r.trial.names[r.set]
	}
	return (r.setsMax < 0 || r.set >= r.setsMax) && last && (!givens || level() >= levelFull)
}

// alike reports whether the step just taken, from the given name, cannot have told items of the list apart.
func (r *resolver) alike(set, name int) bool {
	if set >= len(r.trial.names) {
		return true // no names at all
	}
	if r.set != set {
		return false
	}
	first := r.list[0]
	for _, at := range []int{name, r.name} {
		if at != name && r.trial.names[set] > 0 {
			at = r.trial.names[set] - 1
		}
		a := r.records[first].name(set, at)
		more := r.records[first].total(set) > r.trial.names[set]
		for _, it := range r.list[1:] {
			b := r.records[it].name(set, at)
			if (a == nil) != (b == nil) || a != nil && a.full() != b.full() || (r.records[it].total(set) > r.trial.names[set]) != more {
				return false
			}
		}
	}
	return true
}

// capture keeps the last step, as it told items apart.
func (r *resolver) capture() {
	if r.set < len(r.trial.names) {
		r.kept.names[r.set] = r.trial.names[r.set]
	}
	if r.d.style.citation.givenRule == "by-cite" && r.set < len(r.trial.givens) && r.name < len(r.trial.givens[r.set]) && r.name < len(r.kept.givens[r.set]) {
		r.kept.givens[r.set][r.name] = r.trial.givens[r.set][r.name]
	}
}

func (r *resolver) byNames() {
	set, name, fresh := r.set, r.name, r.fresh
	done := r.step()
	var same, other []*item
	if list := r.list; !fresh && len(r.split0) == len(list) && &r.split0[0] == &list[0] && r.alike(set, name) {
		// The step showed the same of all: they stand as they stood.
		same, other = r.same, r.other
		r.clashes = r.after
	} else {
		same, other = r.split()
		r.same, r.other, r.split0 = same, other, list
	}
	last := r.mode == len(r.modes)-1
	switch {
	case r.after == 0 && len(other) <= 1:
		r.capture()
		for _, it := range append(same, other...) {
			r.keep(it)
		}
		r.list = nil
		return
	case r.after == 0:
		r.capture()
		r.keep(same[0])
		r.list = other
		r.fresh, r.after = true, len(other) // another first item: its clashes are counted anew
	case len(other) == 1:
		r.capture()
		r.keep(other[0])
		r.list = same
	case r.after < r.clashes:
		r.capture()
		r.later(other, r.mode)
		r.list = same
	case done && last:
		for _, it := range same {
			r.keep(it)
		}
		r.list = other
	case done:
		r.later(same, r.mode+1)
		r.list = other
	}
	if done && !last {
		r.mode++
	}
}

// byCondition turns on conditions on disambiguate, one by one, for the items that are still alike.
func (r *resolver) byCondition() {
	list := r.list
	most := 0
	for _, it := range list {
		most = max(most, r.records[it].conditions)
	}
	config := r.kept.clone()
	for config.condition = 1; config.condition <= most && len(list) > 0; config.condition++ {
		seen := map[string]int{}
		keys := make([]string, len(list))
		for i, it := range list {
			keys[i] = r.d.ambiguous(it, config, nil)
			seen[keys[i]]++
		}
		var rest []*item
		for i, it := range list {
			if seen[keys[i]] == 1 {
				it.config = config.clone()
			} else {
				rest = append(rest, it)
			}
		}
		list = rest
	}
	if r.list = list; len(list) == 0 {
		return
	}
	if r.mode < len(r.modes)-1 {
		if most > 0 {
			r.kept.condition, r.trial.condition, r.keys = most, most, nil
		}
		r.mode++
		return
	}
	r.kept.condition = most
	for _, it := range list {
		r.keep(it)
	}
	r.list = nil
}

// byYear gives year suffixes, in the order of the bibliography, to items that look alike whatever else is shown.
func (r *resolver) byYear() {
	list := slices.Clone(r.list)
	slices.SortStableFunc(list, func(a, b *item) int { return a.number - b.number })
	classes := map[string][]*item{}
	for _, it := range list {
		classes[r.key(it)] = append(classes[r.key(it)], it)
	}
	for _, it := range list {
		r.keep(it)
	}
	for _, class := range classes {
		if len(class) < 2 {
			continue
		}
		for i, it := range class {
			it.config.suffix = i + 1
		}
	}
	r.list = nil
}
