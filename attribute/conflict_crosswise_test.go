package attribute

import "testing"

// TestCrosswise: what a sentence tells of several things in turn is not told of one another.
func TestCrosswise(t *testing.T) {
	const (
		heads  = "Sales is led by Rosa Diaz; IT is led by Nils Berg, and Finance by Aiko Tanaka."
		bridge = "The bridge is 1,280 metres long and 32 metres wide."
		peaks  = "Mount Arel (2,917 m) is the highest peak of the range, followed by Mount Tov (2,864 m) and Mount Sill (2,790 m)."
		halves = "Revenue was $41 million in the first half and $56 million in the second half of the year."
		chairs = "Chile sends six delegates, Peru four and Bolivia three."
		floors = "Fiction is on the first floor, history on the second and science on the third."
		treaty = "The treaty was signed by France, Spain and Portugal in Lisbon on 4 October 1911 and entered into force on 1 March 1912."
		trade  = "Chile exports copper to China and fruit to Japan."
		cups   = "The club won the cup in 1990, 1995 and 2001, and the league in 1998."
		rents  = "In Berlin, rents rose by 5% and in Munich by 8%."
		firm   = "The firm sold bikes in Bonn and scooters in Graz."
	)
	for _, c := range []beside{
		{"Nils Berg leads Sales.", heads, "exchange"},
		{"Sales is led by Nils Berg.", heads, "exchange"},
		{"Finance is led by Nils Berg.", heads, "exchange"},
		{"The bridge is 32 metres long.", bridge, "exchange"},
		{"Mount Tov is 2,790 metres high.", peaks, "exchange"},
		{"Revenue was $56 million in the first half and $41 million in the second half.", halves, "exchange, exchange"},
		{"Peru has six delegates.", chairs, "exchange"},
		{"History is on the third floor.", floors, "exchange"},
		{"The treaty was signed on 1 March 1912.", treaty, "exchange"},
		{"Chile exports copper to Japan.", trade, "role"},

		{"Nils Berg leads IT.", heads, ""},
		{"Aiko Tanaka leads Finance, and Rosa Diaz leads Sales.", heads, ""},
		{"The bridge is 32 metres wide and 1,280 metres long.", bridge, ""},
		{"Mount Tov is 2,864 metres high.", peaks, ""},
		{"Mount Sill (2,790 m) is a peak of the range.", peaks, ""},
		{"In the second half revenue was $56 million.", halves, ""},
		{"Peru sends four delegates.", chairs, ""},
		{"Peru and Chile send four and six delegates.", chairs, ""},
		{"Science is on the third floor.", floors, ""},
		{"The treaty entered into force on 1 March 1912.", treaty, ""},
		{"The treaty was signed in October 1911.", treaty, ""},
		{"The treaty, signed in 1911, entered into force in 1912.", treaty, ""},
		{"Chile exports to Japan.", trade, ""},
		{"Chile exports fruit to Japan.", trade, ""},
		{"The club won the cup in 2001.", cups, ""},
		{"The club won the league in 1998.", cups, ""},
		{"Rents rose by up to 8%.", rents, ""},
		{"Rents rose by 8% in Munich.", rents, ""},
		{"The firm sold in Graz.", firm, ""},
		{"The firm sold scooters.", firm, ""},
		{"Nils Berg leads Sales.", heads + " In May Nils Berg took over Sales, too.", ""},
		{"Baaghi was released in 2016.", "In 2016, he had three hits, Baaghi, Housefull and Dishoom, and Rangoon was released in February 2017.", ""},
		{"Baaghi was released in 2016.", "The songs became the no.1 hits.{{cite web In 2016, he had another good year, with three hits, \"Baaghi\", \"Housefull 3\" and \"Dishoom\".{{cite web \"Rangoon\", with Saif Ali Khan, was released on 24 February 2017.", ""},
		{"The deposit can be up to $5,000.", "The minimum deposit is $100 and the maximum is $5,000.", ""},
		{"West Virginia borders Ohio.", "West Virginia borders Ohio to the north, Kentucky to the west and Virginia to the east.", ""},
	} {
		c.check(t)
	}
}
