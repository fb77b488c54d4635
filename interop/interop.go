// Package interop writes runs and answers in the forms of others: the dictionary and JSON lines of attribution pipelines,
// W3C PROV-JSON, W3C Web Annotations, in-toto statements. What a form has no place for is told, not dropped unseen.
package interop

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/ibid-dev/ibid"
)

// Formats lists what a run can be written as.
func Formats() []string { return []string{"seed", "jsonl", "prov", "webannotation", "in-toto"} }

// Snapshots gives what a retrieval returned, by its hash, and whether it is kept.
type Snapshots func(id ibid.DocumentID) ([]byte, bool)

// File is a run as others take it.
type File struct {
	Body      []byte
	MediaType string
	Losses    []string // what the form has no place for
}

// Export writes a run. The error wraps ibid.ErrInvalid where there is no such form.
func Export(r ibid.Run, format string, snapshots Snapshots) (File, error) {
	switch format {
	case "seed":
		body, err := indented(Dictionary(r))
		return File{body, "application/json", has(r, retrieved, tooled, pointsAtWords, exempted, handed, weighed, unused)}, err
	case "jsonl":
		var b bytes.Buffer
		err := WriteLines(&b, r)
		return File{b.Bytes(), "application/x-ndjson", has(r, judged, unused)}, err
	case "prov":
		body, err := indented(provenance(r))
		return File{body, "application/json", has(r, pointsAtWords)}, err
	case "webannotation":
		body, lost, err := annotateRun(r, snapshots)
		return File{body, annoMedia, lost}, err
	case "in-toto":
		body, err := indented(statement(r))
		return File{body, "application/vnd.in-toto+json", has(r, pointsAtWords, asked)}, err
	}
	return File{}, fmt.Errorf("run to %q: choose one of %s: %w", format, strings.Join(Formats(), ", "), ibid.ErrInvalid)
}

func indented(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return b.Bytes(), err
}

// Response is a run as the API of an attribution pipeline gives it.
type Response struct {
	OutputSummary  string          `json:"output_summary"`
	AttributionMap []Attributed    `json:"attribution_map"`
	Claims         []PipelineClaim `json:"claims"`
	Metadata       Metadata        `json:"metadata"`
}

// Attributed is a claim and where it comes from.
type Attributed struct {
	Claim          string     `json:"claim"`
	SourceID       *string    `json:"source_id"`
	SourceCategory *string    `json:"source_category"`
	Timestamp      *time.Time `json:"timestamp"` // when the source was fetched
}

// PipelineClaim is a claim as it was recorded.
type PipelineClaim struct {
	Text          string    `json:"text"`
	SourceID      *string   `json:"source_id"`
	SourceType    *string   `json:"source_type"`
	RequiresProof bool      `json:"requires_proof"`
	RecordedAt    time.Time `json:"recorded_at"`
}

// Metadata is what the gate said. Times are null where the run is not finished.
type Metadata struct {
	CoverageScore float64    `json:"coverage_score"`
	IsCompliant   bool       `json:"is_compliant"`
	TotalClaims   int        `json:"total_claims"`
	ValidatedAt   *time.Time `json:"validated_at"`
}

// Dictionary gives a run in the form and with the names that attribution pipelines use.
func Dictionary(r ibid.Run) Response {
	out := Response{AttributionMap: []Attributed{}, Claims: []PipelineClaim{}, Metadata: Metadata{TotalClaims: len(r.Claims)}}
	var texts []string
	for _, c := range r.Claims {
		texts = append(texts, c.Text)
		a := Attributed{Claim: c.Text}
		p := PipelineClaim{Text: c.Text, RequiresProof: c.RequiresAttribution(), RecordedAt: c.At}
		if c.Cited() {
			a.SourceID, a.SourceCategory, a.Timestamp = &c.Source.Identifier, &c.Source.Category, &c.Source.FetchedAt
			p.SourceID, p.SourceType = &c.Source.Identifier, &c.Source.Category
		}
		out.AttributionMap = append(out.AttributionMap, a)
		out.Claims = append(out.Claims, p)
	}
	out.OutputSummary = strings.Join(texts, " ")
	if r.Verdict != nil {
		out.Metadata.CoverageScore, out.Metadata.IsCompliant, out.Metadata.ValidatedAt = r.Verdict.Coverage, r.Verdict.Pass, &r.FinishedAt
	}
	return out
}

// loss is what a form may have no place for, and whether a run has it.
type loss struct {
	what string
	of   func(ibid.Run) bool
}

var (
	pointsAtWords = ofClaims("the words that claims point at", func(c ibid.Claim) bool { return len(c.Evidence) > 0 })
	exempted      = ofClaims("why claims are exempt", func(c ibid.Claim) bool { return c.Exempt != "" })
	handed        = ofClaims("agents, and what they handed to each other", func(c ibid.Claim) bool { return c.Agent != "" || c.Source != nil && c.Source.From != nil })
	chained       = ofSources("what agents handed to each other", func(s ibid.SourceReference) bool { return s.From != nil })
	asked         = ofSources("query hashes and metadata of sources", func(s ibid.SourceReference) bool { return s.QueryHash != "" || len(s.Metadata) > 0 })
	tooled        = ofSources("tools and metadata of sources", func(s ibid.SourceReference) bool { return s.Tool != "" || len(s.Metadata) > 0 })
	called        = ofSources("tools and categories of sources", func(s ibid.SourceReference) bool { return s.Tool != "" || s.Category != "" })
	retrieved     = ofSources("endpoints, query hashes and snapshots", func(s ibid.SourceReference) bool { return s.Endpoint != "" || s.QueryHash != "" || s.Snapshot != "" })
	judged        = loss{"the verdict", func(r ibid.Run) bool { return r.Verdict != nil }}
	weighed       = loss{"the policy, threshold and outcome of the verdict", func(r ibid.Run) bool { return r.Verdict != nil }}
	unused        = loss{"sources that no claim rests on", restsOnNone}
)

func ofClaims(what string, of func(ibid.Claim) bool) loss {
	return loss{what, func(r ibid.Run) bool { return slices.ContainsFunc(r.Claims, of) }}
}

// ofSources looks at the sources that claims rest on.
func ofSources(what string, of func(ibid.SourceReference) bool) loss {
	return ofClaims(what, func(c ibid.Claim) bool { return c.Source != nil && of(*c.Source) })
}

func restsOnNone(r ibid.Run) bool {
	used := map[string]bool{}
	for _, c := range r.Claims {
		for s := c.Source; s != nil; s = s.From.Source {
			used[s.Hash()] = true
			if s.From == nil {
				break
			}
		}
	}
	return slices.ContainsFunc(r.Sources, func(s ibid.SourceReference) bool { return !used[s.Hash()] })
}

// has names those of the losses that are some of the run.
func has(r ibid.Run, all ...loss) (out []string) {
	for _, l := range all {
		if l.of(r) {
			out = append(out, l.what)
		}
	}
	return out
}

// Line is a claim in a log of JSON lines.
type Line struct {
	Claim         string                `json:"claim"`
	Source        *ibid.SourceReference `json:"source"`
	RequiresProof bool                  `json:"requires_proof"`
	LoggedAt      time.Time             `json:"logged_at"`
	Run           ibid.RunID            `json:"run"`
	Agent         string                `json:"agent,omitempty"`
	ID            ibid.ClaimID          `json:"id"`
	Exempt        ibid.Exemption        `json:"exempt,omitempty"`
	Evidence      []ibid.Anchor         `json:"evidence,omitempty"`
}

// WriteLines writes the claims of a run, one JSON object a line, with times by RFC 3339.
func WriteLines(w io.Writer, r ibid.Run) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, c := range r.Claims {
		err := enc.Encode(Line{Claim: c.Text, Source: c.Source, RequiresProof: c.RequiresAttribution(), LoggedAt: c.At, Run: c.Run, Agent: c.Agent,
			ID: c.ID, Exempt: c.Exempt, Evidence: c.Evidence})
		if err != nil {
			return fmt.Errorf("claim %s: %w", c.ID, err)
		}
	}
	return nil
}

// WholeLines gives the length of the part of a file of JSON lines that is whole: a last line that a crash has torn is
// left out, one that only lacks its end is not.
func WholeLines(file []byte) (n int, addNewline bool) {
	last := bytes.LastIndexByte(file, '\n') + 1
	if last == len(file) {
		return last, false
	}
	if json.Valid(file[last:]) {
		return len(file), true
	}
	return last, false
}
