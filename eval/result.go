package eval

import (
	"math"
	"strconv"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/internal/offsets"
)

// Result is a judged answer, in the names of the JSON-lines form.
type Result struct {
	ID string `json:"id"`
	// Answer is the text that offsets point into, where markers were taken out of the given one.
	Answer   string   `json:"answer,omitempty"`
	Segments []Judged `json:"segments"`
	RAG      float64  `json:"ragContribution"`
	LLM      float64  `json:"llmContribution"`
	Markers  []Marker `json:"markers,omitempty"` // only where debugging is asked for
}

// Judged is what was found for one segment.
type Judged struct {
	Start        int           `json:"start"`
	End          int           `json:"end"`
	Text         string        `json:"text"`
	Origin       ibid.Origin   `json:"origin"`
	Claimed      *ibid.Claimed `json:"claimed,omitempty"`
	Support      float64       `json:"support"`
	Confidence   float64       `json:"confidence"`
	Sources      []Quote       `json:"sources"`
	Unsupported  []Range       `json:"unsupported"`
	Contradicted []Conflict    `json:"contradicted"`
	Reasons      []string      `json:"reasons"`
}

// Quote is evidence: words of a source.
type Quote struct {
	ID    string  `json:"id"`
	Start int     `json:"start"`
	End   int     `json:"end"`
	Text  string  `json:"quote"`
	Score float64 `json:"score"`
}

// Range is a pair of offsets into the answer.
type Range struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Conflict is words of the answer that a source denies.
type Conflict struct {
	Start  int    `json:"start"`
	End    int    `json:"end"`
	Source Place  `json:"source"`
	Reason string `json:"reason"`
}

// Place is a pair of offsets into a source.
type Place struct {
	ID    string `json:"id"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

// tables hold the offsets of the texts of one task, made when they are first asked for.
type tables struct {
	unit     Unit
	passages []ibid.Passage
	made     map[int]*offsets.Table
}

func (t *tables) place(rank int, at ibid.Span) (Place, string) {
	p := t.passages[rank-1]
	if t.made[rank] == nil {
		t.made[rank] = offsets.New(p.Chunk.Text)
	}
	r := t.unit.rangeOf(t.made[rank], at)
	return Place{ID: string(p.Source.ID), Start: r.Start, End: r.End}, at.In(p.Chunk.Text)
}

func (u Unit) rangeOf(t *offsets.Table, at ibid.Span) Range {
	return Range{u.of(t.FromByte(at.Start)), u.of(t.FromByte(at.End))}
}

// NewResult puts findings into the JSON-lines form.
func NewResult(l Line, task Task, findings []ibid.Finding, u Unit) Result {
	res := Result{ID: l.ID, Segments: make([]Judged, 0, len(findings))}
	if task.Text != l.Answer {
		res.Answer = task.Text
	}
	answer := offsets.New(task.Text)
	src := &tables{unit: u, passages: task.Passages, made: map[int]*offsets.Table{}}
	all := ibid.Answer{Text: task.ink}
	for _, f := range findings {
		all.Segments = append(all.Segments, f.Segment)
		res.Segments = append(res.Segments, judged(f, task.Text, answer, src))
	}
	shares := all.Shares()
	res.RAG = Round(shares.Sources, 4)
	if shares.Sources+shares.Model > 0 {
		res.LLM = Round(1-res.RAG, 4) // rounded apart, two halves of a digit would sum to more than 1
	}
	return res
}

func judged(f ibid.Finding, text string, answer *offsets.Table, src *tables) Judged {
	s := f.Segment
	at := src.unit.rangeOf(answer, s.At)
	j := Judged{
		Start: at.Start, End: at.End, Text: s.At.In(text), Origin: s.Origin, Claimed: s.Claimed,
		Support: Round(s.Support, 4), Confidence: Round(s.Confidence, 4),
		Sources: []Quote{}, Unsupported: []Range{}, Contradicted: []Conflict{}, Reasons: append([]string{}, s.Reasons...),
	}
	for _, a := range f.Attributions {
		place, quote := src.place(a.Ref, a.To.Span)
		j.Sources = append(j.Sources, Quote{place.ID, place.Start, place.End, quote, Round(a.Score, 4)})
	}
	for _, u := range s.Unsupported {
		j.Unsupported = append(j.Unsupported, src.unit.rangeOf(answer, u))
	}
	for _, c := range s.Contradicted {
		of := src.unit.rangeOf(answer, c.Of)
		place, _ := src.place(rankOf(c.To.Document), c.To.Span)
		j.Contradicted = append(j.Contradicted, Conflict{of.Start, of.End, place, c.Reason})
	}
	return j
}

// rankOf is the rank of a passage that passagesOf named.
func rankOf(d ibid.DocumentID) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(string(d), "source-"))
	return n
}

// Round rounds to so many places, half away from zero.
func Round(x float64, places int) float64 {
	p := math.Pow(10, float64(places))
	return math.Round(x*p) / p
}
