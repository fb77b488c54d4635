package conflict

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
)

// Kind says what two statements differ in.
type Kind string

// The kinds of conflict.
const (
	Number    Kind = "number"    // 732 messages, 400 messages
	Date      Kind = "date"      // 1 September, 20 October
	Unit      Kind = "unit"      // 3 miles, 3 kilometres
	Negation  Kind = "negation"  // was found, was not found
	Direction Kind = "direction" // rose, fell
	Value     Kind = "value"     // open, closed; Thomson, Whitehouse: one place, two things that exclude each other
	Amount    Kind = "amount"    // all, none
	Version   Kind = "version"   // any of these between two versions of one source
	Judged    Kind = "judged"    // a judge says so, and no single word shows it
)

// Severity says how much it would matter, if it is one.
type Severity string

// The severities.
const (
	Low    Severity = "low"
	Medium Severity = "medium"
	High   Severity = "high"
)

// Finding is two statements that cannot both hold. It is a place to look at, not a verdict.
type Finding struct {
	Kind       Kind     `json:"kind"`
	Severity   Severity `json:"severity"`
	Confidence float64  `json:"confidence"` // probability that they cannot both hold
	A          Side     `json:"a"`
	B          Side     `json:"b"`
	Reason     string   `json:"reason"` // one says "732", the other "400"
}

// Side is one of two statements.
type Side struct {
	Source ibid.SourceID `json:"source"`
	At     ibid.Anchor   `json:"at"`    // the sentence, with what it needs to be understood
	Quote  string        `json:"quote"` // the document's text there
	Words  ibid.Span     `json:"words"` // the words that differ, into the document; empty where no single words do
	Says   string        `json:"says,omitempty"`
}

// Reader reads texts. attribute.Reader is one.
type Reader interface {
	// Contradiction reads a claim against passages for what they deny: the probability that they deny it, the text that was
	// compared with it, and the words that are denied, with spans into the claim.
	Contradiction(passages []ibid.Passage, claim string) (float64, ibid.Anchor, []ibid.Contradiction)
	// Words gives the words of a text and what each says in English, "" where it says nothing by itself. In doubt about the
	// language the text around it decides, which may be empty.
	Words(text, around string) (at []ibid.Span, says []string)
}

// Config says what a Finder is made of beside its Reader.
type Config struct {
	// Judge is asked for a second opinion on each pair that shares enough words. nil means words alone.
	Judge ibid.Judge
	// Least is the confidence below which Claim leaves a finding out. Defaults to 0.3.
	Least float64
	// LeastPair is the same for Passages, which knows more of what it compares. Defaults to 0.35.
	LeastPair float64
}

// Finder finds conflicts. It has no state of its own and may be used by many at once.
type Finder struct {
	read         Reader
	judge        ibid.Judge
	least, pairs float64
	lenient      *Finder // gives Passages all that it then checks itself
}

// New makes a finder.
func New(r Reader, c Config) *Finder {
	if c.Least == 0 {
		c.Least = 0.3
	}
	if c.LeastPair == 0 {
		c.LeastPair = 0.35
	}
	return &Finder{r, c.Judge, c.Least, c.LeastPair, &Finder{read: r, judge: c.Judge}}
}

// Probability says how likely the passages deny the claim. With a judge it is the mean of both opinions in log odds.
func (f *Finder) Probability(ctx context.Context, passages []ibid.Passage, claim string) (float64, error) {
	p, at, _ := f.read.Contradiction(passages, claim)
	return f.second(ctx, p, at, passages, claim)
}

// second asks the judge, where there is one and there is something to ask about.
func (f *Finder) second(ctx context.Context, p float64, at ibid.Anchor, passages []ibid.Passage, claim string) (float64, error) {
	if f.judge == nil || at.Span.Empty() {
		return p, nil
	}
	for _, q := range passages {
		if q.Chunk.At.Document != at.Document || !q.Chunk.At.Span.Contains(at.Span) {
			continue
		}
		said, err := f.judge.Judge(ctx, []ibid.Pair{{Evidence: f.english(at.Span.Shift(-q.Chunk.At.Span.Start).In(q.Chunk.Text)), Claim: f.english(claim)}})
		if err == nil && len(said) != 1 {
			err = fmt.Errorf("%d judgements for one pair: %w", len(said), ibid.ErrInvalid)
		}
		if err != nil {
			return 0, fmt.Errorf("judge: %w", err)
		}
		return sigmoid((logit(p) + logit(said[0].Contradicted)) / 2), nil
	}
	return p, nil
}

// english gives a text word by word in English, as a judge reads it; an English one as it is.
func (f *Finder) english(s string) string {
	var b strings.Builder
	last := 0
	at, says := f.read.Words(s, "")
	for i, w := range at {
		b.WriteString(s[last:w.Start])
		if i > 0 && w.Start == last && says[i] != w.In(s) {
			b.WriteByte(' ') // some languages put none between words
		}
		b.WriteString(says[i])
		last = w.End
	}
	return b.String() + s[last:]
}

// Claim finds where passages deny a claim. The claim is a passage too: its chunk's text is the claim, its anchor the
// place where it stands, as in an answer; its source may be empty.
func (f *Finder) Claim(ctx context.Context, claim ibid.Passage, passages []ibid.Passage) ([]Finding, error) {
	p, at, denied := f.read.Contradiction(passages, claim.Chunk.Text)
	p, err := f.second(ctx, p, at, passages, claim.Chunk.Text)
	if err != nil || p < f.least || at.Span.Empty() {
		return nil, err
	}
	i := slices.IndexFunc(passages, func(q ibid.Passage) bool {
		return q.Chunk.At.Document == at.Document && q.Chunk.At.Span.Contains(at.Span)
	})
	if i < 0 {
		return nil, fmt.Errorf("the text that was compared stands in none of the passages: %w", ibid.ErrInvalid)
	}
	a := side(claim, ibid.Span{End: len(claim.Chunk.Text)})
	b := side(passages[i], at.Span.Shift(-passages[i].Chunk.At.Span.Start))
	return f.findings(a, b, p, denied, claim.Chunk.At.Span.Start), nil
}

// findings makes one finding per word that is denied, or one for the whole where a judge alone says so.
func (f *Finder) findings(a, b Side, p float64, denied []ibid.Contradiction, base int) []Finding {
	if len(denied) == 0 && f.judge == nil {
		return nil // words alone must be able to say which
	}
	if len(denied) == 0 {
		return []Finding{{Kind: Judged, Severity: Medium, Confidence: p, A: a, B: b, Reason: "the two statements are judged not to fit together"}}
	}
	var out []Finding
	for _, d := range denied {
		a, b := a, b
		a.Words, b.Words = d.Of.Shift(base), d.To.Span
		a.Says, b.Says = a.words(), b.words()
		if sameValue(a.Says, b.Says) {
			continue
		}
		kind := kindOf(d.Kind, a.Says, b.Says)
		out = append(out, Finding{Kind: kind, Severity: severity(kind, a.Says, b.Says), Confidence: p, A: a, B: b, Reason: reason(kind, a.Says, b.Says)})
	}
	return out
}

func side(p ibid.Passage, at ibid.Span) Side {
	return Side{Source: p.Source.ID, At: ibid.Anchor{Document: p.Chunk.At.Document, Span: at.Shift(p.Chunk.At.Span.Start)}, Quote: at.In(p.Chunk.Text)}
}

// words are what stands at Words. They lie within the quote, since the reader compared nothing else.
func (s Side) words() string {
	at := s.Words.Shift(-s.At.Span.Start)
	if at.Start < 0 || at.End > len(s.Quote) || at.Empty() {
		return ""
	}
	return at.In(s.Quote)
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func logit(p float64) float64 {
	p = math.Min(0.999, math.Max(0.001, p))
	return math.Log(p / (1 - p))
}

// order puts the surest first; equals by their places.
func order(a, b Finding) int {
	return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.A.At.Document, b.A.At.Document), cmp.Compare(a.A.Words.Start, b.A.Words.Start),
		cmp.Compare(a.B.At.Document, b.B.At.Document), cmp.Compare(a.B.Words.Start, b.B.Words.Start))
}
