package attribute

import "testing"

// TestYearsWithinPeriods: what lasted for years was so in each of them, and a year outside is denied, as is an event that the source gives no date for.
func TestYearsWithinPeriods(t *testing.T) {
	const zoo = "Marcus Petrov was director of the zoo from 1961 to 1975."
	for _, c := range []struct{ segment, source, kind string }{
		{"Marcus Petrov was director of the zoo in 1968.", zoo, ""},
		{"Marcus Petrov was director of the zoo in May 1968.", zoo, ""},
		{"In the late 1960s and in 1968 Marcus Petrov was director of the zoo.", zoo, ""},
		{"Marcus Petrov was director of the zoo in 1958.", zoo, "date"},
		{"Marcus Petrov was director of the zoo in 1978.", zoo, "date"},
		{"Marcus Petrov was director of the zoo from 1968 to 1975.", zoo, "date"},
		{"Marcus Petrov was director of the zoo until 1968.", zoo, "date"},
		{"Marcus Petrov became director of the zoo in 1968.", zoo, "date"},
		{"Marcus Petrov was the director of the zoo in 1968.", "Marcus Petrov was director of the zoo between 1961 and 1975.", ""},
		{"Marcus Petrov was the director of the zoo in 1955.", "Marcus Petrov (director of the zoo, 1948–1961) wrote books.", ""},
		{"Marcus Petrov was director of the zoo in 1955.", "Marcus Petrov has been director of the zoo since 1939.", ""},
		{"Marcus Petrov was director of the zoo in 1935.", "Marcus Petrov has been director of the zoo since 1939.", "date"},
		{"The Brack Theatre was closed in March 2005.", "The Brack Theatre was closed from January 2005 to June 2007.", ""},
		{"The Brack Theatre was closed in August 2007.", "The Brack Theatre was closed from January 2005 to June 2007.", "date"},
		{"Eleanor Okafor died in 1950.", "Eleanor Okafor (1895–1964) died in Graz.", "date"},
		{"Eleanor Okafor taught botany in 1950.", "Eleanor Okafor taught history from 1945 to 1952, and taught botany in 1961.", "date"},
	} {
		got := one(t, c.segment, c.source).Segment
		beside{c.segment, c.source, c.kind}.check(t)
		if c.kind == "" && got.Support < 0.5 {
			t.Errorf("%q beside %q: %.2f: %q", c.segment, c.source, got.Support, got.Reasons)
		}
	}
}
