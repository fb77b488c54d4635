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
		"Martin Luther King, Jr.":       `[{"family":"King","given":"Martin Luther","suffix":"Jr."}]`,
		"José Ortega y Gasset":          `[{"family":"Ortega y Gasset","given":"José"}]`,
		"Doe, J., Smith, A., & Roe, K.": `[{"family":"Doe","given":"J."},{"family":"Smith","given":"A."},{"family":"Roe","given":"K."}]`,
		"Jane Doe et al.":               `[{"family":"Doe","given":"Jane"}]`,
		"me@example.org":                `null`,
		" ; , ":                         `null`,
		"et al.":                        `null`,
		"and":                           `null`,
		"":                              `null`,
	} {
		if got, _ := json.Marshal(parseNames(in)); string(got) != want {
			t.Errorf("%q: %s\nwant %s", in, got, want)
		}
	}
}

// An institution is one author, whatever stands in its name.
func TestInstitutions(t *testing.T) {
	for _, in := range []string{
		"Centers for Disease Control and Prevention", "National Institutes of Health", "Human Rights Watch", "International Monetary Fund", "O'Brien & Sons, Ltd.",
		"National Academies of Sciences, Engineering, and Medicine", "Medicines and Healthcare products Regulatory Authority", "Food and Drug Administration",
		"Department of Health and Human Services", "Human Rights and Equality Commission", "Médecins sans frontières", "Ärzte ohne Grenzen e.V.", "Doctors without Borders",
		"Société Générale", "Banco de España", "Barnes & Noble", "Simon and Schuster", "John D. and Catherine T. MacArthur Foundation", "Friends of the Earth", "Amnesty International",
		"Bureau of Alcohol, Tobacco, Firearms and Explosives", "Environment, Food and Rural Affairs Committee", "Bundesamt für Statistik", "Robert Koch-Institut", "University of California, Berkeley",
		"Jane Doe and the Centers for Disease Control and Prevention", "Lovelace and Babbage Ltd", "Smith, Brown & Co.", "European Centre for Medium-Range Weather Forecasts", "MacMillan Publishers, Inc.",
	} {
		if got := parseNames(in); len(got) != 1 || got[0].Literal != in || got[0].Family+got[0].Given != "" {
			t.Errorf("%q: %+v", in, got)
		}
	}
}

// People are told apart, also beside institutions where it is plain who is who. Degrees are no part of a name.
func TestPeople(t *testing.T) {
	for in, want := range map[string]string{
		"Ada Lovelace and Charles Babbage": "Ada|Lovelace + Charles|Babbage", "Doe, Jane; Roe, Richard": "Jane|Doe + Richard|Roe", "Jane Doe, Richard Roe & Max Moe": "Jane|Doe + Richard|Roe + Max|Moe",
		"Jane Doe, Richard Roe, and Max Moe": "Jane|Doe + Richard|Roe + Max|Moe", "Doe, Jane and Roe, Richard": "Jane|Doe + Richard|Roe", "Jane Doe et Richard Roe": "Jane|Doe + Richard|Roe",
		"Jane Doe, PhD": "Jane|Doe", "Jane Doe, M.D., Ph.D.": "Jane|Doe", "Jane Doe PhD": "Jane|Doe", "Doe, Jane, PhD": "Jane|Doe", "Jane Doe, MD, Richard Roe, PhD and Max Moe, MSc": "Jane|Doe + Richard|Roe + Max|Moe",
		"Jack Ma": "Jack|Ma", "Iain Banks": "Iain|Banks", "bell hooks": "bell|hooks", "Jean d'Alembert": "Jean|d'Alembert", "danah m. boyd": "danah m.|boyd", "Doe, MD": "MD|Doe", "Smith, JM": "JM|Smith", "Smith, Jane, 1970-2020": "Jane|Smith", "IBM and Jane Doe": "IBM + Jane|Doe", "Juan de los Ríos": "Juan|Ríos",
		"Osama bin Laden and Simone de Beauvoir": "Osama|Laden + Simone|Beauvoir", "jane ann doe": "jane ann|doe", "Jane Doe and others": "Jane|Doe + others",
		"Jane Doe; Centers for Disease Control and Prevention": "Jane|Doe + Centers for Disease Control and Prevention", "J. Doe, A. B. Smith and WHO Study Group": "J.|Doe + A. B.|Smith + WHO Study Group",
		"Jane Doe, Harvard University": "Jane|Doe + Harvard University", "Ana García y Luis Pérez": "Ana García y Luis Pérez",
	} {
		var got []string
		for _, n := range parseNames(in) {
			if n.Literal == "" {
				n.Literal = n.Given + "|" + n.Family
			}
			got = append(got, n.Literal)
		}
		if s := strings.Join(got, " + "); s != want {
			t.Errorf("%q: %s, want %s", in, s, want)
		}
	}
}

func TestParseDate(t *testing.T) {
	for in, want := range map[string]string{
		"2021-03-04": `[[2021,3,4]]`, "2021-03-04T10:00:00+02:00": `[[2021,3,4]]`, "2021/3": `[[2021,3]]`, "2021": `[[2021]]`, "D:20190304120000Z": `[[2019,3,4]]`,
		"20190304": `[[2019,3,4]]`, "4 March 2021": `[[2021,3,4]]`, "March 4, 2021": `[[2021,3,4]]`, "Mar. 2021": `[[2021,3]]`, "4. März 2021": `[[2021,3,4]]`, "31/12/2020": `[[2020,12,31]]`,
		"12/31/2020": `[[2020,12,31]]`, "03/04/2020": `[[2020]]`, "03.04.2020": `[[2020,4,3]]`, "Thu, 04 Mar 2021 10:00:00 GMT": `[[2021,3,4]]`,
		"16 août 1858": `[[1858,8,16]]`, "2nd of May, 1858": `[[1858,5,2]]`, "déc. 1858": `[[1858,12]]`, "Februar 1858": `[[1858,2]]`,
		"5 de agosto de 1858": `[[1858,8,5]]`, "1.º de enero de 2020": `[[2020,1,1]]`, "julio de 2020": `[[2020,7]]`, "abril 5 de 2020": `[[2020,4,5]]`, "1º maggio 2020": `[[2020,5,1]]`, "settembre 2020": `[[2020,9]]`,
		"3 mei 2020": `[[2020,5,3]]`, "12 mrt. 2020": `[[2020,3,12]]`, "7 de março de 2020": `[[2020,3,7]]`, "den 9 maj 2020": `[[2020,5,9]]`, "5 października 2020 r.": `[[2020,10,5]]`, "Wrzesień 2020 r.": `[[2020,9]]`,
		"1er août 2020": `[[2020,8,1]]`, "5 сентября 2020 г.": `[[2020,9,5]]`, "5 Ağustos 2020": `[[2020,8,5]]`, "2020年3月5日": `[[2020,3,5]]`, "Şubat 5, 2020": `[[2020,2,5]]`, "2020年3月": `[[2020,3]]`, "5 aou\u0302t 2020": `[[2020,8,5]]`,
		"Market 4, 2021": ``, "4 Decades 2021": ``, "4 Cables 2021": ``, "Cables 4, 2021": ``, "Cables 2021": ``,
		"2021-13-45": `[[2021]]`, "2021-06-31": `[[2021,6]]`, "2020-02-29": `[[2020,2,29]]`, "2021-02-29": `[[2021,2]]`, "1583280000": ``, "1612051200000": ``, "20190304120000": `[[2019,3,4]]`, "yesterday": ``, "0000-00-00": ``, "99999": ``, "": ``,
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
