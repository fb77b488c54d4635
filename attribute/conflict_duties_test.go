package attribute

import "testing"

// TestDuties: what may be done need not be, and what is not required is not forbidden. The word of the clause counts that has the verb.
func TestDuties(t *testing.T) {
	const papers, work = "Applicants must submit two references and may include a portfolio.", "Employers are not required to offer remote work, but they must give reasons for a refusal."
	const leash = "Dogs must not be kept in the hall."
	for _, c := range []beside{
		{"Applicants must include a portfolio.", papers, "exchange"},
		{"Applicants are required to include a portfolio.", papers, "exchange"},
		{"Applicants may submit two references.", papers, "exchange"},
		{"Employers are not allowed to offer remote work.", work, "exchange"},
		{"Employers are prohibited from offering remote work.", work, "exchange"},
		{"Breakfast must be taken on the terrace.", "Breakfast may be taken on the terrace.", "exchange"},
		{"Dogs do not have to be kept in the hall.", leash, "exchange"},

		{"Helmets are not required on the track.", "Helmets are not allowed on the track.", "exchange"},
		{"Helmets are not allowed on the track.", "Helmets are not mandatory on the track.", "exchange"},
		{"Helmets are required on the track.", "Helmets are permitted on the track.", "exchange"},
		{"Helmets are prohibited on the track.", "Helmets are not required on the track.", "exchange"},
		{"Helmets are not permitted on the track.", "Helmets are not allowed on the track.", ""},
		{"Helmets are not required on the track.", "Helmets are not mandatory on the track.", ""},
		{"Helmets are not required on the track.", "Helmets are not allowed on the track if they have horns.", ""},
		{"Helmets are not required on the road.", "Helmets are not allowed on the track. They are not required on the road.", ""},

		{"Applicants must submit two references.", papers, ""},
		{"Applicants are required to submit two references.", papers, ""},
		{"Applicants can include a portfolio.", papers, ""},
		{"Applicants are allowed to include a portfolio.", papers, ""},
		{"Applicants should include a portfolio.", papers, ""},
		{"Employers do not have to offer remote work.", work, ""},
		{"Employers don't need to offer remote work.", work, ""},
		{"Employers may offer remote work.", "Employers may offer remote work, and banks must offer remote work.", ""},
		{"Applicants must include a portfolio.", "Applicants may include a portfolio. Those in the arts must include a portfolio.", ""},
		{"Dogs must not be kept in the hall.", leash, ""},
		{"Drivers may use fog lights if it rains.", "Drivers must use fog lights if visibility is low.", ""},
		{"Patients may have to pay a fee.", "Patients must pay a fee.", ""},
	} {
		c.check(t)
	}
}
