package text_test

import (
	"testing"

	"github.com/ibid-dev/ibid/text"
)

func TestMisspelt(t *testing.T) {
	for _, tt := range []struct {
		rule, a, b string
		want       bool
	}{
		{"a letter is missing", "expnses", "expenses", true},
		{"a letter too many", "carrried", "carried", true},
		{"another letter", "Whitehouse", "Whitehause", true},
		{"two letters swapped", "recieve", "receive", true},
		{"the same word is no slip", "cables", "cables", false},
		{"two slips", "carrrried", "carried", false},
		{"the first letter", "effect", "affect", false},
		{"short words", "cable", "table", false},
		{"short words of one beginning", "butter", "better", false},
		{"one of them is short", "county", "country", false},
		{"numbers", "350000", "350001", false},
		{"ideographs", "电缆", "电罆", false},
		{"nothing", "", "", false},
	} {
		if text.Misspelt(tt.a, tt.b) != tt.want || text.Misspelt(tt.b, tt.a) != tt.want {
			t.Errorf("%s: %q, %q", tt.rule, tt.a, tt.b)
		}
	}
}
