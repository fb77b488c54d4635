package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/attribute"
	"github.com/ibid-dev/ibid/conflict"
	"github.com/ibid-dev/ibid/ingest"
	"github.com/ibid-dev/ibid/sqlite"
)

func conflictsCmd(a *app) *cobra.Command {
	var asJSON, versions bool
	var least float64
	cmd := &cobra.Command{
		Use:   "conflicts [SOURCE|FILE...]",
		Short: "Find where sources say what cannot both hold",
		Long: `Conflicts compares the sources of the library with each other, or those that
are named, or files: numbers and dates of the same thing that differ,
negations, opposite directions, things that exclude each other. Each finding
shows both places, what kind of difference it is, how much it would matter and
how sure it is. It does not say who is right, and what it does not find may
still disagree.

With --versions older versions of the sources are compared too.`,
		Example: `  ibid conflicts
  ibid conflicts 3c1f 90ab
  ibid conflicts report-2023.pdf report-2024.pdf --json
  ibid conflicts --versions 3c1f`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !(least > 0 && least < 1) {
				return usagef("--least %v: give a confidence between 0 and 1", least)
			}
			texts, err := a.texts(cmd.Context(), args, versions)
			if err != nil {
				return err
			}
			judge, err := a.conflictJudge()
			if err != nil {
				return err
			}
			finder := conflict.New(attribute.Reader{}, conflict.Config{LeastPair: least, Judge: judge})
			found, err := finder.Passages(cmd.Context(), texts.passages)
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(texts.conflictsForm(found))
			}
			a.printConflicts(texts, found)
			return nil
		},
	}
	f := cmd.Flags()
	f.BoolVar(&asJSON, "json", false, "print as JSON")
	f.BoolVar(&versions, "versions", false, "compare older versions too")
	f.Float64Var(&least, "least", 0.35, "leave out what is less sure than this")
	return cmd
}

// texts are whole documents, each as one passage.
type texts struct {
	passages  []ibid.Passage
	documents map[ibid.DocumentID]ibid.Document
	sources   map[ibid.SourceID]ibid.Source
}

func (t *texts) add(s ibid.Source, d ibid.Document) {
	if _, twice := t.documents[d.ID]; twice {
		return // the same words in two sources are no disagreement
	}
	t.documents[d.ID], t.sources[s.ID] = d, s
	t.passages = append(t.passages, ibid.Passage{
		Rank: len(t.passages) + 1, Source: s,
		Chunk: ibid.Chunk{At: ibid.Anchor{Document: d.ID, Span: ibid.Span{End: len(d.Text)}}, Text: d.Text},
	})
}

// texts reads what the arguments name, files or sources of the library; without any, all of the collection.
func (a *app) texts(ctx context.Context, args []string, versions bool) (*texts, error) {
	t := &texts{documents: map[ibid.DocumentID]ibid.Document{}, sources: map[ibid.SourceID]ibid.Source{}}
	if len(args) == 0 {
		all, err := a.listedSources(ctx)
		if err != nil {
			return nil, err
		}
		for _, l := range all {
			if err := a.addVersions(ctx, t, l.Source, versions); err != nil {
				return nil, err
			}
		}
		if len(t.passages) == 0 {
			a.noticeEmpty(ctx)
		}
		return t, nil
	}
	for _, arg := range args {
		if err := a.addText(ctx, t, arg, versions); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (a *app) addText(ctx context.Context, t *texts, arg string, versions bool) error {
	b, err := os.ReadFile(arg)
	if errors.Is(err, fs.ErrNotExist) {
		store, err := a.store(ctx)
		if err != nil {
			return err
		}
		src, err := store.Source(ctx, ibid.SourceID(arg))
		if err != nil {
			return hint(fmt.Errorf("%s is neither a file nor a source of the library: %w", shown(arg), err), "ibid sources lists them")
		}
		return a.addVersions(ctx, t, src, versions)
	}
	if info, failed := os.Stat(arg); failed == nil && info.IsDir() {
		return hint(fmt.Errorf("%s is a folder", shown(arg)), "ibid ingest takes folders in; then ibid conflicts compares the library")
	}
	if err != nil {
		return err
	}
	r, err := ingest.Read(ctx, b, ingest.Hint{Name: filepath.Base(arg)})
	if err != nil {
		return fmt.Errorf("%s: %w", arg, err)
	}
	abs, err := filepath.Abs(arg)
	if err != nil {
		return err
	}
	uri := (&url.URL{Scheme: "file", Path: filepath.ToSlash(abs)}).String()
	src := ibid.Source{ID: ibid.IdentifySource("", uri), URI: uri, Reference: r.Reference}
	t.add(src, ibid.Document{ID: ibid.HashText(r.Text), Source: src.ID, Version: 1, MediaType: r.MediaType, Text: r.Text, Outline: r.Outline})
	return nil
}

// addVersions adds the newest version of a source, or all.
func (a *app) addVersions(ctx context.Context, t *texts, src ibid.Source, all bool) error {
	list, err := a.opened.store.Versions(ctx, src.ID)
	if err != nil {
		return err
	}
	if !all {
		list = list[:1]
	}
	for _, v := range list {
		d, err := a.opened.store.Document(ctx, v.ID)
		if err != nil {
			return err
		}
		d.Source, d.Version = src.ID, v.Version
		t.add(src, d)
	}
	return nil
}

// listedSources lists all sources of the collection.
func (a *app) listedSources(ctx context.Context) ([]sqlite.Listed, error) {
	store, err := a.store(ctx)
	if err != nil {
		return nil, err
	}
	return everySource(ctx, store, a.conf.Collection)
}

// named is a source as people know it.
type named struct {
	ID    ibid.SourceID `json:"id"`
	Title string        `json:"title"`
	Name  string        `json:"name"`
}

// conflictsForm is what --json prints.
type conflictsForm struct {
	Compared  int                `json:"compared"` // documents
	Sources   []named            `json:"sources"`  // that a finding names
	Conflicts []conflict.Finding `json:"conflicts"`
}

func (t *texts) conflictsForm(found []conflict.Finding) conflictsForm {
	out := conflictsForm{Compared: len(t.passages), Sources: []named{}, Conflicts: append([]conflict.Finding{}, found...)}
	seen := map[ibid.SourceID]bool{}
	for _, f := range found {
		for _, id := range []ibid.SourceID{f.A.Source, f.B.Source} {
			if s := t.sources[id]; !seen[id] {
				seen[id] = true
				out.Sources = append(out.Sources, named{id, s.Title(), s.Name()})
			}
		}
	}
	return out
}

func (a *app) printConflicts(t *texts, found []conflict.Finding) {
	p := a.paint()
	for i, f := range found {
		if i > 0 {
			fmt.Fprintln(a.out)
		}
		fmt.Fprintln(a.out, p.wrapped("", red, "✕ "+harmless(f.Reason)))
		fmt.Fprintln(a.out, p.wrapped("  ", dim, fmt.Sprintf("%s · would matter: %s · confidence %.2f", f.Kind, f.Severity, f.Confidence)))
		a.printSide(t, f.A)
		a.printSide(t, f.B)
	}
	if len(t.passages) == 0 {
		return
	}
	if len(found) > 0 {
		fmt.Fprintln(a.out)
	}
	line := fmt.Sprintf("%s among %s", count(len(found), "conflict", "conflicts"), count(len(t.passages), "document", "documents"))
	if len(found) > 0 {
		line += " · who is right, the sources do not say"
	}
	fmt.Fprintln(a.out, p.wrapped("", dim, line))
}

func (a *app) printSide(t *texts, s conflict.Side) {
	p := a.paint()
	src, doc := t.sources[s.Source], t.documents[s.At.Document]
	version := ""
	if doc.Version > 1 {
		version = fmt.Sprintf("version %d", doc.Version)
	}
	fmt.Fprintln(a.out, p.wrapped("  ", bold, harmless(join(" · ", src.Title(), nameUnlessTitle(src), doc.Outline.Locator(s.At.Span.Start), version))))
	p.flowing(a.out, "    ").highlighted(oneLineKept(s.Quote), []styledSpan{{s.Words.Shift(-s.At.Span.Start), marked, "«", "»"}})
	fmt.Fprintln(a.out)
}

// oneLineKept blanks line breaks without moving anything.
func oneLineKept(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c == '\n' || c == '\r' || c == '\t' {
			b[i] = ' '
		}
	}
	return string(b)
}
