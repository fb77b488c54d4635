package bib

import (
	"fmt"
	"regexp"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// texEntry is one entry of a .bib file, its macros put in.
type texEntry struct {
	kind   string // in lower case
	key    string
	line   int
	fields []texField
	index  map[string]int // of each field, by its name in lower case; the first of a name counts
}

type texField struct {
	name  string // as written
	value string
}

// get gives a field by its name in lower case.
func (e *texEntry) get(name string) (string, bool) {
	i, ok := e.index[name]
	if !ok {
		return "", false
	}
	return e.fields[i].value, true
}

func (e *texEntry) add(name, value string) {
	if e.index == nil {
		e.index = map[string]int{}
	}
	if low := strings.ToLower(name); !has(e.index, low) {
		e.index[low] = len(e.fields)
	}
	e.fields = append(e.fields, texField{name, value})
}

func has(m map[string]int, key string) bool {
	_, ok := m[key]
	return ok
}

// texParser reads the entries of a .bib file. Braces are counted as BibTeX does: a backslash before one means nothing.
type texParser struct {
	s        string
	at       int
	lines    []int // offsets of line ends
	macros   map[string]string
	entries  []texEntry
	notes    []Problem
	problems Problems
	// broken is set once an entry ran to the end of the file. From then on an entry also ends where a line begins like
	// another one: else every entry after an unclosed brace would be lost, and each would be looked for to the end.
	broken bool
	// budget bounds what macros grow to.
	budget int
}

func parseTeX(s string) *texParser {
	p := &texParser{s: s, macros: map[string]string{}, budget: 16<<20 + 4*len(s)}
	for i, m := range monthNames {
		p.macros[m] = strings.ToUpper(fullMonths[i][:1]) + fullMonths[i][1:]
	}
	for i := range len(s) {
		if s[i] == '\n' {
			p.lines = append(p.lines, i)
		}
	}
	for p.next() {
		p.item()
	}
	return p
}

func (p *texParser) line(at int) int { return 1 + sort.SearchInts(p.lines, at) }

func (p *texParser) fault(at int, format string, args ...any) {
	p.problems = append(p.problems, Problem{p.line(at), fmt.Sprintf(format, args...)})
}

func (p *texParser) note(at int, format string, args ...any) {
	n := Problem{p.line(at), fmt.Sprintf(format, args...)}
	for i := len(p.notes) - 1; i >= 0 && p.notes[i].Line == n.Line; i-- {
		if p.notes[i] == n {
			return
		}
	}
	p.notes = append(p.notes, n)
}

// next moves to the next @. What stands between entries is a comment.
func (p *texParser) next() bool {
	i := strings.IndexByte(p.s[p.at:], '@')
	if i < 0 {
		return false
	}
	p.at += i + 1
	return true
}

func (p *texParser) skipBlank() {
	for p.at < len(p.s) && (isBlank(p.s[p.at]) || p.s[p.at] == '\f' || p.s[p.at] == '\v') {
		p.at++
	}
}

func (p *texParser) peek() byte {
	if p.at < len(p.s) {
		return p.s[p.at]
	}
	return 0
}

// item reads what follows an @.
func (p *texParser) item() {
	start := p.at - 1
	p.skipBlank()
	from := p.at
	for isASCIILetter(p.peek()) {
		p.at++
	}
	kind := strings.ToLower(p.s[from:p.at])
	p.skipBlank()
	if kind == "comment" {
		p.comment(start)
		return
	}
	if kind == "" || p.peek() != '{' && p.peek() != '(' {
		p.at = from // an @ in running text
		return
	}
	closing := byte('}')
	if p.peek() == '(' {
		closing = ')'
	}
	p.at++
	ok := false
	switch kind {
	case "string":
		ok = p.macro(closing)
	case "preamble":
		_, ok = p.value()
		p.skipBlank()
		ok = ok && p.close(closing)
		p.note(start, "@preamble is not carried over")
	default:
		ok = p.entry(kind, closing, start)
	}
	if !ok {
		p.recover(start)
	}
}

func (p *texParser) comment(start int) {
	if p.peek() == '{' {
		from := p.at
		if _, ok := p.braced(); !ok {
			p.at = from
			p.recover(from)
		}
	} else if i := strings.IndexByte(p.s[p.at:], '\n'); i >= 0 {
		p.at += i
	} else {
		p.at = len(p.s)
	}
	p.note(start, "@comment is not carried over")
}

var entryStart = regexp.MustCompile(`(?m)^[ \t]*@[ \t]*[A-Za-z]+[ \t]*[{(]`)

// recover goes on at the next line that begins like an entry.
func (p *texParser) recover(start int) {
	if p.at >= len(p.s) {
		p.broken = true
	}
	from := start + 1
	if i := strings.IndexByte(p.s[from:], '\n'); i >= 0 {
		if at := entryStart.FindStringIndex(p.s[from+i+1:]); at != nil {
			p.at = from + i + 1 + at[0]
			return
		}
	}
	p.at = len(p.s)
}

func (p *texParser) close(closing byte) bool {
	p.skipBlank()
	if p.peek() != closing {
		p.fault(min(p.at, max(len(p.s)-1, 0)), "expected %c%s", closing, p.found())
		return false
	}
	p.at++
	return true
}

func (p *texParser) found() string {
	if p.at >= len(p.s) {
		return ", the file ends here"
	}
	r, _ := utf8.DecodeRuneInString(p.s[p.at:])
	return fmt.Sprintf(", found %q", r)
}

func (p *texParser) macro(closing byte) bool {
	p.skipBlank()
	name := strings.ToLower(p.ident())
	p.skipBlank()
	if name == "" || p.peek() != '=' {
		p.fault(p.at, `expected name = "text" in @string%s`, p.found())
		return false
	}
	p.at++
	v, ok := p.value()
	if !ok {
		return false
	}
	p.macros[name] = v
	p.skipBlank()
	if p.peek() == ',' {
		p.at++
	}
	return p.close(closing)
}

// ident reads a field's or a macro's name.
func (p *texParser) ident() string {
	from := p.at
	for p.at < len(p.s) && !strings.ContainsRune(" \t\n\f\v\"#%'(),={}\\", rune(p.s[p.at])) {
		p.at++
	}
	return p.s[from:p.at]
}

func (p *texParser) entry(kind string, closing byte, start int) bool {
	e := texEntry{kind: kind, line: p.line(start)}
	p.skipBlank()
	from := p.at
	for p.at < len(p.s) && !strings.ContainsRune(",{}=\n", rune(p.s[p.at])) && !(closing == ')' && p.s[p.at] == ')') {
		p.at++
	}
	if p.peek() == '=' { // the key is missing and the fields begin at once
		p.at = from
	} else {
		e.key = cleanKey(p.s[from:p.at])
		p.skipBlank()
		if p.peek() == ',' {
			p.at++
		}
	}
	what := fmt.Sprintf("@%s{%s", kind, e.key)
	for {
		p.skipBlank()
		for p.peek() == ',' {
			p.at++
			p.skipBlank()
		}
		if p.peek() == closing {
			p.at++
			p.entries = append(p.entries, e)
			return true
		}
		at := p.at
		name := p.ident()
		p.skipBlank()
		if name == "" || p.peek() != '=' {
			if p.at >= len(p.s) {
				p.fault(start, "%s is not closed: expected %c before the end of the file", what, closing)
			} else {
				p.fault(at, "%s: expected a field like title = {…}, or %c%s", what, closing, p.found())
			}
			return false
		}
		p.at++
		v, ok := p.value()
		if !ok {
			p.fault(start, "%s is left out: its field %s is not closed", what, name)
			return false
		}
		e.add(name, v)
		p.skipBlank()
		if c := p.peek(); c != ',' && c != closing && c != 0 {
			p.note(p.at, "%s: expected , after field %s", what, name)
		}
	}
}

// cleanKey keeps what BibTeX allows in a key. Reader and writer share it, so that keys stay what they are.
func cleanKey(s string) string {
	s = strings.TrimSpace(s)
	clean := func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) || r == utf8.RuneError || strings.ContainsRune("\"#%'(),={}~\\", r) {
			return '_'
		}
		return r
	}
	return strings.Map(clean, s)
}

// value reads texts and macros joined by #.
func (p *texParser) value() (string, bool) {
	var b strings.Builder
	for {
		p.skipBlank()
		part, ok := p.part()
		if !ok {
			return "", false
		}
		b.WriteString(part)
		p.skipBlank()
		if p.peek() != '#' {
			return b.String(), true
		}
		p.at++
	}
}

func (p *texParser) part() (string, bool) {
	switch c := p.peek(); {
	case c == '{':
		return p.braced()
	case c == '"':
		return p.quoted()
	}
	at := p.at
	name := p.ident()
	if name == "" {
		p.fault(min(at, max(len(p.s)-1, 0)), "expected a value in braces or quotes%s", p.found())
		return "", false
	}
	if isNumber(name) {
		return name, true
	}
	v, ok := p.macros[strings.ToLower(name)]
	if !ok {
		p.note(at, "there is no @string %s; it is taken as text", name)
		return name, true
	}
	if p.budget -= len(v); p.budget < 0 {
		p.fault(at, "macros grow without bound at %s", name)
		return "", false
	}
	return v, true
}

func isNumber(s string) bool {
	return strings.Trim(s, "0123456789") == ""
}

// braced reads {…} and gives what stands in it.
func (p *texParser) braced() (string, bool) {
	from, level := p.at, 0
	for ; p.at < len(p.s); p.at++ {
		switch p.s[p.at] {
		case '{':
			level++
		case '}':
			if level--; level == 0 {
				p.at++
				return p.s[from+1 : p.at-1], true
			}
		case '\n':
			if p.broken && p.startsEntry() {
				return "", false
			}
		}
	}
	return "", false
}

// quoted reads "…"; a quotation mark in braces does not end it.
func (p *texParser) quoted() (string, bool) {
	p.at++
	from, level := p.at, 0
	for ; p.at < len(p.s); p.at++ {
		switch p.s[p.at] {
		case '{':
			level++
		case '}':
			if level--; level < 0 {
				p.fault(p.at, "expected a quotation mark before }")
				return "", false
			}
		case '"':
			if level == 0 {
				p.at++
				return p.s[from : p.at-1], true
			}
		case '\n':
			if p.broken && p.startsEntry() {
				return "", false
			}
		}
	}
	return "", false
}

func (p *texParser) startsEntry() bool {
	rest := p.s[p.at+1:]
	at := entryStart.FindStringIndex(rest[:min(len(rest), 200)])
	return at != nil && at[0] == 0
}
