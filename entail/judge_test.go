package entail

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
)

var (
	_ ibid.Judge    = (*Model)(nil)
	_ ibid.Embedder = (*Model)(nil)
)

// proper fails where a judgement is not one: probabilities that sum to 1, words in order within the claim.
func proper(t *testing.T, j ibid.Judgement, claim string) {
	t.Helper()
	for _, p := range []float64{j.Supported, j.Unsupported, j.Contradicted} {
		if !(p >= 0 && p <= 1) {
			t.Errorf("%.40q: not a probability: %+v", claim, j)
		}
	}
	if sum := j.Supported + j.Unsupported + j.Contradicted; math.Abs(sum-1) > 1e-9 {
		t.Errorf("%.40q: sums to %v", claim, sum)
	}
	at := 0
	for _, w := range j.Words {
		if w.At.Start < at || w.At.End > len(claim) || !(w.Support >= 0 && w.Support <= 1) {
			t.Errorf("%.40q: word %+v", claim, w)
		}
		at = w.At.End
	}
}

func TestJudgeOfBadInputIsDefined(t *testing.T) {
	m := tinyModel(t, machines()[0])
	long := strings.Repeat("The cable was laid in 1858. ", 3000)
	for _, p := range []ibid.Pair{
		{Evidence: "The cable was laid in 1858.", Claim: "It was laid in 1858."},
		{Evidence: "", Claim: "It was laid."},
		{Evidence: " \n\u200b", Claim: "It was laid."},
		{Evidence: "東京は日本の首都です。", Claim: "Москва — столица России"},
		{Evidence: "☃☃☃ ♞", Claim: "♞"},
		{Evidence: "\xff\xfe", Claim: "a\xffb"},
		{Evidence: strings.Repeat("x", 100_000), Claim: strings.Repeat("y", 1000)},
		{Evidence: long, Claim: "It was laid in 1858."},
		{Evidence: "The cable.", Claim: long[:3000]},
		{Evidence: "[CLS] [SEP] [PAD]", Claim: "[SEP][SEP]"},
	} {
		js, err := m.Judge(t.Context(), []ibid.Pair{p})
		if err != nil {
			t.Errorf("%.40q: %v", p.Claim, err)
			continue
		}
		proper(t, js[0], p.Claim)
		if p.Evidence == "" && js[0].Unsupported < .999 {
			t.Errorf("no evidence: %+v", js[0])
		}
	}
	for _, claim := range []string{"", " \n ", "\u200b", "\xff"} {
		if _, err := m.Judge(t.Context(), []ibid.Pair{{Evidence: "The cable.", Claim: "It."}, {Evidence: "The cable.", Claim: claim}}); !errors.Is(err, ibid.ErrInvalid) || !strings.Contains(err.Error(), "pair 1") {
			t.Errorf("claim %q: %v", claim, err)
		}
	}
	if js, err := m.Judge(t.Context(), nil); err != nil || len(js) != 0 {
		t.Errorf("no pairs: %v, %v", js, err)
	}
}

// TestJudgementsDoNotDependOnCompany judges pairs alone and together, in another order, short ones and such as are worth to be shared
// out.
func TestJudgementsDoNotDependOnCompany(t *testing.T) {
	c := tiny
	c.Positions, c.MaxTokens = 512, 448
	m, err := load(fileOf(t, c, makeModel(&c, 1)), machines()[0])
	if err != nil {
		t.Fatal(err)
	}
	pairs := somePairs()
	company(t, m, pairs)
	for i := range pairs {
		pairs[i].Evidence = strings.Repeat(pairs[i].Evidence+pairs[i].Claim, 1+i%4)
	}
	for _, n := range []int{2, 3, 5, len(pairs)} {
		company(t, m, pairs[len(pairs)-n:])
	}
}

func company(t *testing.T, m *Model, pairs []ibid.Pair) {
	t.Helper()
	all, err := m.Logits(t.Context(), pairs)
	if err != nil {
		t.Fatal(err)
	}
	back := slices.Clone(pairs)
	slices.Reverse(back)
	reversed, err := m.Logits(t.Context(), back)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range pairs {
		alone, err := m.Logits(t.Context(), []ibid.Pair{p})
		if err != nil {
			t.Fatal(err)
		}
		if alone[0].Logits != all[i].Logits || !slices.Equal(alone[0].Pieces, all[i].Pieces) || reversed[len(pairs)-1-i].Logits != all[i].Logits {
			t.Errorf("pair %d: alone %v, in company %v, reversed %v", i, alone[0].Logits, all[i].Logits, reversed[len(pairs)-1-i].Logits)
		}
	}
}

// TestWorkGrowsAsTheTexts: twice the claim against twice the evidence is twice the windows, not four times as many.
func TestWorkGrowsAsTheTexts(t *testing.T) {
	m := tinyModel(t, machines()[0])
	work := func(n int) int {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "%d, ", 1000+7*i)
		}
		units, err := m.units([]ibid.Pair{{Evidence: b.String(), Claim: b.String()}})
		if err != nil {
			t.Fatal(err)
		}
		return len(units)
	}
	if one, two := work(400), work(800); two > 2*one+nearWindows {
		t.Errorf("400 numbers take %d windows, 800 take %d", one, two)
	}
}

func TestJudgeStops(t *testing.T) {
	m := tinyModel(t, machines()[0])
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Judge(ctx, somePairs()); err == nil {
		t.Error("a context that ended does not stop it")
	}
}

// TestWindowsDecide holds the rule by which windows and parts are combined.
func TestWindowsDecide(t *testing.T) {
	yes, no, never := [3]float32{4, 0, 0}, [3]float32{0, 2, 0}, [3]float32{0, 0, 3}
	u := func(part int, l [3]float32, pieces ...float32) unit {
		return unit{part: part, claim: make([]piece, len(pieces)), logits: l, pieces: pieces}
	}
	for _, c := range []struct {
		name  string
		units []unit
		want  [3]float32
	}{
		{"the window that supports decides", []unit{u(0, no), u(0, yes), u(0, no)}, yes},
		{"support outweighs a weaker contradiction", []unit{u(0, never), u(0, yes)}, yes},
		{"a contradiction outweighs weaker support", []unit{u(0, no), u(0, never), u(0, [3]float32{1, 1, 1})}, never},
		{"all parts must be supported", []unit{u(0, yes), u(0, no), u(1, no)}, no},
		{"parts each take their best window", []unit{u(0, yes), u(0, no), u(1, no), u(1, yes)}, yes},
	} {
		if got := combine(c.units); got.Logits != c.want {
			t.Errorf("%s: %v", c.name, got.Logits)
		}
	}
	got := combine([]unit{u(0, no, 1, -2), u(0, no, 0, 3), u(1, no, -1)})
	if len(got.Pieces) != 3 || got.Pieces[0].Logit != 1 || got.Pieces[1].Logit != 3 || got.Pieces[2].Logit != -1 {
		t.Errorf("a piece has its best window: %v", got.Pieces)
	}
}

func TestEmbed(t *testing.T) {
	m := tinyModel(t, machines()[0])
	texts := []string{"The cable was laid.", "", "東京", strings.Repeat("the cable was laid in 1858. ", 200), "The cable was laid."}
	vs, err := m.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range vs {
		sum := 0.0
		for _, x := range v {
			sum += float64(x) * float64(x)
		}
		if len(v) != tiny.EmbedDim || math.Abs(sum-1) > 1e-5 {
			t.Errorf("%.20q: %d values of length² %v", texts[i], len(v), sum)
		}
	}
	if !slices.Equal(vs[0], vs[4]) {
		t.Error("the same text has two vectors")
	}
}

// TestWordsAreAsStrongAsTheirWeakestPiece reads words off pieces, also where a word has none.
func TestWordsAreAsStrongAsTheirWeakestPiece(t *testing.T) {
	claim := "Landings, \u0378x 1858"
	at := func(from, to int, logit float32) PieceLogit {
		return PieceLogit{ibid.Span{Start: from, End: to}, logit}
	}
	got := wordSupport(claim, []PieceLogit{at(0, 4, 3), at(4, 7, -1), at(7, 8, 2), at(8, 9, -9)}, .25)
	if len(got) < 2 || got[0].At.In(claim) != "Landings" || math.Abs(got[0].Support-sigmoid(-1)) > 1e-12 {
		t.Errorf("%v", got)
	}
	if last := got[len(got)-1]; last.At.In(claim) != "1858" || last.Support != .25 {
		t.Errorf("%v", last)
	}
}

// TestSharedOut: what would leave processors without work is shared out, and nothing else.
func TestSharedOut(t *testing.T) {
	m := &Model{config: Config{Heads: 12}}
	for _, c := range []struct {
		rows  []int
		procs int
		want  int
	}{
		{nil, 2, 0}, {[]int{200}, 1, 0}, {[]int{200}, 2, 1}, {[]int{200}, 16, 1}, {[]int{20}, 2, 0},
		{[]int{200, 200}, 2, 0}, {[]int{200, 200, 200}, 2, 1}, {[]int{400, 200, 200}, 2, 0}, {[]int{300, 200}, 2, 2}, {[]int{210, 200}, 2, 0},
		{[]int{200, 200, 200, 200, 200}, 4, 1}, {[]int{200, 200, 200, 200, 200, 200, 200}, 4, 3}, {[]int{200, 200, 200}, 16, 3},
	} {
		var batches [][]*unit
		for _, n := range c.rows {
			batches = append(batches, []*unit{{seq: sequence{ids: make([]int32, n)}}})
		}
		if got := m.sharedOut(batches, c.procs); got != c.want {
			t.Errorf("%v on %d processors: %d are shared out, not %d", c.rows, c.procs, got, c.want)
		}
	}
	several := []*unit{{seq: sequence{ids: make([]int32, 100)}}, {seq: sequence{ids: make([]int32, 100)}}}
	if got := m.sharedOut([][]*unit{several}, 2); got != 0 {
		t.Errorf("several texts that go through the encoder together: %d shared out", got)
	}
}
