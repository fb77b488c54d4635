package ingest

import (
	"encoding/xml"
	"strconv"
	"strings"
	"unicode"
)

// docxNumbering knows which lists have numbers, and counts. Lists of one kind go on counting where the one before ended, unless they say
// where they begin.
type docxNumbering struct {
	lists    map[string]docxList // by numId
	counters map[string]*docxCount
}

type docxList struct {
	kind   string // abstractNumId
	levels *[docxLevels]docxLevel
	starts map[int]int // levels that begin anew
}

const docxLevels = 9

// docxLevel is how the items of one level are counted and shown.
type docxLevel struct {
	format string
	text   string // "%1.%2"; empty where only the number is known
	start  int
}

type docxCount struct {
	n     [docxLevels]int  // of the last item
	begun [docxLevels]bool // has an item
	seen  map[string]bool  // lists that have begun
}

// newDOCXLevels are levels that begin with one, which is what goes without saying.
func newDOCXLevels() *[docxLevels]docxLevel {
	var out [docxLevels]docxLevel
	for i := range out {
		out[i].start = 1
	}
	return &out
}

func newDOCXNumbering() docxNumbering {
	return docxNumbering{lists: map[string]docxList{}, counters: map[string]*docxCount{}}
}

func (n *docxNumbering) read(x *xmlReader) error {
	kinds := map[string]*[docxLevels]docxLevel{}
	var levels *[docxLevels]docxLevel // nil outside of a kind
	level, id := 0, ""
	return x.each(func(t xml.StartElement) {
		val := attr(t, "val")
		switch t.Name.Local {
		case "abstractNum":
			levels, level, id = nil, 0, ""
			if len(kinds) < 10000 {
				levels = newDOCXLevels()
				kinds[attr(t, "abstractNumId")] = levels
			}
		case "num":
			levels, level, id = nil, 0, attr(t, "numId")
		case "abstractNumId":
			if id != "" && len(n.lists) < 10000 {
				n.lists[id] = docxList{kind: val, levels: kinds[val]}
			}
		case "lvl", "lvlOverride":
			level = min(max(number(attr(t, "ilvl")), 0), docxLevels-1)
		case "startOverride":
			if l := n.lists[id]; l.kind != "" {
				if l.starts == nil {
					l.starts = map[int]int{}
				}
				l.starts[level] = number(val)
				n.lists[id] = l
			}
		}
		if levels == nil {
			return
		}
		switch t.Name.Local {
		case "numFmt":
			levels[level].format = val
		case "lvlText":
			levels[level].text = val[:min(len(val), 100)]
		case "start":
			levels[level].start = number(val)
		}
	})
}

// sign gives the sign of the next item of a list.
func (n *docxNumbering) sign(id string, level int) string {
	level = min(max(level, 0), docxLevels-1)
	list := n.lists[id]
	if list.levels == nil {
		list.levels = newDOCXLevels()
	}
	c := n.counters[list.kind]
	if c == nil {
		c = &docxCount{seen: map[string]bool{}}
		n.counters[list.kind] = c // of which there are no more than kinds
	}
	if !c.seen[id] && len(c.seen) < 10000 {
		c.seen[id] = true
		for l, start := range list.starts {
			c.n[l], c.begun[l] = start-1, true
			clear(c.begun[l+1:])
		}
	}
	for l := range level + 1 { // levels above that have no item yet count as if they had their first
		if !c.begun[l] {
			c.n[l], c.begun[l] = list.levels[l].start, true
			if l == level {
				c.n[l]--
			}
		}
	}
	c.n[level]++
	clear(c.begun[level+1:])
	return list.show(c, level)
}

// show writes the numbers of an item as its list says.
func (l docxList) show(c *docxCount, level int) string {
	at := l.levels[level]
	sign := wordSign(at.format, c.n[level])
	if at.text == "" || sign == "- " {
		return sign
	}
	var out strings.Builder
	for i := 0; i < len(at.text); i++ {
		if k := i + 1; at.text[i] == '%' && k < len(at.text) && at.text[k] >= '1' && at.text[k] <= '9' {
			of := int(at.text[k] - '1')
			format := l.levels[of].format
			if format == "" || format == "none" || format == "bullet" {
				format = "decimal"
			}
			out.WriteString(strings.TrimSuffix(wordSign(format, c.n[of]), ". "))
			i = k
			continue
		}
		out.WriteByte(at.text[i])
	}
	if s := collapse(strings.ToValidUTF8(out.String(), "")); s != "" {
		return s + " "
	}
	return "- "
}

// wordSign is numberSign as Word counts: behind z come aa, bb and cc.
func wordSign(format string, n int) string {
	if n > 26 && strings.HasSuffix(format, "Letter") {
		return strings.Repeat(strings.TrimSuffix(numberSign(format, (n-1)%26+1), ". "), min((n-1)/26+1, 30)) + ". "
	}
	return numberSign(format, n)
}

// numberSign writes the number of an item in a format of Word's; what has none is a dash.
func numberSign(format string, n int) string {
	switch format {
	case "", "bullet", "none":
		return "- "
	case "lowerLetter":
		return letterNumber(n) + ". "
	case "upperLetter":
		return strings.ToUpper(letterNumber(n)) + ". "
	case "lowerRoman":
		return romanNumber(n) + ". "
	case "upperRoman":
		return strings.ToUpper(romanNumber(n)) + ". "
	}
	return strconv.Itoa(n) + ". "
}

func isLetter(r rune) bool { return unicode.IsLetter(r) }
