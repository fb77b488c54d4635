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

// standalone makes a follow-up question searchable: "And how long did it work?" is looked up with the words of the
// question it follows, and of the one before where that leans too. A question that names its own subject stays as it is.
func standalone(question string, earlier []ibid.Answer) string {
	if len(earlier) == 0 || !leans(question) {
		return question
	}
	last := len(earlier) - 1
	return standalone(earlier[last].Question, earlier[:last]) + " " + question
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
