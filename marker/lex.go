package marker

import (
	"strings"
	"unicode/utf8"
)

// A lexer looks at the text from one place on and says whether its form stands there. It must be true to the stream: once
// it has said yes or no, more text does not change that. Where it would, it asks for more.
type verdict int

const (
	no verdict = iota
	yes
	more
)

// Limits of what a lexer waits for. They make every wait bounded; what is longer is text.
const (
	markerLimit = 4096 // a marker in braces, a code span, a line that opens a fence
	refLimit    = 160  // [CTX …], (Source …), 【…】
	linkLimit   = 2048 // the address of a link
)

// end is the verdict where the text ends before the form is decided.
func end(eof bool) verdict {
	if eof {
		return no
	}
	return more
}

// reference is what a citation names.
type reference struct {
	n        int      // bytes of raw text
	numbers  []int    // as written
	keyword  bool     // written with a word: [CTX 7], (Source 7); it cannot be anything but a citation
	name     string   // of a file or title, where it is named instead of numbered
	label    string   // of a footnote
	keep     [2]int   // the words of a link, which stay; offsets into the raw text of the reference
	url      string   // of a link
	separate bool     // superscripts: "¹²" may be 12, or 1 and 2
	runs     []string // superscripts: the digits of each number
}

// keywords are the words that models put before a passage's number.
var keywords = []string{
	"ctx", "context", "contexts", "source", "sources", "passage", "passages", "document", "documents", "doc", "docs",
	"reference", "references", "ref", "refs", "citation", "citations", "excerpt", "excerpts", "snippet", "snippets",
}

// numbers reads "1", "1, 2", "1-3", "CTX 1, CTX 2", "Sources 1 and 2", "Source 2, p. 4". It is given the whole inside
// of a bracket.
func numbers(s string) (list []int, keyword, ok bool) {
	s = strings.TrimSpace(s)
	s, keyword = cutKeyword(s)
	for {
		a, rest, ok := cutNumber(s)
		if !ok {
			return nil, false, false
		}
		s = rest
		b := a
		if rest, dash := cutDash(s); dash {
			if b, s, ok = cutNumber(rest); !ok || b <= a || b-a > 99 {
				return nil, false, false
			}
		}
		for n := a; n <= b; n++ {
			list = append(list, n)
		}
		if s == "" {
			return list, keyword, true
		}
		if s, ok = cutSeparator(s); !ok {
			return nil, false, false
		}
		if isLocator(s) {
			return list, keyword, true
		}
		if rest, again := cutKeyword(s); again {
			s, keyword = rest, true
		}
	}
}

// cutKeyword takes a leading keyword and what may stand between it and its number.
func cutKeyword(s string) (rest string, ok bool) {
	n := 0
	for n < len(s) && isLetter(s[n]) {
		n++
	}
	if !isKeyword(s[:n]) {
		return s, false
	}
	return strings.TrimLeft(s[n:], " :#.-_"), true
}

func isKeyword(word string) bool {
	for _, k := range keywords {
		if strings.EqualFold(k, word) {
			return true
		}
	}
	return false
}

// cutNumber takes a leading whole number of at most nine digits.
func cutNumber(s string) (n int, rest string, ok bool) {
	i := 0
	for i < len(s) && i < 9 && isDigit(s[i]) {
		n = n*10 + int(s[i]-'0')
		i++
	}
	if i == 0 || i < len(s) && isDigit(s[i]) {
		return 0, s, false
	}
	return n, strings.TrimLeft(s[i:], " "), true
}

func cutDash(s string) (string, bool) {
	for _, d := range []string{"-", "–", "—", "to "} {
		if rest, ok := strings.CutPrefix(s, d); ok {
			return strings.TrimLeft(rest, " "), true
		}
	}
	return s, false
}

func cutSeparator(s string) (string, bool) {
	found := false
	for _, sep := range []string{",", ";", "&", "and ", "or ", "|", "/"} {
		if rest, ok := strings.CutPrefix(s, sep); ok {
			s, found = strings.TrimLeft(rest, " "), true
		}
	}
	return s, found
}

// isLocator reports whether a page stands behind the number: "p. 4", "pp. 4-6", "page 12".
func isLocator(s string) bool {
	for _, p := range []string{"pp.", "p.", "pages ", "page ", "§"} {
		if rest, ok := strings.CutPrefix(s, p); ok {
			return strings.Trim(rest, " 0123456789-–.") == ""
		}
	}
	return false
}

// inside finds the text up to a closing sign on the same line.
func inside(s string, open, close string, limit int, eof bool) (string, verdict) {
	for i := len(open); i < len(s); {
		if strings.HasPrefix(s[i:], close) {
			return s[len(open):i], yes
		}
		if s[i] == '\n' || i > limit || open != "" && strings.HasPrefix(s[i:], open) {
			return "", no
		}
		if !eof && len(s)-i < len(close) && strings.HasPrefix(close, s[i:]) {
			return "", more
		}
		i++
	}
	if len(s) > limit {
		return "", no
	}
	return "", end(eof)
}

// bracketed reads [1], [1, 2], [CTX 1], [^note] and nothing else that may stand between square brackets.
func bracketed(s string, eof bool) (reference, verdict) {
	if len(s) == 1 {
		return reference{}, end(eof)
	}
	switch s[1] {
	case '^':
		return footnote(s, eof)
	case '[':
		return doubled(s, eof)
	}
	if !mayHoldNumbers(s[1:]) {
		return reference{}, no
	}
	in, v := inside(s, "[", "]", refLimit, eof)
	if v != yes {
		return reference{}, v
	}
	list, keyword, ok := numbers(in)
	if !ok || !keyword && !plausible(list) {
		return reference{}, no
	}
	return reference{n: len(in) + 2, numbers: list, keyword: keyword}, yes
}

// doubled reads [[1]].
func doubled(s string, eof bool) (reference, verdict) {
	if len(s) > 2 && s[2] == '[' {
		return reference{}, no
	}
	ref, v := bracketed(s[1:], eof)
	switch {
	case v == more:
		return reference{}, more
	case v == no || ref.label != "":
		return reference{}, no
	}
	if ref.n+1 == len(s) {
		return reference{}, end(eof)
	}
	ref.n += 2
	return ref, verdictOf(s[ref.n-1] == ']')
}

// plausible reports whether bare numbers can be citations: [1858] is a year and [0, 1] an interval.
func plausible(list []int) bool {
	for _, n := range list {
		if n < 1 || n > 999 {
			return false
		}
	}
	return len(list) > 0
}

// mayHoldNumbers reports whether text that began inside a bracket can still become numbers. It keeps "[sic" and "[a long
// remark" from being held back.
func mayHoldNumbers(s string) bool {
	s = strings.TrimLeft(s, " ")
	if s == "" || isDigit(s[0]) {
		return true
	}
	n := 0
	for n < len(s) && isLetter(s[n]) {
		n++
	}
	if n < len(s) {
		return isKeyword(s[:n])
	}
	for _, k := range keywords {
		if n <= len(k) && strings.EqualFold(k[:n], s) {
			return true
		}
	}
	return false
}

func footnote(s string, eof bool) (reference, verdict) {
	const limit = 48
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case c == ']' && i > 2:
			return reference{n: i + 1, label: "^" + strings.ToLower(s[2:i])}, yes
		case c == '^' && i > 2: // [^1^]
			if i+1 == len(s) {
				return reference{}, end(eof)
			}
			list, _, ok := numbers(s[2:i])
			return reference{n: i + 2, numbers: list}, verdictOf(ok && plausible(list) && s[i+1] == ']')
		case i > limit, !isLetter(c) && !isDigit(c) && c != '-' && c != '_' && c != '.':
			return reference{}, no
		}
	}
	return reference{}, end(eof)
}

// link reads [words](address) and [words](address "title").
func link(s string, eof bool) (reference, verdict) {
	words, v := inside(s, "[", "]", refLimit, eof)
	if v != yes {
		return reference{}, v
	}
	ref, v := address(s, len(words)+2, eof)
	ref.keep = [2]int{1, 1 + len(words)}
	return ref, v
}

// address reads the part of a link that begins at i: (address "title").
func address(s string, i int, eof bool) (reference, verdict) {
	if i == len(s) {
		return reference{}, end(eof)
	}
	if s[i] != '(' {
		return reference{}, no
	}
	depth := 0
	for start := i + 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\n', i-start > linkLimit:
			return reference{}, no
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				url, _, _ := strings.Cut(strings.TrimSpace(s[start:i]), " ")
				return reference{n: i + 1, url: strings.Trim(url, "<>")}, yes
			}
		}
	}
	return reference{}, end(eof)
}

// parenthesised reads (Source 2), (Sources 1 and 2), (see Passage 3), (Source: a title).
func parenthesised(s string, eof bool) (reference, verdict) {
	body := s[1:]
	if rest, ok := cutFold(body, "see "); ok {
		body = rest
	} else if len(body) < len("see ") && strings.EqualFold(body, "see "[:len(body)]) {
		return reference{}, end(eof)
	}
	if body == "" {
		return reference{}, end(eof)
	}
	if !isLetter(body[0]) || !mayHoldNumbers(body) {
		return reference{}, no
	}
	in, v := inside(body, "", ")", refLimit, eof)
	if v != yes {
		return reference{}, v
	}
	ref := reference{n: len(s) - len(body) + len(in) + 1, keyword: true}
	if list, keyword, ok := numbers(in); ok && keyword {
		ref.numbers = list
		return ref, yes
	}
	if word, name, ok := strings.Cut(in, ":"); ok && isKeyword(word) {
		ref.name = strings.TrimSpace(name)
		return ref, yes
	}
	return reference{}, no
}

const lensOpen, lensClose, dagger = "【", "】", "†"

// lenticular reads 【1】, 【1†source】 and 【4:0†name.pdf】.
func lenticular(s string, eof bool) (reference, verdict) {
	if len(s) == len(lensOpen) {
		return reference{}, end(eof)
	}
	if !isDigit(s[len(lensOpen)]) {
		return reference{}, no
	}
	in, v := inside(s, lensOpen, lensClose, refLimit, eof)
	if v != yes {
		return reference{}, v
	}
	ref := reference{n: len(lensOpen) + len(in) + len(lensClose)}
	number, name, named := strings.Cut(in, dagger)
	if turn, index, ok := strings.Cut(number, ":"); ok && named {
		// The first number counts turns, not sources; only the name tells which work it is.
		if _, _, ok := cutNumber(turn); !ok {
			return reference{}, no
		}
		n, rest, ok := cutNumber(index)
		ref.numbers, ref.name, ref.keyword = []int{n}, strings.TrimSpace(name), true
		return ref, verdictOf(ok && rest == "")
	}
	list, _, ok := numbers(number)
	ref.numbers = list
	return ref, verdictOf(ok && plausible(list))
}

func verdictOf(ok bool) verdict {
	if ok {
		return yes
	}
	return no
}

const superDigits = "⁰¹²³⁴⁵⁶⁷⁸⁹"

// superDigit gives the value of a superscript digit.
func superDigit(r rune) (byte, bool) {
	if r < '²' { // nearly all text
		return 0, false
	}
	n := byte('0')
	for _, d := range superDigits {
		if d == r {
			return n, true
		}
		n++
	}
	return 0, false
}

// superscript reads ¹, ¹², ¹,² and "¹⁻³". It does not stand for a citation where a letter, a digit or another raised
// sign follows, as in ¹⁴C.
func superscript(s string, eof bool) (reference, verdict) {
	ref := reference{separate: true}
	var run []byte
	for i := 0; ; {
		if i > refLimit {
			return reference{}, no
		}
		if i == len(s) || !utf8.FullRuneInString(s[i:]) {
			if !eof {
				return reference{}, more
			}
			return finishSuper(ref, run, i, ' ')
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if d, ok := superDigit(r); ok {
			run = append(run, d)
			i += size
			continue
		}
		if r == ',' && len(run) > 0 {
			next := s[i+size:]
			if next == "" || !utf8.FullRuneInString(next) {
				if !eof {
					return reference{}, more
				}
				return finishSuper(ref, run, i, r)
			}
			if after, _ := utf8.DecodeRuneInString(next); isSuper(after) {
				ref.runs = append(ref.runs, string(run))
				run, i = nil, i+size
				continue
			}
		}
		return finishSuper(ref, run, i, r)
	}
}

func isSuper(r rune) bool {
	_, ok := superDigit(r)
	return ok
}

func finishSuper(ref reference, run []byte, n int, next rune) (reference, verdict) {
	if len(run) == 0 || isWordRune(next) || strings.ContainsRune("⁺⁻⁽⁼ⁿ", next) {
		return reference{}, no
	}
	ref.n = n
	ref.runs = append(ref.runs, string(run))
	for _, r := range ref.runs {
		if len(r) > 3 || r[0] == '0' {
			return reference{}, no
		}
	}
	return ref, yes
}

// raised reads <sup>1</sup> and <sup>[1, 2]</sup>.
func raised(s string, eof bool) (reference, verdict) {
	const tag = "<sup>"
	if len(s) < len(tag) {
		if strings.HasPrefix(tag, s) {
			return reference{}, end(eof)
		}
		return reference{}, no
	}
	if !strings.HasPrefix(s, tag) {
		return reference{}, no
	}
	in, v := inside(s, tag, "</sup>", refLimit, eof)
	if v != yes {
		return reference{}, v
	}
	body := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(in), "["), "]")
	list, keyword, ok := numbers(body)
	if !ok || !plausible(list) {
		return reference{}, no
	}
	return reference{n: len(tag) + len(in) + len("</sup>"), numbers: list, keyword: keyword}, yes
}

func cutFold(s, prefix string) (string, bool) {
	if len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix) {
		return s[len(prefix):], true
	}
	return s, false
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
