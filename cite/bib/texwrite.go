package bib

import (
	"regexp"
	"strings"
)

// encodeTeX writes a CSL field as TeX. In a title, words with capitals are put in braces.
func encodeTeX(s string, title bool) string {
	var b strings.Builder
	start := title
	writeTeXNodes(&b, parseRich(squeeze(s)), title, &start)
	return b.String()
}

var texCommands = map[kind]string{
	italic: `\textit{`, bold: `\textbf{`, sub: `\textsubscript{`, sup: `\textsuperscript{`, smallCaps: `\textsc{`, noCase: `{`,
}

func writeTeXNodes(b *strings.Builder, nodes []node, title bool, start *bool) {
	for i := 0; i < len(nodes); {
		run, end := guardedRun(nodes, i)
		if end == i {
			n := nodes[i]
			writeTeXGroup(b, n, title, start)
			i++
			continue
		}
		var guard [][2]int
		if title {
			guard = capitals(run, *start)
		}
		for at := 0; i < end; i++ {
			n := nodes[i]
			size := len(plainNodes(nodes[i : i+1]))
			if n.kind == text {
				guard = writeTeXText(b, n.text, guard, at)
			} else {
				inner := false
				writeTeXGroup(b, n, title, &inner)
			}
			at += size
		}
		*start = *start && strings.TrimFunc(run, notLetter) == ""
	}
}

func writeTeXGroup(b *strings.Builder, n node, title bool, start *bool) {
	if n.kind == noCase && !title {
		writeTeXNodes(b, n.kids, false, start)
		return
	}
	b.WriteString(texCommands[n.kind])
	writeTeXNodes(b, n.kids, title && n.kind != noCase, start)
	b.WriteString("}")
	*start = *start && strings.TrimFunc(plainNodes(n.kids), notLetter) == ""
}

// writeTeXText writes a text that stands at an offset of its run, with braces around the ranges that lie within it. It
// gives back the ranges that are still to come.
func writeTeXText(b *strings.Builder, s string, guard [][2]int, offset int) [][2]int {
	last := 0
	for len(guard) > 0 && guard[0][0]-offset < len(s) {
		from, to := guard[0][0]-offset, guard[0][1]-offset
		guard = guard[1:]
		if from < last || to > len(s) {
			continue
		}
		escapeTeX(b, s[last:from])
		b.WriteString("{")
		escapeTeX(b, s[from:to])
		b.WriteString("}")
		last = to
	}
	escapeTeX(b, s[last:])
	return guard
}

// rawMaths is maths that the reader left as TeX.
var rawMaths = regexp.MustCompile(`\$[^$]*\\[A-Za-z][^$]*\$`)

func escapeTeX(b *strings.Builder, s string) {
	for s != "" {
		at := rawMaths.FindStringIndex(s)
		if at == nil || !balanced(s[at[0]:at[1]]) {
			escapePlain(b, s)
			return
		}
		escapePlain(b, s[:at[0]])
		b.WriteString(s[at[0]:at[1]])
		s = s[at[1]:]
	}
}

var texEscapes = map[rune]string{
	'\\': `\textbackslash{}`, '{': `\textbraceleft{}`, '}': `\textbraceright{}`, '$': `\$`, '&': `\&`, '#': `\#`, '_': `\_`, '%': `\%`,
	'~': `\textasciitilde{}`, '^': `\textasciicircum{}`, '\u00a0': "~", '–': "--", '—': "---", '`': `\textasciigrave{}`,
}

func escapePlain(b *strings.Builder, s string) {
	var prev rune
	for _, r := range s {
		if splitsLigature(prev, r) {
			b.WriteString("{}")
		}
		if e, ok := texEscapes[r]; ok {
			b.WriteString(e)
		} else if r >= ' ' || r == '\t' {
			b.WriteRune(r)
		}
		prev = r
	}
}

// splitsLigature tells where two characters would be read as one.
func splitsLigature(a, b rune) bool {
	switch b {
	case '-', '–', '—':
		return a == '-' || a == '–' || a == '—'
	case '\'':
		return a == '\''
	}
	return false
}

// balanced reports whether braces pair up, as BibTeX counts them: a backslash before one changes nothing.
func balanced(s string) bool {
	level := 0
	for i := range len(s) {
		switch s[i] {
		case '{':
			level++
		case '}':
			if level--; level < 0 {
				return false
			}
		}
	}
	return level == 0
}

// encodeVerbatim writes an address or identifier, which TeX does not read. Braces must pair up all the same.
func encodeVerbatim(s string) string {
	s = strings.ReplaceAll(squeeze(s), `\`, "%5C")
	if !balanced(s) {
		s = strings.NewReplacer("{", "%7B", "}", "%7D").Replace(s)
	}
	return s
}

// decodeVerbatim reads an address or identifier, also where somebody has escaped it as text.
func decodeVerbatim(s string) string {
	s = strings.TrimSpace(s)
	if inner, ok := strings.CutPrefix(s, `\url{`); ok {
		s = strings.TrimSuffix(inner, "}")
	}
	for strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}") && balanced(s[1:len(s)-1]) {
		s = s[1 : len(s)-1]
	}
	if strings.Contains(s, `\`) {
		s = verbatimEscapes.Replace(s)
	}
	return squeeze(brokenLine.ReplaceAllString(s, ""))
}

// brokenLine is where an editor has wrapped a long address.
var brokenLine = regexp.MustCompile(`[ \t]*\n[ \t]*`)

var verbatimEscapes = strings.NewReplacer(`{\_}`, "_", `{\%}`, "%", `{\&}`, "&", `{\#}`, "#", `{\textasciitilde}`, "~", `\textasciitilde{}`, "~", `\textasciitilde `, "~",
	`{\textunderscore}`, "_", `\textunderscore{}`, "_", `\textbackslash{}`, "%5C", `\textless{}`, "<", `\textgreater{}`, ">",
	`\_`, "_", `\%`, "%", `\&`, "&", `\#`, "#", `\$`, "$", `\~{}`, "~", `\~`, "~", `\{`, "{", `\}`, "}", `\`, "%5C")
