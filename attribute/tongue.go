package attribute

import (
	"embed"
	"fmt"
	"iter"
	"math"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/turkish"
	"github.com/ibid-dev/ibid"
	"golang.org/x/text/unicode/norm"
)

// tongue is what is known of a language other than English; nil stands for English. Its words are read as the English ones that say the same, so
// that one set of rules compares numbers, dates, negations and opposites in every language, what is said in one is found in another, and a
// judge who reads English is asked word by word. Words that no list has are compared by their stems.
type tongue struct {
	code      string
	name      string // in English
	stem      func(*snowballstem.Env) bool
	nouns     bool // begin with a capital, names or not
	compounds bool // are written as one word
	comma     bool // stands before decimals
	blanks    bool // group the digits of numbers: 5 724
	behind    bool // its negations may stand behind what they deny
	numerals

	learned sync.Once
	words   map[string]string // what each says in English, "" for those that say nothing by themselves; by its form with and without accents
	stems   map[string]string // the same by their stems
	longest int               // of its words, in bytes
}

// inEnglish is the language whose words the rules speak of.
var inEnglish *tongue

// A language has two files by its two letters, whose lines have an English word and the words that say it. The first has what its grammar is
// made of, "small" words among it, by which a language is told, the second its common words. All are ours.
//
//go:embed tongues
var tongueFiles embed.FS

// tongues are the languages that are known, and heard tells in which of them a word is a small one, a bit for each.
var tongues = sync.OnceValue(func() (known struct {
	all   []*tongue
	heard map[string]uint32
}) {
	known.all = []*tongue{
		{code: "de", name: "German", stem: german.Stem, nouns: true, compounds: true, comma: true, behind: true},
		{code: "es", name: "Spanish", stem: spanish.Stem, comma: true},
		{code: "fr", name: "French", stem: french.Stem, comma: true, blanks: true},
		{code: "it", name: "Italian", stem: italian.Stem, comma: true},
		{code: "nl", name: "Dutch", stem: dutch.Stem, compounds: true, comma: true, behind: true},
		{code: "pl", name: "Polish", stem: shortened, comma: true, blanks: true},
		{code: "pt", name: "Portuguese", stem: portuguese.Stem, comma: true},
		{code: "ru", name: "Russian", stem: russian.Stem, comma: true, blanks: true},
		{code: "sv", name: "Swedish", stem: swedish.Stem, compounds: true, comma: true, blanks: true, behind: true},
		{code: "tr", name: "Turkish", stem: turkish.Stem, comma: true, behind: true},
		{code: "ja", name: "Japanese", behind: true},
		{code: "zh", name: "Chinese"},
	}
	known.heard = map[string]uint32{}
	for i, g := range known.all {
		g.numerals = inWords[g.code]
		g.words, g.stems = map[string]string{}, map[string]string{}
		g.read(g.code + ".txt")
		for w, says := range g.words {
			if says == "" || classes[says].has(stop) {
				known.heard[w] |= 1 << i
			}
		}
	}
	return known
})

// learn reads the common words of the language, once.
func (g *tongue) learn() *tongue {
	g.learned.Do(func() {
		g.read(g.code + ".words")
		for _, file := range []string{g.code + ".txt", g.code + ".words"} {
			for w, says := range listed(file) {
				low, _, _ := fold(w)
				if key := g.key(w, low); g.stems[key] == "" && says != "" && !classes[says].has(stop) && !countsSome(says) {
					g.stems[key] = says
				}
			}
		}
	})
	return g
}

// countsSome reports whether an English word is a number, of which no other form is taken: Portuguese nova is no nine.
func countsSome(says string) bool {
	_, n := numberWords[says]
	_, nth := ordinalWords[says]
	return n || nth || says != "" && isDigit(rune(says[0]))
}

// read adds the words of a file to those that are known, which stay as they are but for small ones: what these say the second file tells.
func (g *tongue) read(file string) {
	for w, says := range listed(file) {
		low, _, _ := fold(w)
		if old := g.words[w]; old == "" || old == "it" {
			g.words[w] = says
		}
		if _, ok := g.words[low]; !ok {
			g.words[low] = says
		}
		g.longest = max(g.longest, len(w))
	}
}

// listed gives the words of a file and what each says in English.
func listed(file string) iter.Seq2[string, string] {
	lines, err := tongueFiles.ReadFile("tongues/" + file)
	if err != nil {
		panic(err) // a test rules it out
	}
	return func(yield func(word, says string) bool) {
		for line := range strings.Lines(string(lines)) {
			f := strings.Fields(line)
			if len(f) == 0 || f[0] == "#" {
				continue
			}
			for _, w := range f[1:] {
				if !yield(w, strings.TrimPrefix(f[0], "small")) {
					return
				}
			}
		}
	}
}

// tongueOf tells by its small words which language a text is in, or where there are few of them, may be in: then it is not sure.
func tongueOf(s string) (g *tongue, sure bool) {
	known := tongues()
	var counts, shared [32]int                           // small words of each language, and those of English among them
	english, spaced, characters, unspaced := 0, 0, 0, "" // words, and characters of scripts that write none
	named, run := false, []uint32(nil)                   // small words of a name count for nothing, as in Santiago de los Caballeros
	count := func(bits uint32) {
		for k := 0; bits != 0; bits, k = bits>>1, k+1 {
			counts[k] += int(bits & 1)
		}
	}
	for i, words := 0, 0; i < len(s) && words < 300; words++ {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !unicode.IsLetter(r) {
			i += n
			continue
		}
		if spaceless(r) {
			if unspaced == "" {
				unspaced = s[i:]
			}
			characters++
			i += n
			continue
		}
		spaced++
		end := i + n
		for end < len(s) {
			if r, n = utf8.DecodeRuneInString(s[end:]); !wordRune(r) || spaceless(r) {
				break
			}
			end += n
		}
		word := s[i:end]
		i = end
		if len(word) > 24 {
			continue
		}
		low := strings.ToLower(word)
		if classes[low].has(stop) {
			english++
			for bits, k := known.heard[low], 0; bits != 0; bits, k = bits>>1, k+1 {
				shared[k] += int(bits & 1)
			}
		}
		if bits := known.heard[low]; bits != 0 && ofNames[low] {
			run = append(run, bits)
			continue
		} else if bits != 0 {
			count(bits)
		}
		if capital := startsUpper(word); !named || !capital {
			for _, bits := range run {
				count(bits)
			}
			named = capital
		}
		run = run[:0]
	}
	for _, bits := range run {
		count(bits)
	}
	if characters > 2*spaced {
		return withoutBlanks(unspaced).learn(), true
	}
	best := 0
	for k := range known.all {
		if counts[k] > counts[best] {
			best = k
		}
	}
	switch n, alone := counts[best], english-shared[best]; {
	case n > 2*english && n > 1 && 16*n >= spaced:
		for k, most := 0, -1; k < len(known.all); k++ { // languages that are near have many small words in common
			if 5*counts[k] < 4*n {
				continue
			}
			if _, here, _ := known.all[k].learn().count(clip(s, 600)); here > most {
				best, most = k, here
			}
		}
		return known.all[best], true
	case n > 0 && alone == 0:
		return known.all[best], false
	default:
		return nil, 2*english > n && english > 1
	}
}

// ofNames are small words that stand in names.
var ofNames = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields("de la los las el y e i von van der den da do dos das du di del della le les ten ter af av") {
		m[w] = true
	}
	return m
}()

// known reports whether the language has most words of a text, of which English has few.
func (g *tongue) known(s string) bool {
	all, here, english := g.count(s)
	return all >= 2 && 4*here >= 3*all && 2*english <= all && here > english
}

// count tells how many words a text has, and how many of them the language and English know.
func (g *tongue) count(s string) (all, here, english int) {
	for _, f := range strings.FieldsFunc(s, func(r rune) bool { return !wordRune(r) }) {
		if isDigit(rune(f[0])) {
			continue
		}
		all++
		if _, ok := g.says(f); ok {
			here++
		}
		low, _, _ := fold(f)
		if _, ok := known().rarity[normal(low)]; ok || classes[low] != 0 {
			english++
		}
	}
	return all, here, english
}

// withoutBlanks is the language of a text whose words stand without blanks: Japanese where syllables stand among its characters, else Chinese.
func withoutBlanks(s string) *tongue {
	all := tongues().all
	for _, r := range clip(s, 300) {
		if unicode.In(r, unicode.Hiragana, unicode.Katakana) {
			return all[len(all)-2]
		}
	}
	return all[len(all)-1]
}

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
func (g *tongue) says(raw string) (english string, ok bool) {
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
	return low, len(low) <= 3 && classes[low].has(unit)
}

// longWord is the length from which a word is taken as it is, in bytes.
const longWord = 60

// key is the form by which a word is compared that no list has.
func (g *tongue) key(raw, low string) string {
	if g.stem == nil || len(low) < 4 || len(low) > longWord {
		return low
	}
	env := snowballstem.NewEnv(norm.NFC.String(strings.ToLower(raw)))
	g.stem(env)
	key, _, _ := fold(env.Current())
	return key
}

// fits is the length of the longest word at the start of s, 0 where none begins there. It is asked where words stand without blanks.
func (g *tongue) fits(s string) int {
	if g == nil {
		return 0
	}
	digits := 0
	if rest, ok := strings.CutPrefix(s, "第"); ok {
		if r, _ := utf8.DecodeRuneInString(rest); isDigit(r) || g.numeric(r) {
			return len(s) - len(strings.TrimLeftFunc(rest, func(r rune) bool { return isDigit(r) || strings.ContainsRune(hanDigits+hanPowers, r) }))
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

// plainNumber writes a number as English does.
func plainNumber(v float64) string {
	for _, scale := range []struct {
		of   float64
		name string
	}{{1e9, " billion"}, {1e6, " million"}} {
		if v >= scale.of {
			return strconv.FormatFloat(v/scale.of, 'g', 12, 64) + scale.name
		}
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// foreign reads a word of the language, or two that an apostrophe joins, of which the first is a small one (l'eau, dell'arte), or the second only an
// ending (Ankara'da).
func (g *tongue) foreign(raw string, at int, k kind, to []token) []token {
	if i := strings.IndexAny(raw, "'’"); i > 0 && !g.whole(raw) {
		_, n := utf8.DecodeRuneInString(raw[i:])
		if g.code == "tr" || len(raw)-i-n < 2 || !g.whole(raw[:i]) && g.code != "fr" && g.code != "it" {
			to = g.foreign(raw[:i], at, k, to)
			to[len(to)-1].at.End = at + len(raw)
			return to
		}
		rest := raw[i+n:]
		if k &^= capital; startsUpper(rest) {
			k |= capital
		}
		to = g.foreign(raw[:i], at, k&^capital, to)
		to[len(to)-1].at.End = at + i + n
		return g.foreign(rest, at+i+n, k, to)
	}
	t := token{at: ibid.Span{Start: at, End: at + len(raw)}, kind: k}
	if v, which, ok := g.numbered(raw); ok {
		t.num, t.key, t.kind = v, numberKey(v), t.kind|number
		if which {
			t.key, t.kind = ordinalKey(v), t.kind&^number|ordinal
		}
		return append(to, t)
	}
	says, ok := g.says(raw)
	if head := g.head(raw); !ok && head > 0 {
		return g.foreign(raw[head:], at+head, k&^acronym, g.foreign(raw[:head], at, k&^acronym, to))
	}
	switch {
	case ok && says != "" && isDigit(rune(says[0])): // 16th, 1950s
		counted := inEnglish.digits(says, t.at)
		counted.kind |= k
		t = counted
	case !ok:
		low, _, _ := fold(raw)
		t.key, t.kind = g.key(raw, low), t.kind|unheard
	case says == "":
		t.key, t.kind = strings.ToLower(raw), t.kind|stop
	default:
		t.kind |= capital // as English writes months
		t.plain(says)
		if t.kind = t.kind&^capital | k&capital; g.behind && t.kind.has(negation) {
			t.kind |= turnsBack
		}
	}
	return append(to, t)
}

// whole reports whether a list has a word as it stands there.
func (g *tongue) whole(raw string) bool {
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
func (g *tongue) numbered(raw string) (v float64, which, ok bool) {
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
func (g *tongue) numeric(r rune) bool {
	return g != nil && g.stem == nil && (strings.ContainsRune(hanDigits, r) || r == '十')
}

// head is where the last part of a word begins that is made of several known ones, 0 where it is not: Jahres|ausweis.
func (g *tongue) head(raw string) int {
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
func (g *tongue) has(low string) bool {
	says, ok := g.words[low]
	if !ok {
		folded, _, _ := fold(low)
		says = g.stems[g.key(low, folded)]
	}
	return says != "" && !classes[says].has(stop)
}

// marked finds which of the words with a capital are names.
func (g *tongue) marked(ts []token) {
	for i := range ts {
		t := &ts[i]
		if t.kind&(capital|unheard) == capital|unheard && (i > 0 || t.kind.has(acronym)) && (!t.kind.has(quoted) || t.kind.has(glued)) {
			t.kind |= name
		}
	}
	if len(ts) > 1 && ts[0].kind&(capital|unheard) == capital|unheard && ts[1].kind.has(name) {
		ts[0].kind |= name
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

// inWhich says in words which languages a segment and a passage were read from, "" where both are English.
func inWhich(g, of *tongue, rank int) string {
	if g == of && g == nil {
		return ""
	}
	if g == of {
		return fmt.Sprintf("read word by word, as it is in %s", g.title())
	}
	return fmt.Sprintf("it is in %s, passage %d in %s: read word by word", g.title(), rank, of.title())
}

// script is the one that the names of the language are written in.
func (g *tongue) script() *unicode.RangeTable {
	switch {
	case g == nil:
		return unicode.Latin
	case g.code == "ru":
		return unicode.Cyrillic
	case g.stem == nil:
		return unicode.Han
	default:
		return unicode.Latin
	}
}

func (g *tongue) title() string {
	if g == nil {
		return "English"
	}
	return g.name
}

// gloss gives what puts a text into English word by word, as far as the words are known.
func (g *tongue) gloss(s string) (edits []edit) {
	ts, _ := g.scan(s, 0, nil)
	last := -1
	for _, t := range ts {
		raw := t.at.In(s)
		with, bare := raw, raw
		if i := strings.IndexAny(raw, "'’"); i > 0 && !g.whole(raw) {
			bare = raw[:i]
		}
		switch says, ok := g.says(bare); {
		case t.kind.has(number|ordinal|month) || t.key == century || t.key == signs['%']:
			with = t.english()
		case ok && t.kind&(unheard|stop) == 0 && t.key != "not" && plainKey(says) != t.key: // its neighbours tell what it says
			with = t.key
		case ok && says != "":
			with = strings.ReplaceAll(says, "_", " ")
		case ok:
			with = ""
		}
		if (t.kind.has(glued) || t.at.Start == last) && t.at.Start > 0 && with != "" && s[t.at.Start-1] != ' ' {
			with = " " + with
		}
		if with != raw {
			edits = append(edits, edit{t.at, with})
		}
		last = t.at.End
	}
	return edits
}

// english writes what a token counts, which may be said by several words.
func (t token) english() string {
	switch {
	case strings.HasSuffix(t.key, " h"):
		minutes := int(math.Round(60 * t.num))
		return fmt.Sprintf("%d:%02d", minutes/60, minutes%60)
	case t.kind.has(year): // the 1950s, too
		return t.key[1:]
	case t.kind.has(month):
		return monthNames[t.key]
	case t.kind.has(ordinal):
		return nth(t.num)
	case t.kind.has(number):
		return plainNumber(t.num)
	case t.key == century:
		return "century"
	default:
		return "percent"
	}
}

// nth writes which one of a row it is.
func nth(v float64) string {
	for word, n := range ordinalWords {
		if n == v {
			return word
		}
	}
	tail := "th"
	if d := int(v) % 10; d >= 1 && d <= 3 && int(v)/10%10 != 1 {
		tail = []string{"st", "nd", "rd"}[d-1]
	}
	return plainNumber(v) + tail
}
