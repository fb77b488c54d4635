package attribute

import (
	"testing"

	"github.com/ibid-dev/ibid"
)

// TestClosingTimesAreNoOpposites: what closes at six is open until six; a time makes of both words the end of the same hours.
func TestClosingTimesAreNoOpposites(t *testing.T) {
	for _, b := range []beside{
		{"The museum closes at 6 pm.", "The museum is open daily from 10 am until 6 pm.", ""},
		{"The museum closes at 6 in the evening.", "The museum is open until 6 pm.", ""},
		{"The museum at the harbour stays open until 6 pm.", "The museum at the harbour closes at 6 pm.", ""},
		{"It closes at 8 PM on Fridays and at 2 PM on the other days.", `{"name": "Fern Cafe", "hours": {"Monday": "7:0-14:0", "Tuesday": "7:0-14:0", "Friday": "7:0-20:0"}}`, ""},
		{"The museum at the harbour is closed to visitors.", "The museum at the harbour is open to visitors.", "comparative"},
		{"The valve at the inlet closes when the pump starts.", "The valve at the inlet opens when the pump starts.", "comparative"},
	} {
		b.check(t)
	}
}

// TestWhatNeedNotWorry: who is told not to worry about something, or not to forget it, is told that it is there.
func TestWhatNeedNotWorry(t *testing.T) {
	for _, b := range []beside{
		{"Don't worry about swelling, which is common after the operation.", "Swelling is common after the operation and usually goes away by itself.", ""},
		{"Don't be alarmed if a lump forms along the bone.", "While the bone is healing, a lump may form along the bone.", ""},
		{"Do not be surprised that the dough is sticky at first.", "The dough is sticky at first and becomes smooth as you knead it.", ""},
		{"Don't forget to salt the water before the pasta goes in.", "Salt the water before the pasta goes in.", ""},
		{"Do not salt the water before the pasta goes in.", "Salt the water before the pasta goes in.", "negation"},
		{"The dough is not sticky at first.", "The dough is sticky at first and becomes smooth as you knead it.", "negation"},
	} {
		b.check(t)
	}
}

// TestAFewOfAnotherUnit: a few weeks are not a few days, nor are several; how many a few are is no number that differs.
func TestAFewOfAnotherUnit(t *testing.T) {
	for _, b := range []beside{
		{"Kittens begin to purr at the age of a few weeks.", "Kittens begin to purr when they are a few days old.", "unit"},
		{"The rash goes away within several weeks.", "The rash goes away within several days.", "unit"},
		{"The rash goes away within a couple of weeks.", "The rash goes away within a couple of days.", "unit"},
		{"The rash goes away within several weeks.", "The rash goes away within a few weeks.", ""},
		{"The rash goes away within a few weeks, and the fever within a few days.", "The fever goes away within a few days, and the rash within a few weeks.", ""},
		{"The rash goes away within a few weeks.", "The rash goes away within a few weeks, the itching after a few days.", ""},
		{"After a few days the rash spreads.", "The rash spreads after a few days and goes away after a few weeks.", ""},
		{"The rash lasts a few weeks.", "Apply the cream for a few days. Untreated, the rash lasts 20 days.", ""},
	} {
		b.check(t)
	}
}

// TestLabelsOfDataAreNoNames: the name of a field is not said in place of a name. A language is that of its code.
func TestLabelsOfDataAreNoNames(t *testing.T) {
	const podcast = `{"title": "Tide Tables", "host": "Orla Finnegan", "genre": ["science", "sea"], "language": "%"}`
	for _, b := range []beside{
		{"Tide Tables is a British podcast hosted by Orla Finnegan.", podcast, ""},
		{"Tide Tables is an English-language podcast about science and the sea that is hosted by Orla Finnegan.", `{"title": "Tide Tables", "host": "Orla Finnegan", "genre": ["science", "sea"], "language": "en"}`, ""},
		{"Tide Tables is hosted by Nora Finnegan.", podcast, "name"},
	} {
		b.check(t)
	}
}

// TestNotBeyondABound: what is not kept above eight degrees is kept, and who is under twelve is eleven at the most.
func TestNotBeyondABound(t *testing.T) {
	for _, b := range []beside{
		{"Do not store the vaccine above 8 °C.", "Store the vaccine at 2 to 8 °C.", ""},
		{"Do not drive the car over 90 km/h with the roof box.", "Drive the car at 90 km/h at most with the roof box.", ""},
		{"Do not store the vaccine above the sink.", "Store the vaccine above the sink.", "negation"},
		{"Do not store the vaccine above 10 °C.", "Store the vaccine at 2 to 8 °C.", "number"},
		{"Children up to 11 travel free.", "Children under 12 travel free.", ""},
		{"Children under 12 travel free.", "Children up to 11 travel free.", ""},
		{"Guests over 64 pay half.", "Guests of at least 65 pay half.", ""},
		{"Children up to 10 travel free.", "Children under 12 travel free.", "number"},
	} {
		b.check(t)
	}
}

// TestNumbersInTurn: of numbers that a sentence gives to several things in turn, each is of its own.
func TestNumbersInTurn(t *testing.T) {
	const limits, sales = "The speed limit is 50 km/h in towns and 100 km/h in the country.", "Sales were 1.5 million in 2020 and 1.8 million in 2021."
	const fares = "A day ticket is $25 for adults, $15 for children and $18 for students."
	for _, b := range []beside{
		{"In towns, the speed limit is 100 km/h.", limits, "exchange"},
		{"In towns, the speed limit is 50 km/h.", limits, ""},
		{"The speed limit is 50 km/h in the country.", limits, "exchange"},
		{"In towns the speed limit is 50 km/h, in the country 100 km/h.", limits, ""},
		{"The speed limit is 50 km/h higher in the country than in towns.", limits, ""},
		{"Sales were 1.8 million in 2020.", sales, "exchange"},
		{"Sales were 1.8 million in 2021.", sales, ""},
		{"Sales, 1.5 million in 2020, went on growing.", sales, ""},
		{"Children pay $18 for a day ticket.", fares, "exchange"},
		{"Children pay $15 for a day ticket, which is $10 less.", fares, ""},
		{"Two children pay $30 for day tickets.", fares, ""},
		{"A day ticket for students costs $18.", fares, ""},
		{"A day ticket for students is not $15.", fares, ""},
		{"A day ticket for students is $18.", fares + " On Sundays it is $15 for students.", ""},
		{"A day ticket for students is $15 on Sundays.", fares + " On Sundays a day ticket for students is $15.", ""},
	} {
		b.check(t)
	}
}

// TestTimesOfData: a time of the day that data gives to what the segment names is reckoned from nothing, so that no judge overrules it.
func TestTimesOfData(t *testing.T) {
	const hotel = `{"name": "Pension Seeblick", "check_in_from": "14:00", "check_out_until": "10:30", "breakfast_until": "10:00"}`
	for segment, denied := range map[string]bool{
		"Guests can check in from 2 pm and have to check out by 11:30 am.": true,
		"Guests can check in from 2 pm and have to check out by 10:30 am.": false,
		"Check in is from 3 pm, and check out until 10:30 am.":             true,
		"Guests who arrive at 11:30 am can leave their bags.":              false,
	} {
		for f, err := range New(Config{Judge: saying{0.98, new([]ibid.Pair), nil}}).Attribute(t.Context(), []ibid.Passage{passage(1, hotel)}, each(draft(segment))) {
			if s := f.Segment; err != nil || len(s.Contradicted) > 0 != denied || denied && s.Support >= 0.5 {
				t.Errorf("%q: support %v, contradicted %v: %v", segment, s.Support, s.Contradicted, err)
			}
		}
	}
}

// TestSayingIsNoOpposite: "said" may mean the same, but what is said is not what another is.
func TestSayingIsNoOpposite(t *testing.T) {
	for _, b := range []beside{
		{"The guide says sushi made with raw fish is usually fine.", "It's usually fine to eat sushi and other dishes made with raw fish.", ""},
		{"The very dishes made with raw fish are usually fine.", "It's usually fine to eat other dishes made with raw fish.", ""},
	} {
		b.check(t)
	}
}

// TestMinutesAndSeconds: the seconds of minutes and seconds are compared with these, and of times in a row each is counted in the unit behind the last.
func TestMinutesAndSeconds(t *testing.T) {
	for _, b := range []beside{
		{"The song is four minutes and five seconds long.", "The song is 4:05 minutes long and was recorded in 5 hours.", ""},
		{"The group gained 1 minute and 48 seconds.", "The groups gained 1:48, 2:05 and 0:31 minutes. Leave 48 hours between sessions.", ""},
		{"The song is five seconds long.", "The song is 5 hours long.", "unit"},
	} {
		b.check(t)
	}
}
