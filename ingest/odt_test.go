package ingest_test

import (
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/ingest"
)

const odtSpaces = ` xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="x" xmlns:draw="y" xmlns:dc="z" xmlns:meta="m" xmlns:style="s"`

const odtStyles = `<office:styles><style:style style:name="Title" style:family="paragraph"/><style:style style:name="Own" style:display-name="My heading" style:default-outline-level="3"/></office:styles>`

const odtAutomatic = `<office:automatic-styles><style:style style:name="P1" style:parent-style-name="Title"/><style:style style:name="P2" style:parent-style-name="P2"/><style:style style:name="T1" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style><style:style style:name="T2" style:parent-style-name="T1"/><style:style style:name="T3"><style:text-properties style:text-position="33% 58%"/></style:style><style:style style:name="T4"><style:text-properties style:text-position="sub 58%"/></style:style><style:style style:name="T9"><style:text-properties text:display="none"/></style:style>
<text:list-style style:name="L1"><text:list-level-style-bullet text:level="1"/><text:list-level-style-number text:level="2" style:num-format="a"/></text:list-style>
<text:list-style style:name="L2"><text:list-level-style-number text:level="1" style:num-format="1"/></text:list-style><text:list-style style:name="L3"><text:list-level-style-number text:level="1" style:num-format="I" text:start-value="4"/></text:list-style></office:automatic-styles>`

func odtBody(body string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><office:document-content` + odtSpaces + `>` + odtAutomatic + `<office:body><office:text>` + body + `</office:text></office:body></office:document-content>`
}

func odtFile(t testing.TB, body string, parts map[string]string) []byte {
	all := map[string]string{"content.xml": odtBody(body), "styles.xml": `<office:document-styles` + odtSpaces + `>` + odtStyles + `</office:document-styles>`, "META-INF/manifest.xml": "<manifest:manifest/>"}
	maps.Copy(all, parts)
	return zipFile(t, ingest.ODT, all)
}

func flatODT(body, meta string) string {
	return `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<office:document` + odtSpaces + ` office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text">` + meta + odtStyles + odtAutomatic +
		`<office:body><office:text>` + body + `</office:text></office:body>` + "\n</office:document>\n"
}

func spanned(style, s string) string {
	return `<text:span text:style-name="` + style + `">` + s + `</text:span>`
}

func item(s string) string { return "<text:list-item><text:p>" + s + "</text:p></text:list-item>" }

func TestODT(t *testing.T) {
	const table = `<table:table><table:table-column/><table:table-header-rows><table:table-row><table:table-cell><text:p>Year</text:p></table:table-cell><table:table-cell><text:p>Miles</text:p></table:table-cell></table:table-row></table:table-header-rows>
<table:table-row><table:table-cell><text:p>1858</text:p></table:table-cell><table:table-cell><text:p>2,500</text:p><text:p>nautical</text:p></table:table-cell></table:table-row></table:table>`
	for _, c := range []struct{ name, body, text, outline string }{
		{name: "spans join", body: "<text:p>The ca<text:span>ble &amp; the</text:span>\n   ship.</text:p><text:p/><text:p>Next.</text:p>", text: "The cable & the ship.\n\nNext."},
		{name: "headings", body: `<text:p text:style-name="P1">The Title</text:p><text:h text:outline-level="1">One</text:h><text:p>text</text:p><text:p text:style-name="Own">Three</text:p><text:p text:style-name="P2">plain</text:p><text:h><text:number>2.</text:number>Two</text:h>`,
			text: "The Title\n\nOne\n\ntext\n\nThree\n\nplain\n\nTwo", outline: "1:The Title, 1:One, 3:Three, 1:Two"},
		{name: "lists", body: `<text:p>Intro:</text:p><text:list text:style-name="L1">` + item("a") + `<text:list-item><text:p>b</text:p><text:list>` + item("x") + item("y") + `</text:list></text:list-item></text:list><text:list text:style-name="L2">` + item("p") + item("q") + `</text:list><text:p>More:</text:p><text:list text:style-name="L2" text:continue-numbering="true">` + item("r") + `</text:list><text:list text:style-name="L3">` + item("s") + `</text:list>`,
			text: "Intro:\n\n- a\n- b\na. x\nb. y\n\n1. p\n2. q\n\nMore:\n\n3. r\n\nIV. s"},
		{name: "items that say their number", body: `<text:list text:style-name="L2">` + item("a") + strings.Replace(item("b"), "<text:list-item", `<text:list-item text:start-value="7"`, 1) + item("c") + strings.Replace(item("d"), "<text:list-item", `<text:list-item text:start-value="0"`, 1) + item("e") + `</text:list>`,
			text: "1. a\n7. b\n8. c\n0. d\n1. e"},
		{name: "a heading in a list is a heading", body: `<text:list text:style-name="L2"><text:list-item><text:h text:outline-level="2">Part</text:h></text:list-item></text:list>`, text: "Part", outline: "2:Part"},
		{name: "tables", body: `<text:p>Before</text:p>` + table + `<text:p>After</text:p>`, text: "Before\n\nYear | Miles\n1858 | 2,500 nautical\n\nAfter"},
		{name: "a list in a cell", body: `<table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:list>` + item("b") + item("c") + `</text:list></table:table-cell></table:table-row></table:table>`, text: "a\nb c"},
		{name: "a table in a table", body: `<table:table><table:table-row><table:table-cell><text:p>a</text:p><table:table><table:table-row><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table></table:table-cell><table:covered-table-cell/><table:table-cell><text:p>c</text:p></table:table-cell></table:table-row></table:table>`, text: "a b |  | c"},
		{name: "notes", body: `<text:p>A claim<text:note text:note-class="footnote">` + "\n  " + `<text:note-citation>7</text:note-citation>` + "\n  " + `<text:note-body><text:p>The <text:span>proof</text:span>.</text:p><text:p>More of it.</text:p></text:note-body></text:note>, and another<text:note text:note-class="endnote"><text:note-citation>i</text:note-citation><text:note-body><text:p>End.</text:p></text:note-body></text:note>.</text:p><text:p>Text.</text:p>`,
			text: "A claim[1], and another[2].\n\nText.\n\n[1] The proof. More of it.\n[2] End."},
		{name: "raised numbers of notes stand in brackets, powers and chemical signs stay", body: `<text:p>The cable` + spanned("T1", "1") + ` failed.` + spanned("T2", "12") + ` In 1858` + spanned("T3", "3") + ` on 10 m` + spanned("T1", "2") + ` or 10` + spanned("T1", "9") + `, CO` + spanned("T4", "2") + ` on the 5` + spanned("T1", "th") + `.<text:note><text:note-body><text:p>The log.` + spanned("T1", "4") + `</text:p></text:note-body></text:note><draw:frame><draw:text-box><text:p>In a box.` + spanned("T1", "5") + `</text:p></draw:text-box></draw:frame></text:p>`,
			text: "The cable[1] failed.[12] In 1858[3] on 10 m2 or 10^9, CO2 on the 5th.[1]\n\nIn a box.[5]\n\n[1] The log.[4]"},
		{name: "deleted, hidden and remarks are no text", body: `<text:tracked-changes><text:changed-region text:id="c1"><text:deletion><office:change-info><dc:creator>A</dc:creator></office:change-info><text:p>deleted</text:p></text:deletion></text:changed-region></text:tracked-changes>
<text:p>Kept<text:change text:change-id="c1"/><text:change-start text:change-id="c2"/> and added<text:change-end text:change-id="c2"/><office:annotation><dc:creator>A</dc:creator><text:p>a remark</text:p></office:annotation><text:span text:style-name="T9">hidden <text:span>twice</text:span></text:span>.</text:p><text:section text:display="none"><text:p>gone</text:p><text:section><text:p>gone too</text:p></text:section></text:section><text:p text:style-name="T9">hidden</text:p><text:p>End.</text:p>`,
			text: "Kept and added.\n\nEnd."},
		{name: "frames come behind their paragraph", body: "<text:p>The ca<draw:frame>\n <draw:text-box>\n <text:p>In a box.</text:p>\n </draw:text-box><svg:title>no</svg:title></draw:frame>ble.</text:p><text:p>Next.</text:p>", text: "The cable.\n\nIn a box.\n\nNext."},
		{name: "tabs, breaks and spaces", body: `<text:p>a<text:tab/>b<text:line-break/>c<text:s text:c="3"/>d</text:p>`, text: "a b\nc d"},
		{name: "the table of contents is left out, the bibliography is not", body: `<text:table-of-content><text:table-of-content-source><text:index-title-template>T</text:index-title-template></text:table-of-content-source><text:index-body><text:p>One ... 3</text:p></text:index-body></text:table-of-content><text:bibliography><text:bibliography-source><text:index-title-template>T</text:index-title-template></text:bibliography-source><text:index-body><text:p>Field 1858.</text:p></text:index-body></text:bibliography>`, text: "Field 1858."},
		{name: "fractions and powers of a formula", body: "<text:p>So <draw:frame><draw:object><math:math><math:mrow><math:mfrac><math:mi>a</math:mi><math:mi>b</math:mi></math:mfrac><math:msup><math:mi>c</math:mi><math:mn>2</math:mn></math:msup></math:mrow></math:math></draw:object></draw:frame>.</text:p>", text: "So a/bc^2."},
		{name: "a formula", body: "<text:p>So <draw:frame><draw:object>\n<math:math>\n<math:mi>E</math:mi> <math:mo>=</math:mo><math:mi>m</math:mi><math:annotation>E = m</math:annotation></math:math></draw:object></draw:frame>.</text:p>", text: "So E=m."},
	} {
		t.Run(c.name, func(t *testing.T) {
			for kind, b := range map[string][]byte{ingest.ODT: odtFile(t, c.body, nil), ingest.FlatODT: []byte(flatODT(c.body, ""))} {
				res := mustRead(t, b, ingest.Hint{Name: "x.bin"})
				checkResult(t, res)
				if res.MediaType != kind {
					t.Errorf("media type %s", res.MediaType)
				}
				if res.Text != c.text || outlineOf(res) != c.outline {
					t.Errorf("%s\ngot  %q\nwant %q\noutline %s, want %s", kind, res.Text, c.text, outlineOf(res), c.outline)
				}
			}
		})
	}
}

func TestODTFormulaOfItsOwn(t *testing.T) {
	res := mustRead(t, odtFile(t, `<text:p>So <draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>, and <draw:frame><draw:object xlink:href="./Object 2"/></draw:frame>no table.</text:p>`, map[string]string{
		"Object 1/content.xml": `<math><mi>E</mi><mo>=</mo><mi>m</mi><annotation>x</annotation></math>`, "Object 2/content.xml": odtBody("<text:p>no</text:p>")}), ingest.Hint{})
	if res.Text != "So E=m, and no table." {
		t.Errorf("%q", res.Text)
	}
}

// A part is shown as often as the text says; what that makes too long is refused.
func TestODTLosesNoFormulas(t *testing.T) {
	const n = 6000
	b := odtFile(t, "<text:p>So "+strings.Repeat(`<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame> `, n)+".</text:p>", map[string]string{"Object 1/content.xml": `<math><mi>E</mi><mo>=</mo><mi>m</mi></math>`})
	if res := mustRead(t, b, ingest.Hint{}); strings.Count(res.Text, "E=m") != n {
		t.Errorf("%d of %d formulas", strings.Count(res.Text, "E=m"), n)
	}
	if _, err := (ingest.Limits{Text: 10_000}).Read(t.Context(), b, ingest.Hint{}); !errors.Is(err, ingest.ErrTooLarge) {
		t.Errorf("more than is allowed: %v", err)
	}
}

func TestODTReference(t *testing.T) {
	const meta = `<office:meta><dc:title>The Cable</dc:title><meta:initial-creator>Jane Doe</meta:initial-creator><dc:creator>Last Editor</dc:creator><meta:creation-date>2021-03-04T05:06:07</meta:creation-date><dc:date>2023-01-01T00:00:00</dc:date><dc:language>en-GB</dc:language><meta:user-defined meta:name="x">y</meta:user-defined></office:meta>`
	const want = `{"author":[{"family":"Doe","given":"Jane"}],"issued":{"date-parts":[[2021,3,4]]},"language":"en-GB","title":"The Cable","type":"document"}`
	const body = "<text:h text:outline-level=\"1\">The heading</text:h><text:p>text</text:p>"
	for name, b := range map[string][]byte{"packed": odtFile(t, body, map[string]string{"meta.xml": "<office:document-meta" + odtSpaces + ">" + meta + "</office:document-meta>"}), "flat": []byte(flatODT(body, meta))} {
		if got, _ := json.Marshal(mustRead(t, b, ingest.Hint{}).Reference); string(got) != want {
			t.Errorf("%s: %s\nwant %s", name, got, want)
		}
	}
	if got, _ := json.Marshal(mustRead(t, odtFile(t, body, nil), ingest.Hint{}).Reference); string(got) != `{"title":"The heading","type":"document"}` {
		t.Errorf("without metadata: %s", got)
	}
}

func TestODTRefused(t *testing.T) {
	good := odtFile(t, "<text:p>"+strings.Repeat(prose, 50)+"</text:p>", nil)
	flat := flatODT("<text:p>"+strings.Repeat(prose, 50)+"</text:p>", "")
	for _, c := range []struct {
		name string
		in   []byte
		why  error
		says string
	}{
		{"with a password", odtFile(t, "x", map[string]string{"META-INF/manifest.xml": `<manifest:manifest><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>`, "content.xml": "\x12\x00\x99"}), ingest.ErrEncrypted, "needs a password; save it without one"},
		{"with a password, the new way", zipFile(t, ingest.ODT, map[string]string{"encrypted-package": "x", "META-INF/manifest.xml": "<x/>"}), ingest.ErrEncrypted, "needs a password"},
		{"a bomb", odtFile(t, strings.Repeat("<text:p/>", 1<<20), nil), ingest.ErrTooLarge, "zip bomb"},
		{"no body", zipFile(t, ingest.ODT, map[string]string{"meta.xml": "<x/>"}), ingest.ErrBroken, "content.xml"},
		{"not XML", odtFile(t, "", map[string]string{"content.xml": "<office:body><<<"}), ingest.ErrBroken, "content.xml is not well-formed"},
		{"no text", odtFile(t, "<text:p/>", nil), ingest.ErrNoText, "the OpenDocument text holds no text"},
		{"a spreadsheet", zipFile(t, "application/vnd.oasis.opendocument.spreadsheet", map[string]string{"content.xml": "x"}), ingest.ErrBinary, "spreadsheet"},
		{"a presentation", zipFile(t, "application/vnd.oasis.opendocument.presentation", map[string]string{"content.xml": "x"}), ingest.ErrBinary, "presentation"},
		{"a flat spreadsheet", []byte(strings.ReplaceAll(flat, "opendocument.text", "opendocument.spreadsheet")), ingest.ErrBinary, "spreadsheet"},
		{"a flat text that was cut", []byte(flat[:len(flat)/2]), ingest.ErrTruncated, "fetch it again"},
	} {
		_, err := ingest.Read(t.Context(), c.in, ingest.Hint{Name: "x.odt"})
		if !errors.Is(err, c.why) || !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %v that says %q", c.name, err, c.why, c.says)
		}
	}
	for tenth := 1; tenth < 10; tenth++ {
		if _, err := ingest.Read(t.Context(), good[:len(good)*tenth/10], ingest.Hint{}); !errors.Is(err, ingest.ErrTruncated) {
			t.Errorf("cut at %d0%%: %v", tenth, err)
		}
	}
}

func FuzzODT(f *testing.F) {
	f.Add(`<text:h text:outline-level="2">a</text:h><text:list text:style-name="L1">`+item("b")+`</text:list><text:p>c<text:note><text:note-body><text:p>d</text:p></text:note-body></text:note><draw:frame><text:p>e</text:p></draw:frame></text:p>`, "<dc:title>t</dc:title>")
	f.Add(`<text:p><text:span text:style-name="T9">x</text:p></text:span></text:list><table:table><table:table-cell><text:p>y</table:table>`, "</office:body>")
	f.Fuzz(func(t *testing.T, body, meta string) {
		lawful(t, odtFile(t, body, map[string]string{"meta.xml": meta}), ingest.Hint{})
		lawful(t, []byte(flatODT(body, meta)), ingest.Hint{})
	})
}

// Frames of one paragraph are read, however many there are; what is more than all text may be is refused, and not left out.
func TestODTLosesNoFrames(t *testing.T) {
	const n = 30_000
	frames := strings.Repeat(`<draw:frame><draw:text-box><text:p>word</text:p></draw:text-box></draw:frame>`, n)
	if res := mustRead(t, []byte(flatODT("<text:p>Before"+frames+" and behind.</text:p>", "")), ingest.Hint{}); strings.Count(res.Text, "word") != n || !strings.Contains(res.Text, "Before and behind.") {
		t.Errorf("%d of %d frames", strings.Count(res.Text, "word"), n)
	}
	_, err := ingest.Limits{Text: 100_000}.Read(t.Context(), []byte(flatODT("<text:p>Before"+frames+".</text:p>", "")), ingest.Hint{})
	if !errors.Is(err, ingest.ErrTooLarge) || !errors.Is(err, ibid.ErrInvalid) {
		t.Errorf("more than is allowed: %v", err)
	}
}
