package ingest

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/ibid-dev/ibid"
)

var (
	nameSplit   = regexp.MustCompile(`\s*(?:;|\s&\s|\band\b|\bund\b|\bet\b(?: al)?|\n|•|\x{00b7})\s*`)
	nameTrailer = regexp.MustCompile(`[\s*†‡§¶,0-9¹²³⁴⁵⁶⁷⁸⁹⁰]+$`)
	nameTitles  = regexp.MustCompile(`(?i)^((?:by|dr|prof|professor|mr|mrs|ms|sir|rev|von der redaktion)\.?\s+)+`)
)

// parseNames reads one field that may name several people: "Smith, J.; Doe, A.", "Jane Doe and John Smith",
// "J. Doe, A. Smith".
func parseNames(s string) []ibid.Name {
	s = collapse(s)
	if s == "" || len(s) > 2000 {
		return nil
	}
	if institution(s) && !strings.Contains(s, ";") {
		return []ibid.Name{{Literal: s}}
	}
	var out []ibid.Name
	for _, part := range nameSplit.Split(s, -1) {
		for _, one := range commaList(part) {
			if n, ok := parseName(one); ok {
				out = append(out, n)
			}
		}
	}
	return out
}

// commaList parts "Jane Doe, John Smith" and leaves "Doe, Jane" and "King, Martin Luther, Jr." whole: a name in front of
// a comma that has two words or more is a whole name.
func commaList(s string) []string {
	parts := strings.Split(s, ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	if len(parts) == 1 {
		return parts
	}
	if !slices.ContainsFunc(parts, func(p string) bool { return len(strings.Fields(p)) < 2 && !isSuffix(p) }) {
		var out []string
		for _, p := range parts {
			if isSuffix(p) && len(out) > 0 {
				out[len(out)-1] += ", " + p
				continue
			}
			out = append(out, p)
		}
		return out
	}
	return []string{s}
}

// parseName reads the name of one person or institution. It says false where there is no name in the text.
func parseName(s string) (ibid.Name, bool) {
	s = strings.TrimSpace(nameTrailer.ReplaceAllString(nameTitles.ReplaceAllString(collapse(s), ""), ""))
	if s == "" || strings.Contains(s, "@") || strings.Contains(s, "://") || !strings.ContainsFunc(s, unicode.IsLetter) {
		return ibid.Name{}, false
	}
	if institution(s) {
		return ibid.Name{Literal: s}, true
	}
	if family, given, ok := strings.Cut(s, ","); ok {
		return invertedName(strings.TrimSpace(family), strings.TrimSpace(given)), true
	}
	words := strings.Fields(s)
	if len(words) == 1 {
		return ibid.Name{Literal: s}, true
	}
	var n ibid.Name
	if last := words[len(words)-1]; isSuffix(last) && len(words) > 2 {
		n.Suffix = last
		words = words[:len(words)-1]
	}
	// "SMITH John", as French and Asian forms have it.
	if capital(words[0]) && !capital(words[len(words)-1]) && len(words[0]) > 2 {
		n.Family, n.Given = titleCase(words[0]), strings.Join(words[1:], " ")
		return n, true
	}
	start := len(words) - 1
	for i := 1; i < len(words)-1; i++ {
		if isParticle(words[i]) {
			start = i
			break
		}
	}
	n.Given = strings.Join(words[:start], " ")
	setFamily(&n, words[start:])
	return n, true
}

// invertedName reads "Berg, Jane van der" and "King, Martin Luther, Jr.".
func invertedName(family, given string) ibid.Name {
	var n ibid.Name
	given, suffix, _ := strings.Cut(given, ",")
	if isSuffix(given) && suffix != "" {
		given, suffix = suffix, given
	}
	n.Suffix = strings.TrimSpace(suffix)
	words := strings.Fields(given)
	end := len(words)
	for end > 1 && isParticle(words[end-1]) {
		end--
	}
	n.Given = strings.Join(words[:end], " ")
	n.DroppingParticle = strings.Join(words[end:], " ")
	setFamily(&n, strings.Fields(family))
	return n
}

// setFamily parts the particle from the family name: "van der Berg".
func setFamily(n *ibid.Name, words []string) {
	i := 0
	for i < len(words)-1 && isParticle(words[i]) {
		i++
	}
	n.NonDroppingParticle = strings.Join(words[:i], " ")
	n.Family = strings.Join(words[i:], " ")
}

func isParticle(w string) bool {
	switch w {
	case "van", "von", "der", "den", "de", "del", "della", "di", "da", "dos", "du", "la", "le", "ter", "ten", "zu", "zum", "zur",
		"af", "av", "el", "al", "bin", "ibn", "op", "'t", "dal", "des":
		return true
	}
	return false
}

func isSuffix(w string) bool {
	switch strings.ToLower(strings.Trim(w, ". ")) {
	case "jr", "sr", "ii", "iii", "iv", "phd", "md", "esq":
		return true
	}
	return false
}

var institutionWord = regexp.MustCompile(`(?i)\b(university|universit[äé]t?|universidad|institute?|institution|department|ministry|agency|bureau|council|committee|commission|` +
	`association|society|company|corporation|corp|inc|ltd|llc|gmbh|ag|foundation|organi[sz]ation|union|bank|group|team|staff|laborator(y|ies)|labs?|` +
	`center|centre|office|government|press|museum|library|consortium|collaboration|academy|college|school|news|times|board|editors?|` +
	`editorial|contributors|authors|wikipedia|network|service|project|museum|nations|federation)\b`)

// institution reports whether the name is clearly not a person's. "IBM" is one word of capitals; "Ministry of Health"
// holds a word that no person's name does.
func institution(s string) bool {
	if institutionWord.MatchString(s) {
		return !strings.Contains(s, ",") || institutionWord.MatchString(strings.SplitN(s, ",", 2)[0])
	}
	words := strings.Fields(s)
	if len(words) == 1 {
		return capital(s) && len(s) > 1
	}
	return strings.EqualFold(words[0], "the")
}

func capital(w string) bool {
	letters := 0
	for _, r := range w {
		if unicode.IsLower(r) {
			return false
		}
		if unicode.IsUpper(r) {
			letters++
		}
		if r == '.' {
			return false
		}
	}
	return letters > 1
}

func titleCase(w string) string {
	r := []rune(strings.ToLower(w))
	for i := range r {
		if i == 0 || r[i-1] == '-' || r[i-1] == '\'' {
			r[i] = unicode.ToUpper(r[i])
		}
	}
	return string(r)
}
