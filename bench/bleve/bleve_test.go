package bleve

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/search/query"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/bench"
	"github.com/ibid-dev/ibid/index"
	"github.com/ibid-dev/ibid/ingest"
	"github.com/ibid-dev/ibid/sqlite"
)

// BenchmarkBeside puts the same chunks into Ibid's index and into bleve, asks both the same questions in turn, and prints
// the times of both and their ratio. Ibid's time includes the reading of each passage from the record; bleve gives ids.
func BenchmarkBeside(b *testing.B) {
	const files, questions = 2000, 300
	ctx := b.Context()
	dir := b.TempDir()
	corpus := bench.NewCorpus(1)
	store, err := sqlite.Open(ctx, dir)
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	var chunks []ibid.Chunk
	for n := range files {
		uri := fmt.Sprintf("file:///corpus/%d.md", n)
		res, err := ingest.Read(ctx, []byte(corpus.File(n, 10_000)), ingest.Hint{Name: filepath.Base(uri)})
		if err != nil {
			b.Fatal(err)
		}
		doc := ibid.Document{ID: ibid.HashText(res.Text), Source: ibid.IdentifySource("", uri), MediaType: res.MediaType, Text: res.Text, Outline: res.Outline, FetchedAt: time.Now()}
		cut := ingest.Chunks(doc)
		if _, _, err := store.Add(ctx, ibid.Source{ID: doc.Source, URI: uri, AddedAt: time.Now()}, doc, cut); err != nil {
			b.Fatal(err)
		}
		chunks = append(chunks, cut...)
	}

	start := time.Now()
	ours, err := index.Open(ctx, filepath.Join(dir, "index"), store, index.Config{})
	if err != nil {
		b.Fatal(err)
	}
	defer ours.Close()
	if err := ours.Update(ctx); err != nil {
		b.Fatal(err)
	}
	built := time.Since(start)

	start = time.Now()
	theirs := fill(b, filepath.Join(dir, "bleve"), chunks)
	defer theirs.Close()
	theirsBuilt := time.Since(start)

	for b.Loop() {
		var a, z []time.Duration
		for n := range questions {
			q := corpus.Question(n * files / questions)
			start := time.Now()
			if _, err := ours.Retrieve(ctx, ibid.Query{Text: q}); err != nil {
				b.Fatal(err)
			}
			a = append(a, time.Since(start))
			start = time.Now()
			if _, err := theirs.Search(bleve.NewSearchRequestOptions(match(q), 8, 0, false)); err != nil {
				b.Fatal(err)
			}
			z = append(z, time.Since(start))
		}
		slices.Sort(a)
		slices.Sort(z)
		b.ReportMetric(float64(len(chunks)), "chunks")
		b.ReportMetric(a[len(a)/2].Seconds()*1000, "ms-ibid")
		b.ReportMetric(z[len(z)/2].Seconds()*1000, "ms-bleve")
		b.ReportMetric(z[len(z)/2].Seconds()/a[len(a)/2].Seconds(), "times-as-fast")
		b.ReportMetric(float64(len(chunks))/built.Seconds(), "chunks/s-ibid")
		b.ReportMetric(float64(len(chunks))/theirsBuilt.Seconds(), "chunks/s-bleve")
	}
}

func match(q string) query.Query {
	m := bleve.NewMatchQuery(q)
	m.SetField("text")
	m.Analyzer = en.AnalyzerName
	return m
}

func fill(b *testing.B, dir string, chunks []ibid.Chunk) bleve.Index {
	mapping := bleve.NewIndexMapping()
	mapping.DefaultAnalyzer = en.AnalyzerName
	mapping.ScoringModel = "bm25"
	ix, err := bleve.New(dir, mapping)
	if err != nil {
		b.Fatal(err)
	}
	batch := ix.NewBatch()
	for i, c := range chunks {
		if err := batch.Index(fmt.Sprint(i), map[string]string{"text": c.Text}); err != nil {
			b.Fatal(err)
		}
		if batch.Size() == 1000 || i == len(chunks)-1 {
			if err := ix.Batch(batch); err != nil {
				b.Fatal(err)
			}
			batch.Reset()
		}
	}
	return ix
}
