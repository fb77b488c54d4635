package argument

import (
	"regexp"
	"slices"
	"strings"
)

// Need says whether a statement needs a citation.
type Need string

// The needs.
const (
	Always   Need = "always"   // numbers, quotations, what a source says, specifications
	Consider Need = "consider" // general concepts, background, comparisons
	NotAtAll Need = "no"       // common knowledge, reasoning of one's own, hypotheses
)

var (
	number     = regexp.MustCompile(`\d|\b(?:hundred|thousand|million|billion|dozen|percent|per cent|half|twice|third|quarter)s?\b|%`)
	quotation  = regexp.MustCompile(`["“”«»]`)
	paraphrase = regexp.MustCompile(`(?i)\b(?:according to|found that|reports?|reported|stated?|states|argued?|argues|showed|shows that|concluded|wrote|said|says|claimed|claims|observed|demonstrated|as .{1,40} put it|study|studies|survey|inquiry|committee)\b`)
	spec       = regexp.MustCompile(`(?i)\b(?:specification|standard|version|protocol|clause|section|article|RFC|ISO|IEC|IEEE|must be|shall)\b`)
	hypothesis = regexp.MustCompile(`(?i)^(?:if|suppose|imagine|assume|perhaps|maybe|let us|hypothetically|in theory|one could|it could be|might)\b|\b(?:would have|might have|could have been)\b`)
	reasoning  = regexp.MustCompile(`(?i)^(?:therefore|thus|hence|so|consequently|it follows|in my view|i think|in our view|overall|in sum|in conclusion|on balance|taken together|we conclude)\b`)
	concept    = regexp.MustCompile(`(?i)\b(?:is an?|are|is the|refers to|means|known as|generally|usually|typically|often|history of|background|than|compared|whereas|more|less|better|worse|like|unlike)\b`)
	conclusion = regexp.MustCompile(`(?i)\b(?:therefore|thus|hence|consequently|it follows that|in conclusion|so it is clear|this proves|this shows)\b`)
)

// Needs tells by its form whether a statement needs a citation, and why.
func Needs(s string) (Need, string) {
	t := strings.TrimSpace(s)
	switch {
	case t == "" || strings.HasSuffix(t, "?"):
		return NotAtAll, "it states nothing"
	case quotation.MatchString(t):
		return Always, "a quotation"
	case hypothesis.MatchString(t):
		return NotAtAll, "a hypothesis"
	case number.MatchString(t):
		return Always, "numbers"
	case paraphrase.MatchString(t):
		return Always, "what a source says"
	case spec.MatchString(t):
		return Always, "a specification"
	case reasoning.MatchString(t):
		return NotAtAll, "reasoning of its own"
	case concept.MatchString(t):
		return Consider, "a general concept, background or a comparison"
	case len(strings.Fields(t)) <= 4:
		return NotAtAll, "common knowledge"
	}
	return Consider, "a statement of fact"
}

// concludes gives the span of a conclusion word.
func concludes(s string) []int { return conclusion.FindStringIndex(s) }

// kindOf tells what sort of argument a statement is.
func kindOf(s string) string {
	low := " " + strings.ToLower(s) + " "
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(low, w) })
	}
	switch {
	case number.MatchString(s):
		return "empirical"
	case has(" because ", " caused ", " so that ", " led to ", " due to ", " therefore ", " hastened ", " made "):
		return "causal"
	case paraphrase.MatchString(s) || quotation.MatchString(s):
		return "testimony"
	case has(" than ", " whereas ", " unlike ", " compared "):
		return "comparative"
	}
	return "factual"
}
