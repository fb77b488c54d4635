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

// digits reads a number written in digits.
func (g *Tongue) digits(raw string, at ibid.Span) Token {
	spaced := strings.ContainsFunc(raw, unicode.IsSpace)
	if spaced {
		raw = strings.Join(strings.FieldsFunc(raw, unicode.IsSpace), "")
	}
	body, tail := raw, ""
	for i := 0; i < len(raw); i++ {
		if c := raw[i]; (c < '0' || c > '9') && c != ',' && c != '.' {
			body, tail = raw[:i], raw[i:]
			break
		}
	}
	tail = strings.TrimLeft(tail, "'’")
	grouped := spaced || strings.Contains(body, ",")
	written := pointed
	if g != nil && g.comma {
		written = decimal
	}
	v, err := strconv.ParseFloat(written(body), 64)
	if err != nil || math.IsInf(v, 0) {
		return Token{At: at, Key: raw, Kind: 0}
	}
	t := Token{At: at, Key: numberKey(v), Num: v, Kind: Number}
	switch {
	case tail == "s":
		if len(body) == 2 && v >= 30 { // the 90s
			t.Num, body = 1900+v, "19"+body
		}
		t.Key = "#" + body + "s"
		t.Kind |= Year
	case tail != "":
		t.Key, t.Kind = OrdinalKey(v), Ordinal
	case !grouped && len(body) == 4 && v >= 1000 && v <= 2100:
		t.Kind |= Year
	}
	return t
}

// pointed writes a number as Go does: 1,250 and 1.250.000 without what groups the digits, 12,50 and 1.250,50 with a point.
func pointed(s string) string {
	comma, points := strings.LastIndexByte(s, ','), strings.Count(s, ".")
	switch behind := len(s) - comma - 1; {
	case comma > 0 && comma == strings.IndexByte(s, ',') && strings.LastIndexByte(s, '.') < comma && (behind != 3 || points > 0 || s[0] == '0'):
		return strings.ReplaceAll(s[:comma], ".", "") + "." + s[comma+1:]
	case comma < 0 && points == 2:
		if g := strings.Split(s, "."); len(g[1]) == 3 && len(g[2]) == 3 {
			return strings.Join(g, "")
		}
	}
	return strings.ReplaceAll(s, ",", "")
}

// spacedEnd is where the number at i ends whose digits are grouped by spaces, 0 where none is: 60 000, 1 250 000. A space that may break a line may also
// stand between two numbers, as in the row of a table: there the last group must be of zeros, unless such blanks are usual.
func spacedEnd(s string, i int, usual bool) int {
	n := i
	for n < len(s) && IsDigit(rune(s[n])) {
		n++
	}
	if n == i || n-i > 3 || s[i] == '0' {
		return 0
	}
	groups, breaks := 0, false
	for {
		r, w := utf8.DecodeRuneInString(s[n:])
		k := n + w
		if !unicode.IsSpace(r) || k+3 > len(s) || strings.Trim(s[k:k+3], "0123456789") != "" || k+3 < len(s) && IsDigit(rune(s[k+3])) {
			break
		}
		groups, breaks, n = groups+1, breaks || r == ' ', k+3
		if r != ' ' && r != 0xA0 && r != 0x2009 && r != 0x202F {
			return 0
		}
	}
	if groups == 0 || breaks && !usual && s[n-3:n] != "000" {
		return 0
	}
	return n
}

// pointedDate reads a date as 12.03.2019, nil where it is none.
func pointedDate(raw string, at int) []Token {
	p := strings.Split(raw, ".")
	if len(p) != 3 || len(p[0]) > 2 || len(p[1]) > 2 || len(p[2]) != 4 {
		return nil
	}
	var out []Token
	for _, part := range p {
		t := English.digits(part, ibid.Span{Start: at, End: at + len(part)})
		if !t.Kind.Has(Number) {
			return nil
		}
		out, at = append(out, t), at+len(part)+1
	}
	if m := out[1].Num; out[0].Num < 1 || out[0].Num > 31 || m < 1 || m > 12 || !out[2].Kind.Has(Year) {
		return nil
	}
	out[1] = Token{At: out[1].At, Key: MonthKeys[int(out[1].Num)-1], Kind: Month}
	return out
}

// numberKey is the normal form of a number.
func numberKey(v float64) string { return "#" + strconv.FormatFloat(v, 'g', 12, 64) }

// OrdinalKey is the normal form of the one of a row at that place.
func OrdinalKey(v float64) string { return "#" + strconv.FormatFloat(v, 'g', 12, 64) + "th" }

var secondKey = OrdinalKey(2)

// fractions merges tokens that are one number: 1/4 before a unit, 1 1/2 and 1½, two and a half. What else has a stroke may be a date
// or a share of votes.
func fractions(s string, base int, to []Token, start int) []Token {
	out := to[:start]
	whole := func(t Token) bool {
		return t.Kind.Has(Number) && t.Num == math.Trunc(t.Num) && t.Num > 0 && t.Num < 1000 && !t.Kind.Has(Year)
	}
	between := func(a, b Token) string { return s[a.At.End-base : b.At.Start-base] }
	for i := start; i < len(to); i++ {
		t, end, v := to[i], i+1, 0.0
		switch {
		case i+1 < len(to) && whole(t) && whole(to[i+1]) && between(t, to[i+1]) == "/" && t.Num < to[i+1].Num && slices.Contains([]float64{2, 3, 4, 5, 6, 8, 16}, to[i+1].Num) &&
			(i+2 == len(to) || between(to[i+1], to[i+2]) != "/"):
			v, end = t.Num/to[i+1].Num, i+2
		case t.Kind.Has(Number) && t.Num > 0 && t.Num < 1 && t.At.Len() == 2: // ½
			v = t.Num
		case t.Key == "and" && i+2 < len(to) && to[i+1].Key == "a" && to[i+2].Key == "half":
			v, end = .5, i+3
		}
		n := len(out)
		mixed := v > 0 && n > start && whole(out[n-1]) && (t.Key == "and" || slices.Contains([]string{"", " ", "-"}, between(out[n-1], t)))
		switch {
		case mixed:
			last := &out[n-1]
			last.Num += v
			last.Key, last.At.End, last.Kind = numberKey(last.Num), to[end-1].At.End, last.Kind&^Stop
			i = end - 1
		case v > 0 && t.Key != "and" && end < len(to) && (to[end].Kind.Has(Unit) || to[end].Key == "of" || to[end].Key == "cup"):
			t.Num, t.Key, t.At.End, t.Kind = v, numberKey(v), to[end-1].At.End, t.Kind&^Stop
			out = append(out, t)
			i = end - 1
		default:
			out = append(out, t)
		}
	}
	return out
}

// scaled lets the first number of a range count what its last counts: 66 to 68 million, $5-7bn.
func scaled(s string, base int, ts []Token) {
	r := Run{At: func(i int) Token { return ts[i] }, End: len(ts)}
	for i := range ts {
		j := r.UpTo(i)
		if j < 0 || ts[i].Num <= 0 || ts[i].Num >= 1000 || ts[j].Num < 1000 || IsDigit(rune(s[ts[j].At.End-1-base])) {
			continue
		}
		power, _, _ := PowerOf(ts[j].At.Shift(-base).In(s), ts[j].Num)
		if v := ts[i].Num * power; IsPower(power) && v < 20*ts[j].Num && ts[j].Num < 20*v {
			ts[i].Num, ts[i].Key = v, numberKey(v)
		}
	}
}

// unite merges tokens that are one unit: miles per hour, km/h, degrees Celsius, per cent.
func unite(to []Token, start int) []Token {
	out := to[:start]
	for i := start; i < len(to); i++ {
		t := to[i]
		next := func(d int, keys ...string) bool { return i+d < len(to) && slices.Contains(keys, to[i+d].Key) }
		if t.Key == "per" && next(1, "cent") { // 33 per cent
			t.Key, t.Kind, t.At.End = Signs['%'], Unit|t.Kind&(Glued|quoted), to[i+1].At.End
			i++
		}
		if !t.Kind.Has(Unit) {
			out = append(out, t)
			continue
		}
		speed, end := speeds[t.Key], 0
		switch {
		case t.Key == Signs['°'] && next(1, celsius, fahrenheit):
			t.Key, end = to[i+1].Key, i+1
		case speed != "" && next(1, "per", "an") && next(2, hour):
			t.Key, end = speed, i+2
		case speed != "" && next(1, "h") && to[i+1].Kind.Has(Glued):
			t.Key, end = speed, i+1
		}
		if end > 0 {
			t.At.End = to[end].At.End
			i = end
		}
		out = append(out, t)
	}
	return out
}

var speeds = map[string]string{Normal("mile"): "mph", Normal("kilometer"): "kmh"}

// join merges tokens that are one number: twenty-three, 3.5 million, two hundred and five, $5m. A sign before or a unit
// behind stays a token of its own.
func join(s string, base int, to []Token, start int) []Token {
	out := to[:start]
	for i := start; i < len(to); i++ {
		t := to[i]
		if !t.Kind.Has(Number) {
			if v := magnitude(out[start:], t, s, base); v > 0 {
				last := &out[len(out)-1]
				last.Num *= v
				last.Key, last.At.End, last.Kind = numberKey(last.Num), t.At.End, last.Kind&^Year
				continue
			}
			if n := len(out); n > start && t.Key == secondKey && timed(out[n-1], t, s, base) { // a 14-second gap
				t.Num, t.Key, t.Kind = 0, Normal("second"), t.Kind&^Ordinal|Unit
			}
			if n := len(out); n > start && spaced(out[n-1], t, s, base) {
				if u := lettered[t.At.Shift(-base).In(s)]; u != "" {
					t.Key, t.Kind = u, t.Kind&^Stop|Unit
				}
			}
			if v, ok := ordinalAfter(out, start, t); ok {
				last := &out[len(out)-1]
				*last = Token{At: ibid.Span{Start: last.At.Start, End: t.At.End}, Key: OrdinalKey(v), Num: v, Kind: last.Kind&^Number | Ordinal}
				continue
			}
			out = append(out, t)
			continue
		}
		if part, n := partBefore(out[start:]); part > 0 && IsPower(t.Num) && t.Num >= 1000 && s[t.At.Start-base] > '9' { // half a million
			t.Num *= part
			t.Key, t.At.Start = numberKey(t.Num), out[len(out)-n].At.Start
			out = out[:len(out)-n]
		}
		if n := len(out); n > start && out[n-1].Key == "minus" && t.Num > 0 {
			t.negate(out[n-1].At.Start)
			out = out[:n-1]
		}
		if len(out) > start {
			last := &out[len(out)-1]
			if v, ok := combine(*last, t, s, base); ok {
				last.Num, last.Key = v, numberKey(v)
				last.At.End = t.At.End
				last.Kind = last.Kind&^(Stop|Year) | Number
				continue
			}
		}
		if n := len(out); n > start+1 && out[n-1].Key == "and" && isHundreds(out[n-2]) && t.Num < 100 && t.Num > 0 && s[out[n-2].At.Start-base] > '9' && s[t.At.Start-base] > '9' {
			out = out[:n-1] // two hundred and five, but not $500 and one weekend
			last := &out[n-2]
			last.Num += t.Num
			last.Key, last.At.End = numberKey(last.Num), t.At.End
			continue
		}
		out = append(out, t)
	}
	return out
}

// partBefore reads the part of what follows, and of how many tokens it is made: half a, a quarter of a, three quarters of a, a half. It is 0 where
// none ends the tokens.
func partBefore(ts []Token) (part float64, n int) {
	key := func(back int) string {
		if back > len(ts) {
			return ""
		}
		return ts[len(ts)-back].Key
	}
	n = 1
	if key(1) == "a" {
		n++
		if key(2) == "of" {
			n++
		}
	}
	of := Parts[key(n)]
	if of == 0 {
		return 0, 0
	}
	part = 1 / of
	if key(n+1) == "a" {
		n++
	} else if n < len(ts) && ts[len(ts)-n-1].Kind.Has(Number) && ts[len(ts)-n-1].Num < of {
		part, n = ts[len(ts)-n-1].Num/of, n+1
	}
	return part, n
}

// magnitude is by how much a letter behind a number multiplies it, as in 50k, $5m and 7B; 0 where it does not, as in 5m,
// which may as well be metres.
func magnitude(before []Token, t Token, s string, base int) float64 {
	n := len(before)
	if n == 0 || !before[n-1].Kind.Has(Number) || t.At.Len() != 1 || !IsDigit(rune(s[before[n-1].At.End-1-base])) {
		return 0
	}
	attached := t.At.Start == before[n-1].At.End
	money := n > 1 && before[n-2].Kind.Has(Unit) && before[n-2].At.End == before[n-1].At.Start && t.At.Start-before[n-1].At.End <= 1
	switch letter := s[t.At.Start-base]; {
	case attached && (letter == 'k' || letter == 'K'):
		return 1e3
	case attached && letter == 'M', money && (letter == 'm' || letter == 'M'):
		return 1e6
	case attached && letter == 'B', money && (letter == 'b' || letter == 'B'):
		return 1e9
	case money && (letter == 't' || letter == 'T'):
		return 1e12
	}
	return 0
}

func isHundreds(t Token) bool {
	return t.Kind.Has(Number) && t.Num >= 100 && math.Mod(t.Num, 100) == 0 && t.Num < 1e6 && !t.Kind.Has(Year)
}

// lettered are units of time of one letter, which count only behind a number and a space: 10 s, but no 2024's and no 1980 s.
var lettered = map[string]string{"s": Normal("second"), "h": Normal("hour")}

func spaced(last, t Token, s string, base int) bool {
	if !last.Kind.Has(Number) || last.Kind.Has(Year) {
		return false
	}
	gap := s[last.At.End-base : t.At.Start-base]
	return gap == " " || gap == "\u00a0" || gap == "\u202f"
}

// timed reports whether "second" behind a hyphen counts time: nine-second, 30-second. Sixty-second may be the one behind sixty-first.
func timed(last, second Token, s string, base int) bool {
	return last.Kind.Has(Number) && s[last.At.End-base:second.At.Start-base] == "-" && (IsDigit(rune(s[last.At.End-1-base])) || math.Mod(last.Num, 10) != 0)
}

// ordinalAfter reads twenty-third.
func ordinalAfter(out []Token, start int, t Token) (float64, bool) {
	if !t.Kind.Has(Ordinal) || len(out) == start {
		return 0, false
	}
	last := out[len(out)-1]
	if last.Kind.Has(Number) && last.Num >= 20 && last.Num <= 90 && math.Mod(last.Num, 10) == 0 && t.Num < 10 && t.At.Start-last.At.End <= 1 {
		return last.Num + t.Num, true
	}
	return 0, false
}

// combine reads two neighbouring numbers as one where they are: a multiplier (3 million) or a sum (twenty three).
func combine(a, b Token, s string, base int) (float64, bool) {
	if !a.Kind.Has(Number) || b.At.Start-a.At.End > 1 {
		return 0, false
	}
	if last, _ := utf8.DecodeLastRuneInString(s[:a.At.End-base]); strings.ContainsRune("万萬亿億", last) && b.At.Start == a.At.End && b.Num < 1e4 && b.Num > 0 {
		return a.Num + b.Num, true // 3万6300
	}
	lettersB := s[b.At.Start-base] > '9'
	if !lettersB {
		return 0, false
	}
	switch {
	case b.Num >= 100 && IsPower(b.Num) && a.Num < b.Num:
		return a.Num * b.Num, true
	case s[a.At.Start-base] > '9' && a.Num >= 20 && a.Num < 100 && math.Mod(a.Num, 10) == 0 && b.Num < 10:
		return a.Num + b.Num, true
	case s[a.At.Start-base] > '9' && a.Num >= 100 && b.Num < 100 && math.Mod(a.Num, 100) == 0:
		return a.Num + b.Num, true
	}
	return 0, false
}

// IsPower reports whether a number is one that multiplies those before it: hundred, million.
func IsPower(v float64) bool {
	return v == 100 || v == 1e3 || v == 1e4 || v == 1e6 || v == 1e8 || v == 1e9 || v == 1e12
}

// roman reads the numbers of kings and wars, 0 where it is none.
func roman(low string) float64 {
	v, last := 0.0, 0.0
	for i := len(low) - 1; i >= 0; i-- {
		n := 0.0
		switch low[i] {
		case 'i':
			n = 1
		case 'v':
			n = 5
		case 'x':
			n = 10
		default:
			return 0
		}
		if n < last {
			n = -n
		} else {
			last = n
		}
		v += n
	}
	return v
}

// scales are the letters behind a degree sign.
var scales = map[string]string{"c": Normal("celsius"), "f": Normal("fahrenheit")}

// PowerOf is what the digits or words of a number are multiplied by, a million in 8.3 million and six million, and how many digits
// stand behind the point. digits tells 8.3 million from six million.
func PowerOf(text string, value float64) (power float64, places int, digits bool) {
	text = strings.TrimLeft(text, "-−")
	n := 0
	for n < len(text) && (IsDigit(rune(text[n])) || text[n] == ',' || text[n] == '.') {
		n++
	}
	body := strings.TrimRight(text[:n], ".,")
	written := 0.0
	if body != "" {
		if v, err := strconv.ParseFloat(strings.ReplaceAll(body, ",", ""), 64); err == nil {
			written = v
		}
	}
	if written == 0 || value == 0 {
		for power = 1; power*1000 <= value && math.Mod(value, power*1000) == 0; { // in words: of six million a million, of twenty one
			power *= 1000
		}
		return power, 0, false
	}
	if i := strings.IndexByte(body, '.'); i >= 0 {
		places = len(body) - i - 1
	}
	return value / written, places, true
}
