package ingest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/ingest"
)

func relations(pairs ...string) string {
	var b strings.Builder
	b.WriteString(`<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`)
	for i := 0; i+2 < len(pairs); i += 3 {
		fmt.Fprintf(&b, `<Relationship Id="%s" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/%s" Target="%s"/>`, pairs[i], pairs[i+1], pairs[i+2])
	}
	return b.String() + `</Relationships>`
}

// pptxFile packs slides, whose order is not that of their names.
func pptxFile(t testing.TB, parts map[string]string, slides ...string) []byte {
	all := map[string]string{"[Content_Types].xml": "<Types/>", "_rels/.rels": relations("r1", "officeDocument", "ppt/presentation.xml")}
	list, rels := "", []string{}
	for i, s := range slides {
		name := fmt.Sprintf("slides/slide%d.xml", len(slides)-i)
		all["ppt/"+name] = s
		list += fmt.Sprintf(`<p:sldId id="%d" r:id="rId%d"/>`, 256+i, i)
		rels = append(rels, fmt.Sprintf("rId%d", i), "slide", name)
	}
	all["ppt/presentation.xml"] = `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>` + list + `</p:sldIdLst></p:presentation>`
	all["ppt/_rels/presentation.xml.rels"] = relations(rels...)
	maps.Copy(all, parts)
	return zipFile(t, "", all)
}

func slide(shapes ...string) string {
	return `<p:sld xmlns:a="a" xmlns:p="p"><p:cSld><p:spTree>` + strings.Join(shapes, "") + `</p:spTree></p:cSld></p:sld>`
}

func shape(kind string, paras ...string) string {
	ph := ""
	if kind != "box" {
		ph = `<p:ph type="` + kind + `"/>`
	}
	body := ""
	for _, p := range paras {
		if !strings.HasPrefix(p, "<") {
			p = "<a:r><a:t>" + p + "</a:t></a:r>"
		}
		body += "<a:p>" + p + "</a:p>"
	}
	return `<p:sp><p:nvSpPr><p:nvPr>` + ph + `</p:nvPr></p:nvSpPr><p:txBody>` + body + `</p:txBody></p:sp>`
}

func up(s string) string { return `<a:r><a:rPr baseline="30000"/><a:t>` + s + "</a:t></a:r>" }

// numbered is an item of a list that begins with a number, 0 where it does not say so.
func numbered(kind string, start int, text string) string {
	return fmt.Sprintf(`<a:pPr><a:buAutoNum type="%s" startAt="%d"/></a:pPr><a:r><a:t>%s</a:t></a:r>`, kind, start, text)
}

func TestPPTX(t *testing.T) {
	cell := func(s string) string {
		return "<a:tc><a:txBody><a:p><a:r><a:t>" + s + "</a:t></a:r></a:p></a:txBody></a:tc>"
	}
	for _, c := range []struct {
		name, text, outline, warns string
		slides                     []string
		parts                      map[string]string
	}{
		{name: "slides in order, titles as sections", slides: []string{slide(shape("box", "A box."), shape("ctrTitle", "The", "Cable")), slide(shape("title", "Why"), shape("body", "It failed."))},
			text: "The Cable\n\nA box.\n\nWhy\n\nIt failed.", outline: "p1, 1:The Cable, p2, 1:Why"},
		{name: "points are items", slides: []string{slide(shape("title", "T"), shape("", "one", `<a:pPr lvl="1"/><a:r><a:t>in</a:t></a:r><a:r><a:t>ner</a:t></a:r>`, `<a:pPr><a:buNone/></a:pPr><a:r><a:t>plain</a:t></a:r>`), shape("box", `<a:pPr><a:buAutoNum type="alphaLcPeriod"/></a:pPr><a:r><a:t>x</a:t></a:r>`, `<a:pPr><a:buAutoNum type="alphaLcPeriod"/></a:pPr><a:r><a:t>y</a:t></a:r>`))},
			text: "T\n\n- one\n- inner\n\nplain\n\na. x\nb. y", outline: "p1, 1:T"},
		{name: "numbers that go on from another slide, and begin anew behind a dash", slides: []string{slide(shape("title", "T"), shape("", numbered("arabicPeriod", 4, "four"), numbered("arabicPeriod", 4, "five"), `<a:pPr><a:buChar char="•"/></a:pPr><a:r><a:t>aside</a:t></a:r>`, numbered("romanLcParenR", 1, "one"), numbered("romanLcParenR", 1, "two"), numbered("romanUcPeriod", 9, "nine"), numbered("arabicPeriod", 0, "first")))},
			text: "T\n\n4. four\n5. five\n- aside\ni. one\nii. two\nIX. nine\n1. first", outline: "p1, 1:T"},
		{name: "a slide without a title is no part of the one before", slides: []string{slide(shape("title", "T")), slide(shape("box", "Words.")), slide(shape("ftr", "Acme"), shape("sldNum", "3"))},
			text: "T\n\nSlide 2\n\nWords.", outline: "p1, 1:T, p2, 1:Slide 2"},
		{name: "what the master repeats is no text", slides: []string{slide(shape("title", "T"), shape("ftr", "Acme Ltd"), shape("dt", "1 May"), shape("box", `<a:fld type="slidenum"><a:t>7</a:t></a:fld><a:fld type="other"><a:t>kept</a:t></a:fld>`))}, text: "T\n\nkept", outline: "p1, 1:T"},
		{name: "breaks", slides: []string{slide(shape("title", `<a:r><a:t>One</a:t></a:r><a:br/><a:r><a:t>title</a:t></a:r>`), shape("box", `<a:r><a:t>a</a:t></a:r><a:br/><a:r><a:t>b</a:t></a:r>`))}, text: "One title\n\na\nb", outline: "p1, 1:One title"},
		{name: "numbers of notes stand in brackets, powers do not", slides: []string{slide(shape("title", "T"), shape("box", "<a:r><a:t>The cable</a:t></a:r>"+up("1")+"<a:r><a:t> failed.</a:t></a:r>"+up("2,")+up("3")+"<a:r><a:t> 10 m</a:t></a:r>"+up("2")+"<a:r><a:t> and 10</a:t></a:r>"+up("6")+"<a:r><a:t> on the 5</a:t></a:r>"+up("th")),
			shape("box", up("1")+"<a:r><a:t>Source: the log</a:t></a:r>"), shape("box", up("14")+"<a:r><a:t>C was found</a:t></a:r>"), shape("box", "<a:r><a:t>«Été»</a:t></a:r>"+up("4")+"<a:r><a:t>, H</a:t></a:r>"+strings.Replace(up("2"), "30000", "-25000", 1)+"<a:r><a:t>O</a:t></a:r>"))},
			text: "T\n\nThe cable[1] failed.[2,3] 10 m2 and 10^6 on the 5th\n\n[1] Source: the log\n\n14C was found\n\n«Été»[4], H2O", outline: "p1, 1:T"},
		{name: "tables", slides: []string{slide(shape("title", "T"), `<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr>`+cell("Year")+cell("Miles")+`</a:tr><a:tr>`+cell("1858")+cell("2,500")+`</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`)}, text: "T\n\nYear | Miles\n1858 | 2,500", outline: "p1, 1:T"},
		{name: "notes", slides: []string{slide(shape("title", "T"), shape("box", "x"))}, parts: map[string]string{"ppt/slides/_rels/slide1.xml.rels": relations("r1", "notesSlide", "../notesSlides/n1.xml", "r2", "slideLayout", "../gone.xml"),
			"ppt/notesSlides/n1.xml": slide(shape("sldImg"), shape("body", "Say it.", "Slowly."), shape("sldNum", "1"))}, text: "T\n\nx\n\nNotes: Say it.\n\nSlowly.", outline: "p1, 1:T"},
		{name: "diagrams and charts", slides: []string{slide(shape("title", "T"), `<p:graphicFrame><dgm:relIds r:dm="r1" r:lo="r9"/></p:graphicFrame>`, `<p:graphicFrame><c:chart r:id="r2"/></p:graphicFrame>`)}, parts: map[string]string{
			"ppt/slides/_rels/slide1.xml.rels": relations("r1", "diagramData", "../diagrams/data1.xml", "r2", "chart", "../charts/chart1.xml"),
			"ppt/diagrams/data1.xml":           `<dgm:dataModel><dgm:ptLst><dgm:pt><dgm:t><a:p><a:r><a:t>Find</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt><dgm:t><a:p><a:r><a:t>Fix</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>`,
			"ppt/charts/chart1.xml":            `<c:chartSpace><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title><c:ser><c:tx><c:strRef><c:f>x</c:f><c:strCache><c:pt><c:v>2024</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strCache><c:pt><c:v>East</c:v></c:pt><c:pt><c:v>West</c:v></c:pt></c:strCache></c:cat><c:val><c:numCache><c:formatCode>General</c:formatCode><c:pt><c:v>19.199999999999999</c:v></c:pt><c:pt><c:v>3</c:v></c:pt></c:numCache></c:val></c:ser></c:chart></c:chartSpace>`},
			text: "T\n\n- Find\n- Fix\n\nSales\n2024 | East: 19.2 | West: 3", outline: "p1, 1:T"},
		{name: "hidden slides are left out, and said", slides: []string{slide(shape("title", "T")), strings.Replace(slide(shape("title", "Gone")), "<p:sld ", `<p:sld show="0" `, 1), slide(shape("title", "U"))}, text: "T\n\nU", outline: "p1, 1:T, p3, 1:U", warns: "left out 1 slide that is hidden"},
		{name: "what is drawn twice is read once", slides: []string{slide(shape("title", "T"), `<mc:AlternateContent><mc:Choice>`+shape("box", "Seen")+`</mc:Choice><mc:Fallback>`+shape("box", "Seen")+`</mc:Fallback></mc:AlternateContent>`)}, text: "T\n\nSeen", outline: "p1, 1:T"},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := mustRead(t, pptxFile(t, c.parts, c.slides...), ingest.Hint{Name: "x.bin"})
			checkResult(t, res)
			if res.MediaType != ingest.PPTX || res.Text != c.text || outlineOf(res) != c.outline || strings.Join(res.Warnings, "; ") != c.warns {
				t.Errorf("%s\ngot  %q\nwant %q\noutline %s, want %s; warned %q", res.MediaType, res.Text, c.text, outlineOf(res), c.outline, res.Warnings)
			}
		})
	}
	res := mustRead(t, pptxFile(t, map[string]string{"docProps/core.xml": `<cp:coreProperties><dc:title>PowerPoint Presentation</dc:title><dc:creator>Jane Doe</dc:creator><dcterms:created>2021-03-04T05:06:07Z</dcterms:created></cp:coreProperties>`}, slide(shape("title", "The Cable"), shape("box", "x"))), ingest.Hint{})
	if got, _ := json.Marshal(res.Reference); string(got) != `{"author":[{"family":"Doe","given":"Jane"}],"issued":{"date-parts":[[2021,3,4]]},"title":"The Cable","type":"document"}` {
		t.Errorf("reference %s", got)
	}
}

// sheet is a worksheet of one name.
type sheet struct{ name, state, rows string }

func xlsxFile(t testing.TB, parts map[string]string, sheets ...sheet) []byte {
	all := map[string]string{"[Content_Types].xml": "<Types/>", "_rels/.rels": relations("r1", "officeDocument", "xl/workbook.xml")}
	list, rels := "", []string{"s1", "sharedStrings", "sharedStrings.xml", "s2", "styles", "styles.xml"}
	for i, s := range sheets {
		name := fmt.Sprintf("worksheets/sheet%d.xml", len(sheets)-i)
		all["xl/"+name] = `<worksheet><sheetData>` + s.rows + `</sheetData><headerFooter><oddHeader>no</oddHeader></headerFooter></worksheet>`
		list += fmt.Sprintf(`<sheet name="%s" sheetId="%d" state="%s" r:id="rId%d"/>`, s.name, i+1, s.state, i)
		rels = append(rels, fmt.Sprintf("rId%d", i), "worksheet", name)
	}
	all["xl/workbook.xml"] = `<workbook xmlns:r="r"><sheets>` + list + `</sheets></workbook>`
	all["xl/_rels/workbook.xml.rels"] = relations(rels...)
	all["xl/sharedStrings.xml"] = `<sst><si><t>Shared</t></si><si><r><t>ri</t></r><r><t>ch_x000D_text</t></r><rPh><t>no</t></rPh></si></sst>`
	all["xl/styles.xml"] = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd\.mm\.yyyy\ hh:mm"/><numFmt numFmtId="165" formatCode="0.0&quot; days&quot;"/><numFmt numFmtId="166" formatCode="[h]:mm"/><numFmt numFmtId="167" formatCode="[$-409]mmm\ yy;@"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs>
<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="9"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="20"/><xf numFmtId="167"/></cellXfs></styleSheet>`
	maps.Copy(all, parts)
	return zipFile(t, "", all)
}

// xrow is a row whose cells are words or numbers, or elements as they are; blank ones are not there.
func xrow(n int, cells ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<row r="%d">`, n)
	for i, c := range cells {
		at := fmt.Sprintf("%c%d", 'A'+i, n)
		switch {
		case c == "":
		case strings.HasPrefix(c, "<c"):
			b.WriteString(strings.Replace(c, "<c", `<c r="`+at+`"`, 1))
		case strings.Trim(c, "0123456789.eE-") == "":
			fmt.Fprintf(&b, `<c r="%s"><v>%s</v></c>`, at, c)
		default:
			fmt.Fprintf(&b, `<c r="%s" t="inlineStr"><is><t>%s</t></is></c>`, at, c)
		}
	}
	return b.String() + "</row>"
}

func TestXLSX(t *testing.T) {
	for _, c := range []struct {
		name, text, outline, warns string
		sheets                     []sheet
	}{
		{name: "each cell carries the name of its column", sheets: []sheet{{"Staff", "", xrow(1, "name", "office") + xrow(2, "Ada Weiss", "Berlin") + xrow(3, "Carl Ohm", "")}}, text: "Staff\n\nname: Ada Weiss | office: Berlin\n\nname: Carl Ohm", outline: "1:Staff"},
		{name: "sheets in order, a name that says nothing", sheets: []sheet{{"Sheet1", "", xrow(1, "a", "b") + xrow(2, "1", "2")}}, text: "a: 1 | b: 2"},
		{name: "several sheets", sheets: []sheet{{"Sheet1", "", xrow(1, "a", "b") + xrow(2, "1", "2")}, {"Empty", "", ""}, {"Notes &amp; more", "", xrow(1, "Just a note.")}}, text: "Sheet1\n\na: 1 | b: 2\n\nNotes & more\n\nJust a note.", outline: "1:Sheet1, 1:Notes & more"},
		{name: "words above the table", sheets: []sheet{{"S", "", xrow(1, "Costs of 2024") + xrow(3, "", "Item", "Price") + xrow(4, "", "Nut", "0.08") + xrow(5, "", "", "1.5")}}, text: "S\n\nCosts of 2024\n\nItem: Nut | Price: 0.08\n\nPrice: 1.5", outline: "1:S"},
		{name: "a second table", sheets: []sheet{{"S", "", xrow(1, "Item", "Price") + xrow(2, "Nut", "1") + xrow(4, "Bolt", "2") + xrow(6, "Town", "People") + xrow(7, "Kiel", "9")}}, text: "S\n\nItem: Nut | Price: 1\n\nItem: Bolt | Price: 2\n\nTown: Kiel | People: 9", outline: "1:S"},
		{name: "a first row of values names nothing", sheets: []sheet{{"S", "", xrow(1, "1858", "732") + xrow(2, "1866", "2000")}}, text: "S\n\n1858 | 732\n\n1866 | 2000", outline: "1:S"},
		{name: "names of columns and nothing below them", sheets: []sheet{{"S", "", xrow(1, "a", "b")}}, text: "S\n\na | b", outline: "1:S"},
		{name: "numbers as they are shown", sheets: []sheet{{"S", "", xrow(1, "0.30000000000000004", `<c s="1"><v>45356</v></c>`, `<c s="2"><v>0.125</v></c>`, `<c s="3"><v>45356.604166666664</v></c>`, `<c s="4"><v>2</v></c>`, `<c s="5"><v>1.5</v></c>`, `<c s="6"><v>0.29513888888888890</v></c>`, `<c s="1"><v>1</v></c>`, `<c s="7"><v>45356</v></c>`, "1e21", "12345678901234567")}},
			text: "S\n\n0.3 | 2024-03-05 | 12.5% | 2024-03-05 14:30 | 2 days | 36:00 | 07:05 | 1900-01-01 | 2024-03-05 | 1e+21 | 12345678901234567", outline: "1:S"},
		{name: "years as names, and a column without one", sheets: []sheet{{"S", "", xrow(1, "", "2019", "2020") + xrow(2, "North", "1", "2") + xrow(4, "Town", "2021", "2022") + xrow(5, "Kiel", "3", "4")}}, text: "S\n\nNorth | 2019: 1 | 2020: 2\n\nTown: Kiel | 2021: 3 | 2022: 4", outline: "1:S"},
		{name: "heads of two levels", sheets: []sheet{{"S", "", xrow(1, "Costs of the cables") + xrow(3, "Ship", "1858", "", "1866", "") + xrow(4, "", "Miles", "Cost", "Miles", "Cost") + xrow(5, "Agamemnon", "12", "4", "15", "5") + xrow(6, "Niagara", "13", "", "16", "6")}},
			text: "S\n\nCosts of the cables\n\nShip: Agamemnon | 1858, Miles: 12 | 1858, Cost: 4 | 1866, Miles: 15 | 1866, Cost: 5\n\nShip: Niagara | 1858, Miles: 13 | 1866, Miles: 16 | 1866, Cost: 6", outline: "1:S"},
		{name: "heads of two levels, the first column named below", sheets: []sheet{{"S", "", xrow(1, "", "North", "", "South") + xrow(2, "Town", "Men", "Women", "Men") + xrow(3, "Kiel", "1", "2", "3")}},
			text: "S\n\nTown: Kiel | North, Men: 1 | North, Women: 2 | South, Men: 3", outline: "1:S"},
		{name: "rows of words are no head of two levels", sheets: []sheet{{"S", "", xrow(1, "Ann", "", "came") + xrow(2, "Bob", "late", "left") + xrow(3, "Carl", "3", "4")}},
			text: "S\n\nAnn | came\n\nBob: Carl | late: 3 | left: 4", outline: "1:S"},
		{name: "a title over the names is no level", sheets: []sheet{{"S", "", xrow(1, "Costs") + xrow(2, "Item", "Price") + xrow(3, "Nut", "1")}}, text: "S\n\nCosts\n\nItem: Nut | Price: 1", outline: "1:S"},
		{name: "kinds of cells", sheets: []sheet{{"S", "", xrow(1, `<c t="s"><v>0</v></c>`, `<c t="s"><v>1</v></c>`, `<c t="b"><v>1</v></c>`, `<c t="e"><v>#N/A</v></c>`, `<c t="str"><f>A1</f><v>made</v></c>`, `<c t="s"><v>99</v></c>`, `<c t="d"><v>2024-03-05T00:00:00</v></c>`)}}, text: "S\n\nShared | rich text | TRUE | #N/A | made | 2024-03-05", outline: "1:S"},
		{name: "hidden sheets are left out, and said", sheets: []sheet{{"S", "", xrow(1, "Seen.")}, {"T", "hidden", xrow(1, "no")}, {"U", "veryHidden", xrow(1, "no")}}, text: "S\n\nSeen.", outline: "1:S", warns: "left out sheets that are hidden: T, U"},
		{name: "formulas that were never counted", sheets: []sheet{{"S", "", xrow(1, "Sum", "<c><f>1+1</f></c>", "<c><f>2+2</f><v>4</v></c>")}}, text: "S\n\nSum | 4", outline: "1:S", warns: "1 formula has no value in the file; open and save it in a spreadsheet program first"},
		{name: "cells without addresses, the first of them empty", sheets: []sheet{{"S", "", `<row><c t="inlineStr"><is><t>a</t></is></c><c t="inlineStr"><is><t>b</t></is></c></row><row><c/><c><v>2</v></c></row><row><c><v>3</v></c><c/></row>`}}, text: "S\n\nb: 2\n\na: 3", outline: "1:S"},
		{name: "spans of time to the second", sheets: []sheet{{"S", "", xrow(1, `<c s="5"><v>0.0870370370370370</v></c>`, `<c s="5"><v>1.0</v></c>`, `<c s="5"><v>0.000694444444444</v></c>`)}}, text: "S\n\n2:05:20 | 24:00 | 0:01", outline: "1:S"},
		{name: "what says how to read a cell is left out", sheets: []sheet{{"S", "", xrow(1, `<c t="inlineStr"><is><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></is></c>`, `<c t="inlineStr"><is><r><t>a</t></r><r><t>b</t></r></is></c>`)}}, text: "S\n\n東京 | ab", outline: "1:S"},
		{name: "cells without addresses", sheets: []sheet{{"S", "", `<row><c t="inlineStr"><is><t>a</t></is></c><c t="inlineStr"><is><t>b</t></is></c></row><row><c><v>1</v></c><c><v>2</v></c></row>`}}, text: "S\n\na: 1 | b: 2", outline: "1:S"},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := mustRead(t, xlsxFile(t, nil, c.sheets...), ingest.Hint{Name: "x.bin"})
			checkResult(t, res)
			if res.MediaType != ingest.XLSX || res.Text != c.text || outlineOf(res) != c.outline || strings.Join(res.Warnings, "; ") != c.warns {
				t.Errorf("%s\ngot  %q\nwant %q\noutline %s, want %s; warned %q", res.MediaType, res.Text, c.text, outlineOf(res), c.outline, res.Warnings)
			}
		})
	}
	old := xlsxFile(t, map[string]string{"xl/workbook.xml": `<workbook><workbookPr date1904="1"/><sheets><sheet name="S" r:id="rId0"/></sheets></workbook>`}, sheet{"S", "", xrow(1, `<c s="1"><v>43894</v></c>`)})
	if res := mustRead(t, old, ingest.Hint{}); res.Text != "S\n\n2024-03-05" {
		t.Errorf("days from 1904: %q", res.Text)
	}
}

func TestOfficeRefused(t *testing.T) {
	zeros := strings.Repeat("\x00", 9<<20)
	deck := pptxFile(t, nil, slide(shape("title", "T"), shape("box", strings.Repeat(prose, 50))))
	book := xlsxFile(t, nil, sheet{"S", "", xrow(1, strings.Repeat(prose, 50))})
	for _, c := range []struct {
		name string
		in   []byte
		why  error
		says string
	}{
		{"a bomb of a slide", pptxFile(t, nil, slide(zeros)), ingest.ErrTooLarge, "zip bomb"},
		{"a bomb of a sheet", xlsxFile(t, nil, sheet{"S", "", strings.Repeat("<row/>", 3<<19)}), ingest.ErrTooLarge, "zip bomb"},
		{"a bomb of texts", xlsxFile(t, map[string]string{"xl/sharedStrings.xml": "<sst>" + strings.Repeat("<si/>", 2<<20)}, sheet{"S", "", xrow(1, "x")}), ingest.ErrTooLarge, "zip bomb"},
		{"a slide that is no XML", pptxFile(t, nil, "<p:sld <<<"), ingest.ErrBroken, "slide1.xml is not well-formed"},
		{"no slides", pptxFile(t, nil), ingest.ErrNoText, "the presentation holds no text"},
		{"no rows", xlsxFile(t, nil, sheet{"S", "", ""}), ingest.ErrNoText, "the workbook holds no text"},
		{"no main part", zipFile(t, "", map[string]string{"ppt/presentations": "x"}), ingest.ErrBroken, "ppt/presentation.xml"},
	} {
		_, err := ingest.Read(t.Context(), c.in, ingest.Hint{})
		if !errors.Is(err, c.why) || !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %v that says %q", c.name, err, c.why, c.says)
		}
	}
	for _, whole := range [][]byte{deck, book} {
		for tenth := 1; tenth < 10; tenth++ {
			if _, err := ingest.Read(t.Context(), whole[:len(whole)*tenth/10], ingest.Hint{}); !errors.Is(err, ibid.ErrInvalid) {
				t.Errorf("cut at %d0%%: %v", tenth, err)
			}
		}
	}
}

// A file that is packed within another does not decide what the other is.
func TestPackedWithin(t *testing.T) {
	inner := string(xlsxFile(t, nil, sheet{"S", "", xrow(1, "no")}))
	b := docxFile(t, map[string]string{"word/document.xml": wordBody(p("", "The report.")), "word/embeddings/a.xlsx": inner})
	if res := mustRead(t, b, ingest.Hint{Name: "a.xlsx"}); res.MediaType != ingest.DOCX || res.Text != "The report." {
		t.Errorf("%s %q", res.MediaType, res.Text)
	}
	b = pptxFile(t, map[string]string{"ppt/embeddings/a.xlsx": inner, "ppt/embeddings/b.docx": string(b)}, slide(shape("title", "The talk")))
	if res := mustRead(t, b, ingest.Hint{MediaType: ingest.DOCX}); res.MediaType != ingest.PPTX || res.Text != "The talk" {
		t.Errorf("%s %q", res.MediaType, res.Text)
	}
}

func FuzzPPTX(f *testing.F) {
	f.Add(slide(shape("title", "a"), shape("body", "b", "c")), `<c:chart><c:ser><c:val><c:v>1</c:v></c:val></c:ser></c:chart>`)
	f.Add(`<a:p><a:t>x</a:p></p:sp><a:tbl><a:tr><a:tc><a:p><a:t>y</a:tbl><p:graphicFrame><c:chart r:id="r2"/>`, `<c:ser><c:tx><c:v>a</c:v></c:tx><c:cat><c:v>b`)
	f.Fuzz(func(t *testing.T, s, chart string) {
		lawful(t, pptxFile(t, map[string]string{"ppt/slides/_rels/slide1.xml.rels": relations("r1", "notesSlide", "../n.xml", "r2", "chart", "../c.xml"), "ppt/n.xml": s, "ppt/c.xml": chart}, s), ingest.Hint{})
	})
}

// What a format writes beside a number belongs to what it says.
func TestXLSXUnits(t *testing.T) {
	for code, want := range map[string]string{
		`#,##0.00 "€"`: "-1234.5 €", `[$€-407] #,##0`: "-€1234.5", `[$CHF] 0.00`: "-CHF 1234.5", `"$"#,##0_);\("$"#,##0\)`: "-$1234.5", `_-* #,##0.00\ _€_-;[Red]"€"0`: "-1234.5",
		`General" kg"`: "-1234.5 kg", `0.0,,"M"`: "-1234.5", `0.0"-"`: "-1234.5", `£0`: "-£1234.5", `0%" of all"`: "-123450%", `"`: "-1234.5", `[$`: "-1234.5", `\`: "-1234.5",
	} {
		code = strings.NewReplacer("&", "&amp;", `"`, "&quot;").Replace(code)
		b := xlsxFile(t, map[string]string{"xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="` + code + `"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs></styleSheet>`}, sheet{"S", "", xrow(1, `<c s="0"><v>-1234.5</v></c>`)})
		if got := mustRead(t, b, ingest.Hint{}).Text; got != "S\n\n"+want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
}

func FuzzXLSX(f *testing.F) {
	f.Add(xrow(1, "a", "b")+xrow(2, "1", `<c s="1"><v>45356</v></c>`), `<numFmt numFmtId="170" formatCode="yyyy"/>`, `<si><t>x</t></si>`)
	f.Add(`<row r="9"><c r="ZZZ1" t="s"><v>0</v></c><c r="A1"><v>-1e400</v></c></row><row r="2"><c s="99"><v>2958465.9999999</v>`, `<cellXfs><xf numFmtId="22"/>`, `</si></rPh><si><t>_xD800_`)
	f.Fuzz(func(t *testing.T, rows, styles, texts string) {
		lawful(t, xlsxFile(t, map[string]string{"xl/styles.xml": "<styleSheet>" + styles, "xl/sharedStrings.xml": "<sst>" + texts}, sheet{"S", "", rows}), ingest.Hint{})
	})
}
