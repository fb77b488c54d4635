package text_test

import (
	"math/rand"
	"os"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/text"
)

func TestPieces(t *testing.T) {
	long := strings.Repeat("many words ", 20) + "end"
	address := "http://" + strings.Repeat("a/", 100)
	for _, c := range []struct {
		name, text string
		want       []string // kind, colon, text
	}{
		{"sentences of a paragraph", "One two. Three\nfour.", []string{"sentence:One two.", "sentence:Three\nfour."}},
		{"heading", "# Title. More\nText.", []string{"heading:# Title. More", "sentence:Text."}},
		{"underlined heading", "Title\n=====\nText.", []string{"heading:Title\n=====", "sentence:Text."}},
		{"rule between paragraphs", "A b.\n\n---\n\nC d.", []string{"sentence:A b.", "heading:---", "sentence:C d."}},
		{"several sentences above a line are no heading", "A b. C d.\n===", []string{"sentence:A b.", "sentence:C d.\n==="}},
		{"list items", "- A b. C d\n  e.\n- F", []string{"item:- A b.", "item:C d\n  e.", "item:- F"}},
		{"a sentence at the margin is not the item's", "- A b.\nCd ef.\n- G\nh.", []string{"item:- A b.", "sentence:Cd ef.", "item:- G\nh."}},
		{"nested list", "1. A\n   - B\n   - C\n2. D", []string{"item:1. A", "item:- B", "item:- C", "item:2. D"}},
		{"second paragraph of an item", "- A\n\n  B c.\n\nD", []string{"item:- A", "item:B c.", "sentence:D"}},
		{"a year at the start of a line is no item", "It was\n1858. It\nwas.", []string{"sentence:It was\n1858.", "sentence:It\nwas."}},
		{"a number in the middle of a paragraph is no item", "It was in chapter\n12. It was.", []string{"sentence:It was in chapter\n12.", "sentence:It was."}},
		{"table", "| a | b |\n|---|---|\n| c. D | e |\nText.", []string{"row:| a | b |\n|---|---|", "row:| c. D | e |", "sentence:Text."}},
		{"table without outer bars", "a | b\n--|--\nc | d\n\nText.", []string{"row:a | b\n--|--", "row:c | d", "sentence:Text."}},
		{"fenced code", "A:\n```go\nx. Y\n\n```\nB.", []string{"sentence:A:", "code:```go\nx. Y\n\n```", "sentence:B."}},
		{"fence within a fence", "````\n```\nx\n```\n````\nB.", []string{"code:````\n```\nx\n```\n````", "sentence:B."}},
		{"open fence", "```\nx. Y\n\nz", []string{"code:```\nx. Y\n\nz"}},
		{"fence in a list", "- A\n  ```\n  x\n  ```\n  B.\n", []string{"item:- A", "code:```\n  x\n  ```", "item:B."}},
		{"indented code", "A:\n\n    x = 1\n\n    y = 2\n\nB.", []string{"sentence:A:", "code:x = 1\n\n    y = 2", "sentence:B."}},
		{"indented prose is no code", "    Dear Sir, I write to you. It is late.", []string{"sentence:Dear Sir, I write to you.", "sentence:It is late."}},
		{"block quote", "> A b.\n> C\n> d.\nE.", []string{"sentence:> A b.", "sentence:> C\n> d.", "sentence:E."}},
		{"list in a quote", "> - A\n> - B", []string{"item:> - A", "item:> - B"}},
		{"notes", "A.\n[1]: http://x.org/a\n[^2]: B.", []string{"sentence:A.", "sentence:[1]: http://x.org/a", "sentence:[^2]: B."}},
		{"bold line", "**Title**\nText.", []string{"heading:**Title**", "sentence:Text."}},
		{"bold line at the end", "Text.\n\n**Title**", []string{"sentence:Text.", "sentence:**Title**"}},
		{"bold line before the end of the last line", "**Title**\n", []string{"sentence:**Title**"}},
		{"bold line before a paragraph", "**Title**\n\nText.", []string{"heading:**Title**", "sentence:Text."}},
		{"bold sentence in more marks", "***It is so.***\nText.", []string{"sentence:***It is so.***", "sentence:Text."}},
		{"bold sentence", "**It is so.**\nText.", []string{"sentence:**It is so.**", "sentence:Text."}},
		{"bold label", "1. **Design.** The core was thin. It was.", []string{"item:1. **Design.** The core was thin.", "item:It was."}},
		{"bold sentence before others", "**It failed.** The core was thin.", []string{"sentence:**It failed.**", "sentence:The core was thin."}},
		{"line that announces", "Sources:\n[1] Marsh.\n[2] Orme.", []string{"sentence:Sources:", "sentence:[1] Marsh.", "sentence:[2] Orme."}},
		{"colon in wrapped text", "He wrote to them:\nthe cable is dead.", []string{"sentence:He wrote to them:\nthe cable is dead."}},
		{"windows lines", "# A\r\n\r\nB cd.\r\nEf\r\ng.\r\n", []string{"heading:# A", "sentence:B cd.", "sentence:Ef\r\ng."}},
		{"code span", "Use `a. B` now. Yes.", []string{"sentence:Use `a. B` now.", "sentence:Yes."}},
		{"open code span", "Use `a. B now.", []string{"sentence:Use `a.", "sentence:B now."}},
		{"lines that are paragraphs", long + "\nShare this\nMore text", []string{"sentence:" + long, "sentence:Share this", "sentence:More text"}},
		{"long address in wrapped text", address + "\nis here\nField said.", []string{"sentence:" + address + "\nis here\nField said."}},
		{"letters by which things are told apart", "It rose in 7% of those who took drug A. Nausea was rare in arm B. Company X. Patients left.", []string{"sentence:It rose in 7% of those who took drug A.", "sentence:Nausea was rare in arm B.", "sentence:Company X.", "sentence:Patients left."}},
		{"initials of names", "The patient J. Smith met J. K. Rowling. The firm A. T. Orme paid the company E. Lilly. It was vitamin A. B. Smith said so.", []string{"sentence:The patient J. Smith met J. K. Rowling.", "sentence:The firm A. T. Orme paid the company E. Lilly.", "sentence:It was vitamin A.", "sentence:B. Smith said so."}},
		{"milliseconds", "The timeout is 30 ms. By default it retries. He asked Ms. Field. It has MS. Nausea was rare.", []string{"sentence:The timeout is 30 ms.", "sentence:By default it retries.", "sentence:He asked Ms. Field.", "sentence:It has MS.", "sentence:Nausea was rare."}},
		{"list that lost its lines", "Cut it. - Seal it. - Go.", []string{"sentence:Cut it.", "sentence:- Seal it.", "sentence:- Go."}},
		{"steps behind a colon", "It takes two: 1. Cut it. 2. Seal it.", []string{"sentence:It takes two: 1. Cut it.", "sentence:2. Seal it."}},
		{"time at the end", "Shut at 9:30. She ran in 4:22:07. Mix it 3:1. Stir.", []string{"sentence:Shut at 9:30.", "sentence:She ran in 4:22:07.", "sentence:Mix it 3:1.", "sentence:Stir."}},
		{"links in brackets behind a sentence", "It ran for weeks. ([x.org](https://x.org/a_(b)?c=d)) It failed.([y](https://y.org), [z](https://z.org); [w](w.html)) Why? ([x](https://x.org)) ([y](https://y.org))\nNo.",
			[]string{"sentence:It ran for weeks. ([x.org](https://x.org/a_(b)?c=d))", "sentence:It failed.([y](https://y.org), [z](https://z.org); [w](w.html))", "sentence:Why? ([x](https://x.org)) ([y](https://y.org))", "sentence:No."}},
		{"links in brackets and words", "It ran. ([Orme](https://x.org) denies it.) It fell. (See [x](https://x.org)) He left approx. ([x](https://x.org)) five.",
			[]string{"sentence:It ran.", "sentence:([Orme](https://x.org) denies it.)", "sentence:It fell.", "sentence:(See [x](https://x.org)) He left approx. ([x](https://x.org)) five."}},
		{"links in brackets longer than is waited for", "It ran. ([x](https://x.org/" + strings.Repeat("a", 900) + ")) It fell.", []string{"sentence:It ran. ([x](https://x.org/" + strings.Repeat("a", 900) + ")) It fell."}},
		{"many links in brackets", strings.Repeat("It ran."+strings.Repeat(" ([x](https://x.org/"+strings.Repeat("a", 300)+"))", 3)+" ", 2) + "No.",
			[]string{"sentence:It ran." + strings.Repeat(" ([x](https://x.org/"+strings.Repeat("a", 300)+"))", 3), "sentence:It ran." + strings.Repeat(" ([x](https://x.org/"+strings.Repeat("a", 300)+"))", 3), "sentence:No."}},
		{"nothing", " \n\t\n", nil},
		{"lone quote mark", "A.\n\n>\n", []string{"sentence:A.", "sentence:>"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, p := range text.Pieces(c.text) {
				got = append(got, string(p.Kind)+":"+p.At.In(c.text))
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("%q\n got %q\nwant %q", c.text, got, c.want)
			}
		})
	}
}

// checkPieces holds the laws of segmentation for one text, cut at the given places.
func checkPieces(t interface{ Fatalf(string, ...any) }, s string, cuts []int) {
	pieces := text.Pieces(s)
	end := 0
	for i, p := range pieces {
		if p.At.Start < end || p.At.End > len(s) || p.At.Empty() || text.Trim(s, p.At) != p.At {
			t.Fatalf("%q: piece %d %v behind %d", s, i, p.At, end)
		}
		if gap := s[end:p.At.Start]; strings.TrimSpace(gap) != "" {
			t.Fatalf("%q: %q belongs to no piece", s, gap)
		}
		end = p.At.End
	}
	if strings.TrimSpace(s[end:]) != "" {
		t.Fatalf("%q: %q belongs to no piece", s, s[end:])
	}
	var joined strings.Builder
	sentences := text.Sentences(s)
	for _, at := range sentences {
		joined.WriteString(at.In(s))
	}
	if joined.String() != s || len(sentences) < len(pieces) {
		t.Fatalf("%q: sentences do not tile: %v", s, sentences)
	}
	joined.Reset()
	for _, b := range text.Blocks(s) {
		joined.WriteString(b.At.In(s))
	}
	if joined.String() != s {
		t.Fatalf("%q: blocks do not tile: %v", s, text.Blocks(s))
	}
	split := text.NewSplitter()
	var got []text.Piece
	last := 0
	for _, cut := range cuts {
		cut = max(last, min(cut, len(s)))
		got = append(got, split.Write(s[last:cut])...)
		last = cut
		if k := len(got) - 1; k >= 0 && got[k].At.End > cut {
			t.Fatalf("%q: %v given out at %d", s, got[k].At, cut)
		}
	}
	got = append(got, split.Write(s[last:])...)
	got = append(got, split.Close()...)
	if len(got)+len(pieces) > 0 && !reflect.DeepEqual(got, pieces) {
		t.Fatalf("%q cut at %v:\n got %v\nwant %v", s, cuts, got, pieces)
	}
}

func FuzzPieces(f *testing.F) {
	for _, file := range []string{"testdata/sentences.txt", "testdata/sentences-heldout.txt"} {
		for _, p := range labelled(f, file) {
			f.Add(p.text, int64(len(p.text)))
		}
	}
	f.Add("a\xff.\xe3\x80 B\u2029c", int64(1))
	f.Fuzz(func(t *testing.T, s string, seed int64) {
		r := rand.New(rand.NewSource(seed))
		var cuts []int
		for i := 0; i < len(s); i += 1 + r.Intn(7) {
			cuts = append(cuts, i)
		}
		checkPieces(t, s, cuts)
	})
}

// bits are what segmentation turns on, to be put together at random.
var bits = append(strings.Fields("a The Field J. Dr. U.S. e.g. p.m. No. 1858 5 1. 2. a) ``` ~~~ ` `` --- === --|-- | : . ! ? ... … 。 ！ 」 「 と 説 "+
	"क्या । ؟ د. \" ' “ ” » « ( ) [1] [CTX [1]: [^a]: ¹ ** _ z. B. z.B. et al. http://x.y/a?b. August Jahrhundert im said asked he iPhone , ; — $ xyzzy ([x](u)) ([x](u), ([x]( (["),
	" ", "  ", "    ", "\t", "\n", "\n\n", "\r\n", "\n- ", "\n1. ", "\n   ", "\n    ", "\n> ", "\n# ", "\n```\n", "\n|", "\n---\n", "\n===\n",
	"- ", "* ", "+ ", "> ", "# ", "\u2029", "\u00a0", "\u3000", "\xff", "\xe3\x80", "é", "e\u0301", "\u200b")

// TestSplitterGivesThePiecesOfTheWhole cuts random texts at random bytes.
func TestSplitterGivesThePiecesOfTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(bits), 1, 80).Draw(t, "bits"), rapid.SampledFrom([]string{"", " "}).Draw(t, "between"))
		var cuts []int
		if rapid.Bool().Draw(t, "every byte") {
			for i := range len(s) {
				cuts = append(cuts, i)
			}
		} else {
			cuts = rapid.SliceOfN(rapid.IntRange(0, len(s)), 0, 12).Draw(t, "cuts")
		}
		checkPieces(t, s, cuts)
	})
}

// TestSplitterDoesNotWait holds that a piece is given out before the next one ends.
func TestSplitterDoesNotWait(t *testing.T) {
	for _, file := range []string{"testdata/sentences.txt", "testdata/sentences-heldout.txt"} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s := strings.ReplaceAll(string(data), "║", "")
		pieces := text.Pieces(s)
		split := text.NewSplitter()
		given, due := 0, 0
		for i := range len(s) {
			given += len(split.Write(s[i : i+1]))
			for due+1 < len(pieces) && pieces[due+1].At.End <= i+1 {
				due++
			}
			if given < due {
				t.Fatalf("%s at %d: %q was not given out when %q was there", file, i+1, pieces[given].At.In(s), pieces[given+1].At.In(s))
			}
		}
	}
}

// BenchmarkSplitter writes one long sentence, a few bytes at a time: what is read again with each write is bounded.
func BenchmarkSplitter(b *testing.B) {
	s := strings.Repeat("word ", 40_000)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		split := text.NewSplitter()
		for i := 0; i < len(s); i += 4 {
			split.Write(s[i : i+4])
		}
		split.Close()
	}
}

func BenchmarkPieces(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"english", "The cable was laid by H.M.S. Agamemnon in Aug. 1858. It failed after three weeks, and Dr. Whitehouse was blamed. Was he right?\nNobody knows (see vol. 2, p. 12). "},
		{"chinese", "第一条电缆于1858年铺设。它只工作了三个星期！为什么？“停下！”他喊道。"},
		{"markdown", "## Costs\n\n- The core cost £40 a mile. It was dear.\n- The sheath\n\n| a | b |\n|---|---|\n| c | d |\n\n```\ncode\n```\n\n"},
	} {
		s := strings.Repeat(c.text, 1<<20/len(c.text))
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				text.Pieces(s)
			}
		})
	}
}

func BenchmarkWords(b *testing.B) {
	s := strings.Repeat("The cable was laid in Aug. 1858, and cost £1,000 a mile; it's said. ", 1<<14)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		text.Words(s)
	}
}

func TestTrim(t *testing.T) {
	for _, s := range []string{"", " ", " a ", "\u3000é\u00a0\n", "\xff \xfe"} {
		at := text.Trim(s, ibid.Span{End: len(s)})
		if got, want := at.In(s), strings.TrimFunc(s, unicode.IsSpace); got != want {
			t.Errorf("Trim(%q) = %q, want %q", s, got, want)
		}
	}
}

// TestSplitterForgetsWhatItGave holds the same for texts so long that a splitter drops what it gave out, and for lines too
// long for wrapped text.
func TestSplitterForgetsWhatItGave(t *testing.T) {
	for seed := range int64(40) {
		r := rand.New(rand.NewSource(seed))
		var s strings.Builder
		for s.Len() < 20_000 {
			s.WriteString(bits[r.Intn(len(bits))])
			s.WriteString(strings.Repeat("word ", r.Intn(3)*r.Intn(2)))
			if r.Intn(100) == 0 {
				s.WriteString(strings.Repeat("and so on ", 500))
			}
		}
		var cuts []int
		for i := 0; i < s.Len(); i += 1 + r.Intn(16) {
			cuts = append(cuts, i)
		}
		checkPieces(t, s.String(), cuts)
	}
}
