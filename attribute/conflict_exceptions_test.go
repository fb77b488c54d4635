package attribute

import "testing"

// TestExceptions: what a source takes out of what it says of all or of none is not as the rest is. That it is otherwise is no contradiction, nor is what is said of the rest.
func TestExceptions(t *testing.T) {
	for _, c := range []beside{
		{"Birds are not permitted.", "Pets are not permitted, except for birds.", "exchange"},
		{"Birds are not permitted.", "Pets are not permitted, except for fish and birds.", "exchange"},
		{"The Mini has Bluetooth.", "All models but the Mini have Bluetooth.", "exchange"},
		{"Tom attended.", "Everyone but Tom attended.", "exchange"},
		{"The Pro does not have GPS.", "None of the models other than the Pro has GPS.", "exchange"},
		{"Members may not vote.", "No one except members may vote.", "exchange"},
		{"Interns get a bonus.", "All employees except interns get a bonus.", "exchange"},
		{"The attic is heated.", "All rooms apart from the attic are heated.", "exchange"},
		{"The Louvre is free.", "Every museum with the exception of the Louvre is free.", "exchange"},
		{"The X300 has no wireless charging.", "Only the X300 has wireless charging.", "negation"},

		{"The Mini has no Bluetooth.", "All models but the Mini have Bluetooth.", ""},
		{"The Mini has no Bluetooth.", "With the exception of the Mini, all models have Bluetooth.", ""},
		{"The Mini does not have Bluetooth.", "Apart from the Mini, all models have Bluetooth.", ""},
		{"Not all models have Bluetooth.", "All models but the Mini have Bluetooth.", ""},
		{"The clinic is closed on holidays.", "Except on holidays, the clinic is open daily.", ""},
		{"On holidays the clinic is not open.", "Except on holidays, the clinic is open daily.", ""},
		{"The Mini has Bluetooth.", "With the exception of the Mini, all models have Bluetooth.", "exchange"},
		{"The Maxi has no Bluetooth.", "All models but the Mini have Bluetooth.", "name"},
		{"The clinic is closed on Sundays.", "Except on holidays, the clinic is open on Sundays.", "comparative"},
		{"Tyres are excluded from the guarantee.", "The guarantee covers the engine but not the tyres.", ""},

		{"Pets are not permitted.", "Pets are not permitted, except for birds.", ""},
		{"Dogs are not permitted.", "Pets are not permitted, except for birds.", ""},
		{"Birds are permitted.", "Pets are not permitted, except for birds.", ""},
		{"The Mini does not have Bluetooth.", "All models but the Mini have Bluetooth.", ""},
		{"All models except the Mini have Bluetooth.", "All models but the Mini have Bluetooth.", ""},
		{"Tom did not attend.", "Everyone but Tom attended.", ""},
		{"The Pro has GPS.", "None of the models other than the Pro has GPS.", ""},
		{"Members may vote.", "No one except members may vote.", ""},
		{"The attic is not heated.", "All rooms apart from the attic are heated.", ""},
		{"The X200 has no wireless charging.", "Only the X300 has wireless charging.", ""},
		{"Cats are not allowed.", "Dogs are allowed in all rooms but cats are not allowed.", ""},
		{"Tom stayed.", "All left but Tom stayed.", ""},
		{"Tom left early.", "All members voted, but Tom left early.", ""},
		{"Birds are allowed.", "No dogs are allowed, but birds are allowed.", ""},
		{"Winter is not cold.", "No season is cold except when winter comes.", ""},
		{"The lamp is cheap.", "The lamp is not only bright but also cheap.", ""},
	} {
		c.check(t)
	}
}
