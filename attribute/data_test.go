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

// TestRecordsAreData: lines of names and values are compared as data is, and cited by their place; within prose they are read as lines, and the prose
// as it stands.
func TestRecordsAreData(t *testing.T) {
	const flat = "Status: closed\nBasement: none\nPets: no\nParking: free\nElevator: no\nBalcony: yes\nCapacity: 4\nBedrooms: 2"
	const patient = "Patient: Jon Vale\nAge: 67\nHeart rate: 76 bpm\nMedication: metformin 500 mg twice daily, lisinopril 10 mg once daily\nSmoker: no\nNext visit: 2024-07-09"
	const prose = "The house by the canal was sold in May 2019, after it had stood empty for a year. Its new owner lives next door.\n\nFloor: 3\n- Balcony: no\nElevator: yes\n\nWhoever wants to see it may call the owner."
	for _, b := range []beside{
		{"There is no balcony.", flat, "negation"},
		{"There is a balcony.", flat, ""},
		{"It has four bedrooms.", flat, "number"},
		{"It has two bedrooms.", flat, ""},
		{"There is an elevator.", flat, "negation"},
		{"The patient's age is 76.", patient, "number"},
		{"The patient's age is 67.", patient, ""},
		{"The next visit is on September 7, 2024.", patient, "date"},
		{"The next visit is on July 9, 2024.", patient, ""},
		{"There is a balcony.", prose, "negation"},
		{"The house was sold in 2019.", prose, ""},
	} {
		b.check(t)
	}
	for segment, want := range map[string]string{
		"There is no balcony.":          "Balcony: no",
		"The house was sold in 2019.":   "The house by the canal was sold in May 2019, after it had stood empty for a year.",
		"The owner of it may be called": "Whoever wants to see it may call the owner.",
	} {
		f := one(t, segment, prose)
		if !slices.ContainsFunc(f.Attributions, func(a ibid.Attribution) bool { return a.To.Span.Shift(-100).In(prose) == want }) {
			t.Errorf("%q: cited are %v", segment, f.Attributions)
		}
	}
}
