// Package token reads a text's words, numbers and signs in their normal form, in English and the other languages that are known. What says the
// same has the same Key, however it is written: 1,500, fifteen hundred and 1.5k, and mille cinq cents in French.
//
// It knows no sources, and compares nothing.
package token

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"golang.org/x/text/unicode/norm"
)

// Token is one word, number or sign of a text in its normal form.
type Token struct {
	At   ibid.Span
	Key  string  // normal form: a stem, "#23" for a number, "percent" for %
	Num  float64 // the value of a number
	Kind Kind
}

// Kind is a set of what is known of a token.
type Kind uint32

const (
	Stop       Kind = 1 << iota // a function word: weighs next to nothing
	Number                      // has a value
	Year                        // a number that reads as a year
	Ordinal                     // first, 2nd
	Capital                     // begins with an upper-case letter
	Name                        // part of a proper name
	Negation                    // not, never, no, without
	Pronoun                     // he, it, this: stands for something named before
	Month                       // the name of a month
	Unit                        // percent, km, dollar
	Quantifier                  // all, most, some, none
	Compare                     // more, less, higher, lower, before, after
	Lookalike                   // mixes scripts so as to look like another word
	Glued                       // follows the token before it without a space
	Comma                       // a comma, semicolon or bracket stands before it
	quoted                      // inside quotation marks
	Verbal                      // a negation that is a word of its own: failed, denied
	Acronym                     // may be made of others' first letters: EU, W.H.O.
	TurnsBack                   // a negation that may stand behind what it denies
	unheard                     // no list of its language has it
)

// Has reports whether any of the kinds of o is among them.
func (k Kind) Has(o Kind) bool { return k&o != 0 }

// Content reports whether the token carries meaning of its own.
func (t Token) Content() bool { return t.Kind&Stop == 0 }

// Scan reads the tokens of a sentence in the language. base is added to every offset. The second result says whether the text hides
// something: invisible characters, or letters of another script that look like Latin ones.
func (g *Tongue) Scan(s string, base int, to []Token) ([]Token, bool) {
	return g.ScanBy(nil, s, base, to)
}

// ScanBy reads the tokens as Scan does, and English words by a vocabulary.
func (g *Tongue) ScanBy(v Vocabulary, s string, base int, to []Token) ([]Token, bool) {
	start := len(to)
	odd := false
	if shouted(s) {
		if low := strings.ToLower(s); len(low) == len(s) {
			s = low // capitals throughout make no names
		}
	}
	gap, pause, quote := true, false, false
	latin := (g == nil || g.code != "ru") && strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Latin, r) })
	minus := -1   // where the sign of the number that follows stands
	closing := -1 // where the formula ends that has begun
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '[' || r == '【':
			// A mark of citation is no part of what is said: its number must match nothing.
			i += max(n, citation(s[i:]))
			gap = true
			continue
		case IsDigit(r) || g.numeric(r):
			if n := countryCode(s, i); n > 0 {
				to = append(to, Token{At: ibid.Span{Start: base + i - 1, End: base + i + n}, Key: s[i-1 : i+n], Kind: Stop})
				gap, pause, minus = false, false, -1
				i += n
				continue
			}
			if date, end := g.dayMonth(s, i, base); date != nil {
				to = append(to, date...)
				gap, pause, minus = false, false, -1
				i = end
				continue
			}
			if hours, from, end, ok := g.hours(s, i); ok {
				if n := len(to); n > start && to[n-1].At.Start >= base+from {
					to = to[:n-1] // the half of the day
				}
				to = append(to, clockToken(hours, ibid.Span{Start: base + from, End: base + end}))
				gap, pause, minus = false, false, -1
				i = end
				continue
			}
			if value, n := power(s[i:]); n > 0 {
				to = append(to, numberToken(value, ibid.Span{Start: base + i, End: base + i + n}))
				gap, pause, minus = false, false, -1
				i += n
				continue
			}
			if hours, end, ok := clock(s[i:]); ok {
				to = append(to, clockToken(hours, ibid.Span{Start: base + i, End: base + i + end}))
				gap, pause, minus = false, false, -1
				i += end
				continue
			}
			fallthrough
		case WordRune(r):
			if n := without(s[i:]); n > 0 && gap {
				to = append(to, Token{At: ibid.Span{Start: base + i, End: base + i + n}, Key: "not", Kind: Negation | Stop})
				gap, minus = false, -1
				i += n
				continue
			}
			if n := thatIs(s[i:]); n > 0 && gap {
				i += n // neither a letter nor a gram
				continue
			}
			end := g.wordEnd(s, i)
			var hidden bool
			before := len(to)
			to, hidden = g.word(v, s[i:end], base+i, latin, to)
			odd = odd || hidden
			if minus >= 0 && len(to) > before && to[before].Kind.Has(Number) {
				to[before].negate(base + minus)
			}
			minus = -1
			for j := before; j < len(to); j++ {
				if pause && j == before {
					to[j].Kind |= Comma
				}
				if !gap || j > before {
					to[j].Kind |= Glued
				}
				if quote {
					to[j].Kind |= quoted
				}
			}
			gap, pause = false, false
			i = end
			continue
		case r == '<' && Tag(s[i:]) > 0:
			i += Tag(s[i:])
			gap = true
			continue
		case r == '&' && Entity(s[i:]) > 0:
			i += Entity(s[i:])
			gap = true
			continue
		case r == '\\' && startsFraction(s[i:]):
			value, n := fraction(s[i:])
			to = append(to, numberToken(value, ibid.Span{Start: base + i, End: base + i + n}))
			gap, pause, minus = false, false, -1
			i += n
			continue
		case r == '$' && (i == closing || formula(s[i:]) > 0):
			if i != closing {
				closing = i + formula(s[i:])
			}
			gap = true
		case Signs[r] != "":
			to = append(to, Token{At: ibid.Span{Start: base + i, End: base + i + n}, Key: Signs[r], Kind: Unit | Glued})
			gap = false
		case r == '"' || r == '“' || r == '”' || r == '«' || r == '»':
			quote = !quote
			gap = true
		case invisible(r):
			odd = true
		default:
			if (r == '-' || r == '−') && (gap || len(to) > start && to[len(to)-1].Kind.Has(Unit) && to[len(to)-1].At.End == base+i) && i+n < len(s) && IsDigit(rune(s[i+n])) {
				minus = i
			}
			gap = r != '-' && r != '–' && r != '/'
			pause = pause || r == ',' || r == ';' || r == '(' || r == ':' || r == '—'
		}
		i += n
	}
	to = g.compose(s, base, to, start)
	to = fractions(s, base, to, start)
	to = join(s, base, to, start)
	scaled(s, base, to[start:])
	g.mark(to[start:])
	to = unite(to, start)
	affirm(s, base, to[start:])
	return to, odd
}

// shouted reports whether a text is in capitals throughout, and is more than a row of short forms: three long words, no small letter.
func shouted(s string) bool {
	long, run := 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z':
			return false
		case c >= 'A' && c <= 'Z':
			if run++; run == 6 {
				long++
			}
		default:
			run = 0
		}
	}
	return long >= 3
}

// countryCode is the length of the prefix by which a telephone number at i is called from abroad, 0 where none stands there: the 44 of +44 20 7946 0123. Others write the
// number without it.
func countryCode(s string, i int) int {
	if i == 0 || s[i-1] != '+' {
		return 0
	}
	n := 0
	for n < 4 && i+n < len(s) && IsDigit(rune(s[i+n])) {
		n++
	}
	digits := 0
	for _, r := range s[i+n:] {
		if IsDigit(r) {
			digits++
		} else if !strings.ContainsRune(" -().\u00a0", r) {
			break
		}
	}
	if n > 3 || digits < 6 || digits > 13 || i+n < len(s) && s[i+n] == '.' {
		return 0
	}
	return n
}

// without is the length of the short form "w/o" at the start of s, 0 where it does not stand there.
func without(s string) int {
	if len(s) < 3 || !strings.EqualFold(s[:3], "w/o") || len(s) > 3 && WordRune(rune(s[3])) {
		return 0
	}
	return 3
}

// thatIs is the length of "i.e." or "e.g." at the start of s, 0 where neither stands there.
func thatIs(s string) int {
	if len(s) < 4 || !strings.EqualFold(s[:4], "i.e.") && !strings.EqualFold(s[:4], "e.g.") {
		return 0
	}
	return 4
}

// clockToken is a time of the day, in hours.
func clockToken(hours float64, at ibid.Span) Token {
	return Token{At: at, Key: fmt.Sprintf("#%05.2f h", hours), Num: hours, Kind: Number}
}

// clock reads a time of day as it is written, 15:30, 3:30 pm or 3 p.m., and gives its hours and where it ends.
func clock(s string) (hours float64, end int, ok bool) {
	digits := func(i, n int) int {
		for k := range n {
			if i+k >= len(s) || !IsDigit(rune(s[i+k])) {
				return k
			}
		}
		return n
	}
	n := digits(0, 3)
	if n == 0 || n == 3 {
		return 0, 0, false
	}
	hour, _ := strconv.Atoi(s[:n])
	end = n
	if end < len(s) && s[end] == ':' && digits(end+1, 3) == 2 {
		minute, _ := strconv.Atoi(s[end+1 : end+3])
		if hours = float64(minute) / 60; minute > 59 || end+3 < len(s) && s[end+3] == ':' {
			return 0, 0, false
		}
		end += 3
	}
	half := strings.TrimPrefix(s[end:], " ")
	if len(half) > 1 && (half[0]|0x20 == 'a' || half[0]|0x20 == 'p') {
		tail := strings.TrimPrefix(half[1:], ".")
		if tail != "" && tail[0]|0x20 == 'm' && (len(tail) == 1 || !WordRune(rune(tail[1]))) && hour >= 1 && hour <= 12 {
			hour %= 12
			if half[0]|0x20 == 'p' {
				hour += 12
			}
			return hours + float64(hour), len(s) - len(tail) + 1, true
		}
	}
	return hours + float64(hour), end, end > n && hour < 24
}

// negate makes a number one below zero, whose sign stands at the given place.
func (t *Token) negate(at int) {
	t.Num = -t.Num
	t.Key, t.At.Start, t.Kind = numberKey(t.Num), at, t.Kind&^Year
}

// affirm takes the negation off what denies nothing: "not only" and the like, but not "no just cause"; "no more than", which
// sets a bound; "whether or not" and "if not all", which leave it open; "No. 15"; and both of "not without".
func affirm(s string, base int, ts []Token) {
	low := func(i int) string {
		if i < 0 || i >= len(ts) {
			return ""
		}
		return strings.ToLower(ts[i].At.Shift(-base).In(s))
	}
	for i := range ts {
		if !ts[i].Kind.Has(Negation) {
			continue
		}
		word, next := low(i), low(i+1)
		not := strings.HasSuffix(word, "not") || strings.HasSuffix(word, "n't") || strings.HasSuffix(word, "n’t")
		switch {
		case not && slices.Contains([]string{"only", "just", "merely", "simply", "solely"}, next),
			(not || word == "no") && slices.Contains([]string{"more", "less", "fewer", "later", "earlier"}, next) && low(i+2) == "than",
			word == "not" && low(i-1) == "or" && low(i-2) == "whether",
			word == "not" && low(i-1) == "if" && slices.Contains([]string{"most", "all", "more", "many", "always", "every"}, next),
			word == "no" && i+1 < len(ts) && ts[i+1].Kind.Has(Number) && strings.HasPrefix(s[ts[i].At.End-base:], "."):
			ts[i].Kind &^= Negation
		case not && next == "without":
			ts[i].Kind &^= Negation
			ts[i+1].Kind &^= Negation
		}
	}
}

// citation is the length of a bracketed list of numbers at the start of s, as in [1] or [2, 3], 0 where there is none.
func citation(s string) int {
	digit := false
	for i, r := range s {
		switch {
		case IsDigit(r):
			digit = true
		case r == ']' || r == '】':
			if digit {
				return i + utf8.RuneLen(r)
			}
			return 0
		case i > 0 && r != ',' && r != ' ' && r != '-' && r != '–' || i > 24:
			return 0
		}
	}
	return 0
}

// WordRune reports whether a character may stand in a word or a number.
func WordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// wordEnd finds the end of the word at i: letters with apostrophes inside, or digits with points and commas inside.
// Scripts written without spaces give one word per character, but for words that are known.
func (g *Tongue) wordEnd(s string, i int) int {
	r, n := utf8.DecodeRuneInString(s[i:])
	if Spaceless(r) {
		return i + max(n, g.fits(s[i:]))
	}
	digits := IsDigit(r)
	if end := spacedEnd(s, i, g != nil && g.blanks); end > 0 {
		if decimals := len(s[end:]) - len(strings.TrimLeft(s[end:], ",0123456789")); g != nil && g.comma && decimals > 1 && s[end] == ',' {
			end += decimals
		}
		return end
	}
	for i += n; i < len(s); i += n {
		r, n = utf8.DecodeRuneInString(s[i:])
		switch {
		case WordRune(r):
			if Spaceless(r) {
				return i
			}
			if digits && !IsDigit(r) {
				digits = false
				if !ordinalTail(s[i:]) {
					return i
				}
			}
		case digits && (r == ',' || r == '.') && i+n < len(s) && IsDigit(rune(s[i+n])):
		case digits && (r == '\'' || r == '’') && s[i-1] == '0' && ordinalTail(s[i+n:]) && s[i+n] == 's': // 1970's
		case !digits && (r == '\'' || r == '’') && i+n < len(s):
			if next, _ := utf8.DecodeRuneInString(s[i+n:]); !WordRune(next) {
				return i
			}
		case invisible(r):
		case r == '.' && dottedInitials(s, i):
		default:
			return i
		}
	}
	return i
}

// dottedInitials reports whether the point at i stands inside initials, as in U.S. and J.R.R.
func dottedInitials(s string, i int) bool {
	upper := func(j int) bool { return j >= 0 && j < len(s) && s[j] >= 'A' && s[j] <= 'Z' }
	letter := func(j int) bool { return j >= 0 && j < len(s) && (s[j]|0x20) >= 'a' && (s[j]|0x20) <= 'z' }
	return upper(i-1) && !letter(i-2) && upper(i+1) && !letter(i+2)
}

// IsDigit reports whether a character is a digit of ASCII.
func IsDigit(r rune) bool { return r >= '0' && r <= '9' }

// ordinalTail reports whether a number goes on as an ordinal or a decade: 23rd, 1990s.
func ordinalTail(s string) bool {
	for _, t := range []string{"st", "nd", "rd", "th", "s"} {
		if strings.HasPrefix(s, t) {
			r, _ := utf8.DecodeRuneInString(s[len(t):])
			return !WordRune(r)
		}
	}
	return false
}

// Spaceless reports whether a character is of a script that puts no blanks between words.
func Spaceless(r rune) bool {
	return r >= 0x0E00 && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer))
}

// invisible reports characters that have no width or steer the direction of text.
func invisible(r rune) bool {
	return r == 0xAD || r == 0x34F || r == 0x61C || r == 0x180E || r >= 0x200B && r <= 0x200F || r >= 0x202A && r <= 0x202E ||
		r >= 0x2060 && r <= 0x206F || r == 0xFEFF || r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0000 && r <= 0xE0FFF
}

// word turns the letters at one place into tokens: mostly one, two for a number with a unit or a contraction. Among words in
// Latin letters one of look-alikes alone is suspect.
func (g *Tongue) word(v Vocabulary, raw string, at int, among bool, to []Token) ([]Token, bool) {
	span := ibid.Span{Start: at, End: at + len(raw)}
	if c := raw[0]; c >= '0' && c <= '9' && !strings.ContainsFunc(raw, invisible) {
		if date := pointedDate(raw, at); date != nil {
			return append(to, date...), false
		}
		return append(to, g.digits(raw, span)), false
	}
	low, upper, odd := fold(raw)
	if low == "" {
		return to, true
	}
	if low[0] >= '0' && low[0] <= '9' { // other digits, or digits with something hidden between them
		if a, b, ok := strings.Cut(low, "⁄"); ok && len(a) == 1 && len(b) == 1 && b[0] > '0' && b[0] <= '9' { // ½
			v := float64(a[0]-'0') / float64(b[0]-'0')
			return append(to, Token{At: span, Key: numberKey(v), Num: v, Kind: Number}), odd
		}
		return append(to, g.digits(low, span)), odd
	}
	if base, power := low[:len(low)-1], powers[low[len(low)-1]]; power != "" && !upper && Lengths[Normal(base)] > 0 { // km², but no M2
		_, n := utf8.DecodeLastRuneInString(raw)
		cut := span.End - n
		return append(to, Token{At: ibid.Span{Start: at, End: cut}, Key: Normal(base), Kind: Unit}, Token{At: ibid.Span{Start: cut, End: span.End}, Key: power}), odd
	}
	k := Kind(0)
	if upper {
		k |= Capital
		if short := strings.TrimSuffix(raw, "s"); len(short) >= 2 && len(low) <= 6 && !strings.ContainsFunc(short, func(r rune) bool { return r != '.' && (r < 'A' || r > 'Z') }) {
			k |= Acronym
			if short != raw {
				low = low[:len(low)-1] // CPUs
			}
		}
	}
	if mixed(raw, among) && unitNames[low] == "" { // μg is no trick
		odd = true
		// The look-alike is read for what it says against the claim (a negation), but never matches as the word it imitates.
		if plain := latin(low); classes[plain].Has(Negation) {
			return append(to, Token{At: span, Key: "not", Kind: Negation | Stop | Lookalike}), true
		}
		return append(to, Token{At: span, Key: raw, Kind: k | Lookalike}), true
	}
	if g != nil {
		return g.foreign(raw, at, k, to), odd
	}
	if i := strings.IndexByte(low, '\''); i > 0 {
		tail := low[i:]
		if strings.HasSuffix(low, "n't") || low == "cannot" {
			return append(to, Token{At: span, Key: "not", Kind: Negation | Stop}), odd
		}
		if tail == "'s" || tail == "'re" || tail == "'ve" || tail == "'ll" || tail == "'d" || tail == "'m" {
			low = low[:i]
		} else {
			low = strings.ReplaceAll(low, "'", "")
		}
	}
	t := Token{At: span, Kind: k}
	t.is(v.plain(low, upper))
	if t.Kind.Has(Stop) && k&Capital != 0 && len(raw) > 1 && strings.ToUpper(raw) == raw && len(raw) <= 3 && low != "a" && low != "i" {
		t.Kind &^= Stop | Pronoun // US, IT and WHO are names
		t.Kind |= Name
	}
	return append(to, t), odd
}

// plainWord is what is read of an English word by itself.
type plainWord struct {
	key  string
	num  float64
	kind Kind
}

// is makes a token the word.
func (t *Token) is(w plainWord) { t.Key, t.Num, t.Kind = w.key, w.num, t.Kind|w.kind }

// Vocabulary keeps the words that were read, by how they are written in lower case: each is read once. nil keeps none.
type Vocabulary map[string]plainWord

// plain reads an English word in lower case. upper says whether it was written with a capital.
func (v Vocabulary) plain(low string, upper bool) plainWord {
	if low == "march" || low == "may" {
		return plain(low, upper)
	}
	w, ok := v[low]
	if !ok {
		if w = plain(low, upper); v != nil {
			v[low] = w
		}
	}
	return w
}

// plain reads an English word in lower case. The capital matters for months that are words besides.
func plain(low string, upper bool) plainWord {
	w := plainWord{kind: classes[low]}
	if w.kind.Has(Month) && !upper && (low == "march" || low == "may") {
		w.kind &^= Month
	}
	if w.kind.Has(Month) && low == "may" {
		w.kind &^= Stop
	}
	if v, ok := numberWords[low]; ok {
		w.num, w.key, w.kind = v, numberKey(v), w.kind|Number
	} else if v, ok := ordinalWords[low]; ok {
		w.num, w.key, w.kind = v, OrdinalKey(v), w.kind|Ordinal
	} else if w.kind.Has(Negation) && !w.kind.Has(Verbal) {
		w.key = "not"
	} else {
		w.key = Normal(low)
	}
	return w
}

// powers are the words for the powers of a unit of length.
var powers = map[byte]string{'2': Normal("square"), '3': Normal("cubic")}

// Normal gives the form by which words are compared.
func Normal(low string) string {
	if w, ok := irregular[low]; ok {
		low = w
	}
	if w, ok := unitNames[low]; ok {
		low = w
	}
	if len(low) < 3 || low[0] >= utf8.RuneSelf {
		return low
	}
	if strings.HasSuffix(low, "our") && len(low) > 5 {
		low = low[:len(low)-3] + "or"
	}
	s := stem(low)
	s = strings.Replace(s, "ising", "izing", 1)
	if strings.HasSuffix(s, "is") && len(s) > 5 {
		s = s[:len(s)-2] + "iz"
	}
	return s
}

// fold lowers the case, takes accents off and drops what cannot be seen.
func fold(raw string) (low string, upper, odd bool) {
	ascii := true
	for i := 0; i < len(raw); i++ {
		if raw[i] >= utf8.RuneSelf {
			ascii = false
			break
		}
	}
	if ascii {
		c := raw[0]
		return strings.ToLower(strings.ReplaceAll(raw, ".", "")), c >= 'A' && c <= 'Z', false
	}
	var b strings.Builder
	begun := false
	for _, r := range norm.NFKD.String(raw) {
		switch {
		case invisible(r):
			odd = true
		case unicode.Is(unicode.Mn, r) || r == '.':
		case r == '’':
			b.WriteByte('\'')
		default:
			if !begun {
				upper = unicode.IsUpper(r)
				begun = true
			}
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String(), upper, odd
}

// mixed reports whether a word mixes Latin letters with Greek or Cyrillic ones, or is all look-alikes among Latin words.
func mixed(raw string, among bool) bool {
	if !strings.ContainsFunc(raw, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return false
	}
	latins, others, alike := 0, 0, 0
	for _, r := range raw {
		switch {
		case r < utf8.RuneSelf && unicode.IsLetter(r), unicode.Is(unicode.Latin, r):
			latins++
			if r >= 0xFF00 { // full-width letters are Latin to Unicode
				alike++
			}
		case unicode.In(r, unicode.Greek, unicode.Cyrillic, unicode.Armenian, unicode.Cherokee):
			others++
			if _, ok := confusable[unicode.ToLower(r)]; ok {
				alike++
			}
		}
	}
	return latins > 0 && others > 0 || among && alike > 0 && alike == others && latins == 0
}

// latin reads look-alike letters as the Latin ones they imitate.
func latin(low string) string {
	return strings.Map(func(r rune) rune {
		if l, ok := confusable[r]; ok {
			return l
		}
		return r
	}, low)
}

// longDays reads days in short for what they are beside others or before a date: Tue, Thu and Sat; Tue 3 Sept. Alone, one may be a word or a name: the Sun.
func longDays(ts []Token) {
	day := func(t Token) string {
		if !t.Kind.Has(Capital) {
			return ""
		}
		if Weekday(t.Key) >= 0 {
			return t.Key
		}
		return shortDays[t.Key]
	}
	last := -1 // the last token that may be a day, with nothing but small words behind it
	for i := range ts {
		if day(ts[i]) == "" {
			if ts[i].Content() {
				last = -1
			}
			continue
		}
		if last >= 0 {
			ts[last].Key, ts[i].Key = day(ts[last]), day(ts[i])
		}
		if dated := i + 1; dated < len(ts) && (ts[dated].Kind.Has(Month) || dated+1 < len(ts) && ts[dated].Kind.Has(Number|Ordinal) && ts[dated+1].Kind.Has(Month)) {
			ts[i].Key = day(ts[i])
		}
		last = i
	}
}

var shortDays = map[string]string{
	"mon": "monday", "tue": "tuesday", "tues": "tuesday", "wed": "wednesday", "thu": "thursday", "thur": "thursday", "thurs": "thursday", "fri": "friday", "sat": "saturday", "sun": "sunday",
}

// countedParts are words that a number follows, in Roman numerals too.
var countedParts = Keys(`chapter part volume section act article appendix phase stage type class title annex`)

// lettered reads what letters in capitals are behind the token before them, at i: 20 °C, 165 F, Chapter IV, World War I, Henry VIII.
func (t *Token) lettered(ts []Token, i int) {
	if scale := scales[t.Key]; scale != "" && t.Kind.Has(Capital) && (ts[i-1].Key == Signs['°'] || ts[i-1].Kind.Has(Number) && ts[i-1].Num >= 30) {
		t.Key, t.Kind = scale, Unit|t.Kind&(Glued|quoted)
	}
	if v := roman(t.Key); v > 0 && countedParts[ts[i-1].Key] && (t.Kind.Has(Acronym) || t.Kind.Has(Capital) && ts[i-1].Kind.Has(Capital)) {
		t.Num, t.Key, t.Kind = v, numberKey(v), t.Kind&(Glued|quoted|Comma)|Number
	}
	if i > 1 && t.Key == "i" && t.Kind.Has(Capital) && ts[i-1].Key == "war" && ts[i-1].Kind.Has(Capital) && ts[i-2].Key == "world" {
		t.Num, t.Key, t.Kind = 1, OrdinalKey(1), t.Kind&(Glued|quoted|Comma)|Ordinal
	}
	if v := roman(t.Key); v > 0 && t.Kind.Has(Acronym) && ts[i-1].Kind.Has(Capital) && !ts[i-1].Kind.Has(Stop) {
		t.Num, t.Key, t.Kind = v, OrdinalKey(v), t.Kind&^(Acronym|Name)|Ordinal
	}
}

// mark finds what only the neighbours tell: names, months, dates in numbers.
func (g *Tongue) mark(ts []Token) {
	if g != nil {
		g.marked(ts)
		return
	}
	for i := range ts {
		t := &ts[i]
		if t.Kind.Has(Capital) && t.Kind&(Stop|Month) == 0 {
			if i > 0 && !t.Kind.Has(quoted) || i > 0 && t.Kind.Has(Glued) {
				t.Kind |= Name
			}
		}
		if i > 0 && t.Kind&(Capital|Acronym) != 0 {
			t.lettered(ts, i)
		}
		if t.Kind.Has(Year) && i+2 < len(ts) && ts[i+1].Kind.Has(Number) && ts[i+1].Kind.Has(Glued) && ts[i+2].Kind.Has(Number) && ts[i+2].Kind.Has(Glued) &&
			ts[i+1].Num >= 1 && ts[i+1].Num <= 12 && ts[i+2].Num <= 31 {
			ts[i+1].Key, ts[i+1].Kind = MonthKeys[int(ts[i+1].Num)-1], Month|ts[i+1].Kind&Glued
		}
		if t.Kind.Has(Year) && i >= 2 && t.Kind.Has(Glued) && ts[i-1].Kind.Has(Number) && ts[i-1].Kind.Has(Glued) && ts[i-2].Kind.Has(Number) && !ts[i-2].Kind.Has(Glued) { // 25/12/2024, 12/25/2024
			at := i - 1
			if ts[at].Num > 12 {
				at--
			}
			if day := ts[2*i-3-at].Num; day > 12 && day <= 31 && ts[at].Num >= 1 && ts[at].Num <= 12 { // of 5/3 no one knows which is the month
				ts[at].Key, ts[at].Kind = MonthKeys[int(ts[at].Num)-1], Month|ts[at].Kind&Glued
			}
		}
	}
	longDays(ts)
	// The first word is a name where the next is one, or where it is no common word.
	if len(ts) > 0 && ts[0].Kind.Has(Capital) && ts[0].Kind&(Stop|Month|Number) == 0 {
		if _, common := Rarity(ts[0].Key); !common || len(ts) > 1 && ts[1].Kind.Has(Name) {
			ts[0].Kind |= Name
		}
	}
}
