package csl

import "slices"

// collapse groups and shortens the cites of one citation, as the style asks.
func (d *Document) collapse(parts []part) {
	a := d.style.citation
	if len(parts) < 2 {
		return
	}
	if a.groups {
		d.groupCites(parts)
	}
	switch a.collapse {
	case "citation-number":
		d.collapseNumbers(parts)
	case "year", "year-suffix", "year-suffix-ranged":
		d.collapseYears(parts)
	}
}

// groupCites moves cites of the same names up to the first of them.
func (d *Document) groupCites(parts []part) {
	for i := range parts {
		if n := parts[i].n.find(isNames); n != nil {
			parts[i].names = n.String()
		}
	}
	rank := map[string]int{}
	for i, p := range parts {
		if _, ok := rank[p.names]; !ok {
			rank[p.names] = i
		}
	}
	order := make([]int, 0, len(parts))
	for i, p := range parts {
		r := i
		if p.names != "" {
			r = rank[p.names]
		}
		order = append(order, r)
	}
	type ranked struct {
		part
		rank int
	}
	list := make([]ranked, len(parts))
	for i := range parts {
		list[i] = ranked{parts[i], order[i]}
	}
	slices.SortStableFunc(list, func(a, b ranked) int { return a.rank - b.rank })
	for i := range list {
		parts[i] = list[i].part
	}
	for i := 0; i+1 < len(parts); i++ {
		if parts[i].names != "" && parts[i].names == parts[i+1].names {
			parts[i].delim = d.style.citation.citeGroupDelimiter
		}
	}
}

// onlyNumber reports whether a cite shows its number and nothing else of its own.
func onlyNumber(n *node) bool {
	num := n.find(func(n *node) bool { return n.tag == TagCiteNum })
	if num == nil {
		return false
	}
	rest := n.without(num)
	return rest == nil || rest.find(func(n *node) bool { return n.kind == kText && hasWord(n.text) }) == nil
}

func (d *Document) collapseNumbers(parts []part) {
	a := d.style.citation
	for i := 0; i < len(parts); {
		j := i + 1
		if collapsible(&parts[i]) {
			for j < len(parts) && collapsible(&parts[j]) && parts[j].number == parts[j-1].number+1 {
				j++
			}
		}
		if j-i >= 3 {
			parts[i].delim = "–"
			for k := i + 1; k < j-1; k++ {
				parts[k].hidden = true
			}
			parts[j-1].delim = a.afterCollapseDelimiter
		}
		i = j
	}
}

func collapsible(p *part) bool {
	return p.n != nil && p.it != nil && p.ci.Locator == "" && p.ci.Prefix == "" && p.ci.Suffix == "" && onlyNumber(p.n)
}

func (d *Document) collapseYears(parts []part) {
	a := d.style.citation
	for i := 0; i < len(parts); {
		j := i + 1
		for j < len(parts) && parts[i].names != "" && parts[j].names == parts[i].names && parts[j].n != nil {
			j++
		}
		if j-i > 1 {
			for k := i + 1; k < j; k++ {
				if names := parts[k].n.find(isNames); names != nil {
					parts[k].n = parts[k].n.without(names)
				}
			}
			if a.collapse != "year" {
				d.collapseSuffixes(parts[i:j])
			}
			parts[j-1].delim = a.afterCollapseDelimiter
		}
		i = j
	}
}

// collapseSuffixes gives the year once: "2000a, b". The parts share their names.
func (d *Document) collapseSuffixes(parts []part) {
	a := d.style.citation
	for i := range parts {
		p := &parts[i]
		n := p.n
		if n == nil {
			continue
		}
		if i == 0 {
			if names := n.find(isNames); names != nil {
				n = n.without(names)
			}
		}
		if s := n.find(isSuffix); s != nil && n != nil {
			p.bare = n.without(s).String()
		} else {
			p.suffix = 0
		}
	}
	for i := 0; i < len(parts); {
		j := i + 1
		if parts[i].suffix > 0 {
			for j < len(parts) && parts[j].suffix > 0 && parts[j].bare == parts[i].bare && parts[j-1].ci.Locator == "" && parts[j-1].ci.Suffix == "" && parts[j].ci.Prefix == "" {
				j++
			}
		}
		for k := i + 1; k < j; k++ {
			parts[k].n = parts[k].n.find(isSuffix)
			parts[k-1].delim = a.yearSuffixDelimiter
		}
		if a.collapse == "year-suffix-ranged" {
			d.rangeSuffixes(parts[i:j])
		}
		i = j
	}
}

func isSuffix(n *node) bool { return n.tag == TagSuffix }

// rangeSuffixes writes three and more suffixes in a row as a range: "2000a–c".
func (d *Document) rangeSuffixes(parts []part) {
	for i := 0; i < len(parts); {
		j := i + 1
		for j < len(parts) && parts[j].suffix == parts[j-1].suffix+1 {
			j++
		}
		if j-i >= 3 {
			parts[i].delim = "–"
			for k := i + 1; k < j-1; k++ {
				parts[k].hidden = true
			}
		}
		i = j
	}
}
