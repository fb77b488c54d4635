package attribute

import "testing"

// TestWhatIsSo: what one of several objects has and has not is compared with what is said of it, and a plain "does not" with what the only one has; what is said of
// something else beside it is not.
func TestWhatIsSo(t *testing.T) {
	const (
		rooms  = `{"hotel": "Seaview Lodge", "rooms": [{"type": "Standard", "breakfast_included": false, "balcony": false}, {"type": "Deluxe", "breakfast_included": true, "balcony": true}]}`
		bistro = `{"name": "Luna", "attributes": {"RestaurantsReservations": true, "OutdoorSeating": true, "BusinessParking": {"garage": true, "lot": false}, "RestaurantsTakeOut": true, "RestaurantsDelivery": false}}`
	)
	for _, c := range []struct{ claim, source, denied string }{
		{"The Standard room has a balcony.", rooms, "balcony"},
		{"The Standard room has no balcony.", rooms, ""},
		{"The Deluxe room has no balcony.", rooms, "balcony"},
		{"Only the Deluxe room has a balcony, unlike the Standard room.", rooms, ""},
		{"Luna does not take reservations.", bistro, "not take reservations"},
		{"Luna takes reservations but does not deliver.", bistro, ""},
		{"Reservations are not required at Luna.", bistro, ""},
		{"Guests are not always happy with the outdoor seating.", bistro, ""},
	} {
		want := c.denied
		got := one(t, c.claim, c.source).Segment.Contradicted
		if want == "" && len(got) > 0 || want != "" && (len(got) == 0 || got[0].Of.Shift(0).In(c.claim) != want) {
			t.Errorf("%q: %v, not %q", c.claim, got, want)
		}
	}
}
