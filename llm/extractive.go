package llm

import (
	"context"
	"iter"
	"sort"
	"strconv"

	"github.com/ibid-dev/ibid"
)

// NoAnswer is what Extractive says where the passages hold no answer. It claims nothing, and so cites nothing.
const NoAnswer = "Nothing in the library answers this."

// ExtractiveName is the model that deltas of Extractive name.
const ExtractiveName = "extractive"

// Extractive answers without a language model and without a network: it picks the sentences of the passages that answer
// the question, and orders them. Each is followed by its [CTX n], as a language model is asked to do; without the markers the text is
// sentences of the documents and nothing else, but for white space. The same prompt gives the same answer. The zero
// value is ready.
type Extractive struct {
	// Sentences is how many sentences an answer has at most. The default follows the question: two where a single
	// fact is asked for, up to five where a list or an explanation is.
	Sentences int
}

var _ ibid.Model = Extractive{}

// Generate yields one delta per sentence. It fails only where the context ends.
func (e Extractive) Generate(ctx context.Context, p ibid.Prompt) iter.Seq2[ibid.Delta, error] {
	return func(yield func(ibid.Delta, error) bool) {
		for i, text := range e.answer(p) {
			if err := ctx.Err(); err != nil {
				yield(ibid.Delta{}, err)
				return
			}
			if i > 0 {
				text = " " + text
			}
			if !yield(ibid.Delta{Text: text, Model: ExtractiveName}, nil) {
				return
			}
		}
	}
}

func (e Extractive) answer(p ibid.Prompt) []string {
	chosen := e.choose(p)
	if len(chosen) == 0 {
		return []string{NoAnswer}
	}
	out := make([]string, len(chosen))
	for i, c := range chosen {
		out[i] = c.text + " [CTX " + strconv.Itoa(p.Passages[c.passage].Rank) + "]"
	}
	return out
}

// A sentence that falls behind the best one by more than this, in log-odds, is left out.
const gap = 2.5

// choose picks the sentences of the answer and orders them; none where the passages hold no answer.
func (e Extractive) choose(p ibid.Prompt) []candidate {
	q := parse(p.Question)
	all := rank(&q, p.Passages)
	if !answered(&q, p.Passages, all) {
		return nil
	}
	limit := e.Sentences
	if limit <= 0 {
		limit = lengthOf(q.want)
	}
	var chosen []candidate
	for _, c := range all {
		if len(chosen) == limit || c.odds < all[0].odds-gap {
			break
		}
		if !repeats(c, chosen) {
			chosen = append(chosen, c)
		}
	}
	order(chosen)
	return chosen
}

// rank gives all candidates, best first.
func rank(q *question, passages []ibid.Passage) []candidate {
	all := candidatesOf(passages)
	rate(q, passages, all)
	sort.SliceStable(all, func(i, j int) bool { return all[i].odds > all[j].odds })
	return all
}

func lengthOf(w want) int {
	switch w {
	case wantList, wantMethod, wantReason:
		return 5
	case wantAny, wantYesNo, wantDefinition:
		return 4
	}
	return 3
}

// repeats reports whether the sentence says what a chosen one says already.
func repeats(c candidate, chosen []candidate) bool {
	for _, d := range chosen {
		if c.text == d.text || similarity(c, d) > 0.7 {
			return true
		}
	}
	return false
}

// similarity is the share of the smaller sentence's words that the other has.
func similarity(a, b candidate) float64 {
	if len(a.roots) > len(b.roots) {
		a, b = b, a
	}
	both := 0
	for r := range a.roots {
		if b.roots[r] {
			both++
		}
	}
	if len(a.roots) == 0 {
		return 1
	}
	return float64(both) / float64(len(a.roots))
}

// order leaves the best sentence first. The next two, and then the rest, follow by passage and place, so that what stands
// together in a document is read together.
func order(chosen []candidate) {
	for _, part := range [][]candidate{chosen[min(1, len(chosen)):min(3, len(chosen))], chosen[min(3, len(chosen)):]} {
		sort.SliceStable(part, func(i, j int) bool {
			a, b := part[i], part[j]
			if a.passage != b.passage {
				return a.passage < b.passage
			}
			return a.place < b.place
		})
	}
}
