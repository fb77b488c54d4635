package ibid_test

import (
	"encoding/json"
	"fmt"

	"github.com/ibid-dev/ibid"
)

func ExampleAnchor() {
	doc := "The landing at Knightstown was completed on 5 August 1858."
	at := ibid.Anchor{Document: ibid.HashText(doc), Span: ibid.Span{Start: 44, End: 57}}
	fmt.Println(at.Span.In(doc))
	// Output: 5 August 1858
}

func ExampleAnswer_Check() {
	answer := cable()
	fmt.Println(answer.Check())
	answer.Citations[0].Quote = "The landing at Knightstown was completed on 6 August 1858."
	fmt.Println(answer.Check())
	// Output:
	// <nil>
	// citation 1: quotes "6 August 1858." where the document says "5 August 1858.": invalid
}

func ExampleAnswer_Shares() {
	shares := cable().Shares()
	fmt.Printf("%.0f %% from sources, %.0f %% the model's own\n", 100*shares.Sources, 100*shares.Model)
	// Output: 65 % from sources, 35 % the model's own
}

func ExampleAnswer_Evidence() {
	answer := cable()
	for _, s := range answer.Segments {
		fmt.Println(s.Origin, answer.Numbers(s))
		for _, a := range answer.Evidence(s) {
			p, _ := answer.Passage(a.Ref)
			fmt.Printf("  %s, %s, %s\n", p.Source.Title(), a.Trust, ibid.Strength(a.Confidence))
		}
	}
	// Output:
	// RAG [1]
	//   The Cable, judged, strong
	// LLM []
}

func ExampleOutline() {
	o := ibid.Outline{{At: 0, Page: 1}, {At: 10, Heading: "Letters", Level: 1}, {At: 400, Page: 2}, {At: 450, Heading: "September", Level: 2}}
	fmt.Println(o.Page(500), o.Headings(500), o.Locator(500))
	// Output: 2 [Letters September] p. 2
}

func ExampleReference() {
	var r ibid.Reference
	err := json.Unmarshal([]byte(`{"type":"book","title":"The Cable","author":[{"family":"Field","given":"C. W."}],"issued":{"date-parts":[[1858]]}}`), &r)
	fmt.Println(r.Names["author"][0], r.Title(), r.Year(), err)
	// Output: C. W. Field The Cable 1858 <nil>
}
