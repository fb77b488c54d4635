package csl_test

import (
	"fmt"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite/csl"
)

var turing = ibid.Reference{
	ID: "turing", Type: "article-journal",
	Text: map[string]string{
		"title": "On computable numbers", "container-title": "Proceedings of the London Mathematical Society",
		"volume": "42", "issue": "1", "page": "230-265",
	},
	Names: map[string][]ibid.Name{"author": {{Family: "Turing", Given: "Alan M."}}},
	Dates: map[string]ibid.Date{"issued": ibid.NewDate(1937)},
}

var kuhn = ibid.Reference{
	ID: "kuhn", Type: "book",
	Text:  map[string]string{"title": "The structure of scientific revolutions", "publisher": "University of Chicago Press"},
	Names: map[string][]ibid.Name{"author": {{Family: "Kuhn", Given: "Thomas S."}}},
	Dates: map[string]ibid.Date{"issued": ibid.NewDate(1962)},
}

func Example() {
	style, _ := csl.NewLibrary().Style("apa")
	doc, _ := csl.NewDocument(style, csl.Options{Items: []ibid.Reference{turing, kuhn}})
	doc.Cite(csl.Cluster{Items: []csl.CiteItem{{ID: "turing", Locator: "231"}, {ID: "kuhn"}}})
	fmt.Println(doc.Citations(csl.Text)[0])
	bibliography, _ := doc.Bibliography(csl.Text)
	for _, entry := range bibliography.Entries {
		fmt.Println(entry.Text)
	}
	// Output:
	// (Kuhn, 1962; Turing, 1937, p. 231)
	// Kuhn, T. S. (1962). The structure of scientific revolutions. University of Chicago Press.
	// Turing, A. M. (1937). On computable numbers. Proceedings of the London Mathematical Society, 42(1), 230–265.
}

// A document that grows: Update gives the citations that are new or read otherwise now.
func ExampleDocument_Update() {
	style, _ := csl.ParseStyle(strings.NewReader(`<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0">
		<citation disambiguate-add-year-suffix="true"><layout prefix="(" suffix=")"><group delimiter=" ">
			<names variable="author"><name form="short"/></names><date variable="issued"><date-part name="year"/></date>
		</group></layout></citation></style>`))
	second := kuhn.Clone()
	second.ID = "kuhn2"
	doc, _ := csl.NewDocument(style, csl.Options{Items: []ibid.Reference{kuhn, second}})
	doc.Cite(csl.Cluster{Items: []csl.CiteItem{{ID: "kuhn"}}})
	fmt.Println(doc.Update(csl.Text))
	doc.Cite(csl.Cluster{Items: []csl.CiteItem{{ID: "kuhn2"}}})
	fmt.Println(doc.Update(csl.Text))
	// Output:
	// map[0:(Kuhn 1962)]
	// map[0:(Kuhn 1962a) 1:(Kuhn 1962b)]
}

func ExampleDocument_Citations_formats() {
	style, _ := csl.NewLibrary().Style("chicago-notes")
	doc, _ := csl.NewDocument(style, csl.Options{Items: []ibid.Reference{kuhn}})
	doc.Cite(csl.Cluster{Note: 1, Items: []csl.CiteItem{{ID: "kuhn"}}})
	doc.Cite(csl.Cluster{Note: 2, Items: []csl.CiteItem{{ID: "kuhn", Locator: "12"}}})
	for _, f := range []csl.Format{csl.Text, csl.HTML, csl.Markdown, csl.LaTeX} {
		fmt.Println(doc.Citations(f)[1])
	}
	// Output:
	// Kuhn, The Structure of Scientific Revolutions, 12.
	// Kuhn, <i>The Structure of Scientific Revolutions</i>, 12.
	// Kuhn, *The Structure of Scientific Revolutions*, 12.
	// Kuhn, \textit{The Structure of Scientific Revolutions}, 12.
}

func ExampleCheck() {
	messages := csl.Check(strings.NewReader(`<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0">
<info><title>Mine</title><id>mine</id><updated>2026-01-01</updated></info>
<citation><layout><text variable="tittle"/></layout></citation>
<bibliography><layout><text macro="entry"/></layout></bibliography>
</style>`))
	for _, m := range messages {
		fmt.Println(m)
	}
	// Output:
	// line 3: <text>: warning: CSL has no variable "tittle"
	// line 4: <text>: error: calls macro "entry", which the style does not have
}
