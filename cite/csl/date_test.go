package csl

import (
	"encoding/json"
	"testing"

	"github.com/ibid-dev/ibid"
)

func TestDatesAsPeopleWriteThem(t *testing.T) {
	style := builtin(t, "mla")
	for raw, want := range map[string]string{
		`{"date-parts":[[2020,3,5]]}`:            "5 Mar. 2020",
		`{"date-parts":[["2020","3"]]}`:          "Mar. 2020",
		`{"date-parts":[[2020,3,5],[2020,3,9]]}`: "5–9 Mar. 2020",
		`{"date-parts":[[2020,3,5],[2021,4,9]]}`: "5 Mar. 2020–9 Apr. 2021",
		`{"date-parts":[[2024,13,45]]}`:          "spring 2024",
		`{"date-parts":[[2024,77,45]]}`:          "2024",
		`{"date-parts":[[2020]],"season":3}`:     "autumn 2020",
		`{"raw":"2004-10-14/2004-11-01"}`:        "14 Oct.–1 Nov. 2004",
		`{"raw":"2001-22"}`:                      "summer 2001",
		`{"raw":"1984~"}`:                        "1984",
		`{"raw":"2010/.."}`:                      "2010–",
		`{"raw":"-0044-03-15"}`:                  "15 Mar. 44 BC",
		`{"raw":"12 April 1994"}`:                "12 Apr. 1994",
		`{"raw":"April 12th, 1994"}`:             "12 Apr. 1994",
		`{"raw":"Spring 1999"}`:                  "spring 1999",
		`{"raw":"1994-04-12T10:00:00Z"}`:         "12 Apr. 1994",
		`{"raw":"4/12/1994"}`:                    "12 Apr. 1994",
		`{"edtf":"2004-06-XX"}`:                  "June 2004",
		`"199X"`:                                 "1990s",
		`{"edtf":"19XX"}`:                        "1900s",
		`"2019-02"`:                              "Feb. 2019",
		`2019`:                                   "2019",
		`{"literal":"in the year of the flood"}`: "in the year of the flood",
		`{"raw":"whenever"}`:                     "whenever",
		`{"date-parts":[[476]]}`:                 "476 AD",
	} {
		var d ibid.Date
		if err := json.Unmarshal([]byte(raw), &d); err != nil {
			t.Errorf("%s: %v", raw, err)
			continue
		}
		r := ibid.Reference{ID: "a", Type: "article-newspaper", Dates: map[string]ibid.Date{"issued": d}}
		r.Set("title", "T")
		if got := onlyEntry(t, style, r); got != "“T.” "+upperFirst(want)+"." {
			t.Errorf("%s: %s, want %s", raw, got, want)
		}
	}
}

// A date that stands as it is stands there once, also where a style asks for its year and then for its month and day.
func TestLiteralDateIsSaidOnce(t *testing.T) {
	r := ibid.Reference{ID: "a", Type: "article-magazine", Dates: map[string]ibid.Date{"issued": {Literal: "forthcoming"}}}
	r.Set("title", "T")
	if got, want := onlyEntry(t, builtin(t, "apa"), r), "T. (forthcoming)."; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// onlyEntry is the bibliography of one reference, as text.
func onlyEntry(t *testing.T, style *Style, r ibid.Reference) string {
	t.Helper()
	doc, err := NewDocument(style, Options{Items: []ibid.Reference{r}})
	if err != nil {
		t.Fatal(err)
	}
	doc.Nocite()
	b, err := doc.Bibliography(Text)
	if err != nil {
		t.Fatal(err)
	}
	return b.Entries[0].Text
}
