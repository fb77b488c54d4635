package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/interop"
	"github.com/ibid-dev/ibid/sqlite"
	"github.com/ibid-dev/ibid/workflow"
)

// appendAuditLog appends the claims of runs to the file that AUDIT_LOG_PATH names: of the one that ended, and of those before it whose
// claims could not be written then. Which those are stands in the record, in the transaction that ended them; they are settled
// before another process gets at the file.
func (a *app) appendAuditLog(ctx context.Context, store *sqlite.Store, done workflow.Finished) error {
	path := a.env("AUDIT_LOG_PATH")
	if path == "" {
		return nil
	}
	owed, err := store.OwedRuns(ctx)
	if err != nil || len(owed) == 0 {
		return err
	}
	if err := appendOwed(ctx, path, store, done); err != nil {
		last := owed[len(owed)-1]
		err = fmt.Errorf("the run is recorded, but AUDIT_LOG_PATH could not be written: %w", err)
		return hint(err, "ibid run finish %s writes it once it can be, and so does the next run that ends; ibid run report %s --to jsonl gives the same lines", last, last)
	}
	return nil
}

// auditLog does the same for runs that end on a server, one after the other; nil where no file is named.
func (a *app) auditLog() func(context.Context, workflow.Finished) error {
	if a.env("AUDIT_LOG_PATH") == "" {
		return nil
	}
	var mu sync.Mutex
	return func(ctx context.Context, done workflow.Finished) error {
		mu.Lock()
		defer mu.Unlock()
		return a.appendAuditLog(ctx, a.opened.store, done)
	}
}

const (
	// mostOwed is how many runs that were not written before one that ends writes beside its own: it is not to wait for all that a
	// long failure has left. Where none ends, all are written.
	mostOwed = 1000
	// batchBytes is how much is written at once.
	batchBytes = 4 << 20
)

func appendOwed(ctx context.Context, path string, store *sqlite.Store, done workflow.Finished) (err error) {
	file, err := openLines(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.close()) }()
	owed, err := store.OwedRuns(ctx) // again: another process may have written some
	if err != nil {
		return err
	}
	if own := slices.Index(owed, done.Run.ID); own >= 0 && len(owed) > mostOwed {
		owed = append(slices.Delete(owed, own, own+1)[:mostOwed], done.Run.ID)
	}
	// What was tried before may be there, in part or, where a process was killed in between, all of it.
	missing := linesOf{}
	for _, id := range owed {
		if id == done.Run.ID && done.New {
			continue
		}
		lines, err := claimLines(ctx, store, id)
		if err != nil {
			return err
		}
		missing.add(lines)
	}
	if err := file.strike(missing); err != nil {
		return err
	}
	var batch []byte
	var ids []ibid.RunID
	for i, id := range owed {
		lines, err := claimLines(ctx, store, id)
		if err != nil {
			return err
		}
		if id != done.Run.ID || !done.New {
			lines = missing.only(lines)
		}
		batch, ids = append(batch, lines...), append(ids, id)
		if len(batch) < batchBytes && i+1 < len(owed) {
			continue
		}
		if err := file.append(ctx, batch); err != nil {
			return err
		}
		if err := store.SettleRuns(context.WithoutCancel(ctx), ids...); err != nil {
			return err
		}
		batch, ids = nil, nil
	}
	return nil
}

// claimLines are the claims of a run as they stand in the file.
func claimLines(ctx context.Context, store *sqlite.Store, id ibid.RunID) ([]byte, error) {
	run, err := store.Run(ctx, id)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = interop.WriteLines(&b, workflow.Delivered(run))
	return b.Bytes(), err
}

// linesOf are lines, by their hashes.
type linesOf map[[sha256.Size]byte]bool

func lineSum(line []byte) [sha256.Size]byte {
	return sha256.Sum256(bytes.TrimSuffix(line, []byte("\n")))
}

func (l linesOf) add(lines []byte) {
	for line := range bytes.Lines(lines) {
		l[lineSum(line)] = true
	}
}

func (l linesOf) only(lines []byte) (out []byte) {
	for line := range bytes.Lines(lines) {
		if l[lineSum(line)] {
			out = append(out, line...)
		}
	}
	return out
}

// linesFile is a file of JSON lines that is appended to.
type linesFile interface {
	// strike takes out of the lines those that the file has, where that can be told.
	strike(missing linesOf) error
	append(ctx context.Context, lines []byte) error
	close() error
}

// openLines opens a file for this process alone. A last line that a crash has torn is cut off: it was never acknowledged.
func openLines(ctx context.Context, path string) (linesFile, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return linesPipe{path, info.Mode()}, nil
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	out := &linesOnDisk{f: f}
	if err := out.begin(ctx); err != nil {
		f.Close()
		return nil, err
	}
	return out, nil
}

// linesOnDisk is locked until it is closed.
type linesOnDisk struct {
	f    *os.File
	size int64
	gap  bool // the last line lacks its end
}

func (l *linesOnDisk) begin(ctx context.Context) error {
	// What another process is writing just now would be taken for torn, and cut off.
	for end := time.Now().Add(patience); ; {
		ours, err := lockFile(l.f)
		if err != nil {
			return err
		}
		if ours {
			break
		}
		if time.Now().After(end) {
			return fmt.Errorf("another process has had %s for %s", l.f.Name(), patience)
		}
		select {
		case <-time.After(5 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	size, err := l.f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	// Only the end is looked at, and more than its last byte only where that ends no line: lines are far shorter than this.
	from := max(0, size-1)
	tail := make([]byte, size-from)
	if _, err := l.f.ReadAt(tail, from); err != nil && err != io.EOF {
		return err
	}
	if size > 0 && tail[0] != '\n' {
		from = max(0, size-maxSnapshot)
		tail = make([]byte, size-from)
		if _, err := l.f.ReadAt(tail, from); err != nil && err != io.EOF {
			return err
		}
	}
	whole, addNewline := interop.WholeLines(tail)
	l.size, l.gap = from+int64(whole), addNewline
	if l.size < size {
		return l.f.Truncate(l.size)
	}
	return nil
}

func (l *linesOnDisk) strike(missing linesOf) error {
	if len(missing) == 0 {
		return nil
	}
	in := bufio.NewReaderSize(io.NewSectionReader(l.f, 0, l.size), 64<<10)
	line := sha256.New() // of which all of it need not be in memory
	for {
		part, err := in.ReadSlice('\n')
		line.Write(bytes.TrimSuffix(part, []byte("\n")))
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err != nil && err != io.EOF:
			return err
		}
		delete(missing, [sha256.Size]byte(line.Sum(nil)))
		line.Reset()
		if err != nil {
			return nil
		}
	}
}

func (l *linesOnDisk) append(_ context.Context, lines []byte) error {
	if len(lines) == 0 {
		return nil
	}
	if l.gap {
		lines = append([]byte("\n"), lines...)
	}
	_, err := l.f.Write(lines) // at the end, whoever else appends
	if err == nil {
		err = l.f.Sync()
	}
	if err != nil { // half of them would be taken for all by who reads the file
		return errors.Join(err, l.f.Truncate(l.size))
	}
	l.size, l.gap = l.size+int64(len(lines)), false
	return nil
}

func (l *linesOnDisk) close() error { return l.f.Close() }

// linesPipe is what has no end that could be torn, and nothing that could be looked at: a pipe, or the standard output of a container.
type linesPipe struct {
	path string
	mode os.FileMode
}

func (linesPipe) strike(linesOf) error { return nil }
func (p linesPipe) append(ctx context.Context, lines []byte) error {
	return writeLines(ctx, p.path, p.mode, lines, patience)
}
func (linesPipe) close() error { return nil }

// patience is how long one who reads a pipe may take to read on.
const patience = 10 * time.Second

// writeLines waits neither for one who would read a pipe nor, for long, for one who does not read on.
func writeLines(ctx context.Context, path string, mode os.FileMode, lines []byte, patience time.Duration) error {
	flags := os.O_WRONLY | os.O_APPEND
	pipe := mode&os.ModeNamedPipe != 0
	if pipe {
		flags |= syscall.O_NONBLOCK
	}
	f, err := os.OpenFile(path, flags, 0)
	if err != nil {
		return err
	}
	if !pipe {
		_, err = f.Write(lines)
		return errors.Join(err, f.Close())
	}
	for len(lines) > 0 && err == nil {
		piece := lines[:min(len(lines), 4096)] // as much as a pipe takes whole
		lines = lines[len(piece):]
		err = writePiece(ctx, f, piece, patience)
	}
	return errors.Join(err, f.Close())
}

// writePiece writes until nobody has read on for too long, or nobody wants it any more.
func writePiece(ctx context.Context, f *os.File, piece []byte, patience time.Duration) error {
	if err := f.SetWriteDeadline(time.Now().Add(patience)); err != nil && !errors.Is(err, os.ErrNoDeadline) {
		return err
	}
	stop := context.AfterFunc(ctx, func() { f.SetWriteDeadline(time.Unix(1, 0)) })
	defer stop()
	_, err := f.Write(piece)
	switch {
	case ctx.Err() != nil && err != nil:
		return ctx.Err()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Errorf("who reads the pipe %s has not read on for %s: %w", f.Name(), patience, err)
	}
	return err
}
