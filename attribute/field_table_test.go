package attribute

import "testing"

// TestFieldsOfTables: the rows of a table with bars are compared as those of data are, each by what names it: one cell, or several together.
func TestFieldsOfTables(t *testing.T) {
	const (
		plans = "Our plans:\n\n| Plan | Price | Users | Storage | SSO |\n|---|---|---|---|---|\n| Basic | $9/mo | 3 | 10 GB | No |\n| Growth | $29/mo | 10 | 100 GB | No |\n| Scale | $99/mo | 50 | 1 TB | Yes |\n\nThe Growth plan was renamed in 2021 and has two storage regions."
		spec  = "| Spec | Value |\n|---|---|\n| Weight | 1.36 kg |\n| Memory | 16 GB LPDDR5 |\n| Display | 14-inch |\n"
		sales = "region,quarter,units,revenue_usd\nNorth,Q1,1200,48000\nNorth,Q2,1350,54000\nSouth,Q1,980,39200\nSouth,Q2,1010,40400\nWest,Q1,1500,60000\nWest,Q2,1425,57000\n"
	)
	for _, c := range []struct{ claim, source, denied string }{
		{"The Growth plan is the cheapest plan by price.", plans, "cheapest"},
		{"The Basic plan is the cheapest plan by price.", plans, ""},
		{"The Growth plan supports up to 50 users.", plans, "50"},
		{"The Scale plan supports up to 50 users.", plans, ""},
		{"The Growth plan has SSO.", plans, "SSO"},
		{"The Scale plan has SSO.", plans, ""},
		{"The Growth plan has no SSO.", plans, ""},
		{"The Scale plan has no SSO.", plans, "SSO"},
		{"Only the Scale plan has SSO, unlike the Growth plan.", plans, ""},
		{"The Growth plan has two storage regions.", plans, ""},
		{"Two Growth plans by their price cost $58.", plans, ""},
		{"The weight is 1.63 kg.", spec, "1.63"},
		{"The weight is 1,360 g.", spec, ""},
		{"The memory is 32 GB.", spec, "32"},
		{"West sold 1,500 units in Q1.", sales, ""},
		{"West sold 1,425 units in Q1.", sales, "1,425"},
		{"The revenue of the North was $48,000 in the second quarter.", sales, "48,000"},
		{"The revenue of the North was $54,000 in the second quarter.", sales, ""},
		{"West had the highest revenue in Q2.", sales, ""},
		{"North had the highest revenue in Q2.", sales, "highest"},
		{"In Q2 North had its highest revenue.", sales, ""},
	} {
		denies(t, c.claim, c.source, c.denied)
	}
}
