package index

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/entail"
	"github.com/ibid-dev/ibid/internal/testdata"
)

// asked is a question with the sources and the words that answer it.
type asked struct {
	question string
	sources  map[ibid.SourceID]bool
	evidence []ibid.Anchor
}

// readQuestions adds the sources of a set to a record, each text once, and gives its questions.
func readQuestions(t testing.TB, r *fakeRecord, name string) []asked {
	t.Helper()
	f, err := os.Open(testdata.Path(t, "attribution/"+name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 64<<20)
	byQuestion := map[string]int{}
	var all []asked
	for lines.Scan() {
		var row struct {
			Question string
			Sources  []struct{ ID, Title, Text string }
			Segments []struct {
				Label     string
				SourceIDs []string `json:"source_ids"`
				Evidence  []struct {
					Source     string `json:"source_id"`
					Start, End int
				}
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		if row.Question == "" {
			continue
		}
		texts := map[string]string{}
		ids := map[string]ibid.SourceID{}
		for _, s := range row.Sources {
			if strings.TrimSpace(s.Text) == "" {
				continue
			}
			doc := ibid.HashText(s.Text)
			uri := "test:" + string(doc)
			id := ibid.IdentifySource("", uri)
			if len(r.docs[id]) == 0 {
				r.add("", uri, s.Title, s.Text)
			}
			texts[s.ID], ids[s.ID] = s.Text, id
		}
		i, ok := byQuestion[row.Question]
		if !ok {
			i = len(all)
			byQuestion[row.Question] = i
			all = append(all, asked{question: row.Question, sources: map[ibid.SourceID]bool{}})
		}
		a := &all[i]
		for _, g := range row.Segments {
			if g.Label != "supported" {
				continue
			}
			for _, id := range g.SourceIDs {
				if ids[id] != "" {
					a.sources[ids[id]] = true
				}
			}
			for _, e := range g.Evidence {
				runes := []rune(texts[e.Source])
				if e.End > len(runes) || texts[e.Source] == "" {
					continue
				}
				start := len(string(runes[:e.Start]))
				a.evidence = append(a.evidence, ibid.Anchor{
					Document: ibid.HashText(texts[e.Source]),
					Span:     ibid.Span{Start: start, End: start + len(string(runes[e.Start:e.End]))},
				})
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// quality counts at which rank the first right passage stands.
type quality struct {
	n          int
	at         [9]int
	reciprocal float64
}

func (q *quality) add(rank int) {
	q.n++
	if rank == 0 {
		return
	}
	q.reciprocal += 1 / float64(rank)
	for k := rank; k < len(q.at); k++ {
		q.at[k]++
	}
}

func (q quality) String() string {
	n := float64(max(1, q.n))
	return fmt.Sprintf("n %4d  hit@1 %.3f  @3 %.3f  @5 %.3f  @8 %.3f  MRR %.3f", q.n, float64(q.at[1])/n, float64(q.at[3])/n, float64(q.at[5])/n, float64(q.at[8])/n, q.reciprocal/n)
}

// measure asks all questions: right is a passage of a right source, exact one that holds words of the evidence.
func measure(t testing.TB, x *Index, all []asked) (right, exact quality) {
	for _, a := range all {
		if len(a.sources) == 0 {
			continue
		}
		source, words := 0, 0
		for _, p := range mustRetrieve(t, x, ibid.Query{Text: a.question}) {
			if source == 0 && a.sources[p.Source.ID] {
				source = p.Rank
			}
			for _, e := range a.evidence {
				if words == 0 && e.Document == p.Chunk.At.Document && e.Span.Overlaps(p.Chunk.At.Span) {
					words = p.Rank
				}
			}
		}
		right.add(source)
		if len(a.evidence) > 0 {
			exact.add(words)
		}
	}
	return right, exact
}

// sets are questions whose sources are known. Those of other sets are in the same library, and in the way.
var sets = []string{"train/gensearch.dev.jsonl.gz", "train/attributionbench_nolfqa.dev.jsonl.gz", "train/expertqa.dev.jsonl.gz"}

// TestQuality prints how often the right passage is found, and fails where that falls far below what it was: first with
// the sources of one set alone, then with those of all in one library.
func TestQuality(t *testing.T) {
	for _, library := range [][]string{sets[:1], sets} {
		r := newRecord()
		byName := map[string][]asked{}
		for _, name := range library {
			byName[name] = readQuestions(t, r, name)
		}
		x := mustOpen(t, t.TempDir(), r)
		chunks := 0
		for _, s := range x.now.Load().segments {
			chunks += len(s.chunks)
		}
		t.Logf("%d sources, %d chunks", len(r.sources), chunks)
		for _, name := range library {
			right, exact := measure(t, x, byName[name])
			t.Logf("%-45s source   %s", name, right)
			if exact.n > 0 {
				t.Logf("%-45s evidence %s", name, exact)
				if share := float64(exact.at[8]) / float64(exact.n); share < 0.85 {
					t.Errorf("%s: the evidence is among the first 8 for %.2f of the questions", name, share)
				}
			}
		}
	}
}

// BenchmarkVectors prints how often the right passage is found by words alone and by words and vectors, in one run.
func BenchmarkVectors(b *testing.B) {
	m, err := entail.Open()
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name string
		Config
	}{{"words", Config{}}, {"words and vectors", Config{Embedder: m, EmbedderName: "built in"}}} {
		b.Run(c.name, func(b *testing.B) {
			for range b.N {
				r := newRecord()
				qs := readQuestions(b, r, sets[0])
				x, err := Open(b.Context(), b.TempDir(), r, c.Config)
				if err != nil {
					b.Fatal(err)
				}
				_, exact := measure(b, x, qs)
				b.ReportMetric(float64(exact.at[1])/float64(exact.n), "hit@1")
				b.ReportMetric(float64(exact.at[8])/float64(exact.n), "hit@8")
			}
		})
	}
}
