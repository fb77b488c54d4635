package llm

import (
	"context"
	"iter"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/marker"
)

// NoAnswer is what Extractive says where the passages hold no answer. It claims nothing, and so cites nothing.
const NoAnswer = "Nothing in the library answers this."

// ExtractiveName is the model that deltas of Extractive name.
const ExtractiveName = "extractive"

// Extractive answers without a language model and without a network: it picks the sentences of the passages that answer
// the question, and orders them. Each is followed by its [CTX n], as a language model is asked to do; without the
// markers the text is sentences of the documents and nothing else, but for white space, the numbers of notes, and the
// signs of a list or table. The same prompt gives the same answer. The zero value is ready.
type Extractive struct {
	// Sentences is how many sentences an answer has at most. The default follows the question: two where a single
	// fact is asked for, up to five where a list or an explanation is.
	Sentences int
	// English gives a text of another language in English, "" where there is nothing to give, so that question and passages are compared in one. In doubt about
	// a short text the one it stands in tells the language. May be nil.
	English func(text, around string) string
}

var _ ibid.Model = Extractive{}

// Generate yields one delta per sentence. It fails only where the context ends.
func (e Extractive) Generate(ctx context.Context, p ibid.Prompt) iter.Seq2[ibid.Delta, error] {
	return func(yield func(ibid.Delta, error) bool) {
		if err := ctx.Err(); err != nil {
			yield(ibid.Delta{}, err)
			return
		}
		for _, text := range write(p.Passages, e.choose(p)) {
			if err := ctx.Err(); err != nil {
				yield(ibid.Delta{}, err)
				return
			}
			if !yield(ibid.Delta{Text: text, Model: ExtractiveName}, nil) {
				return
			}
		}
	}
}

// write turns sentences into the texts of an answer's deltas. Documents hold look-alikes of markers, as the numbers of
// their own notes; they are taken out, and a sentence that can't be freed of them is left out, so that the answer's
// reader finds the markers that are set here and no others.
func write(passages []ibid.Passage, chosen []candidate) []string {
	config := marker.Config{Passages: len(passages), Sources: marker.Known(passages)}
	var out []string
	raw, clean := "", ""
	for i, c := range chosen {
		words := strings.Join(strings.Fields(marker.Parse(c.text, config).Text), " ")
		if words == "" {
			continue
		}
		switch {
		case c.kind == ibid.ListItem:
			words = "- " + words
		case c.kind == ibid.TableRow: // with its signs each row is read as one, and not as part of a paragraph
			words = "| " + strings.Trim(words, "| ") + " |"
		}
		gap := ""
		if len(out) > 0 {
			gap = between(chosen[i-1], c)
		}
		delta := gap + words + " [CTX " + refs(passages, c) + "]"
		if marker.Parse(raw+delta, config).Text != clean+gap+words {
			continue
		}
		raw, clean = raw+delta, clean+gap+words
		out = append(out, delta)
	}
	if len(out) == 0 {
		return []string{NoAnswer}
	}
	return out
}

// refs names the passages of a sentence, the one that it was taken from first.
func refs(passages []ibid.Passage, c candidate) string {
	out := strconv.Itoa(passages[c.passage].Rank)
	for _, i := range c.also {
		out += ", " + strconv.Itoa(passages[i].Rank)
	}
	return out
}

// between is the space between two sentences. Only a sentence that ends as one can be followed on its line; otherwise
// the next would be read as its end.
func between(a, b candidate) string {
	switch {
	case a.kind == b.kind && a.kind != ibid.Sentence:
		return "\n"
	case a.kind == ibid.Sentence && b.kind == ibid.Sentence && endsSentence(a.text):
		return " "
	}
	return "\n\n"
}

// choose picks the sentences of the answer and orders them; none where the passages hold no answer.
func (e Extractive) choose(p ibid.Prompt) []candidate {
	q := parse(e.readable(p.Question, ""))
	all := e.rank(&q, p.Passages)
	if !answered(&q, p.Passages, all) {
		return nil
	}
	limit, gap := measureOf(q.want)
	if e.Sentences > 0 {
		limit = e.Sentences
	}
	least := all[0].odds - gap
	var chosen []candidate
	for len(all) > 0 && len(chosen) < limit && all[0].odds >= least {
		c := all[0]
		all = all[1:]
		if repeats(c, chosen) {
			continue
		}
		c.also = elsewhere(c, all)
		chosen = append(chosen, c)
		goOn(&q, c, all)
	}
	order(chosen)
	return withHeads(chosen)
}

// readable is a text in English, where that can be given.
func (e Extractive) readable(text, around string) string {
	if e.English != nil {
		if in := e.English(text, around); in != "" {
			return in
		}
	}
	return text
}

// withHeads puts the names of the columns above the rows of a table, which say little without them.
func withHeads(chosen []candidate) []candidate {
	var out []candidate
	for i, c := range chosen {
		if c.head != nil && (i == 0 || chosen[i-1].head != c.head) {
			out = append(out, *c.head)
		}
		out = append(out, c)
	}
	return out
}

// goOn favours the sentence that follows a chosen one where the question is open: a sentence that repeats such a question
// often only announces its answer.
func goOn(q *question, c candidate, all []candidate) {
	if q.want != wantReason && q.want != wantMethod && q.want != wantList {
		return
	}
	for i := range all {
		if d := &all[i]; d.passage == c.passage && d.place == c.place+1 && len(d.words) > 5 {
			d.odds += followBonus
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].odds > all[j].odds })
}

// followBonus is what following a chosen sentence counts, in log-odds.
const followBonus = 1.0

// elsewhere lists the other passages that hold the same sentence, so that it is cited for each.
func elsewhere(c candidate, all []candidate) []int {
	var out []int
	for _, d := range all {
		if d.passage != c.passage && !slices.Contains(out, d.passage) && slices.EqualFunc(c.words, d.words, func(a, b word) bool { return a.lower == b.lower }) {
			out = append(out, d.passage)
		}
	}
	slices.Sort(out)
	return out
}

// rank gives all candidates, best first.
func (e Extractive) rank(q *question, passages []ibid.Passage) []candidate {
	all := e.candidatesOf(passages)
	rate(q, passages, all)
	sort.SliceStable(all, func(i, j int) bool { return all[i].odds > all[j].odds })
	return all
}

// measureOf gives how many sentences an answer has at most, and by how much, in log-odds, a sentence may fall behind the
// best one. A fact is said in one or two; what is open needs more, and its sentences are less alike.
func measureOf(w want) (limit int, gap float64) {
	switch w {
	case wantList, wantMethod, wantReason:
		return 5, 2.5
	case wantAny, wantYesNo, wantDefinition:
		return 4, 2.2
	}
	return 3, 1.8
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

// order leaves the best sentence first, or the one that it leans on: "This explains why" comes behind what explains it. The
// next two, and then the rest, follow by passage and place, so that what stands
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
	if len(chosen) == 0 || !chosen[0].leans {
		return
	}
	best := chosen[0]
	for i, c := range chosen {
		if c.passage == best.passage && c.place == best.place-1 {
			copy(chosen[1:i+1], chosen[:i])
			chosen[0] = c
			return
		}
	}
}
