package attribute

import "testing"

// TestWhatFollowsFromNumbers: a number that follows from the source's in a way that is plain is denied by none of them, and one that does not is.
func TestWhatFollowsFromNumbers(t *testing.T) {
	const (
		roof     = "So a 2,000 square foot roof yields about 1,200 gallons from a one-inch storm."
		passport = "An adult passport book renewal by mail costs $130. Expedited service adds $60."
		upkeep   = "Budget 1 to 2 percent of the home's value each year for upkeep. Our roof needed $14,000 of work in year one."
		cabin    = "We put up a 6 x 4 metre log cabin. It is under 30 square metres."
		race     = "She held on to a nine-second lead over her rival, and had been 14 seconds behind before."
		pool     = "A person of 155 pounds burns around 432 calories an hour swimming at a moderate pace and about 704 at a vigorous pace."
	)
	for _, c := range []beside{
		{"A 1,000 square foot roof yields 600 gallons from a one-inch storm.", roof, ""},
		{"A 1,000 square foot roof yields 900 gallons from a one-inch storm.", roof, "number, number"},
		{"A repair takes six to eight weeks.", "A repair takes three to four weeks.", "number, number"},
		{"A passport book renewal by mail costs $190 with expedited service.", passport, ""},
		{"A passport book renewal by mail costs $180 with expedited service.", passport, "number"},
		{"The works made 810 tonnes the year before.", "The works made 780 tonnes, 30 tonnes more than the year before.", "number"},
		{"Set aside 1-2% of the home's value, or $3,500 to $7,000 of work on a $350,000 roof.", upkeep, ""},
		{"Set aside 1-2% of the home's value, or $4,500 of work on a $350,000 roof.", upkeep, "number"},
		{"They put up a log cabin of 24 square metres.", cabin, ""},
		{"They put up a log cabin of 20 square metres.", cabin, "number"},
		{"She held on to a lead of nine seconds over her rival.", race, ""},
		{"She had been behind by a 14-second gap before.", race, ""},
		{"Ingrid Solheim won the Tour, beating Femke van Aarle by nine seconds.", "Ingrid Solheim won the Tour when she held on to a nine-second lead over Femke van Aarle.", ""},
		{"Ingrid Solheim won the Tour, beating Femke van Aarle by nine minutes.", "Ingrid Solheim won the Tour when she held on to a nine-second lead over Femke van Aarle.", "unit"},
		{"She held on to a lead of eight seconds over her rival.", race, "number"},
		{"A person of 155 pounds burns in the region of 430 calories an hour swimming at a moderate pace.", pool, ""},
		{"A person of 155 pounds burns close to 700 calories an hour swimming at a vigorous pace.", pool, ""},
		{"A person of 155 pounds burns close to 600 calories an hour swimming at a moderate pace.", pool, "number"},
	} {
		c.check(t)
	}
}

// TestOneNumberOfTwoThings: weeks are not denied by as many acres somewhere else, and euros are by as many cents.
func TestOneNumberOfTwoThings(t *testing.T) {
	for _, c := range []beside{
		{"Growers are now paid within two weeks.", "Growers are now paid faster than before. Most of them farm two acres.", ""},
		{"The basic fee is 21 euros.", "The basic fee is 21 cents.", "unit"},
	} {
		c.check(t)
	}
}
