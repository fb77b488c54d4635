package conflict_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/conflict"
)

func TestVersionsOfOneSource(t *testing.T) {
	first := passage("page", "The tunnel under the Grauberg has 14 emergency exits. It is closed on Sundays.")
	second := passage("page", "The tunnel under the Grauberg has 16 emergency exits. It is closed on Sundays.")
	found := find(t, first, second)
	if len(found) != 1 || found[0].Kind != conflict.Version || !strings.Contains(found[0].Reason, `"14", the other "16"`) {
		t.Errorf("%+v", found)
	}
	if found := find(t, first, first); len(found) != 0 {
		t.Errorf("a source against itself: %+v", found)
	}
}

// judge is an ibid.Judge that always says the same.
type judge struct {
	contradicted float64
	err          error
	asked        *int
}

func (j judge) Judge(_ context.Context, pairs []ibid.Pair) ([]ibid.Judgement, error) {
	if j.asked != nil {
		*j.asked += len(pairs)
	}
	out := make([]ibid.Judgement, len(pairs))
	for i := range out {
		out[i] = ibid.Judgement{Supported: 1 - j.contradicted, Contradicted: j.contradicted}
	}
	return out, j.err
}

func TestJudgeIsASecondOpinion(t *testing.T) {
	a := passage("a", "The Mill Lane bakery closed its doors for good in winter.")
	b := passage("b", "The Mill Lane bakery sells bread in its shop every morning of winter.")
	c := passage("c", "The choir of Velmark sings.")
	asked := 0
	for _, want := range []float64{0.99, 0.01} {
		f := conflict.New(attribute.Reader{}, conflict.Config{Judge: judge{contradicted: want, asked: &asked}})
		p, err := f.Probability(t.Context(), []ibid.Passage{b}, a.Chunk.Text)
		if err != nil || (p > 0.3) != (want > 0.5) {
			t.Errorf("judge says %v: %v %v", want, p, err)
		}
		found, err := f.Claim(t.Context(), a, []ibid.Passage{b})
		if err != nil || (len(found) > 0) != (want > 0.5) {
			t.Errorf("judge says %v: %+v %v", want, found, err)
		}
		anchored(t, []ibid.Passage{a, b}, found)
	}
	before := asked
	if _, err := conflict.New(attribute.Reader{}, conflict.Config{Judge: judge{asked: &asked}}).Probability(t.Context(), []ibid.Passage{c}, a.Chunk.Text); err != nil || asked != before {
		t.Errorf("asked about texts that have no word in common: %v", err)
	}
	broken := errors.New("out of order")
	_, err := conflict.New(attribute.Reader{}, conflict.Config{Judge: judge{err: broken}}).Passages(t.Context(), []ibid.Passage{a, b})
	if !errors.Is(err, broken) {
		t.Errorf("%v does not tell that the judge failed", err)
	}
}

func TestStopsWhenAsked(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err := conflict.New(attribute.Reader{}, conflict.Config{}).Passages(ctx, sampleLibrary(t))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestOrderOfPassagesDoesNotMatter holds that a library gives the same findings however it is listed, but for which side
// is named first.
func TestOrderOfPassagesDoesNotMatter(t *testing.T) {
	library := sampleLibrary(t)
	count := func(found []conflict.Finding) map[string]int {
		m := map[string]int{}
		for _, f := range found {
			a, b := string(f.A.Source)+f.A.Says, string(f.B.Source)+f.B.Says
			m[fmt.Sprint(f.Kind, min(a, b), max(a, b))]++
		}
		return m
	}
	want := count(find(t, library...))
	for i := range library {
		library[i], library[len(library)-1-i] = library[len(library)-1-i], library[i]
		if i >= len(library)/2-1 {
			break
		}
	}
	got := count(find(t, library...))
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, turned round %v", want, got)
	}
}

// A finding names both places and takes no side.
func ExampleFinder_Passages() {
	finder := conflict.New(attribute.Reader{}, conflict.Config{})
	found, err := finder.Passages(context.Background(), []ibid.Passage{
		passage("history", "In all 732 messages passed through the cable."),
		passage("almanac", "In all about 400 messages passed through the cable."),
	})
	if err != nil {
		panic(err)
	}
	for _, f := range found {
		fmt.Printf("%s, %s: %s\n", f.Kind, f.Severity, f.Reason)
		fmt.Printf("%s: %s\n%s: %s\n", f.A.Source, f.A.Quote, f.B.Source, f.B.Quote)
	}
	// Output:
	// number, high: one says "732", the other "400"
	// history: In all 732 messages passed through the cable.
	// almanac: In all about 400 messages passed through the cable.
}

func FuzzPassages(f *testing.F) {
	f.Add("In all 732 messages passed. It took 16 hours.", "In all 400 messages passed. It took 17 hours on 5 May 1858.")
	f.Add("", "\x00\xff. May 3 It it it.")
	finder := conflict.New(attribute.Reader{}, conflict.Config{LeastPair: 0.01})
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a)+len(b) > 4000 {
			return
		}
		passages := []ibid.Passage{passage("a", a), passage("b", b)}
		found, err := finder.Passages(context.Background(), passages)
		if err != nil {
			t.Fatal(err)
		}
		anchored(t, passages, found)
	})
}
