package csl

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
)

// name is a name taken apart.
type name struct {
	family, given, dropping, nonDropping, suffix string
	literal                                      string
	commaSuffix                                  bool
	static                                       bool // family first, always, and nothing between: written in a script that does so
	commaParticle                                bool // the dropping particle follows a comma: "Hédelin, abbé d’"
	familyKey                                    string
	given2                                       string // the given name as compared in disambiguation
	initials                                     string
	short                                        [2]shortened // as last asked for: normalized, initialized
}

type shortened struct {
	text, with string
	ok         bool
}

// makeNames prepares names. Blank ones are left out.
func makeNames(list []ibid.Name) []*name {
	out := make([]*name, 0, len(list))
	made := make([]name, len(list)) // one allocation for all
	for i, n := range list {
		if made[i] = makeName(n); made[i].literal != "" || made[i].family != "" {
			out = append(out, &made[i])
		}
	}
	return out
}

func makeName(in ibid.Name) name {
	n := name{
		family: strings.TrimSpace(oneLine(in.Family)), given: strings.TrimSpace(oneLine(in.Given)), dropping: oneLine(in.DroppingParticle),
		nonDropping: oneLine(in.NonDroppingParticle), suffix: oneLine(in.Suffix), literal: strings.TrimSpace(oneLine(in.Literal)), commaSuffix: in.CommaSuffix,
		static: in.StaticOrdering,
	}
	if n.literal != "" && n.family == "" {
		n.given = ""
		return n
	}
	n.literal = ""
	if n.family == "" {
		n.family, n.given = n.given, ""
		return n
	}
	if quoted(n.family) {
		n.family = n.family[1 : len(n.family)-1] // a name in quotation marks is not taken apart
	} else {
		n.parseParticles()
	}
	if eastAsian(n.family) && (n.given == "" || eastAsian(n.given)) {
		n.static = true
	}
	n.dropping = strings.TrimSpace(n.dropping)
	return n
}

func quoted(s string) bool { return len(s) > 2 && s[0] == '"' && s[len(s)-1] == '"' }

// parseParticles takes particles out of family and given name: "van Gogh", "Alexander von".
func (n *name) parseParticles() {
	if n.nonDropping == "" {
		n.nonDropping, n.family = splitParticle(n.family)
	}
	if n.suffix == "" && n.dropping == "" {
		if given, rest, ok := strings.Cut(n.given, ","); ok {
			rest = strings.TrimSpace(rest)
			n.given = strings.TrimSpace(given)
			switch {
			case strings.HasPrefix(rest, "!"):
				n.suffix, n.commaSuffix = strings.TrimSpace(rest[1:]), true
			case endsInParticle(rest):
				n.dropping, n.commaParticle = rest, true
			default:
				n.suffix = rest
			}
		}
	}
	if n.dropping == "" && n.given != "" {
		words := strings.Fields(n.given)
		at := len(words)
		for at > 1 && particleWord(words[at-1]) {
			at--
		}
		if at < len(words) {
			n.dropping = strings.Join(words[at:], " ")
			n.given = strings.Join(words[:at], " ")
		}
	}
}

func endsInParticle(s string) bool {
	words := strings.Fields(s)
	return len(words) > 0 && particleWord(words[len(words)-1])
}

// particleWord reports whether a word looks like a particle: small letters throughout.
func particleWord(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return unicode.IsLower(r) && isLower(w) && !strings.ContainsAny(w, ".<")
}

// splitParticle takes the leading words in small letters off a family name. A name in small letters throughout has
// no particle.
func splitParticle(family string) (particle, rest string) {
	if family == "" || !(family[0] >= 'a' && family[0] <= 'z' || family[0] == '\'' || family[0] >= utf8.RuneSelf) {
		return "", family
	}
	at := 0
	for at < len(family) {
		r, _ := utf8.DecodeRuneInString(family[at:])
		if !unicode.IsLower(r) && r != '\'' && r != '’' && r != '‘' && r != 'ʿ' && r != '`' {
			break
		}
		end := strings.IndexAny(family[at:], " -'’")
		if end == 0 {
			// a leading apostrophe: "'t Hooft"
			_, size := utf8.DecodeRuneInString(family[at:])
			if next := strings.IndexAny(family[at+size:], " -'’"); next >= 0 {
				end = next + size
			} else {
				break
			}
		}
		if end < 0 {
			break
		}
		_, size := utf8.DecodeRuneInString(family[at+end:])
		word := family[at : at+end]
		if !isLower(word) || strings.Contains(word, "<") {
			break
		}
		at += end + size
	}
	if at == 0 || at >= len(family) {
		return "", family
	}
	r, _ := utf8.DecodeRuneInString(family[at:])
	if unicode.IsLower(r) {
		return "", family
	}
	return strings.TrimSpace(family[:at]), family[at:]
}

// eastAsian reports whether a name is in a script that puts the family first and no space between.
func eastAsian(s string) bool {
	for _, r := range s {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Khmer, unicode.Thai, unicode.Lao, unicode.Myanmar, unicode.Tibetan, unicode.Mongolian) {
			return true
		}
		if unicode.IsLetter(r) {
			return false
		}
	}
	return false
}

// initialsOf shortens a given name to its initials: "John Bertrand de C." gives "J. B. de C.".
// Abbreviations stay whole ("Ph. M." gives "Ph. M."); hyphens are kept if asked for. Where initialize is false only
// what is already an initial is set in the given form.
func initialsOf(given, with string, initialize, hyphen bool) string {
	words := splitGiven(given)
	var b []byte
	trimmed := strings.TrimRight(with, " ")
	for i, w := range words {
		if w.afterHyphen {
			if initialize && !startsUpper(w.text) {
				continue // "Guo-ping" gives "G"
			}
			b = bytes.TrimRight(b, " ")
			if hyphen || !initialize {
				b = append(b, '-')
			}
		}
		text, initial := shorten(w, initialize)
		if !initial {
			if len(b) > 0 && !w.afterHyphen && b[len(b)-1] != ' ' {
				b = append(b, ' ')
			}
			b = append(b, text...)
			if i+1 < len(words) && !words[i+1].afterHyphen {
				b = append(b, ' ')
			}
			continue
		}
		open, inner, end := splitTags(text)
		b = append(b, open...)
		b = append(b, inner...)
		b = append(b, trimmed...)
		b = append(b, end...)
		b = append(b, with[len(trimmed):]...)
	}
	return string(bytes.TrimSpace(b))
}

// splitTags parts a word from the tags around it.
func splitTags(w string) (open, inner, end string) {
	if !strings.Contains(w, "<") {
		return "", w, ""
	}
	at := 0
	for strings.HasPrefix(w[at:], "<") {
		i := strings.IndexByte(w[at:min(len(w), at+maxTag)], '>')
		if i < 0 {
			break
		}
		at += i + 1
	}
	open, w = w[:at], w[at:]
	if i := strings.Index(w, "</"); i >= 0 {
		w, end = w[:i], w[i:]
	}
	return open, w, end
}

type givenWord struct {
	text        string
	period      bool // a full stop followed
	afterHyphen bool
}

func splitGiven(s string) []givenWord {
	var out []givenWord
	var cur strings.Builder
	hyphen, tag := false, false
	flush := func(period bool) {
		if cur.Len() == 0 {
			if period && len(out) > 0 {
				out[len(out)-1].period = true
			}
			return
		}
		out = append(out, givenWord{cur.String(), period, hyphen})
		cur.Reset()
		hyphen = false
	}
	for _, r := range s {
		switch {
		case r == '<':
			tag = true
			cur.WriteRune(r)
		case tag:
			tag = r != '>'
			cur.WriteRune(r)
		case r == '.':
			flush(true)
		case unicode.IsSpace(r):
			flush(false)
			hyphen = false
		case r == '-' || r == '‐' || r == '‑' || r == '–':
			flush(false)
			hyphen = len(out) > 0
		default:
			cur.WriteRune(r)
		}
	}
	flush(false)
	return out
}

func startsUpper(s string) bool {
	_, s, _ = splitTags(s)
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r) || unicode.IsLetter(r) && !unicode.IsLower(r)
}

// shorten gives a word of a given name as an initial, or as it is.
func shorten(w givenWord, initialize bool) (text string, initial bool) {
	open, s, end := splitTags(w.text)
	if w.period || utf8.RuneCountInString(s) == 1 && startsUpper(s) {
		if particleWord(s) && !w.period {
			return w.text, false
		}
		return w.text, true
	}
	if !initialize {
		return w.text, false
	}
	first, size := utf8.DecodeRuneInString(s)
	if !unicode.IsUpper(first) && !(unicode.IsLetter(first) && !unicode.IsLower(first)) {
		return w.text, false
	}
	// "TSerendorjiin" gives "Ts"; "ME" gives "M".
	run := s[size:]
	extra := 0
	for extra < len(run) {
		r, n := utf8.DecodeRuneInString(run[extra:])
		if !unicode.IsUpper(r) {
			break
		}
		extra += n
	}
	out := s[:size]
	if extra > 0 && extra < len(run) {
		out += strings.ToLower(run[:extra])
	}
	return open + out + end, true
}
