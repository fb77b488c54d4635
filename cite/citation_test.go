package cite_test

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite"
)

func full() cite.Citation {
	return cite.Citation{
		Source: "https://arxiv.org/abs/2401.12345", Location: "Section 3.2, Figure 4", Confidence: 0.95,
		Snippet:  "Our experiments show a 23% improvement in accuracy...",
		Metadata: map[string]any{"author": "Smith, J.", "year": "2024", "title": "Machine Learning Advances", "citation_type": "academic_paper", "peer_reviewed": true},
	}
}

func paper() cite.Citation {
	return cite.Citation{
		Source: "research_paper.pdf", Location: "Page 42", Confidence: 0.85,
		Metadata: map[string]any{"author": "Doe, A.", "year": "2023", "title": "AI Studies"},
	}
}

func TestShortStyles(t *testing.T) {
	short := cite.Citation{Source: "https://arxiv.org/abs/2401.12345", Metadata: map[string]any{"author": "Smith, J.", "year": "2024", "title": "Machine Learning"}}
	sectioned := short
	sectioned.Location = "Section 3.2"
	with := func(location string, pairs ...any) cite.Citation {
		c := cite.Citation{Source: "S", Location: location, Metadata: map[string]any{}}
		for i := 0; i < len(pairs); i += 2 {
			c.Metadata[pairs[i].(string)] = pairs[i+1]
		}
		return c
	}
	for _, c := range []struct {
		rule  string
		in    cite.Citation
		style cite.Style
		want  string
	}{
		{"APA example", full(), cite.APA, "Smith, J. (2024). Machine Learning Advances. Retrieved from https://arxiv.org/abs/2401.12345 (Section 3.2, Figure 4)"},
		{"MLA example", full(), cite.MLA, `Smith, J. "Machine Learning Advances." https://arxiv.org/abs/2401.12345, 2024. Section 3.2, Figure 4`},
		{"Chicago example", full(), cite.Chicago, `Smith, J. "Machine Learning Advances." https://arxiv.org/abs/2401.12345 (2024): Section 3.2, Figure 4`},
		{"APA without location", short, cite.APA, "Smith, J. (2024). Machine Learning. Retrieved from https://arxiv.org/abs/2401.12345"},
		{"MLA without location", short, cite.MLA, `Smith, J. "Machine Learning." https://arxiv.org/abs/2401.12345, 2024.`},
		{"Chicago with section", sectioned, cite.Chicago, `Smith, J. "Machine Learning." https://arxiv.org/abs/2401.12345 (2024): Section 3.2`},
		{"APA with nothing but a source", with(""), cite.APA, "Retrieved from S"},
		{"MLA with nothing but a source", with(""), cite.MLA, "S"},
		{"Chicago with nothing but a source", with(""), cite.Chicago, "S"},
		{"APA with location only", with("L"), cite.APA, "Retrieved from S (L)"},
		{"MLA with location only", with("L"), cite.MLA, "S, L"},
		{"Chicago with location only", with("L"), cite.Chicago, "S: L"},
		{"a full stop is set where the author has none", with("", "author", "Smith et al"), cite.APA, "Smith et al. Retrieved from S"},
		{"one full stop, never two", with("", "author", "Smith et al.", "title", "Part I."), cite.MLA, `Smith et al. "Part I." S`},
		{"a question mark ends a title", with("", "title", "Why?"), cite.APA, "Why? Retrieved from S"},
		{"year from the publication date", with("", "publication_date", "2024-01-15"), cite.Chicago, "S (2024)"},
		{"year before publication date", with("", "year", 1999, "publication_date", "2024-01-15"), cite.Chicago, "S (1999)"},
		{"a blank year is no year", with("", "year", " ", "publication_date", "2024"), cite.Chicago, "S (2024)"},
		{"characters, not bytes", with("", "publication_date", "２０２４年"), cite.Chicago, "S (２０２４)"},
		{"blank fields leave no trace", with(" ", "author", "", "title", " "), cite.MLA, "S"},
		{"several authors as a list", with("", "author", []any{"Smith, J.", "Doe, A."}), cite.MLA, "Smith, J. and Doe, A. S"},
	} {
		got, err := cite.Format(c.in, c.style)
		if err != nil || got != c.want {
			t.Errorf("%s:\n got %s (%v)\nwant %s", c.rule, got, err, c.want)
		}
	}
	_, err := cite.Format(full(), "bluebook")
	if err == nil || err.Error() != "Unsupported citation style: bluebook" || !errors.Is(err, ibid.ErrInvalid) {
		t.Errorf("unknown style: %v", err)
	}
}

func TestMapForm(t *testing.T) {
	m := cite.CitationMap{ClaimID: "c", ClaimText: "Machine learning models improve accuracy by 23%", Strength: 0.9, Citations: []cite.Citation{
		{Source: "https://arxiv.org/abs/2401.12345", Metadata: map[string]any{"author": "Smith, J.", "year": "2024", "title": "ML Research"}},
		{Source: "paper2.pdf", Metadata: map[string]any{"author": "Doe, A.", "year": "2024", "title": "AI Studies"}},
	}}
	want := `Claim: Machine learning models improve accuracy by 23%

Citations:
1. Smith, J. (2024). ML Research. Retrieved from https://arxiv.org/abs/2401.12345
2. Doe, A. (2024). AI Studies. Retrieved from paper2.pdf`
	if got, err := cite.FormatMap(m, cite.APA, true); got != want || err != nil {
		t.Errorf("got %s (%v)", got, err)
	}
	if got, _ := cite.FormatMap(m, cite.APA, false); got != want[strings.Index(want, "Citations:"):] {
		t.Errorf("without the claim: %s", got)
	}
	m.Citations = nil
	if got, _ := cite.FormatMap(m, cite.APA, true); got != "Claim: Machine learning models improve accuracy by 23%\n\nNo citations available" {
		t.Errorf("no citations: %q", got)
	}
	if _, err := cite.FormatMap(m, "x", true); err == nil {
		t.Error("an unknown style is an error for an empty map too")
	}
}

func TestGoldenScores(t *testing.T) {
	bare := func(source string, confidence float64) cite.Citation {
		return cite.Citation{Source: source, Confidence: confidence}
	}
	three := bare("http://example.com/a", 0.7)
	three.Metadata = map[string]any{"author": "A", "year": 2020, "title": "T"}
	for _, c := range []struct {
		name string
		in   cite.Citation
		want float64
	}{
		{"full arXiv example", full(), 0.955},
		{"paper with page", paper(), 0.78},
		{"bare https", bare("https://example.com", 0.7), 0.44},
		{"http with three metadata", three, 0.625},
	} {
		if got := cite.Score(c.in).Overall; got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}

	m := cite.ScoreMap(cite.CitationMap{Citations: []cite.Citation{full(), paper()}, Strength: 0.9})
	if m.Overall != 0.784 || m.Min != 0.78 || m.Max != 0.955 || m.Count != 2 {
		t.Errorf("map of two: %+v", m)
	}
	ten := cite.CitationMap{Strength: 0.8}
	for range 10 {
		ten.Citations = append(ten.Citations, bare("https://example.com", 0.8))
	}
	if got := cite.ScoreMap(ten).Overall; got != 0.68 {
		t.Errorf("ten bare https: %v", got)
	}
	if got := cite.ScoreMap(cite.CitationMap{Strength: 0.9}); got.Overall != 0 || got.Strength != 0.9 || got.Individual == nil {
		t.Errorf("no citations: %+v", got)
	}
}

func TestScoresByParts(t *testing.T) {
	for source, want := range map[string]float64{
		"https://arxiv.org/abs/2401.12345": 1, "arXiv:2401.12345v2": 1, "hep-th/9901001": 1,
		"doi:10.1000/xyz123": 1, "https://doi.org/10.1000/xyz": 1, "10.1000/xyz": 1, "http://dx.doi.org/10.1000/xyz": 1,
		"https://cs.stanford.edu/a": 0.9, "http://www.ox.ac.uk/": 0.9, "https://www.unimelb.edu.au": 0.9,
		"https://education.com/x.edu": 0.8, "https://ac.me.com/": 0.8, "https://example.com/a.pdf": 0.8, "https://example.com/?u=arxiv.org": 0.8,
		"http://example.com/a.pdf": 0.7, "notes/a.docx": 0.7, "a.DOC": 0.7,
		"http://example.com": 0.6, "ISBN 978-3-16-148410-0": 0.5, "hearsay": 0.5, "": 0.5,
	} {
		if got := cite.Score(cite.Citation{Source: source}).Source; got != want {
			t.Errorf("source %q: %v, want %v", source, got, want)
		}
	}
	for location, want := range map[string]float64{
		"": 0, " ": 0, "Figure 4": 0.5, "Page 42": 0.75, "p. 3": 0.75, "pp.3-4": 0.75, "Homepage": 0.5, "step. 3": 0.5, "webpage 2": 0.5,
		"Section 3.2": 0.75, "Chapter 1, page 4": 1, "§ 4, p. 7": 1, "intersection": 0.5, "00:15:30": 0.5,
	} {
		if got := cite.Score(cite.Citation{Location: location}).Location; got != want {
			t.Errorf("location %q: %v, want %v", location, got, want)
		}
	}
}

func TestValidationMessages(t *testing.T) {
	v := cite.Citation{Confidence: 1.5}.Validate()
	if v.Valid || !reflect.DeepEqual(v.Errors, []string{"Missing or empty source", "Confidence 1.5 out of valid range [0.0, 1.0]"}) {
		t.Errorf("errors: %+v", v)
	}
	v = cite.Citation{Source: "hearsay", Confidence: 0.5}.Validate()
	want := []string{
		"Missing author metadata (recommended)", "Missing year/publication_date metadata (recommended)",
		"Missing title metadata (recommended)", "Source format not recognized (should be URL, file path, or DOI)",
	}
	if !v.Valid || !reflect.DeepEqual(v.Recommendations, want) || len(v.Errors) != 0 {
		t.Errorf("recommendations: %+v", v)
	}
	if v := full().Validate(); !v.Valid || len(v.Recommendations) != 0 {
		t.Errorf("full citation: %+v", v)
	}
	if v := (cite.Citation{Source: "s", Confidence: 2}).Validate(); v.Errors[0] != "Confidence 2.0 out of valid range [0.0, 1.0]" {
		t.Errorf("a whole number: %v", v.Errors)
	}
	for _, source := range []string{
		"http://example.com", "https://example.com/x", "/home/a/b.txt", "./b", "paper2.pdf", "docs/study", `C:\papers\x`, "My paper.pdf",
		"doi:10.1000/x", "https://doi.org/10.1000/x", "10.1000/x", "arXiv:2401.12345", "2401.12345", "ISBN 978-0-123456-78-9", "9783161484100", "0-306-40615-2",
	} {
		if cite.Classify(source) == cite.Unrecognised {
			t.Errorf("%q is not recognised", source)
		}
	}
	for _, source := range []string{"hearsay", "Smith 2024", "http://", "mailto:a@b.c", "see section 2.", "1234", "javascript:alert(1)", "ftp://host/file"} {
		if k := cite.Classify(source); k != cite.Unrecognised {
			t.Errorf("%q is recognised as %s", source, k)
		}
	}
}

func TestConstructorsRefuse(t *testing.T) {
	for _, c := range []struct {
		source string
		n      float64
	}{{"", 0.5}, {" ", 0.5}, {"s", -0.1}, {"s", 1.1}, {"s", math.NaN()}, {"s", math.Inf(1)}} {
		if _, err := cite.NewCitation(c.source, c.n); !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("%q %v: %v", c.source, c.n, err)
		}
	}
	if _, err := cite.NewCitationMap("", "t", 0.5); !errors.Is(err, ibid.ErrInvalid) {
		t.Error("empty claim_id")
	}
	if _, err := cite.NewCitationMap("c", "", 0.5); !errors.Is(err, ibid.ErrInvalid) {
		t.Error("empty claim_text")
	}
	if _, err := cite.NewCitationMap("c", "t", 7); !errors.Is(err, ibid.ErrInvalid) {
		t.Error("strength out of range")
	}
	if m, err := cite.NewCitationMap("c", "t", 0.5, full()); err != nil || len(m.Citations) != 1 {
		t.Error(m, err)
	}
}

// JSON there and back is a law, for what constructors make and for what is out of range.
func TestJSONThereAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		meta := rapid.MapOfN(rapid.String(), rapid.OneOf(
			rapid.Map(rapid.String(), func(s string) any { return s }),
			rapid.Map(rapid.Bool(), func(b bool) any { return b }),
			rapid.Map(rapid.Int64(), func(n int64) any { b, _ := json.Marshal(n); return json.Number(b) }),
			rapid.Just(any(nil)),
		), 0, 4)
		citation := rapid.Custom(func(t *rapid.T) cite.Citation {
			return cite.Citation{
				Source: rapid.String().Draw(t, "source"), Location: rapid.String().Draw(t, "location"),
				Confidence: rapid.Float64Range(-2, 2).Draw(t, "confidence"), Snippet: rapid.String().Draw(t, "snippet"), Metadata: meta.Draw(t, "metadata"),
			}
		})
		m := cite.CitationMap{
			ClaimID: rapid.String().Draw(t, "id"), ClaimText: rapid.String().Draw(t, "text"), Strength: rapid.Float64Range(0, 1).Draw(t, "strength"),
			Citations: rapid.SliceOfN(citation, 0, 4).Draw(t, "citations"), Metadata: meta.Draw(t, "metadata"),
		}
		b, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var back cite.CitationMap
		if err := json.Unmarshal(b, &back); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(m, back) {
			t.Fatalf("%#v\n%#v\n%s", m, back, b)
		}
	})
}

func TestMissingNumbersAreNotZero(t *testing.T) {
	var c cite.Citation
	if err := json.Unmarshal([]byte(`{"source":"s","location":null}`), &c); err != nil {
		t.Fatal(err)
	}
	if v := c.Validate(); v.Valid || v.Errors[0] != "Missing confidence" {
		t.Errorf("%+v", v)
	}
	if b, err := json.Marshal(c); err != nil || string(b) != `{"source":"s","metadata":{}}` {
		t.Errorf("%s %v", b, err)
	}
	for _, bad := range []string{`[]`, `{"source":3}`, `{"source":"s","confidence":"high"}`, `{"metadata":[]}`, `null`} {
		if err := json.Unmarshal([]byte(bad), &c); bad != "null" && !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func TestFilter(t *testing.T) {
	got := cite.Filter([]cite.Citation{{Source: "a", Confidence: 0.9}, {Source: "b", Confidence: 0.5}, {Source: "c", Confidence: math.NaN()}}, 0.5)
	if len(got) != 2 || got[1].Source != "b" {
		t.Error(got)
	}
}

func TestFromAnswer(t *testing.T) {
	source := ibid.Source{URI: "file:///home/me/secret/cable.pdf", Reference: ibid.Reference{Type: "book"}}
	source.Reference.Set("title", "The Cable of 1858")
	source.Reference.SetNames("author", ibid.Name{Family: "Gogh", Given: "Vincent", NonDroppingParticle: "van"}, ibid.Name{Literal: "The Crew"})
	source.Reference.SetDate("issued", ibid.NewDate(1858))
	c := cite.FromAnswer(ibid.Citation{Quote: "the landing", Locator: "p. 3", Confidence: 0.9}, source)
	if got, _ := cite.Format(c, cite.Chicago); got != `van Gogh, Vincent and The Crew. "The Cable of 1858." cable.pdf (1858): p. 3` {
		t.Error(got)
	}
	source.Reference.Set("DOI", "10.1000/XYZ")
	if c := cite.FromAnswer(ibid.Citation{}, source); c.Source != "https://doi.org/10.1000/xyz" {
		t.Error(c.Source)
	}
}
