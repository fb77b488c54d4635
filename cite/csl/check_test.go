package csl

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid/internal/testdata"
)

const shell = `<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0">
<info><title>T</title><id>i</id><updated>2020</updated></info>
BODY
</style>`

func TestCheckNamesLineAndElement(t *testing.T) {
	layout := `<citation><layout><text variable="title"/></layout></citation><bibliography><layout><text variable="title"/></layout></bibliography>`
	for _, c := range []struct {
		name, body string
		line       int
		element    string
		text       string
		fatal      bool
	}{
		{"an unknown element", layout + "\n<macro name=\"m\"><txt/></macro>", 4, "txt", "not a CSL rendering element", true},
		{"a macro that is not there", "\n<citation><layout><text macro=\"x\"/></layout></citation>", 4, "text", `calls macro "x"`, true},
		{"a loop of macros", "<macro name=\"a\"><text macro=\"b\"/></macro>\n<macro name=\"b\"><text macro=\"a\"/></macro>\n" + layout, 4, "text", "macro loop: a calls b calls a", true},
		{"no citation", "", 1, "style", "no <citation>", true},
		{"a misspelt variable", strings.Replace(layout, `"title"`, `"tittle"`, 1), 3, "text", `no variable "tittle"`, false},
		{"an attribute that does nothing", strings.Replace(layout, `<layout>`, `<layout et-al-min="3">`, 1), 3, "layout", "et-al-min does nothing here", false},
		{"a value that CSL does not know", strings.Replace(layout, `"title"`, `"title" text-case="loud"`, 1), 3, "text", `text-case cannot be "loud"`, false},
		{"a macro that is never called", layout + "\n<macro name=\"m\"><text value=\"x\"/></macro>", 4, "macro", `"m" is never called`, false},
		{"no bibliography", `<citation><layout><text variable="title"/></layout></citation>`, 1, "style", "no <bibliography>", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Check(strings.NewReader(strings.Replace(shell, "BODY", c.body, 1)))
			for _, m := range got {
				if m.Line == c.line && m.Element == c.element && strings.Contains(m.Text, c.text) && m.Error == c.fatal {
					return
				}
			}
			t.Errorf("no message on line %d of <%s> with %q: %v", c.line, c.element, c.text, got)
		})
	}
}

// The built-in styles give no message at all, the official ones none that is an error.
func TestCheckPassesGoodStyles(t *testing.T) {
	for _, name := range BuiltIn() {
		data, err := builtIn.ReadFile("styles/" + name + ".csl")
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range Check(strings.NewReader(string(data))) {
			t.Errorf("%s: %v", name, m)
		}
	}
	paths, _ := filepath.Glob(filepath.Join(testdata.Path(t, "csl/styles"), "*.csl"))
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range Check(strings.NewReader(string(data))) {
			if m.Error {
				t.Errorf("%s: %v", filepath.Base(path), m)
			}
		}
	}
}

func TestBadXMLIsRefused(t *testing.T) {
	for name, text := range map[string]string{
		"not XML":           "hello",
		"cut in the middle": `<style xmlns="http://purl.org/net/xbiblio/csl"><citation>`,
		"another document":  `<html><body/></html>`,
		"an entity bomb":    `<!DOCTYPE s [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><style>&b;</style>`,
		"too deep":          strings.Repeat("<group>", 5000) + strings.Repeat("</group>", 5000),
		"too large":         `<style a="` + strings.Repeat("x", maxXMLBytes) + `"/>`,
	} {
		if _, err := ParseStyle(strings.NewReader(text)); err == nil {
			t.Errorf("%s: read as a style", name)
		}
	}
}
