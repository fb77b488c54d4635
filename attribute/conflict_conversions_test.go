package attribute

import "testing"

// TestConversionsInBrackets: an amount in brackets must be the one before it in another unit, as far as people round it.
func TestConversionsInBrackets(t *testing.T) {
	for _, c := range []beside{
		{"It weighs 5.4 kg (16.7 lb).", "The vacuum weighs 5.4 kg.", "number"},
		{"Preheat the oven to 200°C (442°F).", "Preheat the oven to 200 °C.", "number"},
		{"The trail is 42 km (35 miles) long.", "The trail is 42 km long.", "number"},
		{"The trail is 42 km (35 miles) long.", "The trail is 35 miles long.", "number"},

		{"It weighs 5.4 kg (11.9 lb).", "The vacuum weighs 5.4 kg.", ""},
		{"It weighs 5.4 kg (12 lb).", "The vacuum weighs 5.4 kg.", ""},
		{"Preheat the oven to 200°C (392°F).", "Preheat the oven to 200 °C.", ""},
		{"The trail is 42 km (26 miles) long.", "The trail is 42 km long.", ""},
		{"The trail is 100 km (60 miles) long.", "The trail is 100 km long.", ""},
		{"The trail is 42 km (35 miles) long.", "The trail is 42 km (35 miles) long.", ""},
		{"He is 6 feet (2 m) tall.", "He is 6 feet tall.", ""},
		{"The room is 6 m (3 windows) wide.", "The room is 6 m wide.", ""},
		{"The tablets should be stored below 77°F.", "Store the tablets below 25 °C.", ""},
	} {
		c.check(t)
	}
	if got := one(t, "The tablets should be stored below 77°F.", "Store the tablets below 25 °C.").Segment; got.Support < 0.5 {
		t.Errorf("77°F beside 25 °C: support %v", got.Support)
	}
}
