package attribute

import (
	"slices"
	"testing"

	"github.com/ibid-dev/ibid"
)

// TestCompounds: a word is compared in the way in which a source spells it, as one or as two, and not taken apart where the parts mean something else.
func TestCompounds(t *testing.T) {
	for _, c := range []struct {
		source, claim string
		words         []string // of the claim, as they are compared
	}{
		{"WiFi: no.", "There is no Wi-Fi.", []string{"There", "is", "no", "Wi-Fi"}},
		{"Wi-Fi is free.", "WiFi is free.", []string{"Wi", "Fi", "is", "free"}},
		{"Restaurants take out: yes.", "It offers takeout.", []string{"It", "offers", "take", "out"}},
		{"The take-out counter closes.", "The takeout counter closes.", []string{"The", "take", "out", "counter", "closes"}},
		{"Healthcare is paid by the state.", "Health care is paid by the state.", []string{"Health care", "is", "paid", "by", "the", "state"}},
		{"Health care, or healthcare, is paid.", "Health care is paid.", []string{"Health", "care", "is", "paid"}}, // both ways stand there
		{"She was not able to come.", "She was notable.", []string{"She", "was", "notable"}},
		{"The man of the house ate rice.", "The manor ate rice.", []string{"The", "manor", "ate", "rice"}},
		{"He is the rapist.", "He is the therapist.", []string{"He", "is", "the", "therapist"}},
		{"In the car, go fast.", "The cargo is fast.", []string{"The", "cargo", "is", "fast"}},
		{"The cargo is fast.", "The car, go figure, is fast.", []string{"The", "car", "go", "figure", "is", "fast"}},
	} {
		turn := newTurn([]ibid.Passage{{Rank: 1, Chunk: ibid.Chunk{Text: c.source}}})
		var got []string
		for _, tok := range turn.read(c.claim).tokens {
			got = append(got, tok.At.In(c.claim))
		}
		if !slices.Equal(got, c.words) {
			t.Errorf("%q beside %q: %q, not %q", c.claim, c.source, got, c.words)
		}
	}
}
