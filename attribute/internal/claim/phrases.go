package claim

import (
	"regexp"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// Why a sentence claims nothing, where nothing in it could lack support.
const (
	courtesy     = "a courtesy makes no claim"
	sentOn       = "advice to ask elsewhere makes no claim"
	leftToReader = "what is left to the reader makes no claim"
	ofItself     = "what the model says of itself makes no claim about the subject"
	ofAbsence    = "what the passages lack is no claim about the subject"
	ofTheAnswer  = "a remark on the answer itself makes no claim"
	leading      = "the lead of what follows makes no claim"
	bareLead     = "a lead without a statement makes no claim"
	heading      = "a heading makes no claim"
)

// Empty reports whether nothing in a sentence could lack support, by the reason why it claims nothing.
func Empty(reason string) bool { return slices.Contains(empty, reason) }

var empty = []string{courtesy, sentOn, leftToReader, ofItself, ofAbsence, ofTheAnswer, leading, bareLead, heading}

// Speaks reports whether a sentence has a first person who need not be an assistant: "I will never believe that" may be the word of one
// who speaks in a source.
func Speaks(s string, words []token.Token) bool {
	said := lowered(s)
	first := strings.HasPrefix(said, "let's") || slices.ContainsFunc(words, func(tok token.Token) bool { return slices.Contains(speakers, tok.Key) })
	return first && !hasPrefix(skipLeads(said), assistants)
}

var speakers = []string{"i", "me", "my", "we", "us", "our"}

// assistants begin sentences of an assistant to its reader.
var assistants = []string{
	"i hope this", "i hope that helps", "i hope it helps", "i hope these", "hope this helps", "let me know", "please let me know", "as an ai", "as a language model", "i'm sorry, but", "i am sorry, but", "i apologize",
	"i'm unable to answer", "i am unable to answer", "i cannot answer", "i can't answer", "i could not find", "i couldn't find", "i can provide", "i'd be happy", "i would be happy", "if you",
}

// phraseOf names the phrase by which a sentence claims nothing. s is in lower case. What follows behind a turn may claim something all the
// same: "I do not know, but the cable failed."
func phraseOf(s string, kind ibid.Kind) string {
	first := ""
	for range maxTurns {
		reason := phraseAtStart(s, kind)
		if reason == "" {
			return ""
		}
		if first == "" {
			first = reason
		}
		rest, ok := afterTurn(s)
		if !ok && statesMore(s, reason) {
			return ""
		}
		if !ok {
			return first
		}
		s = rest
	}
	return "" // in doubt it is a claim
}

// maxTurns bounds how often a sentence is followed behind a turn: each time all that is left of it is read.
const maxTurns = 8

func phraseAtStart(s string, kind ibid.Kind) string {
	whole := s
	s = skipLeads(s)
	words := strings.Fields(s)
	alone := strings.Trim(s, " .!,:;)\"'")
	if rest, ok := apologizes(s); ok {
		if fails(rest) {
			return courtesy
		}
		return phraseAtStart(rest, kind)
	}
	switch {
	case alone == "":
		return bareLead
	case kind != ibid.ListItem && slices.Contains(kindWords, alone):
		return courtesy
	case kind != ibid.ListItem && slices.Contains(alones, alone):
		return "a word alone makes no claim"
	case len(words) <= 7 && hasPrefix(s, wishes) && !hasFigure(s) && !priced(s): // days that are wished are told of nothing
		return courtesy
	case (len(words) <= 7 && hasPrefix(s, shortCourtesies) || hasPrefix(s, courtesies) || offers.MatchString(s) || hopes.MatchString(s) || exclaims(s)) && !tells(s):
		return courtesy
	case sendsOn(s) && !tells(s):
		return sentOn
	case len(words) <= 14 && hasPrefix(s, yours) && !tells(s):
		return leftToReader
	case hasPrefix(s, refusals) || saysUnanswered(s) || leavesOpen(whole, s):
		return ofItself
	case speaksOfAbsence(s):
		return ofAbsence
	case (hasPrefix(s, remarks) || speaksOfAnswer(s) || len(words) <= maxDepends && (hasPrefix(s, depending) || theyDiffer(s))) && !tells(s) && !goesOn(s):
		return ofTheAnswer
	}
	return remarksOn(s)
}

// leads say on what a statement rests, or that it sums up; whether a claim is made is up to what follows.
var leads = []string{
	"based on", "according to", "from the", "given the", "in summary,", "to summarize,", "to sum up,", "in short,", "in conclusion,", "overall,",
	"to answer your question,", "as for your question,", "so,", "now,", "well,", "okay,", "ok,", "first,", "finally,", "next,", "however,", "additionally,",
	"therefore,", "thus,", "in addition,", "furthermore,", "moreover,", "also,", "lastly,", "ultimately,", "in any case,",
	"unfortunately,", "hey,", "oh,", "ooh,", "wow,", "ah,", "sure,", "sure!", "certainly,", "certainly!", "of course,", "of course!", "absolutely,", "great question!", "yes,", "no,", "note:", "please note:",
}

// Materials are what a model calls the text that it was given, one of each.
var Materials = []string{"passage", "context", "source", "document", "text", "excerpt", "article", "reference", "snippet", "search result"}

// wholes name all that was given, or too much else to be a frame wherever they stand.
var wholes = []string{"information provided", "information given", "provided information", "given information", "material", "results"}

// skipLeads takes leads off the beginning of a sentence.
func skipLeads(s string) string {
	for {
		rest := s[len(callsAttention.FindString(s)):]
		for _, l := range leads {
			after, ok := strings.CutPrefix(rest, l)
			if !ok {
				continue
			}
			if strings.ContainsAny(l[len(l)-1:], ",!:") {
				rest = after
				break
			}
			// "based on the passages, …": only where it names what the model was given, not "based on Newton's laws, …".
			if clause, after, ok := cutClause(after); ok && namesMaterial(clause) {
				rest = after
			}
			break
		}
		rest = strings.TrimSpace(rest)
		if rest == s || rest == "" {
			return rest
		}
		s = rest
	}
}

func cutClause(s string) (clause, rest string, ok bool) {
	i := strings.IndexAny(s, ",:")
	if i < 0 || len(strings.Fields(s[:i])) > 8 {
		return "", "", false
	}
	return s[:i], s[i+1:], true
}

func namesMaterial(s string) bool {
	s = strings.Trim(s, " .")
	for _, after := range []string{" you provided", " provided", " given", " above"} {
		if before, ok := strings.CutSuffix(s, after); ok && namesMaterial(before) {
			return true
		}
	}
	ends := func(m string) bool { return strings.HasSuffix(s, m) || strings.HasSuffix(s, m+"s") }
	return slices.ContainsFunc(Materials, ends) || slices.ContainsFunc(wholes, ends)
}

// kindWords are courtesies that may stand alone.
var kindWords = []string{
	"sure", "certainly", "of course", "absolutely", "hello", "hi", "thanks", "thank you", "okay", "ok", "great", "sorry", "enjoy", "welcome", "good luck", "cheers", "best regards", "best wishes", "sincerely",
}

// alones are other words that make no claim alone: answers whose question nobody sees, and headings.
var alones = []string{
	"yes", "no", "exactly", "indeed",
	"references", "sources", "summary", "conclusion", "introduction", "overview", "answer", "question", "notes", "note", "background", "details", "further reading",
	"bibliography", "works cited", "key points", "main points", "maybe", "perhaps", "not necessarily", "probably not", "n/a", "not applicable",
}

// shortCourtesies begin sentences that are courtesies only while they are short: "Sorry is a song by …" is not.
var shortCourtesies = []string{
	"great question", "good question", "that's a great", "that's a good", "that is a great", "that is a good", "excellent question", "interesting question", "hi there", "hello there",
	"sure thing", "no problem", "happy to help", "glad to", "good luck", "have a great", "have a nice", "take care", "stay safe", "enjoy your", "best of luck", "sorry,", "sorry about", "sorry for",
	"you're welcome", "you are welcome", "welcome to", "dear ", "click ", "read more", "see below", "see above", "learn more", "stay tuned", "there you go", "that's it", "that's all",
}

var courtesies = []string{
	"i hope this", "i hope that helps", "i hope it helps", "i hope these", "i hope you", "hope this", "hope that helps", "hope that clears", "hope it helps", "let me know", "please let me know",
	"if you have any other", "if you have any further", "if you have any more", "if you have more questions", "if you have any questions", "if you'd like",
	"if you would like", "if you need any", "if you need more", "if you need further", "if you want me to", "if there is anything else", "thank you for",
	"thanks for", "thanks,", "hi there,", "hello,", "hi,", "i'm happy to", "i am happy to", "i'd be happy", "i would be happy", "i'll be happy", "i'd be glad", "i would be glad", "i'm glad", "i am glad",
	"could you please", "can you please", "click for", "click here", "i look forward",
}

// wishes begin short sentences that are for the reader: "Enjoy your three days in Oslo!"
var wishes = []string{"enjoy your", "have a great", "have a nice", "have fun", "good luck", "best of luck"}

// exclaims reports whether a sentence is a wish or a word to the question, cried out: "Happy baking!", "Enjoy the match!", "What a question!"
func exclaims(s string) bool {
	s, cried := strings.CutSuffix(strings.TrimRight(s, " )*_\"'"), "!")
	words := strings.Fields(s)
	switch n := len(words); {
	case !cried || n < 2 || n > 6:
		return false
	case words[0] == "happy":
		return strings.HasSuffix(words[1], "ing")
	case words[0] == "enjoy":
		return true
	default:
		return words[n-1] == "question" && !slices.Contains(words, "no")
	}
}

// sendsOn reports whether a sentence advises the reader to ask someone else: "I'd recommend checking with your doctor." Advice on
// the subject itself may rest on a source, and so may the case in which a doctor is to be seen, or how many hours one has.
func sendsOn(s string) bool {
	for _, lead := range readingOn {
		if rest, ok := strings.CutPrefix(s, lead); ok {
			return hasPrefix(strings.TrimPrefix(strings.TrimLeft(rest, ", "), "please "), elsewhere)
		}
	}
	if rest, ok := strings.CutPrefix(s, "please "); ok && hasPrefix(rest, asking) {
		if _, of, ok := strings.Cut(rest, " for "); ok && hasPrefix(of, []string{"more", "further", "additional", "specific", "detailed"}) {
			return true
		}
	}
	if advice := advised(s); (hasPrefix(advice, elsewhere) || hasPrefix(advice, asking)) && len(strings.Fields(advice)) <= 14 && (toldMore.MatchString(advice) || soughtFirst.MatchString(s)) {
		return true
	}
	for _, doubt := range inDoubt {
		if _, rest, ok := strings.Cut(s, ", "); ok && strings.HasPrefix(s, doubt) {
			return asksExpert(strings.TrimPrefix(rest, "please ")) || sendsOn(rest)
		}
	}
	if before, rest, ok := strings.Cut(s, ", so "); ok && len(strings.Fields(before)) <= 10 && (strings.Contains(before, " may vary") || strings.Contains(before, " can vary")) {
		return sendsOn(rest)
	}
	for _, lead := range advising {
		if rest, ok := cutWords(s, lead); ok {
			rest = strings.TrimPrefix(rest, "that you ")
			return len(strings.Fields(rest)) <= 10 && hasPrefix(rest, asking) || asksExpert(rest)
		}
	}
	for _, lead := range urging {
		if rest, ok := cutWords(s, lead); ok {
			return asksExpert(strings.TrimPrefix(rest, "that you "))
		}
	}
	return asksInAnyCase(s)
}

// cutWords takes words and the blank behind them off the beginning of a text.
func cutWords(s, words string) (rest string, ok bool) {
	if rest, ok = strings.CutPrefix(s, words); ok {
		return strings.CutPrefix(rest, " ")
	}
	return s, false
}

// asksExpert reports whether a text begins with asking one whose profession it is.
func asksExpert(s string) bool {
	if !hasPrefix(s, asking) && !hasPrefix(s, []string{"see ", "visit "}) || strings.ContainsAny(s, "0123456789") || inACase(s) {
		return false
	}
	words := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' || r == '.' })
	return len(words) <= 18 && slices.ContainsFunc(words[:min(len(words), 8)], func(w string) bool { return slices.Contains(experts, strings.TrimSuffix(w, "s")) })
}

var experts = []string{
	"doctor", "physician", "provider", "professional", "pharmacist", "specialist", "dermatologist", "dentist", "veterinarian", "vet", "lawyer", "attorney", "advisor", "adviser", "accountant", "expert",
	"lender", "insurer",
}

// yours begin sentences that leave a choice to the reader.
var yours = []string{
	"the choice is yours", "the decision is yours", "it's up to you", "it is up to you", "the choice depends on your", "the right choice depends on your", "the best choice depends on your",
	"the best option depends on your", "the right option depends on your", "the decision depends on your", "the choice will depend on your", "the best choice will depend on your", "it depends on your personal",
	"it all depends on your", "it depends on your", "it depends on what you", "it depends on whether you", "the answer depends on your", "the answer depends on what you", "the answer depends on whether you", "the answer depends on several",
	"the answer depends on a number of", "the answer depends on various", "it depends on several factors", "it depends on various factors",
}

// urging are advice too, but as often on the subject: only an expert who is to be asked tells them apart.
var urging = []string{
	"it is important to", "it's important to", "it is always important to", "it's always important to", "it is essential to", "it's essential to", "it is crucial to", "it's crucial to", "it is recommended to",
	"it's recommended to", "it is recommended that you", "it's recommended that you", "it is always recommended to", "it's always recommended to", "it is advisable to", "it's advisable to", "you should", "you should always",
	"please", "always", "be sure to", "make sure to", "we recommend", "as always,",
}

// inDoubt begin a sentence for whoever is not sure.
var inDoubt = []string{"if you are unsure", "if you're unsure", "if you are not sure", "if you're not sure", "if you are in doubt", "if in doubt", "if you have concerns", "if you have any concerns", "if you have questions", "if you have any doubts",
	"if you suspect", "if you think you", "if you believe you", "if you are concerned", "if you're concerned",
	"for advice on your", "for advice about your", "for legal advice", "for medical advice", "for personal advice"}

// toldMore ends a sentence that says where there is more to read, "See the guide for more details.", and soughtFirst begins one.
var toldMore, soughtFirst = func() (behind, before *regexp.Regexp) {
	const (
		degree = `(?:up[ -]to[ -]date|current|accurate|specific|detailed|recent|precise|reliable|latest|personali[sz]ed|exact)`
		what   = ` (?:info|information|details|guidance|advice|updates)(?: (?:on|about|regarding) [a-z' -]{1,40})?`
		newest = `(?:the )?(?:most )?` + degree + `(?: and (?:most )?` + degree + `)?` + what
	)
	return regexp.MustCompile(` for (?:(?:more|further|additional|the full)(?: ` + degree + `)?(?:` + what + `| reading| on this| about this)?|` + newest + `)[.!)]*$`), regexp.MustCompile(`^for ` + newest + `, `)
}()

// advised is what a sentence advises to do, without the words that say so.
func advised(s string) string {
	s = s[len(soughtFirst.FindString(s)):]
	for _, lead := range slices.Concat(advising, urging) {
		if rest, ok := cutWords(s, lead); ok {
			return strings.TrimPrefix(strings.TrimPrefix(rest, "that you "), "to ")
		}
	}
	return s
}

// readingOn begin a sentence that says where there is more to read, and elsewhere what follows them.
var (
	readingOn = []string{"for more information", "for further information", "for more details", "for further details", "for more detailed information", "for further assistance", "for further help", "for additional assistance", "to learn more"}
	elsewhere = []string{"visit", "see", "consult", "refer to", "contact", "check", "read", "go to", "you can", "you may", "you should"}
)

var advising = []string{
	"i recommend", "i'd recommend", "i would recommend", "i suggest", "i'd suggest", "i would suggest", "i advise", "i'd advise", "i would advise", "you may want to", "you might want to",
	"it may be worth", "it might be worth", "it could be worth", "it's worth", "it is worth", "it may be best to", "it might be best to", "it's best to", "it is best to",
	"it may be helpful to", "it might be helpful to", "it would be best to", "you may wish to", "i strongly recommend", "it is always best to", "it's always best to", "it is always a good idea to",
	"it's always a good idea to", "it is a good idea to", "it's a good idea to",
}

var asking = []string{
	"checking with", "check with", "contacting", "contact", "consulting", "consult", "asking", "ask", "speaking with", "speaking to", "speak with", "speak to", "talking to", "talking with", "talk to",
	"talk with", "reaching out", "reach out", "verifying", "verify", "double-checking", "double-check", "discuss", "discussing", "seek", "seeking",
}

var refusals = []string{
	"i'm sorry", "i am sorry", "i apologize", "i apologise", "my apologies", "i cannot", "i can't", "i can not", "i do not have", "i don't have", "i'm unable", "i am unable", "i'm not able", "i am not able",
	"i could not find", "i couldn't find", "i did not find", "i didn't find", "i was unable", "i was not able", "i wasn't able", "i have no information", "i'm not sure", "i am not sure", "i do not know", "i don't know",
	"as an ai", "as a language model", "as a large language model", "i'm an ai", "i am an ai", "i'm just an", "i found no ", "i am not a lawyer", "i'm not a lawyer", "i am not a doctor", "i'm not a doctor", "i am no lawyer", "i am no doctor",
}

// saysUnanswered reports whether a sentence says that the question has no answer here: "Unable to answer based on the given passages."
func saysUnanswered(s string) bool {
	s = withoutAlso(s)
	for _, lead := range []string{"it is not ", "it's not ", "it isn't "} {
		if rest, ok := strings.CutPrefix(s, lead); ok {
			verb, rest, _ := strings.Cut(rest, " ")
			for _, prep := range []string{"in ", "by ", "from "} {
				if where, ok := strings.CutPrefix(rest, prep); ok {
					if after, ok := cutMaterial(where); ok {
						rest = strings.TrimPrefix(after, " ")
					}
				}
			}
			if slices.Contains(told, verb) && hasPrefix(rest, asksFor) {
				return true
			}
		}
	}
	for _, lead := range []string{"unable to ", "not able to ", "cannot ", "can't ", "it is not possible to ", "it's not possible to ", "it is impossible to ", "it is unclear ", "it's unclear ", "it is not clear "} {
		if rest, ok := strings.CutPrefix(s, lead); ok {
			return hasPrefix(rest, []string{"answer", "be answered", "be determined", "determine", "say", "tell", "provide an answer", "find", "from the", "based on the"}) && ofTheGiven(s)
		}
	}
	for _, subject := range []string{"the question ", "this question ", "your question ", "the answer ", "this ", "that "} {
		if rest, ok := strings.CutPrefix(s, subject); ok {
			return hasPrefix(rest, []string{"cannot be answered", "can't be answered", "can not be answered", "could not be answered", "cannot be determined", "can't be determined", "cannot be found", "could not be found"}) && ofTheGiven(s)
		}
	}
	return false
}

// told are the ways in which passages tell something, asksFor begin what they leave open.
var (
	told    = []string{"stated", "mentioned", "specified", "explained", "addressed", "described", "discussed"}
	asksFor = []string{"how", "whether", "what", "when", "where", "who", "whom", "whose", "which", "why", "if", "at which", "in which", "for how", "to what"}
)

// withoutAlso takes "also" and the like out of the beginning of a sentence: "It is also unclear …".
func withoutAlso(s string) string {
	for _, word := range []string{" also ", " still ", " however ", " further "} {
		if i := strings.Index(s, word); i >= 0 && i < 16 {
			s = s[:i] + " " + s[i+len(word):]
		}
	}
	return s
}

// leavesOpen reports whether a sentence says that what was given leaves something open: "Based on the passages, it is unclear who paid."
// s is without its leads. What a passage itself calls unclear is a claim: "According to the article, it is unclear …".
func leavesOpen(whole, s string) bool {
	for _, lead := range []string{"there is not enough information", "there is insufficient information", "there isn't enough information"} {
		if rest, ok := strings.CutPrefix(s, lead); ok { // about the safety of a drug there may be little
			return strings.Trim(rest, ".! ") == "" || hasPrefix(rest, []string{" to", " in the", " in these", " provided", " given", " available"})
		}
	}
	return (strings.HasPrefix(whole, "based on ") || strings.HasPrefix(whole, "from the ")) && len(s) < len(whole) && !goesOnOtherwise(s) &&
		hasPrefix(s, []string{"it is unclear", "it's unclear", "it is not clear", "it's not clear", "it cannot be determined", "it is not possible to", "it's not possible to", "it is impossible to"})
}

// ofTheGiven reports whether a sentence names what the model was given.
func ofTheGiven(s string) bool {
	return slices.ContainsFunc(strings.Fields(s), func(w string) bool { return namesMaterial(strings.Trim(w, ".,!")) || w == "information" })
}

// remarks begin sentences about the answer, not about its subject.
var remarks = []string{
	"here is", "here are", "here's", "here’s", "below is", "below are", "below you", "let me ", "let's ", "let us ", "i will ", "i'll ", "i'm going to", "i am going to", "i can help", "i can provide", "i have summarized",
	"i've summarized", "i've listed", "i've gathered", "i've compiled", "i've found", "i have listed", "in this answer", "in this response", "in this section", "in this overview", "in what follows", "this answer", "this response", "my answer", "we will look", "we'll look",
	"the following is", "the following are", "the answer is as follows", "as follows", "to summarize:", "in other words:", "elsewhere on",
}

// depending begin sentences that say only that there is more than one answer, while they are short.
var depending = []string{
	"it depends", "it all depends", "that depends", "the answer depends",
}

// theyDiffer reports whether a sentence says of the passages that they do not agree, or do.
func theyDiffer(s string) bool {
	rest, ok := cutMaterial(s)
	return ok && atOdds.MatchString(strings.TrimSpace(rest))
}

var atOdds = regexp.MustCompile(`^(?:(?:do not|don['’]t|all|both|largely|mostly|partly|somewhat|slightly|entirely|fully|quite|completely|always|seem to|appear to) )*(?:agree|disagree|differ|conflict|contradict (?:each other|one another)|(?:give|offer) (?:different|differing|conflicting) (?:answers|figures|numbers|advice|information))\b`)

// maxDepends is how many words they have at the most: what it depends on is a claim where it is told at length.
const maxDepends = 8

var absent = []string{
	"do not ", "does not ", "did not ", "don't ", "doesn't ", "didn't ", "not mentioned", "not specified", "not stated", "not provided", "not directly provided", "not explicitly", "not addressed", "not discussed",
	"not covered", "not included", "not given", "not clarified", "not apparent", "not clear", "not described", "not detailed", "not explained", "not available", "not found", "no information", "no mention", "no details", "no evidence of", "not contain", "not enough information", "nothing about", "nothing on ",
}

// speaksOfAbsence reports whether a sentence says that the passages lack something. A sentence that goes on with "they
// state …" claims something too.
func speaksOfAbsence(s string) bool {
	if hasPrefix(s, []string{"although ", "though ", "while ", "even though ", "but "}) {
		return false
	}
	if rest, ok := cutMaterial(s); ok && hasPrefix(rest, []string{" are silent on", " is silent on", " are silent about", " is silent about", " remain silent on"}) {
		return true
	}
	for _, no := range []string{"there is no ", "there's no ", "no "} {
		if rest, ok := strings.CutPrefix(s, no); ok && hasPrefix(rest, []string{"information ", "details ", "mention ", "direct information ", "specific information ", "direct mention ", "specific mention ", "explicit mention ", "further information "}) {
			return true
		}
	}
	for _, lead := range []string{"nothing in the ", "nothing in these ", "nothing in your "} {
		if rest, ok := strings.CutPrefix(s, lead); ok && (firstWord(rest) == "library" || namesMaterial(firstWord(rest))) {
			return true
		}
	}
	for _, none := range []string{"none of the ", "none of these ", "neither of the ", "neither of these ", "neither ", "no passage ", "no source ", "no document "} {
		if rest, ok := strings.CutPrefix(s, none); ok && (namesMaterial(firstWord(strings.TrimPrefix(strings.TrimPrefix(rest, "provided "), "given "))) || strings.HasPrefix(none, "no ")) {
			return true
		}
	}
	lacks := strings.Contains(s, "no") || strings.Contains(s, "n't") // as all that is absent has
	if !lacks || !slices.ContainsFunc(absent, func(a string) bool { return strings.Contains(s, a) }) || goesOnOtherwise(s) {
		return false
	}
	if rest, ok := cutMaterial(s); ok && strings.HasPrefix(rest, " ") && tellsNot(rest) {
		return true
	}
	for _, prep := range []string{" in ", " from ", " within ", " by "} {
		if i := strings.LastIndex(s, prep); i >= 0 {
			if rest, ok := cutMaterial(s[i+len(prep):]); ok && strings.Trim(rest, ".! ") == "" {
				return true
			}
		}
	}
	return false
}

// cutMaterial takes what the model was given off the beginning: "the provided passages", "passage 2", "the second source".
func cutMaterial(s string) (rest string, ok bool) {
	named := false
	for _, d := range determiners {
		if after, found := strings.CutPrefix(s, d); found {
			s, named = after, true
			break
		}
	}
	for _, m := range given {
		after, found := strings.CutPrefix(s, m)
		if !found {
			continue
		}
		rest := strings.TrimPrefix(after, "s")
		if number := strings.TrimLeft(rest, " [(#"); number != "" && '0' <= number[0] && number[0] <= '9' {
			return moreNumbers(strings.TrimLeft(number, "0123456789])")), true
		}
		return rest, named
	}
	return s, false
}

// moreNumbers takes the other numbers of a list off what stands behind its first: "passages 1, 2 and 3".
func moreNumbers(s string) string {
	for {
		rest := s
		for _, join := range []string{", and ", ", ", " and ", " & ", " or "} {
			if after, ok := strings.CutPrefix(s, join); ok {
				after = strings.TrimPrefix(after, "passage ")
				if after != "" && '0' <= after[0] && after[0] <= '9' {
					rest = strings.TrimLeft(after, "0123456789")
				}
				break
			}
		}
		if rest == s {
			return s
		}
		s = rest
	}
}

// tellsNot reports whether a predicate says that something is not told: "does not explicitly mention …", "contain no …". What
// else a text or a document does not do may be a claim: "The text of the treaty does not bind the states."
func tellsNot(s string) bool {
	words := strings.Fields(s)
	for len(words) > 0 && slices.Contains([]string{"provided", "given", "above", "alone", "themselves", "itself", "also", "here", "available", "i", "you", "we", "have", "has", "were", "was"}, words[0]) {
		words = words[1:]
	}
	if len(words) == 0 {
		return false
	}
	switch words[0] {
	case "and", "or": // the other passages
		rest, ok := cutMaterial(strings.Join(words[1:], " "))
		return ok && tellsNot(rest)
	case "is", "are", "not", "no", "only", "lack", "lacks":
		return true
	case "do", "does", "did", "don't", "doesn't", "didn't":
		words = words[1:]
		for len(words) > 1 && (slices.Contains([]string{"not", "even", "seem", "appear", "to"}, words[0]) || strings.HasSuffix(words[0], "ly")) {
			words = words[1:]
		}
		return len(words) > 0 && slices.Contains(telling, words[0])
	}
	return len(words) > 1 && slices.Contains(telling, strings.TrimSuffix(words[0], "s")) && slices.Contains([]string{"no", "nothing", "neither", "none", "little", "not"}, words[1])
}

var telling = []string{
	"mention", "provide", "contain", "include", "say", "state", "specify", "give", "discuss", "address", "explain", "describe", "offer", "indicate", "cover", "tell", "have", "list", "name", "show", "detail",
	"clarify", "define", "refer", "answer", "support", "identify", "elaborate", "go", "touch", "reveal", "talk", "make", "speak", "confirm", "present", "report", "note", "supply", "contradict", "compare",
}

// given are the words for what the model was given that are plain enough to begin a sentence about what it lacks.
var given = []string{"passage", "context", "source", "document", "text", "excerpt", "search result", "reference", "information provided", "provided information"}

var determiners = []string{
	"the provided ", "the given ", "the available ", "the retrieved ", "the first two ", "the last two ", "the other two ", "the remaining two ", "the first ", "the second ", "the third ", "the last ", "the other ", "the remaining ", "the two ", "the three ", "the ",
	"these ", "this ", "provided ", "your ", "both ", "all ", "any of the provided ", "any of the given ", "any of the ", "any of these ",
}

// goesOnOtherwise reports whether a statement follows what is lacking: "The passages do not say who, but the cable was cut."
func goesOnOtherwise(s string) bool {
	_, ok := afterTurn(s)
	return ok
}

// afterTurn is what a sentence goes on with behind a turn.
func afterTurn(s string) (rest string, ok bool) {
	for _, turn := range []string{", but ", "; ", ", although ", ", though ", ", however, ", " but rather "} {
		if _, after, ok := strings.Cut(s, turn); ok && len(strings.Fields(after)) >= 3 {
			return after, true
		}
	}
	return "", false
}

// statesMore reports whether a sentence that claims nothing at first goes on with a statement behind a dash or an "and": "There is no mention of parking, and the pool closes at 11 pm." What
// follows on with another lack or another courtesy has no such statement.
func statesMore(s, reason string) bool {
	for _, turn := range []string{" — ", " – ", " - ", ", and ", " and the "} {
		rest := s
		for range maxTurns {
			_, after, ok := strings.Cut(rest, turn)
			if !ok {
				break
			}
			rest = after
			joined := strings.HasSuffix(turn, "and ")
			switch {
			case turn == " and the ":
				if states("the "+after) && tells(after) {
					return true
				}
			case joined && reason != ofAbsence || hasPrefix(after, []string{"they", "it", "i", "i'm", "i'll", "nor", "neither"}):
			case states(after) && phraseAtStart(after, ibid.Sentence) == "":
				return true
			}
		}
	}
	return false
}

func firstWord(s string) string {
	w, _, _ := strings.Cut(s, " ")
	return w
}

// speaksOfAnswer reports whether a sentence describes a part of the answer, or what was given without what it says: "The table below
// summarizes the results", "The passages provide conflicting information."
func speaksOfAnswer(s string) bool {
	for _, lead := range []string{"this is", "it is", "the above is", "the information above is", "this information is"} {
		rest, ok := cutWords(strings.TrimPrefix(strings.TrimPrefix(s, "please "), "note that "), lead)
		rest = strings.TrimPrefix(strings.TrimPrefix(rest, "general information "), "and ")
		if ok && hasPrefix(rest, []string{"not legal advice", "not medical advice", "not financial advice", "not a substitute for professional"}) {
			return true
		}
	}
	if rest, ok := cutMaterial(s); ok && strings.HasPrefix(rest, " ") && givesSome(strings.Fields(rest)) {
		return true
	}
	if strings.Contains(s, "can be found in the") {
		for _, m := range []string{"passages", "sources", "documents"} {
			if strings.Contains(s, "can be found in the "+m) || strings.Contains(s, "can be found in these "+m) {
				return true
			}
		}
	}
	for _, lead := range []string{"more detail is provided in", "more details are provided in", "more information is provided in", "the answer to your question is", "the short answer is"} {
		if _, ok := cutWords(s, lead); ok && len(strings.Fields(s)) <= 12 {
			return true
		}
	}
	named, the := strings.CutPrefix(s, "the ")
	part, rest, _ := strings.Cut(named, " ")
	following := part == "following" || part == "next"
	if following {
		part, _, following = strings.Cut(rest, " ")
	}
	return the && (following || hasPrefix(rest, []string{"below ", "above "})) && slices.Contains(answerParts, part) && len(strings.Fields(s)) <= 14
}

var answerParts = []string{"table", "list", "section", "steps", "example", "examples", "code", "diagram", "summary", "overview", "points", "answer"}

// givesSome reports whether a predicate says that something is told and not what: "provide some information about …".
func givesSome(words []string) bool {
	if len(words) > 0 && (words[0] == "provided" || words[0] == "given") {
		words = words[1:]
	}
	if len(words) == 0 || !slices.Contains([]string{"provide", "give", "offer", "contain", "present"}, strings.TrimSuffix(words[0], "s")) {
		return false
	}
	for _, w := range words[1:] {
		switch w = strings.Trim(w, ".,!"); {
		case slices.Contains([]string{"information", "details", "answers", "insights", "context", "background"}, w):
			return true
		case !slices.Contains([]string{"some", "more", "conflicting", "different", "contradictory", "general", "limited", "various", "several", "additional", "further", "useful", "helpful", "relevant", "detailed", "specific", "the"}, w):
			return false
		}
	}
	return false
}

// goesOn reports whether a statement follows behind a colon: "Here is the reason: the cable was too thin."
func goesOn(s string) bool {
	_, rest, ok := strings.Cut(s, ":")
	return ok && len(strings.Fields(rest)) >= 4
}

// hasPrefix reports whether s begins with one of the phrases, at the end of a word.
func hasPrefix(s string, phrases []string) bool {
	for _, p := range phrases {
		rest, ok := strings.CutPrefix(s, p)
		if ok && (rest == "" || strings.HasSuffix(p, " ") || !isWordByte(rest[0])) {
			return true
		}
	}
	return false
}

func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c >= 0x80
}
