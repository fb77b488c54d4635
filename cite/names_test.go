package cite_test

import (
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite"
)

func TestNamesOfASource(t *testing.T) {
	page := ibid.Source{ID: "4f2a", URI: "https://example.org/cables/"}
	page.Reference.Set("DOI", "10.1000/182")
	file := ibid.Source{ID: "77aa", URI: "file:///home/ada/cables.md"}
	for _, test := range []struct {
		name string
		of   ibid.Source
		want bool
	}{
		{"4f2a", page, true},
		{"http://www.example.org/cables?utm_source=x#top", page, true},
		{"https://example.org/cables/2", page, false},
		{"doi:10.1000/182", page, true},
		{"https://doi.org/10.1000/182", page, true},
		{"cables.md", file, true},
		{"ables.md", file, false},
		{"", page, false},
		{"", ibid.Source{}, false},
		{"10.1000/182", file, false},
	} {
		if got := cite.Names(test.name, test.of); got != test.want {
			t.Errorf("%q names %s: %v", test.name, test.of.URI, got)
		}
	}
}
