// Package sqlite keeps the record in one SQLite file: sources and their versions, documents, chunks, answers and
// conversations. It is pure Go.
//
//	store, err := sqlite.Open(ctx, dir)         // makes or upgrades dir/ibid.db
//	doc, isNew, err := store.Add(ctx, source, document, chunks)
//	doc, err := store.Document(ctx, id)
//	source, err := store.Source(ctx, id)        // id or the first 4 or more characters of it
//	list, err := store.Sources(ctx, sqlite.SourceFilter{})
//	docs, err := store.Versions(ctx, source.ID) // newest first, without text
//	doc, err := store.Version(ctx, source.ID, 2)
//	err := store.RemoveSource(ctx, source.ID)
//	err := store.PutAnswer(ctx, answer)
//	answer, err := store.Answer(ctx, id)        // id or the first 4 or more characters of it
//	list, err := store.Answers(ctx, "", 20)    // newest first
//	list, err := store.FindAnswers(ctx, api.Find{Words: "cable"}, "", 20)
//	turns, err := store.Conversation(ctx, id)   // its answers, oldest first
//	stats, err := store.Stats(ctx)
//	run, err := store.Run(ctx, id)              // of an agent, with its sources and claims
//	body, err := store.Snapshot(ctx, hash)      // what a tool returned
//	waiting, err := store.Reviews(ctx, false)   // what the gate flagged
//	err := store.Update(ctx, func(tx *sqlite.Tx) error { … }) // several writes, all or nothing
//	log, err := store.Log(ctx, sqlite.LogConfig{})            // the audit log; see Log
//
// What returned without an error is on disk: the file is in WAL mode with synchronous=FULL. Adds that wait for each other
// share a transaction, so several goroutines that call Add are much faster than one; each add is still all or nothing.
// Another process may read and write the same file at the same time.
//
// An index follows the record through Identity, Sequence, Changed, Snapshots, Chunks and Passage.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/ibid-dev/ibid"
	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// FileName is the name of the record within a data folder.
const FileName = "ibid.db"

// ErrReadOnly is why nothing can be changed where the folder is not this user's to write. It wraps fs.ErrPermission.
var ErrReadOnly = fmt.Errorf("can be read and not written: %w", fs.ErrPermission)

// busyTimeout is how long one process waits for another's write to end.
const busyTimeout = 30 * time.Second

// readers is how many queries run at the same time.
const readers = 4

// Store is the record. It is safe for use by several goroutines.
type Store struct {
	dir      string
	identity string
	reads    *sql.DB
	writes   *sql.DB // nil where the record can only be read
	writer   *writer

	log atomic.Pointer[Log] // nil until it is opened

	mu    sync.Mutex // guards queue and led
	queue []*job     // writes that wait for the writer
	led   bool       // one of them is writing
}

var _ ibid.Library = (*Store)(nil)

// Open opens the record in a data folder, makes it where there is none, and upgrades an older one. A record of a newer
// version, and a file that is not a record, are refused and left as they are; the error wraps ibid.ErrInvalid. Where the
// folder can be read and not written, so can the record: what would change it gets an error that wraps ErrReadOnly.
func Open(ctx context.Context, dir string) (*Store, error) { return openWith(ctx, dir, "") }

// openWith is Open with more parameters of the connections, by which tests put another disk below them.
func openWith(ctx context.Context, dir, more string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	path, err := filepath.Abs(filepath.Join(dir, FileName))
	if err != nil {
		return nil, fmt.Errorf("data folder %s: %w", dir, err)
	}
	if readOnly(path) {
		return openReadOnly(ctx, path)
	}
	if err := private(path); err != nil {
		return nil, fmt.Errorf("data folder %s: %w", dir, err)
	}
	s := &Store{dir: filepath.Dir(path)}
	if s.writes, err = sql.Open("sqlite", address(path, "&_pragma=secure_delete(1)"+more)); err != nil {
		return nil, fmt.Errorf("data folder %s: %w", dir, err)
	}
	if s.reads, err = sql.Open("sqlite", address(path, "&_pragma=query_only(1)"+more)); err != nil {
		return nil, errors.Join(fmt.Errorf("data folder %s: %w", dir, err), s.writes.Close())
	}
	s.writes.SetMaxOpenConns(1)
	s.reads.SetMaxOpenConns(readers)
	s.reads.SetMaxIdleConns(readers)
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("data folder %s: %w", dir, explain(err)), s.Close())
	}
	return s, nil
}

// openReadOnly opens a record that cannot be written, and leaves no trace in its folder. Where nothing waits in a write-ahead
// log SQLite is told that nobody else writes either, as it would make files to find out.
func openReadOnly(ctx context.Context, path string) (*Store, error) {
	dir := filepath.Dir(path)
	more := "&_pragma=query_only(1)&mode=ro"
	if wal, err := os.Stat(path + "-wal"); err != nil || wal.Size() == 0 {
		more += "&immutable=1"
	} else if _, err := os.Stat(path + "-shm"); err != nil {
		return nil, fmt.Errorf("data folder %s: what was written last waits in %s-wal, and cannot be read where nothing can be written: copy the folder: %w", dir, FileName, fs.ErrPermission)
	}
	s := &Store{dir: dir, writer: &writer{refuses: fmt.Errorf("data folder %s %w", dir, ErrReadOnly)}}
	var err error
	if s.reads, err = sql.Open("sqlite", address(path, more)); err != nil {
		return nil, fmt.Errorf("data folder %s: %w", dir, err)
	}
	s.reads.SetMaxOpenConns(readers)
	s.reads.SetMaxIdleConns(readers)
	if err := s.look(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("data folder %s: %w", dir, explain(err)), s.Close())
	}
	return s, nil
}

// look holds that a record that cannot be written is of the newest schema.
func (s *Store) look(ctx context.Context) error {
	conn, err := s.reads.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	all, err := migrations()
	if err != nil {
		return err
	}
	if err := check(ctx, conn, all); err != nil {
		return err
	}
	var schema int
	if err := conn.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&schema); err != nil {
		return err
	}
	if schema < len(all) {
		return fmt.Errorf("it was written by an older ibid (schema %d of %d) and cannot be upgraded, as it cannot be written: open it once where it can be: %w", schema, len(all), ibid.ErrInvalid)
	}
	return conn.QueryRowContext(ctx, `SELECT identity FROM store`).Scan(&s.identity)
}

// private makes the file for its owner alone where it is not there yet: what people keep and ask is nobody else's. The
// files that SQLite puts beside it take its permissions.
func private(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

func (s *Store) open(ctx context.Context) error {
	conn, err := s.writes.Conn(ctx)
	if err != nil {
		return err
	}
	s.writer = &writer{conn: conn, stmts: map[string]*sql.Stmt{}}
	all, err := migrations()
	if err != nil {
		return err
	}
	if err := migrate(ctx, conn, all); err != nil {
		return err
	}
	return conn.QueryRowContext(ctx, `SELECT identity FROM store`).Scan(&s.identity)
}

// address names the file by a URI, as a path may hold any character.
func address(path, more string) string {
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path)}
	if !strings.HasPrefix(u.Path, "/") { // C:/…
		u.Path = "/" + u.Path
	}
	u.RawQuery = fmt.Sprintf("_pragma=busy_timeout(%d)&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)", busyTimeout.Milliseconds()) + more
	return u.String()
}

// Close lets go of the file. Adds and queries that still run fail.
func (s *Store) Close() error {
	var errs []error
	if l := s.log.Load(); l != nil {
		_ = l.signLast()
	}
	if s.writer != nil {
		errs = append(errs, s.writer.close())
	}
	errs = append(errs, s.reads.Close())
	if s.writes != nil {
		errs = append(errs, s.writes.Close())
	}
	return errors.Join(errs...)
}

// Identity tells this record from any other. It is made with the record and never changes.
func (s *Store) Identity() string { return s.identity }

// explain says in words what SQLite says in codes, where people can do something about it, once. A full disk is
// syscall.ENOSPC, so that callers can stop.
func explain(err error) error {
	if err == nil {
		return nil
	}
	var e *driver.Error
	var said *explained
	if !errors.As(err, &e) || errors.As(err, &said) {
		return err
	}
	switch e.Code() & 0xff {
	case lib.SQLITE_NOTADB:
		return fmt.Errorf("%s is not a record of ibid: use another --data folder: %w", FileName, ibid.ErrInvalid)
	case lib.SQLITE_CORRUPT:
		return &explained{FileName + " is damaged: restore it from a backup, or use another --data folder", err}
	case lib.SQLITE_FULL:
		return fmt.Errorf("nothing was changed: %w", syscall.ENOSPC)
	case lib.SQLITE_IOERR:
		return &explained{"the disk fails, and what was being written may not be stored", err}
	case lib.SQLITE_READONLY, lib.SQLITE_PERM, lib.SQLITE_CANTOPEN:
		return &explained{FileName + " cannot be written: check who owns the data folder", err}
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		return &explained{fmt.Sprintf("another process has been writing for %s: try again when it is done", busyTimeout), err}
	}
	return err
}

// explained is an error of SQLite with the words for it, so that they are not said again.
type explained struct {
	words string
	err   error
}

func (e *explained) Error() string { return e.words + ": " + e.err.Error() }
func (e *explained) Unwrap() error { return e.err }
