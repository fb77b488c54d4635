package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/cite"
	"github.com/ibid-dev/ibid/cite/bib"
)

type convertFlags struct {
	to, out, merges string
	dedupe, undo    bool
}

func convertCmd(a *app) *cobra.Command {
	var f convertFlags
	cmd := &cobra.Command{
		Use:   "convert --to FORMAT FILE…",
		Short: "Convert files of references",
		Long: `Convert reads BibTeX, BibLaTeX, RIS, EndNote XML, CSL-JSON and the tags of
EndNote (.enw) and PubMed (.nbib) by what is in the file, and writes bibtex,
biblatex, ris, ris2001, endnote or csljson. "-" reads standard input.

What the format has no place for is listed on standard error, one field a line.
Where part of a file is at fault the rest is converted all the same, the faults
are named with their lines, and the code is 1.

With --dedupe records of the same work are merged, with the reasons on standard
error; --merges keeps the record of it, from which --undo gives the records
back as they were.`,
		Example: `  ibid convert --to biblatex library.ris > library.bib
  ibid convert --to csljson --dedupe --merges merges.json a.bib b.ris > both.json
  ibid convert --to csljson --undo merges.json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.convert(cmd, args, f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.to, "to", "", "format to write: bibtex, biblatex, ris, ris2001, endnote, csljson")
	flags.StringVarP(&f.out, "output", "o", "", "write to this file")
	flags.BoolVar(&f.dedupe, "dedupe", false, "merge records of the same work")
	flags.StringVar(&f.merges, "merges", "", "with --dedupe: write the record of what was merged to this file")
	flags.BoolVar(&f.undo, "undo", false, "the files are records of merging: give the references back as they were")
	cmd.MarkFlagRequired("to")
	return cmd
}

func (a *app) convert(cmd *cobra.Command, args []string, f convertFlags) error {
	format, err := bib.ParseFormat(f.to)
	if err != nil {
		return usagef("--to %v", err)
	}
	if f.merges != "" && !f.dedupe {
		return usagef("--merges goes with --dedupe")
	}
	if err := notOver(f.out, args); err != nil {
		return err
	}
	if err := notOver(f.merges, args); err != nil {
		return err
	}
	if f.merges != "" && sameFile(f.merges, f.out) {
		return hint(usagef("--merges and --output name the same file: one would be written over by the other"), "name another file for one of them")
	}
	refs, faults, err := a.readReferences(cmd, args, f.undo)
	if err != nil {
		return err
	}
	if f.dedupe {
		if refs, err = a.dedupe(refs, f.merges); err != nil {
			return err
		}
	}
	if len(args) > 1 || f.undo {
		refs = bib.UniqueIDs(refs)
	}
	var out bytes.Buffer
	losses, err := bib.Write(&out, format, refs)
	if err != nil {
		return err
	}
	if err := a.writeOut(f.out, out.Bytes()); err != nil {
		return err
	}
	for _, l := range losses {
		fmt.Fprintf(a.err, "not carried over: %s\n", harmless(l.String()))
	}
	if faults {
		return exitCode(1)
	}
	return nil
}

// notOver refuses to write over a file that is read: what is at fault in it, and what the other format has no place for, would
// be lost with it.
func notOver(name string, read []string) error {
	out, err := os.Stat(name)
	if name == "" || err != nil || !out.Mode().IsRegular() {
		return nil
	}
	for _, in := range read {
		if b, err := os.Stat(in); err == nil && os.SameFile(out, b) {
			return hint(usagef("%s is read and would be written over: what cannot be carried over would be lost", name), "name another file")
		}
	}
	return nil
}

// sameFile says whether two names, of which there need not be files yet, are those of one.
func sameFile(a, b string) bool {
	one, err1 := os.Stat(a)
	other, err2 := os.Stat(b)
	if err1 == nil && err2 == nil {
		return one.Mode().IsRegular() && os.SameFile(one, other)
	}
	return filepath.Clean(a) == filepath.Clean(b)
}

func (a *app) writeOut(name string, b []byte) error {
	if name == "" || name == "-" {
		_, err := a.out.Write(b)
		return err
	}
	return placed(writeWhole(name, b))
}

// writeWhole writes a file whole or not at all: what stood there, as the checkpoint of last week, is not lost to a full disk.
func writeWhole(name string, b []byte) error {
	mode, path, standing := fs.FileMode(0o644), name, false
	if info, err := os.Lstat(name); err == nil {
		path, err = filepath.EvalSymlinks(name) // a link stays one
		if err == nil {
			info, err = os.Stat(path)
		}
		if err != nil || !info.Mode().IsRegular() { // a terminal, a pipe, or a link to what is not there yet
			return os.WriteFile(name, b, 0o644)
		}
		mode, standing = info.Mode().Perm(), true
		f, err := os.OpenFile(name, os.O_WRONLY, 0) // what must not be written must not be replaced
		if err != nil {
			return err
		}
		f.Close()
	}
	next := fmt.Sprintf("%s.unfinished-%d", path, os.Getpid())
	f, err := os.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil { // of a folder that takes no other file, or is not there
		return os.WriteFile(name, b, 0o644)
	}
	if standing {
		err = f.Chmod(mode)
	}
	if err == nil {
		_, err = f.Write(b)
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(next, path)
	}
	if err == nil {
		return nil
	}
	os.Remove(next)
	if wrong := (*fs.PathError)(nil); errors.As(err, &wrong) { // said of the file that was named
		return &fs.PathError{Op: wrong.Op, Path: name, Err: wrong.Err}
	}
	return err
}

// placed says what to do where a file cannot stand in its place.
func placed(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return hint(err, "make the folder first, or name a file elsewhere")
	case errors.Is(err, syscall.ENOTDIR):
		return hint(err, "a file stands where a folder is named: name a file elsewhere")
	case errors.Is(err, syscall.EISDIR):
		return hint(err, "that is a folder: name a file in it")
	case errors.Is(err, fs.ErrPermission):
		return hint(err, "name a file where you may write")
	}
	return err
}

// readReferences reads files of references, names their faults, and says whether there were any.
func (a *app) readReferences(cmd *cobra.Command, args []string, merges bool) (refs []ibid.Reference, faults bool, err error) {
	for _, name := range args {
		b, err := a.readWhole(cmd, name)
		if err != nil {
			return nil, false, err
		}
		if merges {
			copies, err := readMerges(b)
			if err != nil {
				return nil, false, fmt.Errorf("%s: %w", inputName(name), err)
			}
			refs = append(refs, copies...)
			continue
		}
		file, err := bib.Read(b)
		bad, err := a.faults(inputName(name), file, err)
		if err != nil {
			return nil, false, err
		}
		faults = faults || bad
		refs = append(refs, file.References...)
	}
	return refs, faults, nil
}

// faults names what is wrong in a file and what of it is not carried over. What is no file of references at all is an
// error.
func (a *app) faults(name string, file bib.File, err error) (bool, error) {
	var problems bib.Problems
	if err != nil && !errors.As(err, &problems) {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	name = shown(name)
	for _, n := range file.Notes {
		a.notice("%s: %s", name, harmless(n.String()))
	}
	for _, p := range problems {
		fmt.Fprintf(a.err, "%s: %s\n", name, harmless(p.String()))
	}
	if len(problems) > 0 {
		a.notice("%s: %s read", name, count(len(file.References), "reference was", "references were"))
	}
	return len(problems) > 0, nil
}

// dedupe merges records of the same work and explains it.
func (a *app) dedupe(refs []ibid.Reference, record string) ([]ibid.Reference, error) {
	works := cite.Deduplicate(cite.References(refs))
	var out []ibid.Reference
	for _, w := range works {
		out = append(out, w.Reference)
		if len(w.Copies) > 1 {
			a.notice("merged %s", harmless(w.Explain()))
		}
	}
	if record == "" {
		return out, nil
	}
	// Every work is kept, so that undoing gives back the whole file.
	b, err := json.MarshalIndent(works, "", " ")
	if err != nil {
		return nil, err
	}
	return out, placed(writeWhole(record, append(b, '\n')))
}

func readMerges(b []byte) ([]ibid.Reference, error) {
	var works []cite.Work
	if err := json.Unmarshal(b, &works); err != nil {
		return nil, fmt.Errorf("expected the record that --merges writes: %w", ibid.ErrInvalid)
	}
	var out []ibid.Reference
	for _, w := range works {
		for _, c := range w.Undo() {
			out = append(out, c.Reference)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("expected the record that --merges writes: %w", ibid.ErrInvalid)
	}
	return out, nil
}

func hasScheme(s string) bool {
	return strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://")
}
