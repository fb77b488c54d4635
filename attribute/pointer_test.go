package attribute

import (
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
)

// TestPointersSayNothing: where a statement says that it stands changes nothing of its support, and what no source has of it is named. What only
// looks like it is part of the statement.
func TestPointersSayNothing(t *testing.T) {
	const statement, source = "The reef was named a World Heritage Site in 1981", "The reef was named a World Heritage Site in 1981, as https://reef.example/list says."
	of := func(s string) ibid.Segment { return one(t, s, source).Segment }
	plain := of(statement + ".")
	for pointer, named := range map[string]bool{
		"(https://www.reef.example/a_(b)/list.html)": true, "[https://reef.example/2024]": true, "(via reef-facts.example)": true, "(source: example.com)": true, "(see www.reef.example)": true,
		"[annual-report.pdf]": true, "[annual-report.pdf, p. 3]": true, "(Handbook_2024.docx#leave)": true, "[Source: the annual report, page 3]": true, "(Ref: 12-B)": true,
		"(Smith et al., 2019)": true, "(Lovelace & Babbage 1843)": true, "(see Lovelace and Babbage, 1843; annual-report.pdf)": true, "<cite>2</cite>": true,
		"(p. 12)": false, "(pp. 3–4)": false, "[Section 4.1]": false, "(see Table 2)": false, "(Document 2, Section 4.1)": false, "(§ 12)": false,
		"(https://reef.example/list)": false, "([reef.example](https://reef.example/other))": false, `([a](https://reef.example/b_(c) "B"), [d](https://reef.example/d))`: false,
	} {
		got := of(statement + " " + pointer + ".")
		reason := "points to " + `"` + strings.Trim(strings.NewReplacer("<cite>", "", "</cite>", "").Replace(pointer), "()[]")
		said := strings.Contains(strings.Join(got.Reasons, "\n"), reason)
		if got.Support != plain.Support || len(got.Unsupported) > 0 || said != named {
			t.Errorf("%s: support %v, plain %v, unsupported %v, reasons %q", pointer, got.Support, plain.Support, got.Unsupported, got.Reasons)
		}
	}
	for _, fact := range []string{"(London, 1858)", "(Smith, 2019)", "(May 2019)", "(about 40)", "(a site of note)", "[sic]", "(see below)", "(version 2.1)", "(Table tennis)", "(config.yaml)", "(booking.com)"} {
		if got := unformatted(newTurn(nil).unpointed(statement + " " + fact)); !strings.Contains(got, fact) {
			t.Errorf("%s is taken for a pointer", fact)
		}
	}
	// A part that the source speaks of is compared.
	statute := "Section 4.1: Injuries must be reported within two days."
	if got := one(t, "Injuries must be reported within two days (Section 5.2).", statute).Segment; len(got.Contradicted) == 0 && len(got.Unsupported) == 0 {
		t.Errorf("another section than the source's is passed over: %+v", got)
	}
}
