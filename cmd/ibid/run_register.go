package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/capture"
	"github.com/ibid-dev/ibid/internal/wording"
	"github.com/ibid-dev/ibid/ledger"
	"github.com/ibid-dev/ibid/sqlite"
)

// maxSnapshot bounds what is kept of one retrieval.
const maxSnapshot = 32 << 20

func runSourceCmd(a *app) *cobra.Command {
	var ref ibid.SourceReference
	var agent, query, snapshot, from string
	var meta []string
	cmd := &cobra.Command{
		Use: "source RUN", Short: "Register what a tool returned, and print its identifier", Args: cobra.ExactArgs(1),
		Long: `Register one retrieval: where it came from, when, and with --snapshot what came
back, from a file or from standard input ("-"). The snapshot is kept once, by
its hash. The query is kept as its hash alone.

With --from the source is a claim that another agent of the run hands over; the
chain back to the first tool stays in the record.`,
		Example: `  curl -s $url | ibid run source $run --category http --endpoint $url --query "q3 shift" --snapshot -
  ibid run source $run --category file --endpoint notes.md --snapshot notes.md --agent reader
  ibid run source $run --from 1f0c9a --agent writer`,
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if ref.Metadata, err = metadata(meta); err != nil {
				return err
			}
			if len(meta) == 0 {
				ref.Metadata = nil
			}
			if ref.Category == "" && from == "" {
				return usagef("--category is missing: say what kind of tool returned it, as http, web_search, file")
			}
			if clean := capture.Address(ref.Endpoint); clean != ref.Endpoint {
				a.notice("kept without what looks like a secret: %s", harmless(clean))
				ref.Endpoint = clean
			}
			if query != "" {
				if ref.QueryHash, err = ledger.HashQuery(query); err != nil {
					return err
				}
			}
			var body []byte
			if snapshot != "" {
				if body, err = a.readSnapshot(cmd.Context(), snapshot); err != nil {
					return err
				}
			}
			var registered ibid.SourceReference
			err = a.onRun(cmd.Context(), args[0], agent, func(l *ledger.Ledger, r ibid.Run) (err error) {
				if from == "" {
					registered, err = l.Source(ref, body)
					return err
				}
				claim, err := claimOf(r, from)
				if err == nil {
					registered, err = l.Receive(claim)
				}
				return err
			})
			if err != nil {
				return err
			}
			fmt.Fprintln(a.out, registered.Identifier)
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&ref.Identifier, "id", "", "identifier of the source (default: made from tool or category)")
	f.StringVar(&ref.Category, "category", "", "kind of tool: http, web_search, sql, command, file …")
	f.StringVar(&ref.Endpoint, "endpoint", "", "where it was found")
	f.StringVar(&ref.Tool, "tool", "", "name of the tool")
	f.StringVar(&agent, "agent", "", "the agent that called it")
	f.StringVar(&query, "query", "", "what was asked; its hash is kept")
	f.StringVar(&snapshot, "snapshot", "", "file with what came back, or - for standard input")
	f.StringArrayVar(&meta, "meta", nil, "further key=value; may be repeated")
	f.StringVar(&from, "from", "", "a claim of another agent that is handed over, by id")
	for _, of := range []string{"snapshot", "id", "category", "endpoint", "tool", "query", "meta"} {
		cmd.MarkFlagsMutuallyExclusive("from", of) // a claim that is handed over says all of it itself
	}
	return cmd
}

func (a *app) readSnapshot(ctx context.Context, name string) ([]byte, error) {
	f, err := a.openFile(ctx, name)
	if err != nil {
		return nil, usagef("--snapshot: %w", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxSnapshot+1))
	if err != nil {
		return nil, fmt.Errorf("snapshot %s: %w", name, err)
	}
	if len(b) > maxSnapshot {
		return nil, hint(usagef("snapshot %s is larger than 32 MB", name), "keep the part that claims rest on")
	}
	return b, nil
}

// claimOf finds a claim of a run by its id or the first characters of it.
func claimOf(r ibid.Run, id string) (ibid.Claim, error) {
	var found []ibid.Claim
	for _, c := range r.Claims {
		if strings.HasPrefix(string(c.ID), strings.ToLower(id)) {
			found = append(found, c)
		}
	}
	switch {
	case len(found) == 0 || id == "":
		return ibid.Claim{}, hint(fmt.Errorf("claim %q: %w in run %s", id, ibid.ErrNotFound, r.ID), "ibid run report %s lists them", r.ID)
	case len(found) > 1:
		return ibid.Claim{}, fmt.Errorf("claim %q fits %s and %s: give more of it: %w", id, found[0].ID, found[1].ID, ibid.ErrAmbiguous)
	}
	return found[0], nil
}

func runClaimCmd(a *app) *cobra.Command {
	var agent, source, exempt string
	var quotes []string
	cmd := &cobra.Command{
		Use: "claim RUN TEXT", Short: "Register a claim with the source it rests on, and print its id", Args: cobra.ExactArgs(2),
		Long: `Register a claim. With --source it rests on a source of this run; with --quote
it points at the words of that source's snapshot, which must stand there to the
letter. With --exempt it needs no source: computed, structural, or run (about
the run itself). With neither it is a claim without a source, and the gate will
say so. "-" reads the text from standard input.`,
		Example: `  ibid run claim $run "The cable failed after three weeks." --source $src --quote "three weeks"
  ibid run claim $run "Three sources were read." --exempt run`,
		RunE: func(cmd *cobra.Command, args []string) error {
			text := args[1]
			if text == "-" {
				b, err := a.readSnapshot(cmd.Context(), "-")
				if err != nil {
					return err
				}
				text = strings.TrimSpace(string(b))
			}
			if exempt != "" && source != "" {
				return usagef("--exempt and --source: a claim that needs no source has none")
			}
			if len(quotes) > 0 && source == "" {
				return usagef("--quote without --source: say whose words they are")
			}
			var claim ibid.Claim
			err := a.onRun(cmd.Context(), args[0], agent, func(l *ledger.Ledger, r ibid.Run) (err error) {
				if exempt != "" {
					claim, err = l.Exempt(text, ibid.Exemption(exempt))
					return err
				}
				ref := ibid.SourceReference{}
				if source != "" {
					if ref, err = registered(l, r, source, agent); err != nil {
						return err
					}
				}
				claim, err = l.Claim(text, ref, quotes...)
				return err
			})
			if err != nil {
				return err
			}
			fmt.Fprintln(a.out, claim.ID)
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&source, "source", "", "identifier of the source, as ibid run source printed it")
	f.StringArrayVar(&quotes, "quote", nil, "words of the source's snapshot; may be repeated")
	f.StringVar(&exempt, "exempt", "", "why it needs no source: computed, structural or run")
	f.StringVar(&agent, "agent", "", "the agent that claims it")
	return cmd
}

// registered finds a source of the agent, and says where it is where it is another's.
func registered(l *ledger.Ledger, r ibid.Run, id, agent string) (ibid.SourceReference, error) {
	if ref, ok := l.Registered(id); ok {
		return ref, nil
	}
	err := fmt.Errorf("source %q is not registered in run %s: %w", id, r.ID, ibid.ErrInvalid)
	for _, s := range r.Sources {
		if s.Identifier == id && s.Agent != agent {
			return ibid.SourceReference{}, hint(fmt.Errorf("source %q is agent %q's: %w", id, s.Agent, ibid.ErrInvalid), "name the agent with --agent, or hand its claim over with ibid run source --from")
		}
	}
	return ibid.SourceReference{}, hint(err, "ibid run source registers one; ibid run report %s lists them", r.ID)
}

func runMergeCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "merge FILE...", Short: "Take in the records of runs from other processes", Args: cobra.MinimumNArgs(1),
		Long: `Take in runs that other processes recorded, as ibid run report --to json writes
them. In whatever order and however often they are merged, the result is the
same. Snapshots are not in the files: references keep their hashes. "-" reads
standard input.`,
		Example: "  ibid run merge reader.json writer.json\n  ssh elsewhere ibid run report nightly --to json | ibid run merge -",
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			store, err := a.store(ctx)
			if err != nil {
				return err
			}
			for _, name := range args {
				b, err := a.readWhole(cmd, name)
				if err != nil {
					return usagef("merge: %w", err)
				}
				name = inputName(name)
				var run ibid.Run
				err = wording.JSON(json.Unmarshal(b, &run), b)
				if err == nil && run.ID == "" {
					err = errors.New("it names no run")
				}
				if err == nil && run.StartedAt.IsZero() {
					err = errors.New("it does not say when the run began")
				}
				if err != nil {
					return hint(fmt.Errorf("%s is not the record of a run: %v: %w", name, err, ibid.ErrInvalid), "ibid run report RUN --to json writes one")
				}
				var check ledger.Book
				if err := check.Add(run); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				if err := store.Update(ctx, func(tx *sqlite.Tx) error { return tx.PutRun(run, nil) }); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				a.notice("merged %s of run %s", count(len(run.Claims), "claim", "claims"), shown(string(run.ID)))
				if v := run.Verdict; v != nil {
					a.notice("its verdict there (%s) is not taken over: ibid run finish %s decides on all that was merged", v.Outcome, shown(string(run.ID)))
				}
			}
			return nil
		},
	}
}
