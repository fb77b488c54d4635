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
		race     = "First, second and third place went to Maria Lopez, Jana Novak and Ebba Lind."
		pots     = "Mugs, plates and bowls cost $10, $12 and $15, respectively."
		fruit    = "Apples, pears and plums cost €2, €3 and €4 a kilo."
	)
	for _, c := range []beside{
		{"Median survival was 9.8 months in the treatment group.", survival, "exchange"},
		{"Porto has 545,000 inhabitants.", cities, "exchange"},
		{"Lisbon has 232,000 inhabitants.", cities, "exchange"},
		{"In 2020 the market had 120 stalls.", stalls, "exchange"},
		{"Nausea was reported by 7% of participants in the drug group.", nausea, "exchange"},
		{"Students pay 40 kr.", pays, "exchange"},
		{"First place went to Jana Novak.", race, "exchange"},
		{"Ebba Lind took second place.", race, "exchange"},
		{"Plates cost $15.", pots, "exchange"},
		{"Bowls cost $10.", pots, "exchange"},
		{"Pears cost €4 a kilo.", fruit, "exchange"},

		{"Second place went to Jana Novak.", race, ""},
		{"Ebba Lind took third place.", race, ""},
		{"Novak came second.", "Respectively, Ebba Lind and Jana Novak came second.", ""},
		{"Maria Lopez took first place, and Ebba Lind third.", race, ""},
		{"Mugs cost $10.", pots, ""},
		{"Plates cost $12.", pots, ""},
		{"Plums cost €4 a kilo.", fruit, ""},
		{"Pears cost €3 a kilo.", fruit, ""},
		{"Plums cost €4 a kilo.", "Apples, pears and plums cost €2, €3 and €4 a kilo; in spring plums cost €6 a kilo.", ""},
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
