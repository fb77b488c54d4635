package attribute

import "testing"

// TestYearsOfSomethingElse: a year that one sentence gives for what was done there is none of what another sentence tells, unless that one ties itself to it.
func TestYearsOfSomethingElse(t *testing.T) {
	for _, c := range []struct {
		segment, source string
		supported       bool
	}{
		{"Their son was born in 1931.", "They moved in 1931. Their son was born in Rome.", false},
		{"Their son was born in 1931.", "They moved in the year 1931. Their son was born in Rome.", false},
		{"Their son was born in 1931.", "They moved. Their son was born in 1931.", true},
		{"Their son was born in Rome in 1931.", "It was in 1931. Their son was born in Rome.", true},
		{"Their son was born in 1931.", "They moved in 1931. Then their son was born in Rome.", true},
		{"Their son was born in 1931.", "They moved in 1931. Their son was born in Rome in the same year.", true},
	} {
		if s := one(t, c.segment, c.source).Segment; (s.Support >= .5) != c.supported || len(s.Contradicted) > 0 {
			t.Errorf("%q beside %q: support %.2f: %q", c.segment, c.source, s.Support, s.Reasons)
		}
	}
}
