package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
	"github.com/ibid-dev/ibid/sqlite"
)

func feedbackCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "feedback",
		Short: "Say whether the links of an answer are right, and learn from it",
		Long: `What people say of the links between an answer and its sources: right, wrong,
or that a source is missing. It feeds the reliability under ibid insights, and
is exported as labelled answers that ibid eval reads.`,
		Example: `  ibid feedback
  ibid feedback add last 2 right
  ibid feedback add 4f2a 3 wrong --source 1 --note "speaks of another ship"
  ibid feedback export > feedback.jsonl`,
		Args: cobra.NoArgs,
	}
	listing(cmd, feedbackListCmd(a))
	cmd.AddCommand(feedbackAddCmd(a), feedbackExportCmd(a))
	return cmd
}

func feedbackListCmd(a *app) *cobra.Command {
	var asJSON bool
	var limit int
	cmd := &cobra.Command{
		Use: "list [ANSWER]", Short: "List feedback, the latest first", Args: cobra.MaximumNArgs(1), Example: "  ibid feedback list 4f2a\n  ibid feedback list --limit 100 --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 1 {
				return usagef("--limit %d: at least one", limit)
			}
			return a.listFeedback(cmd.Context(), strings.Join(args, ""), limit, asJSON)
		},
	}
	cmd.Flags().IntVar(&limit, "limit", 50, "how many at most")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

// verdictSigns go with the words, never alone.
var verdictSigns = map[api.Verdict]struct {
	sign  string
	style style
}{api.Right: {"✓", teal}, api.Wrong: {"✕", red}, api.Missing: {"?", violet}}

func (a *app) listFeedback(ctx context.Context, of string, limit int, asJSON bool) error {
	store, err := a.record(ctx)
	if err != nil {
		return err
	}
	var id ibid.AnswerID
	if of != "" {
		answer, err := a.answer(ctx, store, of)
		if err != nil {
			return err
		}
		id = answer.ID
	}
	list, err := store.In(a.conf.Collection).Feedback(ctx, id, "", limit)
	if err != nil {
		return err
	}
	if asJSON {
		if list == nil {
			list = []api.Feedback{}
		}
		return a.printJSON(list)
	}
	if len(list) == 0 {
		a.notice("nobody has said anything yet: ibid feedback add last 1 right")
	}
	p := a.paint()
	answers := map[ibid.AnswerID]ibid.Answer{}
	for _, f := range list {
		if _, ok := answers[f.Answer]; !ok {
			if answers[f.Answer], err = store.Answer(ctx, f.Answer); err != nil {
				return err
			}
		}
		a.printFeedback(p, answers[f.Answer], f)
	}
	return nil
}

// printFeedback shows one verdict: what was judged, by whom and when.
func (a *app) printFeedback(p paint, of ibid.Answer, f api.Feedback) {
	sign := verdictSigns[f.Verdict]
	head := a.row("    ")
	head.add(sign.style, fmt.Sprintf("%s %-7s ", sign.sign, f.Verdict))
	head.add(dim, join(" · ", fmt.Sprintf("answer %s, segment %d", shortID(string(f.Answer)), f.Segment), sourceName(of, f.Source), f.CreatedAt.Local().Format("2006-01-02 15:04"), shown(f.By)))
	head.newline()
	if f.Segment >= 1 && f.Segment <= len(of.Segments) {
		fmt.Fprintln(a.out, p.wrapped("    ", plain, harmless(excerpt(of.Segments[f.Segment-1].At.In(of.Text), 300))))
	}
	if f.Note != "" {
		fmt.Fprintln(a.out, p.wrapped("    ", dim, "note: "+harmless(f.Note)))
	}
}

// sourceName names a source of an answer, "" where none is meant.
func sourceName(of ibid.Answer, id ibid.SourceID) string {
	for _, p := range of.Passages {
		if p.Source.ID == id {
			return cell(p.Source.Title(), 60)
		}
	}
	return shown(string(id))
}

func feedbackAddCmd(a *app) *cobra.Command {
	var source, note, by string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "add ANSWER SEGMENT right|wrong|missing", Short: "Say whether a segment's sources are right, wrong or missing", Args: cobra.ExactArgs(3),
		Long: `Say of a segment of an answer, 1 for the first, whether what it cites says so
(right), does not (wrong), or whether a source that says so is not cited
(missing). With --source it is said of one source: by its number in the answer,
or by its id.`,
		Example: "  ibid feedback add last 1 right\n  ibid feedback add 4f2a 3 wrong --source 2",
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			store, err := a.record(ctx)
			if err != nil {
				return err
			}
			answer, err := a.answer(ctx, store, args[0])
			if err != nil {
				return err
			}
			f := api.Feedback{ID: string(newAnswerID()), Answer: answer.ID, Verdict: api.Verdict(args[2]), Note: note, By: first(by, a.env("USER")),
				CreatedAt: a.now().UTC().Truncate(time.Microsecond)}
			if f.Segment, err = strconv.Atoi(args[1]); err != nil {
				return hint(usagef("segment %q is not a number", args[1]), "ibid show %s shows the answer; 1 is its first sentence", args[0])
			}
			if _, ok := verdictSigns[f.Verdict]; !ok {
				return usagef("%q: say right, wrong or missing", args[2])
			}
			if f.Source, err = citedSource(answer, source); err != nil {
				return err
			}
			if err := f.Fits(answer); err != nil {
				return hint(err, "ibid show %s shows the answer", args[0])
			}
			if err := store.In(a.conf.Collection).PutFeedback(ctx, f); err != nil {
				if errors.Is(err, ibid.ErrNotFound) {
					return hint(err, "is it of another collection? name it with --collection")
				}
				return err
			}
			if asJSON {
				return a.printJSON(f)
			}
			a.printFeedback(a.paint(), answer, f)
			return nil
		},
	}
	cmd.Flags().StringVar(&source, "source", "", "the source it is said of: its number in the answer, or its id")
	cmd.Flags().StringVar(&note, "note", "", "why")
	cmd.Flags().StringVar(&by, "by", "", "who says so (default: the user of this machine)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

// citedSource finds a source of an answer by its number or the beginning of its id.
func citedSource(of ibid.Answer, name string) (ibid.SourceID, error) {
	if name == "" {
		return "", nil
	}
	if n, err := strconv.Atoi(name); err == nil && n < 1000 {
		for _, c := range of.Citations {
			if c.Number == n {
				return c.Source, nil
			}
		}
		return "", usagef("the answer has no source %d", n)
	}
	for _, p := range of.Passages {
		if len(name) >= 4 && strings.HasPrefix(string(p.Source.ID), strings.ToLower(name)) {
			return p.Source.ID, nil
		}
	}
	return ibid.SourceID(name), nil
}

func feedbackExportCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "export", Short: "Print feedback as labelled answers for evaluation", Args: cobra.NoArgs,
		Long: `Print the answers that people judged as JSON lines, in the form that ibid eval
reads: text and passages, and the judged segments with their labels. The latest
verdict on a segment counts.`,
		Example: "  ibid feedback export > feedback.jsonl",
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			store, err := a.record(ctx)
			if err != nil {
				return err
			}
			in := store.In(a.conf.Collection)
			all, err := everyFeedback(ctx, in)
			if err != nil {
				return err
			}
			order, given := api.ByAnswer(all)
			enc := json.NewEncoder(a.out)
			enc.SetEscapeHTML(false)
			for _, id := range order {
				answer, err := in.Answer(ctx, id)
				if err != nil {
					return err
				}
				if err := enc.Encode(api.Label(answer, given[id])); err != nil {
					return err
				}
			}
			if len(order) == 0 {
				a.notice("nobody has said anything yet: ibid feedback add last 1 right")
			}
			return nil
		},
	}
}

func everyFeedback(ctx context.Context, in sqlite.Collection) (all []api.Feedback, err error) {
	const page = 1000
	for before := ""; ; {
		list, err := in.Feedback(ctx, "", before, page)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
		if len(list) < page {
			return all, nil
		}
		before = list[page-1].ID
	}
}
