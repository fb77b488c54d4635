package attribute_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"iter"
	"os"
	"testing"

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

// BenchmarkJudged prints what ten sentences of an answer cost with the built-in judge, asked where words leave doubt and
// asked always, on answers to questions with three passages and more each.
func BenchmarkJudged(b *testing.B) {
	f, err := os.Open(testdata.Path(b, "attribution/eval/lfqa.dev.jsonl.gz"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		b.Fatal(err)
	}
	type answer struct {
		passages []ibid.Passage
		drafts   []ibid.Draft
	}
	var answers []answer
	for dec := json.NewDecoder(z); len(answers) < 12; {
		var r struct {
			Sources []struct {
				ID, Title, Text string
			}
			Segments []struct{ Text string }
		}
		if err := dec.Decode(&r); err != nil {
			b.Fatal(err)
		}
		var a answer
		for i, s := range r.Sources {
			p := ibid.Passage{Rank: i + 1}
			p.Chunk.Text, p.Chunk.At = s.Text, ibid.Anchor{Document: ibid.DocumentID(s.ID), Span: ibid.Span{End: len(s.Text)}}
			p.Source.Reference.Set("title", s.Title)
			a.passages = append(a.passages, p)
		}
		for _, s := range r.Segments {
			a.drafts = append(a.drafts, ibid.Draft{Kind: ibid.Sentence, Text: s.Text, At: ibid.Span{End: len(s.Text)}})
		}
		answers = append(answers, a)
	}
	model, err := entail.Open()
	if err != nil {
		b.Fatal(err)
	}
	for _, how := range []string{"off", "auto", "always"} {
		b.Run(how, func(b *testing.B) {
			pairs, segments := 0, 0
			c := attribute.Config{Always: how == "always"}
			if how != "off" {
				c.Judge = counted{model, &pairs}
			}
			e := attribute.New(c)
			b.ResetTimer()
			for range b.N {
				for _, a := range answers {
					for _, err := range e.Attribute(b.Context(), a.passages, each(a.drafts)) {
						if err != nil {
							b.Fatal(err)
						}
						segments++
					}
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()*1000/float64(segments)*10, "ms/10-sentences")
			b.ReportMetric(float64(pairs)/float64(segments), "judged/sentence")
		})
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
