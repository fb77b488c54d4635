package ingest

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// raisedFrom and raisedTo stand around raised text until its paragraph is whole. No XML can hold them, and of rich text they are left
// out.
const raisedFrom, raisedTo = "\x01", "\x02"

func raised(s string) string { return raisedFrom + s + raisedTo }

// bracketNotes puts the raised numbers of notes into brackets, so that they are not read as part of the word before them: those behind
// a word or the end of a sentence, and those that open the note. Powers stand behind numbers, units and short names, and stay.
func bracketNotes(s string) string { return bracketFrom(s, true) }

// bracketWithin does the same in the text of a note, whose own number stands before it already.
func bracketWithin(s string) string { return bracketFrom(s, false) }

func bracketFrom(s string, opens bool) string { // opens: nothing but blanks stands before
	if !strings.Contains(s, raisedFrom) {
		return s
	}
	s = strings.ReplaceAll(s, raisedTo+raisedFrom, "")
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(s, raisedFrom)
		out.WriteString(before)
		if !ok {
			return out.String()
		}
		inside, after, _ := strings.Cut(rest, raisedTo)
		s = after
		sign := strings.TrimSpace(inside)
		opens = opens && strings.TrimSpace(before) == ""
		switch {
		case !areNoteNumbers(sign), opens && !opensNote(after), !opens && !takesNote(before, after):
			out.WriteString(inside)
		case opens:
			out.WriteString("[" + sign + "] ")
		default:
			out.WriteString(strings.Replace(inside, sign, "["+sign+"]", 1))
		}
		opens = opens && sign == ""
	}
}

// areNoteNumbers: "1", "1,2", "3–5", "*".
func areNoteNumbers(s string) bool {
	for _, n := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' || r == '-' || r == '–' }) {
		if !isNoteNumber(n) {
			return false
		}
	}
	return strings.Trim(s, ",-– ") != "" && len(s) < 20
}

// opensNote reports whether words follow, and no sign of a chemical element, as behind the number of an isotope.
func opensNote(after string) bool {
	return strings.HasPrefix(after, " ") || len(after)-len(strings.TrimLeftFunc(after, unicode.IsLetter)) >= 4
}

// takesNote reports whether a raised number between these is one of a note.
func takesNote(before, after string) bool {
	if end := strings.TrimRight(before, " \u00a0"); end != before { // it stands apart, and may be the number of an isotope
		if after = strings.TrimLeft(after, ".,;:)"); after != "" && !strings.ContainsAny(after[:1], " \n\t") {
			return false
		}
		before = end
	}
	if strings.TrimRight(before, `.,;:!?…%”“"’»`) != before || endsInYear(before) {
		return true
	}
	word := before[len(strings.TrimRightFunc(before, unicode.IsLetter)):]
	switch strings.ToLower(word) {
	case "metre", "metres", "meter", "meters", "miles", "yards", "inches", "second", "seconds", "mile", "yard", "inch", "feet", "foot", "mmol", "nmol", "kmol", "kcal", "msec", "sinh", "cosh", "tanh", "grad":
		return false
	}
	long := utf8.RuneCountInString(word)
	return long >= 5 || long == 4 && strings.LastIndexFunc(word, unicode.IsUpper) <= 0 // "NaCl" is no word
}

// endsInYear: what is raised behind one is seldom a power.
func endsInYear(s string) bool {
	digits := s[len(strings.TrimRight(s, "0123456789")):]
	rest := strings.TrimSuffix(s, digits)
	return len(digits) == 4 && digits >= "1000" && digits <= "2099" && strings.TrimRight(rest, ".,×*") == rest
}
