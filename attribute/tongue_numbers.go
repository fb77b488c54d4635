package attribute

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
func (g *tongue) compose(s string, base int, to []token, start int) []token {
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
	g           *tongue
	s           string
	base, start int
	out         []token
}

// raw is a token as it stands there, in lower case.
func (c *composer) raw(t token) string { return strings.ToLower(t.at.Shift(-c.base).In(c.s)) }

// between is what stands between two tokens.
func (c *composer) between(a, b token) string {
	return c.s[a.at.End-c.base : max(a.at.End, b.at.Start)-c.base]
}

// spelled reports whether a token is a number in words.
func (c *composer) spelled(t token) bool {
	return t.kind.has(number) && !isDigit(rune(c.s[t.at.Start-c.base]))
}

// whole reports whether a token is a whole number in digits.
func (c *composer) whole(t token) bool {
	return t.kind.has(number) && isDigit(rune(c.s[t.at.Start-c.base])) && t.num == math.Trunc(t.num)
}

// takes reads a token with those before it, and reports whether they are one now.
func (c *composer) takes(t token) bool {
	n := len(c.out)
	if n == c.start {
		return false
	}
	return c.adds(t, n) || c.counts(t, n) || c.dates(t, n) || c.shares(t, n) || c.names(t, n)
}

// names reads days of the week that are counted, segunda-feira, units of one letter, and what only a number makes the time of a day.
func (c *composer) names(t token, n int) bool {
	last := &c.out[n-1]
	word := c.raw(t)
	if word == "t" {
		word = "ton"
	}
	if last.kind.has(number) && t.at.Len() <= 2 && !t.kind.has(unit) && classes[word].has(unit) && c.s[t.at.Start-c.base] >= 'a' { // 380 m, though m' is me
		t.key, t.kind = normal(word), unit|t.kind&glued
		c.out = append(c.out, t)
		return true
	}
	day := counted[c.raw(*last)]
	if day == "" || word != "feira" && word != "feiras" || c.between(*last, t) != "-" {
		return false
	}
	last.key, last.num, last.kind, last.at.End = normal(day), 0, last.kind&(comma|glued|quoted), t.at.End
	return true
}

// counted are the days of the week as Portuguese counts them.
var counted = pairs("segunda monday terça tuesday quarta wednesday quinta thursday sexta friday segundas monday terças tuesday quartas wednesday quintas thursday sextas friday")

// adds reads a number in words that goes on: vingt et un, treinta y cinco, quatre-vingt-dix, 1億2000万.
func (c *composer) adds(t token, n int) bool {
	last, word := &c.out[n-1], c.raw(t)
	if first, _ := utf8.DecodeRuneInString(word); c.g.stem == nil && t.kind.has(number) && last.kind.has(number) && last.at.End == t.at.Start {
		power, _ := hanNumber(word)
		high := math.Mod(last.num, 1e4)
		switch {
		case strings.ContainsRune("万萬亿億", first) && len(word) == utf8.RuneLen(first) && high > 0: // 2000 of 1億2000万
			c.set(last, last.num-high+high*power, t.at.End)
			return true
		case last.num >= 1e4 && high == 0 && t.num < 1e4:
			c.set(last, last.num+t.num, t.at.End)
			return true
		}
	}
	if last.kind.has(ordinal) && t.kind.has(ordinal) && last.num >= 20 && math.Mod(last.num, 10) == 0 && t.num < 10 && c.between(*last, t) == " " { // vigésimo primeiro
		last.num, last.at.End = last.num+t.num, t.at.End
		last.key = ordinalKey(last.num)
		return true
	}
	if c.g.code == "tr" && last.num == 10 && c.spelled(*last) && t.kind.has(number|ordinal) && t.num > 0 && t.num < 10 && c.between(*last, t) == " " { // on altı, on altıncı
		last.num, last.at.End = 10+t.num, t.at.End
		if last.key = numberKey(last.num); t.kind.has(ordinal) {
			last.key, last.kind = ordinalKey(last.num), last.kind&^number|ordinal
		}
		return true
	}
	one := slices.Contains(c.g.ones, word)
	if !one && !c.spelled(t) {
		return false
	}
	v := t.num
	if one {
		v = 1
	}
	tens := func(t token) bool { return c.spelled(t) && t.num >= 20 && t.num < 100 && math.Mod(t.num, 10) == 0 }
	if slices.Contains(c.g.ands, c.raw(*last)) && n-2 >= c.start {
		before := &c.out[n-2]
		if tens(*before) && (v < 10 || v == 11 && before.num == 60) || c.spelled(*before) && c.g.code == "pt" && before.num >= 100 && before.num < 1000 && math.Mod(before.num, 100) == 0 && v < 100 {
			c.set(before, before.num+v, t.at.End)
			c.out = c.out[:n-1]
			return true
		}
	}
	switch joint := c.between(*last, t); {
	case joint != " " && joint != "-":
		return false
	case one && tens(*last) && joint == " " && c.g.code != "fr" && c.g.code != "es" && c.g.code != "pt":
	case c.g.code == "fr" && (last.num == 60 || last.num == 80) && v >= 10 && v < 20 && tens(*last):
	case c.g.code == "fr" && last.num == 80 && one && joint == "-":
	case c.g.code == "fr" && last.num == 4 && v == 20 && c.spelled(*last):
		v = 76
	default:
		return false
	}
	c.set(last, last.num+v, t.at.End)
	return true
}

func (c *composer) set(t *token, v float64, end int) {
	t.num, t.key, t.at.End, t.kind = v, numberKey(v), end, t.kind&^(stop|year)|number
}

// counts reads which one of a row it is: 16e, 1er, XVI siècle, siglo XVI, 16. Jahrhundert.
func (c *composer) counts(t token, n int) bool {
	last, word := &c.out[n-1], c.raw(t)
	nth := func(v float64, end int) {
		*last = token{at: ibid.Span{Start: last.at.Start, End: end}, key: ordinalKey(v), num: v, kind: ordinal | last.kind&(comma|glued|quoted)}
	}
	between := c.between(*last, t)
	switch {
	case c.whole(*last) && slices.Contains(c.g.tails, word) && (between == "" || between == ":"):
		nth(last.num, t.at.End)
		return true
	case last.kind.has(number) && c.g.code == "tr" && (between == "'" || between == "’"): // 1995'te, 16'ncı
		short := strings.TrimLeft(word, "ıiuün")
		if strings.HasPrefix(short, "c") && len(short) < 4 {
			nth(last.num, t.at.End)
		} else if len(word) >= 2 && word[0] == 'l' && math.Mod(last.num, 10) == 0 && last.kind.has(year) {
			c.decade(last, t.at.End)
		}
		last.at.End = t.at.End
		return true
	case c.whole(*last) && c.g.points && strings.HasPrefix(between, ". ") && n-1 > c.start && last.num < 100 && t.kind&(month|number) == 0:
		nth(last.num, last.at.End+1)
	}
	switch {
	case t.key == century && between != "" && between != " ":
	case t.key == century && last.kind.has(acronym|capital) && romanNumber(c.raw(*last)) > 0:
		nth(romanNumber(c.raw(*last)), last.at.End)
	case t.key == century && c.g.stem == nil && last.kind.has(number):
		nth(last.num, last.at.End)
	case last.key == century && between == " " && (romanNumber(word) > 0 && t.kind.has(capital) || c.whole(t) && t.num <= 21):
		v := t.num
		if !t.kind.has(number) {
			v = romanNumber(word)
		}
		was := *last
		nth(v, last.at.End)
		c.out = append(c.out, token{at: t.at, key: was.key, kind: was.kind &^ (comma | glued)})
		return true
	}
	return false
}

// romanNumber reads a number in Roman numerals with what a language adds to it, 0 where it is none: XVI, XVIe.
func romanNumber(low string) float64 {
	return roman(strings.TrimSuffix(strings.TrimSuffix(low, "ème"), "e"))
}

// decade makes a year the decade, or a number below 100 one of the last century.
func (c *composer) decade(t *token, end int) {
	if t.num < 100 {
		t.num += 1900
	}
	t.key, t.kind, t.at.End = numberKey(t.num)+"s", t.kind&^stop|number|year, end
}

// dates reads years, months and decades with the words beside them.
func (c *composer) dates(t token, n int) bool {
	last, word := &c.out[n-1], c.raw(t)
	between := c.between(*last, t)
	tenth := func(t token) bool {
		return t.kind.has(number) && math.Mod(t.num, 10) == 0 && (t.num >= 10 && t.num <= 90 || t.num >= 1000 && t.num < 2100)
	}
	for day := last; t.kind.has(month); day = &c.out[n-2] { // le premier janvier, el primero de mayo
		if day.kind.has(ordinal) && day.num <= 31 {
			day.key, day.kind = numberKey(day.num), day.kind&^ordinal|number
		}
		if day != last || !last.kind.has(stop) || n-2 < c.start {
			break
		}
	}
	isYears := slices.Contains(c.g.decades, word)
	switch {
	case word == "月" && between == "" && !strings.HasSuffix(c.raw(*last), "个") && last.kind.has(number) && last.num >= 1 && last.num <= 12 && last.num == math.Trunc(last.num):
		last.key, last.kind, last.at.End = monthKeys[int(last.num)-1], month|last.kind&(glued|comma), t.at.End
		return true
	case (word == "日" || word == "号") && between == "" && last.kind.has(number) && n-2 >= c.start && c.out[n-2].kind.has(month):
		last.at.End = t.at.End
		return true
	case eras[c.raw(*last)] > 0 && between == "" && (t.kind.has(number) || word == "元" || word == "元年"):
		v := max(1, t.num) + eras[c.raw(*last)]
		*last = token{at: ibid.Span{Start: last.at.Start, End: t.at.End}, key: numberKey(v), num: v, kind: number | year | last.kind&(glued|comma)}
		return true
	case word == "年代" && tenth(*last):
		c.decade(last, t.at.End)
		return true
	case between == "-" && c.g.code == "sv" && strings.HasPrefix(word, "tal") && tenth(*last):
		if math.Mod(last.num, 100) == 0 && last.num >= 1000 {
			at := last.at
			*last = token{at: at, key: ordinalKey(last.num/100 + 1), num: last.num/100 + 1, kind: ordinal | last.kind&comma}
			c.out = append(c.out, token{at: t.at, key: century, kind: unit})
		} else {
			c.decade(last, t.at.End)
		}
		return true
	case c.g.code == "de" && word == "er" && between == "" && tenth(*last), c.g.code == "ru" && between == "-" && (word == "х" || word == "е" || word == "ые") && tenth(*last):
		c.decade(last, t.at.End)
		return true
	case t.key == years && strings.HasSuffix(last.key, "0s") && last.kind.has(year) && between == " ": // 1950er Jahre
		last.at.End = t.at.End
		return true
	case slices.Contains(c.g.decades, c.raw(*last)) && c.g.before && tenth(t) && (between == " " || between == " '" || between == " ’"):
		t.at.Start = last.at.Start
		c.decade(&t, t.at.End)
		*last = t
		return true
	case t.key == years && last.kind.has(year) && last.kind.has(number) && !isYears: // 1985 году
		last.at.End = t.at.End
		return true
	case last.key == years && t.kind.has(year) && between == " " && !slices.Contains(c.g.decades, c.raw(*last)): // im Jahr 1985
		t.at.Start = last.at.Start
		*last = t
		return true
	}
	return false
}

// eras are those of Japan, with the year before the first of each.
var eras = map[string]float64{"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867}

// shares reads percent and parts of a whole: por ciento, yüzde 20, 百分之五十, 2割, 三分之一, üçte bir.
func (c *composer) shares(t token, n int) bool {
	last, word := &c.out[n-1], c.raw(t)
	percent := signs['%']
	counted := n-2 >= c.start && c.out[n-2].kind.has(number) && strings.TrimSpace(c.between(c.out[n-2], *last)) == ""
	switch {
	case counted && t.kind.has(number) && t.num == 100 && c.spelled(t) && slices.Contains([]string{"por", "pour", "per"}, c.raw(*last)):
		*last = token{at: ibid.Span{Start: last.at.Start, End: t.at.End}, key: percent, kind: unit}
		return true
	case c.raw(*last) == "r" && t.key == signs['$'] && last.at.End == t.at.Start:
		last.at.End, last.key, last.kind = t.at.End, "brl", unit
		return true
	case last.key == percent && last.kind.has(unit) && t.kind.has(number) && !counted && strings.TrimSpace(c.between(*last, t)) == "":
		first := last.at
		*last = t
		last.at = first
		c.out = append(c.out, token{at: t.at, key: percent, kind: unit})
		return true
	case word == "割" && last.kind.has(number) && last.num < 10:
		c.set(last, last.num*10, last.at.End)
		c.out = append(c.out, token{at: t.at, key: percent, kind: unit})
		return true
	case word == "折" && c.g.code == "zh" && last.kind.has(number) && last.num > 0 && last.num < 100:
		v := 100 - last.num
		if last.num < 10 {
			v = 100 - 10*last.num
		}
		c.set(last, v, last.at.End)
		c.out = append(c.out, token{at: t.at, key: percent, kind: unit})
		return true
	case counted && t.kind.has(number) && t.num > 0 && (c.raw(*last) == "分之" || c.raw(*last) == "分の"):
		whole := c.out[n-2].num
		c.set(&c.out[n-2], t.num, c.out[n-2].at.End)
		*last = token{at: ibid.Span{Start: last.at.Start, End: t.at.End}, key: ordinalKey(whole), num: whole, kind: ordinal}
		return true
	case c.g.code == "tr" && last.kind.has(ordinal) && partly(c.raw(*last)) && (strings.HasPrefix(word, "bir") || t.kind.has(number) && t.num < last.num):
		whole, first := *last, last.at
		*last = token{at: first, key: numberKey(max(1, t.num)), num: max(1, t.num), kind: number}
		whole.at = t.at
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
func (g *tongue) numeral(low string) (v float64, which bool, ok bool) {
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
func (g *tongue) counted(low string) int {
	for n := min(len(low), 16); n > 1; n-- {
		if g.value(low[:n]) > 0 {
			return n
		}
	}
	return 0
}

// value is that of a word for a number, or for the one of a row at that place, 0 for others.
func (g *tongue) value(low string) float64 {
	if v := g.bits[low]; v > 0 {
		return v
	}
	says := g.words[low]
	if v, ok := numberWords[says]; ok {
		return v
	}
	return ordinalWords[says]
}

func (g *tongue) nth(low string) bool { return ordinalWords[g.words[low]] > 0 }

// hours reads a time of the day as the language writes it, where one stands at i: 14.30 Uhr, 14 Uhr, 14h30, 下午3时半. from may be before i.
func (g *tongue) hours(s string, i int) (hours float64, from, end int, ok bool) {
	if g == nil {
		return 0, 0, 0, false
	}
	if g.stem == nil {
		return characterClock(s, i)
	}
	hour, n := number2(s[i:])
	if n == 0 || i > 0 && strings.ContainsRune(".,:/-", rune(s[i-1])) && i > 1 && isDigit(rune(s[i-2])) && s[i-1] != '-' {
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
		if end < len(s) && strings.ContainsRune(".,:", rune(s[end])) && end+1 < len(s) && isDigit(rune(s[end+1])) {
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
	if word := strings.ToLower(clip(rest, 3)); hour <= 24 && (hour > 12 || hour == 0) && (word == "uhr" || word == "uur") && tailEnds(rest[3:]) {
		return float64(hour), i, len(s) - len(rest) + 3, true
	}
	return 0, 0, 0, false
}

// measured reports whether the number between two texts is of something else than a time: Fr. 20.50, 3.20 Meter.
func (g *tongue) measured(before, behind string) bool {
	sign := func(r rune) bool { return signs[r] != "" }
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
	says, _ := g.says(clip(next, longWord))
	_, power := numberWords[says]
	return power || classes[says].has(unit) && says != "hour"
}

// lastWord is the last word of a text, in lower case.
func lastWord(s string) string {
	s = strings.TrimRight(s, " \u00a0")
	at := strings.LastIndexFunc(s[max(0, len(s)-24):], func(r rune) bool { return !unicode.IsLetter(r) })
	return strings.ToLower(s[max(0, len(s)-24):][at+1:])
}

func tailEnds(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s == "" || !wordRune(r)
}

// number2 reads one digit or two.
func number2(s string) (v, n int) {
	for n < len(s) && isDigit(rune(s[n])) {
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
		near := clip(s[i:], 12)
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
func (g *tongue) dayMonth(s string, i, base int) (ts []token, end int) {
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
	return []token{
		{at: ibid.Span{Start: base + i, End: base + i + n}, key: numberKey(float64(day)), num: float64(day), kind: number},
		{at: ibid.Span{Start: base + at, End: base + end}, key: monthKeys[month2-1], kind: month},
	}, end + 1
}
