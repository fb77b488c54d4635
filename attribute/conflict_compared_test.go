package attribute

import "testing"

// TestCompared: a comparison of two things agrees with the amounts that a sentence gives of both.
func TestCompared(t *testing.T) {
	const (
		chairs = "Chile sends six delegates, Peru four and Bolivia three."
		metals = "Copper melts at 1,085 °C and aluminium at 660 °C."
		peaks  = "Mount Arel (2,917 m) is the highest peak of the range, followed by Mount Tov (2,864 m) and Mount Sill (2,790 m)."
		fuels  = "A litre of diesel costs 1.62 euros, a litre of petrol 1.78 euros."
		clubs  = "The north club has 120 members and the south club 40."
		people = "Alan Reed, 47, leads the clinic in Bath; Joan Reed, 52, heads the one in Bristol."
		rivers = "The Danube is 2,850 km long and the Rhine 1,230 km. The Danube flows into the Black Sea, the Rhine into the North Sea."
		seats  = "The hall seats 820 people and the studio 140."
	)
	for _, c := range []beside{
		{"Bolivia sends more delegates than Peru.", chairs, "exchange"},
		{"Chile sends fewer delegates than Peru.", chairs, "exchange"},
		{"Chile sends three times as many delegates as Bolivia.", chairs, "exchange"},
		{"Aluminium melts at a higher temperature than copper.", metals, "exchange"},
		{"Mount Arel is 73 metres higher than Mount Tov.", peaks, "exchange"},
		{"Mount Tov is higher than Mount Arel.", peaks, "exchange"},
		{"Petrol is cheaper than diesel.", fuels, "exchange"},
		{"The south club has more members than the north club.", clubs, "exchange"},
		{"The Rhine is longer than the Danube.", rivers, "exchange"},
		{"The hall seats twice as many people as the studio.", seats, "exchange"},

		{"The Danube is longer than the Rhine.", rivers, ""},
		{"The Danube is more than twice as long as the Rhine.", rivers, ""},
		{"The hall seats almost six times as many people as the studio.", seats, ""},
		{"The hall seats more than twice as many people as the studio.", seats, ""},
		{"Peru sends more delegates than Bolivia.", chairs, ""},
		{"Chile sends twice as many delegates as Bolivia.", chairs, ""},
		{"Chile sends two times as many delegates as Bolivia.", chairs, ""},
		{"Bolivia sends fewer delegates than Chile.", chairs, ""},
		{"Copper melts at a higher temperature than aluminium.", metals, ""},
		{"Mount Arel is 53 metres higher than Mount Tov.", peaks, ""},
		{"Mount Arel is about 50 metres higher than Mount Tov.", peaks, ""},
		{"Diesel is cheaper than petrol.", fuels, ""},
		{"Diesel is 0.16 euros cheaper than petrol.", fuels, ""},
		{"The north club has 80 more members than the south club.", clubs, ""},
		{"The north club has three times as many members as the south club.", clubs, ""},
		{"Joan Reed is older than Alan Reed.", people, ""},
		{"The south club is younger than the north club.", clubs, ""},
		{"The north club is larger than the south club.", clubs, ""},
	} {
		c.check(t)
	}
}
