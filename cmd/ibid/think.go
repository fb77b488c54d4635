package main

import (
	"context"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/llm"
	"github.com/ibid-dev/ibid/reason"
	"github.com/ibid-dev/ibid/workflow"
)

func thinkCmd(a *app) *cobra.Command {
	var asJSON, dual, adjusted bool
	var strategy, form, conversation string
	var sources []string
	var depth, steps, budget int
	cmd := &cobra.Command{
		Use:   "think QUESTION",
		Short: "Answer a hard question in steps, each with its own sources",
		Long: `Take a question apart, look up and answer each part for itself, and put the
answers together. Every step rests on the passages that were found for it; what
earlier steps said is shown to later ones and is never a source. The answer
says of each sentence which step and which source it comes from.

Strategies: decomposition asks the parts side by side, hierarchical the parts
and then the whole, causal whether something is so and then why, iterative one
question after the other, each about what the answer before brought up. Left
out, the form of the question decides.

With --dual there are two passes instead: what the documents say is listed
first, with its places; then the question is answered, and the answer held
against the list alone.

Without a language model the question is taken apart by rules, and the answer
is made of sentences of your documents.`,
		Example: `  ibid think "Who dismissed Whitehouse, and what did he do afterwards?"
  ibid think --strategy iterative --depth 3 "Who built the brake that released itself?"
  ibid think --json "Why did the cable of 1858 fail?" | jq .source_summary.primary_sources
  ibid think --dual "How long did the Queen's message take?"`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			question, err := a.said("the question", args)
			if err != nil {
				return err
			}
			th := workflow.Thought{Limits: reason.Limits{Steps: steps, Depth: depth}, Budget: budget,
				Question: workflow.Question{Text: question, Conversation: ibid.ConversationID(conversation)}}
			if th.Strategy, err = reason.ParseStrategy(strategy); err != nil {
				return &usageError{fmt.Errorf("--%w", err)}
			}
			for _, name := range []string{"steps", "depth", "budget"} {
				if n, _ := cmd.Flags().GetInt(name); cmd.Flags().Changed(name) && n < 1 {
					return usagef("--%s %d: give a number from 1 up", name, n)
				}
			}
			if form != "chain" && form != "search" && form != "answer" {
				return usagef("--form %q: choose chain, search or answer", form)
			}
			for _, name := range []string{"form", "adjusted"} {
				if cmd.Flags().Changed(name) && !asJSON {
					return usagef("--%s is for the JSON: give --json too", name)
				}
			}
			if dual && strategy != "" {
				return usagef("--dual has two passes of its own: leave --strategy out")
			}
			thinker, err := a.thinker(ctx)
			if err != nil {
				return err
			}
			th.Question.Where.Collection = a.conf.Collection
			if th.Question.Where.Sources, err = a.sourceIDs(ctx, sources); err != nil {
				return err
			}
			events := thinker.Think(ctx, th)
			if dual {
				events = thinker.Dual(ctx, th.Question)
			}
			answer, failed := a.think(events, asJSON)
			switch {
			case answer.ID == "":
			case asJSON:
				if err := a.printThought(answer, form, adjusted); err != nil {
					return err
				}
			default:
				a.offer(ctx, answer)
			}
			return failed
		},
	}
	f := cmd.Flags()
	f.StringVar(&strategy, "strategy", "", "decomposition, iterative, hierarchical or causal (default: by the question)")
	f.BoolVar(&dual, "dual", false, "two passes: what the documents say, then the answer held against it")
	f.IntVar(&steps, "steps", 0, "how many steps at most (default 6)")
	f.IntVar(&depth, "depth", 0, "how often parts are taken apart again, or rounds of an iterative chain (default 2)")
	f.IntVar(&budget, "budget", 0, "tokens that the whole chain may take (default 60000)")
	f.StringSliceVar(&sources, "source", nil, "only these sources, by id (ibid sources lists them)")
	f.StringVar(&conversation, "conversation", "", "name of the conversation that the answer is kept with")
	f.BoolVar(&asJSON, "json", false, "print the chain as JSON")
	f.StringVar(&form, "form", "chain", "form of the JSON: chain, search, or answer for the whole record")
	f.BoolVar(&adjusted, "adjusted", false, "weigh the relevance of sources by the confidence of their step, in the JSON")
	return cmd
}

// thinker wires what answers questions in steps.
func (a *app) thinker(ctx context.Context) (*workflow.Thinker, error) {
	asker, err := a.asker(ctx)
	if err != nil {
		return nil, err
	}
	t := &workflow.Thinker{Asker: asker}
	if _, plain := asker.Model.(llm.Extractive); plain {
		t.Facts = llm.Extractive{Sentences: 12, English: attribute.English}
	} else {
		t.Planner = asker.Model
	}
	return t, nil
}

// think prints a chain as it comes, and gives the answer.
func (a *app) think(events iter.Seq2[workflow.Event, error], quiet bool) (ibid.Answer, error) {
	p := a.paint()
	printer := newAnswerPrinter(p, a.out)
	bar := a.progress("step")
	total := 0
	var answer ibid.Answer
	var failed error
	for e, err := range events {
		if err != nil {
			failed = err
			continue
		}
		answer = e.Answer // set by the last event alone
		switch {
		case e.Kind == workflow.Planned:
			total = len(e.Plan.Parts)
		case e.Kind == workflow.Begun:
			bar.show(e.Step, max(total, e.Step), 0, e.Taken.Question)
		}
		if quiet {
			continue
		}
		switch {
		case e.Kind == workflow.Planned:
			fmt.Fprintln(a.out, p.in(dim, fmt.Sprintf("%s question · %s · %s", e.Plan.Kind, e.Plan.Strategy, count(len(e.Plan.Parts), "step", "steps"))))
		case e.Kind == workflow.Stepped:
			bar.clear()
			fmt.Fprintln(a.out)
			printStep(a.out, p, e.Taken)
		case e.Step == 0 && e.Kind == workflow.Retrieved:
			bar.clear()
			fmt.Fprintln(a.out)
		case e.Step == 0:
			printer.event(e)
		}
	}
	bar.clear()
	if _, refused := workflow.Refused(failed); refused && answer.Incomplete != "" {
		return answer, refusedCode // the answer says why
	}
	return answer, printer.ended(answer, failed)
}

// printStep shows a step: its question, what was found, and the documents that this rests on.
func printStep(out io.Writer, p paint, s ibid.Step) {
	fmt.Fprintln(out, p.wrapped("", bold, fmt.Sprintf("%d  %s", s.Number, harmless(s.Question))))
	if s.Text != "" { // a step that was not taken has none
		f := p.flowing(out, "   ")
		at := 0
		for _, seg := range s.Segments {
			f.add(plain, harmless(s.Text[at:seg.At.Start]))
			f.add(tint(seg), harmless(seg.At.In(s.Text))+signs(seg, nil))
			at = seg.At.End
		}
		f.add(plain, strings.TrimRight(harmless(s.Text[at:]), "\n "))
		fmt.Fprintln(out)
	}
	var names []string
	for _, src := range restsOn(s) {
		names = append(names, join(" · ", src.Title(), nameUnlessTitle(src)))
	}
	if len(names) > 0 {
		fmt.Fprintln(out, p.wrapped("   ", dim, "← "+ibid.Strength(s.Confidence)+"  "+shown(strings.Join(names, "; "))))
	}
	if s.Incomplete != "" {
		fmt.Fprintln(out, p.wrapped("   ", red, "incomplete: "+harmless(s.Incomplete)))
	}
}

// restsOn are the sources of a step, in the order of use.
func restsOn(s ibid.Step) []ibid.Source {
	var out []ibid.Source
	seen := map[ibid.SourceID]bool{}
	for _, seg := range s.Segments {
		for _, r := range seg.Refs {
			for _, passage := range s.Passages {
				if passage.Rank == r && !seen[passage.Source.ID] {
					seen[passage.Source.ID] = true
					out = append(out, passage.Source)
				}
			}
		}
	}
	return out
}

// printThought prints the chain in one of its forms for exchange, with the id under which it is recorded.
func (a *app) printThought(answer ibid.Answer, form string, adjusted bool) error {
	if form == "answer" {
		return a.printJSON(answer)
	}
	chain, err := reason.ChainOf(answer, adjusted)
	if err != nil {
		return err
	}
	if form == "search" {
		return a.printJSON(chain.Search())
	}
	return a.printJSON(struct {
		ID ibid.AnswerID `json:"id"`
		reason.Chain
		Display    reason.Display `json:"display"`
		Comparison *reason.Held   `json:"comparison,omitempty"`
		Incomplete string         `json:"incomplete,omitempty"`
	}{answer.ID, chain, reason.Format(chain.SourceSummary, true), reason.Compare(answer), answer.Incomplete})
}
