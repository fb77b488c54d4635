package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/interop"
	"github.com/ibid-dev/ibid/ledger"
	"github.com/ibid-dev/ibid/workflow"
)

func runFinishCmd(a *app) *cobra.Command {
	var policy, environment, receipt string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "finish RUN", Short: "End a run through the gate", Args: cobra.ExactArgs(1),
		Long: `Hold the claims of a run against a policy and record the verdict, in the log
first. Where the gate refuses, the exit code is 3. Finishing twice writes
nothing new and says the same.

Without --policy the configured policy is used, else all is let out and
recorded. With AUDIT_LOG_PATH set, the claims are appended to that file as JSON
lines. Where that fails they are not forgotten: finishing the run again writes
them, and so does the next run that ends.`,
		Example: "  ibid run finish $run --policy production\n  ibid run finish $run --policy newsroom.toml --environment print --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			store, err := a.record(ctx)
			if err != nil {
				return err
			}
			before, err := a.recordedRun(ctx, store, args[0])
			if err != nil {
				return err
			}
			through, err := a.gate(ctx, policy, environment)
			if err != nil {
				return err
			}
			if v := before.Verdict; v != nil && policy != "" && v.Policy != through.Policy.Version() {
				a.notice("the run is finished already, by policy version %s: what was decided then stands, and %s was not asked", v.Policy, policy)
			}
			runner := &workflow.Runner{Gate: through, Now: a.now, Owes: a.env("AUDIT_LOG_PATH") != ""}
			done, err := runner.FinishRecorded(ctx, before.ID)
			_, refused := workflow.Refused(err)
			if err != nil && !refused {
				return err
			}
			if asJSON {
				err = a.printJSON(done.Report)
			} else {
				a.printFinished(done, err)
				err = nil
			}
			if failed := a.appendAuditLog(ctx, store, done); failed != nil { // also where nobody reads what was printed
				err = errors.Join(err, failed)
			}
			if err == nil {
				err = a.writeReceipt(ctx, receipt, done.Entry)
			}
			if !refused {
				return err
			}
			if err != nil {
				a.complain(err)
			}
			return refusedCode
		},
	}
	f := cmd.Flags()
	f.StringVar(&policy, "policy", "", "a built-in policy or a file (ibid gate presets lists the former)")
	f.StringVar(&environment, "environment", "", "of the policy file's environments")
	f.StringVar(&receipt, "receipt", "", "write the proof that the log holds the decision to this file")
	f.BoolVar(&asJSON, "json", false, "print the report as JSON")
	return cmd
}

func (a *app) printFinished(done workflow.Finished, refusal error) {
	p := a.paint()
	fmt.Fprintln(a.out, done.Report.Summary())
	var rungs []string
	for _, r := range done.Report.Rungs {
		rungs = append(rungs, fmt.Sprintf("%s %d", r.Trust, r.Claims))
	}
	if len(rungs) > 0 {
		fmt.Fprintln(a.out, p.in(dim, "links: "+strings.Join(rungs, ", ")))
	}
	if refusal != nil {
		fmt.Fprintln(a.out, p.wrapped("", red, harmless(refusal.Error())))
	}
	for _, r := range done.Run.Verdict.Reasons {
		if refusal == nil || r != refusal.Error() {
			fmt.Fprintln(a.out, p.wrapped("", plain, harmless(r)))
		}
	}
	for _, c := range done.Report.Uncited {
		fmt.Fprintln(a.out, p.wrapped("  ", violet, "◇ "+harmless(excerpt(c, 240))))
	}
	fmt.Fprintln(a.out, p.wrapped("", dim, join(" · ", "gate: "+outcome(done.Run.Verdict), entryOf(done.Run.Verdict))))
}

func runReportCmd(a *app) *cobra.Command {
	var to, out string
	var all bool
	formats := append([]string{"json"}, interop.Formats()...)
	cmd := &cobra.Command{
		Use: "report RUN", Short: "Show a run, or write it for others", Args: cobra.ExactArgs(1),
		Long: `Show the claims of a run with their sources, back to the first tool call. With
--to, write it for others:
` + strings.Join(formats, ", ") + `.
What a form has no place for is named on standard error. Claims that a repair
took out are left out, unless --all asks for them.`,
		Example: `  ibid run report $run
  ibid run report $run --to seed | jq .attribution_map
  ibid run report $run --to prov -o run.provjson`,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			if to != "" && !slices.Contains(formats, to) {
				return usagef("--to %q: choose one of %s", to, strings.Join(formats, ", "))
			}
			if out != "" && to == "" {
				return usagef("--output %s: say in which form with --to: %s", out, strings.Join(formats, ", "))
			}
			store, err := a.record(ctx)
			if err != nil {
				return err
			}
			run, err := a.recordedRun(ctx, store, args[0])
			if err != nil {
				return err
			}
			if !all {
				run = workflow.Delivered(run)
			}
			switch to {
			case "":
				a.showRun(ctx, run)
				return nil
			case "json":
				var b bytes.Buffer
				enc := json.NewEncoder(&b)
				enc.SetIndent("", "  ")
				enc.SetEscapeHTML(false)
				if err := enc.Encode(run); err != nil {
					return err
				}
				return a.writeOut(out, b.Bytes())
			}
			file, err := interop.Export(run, to, func(id ibid.DocumentID) ([]byte, bool) {
				b, err := store.Snapshot(ctx, id)
				return b, err == nil
			})
			if err != nil {
				return err
			}
			if v := run.Verdict; v != nil && v.Outcome == string(gate.Block) {
				a.notice("the gate refused this run: it is on record, and not for delivery")
			}
			for _, l := range file.Losses {
				fmt.Fprintf(a.err, "not carried over: %s\n", harmless(l))
			}
			return a.writeOut(out, file.Body)
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "form: "+strings.Join(formats, ", "))
	cmd.Flags().StringVarP(&out, "output", "o", "", "write to this file")
	cmd.Flags().BoolVar(&all, "all", false, "with the claims that a repair took out")
	return cmd
}

// showRun prints the claims with what they rest on.
func (a *app) showRun(ctx context.Context, run ibid.Run) {
	p := a.paint()
	fmt.Fprintf(a.out, "run %s, begun %s\n", shown(string(run.ID)), run.StartedAt.Local().Format("2006-01-02 15:04:05"))
	for _, c := range run.Claims {
		sign, style := "◇", violet
		switch {
		case !c.RequiresAttribution():
			sign, style = " ", dim
		case c.Cited():
			sign, style = "¹", teal
		}
		fmt.Fprintln(a.out, p.wrapped("  ", style, fmt.Sprintf("%s %s  %s", sign, shortID(string(c.ID)), harmless(excerpt(c.Text, 400)))))
		for _, step := range ledger.Chain(c) {
			if s := step.Source; s != nil {
				who := ""
				if s.Agent != "" {
					who = "agent " + s.Agent
				}
				fmt.Fprintln(a.out, p.wrapped("      ", dim, harmless(join(" · ", s.Identifier, s.Category, s.Endpoint, s.FetchedAt.Local().Format("2006-01-02 15:04:05"), who))))
			}
		}
		for _, at := range c.Evidence {
			if body, err := a.opened.store.Snapshot(ctx, at.Document); err == nil && at.Span.End <= len(body) {
				fmt.Fprintln(a.out, p.wrapped("      ", plain, "\""+harmless(excerpt(at.Span.In(string(body)), 240))+"\""))
			}
		}
		if c.Exempt != "" {
			fmt.Fprintln(a.out, p.in(dim, "      needs no source: "+string(c.Exempt)))
		} else if !c.Cited() {
			fmt.Fprintln(a.out, p.in(dim, "      no source"))
		}
	}
	if run.Verdict == nil {
		fmt.Fprintf(a.out, "goes on · ibid run finish %s ends it\n", shown(string(run.ID)))
		return
	}
	fmt.Fprintln(a.out, p.wrapped("", dim, join(" · ", "gate: "+outcomeInWords(run.Verdict), entryOf(run.Verdict))))
}

func entryOf(v *ibid.Verdict) string {
	if v.Entry == nil {
		return ""
	}
	return fmt.Sprintf("log entry %d", *v.Entry)
}
