package attribute

import (
	"testing"

	"github.com/ibid-dev/ibid"
)

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

// TestAboutSoMuch: a number in words like "about" is one to which the source's may be rounded, and "nearly" so much is no less than that.
func TestAboutSoMuch(t *testing.T) {
	const (
		volcano = "The eruption killed 98 people and destroyed 312 houses."
		profit  = "Net profit was $98.4 million in the year."
		start   = "In all 1,396 runners did not finish, and 47 were late."
	)
	for _, b := range []beside{
		{"The eruption killed about 100 people.", volcano, ""},
		{"The eruption killed nearly 100 people.", volcano, ""},
		{"The eruption killed about 97 people.", volcano, ""},
		{"The eruption killed around 89 people.", volcano, "number"},
		{"The eruption killed nearly 95 people.", volcano, "number"},
		{"The eruption destroyed about 300 houses.", volcano, ""},
		{"The eruption destroyed some 310 houses.", volcano, ""},
		{"The eruption destroyed approximately 285 houses.", volcano, "number"},
		{"The eruption destroyed almost 290 houses.", volcano, "number"},
		{"The eruption destroyed almost 300 houses.", volcano, "number"},
		{"Net profit was about $98 million.", profit, ""},
		{"Net profit was nearly $98 million.", profit, ""},
		{"Net profit was about $100 million.", profit, ""},
		{"Net profit was nearly $100 million.", profit, ""},
		{"Net profit was about $89 million.", profit, "number"},
		{"Net profit was nearly $94 million.", profit, "number"},
		{"About 1,400 runners did not finish.", start, ""},
		{"About 50 runners were late.", start, ""},
		{"Nearly half of the voters stayed at home.", "48% of the voters stayed at home.", ""},
		{"The trail is nearly 60 miles long.", "The trail is 97 km long.", ""},
		{"The ride takes about an hour.", "The ride takes 55 minutes.", ""},
		{"The ride takes about half an hour.", "The ride takes 32 minutes.", ""},
	} {
		b.check(t)
	}
	f := oneBy(t, New(Config{Judge: saying{0.99, new([]ibid.Pair), nil}, Always: true}), "What was earned in the end, the net profit, was about $89 million.", profit)
	if f.Segment.Support >= 0.5 || len(f.Segment.Contradicted) == 0 {
		t.Errorf("a number that looks alike stands against no judge: support %.2f, %v", f.Segment.Support, f.Segment.Contradicted)
	}
}
