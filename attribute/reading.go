package attribute

import (
	"slices"
	"strings"

	"github.com/ibid-dev/ibid"
)

// readingBudget is how much of the passages a judge reads for one segment, in bytes: about 380 word pieces of English.
const readingBudget = 1700

// maxTitle bounds the title that stands before a passage's sentences.
const maxTitle = 90

// reading is what a judge is given for a segment: all of the passages where that is little, else the sentences that the
// search found, the ones that cover most first, then their neighbours, until the budget is spent. Sentences keep their
// order within a passage, gaps are marked, and the title says what a passage's pronouns are about. The order of the
// passages does not matter to it.
func (t *turn) reading(e *evidence, budget int) string {
	top := e.top
	picked := make([]bool, len(t.sentences))
	left := budget
	titled, read := map[int]bool{}, map[uint64]bool{}
	var order []int // passages, the one found first before the others
	take := func(id int) {
		s := t.sentences[id]
		cost := s.at.Len() + 1
		if !titled[s.passage] {
			cost += len(t.title(s.passage)) + 2
		}
		if read[s.hash] || cost > left && left < budget {
			return // passages overlap: what was read once need not be read again
		}
		read[s.hash] = true
		if !titled[s.passage] {
			titled[s.passage] = true
			order = append(order, s.passage)
		}
		picked[id] = true
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
	last := ""
	for _, p := range order {
		if title := t.title(p); title != "" && title != last {
			b.WriteString(title + ": ")
			last = title
		}
		for id, before := t.firsts[p], -1; id < t.firsts[p+1]; id++ {
			if !picked[id] {
				continue
			}
			if before >= 0 && before != id-1 {
				b.WriteString("… ")
			}
			before = id
			b.WriteString(t.sentences[id].at.In(t.passages[p].Chunk.Text))
			b.WriteByte(' ')
		}
	}
	return strings.TrimSpace(b.String())
}

// title of a passage as a judge reads it; an address is none.
func (t *turn) title(p int) string {
	title := strings.Join(strings.Fields(t.passages[p].Source.Reference.Title()), " ")
	if strings.Contains(title, "://") {
		return ""
	}
	return clip(title, maxTitle)
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

// Readings gives what a judge would read for each segment: training sees what use will see. A budget of 0 is the engine's.
func Readings(passages []ibid.Passage, drafts []ibid.Draft, budget int) []string {
	if budget == 0 {
		budget = readingBudget
	}
	t := newTurn(passages)
	var sc scratch
	out := make([]string, 0, len(drafts))
	for _, d := range drafts {
		e, _ := t.measure(t.read(d.Text), &sc)
		out = append(out, t.reading(&e, budget))
	}
	return out
}
