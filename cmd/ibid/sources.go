package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/quality"
	"github.com/ibid-dev/ibid/sqlite"
)

func sourcesCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "sources",
		Short:   "List, look into, check and remove what the library holds",
		Example: "  ibid sources\n  ibid sources quality 3c1f\n  ibid sources versions 3c1f\n  ibid sources collections\n  ibid sources check\n  ibid sources remove 3c1f",
		Args:    cobra.NoArgs,
	}
	listing(cmd, sourcesListCmd(a))
	cmd.AddCommand(sourcesCollectionsCmd(a), sourcesQualityCmd(a), sourcesVersionsCmd(a), sourcesCheckCmd(a), sourcesRemoveCmd(a))
	return cmd
}

func sourcesListCmd(a *app) *cobra.Command {
	var asJSON, byQuality bool
	cmd := &cobra.Command{
		Use: "list", Short: "List the sources, each with how far it can be leaned on", Args: cobra.NoArgs,
		Example: "  ibid sources list --by-quality\n  ibid sources list --json",
		RunE:    func(c *cobra.Command, _ []string) error { return a.listSources(c.Context(), asJSON, byQuality) },
	}
	cmd.Flags().BoolVar(&byQuality, "by-quality", false, "the ones that can be leaned on most first")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func (a *app) listSources(ctx context.Context, asJSON, byQuality bool) error {
	listed, err := a.listedSources(ctx)
	if err != nil {
		return err
	}
	if len(listed) == 0 {
		if err := a.emptied(ctx); err != nil { // what was lost is not called empty
			return err
		}
	}
	rater, err := a.rater()
	if err != nil {
		return err
	}
	all := make([]ratedSource, len(listed))
	for i, l := range listed {
		all[i] = ratedSource{l, snapshotOf(l.Newest), rater.Rate(l.Source, quality.About{Now: a.now()})}
	}
	if byQuality {
		slices.SortStableFunc(all, func(x, y ratedSource) int { return cmp.Compare(y.Quality.Value, x.Quality.Value) })
	}
	if asJSON {
		return a.printJSON(all)
	}
	if len(all) == 0 {
		a.noticeEmpty(ctx)
		return nil
	}
	var rows [][]string
	for _, l := range all {
		rows = append(rows, []string{shortID(string(l.Source.ID)), cell(l.Source.Title(), 60), cell(l.Source.Name(), 40),
			count(l.Versions, "version", "versions"), l.Newest.FetchedAt.Local().Format("2006-01-02"), l.Quality.Label()})
	}
	a.printRows(rows)
	return nil
}

// noticeEmpty says that there is nothing to list or to ask, and where else something is.
func (a *app) noticeEmpty(ctx context.Context) {
	stats, err := a.opened.store.Stats(ctx)
	switch {
	case err == nil && stats.Sources > 0 && a.conf.Collection == "":
		a.notice("nothing is outside of the collections, which hold %s: ibid sources collections lists them, --collection names one", count(stats.Sources, "source", "sources"))
	case err == nil && stats.Sources > 0:
		a.notice("collection %q is empty: ibid ingest --collection %s PATH takes something in, ibid sources collections lists the others", shown(a.conf.Collection), typed(shown(a.conf.Collection)))
	case a.conf.Collection != "":
		a.notice("collection %q is empty: ibid ingest --collection %s PATH takes something in", shown(a.conf.Collection), typed(shown(a.conf.Collection)))
	default:
		a.notice("the library is empty: ibid ingest PATH takes something in")
	}
}

// typed is a word as a shell takes it.
func typed(s string) string {
	plain := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-/:@%+=,", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// cell is a name or title of at most n columns.
func cell(s string, n int) string {
	s = shown(s)
	if columns(s) <= n {
		return s
	}
	used := 0
	for i, r := range s {
		if used += columns(string(r)); used > n-1 {
			return s[:i] + "…"
		}
	}
	return s
}

func sourcesVersionsCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "versions SOURCE", Short: "List the versions of a source, the newest first", Args: cobra.ExactArgs(1),
		Example: "  ibid sources versions 3c1f",
		RunE: func(c *cobra.Command, args []string) error {
			store, src, err := a.source(c.Context(), args[0])
			if err != nil {
				return err
			}
			versions, err := store.Versions(c.Context(), src.ID)
			if err != nil {
				return err
			}
			if asJSON {
				list := make([]snapshot, len(versions))
				for i, d := range versions {
					list[i] = snapshotOf(d)
				}
				return a.printJSON(list)
			}
			fmt.Fprintf(a.out, "%s\n%s\n", shown(src.Title()), harmless(src.URI))
			for _, d := range versions {
				a.line("    ", "  version %d  %s  %s  document %s", d.Version, d.FetchedAt.Local().Format("2006-01-02 15:04:05"), d.MediaType, shortID(string(d.ID)))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

// snapshot is a document as lists give it: without its text, which they do not read.
type snapshot struct {
	ID        ibid.DocumentID `json:"id"`
	Source    ibid.SourceID   `json:"source"`
	Version   int             `json:"version"`
	MediaType string          `json:"media_type"`
	FetchedAt time.Time       `json:"fetched_at"`
}

func snapshotOf(d ibid.Document) snapshot {
	return snapshot{d.ID, d.Source, d.Version, d.MediaType, d.FetchedAt}
}

func sourcesRemoveCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "remove SOURCE...", Short: "Take sources out of the library", Args: cobra.MinimumNArgs(1),
		Long: `Take sources out of the library: they are not retrieved any more. Snapshots
that recorded answers cite are kept, so that every citation still opens. Where
one of several is not found, none is removed.`,
		Example: "  ibid sources remove 3c1f",
		RunE: func(c *cobra.Command, args []string) error {
			ctx := c.Context()
			store, err := a.store(ctx)
			if err != nil {
				return err
			}
			gone := make([]ibid.Source, len(args))
			for i, id := range args {
				if _, gone[i], err = a.source(ctx, id); err != nil {
					return err
				}
			}
			for _, src := range gone {
				if err := store.RemoveSource(ctx, src.ID); err != nil {
					return err
				}
				a.notice("removed %s", shown(src.Title()))
			}
			return a.updateIndex(ctx)
		},
	}
}

func (a *app) source(ctx context.Context, id string) (*sqlite.Store, ibid.Source, error) {
	store, err := a.store(ctx)
	if err != nil {
		return nil, ibid.Source{}, err
	}
	src, err := store.Source(ctx, ibid.SourceID(strings.ToLower(id)))
	if err != nil {
		return nil, ibid.Source{}, hint(err, "ibid sources lists them")
	}
	return store, src, nil
}
