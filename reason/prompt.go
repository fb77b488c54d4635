package reason

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/text"
)

// PlanPrompt asks a language model to take a question apart. ParsePlan reads the reply.
func PlanPrompt(question string, s Strategy, l Limits) ibid.Prompt {
	l = l.Filled()
	how := map[Strategy]string{
		Decomposition: "Give the parts side by side, each a question that can be answered for itself.",
		Iterative:     "Give only the first question that must be answered before anything else can be asked.",
		Hierarchical:  "Give the parts first, and the whole question last.",
		CausalChain:   "Ask first whether it is so, then for the causes, from the nearest to the deepest.",
	}[s]
	return ibid.Prompt{
		System: fmt.Sprintf(`Take the user's question apart into at most %d questions that can be looked up in a library, one by one.
%s
Each question names what it is about: no "it", no "they". Do not answer anything. Do not ask for what the user did not ask.
Reply with one question a line, numbered, and nothing else:
1. First question?
2. Second question?
A question that asks for one thing only is repeated as it is.
`, l.Steps, how),
		Messages:  []ibid.Message{{Role: "user", Text: question}},
		Question:  question,
		MaxTokens: 400,
	}
}

// sign is what models put before a question of a list, one after the other: "1.", "**2)**", "- ", "### Step 3:", "Q4:".
var sign = regexp.MustCompile(`(?i)^(?:[\s*_#>•"“\x60-]|\(?\d{1,2}[.):]|\d{1,2}\s+[-–]|(?:step|question|q)\s*\d{1,2}\s*[.:)])+(\D.*)$`)

// questionOf gives the question that a line of a model's reply holds, without the signs of a list and of formatting; ok is false
// where it holds none.
func questionOf(line string) (q string, ok bool) {
	q = tidy(line)
	if m := sign.FindStringSubmatch(q); m != nil {
		q = m[1]
	}
	q = strings.Trim(q, "*_`\"“”, ")
	return q, strings.HasSuffix(q, "?") && len(q) <= 400 && len(text.Words(q)) > 1 && utf8.ValidString(q) && !strings.Contains(q, "{{") && !strings.Contains(q, "[CTX")
}

// ParsePlan reads a model's plan. Only lines that can be questions about the question are taken: the rest, answers, courtesy,
// repetition, other topics, is left out. The error wraps ibid.ErrInvalid where nothing is left.
func ParsePlan(reply, question string, s Strategy, l Limits) ([]Part, error) {
	l = l.Filled()
	var parts []Part
	for line := range strings.Lines(reply) {
		q, ok := questionOf(line)
		if !ok || !plausible(q, question) {
			continue
		}
		parts = append(parts, Part{Question: q, Search: q, Why: "a part of the question, by the model's plan"})
	}
	parts = distinct(parts)
	if len(parts) == 0 {
		return nil, fmt.Errorf("the reply holds no question about the question: %w", ibid.ErrInvalid)
	}
	if s == Iterative {
		parts = parts[:1]
	}
	return parts[:min(len(parts), l.Steps)], nil
}

// plausible reports whether a line can be a part of the question: it has a word of it.
func plausible(line, question string) bool {
	asked := map[string]bool{}
	for _, w := range strings.Fields(content(question)) {
		asked[text.Stem(w)] = true
	}
	if len(asked) == 0 {
		return true
	}
	for _, w := range strings.Fields(content(line)) {
		if asked[text.Stem(w)] {
			return true
		}
	}
	return false
}

// NextPrompt asks a language model for the next question of an iterative chain. ParseNext reads the reply.
func NextPrompt(question string, taken []ibid.Step) ibid.Prompt {
	return ibid.Prompt{
		System: `A question is being answered step by step from a library. Given the steps so far, write the one question that should be looked up next to answer the user's question.
It names what it is about: no "it", no "they". Reply with that question on one line and nothing else, or with DONE where the steps answer the user's question.
`,
		Messages:  append(Earlier(taken), ibid.Message{Role: "user", Text: "The question to be answered: " + question}),
		Question:  question,
		MaxTokens: 120,
	}
}

// ParseNext reads the next question of a chain. There is none where the model says so, or where its reply is no question
// or one that was asked before: a chain that repeats itself is at its end.
func ParseNext(reply string, taken []ibid.Step) (Part, bool) {
	for line := range strings.Lines(reply) {
		q, ok := questionOf(line)
		if first, _, _ := strings.Cut(q, " "); strings.EqualFold(strings.TrimRight(first, ".!:"), "done") {
			break
		}
		if !ok {
			continue
		}
		for _, s := range taken {
			if text.Fold(s.Question) == text.Fold(q) {
				return Part{}, false
			}
		}
		return Part{Question: q, Search: q, Why: fmt.Sprintf("the model asks on after step %d", len(taken))}, true
	}
	return Part{}, false
}

// Earlier gives the steps that were taken as turns of a conversation: context, and never sources.
func Earlier(taken []ibid.Step) []ibid.Message {
	var out []ibid.Message
	for _, s := range taken {
		if s.Text != "" {
			out = append(out, ibid.Message{Role: "user", Text: s.Question}, ibid.Message{Role: "assistant", Text: s.Text})
		}
	}
	return out
}

// Asked is the last message to the model that puts the steps together. What the steps say is in the turns before it.
func Asked(question string) string {
	return "Now answer the whole question from what was found, in a few sentences, with the same markers and the numbers of the passages above: " + question
}
