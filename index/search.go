package index

import (
	"cmp"
	"slices"

	"github.com/ibid-dev/ibid"
)

// weights are what the ranking can be tuned by. bench/README.md says what was tried.
type weights struct {
	k1     float64         // how soon more of the same word stops to count
	fields [fields]float64 // how much a word counts by where it stands
	b      [fields]float64 // how much the length of a field counts against it
	exact  float64         // how much the word as it stands counts beside its stem
	lead   float64         // how much more the beginning of a document counts
}

func defaultWeights() weights {
	return weights{
		k1:     1.6,
		fields: [fields]float64{body: 1, heading: 1, title: 1.5},
		b:      [fields]float64{body: 0.6, heading: 0.5, title: 0.5},
		exact:  0.3,
		lead:   0.1,
	}
}

// maxTerms bounds the work for a question that is a whole text.
const maxTerms = 256

// term is a term of a question and what it counts.
type term struct {
	text   string
	weight float64
}

// question is what is asked of a view.
type question struct {
	terms   []term
	sources map[ibid.SourceID]bool // nil for all
}

// hit is a chunk that answers, by where it stands.
type hit struct {
	segment, chunk int
	key            *snapshot
	ordinal        int
	score          float64 // within [0,1]
}

// compareHits orders by score, and where that is the same by what does not depend on how the index came about.
func compareHits(a, b hit) int {
	return cmp.Or(
		cmp.Compare(b.score, a.score),
		cmp.Compare(a.key.document, b.key.document),
		cmp.Compare(a.ordinal, b.ordinal),
		cmp.Compare(a.key.source, b.key.source),
	)
}

// search gives the best hits, at most limit of them.
func (v *view) search(q question, p *population, w weights, limit int) ([]hit, error) {
	if p.chunks == 0 || len(q.terms) == 0 {
		return nil, nil
	}
	lists := make([][][]posting, len(q.terms)) // by term and segment
	idf := make([]float64, len(q.terms))
	best := 0.0
	for i, t := range q.terms {
		n, err := 0, error(nil)
		if lists[i], n, err = v.postings(t.text, p); err != nil {
			return nil, err
		}
		idf[i] = t.weight * p.idf(n)
		best += idf[i] * (w.k1 + 1)
	}
	var hits topHits
	for j, s := range v.segments {
		scores := make([]float64, len(s.chunks))
		for i := range q.terms {
			w.add(scores, lists[i][j], s.chunks, p, idf[i])
		}
		for c, score := range scores {
			if score == 0 {
				continue
			}
			n := &s.snapshots[s.chunks[c].snapshot]
			if q.sources != nil && !q.sources[n.source] {
				continue
			}
			score *= (1 + w.lead/float64(1+s.chunks[c].ordinal)) / (1 + w.lead)
			hits.add(hit{j, c, n, int(s.chunks[c].ordinal), min(1, score/best)}, limit)
		}
	}
	return hits.sorted(), nil
}

// postings gives the chunks of the population that have a term, by segment, and how many they are.
func (v *view) postings(term string, p *population) (lists [][]posting, n int, err error) {
	lists = make([][]posting, len(v.segments))
	for j, s := range v.segments {
		list, err := s.list(term)
		if err != nil {
			return nil, 0, err
		}
		lists[j] = slices.DeleteFunc(list, func(x posting) bool { return !p.in[j][s.chunks[x.chunk].snapshot] })
		n += len(lists[j])
	}
	return lists, n, nil
}

// add gives each chunk of a list its score for one term: BM25 over all fields at once.
func (w weights) add(scores []float64, list []posting, chunks []chunkEntry, p *population, idf float64) {
	var average [fields]float64
	for f := range average {
		average[f] = p.length(field(f))
	}
	for _, x := range list {
		times := 0.0
		for f, n := range x.times {
			if n > 0 {
				long := float64(chunks[x.chunk].words[f]) / average[f]
				times += w.fields[f] * float64(n) / (1 - w.b[f] + w.b[f]*long)
			}
		}
		scores[x.chunk] += idf * (w.k1 + 1) * times / (w.k1 + times)
	}
}

// topHits keeps the best hits: a heap with the worst of them on top.
type topHits struct{ heap []hit }

func (t *topHits) add(h hit, limit int) {
	switch {
	case len(t.heap) < limit:
		t.heap = append(t.heap, h)
		t.up(len(t.heap) - 1)
	case limit > 0 && compareHits(h, t.heap[0]) < 0:
		t.heap[0] = h
		t.down(0)
	}
}

func (t *topHits) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if compareHits(t.heap[i], t.heap[parent]) <= 0 {
			return
		}
		t.heap[i], t.heap[parent] = t.heap[parent], t.heap[i]
		i = parent
	}
}

func (t *topHits) down(i int) {
	for {
		worst := i
		for _, child := range []int{2*i + 1, 2*i + 2} {
			if child < len(t.heap) && compareHits(t.heap[child], t.heap[worst]) > 0 {
				worst = child
			}
		}
		if worst == i {
			return
		}
		t.heap[i], t.heap[worst] = t.heap[worst], t.heap[i]
		i = worst
	}
}

func (t *topHits) sorted() []hit {
	slices.SortFunc(t.heap, compareHits)
	return t.heap
}

// ask takes a question apart: its words by stem and as they stand, without those that carry no meaning of their own
// unless there are no others.
func ask(text string, stop map[string]bool, w weights) question {
	var q question
	add := func(keep func(string) bool) {
		seen := map[string]bool{}
		eachWord(text, func(word []byte) {
			s := string(word)
			if !keep(s) || len(q.terms) >= maxTerms {
				return
			}
			if st := stem(s); !seen[st] {
				seen[st] = true
				q.terms = append(q.terms, term{st, 1})
			}
			if e := exactMark + s; !stop[s] && w.exact > 0 && !seen[e] {
				seen[e] = true
				q.terms = append(q.terms, term{e, w.exact})
			}
		})
	}
	add(func(s string) bool { return !stop[s] })
	if len(q.terms) == 0 {
		add(func(string) bool { return true })
	}
	return q
}
