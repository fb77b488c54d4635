package token

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
)

// numerals are how a language counts, where English does otherwise.
type numerals struct {
	ones    []string           // say 1 behind tens: vingt et un
	ands    []string           // stand between tens and ones
	tails   []string           // behind digits make them the one of a row at that place: 16e
	points  bool               // so does a point
	decades []string           // years, many of them: 1950er Jahre
	before  bool               // stand before the number of a decade: années 50
	hour    []string           // stand before an hour: à 9 h
	linked  []string           // stand inside numbers that are one word: ein-und-zwanzig
	bits    map[string]float64 // forms of numbers inside such words alone
	nths    []string           // end such words as the one of a row at that place
}

// inWords has those of the languages, by their two letters.
var inWords = map[string]numerals{
	"de": {points: true, decades: strings.Fields("jahre jahren"), linked: []string{"und"}, bits: map[string]float64{"ein": 1}, nths: strings.Fields("ste sten ster stes te ten ter tes")},
	"es": {ones: strings.Fields("un uno una"), ands: []string{"y"}, tails: strings.Fields("º ª er"), decades: []string{"años"}, before: true, linked: []string{""},
		bits: map[string]float64{"veinti": 20, "dieci": 10, "ún": 1, "dós": 2, "trés": 3, "séis": 6, "un": 1, "uno": 1, "una": 1, "cientos": 100, "cientas": 100, "quinientos": 500, "quinientas": 500, "sete": 7, "nove": 9}},
	"fr": {ones: strings.Fields("un une"), ands: []string{"et"}, tails: strings.Fields("er re e è ère ème eme nd nde"), decades: []string{"années"}, before: true, hour: strings.Fields("à dès vers entre")},
	"it": {tails: strings.Fields("º ª"), decades: []string{"anni"}, before: true, linked: []string{""},
		bits: map[string]float64{"uno": 1, "un": 1, "tré": 3, "vent": 20, "trent": 30, "quarant": 40, "cinquant": 50, "sessant": 60, "settant": 70, "ottant": 80, "novant": 90, "cent": 100, "mila": 1000},
		nths: strings.Fields("esimo esima esimi esime")},
	"nl": {tails: strings.Fields("e ste de"), decades: []string{"jaren"}, before: true, linked: []string{"en", "ën"}, bits: map[string]float64{"een": 1, "één": 1}, nths: strings.Fields("ste de")},
	"pl": {points: true, decades: strings.Fields("lata latach lat"), before: true},
	"pt": {ones: strings.Fields("um uma"), ands: []string{"e"}, tails: strings.Fields("º ª o a"), decades: []string{"anos"}, before: true, hour: strings.Fields("às das as até")},
	"ru": {ones: strings.Fields("один одна одно одного одной одном одним одну"), decades: strings.Fields("годы годах годов лет")},
	"sv": {tails: strings.Fields("e a"), decades: []string{"år"}, linked: []string{""}, bits: map[string]float64{"en": 1, "ett": 1}},
	"tr": {ones: []string{"bir"}, points: true, decades: strings.Fields("yıllar yıllarda yılları yılların")},
}

// compose brings numbers, dates and shares that a language makes of several tokens to the form that English gives them: vingt et un, quatre-vingts, XVIe siècle,
// siglo XVI, années 50, 1950er Jahre, im Jahr 1985, 1985 году, yüzde 20, por ciento, 三分之一, 5月3日, 令和6年. What stands the other way round than in English
// changes places, so that every token still has a place of its own in the text.
func (g *Tongue) compose(s string, base int, to []Token, start int) []Token {
	if g == nil {
		return to
	}
	c := composer{g: g, s: s, base: base, out: to[:start], start: start}
	for _, t := range to[start:] {
		if !c.takes(t) {
			c.out = append(c.out, t)
		}
	}
	return c.out
}

// composer has read the tokens of out, from start on.
type composer struct {
	g           *Tongue
	s           string
	base, start int
	out         []Token
}

// raw is a token as it stands there, in lower case.
func (c *composer) raw(t Token) string { return strings.ToLower(t.At.Shift(-c.base).In(c.s)) }

// between is what stands between two tokens.
func (c *composer) between(a, b Token) string {
	return c.s[a.At.End-c.base : max(a.At.End, b.At.Start)-c.base]
}

// spelled reports whether a token is a number in words.
func (c *composer) spelled(t Token) bool {
	return t.Kind.Has(Number) && !IsDigit(rune(c.s[t.At.Start-c.base]))
}

// whole reports whether a token is a whole number in digits.
func (c *composer) whole(t Token) bool {
	return t.Kind.Has(Number) && IsDigit(rune(c.s[t.At.Start-c.base])) && t.Num == math.Trunc(t.Num)
}

// takes reads a token with those before it, and reports whether they are one now.
func (c *composer) takes(t Token) bool {
	n := len(c.out)
	if n == c.start {
		return false
	}
	return c.adds(t, n) || c.counts(t, n) || c.dates(t, n) || c.shares(t, n) || c.names(t, n)
}

// names reads days of the week that are counted, segunda-feira, units of one letter, and what only a number makes the time of a day.
func (c *composer) names(t Token, n int) bool {
	last := &c.out[n-1]
	word := c.raw(t)
	if word == "t" {
		word = "ton"
	}
	if last.Kind.Has(Number) && t.At.Len() <= 2 && !t.Kind.Has(Unit) && classes[word].Has(Unit) && c.s[t.At.Start-c.base] >= 'a' { // 380 m, though m' is me
		t.Key, t.Kind = Normal(word), Unit|t.Kind&Glued
		c.out = append(c.out, t)
		return true
	}
	day := counted[c.raw(*last)]
	if day == "" || word != "feira" && word != "feiras" || c.between(*last, t) != "-" {
		return false
	}
	last.Key, last.Num, last.Kind, last.At.End = Normal(day), 0, last.Kind&(Comma|Glued|quoted), t.At.End
	return true
}

// counted are the days of the week as Portuguese counts them.
var counted = pairs("segunda monday terça tuesday quarta wednesday quinta thursday sexta friday segundas monday terças tuesday quartas wednesday quintas thursday sextas friday")

// adds reads a number in words that goes on: vingt et un, treinta y cinco, quatre-vingt-dix, 1億2000万.
func (c *composer) adds(t Token, n int) bool {
	last, word := &c.out[n-1], c.raw(t)
	if first, _ := utf8.DecodeRuneInString(word); c.g.stem == nil && t.Kind.Has(Number) && last.Kind.Has(Number) && last.At.End == t.At.Start {
		power, _ := hanNumber(word)
		high := math.Mod(last.Num, 1e4)
		switch {
		case strings.ContainsRune("万萬亿億", first) && len(word) == utf8.RuneLen(first) && high > 0: // 2000 of 1億2000万
			c.set(last, last.Num-high+high*power, t.At.End)
			return true
		case last.Num >= 1e4 && high == 0 && t.Num < 1e4:
			c.set(last, last.Num+t.Num, t.At.End)
			return true
		}
	}
	if last.Kind.Has(Ordinal) && t.Kind.Has(Ordinal) && last.Num >= 20 && math.Mod(last.Num, 10) == 0 && t.Num < 10 && c.between(*last, t) == " " { // vigésimo primeiro
		last.Num, last.At.End = last.Num+t.Num, t.At.End
		last.Key = OrdinalKey(last.Num)
		return true
	}
	if c.g.code == "tr" && last.Num == 10 && c.spelled(*last) && t.Kind.Has(Number|Ordinal) && t.Num > 0 && t.Num < 10 && c.between(*last, t) == " " { // on altı, on altıncı
		last.Num, last.At.End = 10+t.Num, t.At.End
		if last.Key = numberKey(last.Num); t.Kind.Has(Ordinal) {
			last.Key, last.Kind = OrdinalKey(last.Num), last.Kind&^Number|Ordinal
		}
		return true
	}
	one := slices.Contains(c.g.ones, word)
	if !one && !c.spelled(t) {
		return false
	}
	v := t.Num
	if one {
		v = 1
	}
	tens := func(t Token) bool { return c.spelled(t) && t.Num >= 20 && t.Num < 100 && math.Mod(t.Num, 10) == 0 }
	if slices.Contains(c.g.ands, c.raw(*last)) && n-2 >= c.start {
		before := &c.out[n-2]
		if tens(*before) && (v < 10 || v == 11 && before.Num == 60) || c.spelled(*before) && c.g.code == "pt" && before.Num >= 100 && before.Num < 1000 && math.Mod(before.Num, 100) == 0 && v < 100 {
			c.set(before, before.Num+v, t.At.End)
			c.out = c.out[:n-1]
			return true
		}
	}
	switch joint := c.between(*last, t); {
	case joint != " " && joint != "-":
		return false
	case one && tens(*last) && joint == " " && c.g.code != "fr" && c.g.code != "es" && c.g.code != "pt":
	case c.g.code == "fr" && (last.Num == 60 || last.Num == 80) && v >= 10 && v < 20 && tens(*last):
	case c.g.code == "fr" && last.Num == 80 && one && joint == "-":
	case c.g.code == "fr" && last.Num == 4 && v == 20 && c.spelled(*last):
		v = 76
	default:
		return false
	}
	c.set(last, last.Num+v, t.At.End)
	return true
}

func (c *composer) set(t *Token, v float64, end int) {
	t.Num, t.Key, t.At.End, t.Kind = v, numberKey(v), end, t.Kind&^(Stop|Year)|Number
}

// counts reads which one of a row it is: 16e, 1er, XVI siècle, siglo XVI, 16. Jahrhundert.
func (c *composer) counts(t Token, n int) bool {
	last, word := &c.out[n-1], c.raw(t)
	nth := func(v float64, end int) {
		*last = Token{At: ibid.Span{Start: last.At.Start, End: end}, Key: OrdinalKey(v), Num: v, Kind: Ordinal | last.Kind&(Comma|Glued|quoted)}
	}
	between := c.between(*last, t)
	switch {
	case c.whole(*last) && slices.Contains(c.g.tails, word) && (between == "" || between == ":"):
		nth(last.Num, t.At.End)
		return true
	case last.Kind.Has(Number) && c.g.code == "tr" && (between == "'" || between == "’"): // 1995'te, 16'ncı
		short := strings.TrimLeft(word, "ıiuün")
		if strings.HasPrefix(short, "c") && len(short) < 4 {
			nth(last.Num, t.At.End)
		} else if len(word) >= 2 && word[0] == 'l' && math.Mod(last.Num, 10) == 0 && last.Kind.Has(Year) {
			c.decade(last, t.At.End)
		}
		last.At.End = t.At.End
		return true
	case c.whole(*last) && c.g.points && strings.HasPrefix(between, ". ") && n-1 > c.start && last.Num < 100 && t.Kind&(Month|Number) == 0:
		nth(last.Num, last.At.End+1)
	}
	switch {
	case t.Key == century && between != "" && between != " ":
	case t.Key == century && last.Kind.Has(Acronym|Capital) && romanNumber(c.raw(*last)) > 0:
		nth(romanNumber(c.raw(*last)), last.At.End)
	case t.Key == century && c.g.stem == nil && last.Kind.Has(Number):
		nth(last.Num, last.At.End)
	case last.Key == century && between == " " && (romanNumber(word) > 0 && t.Kind.Has(Capital) || c.whole(t) && t.Num <= 21):
		v := t.Num
		if !t.Kind.Has(Number) {
			v = romanNumber(word)
		}
		was := *last
		nth(v, last.At.End)
		c.out = append(c.out, Token{At: t.At, Key: was.Key, Kind: was.Kind &^ (Comma | Glued)})
		return true
	}
	return false
}

// romanNumber reads a number in Roman numerals with what a language adds to it, 0 where it is none: XVI, XVIe.
func romanNumber(low string) float64 {
	return roman(strings.TrimSuffix(strings.TrimSuffix(low, "ème"), "e"))
}

// decade makes a year the decade, or a number below 100 one of the last century.
func (c *composer) decade(t *Token, end int) {
	if t.Num < 100 {
		t.Num += 1900
	}
	t.Key, t.Kind, t.At.End = numberKey(t.Num)+"s", t.Kind&^Stop|Number|Year, end
}

// dates reads years, months and decades with the words beside them.
func (c *composer) dates(t Token, n int) bool {
	last, word := &c.out[n-1], c.raw(t)
	between := c.between(*last, t)
	tenth := func(t Token) bool {
		return t.Kind.Has(Number) && math.Mod(t.Num, 10) == 0 && (t.Num >= 10 && t.Num <= 90 || t.Num >= 1000 && t.Num < 2100)
	}
	for day := last; t.Kind.Has(Month); day = &c.out[n-2] { // le premier janvier, el primero de mayo
		if day.Kind.Has(Ordinal) && day.Num <= 31 {
			day.Key, day.Kind = numberKey(day.Num), day.Kind&^Ordinal|Number
		}
		if day != last || !last.Kind.Has(Stop) || n-2 < c.start {
			break
		}
	}
	isYears := slices.Contains(c.g.decades, word)
	switch {
	case word == "月" && between == "" && !strings.HasSuffix(c.raw(*last), "个") && last.Kind.Has(Number) && last.Num >= 1 && last.Num <= 12 && last.Num == math.Trunc(last.Num):
		last.Key, last.Kind, last.At.End = MonthKeys[int(last.Num)-1], Month|last.Kind&(Glued|Comma), t.At.End
		return true
	case (word == "日" || word == "号") && between == "" && last.Kind.Has(Number) && n-2 >= c.start && c.out[n-2].Kind.Has(Month):
		last.At.End = t.At.End
		return true
	case eras[c.raw(*last)] > 0 && between == "" && (t.Kind.Has(Number) || word == "元" || word == "元年"):
		v := max(1, t.Num) + eras[c.raw(*last)]
		*last = Token{At: ibid.Span{Start: last.At.Start, End: t.At.End}, Key: numberKey(v), Num: v, Kind: Number | Year | last.Kind&(Glued|Comma)}
		return true
	case word == "年代" && tenth(*last):
		c.decade(last, t.At.End)
		return true
	case between == "-" && c.g.code == "sv" && strings.HasPrefix(word, "tal") && tenth(*last):
		if math.Mod(last.Num, 100) == 0 && last.Num >= 1000 {
			at := last.At
			*last = Token{At: at, Key: OrdinalKey(last.Num/100 + 1), Num: last.Num/100 + 1, Kind: Ordinal | last.Kind&Comma}
			c.out = append(c.out, Token{At: t.At, Key: century, Kind: Unit})
		} else {
			c.decade(last, t.At.End)
		}
		return true
	case c.g.code == "de" && word == "er" && between == "" && tenth(*last), c.g.code == "ru" && between == "-" && (word == "х" || word == "е" || word == "ые") && tenth(*last):
		c.decade(last, t.At.End)
		return true
	case t.Key == years && strings.HasSuffix(last.Key, "0s") && last.Kind.Has(Year) && between == " ": // 1950er Jahre
		last.At.End = t.At.End
		return true
	case slices.Contains(c.g.decades, c.raw(*last)) && c.g.before && tenth(t) && (between == " " || between == " '" || between == " ’"):
		t.At.Start = last.At.Start
		c.decade(&t, t.At.End)
		*last = t
		return true
	case t.Key == years && last.Kind.Has(Year) && last.Kind.Has(Number) && !isYears: // 1985 году
		last.At.End = t.At.End
		return true
	case last.Key == years && t.Kind.Has(Year) && between == " " && !slices.Contains(c.g.decades, c.raw(*last)): // im Jahr 1985
		t.At.Start = last.At.Start
		*last = t
		return true
	}
	return false
}

// eras are those of Japan, with the year before the first of each.
var eras = map[string]float64{"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867}

// shares reads percent and parts of a whole: por ciento, yüzde 20, 百分之五十, 2割, 三分之一, üçte bir.
func (c *composer) shares(t Token, n int) bool {
	last, word := &c.out[n-1], c.raw(t)
	percent := Signs['%']
	counted := n-2 >= c.start && c.out[n-2].Kind.Has(Number) && strings.TrimSpace(c.between(c.out[n-2], *last)) == ""
	switch {
	case counted && t.Kind.Has(Number) && t.Num == 100 && c.spelled(t) && slices.Contains([]string{"por", "pour", "per"}, c.raw(*last)):
		*last = Token{At: ibid.Span{Start: last.At.Start, End: t.At.End}, Key: percent, Kind: Unit}
		return true
	case c.raw(*last) == "r" && t.Key == Signs['$'] && last.At.End == t.At.Start:
		last.At.End, last.Key, last.Kind = t.At.End, "brl", Unit
		return true
	case last.Key == percent && last.Kind.Has(Unit) && t.Kind.Has(Number) && !counted && strings.TrimSpace(c.between(*last, t)) == "":
		first := last.At
		*last = t
		last.At = first
		c.out = append(c.out, Token{At: t.At, Key: percent, Kind: Unit})
		return true
	case word == "割" && last.Kind.Has(Number) && last.Num < 10:
		c.set(last, last.Num*10, last.At.End)
		c.out = append(c.out, Token{At: t.At, Key: percent, Kind: Unit})
		return true
	case word == "折" && c.g.code == "zh" && last.Kind.Has(Number) && last.Num > 0 && last.Num < 100:
		v := 100 - last.Num
		if last.Num < 10 {
			v = 100 - 10*last.Num
		}
		c.set(last, v, last.At.End)
		c.out = append(c.out, Token{At: t.At, Key: percent, Kind: Unit})
		return true
	case counted && t.Kind.Has(Number) && t.Num > 0 && (c.raw(*last) == "分之" || c.raw(*last) == "分の"):
		whole := c.out[n-2].Num
		c.set(&c.out[n-2], t.Num, c.out[n-2].At.End)
		*last = Token{At: ibid.Span{Start: last.At.Start, End: t.At.End}, Key: OrdinalKey(whole), Num: whole, Kind: Ordinal}
		return true
	case c.g.code == "tr" && last.Kind.Has(Ordinal) && partly(c.raw(*last)) && (strings.HasPrefix(word, "bir") || t.Kind.Has(Number) && t.Num < last.Num):
		whole, first := *last, last.At
		*last = Token{At: first, Key: numberKey(max(1, t.Num)), Num: max(1, t.Num), Kind: Number}
		whole.At = t.At
		c.out = append(c.out, whole)
		return true
	}
	return false
}

// partly reports whether a number of Turkish ends as the one of a part does: üçte, dörtte.
func partly(low string) bool {
	return strings.HasSuffix(low, "te") || strings.HasSuffix(low, "ta") || strings.HasSuffix(low, "de") || strings.HasSuffix(low, "da")
}

// numeral reads a number that is written as one word: einundzwanzig, tweehonderdvijftig, ventidue, tjugofem, einundzwanzigste.
func (g *Tongue) numeral(low string) (v float64, which bool, ok bool) {
	if len(g.linked) == 0 || len(low) > longWord {
		return 0, false, false
	}
	total, group, parts := 0.0, 0.0, 0
	for rest := low; rest != ""; parts++ {
		if parts > 0 {
			for _, link := range g.linked {
				if after, cut := strings.CutPrefix(rest, link); cut && g.counted(after) > 0 {
					rest = after
					break
				}
			}
		}
		n := g.counted(rest)
		if n == 0 {
			if parts > 1 && slices.Contains(g.nths, rest) {
				return total + group, true, true
			}
			return 0, false, false
		}
		part := g.value(rest[:n])
		switch {
		case part == 100:
			group = max(1, group) * 100
		case part == 1000:
			total, group = total+max(1, group)*1000, 0
		case part >= 1e6:
			return 0, false, false
		default:
			group += part
		}
		rest = rest[n:]
		if rest == "" && g.nth(low[len(low)-n:]) {
			return total + group, true, parts > 0
		}
	}
	return total + group, false, parts > 1
}

// counted is the length of the longest number at the start of a word.
func (g *Tongue) counted(low string) int {
	for n := min(len(low), 16); n > 1; n-- {
		if g.value(low[:n]) > 0 {
			return n
		}
	}
	return 0
}

// value is that of a word for a number, or for the one of a row at that place, 0 for others.
func (g *Tongue) value(low string) float64 {
	if v := g.bits[low]; v > 0 {
		return v
	}
	says := g.words[low]
	if v, ok := numberWords[says]; ok {
		return v
	}
	return ordinalWords[says]
}

func (g *Tongue) nth(low string) bool { return ordinalWords[g.words[low]] > 0 }

// hours reads a time of the day as the language writes it, where one stands at i: 14.30 Uhr, 14 Uhr, 14h30, 下午3时半. from may be before i.
func (g *Tongue) hours(s string, i int) (hours float64, from, end int, ok bool) {
	if g == nil {
		return 0, 0, 0, false
	}
	if g.stem == nil {
		return characterClock(s, i)
	}
	hour, n := number2(s[i:])
	if n == 0 || i > 0 && strings.ContainsRune(".,:/-", rune(s[i-1])) && i > 1 && IsDigit(rune(s[i-2])) && s[i-1] != '-' {
		return 0, 0, 0, false
	}
	end = i + n
	rest := strings.TrimLeft(s[end:], " \u00a0")
	if tail, told := strings.CutPrefix(rest, "h"); told && (g.code == "fr" || g.code == "pt") && hour < 24 {
		if minutes, n := number2(strings.TrimLeft(tail, " \u00a0")); n == 2 && minutes < 60 {
			end = len(s) - len(strings.TrimLeft(tail, " \u00a0")) + n
			return float64(hour) + float64(minutes)/60, i, end, true
		}
		if before := lastWord(s[:i]); tailEnds(tail) && slices.Contains(g.hour, before) {
			return float64(hour), i, len(s) - len(tail), true
		}
	}
	if end < len(s) && (s[end] == '.' || s[end] == ':') {
		point := s[end] == '.'
		minutes, n := number2(s[end+1:])
		if n != 2 || minutes > 59 || hour > 24 {
			return 0, 0, 0, false
		}
		end += 1 + n
		if end < len(s) && strings.ContainsRune(".,:", rune(s[end])) && end+1 < len(s) && IsDigit(rune(s[end+1])) {
			return 0, 0, 0, false
		}
		if point && (!g.comma || g.measured(s[:i], s[end:])) {
			return 0, 0, 0, false
		}
		hours = float64(hour) + float64(minutes)/60
		for _, word := range []string{"uhr", "uur", "h"} {
			if after := strings.TrimLeft(s[end:], " \u00a0"); len(after) >= len(word) && strings.EqualFold(after[:len(word)], word) && tailEnds(after[len(word):]) {
				end = len(s) - len(after) + len(word)
				break
			}
		}
		return hours, i, end, true
	}
	if word := strings.ToLower(Clip(rest, 3)); hour <= 24 && (hour > 12 || hour == 0) && (word == "uhr" || word == "uur") && tailEnds(rest[3:]) {
		return float64(hour), i, len(s) - len(rest) + 3, true
	}
	return 0, 0, 0, false
}

// measured reports whether the number between two texts is of something else than a time: Fr. 20.50, 3.20 Meter.
func (g *Tongue) measured(before, behind string) bool {
	sign := func(r rune) bool { return Signs[r] != "" }
	behind = strings.TrimLeft(behind, " \u00a0")
	before = strings.TrimRight(before, " \u00a0")
	if r, _ := utf8.DecodeRuneInString(behind); sign(r) {
		return true
	}
	if r, _ := utf8.DecodeLastRuneInString(before); sign(r) {
		return true
	}
	next := behind
	if end := strings.IndexFunc(behind, func(r rune) bool { return !unicode.IsLetter(r) }); end >= 0 {
		next = behind[:end]
	}
	if last := lastWord(strings.TrimRight(before, ".")); last == "fr" || last == "chf" || last == "version" {
		return true
	}
	if next == "" {
		return false
	}
	says, _ := g.says(Clip(next, longWord))
	_, power := numberWords[says]
	return power || classes[says].Has(Unit) && says != "hour"
}

// lastWord is the last word of a text, in lower case.
func lastWord(s string) string {
	s = strings.TrimRight(s, " \u00a0")
	at := strings.LastIndexFunc(s[max(0, len(s)-24):], func(r rune) bool { return !unicode.IsLetter(r) })
	return strings.ToLower(s[max(0, len(s)-24):][at+1:])
}

func tailEnds(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s == "" || !WordRune(r)
}

// number2 reads one digit or two.
func number2(s string) (v, n int) {
	for n < len(s) && IsDigit(rune(s[n])) {
		if n++; n > 2 {
			return 0, 0
		}
	}
	v, _ = strconv.Atoi(s[:n])
	return v, n
}

// characterClock reads the time of the day at i in Chinese or Japanese: 下午7时30分, 午後3時, 7時半.
func characterClock(s string, i int) (hours float64, from, end int, ok bool) {
	read := func(i int) (float64, int) {
		if v, n := number2(s[i:]); n > 0 {
			return float64(v), i + n
		}
		near := Clip(s[i:], 12)
		n := len(near) - len(strings.TrimLeft(near, hanDigits+"十"))
		v, _ := hanNumber(near[:n])
		return v, i + n
	}
	hour, end := read(i)
	if end == i || hour > 24 {
		return 0, 0, 0, false
	}
	mark := ""
	for _, m := range []string{"時間", "小时", "时", "時", "点钟", "点", "點"} {
		if strings.HasPrefix(s[end:], m) {
			mark = m
			break
		}
	}
	if mark == "" || mark == "時間" || mark == "小时" {
		return 0, 0, 0, false
	}
	end += len(mark)
	hours, from = hour, i
	told := hour > 12
	if after, half := strings.CutPrefix(s[end:], "半"); half {
		hours, end, told = hours+.5, len(s)-len(after), true
	} else if minutes, n := read(end); n > end && minutes < 60 && strings.HasPrefix(s[n:], "分") {
		hours, end, told = hours+minutes/60, n+len("分"), true
	}
	for part, later := range halves {
		if strings.HasSuffix(s[:i], part) {
			if from, told = i-len(part), true; later && hour < 12 {
				hours += 12
			}
			break
		}
	}
	return hours, from, end, told
}

// halves of the day, and whether each is the second.
var halves = map[string]bool{"上午": false, "早上": false, "凌晨": false, "清晨": false, "下午": true, "晚上": true, "傍晚": true, "午前": false, "朝": false, "午後": true, "夜": true, "夕方": true}

// dayMonth reads a day with its month in digits, where one stands at i: 3.5., 24/12/2024. In all of these languages the day comes first.
func (g *Tongue) dayMonth(s string, i, base int) (ts []Token, end int) {
	if g == nil || g.stem == nil || i > 0 && strings.ContainsRune("./-", rune(s[i-1])) {
		return nil, 0
	}
	day, n := number2(s[i:])
	if n == 0 || i+n >= len(s) || s[i+n] != '.' && s[i+n] != '/' || day < 1 || day > 31 {
		return nil, 0
	}
	sign, at := s[i+n], i+n+1
	month2, m := number2(s[at:])
	end = at + m
	if m == 0 || month2 < 1 || month2 > 12 || end >= len(s) || s[end] != sign {
		return nil, 0
	}
	behind := s[end+1:]
	digits := len(behind) - len(strings.TrimLeft(behind, "0123456789"))
	if sign == '/' && digits != 4 || sign == '.' && digits > 0 {
		return nil, 0
	}
	return []Token{
		{At: ibid.Span{Start: base + i, End: base + i + n}, Key: numberKey(float64(day)), Num: float64(day), Kind: Number},
		{At: ibid.Span{Start: base + at, End: base + end}, Key: MonthKeys[month2-1], Kind: Month},
	}, end + 1
}
