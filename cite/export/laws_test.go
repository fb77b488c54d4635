package export_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite/csl"
	"github.com/ibid-dev/ibid/cite/export"
	"github.com/ibid-dev/ibid/cite/internal/reading"
	"github.com/ibid-dev/ibid/text"
)

func styleOf(t *testing.T, name string) export.Style {
	t.Helper()
	if name == "notes" {
		return noteStyle(t)
	}
	s, err := csl.NewLibrary().Style(name)
	if err != nil {
		t.Fatal(err)
	}
	return export.Style{Style: s}
}

// What is written is read again, in the same order, once, and nothing else: question, text, citations, signs, bibliography and the words of the
// sources, whatever signs of the formats stand in them.
func TestEveryWordIsReadAgain(t *testing.T) {
	styles := map[string]export.Style{}
	for _, name := range []string{"ieee", "apa", "mla", "vancouver", "harvard", "notes", "chicago-notes"} {
		styles[name] = styleOf(t, name)
	}
	for _, words := range reading.Hostile {
		line := reading.OneLine(words)
		record, err := json.Marshal(map[string]any{"type": "book", "title": words, "author": []any{map[string]string{"family": words, "given": "Ann"}}, "publisher": words})
		if err != nil {
			t.Fatal(err)
		}
		sources := []ibid.Source{source(t, "file:///a.pdf", string(record)), source(t, "https://example.org/b_c_d", `{"title":"Second"}`), source(t, "file:///c.pdf", `{"type":"book","title":"Third"}`)}
		a := answerOf(t, sources, fact{"One holds.", []rest{{0, words + " it says", 3, ""}, {1, "and " + words, 0, words}}, ibid.HYBRID}, fact{"Two holds!", []rest{{0, "it says two", 4, ""}, {2, "it says three", 0, ""}}, ibid.RAG}, fact{"Three holds.", nil, ibid.LLM})
		a.Question, a.Incomplete = words, words
		for name, style := range styles {
			entries, err := export.Bibliography(a, nil, style, csl.Text)
			if err != nil {
				t.Fatal(err)
			}
			read := func(format string) reading.File {
				f, err := export.Export(a, nil, format, style)
				if err != nil {
					t.Fatal(err)
				}
				return reading.Read(t, format, f.Body)
			}
			page, paper, word := read("html"), read("markdown"), read("docx")
			want := []string{line, page.Lines[1], "Incomplete: " + line, "◐ in part from a source · ◇ the model's own words", "Sources"}
			for _, e := range entries {
				want = append(want, reading.OneLine(e.Text))
			}
			evidence := []string{line + ", p. 3: “" + line + " it says”", line + ", p. 4: “it says two”", "Second, § " + line + ": “and " + line + "”", "Third: “it says three”"}
			inWord := slices.Clone(want)
			notes := []string{evidence[0] + " " + evidence[2], evidence[1] + " " + evidence[3]}
			text := strings.NewReplacer("[^1]", "", "[^2]", "").Replace(word.Lines[1])
			if style.Style.Class == "note" {
				want = slices.Insert(want, 4, "Notes")
				notes = word.Notes
				text = word.Lines[1]
			} else {
				want = append(append(want, "Evidence"), evidence...)
			}
			inWord[1] = word.Lines[1]
			if text != page.Lines[1] || len(notes) != 2 || !strings.Contains(notes[0], "“"+line+" it says” “and "+line+"”") && style.Style.Class == "note" {
				t.Errorf("%s of %q: Word has %q and the notes %q, the page %q", name, words, text, notes, page.Lines[1])
			}
			for i, s := range []string{"One holds", "◐ Two holds", "Three holds.◇"} {
				if strings.Count(page.Lines[1], s) != 1 || strings.HasPrefix(page.Lines[1], s) != (i == 0) || strings.HasSuffix(page.Lines[1], s) != (i == 2) {
					t.Errorf("%s of %q: the text is %q", name, words, page.Lines[1])
				}
			}
			for _, c := range []struct {
				format    string
				got, want []string
			}{
				{"html", page.Lines, want}, {"html notes", page.Notes, ifNotes(style, notes)},
				{"markdown", paper.Lines, without(want, "Notes")}, {"markdown notes", paper.Notes, ifNotes(style, notes)},
				{"docx", word.Lines, inWord}, {"docx notes", word.Notes, notes},
			} {
				if !slices.Equal(c.got, c.want) {
					t.Errorf("%s, %s of %q: read\n%q, written were\n%q", name, c.format, words, c.got, c.want)
				}
			}
		}
	}
}

func ifNotes(s export.Style, notes []string) []string {
	if s.Style.Class == "note" {
		return notes
	}
	return nil
}

func without(all []string, one string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return s == one })
}

// blocks makes an answer of a Markdown text in which every piece rests on a source.
func blocks(t *testing.T, markdown string, origin ibid.Origin) ibid.Answer {
	t.Helper()
	a := answerOf(t, []ibid.Source{source(t, "file:///a.pdf", `{"type":"book","title":"The Cable"}`)}, fact{"x", []rest{{0, "it says", 3, ""}}, origin})
	a.Question, a.Text, a.Segments = "", markdown, nil
	link := a.Attributions[0]
	a.Attributions = nil
	s := text.NewSplitter()
	for _, p := range append(s.Write(markdown), s.Close()...) {
		a.Segments = append(a.Segments, ibid.Segment{At: p.At, Kind: p.Kind, Origin: origin})
		link.Of = p.At
		a.Attributions = append(a.Attributions, link)
	}
	if err := a.Check(); err != nil {
		t.Fatal(err)
	}
	return a
}

// What is added to a text leaves its tables, headings and blocks of code what they are, and is read in them.
func TestAdditionsLeaveBlocksWhole(t *testing.T) {
	markdown := "| ship | year |\n|---|---|\n| Niagara | 1857 |\n\nThe ships\n=========\n\n```go\nships := 2\n```\n\n- It sailed.\n\nIt ended?"
	for style, want := range map[string]string{
		"ieee":  "<td>1857 [1, p. 3]◐</td>\n</tr>\n</tbody>\n</table>\n<h1>The ships [1, p. 3]◐</h1>\n<pre><code class=\"language-go\">ships := 2\n</code></pre>\n<p>[1, p. 3]◐</p>\n<ul>\n<li>It sailed [1, p. 3].◐</li>\n</ul>\n<p>It ended [1, p. 3]?◐</p>",
		"notes": "<td>1857[^2]◐</td>\n</tr>\n</tbody>\n</table>\n<h1>The ships[^3]◐</h1>\n<pre><code class=\"language-go\">ships := 2\n</code></pre>\n<p>[^4]◐</p>\n<ul>\n<li>It sailed.[^5]◐</li>\n</ul>\n<p>It ended?[^6]◐</p>",
	} {
		a := blocks(t, markdown, ibid.HYBRID)
		f, err := export.Export(a, nil, "markdown", styleOf(t, style))
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := goldmark.New(goldmark.WithExtensions(extension.Table)).Convert(f.Body, &b); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s: no\n%s\nin\n%s", style, want, b.String())
		}
		f, err = export.Export(a, nil, "docx", styleOf(t, style))
		if err != nil {
			t.Fatal(err)
		}
		if got := reading.Read(t, "docx", f.Body).Lines; !slices.Contains(got, "ships := 2") || !slices.Contains(got, "```") {
			t.Errorf("%s: %q", style, got)
		}
	}
}

// A block of code that an answer left open ends with the answer's text.
func TestOpenCodeEnds(t *testing.T) {
	for _, text := range []string{"So:\n\n```go\nships := 2", "So:\n\n~~~~\nships := 2\n~~~", "So:\n\n```go\nships := 2\n```", "So:\n\n```"} {
		for _, origin := range []ibid.Origin{ibid.NONE, ibid.LLM} {
			a := blocks(t, text, origin)
			f, err := export.Export(a, nil, "markdown", export.Style{})
			if err != nil {
				t.Fatal(err)
			}
			if got := reading.Read(t, "markdown", f.Body).Lines; !slices.Contains(got, "Sources") || strings.Contains(strings.Join(got, "\n"), "## Sources") || strings.Count(string(f.Body), "```") > 2 {
				t.Errorf("%q:\n%s", text, f.Body)
			}
			if f, err = export.Export(a, nil, "html", export.Style{}); err != nil || strings.Count(string(f.Body), "```") != strings.Count(text, "```") {
				t.Errorf("%q: %v\n%s", text, err, f.Body)
			}
		}
	}
}

// A page and a document of Word hold the text as it is, whatever it looks like and however its lines end.
func TestTheTextStandsAsItIs(t *testing.T) {
	for _, words := range append(slices.Clone(reading.Hostile), "\n\nlate\n\n\n", "a\tb  c", "Done.\r\n\r\nSo.\rYes.", "```\nopen") {
		for _, style := range []export.Style{{}, noteStyle(t)} {
			a := answerOf(t, []ibid.Source{source(t, "file:///a.pdf", `{"type":"book","title":"The Cable"}`)}, fact{words, []rest{{0, "it says", 3, ""}}, ibid.RAG})
			for _, format := range []string{"html", "docx"} {
				f, err := export.Export(a, nil, format, style)
				if err != nil {
					t.Fatal(err)
				}
				got := strings.Join(reading.Read(t, format, f.Body).Lines[1:], "\n")
				if want := strings.Join(reading.Tidy(strings.ReplaceAll(words, "\r", "\n")), "\n"); !strings.HasPrefix(got, strings.TrimRight(want, ".!")) {
					t.Errorf("%s: %q stands as %q", format, words, got)
				}
			}
		}
	}
}

// Characters that no text should hold take none of the letters around them with them, and every file is read all the same.
func TestControlCharacters(t *testing.T) {
	words := "al\x00pha be\x01ta gam\x1bma del\x7fta\ufffe ep\xffsilon\u202e ze\u2028ta \x0ceta\x0b"
	record, _ := json.Marshal(map[string]string{"type": "book", "title": words, "publisher": words})
	a := answerOf(t, []ibid.Source{source(t, "file:///a.pdf", string(record))}, fact{words, []rest{{0, words, 3, ""}}, ibid.RAG})
	a.Question, a.Incomplete = words, words
	for _, format := range []string{"markdown", "html", "docx"} {
		f, err := export.Export(a, nil, format, export.Style{})
		if err != nil {
			t.Fatal(err)
		}
		r := reading.Read(t, format, f.Body)
		got := letters(strings.Join(append(r.Lines, r.Notes...), " "))
		// question, text, reason, entry with title and publisher, evidence with title and quote
		if n := strings.Count(got, "alphabetagammadeltaepsilonzetaeta"); n != 7 {
			t.Errorf("%s: %d times in %q", format, n, got)
		}
	}
}

// What an answer does not have leaves no headings, brackets or empty lists.
func TestEmptyPartsLeaveNothing(t *testing.T) {
	bare := answerOf(t, nil, fact{"I do not know.", nil, ibid.NONE})
	bare.Question = ""
	silent := answerOf(t, []ibid.Source{source(t, "file:///a.pdf", `{"type":"book","title":"The Cable"}`)}, fact{"It is so.", []rest{{0, "it says", 0, ""}}, ibid.RAG})
	silent.Question, silent.Citations[0].Quote = "", ""
	unlisted, err := csl.ParseStyle(strings.NewReader(notes[:strings.Index(notes, "<bibliography>")] + "</style>"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		a     ibid.Answer
		style export.Style
		want  []string // lines and notes
	}{
		{"nothing cited", bare, export.Style{}, []string{"I do not know."}},
		{"nothing cited, with notes", bare, noteStyle(t), []string{"I do not know."}},
		{"no words of the source", silent, export.Style{}, []string{"It is so [1].", "Sources", "[1] The Cable."}},
		{"no words of the source, with notes", silent, noteStyle(t), []string{"It is so.[^1]", "Sources", "The Cable.", "The Cable."}},
		{"no bibliography", silent, export.Style{Style: unlisted}, []string{"It is so.[^1]", "The Cable."}},
	} {
		for _, format := range []string{"markdown", "html", "docx"} {
			f, err := export.Export(c.a, nil, format, c.style)
			if err != nil {
				t.Fatal(err)
			}
			r := reading.Read(t, format, f.Body)
			got := append(r.Lines, r.Notes...)
			want := slices.Clone(c.want)
			switch {
			case format == "html":
				want = append([]string{"Answer"}, want...)
				if r.Notes != nil {
					want = slices.Insert(want, 2, "Notes")
				}
			case format == "docx" && c.style.Style == nil && len(want) > 1: // all evidence is in notes
				want[0] = "It is so [1].[^1]"
				want = append(want, "The Cable")
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, %s: %q, want %q", c.name, format, got, want)
			}
			if strings.Contains(string(f.Body), " \n") || format == "html" && strings.Contains(string(f.Body), "<ul class=\"evidence\">\n</ul>") {
				t.Errorf("%s, %s:\n%s", c.name, format, f.Body)
			}
		}
	}
}

// LaTeX, as pandoc reads it, shows the words of a bibliography as plain text does.
func TestLaTeXByPandoc(t *testing.T) {
	var refs []ibid.Reference
	for i, words := range reading.Hostile {
		r := ibid.Reference{ID: fmt.Sprint(i), Type: "book", Text: map[string]string{"title": words, "publisher": words}}
		r.Names = map[string][]ibid.Name{"author": {{Literal: words}}}
		refs = append(refs, r)
	}
	style := styleOf(t, "ieee")
	plain, _, err := export.References(refs, style, csl.Text, false)
	if err != nil {
		t.Fatal(err)
	}
	latex, _, err := export.References(refs, style, csl.LaTeX, false)
	if err != nil {
		t.Fatal(err)
	}
	var paragraphs strings.Builder
	for _, e := range latex {
		paragraphs.WriteString(e.Text + "\n\n")
	}
	got := strings.Split(pandocRead(t, "latex", []byte(paragraphs.String())), "\n\n")
	if len(got) != len(plain) {
		t.Fatalf("%d entries, want %d", len(got), len(plain))
	}
	for i := range plain {
		if reading.OneLine(got[i]) != reading.OneLine(plain[i].Text) {
			t.Errorf("%q is read as\n%q, want\n%q", latex[i].Text, reading.OneLine(got[i]), reading.OneLine(plain[i].Text))
		}
	}
}
