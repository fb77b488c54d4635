package attribute

import "testing"

// TestBoundsTurnedRound: at least is not at most, whether the source says so by a negation, by a range or by "up to"; what says the same bound in other words
// is denied by none.
func TestBoundsTurnedRound(t *testing.T) {
	const (
		dose  = "Patients should not take more than 750 mg in 24 hours."
		hours = "Adults need between 11 and 27 hours of training."
	)
	for _, b := range []beside{
		{"Patients should take at least 750 mg in 24 hours.", dose, "number"},
		{"Patients should take at most 750 mg in 24 hours.", dose, ""},
		{"Patients should take no more than 750 mg in 24 hours.", dose, ""},
		{"Patients should not exceed 750 mg in 24 hours.", dose, ""},
		{"Patients may take up to 750 mg in 24 hours.", dose, ""},
		{"Patients should take at least 750 mg in 24 hours.", "Patients must not exceed 750 mg in 24 hours.", "number"},
		{"Patients should take at least 750 mg in 24 hours.", "Do not take more than 750 mg in 24 hours.", "number"},
		{"Adults need at least 27 hours of training.", hours, "number"},
		{"Adults need more than 27 hours of training.", hours, "number"},
		{"Adults need fewer than 11 hours of training.", hours, "number"},
		{"Adults need at least 27 hours of training.", "Adults need 11 to 27 hours of training.", "number"},
		{"Adults need no more than 27 hours of training.", hours, ""},
		{"Adults need at most 27 hours of training.", hours, ""},
		{"Adults need up to 27 hours of training.", hours, ""},
		{"Adults need at least 11 hours of training.", hours, ""},
		{"Members can borrow at least 20 books.", "Members can borrow up to 20 books.", "number"},
		{"Members can borrow no more than 20 books.", "Members can borrow up to 20 books.", ""},
		{"Adults over 65 pay 5 dollars.", "Adults between 18 and 65 pay 9 dollars, the old ones 5 dollars.", ""},
		{"A visa is needed for stays of more than 90 days.", "No visa is needed for stays of up to 90 days.", ""},
	} {
		b.check(t)
	}
}
