package attribute

import (
	"testing"

	"github.com/ibid-dev/ibid"
)

// TestChangedPlaces: the same words in the places of each other say something else. What says the same from both sides, is said in the
// passive or of the other with the opposite word is no contradiction.
func TestChangedPlaces(t *testing.T) {
	for _, c := range []beside{
		{"Sprays work better than baits in kitchens.", "Baits work better than sprays in kitchens.", "exchange"},
		{"The Giants fell to the Bears on Monday.", "The Bears fell to the Giants on Monday.", "role"},
		{"Hans Gildemeister defeated Eddie Dibbs in Paris.", "Eddie Dibbs defeated Hans Gildemeister in Paris.", "role"},
		{"The wall has smooth stones and rough planks.", "The wall has rough stones and smooth planks.", "exchange"},
		{"Alternate 90 seconds of running with 60 seconds of walking.", "Alternate 60 seconds of running with 90 seconds of walking.", "number"},
		{"He gave $34,000 to Cruz and $7,000 to Romney.", "He gave $34,000 to Romney and $7,000 to Cruz.", "number"},

		{"The Giants fell to the Bears on a rainy Monday in Ostby.", "The Bears fell to the Giants on Monday.", ""},
		{"Sprays work worse than baits in kitchens.", "Baits work better than sprays in kitchens.", ""},
		{"Baits work better than sprays in kitchens.", "In kitchens baits work better than sprays.", ""},
		{"He prefers trains rather than planes.", "Rather than planes he prefers trains.", ""},
		{"Anna Weller married Otto Brandt in Ostby.", "Otto Brandt married Anna Weller in Ostby.", ""},
		{"Eddie Dibbs was defeated by Hans Gildemeister in Paris.", "Hans Gildemeister defeated Eddie Dibbs in Paris.", ""},
		{"John Updike won the Pulitzer Prize.", "Pulitzer Prize-winning novelist John Updike has died.", ""},
		{"More women than men enrolled.", "Fewer men than women enrolled.", ""},
		{"Saturn has more moons than any other planet.", "No other planet has more moons than Saturn.", ""},
		{"Dupont was convicted in Chicago.", "In Chicago a jury convicted Dupont.", ""},
		{"Mount Fuji is the highest mountain in Japan.", "Japan's highest mountain is Mount Fuji.", ""},
		{"The wall has rough planks and smooth stones.", "The wall has smooth stones and rough planks.", ""},
		{"Walk for 90 seconds and run for 60 seconds.", "Run for 60 seconds and walk for 90 seconds.", ""},
	} {
		c.check(t)
	}
}

// TestDistance: what a source calls a myth or tells as the word of others is not its own word, unless the answer says so too.
func TestDistance(t *testing.T) {
	for _, c := range []beside{
		{"Goldfish have a memory of three seconds.", "It is a myth that goldfish have a memory of three seconds.", "distance"},
		{"Goldfish have a memory of three seconds.", "Some people believe that goldfish have a memory of three seconds.", "distance"},
		{"The new masts cause cancer.", "The claim that the new masts cause cancer is unfounded.", "distance"},
		{"You lose most of your heat through your head.", "Myth: You lose most of your heat through your head.", "distance"},
		{"The mayor took money from the firm.", "The mayor allegedly took money from the firm.", "distance"},
		{"The mayor took money from the firm.", "Rumours that the mayor took money from the firm went round.", "distance"},
		{"The plant closed because of the strike.", "Critics claim the plant closed because of the strike.", "distance"},

		{"It is a myth that goldfish have a memory of three seconds.", "It is a myth that goldfish have a memory of three seconds.", ""},
		{"Some believe that goldfish have a memory of three seconds.", "Some people believe that goldfish have a memory of three seconds.", ""},
		{"The mayor took money from the firm, critics say.", "Critics claim the mayor took money from the firm.", ""},
		{"In Greek myth Aphrodite married Hephaestus.", "In Greek myth Aphrodite married Hephaestus.", ""},
		{"Aphrodite married Hephaestus.", "In Greek myth Zeus and the other gods saw how Aphrodite married Hephaestus.", ""},
		{"The story that the mayor took money from the firm is dismissed by the court.", "Rumours that the mayor took money from the firm went round, but the court rejected them.", ""},
		{"Goldfish do not have a memory of three seconds.", "It is a myth that goldfish have a memory of three seconds.", ""},
		{"Bats can see quite well.", "It is a misconception that bats are blind; in fact, bats can see quite well.", ""},
		{"The company was founded in 1987 in Lisbon.", "The company, which allegedly failed to pay taxes, was founded in 1987 in Lisbon.", ""},
		{"The Titanic struck an iceberg in 1912.", "The supposedly unsinkable Titanic struck an iceberg in 1912.", ""},
		{"Many physicists work on the theory at Ostby.", "Many physicists work on the theory at Ostby, and think that it will hold.", ""},
	} {
		c.check(t)
	}
}

// TestWhatAJudgeOverrules: names that have changed places may only be put otherwise, if a judge says so. Exchanged words and the distance that a
// source takes stand against every judge.
func TestWhatAJudgeOverrules(t *testing.T) {
	for _, c := range []struct {
		segment, source string
		stands          bool
	}{
		{"The wall has smooth stones and rough planks.", "The wall has rough stones and smooth planks.", true},
		{"A goldfish has a memory of three seconds.", "It is a common myth that goldfish have a memory of three seconds.", true},
		{"Hans Gildemeister defeated Eddie Dibbs in Paris.", "Eddie Dibbs defeated Hans Gildemeister in Paris.", false},
	} {
		var asked []ibid.Pair
		v, err := New(Config{Judge: saying{0.99, &asked, nil}}).weighUp(t.Context(), newTurn([]ibid.Passage{passage(1, c.source)}), new(scratch), draft(c.segment), "")
		if err != nil {
			t.Fatal(err)
		}
		if stands := len(v.conflict) > 0 && v.support <= doubt; stands != c.stands {
			t.Errorf("%q beside %q: %d contradictions, support %v", c.segment, c.source, len(v.conflict), v.support)
		}
	}
}

// TestWhoHoldsAPost: a post that the source gives to another is named, and one of another place or time, or that two hold, is not.
func TestWhoHoldsAPost(t *testing.T) {
	const team = "Anna Keller becomes chief executive officer, and Ben Osei is appointed chief financial officer. Founder Ruth Adeyemi moves to the role of board chair."
	for _, c := range []beside{
		{"Ben Osei becomes chief executive officer.", team, "role"},
		{"Ruth Adeyemi becomes CFO of it.", team, ""},
		{"Ruth Adeyemi becomes chief financial officer.", team, "role"},
		{"Ben Osei is the new CFO.", team, ""},
		{"Anna Keller is the new chief executive officer, and Ben Osei is chief financial officer.", team, ""},
		{"Jan Mertens was treasurer.", "The treasurer Nora Quist thanked Jan Mertens, who came from Oslo.", ""},
		{"Jan Mertens was deputy chair.", "Chair Nora Quist thanked the treasurer Jan Mertens, her deputy chair.", ""},
	} {
		c.check(t)
	}
}

// TestDoersChangedPlaces: who did it and to whom it was done are told apart in the active and the passive.
func TestDoersChangedPlaces(t *testing.T) {
	const deal = "Shares of Coastal rose after the operator Coastal was acquired by Baltic for 1.2 billion kroner."
	for _, c := range []beside{
		{"Baltic was acquired by Coastal for 1.2 billion kroner.", deal, "role"},
		{"Coastal was acquired by Baltic for 1.2 billion kroner.", deal, ""},
		{"Baltic acquired Coastal for 1.2 billion kroner.", deal, ""},
		{"Coastal acquired Baltic for 1.2 billion kroner.", deal, "exchange"},
		{"Baltic was acquired by Coastal in 2024.", "Baltic acquired Coastal in 2024.", "exchange"},
		{"Baltic was acquired by Coastal in 2024.", "Coastal acquired Baltic in 2024.", ""},
		{"Calder was sued by Solmark.", "Calder sued Solmark. In turn Calder was sued by Solmark.", ""},
		{"Kwame Castellano was accused of plagiarism by Declan Brandt.", "Kwame Castellano accused Declan Brandt of plagiarism.", "exchange"},
		{"Declan Brandt was accused of plagiarism by Kwame Castellano.", "Kwame Castellano accused Declan Brandt of plagiarism.", ""},
		{"Calder was sued for patents claimed by Solmark.", "Calder sued Solmark for patents, which it claimed.", ""},
	} {
		c.check(t)
	}
}

// TestInAndOutside: what is outside of something is not in it, and less than half is not most.
func TestInAndOutside(t *testing.T) {
	for _, c := range []beside{
		{"About 60 percent of its sales are made in Europe.", "About 60 percent of its sales come from outside Europe.", "exchange"},
		{"More people speak English outside of the UK than in the UK.", "Many people speak English, and more so abroad than in the UK.", ""},
		{"About 60 percent of its sales come from outside of Europe.", "About 60 percent of its sales come from outside Europe.", ""},
		{"Sales in Europe grew.", "Sales in Europe and outside Europe grew.", ""},
		{"Mr Zhao died in Beijing.", "Mr Zhao died outside the Beijing hospital.", ""},
		{"Leaving it outside a marked zone costs 10 euros.", "Park only in the marked zones; outside of them a fee of 10 euros is charged.", ""},
		{"Digital items made up most of the loans.", "Of the loans of items 31% were digital.", "quantifier"},
		{"Digital items made up most of the loans.", "Of the loans of items 71% were digital.", ""},
		{"More women than men finished.", "About 38 percent of those who finished were women, the rest men.", "quantifier"},
		{"More women than men finished.", "About 58 percent of those who finished were women, the rest men.", ""},
	} {
		c.check(t)
	}
}
