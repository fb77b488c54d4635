package cite_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite"
)

// Every day of a year is read as that day and found plausible, and the day behind the last of each month is not.
func TestEveryDay(t *testing.T) {
	for _, year := range []int{984, 1900, 2000, 2023, 2024} {
		for day := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() == year; day = day.AddDate(0, 0, 1) {
			c := cite.Citation{Source: "https://a.org", Metadata: map[string]any{"publication_date": day.Format(time.DateOnly)}}
			want := ibid.Date{Parts: []ibid.DateParts{{Year: year, Month: int(day.Month()), Day: day.Day()}}}
			if got := c.ToReference().Dates["issued"]; !reflect.DeepEqual(got, want) {
				t.Errorf("%s is %+v", day.Format(time.DateOnly), got)
			}
			if got := c.Findings(2026); len(got) > 0 {
				t.Errorf("%s: %q", day.Format(time.DateOnly), got)
			}
			if day.AddDate(0, 0, 1).Day() != 1 {
				continue
			}
			c.Metadata["publication_date"] = fmt.Sprintf("%04d-%02d-%02d", year, day.Month(), day.Day()+1)
			if got := c.Findings(2026); len(got) != 1 || !strings.Contains(got[0], "no day") {
				t.Errorf("%s: %q", c.Metadata["publication_date"], got)
			}
		}
	}
}

// What the exchange form has a place for comes back from it.
func TestRecordOfCitation(t *testing.T) {
	for _, kind := range []string{"article", "article-journal", "book", "chapter", "dataset", "legal_case", "report", "software", "thesis", "webpage"} {
		r := ibid.Reference{Type: kind, Text: map[string]string{"title": "On Cables", "DOI": "10.1000/1"}}
		r.SetNames("author", ibid.Name{Family: "Field", Given: "Cyrus W."}, ibid.Name{Family: "Thomson", Given: "W."})
		r.SetDate("issued", ibid.Date{Parts: []ibid.DateParts{{Year: 1866}}})
		if got := cite.FromAnswer(ibid.Citation{}, ibid.Source{Reference: r}).ToReference(); !reflect.DeepEqual(got, r) {
			t.Errorf("%s: got %+v", kind, got)
		}
	}
	if got := (cite.Citation{Source: "978-3-16-148410-0", Metadata: map[string]any{"citation_type": "printed thing"}}).ToReference(); got.Type != "book" || got.Text["ISBN"] != "978-3-16-148410-0" {
		t.Errorf("%+v", got)
	}
}

// Of two records of a work the fuller words stand in what they are merged to, whichever comes first, and never other words.
func TestMergeKeepsTheFuller(t *testing.T) {
	const doi = `"DOI":"10.1000/1",`
	for _, c := range []struct{ field, thin, full string }{
		{"title", `"title":"The cable"`, `"title":"The cable: a history"`},
		{"page", `"page":"12"`, `"page":"12-34"`},
		{"container-title", `"container-title":"N Engl J Med"`, `"container-title":"New England Journal of Medicine"`},
		{"publisher", `"publisher":"Univ. Press"`, `"publisher":"University Press"`},
		{"note", `"title":"x"`, `"title":"x","note":"kept"`},
		{"author", `"author":[{"family":"Field","given":"C."}]`, `"author":[{"family":"Field","given":"Cyrus"}]`},
		{"author", `"author":[{"family":"Field","given":"Cyrus West"}]`, `"author":[{"family":"Field","given":"C."},{"family":"Thomson","given":"W."}]`},
		{"issued", `"issued":{"date-parts":[[1866]]}`, `"issued":{"date-parts":[[1866,7]]}`},
		{"issued", `"issued":{"date-parts":[[1866,7]]}`, `"issued":{"date-parts":[[1866,7,27]]}`},
		{"issued", `"issued":{"literal":"in press"}`, `"issued":{"date-parts":[[1866]]}`},
		{"type", `"type":"document"`, `"type":"book"`},
		{"x-mine", `"title":"x"`, `"title":"x","x-mine":["kept"]`},
	} {
		refs := make([]ibid.Reference, 2)
		for i, s := range []string{c.thin, c.full} {
			if err := json.Unmarshal([]byte("{"+doi+s+"}"), &refs[i]); err != nil {
				t.Fatal(err)
			}
		}
		for _, order := range [][]ibid.Reference{{refs[0], refs[1]}, {refs[1], refs[0]}} {
			if got := field(t, one(t, order), c.field); got != field(t, refs[1], c.field) {
				t.Errorf("%s: %s of %s and %s", c.field, got, c.thin, c.full)
			}
		}
	}
	for _, c := range [][3]string{
		{"title", `"title":"The cable"`, `"title":"A history of the cable"`},
		{"container-title", `"container-title":"Nature"`, `"container-title":"Proceedings of the Society"`},
		{"container-title", `"container-title":"Med J"`, `"container-title":"Journal of Medicine"`},
		{"issued", `"issued":{"date-parts":[[1866]]}`, `"issued":{"date-parts":[[1867,7]]}`},
		{"note", `"note":"a"`, `"note":"a and b"`},
	} {
		var a, b ibid.Reference
		if json.Unmarshal([]byte("{"+doi+c[1]+"}"), &a) != nil || json.Unmarshal([]byte("{"+doi+c[2]+"}"), &b) != nil {
			t.Fatal(c)
		}
		if got := field(t, one(t, []ibid.Reference{a, b}), c[0]); got != field(t, a, c[0]) {
			t.Errorf("%s of the first record became %s", c[0], got)
		}
	}
}

func one(t *testing.T, refs []ibid.Reference) ibid.Reference {
	t.Helper()
	copies := make([]cite.Copy, len(refs))
	for i, r := range refs {
		copies[i] = cite.Copy{Reference: r}
	}
	works := cite.Deduplicate(copies)
	if len(works) != 1 {
		t.Fatalf("%d works", len(works))
	}
	return works[0].Reference
}

func field(t *testing.T, r ibid.Reference, name string) string {
	t.Helper()
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	return string(all[name])
}

// The tags of CSL are none of a title's words, and angle brackets that are no tag are.
func TestCOinSKeepsAngleBrackets(t *testing.T) {
	for title, want := range map[string]string{
		"Why Vec<T> is fast": "Why+Vec%3CT%3E+is+fast&amp;", "p<q and r>s": "p%3Cq+and+r%3Es&amp;", "The <script> element": "The+%3Cscript%3E+element&amp;",
		`A <i>C. elegans</i> story of H<sub>2</sub>O and <span class="nocase">de facto</span>`: "A+C.+elegans+story+of+H2O+and+de+facto&amp;",
	} {
		r := ibid.Reference{Type: "webpage"}
		r.Set("title", title)
		if got := cite.COinS(r); !strings.Contains(got, "rft.title="+want) {
			t.Errorf("%s: %s", title, got)
		}
	}
}

func TestCOinSHasTheYear(t *testing.T) {
	for in, want := range map[string]string{
		`{"date-parts":[[1858,8,5]]}`: "rft.date=1858-08-05&amp;", `{"raw":"5. August 1858"}`: "rft.date=1858&amp;", `1858`: "rft.date=1858&amp;",
	} {
		var r ibid.Reference
		if err := json.Unmarshal([]byte(`{"type":"book","title":"T","issued":`+in+`}`), &r); err != nil {
			t.Fatal(err)
		}
		if got := cite.COinS(r); !strings.Contains(got, want) {
			t.Errorf("%s: %s", in, got)
		}
	}
}
