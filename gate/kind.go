package gate

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
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

// KindsOf gives the kinds of a claim, in the order of the constants; Statement where it is none of the others.
//
// It goes by form, and knows English. Numbers, quotes and names, of which policies ask more, are found in doubt; absences and
// opinions, of which they may ask less, are not. What cannot be seen, and how letters and quotation marks are written, makes no
// difference.
func KindsOf(claim string) []Kind {
	c := readClaim(claim)
	var out []Kind
	for _, k := range []struct {
		kind Kind
		is   func() bool
	}{{Number, c.numbers}, {Quote, c.quotes}, {Name, c.names}, {Absence, c.denies}, {Opinion, c.values}} {
		if k.is() {
			out = append(out, k.kind)
		}
	}
	if out == nil {
		return []Kind{Statement}
	}
	return out
}

// reading is a claim in normal form, and its words.
type reading struct {
	text  string
	at    []ibid.Span
	words []string // in lower case
}

func readClaim(claim string) reading {
	r := reading{text: text.Normalize(claim).Text()}
	r.at = text.Words(r.text)
	for _, at := range r.at {
		r.words = append(r.words, strings.ToLower(at.In(r.text)))
	}
	return r
}

// word gives a word by its place, "" outside of the claim.
func (r reading) word(i int) string {
	if i < 0 || i >= len(r.words) {
		return ""
	}
	return r.words[i]
}

type words map[string]bool

func wordsOf(list string) words {
	out := words{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}

var (
	cardinals = wordsOf(`zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
		nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion trillion hundreds thousands millions
		billions trillions dozen dozens twenties thirties forties fifties sixties seventies eighties nineties`)
	ordinals = wordsOf(`first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
		sixteenth seventeenth eighteenth nineteenth twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth hundredth
		thousandth millionth`)
	shares = wordsOf(`half halves halved quarter quarters thirds fourths fifths sixths eighths tenths double doubled triple tripled quadrupled
		twice thrice percent percentage cent cents`)
	pronouns = wordsOf(`no the this that other another each every any which good better best new old`)
	modals   = wordsOf(`another can could may might must ought shall should will would`)
	dates    = wordsOf(`january february april june july august september october november december monday tuesday wednesday thursday friday
		saturday sunday`)
)

func (r reading) numbers() bool {
	if strings.ContainsFunc(r.text, unicode.IsNumber) {
		return true
	}
	for i, w := range r.words {
		written := r.at[i].In(r.text)
		capital := written != w
		switch {
		case w == "one" && (pronouns[r.word(i-1)] || modals[r.word(i+1)]): // "the other one", "one should"
		case cardinals[strings.TrimSuffix(w, "fold")], shares[w], ordinals[w] && i > 0: // "First, …" counts nothing
			return true
		case capital && (dates[w] || i > 0 && (w == "may" || w == "march")):
			return true
		case len(written) > 1 && roman.MatchString(written):
			return true
		}
	}
	return r.disguised()
}

// roman is a number in Roman numerals. A single letter is rather a name or a pronoun.
var roman = regexp.MustCompile(`^M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})$`)

// disguised reports whether a text in Latin letters has words with others that look like them: "thrее" is no word of any list.
func (r reading) disguised() bool {
	latin := func(c rune) bool { return unicode.Is(unicode.Latin, c) }
	return strings.ContainsFunc(r.text, latin) && len(text.Confusable(r.text)) > 0
}

// quotes finds quotation marks. The normal form writes most of them plainly. One that is not closed counts: a claim may be a
// sentence of a longer quotation.
func (r reading) quotes() bool {
	if strings.HasPrefix(r.text, "> ") || strings.ContainsAny(r.text, "「『《〈〝❝❞") || strings.Contains(r.text, "''") || strings.Contains(r.text, "``") {
		return true
	}
	open := false // a single mark that may open
	before := ' '
	for i, c := range r.text {
		after, _ := utf8.DecodeRuneInString(r.text[i+utf8.RuneLen(c):])
		switch {
		case c == '"' && !unicode.IsNumber(before): // 5" is a length
			return true
		case c == '\'' && open && !unicode.IsSpace(before) && !wordRune(after):
			return true
		case c == '\'' && !wordRune(before) && wordRune(after):
			open = true
		}
		before = c
	}
	return false
}

func wordRune(c rune) bool { return unicode.IsLetter(c) || unicode.IsNumber(c) }

// names finds a word with a capital that does not begin the claim, a sentence or a quotation, or that has one inside. A full stop
// need not end a sentence: "Dr. Watson".
func (r reading) names() bool {
	sentences := text.Sentences(r.text)
	for i, at := range r.at {
		begins := false
		for len(sentences) > 0 && sentences[0].Start <= at.Start {
			sentences, begins = sentences[1:], true
		}
		word := at.In(r.text)
		first, n := utf8.DecodeRuneInString(word)
		if strings.ContainsFunc(word[n:], unicode.IsUpper) {
			return true
		}
		if begins || !unicode.IsUpper(first) || word == "I" || strings.HasPrefix(word, "I'") {
			continue
		}
		before := strings.TrimSuffix(r.text[:at.Start], " ")
		if i == 1 && strings.HasSuffix(before, ".") && digits(r.words[0]) { // the number of an item
			continue
		}
		if !strings.ContainsRune(":\"'", lastRune(before)) {
			return true
		}
	}
	return false
}

func digits(s string) bool { return strings.Trim(s, "0123456789") == "" }

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

var (
	gone     = wordsOf(`nothing none nobody nowhere never lack lacks absent missing`)
	findings = wordsOf(`evidence record records mention sign trace study studies data source sources document documents report reports information
		reference references result results case cases`)
	leftOut = wordsOf(`any known further other public single`)
	be      = wordsOf(`is are was were been`)
	not     = wordsOf(`not don't doesn't didn't isn't aren't wasn't weren't hasn't haven't hadn't couldn't can't cannot`)
	shown   = wordsOf(`found find stated state states said say says known available seen observed detected`)
	showing = []string{"mention", "contain", "includ", "list", "record", "exist", "appear", "report"}
)

// denies finds what says that something is not there, or not said.
func (r reading) denies() bool {
	for i, w := range r.words {
		switch {
		case gone[w]:
			return true
		case w == "no" || w == "without":
			next := i + 1
			for leftOut[r.word(next)] {
				next++
			}
			if findings[r.word(next)] || w == "no" && (r.word(i+1) == "one" || r.thereIs(i) || r.noneSeen(i)) {
				return true
			}
		case not[w]:
			next := i + 1
			for r.word(next) == "been" || r.word(next) == "be" {
				next++
			}
			if isShown(r.word(next)) {
				return true
			}
		}
	}
	return false
}

// thereIs reports whether "there is", "there were", "there has been" stands before a place.
func (r reading) thereIs(i int) bool {
	return be[r.word(i-1)] && (r.word(i-2) == "there" || r.word(i-3) == "there" && (r.word(i-2) == "has" || r.word(i-2) == "have"))
}

// noneSeen reports whether the "no" at a place is followed by a few words and "were seen" or the like.
func (r reading) noneSeen(i int) bool {
	for next := i + 2; next < i+6; next++ {
		if be[r.word(next)] && isShown(r.word(next+1)) {
			return true
		}
	}
	return false
}

func isShown(w string) bool {
	if shown[w] {
		return true
	}
	for _, stem := range showing {
		if strings.HasPrefix(w, stem) {
			return true
		}
	}
	return false
}

var (
	valuing = wordsOf(`arguably should ideally best worst better worse beautiful brilliant terrible excellent impressive remarkable interesting
		surprising`)
	holding = wordsOf(`think believe feel suspect recommend prefer would`)
	views   = wordsOf(`opinion view experience`)
)

// values finds views and advice. "Unfortunately" and the like colour a statement and do not make it a view.
func (r reading) values() bool {
	for i, w := range r.words {
		next := r.word(i + 1)
		switch {
		case valuing[w],
			(w == "i" || w == "we") && holding[next],
			w == "ought" && next == "to",
			w == "in" && (next == "my" || next == "our") && views[r.word(i+2)],
			w == "it" && next == "is" && (r.word(i+2) == "worth" || r.word(i+2) == "wise"):
			return true
		}
	}
	return false
}
