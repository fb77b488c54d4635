package reason

import (
	"github.com/ibid-dev/ibid"
)

// FactsQuestion is the question of the first of two passes: the step of an answer that lists what the documents say.
const FactsQuestion = "What do the documents say on this?"

// FactsPrompt asks a language model for the facts that passages hold on a question, in the system prompt that lists the
// passages. The reply has the markers of any answer and is read as one.
func FactsPrompt(question string) string {
	return "Do not answer yet. List what the passages say that bears on the question below: one fact a line, each beginning with \"- \", in the passage's own words and with its number. Leave out what no passage says.\n\nQuestion: " + question
}

// Fact is something that a document says, with its place.
type Fact struct {
	Text   string        `json:"text"`
	At     ibid.Anchor   `json:"at"`
	Source ibid.SourceID `json:"source"`
	Title  string        `json:"title"`
	// Segments are the segments of the answer that rest on it, counted from 1; none where the answer leaves it out.
	Segments []int `json:"segments"`
}

// Held holds an answer against the facts that were gathered before it.
type Held struct {
	Facts []Fact `json:"facts"`
	// Without are the segments that claim something and rest on no fact, counted from 1.
	Without []int `json:"without"`
	// Against are the segments that a document denies.
	Against []int `json:"against"`
}

// Compare gives the comparison of an answer that was made in two passes, and nil for any other.
func Compare(a ibid.Answer) *Held {
	if len(a.Steps) != 1 || a.Steps[0].Question != FactsQuestion {
		return nil
	}
	c := &Held{Facts: FactsOf(a.Steps[0]), Without: []int{}, Against: []int{}}
	for i, s := range a.Segments {
		if s.Origin == ibid.NONE {
			continue
		}
		on := false
		for _, l := range a.Evidence(s) {
			for k, f := range c.Facts {
				if f.At.Document == l.To.Document && f.At.Span.Overlaps(l.To.Span) && s.Origin != ibid.LLM {
					c.Facts[k].Segments = appendOnce(c.Facts[k].Segments, i+1)
					on = true
				}
			}
		}
		if !on {
			c.Without = append(c.Without, i+1)
		}
		if len(s.Contradicted) > 0 {
			c.Against = append(c.Against, i+1)
		}
	}
	return c
}

// FactsOf gives the facts that a step lists: its segments that a document really says, each at the place that supports it
// best. What the model listed without support is no fact.
func FactsOf(s ibid.Step) []Fact {
	out := []Fact{}
	for _, seg := range s.Segments {
		if seg.Origin != ibid.RAG {
			continue
		}
		for _, l := range s.Attributions {
			if !seg.At.Contains(l.Of) {
				continue
			}
			f := Fact{Text: seg.At.In(s.Text), At: l.To, Segments: []int{}}
			for _, p := range s.Passages {
				if p.Rank == l.Ref {
					f.Source, f.Title = p.Source.ID, p.Source.Title()
				}
			}
			out = append(out, f)
			break
		}
	}
	return out
}

func appendOnce(list []int, n int) []int {
	for _, m := range list {
		if m == n {
			return list
		}
	}
	return append(list, n)
}
