package attribute

import (
	"cmp"
	"slices"

	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// segment is a draft made ready for the search: its words, what each weighs and which words of the turn match it.
type segment struct {
	text    string
	tongue  *token.Tongue
	tokens  []token.Token
	content []int     // indexes of the tokens that count, at most maxWords
	weight  []float64 // of each content word
	total   float64
	odd     bool
	than    int        // where its "than" stands, -1 where there is none
	cut     bool       // there were more words: they are not read, and no word of a source is held against them
	options [][]option // for each content word, the turn's terms that match it, the best first

	measurables []measurable
	lasting     []lasting
	moments     []moment
	borders     []border
	reckons     int // where it says that it adds or takes off, -1 where it does not; read where it has measurables
	reckoning   reckoning
	numbers     []amount // that are reckoned with
}

// option is a term of the turn that can stand for a word of the segment.
type option struct {
	term     int32
	slot     int32 // where the search keeps the places of the term, from 1 on
	strength float64
	via      via
}

// via says how a word was matched.
type via uint8

const (
	unmatched via = iota
	same
	alias
	measured
	derived
	synonym
	general
	earlier
	titled
	named
	referred
)

// maxWords bounds the work for one segment: a segment without an end is read as far as this.
const maxWords = 400

// statement is the text of a segment, as long as before, with blanks in place of all that says nothing of its subject: what formats it, and what names
// what it rests on.
func (t *turn) statement(text string) string {
	text = unframed(unnumbered(unadorned(text)))
	return unformatted(t.unpointed(t.uncited(text)))
}

// read analyses the statement of a segment against the turn.
func (t *turn) read(text string) *segment {
	text = t.statement(text)
	s := &segment{text: text, tongue: t.tongueOf(text)}
	s.tokens, s.odd = s.tongue.ScanBy(t.words, text, 0, nil)
	if s.tongue == token.English {
		s.tokens = t.compounds(text, s.tokens)
	}
	n := min(len(s.tokens), maxWords)
	s.content, s.weight, s.options = make([]int, 0, n), make([]float64, 0, n), make([][]option, 0, n)
	all := make([]option, 0, 4*n) // of all words
	var some [2 * maxOptions]option
	for i, tok := range s.tokens {
		if !tok.Content() {
			continue
		}
		if len(s.content) == maxWords {
			s.tokens, s.cut = s.tokens[:i], true
			break
		}
		s.content = append(s.content, i)
		w := weigh(tok)
		s.weight = append(s.weight, w)
		s.total += w
		first := len(all)
		all = append(all, t.options(tok, some[:0])...)
		s.options = append(s.options, all[first:len(all):len(all)])
	}
	s.than = s.line().than()
	s.measure()
	return s
}

// options are the terms of the turn that match a word, the best first. They are written to the room that is given, as far as there is enough.
func (t *turn) options(tok token.Token, out []option) []option {
	put := func(id int32, strength float64, how via) {
		for i := range out {
			if out[i].term == id {
				return
			}
		}
		out = append(out, option{term: id, strength: strength, via: how})
	}
	add := func(key string, strength float64, how via) {
		if id, ok := t.byKey[key]; ok {
			put(id, strength, how)
		}
	}
	add(tok.Key, 1, same)
	if tok.Kind.Has(token.Lookalike) {
		return out
	}
	if tok.Kind&(token.Number|token.Ordinal|token.Month|token.Unit|token.Compare|token.Quantifier) != 0 {
		for _, scale := range []string{celsius, fahrenheit} {
			if tok.Key == token.Signs['°'] {
				add(scale, 0.9, alias)
			} else if tok.Key == scale {
				add(token.Signs['°'], 0.9, alias)
			}
		}
		return out // July is no kind of June
	}
	for _, key := range known().same[tok.Key] {
		add(key, 0.8, synonym)
	}
	if n, ok := known().numbers[tok.Key]; ok {
		for at := t.special[n]; at > 0; at = t.specials[at-1].next {
			t.operations++
			put(t.specials[at-1].term, 0.6, general)
		}
	}
	if p := prefix(tok.Key); p != "" {
		before := out // each of the others stands once in the list, which may be long
		for id := range t.begin(p) {
			t.operations++
			if sim := alike(tok.Key, t.terms[id].key); sim > 0 && !slices.ContainsFunc(before, func(o option) bool { return o.term == id }) {
				out = append(out, option{term: id, strength: sim, via: derived})
			}
		}
	}
	return t.strongest(out)
}

// maxOptions bounds what one word of a segment can match.
const maxOptions = 16

// strongest keeps the best options. Equals are ordered by their words, so that the order of the sources does not matter.
func (t *turn) strongest(all []option) []option {
	slices.SortStableFunc(all, func(a, b option) int {
		switch {
		case a.strength != b.strength:
			return cmp.Compare(b.strength, a.strength)
		case a.via != b.via:
			return cmp.Compare(a.via, b.via)
		}
		return cmp.Compare(t.terms[a.term].key, t.terms[b.term].key)
	})
	return all[:min(len(all), maxOptions)]
}

// alike compares two stems that begin alike: one is the other with a tail, or they differ by a letter or two.
func alike(a, b string) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < 4 {
		return 0
	}
	n := 0
	for n < len(a) && a[n] == b[n] {
		n++
	}
	rest := len(b) - n
	switch {
	case n == len(a) && rest <= 3 && len(a) >= 5:
		return 0.85
	case n >= 5 && n >= len(a)-2 && rest <= 4:
		return 0.7
	case n >= 4 && len(a)-n <= 1 && rest <= 2:
		return 0.6
	}
	return 0
}

// window is a run of at most three sentences of one passage.
type window struct {
	passage, from, to int // sentences [from, to)
}

func (w window) holds(o window) bool {
	return w.passage == o.passage && w.from <= o.from && o.to <= w.to
}

func (w window) overlaps(o window) bool {
	return w.passage == o.passage && w.from < o.to && o.from < w.to
}

const (
	maxSoftPostings = 64
	maxSentences    = 10 // sentences looked at closely for one segment
	maxWindow       = 3
)

// search finds the sentences that share the most weight with the segment.
func (t *turn) search(s *segment, sc *scratch) []int32 {
	sc.reset(len(t.sentences))
	order := make([]int, len(s.content))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.weight[b], s.weight[a]) })
	for n, i := range order {
		for _, o := range s.options[i] {
			heads := t.terms[o.term].heads
			if o.via != same && len(heads) > maxSoftPostings {
				continue // a common word that is not even the same leads nowhere
			}
			for _, id := range heads {
				t.operations++
				sc.add(id, int32(n+1), s.weight[i]*o.strength)
			}
		}
	}
	return sc.best(t, maxSentences)
}

// scratch accumulates scores of sentences without clearing them between segments.
type scratch struct {
	score   []float64
	last    []int32 // the word that was counted last for a sentence
	touched []int32

	wanted []int32    // for each term of the turn, 1 + its index in terms, 0 for none
	terms  []int32    // that some word of the segment can be matched by
	found  [][2]int32 // tokens of a window that are of these terms, with their slots
	places []int32    // the tokens: those of one term together, ascending
	firsts []int32    // by wanted, where the places of a term begin; those of the next begin where they end

	amounts []placed // of a window
	numbers []amount // those among them that are reckoned with

	windows         []window
	begun           []uint8 // for each sentence, a bit for each size of window that begins with it
	aligned, sorted []alignment
	ranked          []ranked
	fits            []*alignment

	neighbours neighbours
}

// expect notes which terms the segment looks for.
func (sc *scratch) expect(t *turn, s *segment) {
	if len(sc.wanted) < len(t.terms) {
		sc.wanted, sc.terms = make([]int32, len(t.terms)), sc.terms[:0]
	}
	for _, id := range sc.terms {
		sc.wanted[id] = 0
	}
	sc.terms = sc.terms[:0]
	for _, options := range s.options {
		for i := range options {
			o := &options[i]
			if sc.wanted[o.term] == 0 {
				sc.terms = append(sc.terms, o.term)
				sc.wanted[o.term] = int32(len(sc.terms))
			}
			o.slot = sc.wanted[o.term]
		}
	}
}

// collect finds every place of a wanted term among the tokens [start, end). Each is kept once, for all words of the segment: a
// word that both repeat without an end has places, not pairs.
func (sc *scratch) collect(t *turn, start, end int) {
	n := len(sc.terms)
	sc.firsts = slices.Grow(sc.firsts[:0], n+2)[:n+2]
	clear(sc.firsts)
	sc.found = sc.found[:0]
	for j := start; j < end; j++ {
		if k := sc.wanted[t.tokens[j].term]; k > 0 {
			sc.firsts[k]++
			sc.found = append(sc.found, [2]int32{int32(j), k})
		}
	}
	for k := 1; k <= n+1; k++ {
		sc.firsts[k] += sc.firsts[k-1]
	}
	found := len(sc.found)
	sc.places = slices.Grow(sc.places[:0], found)[:found]
	for i := found - 1; i >= 0; i-- { // each term's from its last place down to its first
		j, k := sc.found[i][0], sc.found[i][1]
		sc.firsts[k]--
		sc.places[sc.firsts[k]] = j
	}
	t.operations += end - start + found
}

// of are the places of what is expected in a slot.
func (sc *scratch) of(slot int32) []int32 { return sc.places[sc.firsts[slot]:sc.firsts[slot+1]] }

func (sc *scratch) reset(n int) {
	if len(sc.score) < n {
		sc.score, sc.last = make([]float64, n), make([]int32, n)
	}
	for _, id := range sc.touched {
		sc.score[id], sc.last[id] = 0, 0
	}
	sc.touched = sc.touched[:0]
}

func (sc *scratch) add(id, word int32, w float64) {
	if sc.last[id] == word {
		return // a better option for this word was counted
	}
	if sc.last[id] == 0 {
		sc.touched = append(sc.touched, id)
	}
	sc.last[id] = word
	sc.score[id] += w
}

func (sc *scratch) best(t *turn, n int) []int32 {
	order := func(a, b int32) int {
		if c := cmp.Compare(sc.score[b], sc.score[a]); c != 0 {
			return c
		}
		return t.byText(a, b)
	}
	// A short list kept in order is faster than sorting all that was touched.
	var top []int32
	for _, id := range sc.touched {
		if len(top) == n && order(id, top[n-1]) >= 0 {
			continue
		}
		i, _ := slices.BinarySearchFunc(top, id, order)
		if len(top) < n {
			top = append(top, 0)
		}
		copy(top[i+1:], top[i:])
		top[i] = id
	}
	return top
}

// byText orders sentences by what they and their passages say, so that the order of the sources does not matter.
func (t *turn) byText(a, b int32) int {
	x, y := &t.sentences[a], &t.sentences[b]
	if x.hash != y.hash {
		return cmp.Compare(x.hash, y.hash)
	}
	return cmp.Or(cmp.Compare(t.prints[x.passage], t.prints[y.passage]), cmp.Compare(a, b))
}

// windows are the runs of up to three sentences around the best ones, each once, in the order of the search.
func (t *turn) windows(top []int32, sc *scratch) []window {
	out := sc.windows[:0]
	if len(sc.begun) < len(t.sentences) {
		sc.begun = make([]uint8, len(t.sentences))
	}
	for _, id := range top {
		p := t.sentences[id].passage
		lo, hi := t.firsts[p], t.firsts[p+1]
		for n := 1; n <= maxWindow; n++ {
			for from := max(lo, int(id)-n+1); from <= int(id) && from+n <= hi; from++ {
				if sc.begun[from]&(1<<n) == 0 {
					sc.begun[from] |= 1 << n
					out = append(out, window{p, from, from + n})
				}
			}
		}
	}
	for _, w := range out {
		sc.begun[w.from] = 0
	}
	return out
}
