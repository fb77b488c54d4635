package attribute_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"iter"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/entail"
	"github.com/ibid-dev/ibid/internal/testdata"
)

// counted is a judge that counts the pairs it is asked about.
type counted struct {
	judge ibid.Judge
	pairs *int
}

func (c counted) Judge(ctx context.Context, pairs []ibid.Pair) ([]ibid.Judgement, error) {
	*c.pairs += len(pairs)
	return c.judge.Judge(ctx, pairs)
}

// askedAnswer is an answer with its passages.
type askedAnswer struct {
	passages []ibid.Passage
	drafts   []ibid.Draft
}

// firstAnswers reads so many answers of a file.
func firstAnswers(b *testing.B, path string, n int) (out []askedAnswer) {
	f, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		b.Fatal(err)
	}
	for dec := json.NewDecoder(z); len(out) < n; {
		var r struct {
			Sources []struct {
				ID, Title, Text string
			}
			Segments []struct{ Text string }
		}
		if err := dec.Decode(&r); err != nil {
			b.Fatal(err)
		}
		var a askedAnswer
		for i, s := range r.Sources {
			p := ibid.Passage{Rank: i + 1}
			p.Chunk.Text, p.Chunk.At = s.Text, ibid.Anchor{Document: ibid.DocumentID(s.ID), Span: ibid.Span{End: len(s.Text)}}
			p.Source.Reference.Set("title", s.Title)
			a.passages = append(a.passages, p)
		}
		for _, s := range r.Segments {
			a.drafts = append(a.drafts, ibid.Draft{Kind: ibid.Sentence, Text: s.Text, At: ibid.Span{End: len(s.Text)}})
		}
		out = append(out, a)
	}
	return out
}

// BenchmarkJudged prints what ten sentences of an answer cost with the built-in judge, asked where words leave doubt and
// asked always, of how many of ten it is asked, and what ten of those cost. It does so for answers of people and for answers of our own, in other
// words than their passages as often as in the same, with three passages and more each; sentence by sentence, as they stream, and all at once. Beside the
// mean stands the best round: what others on the machine do makes the rest longer.
func BenchmarkJudged(b *testing.B) {
	model, err := entail.Open()
	if err != nil {
		b.Fatal(err)
	}
	sets := []struct {
		name    string
		answers func(b *testing.B) []askedAnswer
	}{
		{"lfqa", func(b *testing.B) []askedAnswer {
			return firstAnswers(b, testdata.Path(b, "attribution/eval/lfqa.dev.jsonl.gz"), 12)
		}},
		{"answers", func(b *testing.B) (out []askedAnswer) {
			for _, kind := range []string{"docs1", "docs2", "expert1", "expert2", "web1", "web2"} {
				out = append(out, firstAnswers(b, "../eval/testdata/answers/"+kind+".jsonl.gz", 2)...)
			}
			return out
		}},
	}
	for _, set := range sets {
		for _, how := range []string{"off", "auto", "auto/whole", "always", "always/whole"} {
			b.Run(set.name+"/"+how, func(b *testing.B) {
				how, whole := strings.CutSuffix(how, "/whole")
				answers := set.answers(b)
				pairs, segments := 0, 0
				c := attribute.Config{Always: how == "always"}
				if how != "off" {
					c.Judge = counted{model, &pairs}
				}
				e := attribute.New(c)
				least := time.Duration(math.MaxInt64)
				b.ResetTimer()
				for range b.N {
					start := time.Now()
					pairs, segments = 0, 0
					for _, a := range answers {
						findings := e.Attribute(b.Context(), a.passages, each(a.drafts))
						if whole {
							findings = e.AttributeAll(b.Context(), a.passages, a.drafts)
						}
						for _, err := range findings {
							if err != nil {
								b.Fatal(err)
							}
							segments++
						}
					}
					least = min(least, time.Since(start))
				}
				ten := 10_000 / float64(segments)
				b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)*ten, "ms/10-sentences")
				b.ReportMetric(least.Seconds()*ten, "best-ms/10-sentences")
				b.ReportMetric(float64(pairs)/float64(segments)*10, "judged-of-10")
				if pairs > 0 {
					b.ReportMetric(least.Seconds()*10_000/float64(pairs), "best-ms/10-judged")
				}
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

func each(drafts []ibid.Draft) iter.Seq2[ibid.Draft, error] {
	return func(yield func(ibid.Draft, error) bool) {
		for _, d := range drafts {
			if !yield(d, nil) {
				return
			}
		}
	}
}
