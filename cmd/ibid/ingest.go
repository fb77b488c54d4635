package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid/fetch"
	"github.com/ibid-dev/ibid/workflow"
)

func ingestCmd(a *app) *cobra.Command {
	var allowPrivate bool
	var allowPorts []int
	cmd := &cobra.Command{
		Use:   "ingest PATH|URL...",
		Short: "Take files, folders and pages into the library",
		Long: `Take files, folders and pages into the library: plain text, Markdown, HTML,
PDF, DOCX, PPTX, XLSX, ODT, RTF, EPUB, mail and tables (CSV), told apart by
their content. A file that is there already is left as it is; one that changed
becomes a new version, and what cites the old version still opens it. Files of
references are plain text here: ibid cite and ibid convert read their entries.

A file that cannot be read is named with the reason, the rest is taken in, and
the exit code is 1. Hidden files and folders are passed over, unless they are
named themselves.

Pages are fetched with care: http and https on ports 80 and 443, at most 5
redirects, no private or loopback addresses unless --allow-private is given.`,
		Example: `  ibid ingest ~/papers notes.md https://example.org/page.html
  ibid ingest --collection thesis ~/thesis`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			a.conf.Fetch.AllowPrivate = a.conf.Fetch.AllowPrivate || allowPrivate
			a.conf.Fetch.AllowPorts = append(a.conf.Fetch.AllowPorts, allowPorts...)
			return a.ingest(cmd.Context(), args)
		},
	}
	cmd.Flags().BoolVar(&allowPrivate, "allow-private", false, "also fetch from private and loopback addresses")
	cmd.Flags().IntSliceVar(&allowPorts, "allow-port", nil, "also fetch from these ports, beside 80 and 443")
	return cmd
}

// ingested counts what became of the inputs.
type ingested struct {
	done, added, kept, failed int
	bytes                     int64
}

func (a *app) ingest(ctx context.Context, args []string) error {
	store, err := a.store(ctx)
	if err != nil {
		return err
	}
	if err := a.opened.log.Ready(ctx); err != nil { // before anything is read or fetched that could not be kept
		return err
	}
	in := &workflow.Ingester{Library: store, Now: a.now, Collection: a.conf.Collection}
	inputs, total := a.inputs(args)
	bar := a.progress("reading")
	var n ingested
	var full error // why the rest was not begun
	reading, stop := context.WithCancel(ctx)
	defer stop()
	for out := range in.Ingest(reading, inputs) {
		n.done++
		n.bytes += out.Bytes
		switch {
		case out.Err != nil && reading.Err() != nil:
			continue
		case errors.Is(out.Err, syscall.ENOSPC):
			full = fmt.Errorf("%s: %w", shown(out.Input.Name), syscall.ENOSPC)
			stop()
			continue
		case out.Err != nil:
			n.failed++
			bar.clear()
			fmt.Fprintf(a.err, "ibid: %s: %s\n", shown(out.Input.Name), reasonFor(out.Input.Name, out.Err))
		case out.New:
			n.added++
		default:
			n.kept++
		}
		for _, w := range out.Warnings {
			bar.clear()
			a.notice("%s: %s", shown(out.Input.Name), harmless(w))
		}
		if out.Err == nil && maybeBibliography(out.Input.Name, out.Document.MediaType) {
			if doc, err := store.Document(ctx, out.Document.ID); err == nil && bibliography(doc.Text) {
				bar.clear()
				a.noticeBibliography(out.Input.Name)
			}
		}
		bar.show(n.done, total(), n.bytes, shown(out.Input.Name))
	}
	bar.clear()
	if ctx.Err() != nil {
		a.notice("stopped: what was read until now is in the library; the same command goes on from there")
		return ctx.Err()
	}
	if full != nil {
		return hint(full, "%s; make room, and the same command goes on from there", n.summary())
	}
	if err := a.updateIndex(ctx); err != nil {
		return err
	}
	a.notice("%s", n.summary())
	if n.failed > 0 {
		return exitCode(1)
	}
	return nil
}

func (n ingested) summary() string {
	parts := []string{fmt.Sprintf("%s added", count(n.added, "document", "documents"))}
	if n.kept > 0 {
		parts = append(parts, fmt.Sprintf("%d unchanged", n.kept))
	}
	if n.failed > 0 {
		parts = append(parts, fmt.Sprintf("%d could not be read", n.failed))
	}
	return strings.Join(parts, ", ")
}

// reasonFor is an error in words for people, without what the file's name already says.
func reasonFor(name string, err error) string {
	var path *fs.PathError
	var refused *fetch.RefusedError
	switch {
	case errors.As(err, &path):
		return path.Err.Error()
	case errors.As(err, &refused):
		return "refused: " + join("; ", refused.Reason, refused.Hint)
	}
	return strings.TrimPrefix(inWords(err), "fetch "+name+": ")
}

// inputs gives everything that the arguments name, folders walked as they are reached, and how many are known by now.
func (a *app) inputs(args []string) (iter.Seq[workflow.Input], func() int) {
	var known atomic.Int64 // counted by the reading side, shown by the printing side
	seq := func(yield func(workflow.Input) bool) {
		for _, arg := range args {
			for input := range a.expand(arg) {
				known.Add(1)
				if !yield(input) {
					return
				}
			}
		}
	}
	return seq, func() int { return int(known.Load()) }
}

func (a *app) expand(arg string) iter.Seq[workflow.Input] {
	if strings.HasPrefix(arg, "http://") || strings.HasPrefix(arg, "https://") {
		return one(a.page(arg))
	}
	if u, err := url.Parse(arg); err == nil && len(u.Scheme) > 1 && u.Host != "" {
		return one(refused(arg, fmt.Errorf("%s is not a scheme that can be fetched; use http or https", u.Scheme)))
	}
	info, err := os.Stat(arg)
	switch {
	case arg == "":
		return one(refused("\"\"", errors.New("names no file; is a variable empty")))
	case err != nil && arg == "-":
		return one(refused(inputName(arg), errors.New("has no name to be cited by; save it as a file, and name that")))
	case err != nil && strings.HasPrefix(arg, "file:"):
		return one(refused(arg, errors.New("an address of a file; name it by its path")))
	case err != nil:
		return one(refused(arg, err))
	case info.IsDir():
		return folder(arg)
	}
	return one(file(arg, info))
}

func one(in workflow.Input) iter.Seq[workflow.Input] {
	return func(yield func(workflow.Input) bool) { yield(in) }
}

// refused is an input that fails when it is opened, so that it is reported among the others.
func refused(name string, err error) workflow.Input {
	return workflow.Input{Name: name, Open: func(context.Context) (workflow.Content, error) { return workflow.Content{}, err }}
}

func file(path string, info fs.FileInfo) workflow.Input {
	if !info.Mode().IsRegular() {
		return refused(path, errors.New("not a regular file"))
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return refused(path, err)
	}
	uri := url.URL{Scheme: "file", Path: filepath.ToSlash(abs)}
	return workflow.Input{URI: uri.String(), Name: path, Size: info.Size(), Open: func(context.Context) (workflow.Content, error) {
		f, err := os.Open(path)
		return workflow.Content{Body: f}, err
	}}
}

// folder walks a folder in the order of names. A link to a folder is followed once: the real paths that were walked are
// remembered, so that a loop of links ends.
func folder(root string) iter.Seq[workflow.Input] {
	return func(yield func(workflow.Input) bool) {
		w := &walk{seen: map[string]bool{}, yield: yield}
		w.dir(root)
	}
}

type walk struct {
	seen  map[string]bool
	yield func(workflow.Input) bool
}

// dir gives false when the reader has left.
func (w *walk) dir(path string) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return w.yield(refused(path, err))
	}
	if real, err = filepath.Abs(real); err != nil || w.seen[real] {
		return true
	}
	w.seen[real] = true
	entries, err := os.ReadDir(path)
	if err != nil {
		return w.yield(refused(path, err))
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		name := filepath.Join(path, e.Name())
		info, err := os.Stat(name)
		ok := true
		switch {
		case err != nil:
			ok = w.yield(refused(name, err))
		case info.IsDir():
			ok = w.dir(name)
		default:
			ok = w.yield(file(name, info))
		}
		if !ok {
			return false
		}
	}
	return true
}

// page is fetched when its turn comes.
func (a *app) page(address string) workflow.Input {
	uri, _, _ := strings.Cut(address, "#") // parts of a page are the same page
	return workflow.Input{URI: uri, Name: address, Size: -1, Open: func(ctx context.Context) (workflow.Content, error) {
		page, err := a.fetcher().Get(ctx, fetch.Request{URL: uri})
		if err != nil {
			return workflow.Content{}, err
		}
		return workflow.Content{Body: io.NopCloser(bytes.NewReader(page.Body)), MediaType: page.MediaType, URI: page.URL}, nil
	}}
}
