package bib

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
)

// RIS and EndNote write a name as "Family, Given, Suffix". An institution has no comma; where its name has one, the
// first is doubled: "University of California,, Berkeley". A dropping particle follows the given name: "Humboldt,
// Alexander von".

// readPlainNames reads the name of a tag, or several persons' whom a program has put into one: "Smith, J.; Doe, K.".
func readPlainNames(s string) []ibid.Name {
	var out []ibid.Name
	for one := range strings.SplitSeq(s, ";") {
		if one = squeeze(one); one == "" {
			continue
		}
		if !strings.Contains(one, ",") || strings.Contains(one, ",,") { // an institution, which may have any sign in its name
			return []ibid.Name{readPlainName(s)}
		}
		out = append(out, readPlainName(one))
	}
	return out
}

func readPlainName(s string) ibid.Name {
	s = squeeze(s)
	if i := strings.Index(s, ",,"); i >= 0 {
		return ibid.Name{Literal: squeeze(strings.TrimRight(s[:i], " ,") + ", " + strings.TrimLeft(s[i:], ", "))}
	}
	family, rest, ok := strings.Cut(s, ",")
	if !ok {
		return ibid.Name{Literal: s}
	}
	given, suffix, _ := strings.Cut(rest, ",")
	n := ibid.Name{Family: strings.TrimSpace(family), Given: strings.TrimSpace(given), Suffix: strings.TrimSpace(suffix)}
	words := strings.Split(n.Given, " ")
	cut := len(words)
	for cut > 1 && isLowerCase(words[cut-1]) {
		cut--
	}
	if cut < len(words) && !isLowerCase(words[0]) {
		n.Given, n.DroppingParticle = strings.Join(words[:cut], " "), strings.Join(words[cut:], " ")
	}
	return n
}

func isLowerCase(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsLower(r)
}

func writePlainName(n ibid.Name) string {
	if n.Literal == "" && n.Given+n.DroppingParticle+n.NonDroppingParticle+n.Suffix == "" && strings.Contains(n.Family, ",") {
		n.Literal = n.Family // an institution in the wrong field: a person's family name has no comma
	}
	if n.Literal != "" {
		s := squeeze(n.Literal)
		if i := strings.Index(s, ","); i >= 0 && !strings.Contains(s, ",,") {
			s = s[:i] + "," + s[i:]
		}
		return s
	}
	family := squeeze(n.NonDroppingParticle + " " + n.Family)
	if endsInApostrophe(n.NonDroppingParticle) {
		family = squeeze(n.NonDroppingParticle + n.Family)
	}
	s := family + ", " + squeeze(n.Given+" "+n.DroppingParticle)
	if n.Suffix != "" {
		s += ", " + squeeze(n.Suffix)
	}
	return strings.TrimSpace(s)
}

// plainNames writes names and says which of them a plain form cannot hold.
func (l *leftovers) plainNames(variable string) []string {
	var out []string
	for _, n := range l.takeNames(variable) {
		if n == others {
			l.lose(variable, "that there are others, who are not named")
			continue
		}
		s := writePlainName(n)
		if s == "" || s == "," {
			continue
		}
		if n.NonDroppingParticle != "" && n.Literal == "" {
			l.lose(variable, "the particle of "+n.String()+" is written as part of the family name")
		} else if back := readPlainNames(s); len(back) != 1 {
			l.lose(variable, clip(n.String())+" will be read as several names")
		} else if !sameName(back[0], n) {
			l.lose(variable, clip(n.String())+" will be read in other parts: "+partsOf(back[0]))
		}
		out = append(out, s)
	}
	return out
}

// clip keeps messages short.
func clip(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:59]) + "…"
	}
	return s
}

// partsOf says which part of a name is what.
func partsOf(n ibid.Name) string {
	var out []string
	for _, p := range []struct{ what, text string }{{"institution", n.Literal}, {"family", n.Family}, {"given", n.Given}, {"particle", n.DroppingParticle}, {"suffix", n.Suffix}} {
		if p.text != "" {
			out = append(out, p.what+" "+strconv.Quote(clip(p.text)))
		}
	}
	return strings.Join(out, ", ")
}

func sameName(a, b ibid.Name) bool {
	b.CommaSuffix, b.StaticOrdering, b.ParseNames = false, false, false
	for _, f := range []*string{&b.Family, &b.Given, &b.Suffix, &b.Literal, &b.DroppingParticle} {
		*f = squeeze(*f)
	}
	return a == b
}

// splitKeywords takes keywords apart at semicolons.
func splitKeywords(s string) []string {
	var out []string
	for k := range strings.SplitSeq(s, ";") {
		if k = squeeze(k); k != "" {
			out = append(out, k)
		}
	}
	return out
}

// isSerialNumber tells an ISSN from an ISBN by the number of its digits.
func isSerialNumber(s string) bool {
	s, _, _ = strings.Cut(strings.TrimSpace(s), " ") // "0378-5955 (print)"
	digits := 0
	for _, c := range s {
		switch {
		case c >= '0' && c <= '9', c == 'X', c == 'x':
			digits++
		case c == ',' || c == ';' || c == '(':
			return digits == 8
		}
	}
	return digits == 8
}

// splitPages takes a range of two pages apart where it can be put together again.
func splitPages(s string) (from, to string) {
	s = pageRange(squeeze(s))
	if from, to, ok := strings.Cut(s, "-"); ok && from != "" && to != "" && !strings.ContainsAny(to, "-,; ") && !strings.ContainsAny(from, ",; ") {
		return from, to
	}
	return s, ""
}

func joinPages(from, to string) string {
	if to == "" || strings.HasSuffix(pageRange(from), "-"+to) { // the first may hold all of the range: "123-130" and "130"
		return from
	}
	if from == "" {
		return to
	}
	return from + "-" + to
}

// keepPairs drops what has no text.
func keepPairs(pairs [][2]string) [][2]string {
	return slices.DeleteFunc(pairs, func(p [2]string) bool { return strings.TrimSpace(p[1]) == "" })
}
