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

// digits reads a number written in digits.
func (g *tongue) digits(raw string, at ibid.Span) token {
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
		return token{at: at, key: raw, kind: 0}
	}
	t := token{at: at, key: numberKey(v), num: v, kind: number}
	switch {
	case tail == "s":
		if len(body) == 2 && v >= 30 { // the 90s
			t.num, body = 1900+v, "19"+body
		}
		t.key = "#" + body + "s"
		t.kind |= year
	case tail != "":
		t.key, t.kind = ordinalKey(v), ordinal
	case !grouped && len(body) == 4 && v >= 1000 && v <= 2100:
		t.kind |= year
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
	for n < len(s) && isDigit(rune(s[n])) {
		n++
	}
	if n == i || n-i > 3 || s[i] == '0' {
		return 0
	}
	groups, breaks := 0, false
	for {
		r, w := utf8.DecodeRuneInString(s[n:])
		k := n + w
		if !unicode.IsSpace(r) || k+3 > len(s) || strings.Trim(s[k:k+3], "0123456789") != "" || k+3 < len(s) && isDigit(rune(s[k+3])) {
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
func pointedDate(raw string, at int) []token {
	p := strings.Split(raw, ".")
	if len(p) != 3 || len(p[0]) > 2 || len(p[1]) > 2 || len(p[2]) != 4 {
		return nil
	}
	var out []token
	for _, part := range p {
		t := inEnglish.digits(part, ibid.Span{Start: at, End: at + len(part)})
		if !t.kind.has(number) {
			return nil
		}
		out, at = append(out, t), at+len(part)+1
	}
	if m := out[1].num; out[0].num < 1 || out[0].num > 31 || m < 1 || m > 12 || !out[2].kind.has(year) {
		return nil
	}
	out[1] = token{at: out[1].at, key: monthKeys[int(out[1].num)-1], kind: month}
	return out
}

func numberKey(v float64) string  { return "#" + strconv.FormatFloat(v, 'g', 12, 64) }
func ordinalKey(v float64) string { return "#" + strconv.FormatFloat(v, 'g', 12, 64) + "th" }

var secondKey = ordinalKey(2)

// fractions merges tokens that are one number: 1/4 before a unit, 1 1/2 and 1½, two and a half. What else has a stroke may be a date
// or a share of votes.
func fractions(s string, base int, to []token, start int) []token {
	out := to[:start]
	whole := func(t token) bool {
		return t.kind.has(number) && t.num == math.Trunc(t.num) && t.num > 0 && t.num < 1000 && !t.kind.has(year)
	}
	between := func(a, b token) string { return s[a.at.End-base : b.at.Start-base] }
	for i := start; i < len(to); i++ {
		t, end, v := to[i], i+1, 0.0
		switch {
		case i+1 < len(to) && whole(t) && whole(to[i+1]) && between(t, to[i+1]) == "/" && t.num < to[i+1].num && slices.Contains([]float64{2, 3, 4, 5, 6, 8, 16}, to[i+1].num) &&
			(i+2 == len(to) || between(to[i+1], to[i+2]) != "/"):
			v, end = t.num/to[i+1].num, i+2
		case t.kind.has(number) && t.num > 0 && t.num < 1 && t.at.Len() == 2: // ½
			v = t.num
		case t.key == "and" && i+2 < len(to) && to[i+1].key == "a" && to[i+2].key == "half":
			v, end = .5, i+3
		}
		n := len(out)
		mixed := v > 0 && n > start && whole(out[n-1]) && (t.key == "and" || slices.Contains([]string{"", " ", "-"}, between(out[n-1], t)))
		switch {
		case mixed:
			last := &out[n-1]
			last.num += v
			last.key, last.at.End, last.kind = numberKey(last.num), to[end-1].at.End, last.kind&^stop
			i = end - 1
		case v > 0 && t.key != "and" && end < len(to) && (to[end].kind.has(unit) || to[end].key == "of" || to[end].key == "cup"):
			t.num, t.key, t.at.End, t.kind = v, numberKey(v), to[end-1].at.End, t.kind&^stop
			out = append(out, t)
			i = end - 1
		default:
			out = append(out, t)
		}
	}
	return out
}

// scaled lets the first number of a range count what its last counts: 66 to 68 million, $5-7bn.
func scaled(s string, base int, ts []token) {
	r := series{at: func(i int) token { return ts[i] }, end: len(ts)}
	for i := range ts {
		j := r.upTo(i)
		if j < 0 || ts[i].num <= 0 || ts[i].num >= 1000 || ts[j].num < 1000 || isDigit(rune(s[ts[j].at.End-1-base])) {
			continue
		}
		power, _, _ := powerOf(ts[j].at.Shift(-base).In(s), ts[j].num)
		if v := ts[i].num * power; isPower(power) && v < 20*ts[j].num && ts[j].num < 20*v {
			ts[i].num, ts[i].key = v, numberKey(v)
		}
	}
}

// unite merges tokens that are one unit: miles per hour, km/h, degrees Celsius, per cent.
func unite(to []token, start int) []token {
	out := to[:start]
	for i := start; i < len(to); i++ {
		t := to[i]
		next := func(d int, keys ...string) bool { return i+d < len(to) && slices.Contains(keys, to[i+d].key) }
		if t.key == "per" && next(1, "cent") { // 33 per cent
			t.key, t.kind, t.at.End = signs['%'], unit|t.kind&(glued|quoted), to[i+1].at.End
			i++
		}
		if !t.kind.has(unit) {
			out = append(out, t)
			continue
		}
		speed, end := speeds[t.key], 0
		switch {
		case t.key == signs['°'] && next(1, celsius, fahrenheit):
			t.key, end = to[i+1].key, i+1
		case speed != "" && next(1, "per", "an") && next(2, hour):
			t.key, end = speed, i+2
		case speed != "" && next(1, "h") && to[i+1].kind.has(glued):
			t.key, end = speed, i+1
		}
		if end > 0 {
			t.at.End = to[end].at.End
			i = end
		}
		out = append(out, t)
	}
	return out
}

var speeds = map[string]string{normal("mile"): "mph", normal("kilometer"): "kmh"}

// join merges tokens that are one number: twenty-three, 3.5 million, two hundred and five, $5m. A sign before or a unit
// behind stays a token of its own.
func join(s string, base int, to []token, start int) []token {
	out := to[:start]
	for i := start; i < len(to); i++ {
		t := to[i]
		if !t.kind.has(number) {
			if v := magnitude(out[start:], t, s, base); v > 0 {
				last := &out[len(out)-1]
				last.num *= v
				last.key, last.at.End, last.kind = numberKey(last.num), t.at.End, last.kind&^year
				continue
			}
			if n := len(out); n > start && t.key == secondKey && timed(out[n-1], t, s, base) { // a 14-second gap
				t.num, t.key, t.kind = 0, normal("second"), t.kind&^ordinal|unit
			}
			if n := len(out); n > start && spaced(out[n-1], t, s, base) {
				if u := lettered[t.at.Shift(-base).In(s)]; u != "" {
					t.key, t.kind = u, t.kind&^stop|unit
				}
			}
			if v, ok := ordinalAfter(out, start, t); ok {
				last := &out[len(out)-1]
				*last = token{at: ibid.Span{Start: last.at.Start, End: t.at.End}, key: ordinalKey(v), num: v, kind: last.kind&^number | ordinal}
				continue
			}
			out = append(out, t)
			continue
		}
		if part, n := partBefore(out[start:]); part > 0 && isPower(t.num) && t.num >= 1000 && s[t.at.Start-base] > '9' { // half a million
			t.num *= part
			t.key, t.at.Start = numberKey(t.num), out[len(out)-n].at.Start
			out = out[:len(out)-n]
		}
		if n := len(out); n > start && out[n-1].key == "minus" && t.num > 0 {
			t.negate(out[n-1].at.Start)
			out = out[:n-1]
		}
		if len(out) > start {
			last := &out[len(out)-1]
			if v, ok := combine(*last, t, s, base); ok {
				last.num, last.key = v, numberKey(v)
				last.at.End = t.at.End
				last.kind = last.kind&^(stop|year) | number
				continue
			}
		}
		if n := len(out); n > start+1 && out[n-1].key == "and" && isHundreds(out[n-2]) && t.num < 100 && t.num > 0 && s[out[n-2].at.Start-base] > '9' && s[t.at.Start-base] > '9' {
			out = out[:n-1] // two hundred and five, but not $500 and one weekend
			last := &out[n-2]
			last.num += t.num
			last.key, last.at.End = numberKey(last.num), t.at.End
			continue
		}
		out = append(out, t)
	}
	return out
}

// partBefore reads the part of what follows, and of how many tokens it is made: half a, a quarter of a, three quarters of a, a half. It is 0 where
// none ends the tokens.
func partBefore(ts []token) (part float64, n int) {
	key := func(back int) string {
		if back > len(ts) {
			return ""
		}
		return ts[len(ts)-back].key
	}
	n = 1
	if key(1) == "a" {
		n++
		if key(2) == "of" {
			n++
		}
	}
	of := parts[key(n)]
	if of == 0 {
		return 0, 0
	}
	part = 1 / of
	if key(n+1) == "a" {
		n++
	} else if n < len(ts) && ts[len(ts)-n-1].kind.has(number) && ts[len(ts)-n-1].num < of {
		part, n = ts[len(ts)-n-1].num/of, n+1
	}
	return part, n
}

// magnitude is by how much a letter behind a number multiplies it, as in 50k, $5m and 7B; 0 where it does not, as in 5m,
// which may as well be metres.
func magnitude(before []token, t token, s string, base int) float64 {
	n := len(before)
	if n == 0 || !before[n-1].kind.has(number) || t.at.Len() != 1 || !isDigit(rune(s[before[n-1].at.End-1-base])) {
		return 0
	}
	attached := t.at.Start == before[n-1].at.End
	money := n > 1 && before[n-2].kind.has(unit) && before[n-2].at.End == before[n-1].at.Start && t.at.Start-before[n-1].at.End <= 1
	switch letter := s[t.at.Start-base]; {
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

func isHundreds(t token) bool {
	return t.kind.has(number) && t.num >= 100 && math.Mod(t.num, 100) == 0 && t.num < 1e6 && !t.kind.has(year)
}

// lettered are units of time of one letter, which count only behind a number and a space: 10 s, but no 2024's and no 1980 s.
var lettered = map[string]string{"s": normal("second"), "h": normal("hour")}

func spaced(last, t token, s string, base int) bool {
	if !last.kind.has(number) || last.kind.has(year) {
		return false
	}
	gap := s[last.at.End-base : t.at.Start-base]
	return gap == " " || gap == "\u00a0" || gap == "\u202f"
}

// timed reports whether "second" behind a hyphen counts time: nine-second, 30-second. Sixty-second may be the one behind sixty-first.
func timed(last, second token, s string, base int) bool {
	return last.kind.has(number) && s[last.at.End-base:second.at.Start-base] == "-" && (isDigit(rune(s[last.at.End-1-base])) || math.Mod(last.num, 10) != 0)
}

// ordinalAfter reads twenty-third.
func ordinalAfter(out []token, start int, t token) (float64, bool) {
	if !t.kind.has(ordinal) || len(out) == start {
		return 0, false
	}
	last := out[len(out)-1]
	if last.kind.has(number) && last.num >= 20 && last.num <= 90 && math.Mod(last.num, 10) == 0 && t.num < 10 && t.at.Start-last.at.End <= 1 {
		return last.num + t.num, true
	}
	return 0, false
}

// combine reads two neighbouring numbers as one where they are: a multiplier (3 million) or a sum (twenty three).
func combine(a, b token, s string, base int) (float64, bool) {
	if !a.kind.has(number) || b.at.Start-a.at.End > 1 {
		return 0, false
	}
	if last, _ := utf8.DecodeLastRuneInString(s[:a.at.End-base]); strings.ContainsRune("万萬亿億", last) && b.at.Start == a.at.End && b.num < 1e4 && b.num > 0 {
		return a.num + b.num, true // 3万6300
	}
	lettersB := s[b.at.Start-base] > '9'
	if !lettersB {
		return 0, false
	}
	switch {
	case b.num >= 100 && isPower(b.num) && a.num < b.num:
		return a.num * b.num, true
	case s[a.at.Start-base] > '9' && a.num >= 20 && a.num < 100 && math.Mod(a.num, 10) == 0 && b.num < 10:
		return a.num + b.num, true
	case s[a.at.Start-base] > '9' && a.num >= 100 && b.num < 100 && math.Mod(a.num, 100) == 0:
		return a.num + b.num, true
	}
	return 0, false
}

func isPower(v float64) bool {
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
var scales = map[string]string{"c": normal("celsius"), "f": normal("fahrenheit")}

// powerOf is what the digits or words of a number are multiplied by, a million in 8.3 million and six million, and how many digits
// stand behind the point. digits tells 8.3 million from six million.
func powerOf(text string, value float64) (power float64, places int, digits bool) {
	text = strings.TrimLeft(text, "-−")
	n := 0
	for n < len(text) && (isDigit(rune(text[n])) || text[n] == ',' || text[n] == '.') {
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
