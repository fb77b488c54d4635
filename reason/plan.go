package reason

import (
	"fmt"
	"maps"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/text"
)

// Strategy is the way a question is taken apart.
type Strategy string

// The strategies.
const (
	// Decomposition asks the parts of a question side by side.
	Decomposition Strategy = "decomposition"
	// Iterative asks one question at a time, each about what the answer before brought up.
	Iterative Strategy = "iterative"
	// Hierarchical asks the parts first, and then the whole they belong to.
	Hierarchical Strategy = "hierarchical"
	// CausalChain asks whether something is so, then why.
	CausalChain Strategy = "causal"
)

// Strategies lists all.
func Strategies() []Strategy {
	return []Strategy{Decomposition, Iterative, Hierarchical, CausalChain}
}

// ParseStrategy reads the name of a strategy; "" leaves the choice to the kind of the question. The error wraps
// ibid.ErrInvalid.
func ParseStrategy(name string) (Strategy, error) {
	var names []string
	for _, s := range Strategies() {
		if name == string(s) {
			return s, nil
		}
		names = append(names, string(s))
	}
	if name == "" {
		return "", nil
	}
	return "", fmt.Errorf("strategy %q: give one of %s: %w", name, strings.Join(names, ", "), ibid.ErrInvalid)
}

// Suits is the strategy for a kind of question.
func Suits(k Kind) Strategy {
	switch k {
	case Causal:
		return CausalChain
	case Procedural:
		return Hierarchical
	}
	return Decomposition
}

// Plan is a question taken apart.
type Plan struct {
	Question string   `json:"question"`
	Kind     Kind     `json:"kind"`
	Strategy Strategy `json:"strategy"`
	Parts    []Part   `json:"parts"`
	// Note says what did not go as it was asked for: that the question can't be split, that the model's plan was no use.
	Note string `json:"note,omitempty"`
}

// Part is one question of a plan.
type Part struct {
	Question string `json:"question"`
	// Search is what is looked up for it: the question, and the words of others that it leans on.
	Search string `json:"search"`
	Why    string `json:"why"`
}

// Limits bound a plan.
type Limits struct {
	// Steps is how many parts a plan has at most. Defaults to 6.
	Steps int
	// Depth is how often a part is taken apart again, and how many rounds an iterative chain has. Defaults to 2.
	Depth int
}

// Filled gives the limits with their defaults.
func (l Limits) Filled() Limits {
	if l.Steps <= 0 {
		l.Steps = 6
	}
	if l.Depth <= 0 {
		l.Depth = 2
	}
	return l
}

// Split takes a question apart by rules. There is always at least one part; a question that can't be taken apart is asked
// as it is, and the plan says so. An empty strategy is the one that suits the kind.
func Split(question string, s Strategy, l Limits) Plan {
	l = l.Filled()
	q := tidy(question)
	p := Plan{Question: q, Kind: Classify(q), Strategy: s}
	if s == "" {
		p.Strategy = Suits(p.Kind)
	}
	switch p.Strategy {
	case CausalChain:
		p.Parts = causalParts(q)
	case Hierarchical:
		p.Parts = hierarchy(q, p.Kind, l.Depth)
	case Iterative:
		p.Parts = []Part{alone(q, "the question itself, before what its answer brings up")}
	default:
		p.Parts = decompose(q, l.Depth)
	}
	p.Parts = distinct(p.Parts)
	if len(p.Parts) > l.Steps {
		p.Note = fmt.Sprintf("%d parts were found, the first %d are asked", len(p.Parts), l.Steps)
		p.Parts = p.Parts[:l.Steps]
	}
	if len(p.Parts) == 1 && p.Strategy != Iterative {
		p.Parts = []Part{alone(q, "the question itself: it has one part")}
		if p.Kind != Simple || s != "" {
			p.Note = "the question can't be taken apart and is asked as it is"
		}
	}
	return p
}

func alone(q, why string) Part { return Part{Question: q, Search: q, Why: why} }

// decompose gives the parts of a question side by side: its clauses, and of a comparison the things compared.
func decompose(q string, depth int) []Part {
	if depth == 0 {
		return []Part{alone(q, "a part of the question")}
	}
	if cs := clauses(q); len(cs) > 1 {
		var out []Part
		var before []string
		for _, c := range cs {
			full, leaned := resolve(c, before)
			full = asQuestion(full)
			parts := decompose(full, depth-1)
			for _, p := range parts {
				p.Why = fmt.Sprintf("part %d of %d of the question", len(before)+1, len(cs))
				if leaned {
					p.Search = tidy(p.Search + " " + content(strings.Join(before, " ")))
				}
				out = append(out, p)
			}
			before = append(before, full)
		}
		return out
	}
	if c := compared(q); len(c.things) > 1 {
		var out []Part
		for _, t := range c.things {
			full := c.question(t)
			out = append(out, Part{Question: full, Search: full, Why: fmt.Sprintf("of %d things compared: %s", len(c.things), t)})
		}
		return out
	}
	return []Part{alone(q, "a part of the question")}
}

// hierarchy asks the parts, then the whole. Of what is done and how, the part is the thing that it is done to.
func hierarchy(q string, k Kind, depth int) []Part {
	parts := decompose(q, depth)
	if len(parts) == 1 {
		parts = nil
		if s, ok := subject(q); ok && (k == Procedural || k == Causal || k == Simple) && s.at.Len() < len(q)*2/3 {
			name := s.at.In(q)
			parts = append(parts, Part{Question: asQuestion("what is " + lowerFirst(name)), Search: tidy(name + " " + content(q)), Why: "what the question is about"})
		}
	}
	return append(parts, alone(q, "the whole question, with its parts answered"))
}

// causalParts asks whether it is so, then why.
func causalParts(q string) []Part {
	words := text.Words(q)
	low := lowerWords(q)
	why := alone(q, "the cause")
	switch {
	case len(low) > 2 && low[0] == "why" && auxiliary[low[1]]:
		effect := asQuestion(q[words[1].Start:])
		return []Part{{Question: effect, Search: effect, Why: "the effect: whether it is so"}, why}
	case (begins(low, "how come") || begins(low, "explain why")) && len(words) > 2:
		effect := asQuestion("is it so that " + q[words[2].Start:])
		return []Part{{Question: effect, Search: q[words[2].Start:], Why: "the effect: whether it is so"}, why}
	case isCausal(low):
		if all := nouns(q); len(all) > 0 {
			name := all[len(all)-1].at.In(q)
			return []Part{{Question: asQuestion("what is " + lowerFirst(name)), Search: tidy(name + " " + content(q)), Why: "the effect"}, why}
		}
		return []Part{why}
	}
	// Another kind of question, on which causes are asked for.
	s, ok := subject(q)
	if !ok {
		return []Part{alone(q, "the question itself")}
	}
	cause := asQuestion("what led to " + lowerFirst(s.at.In(q)))
	return []Part{alone(q, "the effect: what is so"), {Question: cause, Search: tidy(cause + " because " + content(q)), Why: "the cause"}}
}

// distinct leaves out parts that ask the same again.
func distinct(parts []Part) []Part {
	seen := map[string]bool{}
	var out []Part
	for _, p := range parts {
		if key := text.Fold(p.Question); p.Question != "" && !seen[key] {
			seen[key] = true
			out = append(out, p)
		}
	}
	return out
}

// Next gives the next question of an iterative chain: about a name or figure that the last answer brought up and that
// nothing before asked about. There is none where the answers bring up nothing new.
func Next(question string, taken []ibid.Step) (Part, bool) {
	if len(taken) == 0 {
		return Part{}, false
	}
	asked := text.Fold(question)
	for _, s := range taken {
		asked += " " + text.Fold(s.Question)
	}
	last := taken[len(taken)-1]
	for _, seg := range last.Segments {
		if seg.Origin != ibid.RAG && seg.Origin != ibid.HYBRID {
			continue // what no source says leads nowhere
		}
		for _, name := range namesOf(seg.At.In(last.Text)) {
			if strings.Contains(asked, text.Fold(name)) {
				continue
			}
			q := "What is known of " + name + "?"
			return Part{Question: q, Search: tidy(name + " " + content(question)), Why: fmt.Sprintf("step %d brought up %s", last.Number, name)}, true
		}
	}
	return Part{}, false
}

// namesOf finds runs of two or more capitalised words within a sentence, and single ones that do not begin it, the longest
// run first.
func namesOf(sentence string) []string {
	words := text.Words(sentence)
	var runs, singles []string
	for i := 0; i < len(words); {
		j := i
		for j < len(words) && named(words[j].In(sentence)) && (j == i || strings.Trim(sentence[words[j-1].End:words[j].Start], " -\n") == "") {
			j++
		}
		first := strings.ToLower(words[i].In(sentence))
		if j > i && i == 0 && leading[first] {
			i++
			continue
		}
		switch {
		case j-i > 1:
			runs = append(runs, sentence[words[i].Start:words[j-1].End])
		case j-i == 1 && i > 0 && words[i].Len() > 3 && !month[first]:
			singles = append(singles, words[i].In(sentence))
		}
		i = max(j, i+1)
	}
	return append(runs, singles...)
}

// leading are words that open a sentence with a capital and are no part of the name behind them.
var leading = func() map[string]bool {
	all := set("although though since until once yet still even later soon thus hence however meanwhile today")
	for _, words := range []map[string]bool{determiner, function, pronoun, possessive, asking, auxiliary, connector, preposition} {
		maps.Copy(all, words)
	}
	return all
}()

var month = set("january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday")
