package attribute

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute/internal/token"
	"github.com/ibid-dev/ibid/internal/pageurl"
)

// unformatted is a statement with blanks in place of what formats it and says nothing: emphasis and code marks of Markdown, the addresses
// of its links, tags and entities of HTML. No source has them, and a judge that reads them is less sure.
func unformatted(s string) string { return blank(s, formats(s)...) }

// formats are the places of what formats a statement, in the order of their ends.
func formats(s string) []ibid.Span {
	if !strings.ContainsAny(s, "*_~`<[&") {
		return nil // most have none, and need no search
	}
	var out []ibid.Span
	open := -1 // the bracket before the words of a link
	for i := 0; i < len(s); {
		n := 1
		switch c := s[i]; c {
		case '*', '_', '~', '`':
			n = len(s[i:]) - len(strings.TrimLeft(s[i:], string(c)))
			if emphasises(s, i, i+n) {
				out = append(out, ibid.Span{Start: i, End: i + n})
			}
		case '<':
			if end := token.Tag(s[i:]); end > 0 {
				n = end
				out = append(out, ibid.Span{Start: i, End: i + n})
			}
		case '&':
			if end := token.Entity(s[i:]); end > 0 {
				n = end
				out = append(out, ibid.Span{Start: i, End: i + n})
			}
		case '[':
			open = i
		case ']':
			if end := token.Address(s[i+1:]); end > 0 && open >= 0 {
				n += end
				out = append(out, ibid.Span{Start: open, End: open + 1}, ibid.Span{Start: i, End: i + n})
			}
			open = -1
		}
		i += n
	}
	return out
}

// mostChecked is how many links of a statement, and how many pointers, are looked for in the sources.
const mostChecked = 8

// checkLinks names the pages that a statement links to and no source knows of: neither is it one of them, nor does any have its address.
func (t *turn) checkLinks(s string) []string {
	var out []string
	checked := 0
	for _, at := range formats(s) {
		to, ok := strings.CutPrefix(at.In(s), "](")
		if !ok {
			continue
		}
		if checked++; checked > mostChecked {
			break
		}
		to, _, _ = strings.Cut(strings.TrimSuffix(to, ")"), " ")
		to = strings.Trim(to, "<>")
		page, short := pageurl.Plain(to), pageurl.Short(to)
		if page == "" || slices.ContainsFunc(t.passages, func(p ibid.Passage) bool {
			return pageurl.Plain(p.Source.URI) == page || pageurl.Plain(p.Source.Reference.URL()) == page ||
				strings.Contains(p.Chunk.Text, page) || strings.Contains(p.Chunk.Text, short)
		}) {
			continue // no page of the web, or a known one
		}
		out = append(out, fmt.Sprintf("links to %s, which no source has", token.Clip(to, 200)))
	}
	return out
}

// emphasises reports whether the marks at a place set words off: they touch a word at one side alone. 3 * 4, snake_case and ~ 40 have none.
func emphasises(s string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:from])
	after, _ := utf8.DecodeRuneInString(s[to:])
	switch {
	case s[from] == '`':
		return true
	case s[from] == '~' && to-from < 2:
		return false
	case token.WordRune(before) && token.WordRune(after):
		return to-from > 1 && s[from] == '*' && !token.IsDigit(before) // **un**known
	}
	space := func(r rune) bool { return r == utf8.RuneError || unicode.IsSpace(r) }
	return !space(before) || !space(after)
}

// unadorned is a statement with blanks in place of what an item or a quoted line begins with: "- ", "> ", "✅ ".
func unadorned(s string) string {
	n := 0
	for i, r := range s {
		if unicode.IsSpace(r) {
			n = i + utf8.RuneLen(r)
		} else if !token.Pictured(r) && !strings.ContainsRune("-*+•>#–·→", r) {
			return blank(s, ibid.Span{End: n})
		}
	}
	return s
}
