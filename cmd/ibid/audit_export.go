package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/audit"
	"github.com/ibid-dev/ibid/sqlite"
)

func auditExportCmd(a *app) *cobra.Command {
	var out string
	var jsonl bool
	cmd := &cobra.Command{
		Use:   "export --jsonl [FILE]",
		Short: "Write the log as JSON lines, only ever adding to the file",
		Long: `Write the entries as JSON, one object a line, with signed checkpoints between
them. A file that is there already is continued where it ends; a last line that
a crash has torn is repaired. A file of another log, or none of a log at all,
is left as it is. Without a file everything goes to standard output.`,
		Example: "  ibid audit export --jsonl audit.jsonl\n  ibid audit export --jsonl | tail -1",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				if out != "" && out != args[0] {
					return usagef("two files are named, %s and %s: an export goes to one", args[0], out)
				}
				out = args[0]
			}
			log, err := a.log(cmd.Context())
			if err != nil {
				return err
			}
			if err := a.emptied(cmd.Context()); err != nil {
				return err
			}
			if out == "" || out == "-" {
				_, err := exportLog(cmd.Context(), log, a.out, audit.Tail{})
				return err
			}
			n, err := a.exportFile(cmd.Context(), log, out)
			if err != nil {
				return fmt.Errorf("export to %s: %w", out, err)
			}
			a.notice("%s added to %s", count(int(n), "entry", "entries"), out)
			return nil
		},
	}
	f := cmd.Flags()
	f.BoolVar(&jsonl, "jsonl", false, "as JSON lines, the one form there is")
	f.StringVarP(&out, "output", "o", "", "the file, as the argument names it")
	cmd.MarkFlagRequired("jsonl")
	return cmd
}

// exportFile continues an export, after cutting off what a crash has torn, and returns once it is on disk.
func (a *app) exportFile(ctx context.Context, log *sqlite.Log, name string) (n int64, err error) {
	unlock, ok, err := a.opened.store.TryLock("export")
	if err != nil {
		return 0, hint(err, "a folder that can only be read has no lock; ibid audit export --jsonl > FILE needs none")
	}
	if !ok {
		return 0, errors.New("another export is running: try again when it is done")
	}
	defer func() { err = errors.Join(err, unlock()) }()
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return 0, placed(err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	tail, err := audit.ReadTail(f, info.Size())
	if err != nil {
		return 0, hint(err, "name another file")
	}
	if tail.Size > 0 {
		last := tail.Entry.Record.Entry
		e, err := log.Entry(ctx, last.Index)
		if err != nil && !errors.Is(err, ibid.ErrNotFound) {
			return 0, err
		}
		if e.Hash != last.Hash {
			return 0, hint(fmt.Errorf("its entry %d is not the one of this log", last.Index), "name another file; or the log was changed: ibid audit verify says")
		}
	}
	if tail.Whole < info.Size() {
		a.notice("cut off %d bytes of a line that was not finished", info.Size()-tail.Whole)
		if err := f.Truncate(tail.Whole); err != nil {
			return 0, err
		}
	}
	if _, err := f.Seek(tail.Whole, io.SeekStart); err != nil {
		return 0, err
	}
	n, err = exportLog(ctx, log, f, tail)
	return n, errors.Join(err, f.Sync())
}

// exportLog writes the entries behind a tail, and the checkpoint over them.
func exportLog(ctx context.Context, log *sqlite.Log, to io.Writer, tail audit.Tail) (n int64, err error) {
	head, err := log.Checkpoint(ctx)
	if errors.Is(err, ibid.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	c, err := audit.ReadCheckpoint(head)
	if err != nil {
		return 0, err
	}
	list, err := log.Changes(ctx)
	if err != nil {
		return 0, err
	}
	changes := map[int64]string{}
	for _, change := range list {
		changes[change.Size] = change.Signed
	}
	w := bufio.NewWriterSize(to, 1<<20)
	write := func(l audit.Line) error {
		b, err := l.Marshal()
		if err == nil {
			_, err = w.Write(b)
		}
		return err
	}
	if signed := changes[tail.Size]; signed != "" && tail.Last.Checkpoint == "" { // torn between the change of the key and its checkpoint
		if err := write(audit.Line{Checkpoint: signed}); err != nil {
			return 0, err
		}
	}
	for r, err := range log.Records(ctx, tail.Size) {
		if err != nil {
			return n, errors.Join(err, w.Flush())
		}
		if r.Entry.Index >= c.Size { // added since
			break
		}
		if err := write(audit.Line{Record: r}); err != nil {
			return n, err
		}
		n++
		if signed := changes[r.Entry.Index+1]; signed != "" {
			if err := write(audit.Line{Checkpoint: signed}); err != nil {
				return n, err
			}
		}
	}
	// The checkpoint at a change of the key is not yet the one over the whole.
	if last := tail.Last.Checkpoint; n > 0 || last == "" || last == changes[tail.Size] {
		if err := write(audit.Line{Checkpoint: head}); err != nil {
			return n, err
		}
	}
	return n, w.Flush()
}
