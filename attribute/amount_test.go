package attribute

import (
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// TestSaidAnotherWay: what a source says in other units, rounded, in short or by its initials is no contradiction.
func TestSaidAnotherWay(t *testing.T) {
	for _, c := range [][2]string{
		{"Its height is 330 m.", "It stands 330 metres tall, which is its height."},
		{"The bag weighs 500 grams.", "The bag weighs 500 g."},
		{"The bag weighs 500 grams.", "The bag weighs 0.5 kg."},
		{"The lake is 30 feet deep.", "The lake is 30 ft deep."},
		{"The film runs 1.5 hours.", "The film runs 90 minutes."},
		{"The ride takes 30 minutes.", "The ride takes half an hour."},
		{"The study followed patients for a decade.", "The study followed patients for ten years."},
		{"The trail is about 62 miles long.", "The trail is 100 km long."},
		{"5.9m people went up the tower in 2022.", "5.9 million people went up the tower in 2022."},
		{"The startup raised $5.9m in its first round.", "The startup raised 5.9 million dollars in its first round."},
		{"The app has 50k users in Spain.", "The app has 50,000 users in Spain."},
		{"Nearly six million people went up the tower in 2022.", "The tower has three floors for people. 5.9 million people went up the tower in 2022."},
		{"The population was 8.3 million in 2020.", "The population was 8,336,817 in 2020."},
		{"The rate was 5% last year.", "The rate was 4.96% last year."},
		{"The tunnel is 50 km long.", "The tunnel is 50.45 km long."},
		{"He was born in the 1990s in Lagos.", "He was born in 1994 in Lagos."},
		{"The castle was built in the 18th century by the duke.", "The castle was built in 1750 by the duke."},
		{"Temperatures fell to -5 degrees at night.", "Temperatures fell to minus 5 degrees at night."},
		{"The dose is 20 μg daily.", "The dose is 20 mcg daily."},
		{"The EU fined Google in 2018.", "The European Union fined Google in 2018."},
		{"The European Union fined Google in 2018.", "The EU fined Google in 2018."},
		{"The UK left the EU in 2020.", "The United Kingdom left the European Union in 2020."},
		{"The meeting starts at 3:30 pm on Monday.", "The meeting starts at 15:30 on Monday."},
		{"The shop closes at 5 p.m. on Sundays.", "The shop closes at 17:00 on Sundays."},
		{"King Henry the Eighth married six times.", "The king Henry VIII married six times."},
		{"The rows stand 2 to 3 feet apart.", "The rows stand 24 to 36 inches apart."},
		{"The hole is 0.25 inches wide.", "The hole is 1/4 inch wide."},
		{"The beast lived between 66 and 68 million years ago.", "The beast lived 68 to 66 million years ago."},
		{"The car reaches 155 miles per hour.", "The car reaches 155 mph."},
		{"Cook the steak to about 54 °C.", "Cook the steak to 130°F."},
		{"The moon is 252,000 miles away.", "The moon is 252,088 miles away."},
		{"The trip took three days.", "The trip took 3 hours longer than planned: 3 days, 3 hours."},
		{"The firm employs 20 million people.", "The firm employs 20 000 000 people."},
		{"A hive holds 60,000 bees.", "A hive holds 60 000 bees."},
		{"The ticket costs €12.50.", "The ticket costs 12,50 €."},
		{"The house cost 1,250,000.50 euros.", "The house cost 1.250.000,50 euros."},
		{"The house cost 1,250,000 euros.", "The house cost 1.250.000 euros."},
		{"The office opened on 12 March 2019.", "The office opened on 12.03.2019."},
		{"The office opened on 25.12.2019.", "The office opened on December 25, 2019."},
		{"The office opened on December 25, 2019.", "The office opened on 25/12/2019."},
		{"The office opened on 25 December 2019.", "The office opened on 12/25/2019."},
		{"Turnout rose by 5 percentage points.", "Turnout rose by 5% points."},
		{"Turnout rose by 5 percentage points.", "Turnout rose by 5 percentage points, to 5 percent."},
		{"Heavy metal was developed in the early 1970's.", "Heavy metal was developed in the early 1970s."},
		{"Wealth grew in the '90s.", "Wealth grew in the 1990s."},
		{"The crest of the club dates back to the 1800s.", "The crest of the club dates back to 1888."},
		{"More than $5 million were raised by the club.", "The club raised $5.4 million; 5.4 million dollars were raised by the club."},
		{"The cable carried 9,999 messages.", "The cable carried messages for three weeks."},
		{"The price rose by $3 to $22.99 a month.", "The price rose to $22.99 a month from $19.99."},
		{"The new system cut the time by 45 seconds.", "The new system cut the time from 70 to 25 seconds."},
		{"Turnout fell by 5 percentage points.", "Turnout fell from 65 percent to 60 percent."},
		{"The fund holds no less than 20 houses.", "The fund holds 25 houses."},
		{"The food may stay out for at most two hours.", "The food may stay out for no more than two hours."},
		{"Sales went up by 100% from 10 million to 20 million units.", "Sales doubled from 10 to 20 million units."},
	} {
		if got := one(t, c[0], c[1]).Segment; len(got.Contradicted) > 0 {
			t.Errorf("%q against %q: %s", c[0], c[1], got.Contradicted[0].Reason)
		}
	}
	for _, c := range [][2]string{
		{"The tower is 300 m tall.", "The tower is 330 metres tall."},
		{"The tower is 330 km tall.", "The tower is 330 metres tall."},
		{"The film runs 2 hours.", "The film runs 2 minutes."},
		{"The population was 8.4 million in 2020.", "The population was 8.3 million in 2020."},
		{"Over 6 million people went up the tower.", "5.9 million people went up the tower."},
		{"The fleet has 12 ships in the north.", "The fleet has 15 ships in the north."},
		{"The temperature at noon was -5 °C.", "The temperature at noon was 5 °C."},
		{"The dose is 5 µg daily.", "The dose is 5 mg daily."},
		{"The EU fined Google in 2018.", "The Supreme Court fined Google in 2018."},
		{"The meeting starts at 3 AM.", "The meeting starts at 3 PM."},
		{"Louis XV ruled for 72 years.", "Louis XIV ruled for 72 years."},
		{"Wealth grew in the 80s.", "Wealth grew in the 1990s."},
		{"Prices rose over the past 5 years.", "Prices rose over the past 10 years."},
		{"The rows stand 4 to 5 feet apart.", "The rows stand 2 to 3 feet apart."},
		{"The ride takes 20 to 25 minutes.", "The ride takes 30 to 35 minutes."},
		{"The trip took three days.", "The trip took 3 hours."},
		{"The dish takes 2 1/2 hours.", "The dish takes 1 1/2 hours."},
		{"Cook the steak to 165°F.", "Cook the steak to 145 degrees."},
		{"The moon is 252,000 miles away.", "The moon is 254,088 miles away."},
		{"A hive holds 60,000 bees.", "A hive holds 90 000 bees."},
		{"The ticket costs €1,250.", "The ticket costs 12,50 €."},
		{"The office opened on 12 April 2019.", "The office opened on 12.03.2019."},
		{"The office opened on November 25, 2019.", "The office opened on 25/12/2019."},
		{"Turnout rose by 5 percent.", "Turnout rose by 5 percentage points."},
		{"Turnout rose by 5 percentage points.", "Turnout rose by 5 percent."},
		{"The beast lived 66 to 68 million years ago.", "The beast lived 56 to 58 million years ago."},
	} {
		if got := one(t, c[0], c[1]).Segment; len(got.Contradicted) == 0 {
			t.Errorf("%q against %q: not named", c[0], c[1])
		}
	}
}

// TestAmountsAreFound: every word of an amount that a source gives in other units, in short or as a range stands in the source.
func TestAmountsAreFound(t *testing.T) {
	for _, c := range [][2]string{
		{"The ride takes between half an hour and an hour.", "The ride takes 30-60 minutes."},
		{"The cure takes six to twelve months.", "The cure takes 6 months to a year."},
		{"The eggs keep for one week.", "The eggs keep for 7 days."},
		{"The order takes two months.", "The order takes 8 weeks."},
		{"The order takes 1.5 to 3 months.", "The order takes six to twelve weeks."},
		{"The order takes 90 days.", "The order takes three months."},
		{"The dish takes 90 minutes.", "The dish takes 1 1/2 hours."},
		{"The hole is 0.25 inches wide.", "The hole is 1/4 inch wide."},
		{"The market is open for six and a half hours.", "The market is open for 6½ hours."},
		{"The firm paid $5 million to $7 million.", "The firm paid $5-7 million."},
		{"The rows are straight (2 to 3 feet apart).", "The rows are straight, 24 to 36 inches apart."},
		{"The firm paid between $5 and $7 million.", "The firm paid 5 million to 7 million dollars."},
		{"The firm paid $5–$7 million.", "The firm paid 5 million to 7 million dollars."},
		{"The car reaches 100 km/h.", "The car reaches 62 mph."},
		{"The car reaches 155 miles per hour.", "The car reaches 155 mph."},
		{"Cook the steak to 165°F.", "Heat the oven to 375 degrees and cook the steak to 165 F."},
		{"Cook the steak to 165 degrees.", "Cook the steak to 165°F."},
		{"Cook the steak to 165 degrees Fahrenheit.", "Cook the steak to 165F."},
		{"The plot has 800 square feet.", "The plot has 800 sq. ft."},
		{"The tank holds 20 gallons.", "The tank holds 20 gal."},
		{"Meat keeps for 9 months.", "Meat keeps 9 mths."},
		{"The request fails after 10 seconds.", "The request fails after 10 s."},
		{"The crossing takes 3 hours.", "The crossing takes 3 h."},
		{"The average temperature is 20 degrees.", "The avg temp is 20 degrees."},
		{"Add half a teaspoon of salt.", "Add 1/2 tsp of salt."},
		{"Add half a cup of sugar.", "Add 1/2 cup of sugar."},
		{"The stop is a quarter of a mile away.", "The stop is 0.25 miles away."},
		{"He ran the firm for ten years.", "He ran the firm from 1990 to 2000."},
		{"He ran the firm for ten years.", "He ran the firm (1990–2000)."},
		{"The fees add up to $135.", "The fees are $110 and $25."},
		{"All of it was under $500.", "All of it was under $500 and one very long weekend."},
		{"Resignations fell by a third.", "Resignations fell by 33%."},
		{"Two thirds of the voters came.", "67 per cent of the voters came."},
		{"Half of the voters came.", "50% of the voters came."},
		{"About 90% of the voters came.", "Nine out of ten voters came."},
		{"Five percent of the species live there.", "1 in 20 species live there."},
		{"It lasts three quarters of an hour.", "It lasts 45 minutes."},
		{"It lasts 90 minutes.", "It lasts an hour and a half."},
		{"It lasts two and a half hours.", "It lasts 2 hours and 30 minutes."},
		{"It lasts 2 hours and 30 minutes.", "It lasts 150 minutes."},
		{"The door is 70 inches high.", "The door is 5 feet 10 inches high."},
		{"The firm employs 20 million people.", "The firm employs 20 000 000 people."},
		{"The ticket costs 12 euros, i.e. 1,200 cents, e.g. at the door.", "The ticket costs 12 euros at the door, 1,200 cents."},
		{"The row reads 120 and 140.", "The row reads 120 140 2021."},
		{"The office opened on 12 March 2019.", "The office opened on 12.03.2019."},
		{"The office opened on December 25, 2019.", "The office opened on 25/12/2019."},
	} {
		if got := lacking(c[0], c[1]); len(got) > 0 {
			t.Errorf("%q against %q: %q is not found", c[0], c[1], got)
		}
	}
	for _, c := range [][2]string{
		{"The vote was on 1/2/2018.", "The vote was on 0.5 2018."},
		{"The team won 3/4.", "The team won 0.75."},
		{"The firm rose from 500 to 2 million.", "The firm rose from 500 million to 2 million."},
		{"He paid for 2 and 3 feet of it.", "He paid for 24 inches of it."},
		{"The third of the voters came.", "33% of the voters came."},
		{"A third party came.", "33% came."},
		{"The second half was dull.", "50% was dull."},
		{"A quarter of the voters came.", "20% of the voters came."},
		{"Profits rose by 75 percent.", "Profits rose for three quarters."},
		{"The firm lost 25% of its money.", "The firm lost money in a quarter."},
		{"It lasts 2.5 hours.", "It lasts 2 hours and 40 minutes."},
		{"It lasts 2.5 hours.", "It lasts between 2 hours and 30 minutes."},
		{"42% of the deals failed.", "5 in 12 months the deals failed."},
		{"5% of the copies are signed.", "Page 1 in 20 copies is signed."},
		{"The fare rose by $3 for adults.", "The fare is $5 for adults and a sandwich $8."},
		{"Add half a cup of sugar.", "Add 1/4 cup of sugar."},
		{"He ran the firm for ten years.", "He ran the firm from 1990 to 2001."},
		{"He ran the firm for ten years.", "He ran the firm in 1990. In 2000 he left."},
		{"The share rose by 14 percentage points.", "The share is 46% in the east and 32% in the west."},
		{"Turnout fell by 6 percentage points.", "Turnout fell from 65 percent to 60 percent."},
		{"The price rose by $3.", "The price was $4 in May. It was $7 in June."},
		{"The office opened on 5 March 2019.", "The office opened on 5/3/2019."},
	} {
		if got := lacking(c[0], c[1]); len(got) == 0 {
			t.Errorf("%q against %q: all is found", c[0], c[1])
		}
	}
}

// TestSums: what a source's numbers make together is said by it where the segment says that it adds, and is denied by none of them.
func TestSums(t *testing.T) {
	const fees = "The book costs $110 plus a $35 fee. A bag is $14.50 more."
	if got := lacking("The total costs are $145 for the book.", fees); len(got) > 0 {
		t.Errorf("%q is not found", got)
	}
	if got := lacking("The difference is $75 for the book.", fees); len(got) > 0 {
		t.Errorf("%q is not found", got)
	}
	if got := lacking("The total costs are $150 for the book.", fees); len(got) == 0 {
		t.Error("a wrong sum is found")
	}
	for _, text := range []string{"The difference is $145 for the book.", "The total costs are $75 for the book."} {
		if got := lacking(text, fees); len(got) == 0 {
			t.Errorf("%q: all is found", text)
		}
	}
	if got := lacking("The clubs won 7 games in total.", "The clubs won 3 and 4 games."); len(got) == 0 {
		t.Error("a small sum is found by chance")
	}
	if got := lacking("The costs are $145 for the book.", fees); len(got) == 0 {
		t.Error("a sum is found where nothing is added")
	}
	beside{"The book with the bag costs $124.50.", fees, ""}.check(t)
	beside{"The book costs $95.50 apart from the bag.", "The book costs $110 with the bag, which costs $14.50.", ""}.check(t)
	beside{"The clubs won 7 games together.", "The clubs won 3 games and 4 games.", "number"}.check(t)
	beside{"The clerks earn up to $92,690.", "The clerks earn more than $92,690.", "number"}.check(t)
	beside{"The clerks save up to 50%.", "The clerks save up to 30%.", "number"}.check(t)
	beside{"The clerks earn $92,690.", "The clerks earn up to $92,690.", ""}.check(t)
	beside{"The price went up to $20.", "The price went up to more than $20.", ""}.check(t)
	beside{"The book costs $124.", "The book costs $110, and the bag is $14.50 more.", "number"}.check(t)
	beside{"The book costs $5.", "The book costs $3, and the bag is $2 more.", "number"}.check(t)
	const mirror = "The clerk asked $42 for packing the mirror and $31 for postage."
	for text, lacks := range map[string]bool{
		"Sending the mirror cost $73 in all.":                      false,
		"Packing and postage of the mirror together cost $73.":     false,
		"The combined postage and packing of the mirror is $73.":   false,
		"Sending the mirror cost $73.":                             true,
		"Packing and postage of the mirror together cost $11.":     true,
		"Packing and postage of the mirror together cost $75.":     true,
		"Packing and postage of all mirrors in the shop cost $73.": true,
	} {
		if got := slices.ContainsFunc(lacking(text, mirror), func(w string) bool { return w == "73" || w == "75" || w == "11" }); got != lacks {
			t.Errorf("%q: lacks %q", text, lacking(text, mirror))
		}
	}
	beside{"Packing and postage of the mirror together cost $73.", mirror, ""}.check(t)
	beside{"Packing and postage of the mirror together cost $75.", mirror, "number"}.check(t)
	beside{"Packing the mirror cost $73.", mirror, "number"}.check(t)
	const tailor = "Trouser hems cost £12. The shop is near the station. It has two rooms. The owner is kind. A new zip costs £15."
	beside{"A hem and a zip together cost £27.", tailor, ""}.check(t)
	beside{"A hem and a zip together cost £28.", tailor, "number"}.check(t)
	beside{"A hem and a zip together cost £3.", tailor, "number"}.check(t)
	beside{"The difference between a hem and a zip is £3.", tailor, ""}.check(t)
	beside{"A zip costs £27.", tailor, "number"}.check(t)
}

// lacking are the content words of a segment that its best window has not.
func lacking(text, source string) []string {
	turn := newTurn([]ibid.Passage{passage(1, source)})
	s := turn.read(text)
	e, _ := turn.measure(s, &scratch{})
	var out []string
	for i, c := range s.content {
		if e.best.strength[i] == 0 {
			out = append(out, s.tokens[c].At.In(s.text))
		}
	}
	return out
}

// TestNegationEndsWithItsClause: a negation denies the words of its own clause.
func TestNegationEndsWithItsClause(t *testing.T) {
	for _, c := range [][2]string{
		{"He died in 1900.", "He never married and died in 1900."},
		{"Sales fell by 5% in March.", "Sales did not recover and fell by 5% in March."},
		{"It lasted three weeks.", "The cable failed after it lasted three weeks."},
		{"The device has no camera.", "The device lacks a camera."},
		{"The value must be non-negative.", "The value must not be negative."},
		{"Not all users have access.", "Some users do not have access."},
		{"It is a non-profit organization.", "It is a nonprofit organization."},
	} {
		if got := one(t, c[0], c[1]).Segment; len(got.Contradicted) > 0 {
			t.Errorf("%q against %q: %s", c[0], c[1], got.Contradicted[0].Reason)
		}
	}
	for _, c := range [][2]string{
		{"The bill passed in the Senate.", "The bill failed to pass in the Senate."},
		{"The bank paid the sum.", "The bank refused to pay the sum."},
		{"The drug was approved in Europe.", "The drug was not approved in Europe."},
	} {
		if got := one(t, c[0], c[1]).Segment; len(got.Contradicted) == 0 {
			t.Errorf("%q against %q: not named", c[0], c[1])
		}
	}
}

// TestWordForWord: only what is written in the source so is called a quotation.
func TestWordForWord(t *testing.T) {
	quoted := func(f ibid.Finding) bool {
		said := slices.ContainsFunc(f.Segment.Reasons, func(r string) bool { return strings.Contains(r, "word for word") })
		ranked := slices.ContainsFunc(f.Attributions, func(a ibid.Attribution) bool { return a.Trust == ibid.Quoted })
		if said != ranked {
			t.Errorf("reasons %q, quoted %v", f.Segment.Reasons, ranked)
		}
		return ranked
	}
	for _, c := range [][2]string{
		{"The cable failed after three weeks.", "In truth, the cable failed after three weeks."},
		{"It cost 1,200 pounds, they said.", "It cost 1200 pounds they said."},
		{"Søren lives in Łódź and works there.", "Søren lives in Łódź and works there."},
	} {
		if !quoted(one(t, c[0], c[1])) {
			t.Errorf("%q is not found in %q", c[0], c[1])
		}
	}
	for _, c := range [][2]string{
		{"The temperature at noon was -5 °C.", "The temperature at noon was 5 °C."},
		{"The condition is x > 5 for all.", "The condition is x < 5 for all."},
		{"The server is written in C.", "The server is written in C++."},
		{"The tool needs version 2.10 or newer.", "The tool needs version 2.1 or newer."},
		{"The code of the door is 007.", "The code of the door is 7."},
		{"Paris is the capital of Germany.", "Paris is the capital of France. Berlin is the capital of Germany."},
	} {
		if quoted(one(t, c[0], c[1])) {
			t.Errorf("%q is a quotation of %q", c[0], c[1])
		}
	}
}

// TestOtherLettersHideNothing: letters with marks and other scripts are what they are.
func TestOtherLettersHideNothing(t *testing.T) {
	for _, s := range []string{"Søren lives in Łódź.", "Die Straße ist lang.", "Москва большая и старая.", "העיר גדולה מאוד.", "The dose is 5 µg, or ½ of π.", "这座城市很大。"} {
		for _, r := range one(t, s, s).Segment.Reasons {
			if strings.Contains(r, "look-alike") {
				t.Errorf("%q: %s", s, r)
			}
		}
	}
}

// TestClaimedSourceNeedSayOnlyItsClause: a source that the writer cites for a part of a sentence is cited if it says that part.
func TestClaimedSourceNeedSayOnlyItsClause(t *testing.T) {
	ps := []ibid.Passage{passage(1, "Aspirin thins the blood."), passage(2, "Ibuprofen is easier on the stomach than aspirin."), passage(3, "Aspirin is sold in pharmacies.")}
	d := draft("Aspirin thins the blood, but ibuprofen is easier on the stomach.")
	d.Claimed = &ibid.Claimed{Refs: []int{1, 2, 3}}
	for f, err := range New(Config{}).Attribute(t.Context(), ps, func(yield func(ibid.Draft, error) bool) { yield(d, nil) }) {
		if err != nil {
			t.Fatal(err)
		}
		if slices.Sort(f.Segment.Refs); !slices.Equal(f.Segment.Refs, []int{1, 2}) {
			t.Errorf("cites %v, not 1 and 2: %q", f.Segment.Refs, f.Segment.Reasons)
		}
	}
}

// TestPowersOfUnits: the power of a unit is a word with a place of its own, in whatever digits it is written.
func TestPowersOfUnits(t *testing.T) {
	for _, s := range []string{"km2", "km²", "ｋｍ２"} {
		ts, _ := token.English.Scan("30 "+s, 0, nil)
		if len(ts) != 3 || !ts[1].Kind.Has(token.Unit) || ts[1].At.End != ts[2].At.Start || ts[2].At.Len() == 0 {
			t.Errorf("%q: %v", s, ts)
		}
	}
	beside{"The park covers 30 km².", "The park covers 30 square kilometres.", ""}.check(t)
}

// TestReckonedNumbersAreNotDenied: what is left of a whole, what two amounts differ by where the statement says that it is a difference, and
// averages and totals of many are denied by none of the numbers they are made of; what cannot be made of them is.
func TestReckonedNumbersAreNotDenied(t *testing.T) {
	const (
		pilots  = "Of the 38 pilots 11 came down in a field."
		heat    = "Gas covered 74 percent of the heat."
		farms   = "The number of organic farms was 178 in 2020 and 196 in 2022."
		species = "The list has 198 species, and the list of 2009 had 165."
		nights  = "On the three nights 88 meteors, 91 meteors and 87 meteors were counted."
	)
	for _, b := range []beside{
		{"Of the 38 pilots 27 came home.", pilots, ""},
		{"Of the 38 pilots 26 came home.", pilots, "number"},
		{"Coal covered 26 percent of the heat.", heat, ""},
		{"Coal covered 27 percent of the heat.", heat, "number"},
		{"The number of organic farms grew by 18.", farms, ""},
		{"The number of organic farms grew by 19.", farms, "number"},
		{"The number of organic farms was 18.", farms, "number"},
		{"The list is 33 species longer than that of 2009.", species, ""},
		{"The list is 34 species longer than that of 2009.", species, "number"},
		{"The rides were 14 km long on average.", "The six rides were 84 km long.", ""},
		{"The rides were 14 km long on average.", "The six rides were 84 km long on average.", "number"},
		{"The rides were 14 km long.", "The six rides were 84 km long.", "number"},
		{"In total, 266 meteors were counted.", nights, ""},
		{"On one night 266 meteors were counted.", nights, "number"},
		{"In total, 266 meteors were counted.", "In total, 88 meteors were counted.", "number"},
		{"Meteors were counted in all five nights.", "Meteors were counted in four nights by 3 people, 6 people and 9 people.", "number"},
		{"The company had an average load of 79 percent and earned $9.2 million.", "The company had a load of 79 percent and earned $8.2 million.", "number"},
		{"The lake is 12 metres deeper than the pond.", "The lake is 40 metres deep, and the pond is 28 metres deep.", ""},
		{"At night the toll is 80 cents lower.", "The toll is 270 cents by day and 190 cents at night.", ""},
		{"The team won 5 games.", "The team won 3 games and 0 games.", "number"},
		{"In total, 90 meteors were counted.", "Within 3 hours, 4 hours and 5 hours 88 meteors were counted.", "number"},
		{"Stavik led after 500 metres and came in third.", "Stavik led after 500 metres and came in second with 0 points.", "number"},
		{"Five people were treated for bruises.", "Four passengers and one guard were treated for bruises.", ""},
		{"Six people were treated for bruises.", "Four passengers and one guard were treated for bruises.", "number"},
		{"Nine seconds between flash and thunder mean three kilometres.", "The sound of thunder behind the flash takes 3 seconds per kilometre.", ""},
	} {
		b.check(t)
	}
}

// TestPowersAndFractionsAreCompared: a number in the notation of science or of TeX is the number that it writes.
func TestPowersAndFractionsAreCompared(t *testing.T) {
	for _, c := range []beside{
		{"The mass is 320,000 kg.", `The mass is $3.2\times10^5$ kg.`, ""},
		{"The mass is 32,000 kg.", `The mass is $3.2\times10^5$ kg.`, "number"},
		{"The chance is a half of that.", `The chance is \frac12 of that.`, ""},
	} {
		c.check(t)
	}
}
