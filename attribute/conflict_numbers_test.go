package attribute

import "testing"

// TestTheNearestNumberMayBeOfSomethingElse: a number is denied by one that the source says of the same thing, and not by the nearest one of something else.
func TestTheNearestNumberMayBeOfSomethingElse(t *testing.T) {
	const (
		budget  = "Spending was 14.7 million, of which 9.1 million went to staff. The city pays 80% of the budget, the state 12%, and the rest comes from fees and gifts."
		trials  = "Across 27 trials, fasting led to losses of 0.8% to 13% of the weight. Most trials lasted less than six months, and visits took place at home."
		charter = "The town council has 45 seats. The Greens hold 14, the Socialists 12 and the Liberals 8. A motion needs two thirds of the votes to change the charter."
		branch  = "The administration proposes to close the Sunday service at two of the seven branches, which would save 140,000 a year."
	)
	for _, b := range []beside{
		{"Staff accounts for about 62 percent of spending.", budget, ""},
		{"The city pays 62 percent of the budget.", budget, "number"},
		{"About 85% of those who took part came to the last visit.", trials, ""},
		{"Fasting led to losses of 0.8% to 23% of the weight.", trials, "number"},
		{"To change the charter, 30 councillors must agree.", charter, ""},
		{"The town council has 55 seats.", charter, "number"},
		{"Under the plan five of the branches would keep their Sunday service.", branch, ""},
		{"Under the plan six of the branches would keep their Sunday service.", branch, "number"},
		{"The Sunday service closes at three of the seven branches.", branch, "number"},
	} {
		b.check(t)
	}
}

// TestNumbersOfOtherKinds: an age, a bound that holds, the number of a name, a share and a part of a million are denied by no number of another kind, and by
// another of their own.
func TestNumbersOfOtherKinds(t *testing.T) {
	for _, b := range []beside{
		{"Botan was thirty years old when he was tried for the robbery.", "Botan was tried for the robbery and had to stay in prison for seven years.", ""},
		{"Botan was thirty years old when he was tried for the robbery.", "Botan was tried for the robbery when he was twenty years old.", "number"},
		{"The town has had fewer than sixty mayors.", "There have been four mayors of the town.", ""},
		{"The town has had fewer than three mayors.", "There have been nine mayors of the town.", "number"},
		{"The town has had more than sixty mayors.", "There have been four mayors of the town.", "number"},
		{"Probiotics help against a covid-19 infection.", "Probiotics may help against a SARS-CoV-2 infection.", ""},
		{"Pilots flew the F-16 plane over the harbour.", "Pilots flew the F-18 plane over the harbour.", "number"},
		{"Without us the concentration climbed as high as 7,000 parts per million (ppm) in prior eras.", "The current concentration is about 410 ppm, having risen from prior levels of 280 ppm.", ""},
		{"The chance is one in four.", `The chance is \frac{1}{4}.`, ""},
		{"The chance is one in five.", `The chance is \frac{1}{4}.`, "number"},
	} {
		b.check(t)
	}
}
