package bib

import (
	"regexp"
	"slices"
	"strings"
)

var (
	ordinalWords   = strings.Fields("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth")
	ordinalEdition = regexp.MustCompile(`(?i)^(?:([1-9][0-9]{0,3})(?:st|nd|rd|th|\.)?|([a-z]+))(?:\s+ed(?:n|ition)?\.?)?$`)
)

// readEdition gives an edition that is only counted as its number: "Second", as BibTeX wants it, and "2nd ed." are "2". Styles
// put the words around a number; other editions stand as they are.
func readEdition(s string) string {
	m := ordinalEdition.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return s
	}
	if m[1] != "" {
		return m[1]
	}
	if n := slices.Index(ordinalWords, strings.ToLower(m[2])); n >= 0 {
		return itoa(n + 1)
	}
	return s
}
