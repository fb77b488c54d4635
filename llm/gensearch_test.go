package llm

import (
	"encoding/json"
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
			return all
		}
	}
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

// measure counts how often the gold evidence is among the first sentences.
type measure struct {
	n, one, three, five, refused, found int
	rr                                  float64
}

func (m *measure) add(answer []candidate, passages []ibid.Passage, gold []ibid.Anchor, lib *library) int {
	m.n++
	if len(answer) == 0 {
		m.refused++
	}
	for _, p := range passages {
		ok := false
		for _, g := range gold {
			ok = ok || g.Document == p.Chunk.At.Document && g.Span.Overlaps(p.Chunk.At.Span)
		}
		if ok {
			m.found++
			break
		}
	}
	for i, c := range answer {
		if !hits(c, passages, gold, lib) {
			continue
		}
		if i == 0 {
			m.one++
		}
		if i < 3 {
			m.three++
		}
		m.five++
		m.rr += 1 / float64(i+1)
		return i + 1
	}
	return 0
}

func (m measure) log(t testing.TB, name string) {
	n := float64(m.n)
	t.Logf("%-28s n=%d hit@1 %.3f hit@3 %.3f any %.3f MRR %.3f retrieved %.3f refused %d", name, m.n, float64(m.one)/n, float64(m.three)/n, float64(m.five)/n, m.rr/n, float64(m.found)/n, m.refused)
}

func TestGensearch(t *testing.T) {
	examples, lib := readExamples(t, "attribution/train/gensearch.dev.jsonl.gz")
	var tuned, held, all, bound measure
	for _, ex := range examples {
		passages := lib.retrieve(t, ex.question, nil, nil)
		answer := Extractive{}.choose(ibid.Prompt{Question: ex.question, Passages: passages})
		half := &held
		if even(ex.question) {
			half = &tuned
		}
		half.add(answer, passages, ex.gold, lib)
		at := all.add(answer, passages, ex.gold, lib)
		var own []ibid.DocumentID
		for _, g := range ex.gold {
			own = append(own, g.Document)
		}
		passages = lib.retrieve(t, ex.question, own, nil)
		at2 := bound.add(Extractive{}.choose(ibid.Prompt{Question: ex.question, Passages: passages}), passages, ex.gold, lib)
		if testing.Verbose() {
			t.Logf("%d %d %v %s", at, at2, even(ex.question), ex.question)
			for _, c := range answer {
				t.Logf("      %.2f %d/%d %s", c.odds, c.passage, c.place, c.text)
			}
		}
	}
	tuned.log(t, "tuned half")
	held.log(t, "held-out half")
	all.log(t, "all")
	bound.log(t, "only gold sources given")
}

// even splits the questions, so that the same question of two annotators falls on one side.
func even(question string) bool { return ibid.HashText(question)[0]%2 == 0 }
