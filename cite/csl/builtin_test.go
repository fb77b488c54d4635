package csl

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
)

var otherItems = flag.String("items", "", "compare the built-in styles on this CSL-JSON file, without a bound")

// officialNames are the official styles whose text the built-in ones give.
var officialNames = map[string]string{
	"apa": "apa", "mla": "modern-language-association", "chicago-author-date": "chicago-author-date",
	"chicago-notes": "chicago-notes-bibliography", "harvard": "harvard-cite-them-right", "ieee": "ieee", "vancouver": "nlm-citation-sequence",
}

// TestBuiltInAgainstOfficial compares the built-in styles with the official ones of that name on real references:
// bibliography and citations agree in 95 of 100.
func TestBuiltInAgainstOfficial(t *testing.T) {
	items := loadItems(t, "real1000.json")
	if *otherItems != "" {
		data, err := os.ReadFile(*otherItems)
		if err != nil {
			t.Fatal(err)
		}
		items = nil
		if err := json.Unmarshal(data, &items); err != nil {
			t.Fatal(err)
		}
	}
	library := NewLibrary()
	for _, name := range BuiltIn() {
		t.Run(name, func(t *testing.T) {
			style, err := library.Style(name)
			if err != nil {
				t.Fatal(err)
			}
			entries, cites := renderAll(t, style, items)
			wantEntries, wantCites := renderAll(t, loadStyle(t, officialNames[name]), items)
			for _, c := range []struct {
				what      string
				got, want []string
			}{{"entries", entries, wantEntries}, {"citations", cites, wantCites}} {
				same, shown := 0, 0
				for i := range c.want {
					if i < len(c.got) && c.got[i] == c.want[i] {
						same++
					} else if i < len(c.got) && (shown < 5 || *otherItems != "") {
						shown++
						t.Logf("built in: %s\nofficial: %s", c.got[i], c.want[i])
					}
				}
				share := float64(same) / float64(len(c.want))
				t.Logf("%s: %d of %d %s agree (%.1f %%)", name, same, len(c.want), c.what, 100*share)
				if share < 0.95 && *otherItems == "" {
					t.Errorf("%s: only %.1f %% of %s agree", name, 100*share, c.what)
				}
			}
		})
	}
}

// renderAll gives the entries in order of id, and each item cited alone, twice in a row.
func renderAll(t *testing.T, style *Style, items []ibid.Reference) (entries, cites []string) {
	t.Helper()
	doc, err := NewDocument(style, Options{Items: items})
	if err != nil {
		t.Fatal(err)
	}
	note := 0
	for _, it := range items {
		for range 2 {
			if note++; style.Class != "note" {
				note = 0
			}
			doc.Cite(Cluster{Items: []CiteItem{{ID: it.ID}}, Note: note})
		}
	}
	b, err := doc.Bibliography(HTML)
	if err != nil {
		t.Fatal(err)
	}
	text := map[string]string{}
	for _, e := range b.Entries {
		text[e.ID] = strings.TrimSpace(e.Text)
	}
	for _, it := range items {
		entries = append(entries, text[it.ID])
	}
	return entries, doc.Citations(HTML)
}
