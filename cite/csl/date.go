package csl

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/ibid-dev/ibid"
	prose "github.com/ibid-dev/ibid/text"
)

// date is a date made ready for rendering: one day, or a range.
type date struct {
	from, to dateParts
	ranged   bool
	open     bool // a range without an end
	circa    bool
	literal  string
}

type dateParts struct {
	year, month, day, season int
	hasYear                  bool
}

func (p dateParts) empty() bool { return !p.hasYear && p.month == 0 && p.day == 0 && p.season == 0 }

// makeDate reads a date leniently. What makes no sense as a date is used as it stands.
func makeDate(d ibid.Date) *date {
	out := &date{circa: d.Circa, literal: d.Literal}
	if len(d.Parts) == 0 && d.Raw != "" {
		parsed := parseRawDate(d.Raw)
		parsed.circa = parsed.circa || d.Circa
		return parsed
	}
	for i, p := range d.Parts {
		if i > 1 {
			break
		}
		part := cleanParts(p)
		if i == 0 {
			out.from = part
		} else if !part.empty() {
			out.to, out.ranged = part, true
		} else {
			out.ranged, out.open = true, true
		}
	}
	if d.Season != "" {
		if n, err := strconv.Atoi(d.Season); err == nil && n >= 1 && n <= 4 {
			out.from.season = n
		} else if n := seasonNamed(d.Season); n > 0 {
			out.from.season = n
		}
	}
	if out.from.empty() && out.literal == "" {
		if d.Raw != "" {
			return parseRawDate(d.Raw)
		}
		return nil
	}
	return out
}

// cleanParts drops months and days that no calendar has; seasons may be written as months 13 to 24.
func cleanParts(p ibid.DateParts) dateParts {
	out := dateParts{year: p.Year, month: p.Month, day: p.Day, hasYear: p.Year != 0}
	switch {
	case p.Month >= 13 && p.Month <= 16:
		out.month, out.season = 0, p.Month-12
	case p.Month >= 17 && p.Month <= 20:
		out.month, out.season = 0, p.Month-16
	case p.Month >= 21 && p.Month <= 24:
		out.month, out.season = 0, p.Month-20
	case p.Month < 0 || p.Month > 24:
		out.month = 0
	}
	if p.Day < 1 || p.Day > 31 || out.month == 0 {
		out.day = 0
	}
	return out
}

// faithful reports whether the date holds all that was given.
func (d *date) faithful(given ibid.Date) bool {
	if len(given.Parts) == 0 {
		return true
	}
	p := given.Parts[0]
	return d.from.year == p.Year && (d.from.month == p.Month || d.from.season > 0) && d.from.day == p.Day && len(given.Parts) <= 2
}

func seasonNamed(s string) int {
	s = strings.ToLower(s)
	for i, names := range [][]string{{"spring"}, {"summer"}, {"autumn", "fall"}, {"winter"}} {
		for _, n := range names {
			if strings.HasPrefix(s, n) {
				return i + 1
			}
		}
	}
	return 0
}

// parseRawDate reads EDTF ("2004-06/2006", "1984~", "2001-21", "2010/..") and dates as people write them.
func parseRawDate(raw string) *date {
	s := strings.TrimSpace(raw)
	out := &date{}
	fail := &date{literal: s}
	if m := decade.FindStringSubmatch(s); m != nil {
		fail.literal = m[1] + strings.Repeat("0", len(m[2])) + "s"
		return fail
	}
	if first, second, ok := splitRange(s); ok {
		first, second = fillRange(first, second)
		out.ranged = true
		var circa bool
		if out.from, circa, ok = parseDay(first); !ok {
			return fail
		}
		out.circa = circa
		if second == "" || second == ".." {
			out.open = true
			return out
		}
		if out.to, _, ok = parseDay(second); !ok {
			return fail
		}
		if !out.to.hasYear {
			out.to.year, out.to.hasYear = out.from.year, out.from.hasYear
		}
		if !out.from.hasYear {
			out.from.year, out.from.hasYear = out.to.year, out.to.hasYear
		}
		if out.to.year < out.from.year {
			return fail // "2004–03": not what it looks like
		}
		return out
	}
	var ok bool
	if out.from, out.circa, ok = parseDay(s); !ok {
		return fail
	}
	return out
}

// decade is a year of EDTF whose last digits are not known: "199X", "19XX".
var decade = regexp.MustCompile(`^([0-9]{2,3})(X{1,2})$`)

func splitRange(s string) (first, second string, ok bool) {
	for _, sep := range []string{" - ", " – ", "–", "--"} {
		if a, b, found := strings.Cut(s, sep); found && a != "" {
			return strings.TrimSpace(a), strings.TrimSpace(b), true
		}
	}
	if a, b, found := strings.Cut(s, "/"); found && !strings.Contains(b, "/") {
		return a, b, (len(a) >= 4 || b == "..") && !(fourDigits.MatchString(a) && isMonth(b))
	}
	if a, b, found := strings.Cut(s, "-"); found && !strings.Contains(b, "-") {
		return a, b, fourDigits.MatchString(a) && (fourDigits.MatchString(b) || len(b) == 2 && b > "24" || nextCentury(a, b)) || strings.ContainsFunc(s, unicode.IsLetter)
	}
	return "", "", false
}

var (
	fourDigits = regexp.MustCompile(`^\d{4}$`)
	dayOfMonth = regexp.MustCompile(`^\d{1,2}(?:st|nd|rd|th)?\.?\s+(\p{L}.*)$`)
	monthOfDay = regexp.MustCompile(`^(\p{L}+\.?)\s+\d{1,2}(?:st|nd|rd|th)?$`)
	bareDay    = regexp.MustCompile(`^\d{1,2}(?:st|nd|rd|th)?\.?$`)
	leadingDay = regexp.MustCompile(`^\d{1,2}(?:st|nd|rd|th)?(?:,?\s+\d{4})?$`)
	shortEnd   = regexp.MustCompile(`^\d\d(?:-\d\d)?$`)
	isoDate    = regexp.MustCompile(`^\d{4}(?:-\d\d){0,2}$`)
)

func isMonth(s string) bool {
	n, err := strconv.Atoi(s)
	return err == nil && n >= 1 && n <= 12
}

// fillRange says in full what one end of a range leaves to the other: the month in "12–15 May 2004" and "May 12–15, 2004", the
// century in "1998–99", year and month in "2004-06-05/10".
func fillRange(first, second string) (string, string) {
	if m := dayOfMonth.FindStringSubmatch(second); m != nil && bareDay.MatchString(first) {
		return strings.TrimRight(first, ".") + " " + m[1], second
	}
	if m := monthOfDay.FindStringSubmatch(first); m != nil && leadingDay.MatchString(second) {
		return first, m[1] + " " + second
	}
	if !isoDate.MatchString(first) || !shortEnd.MatchString(second) || len(second) >= len(first) {
		return first, second
	}
	if nextCentury(first, second) {
		year, _ := strconv.Atoi(first)
		return first, strconv.Itoa(year + 1)
	}
	return first, first[:len(first)-len(second)] + second
}

// nextCentury reports whether two years are written as "1999–00".
func nextCentury(first, second string) bool {
	return fourDigits.MatchString(first) && strings.HasSuffix(first, "99") && second == "00"
}

func parseDay(s string) (p dateParts, circa, ok bool) {
	s = strings.TrimSpace(s)
	for _, mark := range []string{"circa ", "ca. ", "ca ", "c. "} {
		if rest, found := strings.CutPrefix(strings.ToLower(s), mark); found {
			s, circa = rest, true
		}
	}
	for strings.HasSuffix(s, "~") || strings.HasSuffix(s, "?") || strings.HasSuffix(s, "%") {
		s, circa = s[:len(s)-1], true
	}
	if len(s) > 10 && (s[10] == 'T' || s[10] == ' ') && isoDate.MatchString(s[:10]) {
		s = s[:10] // a time follows
	}
	if p, ok = parseISO(s); ok {
		return p, circa, true
	}
	p, ok = parseWords(s)
	return p, circa, ok
}

func parseISO(s string) (p dateParts, ok bool) {
	body := strings.TrimPrefix(s, "y")
	negative := strings.HasPrefix(body, "-")
	body = strings.TrimPrefix(body, "-")
	sep := "-"
	if strings.Contains(body, "/") {
		sep = "/"
	}
	var n [3]int
	parts := strings.Split(body, sep)
	if len(parts) > 3 {
		return p, false
	}
	for i, part := range parts {
		v, err := strconv.Atoi(strings.NewReplacer("X", "0", "x", "0", "u", "0").Replace(part))
		if err != nil || v < 0 {
			return p, false
		}
		n[i] = v
	}
	last := parts[len(parts)-1]
	switch {
	case len(parts) == 1 || len(parts[0]) > 2:
	case sep == "-" || len(last) < 3:
		return p, false // no telling which one is the year
	case len(parts) == 2:
		n[0], n[1] = n[1], n[0] // month/year
	default:
		n[0], n[1], n[2] = n[2], n[0], n[1] // month/day/year
	}
	if negative {
		n[0] = -n[0]
	}
	return cleanParts(ibid.DateParts{Year: n[0], Month: n[1], Day: n[2]}), true
}

func parseWords(s string) (p dateParts, ok bool) {
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == '.' }) {
		n, err := strconv.Atoi(strings.TrimRight(w, "stndrh"))
		switch {
		case err == nil && n > 31:
			p.year, p.hasYear = n, true
		case err == nil && p.day == 0 && n > 0:
			p.day = n
		case prose.Month(w) > 0:
			p.month = prose.Month(w)
		case seasonNamed(w) > 0:
			p.season = seasonNamed(w)
		case w == "de" || w == "del": // 5 de agosto de 1858
		default:
			return dateParts{}, false
		}
	}
	if p.month == 0 {
		p.day = 0
	}
	return p, p.hasYear || p.month > 0 || p.season > 0
}

// sortKey gives a date a string that sorts as the date does.
func (d *date) sortKey(show string) string {
	if d == nil {
		return ""
	}
	if d.from.empty() {
		return d.literal
	}
	one := func(p dateParts) string {
		month, day := p.month, p.day
		if p.season > 0 {
			month = p.season * 3
		}
		if show == "year" || show == "year-month" {
			day = 0
		}
		if show == "year" {
			month = 0
		}
		return fmt.Sprintf("%05d%02d%02d", p.year+20000, month, day)
	}
	if d.ranged && !d.open {
		return one(d.from) + "–" + one(d.to)
	}
	return one(d.from)
}

func (e *dateEl) eval(c *context) (*node, outcome) {
	d := c.date(e.variable)
	if d == nil || c.looking && e.variable == "accessed" {
		return nil, missing // when cites are compared, the day of access tells nothing
	}
	if d.from.empty() {
		if len(e.parts) > 0 && !slices.ContainsFunc(e.parts, func(p datePart) bool { return p.name == "year" }) {
			return nil, missing // the month and day of what stands as it is have been said with the year
		}
		n := c.finish(c.rich(d.literal), &e.look)
		n.tag, n.name = TagDate, e.variable
		return n, important
	}
	parts, delim := e.resolve(c.locale)
	if c.sort {
		return c.mem.text(d.sortKey(showOf(parts))), important
	}
	n := c.datesNode(d, parts, delim, e.variable)
	if n == nil {
		return nil, missing
	}
	n.tag, n.name = TagDate, e.variable
	applyCase(n, e.textCase, c.english(), c.locale.Lang)
	return c.mem.dress(n, &e.look), important
}

func showOf(parts []datePart) string {
	show := "year"
	for _, p := range parts {
		switch p.name {
		case "day":
			return "year-month-day"
		case "month":
			show = "year-month"
		}
	}
	return show
}

// resolve gives the parts to show, from the style or, for a localized date, from the locale with the style's changes.
func (e *dateEl) resolve(l *Locale) ([]datePart, string) {
	if e.form == "" {
		return e.parts, e.delimiter
	}
	local := l.dates[e.form]
	if local == nil {
		return nil, ""
	}
	var parts []datePart
	for _, p := range local.parts {
		if p.name == "day" && (e.show == "year" || e.show == "year-month") || p.name == "month" && e.show == "year" {
			continue
		}
		if o, ok := e.partsOver[p.name]; ok {
			if o.form != "" {
				p.form = o.form
			}
			if o.format != nil {
				p.format = o.format
			}
			if o.textCase != "" {
				p.textCase = o.textCase
			}
			if o.stripPeriods {
				p.stripPeriods = true
			}
			if o.hasPrefix {
				p.prefix = o.prefix
			}
			if o.hasSuffix {
				p.suffix = o.suffix
			}
			p.rangeDelimiter = o.rangeDelimiter
		}
		parts = append(parts, p)
	}
	return parts, local.delimiter
}

// datesNode renders a date or a range. In a range only the parts that differ are given twice.
func (c *context) datesNode(d *date, parts []datePart, delim, variable string) *node {
	if !d.ranged || d.open {
		n := c.joinParts(c.partNodes(d.from, parts, variable, true), delim)
		if d.open && n != nil {
			n.suffix = "–"
		}
		return n
	}
	level := d.differing(parts)
	if level == 0 {
		return c.joinParts(c.partNodes(d.from, parts, variable, true), delim)
	}
	first, last := -1, -1
	rangeDelim := "–"
	for i, p := range parts {
		if rank(p.name) >= level {
			if first < 0 {
				first = i
			}
			last = i
			if rank(p.name) == level {
				rangeDelim = p.rangeDelimiter
			}
		}
	}
	block := parts[first : last+1]
	a := c.partNodes(d.from, block, variable, last == len(parts)-1 && first == 0)
	b := c.partNodes(d.to, block, variable, last == len(parts)-1)
	if len(a) > 0 {
		a[len(a)-1].suffix = ""
	}
	if len(b) > 0 && len(a) > 0 {
		b[0].prefix = ""
	}
	var kids []*node
	kids = append(kids, c.partNodes(d.from, parts[:first], variable, true)...)
	middle := c.mem.new(node{delim: rangeDelim})
	for _, list := range [][]*node{a, b} {
		if n := c.joinParts(list, delim); n != nil {
			middle.kids = append(middle.kids, n)
		}
	}
	if len(middle.kids) > 0 {
		kids = append(kids, middle)
	}
	kids = append(kids, c.partNodes(d.to, parts[last+1:], variable, true)...)
	return c.joinParts(kids, delim)
}

func (c *context) joinParts(kids []*node, delim string) *node {
	if len(kids) == 0 {
		return nil
	}
	return c.mem.new(node{kids: kids, delim: delim})
}

func rank(part string) int {
	switch part {
	case "year":
		return 1
	case "month":
		return 2
	}
	return 3
}

// differing gives the rank of the largest part shown in which the ends of a range differ, 0 where none does.
func (d *date) differing(parts []datePart) int {
	shown := map[int]bool{}
	for _, p := range parts {
		shown[rank(p.name)] = true
	}
	switch {
	case shown[1] && d.from.year != d.to.year:
		return 1
	case shown[2] && (d.from.month != d.to.month || d.from.season != d.to.season):
		return 2
	case shown[3] && d.from.day != d.to.day:
		return 3
	}
	return 0
}

func (c *context) partNodes(p dateParts, parts []datePart, variable string, suffix bool) []*node {
	var kids []*node
	for i := range parts {
		part := &parts[i]
		var n *node
		switch part.name {
		case "year":
			n = c.yearNode(p, part, variable, suffix)
		case "month":
			if s := c.monthText(p, part); s != "" {
				n = c.mem.text(s)
			}
		case "day":
			if s := c.dayText(p, part); s != "" {
				n = c.mem.text(s)
			}
		}
		if n == nil {
			continue
		}
		if part.stripPeriods {
			stripPeriods(n)
		}
		applyCase(n, part.textCase, c.english(), c.locale.Lang)
		kids = append(kids, c.mem.new(node{kids: c.mem.list(n), format: part.format, prefix: part.prefix, suffix: part.suffix}))
	}
	return kids
}

func (c *context) yearNode(p dateParts, part *datePart, variable string, suffix bool) *node {
	if !p.hasYear {
		return nil
	}
	year := p.year
	text := ""
	switch {
	case year < 0:
		bc, _ := c.locale.term("bc", "long", false)
		text = strconv.Itoa(-year) + bc
	case part.form == "short" && year >= 100:
		text = fmt.Sprintf("%02d", year%100)
	case year < 1000:
		ad, _ := c.locale.term("ad", "long", false)
		text = strconv.Itoa(year) + ad
	default:
		text = strconv.Itoa(year)
	}
	n := c.mem.new(node{kids: c.mem.list(c.mem.text(text)), tag: TagYear})
	if suffix && c.firstYear == nil && variable != "accessed" {
		c.firstYear = n
	}
	return n
}

func (c *context) monthText(p dateParts, part *datePart) string {
	form := orElse(part.form, "long")
	if p.month == 0 {
		if p.season == 0 {
			return ""
		}
		t, _ := c.locale.term(fmt.Sprintf("season-%02d", p.season), "long", false)
		return t
	}
	switch form {
	case "numeric":
		return strconv.Itoa(p.month)
	case "numeric-leading-zeros":
		return fmt.Sprintf("%02d", p.month)
	}
	t, _ := c.locale.term(fmt.Sprintf("month-%02d", p.month), form, false)
	return t
}

func (c *context) dayText(p dateParts, part *datePart) string {
	if p.day == 0 {
		return ""
	}
	switch part.form {
	case "numeric-leading-zeros":
		return fmt.Sprintf("%02d", p.day)
	case "ordinal":
		if c.locale.limitOrdinals != nil && *c.locale.limitOrdinals && p.day > 1 {
			return strconv.Itoa(p.day)
		}
		return strconv.Itoa(p.day) + c.locale.ordinal(p.day, c.locale.genders[fmt.Sprintf("month-%02d", p.month)])
	}
	return strconv.Itoa(p.day)
}
