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

// TestMinimumAndMaximum: a minimum is at least so much and a maximum at most, wherever the word stands; so is "no later than" before something, and "within".
func TestMinimumAndMaximum(t *testing.T) {
	const (
		deposit = "The minimum deposit is $100 and the maximum is $5,000."
		leave   = "Requests must be made in writing no later than 60 days before the leave starts."
		units   = "Orders require a minimum of 12 units."
		pay     = "The salary is between $70,000 and $85,000 a year."
	)
	for _, b := range []beside{
		{"The fine is up to $500.", "The fine is $500 minimum.", "number"},
		{"The fine is at least $500.", "The fine is $500 minimum.", ""},
		{"The deposit is at most $100.", deposit, "number"},
		{"The deposit is at least $100.", deposit, ""},
		{"The deposit can be up to $5,000.", deposit, ""},
		{"The deposit must be at least $5,000.", deposit, "number"},
		{"You must drive at least 30 km/h.", "Speed limit: max 30 km/h.", "number"},
		{"Whoever drives over 30 km/h is fined.", "Speed limit: max 30 km/h.", ""},
		{"You may drive at most 30 km/h.", "Speed limit: max 30 km/h.", ""},
		{"You must be 21 or younger.", "Minimum age: 21.", "number"},
		{"You must be at least 21.", "Minimum age: 21.", ""},
		{"At most 12 units can be ordered.", units, "number"},
		{"Orders require at least 12 units.", units, ""},
		{"Each room needs at least four guests.", "Max 4 guests per room.", "number"},
		{"A room sleeps up to four guests.", "Max 4 guests per room.", ""},
		{"Parking costs at least $20 a day.", "Parking is $4 per hour, maximum $20 per day.", "number"},
		{"Parking costs at most $20 a day.", "Parking is $4 per hour, maximum $20 per day.", ""},
		{"Parking costs at most $20 a day.", "Parking costs $20 per day at most.", ""},
		{"Parking costs at least $20 a day.", "Parking costs $20 per day at most.", "number"},
		{"Requests must be made at most 60 days before the leave starts.", leave, "number"},
		{"Requests must be made at least 60 days before the leave starts.", leave, ""},
		{"Requests must be made at least 60 days in advance.", leave, ""},
		{"Reports must be sent at least 30 days after the trip.", "Reports must be sent within 30 days of the end of the trip.", "number"},
		{"Reports must be sent at most 30 days after the trip.", "Reports must be sent within 30 days of the end of the trip.", ""},
		{"The minimum salary is $85,000.", pay, "number"},
		{"The maximum salary is $85,000.", pay, ""},
		{"The minimum salary is $70,000.", pay, ""},
		{"Bake it for at least 5 minutes.", "Bake it for 5 min and let it cool.", ""},
		{"The load must be at least 35 kg.", "Maximum load 35 kg.", "number"},
	} {
		b.check(t)
	}
}
