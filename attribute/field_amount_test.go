package attribute

import "testing"

// TestAmountsOfFields: a value with its unit is compared in any other unit of its kind, and one for a span of time with those for the same span; what counts
// something else, or may be reckoned, is not denied.
func TestAmountsOfFields(t *testing.T) {
	const (
		flat   = "Rent: $1,450 per month\nDeposit: $2,000\nBedrooms: 2\nBathrooms: 1.5\nSize: 870 sq ft\nCapacity: 4 guests\nLease term: 12 months\nAvailable: September 1, 2024\nAddress: 88 Harbor Lane"
		kettle = `{"name": "Aqua Kettle", "price_cents": 4999, "currency": "USD", "capacity_ml": 1700, "power_w": 1500, "weight_g": 1200, "boil_time_sec": 240, "warranty_months": 24, "height_cm": 24, "width_cm": 16, "shipping": {"days_min": 3, "days_max": 5}}`
		order  = "Order date: March 4, 2024\nShipping: $5.99\nPayment: Visa ending in 4471\nShipping method: Standard (5-7 business days)\nTotal: $99.30"
		car    = `{"year": 2022, "mpg_city": 41, "mpg_highway": 38, "towing_capacity_lbs": 1750, "accidents": 0, "owners": 1}`
		used   = `{"vin": "1HGBH41JXMN109186", "open_recalls": 0, "owners": 2, "title": "clean"}`
		rooms  = `[{"type": "Standard", "price_per_night": 110, "low_c": -2, "currency": "USD"}, {"type": "Deluxe", "price_per_night": 165, "low_c": 4, "currency": "USD"}]`
	)
	for _, c := range []struct{ claim, source, denied string }{
		{"The rent is $1,540 a month.", flat, "1,540"},
		{"The rent is $1,450 a month.", flat, ""},
		{"The rent is $17,400 a year.", flat, ""},
		{"Three months' rent is $4,350.", flat, ""},
		{"The size is 780 square feet.", flat, "780"},
		{"The capacity is two guests.", flat, "two"},
		{"It sleeps two guests.", flat, "two"},
		{"The apartment has two bathrooms.", flat, "two"},
		{"The apartment has two bedrooms.", flat, ""},
		{"The lease lasts one year.", flat, ""},
		{"The lease lasts half a year.", flat, ""},
		{"It is available on September 2, 2024.", flat, "September 2, 2024"},
		{"It is available on September 1.", flat, ""},
		{"The address is 88 Harbor Lane.", flat, ""},
		{"The Aqua Kettle weighs 1.2 kg.", kettle, ""},
		{"The Aqua Kettle weighs 1.5 kg.", kettle, "1.5"},
		{"The Aqua Kettle weighs about a kilogram.", kettle, ""},
		{"The Aqua Kettle costs $49.99.", kettle, ""},
		{"The Aqua Kettle costs $59.99.", kettle, "59.99"},
		{"The capacity is 1.7 liters.", kettle, ""},
		{"It holds 1.5 liters, by its capacity.", kettle, "1.5"},
		{"The warranty is one year.", kettle, "one"},
		{"The warranty is two years.", kettle, ""},
		{"It boils in 4 minutes.", kettle, ""},
		{"It boils in 3 minutes.", kettle, "3"},
		{"Shipping takes 5 to 7 days.", kettle, "5"},
		{"Shipping takes 3 to 5 days.", kettle, ""},
		{"It can tow up to 3,500 pounds.", car, "3,500"},
		{"It can tow up to 1,750 pounds.", car, ""},
		{"It gets 38 mpg in the city.", car, "38"},
		{"It gets 38 mpg on the highway.", car, ""},
		{"It has had one accident.", car, "one"},
		{"It had one owner.", car, ""},
		{"There is one open recall.", used, "one"},
		{"It has no open recalls.", used, ""},
		{"It has no owners.", used, "no owners"},
		{"One open question is the battery.", used, ""},
		{"It has had 1 owner.", used, "1"},
		{"It covered 44 km a day.", car, ""},
		{"Payment was by Visa ending in 4471.", order, ""},
		{"Standard shipping takes 5 to 7 business days.", order, ""},
		{"Shipping was $6.99.", order, "6.99"},
		{"The order date was March 14, 2024.", order, "March 14, 2024"},
		{"Two nights in the Deluxe room cost $330.", rooms, ""},
		{"Two nights in the Deluxe room cost $300.", rooms, "300"},
		{"In the Standard room the low is 2 °C.", rooms, "2 °C"},
		{"In the Standard room the low is 2 °C below zero.", rooms, ""},
	} {
		denies(t, c.claim, c.source, c.denied)
	}
}

// TestValuesAreRead: a value that is a number with what it counts is one, a name that begins with a number is a text.
func TestValuesAreRead(t *testing.T) {
	for text, want := range map[string]float64{
		"$1,450 per month": 1450, "870 sq ft": 870, "14-inch": 14, "76 bpm": 76, "4 guests": 4, "16 GB LPDDR5": 16, "-1.2 °C": -1.2, "$9/mo": 9,
		"88 Harbor Lane": 0, "5-7 business days": 0, "Visa ending in 4471": 0, "2 (one ensuite)": 0, "7 Eleven": 0, "500 mg daily, 10 mg at night": 0, "": 0, "$": 0, "up to 3 days": 0,
	} {
		if got, ok := measuredValue(text); got != want || ok != (want != 0) {
			t.Errorf("%q is read as %v, %v", text, got, ok)
		}
	}
}
