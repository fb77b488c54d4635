package reason

import (
	"regexp"
	"strings"

	"github.com/ibid-dev/ibid/text"
)

// joint is where one question ends and another begins within a sentence: a connector before a question word, or, behind a
// comma, before an auxiliary.
var joint = regexp.MustCompile(`(?i)(?:,|;|\s-|\s–|\s—)?\s+(?:and|but|or|and also|and then|then)\s+(?:if so,?\s+)?((?:to |for |in |at |by |with |from |on )?(?:who|whom|whose|what|which|when|where|why|how)\b)|[,;]\s+(?:and|but|or)\s+((?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b)`)

// mostClauses bounds how many questions are looked for in one: each may lean on all before it, and no plan has as many steps.
const mostClauses = 64

// longestClause is the most of a question, in bytes, that is looked at for its form. Nobody asks longer; people paste.
const longestClause = 4 << 10

// clauses takes apart a question that holds several, each as it stands there. One that holds one is given as it is.
func clauses(q string) []string {
	var out []string
	for _, s := range sentences(q) {
		if len(s) > longestClause {
			out = append(out, s)
		} else {
			out = append(out, clausesOf(s)...)
		}
		if len(out) >= mostClauses {
			return out[:mostClauses]
		}
	}
	return out
}

// sentences are the questions between question marks. A lead such as "I have two questions." asks nothing and is left out
// where something else does.
func sentences(q string) []string {
	var all, asks []string
	for _, at := range text.Sentences(q) {
		s := strings.TrimSpace(at.In(q))
		if s == "" {
			continue
		}
		all = append(all, s)
		first := ""
		if w := lowerWords(s); len(w) > 0 {
			first = w[0]
		}
		if strings.HasSuffix(s, "?") || asking[first] || auxiliary[first] {
			asks = append(asks, s)
		}
	}
	if len(asks) > 0 {
		return asks
	}
	if len(all) > 1 { // no question at all: a request in several sentences is one
		return []string{q}
	}
	return all
}

func clausesOf(s string) []string {
	var cuts [][2]int // where a clause ends, and where the next begins
	for _, m := range joint.FindAllStringSubmatchIndex(s, -1) {
		begin := m[2]
		if begin < 0 {
			begin = m[4]
		}
		cuts = append(cuts, [2]int{m[0], begin})
	}
	var out []string
	at := 0
	for _, c := range cuts {
		if head := s[at:c[0]]; whole(head) || bare(head) {
			out = append(out, head)
			at = c[1]
		}
	}
	out = append(out, s[at:])
	return share(out)
}

// whole reports whether a clause can stand alone: it asks, and has something to ask about.
func whole(s string) bool {
	w := lowerWords(s)
	if len(w) < 3 {
		return false
	}
	opens := false
	for i, word := range w {
		if i < 3 && (asking[word] || auxiliary[word]) || word == "tell" || word == "explain" || word == "describe" || word == "say" {
			opens = true
		}
	}
	return opens
}

// bare reports whether a clause is a question word alone, "When" of "When and where was he born?".
func bare(s string) bool {
	w := lowerWords(s)
	return len(w) == 1 && asking[w[0]] || len(w) == 2 && w[0] == "how" && !auxiliary[w[1]]
}

// share gives a bare question word the rest of the clause behind it.
func share(parts []string) []string {
	for i := len(parts) - 2; i >= 0; i-- {
		if !bare(parts[i]) {
			continue
		}
		next := parts[i+1]
		word, rest, _ := strings.Cut(next, " ")
		if !asking[strings.ToLower(word)] {
			continue
		}
		if w := lowerWords(rest); len(w) > 0 && strings.EqualFold(word, "how") && !auxiliary[w[0]] { // "how many ships sailed"
			_, rest, _ = strings.Cut(rest, " ")
		}
		parts[i] = strings.TrimSpace(parts[i]) + " " + rest
	}
	return parts
}

// resolve puts a name for the pronoun by which a clause leans on those before it. It says whether the clause leaned.
func resolve(clause string, before []string) (string, bool) {
	words := text.Words(clause)
	for i, at := range words {
		low := strings.ToLower(at.In(clause))
		own := possessive[low] && i+1 < len(words)
		if !pronoun[low] && !own {
			continue
		}
		// "her ship" has her, "saw her" and "sent her a reply" have not.
		if low == "her" && i+1 < len(words) {
			next := strings.ToLower(words[i+1].In(clause))
			own = !function[next] && !determiner[next] && !preposition[next] && !connector[next] && !auxiliary[next]
		}
		person := strings.Contains(" he him his she her ", " "+low+" ")
		// "what did it cost" asks for the price of what was done, which has no name.
		if low == "it" && i+1 < len(words) && (strings.EqualFold(words[i+1].In(clause), "cost") || strings.EqualFold(words[i+1].In(clause), "take")) {
			return clause, true
		}
		for j := len(before) - 1; j >= 0; j-- {
			if name, ok := antecedent(before[j], person, low == "it" || low == "its"); ok && !strings.Contains(clause, name) {
				switch {
				case own && strings.HasSuffix(name, "s"):
					name += "'"
				case own:
					name += "'s"
				}
				return clause[:at.Start] + name + clause[at.End:], true
			}
		}
		return clause, true
	}
	return clause, len(words) > 0 && len(words) <= 3
}

// antecedent is what a pronoun behind the clause stands for: for a person the last name, else the first thing that fits in
// number.
func antecedent(clause string, person, one bool) (string, bool) {
	all := nouns(clause)
	if person {
		for i := len(all) - 1; i >= 0; i-- {
			if all[i].name {
				return nameIn(all[i].at.In(clause)), true
			}
		}
		return "", false
	}
	for _, n := range all {
		name := n.at.In(clause)
		if plural := strings.HasSuffix(name, "s") && !strings.HasSuffix(name, "ss") && !n.name; !one || !plural {
			return name, true
		}
	}
	return "", false
}

// nameIn is the name that a noun phrase ends in: Brunel of "the ship of Brunel".
func nameIn(phrase string) string {
	words := text.Words(phrase)
	for i, at := range words {
		if !named(at.In(phrase)) {
			continue
		}
		if i > 0 && determiner[strings.ToLower(words[i-1].In(phrase))] {
			at = words[i-1] // "the Queen"
		}
		return phrase[at.Start:]
	}
	return phrase
}
