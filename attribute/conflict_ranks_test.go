package attribute

import "testing"

// TestRanks: the largest is not the second largest, which is not the largest; one of the largest may be.
func TestRanks(t *testing.T) {
	const fourth, second = "It is the fourth largest island in the country.", "It is the country's second-largest island."
	for _, b := range []beside{
		{"It is not the largest island in the country.", fourth, ""},
		{"It is not the country's largest island.", second, ""},
		{"Malmo is not the most populous city in the region.", "Malmo is the third most populous city in the region.", ""},
		{"It is the largest island in the country.", fourth, "number"},
		{"It is the country's largest island.", second, "number"},
		{"Malmo is the most populous city in the region.", "Malmo is the third most populous city in the region.", "number"},
		{"It is one of the largest islands in the country.", fourth, ""},
		{"It is the fourth-largest island in the country.", fourth, ""},
		{"It is the largest island in the north.", "It is the largest island in the north and the second largest in the country.", ""},
		{"After Borr, it is the largest island in the country.", second, ""},
		{"It is not the largest island in the country.", "It is the largest island in the country.", "negation"},
		{"It is not the fourth largest island in the country.", fourth, "negation"},
	} {
		b.check(t)
	}
}
