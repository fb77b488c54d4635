package csl

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
)

// people are names as "Given Family", parted by semicolons.
func people(s string) []ibid.Name {
	var out []ibid.Name
	for n := range strings.SplitSeq(s, "; ") {
		given, family, _ := strings.Cut(n, " ")
		out = append(out, ibid.Name{Family: family, Given: given})
	}
	return out
}

// What stands in for names that the entry before has, too, by each of the rules of the specification.
func TestSubsequentAuthorSubstitute(t *testing.T) {
	items := []ibid.Reference{
		{ID: "1", Type: "book", Names: map[string][]ibid.Name{"author": people("A Doe; B Roe; C Poe")}},
		{ID: "2", Type: "book", Names: map[string][]ibid.Name{"author": people("A Doe; B Roe; C Poe")}},
		{ID: "3", Type: "book", Names: map[string][]ibid.Name{"author": people("A Doe; B Roe; D Low")}},
		{ID: "4", Type: "book", Names: map[string][]ibid.Name{"author": people("E Doe; B Roe")}},
		{ID: "5", Type: "book"},
		{ID: "6", Type: "book", Names: map[string][]ibid.Name{"author": people("E Doe; B Roe")}},
	}
	for rule, want := range map[string][]string{
		"complete-all":  {"Doe, Roe, Poe 1", "— 2", "Doe, Roe, Low 3", "Doe, Roe 4", "5", "Doe, Roe 6"},
		"complete-each": {"Doe, Roe, Poe 1", "—, —, — 2", "Doe, Roe, Low 3", "Doe, Roe 4", "5", "Doe, Roe 6"},
		"partial-each":  {"Doe, Roe, Poe 1", "—, —, — 2", "—, —, Low 3", "—, — 4", "5", "Doe, Roe 6"},
		"partial-first": {"Doe, Roe, Poe 1", "—, Roe, Poe 2", "—, Roe, Low 3", "—, Roe 4", "5", "Doe, Roe 6"},
	} {
		style := styleOf(t, `<citation><layout/></citation><bibliography subsequent-author-substitute="—" subsequent-author-substitute-rule="`+rule+`">
			<layout><group delimiter=" "><names variable="author"><name form="short"/></names><text variable="title"/></group></layout></bibliography>`)
		var list []ibid.Reference
		for _, r := range items {
			r.Text = map[string]string{"title": r.ID}
			list = append(list, r)
		}
		doc, err := NewDocument(style, Options{Items: list})
		if err != nil {
			t.Fatal(err)
		}
		doc.Nocite()
		b, err := doc.Bibliography(Text)
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range b.Entries {
			if e.Text != want[i] {
				t.Errorf("%s: %s, want %s", rule, e.Text, want[i])
			}
		}
	}
}

// A style changes what a locale's date looks like part by part, and leaves out parts of it.
func TestLocalizedDatesAreChangedByStyles(t *testing.T) {
	for attrs, want := range map[string]string{
		`form="text"/>`:                                                                                                "April 12, 1994",
		`form="text" date-parts="year-month"/>`:                                                                        "April 1994",
		`form="text" date-parts="year"/>`:                                                                              "1994",
		`form="text"><date-part name="month" form="short"/></date>`:                                                    "Apr. 12, 1994",
		`form="text"><date-part name="month" form="short" strip-periods="true"/></date>`:                               "Apr 12, 1994",
		`form="text"><date-part name="month" text-case="uppercase"/></date>`:                                           "APRIL 12, 1994",
		`form="text"><date-part name="day" form="ordinal"/></date>`:                                                    "April 12th, 1994",
		`form="text"><date-part name="day" form="numeric-leading-zeros"/><date-part name="year" form="short"/></date>`: "April 12, 94",
		`form="numeric"/>`: "04/12/1994",
	} {
		r := ibid.Reference{ID: "a", Type: "book"}
		r.SetDate("issued", ibid.NewDate(1994, 4, 12))
		if got := cited(t, styleOf(t, `<citation><layout><date variable="issued" `+attrs+`</layout></citation>`), "en-US", r); got != want {
			t.Errorf("%s: %s, want %s", attrs, got, want)
		}
	}
}

// Programs without a field for it keep a variable in the note: a line of its own at the beginning, or in braces anywhere.
func TestVariablesInNotes(t *testing.T) {
	style := styleOf(t, `<citation><layout><group delimiter="|"><names variable="editor"><name delimiter=";" name-as-sort-order="all"/></names><text variable="publisher"/>
		<date variable="original-date" form="numeric"/></group></layout></citation>`)
	for note, want := range map[string]string{
		"original-date: 1900\npublisher: Own":                  "Own|1900",
		"see {:original-date: 1900} and {:publisher: In Note}": "In Note|1900",
		"{:editor: Doe || Jane} {:editor: The Board}":          "Doe, Jane;The Board",
		"editor: Doe || Jane\neditor: Roe || Max":              "Doe, Jane;Roe, Max",
		"{:no colon} {:publisher: After}":                      "After",
		"{:publisher: not closed":                              noForm,
		"A sentence: first.\npublisher: not a field here":      noForm,
	} {
		r := ibid.Reference{ID: "a", Type: "book"}
		r.Set("note", note)
		if got := cited(t, style, "", r); got != want {
			t.Errorf("%q: %q, want %q", note, got, want)
		}
	}
	r := ibid.Reference{ID: "a", Type: "book"}
	r.Set("note", "publisher: of the note")
	r.Set("publisher", "its own")
	if got := cited(t, style, "", r); got != "its own" {
		t.Errorf("a note goes before the field: %q", got)
	}
	r = ibid.Reference{ID: "a", Type: "book", Extra: map[string]json.RawMessage{"publisher": json.RawMessage(`["First","Second"]`)}}
	if got := cited(t, style, "", r); got != "First" {
		t.Errorf("a text that came as a list: %q", got)
	}
}

// Two people of one work whose names are short in the same way are told apart in full, whatever else is cited.
func TestNamesakesOfOneWork(t *testing.T) {
	style := styleOf(t, `<citation disambiguate-add-givenname="true"><layout delimiter="; "><names variable="author"><name initialize-with=". "/></names></layout></citation>`)
	a := ibid.Reference{ID: "a", Type: "book", Names: map[string][]ibid.Name{"author": people("John Doe; Jane Doe; Ann Roe")}}
	b := ibid.Reference{ID: "b", Type: "book", Names: map[string][]ibid.Name{"author": people("Jim Doe")}}
	if got, want := cited(t, style, "", a, b), "John Doe, Jane Doe, A. Roe; J. Doe"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A citation in numbers is shortened where nothing is said beside the numbers.
func TestNumbersWithWordsAreNotCollapsed(t *testing.T) {
	style := styleOf(t, `<citation collapse="citation-number"><sort><key variable="citation-number"/></sort><layout prefix="[" suffix="]" delimiter=", ">
		<text variable="citation-number"/><text variable="locator" prefix=":"/></layout></citation>`)
	var items []ibid.Reference
	for _, id := range []string{"a", "b", "c", "d", "e"} {
		items = append(items, ibid.Reference{ID: id, Type: "book"})
	}
	for _, c := range []struct {
		change func(*CiteItem)
		want   string
	}{
		{func(*CiteItem) {}, "[1–5]"},
		{func(c *CiteItem) { c.Locator = "7" }, "[1, 2, 3:7, 4, 5]"},
		{func(c *CiteItem) { c.Prefix = "see" }, "[1, 2, see 3, 4, 5]"},
		{func(c *CiteItem) { c.Suffix = "and after" }, "[1, 2, 3 and after, 4, 5]"},
		{func(c *CiteItem) { c.Suffix = ", too" }, "[1, 2, 3, too, 4, 5]"},
		{func(c *CiteItem) { c.ID = "unknown" }, "[1–4, unknown]"},
	} {
		doc, err := NewDocument(style, Options{Items: items})
		if err != nil {
			t.Fatal(err)
		}
		var cl Cluster
		for _, it := range items {
			cl.Items = append(cl.Items, CiteItem{ID: it.ID})
			doc.Nocite(it.ID)
		}
		c.change(&cl.Items[2])
		doc.Cite(cl)
		if got := doc.Citations(Text)[0]; got != c.want {
			t.Errorf("%+v: %s, want %s", cl.Items[2], got, c.want)
		}
	}
}

// Labels of works without one of their own are made of names and year.
func TestCitationLabels(t *testing.T) {
	style := styleOf(t, `<citation><layout><text variable="citation-label"/></layout></citation>`)
	for names, want := range map[string]string{
		"A Doering":                         "Doer65",
		"A Doe":                             "Doe65",
		"A Doering; B Roesner":              "DoRo65",
		"A Doering; B Roesner; C Poe":       "DoRP65",
		"A Doering; B Roe; C Poe; D Low":    "DRPL65",
		"A Do; B Ro; C Po; D Lo; E Mo; F N": "DRPL65",
		"A Österreich":                      "Öste65",
	} {
		r := ibid.Reference{ID: "a", Type: "book", Names: map[string][]ibid.Name{"author": people(names)}}
		r.SetDate("issued", ibid.NewDate(1965))
		if got := cited(t, style, "", r); got != want {
			t.Errorf("%s: %s, want %s", names, got, want)
		}
	}
	r := ibid.Reference{ID: "a", Type: "book", Names: map[string][]ibid.Name{"editor": {{Literal: "Unesco"}}}}
	if got := cited(t, style, "", r); got != "Unes" {
		t.Errorf("an institution that edits, without a year: %s", got)
	}
	if r.Set("citation-label", "UN"); cited(t, style, "", r) != "UN" {
		t.Error("a label of its own is not taken")
	}
}

// Names in each order, with all that a name may have.
func TestNameOrders(t *testing.T) {
	plain, inverted := ` `, ` name-as-sort-order="all"`
	for _, c := range []struct {
		name   ibid.Name
		attrs  string
		demote string
		want   string
	}{
		{ibid.Name{Family: "King", Given: "Martin", Suffix: "Jr."}, plain, "never", "Martin King Jr."},
		{ibid.Name{Family: "King", Given: "Martin", Suffix: "Jr.", CommaSuffix: true}, plain, "never", "Martin King, Jr."},
		{ibid.Name{Family: "King", Given: "Martin", Suffix: "Jr."}, inverted, "never", "King, Martin, Jr."},
		{ibid.Name{Family: "King", Given: "Martin, Jr."}, plain, "never", "Martin King Jr."},
		{ibid.Name{Family: "King", Given: "Martin,! Jr."}, plain, "never", "Martin King, Jr."},
		{ibid.Name{Family: "van Gogh", Given: "Vincent"}, plain, "never", "Vincent van Gogh"},
		{ibid.Name{Family: "van Gogh", Given: "Vincent"}, inverted, "never", "van Gogh, Vincent"},
		{ibid.Name{Family: "van Gogh", Given: "Vincent"}, inverted, "display-and-sort", "Gogh, Vincent van"},
		{ibid.Name{Family: "van Gogh"}, inverted, "display-and-sort", "Gogh, van"},
		{ibid.Name{Family: "Humboldt", Given: "Alexander von"}, plain, "never", "Alexander von Humboldt"},
		{ibid.Name{Family: "Humboldt", Given: "Alexander von"}, inverted, "never", "Humboldt, Alexander von"},
		{ibid.Name{Family: "Humboldt", DroppingParticle: "von"}, inverted, "never", "Humboldt, von"},
		{ibid.Name{Family: "Aubignac", Given: "François Hédelin, abbé d’"}, plain, "never", "François Hédelin Aubignac, abbé d’"},
		{ibid.Name{Family: "Aubignac", Given: "François Hédelin, abbé d’"}, inverted, "never", "Aubignac, François Hédelin, abbé d’"},
		{ibid.Name{Family: "d’Alembert", Given: "Jean"}, plain, "never", "Jean d’Alembert"},
		{ibid.Name{Family: "'t Hooft", Given: "Gerard"}, inverted, "display-and-sort", "Hooft, Gerard ’t"},
		{ibid.Name{Family: "Nagy", Given: "Imre", StaticOrdering: true}, plain, "never", "Nagy Imre"},
		{ibid.Name{Family: "Nagy", Given: "Imre", StaticOrdering: true}, inverted, "never", "Nagy Imre"},
		{ibid.Name{Family: "毛", Given: "泽东"}, inverted, "never", "毛泽东"},
		{ibid.Name{Family: "毛", Given: "Zedong"}, plain, "never", "Zedong 毛"},
		{ibid.Name{Given: "Plato"}, inverted, "never", "Plato"},
		{ibid.Name{Family: `"van Books"`, Given: "A"}, inverted, "display-and-sort", "van Books, A"},
		{ibid.Name{Literal: "The Board"}, inverted, "never", "The Board"},
		{ibid.Name{Family: "Doe", Given: "Jean-Paul"}, ` initialize-with="."`, "never", "J.-P. Doe"},
		{ibid.Name{Family: "Doe", Given: "Jean‑Paul"}, ` initialize-with="."`, "never", "J.-P. Doe"},
		{ibid.Name{Family: "Doe", Given: "Guo-ping"}, ` initialize-with="."`, "never", "G. Doe"},
		{ibid.Name{Family: "Doe", Given: "J.P."}, ` initialize-with=". "`, "never", "J. P. Doe"},
		{ibid.Name{Family: "Doe", Given: "Ph. M. E."}, ` initialize-with="."`, "never", "Ph.M.E. Doe"},
		{ibid.Name{Family: "Doe", Given: "John B . C"}, ` initialize-with="."`, "never", "J.B.C. Doe"},
		{ibid.Name{Family: "Doe", Given: "john"}, ` initialize-with="."`, "never", "john Doe"},
		{ibid.Name{Family: "Doe", Given: "TSerendorjiin"}, ` initialize-with="."`, "never", "Ts. Doe"},
		{ibid.Name{Family: "Doe", Given: "ME"}, ` initialize-with="."`, "never", "M. Doe"},
		{ibid.Name{Family: "Doe", Given: "John A B"}, ` initialize="false" initialize-with=". "`, "never", "John A. B. Doe"},
	} {
		style := styleOf(t, `<citation><layout><names variable="author"><name`+c.attrs+`/></names></layout></citation>`)
		style.demoteParticle = c.demote
		r := ibid.Reference{ID: "a", Type: "book", Names: map[string][]ibid.Name{"author": {c.name}}}
		if got := cited(t, style, "", r); got != c.want {
			t.Errorf("%+v%s, %s: %s, want %s", c.name, c.attrs, c.demote, got, c.want)
		}
	}
}

// A citation that is taken out is as if it had never been there.
func TestRemove(t *testing.T) {
	doc, err := NewDocument(builtin(t, "ieee"), Options{Items: []ibid.Reference{book("a", "Doe", 2000), book("b", "Roe", 2001), book("c", "Poe", 2002)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"a", "b", "c"} {
		doc.Cite(Cluster{Items: []CiteItem{{ID: id}}})
	}
	doc.Citations(Text)
	doc.Remove(0)
	doc.Remove(-1)
	doc.Remove(2)
	if got := doc.Citations(Text); !slices.Equal(got, []string{"[1]", "[2]"}) {
		t.Errorf("%q", got)
	}
	if b, _ := doc.Bibliography(Text); len(b.Entries) != 2 || b.Entries[0].ID != "b" {
		t.Errorf("%+v", b.Entries)
	}
}

// Words that the writer puts between the names and the rest.
func TestInfix(t *testing.T) {
	doc, err := NewDocument(builtin(t, "apa"), Options{Items: []ibid.Reference{book("a", "Doe", 2000), {ID: "b", Type: "book", Text: map[string]string{"title": "Untold"}}}})
	if err != nil {
		t.Fatal(err)
	}
	doc.Cite(Cluster{Items: []CiteItem{{ID: "a"}}, Mode: Composite, Infix: " and others "})
	doc.Cite(Cluster{Items: []CiteItem{{ID: "gone"}}, Mode: Composite})
	if got, want := doc.Citations(Text), []string{"Doe and others (2000)", "(gone)"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Each form of output has marks of its own for each font, and none of what the words hold is one.
func TestMarksOfFormats(t *testing.T) {
	for f, want := range map[Format][]string{
		Text:     {"w", "w", "w", "w", "w", "w", "w"},
		HTML:     {"<i>w</i>", "<em>w</em>", "<b>w</b>", `<span style="font-variant:small-caps;">w</span>`, `<span style="text-decoration:underline;">w</span>`, "<sup>w</sup>", "<sub>w</sub>"},
		Markdown: {"*w*", "*w*", "**w**", `<span style="font-variant:small-caps;">w</span>`, `<span style="text-decoration:underline;">w</span>`, "<sup>w</sup>", "<sub>w</sub>"},
		LaTeX:    {`\textit{w}`, `\textsl{w}`, `\textbf{w}`, `\textsc{w}`, `\underline{w}`, `\textsuperscript{w}`, `\textsubscript{w}`},
	} {
		for i, attrs := range []string{`font-style="italic"`, `font-style="oblique"`, `font-weight="bold"`, `font-variant="small-caps"`, `text-decoration="underline"`, `vertical-align="sup"`, `vertical-align="sub"`} {
			doc, err := NewDocument(styleOf(t, `<citation><layout><text value="w" `+attrs+`/></layout></citation>`), Options{Items: []ibid.Reference{{ID: "a", Type: "book"}}})
			if err != nil {
				t.Fatal(err)
			}
			doc.Cite(Cluster{Items: []CiteItem{{ID: "a"}}})
			if got := doc.Citations(f)[0]; got != want[i] {
				t.Errorf("%s as %s: %s, want %s", attrs, f, got, want[i])
			}
		}
		if got, ok := ParseFormat(strings.ToUpper(f.String())); !ok || got != f {
			t.Errorf("%s is read as %s", f, got)
		}
	}
	if _, ok := ParseFormat("word"); ok {
		t.Error("a format that there is not")
	}
}

// "Ibid." is said where no one can take it for another work, and "near" is counted from the cite before.
func TestPositions(t *testing.T) {
	style := styleOf(t, `<citation near-note-distance="5"><layout delimiter=";"><choose><if position="ibid-with-locator"><text value="ibid at "/><text variable="locator"/></if>
		<else-if position="ibid"><text value="ibid"/></else-if><else-if position="near-note"><text value="near "/><text variable="first-reference-note-number"/></else-if>
		<else-if position="subsequent"><text value="again "/><text variable="first-reference-note-number"/></else-if><else><text variable="title"/></else></choose></layout></citation>`)
	style.Class = "note"
	type cite struct {
		note  int
		items string // "a", or "a:5" with a locator; several parted by spaces
		want  string
	}
	for name, cites := range map[string][]cite{
		"the note before":               {{1, "a", "A"}, {2, "a", "ibid"}, {3, "a", "ibid"}},
		"a note between":                {{1, "a", "A"}, {3, "a", "near 1"}},
		"another work between":          {{1, "a", "A"}, {2, "b", "B"}, {3, "a", "near 1"}},
		"two works before":              {{1, "a b", "A;B"}, {2, "b", "near 1"}},
		"one work twice before":         {{1, "a a", "A;ibid"}, {2, "a", "ibid"}},
		"two citations in one note":     {{1, "a", "A"}, {1, "b", "B"}, {2, "b", "near 1"}},
		"the same twice in one note":    {{1, "a", "A"}, {1, "a", "ibid"}, {2, "a", "ibid"}},
		"within a citation":             {{1, "a", "A"}, {2, "b a a", "B;near 1;ibid"}},
		"locators that begin":           {{1, "a", "A"}, {2, "a:5", "ibid at 5"}, {3, "a:5", "ibid"}, {4, "a:6", "ibid at 6"}, {5, "a", "near 1"}},
		"near is from the cite before":  {{1, "a", "A"}, {2, "b", "B"}, {5, "a", "near 1"}, {6, "b", "near 2"}, {10, "a", "near 1"}, {16, "a", "again 1"}},
		"running text is counted apart": {{1, "a", "A"}, {0, "a", "A"}, {2, "a", "ibid"}, {0, "b", "B"}, {0, "b", "ibid"}},
	} {
		doc, err := NewDocument(style, Options{Items: []ibid.Reference{{ID: "a", Type: "book", Text: map[string]string{"title": "A"}}, {ID: "b", Type: "book", Text: map[string]string{"title": "B"}}}})
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, c := range cites {
			cl := Cluster{Note: c.note}
			for s := range strings.FieldsSeq(c.items) {
				id, locator, _ := strings.Cut(s, ":")
				cl.Items = append(cl.Items, CiteItem{ID: id, Locator: locator})
			}
			doc.Cite(cl)
			want = append(want, c.want)
		}
		if got := doc.Citations(Text); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// Works of the same names and year share what they have in common, up to what is said of one of them alone.
func TestYearsAreCollapsed(t *testing.T) {
	style := func(collapse string) *Style {
		return styleOf(t, `<citation collapse="`+collapse+`" disambiguate-add-year-suffix="true" year-suffix-delimiter="," cite-group-delimiter=", " after-collapse-delimiter="; "><layout delimiter="; ">
			<names variable="author"><name form="short"/></names><date variable="issued" prefix=" "><date-part name="year"/></date><text variable="locator" prefix=":"/></layout></citation>`)
	}
	var items []ibid.Reference
	for i, year := range []int{2000, 2000, 2000, 2000, 2001, 2000} {
		items = append(items, book(string(rune('a'+i)), []string{"Doe", "Roe"}[i/5], year))
	}
	for _, c := range []struct {
		collapse string
		change   func(*CiteItem)
		want     string
	}{
		{"year", nil, "Doe 2000a, 2000b, 2000c, 2000d, 2001; Roe 2000"},
		{"year-suffix", nil, "Doe 2000a,b,c,d, 2001; Roe 2000"},
		{"year-suffix-ranged", nil, "Doe 2000a–d, 2001; Roe 2000"},
		{"year-suffix", func(c *CiteItem) { c.Locator = "7" }, "Doe 2000a, 2000b:7, 2000c,d, 2001; Roe 2000"},
		{"year-suffix", func(c *CiteItem) { c.Prefix = "see" }, "Doe 2000a, see 2000b,c,d, 2001; Roe 2000"},
		{"year-suffix", func(c *CiteItem) { c.Suffix = "passim" }, "Doe 2000a,b passim, 2000c,d, 2001; Roe 2000"},
	} {
		doc, err := NewDocument(style(c.collapse), Options{Items: items})
		if err != nil {
			t.Fatal(err)
		}
		var cl Cluster
		for _, it := range items {
			cl.Items = append(cl.Items, CiteItem{ID: it.ID})
		}
		if c.change != nil {
			c.change(&cl.Items[1])
		}
		doc.Cite(cl)
		if got := doc.Citations(Text)[0]; got != c.want {
			t.Errorf("%s: %s, want %s", c.collapse, got, c.want)
		}
	}
}
