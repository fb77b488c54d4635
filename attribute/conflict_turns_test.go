package attribute

import "testing"

// TestRespectively: of two lists that are as long the n-th of one is that of the n-th of the other, and so are amounts in clauses that leave their verb out.
func TestRespectively(t *testing.T) {
	const (
		survival = "Median survival was 14.2 and 9.8 months in the treatment and control groups, respectively."
		cities   = "Lisbon and Porto have 545,000 and 232,000 inhabitants, respectively."
		stalls   = "In 2019 and 2020 the market had 120 and 85 stalls, respectively."
		nausea   = "Nausea was reported by 18% and 7% of participants in the drug and placebo groups, respectively."
		pays     = "Adults pay 120 kr, students 80 kr and children 40 kr."
	)
	for _, c := range []beside{
		{"Median survival was 9.8 months in the treatment group.", survival, "exchange"},
		{"Porto has 545,000 inhabitants.", cities, "exchange"},
		{"Lisbon has 232,000 inhabitants.", cities, "exchange"},
		{"In 2020 the market had 120 stalls.", stalls, "exchange"},
		{"Nausea was reported by 7% of participants in the drug group.", nausea, "exchange"},
		{"Students pay 40 kr.", pays, "exchange"},

		{"Median survival was 14.2 months in the treatment group.", survival, ""},
		{"Median survival was 9.8 months in the control group.", survival, ""},
		{"Median survival was 14.2 months in the treatment and 9.8 months in the control group.", survival, ""},
		{"Lisbon has 545,000 inhabitants.", cities, ""},
		{"Porto has 232,000 inhabitants.", cities, ""},
		{"In 2020 the market had 85 stalls.", stalls, ""},
		{"In 2019 the market had 120 stalls.", stalls, ""},
		{"Nausea was reported by 18% of participants in the drug group.", nausea, ""},
		{"Students pay 80 kr.", pays, ""},
		{"Children pay 40 kr.", pays, ""},
		{"Adults pay 120 kr.", pays, ""},
		{"Lisbon has 232,000 inhabitants.", "Lisbon, Porto and Braga have 545,000 and 232,000 inhabitants of all ages, respectively.", ""},
		{"Porto has 232,000 inhabitants.", "Lisbon, Porto and Braga have 545,000 and 232,000 inhabitants of all ages, respectively.", ""},
		{"Porto has 545,000 inhabitants.", "In 2021, Lisbon and Porto had 545,000 and 232,000 inhabitants, respectively.", "exchange"},
	} {
		c.check(t)
	}
}
