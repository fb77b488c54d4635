package bib

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
)

// others stands for the names that a list leaves out: "Smith, Jane and others". It is nobody's name.
var others = ibid.Name{Literal: "others"}

// readNames reads a list of names as BibTeX does: "First von Last", "von Last, First", "von Last, Jr, First", joined by
// "and"; a name in braces is an institution. BibLaTeX's "family=…, given=…" is read too.
func readNames(s string, usePrefix bool) []ibid.Name {
	var out []ibid.Name
	for _, one := range splitAnd(s) {
		if one = strings.TrimSpace(one); one == "" {
			continue
		}
		if n := readName(one, usePrefix); n != (ibid.Name{}) {
			out = append(out, n)
		}
	}
	return out
}

// splitAnd splits at the word "and" outside of braces.
func splitAnd(s string) []string {
	var out []string
	level, from := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{':
			level++
		case '}':
			level--
		case 'a', 'A':
			if level == 0 && i > 0 && isBlank(s[i-1]) && len(s) > i+3 && strings.EqualFold(s[i:i+3], "and") && isBlank(s[i+3]) {
				out = append(out, s[from:i])
				from = i + 3
				i += 2
			}
		}
	}
	return append(out, s[from:])
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }

// splitTop splits at a byte outside of braces.
func splitTop(s string, at func(byte) bool) []string {
	var out []string
	level, from := 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '{':
			level++
		case c == '}':
			level--
		case level == 0 && at(c):
			out = append(out, s[from:i])
			from = i + 1
		}
	}
	return append(out, s[from:])
}

// words are those of a name, which TeX's ~ and the no-break space that it stands for part, too. "Mu\~noz" is one, and so is
// "Mart\'\i nez": the blank behind a command of letters is part of it.
func words(s string) []string {
	var out []string
	s = strings.ReplaceAll(s, "\u00a0", "~")
	level, from := 0, 0
	cut := func(at int) {
		if at > from {
			out = append(out, s[from:at])
		}
		from = at + 1
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '{':
			level++
		case c == '}':
			level--
		case level > 0:
		case c == '\\' && i+1 < len(s) && isASCIILetter(s[i+1]):
			for i+1 < len(s) && isASCIILetter(s[i+1]) {
				i++
			}
			for i+1 < len(s) && isBlank(s[i+1]) {
				i++
			}
		case c == '\\' && i+1 < len(s) && s[i+1] == '~':
			i++
		case isBlank(c) || c == '~':
			cut(i)
		}
	}
	cut(len(s))
	return out
}

var (
	etAl     = regexp.MustCompile(`^et[ ~]al\.?$`)
	suffixes = regexp.MustCompile(`(?i)^(?:[js]n?r|junior|senior|[ivx]+|[2-9](?:nd|rd|th)|esq|ph\.? ?d|m\.? ?d)\.?$`)
)

func readName(s string, usePrefix bool) ibid.Name {
	if s == others.Literal || etAl.MatchString(s) {
		return others
	}
	if inner, ok := wholeBraces(s); ok {
		return ibid.Name{Literal: decodeTeX(inner, false)}
	}
	parts := splitTop(s, func(c byte) bool { return c == ',' })
	if extended(parts) {
		return readExtended(parts, usePrefix)
	}
	if len(parts) == 3 && strings.TrimSpace(parts[2]) == "" && !suffixes.MatchString(strings.TrimSpace(parts[1])) {
		parts = parts[:2] // "Doe, Jane, and Smith, John"
	}
	var von, last, jr, given []string
	switch len(parts) {
	case 1:
		given, von, last = splitFirst(words(s))
	case 2:
		von, last = splitVon(words(parts[0]))
		given = words(parts[1])
	default:
		von, last = splitVon(words(parts[0]))
		jr, given = words(parts[1]), words(strings.Join(parts[2:], " "))
	}
	return newName(join(von), join(last), join(jr), join(given), usePrefix)
}

func newName(von, last, jr, given string, usePrefix bool) ibid.Name {
	von, n := spaced(von), ibid.Name{Family: spaced(last), Given: spaced(given), Suffix: spaced(jr)}
	if usePrefix {
		n.NonDroppingParticle = von
	} else {
		n.DroppingParticle = von
	}
	return n
}

func join(words []string) string { return decodeTeX(strings.Join(words, " "), false) }

// wholeBraces gives what stands in braces that hold the whole name. "{\'E}" is a letter.
func wholeBraces(s string) (string, bool) {
	s = strings.TrimSpace(s)
	if len(s) < 2 || s[0] != '{' || s[len(s)-1] != '}' || !balanced(s[1:len(s)-1]) {
		return "", false
	}
	inner := s[1 : len(s)-1]
	return inner, !strings.HasPrefix(inner, `\`) || strings.ContainsAny(inner, " ")
}

// splitFirst takes "First von Last" apart: von is what stands between the first and the last word in lower case.
func splitFirst(w []string) (first, von, last []string) {
	if len(w) == 0 {
		return nil, nil, nil
	}
	from, to := -1, -1
	for i, word := range w[:len(w)-1] {
		if isLowerWord(word) {
			if from < 0 {
				from = i
			}
			to = i + 1
		}
	}
	if from < 0 || from == 0 && to == len(w)-1 && isLowerWord(w[to]) { // "bell hooks" writes all of her name small
		return w[:len(w)-1], nil, w[len(w)-1:]
	}
	return w[:from], w[from:to], w[to:]
}

// splitVon takes "von Last" apart. Only words in lower case at the beginning are von: BibTeX would also take the "García
// y" of "García y López" for one.
func splitVon(w []string) (von, last []string) {
	n := 0
	for n < len(w)-1 && isLowerWord(w[n]) {
		n++
	}
	return w[:n], w[n:]
}

// isLowerWord looks at the first letter outside of braces, or of an accent in braces.
func isLowerWord(w string) bool {
	if strings.HasPrefix(w, "{") && !strings.HasPrefix(w, `{\`) {
		return false
	}
	for _, r := range decodeTeX(w, false) {
		if unicode.IsLetter(r) {
			return unicode.IsLower(r)
		}
	}
	return false
}

func extended(parts []string) bool {
	for _, p := range parts {
		key, _, ok := strings.Cut(p, "=")
		if !ok {
			return false
		}
		switch strings.TrimSpace(key) {
		case "family", "given", "prefix", "suffix", "useprefix", "family-i", "given-i", "prefix-i", "suffix-i", "id", "gender", "nametype":
		default:
			return false
		}
	}
	return true
}

func readExtended(parts []string, usePrefix bool) ibid.Name {
	get := map[string]string{}
	for _, p := range parts {
		key, value, _ := strings.Cut(p, "=")
		value = strings.TrimSpace(value)
		if inner, ok := strings.CutPrefix(value, `"`); ok {
			value = strings.TrimSuffix(inner, `"`)
		}
		get[strings.TrimSpace(key)] = decodeTeX(value, false)
	}
	if v, ok := get["useprefix"]; ok {
		usePrefix = v == "true"
	}
	return newName(get["prefix"], get["family"], get["suffix"], get["given"], usePrefix)
}

// writeNames writes names so that readNames gives them back. BibLaTeX has a form for what BibTeX's commas cannot say.
func writeNames(names []ibid.Name, f Format, usePrefix bool) string {
	var out []string
	for _, n := range names {
		if s := writeName(n, f, usePrefix); s != "" {
			out = append(out, s)
		}
	}
	return strings.Join(out, " and ")
}

func writeName(n ibid.Name, f Format, usePrefix bool) string {
	if n.Literal != "" {
		if n == others {
			return n.Literal
		}
		return "{" + encodeTeX(n.Literal, false) + "}"
	}
	n.Given, n.Family, n.Suffix = spaced(n.Given), spaced(n.Family), spaced(n.Suffix)
	particle, family := spaced(n.DroppingParticle+" "+n.NonDroppingParticle), n.Family
	if particle != "" && !plainParticle(n, particle, family, usePrefix) {
		if f == BibLaTeX {
			return writeExtended(n, particle)
		}
		family = squeeze(particle + " " + family)
		if endsInApostrophe(particle) {
			family = particle + n.Family
		}
		particle = ""
	}
	s := namePart(family, true)
	if particle != "" {
		s = encodeTeX(particle, false) + " " + s
	}
	if n.Suffix != "" {
		s += ", " + namePart(n.Suffix, false)
	}
	if n.Given != "" {
		return s + ", " + namePart(n.Given, false)
	}
	if n.Suffix != "" {
		return s + ", {}"
	}
	if particle != "" || strings.ContainsAny(family, " {") || isLowerWord(family) || s != family {
		return s + "," // a name of one part that is no institution
	}
	return s
}

// spaced makes all blanks of a name plain, and one: in a name TeX's ~ only parts its words.
func spaced(s string) string { return squeeze(strings.ReplaceAll(s, "\u00a0", " ")) }

func endsInApostrophe(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r == '\'' || r == '’'
}

// plainParticle reports whether words in lower case before the family name say it all.
func plainParticle(n ibid.Name, particle, family string, usePrefix bool) bool {
	if family == "" || n.DroppingParticle != "" && n.NonDroppingParticle != "" || endsInApostrophe(particle) || (n.NonDroppingParticle != "") != usePrefix {
		return false
	}
	for _, w := range strings.Fields(particle) {
		if !isLowerWord(w) || strings.ContainsAny(w, `,{}\`) || strings.EqualFold(w, "and") {
			return false
		}
	}
	return true
}

func writeExtended(n ibid.Name, particle string) string {
	parts := []string{"family={" + encodeTeX(n.Family, false) + "}"}
	if n.Given != "" {
		parts = append(parts, "given={"+encodeTeX(n.Given, false)+"}")
	}
	if particle != "" {
		parts = append(parts, "prefix={"+encodeTeX(particle, false)+"}")
		if n.NonDroppingParticle != "" {
			parts = append(parts, "useprefix=true")
		} else {
			parts = append(parts, "useprefix=false")
		}
	}
	if n.Suffix != "" {
		parts = append(parts, "suffix={"+encodeTeX(n.Suffix, false)+"}")
	}
	return strings.Join(parts, ", ")
}

// namePart puts a part into braces where its words would be read as something else.
func namePart(s string, family bool) string {
	e := encodeTeX(s, false)
	split := strings.Contains(s, ",") || len(splitAnd(" "+s+" ")) > 1 || strings.Contains(s, "=")
	if family && strings.Contains(s, " ") && isLowerWord(s) {
		split = true
	}
	if split {
		return "{" + e + "}"
	}
	return e
}
