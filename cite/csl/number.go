package csl

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// numericText matches what CSL counts as a number: numbers with letters around them, and lists and ranges of them.
var numericText = regexp.MustCompile(`^\s*[\p{L}]{0,3}?[\p{L}.]*\d+[\p{L}]*(\s*([-–&,]|–)\s*[\p{L}]{0,3}?\d+[\p{L}]*)*\s*$`)

// isNumeric reports whether the content of a variable is a number: "12", "2nd", "12-14", "L2", not "second".
func isNumeric(s string) bool {
	digit := false
	for i := 0; i < len(s); i++ {
		if s[i] >= '0' && s[i] <= '9' {
			digit = true
			break
		}
	}
	return digit && numericText.MatchString(s)
}

// numberToken is a number of a list such as "12-14, 17a", or what stands between.
type numberToken struct {
	text   string
	number int
	is     bool // a plain whole number
}

func splitNumbers(s string) []numberToken {
	var out []numberToken
	for i := 0; i < len(s); {
		j := i
		isDigit := s[i] >= '0' && s[i] <= '9'
		for j < len(s) && (s[j] >= '0' && s[j] <= '9') == isDigit {
			j++
		}
		t := numberToken{text: s[i:j]}
		if isDigit {
			n, err := strconv.Atoi(t.text)
			t.number, t.is = n, err == nil
		}
		out = append(out, t)
		i = j
	}
	return out
}

// numberVariables hold numbers, in which ranges and lists have a form of their own.
var numberVariables = makeSet(`chapter-number citation-number collection-number edition first-reference-note-number issue locator number
number-of-pages number-of-volumes page-first part-number printing-number section supplement-number version volume`)

// maxNumbers is the longest text that is read as a list of numbers.
const maxNumbers = 1000

var numberList = regexp.MustCompile(`^(?:[A-Za-z]{0,4}\.?\d[^\s,&–-]*|[ivxlcdmIVXLCDM]+)$`)

// numbers gives a list or range of numbers its proper form, and reports whether there are several: "3-4" is "3–4".
// What is not made of numbers throughout is left as it is.
func (c *context) numbers(s string) (string, bool) {
	if len(s) > maxNumbers {
		return s, false
	}
	if strings.IndexFunc(s, unicode.IsDigit) < 0 && !isRomanList(s) || strings.Contains(s, `\-`) {
		return strings.ReplaceAll(s, `\-`, "-"), false
	}
	var b strings.Builder
	count := 0
	rest := strings.TrimSpace(s)
	for {
		end := strings.IndexAny(rest, " ,&–-")
		word := rest
		if end >= 0 {
			word = rest[:end]
			if name := c.embeddedLabel(word); name != "" && rest[end] == ' ' {
				// "367-368, fig. 333": what follows counts something else, with a label of its own.
				tail, several := c.numbers(rest[end+1:])
				label, _ := c.locale.term(name, "short", several)
				b.WriteString(label + " " + tail)
				return b.String(), count > 1 || count == 0 && several
			}
		}
		if !numberList.MatchString(word) {
			return s, false
		}
		count++
		b.WriteString(word)
		if end < 0 {
			break
		}
		sep, size := c.separator(rest[end:])
		if size == 0 || end+size >= len(rest) {
			return s, false
		}
		b.WriteString(sep)
		rest = rest[end+size:]
	}
	return b.String(), count > 1
}

// embeddedLabel gives the locator that an abbreviation names: "fig." is figure.
func (c *context) embeddedLabel(word string) string {
	if len(word) < 2 || word[len(word)-1] != '.' {
		return ""
	}
	for name := range locatorTerms {
		if t, ok := c.locale.terms[termKey{name, "short"}]; ok && (t.single == word || t.multiple == word) {
			return name
		}
	}
	return ""
}

var locatorTerms = makeSet("page chapter figure volume folio section paragraph part note line column book issue verse table appendix opus sub-verbo")

// separator reads what stands between two numbers, and gives the form it should have.
func (c *context) separator(s string) (form string, size int) {
	trimmed := strings.TrimLeft(s, " ")
	lead := len(s) - len(trimmed)
	comma := false
	if rest, ok := strings.CutPrefix(trimmed, ","); ok {
		comma = true
		trimmed = strings.TrimLeft(rest, " ")
	}
	done := func(form, after string) (string, int) {
		after = strings.TrimLeft(after, " ")
		if comma && form != ", " {
			form = "," + form
		}
		return form, len(s) - len(after)
	}
	for _, dash := range []string{"--", "-", "–", "—"} {
		if rest, ok := strings.CutPrefix(trimmed, dash); ok && !comma {
			return done("–", rest)
		}
	}
	if rest, ok := strings.CutPrefix(trimmed, "&"); ok {
		and, found := c.locale.term("and", "symbol", false)
		if !found || and == "" || and == c.locale.or("and", "and") {
			and = "&"
		}
		return done(" "+and+" ", rest)
	}
	for _, and := range []string{c.locale.or("and", "and"), "and", "et", "y", "und"} {
		if rest, ok := strings.CutPrefix(trimmed, and+" "); ok && (lead > 0 || comma) {
			return done(" "+and+" ", rest)
		}
	}
	if comma {
		return done(", ", trimmed)
	}
	return "", 0
}

func isRomanList(s string) bool {
	return s != "" && strings.Trim(s, "ivxlcdmIVXLCDM-–,& ") == "" && strings.ContainsAny(s, "-–,&")
}

func (e *numberEl) eval(c *context) (*node, outcome) {
	v := c.variable(e.variable, "long")
	if v == "" {
		return nil, missing
	}
	if c.sort {
		return c.mem.text(sortableNumber(v)), important
	}
	var n *node
	if isNumeric(v) {
		n = c.mem.new(node{kids: c.mem.list(c.mem.text(c.formatNumber(e.variable, v, e.form)))})
	} else {
		v, _ = c.numbers(v)
		if first, rest, ok := strings.Cut(v, ", "); ok && isNumeric(first) {
			v = c.formatNumber(e.variable, first, e.form) + ", " + rest
		}
		n = c.mem.new(node{kids: c.mem.list(c.mem.text(v))})
	}
	if n.tag = TagNumber; e.variable == "locator" {
		n.tag = TagLocator
	}
	n.name = e.variable
	return c.finish(n, &e.look), important
}

// formatNumber writes a numeric value in the form asked for.
func (c *context) formatNumber(variable, v, form string) string {
	gender := c.locale.genders[numberTerm(variable)]
	var b strings.Builder
	tokens := splitNumbers(v)
	for i, t := range tokens {
		if t.is {
			alone := (i == 0 || !endsInLetter(tokens[i-1].text)) && (i+1 == len(tokens) || !startsWithLetter(tokens[i+1].text))
			b.WriteString(c.oneNumber(t, form, gender, alone))
			continue
		}
		b.WriteString(separator(t.text, i > 0 && i+1 < len(tokens)))
	}
	return b.String()
}

func endsInLetter(s string) bool {
	r := []rune(s)
	return len(r) > 0 && unicode.IsLetter(r[len(r)-1])
}

func startsWithLetter(s string) bool {
	for _, r := range s {
		return unicode.IsLetter(r)
	}
	return false
}

// separator gives what stands between two numbers its proper form: "1-3" has an en dash, "1,3" a space.
func separator(s string, between bool) string {
	if !between {
		return s
	}
	switch strings.TrimSpace(s) {
	case "-", "–", "--":
		return "–"
	case ",":
		return ", "
	case "&":
		return " & "
	}
	return s
}

func (c *context) oneNumber(t numberToken, form, gender string, alone bool) string {
	if !alone {
		return t.text
	}
	switch form {
	case "ordinal":
		return strconv.Itoa(t.number) + c.locale.ordinal(t.number, gender)
	case "long-ordinal":
		if w, ok := c.locale.longOrdinal(t.number, gender); ok {
			return w
		}
		return strconv.Itoa(t.number) + c.locale.ordinal(t.number, gender)
	case "roman":
		if r := roman(t.number); r != "" {
			return r
		}
	}
	return t.text
}

func roman(n int) string {
	if n <= 0 || n >= 4000 {
		return ""
	}
	var b strings.Builder
	for _, p := range []struct {
		v int
		s string
	}{{1000, "m"}, {900, "cm"}, {500, "d"}, {400, "cd"}, {100, "c"}, {90, "xc"}, {50, "l"}, {40, "xl"}, {10, "x"}, {9, "ix"}, {5, "v"}, {4, "iv"}, {1, "i"}} {
		for n >= p.v {
			b.WriteString(p.s)
			n -= p.v
		}
	}
	return b.String()
}

// sortableNumber pads the number that a value begins with, so that "9", "10-11" and "100" sort as they count.
func sortableNumber(s string) string {
	s = strings.TrimSpace(s)
	end := 0
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	if end == 0 {
		return s
	}
	digits := strings.TrimLeft(s[:end], "0")
	return strings.Repeat("0", max(0, 10-len(digits))) + digits + s[end:]
}

func padNumber(n int) string {
	s := strconv.Itoa(n)
	if len(s) < 10 {
		s = "0000000000"[:10-len(s)] + s
	}
	return s
}

// numberTerm is the term that names a number variable.
func numberTerm(variable string) string {
	switch variable {
	case "number-of-pages":
		return "page"
	case "number-of-volumes":
		return "volume"
	}
	return variable
}

// pageRange writes "1234-45" in the style's format.
func pageRange(s, format, delim string) string {
	if !strings.ContainsAny(s, "-–0123456789") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		j := strings.IndexAny(s[i:], ",;&")
		end := len(s)
		if j >= 0 {
			end = i + j
		}
		b.WriteString(oneRange(s[i:end], format, delim))
		if j < 0 {
			break
		}
		b.WriteByte(s[end])
		i = end + 1
	}
	return b.String()
}

var pagePair = regexp.MustCompile(`^(\s*)([\p{L}.:/]*?\d*?[\p{L}]*?)(\d+)\s*(?:-|–|—|--)\s*([\p{L}.:/]*?\d*?[\p{L}]*?)(\d+)(\s*)$`)

func oneRange(s, format, delim string) string {
	plain := func() string {
		out := strings.ReplaceAll(strings.ReplaceAll(s, "--", "-"), "–", "-")
		return strings.ReplaceAll(out, "-", delim)
	}
	m := pagePair.FindStringSubmatch(s)
	if m == nil {
		if strings.Contains(s, `\-`) {
			return strings.ReplaceAll(s, `\-`, "-")
		}
		if !strings.ContainsFunc(s, unicode.IsDigit) {
			return s
		}
		return plain()
	}
	prefix, first, prefix2, second := m[2], m[3], m[4], m[5]
	if format == "" {
		return plain()
	}
	if prefix != prefix2 {
		return m[1] + prefix + first + "-" + prefix2 + second + m[6]
	}
	full := second
	if len(second) < len(first) {
		full = first[:len(first)-len(second)] + second
	}
	a, errA := strconv.ParseUint(first, 10, 64)
	b, errB := strconv.ParseUint(full, 10, 64)
	if errA != nil || errB != nil || b <= a {
		return plain()
	}
	switch format {
	case "expanded":
		second, prefix2 = full, prefix
	case "minimal":
		second, prefix2 = minimal(first, full, 1), ""
	case "minimal-two":
		second, prefix2 = minimal(first, full, 2), ""
	case "chicago", "chicago-15":
		second, prefix2 = chicago(first, full, false), ""
	case "chicago-16":
		second, prefix2 = chicago(first, full, true), ""
	default:
		return plain()
	}
	return m[1] + prefix + first + delim + prefix2 + second + m[6]
}

// minimal keeps the digits of the second number that changed, and at least min of them.
func minimal(first, second string, min int) string {
	if len(first) != len(second) {
		return second
	}
	i := 0
	for i < len(second)-min && first[i] == second[i] {
		i++
	}
	return second[i:]
}

// chicago follows the manual: below 100 and at multiples of 100 all digits; 101 to 109 the changed part; from 110 two
// digits or more. The 15th edition gives all digits where three of four change.
func chicago(first, second string, sixteen bool) string {
	if len(first) != len(second) {
		return second
	}
	a, _ := strconv.Atoi(first)
	switch {
	case a < 100 || a%100 == 0:
		return second
	case a%100 < 10:
		return minimal(first, second, 1)
	}
	out := minimal(first, second, 2)
	if !sixteen && len(first) == 4 && len(out) == 3 {
		return second
	}
	return out
}
