package ingest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/ingest"
)

func TestRefused(t *testing.T) {
	noise := make([]byte, 5000)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	cyrillic := bytes.Repeat([]byte("\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0! "), 20) // Windows-1251, which says nothing of itself
	for _, c := range []struct {
		name string
		in   []byte
		why  error
		says string
	}{
		{"empty", nil, ingest.ErrEmpty, "no bytes"},
		{"blank", []byte(" \n\t\r\n"), ingest.ErrEmpty, "blanks only"},
		{"a mark and nothing else", []byte("\xef\xbb\xbf\n"), ingest.ErrEmpty, "blanks only"},
		{"noise", noise, ingest.ErrBinary, ""},
		{"zeros", make([]byte, 1000), ingest.ErrBinary, "zeros"},
		{"one zero in text", []byte("some text\x00 and more of it"), ingest.ErrBinary, "zeros"},
		{"a picture", []byte("\x89PNG\r\n\x1a\n...."), ingest.ErrBinary, "a PNG picture"},
		{"a JPEG", []byte("\xff\xd8\xff\xe0...."), ingest.ErrBinary, "a JPEG picture"},
		{"a program", []byte("\x7fELF\x02\x01"), ingest.ErrBinary, "a program"},
		{"a GIF", []byte("GIF89a\x01\x00\x01\x00\x80\x00\x00"), ingest.ErrBinary, "a GIF picture"},
		{"a recording", []byte("ID3\x03\x00\x00\x00\x00\x00\x21TIT2"), ingest.ErrBinary, "an MP3 recording"},
		{"a recording of Ogg", []byte("OggS\x00\x02\x00\x00"), ingest.ErrBinary, "an Ogg recording"},
		{"a recording of Windows", []byte("RIFF\x24\x08\x00\x00WAVEfmt "), ingest.ErrBinary, "WAV"},
		{"a film", []byte("\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00"), ingest.ErrBinary, "a film or picture"},
		{"a bzip2 archive", []byte("BZh91AY&SY\x1d\xc1\x02\x00"), ingest.ErrBinary, "a bzip2 archive"},
		{"PostScript", []byte("%!PS-Adobe-3.0\n%%Title: x\n"), ingest.ErrBinary, "convert it to PDF"},
		{"a gzip archive", []byte("\x1f\x8b\x08..."), ingest.ErrBinary, "unpack it first"},
		{"an old Word document", []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 W o r d"), ingest.ErrBinary, "save it as DOCX"},
		{"a workbook of the binary kind", zipFile(t, "", map[string]string{"xl/workbook.bin": "x"}), ingest.ErrBinary, "save it as XLSX"},
		{"an unknown encoding", cyrillic, ingest.ErrBinary, "save the file as UTF-8"},
		{"control characters", []byte(strings.Repeat("\x01\x02a\x03", 100)), ingest.ErrBinary, "control characters"},
		{"HTML without text", []byte("<html><body><script>x()</script></body></html>"), ingest.ErrNoText, "the HTML page holds no text"},
		{"Markdown without text", []byte("---\ntitle: x\n---\n\n<!-- nothing -->\n"), ingest.ErrNoText, "the Markdown file holds no text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ingest.Read(context.Background(), c.in, ingest.Hint{})
			if !errors.Is(err, c.why) || !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want %v that says %q", err, c.why, c.says)
			}
		})
	}
}

// A text is one whatever word it begins with.
func TestWordsThatOpenOtherFiles(t *testing.T) {
	for _, in := range []string{"ID3 tags hold the title of a song.", "GIF89a is a format of pictures.", "OggS opens each page.", "BZh9 is how it begins.", "fLaC, as it is written.", "What ftyp says, and where.", "abcdftyp is no word at all."} {
		if got := mustRead(t, []byte(in), ingest.Hint{}).Text; got != in {
			t.Errorf("%q is read as %q", in, got)
		}
	}
}

func TestLimits(t *testing.T) {
	if err := (ingest.Limits{}).Check(1 << 30); !errors.Is(err, ingest.ErrTooLarge) || !errors.Is(err, ibid.ErrInvalid) ||
		err.Error() != "too large: 1.0 GB, where at most 128 MB are read" {
		t.Errorf("a gigabyte: %v", err)
	}
	if err := (ingest.Limits{}).Check(128 << 20); err != nil {
		t.Errorf("at the limit: %v", err)
	}
	small := ingest.Limits{File: 8000, Text: 1000}
	for name, in := range map[string]string{
		"text": strings.Repeat("word ", 300), "Markdown": "# A\n\n" + strings.Repeat("word ", 300), "HTML": "<p>" + strings.Repeat("word ", 300),
		"PDF":  string(pdfFile("<<>>", show(50, 700, 10, strings.Repeat("word ", 300)))),
		"EPUB": string(book{chapters: []string{"<p>" + strings.Repeat("word ", 300) + "</p>"}}.file(t)),
		"ODT":  string(odtFile(t, "<text:p>"+strings.Repeat("word ", 300)+"</text:p>", nil)),
		"RTF":  rtf(strings.Repeat("word ", 300)),
		"PPTX": string(pptxFile(t, nil, slide(shape("box", strings.Repeat("word ", 300))))),
		"XLSX": string(xlsxFile(t, nil, sheet{"S", "", xrow(1, strings.Repeat("word ", 300))})),
		"file": strings.Repeat(" ", 8001),
	} {
		if _, err := small.Read(context.Background(), []byte(in), ingest.Hint{}); !errors.Is(err, ingest.ErrTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, in := range []string{"text", "# Markdown", "<p>HTML", string(pdfFile("<<>>", show(1, 1, 9, "PDF")))} {
		if _, err := ingest.Read(ctx, []byte(in), ingest.Hint{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%.10q: %v", in, err)
		}
	}
}

// peak runs f and gives the most memory that the heap held meanwhile, in MB.
func peak(f func()) uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	done, max := make(chan bool), make(chan uint64)
	go func() {
		most := uint64(0)
		for {
			metrics.Read(sample)
			most = maxOf(most, sample[0].Value.Uint64())
			select {
			case <-done:
				max <- most
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	f()
	close(done)
	return <-max >> 20
}

func maxOf(a, b uint64) uint64 {
	if a > b {
		return a
	}
	return b
}

// TestHostileSizes: whatever these do, they end, and stay within the memory that one file may cost.
func TestHostileSizes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	rep := func(s string, mb float64) string { return strings.Repeat(s, int(mb*(1<<20))/len(s)) }
	pdfOps := func(ops string) string { return string(pdfFile("<<>>", ops)) }
	for _, c := range []struct {
		name string
		make func() string
		why  error // nil where it can be read
	}{
		{"HTML of one 50 MB line", func() string { return "<html><body><p>" + rep("word ", 50) }, ingest.ErrTooLarge},
		{"HTML of 16 MB of tags", func() string { return "<html>" + rep("<b>x</b>", 16) }, nil},
		{"HTML of 8 MB of paragraphs", func() string { return "<html>" + rep("<p>x</p>", 8) }, nil},
		{"HTML of one 40 MB tag", func() string { return "<html><p class='" + rep("x ", 40) + "'>text" }, ingest.ErrTooLarge},
		{"HTML of 200,000 nested divs", func() string { return "<html>" + rep("<div>", 1) + "deep" + rep("</div>", 1) + "<p>after</p>" }, nil},
		{"HTML of tags that are never closed", func() string { return "<html>" + rep("<b id=1><p>x", 2) }, nil},
		{"HTML of wrong ends", func() string { return "<html>" + rep("<table><td></b></p></div>x", 2) }, nil},
		{"HTML of attributes", func() string { return "<html><p " + rep("a=b ", 8) + ">text" }, nil},
		{"HTML of cells that span many", func() string { return "<html><table><tr>" + rep("<td colspan=999 rowspan=999></td>", 8) + "<td>x" }, nil},
		{"HTML of raised numbers", func() string { return "<html><p>" + rep("word<sup>1</sup><a href=#a><sup>2</sup></a>", 8) }, nil},
		{"HTML of metadata", func() string { return "<html>" + rep("<meta name=dc.title content=x>", 8) + "<p>text" }, nil},
		{"Markdown of quotes in quotes", func() string { return rep(">", 1) + " deep" }, nil},
		{"Markdown of lists in lists", func() string { return rep("- ", 1) + "deep" }, nil},
		{"Markdown of open brackets", func() string { return rep("[", 1) + "a" }, nil},
		{"Markdown of open brackets on many lines", func() string { return rep("[a\n", 0.5) }, nil},
		{"Markdown of stars", func() string { return rep("*a _b ", 1) }, nil},
		{"Markdown of backticks", func() string { return "# a\n" + rep("`a``b```", 1) }, nil},
		{"Markdown of link definitions", func() string { return rep("[a]: b\n", 2) + "[a]" }, nil},
		{"Markdown of tables", func() string { return "|a|\n|-|\n" + rep("|b|c|\n", 2) }, nil},
		{"Markdown of one wide table", func() string { return rep("|a", 0.5) + "\n" + rep("|-", 0.5) + "\n" + rep("|b", 0.5) }, nil},
		{"Markdown of nested lists, line by line", func() string {
			var b strings.Builder
			for i := range 1000 {
				fmt.Fprintf(&b, "%s- item\n", strings.Repeat("  ", i))
			}
			return b.String()
		}, nil},
		{"Markdown of entities", func() string { return "# a\n\n" + rep("&amp;\\*", 4) }, nil},
		{"Markdown of 6 MB", func() string { return rep("# Heading\n\nA paragraph of text with *some* markup in it.\n\n", 6) }, nil},
		{"text of 8 MB in one word", func() string { return rep("x", 8) }, nil},
		{"text of 8 MB of blank lines", func() string { return "a" + rep("\n \n", 8) + "b" }, nil},
		{"RTF of groups in groups", func() string { return `{\rtf1 ` + rep("{", 4) + "deep" + rep("}", 4) + " after}" }, nil},
		{"RTF of paragraphs", func() string { return `{\rtf1 ` + rep(`x\par `, 8) + "}" }, nil},
		{"RTF of one paragraph", func() string { return `{\rtf1 ` + rep("word ", 40) + "}" }, ingest.ErrTooLarge},
		{"RTF of cells", func() string { return `{\rtf1 ` + rep(`x\cell `, 8) + `\row}` }, nil},
		{"RTF of notes", func() string { return `{\rtf1 ` + rep(`x{\footnote y}`, 8) + "}" }, nil},
		{"RTF of half characters", func() string { return `{\rtf1\ansicpg932 ` + rep(`\'83e`, 8) + "}" }, nil},
		{"RTF of surrogates", func() string { return `{\rtf1 ` + rep(`\u-10179?`, 8) + "}" }, nil},
		{"RTF of styles", func() string { return `{\rtf1{\stylesheet` + rep(`{\s1\sbasedon1 a;}`, 4) + `}\s1 x\par}` }, nil},
		{"flat ODT of paragraphs in paragraphs", func() string { return flatODT(rep("<text:p>x", 2), "") }, nil},
		{"flat ODT of notes in notes", func() string { return flatODT("<text:p>"+rep("<text:note><text:p>x", 2), "") }, nil},
		{"flat ODT of lists in lists", func() string { return flatODT(rep("<text:list><text:list-item><text:p>x</text:p>", 2), "") }, nil},
		{"flat ODT of formulas", func() string { return flatODT("<text:p>"+rep("<math:math>x", 2), "") }, nil},
		{"flat ODT of one 20 MB word", func() string { return flatODT("<text:p>"+rep("x", 20), "") }, ingest.ErrTooLarge},
		{"PDF of brackets", func() string { return pdfOps(rep("[", 4) + "(x) Tj") }, ingest.ErrNoText},
		{"PDF of saved states", func() string { return pdfOps(rep("q ", 4) + show(1, 1, 9, "text")) }, nil},
		{"PDF of one letter a million times", func() string { return pdfOps("BT /F1 9 Tf " + rep("(x) Tj ", 4)) }, nil},
		{"PDF of one line of gaps", func() string { return pdfOps("BT /F1 9 Tf 1 700 Td [" + rep("(x) -2500 ", 3) + "] TJ ET") }, nil},
		{"PDF of lines of thin gaps", func() string {
			return pdfOps("BT /F1 9 Tf 12 TL 1 700 Td " + rep("["+strings.Repeat("(x) -1000 ", 60)+"] TJ T* ", 3))
		}, nil},
		{"PDF of one line of raised letters", func() string {
			return pdfOps("BT /F1 9 Tf 1 700 Td " + rep("(word) Tj /F1 6 Tf 4 Ts (1) Tj /F1 9 Tf 0 Ts ", 3))
		}, nil},
		{"PDF of Hebrew", func() string { return pdfOps("BT /F3 9 Tf 1 700 Td " + rep("(abc 12 def) Tj ", 3)) }, nil},
		{"PDF of pages without end", func() string {
			return strings.Replace(pdfOps(show(1, 1, 9, "text")), "/Kids[5 0 R ]", "/Kids["+rep("5 0 R 2 0 R ", 4)+"]", 1)
		}, nil},
		{"PDF of objects without end", func() string { return "%PDF-1.4\n" + rep("1 0 obj <<", 4) + "startxref 9 %%EOF" }, ingest.ErrBroken},
		{"PDF of strings without end", func() string { return "%PDF-1.4\n" + rep("1 0 obj (", 4) + "\nstartxref\n9\n%%EOF" }, ingest.ErrBroken},
		{"PDF with a giant table", func() string {
			return "%PDF-1.4\n1 0 obj <</Type/XRef/Size 999999999/W[8 8 8]/Index[0 999999999]/Length 3>>stream\nabc\nendstream endobj\nstartxref\n9\n%%EOF"
		}, ingest.ErrBroken},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := []byte(c.make())
			hint := ingest.Hint{}
			if strings.HasPrefix(c.name, "Markdown") {
				hint.Name = "a.md"
			}
			var res ingest.Result
			var err error
			mb := peak(func() {
				if res, err = ingest.Read(context.Background(), in, hint); err == nil {
					checkChunkCover(t, res)
				}
			})
			if mb > 512 {
				t.Errorf("held %d MB", mb)
			}
			if c.why == nil && err != nil || c.why != nil && !errors.Is(err, c.why) {
				t.Errorf("%v, want %v", err, c.why)
			}
			t.Logf("%d MB in, %d MB of text, %d MB held at most", len(in)>>20, len(res.Text)>>20, mb)
		})
	}
}

// checkChunkCover is the part of the laws that is cheap on texts of many megabytes.
func checkChunkCover(t *testing.T, res ingest.Result) {
	t.Helper()
	doc := ibid.Document{ID: "d", Text: res.Text, Outline: res.Outline}
	end := 0
	for i, c := range ingest.Chunks(doc) {
		if c.At.Span.Start < end || c.Text != c.At.Span.In(doc.Text) || strings.TrimSpace(doc.Text[end:c.At.Span.Start]) != "" {
			t.Fatalf("chunk %d at %v", i, c.At.Span)
		}
		end = c.At.Span.End
	}
	if strings.TrimSpace(doc.Text[end:]) != "" {
		t.Fatal("the end is in no chunk")
	}
}

// TestHostileCosts: few bytes that could ask for much work or memory ask for about as much as they are. What goes by the square of
// their number takes longer than the tests may.
func TestHostileCosts(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	rep := func(s string, mb float64) string { return strings.Repeat(s, int(mb*(1<<20))/len(s)) }
	noise := make([]byte, 1<<20) // so that the rest is no bomb
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	parts := func(pairs ...string) map[string]string {
		all := map[string]string{"media/noise.bin": string(noise)}
		for i := 0; i < len(pairs); i += 2 {
			all[pairs[i]] = pairs[i+1]
		}
		return all
	}
	entries := func(format string) string {
		var b strings.Builder
		for i := range 50000 {
			fmt.Fprintf(&b, "<li><a href=\""+format+"\">Entry %[2]d</a></li>", ch(0, 1), i)
		}
		return toc("<ol>" + b.String() + "</ol>")
	}
	for _, c := range []struct {
		name string
		make func() []byte
		why  error // nil where it can be read
	}{
		{"XLSX of one row that repeats a long text", func() []byte {
			return xlsxFile(t, parts("xl/sharedStrings.xml", "<sst><si><t>"+rep("w ", 0.1)+"</t></si></sst>"), sheet{"S", "", "<row>" + rep(`<c t="s"><v>0</v></c>`, 1) + "</row>"})
		}, ingest.ErrTooLarge},
		{"XLSX of one far cell", func() []byte {
			return xlsxFile(t, nil, sheet{"S", "", `<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`})
		}, nil},
		{"PPTX of a chart in depth", func() []byte {
			return pptxFile(t, parts("ppt/slides/_rels/slide1.xml.rels", relations("r2", "chart", "../charts/chart1.xml"), "ppt/charts/chart1.xml", strings.Repeat("<x>", 900)+"<ser>"+rep("<v>1</v>", 32)),
				slide(shape("title", "T"), `<p:graphicFrame><c:chart r:id="r2"/></p:graphicFrame>`))
		}, nil},
		{"DOCX of paragraphs that were joined", func() []byte {
			return docxFile(t, parts("word/document.xml", wordBody(rep(p("<w:rPr><w:del/></w:rPr>", "word "), 16))))
		}, nil},
		{"DOCX of boxes in boxes", func() []byte {
			return docxFile(t, parts("word/document.xml", wordBody(rep("<w:p><w:r><w:t>a</w:t><w:txbxContent>"+p("", "b")+"</w:txbxContent></w:r></w:p>", 16)+strings.Repeat("<w:p>", 900)+strings.Repeat("</w:p>", 900))))
		}, nil},
		{"ODT of one long note", func() []byte {
			return odtFile(t, "<text:p>a<text:note>"+rep("<text:p>one more line of it</text:p>", 40)+"</text:note></text:p>", parts())
		}, nil},
		{"ODT of a title in pieces", func() []byte {
			return odtFile(t, "<text:p>a</text:p>", parts("meta.xml", "<office:meta><dc:title>"+rep("one more word of it <!---->", 20)))
		}, nil},
		{"RTF of raw characters of two bytes", func() []byte { return []byte(`{\rtf1\ansicpg932 ` + rep("\x83e", 8) + "}") }, nil},
		{"RTF of signs in a document of such", func() []byte {
			return []byte(`{\rtf1\ansicpg932{\fonttbl{\f0\fcharset2 Symbol;}}\f0 ` + rep("a", 8) + "}")
		}, nil},
		{"EPUB of entries of one place", func() []byte {
			return book{parts: parts(), nav: entries("%s"), chapters: []string{"<p>" + rep("word ", 20) + "</p>"}}.file(t)
		}, nil},
		{"EPUB of entries and headings", func() []byte {
			var b strings.Builder
			for i := range 50000 {
				fmt.Fprintf(&b, `<h1 id="i%d">x</h1><p>b</p>`, i)
			}
			return book{parts: parts(), nav: entries("%s#i%d"), chapters: []string{rep("<h1>a</h1>", 8) + b.String()}}.file(t)
		}, nil},
		{"EPUB of pages in paragraphs", func() []byte {
			return book{parts: parts(), chapters: []string{rep("<p>"+strings.Repeat(`<span epub:type="pagebreak" title="1"/>a`, 60000)+"</p>", 12)}}.file(t)
		}, nil},
		{"PDF of one row without end", func() []byte {
			var b strings.Builder
			b.WriteString("BT /F1 9 Tf 1 0 0 1 50 0 Tm (Aaa) Tj 1 0 0 1 150 0 Tm (Bbb) Tj ")
			for i := range 100000 {
				fmt.Fprintf(&b, "1 0 0 1 150 %d Tm (bcd efg hij) Tj ", -i*10-10)
			}
			return pdfFile("<<>>", b.String()+"ET")
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := c.make()
			var err error
			mb := peak(func() { _, err = ingest.Read(context.Background(), in, ingest.Hint{}) })
			if mb > 512 {
				t.Errorf("held %d MB", mb)
			}
			if c.why == nil && err != nil || c.why != nil && !errors.Is(err, c.why) {
				t.Errorf("%v, want %v", err, c.why)
			}
		})
	}
}
