package attribute

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute/internal/token"
)

// readingBudget is the most that a judge reads of the passages for one segment, in bytes: about 380 word pieces of English.
const readingBudget = 1700

// budget is how much is read for a segment: four times its length, and what stands around.
func (s *segment) budget() int { return min(700+4*len(s.text), readingBudget) }

// endless is the length from which a source's sentence is not read whole: no window of the judge holds so much, and a table
// in one line may be as long as a book.
const endless = 2 * readingBudget

// maxTitle bounds the title that stands before a passage's sentences.
const maxTitle = 90

// reading is what a judge is given for a segment: all of the passages where that is little, else the sentences that the
// search found, the ones that cover most first, then their neighbours, until the budget is spent. Of an endless sentence the
// stretches are read that have most of the segment's words. Sentences keep their order within a passage, gaps are marked, and
// the title says what a passage's pronouns are about. The order of the passages does not matter to it.
func (t *turn) reading(seg *segment, e *evidence) string {
	top, budget := e.top, seg.budget()
	picked := make([][]ibid.Span, len(t.sentences)) // what is read of each
	left := budget
	titled, read := map[int]bool{}, map[uint64]bool{}
	var order []int // passages, the one found first before the others
	take := func(id int) {
		s := t.sentences[id]
		cost := 0
		if !titled[s.passage] {
			cost = len(t.readTitle(s.passage)) + 2
		}
		if read[s.hash] {
			return // passages overlap: what was read once need not be read again
		}
		parts := []ibid.Span{s.at}
		if s.at.Len() > endless {
			parts = t.stretches(seg, s, left-cost)
		}
		for _, at := range parts {
			cost += len(t.legible(s.passage, at)) + 1
		}
		if len(parts) == 0 || cost > left && left < budget {
			return
		}
		read[s.hash] = true
		if !titled[s.passage] {
			titled[s.passage] = true
			order = append(order, s.passage)
		}
		picked[id] = parts
		left -= cost
	}
	takeWindow := func(w window) {
		for id := w.from; id < w.to; id++ {
			take(id)
		}
	}
	if len(top) > 0 {
		takeWindow(e.best.window)
		takeWindow(e.second.window)
		for _, id := range top {
			take(int(id))
		}
	}
	if t.size() <= budget {
		for _, id := range t.byHash() {
			take(id)
		}
	} else {
		for _, id := range top {
			for _, near := range [...]int{int(id) - 1, int(id) + 1} {
				if near >= 0 && near < len(t.sentences) && t.sentences[near].passage == t.sentences[id].passage {
					take(near)
				}
			}
		}
	}
	var b strings.Builder
	last, stopped := "", -1 // where a stop was put at the end of all
	for _, p := range order {
		if title := t.readTitle(p); title != "" && title != last {
			b.WriteString(title + ": ")
			last = title
		}
		for id, before := t.firsts[p], -1; id < t.firsts[p+1]; id++ {
			if picked[id] == nil {
				continue
			}
			if before >= 0 && before != id-1 {
				b.WriteString("… ")
			}
			before = id
			end := t.sentences[id].at.Start
			for _, at := range picked[id] {
				if at.Start > end {
					b.WriteString("… ")
				}
				end = at.End
				b.WriteString(t.legible(p, at))
				if at.End == t.sentences[id].at.End && t.unstopped(id) {
					stopped = b.Len()
					b.WriteByte('.')
				}
				b.WriteByte(' ')
			}
			if end < t.sentences[id].at.End {
				b.WriteString("… ")
			}
		}
	}
	all := strings.TrimSpace(b.String())
	if stopped >= 0 && stopped == len(all)-1 {
		return all[:stopped] // nothing stands below
	}
	return all
}

// unstopped reports whether a sentence ends with its line and has no mark of its own: a judge, who sees no lines, would read on into the next. Where a
// line may go on in the next one, as in text that was broken to a width, it does.
func (t *turn) unstopped(id int) bool {
	s := t.sentences[id]
	text := t.passages[s.passage].Chunk.Text
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s.at.In(text), " \t*_`"))
	if !unicode.IsLetter(last) && !unicode.IsDigit(last) && !strings.ContainsRune(")]%°€$£\"”'’", last) {
		return false
	}
	n := strings.IndexFunc(text[s.at.End:], func(r rune) bool { return r != ' ' && r != '\t' && r != '\r' && r != '*' && r != '_' && r != '`' })
	switch {
	case n < 0:
		return true
	case text[s.at.End+n] != '\n':
		return false
	}
	behind := strings.TrimLeft(text[s.at.End+n+1:], " \t\r")
	next, _ := utf8.DecodeRuneInString(behind)
	switch {
	case behind == "" || next == '\n':
		return true // a paragraph ends
	case unicode.IsLower(next) || strings.ContainsRune(",;:)]", next) || t.tokens[s.end-1].kind.Has(token.Stop):
		return false
	}
	return s.at.Len() < brokenLine || !unicode.IsLetter(next)
}

// brokenLine is the length from which a line may have been broken to a width.
const brokenLine = 60

// legible is a place of a passage as a judge reads it: without what formats it, and in English.
func (t *turn) legible(passage int, at ibid.Span) string {
	s := at.In(t.passages[passage].Chunk.Text)
	out := unformatted(s)
	if g := t.tongues[passage]; g != nil {
		out = reworded(out, g.Gloss(out)).text
	}
	if out != s {
		return strings.Join(strings.Fields(out), " ")
	}
	return s
}

// readTitle is the title of a passage as a judge reads it.
func (t *turn) readTitle(passage int) string {
	title := t.title(passage)
	if g := t.tongues[passage]; g != nil {
		return reworded(title, g.Gloss(title)).text
	}
	return title
}

// stretch is about how much of an endless sentence is chosen at a time, in bytes.
const stretch = 200

// stretches are the parts of an endless sentence that a judge reads for a segment, in their order: each the one that adds
// most of the segment's words to those before, then what stands around them, until the budget is spent.
func (t *turn) stretches(seg *segment, s sentence, budget int) []ibid.Span {
	type word struct {
		i      int
		weight float64
	}
	wanted := map[int32][]word{}
	for i, options := range seg.options {
		for _, o := range options {
			wanted[o.term] = append(wanted[o.term], word{i, seg.weight[i] * o.strength})
		}
	}
	type block struct {
		at    ibid.Span
		words []word
		taken bool
	}
	var blocks []block
	for i, from := s.start, s.at.Start; i < s.end; {
		b := block{at: ibid.Span{Start: from, End: s.at.End}}
		seen := map[int32]bool{}
		for first := i; i < s.end && (i == first || int(t.tokens[i].end)-from <= stretch); i++ {
			if term := t.tokens[i].term; len(wanted[term]) > 0 && !seen[term] {
				seen[term] = true
				b.words = append(b.words, wanted[term]...)
			}
		}
		if i < s.end {
			from = int(t.tokens[i].start)
			b.at.End = from
		}
		b.at.End = b.at.Start + len(token.Clip(b.at.In(t.passages[s.passage].Chunk.Text), 2*stretch)) // a word or a rule without an end
		blocks = append(blocks, b)
	}
	t.operations += s.end - s.start
	covered := make([]float64, len(seg.content))
	var order []int
	take := func(n int) {
		if n < 0 || n >= len(blocks) || blocks[n].taken || blocks[n].at.Len()+1 > budget {
			return
		}
		blocks[n].taken = true
		budget -= blocks[n].at.Len() + 1
		order = append(order, n)
		for _, w := range blocks[n].words {
			covered[w.i] = max(covered[w.i], w.weight)
		}
	}
	for before := -1; before < len(order); {
		before = len(order)
		best, most := -1, 0.0
		for n, b := range blocks {
			gain := 0.0
			for _, w := range b.words {
				gain += max(0, w.weight-covered[w.i])
			}
			if gain > most {
				best, most = n, gain
			}
		}
		take(best)
	}
	for k := 0; k < len(order); k++ {
		take(order[k] - 1)
		take(order[k] + 1)
	}
	slices.Sort(order)
	var out []ibid.Span
	for _, n := range order {
		if k := len(out) - 1; k >= 0 && out[k].End == blocks[n].at.Start {
			out[k].End = blocks[n].at.End
		} else {
			out = append(out, blocks[n].at)
		}
	}
	return out
}

// title of a passage; an address is none.
func (t *turn) title(p int) string {
	title := strings.Join(strings.Fields(t.passages[p].Source.Reference.Title()), " ")
	if strings.Contains(title, "://") {
		return ""
	}
	return token.Clip(title, maxTitle)
}

// size is the length of all sentences with their titles, counted until it is too much to matter.
func (t *turn) size() int {
	n := 0
	for p := range t.passages {
		n += len(t.title(p)) + 2
		if n += len(t.passages[p].Chunk.Text); n > readingBudget {
			break
		}
	}
	return n
}

// byHash are the sentences in an order that does not depend on the order of the sources.
func (t *turn) byHash() []int {
	out := make([]int, len(t.sentences))
	for i := range out {
		out[i] = i
	}
	slices.SortFunc(out, func(a, b int) int { return t.byText(int32(a), int32(b)) })
	return out
}

// Readings gives what a judge would read for each segment: training sees what use will see.
func Readings(passages []ibid.Passage, drafts []ibid.Draft) []string {
	t := newTurn(passages)
	var sc scratch
	out := make([]string, 0, len(drafts))
	for _, d := range drafts {
		s := t.read(d.Text)
		e, _ := t.measure(s, &sc)
		out = append(out, t.reading(s, &e))
	}
	return out
}
