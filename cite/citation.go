// Package cite works on citations: it validates and scores them, says what their identifiers are worth, finds the quote
// in its source, numbers the citations of an answer, and finds records that are the same work.
//
// Styles stand in cite/csl, file formats in cite/bib, exports of a whole answer in cite/export.
package cite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/ibid-dev/ibid"
)

// Citation is the exchange form of a citation: what is cited, where in it, how sure.
type Citation struct {
	Source     string         `json:"source"`             // URL, file path, DOI, arXiv id, ISBN
	Location   string         `json:"location,omitempty"` // "Page 42", "Section 3.2", "00:15:30"
	Confidence float64        `json:"confidence"`         // within [0,1]
	Snippet    string         `json:"snippet,omitempty"`
	Metadata   map[string]any `json:"metadata"` // author, year, publication_date, title, and anything else
}

// CitationMap maps a claim to the citations that support it.
type CitationMap struct {
	ClaimID   string         `json:"claim_id"`
	ClaimText string         `json:"claim_text"`
	Citations []Citation     `json:"citations"`
	Strength  float64        `json:"strength"` // of the support as a whole, within [0,1]
	Metadata  map[string]any `json:"metadata"`
}

// NewCitation makes a citation. The error wraps ibid.ErrInvalid.
func NewCitation(source string, confidence float64) (Citation, error) {
	c := Citation{Source: source, Confidence: confidence, Metadata: map[string]any{}}
	return c, c.Validate().Err()
}

// NewCitationMap makes a map of a claim to its citations. The error wraps ibid.ErrInvalid.
func NewCitationMap(claimID, claimText string, strength float64, citations ...Citation) (CitationMap, error) {
	if citations == nil {
		citations = []Citation{}
	}
	m := CitationMap{ClaimID: claimID, ClaimText: claimText, Citations: citations, Strength: strength, Metadata: map[string]any{}}
	return m, m.Validate().Err()
}

// FromAnswer gives the exchange form of an answer's citation. The source is its DOI where it has one, else its address;
// of a file only the name, as paths are nobody's business.
func FromAnswer(c ibid.Citation, s ibid.Source) Citation {
	out := Citation{
		Source: publicSource(s), Location: c.Locator, Confidence: c.Confidence, Snippet: c.Quote,
		Metadata: map[string]any{},
	}
	r := s.Reference
	if names := nameList(r.Names["author"]); names != "" {
		out.Metadata["author"] = names
	}
	if y := r.Year(); y != 0 {
		out.Metadata["year"] = fmt.Sprint(y)
	}
	if title := s.Title(); title != "" {
		out.Metadata["title"] = title
	}
	if r.Type != "" {
		out.Metadata["citation_type"] = r.Type
	}
	if doi := r.DOI(); doi != "" {
		out.Metadata["doi"] = doi
	}
	return out
}

func publicSource(s ibid.Source) string {
	if doi, err := ParseDOI(s.Reference.DOI()); err == nil {
		return "https://doi.org/" + doi
	}
	for _, address := range []string{s.Reference.URL(), s.URI} {
		if isWeb(address) {
			return address
		}
	}
	return s.Name()
}

// nameList writes names as the short styles do: "Smith, J. and Doe, A."
func nameList(names []ibid.Name) string {
	var out []string
	for _, n := range names {
		if n.Literal != "" || n.Given == "" {
			out = append(out, n.String())
			continue
		}
		family := strings.TrimSpace(n.NonDroppingParticle + " " + n.Family)
		given := strings.TrimSpace(n.Given + " " + n.DroppingParticle)
		out = append(out, strings.TrimSuffix(family+", "+given+", "+n.Suffix, ", "))
	}
	return joinNames(out)
}

// joinNames joins with a semicolon before the last two, as a comma stands inside of names.
func joinNames(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], "; ") + " and " + names[last]
}

// Filter keeps the citations whose own confidence is at least min.
func Filter(citations []Citation, min float64) []Citation {
	kept := []Citation{}
	for _, c := range citations {
		if c.Confidence >= min {
			kept = append(kept, c)
		}
	}
	return kept
}

// missing stands for a number that the JSON does not have: no number of JSON is NaN, so it cannot be mistaken.
var missing = math.NaN()

// MarshalJSON leaves out a confidence that was never given and writes metadata as an object always.
func (c Citation) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Source     string         `json:"source"`
		Location   string         `json:"location,omitempty"`
		Confidence *float64       `json:"confidence,omitempty"`
		Snippet    string         `json:"snippet,omitempty"`
		Metadata   map[string]any `json:"metadata"`
	}{c.Source, c.Location, given(c.Confidence), c.Snippet, object(c.Metadata)})
}

// UnmarshalJSON reads a citation. A field of the wrong kind is an error that names it and wraps ibid.ErrInvalid; what
// is absent or out of range is left to Validate. Numbers of the metadata stay json.Number, to the digit.
func (c *Citation) UnmarshalJSON(b []byte) error {
	f, err := fieldsOf(b)
	if err != nil {
		return fmt.Errorf("citation: %w", err)
	}
	*c = Citation{
		Source: f.text("source"), Location: f.text("location"), Confidence: f.number("confidence"),
		Snippet: f.text("snippet"), Metadata: f.object("metadata"),
	}
	if f.err != nil {
		return fmt.Errorf("citation: %w", f.err)
	}
	return nil
}

// MarshalJSON leaves out a strength that was never given and writes empty lists and objects as such.
func (m CitationMap) MarshalJSON() ([]byte, error) {
	citations := m.Citations
	if citations == nil {
		citations = []Citation{}
	}
	return json.Marshal(struct {
		ClaimID   string         `json:"claim_id"`
		ClaimText string         `json:"claim_text"`
		Citations []Citation     `json:"citations"`
		Strength  *float64       `json:"strength,omitempty"`
		Metadata  map[string]any `json:"metadata"`
	}{m.ClaimID, m.ClaimText, citations, given(m.Strength), object(m.Metadata)})
}

// UnmarshalJSON reads a map as Citation.UnmarshalJSON does a citation.
func (m *CitationMap) UnmarshalJSON(b []byte) error {
	f, err := fieldsOf(b)
	if err != nil {
		return fmt.Errorf("citation map: %w", err)
	}
	*m = CitationMap{
		ClaimID: f.text("claim_id"), ClaimText: f.text("claim_text"), Citations: []Citation{},
		Strength: f.number("strength"), Metadata: f.object("metadata"),
	}
	if f.err != nil {
		return fmt.Errorf("citation map: %w", f.err)
	}
	var list []json.RawMessage
	if raw := f.raw("citations"); raw != nil && json.Unmarshal(raw, &list) != nil {
		return fmt.Errorf("citation map: citations is not a list: %w", ibid.ErrInvalid)
	}
	for i, raw := range list {
		var c Citation
		if err := json.Unmarshal(raw, &c); err != nil {
			return fmt.Errorf("citation %d of the map: %w", i+1, err)
		}
		m.Citations = append(m.Citations, c)
	}
	return nil
}

func given(n float64) *float64 {
	if math.IsNaN(n) {
		return nil
	}
	return &n
}

func object(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

// fields reads the fields of a JSON object one by one and keeps the first error.
type fields struct {
	all map[string]json.RawMessage
	err error
}

func fieldsOf(b []byte) (*fields, error) {
	f := &fields{}
	if err := json.Unmarshal(b, &f.all); err != nil || f.all == nil {
		return nil, fmt.Errorf("not a JSON object: %w", ibid.ErrInvalid)
	}
	return f, nil
}

// raw is nil where the field is absent or null.
func (f *fields) raw(key string) json.RawMessage {
	if raw := f.all[key]; !bytes.Equal(raw, []byte("null")) {
		return raw
	}
	return nil
}

func (f *fields) read(key, kind string, to any) {
	raw := f.raw(key)
	if raw == nil || f.err != nil {
		return
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(to); err != nil {
		f.err = fmt.Errorf("%s is not %s: %w", key, kind, ibid.ErrInvalid)
	}
}

func (f *fields) text(key string) (s string) {
	f.read(key, "a string", &s)
	return s
}

func (f *fields) number(key string) float64 {
	n := missing
	f.read(key, "a number", &n)
	return n
}

func (f *fields) object(key string) map[string]any {
	m := map[string]any{}
	f.read(key, "an object", &m)
	return m
}

// PlainTitle is the title of a source in a line of words: without the tags that CSL allows in it.
func PlainTitle(s ibid.Source) string {
	return strings.Join(strings.Fields(titleTags.ReplaceAllString(s.Title(), "")), " ")
}

var titleTags = regexp.MustCompile(`</?(?:i|b|sub|sup|sc|span)(?: [^<>]*)?>`)
