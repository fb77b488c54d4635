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
