package ingest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/ingest"
)

// The paragraphs that every file of testdata holds. All are set so narrowly that lines end within words, columns and
// pages within sentences.
var cableParagraphs = []string{
	"The idea of a telegraph line under the Atlantic was thought impossible by many engineers of the eighteen-fifties. They pointed out that no ship could carry the whole length of the cable, that nobody knew the shape of the sea floor, and that a current sent through two thousand miles of wire might never be felt at the other end.",
	"Cyrus Field, a paper merchant from New York, was not an engineer and did not share their fears. He raised money on both sides of the ocean, hired two warships, and set out in the summer of 1857. The line parted after 380 miles; the brake on the paying-out machine had been set too tight.",
	"A second attempt in June 1858 failed three times. On the third the ships were far apart, and one of them met a whale. In August of the same year the cable was complete at last: it ran from Valentia Island in Ireland to Trinity Bay in Newfoundland and carried its first message on 16 August 1858.",
	"The message of greeting from Queen Victoria had 98 words and took sixteen hours to send. For three weeks the line worked, more and more faintly. Then it fell silent. A high voltage that was meant to strengthen the signal had burnt through the insulation.",
	"Cable-laying machinery was improved after each failure, and the cable-laying crews learned to splice on a rolling deck. Thomson's mirror galvanometer, an instrument of extraordinary sensitivity, made messages readable that no ordinary telegraph could notice; the electrician's representatives acknowledged his accomplishment only reluctantly.",
}

func readTestdata(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestRealFiles(t *testing.T) {
	for _, c := range []struct {
		file     string
		pages    int
		times    int // how often the paragraphs stand there
		headings string
	}{
		{"latex.pdf", 3, 2, "1:The First Atlantic Cables, 2:1 The idea, 2:2 The work"},
		{"weasyprint.pdf", 5, 2, "1:The First Atlantic Cables, 2:The idea, 2:The work"},
		{"ghostscript.pdf", 3, 2, "1:The First Atlantic Cables, 2:1. The idea, 2:2. The work"},
		{"gropdf.pdf", 3, 2, "1:The First Atlantic Cables, 2:1. The idea, 2:2. The work"},
		{"libreoffice.pdf", 5, 2, "1:The idea, 1:The work"}, // its first page is blank
		{"cairo.pdf", 1, 1, ""},
		{"linearized.pdf", 5, 2, "1:The First Atlantic Cables, 2:The idea, 2:The work"},
		{"owner40.pdf", 5, 2, "1:The First Atlantic Cables, 2:The idea, 2:The work"},
		{"owner128.pdf", 5, 2, "1:The First Atlantic Cables, 2:The idea, 2:The work"},
		{"owner256.pdf", 5, 2, "1:The First Atlantic Cables, 2:The idea, 2:The work"},
		{"libreoffice.docx", 0, 2, "1:The First Atlantic Cables, 2:The idea, 2:The work"},
		{"libreoffice.odt", 0, 2, "1:The First Atlantic Cables, 2:The idea, 2:The work"},
		{"libreoffice.rtf", 0, 2, "1:The First Atlantic Cables, 2:The idea, 2:The work"},
		{"pandoc.epub", 0, 2, "1:The First Atlantic Cables, 1:The First Atlantic Cables, 2:The idea, 2:The work"},
	} {
		t.Run(c.file, func(t *testing.T) {
			res, err := ingest.Read(context.Background(), readTestdata(t, c.file), ingest.Hint{})
			if err != nil {
				t.Fatal(err)
			}
			checkResult(t, res)
			text := strings.ReplaceAll(res.Text, "’", "'")
			blocks := strings.Split(text, "\n\n")
			for _, p := range cableParagraphs {
				n := 0
				for _, b := range blocks {
					if b == p {
						n++
					}
				}
				if n != c.times {
					t.Errorf("%d times, want %d: %s", n, c.times, p)
				}
			}
			for _, running := range []string{"Telegraph Studies", "Page 2", "\n2\n", "-2-"} {
				if strings.Contains(text, running) {
					t.Errorf("a running head is in the text: %q", running)
				}
			}
			if c.file != "cairo.pdf" && !strings.Contains(text, "Copper wire of seven strands; it was difficult to find efficient workshops.") {
				t.Error("an item of the list is missing")
			}
			if got := res.Reference.Title(); got != "The First Atlantic Cables" && c.file != "cairo.pdf" {
				t.Errorf("title %q", got)
			}
			var pages int
			var headings []string
			for _, m := range res.Outline {
				if m.Page > 0 {
					pages++
				} else {
					headings = append(headings, fmt.Sprintf("%d:%s", m.Level, m.Heading))
				}
			}
			if pages != c.pages || strings.Join(headings, ", ") != c.headings {
				t.Errorf("%d pages, headings %q", pages, headings)
			}
		})
	}
}

// A quote must get the page that it stands on: the page of each mark is the page on which poppler sees the same words.
func TestPagesOfQuotes(t *testing.T) {
	res, err := ingest.Read(context.Background(), readTestdata(t, "weasyprint.pdf"), ingest.Hint{})
	if err != nil {
		t.Fatal(err)
	}
	for quote, page := range map[string]int{
		"The First Atlantic Cables": 1, "of the ocean, hired two warships": 1, "machine had been set too tight": 2, "Gutta-percha from Malaya": 2,
	} {
		at := strings.Index(res.Text, quote)
		if at < 0 || res.Outline.Page(at) != page {
			t.Errorf("%q stands on page %d, want %d", quote, res.Outline.Page(max(at, 0)), page)
		}
	}
}

// pdfFile writes a small PDF. Each page is a content stream; all share fonts that need no description: F1, the bold F2, F3 whose
// letters from a to i are right-to-left ones, and F4 that has a small form of 1 as B, and a narrow 2 as C.
func pdfFile(info string, pages ...string) []byte {
	var b bytes.Buffer
	var offsets []int
	obj := func(body string) {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(offsets), body)
	}
	b.WriteString("%PDF-1.4\n")
	var kids strings.Builder
	for i := range pages {
		fmt.Fprintf(&kids, "%d 0 R ", 5+2*i)
	}
	obj("<</Type/Catalog/Pages 2 0 R>>")
	obj(fmt.Sprintf("<</Type/Pages/Kids[%s]/Count %d>>", kids.String(), len(pages)))
	obj("<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
	obj(info)
	for i, p := range pages {
		obj(fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F1 3 0 R/F2<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold>>/F3<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[97/uni05D4/uni05DB/uni05D1/uni05DC/uni05E9/uni05D5/uni05DD/uniFEFB/uni0645]>>>>/F4<</Type/Font/Subtype/Type1/BaseFont/Own/FirstChar 65/LastChar 122/Widths[560 310 310"+strings.Repeat(" 560", 55)+"]/Encoding<</Differences[65/one/one/two/three]>>>>>>>>/Contents %d 0 R>>", 6+2*i))
		obj(fmt.Sprintf("<</Length %d>>stream\n%s\nendstream", len(p), p))
	}
	at := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d/Root 1 0 R/Info 4 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, at)
	return b.Bytes()
}

// show draws lines of text from a place downwards.
func show(x, y int, size int, lines ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "BT /F1 %d Tf %d TL %d %d Td\n", size, size*6/5, x, y)
	for _, l := range lines {
		fmt.Fprintf(&b, "(%s) Tj T*\n", strings.NewReplacer("(", `\(`, ")", `\)`, `\`, `\\`).Replace(l))
	}
	return b.String() + "ET\n"
}

func TestPDF(t *testing.T) {
	const none = "<<>>"
	for _, c := range []struct {
		name  string
		pages []string
		text  string
	}{
		{"lines join to paragraphs", []string{show(50, 700, 10, "The cable was laid by two", "ships in a calm sea.", "", "It worked for three weeks", "and then fell silent.")},
			"The cable was laid by two ships in a calm sea.\n\nIt worked for three weeks and then fell silent."},
		{"words parted at a line's end are mended", []string{show(50, 700, 10, "The tele-", "graph line was laid by cable-", "ships; other cable-ships stayed.")},
			"The telegraph line was laid by cable-ships; other cable-ships stayed."},
		{"a sentence runs over a page", []string{show(50, 100, 10, "He said that the cable", "which was laid by the"), show(50, 700, 10, "two ships in the summer", "had fallen silent.")},
			"He said that the cable which was laid by the two ships in the summer had fallen silent."},
		{"columns in the order of drawing", []string{show(50, 700, 10, "Left one is the first,", "left two ends here.") + show(320, 700, 10, "Right one is third,", "right two is last.")},
			"Left one is the first, left two ends here.\n\nRight one is third, right two is last."},
		{"gaps are spaces", []string{"BT /F1 10 Tf 50 700 Td [(The) -300 (cable) 20 (s) -250 (failed.)] TJ ET"}, "The cables failed."},
		{"a glyph drawn twice is one", []string{"BT /F1 10 Tf 50 700 Td (T) Tj ET BT /F1 10 Tf 50.3 700 Td (T) Tj ET BT /F1 10 Tf 56.1 700 Td (wo) Tj ET"}, "Two"},
		{"a line drawn twice is one", []string{show(50, 700, 10, "The shadow.") + show(51, 699, 10, "The shadow.")}, "The shadow."},
		{"a stamp up the margin is no text", []string{show(50, 700, 10, "The text of the page is here.") + "BT /F1 10 Tf 0 1 -1 0 20 300 Tm (arXiv stamp) Tj ET"}, "The text of the page is here."},
		{"a page set sideways is turned", []string{"BT /F1 10 Tf 0 1 -1 0 100 100 Tm (First line on its side,) Tj 0 1 -1 0 112 100 Tm (second line.) Tj ET"}, "First line on its side, second line."},
		{"rows of a table", []string{show(50, 700, 10, "1858") + show(150, 700, 10, "2,500 miles") + show(50, 688, 10, "1866") + show(150, 688, 10, "1,852 miles")},
			"1858 | 2,500 miles\n1866 | 1,852 miles"},
		{"a line that was spread to fill its column", []string{show(50, 700, 10, "The cable") + show(150, 700, 10, "was laid") + show(50, 688, 10, "by two ships in a calm sea.")},
			"The cable was laid by two ships in a calm sea."},
		{"what is alike on all pages is all there is", []string{show(50, 700, 10, "Draft copy"), show(50, 700, 10, "Draft copy"), show(50, 700, 10, "Draft copy")}, "Draft copy\n\nDraft copy\n\nDraft copy"},
		{"lines drawn from the bottom up", []string{show(50, 640, 10, "silent.") + show(50, 652, 10, "three weeks and then fell") + show(50, 664, 10, "calm sea, and it worked for") + show(50, 676, 10, "laid by two ships in a") + show(50, 688, 10, "The first cable was")},
			"The first cable was laid by two ships in a calm sea, and it worked for three weeks and then fell silent."},
		{"a picture in the stream is skipped", []string{"BI /W 2 /H 2 /BPC 8 ID \x00(\xff<\x80 EI " + show(50, 700, 10, "Behind the picture.")}, "Behind the picture."},
		{"a picture that its end touches", []string{"BI /W 2 /H 2 /BPC 8 ID \x00(\xffEIx\x80EI\n" + show(50, 700, 10, "Behind the picture.")}, "Behind the picture."},
		{"all escapes", []string{`BT /F1 10 Tf 50 700 Td (a\053\53b\1012\b\f (c(d\))) e\` + "\n" + `f\` + "\r\n" + `g) Tj ET`}, "a++bA2 (c(d))) efg"},
		{"escapes", []string{`BT /F1 10 Tf 50 700 Td (caf\351 \(1858\) a\\b) Tj ET`}, `café (1858) a\b`},
		{"codes without a character are bullets", []string{show(50, 700, 10, "Some text before it.") + `BT /F1 12 Tf 50 670 Td (\177) Tj ET BT /F1 9 Tf 68 673 Td (first point) Tj ET BT /F1 12 Tf 50 658 Td (\177) Tj ET BT /F1 9 Tf 68 661 Td (second point) Tj ET`}, "Some text before it.\n\n• first point\n• second point"},
		{"hex strings", []string{"BT /F1 10 Tf 50 700 Td <48 656C6C 6f> Tj ET"}, "Hello"},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := ingest.Read(context.Background(), pdfFile(none, c.pages...), ingest.Hint{})
			if err != nil {
				t.Fatal(err)
			}
			checkResult(t, res)
			if c.text != "" && res.Text != c.text {
				t.Errorf("got  %q\nwant %q", res.Text, c.text)
			}
		})
	}
}

// sideBySide draws the lines of columns row by row, as some programs do.
func sideBySide(y, size int, xs []int, cols ...[]string) string {
	var b strings.Builder
	for i := range slices.MaxFunc(cols, func(a, b []string) int { return len(a) - len(b) }) {
		for k, c := range cols {
			if i < len(c) && c[i] != "" {
				b.WriteString(show(xs[k], y-i*size*6/5, size, c[i]))
			}
		}
	}
	return b.String()
}

var (
	leftColumn = []string{"The first cable under the Atlantic was laid in", "the summer of 1858 by two ships that met in", "the middle of the ocean and steamed apart. It", "was a great success at first, and there were", "fireworks in New York and much rejoicing. The",
		"line worked for three weeks, more and more", "faintly, and then it fell silent for good. The"}
	rightColumn = []string{"reason was a high voltage that was meant to", "strengthen the signal and had burnt through", "the insulation. It was eight years before an-", "other cable was complete, and this one lasted", "for many years. Cyrus Field had crossed the",
		"ocean more than thirty times by then, and was", "sick on each of the voyages that he made."}
)

const (
	leftText  = "The first cable under the Atlantic was laid in the summer of 1858 by two ships that met in the middle of the ocean and steamed apart. It was a great success at first, and there were fireworks in New York and much rejoicing. The line worked for three weeks, more and more faintly, and then it fell silent for good. The"
	rightText = "reason was a high voltage that was meant to strengthen the signal and had burnt through the insulation. It was eight years before another cable was complete, and this one lasted for many years. Cyrus Field had crossed the ocean more than thirty times by then, and was sick on each of the voyages that he made."
)

// Whatever way a page is drawn, it is read as people do.
func TestPDFReadingOrder(t *testing.T) {
	both := func(y int) string { return sideBySide(y, 10, []int{50, 320}, leftColumn, rightColumn) }
	numbers := func(n int) []string {
		var out []string
		for i := range n {
			out = append(out, fmt.Sprint(i+1))
		}
		return out
	}
	for _, c := range []struct {
		name, text string
		pages      []string
	}{
		{"two columns drawn row by row", leftText + " " + rightText, []string{both(700)}},
		{"a narrow gutter", leftText + " " + rightText, []string{sideBySide(700, 10, []int{50, 283}, leftColumn, rightColumn)}},
		{"three columns", leftText + " " + rightText + "\n\n" + leftText, []string{sideBySide(700, 8, []int{40, 230, 420}, leftColumn, rightColumn, leftColumn)}},
		{"a title and a caption across the columns", "The Atlantic Cable\n\nJane Doe, Harbour College\n\n" + leftText + " " + rightText + "\n\nFigure 1: The route of the cable from Ireland to Newfoundland, as it was laid in 1858 and again in 1866.\n\n" + leftText + " " + rightText,
			[]string{show(150, 760, 16, "The Atlantic Cable") + show(200, 735, 10, "Jane Doe, Harbour College") + both(700) + show(50, 600, 10, "Figure 1: The route of the cable from Ireland to Newfoundland, as it was laid in 1858 and again in 1866.") + both(570)}},
		{"the rest of the columns on a second page", leftText + " " + rightText + "\n\nIt was the end of the first age of the cable in the ocean, and a new age began.", []string{both(700), sideBySide(700, 10, []int{50, 320}, []string{"It was the end of the first age", "of the cable"}, []string{"in the ocean, and", "a new age began."})}},
		{"the right column drawn first", leftText + " " + rightText, []string{show(320, 700, 10, rightColumn...) + show(50, 700, 10, leftColumn...)}},
		{"cells of a table are no columns", "Year | Ship | Result\n1858 | Agamemnon | failed\n1865 | Great Eastern | lost\n1866 | Great Eastern | complete\n1869 | Great Eastern | complete\n1873 | Hooper | complete",
			[]string{sideBySide(700, 10, []int{50, 150, 300}, []string{"Year", "1858", "1865", "1866", "1869", "1873"}, []string{"Ship", "Agamemnon", "Great Eastern", "Great Eastern", "Great Eastern", "Hooper"}, []string{"Result", "failed", "lost", "complete", "complete", "complete"})}},
		{"cells that go on below", "Year | What was done | Result\n1858 | The cable was laid by two ships | It failed after three weeks of use\n1866 | It was laid again | It lasted and was mended",
			[]string{sideBySide(700, 10, []int{50, 150, 350}, []string{"Year", "1858", "", "1866"}, []string{"What was done", "The cable was laid", "by two ships", "It was laid again"}, []string{"Result", "It failed after three", "weeks of use", "It lasted", "and was mended"})}},
		{"numbers of lines are no text", leftText, []string{sideBySide(700, 10, []int{30, 70}, numbers(7), leftColumn)}},
		{"numbers of lines drawn apart", leftText, []string{show(30, 700, 10, numbers(7)...) + show(70, 700, 10, leftColumn...)}},
		{"numbers of rows are text", "1 | The first cable of the year 1857, lost\n2 | The second of 1858, which failed\n3 | The third of 1865, lost at sea\n4 | The fourth of 1866, which lasted\n5 | The fifth of 1866, found again\n6 | The sixth of 1869, from Brest",
			[]string{sideBySide(700, 10, []int{30, 70}, numbers(6), []string{"The first cable of the year 1857, lost", "The second of 1858, which failed", "The third of 1865, lost at sea", "The fourth of 1866, which lasted", "The fifth of 1866, found again", "The sixth of 1869, from Brest"})}},
		{"a footnote parts no sentence", "1 See the log of the ship, p. 12.\n\nHe said that the cable which was laid by the two ships in the summer of 1858 had been made in great haste, and that nobody who knew anything of the sea would have trusted it with a message of any length.",
			[]string{show(50, 700, 10, "He said that the cable which was laid by", "the two ships in the summer of 1858 had been", "made in great haste, and that nobody who knew") + show(50, 100, 8, "1 See the log of the ship, p. 12."), show(50, 700, 10, "anything of the sea would have trusted it with", "a message of any length.")}},
		{"a footnote behind a sentence stays there", "He said that the cable was laid in haste.\n\n1 See the log of the ship, p. 12.\n\nNobody who knew anything of the sea would have trusted it.",
			[]string{show(50, 700, 10, "He said that the cable was", "laid in haste.") + show(50, 100, 8, "1 See the log of the ship, p. 12."), show(50, 700, 10, "Nobody who knew anything of the", "sea would have trusted it.")}},
		{"the large first letter of a chapter", "The first cable under the Atlantic was laid in the summer of 1858 by two ships that met in the middle of the ocean and steamed apart.",
			[]string{show(50, 690, 30, "T") + show(72, 700, 10, "he first cable under the Atlantic", "was laid in the summer of 1858") + show(50, 676, 10, "by two ships that met in the middle", "of the ocean and steamed apart.")}},
		{"a first letter that hangs down", "The first cable under the Atlantic was laid in the summer of 1858 by two ships that met in the middle of the ocean.",
			[]string{show(50, 676, 36, "T") + show(76, 700, 10, "he first cable under the Atlantic", "was laid in the summer of 1858 by", "two ships that met in the middle") + show(50, 664, 10, "of the ocean.")}},
		{"heads of two pages", leftText + " " + rightText, []string{show(50, 770, 8, "Journal of Cables, Vol. 3") + show(50, 700, 10, leftColumn...) + show(300, 20, 8, "1"), show(50, 770, 8, "Journal of Cables, Vol. 3") + show(50, 700, 10, rightColumn...) + show(300, 20, 8, "2")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := mustRead(t, pdfFile("<<>>", c.pages...), ingest.Hint{})
			checkResult(t, res)
			if res.Text != c.text {
				t.Errorf("got  %q\nwant %q", res.Text, c.text)
			}
		})
	}
}

// centred draws the rows of a table, the cells in the middle of their columns, as letters of half their size would stand.
func centred(y, size int, middles []int, rows ...[]string) string {
	var b strings.Builder
	for i, r := range rows {
		for k, c := range r {
			if c != "" {
				b.WriteString(show(middles[k]-len(c)*size/4, y-i*size*8/5, size, c))
			}
		}
	}
	return b.String()
}

func TestPDFTables(t *testing.T) {
	ships := [][]string{{"Year", "Ship", "Miles laid"}, {"1857", "Niagara", "380"}, {"1858", "Agamemnon, Niagara", "2,050"}, {"1865", "Great Eastern", "1,200"}}
	for _, c := range []struct{ name, text, page string }{
		{"centred cells", "Year | Ship | Miles laid\n1857 | Niagara | 380\n1858 | Agamemnon, Niagara | 2,050\n1865 | Great Eastern | 1,200", centred(700, 10, []int{60, 130, 210}, ships...)},
		{"cells close together", "1857 | Niagara | 380\n1858 | Gorgon | 20\n1865 | Medway | 12\n1866 | Albany | 100",
			sideBySide(700, 10, []int{50, 83, 130}, []string{"1857", "1858", "1865", "1866"}, []string{"Niagara", "Gorgon", "Medway", "Albany"}, []string{"380", "20", "12", "100"})},
		{"words that are spread are no cells", "The first cable under the Atlantic was laid by two ships that met in the middle of the ocean and steamed apart.",
			show(50, 700, 10, "The first cable") + show(130, 700, 10, "under") + show(50, 688, 10, "the Atlantic was laid by") + show(50, 676, 10, "two ships") + show(104, 676, 10, "that met in") + show(50, 664, 10, "the middle of the ocean") + show(50, 652, 10, "and steamed apart.")},
		{"words that are spread line after line", "abandoned headphone happened unopened unneeded happened a bee happened on a headphone abandoned", // all of its letters are as wide
			"BT /F1 10 Tf 12 TL 50 700 Td [(abandoned) -2772 (headphone) -2772 (happened)] TJ T* [(unopened) -3328 (unneeded) -3328 (happened)] TJ T* (a bee happened on a headphone abandoned) Tj ET"},
		{"two words spread between full lines", "a bee happened on a headphone abandoned abandoned headphone headphone abandoned a bee happened on a headphone abandoned",
			"BT /F1 10 Tf 12 TL 50 700 Td (a bee happened on a headphone abandoned) Tj T* [(abandoned) -9992 (headphone)] TJ T* [(headphone) -9992 (abandoned)] TJ T* (a bee happened on a headphone abandoned) Tj ET"},
		{"items of a list are no cells", "• the first item\n• the second item\n• the third item\n• the fourth item", strings.ReplaceAll(sideBySide(700, 10, []int{50, 68}, []string{"*", "*", "*", "*"}, []string{"the first item", "the second item", "the third item", "the fourth item"}), "(*)", `(\225)`)},
		{"cells that are empty keep their place", "| 1857 | 1858\nMiles laid | 380 | 2,050\nMessages | | 732\nShips | 2 | 2", sideBySide(700, 10, []int{50, 150, 250}, []string{"", "Miles laid", "Messages", "Ships"}, []string{"1857", "380", "", "2"}, []string{"1858", "2,050", "732", "2"})},
		{"a bold head", "Year | Ship\n1857 | Niagara", strings.ReplaceAll(sideBySide(700, 10, []int{50, 150}, []string{"Year"}, []string{"Ship"}), "/F1", "/F2") + sideBySide(688, 10, []int{50, 150}, []string{"1857"}, []string{"Niagara"})},
		{"cells drawn one after the other", "Ship | What it did | Captain\nAgamemnon | It carried half of the cable from Valentia and met the Niagara in mid-ocean. | Preedy\nNiagara | It carried the rest. | Hudson",
			sideBySide(700, 10, []int{50, 150, 350}, []string{"Ship"}, []string{"What it did"}, []string{"Captain"}) + show(50, 680, 10, "Agamemnon") + show(150, 680, 10, "It carried half of the cable from", "Valentia and met the Niagara", "in mid-ocean.") + show(350, 680, 10, "Preedy") +
				sideBySide(636, 10, []int{50, 150, 350}, []string{"Niagara"}, []string{"It carried the rest."}, []string{"Hudson"})},
		{"a tall cell beside the middle of which the others stand", "Year | What it did | Captain\n1857 | The line parted after a few miles of it were laid. | Hudson\n1858 | It worked. | Preedy",
			sideBySide(700, 10, []int{50, 150, 350}, []string{"Year"}, []string{"What it did"}, []string{"Captain"}) + show(50, 662, 10, "1857") + show(150, 674, 10, "The line parted", "after a few miles", "of it were laid.") + show(350, 662, 10, "Hudson") + sideBySide(624, 10, []int{50, 150, 350}, []string{"1858"}, []string{"It worked."}, []string{"Preedy"})},
		{"names below each other are not one cell", "Group | Ship\nFirst | Great Eastern\n\nAlbany", sideBySide(700, 10, []int{50, 150}, []string{"Group", "First", ""}, []string{"Ship", "Great Eastern", "Albany"})},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := mustRead(t, pdfFile("<<>>", c.page), ingest.Hint{})
			checkResult(t, res)
			if got := strings.ReplaceAll(res.Text, "|  |", "| |"); got != c.text {
				t.Errorf("got  %q\nwant %q", got, c.text)
			}
		})
	}
}

// line draws text in which <1> stands for a small 1 above the line, and {abc} for letters of the font F3.
func line(x, y int, s string) string {
	s = strings.NewReplacer("<", ") Tj /F1 7 Tf 4 Ts (", ">", ") Tj /F1 10 Tf 0 Ts (", "{", ") Tj /F3 10 Tf (", "}", ") Tj /F1 10 Tf (").Replace(s)
	return fmt.Sprintf("BT /F1 10 Tf %d %d Td (%s) Tj ET\n", x, y, s)
}

func TestPDFSigns(t *testing.T) {
	for _, c := range []struct{ name, text, page string }{
		{"raised numbers of notes stand in brackets", "It failed.[1] The cable[2,3] of 1858[4] held.", line(50, 700, "It failed.<1> The cable<2,3> of 1858<4> held.")},
		{"digits that a font raises", "it failed[1] in the year 11 of 11^1 men.\n\n[1] see it.", "BT /F4 10 Tf 40 TL 50 700 Td (it failedB in the year AA of AAB men.) Tj T* (Bsee it.) Tj ET"},
		{"digits that are stretched on the page", "in the year 11 of 11", "BT /F4 10 Tf 50 700 Td (in the year AA of ) Tj 60 Tz (AA) Tj ET"},
		{"digits that are narrow in their font", "in the year 122", "BT /F4 10 Tf 50 700 Td (in the year ACC) Tj ET"},
		{"powers stay", "10^6 of 5 m2, the 5th, 14C and 10^-3.", line(50, 700, "10<6> of 5 m<2>, the 5<th>, <14>C and 10<-3>.")},
		{"numbers that open notes", "The text.\n\n[1] See the log.\n[12] A note.", line(50, 700, "The text.") + line(50, 660, "<1>See the log.") + line(50, 648, "<12>A note.")},
		{"an isotope opens no note", "14C is old.", line(50, 700, "<14>C is old.")},
		{"Hebrew drawn from the left", "הכבל 1858 שלום.", line(50, 700, ".{gfde} 1858 {dcba}")},
		{"a word of Hebrew in English", "The word שלום and 12 more.", line(50, 700, "The word {gfde} and 12 more.")},
		{"English and numbers in Hebrew", "הכבל Great Eastern שלום 1,852 של שלום", line(50, 700, "{gfde} {de} 1,852 {gfde} Great Eastern {dcba}")},
		{"Arabic letters by their shape", "ملام", line(50, 700, "{ihi}")},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := mustRead(t, pdfFile("<<>>", c.page), ingest.Hint{})
			checkResult(t, res)
			if res.Text != c.text {
				t.Errorf("got  %q\nwant %q", res.Text, c.text)
			}
		})
	}
}

// A footnote that is moved before its paragraph keeps its page, and so does the paragraph.
func TestPDFPagesAroundFootnotes(t *testing.T) {
	res := mustRead(t, pdfFile("<<>>", show(50, 700, 10, "The page begins with its one paragraph,", "which was written by somebody who had")+show(50, 100, 8, "1 A note of page one."),
		show(50, 700, 10, "been there, and ends on the second page.")), ingest.Hint{})
	checkResult(t, res)
	for quote, page := range map[string]int{"1 A note of page one.": 1, "The page begins": 1, "somebody who had": 1, "been there": 2} {
		if got := res.Outline.Page(strings.Index(res.Text, quote)); got != page {
			t.Errorf("%q on page %d, want %d", quote, got, page)
		}
	}
}

// Distances between paragraphs are not those of lines, however many of them a letter has.
func TestPDFShortParagraphs(t *testing.T) {
	res := mustRead(t, pdfFile("<<>>", show(50, 700, 10, "The cable was laid by two ships in a calm sea, and", "it was done.")+show(50, 664, 10, "It worked.")+show(50, 640, 10, "It failed.")+show(50, 616, 10, "Field wept.")+show(50, 592, 10, "The end.")), ingest.Hint{})
	if want := "The cable was laid by two ships in a calm sea, and it was done.\n\nIt worked.\n\nIt failed.\n\nField wept.\n\nThe end."; res.Text != want {
		t.Errorf("got  %q\nwant %q", res.Text, want)
	}
}

// Two pages have running heads where both have the same words at the same place of their edge.
func TestPDFHeadsOfTwoPages(t *testing.T) {
	page := func(y int, text string) string {
		return show(50, 770, 10, "Report on Cables") + show(50, y, 10, text, "which ends here.", "", "Then another.") + show(50, 20, 10, "Harbour College")
	}
	if res := mustRead(t, pdfFile("<<>>", page(700, "This is the first,"), page(700, "This is the second,")), ingest.Hint{}); strings.Contains(res.Text, "Report") || strings.Contains(res.Text, "Harbour") {
		t.Errorf("running heads in %q", res.Text)
	}
	text := func(y int) string {
		return show(50, y, 10, "Said twice.", "", "And then some", "other words.", "", "The end of it.")
	}
	if res := mustRead(t, pdfFile("<<>>", text(700), text(600)), ingest.Hint{}); strings.Count(res.Text, "Said twice.") != 2 {
		t.Errorf("words at another place are left out of %q", res.Text)
	}
}

func TestPDFRunningHeads(t *testing.T) {
	var pages []string
	for i := range 6 {
		pages = append(pages, show(50, 780, 8, fmt.Sprintf("Journal of Cables 12 (2021) %d", i+101))+
			show(50, 700, 10, fmt.Sprintf("Page number %c has text of its own,", 'A'+i), "which ends here.")+show(300, 20, 8, fmt.Sprint(i+1)))
	}
	res, err := ingest.Read(context.Background(), pdfFile("<<>>", pages...), ingest.Hint{})
	if err != nil {
		t.Fatal(err)
	}
	checkResult(t, res)
	if strings.Contains(res.Text, "Journal") || strings.Count(res.Text, "which ends here.") != 6 || strings.Count(res.Text, "\n\n") != 5 {
		t.Errorf("text %q", res.Text)
	}
	if outlineOf(res) != "p1, p2, p3, p4, p5, p6" {
		t.Errorf("outline %s", outlineOf(res))
	}
}

func TestPDFReference(t *testing.T) {
	first := show(50, 750, 20, "On the Laying of Cables") + show(50, 700, 10, "https://doi.org/10.1234/cable.5678.", "", "The text of the paper, which is long enough.")
	for _, c := range []struct {
		name, info, title, author string
		year                      int
	}{
		{"info", "<</Title(On the Laying of Cables)/Author(Jane van der Berg; IBM)/CreationDate(D:20190304120000Z)>>", "On the Laying of Cables", "Jane van der Berg, IBM", 2019},
		{"the title of a program is none", "<</Title(Microsoft Word - draft_v3.docx)/Author(admin)>>", "On the Laying of Cables", "", 0},
		{"a title that the page does not know", "<</Title(IEEE Paper Template)>>", "On the Laying of Cables", "", 0},
		{"UTF-16", "<</Title<FEFF004F006E00200074006800650020004C006100790069006E00670020006F00660020004300610062006C00650073>>>", "On the Laying of Cables", "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := ingest.Read(context.Background(), pdfFile(c.info, first), ingest.Hint{})
			if err != nil {
				t.Fatal(err)
			}
			var authors []string
			for _, n := range res.Reference.Names["author"] {
				authors = append(authors, n.String())
			}
			r := res.Reference
			if r.Title() != c.title || strings.Join(authors, ", ") != c.author || r.Year() != c.year || r.DOI() != "10.1234/cable.5678" || r.Type != "article-journal" {
				t.Errorf("reference %+v", r)
			}
		})
	}
}

// A broken table of contents is built again from the file.
func TestPDFRepair(t *testing.T) {
	good := pdfFile("<<>>", show(50, 700, 10, "The text is still there."))
	for name, b := range map[string][]byte{
		"wrong offsets":      bytes.ReplaceAll(good, []byte("00000 n"), []byte("00007 n")),
		"shifted":            append([]byte("junk before\n"), good...),
		"wrong startxref":    bytes.Replace(good, []byte("startxref\n"), []byte("startxref\n1"), 1)[:len(good)+1],
		"no table":           bytes.Replace(good, []byte("xref\n0"), []byte("xxxx\n0"), 1),
		"wrong length":       bytes.Replace(good, []byte("/Length "), []byte("/Length 9"), 1),
		"endobj is missing":  bytes.ReplaceAll(good, []byte("endobj"), []byte("      ")),
		"offsets off by one": append([]byte("%PDF-1.4\n\n"), good[9:]...),
	} {
		res, err := ingest.Read(context.Background(), b, ingest.Hint{})
		if name == "wrong startxref" {
			// Points behind the end: that may as well be a file that was cut.
			if !errors.Is(err, ingest.ErrTruncated) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || res.Text != "The text is still there." {
			t.Errorf("%s: %q, %v", name, res.Text, err)
		}
	}
}

func TestPDFRefused(t *testing.T) {
	real := readTestdata(t, "weasyprint.pdf")
	linear := readTestdata(t, "linearized.pdf")
	picture := strings.Replace(string(pdfFile("<<>>", "q /Im1 Do Q")), "/Font<</F1", "/XObject<</Im1<</Subtype/Image>>>>/Font<</F1", 1)
	for _, c := range []struct {
		name string
		in   []byte
		why  error
		says string
	}{
		{"with a password", readTestdata(t, "password.pdf"), ingest.ErrEncrypted, "needs a password"},
		{"without text", pdfFile("<<>>", "0 0 m 10 10 l S"), ingest.ErrNoText, "no words"},
		{"a scan", []byte(picture), ingest.ErrNoText, "1 page is a picture; run text recognition"},
		{"header only", []byte("%PDF-1.7\n"), ingest.ErrTruncated, "fetch the file again"},
		{"no pages", []byte("%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer<</Root 1 0 R>>\nstartxref\n0\n%%EOF"), ingest.ErrBroken, "no pages"},
	} {
		_, err := ingest.Read(context.Background(), c.in, ingest.Hint{})
		if !errors.Is(err, c.why) || !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %v that says %q", c.name, err, c.why, c.says)
		}
	}
	for _, whole := range [][]byte{real, linear, readTestdata(t, "latex.pdf")} {
		for tenth := 1; tenth < 10; tenth++ {
			_, err := ingest.Read(context.Background(), whole[:len(whole)*tenth/10], ingest.Hint{})
			if !errors.Is(err, ingest.ErrTruncated) || !errors.Is(err, ibid.ErrInvalid) {
				t.Errorf("cut at %d0%%: %v", tenth, err)
			}
		}
	}
}
