package llm

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid/text"
)

// want is what kind of thing would answer a question.
type want int

const (
	wantAny        want = iota // nothing in particular: statements on the subject
	wantPerson                 // who
	wantTime                   // when, what year
	wantPlace                  // where, which city
	wantNumber                 // how many, how much, how far
	wantDuration               // how long
	wantReason                 // why
	wantMethod                 // how do I, how does
	wantDefinition             // what is, what does .. mean
	wantYesNo                  // is, does, can
	wantList                   // which .. are there, list, what are the
	wants
)

// question is a question taken apart.
type question struct {
	terms []term // the words that carry its meaning, in order, each once
	want  want
	// names counts the terms that are written as names inside the question.
	names int
	has   map[string]bool // the stems of its terms
	hints map[string]bool // words that an answer to its "how tall", "how often" has
}

// term is a word of the question that an answer is likely to repeat.
type term struct {
	word   string // in lower case
	stem   string
	alike  []string // stems of words that may stand for it
	weight float64  // set from the passages: rare words weigh more
	name   bool     // written with a capital inside the question, or holds a digit
	close  bool     // stands right behind the term before it: "leave" in "sick leave"
	// scope marks the words that say what kind of answer is asked for ("city" in "which city"), which the answer need
	// not repeat.
	scope bool
}

// Openings of questions and what they ask for. The first that fits decides, so the special stand above the general.
var openings = []struct {
	re   *regexp.Regexp
	want want
}{
	{regexp.MustCompile(`^how long (?:ago|since)\b`), wantTime},
	{regexp.MustCompile(`^how (?:long|quickly|fast) (?:does|do|did|is|was|were|will|would|should|can|could|may|must|has|have|until|before|after)\b`), wantDuration},
	{regexp.MustCompile(`^(?:how (?:many|much|far|tall|high|deep|wide|long|old|large|big|heavy|hot|cold|often|fast|expensive)|(?:what|which) (?:is |was |were |are )?(?:the )?(?:total |average |maximum |minimum |max |min |current |default )*(?:number|amount|percentage|share|price|cost|population|size|length|height|weight|distance|temperature|rate|fee|fine|limit|salary|age|ages|area|speed|depth|capacity|value|score|dose|port)\b)`), wantNumber},
	{regexp.MustCompile(`^(?:when\b|(?:what|which|in what|in which) (?:exact )?(?:year|date|day|month|century|decade|time|period)\b)`), wantTime},
	{regexp.MustCompile(`^(?:where\b|(?:what|which|in what|in which) (?:\w+ )?(?:city|country|town|place|state|river|region|street|location|port|island|continent|village|county|province|building)\b)`), wantPlace},
	{regexp.MustCompile(`^(?:who|whom|whose|who's|whos)\b`), wantPerson},
	{regexp.MustCompile(`^(?:what|which) (?:\w+ )?(?:person|man|woman|actor|actress|author|president|king|queen|scientist|engineer|player|inventor|painter|writer|captain)\b`), wantPerson},
	{regexp.MustCompile(`^(?:what(?:'s| is| was) )?(?:the )?name of (?:the )?(?:\w+ )?(?:person|man|woman|president|king|queen|author|captain|inventor|founder|actor|actress|leader|minister|director|wife|husband|son|daughter|mother|father|brother|sister)\b`), wantPerson},
	{regexp.MustCompile(`^(?:why\b|how come\b|what (?:is|was|were|are) the (?:main )?(?:reason|cause)s?\b|what (?:caused|causes|led|made|makes)\b|for what reason\b)`), wantReason},
	{regexp.MustCompile(`^(?:what (?:is|was) the (?:meaning|definition) of|define\b|what(?: does| do)? .* (?:mean|stand for)\b|what(?:'s| is| are| was| were) (?:an? |the )?(?:[\w'’-]+ ?){1,4}\??$)`), wantDefinition},
	{regexp.MustCompile(`^(?:list|name|enumerate)\b|^(?:what|which) (?:are|were) (?:the|some)\b|^(?:what|which) (?:\w+ )?(?:types|kinds|steps|ways|features|options|benefits|advantages|disadvantages|symptoms|ingredients|examples|reasons|differences|requirements|tools|actions)\b`), wantList},
	{regexp.MustCompile(`^(?:how\b|in what way\b)`), wantMethod},
	{regexp.MustCompile(`^(?:is|are|was|were|do|does|did|can|could|may|might|must|should|shall|will|would|has|have|had|isn't|aren't|don't|doesn't|can't)\b`), wantYesNo},
}

// parse takes a question apart. Words of the language's own machinery fall away; if nothing else is left they are kept,
// so that "who are you" still asks something.
func parse(q string) question {
	lower := strings.ToLower(strings.Join(strings.Fields(strings.ReplaceAll(q[:min(len(q), 500)], "’", "'")), " "))
	lower = strings.Trim(lower, " \"“”")
	out, stop := question{want: wantOf(lower)}, stopWords
	if words, w, ok := foreign(lower); ok {
		out.want, stop = w, words
	}
	out.terms = termsOf(q, stop)
	if len(out.terms) == 0 {
		out.terms = termsOf(q, nil)
	}
	out.hints = hintsOf(lower)
	out.has = map[string]bool{}
	for i := range out.terms {
		out.has[out.terms[i].stem] = true
		if scopeWords[out.terms[i].stem] && len(out.terms) > 1 {
			out.terms[i].scope = true
		}
		if out.terms[i].name {
			out.names++
		}
	}
	return out
}

// hintsOf gives the words that the question's measure calls for.
func hintsOf(lower string) map[string]bool {
	for _, h := range measures {
		if h.re.MatchString(lower) {
			return h.words
		}
	}
	return nil
}

var measures = []struct {
	re    *regexp.Regexp
	words map[string]bool
}{
	{regexp.MustCompile(`\bhow (?:often|frequently)\b`), set("once twice thrice every daily weekly monthly yearly annually hourly times never always seldom rarely")},
	{regexp.MustCompile(`\bhow (?:tall|high|deep|long|wide|thick|far|large|big)\b(?: (?:is|are|was|were|may|can|must))`), set("metres meters metre meter feet foot inches km kilometres kilometers miles square cm mm acres hectares months years high tall deep wide")},
	{regexp.MustCompile(`\bhow (?:hot|cold|warm)\b|\btemperature\b`), set("degrees celsius fahrenheit temperature")},
	{regexp.MustCompile(`\bhow (?:old)\b|\bwhat age\b`), set("aged age born")},
	{regexp.MustCompile(`\bhow (?:much|expensive)\b.*\b(?:cost|pay|paid|price|fee|worth|earn|charge)|\bwhat (?:does|did|do) .*\bcost\b|\b(?:price|fee|fine|salary)\b`), set("dollars pounds euros francs crowns cents percent usd eur gbp chf yen rupees free")},
	{regexp.MustCompile(`\bhow heavy\b|\bhow much .*\bweigh`), set("kilograms kg grams pounds tons tonnes ounces")},
	{regexp.MustCompile(`\bhow fast\b`), set("mph knots hour second")},
}

// lead is what may stand before the question proper: "in which year", "please tell me when".
var lead = regexp.MustCompile(`^(?:(?:please|so|and|but|ok|hey|in|on|at|by|for|from|to|with|of|since|until|under|about|near|` +
	`(?:can|could) you (?:please )?(?:tell me|explain|say)|tell me|do you know|i want to know|i would like to know|explain|describe),? )+`)

// tail is the question word of "The cable was laid when?".
var tail = regexp.MustCompile(`\b(?:in what year|in which year|when|where|who|why|how many|how much|how long)[ ?]*$`)

func wantOf(lower string) want {
	starts := []string{lower, lead.ReplaceAllString(lower, ""), tail.FindString(lower)}
	for _, o := range openings {
		for _, s := range starts {
			if s != "" && o.re.MatchString(s) {
				return o.want
			}
		}
	}
	return wantAny
}

// in says how much of the term a set of stems has: all of it, part of it by a word that is alike, or nothing.
func (t term) in(roots map[string]bool) float64 {
	if roots[t.stem] {
		return 1
	}
	for _, a := range t.alike {
		if roots[a] {
			return alikeShare
		}
	}
	return 0
}

// is reports whether a word is the term or alike.
func (t term) is(root string) bool { return t.stem == root || slices.Contains(t.alike, root) }

// alikeShare is what a word that is alike counts of the word itself.
const alikeShare = 0.6

// mostTerms bounds the work for a question that is a whole page.
const mostTerms = 64

func termsOf(q string, stop map[string]bool) []term {
	var terms []term
	seen := map[string]bool{}
	end := -2 // where the term before ends
	for i, at := range text.Words(q) {
		w := at.In(q)
		lower := strings.ToLower(w)
		key := root(w)
		if stop[strings.ReplaceAll(lower, "’", "'")] || seen[key] {
			continue
		}
		if len(terms) == mostTerms {
			break
		}
		seen[key] = true
		terms = append(terms, term{word: lower, stem: key, alike: alike[key], weight: 1, name: hasDigit(w) || i > 0 && isCapital(w), close: at.Start == end+1})
		end = at.End
	}
	return terms
}

// root is the stem of a word, with irregular forms brought home: "won" and "winning" meet in "win", "U.S." and "US" in
// "us".
func root(w string) string {
	w = strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(w), "'s"), "’s")
	if strings.Contains(w, ".") && !hasDigit(w) {
		w = strings.ReplaceAll(w, ".", "")
	}
	if base, ok := irregular[w]; ok {
		w = base
	}
	return text.Stem(w)
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

func isCapital(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}
