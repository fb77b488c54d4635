package attribute

import "testing"

// TestTurnedRound: the opposite of a comparison with its sides turned round says the same; with the same sides it is contradicted, and so is the same
// word with other sides.
func TestTurnedRound(t *testing.T) {
	const high, quiet = "Mount Arlen is higher than Mount Besk.", "The Kestra is quieter than the Dusto, but its dust container is smaller."
	for _, c := range []beside{
		{"Mount Besk is lower than Mount Arlen.", high, ""},
		{"The Dusto is louder than the Kestra.", quiet, ""},
		{"The hotel in Utrecht is more expensive than the hotel in Tampere.", "The hotel in Tampere is cheaper than the hotel in Utrecht.", ""},

		{"Mount Arlen is lower than Mount Besk.", high, "comparative"},
		{"Mount Besk is higher than Mount Arlen.", high, "exchange"},
		{"The Kestra is louder than the Dusto.", quiet, "comparative"},
	} {
		c.check(t)
	}
	if got := one(t, "The Dusto is louder than the Kestra.", quiet).Segment; got.Support < 0.5 {
		t.Errorf("support %v", got.Support)
	}
}

// TestWhatCameFirst: two events in the order that the source tells them in are no contradiction, whichever word joins them; in the other order they are.
func TestWhatCameFirst(t *testing.T) {
	const after = "Lucia Hollis resigned in 1994. Soon after, Kwame Petrov took over."
	for _, c := range []beside{
		{"Lucia Hollis resigned before Kwame Petrov took over.", after, ""},
		{"Kwame Petrov took over after Lucia Hollis resigned.", after, ""},
		{"Lucia Hollis resigned before Kwame Petrov took over.", "Kwame Petrov took over after Lucia Hollis resigned.", ""},
		{"Add the salt after cooking the rice.", "Cook the rice before adding the salt.", ""},
		{"A storm damaged the roof before the theatre closed.", "The theatre closed in 2005. The year before, a storm had damaged the roof.", ""},

		{"Kwame Petrov took over before Lucia Hollis resigned.", after, "exchange"},
		{"Lucia Hollis resigned after Kwame Petrov took over.", after, "exchange"},
		{"Lucia Hollis resigned before Kwame Petrov took over.", "Lucia Hollis resigned after Kwame Petrov took over.", "comparative"},
		{"A storm damaged the roof after the theatre closed.", "The theatre closed in 2005. The year before, a storm had damaged the roof.", "exchange"},
	} {
		c.check(t)
	}
}
