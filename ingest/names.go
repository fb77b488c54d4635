package ingest

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/ibid-dev/ibid"
)

var (
	listSplit   = regexp.MustCompile(`\s*[;•\x{00b7}]\s*`)
	nameSplit   = regexp.MustCompile(`(?:^|\s+)(?:et al\b\.?|(?:&|and|und|et)(?:\s+|$))`)
	nameTrailer = regexp.MustCompile(`[\s*†‡§¶,0-9¹²³⁴⁵⁶⁷⁸⁹⁰]+$`)
	nameTitles  = regexp.MustCompile(`(?i)^((?:by|dr|prof|professor|mr|mrs|ms|sir|rev|von der redaktion)\.?\s+)+`)
	byLine      = regexp.MustCompile(`(?i)^by\s+`)
	oneInitial  = regexp.MustCompile(`^\p{Lu}\.(?:-?\p{Lu}\.)*$`)
	allInitials = regexp.MustCompile(`^\p{Lu}(?:\.[\s-]?\p{Lu}){0,3}\.?$`)
)

// parseNames reads one field that may name several people: "Smith, J.; Doe, A.", "Jane Doe and John Smith",
// "J. Doe, A. Smith".
func parseNames(s string) []ibid.Name {
	s = collapse(s)
	if s == "" || len(s) > 2000 {
		return nil
	}
	var out []ibid.Name
	for _, part := range listSplit.Split(s, -1) {
		out = append(out, nameList(part)...)
	}
	return out
}

// nameList reads names joined by commas and "and". Institutions have those in their own names: where it is not plain
// that they part people, the text is one name, as no name is better than one of somebody who does not exist.
func nameList(s string) []ibid.Name {
	s = byLine.ReplaceAllString(strings.Trim(s, " ,"), "")
	pieces := nameSplit.Split(s, -1)
	if !apart(s, pieces) {
		if !namesSomebody(s) {
			return nil
		}
		return []ibid.Name{{Literal: s}}
	}
	var out []ibid.Name
	for _, piece := range pieces {
		for _, one := range commaList(piece) {
			if n, ok := parseName(one); ok {
				out = append(out, n)
			}
		}
	}
	return out
}

// apart reports whether the pieces of a list are names of their own. "Simon and Schuster" may be a house; "Ministry of
// Health and Sport" is one. A person beside an institution is known by initials, or by a comma where nothing is joined.
func apart(s string, pieces []string) bool {
	if legalForm(s) {
		return false
	}
	var parts []string
	institutions := 0
	for _, piece := range pieces {
		if short := strings.Trim(piece, " ,"); len(pieces) > 1 && !strings.ContainsAny(short, ", ") && short != "" && short != "others" && !capital(short) {
			return false
		}
		for _, p := range commaParts(piece) {
			parts = append(parts, p)
			if organisation(p) {
				institutions++
			}
		}
	}
	switch {
	case institutions == 0, len(parts) == 1:
		return true
	case slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(p, " ") }):
		return false
	case len(pieces) == 1:
		return !organisation(parts[0])
	}
	last := len(parts) - 1
	return institutions == 1 && organisation(parts[last]) && !slices.ContainsFunc(parts[:last], func(p string) bool { return !hasInitial(p) })
}

// hasInitial looks for an initial that a family name follows.
func hasInitial(s string) bool {
	words := strings.Fields(s)
	return slices.ContainsFunc(words[:len(words)-1], oneInitial.MatchString)
}

// commaParts parts a text at commas and leaves out what is no name: degrees, years of birth, marks of footnotes.
func commaParts(s string) []string {
	var out []string
	for i, p := range strings.Split(s, ",") {
		p = strings.TrimSpace(p)
		whole := len(out) > 0 && (i > 1 || strings.Contains(out[len(out)-1], " "))
		if strings.ContainsFunc(p, unicode.IsLetter) && !isDegree(p, whole) {
			out = append(out, p)
		}
	}
	return out
}

// commaList parts "Jane Doe, John Smith" and "Doe, J., Smith, A." and leaves "Doe, Jane" and "King, Martin Luther, Jr."
// whole: a name in front of a comma that has two words or more is a whole name.
func commaList(s string) []string {
	parts := commaParts(s)
	if len(parts) < 2 {
		return parts
	}
	var out []string
	if !slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(p, " ") && !isSuffix(p) }) {
		for _, p := range parts {
			if isSuffix(p) && len(out) > 0 {
				out[len(out)-1] += ", " + p
				continue
			}
			out = append(out, p)
		}
		return out
	}
	for i := 0; i+1 < len(parts) && len(parts)%2 == 0 && allInitials.MatchString(parts[i+1]); i += 2 {
		out = append(out, parts[i]+", "+parts[i+1])
	}
	if len(out)*2 == len(parts) {
		return out
	}
	return []string{strings.Join(parts, ", ")}
}

// namesSomebody reports whether there is a name in the text, and no address instead.
func namesSomebody(s string) bool {
	return strings.ContainsFunc(s, unicode.IsLetter) && !strings.Contains(s, "@") && !strings.Contains(s, "://")
}

// parseName reads the name of one person or institution. It says false where there is no name in the text.
func parseName(s string) (ibid.Name, bool) {
	s = strings.TrimSpace(nameTrailer.ReplaceAllString(nameTitles.ReplaceAllString(collapse(s), ""), ""))
	if !namesSomebody(s) {
		return ibid.Name{}, false
	}
	if organisation(s) {
		return ibid.Name{Literal: s}, true
	}
	if family, given, ok := strings.Cut(s, ","); ok {
		return invertedName(strings.TrimSpace(family), strings.TrimSpace(given)), true
	}
	words := strings.Fields(s)
	for len(words) > 2 && isDegree(words[len(words)-1], false) {
		words = words[:len(words)-1]
	}
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
		if (words[i] == "y" || words[i] == "e") && i > 1 { // "Ortega y Gasset" is one family name; more words may be two people
			if i != len(words)-2 {
				return ibid.Name{Literal: s}, true
			}
			start = i - 1
			break
		}
		if isParticle(words[i]) {
			start = i
			break
		}
	}
	n.Given = strings.Join(words[:start], " ")
	setFamily(&n, words[start:])
	return n, true
}

// invertedName reads "Berg, Jane van der" and "King, Martin Luther, Jr.", and "Martin Luther King, Jr.", which is none.
func invertedName(family, given string) ibid.Name {
	var n ibid.Name
	given, suffix, more := strings.Cut(given, ",")
	if isSuffix(given) {
		given, suffix = suffix, given
	}
	suffix = strings.TrimSpace(suffix)
	if more && !isSuffix(suffix) {
		return ibid.Name{Literal: family + ", " + given + ", " + suffix}
	}
	if given == "" && strings.Contains(family, " ") {
		n, _ = parseName(family)
		n.Suffix = suffix
		return n
	}
	n.Suffix = suffix
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
		"af", "av", "el", "al", "bin", "ibn", "op", "'t", "dal", "des", "los", "las", "do", "das", "dei", "degli", "vom":
		return true
	}
	return false
}

func isSuffix(w string) bool {
	switch strings.ToLower(strings.Trim(w, ". ")) {
	case "jr", "sr", "ii", "iii", "iv":
		return true
	}
	return false
}

// isDegree reports whether a text is nothing but degrees: "PhD", "M.D., Ph.D.". Behind a whole name also those that may be
// initials elsewhere: "Doe, MD".
func isDegree(s string, whole bool) bool {
	words := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '/' })
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool {
		switch strings.ReplaceAll(w, ".", "") {
		case "PhD", "PHD", "Phd", "DPhil", "DSc", "ScD", "MSc", "BSc", "MPhil", "MPH", "MBA", "EdD", "PsyD", "PharmD", "MBBS", "MBChB", "DVM", "LLB", "LLM", "FRS", "FRCP", "Esq":
			return false
		case "MD", "JD", "RN", "DDS":
			return !whole
		}
		return true
	})
}

// institutionWords are words that no person is called by. Their plurals count as well.
var institutionWords = wordSet(`university universität universitaet universidad universidade università universite université universiteit hochschule institute institut instituto istituto institution
	department departement ministry ministère ministerio ministero ministerium agency agence agencia agenzia agentur bureau bundesamt bundesanstalt bundesministerium council conseil consejo committee
	comité commission comisión kommission association asociación associazione verband verein society société sociedad gesellschaft company compagnie corporation foundation fondation fundación
	fundação fondazione stiftung organization organisation organización union bank banque banco group groupe grupo gruppe team staff laboratory lab center centre centro zentrum office government press
	museum library archive consortium collaboration academy académie academia akademie college school news times board editor editorial contributors authors redaktion newsroom wikipedia network
	service project nations federation fund trust authority administration international national federal global world watch rights coalition alliance initiative forum programme program campaign secretariat
	directorate division parliament senate congress assembly embassy police army navy hospital clinic panel task taskforce observatory gallery publisher publishing verlag media magazine journal gazette
	science medicine health research studies systems technologies solutions software industries holdings consulting associates partners american european supreme ag`)

// legalForms end the names of companies, mostly behind a comma.
var legalForms = wordSet(`ltd limited inc incorporated corp llc llp plc pty gmbh sarl ggmbh kgaa`)

// joiningWords stand between the words of an institution's name, also with a capital.
var joiningWords = wordSet(`of for the without against für pour ohne`)

func wordSet(s string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		set[w] = true
	}
	return set
}

func isInstitutionWord(w string) bool {
	w = strings.ToLower(w)
	if institutionWords[w] || legalForms[w] {
		return true
	}
	if stem, ok := strings.CutSuffix(w, "ies"); ok && institutionWords[stem+"y"] {
		return true
	}
	stem, ok := strings.CutSuffix(w, "s")
	return ok && institutionWords[stem] && w != "banks" // which is a family name
}

var house = regexp.MustCompile(`(?i)(?:&|\band)\s+(?:sons?|daughters?|co|company|brothers|bros)\b|\be\.\s?V\.`)

// legalForm reports whether the text is the name of a company with all that the law asks for.
func legalForm(s string) bool {
	return house.MatchString(s) || slices.ContainsFunc(letterWords(s), func(w string) bool { return legalForms[strings.ToLower(w)] })
}

func letterWords(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '\'' && r != '’' })
}

// organisation reports whether the name is clearly not a person's: "Ministry of Health" holds a word that no person's name
// does, and a small one inside that is no particle.
func organisation(s string) bool {
	if slices.ContainsFunc(letterWords(s), isInstitutionWord) {
		return true
	}
	words := strings.Fields(s)
	switch {
	case len(words) < 2:
		return false
	case strings.EqualFold(words[0], "the"):
		return true
	}
	cased := strings.ContainsFunc(s, unicode.IsUpper)
	return slices.ContainsFunc(words[1:len(words)-1], func(w string) bool {
		return joiningWords[strings.ToLower(w)] || cased && isSmallWord(w)
	})
}

// isSmallWord reports whether a word in lower case is none of those that names of people hold.
func isSmallWord(w string) bool {
	if strings.ContainsFunc(w, unicode.IsUpper) || !strings.ContainsFunc(w, unicode.IsLower) || strings.HasSuffix(w, ".") || isSuffix(w) {
		return false
	}
	w = strings.Trim(w, ",*†‡§¶0123456789")
	if i := strings.IndexAny(w, "-'’"); i > 0 {
		w = w[:i] // al-rahman, d'
	}
	switch w {
	case "y", "e", "i", "d", "l", "lo", "ben", "abu", "ul", "ap", "'t", "’t":
		return false
	}
	return !isParticle(w)
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
