package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/ingest"
)

// lawful reads bytes and holds what comes of them against the laws: an error says that the input is at fault, and a
// result is valid text with an outline in order and chunks that cover it.
func lawful(t *testing.T, b []byte, h ingest.Hint) {
	t.Helper()
	res, err := ingest.Limits{Text: 1 << 20}.Read(context.Background(), b, h)
	if err != nil {
		if !errors.Is(err, ibid.ErrInvalid) {
			t.Fatalf("an error that is not the input's: %v", err)
		}
		if strings.Contains(err.Error(), "cannot be read (") {
			t.Fatalf("a reader panicked: %v", err)
		}
		return
	}
	checkResult(t, res)
	if strings.TrimSpace(res.Text) == "" {
		t.Fatal("no text and no error")
	}
	switch res.MediaType {
	case ingest.DOCX, ingest.PPTX, ingest.ODT, ingest.FlatODT, ingest.RTF:
		if strings.ContainsAny(res.Text, "\x01\x02") {
			t.Fatalf("a mark of the reader's own is left: %q", res.Text)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"text", "# A\n\n[b](c)", "<p>a<b>c", "\xff\xfea\x00", "a\fb\r\nc", "Caf\xe9", "PK\x03\x04word/document", "%PDF-1.4", "---\na: b\n---\nc"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) { lawful(t, b, ingest.Hint{}) })
}

func FuzzMarkdown(f *testing.F) {
	for _, s := range []string{
		"---\ntitle: x\nauthor: [a, 'b']\n---\n# H\n\ntext", "+++\nt = 1\n+++\n", "- a\n  1. b\n\n> c\n", "|a|b|\n|-|-|\n|c|d|", "[^1]\n\n[^1]: n",
		"```\ncode", "<div>\n\n**x**\n</div>", "a\\\nb  \nc", "# &amp; \\# `x`", "t\n: d", "![a](b \"c\")<http://d>", "- [x] a",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) { lawful(t, b, ingest.Hint{Name: "a.md"}) })
}

func FuzzHTML(f *testing.F) {
	f.Add([]byte(newsPage))
	for _, s := range []string{
		"<table><tr><td>a<th>b<table><tr><td>c", "<ul><li>a<ol><li>b</ul>c", "<pre> a\n<p>b</pre>", "<q>a<q>b", "<p><br>a<br><br>", "<svg/><p>a", "<a href=x>b<p>c</a>d",
		"<title>a</title><meta name=citation_author content='b, c'>", `<script type="application/ld+json">{"@graph":[{"@type":"Book","author":[[1],{"name":2}]}]}</script>x`, "<h1><h2>a", "<p>word<sup>1<sup>2</sup><a href=#b><sup>3</a>10<sup>4", "<li>a", "<td>a", "</p>a", "&#0;&#xd800;&nbsp;a",
	} {
		f.Add([]byte("<html>" + s))
	}
	f.Fuzz(func(t *testing.T, b []byte) { lawful(t, b, ingest.Hint{Name: "a.html"}) })
}

func FuzzDOCX(f *testing.F) {
	f.Add(p("", "a")+p(listed(2, 1), "b")+"<w:tbl><w:tr><w:tc>"+p("", "c")+"</w:tc></w:tr></w:tbl>", wordStyles, wordNumbering, "<w:footnotes/>")
	f.Add(`<w:p><w:r><w:footnoteReference w:id="1"/><w:t>x</w:t></w:r></w:p></w:tc></w:tbl>`, "<w:style w:styleId='a'><w:basedOn w:val='a'/>", "<w:lvl w:ilvl='99'><w:numFmt/>", `<w:footnote w:id="1"><w:t>n`)
	f.Add("<w:p>"+flat("a word")+high("1")+flat(".")+high("2,")+"</w:p>", wordStyles, wordNumbering, `<w:footnote w:id="1">`+high("2"))
	f.Add(p("<w:rPr><w:del/></w:rPr>", "a")+`<w:p><w:r><w:t>b</w:t><w:txbxContent>`+p("", "c")+`<w:tbl><w:tr><w:trPr><w:del/></w:trPr><w:tc><w:tcPr><w:gridSpan w:val="3"/></w:tcPr>`+p("", "d")+`</w:tc></w:tr></w:tbl></w:txbxContent></w:r></w:p>`, `<m:d><m:e>`, "", "")
	f.Fuzz(func(t *testing.T, body, styles, numbering, notes string) {
		lawful(t, docxFile(t, map[string]string{"word/document.xml": wordBody(body), "word/styles.xml": styles, "word/numbering.xml": numbering,
			"word/footnotes.xml": notes, "docProps/core.xml": styles}), ingest.Hint{})
	})
}

func FuzzPDF(f *testing.F) {
	f.Add(pdfFile("<</Title(x)/CreationDate(D:2020)>>", show(50, 700, 10, "Some text", "of two lines."), show(50, 700, 10, "more")))
	f.Add([]byte("%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Kids[3 0 R]>>endobj 3 0 obj<</Type/Page/Resources<</Font<</F<</Encoding<</Differences[65/eacute/f_i/a67]>>>>>>>>/Contents 4 0 R>>endobj 4 0 obj<<>>stream\nBT/F 9 Tf(ABC)Tj ET\nendstream endobj trailer<</Root 1 0 R>>startxref 0 %%EOF"))
	f.Add([]byte("%PDF-1.5\n1 0 obj<</Type/XRef/W[1 2 1]/Size 3/Root 2 0 R/Filter/ASCIIHexDecode>>stream\n01 0009 00>endstream endobj\nstartxref 9 %%EOF"))
	f.Fuzz(func(t *testing.T, b []byte) { lawful(t, b, ingest.Hint{}) })
}

// FuzzPDFContent goes straight for what draws a page, a font's map and the filters.
func FuzzPDFContent(f *testing.F) {
	f.Add("BT /F1 9 Tf 10 20 Td (a) Tj T* [(b) -400 <63>] TJ (d) ' 1 2 (e) \" ET", "<00> <ff> begincodespacerange", "FlateDecode")
	f.Add("q 0 1 -1 0 9 9 cm BT /F1 9 Tf (a) Tj ET Q /Span <</ActualText(x)>> BDC BT (b) Tj ET EMC BI ID x EI", "1 beginbfrange <61> <63> <0041> endbfrange", "LZWDecode")
	f.Add("80 0B 60 50 22 0C 0C 85 01", "beginbfchar <61> /eacute endbfchar", "ASCIIHexDecode")
	f.Add("BT /F1 9 Tf 10 20 Td (word) Tj /F1 6 Tf 4 Ts (1) Tj 0 Ts /F3 9 Tf (abh 12) Tj T* [(b) -1000 (c) -2500 (d)] TJ T* [(b) -1000 (c) -2500 (d)] TJ ET", "", "")
	f.Add("9jqo^~>", "", "ASCII85Decode")
	f.Add("BT/ 0 Tf (AAA)Tj/F3 1 Tc(abh2)Tj T*[(b)-1000(cd)]TJ T*[(bd)]TJ", "", "") // text without a size
	f.Add("\x02abc\xfed\x80", "", "RunLengthDecode")
	f.Fuzz(func(t *testing.T, content, cmap, filter string) {
		lawful(t, pdfFile("<<>>", content), ingest.Hint{})
		b := string(pdfFile("<<>>", content, cmap))
		b = strings.Replace(b, "/Encoding/WinAnsiEncoding", "/ToUnicode 8 0 R", 1)
		b = strings.Replace(b, "<</Length", "<</Filter/"+filter+"/Length", 1)
		lawful(t, []byte(b), ingest.Hint{})
	})
}

// FuzzFormats: the same words come out of every format that they are put into, in their order, and with nothing beside them.
func FuzzFormats(f *testing.F) {
	f.Add("The cable failed.\nNobody knew why, or when.")
	f.Add("Größe, naïveté 𐐷 Ж 漢字\nالكابل\n한국어 ﬁ 1858")
	f.Add("a\u0301 e\u200d\u00ad x\u00a0y")
	f.Fuzz(func(t *testing.T, s string) {
		var paras []string
		for line := range strings.Lines(s) {
			words := strings.FieldsFunc(line, func(r rune) bool {
				return r == utf8.RuneError || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune(",.;", r)
			})
			paras = append(paras, strings.Join(append([]string{"Cable"}, append(words, "end")...), " "))
		}
		if len(paras) == 0 || len(paras) > 20 {
			return
		}
		each := func(before, after string) (out string) { return before + strings.Join(paras, after+before) + after }
		escaped := func() string {
			var b strings.Builder
			for _, r := range each("", `\par `) {
				if r < utf8.RuneSelf {
					b.WriteRune(r)
					continue
				}
				for _, u := range utf16.Encode([]rune{r}) {
					fmt.Fprintf(&b, `\u%d?`, int16(u))
				}
			}
			return b.String()
		}
		word, slides := "", []string(nil)
		for _, s := range paras {
			word, slides = word+p("", s), append(slides, slide(shape("title", s)))
		}
		want := strings.Fields(each("", "\n\n"))
		for name, b := range map[string][]byte{
			"a.txt":  []byte(each("", "\n\n")),
			"a.md":   []byte(each("", "\n\n")),
			"a.html": []byte("<!doctype html><meta charset=utf-8><body>" + each("<p>", "</p>")),
			"a.docx": docxFile(t, map[string]string{"word/document.xml": wordBody(word)}),
			"a.odt":  odtFile(t, each("<text:p>", "</text:p>"), nil),
			"a.fodt": []byte(flatODT(each("<text:p>", "</text:p>"), "")),
			"a.rtf":  []byte(rtf(escaped())),
			"a.pptx": pptxFile(t, nil, slides...),
			"a.epub": book{chapters: []string{each("<p>", "</p>")}}.file(t),
			"a.eml":  []byte("From: a@b.c\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n" + each("", "\n\n")),
		} {
			res, err := ingest.Read(context.Background(), b, ingest.Hint{Name: name})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			checkResult(t, res)
			got := strings.Fields(res.Text)
			if name == "a.eml" { // behind who wrote it
				got = got[max(0, len(got)-len(want)):]
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%s, taken for %s, of %q holds %q", name, res.MediaType, want, got)
			}
		}
	})
}
