package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/cite/argument"
	"github.com/ibid-dev/ibid/conflict"
	"github.com/ibid-dev/ibid/workflow"
)

func argueCmd(a *app) *cobra.Command {
	var to, out string
	var sources []string
	cmd := &cobra.Command{
		Use:   "argue CLAIM",
		Short: "Argue a claim for and against from your documents, and weigh both",
		Long: `Look up what the library says for a claim and what against it, map every
statement to its citations, and weigh the sides: a source counts once for a
side, by its strongest statement. Gaps, weak links and contradictions are
named. It weighs what the library says; it does not say who is right.

Formats: json, svg (a map to look at), markdown. Left out, it prints for
people.`,
		Example: `  ibid argue "The directors dismissed Whitehouse"
  ibid argue "The directors dismissed Whitehouse" --to svg -o map.svg`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			claim, err := a.said("the claim", args)
			if err != nil {
				return err
			}
			if to == "md" {
				to = "markdown"
			}
			if to == "" && out != "" {
				return usagef("--output needs a format: --to %s", strings.Join(argument.Formats(), ", "))
			}
			if to != "" && !slices.Contains(argument.Formats(), to) {
				return usagef("--to %q: choose one of %s", to, strings.Join(argument.Formats(), ", "))
			}
			thinker, err := a.thinker(ctx)
			if err != nil {
				return err
			}
			arguer := &workflow.Arguer{Thinker: thinker, Conflicts: conflict.New(attribute.Reader{}, conflict.Config{})}
			q := workflow.Question{Text: claim}
			q.Where.Collection = a.conf.Collection
			if q.Where.Sources, err = a.sourceIDs(ctx, sources); err != nil {
				return err
			}
			answer, err := a.think(arguer.Argue(ctx, q), true)
			if answer.ID == "" || err != nil {
				return err
			}
			arg, err := arguer.Map(ctx, answer)
			if err != nil {
				return err
			}
			if to == "" {
				a.showArgument(arg)
				return nil
			}
			body, err := argument.Write(arg, to)
			if err != nil {
				return err
			}
			return a.writeOut(out, body)
		},
	}
	f := cmd.Flags()
	f.StringVar(&to, "to", "", "format: "+strings.Join(argument.Formats(), ", "))
	f.StringVarP(&out, "output", "o", "", "write to this file")
	f.StringSliceVar(&sources, "source", nil, "only these sources, by id (ibid sources lists them)")
	return cmd
}

// showArgument prints both sides, the strongest first, and what the argument lacks.
func (a *app) showArgument(arg argument.Argument) {
	p := a.paint()
	fmt.Fprintln(a.out, p.wrapped("", bold, harmless(arg.Claim)))
	for _, side := range []struct {
		stance argument.Stance
		title  string
		color  style
	}{{argument.Proponent, "for", teal}, {argument.Opponent, "against", violet}, {argument.Synthesis, "weighed", plain}} {
		all := arg.Side(side.stance)
		if len(all) == 0 && side.stance == argument.Synthesis {
			continue
		}
		fmt.Fprintf(a.out, "\n%s\n", p.in(bold, side.title))
		if len(all) == 0 {
			fmt.Fprintln(a.out, p.in(dim, "  nothing was found"))
		}
		for _, st := range all {
			fmt.Fprintln(a.out, p.wrapped("  ", side.color, harmless(st.Text)+citedNumbers(st)))
			fmt.Fprintln(a.out, p.wrapped("    ", dim, fmt.Sprintf("%s · %s · %s %.2f", st.Type, st.Status, ibid.Strength(st.Strength), st.Strength)))
		}
	}
	fmt.Fprintln(a.out)
	for _, s := range arg.Sources {
		fmt.Fprintln(a.out, p.wrapped("  ", plain, superscript(s.Number)+" "+shown(join(" · ", s.Title, s.Name))))
	}
	for _, f := range arg.Findings {
		where := f.A.Statement
		if f.B != nil {
			where += " and " + f.B.Statement
		}
		fmt.Fprintln(a.out, p.wrapped("  ", red, fmt.Sprintf("! %s, %s (%s): %s", f.Kind, f.Severity, where, harmless(f.Reason))))
	}
	fmt.Fprintln(a.out, p.wrapped("", dim, fmt.Sprintf("%s · for %.2f, against %.2f · %s", arg.Weighed.Words, arg.Weighed.For, arg.Weighed.Against, count(len(arg.Sources), "source", "sources"))))
	if !a.flags.quiet {
		fmt.Fprintf(a.out, "ibid show %s    ibid argue %q --to svg -o map.svg\n", shortID(string(arg.ID)), excerpt(arg.Claim, 60))
	}
}

func citedNumbers(st argument.Statement) string {
	var out []string
	for _, pl := range st.Places {
		if n := superscript(pl.Number); !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	if len(out) == 0 {
		return "◇"
	}
	return strings.Join(out, " ")
}
