package main

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid/api"
)

func insightsCmd(a *app) *cobra.Command {
	var from, to string
	var days int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "insights",
		Short: "What many answers say together: coverage, origins, sources, trust",
		Long: `What the answers of a time say together: how much of them comes from sources,
what has none, what a source denies, which sources are cited most and which
never, which answers cite a source that has changed since, and whether
confidences hold against feedback (ibid feedback).`,
		Example: `  ibid insights
  ibid insights --days 7
  ibid insights --from 2026-01-01 --to 2026-04-01 --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			end := a.now().UTC().Add(time.Minute)
			if to != "" {
				var err error
				if end, err = dayOf("--to", to); err != nil {
					return err
				}
			}
			if days < 1 {
				return usagef("--days %d: at least one", days)
			}
			begin := end.AddDate(0, 0, -days)
			if from != "" {
				var err error
				if begin, err = dayOf("--from", from); err != nil {
					return err
				}
			}
			if !begin.Before(end) && to == "" {
				return usagef("--from %s is not in the past", begin.Format(time.DateOnly))
			}
			if !begin.Before(end) {
				return usagef("--to %s is not behind --from %s", end.Format(time.DateOnly), begin.Format(time.DateOnly))
			}
			return a.insights(cmd.Context(), begin, end, asJSON)
		},
	}
	cmd.Flags().IntVar(&days, "days", 90, "of the last so many days")
	cmd.Flags().StringVar(&from, "from", "", "of answers from this day on, as 2026-01-31 (UTC)")
	cmd.Flags().StringVar(&to, "to", "", "of answers before this day")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	cmd.MarkFlagsMutuallyExclusive("days", "from")
	return cmd
}

func dayOf(flag, s string) (time.Time, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return t, hint(usagef("%s %q is not a day", flag, s), "write it as 2026-01-31")
	}
	return t, nil
}

func (a *app) insights(ctx context.Context, from, to time.Time, asJSON bool) error {
	store, err := a.record(ctx)
	if err != nil {
		return err
	}
	in, err := store.In(a.conf.Collection).Insights(ctx, from, to)
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(in)
	}
	if in.Answers == 0 {
		a.notice("no answers between %s and %s", from.Format(time.DateOnly), to.Format(time.DateOnly))
		return nil
	}
	p := a.paint()
	a.line("", "%s, %s, from %s on", count(in.Answers, "answer", "answers"), count(in.Segments, "claim", "claims"), in.Days[0].Day)
	shares := a.row("")
	addBar(shares, in.Sources, in.Model, 40*p.width/100)
	shares.add(plain, fmt.Sprintf(" %s from sources, %s the model's own\n", percent(in.Sources), percent(in.Model)))
	lacking := a.row("")
	lacking.add(violet, "◇")
	lacking.add(plain, " "+count(in.Uncited, "claim", "claims")+" without a source · ")
	lacking.add(red, "✕")
	lacking.add(plain, " "+count(in.Denied, "claim", "claims")+" that a source denies\n")
	if said := gateInWords(in.Gate); said != "" {
		a.line("", "%s", said)
	}
	for _, part := range []func(paint, api.Insights) error{a.insightDays, a.insightSources, a.insightOutdated, a.insightFeedback} {
		if err := part(p, in); err != nil {
			return err
		}
	}
	if l := in.Latency; l.Measured > 0 {
		a.line("", "\nhalf of the answers took %s or less, nine of ten %s, 99 of 100 %s (%d measured)", took(l.P50), took(l.P90), took(l.P99), l.Measured)
	}
	return nil
}

// gateInWords says what the gate did, "" where it has let out all.
func gateInWords(g api.GateCount) string {
	if g.Flagged+g.Repaired+g.Refused == 0 {
		return ""
	}
	var parts []string
	for _, part := range []struct {
		n    int
		what string
	}{{g.Passed, "passed"}, {g.Warned, "let out with a warning"}, {g.Flagged, "flagged for review"}, {g.Repaired, "repaired"}, {g.Refused, "refused"}} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.what))
		}
	}
	return "gate: " + strings.Join(parts, " · ")
}

// addBar draws shares: sources are full, the model's own is light.
func addBar(f *flow, sources, model float64, width int) {
	if sources+model == 0 {
		f.add(plain, strings.Repeat("·", width))
		return
	}
	full := int(math.Round(sources / (sources + model) * float64(width)))
	f.add(teal, strings.Repeat("▇", full))
	f.add(violet, strings.Repeat("▒", width-full))
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", share*100) }

func took(ms int64) string {
	if ms < 1000 {
		return fmt.Sprintf("%d ms", ms)
	}
	return fmt.Sprintf("%.1f s", float64(ms)/1000)
}

// lastDays is how many days are listed; --json has all.
const lastDays = 14

func (a *app) insightDays(p paint, in api.Insights) error {
	fmt.Fprintln(a.out)
	days := in.Days
	if len(days) > lastDays {
		days = days[len(days)-lastDays:]
		fmt.Fprintln(a.out, p.in(dim, fmt.Sprintf("the last %d of %d days with answers", lastDays, len(in.Days))))
	}
	for _, d := range days {
		f := a.row("              ")
		f.add(plain, "  "+string(d.Day)+"  ")
		addBar(f, d.Sources, d.Model, 20*p.width/100)
		f.add(plain, fmt.Sprintf(" %4s sources  %s", percent(d.Sources), join(" · ", count(d.Answers, "answer", "answers"), percent(d.Coverage)+" cited")))
		if d.Denied > 0 {
			f.add(plain, " · ")
			f.add(red, fmt.Sprintf("✕ %d denied", d.Denied))
		}
		f.newline()
	}
	return nil
}

// mostListed is how many sources are listed of each kind; --json has up to 50.
const mostListed = 10

func (a *app) insightSources(p paint, in api.Insights) error {
	if len(in.Top) > 0 {
		fmt.Fprintln(a.out, "\nmost cited")
	}
	var top, unused [][]string
	for _, s := range in.Top[:min(len(in.Top), mostListed)] {
		top = append(top, []string{"  " + shortID(string(s.Source)), cell(s.Title, 50), count(s.Answers, "answer", "answers"), count(s.Places, "place", "places"), trustShown(s.Trust)})
	}
	a.printRows(top)
	if in.UnusedMore > 0 {
		fmt.Fprintf(a.out, "\nnever cited: %s\n", count(in.UnusedMore, "source", "sources"))
	}
	for _, s := range in.Unused[:min(len(in.Unused), mostListed)] {
		unused = append(unused, []string{"  " + shortID(string(s.Source)), cell(s.Title, 50)})
	}
	a.printRows(unused)
	if more := in.UnusedMore - mostListed; more > 0 {
		fmt.Fprintf(a.out, "  and %d more\n", more)
	}
	return nil
}

func trustShown(t float64) string {
	if t == 0.5 {
		return "nobody has judged it"
	}
	return fmt.Sprintf("trust %.2f", t)
}

func (a *app) insightOutdated(p paint, in api.Insights) error {
	if len(in.Outdated) == 0 {
		return nil
	}
	fmt.Fprintln(a.out, "\ncite a source that has changed since")
	for _, o := range in.Outdated[:min(len(in.Outdated), mostListed)] {
		a.line("          ", "  %s  %s  %s", shortID(string(o.Answer)), o.CreatedAt.Local().Format(time.DateOnly), cell(o.Question, 60))
	}
	if more := len(in.Outdated) - mostListed; more > 0 {
		fmt.Fprintf(a.out, "  and %d more\n", more)
	}
	return nil
}

func (a *app) insightFeedback(p paint, in api.Insights) error {
	f := in.Feedback
	if f.Right+f.Wrong+f.Missing == 0 {
		return nil
	}
	a.line("", "\nfeedback: %d right, %d wrong, %d missing · trust %.2f", f.Right, f.Wrong, f.Missing, f.Trust)
	for _, b := range in.Reliability {
		if b.Count > 0 {
			fmt.Fprintf(a.out, "  %.1f to %.1f  said %.2f, held %.2f %s\n", b.Low, b.High, b.Confidence, b.Right,
				p.in(dim, fmt.Sprintf("(95 %% interval %.2f to %.2f, %s)", b.RightLow, b.RightHigh, count(b.Count, "verdict", "verdicts"))))
		}
	}
	return nil
}
