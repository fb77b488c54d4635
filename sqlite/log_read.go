package sqlite

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/audit"
)

// page is how many entries are read at a time, so that no reader keeps the file from being tidied up.
const page = 500

// Entries yields the entries from an index on, in order, with those that are added meanwhile. One whose payload was
// erased has no Data.
func (l *Log) Entries(ctx context.Context, from int64) iter.Seq2[ibid.Entry, error] {
	return func(yield func(ibid.Entry, error) bool) {
		for r, err := range l.Records(ctx, from) {
			if !yield(r.Entry, err) || err != nil {
				return
			}
		}
	}
}

// Records yields the entries from an index on as Entries does, each with the salt of its payload.
func (l *Log) Records(ctx context.Context, from int64) iter.Seq2[audit.Record, error] {
	return func(yield func(audit.Record, error) bool) {
		from := max(from, 0)
		for {
			n := 0
			for s, err := range stored(ctx, l.store.reads, from, page) {
				if err != nil {
					yield(audit.Record{}, fmt.Errorf("log: %w", explain(err)))
					return
				}
				if !yield(s.Record, nil) {
					return
				}
				n, from = n+1, s.Entry.Index+1
			}
			if n == 0 {
				return
			}
		}
	}
}

// querier is a database or a transaction on it.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// stored yields at most limit rows of the log from an index on, as they stand.
func stored(ctx context.Context, q querier, from, limit int64) iter.Seq2[audit.Stored, error] {
	return func(yield func(audit.Stored, error) bool) {
		var prev audit.Hash
		if from > 0 {
			var h []byte
			err := q.QueryRowContext(ctx, `SELECT substr(hashes, 1, ?) FROM log WHERE number = ?`, len(prev), from-1).Scan(&h)
			if err != nil && !errors.Is(err, sql.ErrNoRows) {
				yield(audit.Stored{}, err)
				return
			}
			copy(prev[:], h)
		}
		rows, err := q.QueryContext(ctx, `SELECT number, at, clock, kind, commitment, hashes, salt, data
			FROM log WHERE number >= ? AND kind <> '' ORDER BY number LIMIT ?`, from, limit)
		if err != nil {
			yield(audit.Stored{}, err)
			return
		}
		defer rows.Close()
		for rows.Next() {
			s, err := scanStored(rows, prev)
			if err != nil {
				yield(audit.Stored{}, err)
				return
			}
			if !yield(s, nil) {
				return
			}
			if len(s.Hashes) > 0 {
				prev = s.Hashes[0]
			}
		}
		if err := rows.Err(); err != nil {
			yield(audit.Stored{}, err)
		}
	}
}

func scanStored(rows *sql.Rows, prev audit.Hash) (audit.Stored, error) {
	var s audit.Stored
	var at int64
	var clock sql.NullInt64
	var commitment, hashes, salt, data sql.RawBytes
	e := &s.Entry
	if err := rows.Scan(&e.Index, &at, &clock, &e.Kind, &commitment, &hashes, &salt, &data); err != nil {
		return audit.Stored{}, err
	}
	e.At = fromMicro(at)
	if clock.Valid {
		e.Clock = fromMicro(clock.Int64)
	}
	e.Prev = prev.String()
	e.Commitment = hex.EncodeToString(commitment)
	const size = len(audit.Hash{})
	for len(hashes) >= size {
		s.Hashes = append(s.Hashes, audit.Hash(hashes[:size]))
		hashes = hashes[size:]
	}
	if len(hashes) > 0 {
		s.Hashes = nil // not whole hashes: none that can be told
	}
	if len(s.Hashes) > 0 {
		e.Hash = s.Hashes[0].String()
	}
	if salt != nil || data != nil { // an empty payload is read as no bytes at all
		e.Data = append([]byte{}, data...)
		if len(salt) == len(s.Salt) {
			s.Salt = audit.Salt(salt)
		}
	}
	return s, nil
}

// snapshot runs f on the record as it stands at one moment.
func (l *Log) snapshot(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := l.store.reads.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return explain(err)
	}
	err = f(tx)
	if end := tx.Rollback(); err == nil {
		err = end
	}
	return explain(err)
}

// Size is the number of entries.
func (l *Log) Size(ctx context.Context) (int64, error) {
	var n int64
	if err := l.store.reads.QueryRowContext(ctx, `SELECT coalesce(max(number), -1) + 1 FROM log WHERE kind <> ''`).Scan(&n); err != nil {
		return 0, fmt.Errorf("log: %w", explain(err))
	}
	return n, nil
}

// Entry gives one entry. The error wraps ibid.ErrNotFound.
func (l *Log) Entry(ctx context.Context, index int64) (ibid.Entry, error) {
	r, err := record(ctx, l.store.reads, index)
	return r.Entry, err
}

func record(ctx context.Context, q querier, index int64) (audit.Record, error) {
	if index >= 0 {
		for s, err := range stored(ctx, q, index, 1) {
			if err != nil {
				return audit.Record{}, fmt.Errorf("entry %d: %w", index, explain(err))
			}
			if s.Entry.Index == index {
				return s.Record, nil
			}
		}
	}
	return audit.Record{}, fmt.Errorf("entry %d: %w", index, ibid.ErrNotFound)
}

// Payload gives the payload of an entry. The error wraps ibid.ErrNotFound, also where the payload was erased.
func (l *Log) Payload(ctx context.Context, index int64) ([]byte, error) {
	e, err := l.Entry(ctx, index)
	if err != nil {
		return nil, err
	}
	if e.Data == nil {
		by, err := l.erasure(ctx, l.store.reads, index)
		if err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("entry %d: its payload was erased, by entry %d: %w", index, by, ibid.ErrNotFound)
	}
	return e.Data, nil
}

// erasure gives the entry by which the payload of another was erased, or -1.
func (l *Log) erasure(ctx context.Context, q querier, of int64) (int64, error) {
	by := int64(-1)
	err := q.QueryRowContext(ctx, `SELECT number FROM log
		WHERE kind = 'erasure' AND json_extract(CAST(data AS TEXT), '$.entry') = ? LIMIT 1`, of).Scan(&by)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("erasure of entry %d: %w", of, explain(err))
	}
	return by, nil
}

// Checkpoint gives the signed checkpoint over all entries. The error wraps ibid.ErrNotFound where there are none.
func (l *Log) Checkpoint(ctx context.Context) (string, error) {
	signed, err := l.headSigned(ctx, l.store.reads)
	if err != nil {
		return "", fmt.Errorf("checkpoint: %w", err)
	}
	return signed, nil
}

func (l *Log) headSigned(ctx context.Context, q querier) (string, error) {
	head, err := readHead(ctx, q)
	if err != nil {
		return "", err
	}
	return l.signedHead(head)
}

// readHead gives the checkpoint over all entries as it is kept, signed or sealed.
func readHead(ctx context.Context, q querier) (string, error) {
	var kind string
	var note []byte
	err := q.QueryRowContext(ctx, `SELECT kind, data FROM log ORDER BY number DESC LIMIT 1`).Scan(&kind, &note)
	if err == nil && kind != "" {
		return "", ibid.ErrNotFound
	}
	return string(note), notFoundOr(err)
}

func notFoundOr(err error) error {
	if err == nil {
		return nil
	}
	return notFound(err)
}

// Receipt proves an entry by the newest checkpoint. The error wraps ibid.ErrNotFound.
func (l *Log) Receipt(ctx context.Context, index int64) (audit.Receipt, error) {
	var r audit.Receipt
	err := l.snapshot(ctx, func(tx *sql.Tx) error {
		note, err := l.headSigned(ctx, tx)
		if err == nil {
			r, err = receipt(ctx, tx, index, note)
		}
		return err
	})
	if err != nil {
		return audit.Receipt{}, fmt.Errorf("receipt of entry %d: %w", index, err)
	}
	return r, nil
}

// ReceiptUnder proves an entry by an earlier checkpoint of this log, such as one that others have signed too. The error
// wraps ibid.ErrInvalid where the checkpoint does not cover the entry, or the log is not what it says.
func (l *Log) ReceiptUnder(ctx context.Context, index int64, signed string) (audit.Receipt, error) {
	var r audit.Receipt
	err := l.snapshot(ctx, func(tx *sql.Tx) (err error) {
		r, err = receipt(ctx, tx, index, signed)
		return err
	})
	if err != nil {
		return audit.Receipt{}, fmt.Errorf("receipt of entry %d: %w", index, err)
	}
	return r, nil
}

func receipt(ctx context.Context, tx *sql.Tx, index int64, signed string) (audit.Receipt, error) {
	c, err := audit.ReadCheckpoint(signed)
	if err != nil {
		return audit.Receipt{}, err
	}
	rec, err := record(ctx, tx, index)
	if err != nil {
		return audit.Receipt{}, err
	}
	proof, err := audit.ProveInclusion(c.Size, index, treeReader(ctx, tx))
	if err != nil {
		return audit.Receipt{}, err
	}
	return audit.Receipt{Record: rec, Proof: proof, Checkpoint: signed}, nil
}

func treeReader(ctx context.Context, q querier) audit.Reader {
	return func(places []audit.Place) ([]audit.Hash, error) {
		return readHashes(func(query string, args ...any) row { return q.QueryRowContext(ctx, query, args...) }, places)
	}
}

// Prove shows that the log, as its newest checkpoint has it, begins with the first old entries unchanged. It gives the
// proof and that checkpoint, signed. The error wraps ibid.ErrInvalid where the log has fewer entries.
func (l *Log) Prove(ctx context.Context, old int64) (proof []audit.Hash, signed string, err error) {
	err = l.snapshot(ctx, func(tx *sql.Tx) error {
		if signed, err = l.headSigned(ctx, tx); err != nil {
			return err
		}
		c, err := audit.ReadCheckpoint(signed)
		if err != nil {
			return err
		}
		proof, err = audit.ProveConsistency(c.Size, old, treeReader(ctx, tx))
		return err
	})
	if err != nil {
		return nil, "", fmt.Errorf("prove consistency with %d entries: %w", old, err)
	}
	return proof, signed, nil
}
