package ingest_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/ingest"
)

// zipFile packs parts, the type first and in the clear where there is one.
func zipFile(t testing.TB, mimetype string, parts map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	add := func(h *zip.FileHeader, body string) {
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = io.WriteString(w, body)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if mimetype != "" {
		add(&zip.FileHeader{Name: "mimetype", Method: zip.Store}, mimetype)
	}
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		method := zip.Deflate
		if len(parts[name]) < 4096 {
			method = zip.Store // packing costs more than all else that a test does
		}
		add(&zip.FileHeader{Name: name, Method: method}, parts[name])
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const epubContainer = `<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`

// book is an EPUB to be: its chapters in order, and the parts that differ.
type book struct {
	meta     string
	nav, ncx string
	guide    string
	chapters []string
	parts    map[string]string
}

func (k book) file(t testing.TB) []byte {
	parts := map[string]string{"META-INF/container.xml": epubContainer}
	manifest, spine := "", ""
	if k.nav != "" {
		manifest += `<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>`
		parts["OEBPS/nav.xhtml"] = `<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title/></head><body>` + k.nav + `</body></html>`
	}
	if k.ncx != "" {
		manifest += `<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>`
		parts["OEBPS/toc.ncx"] = `<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><docTitle><text>Not this</text></docTitle>` + k.ncx + `</ncx>`
	}
	for i, c := range k.chapters {
		// The spine's order is neither that of the names nor that of the manifest.
		manifest = fmt.Sprintf(`<item id="c%d" href="text/ch%%20%d.xhtml" media-type="application/xhtml+xml"/>`, i, len(k.chapters)-i) + manifest
		spine += fmt.Sprintf(`<itemref idref="c%d"/>`, i)
		parts[fmt.Sprintf("OEBPS/text/ch %d.xhtml", len(k.chapters)-i)] = `<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title/><script src="x.js"/></head><body>` + c + `</body></html>`
	}
	parts["OEBPS/content.opf"] = `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">` + k.meta +
		`</metadata><manifest>` + manifest + `</manifest><spine toc="ncx">` + spine + `</spine>` + k.guide + `</package>`
	maps.Copy(parts, k.parts)
	return zipFile(t, "application/epub+zip", parts)
}

// ch is the address of a chapter, counted from 0, in a book of n.
func ch(i, n int) string { return fmt.Sprintf("text/ch%%20%d.xhtml", n-i) }

func toc(entries string) string { return `<nav epub:type="toc"><h1>Contents</h1>` + entries + `</nav>` }

func TestEPUB(t *testing.T) {
	for _, c := range []struct {
		name          string
		book          book
		text, outline string
		has, hasNot   []string
	}{
		{name: "the order of the spine", book: book{chapters: []string{"<p>One.</p>", "<p>Two.</p>", "<p>Three.</p>"}}, text: "One.\n\nTwo.\n\nThree."},
		{name: "headings of the chapters, where there is no table of contents", book: book{chapters: []string{"<h1>A</h1><p>a</p>", "<h1>B</h1><h2>b</h2><p>x</p>"}}, text: "A\n\na\n\nB\n\nb\n\nx", outline: "1:A, 1:B, 2:b"},
		{name: "the table of contents gives the levels", book: book{chapters: []string{"<h1>Part I</h1>", "<h1>The idea</h1><p>a</p><h2>Money</h2><p>b</p>", "<p>It goes on.</p><h2>Ships</h2><p>c</p>"},
			nav: toc(`<ol><li><a href="` + ch(0, 3) + `">Part I</a><ol><li><a href="` + ch(1, 3) + `">The idea</a></li></ol></li></ol>`)},
			text: "Part I\n\nThe idea\n\na\n\nMoney\n\nb\n\nIt goes on.\n\nShips\n\nc", outline: "1:Part I, 2:The idea, 3:Money, 3:Ships"},
		{name: "a title that is no heading in the text", book: book{chapters: []string{`<p class="t">Chapter 1</p><p class="t">The Idea</p><p>It was old.</p>`, `<p>It was new.</p>`},
			ncx: `<navMap><navPoint><navLabel><text>Chapter 1: The idea</text></navLabel><content src="` + ch(0, 2) + `"/></navPoint><navPoint><navLabel><text>Chapter  2</text></navLabel><content src="` + ch(1, 2) + `"/></navPoint></navMap>`},
			text: "Chapter 1\n\nThe Idea\n\nIt was old.\n\nChapter 2\n\nIt was new.", outline: "1:Chapter 1, 1:Chapter 2"},
		{name: "sections within a part", book: book{chapters: []string{`<p>Before.</p><p id="a">First.</p><p>More.</p><p>Then <a id="b"></a>second.</p>`},
			nav: toc(`<ol><li><a href="` + ch(0, 1) + `#a">A</a></li><li><a href="` + ch(0, 1) + `#b">B</a></li></ol>`)},
			text: "Before.\n\nA\n\nFirst.\n\nMore.\n\nB\n\nThen second.", outline: "1:A, 1:B"},
		{name: "an entry without an address", book: book{chapters: []string{"<p>a</p>", "<h1>The work</h1><p>b</p>"}, nav: toc(`<ol><li><a href="` + ch(0, 2) + `">The idea</a></li><li><span>Part II</span><ol><li><a href="` + ch(1, 2) + `">Work</a></li></ol></li></ol>`)},
			text: "The idea\n\na\n\nPart II\n\nThe work\n\nb", outline: "1:The idea, 1:Part II, 2:The work"},
		{name: "the table of contents is not read twice", book: book{chapters: []string{`<h1>Contents</h1><p><a href="x">One and only</a></p><p><a href="y">Two and only</a></p>`, "<h1>One and only</h1><p>a</p>"},
			guide: `<guide><reference type="toc" href="` + ch(0, 2) + `"/></guide>`}, text: "One and only\n\na", outline: "1:One and only"},
		{name: "notes", book: book{chapters: []string{`<p>A claim.<a epub:type="noteref" href="#n1"><sup>1</sup></a> Another<sup><a href="#n2">2</a></sup>, and <a href="#x">2</a> more, 10 m<sup>2</sup>.</p><aside epub:type="footnote" id="n1" hidden=""><p>1. The proof. <a role="doc-backlink" href="#r1">↩</a></p></aside><div class="footer"><p>2. More proof.</p></div>`}},
			text: "A claim.[1] Another[2], and 2 more, 10 m2.\n\n1. The proof.\n\n2. More proof."},
		{name: "tables, lists and code", book: book{chapters: []string{`<table><tr><th>Year</th><th>Miles</th></tr><tr><td>1858</td><td>2,500</td></tr></table><ol><li>a</li><li>b<ul><li>c</li></ul></li></ol><pre>x
  y</pre>`}}, text: "Year | Miles\n1858 | 2,500\n\n1. a\n2. b\n- c\n\nx\n  y"},
		{name: "tags that close themselves", book: book{chapters: []string{`<p/><div id="x"/><p>Seen<a id="y"/> <i/>and read.</p><p><![CDATA[a < b]]></p>`}}, text: "Seen and read.\n\na < b"},
		{name: "what a page would call a menu is text in a book", book: book{chapters: []string{`<div class="sidebar"><p>A box of words.</p></div><p>` + prose + prose + prose + prose + `</p><ul><li><a href="http://a">A source of the book</a></li></ul>`}}, has: []string{"A box of words.", "- A source of the book"}},
		{name: "a cover is a picture", book: book{chapters: []string{`<img src="c.jpg" alt="Cover"/>`, "<p>Text.</p>"}, nav: toc(`<ol><li><a href="` + ch(0, 2) + `">Cover</a></li></ol>`)}, text: "Text."},
		{name: "pages of the printed book", book: book{chapters: []string{`<span epub:type="pagebreak" title="xi"/><span epub:type="pagebreak" title="1"/><h1>A</h1><p>Long is the <span role="doc-pagebreak" aria-label="2"/>way.</p>`, `<p>On.<span epub:type="pagebreak" title="3"/></p><p>Off.</p>`}},
			text: "A\n\nLong is the way.\n\nOn.\n\nOff.", outline: "p1, 1:A, p2, p3"},
		{name: "pages by a list of them", book: book{chapters: []string{`<p id="p7">Seven.</p><p>Then <a id="p8"></a>eight.</p>`}, nav: toc(`<ol><li><a href="`+ch(0, 1)+`">One</a></li></ol>`) + `<nav epub:type="page-list"><ol><li><a href="` + ch(0, 1) + `#p7">7</a></li><li><a href="` + ch(0, 1) + `#p8">8</a></li></ol></nav>`},
			text: "One\n\nSeven.\n\nThen eight.", outline: "1:One, p7, p8"},
		{name: "pages by the list of an older book", book: book{chapters: []string{`<p id="p7">Seven.</p><p>Then <a id="p8"></a>eight.</p>`}, ncx: `<navMap><navPoint><navLabel><text>One</text></navLabel><content src="` + ch(0, 1) + `"/></navPoint></navMap><pageList><navLabel><text>Pages</text></navLabel><pageTarget type="normal" value="7"><navLabel><text>7</text></navLabel><content src="` + ch(0, 1) + `#p7"/></pageTarget><pageTarget><navLabel><text>8</text></navLabel><content src="` + ch(0, 1) + `#p8"/></pageTarget></pageList>`},
			text: "One\n\nSeven.\n\nThen eight.", outline: "1:One, p7, p8"},
		{name: "a cover that the guide names is left out", book: book{chapters: []string{`<h1>A picture of a ship</h1>`, "<p>Text.</p>"}, guide: `<guide><reference type="cover" href="` + ch(0, 2) + `"/></guide>`}, text: "Text."},
		{name: "formulas", book: book{chapters: []string{`<p>So <math><semantics><mrow><mi>E</mi><mo>=</mo><mi>m</mi></mrow><annotation encoding="TeX">E = m</annotation></semantics></math> it is.</p>`}}, text: "So E=m it is."},
		{name: "fractions and powers", book: book{chapters: []string{`<p>So <math><mfrac><mi>a</mi><mrow><mi>b</mi><mi>c</mi></mrow></mfrac><mo>+</mo><msup><mi>c</mi><mn>2</mn></msup><msqrt><mi>d</mi></msqrt></math> it is.</p>`}}, text: "So a/bc+c^2√d it is."},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := c.book.file(t)
			res := mustRead(t, b, ingest.Hint{Name: "x.bin"})
			checkResult(t, res)
			if res.MediaType != ingest.EPUB {
				t.Errorf("media type %s", res.MediaType)
			}
			if c.text != "" && res.Text != c.text {
				t.Errorf("got  %q\nwant %q", res.Text, c.text)
			}
			if (c.text != "" || c.outline != "") && outlineOf(res) != c.outline {
				t.Errorf("outline %s, want %s", outlineOf(res), c.outline)
			}
			for _, h := range c.has {
				if !strings.Contains(res.Text, h) {
					t.Errorf("%q is not in %s", h, res.Text)
				}
			}
			if again := mustRead(t, b, ingest.Hint{}); again.Text != res.Text || len(again.Outline) != len(res.Outline) {
				t.Error("read twice, it differs")
			}
		})
	}
}

// The book is the one that the container names, whatever else is packed with it; where it names none that is there, the first.
func TestEPUBWhichBook(t *testing.T) {
	other := `<package><manifest><item id="a" href="b.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>`
	k := book{chapters: []string{"<p>The right one.</p>"}, parts: map[string]string{"A/a.opf": other, "A/b.xhtml": "<html><body><p>Another.</p></body></html>"}}
	if res := mustRead(t, k.file(t), ingest.Hint{}); res.Text != "The right one." {
		t.Errorf("got %q", res.Text)
	}
	k.parts["META-INF/container.xml"] = strings.ReplaceAll(epubContainer, "OEBPS/content.opf", "/gone/content.opf")
	if res := mustRead(t, k.file(t), ingest.Hint{}); res.Text != "Another." {
		t.Errorf("got %q", res.Text)
	}
	k.parts["META-INF/container.xml"] = strings.ReplaceAll(epubContainer, "OEBPS/content.opf", "./OEBPS//content.opf")
	if res := mustRead(t, k.file(t), ingest.Hint{}); res.Text != "The right one." {
		t.Errorf("got %q", res.Text)
	}
}

// Parts of older books may be HTML, and a picture may name a text to read in its place.
func TestEPUBOtherParts(t *testing.T) {
	k := book{chapters: []string{"<p>x</p>"}, parts: map[string]string{"OEBPS/content.opf": `<package><manifest><item id="a" href="a.html" media-type="text/html"/><item id="b" href="b.svg" media-type="image/svg+xml" fallback="c"/><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/>
<item id="d" href="d.svg" media-type="image/svg+xml" fallback="e"/><item id="e" href="e.svg" media-type="image/svg+xml" fallback="d"/></manifest><spine><itemref idref="a"/><itemref idref="b"/><itemref idref="d"/><itemref idref="none"/></spine></package>`,
		"OEBPS/a.html": "<p>One.<br>Two.", "OEBPS/c.xhtml": "<html><body><p>Three.</p></body></html>", "OEBPS/b.svg": "<svg><text>no</text></svg>"}}
	if res := mustRead(t, k.file(t), ingest.Hint{}); res.Text != "One.\nTwo.\n\nThree." {
		t.Errorf("got %q", res.Text)
	}
}

// A page that begins within a paragraph begins at its word, not at the paragraph.
func TestEPUBPagesOfQuotes(t *testing.T) {
	res := mustRead(t, book{chapters: []string{`<p>The first page ends here <span epub:type="pagebreak" title="2"/>and the second begins.</p><ul><li>An item <span epub:type="pagebreak" title="3"></span>on three.</li></ul>`}}.file(t), ingest.Hint{})
	for quote, page := range map[string]int{"ends here": 0, "and the second": 2, "- An item": 2, "on three": 3} {
		if got := res.Outline.Page(strings.Index(res.Text, quote)); got != page {
			t.Errorf("%q on page %d, want %d in %q", quote, got, page, res.Text)
		}
	}
}

// The brackets of notes move pages and sections along.
func TestEPUBPagesBehindNotes(t *testing.T) {
	res := mustRead(t, book{chapters: []string{`<p>It failed.<sup>1</sup> So did <span epub:type="pagebreak" title="2"/>the next<sup>2</sup><sup>,</sup><sup>3</sup> ones, and<sup>4</sup> <span epub:type="pagebreak" title="3"/>Last.</p><p id="s">End.</p>`},
		nav: toc(`<ol><li><a href="` + ch(0, 1) + `#s">The end</a></li></ol>`)}.file(t), ingest.Hint{})
	if want := "It failed.[1] So did the next[2,3] ones, and[4] Last.\n\nThe end\n\nEnd."; res.Text != want {
		t.Fatalf("got %q", res.Text)
	}
	for i, at := range []string{"the next", "Last.", "The end"} {
		if got := res.Outline[i].At; got != strings.Index(res.Text, at) {
			t.Errorf("mark %d at %q, want %q", i, res.Text[got:], at)
		}
	}
}

func TestEPUBRaisedByStyle(t *testing.T) {
	k := book{chapters: []string{`<p>The cable<span class="n">1</span> failed.</p>`}, guide: `<item id="css" href="s.css" media-type="text/css"/><item id="gone" href="gone.css" media-type="text/css"/>`, parts: map[string]string{"OEBPS/s.css": ".n { vertical-align: super }"}}
	if res := mustRead(t, k.file(t), ingest.Hint{}); res.Text != "The cable[1] failed." {
		t.Errorf("got %q", res.Text)
	}
}

// A heading that only the table of contents has begins the page that its section does.
func TestEPUBPagesOfSections(t *testing.T) {
	res := mustRead(t, book{chapters: []string{`<p>Before.</p>`, `<p id="p7">Seven.</p>`}, nav: toc(`<ol><li><a href="`+ch(1, 2)+`">One</a></li></ol>`) + `<nav epub:type="page-list"><ol><li><a href="` + ch(1, 2) + `#p7">7</a></li></ol></nav>`}.file(t), ingest.Hint{})
	checkResult(t, res)
	for quote, page := range map[string]int{"Before.": 0, "One": 7, "Seven.": 7} {
		if got := res.Outline.Page(strings.Index(res.Text, quote)); got != page {
			t.Errorf("%q on page %d, want %d in %q", quote, got, page, res.Text)
		}
	}
}

func TestEPUBReference(t *testing.T) {
	for _, c := range []struct{ name, meta, ref string }{
		{"EPUB 3", `<dc:title id="t">The Cable</dc:title><meta refines="#t" property="title-type">main</meta><dc:title id="s">A History</dc:title><meta refines="#s" property="title-type">subtitle</meta>
<dc:creator id="a">Jane van der Berg</dc:creator><meta refines="#a" property="role" scheme="marc:relators">aut</meta><meta refines="#a" property="file-as">van der Berg, Jane</meta>
<dc:contributor id="e">John Smith</dc:contributor><meta refines="#e" property="role">edt</meta><dc:creator id="r">Anna Weiß</dc:creator><meta refines="#r" property="role">trl</meta>
<dc:contributor>calibre (6.1)</dc:contributor><dc:date>2011-05-06</dc:date><meta property="dcterms:modified">2020-01-01T00:00:00Z</meta><dc:publisher>Harbour Press</dc:publisher><dc:identifier>urn:isbn:9783161484100</dc:identifier><dc:language>en-GB</dc:language>
<dc:description>&lt;p&gt;What it &lt;b&gt;was&lt;/b&gt;.&lt;/p&gt;</dc:description><meta property="belongs-to-collection" id="c">Cables</meta><meta refines="#c" property="group-position">2</meta>`,
			`{"ISBN":"9783161484100","abstract":"What it was.","author":[{"family":"Berg","given":"Jane","non-dropping-particle":"van der"}],"collection-number":"2","collection-title":"Cables","editor":[{"family":"Smith","given":"John"}],"issued":{"date-parts":[[2011,5,6]]},"language":"en-GB","publisher":"Harbour Press","title":"The Cable: A History","translator":[{"family":"Weiß","given":"Anna"}],"type":"book"}`},
		{"EPUB 2", `<dc:title>The Cable</dc:title><dc:creator opf:role="aut" opf:file-as="Field, Cyrus W.">Cyrus W. Field</dc:creator><dc:creator opf:role="ill">Ada Weiss</dc:creator><dc:contributor opf:role="bkp">calibre</dc:contributor>
<dc:date opf:event="conversion">2020-01-01</dc:date><dc:date opf:event="publication">1866-08</dc:date><dc:identifier opf:scheme="UUID">urn:uuid:1</dc:identifier><dc:identifier opf:scheme="ISBN">0-306-40615-2</dc:identifier><dc:identifier>http://www.gutenberg.org/1</dc:identifier><meta name="calibre:series" content="Cables"/><meta name="calibre:series_index" content="3.0"/>`,
			`{"ISBN":"0-306-40615-2","URL":"http://www.gutenberg.org/1","author":[{"family":"Field","given":"Cyrus W."}],"collection-number":"3","collection-title":"Cables","illustrator":[{"family":"Weiss","given":"Ada"}],"issued":{"date-parts":[[1866,8]]},"title":"The Cable","type":"book"}`},
		{"the original's date, and a language that is not known", `<dc:title>The Cable</dc:title><dc:date opf:event="original-publication">1866</dc:date><dc:date opf:event="publication">2012</dc:date><dc:date opf:event="publication">2013</dc:date><dc:language>UND</dc:language>`,
			`{"issued":{"date-parts":[[2012]]},"original-date":{"date-parts":[[1866]]},"title":"The Cable","type":"book"}`},
		{"only the original's date", `<dc:title>The Cable</dc:title><dc:date opf:event="original-publication">1866</dc:date>`, `{"issued":{"date-parts":[[1866]]},"title":"The Cable","type":"book"}`},
		{"roles by their address and by their name", `<dc:title>The Cable</dc:title><dc:creator id="a">Jane Doe</dc:creator><meta refines="#a" property="role">http://id.loc.gov/vocabulary/relators/aut</meta><dc:creator opf:role="Editor">John Smith</dc:creator><dc:creator opf:role="pht">Ada Weiss</dc:creator>`,
			`{"author":[{"family":"Doe","given":"Jane"}],"editor":[{"family":"Smith","given":"John"}],"title":"The Cable","type":"book"}`},
		{"who made it in a part without a place is its author where there is no other", `<dc:title>The Cable</dc:title><dc:creator opf:role="pht">Ada Weiss</dc:creator><dc:contributor opf:role="bkp">calibre</dc:contributor>`,
			`{"author":[{"family":"Weiss","given":"Ada"}],"title":"The Cable","type":"book"}`},
		{"DOIs in their forms", `<dc:identifier>https://doi.org/10.1000/182</dc:identifier>`, `{"DOI":"10.1000/182","title":"The heading","type":"book"}`},
		{"a DOI with its scheme", `<dc:identifier>urn:uuid:1</dc:identifier><dc:identifier>doi:10.1000/182</dc:identifier>`, `{"DOI":"10.1000/182","title":"The heading","type":"book"}`},
		{"a bare DOI", `<dc:identifier id="d">10.1000/182</dc:identifier><meta refines="#d" property="identifier-type" scheme="onix:codelist5">06</meta>`, `{"DOI":"10.1000/182","title":"The heading","type":"book"}`},
		{"an address that holds a DOI is an address", `<dc:identifier>https://shop.test/10.1000/182</dc:identifier><dc:identifier>https://other.test/</dc:identifier>`, `{"URL":"https://shop.test/10.1000/182","title":"The heading","type":"book"}`},
		{"an ISBN of ten with X", `<dc:identifier>ISBN-10: 0-8044-2957-X</dc:identifier><dc:identifier>979-10-90636-07-1</dc:identifier>`, `{"ISBN":"0-8044-2957-X","title":"The heading","type":"book"}`},
		{"an ISBN of France", `<dc:identifier>979-10-90636-07-1</dc:identifier>`, `{"ISBN":"979-10-90636-07-1","title":"The heading","type":"book"}`},
		{"an X that is not the last", `<dc:identifier>0X80442957</dc:identifier>`, `{"title":"The heading","type":"book"}`},
		{"thirteen digits of something else", `<dc:identifier>1234567890128</dc:identifier>`, `{"title":"The heading","type":"book"}`},
		{"dates that are none", `<dc:date>0101-01-01T00:00:00+00:00</dc:date><meta property="dcterms:issued">2014-02</meta>`, `{"issued":{"date-parts":[[2014,2]]},"title":"The heading","type":"book"}`},
		{"a set is no series", `<meta property="belongs-to-collection" id="c">Box</meta><meta refines="#c" property="collection-type">set</meta>`, `{"title":"The heading","type":"book"}`},
		{"an expanded title, a short one and the main one", `<dc:title id="x">The Cable: All of It, Third Edition</dc:title><meta refines="#x" property="title-type">expanded</meta><dc:title id="m">The Cable</dc:title><meta refines="#m" property="title-type">main</meta><dc:title id="k">Cable</dc:title><meta refines="#k" property="title-type">short</meta>`, `{"title":"The Cable","type":"book"}`},
		{"a name whose sorting form is another's", `<dc:title>T</dc:title><dc:creator opf:file-as="Twain, Mark">Samuel Clemens</dc:creator>`, `{"author":[{"family":"Clemens","given":"Samuel"}],"title":"T","type":"book"}`},
		{"a wrong ISBN is none", `<dc:identifier>9783161484101</dc:identifier>`, `{"title":"The heading","type":"book"}`},
		{"nothing", ``, `{"title":"The heading","type":"book"}`},
	} {
		res := mustRead(t, book{meta: c.meta, chapters: []string{"<h1>The heading</h1><p>x</p>"}}.file(t), ingest.Hint{})
		if got, _ := json.Marshal(res.Reference); string(got) != c.ref {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.ref)
		}
	}
}

func TestEPUBRefused(t *testing.T) {
	good := book{chapters: []string{"<p>" + strings.Repeat(prose, 50) + "</p>"}}
	with := func(name, body string) []byte {
		k := good
		k.parts = map[string]string{name: body}
		return k.file(t)
	}
	locked := func(uri string) string {
		return `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><EncryptedData xmlns="http://www.w3.org/2001/04/xmlenc#"><EncryptionMethod Algorithm="x"/><CipherData><CipherReference URI="` + uri + `"/></CipherData></EncryptedData></encryption>`
	}
	lockedBy := func(name string) []byte {
		k := good
		k.parts = map[string]string{"META-INF/encryption.xml": locked("OEBPS/text/ch%201.xhtml"), name: "{}"}
		return k.file(t)
	}
	zeros := strings.Repeat("\x00", 9<<20)
	laughs := `<!DOCTYPE html [<!ENTITY a "ha ha ha ha ha ha ha ha ha ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>`
	for _, c := range []struct {
		name string
		in   []byte
		why  error
		says string
	}{
		{"locked text", with("META-INF/encryption.xml", locked("OEBPS/text/ch%201.xhtml")), ingest.ErrEncrypted, "locked by DRM; only a copy without it"},
		{"locked text, by whom", lockedBy("META-INF/license.lcpl"), ingest.ErrEncrypted, "(Readium LCP)"},
		{"locked by Adobe", lockedBy("META-INF/rights.xml"), ingest.ErrEncrypted, "(Adobe)"},
		{"locked by Apple", lockedBy("META-INF/sinf.xml"), ingest.ErrEncrypted, "(Apple)"},
		{"no container", zipFile(t, "application/epub+zip", map[string]string{"x": "y"}), ingest.ErrBroken, "META-INF/container.xml names no book"},
		{"no spine", with("OEBPS/content.opf", "<package><manifest/></package>"), ingest.ErrBroken, "no order of reading"},
		{"a broken package", with("OEBPS/content.opf", "<package <<"), ingest.ErrBroken, "content.opf is not well-formed"},
		{"a bomb of zeros", with("OEBPS/text/ch 1.xhtml", "<html>"+zeros), ingest.ErrTooLarge, "zip bomb"},
		{"a bomb of a table of contents", func() []byte {
			k := good
			k.ncx, k.parts = "x", map[string]string{"OEBPS/toc.ncx": "<ncx>" + strings.Repeat("<navPoint>", 1<<20)}
			return k.file(t)
		}(), ingest.ErrTooLarge, "zip bomb"},
		{"no text", with("OEBPS/text/ch 1.xhtml", "<html><body><img src='x'/></body></html>"), ingest.ErrNoText, "the EPUB book holds no text"},
		{"a part that is no text", with("OEBPS/text/ch 1.xhtml", "\x00\x01\x02\x03\x00\x00"), ingest.ErrBroken, "is no text"},
	} {
		_, err := ingest.Read(t.Context(), c.in, ingest.Hint{Name: "x.epub"})
		if !errors.Is(err, c.why) || !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %v that says %q", c.name, err, c.why, c.says)
		}
	}
	whole := good.file(t)
	for tenth := 1; tenth < 10; tenth++ {
		if _, err := ingest.Read(t.Context(), whole[:len(whole)*tenth/10], ingest.Hint{}); !errors.Is(err, ingest.ErrTruncated) {
			t.Errorf("cut at %d0%%: %v", tenth, err)
		}
	}
	if res := mustRead(t, with("META-INF/encryption.xml", locked("OEBPS/fonts/a.otf")), ingest.Hint{}); !strings.Contains(res.Text, "Agamemnon") {
		t.Error("locked fonts lock no text")
	}
	if res := mustRead(t, with("OEBPS/text/ch 1.xhtml", laughs+"<html><body><p>Ha &c; ha</p></body></html>"), ingest.Hint{}); len(res.Text) > 100 {
		t.Errorf("entities were unfolded: %.200s", res.Text)
	}
	k := good
	k.guide = ""
	k.parts = map[string]string{"OEBPS/content.opf": `<package><manifest><item id="a" href="text/ch 1.xhtml" media-type="application/xhtml+xml"/><item id="b" href="gone.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>`}
	if res := mustRead(t, k.file(t), ingest.Hint{}); strings.Join(res.Warnings, "") != "the book has no part gone.xhtml" {
		t.Errorf("a part that is missing: %q", res.Warnings)
	}
}

func FuzzEPUB(f *testing.F) {
	f.Add(`<h1 id="a">A</h1><p>b<a epub:type="noteref" href="#c">1</a><span epub:type="pagebreak" title="3"/>c</p>`, toc(`<ol><li><a href="text/ch%201.xhtml#a">A</a><ol><li><a href="text/ch%201.xhtml">B</a></li></ol></li></ol>`), `<dc:title id="x">T</dc:title><meta refines="#x" property="title-type">main</meta>`)
	f.Add(`<p id="a">x</p><ul><li id="b">y`, `<nav epub:type="toc page-list"><a href="text/ch%201.xhtml#b">4</a><a href="text/ch%201.xhtml#a">x</a></nav></ol></ol>`, `<dc:creator opf:role="aut" opf:file-as="a, b">b a</dc:creator><dc:identifier>isbn:X</dc:identifier>`)
	f.Add(`<p>word<sup>1</sup><a id="a"/><sup>2</sup> m<sup>2<sup>3</sup></sup><a href="#b"><sup>4</sup></a><span epub:type="pagebreak" title="3"/>c<br/><sup>5</sup> x</p>`, toc(`<ol><li><a href="text/ch%201.xhtml#a">A</a></li></ol>`), "")
	f.Fuzz(func(t *testing.T, chapter, nav, meta string) {
		lawful(t, book{chapters: []string{chapter, "<p>two</p>"}, nav: nav, meta: meta}.file(t), ingest.Hint{})
		lawful(t, book{chapters: []string{chapter}, ncx: nav, meta: meta}.file(t), ingest.Hint{})
	})
}
