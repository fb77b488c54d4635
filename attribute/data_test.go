package attribute

import (
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
)

// TestDataIsASource: of a listing as a tool gives it, the value that says it is cited, and what it says counts.
func TestDataIsASource(t *testing.T) {
	const listing = `{"name": "Casa Oro", "city": "Ostby", "attributes": {"OutdoorSeating": true, "WiFi": null, "BusinessParking": {"garage": false, "lot": true}},
		"reviews": [{"stars": 5, "text": "We sat on the patio with our old dog, who got a bowl of water from the waiter. Go early."}]}`
	for _, c := range []struct{ segment, cited, kind string }{
		{"Outdoor seating is available.", `"OutdoorSeating": true`, ""},
		{"There is no outdoor seating.", `"OutdoorSeating": true`, "negation"},
		{"It has a parking garage.", `"garage": false`, "negation"},
		{"Dogs get a bowl of water from the waiter.", `bowl of water from the waiter.`, ""},
	} {
		f := one(t, c.segment, listing)
		cites := func(a ibid.Attribution) bool { return strings.Contains(a.To.Span.Shift(-100).In(listing), c.cited) }
		if !slices.ContainsFunc(f.Attributions, cites) {
			t.Errorf("%q: cited are %v", c.segment, f.Attributions)
		}
		beside{c.segment, listing, c.kind}.check(t)
	}
	for segment, lines := range map[string]string{
		"Outdoor seating is available.": "Outdoor seating: yes.",
		"There is no garage parking.":   "No garage business parking.",
	} {
		if data, plain := one(t, segment, listing).Segment, one(t, segment, lines).Segment; data.Support < 0.5 != (plain.Support < 0.5) {
			t.Errorf("%q: support %v by data, %v in words", segment, data.Support, plain.Support)
		}
	}
}

// TestValuesSayNothingOfEachOther: a number of things is denied by no value of data that stands beside their name, an amount with its
// unit and a number in a text are; stars are compared with stars.
func TestValuesSayNothingOfEachOther(t *testing.T) {
	const school = `{"name": "Ladle School", "address": "71 Granary Row", "classes": [{"title": "Fresh Pasta", "price": "$95", "seats": 14}, {"title": "Dumplings", "price": "$85", "seats": 12}],
		"reviews": [{"stars": 2, "text": "The pasta class of ten students shared five bottles of wine, and the teacher was late."}]}`
	for _, b := range []beside{
		{"Ladle School gives two classes, Fresh Pasta and Dumplings.", school, ""},
		{"Dumplings has three seats.", school, "number"},
		{"Ladle School has three rooms.", `{"name": "Ladle School", "rooms": "Hall 7"}`, ""},
		{"The price of the Dumplings class is $105.", school, "number"},
		{"The pasta class of ten students shared two bottles of wine.", school, "number"},
		{"The two-star reviewer shared five bottles of wine in the pasta class.", school, ""},
		{"The two-star hotel stands at the harbour.", "The four-star hotel stands at the harbour.", "number"},
		{"The two-star hotel at the harbour has rooms.", "The hotel at the harbour has four rooms.", ""},
	} {
		b.check(t)
	}
}
