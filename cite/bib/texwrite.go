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
	for _, n := range nodes {
		if n.kind == text {
			writeTeXText(b, n.text, title, *start)
			*start = *start && strings.TrimFunc(n.text, notLetter) == ""
			continue
		}
		if n.kind == noCase && !title {
			writeTeXNodes(b, n.kids, false, start)
			continue
		}
		b.WriteString(texCommands[n.kind])
		writeTeXNodes(b, n.kids, title && n.kind != noCase, start)
		b.WriteString("}")
	}
}

func writeTeXText(b *strings.Builder, s string, title, start bool) {
	last := 0
	if title {
		for _, at := range capitals(s, start) {
			escapeTeX(b, s[last:at[0]])
			b.WriteString("{")
			escapeTeX(b, s[at[0]:at[1]])
			b.WriteString("}")
			last = at[1]
		}
	}
	escapeTeX(b, s[last:])
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
	'~': `\textasciitilde{}`, '^': `\textasciicircum{}`, '\u00a0': "~", '–': "--", '—': "---",
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
	case '`':
		return a == '`' || a == '?' || a == '!'
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
