package reason

import (
	"regexp"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid/text"
)

// comparing is a question that asks the same of several things: the question with a hole, and what fills it.
type comparing struct {
	frame  string // "How fast was %s?"
	things []string
}

func (c comparing) question(thing string) string {
	return agree(asQuestion(strings.Replace(c.frame, hole, thing, 1)), thing)
}

const hole = "\x00"

var (
	between   = regexp.MustCompile(`(?i)^(.*?)\b(?:differences?|distinction|comparison|contrast)\s+(?:is there\s+|was there\s+|are there\s+)?(?:in (?:the )?(.+?) )?between\s+(.+)$`)
	compare   = regexp.MustCompile(`(?i)^(?:please\s+)?(?:compare and contrast|compare|contrast)\s+(.+?)\s+(?:with|to|and|against)\s+(.+)$`)
	differs   = regexp.MustCompile(`(?i)^(?:how|in what way|in which way|in what)\s+(did|does|do|was|were|is|are)\s+(.+?)\s+(?:differ|different|differs|distinguished)\s+from\s+(.+)$`)
	beside    = regexp.MustCompile(`(?i)^(.+?),?\s+(?:compared\s+(?:with|to)|in comparison (?:with|to)|as compared (?:with|to)|versus|vs\.?|as opposed to)\s+(.+)$`)
	whichOf   = regexp.MustCompile(`(?i)^(which|who|what|where|when)\b(.*?)[,:]\s*(?:was it\s+|is it\s+)?(.+?)\s+or\s+(.+)$`)
	than      = regexp.MustCompile(`(?i)^(is|are|was|were|did|does|do|has|have|had|how much|how many|by how much)\b(.+?)\s+(than)\s+(.+)$`)
	eachOf    = regexp.MustCompile(`(?i)^(.*?\b(?:did|does|do|was|were|is|are|had|have|has)\s+)(?:both\s+)?(.+?)\s+and\s+(.+?)\s+(?:each|both|respectively)\s+(.+)$`)
	bothOf    = regexp.MustCompile(`(?i)^(.*?)\bboth\s+(.+?)\s+and\s+(.+)$`)
	whoAre    = regexp.MustCompile(`(?i)^(who|what)\s+(were|are)\s+(.+?)\s+and\s+(.+)$`)
	listSplit = regexp.MustCompile(`(?i)(?:\s*,\s*(?:(?:and|or)\s+)?|\s+(?:and|or)\s+)(?:(?:with|to)\s+)?`)
	thatOf    = regexp.MustCompile(`(?i)^(?:that|those|the one|the ones)\s+(of|in|from|at)\s+(.+)$`)
)

// compared reads a comparison. It has no things where the question is none.
func compared(question string) comparing {
	q := strings.TrimRight(tidy(question), " .?!")
	if len(q) > longestClause {
		return comparing{}
	}
	if m := between.FindStringSubmatch(q); m != nil {
		if things := listed(m[3]); len(things) > 1 {
			if m[2] != "" {
				return like(things, "What was the "+m[2]+" of "+hole)
			}
			return like(things, "What was "+hole)
		}
	}
	if m := compare.FindStringSubmatch(q); m != nil {
		return like(append([]string{m[1]}, listed(m[2])...), "What was "+hole)
	}
	if m := differs.FindStringSubmatch(q); m != nil {
		verb := "was"
		if low := strings.ToLower(m[1]); low == "is" || low == "does" {
			verb = "is"
		}
		return like(append([]string{m[2]}, listed(m[3])...), "What "+verb+" "+hole)
	}
	if m := beside.FindStringSubmatch(q); m != nil {
		if s, ok := subject(m[1]); ok {
			frame := m[1][:s.at.Start] + hole + m[1][s.at.End:]
			return like(append([]string{s.at.In(m[1])}, listed(m[2])...), frame)
		}
	}
	if m := whichOf.FindStringSubmatch(q); m != nil {
		last, rest, _ := strings.Cut(m[4], ", ") // "Which ship, A or B, was longer?"
		return choice(strings.ToLower(m[1]), m[2]+" "+rest, append(listed(m[3]), listed(last)...))
	}
	if m := eachOf.FindStringSubmatch(q); m != nil {
		things := append(listed(m[2]), m[3])
		return like(things, ofOne(m[1])+hole+" "+m[4])
	}
	if m := whoAre.FindStringSubmatch(q); m != nil && named(m[3]) && named(m[4]) {
		verb := map[string]string{"were": "was", "are": "is"}[strings.ToLower(m[2])]
		return like(append(listed(m[3]), m[4]), m[1]+" "+verb+" "+hole)
	}
	if m := than.FindStringSubmatch(q); m != nil {
		return comparative(strings.ToLower(m[1]), m[2], m[4])
	}
	if m := bothOf.FindStringSubmatch(q); m != nil {
		second, rest := firstNoun(m[3])
		if second != "" {
			return like([]string{m[2], second}, ofOne(m[1])+hole+rest)
		}
	}
	return comparing{}
}

// ofOne asks of one thing what was asked of several: "where were ", "where was ". Of a thing in the plural agree undoes it.
func ofOne(opening string) string {
	for several, one := range map[string]string{"were ": "was ", "are ": "is "} {
		if rest, ok := strings.CutSuffix(opening, several); ok {
			return rest + one
		}
	}
	return opening
}

// firstNoun parts a text behind the noun phrase that it begins with.
func firstNoun(s string) (string, string) {
	words := text.Words(s)
	if len(words) == 0 || words[0].Start != 0 {
		return "", ""
	}
	n, _ := nounAt("x "+s, text.Words("x "+s), 1, true)
	if n.at.Empty() {
		return "", ""
	}
	return s[:n.at.End-2], s[n.at.End-2:]
}

// like fills in what a second thing leaves out: "that of 1865" beside "the core of the cable of 1858".
func like(things []string, frame string) comparing {
	var out []string
	for _, t := range things {
		t = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(t), "between "))
		if t == "" {
			continue
		}
		if m := thatOf.FindStringSubmatch(t); m != nil && len(out) > 0 {
			if i := strings.LastIndex(out[0], " "+m[1]+" "); i > 0 {
				t = out[0][:i] + " " + m[1] + " " + m[2]
			}
		} else if numeric(t) && !strings.Contains(t, " ") && len(out) > 0 { // "the cables of 1858 and 1865"
			if i := strings.LastIndex(out[0], " "); i > 0 && numeric(out[0][i+1:]) {
				t = out[0][:i+1] + t
			}
		}
		out = append(out, t)
	}
	if len(out) < 2 {
		return comparing{}
	}
	return comparing{frame, out}
}

// listed parts "A, B and C". A thing that itself holds an "and" between names without a comma stays apart only where both
// sides can stand alone.
func listed(s string) []string {
	var out []string
	for _, t := range listSplit.Split(strings.TrimSpace(s), -1) {
		if t = strings.TrimSpace(t); t != "" {
			out = append(out, t)
		}
	}
	return out
}

// choice reads "Which was longer, A or B?": the quality is asked of each.
func choice(word, middle string, things []string) comparing {
	w := strings.Fields(strings.ToLower(middle))
	for i, v := range w {
		if adjective, ok := quality(v); ok {
			return like(things, "How "+adjective+" was "+hole+" "+strings.Join(w[i+1:], " "))
		}
	}
	switch joined := " " + strings.Join(w, " ") + " "; {
	case strings.Contains(joined, " cost more ") || strings.Contains(joined, " cost less "):
		return like(things, "How much did "+hole+" cost")
	case slices.ContainsFunc(w, func(v string) bool { return order[v] }):
		return like(things, "When was "+hole+" "+happened(w))
	case strings.Contains(joined, " more "):
		_, after, _ := strings.Cut(joined, " more ")
		return like(things, "How much "+strings.TrimSpace(after)+" did "+hole+" have")
	}
	if word == "when" || word == "where" {
		return comparing{}
	}
	return like(things, "What was "+hole)
}

var order = set("first last earlier later")

// happened is what came first or last: of "ship was launched first" it is "launched", of "came first" and "was the first ship"
// nothing.
func happened(words []string) string {
	if slices.Contains(words, "came") {
		return ""
	}
	if i := slices.IndexFunc(words, func(v string) bool { return auxiliary[v] }); i >= 0 {
		words = words[i+1:]
	} else if len(words) > 2 {
		words = words[1:] // "ship sailed first"
	}
	if i := slices.IndexFunc(words, func(v string) bool { return determiner[v] }); i >= 0 {
		words = words[:i]
	}
	return strings.Join(slices.DeleteFunc(words, func(v string) bool { return order[v] }), " ")
}

// comparative reads "Was A longer than B?" from behind its first word. A number is nothing that can be compared with, and neither
// is what was planned.
func comparative(opening, left, right string) comparing {
	left = strings.TrimSpace(left)
	words := text.Words(left)
	first, _, _ := strings.Cut(strings.ToLower(right), " ")
	if numeric(first) || pronoun[first] || auxiliary[first] || strings.HasSuffix(first, "ed") {
		return comparing{}
	}
	for i := len(words) - 1; i >= 0; i-- {
		w := strings.ToLower(words[i].In(left))
		if adjective, ok := quality(w); ok {
			thing := left[:words[i].Start]
			if i == 0 { // "how much longer was A than B"
				thing = left[words[i].End:]
			}
			return like([]string{bareThing(thing), right}, "How "+adjective+" was "+hole)
		}
		if i > 0 && (w == "more" || w == "less" || w == "fewer") {
			n, _ := firstNoun(left)
			verb, of := "", strings.TrimSpace(left[words[i].End:])
			if n != "" {
				verb = strings.TrimSpace(left[len(n):words[i].Start])
			}
			switch {
			case verb != "":
				return like([]string{n, right}, tidy("How much "+of+" did "+hole+" "+verb))
			case n != "" && of != "" && (opening == "is" || opening == "are" || opening == "was" || opening == "were"): // "was A more costly than B"
				return like([]string{n, right}, "How "+of+" was "+hole)
			}
			return comparing{}
		}
	}
	return comparing{}
}

// bareThing takes off the verb in front of a thing and the article behind it: "was A", "A a longer ship".
func bareThing(s string) string {
	f := strings.Fields(s)
	if len(f) > 1 && auxiliary[strings.ToLower(f[0])] {
		f = f[1:]
	}
	if len(f) > 1 && determiner[strings.ToLower(f[len(f)-1])] {
		f = f[:len(f)-1]
	}
	return strings.Join(f, " ")
}

// quality gives the plain form of a comparative.
func quality(w string) (string, bool) {
	switch w {
	case "better", "best":
		return "good", true
	case "worse", "worst":
		return "bad", true
	case "larger", "largest", "bigger", "biggest":
		return "large", true
	case "heavier", "heaviest":
		return "heavy", true
	case "faster", "slower", "longer", "shorter", "older", "newer", "deeper", "stronger", "weaker", "cheaper", "thicker", "higher", "lower", "smaller",
		"younger", "richer", "harder", "softer", "lighter":
		return strings.TrimSuffix(w, "er"), true
	case "fastest", "slowest", "longest", "shortest", "oldest", "newest", "deepest", "strongest", "cheapest", "thickest", "highest", "lowest", "smallest":
		return strings.TrimSuffix(w, "est"), true
	case "thinner", "thinnest":
		return "thin", true
	case "wider", "widest":
		return "wide", true
	}
	return "", false
}
