package conflict_test

import (
	"context"
	"errors"
	"fmt"
	"math"
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

// talker is a judge that keeps what it was asked, and says so many things.
type talker struct {
	pairs []ibid.Pair
	says  int
}

func (j *talker) Judge(_ context.Context, pairs []ibid.Pair) ([]ibid.Judgement, error) {
	j.pairs = append(j.pairs, pairs...)
	out := make([]ibid.Judgement, j.says)
	for i := range out {
		out[i].Contradicted = 0.99
	}
	return out, nil
}

// The judge is shown the words that were compared, wherever their passage begins, and what it alone says is one finding of the whole.
func TestJudgeIsShownWhatWasCompared(t *testing.T) {
	a := later(passage("a", "The Mill Lane bakery closed its doors for good in winter."), 900)
	b := later(passage("b", "The Mill Lane bakery sells bread in its shop every morning of winter."), 70)
	other := passage("c", "Snow fell on the choir.")
	j := &talker{says: 1}
	found, err := conflict.New(attribute.Reader{}, conflict.Config{Judge: j}).Passages(t.Context(), []ibid.Passage{a, other, b})
	if err != nil || len(found) != 1 || found[0].Kind != conflict.Judged || found[0].Severity != conflict.Medium || found[0].A.Quote != a.Chunk.Text || found[0].B.Quote != b.Chunk.Text {
		t.Errorf("%+v %v", found, err)
	}
	anchored(t, []ibid.Passage{a, b}, found)
	for _, p := range j.pairs {
		if p.Claim+p.Evidence != a.Chunk.Text+b.Chunk.Text && p.Claim+p.Evidence != b.Chunk.Text+a.Chunk.Text {
			t.Errorf("asked about %+v", p)
		}
	}
	// The mean of two opinions in log odds lies between them, and halfway where they are as sure of the contrary.
	words, err := conflict.New(attribute.Reader{}, conflict.Config{}).Probability(t.Context(), []ibid.Passage{other, b}, a.Chunk.Text)
	if err != nil {
		t.Fatal(err)
	}
	half, err := conflict.New(attribute.Reader{}, conflict.Config{Judge: judge{contradicted: 1 - words}}).Probability(t.Context(), []ibid.Passage{other, b}, a.Chunk.Text)
	if err != nil || math.Abs(half-0.5) > 1e-9 {
		t.Errorf("%v and its contrary make %v %v", words, half, err)
	}
	for _, n := range []int{0, 2} {
		if _, err := conflict.New(attribute.Reader{}, conflict.Config{Judge: &talker{says: n}}).Claim(t.Context(), a, []ibid.Passage{b}); !errors.Is(err, ibid.ErrInvalid) {
			t.Errorf("%d judgements for one pair: %v", n, err)
		}
	}
}

func TestSeverity(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want conflict.Severity
	}{
		{"The Mill Lane bakery sold 420 loaves at the fair.", "The Mill Lane bakery sold 421 loaves at the fair.", conflict.Low},
		{"The Mill Lane bakery sold 1,000 loaves at the fair.", "The Mill Lane bakery sold 980 loaves at the fair.", conflict.Medium}, // 2 % are no longer less than 2 %
		{"The Mill Lane bakery sold 1,000 loaves at the fair.", "The Mill Lane bakery sold 981 loaves at the fair.", conflict.Low},
		{"The Mill Lane bakery sold 1,000 loaves at the fair.", "The Mill Lane bakery sold 801 loaves at the fair.", conflict.Medium},
		{"The Mill Lane bakery sold 1,000 loaves at the fair.", "The Mill Lane bakery sold 800 loaves at the fair.", conflict.High},
		{"The Mill Lane bakery sold 1.2 million loaves at the fair.", "The Mill Lane bakery sold 1,250,000 loaves at the fair.", conflict.Medium},
		{"The Mill Lane bakery sold 12 loaves at the fair.", "The Mill Lane bakery sold twenty loaves at the fair.", conflict.Medium}, // words are not reckoned with
		{"The lighthouse at Dunmore was lit on 4 May 1871.", "The lighthouse at Dunmore was lit on 9 May 1871.", conflict.Medium},
		{"The lighthouse at Dunmore was lit on 4 May 1871.", "The lighthouse at Dunmore was lit on 4 May 1872.", conflict.High},
		{"The market of Velmark is held on Monday in the square.", "The market of Velmark is held on Friday in the square.", conflict.Medium},
		{"The mast of the Niagara was 45 metres high.", "The mast of the Niagara was 45 feet high.", conflict.High},
		{"The inspectors found lead in the water of Velmark.", "The inspectors did not find lead in the water of Velmark.", conflict.High},
		{"Exports of timber from Velmark rose sharply last spring.", "Exports of timber from Velmark fell sharply last spring.", conflict.High},
		{"All houses of Velmark have a well in the yard.", "Few houses of Velmark have a well in the yard.", conflict.Low},
		{"The gate of the harbour of Velmark is open at night.", "The gate of the harbour of Velmark is closed at night.", conflict.Medium},
	} {
		if found := find(t, passage("a", c.a), passage("b", c.b)); len(found) != 1 || found[0].Severity != c.want {
			t.Errorf("%s / %s: want %s, got %+v", c.a, c.b, c.want, found)
		}
	}
}

// Three sources that differ disagree; where every source has a value of its own, it is a form that each fills in.
func TestAFormThatEachFillsInIsNoConflict(t *testing.T) {
	sold := func(numbers ...int) []ibid.Passage {
		var out []ibid.Passage
		for i, n := range numbers {
			out = append(out, passage(fmt.Sprint(i), fmt.Sprintf("The Mill Lane bakery sold %d loaves at the fair.", n)))
		}
		return out
	}
	if found := find(t, sold(420, 240, 310)...); len(found) != 3 {
		t.Errorf("three values in three sources: %d findings", len(found))
	}
	if found := find(t, sold(420, 240, 310, 150)...); len(found) != 0 {
		t.Errorf("four values in four sources: %+v", found)
	}
}

func TestTheSurestComesFirstAndTheUnsureNotAtAll(t *testing.T) {
	library := sampleLibrary(t)
	all := find(t, library...)
	for i, f := range all[1:] {
		if f.Confidence > all[i].Confidence {
			t.Errorf("%v before %v", all[i].Confidence, f.Confidence)
		}
	}
	surest := all[0].Confidence
	for least, want := range map[float64]bool{surest: true, math.Nextafter(surest, 1): false} {
		found, err := conflict.New(attribute.Reader{}, conflict.Config{LeastPair: least}).Passages(t.Context(), library)
		if err != nil || len(found) > 0 != want {
			t.Errorf("at least %v: %d findings %v", least, len(found), err)
		}
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
