package csl

import (
	"encoding/json"
	"strings"
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
		`{"raw":"12. April 1994"}`:               "12 Apr. 1994",
		`{"raw":"5 de agosto de 1858"}`:          "5 Aug. 1858",
		`{"raw":"févr. 2020"}`:                   "Feb. 2020",
		`{"raw":"Market 2020"}`:                  "Market 2020",
		`{"raw":"Spring 1999"}`:                  "spring 1999",
		`{"raw":"1994-04-12T10:00:00Z"}`:         "12 Apr. 1994",
		`{"raw":"4/12/1994"}`:                    "12 Apr. 1994",
		`{"raw":"1994-04-12 10:00:00"}`:          "12 Apr. 1994",
		`{"raw":"04/1994"}`:                      "Apr. 1994",
		`{"raw":"1994/04"}`:                      "Apr. 1994",
		`{"raw":"4/12/94"}`:                      "4/12/94",
		`{"raw":"4-12-1994"}`:                    "4-12-1994",
		`{"raw":"12–15 May 2004"}`:               "12–15 May 2004",
		`{"raw":"12-15 May 2004"}`:               "12–15 May 2004",
		`{"raw":"May 12–15, 2004"}`:              "12–15 May 2004",
		`{"raw":"May 12th-15th, 2004"}`:          "12–15 May 2004",
		`{"raw":"30 May – 2 June 2004"}`:         "30 May–2 June 2004",
		`{"raw":"May-June 2004"}`:                "May–June 2004",
		`{"raw":"Spring-Summer 1999"}`:           "spring–Summer 1999",
		`{"raw":"Dec 1999-Jan 2000"}`:            "Dec. 1999–Jan. 2000",
		`{"raw":"1999-2000"}`:                    "1999–2000",
		`{"raw":"1998-99"}`:                      "1998–1999",
		`{"raw":"1998–99"}`:                      "1998–1999",
		`{"raw":"1999/00"}`:                      "1999–2000",
		`{"raw":"1999-00"}`:                      "1999–2000",
		`{"raw":"1998-00"}`:                      "1998",
		`{"raw":"2004-12"}`:                      "Dec. 2004",
		`{"raw":"2004–03"}`:                      "2004–03",
		`{"raw":"2004-06-05/10"}`:                "5–10 June 2004",
		`{"raw":"2004-06-05/07-10"}`:             "5 June–10 July 2004",
		`{"raw":"2004-06/07"}`:                   "June–July 2004",
		`{"raw":"2004/"}`:                        "2004–",
		`{"raw":"mid-2004"}`:                     "mid-2004",
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

// What is said to be about right is: by the words and signs of people and of EDTF, and by the field beside the parts.
func TestUncertainDates(t *testing.T) {
	style, err := ParseStyle(strings.NewReader(strings.Replace(shell, "BODY", `<citation><layout><choose><if is-uncertain-date="issued"><text value="about "/></if></choose>
		<date variable="issued" form="numeric" date-parts="year"/></layout></citation>`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	for raw, want := range map[string]string{
		`{"raw":"ca. 1850"}`:                         "about 1850",
		`{"raw":"Circa 1850"}`:                       "about 1850",
		`{"raw":"c. 1850"}`:                          "about 1850",
		`{"raw":"ca 1850–1860"}`:                     "about 1850–1860",
		`{"raw":"1850~"}`:                            "about 1850",
		`{"raw":"1850?"}`:                            "about 1850",
		`{"raw":"1850%"}`:                            "about 1850",
		`{"raw":"1850"}`:                             "1850",
		`{"raw":"1850","circa":true}`:                "about 1850",
		`{"date-parts":[[1850]],"circa":1}`:          "about 1850",
		`{"date-parts":[[1850],[1860]],"circa":"1"}`: "about 1850–1860",
		`{"date-parts":[[1850]],"circa":"0"}`:        "1850",
		`{"date-parts":[[1850]],"circa":false}`:      "1850",
	} {
		var d ibid.Date
		if err := json.Unmarshal([]byte(raw), &d); err != nil {
			t.Fatal(err)
		}
		doc, err := NewDocument(style, Options{Items: []ibid.Reference{{ID: "a", Type: "book", Dates: map[string]ibid.Date{"issued": d}}}})
		if err != nil {
			t.Fatal(err)
		}
		doc.Cite(Cluster{Items: []CiteItem{{ID: "a"}}})
		if got := doc.Citations(Text)[0]; got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
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
