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
}

// vector holds the features of one segment.
type vector [numFeatures]float64

// evidence is what the search found for a segment.
type evidence struct {
	best   alignment
	others []alignment // the best window of each further passage, best first
	second alignment   // adds most to the best, may be empty
	value  vector
	slots  []slot
	negAt  []int // content words whose negation differs
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
	all := t.alignAll(s, top)
	e.best = all[0]
	e.others = perPassage(all)
	e.second = t.complement(s, e.best, all)
	t.coverage(s, &e, all)
	t.missing(s, &e)
	t.order(s, &e)
	t.disagree(s, &e)
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
func (t *turn) alignAll(s *segment, top []int32) []alignment {
	ws := t.windows(top)
	all := make([]alignment, 0, len(ws))
	for _, w := range ws {
		all = append(all, t.align(s, w))
	}
	sortAlignments(t, all)
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
