package gate

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid/text"
)

// Kind is what a claim speaks of. A claim may be of several kinds.
type Kind string

// The kinds that a policy can have rules for.
const (
	Number    Kind = "number"    // states a figure, a date, an amount
	Quote     Kind = "quote"     // gives words as someone's own
	Name      Kind = "name"      // names a person, a place, a work
	Absence   Kind = "absence"   // says that something is not there
	Opinion   Kind = "opinion"   // values or advises
	Statement Kind = "statement" // none of the above
)

var allKinds = []Kind{Number, Quote, Name, Absence, Opinion, Statement}

func (k Kind) plural() string { return string(k) + "s" }

// The patterns know English. They go by form, and in doubt they find a kind: a rule that is applied too often asks for a
// source too much, one that is not applied lets a claim out.
var (
	numberWords = regexp.MustCompile(`(?i)\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|billions?|dozens?|half|halved|doubled|tripled|twice|thrice|per ?cent)\b`)
	quoted      = regexp.MustCompile(`“[^”]*\s[^”]*”|"[^"]*\s[^"]*"|«[^»]*\s[^»]*»|„[^“]*\s[^“]*“`)
	absent      = regexp.MustCompile(`(?i)\b(there (is|are|was|were|has been|have been) no|no (known |further |other |public |single )*(evidence|records?|mention|sign|trace|study|studies|data|sources?|documents?|reports?|information|references?|results?|cases?)|nothing|none|nobody|no one|nowhere|never|(do|does|did|is|are|was|were|has|have|had|could|can)(n['’]t|not| not) (been |be )?(mention\w*|found|find|stated?|said|say|contain\w*|includ\w*|list\w*|record\w*|exist\w*|appear\w*|known|report\w*|available)|lacks?|absent|missing)\b`)
	valuing     = regexp.MustCompile(`(?i)\b((i|we) (think|believe|feel|suspect|recommend|prefer|would)|in (my|our) (opinion|view|experience)|arguably|should|ought to|ideally|(un)?fortunately|hopefully|it is (best|better|worth|wise)|best|worst|better|worse|beautiful|brilliant|terrible|excellent|impressive|remarkabl[ey]|interesting(ly)?|surprising(ly)?)\b`)
)

// KindsOf gives the kinds of a claim, in the order of the constants; Statement where it is none of the others.
func KindsOf(claim string) []Kind {
	var out []Kind
	if strings.ContainsFunc(claim, unicode.IsNumber) || numberWords.MatchString(claim) {
		out = append(out, Number)
	}
	if quoted.MatchString(claim) {
		out = append(out, Quote)
	}
	if named(claim) {
		out = append(out, Name)
	}
	if absent.MatchString(claim) {
		out = append(out, Absence)
	}
	if valuing.MatchString(claim) {
		out = append(out, Opinion)
	}
	if out == nil {
		return []Kind{Statement}
	}
	return out
}

// named finds a word with a capital that does not begin the claim, a sentence or a quotation.
func named(claim string) bool {
	for i, at := range text.Words(claim) {
		word := at.In(claim)
		first, _ := utf8.DecodeRuneInString(word)
		if i == 0 || !unicode.IsUpper(first) || word == "I" || strings.HasPrefix(word, "I'") || strings.HasPrefix(word, "I’") {
			continue
		}
		if before := strings.TrimRightFunc(claim[:at.Start], unicode.IsSpace); before != "" && !strings.ContainsRune(".!?:“\"«„", lastRune(before)) {
			return true
		}
	}
	return false
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}
