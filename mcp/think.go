package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/reason"
	"github.com/ibid-dev/ibid/workflow"
)

var thinkTool = tool{name: "think", title: "Answer a hard question in steps", writes: true, open: true, slow: true, doc: `Have Ibid take a question with several parts apart, look up and answer each part for itself, and put the answers together. Every step rests on the passages that were found for it; what earlier steps said is never a source. The answer is recorded with its steps. For a simple question call ask.`}

type thinkIn struct {
	askIn
	Strategy string `json:"strategy,omitempty" jsonschema:"how it is taken apart: decomposition asks the parts side by side, hierarchical the parts and then the whole, causal whether and then why, iterative one after the other; by the question where it is left out"`
	Steps    int    `json:"steps,omitempty" jsonschema:"how many steps at most, 1 to 20; 6 where it is left out"`
	Dual     bool   `json:"dual,omitempty" jsonschema:"two passes in the place of steps: what the documents say, then the answer held against it"`
}

type thinkOut struct {
	answerOut
	Steps []stepOut `json:"steps" jsonschema:"in order"`
}

type stepOut struct {
	Number     int        `json:"number"`
	Question   string     `json:"question"`
	Text       string     `json:"text" jsonschema:"what was found"`
	Confidence float64    `json:"confidence" jsonschema:"how well its sources support it"`
	Sources    []citedOut `json:"sources" jsonschema:"what it rests on, each source once; numbers are those of the step"`
	Incomplete string     `json:"incomplete,omitempty" jsonschema:"why it ended before its end, or was not taken"`
}

func (d *desk) think(ctx context.Context, in thinkIn) (thinkOut, error) {
	q, err := d.question(ctx, in.askIn)
	if err != nil {
		return thinkOut{}, err
	}
	if in.Steps < 0 || in.Steps > 20 {
		return thinkOut{}, invalid("steps is %d; give a number from 1 to 20", in.Steps)
	}
	if in.Dual && (in.Strategy != "" || in.Steps != 0) {
		return thinkOut{}, invalid("dual has two passes of its own; leave strategy and steps out")
	}
	thought := workflow.Thought{Question: q, Limits: reason.Limits{Steps: in.Steps}}
	if thought.Strategy, err = reason.ParseStrategy(in.Strategy); err != nil {
		return thinkOut{}, err
	}
	thinker := d.thinker()
	events := thinker.Think(ctx, thought)
	if in.Dual {
		events = thinker.Dual(ctx, q)
	}
	a, err := answered(ctx, events)
	if err != nil {
		return thinkOut{}, err
	}
	out := thinkOut{answerOut: outOf(a), Steps: []stepOut{}}
	for _, s := range api.Public(a).Steps {
		out.Steps = append(out.Steps, stepOf(s))
	}
	return out, nil
}

// thinker is one whose answers are recorded in the caller's collection.
func (d *desk) thinker() *workflow.Thinker {
	var thinker workflow.Thinker
	if d.Thinker != nil {
		thinker = *d.Thinker
	}
	thinker.Asker = d.asker()
	return &thinker
}

func stepOf(s ibid.Step) stepOut {
	out := stepOut{Number: s.Number, Question: s.Question, Text: s.Text, Confidence: api.Round(s.Confidence), Sources: []citedOut{}, Incomplete: s.Incomplete}
	seen := map[ibid.SourceID]bool{}
	for _, seg := range s.Segments {
		for _, p := range s.Passages {
			for _, r := range seg.Refs {
				if r == p.Rank && !seen[p.Source.ID] {
					seen[p.Source.ID] = true
					out.Sources = append(out.Sources, citedOf(p))
				}
			}
		}
	}
	return out
}

func (o thinkOut) words() string {
	var b strings.Builder
	for _, s := range o.Steps {
		fmt.Fprintf(&b, "Step %d: %s\n%s\n", s.Number, oneLine(s.Question), s.Text)
		for _, c := range s.Sources {
			fmt.Fprintf(&b, "← %s%s\n", oneLine(c.Title), beginning(" · ", c.Passage))
		}
		if s.Incomplete != "" {
			fmt.Fprintf(&b, "incomplete: %s\n", s.Incomplete)
		}
		b.WriteByte('\n')
	}
	return b.String() + o.answerOut.words()
}
