package bib

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// decodeTeX reads the text of a field. In a title, braces guard capitals and become nocase marks; elsewhere they only
// hold together what belongs together.
func decodeTeX(s string, title bool) string {
	if !strings.ContainsAny(s, "\\{}$~-`'\n\t") && !strings.Contains(s, "  ") {
		return strings.TrimSpace(s)
	}
	p := texReader{s: s, title: title}
	var list nodeList
	list.add(p.group(0)...)
	for p.at < len(p.s) { // a closing brace without an opening one
		p.at++
		list.add(p.group(0)...)
	}
	nodes := list.all()
	if title {
		start := true
		nodes = dropUsualCapitals(nodes, &start)
	}
	return squeeze(renderRich(nodes))
}

type texReader struct {
	s       string
	at      int
	title   bool
	guarded bool // within braces that guard capitals
}

func (p *texReader) more() bool { return p.at < len(p.s) }

// group reads to the brace that closes it, which it leaves, or to the end.
func (p *texReader) group(depth int) []node {
	var out nodeList
	for p.more() && p.s[p.at] != '}' {
		switch c := p.s[p.at]; c {
		case '{':
			out.add(p.braces(depth)...)
		case '\\':
			if k, ok := p.fontSwitch(); ok {
				rest := p.group(depth)
				out.add(node{kind: k, kids: rest})
				continue
			}
			out.add(p.command(depth)...)
		case '$':
			out.add(p.maths()...)
		case '~':
			p.at++
			out.add(node{text: "\u00a0"})
		case '-', '`', '\'', '?', '!':
			out.add(node{text: p.ligature()})
		default:
			from := p.at
			for p.more() && !strings.ContainsRune("{}\\$~-`'?!", rune(p.s[p.at])) {
				p.at++
			}
			out.add(node{text: p.s[from:p.at]})
		}
	}
	return out.all()
}

// ligature reads the combinations of plain characters that TeX sets as one.
func (p *texReader) ligature() string {
	for _, l := range ligatures {
		if strings.HasPrefix(p.s[p.at:], l[0]) {
			p.at += len(l[0])
			return l[1]
		}
	}
	p.at++
	return p.s[p.at-1 : p.at]
}

var ligatures = [][2]string{{"---", "—"}, {"--", "–"}, {"``", "“"}, {"''", "”"}, {"?`", "¿"}, {"!`", "¡"}, {"`", "‘"}}

// braces reads a pair of braces at the cursor.
func (p *texReader) braces(depth int) []node {
	if depth >= deepest {
		p.at++
		return nil
	}
	p.at++
	guards := p.title && !p.guarded && p.more() && p.s[p.at] != '\\' && p.s[p.at] != '}'
	p.guarded = p.guarded || guards
	kids := p.group(depth + 1)
	if guards {
		p.guarded = false
	}
	if p.more() {
		p.at++
	}
	if guards && strings.ContainsFunc(plainNodes(kids), unicode.IsLetter) {
		return []node{{kind: noCase, kids: kids}}
	}
	return kids
}

func plainNodes(nodes []node) string {
	var b strings.Builder
	for _, n := range nodes {
		b.WriteString(n.text)
		b.WriteString(plainNodes(n.kids))
	}
	return b.String()
}

// name reads a command: a backslash and letters, or one other character. It leaves the cursor behind it.
func (p *texReader) name() string {
	p.at++
	if !p.more() {
		return ""
	}
	from := p.at
	for p.more() && isASCIILetter(p.s[p.at]) {
		p.at++
	}
	if p.at == from {
		_, n := utf8.DecodeRuneInString(p.s[p.at:])
		p.at += n
		return p.s[from:p.at]
	}
	name := p.s[from:p.at]
	if p.more() && p.s[p.at] == '*' {
		p.at++
	}
	return name
}

func isASCIILetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func (p *texReader) skipSpace() {
	for p.more() && (p.s[p.at] == ' ' || p.s[p.at] == '\t' || p.s[p.at] == '\n') {
		p.at++
	}
}

func (p *texReader) fontSwitch() (kind, bool) {
	from := p.at
	k, ok := switches[p.name()]
	if !ok {
		p.at = from
		return 0, false
	}
	p.skipSpace()
	return k, true
}

// argument reads what a command takes: a pair of braces, another command, or one character.
func (p *texReader) argument(depth int) []node {
	p.skipSpace()
	if !p.more() || p.s[p.at] == '}' || depth >= deepest {
		return nil
	}
	switch p.s[p.at] {
	case '{':
		p.at++
		kids := p.group(depth + 1)
		if p.more() {
			p.at++
		}
		return kids
	case '\\':
		return p.command(depth + 1)
	}
	_, n := utf8.DecodeRuneInString(p.s[p.at:])
	p.at += n
	return []node{{text: p.s[p.at-n : p.at]}}
}

// command reads a command at the cursor. One that is not known stays as it is: better seen than lost.
func (p *texReader) command(depth int) []node {
	name := p.name()
	word := name != "" && isASCIILetter(name[0])
	if mark, ok := combining[name]; ok && (!word || p.takesLetter()) {
		return accent(p.argument(depth), mark)
	}
	if k, ok := fonts[name]; ok {
		return []node{{kind: k, kids: p.argument(depth)}}
	}
	switch {
	case wrappers[name]:
		p.skipSpace()
		if p.more() && p.s[p.at] == '{' {
			return p.argument(depth)
		}
		return nil
	case silent[name]:
		p.argument(depth)
		return nil
	}
	switch name {
	case "", " ", "\n", "\t", "\\":
		return []node{{text: " "}}
	case "-", "/", "@", "!":
		return nil
	case ",", ":", ";", ">":
		return []node{{text: "\u2009"}}
	case "&", "%", "$", "#", "_", "{", "}":
		return []node{{text: name}}
	case "ensuremath":
		return p.mathsOf(p.rawArgument())
	case "url", "path", "nolinkurl": // TeX reads none of its signs
		return []node{{text: decodeVerbatim(p.rawArgument())}}
	case "href":
		p.rawArgument()
		return p.argument(depth)
	case "enquote", "mkbibquote":
		return quoted(p.argument(depth))
	}
	if sign, ok := symbols[name]; ok {
		p.skipSpace()
		return []node{{text: sign}}
	}
	return []node{{text: p.unknown(name)}}
}

// unknown gives a command with its arguments as they stand.
func (p *texReader) unknown(name string) string {
	from := p.at
	for p.more() && (p.s[p.at] == '{' || p.s[p.at] == '[') {
		if p.s[p.at] == '{' {
			p.rawArgument()
			continue
		}
		end := strings.IndexAny(p.s[p.at:], "]{}")
		if end < 0 || p.s[p.at+end] != ']' {
			break
		}
		p.at += end + 1
	}
	return `\` + name + p.s[from:p.at]
}

func quoted(kids []node) []node {
	var out nodeList
	out.add(node{text: "“"})
	out.add(kids...)
	out.add(node{text: "”"})
	return out.all()
}

// takesLetter tells \c{c} from a command that only begins with the letter, as \v and \u do.
func (p *texReader) takesLetter() bool {
	rest := strings.TrimLeft(p.s[p.at:], " \t\n")
	return rest != "" && rest[0] != '}'
}

// accent sets a mark on the first letter. Dotless i and j get theirs back, as the mark stands in its place.
func accent(arg []node, mark rune) []node {
	if len(arg) > 0 && arg[0].kind != text {
		out := append([]node(nil), arg...)
		out[0].kids = accent(arg[0].kids, mark)
		return out
	}
	if len(arg) == 0 {
		return []node{{text: "\u00a0" + string(mark)}}
	}
	r, n := utf8.DecodeRuneInString(arg[0].text)
	switch r {
	case 'ı':
		r = 'i'
	case 'ȷ':
		r = 'j'
	}
	out := append([]node(nil), arg...)
	out[0].text = norm.NFC.String(string(r)+string(mark)) + arg[0].text[n:]
	return out
}

// rawArgument gives what stands in the braces at the cursor, unread.
func (p *texReader) rawArgument() string {
	p.skipSpace()
	if !p.more() || p.s[p.at] != '{' {
		return ""
	}
	level, from := 0, p.at+1
	for ; p.more(); p.at++ {
		switch p.s[p.at] {
		case '{':
			level++
		case '}':
			if level--; level == 0 {
				p.at++
				return p.s[from : p.at-1]
			}
		}
	}
	return p.s[min(from, len(p.s)):]
}

// maths reads $…$. What cannot be said in Unicode with raised and lowered marks stays as TeX.
func (p *texReader) maths() []node {
	rest := p.s[p.at+1:]
	end := closingDollar(rest)
	if end < 0 {
		p.at++
		return []node{{text: "$"}}
	}
	p.at += end + 2
	if end == 0 { // $$ opens display maths; its signs are as good as none
		return nil
	}
	return p.mathsOf(rest[:end])
}

// longestMaths bounds the search for the end of maths: what is longer is none.
const longestMaths = 1024

// closingDollar finds the dollar that ends maths within the same braces.
func closingDollar(s string) int {
	level := 0
	for i := 0; i < min(len(s), longestMaths); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			level++
		case '}':
			if level--; level < 0 {
				return -1
			}
		case '$':
			if level == 0 {
				return i
			}
		}
	}
	return -1
}

func (p *texReader) mathsOf(s string) []node {
	m := texReader{s: s}
	nodes, ok := m.formula(0)
	if !ok || m.more() {
		// A blank at its ends means nothing and stays: a text that only looks like maths may have it.
		return []node{{text: "$" + unescapeAnds(spaces.ReplaceAllString(s, " ")) + "$"}}
	}
	return nodes
}

// formula reads maths to a closing brace or the end. It fails on a command that has no character.
func (p *texReader) formula(depth int) ([]node, bool) {
	var out nodeList
	for p.more() && p.s[p.at] != '}' {
		n, ok := p.mathsAtom(depth)
		if !ok {
			return nil, false
		}
		out.add(n...)
	}
	return out.all(), true
}

func (p *texReader) mathsAtom(depth int) ([]node, bool) {
	if depth >= deepest {
		return nil, false
	}
	switch c := p.s[p.at]; c {
	case '^', '_':
		p.at++
		p.skipSpace()
		if !p.more() || p.s[p.at] == '}' {
			return nil, false
		}
		kids, ok := p.mathsAtom(depth + 1)
		k := sub
		if c == '^' {
			k = sup
		}
		if c == '^' && plainNodes(kids) == "∘" {
			return []node{{text: "°"}}, ok
		}
		return []node{{kind: k, kids: kids}}, ok
	case '{':
		p.at++
		kids, ok := p.formula(depth + 1)
		if !p.more() {
			return nil, false
		}
		p.at++
		return kids, ok
	case '\\':
		return p.mathsCommand(depth)
	case '$':
		return nil, false
	case '-':
		p.at++
		return []node{{text: "−"}}, true
	case '\'':
		p.at++
		return []node{{text: "′"}}, true
	}
	r, n := utf8.DecodeRuneInString(p.s[p.at:])
	p.at += n
	if unicode.IsSpace(r) {
		return []node{{text: " "}}, true
	}
	return []node{{text: string(r)}}, true
}

func (p *texReader) mathsCommand(depth int) ([]node, bool) {
	name := p.name()
	if wrappers[name] || fonts[name] != text {
		p.skipSpace()
		if !p.more() || p.s[p.at] != '{' {
			return nil, false
		}
		kids, ok := p.mathsAtom(depth + 1)
		if k := fonts[name]; k != text {
			kids = []node{{kind: k, kids: kids}}
		}
		return kids, ok
	}
	switch name {
	case ",", ":", ";", " ", "!", "quad":
		return []node{{text: " "}}, true
	case "%", "&", "#", "_", "{", "}":
		return []node{{text: name}}, true
	}
	sign, ok := symbols[name]
	p.skipSpace()
	if sign == name && p.more() && (isASCIILetter(p.s[p.at]) || p.s[p.at] == '\\') { // log n
		sign += " "
	}
	return []node{{text: sign}}, ok
}

// dropUsualCapitals takes off the guards that the writer sets by itself, so that a title comes back as it was.
func dropUsualCapitals(nodes []node, start *bool) []node {
	var out nodeList
	for i := 0; i < len(nodes); {
		run, j := guardedRun(nodes, i)
		if j == i {
			n := nodes[i]
			inner := *start
			*start = *start && strings.TrimFunc(plainNodes(n.kids), notLetter) == ""
			if n.kind != noCase {
				n.kids = dropUsualCapitals(n.kids, &inner)
			}
			out.add(n)
			i++
			continue
		}
		usual := map[[2]int]bool{}
		for _, at := range capitals(run, *start) {
			usual[at] = true
		}
		*start = *start && strings.TrimFunc(run, notLetter) == ""
		for at := 0; i < j; i++ {
			n := nodes[i]
			end := at + len(plainNodes(nodes[i:i+1]))
			if n.kind == noCase && usual[[2]int{at, end}] {
				n = n.kids[0]
			}
			out.add(n)
			at = end
		}
	}
	return out.all()
}

// guardedRun joins texts, in braces or not, from the i-th node on, and gives the node after them.
func guardedRun(nodes []node, i int) (string, int) {
	var run strings.Builder
	for i < len(nodes) && guardedText(nodes[i]) {
		run.WriteString(plainNodes(nodes[i : i+1]))
		i++
	}
	return run.String(), i
}

// guardedText is text, or text in braces.
func guardedText(n node) bool {
	return n.kind == text || n.kind == noCase && len(n.kids) == 1 && n.kids[0].kind == text
}
