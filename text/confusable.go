package text

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
)

// Letters of Cyrillic and Greek that are drawn as Latin ones. Greek small letters that stand in formulas (α, μ, π) are not
// among them.
const (
	cyrillicTwins = "авеёзіјкмнорсѕтухһԁԛԝьАВЕЁЗІЈКМНОРЅСТУХҺԀԚԜ"
	greekTwins    = "οινκρυχςΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"
)

// Confusable gives what does not read as it is written, in order: invisible characters that do not belong where they
// stand, and words that hold letters of another script which look like Latin ones. Normalize drops the former and keeps
// the latter, so whoever compares texts must report them.
func Confusable(s string) []ibid.Span {
	out := hidden(s)
	own := strings.ContainsFunc(s, func(r rune) bool {
		return unicode.Is(unicode.Cyrillic, r) && !strings.ContainsRune(cyrillicTwins, r)
	})
	if !strings.ContainsFunc(s, func(r rune) bool { return unicode.In(r, unicode.Cyrillic, unicode.Greek) }) {
		return out
	}
	for _, w := range Words(s) {
		if poses(w.In(s), own) {
			out = append(out, w)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Start < out[j].Start })
	return out
}

// hidden gives the runs of invisible characters, but for those that writing needs: joiners in scripts that join, and in
// emoji, and the selectors of a form behind a symbol.
func hidden(s string) []ibid.Span {
	var out []ibid.Span
	var before rune
	for i := 0; i < len(s); {
		if s[i] >= ' ' && s[i] < 0x7f {
			before = rune(s[i])
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch k := len(out) - 1; {
		case !invisible(r):
			before = r
		case needed(before, r) || r == '\ufeff' && i == 0:
		case k >= 0 && out[k].End == i:
			out[k].End += n
		default:
			out = append(out, ibid.Span{Start: i, End: i + n})
		}
		i += n
	}
	return out
}

func needed(before, r rune) bool {
	switch {
	case r == '\u200c' || r == '\u200d':
		return before > 0x58f && !unicode.In(before, unicode.Latin, unicode.Greek, unicode.Cyrillic)
	case unicode.Is(unicode.Variation_Selector, r):
		return before > 0xff || strings.ContainsRune("#*0123456789©®", before)
	case r >= 0xe0020 && r <= 0xe007f: // tags in the flags of regions
		return before == '🏴'
	case r == '\u200e' || r == '\u200f' || r == '\u061c':
		return unicode.In(before, unicode.Arabic, unicode.Hebrew)
	}
	return false
}

// poses reports whether a word takes letters of another script for Latin ones: mixed with them, or all of it in a text
// that has no other use for that script.
func poses(word string, cyrillic bool) bool {
	var latin, twins, others bool
	for _, r := range word {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin = true
		case strings.ContainsRune(cyrillicTwins, r) || strings.ContainsRune(greekTwins, r):
			twins = true
		case unicode.Is(unicode.Cyrillic, r):
			others = true
		}
	}
	if latin {
		return twins || others
	}
	return twins && !others && !cyrillic && utf8.RuneCountInString(word) > 1 && !strings.ContainsFunc(word, isGreek)
}

func isGreek(r rune) bool { return unicode.Is(unicode.Greek, r) }
