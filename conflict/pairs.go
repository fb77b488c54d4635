package conflict

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/text"
)

// Passages finds the conflicts among passages of different sources, and between versions of one source, the surest
// first. A whole document may be given as one passage.
func (f *Finder) Passages(ctx context.Context, passages []ibid.Passage) ([]Finding, error) {
	ix := newIndex(f.read, passages)
	var out []Finding
	for _, p := range ix.pairs() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		found, err := f.pair(ctx, ix, p)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	slices.SortStableFunc(out, order)
	return withoutForms(once(out)), nil
}

// withoutForms leaves out values that differ in source after source: where a value meets three others or more, the
// sentences are a form that each fills in for itself, as in "was elected in 1946".
func withoutForms(all []Finding) []Finding {
	type place struct {
		document ibid.DocumentID
		words    ibid.Span
	}
	against := map[place]map[string]bool{}
	meet := func(a, b Side) {
		p := place{a.At.Document, a.Words}
		if against[p] == nil {
			against[p] = map[string]bool{}
		}
		against[p][b.Says] = true
	}
	for _, f := range all {
		meet(f.A, f.B)
		meet(f.B, f.A)
	}
	return slices.DeleteFunc(all, func(f Finding) bool {
		return !f.A.Words.Empty() && max(len(against[place{f.A.At.Document, f.A.Words}]), len(against[place{f.B.At.Document, f.B.Words}])) > 2
	})
}

// once keeps the surest of the findings that point at the same words on both sides.
func once(all []Finding) []Finding {
	type places struct {
		a, b           ibid.DocumentID
		awords, bwords ibid.Span
	}
	seen := map[places]bool{}
	return slices.DeleteFunc(all, func(f Finding) bool {
		p := places{f.A.At.Document, f.B.At.Document, f.A.Words, f.B.Words}
		if f.A.Words.Empty() || f.B.Words.Empty() {
			p.awords, p.bwords = f.A.At.Span, f.B.At.Span
		}
		dup := seen[p]
		seen[p] = true
		return dup
	})
}

// statement is a sentence of a passage.
type statement struct {
	passage int
	at      ibid.Span // within the passage's text
	around  ibid.Span // with the sentence it leans on, and the one that this leans on
	terms   []int32   // what it is about: its rare words and, where it leans on the sentence before, those of that one
}

// saying is a word of a passage and what it says in English.
type saying struct {
	at   ibid.Span // within the passage's text
	says string    // "" where it says nothing by itself
}

// index holds the statements of all passages by their words.
type index struct {
	passages   []ibid.Passage
	words      [][]saying // of each passage
	titles     [][]saying // of each passage's source
	statements []statement
	postings   [][]int32 // by term: statements, ascending, each once
	weight     []float64 // by term: how rare it is
	ids        map[string]int32
	lower      map[string]bool // stems that some sentence has in lower case: no names
	looked     int             // postings visited; counted for the law of growth
}

// The bounds of the work for one statement.
const (
	maxTerms    = 12  // rarest words that are looked up
	maxPostings = 200 // of one word: a word that more statements have leads nowhere
	maxPairs    = 6   // other statements that are compared with it
	leastShared = 2   // rare words that two statements must share
	leastCover  = 0.3 // share of the lighter one's weight that must be shared

	longestStatement = 2000 // bytes: what is longer is no sentence
)

func newIndex(r Reader, passages []ibid.Passage) *index {
	ix := &index{passages: passages, ids: map[string]int32{}, lower: map[string]bool{}}
	for p := range passages {
		whole := passages[p].Chunk.Text
		ix.words = append(ix.words, sayings(r, whole, ""))
		ix.titles = append(ix.titles, sayings(r, passages[p].Source.Reference.Title(), whole))
		ix.read(p)
	}
	n := float64(len(ix.statements))
	ix.weight = make([]float64, len(ix.postings))
	for id, list := range ix.postings {
		ix.weight[id] = math.Log(1 + n/float64(len(list)))
	}
	for i := range ix.statements {
		slices.SortFunc(ix.statements[i].terms, func(a, b int32) int { return cmp.Or(cmp.Compare(ix.weight[b], ix.weight[a]), cmp.Compare(a, b)) })
	}
	return ix
}

func sayings(r Reader, text, around string) []saying {
	var out []saying
	at, says := r.Words(text, around)
	for i := range at {
		first, rest, _ := strings.Cut(says[i], " ")
		out = append(out, saying{at[i], first})
		for _, more := range strings.Fields(rest) {
			out = append(out, saying{at[i], more})
		}
	}
	return out
}

// wordsIn gives the words of a passage that lie in a part of its text.
func (ix *index) wordsIn(passage int, part ibid.Span) []saying {
	all := ix.words[passage]
	from, _ := slices.BinarySearchFunc(all, part.Start, func(w saying, at int) int { return cmp.Compare(w.at.Start, at) })
	to, _ := slices.BinarySearchFunc(all, part.End+1, func(w saying, at int) int { return cmp.Compare(w.at.End, at) })
	return all[from:max(from, to)]
}

// read cuts a passage into statements. Headings and code state nothing; the cells of a table say what they mean by their
// place, which words do not show.
func (ix *index) read(passage int) {
	whole := ix.passages[passage].Chunk.Text
	var last *statement // the sentence before, whether it is kept or not
	for _, piece := range text.Pieces(whole) {
		if piece.Kind != ibid.Sentence && piece.Kind != ibid.ListItem || piece.At.Len() > longestStatement {
			last = nil
			continue
		}
		said := piece.At.In(whole)
		words := ix.wordsIn(passage, piece.At)
		s := statement{passage: passage, at: piece.At, around: piece.At, terms: ix.terms(words)}
		leaning := leans(words)
		if last != nil && leaning {
			s.terms = append(s.terms, last.terms...)
			slices.Sort(s.terms)
			s.terms = slices.Compact(s.terms)
			s.around.Start = max(last.around.Start, piece.At.Start-longestLean)
		}
		alone := last == nil && leaning // nothing tells of what it speaks
		last = &s
		if alone || len(s.terms) < leastShared || piece.Kind == ibid.Sentence && !ends(said) || !states(said, words) {
			continue
		}
		for _, id := range s.terms {
			ix.postings[id] = append(ix.postings[id], int32(len(ix.statements)))
		}
		ix.statements = append(ix.statements, s)
	}
}

// longestLean bounds how far back a statement leans, in bytes: they, it and this in a row lead far.
const longestLean = 600

// ends reports whether a sentence states something to its end: titles and lines of an address do not, nor do questions.
func ends(s string) bool {
	s = strings.TrimRightFunc(s, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`"'”’»)]*_`, r) })
	return strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, ";") || strings.HasSuffix(s, "。") || strings.HasSuffix(s, "…")
}

// states reports whether a sentence says something of something: a list of names, a time or an address does not. What
// people say of themselves or to each other is no matter of fact between sources.
func states(s string, words []saying) bool {
	if strings.Contains(s, "://") || strings.Contains(s, "©") {
		return false
	}
	plainWords, all := 0, 0
	for _, w := range words {
		switch low, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(w.says), "’", "'"), "'"); low {
		case "i", "we", "you", "my", "our", "your", "me", "us":
			return false
		}
		switch sortOf(w.says) {
		case plain:
			plainWords++
			all++
		case name, marked:
			all++
		}
	}
	return plainWords >= 1 && all >= 2
}

// terms are the stems of a sentence's words that say what it is about, each once.
func (ix *index) terms(words []saying) []int32 {
	var out []int32
	for _, w := range words {
		low := strings.ToLower(w.says)
		if utf8.RuneCountInString(low) < 3 || common[low] || !strings.ContainsFunc(low, unicode.IsLetter) {
			continue
		}
		key := text.Stem(low)
		if low == w.says {
			ix.lower[key] = true
		}
		id, ok := ix.ids[key]
		if !ok {
			id = int32(len(ix.ids))
			ix.ids[key] = id
			ix.postings = append(ix.postings, nil)
		}
		out = append(out, id)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// leans reports whether a sentence speaks of what the one before named: it begins with a word that stands for it.
func leans(words []saying) bool {
	for _, w := range words[:min(2, len(words))] {
		switch strings.ToLower(w.says) {
		case "it", "its", "he", "his", "she", "her", "they", "their", "this", "these", "that", "those", "there":
			return true
		}
	}
	return false
}

// pair is two statements that may be about the same thing.
type pair struct {
	a, b  int32
	cover float64 // share of the lighter one's weight that both have
}

// pairs gives the pairs of statements of different documents that share rare words, each once.
func (ix *index) pairs() []pair {
	shared := map[int32]float64{}
	count := map[int32]int{}
	seen := map[[2]int32]bool{}
	var out []pair
	for i := range ix.statements {
		clear(shared)
		clear(count)
		s := &ix.statements[i]
		for _, id := range s.terms[:min(maxTerms, len(s.terms))] {
			list := ix.postings[id]
			if len(list) > maxPostings {
				continue
			}
			for _, j := range list {
				ix.looked++
				if ix.apart(i, int(j)) {
					shared[j] += ix.weight[id]
					count[j]++
				}
			}
		}
		out = append(out, ix.best(int32(i), shared, count, seen)...)
	}
	slices.SortFunc(out, func(x, y pair) int { return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b)) })
	return out
}

// apart reports whether two statements stand in different documents: no source is held against itself.
func (ix *index) apart(i, j int) bool {
	a, b := ix.passages[ix.statements[i].passage], ix.passages[ix.statements[j].passage]
	return a.Chunk.At.Document != b.Chunk.At.Document
}

// best keeps the statements that share the most with statement i.
func (ix *index) best(i int32, shared map[int32]float64, count map[int32]int, seen map[[2]int32]bool) []pair {
	var all []pair
	for j, w := range shared {
		if count[j] < leastShared {
			continue
		}
		if c := w / min(ix.total(i), ix.total(j)); c >= leastCover {
			all = append(all, pair{i, j, c})
		}
	}
	slices.SortFunc(all, func(x, y pair) int { return cmp.Or(cmp.Compare(y.cover, x.cover), cmp.Compare(x.b, y.b)) })
	var out []pair
	for _, p := range all[:min(maxPairs, len(all))] {
		if p.a > p.b {
			p.a, p.b = p.b, p.a
		}
		if k := [2]int32{p.a, p.b}; !seen[k] {
			seen[k] = true
			out = append(out, p)
		}
	}
	return out
}

// total is the weight of the words of a statement that are looked up.
func (ix *index) total(i int32) float64 {
	sum := 0.0
	for _, id := range ix.statements[i].terms[:min(maxTerms, len(ix.statements[i].terms))] {
		sum += ix.weight[id]
	}
	return sum
}

// pair compares two statements, each as a claim against the other with what it leans on.
func (f *Finder) pair(ctx context.Context, ix *index, p pair) ([]Finding, error) {
	x, y := &ix.statements[p.a], &ix.statements[p.b]
	var out []Finding
	var rx, ry *reading // made when something is found, which is seldom
	for _, way := range [2][2]*statement{{x, y}, {y, x}} {
		claim, other := way[0], way[1]
		found, err := f.lenient.Claim(ctx, ix.cut(claim, claim.at), []ibid.Passage{ix.cut(other, other.around)})
		if err != nil {
			return nil, err
		}
		if rx == nil && len(found) > 0 {
			rx, ry = ix.reading(x), ix.reading(y)
		}
		for _, g := range found {
			if claim == y {
				g.A, g.B = g.B, g.A
				if !g.A.Words.Empty() {
					g.Reason = reason(g.Kind, g.A.Says, g.B.Says)
				}
			}
			if g.Kind != Judged && !sameThing(g.Kind, rx, ry, ix.within(x, g.A.Words), ix.within(y, g.B.Words)) {
				continue
			}
			if g.Confidence = sigmoid(logit(g.Confidence) + sameThingOdds); g.Confidence < f.pairs {
				continue
			}
			if g.A.Source == g.B.Source && g.A.Source != "" {
				g.Kind, g.Severity = Version, Medium
			}
			out = append(out, g)
		}
	}
	return out, nil
}

// sameThingOdds is how much likelier a difference is one of fact once both statements were found to be about the same
// thing, in log odds: the reader takes one in ten for granted, here it is three in ten.
const sameThingOdds = 1.4

// within turns a span of the document into one of the passage's text.
func (ix *index) within(s *statement, at ibid.Span) ibid.Span {
	return at.Shift(-ix.passages[s.passage].Chunk.At.Span.Start)
}

// cut makes a passage of a part of one.
func (ix *index) cut(s *statement, at ibid.Span) ibid.Passage {
	p := ix.passages[s.passage]
	p.Chunk.Text = at.In(p.Chunk.Text)
	p.Chunk.At.Span = at.Shift(p.Chunk.At.Span.Start)
	p.Chunk.Breaks = nil
	return p
}

// common are words that say nothing of what a sentence is about.
var common = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`the and for from with that this these those which who whom whose what when where while because since although though
		was were are been being has have had having will would shall should can could may might must not but nor yet than then there here their they them
		his her hers its our ours your you she him into onto upon about over under between among through during within without after before again once
		also too very just such own same other another each any both either neither one two more most many some few all only out off per via how why
		however therefore thus hence moreover said says say made make took take came come went got get`) {
		m[w] = true
	}
	return m
}()
