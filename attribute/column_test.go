package attribute

import "testing"

// TestTotalsOfColumns: a total and an average of a column follow from all of its rows, or from those that the segment names.
func TestTotalsOfColumns(t *testing.T) {
	const table = "| Branch | Visitors |\n|---|---|\n| North | 120 |\n| South | 310 |\n| East | 95 |\n| West | 275 |\n"
	const list = `[{"branch": "North", "visitors": 120}, {"branch": "South", "visitors": 310}, {"branch": "East", "visitors": 95}, {"branch": "West", "visitors": 275}]`
	const lines = "Branch,Visitors\nNorth,120\nSouth,310\nEast,95\nWest,275\n"
	for _, source := range []string{table, list, lines} {
		for claim, follows := range map[string]bool{
			"There were 800 visitors in total.":                      true,
			"The total number of visitors is 800.":                   true,
			"The average number of visitors is 200.":                 true,
			"North, South and East had 525 visitors in total.":       true,
			"There were 780 visitors in total.":                      false,
			"The average number of visitors is 230.":                 false,
			"North, South and East had 800 visitors in total.":       false,
			"North, South, East and West had 525 visitors in total.": false,
		} {
			if got := len(lackingNumbers(claim, source)) == 0; got != follows {
				t.Errorf("%q beside %q: follows is %v, not %v", claim, source, got, follows)
			}
			if follows {
				beside{claim, source, ""}.check(t)
			}
		}
	}
}

// lackingNumbers are the words with digits of a segment that a source lacks.
func lackingNumbers(claim, source string) []string {
	var out []string
	for _, w := range lacking(claim, source) {
		if w != "" && w[0] >= '0' && w[0] <= '9' {
			out = append(out, w)
		}
	}
	return out
}
