package attribute

import (
	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// feature is one measured fact about a segment and its evidence. The names are what Explain shows and what the weights
// are stored under: a feature may be added at the end, but not renamed without training again.
type feature int

const (
	fStrict feature = iota
	fCover
	fPassage
	fUnion
	fMissMax
	fRun
	fOrder
	fNegation
	fAntonym
	fSwapName
	fSwapNumber
	fVerbatim3
	fMissFrac
	fHard
	fHardUnion
	fNameCover
	fPlainCover
	fClause
	fClauseTurn
	fTail
	fConflict
	fConflictHard
	fFirm
	fShort
	fLetters
	fTorn
	fOther
	fPlain
	fResearch
	fOverruled
	fAgreed
	fUnsaid
	numFeatures
)

var featureNames = [numFeatures]string{
	"cover by the window's own words",
	"cover by the window with title and context",
	"cover by the passage",
	"cover by two windows",
	"heaviest word missing from the window",
	"longest common run of words",
	"words in another order",
	"negation differs",
	"opposite words",
	"names in place of which the source has others",
	"numbers in place of which the source has others",
	"runs of three words shared",
	"share of words missing from the window",
	"cover by the same words alone",
	"cover by the same words in two windows",
	"cover of names and numbers",
	"cover of plain words",
	"cover of the worst clause",
	"cover of the worst clause by the best passages",
	"cover of the second half",
	"particulars that the source denies",
	"numbers, dates, units and comparisons that the source denies",
	"particulars that the source denies for certain",
	"how short all sources together are",
	"stands in the source word for word",
	"stands in the source word for word, torn out of its sentence",
	"stands in the source word for word, which says it of something else or under a condition",
	"particulars that the source denies for certain, and a judge does not overrule",
	"how much the only source reads like research",
	"particulars that the source denies, and a judge overrules",
	"says nothing but hours of business and ratings that data gives",
	"numbers that no source has",
}

// vector holds the features of one segment.
type vector [numFeatures]float64

// evidence is what the search found for a segment.
type evidence struct {
	top       []int32 // sentences that share the most weight with the segment, best first
	best      alignment
	others    []alignment // the best window of each further passage, best first
	shown     []alignment // the window of each passage that says it best, best first
	rest      alignment   // the sentence that says most of what the first shown leaves, empty where that is little
	second    alignment   // adds most to the best, may be empty
	value     vector
	conflicts []conflict
	other     string      // what is not the same about words that were copied out of a sentence
	denying   alignment   // the sentences of the best window that hold the conflicts, empty where there is none
	agreed    []ibid.Span // of the segment, which data gives alike: hours, ratings
	unsaid    []int       // tokens of the segment: numbers that no source has
	misdated  []int       // tokens of the segment: years that the source gives for something else
	turn      []float64   // cover of each content word by the best passages together
}

// measure searches the evidence of a segment and computes its features.
func (t *turn) measure(s *segment, sc *scratch) (evidence, bool) {
	var e evidence
	v := &e.value
	v[fMissMax], v[fMissFrac] = 1, 1
	top := t.search(s, sc)
	if len(top) == 0 {
		return e, false
	}
	e.top = top
	all := t.alignAll(s, top, sc)
	t.wholeFirst(s, all)
	e.best = all[0]
	e.others = perPassage(all)
	e.shown = t.shown(s, all, sc)
	e.second, _ = t.complement(s, &e.best, all, maxWindow)
	if rest, gain := t.complement(s, &e.shown[0], all, 1); gain >= worthCiting || gain > 0 && s.numberAdded(&e.shown[0], &rest) {
		e.rest = rest
	}
	t.coverage(s, &e)
	t.missing(s, &e)
	t.parts(s, &e)
	t.order(s, &e)
	t.common(s, &e)
	t.toTheLetter(s, &e)
	t.disagree(s, &e)
	e.conflicts = t.particulars(s, &e)
	e.unsaid = t.unsaid(s, &e)
	e.misdated = t.misdated(s, &e)
	v[fUnsaid] = float64(len(e.unsaid) + len(e.misdated))
	for i, c := range e.conflicts {
		if c.plain = c.plain || s.dated(c.from, c.to, e.unsaid); c.plain {
			e.conflicts[i].plain = true // a day that no source has
		}
		w := conflictWeights[c.kind]
		if c.kind == "negation" || c.kind == "name" {
			w *= min(1, 8/float64(len(s.content))) // a long sentence has room for both
		}
		v[fConflict] += w
		if firm[c.kind] {
			v[fFirm]++
			if c.plain {
				v[fPlain]++
			}
		}
		if firm[c.kind] || c.kind == "comparative" {
			v[fConflictHard]++
		}
	}
	if len(e.conflicts) > 0 {
		e.denying = t.align(s, t.holding(e.conflicts, e.best.window), sc)
	}
	return e, true
}

// alignAll aligns every window, the best first. It gives them in the scratch's room, up to the next time.
func (t *turn) alignAll(s *segment, top []int32, sc *scratch) []alignment {
	sc.expect(t, s)
	sc.windows = t.windows(top, sc)
	r := rooms(len(sc.windows), len(s.content))
	sc.aligned = sc.aligned[:0]
	for _, w := range sc.windows {
		sc.aligned = append(sc.aligned, r.alignment(w))
		t.match(s, &sc.aligned[len(sc.aligned)-1], sc)
	}
	return t.sorted(sc)
}

// coverage measures how much of the segment the best windows and the best passages have.
func (t *turn) coverage(s *segment, e *evidence) {
	v := &e.value
	v[fStrict], v[fCover], v[fShort], v[fResearch] = e.best.strict, e.best.cover, t.short, t.research
	p := e.best.passage
	lo, hi := t.firsts[p], t.firsts[p+1]
	passages := []int{p}
	for _, o := range e.others {
		if len(passages) < 3 {
			passages = append(passages, o.passage)
		}
	}
	var passage, union float64
	e.turn = make([]float64, len(s.weight))
	for i, w := range s.weight {
		b := e.best.strength[i] // title and short forms count everywhere
		c := b
		for _, o := range s.options[i] {
			if b < o.strength && t.holds(o.term, lo, hi) {
				b = o.strength
			}
			for _, q := range passages {
				if c < o.strength && t.holds(o.term, t.firsts[q], t.firsts[q+1]) {
					c = o.strength
				}
			}
		}
		e.turn[i] = c
		passage += w * b
		u := e.best.strength[i]
		if len(e.second.strength) > 0 {
			u = max(u, e.second.strength[i])
		}
		union += w * u
	}
	if s.total > 0 {
		v[fPassage], v[fUnion] = passage/s.total, union/s.total
	}
}

// missing measures the words that the best window does not have itself.
func (t *turn) missing(s *segment, e *evidence) {
	v := &e.value
	v[fMissMax] = 0
	n := 0.0
	for i, w := range s.weight {
		if e.best.pos[i] < 0 {
			v[fMissMax] = max(v[fMissMax], w*(1-e.best.strength[i]))
			n++
		}
	}
	if len(s.content) > 0 {
		v[fMissFrac] = n / float64(len(s.content))
	}
}

// parts measures the cover of parts of the segment: a claim is as good as its weakest part.
func (t *turn) parts(s *segment, e *evidence) {
	v := &e.value
	var all, hard, hardTwo, names, namesAll, plain, plainAll, tail, tailAll float64
	half := (len(s.content) + 1) / 2
	for i, w := range s.weight {
		k := s.tokens[s.content[i]].Kind
		c := e.best.strength[i]
		all += w
		h := exactly(&e.best, i)
		hard += w * h
		if len(e.second.strength) > 0 {
			h = max(h, exactly(&e.second, i))
		}
		hardTwo += w * h
		if k&(token.Name|token.Number|token.Month) != 0 {
			names, namesAll = names+w*c, namesAll+w
		} else {
			plain, plainAll = plain+w*c, plainAll+w
		}
		if i >= half {
			tail, tailAll = tail+w*c, tailAll+w
		}
	}
	share := func(a, b float64) float64 {
		if b == 0 {
			return 1
		}
		return a / b
	}
	v[fHard], v[fHardUnion] = share(hard, all), share(hardTwo, all)
	v[fNameCover], v[fPlainCover] = share(names, namesAll), share(plain, plainAll)
	v[fTail] = share(tail, tailAll)
	v[fClause], v[fClauseTurn] = 1, 1
	for _, c := range s.clauses() {
		var got, turn, total float64
		for i := c[0]; i < c[1]; i++ {
			u := e.best.strength[i]
			if len(e.second.strength) > 0 {
				u = max(u, e.second.strength[i])
			}
			got, turn, total = got+s.weight[i]*u, turn+s.weight[i]*e.turn[i], total+s.weight[i]
		}
		v[fClause] = min(v[fClause], share(got, total))
		v[fClauseTurn] = min(v[fClauseTurn], share(turn, total))
	}
}

// exactly is the cover of a word by the same word.
func exactly(a *alignment, i int) float64 {
	switch a.via[i] {
	case same, alias, measured, titled, earlier, derived, named, referred:
		return a.strength[i]
	}
	return 0
}

// clauses cuts the content words where a comma or a conjunction stands, into parts of at least three words.
func (s *segment) clauses() [][2]int {
	var out [][2]int
	from := 0
	for i := 1; i < len(s.content); i++ {
		cut := false
		for k := s.content[i-1] + 1; k <= s.content[i]; k++ {
			switch key := s.tokens[k].Key; {
			case s.tokens[k].Kind.Has(token.Comma), key == "and", key == "but", key == "which", key == "while", key == "becaus", key == "who", key == "although":
				cut = true
			}
		}
		if cut && i-from >= 3 && len(s.content)-i >= 3 {
			out = append(out, [2]int{from, i})
			from = i
		}
	}
	return append(out, [2]int{from, len(s.content)})
}
