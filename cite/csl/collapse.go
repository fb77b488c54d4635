package csl

import "slices"

// collapse groups and shortens the cites of one citation, as the style asks.
func (d *Document) collapse(parts []part) {
	a := d.style.citation
	if len(parts) < 2 {
		return
	}
	if a.groups {
		d.nameCites(parts)
		if a.collapse != "year-suffix-ranged" { // the suite leaves ranges of suffixes where they stand
			d.groupCites(parts)
		}
	}
	switch a.collapse {
	case "citation-number":
		d.collapseNumbers(parts)
	case "year", "year-suffix", "year-suffix-ranged":
		d.collapseYears(parts)
	}
}

// nameCites notes for each cite which names it begins with.
func (d *Document) nameCites(parts []part) {
	for i := range parts {
		if n := parts[i].n.find(isNames); n != nil {
			parts[i].names = n.String()
		}
	}
}

// groupCites moves cites of the same names up to the first of them.
func (d *Document) groupCites(parts []part) {
	rank := map[string]int{}
	for i := range parts {
		p := &parts[i]
		p.rank = i
		if p.names == "" {
			continue
		}
		if r, ok := rank[p.names]; ok {
			p.rank = r
		} else {
			rank[p.names] = i
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int { return a.rank - b.rank })
	for i := 0; i+1 < len(parts); i++ {
		if parts[i].names != "" && parts[i].names == parts[i+1].names {
			parts[i].delim = d.style.citation.citeGroupDelimiter
		}
	}
}

// onlyNumber reports whether a cite shows its number and nothing else of its own.
func onlyNumber(n *node) bool {
	num := n.find(isNumber)
	if num == nil {
		return false
	}
	rest := n.without(num)
	return rest == nil || rest.find(func(n *node) bool { return n.kind == kText && hasWord(n.text) }) == nil
}

func isNumber(n *node) bool { return n.tag == TagCiteNum }

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
		for j < len(parts) && parts[j].names == parts[i].names && parts[j].n != nil && (parts[i].names != "" || parts[i].suffix > 0 && parts[j].suffix > 0) {
			j++
		}
		if j-i > 1 {
			for k := i + 1; k < j; k++ {
				if names := parts[k].n.find(isNames); names != nil {
					parts[k].n = parts[k].n.without(names)
				}
			}
			d.groupDelimiters(parts[i:j])
			if a.collapse != "year" {
				d.collapseSuffixes(parts[i:j])
			}
		}
		if j-i > 1 || a.hasAfterCollapse && d.style.Class == "in-text" {
			parts[j-1].delim = a.afterCollapseDelimiter
		}
		i = j
	}
}

// groupDelimiters puts the delimiter of a group between cites that share their names. After a locator that would be
// unclear.
func (d *Document) groupDelimiters(parts []part) {
	a := d.style.citation
	for i := range parts {
		switch {
		case a.hasGroupDelimiter:
			parts[i].delim = a.citeGroupDelimiter
		case d.style.Class == "note":
			parts[i].delim = a.layout.delimiter
		case parts[i].ci.Locator != "":
			parts[i].delim = a.afterCollapseDelimiter
		default:
			parts[i].delim = a.citeGroupDelimiter
		}
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
