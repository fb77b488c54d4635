package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/ibid-dev/ibid"
)

// Term is a word as it is looked for, and where it stands.
type Term struct {
	At  ibid.Span
	Key string // without case and accents; letters, digits and signs alone
}

// Terms gives the words of s by which it can be found. They are shorter than those of Words: "Whitehouse's" is found by its
// first part, and "3.14" is two. Case and accents are folded ("Łódź" is "lodz"). Scripts that put no space between words
// give a term for each letter, and so does each emoji. What stands around and between terms (punctuation, blanks,
// bytes that are not UTF-8) only parts them.
func Terms(s string) []Term {
	out := make([]Term, 0, len(s)/6)
	for i := 0; i < len(s); {
		n := termLen(s[i:])
		if n == 0 {
			_, n = utf8.DecodeRuneInString(s[i:])
			i += n
			continue
		}
		out = appendTerm(out, s, ibid.Span{Start: i, End: i + n})
		i += n
	}
	return out
}

// termLen is the length of the term at the start of s; 0 where none begins there.
func termLen(s string) int {
	n := 0
	for n < len(s) {
		if c := s[n]; c < utf8.RuneSelf {
			if !isAlnum(c) {
				break
			}
			n++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[n:])
		switch {
		case n == 0 && alone(r):
			n += size
			return n + unheardLen(s[n:])
		case unheard(r) && n > 0, !alone(r) && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)):
			n += size
			continue
		}
		break
	}
	return n
}

func unheardLen(s string) int {
	return len(s) - len(strings.TrimLeftFunc(s, func(r rune) bool { return unheard(r) || unicode.IsMark(r) }))
}

// alone reports whether a letter or sign is a term of its own.
func alone(r rune) bool {
	if r < 0x0e00 { // before Thai, the first of them
		return false
	}
	if unicode.Is(unicode.So, r) {
		return r > 0x2000 && r < 0xfff0 || r > 0xffff // the specials between them stand for what is not there
	}
	return unicode.IsLetter(r) && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// unheard reports whether a character within a word changes nothing by which it is looked for: accents that belong to no
// script, what joins and hyphenates unseen, how an emoji is drawn.
func unheard(r rune) bool {
	switch {
	case r == 0x3099 || r == 0x309a: // the marks that make か into が
		return false
	case unicode.Is(unicode.Mn, r):
		return unicode.Is(unicode.Inherited, r)
	case 0x1f3fb <= r && r <= 0x1f3ff:
		return true
	}
	return r == 0xad || 0x200c <= r && r <= 0x200f || r == 0x2060 || r == 0xfeff
}

// appendTerm adds the terms of a piece that termLen found: one, but where its characters stand for several (½, ㍿).
func appendTerm(out []Term, s string, at ibid.Span) []Term {
	key := foldTerm(at.In(s))
	for key != "" {
		n := termLen(key)
		if n > 0 {
			out = append(out, Term{at, key[:n]})
		} else {
			_, n = utf8.DecodeRuneInString(key)
		}
		key = key[n:]
	}
	return out
}

// foldTerm takes case and accents off a word.
func foldTerm(word string) string {
	plain := true
	for i := range len(word) {
		plain = plain && word[i] < utf8.RuneSelf
	}
	if plain {
		return strings.ToLower(word)
	}
	// Twice, as letters in disguise (ℌ) show their case only when they are taken apart, and folding may give accents anew.
	for range 2 {
		word = norm.NFKD.String(cases.Fold().String(word))
	}
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if unheard(r) {
			return -1
		}
		return r
	}, unstroked.Replace(word)))
}

// unstroked writes letters plainly whose stroke or tie is no accent to Unicode, and is one to who types.
var unstroked = strings.NewReplacer("ø", "o", "ł", "l", "đ", "d", "ð", "d", "ħ", "h", "ŧ", "t", "ı", "i", "æ", "ae", "œ", "oe", "þ", "th")
