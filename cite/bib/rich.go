package bib

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Rich text is text with the few marks that CSL allows inside of fields. All formats go through this tree.
//
//	"of <i>E. coli</i>"  ->  text "of ", italic[text "E. coli"]
type node struct {
	kind kind
	text string // of a text node
	kids []node // of any other
}

type kind int

const (
	text kind = iota
	italic
	bold
	sub
	sup
	smallCaps
	noCase
)

// deepest bounds nesting, so that no input grows the stack.
const deepest = 40

var richTag = regexp.MustCompile(`</?(?:i|b|sub|sup|sc)>|<span (?:class="nocase"|style="font-variant: ?small-caps;?")>|</span>`)

func tagKind(tag string) kind {
	switch strings.Trim(tag, "</>") {
	case "i":
		return italic
	case "b":
		return bold
	case "sub":
		return sub
	case "sup":
		return sup
	case "sc":
		return smallCaps
	}
	if strings.Contains(tag, "nocase") {
		return noCase
	}
	return smallCaps
}

// parseRich reads the marks of a CSL field. A mark without its partner is text.
func parseRich(s string) []node {
	if !strings.Contains(s, "<") {
		if s == "" {
			return nil
		}
		return []node{{text: s}}
	}
	type open struct {
		tag  string
		kids nodeList
	}
	stack := []*open{{}}
	top := func() *open { return stack[len(stack)-1] }
	last := 0
	for _, at := range richTag.FindAllStringIndex(s, -1) {
		top().kids.add(node{text: s[last:at[0]]})
		last = at[1]
		tag := s[at[0]:at[1]]
		switch {
		case !strings.HasPrefix(tag, "</") && len(stack) <= deepest:
			stack = append(stack, &open{tag: tag})
		case closes(tag, top().tag):
			done := top()
			stack = stack[:len(stack)-1]
			top().kids.add(node{kind: tagKind(done.tag), kids: done.kids.all()})
		default:
			top().kids.add(node{text: tag})
		}
	}
	top().kids.add(node{text: s[last:]})
	for len(stack) > 1 {
		done := top()
		stack = stack[:len(stack)-1]
		top().kids.add(node{text: done.tag})
		top().kids.add(done.kids.all()...)
	}
	return stack[0].kids.all()
}

func closes(tag, open string) bool {
	if strings.HasPrefix(open, "<span") {
		return tag == "</span>"
	}
	return open != "" && tag == "</"+open[1:]
}

// nodeList grows a list of nodes. Neighbouring texts are joined, empty ones left out, in time linear in their length.
type nodeList struct {
	nodes []node
	text  []byte // of the text node that is growing
}

func (l *nodeList) add(nodes ...node) {
	for _, n := range nodes {
		switch {
		case n.kind == text:
			l.text = append(l.text, n.text...)
		case len(n.kids) > 0:
			l.flush()
			l.nodes = append(l.nodes, n)
		}
	}
}

func (l *nodeList) flush() {
	if len(l.text) > 0 {
		l.nodes = append(l.nodes, node{text: string(l.text)})
		l.text = l.text[:0]
	}
}

func (l *nodeList) all() []node {
	l.flush()
	return l.nodes
}

var tags = map[kind][2]string{
	italic: {"<i>", "</i>"}, bold: {"<b>", "</b>"}, sub: {"<sub>", "</sub>"}, sup: {"<sup>", "</sup>"},
	smallCaps: {`<span style="font-variant: small-caps;">`, "</span>"}, noCase: {`<span class="nocase">`, "</span>"},
}

// renderRich writes the tree as a CSL field.
func renderRich(nodes []node) string {
	var b strings.Builder
	writeRich(&b, nodes)
	return b.String()
}

func writeRich(b *strings.Builder, nodes []node) {
	for _, n := range nodes {
		if n.kind == text {
			b.WriteString(n.text)
			continue
		}
		b.WriteString(tags[n.kind][0])
		writeRich(b, n.kids)
		b.WriteString(tags[n.kind][1])
	}
}

// plainText is the field without its marks.
func plainText(s string) string {
	if !strings.Contains(s, "<") {
		return s
	}
	return richTag.ReplaceAllString(s, "")
}

// squeeze makes every run of white space one space, as TeX does.
func squeeze(s string) string {
	if !strings.ContainsAny(s, "\t\n\r\f\v\u0085\u2028\u2029") && !strings.Contains(s, "  ") {
		return strings.TrimSpace(s)
	}
	return strings.TrimSpace(spaces.ReplaceAllString(s, " "))
}

// A no-break space is meant; it is not among these.
var spaces = regexp.MustCompile(`[ \t\n\r\f\v\x{0085}\x{2028}\x{2029}]+`)

// capitals finds the words of a title that a style must not put into lower case: all with a capital letter, but for a
// first word with nothing but an initial one, which every style leaves alone. Writer and reader share it, so that braces
// which the writer would set anyway are not taken for a mark of the author's own.
func capitals(run string, atStart bool) [][2]int {
	if strings.Contains(run, "$") {
		return nil // maths: a brace in the midst of it would break it
	}
	var out [][2]int
	word := -1
	flush := func(end int) {
		if word < 0 {
			return
		}
		from, to := core(run, word, end)
		if from < to && hasCapital(run[from:to], atStart && strings.TrimFunc(run[:from], notLetter) == "") {
			out = append(out, [2]int{from, to})
		}
		word = -1
	}
	for i, r := range run {
		if unicode.IsSpace(r) {
			flush(i)
		} else if word < 0 {
			word = i
		}
	}
	flush(len(run))
	return out
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }

// core is the word without the punctuation around it.
func core(s string, from, to int) (int, int) {
	word := strings.TrimLeftFunc(s[from:to], notLetter)
	from = to - len(word)
	return from, from + len(strings.TrimRightFunc(word, notLetter))
}

func hasCapital(word string, first bool) bool {
	for i, r := range word {
		if unicode.IsUpper(r) && (i > 0 || !first) {
			return true
		}
	}
	return false
}

// asciiFold takes accents off, for keys.
func asciiFold(s string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(s) {
		if !unicode.Is(unicode.Mn, r) {
			b.WriteRune(r)
		}
	}
	return plainLetters.Replace(b.String())
}

// plainLetters are letters without a mark that could be taken off, and what is written for them where they are missing.
var plainLetters = strings.NewReplacer("ł", "l", "Ł", "L", "ø", "o", "Ø", "O", "đ", "d", "Đ", "D", "ð", "d", "Ð", "D", "þ", "th", "Þ", "Th", "ß", "ss", "æ", "ae", "Æ", "Ae", "œ", "oe", "Œ", "Oe", "ı", "i")
