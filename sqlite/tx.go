package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/audit"
)

// Tx is a transaction on the record, within Store.Update.
type Tx struct {
	store *Store
	w     *writer
	log   *Log         // nil where none is open
	head  *head        // of the log with what this transaction appends; nil until it is needed
	rows  []*draft     // entries that wait to be inserted, many at a time
	nodes []audit.Hash // of the tree, used again for each entry
}

// Update runs f in a transaction and returns once what f wrote is on disk. Where f fails, nothing of it was written. An
// answer and its entry, or a decision and what follows from it, are written together or not at all:
//
//	err := store.Update(ctx, func(tx *sqlite.Tx) error {
//		if err := tx.PutAnswer(answer); err != nil {
//			return err
//		}
//		entry, err = tx.Append("answer", data)
//		return err
//	})
//
// Updates that wait for each other share the wait for the disk. f is to be short, must not keep tx, and writes through tx
// alone: other methods of the store that write would wait for ever.
func (s *Store) Update(ctx context.Context, f func(*Tx) error) error {
	return s.commit(ctx, &job{run: f})
}

// PutAnswer records an answer as Store.PutAnswer does.
func (tx *Tx) PutAnswer(a ibid.Answer) error {
	body, err := encodeAnswer(a)
	if err == nil {
		err = writeAnswer(tx.w, a, body, collectionOf(a), sql.NullInt64{})
	}
	if err != nil {
		return fmt.Errorf("record answer %s: %w", a.ID, err)
	}
	return nil
}

// PutAnswerOn records an answer within a transaction of the same store, given as the page of a book, together with what else
// is written on it. It reports false, and writes nothing, where the page is not of this store.
func (s *Store) PutAnswerOn(page any, a ibid.Answer) (bool, error) {
	tx, ok := page.(*Tx)
	if !ok || tx.store != s {
		return false, nil
	}
	return true, tx.PutAnswer(a)
}

// job is a write that shares its transaction with those that wait beside it.
type job struct {
	run func(*Tx) error
	// size is about how many bytes it writes.
	size int
	// whole says that, once the end of the log is known, run fails only where the disk does, so that nothing of it needs to
	// be undone alone.
	whole bool

	done chan struct{} // closed when err is set
	lead chan struct{} // closed when it is its turn to write for all that wait
	err  error

	panicked any // what run panicked with: it is for who asked for it, and not for who wrote it
}

// commit queues a write, and returns once it is on disk or undone. One of those that wait writes for all of them, so that
// they share the wait for the disk; then it is the turn of the first that came meanwhile.
func (s *Store) commit(ctx context.Context, j *job) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	j.done, j.lead = make(chan struct{}), make(chan struct{})
	s.mu.Lock()
	s.queue = append(s.queue, j)
	if !s.led {
		s.led = true
		close(j.lead)
	}
	s.mu.Unlock()
	select {
	case <-j.done:
	case <-j.lead:
		s.drain()
	}
	if j.panicked != nil {
		panic(j.panicked)
	}
	return explain(j.err)
}

// drain writes what waits in the queue, of which the caller's own write is the first, and hands on.
func (s *Store) drain() {
	s.writer.mu.Lock()
	defer s.writer.mu.Unlock()
	batch := s.take()
	err := errors.New("a write beside it ended in a way that was not foreseen")
	defer func() {
		for _, j := range batch {
			if j.err == nil {
				j.err = err
			}
			close(j.done)
		}
		s.handOn()
	}()
	log := s.log.Load()
	if log != nil && log.head != nil && log.head.before != "" && !slices.ContainsFunc(batch, func(j *job) bool { return !j.whole }) {
		if err = log.ahead(batch); !errors.Is(err, errMoved) {
			return
		}
	}
	tx := &Tx{store: s, w: s.writer, log: log}
	err = s.writer.transact(func() error {
		for _, j := range batch {
			if err := tx.do(j); err != nil {
				return err
			}
		}
		return tx.seal()
	})
	tx.ended(err)
}

func (s *Store) handOn() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.led = len(s.queue) > 0; s.led {
		close(s.queue[0].lead)
	}
}

// do runs one job of a transaction. The error is that of the whole transaction.
func (tx *Tx) do(j *job) error {
	if j.whole && (tx.log == nil || tx.head != nil) {
		return j.run(tx)
	}
	before, rows := tx.head.clone(), len(tx.rows)
	failed, broken := tx.w.savepoint(func() (err error) {
		defer func() {
			if j.panicked = recover(); j.panicked != nil {
				err = fmt.Errorf("panic: %v", j.panicked)
			}
		}()
		return j.run(tx)
	})
	if failed != nil {
		j.err, tx.head, tx.rows = failed, before, tx.rows[:rows]
	}
	return broken
}

// take gives the next jobs, up to a bounded amount of bytes.
func (s *Store) take() []*job {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, bytes := 0, 0
	for n < len(s.queue) && (n == 0 || bytes+s.queue[n].size <= batchBytes) {
		bytes += s.queue[n].size
		n++
	}
	batch := s.queue[:n:n]
	s.queue = s.queue[n:]
	return batch
}
