package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/ledger"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/workflow"
)

func runCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Runs of agents: sources, claims, and the gate at the end",
		Long: `Keep the ledger of an agent's run from a script: register what a tool returned,
then each claim with the source it rests on, and finish through the gate. A
refused run exits with code 3, and is on record like any other.

Each retrieval is a source of its own, each claim has one source or none. What
was registered never changes.`,
		Example: `  run=$(ibid run start)
  src=$(curl -s https://example.org/cable | ibid run source $run --category http --endpoint https://example.org/cable --snapshot -)
  ibid run claim $run "The cable failed after three weeks." --source $src --quote "three weeks"
  ibid run claim $run "One page was read." --exempt run
  ibid run finish $run --policy production && ibid run report $run --to seed`,
		Args: cobra.NoArgs,
	}
	listing(cmd, runListCmd(a))
	cmd.AddCommand(runStartCmd(a), runSourceCmd(a), runClaimCmd(a), runFinishCmd(a), runReportCmd(a), runMergeCmd(a), runAgentsCmd(a))
	return cmd
}

func runStartCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "start [RUN]", Short: "Begin a run, and print its id", Args: cobra.MaximumNArgs(1),
		Example: "  run=$(ibid run start)\n  ibid run start nightly-2026-11-15",
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			store, err := a.store(ctx)
			if err != nil {
				return err
			}
			id := ibid.RunID(newAnswerID())
			if len(args) > 0 {
				id = ibid.RunID(args[0])
			}
			err = store.Update(ctx, func(tx *sqlite.Tx) error {
				if err := tx.BeginRun(id, a.now()); err != nil {
					return err
				}
				return workflow.EnterRun(tx, id, a.now())
			})
			if err != nil {
				return err
			}
			fmt.Fprintln(a.out, id)
			return nil
		},
	}
}

// onRun lets f add to an agent's ledger of a run.
func (a *app) onRun(ctx context.Context, id, agent string, f func(*ledger.Ledger, ibid.Run) error) error {
	store, err := a.record(ctx)
	if err != nil {
		return err
	}
	full, err := a.runID(ctx, store, id)
	if err != nil {
		return err
	}
	runner := &workflow.Runner{Gate: workflow.Gate{Book: workflow.Pages(store.Update)}, Now: a.now}
	return runner.Register(ctx, full, agent, f)
}

// runID completes the shortened id of a run.
func (a *app) runID(ctx context.Context, store *sqlite.Store, id string) (ibid.RunID, error) {
	run, err := a.recordedRun(ctx, store, id)
	return run.ID, err
}

func (a *app) recordedRun(ctx context.Context, store *sqlite.Store, id string) (ibid.Run, error) {
	run, err := store.Run(ctx, ibid.RunID(id))
	if errors.Is(err, ibid.ErrNotFound) || errors.Is(err, ibid.ErrAmbiguous) {
		return run, hint(err, "ibid run list lists them")
	}
	return run, err
}

func runListCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "List the latest runs", Args: cobra.NoArgs, Example: "  ibid run list",
		RunE: func(cmd *cobra.Command, _ []string) error { return a.listRuns(cmd.Context(), asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

// runHead is a run in a list, without what it holds.
type runHead struct {
	ID         ibid.RunID    `json:"id"`
	StartedAt  time.Time     `json:"started_at"`
	FinishedAt time.Time     `json:"finished_at,omitzero"`
	Verdict    *ibid.Verdict `json:"verdict,omitempty"`
}

func (a *app) listRuns(ctx context.Context, asJSON bool) error {
	store, err := a.record(ctx)
	if err != nil {
		return err
	}
	runs, err := store.Runs(ctx, 50)
	if err != nil {
		return err
	}
	if asJSON {
		heads := []runHead{}
		for _, r := range runs {
			heads = append(heads, runHead{r.ID, r.StartedAt, r.FinishedAt, r.Verdict})
		}
		return a.printJSON(heads)
	}
	if len(runs) == 0 {
		a.notice("no runs yet: ibid run start begins one")
	}
	var rows [][]string
	for _, r := range runs {
		state := "goes on"
		if r.Verdict != nil {
			state = outcomeInWords(r.Verdict)
		}
		rows = append(rows, []string{cell(string(r.ID), 40), r.StartedAt.Local().Format("2006-01-02 15:04"), state})
	}
	a.printRows(rows)
	return nil
}

func runAgentsCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "agents", Short: "What each agent did, over all runs", Args: cobra.NoArgs,
		Example: "  ibid run agents\n  ibid run agents --json | jq .distinct",
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			store, err := a.record(ctx)
			if err != nil {
				return err
			}
			runs, err := store.Runs(ctx, 1<<30)
			if err != nil {
				return err
			}
			var book ledger.Book
			for _, head := range runs {
				run, err := store.Run(ctx, head.ID)
				if err == nil {
					err = book.Add(run)
				}
				if err != nil {
					return err
				}
			}
			system := book.System()
			if asJSON {
				return a.printJSON(system)
			}
			w := tabwriter.NewWriter(a.out, 0, 4, 2, ' ', 0)
			fmt.Fprintln(w, "agent\truns\tretrievals\tclaims\twith a source\texempt")
			for _, g := range system.Agents {
				name := g.Name
				if name == "" {
					name = "(no name)"
				}
				fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\n", cell(name, 40), g.Runs, g.Sources, g.Claims, g.Cited, g.Exempt)
			}
			return w.Flush()
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON, with each wording of a claim once")
	return cmd
}

// metadata reads key=value pairs.
func metadata(pairs []string) (map[string]string, error) {
	out := map[string]string{}
	for _, p := range pairs {
		k, v, ok := strings.Cut(p, "=")
		if !ok || k == "" {
			return nil, usagef("--meta %q: give key=value", p)
		}
		out[k] = v
	}
	return out, nil
}
