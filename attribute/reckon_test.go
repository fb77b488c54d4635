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

// TestEqualParts: equal parts are a ratio of 1:1, and deny any other.
func TestEqualParts(t *testing.T) {
	for _, c := range []beside{
		{"Use equal parts of oil and lemon juice.", "Use a 1:1 ratio of lemon juice and oil.", ""},
		{"Use equal parts of oil and lemon juice.", "Use oil and lemon juice in a 2:1 ratio.", "number"},
		{"Use oil and lemon juice in a 3:1 ratio.", "Use equal parts of oil and lemon juice.", "number"},
	} {
		c.check(t)
	}
	for _, c := range [][3]string{
		{"Take equal parts of oil and juice.", "Use a 1:1 ratio of juice and oil.", "Take a 1:1 ratio of oil and juice."},
		{"Sand and lime are mixed 1:1 for it.", "Mix equal parts of sand and lime.", "Sand and lime are mixed in equal parts for it."},
		{"Take equal parts of oil and juice.", "Mix equal amounts of oil and juice.", "Take equal parts of oil and juice."},
	} {
		if got := wordedFor(c[0], c[1]); got != c[2] {
			t.Errorf("%q beside %q: a judge reads %q, not %q", c[0], c[1], got, c[2])
		}
	}
}

// TestWhatIsLeftOrMultiplied: what the source's own words make of its numbers is denied by none of them, and what they do not make of them is.
func TestWhatIsLeftOrMultiplied(t *testing.T) {
	const (
		doses   = "Measles vaccine: first dose at 11 months, second dose at 15 months, at least four weeks apart."
		flour   = "The recipe serves 4 and needs 200 g of flour."
		storm   = "The storm left 40,000 homes without power; by Monday 30,000 were back."
		auction = "The painting was sold for £1.2m, three times its estimate."
		rope    = "The rope is 30 m long; two of them are needed."
		late    = "The deadline is 30 June, with an extension of two weeks on request."
		results = "Applications close on 15 March; results are sent four weeks later."
		vote    = "Most members voted for the merger: 61 in favour, 12 against, and 7 abstained."
		books   = "The library holds 85,000 books, 40% of them fiction."
		life    = "Aria Holt was born in 1952 and moved to Bergen at 19."
	)
	for _, c := range []beside{
		{"80 members voted.", vote, ""},
		{"85 members voted.", vote, "number"},
		{"The library holds 34,000 fiction books.", books, ""},
		{"The library holds 43,000 fiction books.", books, "number"},
		{"Aria Holt moved to Bergen in 1971.", life, ""},
		{"Aria Holt moved to Bergen in 1975.", life, "date"},
		{"The first dose is given at 11 months and the second dose four months later.", doses, ""},
		{"The first dose and the second dose are at least four months apart.", doses, "unit"},
		{"For 8 people the recipe needs 400 g of flour.", flour, ""},
		{"For 8 people the recipe needs 300 g of flour.", flour, "number, number"},
		{"Of the 80 patients, three quarters recovered.", "Of the 80 patients, 60 recovered.", ""},
		{"Twenty patients did not recover.", "Of the 80 patients, 60 recovered.", ""},
		{"Thirty patients did not recover.", "Of the 80 patients, 60 recovered.", "number, negation"},
		{"By Monday 10,000 homes were still without power.", storm, ""},
		{"By Monday 20,000 homes were still without power.", storm, "number"},
		{"The painting had been estimated at £400,000.", auction, ""},
		{"The painting had been estimated at £600,000.", auction, "number"},
		{"A total of 60 m of rope is needed.", rope, ""},
		{"A total of 90 m of rope is needed.", rope, "number"},
		{"With an extension, the deadline is 14 July.", late, ""},
		{"With an extension, the deadline is 21 July.", late, "number"},
		{"Results are sent in mid-April.", results, ""},
		{"Results are sent in mid-May.", results, "date"},
		{"A third of the members did not vote in favour.", "Two thirds of the members voted in favour.", ""},
		{"Two thirds of the members did not vote in favour.", "Two thirds of the members voted in favour.", "negation"},
		{"Orders of fewer than 10 pieces get no discount.", "Orders get a discount of 15% from 10 pieces on.", ""},
		{"You get a discount on fewer than 10 pieces.", "You get a discount on 10 or more pieces.", "number"},
	} {
		c.check(t)
	}
}

// TestYearsBeforeAndAfter: a year that the source counts from another one is denied by neither, and one that is counted the other way is.
func TestYearsBeforeAndAfter(t *testing.T) {
	const (
		quarter = "Revenue was $1.25bn in Q3 2023, up 12% year on year."
		profits = "In 2023, profits fell 5% from the previous year."
		hall    = "The hall had been designed by Carl Nyman, who died two years before its completion in 1864."
		race    = "About 30,000 runners started; 28,604 finished."
	)
	for _, b := range []beside{
		{"Revenue rose 12% in Q3 2023 compared with Q3 2022.", quarter, ""},
		{"Revenue rose 12% compared with Q3 2022.", quarter, ""},
		{"Revenue rose 12% compared with Q3 2021.", quarter, "date"},
		{"Profits were 5% lower than in 2022.", profits, ""},
		{"Profits fell 5% compared with 2021.", profits, "date"},
		{"Carl Nyman died in 1862.", hall, ""},
		{"Carl Nyman died in 1866.", hall, "date"},
		{"Carl Nyman died in 1861.", hall, "date"},
		{"About 1,400 runners did not finish.", race, ""},
		{"Nearly 1,400 runners did not finish.", race, ""},
		{"About 1,700 runners did not finish.", race, "number, negation"},
		{"Sales in May 2024 were 3% higher than in 2023.", "Sales in May 2024 were 3% higher than a year earlier.", ""},
	} {
		b.check(t)
	}
}
