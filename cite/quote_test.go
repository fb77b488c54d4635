package cite_test

import (
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite"
)

func TestFindQuote(t *testing.T) {
	doc := ibid.Document{Text: "The Cable\nFirst page here.\nThe crew hauled the end ashore; the landing at Knightstown\nwas completed on 5 August 1858, and the “wire” spoke—for three weeks.\nMore words."}
	doc.Outline = ibid.Outline{{At: 0, Page: 1}, {At: strings.Index(doc.Text, "The crew"), Page: 2}}
	for _, c := range []struct {
		rule, quote, at string
		page            int
	}{
		{"across a line's end", "the landing at Knightstown was completed", "the landing at Knightstown\nwas completed", 2},
		{"quotation marks and dashes of another kind", `the "wire" spoke-for three weeks`, "the “wire” spoke—for three weeks", 2},
		{"with an omission", "The crew hauled … completed on 5 August 1858", "The crew hauled the end ashore; the landing at Knightstown\nwas completed on 5 August 1858", 2},
		{"an omission at the end", "First page here...", "First page here", 1},
		{"in quotation marks of its own", `"First page"`, "First page", 1},
		{"other words", "the landing at Dublin was completed", "", 0},
		{"another case is another word", "first page", "", 0},
		{"nothing", "…", "", 0},
	} {
		q, ok := cite.FindQuote(doc, c.quote)
		if ok != (c.at != "") || ok && (q.At.In(doc.Text) != c.at || q.Page != c.page) {
			t.Errorf("%s: %v %+v", c.rule, ok, q)
		}
	}
	if f := cite.CheckQuote(cite.Citation{Snippet: "First page"}, doc); f == nil || !f.Found || f.Locator != "p. 1" {
		t.Errorf("%+v", f)
	}
	far := ibid.Document{Text: "alpha " + strings.Repeat("x ", 3000) + "omega"}
	if _, ok := cite.FindQuote(far, "alpha … omega"); ok {
		t.Error("words pages apart are not one quote")
	}
}
