package bib_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite/bib"
)

func TestDetect(t *testing.T) {
	for in, want := range map[string]bib.Format{
		"@article{a, title={x}}": bib.BibTeX, "% c\n\n@Article (a, journal={x})": bib.BibTeX, "@online{a, title={x}}": bib.BibLaTeX, "@article{a,\n journaltitle = {x}}": bib.BibLaTeX,
		"TY  - JOUR\nER  - ": bib.RIS, "\ufeff\r\nTY  - JOUR\r\nER  - \r\n": bib.RIS, "<?xml version=\"1.0\"?><xml><records/></xml>": bib.EndNote, "[{\"id\":\"a\"}]": bib.CSLJSON, " {\"id\":\"a\"}": bib.CSLJSON,
	} {
		if got, err := bib.Detect([]byte(in)); got != want || err != nil {
			t.Errorf("%q: %s %v, want %s", in, got, err, want)
		}
	}
	for _, in := range []string{"", " \n", "hello world", "a@b.c"} {
		if _, err := bib.Read([]byte(in)); !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("%q: %v", in, err)
		}
	}
}

func TestOldEncodings(t *testing.T) {
	if r := readOne(t, "@book{k, title={Caf\xe9 l\x92ami}}"); r.Title() != "Café l’ami" {
		t.Errorf("Windows-1252: %q", r.Title())
	}
	utf16 := "\xff\xfe"
	for _, c := range "TY  - BOOK\nTI  - É𝔸\nER  - \n" {
		for _, u := range []rune{c} {
			if u > 0xffff {
				u -= 0x10000
				hi, lo := 0xd800+u>>10, 0xdc00+u&0x3ff
				utf16 += string([]byte{byte(hi), byte(hi >> 8), byte(lo), byte(lo >> 8)})
			} else {
				utf16 += string([]byte{byte(u), byte(u >> 8)})
			}
		}
	}
	if r := readOne(t, utf16); r.Title() != "É𝔸" {
		t.Errorf("UTF-16: %q", r.Title())
	}
}

func TestRISDialects(t *testing.T) {
	today := "TY  - JOUR\nAU  - Shen, Xiaoying\nAU  - World Health Organization\nTI  - A title\nT2  - The Journal\nPY  - 2021\nDA  - 2021/06/17/\nVL  - 3\nIS  - 2\nSP  - 10\nEP  - 20\nDO  - 10.1000/x\nUR  - https://x.org\nAB  - Abstract.\nER  - \n"
	then := "TY  - JOUR\r\nA1  - Shen, Xiaoying\r\nA1  - World Health Organization\r\nT1  - A title\r\nJF  - The Journal\r\nY1  - 2021/06/17/\r\nVL  - 3\r\nIS  - 2\r\nSP  - 10\r\nEP  - 20\r\nM3  - 10.1000/x\r\nUR  - https://x.org\r\nN2  - Abstract.\r\nER  -\r\n"
	a, b := readOne(t, today), readOne(t, then)
	if !reflect.DeepEqual(a, b) || a.Text["page"] != "10-20" || a.Names["author"][1].Literal == "" || a.Dates["issued"].Parts[0].Day != 17 {
		t.Errorf("%+v\n%+v", a, b)
	}
}

// BT is the title of a book, and of what is in a book the title of that.
func TestRISBookTitle(t *testing.T) {
	for in, want := range map[string][2]string{
		"TY  - BOOK\nBT  - The Book\nER  - \n": {"The Book", ""}, "TY  - EDBOOK\nBT  - The Book\nER  - \n": {"The Book", ""}, "TY  - UNPB\nBT  - The Book\nER  - \n": {"The Book", ""},
		"TY  - CHAP\nBT  - The Book\nER  - \n": {"", "The Book"}, "TY  - BOOK\nBT  - The Set\nTI  - The Book\nER  - \n": {"The Book", "The Set"}, "TY  - BOOK\nT1  - The Book\nBT  - The Book\nER  - \n": {"The Book", ""},
	} {
		if r := readOne(t, in); r.Title() != want[0] || r.Text["container-title"] != want[1] {
			t.Errorf("%s%q in %q", in, r.Title(), r.Text["container-title"])
		}
	}
}

// A key that stands twice is changed, and the reader says where and to what.
func TestRepeatedKeysAreNamed(t *testing.T) {
	for in, want := range map[string]string{
		"@book{dup, title={A}}\n@book{dup-2, title={B}}\n\n@book{dup, title={C}}":                              `line 4: the key "dup" stands here again: read as "dup-3"`,
		"TY  - BOOK\nID  - a\nER  - \nTY  - BOOK\nID  - a\nER  - \n":                                           `line 4: the key "a" stands here again: read as "a-2"`,
		"[{\"id\":\"a\"},\n{\"id\":\"a\"},{\"type\":\"book\"},{\"type\":\"book\"}]":                            `line 2: the key "a" stands here again: read as "a-2"`,
		"<xml><records><record><label>a</label></record>\n<record>\n<label>a</label></record></records></xml>": `line 2: the key "a" stands here again: read as "a-2"`,
	} {
		f, err := bib.Read([]byte(in))
		if err != nil || len(f.Notes) != 1 || f.Notes[0].String() != want {
			t.Errorf("%s\n%v %v, want %s", in, f.Notes, err, want)
		}
	}
}

func TestRISIsNeverFolded(t *testing.T) {
	r := ibid.Reference{ID: "k", Type: "book"}
	r.Set("title", strings.Repeat("very long title\n ", 100))
	out, _ := write(t, bib.RIS, []ibid.Reference{r})
	for line := range strings.Lines(string(out)) {
		if len(line) < 6 || line[2:5] != "  -" {
			t.Errorf("a line without a tag: %q", line)
		}
	}
	if r := readOne(t, "TY  - BOOK\nTI  - A title that\n  was folded\nIV - results\nER  - \n"); r.Title() != "A title that was folded IV - results" {
		t.Errorf("a folded line: %q", r.Title())
	}
	if r := readOne(t, "TY - BOOK\nTI - One space\nER -\n"); r.Title() != "One space" {
		t.Errorf("one space: %q", r.Title())
	}
}

// RIS and EndNote have one place for the section, or the chapter of a book, and one for the edition, or the version of a program.
func TestPlacesByType(t *testing.T) {
	for _, c := range []struct{ kind, variable, tag string }{
		{"chapter", "chapter-number", "SE"}, {"article-newspaper", "section", "SE"}, {"software", "version", "ET"}, {"dataset", "version", "ET"}, {"book", "edition", "ET"},
	} {
		r := ibid.Reference{ID: "k", Type: c.kind}
		r.Set("title", "T")
		r.Set(c.variable, "4")
		for _, f := range []bib.Format{bib.RIS, bib.RIS2001, bib.EndNote} {
			out, losses := write(t, f, []ibid.Reference{r})
			if f == bib.RIS && !strings.Contains(string(out), c.tag+"  - 4\n") {
				t.Errorf("%s: no %s in\n%s", c.kind, c.tag, out)
			}
			if back := readOne(t, string(out)); !reflect.DeepEqual(back.Text, r.Text) || len(losses) > 0 {
				t.Errorf("%s of a %s to %s: %v %v", c.variable, c.kind, f, back.Text, losses)
			}
		}
	}
	r := ibid.Reference{ID: "k", Type: "chapter"}
	r.Set("section", "4")
	if _, losses := write(t, bib.RIS, []ibid.Reference{r}); fmt.Sprint(losses) != "[k: section: has no place in RIS]" {
		t.Error(losses)
	}
}

// What a name says of its order and its commas is told where it is lost.
func TestFlagsOfNamesAreListed(t *testing.T) {
	r := ibid.Reference{ID: "k", Type: "book"}
	r.SetNames("author", ibid.Name{Family: "Mao", Given: "Zedong", StaticOrdering: true}, ibid.Name{Family: "King", Given: "M. L.", Suffix: "Jr.", CommaSuffix: true})
	want := "[k: author: that the family name of Zedong Mao always comes first k: author: the comma before the suffix of M. L. King Jr.]"
	for _, f := range []bib.Format{bib.BibTeX, bib.BibLaTeX, bib.RIS, bib.EndNote} {
		if _, losses := write(t, f, []ibid.Reference{r}); fmt.Sprint(losses) != want {
			t.Errorf("%s: %v", f, losses)
		}
	}
	if _, losses := write(t, bib.CSLJSON, []ibid.Reference{r}); len(losses) > 0 {
		t.Error(losses)
	}
}

func TestRISKeepsUnknownTags(t *testing.T) {
	in := "TY  - XYZ\nID  - k\nTI  - T\nUR  - https://a.org\nL1  - file.pdf\nUR  - https://b.org\nU1  - mine\nER  - \n"
	f, err := bib.Read([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	out, losses := write(t, bib.RIS, f.References)
	for _, want := range []string{"TY  - XYZ\n", "L1  - file.pdf\n", "UR  - https://b.org\n", "U1  - mine\n"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if len(losses) != 0 {
		t.Error(losses)
	}
	_, losses = write(t, bib.BibTeX, f.References)
	if want := "[k: TY: has no place in bibtex k: L1: has no place in bibtex k: UR: has no place in bibtex k: U1: has no place in bibtex]"; fmt.Sprint(losses) != want {
		t.Errorf("to another format they are listed as lost, one by one: %v", losses)
	}
	f, err = bib.Read([]byte("@manual{k, title = {M}, holder = {X}, shorthand = {S}}"))
	if err != nil {
		t.Fatal(err)
	}
	_, losses = write(t, bib.RIS, f.References)
	if want := "[k: @manual: has no place in RIS k: holder: has no place in RIS k: shorthand: has no place in RIS]"; fmt.Sprint(losses) != want {
		t.Errorf("and so are fields of BibTeX: %v", losses)
	}
}

func TestRISFaultsAreNamed(t *testing.T) {
	f, err := bib.Read([]byte("TY  - BOOK\nTI  - A\nER  - \nTY  - BOOK\nTI  - B\nTY  - BOOK\nTI  - C\n"))
	if len(f.References) != 3 || !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), "line 4: the record that begins here has no end: expected ER before line 6") || !strings.Contains(err.Error(), "line 6") {
		t.Errorf("%d %v", len(f.References), err)
	}
	f, err = bib.Read([]byte("TY  - BOOK\nER  - \nAU  - Lost, Man\n"))
	if len(f.References) != 1 || err == nil || !strings.Contains(err.Error(), "line 3: expected a record to begin with TY") {
		t.Errorf("%v", err)
	}
}

func TestEndNote(t *testing.T) {
	in := `<?xml version="1.0" encoding="UTF-8"?><xml><records><record><database name="x" path="y">x</database><ref-type name="Journal Article">17</ref-type>
<contributors><authors><author><style face="normal" font="default" size="100%">Müller, Jörg</style></author><author>ACME Corp.</author></authors></contributors>
<titles><title><style face="normal">Of </style><style face="italic">E. coli</style><style face="normal"> &amp; x</style><style face="superscript">2</style></title><secondary-title>J</secondary-title></titles>
<periodical><full-title>J</full-title></periodical><pages>1-9</pages><dates><year>2020</year><pub-dates><date>May 3</date></pub-dates></dates><isbn>0378-5955</isbn>
<urls><related-urls><url>https://a.org</url><url>https://b.org</url></related-urls></urls><custom7>secret</custom7></record></records></xml>`
	r := readOne(t, in)
	if r.Title() != "Of <i>E. coli</i> & x<sup>2</sup>" || r.Type != "article-journal" || r.Names["author"][0].Family != "Müller" || r.Names["author"][1].Literal != "ACME Corp." || r.Year() != 2020 || r.Text["ISSN"] == "" {
		t.Errorf("%+v", r)
	}
	out, losses := write(t, bib.EndNote, []ibid.Reference{r})
	for _, want := range []string{"<custom7>", "secret", "https://b.org", `face="italic"`} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %s in %s", want, out)
		}
	}
	if back := readOne(t, string(out)); !reflect.DeepEqual(back.Text, r.Text) || len(losses) != 0 {
		t.Errorf("%+v %v", back, losses)
	}
}

func TestEndNoteFaultsAreNamed(t *testing.T) {
	whole := "<xml><records>\n<record><ref-type name=\"Book\">6</ref-type><titles><title>A</title></titles></record>\n"
	bomb := `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>`
	for _, c := range []struct {
		rule, in, want string
		n              int
	}{
		{"cut in a record", whole + "<record><titles><title>B", "line 3: record 2 is left out", 1},
		{"cut after a record", whole, "line 3: expected", 1},
		{"an entity of the document", bomb + "<xml><records><record><titles><title>&b;</title></titles></record></records></xml>", "line 1", 0},
		{"another XML", "<html><body/></html>", "line 1: expected BibTeX", 0},
		{"no records", "<xml><other/></xml>", "expected EndNote XML", 0},
		{"depth", "<xml><records>" + strings.Repeat("<a>", 100000), "nested too deep", 0},
		{"depth in a record", "<xml><records><record>" + strings.Repeat("<a>", 100000), "nested too deep", 0},
	} {
		f, err := bib.Read([]byte(c.in))
		if len(f.References) != c.n || !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %d references, %v", c.rule, len(f.References), err)
		}
	}
}

func TestCSLJSON(t *testing.T) {
	in := `[{"id":1,"type":"book","title":"A <i>b</i> & c","volume":3,"custom":{"x":[1]},"issued":"2020-05-01","foo":"bar"},
{"type":"book"}]`
	f, err := bib.Read([]byte(in))
	if err != nil || len(f.References) != 2 || f.References[1].ID == "" {
		t.Fatalf("%+v %v", f, err)
	}
	out, losses := write(t, bib.CSLJSON, f.References)
	back, err := bib.Read(out)
	if err != nil || !reflect.DeepEqual(back.References, f.References) || len(losses) != 0 {
		t.Errorf("%s %v", out, err)
	}
	if !json.Valid(out) || !bytes.Contains(out, []byte("A <i>b</i> & c")) {
		t.Errorf("%s", out)
	}
	for in, want := range map[string]string{
		"[{\"id\":\"a\"},\n{\"id\":":                   "line 2",
		"[{\"id\":\"a\"},\n{\"author\":3}]":            "author is not a list of names",
		"[{\"id\":\"a\"}] x":                           "expected nothing after",
		"[{\"id\":\"a\"}":                              "expected ]",
		"{\"items\":[{\"id\":\"a\"},{\"issued\":[]}]}": "issued is not a date",
	} {
		f, err := bib.Read([]byte(in))
		if len(f.References) != 1 || !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %d %v", in, len(f.References), err)
		}
	}
}

// One of many items on one line is found by its number, or by its id.
func TestCSLJSONNamesTheItemAtFault(t *testing.T) {
	for in, want := range map[string]string{
		`[null,{"id":"b"},{"id":"c","author":5},7,{"author":5}]`: `line 1: item 1: not a CSL-JSON object
line 1: reference "c": author is not a list of names
line 1: item 4: not a CSL-JSON object
line 1: item 5: author is not a list of names`,
		`{"items":[{"id":"b"},null]}`: "line 1: item 2: not a CSL-JSON object",
		"null":                        "line 1: item 1: not a CSL-JSON object",
		"\ufeff null\n":               "line 1: item 1: not a CSL-JSON object",
	} {
		f, err := bib.Read([]byte(in))
		if f.Format != bib.CSLJSON || err == nil || err.Error() != want {
			t.Errorf("%s: %s %v, want %s", in, f.Format, err, want)
		}
	}
}

// No date is lost without a word, however odd.
func TestOddDates(t *testing.T) {
	for _, in := range []string{
		`{"date-parts":[[1999,21],[2001,22]]}`, `{"date-parts":[[1999,22],[1999,23]]}`, `{"date-parts":[[1999,21]]}`, `{"date-parts":[[2024,13,45]]}`, `{"date-parts":[[2013,1,30]],"season":"22:56:08"}`,
		`{"date-parts":[[1999,1,2],[1999,1,4]]}`, `{"date-parts":[[1999]],"season":"Spring"}`, `{"raw":"2020-05-01"}`, `{"raw":"some day"}`, `{"literal":"1999"}`, `{"date-parts":[[0]]}`, `{"date-parts":[[1999,1,0]]}`,
		`{"date-parts":[[1999],[0]]}`, `{"date-parts":[[-50]]}`, `{"date-parts":[[1999,5],[2001]]}`, `{"date-parts":[[1999,0,5]]}`, `{"season":"1"}`, `{"date-parts":[[1990]],"circa":true}`,
	} {
		for _, f := range bib.Formats() {
			r := ibid.Reference{ID: "k", Type: "book"}
			var d ibid.Date
			if err := json.Unmarshal([]byte(in), &d); err != nil {
				t.Fatal(err)
			}
			r.SetDate("issued", d)
			r.SetDate("accessed", d)
			out, losses := write(t, f, []ibid.Reference{r})
			back := readOne(t, string(out))
			for _, v := range []string{"issued", "accessed"} {
				listed := false
				for _, l := range losses {
					listed = listed || l.Field == v
				}
				if !listed && back.Dates[v].IsZero() {
					t.Errorf("%s: %s %s is gone and nobody said so:\n%s", f, v, in, out)
				}
				if back.Year() != r.Year() && !listed && d.Raw == "" && d.Literal == "" {
					t.Errorf("%s: %s became year %d", f, in, back.Year())
				}
			}
		}
	}
}

func TestLossesAreListed(t *testing.T) {
	var r ibid.Reference
	if err := json.Unmarshal([]byte(`{"id":"k","type":"treaty","title":"T","jurisdiction":"EU","recipient":[{"family":"A"}],"submitted":{"date-parts":[[2020]]},"custom":{"a":1},
		"issued":{"date-parts":[[2019],[2020]],"circa":true}}`), &r); err != nil {
		t.Fatal(err)
	}
	for format, want := range map[bib.Format]string{
		bib.RIS: "type issued issued jurisdiction recipient submitted custom", bib.EndNote: "type issued jurisdiction recipient submitted custom", bib.BibLaTeX: "custom", bib.CSLJSON: "",
	} {
		_, losses := write(t, format, []ibid.Reference{r})
		var fields []string
		for _, l := range losses {
			fields = append(fields, l.Field)
		}
		if got := strings.Join(fields, " "); got != want {
			t.Errorf("%s: %s, want %s", format, got, want)
		}
	}
	out, _ := write(t, bib.BibLaTeX, []ibid.Reference{r})
	back := readOne(t, string(out))
	r.Extra = nil
	if !reflect.DeepEqual(back, r) {
		t.Errorf("%+v\n%+v\n%s", back, r, out)
	}
}

// What was read is written and read again to the same, or said to be lost.
func fuzzFormat(f *testing.F, formats []bib.Format, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, format := range formats {
			file, _ := bib.ReadAs(b, format)
			var out bytes.Buffer
			losses, err := bib.Write(&out, format, file.References)
			if err != nil {
				t.Fatal(err)
			}
			lost := map[string][]string{}
			for _, l := range losses {
				lost[l.ID] = append(lost[l.ID], l.Field)
			}
			again, err := bib.ReadAs(out.Bytes(), format)
			if err != nil && len(file.References) > 0 {
				t.Fatalf("what was written cannot be read: %v\n%s", err, out.Bytes())
			}
			if len(again.References) != len(file.References) {
				t.Fatalf("%d became %d\n%s", len(file.References), len(again.References), out.Bytes())
			}
			for i := range file.References {
				x, y := without(t, file.References[i], lost[file.References[i].ID]), without(t, again.References[i], lost[file.References[i].ID])
				if !bytes.Equal(x, y) {
					t.Fatalf("%s\nbecame\n%s\nin\n%s", x, y, out.Bytes())
				}
			}
		}
	})
}

// without gives a reference as JSON, but for fields that were said to be lost.
func without(t *testing.T, r ibid.Reference, lost []string) []byte {
	t.Helper()
	var fields map[string]json.RawMessage
	b, err := json.Marshal(r)
	if err == nil && len(lost) > 0 {
		err = json.Unmarshal(b, &fields)
		for _, f := range lost {
			delete(fields, f)
		}
		if err == nil {
			b, err = json.Marshal(fields)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func FuzzTeX(f *testing.F) {
	fuzzFormat(f, []bib.Format{bib.BibLaTeX, bib.BibTeX},
		`@article{k, author={A. B and {C D} and van E, Jr, F}, title={The {DNA} of \textit{E. coli} $\alpha$ $\frac{a}{b}$ $\frac{a}{b} & \&{} \\&$ -- --- "x"}, date={2020-01/2021}, url={https://x.org/a_b}}`,
		`@string{a="x"} @misc(k, note = a # { \'e \foo } # 12, month=jan, year=2020, day=3)`,
		`@inproceedings{a, crossref={b}} @proceedings{b, title={T}, xdata={c}} @xdata{c, foo={bar}}`, `@thesis{k, type={phdthesis}, eprint={2401.12345}, eprinttype={arxiv}}`,
		`@online{k, entrysubtype={post}, organization={O and P}, langid={american}, options={useprefix=true}, csl-recipient={A}}`)
}

func FuzzRIS(f *testing.F) {
	fuzzFormat(f, []bib.Format{bib.RIS, bib.RIS2001}, "TY  - JOUR\nAU  - A, B, Jr\nAU  - C,, D\nDA  - 2020/01//Spring\nSP  - 1\nEP  - 2\nSN  - 0378-5955\nAN  - 1\nDB  - PubMed\nM3  - x\nKW  - a; b\nZZ  - q\nER  - \n",
		"TY  - XX\nT2  - a\nJF  - b\nJO  - c\nY1  - 1999\nfolded\nER  -",
		"TY  - JOUR\nSP  - 1, 3-5\nEP  - 5\nEP  - 6\nSP  - 9\nER  - \n", "TY  - JOUR\nSP  - 7\nEP  - -\nEP  - 6\nSP  - 9\nER  - \n", "TY  - JOUR\nSP  - 1-5\nEP  - 5-5\nSP  - 2\nEP  - 3\nER  - \n")
}

func FuzzEndNote(f *testing.F) {
	fuzzFormat(f, []bib.Format{bib.EndNote}, `<xml><records><record><ref-type name="Book">6</ref-type><titles><title><style face="italic">x</style>y</title></titles><dates><year>2020</year></dates><custom3>z</custom3></record></records></xml>`,
		`<records><record><contributors><authors><author>A, B</author></authors></contributors><pages>1--3</pages><isbn>x</isbn></record></records>`)
}

func FuzzCSLJSON(f *testing.F) {
	fuzzFormat(f, []bib.Format{bib.CSLJSON}, `[{"id":"a","type":"book","title":"x","author":[{"family":"A"},"B"],"issued":{"date-parts":[["2020",1]]},"x":{}}]`, `{"items":[{"id":2}]}`)
}

func ExampleWrite() {
	file, _ := bib.Read([]byte("TY  - JOUR\nID  - shen\nAU  - Shen, Xiaoying\nTI  - Neutralization of SARS-CoV-2\nPY  - 2021\nER  - \n"))
	var out strings.Builder
	losses, _ := bib.Write(&out, bib.BibTeX, file.References)
	fmt.Println(file.Format, len(losses))
	fmt.Print(out.String())
	// Output:
	// ris 0
	// @article{shen,
	//   author = {Shen, Xiaoying},
	//   title  = {Neutralization of {SARS-CoV-2}},
	//   year   = {2021}
	// }
}

// What doi.org and Crossref give for CSL-JSON is read as what it is, one record or a whole answer.
func TestCSLJSONOfDirectories(t *testing.T) {
	record := `{"type":"journal-article","title":["On things"],"container-title":["Journal of Things","J Things"],"ISSN":["1234-5679","2049-3630"],"DOI":"10.1000/1",
		"author":[{"family":"Doe","given":"Jane","sequence":"first","affiliation":[]},{"name":"The Things Collaboration","sequence":"additional"}],"issued":{"date-parts":[[2019,5]]}}`
	for _, in := range []string{record, "[" + record + "]", `{"status":"ok","message-type":"work","message":` + record + `}`, `{"status":"ok","message-type":"work-list","message":{"total-results":1,"items":[` + record + `]}}`} {
		r := readOne(t, in)
		if r.Type != "article-journal" || r.Title() != "On things" || r.Text["container-title"] != "Journal of Things" || r.Text["ISSN"] != "1234-5679, 2049-3630" ||
			len(r.Names["author"]) != 2 || r.Names["author"][1].Literal != "The Things Collaboration" {
			t.Errorf("%s: %+v", in, r)
		}
		if out, losses := write(t, bib.BibTeX, []ibid.Reference{r}); len(losses) != 0 || !strings.Contains(string(out), "{Doe, Jane and {The Things Collaboration}}") {
			t.Errorf("%v\n%s", losses, out)
		}
	}
	for in, want := range map[string]string{
		`{"type":"journal-article","title":["A"],"container-title":["Journal of Things","J Things"]}`:           `{"container-title":"Journal of Things","container-title-short":"J Things","id":"item","title":"A","type":"article-journal"}`,
		`{"type":"book-chapter","title":["A"],"container-title":["Lecture Notes in Things","On Things"]}`:       `{"collection-title":"Lecture Notes in Things","container-title":"On Things","id":"item","title":"A","type":"chapter"}`,
		`{"type":"book","title":["Cables","Kabel"],"subtitle":["A history"]}`:                                   `{"id":"cables","title":"Cables: A history","type":"book","x-title":["Kabel"]}`,
		`{"type":"book","title":["Cables: A history"],"subtitle":["A history"],"container-title":[],"ISBN":[]}`: `{"id":"cables","title":"Cables: A history","type":"book"}`,
	} {
		if got, _ := json.Marshal(readOne(t, in)); string(got) != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
	if r := readOne(t, `[{"id":"k","type":"article-journal","title":"T","issued":{"edtf":"2020-05-01/2020-06-03"}}]`); r.Dates["issued"].Raw != "2020-05-01/2020-06-03" {
		t.Errorf("%+v", r.Dates)
	}
}

// An edition that is only counted is a number, however a file writes it.
func TestEditions(t *testing.T) {
	for given, want := range map[string]string{"2": "2", "2nd": "2", "2.": "2", "2nd ed.": "2", "Second": "2", "third Edition": "3", "11th edn": "11", "Twentieth": "20",
		"revised": "revised", "2nd revised ed.": "2nd revised ed.", "Late": "Late", "2 vols": "2 vols", "Fall 2020": "Fall 2020", "ed.": "ed."} {
		for _, in := range []string{
			"@book{k, title={T}, edition={" + given + "}}", "TY  - BOOK\nTI  - T\nET  - " + given + "\nER  - \n",
			`<xml><records><record><ref-type name="Book">6</ref-type><titles><title>T</title></titles><edition>` + given + `</edition></record></records></xml>`,
		} {
			if got := readOne(t, in).Text["edition"]; got != want {
				t.Errorf("%s: %q, want %q", in, got, want)
			}
		}
	}
}

// A DOI is written as an address, with a prefix or bare; it is read as one thing from every format.
func TestDOIIsReadWithoutResolver(t *testing.T) {
	for _, lead := range []string{"", "https://doi.org/", "http://dx.doi.org/", "doi:"} {
		doi := lead + "10.1000/Ab_c"
		for _, in := range []string{
			"@article{k, title={T}, doi={" + doi + "}}",
			"@article{k, title={T}, doi={" + strings.ReplaceAll(doi, "_", `\_`) + "}}",
			"TY  - JOUR\nTI  - T\nDO  - " + doi + "\nER  - \n",
			"<xml><records><record><ref-type>17</ref-type><titles><title>T</title></titles><electronic-resource-num>" + doi + "</electronic-resource-num></record></records></xml>",
			`[{"id":"k","type":"article-journal","title":"T","DOI":"` + doi + `"}]`,
		} {
			if got := readOne(t, in).Text["DOI"]; got != "10.1000/Ab_c" {
				t.Errorf("%s: DOI %q", in, got)
			}
		}
	}
}

// What publishers and directories write into RIS beside its specification is read as what it means.
func TestRISAsPublishersWriteIt(t *testing.T) {
	for _, c := range []struct{ rule, in, want string }{
		{"several persons in one tag", "AU  - Smith, J.; Doe, K.;", `"author":[{"family":"Smith","given":"J."},{"family":"Doe","given":"K."}]`},
		{"an institution keeps its semicolon", "AU  - Arts; Sciences", `"author":[{"literal":"Arts; Sciences"}]`},
		{"an institution with a comma, too", "AU  - Arts,, Letters; Sciences, all", `"author":[{"literal":"Arts, Letters; Sciences, all"}]`},
		{"the first page holds the range", "SP  - 123-130\nEP  - 130", `"page":"123-130"`},
		{"with a dash", "SP  - 123–130\nEP  - 130", `"page":"123-130"`},
		{"pages that have a hyphen of their own", "SP  - 12-1\nEP  - 12-9", `"page":"12-1-12-9"`},
		{"another tag for the volume", "VO  - 12", `"volume":"12"`},
		{"the month beside the year", "PY  - 2020\nDA  - NOV 15", `"issued":{"date-parts":[[2020,11,15]]}`},
		{"months beside the year", "PY  - 2020\nDA  - NOV-DEC", `"issued":{"date-parts":[[2020,11],[2020,12]]}`},
		{"the month by name", "Y1  - 2018/Mar//", `"issued":{"date-parts":[[2018,3]]}`},
		{"day and month by name", "PY  - 2018 Mar 15", `"issued":{"date-parts":[[2018,3,15]]}`},
		{"the month by name in another language", "Y1  - 2018/août/15", `"issued":{"date-parts":[[2018,8,15]]}`},
		{"a date as people write it", "PY  - 15 March 2018", `"issued":{"date-parts":[[2018,3,15]]}`},
		{"days of a month", "PY  - 2020\nDA  - NOV 15-20", `"issued":{"date-parts":[[2020,11,15],[2020,11,20]]}`},
		{"no space behind the dash", "PY  -2018\nTI  --ase", `"issued":{"date-parts":[[2018]]},"title":"-ase"`},
		{"no date at all, before a blank that does not break", "DA  - 2018/71//in press\u00a0/", `"issued":{"literal":"2018/71//in press"}`},
		{"no month at all", "PY  - 2018 revised", `"issued":{"literal":"2018 revised"}`},
	} {
		f, err := bib.Read([]byte("TY  - JOUR\nID  - k\n" + c.in + "\nER  - \n"))
		if err != nil {
			t.Fatal(c.rule, err)
		}
		out, _ := write(t, bib.CSLJSON, f.References)
		if !strings.Contains(string(out), c.want) || strings.Contains(string(out), "x-ris") {
			t.Errorf("%s: %swant %s", c.rule, out, c.want)
		}
		if again, losses := write(t, bib.RIS, f.References); len(losses) == 0 {
			if back, err := bib.Read(again); err != nil || !reflect.DeepEqual(back.References, f.References) {
				t.Errorf("%s: written and read again it is %+v (%v)", c.rule, back.References, err)
			}
		}
	}
}

// Entities of HTML are characters in every format, however often they were escaped; addresses keep theirs.
func TestEntitiesAreCharacters(t *testing.T) {
	for _, in := range []string{
		"TY  - JOUR\nTI  - p &lt; 0.05 &amp;amp; &#8220;x&#8221;\nJF  - Science &amp; Technology\nAU  - O&#39;Neil, A&eacute;\nUR  - http://a.org/?x=1&amp;y=2\nER  - \n",
		`@article{k, title={p &lt; 0.05 \&amp;amp; &\#8220;x&\#8221;}, journal={Science {\&}amp\mathsemicolon Technology}, author={O&\#39;Neil, A&eacute;}, url={http://a.org/?x=1&amp;y=2}}`,
		`[{"type":"article-journal","title":"p &lt; 0.05 &amp;amp; &#8220;x&#8221;","container-title":["Science &amp; Technology"],"author":[{"family":"O&#39;Neil","given":"A&eacute;"}],"URL":"http://a.org/?x=1&amp;y=2"}]`,
	} {
		r := readOne(t, in)
		if r.Title() != "p < 0.05 & “x”" || r.Text["container-title"] != "Science & Technology" || r.URL() != "http://a.org/?x=1&amp;y=2" {
			t.Errorf("%s\n%+v", in, r.Text)
		}
		if n := r.Names["author"][0]; n.Family != "O'Neil" || n.Given != "Aé" {
			t.Errorf("%s\n%+v", in, n)
		}
	}
	for _, text := range []string{"R&D; and &unknown; at AT&T", "a & b; c", "&;"} {
		if r := readOne(t, "TY  - BOOK\nTI  - "+text+"\nER  - \n"); r.Title() != text {
			t.Errorf("%q became %q", text, r.Title())
		}
	}
	if r := readOne(t, "TY  - BOOK\nTI  - a&#10;ER  - &#x0;b\nER  - \n"); strings.ContainsAny(r.Title(), "\n\x00") {
		t.Errorf("a control character came in: %q", r.Title())
	}
}

// EndNote's and PubMed's tags are read as RIS is; what has no place is kept, and the database's own notes are not.
func TestTagsOfOthers(t *testing.T) {
	for _, c := range []struct {
		format bib.Format
		in     string
		want   []string
	}{
		{bib.Refer, "\ufeff%0 Journal Article\r\n%A Smith, John\r\n%A The Things Group,\r\n%T A title that\r\ngoes on\r\n%J Nature\r\n%V 5\r\n%N 2\r\n%P 12-34\r\n%D 2019\r\n%8 March 4\r\n%@ 0028-0836\r\n%R doi:10.1000/1\r\n%3 mine\r\n\r\n%0 Book Section\r\n%A Doe, J.\r\n%T Chapter\r\n%B Book\r\n%E Ed, Itor\r\n%I ACM\r\n%C Rome\r\n", []string{
			`{"DOI":"10.1000/1","ISSN":"0028-0836","author":[{"family":"Smith","given":"John"},{"literal":"The Things Group"}],"container-title":"Nature","id":"smith2019title","issue":"2","issued":{"date-parts":[[2019,3,4]]},"page":"12-34","title":"A title that goes on","type":"article-journal","volume":"5","x-enw":[["%3","mine"]]}`,
			`{"author":[{"family":"Doe","given":"J."}],"container-title":"Book","editor":[{"family":"Ed","given":"Itor"}],"id":"doechapter","publisher":"ACM","publisher-place":"Rome","title":"Chapter","type":"chapter"}`,
		}},
		{bib.MEDLINE, "\nPMID- 12345\nOWN - NLM\nIS  - 1476-4687 (Electronic)\nIS  - 0028-0836 (Linking)\nDP  - 2019 Mar 4\nTI  - A title that\n      goes on.\nPG  - 12-34\nLID - 10.1000/1 [doi]\nAB  - First.\n\nFAU - Smith, John\nAU  - Smith J\nCN  - The Things Group\nJT  - Nature\nTA  - Nat\nMH  - *Cables\n\nPMID- 9\nAU  - van Dam JK\nTI  - Older\nDP  - 1971 Mar-Apr\n\nPMID- 8\nFAU - King, Martin L Jr\nAU  - King ML Jr\nFAU - Jr, A\nDP  - 2018 Jan 1-7\n\nPMID- 7\nAU  - de la Cruz J 3rd\nAU  - Jr\nDP  - 2020 Dec-2021 Jan\n", []string{
			`{"DOI":"10.1000/1","ISSN":"1476-4687","PMID":"12345","abstract":"First.","author":[{"family":"Smith","given":"John"},{"literal":"The Things Group"}],"container-title":"Nature","container-title-short":"Nat","id":"smith2019title","issued":{"date-parts":[[2019,3,4]]},"page":"12-34","title":"A title that goes on","type":"article-journal","x-nbib":[["IS","0028-0836 (Linking)"],["MH","*Cables"]]}`,
			`{"PMID":"9","author":[{"family":"van Dam","given":"JK"}],"id":"vandam1971older","issued":{"date-parts":[[1971,3],[1971,4]]},"title":"Older","type":"article-journal"}`,
			`{"PMID":"8","author":[{"family":"King","given":"Martin L","suffix":"Jr"},{"family":"Jr","given":"A"}],"id":"king2018","issued":{"date-parts":[[2018,1,1],[2018,1,7]]},"type":"article-journal"}`,
			`{"PMID":"7","author":[{"family":"de la Cruz","given":"J","suffix":"3rd"},{"family":"Jr"}],"id":"delacruz2020","issued":{"date-parts":[[2020,12],[2021,1]]},"type":"article-journal"}`,
		}},
	} {
		f, err := bib.Read([]byte(c.in))
		if err != nil || f.Format != c.format {
			t.Fatalf("%s: %s %v", c.format, f.Format, err)
		}
		out, _ := write(t, bib.CSLJSON, f.References)
		if want := "[\n" + strings.Join(c.want, ",\n") + "\n]\n"; string(out) != want {
			t.Errorf("%s: got\n%swant\n%s", c.format, out, want)
		}
	}
	for _, in := range []string{"%0 is where it begins\nand goes on\n", "PMID- none of it", "100%0 x\n%A y"} {
		if f, err := bib.Read([]byte(in)); err == nil {
			t.Errorf("%q was read as %s", in, f.Format)
		}
	}
}

// Whatever the tags hold, they are read, written and read again without a panic.
func FuzzTags(f *testing.F) {
	for _, s := range []string{"%0 Book\n%A A, B\n%T x\n%\n%P 1-2\n", "PMID- 1\nAU  - x\nAU  - \nDP  - \nLID - [doi]\nTI  - .\n", "%0\n%0 x\n%A y"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, as := range []bib.Format{bib.Refer, bib.MEDLINE} {
			file, err := bib.ReadAs(b, as)
			if err != nil {
				t.Fatal(err)
			}
			out, _ := write(t, bib.CSLJSON, file.References)
			if again, err := bib.ReadAs(out, bib.CSLJSON); err != nil || len(again.References) != len(file.References) {
				t.Fatalf("%s: %v", out, err)
			}
		}
	})
}

// What stands in the place of a year and is none, and a journal's third name, have no place of their own, and are not dropped.
func TestRISKeepsWhatHasNoPlace(t *testing.T) {
	file, err := bib.Read([]byte("TY  - JOUR\nPY  - in press\nDA  - 2020/01/02\nT2  - A\nJ2  - B\nJO  - C\nER  - \n"))
	if err != nil {
		t.Fatal(err)
	}
	r := file.References[0]
	if got := string(r.Extra["x-ris"]); got != `[["PY","in press"],["JO","C"]]` || r.Year() != 2020 || r.Text["container-title"] != "A" {
		t.Errorf("%s of %+v", got, r)
	}
}
