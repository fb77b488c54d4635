package attribute

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// beside is a segment beside a source, and the kind of contradiction that is to be named, "" for none.
type beside struct{ segment, source, kind string }

func (b beside) check(t *testing.T) {
	t.Helper()
	var kinds, reasons []string
	for _, c := range one(t, b.segment, b.source).Segment.Contradicted {
		kinds, reasons = append(kinds, c.Kind), append(reasons, c.Reason)
	}
	if got := strings.Join(kinds, ", "); got != b.kind {
		t.Errorf("%q beside %q: contradicted by %q, not %q: %q", b.segment, b.source, got, b.kind, reasons)
	}
}

// TestASentenceDeniesWhatItTells: a word that a source denies, turns round or replaces while it speaks of something else says
// nothing against the segment.
func TestASentenceDeniesWhatItTells(t *testing.T) {
	for _, b := range []beside{
		{"PayPal is an online payment system that lets users send money to friends and shops.",
			"With PayPal users send money online to friends and shops. No system is free of risk, and data leaks happen.", ""},
		{"A stone of calcium and other minerals that blocks the duct of a gland is known as a salivary stone.",
			"Salivary stones block the duct of a gland and mostly contain calcium and other minerals. The exact cause is not known.", ""},
		{"Aid plays a part in short-term relief, but too much of it weakens the economy of a community and makes it depend on donors.",
			"Losses are limited by long-term planning. Aid weakens the economy of a community and makes it depend on donors if there is too much of it.", ""},
		{"Visitors of the Tate see 46 paintings on the lower floor, down from 48 in spring.",
			"The show moved there after the Great Flood. Visitors see 46 paintings on the lower floor, and saw 48 in spring.", ""},
		{"The agent listed policies for cars and homes at fair prices, and said that there was no quick quote tool.",
			"The agent listed policies for cars. He said the prices for homes were fair. There was a quick quote tool, the agent said.", "negation"},
		{"The old house near the harbour was sold by Falk in the rain.", "Stolz wept in the rain. The old house near the harbour was sold.", ""},
		{"The Kestrel Bridge carries no trams.", "The Kestrel Bridge opened in 1990. It carries trams.", "negation"},
		{"PayPal is a safe payment system.", "PayPal is not a safe payment system.", "negation"},
		{"The duct is known to be blocked.", "The duct is not known to be blocked.", "negation"},
		{"Hana Rahm designed the ferry terminal.", "It opened in 1990. Oda Krogh designed the ferry terminal.", "name"},
	} {
		b.check(t)
	}
}

// TestSharesOfTheSame: another share of the same thing is named, in words or as a percentage; a share of something else is not.
func TestSharesOfTheSame(t *testing.T) {
	for _, b := range []beside{
		{"Llamas served as pack animals in the Andes and can carry about a third of their weight.", "People of the Andes used llamas as pack animals, and a llama can carry about a quarter of its body weight for 8 km.", "number"},
		{"Half of the voters stayed at home.", "A third of the voters stayed at home.", "number"},
		{"Half of the voters stayed at home.", "About 30% of the voters stayed at home.", "number"},
		{"Two thirds of the voters of the town came early.", "Three quarters of the voters of the town came early.", "number"},
		{"Most of the voters stayed at home.", "30% of the voters stayed at home.", "quantifier"},

		{"Nearly half of the voters stayed at home.", "48% of the voters stayed at home.", ""},
		{"A quarter of the voters stayed at home.", "25 percent of the voters stayed at home.", ""},
		{"A third of the voters stayed at home.", "33% of the voters stayed at home.", ""},
		{"Half of the eggs hatched.", "A quarter of the eggs were eaten and half of them hatched.", ""},
		{"Two thirds of the voters came, three quarters of them women.", "Two thirds of the voters came, and three quarters of the voters were women.", ""},
		{"Two thirds of the voters stayed at home.", "A third of the voters left their homes.", ""},
		{"Most of the voters stayed at home.", "Two thirds of the voters stayed at home.", ""},
	} {
		b.check(t)
	}
}

// TestRatesOfTheSame: the same amount for another span of time is another rate.
func TestRatesOfTheSame(t *testing.T) {
	for _, b := range []beside{
		{"The bond costs about $50 a year.", "The bond costs about $50 for four years.", "number"},
		{"The bond costs $50 a month in Texas.", "The bond costs $50 a year in Texas.", "number"},

		{"The bond costs $50 a year.", "The bond costs $50 for 12 months.", ""},
		{"The bond costs $50 a year.", "The bond costs $50 annually.", ""},
		{"The bond costs $600 a year.", "The bond costs $50 a month.", ""},
		{"The bond costs $50 a year.", "The bond costs $50 for the notary.", ""},
		{"The bond costs $50 a year.", "The bond costs $50 a year or $90 for two years.", ""},
		{"They walk 5 miles a day.", "They walk 5 miles every day for two weeks.", ""},
	} {
		b.check(t)
	}
}

// TestDaysInShort: a day is the same day in short, beside others; alone it may be a star or a verb.
func TestDaysInShort(t *testing.T) {
	for _, b := range []beside{
		{"Run on Tuesdays, Thursdays and Saturdays.", "Week plan: run Tue, Thu, Sat; walk 30-60 min Sunday.", ""},
		{"Run on Tuesdays, Fridays and Saturdays.", "Week plan: run Tue, Thu, Sat on the track.", "date"},
		{"The club meets on Mondays and Fridays in the hall.", "The club meets Mon & Fri in the hall.", ""},
	} {
		b.check(t)
	}
	words := func(s string) []string {
		var out []string
		ts, _ := token.English.Scan(s, 0, nil)
		for _, tok := range ts {
			out = append(out, tok.Key)
		}
		return out
	}
	if got := words("The Sun rose while Mon Petit sat there, Wed to nobody."); slices.ContainsFunc(got, func(w string) bool { return token.Weekday(w) >= 0 }) {
		t.Errorf("no day: %q", got)
	}
}

// TestADenialIsOfTheSameWord: what a source denies of a word is not denied of its synonyms.
func TestADenialIsOfTheSameWord(t *testing.T) {
	beside{"The ice cubes turn white as the water in the tray freezes.", "The water in the tray where the ice cubes freeze is not pure.", ""}.check(t)
	beside{"The cave has a store of ice.", "The cave has no store of ice.", "negation"}.check(t)
}

// TestNotIsTheOppositeOfNoWord: negations and other small words are no opposites of the small words of a segment; of "all" a
// "no" before the same word is.
func TestNotIsTheOppositeOfNoWord(t *testing.T) {
	for _, b := range []beside{
		{"The fish have ways of knowing each other that humans don't quite grasp.", "The fish have their ways of knowing each other that humans don't quite grasp.", ""},
		{"It is a defensive reflex and not the result of any physical sensation.", "It may be a defensive reflex and not the result of any physical sensation.", ""},
		{"The board is under the same legal duty as banks and other firms.", "The board is under the same legal duty as other banks and firms are.", ""},
		{"All samples contained mercury.", "No samples contained mercury.", "comparative, negation"},
	} {
		b.check(t)
	}
}

// TestNamesOfShortSentences: a name is most of the weight of a short sentence, and all the rest may agree.
func TestNamesOfShortSentences(t *testing.T) {
	beside{"Peter Falk was the judge in the case.", "The judge in the case was Miriam Stolz.", "name"}.check(t)
	beside{"Peter Falk was the judge in the case.", "The judge in the case was Peter Falk.", ""}.check(t)
	beside{"Peter Falk likes herring and rye.", "The judge in the case was Miriam Stolz, who likes tea.", ""}.check(t)
	beside{"Lumen was released in the Northern Isles in 1982.", "Released in 1982 it reached Number 6 on the Harland singles chart.", ""}.check(t)
}

// TestCodesOfOneForm: a code that no source has is denied by one of its form, as a number is, whatever a judge reads.
func TestCodesOfOneForm(t *testing.T) {
	const flight = `{"flight": "LH400", "gate": "G97"}`
	for _, b := range []beside{
		{"Flight LH400 leaves from gate G79.", flight, "number"},
		{"Flight LH400 leaves from gate G79.", "Flight LH400 leaves from gate G97.", "number"},
		{"Flight LH400 leaves from gate G97.", flight, ""},
		{"Flight LH400 leaves from gate Romeo.", "Flight LH400 leaves from gate G97.", "name"},
	} {
		b.check(t)
	}
}

// TestNumbersOfShortSentences: another number is found where it is most of what a short sentence says, and not where the rest
// says otherwise.
func TestNumbersOfShortSentences(t *testing.T) {
	beside{"It was built in 1890.", "The tower is 300 metres tall. It was built in 1889.", "date"}.check(t)
	beside{"It was painted in 1890.", "The tower is 300 metres tall. It was built in 1889.", ""}.check(t)
}

// TestDenialsInOtherWords: free of charge is no charge, and what leaves a thing open denies nothing.
func TestDenialsInOtherWords(t *testing.T) {
	for _, b := range []beside{
		{"Members use the gym free of charge.", "There is no charge for members to use the gym.", ""},
		{"There is no charge for members to use the gym.", "Members use the gym free of charge.", ""},
		{"The broken line left 1,250 households without power.", "The broken line made 1,250 households lose power.", ""},
		{"Europe might not return to the old order.", "Europe is unlikely to return to the old order.", ""},
		{"The police consider a murder.", "The police are not ruling out a murder.", ""},
		{"The police consider a murder.", "A murder cannot be ruled out by the police.", ""},
		{"Set honey is safe to eat.", "That it set does not mean that the honey has spoiled; it is safe to eat.", ""},
		{"The method carries a risk.", "The method is not without risk.", ""},
		{"The food may be left out for two hours at most.", "The food should not be left out for more than two hours.", ""},
		{"The food may be left out for more than two hours.", "The food should not be left out for more than two hours.", "negation"},
		{"The policy does not exclude floods.", "The policy excludes floods.", "negation"},
		{"Police ruled out murder.", "Police have not ruled out murder.", "negation"},
		{"Much of the value they add helps the town.", "Much if not most of the value they add helps the town.", ""},
		{"He was married in community of property.", "She should find out whether or not he was married in community of property.", ""},
		{"The sea takes a few months to wash the island away.", "The sea takes no more than a few months to wash the island away.", ""},
		{"The novel came fifteenth on the list of the library.", "The novel came as No. 15 on the list of the library.", ""},
		{"A taxi costs 52 dollars, not including tolls.", "A taxi costs 52 dollars plus tolls.", ""},
		{"The guest gets half of the price, not including fees.", "The guest gets half of the price, except fees.", ""},
		{"Avoid fish that are high in mercury such as shark, swordfish, mackerel and tilefish.", "Do not eat shark, swordfish, mackerel, or tilefish because they contain high levels of mercury. Tuna should be avoided as well.", ""},
		{"Do not eat shark, swordfish, mackerel, or tilefish because they contain mercury.", "Avoid what contains mercury to eat, that is fish such as shark, swordfish, mackerel and tilefish.", ""},
		{"A notice is served if rent is unpaid.", "A notice to pay is served if the tenant has not paid rent.", ""},
		{"You can walk without crutches after a month.", "You can walk w/o crutches after a month.", ""},
		{"Decaf coffee contains caffeine.", "Decaf coffee isn't caffeine free.", ""},
		{"Wait until the grass is long, and mow it.", "Don't mow until the grass is long.", ""},
		{"Eating well and not smoking bring the pressure down.", "To bring the pressure down, eat well and quit smoking.", ""},
		{"Salt keeps the flour from clumping in the jar.", "With salt in the jar the flour does not clump.", ""},
		{"Use hot water for the tea.", "Use hot (not boiling) water for the tea.", ""},
		{"Fill out the form, but do not sign it.", "Fill out the form and bring it unsigned to the post office.", ""},
		{"Cool nights give red leaves.", "Cool but not freezing nights give red leaves.", ""},
		{"Freezing nights give red leaves.", "Cool but not freezing nights give red leaves.", "negation"},
		{"Sheds may cover no more than half of the land.", "Sheds must not cover more than half of the land.", ""},
		{"Change the oil yearly if you hardly drive.", "If you drive little, change the oil yearly.", ""},
		{"Change the oil yearly if you do not drive.", "If you drive, change the oil yearly.", "negation"},
		{"The damage is permanent.", "Not all damage heals, and that of the lungs is permanent.", ""},
		{"All damage heals.", "Not all damage heals.", "negation"},
		{"Keep milk out of the door of the fridge.", "Milk should not be kept in the door of the fridge.", ""},
		{"Keep milk in the door of the fridge.", "Milk should not be kept in the door of the fridge.", "negation"},
		{"Use hot water for the tea.", "Use water that is not hot for the tea.", "negation"},
		{"Members use the gym.", "Members do not use the gym.", "negation"},
		{"The vaccine does not prevent infection.", "The vaccine prevents infection.", "negation"},
		{"The vaccine prevents infection.", "The vaccine does not prevent infection.", "negation"},
		{"The firm did not lose money in May.", "The firm lost money in May.", "negation"},
		{"No members of the club use the gym.", "Members of the club use the gym.", "negation"},
		{"There is no charge for members to use the gym.", "There is a charge for members to use the gym.", "negation"},
	} {
		b.check(t)
	}
}

// TestWhatIsNoOpposite: what is let stand is let sit, and the lowest shelf is not the opposite of a good one.
func TestWhatIsNoOpposite(t *testing.T) {
	for _, b := range []beside{
		{"Boil the water and let it sit for an hour.", "Boil the water and let it stand for an hour.", ""},
		{"Store raw meat on the lowest shelf.", "The bottom shelf is good for raw meat.", ""},
		{"The shelf was bad for raw meat.", "The shelf was good for raw meat.", "comparative"},
		{"Some nail holes after years count as wear.", "A few nail holes after years count as wear.", ""},
		{"The cap is 150 bridges for each inspector.", "It asks that no inspector be given more than 150 bridges.", ""},
		{"The fund pays for the floor, less an excess of 350.", "The fund pays for the floor with an excess of 350 unless the tap was left open.", ""},
		{"Paid leave is open to staff.", "Unpaid leave is open to staff.", "comparative"},
	} {
		b.check(t)
	}
}

// TestSmallWordsOfDirection: up and down, on and off, left and right say the opposite of each other behind the same word, unless one side
// has both.
func TestSmallWordsOfDirection(t *testing.T) {
	for _, b := range []beside{
		{"Turn the heat down after five minutes.", "Turn the heat up after five minutes.", "exchange"},
		{"Hold Volume Down and Power.", "Hold Volume Up + Power.", "exchange"},
		{"Leave the lamp off over night.", "Leave the lamp on over night.", "exchange"},
		{"Turn the heat down after five minutes.", "Turn the heat up, and turn the heat down after five minutes.", ""},
		{"The input needs a pull-up or pull-down resistor.", "The input needs a pull-up resistor.", ""},
		{"The film is based off of a story.", "The film is based on a story.", ""},
		{"The firm took down the photo of the lamp.", "The firm set up the photo of the lamp.", ""},
		{"The Gobi is smaller than the Sahara.", "The Sahara and the Gobi are large deserts.", ""},
		{"The bus is slower than the train.", "The bus to the train is the fastest way.", "comparative"},
		{"The lamps need less power than CPUs.", "The lamps need less power than a CPU.", ""},
		{"Going up takes five hours and coming down the ash slope two.", "Going down on the ash slope takes two hours.", ""},
		{"Going up on the ash slope takes two hours.", "Going down on the ash slope takes two hours.", "exchange"},
	} {
		b.check(t)
	}
}

// TestClosedOnAnotherDay: a day on which something is closed is none of those that a source names.
func TestClosedOnAnotherDay(t *testing.T) {
	beside{"The shop opens at nine on weekdays and is closed on Sundays.", "The shop opens at nine on weekdays and at ten on Saturdays.", ""}.check(t)
	beside{"The shop opens on Sundays.", "The shop opens on Fridays.", "date"}.check(t)
	beside{"The shop is closed on Sundays.", "The shop is closed on Fridays.", "date"}.check(t)
}

// TestBothSidesOfADenial: who speaks of a thing and of its contrary denies neither, and "non" denies the word that it is part of.
func TestBothSidesOfADenial(t *testing.T) {
	for _, b := range []beside{
		{"The heart of a runner beats slower than that of a non-runner.", "Training makes the heart of a runner beat slower.", ""},
		{"The tax applies to inherited land.", "The tax does not apply to your home but applies to land and inherited goods.", ""},
		{"Patients learn mindfulness by describing thoughts.", "Patients learn by describing thoughts in non-judging mindfulness.", ""},
		{"The doctor is called if the child is unconscious or not breathing.", "The doctor is called if the child is not breathing.", ""},
		{"You don't need an agreement unless you load more than 500 files.", "Requests to load more than 500 files need an agreement.", ""},
		{"Requests to load more than 500 files need an agreement.", "Requests to load more than 500 files don't need an agreement unless they are from abroad.", ""},
		{"You don't need an agreement to load more than 500 files.", "Requests to load more than 500 files need an agreement.", "negation"},
		{"The tax applies to inherited land.", "The tax does not apply to inherited land.", "negation"},
		{"The museum opens on Mondays and has 40 rooms with paintings.", "The museum does not open on Mondays. Until May the museum has 40 rooms with paintings.", "negation"},
		{"She only writes non-fiction.", "She only writes fiction.", "negation"},
	} {
		b.check(t)
	}
}

// TestNamesInTheirPlace: one who reports stands in no place of the fact itself, letters in brackets are short for what stands
// before them, and initials may be set apart.
func TestNamesInTheirPlace(t *testing.T) {
	for _, b := range []beside{
		{"The diver will pay a fine of 500 dollars, according to USA Today.", "The diver will pay a fine of 500 dollars at Key West.", ""},
		{"The diver will pay a fine of 500 dollars, according to the Guardian.", "The diver will pay a fine of 500 dollars at Key West.", ""},
		{"The diver will pay a fine of 500 dollars, said Krogh.", "The diver will pay a fine of 500 dollars at Key West.", ""},
		{"The diver will pay a fine of 500 dollars, per Reuters.", "The diver will pay a fine of 500 dollars at Key West.", ""},
		{"WISN reports that the lawyers want jurors from another county.", "The lawyers of Geyser want jurors from another county.", ""},
		{"The size of the heart is given as cardiothoracic ratio (CTR) on a chest film.", "The size of the heart is given as cardiothoracic ratio on a chest film by Danzer.", ""},
		{"The largest customer (IBM) pays in advance.", "The largest customer (SAP) pays in advance.", "name"},
		{"The song was sung by B.J. Thomas.", "The song was sung by B. J. Thomas.", ""},
		{"The book was written by Émile Zola.", "The book was written by É. Zola.", ""},
		{"The book was written by Jacob Zola.", "The book was written by B. Zola.", "name"},
		{"MCQs are used for daily tests.", "For daily tests Multiple Choice Questions are used.", ""},
		{"According to Reuters the strike ended at noon.", "According to Bloomberg the strike ended at noon.", "name"},
		{"The song was sung by B.J. Thomas.", "The song was sung by C. K. Thomas.", "name"},
	} {
		b.check(t)
	}
}

// TestAPeopleIsDeniedByAnother: of the names in a source the one that denies a people is a people.
func TestAPeopleIsDeniedByAnother(t *testing.T) {
	got := one(t, "Justine Bateman is a German.", "Justine Tanya Bateman (born February 19, 1966) is an American actress.").Segment.Contradicted
	if len(got) != 1 || got[0].Reason != `says "German", the source says "American"` {
		t.Errorf("%v", got)
	}
	for _, b := range []beside{
		{"The Austrian composer wrote nine symphonies.", "The composer from Vienna wrote nine symphonies.", ""},
		{"The composer from Vienna wrote nine symphonies.", "The Austrian composer wrote nine symphonies.", ""},
		{"The Austrian composer wrote nine symphonies.", "The composer from Germany wrote nine symphonies.", "name"},
		{"The composer from Germany wrote nine symphonies.", "The Austrian composer wrote nine symphonies.", "name"},
	} {
		b.check(t)
	}
}

// TestNumbersOfOtherThings: the day of a date is compared with days of dates, and three feet or dollars are no three years.
func TestNumbersOfOtherThings(t *testing.T) {
	for _, b := range []beside{
		{"The game is played at Atlanta on Feb. 3.", "Maroon 5 played at the game in Atlanta.", ""},
		{"The count had two brothers in Leri.", "The count (10 August 1810 to 1861) had brothers in Leri.", ""},
		{"A 3-year-old child fell from a high chair.", "A child fell from a high chair of 3 feet.", ""},
		{"The cover is $3 on Wednesdays.", "On Saturday there is a three hour limit that nobody tells you about. The cover is half on Wednesdays.", ""},
		{"The ticket costs $3.", "The ticket costs 3 euros.", "unit"},
		{"The game is played at Atlanta on Feb. 3, 2019.", "The game is played at Atlanta on Feb. 9, 2019.", "number"},
		{"The count had two brothers in Leri.", "The count had five brothers in Leri.", "number"},
		{"The second battery lasts 9 hours.", "The first battery lasts 12 hours. The second battery lasts three hours less.", ""},
		{"The second battery lasts two hours less.", "The second battery lasts three hours less.", "number"},
		{"The new tower is 12 metres taller.", "The old tower was a 19-metre one, and the new tower is 31 metres high.", ""},
		{"The new tower is 12 metres high.", "The old tower was a 19-metre one, and the new tower is 31 metres high.", "number"},
		{"The plate girders saved $3 million.", "With plate girders the bridge cost $8 million rather than $11 million.", ""},
		{"The plate girders saved $4 million.", "With plate girders the bridge cost $8 million rather than $11 million.", "number"},
		{"They roamed the network for more than three weeks before May 19.", "They roamed the network for 23 days before May 19, and ambulances were diverted for three days.", ""},
		{"They roamed the network for more than three weeks before May 19.", "They roamed the network for three days before May 19.", "unit"},
		{"A daily dose of 1000 IU cut falls by 27%.", "A daily dose of 1000 IU cut falls (rate ratio 0.73, 95% CI 0.57 to 0.95).", ""},
		{"A daily dose of 1000 IU cut falls by 27%.", "A daily dose of 1000 IU cut falls by 35%.", "number"},
		{"The battery weighs 30 percent less.", "The battery weighs 20 percent.", "number"},
		{"Stir 400 ml of water and 20 cm of leek into the pot at 90 °C.", "Stir 400 millilitres of water and 20 centimetres of leek into the pot at 90 degrees Celsius.", ""},
		{"Take 5 ml of the syrup twice a day.", "Take 5 mg of the syrup twice a day.", "unit"},
		{"The child fell from 3 metres.", "The child fell from 3 feet.", "unit"},
		{"Who paints the room himself saves several hundred dollars.", "A painter takes 380 dollars, who paints the room himself saves most of it.", ""},
		{"Who paints the room himself saves a couple of hundred dollars.", "A painter takes 380 dollars, who paints the room himself saves most of it.", ""},
		{"Who paints the room himself saves a hundred dollars.", "A painter takes 380 dollars, who paints the room himself saves most of it.", "number"},
		{"Fees apply to orders of more than 10 yards.", "Fees apply to orders under 10 yards.", "number"},
		{"Fees apply to orders of at least $10.", "Fees apply to orders below $10.", "number"},
		{"Fees apply to orders of more than 10 yards.", "Fees apply to orders over 10 yards.", ""},
		{"Fees apply to orders of less than 10 yards.", "Fees apply to orders of no more than 10 yards.", ""},
		{"Fees apply to orders of more than 10 yards.", "Fees apply to orders of 10 yards, but not to those under 10.", ""},
		{"The dog needs a bath every week.", "The dog needs a bath as frequently as once a week.", ""},
		{"It usually takes two to four days to get into ketosis.", "Most people enter ketosis at under 50 grams, some at 20g. It takes 2 to 4 days.", ""},
		{"Rents of two rooms fell slightly, by 0.4%.", "Over the past year, rents of one room increased by 3.1%, while two rooms decreased 0.4 percent.", ""},
		{"Rents of two rooms fell by 0.4 percent.", "Rents of two rooms increased by 0.4 percent.", "comparative"},
		{"The bank cut its rate in June.", "The bank raised its rate in June.", "comparative"},
		{"The moon moves closer to our planet.", "The moon moves away from our planet.", "comparative"},
		{"Three doses of the vaccine are recommended.", "One in 3 people falls ill. The vaccine is recommended for adults in two doses.", "number"},
		{"Three doses of the vaccine are recommended.", "One in 3 people falls ill. The vaccine is recommended for adults in 2 to 3 doses.", ""},
		{"King wrote 7 novels under a pen name.", "King wrote 54 novels, seven of them under a pen name.", ""},
		{"Paul is a two-time winner of gold.", "Paul won two medals of gold, and was first four times.", ""},
		{"Mice usually stay within 30 feet of the nest.", "Mice rarely travel more than 30 feet from the nest.", ""},
		{"Mice usually travel more than 30 feet from the nest.", "Mice rarely travel more than 30 feet from the nest.", "quantifier"},
	} {
		b.check(t)
	}
}

// TestNumbersOfTwoSources: a number that another source gives for the same thing is not denied by the first.
func TestNumbersOfTwoSources(t *testing.T) {
	const first = "The boats took 1,178 people in the sinking of the ship, and 1,500 people died."
	for second, want := range map[string]int{"There were 2,224 people on board when it left.": 0, "The ship cost 2,224 dollars a day to run.": 1} {
		got := one(t, "The ship had 2,224 people on board, and 1,500 people died in the sinking.", first, second).Segment.Contradicted
		if len(got) != want {
			t.Errorf("%q: %v", second, got)
		}
	}
	got := one(t, "A can of cola has 95 mg of caffeine.", "A can of cola has 34 mg of caffeine.", "A cup of coffee has 95 mg.").Segment.Contradicted
	if len(got) != 1 {
		t.Errorf("what another source says of coffee is no excuse: %v", got)
	}
}

// TestWhatIsNotReadIsNotDenied: of a row of numbers without an end the first are compared, and the reasons say so; a number that was
// not read is held against none.
func TestWhatIsNotReadIsNotDenied(t *testing.T) {
	for _, n := range []int{100, 2 * maxWords} {
		var row strings.Builder
		for i := range n {
			fmt.Fprintf(&row, "%d, ", 1000+i)
		}
		text := row.String() + "and so on."
		f := one(t, text, text).Segment
		if len(f.Contradicted) > 0 {
			t.Errorf("%d numbers beside themselves: contradicted %v", n, f.Contradicted[0])
		}
		if said := slices.ContainsFunc(f.Reasons, func(r string) bool { return strings.Contains(r, "were compared") }); said != (n > maxWords) {
			t.Errorf("%d numbers: reasons %q", n, f.Reasons)
		}
	}
}

// TestWordsThatStandOtherwise: a preposition is no particle, a more general word may stand for what it names, and what is reckoned from the
// source's numbers is not denied by them.
func TestWordsThatStandOtherwise(t *testing.T) {
	for _, b := range []beside{
		{"The bureaus take the entry off automatically, so you need not ask.", "The bureaus remove the entry on their own; you need not ask.", ""},
		{"Drivers should keep their foot on the brake and wait.", "Drivers should keep their foot off the brake and wait.", "exchange"},
		{"Turn the heat down before adding the rice.", "Turn the heat up before adding the rice.", "exchange"},
		{"The heart stops when the animal swims, which is why an octopus tires quickly.", "The heart stops when an octopus swims, which is why the animal tires quickly.", ""},
		{"The old mill and the new bridge stand by the river.", "The new mill and the old bridge stand by the river.", "exchange"},
		{"A 12-pound bird takes 36 to 48 minutes in the pot.", "The bird takes 3 to 4 minutes per pound in the pot.", ""},
		{"A 12-pound bird takes 40 to 48 minutes in the pot.", "The bird takes 3 to 4 minutes per pound in the pot.", "number"},
		{"Five tickets for the ferry cost $35.", "Tickets for the ferry cost $7 each.", ""},
		{"Five tickets for the ferry cost $36.", "Tickets for the ferry cost $7 each.", "number"},
		{"The distance of the moon varies by more than 40,000 kilometers.", "The distance of the moon is 363,104 kilometers at perigee and 405,696 kilometers at apogee.", ""},
		{"The distance of the moon varies by more than 50,000 kilometers.", "The distance of the moon is 363,104 kilometers at perigee and 405,696 kilometers at apogee.", "number"},
		{"The towers differ by less than 40 metres in height.", "The towers differ by 60 metres in height, and one has 30 windows.", "number"},
		{"The cable carries 37 gigabits per second of audio.", "The cable carries 37 megabits per second of audio.", "unit"},
		{"The file has a size of 2 GB.", "The file has a size of 2,000 MB.", ""},
		{"Most infants who catch the virus need a stay in hospital.", "One to two percent of infants who catch the virus need a stay in hospital.", "quantifier"},
		{"Most infants who catch the virus need a stay in hospital.", "About 72 percent of infants who catch the virus need a stay in hospital.", ""},
		{"Few of the infants who catch the virus need a stay in hospital.", "About 72 percent of the infants who catch the virus need a stay in hospital.", "quantifier"},
		{"Landlords may deduct for damage, including normal wear and tear.", "Landlords may deduct for damage beyond normal wear and tear.", "exchange"},
		{"A taxi costs 52 dollars including tolls.", "A taxi costs 52 dollars plus tolls.", "exchange"},
		{"A taxi costs 52 dollars, not including tolls.", "A taxi costs 52 dollars excluding tolls.", ""},
		{"She won many prizes including nine Grammys.", "She won an Oscar plus nine Grammys.", ""},
	} {
		b.check(t)
	}
}

// TestDenialsThatComeToTheSame: what is denied within a bound may be said beyond it, of the rest where others are counted, or by a verb.
func TestDenialsThatComeToTheSame(t *testing.T) {
	for _, c := range []beside{
		{"You do not need a visa for stays of up to 90 days.", "A visa is needed for stays of more than 90 days.", ""},
		{"The pain does not usually last longer than two weeks.", "The pain usually lasts two weeks at most.", ""},
		{"Only 3 of the 40 testers failed to finish.", "Of the 40 testers 37 managed to finish.", ""},
		{"Set the timeout to 0 to disable it.", "With a timeout of 0 there is no timeout.", ""},

		{"You need a visa for stays of up to 90 days.", "A visa is needed for stays of more than 90 days.", "number"},
		{"The drops work in under 90 percent of all cases.", "The drops work in more than 90 percent of all cases, with no harm to the eye.", "number"},
		{"The milk does not keep for longer than two weeks.", "The milk keeps for longer than two weeks.", "negation"},
		{"Only 5 of the 40 testers failed to finish.", "Of the 40 testers 37 managed to finish.", "number, negation"},
		{"Set the timeout to 0.", "There is no timeout to set to 0.", "negation"},
	} {
		c.check(t)
	}
}

// TestDenialsInTheOthersWords: what a side denies may be what the other says by an opposite, an exception, a contrast or what was before.
func TestDenialsInTheOthersWords(t *testing.T) {
	for _, b := range []beside{
		{"Lentils contain no gluten.", "Lentils are gluten-free and low in fat.", ""},
		{"Admission is free on Sundays.", "There is no admission fee on Sundays.", ""},
		{"The release drops support for Python 3.8.", "Python 3.8 is no longer supported by the release.", ""},
		{"Do not open the oven during the first 15 minutes.", "Keep the oven door shut for the first 15 minutes.", ""},
		{"No notice is needed in an emergency.", "The tenant needs notice, except in an emergency.", ""},
		{"The tenant needs notice, except in an emergency.", "No notice is needed in an emergency.", ""},
		{"Hart is the first woman to hold the seat.", "No woman had held the seat before Hart.", ""},
		{"Lake Sorel is large but not as deep as Lake Tarn.", "Lake Sorel is large and has a depth of 84 m, Lake Tarn one of 131 m.", ""},
		{"The fern should not stand in direct sun but in bright shade.", "Bright shade suits the fern best; direct sun burns it.", ""},
		{"The bridge was designed by Nora Feld, not by her husband.", "The bridge was designed by Nora Feld; her husband built the piers.", ""},
		{"The landlord must give a day's notice before entering.", "The landlord may enter only after giving a day's notice.", ""},

		{"Lentils contain no iron.", "Lentils contain iron and are low in fat.", "negation"},
		{"No notice is needed in an emergency.", "Notice is needed in an emergency, except at night.", "negation"},
		{"Hart was not the first woman to hold the seat.", "Hart was the first woman to hold the seat.", "negation"},
		{"The fern should not stand in bright shade but in direct light.", "The fern should stand in bright shade.", "negation"},
		{"The bridge was built by Otto, not designed by Nora Feld.", "The bridge was designed by Nora Feld.", "name"},
		{"The landlord must give a day's notice before entering.", "The landlord must give a day's notice after entering.", "comparative"},
	} {
		b.check(t)
	}
}

// TestWhatIsSetAside: what a statement sets aside for something else is denied where the source says it, and not where the source has the other.
func TestWhatIsSetAside(t *testing.T) {
	for _, b := range []beside{
		{"The deadline is 31 July, not 31 May.", "The deadline is 31 May.", "date"},
		{"The deadline is not 31 May but 31 July.", "The deadline is 31 May.", "date"},
		{"The firm is based in Rotterdam, not in Utrecht.", "The firm is based in Utrecht.", "name"},
		{"The deposit is returned within 30 days, not 21.", "The deposit is returned within 21 days.", "number"},

		{"The deadline is 31 May, not 31 July.", "The deadline is 31 May.", ""},
		{"The firm is based in Utrecht, not in Rotterdam.", "The firm moved from Rotterdam and is based in Utrecht.", ""},
		{"The firm is based in Rotterdam, not in Utrecht.", "The firm is not based in Utrecht.", ""},
		{"The memoir was first published in 1951.", "The memoir was published in 1951, the second edition in 1963.", ""},
		{"The memoir is her second long book.", "The memoir is her third book.", "number"},
	} {
		b.check(t)
	}
}

// TestNumbersInOtherSigns: Roman numerals, days in short before a date, the prefix of a country and ratios are what they are.
func TestNumbersInOtherSigns(t *testing.T) {
	for _, b := range []beside{
		{"Chapter IV describes the crossing of the river.", "Chapter 4 describes the crossing of the river.", ""},
		{"Chapter IV describes the crossing of the river.", "Chapter 5 describes the crossing of the river.", "number"},
		{"The team met after World War I in the town.", "The team met after the First World War in the town.", ""},
		{"The team met after World War I in the town.", "The team met after World War II in the town.", "number"},
		{"Term starts on Tuesday 3 September.", "Term starts on Tue 3 Sept.", ""},
		{"Term starts on Wednesday 3 September.", "Term starts on Tue 3 Sept.", "date"},
		{"Call the office at +44 20 7946 0123.", "Call the office at 020 7946 0123.", ""},
		{"Call the office at +44 20 7946 0124.", "Call the office at 020 7946 0123.", "number"},
		{"Mix resin and hardener in a 1:1 ratio.", "Mix resin and hardener in a 2:1 ratio.", "number"},
		{"Mix resin and hardener in a ratio of 4:2.", "Mix resin and hardener in a ratio of two to one.", ""},
		{"Mix hardener and resin in a 1:2 ratio.", "Mix resin and hardener in a 2:1 ratio.", ""},
	} {
		b.check(t)
	}
	for _, c := range [][2]string{
		{"Chapter IV describes the crossing.", "Chapter 4 describes the crossing."},
		{"The trial was a phase III study of the drug.", "The trial was a Phase 3 study of the drug."},
		{"Call the office at +44 20 7946 0123.", "Call the office at 020 7946 0123."},
	} {
		if f := one(t, c[0], c[1]).Segment; f.Support < 0.8 {
			t.Errorf("%q beside %q: %.2f %q", c[0], c[1], f.Support, f.Reasons)
		}
	}
}
