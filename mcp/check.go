package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite"
	"github.com/ibid-dev/ibid/cite/bib"
	"github.com/ibid-dev/ibid/internal/wording"
)

var checkTool = tool{name: "check", title: "Check citations or references", doc: `Validate and score citations before you give them: whether each is valid, what would make it better, how far it can be relied on, and whether its snippet stands in the source where the library has it. Or check a text of BibTeX, BibLaTeX, RIS, EndNote XML or CSL-JSON: identifiers, names, dates, and records of the same work. Nothing is looked up on the network.`}

type checkIn struct {
	Citations []map[string]any `json:"citations,omitempty" jsonschema:"citations {source, location, confidence, snippet, metadata {author, year, title}}, of which source and confidence are needed; or maps of a claim to them {claim_id, claim_text, citations, strength}; at most 1000"`
	Records   string           `json:"records,omitempty" jsonschema:"a text of references, in the place of citations"`
	Minimum   float64          `json:"min_confidence,omitempty" jsonschema:"leave out citations whose own confidence is below this"`
}

type checkOut struct {
	Valid      bool           `json:"is_valid" jsonschema:"all of them are"`
	Citations  []checkedOut   `json:"citations" jsonschema:"a report for each citation or map, in order"`
	References []referenceOut `json:"references" jsonschema:"a report for each record, in order"`
	Problems   []string       `json:"problems" jsonschema:"what of the records could not be read"`
}

type checkedOut struct {
	reportOut
	Citations []reportOut `json:"citations" jsonschema:"those of a map"`
}

type reportOut struct {
	Source          string         `json:"source,omitempty"`
	ClaimID         string         `json:"claim_id,omitempty"`
	Valid           bool           `json:"is_valid"`
	Confidence      float64        `json:"overall_confidence" jsonschema:"how far it can be relied on"`
	Errors          []string       `json:"errors"`
	Recommendations []string       `json:"recommendations"`
	Findings        []string       `json:"findings" jsonschema:"about identifiers, names and dates"`
	Scores          map[string]any `json:"scores" jsonschema:"what the confidence is made of"`
	Quote           *foundQuoteOut `json:"quote,omitempty" jsonschema:"of one whose source the library has"`
}

type foundQuoteOut struct {
	Found   bool   `json:"found" jsonschema:"whether the snippet stands in the source"`
	Locator string `json:"locator,omitempty" jsonschema:"where: page or heading"`
}

type referenceOut struct {
	ID       string   `json:"id"`
	Title    string   `json:"title,omitempty"`
	Findings []string `json:"findings"`
}

func (d *desk) check(ctx context.Context, in checkIn) (checkOut, error) {
	out := checkOut{Valid: true, Citations: []checkedOut{}, References: []referenceOut{}, Problems: []string{}}
	switch {
	case (len(in.Citations) == 0) == (in.Records == ""):
		return out, invalid("give citations, or records")
	case len(in.Citations) > 1000:
		return out, invalid("there are more than 1000 citations; send fewer at once")
	case !(in.Minimum >= 0 && in.Minimum <= 1):
		return out, invalid("min_confidence is %v; give a number from 0 to 1", in.Minimum)
	case in.Records != "":
		return d.checkRecords(in.Records)
	}
	b, err := json.Marshal(in.Citations)
	if err != nil {
		return out, err
	}
	list, err := cite.ReadInput(b)
	if err != nil {
		return out, invalid("citations: %s; one looks like {\"source\": \"https://…\", \"confidence\": 0.8}", wording.Of(err))
	}
	if in.Minimum > 0 {
		list = cite.FilterInput(list, in.Minimum)
	}
	shelf := &shelf{desk: d, read: map[string]*ibid.Document{}}
	for i, r := range cite.CheckAll(list, d.Asker.Now().Year()) {
		item := list.Items[i]
		c := checkedOut{reportOut: reportOf(r), Citations: []reportOut{}}
		if item.Citation != nil {
			err = shelf.examine(ctx, *item.Citation, &c.reportOut)
		}
		for j, r := range r.Citations {
			one := reportOf(r)
			if err == nil {
				err = shelf.examine(ctx, item.Map.Citations[j], &one)
			}
			c.Citations = append(c.Citations, one)
		}
		if err != nil {
			return out, err
		}
		out.Citations = append(out.Citations, c)
		out.Valid = out.Valid && c.Valid
	}
	return out, nil
}

func (d *desk) checkRecords(records string) (checkOut, error) {
	out := checkOut{Citations: []checkedOut{}, References: []referenceOut{}, Problems: []string{}}
	file, err := bib.Read([]byte(records))
	var problems bib.Problems
	if err != nil && !errors.As(err, &problems) {
		return out, invalid("records: %s; give BibTeX, BibLaTeX, RIS, EndNote XML or CSL-JSON", wording.Of(err))
	}
	for _, p := range problems {
		out.Problems = append(out.Problems, p.String())
	}
	if len(file.References) > 2000 {
		return out, invalid("there are more than 2000 references; send fewer at once")
	}
	out.Valid = len(out.Problems) == 0
	for i, found := range cite.CheckReferences(file.References, d.Asker.Now().Year()) {
		r := file.References[i]
		out.References = append(out.References, referenceOut{r.ID, r.Title(), found})
	}
	return out, nil
}

func reportOf(r cite.Report) reportOut {
	out := reportOut{Source: r.Source, ClaimID: r.ClaimID, Valid: r.Valid, Errors: listed(r.Errors), Recommendations: listed(r.Recommendations), Findings: listed(r.Findings), Scores: map[string]any{}}
	b, err := json.Marshal(r.Scores)
	if err == nil {
		_ = json.Unmarshal(b, &out.Scores) // it is an object
	}
	out.Confidence, _ = out.Scores["overall_confidence"].(float64)
	return out
}

// shelf has the sources of the library that citations name, each read once.
type shelf struct {
	*desk
	listed []ibid.Source
	newest map[ibid.SourceID]ibid.DocumentID
	read   map[string]*ibid.Document
}

// examine looks whether the snippet of a citation stands in its source.
func (s *shelf) examine(ctx context.Context, c cite.Citation, r *reportOut) error {
	if strings.TrimSpace(c.Snippet) == "" {
		return nil
	}
	doc, known := s.read[c.Source]
	if !known {
		var err error
		if doc, err = s.document(ctx, c.Source); err != nil {
			return err
		}
		s.read[c.Source] = doc
	}
	if doc == nil {
		return nil
	}
	if q := cite.CheckQuote(c, *doc); q != nil {
		r.Quote = &foundQuoteOut{q.Found, q.Locator}
	}
	return nil
}

// document gives the newest version of the source that a citation names, nil where the library has none.
func (s *shelf) document(ctx context.Context, name string) (*ibid.Document, error) {
	if s.newest == nil {
		s.newest = map[ibid.SourceID]ibid.DocumentID{}
		for l, err := range s.allSources(ctx) {
			if err != nil {
				return nil, err
			}
			s.listed, s.newest[l.Source.ID] = append(s.listed, l.Source), l.Newest.ID
		}
	}
	for _, src := range s.listed {
		if cite.Names(name, src) {
			doc, err := s.record.Document(ctx, s.newest[src.ID])
			return &doc, err
		}
	}
	return nil, nil
}

func (o checkOut) words() string {
	var b strings.Builder
	for i, c := range o.Citations {
		name := c.Source
		if c.ClaimID != "" || len(c.Citations) > 0 {
			name = "claim " + c.ClaimID
		}
		c.print(&b, "", i+1, name)
		for j, r := range c.Citations {
			r.print(&b, "   ", j+1, r.Source)
		}
	}
	for _, r := range o.References {
		for _, f := range r.Findings {
			fmt.Fprintf(&b, "%s: look at: %s\n", r.ID, oneLine(f))
		}
	}
	for _, p := range o.Problems {
		fmt.Fprintf(&b, "could not be read: %s\n", p)
	}
	if len(o.References) > 0 {
		fmt.Fprintf(&b, "%s.\n", count(len(o.References), "reference", "references"))
	}
	if b.Len() == 0 {
		return "Nothing is left to check.\n"
	}
	return b.String()
}

func (r reportOut) print(b *strings.Builder, pad string, number int, name string) {
	word := "valid"
	if !r.Valid {
		word = "not valid"
	}
	fmt.Fprintf(b, "%s%d. %s: %s, confidence %.3f\n", pad, number, oneLine(name), word, r.Confidence)
	pad += "   "
	for _, e := range r.Errors {
		fmt.Fprintf(b, "%serror: %s\n", pad, e)
	}
	for _, e := range r.Recommendations {
		fmt.Fprintf(b, "%srecommended: %s\n", pad, e)
	}
	for _, e := range r.Findings {
		fmt.Fprintf(b, "%slook at: %s\n", pad, oneLine(e))
	}
	switch q := r.Quote; {
	case q == nil:
	case q.Found:
		fmt.Fprintf(b, "%squote: stands in the source%s\n", pad, beginning(", ", q.Locator))
	default:
		fmt.Fprintf(b, "%squote: does not stand in the source\n", pad)
	}
}
