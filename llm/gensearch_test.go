package llm

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"sort"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/ingest"
	"github.com/ibid-dev/ibid/internal/testdata"
)

// example is a question with its sources and the spans that its annotators hold to support the answer.
type example struct {
	id       string
	question string
	docs     []ibid.DocumentID
	gold     []ibid.Anchor
}

// library is the sources of all examples together, cut into chunks.
type library struct {
	texts  map[ibid.DocumentID]string
	titles map[ibid.DocumentID]string
	order  []ibid.DocumentID
	chunks []ibid.Passage
	terms  []map[string]int
	df     map[string]int
	avg    float64
}

func readExamples(t testing.TB, name string) ([]example, *library) {
	t.Helper()
	f, err := os.Open(testdata.Path(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lib := &library{texts: map[ibid.DocumentID]string{}, titles: map[ibid.DocumentID]string{}, df: map[string]int{}}
	var out []example
	in := bufio.NewReaderSize(z, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			out = append(out, lib.read(t, line))
		}
		if err != nil {
			break
		}
	}
	lib.cut()
	return out, lib
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
	ex := example{id: row.ID, question: row.Question}
	docs := map[string]ibid.DocumentID{}
	for _, s := range row.Sources {
		id := ibid.HashText(s.Text)
		if _, ok := l.texts[id]; !ok {
			l.order = append(l.order, id)
			l.texts[id], l.titles[id] = s.Text, s.Title
		}
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

// cut makes chunks as ingestion does.
func (l *library) cut() {
	for _, id := range l.order {
		source := ibid.Source{ID: ibid.SourceID(id[:16]), URI: "file:///" + string(id[:8])}
		source.Reference.Set("title", l.titles[id])
		for _, c := range ingest.Chunks(ibid.Document{ID: id, Source: source.ID, Text: l.texts[id]}) {
			l.chunks = append(l.chunks, ibid.Passage{Source: source, Chunk: c})
		}
	}
	l.count()
}

// count makes the figures of BM25.
func (l *library) count() {
	total := 0
	for _, c := range l.chunks {
		m := map[string]int{}
		for _, w := range readWords(c.Source.Title() + "\n" + c.Chunk.Text) {
			m[w.root]++
			total++
		}
		for r := range m {
			l.df[r]++
		}
		l.terms = append(l.terms, m)
	}
	l.avg = float64(total) / float64(len(l.chunks))
}

// retrieve is BM25 (k1 1.2, b 0.75): a stand-in for the index, so that the answerer is measured alone. With only not nil, other
// documents are left out.
func (l *library) retrieve(question string, limit int, only []ibid.DocumentID) []ibid.Passage {
	q := parse(question)
	type hit struct {
		i     int
		score float64
	}
	var hits []hit
	for i, m := range l.terms {
		if only != nil && !contains(only, l.chunks[i].Chunk.At.Document) {
			continue
		}
		n := 0
		for _, k := range m {
			n += k
		}
		score := 0.0
		for _, t := range q.terms {
			tf, df := float64(m[t.stem]), float64(l.df[t.stem])
			idf := math.Log(1 + (float64(len(l.chunks))-df+0.5)/(df+0.5))
			score += idf * tf * 2.2 / (tf + 1.2*(0.25+0.75*float64(n)/l.avg))
		}
		if score > 0 {
			hits = append(hits, hit{i, score})
		}
	}
	sort.SliceStable(hits, func(a, b int) bool { return hits[a].score > hits[b].score })
	var out []ibid.Passage
	for _, h := range hits[:min(limit, len(hits))] {
		p := l.chunks[h.i]
		p.Rank, p.Score = len(out)+1, h.score/hits[0].score
		out = append(out, p)
	}
	return out
}

func contains(ids []ibid.DocumentID, id ibid.DocumentID) bool {
	for _, d := range ids {
		if d == id {
			return true
		}
	}
	return false
}

// hits reports whether a chosen sentence is a gold evidence sentence: the two share at least half of the characters of
// the shorter one. (A gold span may be a part of a sentence or several sentences long.) A sentence that stands word for
// word in two sources counts for both.
func hits(text string, at ibid.Anchor, gold []ibid.Anchor, lib *library) bool {
	for _, g := range gold {
		if g.Span.Empty() {
			continue
		}
		if g.Document == at.Document {
			shared := ibid.Span{Start: max(g.Span.Start, at.Span.Start), End: min(g.Span.End, at.Span.End)}
			if shared.Empty() {
				continue
			}
			body := lib.texts[g.Document]
			n := utf8.RuneCountInString(shared.In(body))
			shorter := min(utf8.RuneCountInString(g.Span.In(body)), utf8.RuneCountInString(at.Span.In(body)))
			if 2*n >= shorter && n >= 12 {
				return true
			}
			continue
		}
		if words := strings.Join(strings.Fields(g.Span.In(lib.texts[g.Document])), " "); len(words) > 30 && strings.Contains(text, words) {
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
		p := passages[c.passage]
		at := ibid.Anchor{Document: p.Chunk.At.Document, Span: c.at.Shift(p.Chunk.At.Span.Start)}
		if !hits(c.text, at, gold, lib) {
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
		passages := lib.retrieve(ex.question, 8, nil)
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
		passages = lib.retrieve(ex.question, 8, own)
		at2 := bound.add(Extractive{}.choose(ibid.Prompt{Question: ex.question, Passages: passages}), passages, ex.gold, lib)
		if testing.Verbose() {
			t.Logf("%d %d %v %s", at, at2, even(ex.question), ex.question)
			for _, c := range answer {
				t.Logf("      %.2f %d/%d %s", c.score, c.passage, c.place, c.text)
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
