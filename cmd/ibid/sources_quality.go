package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/conflict"
	"github.com/ibid-dev/ibid/quality"
	"github.com/ibid-dev/ibid/sqlite"
)

func sourcesQualityCmd(a *app) *cobra.Command {
	var asJSON bool
	var halfLife float64
	cmd := &cobra.Command{
		Use: "quality SOURCE", Short: "Explain how far a source can be leaned on", Args: cobra.ExactArgs(1),
		Long: `Explain how far a source can be leaned on: what kind it is, which identifiers
it has, how old it is for its topic (with --half-life), and how many sources of
the library say otherwise. It orders and labels; it hides nothing and does not
say what is true.`,
		Example: "  ibid sources quality 3c1f --half-life 5",
		RunE: func(c *cobra.Command, args []string) error {
			if halfLife < 0 {
				return usagef("--half-life %v: give a number of years", halfLife)
			}
			_, src, err := a.source(c.Context(), args[0])
			if err != nil {
				return err
			}
			rater, err := a.rater()
			if err != nil {
				return err
			}
			about := quality.About{Now: a.now(), HalfLife: halfLife}
			if about.Disputed, err = a.disputes(c.Context(), src.ID); err != nil {
				return err
			}
			score := rater.Rate(src, about)
			if asJSON {
				return a.printJSON(quality.Rated{Source: src, Score: score})
			}
			fmt.Fprintf(a.out, "%s\n%s\n", shown(src.Title()), score.Label())
			for _, p := range score.Parts {
				a.line("                      ", "  %+.2f  %-12s %s", p.Points, p.Name, harmless(p.Why))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	cmd.Flags().Float64Var(&halfLife, "half-life", 0, "years in which half of what is written on the topic goes out of date; 0: never")
	return cmd
}

// disputes counts the sources of the library that contradict one.
func (a *app) disputes(ctx context.Context, id ibid.SourceID) (int, error) {
	t, err := a.texts(ctx, nil, false)
	if err != nil {
		return 0, err
	}
	found, err := conflict.New(attribute.Reader{}, conflict.Config{}).Passages(ctx, t.passages)
	if err != nil {
		return 0, err
	}
	others := map[ibid.SourceID]bool{}
	for _, f := range found {
		switch id {
		case f.A.Source:
			others[f.B.Source] = true
		case f.B.Source:
			others[f.A.Source] = true
		}
	}
	delete(others, id)
	return len(others), nil
}

// ratedSource is a source of the list with how far it can be leaned on.
type ratedSource struct {
	sqlite.Listed
	Newest  snapshot      `json:"newest"`
	Quality quality.Score `json:"quality"`
}

// rater rates sources by the built-in lists and those of the configuration.
func (a *app) rater() (*quality.Rater, error) {
	if a.conf.Quality.Lists == "" {
		return quality.New(), nil
	}
	b, err := os.ReadFile(a.conf.Quality.Lists)
	if err != nil {
		return nil, hint(usagef("quality.lists: %w", err), "ibid help config shows the setting")
	}
	own, err := quality.ParseLists(string(b))
	if err != nil {
		return nil, &usageError{fmt.Errorf("%s: %w", a.conf.Quality.Lists, err)}
	}
	return quality.New(own...), nil
}
