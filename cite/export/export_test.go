package export_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite"
	"github.com/ibid-dev/ibid/cite/bib"
	"github.com/ibid-dev/ibid/cite/csl"
	"github.com/ibid-dev/ibid/cite/export"
	"github.com/ibid-dev/ibid/internal/testdata"
)

// fact is a sentence of an answer and the words that it rests on.
type fact struct {
	sentence string
	rests    []rest
	origin   ibid.Origin
}

type rest struct {
	source  int
	quote   string
	page    int
	heading string
}

// answerOf makes an answer as the workflow does, with anchors that hold.
func answerOf(t *testing.T, sources []ibid.Source, facts ...fact) ibid.Answer {
	t.Helper()
	a := ibid.Answer{ID: "4f2a", Question: "When was the first <cable> laid & by whom?", CreatedAt: time.Date(2026, 3, 4, 5, 6, 8, 0, time.UTC)}
	numbers := map[ibid.SourceID]int{}
	for _, f := range facts {
		if a.Text != "" {
			a.Text += " "
		}
		start := len(a.Text)
		a.Text += f.sentence
		at := ibid.Span{Start: start, End: len(a.Text)}
		a.Segments = append(a.Segments, ibid.Segment{At: at, Origin: f.origin, Support: 0.9})
		for _, r := range f.rests {
			s := sources[r.source]
			rank := len(a.Passages) + 1
			p := ibid.Passage{Rank: rank, Source: s, Chunk: ibid.Chunk{At: ibid.Anchor{Document: ibid.HashText(r.quote), Span: ibid.Span{End: len(r.quote)}}, Text: r.quote, Page: r.page}}
			if r.heading != "" {
				p.Chunk.Heading = []string{r.heading}
			}
			a.Passages = append(a.Passages, p)
			a.Attributions = append(a.Attributions, ibid.Attribution{Of: at, To: p.Chunk.At, Ref: rank, Confidence: 0.9})
			if numbers[s.ID] == 0 {
				numbers[s.ID] = len(numbers) + 1
			}
			a.Citations = append(a.Citations, ibid.Citation{Number: numbers[s.ID], Key: string(s.ID), Source: s.ID, At: p.Chunk.At, Quote: r.quote, Locator: p.Chunk.Locator(0), Confidence: 0.9})
		}
	}
	if err := a.Check(); err != nil {
		t.Fatal(err)
	}
	return a
}

func source(t *testing.T, uri, record string) ibid.Source {
	t.Helper()
	s := ibid.Source{ID: ibid.IdentifySource("", uri), URI: uri, AddedAt: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)}
	if err := json.Unmarshal([]byte(record), &s.Reference); err != nil {
		t.Fatal(err)
	}
	return s
}

func sample(t *testing.T) ibid.Answer {
	sources := []ibid.Source{
		source(t, "file:///home/me/secret/cable.pdf", `{"type":"book","title":"The Cable of 1858","author":[{"family":"Field","given":"Cyrus W."}],"issued":{"date-parts":[[1866]]},"publisher":"Harper","URL":"file:///home/me/secret/cable.pdf"}`),
		source(t, "https://example.org/letters", `{"title":"Letters & <i>notes</i>"}`),
		source(t, "file:///x/unused.md", `{"title":"Never cited"}`),
	}
	return answerOf(t, sources,
		fact{"The first cable was completed on 5 August 1858.", []rest{{0, "the landing was completed on 5 August 1858", 3, ""}, {1, "on the fifth | it *was* done", 0, "August"}}, ibid.RAG},
		fact{"It failed after three weeks.", []rest{{0, "for three weeks the wire spoke", 4, ""}}, ibid.HYBRID},
		fact{"Whitehouse is usually blamed.", nil, ibid.LLM})
}

// A page's bibliography is a list: each entry is a block of its own, and its addresses are links.
func TestHTMLBibliography(t *testing.T) {
	sources := []ibid.Source{
		source(t, "https://example.org/a", `{"type":"webpage","title":"A","URL":"https://example.org/a?x=1&y=(2)"}`),
		source(t, "https://example.org/b", `{"type":"article-journal","title":"B","container-title":"J","DOI":"10.1000/b_(1)"}`),
	}
	answer := answerOf(t, sources, fact{"One.", []rest{{0, "one", 0, ""}}, ibid.RAG}, fact{"Two.", []rest{{1, "two", 0, ""}}, ibid.RAG})
	for style, want := range map[string][]string{
		"mla": {
			`<div class="csl-bib-body hanging">`, `. <a href="https://example.org/a?x=1&#38;y=(2)">https://example.org/a?x=1&#38;y=(2)</a>. Accessed 2 Jan. 2026.</div>`,
			`<i>J</i>, <a href="https://doi.org/10.1000/b_(1)">https://doi.org/10.1000/b_(1)</a>. Accessed 2 Jan. 2026.</div>`,
		},
		"ieee": {`<div class="csl-bib-body">`, `<div class="csl-entry"><div class="csl-left-margin">[1]</div>`},
	} {
		s, err := csl.NewLibrary().Style(style)
		if err != nil {
			t.Fatal(err)
		}
		f, err := export.Export(answer, nil, "html", export.Style{Style: s})
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(f.Body), `<div class="csl-entry">`); n != len(sources) {
			t.Errorf("%s: %d entries\n%s", style, n, f.Body)
		}
		for _, w := range want {
			if !strings.Contains(string(f.Body), w) {
				t.Errorf("%s: no %s in\n%s", style, w, f.Body)
			}
		}
	}
}

func TestMarkdown(t *testing.T) {
	f, err := export.Export(sample(t), nil, "markdown", export.Style{})
	if err != nil {
		t.Fatal(err)
	}
	got := string(f.Body)
	for _, want := range []string{
		"# When was the first \\<cable\\> laid & by whom?\n", `completed on 5 August 1858 \[1, p. 3\], \[2, Sec. August\].`, "◐", "usually blamed.◇", "## Sources", "C. W. Field", "The Cable of 1858",
		"## Evidence", "- Letters & notes, § August", `“on the fifth \| it \*was\* done”`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "secret") || strings.Contains(got, "Never cited") {
		t.Errorf("paths or sources that are not cited:\n%s", got)
	}
}

// Half an answer says that it is one, wherever it is read.
func TestIncompleteAnswerSaysSo(t *testing.T) {
	for _, why := range []string{"", "a filter <b>of</b>\nthe provider ended the answer"} {
		a := sample(t)
		a.Incomplete = why
		for format, want := range map[string]string{"markdown": `Incomplete: a filter \<b\>of\</b\> the provider ended the answer`, "html": "Incomplete: a filter &lt;b&gt;of&lt;/b&gt; the provider ended the answer", "docx": "Incomplete: a filter &lt;b&gt;of&lt;/b&gt; the provider ended the answer"} {
			f, err := export.Export(a, nil, format, export.Style{})
			if err != nil {
				t.Fatal(err)
			}
			said := string(f.Body)
			if format == "docx" {
				z, err := zip.NewReader(bytes.NewReader(f.Body), int64(len(f.Body)))
				if err != nil {
					t.Fatal(err)
				}
				body, err := fs.ReadFile(z, "word/document.xml")
				if err != nil {
					t.Fatal(err)
				}
				said = string(body)
			}
			if strings.Contains(said, want) != (why != "") || strings.Contains(said, "Incomplete") != (why != "") {
				t.Errorf("%s of %q:\n%s", format, why, said)
			}
		}
	}
}

func TestHTMLHasCOinSForEveryCitedWork(t *testing.T) {
	f, err := export.Export(sample(t), nil, "html", export.Style{})
	if err != nil {
		t.Fatal(err)
	}
	got := string(f.Body)
	if !strings.Contains(got, "first &lt;cable&gt; laid &amp; by whom?") || strings.Contains(got, "<script") {
		t.Errorf("not escaped:\n%s", got)
	}
	spans := regexp.MustCompile(`<span class="Z3988" title="([^"]*)"></span>`).FindAllStringSubmatch(got, -1)
	if len(spans) != 2 {
		t.Fatalf("%d COinS", len(spans))
	}
	v, err := url.ParseQuery(html.UnescapeString(spans[0][1]))
	if err != nil || v.Get("rft.btitle") != "The Cable of 1858" || v.Get("rft.aulast") != "Field" || v.Get("rft.date") != "1866" || v.Get("rft_val_fmt") != "info:ofi/fmt:kev:mtx:book" {
		t.Errorf("%v %v", v, err)
	}
}

// What sources and models write does not become part of the page.
func TestHTMLIsSafe(t *testing.T) {
	evil := `<script>alert(1)</script><img src=x onerror=alert(2)>"'`
	record, _ := json.Marshal(map[string]any{"type": "book", "title": evil, "author": []any{map[string]string{"literal": evil}}, "URL": "javascript:alert(3)", "publisher": evil, "DOI": evil})
	sources := []ibid.Source{source(t, "https://example.org/x", string(record))}
	a := answerOf(t, sources, fact{evil + " holds.", []rest{{0, evil, 0, evil}}, ibid.RAG})
	a.Question = evil
	for _, style := range []export.Style{{}, noteStyle(t)} {
		f, err := export.Export(a, nil, "html", style)
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"<script", "<img", `href="javascript`} {
			if strings.Contains(string(f.Body), bad) {
				t.Errorf("%s in\n%s", bad, f.Body)
			}
		}
	}
	if _, err := export.Export(a, nil, "docx", export.Style{}); err != nil {
		t.Error(err)
	}
}

func TestReferenceManagersTakeIt(t *testing.T) {
	for format, want := range map[string][2]string{
		"bibtex": {"application/x-bibtex", "@book{field1866cable,"}, "biblatex": {"application/x-bibtex", "date"}, "ris": {"application/x-research-info-systems", "TY  - BOOK"},
		"endnote": {"application/xml", "<record>"}, "csljson": {"application/vnd.citationstyles.csl+json", `"title":"The Cable of 1858"`},
	} {
		f, err := export.Export(sample(t), nil, format, export.Style{})
		if err != nil || f.MediaType != want[0] || !strings.Contains(string(f.Body), want[1]) || f.Extension == "" {
			t.Errorf("%s: %s %v\n%s", format, f.MediaType, err, f.Body)
		}
		back, err := bib.Read(f.Body)
		if err != nil || len(back.References) != 2 {
			t.Errorf("%s: %d references, %v", format, len(back.References), err)
		}
		if strings.Contains(string(f.Body), "secret") {
			t.Errorf("%s gives away a path", format)
		}
	}
	if _, err := export.Export(sample(t), nil, "pdf", export.Style{}); !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), "docx") {
		t.Error(err)
	}
}

func TestJSONHoldsTheClaims(t *testing.T) {
	f, err := export.Export(sample(t), nil, "json", export.Style{})
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Maps       []cite.CitationMap `json:"citation_maps"`
		References []ibid.Reference   `json:"references"`
		Answer     ibid.Answer        `json:"answer"`
	}
	if err := json.Unmarshal(f.Body, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Maps) != 3 || len(got.Maps[0].Citations) != 2 || got.Maps[0].Citations[0].Location != "p. 3" || len(got.Maps[2].Citations) != 0 || len(got.References) != 2 || got.Answer.Check() != nil {
		t.Errorf("%+v", got.Maps)
	}
	if !got.Maps[0].Validate().Valid {
		t.Error(got.Maps[0].Validate())
	}
}

// notes is a style of notes, small enough to read.
const notes = `<style xmlns="http://purl.org/net/xbiblio/csl" class="note" version="1.0">
<info><title>Notes</title><id>notes</id><updated>2026-01-01T00:00:00Z</updated></info>
<citation><layout suffix="." delimiter="; "><choose><if position="ibid"><text term="ibid"/></if><else><names variable="author" suffix=", "/><text variable="title" font-style="italic"/></else></choose><group prefix=", "><text variable="locator"/></group></layout></citation>
<bibliography><layout suffix="."><names variable="author" suffix=". "/><text variable="title" font-style="italic"/></layout></bibliography>
</style>`

func noteStyle(t *testing.T) export.Style {
	s, err := csl.ParseStyle(strings.NewReader(notes))
	if err != nil {
		t.Fatal(err)
	}
	return export.Style{Style: s}
}

func TestNotes(t *testing.T) {
	f, err := export.Export(sample(t), nil, "markdown", noteStyle(t))
	if err != nil {
		t.Fatal(err)
	}
	got := string(f.Body)
	for _, want := range []string{"1858.[^1] It failed", "[^1]: Cyrus W. Field, *The Cable of 1858*, 3; ", "“the landing was completed", "[^2]: "} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	f, err = export.Export(sample(t), nil, "html", noteStyle(t))
	if err != nil || !strings.Contains(string(f.Body), `<sup><a id="ref1" href="#note1">1</a></sup>`) || strings.Count(string(f.Body), "Z3988") != 2 {
		t.Errorf("%v\n%s", err, f.Body)
	}
}

func TestNotesKnowTheNoteBefore(t *testing.T) {
	sources := []ibid.Source{source(t, "file:///a.pdf", `{"type":"book","title":"The Cable","author":[{"family":"Field"}]}`)}
	a := answerOf(t, sources, fact{"One.", []rest{{0, "first", 3, ""}}, ibid.RAG}, fact{"Two.", []rest{{0, "second", 3, ""}}, ibid.RAG})
	f, err := export.Export(a, nil, "markdown", noteStyle(t))
	if err != nil || !strings.Contains(strings.ToLower(string(f.Body)), "[^2]: ibid.") {
		t.Errorf("%v\n%s", err, f.Body)
	}
}

func TestDOCXIsWellFormedAndTheSameTwice(t *testing.T) {
	one, err := export.Export(sample(t), nil, "docx", noteStyle(t))
	two, _ := export.Export(sample(t), nil, "docx", noteStyle(t))
	if err != nil || !bytes.Equal(one.Body, two.Body) {
		t.Fatal("two exports differ", err)
	}
	z, err := zip.NewReader(bytes.NewReader(one.Body), int64(len(one.Body)))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range z.File {
		r, err := part.Open()
		if err != nil {
			t.Fatal(err)
		}
		d := xml.NewDecoder(r)
		for {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Errorf("%s: %v", part.Name, err)
				break
			}
		}
	}
}

func pandoc(t *testing.T, body []byte) string { return pandocRead(t, "docx", body) }

func pandocRead(t *testing.T, format string, body []byte) string {
	t.Helper()
	if _, err := exec.LookPath("pandoc"); err != nil {
		t.Skip("needs pandoc, which is not installed here")
	}
	name := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(name, body, 0o600); err != nil {
		t.Fatal(err)
	}
	to := map[string]string{"docx": "markdown", "latex": "plain"}[format]
	var problems bytes.Buffer
	cmd := exec.Command("pandoc", "-f", format, "-t", to, "--wrap=none", name)
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("pandoc: %v %s", err, problems.String())
	}
	return string(out)
}

// Pandoc reads real footnotes out of the document, and the italics of its titles.
func TestDOCXByPandoc(t *testing.T) {
	f, err := export.Export(sample(t), nil, "docx", noteStyle(t))
	if err != nil {
		t.Fatal(err)
	}
	got := pandoc(t, f.Body)
	for _, want := range []string{"1858.[^1] It failed after three weeks.[^2]", "[^1]: Cyrus W. Field, *The Cable of 1858*, 3;", "# When was the first", "## Sources"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// letters leaves out what a reader of documents may write otherwise.
func letters(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(norm.NFKD.String(regexp.MustCompile(`</?[a-z]+>`).ReplaceAllString(s, ""))) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Titles, names and years of real works stand in the document as pandoc reads it.
func TestDOCXOfRealWorksByPandoc(t *testing.T) {
	b, err := os.ReadFile(testdata.Path(t, "csl/bench/real100.json"))
	if err != nil {
		t.Fatal(err)
	}
	var refs []ibid.Reference
	if err := json.Unmarshal(b, &refs); err != nil {
		t.Fatal(err)
	}
	var sources []ibid.Source
	var facts []fact
	for i, r := range refs {
		sources = append(sources, ibid.Source{ID: ibid.SourceID(fmt.Sprint("s", i)), URI: "https://example.org/" + fmt.Sprint(i), Reference: r})
		facts = append(facts, fact{fmt.Sprintf("Fact number %d holds.", i), []rest{{i, fmt.Sprintf("words of source %d", i), 1, ""}}, ibid.RAG})
	}
	f, err := export.Export(answerOf(t, sources, facts...), nil, "docx", export.Style{})
	if err != nil {
		t.Fatal(err)
	}
	got := letters(pandoc(t, f.Body))
	agree := 0
	for _, r := range refs {
		ok := strings.Contains(got, letters(r.Title())) && (r.Year() == 0 || strings.Contains(got, fmt.Sprint(r.Year())))
		for i, n := range r.Names["author"] {
			if i < 3 && len(r.Names["author"]) <= 6 {
				ok = ok && strings.Contains(got, letters(n.Family+n.Literal))
			}
		}
		if ok {
			agree++
		} else {
			t.Logf("%s: %s", r.ID, r.Title())
		}
	}
	t.Logf("pandoc agrees with our DOCX on %d of %d", agree, len(refs))
	if agree < 98 {
		t.Errorf("agrees on %d of %d", agree, len(refs))
	}
}

// Whatever order a style has, each entry says which number its source has in the answer, or which of the references it is.
func TestEntriesKeepTheirNumbers(t *testing.T) {
	titles := []string{"Zebras", "Mice", "Apes"}
	var sources []ibid.Source
	for i, title := range titles {
		sources = append(sources, source(t, fmt.Sprintf("file:///%d.pdf", i), fmt.Sprintf(`{"type":"book","title":%q}`, title)))
	}
	a := answerOf(t, sources, fact{"One holds.", []rest{{0, "one", 0, ""}}, ibid.RAG}, fact{"Two holds.", []rest{{1, "two", 0, ""}, {0, "two", 0, ""}}, ibid.RAG}, fact{"Three holds.", []rest{{2, "three", 0, ""}}, ibid.RAG})
	var refs []ibid.Reference
	for _, s := range sources {
		refs = append(refs, export.Record(s))
	}
	for _, style := range []string{"apa", "ieee", "chicago-notes"} {
		cited, err := export.Bibliography(a, nil, styleOf(t, style), csl.Text)
		if err != nil {
			t.Fatal(err)
		}
		given, _, err := export.References(refs, styleOf(t, style), csl.Text, false)
		if err != nil {
			t.Fatal(err)
		}
		inText, _, err := export.References(refs, styleOf(t, style), csl.Text, true)
		if err != nil {
			t.Fatal(err)
		}
		for _, entries := range [][]export.Entry{cited, given} {
			if len(entries) != len(titles) {
				t.Fatalf("%s: %d entries: %v", style, len(entries), entries)
			}
			for _, e := range entries {
				if !strings.Contains(e.Text, titles[e.Number-1]) || e.Numbered() != (style == "ieee") {
					t.Errorf("%s: number %d is %q, numbered: %v", style, e.Number, e.Text, e.Numbered())
				}
			}
		}
		for i, e := range inText {
			if e.Number != i+1 {
				t.Errorf("%s: citation %d has the number %d", style, i+1, e.Number)
			}
		}
	}
}

func TestNothingCited(t *testing.T) {
	a := answerOf(t, nil, fact{"I do not know.", nil, ibid.LLM})
	for _, format := range export.Formats() {
		if _, err := export.Export(a, nil, format, export.Style{}); err != nil {
			t.Errorf("%s: %v", format, err)
		}
	}
}
