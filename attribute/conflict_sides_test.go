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
