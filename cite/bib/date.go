package bib

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ibid-dev/ibid"
	prose "github.com/ibid-dev/ibid/text"
)

var edtf = regexp.MustCompile(`^([+-]?[0-9]{1,6}|[0-9]{2}XX|[0-9]{3}X)(?:-([0-9]{1,2}|XX)(?:-([0-9]{1,2}|XX))?)?(?:T[0-9:.Z+-]*)?([?~%]?)$`)

// calendar is how a format counts years before the common era.
type calendar bool

// CSL, and most formats, have no year 0: -44 is 44 BC. BibLaTeX's dates are EDTF, whose years are those of astronomers: 0000
// is 1 BC, and -0043 is 44 BC.
const (
	historical   calendar = false
	astronomical calendar = true
)

// readDate reads a date in the forms of BibLaTeX: 2020, 2020-06, 2020-06-17, 2020/2021, 1990~, 2020-21 (spring), -0100; and as
// people write it: 17 June 2020. What is none of these is kept as a literal.
func readDate(s string, c calendar) ibid.Date {
	s = strings.TrimSpace(s)
	if s == "" {
		return ibid.Date{}
	}
	if d, ok := writtenDate(s); ok {
		return d
	}
	var d ibid.Date
	ends := strings.Split(s, "/")
	if len(ends) > 2 {
		return ibid.Date{Literal: s}
	}
	for i, end := range ends {
		end = strings.TrimSpace(end)
		if i == 1 && (end == "" || end == "..") { // open: as CSL says it, an end without a year
			d.Parts = append(d.Parts, ibid.DateParts{})
			continue
		}
		m := edtf.FindStringSubmatch(end)
		if m == nil || strings.Contains(m[1], "X") {
			return ibid.Date{Literal: s}
		}
		p, season, ok := dateParts(m[1], m[2], m[3], c)
		if !ok {
			return ibid.Date{Literal: s}
		}
		if season != "" && m[3] != "" {
			return ibid.Date{Literal: s}
		}
		if season != "" && len(ends) > 1 { // the ends of a range keep their seasons as months of 21 and up
			p.Month, season = atoi(m[2]), ""
		}
		d.Parts = append(d.Parts, p)
		d.Season = season
		d.Circa = d.Circa || m[4] != ""
	}
	return d
}

func dateParts(year, month, day string, c calendar) (p ibid.DateParts, season string, ok bool) {
	p.Year, _ = strconv.Atoi(year)
	p.Month, _ = strconv.Atoi(month)
	p.Day, _ = strconv.Atoi(day)
	if zero := p.Year == 0; c == astronomical && p.Year <= 0 && !(zero && (len(year) < 4 || month == "00")) { // 0000-00-00 is no date
		p.Year--
	}
	switch {
	case p.Month >= 21 && p.Month <= 24:
		season = strconv.Itoa(p.Month - 20)
		p.Month = 0
	case p.Month > 12, p.Day > 31, p.Month == 0 && p.Day != 0:
		return p, "", false
	}
	return p, season, p.Year != 0
}

// writeDate writes a date in the forms of BibLaTeX, and says whether it could.
func writeDate(d ibid.Date, c calendar) (string, bool) {
	if len(d.Parts) == 0 {
		return "", false
	}
	var ends []string
	for i, p := range d.Parts {
		s, ok := isoDate(p, c)
		if i == 1 && p == (ibid.DateParts{}) {
			ok = true
		}
		if !ok || i > 1 {
			return "", false
		}
		if d.Season != "" {
			n, err := strconv.Atoi(d.Season)
			if err != nil || n < 1 || n > 4 || p.Month != 0 || len(d.Parts) > 1 {
				return "", false
			}
			s += "-" + strconv.Itoa(20+n)
		}
		if d.Circa && s != "" {
			s += "~"
		}
		ends = append(ends, s)
	}
	return strings.Join(ends, "/"), true
}

func isoDate(p ibid.DateParts, c calendar) (string, bool) {
	season := p.Month >= 21 && p.Month <= 24 && p.Day == 0
	if p.Year == 0 || p.Month < 0 || p.Month > 12 && !season || p.Day < 0 || p.Day > 31 || p.Month == 0 && p.Day != 0 || p.Year > 999999 || p.Year < -999999 {
		return "", false
	}
	year := p.Year
	if c == astronomical && year < 0 {
		year++
	}
	s := fmt.Sprintf("%04d", year)
	if year < 0 {
		s = fmt.Sprintf("-%04d", -year)
	}
	if p.Month != 0 {
		s += fmt.Sprintf("-%02d", p.Month)
	}
	if p.Day != 0 {
		s += fmt.Sprintf("-%02d", p.Day)
	}
	return s, true
}

// settle gives a date the form that writers expect: parts where it was only given as it was written, and a season by its
// number. What is not of the calendar is taken out and named.
func settle(d ibid.Date) (ibid.Date, string) {
	if len(d.Parts) == 0 && d.Raw != "" {
		r := readDate(d.Raw, historical)
		if len(r.Parts) == 0 {
			r.Literal = first(d.Literal, d.Raw)
		}
		r.Circa = r.Circa || d.Circa && len(r.Parts) > 0
		return r, ""
	}
	d.Raw = ""
	if len(d.Parts) == 0 {
		if d.Season != "" {
			return ibid.Date{Literal: d.Literal}, "a season without a year"
		}
		return d, ""
	}
	lost := ""
	d.Parts = slices.Clone(d.Parts[:min(len(d.Parts), 2)])
	for i, p := range d.Parts {
		if _, ok := isoDate(p, historical); !ok && !(i == 1 && p == (ibid.DateParts{})) {
			lost = "not a date of the calendar"
			d.Parts[i] = ibid.DateParts{Year: p.Year}
		}
	}
	if p := &d.Parts[0]; len(d.Parts) == 1 && p.Month > 12 {
		d.Season, p.Month = strconv.Itoa(p.Month-20), 0
	}
	if d.Season != "" {
		n, ok := seasonNames[strings.ToLower(d.Season)]
		if !ok && len(d.Season) == 1 && d.Season >= "1" && d.Season <= "4" {
			n, ok = d.Season, true
		}
		if !ok || len(d.Parts) > 1 || d.Parts[0].Month != 0 {
			lost, n = "season "+d.Season, ""
		}
		d.Season = n
	}
	if d.Parts[0].Year == 0 {
		return ibid.Date{Literal: d.Literal}, "not a date of the calendar"
	}
	return d, lost
}

var monthNames = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}

var seasonNames = map[string]string{"spring": "1", "summer": "2", "autumn": "3", "fall": "3", "winter": "4"}

// readMonth reads a month by number, or by name in the languages that text.Month knows.
func readMonth(s string) int {
	s = strings.Trim(s, " .~")
	if n, err := strconv.Atoi(s); err == nil && n >= 1 && n <= 12 {
		return n
	}
	return prose.Month(s)
}

var fullMonths = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}

var dayAndMonth = regexp.MustCompile(`^([0-9]{1,2})[.~\x{a0} ]+(?:de )?([\p{L}\p{M}]+)\.?$|^([\p{L}\p{M}]+)\.?[~\x{a0} ]+([0-9]{1,2})$`)

// yearMonth reads the date of BibTeX, whose month may hold a day, a range or a season.
func yearMonth(year, month, day string) ibid.Date {
	year = strings.TrimSpace(year)
	if year == "" {
		return ibid.Date{}
	}
	d := readDate(year, historical)
	if len(d.Parts) != 1 || d.Parts[0].Month != 0 || d.Season != "" {
		return d
	}
	month = strings.TrimSpace(month)
	p := &d.Parts[0]
	if s, ok := seasonNames[strings.ToLower(month)]; ok {
		d.Season = s
		return d
	}
	if from, to, ok := monthRange(p.Year, month); ok {
		d.Parts = []ibid.DateParts{from, to}
		return d
	}
	p.Month, p.Day = monthAndDay(month)
	if n := atoi(strings.TrimSpace(day)); p.Month != 0 && p.Day == 0 && n >= 1 && n <= 31 {
		p.Day = n
	}
	return d
}

var (
	beforeYear = regexp.MustCompile(`^(.*\p{L}.*?),?[ \x{a0}]([0-9]{4})$`)
	ordinal    = regexp.MustCompile(`([0-9])(?:st|nd|rd|th)\b`)
)

// writtenDate reads "June 2020", "17 June 2020", "June 17th, 2020", "10–15 June 2020" and "Spring 2020".
func writtenDate(s string) (ibid.Date, bool) {
	m := beforeYear.FindStringSubmatch(ordinal.ReplaceAllString(s, "$1"))
	if m == nil {
		return ibid.Date{}, false
	}
	d := yearMonth(m[2], strings.TrimSuffix(m[1], " de"), "")
	return d, hasMonth(d)
}

// monthAndDay reads "June", "17 June" and "June 17", and gives zeros for what is none of them.
func monthAndDay(s string) (month, day int) {
	m := dayAndMonth.FindStringSubmatch(s)
	if m == nil {
		return readMonth(s), 0
	}
	month, day = readMonth(m[2]+m[3]), atoi(m[1]+m[4])
	if month == 0 || day < 1 || day > 31 {
		return 0, 0
	}
	return month, day
}

var laterYear = regexp.MustCompile(`^([0-9]{4}) +(.+)$`)

// monthRange reads "June--July" and, as conferences are dated, "10--15 June", "June 10--15" and "30 June--2 July"; of PubMed also
// "Dec-2021 Jan".
func monthRange(year int, s string) (from, to ibid.DateParts, ok bool) {
	one, other, ok := cutRange(s)
	if !ok {
		return from, to, false
	}
	one, other = strings.TrimSpace(one), strings.TrimSpace(other)
	from.Year, to.Year = year, year
	if m := laterYear.FindStringSubmatch(other); m != nil {
		to.Year, other = atoi(m[1]), m[2]
	}
	from.Month, from.Day = monthAndDay(one)
	to.Month, to.Day = monthAndDay(other)
	switch n := atoi(one); { // a number beside a day is a day of the same month
	case to.Day != 0 && n >= 1 && n <= 31:
		from.Month, from.Day = to.Month, n
	case from.Day != 0 && atoi(other) >= 1 && atoi(other) <= 31:
		to.Month, to.Day = from.Month, atoi(other)
	}
	return from, to, from.Month != 0 && to.Month != 0 && (from.Day == 0) == (to.Day == 0)
}

func cutRange(s string) (from, to string, ok bool) {
	for _, sep := range []string{"--", "–", "/", "-"} {
		if from, to, ok = strings.Cut(s, sep); ok {
			return from, to, true
		}
	}
	return "", "", false
}

func itoa(n int) string { return strconv.Itoa(n) }

func atoi(s string) int { n, _ := strconv.Atoi(s); return n }
