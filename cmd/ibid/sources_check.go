package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/fetch"
	"github.com/ibid-dev/ibid/ingest"
	"github.com/ibid-dev/ibid/ledger"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/workflow"
)

// unknown is a source that could not be read now, and is not known to be gone.
const unknown ledger.Drift = "unknown"

// drifted is what became of one source.
type drifted struct {
	Source  string            `json:"source"`
	Title   string            `json:"title"`
	Drift   ledger.Drift      `json:"drift"`
	Reason  string            `json:"reason,omitempty"`
	Changes []ledger.Change   `json:"changes,omitempty"`
	Quotes  []quoteOfAnAnswer `json:"quotes,omitempty"`
}

// quoteOfAnAnswer is a cited passage and who cites it.
type quoteOfAnAnswer struct {
	By    string            `json:"by"` // "answer 4f2a…" or "claim …"
	Drift ledger.QuoteDrift `json:"quote"`
}

func sourcesCheckCmd(a *app) *cobra.Command {
	var asJSON bool
	var run string
	cmd := &cobra.Command{
		Use:   "check [SOURCE...]",
		Short: "Read sources again: same, moved, changed or gone",
		Long: `Read the files and pages of the library again, or those that are named, and
hold them against the newest version and against what answers cite:

  same     to the letter
  moved    it changed; all that was cited still stands in it, perhaps elsewhere
  changed  it changed; what was cited stands in it no more, or nothing was cited
  gone     it is not there any more
  unknown  it could not be read now

The library stays as it is: what was cited still opens in the version it cites,
and ibid ingest takes a new version in. With --run, what a run retrieved is
fetched again and held against its snapshots. The exit code is 1 unless all are
same or moved.`,
		Example: "  ibid sources check\n  ibid sources check 3c1f --json\n  ibid sources check --run 9f1c",
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			store, err := a.store(ctx)
			if err != nil {
				return err
			}
			var all []drifted
			switch {
			case run != "" && len(args) > 0:
				return usagef("--run names a run: leave the sources out")
			case run != "":
				all, err = a.checkRun(ctx, store, run)
			default:
				all, err = a.checkLibrary(ctx, store, args)
			}
			if err != nil {
				return err
			}
			if asJSON {
				err = a.printJSON(all)
			} else {
				a.printDrift(all)
			}
			for _, d := range all {
				if err == nil && d.Drift != ledger.Same && d.Drift != ledger.Moved {
					err = exitCode(1)
				}
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	cmd.Flags().StringVar(&run, "run", "", "check what this run retrieved")
	return cmd
}

func (a *app) checkLibrary(ctx context.Context, store *sqlite.Store, ids []string) ([]drifted, error) {
	var sources []ibid.Source
	for _, id := range ids {
		_, src, err := a.source(ctx, id)
		if err != nil {
			return nil, err
		}
		sources = append(sources, src)
	}
	filter := sqlite.SourceFilter{Collection: a.conf.Collection}
	for len(ids) == 0 {
		page, err := store.Sources(ctx, filter)
		if err != nil {
			return nil, err
		}
		if len(page) == 0 {
			break
		}
		for _, l := range page {
			sources = append(sources, l.Source)
		}
		filter.After = page[len(page)-1].Source.ID
	}
	if len(sources) == 0 {
		a.noticeEmpty(ctx)
	}
	out := []drifted{}
	bar := a.progress("reading")
	for i, src := range sources {
		bar.show(i, len(sources), 0, src.Name())
		d, err := a.checkSource(ctx, store, src)
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	bar.clear()
	return out, nil
}

// checkSource holds one source of the library against its newest version, and against each version that is cited.
func (a *app) checkSource(ctx context.Context, store *sqlite.Store, src ibid.Source) (drifted, error) {
	d := drifted{Source: string(src.ID), Title: join(" · ", src.Title(), nameUnlessTitle(src))}
	now, err := a.readAgain(ctx, src)
	if err != nil {
		d.Drift, d.Reason = failedDrift(err), reasonFor(src.URI, err)
		return d, ctx.Err()
	}
	versions, err := store.Versions(ctx, src.ID)
	if err != nil {
		return d, err
	}
	if versions[0].ID == ibid.HashText(now) {
		d.Drift = ledger.Same
		return d, nil
	}
	newest, err := store.Document(ctx, versions[0].ID)
	if err != nil {
		return d, err
	}
	d.Changes = ledger.Compare(newest.Text, now, nil).Changes
	d.Drift = ledger.Changed
	for answer, err := range store.Resting(ctx, src.ID) {
		if err != nil {
			return d, err
		}
		if err := d.citedBy(ctx, store, answer, src.ID, now); err != nil {
			return d, err
		}
	}
	if len(d.Quotes) > 0 {
		d.Drift = ledger.Moved
	}
	for _, q := range d.Quotes {
		if q.Drift.Drift == ledger.Gone {
			d.Drift = ledger.Changed
		}
	}
	return d, nil
}

// citedBy says what became of the passages that an answer cites, each in the version that it cites.
func (d *drifted) citedBy(ctx context.Context, store *sqlite.Store, answer ibid.Answer, source ibid.SourceID, now string) error {
	spans := map[ibid.DocumentID][]ibid.Span{}
	for _, c := range answer.Citations {
		if c.Source == source {
			spans[c.At.Document] = append(spans[c.At.Document], c.At.Span)
		}
	}
	for id, cited := range spans {
		doc, err := store.Document(ctx, id)
		if err != nil {
			return err
		}
		for _, q := range ledger.Compare(doc.Text, now, cited).Quotes {
			d.Quotes = append(d.Quotes, quoteOfAnAnswer{"answer " + string(answer.ID), q})
		}
	}
	return nil
}

// readAgain reads a source as ingesting it would.
func (a *app) readAgain(ctx context.Context, src ibid.Source) (string, error) {
	body, in, content, err := a.bytesAgain(ctx, src.URI)
	if err != nil {
		return "", err
	}
	found := src.URI
	if content.URI != "" {
		found = content.URI
	}
	res, err := ingest.Limits{}.Read(ctx, body, ingest.Hint{Name: in.Name, MediaType: content.MediaType, URI: found})
	return res.Text, err
}

func (a *app) bytesAgain(ctx context.Context, uri string) ([]byte, workflow.Input, workflow.Content, error) {
	var in workflow.Input
	u, err := url.Parse(uri)
	switch {
	case err == nil && (u.Scheme == "http" || u.Scheme == "https"):
		in = a.page(uri)
	case err == nil && (u.Scheme == "file" || u.Scheme == ""):
		path := filepath.FromSlash(u.Path)
		info, err := os.Stat(path)
		if err != nil {
			return nil, in, workflow.Content{}, err
		}
		in = file(path, info)
	default:
		return nil, in, workflow.Content{}, fmt.Errorf("%s has no address that can be read again", uri)
	}
	content, err := in.Open(ctx)
	if err != nil {
		return nil, in, content, err
	}
	defer content.Body.Close()
	body, err := io.ReadAll(io.LimitReader(content.Body, maxAgain+1))
	if err == nil && len(body) > maxAgain {
		err = errors.New("it is larger than 256 MB now")
	}
	return body, in, content, err
}

const maxAgain = 256 << 20

// failedDrift tells what is gone from what cannot be read now.
func failedDrift(err error) ledger.Drift {
	var status *fetch.StatusError
	if errors.Is(err, fs.ErrNotExist) || errors.As(err, &status) && (status.Code == http.StatusNotFound || status.Code == http.StatusGone) {
		return ledger.Gone
	}
	return unknown
}

// checkRun fetches again what a run retrieved, where it has an address and a snapshot.
func (a *app) checkRun(ctx context.Context, store *sqlite.Store, id string) ([]drifted, error) {
	run, err := a.recordedRun(ctx, store, id)
	if err != nil {
		return nil, err
	}
	out := []drifted{}
	for _, s := range run.Sources {
		if s.Snapshot == "" || s.From != nil {
			continue
		}
		d := drifted{Source: s.Identifier, Title: join(" · ", s.Category, s.Endpoint)}
		before, err := store.Snapshot(ctx, s.Snapshot)
		if err != nil && !errors.Is(err, ibid.ErrNotFound) {
			return nil, err
		}
		now, _, _, fetchErr := a.bytesAgain(ctx, s.Endpoint)
		switch {
		case fetchErr != nil:
			d.Drift, d.Reason = failedDrift(fetchErr), reasonFor(s.Endpoint, fetchErr)
		case ibid.HashText(string(now)) == s.Snapshot:
			d.Drift = ledger.Same
		case err != nil || !utf8.Valid(before) || !utf8.Valid(now):
			d.Drift, d.Reason = ledger.Changed, "what changed cannot be shown: it is not text, or its snapshot is not kept here"
		default:
			d.compareClaims(run, s, string(before), string(now))
		}
		out = append(out, d)
	}
	if len(out) == 0 {
		a.notice("run %s has no retrieval with a snapshot", shown(string(run.ID)))
	}
	return out, ctx.Err()
}

func (d *drifted) compareClaims(run ibid.Run, s ibid.SourceReference, before, now string) {
	var spans []ibid.Span
	var by []string
	for _, c := range run.Claims {
		for _, at := range c.Evidence {
			proper := at.Span.Start >= 0 && !at.Span.Empty() && at.Span.End <= len(before) // others are passed over, and by would not fit
			if proper && at.Document == s.Snapshot && c.Source.Identifier == s.Identifier {
				spans, by = append(spans, at.Span), append(by, "claim "+string(c.ID))
			}
		}
	}
	c := ledger.Compare(before, now, spans)
	d.Drift, d.Changes = c.Drift, c.Changes
	for i, q := range c.Quotes {
		d.Quotes = append(d.Quotes, quoteOfAnAnswer{by[i], q})
	}
}

// shownChanges is how many sentences of a difference are printed.
const shownChanges = 12

func (a *app) printDrift(all []drifted) {
	p := a.paint()
	counts := map[ledger.Drift]int{}
	for _, d := range all {
		counts[d.Drift]++
		color := plain
		if d.Drift != ledger.Same && d.Drift != ledger.Moved {
			color = red
		}
		line := fmt.Sprintf("%-7s  %s  %s", d.Drift, shortID(d.Source), cell(d.Title, 100))
		if d.Reason != "" {
			line += ": " + harmless(d.Reason)
		}
		a.row("         ").add(color, line+"\n")
		for i, c := range d.Changes {
			if i == shownChanges {
				fmt.Fprintf(a.out, "    … and %d more\n", len(d.Changes)-i)
				break
			}
			sign := "-"
			if c.Added {
				sign = "+"
			}
			fmt.Fprintln(a.out, p.wrapped("    ", plain, sign+" "+harmless(excerpt(c.Text, 240))))
		}
		for _, q := range d.Quotes {
			kind, id, _ := strings.Cut(q.By, " ")
			who := kind + " " + shortID(id)
			switch q.Drift.Drift {
			case ledger.Gone:
				fmt.Fprintln(a.out, p.wrapped("    ", red, fmt.Sprintf("%s cites %q, which stands there no more; the version it cites still opens", who, harmless(excerpt(q.Drift.Quote, 120)))))
			case ledger.Moved:
				fmt.Fprintln(a.out, p.wrapped("    ", dim, fmt.Sprintf("%s cites %q, which stands at byte %d now", who, harmless(excerpt(q.Drift.Quote, 120)), q.Drift.Now.Start)))
			}
		}
	}
	var parts []string
	for _, d := range []ledger.Drift{ledger.Same, ledger.Moved, ledger.Changed, ledger.Gone, unknown} {
		if n := counts[d]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, d))
		}
	}
	if len(parts) > 0 {
		a.notice("%s", strings.Join(parts, ", "))
	}
}
