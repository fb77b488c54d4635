package ibid

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Segment is a run of answer text with one origin: a sentence, a list item, a table row, a heading, a block of code.
// The segments of an answer are in order and do not overlap.
type Segment struct {
	At     Span   `json:"at"` // into the answer's text
	Origin Origin `json:"origin"`
	Kind   Kind   `json:"kind,omitempty"`
	// Refs are the ranks of the passages it rests on, best first.
	Refs []int `json:"refs,omitempty"`
	// Support is the calibrated probability that the sources fully support the segment, whatever its origin.
	Support float64 `json:"support"`
	// Confidence is the calibrated probability that the origin is the right one.
	Confidence float64 `json:"confidence"`
	// Claimed is what the answer's own markers say, beside what was found.
	Claimed *Claimed `json:"claimed,omitempty"`
	// Unsupported are the words that no source has, as spans of the answer's text. A segment from a source has some where its
	// support is in doubt.
	Unsupported []Span `json:"unsupported,omitempty"`
	// Contradicted are the words that a source denies.
	Contradicted []Contradiction `json:"contradicted,omitempty"`
	// Steps are the steps of the chain of thought that it takes up, where there is one.
	Steps []int `json:"steps,omitempty"`
	// Reasons say in words how the decision came about.
	Reasons []string `json:"reasons,omitempty"`
}

// Kind is the form of a segment.
type Kind string

// The forms that a segment of an answer takes.
const (
	Sentence Kind = "sentence"
	ListItem Kind = "item"
	TableRow Kind = "row"
	Heading  Kind = "heading"
	Code     Kind = "code"
)

// Claimed is what a marker of the model says of a segment: a claim to be checked, not proof.
type Claimed struct {
	Origin   Origin `json:"origin,omitempty"`
	Refs     []int  `json:"refs,omitempty"`     // [CTX n] that exist
	Dangling []int  `json:"dangling,omitempty"` // [CTX n] without a passage of that number
}

// Contradiction is a disagreement between words of the answer and words of a source.
type Contradiction struct {
	Of     Span   `json:"of"` // into the answer's text
	To     Anchor `json:"to"`
	Kind   string `json:"kind,omitempty"` // what differs: "number", "date", "unit", "name", "negation", "comparative", "quantifier", "exchange", "role", "distance", "absence", "reading"
	Reason string `json:"reason"`         // says "23 %", the source says "32 %"
}

// Attribution links a span of the answer to the text that supports it.
type Attribution struct {
	Of         Span    `json:"of"` // into the answer's text
	To         Anchor  `json:"to"`
	Ref        int     `json:"ref"` // rank of the passage that holds the anchor
	Score      float64 `json:"score"`
	Confidence float64 `json:"confidence"` // calibrated
	Method     string  `json:"method"`     // "quote", "words", "judge"
	Trust      Trust   `json:"trust"`
	// Words are the supporting words within To, as spans of the document.
	Words []Span `json:"words,omitempty"`
}

// Step is a link of a chain of thought: a question of its own with passages of its own. Ranks and spans within it are its
// own: its attributions point into its text and to the passages that were really given for it.
type Step struct {
	Number       int           `json:"number"`
	Question     string        `json:"question"`
	Text         string        `json:"text"`
	Passages     []Passage     `json:"passages,omitempty"`
	Segments     []Segment     `json:"segments,omitempty"`
	Attributions []Attribution `json:"attributions,omitempty"`
	Confidence   float64       `json:"confidence"` // from the evidence: how well its claims are supported
	// Saw are the earlier steps whose answers it was shown. They are context and never sources.
	Saw []int `json:"saw,omitempty"`
	// Trace says in words why the step was taken.
	Trace string `json:"trace,omitempty"`
	// Seconds is how long it took.
	Seconds float64 `json:"seconds,omitempty"`
	// Incomplete says why the step ended before its end, or was not taken at all.
	Incomplete string `json:"incomplete,omitempty"`
}

// Citation is an attribution made presentable.
type Citation struct {
	Number     int      `json:"number"` // shown to people; 1, 2, 3 in order of first use in this answer
	Key        string   `json:"key"`    // the same source has the same key in the whole conversation
	Source     SourceID `json:"source"`
	At         Anchor   `json:"at"`
	Quote      string   `json:"quote"` // the document's text at the anchor, to the byte
	Locator    string   `json:"locator,omitempty"`
	Confidence float64  `json:"confidence"`
}

// Verdict is what the gate says of an answer or a run: whether its claims have the sources that a policy asks for. It does
// not say whether they are true.
type Verdict struct {
	Pass      bool     `json:"pass"`
	Coverage  float64  `json:"coverage"` // share of the claims that need a source and have one
	Threshold float64  `json:"threshold,omitempty"`
	Outcome   string   `json:"outcome,omitempty"` // what was done: "pass", "warn", "flag", "repair" or "block"
	Uncovered []Span   `json:"uncovered,omitempty"`
	Reasons   []string `json:"reasons,omitempty"`
	// Dropped are the claims of a run that a repair took out of what it delivers; the record keeps them.
	Dropped []ClaimID `json:"dropped,omitempty"`
	Policy  string    `json:"policy,omitempty"` // version of the policy
	Entry   *int64    `json:"entry,omitempty"`  // of the log, which holds what was decided on; nil where no log is kept
}

// Usage counts the tokens of the model, where it tells.
type Usage struct {
	Input  int `json:"input,omitempty"`
	Output int `json:"output,omitempty"`
}

// Answer is filled stage by stage, each field once, by the workflow alone.
type Answer struct {
	ID           AnswerID       `json:"id"`
	Conversation ConversationID `json:"conversation,omitempty"`
	Question     string         `json:"question"`
	Steps        []Step         `json:"steps,omitempty"`
	Passages     []Passage      `json:"passages"` // what the model was really given, by rank
	Text         string         `json:"text"`     // without markers
	Segments     []Segment      `json:"segments"`
	Attributions []Attribution  `json:"attributions"`
	Citations    []Citation     `json:"citations"`
	Verdict      *Verdict       `json:"verdict,omitempty"` // nil where there is no gate
	Model        string         `json:"model"`
	Usage        Usage          `json:"usage"`
	CreatedAt    time.Time      `json:"created_at"`
	// Incomplete says why the answer ended before its end, where it did. What came until then is kept.
	Incomplete string `json:"incomplete,omitempty"`
	// Entry is the answer's line in the log; nil where no log is kept.
	Entry *int64 `json:"entry,omitempty"`
}

// Shares are the parts of what an answer claims that come from sources and from the model. They sum to 1, or are both 0
// where nothing is claimed.
type Shares struct {
	Sources float64 `json:"ragContribution"`
	Model   float64 `json:"llmContribution"`
}

// Shares measures non-blank characters of claims, each once. A mixed segment counts by its supported part; text that makes no
// claim is left out. Where segments overlap, a character comes from sources if one of them finds it there.
func (a Answer) Shares() Shares {
	var claimed, found []Span
	for _, s := range a.Segments {
		if s.Origin == NONE {
			continue
		}
		claimed = append(claimed, s.At)
		switch s.Origin {
		case LLM:
		case HYBRID:
			found = append(found, s.supported()...)
		default:
			found = append(found, s.At)
		}
	}
	all, sources := inked(a.Text, claimed), inked(a.Text, found)
	if all == 0 {
		return Shares{}
	}
	return Shares{Sources: float64(sources) / float64(all), Model: float64(all-sources) / float64(all)}
}

// supported is what the segment has beside its unsupported words, which are in order.
func (s Segment) supported() []Span {
	var out []Span
	rest := s.At
	for _, u := range s.Unsupported {
		out = append(out, Span{rest.Start, u.Start})
		rest.Start = u.End
	}
	return append(out, rest)
}

// Passage gives the passage of a rank, and whether there is one.
func (a Answer) Passage(rank int) (Passage, bool) {
	for _, p := range a.Passages {
		if p.Rank == rank {
			return p, true
		}
	}
	return Passage{}, false
}

// Evidence gives the attributions of a segment, best first.
func (a Answer) Evidence(s Segment) []Attribution {
	var out []Attribution
	for _, at := range a.Attributions {
		if s.At.Contains(at.Of) {
			out = append(out, at)
		}
	}
	return out
}

// InWords says for people where the segment comes from.
func (s Segment) InWords() string {
	switch {
	case len(s.Contradicted) > 0:
		return "a source says otherwise"
	case s.Origin == RAG:
		return "from a source"
	case s.Origin == HYBRID:
		return "in part from a source"
	case s.Origin == LLM:
		return "the model's own"
	}
	return "makes no claim"
}

// Numbers are the citation numbers of a segment, in ascending order.
func (a Answer) Numbers(s Segment) []int {
	evidence := a.Evidence(s)
	if len(evidence) == 0 {
		return nil
	}
	var out []int
	for _, c := range a.Citations {
		for _, at := range evidence {
			if at.To == c.At && !slices.Contains(out, c.Number) {
				out = append(out, c.Number)
			}
		}
	}
	slices.Sort(out)
	return out
}

// Strength says a probability in words: strong from 0.8, fair from 0.5, weak below.
func Strength(confidence float64) string {
	switch {
	case confidence >= 0.8:
		return "strong"
	case confidence >= 0.5:
		return "fair"
	}
	return "weak"
}

// inked counts the characters of some stretches of a text that are not blank, those that several share once.
func inked(text string, spans []Span) int {
	slices.SortFunc(spans, func(a, b Span) int { return cmp.Compare(a.Start, b.Start) })
	n, done := 0, 0
	for _, s := range spans {
		s.Start = max(s.Start, done)
		if s.Empty() {
			continue
		}
		for _, r := range s.In(text) {
			if !unicode.IsSpace(r) {
				n++
			}
		}
		done = s.End
	}
	return n
}

// Check returns an error where the answer points at something that is not there: a span outside of its text, a rank
// without a passage, an anchor outside of its passage, a quote that is not the document's text. The error wraps
// ErrInvalid. It is the law of the record: no link is lost or invented.
func (a Answer) Check() error { return checkAnswer(a) }

// Entry is a line of the audit log. Its hash covers all of it but the payload, which it holds by a commitment, so that
// personal data can be erased while every proof stays valid.
type Entry struct {
	Index int64     `json:"index"` // 0, 1, 2 …
	At    time.Time `json:"at"`    // never before the entry before it
	// Clock is what the clock showed where it stood before the time of the entry before it.
	Clock      time.Time `json:"clock,omitzero"`
	Kind       string    `json:"kind"`
	Data       []byte    `json:"data"`       // the payload; nil where it was erased
	Commitment string    `json:"commitment"` // to the payload, with a salt
	Prev       string    `json:"prev"`       // hash of the entry before it
	Hash       string    `json:"hash"`
}

// short makes an excerpt for messages.
func short(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 40 {
		return string(r[:39]) + "…"
	}
	return s
}
