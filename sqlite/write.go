package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
)

// writer is the one connection that writes. Its statements are prepared once. It works without the callers' contexts: a
// transaction that has begun is ended by us, not by the driver.
type writer struct {
	mu    sync.Mutex
	conn  *sql.Conn
	stmts map[string]*sql.Stmt

	refuses error // why nothing can be written; nil where it can
}

func (w *writer) close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.refuses != nil {
		return nil
	}
	var errs []error
	for _, s := range w.stmts {
		errs = append(errs, s.Close())
	}
	return errors.Join(append(errs, w.conn.Close())...)
}

// transaction runs f with the writer to itself and commits, or undoes all of it where f fails.
func (w *writer) transaction(ctx context.Context, f func() error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	return w.transact(f)
}

// transact is transaction for who holds the writer already.
func (w *writer) transact(f func() error) error {
	if err := w.exec(`BEGIN IMMEDIATE`); err != nil {
		return explain(err)
	}
	stored := false
	defer func() {
		if !stored { // f panicked, too
			_ = w.exec(`ROLLBACK`) // on a full or failing disk SQLite has done so already, and says that it cannot
		}
	}()
	err := f()
	if err == nil {
		err = w.exec(`COMMIT`)
	}
	stored = err == nil
	return explain(err)
}

// savepoint runs f so that what it did is undone, and nothing else, where it fails. On a full or failing disk SQLite may
// have undone the whole transaction, and would take what follows for writes of their own: then broken says so.
func (w *writer) savepoint(f func() error) (failed, broken error) {
	if err := w.exec(`SAVEPOINT one`); err != nil {
		return nil, err
	}
	if failed = f(); failed != nil {
		broken = w.exec(`ROLLBACK TO one`)
	}
	if broken == nil {
		broken = w.exec(`RELEASE one`)
	}
	if broken != nil {
		broken = errors.Join(failed, broken)
	}
	return failed, broken
}

func (w *writer) exec(query string, args ...any) error {
	_, err := w.change(query, args...)
	return err
}

// change is exec, and gives how many rows it changed.
func (w *writer) change(query string, args ...any) (int64, error) {
	s, err := w.prepare(query)
	if err != nil {
		return 0, err
	}
	result, err := s.Exec(args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// scan reads one row. Where there is none the error is sql.ErrNoRows.
func (w *writer) scan(dest []any, query string, args ...any) error {
	return w.row(query, args...).Scan(dest...)
}

func (w *writer) query(query string, args ...any) (*sql.Rows, error) {
	s, err := w.prepare(query)
	if err != nil {
		return nil, err
	}
	return s.Query(args...)
}

func (w *writer) row(query string, args ...any) row {
	s, err := w.prepare(query)
	if err != nil {
		return failedRow{err}
	}
	return s.QueryRow(args...)
}

// row is one row of an answer, or the reason why there is none.
type row interface{ Scan(...any) error }

type failedRow struct{ err error }

func (r failedRow) Scan(...any) error { return r.err }

func (w *writer) prepare(query string) (*sql.Stmt, error) {
	if s, ok := w.stmts[query]; ok {
		return s, nil
	}
	if w.refuses != nil {
		return nil, w.refuses
	}
	s, err := w.conn.PrepareContext(context.Background(), query)
	if err != nil {
		return nil, fmt.Errorf("prepare: %w", err)
	}
	w.stmts[query] = s
	return s, nil
}
