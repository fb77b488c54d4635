package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/audit"
	"github.com/ibid-dev/ibid/internal/wording"
)

// LogKey is a key of the log and the entry from which on it signs.
type LogKey struct {
	Entry int64  `json:"entry"`
	Key   string `json:"key"`
}

// Keys lists the public keys of the log, the first first. The last one signs now.
func (l *Log) Keys(ctx context.Context) ([]LogKey, error) {
	rows, err := l.store.reads.QueryContext(ctx, `SELECT number, data FROM log WHERE kind = 'key' ORDER BY number`)
	if err != nil {
		return nil, fmt.Errorf("keys of the log: %w", explain(err))
	}
	defer rows.Close()
	var keys []LogKey
	for rows.Next() {
		var k LogKey
		var data []byte
		var change audit.KeyChange
		if err := rows.Scan(&k.Entry, &data); err != nil {
			return nil, fmt.Errorf("keys of the log: %w", err)
		}
		if err := json.Unmarshal(data, &change); err != nil {
			return nil, fmt.Errorf("keys of the log: entry %d: %w", k.Entry, err)
		}
		k.Key = change.Key
		keys = append(keys, k)
	}
	return keys, explain(rows.Err())
}

// Verify checks the whole log as it stands at one moment: every hash, the tree, the checkpoints and their signatures, and
// that every payload is what its entry commits to. The report names each entry that is wrong. The error is of reading.
func (l *Log) Verify(ctx context.Context, c audit.Expect) (audit.Report, error) {
	var report audit.Report
	c.Origin = l.origin
	err := l.snapshot(ctx, func(tx *sql.Tx) (err error) {
		if c.Changes, err = changes(ctx, tx); err != nil {
			return err
		}
		if c.Head, err = readHead(ctx, tx); err != nil && !errors.Is(err, ibid.ErrNotFound) {
			return err
		}
		c.Head = l.presentable(c.Head, c.Kept)
		if report, err = audit.Verify(readAhead(stored(ctx, tx, 0, math.MaxInt64)), c); err != nil {
			return err
		}
		if len(report.Problems) > 0 {
			return nil
		}
		if report.Entries == 0 {
			if err := l.foreign(); err != nil {
				report.Problems = append(report.Problems, audit.Problem{Entry: -1, What: wording.Of(err)})
				return nil
			}
		}
		keys, err := l.readKeys()
		if err != nil && report.Entries > 0 {
			report.Notes = append(report.Notes, l.keyless(err))
		}
		if err == nil {
			switch other := l.otherKey(keys); {
			case errors.Is(other, errCutBack):
				report.Problems = append(report.Problems, audit.Problem{Entry: -1, What: wording.Of(other)})
				return nil
			case other != nil:
				report.Notes = append(report.Notes, wording.Of(other))
			}
		}
		return strays(ctx, tx, &report)
	})
	if err != nil {
		return audit.Report{}, fmt.Errorf("verify the log: %w", err)
	}
	return report, nil
}

// keyless says what it means that the key of a log cannot be read. What is signed is checked without it; who only looks, as from
// another machine or as another user, need not have it.
func (l *Log) keyless(err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "the log's key is not yours to read: nothing can be added from here"
	case errors.Is(err, fs.ErrNotExist):
		return "the log's key is not in its folder: nothing can be added until it is put back, or replaced with ibid audit key rotate --lost REASON"
	}
	return "nothing can be added to the log: " + wording.Of(err)
}

// presentable gives a sealed head in a form that others can check: signed with the key, or, where that is not here, by one of
// the checkpoints that were kept of the same tree. Where there is neither it stays sealed, which is a problem.
func (l *Log) presentable(head string, kept []string) string {
	if signed, err := l.signedHead(head); err == nil {
		return signed
	}
	if c, err := audit.ReadCheckpoint(head); err == nil {
		for _, signed := range kept {
			if k, err := audit.ReadCheckpoint(signed); err == nil && k == c {
				return signed
			}
		}
	}
	return head
}

// How much is read ahead: batches of so many records, or of so many bytes of payloads.
const (
	aheadRecords = 512
	aheadBytes   = 1 << 20
)

// readAhead reads the next records while the ones before are looked at.
func readAhead(records iter.Seq2[audit.Stored, error]) iter.Seq2[audit.Stored, error] {
	return func(yield func(audit.Stored, error) bool) {
		batches := make(chan []audit.Stored, 2)
		left := make(chan struct{}) // closed when nobody wants more
		var failed error
		go func() {
			defer close(batches)
			var batch []audit.Stored
			bytes := 0
			for s, err := range records {
				if failed = err; err != nil {
					break
				}
				batch, bytes = append(batch, s), bytes+len(s.Entry.Data)
				if len(batch) < aheadRecords && bytes < aheadBytes {
					continue
				}
				select {
				case batches <- batch:
				case <-left:
					return
				}
				batch, bytes = make([]audit.Stored, 0, aheadRecords), 0
			}
			select {
			case batches <- batch:
			case <-left:
			}
		}()
		defer func() {
			close(left)
			for range batches { // the rows are let go of before the caller goes on
			}
		}()
		for batch := range batches {
			for _, s := range batch {
				if !yield(s, nil) {
					return
				}
			}
		}
		if failed != nil {
			yield(audit.Stored{}, failed)
		}
	}
}

// strays finds rows outside of the log, which reading the entries in order does not meet, and a head that says more than it
// should, or stands elsewhere than behind the last entry.
func strays(ctx context.Context, tx *sql.Tx, report *audit.Report) error {
	rows, err := tx.QueryContext(ctx, `SELECT number, kind = '' FROM log WHERE number < 0 OR number > ?1
			OR number = ?1 AND NOT (at = 0 AND clock IS NULL AND commitment = x'' AND hashes = x'' AND salt IS NULL) LIMIT 10`, report.Entries)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var head bool
		p := audit.Problem{What: "is outside of the log"}
		if err := rows.Scan(&p.Entry, &head); err != nil {
			return err
		}
		if head {
			p = audit.Problem{Entry: report.Entries - 1, What: "the row of the signed checkpoint over it was changed"}
		}
		report.Problems = append(report.Problems, p)
	}
	return rows.Err()
}

// Changes gives the signed checkpoints at which the key changed.
func (l *Log) Changes(ctx context.Context) ([]audit.Change, error) {
	list, err := changes(ctx, l.store.reads)
	if err != nil {
		return nil, fmt.Errorf("changes of the key: %w", explain(err))
	}
	return list, nil
}

func changes(ctx context.Context, q querier) ([]audit.Change, error) {
	rows, err := q.QueryContext(ctx, `SELECT size, note FROM log_checkpoints ORDER BY size`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []audit.Change
	for rows.Next() {
		var c audit.Change
		if err := rows.Scan(&c.Size, &c.Signed); err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, rows.Err()
}
