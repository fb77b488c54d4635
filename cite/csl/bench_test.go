package csl

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/internal/testdata"
)

func loadItems(t testing.TB, name string) []ibid.Reference {
	t.Helper()
	b, err := os.ReadFile(testdata.Path(t, "csl/bench/"+name))
	if err != nil {
		t.Fatal(err)
	}
	var items []ibid.Reference
	if err := json.Unmarshal(b, &items); err != nil {
		t.Fatal(err)
	}
	return items
}

func loadStyle(t testing.TB, name string) *Style {
	t.Helper()
	f, err := os.Open(filepath.Join(testdata.Path(t, "csl/styles"), name+".csl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s, err := ParseStyle(f)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// BenchmarkBibliography renders whole bibliographies. Run it on one core: go test -bench Bibliography -cpu 1.
func BenchmarkBibliography(b *testing.B) {
	for _, file := range []string{"real1000.json", "mix10000.json"} {
		items := loadItems(b, file)
		for _, name := range []string{"apa", "chicago-author-date", "ieee"} {
			style := loadStyle(b, name)
			b.Run(name+"/"+file, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					d, err := NewDocument(style, Options{Locales: testLocales(), Items: items})
					if err != nil {
						b.Fatal(err)
					}
					d.Nocite()
					if _, err := d.Bibliography(HTML); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
