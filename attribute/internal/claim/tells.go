package claim

import (
	"regexp"
	"slices"
	"strings"
)

// tells reports whether a text gives what only a source could: an amount of money, a share, a time of the day, a measure, a date, a year or another number of
// three digits. "I hope it is clear now that the cable failed in 1858" is more than a courtesy. s is in lower case, as it is for all here.
func tells(s string) bool {
	return len(s) > maxTells || hasFigure(s) || priced(s) || toldMeasure.MatchString(s)
}

// maxTells is more than any courtesy has, in bytes.
const maxTells = 1000

// hasFigure reports whether a year or another number of three digits stands in a text.
func hasFigure(s string) bool {
	run := 0
	for i := range len(s) {
		if run++; s[i] < '0' || s[i] > '9' {
			run = 0
		}
		if run == 3 {
			return true
		}
	}
	return false
}

// priced reports whether a text gives an amount of money, a share or a time of the day that is no bound: "plans under $50" only says which ones.
func priced(s string) bool {
	for _, at := range toldPrice.FindAllStringIndex(s, -1) {
		before := strings.TrimRight(s[:at[0]], " ")
		if !slices.Contains(boundBefore, strings.TrimLeft(before[strings.LastIndexByte(before, ' ')+1:], "(")) {
			return true
		}
	}
	return false
}

var boundBefore = []string{"under", "over", "below", "above", "than", "to", "least", "most", "top", "around", "by"}

var (
	toldPrice   = regexp.MustCompile(`[$€£¥₹]\s?\d|\d\s?(?:[€£%]|percent\b|per cent\b|dollars?\b|euros?\b|usd\b|eur\b|[ap]\.?m\b)|\b\d{1,2}:\d\d\b`)
	toldMeasure = regexp.MustCompile(`(?:\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|hundred|thousand|million)) ?` +
		`(?:°|(?:seconds?|minutes?|mins?|hours?|days?|nights?|weeks?|months?|years?|mm|cm|m|km|miles?|metres?|meters?|kilometres?|kilometers?|feet|ft|inch(?:es)?|mg|g|kg|grams?|kilograms?|tons?|tonnes?|pounds?|lbs?|ounces?|oz|ml|l|lit(?:er|re)s?|kb|mb|gb|tb|mph|kw|kwh|hz|volts?|watts?|` +
		`million|billion|january|february|march|april|may|june|july|august|september|october|november|december)\b)|` +
		`\b(?:january|february|march|april|may|june|july|august|september|october|november|december) \d|\bon (?:mon|tues|wednes|thurs|fri|satur|sun)days?\b`)
)

// states reports whether a text is a whole sentence, by a verb that stands behind its subject and before something else, and by no word before it that makes a clause
// of another one. Titles that are sentences ("How it is laid") begin with such a word.
func states(s string) bool {
	words := strings.Fields(s)
	for i, w := range words {
		w = strings.Trim(w, `.,;:()"'`)
		switch {
		case slices.Contains(subordinate, w):
			return false
		case i > 0 && i+1 < len(words) && slices.Contains(finite, w):
			return true
		}
	}
	return false
}

var (
	subordinate = []string{"how", "what", "why", "who", "whom", "whose", "when", "where", "which", "that", "if", "whether", "because", "as", "since", "while", "here", "there", "these", "here's", "there's", "what's"}
	finite      = strings.Fields(`is are was were has had can cannot can't will won't must may isn't aren't wasn't weren't doesn't don't didn't lasts lasted costs cost takes took runs ran begins began starts started ends ended
		opens opened closes closed expires expired covers covered weighs weighed measures measured holds held contains contained lives lived grew fell rose earns earned pays paid sold reached founded established born died
		includes included requires required needs needed became won lost`)
)

// titleTells reports whether a title says something itself: "Final answer: $45", "The fee is $45". Titles with a number of their own are left alone: "Phase 2: 1857",
// "Hotels under $50".
func titleTells(s string) bool {
	titled := inTitleCase(s)
	s = strings.Trim(lowered(s), "# ")
	label, value, labelled := strings.Cut(s, ":")
	value = strings.TrimSpace(value)
	switch {
	case s == "" || len(s) > maxTells || strings.HasSuffix(s, "?"):
		return false
	case priced(s):
		return true
	case labelled && value != "" && !strings.ContainsAny(label, "0123456789"):
		words := strings.Fields(value)
		return hasPrefix(label, []string{"answer", "final answer", "short answer", "result"}) ||
			len(words) <= 4 && (tells(value) || strings.Trim(words[0], "0123456789.,") == "")
	}
	return !titled && (states(s) || hasPrefix(s, []string{"yes,", "no,"}))
}

// leadTells reports whether a text before a colon says something itself: "The plan costs $99 per month and includes".
func leadTells(s string) bool { return len(s) <= maxTells && (priced(s) || states(s) && tells(s)) }

// apologizes takes an apology off the beginning of a sentence, which may only regret what it says: "Sorry, we are closed on Sundays."
func apologizes(s string) (rest string, ok bool) {
	for _, sorry := range []string{"sorry, ", "i'm sorry, ", "i am sorry, ", "i apologize, ", "i apologise, ", "my apologies, "} {
		if rest, ok := strings.CutPrefix(s, sorry); ok {
			return strings.TrimPrefix(rest, "but "), !hasPrefix(rest, []string{"my mistake", "my bad", "about that", "for"})
		}
	}
	return s, false
}

// fails reports whether what is apologized for is that no answer came: "Sorry, this could not be answered."
func fails(s string) bool {
	return !tells(s) && slices.ContainsFunc(failures, func(f string) bool { return strings.Contains(s, f) })
}

var failures = []string{"answered", "an answer", "went wrong", "an error", "try again", "don't know", "do not know", "not sure", "no idea", "not able to", "unable to", "not possible to", "timed out", "didn't understand", "did not understand"}
