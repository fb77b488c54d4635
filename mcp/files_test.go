package mcp_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/workflow"
)

// A recorded answer leaves as a text in every format that the command line has, but for the one that is no text.
func TestExport(t *testing.T) {
	w := open(t).cables()
	c := w.client(reader)
	tool := c.tools()["export"]
	asked := c.call("ask", args{"question": "When did lasting service begin?"})
	signs := map[string]string{"": "## Sources", "markdown": "## Sources", "html": "<html", "bibtex": "@", "biblatex": "@", "ris": "TY  - ", "endnote": "<xml>", "csljson": `"title"`, "json": `"citation_maps"`, "webannotation": `"@context"`}
	for to, sign := range signs {
		got := c.call("export", args{"answer": asked["id"], "to": to})
		fits(t, tool, got)
		if text := got["text"].(string); !strings.Contains(text, sign) || strings.Contains(text, w.dir) {
			t.Errorf("%q gives %.300s", to, text)
		}
	}
	for _, to := range workflow.ExportFormats() {
		if _, tried := signs[to]; tried == (to == "docx") {
			t.Errorf("%s is exported, or not tried", to)
		}
	}
	enum := tool.InputSchema.(map[string]any)["properties"].(map[string]any)["to"].(map[string]any)["enum"].([]any)
	if slices.Contains(enum, any("docx")) || !slices.Contains(enum, any("webannotation")) {
		t.Errorf("the formats are %v", enum)
	}
	if notes := c.call("export", args{"answer": asked["id"], "style": "chicago-notes"})["text"].(string); !strings.Contains(notes, "1866.[^1]") || !strings.Contains(notes, "\n[^1]: ") {
		t.Errorf("footnotes: %s", notes)
	}
	ieee, named := c.call("export", args{"answer": asked["id"]}), c.call("export", args{"answer": asked["id"], "style": "apa", "locale": "de-DE"})
	if ieee["text"] == named["text"] {
		t.Error("the style makes no difference")
	}
	var anno struct{ First struct{ Items []any } }
	if err := json.Unmarshal([]byte(c.call("export", args{"answer": asked["id"], "to": "webannotation"})["text"].(string)), &anno); err != nil || len(anno.First.Items) == 0 {
		t.Errorf("annotations: %v %v", anno, err)
	}
	other := w.client(api.Caller{Scope: api.Read, Collection: "other"})
	if got := other.refused("export", args{"answer": asked["id"]}); !strings.Contains(got, "there is no answer") {
		t.Errorf("another collection is told %s", got)
	}
}

// The whole library is cited at once, and nothing of another collection.
func TestTheLibraryIsCited(t *testing.T) {
	w := open(t).cables()
	c := w.client(reader)
	if got := c.call("cite", args{"library": true})["entries"].([]any); len(got) != 3 {
		t.Errorf("in a style: %v", got)
	}
	records := c.call("cite", args{"library": true, "format": "bibtex"})["entries"].([]any)[0].(string)
	if n := strings.Count("\n"+records, "\n@"); n != 3 {
		t.Errorf("%d records in\n%s", n, records)
	}
	w.client(api.Caller{Scope: api.Write, Collection: "other"}).call("ingest", args{"name": "whales.md", "text": "# Whales\n\nWhales sing."})
	other := w.client(api.Caller{Scope: api.Read, Collection: "other"})
	if got := other.call("cite", args{"library": true})["entries"].([]any); len(got) != 1 || !strings.Contains(got[0].(string), "Whales") {
		t.Errorf("of the other collection: %v", got)
	}
}
