package reason

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/text"
)

// facets are what one asks of any topic, the most telling first. The hole is the topic.
var facets = []struct{ question, why string }{
	{"What is \x00?", "what it is"},
	{"When was \x00?", "dates"},
	{"Who was involved in \x00?", "people"},
	{"Why did \x00 succeed or fail?", "causes"},
	{"How was \x00 done?", "method"},
	{"How much did \x00 cost?", "figures"},
	{"What were the consequences of \x00?", "consequences"},
	{"Where was \x00?", "places"},
	{"What problems did \x00 have?", "problems"},
	{"How long did \x00 last?", "duration"},
	{"What was learned from \x00?", "lessons"},
	{"What came before \x00?", "background"},
	{"Which instruments and materials did \x00 use?", "means"},
	{"What did people say of \x00 at the time?", "reception"},
	{"How many were part of \x00?", "numbers"},
	{"What came after \x00?", "aftermath"},
}

// ResearchQuestions takes a topic apart into questions, between least and most of them: its own parts where it is a question,
// the names that come up most in passages on it, and what one asks of any topic.
func ResearchQuestions(topic string, passages []ibid.Passage, least, most int) []Part {
	topic = tidy(topic)
	subject := strings.TrimRight(subjectOf(lowerFirst(topic)), " .?!")
	var out []Part
	if strings.HasSuffix(topic, "?") {
		out = append(out, Split(topic, "", Limits{Steps: max(1, least-1)}).Parts...)
		if all := nouns(topic); len(all) > 0 {
			subject = subjectOf(lowerFirst(all[0].at.In(topic)))
		}
	}
	// Facets and names take turns, so that a small study has of both.
	names := prominent(passages, subject)
	want := (least + most) / 2
	for i := 0; len(out) < want && (i < len(facets) || i <= len(names)); i++ {
		if i < len(facets) {
			q := asQuestion(agree(strings.Replace(facets[i].question, hole, subject, 1), subject))
			out = append(out, Part{Question: q, Search: q, Why: facets[i].why})
		}
		if i > 0 && i <= len(names) && len(out) < want { // what it is and when it was come first
			name := names[i-1]
			q := "What is known of " + name + "?"
			out = append(out, Part{Question: q, Search: tidy(name + " " + content(subject)), Why: "comes up often in what the library has on it"})
		}
		out = distinct(out)
	}
	return out[:min(len(out), most)]
}

// subjectOf takes off what a topic says of the study and not of its subject: the history of cables is asked about cables.
func subjectOf(topic string) string {
	if m := framed.FindStringSubmatch(topic); m != nil {
		return m[1]
	}
	return topic
}

var framed = regexp.MustCompile(`(?i)^(?:the |an? )?(?:(?:brief|short) )?(?:history of|story of|overview of|background of|introduction to) (.*\S)`)

// agree puts the verb into the plural where the subject is in it.
func agree(question, subject string) string {
	head, _, _ := strings.Cut(subject, " of ")
	if !strings.HasSuffix(head, "s") || strings.HasSuffix(head, "ss") || named(head[strings.LastIndexByte(head, ' ')+1:]) {
		return question
	}
	return strings.Replace(strings.Replace(question, " is "+subject, " are "+subject, 1), " was "+subject, " were "+subject, 1)
}

// prominent lists the names that come up in the most passages, but for those that the topic itself has.
func prominent(passages []ibid.Passage, topic string) []string {
	asked := text.Fold(topic)
	count := map[string]int{}
	for _, p := range passages {
		seen := map[string]bool{}
		for _, at := range text.Sentences(p.Chunk.Text) {
			for _, name := range namesOf(strings.TrimSpace(at.In(p.Chunk.Text))) {
				if strings.Contains(name, " ") && len(name) < 60 && !strings.Contains(asked, text.Fold(name)) && !seen[name] {
					seen[name] = true
					count[name]++
				}
			}
		}
	}
	var out []string
	for name, n := range count {
		if n > 1 {
			out = append(out, name)
		}
	}
	sort.Slice(out, func(i, j int) bool {
		if count[out[i]] != count[out[j]] {
			return count[out[i]] > count[out[j]]
		}
		return out[i] < out[j]
	})
	return out
}

// ResearchPrompt asks a language model for the questions of a study. ParseResearch reads the reply.
func ResearchPrompt(topic string, passages []ibid.Passage, least, most int) ibid.Prompt {
	var titles []string
	for _, p := range passages {
		if t := p.Source.Title(); !slices.Contains(titles, t) {
			titles = append(titles, t)
		}
	}
	return ibid.Prompt{
		System: fmt.Sprintf(`Plan a piece of research. Write %d to %d questions that together cover the user's topic and can be looked up in a library which has, among others: %s.
Each question stands for itself and names what it is about. From the general to the particular. Do not answer anything.
Reply with one question a line, numbered, and nothing else.
`, least, most, strings.Join(titles, "; ")),
		Messages: []ibid.Message{{Role: "user", Text: topic}}, Question: topic, MaxTokens: 1200,
	}
}

// ParseResearch reads a model's questions, and fills up by rules where they are too few.
func ParseResearch(reply, topic string, passages []ibid.Passage, least, most int) []Part {
	parts, err := ParsePlan(reply, topic, Decomposition, Limits{Steps: most})
	if err != nil {
		return ResearchQuestions(topic, passages, least, most)
	}
	for i := range parts {
		parts[i].Why = "asked by the model's plan"
	}
	if len(parts) < least {
		parts = distinct(append(parts, ResearchQuestions(topic, passages, least, most)...))
	}
	return parts[:min(len(parts), most)]
}

// Sides are the two questions of an argument: what speaks for a claim, and what against it.
func Sides(claim string) (pro, con Part) {
	c := lowerFirst(strings.TrimRight(tidy(claim), " .?!"))
	pro = Part{Question: asQuestion("what speaks for the claim that " + c), Search: c, Why: "the case for the claim"}
	con = Part{Question: asQuestion("what speaks against the claim that " + c), Search: c, Why: "the case against the claim"}
	return pro, con
}

// Weigh is the last message to the model that puts both sides of an argument together.
func Weigh(claim string) string {
	return "Now weigh both sides of the claim in a few sentences, with the same markers and the numbers of the passages above. Say where the sources agree, where they do not, and what is missing. Do not decide more than they do. The claim: " + claim
}

// leaning are words by which a sentence denies, doubts or bounds what it speaks of.
var leaning = set("not never no nor neither nobody none nothing already hardly wrong false doubt doubted denied refute refuted cannot")

// Denies reports whether one of two statements denies and the other does not, by their words alone.
func Denies(claim, statement string) bool { return leans(claim) != leans(statement) }

func leans(s string) bool {
	for _, w := range lowerWords(s) {
		if leaning[w] || strings.HasSuffix(w, "n't") {
			return true
		}
	}
	return false
}

// OtherNumber finds another number of the same thing in a statement than the claim has: 400 messages, 732 messages. It gives
// both. A statement that has the claim's own number too speaks of a part of it. Years are no numbers of things.
func OtherNumber(claim, statement string) (ours, theirs string, ok bool) {
	here := amounts(statement)
	for _, a := range amounts(claim) {
		if slices.ContainsFunc(here, a.same) {
			continue
		}
		for _, b := range here {
			if a.thing == b.thing {
				return a.number, b.number, true
			}
		}
	}
	return "", "", false
}

// SameNumber reports whether a statement has a number of the claim, of the same thing.
func SameNumber(claim, statement string) bool {
	here := amounts(statement)
	return slices.ContainsFunc(amounts(claim), func(a amount) bool { return slices.ContainsFunc(here, a.same) })
}

type amount struct{ number, thing string }

// same reports whether two amounts are one: 4,000 messages are 4000 messages.
func (a amount) same(b amount) bool {
	return a.thing == b.thing && strings.ReplaceAll(a.number, ",", "") == strings.ReplaceAll(b.number, ",", "")
}

// OtherYear reports whether a statement speaks of other years than the claim does, and so of something else.
func OtherYear(claim, statement string) bool {
	ours, theirs := years(claim), years(statement)
	if len(ours) == 0 || len(theirs) == 0 {
		return false
	}
	for _, y := range theirs {
		if slices.Contains(ours, y) {
			return false
		}
	}
	return true
}

func years(s string) []string {
	var out []string
	for _, at := range text.Words(s) {
		if w := at.In(s); len(w) == 4 && numeric(w) && (w[0] == '1' || w[0] == '2') && strings.Trim(w, "0123456789") == "" {
			out = append(out, w)
		}
	}
	return out
}

// amounts gives the numbers of a text with the word that each counts.
func amounts(s string) []amount {
	var out []amount
	words := text.Words(s)
	for i, at := range words {
		w := at.In(s)
		if !numeric(w) || i+1 == len(words) {
			continue
		}
		next := words[i+1].In(s)
		if low := strings.ToLower(next); strings.TrimSpace(s[at.End:words[i+1].Start]) == "" && !named(next) && !function[low] && !preposition[low] && !connector[low] && !auxiliary[low] {
			out = append(out, amount{w, text.Stem(next)})
		}
	}
	return out
}

// Names are the words of a claim that name someone or something: those with a capital that are no first word of little
// meaning.
func Names(claim string) []string {
	var out []string
	for _, w := range strings.Fields(content(claim)) {
		if named(w) {
			out = append(out, strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s"))
		}
	}
	return out
}

// Weights say how telling words are among sentences: a word of few sentences tells more than one of many.
type Weights map[string]float64

// WeightsOf weighs words by the passages in which they stand.
func WeightsOf(passages []ibid.Passage) Weights {
	count, all := map[string]int{}, 0
	for _, p := range passages {
		for _, at := range text.Sentences(p.Chunk.Text) {
			all++
			seen := map[string]bool{}
			for _, w := range stems(at.In(p.Chunk.Text)) {
				if !seen[w] {
					seen[w] = true
					count[w]++
				}
			}
		}
	}
	out := Weights{}
	for w, n := range count {
		out[w] = math.Log(1 + float64(all)/float64(n))
	}
	out[""] = math.Log(2 + float64(all)) // of a word that stands nowhere
	return out
}

// Meet reports whether a statement may speak of what a claim speaks of: they share two words at the least. One word that both
// have, as "made", joins the moon and a ship's compass.
func Meet(claim, statement string) bool {
	have, ours, both := map[string]bool{}, map[string]bool{}, 0
	for _, w := range stems(statement) {
		have[w] = true
	}
	for _, w := range stems(claim) {
		if !ours[w] && have[w] {
			both++
		}
		ours[w] = true
	}
	return both > 0 && both >= min(2, len(ours))
}

// Touches is the share of the claim's words, by their weight, that a statement has, within [0,1].
func (ws Weights) Touches(claim, statement string) float64 {
	have := map[string]bool{}
	for _, w := range stems(statement) {
		have[w] = true
	}
	all, both := 0.0, 0.0
	for _, w := range stems(claim) {
		weight, ok := ws[w]
		if !ok {
			weight = ws[""] / 2 // nobody says it: it can't tell the sides apart
		}
		all += weight
		if have[w] {
			both += weight
		}
	}
	if all == 0 {
		return 0
	}
	return both / all
}

func stems(s string) []string {
	var out []string
	for _, w := range strings.Fields(content(s)) {
		out = append(out, text.Stem(strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")))
	}
	return out
}
