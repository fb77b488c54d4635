package marker

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What stands around a sign tells whether it cites. The questions of this file are asked of the end of the text before it.

// endsSentence reports whether a sentence may end with this word. It errs on the side of yes: a run that begins too late
// still lies in the right sentence.
func endsSentence(word string) bool {
	word = strings.TrimRightFunc(word, isCloser)
	last, _ := utf8.DecodeLastRuneInString(word)
	switch last {
	case '!', '?', '…', '。', '！', '？':
		return true
	case '.':
	default:
		return false
	}
	stem := strings.TrimLeft(word[:len(word)-1], `("'“‘[`)
	if len(stem) == 1 && 'A' <= stem[0] && stem[0] <= 'Z' {
		return false // an initial
	}
	return !slices.Contains(abbreviations, strings.ToLower(stem))
}

var abbreviations = []string{
	"e.g", "i.e", "cf", "etc", "vs", "al", "dr", "mr", "mrs", "ms", "prof", "st", "no", "nos", "fig", "figs", "eq", "sec", "ch",
	"vol", "pp", "ed", "eds", "approx", "ca", "u.s", "u.k", "inc", "ltd", "jr", "sr", "gen", "col", "sen", "rep", "a.m", "p.m",
}

func endsIdeographic(word string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(word, isCloser))
	return last == '。' || last == '！' || last == '？'
}

// isCloser reports whether a sign closes something and so stands without a space before it.
func isCloser(r rune) bool {
	switch r {
	case '"', '\'', '”', '’', '»', ')', ']', '*', '_', '」', '』', '）':
		return true
	}
	return false
}

// longBullet bounds the signs that may open a list item.
const longBullet = 12

// isBullet reports whether a line holds nothing yet, or only the sign of a list item, a quotation or a heading.
func isBullet(line string) bool {
	line = strings.TrimSpace(line)
	if len(line) >= longBullet {
		return false
	}
	rest := strings.TrimLeft(line, "-*+•>#–· ")
	if rest == "" {
		return true
	}
	digits := strings.TrimRight(rest, ".)")
	return digits != rest && strings.Trim(digits, "0123456789") == ""
}

// exponent reports whether raised digits behind this word are a power or an index: m², x¹, 10⁵, (a+b)².
func exponent(word string) bool {
	last, _ := utf8.DecodeLastRuneInString(word)
	switch {
	case unicode.IsDigit(last), isSuper(last), strings.ContainsRune("⁺⁻⁽⁾⁼⁄/^", last):
		return true
	case last == '(':
		return calling(word)
	case last == ')':
		open := strings.LastIndexByte(word, '(')
		return open >= 0 && !hasLongWord(word[open:])
	}
	letters := word[len(strings.TrimRightFunc(word, unicode.IsLetter)):]
	return letters != "" && utf8.RuneCountInString(letters) <= 2 || slices.Contains(units, letters)
}

// units are longer than two letters and may be raised to a power.
var units = []string{"sec", "min", "mol", "rad", "yds", "hrs", "Pa", "kPa", "MPa", "GPa", "ohm", "sin", "cos", "tan", "log", "pixel", "pixels"}

func hasLongWord(s string) bool {
	n := 0
	for _, r := range s {
		if n++; !unicode.IsLetter(r) {
			n = 0
		}
		if n >= 3 {
			return true
		}
	}
	return false
}

// indexing reports whether "[1]" behind this word picks an element, as in a[1] or rows_by_id[1], rather than citing.
func indexing(word, next string) bool {
	last, _ := utf8.DecodeLastRuneInString(word)
	switch {
	case last == ']':
		open := strings.LastIndexByte(word, '[')
		return open >= 0 && strings.Trim(word[open:], "[]0123456789") == ""
	case last == '(':
		return calling(word)
	case last == ')':
		open := strings.LastIndexByte(word, '(')
		return open > 0 && isWordRune(rune(word[open-1]))
	case !isWordRune(last) && last != '_':
		return false
	}
	if len(next) >= 2 && next[0] == '.' && 'a' <= next[1] && next[1] <= 'z' || strings.HasPrefix(next, "=") || strings.HasPrefix(next, " =") {
		return true
	}
	name := word[strings.LastIndexFunc(word, func(r rune) bool { return !isWordRune(r) && r != '_' && r != '.' })+1:]
	if strings.ContainsAny(name, "_.") && !strings.Contains(name, "..") && !isNumber(name) && !slices.Contains(abbreviations, strings.ToLower(name)) {
		return true
	}
	if len(name) == 1 {
		return 'a' <= name[0] && name[0] <= 'z'
	}
	return slices.Contains(variables, name) || isCamel(name)
}

// calling reports whether a word ends as f( does, which calls something.
func calling(word string) bool {
	n := len(word) - 2
	return n >= 0 && (word[n] == '_' || word[n] < utf8.RuneSelf && isWordRune(rune(word[n])))
}

// variables are names that are no words of prose.
var variables = []string{"arr", "args", "argv", "nums", "vec", "buf", "df", "str", "tmp", "idx", "ptr", "dp", "dict"}

func isNumber(s string) bool { return strings.Trim(s, "0123456789.,") == "" }

func isCamel(s string) bool {
	lower := false
	for _, r := range s {
		if lower && unicode.IsUpper(r) {
			return true
		}
		lower = unicode.IsLower(r)
	}
	return false
}

// interval reports whether numbers behind this text are the ends of a range: "the range [1, 5]".
func interval(before string) bool {
	for _, w := range []string{"range", "interval", "array", "list", "vector", "tuple", "matrix", "=", "∈", "∉", "⊂", "×", "→"} {
		if strings.HasSuffix(before, w) {
			return true
		}
	}
	return false
}

// followedByText reports whether text follows on the same line, behind further numbers in brackets.
func followedByText(s string, eof bool) verdict {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\n':
			return no
		case c == ' ', c == '\t', c == '\r', c == '[', c == ']', c == ',', c == '.', isDigit(c):
			if i > refLimit {
				return yes
			}
		default:
			return yes
		}
	}
	return end(eof)
}

func sortMarks(marks []Mark) {
	slices.SortFunc(marks, func(a, b Mark) int {
		return cmp.Or(cmp.Compare(a.At.Start, b.At.Start), cmp.Compare(a.At.End, b.At.End), slices.Compare(a.Refs, b.Refs), slices.Compare(a.Dangling, b.Dangling))
	})
}
