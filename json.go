package ibid

import (
	"encoding/json"

	"github.com/ibid-dev/ibid/internal/offsets"
)

// spanJSON is a span in each of the three units that readers count in: bytes (Go, Rust), runes (Python) and UTF-16
// units (JavaScript, Java). Only the bytes are read back.
type spanJSON struct {
	Start int   `json:"start"`
	End   int   `json:"end"`
	Runes *pair `json:"runes,omitempty"`
	UTF16 *pair `json:"utf16,omitempty"`
}

type pair [2]int

type anchorJSON struct {
	Document DocumentID `json:"document"`
	Span     spanJSON   `json:"span"`
}

// ruler measures spans of the answer's text and of the documents that its passages are cut from.
type ruler struct {
	text     *offsets.Table
	passages []measured
}

type measured struct {
	chunk Chunk
	table *offsets.Table
}

func newRuler(a Answer) *ruler {
	r := &ruler{text: offsets.New(a.Text)}
	for _, p := range a.allPassages() {
		r.passages = append(r.passages, measured{p.Chunk, offsets.New(p.Chunk.Text)})
	}
	return r
}

func (r *ruler) span(s Span) spanJSON {
	from, to := r.text.FromByte(s.Start), r.text.FromByte(s.End)
	return spanJSON{s.Start, s.End, &pair{from.Rune, to.Rune}, &pair{from.UTF16, to.UTF16}}
}

func (r *ruler) spans(all []Span) []spanJSON {
	if all == nil {
		return nil
	}
	out := make([]spanJSON, len(all))
	for i, s := range all {
		out[i] = r.span(s)
	}
	return out
}

// inDocument measures a span of a document. The chunk that holds it knows what stands before it.
func (r *ruler) inDocument(id DocumentID, s Span) spanJSON {
	for _, m := range r.passages {
		at := m.chunk.At
		if at.Document != id || !at.Span.Contains(s) {
			continue
		}
		from, to := m.table.FromByte(s.Start-at.Span.Start), m.table.FromByte(s.End-at.Span.Start)
		b := m.chunk.Before
		return spanJSON{s.Start, s.End,
			&pair{b.Runes + from.Rune, b.Runes + to.Rune}, &pair{b.UTF16 + from.UTF16, b.UTF16 + to.UTF16}}
	}
	return spanJSON{Start: s.Start, End: s.End}
}

func (r *ruler) anchor(a Anchor) anchorJSON {
	return anchorJSON{a.Document, r.inDocument(a.Document, a.Span)}
}

// The aliases drop the methods, so that the outer struct can lay measured fields over the plain ones.
type (
	answerAlias      Answer
	segmentAlias     Segment
	attributionAlias Attribution
	citationAlias    Citation
	stepAlias        Step
)

type segmentJSON struct {
	segmentAlias
	At           spanJSON            `json:"at"`
	Unsupported  []spanJSON          `json:"unsupported,omitempty"`
	Contradicted []contradictionJSON `json:"contradicted,omitempty"`
}

type contradictionJSON struct {
	Of     spanJSON   `json:"of"`
	To     anchorJSON `json:"to"`
	Reason string     `json:"reason"`
}

type attributionJSON struct {
	attributionAlias
	Of    spanJSON   `json:"of"`
	To    anchorJSON `json:"to"`
	Words []spanJSON `json:"words,omitempty"`
}

type citationJSON struct {
	citationAlias
	At anchorJSON `json:"at"`
}

type stepJSON struct {
	stepAlias
	Segments     []segmentJSON     `json:"segments,omitempty"`
	Attributions []attributionJSON `json:"attributions,omitempty"`
}

// MarshalJSON writes the answer with every offset in bytes, runes and UTF-16 units, and with its shares. Reading takes
// the bytes.
func (a Answer) MarshalJSON() ([]byte, error) {
	r := newRuler(a)
	out := struct {
		answerAlias
		Steps        []stepJSON        `json:"steps,omitempty"`
		Segments     []segmentJSON     `json:"segments"`
		Attributions []attributionJSON `json:"attributions"`
		Citations    []citationJSON    `json:"citations"`
		Shares       Shares            `json:"shares"`
	}{answerAlias: answerAlias(a), Shares: a.Shares(),
		Segments: []segmentJSON{}, Attributions: r.attributions(r.text, a.Attributions), Citations: []citationJSON{}}
	if out.Passages == nil {
		out.Passages = []Passage{}
	}
	if out.Attributions == nil {
		out.Attributions = []attributionJSON{}
	}
	for _, s := range a.Steps {
		of := &ruler{text: offsets.New(s.Text), passages: r.passages}
		out.Steps = append(out.Steps, stepJSON{stepAlias(s), of.segments(s.Segments), r.attributions(of.text, s.Attributions)})
	}
	out.Segments = append(out.Segments, r.segments(a.Segments)...)
	for _, c := range a.Citations {
		out.Citations = append(out.Citations, citationJSON{citationAlias(c), r.anchor(c.At)})
	}
	return json.Marshal(out)
}

func (r *ruler) segments(all []Segment) []segmentJSON {
	var out []segmentJSON
	for _, s := range all {
		j := segmentJSON{segmentAlias: segmentAlias(s), At: r.span(s.At), Unsupported: r.spans(s.Unsupported)}
		for _, c := range s.Contradicted {
			j.Contradicted = append(j.Contradicted, contradictionJSON{r.span(c.Of), r.anchor(c.To), c.Reason})
		}
		out = append(out, j)
	}
	return out
}

// attributions measures links whose Of lies in the text of the table.
func (r *ruler) attributions(text *offsets.Table, all []Attribution) []attributionJSON {
	of := ruler{text: text}
	var out []attributionJSON
	for _, at := range all {
		j := attributionJSON{attributionAlias: attributionAlias(at), Of: of.span(at.Of), To: r.anchor(at.To)}
		for _, w := range at.Words {
			j.Words = append(j.Words, r.inDocument(at.To.Document, w))
		}
		out = append(out, j)
	}
	return out
}
