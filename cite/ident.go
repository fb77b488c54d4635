package cite

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ibid-dev/ibid"
)

// The readers of identifiers take every common spelling (with prefix, as an address, with hyphens) and give one. Their
// errors say what is wrong with the identifier and wrap ibid.ErrInvalid.

func badID(kind, s, why string) error {
	return fmt.Errorf("%s %q: %s: %w", kind, clip(s), why, ibid.ErrInvalid)
}

// clip keeps messages short whatever was given.
func clip(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 60 {
		return string(r[:59]) + "…"
	}
	return s
}

var (
	doiForm      = regexp.MustCompile(`^10\.[0-9]{4,9}(?:\.[0-9]+)*/\S+$`)
	shortDOIForm = regexp.MustCompile(`^10/[a-z0-9]{2,12}$`)
	doiPrefix    = regexp.MustCompile(`(?i)^(?:doi\s*:\s*|info:doi/)`)
	doiHost      = regexp.MustCompile(`(?i)^(?:https?://)?(?:www\.|dx\.)?doi\.org/`)
)

// ParseDOI gives a DOI in lower case without prefix or resolver: "10.1056/nejmc2103740". A short DOI is "10/f5kc".
func ParseDOI(s string) (string, error) {
	d := strings.TrimSpace(s)
	d = doiPrefix.ReplaceAllString(d, "")
	if at := doiHost.FindString(d); at != "" {
		d = d[len(at):]
		if cut := strings.IndexAny(d, "?#"); cut > 0 {
			d = d[:cut]
		}
		if plain, err := url.PathUnescape(d); err == nil {
			d = plain
		}
		if !strings.HasPrefix(d, "10.") && !strings.HasPrefix(d, "10/") {
			d = "10/" + d
		}
	}
	d = strings.ToLower(strings.TrimRight(d, ".,;:\"'"))
	if !doiForm.MatchString(d) && !shortDOIForm.MatchString(d) {
		return "", badID("DOI", s, "expected 10. and four or more digits, a slash and a name")
	}
	return d, nil
}

// FindDOI gives the first DOI that stands in a text, or "".
func FindDOI(s string) string {
	at := strings.TrimRight(doiInText.FindString(s), ".,;:'")
	// A closing bracket belongs to the text around it unless the DOI opened it.
	for strings.HasSuffix(at, ")") && strings.Count(at, ")") > strings.Count(at, "(") {
		at = strings.TrimSuffix(at, ")")
	}
	d, err := ParseDOI(at)
	if err != nil {
		return ""
	}
	return d
}

var doiInText = regexp.MustCompile(`\b10\.[0-9]{4,9}(?:\.[0-9]+)*/[^\s"<>{}|\\^]+`)

// ArXiv is the identifier of a preprint, and of which of its versions.
type ArXiv struct {
	ID      string // "2401.12345", "hep-th/9901001"
	Version int    // 0 where none is named
}

func (a ArXiv) String() string {
	if a.Version == 0 {
		return a.ID
	}
	return a.ID + "v" + strconv.Itoa(a.Version)
}

var (
	arxivPrefix = regexp.MustCompile(`(?i)^(?:arxiv\s*:\s*|(?:https?://)?(?:www\.|export\.|[a-z]{2}\.)?arxiv\.org/(?:abs|pdf|html|ps|format)/|(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?10\.48550/arxiv\.)`)
	arxivNew    = regexp.MustCompile(`^([0-9]{2})(0[1-9]|1[0-2])\.([0-9]{4,5})(?:v([1-9][0-9]?))?$`)
	arxivOld    = regexp.MustCompile(`^([a-z-]+)(?:\.[A-Z]{2})?/([0-9]{2})(0[1-9]|1[0-2])([0-9]{3})(?:v([1-9][0-9]?))?$`)
	archives    = strings.Fields(`acc-phys adap-org alg-geom ao-sci astro-ph atom-ph bayes-an chao-dyn chem-ph cmp-lg comp-gas
		cond-mat cs dg-ga funct-an gr-qc hep-ex hep-lat hep-ph hep-th math math-ph mtrl-th nlin nucl-ex nucl-th patt-sol
		physics plasm-ph q-alg q-bio quant-ph solv-int supr-con`)
)

// ParseArXiv reads an arXiv identifier of the new form (since April 2007) or the old.
func ParseArXiv(s string) (ArXiv, error) {
	id := strings.TrimSpace(s)
	if at := arxivPrefix.FindString(id); at != "" {
		id = id[len(at):]
		if cut := strings.IndexAny(id, "?# ["); cut > 0 {
			id = id[:cut]
		}
		id = strings.TrimSuffix(strings.TrimRight(id, "/"), ".pdf")
	}
	if m := arxivNew.FindStringSubmatch(id); m != nil {
		yymm, _ := strconv.Atoi(m[1] + m[2])
		digits := 4
		if yymm >= 1501 {
			digits = 5
		}
		if yymm < 704 || len(m[3]) != digits {
			return ArXiv{}, badID("arXiv id", s, "no paper of that month has this form")
		}
		version, _ := strconv.Atoi(m[4])
		return ArXiv{ID: m[1] + m[2] + "." + m[3], Version: version}, nil
	}
	if m := arxivOld.FindStringSubmatch(id); m != nil && slices.Contains(archives, m[1]) {
		version, _ := strconv.Atoi(m[5])
		return ArXiv{ID: m[1] + "/" + m[2] + m[3] + m[4], Version: version}, nil
	}
	return ArXiv{}, badID("arXiv id", s, "expected a form like 2401.12345 or hep-th/9901001")
}

var isbnPrefix = regexp.MustCompile(`(?i)^(?:urn:)?isbn(?:-?1[03])?\s*:?\s*`)

// ParseISBN gives the thirteen digits of an ISBN, which may have been of ten.
func ParseISBN(s string) (string, error) {
	d := compact(isbnPrefix.ReplaceAllString(strings.TrimSpace(s), ""))
	switch len(d) {
	case 10:
		want, ok := isbn10Digit(d[:9])
		if !ok {
			return "", badID("ISBN", s, "expected ten digits, of which the last may be X")
		}
		if d[9] != want {
			return "", badID("ISBN", s, fmt.Sprintf("check digit is %c where %c is expected", d[9], want))
		}
		thirteen := "978" + d[:9]
		check, _ := ean13Digit(thirteen)
		return thirteen + string(check), nil
	case 13:
		want, ok := ean13Digit(d[:12])
		if !ok || d[:3] != "978" && d[:3] != "979" {
			return "", badID("ISBN", s, "expected thirteen digits that begin with 978 or 979")
		}
		if d[12] != want {
			return "", badID("ISBN", s, fmt.Sprintf("check digit is %c where %c is expected", d[12], want))
		}
		return d, nil
	}
	return "", badID("ISBN", s, "expected ten or thirteen digits")
}

// looksLikeISBN takes a wrong check digit where the word ISBN says what is meant: a typing error is not another kind of
// source.
func looksLikeISBN(s string) bool {
	if _, err := ParseISBN(s); err == nil {
		return true
	}
	rest := isbnPrefix.ReplaceAllString(s, "")
	d := compact(rest)
	return rest != s && (len(d) == 10 || len(d) == 13)
}

// compact keeps digits and X, and refuses anything but the usual separators between them.
func compact(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9', r == 'X':
			b.WriteRune(r)
		case r == 'x':
			b.WriteByte('X')
		case r == '-' || r == ' ' || r == '\u2010' || r == '\u2011' || r == '\u2013' || r == '\u00a0':
		default:
			return ""
		}
	}
	return b.String()
}

func isbn10Digit(nine string) (byte, bool) {
	sum := 0
	for i := range len(nine) {
		if nine[i] == 'X' {
			return 0, false
		}
		sum += int(nine[i]-'0') * (10 - i)
	}
	return elevenDigit(sum), true
}

func ean13Digit(twelve string) (byte, bool) {
	sum := 0
	for i := range len(twelve) {
		if twelve[i] == 'X' {
			return 0, false
		}
		sum += int(twelve[i]-'0') * (1 + 2*(i%2))
	}
	return '0' + byte((10-sum%10)%10), true
}

// elevenDigit is the check digit that makes a weighted sum a multiple of eleven.
func elevenDigit(sum int) byte {
	d := (11 - sum%11) % 11
	if d == 10 {
		return 'X'
	}
	return '0' + byte(d)
}

var issnPrefix = regexp.MustCompile(`(?i)^(?:urn:)?(?:[ep]-?)?issn\s*:?\s*`)

// ParseISSN gives an ISSN as "1234-567X".
func ParseISSN(s string) (string, error) {
	d := compact(issnPrefix.ReplaceAllString(strings.TrimSpace(s), ""))
	if len(d) != 8 || strings.Contains(d[:7], "X") {
		return "", badID("ISSN", s, "expected eight digits, of which the last may be X")
	}
	sum := 0
	for i := range 7 {
		sum += int(d[i]-'0') * (8 - i)
	}
	if want := elevenDigit(sum); d[7] != want {
		return "", badID("ISSN", s, fmt.Sprintf("check digit is %c where %c is expected", d[7], want))
	}
	return d[:4] + "-" + d[4:], nil
}

var orcidPrefix = regexp.MustCompile(`(?i)^(?:(?:https?://)?(?:www\.)?orcid\.org/|orcid\s*:?\s*)`)

// ParseORCID gives an ORCID as "0000-0002-1825-0097".
func ParseORCID(s string) (string, error) {
	d := compact(orcidPrefix.ReplaceAllString(strings.TrimSpace(s), ""))
	if len(d) != 16 || strings.Contains(d[:15], "X") {
		return "", badID("ORCID", s, "expected sixteen digits, of which the last may be X")
	}
	total := 0
	for i := range 15 {
		total = (total + int(d[i]-'0')) * 2
	}
	want := byte('0' + (12-total%11)%11)
	if want == '0'+10 {
		want = 'X'
	}
	if d[15] != want {
		return "", badID("ORCID", s, fmt.Sprintf("check digit is %c where %c is expected", d[15], want))
	}
	return d[:4] + "-" + d[4:8] + "-" + d[8:12] + "-" + d[12:], nil
}

var (
	pmidForm  = regexp.MustCompile(`(?i)^(?:pmid\s*:?\s*|https?://(?:www\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/)?([1-9][0-9]{0,8})/?$`)
	pmcidForm = regexp.MustCompile(`(?i)^(?:pmcid\s*:?\s*|https?://(?:www\.)?(?:ncbi\.nlm\.nih\.gov/pmc|pmc\.ncbi\.nlm\.nih\.gov)/articles/)?pmc([1-9][0-9]{0,8})(?:\.[0-9]+)?/?$`)
)

// ParsePMID gives the number of a PubMed record.
func ParsePMID(s string) (string, error) {
	m := pmidForm.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return "", badID("PMID", s, "expected a number of one to nine digits")
	}
	return m[1], nil
}

// ParsePMCID gives the number of a PubMed Central record as "PMC8063884".
func ParsePMCID(s string) (string, error) {
	m := pmcidForm.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return "", badID("PMCID", s, "expected PMC and a number")
	}
	return "PMC" + m[1], nil
}
