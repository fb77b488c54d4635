package csl

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
)

// FuzzStyle: any bytes are a style or an error. A style can be used, and Check agrees that it can.
func FuzzStyle(f *testing.F) {
	f.Add([]byte(strings.Replace(shell, "BODY", `<citation collapse="year-suffix-ranged" disambiguate-add-year-suffix="true" disambiguate-add-names="true" et-al-min="1" et-al-use-first="0">
		<sort><key macro="m"/></sort><layout delimiter="; "><names variable="author editor"><name form="count"/><et-al/><label/><substitute><text macro="m"/></substitute></names>
		<date variable="issued" form="text"/></layout></citation><macro name="m"><number variable="volume" form="roman"/><text variable="title" quotes="true" text-case="title"/></macro>`, 1)))
	f.Add([]byte(`<style><citation><layout/></citation></style>`))
	items := []ibid.Reference{book("a", "Doe", 2000), book("b", "Doe", 2000), {ID: "c"}}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 100_000 {
			return
		}
		style, err := ParseStyle(bytes.NewReader(data))
		fatal := false
		for _, m := range Check(bytes.NewReader(data)) {
			fatal = fatal || m.Error
		}
		if fatal != (err != nil) {
			t.Fatalf("Check says fatal %v, ParseStyle %v", fatal, err)
		}
		if err != nil || style.Dependent() {
			return
		}
		doc, err := NewDocument(style, Options{Items: items})
		if err != nil {
			t.Fatal(err)
		}
		doc.Cite(Cluster{Note: 1, Items: []CiteItem{{ID: "a"}, {ID: "b", Locator: "1-2"}, {ID: "c"}}})
		if got := doc.Citations(HTML); len(got) != 1 {
			t.Fatal("a citation is lost")
		}
		if style.HasBibliography() {
			if _, err := doc.Bibliography(HTML); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// FuzzLocale: any bytes are a locale or an error, and a locale can be used.
func FuzzLocale(f *testing.F) {
	f.Add([]byte(`<locale xml:lang="x"><terms><term name="ordinal-01" gender-form="feminine" match="whole-number">a</term><term name="and"/></terms><date form="text"/></locale>`))
	style := builtin(f, "apa")
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 100_000 {
			return
		}
		l, err := ParseLocale(bytes.NewReader(data))
		if err != nil {
			return
		}
		doc, err := NewDocument(style, Options{Locale: "xx", Locales: func(string) *Locale { return l }, Items: []ibid.Reference{book("a", "Doe", 2000)}})
		if err != nil {
			t.Fatal(err)
		}
		doc.Cite(Cluster{Items: []CiteItem{{ID: "a", Locator: "2", Label: "chapter"}}})
		doc.Citations(Text)
	})
}

// FuzzItems: whatever the references say, they are rendered, every tag that is opened is closed, and text stays text.
func FuzzItems(f *testing.F) {
	f.Add([]byte(`[{"id":"a","type":"book","title":"A <i>b \"c\" d</i> 'e'","author":[{"family":"van Doe","given":"J.-P. de"}],"issued":{"raw":"Spring 1999 - Summer 2001"},"page":"1-2, 5n7-9","edition":"2"}]`))
	f.Add([]byte(`[{"id":"a","type":"article-journal","title":"<span class=\"nocase\">x","volume":"iv-vi","issued":{"date-parts":[[-44,3,15],[0]]},"note":"editor: A || B\nissued: 1999"}]`))
	var styles []*Style
	for _, name := range []string{"apa", "chicago-notes", "vancouver"} {
		styles = append(styles, builtin(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var items []ibid.Reference
		if len(data) > 50_000 || json.Unmarshal(data, &items) != nil {
			return
		}
		for _, style := range styles {
			doc, err := NewDocument(style, Options{Items: items})
			if err != nil {
				t.Fatal(err)
			}
			for i, it := range items {
				doc.Cite(Cluster{Note: i + 1, Items: []CiteItem{{ID: it.ID, Prefix: it.Title()}}})
			}
			for _, s := range doc.Citations(HTML) {
				for _, tag := range []string{"i", "b", "sup", "sub", "span"} {
					if strings.Count(s, "<"+tag+">")+strings.Count(s, "<"+tag+" ") != strings.Count(s, "</"+tag+">") {
						t.Fatalf("<%s> is not closed: %s", tag, s)
					}
				}
			}
			if _, err := doc.Bibliography(Markdown); err != nil {
				t.Fatal(err)
			}
		}
	})
}

var anyTag = regexp.MustCompile(`</?(i|b|sup|sub|sc|span)>|<span[ \x{202f}][^>]*>`)

// FuzzRich: no letter of a field is lost or moved, whatever its marks.
func FuzzRich(f *testing.F) {
	for _, s := range []string{"a", `"a 'b' c"`, "<i>a</i>", "<i>a <b>b</i> c</b>", "l'a \"b", "« a »", "“a ‘b’ c”", "''a''", `<span style="font-variant: small-caps;">x</span>`, "d' 'e"} {
		f.Add(s)
	}
	q := &quotes{"“", "”", "‘", "’"}
	letters := func(s string) string {
		for anyTag.MatchString(s) { // without one, what stood around it may read as another
			s = anyTag.ReplaceAllString(s, "")
		}
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return r
			}
			return -1
		}, s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			return
		}
		mem := &arena{}
		if got := mem.rich(s, q).String(); letters(got) != letters(s) {
			t.Fatalf("%q became %q", s, got)
		}
	})
}
