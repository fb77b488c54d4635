package bib_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite/bib"
)

func readOne(t *testing.T, s string) ibid.Reference {
	t.Helper()
	f, err := bib.Read([]byte(s))
	if err != nil || len(f.References) == 0 {
		t.Fatalf("%s: %d references, %v", s, len(f.References), err)
	}
	return f.References[0]
}

func TestTeXText(t *testing.T) {
	for _, c := range []struct{ rule, in, want string }{
		{"quotation marks", "``a'' and `b' and ?`c", "“a” and ‘b' and ¿c"},
		{"an address", `see \url{http://x.org/~me/a_b--c%20d#e} -- and \nolinkurl{a\_b}`, "see http://x.org/~me/a_b--c%20d#e – and a_b"},
		{"accents", `Caf\'e na\"{\i}ve {\"U}ber \c{c}a \v{S}koda \H{o} \k{a} \aa ngstr\"om \ss`, "Café naïve Über ça Škoda ő ą ångström ß"},
		{"accents of commands", `\'{\i} \^{\j} \u{g} \.z \=a \r{u} \d{h} \b{b}`, "í ĵ ğ ż ā ů ḥ ḇ"},
		{"accents of Vietnamese and Romanian", `B\h{a}o Nguy\~{\^e}n \textcommabelow{S}tef Ph\d{u}c`, "Bảo Nguyễn Ștef Phục"},
		{"letters", `\O resund \L{}\'od\'z {\ae}on \OE uvre \th{} \DH`, "Øresund Łódź æon Œuvre þ Ð"},
		{"dashes and quotes", "a--b---c ``q'' d'e", "a–b—c “q” d'e"},
		{"escapes", `R\&D 5\% \$3 \#1 a\_b \textbackslash{} \textasciitilde{}x`, `R&D 5% $3 #1 a_b \ ~x`},
		{"formatting", `\emph{in vivo} {\it x} \textbf{b} H\textsubscript{2}O x\textsuperscript{2} \textsc{sc}`, `<i>in vivo</i> <i>x</i> <b>b</b> H<sub>2</sub>O x<sup>2</sup> <span style="font-variant: small-caps;">sc</span>`},
		{"maths in Unicode", `$\alpha$-helix, CO$_2$, 10$^{-3}$, 37$^\circ$C, $n \geq 5$, $\mathrm{pH}$`, `α-helix, CO<sub>2</sub>, 10<sup>−3</sup>, 37°C, n ≥5, pH`},
		{"names of functions", `$\mathcal{O}(n \log n)$ and $\sin\alpha$ and $\log(x)$`, `O(n log n) and sin α and log(x)`},
		{"maths that has no other form stays", `the $\frac{a}{b}$ case`, `the $\frac{a}{b}$ case`},
		{"a lone dollar", `costs $5`, `costs $5`},
		{"an unknown command is seen, not lost", `x \foo{bar} y \foo[a]{b}{c}d \foo[open`, `x \foo{bar} y \foo[a]{b}{c}d \foo[open`},
		{"no-break space", `Fig.~3`, "Fig.\u00a03"},
		{"white space", "a\n   b\t c", "a b c"},
		{"href", `\href{https://x.org}{text}`, "text"},
		{"enquote", `\enquote{a}`, "“a”"},
	} {
		r := readOne(t, "@misc{k, note = {"+c.in+"}}")
		if got := r.Text["note"]; got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.rule, got, c.want)
		}
	}
}

func TestProtectedCapitals(t *testing.T) {
	for _, c := range []struct{ rule, in, want string }{
		{"braces that everybody sets leave no mark", `Variants of {SARS-CoV-2} in {Italy}`, "Variants of SARS-CoV-2 in Italy"},
		{"others guard what is in them", `the {iris data set} of {fisher}`, `the <span class="nocase">iris data set</span> of <span class="nocase">fisher</span>`},
		{"a whole title", `{The Whole Title}`, `<span class="nocase">The Whole Title</span>`},
		{"an accent in braces guards nothing", `{\'E}tude`, "Étude"},
		{"inside of italics", `on \textit{{E. coli} growth}`, `on <i><span class="nocase">E. coli</span> growth</i>`},
	} {
		r := readOne(t, "@article{k, title = {"+c.in+"}}")
		if got := r.Title(); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.rule, got, c.want)
		}
	}
	r := ibid.Reference{ID: "k", Type: "article-journal"}
	r.Set("title", `Of <span class="nocase">de facto</span> DNA & RNA in <i>E. coli</i>: 100% {x}_y`)
	out, _ := write(t, bib.BibTeX, []ibid.Reference{r})
	want := `title = {Of {de facto} {DNA} \& {RNA} in \textit{{E}. coli}: 100\% \textbraceleft{}x\textbraceright{}\_y}`
	if !strings.Contains(string(out), want) {
		t.Errorf("got %s\nwant %s", out, want)
	}
	if back := readOne(t, string(out)); back.Title() != r.Title() {
		t.Errorf("back: %s", back.Title())
	}
}

func TestTeXNames(t *testing.T) {
	for in, want := range map[string]ibid.Name{
		"Donald E. Knuth":               {Family: "Knuth", Given: "Donald E."},
		"Knuth, Donald E.":              {Family: "Knuth", Given: "Donald E."},
		"Donald\u00a0E. Knuth":          {Family: "Knuth", Given: "Donald E."},
		"Donald{~}E.~Knuth":             {Family: "Knuth", Given: "Donald E."},
		"Ludwig van Beethoven":          {Family: "Beethoven", Given: "Ludwig", NonDroppingParticle: "van"},
		"van der Berg, Jan":             {Family: "Berg", Given: "Jan", NonDroppingParticle: "van der"},
		"King, Jr., Martin Luther":      {Family: "King", Given: "Martin Luther", Suffix: "Jr."},
		"de la Fontaine, III, Jean":     {Family: "Fontaine", Given: "Jean", Suffix: "III", NonDroppingParticle: "de la"},
		"{World Health Organization}":   {Literal: "World Health Organization"},
		"{Barnes and Noble}":            {Literal: "Barnes and Noble"},
		"Garc{\\'i}a y L{\\'o}pez, Ana": {Family: "García y López", Given: "Ana"},
		"{van Gogh}, Vincent":           {Family: "van Gogh", Given: "Vincent"},
		"Mu\\~noz, Jos\\'e":             {Family: "Muñoz", Given: "José"},
		"Jos\\'e~Mart\\'\\i nez":        {Family: "Martínez", Given: "José"},
		"J.\\ Smith":                    {Family: "Smith", Given: "J."},
		"Doe, Jane,":                    {Family: "Doe", Given: "Jane"},
		"Doe, Jr.,":                     {Family: "Doe", Suffix: "Jr."},
		"Doe, X, {}":                    {Family: "Doe", Suffix: "X"},
		"et al.":                        {Literal: "others"},
		"Plato":                         {Family: "Plato"},
		"{\\'E}tienne Balibar":          {Family: "Balibar", Given: "Étienne"},
		"family=Gogh, given=Vincent, prefix=van, useprefix=true": {Family: "Gogh", Given: "Vincent", NonDroppingParticle: "van"},
		"others":     {Literal: "others"},
		"bell hooks": {Family: "hooks", Given: "bell"},
	} {
		r := readOne(t, "@book{k, author = {"+in+"}}")
		if got := r.Names["author"]; len(got) != 1 || got[0] != want {
			t.Errorf("%s: %+v, want %+v", in, got, want)
		}
	}
	// What becomes of "von" is the format's to say, unless the entry does.
	for in, want := range map[string]ibid.Name{
		"@book{k, author = {van Gogh, Vincent}}":                                                   {Family: "Gogh", Given: "Vincent", NonDroppingParticle: "van"},
		"@book{k, author = {van Gogh, Vincent}, options = {useprefix=false}}":                      {Family: "Gogh", Given: "Vincent", DroppingParticle: "van"},
		"@book{k, author = {van Gogh, Vincent}, journaltitle = {J}}":                               {Family: "Gogh", Given: "Vincent", DroppingParticle: "van"},
		"@book{k, author = {van Gogh, Vincent}, journaltitle = {J}, options = {useprefix = true}}": {Family: "Gogh", Given: "Vincent", NonDroppingParticle: "van"},
	} {
		if got := readOne(t, in).Names["author"]; len(got) != 1 || got[0] != want {
			t.Errorf("%s: %+v, want %+v", in, got, want)
		}
	}
	r := readOne(t, "@book{k, author = {A. One and {Two and Three} and\n Four, B. and others}}")
	if n := r.Names["author"]; len(n) != 4 || n[1].Literal != "Two and Three" || n[3] != (ibid.Name{Literal: "others"}) {
		t.Errorf("%+v", n)
	}
}

// "and others" says that there are more, and names nobody.
func TestAndOthers(t *testing.T) {
	r := readOne(t, "@book{k, author = {Smith, Jane and others}, editor = {A. One and others}}")
	if n := r.Names["author"]; len(n) != 2 || n[1] != (ibid.Name{Literal: "others"}) {
		t.Fatalf("%+v", n)
	}
	for _, f := range []bib.Format{bib.BibTeX, bib.BibLaTeX} {
		if out, losses := write(t, f, []ibid.Reference{r}); !strings.Contains(string(out), "{Smith, Jane and others}") || len(losses) != 0 {
			t.Errorf("%s: %v\n%s", f, losses, out)
		}
	}
	for _, f := range []bib.Format{bib.RIS, bib.RIS2001, bib.EndNote} {
		out, losses := write(t, f, []ibid.Reference{r})
		if strings.Contains(string(out), "others") || len(losses) != 2 || losses[0].Field != "author" || losses[1].Field != "editor" {
			t.Errorf("%s: %v\n%s", f, losses, out)
		}
	}
}

// Names of every shape come back from BibLaTeX as they were; from BibTeX those with a particle do.
func TestNamesThereAndBack(t *testing.T) {
	names := []ibid.Name{
		{Family: "Knuth", Given: "Donald E."}, {Family: "van Gogh", Given: "Vincent"}, {Family: "Gogh", Given: "Vincent", NonDroppingParticle: "van"},
		{Family: "Humboldt", Given: "Alexander", DroppingParticle: "von"}, {Family: "Alembert", Given: "Jean", NonDroppingParticle: "d’"}, {Family: "Smith, Inc."},
		{Literal: "WHO"}, {Literal: "Johnson, Smith and Sons {Ltd}"}, {Family: "Plato"}, {Family: "the Group of Seven"}, {Family: "Two Words"}, {Family: "King", Given: "M. L.", Suffix: "Jr."},
		{Family: "Company and Co", Given: "A and B"}, {Family: "王", Given: "小明"}, {Given: "Cher"}, {Family: "Muñoz & Söhne", Given: "Å"}, {Family: "Pitt", Suffix: "the Elder"},
	}
	for _, n := range names {
		r := ibid.Reference{ID: "k", Type: "book"}
		r.SetNames("author", n)
		out, _ := write(t, bib.BibLaTeX, []ibid.Reference{r})
		back := readOne(t, string(out)).Names["author"]
		if len(back) != 1 || back[0] != n {
			t.Errorf("%+v became %+v in\n%s", n, back, out)
		}
		if n.NonDroppingParticle+n.DroppingParticle == "" || strings.HasSuffix(n.NonDroppingParticle, "’") {
			continue
		}
		out, losses := write(t, bib.BibTeX, []ibid.Reference{r})
		if back := readOne(t, string(out)).Names["author"]; len(losses) != 0 || len(back) != 1 || back[0] != n {
			t.Errorf("%+v became %+v in\n%s%v", n, back, out, losses)
		}
	}
}

func TestTeXFile(t *testing.T) {
	f, err := bib.Read([]byte(`% a comment, by the way: me@example.org
@string{acm = "Assoc. for " # "Computing"}
@STRING(jan2 = {x})
@comment{jabref-meta: databaseType:bibtex;}
@preamble{"\newcommand{\x}{y}"}
@InProceedings{child, author="A. B" # { and } # "C D", title = "Quote {"} inside",
  crossref = {parent}, pages = "1--10", month = jun # "/" # jul, year = 2019, Keywords = {k1; k2}, myfield = {\LaTeX\ {raw}},
}
@proceedings{parent, title = {The {Proceedings}}, publisher = acm, year = 2018, editor = {E. F}, xdata = {common}}
@xdata{common, location = {Paris}, isbn = {978-3-16-148410-0}}
@misc(paren, howpublished = "\url{https://x.org/a\_b}", urldate = {2020-01-02})
@unknowntype{odd, title = {T}}
`))
	if err != nil || len(f.References) != 4 {
		t.Fatalf("%d: %v", len(f.References), err)
	}
	child := f.References[0]
	want := map[string]string{
		"title": `Quote " inside`, "container-title": "The Proceedings", "publisher": "Assoc. for Computing", "publisher-place": "Paris", "page": "1-10", "keyword": "k1; k2", "ISBN": "978-3-16-148410-0",
	}
	if !reflect.DeepEqual(child.Text, want) || child.Type != "paper-conference" || child.ID != "child" {
		t.Errorf("%+v", child)
	}
	if d := child.Dates["issued"]; len(d.Parts) != 2 || d.Parts[0] != (ibid.DateParts{Year: 2019, Month: 6}) || d.Parts[1].Month != 7 {
		t.Errorf("date %+v", d)
	}
	if !strings.Contains(string(child.Extra["x-bibtex"]), `\\LaTeX\\ {raw}`) {
		t.Errorf("unknown field: %s", child.Extra)
	}
	if p := f.References[2]; p.Type != "webpage" || p.URL() != "https://x.org/a_b" || p.Dates["accessed"].Parts[0].Day != 2 {
		t.Errorf("%+v", p)
	}
	if len(f.Notes) != 2 {
		t.Errorf("notes: %v", f.Notes)
	}
	out, losses := write(t, bib.BibLaTeX, f.References)
	if !strings.Contains(string(out), "@unknowntype{odd") || !strings.Contains(string(out), `myfield`) || len(losses) != 0 {
		t.Errorf("written: %s\n%v", out, losses)
	}
}

func TestBibLaTeXHabits(t *testing.T) {
	r := readOne(t, `@book{k, author = {van Gennep, Arnold}, options = {useprefix}, date = {1909}, publisher = {Nourry and {Barnes and Noble}}, location = {Paris and London}}`)
	if r.Names["author"][0].NonDroppingParticle != "van" || r.Text["publisher"] != "Nourry; Barnes and Noble" || r.Text["publisher-place"] != "Paris; London" {
		t.Errorf("%+v", r)
	}
	r = readOne(t, `@book{k, title = {T}, year = 1990, publisher = {Simon and Schuster}}`)
	if r.Text["publisher"] != "Simon and Schuster" {
		t.Errorf("BibTeX has no lists: %+v", r)
	}
	r = readOne(t, `@online{k, title = {T}, eprint = {2401.12345v2}, eprinttype = {arxiv}}`)
	if r.Text["number"] != "arXiv:2401.12345v2" || r.URL() != "https://arxiv.org/abs/2401.12345v2" {
		t.Errorf("%+v", r)
	}
}

// A preprint as arXiv.org gives it is one for the styles, too, and is written again as it was.
func TestPreprint(t *testing.T) {
	for _, in := range []string{
		`@misc{k, title={T}, eprint={2401.12345}, archivePrefix={arXiv}, primaryClass={cs.CL}, url={https://arxiv.org/abs/2401.12345}}`,
		`@misc{k, title={T}, eprint={arXiv:2401.12345}, archivePrefix={arXiv}, primaryClass={cs.CL}}`,
		`@online{k, title={T}, eprint={2401.12345}, eprinttype={arxiv}, primaryclass={cs.CL}}`,
		`@unpublished{k, title={T}, eprint={2401.12345}, eprinttype={arXiv}, primaryclass={cs.CL}}`,
		`@article{k, title={T}, journal={arXiv preprint arXiv:2401.12345}}`,
		`@article{k, title={T}, journal={arXiv:2401.12345 [cs.CL]}}`,
		`@article{k, title={T}, journal={arXiv e-prints}, pages={arXiv:2401.12345}, eprint={2401.12345}, archivePrefix={arXiv}, primaryclass={cs.CL}}`,
		`@article{k, title={T}, journal={ArXiv}, volume={abs/2401.12345}}`,
		"TY  - JOUR\nID  - k\nTI  - T\nJO  - arXiv preprint arXiv:2401.12345\nER  - \n",
		"<xml><records><record><ref-type>17</ref-type><titles><title>T</title><secondary-title>arXiv preprint arXiv:2401.12345</secondary-title></titles><label>k</label></record></records></xml>",
	} {
		r := readOne(t, in)
		for variable, want := range map[string]string{"publisher": "arXiv", "number": "arXiv:2401.12345", "archive": "", "archive_location": "", "container-title": "", "volume": "", "page": "", "URL": "https://arxiv.org/abs/2401.12345"} {
			if r.Type != "article" || r.Text[variable] != want {
				t.Errorf("%s: %s, %s %q, want %q", in, r.Type, variable, r.Text[variable], want)
			}
		}
		for _, f := range []bib.Format{bib.BibTeX, bib.BibLaTeX} {
			out, losses := write(t, f, []ibid.Reference{r})
			if bytes.Contains(out, []byte("publisher")) || bytes.Contains(out, []byte("number")) || bytes.Contains(out, []byte("subtype")) || !reflect.DeepEqual(readOne(t, string(out)).Text, r.Text) {
				t.Errorf("%s: %v\n%s", f, losses, out)
			}
		}
	}
	r := readOne(t, `@article{k, title={T}, journal={CoRR}, volume={abs/2401.12345}, eprint={2401.12345}, eprinttype={arXiv}}`)
	if r.Type != "article-journal" || r.Text["publisher"] != "" || r.Text["archive_location"] != "2401.12345" {
		t.Errorf("an article of a journal: %+v", r)
	}
	for _, journal := range []string{"arXiv", "arXiv preprint", "arXiv preprint of things", "Journal of arXiv:2401.12345", "arXiv: hello"} {
		if r = readOne(t, "@article{k, title={T}, journal={"+journal+"}}"); r.Type != "article-journal" || r.Text["container-title"] != journal {
			t.Errorf("%s: %+v", journal, r)
		}
	}
	r = readOne(t, `@misc{k, title={T}, number={7}, eprint={2401.12345}, archiveprefix={arXiv}}`)
	if r.Type != "article" || r.Text["number"] != "7" || r.Text["archive_location"] != "2401.12345" {
		t.Errorf("with a number of its own: %+v", r)
	}
}

// Text that looks like TeX comes back as the text it is.
func TestLooksLikeTeX(t *testing.T) {
	for _, s := range []string{"a -- b --- c", "`` and ''", "?` and !`", `\alpha and \textit{x}`, "100% of $5 & #1_2^3 ~ {x} }{", "– —", "$x$ and $y", "<i>unclosed", "a < b > c", "\"quoted\"", "'single' `double`"} {
		for _, f := range []bib.Format{bib.BibTeX, bib.BibLaTeX, bib.RIS, bib.EndNote} {
			r := ibid.Reference{ID: "k", Type: "book"}
			r.Set("title", s)
			r.Set("note", s)
			out, _ := write(t, f, []ibid.Reference{r})
			back := readOne(t, string(out))
			if back.Title() != s || back.Text["note"] != s {
				t.Errorf("%s: %q became %q and %q in\n%s", f, s, back.Title(), back.Text["note"], out)
			}
		}
	}
}

func TestTeXDates(t *testing.T) {
	for in, want := range map[string]string{
		"date = {2020-06-17}": `{"date-parts":[[2020,6,17]]}`, "date = {2020-06}": `{"date-parts":[[2020,6]]}`, "date={2020/2021}": `{"date-parts":[[2020],[2021]]}`,
		"date = {1990~}": `{"date-parts":[[1990]],"circa":true}`, "date = {2020-21}": `{"date-parts":[[2020]],"season":"1"}`, "date={-0043-03-15}": `{"date-parts":[[-44,3,15]]}`,
		"year = {in press}": `{"literal":"in press"}`, "year = 2020, month = jun, day = 17": `{"date-parts":[[2020,6,17]]}`, "year = 2020, month = {17~June}": `{"date-parts":[[2020,6,17]]}`,
		"year = 2020, month = {Spring}": `{"date-parts":[[2020]],"season":"1"}`, "year = {ca. 1850}": `{"date-parts":[[1850]],"circa":true}`, "date = {2024-13-45}": `{"literal":"2024-13-45"}`,
		"date = {0000}": `{"date-parts":[[-1]]}`, "date = {-0001/0002}": `{"date-parts":[[-2],[2]]}`, "year = {-44}": `{"date-parts":[[-44]]}`, "date = {0000-00-00}": `{"literal":"0000-00-00"}`, "date = {0}": `{"literal":"0"}`,
		"year = 2020, month = {10--15~} # jun": `{"date-parts":[[2020,6,10],[2020,6,15]]}`, "year = 2020, month = {June 10-15}": `{"date-parts":[[2020,6,10],[2020,6,15]]}`,
		"year = 2020, month = {30 June--2 July}": `{"date-parts":[[2020,6,30],[2020,7,2]]}`, "year = 2020, month = {June 30--July 2}": `{"date-parts":[[2020,6,30],[2020,7,2]]}`, "year = 2020, month = {5/6}": `{"date-parts":[[2020,5],[2020,6]]}`,
		"year = {March 2020}": `{"date-parts":[[2020,3]]}`, "year = {April 12th, 1994}": `{"date-parts":[[1994,4,12]]}`, "date = {10--15 June 2020}": `{"date-parts":[[2020,6,10],[2020,6,15]]}`, "date = {5 de agosto de 1858}": `{"date-parts":[[1858,8,5]]}`, "year = {Spring 1999}": `{"date-parts":[[1999]],"season":"1"}`,
		"year = {Mark 2020}": `{"literal":"Mark 2020"}`, "year = {to appear 2020}": `{"literal":"to appear 2020"}`,
		"year = 2020, month = {Juni}": `{"date-parts":[[2020,6]]}`, "year = 2020, month = {M{\\\"a}rz}": `{"date-parts":[[2020,3]]}`, "year = 2020, month = {5 de agosto}": `{"date-parts":[[2020,8,5]]}`, "year = 2020, month = {października}": `{"date-parts":[[2020,10]]}`,
		"year = 2020, month = 3": `{"date-parts":[[2020,3]]}`, "year = {1914--1918}": `{"date-parts":[[1914],[1918]]}`,
	} {
		r := readOne(t, "@book{k, "+in+"}")
		got, _ := json.Marshal(r.Dates["issued"])
		if string(got) != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
		for _, f := range []bib.Format{bib.BibTeX, bib.BibLaTeX} {
			out, losses := write(t, f, []ibid.Reference{r})
			if back := readOne(t, string(out)); len(losses) > 0 || !reflect.DeepEqual(back.Dates, r.Dates) {
				t.Errorf("%s: written and read again it is %+v (%v)\n%s", in, back.Dates, losses, out)
			}
		}
	}
}

func TestFieldsOfBibTeX(t *testing.T) {
	for _, c := range []struct{ rule, in, want string }{
		{"a manual has an organization", "@manual{k, title = {M}, organization = {FSF}}", "organization = {FSF}"},
		{"and may have a publisher beside it", "@manual{k, title = {M}, organization = {FSF}, publisher = {P}}", "publisher    = {P},\n  organization = {FSF}"},
		{"a year is not filled up with zeros", "@book{k, year = 850}", "year = {850}"},
		{"nor one before the common era", "@book{k, year = {-44}}", "year = {-44}"},
		{"a range of years", "@book{k, year = {1914--1918}}", "year = {1914--1918}"},
		{"a range of years that is not certain", "@book{k, date = {1723~/1730~}}", "year = {ca. 1723--1730}"},
		{"keywords", "@book{k, keywords = {cables, the  sea}}", "keywords = {cables, the sea}"},
		{"keywords, parted otherwise", "@book{k, keywords = {cables; the sea}}", "keywords = {cables, the sea}"},
		{"keywords with commas", "@book{k, keywords = {Lungs, diseases of; cables}}", "keywords = {Lungs, diseases of; cables}"},
		{"one keyword with a comma", "@book{k, keywords = {{Lungs, diseases of}}}", "keywords = {{Lungs, diseases of}}"},
	} {
		r := readOne(t, c.in)
		out, losses := write(t, bib.BibTeX, []ibid.Reference{r})
		if !strings.Contains(string(out), c.want) || len(losses) > 0 {
			t.Errorf("%s: want %s, %v, in\n%s", c.rule, c.want, losses, out)
		}
		if back := readOne(t, string(out)); !reflect.DeepEqual(back.Text, r.Text) || !reflect.DeepEqual(back.Dates, r.Dates) {
			t.Errorf("%s: comes back as %+v, was %+v", c.rule, back, r)
		}
	}
	r := readOne(t, "@book{k, keywords = {cables, {Lungs, diseases of}}}")
	if out, _ := write(t, bib.RIS, []ibid.Reference{r}); !strings.Contains(string(out), "KW  - cables\nKW  - Lungs, diseases of\n") {
		t.Errorf("RIS has a line for each keyword:\n%s", out)
	}
}

// An entry takes the whole date of the one that it names, unless it has one.
func TestInheritedDate(t *testing.T) {
	for in, want := range map[string]string{
		"": `{"date-parts":[[2005,7]]}`, "year = 2006": `{"date-parts":[[2006]]}`, "month = jun": `{"date-parts":[[2005,6]]}`,
	} {
		r := readOne(t, "@inproceedings{c, crossref = {p}, "+in+"}\n@proceedings{p, year = 2005, month = jul}")
		if got, _ := json.Marshal(r.Dates["issued"]); string(got) != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// A month or a day in no form that is known is no part of the date, and not dropped.
func TestTeXKeepsOddDates(t *testing.T) {
	for in, want := range map[string]string{
		"year = 2020, month = {Kesäkuu}": `{"month":"Kesäkuu"}`, "month = jun, day = 3": `{"day":"3","month":"June"}`, "year = 2020, month = jun, day = {17th}": `{"day":"17th"}`,
		"year = {in press}, month = jun": `{"month":"June"}`, "year = 2020, month = {40 June}": `{"month":"40 June"}`, "year = 2020, month = {10 June--foo}": `{"month":"10 June--foo"}`,
		"year = 2020, month = {10 June--July}": `{"month":"10 June--July"}`, "year = 2020, month = {10--32 June}": `{"month":"10--32 June"}`, "year = 2020, month = spring, day = 3": `{"day":"3"}`,
	} {
		r := readOne(t, "@book{k, title={T}, "+in+"}")
		if got := string(r.Extra["x-bibtex"]); got != `{"fields":`+want+`}` {
			t.Errorf("%s: kept %s", in, got)
		}
		out, _ := write(t, bib.BibTeX, []ibid.Reference{r})
		if back := readOne(t, string(out)); !reflect.DeepEqual(back, r) {
			t.Errorf("%s: written and read again it is %+v\n%s", in, back, out)
		}
	}
}

// BibLaTeX counts years as astronomers do, with a year 0; CSL, and all other formats, as historians do.
func TestYearsBeforeTheCommonEra(t *testing.T) {
	for year, want := range map[int]string{-1: "0000", -2: "-0001", -44: "-0043", 1: "0001"} {
		r := ibid.Reference{ID: "k", Type: "book"}
		d := ibid.Date{Parts: []ibid.DateParts{{Year: year, Month: 3, Day: 15}}}
		for _, v := range []string{"issued", "accessed", "submitted"} {
			r.SetDate(v, d)
		}
		out, _ := write(t, bib.BibLaTeX, []ibid.Reference{r})
		if strings.Count(string(out), "{"+want+"-03-15}") != 3 {
			t.Errorf("%d: no %s in\n%s", year, want, out)
		}
		for _, f := range bib.Formats() {
			out, _ := write(t, f, []ibid.Reference{r})
			back := readOne(t, string(out))
			for _, v := range []string{"issued", "accessed"} {
				if !reflect.DeepEqual(back.Dates[v], d) {
					t.Errorf("%s: %s %d became %+v in\n%s", f, v, year, back.Dates[v], out)
				}
			}
		}
	}
}

// A book is no part of itself: its booktitle is there for what is in it.
func TestBookTitleOfWholeBooks(t *testing.T) {
	in := "@inproceedings{child, title={A Talk}, crossref={p}}\n@proceedings{p, title={Proc. of X}, booktitle={Proc. of X}, year=2020}\n@book{b, title={T}, booktitle={Other}}\n@proceedings{only, booktitle={Proc. of Y}}\n"
	f, err := bib.Read([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][2]string{{"A Talk", "Proc. of X"}, {"Proc. of X", ""}, {"T", ""}, {"Proc. of Y", ""}} {
		if r := f.References[i]; r.Title() != want[0] || r.Text["container-title"] != want[1] {
			t.Errorf("%s: %q in %q, want %q", r.ID, r.Title(), r.Text["container-title"], want)
		}
	}
	if out, _ := write(t, bib.BibTeX, f.References); !strings.Contains(string(out), "booktitle = {Other}") {
		t.Errorf("not written again: %s", out)
	}
}

func TestTeXFaultsAreNamed(t *testing.T) {
	whole := "@book{a, title = {A}}\n@book{b, title = {B}}\n"
	for _, c := range []struct {
		rule, in, want string
		n              int
	}{
		{"cut in the middle of a value", whole + "@book{c,\n title = {The end is mis", "line 3: @book{c is left out: its field title is not closed", 2},
		{"cut after a field", whole + "@book{c, title = {C},\n", "line 3: @book{c is not closed: expected } before the end of the file", 2},
		{"an unclosed brace does not swallow the rest", "@book{a, title = {A {B}}\n" + whole, "line 2: @book{a: expected a field", 2},
		{"a field without a value", "@book{a, title = }\n" + whole, "line 1: expected a value in braces or quotes, found '}'", 2},
		{"no equals sign", "@book{a, title {x}}\n" + whole, "line 1: @book{a: expected a field like title = {…}, or }, found '{'", 2},
		{"quote closed by brace", "@book{a, title = \"x}\n" + whole, "expected a quotation mark", 2},
	} {
		f, err := bib.Read([]byte(c.in))
		if len(f.References) != c.n || !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %d references, %v\nwant %s", c.rule, len(f.References), err, c.want)
		}
	}
}

func TestTeXBombs(t *testing.T) {
	var b strings.Builder
	b.WriteString("@string{a0 = {xxxxxxxxxx}}\n")
	for i := range 60 {
		fmt.Fprintf(&b, "@string{a%d = a%d # a%d}\n", i+1, i, i)
	}
	b.WriteString("@book{k, title = a60}\n@book{loop, crossref = {pool}}\n@book{pool, crossref = {loop}}")
	f, err := bib.Read([]byte(b.String()))
	if !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), "grow without bound") || len(f.References) < 2 {
		t.Errorf("%d %.200v", len(f.References), err)
	}
	deep := "@book{k, title = {" + strings.Repeat("{", 200000) + "x" + strings.Repeat("}", 200000) + "}}"
	if r := readOne(t, deep); !strings.Contains(r.Title(), "x") {
		t.Error("deep braces lose the text")
	}
	many := strings.Repeat("@book{k, title = {\n", 20000)
	if _, err := bib.Read([]byte(many)); err == nil {
		t.Error("unclosed entries without a fault")
	}
}

func TestKeysAreUniqueAndStable(t *testing.T) {
	f, err := bib.Read([]byte("@book{a, title={X}}\n@book{a, title={Y}}\n@book{, author={Ann Öl}, year=2020, title={The Thing}}\n@book{author={Ann Öl}, year=2020, title={The Thing}}\n@book{a-2, title={Z}}"))
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, r := range f.References {
		ids = append(ids, r.ID)
	}
	if got := strings.Join(ids, " "); got != "a a-3 ol2020thing ol2020thing-2 a-2" {
		t.Error(got)
	}
	out, _ := write(t, bib.BibTeX, f.References)
	again, _ := bib.Read(out)
	for i, r := range again.References {
		if r.ID != ids[i] {
			t.Errorf("%s became %s", ids[i], r.ID)
		}
	}
	if len(again.Notes) != 0 {
		t.Errorf("notes: %v", again.Notes)
	}
	r := ibid.Reference{ID: "http://zotero.org/users/1/items/AB, C%", Type: "book"}
	if out, losses := write(t, bib.BibTeX, []ibid.Reference{r}); !strings.Contains(string(out), "@book{http://zotero.org/users/1/items/AB__C_") || len(losses) != 1 {
		t.Errorf("%s %v", out, losses)
	}
}

// A key is made of the name, the year and the title in plain letters.
func TestKeysAreMadeOfPlainLetters(t *testing.T) {
	for in, want := range map[string]string{
		"author = {Żółw, Łukasz}, title = {Księga}, year = 2019":             "zolw2019ksiega",
		"author = {Ørsted, H. C.}, title = {Der Straßenbau}, year = 1820":    "orsted1820strassenbau",
		"author = {{World Health Organization}}, title = {A}, year = {n.d.}": "worldhealthorganization",
		"title = {ケーブル}": "item",
	} {
		if r := readOne(t, "@book{, "+in+"}"); r.ID != want {
			t.Errorf("%s: %s, want %s", in, r.ID, want)
		}
	}
}

// A bare & in a formula stops TeX: it is written as a sign, and comes back as it was; so does one that was a sign already.
func TestAndInAFormula(t *testing.T) {
	for title, want := range map[string]string{
		`Of $\frac{a}{b} & c$ and R&D`:      `Of $\frac{a}{b} \&{} c$ and R\&D`,
		`Of $\frac{a}{b} \& c$`:             `Of $\frac{a}{b} \& c$`,
		`$\sqrt{R&D}$ & $\sqrt{&\&}$`:       `$\sqrt{R\&{}D}$ \& $\sqrt{\&{}\&}$`,
		`Of $\hat{\&}$ and $\hat&$`:         `Of $\hat{\&}$ and $\hat\&{}$`,
		`$\begin{matrix}a & b\end{matrix}$`: `\$\textbackslash{}begin\textbraceleft{}matrix\textbraceright{}a \& b\textbackslash{}end\textbraceleft{}matrix\textbraceright{}\$`,
		`Of $a & b$`:                        `Of \$a \& b\$`,
	} {
		for _, f := range []bib.Format{bib.BibTeX, bib.BibLaTeX} {
			r := ibid.Reference{ID: "k", Type: "book"}
			r.Set("title", title)
			out, _ := write(t, f, []ibid.Reference{r})
			if !strings.Contains(string(out), "{"+want+"}") {
				t.Errorf("%s: %s is written as\n%s", f, title, out)
			}
			if back := readOne(t, string(out)).Title(); back != title {
				t.Errorf("%s: %s came back as %s", f, title, back)
			}
		}
	}
	// A file that has one is read, and what is written of it TeX takes.
	for in, want := range map[string]string{
		`$\frac{a}{b} & c$`: `$\frac{a}{b} \&{} c$`, `\ensuremath{a & \frac{b}{c}}`: `$a \&{} \frac{b}{c}$`, `$a & b$`: `a \& b`, `$x_{a&b}$`: `x\textsubscript{a\&b}`,
	} {
		out, _ := write(t, bib.BibTeX, []ibid.Reference{readOne(t, "@book{k, title={"+in+"}}")})
		if !strings.Contains(string(out), "{"+want+"}") {
			t.Errorf("%s is written as\n%s", in, out)
		}
	}
}

// A title is what some page says of itself: it can set a formula, and do nothing else to who typesets the file.
func TestTitlesRunNoTeX(t *testing.T) {
	for _, title := range []string{`$\write18{id}$`, `On $\input{/etc/passwd}$`, `$\alpha\csname input\endcsname{x}$`, `$\^^69nput{x}$`, `$a \@@input x$`, `$\immediate\openout1=x$`,
		`$\directlua{os.execute("id")}$`, `$\def\x{\x}\x$`, `$x\foreach$`, "$\\alpha\x00\\input$", `$\\\input x$`, `$\url{x}\verb|x|$`} {
		for _, format := range []bib.Format{bib.BibTeX, bib.BibLaTeX} {
			ref := ibid.Reference{ID: "a", Type: "book"}
			ref.Set("title", title)
			var b strings.Builder
			if _, err := bib.Write(&b, format, []ibid.Reference{ref}); err != nil {
				t.Fatal(err)
			}
			for _, c := range regexp.MustCompile(`\\[A-Za-z@^]+`).FindAllString(b.String(), -1) {
				if !strings.HasPrefix(c, `\text`) && c != `\alpha` {
					t.Errorf("%q is written with %s: %s", title, c, b.String())
				}
			}
		}
	}
	ref := ibid.Reference{ID: "a", Type: "book"}
	ref.Set("title", `Of $\frac{1}{\sqrt{2}} \to \hat{\mathbf{x}}_{\mathrm{QCD}}$`)
	var b strings.Builder
	if _, err := bib.Write(&b, bib.BibTeX, []ibid.Reference{ref}); err != nil || !strings.Contains(b.String(), `$\frac{1}{\sqrt{2}} \to \hat{\mathbf{x}}_{\mathrm{QCD}}$`) {
		t.Errorf("%s, %v", b.String(), err)
	}
}
