package attribute

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// Config says what an Engine is made of. Its zero value stands alone: words decide.
type Config struct {
	// Judge is asked for a second opinion where words leave doubt. nil means words alone.
	Judge ibid.Judge
	// Always asks the judge about every segment, not only where words leave doubt.
	Always bool
	// Claims reports whether a segment makes a claim, with the reason. nil means IsClaim.
	Claims func(text string, kind ibid.Kind, before string) (bool, string)
}

// Engine attributes the segments of answers to the passages they had. It has no state of its own and may be used by many
// at once.
type Engine struct {
	config Config
	model  *combined
}

var _ ibid.Attributor = (*Engine)(nil)

// New makes an engine. It panics where the embedded weights do not fit the build, which a test rules out.
func New(c Config) *Engine {
	m, err := loadModel(modelJSON)
	if err != nil {
		panic(err)
	}
	if c.Claims == nil {
		c.Claims = IsClaim
	}
	return &Engine{config: c, model: m}
}

// Attribute yields one finding per draft, in order, each before the next draft is read. The index of the passages is
// built when the first draft comes.
func (e *Engine) Attribute(ctx context.Context, passages []ibid.Passage, drafts iter.Seq2[ibid.Draft, error]) iter.Seq2[ibid.Finding, error] {
	return func(yield func(ibid.Finding, error) bool) {
		var t *turn
		var sc scratch
		before := ""
		for d, err := range drafts {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				yield(ibid.Finding{}, err)
				return
			}
			if t == nil {
				t = newTurn(passages)
			}
			f, err := e.decide(ctx, t, &sc, d, before)
			if err != nil {
				yield(ibid.Finding{}, fmt.Errorf("segment at %v: %w", d.At, err))
				return
			}
			if !yield(f, nil) {
				return
			}
			before = d.Text
		}
	}
}

// atOnce is how many segments the judge is asked about at once where all are known.
const atOnce = 64

// AttributeAll gives the findings of Attribute where all drafts are known. The judge is asked about many at once, which lets each
// processor take some of them. After an error nothing more is yielded, of which there may be findings that Attribute would give.
func (e *Engine) AttributeAll(ctx context.Context, passages []ibid.Passage, drafts []ibid.Draft) iter.Seq2[ibid.Finding, error] {
	return func(yield func(ibid.Finding, error) bool) {
		if len(drafts) == 0 {
			return
		}
		t := newTurn(passages)
		var sc scratch
		before := ""
		for some := range slices.Chunk(drafts, atOnce) {
			vs, err := e.verdicts(ctx, t, &sc, some, before)
			if err != nil {
				yield(ibid.Finding{}, fmt.Errorf("segments from %d to %d: %w", some[0].At.Start, some[len(some)-1].At.End, err))
				return
			}
			for _, v := range vs {
				if !yield(t.finding(v), nil) {
					return
				}
			}
			before = some[len(some)-1].Text
		}
	}
}

// verdict is everything that was found out about one segment.
type verdict struct {
	draft    ibid.Draft
	before   string // the text of the segment before
	seg      *segment
	ev       evidence
	found    bool // some word of the segment stands in a source
	support  float64
	question *question       // what the judge is to be asked, nil where words leave no doubt
	judged   *ibid.Judgement // what the judge said, nil where it was not asked
	tooLong  bool            // for the judge, who would have been asked
	odds     float64         // the judge's log odds, or where it was not asked the usual ones
	said     []float64       // its support of each content word, nil where it gave none
	claim    bool
	noClaim  string
	lacking  bool // it says that the passages lack what they have
	conflict []ibid.Contradiction
}

func (e *Engine) decide(ctx context.Context, t *turn, sc *scratch, d ibid.Draft, before string) (ibid.Finding, error) {
	v, err := e.verdict(ctx, t, sc, d, before)
	if err != nil {
		return ibid.Finding{}, err
	}
	return t.finding(v), nil
}

func (e *Engine) verdict(ctx context.Context, t *turn, sc *scratch, d ibid.Draft, before string) (verdict, error) {
	vs, err := e.verdicts(ctx, t, sc, []ibid.Draft{d}, before)
	if err != nil {
		return verdict{}, err
	}
	return vs[0], nil
}

// verdicts weighs segments up that follow each other, and those whose heads may be what speaks against them, once more without.
func (e *Engine) verdicts(ctx context.Context, t *turn, sc *scratch, drafts []ibid.Draft, before string) ([]verdict, error) {
	out := make([]verdict, len(drafts))
	for i, d := range drafts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[i] = e.measured(t, sc, d, before)
		before = d.Text
	}
	if err := e.hear(ctx, t, out); err != nil {
		return nil, err
	}
	return out, e.withoutHeads(ctx, t, sc, out)
}

// measured searches a segment, measures it and turns the measure into a probability, as far as that goes without the judge.
func (e *Engine) measured(t *turn, sc *scratch, d ibid.Draft, before string) verdict {
	v := verdict{draft: d, before: before, seg: t.read(d.Text)}
	v.ev, v.found = t.measure(v.seg, sc)
	v.claim, v.noClaim = e.config.Claims(d.Text, d.Kind, before)
	if !v.claim {
		if c, ok := t.deniedAbsence(v.seg, d); ok {
			v.claim, v.noClaim, v.lacking = true, "", true
			v.support, v.conflict = deniedSupport, []ibid.Contradiction{c}
			return v
		}
	}
	if !v.found {
		v.support = noEvidence
		return v
	}
	v.support = e.model.probability(&v.ev.value)
	v.conflict = t.contradictions(v.seg, &v.ev, d.At.Start)
	if !v.claim && v.quoted() {
		v.claim, v.noClaim = true, ""
	}
	if e.config.Judge != nil {
		e.doubt(t, &v)
	}
	return v
}

// quoted reports whether a sentence stands in a source to the letter. A question or a wish that an answer quotes is what
// the source says, not the writer's word to the reader. Short ones stand anywhere.
func (v *verdict) quoted() bool {
	x := &v.ev.value
	return v.draft.Kind == ibid.Sentence && len(v.seg.content) >= 4 && x[fLetters]+x[fTorn] > 0 && x[fConflict] == 0
}

// deniedSupport is the support of a segment that says that the passages lack what they have.
const deniedSupport = 0.1

// noEvidence is the support of a segment none of whose words stands in a source.
const noEvidence = 0.02

// The judge is asked where words leave doubt: where its opinion, as strong as it usually gets, could turn the decision, and where a number
// is denied that may follow from others.
const (
	doubtLow  = 0.08
	doubtHigh = 0.92
)

// question is what the judge is asked about a segment.
type question struct {
	pair  ibid.Pair
	claim wording // of which words the claim stands
}

// doubt decides whether the judge is asked. Where it is not, its usual opinion beside such words is assumed, so that the probability
// means the same on both ways. It is not asked about a segment that is longer than what it reads of the sources: that cannot say all of it.
func (e *Engine) doubt(t *turn, v *verdict) {
	words, m := e.model.score(&v.ev.value), e.model
	v.odds = m.Judged.Usual + m.Judged.Slope*words
	usual := sigmoid(m.judged(&v.ev.value, words, v.odds))
	x := &v.ev.value
	ask := e.config.Always || usual > doubtLow && usual < doubtHigh && !verbatim(x) || x[fFirm] > x[fPlain]
	v.tooLong = ask && len(v.seg.text) > readingBudget
	if ask && !v.tooLong {
		claim := t.worded(v.seg, &v.ev)
		v.question = &question{ibid.Pair{Evidence: t.reading(v.seg, &v.ev), Claim: claim.text}, claim}
		return
	}
	e.conclude(t, v, words)
}

// hear asks the judge about the segments in doubt, all at once, and weighs its opinions beside the words'.
func (e *Engine) hear(ctx context.Context, t *turn, vs []verdict) error {
	var pairs []ibid.Pair
	for i := range vs {
		if q := vs[i].question; q != nil {
			pairs = append(pairs, q.pair)
		}
	}
	if len(pairs) == 0 {
		return nil
	}
	said, err := e.config.Judge.Judge(ctx, pairs)
	if err != nil {
		return fmt.Errorf("judge: %w", err)
	}
	if len(said) != len(pairs) {
		return fmt.Errorf("judge: %d judgements for %d pairs: %w", len(said), len(pairs), ibid.ErrInvalid)
	}
	for i := range vs {
		v := &vs[i]
		if v.question == nil {
			continue
		}
		v.judged, v.odds = &said[0], logit(said[0].Supported)
		said = said[1:]
		v.said = v.seg.saidOf(v.question.claim.back(v.judged.Words))
		words := e.model.heard(&v.ev.value, e.model.score(&v.ev.value), v.odds)
		if v.judged.Supported >= 0.5 && v.ev.value[fTorn] == 0 {
			v.ev.conflicts = slices.DeleteFunc(v.ev.conflicts, func(c conflict) bool { return !firm[c.kind] || !c.plain })
			v.conflict = t.contradictions(v.seg, &v.ev, v.draft.At.Start)
		}
		e.conclude(t, v, words)
	}
	return nil
}

// conclude gives the support by the words' log odds and the judge's.
func (e *Engine) conclude(t *turn, v *verdict, words float64) {
	v.support = support(e.model.judged(&v.ev.value, words, v.odds), &v.ev.value)
	if c, ok := t.readOtherwise(v); ok {
		v.conflict = []ibid.Contradiction{c}
	}
}

// readOtherwise is a contradiction that words do not name and a judge reads: of the words that it supports the least, to the place that was
// compared with the segment.
func (t *turn) readOtherwise(v *verdict) (ibid.Contradiction, bool) {
	if v.judged == nil || v.judged.Contradicted < readOpposite || v.support >= hybridSupport || len(v.conflict) > 0 {
		return ibid.Contradiction{}, false
	}
	of, least := trimmed(v.draft), 1.0
	for _, at := range t.missingSpans(*v) {
		for i, c := range v.seg.content {
			if v.said != nil && v.said[i] < least && at.Overlaps(v.seg.tokens[c].At.Shift(v.draft.At.Start)) {
				of, least = at, v.said[i]
			}
		}
	}
	best := v.ev.best
	reason := fmt.Sprintf("says %q, a second opinion reads otherwise in passage %d", token.Clip(v.words(of), 60), t.passages[best.passage].Rank)
	return ibid.Contradiction{Of: of, To: t.anchor(best.passage, t.span(best.window)), Kind: "reading", Reason: reason}, true
}

// readOpposite is a judge's probability of contradiction that is enough where words call nothing denied. LOG.md has how often people agree.
const readOpposite = 0.6

// firm are the kinds of contradictions that stand against a judge who finds the segment supported, where nothing else differs. Names, negations
// and comparisons often differ because the sentence is built otherwise; a number does not.
var firm = map[string]bool{"number": true, "date": true, "unit": true, "distance": true, "exchange": true}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func logit(p float64) float64 {
	p = math.Min(0.9999, math.Max(0.0001, p))
	return math.Log(p / (1 - p))
}

// quote gives the text of a window.
func (t *turn) quote(w window) string {
	return t.span(w).In(t.passages[w.passage].Chunk.Text)
}

// span is the place of a window within its passage's text.
func (t *turn) span(w window) ibid.Span {
	return ibid.Span{Start: t.sentences[w.from].at.Start, End: t.sentences[w.to-1].at.End}
}

// anchor turns a place in a passage's text into the document's.
func (t *turn) anchor(passage int, at ibid.Span) ibid.Anchor {
	c := t.passages[passage].Chunk
	if lines, ok := t.lines[passage]; ok {
		at = lines.Back(at)
	}
	return ibid.Anchor{Document: c.At.Document, Span: at.Shift(c.At.Span.Start)}
}
