package attribute

import "testing"

// TestACaseLiesInARange: what is said of a range or up to a bound holds of each case in it. A range that is given otherwise, and a case outside, are denied.
func TestACaseLiesInARange(t *testing.T) {
	const (
		parcel = "Parcels between 5 and 10 kg cost €9.49."
		letter = "Letters up to 50 g cost €0.95."
		firms  = "The rule applies to firms with more than 50 employees."
		loan   = "Loans from $1,000 to $5,000 carry 9% interest."
	)
	for _, b := range []beside{
		{"A 7 kg parcel costs €9.49.", parcel, ""},
		{"A 12 kg parcel costs €9.49.", parcel, "number"},
		{"Parcels between 5 and 7 kg cost €9.49.", parcel, "number"},
		{"Parcels of up to 7 kg cost €9.49.", parcel, "number"},
		{"A 40 g letter costs €0.95.", letter, ""},
		{"A 60 g letter costs €0.95.", letter, "number"},
		{"Letters up to 40 g cost €0.95.", letter, "number"},
		{"A loan of $3,000 carries 9% interest.", loan, ""},
		{"A loan of $8,000 carries 9% interest.", loan, "number"},
		{"Loans from $1,000 to $3,000 carry 9% interest.", loan, "number"},
		{"For an order of $60, shipping takes 3 to 5 days.", "Shipping takes 3 to 5 days for orders under $100.", ""},
		{"For an order of $160, shipping takes 3 to 5 days.", "Shipping takes 3 to 5 days for orders under $100.", "number"},
		{"Parcels of 7 kg cost €9.49.", parcel, ""},
		{"Parcels of 12 kg cost €9.49.", parcel, "number"},
		{"Letters of 40 g cost €0.95.", letter, ""},
		{"Letters of 60 g cost €0.95.", letter, "number"},
		{"Groups of 9 people get a guide.", "Groups of up to 15 people get a guide.", ""},
		{"Groups of 18 people get a guide.", "Groups of up to 15 people get a guide.", "number"},
		{"Tents of 20 square metres need a permit.", "Tents between 12 and 30 square metres need a permit.", ""},
		{"The rule applies to a firm with 80 employees.", firms, ""},
		{"The rule applies to firms with 80 employees.", firms, ""},
		{"The rule applies to a firm with 20 employees.", firms, "number"},
		{"The rule does not apply to a firm with 20 employees.", firms, ""},
		{"The rule does not apply to a firm with 80 employees.", firms, "negation"},
		{"A visa is not required for stays of 30 days.", "A visa is required for stays over 90 days.", ""},
		{"A child aged 8 pays half.", "Children aged 6 to 12 pay half.", ""},
		{"A child aged 14 pays half.", "Children aged 6 to 12 pay half.", "number"},
		{"The job pays $80,000 a year.", "The job pays between $70,000 and $85,000 a year.", "number"},
		{"Delivery takes 4 days.", "Delivery takes 3 to 5 days.", "number"},
	} {
		b.check(t)
	}
	for _, c := range [][3]string{
		{"A loan of $3,000 carries 9% interest.", loan, "A loan of $1,000 to $5,000 carries 9% interest."},
		{"A parcel of 7 kg costs €9.49.", parcel, "A parcel of between 5 and 10 kg costs €9.49."},
		{"A letter of 40 g costs €0.95.", letter, "A letter of up to 50 g costs €0.95."},
	} {
		if got := wordedFor(c[0], c[1]); got != c[2] {
			t.Errorf("%q beside %q: a judge reads %q, not %q", c[0], c[1], got, c[2])
		}
	}
}
