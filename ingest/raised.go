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

// noRaised takes those signs off a text that may hold them.
var noRaised = strings.NewReplacer(raisedFrom, "", raisedTo, "")

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
		opens = opens && strings.TrimSpace(before) == ""
		out.WriteString(bracketed(before, inside, after, opens))
		opens = opens && strings.TrimSpace(inside) == ""
	}
}

// bracketed is how raised text is written between what stands before and behind it.
func bracketed(before, inside, after string, opens bool) string {
	sign := strings.TrimSpace(inside)
	switch {
	case !areNoteNumbers(sign), opens && !opensNote(after), !opens && !takesNote(before, after):
		return behindNumber(before, inside, after)
	case opens:
		return "[" + sign + "] "
	}
	return strings.Replace(inside, sign, "["+sign+"]", 1)
}

// behindNumber keeps a raised number apart from the one it stands behind: ten to the sixth is not 106.
func behindNumber(before, inside, after string) string {
	power := strings.TrimLeft(inside, "-−–+")
	switch {
	case power == "" || !isDigits(power) || before == "" || !isDigits(before[len(before)-1:]):
		return inside
	case strings.HasPrefix(after, "/") || strings.HasPrefix(after, "⁄"): // two and a half
		return " " + inside
	case len(inside) == 2 && inside == power && endsInPrice(before):
		return "." + inside
	}
	return "^" + inside
}

// endsInPrice: what is raised behind a sum of money are its cents.
func endsInPrice(s string) bool {
	sign, _ := utf8.DecodeLastRuneInString(strings.TrimRight(strings.TrimRight(s, "0123456789"), " \u00a0"))
	return unicode.Is(unicode.Sc, sign)
}

// withoutNotes is a title without the numbers of notes at its end.
func withoutNotes(title string) string {
	for {
		rest, ok := strings.CutSuffix(title, "]")
		i := strings.LastIndexByte(rest, '[')
		if !ok || i <= 0 || !areNoteNumbers(rest[i+1:]) || rest[i-1] == ' ' {
			return title
		}
		title = rest[:i]
	}
}

func isNoteNumber(s string) bool {
	return s != "" && (len(s) < 5 && strings.Trim(s, "0123456789") == "" || strings.Trim(s, "*†‡§¶") == "" && len(s) < 10)
}

// isNoteSign reports whether a raised link is the sign of a note: its number, its letter, or its number in Roman ones.
func isNoteSign(s string) bool {
	return isNoteNumber(s) || len(s) == 1 && s >= "a" && s <= "z" || s != "" && len(s) < 6 && strings.Trim(s, "ivxl") == ""
}

// areNoteNumbers: "1", "1,2", "3–5", "*".
func areNoteNumbers(s string) bool {
	for _, n := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' || r == '-' || r == '–' }) {
		if !isNoteNumber(n) {
			return false
		}
	}
	return s != "" && !strings.ContainsAny(s[:1], ",-") && !strings.HasPrefix(s, "–") && len(s) < 20 // "-3" is a power
}

// opensNote reports whether words follow, and no sign of a chemical element, as behind the number of an isotope.
func opensNote(after string) bool {
	word := after[:len(after)-len(strings.TrimLeftFunc(after, unicode.IsLetter))]
	switch long := utf8.RuneCountInString(word); {
	case long >= 4, strings.HasPrefix(after, " "):
		return true
	case long == 3:
		return strings.LastIndexFunc(word, unicode.IsUpper) < 1
	}
	return noteOpeners[word] && strings.HasPrefix(after[len(word):], " ")
}

// noteOpeners are short words that are no elements.
var noteOpeners = map[string]bool{"A": true, "An": true, "On": true, "By": true, "We": true, "It": true, "To": true, "So": true, "If": true, "My": true, "Is": true, "Do": true, "Of": true, "Or": true}

// takesNote reports whether a raised number between these is one of a note.
func takesNote(before, after string) bool {
	if end := strings.TrimRight(before, " \u00a0"); end != before { // it stands apart, and may be the number of an isotope
		if after = strings.TrimLeft(after, ".,;:)"); after != "" && !strings.ContainsAny(after[:1], " \n\t") {
			return false
		}
		before = end
	}
	if strings.TrimRight(before, `.,;:!?…%”“"’»。、，！？」』`) != before || endsInNumber(before) {
		return true
	}
	inside := strings.TrimRight(before, ")）") // of which the last word decides: "(a + b)"
	if endsInYear(inside) {
		return true
	}
	word := inside[len(strings.TrimRightFunc(inside, unicode.IsLetter)):]
	if long := utf8.RuneCountInString(word); long < 3 || long < 5 && strings.LastIndexFunc(word, unicode.IsUpper) > 0 { // "NaCl" is no word
		return false
	}
	return !powered[strings.ToLower(word)]
}

// powered are the words that powers stand behind: units, functions, and letters that are spelled.
var powered = func() map[string]bool {
	out := map[string]bool{}
	for _, word := range strings.Fields(`metre metres meter meters mile miles yard yards inch inches feet foot second seconds sec msec min hour hours day mol mmol nmol kmol cal kcal erg dyn bar atm ohm lux
		rad deg ppm ppb rpm psi mph ton bit sin cos tan cot sinh cosh tanh arcsin arccos arctan log exp lim max var det dim grad phi chi rho tau eta beta gamma delta theta sigma omega alpha lambda`) {
		out[word] = true
	}
	return out
}()

// endsInNumber: behind the number of a note in its brackets stands that of another.
func endsInNumber(s string) bool {
	inside, ok := strings.CutSuffix(s, "]")
	digits := inside[len(strings.TrimRight(inside, "0123456789")):]
	return ok && digits != "" && strings.HasSuffix(strings.TrimSuffix(inside, digits), "[")
}

// endsInYear: what is raised behind one is seldom a power.
func endsInYear(s string) bool {
	digits := s[len(strings.TrimRight(s, "0123456789")):]
	rest := strings.TrimSuffix(s, digits)
	return len(digits) == 4 && digits >= "1000" && digits <= "2099" && strings.TrimRight(rest, ".,×*") == rest
}
