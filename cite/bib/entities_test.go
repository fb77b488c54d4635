package bib

import (
	"strings"
	"testing"
)

func TestResolve(t *testing.T) {
	for s, want := range map[string]string{
		"Science &amp; Technology":  "Science & Technology",
		"a &amp;lt; b":              "a < b",
		"&&num;38;lt;":              "<",
		"&amp&semi;lt;":             "<",
		"R&D; AT&T, &nosuch; & co;": "R&D; AT&T, &nosuch; & co;",
		"one&#10;two":               "one two",
	} {
		if got := resolve(s); got != want || resolve(got) != got {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

// What was escaped again and again is read in one go: a pass for each time would take hours.
func TestResolveManyTimes(t *testing.T) {
	if got := resolve("&" + strings.Repeat("amp;", 200_000) + "lt;"); got != "<" {
		t.Errorf("%.20q …, %d bytes", got, len(got))
	}
}
