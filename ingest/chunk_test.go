package ingest_test

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/ingest"
)

// checkChunks holds the chunks of a document against the laws.
func checkChunks(t interface {
	Helper()
	Fatalf(string, ...any)
}, doc ibid.Document) []ibid.Chunk {
	t.Helper()
	chunks := ingest.Chunks(doc)
	end, units := 0, ibid.Units{}
	for i, c := range chunks {
		at := c.At.Span
		if at.Start < end || at.Empty() || at.End > len(doc.Text) {
			t.Fatalf("chunk %d at %v overlaps, is empty or lies outside; the one before ends at %d of %d", i, at, end, len(doc.Text))
		}
		if gap := doc.Text[end:at.Start]; strings.TrimSpace(gap) != "" {
			t.Fatalf("chunk %d: %q before it is in no chunk", i, gap)
		}
		if c.Text != at.In(doc.Text) {
			t.Fatalf("chunk %d: its text is not the document's", i)
		}
		if c.At.Document != doc.ID || c.Ordinal != i {
			t.Fatalf("chunk %d: document %q, ordinal %d", i, c.At.Document, c.Ordinal)
		}
		gap := doc.Text[end:at.Start]
		units.Runes += utf8.RuneCountInString(gap)
		units.UTF16 += len(utf16.Encode([]rune(gap)))
		if c.Before != units {
			t.Fatalf("chunk %d: before it are %+v, not %+v", i, units, c.Before)
		}
		units.Runes += utf8.RuneCountInString(c.Text)
		units.UTF16 += len(utf16.Encode([]rune(c.Text)))
		if want := doc.Outline.Page(at.Start); c.Page != want {
			t.Fatalf("chunk %d: page %d, the outline says %d", i, c.Page, want)
		}
		if want := doc.Outline.Headings(at.Start); len(want)+len(c.Heading) > 0 && !reflect.DeepEqual(c.Heading, want) {
			t.Fatalf("chunk %d: headings %q, the outline says %q", i, c.Heading, want)
		}
		for _, off := range []int{at.Start, (at.Start + at.End) / 2, at.End - 1} {
			if got, want := c.Locator(off), doc.Outline.Locator(off); got != want {
				t.Fatalf("chunk %d at %d: locator %q, the outline says %q", i, off, got, want)
			}
		}
		end = at.End
	}
	if rest := doc.Text[end:]; strings.TrimSpace(rest) != "" {
		t.Fatalf("%q at the end is in no chunk", rest)
	}
	return chunks
}

// checkResult holds a result against the laws that every reader keeps.
func checkResult(t interface {
	Helper()
	Fatalf(string, ...any)
}, res ingest.Result) []ibid.Chunk {
	t.Helper()
	if !utf8.ValidString(res.Text) {
		t.Fatalf("the text is not valid UTF-8")
	}
	if strings.ContainsAny(res.Text, "\x00\r\f") {
		t.Fatalf("the text holds control characters")
	}
	last := 0
	for i, m := range res.Outline {
		if m.At < last || m.At > len(res.Text) {
			t.Fatalf("mark %d %+v out of order or outside of %d bytes", i, m, len(res.Text))
		}
		if (m.Page > 0) == (m.Heading != "") {
			t.Fatalf("mark %d %+v is not one of page and heading", i, m)
		}
		if m.Heading != "" && !strings.HasPrefix(res.Text[m.At:], m.Heading) {
			t.Fatalf("mark %d: the heading %q does not stand at %d", i, m.Heading, m.At)
		}
		last = m.At
	}
	return checkChunks(t, ibid.Document{ID: ibid.HashText(res.Text), Text: res.Text, Outline: res.Outline})
}

func words(n int, word string) string { return strings.TrimSpace(strings.Repeat(word+" ", n)) }

func sentences(n int) string { return words(n, "The cable was laid in a calm sea by two ships.") }

func TestChunksFollowTheStructure(t *testing.T) {
	md := "# Cables\n\n## 1858\n\n" + sentences(8) + "\n\n" + sentences(2) + "\n\n## 1866\n\nShort.\n\n- one\n- two\n- three\n\n# Ships\n\n" + sentences(60)
	res, err := ingest.Read(context.Background(), []byte(md), ingest.Hint{Name: "a.md"})
	if err != nil {
		t.Fatal(err)
	}
	chunks := checkResult(t, res)
	var starts []string
	for _, c := range chunks {
		first, _, _ := strings.Cut(c.Text, "\n")
		starts = append(starts, first)
		if n := len(strings.Fields(c.Text)); n > 260 {
			t.Errorf("a chunk of %d words", n)
		}
	}
	if len(chunks) < 5 || starts[0] != "Cables" || starts[1] != "1866" || starts[2] != "Ships" {
		t.Fatalf("chunks begin with %q", starts)
	}
	if !strings.Contains(chunks[0].Text, "1858") || len(chunks[0].Breaks) != 1 {
		t.Errorf("a heading without text goes with the next one: %q, breaks %v", chunks[0].Text, chunks[0].Breaks)
	}
	if !strings.Contains(chunks[1].Text, "Short.\n\n- one\n- two\n- three") {
		t.Errorf("a list was torn from its paragraph: %q", chunks[1].Text)
	}
	for _, c := range chunks[2:] {
		if len(c.Heading) != 1 || c.Heading[0] != "Ships" {
			t.Errorf("heading path %q", c.Heading)
		}
		if !strings.HasSuffix(c.Text, ".") {
			t.Errorf("a sentence was cut: %q", c.Text)
		}
	}
}

func TestShortRestGoesWithWhatStandsBefore(t *testing.T) {
	text := sentences(14) + "\n\n" + sentences(2)
	if chunks := checkChunks(t, ibid.Document{ID: "d", Text: text}); len(chunks) != 1 {
		t.Errorf("%d chunks", len(chunks))
	}
	text = sentences(5) + "\n\n" + sentences(18)
	if chunks := checkChunks(t, ibid.Document{ID: "d", Text: text}); len(chunks) != 1 {
		t.Errorf("a short beginning: %d chunks", len(chunks))
	}
	text = sentences(12) + "\n\n" + sentences(12)
	if chunks := checkChunks(t, ibid.Document{ID: "d", Text: text}); len(chunks) != 2 {
		t.Errorf("two paragraphs of good size: %d chunks", len(chunks))
	}
}

func TestChunkSizes(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"many short paragraphs", strings.Repeat("A short one of six words.\n\n", 500)},
		{"one long paragraph", sentences(400)},
		{"no punctuation", words(5000, "word")},
		{"no spaces", strings.Repeat("x", 100000)},
		{"Chinese", strings.Repeat("第一条电缆于一八五八年铺设。", 400)},
		{"Thai", strings.Repeat("สายเคเบิลเส้นแรก", 400)},
		{"long list", strings.Repeat("- an item of the list that goes on\n", 400)},
		{"table", strings.Repeat("1858 | 2,500 nautical miles | failed\n", 400)},
		{"emoji", strings.Repeat("👩‍🚀", 3000)},
	} {
		t.Run(c.name, func(t *testing.T) {
			chunks := checkChunks(t, ibid.Document{ID: "d", Text: c.text})
			small := 0
			for _, ch := range chunks {
				if len(ch.Text) > 4000 {
					t.Errorf("a chunk of %d bytes", len(ch.Text))
				}
				if len(ch.Text) < 200 {
					small++
				}
			}
			if small > 1 || len(chunks) < 2 {
				t.Errorf("%d chunks, %d of them tiny", len(chunks), small)
			}
		})
	}
}

func TestChunkLaws(t *testing.T) {
	piece := rapid.SampledFrom([]string{"\n", "\n\n", " ", "\t", "a", "Heading", "é", "𝔘", "- item\n", "x | y | z\n", "\u2003", "\u0085", sentences(3), sentences(25), words(70, "w"), "1. "})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "text"), "")
		var outline ibid.Outline
		at := 0
		for range rapid.IntRange(0, 6).Draw(t, "marks") {
			at = rapid.IntRange(at, len(text)).Draw(t, "at")
			for at < len(text) && !utf8.RuneStart(text[at]) {
				at++
			}
			if rapid.Bool().Draw(t, "page") {
				outline = append(outline, ibid.Mark{At: at, Page: rapid.IntRange(1, 9).Draw(t, "n")})
				continue
			}
			h := "Heading"
			if rest := strings.FieldsFunc(text[at:], unicode.IsSpace); len(rest) > 0 && rapid.Bool().Draw(t, "there") {
				h = rest[0]
			}
			outline = append(outline, ibid.Mark{At: at, Heading: h, Level: rapid.IntRange(0, 4).Draw(t, "level")})
		}
		doc := ibid.Document{ID: "d", Text: text, Outline: outline}
		if a, b := checkChunks(t, doc), ingest.Chunks(doc); !reflect.DeepEqual(a, b) {
			t.Fatalf("two runs differ")
		}
	})
}
