package main

import (
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid/sqlite"
)

func sourcesCollectionsCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "collections", Short: "List the collections, with how much each holds", Args: cobra.NoArgs,
		Long: `List the collections of the library, with the sources that each holds. A
collection begins with what is first taken into it: ibid ingest --collection
NAME PATH. What is in none is listed first, without a name.`,
		Example: "  ibid sources collections\n  ibid --collection thesis sources",
		RunE:    func(c *cobra.Command, _ []string) error { return a.listCollections(c.Context(), asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

// collection is a line of the list. The one without a name is what is in no collection.
type collection struct {
	Name    string `json:"name"`
	Sources int    `json:"sources"`
}

func (a *app) listCollections(ctx context.Context, asJSON bool) error {
	store, err := a.store(ctx)
	if err != nil {
		return err
	}
	names, err := store.Collections(ctx)
	if err != nil {
		return err
	}
	all := []collection{}
	for _, name := range names {
		held, err := everySource(ctx, store, name)
		if err != nil {
			return err
		}
		all = append(all, collection{name, len(held)})
	}
	if asJSON {
		return a.printJSON(all)
	}
	if len(all) == 0 {
		a.notice("the library is empty: ibid ingest --collection NAME PATH begins a collection")
	}
	w := tabwriter.NewWriter(a.out, 0, 4, 2, ' ', 0)
	for _, c := range all {
		name := cell(c.Name, 60)
		if c.Name == "" {
			name = "(in none)"
		}
		fmt.Fprintf(w, "%s\t%s\n", name, count(c.Sources, "source", "sources"))
	}
	return w.Flush()
}

// everySource lists all sources of a collection.
func everySource(ctx context.Context, store *sqlite.Store, name string) ([]sqlite.Listed, error) {
	all := []sqlite.Listed{}
	filter := sqlite.SourceFilter{Collection: name, Limit: 1000}
	for {
		page, err := store.Sources(ctx, filter)
		if err != nil {
			return nil, err
		}
		if len(page) == 0 {
			return all, nil
		}
		all = append(all, page...)
		filter.After = page[len(page)-1].Source.ID
	}
}
