package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/audit"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/workflow"
)

func auditCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "The log that cannot be edited unseen: verify, prove, export",
		Long: `Every new version of a source and every answer, decision and erasure is an
entry of an append-only log: a Merkle tree with a signed checkpoint over it. A
receipt proves one entry to anyone who has the log's public key, without the
log. A checkpoint that is kept elsewhere is what the log can be held to: a log
in one's own hands proves nothing alone.`,
		Example: `  ibid audit verify
  ibid audit prove 17 --output receipt.json
  ibid audit check receipt.json --key log.pub
  ibid audit checkpoint --output today.checkpoint`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(auditVerifyCmd(a), auditListCmd(a), auditShowCmd(a), auditProveCmd(a), auditCheckCmd(a), auditExportCmd(a),
		auditReplayCmd(a), auditEraseCmd(a), auditReindexCmd(a), auditCheckpointCmd(a), auditCosignCmd(a), auditKeyCmd(a))
	return cmd
}

func auditVerifyCmd(a *app) *cobra.Command {
	var kept, keys []string
	var exported string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check the whole log, and name each entry that is wrong",
		Long: `Check every hash, the tree over them, every checkpoint and its signatures, and
that every payload is what its entry commits to; then that the library is what
the log says, and that answers are found by what they say. With --checkpoint
also that the log still begins with what a checkpoint says that was kept
elsewhere. With --key also that the log is signed with a key that you trust, or
one that it led to. With --export a file that ibid audit export wrote is
checked, without the log and the library.`,
		Example: `  ibid audit verify
  ibid audit verify --checkpoint last-month.checkpoint --key log.pub`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			expect := audit.Expect{}
			for _, name := range kept {
				signed, err := a.keptCheckpoint(cmd, name)
				if err != nil {
					return err
				}
				expect.Kept = append(expect.Kept, signed)
			}
			var err error
			if expect.Keys, err = a.publicKeys(cmd, keys); err != nil {
				return err
			}
			report, err := a.verify(cmd.Context(), exported, expect)
			if err != nil {
				return err
			}
			var held held
			if held.log = len(report.Problems) == 0; held.log && exported == "" {
				if held, err = a.holdRecord(cmd.Context(), &report); err != nil {
					return err
				}
			}
			if asJSON {
				err = a.printJSON(report)
			} else {
				a.printReport(report, len(kept), held)
			}
			if err == nil && len(report.Problems) > 0 {
				return exitCode(1)
			}
			return err
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&kept, "checkpoint", nil, "a checkpoint that was kept elsewhere (may be repeated)")
	f.StringArrayVar(&keys, "key", nil, "a public key of the log that you trust, or a file of them (may be repeated)")
	f.StringVar(&exported, "export", "", "check this export, and not the log of the data folder")
	f.BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

// keptCheckpoint reads a signed checkpoint, alone or with the proof that a witness asks for.
func (a *app) keptCheckpoint(cmd *cobra.Command, name string) (string, error) {
	b, err := a.readLines(cmd, name)
	if err != nil {
		return "", err
	}
	r, err := audit.ParseRequest(string(b))
	if err != nil {
		return "", fmt.Errorf("%s: %w", inputName(name), err)
	}
	return r.Signed, nil
}

// verify checks the log, or an export of one.
func (a *app) verify(ctx context.Context, exported string, expect audit.Expect) (audit.Report, error) {
	if exported == "" {
		log, err := a.log(ctx)
		if err != nil {
			return audit.Report{}, err
		}
		size, err := log.Size(ctx)
		if err != nil {
			return audit.Report{}, err
		}
		bar := a.progress("verifying")
		defer bar.clear()
		expect.Progress = func(done int64) { bar.show(int(done), int(size), 0, "") }
		return log.Verify(ctx, expect)
	}
	x, err := audit.ReadExport(func() (io.ReadCloser, error) { return os.Open(exported) })
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return audit.Report{}, hint(err, "name the file that ibid audit export wrote")
	}
	if err != nil {
		return audit.Report{}, fmt.Errorf("%s: %w", exported, err)
	}
	x.Expect.Keys = expect.Keys
	x.Expect.Kept = append(x.Expect.Kept, expect.Kept...)
	return audit.Verify(x.Records(), x.Expect)
}

// record opens the record where there is one. Who looks at a folder without one, as by a slip in its name, must not read that
// nothing waits or nothing was recorded, and leaves no empty one behind. The error wraps errNoLibrary.
func (a *app) record(ctx context.Context) (*sqlite.Store, error) {
	if _, err := a.log(ctx); err != nil {
		return nil, err
	}
	return a.opened.store, nil
}

// held says how far the log, the record and the index are whole: each is looked at where the one before is.
type held struct {
	log, record bool
	words       string // what may be said of the record where all else fits
}

// holdRecord adds to the report where the record is not what the log says of it, where answers are not found by what they say and, as
// notes, what can't be checked.
func (a *app) holdRecord(ctx context.Context, r *audit.Report) (held, error) {
	store, err := a.record(ctx)
	if err != nil {
		return held{}, err
	}
	found, unchecked, err := workflow.Held(ctx, a.opened.log.Entries(ctx, 0), store)
	if err != nil {
		return held{}, fmt.Errorf("holding the record against the log: %w", err)
	}
	r.Notes = append(r.Notes, unchecked...)
	for _, d := range found {
		r.Problems = append(r.Problems, audit.Problem{Entry: d.Entry, What: d.What})
	}
	if len(found) > 0 {
		return held{log: true}, nil
	}
	wrong, err := store.CheckFind(ctx)
	if err != nil {
		return held{}, err
	}
	if wrong != "" {
		r.Problems = append(r.Problems, audit.Problem{Entry: -1, What: wrong})
	}
	words := "the sources, answers and finished runs of the library are what it says"
	if len(unchecked) > 0 {
		words += fmt.Sprintf(", but for %s that cannot be checked, named below", count(len(unchecked), "thing", "things"))
	}
	return held{true, true, words}, nil
}

// printReport says what was found.
func (a *app) printReport(r audit.Report, kept int, held held) {
	if r.Entries == 0 && len(r.Problems) == 0 {
		a.notice("the log is empty: what is ingested or answered becomes an entry")
		return
	}
	for _, problem := range r.Problems {
		f := a.row("  ")
		f.add(red, "✕")
		f.add(plain, " "+harmless(problem.String())+"\n")
	}
	if r.More > 0 {
		fmt.Fprintf(a.out, "… and %d more\n", r.More)
	}
	switch {
	case len(r.Problems) > 0 && held.record:
		a.line("", "the log is whole, and the library is what it says, but not all of it is found as it should be")
		return
	case len(r.Problems) > 0 && held.log:
		a.line("", "the log is whole, and the library is not what it says: %s; restore the library from a backup, or go by the log", count(len(r.Problems), "problem", "problems"))
		return
	case len(r.Problems) > 0:
		a.line("", "the log is not whole: %s, %s read", count(len(r.Problems)+r.More, "problem", "problems"), count(int(r.Entries), "entry", "entries"))
		return
	}
	a.line("", "the log is whole: %s from %s to %s", count(int(r.Entries), "entry", "entries"), moment(r.First), moment(r.Last))
	a.line("  ", "  every hash, the tree, %s and %s hold", count(int(r.Payloads), "payload", "payloads"), count(r.Checkpoints, "signed checkpoint", "signed checkpoints"))
	if held.words != "" {
		a.line("  ", "  %s", held.words)
	}
	if r.Erased > 0 {
		a.line("  ", "  %s erased, each by an entry that says so", count(int(r.Erased), "payload was", "payloads were"))
	}
	if r.ClockBehind > 0 {
		a.line("  ", "  the clock had jumped back at %s", count(int(r.ClockBehind), "entry", "entries"))
	}
	for _, note := range r.Notes {
		a.line("  ", "  %s", harmless(note))
	}
	fmt.Fprintf(a.out, "  root %s\n  key  %s\n", r.Root, r.Keys[len(r.Keys)-1])
	if kept == 0 {
		a.notice("this shows that the log fits itself; that it is the log of before shows --checkpoint FILE, with one that was kept elsewhere")
	}
}

func moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

func auditListCmd(a *app) *cobra.Command {
	var kind string
	var from int64
	var limit int
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "List the latest entries", Args: cobra.NoArgs,
		Example: "  ibid audit list\n  ibid audit list --kind erasure --limit 100",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 1 {
				return usagef("--limit %d: choose a number from 1 up", limit)
			}
			found, err := a.latest(cmd.Context(), kind, from, limit)
			if err == nil && len(found) == 0 {
				err = a.emptied(cmd.Context())
			}
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(shownEntries(found))
			}
			if len(found) == 0 {
				a.notice("no entries")
			}
			a.printEntries(found)
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&kind, "kind", "", "only entries of this kind")
	f.Int64Var(&from, "from", 0, "only entries from this one on")
	f.IntVar(&limit, "limit", 20, "at most this many, the latest")
	f.BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

// printEntries lists entries. A payload has few blanks to break a line at: on a narrow terminal it stands below the rest, on one line
// of its own.
func (a *app) printEntries(entries []ibid.Entry) {
	kinds, indices := 0, 0
	for _, e := range entries {
		kinds, indices = max(kinds, columns(e.Kind)), max(indices, len(strconv.FormatInt(e.Index, 10)))
	}
	room := 80
	if a.terminal {
		room = min(room, a.paint().width-indices-2)
	}
	var rows [][]string
	for _, e := range entries {
		rows = append(rows, []string{strconv.FormatInt(e.Index, 10), moment(e.At) + "  " + padded(e.Kind, kinds), payloadLine(e, room)})
	}
	a.printRows(rows)
}

// latest gives the last entries of a kind, or of all, in order.
func (a *app) latest(ctx context.Context, kind string, from int64, limit int) ([]ibid.Entry, error) {
	log, err := a.log(ctx)
	if err != nil {
		return nil, err
	}
	if kind == "" {
		size, err := log.Size(ctx)
		if err != nil {
			return nil, err
		}
		from = max(from, size-int64(limit))
	}
	var found []ibid.Entry
	for e, err := range log.Entries(ctx, from) {
		if err != nil {
			return nil, err
		}
		if kind != "" && e.Kind != kind {
			continue
		}
		if found = append(found, e); len(found) > 2*limit { // not at each one, so that time stays linear
			found = append(found[:0], found[len(found)-limit:]...)
		}
	}
	return found[max(0, len(found)-limit):], nil
}

// emptied gives an error where the log has no entries, and had some: the key, a checkpoint or the library beside it tells.
func (a *app) emptied(ctx context.Context) error {
	log, err := a.log(ctx)
	if err != nil {
		return err
	}
	if size, err := log.Size(ctx); err != nil || size > 0 {
		return err
	}
	report, err := log.Verify(ctx, audit.Expect{})
	if err != nil {
		return err
	}
	if len(report.Problems) == 0 {
		if _, err := a.holdRecord(ctx, &report); err != nil {
			return err
		}
	}
	if len(report.Problems) == 0 {
		return nil
	}
	return hint(errors.New("the log has no entries, and had some: they are missing"), "ibid audit verify tells more")
}

// payloadLine is the beginning of a payload, for a list, in so many columns.
func payloadLine(e ibid.Entry, room int) string {
	if e.Data == nil {
		return "(erased)"
	}
	return cell(string(e.Data[:min(len(e.Data), 400)]), room)
}

// shownEntry is an entry for programs: the payload as JSON where it is JSON, so that they need not unpack it twice.
type shownEntry struct {
	entryAlias
	Data any `json:"data"`
}

type entryAlias ibid.Entry

func shownEntries(list []ibid.Entry) []shownEntry {
	out := []shownEntry{}
	for _, e := range list {
		s := shownEntry{entryAlias: entryAlias(e)}
		switch {
		case e.Data == nil:
		case json.Valid(e.Data):
			s.Data = json.RawMessage(e.Data)
		default:
			s.Data = string(e.Data)
		}
		out = append(out, s)
	}
	return out
}

func auditShowCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "show ENTRY", Short: "Show an entry and what it holds", Args: cobra.ExactArgs(1),
		Example: "  ibid audit show 17\n  ibid audit show last --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			index, err := a.entryIndex(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			e, err := a.opened.log.Entry(cmd.Context(), index)
			if err != nil {
				return hint(err, "ibid audit list shows the latest")
			}
			if asJSON {
				return a.printJSON(shownEntries([]ibid.Entry{e})[0])
			}
			a.printEntryOf(e)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func (a *app) printEntryOf(e ibid.Entry) {
	fmt.Fprintf(a.out, "entry %d  %s\n  at          %s\n", e.Index, e.Kind, moment(e.At))
	if !e.Clock.IsZero() {
		fmt.Fprintf(a.out, "  clock       %s, behind the entry before\n", moment(e.Clock))
	}
	fmt.Fprintf(a.out, "  hash        %s\n  prev        %s\n  commitment  %s\n", e.Hash, e.Prev, e.Commitment)
	var pretty bytes.Buffer
	switch {
	case e.Data == nil:
		fmt.Fprintln(a.out, "  the payload was erased")
	case json.Indent(&pretty, e.Data, "  ", "  ") == nil:
		fmt.Fprintf(a.out, "\n  %s\n", harmless(pretty.String()))
	default:
		fmt.Fprintf(a.out, "\n  %s\n", harmless(strings.ToValidUTF8(string(e.Data), "\uFFFD")))
	}
}

// entryIndex reads the number of an entry, or "last". It opens the log.
func (a *app) entryIndex(ctx context.Context, arg string) (int64, error) {
	log, err := a.log(ctx)
	if err != nil {
		return 0, err
	}
	if arg == "last" {
		size, err := log.Size(ctx)
		if err == nil && size == 0 {
			if err = a.emptied(ctx); err == nil {
				err = hint(errors.New("the log is empty"), "what is ingested or answered becomes an entry")
			}
		}
		return size - 1, err
	}
	n, err := strconv.ParseInt(arg, 10, 64)
	if err != nil || n < 0 {
		return 0, hint(usagef("%q is not the number of an entry", arg), "ibid audit list shows them; ibid show names that of an answer")
	}
	return n, nil
}
