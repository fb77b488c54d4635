// Package claim tells whether a sentence of an answer states something that could rest on a source, or is a heading, code, a question, a courtesy, a
// remark on the answer itself or on what the passages lack, or the lead of what follows. In doubt it is a claim.
//
// It reads forms and phrases, and knows no sources.
package claim

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// Made reports whether a segment makes a claim, and says why where it makes none. before is the segment before it, or "".
func Made(s string, kind ibid.Kind, before string) (claim bool, reason string) {
	switch kind {
	case ibid.Heading:
		if !titleTells(s) {
			return false, heading
		}
	case ibid.Code:
		return false, "code makes no claim"
	case ibid.TableRow:
		return rowClaims(s, before)
	}
	plain := undress(s)
	reason = emptiness(plain, kind)
	if reason == "" || reason != reference && slices.ContainsFunc(token.Sentences(plain), func(at ibid.Span) bool { return emptiness(undress(at.In(plain)), kind) == "" }) {
		return true, "" // a segment that was given may be more than a sentence
	}
	return false, reason
}

// emptiness is why a text claims nothing, or "".
func emptiness(s string, kind ibid.Kind) string {
	if reason := formOf(s); reason != "" {
		return reason
	}
	low := lowered(s)
	if reason := phraseOf(low, kind); reason != "" || kind == ibid.ListItem {
		return reason
	}
	return emptyAbroad(low)
}

// rowClaims tells the rows of a table from its head: the first row, all of it short names.
func rowClaims(s, before string) (bool, string) {
	if !strings.ContainsFunc(s, letterOrDigit) {
		return false, "the rule of a table makes no claim"
	}
	if strings.Contains(before, "|") || strings.ContainsFunc(s, unicode.IsDigit) {
		return true, ""
	}
	for _, cell := range strings.Split(strings.Trim(strings.TrimSpace(s), "|"), "|") {
		if len(strings.Fields(cell)) > 4 {
			return true, ""
		}
	}
	return false, "the head of a table makes no claim"
}

func letterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// undress takes off what formatting puts around a sentence: bullets, pictures, emphasis, references at its end.
func undress(s string) string {
	s = strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || token.Pictured(r) })
	s = strings.TrimLeft(s, "-*+•>#–· \t")
	s = strings.TrimSuffix(strings.TrimSpace(s), "</s>")
	for {
		t := strings.TrimRight(s, "*_ \t")
		if open := strings.LastIndexByte(t, '['); open > 0 && strings.HasSuffix(t, "]") && strings.Trim(t[open:], "[]0123456789, ") == "" {
			t = t[:open]
		}
		if t == s {
			return s
		}
		s = t
	}
}

// formOf names the form of a text that claims nothing by its form alone.
func formOf(s string) string {
	if !strings.ContainsFunc(s, letterOrDigit) {
		return "no words, no claim"
	}
	if isReferenceLine(s) || len(s) < 80 && sourceAlone.MatchString(strings.ToLower(s)) {
		return reference
	}
	bare := strings.TrimRight(s, `"'”’»)]*_ `)
	if strings.HasSuffix(bare, "?") || strings.HasSuffix(bare, "？") || strings.HasSuffix(bare, "؟") {
		if !reportsSpeech(s) {
			return "a question makes no claim"
		}
	}
	if strings.HasSuffix(bare, ":") || strings.HasSuffix(bare, "：") {
		if leadsList(strings.TrimRight(bare, ":： ")) {
			return leading
		}
	}
	return ""
}

// reference is why an entry of a list of sources claims nothing, which has full stops of its own.
const reference = "an entry of a list of references makes no claim"

// isReferenceLine reports whether a line is an entry of a list of sources: "[1] Field, C. W. (1858). Letters", "[^1]: …",
// an address alone. A sentence that begins with its citation is not: "[1] The cable failed.", nor is a note that says something: "[^1]: The price excludes tax."
func isReferenceLine(s string) bool {
	rest, labelled := cutLabel(s)
	lower := strings.ToLower(rest)
	for _, lead := range []string{"source:", "sources:", "reference:", "references:", "url:", "link:"} {
		if after, ok := strings.CutPrefix(lower, lead); ok {
			lower = strings.TrimSpace(after)
			break
		}
	}
	if strings.HasPrefix(lower, "http") && !strings.ContainsAny(lower, " \t") || linkAlone(rest) {
		return true
	}
	if !labelled {
		return false
	}
	return strings.Contains(lower, "http") || strings.Contains(lower, "doi") || bibliographic(rest) || strings.HasPrefix(s, "[^") && namesWork(rest)
}

// linkAlone reports whether a line is nothing but a link to a page by its title: "[Cable – Encyclopedia](https://…)". A statement may be linked as a whole.
func linkAlone(s string) bool {
	words, rest, ok := strings.Cut(s, "](")
	if !ok || !strings.HasPrefix(words, "[") || strings.Contains(words[1:], "[") {
		return false
	}
	n := token.Address("(" + rest)
	return n > 0 && strings.Trim(rest[n-1:], " .") == "" && (namesWork(words[1:]) || strings.ContainsAny(words, "|—–"))
}

// namesWork reports whether a note names a work in place of saying something: it gives a page, sends to another place, or most of its longer words are those of
// names and titles.
func namesWork(s string) bool {
	words, capitals := 0, 0
	for i, w := range strings.Fields(s) {
		w = strings.Trim(w, `"'“”‘’«»()[],;:*_`)
		switch low := strings.ToLower(w); {
		case low == "p." || low == "pp." || low == "vol." || low == "ibid." || low == "ed." || low == "eds." || i == 0 && (low == "see" || low == "cf."):
			return true
		case len(w) > 3:
			words++
			if r, _ := utf8.DecodeRuneInString(w); unicode.IsUpper(r) || unicode.IsDigit(r) {
				capitals++
			}
		}
	}
	return 2*capitals >= words
}

// cutLabel takes the label of a list of sources off a line.
func cutLabel(s string) (rest string, ok bool) {
	end := strings.IndexByte(s, ']')
	if end < 2 || s[0] != '[' || strings.Trim(s[1:end], "^0123456789") != "" && s[1] != '^' {
		return s, false
	}
	return strings.TrimLeft(s[end+1:], ": "), true
}

// bibliographic reports whether a text names a work: it has no full stop at its end and is short, or gives a year as
// lists of works do.
func bibliographic(s string) bool {
	bare := strings.TrimRight(s, `"'”’) `)
	if !strings.HasSuffix(bare, ".") && !strings.HasSuffix(bare, "!") && len(strings.Fields(s)) <= 15 {
		return true
	}
	for i := 0; i+6 <= len(s); i++ {
		if s[i] == '(' && s[i+5] == ')' && strings.Trim(s[i+1:i+5], "0123456789") == "" {
			return true
		}
	}
	return false
}

// reportsSpeech reports whether the question mark belongs to words that the sentence only quotes.
func reportsSpeech(s string) bool {
	open := strings.IndexAny(s, "\"“«")
	return open > 0 && len(strings.Fields(s[:open])) >= 2 && !strings.HasSuffix(s, "?")
}

// leadsList reports whether a text before a colon only leads to what follows. News put a statement before a colon too:
// "The board was divided over the cost:".
func leadsList(s string) bool {
	if leadTells(lowered(s)) {
		return false
	}
	words := strings.Fields(strings.ToLower(s))
	if len(words) <= 8 || inTitleCase(s) || words[0] == "to" && words[1] == "answer" {
		return true
	}
	for i, w := range words {
		w = strings.Trim(w, ",.;()")
		switch w {
		case "following", "follow", "follows", "below", "steps", "include", "includes", "including", "options", "equation", "formula", "examples", "tips", "several", "various", "depends", "depending":
			return true
		case "ways": // to treat it, not a singer's
			if i+1 < len(words) && slices.Contains([]string{"to", "in", "of", "you"}, words[i+1]) {
				return true
			}
		}
		if i > 0 && words[i-1] == "these" || i+1 == len(words) && (w == "by" || w == "are" || w == "were" || w == "as" || w == "to" || w == "first") {
			return true
		}
	}
	return false
}

// inTitleCase reports whether most words begin with a capital, as in a title.
func inTitleCase(s string) bool {
	capital, words := 0, 0
	for _, w := range strings.Fields(s) {
		if len(w) > 3 {
			words++
			if r := []rune(strings.TrimLeft(w, "(\"'“")); len(r) > 0 && unicode.IsUpper(r[0]) {
				capital++
			}
		}
	}
	return words > 0 && capital*4 >= words*3
}

// lowered makes a sentence comparable with the phrases: lower case, plain apostrophes, single spaces.
func lowered(s string) string {
	s = strings.ToLower(s)
	if strings.ContainsFunc(s, func(r rune) bool { return r == '*' || r == '_' || r >= utf8.RuneSelf }) {
		s = plainMarks.Replace(s)
	}
	return strings.Join(strings.Fields(s), " ")
}

var plainMarks = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "*", "", "_", "")
