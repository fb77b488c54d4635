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
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite/csl"
	"github.com/ibid-dev/ibid/cite/dossier"
	"github.com/ibid-dev/ibid/cite/export"
	"github.com/ibid-dev/ibid/cite/internal/reading"
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

// What is written is read again, in order, once, and nothing else, whatever signs of the formats stand in it.
func TestEveryWordIsReadAgain(t *testing.T) {
	for _, words := range reading.Hostile {
		line := reading.OneLine(words)
		s := study()
		s.Topic, s.Done = words, false
		s.Sources[1].Source.Reference.Text["title"] = words
		s.Questions[0].Text, s.Questions[0].Evidence[0].Statement = words, words
		s.Questions[1].Text, s.Questions[1].State, s.Questions[1].Note = "Who paid? "+words, dossier.Failed, words
		s.Questions = append(s.Questions, dossier.Question{Number: 3, Text: "And then?", State: dossier.Open})
		places := []*dossier.Place{&s.Questions[0].Evidence[0].Places[0], &s.Questions[0].Evidence[1].Places[0]}
		places[0].Quote, places[0].Locator, places[1].Quote = words, "§ "+words, "so "+words
		s.Contradictions[0].A, s.Contradictions[0].B, s.Contradictions[0].Reason = *places[0], *places[1], words
		quote := [][2]string{{line, "[1] The Cable of 1858, § " + line}, {"so " + line, "[2] " + line}, {"In all 732 messages passed through it.", "[1] The Cable of 1858, p. 4"}}
		about := []string{"figure · disputed · confidence 0.95 (high) · relevance 0.90", "figure · disputed · confidence 0.60 (medium) · relevance 0.60", "statement · unsupported · confidence 0.10 (low) · relevance 0.00"}
		opens := []string{
			"Research dossier: " + line, "3 May 2026, 12:00 UTC · depth shallow · citations informal · under way, 2 of 3 questions asked", "Executive summary",
			"1 of 3 questions are answered, by 3 statements from 2 sources. The sources disagree in 1 place. Not answered: Who paid? " + line,
		}
		entries := []string{"“The Cable of 1858” by Robert Kilbride (2012), kilbride.pdf", "“" + line + "”, https://example.org/almanac"}
		rated := []string{"book, medium credibility", "website, low credibility (by its kind medium)"}
		metrics := []string{"Questions answered|1 of 3", "Statements|3", "High confidence (0.8 and up)|1", "Medium confidence (0.5 and up)|1", "Low confidence (below)|1", "Mean confidence|0.55",
			"Verified: the words stand in the source|0", "Supported: judged to say so|0", "Disputed by another source|2", "Unsupported: the model's own|1", "Sources of high, medium, low credibility|0, 1, 1", "Valid citations|3 of 3", "", "Contradictions between sources|1"}
		score := fmt.Sprintf("Mean citation score|%.2f", s.Measure().AverageCitation)
		metrics[12] = score
		statements := []string{line, "About 400 passed, *it is said*.", "I like cables."}
		failed, open := "Not answered: "+line, "Not asked yet."
		contradiction := line + " (number, high, confidence 0.90)"
		inTable := func(end string) (out []string) {
			for _, m := range metrics {
				out = append(out, strings.Replace(m, "|", " | ", 1)+end)
			}
			return out
		}
		cat := func(parts ...[]string) []string { return slices.Concat(parts...) }
		said := func(q [2]string) string { return q[1] + ": “" + q[0] + "”" }
		want := map[string][]string{
			"markdown": cat(opens, []string{line + " [1]", "Source citations", entries[0] + " — " + rated[0], entries[1] + " — " + rated[1], "Evidence analysis",
				"1. " + line, statements[0] + " [1]", about[0], said(quote[0]), "ibid show abcdef 1", statements[1] + " [1] [2]", about[1], said(quote[1]), said(quote[2]), "ibid show abcdef 2", statements[2] + " ◇", about[2], "ibid show abcdef 3",
				"2. Who paid? " + line, failed, "3. And then?", open, "Contradictions", contradiction, said(quote[0]), said(quote[1]), "Validation metrics", "| |"}, inTable(" |")),
			"html": cat(opens, []string{line + " [1]", "Source citations", entries[0] + " " + rated[0], entries[1] + " " + rated[1], "Evidence analysis",
				"1. " + line, statements[0] + " [1] disputed", about[0], quote[0][0], quote[0][1], "ibid show abcdef 1", statements[1] + " [1] [2] disputed", about[1], quote[1][0], quote[1][1], quote[2][0], quote[2][1], "ibid show abcdef 2",
				statements[2] + " ◇ unsupported", about[2], "No source says so: the model's own words.", "ibid show abcdef 3", "2. Who paid? " + line, failed, "3. And then?", open,
				"Contradictions", "✕ " + line + " number · high · confidence 0.90", quote[0][0], quote[0][1], quote[1][0], quote[1][1], "Validation metrics"}, inTable(" |")),
			"docx": cat(opens, []string{"• " + line + "[^1]", "Source citations", "1. " + entries[0] + " — " + rated[0], "2. " + entries[1] + " — " + rated[1], "Evidence analysis",
				"1. " + line, "• " + statements[0] + "[^2]", about[0], "• " + statements[1] + "[^3][^4]", about[1], "• " + statements[2] + " ◇", about[2], "2. Who paid? " + line, failed, "3. And then?", open,
				"Contradictions", "• " + contradiction + "[^5][^6]", "Validation metrics"}, metrics),
		}
		for i, m := range metrics {
			want["docx"][len(want["docx"])-len(metrics)+i] = strings.Replace(m, "|", ": ", 1)
		}
		for format, want := range want {
			file, err := dossier.Write(s, format, "informal", export.Style{})
			if err != nil {
				t.Fatal(err)
			}
			got := reading.Read(t, format, file.Body)
			if !slices.Equal(got.Lines, want) {
				i := 0
				for i < min(len(want), len(got.Lines)) && want[i] == got.Lines[i] {
					i++
				}
				t.Errorf("%s of %q: from line %d on\n%q, want\n%q", format, words, i, got.Lines[i:], want[i:])
			}
			if notes := []string{said(quote[0]), said(quote[0]), said(quote[1]), said(quote[2]), said(quote[0]), said(quote[1])}; format == "docx" && !slices.Equal(got.Notes, notes) {
				t.Errorf("notes of %q: %q, want %q", words, got.Notes, notes)
			}
		}
	}
}

// An entry that begins with a number keeps it where it is the title's, and loses it where the style counts.
func TestNumbersThatLeadAnEntry(t *testing.T) {
	s := study()
	s.Sources[0].Source.Reference = ibid.Reference{Type: "book", Text: map[string]string{"title": "7. Letters"}}
	for _, form := range dossier.Forms() {
		for _, format := range []string{"markdown", "html", "docx"} {
			file, err := dossier.Write(s, format, form, export.Style{})
			if err != nil {
				t.Fatal(err)
			}
			lines := reading.Read(t, format, file.Body).Lines
			if entry := lines[slices.Index(lines, "Source citations")+1]; !strings.Contains(entry, "7. Letters") || strings.Contains(entry, "[1]") {
				t.Errorf("%s, %s: %q", form, format, entry)
			}
		}
	}
}

// A study without evidence says so and has no empty lists; a source that the study lost is named without a number.
func TestWhatADossierLacks(t *testing.T) {
	lost := study()
	lost.Sources = lost.Sources[:1]
	for name, s := range map[string]dossier.Study{"nothing asked": {Topic: "cables", Depth: dossier.Shallow}, "a source lost": lost} {
		for _, format := range []string{"markdown", "html", "docx"} {
			file, err := dossier.Write(s, format, "informal", export.Style{})
			if err != nil {
				t.Fatal(err)
			}
			r := reading.Read(t, format, file.Body)
			all := strings.Join(append(r.Lines, r.Notes...), "\n")
			if strings.Contains(all, "[0]") || strings.Contains(string(file.Body), "#s0") || strings.Contains(string(file.Body), "l>\n</") || strings.Contains(string(file.Body), " \n") {
				t.Errorf("%s, %s:\n%s", name, format, file.Body)
			}
			if name == "a source lost" && !strings.Contains(all, "s2") || name == "nothing asked" && !strings.Contains(all, "No source is cited.") {
				t.Errorf("%s, %s:\n%s", name, format, all)
			}
		}
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
