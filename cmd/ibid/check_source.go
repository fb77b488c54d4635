package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite"
	"github.com/ibid-dev/ibid/fetch"
	"github.com/ibid-dev/ibid/ingest"
	"github.com/ibid-dev/ibid/sqlite"
)

// sourceDesk brings the sources of citations to hand: files, what the library holds, what the network answers. Each is
// read once.
type sourceDesk struct {
	app    *app
	folder string
	flags  checkFlags
	read   map[string]*ibid.Document
	listed []sqlite.Listed
}

// examine adds to a report what the source itself says.
func (d *sourceDesk) examine(ctx context.Context, item cite.Item, r *cite.Report) error {
	if item.Map != nil {
		for i := range item.Map.Citations {
			if err := d.examine(ctx, cite.Item{Citation: &item.Map.Citations[i]}, &r.Citations[i]); err != nil {
				return err
			}
		}
		return nil
	}
	c := *item.Citation
	if strings.TrimSpace(c.Snippet) != "" {
		doc, err := d.document(ctx, c.Source)
		if err != nil {
			return err
		}
		if doc != nil {
			r.Quote = cite.CheckQuote(c, *doc)
		}
	}
	if d.flags.lookup {
		if err := d.tryOut(ctx, c.Source); err != nil {
			r.Findings = append(r.Findings, err.Error())
		}
	}
	return ctx.Err()
}

// document gives the text of a source, nil where it is not at hand.
func (d *sourceDesk) document(ctx context.Context, source string) (*ibid.Document, error) {
	if doc, ok := d.read[source]; ok {
		return doc, nil
	}
	if d.read == nil {
		d.read = map[string]*ibid.Document{}
	}
	doc := d.file(ctx, source)
	if doc == nil && d.flags.library {
		var err error
		if doc, err = d.snapshot(ctx, source); err != nil {
			return nil, err
		}
	}
	d.read[source] = doc
	return doc, nil
}

func (d *sourceDesk) file(ctx context.Context, source string) *ibid.Document {
	name := strings.TrimPrefix(source, "file://")
	if cite.Classify(source) != cite.KindFile {
		return nil
	}
	for _, path := range []string{filepath.Join(d.folder, name), name} {
		if filepath.IsAbs(name) {
			path = name
		}
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || info.Size() > largestInput {
			continue
		}
		b, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			var res ingest.Result
			if res, err = ingest.Read(ctx, b, ingest.Hint{Name: filepath.Base(path)}); err == nil {
				return &ibid.Document{Text: res.Text, Outline: res.Outline}
			}
		}
		d.app.notice("%s: %v", source, err)
		return nil
	}
	return nil
}

// snapshot finds the newest version of a source in the library by address, name or DOI.
func (d *sourceDesk) snapshot(ctx context.Context, source string) (*ibid.Document, error) {
	store, err := d.app.store(ctx)
	if err != nil {
		return nil, err
	}
	if d.listed == nil {
		d.listed = []sqlite.Listed{}
		filter := sqlite.SourceFilter{Collection: d.app.conf.Collection}
		for {
			page, err := store.Sources(ctx, filter)
			if err != nil {
				return nil, err
			}
			if len(page) == 0 {
				break
			}
			d.listed = append(d.listed, page...)
			filter.After = page[len(page)-1].Source.ID
		}
	}
	for _, l := range d.listed {
		if cite.Names(source, l.Source) {
			doc, err := store.Document(ctx, l.Newest.ID)
			return &doc, err
		}
	}
	return nil, nil
}

// tryOut says what the network does not know.
func (d *sourceDesk) tryOut(ctx context.Context, source string) error {
	switch cite.Classify(source) {
	case cite.KindDOI, cite.KindArXiv, cite.KindISBN:
		if _, err := d.app.lookup(citeFlags{}).Lookup(ctx, source); err != nil && !errors.Is(err, ibid.ErrInvalid) {
			return err
		}
	case cite.KindWeb:
		if _, err := d.app.fetcher().Get(ctx, fetch.Request{URL: source}); err != nil {
			return fmt.Errorf("could not be fetched: %w", err)
		}
	}
	return nil
}
