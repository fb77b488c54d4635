package conflict_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/conflict"
	"github.com/ibid-dev/ibid/ingest"
)

// sampleLibrary gives each document of the sample library as one passage.
func sampleLibrary(t testing.TB) []ibid.Passage {
	t.Helper()
	files, err := filepath.Glob("../examples/library/*")
	if err != nil || len(files) == 0 {
		t.Fatal("no sample library", err)
	}
	var out []ibid.Passage
	for i, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		r, err := ingest.Read(context.Background(), data, ingest.Hint{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		p := ibid.Passage{Rank: i + 1, Source: ibid.Source{ID: ibid.SourceID(name), URI: "file:///" + name, Reference: r.Reference}}
		p.Chunk = ibid.Chunk{At: ibid.Anchor{Document: ibid.HashText(r.Text), Span: ibid.Span{End: len(r.Text)}}, Text: r.Text}
		out = append(out, p)
	}
	return out
}

func TestSampleLibraryDisagrees(t *testing.T) {
	found, err := conflict.New(attribute.Reader{}, conflict.Config{}).Passages(t.Context(), sampleLibrary(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		t.Logf("%.2f %s %s %s\n\t%s: %s\n\t%s: %s", f.Confidence, f.Kind, f.Severity, f.Reason, f.A.Source, f.A.Quote, f.B.Source, f.B.Quote)
	}
}
