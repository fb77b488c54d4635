package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid/gate"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/workflow"
)

func reviewCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "review",
		Short: "What the gate flagged and a person must look at",
		Long: `Answers and runs that the gate flagged wait here for a person. The decision is
an entry of the log, with who took it and why, and stands.`,
		Example: `  ibid review list
  ibid review show 3f9a
  ibid review approve 3f9a --by ada --note "known from the archive"`,
		Args: cobra.NoArgs,
	}
	listing(cmd, reviewListCmd(a))
	cmd.AddCommand(reviewShowCmd(a), reviewDecideCmd(a, gate.Approved), reviewDecideCmd(a, gate.Rejected))
	return cmd
}

func reviewListCmd(a *app) *cobra.Command {
	var all, asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "List what waits", Args: cobra.NoArgs, Example: "  ibid review list --all",
		RunE: func(cmd *cobra.Command, _ []string) error { return a.listReviews(cmd.Context(), all, asJSON) },
	}
	cmd.Flags().BoolVar(&all, "all", false, "also what was decided")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func (a *app) listReviews(ctx context.Context, all, asJSON bool) error {
	store, err := a.record(ctx)
	if err != nil {
		return err
	}
	list, err := store.Reviews(ctx, all)
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(list)
	}
	if len(list) == 0 {
		a.notice("nothing waits for review")
	}
	for _, r := range list {
		state := "waits"
		if r.Decision != "" {
			state = string(r.Decision)
		}
		fmt.Fprintf(a.out, "%s  %s  %-8s  %s  %s\n", shortID(r.ID), r.At.Local().Format("2006-01-02 15:04"), state, cell(r.Title, 60), count(len(r.Uncited), "claim", "claims")+" without a source")
	}
	return nil
}

func (a *app) review(ctx context.Context, id string) (gate.Review, error) {
	store, err := a.record(ctx)
	if err != nil {
		return gate.Review{}, err
	}
	r, err := store.Review(ctx, strings.ToLower(id))
	if err != nil {
		return r, hint(err, "ibid review list --all lists them")
	}
	return r, nil
}

func reviewShowCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "show REVIEW", Short: "Show what was flagged, and why", Args: cobra.ExactArgs(1), Example: "  ibid review show 3f9a",
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := a.review(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(r)
			}
			p := a.paint()
			fmt.Fprintln(a.out, p.wrapped("", bold, harmless(excerpt(r.Title, 600))))
			fmt.Fprintln(a.out, shown(r.Subject))
			fmt.Fprintln(a.out, r.Summary)
			for _, why := range r.Reasons {
				fmt.Fprintln(a.out, p.wrapped("  ", dim, "why: "+harmless(why)))
			}
			fmt.Fprintln(a.out, "\nwithout a source:")
			for _, c := range r.Uncited {
				fmt.Fprintln(a.out, p.wrapped("  ", violet, "◇ "+harmless(excerpt(c, 600))))
			}
			if r.Entry != nil {
				fmt.Fprintln(a.out, p.in(dim, fmt.Sprintf("log entry %d", *r.Entry)))
			}
			if r.Decision != "" {
				fmt.Fprintln(a.out, p.wrapped("", plain, ruled(r)))
				return nil
			}
			id := shortID(r.ID)
			kind, subject, _ := strings.Cut(r.Subject, " ")
			open := map[string]string{"answer": "ibid show " + shortID(subject), "run": "ibid run report " + shown(subject)}[kind]
			fmt.Fprintln(a.out, join("    ", open, "ibid review approve "+id, "ibid review reject "+id))
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func ruled(r gate.Review) string {
	note := ""
	if r.Note != "" {
		note = ": " + harmless(r.Note)
	}
	return fmt.Sprintf("%s by %s, %s%s", r.Decision, harmless(r.By), r.Decided.Local().Format("2006-01-02 15:04"), note)
}

func reviewDecideCmd(a *app, ruling gate.Ruling) *cobra.Command {
	verb := map[gate.Ruling]string{gate.Approved: "approve", gate.Rejected: "reject"}[ruling]
	var by, note string
	var asJSON bool
	cmd := &cobra.Command{
		Use: verb + " REVIEW", Args: cobra.ExactArgs(1),
		Short:   strings.ToUpper(verb[:1]) + verb[1:] + " what was flagged; the decision is an entry of the log",
		Example: fmt.Sprintf("  ibid review %s 3f9a --by ada --note \"read the letters\"", verb),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			if by = first(strings.TrimSpace(by), strings.TrimSpace(a.env("USER"))); by == "" {
				return hint(usagef("who decides is not known"), "name a person with --by")
			}
			r, err := a.review(ctx, args[0])
			if err != nil {
				return err
			}
			var entry *int64
			err = a.opened.store.Update(ctx, func(tx *sqlite.Tx) error {
				if r, err = tx.DecideReview(r.ID, ruling, by, note, a.now()); err != nil {
					return err
				}
				entry, err = workflow.EnterReview(tx, r)
				return err
			})
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(struct {
					Review gate.Review `json:"review"`
					Entry  *int64      `json:"entry"` // of the decision
				}{r, entry})
			}
			fmt.Fprintf(a.out, "%s · log entry %d\n", ruled(r), *entry)
			return nil
		},
	}
	cmd.Flags().StringVar(&by, "by", "", "who decides (default: the user of this machine)")
	cmd.Flags().StringVar(&note, "note", "", "why")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}
