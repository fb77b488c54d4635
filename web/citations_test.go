package web_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite/bib"
)

// All sources of the library are written, page after page: in a style as long as they are not too many, and as records in any number.
func TestLibraryIsCited(t *testing.T) {
	w := open(t)
	add := func(from, to int) {
		for i := from; i < to; i++ {
			text := fmt.Sprintf("Text %d.", i)
			src := ibid.Source{URI: fmt.Sprintf("file:///home/somebody/%d.txt", i)}
			src.ID = ibid.IdentifySource("", src.URI)
			src.Reference.Set("title", fmt.Sprintf("Work %d", i))
			doc := ibid.Document{ID: ibid.HashText(text), Text: text}
			chunk := ibid.Chunk{At: ibid.Anchor{Document: doc.ID, Span: ibid.Span{End: len(text)}}, Text: text}
			if _, _, err := w.store.Add(t.Context(), src, doc, []ibid.Chunk{chunk}); err != nil {
				t.Fatal(err)
			}
		}
	}
	records := func(format string, want int) {
		t.Helper()
		got := w.get("/api/v1/export?to=" + format).want(200)
		file, err := bib.Read(got.body)
		if err != nil || len(file.References) != want {
			t.Errorf("%d references as %s, want %d; %v", len(file.References), format, want, err)
		}
		if strings.Contains(string(got.body), "somebody") {
			t.Errorf("%s tells of a path", format)
		}
	}
	add(0, 1001)
	for _, format := range []string{"bibtex", "biblatex", "ris", "endnote", "csljson"} {
		records(format, 1001)
	}
	var all struct{ Entries []string }
	if w.get("/api/v1/bibliography?style=apa").want(200).into(&all); len(all.Entries) != 1001 || strings.Contains(strings.Join(all.Entries, ""), "somebody") {
		t.Errorf("%d entries, the first %q", len(all.Entries), all.Entries[:1])
	}
	add(1001, 2001)
	records("csljson", 2001)
	if got := w.get("/api/v1/bibliography?style=apa").want(409); !strings.Contains(string(got.body), "/api/v1/export?to=bibtex") {
		t.Errorf("%s", got.body)
	}
}

// What a reference lacks is said, above all where the style lists nothing of it.
func TestCiteSaysWhatIsNotListed(t *testing.T) {
	w := open(t)
	for _, tt := range []struct {
		name, references, style string
		entries                 int
		warned                  string
	}{
		{"a reference that the style finds nothing of", `[{"id":"a","type":"book","author":[{}]}]`, "mla", 0, "a: is not listed"},
		{"beside one that is whole", `[{"id":"a","type":"book","author":[{}]},{"id":"b","type":"book","title":"On Cables"}]`, "mla", 1, "a: is not listed"},
		{"no type", `[{"id":"a","title":"On Cables"}]`, "apa", 1, "a: has no type"},
		{"whole", `[{"id":"a","type":"book","title":"On Cables"}]`, "apa", 1, ""},
	} {
		var got struct{ Entries, Warnings []string }
		w.post("/api/v1/cite", map[string]any{"references": json.RawMessage(tt.references), "style": tt.style}).want(200).into(&got)
		if warned := strings.Join(got.Warnings, "\n"); len(got.Entries) != tt.entries || !strings.HasPrefix(warned, tt.warned) || tt.warned == "" && warned != "" {
			t.Errorf("%s: %d entries, warnings %q", tt.name, len(got.Entries), got.Warnings)
		}
	}
}
