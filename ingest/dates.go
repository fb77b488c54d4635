package ingest

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/text"
)

// monthName is a word that may be a month's name.
const monthName = `([\p{L}\p{M}]{3,16})`

var (
	isoDate  = regexp.MustCompile(`^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?(?:[T ].*)?$`)
	compact  = regexp.MustCompile(`^(?:D:)?(\d{4})(\d{2})(\d{2})\d*`)
	seconds  = regexp.MustCompile(`^(?:\d{10}|\d{13})$`) // since 1970, or their thousandths
	dayFirst = regexp.MustCompile(`(?i)\b(\d{1,2})(?:st|nd|rd|th|er|\.)?[ºª°]?\s+(?:(?:of|de|del)\s+)?` + monthName + `\.?,?\s+(?:(?:de|del)\s+)?(\d{4})\b`)
	monFirst = regexp.MustCompile(`(?i)(?:^|\PL)` + monthName + `\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(?:(?:de|del)\s+)?(\d{4})\b`)
	monYear  = regexp.MustCompile(`(?i)^` + monthName + `\.?,?\s+(?:(?:de|del)\s+)?(\d{4})(?:\s?[rг]\.?)?$`)
	eastern  = regexp.MustCompile(`(\d{4})\s?年\s?(\d{1,2})\s?月(?:\s?(\d{1,2})\s?日)?`)
)

// parseDate reads a date as it stands in metadata, with the months of the languages that text.Month knows. It never guesses:
// 03/04/2020 may be March or April and gives the year alone; what has no year gives nothing.
func parseDate(s string) ibid.Date {
	s = collapse(s)
	if s == "" || len(s) > 100 {
		return ibid.Date{}
	}
	if m := isoDate.FindStringSubmatch(s); m != nil {
		return dateOf(m[1], m[2], m[3])
	}
	if m := compact.FindStringSubmatch(s); m != nil && !seconds.MatchString(s) {
		return dateOf(m[1], m[2], m[3])
	}
	if m := dayFirst.FindStringSubmatch(s); m != nil && text.Month(m[2]) > 0 {
		return dateOf(m[3], strconv.Itoa(text.Month(m[2])), m[1])
	}
	if m := monFirst.FindStringSubmatch(s); m != nil && text.Month(m[1]) > 0 {
		return dateOf(m[3], strconv.Itoa(text.Month(m[1])), m[2])
	}
	if m := monYear.FindStringSubmatch(s); m != nil && text.Month(m[1]) > 0 {
		return dateOf(m[2], strconv.Itoa(text.Month(m[1])), "")
	}
	if m := eastern.FindStringSubmatch(s); m != nil {
		return dateOf(m[1], m[2], m[3])
	}
	if m := slashDate.FindStringSubmatch(s); m != nil {
		return slashed(m)
	}
	return ibid.Date{}
}

var slashDate = regexp.MustCompile(`^(\d{1,2})[/.](\d{1,2})[/.](\d{4})$`)

// slashed reads 31/12/2020, 12/31/2020 and 31.12.2020 where only one reading is possible.
func slashed(m []string) ibid.Date {
	a, _ := strconv.Atoi(m[1])
	b, _ := strconv.Atoi(m[2])
	switch {
	case a > 12 || strings.Contains(m[0], "."):
		return dateOf(m[3], m[2], m[1])
	case b > 12:
		return dateOf(m[3], m[1], m[2])
	}
	return dateOf(m[3], "", "")
}

func dateOf(year, month, day string) ibid.Date {
	y, _ := strconv.Atoi(year)
	m, _ := strconv.Atoi(month)
	d, _ := strconv.Atoi(day)
	if y < 1000 || y > 2199 {
		return ibid.Date{}
	}
	if m < 1 || m > 12 {
		return ibid.NewDate(y)
	}
	if d < 1 || d > time.Date(y, time.Month(m+1), 0, 0, 0, 0, 0, time.UTC).Day() { // no 31st of June
		return ibid.NewDate(y, m)
	}
	return ibid.NewDate(y, m, d)
}
