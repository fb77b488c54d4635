// Package reading reads what is written for others as their programs do, so that tests can hold it against what was to be written.
package reading

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	goldhtml "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Hostile are words that some format takes for its own signs.
var Hostile = []string{
	`<em>bold</em>`, `&lt;not a tag&gt; &amp;`, `AT&T & sons`, `*stars* and _lines_`, "`code`", `[a](b) ![c](d)`, `\textbf{x} $y$ 50% {z} #1 ~n^2`, `“curly” ‘quotes’`,
	`a | b`, `~~gone~~`, `<!-- hidden -->`, `]]>`, `&#x41; &copy;`, `1. first`, `2) second`, `- dash`, `+ plus`, `# head`, `> said`, `=== ---`, `מימין לשמאל`, `😀👩‍👧`, `<script>alert(1)</script>`,
	`http://example.org/?a=1&b=2`, `https://example.org/a_b_c`, `<https://example.org/_x_>`, `</w:t></w:r>`, `%s %d %!`, `a\nb\r\nc`, "two\nlines\r\nor three",
}

// File is what a reader of a file sees: its lines, and apart from them its notes.
type File struct{ Lines, Notes []string }

// Read reads a file, markdown, html or docx, as an independent program does.
func Read(t testing.TB, format string, body []byte) File {
	t.Helper()
	switch format {
	case "markdown":
		var b bytes.Buffer
		m := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote), goldmark.WithRendererOptions(goldhtml.WithUnsafe()))
		if err := m.Convert(body, &b); err != nil {
			t.Fatal(err)
		}
		return readHTML(t, b.Bytes())
	case "html":
		return readHTML(t, body)
	}
	z, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	return File{Lines: readWord(t, z, "word/document.xml"), Notes: readWord(t, z, "word/footnotes.xml")}
}

func readHTML(t testing.TB, body []byte) File {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	var text, notes strings.Builder
	var walk func(n *html.Node, b *strings.Builder, kept bool)
	walk = func(n *html.Node, b *strings.Builder, kept bool) {
		attr := func(name string) string {
			i := slices.IndexFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
			if i < 0 {
				return ""
			}
			return n.Attr[i].Val
		}
		id, class, href := attr("id"), attr("class"), attr("href")
		switch {
		case n.Type == html.TextNode && kept:
			b.WriteString(n.Data)
		case n.Type == html.TextNode:
			b.WriteString(lineEnds.Replace(n.Data))
		case n.DataAtom == atom.Head, n.DataAtom == atom.Script, n.DataAtom == atom.A && strings.HasPrefix(href, "#ref"), n.DataAtom == atom.A && strings.HasPrefix(href, "#fnref"):
			return
		case n.DataAtom == atom.A && (strings.HasPrefix(href, "#note") || strings.HasPrefix(href, "#fn:")):
			fmt.Fprintf(b, "[^%s]", n.FirstChild.Data)
			return
		case n.DataAtom == atom.Li && (strings.HasPrefix(id, "note") || strings.HasPrefix(id, "fn:")):
			b = &notes
		case n.DataAtom == atom.Blockquote, n.DataAtom == atom.P:
			b.WriteString("\n")
		case n.DataAtom == atom.Q:
			b.WriteString("“")
			defer b.WriteString("”")
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c, b, kept || n.DataAtom == atom.Pre || class == "answer")
		}
		switch n.DataAtom {
		case atom.P, atom.H1, atom.H2, atom.H3, atom.Li, atom.Tr, atom.Pre, atom.Summary, atom.Blockquote, atom.Br:
			b.WriteString("\n")
		case atom.Div:
			if class == "csl-left-margin" {
				b.WriteString(" ")
			} else {
				b.WriteString("\n")
			}
		case atom.Td, atom.Th:
			b.WriteString(" | ")
		}
	}
	walk(root, &text, false)
	return File{Tidy(text.String()), Tidy(notes.String())}
}

// lineEnds are spaces to a page, but in what is set as it stands.
var lineEnds = strings.NewReplacer("\r", " ", "\n", " ")

// readWord gives the paragraphs of a part. Word refuses a file in which a run stands outside of them.
func readWord(t testing.TB, z *zip.Reader, name string) []string {
	t.Helper()
	part, err := fs.ReadFile(z, name)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	d := xml.NewDecoder(bytes.NewReader(part))
	within := map[string]int{}
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return Tidy(b.String())
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		switch e := tok.(type) {
		case xml.StartElement:
			within[e.Name.Local]++
			switch {
			case e.Name.Local == "p" && within["p"] > 1:
				t.Errorf("%s: a paragraph within a paragraph", name)
			case e.Name.Local == "r" && within["p"] == 0, e.Name.Local == "t" && within["r"] == 0:
				t.Errorf("%s: %s where it has no place", name, e.Name.Local)
			case e.Name.Local == "footnoteReference":
				fmt.Fprintf(&b, "[^%s]", e.Attr[0].Value)
			}
		case xml.EndElement:
			within[e.Name.Local]--
			if e.Name.Local == "p" {
				b.WriteString("\n")
			}
		case xml.CharData:
			if within["t"] > 0 {
				b.Write(e)
			}
		}
	}
}

// Tidy gives the lines that have words, with one space between these.
func Tidy(s string) (out []string) {
	for line := range strings.Lines(s) {
		if words := OneLine(line); words != "" {
			out = append(out, words)
		}
	}
	return out
}

// OneLine puts one space between words.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
