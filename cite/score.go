package cite

import (
	"fmt"
	"math"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/ibid-dev/ibid"
)

// Validation says what is wrong with a citation. Errors decide whether it is valid; recommendations do not.
type Validation struct {
	Valid           bool     `json:"is_valid"`
	Errors          []string `json:"errors"`
	Recommendations []string `json:"recommendations"`
}

// Err is nil for a valid citation, else an error that wraps ibid.ErrInvalid.
func (v Validation) Err() error {
	if v.Valid {
		return nil
	}
	return fmt.Errorf("%s: %w", strings.Join(v.Errors, "; "), ibid.ErrInvalid)
}

func validation(errs, recommendations []string) Validation {
	v := Validation{Valid: len(errs) == 0, Errors: []string{}, Recommendations: []string{}}
	v.Errors = append(v.Errors, errs...)
	v.Recommendations = append(v.Recommendations, recommendations...)
	return v
}

// Validate checks a citation. The messages and their order are fixed, so that programs can read them.
func (c Citation) Validate() Validation {
	var errs, hints []string
	if strings.TrimSpace(c.Source) == "" {
		errs = append(errs, "Missing or empty source")
	}
	errs = appendRange(errs, "Confidence", c.Confidence)
	if c.author() == "" {
		hints = append(hints, "Missing author metadata (recommended)")
	}
	if c.year() == "" {
		hints = append(hints, "Missing year/publication_date metadata (recommended)")
	}
	if c.title() == "" {
		hints = append(hints, "Missing title metadata (recommended)")
	}
	if strings.TrimSpace(c.Source) != "" && Classify(c.Source) == Unrecognised {
		hints = append(hints, "Source format not recognized (should be URL, file path, or DOI)")
	}
	return validation(errs, hints)
}

// Validate checks a map and the citations in it, whose messages are led by their number.
func (m CitationMap) Validate() Validation {
	var errs, hints []string
	if strings.TrimSpace(m.ClaimID) == "" {
		errs = append(errs, "Missing or empty claim_id")
	}
	if strings.TrimSpace(m.ClaimText) == "" {
		errs = append(errs, "Missing or empty claim_text")
	}
	errs = appendRange(errs, "Strength", m.Strength)
	for i, c := range m.Citations {
		v := c.Validate()
		for _, e := range v.Errors {
			errs = append(errs, fmt.Sprintf("Citation %d: %s", i+1, e))
		}
		for _, h := range v.Recommendations {
			hints = append(hints, fmt.Sprintf("Citation %d: %s", i+1, h))
		}
	}
	return validation(errs, hints)
}

func appendRange(errs []string, what string, n float64) []string {
	switch {
	case math.IsNaN(n):
		return append(errs, "Missing "+strings.ToLower(what))
	case n < 0 || n > 1:
		return append(errs, fmt.Sprintf("%s %s out of valid range [0.0, 1.0]", what, decimal(n)))
	}
	return errs
}

// decimal writes a number with a decimal point always: 2 is "2.0".
func decimal(n float64) string {
	s := strconv.FormatFloat(n, 'g', -1, 64)
	if strings.ContainsAny(s, ".eI") {
		return s
	}
	return s + ".0"
}

// Scores say how far a citation can be relied on, and why.
type Scores struct {
	Overall  float64 `json:"overall_confidence"`
	Base     float64 `json:"base_confidence"`
	Metadata float64 `json:"metadata_score"`
	Source   float64 `json:"source_quality_score"`
	Location float64 `json:"location_score"`
	Factors  Factors `json:"factors"`
}

// Factors are what the scores were made of.
type Factors struct {
	HasAuthor   bool `json:"has_author"`
	HasYear     bool `json:"has_year"`
	HasTitle    bool `json:"has_title"`
	HasSnippet  bool `json:"has_snippet"`
	HasLocation bool `json:"has_location"`
	SourceType  Kind `json:"source_type"`
}

// The weights of the parts of a score.
const (
	baseWeight, metadataWeight, sourceWeight, locationWeight = 0.4, 0.3, 0.2, 0.1
	meanWeight, strengthWeight, countWeight                  = 0.5, 0.3, 0.2
	enoughCitations                                          = 5
)

// Score weighs a citation's own confidence, its metadata, its source and its location.
func Score(c Citation) Scores {
	s := Scores{Base: c.Confidence, Source: sourceQuality(c.Source), Location: locationScore(c.Location)}
	if math.IsNaN(s.Base) {
		s.Base = 0
	}
	s.Factors = Factors{
		HasAuthor: c.author() != "", HasYear: c.year() != "", HasTitle: c.title() != "",
		HasSnippet: strings.TrimSpace(c.Snippet) != "", HasLocation: strings.TrimSpace(c.Location) != "",
		SourceType: Classify(c.Source),
	}
	for _, has := range []bool{s.Factors.HasAuthor, s.Factors.HasYear, s.Factors.HasTitle, s.Factors.HasSnippet} {
		if has {
			s.Metadata += 0.25
		}
	}
	s.Overall = round3(s.Base*baseWeight + s.Metadata*metadataWeight + s.Source*sourceWeight + s.Location*locationWeight)
	return s
}

// MapScores are the scores of a claim with all its citations.
type MapScores struct {
	Overall    float64  `json:"overall_confidence"`
	Count      int      `json:"citation_count"`
	Average    float64  `json:"average_citation_confidence"`
	Min        float64  `json:"min_confidence"`
	Max        float64  `json:"max_confidence"`
	Strength   float64  `json:"strength"`
	Individual []Scores `json:"individual_scores"`
}

// ScoreMap weighs the mean of the citations, the strength of the map and the number of citations, of which five are
// enough. Without citations all but the strength is 0.
func ScoreMap(m CitationMap) MapScores {
	s := MapScores{Count: len(m.Citations), Strength: m.Strength, Individual: []Scores{}}
	if math.IsNaN(s.Strength) {
		s.Strength = 0
	}
	if s.Count == 0 {
		return s
	}
	sum := 0.0
	s.Min, s.Max = math.Inf(1), math.Inf(-1)
	for _, c := range m.Citations {
		one := Score(c)
		s.Individual = append(s.Individual, one)
		sum += one.Overall
		s.Min, s.Max = min(s.Min, one.Overall), max(s.Max, one.Overall)
	}
	mean := sum / float64(s.Count)
	s.Average = round3(mean)
	count := min(float64(s.Count)/enoughCitations, 1)
	s.Overall = round3(mean*meanWeight + s.Strength*strengthWeight + count*countWeight)
	return s
}

// round3 rounds half up in decimal: 0.78375 is a little less in binary and is still meant as 0.784.
func round3(x float64) float64 { return math.Round(math.Round(x*1e9)/1e6) / 1e3 }

// Kind says what a source is by the look of it.
type Kind string

// The kinds of source.
const (
	KindArXiv    Kind = "arxiv"
	KindDOI      Kind = "doi"
	KindISBN     Kind = "isbn"
	KindWeb      Kind = "url"
	KindFile     Kind = "file"
	Unrecognised Kind = "unrecognized"
)

// Classify tells an arXiv id, a DOI, a web address, an ISBN and a file path apart.
func Classify(source string) Kind {
	source = strings.TrimSpace(source)
	if _, err := ParseArXiv(source); err == nil {
		return KindArXiv
	}
	if _, err := ParseDOI(source); err == nil {
		return KindDOI
	}
	if isWeb(source) {
		if host := webHost(source); host == "arxiv.org" || strings.HasSuffix(host, ".arxiv.org") {
			return KindArXiv
		}
		return KindWeb
	}
	if looksLikeISBN(source) {
		return KindISBN
	}
	if looksLikeFile(source) {
		return KindFile
	}
	return Unrecognised
}

func isWeb(s string) bool { return webHost(s) != "" }

// webHost is the host of an http or https address in lower case, else "".
func webHost(s string) string {
	u, err := url.Parse(strings.TrimSpace(s))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || strings.ContainsAny(s, " \t\n") {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

var (
	fileStart = regexp.MustCompile(`^(?:file://|~?/|\.\.?[/\\]|[A-Za-z]:[/\\]|\\\\)\S`)
	fileName  = regexp.MustCompile(`^[^\s:]*[^\s:./\\]\.[A-Za-z][A-Za-z0-9]{0,5}$`)
	document  = regexp.MustCompile(`(?i)^[^:]*\S\.(?:pdf|docx?|odt|rtf|txt|md|html?|tex|epub|csv|json|xml|pptx?|xlsx?)$`)
	scheme    = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)
)

func looksLikeFile(s string) bool {
	switch {
	case fileStart.MatchString(s), document.MatchString(s), fileName.MatchString(s):
		return true
	case scheme.MatchString(s), strings.ContainsAny(s, " \t\n"):
		return false
	}
	return strings.ContainsAny(s, `/\`)
}

func sourceQuality(source string) float64 {
	kind := Classify(source)
	host := webHost(source)
	switch {
	case kind == KindArXiv || kind == KindDOI:
		return 1
	case academic(host):
		return 0.9
	case host != "" && strings.HasPrefix(strings.ToLower(strings.TrimSpace(source)), "https:"):
		return 0.8
	case hasDocumentName(source, host):
		return 0.7
	case host != "":
		return 0.6
	}
	return 0.5
}

// academic knows .edu and .ac.uk, and their like in other countries, by whole labels: "ac.me.com" is not one.
func academic(host string) bool {
	labels := strings.Split(host, ".")
	n := len(labels)
	if n >= 2 && labels[n-1] == "edu" {
		return true
	}
	return n >= 3 && (labels[n-2] == "ac" || labels[n-2] == "edu") && len(labels[n-1]) == 2
}

func hasDocumentName(source, host string) bool {
	path := strings.ToLower(strings.TrimSpace(source))
	if host != "" {
		u, err := url.Parse(path)
		if err != nil {
			return false
		}
		path = u.Path
	}
	return strings.HasSuffix(path, ".pdf") || strings.HasSuffix(path, ".doc") || strings.HasSuffix(path, ".docx")
}

// Words, not parts of words: "Homepage" has no page and "step. 3" no "p.".
var (
	pageWord    = regexp.MustCompile(`(?i)(?:^|[^\pL\pN])(?:pages?(?:[^\pL]|$)|pp?\.)`)
	sectionWord = regexp.MustCompile(`(?i)(?:^|[^\pL\pN])(?:sections?|chapters?)(?:[^\pL]|$)|§`)
)

func locationScore(location string) float64 {
	if strings.TrimSpace(location) == "" {
		return 0
	}
	score := 0.5
	if pageWord.MatchString(location) {
		score += 0.25
	}
	if sectionWord.MatchString(location) {
		score += 0.25
	}
	return score
}
