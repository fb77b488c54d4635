package conflict_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/internal/testdata"
)

// TestTextsOfManyKinds counts what is found among web pages on hundreds of questions. Few of them disagree, so what is
// found there is mostly a false alarm; -v shows each.
func TestTextsOfManyKinds(t *testing.T) {
	for _, set := range []string{"eval/lfqa.dev", "train/expertqa.dev"} {
		passages := sourcesOf(t, testdata.Path(t, "attribution/"+set+".jsonl.gz"))
		found := find(t, passages...)
		for _, f := range found {
			t.Logf("%.2f %s %s\n%s\n%s", f.Confidence, f.Kind, f.Reason, f.A.Quote, f.B.Quote)
		}
		t.Logf("%s: %d findings among %d texts", set, len(found), len(passages))
		if len(found)*1000 > 10*len(passages) {
			t.Errorf("%s: more than ten findings among a thousand texts", set)
		}
	}
}

// sourcesOf gives the different texts that the answers of a set rest on.
func sourcesOf(t *testing.T, file string) []ibid.Passage {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var out []ibid.Passage
	seen := map[string]bool{}
	for d := json.NewDecoder(z); d.More(); {
		var r struct {
			Sources []struct{ Title, Text string }
		}
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		for _, s := range r.Sources {
			if !seen[s.Text] {
				seen[s.Text] = true
				p := passage(fmt.Sprint(len(out)), s.Text)
				p.Source.Reference.Set("title", s.Title)
				out = append(out, p)
			}
		}
	}
	return out
}
