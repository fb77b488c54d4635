package llm

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
)

// example is a question with its sources and the spans that its annotators hold to support the answer.
type example struct {
	question string
	docs     []ibid.DocumentID
	gold     []ibid.Anchor
	each     [][]ibid.Anchor // the same by annotator
}

func readExamples(t testing.TB, name string) ([]example, *library) {
	t.Helper()
	lib := newLibrary()
	var out []example
	for _, line := range readLines(t, name) {
		out = merge(out, lib.read(t, line))
	}
	lib.open(t)
	return out, lib
}

// merge puts the evidence of several annotators for one question together.
func merge(all []example, ex example) []example {
	for i := range all {
		if all[i].question == ex.question {
			all[i].docs = append(all[i].docs, ex.docs...)
			all[i].gold = append(all[i].gold, ex.gold...)
			all[i].each = append(all[i].each, ex.gold)
			return all
		}
	}
	ex.each = [][]ibid.Anchor{ex.gold}
	return append(all, ex)
}

func (l *library) read(t testing.TB, line []byte) example {
	var row struct {
		ID, Question string
		Sources      []struct{ ID, Title, Text string }
		Segments     []struct {
			Evidence []struct {
				Source string `json:"source_id"`
				Start  int
				End    int
			}
		}
	}
	if err := json.Unmarshal(line, &row); err != nil {
		t.Fatal(err)
	}
	ex := example{question: row.Question}
	docs := map[string]ibid.DocumentID{}
	for _, s := range row.Sources {
		id := l.add(s.Title, s.Text)
		docs[s.ID] = id
		ex.docs = append(ex.docs, id)
	}
	for _, s := range row.Segments {
		for _, e := range s.Evidence {
			id := docs[e.Source]
			ex.gold = append(ex.gold, ibid.Anchor{Document: id, Span: bytesOf(l.texts[id], e.Start, e.End)})
		}
	}
	return ex
}

// bytesOf turns a range of code points into a span of bytes.
func bytesOf(s string, start, end int) ibid.Span {
	n, out := 0, ibid.Span{Start: len(s), End: len(s)}
	for i := range s {
		if n == start {
			out.Start = i
		}
		if n == end {
			out.End = i
			break
		}
		n++
	}
	return out
}

// hits reports whether a chosen sentence is a gold evidence sentence: the two share at least half of the characters of
// the shorter one, as a gold span may be a part of a sentence or several sentences long. Words that stand in two sources
// count in both.
func hits(c candidate, passages []ibid.Passage, gold []ibid.Anchor, lib *library) bool {
	chunk := passages[c.passage].Chunk
	at := c.at.Shift(chunk.At.Span.Start)
	for _, g := range gold {
		body := lib.texts[g.Document]
		words := strings.Join(strings.Fields(g.Span.In(body)), " ")
		if len(words) > 30 && strings.Contains(c.text, words) {
			return true
		}
		shared := ibid.Span{Start: max(g.Span.Start, at.Start), End: min(g.Span.End, at.End)}
		if g.Document != chunk.At.Document || shared.Empty() {
			continue
		}
		n := utf8.RuneCountInString(shared.In(body))
		shorter := min(utf8.RuneCountInString(g.Span.In(body)), utf8.RuneCountInString(at.In(body)))
		// A few gold spans are scraps of two or three characters.
		if 2*n >= shorter && n >= 12 {
			return true
		}
	}
	return false
}

// measure counts how often the gold evidence is among the first sentences of an answer.
type measure struct {
	n, one, three, refused, found int
	reciprocal                    float64
}

func (m *measure) add(answer []candidate, passages []ibid.Passage, gold []ibid.Anchor, lib *library) {
	m.n++
	if len(answer) == 0 {
		m.refused++
	}
	if slices.ContainsFunc(passages, func(p ibid.Passage) bool {
		return slices.ContainsFunc(gold, func(g ibid.Anchor) bool {
			return g.Document == p.Chunk.At.Document && g.Span.Overlaps(p.Chunk.At.Span)
		})
	}) {
		m.found++
	}
	switch at := 1 + slices.IndexFunc(answer, func(c candidate) bool { return hits(c, passages, gold, lib) }); {
	case at == 0:
	case at == 1:
		m.one++
		fallthrough
	case at <= 3:
		m.three++
		fallthrough
	default:
		m.reciprocal += 1 / float64(at)
	}
}

func (m measure) share(k int) float64 { return float64(k) / float64(max(m.n, 1)) }

func (m measure) log(t testing.TB, name string) {
	t.Logf("%-40s n=%d  hit@1 %.3f  hit@3 %.3f  MRR %.3f  refused %.3f  (gold among the passages %.3f)",
		name, m.n, m.share(m.one), m.share(m.three), m.reciprocal/float64(max(m.n, 1)), m.share(m.refused), m.share(m.found))
}

// TestGensearch measures Extractive on questions of real people, all sources in one library: how often a gold evidence
// sentence is the first, or among the first three, of the answer. Weights were learned on one half of the questions.
// Several annotators marked evidence for some questions, from sources of their own: "by question" takes what all of them
// marked, "by annotator" counts each for himself. With its sources left out of the library a question should be refused.
func TestGensearch(t *testing.T) {
	examples, lib := readExamples(t, "attribution/train/gensearch.dev.jsonl.gz")
	var learned, held, all, rows, own, without measure
	ask := func(question string, only, not []ibid.DocumentID) ([]candidate, []ibid.Passage) {
		passages := lib.retrieve(t, question, only, not)
		return Extractive{}.choose(ibid.Prompt{Question: question, Passages: passages}), passages
	}
	for _, ex := range examples {
		answer, passages := ask(ex.question, nil, nil)
		half := &held
		if even(ex.question) {
			half = &learned
		}
		half.add(answer, passages, ex.gold, lib)
		all.add(answer, passages, ex.gold, lib)
		for _, gold := range ex.each {
			rows.add(answer, passages, gold, lib)
		}
		answer, passages = ask(ex.question, ex.docs, nil)
		own.add(answer, passages, ex.gold, lib)
		answer, passages = ask(ex.question, nil, ex.docs)
		without.add(answer, passages, ex.gold, lib)
	}
	learned.log(t, "by question, half that was learned from")
	held.log(t, "by question, other half")
	all.log(t, "by question")
	rows.log(t, "by annotator")
	own.log(t, "only its own sources in the library")
	without.log(t, "its own sources not in the library")
	if all.share(all.three) < 0.60 {
		t.Errorf("hit@3 %.3f by question, want 0.60 or more", all.share(all.three))
	}
	if without.share(without.refused) < 0.80 || all.share(all.refused) > 0.06 {
		t.Errorf("refused %.3f without the sources and %.3f with them", without.share(without.refused), all.share(all.refused))
	}
}

// even splits the questions into halves.
func even(question string) bool { return ibid.HashText(question)[0]%2 == 0 }
