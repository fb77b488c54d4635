package eval_test

import (
	"context"
	"os"
	"testing"
	"unicode/utf16"

	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/eval"
	"github.com/ibid-dev/ibid/internal/testdata"
)

// slice cuts a text by offsets of a unit, the slow and simple way.
func slice(s string, start, end int, u eval.Unit) (string, bool) {
	switch u {
	case eval.Bytes:
		if 0 <= start && start <= end && end <= len(s) {
			return s[start:end], true
		}
	case eval.Runes:
		if r := []rune(s); 0 <= start && start <= end && end <= len(r) {
			return string(r[start:end]), true
		}
	case eval.UTF16:
		if r := utf16.Encode([]rune(s)); 0 <= start && start <= end && end <= len(r) {
			return string(utf16.Decode(r[start:end])), true
		}
	}
	return "", false
}

// What a line says of places can be checked by anyone who has the texts: a quote is the source's text at its offsets, a
// segment the answer's, and the words without support or denied lie within their segment. In each unit.
func TestOffsetsOfRealAnswersHold(t *testing.T) {
	engine := attribute.New(attribute.Config{Claims: attribute.IsClaim})
	quotes := 0
	for _, file := range []string{"attribution/eval/lfqa.dev.jsonl.gz", "attribution/train/expertqa.dev.jsonl.gz", "attribution/train/wice.dev.jsonl.gz", "attribution/train/mds.dev.jsonl.gz"} {
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
			if n++; n > 12 {
				break
			}
			unit := []eval.Unit{eval.Bytes, eval.Runes, eval.UTF16}[n%3]
			line := rec.Line
			line.Segments = nil // cut it here, so that markers are taken out
			quotes += checkOffsets(t, engine, line, unit)
			quotes += checkOffsets(t, engine, rec.Line, eval.Runes)
		}
	}
	if quotes < 100 {
		t.Errorf("only %d quotes were checked", quotes)
	}
}

func checkOffsets(t *testing.T, engine *attribute.Engine, line eval.Line, u eval.Unit) (quotes int) {
	t.Helper()
	task, err := eval.Prepare(line, u)
	if err != nil {
		t.Fatal(err)
	}
	findings, err := task.Findings(context.Background(), engine)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, s := range line.Sources {
		texts[s.ID] = s.Text
	}
	for _, s := range eval.NewResult(line, task, findings, u).Segments {
		if got, ok := slice(task.Text, s.Start, s.End, u); !ok || got != s.Text {
			t.Errorf("%s: segment [%d,%d) in %ss is %q, not %q", line.ID, s.Start, s.End, u, got, s.Text)
		}
		for _, q := range s.Sources {
			quotes++
			if got, ok := slice(texts[q.ID], q.Start, q.End, u); !ok || got != q.Text || got == "" {
				t.Errorf("%s: quote of %s [%d,%d) in %ss is %q, not %q", line.ID, q.ID, q.Start, q.End, u, got, q.Text)
			}
		}
		for _, w := range s.Unsupported {
			if w.Start < s.Start || w.End > s.End || w.Start >= w.End {
				t.Errorf("%s: unsupported %v outside of [%d,%d)", line.ID, w, s.Start, s.End)
			}
		}
		for _, c := range s.Contradicted {
			if c.Start < s.Start || c.End > s.End || c.Start >= c.End {
				t.Errorf("%s: contradicted [%d,%d) outside of [%d,%d)", line.ID, c.Start, c.End, s.Start, s.End)
			}
			if got, ok := slice(texts[c.Source.ID], c.Source.Start, c.Source.End, u); !ok || got == "" {
				t.Errorf("%s: contradicted by [%d,%d) of %s, which is not there", line.ID, c.Source.Start, c.Source.End, c.Source.ID)
			}
		}
	}
	return quotes
}
