package csl

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/ibid-dev/ibid"
)

func builtin(t testing.TB, name string) *Style {
	t.Helper()
	s, err := NewLibrary().Style(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func book(id, family string, year int) ibid.Reference {
	r := ibid.Reference{ID: id, Type: "book"}
	r.Set("title", "Book "+id)
	r.SetNames("author", ibid.Name{Family: family, Given: "Ann"})
	r.SetDate("issued", ibid.NewDate(year))
	return r
}

// Whatever the order of work, what Update has told adds up to what Citations says.
func TestUpdateAddsUpToCitations(t *testing.T) {
	for _, name := range BuiltIn() {
		style := builtin(t, name)
		items := []ibid.Reference{book("a", "Doe", 2000), book("b", "Doe", 2000), book("c", "Roe", 2001)}
		doc, err := NewDocument(style, Options{Items: items})
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		step := func(what string) {
			for i, s := range doc.Update(Text) {
				for len(texts) <= i {
					texts = append(texts, "")
				}
				texts[i] = s
			}
			if want := doc.Citations(Text); !slices.Equal(texts, want) {
				t.Errorf("%s: %s: told %q, is %q", name, what, texts, want)
			}
		}
		doc.Cite(Cluster{Note: 1, Items: []CiteItem{{ID: "a"}}})
		step("one")
		doc.Cite(Cluster{Note: 2, Items: []CiteItem{{ID: "b"}, {ID: "c", Locator: "3"}}})
		step("two")
		doc.Cite(Cluster{Note: 3, Items: []CiteItem{{ID: "c", Locator: "3"}}})
		step("three")
		doc.Replace(0, Cluster{Note: 1, Items: []CiteItem{{ID: "c"}}})
		step("replaced")
	}
}

func TestModes(t *testing.T) {
	doc, err := NewDocument(builtin(t, "apa"), Options{Items: []ibid.Reference{book("a", "Doe", 2000)}})
	if err != nil {
		t.Fatal(err)
	}
	one := []CiteItem{{ID: "a", Locator: "5"}}
	for _, c := range []struct {
		mode Mode
		want string
	}{{Normal, "(Doe, 2000, p. 5)"}, {AuthorOnly, "Doe"}, {SuppressAuthor, "(2000, p. 5)"}, {Composite, "Doe (2000, p. 5)"}} {
		doc.Cite(Cluster{Items: one, Mode: c.mode})
		if got := doc.Citations(Text); got[len(got)-1] != c.want {
			t.Errorf("mode %d: %q, want %q", c.mode, got[len(got)-1], c.want)
		}
	}
}

// The structured form says the same words as the plain one.
func TestStructureSaysTheSame(t *testing.T) {
	items := loadItems(t, "real100.json")
	for _, name := range BuiltIn() {
		doc, err := NewDocument(builtin(t, name), Options{Items: items})
		if err != nil {
			t.Fatal(err)
		}
		for i, it := range items {
			doc.Cite(Cluster{Note: i + 1, Items: []CiteItem{{ID: it.ID}}})
		}
		for i, n := range doc.Structure() {
			if got, want := strings.TrimSpace(n.String()), doc.Citations(Text)[i]; got != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
			if i > 5 {
				break
			}
		}
		nodes, err := doc.BibliographyStructure()
		if err != nil {
			t.Fatal(err)
		}
		b, _ := doc.Bibliography(Text)
		for i, e := range b.Entries {
			words := func(s string) string { return strings.Join(strings.Fields(s), "") }
			if words(nodes[i].String()) != words(e.Text) || nodes[i].Name != e.ID {
				t.Errorf("%s: %q, want %q", name, nodes[i].String(), e.Text)
			}
		}
		if _, err := json.Marshal(nodes); err != nil {
			t.Error(err)
		}
	}
}

// What users and other programs give: rendered with what there is, never a panic.
func TestPoorItems(t *testing.T) {
	many := ibid.Reference{ID: "many", Type: "book"}
	names := make([]ibid.Name, 1_000_000)
	for i := range names {
		names[i] = ibid.Name{Family: "Author", Given: "A"}
	}
	many.SetNames("author", names...)
	for _, item := range []ibid.Reference{
		{}, {ID: "no type"}, {ID: "nil maps", Type: "book"}, {ID: "odd type", Type: "sandwich"}, many,
		{ID: "odd date", Type: "book", Dates: map[string]ibid.Date{"issued": {Parts: []ibid.DateParts{{Year: 2024, Month: 13, Day: 45}}}}},
		{ID: "three ends", Type: "book", Dates: map[string]ibid.Date{"issued": {Parts: make([]ibid.DateParts, 5)}}},
		{ID: "blank names", Type: "book", Names: map[string][]ibid.Name{"author": {{}, {Given: " "}, {Suffix: "Jr."}}}},
		{ID: "not UTF-8", Type: "book", Text: map[string]string{"title": "\xff\xfe<i>\xe2", "page": "\xff-\xe2"}},
	} {
		for _, name := range BuiltIn() {
			if item.ID == "many" && name != "apa" {
				continue
			}
			doc, err := NewDocument(builtin(t, name), Options{Items: []ibid.Reference{item}})
			if err != nil {
				t.Fatal(err)
			}
			doc.Cite(Cluster{Note: 1, Items: []CiteItem{{ID: item.ID, Locator: "1-\xff"}, {ID: "unknown"}}})
			if got := doc.Citations(HTML); len(got) != 1 || got[0] == "" {
				t.Errorf("%s in %s: %q", item.ID, name, got)
			}
			if _, err := doc.Bibliography(LaTeX); err != nil {
				t.Errorf("%s in %s: %v", item.ID, name, err)
			}
			if item.Type == "" && len(doc.Warnings()) == 0 {
				t.Errorf("%q: no warning that the type is missing", item.ID)
			}
		}
	}
}

func TestStyleWithoutBibliography(t *testing.T) {
	style, err := ParseStyle(strings.NewReader(`<style class="note"><citation><layout><text variable="title"/></layout></citation></style>`))
	if err != nil {
		t.Fatal(err)
	}
	doc, _ := NewDocument(style, Options{Items: []ibid.Reference{book("a", "Doe", 2000)}})
	if _, err := doc.Bibliography(Text); !errors.Is(err, ErrNoBibliography) {
		t.Errorf("error %v, want ErrNoBibliography", err)
	}
}

func TestLibrary(t *testing.T) {
	minimal := func(title, info string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(fmt.Sprintf(`<style class="in-text"><info><title>%s</title><category field="law"/>%s</info>
			<citation><layout><text value="%s"/></layout></citation></style>`, title, info, title))}
	}
	dependent := func(parent string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(`<style class="in-text" default-locale="de-DE"><info><title>Child</title><link rel="independent-parent" href="http://www.zotero.org/styles/` + parent + `"/></info></style>`)}
	}
	lib := NewLibrary(fstest.MapFS{
		"mine.csl": minimal("Mine", ""), "dependent/child.csl": dependent("mine"), "dependent/loop.csl": dependent("loop"),
		"renamed-styles.json": {Data: []byte(`{"old": "mine"}`)}, "broken.csl": {Data: []byte("<style")},
		"locales-xx.xml": {Data: []byte(`<locale xml:lang="xx"><terms><term name="and">ja</term></terms></locale>`)},
	})
	for name, title := range map[string]string{"mine": "Mine", "child": "Child", "old": "Mine", "http://www.zotero.org/styles/mine": "Mine", "MINE.csl": "Mine"} {
		s, err := lib.Style(name)
		if err != nil || s.Info.Title != title || s.Dependent() {
			t.Errorf("%s: %v", name, err)
		}
	}
	if s, _ := lib.Style("child"); s != nil && s.DefaultLocale != "de-DE" {
		t.Error("the child's language is lost")
	}
	for _, name := range []string{"modern-language-association", "apa", "nlm"} {
		if s, err := lib.Style(name); err != nil || !s.HasBibliography() {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, want := range map[string]error{"nothing": ibid.ErrNotFound, "loop": ibid.ErrInvalid, "broken": ibid.ErrInvalid, "../etc/passwd": ibid.ErrNotFound} {
		if _, err := lib.Style(name); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
	if got := lib.List("law"); len(got) != 1 || got[0].Name != "mine" {
		t.Errorf("search: %v", got)
	}
	if len(lib.List()) != len(BuiltIn())+3 {
		t.Errorf("list: %v", lib.List())
	}
	if l := lib.Locale("xx"); l == nil || l.or("and", "") != "ja" {
		t.Error("locale xx is not found")
	}
}

// One style, one locale and one library serve many goroutines.
func TestStyleIsShared(t *testing.T) {
	style := builtin(t, "chicago-notes")
	items := []ibid.Reference{book("a", "Doe", 2000), book("b", "Doe", 2000)}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			doc, err := NewDocument(style, Options{Items: items})
			if err != nil {
				t.Error(err)
				return
			}
			doc.Cite(Cluster{Note: 1, Items: []CiteItem{{ID: "a"}, {ID: "b"}}})
			doc.Cite(Cluster{Note: 2, Items: []CiteItem{{ID: "b"}}})
			if got := doc.Citations(Text)[1]; got != "Doe, Book B." {
				t.Errorf("got %q", got)
			}
			if _, err := doc.Bibliography(HTML); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// Time grows with the length of the input, whatever it is made of.
func TestHostileFields(t *testing.T) {
	const n = 20_000
	for what, text := range map[string]string{
		"tags that are never closed": strings.Repeat("<i>", n) + strings.Repeat("</b>", n),
		"apostrophes":                strings.Repeat("' ", n),
		"quotes":                     strings.Repeat(`"a `, n),
		"nested tags":                strings.Repeat("<i>", n) + "x" + strings.Repeat("</i>", n),
		"numbers with labels":        strings.Repeat("fig. 1, ", n),
		"hyphens":                    strings.Repeat("A-", n),
		"spans":                      strings.Repeat("<span ", n),
		"small words":                strings.Repeat("of ", n),
	} {
		r := ibid.Reference{ID: "a", Type: "article-journal"}
		for _, v := range []string{"title", "container-title", "volume", "page", "edition"} {
			r.Set(v, text)
		}
		r.SetNames("author", ibid.Name{Family: text, Given: text})
		r.SetDate("issued", ibid.Date{Raw: text})
		doc, err := NewDocument(builtin(t, "chicago-notes"), Options{Items: []ibid.Reference{r}})
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		doc.Cite(Cluster{Note: 1, Items: []CiteItem{{ID: "a", Locator: text, Prefix: text}}})
		doc.Citations(HTML)
		if _, err := doc.Bibliography(HTML); err != nil {
			t.Error(err)
		}
		t.Logf("%s: %v", what, time.Since(start).Round(time.Millisecond))
	}
}

func TestFormatsEscape(t *testing.T) {
	r := book("a", "O_Neil & Co", 2000)
	r.Set("title", `50% of *A* <i>b_c</i> & {D} "e" #1 ~x^2 <script>`)
	doc, err := NewDocument(builtin(t, "apa"), Options{Items: []ibid.Reference{r}})
	if err != nil {
		t.Fatal(err)
	}
	doc.Nocite()
	for f, want := range map[Format]string{
		Text:     "O_Neil & Co, A. (2000). 50% of *A* b_c & {D} “e” #1 ~x^2 <script>.",
		HTML:     `O_Neil &#38; Co, A. (2000). <i>50% of *A* <span style="font-style:normal;">b_c</span> &#38; {D} “e” #1 ~x^2 &#60;script&#62;</i>.`,
		Markdown: `O\_Neil & Co, A. (2000). *50% of \*A\* b\_c & {D} “e” \#1 \~x^2 \<script\>*.`,
		LaTeX:    `O\_Neil \& Co, A. (2000). \textit{50\% of *A* \textup{b\_c} \& \{D\} “e” \#1 \textasciitilde{}x\textasciicircum{}2 \textless{}script\textgreater{}}.`,
	} {
		b, err := doc.Bibliography(f)
		if err != nil {
			t.Fatal(err)
		}
		if got := b.Entries[0].Text; got != want {
			t.Errorf("%v:\n got %s\nwant %s", f, got, want)
		}
	}
}

func TestLocales(t *testing.T) {
	german := func(tag string) *Locale {
		if tag != "de-DE" {
			return nil
		}
		l, err := ParseLocale(strings.NewReader(`<locale xml:lang="de-DE"><terms><term name="and">und</term><term name="no date" form="short">o. J.</term></terms></locale>`))
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	r := ibid.Reference{ID: "a", Type: "book"}
	r.SetNames("author", ibid.Name{Family: "Eins"}, ibid.Name{Family: "Zwei"})
	for _, c := range []struct {
		lang, want string
		warned     bool
	}{{"", "(Eins and Zwei, no date)", false}, {"de-DE", "(Eins und Zwei, no date)", false}, {"de_at", "(Eins und Zwei, no date)", false}, {"fr-FR", "(Eins et Zwei, sans date)", false}, {"DE", "(Eins und Zwei, no date)", false}, {"nl_BE.UTF-8", "(Eins en Zwei, zonder datum)", false}, {"xx-XX", "(Eins and Zwei, no date)", true}} {
		doc, err := NewDocument(builtin(t, "harvard"), Options{Locale: c.lang, Locales: german, Items: []ibid.Reference{r}})
		if err != nil {
			t.Fatal(err)
		}
		doc.Cite(Cluster{Items: []CiteItem{{ID: "a"}}})
		if got := doc.Citations(Text)[0]; got != c.want || (len(doc.Warnings()) > 0) != c.warned {
			t.Errorf("%s: %s, want %s; warnings %v", c.lang, got, c.want, doc.Warnings())
		}
	}
}

// A style may list no letters; what is left out is told, once.
func TestUnlistedIsTold(t *testing.T) {
	letter := ibid.Reference{ID: "letter", Type: "personal_communication"}
	letter.Set("title", "Of bees")
	doc, err := NewDocument(builtin(t, "apa"), Options{Items: []ibid.Reference{letter, book("b", "Doe", 2000)}})
	if err != nil {
		t.Fatal(err)
	}
	doc.Nocite()
	for range 2 {
		if b, err := doc.Bibliography(Text); err != nil || len(b.Entries) != 1 {
			t.Fatalf("%v, %v", b.Entries, err)
		}
	}
	if w := doc.Warnings(); len(w) != 1 || !strings.HasPrefix(w[0], "letter: is not listed") {
		t.Errorf("%q", w)
	}
}

// Many that look alike take time with their number, not with its square.
func TestManyAlike(t *testing.T) {
	for _, distinct := range []bool{true, false} {
		var items []ibid.Reference
		for i := range 3000 {
			r := book(fmt.Sprint(i), "Doe", 2000)
			if distinct {
				r.SetNames("author", ibid.Name{Family: "Doe", Given: fmt.Sprintf("%c%04d", 'A'+i%26, i)}, ibid.Name{Family: "Roe"}, ibid.Name{Family: "Noe"}, ibid.Name{Family: fmt.Sprint("X", i)})
			}
			items = append(items, r)
		}
		doc, err := NewDocument(builtin(t, "harvard"), Options{Items: items})
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range items {
			doc.Cite(Cluster{Items: []CiteItem{{ID: it.ID}}})
		}
		seen := map[string]bool{}
		for _, s := range doc.Citations(Text) {
			if seen[s] {
				t.Fatalf("%s is given to two", s)
			}
			seen[s] = true
		}
	}
}
