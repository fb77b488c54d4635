package attribute

import "testing"

// TestTheOtherSideOfABorder: up to 31 March is before April, and after it from April on. Another day is denied as ever, and so is what the source says of the other side.
func TestTheOtherSideOfABorder(t *testing.T) {
	const (
		fee      = "The early-bird fee of €250 applies until 31 March; after that it is €320."
		purchase = "The rule applies to purchases made after 31 December 2022."
		office   = "The office will be closed from 1 August."
	)
	for _, b := range []beside{
		{"Before April, the fee is €250.", fee, ""},
		{"From April on, the fee is €320.", fee, ""},
		{"From May on, the fee is €320.", fee, "date"},
		{"Before March, the early-bird fee of €250 applies.", fee, ""},
		{"The early-bird fee of €250 applies until April.", fee, ""},
		{"The early-bird fee of €250 applies until the end of March.", fee, ""},
		{"The early-bird fee of €250 applies until the end of April.", fee, "date"},
		{"The rule applies to purchases from 2023 on.", purchase, ""},
		{"The rule applies to purchases from 2024 on.", purchase, "date"},
		{"The rule applies to purchases made from January 1, 2023.", purchase, ""},
		{"The rule applies to purchases made from January 1, 2022.", purchase, "number"},
		{"The rule applies to purchases made from January 2, 2023.", purchase, "number"},
		{"The rule applies to purchases made before 2023.", purchase, "date, comparative"},
		{"The office is open until the end of July.", office, ""},
		{"The office is open until the end of August.", office, ""},
		{"The office will be closed until the end of July.", office, "date"},
		{"The station will be closed from 1 March.", "The station will be closed after 28 February.", ""},
	} {
		b.check(t)
	}
	for _, c := range [][3]string{
		{"From April on, the fee is €320.", fee, "after 31 March, the fee is €320."},
		{"The office is open until the end of July.", office, "The office is open before 1 August."},
	} {
		if got := wordedFor(c[0], c[1]); got != c[2] {
			t.Errorf("%q beside %q: a judge reads %q, not %q", c[0], c[1], got, c[2])
		}
	}
}
