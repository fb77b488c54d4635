package workflow

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/text"
)

// nothing is the answer of a chain whose steps found nothing; unanswered that of one that has none as steps were not taken or
// broke off: what the library has is then not known. Both claim nothing.
const (
	nothing    = "Nothing in the library answers this."
	unanswered = "Sorry, this could not be answered."
)

// compose makes an answer of the steps without a language model: of each step the sentences that rest on sources, in
// order, each once and with its markers.
func compose(steps []ibid.Step, passages []ibid.Passage) string {
	each := 2
	if len(steps) <= 2 {
		each = 3
	}
	if len(steps) == 1 {
		each = 8
	}
	var paragraphs []string
	said := map[string]bool{}
	for _, s := range steps {
		var b strings.Builder
		var before ibid.Kind
		taken := 0
		for _, g := range s.Segments {
			words := strings.TrimSpace(g.At.In(s.Text))
			if g.Origin != ibid.RAG && g.Origin != ibid.HYBRID || said[words] || words == "" || taken == each {
				continue
			}
			said[words] = true
			switch {
			case taken == 0:
			case g.Kind == ibid.Sentence && before == ibid.Sentence:
				b.WriteString(" ")
			default:
				b.WriteString("\n")
			}
			if g.Kind == ibid.ListItem && !strings.HasPrefix(words, "-") && !strings.HasPrefix(words, "*") {
				b.WriteString("- ")
			}
			b.WriteString(words + numbers(s, g, passages))
			before = g.Kind
			taken++
		}
		if taken > 0 {
			paragraphs = append(paragraphs, b.String())
		}
	}
	if len(paragraphs) == 0 {
		return nothing
	}
	return strings.Join(paragraphs, "\n\n")
}

// numbers names the passages of a step's segment by the ranks that they have in the answer.
func numbers(s ibid.Step, g ibid.Segment, passages []ibid.Passage) string {
	var out []string
	for _, r := range g.Refs {
		for _, own := range s.Passages {
			if own.Rank != r {
				continue
			}
			if i := slices.IndexFunc(passages, func(p ibid.Passage) bool { return p.Chunk.At == own.Chunk.At && p.Source.ID == own.Source.ID }); i >= 0 {
				out = append(out, strconv.Itoa(passages[i].Rank))
			}
		}
	}
	if len(out) == 0 {
		return ""
	}
	return " [CTX " + strings.Join(out, ", ") + "]"
}

// said is a model that says one thing.
type said struct{ text, model string }

func (s said) Generate(ctx context.Context, _ ibid.Prompt) iter.Seq2[ibid.Delta, error] {
	return func(yield func(ibid.Delta, error) bool) { yield(ibid.Delta{Text: s.text, Model: s.model}, nil) }
}

// stepwise attributes the segments of an answer to passages as by does, and to the steps that it was made of.
type stepwise struct {
	by    ibid.Attributor
	steps []ibid.Step
}

func (s stepwise) Attribute(ctx context.Context, passages []ibid.Passage, drafts iter.Seq2[ibid.Draft, error]) iter.Seq2[ibid.Finding, error] {
	return func(yield func(ibid.Finding, error) bool) {
		texts := map[ibid.Span]ibid.Draft{}
		seen := func(yield func(ibid.Draft, error) bool) {
			for d, err := range drafts {
				texts[d.At] = d
				if !yield(d, err) {
					return
				}
			}
		}
		for f, err := range s.by.Attribute(ctx, passages, seen) {
			if err == nil && f.Segment.Origin != ibid.NONE {
				f.Segment.Steps = s.stepsOf(ctx, f, texts[f.Segment.At])
				delete(texts, f.Segment.At)
			}
			if !yield(f, err) {
				return
			}
		}
	}
}

// stepsOf finds the steps that a segment takes up: those that rest on the same words of a source, else those that say the
// same in words of their own.
func (s stepwise) stepsOf(ctx context.Context, f ibid.Finding, d ibid.Draft) []int {
	var out []int
	for _, step := range s.steps {
		if slices.ContainsFunc(step.Attributions, func(own ibid.Attribution) bool {
			return slices.ContainsFunc(f.Attributions, func(a ibid.Attribution) bool {
				return a.To.Document == own.To.Document && a.To.Span.Overlaps(own.To.Span)
			})
		}) {
			out = append(out, step.Number)
		}
	}
	if len(out) > 0 {
		return out
	}
	var texts []ibid.Passage
	for _, step := range s.steps {
		if strings.TrimSpace(step.Text) != "" {
			texts = append(texts, ibid.Passage{Rank: step.Number, Chunk: ibid.Chunk{Text: step.Text, At: ibid.Anchor{Document: ibid.HashText(step.Text), Span: ibid.Span{End: len(step.Text)}}}})
		}
	}
	d.Claimed, d.Cites = nil, nil
	one := func(yield func(ibid.Draft, error) bool) { yield(d, nil) }
	for g, err := range s.by.Attribute(ctx, texts, one) {
		if err == nil && (g.Segment.Origin == ibid.RAG || g.Segment.Origin == ibid.HYBRID) {
			out = append(out, g.Segment.Refs...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// What ends a model that does not end by itself.
var (
	errLoop   = errors.New("stopped: the model repeated itself")
	errLength = errors.New("cut: it grew longer than its budget")
)

// guarded ends a model that says more than so many bytes or goes round in circles. What came before stands. Bytes that are no
// characters are mended: an answer that holds them could not be recorded.
type guarded struct {
	model ibid.Model
	bytes int
}

const (
	loopWindow = 2048 // of which the last bytes are looked at
	loopPeriod = 512  // the longest text whose repetition is found
)

func (g guarded) Generate(ctx context.Context, p ibid.Prompt) iter.Seq2[ibid.Delta, error] {
	return func(yield func(ibid.Delta, error) bool) {
		left := g.bytes
		var words text.Mender
		var tail []byte
		fresh := 0
		for d, err := range g.model.Generate(ctx, p) {
			if err != nil {
				yield(d, err)
				return
			}
			d.Text = words.Write(d.Text)
			over := len(d.Text) > left
			if over {
				d.Text = d.Text[:boundary(d.Text, left)]
			}
			left -= len(d.Text)
			if !yield(d, nil) {
				return
			}
			if over {
				yield(ibid.Delta{}, errLength)
				return
			}
			tail = append(tail, d.Text...)
			if fresh += len(d.Text); fresh >= loopPeriod && len(tail) >= loopWindow {
				fresh = 0
				tail = tail[len(tail)-loopWindow:]
				if circles(tail) {
					yield(ibid.Delta{}, errLoop)
					return
				}
			}
		}
		if rest := words.Close(); rest != "" {
			yield(ibid.Delta{Text: rest}, nil)
		}
	}
}

// circles reports whether a text is one short text again and again.
func circles(tail []byte) bool {
	for p := 1; p <= loopPeriod; p++ {
		i := len(tail) - 1
		for i >= p && tail[i] == tail[i-p] {
			i--
		}
		if i < p {
			return true
		}
	}
	return false
}

// boundary is the last place up to n at which a text can be cut without cutting a character.
func boundary(s string, n int) int {
	n = max(0, min(n, len(s)))
	for n > 0 && n < len(s) && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}
