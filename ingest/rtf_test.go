package ingest_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/ingest"
)

// rtfHead is what Word writes before the text, shortened.
const rtfHead = `{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\froman\fcharset0\fprq2{\*\panose 02020603050405020304}Times New Roman{\*\falt Times};}{\f1\fcharset204 Times Cyr;}{\f2\fcharset128 MS Mincho;}{\f3\fcharset2 Symbol;}{\f4\fcharset2 Wingdings;}}
{\colortbl;\red0\green0\blue0;}{\stylesheet{\ql Normal;}{\s1\outlinelevel0 heading 1;}{\s2\sbasedon1 My heading;}{\s3 Title;}{\s4 toc 1;}{\*\cs10 Default Paragraph Font;}{\s15\sbasedon0\outlinelevel2 Deep;}}{\*\generator Word;}`

func rtf(body string) string { return rtfHead + body + "}" }

func TestRTF(t *testing.T) {
	for _, c := range []struct{ name, body, text, outline string }{
		{name: "groups join", body: "\\pard The ca{\\b ble} \\{&\\} the\r\n ship.\\par\\par Next.\\par", text: "The cable {&} the ship.\n\nNext."},
		{name: "the last paragraph needs no end", body: `One.\par Two.`, text: "One.\n\nTwo."},
		{name: "headings by style, by what it is based on, by level", body: `\pard\s3 The Title\par\pard\s1 One\par\pard text\par\pard\s2 Two\par\pard\s15 Three\par\pard\outlinelevel1 Four\par\pard\s4 One ..... 3\par\pard plain\par`,
			text: "The Title\n\nOne\n\ntext\n\nTwo\n\nThree\n\nFour\n\nplain", outline: "1:The Title, 1:One, 1:Two, 3:Three, 2:Four"},
		{name: "bytes by code page", body: `caf\'e9 na\'efve \'93x\'94 \f1 \'cf\'f0\'e8\'e2\'e5\'f2\plain  \'80`, text: "café naïve “x” Привет €"},
		{name: "characters of two bytes", body: `\f2 \'93\'fa\'96\'7b\'83e\'83X\'83g ok`, text: "日本テスト ok"},
		{name: "Unicode with what stands for it", body: `\uc1 \u1055?\u1088\'3fx \uc2\u8364 EU{\uc0\u233 t\u233 }\u8211--end \uc1\u-10179?\u-8704? \u-10179 ?x`, text: "Прx €été–end 😀 \ufffdx"},
		{name: "both forms", body: `{\upr{no}{\*\ud{\u1055 ?yes}}} end`, text: "Пyes end"},
		{name: "signs", body: `\ldblquote a\rdblquote\emdash b\endash c\~d\_e\-f\bullet\tab g\line h`, text: "“a”—b–c d-ef• g\nh"},
		{name: "a line that ends in a backslash ends the paragraph", body: "One.\\\nTwo.\\\r\nThree.", text: "One.\n\nTwo.\n\nThree."},
		{name: "fonts of signs", body: `{\f3 a\'b7b} {\f4 \'a7\'fc} x\u-3913?y`, text: "α•β •• x•y"},
		{name: "signs of Symbol", body: `{\f3 5\'b15\'b0, 3\'b44\'b82, x\'a35, y\'b35, A\'b9B, p\'bb3, a\'aeb, \'d62, \'de, @, x\'ceA (\'b2)}`, text: "5±5°, 3×4÷2, ξ≤5, ψ≥5, Α≠Β, π≈3, α→β, √2, ⇒, ≅, ξ∈Α (″)"},
		{name: "a page that ends within a paragraph", body: `One\page two.\sect Three.`, text: "One\n\ntwo.\n\nThree."},
		{name: "a half that waits, and one that never comes", body: `\u-10179?\'41\u-8704?. \u-10179?x`, text: "\ufffdA\ufffd. \ufffdx"},
		{name: "tables", body: `\pard Before\par\trowd\cellx1000\cellx2000\pard\intbl Year\cell Miles\cell\row\trowd\pard\intbl 1858\cell 2,500\par nautical\cell\row\pard After\par`, text: "Before\n\nYear | Miles\n1858 | 2,500 nautical\n\nAfter"},
		{name: "cells that span columns", body: `\trowd\cellx1000\cellx3000\cellx4010\pard\intbl Ship\cell 1858\cell 1866\cell\row\trowd\cellx1000\cellx2000\cellx3000\cellx4000\pard\intbl \cell Miles\cell Cost\cell Miles\cell\row\trowd\cellx4000\pard\intbl All in all\cell\row\pard After\par`, text: "Ship | 1858 |  | 1866\n| Miles | Cost | Miles\nAll in all\n\nAfter"},
		{name: "a table in a table", body: `\trowd\pard\intbl a\par\pard\intbl\itap2 b\nestcell{\*\nesttableprops\trowd\nestrow}{\nonesttables\par}\pard\intbl\cell c\cell\row`, text: "a b | c"},
		{name: "a row without its end", body: `\trowd\intbl a\cell b\cell\pard After\par`, text: "a | b\n\nAfter"},
		{name: "lists", body: `\pard Intro:\par{\listtext\pard\plain\f3 \'b7\tab}\pard a\par{\pntext\f3\'b7\tab}b\par\pard And:\par{\listtext\pard 1.\tab}x\par{\listtext 2.\tab}y\par\bullet\tab z\par`, text: "Intro:\n\n- a\n- b\n\nAnd:\n\n1. x\n2. y\n- z"},
		{name: "notes", body: `A claim{\super\chftn{\footnote\pard\plain\s20{\super\chftn} The {\i proof}.\par More.}}, and on{\*\footnote\ftnalt End.}.\par Text.\par`, text: "A claim[1], and on[2].\n\nText.\n\n[1] The proof. More.\n[2] End."},
		{name: "notes in notes and in boxes", body: `x{\footnote one {\footnote two} three}{\shptxt In a box{\footnote Its note.}.} y`, text: "x[1] y\n\nIn a box[2].\n\n[1] one two three\n[2] Its note."},
		{name: "raised numbers of notes stand in brackets, powers and chemical signs stay", body: `The cable{\super 1} failed.\super 12\nosupersub  In 1858{\up6 3} on 10 m{\super 2} or 10\super 9\super0 , CO{\sub 2} on the 5{\super th}, \'abt\'e9\'bb{\super\'34}.{\super\chftn}{\footnote The log.{\super 4}}{\shptxt In a box.{\super 5}}\par{\super 1}Source\par\trowd\intbl Cells{\super 6}\cell\row`,
			text: "The cable[1] failed.[12] In 1858[3] on 10 m2 or 10^9, CO2 on the 5th, «té»[4].[1]\n\nIn a box.[5]\n\n[1] Source\n\nCells[6]\n\n[1] The log.[4]"},
		{name: "signs that no text holds", body: "a\x01b\x02\\'01\\u1?{\\super\x02c}", text: "abc"},
		{name: "deleted, hidden and what may be passed over is no text", body: `Kept{\deleted gone}{\v hidden\v0  not}{\revised  and added}{\*\unknown no{\deeper no}}{\field{\*\fldinst HYPERLINK "x"}{\fldrslt  link}}{\*\annotation a remark}{\header Page 3}{\pict\wmetafile8 0a0b0c}{\*\bkmkstart m}.`, text: "Kept not and added link."},
		{name: "a box comes behind its paragraph", body: `The ca{\shp{\*\shpinst\shpleft1{\sp{\sn x}{\sv 1}}{\shptxt\pard In a\par box.\par}}{\shprslt{\*\do{\dptxbxtext In a box.}}}}ble.\par Next.`, text: "The cable.\n\nIn a\nbox.\n\nNext."},
		{name: "raw bytes are skipped", body: "a{\\*\\objdata\\bin5 }}{\\\\}b{\\pict\\bin3 }}}}c", text: "abc"},
		{name: "more ends than beginnings", body: `Text.}} junk`, text: "Text."},
		{name: "numbers that are none", body: `\b1-2\fs-x \u99999999999? a\'zz b`, text: "-2-x \ufffd azz b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := mustRead(t, []byte(rtf(c.body)), ingest.Hint{Name: "x.bin"})
			checkResult(t, res)
			if res.MediaType != ingest.RTF {
				t.Errorf("media type %s", res.MediaType)
			}
			if res.Text != c.text || outlineOf(res) != c.outline {
				t.Errorf("got  %q\nwant %q\noutline %s, want %s", res.Text, c.text, outlineOf(res), c.outline)
			}
		})
	}
}

// Letters are those of the code page that the document or the font names, whichever of Windows', DOS's and the Mac's it is.
func TestRTFCodePages(t *testing.T) {
	for page, c := range map[string]struct{ bytes, want string }{
		"437": {`\'81`, "ü"}, "850": {`\'9b`, "ø"}, "852": {`\'a5`, "ą"}, "855": {`\'a1`, "А"}, "858": {`\'d5`, "€"}, "860": {`\'84`, "ã"}, "862": {`\'80`, "א"}, "863": {`\'84`, "Â"}, "865": {`\'9b`, "ø"}, "866": {`\'8f`, "П"}, "874": {`\'a1`, "ก"},
		"932": {`\'93\'fa`, "日"}, "936": {`\'c8\'d5`, "日"}, "949": {`\'c7\'d1`, "한"}, "950": {`\'a4\'e9`, "日"}, "1250": {`\'b3`, "ł"}, "1251": {`\'cf`, "П"}, "1252": {`\'e9`, "é"}, "1253": {`\'e1`, "α"}, "1254": {`\'fd`, "ı"},
		"1255": {`\'e0`, "א"}, "1256": {`\'c7`, "ا"}, "1257": {`\'e0`, "ą"}, "1258": {`\'fe`, "₫"}, "10000": {`\'8e`, "é"}, "10007": {`\'80`, "А"}, "54936": {`\'c8\'d5`, "日"}, "65001": {`\'c3\'a9\'e2\'82\'ac`, "é€"},
		"4711": {`\'e9`, "é"}, "54936 ": {`\'81@`, "丂"}, "65001 ": {strings.Repeat(`\'e2\'82\'ac`, 1500), strings.Repeat("€", 1500)},
	} {
		for _, file := range []string{
			`{\rtf1\ansi\ansicpg` + page + ` A` + c.bytes + `z.}`,
			`{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0 A;}{\f1\cpg` + page + ` B;}}A{\f1 ` + c.bytes + `}z.}`,
		} {
			if got := mustRead(t, []byte(file), ingest.Hint{}).Text; got != "A"+c.want+"z." {
				t.Errorf("%s: %q, want %q", file, got, "A"+c.want+"z.")
			}
		}
	}
}

// The letters of a document that names no code page are those of the system that it was written on.
func TestRTFSystems(t *testing.T) {
	for system, want := range map[string]string{"ansi": "Žé", "mac": "éÈ", "pc": "ÄΘ", "pca": "ÄÚ"} {
		if got := mustRead(t, []byte(`{\rtf1\`+system+` \'8e\'e9}`), ingest.Hint{}).Text; got != want {
			t.Errorf("%s: %q, want %q", system, got, want)
		}
	}
}

func TestRTFReference(t *testing.T) {
	for _, c := range []struct{ name, body, ref string }{
		{"info", `{\info{\title Die Br\'fccke {\u8211 -} Ein Fall}{\author Jane Doe; Smith, John}{\operator last}{\creatim\yr2021\mo3\dy4\hr5\min6}{\revtim\yr2023\mo1\dy1}{\doccomm What it was.}{\*\company Acme}}\pard\s1 Heading\par text`,
			`{"abstract":"What it was.","author":[{"family":"Doe","given":"Jane"},{"family":"Smith","given":"John"}],"issued":{"date-parts":[[2021,3,4]]},"title":"Die Brücke – Ein Fall","type":"document"}`},
		{"a date without a day", `{\info{\creatim\yr2021\mo12}{\title T}}text`, `{"issued":{"date-parts":[[2021,12]]},"title":"T","type":"document"}`},
		{"a date without a month", `{\info{\creatim\yr2021\mo0\dy0}{\title T}}text`, `{"issued":{"date-parts":[[2021]]},"title":"T","type":"document"}`},
		{"none", `\pard\s1 Heading\par text`, `{"title":"Heading","type":"document"}`},
		{"the style called Title", `\pard\s1 Chapter\par\pard\s3 The Title\par text`, `{"title":"The Title","type":"document"}`},
	} {
		if got, _ := json.Marshal(mustRead(t, []byte(rtf(c.body)), ingest.Hint{}).Reference); string(got) != c.ref {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.ref)
		}
	}
}

func TestRTFRefused(t *testing.T) {
	good := rtf(strings.Repeat(prose+`\par `, 50))
	for _, c := range []struct {
		name, in string
		why      error
		says     string
	}{
		{"no text", rtf(`{\pict 00ff}`), ingest.ErrNoText, "the rich text (RTF) holds no text"},
		{"header only", `{\rtf1`, ingest.ErrTruncated, "fetch the file again"},
		{"raw bytes that are not there", `{\rtf1 text \bin999999999 x}`, ingest.ErrTruncated, "fetch the file again"},
	} {
		_, err := ingest.Read(t.Context(), []byte(c.in), ingest.Hint{Name: "x.rtf"})
		if !errors.Is(err, c.why) || !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %v that says %q", c.name, err, c.why, c.says)
		}
	}
	for tenth := 1; tenth < 10; tenth++ {
		if _, err := ingest.Read(t.Context(), []byte(good[:len(good)*tenth/10]), ingest.Hint{}); !errors.Is(err, ingest.ErrTruncated) {
			t.Errorf("cut at %d0%%: %v", tenth, err)
		}
	}
	if res := mustRead(t, []byte("{\\rtf is how rich text begins.}"), ingest.Hint{}); !strings.Contains(res.Text, "is how rich text begins.") {
		t.Errorf("%q", res.Text)
	}
}

func FuzzRTF(f *testing.F) {
	for _, s := range []string{`\pard\s1 a\par{\listtext 1.\tab}b\par`, `\trowd\intbl a\cell\row`, `{\footnote{\footnote x}}\u-10179?\'e9`, `{\info{\title a}{\creatim\yr2020}}{\upr{a}{\*\ud b}}`, `{\shp{\*\shpinst{\shptxt a\par}}}`, `{\stylesheet{\s1\sbasedon1 heading 1;}}\s1 x`, `\bin3 }}}`, "\\'", `\f2\'83`, `}{`, `word{\super 1}\up2 2\par{\footnote a.{\super 3}}`, "\\super a\x01\x02\\'01"} {
		f.Add([]byte(rtf(s)))
	}
	f.Fuzz(func(t *testing.T, b []byte) { lawful(t, append([]byte(`{\rtf1 `), b...), ingest.Hint{}) })
}

func TestRTFLosesNoText(t *testing.T) {
	const n = 120000
	for name, body := range map[string]string{"notes": `{\footnote word}`, "frames": `{\shptxt word}`} {
		if res := mustRead(t, []byte(rtf("x"+strings.Repeat(body, n)+`\par `)), ingest.Hint{}); strings.Count(res.Text, "word") != n {
			t.Errorf("%d of %d %s", strings.Count(res.Text, "word"), n, name)
		}
	}
}
