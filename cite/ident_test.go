package cite_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite"
)

// Every spelling of an identifier gives the same one; "" is an error.
func TestIdentifiers(t *testing.T) {
	arxiv := func(s string) (string, error) { a, err := cite.ParseArXiv(s); return a.String(), err }
	for _, c := range []struct {
		name  string
		parse func(string) (string, error)
		in    map[string]string
	}{
		{"DOI", cite.ParseDOI, map[string]string{
			"10.1056/NEJMc2103740": "10.1056/nejmc2103740", "doi:10.1000/xyz123": "10.1000/xyz123", "DOI: 10.1000/xyz123.": "10.1000/xyz123",
			"https://doi.org/10.1016/S0140-6736(20)30154-9": "10.1016/s0140-6736(20)30154-9", "http://dx.doi.org/10.1000/a%2Fb": "10.1000/a/b",
			"doi.org/10.1000/xyz?via=x": "10.1000/xyz", "https://doi.org/f5kc": "10/f5kc", "info:doi/10.1000/182": "10.1000/182", "10.1000.10/123456": "10.1000.10/123456",
			"10.1000": "", "11.1000/x": "", "10.1/x": "", "https://example.com/10.1000/x": "", "": "", "10.1000/a b": "",
		}},
		{"arXiv", arxiv, map[string]string{
			"2401.12345": "2401.12345", "arXiv:2401.12345v3": "2401.12345v3", "https://arxiv.org/abs/2401.12345v2": "2401.12345v2", "https://arxiv.org/pdf/0704.0001.pdf": "0704.0001",
			"10.48550/arXiv.2401.12345": "2401.12345", "hep-th/9901001": "hep-th/9901001", "arXiv:math.GT/0309136v1": "math/0309136v1", "arXiv:2401.12345v1 [cs.CL]": "2401.12345v1",
			"1412.0001": "1412.0001", "1412.00001": "", "1501.00001": "1501.00001", "1501.0001": "", "2413.12345": "", "2401.1234": "", "0704.00001": "", "0703.0001": "", "foo/9901001": "", "": "", "2401.12345v0": "",
		}},
		{"ISBN", cite.ParseISBN, map[string]string{
			"978-3-16-148410-0": "9783161484100", "ISBN 978 3 16 148410 0": "9783161484100", "0-306-40615-2": "9780306406157", "ISBN-10: 0-8044-2957-X": "9780804429573", "urn:isbn:080442957x": "9780804429573",
			"978-3-16-148410-1": "", "0-306-40615-3": "", "977-3-16-148410-0": "", "12345": "", "": "", "X306406152": "", "97831614841a0": "",
		}},
		{"ISSN", cite.ParseISSN, map[string]string{"0378-5955": "0378-5955", "ISSN 2434-561X": "2434-561X", "e-ISSN: 2434561x": "2434-561X", "0378-5954": "", "0378": "", "": ""}},
		{"ORCID", cite.ParseORCID, map[string]string{
			"0000-0002-1825-0097": "0000-0002-1825-0097", "https://orcid.org/0000-0001-5109-3700": "0000-0001-5109-3700", "0000-0002-1694-233X": "0000-0002-1694-233X",
			"0000-0002-1825-0098": "", "": "",
		}},
		{"PMID", cite.ParsePMID, map[string]string{"33826819": "33826819", "PMID: 33826819": "33826819", "https://pubmed.ncbi.nlm.nih.gov/33826819/": "33826819", "0123": "", "1234567890": "", "": ""}},
		{"PMCID", cite.ParsePMCID, map[string]string{"PMC8063884": "PMC8063884", "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC8063884/": "PMC8063884", "8063884": ""}},
	} {
		for in, want := range c.in {
			got, err := c.parse(in)
			if want == "" && !errors.Is(err, ibid.ErrInvalid) || want != "" && (err != nil || got != want) {
				t.Errorf("%s %q: got %q, %v; want %q", c.name, in, got, err, want)
			}
		}
	}
}

func TestCheckDigitErrorsNameTheRightDigit(t *testing.T) {
	_, err := cite.ParseISBN("978-3-16-148410-1")
	if err == nil || !strings.Contains(err.Error(), "check digit is 1 where 0 is expected") {
		t.Error(err)
	}
}

// Changing any one digit of a number with a check digit is noticed.
func TestEveryWrongDigitIsNoticed(t *testing.T) {
	for id, parse := range map[string]func(string) (string, error){
		"9783161484100": cite.ParseISBN, "0306406152": cite.ParseISBN, "03785955": cite.ParseISSN, "0000000218250097": cite.ParseORCID,
	} {
		for i := range id {
			for d := byte('0'); d <= '9'; d++ {
				wrong := id[:i] + string(d) + id[i+1:]
				if _, err := parse(wrong); (err == nil) != (wrong == id) {
					t.Errorf("%s: %v", wrong, err)
				}
			}
		}
	}
}

func TestFindDOI(t *testing.T) {
	for in, want := range map[string]string{
		"see https://doi.org/10.1000/xyz123.":           "10.1000/xyz123",
		"(doi:10.1016/s0140-6736(20)30154-9), and more": "10.1016/s0140-6736(20)30154-9",
		"nothing here 10.5 and 11":                      "",
	} {
		if got := cite.FindDOI(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
