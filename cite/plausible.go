package cite

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/internal/wording"
)

// Findings say what in a citation looks wrong beyond its form: identifiers that fail their check, names and dates that
// cannot be. Year is today's; 0 leaves the future open.
func (c Citation) Findings(year int) []string {
	var out []string
	add := func(err error) {
		if err != nil {
			out = append(out, wording.Of(err))
		}
	}
	if looksLikeISBN(c.Source) {
		_, err := ParseISBN(c.Source)
		add(err)
	}
	for _, id := range identifierFields {
		if s := c.meta(id.key); s != "" {
			add(id.check(s))
		}
	}
	for _, name := range splitAuthors(c.Metadata["author"]) {
		add(PlausibleName(name))
	}
	add(plausibleYear("year", c.meta("year"), year))
	add(plausibleISODate("publication_date", c.meta("publication_date"), year))
	add(plausibleISODate("accessed_date", c.meta("accessed_date"), year))
	return out
}

var identifierFields = []struct {
	key   string
	check func(string) error
}{
	{"doi", failure(ParseDOI)}, {"isbn", failure(ParseISBN)}, {"issn", failure(ParseISSN)}, {"orcid", failure(ParseORCID)},
	{"arxiv", func(s string) error { _, err := ParseArXiv(s); return err }},
	{"pmid", failure(ParsePMID)}, {"pmcid", failure(ParsePMCID)},
}

func failure(parse func(string) (string, error)) func(string) error {
	return func(s string) error { _, err := parse(s); return err }
}

// CheckReferences says of each of the records what looks wrong in it, and which other is of the same work.
func CheckReferences(refs []ibid.Reference, year int) [][]string {
	out := make([][]string, len(refs))
	at := map[string]int{}
	for i, r := range refs {
		out[i] = append([]string{}, CheckReference(r, year)...)
		at[r.ID] = i
	}
	for _, w := range Deduplicate(References(refs)) {
		for _, why := range w.Reasons {
			i := at[w.Copies[why.Copy].Reference.ID]
			out[i] = append(out[i], fmt.Sprintf("the same work as %s: %s", w.Copies[why.With].Reference.ID, why.Why))
		}
	}
	return out
}

// CheckReference says what looks wrong in a bibliographic record. Year is today's; 0 leaves the future open.
func CheckReference(r ibid.Reference, year int) []string {
	var out []string
	add := func(err error) {
		if err != nil {
			out = append(out, wording.Of(err))
		}
	}
	for _, id := range []struct {
		variable string
		check    func(string) error
	}{
		{"DOI", failure(ParseDOI)}, {"ISBN", each(failure(ParseISBN))}, {"ISSN", each(failure(ParseISSN))},
		{"PMID", failure(ParsePMID)}, {"PMCID", failure(ParsePMCID)},
	} {
		if s := strings.TrimSpace(r.Text[id.variable]); s != "" {
			add(id.check(s))
		}
	}
	for _, variable := range []string{"author", "editor", "translator"} {
		for _, n := range r.Names[variable] {
			if n.Literal == "" {
				add(PlausibleName(n.String()))
			}
		}
	}
	for _, variable := range slices.Sorted(maps.Keys(r.Dates)) {
		add(PlausibleDate(variable, r.Dates[variable], year))
	}
	return out
}

// each checks the identifiers of a field that may hold several, as ISSN of print and web do.
func each(check func(string) error) func(string) error {
	return func(s string) error {
		if check(s) == nil {
			return nil
		}
		for _, one := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ';' || r == '/' || r == ' ' }) {
			if err := check(one); err != nil {
				return err
			}
		}
		return nil
	}
}

var notAName = regexp.MustCompile(`(?i)^(?:unknown|anonymous author|n/?a|none|null|undefined|admin|author|test|tbd|\?+)$`)

// PlausibleName returns an error where a text is hardly the name of a person or an institution.
func PlausibleName(name string) error {
	name = strings.TrimSpace(name)
	bad := func(why string) error { return badID("author", name, why) }
	letters, digits := 0, 0
	for _, r := range name {
		switch {
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r):
			digits++
		}
	}
	switch {
	case letters == 0:
		return bad("a name without letters")
	case notAName.MatchString(name):
		return bad("stands for no name")
	case isWeb(name) || strings.Contains(name, "@"):
		return bad("an address, not a name")
	case digits > letters:
		return bad("more digits than letters")
	case strings.ContainsRune(name, unicode.ReplacementChar) || strings.Contains(name, "Ã©") || strings.Contains(name, "Ã¼"):
		return bad("letters lost to a wrong character set")
	case len(name) > 300:
		return bad("too long for a name")
	}
	return nil
}

// splitAuthors takes authors apart that stand in one text, as far as this is certain.
func splitAuthors(v any) []string {
	if list, ok := v.([]any); ok {
		var out []string
		for _, x := range list {
			if s := metaText(x); s != "" {
				out = append(out, s)
			}
		}
		return out
	}
	var out []string
	for part := range strings.SplitSeq(metaText(v), ";") {
		for name := range strings.SplitSeq(part, " and ") {
			name = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(name), "et al."))
			if name = strings.Trim(name, " ,"); name != "" {
				out = append(out, name)
			}
		}
	}
	return out
}

// PlausibleDate returns an error where a date does not exist, ends before it begins, or lies after the year.
func PlausibleDate(what string, d ibid.Date, year int) error {
	for _, written := range []string{d.Raw, d.Literal} { // what no calendar has is kept as it is written
		if len(d.Parts) == 0 && isoForm.MatchString(written) {
			return plausibleISODate(what, written, year)
		}
	}
	for _, p := range d.Parts {
		if err := plausibleParts(what, p, year); err != nil {
			return err
		}
	}
	if len(d.Parts) == 2 && before(d.Parts[1], d.Parts[0]) {
		return fmt.Errorf("%s: ends in %d before it begins in %d: %w", what, d.Parts[1].Year, d.Parts[0].Year, ibid.ErrInvalid)
	}
	return nil
}

func before(a, b ibid.DateParts) bool {
	if a.Year != b.Year {
		return a.Year != 0 && a.Year < b.Year
	}
	if a.Month != b.Month {
		return a.Month != 0 && a.Month < b.Month
	}
	return a.Day != 0 && a.Day < b.Day
}

func plausibleParts(what string, p ibid.DateParts, year int) error {
	text := fmt.Sprintf("%d-%02d-%02d", p.Year, p.Month, p.Day)
	switch {
	case p.Month < 0 || p.Month > 12 && (p.Month < 21 || p.Month > 24):
		return fmt.Errorf("%s %s: there is no month %d: %w", what, text, p.Month, ibid.ErrInvalid)
	case p.Day < 0 || p.Month >= 1 && p.Month <= 12 && p.Day > daysIn(p.Year, p.Month) || p.Day > 31:
		return fmt.Errorf("%s %s: that month has no day %d: %w", what, text, p.Day, ibid.ErrInvalid)
	case year != 0 && p.Year > year+1:
		return fmt.Errorf("%s %d: lies in the future: %w", what, p.Year, ibid.ErrInvalid)
	}
	return nil
}

func daysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

var (
	yearForm = regexp.MustCompile(`^(?:c(?:a|irca)?\.?\s*)?-?[0-9]{1,4}[a-z]?(?:\s?(?:BCE?|CE|AD))?(?:\s*[-–/]\s*[0-9]{2,4})?$`)
	isoForm  = regexp.MustCompile(`^([0-9]{4})(?:-([0-9]{1,2})(?:-([0-9]{1,2}))?)?(?:[T ].*)?$`)
)

func plausibleYear(what, s string, year int) error {
	if s == "" {
		return nil
	}
	var n int
	switch low := strings.ToLower(s); {
	case low == "n.d." || low == "in press" || low == "forthcoming":
		return nil
	case !yearForm.MatchString(s):
		return fmt.Errorf("%s %q: not a year: %w", what, clip(s), ibid.ErrInvalid)
	}
	if _, err := fmt.Sscanf(s, "%d", &n); err == nil && year != 0 && n > year+1 {
		return fmt.Errorf("%s %d: lies in the future: %w", what, n, ibid.ErrInvalid)
	}
	return nil
}

func plausibleISODate(what, s string, year int) error {
	if s == "" {
		return nil
	}
	p, ok := isoParts(s)
	if !ok {
		return fmt.Errorf("%s %q: expected a date like 2024-01-15: %w", what, clip(s), ibid.ErrInvalid)
	}
	return plausibleParts(what, p, year)
}

// isoParts reads 2024, 2024-01 and 2024-01-15, and leaves a time of the day behind it out.
func isoParts(s string) (p ibid.DateParts, ok bool) {
	m := isoForm.FindStringSubmatch(s)
	if m == nil {
		return p, false
	}
	p.Year, _ = strconv.Atoi(m[1]) // fmt.Sscan takes 08 for a number of base 8, and gives 0
	p.Month, _ = strconv.Atoi(m[2])
	p.Day, _ = strconv.Atoi(m[3])
	return p, true
}
