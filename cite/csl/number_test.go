package csl

import (
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
)

// styleOf is a style of the test's own.
func styleOf(t testing.TB, body string) *Style {
	t.Helper()
	s, err := ParseStyle(strings.NewReader(strings.Replace(shell, "BODY", body, 1)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// cited is one citation of all the references.
func cited(t testing.TB, style *Style, lang string, items ...ibid.Reference) string {
	t.Helper()
	doc, err := NewDocument(style, Options{Locale: lang, Items: items})
	if err != nil {
		t.Fatal(err)
	}
	var c Cluster
	for _, it := range items {
		c.Items = append(c.Items, CiteItem{ID: it.ID})
	}
	doc.Cite(c)
	return doc.Citations(Text)[0]
}

// The formats of ranges of pages, by the table of the specification and the manuals that it refers to.
func TestPageRanges(t *testing.T) {
	for _, c := range []struct{ page, expanded, minimal, minimalTwo, chicago15, chicago16 string }{
		{"3-10", "3–10", "3–10", "3–10", "3–10", "3–10"},
		{"42-45", "42–45", "42–5", "42–45", "42–45", "42–45"},
		{"71-2", "71–72", "71–2", "71–72", "71–72", "71–72"},
		{"100-104", "100–104", "100–4", "100–04", "100–104", "100–104"},
		{"101-8", "101–108", "101–8", "101–08", "101–8", "101–8"},
		{"109-110", "109–110", "109–10", "109–10", "109–10", "109–10"},
		{"321-28", "321–328", "321–8", "321–28", "321–28", "321–28"},
		{"600-613", "600–613", "600–13", "600–13", "600–613", "600–613"},
		{"1002-6", "1002–1006", "1002–6", "1002–06", "1002–6", "1002–6"},
		{"1496-504", "1496–1504", "1496–504", "1496–504", "1496–1504", "1496–504"},
		{"2787-2816", "2787–2816", "2787–816", "2787–816", "2787–2816", "2787–816"},
		{"11564-615", "11564–11615", "11564–615", "11564–615", "11564–615", "11564–615"},
		{"98-103", "98–103", "98–103", "98–103", "98–103", "98–103"},
		{"12-12", "12–12", "12–12", "12–12", "12–12", "12–12"},
		{"321-28, 1002-6", "321–328, 1002–1006", "321–8, 1002–6", "321–28, 1002–06", "321–28, 1002–6", "321–28, 1002–6"},
		{"A12-A15", "A12–A15", "A12–5", "A12–15", "A12–15", "A12–15"},
		{"xii-xv", "xii–xv", "xii–xv", "xii–xv", "xii–xv", "xii–xv"},
		{"e12", "e12", "e12", "e12", "e12", "e12"},
	} {
		for format, want := range map[string]string{"expanded": c.expanded, "minimal": c.minimal, "minimal-two": c.minimalTwo,
			"chicago": c.chicago15, "chicago-15": c.chicago15, "chicago-16": c.chicago16} {
			style := styleOf(t, `<citation><layout><text variable="page"/></layout></citation>`)
			style.pageRangeFormat = format
			r := ibid.Reference{ID: "a", Type: "book"}
			r.Set("page", c.page)
			if got := cited(t, style, "", r); got != want {
				t.Errorf("%s as %s: %s, want %s", c.page, format, got, want)
			}
		}
	}
}

// A number has the form that is asked for, and what is more than a number stays what it is.
func TestNumberForms(t *testing.T) {
	for _, c := range []struct{ form, lang, value, want string }{
		{"ordinal", "en-US", "2", "2nd"}, {"ordinal", "en-US", "11", "11th"}, {"ordinal", "en-US", "112", "112th"}, {"ordinal", "en-US", "23", "23rd"},
		{"ordinal", "en-US", "2a", "2a"}, {"ordinal", "en-US", "L2", "L2"}, {"ordinal", "en-US", "2-3", "2nd–3rd"}, {"ordinal", "en-US", "1, 3", "1st, 3rd"},
		{"ordinal", "en-US", "1,3", "1st, 3rd"}, {"ordinal", "en-US", "2–3", "2nd–3rd"}, {"ordinal", "en-US", "2 & 3", "2nd & 3rd"}, {"ordinal", "en-US", "second", "second"},
		{"ordinal", "fr-FR", "1", "1ʳᵉ"}, {"ordinal", "fr-FR", "2", "2ᵉ"}, {"ordinal", "de-DE", "3", "3."},
		{"long-ordinal", "en-US", "1", "first"}, {"long-ordinal", "en-US", "10", "tenth"}, {"long-ordinal", "en-US", "11", "11th"}, {"long-ordinal", "en-US", "0", "0th"},
		{"roman", "en-US", "4", "iv"}, {"roman", "en-US", "1994", "mcmxciv"}, {"roman", "en-US", "3999", "mmmcmxcix"}, {"roman", "en-US", "4000", "4000"},
		{"roman", "en-US", "0", "0"}, {"roman", "en-US", "2-4", "ii–iv"}, {"roman", "en-US", "12b", "12b"},
		{"numeric", "en-US", "12", "12"}, {"numeric", "en-US", "12-14", "12–14"}, {"numeric", "en-US", "iv-vi", "iv–vi"}, {"numeric", "en-US", "99999999999999999999", "99999999999999999999"},
	} {
		r := ibid.Reference{ID: "a", Type: "book"}
		r.Set("edition", c.value)
		if got := cited(t, styleOf(t, `<citation><layout><number variable="edition" form="`+c.form+`"/></layout></citation>`), c.lang, r); got != c.want {
			t.Errorf("%s %s in %s: %q, want %q", c.form, c.value, c.lang, got, c.want)
		}
	}
}

// Numbers are sorted as they count, also where they are the first of a range or have a letter behind them.
func TestNumbersAreSortedAsTheyCount(t *testing.T) {
	for _, variable := range []string{"volume", "issue", "page", "edition", "number-of-pages", "part-number", "section", "version"} {
		sortedAsTheyCount(t, variable, `<key variable="`+variable+`"/>`)
		sortedAsTheyCount(t, variable, `<key macro="m"/>`)
	}
}

func sortedAsTheyCount(t *testing.T, variable, key string) {
	t.Helper()
	style := styleOf(t, `<macro name="m"><number variable="`+variable+`"/></macro><citation><layout/></citation>
		<bibliography><sort>`+key+`</sort><layout><text variable="`+variable+`"/></layout></bibliography>`)
	var items []ibid.Reference
	for _, v := range []string{"100", "10-11", "009", "9A", "8", "12"} {
		r := ibid.Reference{ID: v, Type: "book"}
		r.Set(variable, v)
		items = append(items, r)
	}
	doc, err := NewDocument(style, Options{Items: append(items, ibid.Reference{ID: "none", Type: "book", Text: map[string]string{variable: "Supplement"}})})
	if err != nil {
		t.Fatal(err)
	}
	doc.Nocite()
	b, err := doc.Bibliography(Text)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range b.Entries {
		got = append(got, e.ID)
	}
	got = slices.DeleteFunc(got, func(id string) bool { return id == "none" }) // words among numbers may stand anywhere
	if want := []string{"8", "009", "9A", "10-11", "12", "100"}; !slices.Equal(got, want) {
		t.Errorf("%s by %s: %q, want %q", variable, key, got, want)
	}
}
