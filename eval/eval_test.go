package eval

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
	"pgregory.net/rapid"

	"github.com/ibid-dev/ibid"
)

// told is an attributor that says what the test tells it to: the support of each segment, by its text.
type told map[string]ibid.Finding

func (s told) Attribute(_ context.Context, _ []ibid.Passage, drafts iter.Seq2[ibid.Draft, error]) iter.Seq2[ibid.Finding, error] {
	return func(yield func(ibid.Finding, error) bool) {
		for d, err := range drafts {
			f := s[strings.TrimSpace(d.Text)]
			f.Segment.At = d.At
			f.Segment.Claimed = d.Claimed
			if !yield(f, err) {
				return
			}
		}
	}
}

func support(p float64) ibid.Finding { return ibid.Finding{Segment: ibid.Segment{Support: p}} }

func near(t *testing.T, what string, got *Figure, want float64) {
	t.Helper()
	if got == nil {
		t.Errorf("%s: not defined, want %.4f", what, want)
	} else if math.Abs(got.Value-want) > 1e-9 {
		t.Errorf("%s: %.6f, want %.6f", what, got.Value, want)
	}
}

func set(lines string) Set {
	return Set{Name: "t", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(lines)), nil }}
}

// Two answers of two segments each, computed by hand.
const four = `{"id":"a","answer":"aa bb","sources":[{"id":"s","text":"x"}],"segments":[{"start":0,"end":2,"label":"supported"},{"start":3,"end":5,"label":"unsupported"}]}
{"id":"b","answer":"cc dd","sources":[{"id":"s","text":"x"}],"segments":[{"start":0,"end":2,"label":"supported"},{"start":3,"end":5,"label":"partial"}]}
`

func TestFiguresByHand(t *testing.T) {
	by := told{"aa": support(0.9), "bb": support(0.6), "cc": support(0.4), "dd": support(0.1)}
	r, err := Measure(context.Background(), by, []Set{set(four)}, Options{Draws: 50})
	if err != nil {
		t.Fatal(err)
	}
	f := r.All
	// aa is found, bb is a false positive, cc a false negative, dd is rightly refused.
	near(t, "balanced accuracy", f.BalancedAccuracy, 0.5)
	near(t, "F1", f.F1, 2.0/(2+1+1))
	if f.FalsePositives != 1 || f.FalseNegatives != 1 || f.Segments != 4 || f.Supported != 2 || f.Responses != 2 {
		t.Errorf("counts %+v", f)
	}
	// Pairs (supported, not): .9>.6, .9>.1, .4<.6, .4>.1.
	near(t, "AUROC", f.AUROC, 0.75)
	// Each in a step of its own: |.9-1| + |.6-0| + |.4-1| + |.1-0| over 4.
	near(t, "ECE", f.ECE, (0.1+0.6+0.6+0.1)/4)
	near(t, "balanced ECE", f.BalancedECE, 0.35)
	// Both answers hold something unsupported. In a nothing is said to be, in b something is.
	near(t, "response F1", f.ResponseF1, 2.0/3)
	if f.SpanF1 != nil || f.Top1 != nil || f.SourcesF1 != nil || f.Hit1 != nil {
		t.Error("figures without gold are defined")
	}
	if f.BalancedAccuracy.Low > 0.5 || f.BalancedAccuracy.High < 0.5 {
		t.Errorf("interval %+v does not hold its value", f.BalancedAccuracy)
	}
}

func TestEqualSupportCountsHalf(t *testing.T) {
	d := newData([]sample{{support: .3, label: Supported}, {support: .3, label: Unsupported, response: 1}}, make([]characters, 2), make([]bool, 2))
	near(t, "AUROC", d.figures("", 1).AUROC, 0.5)
}

// Nine of ten are supported and said to be so with .9; balanced, the one that is not weighs as much as the nine.
func TestCalibrationWithEqualClasses(t *testing.T) {
	var s []sample
	for i := range 10 {
		s = append(s, sample{support: 0.9, label: Supported, response: i})
	}
	s[0].label = Unsupported
	f := newData(s, make([]characters, 10), make([]bool, 10)).figures("", 1)
	near(t, "ECE", f.ECE, 0)
	near(t, "balanced ECE", f.BalancedECE, 0.4)
}

func TestOneClassOnly(t *testing.T) {
	s := []sample{{support: 0.9, label: Supported}, {support: 0.2, label: Supported, response: 1}}
	f := newData(s, make([]characters, 2), make([]bool, 2)).figures("", 20)
	if f.BalancedAccuracy != nil || f.AUROC != nil || f.BalancedECE != nil || f.ResponseF1 != nil {
		t.Errorf("figures of one class are defined: %+v", f)
	}
	near(t, "F1", f.F1, 2.0/3)
	s[0].label, s[1].label = Partial, Unsupported
	if f := newData(s, make([]characters, 2), make([]bool, 2)).figures("", 20); f.F1 != nil {
		t.Errorf("F1 of nothing supported is defined: %v", f.F1)
	}
}

func TestSourcesAndEvidence(t *testing.T) {
	line := `{"id":"a","answer":"aa bb cc","spans":[{"start":3,"end":5},{"start":4,"end":5}],"sources":[{"id":"s","text":"0123456789"},{"id":"t","text":"abcdefghij"}],"segments":[` +
		`{"start":0,"end":2,"label":"supported","source_ids":["s","t"],"evidence":[{"source_id":"s","start":0,"end":5}]},` +
		`{"start":3,"end":5,"label":"unsupported","source_ids":["t"],"evidence":[{"source_id":"t","start":0,"end":2},{"source_id":"t","start":8,"end":10}]},` +
		`{"start":6,"end":8,"label":"unsupported"}]}`
	to := func(ref, start, end int) ibid.Attribution {
		return ibid.Attribution{Ref: ref, To: ibid.Anchor{Span: ibid.Span{Start: start, End: end}}}
	}
	aa, bb, cc := support(0.9), support(0.2), support(0.3)
	aa.Attributions = []ibid.Attribution{to(1, 0, 10)} // half of it inside the gold
	bb.Attributions = []ibid.Attribution{to(1, 0, 10), to(2, 2, 8), to(2, 1, 3), to(2, 0, 2)}
	bb.Segment.Unsupported = []ibid.Span{{Start: 4, End: 5}}
	cc.Segment.Unsupported = []ibid.Span{{Start: 6, End: 8}}
	r, err := Measure(context.Background(), told{"aa": aa, "bb": bb, "cc": cc}, []Set{set(line)}, Options{Draws: 5})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "top-1", r.All.Top1, 0.5)
	near(t, "sources", r.All.SourcesF1, (2.0/3+2.0/3)/2)
	near(t, "hit@1", r.All.Hit1, 0.5)
	near(t, "hit@3", r.All.Hit3, 1) // the third, [1,3), has one of two inside
	// People mark [3,5); said are [4,5) and [6,8): one of three right, one of two found.
	near(t, "span F1", r.All.SpanF1, 2.0/5)
}

func TestOverlapAgainstCounting(t *testing.T) {
	ranges := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Range {
		a := rapid.IntRange(0, 30).Draw(t, "a")
		return Range{a, a + rapid.IntRange(0, 9).Draw(t, "n")}
	}), 0, 6)
	rapid.Check(t, func(t *rapid.T) {
		a, b := ranges.Draw(t, "a"), ranges.Draw(t, "b")
		in := func(rs []Range, i int) bool {
			for _, r := range rs {
				if r.Start <= i && i < r.End {
					return true
				}
			}
			return false
		}
		both, one := 0, 0
		for i := range 40 {
			if in(a, i) {
				one++
				if in(b, i) {
					both++
				}
			}
		}
		if got := overlap(a, b); got != both {
			t.Fatalf("overlap %d, want %d", got, both)
		}
		if got := size(a); got != one {
			t.Fatalf("size %d, want %d", got, one)
		}
	})
}

// Laws of the figures, whatever was judged.
func TestLawsOfFigures(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s []sample
		n := rapid.IntRange(1, 30).Draw(t, "n")
		answers := rapid.IntRange(1, 5).Draw(t, "answers")
		for range n {
			s = append(s, sample{
				support:  float64(rapid.IntRange(0, 20).Draw(t, "support")) / 20,
				label:    rapid.SampledFrom([]Label{Supported, Partial, Unsupported, Contradicted}).Draw(t, "label"),
				response: rapid.IntRange(0, answers-1).Draw(t, "answer"),
				sources:  -1,
			})
		}
		d := newData(s, make([]characters, answers), make([]bool, answers))
		f := d.figures("", 20)
		for _, v := range []*Figure{f.BalancedAccuracy, f.F1, f.AUROC, f.ECE, f.BalancedECE, f.ResponseF1} {
			if v != nil && (v.Value < 0 || v.Value > 1+1e-12 || v.Low > v.High) {
				t.Fatalf("figure out of bounds: %+v", v)
			}
		}
		total := 0
		for _, b := range f.Bins {
			total += b.Count
		}
		if total != n {
			t.Fatalf("%d segments in the steps, want %d", total, n)
		}
		// The truth told backwards is as far below the middle as it was above.
		back := make([]sample, n)
		for i, x := range s {
			x.support = 1 - x.support
			back[i] = x
		}
		if f.AUROC != nil {
			r := newData(back, make([]characters, answers), make([]bool, answers)).figures("", 1)
			if math.Abs(r.AUROC.Value+f.AUROC.Value-1) > 1e-9 {
				t.Fatalf("AUROC %v, backwards %v", f.AUROC.Value, r.AUROC.Value)
			}
		}
		if again := d.figures("", 20); !reflect.DeepEqual(again, f) {
			t.Fatalf("a second run differs:\n%+v\n%+v", again, f)
		}
	})
}

func TestReadNamesTheLineAtFault(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		{"not JSON", "{", "line 2"},
		{"no segments", `{"id":"x","answer":"a"}`, "no segments"},
		{"unknown label", `{"id":"x","answer":"a","segments":[{"start":0,"end":1,"label":"true"}]}`, `label "true"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			first, _, _ := strings.Cut(four, "\n")
			var got error
			for _, err := range Read(strings.NewReader(first + "\n" + c.line + "\n")) {
				got = err
			}
			if got == nil || !strings.Contains(got.Error(), c.want) || !errors.Is(got, ibid.ErrInvalid) {
				t.Errorf("got %v, want %q and ErrInvalid", got, c.want)
			}
		})
	}
}

func TestUnits(t *testing.T) {
	// é is 2 bytes and 1 of the others; 𝔘 is 4 bytes, 1 rune, 2 UTF-16 units.
	line := func(start, end int) Line {
		return Line{Answer: "é𝔘z", Segments: []Segment{{Start: start, End: end}}}
	}
	for _, c := range []struct {
		unit       Unit
		start, end int
		want       string // the segment, or the error
	}{
		{Runes, 1, 2, "𝔘"}, {Bytes, 2, 6, "𝔘"}, {UTF16, 1, 3, "𝔘"}, {Runes, 0, 3, "é𝔘z"}, {Runes, 0, 0, ""},
		{Bytes, 1, 6, "cuts a character"}, {Bytes, 2, 5, "cuts a character"}, {UTF16, 2, 3, "cuts a character"},
		{Runes, 0, 4, "outside of the text, which has 3 runes"}, {Runes, -1, 2, "outside"}, {Runes, 2, 1, "outside"},
	} {
		task, err := Prepare(line(c.start, c.end), c.unit)
		switch {
		case err != nil && (c.want == "" || !strings.Contains(err.Error(), c.want) || !errors.Is(err, ibid.ErrInvalid)):
			t.Errorf("%s [%d,%d): %v, want %q", c.unit, c.start, c.end, err, c.want)
		case err == nil && task.Drafts[0].Text != c.want:
			t.Errorf("%s [%d,%d): %q, want %q", c.unit, c.start, c.end, task.Drafts[0].Text, c.want)
		}
	}
}

// Any segment that Prepare takes comes back with the offsets it was given with, in each unit.
func TestOffsetsThereAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		answer := rapid.String().Draw(t, "answer")
		unit := rapid.SampledFrom([]Unit{Bytes, Runes, UTF16}).Draw(t, "unit")
		l := Line{ID: "x", Answer: answer, Segments: []Segment{{Start: rapid.IntRange(0, 9).Draw(t, "start"), End: rapid.IntRange(0, 30).Draw(t, "end")}}}
		task, err := Prepare(l, unit)
		if err != nil {
			return
		}
		findings, err := task.Findings(context.Background(), told{})
		if err != nil {
			t.Fatal(err)
		}
		got := NewResult(l, task, findings, unit).Segments[0]
		if got.Start != l.Segments[0].Start || got.End != l.Segments[0].End {
			t.Fatalf("given %+v, got [%d,%d)", l.Segments[0], got.Start, got.End)
		}
	})
}

func TestMarkersInGivenSegments(t *testing.T) {
	l := Line{
		Answer:   "It failed [1]. {{llm:It was mended}} [9].",
		Sources:  []Source{{ID: "s", Text: "x"}},
		Segments: []Segment{{Start: 0, End: 14}, {Start: 15, End: 41}, {Start: 0, End: 9}},
	}
	task, err := Prepare(l, Runes)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := task.Drafts[0].Text, "It failed    ."; got != want {
		t.Errorf("first text %q, want %q", got, want)
	}
	want := []*ibid.Claimed{{Origin: ibid.RAG, Refs: []int{1}}, {Origin: ibid.LLM, Dangling: []int{9}}, {Origin: ibid.RAG, Refs: []int{1}}}
	for i, d := range task.Drafts {
		if !reflect.DeepEqual(d.Claimed, want[i]) {
			t.Errorf("segment %d claims %+v, want %+v", i+1, d.Claimed, want[i])
		}
	}
	// Shares: 9 characters from the source, which the first and the last segment share, and 12 of the model's. Markers are none of them.
	var findings []ibid.Finding
	for i, d := range task.Drafts {
		findings = append(findings, ibid.Finding{Segment: ibid.Segment{At: d.At, Origin: want[i].Origin}})
	}
	if res := NewResult(l, task, findings, Runes); res.RAG != Round(9./21, 4) || res.LLM != Round(12./21, 4) {
		t.Errorf("shares %g and %g, want 9 and 12 of 21", res.RAG, res.LLM)
	}
}

func TestSignsOfListItemsAreBlanks(t *testing.T) {
	l := Line{Answer: "1. It failed.\n 2) 3. It rained.", Segments: []Segment{{Start: 0, End: 13}, {Start: 15, End: 31}, {Start: 18, End: 31}}}
	task, err := Prepare(l, Runes)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"   It failed.", "   3. It rained.", "3. It rained."} {
		if got := task.Drafts[i].Text; got != want {
			t.Errorf("segment %d is %q, want %q", i+1, got, want)
		}
	}
}

func TestFootnotesOfAWholeAnswerAreClaims(t *testing.T) {
	l := Line{Answer: "It failed.[^a] It rained [1].[^a]\n\n[^a]: https://example.org/b", Sources: []Source{{ID: "a", Text: "x"}, {ID: "b", URL: "https://example.org/b", Text: "y"}}}
	task, err := Prepare(l, Runes)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]int{{2}, {1, 2}} {
		if c := task.Drafts[i].Claimed; c == nil || !reflect.DeepEqual(c.Refs, want) {
			t.Errorf("%q claims %+v, want %v", task.Drafts[i].Text, c, want)
		}
	}
}

func TestBadSources(t *testing.T) {
	for want, sources := range map[string][]Source{
		"source 2 has no id":                   {{ID: "a"}, {}},
		`sources 1 and 3 have the same id "a"`: {{ID: "a"}, {ID: "b"}, {ID: "a"}},
	} {
		if _, err := Prepare(Line{Answer: "x", Sources: sources}, Runes); err == nil || !strings.Contains(err.Error(), want) || !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestReportIsReadable(t *testing.T) {
	by := told{"aa": support(0.9), "bb": support(0.6), "cc": support(0.4), "dd": support(0.1)}
	by["bb"] = ibid.Finding{Segment: ibid.Segment{Support: 0.6, Reasons: []string{"all words stand in a source"}}}
	r, err := Measure(context.Background(), by, []Set{set(four), set(four)}, Options{Draws: 20, Errors: 1})
	if err != nil {
		t.Fatal(err)
	}
	var text, svg strings.Builder
	if err := r.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"bal.acc", ".500±", "all", "1. t a: unsupported, said 0.60", "· all words stand in a source", "–"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	if err := r.WriteSVG(&svg); err != nil {
		t.Fatal(err)
	}
	if s := svg.String(); !strings.HasPrefix(s, "<svg ") || !strings.Contains(s, "said 0.90, held 1.00") || strings.Contains(s, "NaN") {
		t.Errorf("diagram:\n%s", s)
	}
	if _, err := json.Marshal(r); err != nil {
		t.Errorf("JSON: %v", err)
	}
}

func FuzzPrepare(f *testing.F) {
	for _, l := range strings.Split(strings.TrimSpace(four), "\n") {
		f.Add(l, "rune")
	}
	f.Add(`{"id":"x","answer":"A [1]. {{rag:b}}","sources":[{"id":"1","text":"b"}],"segments":[{"start":2,"end":9}]}`, "utf16")
	f.Fuzz(func(t *testing.T, line, unit string) {
		var l Line
		u := Unit(unit)
		if json.Unmarshal([]byte(line), &l) != nil || u.Check() != nil {
			return
		}
		task, err := Prepare(l, u)
		if err != nil {
			if !errors.Is(err, ibid.ErrInvalid) {
				t.Fatalf("%v does not wrap ErrInvalid", err)
			}
			return
		}
		for _, d := range task.Drafts {
			if len(d.Text) != d.At.Len() || d.At.End > len(task.Text) {
				t.Fatalf("draft %v of %q has text %q", d.At, task.Text, d.Text)
			}
		}
		findings, err := task.Findings(context.Background(), told{})
		if err != nil {
			t.Fatal(err)
		}
		if res := NewResult(l, task, findings, u); len(res.Segments) != len(task.Drafts) {
			t.Fatal("segments lost")
		}
	})
}

// The shell of Windows writes UTF-16, with a mark before it: the lines are the same.
func TestLinesInUTF16(t *testing.T) {
	const want = "{\"id\":\"é𝔘\"}\r\n\r\n{\"id\":\"b\"}\r\n"
	for _, order := range []unicode.Endianness{unicode.LittleEndian, unicode.BigEndian} {
		in, err := unicode.UTF16(order, unicode.UseBOM).NewEncoder().String(want)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for l, err := range Lines(strings.NewReader(in)) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprint(l.Number, string(l.Bytes)))
		}
		if !slices.Equal(got, []string{`1{"id":"é𝔘"}`, `3{"id":"b"}`}) {
			t.Errorf("%v: %q", order, got)
		}
	}
}

// FuzzLines: a stream has the same lines packed as it is, in the writing of Windows, and with a mark before it.
func FuzzLines(f *testing.F) {
	f.Add(four)
	f.Add("\n \n{\"id\":\"Zürich 😀\"}\r\n\tx")
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) || strings.HasPrefix(s, "\ufeff") || strings.HasPrefix(s, "\x1f\x8b") {
			return // what begins with a mark has two, or is packed
		}
		lines := func(r io.Reader) (out []string) {
			for l, err := range Lines(r) {
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, fmt.Sprintf("%d %s", l.Number, l.Bytes))
			}
			return out
		}
		want := lines(strings.NewReader(s))
		wide, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(s)
		if err != nil {
			t.Fatal(err)
		}
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		io.WriteString(z, s)
		z.Close()
		for how, r := range map[string]io.Reader{"packed": &packed, "in UTF-16": strings.NewReader(wide), "with a mark": strings.NewReader("\ufeff" + s), "bytewise": iotest.OneByteReader(strings.NewReader(s))} {
			if got := lines(r); !slices.Equal(got, want) {
				t.Fatalf("%q %s has %q, not %q", s, how, got, want)
			}
		}
	})
}
