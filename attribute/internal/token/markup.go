package token

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Tag is the length of a tag of HTML at the start of s, 0 where none stands there.
func Tag(s string) int {
	end := strings.IndexAny(s[1:], "<>\n") + 1
	if end == 0 || s[end] != '>' {
		return 0
	}
	name := strings.TrimPrefix(s[1:end], "/")
	if n := strings.IndexFunc(name, func(r rune) bool { return !WordRune(r) }); n >= 0 {
		if rest := strings.TrimSpace(name[n:]); rest != "/" && (name[n] != ' ' || !strings.Contains(rest, "=")) {
			return 0
		}
		name = name[:n]
	}
	if !slices.Contains(tags, strings.ToLower(name)) {
		return 0
	}
	return end + 1
}

// tags are those that answers are formatted with.
var tags = strings.Fields("a abbr b big blockquote br center cite code dd del details div dl dt em font h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s samp small span strike strong sub summary sup table tbody td tfoot th thead tr tt u ul var")

// Entity is the length of an entity of HTML at the start of s, as &nbsp; and &#39; are, 0 where none stands there.
func Entity(s string) int {
	end := strings.IndexByte(s[:min(len(s), 10)], ';')
	if end < 3 {
		return 0
	}
	name := strings.TrimPrefix(s[1:end], "#")
	if strings.ContainsFunc(name, func(r rune) bool { return r >= utf8.RuneSelf || !WordRune(r) }) {
		return 0
	}
	return end + 1
}

// longestAddress bounds how far the end of a link is looked for.
const longestAddress = 2048

// Address is the length of (address) or (address "title") at the start of s, 0 where none stands there.
func Address(s string) int {
	if !slices.ContainsFunc([]string{"http://", "https://", "www.", "mailto:", "/", "#"}, func(p string) bool {
		return strings.HasPrefix(s, "("+p) || strings.HasPrefix(s, "(<"+p)
	}) {
		return 0
	}
	depth := 0
	for i, c := range s[:min(len(s), longestAddress)] {
		switch c {
		case '\n':
			return 0
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// Pictured reports whether a character is a picture, or one that only changes how a picture looks.
func Pictured(r rune) bool {
	return r != '°' && unicode.In(r, unicode.So, unicode.Variation_Selector) || r >= 0x1F3FB && r <= 0x1F3FF || r == 0x200D
}
