package workflow

import (
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/text"
)

// pointing are words by which a question leans on the one before it.
var pointing = map[string]bool{
	"it": true, "its": true, "they": true, "them": true, "their": true, "he": true, "him": true, "his": true, "she": true, "her": true,
	"that": true, "this": true, "these": true, "those": true, "there": true, "then": true, "one": true, "ones": true, "same": true,
}

// asking are words of a question that say what is asked, and not of what.
var asking = map[string]bool{
	"who": true, "whom": true, "whose": true, "what": true, "which": true, "when": true, "where": true, "why": true, "how": true,
	"much": true, "many": true, "long": true, "far": true, "old": true, "is": true, "are": true, "was": true, "were": true, "be": true, "been": true,
	"do": true, "does": true, "did": true, "has": true, "have": true, "had": true, "can": true, "could": true, "will": true, "would": true,
	"the": true, "a": true, "an": true, "and": true, "but": true, "so": true, "tell": true, "me": true, "about": true,
}

// standalone makes a follow-up question searchable: "And how long did it work?" is looked up with the subject of the
// question it follows, and of the one before where that leans too. What is asked stays in front, as it says which kind of
// answer is wanted. A question that names its own subject stays as it is.
func standalone(question string, earlier []ibid.Answer) string {
	subject := ""
	for i := len(earlier) - 1; i >= 0; i-- {
		asked := question
		if i+1 < len(earlier) {
			asked = earlier[i+1].Question
		}
		if !leans(asked) {
			break
		}
		subject += " " + subjectOf(earlier[i].Question)
	}
	return strings.TrimSpace(question + subject)
}

// answerable is the question as a model without a memory is asked it. The passages are found by then, so the words of
// earlier questions would only lead away from what is asked now, unless it has none of its own: "Why?".
func answerable(question, alone string) string {
	if subjectOf(question) == "" {
		return alone
	}
	return question
}

// subjectOf gives the words of a question that name what it is about.
func subjectOf(question string) string {
	var kept []string
	for _, at := range text.Words(question) {
		if w := at.In(question); !asking[strings.ToLower(w)] && !pointing[strings.ToLower(w)] {
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, " ")
}

func leans(question string) bool {
	words := text.Words(question)
	if len(words) <= 3 {
		return true
	}
	for i, w := range words {
		word := strings.ToLower(w.In(question))
		if pointing[word] || i == 0 && (word == "and" || word == "but" || word == "so") {
			return true
		}
	}
	return false
}
