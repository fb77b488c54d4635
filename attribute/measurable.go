package attribute

import (
	"slices"
	"strings"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// measurable is a word of a segment for which another amount, time of the day or year of a source may stand, with all that is read of it in the segment:
// it is the same beside each window.
type measurable struct {
	i, c    int  // of the words that count, and of the tokens
	times   bool // says how many times as much something became
	daytime daytime
	timed   bool // it is of a daytime
	years   [2]float64
	yearsTo int // where the years end that it covers, 0 where it covers none
	amount  amount
	counted bool // it is of an amount, and of no date
	hedge   hedge
	hedgeAt int

	peculiar  bool   // the amount has three digits of its own
	alone     bool   // it is peculiar, and no part of a range
	rates     []rate // those that it is of
	rateHedge hedge
	heads     map[string]float64 // for how many of which it is
	cased     bool               // it is that of one case: a 7 kg parcel, a loan of $3,000
	counting  string             // what it counts
}

// measure reads the measurables of a segment, and the dates of what lasts.
func (s *segment) measure() {
	l := s.line()
	if s.tongue == token.English {
		s.borders = l.borders()
	}
	for i, c := range s.content {
		tok := s.tokens[c]
		if s.tongue == token.English && tok.Kind&(token.Year|token.Month) != 0 {
			if d, _, from, to, ok := l.during(c); ok {
				s.lasting = append(s.lasting, lasting{i, d, from, to})
			}
		}
		if tok.Kind&(token.Number|token.Unit|token.Ordinal) == 0 && token.Parts[tok.Key] == 0 && multiples[tok.Key] == 0 && tok.Key != noon && tok.Key != midnight || tok.Kind.Has(token.Lookalike) {
			continue
		}
		if len(s.measurables) == 0 {
			s.reckons, s.reckoning = l.reckons()
			s.numbers = l.amounts()
		}
		q := measurable{i: i, c: c, times: multiples[tok.Key] > 0}
		q.daytime, q.timed = l.daytime(c)
		q.years[0], q.years[1], q.yearsTo, _ = l.years(c)
		q.amount, q.counted = l.amount(c)
		if from, to := dated(c, 0, len(s.tokens), func(k int) token.Kind { return s.tokens[k].Kind }); to-from > 1 {
			q.counted = false
		}
		switch {
		case q.times:
			q.hedge, q.hedgeAt = l.hedge(c)
		case q.counted:
			q.hedge, q.hedgeAt = l.hedge(q.amount.from)
			q.peculiar = q.amount.peculiar()
			q.alone = q.peculiar && l.upTo(c) < 0 && !l.rangeEnds(c)
			q.counting = l.counting(q.amount)
			q.cased = q.hedge == exact && tok.Kind.Has(token.Number) && l.cased(c, q.amount)
			q.rates = l.ratesOf(q.amount)
			if r, ok := l.spannedBefore(q.amount); ok && len(q.rates) == 0 {
				q.rates = append(q.rates, r)
			}
			q.rateHedge, _ = l.hedge(q.amount.from)
			q.heads = l.heads(q.amount)
		}
		s.measurables = append(s.measurables, q)
	}
	s.moments = s.momentsSaid()
	if len(s.lasting)+len(s.moments) > 0 && s.tells(momentary) {
		s.lasting, s.moments = nil, nil
	}
}

// placed is an amount of a window by the token at which it was read.
type placed struct {
	amount
	at int
}

// count reads the amounts at all tokens of a window, and which of them are those that amounts gives.
func (sc *scratch) count(l line) {
	sc.amounts, sc.numbers = sc.amounts[:0], sc.numbers[:0]
	for i := l.start; i < l.end; i++ {
		a, ok := l.amount(i)
		if !ok {
			continue
		}
		sc.amounts = append(sc.amounts, placed{a, i})
		if l.numbers(i) && len(sc.numbers) < maxAmounts {
			sc.numbers = append(sc.numbers, a)
		}
	}
}

// expandAmounts lets a number of the window stand for one of the segment that says the same: 1.5 hours for 90 minutes,
// 8,336,817 for 8.3 million, 1994 for the 1990s or the 20th century.
func (t *turn) expandAmounts(s *segment, a *alignment, sc *scratch, start, end int) {
	if len(s.measurables)+len(s.lasting)+len(s.borders)+len(s.moments) == 0 {
		return
	}
	mine, theirs := s.line(), t.line(a.passage, start, end)
	read := false
	for n := range s.measurables {
		q := &s.measurables[n]
		if a.pos[q.i] >= 0 {
			continue
		}
		t.operations += end - start
		if q.times {
			if ch, ok := t.changed(a, end, func(ch change) bool { return mine.multiplies(q.c, ch) }); ok {
				s.stands(a, q.hedgeAt, q.c+1, ch.before.from, .9, measured)
			}
			continue
		}
		if q.timed {
			for j := start; j < end; j++ {
				if have, ok := theirs.daytime(j); ok && q.daytime.is(have) {
					s.stands(a, q.daytime.from, q.daytime.to, j, 1, measured)
					break
				}
			}
			if a.pos[q.i] >= 0 {
				continue
			}
		}
		if q.yearsTo > 0 {
			for j := start; j < end; j++ {
				if y := theirs.at(j); y.Kind.Has(token.Year) && y.Num >= q.years[0] && y.Num <= q.years[1] && !strings.HasSuffix(y.Key, "s") {
					s.stands(a, q.c, q.yearsTo, j, .9, measured)
					break
				}
			}
			continue
		}
		if !q.counted {
			continue
		}
		if !read {
			sc.count(theirs)
			read = true
		}
		want := q.amount
		for _, have := range sc.amounts {
			if strength := want.says(have.amount, q.hedge); strength > 0 {
				s.stands(a, want.from, want.to, have.at, strength, measured)
				s.stands(a, q.hedgeAt, q.hedgeAt+1, have.at, strength, measured)
				break
			}
		}
		if a.pos[q.i] >= 0 {
			continue
		}
		if s.reckons >= 0 && (want.unit != "" || q.peculiar) {
			if one, _, ok := want.reckoned(sc.numbers, s.reckoning); ok {
				s.stands(a, want.from, want.to, one.from, .9, measured)
				s.stands(a, s.reckons, s.reckons+1, one.from, .9, measured)
			}
		}
		if a.pos[q.i] >= 0 {
			continue
		}
		if left, right := want.spanned(theirs); right > 0 {
			s.stands(a, want.from, want.to, left+1, .9, measured)
		} else if have, ok := q.sameRate(t, s, a.passage, theirs, sc.amounts); ok {
			s.stands(a, want.from, slices.MaxFunc(q.rates, func(a, b rate) int { return a.to - b.to }).to, have.from, .9, measured)
		} else if at := q.byHead(a, theirs); at >= 0 {
			s.stands(a, want.from, want.to, at, .9, measured)
		} else if at := t.ofColumn(s, q, a.passage); at >= 0 {
			s.stands(a, want.from, want.to, at, .9, measured)
			s.stands(a, s.reckons, s.reckons+1, at, .9, measured)
		} else if ch, ok := t.changedBy(mine, want, a, end); ok {
			s.stands(a, want.from, want.to, ch.before.from, .9, measured)
		} else if from, ok := q.worksOut(s, a, sc.numbers, s.numbers); ok {
			s.stands(a, want.from, want.to, from.from, .9, measured)
		} else if at := q.limits(theirs, sc.amounts); at >= 0 {
			s.stands(a, want.from, want.to, at, .9, measured)
		}
	}
	s.expandPeriods(a, theirs)
	s.expandStretches(a, theirs)
	s.expandBorders(a, theirs)
}

// sameRate finds among the amounts of a window the rate that is the segment's for another span of time.
func (q *measurable) sameRate(t *turn, s *segment, passage int, theirs line, all []placed) (rate, bool) {
	for i := 0; len(q.rates) > 0 && i < len(all); i++ {
		rates := theirs.ratesOf(all[i].amount)
		if r, ok := t.headed(passage, all[i], s, q.amount.unit); ok {
			rates = append(rates, r)
		}
		for _, have := range rates {
			if slices.ContainsFunc(q.rates, func(r rate) bool { return r.says(have, q.rateHedge) }) {
				return have, true
			}
		}
	}
	return rate{}, false
}
