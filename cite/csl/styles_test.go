package csl

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid/internal/testdata"
)

var otherStyles = flag.String("styles", "", "render a hundred references in the styles of this folder in place of those at hand")

// TestOfficialStyles renders real references in every official style at hand: no error, and no entry that is empty.
func TestOfficialStyles(t *testing.T) {
	items := loadItems(t, "real1000.json")
	folder := testdata.Path(t, "csl/styles")
	if *otherStyles != "" {
		items, folder = loadItems(t, "real100.json"), *otherStyles
	}
	paths, _ := filepath.Glob(filepath.Join(folder, "*.csl"))
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".csl")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			style, err := ParseStyle(f)
			if err != nil {
				t.Fatal(err)
			}
			if style.Dependent() {
				return
			}
			doc, err := NewDocument(style, Options{Locales: testLocales(), Items: items})
			if err != nil {
				t.Fatal(err)
			}
			for _, it := range items {
				doc.Cite(Cluster{Items: []CiteItem{{ID: it.ID}}})
			}
			empty := func(what, id, text string) {
				if strings.TrimSpace(text) == "" || strings.Contains(text, "[CSL STYLE ERROR") {
					t.Errorf("%s: %s is empty: %q", id, what, text)
				}
			}
			if !style.HasBibliography() {
				for i, text := range doc.Citations(Text) {
					empty("citation", items[i].ID, text)
				}
				return
			}
			b, err := doc.Bibliography(Text)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range b.Entries {
				empty("entry", e.ID, e.Text)
			}
			if len(b.Entries) != len(items) {
				t.Errorf("%d entries of %d references", len(b.Entries), len(items))
			}
		})
	}
}
