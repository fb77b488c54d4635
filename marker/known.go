package marker

import (
	"strconv"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/internal/pageurl"
)

// known finds passages by number, address or name.
type known struct {
	passages int
	byURL    map[string][]int
	byName   map[string][]int
}

func newKnown(c Config) known {
	k := known{passages: c.Passages, byURL: map[string][]int{}, byName: map[string][]int{}}
	for _, s := range c.Sources {
		if s.Rank < 1 || s.Rank > c.Passages {
			continue
		}
		if u := pageurl.Plain(s.URL); u != "" {
			k.byURL[u] = union(k.byURL[u], []int{s.Rank})
		}
		if name := plainName(s.Title); name != "" {
			k.byName[name] = union(k.byName[name], []int{s.Rank})
		}
	}
	return k
}

func plainName(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// resolve gives the passages that a reference names, and the numbers that name none.
func (f *flow) resolve(ref reference) (refs, dangling []int) {
	if ref.url != "" {
		if ranks := f.cfg.byURL[pageurl.Plain(ref.url)]; len(ranks) > 0 {
			return ranks, nil
		}
	}
	if ref.name != "" {
		if ranks := f.cfg.byName[plainName(ref.name)]; len(ranks) > 0 {
			return ranks, nil
		}
		if ranks := f.cfg.byURL[pageurl.Plain(ref.name)]; len(ranks) > 0 {
			return ranks, nil
		}
	}
	if ref.label != "" {
		return f.defs[ref.label], nil
	}
	list := ref.numbers
	for _, digits := range ref.runs {
		list = append(list, f.raisedNumbers(digits)...)
	}
	for _, n := range list {
		if 1 <= n && n <= f.cfg.passages {
			refs = union(refs, []int{n})
		} else {
			dangling = union(dangling, []int{n})
		}
	}
	return refs, dangling
}

// raisedNumbers reads raised digits: ¹² is 12 where there is a passage 12, else 1 and 2 where there are these.
func (f *flow) raisedNumbers(digits string) []int {
	n, _ := strconv.Atoi(digits)
	if n <= f.cfg.passages {
		return []int{n}
	}
	var each []int
	for _, d := range digits {
		if v := int(d - '0'); 1 <= v && v <= f.cfg.passages {
			each = append(each, v)
		}
	}
	if len(each) == len(digits) {
		return each
	}
	return []int{n}
}

// labels names what a definition later in the text may define: a footnote, or a bare number.
func (f *flow) labels(ref reference) []string {
	if ref.label != "" {
		if _, ok := f.defs[ref.label]; ok {
			return nil
		}
		return []string{ref.label}
	}
	if ref.keyword || ref.url != "" {
		return nil
	}
	var labels []string
	for _, n := range ref.numbers {
		labels = append(labels, strconv.Itoa(n))
	}
	return labels
}

// definition is a line that says what a footnote or a number stands for.
type definition struct {
	label    string
	verbatim bool // nothing in it is a marker
	text     strings.Builder
}

func (d *definition) add(t string) {
	if d.text.Len() < markerLimit {
		d.text.WriteString(t)
	}
}

// finishDefinition resolves what used the label before. It is late: the text has been given out.
func (s *Scanner) finishDefinition() {
	if s.def == nil {
		return
	}
	label, ranks := s.def.label, s.named(strings.TrimLeft(s.def.text.String(), ": "))
	s.def = nil
	if len(ranks) == 0 {
		return
	}
	s.defs[label] = ranks
	own, _ := strconv.Atoi(label)
	for _, at := range s.uses[label] {
		if len(ranks) == 1 && ranks[0] == own {
			continue // as was said when it was used
		}
		s.marks = append(s.marks, Mark{At: at, Refs: ranks, Late: true})
	}
	delete(s.uses, label)
}

// named finds the passages that a definition's text names: by marker, by address, by title.
func (f *flow) named(text string) []int {
	var ranks []int
	for i := range len(text) {
		var ref reference
		v := no
		switch text[i] {
		case '[':
			ref, v = bracketed(text[i:], true)
		case '(':
			ref, v = parenthesised(text[i:], true)
		}
		if v == yes && ref.keyword {
			refs, _ := f.resolve(ref)
			ranks = union(ranks, refs)
		}
	}
	for _, word := range strings.Fields(text) {
		if i := strings.Index(word, "http"); i >= 0 {
			ranks = union(ranks, f.cfg.byURL[pageurl.Plain(strings.Trim(word[i:], `<>()[]"'.,;`))])
		}
	}
	if len(ranks) > 0 {
		return ranks
	}
	if refs, _, ok := numbers(text); ok {
		refs, _ = f.resolve(reference{numbers: refs})
		return refs
	}
	const short = 6 // a shorter title stands in too many lines by chance
	line, best := plainName(text), ""
	for name := range f.cfg.byName {
		if strings.Contains(line, name) && (len(name) >= short || line == name) && (len(name) > len(best) || len(name) == len(best) && name < best) {
			best = name
		}
	}
	return f.cfg.byName[best]
}

// unresolved reads footnotes that were never defined as the numbers of passages.
func (f *flow) unresolved() {
	var late []Mark
	for label, uses := range f.uses {
		digits, isNote := strings.CutPrefix(label, "^")
		n, err := strconv.Atoi(digits)
		if !isNote || err != nil {
			continue
		}
		refs, dangling := f.resolve(reference{numbers: []int{n}})
		for _, at := range uses {
			late = append(late, Mark{At: at, Refs: refs, Dangling: dangling, Late: true})
		}
	}
	sortMarks(late)
	f.marks = append(f.marks, late...)
	f.uses = map[string][]ibid.Span{}
}
