package ingest

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestParseNames(t *testing.T) {
	for in, want := range map[string]string{
		"Jane Doe":                      `[{"family":"Doe","given":"Jane"}]`,
		"Doe, Jane":                     `[{"family":"Doe","given":"Jane"}]`,
		"Smith, J.":                     `[{"family":"Smith","given":"J."}]`,
		"Jane van der Berg":             `[{"family":"Berg","given":"Jane","non-dropping-particle":"van der"}]`,
		"van der Berg, Jane":            `[{"family":"Berg","given":"Jane","non-dropping-particle":"van der"}]`,
		"Berg, Jane van der":            `[{"family":"Berg","given":"Jane","dropping-particle":"van der"}]`,
		"Martin Luther King Jr.":        `[{"family":"King","given":"Martin Luther","suffix":"Jr."}]`,
		"King, Martin Luther, Jr.":      `[{"family":"King","given":"Martin Luther","suffix":"Jr."}]`,
		"IBM":                           `[{"literal":"IBM"}]`,
		"Plato":                         `[{"literal":"Plato"}]`,
		"Ministry of Health and Sport":  `[{"literal":"Ministry of Health and Sport"}]`,
		"The Beatles":                   `[{"literal":"The Beatles"}]`,
		"University of Bonn":            `[{"literal":"University of Bonn"}]`,
		"Jane Doe and John Smith":       `[{"family":"Doe","given":"Jane"},{"family":"Smith","given":"John"}]`,
		"Jane Doe, John Smith":          `[{"family":"Doe","given":"Jane"},{"family":"Smith","given":"John"}]`,
		"J. Doe, A. B. Smith & C. Roe":  `[{"family":"Doe","given":"J."},{"family":"Smith","given":"A. B."},{"family":"Roe","given":"C."}]`,
		"Doe, Jane; Smith, John":        `[{"family":"Doe","given":"Jane"},{"family":"Smith","given":"John"}]`,
		"By Dr. Jane Doe":               `[{"family":"Doe","given":"Jane"}]`,
		"Jane Doe1,2*":                  `[{"family":"Doe","given":"Jane"}]`,
		"DUPONT Jean":                   `[{"family":"Dupont","given":"Jean"}]`,
		"Anderson, Alexandra":           `[{"family":"Anderson","given":"Alexandra"}]`,
		"Ludwig van Beethoven":          `[{"family":"Beethoven","given":"Ludwig","non-dropping-particle":"van"}]`,
		"https://facebook.com/somebody": `null`,
		"me@example.org":                `null`,
		" ; , ":                         `null`,
		"":                              `null`,
	} {
		if got, _ := json.Marshal(parseNames(in)); string(got) != want {
			t.Errorf("%q: %s\nwant %s", in, got, want)
		}
	}
}

func TestParseDate(t *testing.T) {
	for in, want := range map[string]string{
		"2021-03-04": `[[2021,3,4]]`, "2021-03-04T10:00:00+02:00": `[[2021,3,4]]`, "2021/3": `[[2021,3]]`, "2021": `[[2021]]`, "D:20190304120000Z": `[[2019,3,4]]`,
		"20190304": `[[2019,3,4]]`, "4 March 2021": `[[2021,3,4]]`, "March 4, 2021": `[[2021,3,4]]`, "Mar. 2021": `[[2021,3]]`, "4. März 2021": `[[2021,3,4]]`, "31/12/2020": `[[2020,12,31]]`,
		"12/31/2020": `[[2020,12,31]]`, "03/04/2020": `[[2020]]`, "03.04.2020": `[[2020,4,3]]`, "Thu, 04 Mar 2021 10:00:00 GMT": `[[2021,3,4]]`,
		"2021-13-45": `[[2021]]`, "yesterday": ``, "0000-00-00": ``, "99999": ``, "": ``,
	} {
		d := parseDate(in)
		got := ""
		if len(d.Parts) > 0 {
			b, _ := json.Marshal(d)
			got = strings.TrimSuffix(strings.TrimPrefix(string(b), `{"date-parts":`), "}")
		}
		if got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

func TestFindDOI(t *testing.T) {
	for in, want := range map[string]string{
		"https://doi.org/10.1098/rspl.1858.0140.": "10.1098/rspl.1858.0140", "doi:10.1000/182": "10.1000/182", "(see 10.1002/(SICI)1097-0258)": "10.1002/(SICI)1097-0258",
		"(10.1000/abc)": "10.1000/abc", "10.5/x": "", "110.1000/x": "", "no": "", "10.1000/": "",
	} {
		if got := findDOI(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestGoodTitle(t *testing.T) {
	for in, want := range map[string]string{
		"On Cables": "On Cables", "Microsoft Word - On Cables": "On Cables", "Microsoft Word - draft.doc": "", "untitled": "", "Untitled-1": "", "Document1": "", "paper.dvi": "",
		"final report v3.pdf": "", "img_2034": "", "C:\\docs\\x": "", "2021": "", "Node.js in Action": "Node.js in Action", "Cables": "Cables",
	} {
		if got := goodTitle(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
