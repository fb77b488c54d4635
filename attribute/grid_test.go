package attribute

import "testing"

// TestRowsMixedUp: a number of another row of a table is named with the one of its own; what stands in its own row is supported, and where the row or the
// column is not clear nothing is named.
func TestRowsMixedUp(t *testing.T) {
	const (
		markdown = "| Plan | Price per month | Storage | Seats |\n|---|---|---|---|\n| Free | $0 | 5 GB | 1 |\n| Pro | $12 | 100 GB | 1 |\n| Team | $25 | 500 GB | 5 |\n"
		bare     = "Plan | Price per month | Storage\nFree | $0 | 5 GB\nPro | $12 | 100 GB\nTeam | $25 | 500 GB\n"
		ingested = "Plan: Free | Price per month: $0 | Storage: 5 GB\n\nPlan: Pro | Price per month: $12 | Storage: 100 GB\n\nPlan: Team | Price per month: $25 | Storage: 500 GB"
	)
	for _, table := range []string{markdown, bare, ingested} {
		for _, b := range []beside{
			{"The Pro plan costs $25 a month.", table, "number"},
			{"The Pro plan costs $25.", table, "number"},
			{"The Team plan comes with 100 GB of storage.", table, "number"},

			{"The Pro plan costs $12 a month.", table, ""},
			{"The Team plan costs $25 and comes with 500 GB of storage.", table, ""},
			{"The Pro plan costs $12, the Team plan $25.", table, ""},
			{"The Pro plan costs less than $25.", table, ""},
		} {
			b.check(t)
		}
	}
	f := one(t, "The Pro plan costs $25.", markdown).Segment
	if len(f.Contradicted) != 1 || f.Contradicted[0].Reason != `says "$25", the source says "$12"` || f.Support > 0.4 {
		t.Errorf("%.2f %+v", f.Support, f.Contradicted)
	}
	if f := one(t, "The Pro plan costs $12 a month.", markdown).Segment; f.Support < 0.5 {
		t.Errorf("its own row: %.2f %q", f.Support, f.Reasons)
	}
}
