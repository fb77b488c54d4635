package bib_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite/bib"
	"github.com/ibid-dev/ibid/internal/testdata"
)

func real1000(t testing.TB) []ibid.Reference {
	t.Helper()
	b, err := os.ReadFile(testdata.Path(t, "csl/bench/real1000.json"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := bib.Read(b)
	if err != nil || f.Format != bib.CSLJSON || len(f.References) != 1000 {
		t.Fatalf("%d references of %s: %v", len(f.References), f.Format, err)
	}
	return f.References
}

func write(t testing.TB, f bib.Format, refs []ibid.Reference) ([]byte, []bib.Loss) {
	t.Helper()
	var b bytes.Buffer
	losses, err := bib.Write(&b, f, refs)
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), losses
}

// Through each format and back, what a citation needs is the same.
func TestThereAndBack(t *testing.T) {
	refs := real1000(t)
	for _, c := range []struct {
		format bib.Format
		share  float64
	}{{bib.CSLJSON, 1}, {bib.BibLaTeX, 0.99}, {bib.BibTeX, 0.97}, {bib.RIS, 0.99}, {bib.RIS2001, 0.98}, {bib.EndNote, 0.99}} {
		t.Run(string(c.format), func(t *testing.T) {
			out, losses := write(t, c.format, refs)
			back, err := bib.Read(out)
			if err != nil || len(back.References) != len(refs) {
				t.Fatalf("%d references: %v", len(back.References), err)
			}
			same := 0
			var differences []string
			for i, r := range refs {
				if d := difference(r, back.References[i]); d != "" {
					differences = append(differences, r.ID+": "+d)
				} else {
					same++
				}
			}
			t.Logf("%s: %d of %d the same, %d fields have no place in the format", c.format, same, len(refs), len(losses))
			for _, d := range differences[:min(len(differences), 8)] {
				t.Log(d)
			}
			if share := float64(same) / float64(len(refs)); share < c.share {
				t.Errorf("%.3f are the same, want %.2f", share, c.share)
			}
			again, _ := write(t, c.format, back.References)
			if !bytes.Equal(out, again) {
				t.Errorf("written again it differs:\n%s", firstDifference(out, again))
			}
		})
	}
}

func firstDifference(a, b []byte) string {
	x, y := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
	for i := range x {
		if i >= len(y) || x[i] != y[i] {
			return fmt.Sprintf("line %d\n%s\n%s", i+1, x[i], strings.Join(y[min(i, len(y)):min(i+1, len(y))], ""))
		}
	}
	return "the second is longer"
}

func squash(s string) string { return strings.Join(strings.Fields(s), " ") }

// difference compares title, names, type, year, DOI, URL and pages, to the letter but for runs of white space.
func difference(a, b ibid.Reference) string {
	for _, v := range []string{"title", "DOI", "URL", "page"} {
		if squash(a.Text[v]) != squash(b.Text[v]) {
			return fmt.Sprintf("%s %q became %q", v, a.Text[v], b.Text[v])
		}
	}
	if a.Type != b.Type {
		return fmt.Sprintf("type %s became %s", a.Type, b.Type)
	}
	if a.Year() != b.Year() {
		return fmt.Sprintf("year %d became %d", a.Year(), b.Year())
	}
	for _, v := range []string{"author", "editor"} {
		if !slices.Equal(a.Names[v], b.Names[v]) {
			for i, n := range a.Names[v] {
				if i >= len(b.Names[v]) || n != b.Names[v][i] {
					return fmt.Sprintf("%s %d: %+v became %+v", v, i+1, n, b.Names[v][min(i, len(b.Names[v])):min(i+1, len(b.Names[v]))])
				}
			}
			return fmt.Sprintf("%d names became %d", len(a.Names[v]), len(b.Names[v]))
		}
	}
	return ""
}
