package attribute

import "testing"

// TestSpansOfDates: an age and a number of years must be what the two dates of a sentence make, where it ties them by its words.
func TestSpansOfDates(t *testing.T) {
	const life, days = "Amara Nakamura was born in Graz in 1915 and died in 1985.", "Amara Nakamura was born on 2 May 1915 and died on 1 March 1985."
	const led, opened = "Priya Varga led the institute from 1950 to 1962.", "The bridge opened in 1898 and reopened in 1920."
	const work = "The work began in 2005 and ended in 2010."
	for _, c := range []beside{
		{"Nakamura died at the age of 60.", life, "number"},
		{"Nakamura died aged 73.", life, "number"},
		{"Nakamura died aged 70.", days, "number"},
		{"Priya Varga led the institute for fifteen years.", led, "number"},
		{"The bridge reopened 29 years later.", opened, "number"},

		{"The work took six years.", work, "number"},
		{"The work lasted three years.", work, "number"},
		{"The work took five years.", work, ""},
		{"The work took four years.", work, ""},
		{"The work took about six years.", work, ""},
		{"The work took six years.", "The work, which took six years, began in 2005 and ended in 2010.", ""},

		{"Nakamura died at the age of 70.", life, ""},
		{"Nakamura died aged 69.", life, ""},
		{"Nakamura died aged 69.", days, ""},
		{"Nakamura died at the age of about 65.", life, ""},
		{"Nakamura died aged 60.", "Amara Nakamura was born in Graz in 1925. Her father, who was born in 1915, died in 1985 aged 60.", ""},
		{"Nakamura married at the age of 30.", life, ""},
		{"Priya Varga led the institute for twelve years.", led, ""},
		{"Priya Varga led the institute for 13 years.", led, ""},
		{"Priya Varga taught for fifteen years.", "Priya Varga taught in Graz and led the institute from 1950 to 1962.", ""},
		{"The bridge reopened 22 years later.", opened, ""},
		{"The bridge reopened 29 years later.", "The ferry burned in 1891. The bridge opened in 1898 and reopened in 1920.", ""},
	} {
		c.check(t)
	}
}
