package csl

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fields may hold a little HTML (<i>, <b>, <sup>, <sub>, <sc>, spans for small capitals, nocase and nodecor) and
// quotation marks. Marks without a partner are text.

var (
	fmtItalic = &formatting{style: "italic"}
	fmtBold   = &formatting{weight: "bold"}
	fmtSup    = &formatting{align: "sup"}
	fmtSub    = &formatting{align: "sub"}
	fmtCaps   = &formatting{variant: "small-caps"}
)

// mark is a tag or quotation mark found in a field.
type mark struct {
	start, end int
	open       bool
	close      bool
	kind       markKind
	partner    int // index of the mark it pairs with, or -1
	literal    string
}

type markKind uint8

const (
	markItalic markKind = iota
	markBold
	markSup
	markSub
	markCaps
	markCapsSpan
	markNoCase
	markNoDecor
	markDouble // "
	markSingle // '
	markCurlyDouble
	markCurlySingle
	markOuter // the locale's own marks
	markInner
)

var openTags = []struct {
	tag  string
	kind markKind
}{
	{"<i>", markItalic}, {"<b>", markBold}, {"<sup>", markSup}, {"<sub>", markSub}, {"<sc>", markCaps},
}

// quotes are the quotation marks of a locale.
type quotes struct {
	outerOpen, outerClose, innerOpen, innerClose string
}

func plainField(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '<', '"', '\'', 0xc2, 0xe2, 0xe3:
			return false
		case ' ':
			if i+1 < len(s) && strings.IndexByte(":;?!", s[i+1]) >= 0 {
				return false
			}
		}
	}
	return true
}

// parseRich reads the content of a field.
func (mem *arena) rich(s string, q *quotes) *node {
	if plainField(s) {
		return mem.new(node{kind: kText, rich: true, text: s})
	}
	s = narrowSpaces(s)
	marks := pair(s, findMarks(s, q))
	out := mem.new(node{kind: kRich})
	out.kids, _, _ = mem.build(s, marks, 0, 0, -1)
	return out
}

// narrowSpaces keeps French punctuation from being parted from its word.
func narrowSpaces(s string) string {
	if !strings.Contains(s, " ") {
		return s
	}
	for _, p := range []string{":", ";", "?", "!", "»"} {
		if strings.Contains(s, " "+p) {
			s = strings.ReplaceAll(s, " "+p, "\u202f"+p)
		}
	}
	return strings.ReplaceAll(s, "« ", "«\u202f")
}

func findMarks(s string, q *quotes) []mark {
	var marks []mark
	add := func(m mark) { m.partner = -1; marks = append(marks, m) }
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '<':
			if m, ok := tagAt(s, i); ok {
				add(m)
				i = m.end
				continue
			}
		case c == '"' || c == '\'':
			add(straightQuote(s, i, marks))
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s[i:])
			if m, ok := curlyQuote(s, i, r, size, q); ok {
				add(m)
			}
			i += size
			continue
		}
		i++
	}
	return marks
}

// maxTag is the length of the longest tag that is read as one.
const maxTag = 200

func tagAt(s string, i int) (mark, bool) {
	rest := s[i:]
	for _, t := range openTags {
		if strings.HasPrefix(rest, t.tag) {
			return mark{start: i, end: i + len(t.tag), open: true, kind: t.kind}, true
		}
		if strings.HasPrefix(rest, "</"+t.tag[1:]) {
			return mark{start: i, end: i + len(t.tag) + 1, close: true, kind: t.kind}, true
		}
	}
	if strings.HasPrefix(rest, "</span>") {
		return mark{start: i, end: i + 7, close: true, kind: markCapsSpan}, true
	}
	if !strings.HasPrefix(rest, "<span ") {
		return mark{}, false
	}
	end := strings.IndexByte(rest[:min(len(rest), maxTag)], '>')
	if end < 0 {
		return mark{}, false
	}
	attrs := strings.ReplaceAll(rest[6:end], " ", "")
	m := mark{start: i, end: i + end + 1, open: true}
	switch {
	case strings.HasPrefix(attrs, `class="nocase"`):
		m.kind = markNoCase
	case strings.HasPrefix(attrs, `class="nodecor"`):
		m.kind = markNoDecor
	case strings.HasPrefix(attrs, `style="font-variant:small-caps`):
		m.kind = markCapsSpan
	default:
		return mark{}, false
	}
	return m, true
}

func (k markKind) span() bool { return k == markCapsSpan || k == markNoCase || k == markNoDecor }

func (k markKind) quote() bool { return k >= markDouble }

// straightQuote decides by what stands around it whether a quote can open or close.
func straightQuote(s string, i int, before []mark) mark {
	m := mark{start: i, end: i + 1, kind: markDouble}
	if s[i] == '\'' {
		m.kind = markSingle
	}
	prev, _ := utf8.DecodeLastRuneInString(s[:i])
	next, _ := utf8.DecodeRuneInString(s[i+1:])
	atStart := i == 0
	if len(before) > 0 && before[len(before)-1].end == i {
		last := before[len(before)-1]
		if last.open && !last.close {
			atStart = true
		}
		if last.close && !last.open && !last.kind.quote() {
			prev = 'x'
		}
	}
	opens := atStart || unicode.IsSpace(prev) || strings.ContainsRune("([{-–—/\u202f", prev)
	atEnd := i+1 == len(s)
	switch {
	case opens && !atEnd && !unicode.IsSpace(next):
		m.open = true
		// In "« 'a' »" the second mark follows no space; one that follows an opener may still close: "''".
	case m.kind == markSingle && !atEnd && !unicode.IsSpace(next) && !strings.ContainsRune(",.?:;!)]}<\"'”’-–—/\u202f", next):
		m.literal = "’" // inside a word
	case m.kind == markSingle && opens:
		m.literal = "’"
	case opens:
		m.literal = `"`
	default:
		m.close = true
	}
	return m
}

func curlyQuote(s string, i int, r rune, size int, q *quotes) (mark, bool) {
	m := mark{start: i, end: i + size}
	next, _ := utf8.DecodeRuneInString(s[i+size:])
	switch {
	case r == '“':
		m.kind, m.open = markCurlyDouble, true
	case r == '”':
		m.kind, m.close = markCurlyDouble, true
	case r == '‘':
		m.kind, m.open = markCurlySingle, true
	case r == '’':
		if unicode.IsLetter(next) || unicode.IsDigit(next) {
			return m, false
		}
		m.kind, m.close = markCurlySingle, true
	case q != nil && q.outerOpen != q.outerClose && strings.HasPrefix(s[i:], q.outerOpen) && q.outerOpen != "":
		m.kind, m.open, m.end = markOuter, true, i+len(q.outerOpen)
	case q != nil && q.outerOpen != q.outerClose && strings.HasPrefix(s[i:], q.outerClose) && q.outerClose != "":
		m.kind, m.close, m.end = markOuter, true, i+len(q.outerClose)
	default:
		return m, false
	}
	return m, true
}

// maxNesting bounds marks inside of marks. No title needs more than four.
const maxNesting = 32

// pair matches openers with closers. What finds no partner becomes text.
func pair(s string, marks []mark) []mark {
	var stack []int // never deeper than maxNesting, so that looking through it takes no time
	for i := range marks {
		m := &marks[i]
		switch {
		case m.open:
			// A second opening quote of the same kind voids the first: quotes do not nest in themselves.
			if n := len(stack); n > 0 && m.kind.quote() && m.kind <= markSingle && marks[stack[n-1]].kind == m.kind {
				stack = stack[:n-1]
			}
			if len(stack) < maxNesting {
				stack = append(stack, i)
			}
		case m.close:
			at := len(stack) - 1
			for at >= 0 && !closes(marks[stack[at]].kind, m.kind) {
				at--
			}
			if at < 0 || (m.kind == markSingle || m.kind == markCurlySingle) && at != len(stack)-1 {
				continue // an apostrophe, or a mark without its opener
			}
			marks[stack[at]].partner, m.partner = i, stack[at]
			stack = stack[:at]
		}
	}
	out := marks[:0]
	index := make([]int, len(marks))
	for i, m := range marks {
		index[i] = len(out)
		if m.partner >= 0 || m.literal != "" || m.kind == markSingle {
			if m.partner < 0 {
				m.literal = orElse(m.literal, "’")
			}
			out = append(out, m)
		}
	}
	for i := range out {
		if out[i].partner >= 0 {
			out[i].partner = index[out[i].partner]
		}
	}
	return out
}

func closes(open, close markKind) bool {
	return open == close || open.span() && close.span()
}

// buildRich makes nodes of s from byte at, up to the mark that is the partner of the opener at index until.
func (mem *arena) build(s string, marks []mark, i, at, until int) (kids []*node, next, pos int) {
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			kids = append(kids, mem.text(text.String()))
			text.Reset()
		}
	}
	for i < len(marks) {
		m := marks[i]
		text.WriteString(s[at:m.start])
		at = m.end
		switch {
		case m.partner < 0:
			text.WriteString(m.literal)
			i++
		case m.partner == until:
			flush()
			return kids, i + 1, at
		default:
			flush()
			var inner []*node
			open := m
			inner, i, at = mem.build(s, marks, i+1, at, i)
			kids = append(kids, mem.marked(open.kind, inner, marks))
		}
	}
	text.WriteString(s[at:])
	flush()
	return kids, i, len(s)
}

func (mem *arena) marked(kind markKind, kids []*node, marks []mark) *node {
	switch kind {
	case markItalic:
		return mem.new(node{kids: kids, format: fmtItalic})
	case markBold:
		return mem.new(node{kids: kids, format: fmtBold})
	case markSup:
		return mem.new(node{kids: kids, format: fmtSup})
	case markSub:
		return mem.new(node{kids: kids, format: fmtSub})
	case markCaps, markCapsSpan:
		return mem.new(node{kids: kids, format: fmtCaps})
	case markNoCase:
		return mem.new(node{kind: kNoCase, kids: kids})
	case markNoDecor:
		return mem.new(node{kind: kNoDecor, kids: kids})
	}
	n := mem.new(node{kind: kQuote, kids: kids})
	switch kind {
	case markCurlySingle, markInner:
		n.inner = true
	case markDouble, markSingle:
		// The straight mark that comes first is the outer one.
		for _, m := range marks {
			if m.partner >= 0 && (m.kind == markDouble || m.kind == markSingle) {
				n.inner = m.kind != kind
				break
			}
		}
	}
	return n
}
