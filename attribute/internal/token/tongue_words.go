package token

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/ibid-dev/ibid"
	"golang.org/x/text/unicode/norm"
)

// shortened takes off what words of Polish commonly end with.
func shortened(env *snowballstem.Env) bool {
	for _, tail := range polishTails {
		if short, ok := strings.CutSuffix(env.Current(), tail); ok && utf8.RuneCountInString(short) >= 4 {
			env.SetCurrent(short)
			return true
		}
	}
	return false
}

var polishTails = strings.Fields("owego owej owych ością ości iego iej ich imi ych ymi ego emu ami ach owi ów om em ie ej ą ę y i a e o u")

// says is what a word says in English. Symbols of units are the same everywhere.
func (g *Tongue) says(raw string) (english string, ok bool) {
	lower := strings.ReplaceAll(norm.NFC.String(strings.ToLower(raw)), "’", "'")
	if english, ok = g.words[lower]; ok {
		return english, true
	}
	low, _, _ := fold(raw)
	key := g.key(raw, low)
	for range 3 { // stemmers leave some endings
		if english, ok = g.stems[key]; ok {
			return english, true
		}
		_, n := utf8.DecodeLastRuneInString(key)
		if key = key[:len(key)-n]; utf8.RuneCountInString(key) < 4 {
			break
		}
	}
	return low, len(low) <= 3 && classes[low].Has(Unit)
}

// longWord is the length from which a word is taken as it is, in bytes.
const longWord = 60

// key is the form by which a word is compared that no list has.
func (g *Tongue) key(raw, low string) string {
	if g.stem == nil || len(low) < 4 || len(low) > longWord {
		return low
	}
	env := snowballstem.NewEnv(norm.NFC.String(strings.ToLower(raw)))
	g.stem(env)
	key, _, _ := fold(env.Current())
	return key
}

// fits is the length of the longest word at the start of s, 0 where none begins there. It is asked where words stand without blanks.
func (g *Tongue) fits(s string) int {
	if g == nil {
		return 0
	}
	digits := 0
	if rest, ok := strings.CutPrefix(s, "第"); ok {
		if r, _ := utf8.DecodeRuneInString(rest); IsDigit(r) || g.numeric(r) {
			return len(s) - len(strings.TrimLeftFunc(rest, func(r rune) bool { return IsDigit(r) || strings.ContainsRune(hanDigits+hanPowers, r) }))
		}
	}
	for _, r := range s {
		if !strings.ContainsRune(hanDigits+hanPowers, r) {
			break
		}
		digits += utf8.RuneLen(r)
	}
	least := max(digits, katakana(s))
	for n := min(g.longest, len(s)); n > least; n-- {
		if n < len(s) && !utf8.RuneStart(s[n]) {
			continue
		}
		if _, ok := g.words[s[:n]]; ok {
			return n
		}
	}
	return least
}

// katakana is the length of the run of these syllables at the start of s: a word that came from elsewhere.
func katakana(s string) int {
	return len(s) - len(strings.TrimLeftFunc(s, func(r rune) bool { return unicode.Is(unicode.Katakana, r) || r == 'ー' }))
}

// Characters for digits, and for the powers of ten that follow them.
const (
	hanDigits = "〇零一二两三四五六七八九"
	hanPowers = "十百千万萬亿億"
)

// hanNumber reads a number in characters: 三百一十二, 八千万, 二〇二四.
func hanNumber(s string) (v float64, ok bool) {
	digit, group, placed := 0.0, 0.0, false
	for _, r := range s {
		switch {
		case strings.ContainsRune(hanDigits, r):
			if r == '两' {
				r = '二'
			}
			d := (strings.IndexRune("〇一二三四五六七八九", r) + 3) / 3 // 0 for 零
			digit, ok = digit*10+float64(max(1, d)-1), true
		case strings.ContainsRune(hanPowers, r):
			power := map[rune]float64{'十': 10, '百': 100, '千': 1000, '万': 1e4, '萬': 1e4, '亿': 1e8, '億': 1e8}[r]
			if digit == 0 && (power <= 1000 || group == 0) {
				digit = 1
			}
			if power > 1000 {
				v, group = v+(group+digit)*power, 0
			} else {
				group += digit * power
			}
			digit, placed = 0, true
		default:
			return 0, false
		}
	}
	return v + group + digit, ok || placed
}

// foreign reads a word of the language, or two that an apostrophe joins, of which the first is a small one (l'eau, dell'arte), or the second only an
// ending (Ankara'da).
func (g *Tongue) foreign(raw string, at int, k Kind, to []Token) []Token {
	if i := strings.IndexAny(raw, "'’"); i > 0 && !g.whole(raw) {
		_, n := utf8.DecodeRuneInString(raw[i:])
		if g.code == "tr" || len(raw)-i-n < 2 || !g.whole(raw[:i]) && g.code != "fr" && g.code != "it" {
			to = g.foreign(raw[:i], at, k, to)
			to[len(to)-1].At.End = at + len(raw)
			return to
		}
		rest := raw[i+n:]
		if k &^= Capital; startsUpper(rest) {
			k |= Capital
		}
		to = g.foreign(raw[:i], at, k&^Capital, to)
		to[len(to)-1].At.End = at + i + n
		return g.foreign(rest, at+i+n, k, to)
	}
	t := Token{At: ibid.Span{Start: at, End: at + len(raw)}, Kind: k}
	if v, which, ok := g.numbered(raw); ok {
		t.Num, t.Key, t.Kind = v, numberKey(v), t.Kind|Number
		if which {
			t.Key, t.Kind = OrdinalKey(v), t.Kind&^Number|Ordinal
		}
		return append(to, t)
	}
	says, ok := g.says(raw)
	if head := g.head(raw); !ok && head > 0 {
		return g.foreign(raw[head:], at+head, k&^Acronym, g.foreign(raw[:head], at, k&^Acronym, to))
	}
	switch {
	case ok && says != "" && IsDigit(rune(says[0])): // 16th, 1950s
		counted := English.digits(says, t.At)
		counted.Kind |= k
		t = counted
	case !ok:
		low, _, _ := fold(raw)
		t.Key, t.Kind = g.key(raw, low), t.Kind|unheard
	case says == "":
		t.Key, t.Kind = strings.ToLower(raw), t.Kind|Stop
	default:
		t.Kind |= Capital // as English writes months
		t.is(plain(says, true))
		if t.Kind = t.Kind&^Capital | k&Capital; g.behind && t.Kind.Has(Negation) {
			t.Kind |= TurnsBack
		}
	}
	return append(to, t)
}

// whole reports whether a list has a word as it stands there.
func (g *Tongue) whole(raw string) bool {
	if len(raw) > longWord {
		return false
	}
	_, ok := g.words[strings.ReplaceAll(strings.ToLower(raw), "’", "'")]
	return ok
}

func startsUpper(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

// numbered reads a number in one word or in characters, and whether it is that of one in a row: einundzwanzig, 第二十一.
func (g *Tongue) numbered(raw string) (v float64, which, ok bool) {
	if g.stem != nil {
		if _, known := g.words[strings.ToLower(raw)]; known {
			return 0, false, false
		}
		return g.numeral(norm.NFC.String(strings.ToLower(raw)))
	}
	digits, which := strings.CutPrefix(raw, "第")
	if v, err := strconv.ParseFloat(digits, 64); err == nil && which {
		return v, true, true
	}
	v, ok = hanNumber(digits)
	return v, which, ok
}

// numeric reports whether a number in characters may begin with r.
func (g *Tongue) numeric(r rune) bool {
	return g != nil && g.stem == nil && (strings.ContainsRune(hanDigits, r) || r == '十')
}

// head is where the last part of a word begins that is made of several known ones, 0 where it is not: Jahres|ausweis.
func (g *Tongue) head(raw string) int {
	low := strings.ToLower(raw)
	if !g.compounds || len(raw) > longWord || len(low) != len(raw) {
		return 0
	}
	for i := 3; i+4 <= len(low); i++ { // the longest head first
		if !utf8.RuneStart(low[i]) || !g.has(low[i:]) {
			continue
		}
		for _, link := range []string{"", "s", "es", "n", "en", "er"} { // Jahr-es-ausweis
			if first, ok := strings.CutSuffix(low[:i], link); ok && len(first) >= 3 && (g.has(first) || g.head(first) > 0) {
				return i
			}
		}
	}
	return 0
}

// has reports whether a word in lower case says something that is not small.
func (g *Tongue) has(low string) bool {
	says, ok := g.words[low]
	if !ok {
		folded, _, _ := fold(low)
		says = g.stems[g.key(low, folded)]
	}
	return says != "" && !classes[says].Has(Stop)
}

// marked finds which of the words with a capital are names.
func (g *Tongue) marked(ts []Token) {
	for i := range ts {
		t := &ts[i]
		if t.Kind&(Capital|unheard) == Capital|unheard && (i > 0 || t.Kind.Has(Acronym)) && (!t.Kind.Has(quoted) || t.Kind.Has(Glued)) {
			t.Kind |= Name
		}
	}
	if len(ts) > 1 && ts[0].Kind&(Capital|unheard) == Capital|unheard && ts[1].Kind.Has(Name) {
		ts[0].Kind |= Name
	}
}

// decimal writes a number as Go does, where decimals stand behind a comma: 1.250,50 and 2.000.
func decimal(s string) string {
	if comma := strings.LastIndexByte(s, ','); comma >= 0 && comma == strings.IndexByte(s, ',') {
		return strings.ReplaceAll(s[:comma], ".", "") + "." + s[comma+1:]
	}
	groups := strings.Split(s, ".")
	for _, g := range groups[1:] {
		if len(g) != 3 || groups[0] == "0" {
			return s
		}
	}
	return strings.Join(groups, "")
}
