package workflow

import "github.com/ibid-dev/ibid"

// numbering gives each source of an answer its number, in order of first use, and keeps each cited place once.
type numbering struct {
	passages  map[int]ibid.Passage
	numbers   map[ibid.SourceID]int
	citations []ibid.Citation
}

func newNumbering(passages []ibid.Passage) numbering {
	n := numbering{passages: map[int]ibid.Passage{}, numbers: map[ibid.SourceID]int{}}
	for _, p := range passages {
		n.passages[p.Rank] = p
	}
	return n
}

// cite gives the citations of one finding. Only what a segment really rests on is cited: the model's own words cite
// nothing, even where a passage came near.
func (n *numbering) cite(f ibid.Finding) []ibid.Citation {
	if o := f.Segment.Origin; o != ibid.RAG && o != ibid.HYBRID && len(f.Segment.Contradicted) == 0 {
		return nil
	}
	var out []ibid.Citation
	for _, at := range f.Attributions {
		p, ok := n.passages[at.Ref]
		if !ok {
			continue // Check refuses such an answer, with the reason
		}
		out = append(out, n.place(p, at))
	}
	return out
}

// place finds the citation of an anchor, or makes it.
func (n *numbering) place(p ibid.Passage, at ibid.Attribution) ibid.Citation {
	for i, c := range n.citations {
		if c.At == at.To && c.Source == p.Source.ID {
			n.citations[i].Confidence = max(c.Confidence, at.Confidence)
			return n.citations[i]
		}
	}
	number, ok := n.numbers[p.Source.ID]
	if !ok {
		number = len(n.numbers) + 1
		n.numbers[p.Source.ID] = number
	}
	c := ibid.Citation{
		Number: number, Key: string(p.Source.ID), Source: p.Source.ID, At: at.To,
		Quote:   at.To.Span.Shift(-p.Chunk.At.Span.Start).In(p.Chunk.Text),
		Locator: p.Locator(at.To.Span.Start), Confidence: at.Confidence,
	}
	n.citations = append(n.citations, c)
	return c
}
