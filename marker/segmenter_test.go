package marker_test

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/marker"
)

func drafts(s marker.Segmented) string {
	var parts []string
	for _, d := range s.Drafts {
		p := fmt.Sprintf("%q", d.Text)
		if c := d.Claimed; c != nil {
			p += fmt.Sprintf(" %s%v", c.Origin, c.Refs)
			if len(c.Dangling) > 0 {
				p += fmt.Sprintf("!%v", c.Dangling)
			}
		}
		parts = append(parts, p)
	}
	return strings.Join(parts, " ")
}

func TestSegment(t *testing.T) {
	for _, c := range []struct{ name, raw, want string }{
		{"the seed's two segments", "{{rag:Java records are immutable[CTX 1]}} {{llm:similar to Kotlin data classes}}", `"Java records are immutable" RAG[1] "similar to Kotlin data classes" LLM[]`},
		{"text outside of markers claims nothing", "{{rag:The cable failed[CTX 1]}}, which surprised everyone.", `"The cable failed" RAG[1] ", which surprised everyone."`},
		{"a full stop behind the marker belongs to it", "{{rag:The cable failed[CTX 1]}}. It rained.", `"The cable failed." RAG[1] "It rained."`},
		{"one marker over two sentences", "{{rag:The cable failed. Nobody knew why.[CTX 2]}}", `"The cable failed." RAG[2] "Nobody knew why." RAG[2]`},
		{"references behind and before the full stop", "The cable failed. [1] It was mended [2]. It rained.", `"The cable failed." RAG[1] "It was mended." RAG[2] "It rained."`},
		{"reference behind a marker", "{{rag:The cable failed}} [CTX 1]. It rained.", `"The cable failed." RAG[1] "It rained."`},
		{"dangling", "The cable failed [9].", `"The cable failed." RAG[]![9]`},
		{"late definitions are not part of the claim", "The cable failed.[^1]\n\n[^1]: https://example.org/cable", `"The cable failed." "[^1]: https://example.org/cable"`},
		{"the sign of a list item is no part of it", "1. The cable failed [1].\n2) It rained [2].\n- - Nobody knew.\n\na.b is no item. 3. is not one either", `"The cable failed." RAG[1] "It rained." RAG[2] "- Nobody knew." "a.b is no item." "3. is not one either"`},
		{"reference behind a gap that did not wait for it", "The cable failed. It rained." + strings.Repeat(" ", 1024) + "[CTX 2] It was mended.", `"The cable failed." "It rained." "It was mended." RAG[2]`},
		{"leading reference", "[CTX 2] The cable failed. It rained.", `"The cable failed." RAG[2] "It rained."`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := drafts(marker.Segment(c.raw, five)); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

// checkSegments holds the drafts against the law of drafts, and any cut of the answer against the whole.
func checkSegments(t interface{ Fatalf(string, ...any) }, raw string, step int) {
	whole := marker.Segment(raw, five)
	end := 0
	for _, d := range whole.Drafts {
		if d.At.Start < end || d.At.In(whole.Text) != d.Text || d.At.Empty() {
			t.Fatalf("draft %v %q of %q", d.At, d.Text, whole.Text)
		}
		end = d.At.End
	}
	s := marker.NewSegmenter(five)
	var got marker.Segmented
	add := func(o marker.Segmented) {
		got.Text += o.Text
		got.Drafts = append(got.Drafts, o.Drafts...)
		got.Late = append(got.Late, o.Late...)
	}
	for i := 0; i < len(raw); i += step {
		add(s.Write(raw[i:min(len(raw), i+step)]))
	}
	add(s.Close())
	if !reflect.DeepEqual(got, whole) {
		t.Fatalf("in steps of %d\n got %s\nwant %s", step, drafts(got), drafts(whole))
	}
}

func TestSegmentsOfAnyCutAreTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkSegments(t, genRaw().Draw(t, "raw"), rapid.IntRange(1, 9).Draw(t, "step"))
	})
}

func FuzzSegmenter(f *testing.F) {
	for _, c := range cases {
		if len(c.raw) < 500 {
			f.Add(c.raw, byte(3))
		}
	}
	f.Fuzz(func(t *testing.T, raw string, step byte) {
		if len(raw) < 6000 {
			checkSegments(t, raw, 1+int(step%9))
		}
	})
}

func TestClaimedOfMixedOrigins(t *testing.T) {
	out := marker.Parse("{{rag:One thing[CTX 1]}} and {{llm:another}}.", five)
	c := marker.Claimed(out.Marks, ibid.Span{Start: 0, End: len(out.Text)})
	if c == nil || c.Origin != ibid.HYBRID || !reflect.DeepEqual(c.Refs, []int{1}) {
		t.Errorf("got %+v, want HYBRID with reference 1", c)
	}
	if c := marker.Claimed(out.Marks, ibid.Span{Start: len(out.Text) - 1, End: len(out.Text)}); c != nil {
		t.Errorf("the full stop claims %+v", c)
	}
}

// Many footnotes of one sentence that are defined behind it are put to it all at once: one after the other, each with all before it, they
// take hours. What is claimed is what each of them says, in their order, after what was claimed before.
func TestManyLateFootnotes(t *testing.T) {
	const n = 20_000
	var in strings.Builder
	in.WriteString("It failed [CTX 1]")
	for i := range n {
		fmt.Fprintf(&in, " a[^%d]", i+2)
	}
	in.WriteString(".\n\n")
	for i := range n {
		fmt.Fprintf(&in, "[^%d]: see there\n", i+2)
	}
	drafts := marker.Segment(in.String(), marker.Config{Passages: 3}).Whole()
	c := drafts[0].Claimed
	if c == nil || c.Origin != ibid.RAG || !slices.Equal(c.Refs, []int{1, 2, 3}) || len(c.Dangling) != n-2 || c.Dangling[0] != 4 || c.Dangling[n-3] != n+1 {
		t.Errorf("%d segments, the first claims %+v", len(drafts), c)
	}
}

// What is done for an answer grows with its length and no faster, however small its pieces are: bytes that are allocated are counted,
// as every copy of what is held is one of them.
func TestWorkGrowsWithTheAnswer(t *testing.T) {
	for _, unit := range []string{"word ", "code\n", "{{rag:a}}", "[1]", "`", "[x](http://", "“", "\n", "([x](u), ", "東。"} {
		work := func(n int) uint64 {
			raw := strings.Repeat(unit, n/len(unit))
			if unit == "code\n" {
				raw = "```\n" + raw
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			s := marker.NewSegmenter(five)
			for i := 0; i < len(raw); i += 5 {
				s.Write(raw[i:min(len(raw), i+5)])
			}
			s.Close()
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		if one, two := work(20_000), work(40_000); two > 3*one {
			t.Errorf("%q: %d bytes for an answer, %d for one of twice its length", unit, one, two)
		}
	}
}

// Marks are looked at by the segments near them: a sentence of many parts does not ask each of its marks for each of its parts.
func TestMarksAreAskedByTheSegmentsNearThem(t *testing.T) {
	for _, unit := range []string{"{{rag:a}}", "{{rag:a}}[1]", "{{rag:A. }}", "{{rag:a}} b [1] ", "{{rag:!}}", "a [1] ", "! [9]", "{{rag:a {{llm:b [2]}} c}}, ", "- {{llm:a}}\n"} {
		raw := strings.Repeat(unit, 2000)
		marks := marker.Parse(raw, five).Marks
		asked, drafts := marker.Asked(raw, five)
		if asked > 5*(len(marks)+drafts) {
			t.Errorf("%q: %d marks were asked %d times for %d segments", unit, len(marks), asked, drafts)
		}
	}
}
