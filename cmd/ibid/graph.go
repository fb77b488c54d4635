package main

import (
	"bytes"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/conflict"
	"github.com/ibid-dev/ibid/graph"
)

func graphCmd(a *app) *cobra.Command {
	var to, output string
	cmd := &cobra.Command{
		Use:   "graph [ANSWER...]",
		Short: "Claims, the sources they rest on, and how all of it hangs together",
		Long: `Graph joins the claims of recorded answers to the sources that support or deny
them, and sources to each other where one carries the other's text or
contradicts it. A text that stands in several sources counts once for what it
confirms.

Without a format it lists the claims, with how many independent sources confirm
each. The formats are graphml (for Gephi, yEd, Cytoscape, networkx), json and
svg. Without an answer it takes the latest 200.`,
		Example: `  ibid graph
  ibid graph 4f2a --to svg --output graph.svg
  ibid graph --to graphml > library.graphml`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch to {
			case "", "graphml", "json", "svg":
			default:
				return usagef("--to %q: choose graphml, json or svg", to)
			}
			if output != "" && to == "" {
				return usagef("--output needs a format: --to graphml, json or svg")
			}
			return a.graph(cmd.Context(), args, to, output)
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "graphml, json or svg")
	cmd.Flags().StringVarP(&output, "output", "o", "", "write to this file")
	return cmd
}

func (a *app) graph(ctx context.Context, ids []string, to, output string) error {
	answers, err := a.answers(ctx, ids)
	if err != nil {
		return err
	}
	var claims []graph.Claim
	for _, answer := range answers {
		claims = append(claims, graph.ClaimsOf(answer)...)
	}
	t, err := a.texts(ctx, nil, false)
	if err != nil {
		return err
	}
	sources := sourcesIn(t, answers)
	copies := graph.Copies(sources)
	if to == "" {
		a.printConfirmed(answers, graph.CrossReference(claims, copies))
		return nil
	}
	found, err := conflict.New(attribute.Reader{}, conflict.Config{}).Passages(ctx, t.passages)
	if err != nil {
		return err
	}
	var disputes []graph.Dispute
	for _, f := range found {
		disputes = append(disputes, graph.Dispute{A: f.A.Source, B: f.B.Source, Confidence: f.Confidence})
	}
	g := graph.New(claims, sources, copies, disputes)
	var b bytes.Buffer
	switch to {
	case "graphml":
		err = g.WriteGraphML(&b)
	case "json":
		err = g.WriteJSON(&b)
	default:
		err = g.WriteSVG(&b)
	}
	if err != nil {
		return err
	}
	if output == "" {
		_, err = a.out.Write(b.Bytes())
		return err
	}
	return a.writeOut(output, b.Bytes())
}

// answers gives the answers that are named, or the latest.
func (a *app) answers(ctx context.Context, ids []string) ([]ibid.Answer, error) {
	store, err := a.store(ctx)
	if err != nil {
		return nil, err
	}
	if len(ids) == 0 {
		heads, err := a.answerHeads(ctx, store, 200)
		if err != nil {
			return nil, err
		}
		for _, h := range heads {
			ids = append(ids, string(h.ID))
		}
	}
	var out []ibid.Answer
	for _, id := range ids {
		answer, err := a.answer(ctx, store, id)
		if err != nil {
			return nil, err
		}
		out = append(out, answer)
	}
	return out, nil
}

// sourcesIn are the sources of the library and those that answers rest on.
func sourcesIn(t *texts, answers []ibid.Answer) []graph.Source {
	var out []graph.Source
	seen := map[ibid.SourceID]bool{}
	for _, p := range t.passages {
		seen[p.Source.ID] = true
		out = append(out, graph.Source{ID: p.Source.ID, Title: p.Source.Title(), Text: p.Chunk.Text})
	}
	for _, answer := range answers {
		for _, p := range answer.Passages {
			if !seen[p.Source.ID] {
				seen[p.Source.ID] = true
				out = append(out, graph.Source{ID: p.Source.ID, Title: p.Source.Title()})
			}
		}
	}
	return out
}

func (a *app) printConfirmed(answers []ibid.Answer, list []graph.Confirmation) {
	switch {
	case len(list) > 0:
	case len(answers) == 0:
		a.notice("no claims yet: ibid ask \"…\" makes an answer")
	case len(answers) == 1:
		a.notice("answer %s claims nothing", shortID(string(answers[0].ID)))
	default:
		a.notice("%s nothing", count(len(answers), "answer claims", "answers claim"))
	}
	for _, c := range list {
		line := c.InWords()
		if c.Denied > 0 {
			line += fmt.Sprintf(" · ✕ %s otherwise", count(c.Denied, "says", "say"))
		}
		fmt.Fprintf(a.out, "%-10s %s\n", c.Claim, a.paint().in(teal, line))
		fmt.Fprintln(a.out, a.paint().wrapped("           ", plain, harmless(firstWords(c.Text, 18))))
	}
}
