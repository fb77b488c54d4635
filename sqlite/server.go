package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/ibid-dev/ibid"
	"github.com/ibid-dev/ibid/api"
)

// PutKey keeps a key under the hash of its secret. The error wraps ibid.ErrInvalid where the id is taken.
func (s *Store) PutKey(ctx context.Context, k api.Key, hash []byte) error {
	w := s.writer
	return w.transaction(ctx, func() error {
		var one int
		if err := w.scan([]any{&one}, `SELECT 1 FROM keys WHERE id = ?`, k.ID); err == nil {
			return fmt.Errorf("key %s: there is one of this id: %w", k.ID, ibid.ErrInvalid)
		}
		return w.exec(`INSERT INTO keys (id, name, scope, collection, hash, created_at) VALUES (?, ?, ?, ?, ?, ?)`,
			k.ID, k.Name, k.Scope, k.Collection, hash, k.CreatedAt.UnixMicro())
	})
}

const keyColumns = `id, name, scope, collection, created_at, revoked_at`

// Key gives a key by its id with the hash of its secret. One that was revoked is not found; the error wraps
// ibid.ErrNotFound. It is read anew each time, so that a key ends the moment it is revoked, by whichever process.
func (s *Store) Key(ctx context.Context, id string) (api.Key, []byte, error) {
	var hash []byte
	k, err := scanKey(s.reads.QueryRowContext(ctx, `SELECT `+keyColumns+`, hash FROM keys WHERE id = ? AND revoked_at IS NULL`, id), &hash)
	if err != nil {
		return api.Key{}, nil, fmt.Errorf("key %s: %w", id, notFound(err))
	}
	return k, hash, nil
}

// Keys lists all keys, those that were revoked too, the oldest first.
func (s *Store) Keys(ctx context.Context) ([]api.Key, error) {
	rows, err := s.reads.QueryContext(ctx, `SELECT `+keyColumns+` FROM keys ORDER BY created_at, id`)
	if err != nil {
		return nil, fmt.Errorf("keys: %w", explain(err))
	}
	return collect(rows, func(r row) (api.Key, error) { return scanKey(r) })
}

// RevokeKey ends a key. Ending it again changes nothing. The error wraps ibid.ErrNotFound.
func (s *Store) RevokeKey(ctx context.Context, id string, now time.Time) error {
	w := s.writer
	return w.transaction(ctx, func() error {
		var one int
		if err := w.scan([]any{&one}, `SELECT 1 FROM keys WHERE id = ?`, id); err != nil {
			return fmt.Errorf("key %s: %w", id, notFound(err))
		}
		return w.exec(`UPDATE keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?`, now.UnixMicro(), id)
	})
}

func scanKey(r row, more ...any) (api.Key, error) {
	var k api.Key
	var collection sql.NullString
	var created int64
	var revoked sql.NullInt64
	if err := r.Scan(append([]any{&k.ID, &k.Name, &k.Scope, &collection, &created, &revoked}, more...)...); err != nil {
		return api.Key{}, err
	}
	k.CreatedAt = fromMicro(created)
	if collection.Valid {
		k.Collection = &collection.String
	}
	if revoked.Valid {
		at := fromMicro(revoked.Int64)
		k.RevokedAt = &at
	}
	return k, nil
}

// PutJob keeps a job as it stands now.
func (c Collection) PutJob(ctx context.Context, j api.Job) error {
	body, err := json.Marshal(j)
	if err != nil {
		return fmt.Errorf("job %s: %w", j.ID, err)
	}
	w := c.store.writer
	return w.transaction(ctx, func() error {
		return w.exec(`INSERT INTO jobs (id, collection, state, body) VALUES (?, ?, ?, ?)
			ON CONFLICT (id) DO UPDATE SET state = excluded.state, body = excluded.body`, j.ID, c.name, j.State, string(body))
	})
}

// Job gives a job of the collection. The error wraps ibid.ErrNotFound.
func (c Collection) Job(ctx context.Context, id string) (api.Job, error) {
	j, err := scanJob(c.store.reads.QueryRowContext(ctx, `SELECT body FROM jobs WHERE id = ? AND collection = ?`, id, c.name))
	if err != nil {
		return api.Job{}, fmt.Errorf("job %s: %w", id, notFound(err))
	}
	return j, nil
}

// Jobs lists the collection's jobs, the newest first, behind one of them where it is given.
func (c Collection) Jobs(ctx context.Context, before string, limit int) ([]api.Job, error) {
	rows, err := c.store.reads.QueryContext(ctx, `SELECT body FROM jobs WHERE collection = ?
		AND (? = '' OR number < (SELECT number FROM jobs WHERE id = ?)) ORDER BY number DESC LIMIT ?`, c.name, before, before, limit)
	if err != nil {
		return nil, fmt.Errorf("jobs: %w", explain(err))
	}
	return collect(rows, scanJob)
}

func scanJob(r row) (api.Job, error) {
	var body string
	if err := r.Scan(&body); err != nil {
		return api.Job{}, err
	}
	var j api.Job
	return j, json.Unmarshal([]byte(body), &j)
}

// AbandonJobs ends the jobs that a server left running when it ended, with the reason.
func (s *Store) AbandonJobs(ctx context.Context, reason string, now time.Time) error {
	w := s.writer
	return w.transaction(ctx, func() error {
		return w.exec(`UPDATE jobs SET state = 'failed', body = json_set(body, '$.state', 'failed', '$.error', ?, '$.updated_at', ?) WHERE state = 'running'`,
			reason, now.UTC().Format(time.RFC3339Nano))
	})
}

// Replay is what a write answered.
type Replay struct {
	Status    int // 0 while it is still being done
	MediaType string
	Body      []byte
}

// ErrOtherRequest says that an idempotency key was used before for another request.
var ErrOtherRequest = errors.New("the idempotency key was used for another request")

// Claim takes an idempotency key for a request. It gives nil where the key is new, and otherwise what the request
// answered before. Keys older than a day are forgotten. The error wraps ErrOtherRequest where the request differs.
func (s *Store) Claim(ctx context.Context, owner, key string, request []byte, now time.Time) (*Replay, error) {
	var found *Replay
	w := s.writer
	err := w.transaction(ctx, func() error {
		if err := w.exec(`DELETE FROM idempotency WHERE created_at < ?`, now.Add(-24*time.Hour).UnixMicro()); err != nil {
			return err
		}
		var hash, body []byte
		var status sql.NullInt64
		var media sql.NullString
		err := w.scan([]any{&hash, &status, &media, &body}, `SELECT request, status, media_type, body FROM idempotency WHERE owner = ? AND key = ?`, owner, key)
		switch {
		case err == nil && string(hash) != string(request):
			return ErrOtherRequest
		case err == nil:
			found = &Replay{int(status.Int64), media.String, body}
			return nil
		case !errors.Is(err, sql.ErrNoRows):
			return err
		}
		return w.exec(`INSERT INTO idempotency (owner, key, request, created_at) VALUES (?, ?, ?, ?)`, owner, key, request, now.UnixMicro())
	})
	return found, err
}

// Settle keeps what a claimed request answered. A nil answer lets the key go, so that the request can be tried again.
func (s *Store) Settle(ctx context.Context, owner, key string, r *Replay) error {
	w := s.writer
	return w.transaction(ctx, func() error {
		if r == nil {
			return w.exec(`DELETE FROM idempotency WHERE owner = ? AND key = ?`, owner, key)
		}
		return w.exec(`UPDATE idempotency SET status = ?, media_type = ?, body = ? WHERE owner = ? AND key = ?`, r.Status, r.MediaType, r.Body, owner, key)
	})
}

// AbandonClaims lets go of the keys whose requests a server left undone when it ended.
func (s *Store) AbandonClaims(ctx context.Context) error {
	w := s.writer
	return w.transaction(ctx, func() error { return w.exec(`DELETE FROM idempotency WHERE status IS NULL`) })
}

// PutStream keeps the events of a stream that ended. Streams older than an hour are forgotten.
func (c Collection) PutStream(ctx context.Context, id string, events []byte, now time.Time) error {
	w := c.store.writer
	return w.transaction(ctx, func() error {
		if err := w.exec(`DELETE FROM streams WHERE created_at < ?`, now.Add(-time.Hour).UnixMicro()); err != nil {
			return err
		}
		return w.exec(`INSERT INTO streams (id, collection, created_at, events) VALUES (?, ?, ?, ?)`, id, c.name, now.UnixMicro(), events)
	})
}

// Stream gives the events of a stream of the collection. The error wraps ibid.ErrNotFound.
func (c Collection) Stream(ctx context.Context, id string) ([]byte, error) {
	var events []byte
	err := c.store.reads.QueryRowContext(ctx, `SELECT events FROM streams WHERE id = ? AND collection = ?`, id, c.name).Scan(&events)
	if err != nil {
		return nil, fmt.Errorf("stream %s: %w", id, notFound(err))
	}
	return events, nil
}
