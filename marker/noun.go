package marker

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
)

// A reference may be a word of its sentence: "According to [CTX 1], it failed.", "[1] and [2] say that it failed." Taken out like
// any other it would leave a hole, and its number is that of a passage, which readers never see. So words stand in its place
// that say no more than it does: the source, the sources. Which one is said by the mark.

// Cut is what was taken out of the raw text.
type Cut struct {
	At  ibid.Span // of the raw text
	Put string    // stands in its place; mostly ""
}

// noun gives the words to put in the place of a reference, "" where its sentence is whole without it, and the reference with
// those that are joined to it: "[1], [2] and [3]".
func (s *Scanner) noun(rest string, at int, ref reference, eof bool) (string, reference, verdict) {
	if len(ref.numbers) == 0 || ref.name != "" || ref.url != "" || ref.separate || s.behindMarker(at) || !s.bare() && !s.startsSentence() {
		return "", ref, no
	}
	last := s.wordBefore(1)
	led := s.led(last)
	joining := led == "" && slices.Contains(conjunctions, last)
	if led == "" && !joining && !s.startsSentence() && !s.contrasts() {
		return "", ref, no
	}
	all, v := joined(rest, ref, eof)
	if v == more {
		return "", ref, more
	}
	if led == "" {
		switch tells(rest[all.n:], len(all.numbers) > 1, eof) {
		case more:
			return "", ref, more
		case no:
			return "", ref, no
		}
	}
	return s.words(all, led), all, yes
}

// bare reports whether nothing but a blank stands between the reference and the word before it.
func (f *flow) bare() bool { return f.lead != "" && strings.Trim(f.lead, blanks) == "" }

// startsSentence reports whether the reference opens its sentence.
func (f *flow) startsSentence() bool {
	return f.leads() || f.lead != "" && endsSentence(f.word)
}

// behindMarker reports whether a marker was taken out right before this place of the raw text, other than by its opening.
func (f *flow) behindMarker(at int) bool {
	n := len(f.open)
	return f.taken && (n == 0 || f.open[n-1].from != at)
}

// contrasts reports whether the reference follows a comma on a line that has spoken of a source: "[1] says so, [2] does not".
func (f *flow) contrasts() bool { return len(f.spoken) > 0 && bytes.HasSuffix(f.recent, []byte(",")) }

// led gives the word in front of the reference, where it needs one behind it.
func (f *flow) led(last string) string {
	ok := false
	switch last {
	case "to":
		ok = slices.Contains([]string{"according", "refer", "refers", "referring"}, f.wordBefore(2))
	case "on":
		ok = slices.Contains([]string{"based", "drawing", "relying"}, f.wordBefore(2))
	case "in", "by":
		before := f.wordBefore(2)
		ok = before == "" || slices.Contains(toldOf, before) || last == "in" && before == "as"
	case "from":
		before := f.wordBefore(2)
		ok = before == "" || slices.Contains([]string{"taken", "drawn", "derived", "quoted", "adapted"}, before)
	case "see", "nach", "secondo", "segundo": // not "as you can see", "denkt darüber nach", "il secondo"
		before := f.wordBefore(2)
		ok = before == "" || strings.ContainsAny(before[len(before)-1:], ".;:,!?)") || bytes.HasSuffix(bytes.ToLower(f.before()), []byte("("+last))
	default:
		ok = slices.Contains([]string{"per", "cf.", "laut", "gemäß", "selon", "d'après", "d’après", "según", "volgens"}, last)
	}
	if !ok {
		return ""
	}
	return last
}

// toldOf are the words before "in [1]" and "by [1]".
var toldOf = []string{"stated", "mentioned", "noted", "described", "discussed", "indicated", "outlined", "explained", "reported", "shown", "given", "listed", "detailed",
	"documented", "presented", "highlighted", "confirmed", "suggested", "supported", "cited", "found", "contained", "provided"}

// conjunctions are the words before a reference that is the subject of what follows.
var conjunctions = []string{"while", "whereas", "but", "and", "although", "though", "both", "that", "as", "because", "since", "if", "what"}

// wordBefore gives the n-th word before this place, in small letters and without what opens it.
func (f *flow) wordBefore(n int) string {
	rest := f.before()
	for ; ; n-- {
		rest = bytes.TrimRightFunc(rest, unicode.IsSpace)
		word := rest
		if i := bytes.LastIndexFunc(rest, unicode.IsSpace); i >= 0 {
			_, size := utf8.DecodeRune(rest[i:])
			word = rest[i+size:]
		}
		if n == 1 {
			return strings.ToLower(strings.TrimLeft(string(word), "(*_\"“'["))
		}
		rest = rest[:len(rest)-len(word)]
	}
}

// joined takes the references that follow in a row or a list into the first one.
func joined(rest string, ref reference, eof bool) (reference, verdict) {
	all := ref
	all.numbers = slices.Clone(ref.numbers)
	for {
		n, v := separation(rest[all.n:], eof)
		if v == more {
			return ref, more
		}
		if v == no {
			return all, yes
		}
		if all.n+n == len(rest) {
			return all, endOrYes(eof)
		}
		if rest[all.n+n] != '[' {
			return all, yes
		}
		next, v := bracketed(rest[all.n+n:], eof)
		switch {
		case v == more:
			return ref, more
		case v == no || len(next.numbers) == 0:
			return all, yes
		}
		if all.n += n + next.n; all.n == len(rest) && !eof {
			return ref, more
		}
		all.numbers = append(all.numbers, next.numbers...)
		if len(all.numbers) > 99 || all.n > markerLimit {
			return all, yes
		}
	}
}

// separation finds what stands between two references of a list: at most a comma, a word and a blank on either side.
func separation(s string, eof bool) (int, verdict) {
	for _, sep := range separations {
		if strings.HasPrefix(s, sep) {
			return len(sep), yes
		}
		if !eof && strings.HasPrefix(sep, s) {
			return 0, more
		}
	}
	return 0, no
}

// separations are in such an order that none is found where a longer one stands.
var separations = []string{", and ", ", or ", ", ", ",", "; ", ";", " and ", " & ", "&", " or ", " und ", " et ", " e ", " y ", " en ", " / ", "/", " ", ""}

// gap measures what stands between this reference and the next one of a list, "[1], [2] and [3]": with both taken out it would be
// left over. It is 0 where no list goes on; "[1], and [2] says so" is none.
func (s *Scanner) gap(rest string, eof bool) (int, verdict) {
	n, v := separation(rest, eof)
	if v != yes || strings.Trim(rest[:n], " ") == "" { // a row needs nothing taken out
		return 0, v
	}
	next, v := referenceAt(rest[n:], eof)
	if v != yes {
		return 0, v
	}
	refs, dangling := s.resolve(next)
	switch {
	case next.name != "" && len(refs)+len(dangling) == 0, len(dangling) > 0 && s.quoted(), len(next.numbers) > 1 && interval(s.word):
		return 0, no // may stay in the text
	case isKeyword(s.wordBefore(1)): // "Sources [1] and [2] agree"
		return n, yes
	}
	switch tells(rest[n+next.n:], false, eof) {
	case more:
		return 0, more
	case yes:
		return 0, no
	}
	return n, yes
}

// referenceAt reads a reference of any form but a link.
func referenceAt(s string, eof bool) (reference, verdict) {
	if s == "" {
		return reference{}, end(eof)
	}
	r, _, ok := nextRune(s, eof)
	switch {
	case !ok:
		return reference{}, more
	case r == '[':
		return bracketed(s, eof)
	case r == '(':
		return parenthesised(s, eof)
	case r == '<':
		return raised(s, eof)
	case r == '【':
		return lenticular(s, eof)
	case isSuper(r):
		return superscript(s, eof)
	case r == '*', r == '_':
		return stressedAt(s, eof)
	}
	return reference{}, no
}

// tells reports whether a verb follows that says what a source does: "states that", "does not mention".
func tells(s string, plural, eof bool) verdict {
	const longest = 24
	rest, ok := strings.CutPrefix(s, " ")
	if !ok {
		if s == "" {
			return end(eof)
		}
		return no
	}
	for range 2 {
		n := 0
		for n < len(rest) && 'a' <= rest[n] && rest[n] <= 'z' {
			n++
		}
		switch {
		case n == len(rest) && !eof && n < longest:
			return more
		case n < len(rest) && rest[n] >= utf8.RuneSelf:
			return no
		}
		if word := rest[:n]; !slices.Contains([]string{"also", "further", "only", "both", "specifically", "clearly", "explicitly"}, word) {
			return verdictOf(slices.Contains(verbs, word) || plural && slices.Contains(verbs, word+"s") || slices.Contains(copulas[plural], word))
		}
		if rest = strings.TrimPrefix(rest[n:], " "); rest == "" {
			return end(eof)
		}
	}
	return no
}

var verbs = []string{"states", "says", "mentions", "notes", "explains", "indicates", "suggests", "describes", "reports", "adds", "reveals", "shows", "highlights", "points", "confirms",
	"warns", "advises", "recommends", "provides", "gives", "offers", "lists", "details", "discusses", "emphasizes", "claims", "argues", "contains", "covers", "refers", "supports", "agrees",
	"disagrees", "contradicts", "denies", "tells", "puts", "dates", "places"}

var copulas = map[bool][]string{
	false: {"is", "does", "has", "was"},
	true:  {"are", "do", "have", "were", "agree", "disagree", "discuss"},
}

// words are what stands in the place of a reference. A number that names no passage is called no more than a source.
func (s *Scanner) words(ref reference, led string) string {
	refs, _ := s.resolve(ref)
	many := len(ref.numbers) > 1
	one, several := "the source", "the sources"
	switch {
	case len(refs) == 0:
		one, several = "a source", "sources"
	case len(s.spoken) > 0 && !slices.ContainsFunc(refs, func(n int) bool { return slices.Contains(s.spoken, n) }):
		one, several = "another source", "other sources"
	}
	switch led {
	case "laut", "gemäß", "nach":
		one, several = "der Quelle", "den Quellen"
	case "selon", "d'après", "d’après":
		one, several = "la source", "les sources"
	case "según":
		one, several = "la fuente", "las fuentes"
	case "secondo":
		one, several = "la fonte", "le fonti"
	case "segundo":
		one, several = "a fonte", "as fontes"
	case "volgens":
		one, several = "de bron", "de bronnen"
	}
	if many {
		one = several
	}
	if led == "" && s.startsSentence() {
		return strings.ToUpper(one[:1]) + one[1:]
	}
	return one
}
