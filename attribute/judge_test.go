package attribute

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

// saying is a judge with one opinion, which notes what it was asked. What it does not support it half takes for denied.
type saying struct {
	supported float64
	asked     *[]ibid.Pair
	err       error
}

func (s saying) Judge(_ context.Context, pairs []ibid.Pair) ([]ibid.Judgement, error) {
	*s.asked = append(*s.asked, pairs...)
	out := make([]ibid.Judgement, len(pairs))
	for i := range out {
		out[i] = ibid.Judgement{Supported: s.supported, Unsupported: (1 - s.supported) / 2, Contradicted: (1 - s.supported) / 2}
	}
	return out, s.err
}

// weighUp is what verdict gives where nothing is looked at without its head.
func (e *Engine) weighUp(ctx context.Context, t *turn, sc *scratch, d ibid.Draft, before string) (verdict, error) {
	vs := []verdict{e.measured(t, sc, d, before)}
	err := e.hear(ctx, t, vs)
	return vs[0], err
}

// TestJudgeIsAskedInDoubt: a quotation and words of which no source has any need no judge; a paraphrase does, with the
// sentences that bear on it. The more the judge believes it, the more support it has. Asked always, it is asked always.
func TestJudgeIsAskedInDoubt(t *testing.T) {
	long := strings.Repeat("The company paid a dividend in most years of the decade. ", 40)
	ps := []ibid.Passage{passage(1, "The landing was completed on 5 August 1858. The engineers were glad of it. "+long), passage(2, "Nothing of it is known.")}
	support := func(text string, s saying, always bool) (float64, int) {
		*s.asked = nil
		e := New(Config{Judge: s, Always: always})
		v, err := e.weighUp(t.Context(), newTurn(ps), new(scratch), draft(text), "")
		if err != nil {
			t.Fatal(err)
		}
		return v.support, len(*s.asked)
	}
	var asked []ibid.Pair
	paraphrase := "The landing was finished early in August 1858, and engineers rejoiced."
	last := -1.0
	for _, p := range []float64{0, 0.1, 0.5, 0.9, 1} {
		got, n := support(paraphrase, saying{p, &asked, nil}, false)
		if n != 1 {
			t.Fatalf("the judge was asked %d times about a paraphrase, not once", n)
		}
		if got <= last {
			t.Errorf("a judge who believes it with %v gives support %v, not above %v", p, got, last)
		}
		last = got
		if e := asked[0].Evidence; !strings.Contains(e, "completed on 5 August 1858") || len(e) > 2*readingBudget {
			t.Errorf("the judge was given %d bytes of evidence, or not the sentence that bears on it", len(e))
		}
	}
	for _, certain := range []string{"The landing was completed on 5 August 1858.", "Xylophones zigzag quietly."} {
		if got, n := support(certain, saying{0, &asked, nil}, false); n != 0 {
			t.Errorf("%q: asked although words leave no doubt (support %v)", certain, got)
		}
	}
	if _, n := support("The landing was completed on 5 August 1858.", saying{0, &asked, nil}, true); n != 1 {
		t.Error("asked always, the judge was not asked")
	}
	broken := errors.New("broken")
	e := New(Config{Judge: saying{0.5, &asked, broken}})
	if _, err := e.weighUp(t.Context(), newTurn(ps), new(scratch), draft(paraphrase), ""); !errors.Is(err, broken) {
		t.Errorf("the judge's error is lost: %v", err)
	}
}

// TestEndlessTextsHaveBounds: of a sentence without an end a judge reads the stretches that bear on the segment, however long
// it is, and a segment without an end is decided by words alone, which is said. What is shorter is read whole.
func TestEndlessTextsHaveBounds(t *testing.T) {
	row := func(n int) string {
		var b strings.Builder
		b.WriteString("In the tables of harvests of the province")
		for i := range n {
			fmt.Fprintf(&b, ", field %d%s gave %d bushels", 100+i, map[bool]string{true: " near the old windmill of Clara Venn"}[i == n/2], 7*i%1000)
		}
		return b.String() + "."
	}
	const most = 3400 // bytes
	const claim = "By the tables of the province Clara Venn had a field beside an old windmill."
	for _, n := range []int{4, 40, 400, 4000} {
		var asked []ibid.Pair
		ps := []ibid.Passage{passage(1, row(n)), passage(2, "Nothing of it is known.")}
		e := New(Config{Judge: saying{0.9, &asked, nil}, Always: true})
		if _, err := e.weighUp(t.Context(), newTurn(ps), new(scratch), draft(claim), ""); err != nil {
			t.Fatal(err)
		}
		if len(asked) != 1 {
			t.Fatalf("%d fields: asked %d times", n, len(asked))
		}
		got := asked[0].Evidence
		if len(got) > most || !strings.Contains(got, "old windmill of Clara Venn") || !strings.Contains(got, "In the tables of harvests") {
			t.Errorf("%d fields: the judge reads %d bytes, or not those that bear on it: %q", n, len(got), got)
		}
		if whole := len(row(n)) <= most; whole != strings.Contains(got, row(n)) || whole == strings.Contains(got, "…") {
			t.Errorf("%d fields in %d bytes: read as %q", n, len(row(n)), got)
		}
	}
	for _, n := range []int{40, 400} {
		var asked []ibid.Pair
		e := New(Config{Judge: saying{0.9, &asked, nil}, Always: true})
		const reason = "too long for a second opinion: words alone decide"
		d := draft(strings.Replace(row(n), "gave", "yielded", 1))
		for f, err := range e.Attribute(t.Context(), []ibid.Passage{passage(1, row(n))}, each(d)) {
			if err != nil {
				t.Fatal(err)
			}
			if long := len(d.Text) > most/2; long != (len(asked) == 0) || long != slices.Contains(f.Segment.Reasons, reason) {
				t.Errorf("%d bytes: asked %d times, reasons %q", len(d.Text), len(asked), f.Segment.Reasons)
			}
		}
	}
	// A word and a rule without an end, of which there is nothing to choose.
	for _, s := range []string{"The harvest " + strings.Repeat("x", 10_000) + " fell.", "The harvest " + strings.Repeat("-", 10_000) + " fell."} {
		if got := Readings([]ibid.Passage{passage(1, s)}, []ibid.Draft{draft("The harvest fell.")})[0]; len(got) > most || !strings.Contains(got, "harvest") || !strings.Contains(got, "fell") {
			t.Errorf("%d bytes of %.20q are read", len(got), got)
		}
	}
}

// TestReadingKnowsNoOrder: what a judge reads does not depend on the order of the passages, and holds all of a short turn.
func TestReadingKnowsNoOrder(t *testing.T) {
	a, b := passage(1, "The cable failed after three weeks. Nobody knew why."), passage(2, "A high voltage is usually blamed. The cable was repaired.")
	read := func(ps ...ibid.Passage) string { return Readings(ps, []ibid.Draft{draft("The cable failed.")})[0] }
	if one, other := read(a, b), read(b, a); one != other {
		t.Errorf("in one order %q, in the other %q", one, other)
	}
	for _, s := range []string{"Nobody knew why.", "A high voltage is usually blamed."} {
		if !strings.Contains(read(a, b), s) {
			t.Errorf("%q is left out of a short turn", s)
		}
	}
}

// TestReadingGrowsWithTheSegment: of long passages a judge reads more for a long segment than for a short one, and for each no more than its bound.
func TestReadingGrowsWithTheSegment(t *testing.T) {
	things := strings.Fields("barley wool timber copper salt glass flax coal rope tin cheese leather paper slate honey brick silk lamp")
	var text strings.Builder
	for _, s := range things {
		fmt.Fprintf(&text, "The trade in %s fell by half that winter, since nobody along the whole of the northern coast remembered a year of such storms, says the pilot. ", s)
	}
	ps := []ibid.Passage{passage(1, text.String())}
	read := func(n int) int {
		claim := "The trade in " + strings.Join(things[:n], " and in ") + " fell that winter."
		got := Readings(ps, []ibid.Draft{draft(claim)})[0]
		if !strings.Contains(got, "The trade in "+things[n/2]) || len(got) > 700+4*len(claim)+maxTitle || len(got) > readingBudget+maxTitle {
			t.Errorf("%d bytes are read for %q: %q", len(got), claim, got)
		}
		return len(got)
	}
	if short, long := read(1), read(len(things)); long < short+200 {
		t.Errorf("%d bytes are read for a short segment, %d for a long one", short, long)
	}
}

// TestShortSourcesAreTakenAtTheirWord: with the same evidence and the same opinion of it, a claim has more support where the
// evidence is all there is; from some length on it makes no difference how much more there is.
func TestShortSourcesAreTakenAtTheirWord(t *testing.T) {
	var asked []ibid.Pair
	support := func(more int) float64 {
		ps := []ibid.Passage{passage(1, "The landing was completed on 5 August 1858."), passage(2, strings.Repeat("Nothing whatever is known about pigeons. ", more))}
		v, err := New(Config{Judge: saying{0.5, &asked, nil}}).weighUp(t.Context(), newTurn(ps), new(scratch), draft("Engineers finished the landing early in August 1858."), "")
		if err != nil {
			t.Fatal(err)
		}
		return v.support
	}
	alone, some, much, more := support(0), support(12), support(80), support(400)
	if !(alone > some && some > much) {
		t.Errorf("support %v alone, %v beside some text, %v beside much: it should fall", alone, some, much)
	}
	if much != more {
		t.Errorf("support %v beside much text and %v beside more: it should stay", much, more)
	}
}

// TestWordsFadeBesideShortSources: of one sentence of evidence the judge decides whatever words it has in common with the claim;
// in long sources common words count beside the same opinion, and what the source denies counts in both.
func TestWordsFadeBesideShortSources(t *testing.T) {
	var asked []ibid.Pair
	support := func(claim string, more int) float64 {
		ps := []ibid.Passage{passage(1, "The landing was completed on 5 August 1858."), passage(2, strings.Repeat("Nothing whatever is known about pigeons. ", more))}
		v, err := New(Config{Judge: saying{0.5, &asked, nil}, Always: true}).weighUp(t.Context(), newTurn(ps), new(scratch), draft(claim), "")
		if err != nil {
			t.Fatal(err)
		}
		return v.support
	}
	const near, far, denied = "The landing was completed early in August 1858.", "Engineers finished their landing work soon.", "The landing was completed on 5 August 1866."
	if a, b := support(near, 0), support(far, 0); a != b {
		t.Errorf("beside one sentence the words decide: %v and %v", a, b)
	}
	if a, b := support(near, 40), support(far, 40); a <= b {
		t.Errorf("in long sources the words tell nothing: %v and %v", a, b)
	}
	for _, more := range []int{0, 40} {
		if a, b := support(near, more), support(denied, more); a <= b {
			t.Errorf("beside %d more sentences a year that is denied counts nothing: %v and %v", more, a, b)
		}
	}
}

// TestDeniedIsNotSupported: a number or date in which alone a sentence differs from its source, and another unit, is named whatever the judge
// says, and what is named so is not shown as supported; a judge who sees no support either may take it further down.
func TestDeniedIsNotSupported(t *testing.T) {
	var asked []ibid.Pair
	for _, c := range []struct{ source, claim string }{
		{"The well is 45 metres deep.", "The well has a depth of 45 feet."},
		{"The museum earned $2.4 million from ticket sales.", "The museum earned 4.2 million dollars from ticket sales."},
		{"The landing was completed on 5 August 1858.", "The landing was completed on 5 August 1866."},
	} {
		for _, opinion := range []float64{0.02, 0.9, 0.999} {
			v, err := New(Config{Judge: saying{opinion, &asked, nil}, Always: true}).weighUp(t.Context(), newTurn([]ibid.Passage{passage(1, c.source)}), new(scratch), draft(c.claim), "")
			if err != nil {
				t.Fatal(err)
			}
			if len(v.conflict) == 0 || v.support > doubt || (v.support == doubt) != (opinion > 0.5) {
				t.Errorf("%q, opinion %v: support %v, contradicted %v", c.claim, opinion, v.support, v.conflict)
			}
		}
	}
}

// TestAJudgeReckons: a number that may follow from others is denied, and the judge is asked, whatever words make of it; one who finds it
// supported has it stand, others do not.
func TestAJudgeReckons(t *testing.T) {
	const mill, week = "The mill sold 400 sacks at 12 francs and 100 sacks at 9 francs.", `{"hours": {"Monday": "0:0-0:0", "Friday": "9:0-17:0"}}`
	for _, c := range []struct {
		source, claim string
		opinion       float64
		supported     bool
	}{
		{mill, "The mill took in 5,700 francs for flour and sacks.", 0.02, false},
		{mill, "The mill took in 5,700 francs for flour and sacks.", 0.48, false},
		{mill, "The mill took in 5,700 francs for flour and sacks.", 0.99, true},
		{mill, "For 500 sacks of flour the mill and its owner were paid 5,700 francs.", 0.99, true},
		{week, "It is open on Mondays, so that people who work hard can shop on their free day.", 0.99, false},
	} {
		var asked []ibid.Pair
		v, err := New(Config{Judge: saying{c.opinion, &asked, nil}}).weighUp(t.Context(), newTurn([]ibid.Passage{passage(1, c.source), passage(2, strings.Repeat("Nothing whatever is known about pigeons. ", 40))}), new(scratch), draft(c.claim), "")
		if err != nil {
			t.Fatal(err)
		}
		if len(asked) != 1 && c.source == mill || (v.support >= 0.5) != c.supported || (len(v.conflict) == 0) != c.supported {
			t.Errorf("%q, opinion %v, asked %d times: support %v, contradicted %v", c.claim, c.opinion, len(asked), v.support, v.conflict)
		}
	}
}

// reader is a judge who supports some words of a claim and reads the opposite of the rest.
type reader struct {
	contradicted float64
	not          string
}

func (r reader) Judge(ctx context.Context, pairs []ibid.Pair) ([]ibid.Judgement, error) {
	out, err := worded{r.not}.Judge(ctx, pairs)
	for i := range out {
		out[i].Contradicted, out[i].Unsupported = r.contradicted, 0.98-r.contradicted
	}
	return out, err
}

// TestJudgeReadsOtherwise: what no word denies is contradicted where a judge reads the opposite, at the words that it does not support and
// where it was read; one who reads less of it names nothing. What words call denied is named by what they say.
func TestJudgeReadsOtherwise(t *testing.T) {
	ps := []ibid.Passage{passage(1, "The steamship Great Eastern laid the cable of 1866. Its crew was hired in Kent and went home with debts, as the pay came late.")}
	for _, c := range []struct {
		claim, not   string
		contradicted float64
		kind, of     string
	}{
		{"The crew of the steamship Great Eastern went home rich men.", "rich men.", 0.8, "reading", "rich men"},
		{"The crew of the steamship Great Eastern went home rich men.", "rich men.", 0.4, "", ""},
		{"The crew of the steamship was not hired in Kent, and the pay came late.", "not hired", 0.8, "negation", "not hired"},
	} {
		v, err := New(Config{Judge: reader{c.contradicted, c.not}, Always: true}).weighUp(t.Context(), newTurn(ps), new(scratch), draft(c.claim), "")
		if err != nil {
			t.Fatal(err)
		}
		kind, of := "", ""
		for _, x := range v.conflict {
			kind, of = x.Kind, x.Of.In(c.claim)
			if to := x.To.Span.Shift(-ps[0].Chunk.At.Span.Start); !strings.Contains(to.In(ps[0].Chunk.Text), "hired") {
				t.Errorf("%q: %q is held against it", c.claim, to.In(ps[0].Chunk.Text))
			}
		}
		if kind != c.kind || !strings.Contains(of, c.of) {
			t.Errorf("%q, the opposite read with %v: %q of %q is named", c.claim, c.contradicted, kind, of)
		}
	}
}

// TestExplanationAddsUp: between two opinions of the judge, of which one may overrule what words deny, and between short sources and long ones,
// support moves in log odds by just as much as all features together are said to have moved it.
func TestExplanationAddsUp(t *testing.T) {
	var asked []ibid.Pair
	const source = "The landing was completed on 5 August 1858. The mill sold 400 sacks at 12 francs and 100 sacks at 9 francs."
	explain := func(claim string, opinion float64, more int) (odds, moved float64) {
		ps := []ibid.Passage{passage(1, source), passage(2, strings.Repeat("Nothing whatever is known about pigeons. ", more))}
		x, err := New(Config{Judge: saying{opinion, &asked, nil}}).Explain(t.Context(), ps, draft(claim))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range x.Features {
			moved += f.Moved
		}
		return logit(x.Finding.Segment.Support), moved
	}
	for _, claim := range []string{"Engineers finished the landing early in August 1858.", "The mill took in 5,700 francs for flour and sacks."} {
		odds, moved := explain(claim, 0.3, 0) // of 0.4 the second claim would have more than what is denied may have
		for _, c := range []struct {
			opinion float64
			more    int
		}{{0.2, 0}, {0.9, 0}, {0.3, 12}, {0.3, 40}, {0.9, 40}} {
			o, m := explain(claim, c.opinion, c.more)
			if o == odds || math.Abs((o-odds)-(m-moved)) > 1e-9 {
				t.Errorf("%q, opinion %v beside %d more sentences: log odds move by %v, the features by %v", claim, c.opinion, c.more, o-odds, m-moved)
			}
		}
	}
}

// worded is a judge who supports all words of a claim but some.
type worded struct{ not string }

func (w worded) Judge(_ context.Context, pairs []ibid.Pair) ([]ibid.Judgement, error) {
	out := make([]ibid.Judgement, len(pairs))
	for i, p := range pairs {
		out[i] = ibid.Judgement{Supported: 0.02, Unsupported: 0.98}
		at := 0
		for _, word := range strings.Fields(p.Claim) {
			at += strings.Index(p.Claim[at:], word)
			support := 0.98
			if strings.Contains(w.not, word) {
				support = 0.02
			}
			out[i].Words = append(out[i].Words, ibid.WordSupport{At: ibid.Span{Start: at, End: at + len(word)}, Support: support})
			at += len(word)
		}
	}
	return out, nil
}

// TestJudgeSaysWhichWords: the words that are marked are those that the judge finds unsupported, a word that the source has
// among them, and not those that it says in other words; without its opinion the words' own match decides.
func TestJudgeSaysWhichWords(t *testing.T) {
	ps := []ibid.Passage{passage(1, "The steamship Great Eastern laid the cable of 1866. It sailed from Ireland, and the crew was paid well.")}
	claim := "The vessel Great Eastern laid the cable of 1866 from Newfoundland for Ireland's crew."
	marked := func(j ibid.Judge) string {
		e := New(Config{Judge: j, Always: true})
		v, err := e.weighUp(t.Context(), newTurn(ps), new(scratch), draft(claim), "")
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, at := range newTurn(ps).missingSpans(v) {
			out = append(out, at.In(claim))
		}
		return strings.Join(out, " | ")
	}
	alone := marked(nil)
	if !strings.Contains(alone, "Newfoundland") {
		t.Fatalf("by words alone %q is marked, without the place that no source has", alone)
	}
	asked := marked(worded{"cable Newfoundland"})
	if !strings.Contains(asked, "cable") || !strings.Contains(asked, "Newfoundland") || strings.Contains(asked, "vessel") {
		t.Errorf("the judge does not support cable and Newfoundland; marked is %q", asked)
	}
}

// TestJudgesDoNotReckon: an amount that the source has in other units is not marked, though the judge does not know it.
func TestJudgesDoNotReckon(t *testing.T) {
	ps := []ibid.Passage{passage(1, "Boiled eggs keep in the fridge for up to 7 days, if they are not peeled.")}
	const claim = "Boiled eggs keep in the cellar for up to one week."
	v, err := New(Config{Judge: worded{"cellar one week."}, Always: true}).weighUp(t.Context(), newTurn(ps), new(scratch), draft(claim), "")
	if err != nil {
		t.Fatal(err)
	}
	if got := newTurn(ps).missingSpans(v); len(got) != 1 || got[0].In(claim) != "cellar" {
		t.Errorf("marked are %v of %q", got, claim)
	}
}

// TestJudgeOverrulesWords: where the judge finds a segment supported, what is only put otherwise is no contradiction; a number
// that differs stays one.
func TestJudgeOverrulesWords(t *testing.T) {
	ps := []ibid.Passage{passage(1, "The drug was not approved for children in Europe in 1921.")}
	for _, c := range []struct {
		text      string
		supported float64
		want      string
	}{
		{"The drug was approved for children in Europe.", 0.1, "negation"},
		{"The drug was approved for children in Europe.", 0.9, ""},
		{"The drug was not approved for children in Europe in 1931.", 0.9, "date"},
	} {
		var asked []ibid.Pair
		v, err := New(Config{Judge: saying{c.supported, &asked, nil}, Always: true}).weighUp(t.Context(), newTurn(ps), new(scratch), draft(c.text), "")
		if err != nil {
			t.Fatal(err)
		}
		kinds := ""
		for _, x := range v.conflict {
			kinds += x.Kind
		}
		if !strings.HasPrefix(kinds, c.want) || c.want == "" && kinds != "" {
			t.Errorf("%q, believed with %v: %q is named, not %q", c.text, c.supported, kinds, c.want)
		}
	}
}

// TestJudgeReadsWhereLinesEnd: what ends with its line without a mark is read with a stop, so that two lines are not read as one sentence; what goes on
// in the next line, and what has a mark, is not.
func TestJudgeReadsWhereLinesEnd(t *testing.T) {
	for source, want := range map[string]string{
		"Opening hours\nThe shop is open from nine to five.\nOn Sundays it is closed":                                                              "Opening hours. The shop is open from nine to five. On Sundays it is closed",
		"Breakfast is included in the price\nDogs may come along\n\nCall us":                                                                       "Breakfast is included in the price. Dogs may come along. Call us",
		"- apples and pears\n- dogs (small)\n* **plums**\n":                                                                                        "- apples and pears. - dogs (small). * plums",
		"The bridge over the river at the old mill was built by the firm of\nJohn Smith in 1900. It is red.\nNo dogs":                              "The bridge over the river at the old mill was built by the firm of John Smith in 1900. It is red. No dogs",
		"The dogs of the town were counted in the spring of that year by Mary\nSmith and her brother. There were ninety of them.\nAll were small.": "The dogs of the town were counted in the spring of that year by Mary Smith and her brother. There were ninety of them. All were small.",
		"The dogs of the town were counted by\na man who knew them. Most of\nthem were small, and the rest\nwere not":                              "The dogs of the town were counted by a man who knew them. Most of them were small, and the rest were not",
		"What is allowed:\nDogs\nIs it free? Yes":                                                                                                  "What is allowed: Dogs. Is it free? Yes",
		"| Plan | Dogs |\n|---|---|\n| Pro | 2 |":                                                                                                  "| Plan | Dogs | | Pro | 2 |",
	} {
		tn := newTurn([]ibid.Passage{passage(1, source)})
		var sc scratch
		s := tn.read("The dogs of it.")
		e, _ := tn.measure(s, &sc)
		if got := strings.Join(strings.Fields(tn.reading(s, &e)), " "); got != want {
			t.Errorf("%q is read as %q", source, got)
		}
	}
}
