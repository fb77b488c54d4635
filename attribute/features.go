package attribute

import "math"

// feature is one measured fact about a segment and its evidence. The names are what Explain shows and what the weights
// are stored under: a feature may be added at the end, but not renamed without training again.
type feature int

const (
	fSentence feature = iota
	fStrict
	fCover
	fAround
	fPassage
	fTurn
	fUnion
	fMissMax
	fMissSum
	fMissCount
	fMissPassage
	fMissTurn
	fNames
	fNamesMissing
	fNamesGone
	fNumbers
	fNumbersMissing
	fNumbersGone
	fBigram
	fSkip
	fLCS
	fRun
	fRunChars
	fOrder
	fReverse
	fNegation
	fNegated
	fAntonym
	fSwap
	fSwapName
	fSwapNumber
	fQuantifier
	fCompare
	fHedge
	fSpread
	fContent
	fLength
	fRarity
	fPronoun
	fFirstPerson
	fSentencesLog
	fPassagesLog
	fWindow
	fSecond
	fSoft
	fStops
	fVerbatim3
	fHeadName
	fMissFrac
	fQuotedMissing
	fHard
	fHardUnion
	fNameCover
	fPlainCover
	fClause
	fClauseTurn
	fTail
	fHead
	fSister
	fUnrelated
	fGap
	fConflict
	fConflictHard
	numFeatures
)

var featureNames = [numFeatures]string{
	"cover by the best sentence",
	"cover by the window's own words",
	"cover by the window with title and context",
	"cover by the neighbourhood",
	"cover by the passage",
	"cover by the best passages together",
	"cover by two windows",
	"heaviest word missing from the window",
	"weight missing from the window",
	"words missing from the window",
	"words missing from the passage",
	"words missing from all passages",
	"names",
	"names missing from the window",
	"names missing from all passages",
	"numbers",
	"numbers missing from the window",
	"numbers missing from all passages",
	"neighbouring words that are neighbours in the source",
	"neighbouring words that are near in the source",
	"longest common subsequence",
	"longest common run of words",
	"length of the longest common run",
	"words in another order",
	"cover of the best sentence by the segment",
	"negation differs",
	"negations in the segment",
	"opposite words",
	"words in place of which the source has others",
	"names in place of which the source has others",
	"numbers in place of which the source has others",
	"quantifiers missing from the window",
	"comparisons missing from the window",
	"hedges in the segment",
	"spread of the matched words",
	"content words",
	"length of the segment",
	"rarity of its words",
	"begins with a pronoun",
	"speaks in the first person",
	"sentences in the turn (log)",
	"passages in the turn (log)",
	"sentences in the window",
	"second best passage",
	"share of matches that are not the same word",
	"function words shared",
	"runs of three words shared",
	"the subject is missing",
	"share of words missing from the window",
	"quoted words missing",
	"cover by the same words alone",
	"cover by the same words in two windows",
	"cover of names and numbers",
	"cover of plain words",
	"cover of the worst clause",
	"cover of the worst clause by the best passages",
	"cover of the second half",
	"cover of the first half",
	"words in place of which the source has a kindred one",
	"words in place of which the source has an unrelated one",
	"heaviest run of missing words",
	"particulars that the source denies",
	"numbers, dates, units and comparisons that the source denies",
}

// vector holds the features of one segment.
type vector [numFeatures]float64

// evidence is what the search found for a segment.
type evidence struct {
	top       []int32 // sentences that share the most weight with the segment, best first
	best      alignment
	others    []alignment // the best window of each further passage, best first
	shown     []alignment // the window of each passage that says it best, best first
	second    alignment   // adds most to the best, may be empty
	value     vector
	slots     []slot
	conflicts []conflict
	turn      []float64 // cover of each content word by the best passages together
	negAt     []int     // content words whose negation differs
}

// slot is a word of the segment in place of which the source has another.
type slot struct {
	word int   // content word of the segment
	pos  int32 // token of the source
}

// measure searches the evidence of a segment and computes its features.
func (t *turn) measure(s *segment, sc *scratch) (evidence, bool) {
	var e evidence
	v := &e.value
	t.describe(s, v)
	top := t.search(s, sc)
	if len(top) == 0 {
		return e, false
	}
	e.top = top
	all := t.alignAll(s, top, sc)
	e.best = all[0]
	e.others = perPassage(all)
	e.shown = t.shown(s, all)
	e.second = t.complement(s, e.best, all)
	t.coverage(s, &e, all)
	t.missing(s, &e)
	t.parts(s, &e)
	t.order(s, &e)
	t.disagree(s, &e)
	e.conflicts = t.particulars(s, &e)
	for _, c := range e.conflicts {
		w := conflictWeights[c.kind]
		if c.kind == "negation" || c.kind == "name" {
			w *= min(1, 8/float64(len(s.content))) // a long sentence has room for both
		}
		v[fConflict] += w
		if c.kind == "number" || c.kind == "date" || c.kind == "unit" || c.kind == "comparative" {
			v[fConflictHard]++
		}
	}
	return e, true
}

// describe fills what depends on the segment and the size of the turn alone.
func (t *turn) describe(s *segment, v *vector) {
	v[fContent] = float64(len(s.content))
	v[fLength] = math.Log1p(float64(len(s.text)))
	if n := len(s.content); n > 0 {
		v[fRarity] = s.total / float64(n)
	}
	for i, tok := range s.tokens {
		switch {
		case tok.kind.has(negation):
			v[fNegated]++
		case tok.kind.has(hedge):
			v[fHedge]++
		}
		if i == 0 && tok.kind.has(pronoun) {
			v[fPronoun] = 1
		}
		if tok.key == "i" || tok.key == "we" || tok.key == "my" || tok.key == "our" {
			v[fFirstPerson] = 1
		}
	}
	v[fSentencesLog] = math.Log1p(float64(len(t.sentences)))
	v[fPassagesLog] = math.Log1p(float64(len(t.passages)))
	v[fMissMax], v[fMissSum], v[fMissCount], v[fMissFrac] = 1, s.total, float64(len(s.content)), 1
}

// alignAll aligns every window, the best first.
func (t *turn) alignAll(s *segment, top []int32, sc *scratch) []alignment {
	sc.expect(t, s)
	ws := t.windows(top)
	all := make([]alignment, 0, len(ws))
	for _, w := range ws {
		all = append(all, t.align(s, w, sc))
	}
	sortAlignments(t, all, rank)
	return all
}

func (t *turn) coverage(s *segment, e *evidence, all []alignment) {
	v := &e.value
	v[fStrict], v[fCover] = e.best.strict, e.best.cover
	for _, a := range all {
		if a.to-a.from == 1 && a.strict > v[fSentence] {
			v[fSentence] = a.strict
		}
	}
	v[fWindow] = float64(e.best.to - e.best.from)
	if len(e.others) > 0 {
		v[fSecond] = e.others[0].cover
	}
	p := e.best.passage
	lo, hi := t.firsts[p], t.firsts[p+1]
	passages := []int{p}
	for _, o := range e.others {
		if len(passages) < 3 {
			passages = append(passages, o.passage)
		}
	}
	var around, passage, whole, union float64
	e.turn = make([]float64, len(s.weight))
	for i, w := range s.weight {
		var a, b, c float64
		for _, o := range s.options[i] {
			if a < o.strength && t.holds(o.term, max(lo, e.best.from-3), min(hi, e.best.to+3)) {
				a = o.strength
			}
			if b < o.strength && t.holds(o.term, lo, hi) {
				b = o.strength
			}
			for _, q := range passages {
				if c < o.strength && t.holds(o.term, t.firsts[q], t.firsts[q+1]) {
					c = o.strength
				}
			}
		}
		if x := e.best.strength[i]; x > 0 { // title and short forms count everywhere
			a, b, c = max(a, x), max(b, x), max(c, x)
		}
		e.turn[i] = c
		around += w * a
		passage += w * b
		whole += w * c
		u := e.best.strength[i]
		if len(e.second.strength) > 0 {
			u = max(u, e.second.strength[i])
		}
		union += w * u
		if b < 0.5 {
			v[fMissPassage]++
		}
		if c < 0.5 {
			v[fMissTurn]++
			if k := s.tokens[s.content[i]].kind; k.has(number) {
				v[fNumbersGone]++
			} else if k.has(name) {
				v[fNamesGone]++
			}
		}
	}
	if s.total > 0 {
		v[fAround], v[fPassage], v[fTurn], v[fUnion] = around/s.total, passage/s.total, whole/s.total, union/s.total
	}
}

// missing counts the words that the best window leaves uncovered.
func (t *turn) missing(s *segment, e *evidence) {
	v := &e.value
	v[fMissMax], v[fMissSum], v[fMissCount] = 0, 0, 0
	soft := 0.0
	for i, w := range s.weight {
		tok := s.tokens[s.content[i]]
		isName, isNumber := tok.kind.has(name), tok.kind.has(number)
		if isName {
			v[fNames]++
		}
		if isNumber {
			v[fNumbers]++
		}
		if e.best.pos[i] >= 0 {
			if e.best.via[i] != same && e.best.via[i] != alias {
				soft++
			}
			continue
		}
		left := w * (1 - e.best.strength[i])
		v[fMissSum] += left
		v[fMissMax] = max(v[fMissMax], left)
		v[fMissCount]++
		if isName && e.best.strength[i] < 0.5 {
			v[fNamesMissing]++
			if s.content[i] < 3 {
				v[fHeadName] = 1
			}
		}
		if isNumber {
			v[fNumbersMissing]++
		}
		if tok.kind.has(quantifier) {
			v[fQuantifier]++
		}
		if tok.kind.has(compare) {
			v[fCompare]++
		}
		if tok.kind.has(quoted) {
			v[fQuotedMissing]++
		}
	}
	if n := float64(len(s.content)); n > 0 {
		v[fMissFrac] = v[fMissCount] / n
		v[fSoft] = soft / n
	}
}

// parts measures the cover of parts of the segment: a claim is as good as its weakest part.
func (t *turn) parts(s *segment, e *evidence) {
	v := &e.value
	var all, hard, hardTwo, names, namesAll, plain, plainAll, gap float64
	half := (len(s.content) + 1) / 2
	var ends [2][2]float64
	for i, w := range s.weight {
		k := s.tokens[s.content[i]].kind
		c := e.best.strength[i]
		all += w
		h := exactly(&e.best, i)
		hard += w * h
		if len(e.second.strength) > 0 {
			h = max(h, exactly(&e.second, i))
		}
		hardTwo += w * h
		if k&(name|number|month) != 0 {
			names, namesAll = names+w*c, namesAll+w
		} else {
			plain, plainAll = plain+w*c, plainAll+w
		}
		side := 0
		if i >= half {
			side = 1
		}
		ends[side][0], ends[side][1] = ends[side][0]+w*c, ends[side][1]+w
		if c < 0.5 {
			gap += w
			v[fGap] = max(v[fGap], gap)
		} else {
			gap = 0
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
	v[fHead], v[fTail] = share(ends[0][0], ends[0][1]), share(ends[1][0], ends[1][1])
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
	case same, alias, titled, earlier, derived, named, referred:
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
			switch key := s.tokens[k].key; {
			case s.tokens[k].kind.has(comma), key == "and", key == "but", key == "which", key == "while", key == "becaus", key == "who", key == "although":
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
