package cite_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite"
)

func TestReadInputTakesOneAListOrMaps(t *testing.T) {
	one := `{"source":"https://a.org","confidence":0.8}`
	claim := `{"claim_id":"c","claim_text":"t","strength":0.5,"citations":[` + one + `]}`
	for in, want := range map[string]string{one: "c", "[" + one + "," + one + "]": "cc", claim: "m", "\ufeff [" + claim + "," + one + "]\n": "mc", "[]": ""} {
		got, err := cite.ReadInput([]byte(in))
		kinds := ""
		for _, item := range got.Items {
			if item.Map != nil {
				kinds += "m"
			} else {
				kinds += "c"
			}
		}
		if list := strings.HasPrefix(strings.TrimLeft(in, "\ufeff "), "["); err != nil || kinds != want || got.List != list {
			t.Errorf("%s: %q %v", in, kinds, err)
		}
	}
	for in, want := range map[string]string{
		"":                                   "expected JSON",
		"hello":                              "expected JSON",
		"[\n{\"source\":\"a\"},\n}":          "it is not JSON: invalid character '}' looking for beginning of value (line 3, column 1)",
		"\n\n {\"source\" \"a\"}":            "(line 3, column 12)",
		`[{"source":"a"`:                     "it breaks off before its end",
		`[{"source":"a"}, 3]`:                "item 2: not a JSON object",
		`{"source":[]}`:                      "item 1: citation: source is not a string",
		`{"citations":[{"confidence":"x"}]}`: "item 1: citation 1 of the map: citation: confidence is not a number",
	} {
		_, err := cite.ReadInput([]byte(in))
		if !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", in, err)
		}
	}
}

func TestReportHasTheNamesThatProgramsKnow(t *testing.T) {
	c := full()
	b, err := json.Marshal(cite.Check(cite.Item{Citation: &c}, 2026))
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]json.RawMessage
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"source", "is_valid", "errors", "recommendations", "scores"} {
		if got[key] == nil {
			t.Errorf("no %s in %s", key, b)
		}
	}
	for _, key := range []string{"overall_confidence", "base_confidence", "metadata_score", "source_quality_score", "location_score", "factors"} {
		if !strings.Contains(string(got["scores"]), `"`+key+`"`) {
			t.Errorf("no %s in %s", key, got["scores"])
		}
	}
}

// A filter leaves items out, so that their places say nothing: each report names its own.
func TestReportsNameWhatTheyAreOf(t *testing.T) {
	in, err := cite.ReadInput([]byte(`[{"source":"a.pdf","confidence":0.1},{"source":"b.pdf","confidence":0.9},
		{"claim_id":"c-7","claim_text":"t","strength":0.5,"citations":[{"source":"d.pdf","confidence":0.1},{"source":"e.pdf","confidence":0.9}]}]`))
	if err != nil {
		t.Fatal(err)
	}
	reports := cite.CheckAll(cite.FilterInput(in, 0.5), 2026)
	if len(reports) != 2 || reports[0].Source != "b.pdf" || reports[1].ClaimID != "c-7" || len(reports[1].Citations) != 1 || reports[1].Citations[0].Source != "e.pdf" {
		t.Errorf("%+v", reports)
	}
}

func TestRepeatsAreFound(t *testing.T) {
	one := `{"source":"https://doi.org/10.1000/1","confidence":0.8}`
	two := `{"source":"doi:10.1000/1","confidence":0.8}`
	for _, s := range []string{"[" + one + "," + two + "]", `{"claim_id":"c","claim_text":"t","strength":0.5,"citations":[` + one + "," + two + "]}"} {
		in, err := cite.ReadInput([]byte(s))
		if err != nil {
			t.Fatal(err)
		}
		b, _ := json.Marshal(cite.CheckAll(in, 2026))
		if strings.Count(string(b), "the same work as citation 1: same DOI 10.1000/1") != 1 {
			t.Errorf("%s", b)
		}
	}
}

func TestFindings(t *testing.T) {
	check := func(meta map[string]any) string {
		return strings.Join(cite.Citation{Source: "https://a.org", Metadata: meta}.Findings(2026), "\n")
	}
	for _, c := range []struct {
		meta map[string]any
		want string // "" is no finding
	}{
		{map[string]any{"doi": "10.1000/xyz123", "author": "Smith, J. and Doe, A.", "year": "2024", "publication_date": "2024-01-15"}, ""},
		{map[string]any{"doi": "11.1000/x"}, "DOI"}, {map[string]any{"isbn": "978-3-16-148410-1"}, "check digit"},
		{map[string]any{"author": "12345"}, "without letters"}, {map[string]any{"author": "https://x.org"}, "an address"}, {map[string]any{"author": "unknown"}, "no name"},
		{map[string]any{"year": "20x4"}, "not a year"}, {map[string]any{"year": "2124"}, "future"}, {map[string]any{"year": json.Number("2024")}, ""},
		{map[string]any{"publication_date": "2024-13-45"}, "no month 13"}, {map[string]any{"publication_date": "2023-02-29"}, "no day 29"}, {map[string]any{"publication_date": "2024-02-29"}, ""},
		{map[string]any{"publication_date": "soon"}, "expected a date"},
	} {
		if got := check(c.meta); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%v: %q, want %q", c.meta, got, c.want)
		}
	}
}

func TestCheckReference(t *testing.T) {
	var r ibid.Reference
	if err := json.Unmarshal([]byte(`{"id":"a","type":"book","ISBN":"978-3-16-148410-0 0306406152","ISSN":"0378-5955, 2434-561X","DOI":"10.1000/1",
		"author":[{"family":"Öner","given":"Ü."},{"literal":"3M"}],"issued":{"date-parts":[[2020,2,29]]}}`), &r); err != nil {
		t.Fatal(err)
	}
	if got := cite.CheckReference(r, 2026); len(got) != 0 {
		t.Error(got)
	}
	r.Set("ISSN", "0378-5954")
	r.SetDate("issued", ibid.Date{Parts: []ibid.DateParts{{Year: 2020}, {Year: 2019}}})
	if got := strings.Join(cite.CheckReference(r, 2026), "\n"); !strings.Contains(got, "ISSN") || !strings.Contains(got, "before it begins") {
		t.Error(got)
	}
}
