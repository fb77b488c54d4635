// Package wording gives errors in the words that people read. Which kind an error is of is for programs, who ask errors.Is.
package wording

import (
	"strings"

	"github.com/ibid-dev/ibid"
)

// Of is what an error says, without the word for its kind at its end.
func Of(err error) string { return Plain(err.Error()) }

// Plain takes the word for the kind of an error off the end of what it says, as often as it was put there: an error that is
// passed on may get it again.
func Plain(text string) string {
	for {
		rest, ok := strings.CutSuffix(text, ": "+ibid.ErrInvalid.Error())
		if !ok {
			return text
		}
		text = rest
	}
}
