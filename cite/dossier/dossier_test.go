package dossier_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite/csl"
	"github.com/ibid-dev/ibid/cite/dossier"
	"github.com/ibid-dev/ibid/cite/export"
)

func TestQuestionsByDepth(t *testing.T) {
	for depth, want := range map[dossier.Depth][2]int{dossier.Shallow: {3, 5}, dossier.Moderate: {5, 8}, dossier.Thorough: {8, 12}, dossier.Comprehensive: {12, 15}} {
		if least, most := depth.Questions(); least != want[0] || most != want[1] {
			t.Errorf("%s: %d to %d, want %v", depth, least, most, want)
		}
	}
	if _, err := dossier.ParseDepth("bottomless"); !errors.Is(err, ibid.ErrInvalid) {
		t.Errorf("an unknown depth: %v", err)
	}
}

// A URL counts 2, a weighty type 3; from 4 it is high, from 2 medium.
func TestComputedCredibility(t *testing.T) {
	for _, c := range []struct {
		kind string
		url  bool
		want dossier.Credibility
	}{
		{"paper", true, dossier.High}, {"book", true, dossier.High}, {"academic", true, dossier.High}, {"official", true, dossier.High},
		{"specification", true, dossier.High}, {"research_paper", true, dossier.High}, {"Research_Paper", true, dossier.High},
		{"paper", false, dossier.Medium}, {"specification", false, dossier.Medium}, {"website", true, dossier.Medium},
		{"website", false, dossier.Low}, {"", false, dossier.Low},
	} {
		if got := dossier.Compute(c.kind, c.url); got != c.want {
			t.Errorf("%q, URL %v: %s, want %s", c.kind, c.url, got, c.want)
		}
	}
}

func TestTheCallersCredibilityIsKeptAndTheComputedStandsBeside(t *testing.T) {
	s := dossier.Describe(ibid.Source{URI: "https://spec.graphql.org/"}, "specification", dossier.Low)
	if s.Credibility != dossier.Low || s.Computed != dossier.High || s.Rated() != dossier.Low {
		t.Errorf("%+v", s)
	}
	if s = dossier.Describe(ibid.Source{URI: "file:///a.pdf", Reference: ibid.Reference{Type: "article-journal"}}, "", ""); s.Type != "paper" || s.Rated() != dossier.Medium {
		t.Errorf("%+v", s)
	}
}

func TestSourcesAreOrderedHighMediumLow(t *testing.T) {
	all := []dossier.Source{{Type: "1", Computed: dossier.Low}, {Type: "2", Computed: dossier.High}, {Type: "3", Computed: dossier.Medium}, {Type: "4", Computed: dossier.Low, Credibility: dossier.High}}
	dossier.Order(all)
	if got := all[0].Type + all[1].Type + all[2].Type + all[3].Type; got != "2431" {
		t.Errorf("ordered %s", got)
	}
}

func TestCategorise(t *testing.T) {
	for s, want := range map[string]dossier.Category{
		"In all 732 messages passed.":                    dossier.Figure,
		"It was completed on 5 August 1858.":             dossier.Event,
		"He said: “I had only steered.”":                 dossier.Quotation,
		"It broke because the brake was held too tight.": dossier.Cause,
		"Gutta-percha is the latex of a tree.":           dossier.Definition,
		"The recorder never worked.":                     dossier.Statement,
	} {
		if got := dossier.Categorise(s); got != want {
			t.Errorf("%q is %s, want %s", s, got, want)
		}
	}
}

// study is a study of two sources that disagree, with a hostile text in it.
func study() dossier.Study {
	a := ibid.Source{ID: "s1", URI: "file:///home/me/secret/kilbride.pdf", Reference: ibid.Reference{Type: "book", Text: map[string]string{"title": "The Cable of 1858"},
		Names: map[string][]ibid.Name{"author": {{Family: "Kilbride", Given: "Robert"}}}, Dates: map[string]ibid.Date{"issued": ibid.NewDate(2012, 8, 5)}}}
	b := ibid.Source{ID: "s2", URI: "https://example.org/almanac", Reference: ibid.Reference{Type: "webpage", Text: map[string]string{"title": "Kerry <Almanac> & *notes*"}}}
	at := func(doc string, from, to int) ibid.Anchor {
		return ibid.Anchor{Document: ibid.DocumentID(doc), Span: ibid.Span{Start: from, End: to}}
	}
	p1 := dossier.Place{Source: "s1", At: at("d1", 0, 36), Quote: "In all 732 messages passed through it.", Locator: "p. 4", Confidence: 0.9}
	p2 := dossier.Place{Source: "s2", At: at("d2", 5, 30), Quote: "About 400 messages <b>passed</b>.", Confidence: 0.9}
	s := dossier.Study{ID: "0123456789", Topic: "the cable & its <messages>", Depth: dossier.Shallow, UpdatedAt: time.Date(2026, 5, 3, 12, 0, 0, 0, time.UTC), Done: true,
		Sources: []dossier.Source{dossier.Describe(a, "", ""), dossier.Describe(b, "", dossier.Low)},
		Questions: []dossier.Question{
			{Number: 1, Text: "How many messages passed?", State: dossier.Answered, Answer: "abcdef0123", Evidence: []dossier.Evidence{
				{ID: "q1-1", Statement: "In all 732 messages passed through it.", Segment: 1, Category: dossier.Figure, Relevance: 0.9, Confidence: 0.95, Validation: dossier.Verified, Places: []dossier.Place{p1}},
				{ID: "q1-2", Statement: "About 400 passed, *it is said*.", Segment: 2, Category: dossier.Figure, Relevance: 0.6, Confidence: 0.6, Validation: dossier.Supported, Places: []dossier.Place{p2, p1}},
				{ID: "q1-3", Statement: "I like cables.", Segment: 3, Category: dossier.Statement, Confidence: 0.1, Validation: dossier.Unsupported, Places: []dossier.Place{}},
			}},
			{Number: 2, Text: "Who paid?", State: dossier.Unanswered, Evidence: []dossier.Evidence{}},
		},
		Contradictions: []dossier.Contradiction{{Kind: "number", Severity: "high", Confidence: 0.9, Reason: `one says "732", the other "400"`, A: p1, B: p2}},
	}
	s.Dispute()
	return s
}

func TestValidationMetricsByTheBands(t *testing.T) {
	m := study().Measure()
	if m.High != 1 || m.Medium != 1 || m.Low != 1 || m.Statements != 3 || m.Answered != 1 || m.Questions != 2 || m.Sources != 2 || m.Contradictions != 1 {
		t.Errorf("%+v", m)
	}
	if m.Validation[dossier.Disputed] != 2 || m.Validation[dossier.Unsupported] != 1 || m.CitationsTotal != 3 || m.CitationsValid != 3 {
		t.Errorf("%+v", m)
	}
}

// Every statement opens its evidence, in every format and in every form of citation; and no path of a file goes out.
func TestEveryStatementOpensItsEvidence(t *testing.T) {
	s := study()
	chicago, err := csl.NewLibrary().Style("chicago-notes")
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range append(dossier.Forms(), "chicago") {
		for _, format := range dossier.Formats() {
			set := export.Style{}
			if form == "chicago" {
				set.Style = chicago
			}
			file, err := dossier.Write(s, format, form, set)
			if err != nil {
				t.Fatalf("%s, %s: %v", format, form, err)
			}
			text := readable(t, format, file.Body)
			for _, q := range s.Questions {
				for _, e := range q.Evidence {
					for _, p := range e.Places {
						if !strings.Contains(text, e.Statement) || !strings.Contains(text, p.Quote) {
							t.Errorf("%s, %s: %s or its quote is not there", format, form, e.ID)
						}
					}
				}
			}
			for _, want := range []string{"the cable & its <messages>", "Kerry <Almanac> & *notes*", "Kilbride", `one says "732", the other "400"`, "Who paid?"} {
				if !strings.Contains(text, want) {
					t.Errorf("%s, %s: no %q", format, form, want)
				}
			}
			if strings.Contains(text, "/home/me") {
				t.Errorf("%s, %s: a path goes out", format, form)
			}
		}
	}
}

// readable undoes the escapes of a format.
func readable(t *testing.T, format string, body []byte) string {
	t.Helper()
	text := string(body)
	switch format {
	case "markdown":
		return regexp.MustCompile("\\\\([\\\\`*_\\[\\]<>|#~])").ReplaceAllString(text, "$1")
	case "html":
		if strings.Contains(text, "<b>passed</b>") || strings.Contains(text, "<script") || strings.Contains(text, "http-equiv") {
			t.Error("words of a document are markup of the page")
		}
		return html.UnescapeString(text)
	case "docx":
		z, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
		if err != nil {
			t.Fatal(err)
		}
		var all strings.Builder
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			io.Copy(&all, r)
		}
		return html.UnescapeString(regexp.MustCompile(`</?w:[^>]*>`).ReplaceAllString(all.String(), ""))
	case "json":
		var v any
		if err := json.Unmarshal(body, &v); err != nil {
			t.Fatal(err)
		}
		var all strings.Builder
		walk(v, &all)
		return all.String()
	}
	return text
}

func walk(v any, b *strings.Builder) {
	switch v := v.(type) {
	case string:
		b.WriteString(v + "\n")
	case []any:
		for _, x := range v {
			walk(x, b)
		}
	case map[string]any:
		for _, x := range v {
			walk(x, b)
		}
	}
}

// In the page each link of the summary leads to a statement that is there, and each source number to its entry.
func TestThePagesLinksLeadSomewhere(t *testing.T) {
	file, err := dossier.Write(study(), "html", "technical", export.Style{})
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, m := range regexp.MustCompile(` id="([^"]+)"`).FindAllSubmatch(file.Body, -1) {
		ids[string(m[1])] = true
	}
	links := regexp.MustCompile(`href="#([^"]+)"`).FindAllSubmatch(file.Body, -1)
	if len(links) < 4 {
		t.Errorf("%d links", len(links))
	}
	for _, m := range links {
		if !ids[string(m[1])] {
			t.Errorf("#%s leads nowhere", m[1])
		}
	}
}

func TestTheSectionsOfADossier(t *testing.T) {
	file, err := dossier.Write(study(), "markdown", "academic", export.Style{})
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for _, want := range []string{"# Research dossier: the cable", "3 May 2026, 12:00 UTC", "## Executive summary", "## Source citations", "## Evidence analysis", "## Contradictions", "## Validation metrics"} {
		i := strings.Index(string(file.Body[at:]), want)
		if i < 0 {
			t.Fatalf("no %q after byte %d in\n%s", want, at, file.Body)
		}
		at += i
	}
}

func TestUnknownFormatsAndFormsAreNamed(t *testing.T) {
	if _, err := dossier.Write(study(), "pdf", "informal", export.Style{}); !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), "markdown, html, docx, json") {
		t.Errorf("%v", err)
	}
	if _, err := dossier.Write(study(), "html", "poetic", export.Style{}); !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), "informal, academic, technical") {
		t.Errorf("%v", err)
	}
}

func ExampleCompute() {
	fmt.Println(dossier.Compute("specification", true), dossier.Compute("website", true), dossier.Compute("notes", false))
	// Output: high medium low
}
