package csl

import (
	"regexp"
	"strings"
)

// EscapeMarkdown writes words so that Markdown shows them as they are, also at the beginning of a line.
func EscapeMarkdown(words string) string {
	w := writer{format: Markdown}
	w.text(words)
	return readAsIs(w.b.String())
}

// markdown escapes what would be read as a mark. An ampersand is one only where it opens an entity.
func (w *writer) markdown(s string) {
	for i := range len(s) {
		c := s[i]
		if strings.IndexByte("\\`*_[]<>#|~", c) >= 0 || c == '&' && entity.MatchString(s[i:]) {
			w.b.WriteByte('\\')
		}
		w.b.WriteByte(c)
	}
}

var (
	entity = regexp.MustCompile(`^&(?:#?[0-9A-Za-z]{1,32});`)
	// opening are the signs that make a list, a rule or a heading of a line that begins with them.
	opening = regexp.MustCompile(`(?m)^(\d{1,9})([.)])(\s|$)|^[-+=]`)
	// escapedAddress is an address among escaped words. Marks of emphasis and brackets around it are not part of it.
	escapedAddress = regexp.MustCompile("https?://(?:\\\\[\\\\`_*#~&|\\[\\]]|[^\\s<>\"\\\\*“”«»])+")
	escapedSign    = regexp.MustCompile("\\\\([\\\\`_*#~&|\\[\\]])")
)

// readAsIs mends what only shows in a whole line of escaped words: a number or a dash that would open a list, and addresses, in which
// readers that make links of them keep a backslash.
func readAsIs(s string) string {
	s = opening.ReplaceAllStringFunc(s, func(m string) string {
		if i := strings.IndexAny(m, ".)"); i >= 0 {
			return m[:i] + `\` + m[i:]
		}
		return `\` + m
	})
	if !strings.Contains(s, "://") || !strings.Contains(s, `\`) {
		return s
	}
	return escapedAddress.ReplaceAllStringFunc(s, func(m string) string {
		link := strings.TrimRight(m, ".,:;!?'’")
		if strings.HasSuffix(link, ")") && strings.Count(link, ")") > strings.Count(link, "(") {
			link = strings.TrimRight(link[:len(link)-1], ".,:;!?'’")
		}
		if !strings.Contains(link, `\`) || strings.HasSuffix(link, `\`) {
			return m
		}
		return "<" + escapedSign.ReplaceAllString(link, "$1") + ">" + m[len(link):]
	})
}
