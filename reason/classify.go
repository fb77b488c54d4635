package reason

import (
	"strings"

	"github.com/ibid-dev/ibid/text"
)

// Kind is what a question asks for, as far as its form tells.
type Kind string

// The kinds of question.
const (
	Simple     Kind = "simple"     // one fact
	MultiPart  Kind = "multi-part" // several questions in one
	Comparison Kind = "comparison" // the same of two or more things
	Causal     Kind = "causal"     // why something is so
	Procedural Kind = "procedural" // how something is done
)

// Classify tells the kind of a question by its form. What has no form that it knows is Simple.
func Classify(question string) Kind {
	q := tidy(question)
	w := lowerWords(q)
	switch {
	case len(clauses(q)) > 1:
		return MultiPart
	case isCausal(w):
		return Causal
	case len(compared(q).things) > 1:
		return Comparison
	case isProcedural(w):
		return Procedural
	}
	return Simple
}

func isCausal(w []string) bool {
	if len(w) == 0 {
		return false
	}
	if w[0] == "why" || w[0] == "wherefore" || begins(w, "how come") || begins(w, "explain why") || begins(w, "for what reason") || begins(w, "for which reason") {
		return true
	}
	if w[0] != "what" && w[0] != "which" {
		return false
	}
	for i, word := range w {
		switch word {
		case "caused", "cause", "causes", "reason", "reasons":
			return true
		case "led", "lead":
			if i+1 < len(w) && w[i+1] == "to" {
				return true
			}
		}
	}
	return false
}

// isProcedural knows "How was the cable raised?" from "How long was it?" by what follows the how.
func isProcedural(w []string) bool {
	switch {
	case len(w) < 3:
		return false
	case begins(w, "how to"), begins(w, "what steps"), begins(w, "what are the steps"), begins(w, "which steps"), begins(w, "in what way"), begins(w, "by what means"):
		return true
	}
	return w[0] == "how" && auxiliary[w[1]] && !begins(w, "how is it that")
}

func begins(words []string, with string) bool {
	want := strings.Fields(with)
	if len(words) < len(want) {
		return false
	}
	for i, w := range want {
		if words[i] != w {
			return false
		}
	}
	return true
}

func lowerWords(s string) []string {
	var out []string
	for _, at := range text.Words(s) {
		out = append(out, strings.ToLower(strings.ReplaceAll(at.In(s), "’", "'")))
	}
	return out
}

// tidy brings a question onto one line.
func tidy(q string) string { return strings.Join(strings.Fields(q), " ") }

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

var (
	asking      = set("who whom whose what which when where why how")
	auxiliary   = set("is are was were be do does did has have had can could will would shall should may might must")
	determiner  = set("the a an this that these those his her its their our my your each every both all some any")
	pronoun     = set("it they them he him she her")
	possessive  = set("its their his")
	preposition = set("of at")
)
