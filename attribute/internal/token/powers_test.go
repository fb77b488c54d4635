package token

import (
	"strings"
	"testing"
)

// TestPowersAndFractions: a number in the notation of science or of TeX is the number that it writes, and what only looks like one stays as it is.
func TestPowersAndFractions(t *testing.T) {
	for text, want := range map[string]string{
		`$3.2\times10^5$ kg`:         "#320000 kilogram",
		`3.2 \cdot 10^{-5} m`:        "#3.2e-05 meter",
		"3.2×10⁵ cells":              "#320000 cell",
		"2 x 10^3 cells":             "#2000 cell",
		"10⁻³ m":                     "#0.001 meter",
		"5e-7 m":                     "#5e-07 meter",
		"1.5E9 bytes":                "#1500000000 byte",
		`roughly \frac12 of it`:      "rough #0.5 of it",
		`\dfrac{3}{4} of it`:         "#0.75 of it",
		`\frac{a}{b} of it`:          "frac a b of it",
		"$5 and $7":                  "dollar #5 and dollar #7",
		`\$5 and \$7`:                "dollar #5 and dollar #7",
		"10 x 20 m":                  "#10 x #20 meter",
		"bus 5e7":                    "bus #5 e7",
		`$x^2$ is $5`:                "x #2 be dollar #5",
		"a room of 10 and 5^2":       "a room of #10 and #5 #2",
		`\frac{1}{0}`:                "frac #1 #0",
		"10^999 is 10^{5 and 10^{7}": "#10 #999 be #10 #5 and #10000000",
	} {
		ts, _ := English.Scan(text, 0, nil)
		var keys []string
		for _, tok := range ts {
			keys = append(keys, tok.Key)
		}
		if got := strings.Join(keys, " "); got != want {
			t.Errorf("%s reads %q, not %q", text, got, want)
		}
	}
}
