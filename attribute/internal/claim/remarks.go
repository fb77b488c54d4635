package claim

import (
	"regexp"
	"strings"
)

// Remarks on the answer, on what was given and on who answers, in the many words that models have for them. They are read in lower case, behind
// what leads over to them, and none that tells a figure or a date is one.

// callsAttention reports where a sentence begins behind the words that ask for attention or point back: "Please note that …", "As mentioned above, …".
var callsAttention = regexp.MustCompile(`^(?:(?:please |also |but )*(?:note|keep in mind|bear in mind|remember|be aware)(?: that|,) |(?:again|that said|with that said|having said that), |` +
	`it(?: is|'s) (?:also )?(?:important|worth|essential|crucial) (?:to note|noting|to mention|mentioning|to remember|remembering) that |it should (?:also )?be noted that |as (?:i |was )?(?:mentioned|stated|noted|said) (?:above|earlier|before|previously), )`)

// remarked are the forms of remarks on the answer, and on the passages without what they say.
var remarked = oneOf(
	`there (?:(?:is|are) no|(?:is not|isn't)(?: a| one)?) (?:(?:one|single|clear|definite|definitive|direct|simple|straightforward|specific|exact|easy|right)(?:,? |-))+answers?\b`,
	`(?:the |this )?(?:final |simple |correct |best )?answer(?: to (?:the|this|your|that) question)?(?: here)? is(?: simply| a simple| a)? ["']?(?:yes|no)["']?[.!]*$`,
	`(?:the |this )?answer(?: to (?:the|this|your) question)? (?:(?:will |can |may )?(?:depend|var(?:y|ies))s?) (?:on|based on|by|depending on)? ?(?:(?:a (?:number|variety|range|few)|several|various|many|multiple|different|some|certain|your)\b|the (?:passage|source|document))`,
	`(?:this|it|that)(?: all)? (?:will )?depends? (?:up)?on (?:a (?:number|variety|range|few) of|several|various|many|multiple|different) (?:things|factors|variables)[.!]*$`, `(?:several|many|various|multiple|different) (?:things|factors) are at play[.!]*$`,
	`the question (?:asks|is asking|does not|doesn't|seems|appears)\b`, `you(?: are| have|'re|'ve)? ask(?:ed|ing) (?:about|whether|if|how|what|why|when|where|which|who|for)\b`,
	`i (?:understand|see) (?:that )?you(?:'re| are|'d| would| want| have)\b`,
	`(?:this|the|these|my|all) (?:above |provided |given )?(?:information|answers?|responses?|summar(?:y|ies)|advice)(?: (?:above|here|provided|given|i (?:gave|provided)|(?:in|from) (?:this|my|the|these) (?:answer|response|passages?|sources?)))* `+
		`(?:may|might|could|can|is|are|has|have) (?:be |have |not |necessarily |always |also |only )*(?:outdated|out of date|up[ -]to[ -]date|current|changed|incomplete|exhaustive|for (?:general )?(?:informational|information|educational|reference)\b|(?:based|limited|taken|drawn) (?:solely |only |entirely |purely )?(?:on|to|from) (?:the |these |what |given |provided )*(?:information|passages?|sources?|context|documents?|you)\b)`,
	`i(?: have|'ve)? based (?:this|my) (?:answer|response)\b`, `i (?:only used|used only|can only use|am only using) (?:the |what )(?:information|passages?|sources?|context|you)\b`, `there (?:is|are|seems to be|appears to be) (?:some |a |slight )*(?:disagreements?|conflicting information|discrepanc(?:y|ies)|differences?|conflicts?|contradictions?) (?:among|between|in|across) (?:the )?(?:passages|sources)\b`,
	`(?:please )?(?:see|refer to|check|read|look at|consult) (?:the )?(?:passages?|sources?) #?\d`,
	`(?:together, )?(?:the |these |all |both )+(?:passages|sources) (?:together )?(?:give|provide|offer|discuss|cover|present) (?:a (?:good |general |brief |broad )?overview|different (?:aspects|parts|sides))\b[^,;:]*$`,
	`this is (?:just |only |merely |for )*(?:a )?(?:general|informational) (?:information|guidance|advice|overview|guide|purposes)(?:,? (?:and|but) (?:is )?not [a-z]+ advice)?[.!]*$`, `this is (?:just |only |merely )?(?:for )?informational purposes\b`,
	`these are (?:just |only |merely )?(?:general |rough |some )*(?:guidelines|estimates|suggestions|tips|examples|recommendations|figures|averages)(?: only)?[.!]*$`,
	`(?:each|every) (?:of (?:the|these) )?(?:passages?|sources?|documents?) (?:offers?|gives?|provides?|presents?|has|takes?) (?:a |an |its )?(?:slightly )?(?:different|unique|own|distinct|separate|various)\b`,
	`(?:these|the following|the above) (?:passages|sources) (?:offer|give|provide|present|cover)s? (?:different|various|several)\b`,
	`(?:my|this|the) (?:knowledge|answer|response) (?:here )?is (?:limited to|(?:based|drawn) (?:solely |only |entirely |purely )?(?:on|from))\b`,
	`(?:we|you) can see (?:this|that|it) in (?:passages?|the passages?|sources?)\b[^,;:]*$`,
	`(?:more|further|additional) (?:details?|information) (?:on this |about this )?(?:can be found|is (?:available|given|provided)|are (?:available|given|provided)) in (?:the )?(?:passages?|sources?)\b[^,;:]*$`,
	`(?:by |if you )(?:simply |just )?follow(?:ing)? (?:these|the above|those|all (?:of )?these) (?:[a-z]+ ){0,2}(?:steps|tips|guidelines|instructions|suggestions|recommendations|methods|directions)(?: (?:above|carefully|closely|correctly))?, (?:you|anyone|your)\b`,
	`with (?:these|the above) (?:[a-z]+ ){0,2}(?:steps|tips|guidelines|instructions|suggestions), (?:you|anyone)\b`,
	`(?:ultimately |in the end )?(?:it(?: all)?|the (?:best |right |final )?(?:choice|decision|option))(?: between (?:the two|them|these))? (?:(?:will )?(?:comes?|boils?) down to|(?:will )?depends? (?:up)?on|is (?:a matter|up)) (?:of |to |largely |mostly )*(?:your|you|personal|individual)\b`,
)

// unsure are the forms by which one who answers says that no answer can be given.
var unsure = oneOf(
	`without (?:any |knowing )?(?:more|further|additional|other|specific|enough) (?:information|context|details?|specifics|about your [a-z]+)(?: [^,]{1,60})?, (?:it(?: is|'s| would be) (?:difficult|hard|impossible|not possible|unclear)|i (?:can(?:no|')t|am unable|'m unable|do not|don't|could not|couldn't))\b`,
	`(?:it(?: is|'s)|this question is) (?:difficult|hard|impossible|not possible) to (?:answer|say|tell|determine)\b(?: (?:this|the|your) question)?(?: for (?:sure|certain)| definitively)?(?: (?:without|based on|from|with) [^,;:]*)?[.!]*$`,
	`(?:the |this |your )(?:answer|question)(?: to (?:the|this|your) question)? (?:can(?:no|')t|could not|couldn't|can not) be (?:determined|answered|found|given) (?:from|with|based on|by|in|without)\b[^,;:]*$`,
	`(?:it(?: is|'s)|this is) (?:not relevant|irrelevant|unrelated) to (?:the|this|your) question\b`,
	`(?:the |this |these )?(?:(?:given|provided|other|first|second|third|last|remaining|two|three) ){0,2}(?:passages?|sources?|documents?)(?: #?\d+(?:(?:, | and |, and )\d+)*)?(?: (?:given|provided))? (?:is|are|seems?|appears?)(?: to be)? (?:not (?:directly |really |particularly )?(?:relevant|related|applicable|helpful|useful)|irrelevant|unrelated)\b`,
	`(?:the |this |these )?(?:(?:given|provided|other) )?(?:passages?|sources?|documents?)(?: #?\d+)?(?: (?:given|provided))? only (?:provides?|gives?|contains?|offers?|includes?) (?:some |general |limited |partial |basic )*(?:information|details)\b`,
)

// unanswered are more of them, in which an amount may be what is missing.
var unanswered = oneOf(
	`(?:(?:i|we) (?:would |will |'d )?need|you would need to (?:give|provide)) (?:more|additional|further) (?:information|details|context) (?:to|in order to|before)\b`,
	`(?:more|additional|further) (?:information|details|context) (?:is|are|would be) (?:needed|required|necessary) (?:to|in order to) (?:answer|determine|give|provide|say)\b`,
	`(?:there(?: is|'s| are) )?(?:not enough|insufficient|no relevant|no sufficient) (?:information|context|details?)(?: (?:is |was |are )?(?:provided|given|available|found))?(?: (?:in|from) (?:the |these )?(?:given |provided )?(?:passages?|sources?|context|text|documents?))?(?: to (?:answer|determine|say|give|provide)\b.*)?[.!]*$`,
	`no (?:[a-z]+ ){1,6}(?:is|are|was|were) (?:explicitly |directly )?(?:given|provided|mentioned|stated|specified|listed|found|named|discussed) (?:anywhere )?(?:in|by) (?:any of )?(?:the |these )?(?:given |provided )?(?:passages?|sources?|context|text|documents?)[.!]*$`,
)

// cheers are words at the end of an answer that only say that it is over.
var cheers = oneOf(`(?:and )?(?:that's|that is) (?:it|all|all there is to it)[.!]*$`, `(?:and )?there you (?:have it|go)[.!]*$`, `(?:and )?(?:now )?you(?:'re| are) (?:all )?(?:done|set|good to go|ready to go)[.!]*$`, `happy [a-z]+ing[,!]+ (?:and )?(?:let me know|enjoy|good luck|have)\b`)

// wishesWell begin wishes for the reader.
var wishesWell = regexp.MustCompile(`^(?:i )?(?:wish you (?:all the|the|good|every|much|a)\b|hope you (?:enjoy|like|find|have)\b)`)

func oneOf(forms ...string) *regexp.Regexp {
	return regexp.MustCompile(`^(?:` + strings.Join(forms, "|") + `)`)
}

// maxRemark is more than any of these remarks has, in bytes.
const maxRemark = 300

// remarksOn names the remark that a sentence is, or "".
func remarksOn(s string) string {
	switch {
	case len(s) > maxRemark:
		return ""
	case cheers.MatchString(s) || wishesWell.MatchString(s) && !tells(s):
		return courtesy
	case unsure.MatchString(s) && !tells(s) || unanswered.MatchString(s):
		return ofItself
	case remarked.MatchString(s) && !tells(s) && !goesOn(s):
		return ofTheAnswer
	}
	return ""
}

// offers begin sentences that offer more, or ask for it: who is free to remove the lower leaves is told so by a source.
var offers = regexp.MustCompile(`^(?:please )?(?:feel free|(?:do not|don't) hesitate) to (?:ask|reach|contact|let me|share|message|follow|clarify|tell|request|inquire|get in touch|provide|give me|send|specify|check back|come back|return|do so)\b|` +
	`^please (?:provide|share|clarify|specify)\b[^.]{0,80}\b(?:more|additional|further|questions?|details|context|passages?|documents?|information|clarification|what|which|mean)\b`)

// hopes are the courtesies that begin with what an answer is.
var hopes = regexp.MustCompile(`^i hope the (?:above |following |provided )?(?:information|answer|explanation|summary|details|response|passages|steps|tips|list)\b`)

// inACase reports whether advice to see an expert is for a case that it tells itself: "if the swelling spreads". Doubts, questions and troubles that do not
// end are anyone's.
func inACase(s string) bool {
	_, when, ok := strings.Cut(s, " if ")
	return ok && !anyCase.MatchString(when)
}

var anyCase = regexp.MustCompile(`^(?:you(?:(?:'re| are) (?:unsure|not sure|uncertain|concerned|worried|in doubt)| have (?:any|questions|concerns|doubts|further|more)| suspect| think| believe| experience any| notice any| develop any)\b|in doubt|needed|necessary|possible|there (?:is|are) any|(?:the |your |any |these |this )*(?:symptoms?|problems?|issues?|condition|pain|infestation|it|they)(?: still)? (?:persists?|continues?|worsens?|gets? worse|gets? any worse|do(?:es)? not (?:improve|go away|get better)|don't (?:improve|go away|get better))\b)`)

// sourceAlone is a line that only says which passages are meant: "Source: Passage 1", "(Sources: passages 1 and 2)".
var sourceAlone = regexp.MustCompile(`^[(\[]?(?:(?:sources?|references?|from|see|citations?|cited|based on|refs?)\s?:?\s*)?(?:the )?(?:passages?|sources?|documents?)\s?#?\d+(?:(?:,? and |,? & |, ?|-|–)(?:(?:passages?|sources?|documents?) )?#?\d+)*[.]?[)\]]?[.:]?$`)

// beforeAny begins advice that is given with all of a kind: "Before starting any new diet, …", "As with any medication, …".
var beforeAny = regexp.MustCompile(`^(?:before (?:starting|beginning|making|taking|trying|using) (?:any|a new)\b|as with (?:any|all)\b)[^,]{1,80}, `)

// asksInAnyCase reports whether a sentence sends to an expert whoever has a trouble that does not end, or before all of a kind: "If symptoms persist, see a doctor."
func asksInAnyCase(s string) bool {
	rest := s[len(beforeAny.FindString(s)):]
	if when, then, ok := strings.Cut(s, ", "); ok && len(rest) == len(s) && strings.HasPrefix(when, "if ") && anyCase.MatchString(when[len("if "):]) {
		rest = then
	}
	return len(rest) < len(s) && asksExpert(advised(strings.TrimPrefix(rest, "please ")))
}
