package eval_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/eval"
	"github.com/ibid-dev/ibid/internal/testdata"
)

// Renaming sources or putting them in another order changes nothing but names and the order of equals.
func TestOrderAndNamesOfSourcesDoNotMatter(t *testing.T) {
	engine := attribute.New(attribute.Config{Claims: attribute.IsClaim})
	rng := rand.New(rand.NewPCG(2, 3))
	for _, file := range []string{"attribution/eval/lfqa.dev.jsonl.gz", "attribution/train/gensearch.dev.jsonl.gz"} {
		f, err := os.Open(testdata.Path(t, file))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		n := 0
		for rec, err := range eval.Read(f) {
			if err != nil {
				t.Fatal(err)
			}
			if n++; n > 25 {
				break
			}
			want := judgedAs(t, engine, rec.Line, nil)
			back := map[string]string{}
			other := rec.Line
			other.Sources = slices.Clone(rec.Sources)
			rng.Shuffle(len(other.Sources), func(i, j int) { other.Sources[i], other.Sources[j] = other.Sources[j], other.Sources[i] })
			for i := range other.Sources {
				name := fmt.Sprintf("renamed-%d", i)
				back[name] = other.Sources[i].ID
				other.Sources[i].ID = name
			}
			if got := judgedAs(t, engine, other, back); got != want {
				t.Fatalf("%s:\n got %s\nwant %s", rec.ID, got, want)
			}
		}
	}
}

// judgedAs writes what was found, without reasons, which name sources by their number, and with equals in one order.
func judgedAs(t *testing.T, engine *attribute.Engine, l eval.Line, names map[string]string) string {
	t.Helper()
	task, err := eval.Prepare(l, eval.Runes)
	if err != nil {
		t.Fatal(err)
	}
	findings, err := task.Findings(context.Background(), engine)
	if err != nil {
		t.Fatal(err)
	}
	res := eval.NewResult(l, task, findings, eval.Runes)
	var b strings.Builder
	for _, s := range res.Segments {
		var quotes []string
		for _, q := range s.Sources {
			if names != nil {
				q.ID = names[q.ID]
			}
			quotes = append(quotes, fmt.Sprint(q))
		}
		slices.Sort(quotes)
		fmt.Fprintln(&b, s.Start, s.End, s.Origin, s.Support, s.Confidence, s.Unsupported, len(s.Contradicted), quotes)
	}
	return b.String()
}

// BenchmarkFile shows what it costs to judge a file, reading included: go test -bench File ./eval.
func BenchmarkFile(b *testing.B) {
	path := testdata.Path(b, "attribution/eval/lfqa.dev.jsonl.gz")
	engine := attribute.New(attribute.Config{Claims: attribute.IsClaim})
	set := eval.Set{Name: filepath.Base(path), Open: func() (io.ReadCloser, error) { return os.Open(path) }}
	for b.Loop() {
		r, err := eval.Measure(context.Background(), engine, []eval.Set{set}, eval.Options{Draws: 1})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(r.All.Segments)/b.Elapsed().Seconds()*float64(b.N), "segments/s")
	}
}
