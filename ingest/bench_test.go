package ingest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/ingest"
)

// benchText is about a page of a book: a heading, paragraphs, a list.
func benchText(n int, heading, para, item func(string) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(heading(fmt.Sprintf("Part %d", i)))
		for _, p := range cableParagraphs {
			b.WriteString(para(p))
		}
		b.WriteString(item("Gutta-percha from Malaya") + item("Copper wire of seven strands"))
	}
	return b.String()
}

func BenchmarkRead(b *testing.B) {
	wrap := func(before, after string) func(string) string {
		return func(s string) string { return before + s + after }
	}
	plain := benchText(300, wrap("", "\n\n"), wrap("", "\n\n"), wrap("- ", "\n"))
	markdown := benchText(300, wrap("## ", "\n\n"), wrap("", " See *this* and [that](x.md).\n\n"), wrap("- **a** ", "\n"))
	html := "<html><body>" + benchText(300, wrap("<h2>", "</h2>"), wrap("<p>", " <b>x</b> <a href=y>z</a></p>"), wrap("<li>", "</li>"))
	docx := docxFile(b, map[string]string{"word/document.xml": wordBody(benchText(300, func(s string) string { return p(style("Heading1"), s) },
		func(s string) string { return p("", s) }, func(s string) string { return p(listed(1, 0), s) }))})
	epub := book{chapters: []string{benchText(300, wrap("<h2>", "</h2>"), wrap("<p>", " <b>x</b></p>"), wrap("<li>", "</li>"))}}.file(b)
	odt := odtFile(b, benchText(300, wrap(`<text:h text:outline-level="1">`, "</text:h>"), wrap("<text:p>", "</text:p>"), wrap("<text:list><text:list-item><text:p>", "</text:p></text:list-item></text:list>")), nil)
	rich := []byte(rtf(benchText(300, wrap(`\pard\s1 `, `\par `), wrap(`\pard {\b `, `}\par `), wrap(`{\listtext \'b7\tab}`, `\par `))))
	rows := 0
	xlsx := xlsxFile(b, nil, sheet{"S", "", benchText(300, wrap("", ""), func(s string) string { rows++; return xrow(rows, s, "12.5", "1858") }, wrap("", ""))})
	for _, c := range []struct {
		name string
		in   []byte
	}{
		{"epub", epub}, {"odt", odt}, {"rtf", rich}, {"xlsx", xlsx},
		{"text", []byte(plain)}, {"markdown", []byte(markdown)}, {"html", []byte(html)}, {"docx", docx}, {"pdf", readTestdata(b, "latex.pdf")},
	} {
		b.Run(c.name, func(b *testing.B) {
			text := 0
			for b.Loop() {
				res, err := ingest.Read(context.Background(), c.in, ingest.Hint{})
				if err != nil {
					b.Fatal(err)
				}
				text = len(res.Text)
			}
			b.SetBytes(int64(len(c.in)))
			b.ReportMetric(float64(text)*float64(b.N)/1e6/b.Elapsed().Seconds(), "text-MB/s")
		})
	}
}

func BenchmarkChunks(b *testing.B) {
	plain := benchText(300, func(s string) string { return s + "\n\n" }, func(s string) string { return s + "\n\n" }, func(s string) string { return "- " + s + "\n" })
	long := strings.ReplaceAll(plain, "\n", " ")
	for name, text := range map[string]string{"paragraphs": plain, "one paragraph": long} {
		b.Run(name, func(b *testing.B) {
			doc := ibid.Document{ID: "d", Text: text}
			for b.Loop() {
				ingest.Chunks(doc)
			}
			b.SetBytes(int64(len(text)))
		})
	}
}
