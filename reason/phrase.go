package reason

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/text"
)

// verbs are words that end the subject of a question where nothing else does: "did the great ship | carry".
var verbs = set(`act add agree answer appear arrive ask bear bring borne begin began begun believe belong blame break broke broken build built burn buy
	bought call called carry carried cause celebrate change charge choose chose chosen claim clean close come came compare complete connect consist contain
	continue cost cross cut deal decide deliver depend describe design develop die differ dismiss divide do done draw drive drove driven earn employ end
	enter estimate exist expect explain fail fall fell fallen feel felt fight find found finish follow form gain get got give gave given go gone grow grew
	happen have hear heard held help hold hope include increase intend invent involve join keep kept know knew known land last launch lay laid lead led learn
	leave left lend lent let lie like live lose lost love made maintain make mean meant meet mend met move need offer open operate order own paid part pass
	patent pay perform pick place plan play prefer prepare present prevent produce promise propose protect prove provide publish pull put raise ran reach
	read receive recommend record reduce remain remember remove repair replace reply report require rest result return reveal rise rose run said sail save
	saw say see seem sell send sent serve set settle show shown sign sink sold solve speak spend spent spoke stand start state stay stood stop strike suffer
	suggest supply support survive take taken taught teach tell test think thought told took travel treat try turn use vary visit wait walk want watch wear
	weigh win won work worked wrote write written faster slower longer shorter like different better worse more less begin`)

// noun is a run of words that names something, as far as form tells.
type noun struct {
	at   ibid.Span
	name bool // it has a word with a capital, not counting the first of the question
}

// nounAt reads the noun phrase that begins at a word: "the cable of 1858", "Cyrus Field", "the great ship".
func nounAt(q string, words []ibid.Span, i int, passive bool) (noun, int) {
	n := noun{at: ibid.Span{Start: words[i].Start, End: words[i].Start}}
	head := false // a word that can stand as the thing itself
	start := i
	for ; i < len(words); i++ {
		w := words[i].In(q)
		low := strings.ToLower(w)
		if i > start {
			if gap := strings.TrimSpace(q[words[i-1].End:words[i].Start]); gap != "" && gap != "-" {
				break // punctuation between
			}
		}
		switch {
		case named(w) && i > 0, numeric(w):
			if head && !n.name && !numeric(w) && i > start && !preposition[strings.ToLower(words[i-1].In(q))] && !determiner[strings.ToLower(words[i-1].In(q))] {
				return n, i // "the cable Field": another noun begins
			}
			head, n.name = true, n.name || named(w)
		case determiner[low] && !head:
			if i > start && determiner[strings.ToLower(words[i-1].In(q))] {
				return n, i
			}
			continue
		case preposition[low] && head && i+1 < len(words) && (named(words[i+1].In(q)) || numeric(words[i+1].In(q)) || determiner[strings.ToLower(words[i+1].In(q))] || low == "of"):
			head = false
			continue
		case asking[low], auxiliary[low], pronoun[low], connector[low], preposition[low]:
			return n, i
		case head && n.name:
			return n, i // after a name, a lower-case word goes on with the sentence
		case verbs[low] && (head || i > start && !determiner[strings.ToLower(words[i-1].In(q))]):
			return n, i
		case passive && head && (strings.HasSuffix(low, "ed") || strings.HasSuffix(low, "en")):
			return n, i
		case function[low]:
			return n, i
		default:
			head = true
		}
		n.at.End = words[i].End
	}
	return n, i
}

var (
	connector = set("and or but than nor versus vs")
	function  = set("in on from to by with for into about after before during between across under over not there so as then when where that if because while who which")
)

// subject finds what the question is about: the noun behind its auxiliary, else its first other noun.
func subject(q string) (noun, bool) {
	all := nouns(q)
	if len(all) == 0 {
		return noun{}, false
	}
	return all[0], true
}

// nouns lists the noun phrases of a question that stand behind its opening, in order.
func nouns(q string) []noun {
	if len(q) > longestClause {
		return nil
	}
	words := text.Words(q)
	var out []noun
	i, passive := opening(q, words)
	for i < len(words) {
		w := words[i].In(q)
		low := strings.ToLower(w)
		begin := named(w) && i > 0 || determiner[low] || numeric(w) && len(out) > 0 || len(out) == 0 && !asking[low] && !auxiliary[low] && !function[low] && !pronoun[low] && !verbs[low] && !connector[low] && !preposition[low] && !strings.HasSuffix(low, "ed")
		if begin && !pronoun[low] {
			n, next := nounAt(q, words, i, passive)
			if !n.at.Empty() && !onlyDeterminer(n.at.In(q)) {
				out = append(out, n)
			}
			if next > i {
				i = next
				continue
			}
		}
		i++
	}
	return out
}

func onlyDeterminer(s string) bool { return determiner[strings.ToLower(s)] }

// opening gives the index of the first word behind the question word and its auxiliary, and whether the auxiliary is one
// that a participle follows.
func opening(q string, words []ibid.Span) (int, bool) {
	for i, at := range words {
		if i > 6 {
			break
		}
		if w := strings.ToLower(at.In(q)); auxiliary[w] {
			return i + 1, w == "was" || w == "were" || w == "is" || w == "are" || w == "be"
		}
	}
	if len(words) > 0 && asking[strings.ToLower(words[0].In(q))] {
		return 1, false
	}
	return 0, false
}

func named(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return unicode.IsUpper(r)
}

func numeric(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return unicode.IsDigit(r)
}

// content are the words of a text that name something, for a search.
func content(s string) string {
	var kept []string
	for _, at := range text.Words(s) {
		w := at.In(s)
		low := strings.ToLower(w)
		if !asking[low] && !auxiliary[low] && !determiner[low] && !pronoun[low] && !possessive[low] && !function[low] && !connector[low] && !preposition[low] {
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, " ")
}

// asQuestion gives words the look of a question: a capital and one question mark.
func asQuestion(s string) string {
	s = strings.TrimRight(strings.TrimSpace(s), " ,;:.?!")
	if s == "" {
		return ""
	}
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:] + "?"
}

// lowerFirst undoes the capital of a sentence's first word, where the word is one that never has its own.
func lowerFirst(s string) string {
	word, rest, _ := strings.Cut(s, " ")
	low := strings.ToLower(word)
	if asking[low] || auxiliary[low] || determiner[low] || function[low] {
		return strings.TrimSpace(low + " " + rest)
	}
	return s
}
