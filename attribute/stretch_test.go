package attribute

import "testing"

// TestMomentsWithinStretches: what is so from one day, date or time to another is so at each between, and no other; what begins or ends is not.
func TestMomentsWithinStretches(t *testing.T) {
	const (
		rain  = "Rain fell from Monday to Thursday."
		shop  = "The shop is staffed from 9 am to 6 pm."
		forms = "Applications are accepted from 1 March to 15 April."
	)
	for _, c := range []beside{
		{"Rain fell on Tuesday.", rain, ""},
		{"On Wednesday, rain fell.", "Rain fell between Monday and Thursday.", ""},
		{"Rain fell on Sunday.", "Rain fell Friday through Monday.", ""},
		{"Rain fell on Friday.", rain, "date"},
		{"Rain fell until Tuesday.", rain, "date"},
		{"Rain fell on Tuesday.", "Wind blew from Monday to Thursday. Rain fell on Friday.", "date"},
		{"The rain began on Tuesday.", "The rain began on Monday and lasted from Monday to Thursday.", "date"},
		{"The shop is staffed at 10 am.", shop, ""},
		{"The shop is staffed at 8 pm.", shop, "number"},
		{"Trains run at 1 am.", "Trains run from 8 pm to 2 am.", ""},
		{"Trains run at 21:00.", "Trains run until 22:00.", ""},
		{"Trains run at 23:00.", "Trains run until 22:00.", "number"},
		{"Applications are accepted on 10 March.", forms, ""},
		{"Applications are accepted on 20 April.", forms, "number"},
		{"Deer are hunted on 12 June.", "Deer are hunted from April to September.", ""},
	} {
		c.check(t)
		if f := one(t, c.segment, c.source); (f.Segment.Support >= 0.5) != (c.kind == "") {
			t.Errorf("%q beside %q: support %.2f", c.segment, c.source, f.Segment.Support)
		}
	}
}

// TestOutsideOfStretches: what is denied of a time that lies outside of the one that a source names is denied by nothing.
func TestOutsideOfStretches(t *testing.T) {
	const lake, term = "The lake is frozen from December to February.", "Adams was president from 1797 to 1801."
	for _, c := range []beside{
		{"The lake is not frozen on 3 May.", lake, ""},
		{"The lake is not frozen in May.", lake, ""},
		{"The lake is not frozen in January.", lake, "negation"},
		{"No bus leaves at 5:00.", "The bus leaves from 6:00 to 22:00.", ""},
		{"Dogs are allowed on the beach in October.", "Dogs are not allowed on the beach between May and September.", ""},
		{"Dogs are allowed on the beach in July.", "Dogs are not allowed on the beach between May and September.", "negation"},
		{"Adams was not president in 1810.", term, ""},
		{"Adams was not president in 1799.", term, "negation"},
		{"The museum is not closed on Sundays.", "The museum is closed only on Mondays.", ""},
		{"The museum is not closed on Mondays.", "The museum is closed only on Mondays.", "negation"},
	} {
		c.check(t)
	}
}

// TestStretchesAreReadAsTheyAre: a judge reads a moment as the source has it, for it knows no order of days.
func TestStretchesAreReadAsTheyAre(t *testing.T) {
	for _, c := range [][3]string{
		{"Rain fell on Tuesday.", "Rain fell from Monday to Thursday.", "Rain fell from Monday to Thursday."},
		{"Trains run at 21:00.", "Trains run until 22:00.", "Trains run until 22:00."},
		{"The ferry runs on 12 December.", "The ferry runs from 5 November to 20 February.", "The ferry runs from 5 November to 20 February."},
		{"The fair was held on Tuesday.", "The fair was held Monday through Thursday.", "The fair was held Monday through Thursday."},
	} {
		if got := wordedFor(c[0], c[1]); got != c[2] {
			t.Errorf("%q beside %q: a judge reads %q, not %q", c[0], c[1], got, c[2])
		}
	}
}
