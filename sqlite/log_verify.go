package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"

	"github.com/ibid-dev/ibid/audit"
)

// LogKey is a key of the log and the entry from which on it signs.
type LogKey struct {
	Entry int64  `json:"entry"`
	Key   string `json:"key"`
}

// Keys lists the public keys of the log, the first first. The last one signs now.
func (l *Log) Keys(ctx context.Context) ([]LogKey, error) {
	rows, err := l.store.reads.QueryContext(ctx, `SELECT e.number, p.data FROM log_entries e JOIN log_payloads p ON p.entry = e.number
		WHERE e.kind = 'key' ORDER BY e.number`)
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
	err := l.snapshot(ctx, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, `SELECT size, note FROM log_checkpoints UNION ALL SELECT ?, note FROM log_head ORDER BY 1`, int64(math.MaxInt64))
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var size int64
			var note string
			if err := rows.Scan(&size, &note); err != nil {
				return err
			}
			if size == math.MaxInt64 {
				c.Head = note
			} else {
				c.Changes = append(c.Changes, audit.Change{Size: size, Signed: note})
			}
		}
		if err := rows.Err(); err != nil {
			return err
		}
		report, err = audit.Verify(stored(ctx, tx, 0, math.MaxInt64), c)
		return err
	})
	if err != nil {
		return audit.Report{}, fmt.Errorf("verify the log: %w", err)
	}
	return report, nil
}
