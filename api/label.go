package api

import (
	"fmt"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/internal/offsets"
)

// Fits says what is wrong with feedback on an answer: a segment or a source that it does not have. The error wraps
// ibid.ErrInvalid.
func (f Feedback) Fits(a ibid.Answer) error {
	if f.Segment < 1 || f.Segment > len(a.Segments) {
		return fmt.Errorf("there is no segment %d: the answer has %d: %w", f.Segment, len(a.Segments), ibid.ErrInvalid)
	}
	if f.Source == "" || f.Verdict == Missing {
		return nil
	}
	for _, p := range a.Passages {
		if p.Source.ID == f.Source {
			return nil
		}
	}
	return fmt.Errorf("the answer did not have source %s: %w", f.Source, ibid.ErrInvalid)
}

// Labelled is an answer with the labels that people gave its segments, in the form in which ibid eval reads it. Offsets
// count runes.
type Labelled struct {
	Dataset  string            `json:"dataset"`
	ID       string            `json:"id"`
	Question string            `json:"question,omitempty"`
	Answer   string            `json:"answer"`
	Sources  []LabelledSource  `json:"sources"`
	Segments []LabelledSegment `json:"segments"`
}

// LabelledSource is a passage that the answer had.
type LabelledSource struct {
	ID    string `json:"id"`
	Title string `json:"title,omitempty"`
	Text  string `json:"text"`
}

// LabelledSegment is a segment that people judged.
type LabelledSegment struct {
	Start    int                `json:"start"`
	End      int                `json:"end"`
	Text     string             `json:"text"`
	Label    string             `json:"label"` // supported, unsupported
	Evidence []LabelledEvidence `json:"evidence,omitempty"`
}

// LabelledEvidence is a place of a source that says so.
type LabelledEvidence struct {
	Source string `json:"source_id"`
	Start  int    `json:"start"`
	End    int    `json:"end"`
}

// Label gives the segments of an answer that people judged, by their feedback from the oldest on. The latest verdict on a
// segment counts: right makes it supported, wrong and missing make it unsupported by what it had.
func Label(a ibid.Answer, given []Feedback) Labelled {
	out := Labelled{Dataset: "feedback", ID: string(a.ID), Question: a.Question, Answer: a.Text, Sources: []LabelledSource{}, Segments: []LabelledSegment{}}
	id := func(rank int) string { return fmt.Sprintf("passage-%d", rank) }
	for _, p := range a.Passages {
		out.Sources = append(out.Sources, LabelledSource{ID: id(p.Rank), Title: p.Source.Title(), Text: p.Chunk.Text})
	}
	text := offsets.New(a.Text)
	latest := map[int]Feedback{}
	for _, f := range given {
		latest[f.Segment] = f
	}
	for i, seg := range a.Segments {
		f, judged := latest[i+1]
		if !judged {
			continue
		}
		l := LabelledSegment{Start: text.FromByte(seg.At.Start).Rune, End: text.FromByte(seg.At.End).Rune, Text: seg.At.In(a.Text), Label: "unsupported"}
		if f.Verdict == Right {
			l.Label = "supported"
			for _, at := range a.Evidence(seg) {
				p, ok := a.Passage(at.Ref)
				if !ok || f.Source != "" && p.Source.ID != f.Source {
					continue
				}
				t, in := offsets.New(p.Chunk.Text), at.To.Span.Shift(-p.Chunk.At.Span.Start)
				l.Evidence = append(l.Evidence, LabelledEvidence{id(at.Ref), t.FromByte(in.Start).Rune, t.FromByte(in.End).Rune})
			}
		}
		out.Segments = append(out.Segments, l)
	}
	return out
}

// ByAnswer puts feedback that came the latest first in the order of its answers, each with its own from the oldest on.
func ByAnswer(all []Feedback) (order []ibid.AnswerID, given map[ibid.AnswerID][]Feedback) {
	given = map[ibid.AnswerID][]Feedback{}
	for i := len(all) - 1; i >= 0; i-- {
		f := all[i]
		if len(given[f.Answer]) == 0 {
			order = append(order, f.Answer)
		}
		given[f.Answer] = append(given[f.Answer], f)
	}
	return order, given
}
