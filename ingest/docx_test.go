package ingest_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/ingest"
)

// docxFile packs parts into a document. The parts that every document has are added.
func docxFile(t testing.TB, parts map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	add := func(name, body string) {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	add("[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`)
	if _, ok := parts["_rels/.rels"]; !ok {
		add("_rels/.rels", `<Relationships><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`)
	}
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		add(name, parts[name])
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func wordBody(body string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>` + body + `</w:body></w:document>`
}

// p is a paragraph with properties and runs of text.
func p(props string, runs ...string) string {
	var b strings.Builder
	b.WriteString("<w:p><w:pPr>" + props + "</w:pPr>")
	for _, r := range runs {
		b.WriteString(`<w:r><w:t xml:space="preserve">` + r + `</w:t></w:r>`)
	}
	return b.String() + "</w:p>"
}

func flat(s string) string { return `<w:r><w:t xml:space="preserve">` + s + `</w:t></w:r>` }

func high(s string) string {
	return `<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t xml:space="preserve">` + s + `</w:t></w:r>`
}

func style(id string) string { return `<w:pStyle w:val="` + id + `"/>` }

func listed(list, level int) string {
	return fmt.Sprintf(`<w:numPr><w:ilvl w:val="%d"/><w:numId w:val="%d"/></w:numPr>`, level, list)
}

const wordStyles = `<w:styles xmlns:w="x"><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
<w:style w:styleId="Own"><w:name w:val="My Heading"/><w:basedOn w:val="berschrift1"/></w:style>
<w:style w:styleId="Lvl"><w:name w:val="Section"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>
<w:style w:styleId="Titel"><w:name w:val="Title"/></w:style><w:style w:styleId="V1"><w:name w:val="toc 1"/></w:style>
<w:style w:styleId="Ref" w:type="character"><w:name w:val="footnote reference"/><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style><w:style w:styleId="Ref2"><w:name w:val="Own"/><w:basedOn w:val="Ref"/></w:style>
<w:style w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style></w:styles>`

const wordNumbering = `<w:numbering xmlns:w="x"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>
<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="lowerLetter"/></w:lvl></w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num></w:numbering>`

func TestDOCX(t *testing.T) {
	for _, c := range []struct {
		name, body, text, outline string
		parts                     map[string]string
	}{
		{name: "runs join", body: p("", "The ca", "ble &amp; the ", "ship.") + p("", "") + p("", "Next."), text: "The cable & the ship.\n\nNext."},
		{name: "headings by style, by name, by level", body: p(style("Titel"), "The Title") + p(style("berschrift1"), "One") + p("", "text") + p(style("Own"), "Two") + p(style("Lvl"), "Three") + p(style("Loop"), "plain") + p(`<w:outlineLvl w:val="1"/>`, "Four"),
			text: "The Title\n\nOne\n\ntext\n\nTwo\n\nThree\n\nplain\n\nFour", outline: "1:The Title, 1:One, 1:Two, 3:Three, 2:Four"},
		{name: "styles without a table of styles", body: p(style("Heading2"), "Two") + p("", "text"), parts: map[string]string{"word/styles.xml": "<x/>"}, outline: "2:Two"},
		{name: "lists", body: p("", "Intro:") + p(listed(1, 0), "a") + p(listed(1, 0), "b") + p("", "And:") + p(listed(2, 0), "x") + p(listed(2, 1), "y") + p(listed(2, 1), "z") + p(listed(2, 0), "w"),
			text: "Intro:\n\n- a\n- b\n\nAnd:\n\n1. x\na. y\nb. z\n2. w"},
		{name: "numbers of lists as they are shown", body: p(listed(1, 0), "a") + p(listed(1, 1), "b") + p(listed(1, 1), "c") + p("", "And:") + p(listed(2, 0), "d") + p("", "Then:") + p(listed(3, 0), "e") + p("", "Or:") + p(listed(4, 0), "f") + p(listed(4, 0), "g"),
			parts: map[string]string{"word/numbering.xml": `<w:numbering xmlns:w="x"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1)"/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerRoman"/><w:lvlText w:val="%1.%2"/></w:lvl></w:abstractNum>
<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="5"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="(%1)"/></w:lvl></w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num><w:num w:numId="4"><w:abstractNumId w:val="1"/></w:num></w:numbering>`},
			text: "1) a\n1.i b\n1.ii c\n\nAnd:\n\n2) d\n\nThen:\n\n1) e\n\nOr:\n\n(e) f\n(f) g"},
		{name: "lists that begin with none, or anew with one", body: p(listed(1, 0), "a") + p(listed(1, 0), "b") + p("", "And:") + p(listed(2, 0), "c") + p(listed(2, 0), "d") + p("", "Then:") + p(listed(3, 0), "e") + p(listed(3, 1), "f") + p(listed(3, 0), "g") + p(listed(3, 1), "h"),
			parts: map[string]string{"word/numbering.xml": `<w:numbering xmlns:w="x"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="0"/><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum><w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="5"/><w:numFmt w:val="upperRoman"/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2"/></w:lvl></w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num></w:numbering>`},
			text: "0. a\n1. b\n\nAnd:\n\nV. c\nVI. d\n\nThen:\n\nI. e\nI.1 f\nII. g\nII.1 h"},
		{name: "letters behind z", body: strings.Repeat(p(listed(2, 1), "x"), 28), parts: map[string]string{"word/numbering.xml": wordNumbering},
			text: "a. x\nb. x\nc. x\nd. x\ne. x\nf. x\ng. x\nh. x\ni. x\nj. x\nk. x\nl. x\nm. x\nn. x\no. x\np. x\nq. x\nr. x\ns. x\nt. x\nu. x\nv. x\nw. x\nx. x\ny. x\nz. x\naa. x\nbb. x"},
		{name: "headings with numbers", body: p(style("Heading1"), "Scope") + p(style("Heading2"), "Words") + p("", "text") + p(style("Heading1"), "Terms"),
			parts: map[string]string{"word/styles.xml": `<w:styles xmlns:w="x"><w:style w:styleId="Heading1"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style><w:style w:styleId="Heading2"><w:name w:val="heading 2"/><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr></w:style></w:styles>`,
				"word/numbering.xml": `<w:numbering xmlns:w="x"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1"/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`},
			text: "1 Scope\n\n1.1 Words\n\ntext\n\n2 Terms", outline: "1:1 Scope, 2:1.1 Words, 1:2 Terms"},
		{name: "tables", body: p("", "Before") + "<w:tbl><w:tr><w:tc>" + p("", "Year") + "</w:tc><w:tc>" + p("", "Miles") + "</w:tc></w:tr><w:tr><w:tc>" + p("", "1858") + "</w:tc><w:tc>" + p("", "2,500") + p("", "nautical") + "</w:tc></w:tr></w:tbl>" + p("", "After"),
			text: "Before\n\nYear | Miles\n1858 | 2,500 nautical\n\nAfter"},
		{name: "a table in a table", body: "<w:tbl><w:tr><w:tc>" + p("", "a") + "<w:tbl><w:tr><w:tc>" + p("", "b") + "</w:tc></w:tr></w:tbl></w:tc><w:tc>" + p("", "c") + "</w:tc></w:tr></w:tbl>", text: "a b | c"},
		{name: "footnotes", body: `<w:p><w:r><w:t>A claim.</w:t></w:r><w:r><w:footnoteReference w:id="7"/></w:r></w:p>` + p("", "More."), text: "A claim.[1]\n\nMore.\n\n[1] The proof.",
			parts: map[string]string{"word/footnotes.xml": `<w:footnotes xmlns:w="x"><w:footnote w:id="0">` + p("", "separator") + `</w:footnote><w:footnote w:id="7">` + p("", " The proof.") + `</w:footnote></w:footnotes>`}},
		{name: "raised numbers of notes stand in brackets", body: "<w:p>" + flat("The cable") + high("1") + flat(" failed.") + high("12") + flat(" It cost 5 %") + high("3") + flat(" in 1858") + high("4") + flat(" and „viel“") + high("5,") + high("6") + "</w:p>" +
			`<w:p><w:r><w:t>By style</w:t></w:r><w:r><w:rPr><w:rStyle w:val="Ref2"/></w:rPr><w:t>7</w:t></w:r><w:r><w:t>, not so</w:t></w:r><w:r><w:rPr><w:rStyle w:val="Ref2"/><w:vertAlign w:val="baseline"/></w:rPr><w:t>8</w:t></w:r></w:p>` +
			"<w:tbl><w:tr><w:tc><w:p>" + high("a") + flat("Cells") + high("9") + "</w:p></w:tc></w:tr></w:tbl><w:p>" + high("1") + flat("Source: the log") + "</w:p>",
			text: "The cable[1] failed.[12] It cost 5 %[3] in 1858[4] and „viel“[5,6]\n\nBy style[7], not so8\n\naCells[9]\n\n[1] Source: the log"},
		{name: "powers and chemical signs stay", body: "<w:p>" + flat("10 m") + high("2") + flat(", 10") + high("9") + flat(", 3×1024") + high("2") + flat(", 5 feet") + high("3") + flat(", NaCl") + high("2") + flat(", the 5") + high("th") + flat(", ") + high("14") + flat("C, CO") +
			`<w:r><w:rPr><w:vertAlign w:val="subscript"/></w:rPr><w:t>2</w:t></w:r>` + flat(" rose") + `<w:r><w:rPr><w:vertAlign w:val="subscript"/></w:rPr><w:t>2</w:t></w:r></w:p>`, text: "10 m2, 10^9, 3×1024^2, 5 feet3, NaCl2, the 5th, 14C, CO2 rose2"},
		{name: "what stands before a raised number", body: "<w:p>" + flat("the sea") + high("1") + flat(", (his book)") + high("2") + flat(", (1858)") + high("3") + flat(", 日本語の文章。") + high("4") + flat(" apart ") + high("5") + flat(" or [7]") + high("8") + "</w:p>" +
			"<w:p>" + flat("s") + high("-1") + flat(", word") + high("-2") + flat(", sin") + high("2") + flat(" + cos") + high("2") + flat(", (a + b)") + high("2") + flat(", [A]") + high("2") + flat(", σ") + high("2") + flat(", MeV") + high("2") + flat(", (5 min)") + high("2") + flat(", of ") + high("1") + flat("/2") + "</w:p>",
			text: "the sea[1], (his book)[2], (1858)[3], 日本語の文章。[4] apart [5] or [7][8]\n\ns-1, word-2, sin2 + cos2, (a + b)2, [A]2, σ2, MeV2, (5 min)2, of 1/2"},
		{name: "raised numbers in a footnote", body: `<w:p><w:r><w:t>A claim.</w:t></w:r><w:r><w:footnoteReference w:id="7"/></w:r></w:p>`, text: "A claim.[1]\n\n[1] The proof.[2] On 10 m2.",
			parts: map[string]string{"word/footnotes.xml": `<w:footnotes xmlns:w="x"><w:footnote w:id="7"><w:p>` + flat("The proof.") + high("2") + flat(" On 10 m") + high("2") + flat(".") + `</w:p></w:footnote></w:footnotes>`}},
		{name: "deleted, hidden and code of fields are no text", body: `<w:p><w:r><w:t>Kept</w:t></w:r><w:del><w:r><w:delText>deleted</w:delText></w:r></w:del><w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom><w:r><w:instrText>HYPERLINK</w:instrText></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:ins><w:r><w:t> and added</w:t></w:r></w:ins></w:p>`, text: "Kept and added"},
		{name: "a hidden paragraph mark hides no text", body: `<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr><w:r><w:t>Seen</w:t></w:r></w:p>`, text: "Seen"},
		{name: "what a style once was", body: `<w:p><w:pPr><w:pPrChange><w:pPr><w:pStyle w:val="berschrift1"/></w:pPr></w:pPrChange></w:pPr><w:r><w:t>Text</w:t></w:r></w:p>`, text: "Text", outline: ""},
		{name: "a box is drawn twice and read once", body: `<w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent>` + p("", "Box") + `</w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent>` + p("", "Box") + `</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r></w:p>`, text: "Box"},
		{name: "tabs and breaks", body: `<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t></w:r></w:p>`, text: "a b\nc-d"},
		{name: "cells that span columns and rows", body: "<w:tbl><w:tr><w:tc>" + p("", "Ship") + `</w:tc><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>` + p("", "1858") + "</w:tc><w:tc>" + p("", "1866") + "</w:tc></w:tr><w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr>" + p("", "") + "</w:tc><w:tc>" + p("", "Miles") + "</w:tc><w:tc>" + p("", "Cost") + "</w:tc><w:tc>" + p("", "Miles") + `</w:tc></w:tr><w:tr><w:tc><w:tcPr><w:gridSpan w:val="4"/></w:tcPr>` + p("", "All in all") + "</w:tc></w:tr></w:tbl>",
			text: "Ship | 1858 |  | 1866\n| Miles | Cost | Miles\nAll in all"},
		{name: "a row that was deleted", body: "<w:tbl><w:tr><w:tc>" + p("", "Kept") + "</w:tc></w:tr><w:tr><w:trPr><w:del/></w:trPr><w:tc>" + p("", "Gone") + "</w:tc></w:tr></w:tbl>", text: "Kept"},
		{name: "paragraphs that were joined", body: p(`<w:rPr><w:del/></w:rPr>`, "He said ") + p("", "so.") + p(`<w:rPr><w:del/></w:rPr>`, "The end."), text: "He said so.\n\nThe end."},
		{name: "a box within a sentence comes behind it", body: `<w:p><w:r><w:t>The cable </w:t></w:r><w:r><w:txbxContent>` + p("", "Box one.") + p(listed(1, 0), "Box two.") + `</w:txbxContent></w:r><w:r><w:t>failed.</w:t></w:r></w:p>` + p("", "Next."), text: "The cable failed.\n\nBox one.\n\n- Box two.\n\nNext."},
		{name: "a note of deleted text", body: `<w:p><w:r><w:t>Kept.</w:t></w:r><w:del><w:r><w:footnoteReference w:id="7"/></w:r></w:del></w:p>`, text: "Kept.", parts: map[string]string{"word/footnotes.xml": `<w:footnotes xmlns:w="x"><w:footnote w:id="7">` + p("", "Gone.") + `</w:footnote></w:footnotes>`}},
		{name: "signs and readings", body: `<w:p><w:r><w:sym w:font="Symbol" w:char="F061"/><w:sym w:font="Wingdings" w:char="F0A7"/><w:t> of </w:t><w:ruby><w:rt><w:r><w:t>かん</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p>`, text: "α• of 漢"},
		{name: "formulas", body: `<w:p><m:oMath><m:r><m:t>f</m:t></m:r><m:d><m:e><m:r><m:t>x</m:t></m:r></m:e></m:d><m:r><m:t>=</m:t></m:r><m:sSup><m:e><m:r><m:t>c</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup><m:r><m:t>+</m:t></m:r><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f><m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e><m:r><m:t>y</m:t></m:r></m:e></m:d></m:oMath></w:p>`, text: "f(x)=c^2+a/b[y]"},
		{name: "the table of contents is left out", body: p(style("V1"), "One ..... 3") + p("", "Text"), text: "Text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			parts := map[string]string{"word/document.xml": wordBody(c.body), "word/styles.xml": wordStyles, "word/numbering.xml": wordNumbering}
			for k, v := range c.parts {
				parts[k] = v
			}
			res, err := ingest.Read(context.Background(), docxFile(t, parts), ingest.Hint{Name: "x.bin"})
			if err != nil {
				t.Fatal(err)
			}
			checkResult(t, res)
			if res.MediaType != ingest.DOCX {
				t.Errorf("media type %s", res.MediaType)
			}
			if c.text != "" && res.Text != c.text {
				t.Errorf("got  %q\nwant %q", res.Text, c.text)
			}
			if outlineOf(res) != c.outline {
				t.Errorf("outline %s, want %s", outlineOf(res), c.outline)
			}
		})
	}
}

func TestDOCXReference(t *testing.T) {
	for _, c := range []struct{ name, core, ref string }{
		{"core properties", `<cp:coreProperties><dc:title>The Cable</dc:title><dc:creator>Jane Doe; Smith, John</dc:creator><dcterms:created>2021-03-04T05:06:07Z</dcterms:created><dc:language>en-GB</dc:language></cp:coreProperties>`,
			`{"author":[{"family":"Doe","given":"Jane"},{"family":"Smith","given":"John"}],"issued":{"date-parts":[[2021,3,4]]},"language":"en-GB","title":"The Cable","type":"document"}`},
		{"what programs fill in is nothing", `<cp:coreProperties><dc:title>Document1</dc:title><dc:creator>python-docx</dc:creator><dc:description>generated by python-docx</dc:description><dcterms:created>2013-12-23T23:15:00Z</dcterms:created></cp:coreProperties>`,
			`{"title":"The heading","type":"document"}`},
		{"broken properties are nothing", `<cp:coreProperties><dc:title>x`, `{"title":"The heading","type":"document"}`},
	} {
		b := docxFile(t, map[string]string{"word/document.xml": wordBody(p(style("Heading1"), "The heading") + p("", "text")), "docProps/core.xml": c.core})
		res, err := ingest.Read(context.Background(), b, ingest.Hint{})
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := json.Marshal(res.Reference); string(got) != c.ref {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.ref)
		}
	}
}

func TestDOCXRefused(t *testing.T) {
	good := docxFile(t, map[string]string{"word/document.xml": wordBody(p("", strings.Repeat(prose, 50)))})
	zeros := strings.Repeat("\x00", 9<<20)
	var many bytes.Buffer
	z := zip.NewWriter(&many)
	for i := range 21000 {
		if _, err := z.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("word/document%d", i), Method: zip.Store}); err != nil {
			t.Fatal(err)
		}
	}
	z.Close()
	encrypted := bytes.Clone(good)
	for i := 0; ; {
		at := bytes.Index(encrypted[i:], []byte("PK\x01\x02"))
		if at < 0 {
			break
		}
		encrypted[i+at+8] |= 1
		i += at + 4
	}
	for _, c := range []struct {
		name string
		in   []byte
		why  error
		says string
	}{
		{"a bomb of zeros", docxFile(t, map[string]string{"word/document.xml": wordBody(zeros)}), ingest.ErrTooLarge, "zip bomb"},
		{"a bomb of tags", docxFile(t, map[string]string{"word/document.xml": wordBody(strings.Repeat("<w:p/>", 3<<19))}), ingest.ErrTooLarge, "zip bomb"},
		{"a bomb beside the text", docxFile(t, map[string]string{"word/document.xml": wordBody(p("", "x")), "word/styles.xml": zeros}), ingest.ErrTooLarge, "word/styles.xml"},
		{"too many parts", many.Bytes(), ingest.ErrTooLarge, "21000 parts"},
		{"no main part", docxFile(t, map[string]string{"word/documents.xml": "x"}), ingest.ErrBroken, "word/document.xml"},
		{"not XML", docxFile(t, map[string]string{"word/document.xml": "<w:p <<<"}), ingest.ErrBroken, "word/document.xml"},
		{"no text", docxFile(t, map[string]string{"word/document.xml": wordBody("<w:p/>")}), ingest.ErrNoText, "holds no text"},
		{"with a password in the archive", encrypted, ingest.ErrEncrypted, "encrypted"},
		{"with a password of Word", []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1.....E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00"), ingest.ErrEncrypted, "needs a password"},
	} {
		_, err := ingest.Read(context.Background(), c.in, ingest.Hint{Name: "x.docx"})
		if !errors.Is(err, c.why) || !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %v that says %q", c.name, err, c.why, c.says)
		}
	}
	// Not packed tightly enough to be a bomb, and still more than is read.
	var numbers strings.Builder
	for i := range 1 << 18 {
		fmt.Fprintf(&numbers, "<w:x%d/>", i*7919%1000003)
	}
	_, err := ingest.Limits{Text: 1 << 18}.Read(context.Background(), docxFile(t, map[string]string{"word/document.xml": wordBody(numbers.String())}), ingest.Hint{})
	if !errors.Is(err, ingest.ErrTooLarge) || !strings.Contains(err.Error(), "unpack to more than 2 MB") {
		t.Errorf("parts beyond the purse: %v", err)
	}
	for tenth := 1; tenth < 10; tenth++ {
		_, err := ingest.Read(context.Background(), good[:len(good)*tenth/10], ingest.Hint{})
		if err == nil || !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("cut at %d0%%: %v", tenth, err)
		}
	}
}
