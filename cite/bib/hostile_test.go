package bib_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid/cite/bib"
)

// Much of whatever a reader likes least is read and written in time linear in its size: a reader that is not shows
// itself here by minutes.
func TestHostileSizes(t *testing.T) {
	const n = 20_000
	many := func(s string) string { return strings.Repeat(s, n) }
	numbered := func(format string) string {
		var b strings.Builder
		for i := range n / 4 {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for _, c := range []struct{ rule, in string }{
		{"dashes", "@misc{k, note = {" + many("- ") + "}}"},
		{"guarded words", "@misc{k, title = {" + many("{Ab} ") + many("{cd} ") + "}}"},
		{"open maths", "@misc{k, title = {" + many("${") + many("}") + "}}"},
		{"accents", "@misc{k, title = {" + many(`\'e`) + "}}"},
		{"names", "@misc{k, author = {" + many("A B and ") + "C}}"},
		{"fields", "@misc{k," + numbered("f%d = {x},") + "}"},
		{"fields inherited", "@misc{k, crossref = {p}," + numbered("f%d = {x},") + "}\n@misc{p," + numbered("g%d = {x},") + "}"},
		{"entries of one key", many("@misc{k}\n")},
		{"unclosed entries", many("@misc{k, a = {\n")},
		{"unclosed quotes", many("@misc{k, a = \"\n")},
		{"folded lines", "TY  - BOOK\nAB  - x\n" + many("y\n") + "ER  - \n"},
		{"keywords", "TY  - BOOK\n" + many("KW  - y\n") + "ER  - \n"},
		{"unclosed records", many("TY  - BOOK\n")},
		{"open tags", `[{"id":"a","title":"` + many("<i>") + `"}]`},
		{"items", "[" + many("{\"id\":\"a\"},\n") + "{}]"},
		{"faulty items", "[" + many("{\"author\":1},\n") + "{}]"},
		{"elements", "<xml><records><record><keywords>" + many("<keyword>a</keyword>") + "</keywords></record></records></xml>"},
	} {
		file, _ := bib.Read([]byte(c.in))
		for _, f := range bib.Formats() {
			var out bytes.Buffer
			if _, err := bib.Write(&out, f, file.References); err != nil {
				t.Errorf("%s: %v", c.rule, err)
			}
		}
	}
}
