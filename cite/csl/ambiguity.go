package csl

import (
	"slices"
	"strings"
)

// ambiguity is how far the cite of an item is expanded so that it can be told from others.
type ambiguity struct {
	names     []int   // how many names to show, by list of names in order of rendering
	givens    [][]int // how much of each given name
	condition int     // how many conditions on disambiguate are true
	suffix    int     // year suffix, from 1

	totals     []int     // as recorded: how many names each list has
	lists      [][]*name // as recorded: the names themselves
	conditions int       // as recorded: how many conditions on disambiguate were met
}

func (a *ambiguity) clone() *ambiguity {
	c := *a
	c.names = slices.Clone(a.names)
	c.givens = make([][]int, len(a.givens))
	for i, g := range a.givens {
		c.givens[i] = slices.Clone(g)
	}
	return &c
}

func (a *ambiguity) total(set int) int {
	if set < len(a.totals) {
		return a.totals[set]
	}
	return 0
}

// name gives the i-th name of a list, nil where there is none.
func (a *ambiguity) name(set, i int) *name {
	if set < len(a.lists) && i >= 0 && i < len(a.lists[set]) {
		return a.lists[set][i]
	}
	return nil
}

// fullName is all of a name that can be shown.
type fullName struct{ family, given, dropping, nonDropping, suffix, literal string }

func (n *name) full() fullName {
	return fullName{n.family, n.given, n.dropping, n.nonDropping, n.suffix, n.literal}
}

// mostNames bounds how many names of one list take part in disambiguation: those after them are never shown for it.
const mostNames = 100

// noteNames records what a list of names shows, for disambiguation.
func (c *context) noteNames(index int, s nameSet, shown int, o *nameOptions) {
	if c.onNames != nil {
		c.onNames(s)
	}
	r := c.record
	if r == nil {
		return
	}
	for len(r.names) <= index {
		r.names = append(r.names, 0)
		r.totals = append(r.totals, 0)
		r.givens = append(r.givens, nil)
		r.lists = append(r.lists, nil)
	}
	r.lists[index] = s.names
	r.names[index], r.totals[index] = shown, len(s.names)
	levels := make([]int, min(len(s.names), mostNames))
	for i, n := range s.names[:len(levels)] {
		levels[i] = c.level(o, n, i, index)
		if n.literal != "" {
			levels[i] = levelFull
		}
	}
	r.givens[index] = levels
}

// level says how much of a given name is shown.
func (c *context) level(o *nameOptions, n *name, i, index int) int {
	base := baseLevel(o)
	area := c.style.citation
	if c.sort || n.literal != "" || !area.addGiven || c.area == inBibliography || c.namer == nil {
		return base
	}
	if area.givenRule == "by-cite" {
		asked := 0
		if c.config != nil && index < len(c.config.givens) && i < len(c.config.givens[index]) {
			asked = c.config.givens[index][i]
		}
		if asked == levelInitials && !o.hasInitialWith {
			asked = levelFull
		}
		if base <= asked || base == levelFamily {
			return max(base, asked)
		}
		return max(base, c.namer.level(c.it.id, n, o, base))
	}
	if strings.HasPrefix(area.givenRule, "primary-name") && i > 0 {
		return base
	}
	return max(base, c.namer.level("", n, o, base))
}

// nameRegistry knows which family names are shared by several people.
type nameRegistry struct {
	initialsOnly bool
	families     map[string]map[string]map[string]bool // family → initials → given names
}

func (r *nameRegistry) add(scope string, n *name) {
	if n.literal != "" || n.family == "" {
		return
	}
	family, initials, given := n.keys()
	if scope != "" {
		family = scope + "\x00" + family
	}
	byInitials := r.families[family]
	if byInitials == nil {
		byInitials = map[string]map[string]bool{}
		r.families[family] = byInitials
	}
	if initials == "" {
		return
	}
	if byInitials[initials] == nil {
		byInitials[initials] = map[string]bool{}
	}
	byInitials[initials][given] = true
}

func (r *nameRegistry) level(scope string, n *name, o *nameOptions, base int) int {
	family, initials, _ := n.keys()
	if scope != "" {
		family = scope + "\x00" + family
	}
	byInitials := r.families[family]
	if byInitials == nil || byInitials[initials] == nil {
		return base
	}
	if r.initialsOnly {
		if len(byInitials) > 1 {
			return levelInitials
		}
		return base
	}
	level := base
	if len(byInitials) > 1 {
		level = max(level, levelInitials)
	}
	if len(byInitials[initials]) > 1 || len(byInitials) > 1 && !o.hasInitialWith {
		level = levelFull
	}
	return level
}

// keys are the forms under which a name is compared.
func (n *name) keys() (family, initials, given string) {
	if n.familyKey == "" {
		n.familyKey = plainName(n.nonDropping + " " + n.family)
		n.given2 = plainName(n.given)
		n.initials = initialsOf(n.given2, ".", true, true)
	}
	return n.familyKey, n.initials, n.given2
}

func plainName(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(s, ".", " ")), " ")
}
